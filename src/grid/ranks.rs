//! Exact order statistics of stored values by counting: two passes over the cells, whatever their number.

use super::SourceError;
use super::backing::{Backing, Strip};
use super::scan::{plain_units, scan};
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
        let encoding = cells.encoding().unwrap_or(super::Encoding::PLAIN);
        scan(cells, width, encoding, &plain_units(height, width, window), threads, &work, &mut accept)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Values};
    use super::*;

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
