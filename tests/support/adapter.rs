//! The one device that the tests of a program share.

use super::required;
use gridscope::gpu::{AdapterPreference, Context};
use std::sync::OnceLock;

/// `None` where the machine has no adapter at all and need not have one.
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
