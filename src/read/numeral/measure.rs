//! Units beside numbers, as `18.99 ns` and `3.1 KB`: those of one dimension are converted to the first of a column.

/// A unit: its sign, its dimension, and how many of the dimension's smallest it is: a whole number, so that ratios are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    pub sign: &'static str,
    dimension: Dimension,
    factor: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Time,
    Bytes,
    Frequency,
    Length,
    Mass,
    Rate,
    /// Time of one operation.
    Each,
    /// Bytes of a second.
    Flow,
}

const fn unit(sign: &'static str, dimension: Dimension, factor: f64) -> Measure {
    Measure { sign, dimension, factor }
}

/// Units that are read; KB and its kin are those of 1024, as benchmarks write them.
const MEASURES: &[Measure] = &[
    unit("ns", Dimension::Time, 1.0),
    unit("us", Dimension::Time, 1e3),
    unit("µs", Dimension::Time, 1e3),
    unit("μs", Dimension::Time, 1e3),
    unit("ms", Dimension::Time, 1e6),
    unit("s", Dimension::Time, 1e9),
    unit("sec", Dimension::Time, 1e9),
    unit("min", Dimension::Time, 6e10),
    unit("h", Dimension::Time, 3.6e12),
    unit("B", Dimension::Bytes, 1.0),
    unit("bytes", Dimension::Bytes, 1.0),
    unit("KB", Dimension::Bytes, 1_024.0),
    unit("kB", Dimension::Bytes, 1_024.0),
    unit("MB", Dimension::Bytes, 1_048_576.0),
    unit("GB", Dimension::Bytes, 1_073_741_824.0),
    unit("TB", Dimension::Bytes, 1_099_511_627_776.0),
    unit("KiB", Dimension::Bytes, 1_024.0),
    unit("MiB", Dimension::Bytes, 1_048_576.0),
    unit("GiB", Dimension::Bytes, 1_073_741_824.0),
    unit("TiB", Dimension::Bytes, 1_099_511_627_776.0),
    unit("Hz", Dimension::Frequency, 1.0),
    unit("kHz", Dimension::Frequency, 1e3),
    unit("MHz", Dimension::Frequency, 1e6),
    unit("GHz", Dimension::Frequency, 1e9),
    unit("nm", Dimension::Length, 1.0),
    unit("µm", Dimension::Length, 1e3),
    unit("mm", Dimension::Length, 1e6),
    unit("cm", Dimension::Length, 1e7),
    unit("m", Dimension::Length, 1e9),
    unit("km", Dimension::Length, 1e12),
    unit("mg", Dimension::Mass, 1.0),
    unit("g", Dimension::Mass, 1e3),
    unit("kg", Dimension::Mass, 1e6),
    unit("ns/op", Dimension::Each, 1.0),
    unit("us/op", Dimension::Each, 1e3),
    unit("µs/op", Dimension::Each, 1e3),
    unit("ms/op", Dimension::Each, 1e6),
    unit("s/op", Dimension::Each, 1e9),
    unit("B/op", Dimension::Bytes, 1.0),
    unit("B/s", Dimension::Flow, 1.0),
    unit("KB/s", Dimension::Flow, 1_024.0),
    unit("MB/s", Dimension::Flow, 1_048_576.0),
    unit("GB/s", Dimension::Flow, 1_073_741_824.0),
    unit("tok/s", Dimension::Rate, 1.0),
    unit("op/s", Dimension::Rate, 1.0),
    unit("ops/s", Dimension::Rate, 1.0),
    unit("it/s", Dimension::Rate, 1.0),
];

impl Measure {
    /// The number before a unit, and the unit; one of a letter stands behind a blank.
    pub(super) fn cut(text: &str) -> Option<(&str, &'static Self)> {
        let last = text.rfind(|c: char| c.is_ascii_digit() || c == '.')?;
        let (number, sign) = text.split_at(last + 1);
        let apart = sign.starts_with([' ', '\u{a0}', '\u{202f}']);
        let sign = sign.trim();
        let measure = MEASURES.iter().find(|m| m.sign == sign)?;
        (apart || sign.chars().count() > 1).then_some((number, measure))
    }

    /// Whether numbers of both are of one dimension.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.dimension == other.dimension
    }

    /// A number with another unit of the dimension in this one: what it is in decimal digits stays so.
    pub(super) fn convert(&self, number: f64, other: &Self) -> f64 {
        if other.factor >= self.factor {
            number * (other.factor / self.factor)
        } else {
            number / (self.factor / other.factor)
        }
    }
}

/// A unit beside numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    /// `%`, `×`, or the sign of a currency.
    Sign(char),
    Measure(&'static Measure),
}

impl Eq for Unit {}

impl Unit {
    /// Whether numbers with either are of one column.
    pub(crate) fn is_alike(self, other: Self) -> bool {
        match (self, other) {
            (Unit::Sign(a), Unit::Sign(b)) => a == b,
            (Unit::Measure(a), Unit::Measure(b)) => a.is_alike(b),
            _ => false,
        }
    }
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unit::Sign(c) => std::fmt::Write::write_char(f, *c),
            Unit::Measure(measure) => f.write_str(measure.sign),
        }
    }
}
