//! Thresholds: the least key of each entry of a map, among keys that keep the order of numbers.

use super::color_scale::ScaleSpec;
use crate::grid::{Kind, Number, first_key, float_key, key_float};
use std::ops::Range;

/// Integers of the order of numbers, among which thresholds lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// f32 by [`ordered_key`].
    F32,
    /// f64; integers take their places among them.
    F64,
    /// Integers, where f64 would round the limits: no other number has a place.
    Whole(Kind),
}

impl Line {
    /// Where the numbers of a kind are compared under a scale.
    pub(super) fn of(spec: &ScaleSpec, kind: Kind) -> Self {
        let linear = spec.norm.traits().straight;
        match kind {
            Kind::F32 => Line::F32,
            Kind::I64 | Kind::U64 if linear && spec.exact.is_some() => Line::Whole(kind),
            _ => Line::F64,
        }
    }

    /// The key of a number that is not NaN.
    #[inline]
    pub(super) fn key(self, v: Number) -> i64 {
        match self {
            Line::F32 => i64::from(ordered_key((v.as_f64() as f32).to_bits())),
            Line::F64 => float_key(v.as_f64()),
            Line::Whole(kind) => kind.key(whole(kind, v)),
        }
    }

    fn value(self, key: i64) -> f64 {
        match self {
            Line::F32 => f64::from(stored_of(key as i32)),
            Line::F64 => key_float(key),
            Line::Whole(kind) => kind.number(key).as_f64(),
        }
    }
}

/// The thresholds of numbers that f32 does not hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Classes {
    line: Line,
    keys: Vec<i64>,
    /// Under a straight norm: where the first entry begins, and entries a unit of value.
    even: Option<(f64, f64)>,
}

impl Classes {
    /// Those of a scale for numbers of a wide kind.
    pub(super) fn new(spec: &ScaleSpec, kind: Kind) -> Self {
        let line = Line::of(spec, kind);
        // The greatest integers have none after them: a threshold there is never reached.
        let keys = shown_thresholds(spec, line).keys;
        let keys = keys.into_iter().map_while(|k| i64::try_from(k).ok()).collect();
        let per = spec.map.entries.len() as f64 / (spec.vmax - spec.vmin);
        let plain = spec.norm.traits().straight && spec.hide.is_none();
        let straight = plain && line == Line::F64 && per.is_normal();
        Self { line, keys, even: straight.then_some((spec.vmin, per)) }
    }

    /// How many thresholds a number has reached that is not NaN.
    #[inline]
    pub(super) fn reached(&self, v: Number) -> usize {
        let key = self.line.key(v);
        if let Some((low, per)) = self.even {
            let at = ((v.as_f64() - low) * per) as usize;
            if let Some([from, end]) = self.keys.get(at..at.saturating_add(2))
                && *from <= key
                && key < *end
            {
                return at + 1;
            }
        }
        self.keys.partition_point(|t| *t <= key)
    }

    /// The least key of numbers of a kind that reaches each threshold, ascending; without those that no number reaches.
    pub(super) fn keys_of(&self, kind: Kind) -> Vec<i64> {
        if self.line == Line::Whole(kind) || (self.line, kind) == (Line::F64, Kind::F64) {
            return self.keys.clone();
        }
        let reached = |t: &i64| first_key(kind.keys(), |key| self.line.key(kind.number(key)) >= *t);
        self.keys.iter().map_while(reached).collect()
    }
}

/// The integer of a kind nearest to a number.
fn whole(kind: Kind, v: Number) -> Number {
    match (kind, v) {
        (Kind::I64, Number::F64(v)) => Number::I64(v.round() as i64),
        (Kind::U64, Number::F64(v)) => Number::U64(v.round() as u64),
        (Kind::I64, Number::U64(v)) => Number::I64(i64::try_from(v).unwrap_or(i64::MAX)),
        (Kind::U64, Number::I64(v)) => Number::U64(u64::try_from(v).unwrap_or(0)),
        (_, v) => v,
    }
}

/// Thresholds of shown values, and which colours they begin.
pub(super) struct ShownThresholds {
    /// Ascending keys; where values are hidden, these begin or end at one.
    pub keys: Vec<i128>,
    /// Of the colours under, entries and over: those that are shown.
    pub colors: Range<usize>,
}

/// The thresholds of a scale without those of hidden values, of which each end has one.
pub(super) fn shown_thresholds(spec: &ScaleSpec, line: Line) -> ShownThresholds {
    let all = thresholds(spec, line);
    let Some(hide) = &spec.hide else {
        let colors = 0..all.len() + 1;
        return ShownThresholds { keys: all, colors };
    };
    let low = hide.below.map(|v| {
        let key = line.key(Number::F64(v));
        i128::from(key) + i128::from(line.value(key) < v)
    });
    let high = hide.above.map(|v| {
        let key = line.key(Number::F64(v));
        i128::from(key) + i128::from(line.value(key) <= v)
    });
    let first = low.map_or(0, |k| all.partition_point(|t| *t <= k));
    let end = high.map_or(all.len(), |k| all.partition_point(|t| *t < k));
    if low.zip(high).is_some_and(|(a, b)| a >= b) {
        // Nothing is left between both.
        let keys = low.into_iter().collect();
        return ShownThresholds { keys, colors: 0..0 };
    }
    let end = end.max(first);
    let keys = low.into_iter().chain(all[first..end].iter().copied()).chain(high);
    ShownThresholds { keys: keys.collect(), colors: first..end + 1 }
}

/// N + 1 ascending keys: where each entry begins, and where numbers lie above the limits. A number's entry is that of the
/// norm in f64.
pub(super) fn thresholds(spec: &ScaleSpec, line: Line) -> Vec<i128> {
    let n = spec.map.entries.len();
    let (low, high) = ends(spec, line);
    let end = (i128::from(high) + 1).max(i128::from(low));
    let index = |key: i64| {
        let t = if let Line::Whole(_) = line {
            // Integers keep differences that f64 would lose.
            let from_low = |k: i64| (i128::from(k) - i128::from(low)) as f64;
            spec.norm.t(from_low(key), 0.0, from_low(high), n)
        } else {
            spec.norm.t(line.value(key).clamp(spec.vmin, spec.vmax), spec.vmin, spec.vmax, n)
        };
        ((t * n as f64).floor().max(0.0) as usize).min(n - 1)
    };
    let mut out = Vec::with_capacity(n + 1);
    out.push(i128::from(low));
    for k in 1..n {
        let near = spec.norm.inverse(k as f64 / n as f64, spec.vmin, spec.vmax).clamp(spec.vmin, spec.vmax);
        out.push(least(out[k - 1], end, line.key(Number::F64(near)), |key| index(key) >= k));
    }
    out.push(end);
    out
}

/// The keys of the least number that is not below the limits, and of the greatest that is not above.
fn ends(spec: &ScaleSpec, line: Line) -> (i64, i64) {
    if let (Line::Whole(_), Some((min, max))) = (line, spec.exact) {
        return (line.key(min), line.key(max));
    }
    let (low, high) = (line.key(Number::F64(spec.vmin)), line.key(Number::F64(spec.vmax)));
    // The f32 nearest to a limit may lie on its other side.
    (low + i64::from(line.value(low) < spec.vmin), high - i64::from(line.value(high) > spec.vmax))
}

/// The least key in `from..end` where `holds` (which never turns false again), or `end`; searched outwards from `near`.
fn least(from: i128, end: i128, near: i64, holds: impl Fn(i64) -> bool) -> i128 {
    let (mut low, mut high) = (from, end);
    if low >= high {
        return low;
    }
    let at = i128::from(near).clamp(low, high - 1);
    let mut step = 4;
    if holds(at as i64) {
        high = at;
        while high - step >= low && holds((high - step) as i64) {
            high -= step;
            step *= 8;
        }
        low = low.max(high - step);
    } else {
        low = (at + 1).min(high);
        while low + step < high && !holds((low + step) as i64) {
            low += step;
            step *= 8;
        }
        high = high.min(low + step);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle as i64) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Stored bits as integers of the same order; -0 equals +0. NaN has no place in it.
#[inline(always)]
pub const fn ordered_key(bits: u32) -> i32 {
    let (magnitude, sign) = ((bits & 0x7fff_ffff) as i32, bits as i32 >> 31);
    (magnitude ^ sign) - sign
}

/// The value of a key, +0 for zeros.
fn stored_of(key: i32) -> f32 {
    f32::from_bits(if key < 0 { (-key) as u32 | 0x8000_0000 } else { key as u32 })
}

/// `low` and `per` such that the whole part of `(value - low) * per`, kept from 1 to the last key's place, is the number of
/// keys that the value has reached, or one beside it; `None` where the keys are too uneven for that.
pub fn even_guess(keys: &[i32]) -> Option<(f32, f32)> {
    let [first, .., last] = keys else { return None };
    let (first, last) = (f64::from(stored_of(*first)), f64::from(stored_of(*last)));
    let step = (last - first) / (keys.len() - 1) as f64;
    let (low, per) = ((first - step) as f32, (1.0 / step) as f32);
    // Threshold k belongs at k + 1; half a level of play leaves the other half to rounding.
    let at = |key: i32| (f64::from(stored_of(key)) - f64::from(low)) * f64::from(per);
    let even = keys.iter().enumerate().all(|(k, key)| (at(*key) - (k + 1) as f64).abs() <= 0.5);
    // A device may read subnormal numbers as 0, which must stay far below a step.
    let coarse = step > f64::from(f32::MIN_POSITIVE) * 1e6 && per.is_normal();
    // Differences beyond f32 would all look alike.
    let near = (last as f32 - low).is_finite();
    (even && coarse && near).then_some((low, per))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_floats() {
        let v = [f32::NEG_INFINITY, -1e30, -1.0, -1e-45, 0.0, 1e-45, 1.0, f32::INFINITY];
        assert!(v.windows(2).all(|p| ordered_key(p[0].to_bits()) < ordered_key(p[1].to_bits())));
        assert_eq!(ordered_key((-0.0f32).to_bits()), ordered_key(0));
        assert!(v.iter().all(|x| stored_of(ordered_key(x.to_bits())) == *x));
    }

    #[test]
    fn only_even_steps_are_guessed() {
        let keys = |v: &[f32]| v.iter().map(|v| ordered_key(v.to_bits())).collect::<Vec<_>>();
        let (low, per) = even_guess(&keys(&[-1.0, 0.0, 1.0, 2.0])).unwrap();
        assert_eq!([-1.0f32, 0.5, 2.0].map(|v| ((v - low) * per) as u32), [1, 2, 4]);
        for uneven in [
            &[1.0, 10.0, 100.0, 1000.0, 10000.0][..],
            &[3.0, 3.0],
            &[1e-42, 2e-42, 3e-42],
            &[-3e38, 0.0, 3e38],
            &[],
        ] {
            assert_eq!(even_guess(&keys(uneven)), None);
        }
    }
}
