//! Records as a table: blocks of them are decoded by all cores, and only those being worked on are in memory.

use super::chosen::{check_options, choose};
use super::column::push;
use super::fault::Fault;
use super::records::Rows;
use super::shape::{Shape, shape};
use super::source::Source;
use super::survey::{RowBlock, Survey, survey};
use super::tokenizer::Scalar;
use crate::budget::Budget;
use crate::bytes::Content;
use crate::error::InputError;
use crate::ordered::threads;
use crate::table::{Batch, CellType, ColumnBuilder, Part, Parts, Schema, TableSource};
use gridscope_core::figure::Figure;
use gridscope_core::lint::Lints;
use std::sync::Arc;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// Bytes that a thread holds for a block: its text and its cells.
const THREAD: u64 = 4 << 20;

/// The file is not what it was when its columns were looked at.
const CHANGED: &str = "changed while it was read";

/// Records in a file or in memory: one after the other, or in a list.
pub(crate) struct JsonTable {
    source: Source,
    survey: Survey,
    /// Of each column of the table, its place among all that the records name.
    columns: Vec<usize>,
    schema: Schema,
}

/// A table of records, what was noticed in its names, and what was left out, in words.
pub(crate) type Opened = (JsonTable, Lints, String);

/// Whether the first bytes of a text hold a record and the beginning of a further one.
pub(crate) fn begins_lines(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    shape(text, &|_| true, bytes.len()) == Ok(Shape::Lines)
}

impl JsonTable {
    /// Reads all records once for their columns and types.
    ///
    /// # Errors
    /// Text that is not JSON, with line and column; a column of lists that the figure asks for; too little memory.
    pub(super) fn open(
        content: Content,
        file: &str,
        figure: &Figure,
        budget: &Arc<Budget>,
    ) -> Result<Opened, InputError> {
        let source = Source::new(content, file, figure.data.json_nan == Some(true), budget)?;
        Self::of(source, figure, BLOCK)
    }

    /// The table of a source in blocks of about `block` bytes.
    pub(super) fn of(source: Source, figure: &Figure, block: u64) -> Result<Opened, InputError> {
        let (file, budget) = (&source.file, &source.budget);
        let parts = usize::try_from(source.content.len() / block.max(1)).unwrap_or(usize::MAX);
        let threads = threads().min(budget.shares(THREAD)).min(parts.saturating_add(1));
        let survey = survey(&source, block, threads)?;
        check_options(figure, file)?;
        let (columns, notice) =
            choose(&survey, figure, file).map_err(|fault| source.refused(fault.at as u64, fault))?;
        if columns.is_empty() || survey.rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let mut lints = Lints::default();
        let names = columns.iter().map(|&c| survey.names.get(c).to_owned()).collect();
        let schema = Schema::typed(file, names, &figure.data, &mut lints);
        let table = Self { source, survey, columns, schema };
        Ok((table, lints, notice))
    }
}

impl TableSource for JsonTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(self.survey.blocks.iter().map(|block| {
            let part =
                RecordBlock { table: self, block: *block, wanted: Vec::new(), columns: Vec::new(), row: 0 };
            Ok(Box::new(part) as Box<dyn Part>)
        }))
    }

    fn threads(&self) -> usize {
        threads().min(self.survey.blocks.len()).min(self.source.budget.shares(THREAD))
    }
}

/// A block of records, of which the requested columns are decoded.
struct RecordBlock<'t> {
    table: &'t JsonTable,
    block: RowBlock,
    /// Of each column that the records name, its place among those that are requested; empty before they are.
    wanted: Vec<Option<usize>>,
    columns: Vec<(CellType, ColumnBuilder)>,
    /// The row that is read, in the block.
    row: usize,
}

impl Part for RecordBlock<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let JsonTable { source, survey, schema, .. } = self.table;
        let (block, file) = (self.block, &source.file);
        if !self.wanted.is_empty() {
            return Ok(None);
        }
        self.wanted = vec![None; survey.columns.len()];
        for (i, &column) in columns.iter().enumerate() {
            let all = self.table.columns[column];
            self.wanted[all] = Some(i);
            let cell_type = survey.columns[all].kinds.cell_type();
            let mut cells = ColumnBuilder::new(cell_type, &source.budget);
            let room = cells.reserve(block.rows);
            room.map_err(|e| InputError::limit(file, format!("{} rows: {e}", block.rows)))?;
            self.columns.push((cell_type, cells));
        }
        let bytes = source.bytes(block.from, block.bytes)?;
        let text = source.text(block.from, &bytes)?;
        source.read((block.from, text, text.len()), self)?;
        let as_surveyed = |(cell_type, cells): &mut (CellType, ColumnBuilder)| {
            fill(cells, block.rows) && cells.cell_type() == *cell_type
        };
        if self.row != block.rows || !self.columns.iter_mut().all(as_surveyed) {
            return Err(InputError::refused(file, "", CHANGED));
        }
        let columns = self.columns.iter().map(|c| &c.1);
        let batch = Batch::of_columns(schema, 1 + block.first, block.rows, columns);
        Ok(Some(batch))
    }
}

/// Adds rows without a value up to this one; false if it has a value already.
fn fill(cells: &mut ColumnBuilder, row: usize) -> bool {
    let missing = row.checked_sub(cells.len());
    if let Some(rows @ 1..) = missing {
        cells.push_missing(rows);
    }
    missing.is_some()
}

impl Rows for RecordBlock<'_> {
    fn column(&mut self, name: &str, next: usize, at: usize) -> Result<usize, Fault> {
        let found = self.table.survey.names.find(name, next);
        found.ok_or_else(|| Fault::new(at, CHANGED))
    }

    fn list(&mut self, _: usize, _: usize) {}

    fn value(&mut self, column: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        let (Some(i), false) = (self.wanted[column], *value == Scalar::Null) else {
            return Ok(());
        };
        let cells = &mut self.columns[i].1;
        if !fill(cells, self.row) {
            return Err(Fault::new(at, CHANGED));
        }
        push(cells, self.table.survey.names.get(column), value, at)
    }

    fn end_row(&mut self) {
        self.row += 1;
    }
}
