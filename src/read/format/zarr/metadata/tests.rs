//! Metadata of both versions, and what is wrong with others.

use super::*;
use serde_json::json;

fn v2() -> Value {
    json!({"zarr_format": 2, "shape": [4, 6], "chunks": [2, 3], "dtype": ">i2", "order": "C", "fill_value": 7,
           "filters": null, "compressor": null})
}

fn v3() -> Value {
    json!({"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "float32", "fill_value": "NaN",
           "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
           "chunk_key_encoding": {"name": "default"},
           "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
           "dimension_names": ["y", null]})
}

fn with(mut m: Value, key: &str, value: Value) -> Value {
    m[key] = value;
    m
}

#[test]
fn both_versions_are_read() {
    let named = json!({"_ARRAY_DIMENSIONS": ["lat", "lon"]}).as_object().unwrap().clone();
    let m = Metadata::of_v2(&v2(), named).unwrap();
    assert_eq!(
        (m.dtype, m.codecs.big_endian, m.fill, m.chunk_bytes()),
        (Dtype::I16, true, Some([7, 0, 0, 0, 0, 0, 0, 0]), Some(12))
    );
    assert_eq!((m.keys.of(&[1, 20]), m.axes), ("1.20".to_owned(), vec!["lat".to_owned(), "lon".to_owned()]));
    let m = Metadata::of_v3(&v3()).unwrap();
    assert_eq!(
        (m.fill, m.keys.of(&[1, 20]), m.axes),
        (None, "c/1/20".to_owned(), vec!["y".to_owned(), String::new()])
    );
}

#[test]
fn shards_are_told_from_their_chunks() {
    let codec = |inner: Value| {
        let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
        let config = json!({"chunk_shape": inner, "codecs": [bytes], "index_codecs": [bytes, "crc32c"], "index_location": "start"});
        with(v3(), "codecs", json!([{"name": "sharding_indexed", "configuration": config}]))
    };
    let m = Metadata::of_v3(&codec(json!([1, 3]))).unwrap();
    let shards = m.shards.unwrap();
    assert_eq!((m.chunk, shards.chunks, shards.index_first), (vec![1, 3], vec![2, 1], true));
    for inner in [json!([2, 2]), json!([0, 3]), json!([1])] {
        assert!(Metadata::of_v3(&codec(inner)).is_err());
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (key, value, part) in [
        ("shape", json!([4, -1]), "shape holds -1"),
        ("shape", json!([4, 1.5]), "shape holds 1.5"),
        ("shape", json!([4]), "chunks has 2 axes, the shape 1"),
        ("chunks", json!([2, 0]), "chunks holds 0"),
        ("dtype", json!("<c8"), "complex64"),
        ("order", json!("K"), "order 'K'"),
        ("dimension_separator", json!("/../"), "neither"),
        ("fill_value", json!(70000), "fill_value 70000"),
        ("compressor", json!({"id": "zfpy"}), "'zfpy'"),
        ("zarr_format", json!(3), "zarr_format"),
    ] {
        let e = Metadata::of_v2(&with(v2(), key, value), Map::new()).unwrap_err().what;
        assert!(e.contains(part), "{e}");
    }
    for (key, value, part) in [
        ("shape", json!(vec![1; 33]), "33 axes"),
        ("data_type", json!("complex128"), "complex128"),
        ("chunk_grid", json!({"name": "rectilinear"}), "'rectilinear'"),
        ("chunk_key_encoding", json!({"name": "default", "configuration": {"separator": ".."}}), "neither"),
        ("storage_transformers", json!([{"name": "magic"}]), "'magic'"),
        ("extra", json!({"a": 1}), "'extra'"),
        ("codecs", json!("gzip"), "no codecs"),
        ("dimension_names", json!(["a"]), "1 dimension_names"),
    ] {
        let e = Metadata::of_v3(&with(v3(), key, value)).unwrap_err().what;
        assert!(e.contains(part), "{e}");
    }
    assert!(Metadata::of_v3(&with(v3(), "extra", json!({"must_understand": false}))).is_ok());
    let huge = Metadata::of_v2(&with(v2(), "chunks", json!([1u64 << 40, 1u64 << 40])), Map::new()).unwrap();
    assert_eq!(huge.chunk_bytes(), None);
}
