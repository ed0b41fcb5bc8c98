//! Tables to grids, whichever kind they are.

use super::columns::{chosen, drop_blank, is_open, is_wide_by_labels, looked_at};
use super::correlate::correlations;
use super::derive::{Opened, with_derived};
use super::explain::explained;
use super::filter::Condition;
use super::numerals::{names_signs, numerals, of_options, of_suspects, refuse_two_meanings, verdicts};
use super::suggest::{are_open, ask_for_columns, axes, roles};
use super::tidy::read_tidy;
use super::unlike::report_unlike;
use super::wide::read_wide;
use crate::budget::Budget;
use crate::dataset::partitions;
use crate::error::{ErrorKind, InputError};
use crate::loaded::{Dialect, Loaded, ReadOptions};
use crate::numeral::{Numeral, Verdict};
use crate::panel_files::{check_count, unique_names};
use crate::shell_word::panel_names;
use crate::table::{Reads, Schema, TABLE, TableSource, listed, rereadable, rewritten, with_file};
use gridscope_core::figure::{AxisSpec, Data, Figure, List, TableKind};
use gridscope_core::lint::{LintName, Lints};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads tables: the rows of tidy ones together, with a column `file`; others make a panel each. What is held in memory is
/// taken off the budget. A table that can be read once is held in memory only where its rows must be read more than once.
///
/// # Errors
/// Whatever is wrong with a file or the options, too little memory, and tidy tables whose headers differ.
pub(crate) fn read_all(
    tables: Vec<Opened>,
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let names = names_of(&tables);
    let mut files: Vec<String> = tables.iter().map(|t| t.0.schema().file.clone()).collect();
    files.dedup();
    let schemas: Vec<Schema> = tables.iter().map(|t| t.0.schema().clone()).collect();
    let (x, y) = axes(figure);
    let keyed = x.is_some() || y.is_some();
    let found_by_key = !tables.is_empty() && tables.iter().all(|t| t.0.schema().keyed);
    refuse_options_of_arrays(files.first().map_or("", String::as_str), figure, keyed, found_by_key)?;
    if tables.is_empty() {
        return Err(InputError::usage("", "no file"));
    }
    let is_tidy = match figure.data.table {
        Some(TableKind::Wide | TableKind::Matrix) => false,
        Some(TableKind::Tidy) if tables.len() > 1 => true,
        None if is_wide_by_labels(figure) => false,
        _ => keyed,
    };
    let joins = is_tidy && x.is_some() && y.is_some() && tables.len() > 1;
    let tables = if is_tidy { with_partitions(tables) } else { tables };
    let is_titled = tables.iter().all(|table| table.0.schema().title.is_some());
    let tables =
        if joins { with_files(tables, &names, if is_titled { TABLE } else { "file" })? } else { tables };
    // Tables of one text are a panel each, unless they are told apart otherwise.
    let column = tables[0].0.schema().headers.last().cloned().unwrap_or_default();
    let is_used = |list: Option<&List>| list.is_some_and(|list| list.0.contains(&column));
    let is_apart = figure.data.panel_names().next().is_some() || is_used(x) || is_used(y);
    let by_table = Figure {
        data: Data { panel: Some(List(vec![column.clone()])), ..figure.data.clone() },
        ..figure.clone()
    };
    let figure = if joins && is_titled && !is_apart { &by_table } else { figure };
    let tables = with_derived(tables, figure, needs, budget)?;
    let mut loaded = match figure.data.correlate {
        Some(method) => correlations(tables, &names, figure, method, budget)?,
        None if is_tidy => read_together(tables, &files, figure, needs, budget)?,
        None => read_each(tables, &names, figure, needs, budget)?,
    };
    schemas.iter().for_each(|of| of.noticed.report(&of.file, &mut loaded.lints));
    loaded.dialects = schemas.iter().filter_map(dialect).collect();
    Ok(loaded)
}

/// Several files, as messages call them.
fn called(files: &[String]) -> String {
    const NAMED: usize = 3;
    match files.len() {
        n if n > NAMED => format!("{} and {} more files", files[0], n - 1),
        _ => listed(files),
    }
}

/// Tables with the keys that the names of their folders give to all rows: those that all have, unless a column of their own has the
/// name.
fn with_partitions(tables: Vec<Opened>) -> Vec<Opened> {
    let of_each: Vec<Vec<(String, String)>> = tables.iter().map(|t| partitions(&t.0.schema().file)).collect();
    let has = |keys: &Vec<(String, String)>, key: &String| keys.iter().any(|(known, _)| known == key);
    let first = of_each.first().cloned().unwrap_or_default();
    let is_new = |key: &String| tables.iter().all(|t| !t.0.schema().headers.contains(key));
    let shared: Vec<String> = first
        .into_iter()
        .map(|(key, _)| key)
        .filter(|key| is_new(key) && of_each.iter().all(|keys| has(keys, key)))
        .collect();
    let with = |((mut table, lints), keys): (Opened, Vec<(String, String)>)| {
        for name in &shared {
            let value =
                keys.iter().find(|(key, _)| key == name).map_or_else(String::new, |(_, value)| value.clone());
            table = with_file(table, name, value);
        }
        (table, lints)
    };
    tables.into_iter().zip(of_each).map(with).collect()
}

/// Tables with the same columns, each with a further column that holds its name.
///
/// # Errors
/// Headers that differ.
fn with_files(tables: Vec<Opened>, names: &[String], column: &str) -> Result<Vec<Opened>, InputError> {
    let mut schema = tables[0].0.schema().clone();
    tables[1..].iter().try_for_each(|t| schema.join(t.0.schema()))?;
    let named = tables.into_iter().zip(names);
    Ok(named.map(|((table, lints), name)| (with_file(table, column, name.clone()), lints)).collect())
}

/// The name of each table: of its file, or its own among several of a file.
fn names_of(tables: &[Opened]) -> Vec<String> {
    let mut files: Vec<String> = tables.iter().map(|t| t.0.schema().file.clone()).collect();
    if tables.iter().all(|t| t.0.schema().title.is_none()) {
        return panel_names(&files);
    }
    files.dedup();
    let of_file = |file: &String| files.iter().position(|f| f == file).unwrap_or_default();
    let stems = panel_names(&files);
    let name = |table: &Opened| {
        let schema = table.0.schema();
        let stem = &stems[of_file(&schema.file)];
        match &schema.title {
            Some(title) if stems.len() > 1 => format!("{stem}: {title}"),
            Some(title) => title.clone(),
            None => stem.clone(),
        }
    };
    unique_names(tables.iter().map(name).collect())
}

/// Options that a table cannot follow are refused, not ignored.
fn refuse_options_of_arrays(
    file: &str,
    figure: &Figure,
    keyed: bool,
    found_by_key: bool,
) -> Result<(), InputError> {
    let valued = |spec: &AxisSpec| keyed && spec.values.is_some();
    let what = match figure {
        f if f.data.slice.is_some() => "'slice' takes an index of an array; this is a table",
        f if f.data.key.is_some() && !found_by_key => "'key' names one of several arrays; this is a table",
        f if valued(&f.x) => "'x-values' gives a matrix its coordinates; this table has columns for its axes",
        f if valued(&f.y) => "'y-values' gives a matrix its coordinates; this table has columns for its axes",
        _ => return Ok(()),
    };
    Err(InputError::usage(file, what))
}

/// Reads tidy tables as one.
fn read_together(
    mut tables: Vec<Opened>,
    files: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let mut schema = tables[0].0.schema().clone();
    tables[1..].iter().try_for_each(|t| schema.join(t.0.schema()))?;
    if tables.len() > 1 {
        schema.file = called(files);
    }
    let (Some(x), Some(y)) = axes(figure) else {
        let why = "a tidy table needs --x and --y";
        return Err(ask_for_columns(tables[0].0.as_ref(), why, figure, budget));
    };
    if are_open(figure) || names_signs(&figure.data) {
        let spooled = |(table, lints)| Ok((rereadable(table, budget)?, lints));
        tables = tables.into_iter().map(spooled).collect::<Result<_, InputError>>()?;
    }
    if names_signs(&figure.data) {
        let found = of_options(&sources(&tables), &figure.data, budget)?;
        tables = all_rewritten(tables, &mut schema, &found);
    }
    let (roles, numeral) = roles(&sources(&tables), &schema, figure, (x, y), budget)?;
    tables = all_rewritten(tables, &mut schema, numeral.as_slice());
    let mut numbers = roles.values.clone();
    let further = needs.statistics.iter().filter_map(|s| s.column.as_ref());
    numbers.extend(further.filter_map(|name| schema.column(name).ok()));
    let drawn = with_conditions(&numbers, figure, &schema);
    let suspects = of_suspects(&sources(&tables), &drawn, &figure.data, budget)?;
    tables = all_rewritten(tables, &mut schema, &suspects);
    let mut read = read_tidy(&sources(&tables), &schema, &roles, figure, needs, budget);
    if let Err(fault) = &read
        && tables.iter().all(|t| is_worth_a_look(fault, t.0.as_ref()))
    {
        let width = tables[0].0.schema().width();
        let mut columns = drawn;
        columns.retain(|&c| c < width && schema.numeral(c).is_none());
        let found = numerals(&sources(&tables), &columns, &figure.data, budget)?;
        if !found.is_empty() {
            tables = all_rewritten(tables, &mut schema, &found);
            read = read_tidy(&sources(&tables), &schema, &roles, figure, needs, budget);
        }
    }
    // Keys are written as the values are.
    let by_comma = |c: &usize| schema.numeral(*c).is_some_and(|n| n.decimal == ',');
    if read.is_ok() && roles.values.iter().any(by_comma) {
        let width = tables[0].0.schema().width();
        let mut keys = roles.keys();
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|&c| c < width && schema.numeral(c).is_none());
        let looked = verdicts(&sources(&tables), &keys, &figure.data, budget)?;
        let found = keys.into_iter().zip(looked).filter_map(|(column, verdict)| match verdict {
            Verdict::Written(numeral) if numeral.decimal == ',' => Some((column, numeral)),
            _ => None,
        });
        let found: Vec<(usize, Numeral)> = found.collect();
        if !found.is_empty() {
            tables = all_rewritten(tables, &mut schema, &found);
            read = read_tidy(&sources(&tables), &schema, &roles, figure, needs, budget);
        }
    }
    let explain = |fault| {
        let values: Vec<usize> =
            roles.values.iter().copied().filter(|&c| c < tables[0].0.schema().width()).collect();
        explained(fault, &sources(&tables), &values, &figure.data, budget)
    };
    let mut loaded = read.map_err(explain)?;
    loaded.lints = together(tables.into_iter().map(|t| t.1), loaded.lints);
    Ok(loaded)
}

fn sources(tables: &[Opened]) -> Vec<&dyn TableSource> {
    tables.iter().map(|t| t.0.as_ref()).collect()
}

/// The tables with the numbers of these columns as plain ones.
fn all_rewritten(tables: Vec<Opened>, schema: &mut Schema, found: &[(usize, Numeral)]) -> Vec<Opened> {
    schema.set_numerals(found);
    tables.into_iter().map(|(table, lints)| (rewritten(table, found), lints)).collect()
}

/// Whether a fault may come from numbers that are not written as plain ones.
fn is_worth_a_look(fault: &InputError, table: &dyn TableSource) -> bool {
    fault.kind != ErrorKind::Limit && table.reads() == Reads::Any
}

/// These columns, and those of the conditions, each once.
fn with_conditions(columns: &[usize], figure: &Figure, schema: &Schema) -> Vec<usize> {
    let conditions = figure.data.filter.iter().flat_map(|f| &f.0).chain(&figure.data.pending);
    let tested = conditions.filter_map(|c| Some(Condition::parse(c, schema).ok()?.column()));
    let all: BTreeSet<usize> = columns.iter().copied().chain(tested).collect();
    all.into_iter().collect()
}

/// Whether the columns of a wide table are those that somebody chose.
fn names_columns(figure: &Figure) -> bool {
    figure.data.value.is_some() || figure.data.normalize.is_some() || figure.data.z_score.is_some()
}

/// Reads wide tables and matrices, a panel each.
fn read_each(
    tables: Vec<Opened>,
    names: &[String],
    figure: &Figure,
    needs: &ReadOptions,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let several = tables.len() > 1;
    check_count(tables.len(), &listed(names), || format!("{} tables, a panel each", tables.len()))?;
    let (mut all, mut summaries, mut refused) = (Loaded::default(), Vec::new(), None);
    for ((mut table, lints), name) in tables.into_iter().zip(names) {
        if is_open(figure) || names_signs(&figure.data) {
            table = rereadable(table, budget)?;
        }
        if names_signs(&figure.data) {
            let found = of_options(&[table.as_ref()], &figure.data, budget)?;
            table = rewritten(table, &found);
        }
        let is_one_of_all = several && table.schema().title.is_some();
        let mut choice = match chosen(table.as_ref(), figure, budget) {
            // Of all tables of a text, those that are no grid are named.
            Err(e) if is_one_of_all && e.kind != ErrorKind::Limit => {
                let what = format!("{}: '{name}' is not drawn: {}", table.schema().file, e.what);
                all.lints.add(LintName::TablesLeftOut, 1, what);
                refused = refused.or(Some(e));
                continue;
            }
            choice => choice?,
        };
        drop_blank(table.as_ref(), &mut choice, budget)?;
        let suspects = of_suspects(&[table.as_ref()], &choice.columns.values, &figure.data, budget)?;
        choice.numerals.extend(suspects);
        refuse_two_meanings(table.as_ref(), &choice.columns.values, &choice.numerals)?;
        table = rewritten(table, &choice.numerals);
        let mut read = read_wide(table.as_ref(), &choice.columns, figure, needs, budget);
        if let Err(fault) = &read
            && is_worth_a_look(fault, table.as_ref())
        {
            let columns = with_conditions(&choice.columns.values, figure, table.schema());
            if let Some(second) = looked_at(table.as_ref(), figure, &choice, &columns, budget)? {
                choice = second;
                table = rewritten(table, &choice.numerals);
                read = read_wide(table.as_ref(), &choice.columns, figure, needs, budget);
            }
        }
        let explain =
            |fault| explained(fault, &[table.as_ref()], &choice.columns.values, &figure.data, budget);
        let mut one = read.map_err(explain)?;
        if !names_columns(figure) {
            report_unlike(&one.grids, figure, &mut one.lints);
        }
        one.lints = together([lints, choice.lints].into_iter(), one.lints);
        if several {
            // Another table may have the key.
            one.lints.0.retain(|lint| lint.name != LintName::UnknownKey);
            let lints = one.lints.0.iter_mut();
            lints.for_each(|lint| lint.panel = Some(name.clone()));
            one.grids.iter_mut().for_each(|g| g.set_name(name));
        }
        all.grids.append(&mut one.grids);
        all.lints.append(one.lints);
        summaries.push(one.summary);
    }
    all.summary = summaries.join("; ");
    match refused.filter(|_| all.grids.is_empty()) {
        Some(e) => Err(e),
        None => Ok(all),
    }
}

/// How a table of text is written; tables with types have no delimiter.
fn dialect(schema: &Schema) -> Option<Dialect> {
    Some(Dialect {
        file: schema.file.clone(),
        delimiter: schema.delimiter?,
        header: schema.has_header,
        comments: schema.noticed.all().comments,
    })
}

fn together(before: impl Iterator<Item = Lints>, after: Lints) -> Lints {
    let mut all = Lints::default();
    before.chain([after]).for_each(|l| all.append(l));
    all
}
