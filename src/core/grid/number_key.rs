//! The order of numbers that f32 does not hold, as 64-bit integer keys, and cells as words of such keys for the device.

use super::backing::Strip;
use super::values::{Kind, Number, Numbers};
use super::{Grid, SourceError, State, error};
use std::ops::{Range, RangeInclusive};

/// An integer of the same order as the floats; -0 equals +0. NaN has no place in it.
#[inline(always)]
pub(crate) const fn float_key(v: f64) -> i64 {
    let bits = v.to_bits() as i64;
    let (magnitude, sign) = (bits & i64::MAX, bits >> 63);
    (magnitude ^ sign) - sign
}

/// The float of a key.
pub(crate) const fn key_float(key: i64) -> f64 {
    f64::from_bits(if key < 0 { key.unsigned_abs() | 1 << 63 } else { key as u64 })
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

/// The least key for which `holds`, which never turns false again; `None` where it holds for none.
pub(crate) fn first_key(keys: RangeInclusive<i64>, holds: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut high) = (i128::from(*keys.start()), i128::from(*keys.end()));
    while low < high {
        let middle = (low + high).div_euclid(2);
        if holds(middle as i64) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    holds(low as i64).then_some(low as i64)
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

    /// The keys that numbers of this kind may have, infinities among them.
    pub const fn keys(self) -> RangeInclusive<i64> {
        match self {
            Kind::I64 | Kind::U64 => i64::MIN..=i64::MAX,
            Kind::F32 | Kind::F64 => float_key(f64::NEG_INFINITY)..=float_key(f64::INFINITY),
        }
    }

    /// The number of a key.
    #[inline]
    pub fn number(self, key: i64) -> Number {
        match self {
            Kind::I64 => Number::I64(key),
            Kind::U64 => Number::U64(key as u64 ^ 1 << 63),
            Kind::F32 | Kind::F64 => Number::F64(key_float(key)),
        }
    }
}

/// The high halves of the words that states may have. Their low half is `MARK_LOW` and the index of the state. No float has
/// a key of the first one; of integers one is taken that no number of the grid has.
pub const MARKS: [u32; 4] = [0x7fff_ffff, 0x8000_0000, 0x5a5a_5a5a, 0xa5a5_a5a5];

/// The low half of the mark of the first state.
const MARK_LOW: u32 = 0xffff_fff8;

/// Bits that the words of some cells have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Bit i: some number has a word that would be a state with mark i of [`MARKS`].
    taken: u8,
}

impl Held {
    /// Joins the facts about other cells.
    pub fn merge(&mut self, other: Held) {
        self.taken |= other.taken;
    }

    /// The index of a mark that no number has; `used` if none has that.
    pub fn mark(self, used: usize) -> Option<usize> {
        [used].into_iter().chain(0..MARKS.len()).find(|i| self.taken & 1 << i == 0)
    }

    #[inline]
    fn see(&mut self, key: i64) {
        let (high, low) = ((key >> 32) as u32, key as u32);
        if low >= MARK_LOW {
            MARKS.iter().enumerate().for_each(|(i, m)| self.taken |= u8::from(high == *m) << i);
        }
    }
}

impl Grid {
    /// Reads the words of a window of a grid of a wide kind, row after row, low halves first; states have the mark of this
    /// index of [`MARKS`].
    ///
    /// # Errors
    /// When the source does not give its cells.
    ///
    /// # Panics
    /// When a range leaves the grid, or `into` is not two words for each cell.
    pub fn read_words(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        mark: usize,
        into: &mut [u32],
    ) -> Result<Held, SourceError> {
        error::assert_range("rows", &rows, self.height());
        error::assert_range("columns", &columns, self.width());
        assert_eq!(into.len(), rows.len() * columns.len() * 2, "two words a cell of {rows:?} x {columns:?}");
        let transposed = self.backing.transposed();
        let unit = if transposed { (columns.clone(), rows) } else { (rows, columns.clone()) };
        let mut buffer = self.backing.buffer();
        let strip = self.backing.strip(&unit, self.width(), &mut buffer)?;
        let width = columns.len();
        Ok(match strip.numbers {
            Numbers::F32 { .. } => Held::default(),
            Numbers::F64(v) => fill(&strip, v, width, mark, into),
            Numbers::I64(v) => fill(&strip, v, width, mark, into),
            Numbers::U64(v) => fill(&strip, v, width, mark, into),
        })
    }
}

/// The words of a window that is `width` columns of the grid wide.
fn fill<T: Wide>(strip: &Strip<'_>, numbers: &[T], width: usize, mark: usize, into: &mut [u32]) -> Held {
    let mut held = Held::default();
    for (row, line) in into.chunks_exact_mut((2 * width).max(1)).enumerate() {
        for (column, to) in line.chunks_exact_mut(2).enumerate() {
            let (r, c) = if strip.transposed { (column, row) } else { (row, column) };
            if let Some(state) = State::of_bits(strip.lines.at(r, c)) {
                to.copy_from_slice(&[MARK_LOW | state.index() as u32, MARKS[mark]]);
            } else {
                let key = numbers[r * strip.lines.stride + c].key();
                held.see(key);
                to.copy_from_slice(&[key as u32, (key >> 32) as u32]);
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Values};
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
            whole.windows(2).all(|p| Kind::U64.key(Number::U64(p[0])) < Kind::U64.key(Number::U64(p[1])))
        );
        assert!(whole.iter().all(|v| Kind::U64.number(Kind::U64.key(Number::U64(*v))) == Number::U64(*v)));
        for v in [i64::MIN, -1, 0, i64::MAX] {
            assert_eq!(Kind::I64.number(Kind::I64.key(Number::I64(v))), Number::I64(v));
        }
    }

    fn words(values: Values, states: &[Option<State>], mark: usize) -> (Vec<u64>, Held) {
        let n = values.len();
        let grid = Grid::new(Axis::index("", 1), Axis::index("", n), values, states).unwrap();
        let mut into = vec![0; 2 * n];
        let held = grid.read_words(0..1, 0..n, mark, &mut into).unwrap();
        let word = |w: &[u32]| u64::from(w[1]) << 32 | u64::from(w[0]);
        (into.chunks_exact(2).map(word).collect(), held)
    }

    #[test]
    fn words_sort_as_their_numbers_and_states_have_marks() {
        let hard = [f64::NEG_INFINITY, -1e300, -5e-324, 0.0, 5e-324, 1e300, f64::INFINITY];
        let mut states = vec![None; 7];
        let (found, held) = words(Values::F64(hard.to_vec()), &states, 0);
        assert!(found.windows(2).all(|w| (w[0] as i64) < w[1] as i64));
        assert_eq!(held, Held::default());
        states[2] = Some(State::Absent);
        let (found, held) = words(Values::F64(hard.to_vec()), &states, 0);
        assert_eq!((found[2], held.mark(0)), (0x7fff_ffff_ffff_fffd, Some(0)));
    }

    #[test]
    fn a_mark_is_one_that_no_integer_has() {
        let ends = [i64::MAX, i64::MIN + 0xffff_ffff, 7];
        let (_, held) = words(Values::I64(ends.to_vec()), &[], 0);
        assert_eq!(
            (held.taken, held.mark(0)),
            (3, Some(2)),
            "without states, too: no number must look like one"
        );
        let (_, held) = words(Values::I64(ends.to_vec()), &[None, None, Some(State::Masked)], 0);
        assert_eq!((held.mark(0), held.mark(3)), (Some(2), Some(3)));
        let all: Vec<u64> = MARKS.iter().map(|m| (u64::from(*m) << 32 | 0xffff_ffff) ^ 1 << 63).collect();
        let (_, held) = words(Values::U64(all), &[Some(State::Nan), None, None, None], 1);
        assert_eq!(held.mark(1), Some(0), "the first one was a state");
        let mut both = held;
        both.merge(Held { taken: 1 });
        assert_eq!(both.mark(1), None);
    }
}
