//! Exact order statistics by counting: the digits of keys that keep the order of numbers, pass by pass, until the numbers that are
//! left can be gathered and sorted. Two passes over f32, up to seven over wider numbers, whatever their number. The counters take
//! up to 8 MiB.

use super::backing::Strip;
use super::cell::State;
use super::number_key::{float_key, key_float};
use super::passes::{Stop, Walk};
use super::values::Kind;
use std::sync::{Mutex, PoisonError};

/// Up to this many ranks, the values of each grid are counted apart.
const MOST_APART: usize = 8;
/// Bits of the number of counters of a pass, and the fewest bits of a key that it counts.
const COUNTERS: u32 = 20;
const LEAST_BITS: u32 = 8;
/// Each thread has its own counters where there are no more than these.
const OWN_COUNTERS: usize = 1 << 16;

/// A value found by its rank among the finite values of some grids.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked<T = f64> {
    /// The value.
    pub value: T,
    /// Number of finite values below it and equal to it in each grid; empty if many ranks were requested.
    pub of_grids: Vec<[u64; 2]>,
}

impl<T> Ranked<T> {
    /// The same with another form of the value.
    pub(super) fn map<U>(self, form: impl FnOnce(T) -> U) -> Ranked<U> {
        Ranked { value: form(self.value), of_grids: self.of_grids }
    }
}

/// Whether the values of each grid are counted apart for this many ranks, and the number of grids that are: many ranks count
/// all grids as one.
fn apart(walk: &Walk<'_>, ranks: usize) -> (bool, usize) {
    let is_apart = ranks <= MOST_APART;
    (is_apart, if is_apart { walk.grids() } else { 1 })
}

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
pub(super) trait RankKeys: Sync {
    /// The most bits of a key that a pass counts.
    const MOST_BITS: u32 = 20;
    /// This many numbers whose place is still open are gathered and sorted.
    const GATHERED: u64 = 1 << 20;

    /// Hands over the key of each number of a window.
    fn each(&self, strip: &Strip<'_>, take: impl FnMut(u64));
}

/// All finite numbers of grids of f32. Their keys have 32 bits; -0 equals +0.
struct FiniteStored;

/// All finite numbers, as f64.
struct FiniteFloats;

/// All numbers of a kind, infinities among them.
pub(super) struct AllOf(pub Kind);

impl RankKeys for FiniteStored {
    const MOST_BITS: u32 = 16;

    fn each(&self, strip: &Strip<'_>, mut take: impl FnMut(u64)) {
        let key = |bits: u32| match bits & 0x7fff_ffff < 0x7f80_0000 {
            true => Some(u64::from(if bits > 0x8000_0000 { !bits } else { bits | 0x8000_0000 })),
            false => None,
        };
        strip.rows(|from, len| {
            strip.lines.bits[from..from + len].iter().filter_map(|b| key(*b)).for_each(&mut take);
        });
    }
}

/// The stored value of a 32-bit key.
fn stored(key: u32) -> f32 {
    f32::from_bits(if key & 0x8000_0000 != 0 { key & 0x7fff_ffff } else { !key })
}

impl RankKeys for FiniteFloats {
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

impl RankKeys for AllOf {
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

/// The finite values of these ranks (ascending, counted from 0) among all numbers, at most `finite`; `is_wide` where some grid
/// holds other numbers than f32.
pub(super) fn ranks(
    walk: &Walk<'_>,
    wanted: &[u64],
    finite: u64,
    is_wide: bool,
) -> Result<Vec<Ranked>, Stop> {
    let known = |bits| Known { prefix: 0, bits, numbers: finite };
    Ok(if is_wide {
        let float = |ranked: Ranked<u64>| ranked.map(|key| key_float(signed(key)));
        ranked_keys(walk, &FiniteFloats, wanted, known(0))?.into_iter().map(float).collect()
    } else {
        let float = |ranked: Ranked<u64>| ranked.map(|key| f64::from(stored(key as u32)));
        ranked_keys(walk, &FiniteStored, wanted, known(32))?.into_iter().map(float).collect()
    })
}

/// The keys of these ranks (ascending, counted from 0) among all keys.
pub(super) fn ranked_keys<K: RankKeys>(
    walk: &Walk<'_>,
    keys: &K,
    wanted: &[u64],
    known: Known,
) -> Result<Vec<Ranked<u64>>, Stop> {
    ranked_keys_by(walk, keys, wanted, known, K::GATHERED)
}

/// As [`ranked_keys`]; counts until at most `gathered` numbers are open.
fn ranked_keys_by<K: RankKeys>(
    walk: &Walk<'_>,
    keys: &K,
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
        let digit = COUNTERS.saturating_sub(taken).clamp(LEAST_BITS, K::MOST_BITS).min(64 - known);
        let open_bins = bins.len();
        let counts = count(walk, keys, &Places::new(&bins, known, known == start.bits), digit, grids)?;
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
        let places = Places::new(&bins, known, known == start.bits);
        let gather = |grid: usize, strip: &Strip<'_>| {
            let mut found = Vec::new();
            keys.each(strip, |k| {
                found.extend(places.bin(k).map(|bin| (bin, (k, grid as u32))));
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

/// Counts the next `digit` bits of all keys that fall into a bin: counters for each bin of each grid.
fn count(
    walk: &Walk<'_>,
    keys: &impl RankKeys,
    places: &Places,
    digit: u32,
    grids: usize,
) -> Result<Vec<u64>, Stop> {
    let (shift, mask) = (64 - places.known - digit, (1 << digit) - 1);
    let counters = places.prefixes.len() << digit;
    let all = Mutex::new(vec![0u64; counters * grids]);
    let work = |grid: usize, strip: &Strip<'_>| {
        let first = if grids == 1 { 0 } else { grid * counters };
        if places.is_all && counters <= OWN_COUNTERS {
            let mut own = vec![0u32; counters];
            keys.each(strip, |k| own[(k >> shift) as usize & mask] += 1);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all[first..].iter_mut().zip(own).for_each(|(all, n)| *all += u64::from(n));
        } else {
            let mut own: Vec<u32> = Vec::new();
            keys.each(strip, |k| {
                if let Some(bin) = places.bin(k) {
                    own.push((bin << digit | (k >> shift) as usize & mask) as u32);
                }
            });
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            own.into_iter().for_each(|i| all[first + i as usize] += 1);
        }
    };
    walk.each_of(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The bins of keys, by the high bits that are known.
struct Places {
    /// Nothing has been counted: all keys are in one bin.
    is_all: bool,
    known: u32,
    prefixes: Vec<u64>,
    first: u64,
    /// By the distance from the first prefix the bin, or `NOWHERE`; empty where prefixes are far apart.
    table: Vec<u32>,
}

/// The longest table of bins.
const MOST_PLACES: u64 = 1 << 20;
const NOWHERE: u32 = u32::MAX;

impl Places {
    fn new(bins: &[Bin], known: u32, is_all: bool) -> Self {
        let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
        let mut table = Vec::new();
        if let (Some(first), Some(last)) = (prefixes.first(), prefixes.last())
            && last - first < MOST_PLACES
        {
            table = vec![NOWHERE; (last - first + 1) as usize];
            prefixes.iter().zip(0..).for_each(|(p, bin)| table[(p - first) as usize] = bin);
        }
        Self { is_all, known, first: prefixes.first().copied().unwrap_or(0), prefixes, table }
    }

    fn bin(&self, key: u64) -> Option<usize> {
        let prefix = key.checked_shr(64 - self.known).unwrap_or(0);
        if self.table.is_empty() {
            return self.prefixes.binary_search(&prefix).ok();
        }
        let bin = self.table.get(prefix.wrapping_sub(self.first) as usize);
        bin.filter(|bin| **bin != NOWHERE).map(|bin| *bin as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Cut;
    use super::super::passes::Cells;
    use super::super::{Grid, Values};
    use super::*;
    use gridscope_random::Random;

    fn found(grids: &[Cells<'_>], wanted: &[u64], threads: usize) -> Vec<Ranked> {
        let cut = Cut { threads, cells: 64 };
        let walk = Walk::over(grids, cut);
        let found = ranks(&walk, wanted, u64::MAX, false).unwrap();
        let known = Known { prefix: 0, bits: 32, numbers: u64::MAX };
        for gathered in [300, 0] {
            let keys = ranked_keys_by(&walk, &FiniteStored, wanted, known, gathered).unwrap();
            let float = |r: Ranked<u64>| r.map(|key| f64::from(stored(key as u32)));
            assert_eq!(keys.into_iter().map(float).collect::<Vec<_>>(), found);
        }
        found
    }

    fn of(grids: &[Cells<'_>], wanted: &[u64], threads: usize) -> Vec<f32> {
        let found = found(grids, wanted, threads);
        found.into_iter().map(|r| r.value as f32).collect()
    }

    #[test]
    fn ranks_are_those_of_a_sort() {
        let mut random = Random(3);
        let values: Vec<f32> = (0..5000).map(|_| f32::from_bits(random.bits() as u32)).collect();
        let mut sorted: Vec<f32> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f32::total_cmp);
        let axis = |n| super::super::Axis::index("", n);
        let make = |v: &[f32]| {
            Grid::new(axis(50), axis(v.len() / 50), Values::F32 { data: v.to_vec(), integer: false }, &[])
                .unwrap()
        };
        let (a, b) = (make(&values[..2000]), make(&values[2000..]));
        let wanted: Vec<u64> = [0, 1, 77, 78, 2000, 2000, sorted.len() as u64 - 1].into();
        let got = of(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3);
        assert_eq!(got, wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>());
        // More grids than a pass of 16 bits has counters for.
        let parts: Vec<Grid> = values.chunks(50).map(make).collect();
        let cells: Vec<_> = parts.iter().map(|g| (&g.backing, (50, 1))).collect();
        for ranked in found(&cells, &wanted, 2) {
            for (part, counts) in values.chunks(50).zip(&ranked.of_grids) {
                let count = |keep: fn(&f64, &f64) -> bool| {
                    let finite = part.iter().filter(|v| v.is_finite()).map(|v| f64::from(*v));
                    finite.filter(|v| keep(v, &ranked.value)).count() as u64
                };
                assert_eq!(*counts, [count(|v, at| v < at), count(|v, at| v == at)]);
            }
            assert_eq!(ranked.of_grids.len(), parts.len());
        }
        // Many ranks take another way.
        for step in [1, 7, 500] {
            let wanted: Vec<u64> = (0..sorted.len() as u64).step_by(step).collect();
            let got = of(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3);
            assert!(got == wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>(), "{step}");
        }
        let same = make(&[2.5; 100]);
        assert_eq!(of(&[(&same.backing, (50, 2))], &[0, 1, 50, 99], 2), [2.5; 4]);
        let zeros = make(&[-0.0, 0.0].repeat(25));
        let both = found(&[(&zeros.backing, (50, 1))], &[10], 1);
        assert_eq!((both[0].value.to_bits(), &both[0].of_grids[..]), (0, &[[0, 50]][..]));
    }

    #[test]
    fn ranks_of_wide_numbers_are_those_of_a_sort() {
        let mut random = Random(77);
        for kind in 0..4 {
            let values: Vec<f64> = (0..3000)
                .map(|_| match kind {
                    0 => f64::from_bits(random.bits()),
                    1 => 1.7e9 + random.below(16) as f64,
                    2 => 1.0 + random.below(64) as f64 * f64::EPSILON,
                    _ => 42.0,
                })
                .collect();
            let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
            sorted.sort_by(f64::total_cmp);
            let halves: Vec<Grid> =
                values.chunks(1500).map(|half| Grid::from_rows(15, 100, half.to_vec()).unwrap()).collect();
            let few = vec![0, 1, 77, 1500, sorted.len() as u64 - 1];
            let many: Vec<u64> = (0..sorted.len() as u64).step_by(random.within(1, 16)).collect();
            for (wanted, gathered) in [&few, &many]
                .into_iter()
                .flat_map(|wanted| [FiniteFloats::GATHERED, 500, 0].map(|gathered| (wanted, gathered)))
            {
                let cut = Cut { threads: 2, cells: 700 };
                let cells: Vec<_> = halves.iter().map(|g| (&g.backing, (15, 100))).collect();
                let walk = Walk::over(&cells, cut);
                let known = Known { prefix: 0, bits: 0, numbers: u64::MAX };
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
