//! Files of the texts of cells.

use super::cell_table::{Says, each_batch, each_cell, is_bare, panel_column, table_of};
use super::numbers::read_side_array;
use crate::InputError;
use crate::array::load;
use crate::budget::{Budget, read_side_file};
use crate::format::npy::MAGIC;
use crate::position::Place;
use crate::table::TableSource;
use gridscope_core::figure::{Annotate, Figure};
use gridscope_core::grid::{Grid, Values};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a text.
const TEXT: u64 = 48;
const FORMS: &str = "a file of annotations is a table of the shape of the grid, with or without labels, or one with columns named like the axes and a column of texts";

/// Gives the cells of the grids the texts of the file that the figure's annotations name; paths start at `base`.
///
/// # Errors
/// When the file cannot be read, has another shape, or names a cell that no grid has; memory.
pub(crate) fn apply_cell_texts(
    grids: &mut [Grid],
    figure: &Figure,
    base: &Path,
    data: &str,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let Some(Annotate::File(file)) = figure.annotations.show.as_deref() else {
        return Ok(());
    };
    let (bytes, held) = read_side_file(&base.join(file), file, budget).map_err(|e| e.with_hint(FORMS))?;
    let cells: u64 = grids.iter().map(|grid| grid.len() as u64).sum();
    budget.take(TEXT * cells).map_err(|s| s.of(file, format_args!("the texts of {cells} cells")))?;
    for grid in grids.iter() {
        load(grid, data, budget)?;
    }
    let texts = if is_bare(&bytes, Says::Texts) {
        let (fields, width) = match bytes.starts_with(MAGIC) {
            true => fields_of_array(&bytes, file, budget)?,
            false => fields_of_text(&bytes, file)?,
        };
        by_position(&fields, width, grids, file)?
    } else {
        texts_of_table(table_of((bytes, held), file, FORMS, budget)?.as_ref(), figure, grids)?
    };
    for (grid, texts) in grids.iter_mut().zip(texts) {
        grid.set_texts(file, texts).map_err(|e| InputError::refused(file, "", e))?;
    }
    Ok(())
}

/// The texts of the cells of each grid that a table has; a table without labels and keys has those of a grid of its shape.
fn texts_of_table(
    source: &dyn TableSource,
    figure: &Figure,
    grids: &[Grid],
) -> Result<Vec<Vec<String>>, InputError> {
    let mut out: Vec<Vec<String>> = grids.iter().map(|grid| vec![String::new(); grid.len()]).collect();
    let panel = panel_column(figure, source)?;
    let by_keys = each_cell(source, grids, panel, Says::Texts, |(grid, row, column), text| {
        let cell = row as usize * grids[grid].width() + column as usize;
        text.trim().clone_into(&mut out[grid][cell]);
        Ok(())
    });
    let Err(refused) = by_keys else { return Ok(out) };
    let schema = source.schema();
    let (width, mut fields) = (schema.width(), schema.headers.clone());
    if grids.iter().any(|grid| grid.width() != width) {
        return Err(refused.with_hint(FORMS));
    }
    each_batch(source, |batch| {
        for row in 0..batch.rows {
            fields.extend(batch.columns.iter().map(|c| c.text(row).trim().to_owned()));
        }
        Ok(())
    })?;
    match grids.iter().all(|grid| grid.len() == fields.len()) {
        true => by_position(&fields, width, grids, &schema.file),
        false => Err(refused.with_hint(FORMS)),
    }
}

/// The same texts for each grid, where they have its shape.
fn by_position(
    fields: &[String],
    width: usize,
    grids: &[Grid],
    file: &str,
) -> Result<Vec<Vec<String>>, InputError> {
    let rows = fields.len() / width.max(1);
    for grid in grids {
        let (h, w) = (grid.height(), grid.width());
        if (h, w) != (rows, width) {
            let what =
                format!("{rows} rows x {width} columns of texts, but the grid has {h} rows x {w} columns");
            return Err(InputError::refused(file, "", what).with_hint(FORMS));
        }
    }
    Ok(vec![fields.to_vec(); grids.len()])
}

/// The numbers of an array as texts, and its columns.
fn fields_of_array(
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Vec<String>, usize), InputError> {
    let (array, _room) = read_side_array(bytes, file, budget)?;
    let text = |i: usize| match &array.data {
        Values::F32 { data, integer: false } if data[i].is_nan() => String::new(),
        Values::F32 { data, integer: false } => data[i].to_string(),
        other => other.get(i).to_string(),
    };
    match array.shape[..] {
        [_, width] => Ok(((0..array.data.len()).map(text).collect(), width)),
        _ => {
            let what = format!("shape {:?}: the texts of cells have two dimensions", array.shape);
            Err(InputError::refused(file, "header", what))
        }
    }
}

/// The fields of a text of numbers, and those of each line.
fn fields_of_text(bytes: &[u8], file: &str) -> Result<(Vec<String>, usize), InputError> {
    let text = String::from_utf8_lossy(bytes);
    let (mut out, mut width) = (Vec::new(), None);
    for (i, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let delimiter = [',', ';', '\t'].into_iter().find(|c| line.contains(*c));
        let fields: Vec<String> = match delimiter {
            Some(c) => line.split(c).map(|f| f.trim().to_owned()).collect(),
            None => line.split_whitespace().map(str::to_owned).collect(),
        };
        let width = *width.get_or_insert(fields.len());
        if fields.len() != width {
            let what = format!("{} fields, the first line has {width}", fields.len());
            return Err(InputError::refused(file, Place::line(i), what));
        }
        out.extend(fields);
    }
    Ok((out, width.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Axis;

    fn texts(file: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(file), bytes).unwrap();
        let words = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let rows = Axis::category("model", words(&["a", "b"]));
        let columns = Axis::category("k", words(&["x", "y"]));
        let mut grids = [Grid::new(rows, columns, Values::F64(vec![0.0; 4]), &[]).unwrap()];
        let mut figure = Figure::default();
        figure.annotations.show = Some(file.parse::<Annotate>().unwrap().into());
        let done = apply_cell_texts(&mut grids, &figure, dir.path(), "d.csv", &Budget::new(1 << 20));
        done.map_err(|e| e.to_string())?;
        Ok(grids[0].texts()[file].clone())
    }

    #[test]
    fn texts_are_met_by_labels_by_keys_or_by_position() {
        let wanted: Result<Vec<String>, String> = Ok(["1*", "2", "", "4\nn=3"].map(str::to_owned).to_vec());
        for text in [
            "model,x,y\na,1*,2\nb,,\"4\nn=3\"\n",
            ",y,x\nb,\"4\nn=3\",\na,2,1*\n",
            "k,model,text\ny,b,\"4\nn=3\"\nx,a,1*\ny,a,2\n",
            "1*,2\n,\"4\nn=3\"\n",
        ] {
            assert_eq!(texts("t.csv", text.as_bytes()), wanted, "{text}");
        }
        assert_eq!(texts("t.csv", b"1,2\n3,4.50\n").unwrap(), ["1", "2", "3", "4.50"]);
        assert_eq!(texts("t.txt", b"# n\n1 2\n3 4\n").unwrap(), ["1", "2", "3", "4"]);
        let mut npy = b"\x93NUMPY\x01\x00".to_vec();
        let dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
        npy.extend((dict.len() as u16).to_le_bytes());
        npy.extend(dict.as_bytes());
        npy.extend([0.1f32, f32::NAN, 3.0, -2.5].iter().flat_map(|v| v.to_le_bytes()));
        assert_eq!(texts("t.npy", &npy).unwrap(), ["0.1", "", "3", "-2.5"]);
    }

    #[test]
    fn texts_of_another_shape_are_refused() {
        let said = |text: &str| texts("t.csv", text.as_bytes()).unwrap_err();
        assert!(said("1,2,3\n4,5,6\n").contains("2 rows x 3 columns of texts"), "{}", said("1,2,3\n4,5,6\n"));
        assert!(said("model,x,y\na,1,2\nc,3,4\n").contains("line 3: no cell has model c"));
        let several = said("k,model,text,other\ny,b,1,2\n");
        assert!(several.contains("2 columns beside the keys"), "{several}");
    }
}
