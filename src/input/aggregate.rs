//! Several values to one, as pandas does it.

use crate::figure::Agg;
use crate::grid::{Number, Values};

/// One value of several, in file order; `None` where pandas gives NaN.
pub fn aggregate(agg: Agg, values: &[Number]) -> Option<Number> {
    if agg == Agg::Count {
        return Some(Number::I64(values.len() as i64));
    }
    let (&first, &last) = (values.first()?, values.last()?);
    let found = match agg {
        // One value stays as its source holds it.
        Agg::Mean | Agg::Median | Agg::Sum if values.len() == 1 => first,
        Agg::First => first,
        Agg::Last => last,
        Agg::Min => values.iter().copied().reduce(|a, b| if b < a { b } else { a })?,
        Agg::Max => values.iter().copied().reduce(|a, b| if b > a { b } else { a })?,
        Agg::Sum => exact_sum(values).unwrap_or_else(|| Number::F64(sum(values.iter().map(|v| v.as_f64())))),
        Agg::Mean => Number::F64(mean(values)),
        Agg::Median => median(values),
        Agg::Std => Number::F64(std(values)?),
        Agg::Count => Number::I64(values.len() as i64),
    };
    (!found.as_f64().is_nan()).then_some(found)
}

/// Neumaier's sum: exact to about 2 ulp whatever the order; infinities as IEEE says.
pub fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0f64, 0.0f64);
    for v in values {
        let t = total + v;
        if t.is_finite() {
            lost += if total.abs() >= v.abs() { (total - t) + v } else { (v - t) + total };
        }
        total = t;
    }
    if total.is_finite() { total + lost } else { total }
}

/// The sum of whole numbers, when it fits their type.
fn exact_sum(values: &[Number]) -> Option<Number> {
    let mut total = 0i128;
    for v in values {
        total += match v {
            Number::I64(v) => i128::from(*v),
            Number::U64(v) => i128::from(*v),
            Number::F64(_) => return None,
        };
    }
    i64::try_from(total).map(Number::I64).or_else(|_| u64::try_from(total).map(Number::U64)).ok()
}

fn mean(values: &[Number]) -> f64 {
    let n = values.len() as f64;
    let total = sum(values.iter().map(|v| v.as_f64()));
    if total.is_infinite() && values.iter().all(|v| v.as_f64().is_finite()) {
        return sum(values.iter().map(|v| v.as_f64() / n));
    }
    total / n
}

fn median(values: &[Number]) -> Number {
    let mut sorted = values.to_vec();
    let middle = sorted.len() / 2;
    let order = |a: &Number, b: &Number| a.partial_cmp(b).unwrap_or_else(|| a.as_f64().total_cmp(&b.as_f64()));
    let (below, &mut high, _) = sorted.select_nth_unstable_by(middle, order);
    if values.len() % 2 == 1 {
        return high;
    }
    let low = below.iter().copied().reduce(|a, b| if b > a { b } else { a }).unwrap_or(high);
    Number::F64(mean(&[low, high]))
}

fn std(values: &[Number]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let m = mean(values);
    let squares = sum(values.iter().map(|v| (v.as_f64() - m).powi(2)));
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Numbers put one after another in the narrowest type that holds them all: i64, u64, f64.
#[derive(Clone, Debug)]
pub struct Numbers(Values);

impl Numbers {
    /// None yet, room for so many.
    pub fn with_capacity(n: usize) -> Self {
        Self(Values::I64(Vec::with_capacity(n)))
    }

    /// Adds one.
    pub fn push(&mut self, n: Number) {
        match (&mut self.0, n) {
            (Values::I64(v), Number::I64(n)) => v.push(n),
            (Values::F64(v), n) => v.push(n.as_f64()),
            (Values::U64(v), Number::U64(n)) => v.push(n),
            (Values::U64(v), Number::I64(n)) if n >= 0 => v.push(n as u64),
            (Values::I64(v), Number::U64(n)) if v.iter().all(|v| *v >= 0) => {
                let mut wide: Vec<u64> = v.iter().map(|v| *v as u64).collect();
                wide.push(n);
                self.0 = Values::U64(wide);
            }
            (any, n) => {
                let mut wide: Vec<f64> = (0..any.len()).map(|i| any.get(i).as_f64()).collect();
                wide.push(n.as_f64());
                self.0 = Values::F64(wide);
            }
        }
    }

    /// Adds a place that a state takes.
    pub fn push_empty(&mut self) {
        match &mut self.0 {
            Values::I64(v) => v.push(0),
            Values::U64(v) => v.push(0),
            Values::F64(v) => v.push(f64::NAN),
            Values::F32 { data, .. } => data.push(f32::NAN),
        }
    }

    /// All of them.
    pub fn into_values(self) -> Values {
        self.0
    }

    /// The one at a place.
    pub fn get(&self, i: usize) -> Number {
        self.0.get(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(v: &[f64]) -> Vec<Number> {
        v.iter().map(|v| Number::F64(*v)).collect()
    }

    fn near(agg: Agg, v: &[f64], want: f64) {
        let got = aggregate(agg, &f(v)).map_or(f64::NAN, Number::as_f64);
        let same = got == want || (got.is_nan() && want.is_nan());
        assert!(same || (got - want).abs() <= 1e-12 * want.abs(), "{agg:?} {v:?}: {got}, not {want}");
    }

    #[test]
    fn aggregates_are_those_of_pandas() {
        // groupby().agg() of pandas 3.1.1.
        let v = [
            44.0,
            0.0008446499933308341,
            1.856305359629046,
            -0.00025641328887538557,
            -0.0009737716208221956,
            -0.0004410352679777794,
            -0.0007224651632021937,
            3414.046316130595,
            0.0009648422176518506,
        ];
        near(Agg::Mean, &v, 384.4335596996772);
        near(Agg::Median, &v, 0.0008446499933308341);
        near(Agg::Min, &v, -0.0009737716208221956);
        near(Agg::Max, &v, 3414.046316130595);
        near(Agg::Sum, &v, 3459.9020372970945);
        near(Agg::Std, &v, 1136.1970140642184);
        near(Agg::Count, &v, 9.0);
        near(Agg::First, &v, 44.0);
        near(Agg::Last, &v, 0.0009648422176518506);
        near(Agg::Median, &[4.0, 1.0, 3.0, 2.0], 2.5);
    }

    #[test]
    fn infinities_go_through_as_in_pandas() {
        let (p, n) = (f64::INFINITY, f64::NEG_INFINITY);
        for agg in [Agg::Mean, Agg::Median, Agg::Sum] {
            near(agg, &[p, 1.0], p);
            near(agg, &[p, n], f64::NAN);
            near(agg, &[p, p], p);
        }
        near(Agg::Std, &[p, 1.0], f64::NAN);
        near(Agg::Min, &[p, n], n);
    }

    #[test]
    fn no_value_and_one_value() {
        for agg in [Agg::Mean, Agg::Sum, Agg::Std, Agg::First, Agg::Max] {
            assert_eq!(aggregate(agg, &[]), None);
        }
        assert_eq!(aggregate(Agg::Count, &[]), Some(Number::I64(0)));
        near(Agg::Std, &[5.0], f64::NAN);
        assert_eq!(aggregate(Agg::Mean, &[Number::I64(i64::MAX)]), Some(Number::I64(i64::MAX)));
    }

    #[test]
    fn sums_neither_lose_nor_overflow() {
        near(Agg::Sum, &[1e16, 1.0, -1e16], 1.0);
        near(Agg::Mean, &[1e308, 1e308], 1e308);
        assert_eq!(aggregate(Agg::Sum, &[Number::I64(i64::MAX), Number::I64(-1)]), Some(Number::I64(i64::MAX - 1)));
        assert_eq!(aggregate(Agg::Max, &[Number::I64(i64::MAX - 1), Number::I64(i64::MAX)]), Some(Number::I64(i64::MAX)));
    }

    #[test]
    fn numbers_take_the_narrowest_type() {
        let of = |v: &[Number]| {
            let mut n = Numbers::with_capacity(0);
            v.iter().for_each(|v| n.push(*v));
            n.into_values()
        };
        assert_eq!(of(&[Number::I64(1), Number::I64(-2)]), Values::I64(vec![1, -2]));
        assert_eq!(of(&[Number::I64(1), Number::U64(u64::MAX), Number::I64(2)]), Values::U64(vec![1, u64::MAX, 2]));
        assert_eq!(of(&[Number::I64(-1), Number::U64(u64::MAX)]), Values::F64(vec![-1.0, u64::MAX as f64]));
        assert_eq!(of(&[Number::I64(1), Number::F64(0.5)]), Values::F64(vec![1.0, 0.5]));
    }
}
