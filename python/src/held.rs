//! Data of Python as the library holds them.

use crate::link::Link;
use crate::stream::Table;
use gridscope::embedding::{Held, needs};
use gridscope::figure::Figure;
use gridscope::input::{Budget, Loaded, NamedArray, load_arrays, load_tables, open_within, parse_size};
use gridscope::{Error, Lints};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes of data and work together that `set_memory` allows; 0 without a limit of the caller's.
static MOST: AtomicU64 = AtomicU64::new(0);

/// Limits the memory of figures that are made from now on: a size in words, such as `8G`; None takes the limit away. False for
/// other words, which change nothing.
#[pyfunction]
#[pyo3(signature = (limit=None))]
pub(crate) fn set_memory(limit: Option<&str>) -> bool {
    let bytes = limit.map_or(Some(0), parse_size);
    bytes.inspect(|bytes| MOST.store(*bytes, Ordering::Relaxed)).is_some()
}

/// The memory of a figure: what the caller allows, or as much as the program takes by itself.
pub(crate) fn budget() -> Arc<Budget> {
    match MOST.load(Ordering::Relaxed) {
        0 => Budget::usual(),
        bytes => Budget::given(bytes),
    }
}

fn held(loaded: Loaded, files: Vec<String>, budget: Arc<Budget>) -> Held {
    Held { loaded, files, budget }
}

/// Reads files.
pub(crate) fn of_files(files: Vec<String>, figure: &Figure, budget: Arc<Budget>) -> Result<Held, Error> {
    let loaded = open_within(&files, figure, &needs(figure), &budget)?;
    Ok(held(loaded, files, budget))
}

/// Reads tables, as parts of one where they are tidy.
pub(crate) fn of_tables(
    tables: Vec<Table>,
    figure: &Figure,
    budget: Arc<Budget>,
    link: &Link,
) -> Result<Held, Error> {
    let mut lints = Lints::default();
    let mut needs = needs(figure);
    needs.together = tables.len() > 1;
    let open = |table: Table| table.open(figure, &needs, (&budget, &mut lints, link));
    let sources = tables.into_iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut loaded = load_tables(sources, figure, &needs, &budget)?;
    lints.append(std::mem::take(&mut loaded.lints));
    loaded.lints = lints;
    Ok(held(loaded, Vec::new(), budget))
}

/// Makes grids of arrays.
pub(crate) fn of_arrays(
    arrays: Vec<NamedArray>,
    figure: &Figure,
    budget: Arc<Budget>,
) -> Result<Held, Error> {
    let loaded = load_arrays(arrays, figure, &budget)?;
    Ok(held(loaded, Vec::new(), budget))
}
