//! Exact order statistics by counting, over numbers that f32 does not hold: up to seven passes, whatever their number. The
//! counters take no more than a few MiB.

use super::backing::Strip;
use super::number_key::{float_key, key_float};
use super::state::State;
use super::values::Kind;
use super::walk::{Stop, Walk};
use std::sync::{Mutex, PoisonError};

/// Bits of a 64-bit key that a pass counts of wide numbers: this many of a lone bin, fewer of each of several, and no fewer than these.
const MOST_BITS: u32 = 20;
const LEAST_BITS: u32 = 8;
/// This many numbers whose place is still open are gathered and sorted.
const GATHERED: u64 = 1 << 20;

/// Where numbers are that share the high bits of their keys.
struct Bin {
    /// Those bits.
    prefix: u64,
    /// How many numbers lie before them.
    before: u64,
    /// The ranks that fall among them.
    ranks: Vec<u64>,
}

/// The keys of the numbers that are ranked: unsigned integers of the same order.
pub(super) trait Keys: Sync {
    /// Hands over the key of each number of a window.
    fn each(&self, strip: &Strip<'_>, take: impl FnMut(u64));
}

/// All finite numbers, as f64.
struct FiniteFloats;

/// All numbers of a kind, infinities among them.
pub(super) struct AllOf(pub Kind);

impl Keys for FiniteFloats {
    fn each(&self, strip: &Strip<'_>, mut take: impl FnMut(u64)) {
        let width = strip.unit.1.len();
        for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
            if State::of_bits(strip.lines.at(r, c)).is_none() {
                let v = strip.number(r, c).as_f64();
                if v.is_finite() {
                    take(unsigned(float_key(v)));
                }
            }
        }
    }
}

impl Keys for AllOf {
    fn each(&self, strip: &Strip<'_>, mut take: impl FnMut(u64)) {
        let width = strip.unit.1.len();
        for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
            if State::of_bits(strip.lines.at(r, c)).is_none() {
                take(unsigned(self.0.key(strip.number(r, c))));
            }
        }
    }
}

/// A key as an unsigned integer of the same order.
pub(super) const fn unsigned(key: i64) -> u64 {
    key as u64 ^ 1 << 63
}

/// The key of an unsigned one.
pub(super) const fn signed(key: u64) -> i64 {
    (key ^ 1 << 63) as i64
}

/// What is known of all keys before any is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The high bits that all share.
    pub prefix: u64,
    /// How many bits these are.
    pub bits: u32,
    /// At most this many numbers are counted.
    pub numbers: u64,
}

impl Known {
    /// Nothing.
    const NOTHING: Self = Self {
        prefix: 0,
        bits: 0,
        numbers: u64::MAX,
    };
}

/// The finite values of these ranks (ascending, counted from 0) among all numbers, as f64.
pub(super) fn wide_ranks(walk: &Walk<'_>, wanted: &[u64]) -> Result<Vec<f64>, Stop> {
    let keys = ranked_keys(walk, &FiniteFloats, wanted, Known::NOTHING)?;
    Ok(keys.into_iter().map(|k| key_float(signed(k))).collect())
}

/// The keys of these ranks (ascending, counted from 0) among all keys.
pub(super) fn ranked_keys(
    walk: &Walk<'_>,
    keys: &impl Keys,
    wanted: &[u64],
    known: Known,
) -> Result<Vec<u64>, Stop> {
    ranked_keys_by(walk, keys, wanted, known, GATHERED)
}

/// As [`ranked_keys`]; counts until at most `gathered` numbers are open.
fn ranked_keys_by(
    walk: &Walk<'_>,
    keys: &impl Keys,
    wanted: &[u64],
    start: Known,
    gathered: u64,
) -> Result<Vec<u64>, Stop> {
    let mut bins = vec![Bin {
        prefix: start.prefix,
        before: 0,
        ranks: wanted.to_vec(),
    }];
    let (mut known, mut open) = (start.bits, start.numbers);
    while known < 64 && open > gathered {
        let shared = bins.len().next_power_of_two().trailing_zeros();
        let digit = MOST_BITS.saturating_sub(shared).max(LEAST_BITS).min(64 - known);
        let counts = count_wide(walk, keys, &bins, (known, digit))?;
        let of_bin = bins.iter().zip(counts.chunks_exact(1 << digit));
        let (mut next, mut left) = (Vec::new(), 0);
        for (bin, counts) in of_bin {
            let (mut before, mut ranks) = (bin.before, bin.ranks.iter().copied().peekable());
            for (low, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
                let mut here = Vec::new();
                while let Some(rank) = ranks.next_if(|r| *r < before + n) {
                    here.push(rank);
                }
                if !here.is_empty() {
                    next.push(Bin {
                        prefix: bin.prefix << digit | low as u64,
                        before,
                        ranks: here,
                    });
                    left += n;
                }
                before += n;
            }
        }
        (bins, known, open) = (next, known + digit, left);
    }
    let mut lists: Vec<Vec<u64>> = bins.iter().map(|_| Vec::new()).collect();
    if known < 64 {
        let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
        let gather = |strip: &Strip<'_>| {
            let mut found = Vec::new();
            keys.each(strip, |k| {
                found.extend(bin_of(&prefixes, k, known).map(|bin| (bin, k)));
            });
            found
        };
        walk.each(gather, |found: Vec<(usize, u64)>| {
            found.into_iter().for_each(|(bin, k)| lists[bin].push(k));
        })?;
    }
    let mut out = Vec::with_capacity(wanted.len());
    for (bin, list) in bins.iter().zip(&mut lists) {
        list.sort_unstable();
        let key = |rank: &u64| {
            if known == 64 {
                return bin.prefix;
            }
            // A file that changes between two passes may lack numbers that were counted.
            let found = list.get((rank - bin.before) as usize).or(list.last());
            found.copied().unwrap_or(bin.prefix << (63 - known) << 1)
        };
        out.extend(bin.ranks.iter().map(key));
    }
    Ok(out)
}

/// Counts the next digit of all keys that fall into a bin.
fn count_wide(
    walk: &Walk<'_>,
    keys: &impl Keys,
    bins: &[Bin],
    (known, digit): (u32, u32),
) -> Result<Vec<u64>, Stop> {
    let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
    let shift = 64 - known - digit;
    let all = Mutex::new(vec![0u64; bins.len() << digit]);
    let work = |strip: &Strip<'_>| {
        // The places of a window's keys take less than counters of its own.
        let mut own: Vec<usize> = Vec::new();
        let place = |bin: usize, k: u64| bin << digit | (k >> shift) as usize & ((1 << digit) - 1);
        keys.each(strip, |k| {
            own.extend(bin_of(&prefixes, k, known).map(|bin| place(bin, k)));
        });
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        own.into_iter().for_each(|i| all[i] += 1);
    };
    walk.each(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The bin of a key by the high bits that are known.
fn bin_of(prefixes: &[u64], key: u64, known: u32) -> Option<usize> {
    if known == 0 {
        Some(0)
    } else {
        prefixes.binary_search(&(key >> (64 - known))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grid;
    use super::super::window_fold::Cut;
    use super::*;

    #[test]
    fn ranks_of_wide_numbers_are_those_of_a_sort() {
        let mut seed = 77u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed
        };
        for kind in 0..4 {
            let values: Vec<f64> = (0..3000)
                .map(|_| match kind {
                    0 => f64::from_bits(next()),
                    1 => 1.7e9 + (next() >> 60) as f64,
                    2 => 1.0 + (next() >> 58) as f64 * f64::EPSILON,
                    _ => 42.0,
                })
                .collect();
            let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
            sorted.sort_by(f64::total_cmp);
            let g = Grid::from_rows(30, 100, values).unwrap();
            let wanted: Vec<u64> = (0..sorted.len() as u64)
                .step_by(1 + (next() >> 60) as usize)
                .collect();
            let want: Vec<f64> = wanted.iter().map(|r| sorted[*r as usize]).collect();
            for gathered in [GATHERED, 500, 0] {
                let cut = Cut {
                    threads: 2,
                    cells: 700,
                };
                let walk = Walk::over(&[(&g.backing, (30, 100))], cut);
                let got = ranked_keys_by(&walk, &FiniteFloats, &wanted, Known::NOTHING, gathered).unwrap();
                let got: Vec<f64> = got.into_iter().map(|k| key_float(signed(k))).collect();
                assert_eq!(got, want, "{kind} {gathered}");
            }
        }
    }
}
