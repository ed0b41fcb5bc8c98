//! A table whose columns are in memory.

use super::batch::{Batch, Cells, Places};
use super::column::Column;
use super::schema::Schema;
use super::source::{Part, Parts, TableSource};
use crate::error::InputError;
use crate::ordered::threads;
use gridscope_core::figure::Data;
use gridscope_core::lint::Lints;
use std::ops::Range;

/// Rows of a part.
const PART: usize = 1 << 15;

/// A table whose columns are all in memory.
#[derive(Debug)]
pub struct ColumnTable {
    /// The names of the columns, and what else is known of them.
    pub schema: Schema,
    columns: Vec<Column>,
    rows: usize,
    /// The number of each row in messages, where they do not count from 1.
    numbers: Option<Vec<u32>>,
}

impl ColumnTable {
    /// The table of these columns; it has as many rows as the shortest of them. `name` is what messages call it, `data`
    /// says which texts mean a missing value, and empty or repeated column names are reported in `lints`.
    ///
    /// # Errors
    /// If there are no columns or no rows.
    pub fn new(name: &str, columns: Vec<Column>, data: &Data, lints: &mut Lints) -> Result<Self, InputError> {
        let rows = columns.iter().map(|c| c.cells.len()).min().unwrap_or(0);
        if rows == 0 {
            return Err(InputError::refused(name, "", "no data rows"));
        }
        let names = columns.iter().map(|c| c.name.clone()).collect();
        let schema = Schema::typed(name, names, data, lints);
        Ok(Self { schema, columns, rows, numbers: None })
    }

    /// It was found by a key.
    pub(crate) fn set_keyed(&mut self) {
        self.schema.keyed = true;
    }

    /// The table of these columns under a schema that was made before; `numbers` are those of its rows.
    pub(super) fn spooled(
        schema: Schema,
        columns: Vec<Column>,
        rows: usize,
        numbers: Option<Vec<u32>>,
    ) -> Self {
        Self { schema, columns, rows, numbers }
    }
}

impl TableSource for ColumnTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let ranges = (0..self.rows).step_by(PART).map(|from| from..(from + PART).min(self.rows));
        Box::new(ranges.map(|rows| Ok(Box::new(Rows { table: self, rows }) as Box<dyn Part>)))
    }

    fn threads(&self) -> usize {
        if self.rows <= PART { 1 } else { threads() }
    }
}

/// Some of the rows, until they have been given.
struct Rows<'t> {
    table: &'t ColumnTable,
    rows: Range<usize>,
}

impl Part for Rows<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let rows = std::mem::replace(&mut self.rows, 0..0);
        if rows.is_empty() {
            return Ok(None);
        }
        let cells = |c: &usize| {
            let column = &self.table.columns[*c];
            Cells::Typed { cells: &column.cells, valid: column.valid.as_deref(), from: rows.start }
        };
        let each = self.table.numbers.as_ref().map(|n| &n[rows.clone()]);
        let places = Places {
            schema: &self.table.schema,
            first: if each.is_some() { 0 } else { 1 + rows.start as u64 },
            each,
        };
        Ok(Some(Batch { rows: rows.len(), columns: columns.iter().map(cells).collect(), places }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::ColumnValues;
    use super::super::source::texts;
    use super::*;
    use crate::field::Field;
    use gridscope_core::grid::Number;

    #[test]
    fn values_read_back_and_names_are_made_different() {
        let column = |name: &str, cells| Column { name: name.to_owned(), cells, valid: None };
        let words =
            ColumnValues::Texts { codes: vec![1, 0, 1], texts: vec!["a,\"b\"\n".into(), String::new()] };
        let some = Column {
            valid: Some(vec![true, false, true]),
            ..column("v", ColumnValues::F64(vec![1e300, 2.0, -0.0]))
        };
        let columns = vec![
            column("k", words),
            some,
            column("v", ColumnValues::F32(vec![0.1, f32::INFINITY, f32::NAN])),
            column("", ColumnValues::U64(vec![u64::MAX, 0, 1])),
            column("n", ColumnValues::I64(vec![i64::MIN, 0, 1])),
        ];
        let mut lints = Lints::default();
        let table = ColumnTable::new("t.parquet", columns, &Data::default(), &mut lints).unwrap();
        assert_eq!(table.schema.headers, ["k", "v", "v (2)", "column 4", "n"]);
        let rows = texts(&table).unwrap();
        assert_eq!((rows.len(), lints.0.len(), rows[1][0].as_str()), (3, 1, "a,\"b\"\n"));
        let mut part = table.parts().next().unwrap().unwrap();
        let batch = part.next(&[0, 1, 2, 3, 4]).unwrap().unwrap();
        let of = |row: usize, c: usize| batch.columns[c].field(row, &[]);
        assert_eq!((of(0, 1), of(1, 1)), (Field::Number(Number::F64(1e300)), Field::Missing));
        assert_eq!(
            (of(0, 2), of(1, 2), of(2, 2)),
            (Field::Number(Number::F64(0.1)), Field::Number(Number::F64(f64::INFINITY)), Field::Missing)
        );
        assert_eq!(
            (of(0, 3), of(0, 4)),
            (Field::Number(Number::U64(u64::MAX)), Field::Number(Number::I64(i64::MIN)))
        );
        assert_eq!(batch.places.refused(1, "x").place.row, Some(2));
        assert!(ColumnTable::new("t", Vec::new(), &Data::default(), &mut lints).is_err());
    }
}
