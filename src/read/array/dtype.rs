//! Element types of arrays: their sizes, and the kind of numbers that holds each of them exactly.

use gridscope_core::grid::Buffer;

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

/// The types with their names: `NumPy`'s and Zarr's, a short one, and that of an NPY header.
const NAMES: [(Dtype, &str, &str, &str); 12] = [
    (Dtype::Bool, "bool", "bool", "b1"),
    (Dtype::I8, "int8", "i8", "i1"),
    (Dtype::I16, "int16", "i16", "i2"),
    (Dtype::I32, "int32", "i32", "i4"),
    (Dtype::I64, "int64", "i64", "i8"),
    (Dtype::U8, "uint8", "u8", "u1"),
    (Dtype::U16, "uint16", "u16", "u2"),
    (Dtype::U32, "uint32", "u32", "u4"),
    (Dtype::U64, "uint64", "u64", "u8"),
    (Dtype::F16, "float16", "f16", "f2"),
    (Dtype::F32, "float32", "f32", "f4"),
    (Dtype::F64, "float64", "f64", "f8"),
];

impl Dtype {
    /// The type of this name in `NumPy` and Zarr, as `int32`.
    #[cfg(feature = "zarr")]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|n| n.1 == name).map(|n| n.0)
    }

    /// The type of this short name, as `i32`.
    pub fn from_short(name: &str) -> Option<Self> {
        NAMES.iter().find(|n| n.2 == name).map(|n| n.0)
    }

    /// The type of this name in an NPY header, the byte order left out, as `i4`.
    pub fn from_descr(name: &str) -> Option<Self> {
        NAMES.iter().find(|n| n.3 == name).map(|n| n.0)
    }

    /// The name in `NumPy` and Zarr.
    #[cfg(feature = "zarr")]
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The short name.
    #[cfg(feature = "npz")]
    pub fn short(self) -> &'static str {
        NAMES[self as usize].2
    }

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
            Dtype::F32 | Dtype::F16 => Buffer::F32 { bits: Vec::new(), integer: false },
            Dtype::Bool | Dtype::I8 | Dtype::U8 | Dtype::I16 | Dtype::U16 => {
                Buffer::F32 { bits: Vec::new(), integer: true }
            }
            Dtype::I32 | Dtype::U32 | Dtype::I64 => Buffer::I64(Vec::new()),
            Dtype::U64 => Buffer::U64(Vec::new()),
            Dtype::F64 => Buffer::F64(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_their_types() {
        for (i, (dtype, name, short, descr)) in NAMES.into_iter().enumerate() {
            assert_eq!(dtype as usize, i, "{name}");
            assert_eq!((Dtype::from_short(short), Dtype::from_descr(descr)), (Some(dtype), Some(dtype)));
            assert!(descr.ends_with(&dtype.size().to_string()) && short.starts_with(&name[..1]), "{name}");
        }
        assert_eq!((Dtype::from_short("i4"), Dtype::from_descr("f1")), (None, None));
    }
}
