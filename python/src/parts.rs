//! Parts of a grid that are folded where they lie, and results that are joined: bytes in, bytes out, so that they travel.

use crate::errors::Failure;
use crate::fold::reduced;
use crate::link::Link;
use crate::numpy::plain;
use gridscope::embedding;
use gridscope::figure::Reduce;
use gridscope::grid::{Number, PartError, PartialScan, ScanPlan};
use gridscope::input::InputError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

fn refused(e: &PartError) -> Failure {
    InputError::refused("", "", e.to_string()).into()
}

/// The pass that folds `shape` cells to `pixels`, rows and columns of each.
#[pyfunction]
pub(crate) fn fold_plan(
    py: Python<'_>,
    shape: (usize, usize),
    pixels: (u32, u32),
) -> PyResult<Bound<'_, PyBytes>> {
    let plan = embedding::fold_plan(shape, pixels).map_err(|e| Failure::from(e).raise(py))?;
    Ok(PyBytes::new(py, &plan.to_bytes()))
}

/// The results of passes over a part of their grid, whose first cell is at (row, column) `at`.
#[pyfunction]
#[pyo3(signature = (array, at, plans, *, mask=None))]
pub(crate) fn fold_part<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    at: (usize, usize),
    plans: Vec<Vec<u8>>,
    mask: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let grid = plain(array, mask, &Link::default())?;
    let made = py.detach(move || -> Result<Vec<Vec<u8>>, Failure> {
        let grid = grid()?;
        let part = |bytes: &Vec<u8>| Ok(ScanPlan::from_bytes(bytes)?.fold(&grid, at)?.to_bytes());
        plans.iter().map(part).collect::<Result<_, PartError>>().map_err(|e| refused(&e))
    });
    Ok(made.map_err(|e| e.raise(py))?.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
}

/// The result of all parts of these.
#[pyfunction]
pub(crate) fn join_parts(py: Python<'_>, parts: Vec<Vec<u8>>) -> PyResult<Bound<'_, PyBytes>> {
    let made = py.detach(move || -> Result<Vec<u8>, PartError> {
        let parts = parts.iter().map(|bytes| PartialScan::from_bytes(bytes));
        let mut parts: Vec<PartialScan> = parts.collect::<Result<_, _>>()?;
        let mut all = parts.pop().unwrap_or_default();
        all.merge(&parts)?;
        Ok(all.to_bytes())
    });
    Ok(PyBytes::new(py, &made.map_err(|e| refused(&e).raise(py))?))
}

/// Pixels and statistics of a pass whose parts are joined: as [`crate::fold::fold`], with `min`, `max`, `mean` and counts of all
/// cells.
#[pyfunction]
#[pyo3(signature = (parts, kind, reduce="mean", center=None))]
pub(crate) fn parts_values<'py>(
    py: Python<'py>,
    parts: &[u8],
    kind: &str,
    reduce: &str,
    center: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let by: Reduce =
        reduce.parse().map_err(|e| Failure::from(InputError::usage("", format!("reduce: {e}"))).raise(py))?;
    let parts = PartialScan::from_bytes(parts).map_err(|e| refused(&e).raise(py))?;
    let (folded, stats) = embedding::fold_parts(parts, by, center).map_err(|e| Failure::from(e).raise(py))?;
    let out = reduced(py, &folded, kind, by)?;
    let number = |v: Option<Number>| -> PyResult<Option<Py<PyAny>>> {
        let object = |v: Number| -> PyResult<Py<PyAny>> {
            Ok(match v {
                Number::F64(v) => v.into_pyobject(py)?.into_any().unbind(),
                Number::I64(v) => v.into_pyobject(py)?.into_any().unbind(),
                Number::U64(v) => v.into_pyobject(py)?.into_any().unbind(),
            })
        };
        v.map(object).transpose()
    };
    out.set_item("min", number(stats.min)?)?;
    out.set_item("max", number(stats.max)?)?;
    out.set_item("mean", stats.mean)?;
    out.set_item("count", stats.values)?;
    Ok(out)
}
