//! An archive of arrays.
#![no_main]

use gridscope::figure::Figure;
use gridscope_fuzz::{abort_on_panic, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    read(data, "a.npz", &Figure::default());
});
