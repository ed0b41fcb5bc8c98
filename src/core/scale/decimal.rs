//! Decimal numbers as labels write them, exact where f64 would round; numbers with as many digits as are requested.

use crate::grid::Number;

/// `mantissa * 10^exponent`; the mantissa has no zero at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    mantissa: i128,
    exponent: i32,
}

/// 10 to the power of `e`; `None` beyond i128.
fn ten(e: u32) -> Option<i128> {
    10i128.checked_pow(e)
}

impl Decimal {
    /// `mantissa * 10^exponent`.
    pub(super) fn new(mantissa: i128, exponent: i32) -> Self {
        let (mut mantissa, mut exponent) = (mantissa, if mantissa == 0 { 0 } else { exponent });
        while mantissa != 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            exponent += 1;
        }
        Self { mantissa, exponent }
    }

    /// Reads `-12.50`, `1e6`, `2.5e-7`; `None` for anything else, and for more digits than i128 holds.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (number, exponent) = match text.split_once('e') {
            Some((number, e)) => (number, e.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let mantissa = format!("{whole}{fraction}").parse().ok().filter(|m| *m > i128::MIN)?;
        Some(Self::new(mantissa, exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?))
    }

    /// The shortest number that reads back as `v`; `None` for infinities and NaN.
    pub(super) fn shortest(v: f64) -> Option<Self> {
        Self::parse(&format!("{v:e}"))
    }

    /// The shortest number that reads back as a float, or the very integer; `None` for infinities and NaN.
    pub(super) fn of(v: Number) -> Option<Self> {
        match v {
            Number::F64(v) => Self::shortest(v),
            Number::I64(v) => Some(Self::new(i128::from(v), 0)),
            Number::U64(v) => Some(Self::new(i128::from(v), 0)),
        }
    }

    /// The nearest f64.
    pub(super) fn value(self) -> f64 {
        // Reading text rounds once; a product of floats would round twice.
        format!("{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// Whether it is the shortest text of a float, so that the float and the text equal each other.
    pub(super) fn is_shortest(self) -> bool {
        Self::shortest(self.value()) == Some(self)
    }

    /// The mantissa and the exponent.
    pub(super) fn parts(self) -> (i128, i32) {
        (self.mantissa, self.exponent)
    }

    /// The exponent of its first digit; 0 for 0.
    pub(super) fn order(self) -> i32 {
        self.exponent + self.mantissa.unsigned_abs().checked_ilog10().map_or(0, |e| e as i32)
    }

    /// Whether it is 0.
    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// Significant digits; 1 of 0.
    pub(super) fn digits(self) -> i32 {
        self.order() - self.exponent + 1
    }

    /// The nearest multiple of `10^unit`, half way away from 0.
    pub(super) fn rounded(self, unit: i32) -> Self {
        if self.exponent >= unit {
            return self;
        }
        let Some(step) = ten(self.exponent.abs_diff(unit)) else {
            return Self::new(0, 0);
        };
        let (cut, rest) = (self.mantissa / step, (self.mantissa % step).abs());
        let up = if rest >= step - rest { self.mantissa.signum() } else { 0 };
        Self::new(cut + up, unit)
    }

    /// The sum; `None` where the exponents lie too far apart for i128.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        if self.mantissa == 0 || other.mantissa == 0 {
            return Some(if self.mantissa == 0 { other } else { self });
        }
        let exponent = self.exponent.min(other.exponent);
        let at = |d: Self| d.mantissa.checked_mul(ten(d.exponent.abs_diff(exponent))?);
        Some(Self::new(at(self)?.checked_add(at(other)?)?, exponent))
    }

    /// The difference, as [`Decimal::plus`].
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { mantissa: -other.mantissa, ..other })
    }

    /// Whether it is less than `other`.
    pub(super) fn is_below(self, other: Self) -> bool {
        other.minus(self).map_or_else(|| self.value() < other.value(), |d| d.mantissa > 0)
    }

    /// The product with an integer; `None` beyond i128.
    pub(super) fn times(self, n: i128) -> Option<Self> {
        Some(Self::new(self.mantissa.checked_mul(n)?, self.exponent))
    }

    /// The product with a power of ten.
    pub(super) fn shifted(self, power: i32) -> Self {
        Self::new(self.mantissa, self.exponent.saturating_add(power))
    }

    /// The whole multiples of `step`, which is above 0, that fit under it; `None` beyond i128.
    pub(super) fn steps_below(self, step: Self) -> Option<i128> {
        if self.mantissa == 0 {
            return Some(0);
        }
        let apart = self.exponent.abs_diff(step.exponent);
        if self.exponent >= step.exponent {
            return Some(self.mantissa.checked_mul(ten(apart)?)?.div_euclid(step.mantissa));
        }
        // A step beyond i128 is longer than any mantissa.
        let step = ten(apart).and_then(|t| step.mantissa.checked_mul(t)).unwrap_or(i128::MAX);
        Some(self.mantissa.div_euclid(step))
    }

    /// The least multiple of `step`, which is above 0, that is not below it, in steps; `None` beyond i128.
    pub(super) fn steps_above(self, step: Self) -> Option<i128> {
        Self { mantissa: -self.mantissa, ..self }.steps_below(step).map(|n| -n)
    }

    /// All digits, and at least this many behind the point.
    pub(super) fn fixed(self, decimals: usize) -> String {
        let behind = self.exponent.min(0).unsigned_abs() as usize;
        let digits = format!("{:0>width$}", self.mantissa.unsigned_abs(), width = behind + 1);
        let digits = digits + &"0".repeat(self.exponent.max(0) as usize);
        let (whole, fraction) = digits.split_at(digits.len() - behind);
        let sign = if self.mantissa < 0 { "-" } else { "" };
        if fraction.is_empty() && decimals == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{fraction:0<decimals$}")
    }

    /// One digit before the point, an exponent: `1.25e6`; `0` for 0.
    pub(super) fn scientific(self) -> String {
        let digits = self.mantissa.unsigned_abs().to_string();
        let (first, rest) = digits.split_at(1);
        let sign = if self.mantissa < 0 { "-" } else { "" };
        match (self.mantissa, rest) {
            (0, _) => "0".to_owned(),
            (_, "") => format!("{sign}{first}e{}", self.order()),
            _ => format!("{sign}{first}.{rest}e{}", self.order()),
        }
    }

    /// As [`Decimal::scientific`], with at least this many decimals: `1.00e-4`.
    pub(super) fn scientific_with(self, decimals: usize) -> String {
        let text = self.scientific();
        let Some((number, e)) = text.split_once('e').filter(|_| decimals > 0) else {
            return text;
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        format!("{whole}.{fraction:0<decimals$}e{e}")
    }

    /// As numbers are written elsewhere: plain, with an exponent below 1e-5 and from 1e16 on.
    pub(super) fn text(self) -> String {
        if (-5..16).contains(&self.order()) { self.fixed(0) } else { self.scientific() }
    }

    /// The shorter one of plain and scientific, plain where they are equally long.
    pub(super) fn brief(self) -> String {
        let scientific = self.scientific();
        let plain = if self.order().abs() < 40 {
            self.fixed(0)
        } else {
            return scientific;
        };
        if plain.len() <= scientific.len() { plain } else { scientific }
    }
}

/// `v` to `digits` significant digits, and whether that is `v` itself; `None` for infinities and NaN.
fn rounded(v: f64, digits: usize) -> Option<(Decimal, bool)> {
    let text = format!("{v:.*e}", digits.clamp(1, 17) - 1);
    // A text that reads back as the value is the value: its shortest one says the same.
    if text.parse::<f64>() == Ok(v) {
        Decimal::shortest(v).map(|d| (d, true))
    } else {
        Decimal::parse(&text).map(|d| (d, false))
    }
}

/// Whether a number of so many significant digits has no zero in place of one that was left out: those of 50 are its own, if two
/// were asked for.
fn writes_out(d: Decimal, digits: usize) -> bool {
    d.parts().1 <= 0 || d.order() < digits as i32
}

/// A number in units of a power of ten.
pub(super) fn in_units(v: Number, power: i32) -> Number {
    if power == 0 {
        return v;
    }
    Decimal::of(v).map_or(v, |d| Number::F64(d.shifted(-power).value()))
}

/// At most `digits` significant digits: `49.3`, `1820`, `1.2e-7`. No zero takes the place of a digit that was left out:
/// 12345678 to six digits is `1.23457e7`.
pub(super) fn significant(v: f64, digits: usize) -> String {
    match rounded(v, digits) {
        None => Number::F64(v).to_string(),
        Some((d, exact)) if exact || writes_out(d, digits) => d.text(),
        Some((d, _)) => d.scientific(),
    }
}

/// As [`significant`], with an exponent wherever that is shorter.
pub(super) fn brief(v: f64, digits: usize) -> String {
    match rounded(v, digits) {
        None => Number::F64(v).to_string(),
        Some((d, exact)) if exact || writes_out(d, digits) => d.brief(),
        Some((d, _)) => d.scientific(),
    }
}

/// At most six significant digits, for messages and notes: `0.3`, `1820`, `1.2e-7`.
pub fn short(v: f64) -> String {
    significant(v, 6)
}

/// Texts of at least six significant digits, and of as many more as neighbours need to read differently.
pub fn apart(values: &[f64]) -> Vec<String> {
    let texts = |digits: usize| values.iter().map(|v| significant(*v, digits)).collect::<Vec<_>>();
    let differ =
        |t: &Vec<String>| t.windows(2).zip(values.windows(2)).all(|(t, v)| t[0] != t[1] || v[0] == v[1]);
    (6..17).map(texts).find(differ).unwrap_or_else(|| texts(17))
}

/// Two limits for messages, as `9.604e-5 to 0.9998`: the digits that tell them apart to a thousandth of their distance, at least
/// four.
pub fn span(low: f64, high: f64) -> String {
    let apart = low.abs().max(high.abs()) / (high - low).abs();
    let digits =
        if apart.is_finite() { (4.0 + apart.log10().floor().max(0.0)).min(17.0) as usize } else { 6 };
    // Few leading zeros are read at a glance.
    let text = |v: f64| match v.abs() < 1e-3 {
        true => brief(v, digits),
        false => significant(v, digits),
    };
    format!("{} to {}", text(low), text(high))
}

/// Fixed decimals; an integer has all of its own digits.
pub(super) fn fixed(v: Number, decimals: usize) -> String {
    match v {
        Number::F64(f) => format!("{f:.decimals$}"),
        whole if decimals == 0 => whole.to_string(),
        whole => format!("{whole}.{}", "0".repeat(decimals)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn texts_are_read_and_written_exactly() {
        let shown = |t: &str| [d(t).fixed(0), d(t).fixed(2), d(t).scientific(), d(t).brief()];
        assert_eq!(shown("1250000"), ["1250000", "1250000.00", "1.25e6", "1.25e6"]);
        assert_eq!(shown("-0.0005"), ["-0.0005", "-0.0005", "-5e-4", "-5e-4"]);
        assert_eq!(shown("-2.50"), ["-2.5", "-2.50", "-2.5e0", "-2.5"]);
        assert_eq!(shown("-0"), ["0", "0.00", "0", "0"]);
        assert_eq!(
            [d("1e-5").text(), d("9e-6").text(), d("1e15").text(), d("1e16").text()],
            ["0.00001", "9e-6", "1000000000000000", "1e16"]
        );
        for bad in ["", "-", ".", "e5", "1e", "nan", "inf", "1.-5", "1e99999999999", "1.5.5"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn floats_are_their_shortest_texts() {
        for v in [0.0, -0.0, 0.1, 1.0 / 3.0, 5e-324, f64::MAX, f64::MIN, 1e23, -2.5e-308, 9007199254740992.0]
        {
            let shortest = Decimal::shortest(v).unwrap();
            assert_eq!(shortest.value(), v);
            assert!(shortest.is_shortest());
            assert_eq!(shortest.scientific().parse::<f64>(), Ok(v));
        }
        assert_eq!((Decimal::shortest(f64::INFINITY), Decimal::shortest(f64::NAN)), (None, None));
        assert_eq!(Decimal::of(Number::U64(u64::MAX)).map(|d| d.fixed(0)), Some(u64::MAX.to_string()));
        // Reads back as another text's float.
        assert!(!d("1000000000.0000003").is_shortest());
    }

    #[test]
    fn sums_and_steps_are_exact() {
        assert_eq!(d("0.1").plus(d("0.2")), Some(d("0.3")));
        assert_eq!(d("1e18").minus(d("1e-5")), Some(d("999999999999999999.99999")));
        assert_eq!(d("1e300").plus(d("1e-300")), None);
        assert_eq!(d("0").minus(d("1e-300")), Some(d("-1e-300")));
        let steps = |v: &str, step: &str| (d(v).steps_above(d(step)), d(v).steps_below(d(step)));
        assert_eq!(steps("0.7", "0.25"), (Some(3), Some(2)));
        assert_eq!(steps("-0.7", "0.25"), (Some(-2), Some(-3)));
        assert_eq!(steps("30", "2.5"), (Some(12), Some(12)));
        assert_eq!(steps("1e-300", "1e300"), (Some(1), Some(0)));
        assert_eq!(steps("-1e-300", "1e300"), (Some(0), Some(-1)));
        assert_eq!(steps("1e300", "1e-300"), (None, None));
        assert_eq!([d("0").order(), d("99").order(), d("1e-7").order(), d("-250").order()], [0, 1, -7, 2]);
    }

    #[test]
    fn limits_have_the_digits_that_matter() {
        for (low, high, said) in [
            (0.0000960406, 0.999791, "9.604e-5 to 0.9998"),
            (0.0, 93.256, "0 to 93.26"),
            (-5.0, 5.0, "-5 to 5"),
            (0.001, 1000.0, "0.001 to 1000"),
            (1000.0, 1000.5, "1000 to 1000.5"),
            (1.0, 1.0, "1 to 1"),
            (-1.7e308, 1.7e308, "-1.7e308 to 1.7e308"),
        ] {
            assert_eq!(span(low, high), said);
        }
    }

    #[test]
    fn short_texts_keep_six_digits() {
        assert_eq!(
            [short(49.3), short(1820.0), short(0.1 + 0.2), short(1.0 / 3.0), short(-0.0)],
            ["49.3", "1820", "0.3", "0.333333", "0"]
        );
        assert_eq!(
            [short(1e6), short(20240101.0), short(-12345678.0), short(123456.7)],
            ["1000000", "2.02401e7", "-1.23457e7", "123457"]
        );
        // Zeros among the digits that were asked for are digits of the number.
        assert_eq!([2, 1].map(|digits| significant(50.000_001, digits)), ["50", "5e1"]);
        assert_eq!([short(199_999.96), short(1_999_999.6)], ["200000", "2e6"]);
        assert_eq!(
            [short(f64::MAX), short(1.7e308), short(5e-324), short(1e-323)],
            ["1.79769e308", "1.7e308", "5e-324", "1e-323"]
        );
        assert_eq!([short(f64::INFINITY), short(f64::NEG_INFINITY), short(f64::NAN)], ["inf", "-inf", "NaN"]);
    }

    #[test]
    fn no_finite_value_reads_inf() {
        for digits in 0..20 {
            for v in [f64::MAX, 1.75e308, -1.7e308] {
                assert!(
                    !significant(v, digits).contains("inf") && !brief(v, digits).contains("inf"),
                    "{v} {digits}"
                );
            }
        }
        assert_eq!(
            [brief(1.75e308, 1), brief(1000.0, 3), brief(123456.0, 2), brief(0.00012, 5)],
            ["2e308", "1e3", "1.2e5", "1.2e-4"]
        );
    }

    #[test]
    fn close_values_get_more_digits() {
        assert_eq!(apart(&[1e9 + 0.1, 1e9 + 0.9]), ["1000000000", "1000000001"]);
        assert_eq!(apart(&[0.1, 0.2, 0.2]), ["0.1", "0.2", "0.2"]);
        let next = f64::from_bits(0.1f64.to_bits() + 1);
        assert_eq!(apart(&[0.1, next]), ["0.1", "0.10000000000000002"]);
        assert_eq!(apart(&[f64::NAN, 1.0]), ["NaN", "1"]);
    }
}
