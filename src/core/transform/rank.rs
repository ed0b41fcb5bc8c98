//! Values as ranks within their row, column or panel, or of all panels: 1 is the best, and equal values share the mean of their
//! ranks, as pandas' `rank` has it.

use super::group::Group;
use super::normalize::{numbers, states};
use super::{Step, TransformError};
use crate::figure::{Better, Figure};
use crate::grid::{Change, Grid, Number, Values};
use crate::lint::Lints;
use std::cmp::Ordering;

pub(super) const STEP: Step = Step { is_asked: |figure| figure.data.rank.is_some(), run };

/// A value and the place of its cell: panel, cell.
type Placed = (Number, usize, usize);

fn run(grids: Vec<Grid>, figure: &Figure, _: &mut Lints) -> Result<Vec<Grid>, TransformError> {
    let Some(word) = figure.data.rank else {
        return Ok(grids);
    };
    let group = Group::from(word);
    let lower = figure.data.better == Some(Better::Lower);
    let (count, first) = group.count(&grids);
    let mut groups: Vec<Vec<Placed>> = vec![Vec::new(); count];
    for (panel, (grid, first)) in grids.iter().zip(&first).enumerate() {
        for (row, column, v) in numbers(grid) {
            groups[first + group.of(row, column)].push((v, panel, row * grid.width() + column));
        }
    }
    let mut ranks: Vec<Vec<f64>> = grids.iter().map(|grid| vec![0.0; grid.len()]).collect();
    for list in &mut groups {
        let order = |a: &Placed, b: &Placed| a.0.compare(b.0).unwrap_or(Ordering::Equal);
        list.sort_by(|a, b| if lower { order(a, b) } else { order(b, a) });
        let mut before = 0;
        for ties in list.chunk_by(|a, b| order(a, b).is_eq()) {
            let mean = before as f64 + (ties.len() + 1) as f64 / 2.0;
            ties.iter().for_each(|(_, panel, cell)| ranks[*panel][*cell] = mean);
            before += ties.len();
        }
    }
    let ranked = grids
        .iter()
        .zip(ranks)
        .map(|(grid, ranks)| grid.changed(Values::F64(ranks), &states(grid), Change::Rank(group.word())));
    Ok(ranked.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::RankOf;

    fn ranks(rows: usize, columns: usize, values: &[f64], of: RankOf, better: Option<Better>) -> Vec<f64> {
        let mut figure = Figure::default();
        (figure.data.rank, figure.data.better) = (Some(of), better);
        let grid = Grid::from_rows(rows, columns, values.to_vec()).unwrap();
        let grids = run(vec![grid], &figure, &mut Lints::default()).unwrap();
        let cell = |i: usize| grids[0].at(i / columns, i % columns).value().map_or(f64::NAN, Number::as_f64);
        (0..values.len()).map(cell).collect()
    }

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let values = [3.0, 1.0, 3.0, 0.5, 2.0, f64::INFINITY];
        assert_eq!(ranks(2, 3, &values, RankOf::Row, None), [1.5, 3.0, 1.5, 3.0, 2.0, 1.0]);
        assert_eq!(ranks(2, 3, &values, RankOf::Row, Some(Better::Lower)), [2.5, 1.0, 2.5, 1.0, 2.0, 3.0]);
        assert_eq!(ranks(2, 3, &values, RankOf::Column, None), [1.0, 2.0, 2.0, 2.0, 1.0, 1.0]);
        assert_eq!(ranks(2, 3, &values, RankOf::All, None), [2.5, 5.0, 2.5, 6.0, 4.0, 1.0]);
        let gap = ranks(1, 3, &[1.0, f64::NAN, 2.0], RankOf::Panel, None);
        assert!(gap[0] == 2.0 && gap[1].is_nan() && gap[2] == 1.0, "{gap:?}");
    }
}
