//! Figures and their words.

use crate::data::Data;
use crate::errors::Failure;
use crate::work::Stage;
use gridscope::Colormap;
use gridscope::embedding::{self, toml_of_figure};
use gridscope::figure::{Better, Figure, Word};
use gridscope::input::{InputError, figure_of_json};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The figure of a JSON text.
pub(crate) fn figure(py: Python<'_>, text: &str) -> PyResult<Figure> {
    figure_of_json(text).map_err(|e| Failure::from(e).raise(py))
}

/// Raises an error where a key or a value of a figure is wrong; its `place` is the key.
#[pyfunction]
pub(crate) fn check_figure(py: Python<'_>, figure: &str) -> PyResult<()> {
    self::figure(py, figure).map(|_| ())
}

/// A figure as the text of a figure file in TOML.
#[pyfunction]
pub(crate) fn figure_toml(py: Python<'_>, figure: &str) -> PyResult<String> {
    toml_of_figure(&self::figure(py, figure)?).map_err(|e| Failure::from(e).raise(py))
}

/// The keys of figures with their flags and the words that others have for them, as a JSON list.
#[pyfunction]
pub(crate) fn vocabulary() -> String {
    let of = |word: &Word| json!({"key": word.key, "flag": word.flag, "elsewhere": word.peers});
    Word::all().map(of).collect::<Value>().to_string()
}

/// The names of the colormaps.
#[pyfunction]
pub(crate) fn colormaps() -> Vec<&'static str> {
    let mut names: Vec<&str> = Colormap::names().collect();
    names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
    names
}

/// Changes from `b` to `a`, as the JSON object of `check --against --json`. Which values are better says `better`, else
/// the figure of `a`.
#[pyfunction]
#[pyo3(signature = (a, b, tolerance=None, *, better=None))]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Bound<'_, Data>,
    b: &Bound<'_, Data>,
    tolerance: Option<String>,
    better: Option<&str>,
) -> PyResult<String> {
    let (now, before) = (a.get(), b.get());
    let usage = |what: &str| Failure::from(InputError::usage("", what)).raise(py);
    let better = match better {
        Some("higher") => Better::Higher,
        Some("lower") => Better::Lower,
        Some(_) => return Err(usage("better is 'higher' or 'lower'")),
        None => now
            .figure
            .data
            .better
            .ok_or_else(|| usage("better: say which values are, 'higher' or 'lower'"))?,
    };
    let (figure, now_held, before_held) =
        (Arc::clone(&now.figure), Arc::clone(&now.held), Arc::clone(&before.held));
    let stage = Stage { name: "comparing", progress: None, link: &now.link, elements: 0 };
    stage.run(py, move || {
        let found = embedding::compare(&figure, (&now_held, &before_held), better, tolerance.as_deref())?;
        Ok(found.to_string())
    })
}
