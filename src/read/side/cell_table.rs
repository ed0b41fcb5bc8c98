//! Side files that say something of cells, one by one: of those that their rows name by keys, or of each, by labels or by position.

use super::numbers::flag;
use crate::InputError;
use crate::budget::{Budget, Whole};
use crate::field::shown;
use crate::format::npy::MAGIC;
use crate::format::{Contents, Format, Input, Request};
use crate::loaded::ReadOptions;
use crate::table::{Batch, Schema, TableSource, listed};
use gridscope_core::figure::{Figure, FileTest};
use gridscope_core::grid::{Axis, AxisPart, Grid};
use std::collections::HashMap;
use std::sync::Arc;

/// What a table says of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// Whether each is meant; rows of keys without 0 and 1 mean all their cells.
    Flags,
    /// A text for each.
    Texts,
}

/// What a file says whose numbers may be compared.
pub(super) fn says_of(test: Option<&FileTest>) -> Says {
    if test.is_some() { Says::Texts } else { Says::Flags }
}

/// Whether bytes hold a field for each cell and no labels: an array, or a text whose first line has no words but true and false,
/// and no fractions among flags.
pub(super) fn is_bare(bytes: &[u8], says: Says) -> bool {
    if bytes.starts_with(MAGIC) {
        return true;
    }
    let text = String::from_utf8_lossy(bytes);
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut lines = lines.map(|l| l.split('#').next().unwrap_or_default()).filter(|l| !l.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    // The line of labels of a table whose rows have labels, too, may begin with none.
    if first.starts_with([',', ';', '\t']) {
        return false;
    }
    let mut fields = first.split([',', ';', ' ', '\t']).map(str::trim).filter(|f| !f.is_empty()).peekable();
    let is_number = |f: &str| match says {
        Says::Flags => f.parse::<i64>().is_ok(),
        Says::Texts => f.parse::<f64>().is_ok(),
    };
    fields.peek().is_some() && fields.all(|f| is_number(f) || flag(f).is_some())
}

/// The table that a side file holds.
///
/// # Errors
/// When it is not a table.
pub(super) fn table_of(
    whole: Whole,
    file: &str,
    hint: &str,
    budget: &Arc<Budget>,
) -> Result<Box<dyn TableSource>, InputError> {
    let (plain, needs) = (Figure::default(), ReadOptions::default());
    let request = Request { file, figure: &plain, needs: &needs, budget };
    let mut input = Input::whole(request, whole);
    let format = Format::of_file(&input.head()?, file);
    match format.read(&mut input)? {
        Contents::Tables(mut read) if !read.is_empty() => Ok(read.swap_remove(0).source),
        _ => Err(InputError::refused(file, "", "is not a table").with_hint(hint)),
    }
}

/// The column of the figure's panels, as which a table may name them.
///
/// # Errors
/// When the table has one of several columns that make panels together.
pub(super) fn panel_column<'f>(
    figure: &'f Figure,
    source: &dyn TableSource,
) -> Result<Option<&'f str>, InputError> {
    let panel = figure.data.panel.as_ref().filter(|l| l.0.len() == 1).map(|l| l.0[0].as_str());
    let schema = source.schema();
    let of_several =
        |header: &&String| panel.is_none() && figure.data.panel_names().any(|name| name == **header);
    if let Some(header) = schema.headers.iter().find(of_several) {
        let what = format!("column {} is one of several that make panels", shown(header));
        let hint = "leave it out to mean the cells of all panels, or draw one --panel column";
        return Err(InputError::refused(&schema.file, "header", what).with_hint(hint));
    }
    Ok(panel)
}

/// The place of a cell: of its grid, its row and its column.
pub(super) type CellPlace = (usize, u32, u32);

/// Hands over what a table says of the cells of grids, of which the column `panel` names one; what `say` refuses has its place.
///
/// # Errors
/// When no column is an axis or a label of one, when a row names a cell that no grid has, and what `say` refuses.
pub(super) fn each_cell(
    source: &dyn TableSource,
    grids: &[Grid],
    panel: Option<&str>,
    says: Says,
    mut say: impl FnMut(CellPlace, &str) -> Result<(), String>,
) -> Result<(), InputError> {
    let schema = source.schema();
    let (mut finders, said) = match keys_of_labels(schema, grids) {
        Some(keys) => (labelled(schema, grids, keys), Said::Labelled(keys)),
        None => {
            let mut finders = finders(schema, grids, panel)?;
            find_keys(source, &mut finders)?;
            let others: Vec<usize> = (0..schema.width())
                .filter(|i| finders.iter().all(|f| f.roles.iter().all(|r| r.0 != *i)))
                .collect();
            (finders, column_of(source, &others, says)?.map_or(Said::All, Said::Column))
        }
    };
    let mut before = 0;
    each_batch(source, |batch| {
        for row in 0..batch.rows {
            let field = |i: usize| batch.columns[i].text(row);
            let mut missing = None;
            let mut is_met = false;
            for (grid, finder) in finders.iter_mut().enumerate() {
                let found = finder.cells(&|i| field(i).into_owned(), &schema.headers, before + row);
                let (rows, columns) = match found {
                    Ok(found) => found,
                    Err(why) => {
                        missing = missing.or(Some(why));
                        continue;
                    }
                };
                is_met = true;
                let mut each = |columns: &[u32], text: &str| {
                    let mut cells = rows.iter().flat_map(|r| columns.iter().map(move |c| (grid, *r, *c)));
                    cells.try_for_each(|cell| say(cell, text)).map_err(|why| batch.places.refused(row, why))
                };
                match said {
                    Said::All => each(&columns, "1")?,
                    Said::Column(i) => each(&columns, &field(i))?,
                    Said::Labelled(keys) => {
                        for (label, columns) in finder.labels.iter().enumerate() {
                            each(columns, &field(keys + label))?;
                        }
                    }
                }
            }
            if let (Some(why), false) = (missing, is_met) {
                return Err(batch.places.refused(row, why));
            }
        }
        before += batch.rows;
        Ok(())
    })
}

/// Hands over the batches of a table, with all columns.
pub(super) fn each_batch(
    source: &dyn TableSource,
    mut each: impl FnMut(&Batch<'_>) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let columns: Vec<usize> = (0..source.schema().width()).collect();
    for part in source.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&columns)? {
            each(&batch)?;
        }
    }
    Ok(())
}

/// Which fields of a row say something of its cells.
#[derive(Clone, Copy)]
enum Said {
    /// None: all cells of the row's keys are meant.
    All,
    /// That of this column.
    Column(usize),
    /// Those behind so many keys of the row, each of the cells of its header.
    Labelled(usize),
}

/// The number of columns that hold the keys of rows, where the headers of the others are keys of columns of the grids: in a table
/// of the shape of a grid, with labels.
fn keys_of_labels(schema: &Schema, grids: &[Grid]) -> Option<usize> {
    let names_columns = |h: &String| grids.iter().any(|g| g.side_named(h).is_some_and(|(rows, _)| !rows));
    let is_key = |h: &String| grids.iter().any(|g| !g.columns().cells_named(AxisPart::Whole, h).is_empty());
    let keys = match schema.headers.first().is_some_and(is_key) {
        true => 0,
        false => grids.iter().map(|g| g.rows().levels.len().max(1)).max().unwrap_or(1),
    };
    let labels = schema.headers.get(keys..)?;
    let known = labels.iter().filter(|h| is_key(h)).count();
    // Of some wrong ones each is named.
    let are_labels = match schema.headers.iter().any(names_columns) {
        true => known == labels.len(),
        false => 2 * known >= labels.len(),
    };
    (known > 0 && are_labels).then_some(keys)
}

/// The column of `others` that says something of the cells.
///
/// # Errors
/// When there is no text, or several columns that may be.
fn column_of(source: &dyn TableSource, others: &[usize], says: Says) -> Result<Option<usize>, InputError> {
    let schema = source.schema();
    match (says, others) {
        (Says::Texts, [one]) => Ok(Some(*one)),
        (Says::Texts, _) => {
            let names: Vec<String> = others.iter().map(|i| schema.headers[*i].clone()).collect();
            let what = match names.is_empty() {
                true => "no column beside the keys, for the texts of cells".to_owned(),
                false => format!(
                    "{} columns beside the keys, and cells have one text: {}",
                    names.len(),
                    listed(&names)
                ),
            };
            Err(InputError::refused(&schema.file, "header", what))
        }
        // A column of 0 and 1 says which of the cells are meant, any other is a remark.
        (Says::Flags, &[one]) => {
            let mut are_flags = true;
            each_batch(source, |batch| {
                are_flags &= (0..batch.rows).all(|row| flag(&batch.columns[one].text(row)).is_some());
                Ok(())
            })?;
            Ok(are_flags.then_some(one))
        }
        (Says::Flags, _) => Ok(None),
    }
}

/// What a column is to a grid: a key of its rows if true, or of its columns, or its name.
#[derive(Clone, Copy)]
enum Role {
    Axis(bool, AxisPart),
    Panel,
}

/// Finders by columns that are named like axes.
fn finders<'g>(
    schema: &Schema,
    grids: &'g [Grid],
    panel: Option<&str>,
) -> Result<Vec<Finder<'g>>, InputError> {
    let role = |grid: &Grid, header: &String| {
        if panel == Some(header.as_str()) {
            return Some(Role::Panel);
        }
        grid.side_named(header).map(|(rows, part)| Role::Axis(rows, part))
    };
    let mut finders = Vec::with_capacity(grids.len());
    for grid in grids {
        let roles: Vec<(usize, Role)> =
            (0..).zip(&schema.headers).filter_map(|(i, h)| Some((i, role(grid, h)?))).collect();
        if !roles.iter().any(|r| matches!(r.1, Role::Axis(..))) {
            let axes = [&grid.columns().name, &grid.rows().name].map(|name| shown(name));
            let what = format!("no column is named like an axis ({}), row or column", axes.join(", "));
            let hint = format!("columns: {}", listed(&schema.headers));
            return Err(InputError::refused(&schema.file, "header", what).with_hint(hint));
        }
        finders.push(Finder {
            grid,
            roles,
            is_by_position: false,
            labels: Vec::new(),
            known: HashMap::new(),
        });
    }
    Ok(finders)
}

/// Rows that are looked at for the keys that a column holds.
const LOOKED_AT: usize = 1000;

/// Gives a role to a column that is named like no axis, and whose texts are the keys of one that no column names. Where the most
/// of them are, the others are wrong ones.
fn find_keys(source: &dyn TableSource, finders: &mut [Finder<'_>]) -> Result<(), InputError> {
    let names = |finder: &Finder<'_>, side: bool| {
        finder.roles.iter().any(|(_, role)| matches!(role, Role::Axis(rows, _) if *rows == side))
    };
    let width = source.schema().width();
    for side in [false, true] {
        if finders.iter().any(|finder| names(finder, side)) {
            continue;
        }
        let known = |text: &str| {
            finders.iter().any(|f| !axis(f.grid, side).cells_named(AxisPart::Whole, text).is_empty())
        };
        let has_role = |column: usize| finders.iter().any(|f| f.roles.iter().any(|role| role.0 == column));
        let (mut rows, mut met) = (0, vec![0; width]);
        each_batch(source, |batch| {
            for row in (0..batch.rows).take(LOOKED_AT.saturating_sub(rows)) {
                for (met, cells) in met.iter_mut().zip(&batch.columns) {
                    *met += usize::from(known(cells.text(row).trim()));
                }
            }
            rows += batch.rows;
            Ok(())
        })?;
        let rows = rows.min(LOOKED_AT);
        let mut most = (0..width).filter(|&column| !has_role(column) && 2 * met[column] > rows);
        if let (Some(column), None) = (most.next(), most.next()) {
            finders.iter_mut().for_each(|f| f.roles.push((column, Role::Axis(side, AxisPart::Whole))));
        }
    }
    Ok(())
}

/// Finders by labels: of rows in the first columns, of columns in the header.
fn labelled<'g>(schema: &Schema, grids: &'g [Grid], keys: usize) -> Vec<Finder<'g>> {
    let finder = |grid: &'g Grid| {
        let part = |i: usize| match grid.side_named(&schema.headers[i]) {
            Some((true, part)) if keys > 1 => part,
            _ if keys > 1 => AxisPart::Level(i),
            _ => AxisPart::Whole,
        };
        let labels = schema.headers[keys..].iter();
        Finder {
            grid,
            roles: (0..keys).map(|i| (i, Role::Axis(true, part(i)))).collect(),
            is_by_position: keys == 0,
            labels: labels.map(|h| places(grid.columns().cells_named(AxisPart::Whole, h))).collect(),
            known: HashMap::new(),
        }
    };
    grids.iter().map(finder).collect()
}

/// The rows of a grid if true, or the columns.
fn axis(grid: &Grid, is_row: bool) -> &Axis {
    if is_row { grid.rows() } else { grid.columns() }
}

fn places(cells: Vec<usize>) -> Vec<u32> {
    cells.into_iter().map(|i| i as u32).collect()
}

/// The cells of one grid by their keys.
struct Finder<'g> {
    grid: &'g Grid,
    roles: Vec<(usize, Role)>,
    /// Whether the row of a table is that of the grid.
    is_by_position: bool,
    /// The columns of the grid that each label of the header names.
    labels: Vec<Vec<u32>>,
    /// The cells of keys that were met before, by column.
    known: HashMap<(usize, String), Vec<u32>>,
}

impl Finder<'_> {
    /// The rows and columns whose cells a row of the table names, or why there are none.
    fn cells(
        &mut self,
        key: &dyn Fn(usize) -> String,
        headers: &[String],
        row: usize,
    ) -> Result<(Vec<u32>, Vec<u32>), String> {
        let mut sides: [Option<Vec<u32>>; 2] = [None, None];
        if self.is_by_position {
            let rows = self.grid.height();
            if row >= rows {
                return Err(format!("row {} of a grid of {rows} rows", row + 1));
            }
            sides[1] = Some(vec![row as u32]);
        }
        if let Some(label) = self.labels.iter().position(Vec::is_empty) {
            let header = &headers[headers.len() - self.labels.len() + label];
            return Err(self.grid.columns().unknown_key(AxisPart::Whole, "label", header));
        }
        for &(column, role) in &self.roles {
            let (key, name) = (key(column), headers[column].as_str());
            let key = key.trim();
            let Role::Axis(is_row, part) = role else {
                if self.grid.name() != key {
                    return Err(format!("no panel {name} {}", shown(key)));
                }
                continue;
            };
            let axis = axis(self.grid, is_row);
            let of_key = self.known.entry((column, key.to_owned()));
            let found = of_key.or_insert_with(|| places(axis.cells_named(part, key)));
            if found.is_empty() {
                return Err(axis.unknown_key(part, if name.is_empty() { "label" } else { name }, key));
            }
            let side = &mut sides[usize::from(is_row)];
            *side = Some(match side.take() {
                None => found.clone(),
                Some(others) => others.into_iter().filter(|i| found.contains(i)).collect(),
            });
        }
        let [columns, rows] = sides;
        let all = |list: Option<Vec<u32>>, n: usize| list.unwrap_or_else(|| (0..n as u32).collect());
        Ok((all(rows, self.grid.height()), all(columns, self.grid.width())))
    }
}
