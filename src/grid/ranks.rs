//! Exact order statistics by counting: two passes over cells of f32, up to six over wider numbers, whatever their number.

use super::SourceError;
use super::backing::{Backing, Strip};
use super::scan::{plain_units, scan};
use super::state::State;
use super::wide::{float_key, key_float};
use std::collections::BTreeSet;

/// The high bits of a key are counted first, then the low bits of keys whose high bits matter.
const HALF: u32 = 16;

/// Cells of one grid: where they are, rows and columns.
pub(super) type Cells<'a> = (&'a Backing, (usize, usize));

/// Finite stored bits as unsigned integers of the same order; `None` for states and infinities.
fn key(bits: u32) -> Option<u32> {
    let finite = bits & 0x7fff_ffff < 0x7f80_0000;
    finite.then_some(if bits & 0x8000_0000 != 0 { !bits } else { bits | 0x8000_0000 })
}

fn stored(key: u32) -> f32 {
    f32::from_bits(if key & 0x8000_0000 != 0 { key & 0x7fff_ffff } else { !key })
}

/// The finite stored values of these ranks (ascending, counted from 0) among the cells of all grids together.
pub(super) fn ranks(grids: &[Cells<'_>], wanted: &[u64], threads: usize, window: usize) -> Result<Vec<f32>, SourceError> {
    let mut tops = vec![0u64; 1 << HALF];
    let count = |strip: &Strip<'_>| {
        let mut found = vec![0u32; 1 << HALF];
        keys(strip, |k| found[(k >> HALF) as usize] += 1);
        found
    };
    each(grids, threads, window, count, |found| tops.iter_mut().zip(found).for_each(|(t, n)| *t += u64::from(n)))?;
    // For each rank the bin it falls in, and its rank there.
    let (mut top, mut before) = (0usize, 0u64);
    let mut place = |rank: u64| {
        while top + 1 < tops.len() && before + tops[top] <= rank {
            before += tops[top];
            top += 1;
        }
        (top as u32, rank - before)
    };
    let places: Vec<(u32, u64)> = wanted.iter().map(|r| place(*r)).collect();
    let bins: Vec<u32> = places.iter().map(|p| p.0).collect::<BTreeSet<_>>().into_iter().collect();
    let mut of_top = vec![None; 1 << HALF];
    bins.iter().enumerate().for_each(|(i, b)| of_top[*b as usize] = Some(i));
    let mut lows = vec![0u64; bins.len() << HALF];
    let pick = |strip: &Strip<'_>| {
        let mut found = Vec::new();
        keys(strip, |k| found.extend(of_top[(k >> HALF) as usize].map(|bin| bin << HALF | (k & 0xffff) as usize)));
        found
    };
    each(grids, threads, window, pick, |found| found.into_iter().for_each(|i| lows[i] += 1))?;
    let value = |(top, rank): (u32, u64)| {
        let bin = of_top[top as usize].unwrap_or(0);
        let mut left = rank;
        let low = lows[bin << HALF..][..1 << HALF].iter().position(|n| {
            let here = left < *n;
            left = left.saturating_sub(*n);
            here
        });
        stored(top << HALF | low.unwrap_or(0) as u32)
    };
    Ok(places.into_iter().map(value).collect())
}

/// The bits of a 64-bit key that each pass over wide numbers counts, from the highest on.
const DIGITS: [u32; 5] = [20, 12, 12, 12, 8];
/// So many numbers whose place is still open are gathered and sorted.
const FEW: u64 = 1 << 20;

/// Where numbers are that share the high bits of their keys.
struct Bin {
    /// Those bits.
    prefix: u64,
    /// How many numbers lie before them.
    before: u64,
    /// The ranks that fall among them.
    ranks: Vec<u64>,
}

/// As [`ranks`] for numbers of any kind, as f64.
pub(super) fn wide_ranks(grids: &[Cells<'_>], wanted: &[u64], threads: usize, window: usize) -> Result<Vec<f64>, SourceError> {
    let mut bins = vec![Bin { prefix: 0, before: 0, ranks: wanted.to_vec() }];
    let (mut known, mut open) = (0u32, u64::MAX);
    for digit in DIGITS {
        if open <= FEW {
            break;
        }
        let shift = 64 - known - digit;
        let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
        let count = |strip: &Strip<'_>| {
            let mut found = vec![0u32; prefixes.len() << digit];
            wide_keys(strip, |k| {
                if let Some(bin) = bin_of(&prefixes, k, known) {
                    found[bin << digit | (k >> shift) as usize & ((1 << digit) - 1)] += 1;
                }
            });
            found
        };
        let mut counts = vec![0u64; prefixes.len() << digit];
        each(grids, threads, window, count, |found| counts.iter_mut().zip(found).for_each(|(t, n)| *t += u64::from(n)))?;
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
                    next.push(Bin { prefix: bin.prefix << digit | low as u64, before, ranks: here });
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
            wide_keys(strip, |k| found.extend(bin_of(&prefixes, k, known).map(|bin| (bin, k))));
            found
        };
        each(grids, threads, window, gather, |found| found.into_iter().for_each(|(bin, k)| lists[bin].push(k)))?;
    }
    let mut out = Vec::with_capacity(wanted.len());
    for (bin, list) in bins.iter().zip(&mut lists) {
        list.sort_unstable();
        let key = |rank: &u64| if known == 64 { bin.prefix } else { list[(rank - bin.before) as usize] };
        out.extend(bin.ranks.iter().map(|rank| key_float((key(rank) ^ 1 << 63) as i64)));
    }
    Ok(out)
}

/// The bin of a key by the high bits that are known.
fn bin_of(prefixes: &[u64], key: u64, known: u32) -> Option<usize> {
    if known == 0 { Some(0) } else { prefixes.binary_search(&(key >> (64 - known))).ok() }
}

/// The keys of all finite numbers as unsigned integers.
fn wide_keys(strip: &Strip<'_>, mut take: impl FnMut(u64)) {
    let width = strip.unit.1.len();
    for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..width).map(move |c| (r, c))) {
        if State::of_bits(strip.lines.at(r, c)).is_none() {
            let v = strip.number(r, c).as_f64();
            if v.is_finite() {
                take(float_key(v) as u64 ^ 1 << 63);
            }
        }
    }
}

fn keys(strip: &Strip<'_>, mut take: impl FnMut(u32)) {
    strip.rows(|from, len| strip.lines.bits[from..from + len].iter().filter_map(|b| key(*b)).for_each(&mut take));
}

fn each<T: Send>(
    grids: &[Cells<'_>],
    threads: usize,
    window: usize,
    work: impl Fn(&Strip<'_>) -> T + Sync,
    mut accept: impl FnMut(T) + Send,
) -> Result<(), SourceError> {
    for (cells, shape) in grids {
        let (height, width) = cells.source_shape(*shape);
        scan(cells, width, &plain_units(height, width, window), threads, &work, &mut accept)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Values};
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
            let g = Grid::from_rows(30, 100, values).unwrap();
            let wanted: Vec<u64> = (0..sorted.len() as u64).step_by(1 + (next() >> 60) as usize).collect();
            let want: Vec<f64> = wanted.iter().map(|r| sorted[*r as usize]).collect();
            assert_eq!(wide_ranks(&[(&g.backing, (30, 100))], &wanted, 2, 700).unwrap(), want, "{kind}");
        }
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
        let make = |v: &[f32]| Grid::new(axis(50), axis(v.len() / 50), Values::F32 { data: v.to_vec(), integer: false }, &[]).unwrap();
        let (a, b) = (make(&values[..2000]), make(&values[2000..]));
        let wanted: Vec<u64> = [0, 1, 77, 78, 2000, 2000, sorted.len() as u64 - 1].into();
        let got = ranks(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3, 64).unwrap();
        assert_eq!(got, wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>());
    }
}
