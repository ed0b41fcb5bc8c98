//! The element types of NPY files: plain numbers are read, every other one is refused by its name.

use crate::grid::Buffer;

/// An element type that a grid can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// `b1`
    Bool,
    /// `i1`
    I8,
    /// `i2`
    I16,
    /// `i4`
    I32,
    /// `i8`
    I64,
    /// `u1`
    U8,
    /// `u2`
    U16,
    /// `u4`
    U32,
    /// `u8`
    U64,
    /// `f2`
    F16,
    /// `f4`
    F32,
    /// `f8`
    F64,
}

impl Dtype {
    /// Bytes an element takes.
    pub const fn size(self) -> usize {
        match self {
            Dtype::Bool | Dtype::I8 | Dtype::U8 => 1,
            Dtype::I16 | Dtype::U16 | Dtype::F16 => 2,
            Dtype::I32 | Dtype::U32 | Dtype::F32 => 4,
            Dtype::I64 | Dtype::U64 | Dtype::F64 => 8,
        }
    }

    /// An empty buffer that holds such elements exactly: small integers and singles as f32.
    pub fn buffer(self) -> Buffer {
        match self {
            Dtype::F32 | Dtype::F16 => Buffer::F32 {
                bits: Vec::new(),
                integer: false,
            },
            Dtype::Bool | Dtype::I8 | Dtype::U8 | Dtype::I16 | Dtype::U16 => Buffer::F32 {
                bits: Vec::new(),
                integer: true,
            },
            Dtype::I32 | Dtype::U32 | Dtype::I64 => Buffer::I64(Vec::new()),
            Dtype::U64 => Buffer::U64(Vec::new()),
            Dtype::F64 => Buffer::F64(Vec::new()),
        }
    }

    /// The type and whether it is big-endian, or why this `descr` holds no plain numbers.
    ///
    /// # Errors
    /// What is wrong with it, numpy's word for the type included.
    pub fn parse(descr: &str) -> Result<(Dtype, bool), String> {
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
        Ok((dtype, order == b'>'))
    }
}

/// Whether an array is refused for its element type alone, by what the refusal says.
pub(super) fn is_type_refusal(what: &str) -> bool {
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
