//! Descriptions of axes: dictionaries with `name`, `unit`, `coordinates`, `labels`, `levels` and `strips`.

use crate::numpy::numbers;
use gridscope::input::ArrayAxis;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The axes of an array of `axes` axes; an empty list describes none of them.
pub(crate) fn axes(given: &[Bound<'_, PyDict>], axes: usize, file: &str) -> PyResult<Arc<[ArrayAxis]>> {
    if given.is_empty() {
        return Ok(vec![ArrayAxis::default(); axes].into());
    }
    given.iter().map(|dict| axis(dict, file)).collect()
}

fn axis(dict: &Bound<'_, PyDict>, file: &str) -> PyResult<ArrayAxis> {
    let of = |key: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        Ok(dict.get_item(key)?.filter(|value| !value.is_none()))
    };
    let text = |key| of(key)?.map_or(Ok(String::new()), |value| value.extract());
    let mut levels: Vec<Vec<String>> = of("levels")?.map_or(Ok(Vec::new()), |value| value.extract())?;
    if let (Some(labels), true) = (of("labels")?, levels.is_empty()) {
        levels.push(labels.extract()?);
    }
    let strips = of("strips")?.map_or(Ok(Vec::new()), |value| value.extract())?;
    Ok(ArrayAxis {
        name: text("name")?,
        unit: text("unit")?,
        coordinates: of("coordinates")?.map(|value| numbers(&value, file)).transpose()?,
        levels,
        strips,
    })
}
