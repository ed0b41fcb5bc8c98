//! Exact order statistics by counting over cells of f32: two passes, or three where many ranks are requested. The counters
//! take no more than a few MiB.

use super::backing::Strip;
use super::walk::{Stop, Walk};
use std::sync::{Mutex, PoisonError};

/// Bits of a key that each pass counts, the high ones first: two passes where few places matter.
const FEW: &[u32] = &[16, 16];
/// Three passes where many do: a counter for each low half of a key, of each place, would take half a mebibyte a place.
const MANY: &[u32] = &[16, 8, 8];
/// Places that are few.
const MOST_FEW: usize = 8;

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
pub(super) fn ranks(walk: &Walk<'_>, wanted: &[u64]) -> Result<Vec<f32>, Stop> {
    let passes = if wanted.len() > MOST_FEW { MANY } else { FEW };
    let mut digits = Digits {
        known: Vec::new(),
        left: 32,
    };
    // Of each rank: the place it falls in, its key so far, and its rank among the keys that share it.
    let mut found: Vec<(u32, u32, u64)> = wanted.iter().map(|rank| (0, 0, *rank)).collect();
    let mut places = 1;
    for &bits in passes {
        let counts = count(walk, &digits, places << bits, bits)?;
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
fn count(walk: &Walk<'_>, digits: &Digits, n: usize, bits: u32) -> Result<Vec<u64>, Stop> {
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
    walk.each(work, |()| {})?;
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn keys(strip: &Strip<'_>, mut take: impl FnMut(u32)) {
    strip.rows(|from, len| {
        strip.lines.bits[from..from + len]
            .iter()
            .filter_map(|b| key(*b))
            .for_each(&mut take);
    });
}

#[cfg(test)]
mod tests {
    use super::super::window_fold::Cut;
    use super::super::{Grid, Values};
    use super::*;

    fn of(grids: &[super::super::walk::Cells<'_>], wanted: &[u64], threads: usize) -> Vec<f32> {
        let cut = Cut { threads, cells: 64 };
        ranks(&Walk::over(grids, cut), wanted).unwrap()
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
        let got = of(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3);
        assert_eq!(
            got,
            wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>()
        );
        // Many ranks take another way.
        for step in [1, 7, 500] {
            let wanted: Vec<u64> = (0..sorted.len() as u64).step_by(step).collect();
            let got = of(&[(&a.backing, (50, 40)), (&b.backing, (50, 60))], &wanted, 3);
            assert!(
                got == wanted.iter().map(|r| sorted[*r as usize]).collect::<Vec<_>>(),
                "{step}"
            );
        }
        let same = make(&[2.5; 100]);
        assert_eq!(of(&[(&same.backing, (50, 2))], &[0, 1, 50, 99], 2), [2.5; 4]);
    }
}
