//! The metadata of a Zarr store, over chunks of plain bytes. The first byte chooses the version.
#![no_main]

use gridscope_fuzz::{abort_on_panic, read_store};
use libfuzzer_sys::fuzz_target;
use std::fs::{create_dir_all, remove_file, write};
use std::path::Path;

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    let Some((choice, metadata)) = data.split_first() else { return };
    // The store is written anew for each input: memory is faster than a disk.
    let base = if Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
    let store = base.join(format!("gridscope-fuzz-{}", std::process::id()));
    create_dir_all(store.join("c/0")).unwrap();
    for chunk in ["0.0", "0", "c/0/0"] {
        if !store.join(chunk).exists() {
            write(store.join(chunk), [7; 128]).unwrap();
        }
    }
    let name = ["zarr.json", ".zarray", ".zgroup"][usize::from(*choice) % 3];
    write(store.join(name), metadata).unwrap();
    if name == ".zgroup" {
        write(store.join(".zattrs"), metadata).unwrap();
    }
    read_store(&store);
    for name in [name, ".zattrs"] {
        let _ = remove_file(store.join(name));
    }
});
