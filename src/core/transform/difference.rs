//! Results of comparing two cells.

use crate::figure::Compare;
use crate::grid::{Cell, Number, State};

/// A value beside its baseline. A value that one side alone has is a state of its own; what a side masks or awaits stays so.
pub(super) fn compared(how: Compare, value: Cell, base: Cell) -> Cell {
    match (value, base) {
        (Cell::Value(v), Cell::Value(b)) => number(how, v, b),
        (Cell::Empty(State::Masked), _) | (_, Cell::Empty(State::Masked)) => Cell::Empty(State::Masked),
        (Cell::Empty(State::Pending), _) | (_, Cell::Empty(State::Pending)) => Cell::Empty(State::Pending),
        (Cell::Value(_), Cell::Empty(_)) => Cell::Empty(State::Appeared),
        (Cell::Empty(_), Cell::Value(_)) => Cell::Empty(State::Vanished),
        (Cell::Empty(State::Absent), Cell::Empty(other)) => Cell::Empty(other),
        (Cell::Empty(state), Cell::Empty(_)) => Cell::Empty(state),
    }
}

/// The comparison of two numbers; NaN where it is not defined, as of 0 / 0 and of two equal infinities.
fn number(how: Compare, v: Number, b: Number) -> Cell {
    let out = match how {
        Compare::Minus | Compare::Against => match (whole(v), whole(b)) {
            (Some(v), Some(b)) => return Cell::Value(exact(v - b)),
            _ => v.as_f64() - b.as_f64(),
        },
        Compare::Ratio => v.as_f64() / b.as_f64(),
        Compare::Percent => (v.as_f64() / b.as_f64() - 1.0) * 100.0,
    };
    if out.is_nan() { Cell::Empty(State::Nan) } else { Cell::Value(Number::F64(out)) }
}

/// An integer of the source.
fn whole(n: Number) -> Option<i128> {
    match n {
        Number::I64(v) => Some(i128::from(v)),
        Number::U64(v) => Some(i128::from(v)),
        Number::F64(_) => None,
    }
}

/// A whole number, rounded only where it is beyond 64 bits with a sign.
fn exact(v: i128) -> Number {
    i64::try_from(v).map_or(Number::F64(v as f64), Number::I64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(how: Compare, v: f64, b: f64) -> f64 {
        compared(how, Cell::Value(Number::F64(v)), Cell::Value(Number::F64(b))).as_f64()
    }

    #[test]
    fn numbers_compare_as_ieee_says_and_integers_exactly() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for (how, v, b, wanted) in [
            (Compare::Minus, 1e300, -1e300, 2e300),
            (Compare::Minus, 1e308, -1e308, inf),
            (Compare::Minus, inf, inf, nan),
            (Compare::Minus, inf, 1.0, inf),
            (Compare::Ratio, 1.0, 0.0, inf),
            (Compare::Ratio, -1.0, 0.0, -inf),
            (Compare::Ratio, 0.0, 0.0, nan),
            (Compare::Ratio, 3.0, inf, 0.0),
            (Compare::Percent, 3.0, 2.0, 50.0),
            (Compare::Percent, 0.0, 2.0, -100.0),
            (Compare::Percent, inf, inf, nan),
        ] {
            let got = of(how, v, b);
            assert!(got == wanted || got.is_nan() && wanted.is_nan(), "{how:?} {v} {b}: {got}");
        }
        let minus = |v, b| compared(Compare::Minus, Cell::Value(v), Cell::Value(b));
        let two53 = 1i64 << 53;
        assert_eq!(minus(Number::I64(two53 + 1), Number::I64(two53)), Cell::Value(Number::I64(1)));
        assert_eq!(
            minus(Number::U64(u64::MAX), Number::I64(-1)),
            Cell::Value(Number::F64(u64::MAX as f64 + 1.0))
        );
        assert_eq!(minus(Number::U64(u64::MAX), Number::U64(u64::MAX - 1)), Cell::Value(Number::I64(1)));
    }

    #[test]
    fn cells_without_a_partner_are_states() {
        let value = Cell::Value(Number::F64(1.0));
        let state = |a: Cell, b: Cell| match compared(Compare::Minus, a, b) {
            Cell::Empty(state) => state,
            Cell::Value(v) => panic!("{v}"),
        };
        let [nan, masked, pending, absent] =
            [State::Nan, State::Masked, State::Pending, State::Absent].map(Cell::Empty);
        for (a, b, wanted) in [
            (value, absent, State::Appeared),
            (value, nan, State::Appeared),
            (absent, value, State::Vanished),
            (nan, value, State::Vanished),
            (value, masked, State::Masked),
            (masked, absent, State::Masked),
            (pending, value, State::Pending),
            (absent, nan, State::Nan),
            (nan, absent, State::Nan),
            (absent, absent, State::Absent),
        ] {
            assert_eq!(state(a, b), wanted, "{a:?} {b:?}");
        }
    }
}
