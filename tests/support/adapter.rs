//! The device that all tests of a binary share.

use super::required;
use gridscope::gpu::{AdapterPreference, Context};
use std::sync::OnceLock;

/// `None` if the machine has no adapter and none is required.
pub fn context() -> Option<&'static Context> {
    static OPENED: OnceLock<Option<Context>> = OnceLock::new();
    let open = || match Context::open(&AdapterPreference::default()) {
        Ok(context) => Some(context),
        Err(e) => {
            assert!(!required::adapter(), "an adapter is required: {e}");
            println!("no adapter");
            None
        }
    };
    OPENED.get_or_init(open).as_ref()
}
