//! What `--json` prints.

use crate::grid::{Axis, AxisKind, Grid, Number, State, Stats};
use crate::lint::{Lints, Policy};
use crate::resolve::{Colours, Frame};
use serde_json::{Map, Value, json};

/// A number exact in JSON; `null` for NaN, text for infinities (JSON has no word for them).
fn number(v: Number) -> Value {
    match v {
        Number::I64(v) => json!(v),
        Number::U64(v) => json!(v),
        Number::F64(v) if v.is_nan() => Value::Null,
        Number::F64(v) if v.is_infinite() => json!(if v > 0.0 { "inf" } else { "-inf" }),
        Number::F64(v) => json!(if v == 0.0 { 0.0 } else { v }),
    }
}

fn coordinate(axis: &Axis, i: usize) -> Value {
    match (axis.kind, axis.center(i)) {
        (AxisKind::Number | AxisKind::Log, Some(c)) => number(Number::F64(c)),
        (AxisKind::Index, _) => json!(axis.start + i),
        _ => json!(axis.label(i)),
    }
}

fn extreme(grid: &Grid, value: Option<Number>, ties: u64, cells: &[(usize, usize)]) -> Value {
    let Some(v) = value else { return Value::Null };
    let cell = |&(row, column): &(usize, usize)| json!({"row": row, "column": column, "x": coordinate(&grid.columns, column), "y": coordinate(&grid.rows, row)});
    json!({"value": number(v), "ties": ties, "cells": cells.iter().map(cell).collect::<Vec<_>>()})
}

/// One panel: shape, counts by state, extremes with their cells, mean; `beyond` is cells below and above the limits.
pub fn panel(grid: &Grid, s: &Stats, beyond: Option<(u64, u64)>) -> Value {
    let of = |state: State| s.states[state.index()];
    let mut out = json!({
        "name": grid.name,
        "rows": grid.height(),
        "columns": grid.width(),
        "x": grid.columns.name,
        "y": grid.rows.name,
        "value": grid.value_name,
        "counts": {
            "value": s.values, "nan": of(State::Nan), "absent": of(State::Absent), "masked": of(State::Masked),
            "pending": of(State::Pending), "pos_inf": s.pos_inf, "neg_inf": s.neg_inf,
        },
        "min": extreme(grid, s.min, s.min_ties, &s.min_cells),
        "max": extreme(grid, s.max, s.max_ties, &s.max_cells),
        "mean": number(Number::F64(s.mean)),
    });
    if let (Some((below, above)), Some(map)) = (beyond, out.as_object_mut()) {
        map.insert("below".to_owned(), json!(below));
        map.insert("above".to_owned(), json!(above));
    }
    out
}

/// The scales of a drawn figure.
pub fn scales(frame: &Frame, colours: &Colours) -> Value {
    let scale = |(bar, made): (&crate::resolve::BarFrame, &crate::resolve::Bar)| {
        let spec = made.scale.spec();
        json!({
            "label": bar.label,
            "panels": bar.panels.iter().map(|&i| frame.panels[i].name.clone()).collect::<Vec<_>>(),
            "norm": spec.norm.word(),
            "vmin": number(Number::F64(spec.vmin)),
            "vmax": number(Number::F64(spec.vmax)),
            "cmap": spec.map.name,
            "below": made.below,
            "above": made.above,
        })
    };
    frame.bars.iter().zip(&colours.bars).map(scale).collect()
}

/// The warnings that the policy shows.
pub fn lints(lints: &Lints, policy: &Policy) -> Value {
    let shown = lints.0.iter().filter(|l| policy.shows(l.name));
    shown.map(|l| json!({"name": l.name.as_str(), "panel": l.panel, "count": l.count, "text": l.text})).collect()
}

/// An object with the program's version first.
pub fn versioned(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut map = Map::new();
    map.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    for (k, v) in fields {
        map.insert(k.to_owned(), v);
    }
    Value::Object(map)
}
