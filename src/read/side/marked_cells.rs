//! Files of marked cells: a table of their keys, or 0 and 1 for each cell.

use super::numbers::Flags;
use crate::InputError;
use crate::budget::{Budget, read_side_file};
use crate::field::shown;
use crate::format::npy::MAGIC;
use crate::format::{Contents, Format, Input, Request};
use crate::loaded::ReadOptions;
use crate::table::{TableSource, listed};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{AxisPart, Grid};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Bytes of a marked cell.
const CELL: u64 = 16;
/// Name of a file of 0 and 1, in messages.
const FLAGS: &str = "a file of marks without a header";

/// Lists the cells that the files of a figure's marks name in the grids that it has; paths start at `base`.
///
/// # Errors
/// When a file cannot be read, has no column of an axis, or names a cell that no grid has.
pub(crate) fn list_marked(
    grids: &mut [Grid],
    figure: &Figure,
    base: &Path,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let mut done: Vec<&str> = Vec::new();
    for mark in figure.all_marks() {
        let Some(file) = mark.file().filter(|_| !done.contains(&mark.text())) else {
            continue;
        };
        done.push(mark.text());
        let hint = "a file of marks is a table with columns named like the axes, or row and column, or 0 and 1 for each cell";
        let (bytes, held) = read_side_file(&base.join(file), file, budget).map_err(|e| e.with_hint(hint))?;
        if bytes.starts_with(MAGIC) || is_bare(&bytes) {
            let flags = Flags::of(&bytes, file, FLAGS, budget).map_err(|e| e.with_hint(hint))?;
            for grid in grids.iter_mut() {
                let size = (grid.height(), grid.width());
                Flags::fits(file, FLAGS, (flags.rows, flags.columns), size)?;
                let set = flags.are_set.iter().enumerate().filter(|(_, set)| **set);
                let place = |(i, _): (usize, &bool)| ((i / size.1) as u32, (i % size.1) as u32);
                let cells: Vec<(u32, u32)> = set.map(place).collect();
                take(budget, file, cells.len())?;
                grid.set_marked(mark.text(), cells);
            }
            continue;
        }
        let (plain, needs) = (Figure::default(), ReadOptions::default());
        let request = Request { file, figure: &plain, needs: &needs, budget };
        let mut input = Input::whole(request, (bytes, held));
        let format = Format::of_file(&input.head()?, file);
        let Contents::Tables(read) = format.read(&mut input)? else {
            return Err(InputError::refused(file, "", "is not a table").with_hint(hint));
        };
        let source = &read[0].source;
        let panel = figure.data.panel.as_ref().filter(|l| l.0.len() == 1);
        let panel = panel.map(|l| l.0[0].as_str());
        let of_several =
            |header: &&String| panel.is_none() && figure.data.panel_names().any(|name| name == **header);
        if let Some(header) = source.schema().headers.iter().find(of_several) {
            let what = format!("column {} is one of several that make panels", shown(header));
            let hint = "leave it out and mark the cells of all panels, or draw one --panel column";
            return Err(InputError::refused(file, "header", what).with_hint(hint));
        }
        for (grid, cells) in grids_cells(source.as_ref(), grids, panel)? {
            take(budget, file, cells.len())?;
            grids[grid].set_marked(mark.text(), cells);
        }
    }
    Ok(())
}

fn take(budget: &Budget, file: &str, cells: usize) -> Result<(), InputError> {
    let taken = budget.take(CELL * cells as u64);
    taken.map_err(|s| s.of(file, format_args!("{cells} marked cells")))
}

/// Whether the first line of a text has numbers alone.
fn is_bare(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.map(|l| l.split('#').next().unwrap_or_default()).find(|l| !l.is_empty());
    let fields = first.unwrap_or_default().split([',', ';', ' ', '\t']);
    let mut fields = fields.map(str::trim).filter(|f| !f.is_empty()).peekable();
    fields.peek().is_some() && fields.all(|f| f.parse::<f64>().is_ok())
}

/// A column of the file: which axis of a grid it is, rows if true, or the panels.
#[derive(Clone, Copy)]
enum Role {
    Axis(bool, AxisPart),
    Panel,
}

/// The place of a grid, and cells of it: row and column.
type CellsOfGrid = (usize, Vec<(u32, u32)>);

/// The cells of each grid that the rows of a table name.
fn grids_cells(
    source: &dyn TableSource,
    grids: &[Grid],
    panel: Option<&str>,
) -> Result<Vec<CellsOfGrid>, InputError> {
    let schema = source.schema();
    let role = |grid: &Grid, header: &String| {
        if panel == Some(header.as_str()) {
            return Some(Role::Panel);
        }
        grid.side_named(header).map(|(rows, part)| Role::Axis(rows, part))
    };
    let mut finders: Vec<Finder<'_>> = Vec::with_capacity(grids.len());
    for grid in grids {
        let roles: Vec<(usize, Role)> =
            (0..).zip(&schema.headers).filter_map(|(i, h)| Some((i, role(grid, h)?))).collect();
        if !roles.iter().any(|r| matches!(r.1, Role::Axis(..))) {
            let axes = [&grid.columns().name, &grid.rows().name].map(|name| shown(name));
            let what = format!("no column is named like an axis ({}), row or column", axes.join(", "));
            let hint = format!("columns: {}", listed(&schema.headers));
            return Err(InputError::refused(&schema.file, "header", what).with_hint(hint));
        }
        finders.push(Finder { grid, roles, known: HashMap::new() });
    }
    let mut out: Vec<CellsOfGrid> = (0..grids.len()).map(|i| (i, Vec::new())).collect();
    let columns: Vec<usize> = (0..schema.width()).collect();
    for part in source.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&columns)? {
            for row in 0..batch.rows {
                let keys: Vec<String> = batch.columns.iter().map(|c| c.text(row).into_owned()).collect();
                let mut missing = None;
                let mut is_met = false;
                for (finder, (_, cells)) in finders.iter_mut().zip(&mut out) {
                    match finder.cells(&keys, &schema.headers) {
                        Ok(found) => {
                            is_met = true;
                            cells.extend(found);
                        }
                        Err(why) => missing = missing.or(Some(why)),
                    }
                }
                if let (Some(why), false) = (missing, is_met) {
                    return Err(batch.places.refused(row, why));
                }
            }
        }
    }
    Ok(out)
}

/// The cells of one grid by their keys.
struct Finder<'g> {
    grid: &'g Grid,
    roles: Vec<(usize, Role)>,
    /// The cells of keys that were met before, by column.
    known: HashMap<(usize, String), Vec<u32>>,
}

impl Finder<'_> {
    /// The cells that a row names, or why there are none.
    fn cells(&mut self, keys: &[String], headers: &[String]) -> Result<Vec<(u32, u32)>, String> {
        let mut sides: [Option<Vec<u32>>; 2] = [None, None];
        for &(column, role) in &self.roles {
            let (key, name) = (keys[column].trim(), headers[column].as_str());
            let Role::Axis(is_row, part) = role else {
                if self.grid.name() != key {
                    return Err(format!("no panel {name} {}", shown(key)));
                }
                continue;
            };
            let axis = if is_row { self.grid.rows() } else { self.grid.columns() };
            let of_key = self.known.entry((column, key.to_owned()));
            let found = of_key.or_insert_with(|| {
                let cells = axis.cells_named(part, key).into_iter();
                cells.map(|i| i as u32).collect()
            });
            if found.is_empty() {
                return Err(axis.unknown_key(part, name, key));
            }
            let side = &mut sides[usize::from(is_row)];
            *side = Some(match side.take() {
                None => found.clone(),
                Some(others) => others.into_iter().filter(|i| found.contains(i)).collect(),
            });
        }
        let [columns, rows] = sides;
        let all = |list: Option<Vec<u32>>, n: usize| list.unwrap_or_else(|| (0..n as u32).collect());
        let (rows, columns) = (all(rows, self.grid.height()), all(columns, self.grid.width()));
        Ok(rows.iter().flat_map(|r| columns.iter().map(move |c| (*r, *c))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Axis, Values};

    fn listed_in(file: &str, text: &str) -> Result<Vec<(u32, u32)>, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(file), text).unwrap();
        let words = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let rows = Axis::category("model", words(&["gpt, 4", "llama"]));
        let columns = Axis::number("ratio", vec![0.1, 0.2, 0.3], words(&["0.1", "0.2", "0.3"]));
        let mut grids = [Grid::new(rows, columns, Values::F64(vec![0.0; 6]), &[]).unwrap()];
        let mut figure = Figure::default();
        figure.annotations.mark = Some(file.parse().unwrap());
        list_marked(&mut grids, &figure, dir.path(), &Budget::new(1 << 20)).map_err(|e| e.to_string())?;
        Ok(grids[0].marked(file).to_vec())
    }

    #[test]
    fn cells_are_named_by_keys_by_positions_or_one_by_one() {
        let wanted = Ok(vec![(0, 2), (1, 0)]);
        assert_eq!(listed_in("m.csv", "note,ratio,model\na,0.30,\"gpt, 4\"\nb,0.1,llama\n"), wanted);
        assert_eq!(listed_in("m.csv", "row,column\n0,2\n1,0\n"), wanted);
        assert_eq!(
            listed_in(
                "m.json",
                "[{\"ratio\": 0.3, \"model\": \"gpt, 4\"}, {\"ratio\": 0.1, \"model\": \"llama\"}]"
            ),
            wanted
        );
        assert_eq!(listed_in("m.csv", "0,0,1\n1,0,0\n"), wanted);
        assert_eq!(listed_in("m.csv", "ratio\n0.2\n"), Ok(vec![(0, 1), (1, 1)]));
    }

    #[test]
    fn what_is_not_there_is_refused_with_its_place() {
        let said = |text: &str| listed_in("m.csv", text).unwrap_err();
        let wrong = said("ratio,model\n0.1,llama\n0.4,llama\n");
        assert!(wrong.contains("line 3: no cell has ratio 0.4; the nearest: 0.3, 0.2, 0.1"), "{wrong}");
        assert!(said("a,b\n1,2\n").contains("no column is named like an axis"), "{}", said("a,b\n1,2\n"));
        assert!(said("0,1\n1,0\n").contains("2 rows x 2 columns"));
        assert!(said("0,2,0\n0,0,0\n").contains("found 2"));
    }
}
