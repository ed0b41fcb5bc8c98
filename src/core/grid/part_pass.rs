//! Passes over parts of a grid: the pixels of a body from the cells that it shows, the statistics of a block.

use super::backing::{Backing, Strip, Unit};
use super::body::Body;
use super::column_sums::ColumnSums;
use super::request::{ScanRequest, Spans};
use super::scan::{plain_units, scan};
use super::statistics::Statistics;
use super::window_fold::{Cut, fold_window, pixels, total};
use super::{SourceError, Stats, Summaries};
use std::ops::Range;

/// The Summary of each pixel of a body, from the cells that it shows alone.
pub(super) fn shown(
    cells: &Backing,
    width: usize,
    spans: (Spans<'_>, Spans<'_>),
    cut: Cut,
) -> Result<Summaries, SourceError> {
    let transposed = cells.transposed();
    let body = Body::shown(spans, transposed);
    let mut all = Summaries::nothing(cells.kind().is_wide(), body.rows.len() * body.columns.len());
    let stride = body.columns.len();
    let work =
        |strip: &Strip<'_>| fold_window(strip, Some(&body), (&mut Vec::new(), &mut ColumnSums::default())).0;
    scan(cells, width, &body.units(cut.cells), cut.threads, work, |block| {
        block.put(&mut all, stride);
    })?;
    Ok(pixels(&body, all, transposed))
}

/// The statistics of the cells of some rows and columns of the grid alone.
pub(super) fn part(
    cells: &Backing,
    shape: (usize, usize),
    rows: Range<usize>,
    columns: Range<usize>,
    cut: Cut,
) -> Result<Stats, SourceError> {
    let (r, c) = if cells.transposed() { (columns, rows) } else { (rows, columns) };
    let moved = |r: Range<usize>, by: usize| r.start + by..r.end + by;
    let units = plain_units(r.len(), c.len(), cut.cells);
    let units: Vec<Unit> = units.into_iter().map(|u| (moved(u.0, r.start), moved(u.1, c.start))).collect();
    let mut all = Statistics::default();
    let work = |strip: &Strip<'_>| {
        let (block, tally) = fold_window(strip, None, (&mut Vec::new(), &mut ColumnSums::default()));
        Statistics::of(strip, &tally, total(&block.summaries), &ScanRequest::default(), [None, None])
    };
    scan(cells, cells.source_shape(shape).1, &units, cut.threads, work, |statistics| all.merge(&statistics))?;
    Ok(all.into_stats())
}

#[cfg(test)]
mod tests {
    use super::super::plane::{Plane, random, transposed};
    use super::super::source::Stored;
    use super::super::{Number, Values};
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_part_has_the_statistics_of_its_own_cells_wherever_they_are() {
        let (height, width) = (40, 30);
        let values = random(height * width, 7, true);
        let f32s = |v: &[f32]| Values::F32 { data: v.to_vec(), integer: false };
        let plane = |v: Values, width: usize| Stored::new(Arc::new(Plane { width, values: v }), None);
        let held = Backing::held(super::super::loaded::LoadedCells::new(f32s(&values), &[]));
        let stored = Backing::stored(plane(f32s(&values), width));
        let turned = Backing::stored(plane(transposed(&values, width), height).flipped());
        let wide = Backing::stored(plane(Values::F64(values.iter().map(|v| f64::from(*v)).collect()), width));
        for (rows, columns) in [(0..40, 0..30), (3..17, 8..9), (39..40, 0..30), (5..6, 29..30)] {
            let inside = rows.clone().flat_map(|r| columns.clone().map(move |c| (r, c)));
            let list: Vec<f32> = inside.map(|(r, c)| values[r * width + c]).collect();
            let finite = || list.iter().filter(|v| v.is_finite());
            let nan = list.iter().filter(|v| v.is_nan()).count() as u64;
            let max = finite().copied().reduce(f32::max).map(|v| Number::F64(f64::from(v)));
            let at =
                max.map(|m| values.iter().enumerate().filter(move |(_, v)| f64::from(**v) == m.as_f64()));
            let at: Vec<_> = at.into_iter().flatten().map(|(i, _)| (i / width, i % width)).collect();
            let at: Vec<_> =
                at.into_iter().filter(|(r, c)| rows.contains(r) && columns.contains(c)).collect();
            for cells in [&held, &stored, &turned, &wide] {
                let s = part(
                    cells,
                    (height, width),
                    rows.clone(),
                    columns.clone(),
                    Cut { threads: 3, cells: 11 },
                )
                .unwrap();
                assert_eq!(
                    (s.max, s.cells(), s.states[0], &s.max_cells),
                    (max, list.len() as u64, nan, &at),
                    "{rows:?} {columns:?}"
                );
                assert_eq!(s.pos_inf, list.iter().filter(|v| **v == f32::INFINITY).count() as u64);
            }
        }
    }
}
