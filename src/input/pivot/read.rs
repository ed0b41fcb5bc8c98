//! Tables to grids, whichever kind they are.

use super::kind::{is_open, is_wide};
use super::roles::{are_open, axes, roles};
use super::suggest::ask_for_columns;
use super::tidy::read_tidy;
use super::wide::read_wide;
use crate::figure::{Figure, TableKind};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::format::csv::CsvTable;
use crate::input::loaded::{Dialect, Loaded, Needs};
use crate::input::names::panel_names;
use crate::input::panels::check_count;
use crate::input::table::{Schema, TableSource, listed, rereadable};
use crate::lint::Lints;
use std::sync::Arc;

/// A table, and what was noticed when it was opened.
pub type Opened = (Box<dyn TableSource>, Lints);

/// Reads a table of text; it may take as much memory as the default of `--max-memory` allows.
///
/// # Errors
/// Whatever is wrong with the file or the options, and too little memory.
pub fn read_table(text: &str, file: &str, figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
    read_tables(&[(file, text)], figure, needs)
}

/// Reads several tables of text: the rows of tidy ones together, with a column `file`; others make a panel each.
///
/// # Errors
/// Whatever is wrong with a file or the options, too little memory, and tidy tables whose headers differ.
pub fn read_tables(tables: &[(&str, &str)], figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
    let budget = Budget::usual();
    let read = |(file, text): &(&str, &str)| {
        let mut lints = Lints::default();
        budget
            .take(text.len() as u64)
            .map_err(|s| s.of(file, "its text"))?;
        let table = CsvTable::read(text.as_bytes().to_vec(), file, &figure.data, &mut lints, &budget)?;
        Ok((Box::new(table) as Box<dyn TableSource>, lints))
    };
    read_all(
        tables.iter().map(read).collect::<Result<_, InputError>>()?,
        figure,
        needs,
        &budget,
    )
}

/// As [`read_tables`], of any tables; what is held in memory is taken off the budget. A table that can be read once is held
/// in memory only where its rows must be read more than once.
///
/// # Errors
/// As [`read_tables`].
pub fn read_all(
    mut tables: Vec<Opened>,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let files: Vec<String> = tables.iter().map(|t| t.0.schema().file.clone()).collect();
    let dialects: Vec<Dialect> = tables.iter().filter_map(|t| dialect(t.0.schema())).collect();
    let (x, y) = axes(figure);
    let keyed = x.is_some() || y.is_some();
    // Options that a table cannot follow are refused, not ignored.
    let of_arrays = [
        (
            figure.data.slice.is_some(),
            "'slice' takes an index of an array; this is a table",
        ),
        (
            figure.data.key.is_some(),
            "'key' names one of several arrays; this is a table",
        ),
        (
            keyed && figure.x.values.is_some(),
            "'x-values' gives a matrix its coordinates; this table has columns for its axes",
        ),
        (
            keyed && figure.y.values.is_some(),
            "'y-values' gives a matrix its coordinates; this table has columns for its axes",
        ),
    ];
    if let Some((_, what)) = of_arrays.iter().find(|o| o.0) {
        return Err(InputError::usage(files.first().map_or("", String::as_str), *what));
    }
    let names = panel_names(&files);
    let Some((first, _)) = tables.first() else {
        return Err(InputError::usage("", "no file"));
    };
    let several = tables.len() > 1;
    let mut schema = first.schema().clone();
    let told_apart = |schema: &mut Schema| -> Result<(), InputError> {
        tables[1..].iter().try_for_each(|t| schema.join(t.0.schema()))?;
        if several {
            schema.file = listed(&files);
            schema.add_column("file");
        }
        Ok(())
    };
    if keyed && !matches!(figure.data.table, Some(TableKind::Wide | TableKind::Matrix))
        || several && figure.data.table == Some(TableKind::Tidy)
    {
        told_apart(&mut schema)?;
        let (Some(x), Some(y)) = (x, y) else {
            let why = "a tidy table needs --x and --y";
            return Err(ask_for_columns(tables[0].0.as_ref(), why, budget));
        };
        if are_open(figure) {
            tables = spooled(tables, budget)?;
        }
        let all: Vec<&dyn TableSource> = tables.iter().map(|t| t.0.as_ref()).collect();
        let roles = roles(&all, &schema, figure, (x, y), budget)?;
        let names = if several { names } else { Vec::new() };
        let mut loaded = read_tidy(&all, &names, &schema, &roles, figure, needs, budget)?;
        loaded.lints = together(tables.into_iter().map(|t| t.1), loaded.lints);
        loaded.dialects = dialects;
        return Ok(loaded);
    }
    check_count(tables.len(), &listed(&files), || {
        format!("{} tables, a panel each", tables.len())
    })?;
    let (mut out, mut told) = (
        Loaded {
            dialects,
            ..Loaded::default()
        },
        Vec::new(),
    );
    for (i, (mut table, lints)) in tables.into_iter().enumerate() {
        if is_open(figure) {
            table = rereadable(table, budget)?;
        }
        let wide = is_wide(table.as_ref(), figure, budget)?;
        let mut one = read_wide(table.as_ref(), wide, figure, needs, budget)?;
        one.lints = together([lints].into_iter(), one.lints);
        if several {
            one.lints
                .0
                .iter_mut()
                .for_each(|lint| lint.panel = Some(names[i].clone()));
            one.grids.iter_mut().for_each(|g| g.set_name(&names[i]));
        }
        out.grids.append(&mut one.grids);
        out.lints.append(one.lints);
        told.push(one.told);
    }
    out.told = told.join("; ");
    Ok(out)
}

/// Tables that can all be read more than once.
fn spooled(tables: Vec<Opened>, budget: &Arc<Budget>) -> Result<Vec<Opened>, InputError> {
    let spooled = |(table, lints)| Ok((rereadable(table, budget)?, lints));
    tables.into_iter().map(spooled).collect()
}

/// How a table of text is written; tables with types have no delimiter.
fn dialect(schema: &Schema) -> Option<Dialect> {
    Some(Dialect {
        file: schema.file.clone(),
        delimiter: char::from(schema.delimiter?),
        header: schema.has_header,
    })
}

fn together(before: impl Iterator<Item = Lints>, after: Lints) -> Lints {
    let mut all = Lints::default();
    before.chain([after]).for_each(|l| all.append(l));
    all
}
