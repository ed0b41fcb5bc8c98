//! Exact order statistics by counting: over cells of f32 two passes, or three where many ranks are requested; over wider
//! numbers up to seven, whatever their number. The counters take no more than a few MiB.

use super::SourceError;
use super::backing::{Backing, Strip};
use super::number_key::{float_key, key_float};
use super::scan::{plain_units, scan};
use super::state::State;
use std::sync::{Mutex, PoisonError};

/// Bits of a key that each pass counts, the high ones first: two passes where few places matter.
const FEW: &[u32] = &[16, 16];
/// Three passes where many do: a counter for each low half of a key, of each place, would take half a mebibyte a place.
const MANY: &[u32] = &[16, 8, 8];
/// Places that are few.
const MOST_FEW: usize = 8;

/// Cells of one grid: where they are, rows and columns.
pub(super) type Cells<'a> = (&'a Backing, (usize, usize));

/// Finite stored bits as unsigned integers of the same order; `None` for states and infinities.
fn key(bits: u32) -> Option<u32> {
    let finite = bits & 0x7fff_ffff < 0x7f80_0000;
    finite.then_some(if bits & 0x8000_0000 != 0 {
        !bits
    } else {
        bits | 0x8000_0000
    })
}

fn stored(key: u32) -> f32 {
    f32::from_bits(if key & 0x8000_0000 != 0 {
        key & 0x7fff_ffff
    } else {
        !key
    })
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

/// The finite stored values of these ranks (ascending, counted from 0) among the cells of all grids together.
pub(super) fn ranks(
    grids: &[Cells<'_>],
    wanted: &[u64],
    threads: usize,
    window: usize,
) -> Result<Vec<f32>, SourceError> {
    let passes = if wanted.len() > MOST_FEW { MANY } else { FEW };
    let mut digits = Digits {
        known: Vec::new(),
        left: 32,
    };
    // Of each rank: the place it falls in, its key so far, and its rank among the keys that share it.
    let mut found: Vec<(u32, u32, u64)> = wanted.iter().map(|rank| (0, 0, *rank)).collect();
    let mut places = 1;
    for &bits in passes {
        let counts = count(grids, &digits, places << bits, bits, (threads, window))?;
        let mut next = vec![NOWHERE; counts.len()];
        places = 0;
        for (place, key, rank) in &mut found {
            let of_place = &counts[(*place as usize) << bits..][..1 << bits];
            let mut digit = 0;
            while digit + 1 < of_place.len() && of_place[digit] <= *rank {
                *rank -= of_place[digit];
                digit += 1;
            }
            let to = &mut next[(*place as usize) << bits | digit];
            if *to == NOWHERE {
                *to = places as u32;
                places += 1;
            }
            (*place, *key) = (*to, *key << bits | digit as u32);
        }
        digits.known.push((bits, next));
        digits.left -= bits;
    }
    Ok(found.into_iter().map(|(_, key, _)| stored(key)).collect())
}

/// Counts the next digit of all keys whose digits so far matter.
fn count(
    grids: &[Cells<'_>],
    digits: &Digits,
    n: usize,
    bits: u32,
    (threads, window): (usize, usize),
) -> Result<Vec<u64>, SourceError> {
    // Added up where the work is done: sums need no order, and no counters wait.
    let all = Mutex::new(vec![0u64; n]);
    let work = |strip: &Strip<'_>| {
        if digits.known.is_empty() {
            // All keys count.
            let mut own = vec![0u32; n];
            keys(strip, |k| own[(k >> (32 - bits)) as usize] += 1);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.iter_mut().zip(own).for_each(|(t, n)| *t += u64::from(n));
        } else {
            let mut own: Vec<u32> = Vec::new();
            keys(strip, |k| own.extend(digits.counter(k, bits).map(|i| i as u32)));
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            own.into_iter().for_each(|i| all[i as usize] += 1);
        }
    };
    each(grids, threads, window, work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Bits of a 64-bit key that a pass counts of wide numbers: this many of a lone bin, fewer of each of several, and no fewer than these.
const MOST_BITS: u32 = 20;
const LEAST_BITS: u32 = 8;
/// So many numbers whose place is still open are gathered and sorted.
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

/// As [`ranks`] for numbers of any kind, as f64.
pub(super) fn wide_ranks(
    grids: &[Cells<'_>],
    wanted: &[u64],
    threads: usize,
    window: usize,
) -> Result<Vec<f64>, SourceError> {
    wide_ranks_by(grids, wanted, (threads, window), GATHERED)
}

/// As [`wide_ranks`]; counts until at most `gathered` numbers are open.
fn wide_ranks_by(
    grids: &[Cells<'_>],
    wanted: &[u64],
    (threads, window): (usize, usize),
    gathered: u64,
) -> Result<Vec<f64>, SourceError> {
    let mut bins = vec![Bin {
        prefix: 0,
        before: 0,
        ranks: wanted.to_vec(),
    }];
    let (mut known, mut open) = (0u32, u64::MAX);
    while known < 64 && open > gathered {
        let shared = bins.len().next_power_of_two().trailing_zeros();
        let digit = MOST_BITS.saturating_sub(shared).max(LEAST_BITS).min(64 - known);
        let counts = count_wide(grids, &bins, (known, digit), (threads, window))?;
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
            wide_keys(strip, |k| {
                found.extend(bin_of(&prefixes, k, known).map(|bin| (bin, k)));
            });
            found
        };
        each(grids, threads, window, gather, |found| {
            found.into_iter().for_each(|(bin, k)| lists[bin].push(k));
        })?;
    }
    let mut out = Vec::with_capacity(wanted.len());
    for (bin, list) in bins.iter().zip(&mut lists) {
        list.sort_unstable();
        let key = |rank: &u64| {
            if known == 64 {
                bin.prefix
            } else {
                list[(rank - bin.before) as usize]
            }
        };
        out.extend(
            bin.ranks
                .iter()
                .map(|rank| key_float((key(rank) ^ 1 << 63) as i64)),
        );
    }
    Ok(out)
}

/// Counts the next digit of all keys that fall into a bin.
fn count_wide(
    grids: &[Cells<'_>],
    bins: &[Bin],
    (known, digit): (u32, u32),
    (threads, window): (usize, usize),
) -> Result<Vec<u64>, SourceError> {
    let prefixes: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
    let shift = 64 - known - digit;
    let all = Mutex::new(vec![0u64; bins.len() << digit]);
    let work = |strip: &Strip<'_>| {
        // The places of a window's keys take less than counters of its own.
        let mut own: Vec<usize> = Vec::new();
        let place = |bin: usize, k: u64| bin << digit | (k >> shift) as usize & ((1 << digit) - 1);
        wide_keys(strip, |k| {
            own.extend(bin_of(&prefixes, k, known).map(|bin| place(bin, k)));
        });
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        own.into_iter().for_each(|i| all[i] += 1);
    };
    each(grids, threads, window, work, |()| {})?;
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
    strip.rows(|from, len| {
        strip.lines.bits[from..from + len]
            .iter()
            .filter_map(|b| key(*b))
            .for_each(&mut take);
    });
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
        scan(
            cells,
            width,
            &plain_units(height, width, window),
            threads,
            &work,
            &mut accept,
        )?;
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
                let got = wide_ranks_by(&[(&g.backing, (30, 100))], &wanted, (2, 700), gathered).unwrap();
                assert_eq!(got, want, "{kind} {gathered}");
            }
        }
    }

    #[test]
    fn ranks_are_those_of_a_sort() {
        let mut seed = 3u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((seed >> 32) as u32)
        };
        let values: Vec<f32> = (0..5000).map(|_| next()).collect();
        let mut sorted: Vec<f32> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f32::total_cmp);
        let axis = |n| super::super::Axis::index("", n);
        let make = |v: &[f32]| {
            Grid::new(
                axis(50),
                axis(v.len() / 50),
                Values::F32 {
                    data: v.to_vec(),
                    integer: false,
                },
                &[],
            )
            .unwrap()
        };
        let (a, b) = (make(&values[..2000]), make(&values[2000..]));
        let wanted: Vec<u64> = [0, 1, 77, 78, 2000, 2000, sorted.len() as u64 - 1].into();
        let got = ranks(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3, 64).unwrap();
        assert_eq!(
            got,
            wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>()
        );
        // Many ranks take another way.
        for step in [1, 7, 500] {
            let wanted: Vec<u64> = (0..sorted.len() as u64).step_by(step).collect();
            let got = ranks(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3, 64).unwrap();
            assert!(
                got == wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>(),
                "{step}"
            );
        }
        let same = make(&[2.5; 100]);
        assert_eq!(
            ranks(&[(&same.backing, (50, 2))], &[0, 1, 50, 99], 2, 64).unwrap(),
            [2.5; 4]
        );
    }
}
