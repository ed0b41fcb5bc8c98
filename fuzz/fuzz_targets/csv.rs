//! A table of text. The first byte chooses how it is read.
#![no_main]

use gridscope_fuzz::{abort_on_panic, read, table_figure};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    if let Some((choice, bytes)) = data.split_first() {
        read(bytes, "t.csv", &table_figure(*choice));
    }
});
