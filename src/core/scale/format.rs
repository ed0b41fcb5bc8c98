//! Numbers as text: the format words of Python and D3, and an automatic choice that is the same in all cells.

use super::decimal::{fixed, in_units};
use crate::grid::Number;
use affix::Affixes;

/// A number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    kind: Kind,
    precision: usize,
    sign: bool,
    thousands: bool,
    /// Zeros at the end of the decimals are left out.
    trims: bool,
    /// Texts around the number.
    affixes: Affixes,
    /// Numbers are written in units of this power of ten; only chosen automatically.
    power: i32,
    /// Whether it was chosen automatically.
    automatic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `f`: fixed decimals.
    Fixed,
    /// `e`: one digit, decimals, exponent.
    Exponent,
    /// `g`: significant digits, whichever of the two is shorter.
    General,
    /// `%`: times 100, fixed decimals, a per cent sign.
    Percent,
    /// `%` for values that are percentages: fixed decimals, a per cent sign.
    Points,
    /// `d`: whole numbers.
    Whole,
    /// `s`: significant digits and a prefix of the SI.
    Prefixed,
    /// Fixed decimals, and none from a million on; only chosen automatically.
    Fitted,
    /// Whole numbers, with decimals and an exponent from a million on; only chosen automatically.
    Large,
    /// Significant digits with the zeros at their end, an exponent for large and small numbers; only chosen automatically.
    Digits,
}

/// Automatic formats write numbers from here on without decimals, or with an exponent.
const GIANT: f64 = 1e6;
/// Whole numbers beside others are written out below this.
const LONGEST_WHOLE: f64 = 1e9;

mod affix;
mod auto;
mod points;
mod spelling;

use points::percent;

impl NumberFormat {
    const fn plain(kind: Kind, precision: usize) -> Self {
        Self {
            kind,
            precision,
            sign: false,
            thousands: false,
            trims: false,
            affixes: Affixes::NONE,
            power: 0,
            automatic: false,
        }
    }

    /// The power of ten that its numbers are multiples of: `2.5` is `2.5e6` where it is 6.
    pub fn power(&self) -> i32 {
        self.power
    }

    /// Decimals or significant digits.
    pub fn digits(&self) -> usize {
        self.precision
    }

    /// Whether it was chosen automatically.
    pub fn is_automatic(&self) -> bool {
        self.automatic
    }

    /// Whether it has text around its numbers, other than `$` before them.
    pub fn has_text(&self) -> bool {
        !(self.affixes.behind().is_empty() && ["", "$"].contains(&self.affixes.before()))
    }

    /// Whether it sets thousands apart.
    pub fn groups(&self) -> bool {
        self.thousands
    }

    /// Whether it says what numbers are, or how large, so that all of a figure are written so: per cent, a currency, thousands.
    pub fn says_what(&self) -> bool {
        let kinds = [Kind::Percent, Kind::Points, Kind::Prefixed];
        !self.automatic && (self.thousands || self.affixes != Affixes::NONE || kinds.contains(&self.kind))
    }

    /// The same with as many digits as all of these ticks need.
    #[must_use]
    pub fn of_ticks(self, ticks: impl Iterator<Item = f64>) -> Self {
        const MOST: usize = 12;
        let factor = if self.kind == Kind::Percent { 100.0 } else { 1.0 };
        let decimals = |v: f64| {
            let text = trimmed(format!("{:.MOST$}", v * factor));
            text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
        };
        match self.kind {
            Kind::Prefixed => Self { precision: self.precision.max(6), trims: true, ..self },
            Kind::Fixed | Kind::Whole | Kind::Percent | Kind::Points => {
                let kind = if self.kind == Kind::Whole { Kind::Fixed } else { self.kind };
                Self { kind, precision: ticks.map(decimals).max().unwrap_or(0), sign: false, ..self }
            }
            _ => self,
        }
    }

    /// The text of a number; `-0` is `0`.
    pub fn format(&self, v: Number) -> String {
        let v = in_units(v, self.power);
        let f = v.as_f64();
        if f.is_nan() {
            return "nan".to_owned();
        }
        if f.is_infinite() {
            return if f > 0.0 { if self.sign { "+inf" } else { "inf" } } else { "-inf" }.to_owned();
        }
        if f == 0.0 && self.automatic && self.kind == Kind::Exponent {
            return "0".to_owned();
        }
        let text = match self.kind {
            Kind::Fixed => fixed(v, self.precision),
            Kind::Percent => percent(v, self.precision),
            Kind::Points => format!("{}%", fixed(v, self.precision)),
            Kind::Exponent => exponent(v, self.precision),
            Kind::General => general(v, self.precision.max(1)),
            Kind::Whole => fixed(v, 0),
            Kind::Prefixed => return self.prefixed(v),
            Kind::Fitted if f.abs() < GIANT => fixed(v, self.precision),
            Kind::Fitted if f.fract() == 0.0 && f.abs() < LONGEST_WHOLE => fixed(v, 0),
            Kind::Fitted => exponent(v, 2),
            Kind::Large if f.abs() < GIANT => fixed(v, 0),
            Kind::Large => exponent(v, self.precision),
            Kind::Digits => significant(v, self.precision.max(1)),
        };
        self.signed(text)
    }

    /// The number in thousands, millions, thousandths … with the prefix of the SI that says so.
    fn prefixed(&self, v: Number) -> String {
        const PREFIXES: [&str; 17] =
            ["y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"];
        let text = scientific(v, self.precision.max(1) - 1);
        let (mantissa, order) = text.split_once('e').unwrap_or((&text, "0"));
        let order: i32 = order.parse().unwrap_or(0);
        let steps = order.div_euclid(3).clamp(-8, 8);
        let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
        let digits = mantissa.replace('.', "");
        // Digits before the point.
        let whole = order - 3 * steps + 1;
        let number = match usize::try_from(whole) {
            Ok(0) | Err(_) => format!("0.{}{digits}", "0".repeat(whole.unsigned_abs() as usize)),
            Ok(n) if n >= digits.len() => digits.clone() + &"0".repeat(n - digits.len()),
            Ok(n) => format!("{}.{}", &digits[..n], &digits[n..]),
        };
        self.with_unit(format!("{sign}{number}"), PREFIXES[(steps + 8) as usize])
    }

    fn signed(&self, text: String) -> String {
        self.with_unit(text, "")
    }

    /// A number of digits with sign, thousands and affixes; the unit stands behind the digits.
    fn with_unit(&self, text: String, unit: &str) -> String {
        let text = if self.trims { trimmed(text) } else { text };
        let zero = text.bytes().all(|b| !b.is_ascii_digit() || b == b'0');
        let (minus, digits) = match text.strip_prefix('-') {
            Some(d) => (!zero, d.to_owned()),
            None => (false, text),
        };
        let digits = if self.thousands { grouped(&digits) } else { digits };
        let sign = match (minus, self.sign) {
            (true, _) => "-",
            (false, true) if zero && self.automatic => "",
            (false, true) => "+",
            (false, false) => "",
        };
        self.affixes.around(sign, digits + unit)
    }
}

/// The same without zeros at the end of the decimals, before an exponent or a per cent sign, too.
fn trimmed(text: String) -> String {
    let end = text.find(['e', '%']).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned() + rest,
        false => text,
    }
}

/// Significant digits, zeros at the end among them; whole digits are never cut below a million.
fn significant(v: Number, digits: usize) -> String {
    let e = order(v, digits);
    if v.as_f64() == 0.0 || (-4..6).contains(&e) {
        return fixed(v, (digits as i32 - 1 - e).max(0) as usize);
    }
    exponent(v, digits - 1)
}

/// The exponent of a number that is rounded to these digits.
fn order(v: Number, digits: usize) -> i32 {
    let text = scientific(v, digits - 1);
    text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0)
}

/// One digit, `precision` decimals and the exponent as `e-7`.
fn scientific(v: Number, precision: usize) -> String {
    let whole = match v {
        Number::F64(f) => return format!("{f:.precision$e}"),
        Number::I64(n) => i128::from(n),
        Number::U64(n) => i128::from(n),
    };
    let digits = whole.unsigned_abs().checked_ilog10().map_or(1, |e| e as usize + 1);
    let unit = 10i128.pow(digits.saturating_sub(precision + 1) as u32);
    let (cut, rest) = (whole / unit, (whole % unit).abs());
    // Half way goes to the even digit, as floats do.
    let up = 2 * rest > unit || (2 * rest == unit && cut % 2 != 0);
    format!("{:.precision$e}", (cut + if up { whole.signum() } else { 0 }) * unit)
}

fn exponent(v: Number, precision: usize) -> String {
    let t = scientific(v, precision);
    let (mantissa, e) = t.split_once('e').unwrap_or((&t, "0"));
    let (sign, e) = e.strip_prefix('-').map_or(('+', e), |e| ('-', e));
    format!("{mantissa}e{sign}{e:0>2}")
}

/// Python's `g`: the exponent decides after rounding, trailing zeros go.
fn general(v: Number, precision: usize) -> String {
    if v.as_f64() == 0.0 {
        return "0".to_owned();
    }
    let e = order(v, precision);
    if e < -4 || e >= precision as i32 {
        return trimmed(exponent(v, precision - 1));
    }
    trimmed(fixed(v, (precision as i32 - 1 - e).max(0) as usize))
}

/// Digits with their thousands set apart: `4,096.5`.
pub fn grouped(text: &str) -> String {
    let cut = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = text.split_at(cut);
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(spec: &str, v: f64) -> String {
        spec.parse::<NumberFormat>().unwrap().format(Number::F64(v))
    }

    #[test]
    fn formats_are_pythons() {
        assert_eq!(f(".1f", 41.25), "41.2");
        assert_eq!(f(".1f", -0.01), "0.0");
        assert_eq!(
            [f(".3g", 1234.5), f(".3g", 0.00001234), f(".3g", 100.0), f("g", 1e-7)],
            ["1.23e+03", "1.23e-05", "100", "1e-07"]
        );
        assert_eq!(
            [f(".2e", 12345.0), f(".1%", 0.1234), f("+.1f", 2.0), f(",.0f", 1234567.0)],
            ["1.23e+04", "12.3%", "+2.0", "1,234,567"]
        );
        assert_eq!("d".parse::<NumberFormat>().unwrap().format(Number::U64(u64::MAX)), u64::MAX.to_string());
        for bad in ["", "x", ".f", ".1", ".99f", "5.1f"] {
            assert!(bad.parse::<NumberFormat>().is_err(), "{bad}");
        }
    }

    #[test]
    fn integers_beyond_f64_and_huge_floats_lose_no_digit() {
        let of = |spec: &str, v: Number| spec.parse::<NumberFormat>().unwrap().format(v);
        let (odd, tie) = (Number::U64(u64::MAX), Number::I64(-1_000_005_000_000_000_001));
        assert_eq!(
            [of(".1f", odd), of(",.0f", odd)],
            ["18446744073709551615.0", "18,446,744,073,709,551,615"]
        );
        assert_eq!(
            [of(".5e", tie), of(".6g", tie), of(".25g", tie)],
            ["-1.00001e+18", "-1.00001e+18", "-1000005000000000001"]
        );
        assert_eq!(
            [of(".0e", Number::I64(251)), of(".1e", Number::I64(-250)), of(".2e", Number::I64(0))],
            ["3e+02", "-2.5e+02", "0.00e+00"]
        );
        assert_eq!(
            [of(".19e", odd), of(".0e", Number::I64(950))],
            ["1.8446744073709551615e+19", "1e+03"].map(str::to_owned)
        );
        assert_eq!(
            [f(".1%", 0.1234), f(".0%", 0.005), f("%", -0.25), f(".1%", 12.0)],
            ["12.3%", "0%", "-25.000000%", "1200.0%"]
        );
        assert!(f(".1%", 1.7e308).starts_with("16999999999999999") && f(".1%", 1.7e308).ends_with("00.0%"));
        assert_eq!(
            [of(".1%", Number::I64(3)), of(".0%", Number::I64(0)), f(".0%", -0.001)],
            ["300.0%", "0%", "0%"]
        );
    }
}
