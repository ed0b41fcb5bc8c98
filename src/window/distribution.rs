//! The values of the cells in view, for histograms, and their places along a colour bar.

use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Grid, Summaries};
use gridscope_core::scale::{BarCurve, ColorScale};
use gridscope_draw::layout::PanelLayout;
use std::ops::Range;

/// A panel with at most this many cells in view is counted cell by cell.
const EXACT: usize = 1 << 20;
/// Of a panel with more cells in view this many are counted.
const SAMPLE: usize = 1 << 17;
/// The most values that are remembered, to follow changes of limits.
const REMEMBERED: usize = 1 << 16;

/// A value, and the number of cells that it counts for.
pub(super) type Weighted = (f64, u64);

/// The values of the cells of a panel in view; with counts, those of the pixels.
pub(super) fn values<'a>(
    grid: &'a Grid,
    at: &'a PanelLayout,
    reduce: Reduce,
    centre: f64,
    folded: Option<&'a Summaries>,
) -> Box<dyn Iterator<Item = Weighted> + 'a> {
    let (rows, columns) = (at.rows.shown(), at.columns.shown());
    let cells = rows.len() * columns.len();
    match folded {
        Some(list) if reduce == Reduce::Count => Box::new(list.values(reduce, centre).map(|v| (v, 1))),
        _ if grid.is_loaded() && cells <= EXACT => Box::new(
            rows.flat_map(move |r| columns.clone().map(move |c| grid.at(r, c).as_f64())).map(|v| (v, 1)),
        ),
        _ if grid.is_loaded() => {
            // The extremes of the pixels, which a sample would miss, are known.
            let ends = folded.into_iter().flat_map(ends);
            Box::new(sample(grid, rows, columns).chain(ends))
        }
        Some(list) if at.reduces() => Box::new(blocks(list).into_iter()),
        // A cell is several pixels: each counts once.
        Some(list) => {
            let wide = at.columns.spans().len();
            let (rows, columns) = (firsts(at.rows.spans()), firsts(at.columns.spans()));
            let all: Vec<f64> = list.values(reduce, centre).collect();
            let each =
                rows.into_iter().flat_map(move |r| columns.clone().into_iter().map(move |c| r * wide + c));
            Box::new(each.filter_map(move |i| all.get(i).map(|v| (*v, 1))))
        }
        None => Box::new(std::iter::empty()),
    }
}

/// The first pixel of each cell along a side.
fn firsts(spans: &[[u32; 2]]) -> Vec<usize> {
    let is_first = |i: &usize| spans[*i][0] < spans[*i][1] && (*i == 0 || spans[*i] != spans[*i - 1]);
    (0..spans.len()).filter(is_first).collect()
}

/// Cells without a pattern, spread evenly over a part of a grid; each counts for as many.
fn sample(grid: &Grid, rows: Range<usize>, columns: Range<usize>) -> impl Iterator<Item = Weighted> + '_ {
    let (wide, each) = (columns.len(), rows.len() * columns.len() / SAMPLE);
    (0..SAMPLE).map(move |k| {
        // The golden ratio's multiples are spread evenly, and no period of the data agrees with them.
        let jitter = (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let i = k * each + ((jitter as usize * each) >> 32);
        (grid.at(rows.start + i / wide, columns.start + i % wide).as_f64(), each as u64)
    })
}

/// The least and the greatest value under each pixel.
fn ends(list: &Summaries) -> impl Iterator<Item = Weighted> + '_ {
    let [least, most] = [Reduce::Min, Reduce::Max].map(|by| list.values(by, 0.0));
    least
        .zip(most)
        .filter(|(low, high)| low.is_finite() && high.is_finite())
        .flat_map(|(low, high)| [(low, 1), (high, 1)])
}

/// The cells under each pixel by what is known of them: the least, the greatest, and the mean for the others.
fn blocks(list: &Summaries) -> Vec<Weighted> {
    let counts = list.values(Reduce::Count, 0.0);
    let [means, least, most] = [Reduce::Mean, Reduce::Min, Reduce::Max].map(|by| list.values(by, 0.0));
    let all = counts.zip(means).zip(least).zip(most);
    all.filter(|(((n, _), _), _)| *n >= 1.0)
        .flat_map(|(((n, mean), least), most)| match n as u64 {
            1 => [(mean, 1), (mean, 0), (mean, 0)],
            n => [(least, 1), (mean, n - 2), (most, 1)],
        })
        .filter(|(_, n)| *n > 0)
        .collect()
}

/// At most [`REMEMBERED`] values of a list, so that they can be counted in every frame; each counts for those left out.
pub(super) struct Memory {
    kept: Vec<Weighted>,
    seen: usize,
    /// One of this many is kept.
    each: usize,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { kept: Vec::new(), seen: 0, each: 1 }
    }

    pub(super) fn take(&mut self, value: Weighted) {
        if self.seen.is_multiple_of(self.each) {
            if self.kept.len() == REMEMBERED {
                let mut nth = 0;
                self.kept.retain(|_| {
                    nth += 1;
                    nth % 2 == 1
                });
                self.each *= 2;
            }
            if self.seen.is_multiple_of(self.each) {
                self.kept.push(value);
            }
        }
        self.seen += 1;
    }

    pub(super) fn values(mut self) -> Vec<Weighted> {
        self.kept.iter_mut().for_each(|(_, n)| *n *= self.each as u64);
        self.kept
    }
}

/// The place of a value along a scale's bar: 0 at its low end, 1 at its high end, beyond them where the value is beyond the
/// limits and the norm has a place for it. NaN of NaN.
pub(super) fn share(scale: &ColorScale, v: f64) -> f64 {
    let (spec, (t0, t1)) = (scale.spec(), scale.span());
    match spec.norm.traits().bar {
        _ if v.is_nan() => f64::NAN,
        BarCurve::Steps(bounds) => among(bounds, v),
        _ if t0 < t1 => (spec.norm.t(v, spec.vmin, spec.vmax, spec.map.entries.len()) - t0) / (t1 - t0),
        _ => 0.5,
    }
}

/// As [`share`], but at an end for a value beyond the limits.
pub(super) fn share_within(scale: &ColorScale, v: f64) -> f64 {
    let spec = scale.spec();
    if v < spec.vmin {
        0.0
    } else if v > spec.vmax {
        1.0
    } else {
        share(scale, v).clamp(0.0, 1.0)
    }
}

/// The position of a value along the bins of a bounds norm, which are equally long on the bar.
fn among(bounds: &[f64], v: f64) -> f64 {
    let bins = bounds.len().saturating_sub(1).max(1);
    let k = bounds.partition_point(|b| *b <= v).clamp(1, bins);
    let within = bounds.get(k).map_or(0.0, |end| (v - bounds[k - 1]) / (end - bounds[k - 1]));
    (k as f64 - 1.0 + within.clamp(0.0, 1.0 - f64::EPSILON)) / bins as f64
}

#[cfg(test)]
mod tests {
    use super::super::test_grids::scale;
    use super::*;
    use gridscope_core::scale::Norm;

    #[test]
    fn first_pixels_are_those_of_each_cell() {
        assert_eq!(firsts(&[[0, 0], [2, 3], [2, 3], [3, 4], [4, 4], [5, 6], [5, 6]]), [1, 3, 5]);
    }

    #[test]
    fn a_sample_stands_for_all_cells_and_every_part_of_them() {
        let (rows, columns) = (1500, 1400);
        let value = |i: usize| (i / columns) as f64;
        let grid = Grid::from_rows(rows, columns, (0..rows * columns).map(value).collect()).unwrap();
        let of = |rows: Range<usize>| -> Vec<Weighted> { sample(&grid, rows, 0..columns).collect() };
        let all = of(0..rows);
        let cells: u64 = all.iter().map(|s| s.1).sum();
        assert!((cells as f64 / (rows * columns) as f64 - 1.0).abs() < 0.07, "{cells}");
        // The upper half of the rows has half of the cells.
        let upper: u64 = all.iter().filter(|s| s.0 < 750.0).map(|s| s.1).sum();
        assert!((upper as f64 / cells as f64 - 0.5).abs() < 0.04, "{upper} of {cells}");
        assert!(of(700..1499).iter().all(|s| (700.0..1499.0).contains(&s.0)));
    }

    #[test]
    fn what_is_remembered_counts_for_as_many() {
        let all: Vec<Weighted> = (0..300_000).map(|i| (f64::from(i), 2)).collect();
        let remembered = |all: &[Weighted]| {
            let mut memory = Memory::new();
            all.iter().for_each(|v| memory.take(*v));
            memory.values()
        };
        let some = remembered(&all);
        assert!(some.iter().all(|s| s.0 % 8.0 == 0.0), "spread evenly");
        assert!(some.len() <= REMEMBERED);
        let total: u64 = some.iter().map(|s| s.1).sum();
        assert!(total.abs_diff(600_000) <= 10, "{total}");
        assert_eq!(remembered(&all[..9]), all[..9]);
    }

    #[test]
    fn values_lie_where_their_colours_are() {
        let linear = scale(Norm::Linear, 0.0, 10.0);
        assert_eq!([-5.0, 0.0, 2.5, 10.0, 20.0].map(|v| share(&linear, v)), [-0.5, 0.0, 0.25, 1.0, 2.0]);
        let infinite = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(infinite.map(|v| share_within(&linear, v)), [0.0, 1.0]);
        assert!(share_within(&linear, f64::NAN).is_nan());
        let log = scale(Norm::Log, 1.0, 100.0);
        assert_eq!([-1.0, 0.0, 10.0, 1e9].map(|v| share_within(&log, v)), [0.0, 0.0, 0.5, 1.0]);
        let bounds = scale(Norm::Bounds(vec![0.0, 1.0, 100.0]), 0.0, 100.0);
        assert_eq!([0.5, 1.0, 50.5].map(|v| share_within(&bounds, v)), [0.25, 0.5, 0.75]);
        assert_eq!(share_within(&scale(Norm::Linear, 4.0, 4.0), 4.0), 0.5);
    }
}
