//! The bytes of a Zarr chunk. The first byte chooses the codecs.
#![no_main]

use gridscope_fuzz::{abort_on_panic, read_store};
use libfuzzer_sys::fuzz_target;
use std::fs::{create_dir_all, write};
use std::path::Path;

const BYTES: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;

/// The codecs of version 3 that bytes are read by.
fn codecs(choice: u8) -> String {
    let shard = format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[4,4],"codecs":[{BYTES},{{"name":"gzip","configuration":{{"level":1}}}}],"index_codecs":[{BYTES},{{"name":"crc32c"}}],"index_location":"end"}}}}"#
    );
    let blosc = |name: &str, shuffle: &str| {
        format!(
            r#"{BYTES},{{"name":"blosc","configuration":{{"cname":"{name}","clevel":5,"shuffle":"{shuffle}","typesize":4,"blocksize":0}}}}"#
        )
    };
    match choice % 10 {
        0 => BYTES.to_owned(),
        1 => format!(r#"{BYTES},{{"name":"gzip","configuration":{{"level":5}}}}"#),
        2 => format!(r#"{BYTES},{{"name":"zstd","configuration":{{"level":1,"checksum":false}}}}"#),
        3 => blosc("lz4", "shuffle"),
        4 => blosc("zstd", "bitshuffle"),
        5 => blosc("zlib", "noshuffle"),
        6 => blosc("blosclz", "shuffle"),
        7 => shard,
        8 => {
            format!(r#"{{"name":"transpose","configuration":{{"order":[1,0]}}}},{BYTES},{{"name":"crc32c"}}"#)
        }
        _ => format!(r#"{BYTES},{{"name":"numcodecs.zlib","configuration":{{"level":1}}}}"#),
    }
}

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    let Some((choice, chunk)) = data.split_first() else { return };
    // The store is written anew for each input: memory is faster than a disk.
    let base = if Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
    let store = base.join(format!("gridscope-fuzz-{}-{}", std::process::id(), choice % 10));
    if !store.exists() {
        create_dir_all(store.join("c/0")).unwrap();
        let metadata = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[8,8],"data_type":"float32","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[8,8]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":"NaN","codecs":[{}],"attributes":{{}}}}"#,
            codecs(*choice)
        );
        write(store.join("zarr.json"), metadata).unwrap();
    }
    write(store.join("c/0/0"), chunk).unwrap();
    read_store(&store);
});
