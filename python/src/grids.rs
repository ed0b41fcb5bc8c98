//! The grids of a figure as bytes that numpy takes.

use gridscope::Error;
use gridscope::embedding::Held;
use gridscope::grid::{Axis, AxisKind, Grid, State, Values};
use gridscope::input::load;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Name of the state of a cell in Python.
pub(crate) fn code(state: Option<State>) -> u8 {
    match state {
        None => 0,
        Some(State::Nan) => 1,
        Some(State::Absent) => 2,
        Some(State::Masked) => 3,
        Some(State::Pending) => 4,
        Some(State::Appeared) => 5,
        Some(State::Vanished) => 6,
    }
}

/// A grid without its axes.
pub(crate) struct Cells {
    dtype: &'static str,
    values: Vec<u8>,
    states: Vec<u8>,
}

/// The cells of each grid.
pub(crate) fn cells(held: &Held) -> Result<Vec<Cells>, Error> {
    let of = |grid: &Grid| {
        load(grid, held.files.first().map_or("", String::as_str), &held.budget)?;
        let states = grid.cells().iter().map(|bits| code(State::of_bits(*bits))).collect();
        let (dtype, values) = bytes(grid.values());
        Ok(Cells { dtype, values, states })
    };
    held.loaded.grids.iter().map(of).collect()
}

/// Numbers as bytes in the order of this machine, and their type as numpy writes it.
fn bytes(values: &Values) -> (&'static str, Vec<u8>) {
    match values {
        Values::F32 { data, integer: true } => {
            ("=i8", data.iter().flat_map(|v| (*v as i64).to_ne_bytes()).collect())
        }
        Values::F32 { data, .. } => ("=f4", data.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Values::F64(v) => ("=f8", v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Values::I64(v) => ("=i8", v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Values::U64(v) => ("=u8", v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
    }
}

/// A grid as a dictionary.
pub(crate) fn described<'py>(py: Python<'py>, grid: &Grid, cells: &Cells) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("name", grid.name())?;
    out.set_item("value_name", grid.value_name())?;
    out.set_item("shape", (grid.height(), grid.width()))?;
    out.set_item("dtype", cells.dtype)?;
    out.set_item("values", PyBytes::new(py, &cells.values))?;
    out.set_item("states", PyBytes::new(py, &cells.states))?;
    out.set_item("rows", axis(py, grid.rows())?)?;
    out.set_item("columns", axis(py, grid.columns())?)?;
    Ok(out)
}

fn axis<'py>(py: Python<'py>, axis: &Axis) -> PyResult<Bound<'py, PyDict>> {
    let kind = match axis.kind {
        AxisKind::Index => "index",
        AxisKind::Category => "category",
        AxisKind::Number => "number",
        AxisKind::Log => "log",
        AxisKind::Time => "time",
    };
    let labels: Option<Vec<String>> =
        (!axis.levels.is_empty()).then(|| (0..axis.len()).map(|i| axis.label(i)).collect());
    let centers = || (0..axis.len()).map(|i| axis.center(i)).collect::<Option<Vec<f64>>>();
    let out = PyDict::new(py);
    out.set_item("name", &axis.name)?;
    out.set_item("kind", kind)?;
    out.set_item("len", axis.len())?;
    out.set_item("start", axis.start)?;
    out.set_item("labels", labels)?;
    out.set_item("coordinates", centers())?;
    out.set_item("levels", &axis.levels)?;
    Ok(out)
}
