//! The module `gridscope._core`: the library for the Python package, which is in `py/gridscope`.
//!
//! Work that takes time runs on a thread of its own without the interpreter's lock, while the calling thread looks for signals:
//! see [`work`]. Objects of Python that are read meanwhile are held by what reads them.

mod errors;
mod link;
mod work;
mod lints;
mod axes;
mod numpy;
mod chunked;
mod sparse;
mod stream;
mod held;
mod grids;
mod data;
mod fold;
mod figures;
mod program;

use pyo3::prelude::*;

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
    use super::program::{main, set_threads};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::work::keep_panics();
        module.add("version", env!("CARGO_PKG_VERSION"))?;
        super::errors::add_to(module)
    }
}
