//! Labels of axes that are texts of a fixed length.

use super::chunks::Chunks;
use super::metadata::Metadata;
use super::read::read;
use super::storage::{is_name, joined};
use super::store::Store;
use crate::array::{Packing, Window, conventions};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Bytes that the labels of an axis may take.
const MOST_BYTES: usize = 16 << 20;

/// How the texts of an array are stored: bytes of each, and of each sign.
#[derive(Clone, Copy)]
struct Texts {
    bytes: usize,
    sign: usize,
    big_endian: bool,
}

/// The type of fixed texts that metadata name.
fn of_type(metadata: &Value) -> Option<Texts> {
    if let Some(name) = metadata["dtype"].as_str() {
        let (order, kind) = name.split_at_checked(1)?;
        let (kind, count) = kind.split_at_checked(1)?;
        let sign = if kind == "U" { 4 } else { usize::from(kind == "S") };
        let bytes = count.parse::<usize>().ok()?.checked_mul(sign)?;
        return (bytes > 0).then_some(Texts { bytes, sign, big_endian: order == ">" });
    }
    let kind = &metadata["data_type"];
    let sign = match kind["name"].as_str()? {
        "fixed_length_utf32" => 4,
        "null_terminated_bytes" => 1,
        _ => return None,
    };
    let bytes = kind["configuration"]["length_bytes"].as_u64()? as usize;
    (bytes > 0).then_some(Texts { bytes, sign, big_endian: false })
}

/// Texts as an array of bytes, `of.bytes` for each.
fn of_bytes(metadata: &Value, of: Texts) -> Option<Value> {
    let mut m = metadata.clone();
    let wider = |n: &Value| n.as_u64()?.checked_mul(of.bytes as u64);
    m["shape"] = json!([wider(&metadata["shape"][0])?]);
    if metadata["zarr_format"] == 2 {
        m["chunks"] = json!([wider(&metadata["chunks"][0])?]);
        (m["dtype"], m["fill_value"]) = (json!("|u1"), json!(0));
    } else {
        let chunk = wider(&metadata["chunk_grid"]["configuration"]["chunk_shape"][0])?;
        m["chunk_grid"]["configuration"]["chunk_shape"] = json!([chunk]);
        (m["data_type"], m["fill_value"]) = (json!("uint8"), json!(0));
    }
    Some(m)
}

/// The path of the labels of an axis.
fn of_axis(node: &str, name: &str) -> Option<String> {
    let path = joined(node.rsplit_once('/').map_or("", |p| p.0), name);
    (is_name(name) && path != node && !node.is_empty()).then_some(path)
}

/// Whether an axis has an array of its own, whatever is in it.
pub(super) fn has_values(store: &Store, node: &str, name: &str) -> bool {
    let is_there = |path: String| {
        ["zarr.json", ".zarray"]
            .iter()
            .any(|file| matches!(store.metadata(&joined(&path, file)), Ok(Some(_))))
    };
    of_axis(node, name).is_some_and(is_there)
}

/// The texts of the axis `name` of the array at `node`, one for each of its `len` indexes.
pub(super) fn labels(store: &Arc<Store>, node: &str, name: &str, len: usize) -> Option<Vec<String>> {
    let path = of_axis(node, name)?;
    let own = |file: &str| store.json(&joined(&path, file)).ok().flatten();
    let written = own("zarr.json").or_else(|| own(".zarray"))?;
    let of = of_type(&written)?;
    let bytes = of.bytes.checked_mul(len).filter(|n| (1..=MOST_BYTES).contains(n))?;
    let m = of_bytes(&written, of)?;
    let metadata = match m["zarr_format"] == 2 {
        true => Metadata::of_v2(&m, Map::new()),
        false => Metadata::of_v3(&m),
    };
    let metadata = metadata.ok().filter(|m| m.shape == [bytes])?;
    let most = MOST_BYTES as u64;
    let chunks = Chunks::new(store, &path, metadata, most, most).ok()?;
    let window = Window { first: vec![0], row_axis: None, column_axis: 0, rows: 1, columns: bytes };
    let (mut values, mut absent) = (chunks.metadata.dtype.buffer(), Vec::new());
    read(&chunks, &window, &mut values, &mut absent).ok()?;
    let all: Vec<u8> =
        conventions::unpacked(values, &Packing::default()).into_iter().map(|b| b as u8).collect();
    let text = |part: &[u8]| -> Option<String> {
        if of.sign == 1 {
            return String::from_utf8(part.to_vec()).ok();
        }
        let sign = |b: &[u8; 4]| if of.big_endian { u32::from_be_bytes(*b) } else { u32::from_le_bytes(*b) };
        part.as_chunks::<4>().0.iter().map(|b| char::from_u32(sign(b))).collect()
    };
    let texts: Option<Vec<String>> = all.chunks(of.bytes).map(text).collect();
    Some(texts?.into_iter().map(|text| text.trim_end_matches('\0').to_owned()).collect())
}
