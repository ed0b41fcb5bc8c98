//! The object of `--json`.

use super::{Findings, Flat, Line, Missing, Place};
use crate::report::number;
use gridscope_core::figure::Better;
use gridscope_core::grid::{Axis, Grid, Number, State};
use serde_json::{Value, json};

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

fn place(grid: &Grid, place: Place) -> Value {
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
