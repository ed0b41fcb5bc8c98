//! Exact order statistics by counting over cells of f32: two passes, or three or four where many ranks are requested or
//! many grids are counted. The counters take up to 8 MiB.

use super::backing::Strip;
use super::passes::{Stop, Walk};
use std::sync::{Mutex, PoisonError};

/// Up to this many ranks, the values of each grid are counted apart.
const MOST_APART: usize = 8;
/// Bits of the number of counters of a pass.
const COUNTERS: u32 = 20;
/// The fewest and the most bits of a key that a pass counts.
const BITS: (u32, u32) = (8, 16);

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
pub(super) fn apart(walk: &Walk<'_>, ranks: usize) -> (bool, usize) {
    let is_apart = ranks <= MOST_APART;
    (is_apart, if is_apart { walk.grids() } else { 1 })
}

/// Finite stored bits as unsigned integers of the same order; -0 equals +0. `None` for states and infinities.
fn key(bits: u32) -> Option<u32> {
    let finite = bits & 0x7fff_ffff < 0x7f80_0000;
    finite.then_some(if bits > 0x8000_0000 { !bits } else { bits | 0x8000_0000 })
}

fn stored(key: u32) -> f32 {
    f32::from_bits(if key & 0x8000_0000 != 0 { key & 0x7fff_ffff } else { !key })
}

/// Counters by the digits of keys, as far as they have been counted.
struct Digits {
    /// Of each pass: the bits of its digit, and by place and digit the place in the next pass; `NOWHERE` where it does not matter.
    known: Vec<(u32, Vec<u32>)>,
    /// Bits of a key behind all digits that are known.
    left: u32,
}

/// A digit that does not matter.
const NOWHERE: u32 = u32::MAX;

impl Digits {
    /// The place of a key among those that matter.
    fn place(&self, key: u32) -> Option<usize> {
        let (mut place, mut left) = (0u32, 32u32);
        for (bits, next) in &self.known {
            let bits = *bits;
            left -= bits;
            let digit = key >> left & ((1u32 << bits) - 1);
            place = next[(place << bits | digit) as usize];
            if place == NOWHERE {
                return None;
            }
        }
        Some(place as usize)
    }

    /// Which counter a key counts in, of the next `bits` bits.
    fn counter(&self, key: u32, bits: u32) -> Option<usize> {
        let digit = key >> (self.left - bits) & ((1u32 << bits) - 1);
        Some(self.place(key)? << bits | digit as usize)
    }
}

/// A rank on the way to its value.
struct Search {
    /// The place it falls in among those that matter.
    place: usize,
    /// The digits of its key so far.
    key: u32,
    /// Its rank among the keys that share them.
    rank: u64,
    of_grids: Vec<[u64; 2]>,
}

/// The finite stored values of these ranks (ascending, counted from 0) among the cells of all grids together.
pub(super) fn ranks(walk: &Walk<'_>, wanted: &[u64]) -> Result<Vec<Ranked>, Stop> {
    let (is_apart, grids) = apart(walk, wanted.len());
    let mut digits = Digits { known: Vec::new(), left: 32 };
    let search = |rank: &u64| Search { place: 0, key: 0, rank: *rank, of_grids: vec![[0; 2]; grids] };
    let mut found: Vec<Search> = wanted.iter().map(search).collect();
    let mut places = 1;
    while digits.left > 0 {
        let taken = (places * grids).next_power_of_two().trailing_zeros();
        let bits = COUNTERS.saturating_sub(taken).clamp(BITS.0, BITS.1).min(digits.left);
        let n = places << bits;
        // Of each grid, and of each place: the number of keys up to each digit.
        let mut sums = count(walk, &digits, (grids, n), bits)?;
        sums.chunks_exact_mut(1 << bits).for_each(accumulate);
        let mut all = vec![0u64; n];
        for of_grid in sums.chunks_exact(n) {
            all.iter_mut().zip(of_grid).for_each(|(all, sum)| *all += sum);
        }
        let mut next = vec![NOWHERE; n];
        places = 0;
        for search in &mut found {
            let first = search.place << bits;
            let all = &all[first..first + (1 << bits)];
            let digit = all.partition_point(|sum| *sum <= search.rank).min(all.len() - 1);
            let before = |sums: &[u64]| digit.checked_sub(1).map_or(0, |last| sums[last]);
            search.rank = search.rank.saturating_sub(before(all));
            for ([below, equal], of_grid) in search.of_grids.iter_mut().zip(sums.chunks_exact(n)) {
                let sums = &of_grid[first..];
                *below += before(sums);
                *equal = sums[digit] - before(sums);
            }
            let to = &mut next[first | digit];
            if *to == NOWHERE {
                *to = places as u32;
                places += 1;
            }
            (search.place, search.key) = (*to as usize, search.key << bits | digit as u32);
        }
        digits.known.push((bits, next));
        digits.left -= bits;
    }
    let ranked = |search: Search| Ranked {
        value: f64::from(stored(search.key)),
        of_grids: if is_apart { search.of_grids } else { Vec::new() },
    };
    Ok(found.into_iter().map(ranked).collect())
}

/// Replaces counts by their running sums.
fn accumulate(counts: &mut [u64]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Counts the next digit of all keys whose digits so far matter: `n` counters for each of the grids.
fn count(walk: &Walk<'_>, digits: &Digits, (grids, n): (usize, usize), bits: u32) -> Result<Vec<u64>, Stop> {
    // Added up where the work is done: sums need no order, and no counters wait.
    let all = Mutex::new(vec![0u64; grids * n]);
    let work = |grid: usize, strip: &Strip<'_>| {
        let first = if grids == 1 { 0 } else { grid * n };
        if digits.known.is_empty() {
            // All keys count.
            let mut own = vec![0u32; n];
            keys(strip, |k| own[(k >> (32 - bits)) as usize] += 1);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all[first..].iter_mut().zip(own).for_each(|(t, n)| *t += u64::from(n));
        } else {
            let mut own: Vec<u32> = Vec::new();
            keys(strip, |k| own.extend(digits.counter(k, bits).map(|i| i as u32)));
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            own.into_iter().for_each(|i| all[first + i as usize] += 1);
        }
    };
    walk.each_of(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn keys(strip: &Strip<'_>, mut take: impl FnMut(u32)) {
    strip.rows(|from, len| {
        strip.lines.bits[from..from + len].iter().filter_map(|b| key(*b)).for_each(&mut take);
    });
}

#[cfg(test)]
mod tests {
    use super::super::body::Cut;
    use super::super::{Grid, Values};
    use super::*;

    fn found(grids: &[super::super::passes::Cells<'_>], wanted: &[u64], threads: usize) -> Vec<Ranked> {
        let cut = Cut { threads, cells: 64 };
        ranks(&Walk::over(grids, cut), wanted).unwrap()
    }

    fn of(grids: &[super::super::passes::Cells<'_>], wanted: &[u64], threads: usize) -> Vec<f32> {
        let found = found(grids, wanted, threads);
        found.into_iter().map(|r| r.value as f32).collect()
    }

    #[test]
    fn ranks_are_those_of_a_sort() {
        let mut seed = 3u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((seed >> 32) as u32)
        };
        let values: Vec<f32> = (0..5000).map(|_| next()).collect();
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
}
