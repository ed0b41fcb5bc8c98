//! Sums of rows and columns against the plain rule, whatever the source and its windows.

use super::super::backing::{Backing, LoadedCells};
use super::super::body::Cut;
use super::super::plane::{Plane, transposed};
use super::super::scan_result::scan_backing;
use super::super::source::Stored;
use super::super::*;
use crate::view::EdgeTable;
use gridscope_random::Random;
use std::sync::Arc;

/// Random values: some NaN, some infinite where `spoiled`.
fn random(n: usize, seed: u64, spoiled: bool, scale: f64) -> Vec<f32> {
    let mut random = Random(seed);
    (0..n)
        .map(|_| match random.below(64) {
            0 if spoiled => f32::NAN,
            1 if spoiled => f32::INFINITY,
            2 if spoiled => f32::NEG_INFINITY,
            _ => ((random.unit() - 0.3) * scale) as f32,
        })
        .collect()
}

/// Count, sum, mean, least, greatest value and standard deviation by the plain rule.
fn plain(values: &[f64]) -> [f64; 6] {
    let v: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    let n = v.len() as f64;
    let (mut sum, mut lost) = (0.0f64, 0.0);
    for &x in &v {
        let total: f64 = sum + x;
        if total.is_finite() {
            lost += if sum.abs() >= x.abs() { (sum - total) + x } else { (x - total) + sum };
        }
        sum = total;
    }
    let sum = sum + lost;
    let mean = sum / n;
    let squares: f64 = v.iter().map(|x| (x - mean) * (x - mean)).sum();
    if v.is_empty() {
        return [0.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
    }
    let std = if v.len() < 2 { f64::NAN } else { (squares / (n - 1.0)).sqrt() };
    let least = v.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [n, sum, mean, least, greatest, std]
}

fn held(line: &LineSummary) -> [f64; 6] {
    [line.count() as f64, line.sum(), line.mean(), line.min(), line.max(), line.std()]
}

fn agree(got: &[LineSummary], want: &[Vec<f64>], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (line, values)) in got.iter().zip(want).enumerate() {
        let size: f64 = values.iter().filter(|v| v.is_finite()).map(|v| v.abs()).sum();
        for (k, (a, b)) in held(line).iter().zip(plain(values)).enumerate() {
            // A sum of both signs may be far less than what is summed.
            let bound = 1e-12 * b.abs() + if k == 1 || k == 2 { 1e-15 * size } else { 0.0 };
            let close = *a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= bound;
            assert!(close, "{what}: line {i}, number {k}: {a} and not {b}");
        }
    }
}

#[test]
fn lines_hold_what_the_plain_rule_gives_whatever_the_source_and_its_windows() {
    let ask = MarginRequest { rows: true, columns: true, spread: true };
    for (h, w) in [(57usize, 91usize), (1, 5000), (5000, 1), (1, 1), (40, 300)] {
        for (spoiled, scale) in [(false, 1.0), (true, 1e-3), (true, 1e30)] {
            let values = random(h * w, (h * 7 + w) as u64, spoiled, scale);
            let f32s = |v: &[f32]| Values::F32 { data: v.to_vec(), integer: false };
            let f64s = |v: &[f32]| Values::F64(v.iter().map(|v| f64::from(*v)).collect());
            let plane = |v: Values, width: usize| Stored::new(Arc::new(Plane { width, values: v }), None);
            let sources = [
                Backing::held(LoadedCells::new(f32s(&values), &[])),
                Backing::held(LoadedCells::new(f64s(&values), &[])),
                Backing::stored(plane(f32s(&values), w)),
                Backing::stored(plane(f64s(&values), w)),
                Backing::stored(plane(transposed(&values, w), h).flipped()),
            ];
            let at = |r: usize, c: usize| f64::from(values[r * w + c]);
            let rows: Vec<Vec<f64>> = (0..h).map(|r| (0..w).map(|c| at(r, c)).collect()).collect();
            let columns: Vec<Vec<f64>> = (0..w).map(|c| (0..h).map(|r| at(r, c)).collect()).collect();
            let tables = (EdgeTable::fit(w as u32, 13), EdgeTable::fit(h as u32, 7));
            for (k, cells) in sources.iter().enumerate() {
                for cut in [37, 1 << 18] {
                    let body = Some((tables.0.spans(), tables.1.spans()));
                    for body in [None, body] {
                        let ask = ScanRequest { body, margins: ask, ..ScanRequest::default() };
                        let cut = Cut { threads: 2, cells: cut };
                        let got = scan_backing(cells, (h, w), &ask, cut).unwrap().margins;
                        let what = format!("{h} x {w}, source {k}, {cut:?}");
                        agree(&got.rows, &rows, &what);
                        agree(&got.columns, &columns, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn huge_numbers_have_a_mean_and_states_are_left_out() {
    let mut values = vec![1e300; 12];
    values[4] = f64::NAN;
    let mut states = vec![None; 12];
    states[5] = Some(State::Masked);
    (8..12).for_each(|i| states[i] = Some(State::Absent));
    let grid = Grid::new(Axis::index("", 3), Axis::index("", 4), Values::F64(values), &states).unwrap();
    let ask = MarginRequest { rows: true, columns: false, spread: false };
    let found = grid.scan(&ScanRequest { margins: ask, ..ScanRequest::default() });
    let margins = found.unwrap().margins;
    let rows: Vec<(u64, f64)> = margins.rows.iter().map(|r| (r.count(), r.mean())).collect();
    assert_eq!(rows[..2], [(4, 1e300), (2, 1e300)]);
    assert!(rows[2].0 == 0 && rows[2].1.is_nan() && margins.rows[2].sum().is_nan());
    assert!(margins.columns.is_empty());
}
