//! Which differences are more than the noise of their replicates: tests of pairs that both sides have.

use super::TransformError;
use super::matching::number_key;
use super::paired_test::p_value;
use crate::figure::PairedTest;
use crate::grid::{Axis, Grid, P_LEVELS, P_VALUES};
use std::collections::HashMap;

/// The replicates of both sides of a comparison.
#[derive(Clone, Debug)]
pub struct Replicates {
    /// The test.
    pub test: PairedTest,
    /// The column that pairs them.
    pub by: String,
    /// The panels of the values; the last level of their rows is that column.
    pub now: Vec<Grid>,
    /// The panels of the baseline's file.
    pub base: Vec<Grid>,
}

/// The replicates of one panel by the keys of their cells.
struct Cells<'a> {
    grid: &'a Grid,
    /// The rows of each key, with what pairs them.
    rows: HashMap<String, Vec<(String, usize)>>,
    columns: HashMap<String, usize>,
}

impl<'a> Cells<'a> {
    fn of(grid: &'a Grid) -> Self {
        let mut rows: HashMap<String, Vec<(String, usize)>> = HashMap::new();
        if let Some((pairs, outer)) = grid.rows().levels.split_last() {
            for (i, pair) in pairs.iter().enumerate() {
                rows.entry(key(outer, i)).or_default().push((number_key(pair), i));
            }
        }
        let columns = (0..grid.width()).map(|i| (axis_key(grid.columns(), i), i)).collect();
        Self { grid, rows, columns }
    }

    /// The values in the cell of these keys, with what pairs them.
    fn values(&self, row: &str, column: &str) -> Vec<(&str, f64)> {
        let Some((rows, column)) = self.rows.get(row).zip(self.columns.get(column)) else {
            return Vec::new();
        };
        rows.iter()
            .filter_map(|(pair, row)| Some((pair.as_str(), self.grid.at(*row, *column).value()?.as_f64())))
            .collect()
    }
}

/// The key of a place: the labels of its levels.
fn key(levels: &[Vec<String>], i: usize) -> String {
    let labels: Vec<String> = levels.iter().map(|l| number_key(&l[i])).collect();
    labels.join("\u{1f}")
}

/// The key of a place on an axis.
fn axis_key(axis: &Axis, i: usize) -> String {
    if axis.levels.is_empty() { axis.label(i) } else { key(&axis.levels, i) }
}

/// The cell of a baseline that belongs to a cell: the same labels, or with that of a line in one level.
pub(super) enum Line<'a> {
    Same,
    Row(usize, &'a str),
    Column(usize, &'a str),
}

/// The same key with another label in one level.
fn replaced(key: &str, level: usize, label: &str) -> String {
    let other = number_key(label);
    let labels = key.split('\u{1f}').enumerate();
    let labels: Vec<&str> = labels.map(|(l, text)| if l == level { other.as_str() } else { text }).collect();
    labels.join("\u{1f}")
}

/// Gives a panel of differences the p value of each cell, and a note; `now` and `base` are the replicates of its two sides.
pub(super) fn with_p_values(
    of: &Replicates,
    mut grid: Grid,
    now: Option<&Grid>,
    base: Option<&Grid>,
    line: &Line<'_>,
) -> Result<Grid, TransformError> {
    let Some((now, base)) = now.zip(base) else {
        return Ok(grid);
    };
    let (now, base) = (Cells::of(now), Cells::of(base));
    let mut p_values = Vec::with_capacity(grid.len());
    let mut counts: Option<(usize, usize)> = None;
    for row in 0..grid.height() {
        let row_key = axis_key(grid.rows(), row);
        for column in 0..grid.width() {
            let column_key = axis_key(grid.columns(), column);
            let before = match line {
                Line::Same => base.values(&row_key, &column_key),
                Line::Row(level, label) => base.values(&replaced(&row_key, *level, label), &column_key),
                Line::Column(level, label) => base.values(&row_key, &replaced(&column_key, *level, label)),
            };
            let before: HashMap<&str, f64> = before.into_iter().collect();
            let values = now.values(&row_key, &column_key).into_iter();
            let differences: Vec<f64> =
                values.filter_map(|(pair, v)| Some(v - before.get(pair)?)).filter(|d| !d.is_nan()).collect();
            let is_compared = grid.at(row, column).value().is_some();
            if is_compared {
                let n = differences.len();
                counts = Some(counts.map_or((n, n), |(least, most)| (least.min(n), most.max(n))));
            }
            let p = p_value(of.test, &differences).filter(|_| is_compared);
            p_values.push(p.unwrap_or(f64::NAN));
        }
    }
    let pairs = match counts {
        None => "no pairs".to_owned(),
        Some((least, most)) if least == most => format!("{most} pairs"),
        Some((least, most)) => format!("{least} to {most} pairs"),
    };
    let most = counts.map_or(0, |c| c.1);
    // The least p value of this many signs.
    let least = 2f64.powi(1 - i32::try_from(most).unwrap_or(i32::MAX));
    let few = if of.test == PairedTest::Wilcoxon && least >= P_LEVELS[0] {
        "; too few for p < 0.05"
    } else if most < 2 {
        "; too few for a test"
    } else {
        ""
    };
    grid.set_field(P_VALUES, p_values)?;
    grid.set_note(Some(format!(
        "* p < 0.05, ** p < 0.01, *** p < 0.001 ({}, {pairs} by {}, each cell by itself{few})",
        of.test.name(),
        of.by
    )));
    Ok(grid)
}
