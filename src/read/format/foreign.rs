//! Formats that are recognised in order to be refused by name.

use super::reader::{Contents, Input};
use super::sniff::Head;
use crate::error::InputError;

/// The first bytes of formats, and their names.
const MAGIC: [(&[u8], &str); 9] = [
    (b"\x89PNG\r\n\x1a\n", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
    (b"\x1f\x8b", "gzip archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"FEA1", "Feather file of version 1"),
    (b"%PDF-", "PDF file"),
    (b"\x89HDF\r\n\x1a\n", "HDF5 file"),
];

/// The name of a file's format, where it is one of these.
pub(super) fn name(head: &Head) -> Option<&'static str> {
    if let Some((_, name)) = MAGIC.iter().find(|(m, _)| head.starts_with(&[m])) {
        return Some(name);
    }
    if head.bytes.first() == Some(&0x80) && head.bytes.get(1).is_some_and(|p| (1..=5).contains(p)) {
        return Some("Python pickle");
    }
    let tag = |tags: &[&[u8]]| {
        let start = head.text();
        tags.iter().any(|t| start.len() >= t.len() && start[..t.len()].eq_ignore_ascii_case(t))
    };
    if tag(&[b"<!DOCTYPE", b"<html"]) {
        return Some("HTML page");
    }
    tag(&[b"<?xml", b"<svg"]).then_some("XML file")
}

/// Refuses a file by the name of its format.
///
/// # Errors
/// Always.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let file = input.request.file;
    let (bytes, _held) = input.bytes()?;
    let what = name(&Head { bytes: &bytes, file });
    Err(refuse(file, what.unwrap_or("file of another format")))
}

/// Why a file of another format is refused.
pub(super) fn refuse(file: &str, what: &str) -> InputError {
    let hint = if what.starts_with("Feather") {
        "pandas: df.to_feather writes version 2"
    } else {
        "give a table as CSV, TSV, JSON, Parquet or Arrow, or arrays as .npy, .npz or Zarr"
    };
    let article = article(what);
    InputError::refused(file, "", format!("is {article} {what}, which is not read")).with_hint(hint)
}

/// Why a file is refused whose format only a build with this cargo feature reads.
pub(super) fn unbuilt(file: &str, what: &str, feature: &str) -> InputError {
    let article = article(what);
    let what = format!("is {article} {what}, which this build does not read");
    InputError::refused(file, "", what).with_hint(format!("cargo build --features {feature}"))
}

fn article(what: &str) -> &'static str {
    let an = what.starts_with(['A', 'H', 'N', 'X']);
    if an { "an" } else { "a" }
}
