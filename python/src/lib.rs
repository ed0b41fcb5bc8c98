//! The module `gridscope._core`: the library for the Python package, which is in `py/gridscope`.
//!
//! Work that takes time runs on a thread of its own without the interpreter's lock, while the calling thread looks for signals:
//! see `work`. Objects of Python that are read meanwhile are held by what reads them.

// Its tests are in Python. A test harness in Rust, which would need an interpreter to link with, is built empty.
#![cfg(not(test))]

mod errors;
mod link;
mod work;
mod lints;
mod stoppable;
mod numpy;
mod axes;
mod chunked;
mod sparse;
mod stream;
mod held;
mod grids;
mod data;
mod fold;
mod parts;
mod figures;
mod program;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The address of `sys` in the interpreter that imported the module; 0 before.
static HOME: AtomicUsize = AtomicUsize::new(0);

/// Refuses another interpreter of the process: classes and exceptions are those of the first one. The package calls it, too, as
/// Python may give another interpreter the module without initialising it again.
#[pyfunction]
pub(crate) fn settle(py: Python<'_>) -> PyResult<()> {
    let here = py.import("sys")?.as_ptr() as usize;
    match HOME.compare_exchange(0, here, Ordering::SeqCst, Ordering::SeqCst) {
        Err(home) if home != here => Err(PyImportError::new_err(
            "gridscope works in one interpreter of a process, and another one has imported it",
        )),
        _ => Ok(()),
    }
}

/// The Rust side of gridscope; use the package `gridscope`.
#[pymodule(name = "_core")]
mod module {
    #[pymodule_export]
    use super::data::Data;
    #[pymodule_export]
    use super::figures::{check_figure, colormaps, compare, figure_toml, vocabulary};
    #[pymodule_export]
    use super::fold::fold;
    #[pymodule_export]
    use super::held::set_memory;
    #[pymodule_export]
    use super::parts::{fold_part, fold_plan, join_parts, parts_values};
    #[pymodule_export]
    use super::program::{main, set_threads};
    #[pymodule_export]
    use super::settle;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::settle(module.py())?;
        super::work::keep_panics();
        module.add("version", env!("CARGO_PKG_VERSION"))?;
        let finish = wrap_pyfunction!(super::work::finish, module)?;
        module.py().import("atexit")?.call_method1("register", (finish,))?;
        super::errors::add_to(module)
    }
}
