//! Codecs of both versions: parsed, refused by name, and undone.

use super::*;
use serde_json::json;

#[test]
fn orders_and_steps_are_parsed() {
    let v2 = json!({"order": "F", "filters": [{"id": "shuffle", "elementsize": 2}], "compressor": {"id": "zlib", "level": 1}});
    let c = Codecs::of_v2(&v2, 3, true).unwrap();
    assert_eq!(
        (c.order, c.big_endian, c.steps),
        (vec![2, 1, 0], true, vec![Step::Shuffle(2), Step::Packed(Packing::Zlib)])
    );
    let list = [
        json!({"name": "transpose", "configuration": {"order": [1, 2, 0]}}),
        json!({"name": "transpose", "configuration": {"order": [1, 0, 2]}}),
        json!({"name": "bytes", "configuration": {"endian": "big"}}),
        json!("crc32c"),
    ];
    let c = Codecs::of_v3(&list, 3, 4).unwrap();
    assert_eq!((c.order, c.big_endian, c.steps), (vec![2, 1, 0], true, vec![Step::Crc32c]));
}

#[test]
fn what_is_not_read_is_named() {
    let e = |list: &[Value]| Codecs::of_v3(list, 2, 4).unwrap_err().what;
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    assert_eq!(e(&[bytes.clone(), json!("numcodecs.bz2")]), "codec 'numcodecs.bz2' is not read");
    assert_eq!(e(&[json!("numcodecs.pcodec")]), "codec 'numcodecs.pcodec' is not read");
    assert_eq!(e(&[json!("gzip"), bytes.clone()]), "codec 'gzip' is not read before 'bytes'");
    assert_eq!(e(&[]), "codecs name no 'bytes'");
    assert_eq!(e(&[json!("bytes")]), "codec 'bytes' names no endian");
    assert!(
        e(&[json!({"name": "transpose", "configuration": {"order": [0, 0]}}), bytes.clone()])
            .contains("permutation")
    );
    assert!(e(&[json!({"nom": 1})]).contains("no name"));
    assert!(
        Codecs::of_v2(&json!({"compressor": {"id": "bz2"}}), 1, false).unwrap_err().what.contains("'bz2'")
    );
    assert!(Codecs::of_index(&[bytes, json!("gzip")]).is_err());
}

#[test]
fn steps_are_undone_in_turn() {
    let list = [json!("bytes"), json!("crc32c"), json!("numcodecs.fletcher32")];
    let c = Codecs::of_v3(&list, 1, 1).unwrap();
    let mut chunk = vec![1, 2, 3];
    chunk.extend(crc32c(&chunk).to_le_bytes());
    chunk.extend(fletcher32(&chunk).to_le_bytes());
    assert_eq!(c.most(3), 11);
    assert_eq!(c.decode(chunk.clone(), 3).unwrap(), [1, 2, 3]);
    assert!(c.decode(chunk.clone(), 4).unwrap_err().what.contains("its shape takes 4"));
    chunk[0] ^= 1;
    assert!(c.decode(chunk, 3).unwrap_err().what.contains("fletcher32"));
}
