//! Numbers that f32 does not hold: their order as 64-bit keys, and what a fold keeps of them.

use super::backing::{Lines, Strip};
use super::kernel::Tally;
use super::state::State;
use super::total::{HUGE, Total};
use super::values::{Kind, Number, Numbers};
use std::ops::Range;

/// An integer of the same order as the floats; -0 equals +0. NaN has no place in it.
#[inline(always)]
pub(crate) const fn float_key(v: f64) -> i64 {
    let bits = v.to_bits() as i64;
    let (magnitude, sign) = (bits & i64::MAX, bits >> 63);
    (magnitude ^ sign) - sign
}

/// The float of a key.
pub(crate) const fn key_float(key: i64) -> f64 {
    f64::from_bits(if key < 0 {
        key.unsigned_abs() | 1 << 63
    } else {
        key as u64
    })
}

/// A number that f32 does not hold.
pub(super) trait Wide: Copy + PartialOrd {
    /// The kind in a tally.
    const CODE: u64;
    fn as_f64(self) -> f64;
    fn key(self) -> i64;
}

impl Wide for f64 {
    const CODE: u64 = 0;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn key(self) -> i64 {
        float_key(self)
    }
}

impl Wide for i64 {
    const CODE: u64 = 1;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn key(self) -> i64 {
        self
    }
}

impl Wide for u64 {
    const CODE: u64 = 2;
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn key(self) -> i64 {
        (self ^ 1 << 63) as i64
    }
}

impl Kind {
    /// An integer of the same order as the numbers of this kind that f32 does not hold.
    #[inline]
    pub(crate) fn key(self, v: Number) -> i64 {
        match (self, v) {
            (Kind::I64, Number::I64(v)) => v,
            (Kind::U64, Number::U64(v)) => v.key(),
            _ => float_key(v.as_f64()),
        }
    }

    /// The number of a key.
    #[inline]
    pub(crate) fn number(self, key: i64) -> Number {
        match self {
            Kind::I64 => Number::I64(key),
            Kind::U64 => Number::U64(key as u64 ^ 1 << 63),
            Kind::F32 | Kind::F64 => Number::F64(key_float(key)),
        }
    }
}

/// Minimum, maximum, sum and count of numbers under a pixel, and which states it holds: 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideSummary {
    /// Keys of the least and the greatest number.
    low: i64,
    high: i64,
    sum: Total,
    /// Cells with a value; below them two bits of the kind, and a bit for every state present.
    tally: u64,
}

const STATE_BITS: u32 = 4;
const KIND_BITS: u32 = 2;
const ONE: u64 = 1 << (STATE_BITS + KIND_BITS);
const STATES: u64 = (1 << STATE_BITS) - 1;

impl Default for WideSummary {
    fn default() -> Self {
        Self {
            low: i64::MAX,
            high: i64::MIN,
            sum: Total::default(),
            tally: 0,
        }
    }
}

impl WideSummary {
    /// Cells with a value.
    pub fn count(&self) -> u64 {
        self.tally / ONE
    }

    /// Bit [`State::index`] for every state present.
    pub fn states(&self) -> u8 {
        (self.tally & STATES) as u8
    }

    fn kind(&self) -> Kind {
        [Kind::F64, Kind::I64, Kind::U64, Kind::F64][(self.tally >> STATE_BITS & 3) as usize]
    }

    /// The least number; `None` without one.
    #[inline]
    pub fn min(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.low))
    }

    /// The greatest number; `None` without one.
    #[inline]
    pub fn max(&self) -> Option<Number> {
        (self.count() > 0).then(|| self.kind().number(self.high))
    }

    /// The mean: the number itself where all are equal, NaN without one or with infinities of both signs.
    #[inline]
    pub fn mean(&self) -> Number {
        match self.min() {
            Some(v) if self.low == self.high => v,
            _ => Number::F64(self.sum.mean(self.count())),
        }
    }

    /// Whether it holds numbers, and all are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.min()
            .zip(self.max())
            .is_some_and(|(a, b)| a.as_f64().is_finite() && b.as_f64().is_finite())
    }

    /// The sum.
    pub(super) fn sum(&self) -> Total {
        self.sum
    }

    /// Joins two summaries of one kind.
    pub fn merge(&mut self, other: &WideSummary) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.sum.merge(&other.sum);
        let flags = (self.tally | other.tally) & (ONE - 1);
        self.tally = ((self.tally - self.tally % ONE) + (other.tally - other.tally % ONE)) | flags;
    }

    /// Of `count` numbers from `low` to `high` and their sum, none of which is huge.
    fn of<T: Wide>(low: T, high: T, (sum, lost): (f64, f64), count: u64) -> Self {
        let mut total = Total::default();
        total.add(sum, lost);
        Self {
            low: low.key(),
            high: high.key(),
            sum: total,
            tally: (count * ONE) | (T::CODE << STATE_BITS),
        }
    }

    /// Takes in a number, or what its bits mark as a state.
    fn take<T: Wide>(&mut self, v: T, bits: u32, tally: &mut Tally) {
        if let Some(s) = State::of_bits(bits) {
            tally.states[s.index()] += 1;
            self.tally |= 1 << s.index();
            return;
        }
        self.low = self.low.min(v.key());
        self.high = self.high.max(v.key());
        self.sum.add(v.as_f64(), 0.0);
        self.tally = (self.tally + ONE) | (T::CODE << STATE_BITS);
        tally.values += 1;
    }
}

/// Columns folded side by side.
const LANES: usize = 8;
/// The magnitude of stored bits beyond which they mark a state.
const INFINITY: u32 = 0x7f80_0000;

/// Least, greatest and sum of each column of some rows, and the greatest magnitude of the bits beside them.
pub(super) struct Columns<T> {
    min: Vec<T>,
    max: Vec<T>,
    /// Each with what rounding took off it.
    sum: Vec<(f64, f64)>,
    marks: Vec<u32>,
}

/// A sum, and what rounding took off it so far.
#[inline(always)]
fn plus((a, lost): (f64, f64), b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, lost + ((a - (sum - part)) + (b - part)))
}

impl<T: Wide> Columns<T> {
    pub fn new() -> Self {
        Self {
            min: Vec::new(),
            max: Vec::new(),
            sum: Vec::new(),
            marks: Vec::new(),
        }
    }

    fn fold(&mut self, numbers: &[T], bits: &[u32], stride: usize, rows: &Range<usize>, width: usize) {
        self.min.clear();
        self.max.clear();
        self.sum.clear();
        self.marks.clear();
        let whole = width - width % LANES;
        (0..whole)
            .step_by(LANES)
            .for_each(|x| self.down::<LANES>(numbers, bits, stride, rows, x));
        (whole..width).for_each(|x| self.down::<1>(numbers, bits, stride, rows, x));
    }

    /// `N` columns from `x` on.
    #[inline(always)]
    fn down<const N: usize>(
        &mut self,
        numbers: &[T],
        bits: &[u32],
        stride: usize,
        rows: &Range<usize>,
        x: usize,
    ) {
        let at = |r: usize| r * stride + x..r * stride + x + N;
        let first: &[T; N] = numbers[at(rows.start)].try_into().expect("a slice of N");
        let (mut min, mut max, mut sum, mut lost, mut marks) =
            (*first, *first, [0.0f64; N], [0.0f64; N], [0u32; N]);
        for r in rows.clone() {
            let line: &[T; N] = numbers[at(r)].try_into().expect("a slice of N");
            let beside: &[u32; N] = bits[at(r)].try_into().expect("a slice of N");
            for i in 0..N {
                min[i] = if line[i] < min[i] { line[i] } else { min[i] };
                max[i] = if line[i] > max[i] { line[i] } else { max[i] };
                (sum[i], lost[i]) = plus((sum[i], lost[i]), line[i].as_f64());
                marks[i] = marks[i].max(beside[i] & i32::MAX as u32);
            }
        }
        self.min.extend_from_slice(&min);
        self.max.extend_from_slice(&max);
        self.sum.extend(sum.into_iter().zip(lost));
        self.marks.extend_from_slice(&marks);
    }

    /// The summary of a run of columns; `None` where a state or a huge number is among them.
    fn along(&self, run: &Range<usize>, rows: usize) -> Option<WideSummary> {
        let (first, rest) = (run.start, run.start + 1..run.end);
        let (mut low, mut high, mut sum, mut mark) = (
            self.min[first],
            self.max[first],
            self.sum[first],
            self.marks[first],
        );
        for i in rest {
            low = if self.min[i] < low { self.min[i] } else { low };
            high = if self.max[i] > high { self.max[i] } else { high };
            sum = plus((sum.0, sum.1 + self.sum[i].1), self.sum[i].0);
            mark = mark.max(self.marks[i]);
        }
        let far = low.as_f64().abs().max(high.as_f64().abs());
        (mark <= INFINITY && far < HUGE).then(|| WideSummary::of(low, high, sum, (rows * run.len()) as u64))
    }

    /// Folds rows of `width` columns over runs of them, one summary a run.
    pub fn summaries(
        &mut self,
        (numbers, lines): (&[T], Lines<'_>),
        rows: Range<usize>,
        (width, runs): (usize, &[Range<usize>]),
        tally: &mut Tally,
        mut emit: impl FnMut(WideSummary),
    ) {
        let (bits, stride) = (lines.bits, lines.stride);
        self.fold(numbers, bits, stride, &rows, width);
        for run in runs {
            if run.is_empty() {
                emit(WideSummary::default());
                continue;
            }
            if let Some(s) = self.along(run, rows.len()) {
                tally.values += s.count();
                emit(s);
                continue;
            }
            let mut s = WideSummary::default();
            for at in rows.clone().map(|r| r * stride + run.start..r * stride + run.end) {
                numbers[at.clone()]
                    .iter()
                    .zip(&bits[at])
                    .for_each(|(v, bits)| s.take(*v, *bits, tally));
            }
            emit(s);
        }
    }
}

/// Folds blocks of rows of a window over runs of its columns, one summary a block and run; nothing of numbers that are f32.
pub(super) fn fold(
    strip: &Strip<'_>,
    blocks: impl Iterator<Item = Range<usize>>,
    runs: &[Range<usize>],
    tally: &mut Tally,
) -> Vec<WideSummary> {
    fn each<T: Wide>(
        numbers: &[T],
        strip: &Strip<'_>,
        blocks: impl Iterator<Item = Range<usize>>,
        runs: &[Range<usize>],
        tally: &mut Tally,
    ) -> Vec<WideSummary> {
        let (mut columns, mut out) = (Columns::new(), Vec::new());
        let width = strip.unit.1.len();
        blocks.for_each(|rows| {
            columns.summaries((numbers, strip.lines), rows, (width, runs), tally, |s| {
                out.push(s)
            })
        });
        out
    }
    match strip.numbers {
        Numbers::F32 { .. } => Vec::new(),
        Numbers::F64(v) => each(v, strip, blocks, runs, tally),
        Numbers::I64(v) => each(v, strip, blocks, runs, tally),
        Numbers::U64(v) => each(v, strip, blocks, runs, tally),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_numbers() {
        let floats = [
            f64::NEG_INFINITY,
            -1e300,
            -1.0,
            -5e-324,
            0.0,
            5e-324,
            1.0,
            1.0000000000000002,
            f64::MAX,
            f64::INFINITY,
        ];
        assert!(floats.windows(2).all(|p| float_key(p[0]) < float_key(p[1])));
        assert!(floats.iter().all(|v| key_float(float_key(*v)) == *v));
        assert_eq!(float_key(-0.0), float_key(0.0));
        let whole = [0, 1, (1 << 53) + 1, i64::MAX as u64, 1 << 63, u64::MAX];
        assert!(
            whole
                .windows(2)
                .all(|p| Kind::U64.key(Number::U64(p[0])) < Kind::U64.key(Number::U64(p[1])))
        );
        assert!(
            whole
                .iter()
                .all(|v| Kind::U64.number(Kind::U64.key(Number::U64(*v))) == Number::U64(*v))
        );
        for v in [i64::MIN, -1, 0, i64::MAX] {
            assert_eq!(Kind::I64.number(Kind::I64.key(Number::I64(v))), Number::I64(v));
        }
        assert_eq!(size_of::<WideSummary>(), 48);
    }

    /// The summary of a row of numbers with the bits beside them.
    fn row<T: Wide>(numbers: &[T], bits: &[u32]) -> WideSummary {
        let lines = Lines {
            bits,
            stride: bits.len(),
            foreign: false,
        };
        let (mut out, whole) = (WideSummary::default(), vec![0..bits.len(); 1]);
        Columns::new().summaries(
            (numbers, lines),
            0..1,
            (bits.len(), &whole),
            &mut Tally::default(),
            |s| out = s,
        );
        out
    }

    #[test]
    fn runs_keep_every_number_whatever_lies_beside_it() {
        let plain = [0u32; 3];
        let mut s = row(&[1e300, 2.5, 1e300], &plain);
        s.merge(&row(&[-1e300, -1e300, 0.5], &[0, 0, State::Masked.bits()]));
        assert_eq!(
            (s.min(), s.max(), s.count()),
            (Some(Number::F64(-1e300)), Some(Number::F64(1e300)), 5)
        );
        assert_eq!((s.mean(), s.states()), (Number::F64(0.5), 2));
        assert_eq!(row(&[u64::MAX; 3], &plain).mean(), Number::U64(u64::MAX));
        assert_eq!(
            row(&[i64::MIN, 4, 5], &[State::Nan.bits(), 0, 0]).min(),
            Some(Number::I64(4))
        );
        assert_eq!(
            row(&[f64::INFINITY, 3.0, 1.0], &plain).mean(),
            Number::F64(f64::INFINITY)
        );
        assert_eq!(row(&[1e17, 1.0, -1e17], &plain).mean(), Number::F64(1.0 / 3.0));
        assert_eq!(WideSummary::default().min(), None);
    }

    #[test]
    fn both_ways_give_what_number_by_number_does() {
        let mut seed = 5u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        for (width, height) in [(1usize, 9usize), (7, 3), (8, 1), (100, 2), (333, 1), (37, 20)] {
            for spoiled in [false, true] {
                let mut number = || {
                    if spoiled && next() % 31 == 0 {
                        1e300
                    } else {
                        next() as f64 - 1e9
                    }
                };
                let numbers: Vec<f64> = (0..width * height).map(|_| number()).collect();
                let bits: Vec<u32> = numbers
                    .iter()
                    .map(|_| {
                        if spoiled && next() % 17 == 0 {
                            State::Nan.bits()
                        } else {
                            0
                        }
                    })
                    .collect();
                let lines = Lines {
                    bits: &bits,
                    stride: width,
                    foreign: false,
                };
                let strip = Strip {
                    unit: (0..height, 0..width),
                    lines,
                    numbers: Numbers::F64(&numbers),
                    transposed: false,
                };
                let runs = [0..width.div_ceil(2), width / 2..width];
                let got = fold(&strip, std::iter::once(0..height), &runs, &mut Tally::default());
                for (run, got) in runs.iter().zip(&got) {
                    let mut want = WideSummary::default();
                    for i in (0..height).flat_map(|r| run.clone().map(move |c| r * width + c)) {
                        want.take(numbers[i], bits[i], &mut Tally::default());
                    }
                    assert_eq!(
                        (got.min(), got.max(), got.count(), got.states()),
                        (want.min(), want.max(), want.count(), want.states())
                    );
                    let (got, want) = (got.mean().as_f64(), want.mean().as_f64());
                    assert!(
                        (got - want).abs() <= 1e-15 * want.abs() + 1e-6 || got.is_nan() && want.is_nan(),
                        "{got} {want}"
                    );
                }
            }
        }
    }
}
