//! JSON records, columns, arrays and lines. The first byte chooses how they are read.
#![no_main]

use gridscope_fuzz::{abort_on_panic, read, table_figure};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    if let Some((choice, bytes)) = data.split_first() {
        let mut figure = table_figure(*choice);
        figure.data.json_nan = Some(choice & 8 != 0);
        read(bytes, if choice & 4 == 0 { "t.json" } else { "t.jsonl" }, &figure);
    }
});
