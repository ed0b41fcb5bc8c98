//! The element types of NPY files: plain numbers are read, every other type is refused by its name.

use crate::input::array::{Dtype, Encoding};

/// The type and byte order that a `descr` means.
///
/// # Errors
/// Why it is not a plain number, numpy's word for the type included.
pub fn parse_descr(descr: &str) -> Result<Encoding, String> {
    let (order, name) = match descr.as_bytes().first() {
        Some(c @ (b'<' | b'>' | b'|' | b'=')) => (*c, &descr[1..]),
        _ => (b'=', descr),
    };
    let dtype = match name {
        "b1" => Dtype::Bool,
        "i1" => Dtype::I8,
        "i2" => Dtype::I16,
        "i4" => Dtype::I32,
        "i8" => Dtype::I64,
        "u1" => Dtype::U8,
        "u2" => Dtype::U16,
        "u4" => Dtype::U32,
        "u8" => Dtype::U64,
        "f2" => Dtype::F16,
        "f4" => Dtype::F32,
        "f8" => Dtype::F64,
        _ => return Err(refusal(descr, name)),
    };
    Ok(Encoding {
        dtype,
        big_endian: order == b'>',
    })
}

/// Whether an array is refused for its element type alone, by what the refusal says.
#[cfg(feature = "npz")]
pub fn is_type_refusal(what: &str) -> bool {
    ["dtype '", "unknown dtype '", "structured dtype "]
        .iter()
        .any(|w| what.starts_with(w))
}

/// Why a dtype is refused, with numpy's word for it.
fn refusal(descr: &str, name: &str) -> String {
    let word = match (name.as_bytes().first(), name) {
        (Some(b'O'), _) => return format!("dtype '{descr}' (object): Python pickles are never loaded"),
        (_, "c8") => "complex64",
        (_, "c16") => "complex128",
        (Some(b'c'), _) => "complex",
        (_, "f16" | "f12" | "f10") => "longdouble",
        (Some(b'S' | b'a'), _) => "byte strings",
        (Some(b'U'), _) => "strings",
        (Some(b'V'), _) => "void",
        (Some(b'M'), _) => "datetime64",
        (Some(b'm'), _) => "timedelta64",
        _ => return format!("unknown dtype '{descr}'"),
    };
    format!("dtype '{descr}' ({word}) holds no plain numbers")
}
