//! A source that can be read once is held in memory where more than one pass is needed.

use super::batch::Cells;
use super::column::{Column, ColumnValues};
use super::column_table::ColumnTable;
use super::source::{Reads, TableSource};
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a value with its validity, of the code of a text, and of a distinct text beside its own two copies.
const VALUE: u64 = 9;
const CODE: u64 = 4;
const TEXT: u64 = 80;
/// Bytes of the number of a row.
const NUMBER: u64 = 4;

/// The source itself if it can be read any number of times; else a table of its rows, which are taken off the budget to
/// the end of the run.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(crate) fn rereadable(
    source: Box<dyn TableSource>,
    budget: &Arc<Budget>,
) -> Result<Box<dyn TableSource>, InputError> {
    if source.reads() == Reads::Any {
        return Ok(source);
    }
    let mut spool = Spool::new(source.as_ref(), budget);
    let short = |rows: usize, s: OverBudget| {
        let file = &source.schema().file;
        s.of(file, format_args!("{rows} rows so far, of a source that can be read once"))
    };
    let all: Vec<usize> = (0..source.schema().width()).collect();
    for part in source.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&all)? {
            spool.take(&batch.columns, batch.rows).map_err(|s| short(spool.rows, s))?;
            (0..batch.rows)
                .try_for_each(|row| spool.number(batch.places.number(row)))
                .map_err(|s| short(spool.rows, s))?;
        }
    }
    spool.room.settle().map_err(|s| short(spool.rows, s))?;
    if spool.rows == 0 {
        return Err(InputError::refused(&source.schema().file, "", "no data rows"));
    }
    Ok(Box::new(spool.finish(source.as_ref())))
}

/// The rows that have been read.
struct Spool {
    columns: Vec<GrowingColumn>,
    /// Rows whose cells have been taken, and those whose numbers have.
    rows: usize,
    numbered: usize,
    /// The number of each row, where they do not count from 1.
    numbers: Option<Vec<u32>>,
    room: Reservation,
}

impl Spool {
    fn new(source: &dyn TableSource, budget: &Arc<Budget>) -> Self {
        Self {
            columns: source.schema().headers.iter().map(|_| GrowingColumn::default()).collect(),
            rows: 0,
            numbered: 0,
            numbers: None,
            room: budget.nothing(),
        }
    }

    fn take(&mut self, columns: &[Cells], rows: usize) -> Result<(), OverBudget> {
        for (column, cells) in self.columns.iter_mut().zip(columns) {
            column.take(cells, rows, &mut self.room)?;
        }
        self.rows += rows;
        Ok(())
    }

    fn number(&mut self, number: u64) -> Result<(), OverBudget> {
        self.numbered += 1;
        if self.numbers.is_none() && number == self.numbered as u64 {
            return Ok(());
        }
        let before = self.numbered as u32 - 1;
        let numbers = self.numbers.get_or_insert_with(|| (1..=before).collect());
        self.room.owe(NUMBER)?;
        numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
        Ok(())
    }

    fn finish(self, source: &dyn TableSource) -> ColumnTable {
        let schema = source.schema().clone();
        let columns = self
            .columns
            .into_iter()
            .zip(&schema.headers)
            .map(|(column, name)| Column {
                name: name.clone(),
                cells: column.cells.unwrap_or(ColumnValues::F64(Vec::new())),
                valid: column.valid,
            })
            .collect();
        self.room.keep();
        ColumnTable::spooled(schema, columns, self.rows, self.numbers)
    }
}

/// A column while it grows.
#[derive(Default)]
struct GrowingColumn {
    cells: Option<ColumnValues>,
    valid: Option<Vec<bool>>,
    /// The codes of the texts.
    codes: HashMap<String, u32>,
}

impl GrowingColumn {
    fn take(&mut self, cells: &Cells, rows: usize, room: &mut Reservation) -> Result<(), OverBudget> {
        if let Cells::Typed { cells: of, valid, from } = cells {
            let to = self.cells.get_or_insert_with(|| empty_like(of));
            let before = to.len();
            if extend(to, of, *from..from + rows) {
                if valid.is_some() || self.valid.is_some() {
                    let all = self.valid.get_or_insert_with(|| vec![true; before]);
                    match valid {
                        Some(valid) => all.extend_from_slice(&valid[*from..from + rows]),
                        None => all.resize(before + rows, true),
                    }
                }
                return room.owe(VALUE.saturating_mul(rows as u64));
            }
        }
        // A column of texts, or one whose type has changed: numbers are written so that they read back the same.
        self.become_texts(room)?;
        (0..rows).try_for_each(|row| self.push_text(&cells.text(row), room))
    }

    fn become_texts(&mut self, room: &mut Reservation) -> Result<(), OverBudget> {
        let before = match self.cells.take() {
            Some(texts @ ColumnValues::Texts { .. }) => {
                self.cells = Some(texts);
                return Ok(());
            }
            before => before,
        };
        let valid = self.valid.take();
        let (codes, texts) = (Vec::new(), Vec::new());
        self.cells = Some(ColumnValues::Texts { codes, texts });
        let Some(cells) = before else {
            return Ok(());
        };
        let numbers = Cells::Typed { cells: &cells, valid: valid.as_deref(), from: 0 };
        (0..cells.len()).try_for_each(|row| self.push_text(&numbers.text(row), room))
    }

    fn push_text(&mut self, text: &str, room: &mut Reservation) -> Result<(), OverBudget> {
        let Some(ColumnValues::Texts { codes, texts }) = &mut self.cells else {
            return Ok(());
        };
        let code = match self.codes.get(text) {
            Some(code) => *code,
            None => {
                room.owe(TEXT + 2 * text.len() as u64)?;
                let code = texts.len() as u32;
                texts.push(text.to_owned());
                self.codes.insert(text.to_owned(), code);
                code
            }
        };
        room.owe(CODE)?;
        codes.push(code);
        Ok(())
    }
}

fn empty_like(cells: &ColumnValues) -> ColumnValues {
    match cells {
        ColumnValues::I64(_) => ColumnValues::I64(Vec::new()),
        ColumnValues::U64(_) => ColumnValues::U64(Vec::new()),
        ColumnValues::F32(_) => ColumnValues::F32(Vec::new()),
        ColumnValues::F64(_) => ColumnValues::F64(Vec::new()),
        ColumnValues::Texts { .. } => ColumnValues::Texts { codes: Vec::new(), texts: Vec::new() },
    }
}

/// Appends some rows of a column of numbers to one of the same type; whether it is.
fn extend(to: &mut ColumnValues, of: &ColumnValues, rows: Range<usize>) -> bool {
    match (to, of) {
        (ColumnValues::I64(to), ColumnValues::I64(of)) => to.extend_from_slice(&of[rows]),
        (ColumnValues::U64(to), ColumnValues::U64(of)) => to.extend_from_slice(&of[rows]),
        (ColumnValues::F32(to), ColumnValues::F32(of)) => to.extend_from_slice(&of[rows]),
        (ColumnValues::F64(to), ColumnValues::F64(of)) => to.extend_from_slice(&of[rows]),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::batch::{Batch, Places};
    use super::super::schema::Schema;
    use super::super::source::{Part, Parts, texts};
    use super::*;
    use crate::error::ErrorKind;
    use crate::format::csv::CsvTable;
    use gridscope_core::figure::Data;
    use gridscope_core::lint::Lints;

    /// A table that may be read once.
    struct Once(CsvTable);

    impl TableSource for Once {
        fn schema(&self) -> &Schema {
            self.0.schema()
        }

        fn parts(&self) -> Parts<'_> {
            self.0.parts()
        }

        fn reads(&self) -> Reads {
            Reads::Once
        }
    }

    fn csv(text: &str) -> CsvTable {
        let (data, mut lints) = (Data::default(), Lints::default());
        CsvTable::read(text.into(), "t.csv", &data, &mut lints, &Budget::new(1 << 20)).unwrap()
    }

    #[test]
    fn rows_keep_their_texts_and_their_lines() {
        let text = "x,y\n1,a\n\n2,\n3,a\n";
        let budget = Budget::new(1 << 20);
        let spooled = rereadable(Box::new(Once(csv(text))), &budget).unwrap();
        assert_eq!(spooled.reads(), Reads::Any);
        for _ in 0..2 {
            assert_eq!(texts(spooled.as_ref()).unwrap(), texts(&csv(text)).unwrap());
        }
        let mut part = spooled.parts().next().unwrap().unwrap();
        let batch = part.next(&[0]).unwrap().unwrap();
        assert_eq!([0, 1, 2].map(|row| batch.places.number(row)), [2, 4, 5]);
        assert_eq!(batch.places.refused(1, "").place.line, Some(4));
        assert!(budget.left() < 1 << 20);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let text: String = (0..9000).map(|i| format!("{i},k\n")).collect();
        let e = rereadable(Box::new(Once(csv(&text))), &Budget::new(1 << 18)).err().unwrap();
        assert_eq!(e.kind, ErrorKind::Limit, "{e}");
    }

    /// Batches of one column whose type changes.
    struct Changing(Schema);

    struct Next<'t>(&'t Schema, Vec<ColumnValues>, Option<ColumnValues>);

    impl TableSource for Changing {
        fn schema(&self) -> &Schema {
            &self.0
        }

        fn parts(&self) -> Parts<'_> {
            let cells = vec![
                ColumnValues::F32(vec![0.1]),
                ColumnValues::I64(vec![-7]),
                ColumnValues::F64(vec![0.25, f64::NAN]),
                ColumnValues::F64(vec![1.0]),
            ];
            Box::new(std::iter::once(Ok(Box::new(Next(&self.0, cells, None)) as Box<dyn Part>)))
        }

        fn reads(&self) -> Reads {
            Reads::Once
        }
    }

    impl Part for Next<'_> {
        fn next(&mut self, _: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
            self.2 = self.1.pop();
            let valid = Some(&[true, false][..]);
            Ok(self.2.as_ref().map(|cells| Batch {
                rows: cells.len(),
                columns: vec![Cells::Typed { cells, valid, from: 0 }],
                places: Places { schema: self.0, first: 1, each: None },
            }))
        }
    }

    #[test]
    fn a_column_whose_type_changes_becomes_texts() {
        let schema = Schema::typed("s", vec!["v".into()], &Data::default(), &mut Lints::default());
        let spooled = rereadable(Box::new(Changing(schema)), &Budget::new(1 << 20)).unwrap();
        assert_eq!(texts(spooled.as_ref()).unwrap().concat(), ["1.0", "0.25", "", "-7", "0.1"]);
    }
}
