//! A figure as JSON: read, and where it is one, written and read again as the same.
#![no_main]

use gridscope::input::{Format, read_figure};
use gridscope_fuzz::abort_on_panic;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    if let Ok(figure) = read_figure(data, "f.json", Format::Json) {
        let written = serde_json::to_string(&figure).expect("a figure can be written");
        assert_eq!(Ok(figure), read_figure(written.as_bytes(), "f.json", Format::Json), "{written}");
    }
});
