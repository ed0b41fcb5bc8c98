//! Element types of arrays: their sizes, and the kind of numbers that holds each of them exactly.

use crate::grid::Buffer;

/// An element type that a grid can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// One byte, 0 or not.
    Bool,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE 754 half.
    F16,
    /// IEEE 754 single.
    F32,
    /// IEEE 754 double.
    F64,
}

impl Dtype {
    /// Bytes of an element.
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
}
