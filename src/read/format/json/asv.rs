//! Results of asv: a row for each benchmark and each combination of its parameters.

use super::outline::{Kind, Node};
use super::tokenizer::JsonFault;
use serde_json::{Map, Value, json};

/// Combinations of the parameters of a benchmark.
const MOST: usize = 1 << 20;

/// Whether an object is a file of results.
pub(super) fn is_asv(object: &Node) -> bool {
    let Some(Kind::Object(results)) = object.find("results").map(|results| &results.kind) else {
        return false;
    };
    // The first version names the parts of each result.
    let is_first = |(_, node): &(_, Node)| node.find("params").is_some() && node.find("result").is_some();
    object.find("result_columns").is_some()
        || object.find("commit_hash").is_some() && results.iter().any(is_first)
}

/// The rows of a file of results as records, one a line: the benchmark, its parameters, and the value.
///
/// # Errors
/// Another shape than asv writes.
pub(super) fn lines(text: &str, object: &Node) -> Result<Vec<u8>, JsonFault> {
    let fault = |what: String| JsonFault::new(object.range.start, format!("asv: {what}"));
    let tree: Value =
        serde_json::from_str(&text[object.range.clone()]).map_err(|e| fault(format!("is not JSON: {e}")))?;
    let names = tree["result_columns"].as_array();
    let place = |name: &str| names?.iter().position(|n| n == name);
    if names.is_some() && (place("result").is_none() || place("params").is_none()) {
        return Err(fault("'result_columns' has no 'result' and 'params'".to_owned()));
    }
    let part = |entry: &Value, name: &str| match place(name) {
        Some(place) => entry[place].clone(),
        None if entry.is_number() && name == "result" => json!([entry]),
        None => entry[name].clone(),
    };
    let mut out = Vec::new();
    for (name, entry) in tree["results"].as_object().cloned().unwrap_or_default() {
        let axes: Vec<Vec<Value>> = match part(&entry, "params").as_array() {
            Some(axes) => axes.iter().map(|axis| axis.as_array().cloned().unwrap_or_default()).collect(),
            None => Vec::new(),
        };
        let combinations = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.len()));
        let combinations = combinations.filter(|n| *n <= MOST);
        let Some(combinations) = combinations else {
            return Err(fault(format!("'{name}' has over {MOST} combinations of parameters")));
        };
        // A benchmark that failed has null in place of its values.
        let values = match part(&entry, "result") {
            Value::Array(values) => values,
            _ => vec![Value::Null; combinations],
        };
        if values.len() != combinations {
            let what = format!("'{name}' has {} values for {combinations} combinations", values.len());
            return Err(fault(what));
        }
        for (i, value) in values.into_iter().enumerate() {
            let mut row = Map::new();
            row.insert("benchmark".to_owned(), json!(name));
            let mut left = i;
            // The last parameter runs fastest.
            let mut own: Vec<Value> = Vec::with_capacity(axes.len());
            for axis in axes.iter().rev() {
                own.push(parameter(&axis[left % axis.len()]));
                left /= axis.len();
            }
            for (at, parameter) in own.into_iter().rev().enumerate() {
                row.insert(format!("param {}", at + 1), parameter);
            }
            row.insert("value".to_owned(), value);
            out.extend(Value::Object(row).to_string().bytes());
            out.push(b'\n');
        }
    }
    Ok(out)
}

/// A parameter, which asv writes as Python does: texts in quotes.
fn parameter(written: &Value) -> Value {
    let Some(text) = written.as_str() else { return written.clone() };
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
    match quoted('\'').or(quoted('"')) {
        Some(inner) => json!(inner),
        None => serde_json::from_str::<serde_json::Number>(text).map_or_else(|_| json!(text), Value::Number),
    }
}
