//! Tables of any source to grids.

use super::budget::Budget;
use super::error::InputError;
use super::loaded::{Loaded, ReadOptions};
use super::open::baseline;
use super::panels::make_unique;
use super::pivot::read_all;
use super::postprocess::{Around, apply_own};
use super::table::TableSource;
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use std::path::Path;
use std::sync::Arc;

/// The grids of tables from any source, as [`open`](fn@super::open) gives those of files: rows of tidy tables together, any
/// other table as a panel, with the mask, the axis values and the view of the figure. What is held in memory is taken off
/// the budget; that includes the rows of a source that can be [read once](super::Reads::Once), where the figure leaves open
/// what only a look at the rows can say.
///
/// ```
/// use gridscope_core::figure::{Data, Figure, List};
/// use gridscope_read::{Budget, ReadOptions, ColumnValues, Column, ColumnTable, load_tables};
/// use gridscope_core::lint::Lints;
///
/// let column = |name: &str, cells| Column { name: name.to_owned(), cells, valid: None };
/// let columns = vec![
///     column("rate", ColumnValues::F64(vec![0.1, 0.2, 0.1, 0.2])),
///     column("layers", ColumnValues::I64(vec![2, 2, 4, 4])),
///     column("loss", ColumnValues::F32(vec![0.9, 0.7, 0.5, 0.6])),
/// ];
/// let named = |name| Some(List::from_flag(name));
/// let data = Data { x: named("rate"), y: named("layers"), value: named("loss"), ..Data::default() };
/// let figure = Figure { data, ..Figure::default() };
///
/// let table = ColumnTable::new("runs", columns, &figure.data, &mut Lints::default())?;
/// let loaded = load_tables(vec![Box::new(table)], &figure, &ReadOptions::default(), &Budget::usual())?;
/// assert_eq!((loaded.grids[0].height(), loaded.grids[0].width()), (2, 2));
/// # Ok::<(), gridscope_read::InputError>(())
/// ```
///
/// # Errors
/// Whatever is wrong with the rows, options of the figure that do not fit the tables, tidy tables whose columns differ, too
/// little memory.
pub fn load_tables(
    tables: Vec<Box<dyn TableSource>>,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let name = tables.first().map_or(String::new(), |t| t.schema().file.clone());
    let opened = tables.into_iter().map(|t| (t, Lints::default())).collect();
    let mut loaded = read_all(opened, figure, needs, budget)?;
    make_unique(&mut loaded.grids, 0, &mut loaded.lints);
    let read = |path: Option<&str>, other: Option<&Figure>| {
        let again = path.map(str::to_owned).into_iter().collect::<Vec<_>>();
        baseline(&again, (figure, other), needs, budget)
    };
    let around = Around { budget, lints: &mut loaded.lints, read_baseline: Some(&read) };
    loaded.grids = apply_own(loaded.grids, &[], figure, Path::new(""), &name, around)?;
    Ok(loaded)
}
