//! Numbers with as many digits as are asked for, correctly rounded.

use super::decimal::Decimal;
use crate::grid::Number;

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
