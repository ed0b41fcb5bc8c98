//! Which differences are more than the noise of their replicates: tests of pairs, as scipy's `wilcoxon` and `ttest_rel`.

use super::TransformError;
use super::matching::number_key;
use crate::figure::PairedTest;
use crate::grid::{Axis, Grid, P_LEVELS, P_VALUES, State};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
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
    /// The rows of each key, with their pairing.
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

    /// The values in the cell of these keys, with their pairing.
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

/// The cell of a baseline that belongs to a cell: the same labels, or those of the baseline's row or column for each row or column.
pub(super) enum Line<'a> {
    Same,
    Rows(&'a [Option<usize>]),
    Columns(&'a [Option<usize>]),
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
            let place = match line {
                Line::Same => Some((row_key.clone(), column_key.clone())),
                Line::Rows(of) => of[row].map(|base| (axis_key(grid.rows(), base), column_key.clone())),
                Line::Columns(of) => of[column].map(|base| (row_key.clone(), axis_key(grid.columns(), base))),
            };
            let before = place.map_or_else(Vec::new, |(row, column)| base.values(&row, &column));
            let before: HashMap<&str, f64> = before.into_iter().collect();
            let values = now.values(&row_key, &column_key).into_iter();
            let differences: Vec<f64> =
                values.filter_map(|(pair, v)| Some(v - before.get(pair)?)).filter(|d| !d.is_nan()).collect();
            // The test is of differences: a ratio that is not defined has none of its own.
            let is_compared = matches!(grid.at(row, column).state(), None | Some(State::Nan));
            if is_compared && (grid.at(row, column).value().is_some() || !differences.is_empty()) {
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

/// Up to this many differences without ties or zeros the distribution of ranks is exact.
const EXACT: usize = 50;
/// The same with ties or zeros.
const EXACT_TIES: usize = 13;

/// The p value; `None` where there are too few differences, or none that is a number. That of pairs which are all equal is 1.
fn p_value(test: PairedTest, differences: &[f64]) -> Option<f64> {
    let all_equal = differences.iter().all(|d| *d == 0.0);
    match test {
        PairedTest::Wilcoxon if all_equal && !differences.is_empty() => Some(1.0),
        PairedTest::T if all_equal && differences.len() > 1 => Some(1.0),
        PairedTest::Wilcoxon => wilcoxon(differences),
        PairedTest::T => t_test(differences),
    }
}

fn t_test(d: &[f64]) -> Option<f64> {
    let n = d.len() as f64;
    if d.len() < 2 {
        return None;
    }
    let mean = d.iter().sum::<f64>() / n;
    let variance = d.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = mean / (variance / n).sqrt();
    if t.is_nan() {
        return None;
    }
    let of = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
    Some((2.0 * of.sf(t.abs())).clamp(0.0, 1.0))
}

fn wilcoxon(d: &[f64]) -> Option<f64> {
    if d.is_empty() {
        return None;
    }
    // Zeros are dropped.
    let mut sizes: Vec<(f64, bool)> = d.iter().filter(|v| **v != 0.0).map(|v| (v.abs(), *v > 0.0)).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = sizes.len();
    // Twice the mean ranks, which are whole numbers.
    let mut ranks = Vec::with_capacity(n);
    let mut ties = 0.0;
    for run in sizes.chunk_by(|a, b| a.0 == b.0) {
        let (first, len) = (ranks.len() as u64 + 1, run.len() as u64);
        ranks.extend(std::iter::repeat_n(2 * first + len - 1, run.len()));
        let t = len as f64;
        ties += t * t * t - t;
    }
    let plus: u64 = ranks.iter().zip(&sizes).filter(|(_, s)| s.1).map(|(r, _)| r).sum();
    let is_plain = ties == 0.0 && n == d.len();
    if is_plain && n <= EXACT || d.len() <= EXACT_TIES {
        return Some(exact(&ranks, plus));
    }
    let count = n as f64;
    let mean = count * (count + 1.0) / 4.0;
    let variance = (count * (count + 1.0) * (2.0 * count + 1.0) - ties / 2.0) / 24.0;
    let z = (plus as f64 / 2.0 - mean) / variance.sqrt();
    let p = 2.0 * Normal::standard().sf(z.abs());
    (!p.is_nan()).then(|| p.clamp(0.0, 1.0))
}

/// The two-sided p value of a sum of doubled ranks when each has either sign with the same chance.
fn exact(ranks: &[u64], plus: u64) -> f64 {
    let all: u64 = ranks.iter().sum();
    let mut ways = vec![0.0f64; all as usize + 1];
    ways[0] = 1.0;
    for (i, rank) in ranks.iter().enumerate() {
        let reached: u64 = ranks[..i].iter().sum();
        for sum in (0..=reached as usize).rev() {
            ways[sum + *rank as usize] += ways[sum];
        }
    }
    let total = 2f64.powi(ranks.len() as i32);
    let below: f64 = ways[..=plus as usize].iter().sum();
    let above: f64 = ways[plus as usize..].iter().sum();
    (2.0 * below.min(above) / total).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences, and the p values of `scipy.stats.wilcoxon(d).pvalue` and `scipy.stats.ttest_1samp(d, 0).pvalue`.
    const TRUTHS: &str = include_str!("paired/truth.json");

    #[test]
    fn ranks_of_many_pairs_are_summed_whole() {
        let d: Vec<f64> = (1..=150_000i32).map(|i| f64::from(if i % 2 == 0 { i } else { -i })).collect();
        // Half of the pairs on either side, evenly: nothing that chance does not do.
        let p = p_value(PairedTest::Wilcoxon, &d).unwrap();
        assert!(p > 0.9, "{p}");
    }

    #[test]
    fn p_values_are_those_of_scipy() {
        let cases: Vec<(Vec<f64>, Option<f64>, Option<f64>)> = serde_json::from_str(TRUTHS).unwrap();
        assert!(cases.len() > 20);
        for (d, wilcoxon, t) in cases {
            for (test, wanted) in [(PairedTest::Wilcoxon, wilcoxon), (PairedTest::T, t)] {
                match (p_value(test, &d), wanted) {
                    (None, None) => {}
                    (Some(p), Some(q)) => {
                        assert!((p - q).abs() < 1e-9 * q.max(1e-3), "{test:?}: {d:?}: {p}, not {q}");
                    }
                    (p, q) => panic!("{test:?}: {d:?}: {p:?}, not {q:?}"),
                }
            }
        }
    }
}
