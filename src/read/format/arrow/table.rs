//! An Arrow file as a table that is read record batch by record batch.

use super::file::ArrowFile;
use super::record_batch::ColumnReader;
use crate::budget::Reservation;
use crate::bytes::Content;
use crate::error::InputError;
use crate::format::decoding::{DecodeFault, guarded};
use crate::format::reader::Request;
use crate::ordered::threads;
use crate::table::{self, Batch, ColumnBuilder, Parts, Schema, TableSource};
use arrow_array::ArrayRef;
use gridscope_core::lint::Lints;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Rows that become cells at once.
const SLICE: usize = 1 << 15;
/// Rows of a part: a large record batch is decoded once and shared by several threads.
const PART: usize = 1 << 16;
/// Bytes that a thread holds beside those of the budget while it works on a part.
const THREAD: u64 = 4 << 20;
/// Bytes that a decoded cell takes, about.
const CELL: u64 = 16;

/// The columns of an Arrow file that a figure needs.
pub(super) struct ArrowTable {
    file: ArrowFile,
}

impl ArrowTable {
    /// Reads the declarations of a file, and its dictionaries.
    ///
    /// # Errors
    /// Where the file is damaged, needs more memory than allowed, or uses a feature that is not read.
    pub(super) fn open(source: Content, request: &Request, lints: &mut Lints) -> Result<Self, InputError> {
        let file = ArrowFile::open(source, request, lints)?;
        Ok(Self { file })
    }
}

impl TableSource for ArrowTable {
    fn schema(&self) -> &Schema {
        &self.file.schema
    }

    fn parts(&self) -> Parts<'_> {
        let mut first = 1;
        let batches = (0..self.file.batches()).flat_map(move |batch| {
            let (rows, begin) = (self.file.rows_of(batch), first);
            first += rows as u64;
            // What is decoded goes with the last part of its record batch.
            let shared: Shared = self.file.columns.iter().map(|_| OnceLock::new()).collect();
            (0..rows).step_by(PART).map(move |from| {
                let part = StoredBatch {
                    table: self,
                    batch,
                    shared: Arc::clone(&shared),
                    rows: from..rows.min(from.saturating_add(PART)),
                    first: begin + from as u64,
                    columns: Vec::new(),
                };
                Ok(Box::new(part) as Box<dyn table::Part>)
            })
        });
        Box::new(batches)
    }

    fn threads(&self) -> usize {
        let cells = |rows: usize| (rows as u64).saturating_mul(CELL * self.file.columns.len() as u64);
        // Two threads may be at the end of one record batch and at the beginning of the next.
        if cells(self.file.largest) > self.file.budget.limit() / 4 {
            return 1;
        }
        let parts = self.file.rows.div_ceil(PART as u64).max(self.file.batches() as u64);
        let of_thread = THREAD + cells(self.file.largest.min(PART));
        threads()
            .min(usize::try_from(parts).unwrap_or(usize::MAX))
            .min(self.file.budget.shares(of_thread))
            .max(1)
    }
}

/// The decoded columns of a record batch, each with its reservation, for all parts of the batch.
type Shared = Arc<[OnceLock<Result<(ArrayRef, Reservation), DecodeFault>>]>;

/// Some rows of a record batch while they are read, a slice at a time.
struct StoredBatch<'t> {
    table: &'t ArrowTable,
    batch: usize,
    shared: Shared,
    /// Rows of the batch that are to come.
    rows: Range<usize>,
    /// The number of the next row in the table.
    first: u64,
    columns: Vec<(ColumnReader, ColumnBuilder)>,
}

impl StoredBatch<'_> {
    /// A column of the record batch, which the first part that needs it decodes.
    fn decoded(&self, column: usize) -> &Result<(ArrayRef, Reservation), DecodeFault> {
        self.shared[column].get_or_init(|| guarded(|| self.table.file.decode(self.batch, column)))
    }

    fn open(&self, column: usize) -> Result<(ColumnReader, ColumnBuilder), DecodeFault> {
        let (array, _) = self.decoded(column).as_ref().map_err(DecodeFault::clone)?;
        let kind = self.table.file.columns[column].value_type;
        let into = kind.reused_column(self.rows.len().min(SLICE), &self.table.file.budget)?;
        Ok((ColumnReader::new(Arc::clone(array), kind), into))
    }
}

impl table::Part for StoredBatch<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let table = self.table;
        if self.rows.is_empty() {
            return Ok(None);
        }
        if self.columns.is_empty() {
            // Each part begins with another column, so that threads do not wait for each other.
            let begin = self.rows.start / PART % columns.len().max(1);
            for &column in columns[begin..].iter().chain(&columns[..begin]) {
                self.decoded(column);
            }
            let open = |&c: &usize| self.open(c).map_err(|f| table.file.refused(c, f));
            self.columns = columns.iter().map(open).collect::<Result<_, _>>()?;
        }
        let (rows, first) = (self.rows.len().min(SLICE), self.first);
        let slice = self.rows.start..self.rows.start + rows;
        for ((reader, into), column) in self.columns.iter_mut().zip(columns) {
            into.clear();
            guarded(|| reader.read(slice.clone(), into)).map_err(|f| table.file.refused(*column, f))?;
        }
        self.rows.start += rows;
        self.first += rows as u64;
        let columns = self.columns.iter().map(|(_, column)| column);
        Ok(Some(Batch::of_columns(&table.file.schema, first, rows, columns)))
    }
}
