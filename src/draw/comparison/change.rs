//! Change of one value: better, worse, and by how much; see the table of [`compare`](super::compare).

use gridscope_core::figure::Better;
use gridscope_core::grid::Number;
use std::fmt;
use std::str::FromStr;

/// A word or number that is not part of the rules of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleError {
    /// Not a [`Tolerance`].
    Tolerance {
        /// The text.
        text: String,
    },
    /// A tolerance below 0, or without end.
    Range {
        /// The text.
        text: String,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::Tolerance { text } => {
                write!(f, "'{text}' is not a tolerance; write an amount such as 0.5, or a share such as 2%")
            }
            RuleError::Range { text } => write!(f, "'{text}' is not a tolerance: it must be 0 or more"),
        }
    }
}

impl std::error::Error for RuleError {}

/// By how much a number may be worse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    amount: f64,
    /// A share of the number before.
    relative: bool,
}

impl FromStr for Tolerance {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (number, relative) = text.strip_suffix('%').map_or((text, false), |n| (n, true));
        let amount = number.trim().parse::<f64>();
        let amount = amount.map_err(|_| RuleError::Tolerance { text: text.to_owned() })?;
        if !(amount.is_finite() && amount >= 0.0) {
            return Err(RuleError::Range { text: text.to_owned() });
        }
        Ok(Self { amount: if relative { amount / 100.0 } else { amount }, relative })
    }
}

/// Change of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// Nothing.
    Same,
    /// It is better, by however little.
    Improved,
    /// It is worse, by no more than the tolerance.
    Tolerated,
    /// It is worse by this much.
    Regressed(f64),
}

/// By how much a number is less than another.
#[derive(Clone, Copy)]
enum Less {
    Whole(i128),
    Real(f64),
}

/// Change from `before`. Neither is NaN.
pub(super) fn change(before: Number, now: Number, better: Better, tolerance: Tolerance) -> Change {
    let less = match better {
        Better::Higher => Less::of(now, before),
        Better::Lower => Less::of(before, now),
    };
    let by = less.as_f64();
    // Equal infinities have no difference.
    if by.is_nan() || by == 0.0 {
        return Change::Same;
    }
    if by < 0.0 {
        return Change::Improved;
    }
    let finite = before.as_f64().is_finite() && now.as_f64().is_finite();
    let most = if tolerance.relative { tolerance.amount * before.as_f64().abs() } else { tolerance.amount };
    if finite && !less.exceeds(most) { Change::Tolerated } else { Change::Regressed(by) }
}

impl Less {
    /// By how much `a` is less than `b`: exact between whole numbers, of whichever type.
    fn of(a: Number, b: Number) -> Self {
        match (whole(a), whole(b)) {
            (Some(a), Some(b)) => Less::Whole(b - a),
            _ => Less::Real(b.as_f64() - a.as_f64()),
        }
    }

    fn as_f64(self) -> f64 {
        match self {
            Less::Whole(by) => by as f64,
            Less::Real(by) => by,
        }
    }

    fn exceeds(self, most: f64) -> bool {
        match self {
            // Beyond i128 the cast ends at its greatest.
            Less::Whole(by) => by > most.floor() as i128,
            Less::Real(by) => by > most,
        }
    }
}

/// A number without a fraction; floats up to where differences still fit.
fn whole(n: Number) -> Option<i128> {
    match n {
        Number::I64(v) => Some(i128::from(v)),
        Number::U64(v) => Some(i128::from(v)),
        Number::F64(v) => (v.fract() == 0.0 && v.abs() < f64::powi(2.0, 120)).then_some(v as i128),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::{Random, cases};

    fn of(before: Number, now: Number, better: Better, tolerance: &str) -> Change {
        change(before, now, better, tolerance.parse().unwrap())
    }

    #[test]
    fn tolerances_are_zero_or_more() {
        for wrong in ["", "x", "-1", "NaN", "1%%", "inf"] {
            assert!(wrong.parse::<Tolerance>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_compare_exactly() {
        let (two53, most) = (1i64 << 53, u64::MAX);
        let cases = [
            (Number::I64(two53 + 1), Number::I64(two53)),
            (Number::I64(i64::MIN + 1), Number::I64(i64::MIN)),
            (Number::U64(most), Number::U64(most - 1)),
            (Number::U64(1 << 63), Number::I64(i64::MAX)),
            (Number::I64(two53 + 1), Number::F64(two53 as f64)),
            (Number::F64(f64::powi(2.0, 63)), Number::I64(i64::MAX)),
        ];
        for (high, low) in cases {
            assert_eq!(of(high, low, Better::Higher, "0"), Change::Regressed(1.0), "{high} to {low}");
            assert_eq!(of(low, high, Better::Lower, "0"), Change::Regressed(1.0), "{low} to {high}");
            assert_eq!(of(low, high, Better::Higher, "0"), Change::Improved, "{low} to {high}");
            assert_eq!(of(high, low, Better::Higher, "0.5"), Change::Regressed(1.0), "{high} to {low}");
            assert_eq!(of(high, low, Better::Higher, "1"), Change::Tolerated, "{high} to {low}");
        }
        assert_eq!(
            of(Number::I64(i64::MIN), Number::U64(most), Better::Lower, "1.8e19"),
            Change::Regressed(27_670_116_110_564_327_423u128 as f64)
        );
        assert_eq!(of(Number::I64(7), Number::F64(7.0), Better::Higher, "0"), Change::Same);
        assert_eq!(of(Number::F64(0.0), Number::F64(-0.0), Better::Higher, "0"), Change::Same);
    }

    #[test]
    fn floats_of_any_size_compare() {
        let f = Number::F64;
        for (before, now) in [
            (1e300, 1e299),
            (5e-324, 0.0),
            (1e308, -1e308),
            (0.3, 0.2),
            (1e17, 1e17 - 16.0),
            (2f64.powi(121), 2f64.powi(120)),
        ] {
            assert!(
                matches!(of(f(before), f(now), Better::Higher, "0"), Change::Regressed(_)),
                "{before} to {now}"
            );
            assert_eq!(of(f(before), f(now), Better::Lower, "0"), Change::Improved, "{before} to {now}");
        }
        // 2e308 is beyond f64, and so beyond any tolerance.
        assert!(matches!(of(f(1e308), f(-1e308), Better::Higher, "1e308"), Change::Regressed(_)));
    }

    /// Quarters and whole numbers of all types, against integers of four times their size.
    #[test]
    fn changes_are_those_of_exact_arithmetic() {
        let mut random = Random(1);
        for case in 0..cases(4000) {
            // Numbers that are often near each other, somewhere between small and large.
            let base = (random.bits() >> 2) as i64 >> random.below(62);
            let mut number = || {
                let near = base.saturating_add(random.within(-4, 4));
                match random.below(4) {
                    0 => (Number::I64(near), 4 * i128::from(near)),
                    1 => (Number::U64(near.unsigned_abs()), 4 * i128::from(near.unsigned_abs())),
                    2 => (Number::I64(-near), -4 * i128::from(near)),
                    _ => {
                        let quarters = near % (1 << 50);
                        (Number::F64(quarters as f64 / 4.0), i128::from(quarters))
                    }
                }
            };
            let ((before, b), (now, n)) = (number(), number());
            let most = i128::from(random.below(24_u64));
            let tolerance = Tolerance { amount: most as f64 / 4.0, relative: false };
            for (better, worse) in [(Better::Higher, b - n), (Better::Lower, n - b)] {
                let found = change(before, now, better, tolerance);
                let right = match found {
                    Change::Same => worse == 0,
                    Change::Improved => worse < 0,
                    Change::Tolerated => 0 < worse && worse <= most,
                    Change::Regressed(_) => worse > most,
                };
                assert!(right, "case {case}: {before} to {now}, {better:?}, {tolerance:?}: {found:?}");
            }
        }
    }
}
