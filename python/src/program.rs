//! The program in this process, and its threads.

use crate::work::keep_panics;
use gridscope::{limit_threads, run_program_with};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::num::NonZeroUsize;

/// Runs the program with these arguments, its own name left out, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    let mut arguments = vec![OsString::from("gridscope")];
    arguments.extend(argv);
    let code = py.detach(|| run_program_with(&arguments));
    keep_panics();
    code
}

/// Limits the threads that fold and draw; None takes the limit away.
#[pyfunction]
#[pyo3(signature = (n=None))]
pub(crate) fn set_threads(n: Option<usize>) -> PyResult<()> {
    let most = match n.map(NonZeroUsize::new) {
        Some(None) => return Err(PyValueError::new_err("threads are 1 or more")),
        other => other.flatten(),
    };
    limit_threads(most);
    Ok(())
}
