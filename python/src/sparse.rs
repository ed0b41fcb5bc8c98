//! Sparse matrices: the elements that are stored, at their rows and columns.

use crate::errors::Failure;
use crate::numpy::array;
use gridscope::Error;
use gridscope::grid::Values;
use gridscope::input::{ArraySource, InputError, SparseArray, Window};
use pyo3::prelude::*;

/// Lists of numpy as the elements of a matrix, whose places are checked.
pub(crate) fn sparse(
    name: &str,
    shape: (usize, usize),
    (rows, columns, values): (&Bound<'_, PyAny>, &Bound<'_, PyAny>, &Bound<'_, PyAny>),
) -> PyResult<SparseArray> {
    let places = |object: &Bound<'_, PyAny>| match list(object, name)? {
        Values::I64(places) => Ok(places),
        Values::F32 { data, integer: true } => Ok(data.into_iter().map(|v| v as i64).collect()),
        Values::U64(places) => Ok(places.into_iter().map(|v| i64::try_from(v).unwrap_or(-1)).collect()),
        _ => {
            let e = InputError::usage(name, "rows and columns of elements are integers");
            Err(Failure::from(e).raise(object.py()))
        }
    };
    let (rows, columns): (Vec<i64>, Vec<i64>) = (places(rows)?, places(columns)?);
    SparseArray::new(shape, &rows, &columns, &list(values, name)?, name)
        .map_err(|e| Failure::from(e).raise(values.py()))
}

/// The elements of a list.
fn list(object: &Bound<'_, PyAny>, file: &str) -> PyResult<Values> {
    let array = array(object, file)?;
    let fail = |e: Error| Failure::from(e).raise(object.py());
    let &[len] = array.shape() else {
        let what = format!("a list of elements is expected, not an array of shape {:?}", array.shape());
        return Err(fail(InputError::usage(file, what).into()));
    };
    let mut buffer = array.buffer();
    let window = Window { first: vec![0], row_axis: None, column_axis: 0, rows: 1, columns: len };
    array.read(&window, &mut buffer).map_err(|e| fail(e.into()))?;
    Ok(buffer.into())
}
