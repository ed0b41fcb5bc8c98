//! The objects of the reports that `--json` writes.

use crate::marking::{Contour, Marked, PanelMarking};
use crate::resolve::{Colours, Frame, PanelMargins, PanelMark, TrackKind, changed_label, margin_numbers};
use gridscope_core::figure::{MarginForm, MarginStat};
use gridscope_core::grid::{Axis, AxisKind, Grid, LineSummary, Number, P_VALUES, State, Stats};
use gridscope_core::lint::{Lint, Lints, Policy};
use gridscope_core::scale::ScaleSpec;
use gridscope_core::text::spoken;
use gridscope_read::{Dialect, Loaded, Query};
use serde_json::{Map, Value, json};
use std::sync::atomic::Ordering;

/// A number, exact in JSON: `null` for NaN, and a string for the infinities, which JSON does not have.
pub(crate) fn number(v: Number) -> Value {
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
    json!({"value": number(v), "ties": ties, "cells": cells.iter().map(|at| cell(grid, at)).collect::<Vec<_>>()})
}

fn cell(grid: &Grid, &(row, column): &(usize, usize)) -> Value {
    json!({"row": row, "column": column, "x": coordinate(grid.columns(), column), "y": coordinate(grid.rows(), row)})
}

/// One panel: shape, counts by state, extremes with their cells, mean, and the edges of bins; `beyond` is cells below and above the limits.
pub fn panel(grid: &Grid, s: &Stats, beyond: Option<(u64, u64)>) -> Value {
    let of = |state: State| s.states[state.index()];
    let mut out = json!({
        "name": grid.name(),
        "rows": grid.height(),
        "columns": grid.width(),
        "x": grid.columns().name,
        "y": grid.rows().name,
        "value": grid.value_name(),
        "counts": {
            "value": s.values, "nan": of(State::Nan), "absent": of(State::Absent), "masked": of(State::Masked),
            "pending": of(State::Pending), "pos_inf": s.pos_inf, "neg_inf": s.neg_inf,
        },
        "min": extreme(grid, s.min, s.min_ties, &s.min_cells),
        "max": extreme(grid, s.max, s.max_ties, &s.max_cells),
        "mean": number(Number::F64(s.mean)),
    });
    for (key, axis) in [("x_edges", grid.columns()), ("y_edges", grid.rows())] {
        if let (true, Some(edges), Some(map)) = (axis.binned, axis.edges(), out.as_object_mut()) {
            let edges: Vec<Value> = edges.into_iter().map(|edge| number(Number::F64(edge))).collect();
            map.insert(key.to_owned(), Value::Array(edges));
        }
    }
    if let (Some(facet), Some(map)) = (grid.facet(), out.as_object_mut()) {
        let sides = [("panel_row", &facet.row), ("panel_column", &facet.column)];
        for (key, value) in sides {
            map.extend(value.iter().map(|v| (key.to_owned(), json!(v.value))));
        }
    }
    if !grid.changes().is_empty()
        && let Some(counts) = out["counts"].as_object_mut()
    {
        counts.insert("not_in_baseline".to_owned(), json!(of(State::Appeared)));
        counts.insert("only_in_baseline".to_owned(), json!(of(State::Vanished)));
    }
    if let (Some(thin), Some(map)) = (grid.thin_cells(), out.as_object_mut()) {
        map.insert("below_min_count".to_owned(), json!(thin));
    }
    if let (Some(label), Some(map)) = (changed_label(grid), out.as_object_mut()) {
        map.insert("shown".to_owned(), json!(label));
    }
    if let (Some(p), Some(map)) = (grid.fields().get(P_VALUES), out.as_object_mut()) {
        let rows = p.chunks(grid.width());
        let rows: Vec<Vec<Value>> =
            rows.map(|row| row.iter().map(|p| number(Number::F64(*p))).collect()).collect();
        map.insert("paired".to_owned(), json!({"note": grid.note(), "p": rows}));
    }
    if let (Some((below, above)), Some(map)) = (beyond, out.as_object_mut()) {
        map.insert("below".to_owned(), json!(below));
        map.insert("above".to_owned(), json!(above));
    }
    out
}

/// Up to this many rows or columns the numbers of a margin are listed; of more, the least and the greatest.
const MOST_LISTED: usize = 1000;

/// The margins of a panel, in the order of the figure.
fn margins(frame: &Frame, made: &PanelMargins) -> Vec<Value> {
    let of = |v: f64| number(Number::F64(v));
    let mut out = Vec::new();
    for track in &frame.tracks {
        let TrackKind::Margin(margin) = track.kind else {
            continue;
        };
        let lines = if margin.of_rows { &made.lines.rows } else { &made.lines.columns };
        let numbers =
            lines.iter().map(|line| margin_numbers(margin, &LineSummary::pooled(std::slice::from_ref(line))));
        let mut fields = Map::new();
        fields.insert("of".to_owned(), json!(if margin.of_rows { "rows" } else { "columns" }));
        fields.insert("stat".to_owned(), json!(margin.stat.word()));
        if lines.len() > MOST_LISTED {
            let finite = || numbers.clone().map(|s| s.value).filter(|v| !v.is_nan());
            fields.insert("min".to_owned(), finite().reduce(f64::min).map_or(Value::Null, of));
            fields.insert("max".to_owned(), finite().reduce(f64::max).map_or(Value::Null, of));
        } else {
            fields.insert("values".to_owned(), numbers.clone().map(|s| of(s.value)).collect());
            let has_band = match margin.stat {
                MarginStat::MinMax => true,
                MarginStat::Std => margin.form == MarginForm::Line,
                _ => false,
            };
            if has_band {
                fields.insert("low".to_owned(), numbers.clone().map(|s| of(s.low)).collect());
                fields.insert("high".to_owned(), numbers.map(|s| of(s.high)).collect());
            }
            if margin.stat == MarginStat::Std {
                fields.insert("mean".to_owned(), lines.iter().map(|line| of(line.mean())).collect());
                fields.insert("std".to_owned(), lines.iter().map(|line| of(line.std())).collect());
            }
        }
        out.push(Value::Object(fields));
    }
    out
}

/// All panels of a drawn figure, with the cells below and above their limits, and their margins if they have any.
pub fn panels(frame: &Frame, grids: &[Grid], stats: &[Stats], colours: &Colours) -> Value {
    let drawn = grids.iter().zip(stats).zip(&colours.panels).zip(&colours.margins);
    drawn
        .map(|(((g, s), p), made)| {
            let mut out = panel(g, s, Some((p.below, p.above)));
            let margins = margins(frame, made);
            if let (false, Some(map)) = (margins.is_empty(), out.as_object_mut()) {
                map.insert("margins".to_owned(), Value::Array(margins));
            }
            out
        })
        .collect()
}

/// Adds their marks to panels.
pub fn add_marks(panels: &mut Value, grids: &[Grid], frame: &Frame, marking: &[PanelMarking]) {
    let drawn = grids.iter().zip(&frame.panels).zip(marking);
    for (out, ((grid, panel), of)) in panels.as_array_mut().into_iter().flatten().zip(drawn) {
        let marks = panel.marks.iter().zip(&of.marks);
        let marks: Vec<Value> = marks.map(|(mark, of)| marked(grid, mark, of)).collect();
        let line = |c: &Contour| json!({"level": number(Number::F64(c.level)), "pieces": c.count});
        let lines: Vec<Value> = of.contours.iter().map(line).collect();
        for (key, list) in [("marks", marks), ("contours", lines)] {
            if !list.is_empty() {
                out[key] = Value::Array(list);
            }
        }
    }
}

/// A mark of a panel: which cells, how many, and the first of them; where the cells are not known, its pixels.
fn marked(grid: &Grid, mark: &PanelMark, of: &Marked) -> Value {
    let mut out = json!({"mark": mark.text, "style": mark.style.word()});
    match &of.census {
        Some(census) => {
            let cells = census.first.iter().map(|at| cell(grid, at));
            out["count"] = json!(census.count);
            out["cells"] = cells.collect();
        }
        None => out["pixels"] = json!(of.count),
    }
    if let Some(key) = &mark.key {
        out["label"] = json!(spoken(key));
    }
    out
}

/// A scale and the names of the panels that share it.
pub fn scale(label: &str, panels: &[&str], spec: &ScaleSpec) -> Map<String, Value> {
    let fields = [
        ("label", json!(label)),
        ("panels", json!(panels)),
        ("norm", json!(spec.norm.word())),
        ("vmin", number(Number::F64(spec.vmin))),
        ("vmax", number(Number::F64(spec.vmax))),
        ("cmap", json!(spec.map.name)),
    ];
    let hide = spec.hide.map(|h| [("hide_below", h.below), ("hide_above", h.above)]);
    let hidden = hide.into_iter().flatten().filter_map(|(k, v)| Some((k, number(Number::F64(v?)))));
    fields.into_iter().chain(hidden).map(|(k, v)| (k.to_owned(), v)).collect()
}

/// The scales of a drawn figure, one for each colour bar.
pub fn limits(frame: &Frame, colours: &Colours) -> Vec<Map<String, Value>> {
    let names = |panels: &[usize]| panels.iter().map(|&i| frame.panels[i].name.as_str()).collect::<Vec<_>>();
    frame
        .bars
        .iter()
        .zip(&colours.bars)
        .map(|(bar, made)| scale(&spoken(&bar.title()), &names(&bar.panels), made.scale.spec()))
        .collect()
}

/// The scales of a drawn figure, with the cells below and above their limits.
pub fn scales(frame: &Frame, colours: &Colours) -> Value {
    let counted = |(mut scale, made): (Map<String, Value>, &crate::resolve::Bar)| {
        scale.insert("below".to_owned(), json!(made.below));
        scale.insert("above".to_owned(), json!(made.above));
        Value::Object(scale)
    };
    limits(frame, colours).into_iter().zip(&colours.bars).map(counted).collect()
}

/// How files were read: the dialects of tables of text, and the queries of databases where there are any.
pub fn reading(loaded: &Loaded) -> Vec<(&'static str, Value)> {
    let queries = (!loaded.queries.is_empty()).then(|| ("queries", queries(&loaded.queries)));
    std::iter::once(("dialects", dialects(&loaded.dialects))).chain(queries).collect()
}

/// For each table of text its file, its delimiter, and whether it has a header.
fn dialects(list: &[Dialect]) -> Value {
    let one = |d: &Dialect| {
        let delimiter = d.delimiter.to_string();
        json!({"file": d.file, "delimiter": delimiter, "header": d.header, "comments": d.comments})
    };
    list.iter().map(one).collect()
}

/// The queries of databases: what was asked, how many rows came, and whether they are groups of rows, or why not.
fn queries(list: &[Query]) -> Value {
    let one = |q: &Query| {
        let way = if q.why.is_some() { "rows" } else { "groups" };
        json!({"file": q.file, "sql": q.sql, "rows": q.rows.load(Ordering::Relaxed), "way": way, "why": q.why})
    };
    list.iter().map(one).collect()
}

/// The warnings that the policy shows.
pub fn lints(lints: &Lints, policy: &Policy) -> Value {
    let shown = lints.0.iter().filter(|l| policy.shows(l.name));
    let one = |l: &Lint| {
        let mut value =
            json!({"name": l.name.as_str(), "panel": l.panel, "count": l.count, "text": l.message()});
        if !l.names.is_empty() {
            value["names"] = json!(l.names);
        }
        value
    };
    shown.map(one).collect()
}

/// The same JSON with the characters that `which` selects escaped. These must occur only inside strings.
pub fn escaped(json: &str, which: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if which(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// An object of these fields, preceded by the version of the program.
pub fn versioned(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut map = Map::new();
    map.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    for (k, v) in fields {
        map.insert(k.to_owned(), v);
    }
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_texts_read_back_the_same() {
        let value = json!({"a\u{7f}": "ä\u{202e}\u{1f600}\\\n", "b": 1.5});
        let ascii = escaped(&value.to_string(), |c| !c.is_ascii() || c == '\u{7f}');
        assert_eq!(ascii, r#"{"a\u007f":"\u00e4\u202e\ud83d\ude00\\\n","b":1.5}"#);
        assert_eq!(serde_json::from_str::<Value>(&ascii).unwrap(), value);
    }
}
