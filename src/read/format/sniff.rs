//! Content sniffing: what the first bytes of a file show of its format, and formats that are refused by name.

use super::reader::{Contents, HEAD, Input};
use crate::error::InputError;
use std::path::Path;

/// The first bytes of a file, and its name.
pub(super) struct Head<'a> {
    pub bytes: &'a [u8],
    pub file: &'a str,
}

impl<'a> Head<'a> {
    /// Whether it begins with one of these.
    pub(super) fn starts_with(&self, any: &[&[u8]]) -> bool {
        any.iter().any(|start| self.bytes.starts_with(start))
    }

    /// Whether its first bytes are not those of a text: the names of some columns begin as a binary file does.
    pub(super) fn is_binary(&self) -> bool {
        self.bytes.len() < 8 || self.bytes.iter().take(64).any(|b| *b < 9 || (14..32).contains(b))
    }

    /// Whether its name ends with one of these extensions.
    pub(super) fn has_extension(&self, any: &[&str]) -> bool {
        let extension = Path::new(self.file).extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| any.iter().any(|a| e.eq_ignore_ascii_case(a)))
    }

    /// It as a text, without a byte order mark and blanks before its beginning.
    pub(super) fn text(&self) -> &'a [u8] {
        let bytes = self.bytes;
        bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
    }

    /// Whether it is the whole of its file.
    pub(super) fn is_whole(&self) -> bool {
        (self.bytes.len() as u64) < HEAD
    }

    /// It as a text of whole lines, where it is UTF-8: the last line of a file's beginning may be cut.
    pub(super) fn lines(&self) -> Option<&'a str> {
        let text = self.text();
        let cut = if self.is_whole() { None } else { text.iter().rposition(|b| *b == b'\n') };
        std::str::from_utf8(&text[..cut.map_or(text.len(), |end| end + 1)]).ok()
    }

    /// Whether it begins as JSON does. A bracket alone may begin a header; JSON goes on with a string, a number, a word of its
    /// own or another bracket.
    pub(super) fn is_json(&self) -> bool {
        let start = self.text();
        let rest = start.get(1..).unwrap_or_default().trim_ascii_start();
        let word = |w: &[u8]| {
            rest.strip_prefix(w).is_some_and(|r| r.first().is_none_or(|b| !b.is_ascii_alphanumeric()))
        };
        match (start.first(), rest.first()) {
            (Some(b'{'), next) => matches!(next, Some(b'"' | b'}')),
            (Some(b'['), Some(b'"' | b'[' | b'{' | b']' | b'-' | b'0'..=b'9')) => true,
            (Some(b'['), _) => [&b"null"[..], b"NaN", b"true", b"false", b"Infinity"].into_iter().any(word),
            _ => false,
        }
    }

    /// Whether it begins with a message's length and an offset inside it, as before and since version 0.15 of Arrow.
    pub(super) fn is_arrow_stream(&self) -> bool {
        let word = |i: usize| {
            let bytes = self.bytes.get(4 * i..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        // Metadata begins with the place of its table, which is near.
        let near = |root: u32, len: u32| (4..=64).contains(&root) && root.is_multiple_of(4) && root < len;
        let message = |i: usize| matches!((word(i), word(i + 1)), (Some(len), Some(root)) if len.is_multiple_of(4) && len < 1 << 24 && near(root, len));
        (word(0) == Some(u32::MAX) && (word(1) == Some(0) || message(1))) || message(0)
    }
}

/// Whether a folder is a Zarr store: it holds metadata, or its name is `*.zarr`, which makes it a group.
pub(super) fn is_zarr_store(path: &Path) -> bool {
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zarr"));
    path.is_dir()
        && (named || ["zarr.json", ".zarray", ".zgroup", ".zattrs"].iter().any(|f| path.join(f).is_file()))
}

/// Whether a file is a workbook: an archive with the parts of one.
pub(super) fn is_workbook(head: &Head) -> bool {
    let name = head.bytes.get(30..80).unwrap_or_default();
    let begins = |part: &[u8]| name.starts_with(part);
    head.starts_with(&[b"PK\x03\x04"])
        && (begins(b"[Content_Types].xml")
            || begins(b"xl/")
            || begins(b"_rels/")
            || begins(b"docProps/")
            || begins(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
            || head.has_extension(&["xlsx", "xlsm", "ods"]))
}

/// The first bytes of formats, and their names.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"FEA1", "Feather file of version 1"),
    (b"%PDF-", "PDF file"),
    (b"%%MatrixMarket", "matrix of MatrixMarket"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "document of Office before 2007, as .xls"),
    (b"GRIB", "GRIB file"),
    (b"RDX2\n", "file of R data"),
    (b"RDX3\n", "file of R data"),
    (b"RDA3\n", "file of R data"),
    (b"X\n\0\0\0", "file of R data"),
    (b"MATLAB 5.0 MAT-file", "file of MATLAB"),
    (b"version https://git-lfs.github.com/spec/", "pointer of Git LFS instead of the file"),
];

/// The name of a file's format, where it is one of these.
pub(super) fn foreign_name(head: &Head) -> Option<&'static str> {
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
pub(super) fn open_foreign(input: &mut Input) -> Result<Contents, InputError> {
    let file = input.request.file;
    let (bytes, _held) = input.bytes()?;
    let what = foreign_name(&Head { bytes: &bytes, file });
    Err(refuse(file, what.unwrap_or("file of another format")))
}

/// Why a file of another format is refused.
pub(super) fn refuse(file: &str, what: &str) -> InputError {
    let hint = if what.starts_with("Feather") {
        "pandas: df.to_feather writes version 2"
    } else if what.starts_with("bzip2") {
        "bzip2 -dc FILE | gridscope render - -o PICTURE"
    } else if what.starts_with("xz") {
        "xz -dc FILE | gridscope render - -o PICTURE"
    } else if what.starts_with("pointer of Git LFS") {
        "git lfs pull"
    } else if what.starts_with("matrix of MatrixMarket") {
        "scipy: numpy.save(FILE.npy, scipy.io.mmread(FILE).todense()) writes an array"
    } else if what.starts_with("GRIB") {
        "xarray: open_dataset(FILE).to_zarr(STORE) writes a Zarr store"
    } else {
        "give a table as CSV, TSV, JSON, Parquet or Arrow, or arrays as .npy, .npz or Zarr"
    };
    let article = article(what);
    InputError::refused(file, "", format!("is {article} {what}, which is not read")).with_hint(hint)
}

/// Why a file is refused whose format only a build with this cargo feature reads.
pub(crate) fn unbuilt(file: &str, what: &str, feature: &str) -> InputError {
    let article = article(what);
    let what = format!("is {article} {what}, which this build does not read");
    InputError::refused(file, "", what).with_hint(format!("cargo build --features {feature}"))
}

fn article(what: &str) -> &'static str {
    let an = what.starts_with(['A', 'H', 'X', 'S']) || what.starts_with("NPY") || what.starts_with("NPZ");
    if an { "an" } else { "a" }
}
