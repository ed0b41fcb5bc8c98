//! The source's numbers in their own type.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The numbers beside stored bits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers<'a> {
    /// The stored f32 are the numbers.
    F32 {
        integer: bool,
    },
    F64(&'a [f64]),
    I64(&'a [i64]),
    U64(&'a [u64]),
}

impl Numbers<'_> {
    /// Those from a place on.
    pub(super) fn from(self, at: usize) -> Self {
        match self {
            Numbers::F32 { .. } => self,
            Numbers::F64(v) => Numbers::F64(&v[at..]),
            Numbers::I64(v) => Numbers::I64(&v[at..]),
            Numbers::U64(v) => Numbers::U64(&v[at..]),
        }
    }
}

/// One number as its source holds it. [`Number::compare`] orders numbers by value; `==` is true only for the same variant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Number {
    /// A float.
    F64(f64),
    /// A signed integer.
    I64(i64),
    /// An unsigned integer beyond i64.
    U64(u64),
}

impl Number {
    /// Compares two numbers by value, exactly, whatever their variants; `None` when either is NaN.
    pub fn compare(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::F64(a), Number::F64(b)) => a.partial_cmp(&b),
            (Number::I64(a), Number::I64(b)) => Some(a.cmp(&b)),
            (Number::U64(a), Number::U64(b)) => Some(a.cmp(&b)),
            (Number::I64(a), Number::U64(b)) => Some(i128::from(a).cmp(&i128::from(b))),
            (Number::U64(a), Number::I64(b)) => Some(i128::from(a).cmp(&i128::from(b))),
            (Number::F64(a), Number::I64(b)) => compare_whole(a, b.into()),
            (Number::F64(a), Number::U64(b)) => compare_whole(a, b.into()),
            (Number::I64(a), Number::F64(b)) => compare_whole(b, a.into()).map(Ordering::reverse),
            (Number::U64(a), Number::F64(b)) => compare_whole(b, a.into()).map(Ordering::reverse),
        }
    }

    /// Whether this number is less than another one; NaN is not.
    pub fn is_below(self, other: Number) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// The number, where it is of an integer type.
    pub fn whole(self) -> Option<i128> {
        match self {
            Number::F64(_) => None,
            Number::I64(v) => Some(v.into()),
            Number::U64(v) => Some(v.into()),
        }
    }

    /// An integer in the first type that holds it: i64, u64, else the nearest f64.
    pub fn of_whole(v: i128) -> Self {
        let signed = i64::try_from(v).map(Number::I64);
        signed.or_else(|_| u64::try_from(v).map(Number::U64)).unwrap_or(Number::F64(v as f64))
    }

    /// The nearest f64.
    #[inline]
    pub fn as_f64(self) -> f64 {
        match self {
            Number::F64(v) => v,
            Number::I64(v) => v as f64,
            Number::U64(v) => v as f64,
        }
    }
}

/// Compares a float with a whole number of at most 64 bits and a sign; neither is rounded.
fn compare_whole(float: f64, whole: i128) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // The conversion drops the fraction, and saturates beyond i128, far from any whole number here.
    let by_whole_part = (float as i128).cmp(&whole);
    if by_whole_part.is_eq() { float.fract().partial_cmp(&0.0) } else { Some(by_whole_part) }
}

impl std::fmt::Display for Number {
    /// The shortest text that reads back the same; `-0` prints as `0`, infinities as `inf` and `-inf`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::F64(v) if *v == 0.0 => f.write_str("0"),
            Number::F64(v) => {
                let a = v.abs();
                if a.is_finite() && !(1e-5..1e16).contains(&a) {
                    write!(f, "{v:e}")
                } else {
                    write!(f, "{v}")
                }
            }
            Number::I64(v) => write!(f, "{v}"),
            Number::U64(v) => write!(f, "{v}"),
        }
    }
}

/// All numbers of a grid, row after row, in a type that holds the source's values exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// From f32, f16 and integers of up to 16 bits when `integer` is false or true.
    F32 {
        /// The numbers.
        data: Vec<f32>,
        /// Whether the source held integers.
        integer: bool,
    },
    /// From f64.
    F64(Vec<f64>),
    /// From integers that fit.
    I64(Vec<i64>),
    /// From u64.
    U64(Vec<u64>),
}

impl Values {
    /// The type of the numbers.
    pub fn kind(&self) -> Kind {
        match self {
            Values::F32 { .. } => Kind::F32,
            Values::F64(_) => Kind::F64,
            Values::I64(_) => Kind::I64,
            Values::U64(_) => Kind::U64,
        }
    }

    /// Numbers of a kind, which hold 0 where there is none; a number of another kind is converted.
    pub fn of(kind: Kind, numbers: impl Iterator<Item = Option<Number>>) -> Values {
        let float = |v: Option<Number>| v.map_or(0.0, Number::as_f64);
        match kind {
            Kind::F32 => Values::F32 { data: numbers.map(|v| float(v) as f32).collect(), integer: false },
            Kind::F64 => Values::F64(numbers.map(float).collect()),
            Kind::I64 => Values::I64(
                numbers.map(|v| if let Some(Number::I64(v)) = v { v } else { float(v) as i64 }).collect(),
            ),
            Kind::U64 => Values::U64(
                numbers.map(|v| if let Some(Number::U64(v)) = v { v } else { float(v) as u64 }).collect(),
            ),
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Values::F32 { data, .. } => data.len(),
            Values::F64(v) => v.len(),
            Values::I64(v) => v.len(),
            Values::U64(v) => v.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the number at a place marks a masked cell, compared in the source's own type.
    pub fn is_nodata(&self, i: usize, nodata: f64) -> bool {
        match self {
            Values::F32 { data, .. } => data[i] == nodata as f32,
            _ => is_nodata(self.get(i), nodata),
        }
    }

    /// The number at a place.
    pub fn get(&self, i: usize) -> Number {
        match self {
            Values::F32 { data, integer: true } => Number::I64(data[i] as i64),
            Values::F32 { data, .. } => Number::F64(f64::from(data[i])),
            Values::F64(v) => Number::F64(v[i]),
            Values::I64(v) => Number::I64(v[i]),
            Values::U64(v) => Number::U64(v[i]),
        }
    }

    /// The numbers beside stored bits.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        match self {
            Values::F32 { integer, .. } => Numbers::F32 { integer: *integer },
            Values::F64(v) => Numbers::F64(v),
            Values::I64(v) => Numbers::I64(v),
            Values::U64(v) => Numbers::U64(v),
        }
    }

    /// The numbers at these places, in this order.
    ///
    /// # Panics
    /// When a place is beyond the end.
    pub fn gathered(&self, order: &[usize]) -> Values {
        match self {
            Values::F32 { data, integer } => {
                Values::F32 { data: order.iter().map(|&i| data[i]).collect(), integer: *integer }
            }
            Values::F64(v) => Values::F64(order.iter().map(|&i| v[i]).collect()),
            Values::I64(v) => Values::I64(order.iter().map(|&i| v[i]).collect()),
            Values::U64(v) => Values::U64(order.iter().map(|&i| v[i]).collect()),
        }
    }
}

/// The type that holds the numbers of a grid exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// f32, which back ends take as they are: f32, f16, and integers of up to 16 bits.
    F32,
    /// f64.
    F64,
    /// Integers that fit i64.
    I64,
    /// Integers that fit u64.
    U64,
}

impl Kind {
    /// Whether f32 does not hold the numbers.
    pub fn is_wide(self) -> bool {
        self != Kind::F32
    }
}

/// Whether a value is the number that marks a masked cell, compared in the source's own type.
pub(super) fn is_nodata(v: Number, nodata: f64) -> bool {
    match v {
        Number::F64(v) => v == nodata,
        Number::I64(v) => nodata.fract() == 0.0 && i128::from(v) == nodata as i128,
        Number::U64(v) => nodata.fract() == 0.0 && i128::from(v) == nodata as i128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_their_source_meant() {
        let text = [0.1, -0.0, 1e300, 1e-7, 82544000000000707.52, 3.0].map(|v| Number::F64(v).to_string());
        assert_eq!(text, ["0.1", "0", "1e300", "1e-7", "8.25440000000007e16", "3"]);
        assert_eq!(Number::U64(u64::MAX).to_string(), "18446744073709551615");
    }
}
