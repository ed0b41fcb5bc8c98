//! Stores in memory: groups, coordinates, missing chunks and shards, without a file.

use super::storage::memory::Memory;
use super::*;
use crate::error::ErrorKind;
use gridscope_core::grid::{Cell, State};
use serde_json::{Value, json};

/// `.zarray` of an array of bytes with this shape and these chunks.
fn v2(shape: Value, chunks: Value) -> Value {
    json!({"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "|u1", "order": "C", "fill_value": null,
           "filters": null, "compressor": null})
}

fn put(memory: &mut Memory, key: &str, value: impl Into<Vec<u8>>) {
    memory.0.insert(key.to_owned(), value.into());
}

/// A group of an array of 2 x 4, of which the last chunk is missing, with coordinates that fall, and of another array.
fn group() -> Memory {
    let mut m = Memory::default();
    put(&mut m, ".zgroup", r#"{"zarr_format": 2}"#);
    put(&mut m, "loss/.zarray", v2(json!([2, 4]), json!([1, 2])).to_string());
    put(&mut m, "loss/.zattrs", r#"{"_ARRAY_DIMENSIONS": ["epoch", "rate"]}"#);
    for (key, bytes) in [("loss/0.0", [1, 2]), ("loss/0.1", [3, 4]), ("loss/1.0", [5, 6])] {
        put(&mut m, key, bytes);
    }
    put(&mut m, "epoch/.zarray", v2(json!([2]), json!([2])).to_string());
    put(&mut m, "epoch/0", [20, 10]);
    put(&mut m, "loss_2/.zarray", v2(json!([1, 1]), json!([1, 1])).to_string());
    put(&mut m, "loss_2/0.0", [9]);
    m
}

fn grids(memory: Memory, key: Option<&str>) -> Result<(Vec<Grid>, String), InputError> {
    let budget = Budget::new(1 << 20);
    let mut figure = Figure::default();
    figure.data.key = key.map(str::to_owned);
    store_grids(Store::new("memory.zarr", Box::new(memory), &budget), &figure, None, &budget)
}

fn cells(grid: &Grid) -> Vec<Result<f64, State>> {
    grid.load().unwrap();
    (0..grid.len())
        .map(|i| match grid.at(i / grid.width(), i % grid.width()) {
            Cell::Value(v) => Ok(v.as_f64()),
            Cell::Empty(state) => Err(state),
        })
        .collect()
}

#[test]
fn an_array_is_read_by_its_key() {
    let (g, what) = grids(group(), Some("loss")).unwrap();
    assert_eq!(what, "Zarr v2 array loss of 2 x 4 uint8, chunks 1 x 2");
    // The coordinates fall: the last row comes first.
    let absent = Err(State::Absent);
    assert_eq!(cells(&g[0]), [Ok(5.0), Ok(6.0), absent, absent, Ok(1.0), Ok(2.0), Ok(3.0), Ok(4.0)]);
    assert_eq!((g[0].rows().label(0).as_str(), g[0].rows().name.as_str()), ("10", "epoch"));
    assert_eq!(g[0].columns().name, "rate");
}

#[test]
fn texts_of_a_fixed_length_label_an_axis_and_others_are_named() {
    let mut memory = group();
    let signs = |text: &str| {
        text.chars().chain(['\0'; 4]).take(4).flat_map(|c| (c as u32).to_le_bytes()).collect::<Vec<u8>>()
    };
    let mut metadata = v2(json!([4]), json!([2]));
    metadata["dtype"] = json!("<U4");
    put(&mut memory, "rate/.zarray", metadata.to_string());
    put(&mut memory, "rate/0", [signs("low"), signs("mid")].concat());
    put(&mut memory, "rate/1", [signs("\u{fc}ber"), signs("z")].concat());
    let (g, what) = grids(memory, Some("loss")).unwrap();
    assert_eq!((0..4).map(|i| g[0].columns().label(i)).collect::<Vec<_>>(), ["low", "mid", "\u{fc}ber", "z"]);
    assert!(!what.contains("not read"));
    let mut memory = group();
    metadata = v2(json!([4]), json!([2]));
    metadata["dtype"] = json!("|O");
    put(&mut memory, "rate/.zarray", metadata.to_string());
    assert!(
        grids(memory, Some("loss"))
            .unwrap()
            .1
            .ends_with("without the values of its axes, which are not read: rate")
    );
}

#[test]
fn patterns_name_several_and_nothing_else_is_guessed() {
    let (g, _) = grids(group(), Some("loss*")).unwrap();
    assert_eq!(g.iter().map(Grid::name).collect::<Vec<_>>(), ["loss", "loss_2"]);
    let e = grids(group(), None).unwrap_err();
    assert_eq!((e.kind, e.what.contains("choose one")), (ErrorKind::Usage, true));
    let e = grids(group(), Some("accuracy")).unwrap_err();
    assert!(e.hint.unwrap().contains("--key 'loss'"));
}

/// A shard of 2 x 2 chunks of 1 x 2 bytes with its index at the end, edited before it is put into a store.
fn shard(edit: impl Fn(&mut Vec<u8>)) -> Memory {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let config = json!({"chunk_shape": [1, 2], "codecs": [bytes], "index_codecs": [bytes]});
    let metadata = json!({"zarr_format": 3, "node_type": "array", "shape": [2, 4], "data_type": "uint8", "fill_value": 7,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 4]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "sharding_indexed", "configuration": config}]});
    let mut shard = vec![1, 2, 3, 4, 5, 6];
    // The third chunk is missing.
    for (first, bytes) in [(4u64, 2u64), (0, 2), (u64::MAX, u64::MAX), (2, 2)] {
        shard.extend(first.to_le_bytes());
        shard.extend(bytes.to_le_bytes());
    }
    edit(&mut shard);
    let mut m = Memory::default();
    put(&mut m, "zarr.json", metadata.to_string());
    put(&mut m, "c/0/0", shard);
    m
}

#[test]
fn shards_are_read_in_parts_and_damaged_ones_refused() {
    let (g, what) = grids(shard(|_| {}), None).unwrap();
    assert_eq!(what, "Zarr v3 array of 2 x 4 uint8, chunks 1 x 2 in shards of 2 x 2 chunks");
    let wanted = [5.0, 6.0, 1.0, 2.0, 7.0, 7.0, 3.0, 4.0].map(Ok);
    assert_eq!(cells(&g[0]), wanted);
    let refused = |edit: &dyn Fn(&mut Vec<u8>)| grids(shard(edit), None).unwrap_err().what;
    let e = refused(&|shard| shard.truncate(63));
    assert!(e.contains("c/0/0: holds 63 bytes, the index of its shard alone takes 64"), "{e}");
    // The first chunk begins behind the end.
    let e = refused(&|shard| shard[6] = 200);
    assert!(e.contains("lies at bytes 200 + 2 of 70"), "{e}");
}
