//! The cells whose keys a list of ticks names, and those with labels of the figure.

use super::error::ResolveError;
use gridscope_core::figure::{AxisLabels, AxisSpec, List, Ticks};
use gridscope_core::grid::{Axis, AxisKind, Grid};
use gridscope_core::text::{clean, nearest};
use std::collections::{HashMap, HashSet};

/// A tick that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyTick {
    /// At a cell.
    Cell(usize),
    /// At a value between the cells of an axis that is drawn to scale, with its text.
    Value(f64, String),
}

/// For each grid, the ticks that a list of keys asks for; without a list, those of cells whose labels are the figure's.
///
/// # Errors
/// A key that no axis has: the key and the nearest one.
pub(super) fn tick_keys<'a>(
    spec: &AxisSpec,
    name: &str,
    grids: &'a [Grid],
    axis: fn(&'a Grid) -> &'a Axis,
    between: bool,
) -> Result<Vec<Vec<KeyTick>>, ResolveError> {
    let Some(Ticks::Keys(List(keys))) = &spec.ticks else {
        return Ok(own_ticks(&spec.labels, grids.iter().map(axis)));
    };
    let mut met = vec![false; keys.len()];
    let out = grids.iter().map(|g| of_axis(keys, axis(g), between, &mut met)).collect();
    match met.iter().position(|met| !met) {
        None => Ok(out),
        Some(i) => Err(unknown(&keys[i], name, grids.iter().map(axis))),
    }
}

/// The cells of each axis whose labels are these.
fn own_ticks<'a>(labels: &AxisLabels, axes: impl Iterator<Item = &'a Axis>) -> Vec<Vec<KeyTick>> {
    if labels.is_empty() {
        return Vec::new();
    }
    let texts: HashSet<&String> = labels.texts().collect();
    let cells = |axis: &Axis| {
        let own = |i: &usize| labels.are_all() || axis.levels.last().is_some_and(|l| texts.contains(&l[*i]));
        (0..axis.len()).filter(own).map(KeyTick::Cell).collect()
    };
    axes.map(cells).collect()
}

/// The ticks of these keys on one axis, in its order; `met` says which keys some axis has.
fn of_axis(keys: &[String], axis: &Axis, between: bool, met: &mut [bool]) -> Vec<KeyTick> {
    let mut texts: HashMap<&str, usize> = HashMap::new();
    for (k, key) in keys.iter().enumerate() {
        texts.insert(key, k);
        texts.entry(key.trim()).or_insert(k);
    }
    let numbers: Vec<Option<f64>> = keys.iter().map(|k| k.trim().parse::<f64>().ok()).collect();
    let mut sorted: Vec<(f64, usize)> =
        numbers.iter().enumerate().filter_map(|(k, v)| v.filter(|v| v.is_finite()).map(|v| (v, k))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_numeric = matches!(axis.kind, AxisKind::Index | AxisKind::Number | AxisKind::Log);
    let of_number = |v: f64| {
        let slack = 1e-9 * v.abs();
        let from = sorted.partition_point(|s| s.0 < v - slack);
        sorted.get(from).filter(|s| s.0 <= v + slack).map(|s| s.1)
    };
    let of_cell = |i: usize| {
        let inner = axis.levels.last().and_then(|l| texts.get(l[i].as_str()).copied());
        inner.or_else(|| texts.get(axis.label(i).as_str()).copied()).or_else(|| {
            let value = match axis.kind {
                AxisKind::Index => Some((axis.start + i) as f64),
                _ => axis.center(i),
            };
            value.filter(|_| is_numeric).and_then(of_number)
        })
    };
    let mut out = Vec::new();
    let mut at_cell = vec![false; keys.len()];
    for i in 0..axis.len() {
        if let Some(k) = of_cell(i) {
            (met[k], at_cell[k]) = (true, true);
            out.push(KeyTick::Cell(i));
        }
    }
    if between
        && is_numeric
        && let Some(edges) = axis.edges()
        && let (Some(a), Some(z)) = (edges.first(), edges.last())
    {
        for (k, key) in keys.iter().enumerate() {
            if let Some(v) = numbers[k].filter(|v| !at_cell[k] && *v >= a.min(*z) && *v <= a.max(*z)) {
                met[k] = true;
                out.push(KeyTick::Value(v, clean(key.trim())));
            }
        }
    }
    out
}

/// Keys that an unknown one is compared with: no more than people write.
const COMPARED: usize = 10_000;

/// The error of a key that no axis has.
fn unknown<'a>(key: &str, name: &str, axes: impl Iterator<Item = &'a Axis>) -> ResolveError {
    let mut known: Vec<String> = Vec::new();
    for axis in axes {
        let room = COMPARED.saturating_sub(known.len()).min(axis.len());
        known.extend((0..room).map(|i| match axis.levels.last() {
            Some(labels) => clean(&labels[i]),
            None => axis.label(i),
        }));
    }
    let of_number = |value: f64| {
        let numbers = known.iter().filter_map(|k| Some((k.parse::<f64>().ok()?, k.as_str())));
        numbers.min_by(|a, b| (a.0 - value).abs().total_cmp(&(b.0 - value).abs())).map(|n| n.1)
    };
    let near = match key.trim().parse::<f64>() {
        Ok(value) => of_number(value),
        Err(_) => nearest(key, known.iter().map(String::as_str)),
    };
    let near = near.map(|n| format!("; the nearest is '{n}'")).unwrap_or_default();
    ResolveError::key(
        format!("{name}.ticks"),
        format!("no cell of the {name} axis has the key '{}'{near}", clean(key)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Values;

    fn ticks(axis: Axis, keys: &[&str], true_spacing: bool) -> Result<Vec<KeyTick>, String> {
        let n = axis.len();
        let grid = Grid::new(Axis::index("", 1), axis, Values::F64(vec![0.0; n]), &[]).unwrap();
        let spec = AxisSpec {
            ticks: Some(Ticks::Keys(List(keys.iter().map(|k| (*k).to_owned()).collect()))),
            ..AxisSpec::default()
        };
        tick_keys(&spec, "x", &[grid], Grid::columns, true_spacing)
            .map(|mut t| t.remove(0))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn keys_are_texts_or_numbers() {
        use KeyTick::{Cell, Value};
        let years = || {
            Axis::number(
                "",
                vec![2010.0, 2011.0, 2012.0],
                ["2010.0", "2011.0", "2012.0"].map(str::to_owned).into(),
            )
        };
        assert_eq!(ticks(years(), &["2012", "2010.0"], false), Ok(vec![Cell(0), Cell(2)]));
        assert_eq!(
            ticks(years(), &["2010.5", "2012"], true),
            Ok(vec![Cell(2), Value(2010.5, "2010.5".to_owned())])
        );
        assert_eq!(ticks(years(), &["2009.5"], true), Ok(vec![Value(2009.5, "2009.5".to_owned())]));
        let wrong = ticks(years(), &["2010.4"], false).unwrap_err();
        assert!(wrong.contains("'2010.4'") && wrong.contains("the nearest is '2010.0'"), "{wrong}");
        assert!(ticks(years(), &["2013"], true).is_err());
        let names = || Axis::category("", ["a, b", "gpt", "llama"].map(str::to_owned).into());
        assert_eq!(ticks(names(), &["llama", "a, b"], false), Ok(vec![Cell(0), Cell(2)]));
        let wrong = ticks(names(), &["lama"], false).unwrap_err();
        assert!(wrong.starts_with("x.ticks: ") && wrong.contains("'llama'"), "{wrong}");
        assert_eq!(ticks(Axis::index("", 9).slice(3..9), &["4"], false), Ok(vec![Cell(1)]));
    }
}
