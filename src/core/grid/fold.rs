//! Folding on the CPU: what each pixel of a body covers becomes a Summary, then one stored value.

use super::reduce::Reduce;
use super::{State, Summary};

/// The stored bit pattern of a pixel that covers no cell: a NaN that is not the state of a cell.
pub const BACKGROUND: u32 = 0x7fc0_00ff;

/// The Summary of every pixel; `columns` and `rows` give first and end cell of each pixel along x and y. Spans without cells are
/// background.
///
/// `cells` has `width` cells a row. The order of additions is fixed, so the bytes never depend on threads.
///
/// # Panics
/// When a span leaves the rows or columns of `cells`.
pub fn fold(cells: &[u32], width: usize, columns: &[[u32; 2]], rows: &[[u32; 2]]) -> Vec<Summary> {
    let mut out = vec![Summary::default(); columns.len() * rows.len()];
    for (line, r) in out.chunks_exact_mut(columns.len().max(1)).zip(rows) {
        for y in r[0]..r[1] {
            let row = &cells[y as usize * width..][..width];
            for (pixel, c) in line.iter_mut().zip(columns).filter(|(_, c)| c[0] < c[1]) {
                for &bits in &row[c[0] as usize..c[1] as usize] {
                    pixel.add(bits);
                }
            }
        }
    }
    out
}

impl Summary {
    /// The stored bits that a pixel shows; `centre` is the value that `extreme` measures from.
    #[inline(always)]
    pub fn reduce(&self, by: Reduce, centre: f64) -> u32 {
        if self.count() == 0 {
            return match (self.states(), by) {
                (0, _) => BACKGROUND,
                (_, Reduce::Count) => 0f32.to_bits(),
                _ => self.state().bits(),
            };
        }
        let v = match by {
            Reduce::Mean => self.mean() as f32,
            Reduce::Min => self.min,
            Reduce::Max => self.max,
            Reduce::Count => self.count() as f32,
            Reduce::Extreme => {
                if farther(f64::from(self.min), f64::from(self.max), centre) {
                    self.min
                } else {
                    self.max
                }
            }
        };
        if v.is_nan() { State::Nan.bits() } else { v.to_bits() }
    }
}

/// Whether `min` lies farther from the centre than `max`: centre - min > max - centre, rounded nowhere, so that every back
/// end decides alike. The centre is finite.
pub(super) fn farther(min: f64, max: f64, centre: f64) -> bool {
    if max == f64::INFINITY || centre <= min {
        return false;
    }
    if min == f64::NEG_INFINITY || centre >= max {
        return true;
    }
    // Scaled by a power of two where a sum might overflow.
    let down = if min.abs().max(max.abs()) > 1e300 { 0.25 } else { 1.0 };
    let (min, max, centre) = (min * down, max * down, centre * down);
    // What the sum of the two loses to rounding.
    let sum = min + max;
    let part = sum - min;
    let lost = (min - (sum - part)) + (max - part);
    let twice = 2.0 * centre;
    twice > sum || (twice == sum && lost < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_reduce_what_they_cover() {
        let v: Vec<u32> = [1.0f32, 2.0, 3.0, 10.0].map(f32::to_bits).into();
        let s = fold(&v, 2, &[[0, 2]], &[[0, 2], [0, 0]]);
        let by = |r| f32::from_bits(s[0].reduce(r, 4.0));
        assert_eq!(
            [by(Reduce::Mean), by(Reduce::Min), by(Reduce::Max), by(Reduce::Count), by(Reduce::Extreme)],
            [4.0, 1.0, 10.0, 4.0, 10.0]
        );
        assert_eq!(f32::from_bits(s[0].reduce(Reduce::Extreme, 9.0)), 1.0);
        assert_eq!(s[1].reduce(Reduce::Mean, 0.0), BACKGROUND);
    }

    #[test]
    fn the_farther_extreme_is_told_exactly() {
        let farther = |min: f32, max: f32, centre: f64| {
            f32::from_bits(Summary::new(min, max, 0.0, 2, 0).reduce(Reduce::Extreme, centre))
        };
        assert_eq!(
            (farther(-1.0, 1.0, 0.0), farther(-1.0, 1.0, 1e-30), farther(-1.0, 1.0, -1e-30)),
            (1.0, -1.0, 1.0)
        );
        assert_eq!((farther(2.0, 5.0, 9.0), farther(2.0, 5.0, 1.0), farther(2.0, 2.0, 9.0)), (2.0, 5.0, 2.0));
        let inf = f32::INFINITY;
        assert_eq!(
            (farther(-inf, inf, 3.0), farther(-inf, 5.0, 4.0), farther(1.0, inf, 9.0)),
            (inf, -inf, inf)
        );
    }

    #[test]
    fn a_pixel_of_states_shows_the_first() {
        let v = [State::Absent.bits(), State::Masked.bits()];
        let s = fold(&v, 2, &[[0, 2]], &[[0, 1]]);
        assert_eq!(s[0].reduce(Reduce::Mean, 0.0), State::Masked.bits());
        assert_eq!(f32::from_bits(s[0].reduce(Reduce::Count, 0.0)), 0.0);
        let inf = fold(&[f32::INFINITY.to_bits(), f32::NEG_INFINITY.to_bits()], 2, &[[0, 2]], &[[0, 1]]);
        assert_eq!(inf[0].reduce(Reduce::Mean, 0.0), State::Nan.bits());
    }
}
