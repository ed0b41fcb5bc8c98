//! A table of columns with types, as JSON, Parquet and Arrow hold them.

use super::batch::{Batch, Cells, Part, Parts, Places, Table};
use super::budget::Budget;
use super::csv::{AsRecords, Records};
use super::error::InputError;
use super::ordered::threads;
use super::schema::Schema;
use super::typed::TypedColumn;
use crate::figure::Data;
use crate::lint::Lints;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Rows given at once.
const BATCH: usize = 1 << 15;

/// A table of columns with types, all of it in memory.
#[derive(Debug)]
pub struct TypedTable {
    /// Its columns.
    pub schema: Schema,
    columns: Vec<TypedColumn>,
    rows: usize,
    budget: Arc<Budget>,
}

impl TypedTable {
    /// The table of these columns, which have a row each for every row; rows without a value are empty fields. The columns
    /// were taken off the budget before.
    ///
    /// # Errors
    /// No column or no row.
    pub fn new(
        file: &str,
        columns: Vec<TypedColumn>,
        data: &Data,
        lints: &mut Lints,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let rows = columns.iter().map(|c| c.cells.len()).min().unwrap_or(0);
        if rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let schema = typed_schema(
            file,
            columns.iter().map(|c| c.name.clone()).collect(),
            data,
            lints,
        );
        Ok(Self {
            schema,
            columns,
            rows,
            budget: Arc::clone(budget),
        })
    }
}

/// The schema of columns with types.
pub(super) fn typed_schema(file: &str, names: Vec<String>, data: &Data, lints: &mut Lints) -> Schema {
    let mut schema = Schema::named(file, names, data, lints);
    schema.has_types = true;
    schema
}

/// The records of columns with types.
///
/// # Errors
/// A row that is too long, or too little memory.
pub(super) fn records_of(
    schema: Schema,
    columns: &[TypedColumn],
    rows: usize,
    budget: &Arc<Budget>,
) -> Result<Records, InputError> {
    let write = |row: usize, column: usize, out: &mut String| {
        let c = &columns[column];
        if c.valid.as_ref().is_none_or(|v| v[row]) {
            c.cells.write(row, out);
        }
    };
    Records::of_rows(schema, rows, &write, budget)
}

impl Table for TypedTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let ranges = (0..self.rows)
            .step_by(BATCH)
            .map(|from| from..(from + BATCH).min(self.rows));
        Box::new(ranges.map(|rows| Ok(Box::new(Rows { table: self, rows }) as Box<dyn Part>)))
    }

    fn threads(&self) -> usize {
        if self.rows <= BATCH { 1 } else { threads() }
    }
}

impl AsRecords for TypedTable {
    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        Ok(Cow::Owned(records_of(
            self.schema.clone(),
            &self.columns,
            self.rows,
            &self.budget,
        )?))
    }
}

/// Some of the rows, until they were given.
struct Rows<'t> {
    table: &'t TypedTable,
    rows: Range<usize>,
}

impl Part for Rows<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let rows = std::mem::replace(&mut self.rows, 0..0);
        if rows.is_empty() {
            return Ok(None);
        }
        let of = |c: &usize| &self.table.columns[*c];
        let cells = |c: &usize| Cells::Typed {
            cells: &of(c).cells,
            valid: of(c).valid.as_deref(),
            from: rows.start,
        };
        let places = Places {
            schema: &self.table.schema,
            first: 1 + rows.start as u64,
            each: None,
        };
        Ok(Some(Batch {
            rows: rows.len(),
            columns: columns.iter().map(cells).collect(),
            places,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::typed::TypedCells;
    use super::*;
    use crate::grid::Number;
    use crate::input::field::Field;

    #[test]
    fn values_read_back_and_names_are_told_apart() {
        let column = |name: &str, cells| TypedColumn {
            name: name.to_owned(),
            cells,
            valid: None,
        };
        let texts = TypedCells::Texts {
            codes: vec![1, 0, 1],
            texts: vec!["a,\"b\"\n".into(), "".into()],
        };
        let some = TypedColumn {
            valid: Some(vec![true, false, true]),
            ..column("v", TypedCells::F64(vec![1e300, 2.0, -0.0]))
        };
        let columns = [
            column("k", texts),
            some,
            column("v", TypedCells::F32(vec![0.1, f32::INFINITY, f32::NAN])),
            column("", TypedCells::U64(vec![u64::MAX, 0, 1])),
            column("n", TypedCells::I64(vec![i64::MIN, 0, 1])),
        ];
        let mut lints = Lints::default();
        let budget = Budget::new(1 << 20);
        let table = TypedTable::new(
            "t.parquet",
            columns.to_vec(),
            &Data::default(),
            &mut lints,
            &budget,
        )
        .unwrap();
        let r = table.records().unwrap();
        assert_eq!(r.schema.headers, ["k", "v", "v (2)", "column 4", "n"]);
        assert_eq!((r.len(), lints.0.len(), r.get(1, 0)), (3, 1, "a,\"b\"\n"));
        let of = |row, c| r.field(row, c);
        assert_eq!(
            (of(0, 1), of(1, 1)),
            (Field::Number(Number::F64(1e300)), Field::Missing)
        );
        assert_eq!(
            (of(0, 2), of(1, 2), of(2, 2)),
            (
                Field::Number(Number::F64(0.1)),
                Field::Number(Number::F64(f64::INFINITY)),
                Field::Missing
            )
        );
        assert_eq!(
            (of(0, 3), of(0, 4)),
            (
                Field::Number(Number::U64(u64::MAX)),
                Field::Number(Number::I64(i64::MIN))
            )
        );
        assert_eq!(r.refused(1, "x").place, "row 2");
        assert!(TypedTable::new("t", Vec::new(), &Data::default(), &mut lints, &budget).is_err());
        let narrow = TypedTable::new(
            "t",
            columns.to_vec(),
            &Data::default(),
            &mut lints,
            &Budget::new(50),
        )
        .unwrap();
        assert_eq!(
            narrow.records().unwrap_err().kind,
            super::super::error::ErrorKind::Limit
        );
    }
}
