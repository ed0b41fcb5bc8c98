//! Files of marked cells: a table of their keys, or 0 and 1 for each cell.

use super::cell_table::{each_cell, is_bare, panel_column, says_of, table_of};
use super::numbers::{Flags, flag};
use crate::InputError;
use crate::budget::{Budget, read_side_file};
use crate::field::{Field, parse_number, read_field, shown};
use crate::table::TableSource;
use gridscope_core::figure::{Figure, FileTest};
use gridscope_core::grid::Grid;
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
        let hint = "a file of marks is a table with columns named like the axes, or row and column, or 0 and 1 for each cell, with or without labels";
        let (bytes, held) = read_side_file(&base.join(file), file, budget).map_err(|e| e.with_hint(hint))?;
        let test = mark.test.as_ref();
        if is_bare(&bytes, says_of(test)) {
            let flags = Flags::of(&bytes, file, FLAGS, test, budget).map_err(|e| e.with_hint(hint))?;
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
        let source = table_of((bytes, held), file, hint, budget)?;
        let panel = panel_column(figure, source.as_ref())?;
        let cells = cells_of_table(source.as_ref(), grids, panel, test)?;
        for (grid, cells) in grids.iter_mut().zip(cells) {
            take(budget, file, cells.len())?;
            grid.set_marked(mark.text(), cells);
        }
    }
    Ok(())
}

/// The cells of each grid that a table means.
///
/// # Errors
/// As [`each_cell`]; what is neither 0 nor 1.
pub(super) fn cells_of_table(
    source: &dyn TableSource,
    grids: &[Grid],
    panel: Option<&str>,
    test: Option<&FileTest>,
) -> Result<Vec<Vec<(u32, u32)>>, InputError> {
    let mut out = vec![Vec::new(); grids.len()];
    each_cell(source, grids, panel, says_of(test), |(grid, row, column), text| {
        let is_meant = match test {
            None => flag(text).ok_or_else(|| format!("{} is neither 0 nor 1", shown(text)))?,
            Some(test) => match parse_number(text) {
                Some(number) => test.holds(number.as_f64()),
                None if is_blank(text) => false,
                None => return Err(format!("{} is not a number", shown(text))),
            },
        };
        if is_meant {
            out[grid].push((row, column));
        }
        Ok(())
    })?;
    Ok(out)
}

/// Whether a text means no value.
fn is_blank(text: &str) -> bool {
    read_field(text, &[]) == Field::Missing
}

fn take(budget: &Budget, file: &str, cells: usize) -> Result<(), InputError> {
    let taken = budget.take(CELL * cells as u64);
    taken.map_err(|s| s.of(file, format_args!("{cells} marked cells")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Axis, Values};

    fn listed_in(file: &str, text: &str) -> Result<Vec<(u32, u32)>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = file.split(['<', ' ']).next().unwrap();
        std::fs::write(dir.path().join(path), text).unwrap();
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
    fn tables_of_flags_are_met_by_their_labels_in_any_order() {
        let wanted = Ok(vec![(0, 2), (1, 0)]);
        // As pandas writes them: with an index, and with its name.
        for text in [
            ",0.1,0.2,0.3\n\"gpt, 4\",False,False,True\nllama,True,False,False\n",
            "model,0.10,0.2,0.3\n\"gpt, 4\",0,0,1\nllama,1,0,0\n",
            "ratio,model,significant\n0.3,\"gpt, 4\",1\n0.2,llama,0\n0.1,llama,1\n",
        ] {
            assert_eq!(listed_in("m.csv", text), wanted, "{text}");
        }
        let mut back = listed_in("m.csv", "model,0.3,0.1\nllama,0,1\n\"gpt, 4\",1,0\n").unwrap();
        back.sort_unstable();
        assert_eq!(Ok(back), wanted);
        // Keys of an axis are known where their column has another name.
        assert_eq!(listed_in("m.csv", "model,level,why\n\"gpt, 4\",0.3,a\nllama,0.1,b\n"), wanted);
        let wrong = listed_in("m.csv", "model,level\n\"gpt, 4\",0.3\nllama,0.1\nllama,0.7\n").unwrap_err();
        assert!(wrong.contains("line 4: no cell has level 0.7"), "{wrong}");
        // A remark says nothing of its cell.
        assert_eq!(listed_in("m.csv", "ratio,model,note\n0.3,\"gpt, 4\",0.5\n0.1,llama,0\n"), wanted);
    }

    #[test]
    fn numbers_of_a_file_may_be_compared() {
        let wanted = Ok(vec![(0, 2), (1, 0)]);
        for (file, text) in [
            ("p.csv < 0.05", "model,0.1,0.2,0.3\n\"gpt, 4\",0.5,0.05,0.049\nllama,1e-3,,NaN\n"),
            ("p.csv<0.05", "0.5,0.05,0.049\n0.001,1,nan\n"),
            ("p.csv < 0.05", "ratio,model,p\n0.3,\"gpt, 4\",0.01\n0.2,llama,0.5\n0.1,llama,0.02\n"),
        ] {
            assert_eq!(listed_in(file, text), wanted, "{file} {text}");
        }
        let wrong = listed_in("p.csv < 0.05", "ratio,model,p\n0.3,llama,low\n").unwrap_err();
        assert!(wrong.contains("line 2: 'low' is not a number"), "{wrong}");
    }

    #[test]
    fn a_wrong_label_or_flag_is_refused_with_its_place() {
        let said = |text: &str| listed_in("m.csv", text).unwrap_err();
        let row = said("model,0.1,0.2,0.3\nlama,0,0,1\n");
        assert!(row.contains("line 2: no cell has model lama; the nearest: llama"), "{row}");
        let column = said("model,0.1,0.2,0.4\nllama,0,0,1\n");
        assert!(column.contains("no cell has label 0.4; the nearest: 0.3, 0.2, 0.1"), "{column}");
        let flag = said("model,0.1,0.2,0.3\nllama,0,2,1\n");
        assert!(flag.contains("line 2: '2' is neither 0 nor 1"), "{flag}");
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
