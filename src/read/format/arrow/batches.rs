//! Tables of record batches that somebody else makes: held by their owner, or a stream that passes once.

use super::body::Dictionary;
use super::data_type::{holds, stored};
use super::error_text;
use super::record_batch::ColumnReader;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::format::decoding::{DecodeFault, Listed, ValueType, guarded, project, set_durations};
use crate::format::reader::Request;
use crate::loaded::ReadOptions;
use crate::ordered::threads;
#[cfg(feature = "adbc")]
use crate::table::Grouping;
use crate::table::{self, Batch, ColumnBuilder, Parts, Reads, Schema, TableSource};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that become cells at once.
const SLICE: usize = 1 << 15;
/// Rows of a part: a large record batch is shared by several threads.
const PART: usize = 1 << 16;
/// Bytes that a thread holds beside those of the budget while it works on a part.
const THREAD: u64 = 4 << 20;

/// A reader of record batches.
pub type RecordBatchStream = Box<dyn RecordBatchReader + Send>;

/// How record batches are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchOptions {
    /// Their owner holds all of them: they take no further memory, and are read by several threads and as often as is needed.
    /// Others pass once.
    pub held: bool,
    /// Every column with a dictionary has its order, not only those whose field says so.
    pub ordered: bool,
    /// The first columns that label the rows, where the table is not tidy: none where the numbers of all columns are cells.
    pub label_columns: Option<usize>,
}

/// A table of record batches. Their arrays are not copied: a few rows at a time become cells.
pub struct RecordBatches {
    schema: Schema,
    columns: Vec<BatchColumn>,
    batches: Batches,
    budget: Arc<Budget>,
}

/// A column that is needed.
struct BatchColumn {
    name: String,
    /// Its place in a record batch.
    at: usize,
    value_type: ValueType,
}

enum Batches {
    Held(Vec<RecordBatch>),
    /// The first batch, which was looked at, and those that are to come.
    Once(Mutex<(Option<RecordBatch>, Option<RecordBatchStream>)>),
}

impl fmt::Debug for RecordBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBatches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl RecordBatches {
    /// The table of a stream, of which the figure needs some columns; messages call it `file`.
    ///
    /// # Errors
    /// A named column whose type is not read, no column that is, no rows in batches that are held, a stream that fails, or too
    /// little memory.
    pub fn new(
        file: &str,
        mut stream: RecordBatchStream,
        options: BatchOptions,
        (figure, needs): (&Figure, &ReadOptions),
        budget: &Arc<Budget>,
        lints: &mut Lints,
    ) -> Result<Self, InputError> {
        let declared = stream.schema();
        let failed = |e: ArrowError| refused(file, &e);
        let (rows, batches) = if options.held {
            let held = stream.collect::<Result<Vec<_>, _>>().map_err(failed)?;
            let rows = held.iter().map(|batch| batch.num_rows() as u64).sum();
            (rows, Batches::Held(held))
        } else {
            let first = stream.next().transpose().map_err(failed)?;
            // How many rows are to come is not known.
            let rows = if first.is_some() { u64::MAX } else { 0 };
            (rows, Batches::Once(Mutex::new((first, Some(stream)))))
        };
        Self::of((file, &declared, rows), batches, options, (figure, needs), budget, lints)
    }

    fn of(
        (file, declared, rows): (&str, &SchemaRef, u64),
        batches: Batches,
        options: BatchOptions,
        (figure, needs): (&Figure, &ReadOptions),
        budget: &Arc<Budget>,
        lints: &mut Lints,
    ) -> Result<Self, InputError> {
        let request = Request { file, figure, needs, budget };
        let fields = declared.fields();
        let types: Vec<_> = fields.iter().map(|f| holds(f.data_type())).collect();
        let listed: Vec<Listed> = fields
            .iter()
            .zip(&types)
            .map(|(field, holds)| Listed {
                name: field.name().clone(),
                left_out: holds.as_ref().err().cloned(),
            })
            .collect();
        let mut room = budget.nothing();
        let (needed, schema) = project(&request, &listed, rows, &mut room, lints)?;
        // The table has the names to the end of the run.
        room.keep();
        let column = |at: &usize| {
            let (_, value_type) = types[*at].as_ref().ok()?;
            Some(BatchColumn { name: fields[*at].name().clone(), at: *at, value_type: *value_type })
        };
        let mut schema = schema;
        schema.label_columns = options.label_columns;
        let mut table = Self {
            schema,
            columns: needed.iter().filter_map(column).collect(),
            batches,
            budget: Arc::clone(budget),
        };
        set_durations(table.columns.iter().map(|column| column.value_type), &mut table.schema);
        for i in 0..table.columns.len() {
            let is_ordered = fields[table.columns[i].at].dict_is_ordered() == Some(true);
            if options.ordered || is_ordered {
                table.set_order(i)?;
            }
        }
        Ok(table)
    }

    /// The same table, which has further columns where it is `partial`, and rows that an engine has grouped.
    #[cfg(feature = "adbc")]
    pub(crate) fn of_query(mut self, partial: bool, grouping: Option<Arc<Grouping>>) -> Self {
        self.schema.partial = partial;
        self.schema.grouping = grouping;
        self
    }

    /// Gives a column the order of its dictionary, if it has one.
    fn set_order(&mut self, column: usize) -> Result<(), InputError> {
        let BatchColumn { at, value_type, .. } = self.columns[column];
        let (mut dictionary, mut last) = (Dictionary::default(), None::<ArrayRef>);
        let mut add = |batch: &RecordBatch| {
            let Some(coded) = batch.column(at).as_any_dictionary_opt() else {
                return;
            };
            let values = coded.values();
            // Batches mostly share one dictionary.
            let is_new = last.as_ref().is_none_or(|last| !last.to_data().ptr_eq(&values.to_data()));
            if is_new {
                last = Some(Arc::clone(values));
                dictionary.add(0, false, (stored(values), self.budget.nothing()));
            }
        };
        match &self.batches {
            Batches::Held(batches) => batches.iter().for_each(add),
            Batches::Once(stream) => {
                let stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                stream.0.iter().for_each(&mut add);
            }
        }
        if last.is_none() {
            return Ok(());
        }
        let texts = guarded(|| dictionary.texts(value_type, &self.budget));
        let texts = texts.map_err(|fault| self.refused(column, fault))?;
        self.schema.set_order(column, texts);
        Ok(())
    }

    /// The refusal of a column.
    fn refused(&self, column: usize, fault: DecodeFault) -> InputError {
        let name = shown(&self.columns[column].name);
        fault.at(&self.schema.file, &format!("column {name}"))
    }

    /// The parts of a record batch whose first row has this number.
    fn parts_of(&self, batch: RecordBatch, first: u64) -> impl Iterator<Item = Box<dyn table::Part + '_>> {
        let rows = batch.num_rows();
        (0..rows).step_by(PART).map(move |from| {
            let part = HeldBatch {
                table: self,
                batch: batch.clone(),
                rows: from..rows.min(from.saturating_add(PART)),
                first: first + from as u64,
                columns: Vec::new(),
            };
            Box::new(part) as Box<dyn table::Part>
        })
    }
}

/// The refusal of a stream that fails, in the words of whoever makes it.
fn refused(file: &str, error: &ArrowError) -> InputError {
    let text = error_text(error);
    // The C interface passes on one text: the `arrow` crate puts its own before that of the producer, and pyarrow adds the
    // lines of the program to it.
    let own = text.split_once("Producer error: ").map_or(&*text, |(_, own)| own);
    let own = own.split(". Detail: ").next().and_then(|own| own.lines().next());
    let what = format!("the stream of record batches fails: {}", own.unwrap_or_default().trim());
    InputError::refused(file, "", what)
}

impl TableSource for RecordBatches {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let mut next = 1;
        let mut of_batch = move |batch: RecordBatch| {
            let first = next;
            next += batch.num_rows() as u64;
            self.parts_of(batch, first).map(Ok)
        };
        match &self.batches {
            Batches::Held(batches) => Box::new(batches.iter().cloned().flat_map(of_batch)),
            Batches::Once(stream) => {
                let (head, rest) = {
                    let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                    (stream.0.take(), stream.1.take())
                };
                let all = head.map(Ok).into_iter().chain(rest.into_iter().flatten());
                Box::new(all.flat_map(move |batch| -> Parts<'_> {
                    match batch {
                        Ok(batch) => Box::new(of_batch(batch)),
                        Err(e) => Box::new(std::iter::once(Err(refused(&self.schema.file, &e)))),
                    }
                }))
            }
        }
    }

    fn threads(&self) -> usize {
        let parts = match &self.batches {
            // One thread meets the groups in their order.
            _ if self.schema.grouping.is_some() => 1,
            Batches::Held(batches) => batches.iter().map(|b| b.num_rows().div_ceil(PART)).sum(),
            Batches::Once(_) => usize::MAX,
        };
        threads().min(parts).min(self.budget.shares(THREAD)).max(1)
    }

    fn reads(&self) -> Reads {
        match self.batches {
            Batches::Held(_) => Reads::Any,
            Batches::Once(_) => Reads::Once,
        }
    }
}

/// Some rows of a record batch while they are read, a slice at a time.
struct HeldBatch<'t> {
    table: &'t RecordBatches,
    batch: RecordBatch,
    /// Rows of the batch that are to come.
    rows: Range<usize>,
    /// The number of the next row in the table.
    first: u64,
    columns: Vec<(ColumnReader, ColumnBuilder)>,
}

impl HeldBatch<'_> {
    fn open(&self, column: usize) -> Result<(ColumnReader, ColumnBuilder), DecodeFault> {
        let BatchColumn { at, value_type, .. } = self.table.columns[column];
        let into = value_type.reused_column(self.rows.len().min(SLICE), &self.table.budget)?;
        Ok((ColumnReader::new(stored(self.batch.column(at)), value_type), into))
    }
}

impl table::Part for HeldBatch<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let table = self.table;
        if self.rows.is_empty() {
            return Ok(None);
        }
        if self.columns.is_empty() {
            let open = |&c: &usize| guarded(|| self.open(c)).map_err(|fault| table.refused(c, fault));
            self.columns = columns.iter().map(open).collect::<Result<_, _>>()?;
        }
        let (rows, first) = (self.rows.len().min(SLICE), self.first);
        let slice = self.rows.start..self.rows.start + rows;
        for ((reader, into), column) in self.columns.iter_mut().zip(columns) {
            into.clear();
            guarded(|| reader.read(slice.clone(), into)).map_err(|fault| table.refused(*column, fault))?;
        }
        self.rows.start += rows;
        self.first += rows as u64;
        let columns = self.columns.iter().map(|(_, column)| column);
        Ok(Some(Batch::of_columns(&table.schema, first, rows, columns)))
    }
}

#[cfg(test)]
mod tests;
