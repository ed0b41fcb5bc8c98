//! Exact order statistics by counting, over numbers that f32 does not hold: up to seven passes, whatever their number. The
//! counters take no more than a few MiB.

use super::backing::Strip;
use super::cell::State;
use super::number_key::{float_key, key_float};
use super::passes::{Stop, Walk};
use super::ranks::{Ranked, apart};
use super::values::Kind;
use std::sync::{Mutex, PoisonError};

/// Bits of a 64-bit key that a pass counts of wide numbers: this many of a lone bin, fewer of each of several, and no fewer than these.
const MOST_BITS: u32 = 20;
const LEAST_BITS: u32 = 8;
/// This many numbers whose place is still open are gathered and sorted.
pub(super) const GATHERED: u64 = 1 << 20;

/// Where numbers are that share the high bits of their keys.
struct Bin {
    /// Those bits.
    prefix: u64,
    /// How many numbers lie before them.
    before: u64,
    /// The numbers of each grid that lie before them, and among them.
    of_grids: Vec<[u64; 2]>,
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

/// Facts about all keys before any is counted.
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
    /// Nothing but how many numbers there are at most.
    const fn count(numbers: u64) -> Self {
        Self { prefix: 0, bits: 0, numbers }
    }
}

/// The finite values of these ranks (ascending, counted from 0) among all numbers, at most `finite`, as f64.
pub(super) fn wide_ranks(walk: &Walk<'_>, wanted: &[u64], finite: u64) -> Result<Vec<Ranked>, Stop> {
    let keys = ranked_keys(walk, &FiniteFloats, wanted, Known::count(finite))?;
    let float = |ranked: Ranked<u64>| ranked.map(|key| key_float(signed(key)));
    Ok(keys.into_iter().map(float).collect())
}

/// The keys of these ranks (ascending, counted from 0) among all keys.
pub(super) fn ranked_keys(
    walk: &Walk<'_>,
    keys: &impl Keys,
    wanted: &[u64],
    known: Known,
) -> Result<Vec<Ranked<u64>>, Stop> {
    ranked_keys_by(walk, keys, wanted, known, GATHERED)
}

/// As [`ranked_keys`]; counts until at most `gathered` numbers are open.
fn ranked_keys_by(
    walk: &Walk<'_>,
    keys: &impl Keys,
    wanted: &[u64],
    start: Known,
    gathered: u64,
) -> Result<Vec<Ranked<u64>>, Stop> {
    let (is_apart, grids) = apart(walk, wanted.len());
    let mut bins =
        vec![Bin { prefix: start.prefix, before: 0, of_grids: vec![[0; 2]; grids], ranks: wanted.to_vec() }];
    let (mut known, mut open) = (start.bits, start.numbers);
    while known < 64 && open > gathered {
        let taken = (bins.len() * grids).next_power_of_two().trailing_zeros();
        let digit = MOST_BITS.saturating_sub(taken).max(LEAST_BITS).min(64 - known);
        let open_bins = bins.len();
        let counts = count_wide(walk, keys, &bins, (known, digit), grids)?;
        let (mut next, mut left) = (Vec::new(), 0);
        for (b, bin) in bins.into_iter().enumerate() {
            let (mut before, mut ranks) = (bin.before, bin.ranks.iter().copied().peekable());
            let mut of_grids: Vec<[u64; 2]> = bin.of_grids.iter().map(|n| [n[0], 0]).collect();
            for low in 0..1usize << digit {
                let mut n = 0;
                for (g, [_, among]) in of_grids.iter_mut().enumerate() {
                    *among = counts[((g * open_bins + b) << digit) | low];
                    n += *among;
                }
                let mut here = Vec::new();
                while let Some(rank) = ranks.next_if(|r| *r < before + n) {
                    here.push(rank);
                }
                if !here.is_empty() {
                    next.push(Bin {
                        prefix: bin.prefix << digit | low as u64,
                        before,
                        of_grids: of_grids.clone(),
                        ranks: here,
                    });
                    left += n;
                }
                before += n;
                of_grids.iter_mut().for_each(|[below, among]| *below += *among);
            }
        }
        (bins, known, open) = (next, known + digit, left);
    }
    // Keys of the bins, each with its grid.
    let mut lists: Vec<Vec<(u64, u32)>> = bins.iter().map(|_| Vec::new()).collect();
    if known < 64 {
        let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
        let gather = |grid: usize, strip: &Strip<'_>| {
            let mut found = Vec::new();
            keys.each(strip, |k| {
                found.extend(bin_of(&prefixes, k, known).map(|bin| (bin, (k, grid as u32))));
            });
            found
        };
        walk.each_of(gather, |found: Vec<(usize, (u64, u32))>| {
            found.into_iter().for_each(|(bin, key)| lists[bin].push(key));
        })?;
    }
    let mut out = Vec::with_capacity(wanted.len());
    for (bin, list) in bins.iter().zip(&mut lists) {
        list.sort_unstable();
        let ranked = |rank: &u64| {
            let mut of_grids = if is_apart { bin.of_grids.clone() } else { Vec::new() };
            if known == 64 {
                return Ranked { value: bin.prefix, of_grids };
            }
            // A file that changes between two passes may lack numbers that were counted.
            let found = list.get((rank - bin.before) as usize).or(list.last());
            let value = found.map_or(bin.prefix << (63 - known) << 1, |key| key.0);
            of_grids.iter_mut().for_each(|[_, equal]| *equal = 0);
            if is_apart {
                let end = list.partition_point(|(key, _)| *key <= value);
                for (key, grid) in &list[..end] {
                    of_grids[*grid as usize][usize::from(*key == value)] += 1;
                }
            }
            Ranked { value, of_grids }
        };
        out.extend(bin.ranks.iter().map(ranked));
    }
    Ok(out)
}

/// Counts the next digit of all keys that fall into a bin: counters for each bin of each grid.
fn count_wide(
    walk: &Walk<'_>,
    keys: &impl Keys,
    bins: &[Bin],
    (known, digit): (u32, u32),
    grids: usize,
) -> Result<Vec<u64>, Stop> {
    let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
    let shift = 64 - known - digit;
    let all = Mutex::new(vec![0u64; (bins.len() * grids) << digit]);
    let work = |grid: usize, strip: &Strip<'_>| {
        // The places of a window's keys take less than counters of its own.
        let mut own: Vec<usize> = Vec::new();
        let first = if grids == 1 { 0 } else { grid * bins.len() };
        let place = |bin: usize, k: u64| (first + bin) << digit | (k >> shift) as usize & ((1 << digit) - 1);
        keys.each(strip, |k| {
            own.extend(bin_of(&prefixes, k, known).map(|bin| place(bin, k)));
        });
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        own.into_iter().for_each(|i| all[i] += 1);
    };
    walk.each_of(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The bin of a key by the high bits that are known.
fn bin_of(prefixes: &[u64], key: u64, known: u32) -> Option<usize> {
    if known == 0 { Some(0) } else { prefixes.binary_search(&(key >> (64 - known))).ok() }
}

#[cfg(test)]
mod tests {
    use super::super::Grid;
    use super::super::body::Cut;
    use super::*;

    #[test]
    fn ranks_of_wide_numbers_are_those_of_a_sort() {
        let mut seed = 77u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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
            let halves: Vec<Grid> =
                values.chunks(1500).map(|half| Grid::from_rows(15, 100, half.to_vec()).unwrap()).collect();
            let few = vec![0, 1, 77, 1500, sorted.len() as u64 - 1];
            let many: Vec<u64> = (0..sorted.len() as u64).step_by(1 + (next() >> 60) as usize).collect();
            for (wanted, gathered) in [&few, &many]
                .into_iter()
                .flat_map(|wanted| [GATHERED, 500, 0].map(|gathered| (wanted, gathered)))
            {
                let cut = Cut { threads: 2, cells: 700 };
                let cells: Vec<_> = halves.iter().map(|g| (&g.backing, (15, 100))).collect();
                let walk = Walk::over(&cells, cut);
                let known = Known::count(u64::MAX);
                let got = ranked_keys_by(&walk, &FiniteFloats, wanted, known, gathered).unwrap();
                assert_eq!(got.len(), wanted.len());
                for (rank, got) in wanted.iter().zip(got) {
                    let (at, want) = (key_float(signed(got.value)), sorted[*rank as usize]);
                    assert_eq!(at, want, "{kind} {gathered} {rank}");
                    let counts = |half: &[f64]| {
                        let finite = || half.iter().filter(|v| v.is_finite());
                        let below = finite().filter(|v| **v < want).count();
                        [below as u64, finite().filter(|v| **v == want).count() as u64]
                    };
                    let counts: Vec<[u64; 2]> = values.chunks(1500).map(counts).collect();
                    assert!(got.of_grids == counts || (wanted.len() > 8 && got.of_grids.is_empty()));
                }
            }
        }
    }
}
