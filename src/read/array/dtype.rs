//! Element types of arrays, the numbers that hold them exactly, and how bytes become such numbers.

use bytemuck::Pod;
use gridscope_core::calendar::days_of_months;
use gridscope_core::grid::{Buffer, State};
use std::mem::{discriminant, size_of_val};

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
    #[cfg(any(feature = "zarr", feature = "netcdf"))]
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The short name.
    #[cfg(feature = "npz")]
    pub fn short(self) -> &'static str {
        NAMES[self as usize].2
    }

    /// The integer type of this size with or without a sign; other types are what they are.
    #[cfg(any(feature = "zarr", feature = "netcdf"))]
    pub fn with_sign(self, signed: bool) -> Self {
        const PAIRS: [[Dtype; 2]; 4] = [
            [Dtype::U8, Dtype::I8],
            [Dtype::U16, Dtype::I16],
            [Dtype::U32, Dtype::I32],
            [Dtype::U64, Dtype::I64],
        ];
        PAIRS.iter().find(|pair| pair.contains(&self)).map_or(self, |pair| pair[usize::from(signed)])
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

/// Element type and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    /// The element type.
    pub dtype: Dtype,
    /// Whether elements are big-endian.
    pub big_endian: bool,
}

/// Decodes as many elements as `out` has places: every `step`th of those in `bytes`, from the first on.
pub(crate) type Decode<T> = fn(bytes: &[u8], step: usize, out: &mut [T]);

/// Work that fills a buffer, whatever the kind of its numbers.
pub(crate) trait Fill {
    /// Result of the work.
    type Out;

    /// Fills `out` with numbers that `decode` makes of bytes; `blank` goes where there is no data.
    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, blank: T) -> Self::Out;
}

/// The decoder of elements of `$size` bytes: `$from` makes a number of an element's little-endian bytes.
macro_rules! decoder {
    ($encoding:expr, $size:literal, $from:expr) => {
        if $encoding.big_endian {
            |bytes, step, out| {
                each(bytes, step, out, |mut element: [u8; $size]| {
                    element.reverse();
                    ($from)(element)
                })
            }
        } else {
            |bytes, step, out| each::<$size, _>(bytes, step, out, $from)
        }
    };
}

/// The same for elements that are the numbers themselves.
macro_rules! plain_decoder {
    ($encoding:expr, $size:literal, $from:expr) => {
        if $encoding.is_native() {
            |bytes, step, out| match step {
                1 => {
                    let len = size_of_val(out);
                    bytemuck::cast_slice_mut(out).copy_from_slice(&bytes[..len]);
                }
                _ => each::<$size, _>(bytes, step, out, $from),
            }
        } else {
            decoder!($encoding, $size, $from)
        }
    };
}

impl Encoding {
    /// Runs `work` on the numbers of `into`, which becomes a buffer of this type's kind if it is not one.
    pub(crate) fn fill<F: Fill>(self, into: &mut Buffer, work: F) -> F::Out {
        let own = self.dtype.buffer();
        if discriminant(into) != discriminant(&own) {
            *into = own;
        }
        match into {
            Buffer::F32 { bits, .. } => work.fill(bits, self.singles(), State::Absent.bits()),
            Buffer::F64(v) => work.fill(v, self.doubles(), f64::NAN),
            Buffer::I64(v) => work.fill(v, self.integers(), 0),
            Buffer::U64(v) => work.fill(v, self.naturals(), 0),
        }
    }

    /// Whether elements have the byte order of this machine.
    pub(crate) fn is_native(self) -> bool {
        self.big_endian == cfg!(target_endian = "big")
    }

    /// To the bits of f32.
    fn singles(self) -> Decode<u32> {
        match self.dtype {
            Dtype::Bool => |bytes, step, out| {
                each(bytes, step, out, |[b]: [u8; 1]| f32::from(u8::from(b != 0)).to_bits());
            },
            Dtype::I8 => {
                |bytes, step, out| each(bytes, step, out, |b| f32::from(i8::from_le_bytes(b)).to_bits())
            }
            Dtype::U8 => {
                |bytes, step, out| each(bytes, step, out, |b| f32::from(u8::from_le_bytes(b)).to_bits())
            }
            Dtype::I16 => decoder!(self, 2, |b| f32::from(i16::from_le_bytes(b)).to_bits()),
            Dtype::U16 => decoder!(self, 2, |b| f32::from(u16::from_le_bytes(b)).to_bits()),
            Dtype::F16 => decoder!(self, 2, |b| half::f16::from_le_bytes(b).to_f32().to_bits()),
            _ => plain_decoder!(self, 4, u32::from_le_bytes),
        }
    }

    /// To f64.
    fn doubles(self) -> Decode<f64> {
        plain_decoder!(self, 8, f64::from_le_bytes)
    }

    /// To i64.
    fn integers(self) -> Decode<i64> {
        match self.dtype {
            Dtype::I32 => decoder!(self, 4, |b| i64::from(i32::from_le_bytes(b))),
            Dtype::U32 => decoder!(self, 4, |b| i64::from(u32::from_le_bytes(b))),
            _ => plain_decoder!(self, 8, i64::from_le_bytes),
        }
    }

    /// To u64.
    fn naturals(self) -> Decode<u64> {
        plain_decoder!(self, 8, u64::from_le_bytes)
    }
}

/// Every `step`th element through `from`, which takes an element's bytes.
fn each<const N: usize, T>(bytes: &[u8], step: usize, out: &mut [T], from: impl Fn([u8; N]) -> T) {
    let number = |element: &[u8]| from(element.try_into().expect("the bytes of one element"));
    if step == 1 {
        out.iter_mut().zip(bytes.chunks_exact(N)).for_each(|(to, element)| *to = number(element));
    } else {
        out.iter_mut().zip(bytes.chunks(N * step.max(1))).for_each(|(to, chunk)| *to = number(&chunk[..N]));
    }
}

/// Steps from 1970-01-01 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeUnit {
    unit: Unit,
    /// Units in a step.
    count: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// This many of them are a second.
    PartsOfSecond(i64),
    /// Seconds that it has.
    Seconds(i64),
    Months,
    Years,
}

/// The text of a missing time.
const NOT_A_TIME: i64 = i64::MIN;
/// Months and years beyond this are not dates of any calendar.
const FARTHEST: i64 = 10_000_000;

impl TimeUnit {
    /// Reads the name of a type without its byte order: `M8[ns]`; `M8` alone has no unit, and no times.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("M8")?;
        if rest.is_empty() {
            return Some(Self { unit: Unit::Seconds(1), count: 1 });
        }
        let text = rest.strip_prefix('[')?.strip_suffix(']')?;
        let word = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &text[..text.len() - word.len()];
        let count = if digits.is_empty() { Some(1) } else { digits.parse().ok().filter(|n| *n > 0) };
        let unit = match word {
            "as" => Unit::PartsOfSecond(1_000_000_000_000_000_000),
            "fs" => Unit::PartsOfSecond(1_000_000_000_000_000),
            "ps" => Unit::PartsOfSecond(1_000_000_000_000),
            "ns" => Unit::PartsOfSecond(1_000_000_000),
            "us" | "μs" => Unit::PartsOfSecond(1_000_000),
            "ms" => Unit::PartsOfSecond(1_000),
            "s" => Unit::Seconds(1),
            "m" => Unit::Seconds(60),
            "h" => Unit::Seconds(3_600),
            "D" => Unit::Seconds(86_400),
            "W" => Unit::Seconds(604_800),
            "M" => Unit::Months,
            "Y" => Unit::Years,
            _ => return None,
        };
        Some(Self { unit, count: count? })
    }

    /// Seconds since 1970; NaN of `NaT`, and infinite beyond all calendars.
    pub(crate) fn seconds(self, steps: i64) -> f64 {
        if steps == NOT_A_TIME {
            return f64::NAN;
        }
        let of_date = |months: Option<i64>| match months {
            Some(months) if months.abs() <= FARTHEST => (days_of_months(months) * 86_400) as f64,
            _ => f64::INFINITY.copysign(steps as f64),
        };
        let units = steps.checked_mul(self.count);
        match self.unit {
            Unit::PartsOfSecond(parts) => match units {
                // The whole seconds are exact, whatever the fraction.
                Some(units) => units.div_euclid(parts) as f64 + units.rem_euclid(parts) as f64 / parts as f64,
                None => steps as f64 * (self.count as f64 / parts as f64),
            },
            Unit::Seconds(seconds) => steps as f64 * self.count as f64 * seconds as f64,
            Unit::Months => of_date(units),
            Unit::Years => of_date(units.and_then(|years| years.checked_mul(12))),
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

    struct Run<'a>(&'a [u8], usize, usize);

    impl Fill for Run<'_> {
        type Out = ();

        fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, blank: T) {
            *out = vec![blank; self.2];
            decode(self.0, self.1, out);
        }
    }

    fn decoded(dtype: Dtype, big_endian: bool, bytes: &[u8], step: usize, count: usize) -> Buffer {
        // A buffer of another kind is replaced.
        let mut out = Buffer::U64(vec![9]);
        Encoding { dtype, big_endian }.fill(&mut out, Run(bytes, step, count));
        out
    }

    fn singles(values: &[f32], integer: bool) -> Buffer {
        let bits = values.iter().map(|v| v.to_bits()).collect();
        Buffer::F32 { bits, integer }
    }

    #[test]
    fn every_type_is_read_in_either_order() {
        let half = half::f16::from_f32(-1.5);
        for (dtype, le, wanted) in [
            (Dtype::Bool, vec![2], singles(&[1.0], true)),
            (Dtype::I8, vec![0xfe], singles(&[-2.0], true)),
            (Dtype::U8, vec![0xfe], singles(&[254.0], true)),
            (Dtype::I16, (-300i16).to_le_bytes().to_vec(), singles(&[-300.0], true)),
            (Dtype::U16, 65_535u16.to_le_bytes().to_vec(), singles(&[65_535.0], true)),
            (Dtype::F16, half.to_le_bytes().to_vec(), singles(&[-1.5], false)),
            (Dtype::F32, 0.1f32.to_le_bytes().to_vec(), singles(&[0.1], false)),
            (Dtype::I32, i32::MIN.to_le_bytes().to_vec(), Buffer::I64(vec![i64::from(i32::MIN)])),
            (Dtype::U32, u32::MAX.to_le_bytes().to_vec(), Buffer::I64(vec![i64::from(u32::MAX)])),
            (Dtype::I64, i64::MIN.to_le_bytes().to_vec(), Buffer::I64(vec![i64::MIN])),
            (Dtype::U64, u64::MAX.to_le_bytes().to_vec(), Buffer::U64(vec![u64::MAX])),
            (Dtype::F64, 0.1f64.to_le_bytes().to_vec(), Buffer::F64(vec![0.1])),
        ] {
            assert_eq!(le.len(), dtype.size());
            assert_eq!(decoded(dtype, false, &le, 1, 1), wanted, "{dtype:?}");
            let be: Vec<u8> = le.iter().rev().copied().collect();
            assert_eq!(decoded(dtype, true, &be, 1, 1), wanted, "{dtype:?} big-endian");
        }
    }

    #[test]
    fn steps_leave_elements_out() {
        let le: Vec<u8> = (0..7).flat_map(|i| f64::from(i).to_le_bytes()).collect();
        let be: Vec<u8> = (0..7).flat_map(|i| f64::from(i).to_be_bytes()).collect();
        for (step, wanted) in [(1, vec![0.0, 1.0, 2.0]), (2, vec![0.0, 2.0, 4.0]), (3, vec![0.0, 3.0, 6.0])] {
            let wanted = Buffer::F64(wanted);
            assert_eq!(decoded(Dtype::F64, false, &le, step, 3), wanted);
            assert_eq!(decoded(Dtype::F64, true, &be, step, 3), wanted);
        }
    }

    #[test]
    fn times_of_every_unit_are_seconds() {
        let of = |name: &str, steps: i64| TimeUnit::parse(name).unwrap().seconds(steps);
        for (name, steps) in [
            ("M8[ns]", 951_868_800_000_000_000),
            ("M8[us]", 951_868_800_000_000),
            ("M8[ms]", 951_868_800_000),
            ("M8[s]", 951_868_800),
            ("M8[m]", 15_864_480),
            ("M8[h]", 264_408),
            ("M8[D]", 11_017),
            ("M8[M]", 362),
            ("M8[10ms]", 95_186_880_000),
            ("M8[2D]", 5_508),
        ] {
            let wanted = if name == "M8[2D]" { 951_782_400.0 } else { 951_868_800.0 };
            assert_eq!(of(name, steps), wanted, "{name}");
        }
        assert_eq!((of("M8[Y]", -1), of("M8[Y]", 30)), (-31_536_000.0, 946_684_800.0));
        assert_eq!((of("M8[W]", 1), of("M8[ns]", -1)), (604_800.0, -1.0 + 0.999_999_999));
        assert!(of("M8[ns]", i64::MIN).is_nan() && of("M8", i64::MIN).is_nan());
        for name in ["M8[Y]", "M8[M]", "M8[W]", "M8[as]", "M8[9223372036854775807s]"] {
            for steps in [i64::MAX, i64::MIN + 1] {
                assert!(!of(name, steps).is_nan(), "{name}");
            }
        }
        for bad in ["M8[]", "M8[0s]", "M8[x]", "M8[99999999999999999999s]", "m8[s]", "M8[s"] {
            assert_eq!(TimeUnit::parse(bad), None, "{bad}");
        }
    }
}
