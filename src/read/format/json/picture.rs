//! Arrays with names for their rows and columns: heatmaps of plotly, and tables of observations in BIOM 1.

use super::data::numbers;
use super::outline::{Elements, Kind, Node};
use super::tokenizer::{JsonFault, Tokenizer};
use crate::array::{Array, ArrayAxis, LabelledArray};
use crate::budget::Budget;
use base64::Engine;
use gridscope_core::grid::Values;
use serde_json::Value;
use std::sync::Arc;

/// Bytes that a byte of text may take as a tree of values.
pub(super) const TREE: u64 = 12;

/// An array with labelled axes.
pub(super) type Labelled = LabelledArray<Array>;

/// The values `z` of an object with `x` and `y`; `text` is the whole text.
///
/// # Errors
/// Values that are no numbers, and labels of another number.
pub(super) fn picture(
    text: &str,
    node: &Node,
    not_finite: bool,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Labelled, JsonFault> {
    let missing = || JsonFault::new(node.range.start, "has no values 'z'");
    let z = node.find("z").ok_or_else(missing)?;
    let array = match &z.kind {
        Kind::Object(_) => typed(&tree(text, z, budget)?, z.range.start)?,
        _ => numbers_at(text, z, not_finite, budget)?,
    };
    if array.shape.len() != 2 {
        return Err(JsonFault::new(
            z.range.start,
            format!("'z' has {} dimensions, not 2", array.shape.len()),
        ));
    }
    if node.find("transpose").is_some_and(|n| text[n.range.clone()].trim() == "true") {
        let what = "'transpose' is not read: write 'z' with a list for each 'y'";
        return Err(JsonFault::new(node.range.start, what));
    }
    let number = |name: &str| -> Option<f64> { text[node.find(name)?.range.clone()].trim().parse().ok() };
    let mut axes = Vec::new();
    for (name, len) in ["y", "x"].into_iter().zip(array.shape.clone()) {
        let own = node.find(name).filter(|n| !n.is_scalar());
        let values = own.map(|n| tree(text, n, budget)).transpose()?;
        let values = values.map(|v| labels(&v)).unwrap_or_default();
        let first = number(&format!("{name}0"));
        axes.push(match (values.len(), first) {
            (n, _) if n == len => axis(values),
            (0, None) => ArrayAxis::default(),
            (0, Some(first)) => {
                let step = number(&format!("d{name}")).unwrap_or(1.0);
                axis((0..len).map(|i| (first + step * i as f64).to_string()).collect())
            }
            (n, _) => match between(&values).filter(|_| n == len + 1) {
                Some(middles) => axis(middles),
                None => {
                    let what = format!("'{name}' has {n} labels, and 'z' has {len} of them");
                    return Err(JsonFault::new(node.range.start, what));
                }
            },
        });
    }
    labelled(array, axes, file)
}

/// The numbers of a part of a text.
fn numbers_at(text: &str, node: &Node, not_finite: bool, budget: &Arc<Budget>) -> Result<Array, JsonFault> {
    let start = node.range.start;
    let read = numbers(Tokenizer::new(&text[node.range.clone()], not_finite), budget);
    read.map_err(|fault| JsonFault { at: start + fault.at, ..fault })
}

/// The middles between numbers that are edges of cells.
fn between(edges: &[String]) -> Option<Vec<String>> {
    let numbers: Option<Vec<f64>> = edges.iter().map(|edge| edge.parse().ok()).collect();
    Some(numbers?.windows(2).map(|w| f64::midpoint(w[0], w[1]).to_string()).collect())
}

/// Words in the names of lists that label something.
const LABELS: [&str; 9] = ["label", "name", "class", "categor", "key", "tick", "id", "model", "feature"];

/// A matrix with lists beside it, in `holder`, that label its rows and columns; `None` without lists.
///
/// # Errors
/// As [`picture`].
pub(super) fn matrix(
    text: &str,
    holder: &Node,
    node: &Node,
    not_finite: bool,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Option<Labelled>, JsonFault> {
    let Kind::Object(members) = &holder.kind else { return Ok(None) };
    let lists = members.iter().filter_map(|(key, list)| match list.kind {
        Kind::List(n @ 2.., of @ (Elements::Texts | Elements::Numbers)) => {
            Some((key.to_lowercase(), n, of == Elements::Texts, list))
        }
        _ => None,
    });
    let lists: Vec<(String, usize, bool, &Node)> = lists.collect();
    if lists.is_empty() {
        return Ok(None);
    }
    let array = numbers_at(text, node, not_finite, budget)?;
    let &[height, width] = array.shape.as_slice() else {
        let axes = array.shape.iter().map(|_| ArrayAxis::default()).collect();
        return labelled(array, axes, file).map(Some);
    };
    let of_axis = |len: usize, words: [&str; 3]| {
        let fit = || lists.iter().filter(move |list| list.1 == len);
        let named = fit().find(|list| words.iter().any(|word| list.0.contains(word)));
        // Texts are names of both sides of a square, numbers where they fit one side; a length alone may be that of anything.
        let is_labels = |key: &str| LABELS.iter().any(|word| key.contains(word));
        let both = lists.iter().any(|l| l.1 == height) && lists.iter().any(|l| l.1 == width);
        let is_known = |list: &&&(String, usize, bool, &Node)| both || is_labels(&list.0);
        let first =
            || fit().filter(|list| list.2 || height != width && fit().count() == 1).find(|l| is_known(&l));
        named.or_else(first).map(|list| list.3)
    };
    let sides = [of_axis(height, ["row", "index", "true"]), of_axis(width, ["col", "pred", "xlabel"])];
    let mut axes = Vec::new();
    for side in sides {
        let values = side.map(|list| tree(text, list, budget)).transpose()?;
        axes.push(values.map(|values| axis(labels(&values))).unwrap_or_default());
    }
    labelled(array, axes, file).map(Some)
}

fn labelled(array: Array, axes: Vec<ArrayAxis>, file: &str) -> Result<Labelled, JsonFault> {
    LabelledArray::new(array, axes.into(), file).map_err(|e| JsonFault::new(0, e.what))
}

/// The first heatmap of a list of traces.
///
/// # Errors
/// No such trace, and as [`picture`].
pub(super) fn traces(
    text: &str,
    list: &Node,
    not_finite: bool,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Labelled, JsonFault> {
    let start = list.range.start;
    let (mut found, mut left) = (None, 1 << 16);
    let mut r = Tokenizer::new(&text[list.range.clone()], true);
    r.list(&mut |r| {
        let mut node = Node::read(r, &mut left)?;
        if found.is_none() && node.find("z").is_some() {
            moved(&mut node, start);
            found = Some(node);
        }
        Ok(())
    })?;
    let node =
        found.ok_or_else(|| JsonFault::new(start, "has no trace with values 'z': a heatmap is needed"))?;
    picture(text, &node, not_finite, file, budget)
}

/// Counts the places of a value from the start of the whole text.
fn moved(node: &mut Node, by: usize) {
    node.range = node.range.start + by..node.range.end + by;
    if let Kind::Object(members) = &mut node.kind {
        members.iter_mut().for_each(|(_, node)| moved(node, by));
    }
}

/// A small part of a text as a tree.
fn tree(text: &str, node: &Node, budget: &Arc<Budget>) -> Result<Value, JsonFault> {
    let bytes = node.range.len() as u64 * TREE;
    let _room = budget.reserve(bytes).map_err(|s| JsonFault::short(node.range.start, "its names", s))?;
    serde_json::from_str(&text[node.range.clone()])
        .map_err(|e| JsonFault::new(node.range.start, format!("is not JSON: {e}")))
}

/// The texts of a list, or of typed numbers.
fn labels(list: &Value) -> Vec<String> {
    let one = |v: &Value| match v {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    if let Some(list) = list.as_array() {
        return list.iter().map(one).collect();
    }
    match typed(list, 0).map(|array| array.data) {
        Ok(Values::F64(numbers)) => numbers.iter().map(f64::to_string).collect(),
        _ => Vec::new(),
    }
}

fn axis(labels: Vec<String>) -> ArrayAxis {
    let numbers: Option<Vec<f64>> = labels.iter().map(|l| l.parse().ok()).collect();
    let coordinates = numbers.filter(|n| n.iter().all(|v| v.is_finite()));
    let levels = if coordinates.is_some() { Vec::new() } else { vec![labels] };
    ArrayAxis { coordinates, levels, ..ArrayAxis::default() }
}

/// Numbers as plotly 6 writes them: `{"dtype": "f8", "bdata": "…", "shape": "2, 3"}`.
fn typed(value: &Value, at: usize) -> Result<Array, JsonFault> {
    let fault = |what: &str| JsonFault::new(at, format!("typed numbers: {what}"));
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let (Some(dtype), Some(data)) = (text("dtype"), text("bdata")) else {
        return Err(fault("'dtype' and 'bdata' are needed"));
    };
    let bytes = base64::engine::general_purpose::STANDARD.decode(data);
    let bytes = bytes.map_err(|e| fault(&format!("'bdata' is not base64: {e}")))?;
    macro_rules! read {
        ($kind:ty) => {
            bytes
                .as_chunks::<{ size_of::<$kind>() }>()
                .0
                .iter()
                .map(|b| <$kind>::from_le_bytes(*b) as f64)
                .collect()
        };
    }
    let numbers: Vec<f64> = match dtype {
        "f8" => read!(f64),
        "f4" => read!(f32),
        "i1" => read!(i8),
        "i2" => read!(i16),
        "i4" => read!(i32),
        "i8" => read!(i64),
        "u1" => read!(u8),
        "u2" => read!(u16),
        "u4" => read!(u32),
        "u8" => read!(u64),
        other => return Err(fault(&format!("'{other}' is no type of numbers"))),
    };
    let shape: Option<Vec<usize>> = match value.get("shape") {
        None => Some(vec![numbers.len()]),
        Some(Value::String(text)) => text.split(',').map(|n| n.trim().parse().ok()).collect(),
        Some(list) => list.as_array().and_then(|l| l.iter().map(|n| Some(n.as_u64()? as usize)).collect()),
    };
    let shape =
        shape.filter(|s| s.iter().try_fold(1usize, |n, side| n.checked_mul(*side)) == Some(numbers.len()));
    let shape = shape.ok_or_else(|| fault(&format!("'shape' is not that of {} numbers", numbers.len())))?;
    Ok(Array { shape, data: Values::F64(numbers) })
}

/// A table of observations by samples; what a sparse one does not list is 0.
///
/// # Errors
/// Parts of another kind, places outside the shape, too little memory.
pub(super) fn biom(text: &str, node: &Node, file: &str, budget: &Arc<Budget>) -> Result<Labelled, JsonFault> {
    let tree = tree(text, node, budget)?;
    let fault = |what: String| JsonFault::new(node.range.start, format!("BIOM: {what}"));
    let list = |value: &Value, name: &str| -> Result<Vec<Value>, JsonFault> {
        let list = value.get(name).and_then(Value::as_array);
        list.cloned().ok_or_else(|| fault(format!("'{name}' is not a list")))
    };
    let ids = |name: &str| -> Result<Vec<String>, JsonFault> {
        let id = |v: &Value| match v.get("id") {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        Ok(list(&tree, name)?.iter().map(id).collect())
    };
    let (rows, columns) = (ids("rows")?, ids("columns")?);
    let (height, width) = (rows.len(), columns.len());
    let cells = height.checked_mul(width).filter(|n| *n > 0).ok_or_else(|| fault("no cells".to_owned()))?;
    let room = budget.reserve(9 * cells as u64);
    room.map_err(|s| JsonFault::short(0, format!("{height} x {width} cells"), s))?.keep();
    let mut numbers = vec![0.0; cells];
    let mut met = vec![false; cells];
    let sparse = tree.get("matrix_type").and_then(Value::as_str) == Some("sparse");
    for (r, entry) in list(&tree, "data")?.iter().enumerate() {
        let entry = entry.as_array().ok_or_else(|| fault("'data' holds lists".to_owned()))?;
        let number = |v: &Value| v.as_f64().or(v.is_null().then_some(f64::NAN));
        if sparse {
            let place =
                |i: usize, most: usize| entry.get(i)?.as_u64().map(|n| n as usize).filter(|n| *n < most);
            let at = place(0, height).zip(place(1, width)).zip(entry.get(2).and_then(number));
            let ((row, column), value) =
                at.ok_or_else(|| fault(format!("entry {} of 'data' is no cell", r + 1)))?;
            if std::mem::replace(&mut met[row * width + column], true) {
                return Err(fault(format!("entry {} of 'data' is a cell that another one is, too", r + 1)));
            }
            numbers[row * width + column] = value;
        } else {
            let own: Option<Vec<f64>> = entry.iter().map(number).collect();
            let own = own.filter(|own| own.len() == width && r < height);
            let own = own.ok_or_else(|| fault(format!("row {} of 'data' has not {width} numbers", r + 1)))?;
            numbers[r * width..(r + 1) * width].copy_from_slice(&own);
        }
    }
    let level = |labels: Vec<String>| ArrayAxis { levels: vec![labels], ..ArrayAxis::default() };
    let array = Array { shape: vec![height, width], data: Values::F64(numbers) };
    labelled(array, vec![level(rows), level(columns)], file)
}
