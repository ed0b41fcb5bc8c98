//! Answers of a sweep: the best cell and its lead, the best row and column, directions in which nothing changes.

mod lines;

pub use lines::{Flat, Line, Missing, Replicates};

use crate::report::number;
use gridscope_core::figure::Better;
use gridscope_core::grid::{Axis, Cell, Change, Grid, Number, SourceError, State, Stats};
use lines::{Lines, OfCells};
use serde_json::{Value, json};

/// Cells that are read at once.
const BAND: usize = 1 << 20;
/// How near to the best a cell is as good, as a share of the range of all values.
pub const NEAR: f64 = 0.01;

/// A cell of a panel with a finite value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestCell {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// Its value.
    pub value: Number,
    /// Its rows, where values are means of several.
    pub replicates: Option<Replicates>,
}

/// The cell that follows the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerUp {
    /// The cell.
    pub place: BestCell,
    /// How far its value is from the best.
    pub gap: f64,
    /// Half the width of the 95 % interval by Welch of the difference of two means, where both have replicates that differ.
    pub noise: Option<f64>,
}

/// Findings about a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The best cell; of equal ones the first. None without a finite value.
    pub best: Option<BestCell>,
    /// Cells with that value.
    pub ties: u64,
    /// The next cell.
    pub runner_up: Option<RunnerUp>,
    /// Cells within [`NEAR`] of the range of values of the best, itself among them.
    pub near: u64,
    /// Cells with a finite value, and the range of these values.
    pub values: (u64, f64),
    /// The row and the column of the best mean, where there are several.
    pub lines: [Option<Line>; 2],
    /// How far the means of rows and of columns are apart, where replicates say whether that is little.
    pub flat: [Option<Flat>; 2],
    /// Cells in each state, by [`State::index`], and those of infinite values.
    pub states: ([u64; State::ALL.len()], u64),
    /// The row and the column with the most cells that have no data or no value.
    pub missing: [Option<Missing>; 2],
}

/// Findings about a panel; `stats` are those of all its cells.
///
/// # Errors
/// When the source does not give its cells.
pub fn find(grid: &Grid, stats: &Stats, better: Better) -> Result<Findings, SourceError> {
    let is_higher = better == Better::Higher;
    let (height, width) = (grid.height(), grid.width());
    let mut lines = Lines::new(height, width);
    let (best, ties) = match is_higher {
        true => (stats.max, stats.max_ties),
        false => (stats.min, stats.min_ties),
    };
    let (least, most) = stats.range().unwrap_or((f64::NAN, f64::NAN));
    let range = most / 2.0 - least / 2.0;
    let goal = best.map_or(f64::NAN, Number::as_f64);
    let mut near = 0;
    let step = (BAND / width).max(1);
    for from in (0..height).step_by(step) {
        let rows = from..height.min(from + step);
        let cells = grid.read_numbers(rows.clone(), 0..width)?;
        for (i, cell) in cells.into_iter().enumerate() {
            let place = (from + i / width, i % width);
            match cell {
                Cell::Value(n) if n.as_f64().is_finite() => {
                    let v = n.as_f64();
                    // Halves: the range of the largest numbers has no f64.
                    near += u64::from((v / 2.0 - goal / 2.0).abs() <= NEAR * range);
                    lines.add(place, v);
                }
                Cell::Empty(State::Absent | State::Nan) => lines.miss(place),
                _ => {}
            }
        }
    }
    let replicates = lines::of(grid);
    let top = grid.extremes(2, is_higher)?;
    let place = |&((row, column), value): &((usize, usize), Number)| BestCell {
        row,
        column,
        value,
        replicates: replicates.as_ref().and_then(|r| r.at(row * width + column)),
    };
    let best = top.first().map(place);
    let runner_up = best.zip(top.get(1).map(place)).map(|(best, place)| RunnerUp {
        gap: (best.value.as_f64() - place.value.as_f64()).abs(),
        noise: best.replicates.zip(place.replicates).and_then(|(a, b)| a.noise(&b)),
        place,
    });
    let pooled = replicates.as_ref().and_then(OfCells::pooled);
    // Half the interval of a cell's mean, by the variance of all replicates.
    let error = |(row, column): (usize, usize)| {
        let (pooled, cells) = (pooled?, replicates.as_ref()?);
        let has_value = grid.at(row, column).value().is_some_and(|n| n.as_f64().is_finite());
        has_value.then(|| pooled.factor * pooled.std / cells.count(row * width + column).sqrt())
    };
    Ok(Findings {
        best,
        ties,
        runner_up,
        near,
        values: (lines.values(), 2.0 * range),
        lines: lines.best(is_higher, error),
        flat: match (pooled, &replicates) {
            (Some(pooled), Some(replicates)) => lines.flat(grid, pooled, |i| replicates.count(i)),
            _ => [None, None],
        },
        states: (stats.states, stats.pos_inf + stats.neg_inf),
        missing: lines.missing(),
    })
}

/// The panel with the best cell of several that show the same value, and how many do. Differences from a baseline are no
/// values of it: panels of such beside those of values are left out; `None` where the others show several values, or are one.
pub fn overall(grids: &[Grid], found: &[Findings], better: Better) -> Option<(usize, usize)> {
    let differs = |grid: &Grid| grid.changes().iter().any(Change::is_comparison);
    let all_differ = grids.iter().all(differs);
    let of_values = (0..found.len()).filter(|i| all_differ || !differs(&grids[*i]));
    let of_values: Vec<usize> = of_values.collect();
    let shows = |i: usize| (grids[i].value_name(), grids[i].changes());
    if of_values.len() < 2 || of_values.windows(2).any(|w| shows(w[0]) != shows(w[1])) {
        return None;
    }
    let best = |i: &usize| found[*i].best.map(|b| b.value);
    let panels = of_values.iter().copied().filter(|i| best(i).is_some());
    let winner = panels.reduce(|a, b| {
        let wins = match (best(&a), best(&b), better) {
            (Some(a), Some(b), Better::Higher) => a.is_below(b),
            (Some(a), Some(b), Better::Lower) => b.is_below(a),
            _ => false,
        };
        if wins { b } else { a }
    })?;
    Some((winner, of_values.len()))
}

/// Findings about the panels, and the panel that has the best cell of all.
pub fn report(grids: &[Grid], found: &[Findings], overall: Option<usize>, better: Better) -> Value {
    let panels: Vec<Value> = grids.iter().zip(found).map(|(grid, found)| panel(grid, found)).collect();
    let overall = overall.map(|i| json!({"panel": grids[i].name(), "best": panels[i]["best"]}));
    json!({"better": better.word(), "overall": overall, "panels": panels})
}

fn of(v: f64) -> Value {
    number(Number::F64(v))
}

fn panel(grid: &Grid, found: &Findings) -> Value {
    let axes = [grid.rows(), grid.columns()];
    let side = |i: usize| {
        json!({
            "name": axes[i].name,
            "best": found.lines[i].map(|line| best_line(axes[i], line)),
            "means": found.flat[i].map(means),
            "missing_most": found.missing[i].map(|missing| missing_most(axes[i], missing)),
        })
    };
    let (states, infinite) = found.states;
    let state = |s: State| states[s.index()];
    json!({
        "name": grid.name(),
        "best": found.best.map(|best| {
            let mut out = place(grid, best);
            out["ties"] = json!(found.ties);
            out
        }),
        "runner_up": found.runner_up.map(|next| {
            let mut out = place(grid, next.place);
            out["gap"] = of(next.gap);
            out["noise"] = next.noise.map_or(Value::Null, of);
            out["within_noise"] = next.noise.map_or(Value::Null, |noise| json!(next.gap < noise));
            out
        }),
        "near_best": {"cells": found.near, "of": found.values.0, "range": of(found.values.1)},
        "rows": side(0),
        "columns": side(1),
        "missing": {
            "absent": state(State::Absent), "nan": state(State::Nan), "masked": state(State::Masked),
            "pending": state(State::Pending), "infinite": infinite,
        },
    })
}

fn place(grid: &Grid, place: BestCell) -> Value {
    let replicates = place.replicates;
    json!({
        "value": number(place.value),
        "row": place.row,
        "column": place.column,
        "x": grid.columns().label(place.column),
        "y": grid.rows().label(place.row),
        "n": replicates.map(|r| r.n),
        "std": replicates.map(|r| of(r.std)),
        "ci95": replicates.map(|r| of(r.interval())),
    })
}

fn best_line(axis: &Axis, line: Line) -> Value {
    json!({
        "index": line.index, "label": axis.label(line.index), "mean": of(line.mean),
        "ci95": line.half.map(of), "cells": line.cells.0, "of": line.cells.1, "ties": line.ties,
    })
}

fn means(found: Flat) -> Value {
    json!({"range": of(found.range), "noise": of(found.noise), "flat": found.is_flat(), "over": found.over.0, "of": found.over.1})
}

fn missing_most(axis: &Axis, missing: Missing) -> Value {
    json!({
        "index": missing.index, "label": axis.label(missing.index), "cells": missing.cells.0, "of": missing.cells.1,
        "ties": missing.ties,
    })
}
