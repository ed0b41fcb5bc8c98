//! A Parquet file as a table.

use super::chunk::{Chunk, dictionary, open_chunk};
use super::footer::{nested_type, read_footer, value_type};
use crate::budget::{Budget, Reservation};
use crate::bytes::Content;
use crate::error::InputError;
use crate::field::shown;
use crate::format::decoding::{DecodeFault, Frame, Listed, ValueType, guarded, project, set_durations};
use crate::format::reader::Request;
use crate::ordered::threads;
use crate::table::{self, Batch, ColumnBuilder, Parts, Schema, TableSource};
use gridscope_core::lint::Lints;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are decoded at once.
const SLICE: usize = 1 << 15;
/// Rows of a part, at least: each part of a row group reads the dictionaries again.
const PART: usize = 1 << 16;
/// Parts for each thread, so that all threads end at about the same time.
const PARTS_A_THREAD: usize = 2;
/// Bytes that a thread holds beside those of the budget while it works on a part.
const THREAD: u64 = 4 << 20;

/// A Parquet file of which the columns that a figure needs are read.
pub(super) struct ParquetTable {
    source: Arc<Content>,
    footer: ParquetMetaData,
    /// Where the data end.
    end: u64,
    schema: Schema,
    columns: Vec<FileColumn>,
    /// Threads that the machine has and the memory allows.
    threads: usize,
    budget: Arc<Budget>,
    /// Reserved bytes of the footer and the columns' names.
    _room: Reservation,
}

/// A column of the table.
struct FileColumn {
    name: String,
    /// Its index among the file's columns.
    leaf: usize,
    value_type: ValueType,
}

impl ParquetTable {
    /// Reads the declarations of a file, and checks them.
    ///
    /// # Errors
    /// Where the file is damaged, or uses a feature that is not read.
    pub(super) fn open(source: Content, request: &Request, lints: &mut Lints) -> Result<Self, InputError> {
        let (file, budget) = (request.file, Arc::clone(request.budget));
        let source = Arc::new(source);
        let mut room = budget.nothing();
        let (footer, end) = guarded(|| read_footer(&source, &mut room)).map_err(|f| f.at(file, ""))?;
        let mut rows = 0u64;
        for group in footer.row_groups() {
            let n = u64::try_from(group.num_rows())
                .map_err(|_| DecodeFault::damaged("a row group of negative length").at(file, ""))?;
            rows = rows.saturating_add(n);
        }
        if u64::try_from(footer.file_metadata().num_rows()) != Ok(rows) {
            let what = format!("{} rows, but its row groups have {rows}", footer.file_metadata().num_rows());
            return Err(DecodeFault::damaged(what).at(file, ""));
        }
        let (mut listed, mut types) = (Vec::new(), Vec::new());
        for (leaf, name, kind) in roots(footer.file_metadata().schema_descr()) {
            let left_out = kind.as_ref().err().cloned();
            listed.push(Listed { name, left_out });
            types.push((leaf, kind.unwrap_or(ValueType::Null)));
        }
        let frame = frame(&footer);
        if let Some(frame) = &frame {
            describe(frame, &mut listed, &mut types);
        }
        let (needed, mut schema) = project(request, &listed, rows, &mut room, lints)?;
        let column = |&i: &usize| FileColumn {
            name: listed[i].name.clone(),
            leaf: types[i].0,
            value_type: types[i].1,
        };
        let columns: Vec<FileColumn> = needed.iter().map(column).collect();
        set_durations(columns.iter().map(|column| column.value_type), &mut schema);
        let threads = most_threads(&footer, &columns, &budget);
        if let Some(frame) = &frame {
            let fields = footer.file_metadata().schema_descr();
            let field = |column: &FileColumn| fields.column(column.leaf).path().parts().concat();
            let fields: Vec<String> = columns.iter().map(field).collect();
            frame.describe(&fields, &mut schema);
            for (i, field) in fields.iter().enumerate().filter(|(_, field)| frame.is_ordered(field)) {
                let group = footer.row_groups().first();
                let order =
                    group.and_then(|group| dictionary(&source, end, group, columns[i].leaf, &budget).ok());
                if let (Some(order), false) = (order, field.is_empty()) {
                    schema.set_order(i, order);
                }
            }
        }
        Ok(Self { source, footer, end, schema, columns, threads, budget, _room: room })
    }

    fn chunk(&self, column: usize, group: &RowGroupMetaData) -> Result<Chunk, DecodeFault> {
        let FileColumn { leaf, value_type, .. } = self.columns[column];
        open_chunk(&self.source, self.end, group, leaf, value_type, &self.budget)
    }

    fn refused(&self, column: usize, fault: DecodeFault) -> InputError {
        let name = shown(&self.columns[column].name);
        fault.at(&self.schema.file, &format!("column {name}"))
    }

    /// Rows of each part of a row group. Where row groups are fewer than threads, several threads share one.
    fn rows_of_part(&self, rows: usize) -> usize {
        let parts = (self.threads * PARTS_A_THREAD).div_ceil(self.footer.num_row_groups().max(1));
        // Slices begin where they would without parts.
        rows.div_ceil(parts).max(PART).next_multiple_of(SLICE)
    }
}

impl TableSource for ParquetTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let mut first = 1;
        let groups = self.footer.row_groups().iter().flat_map(move |group| {
            let rows = usize::try_from(group.num_rows()).unwrap_or(0);
            let (begin, step) = (first, self.rows_of_part(rows));
            first += rows as u64;
            (0..rows).step_by(step).map(move |from| {
                let part = RowGroupPart {
                    table: self,
                    group,
                    rows: from..rows.min(from.saturating_add(step)),
                    first: begin + from as u64,
                    columns: Vec::new(),
                };
                Ok(Box::new(part) as Box<dyn table::Part>)
            })
        });
        Box::new(groups)
    }

    fn threads(&self) -> usize {
        let parts = |group: &RowGroupMetaData| {
            let rows = usize::try_from(group.num_rows()).unwrap_or(0);
            rows.div_ceil(self.rows_of_part(rows))
        };
        let parts: usize = self.footer.row_groups().iter().map(parts).sum();
        self.threads.min(parts).max(1)
    }
}

/// Some rows of a row group while they are read, a slice at a time.
struct RowGroupPart<'t> {
    table: &'t ParquetTable,
    group: &'t RowGroupMetaData,
    /// Rows of the group that are to come.
    rows: Range<usize>,
    /// The number of the next row in the table.
    first: u64,
    columns: Vec<(Chunk, ColumnBuilder)>,
}

impl RowGroupPart<'_> {
    fn open(&self, column: usize) -> Result<(Chunk, ColumnBuilder), DecodeFault> {
        let mut chunk = self.table.chunk(column, self.group)?;
        chunk.skip(self.rows.start)?;
        let kind = self.table.columns[column].value_type;
        let into = kind.reused_column(self.rows.len().min(SLICE), &self.table.budget)?;
        Ok((chunk, into))
    }
}

impl table::Part for RowGroupPart<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let table = self.table;
        if self.rows.is_empty() {
            return Ok(None);
        }
        if self.columns.is_empty() {
            let open = |&c: &usize| guarded(|| self.open(c)).map_err(|f| table.refused(c, f));
            self.columns = columns.iter().map(open).collect::<Result<_, _>>()?;
        }
        let (rows, first) = (self.rows.len().min(SLICE), self.first);
        for ((chunk, into), column) in self.columns.iter_mut().zip(columns) {
            into.clear();
            guarded(|| chunk.read(rows, into)).map_err(|f| table.refused(*column, f))?;
        }
        self.rows.start += rows;
        self.first += rows as u64;
        let columns = self.columns.iter().map(|(_, column)| column);
        Ok(Some(Batch::of_columns(&table.schema, first, rows, columns)))
    }
}

/// The description of pandas.
fn frame(footer: &ParquetMetaData) -> Option<Frame> {
    let pairs = footer.file_metadata().key_value_metadata()?;
    let text = pairs.iter().find(|pair| pair.key == "pandas")?.value.as_deref()?;
    Frame::parse(text)
}

/// Puts columns of the index first, and gives columns their own types and names.
fn describe(frame: &Frame, listed: &mut Vec<Listed>, types: &mut Vec<(usize, ValueType)>) {
    for (column, (_, kind)) in listed.iter().zip(types.iter_mut()) {
        if *kind == ValueType::Signed {
            *kind = frame.value_type(&column.name).unwrap_or(*kind);
        }
    }
    let names: Vec<String> = listed.iter().map(|column| column.name.clone()).collect();
    let order = frame.order(&names);
    let sorted = order.iter().map(|&i| {
        let Listed { name, left_out } = listed[i].clone();
        (Listed { name: frame.name(&name), left_out }, types[i])
    });
    (*listed, *types) = sorted.unzip();
}

/// Threads that the machine has and the memory allows.
fn most_threads(footer: &ParquetMetaData, columns: &[FileColumn], budget: &Budget) -> usize {
    let bytes = |column: &FileColumn, group: &RowGroupMetaData| {
        let chunk = group.columns().get(column.leaf);
        chunk.map_or(0, |c| u64::try_from(c.uncompressed_size()).unwrap_or(0))
    };
    // No page is larger than its chunk.
    let of_group = |group| columns.iter().map(|c| bytes(c, group)).fold(0, u64::saturating_add);
    let largest = footer.row_groups().iter().map(of_group).max().unwrap_or(0);
    let apart = footer.num_row_groups().min(budget.shares(THREAD));
    // Threads that share a row group may hold the same large pages each.
    let together = budget.shares(THREAD.saturating_add(largest));
    threads().min(apart.max(together))
}

/// The columns of the schema that are not inside others: index, name, and type, or why it is not read.
fn roots(schema: &SchemaDescriptor) -> Vec<(usize, String, Result<ValueType, String>)> {
    let mut out = Vec::new();
    let mut last = None;
    for (leaf, column) in schema.columns().iter().enumerate() {
        let root = schema.get_column_root_idx(leaf);
        if last.replace(root) == Some(root) {
            continue;
        }
        let name = column.path().parts().first().cloned().unwrap_or_default();
        let nested = column.path().parts().len() > 1 || column.max_rep_level() > 0;
        let kind = if nested { Err(nested_type(schema.get_column_root(leaf))) } else { value_type(column) };
        out.push((leaf, name, kind));
    }
    out
}
