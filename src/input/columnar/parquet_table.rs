//! A Parquet file as a table.

use super::budget::Budget;
use super::chunk::{Chunk, meaning, open_chunk};
use super::fault::Fault;
use super::footer::read_footer;
use super::gather::{Gather, Meaning};
use super::guard::guarded;
use super::source::Source;
use super::wanted::{Asking, Listed, wanted};
use crate::input::budget::Taken;
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::ordered::threads;
use crate::input::table::{self, Batch, COLUMN, Cells, Parts, Places, Schema, TableSource};
use crate::lint::Lints;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;
use std::sync::Arc;

/// A Parquet file, of which the columns that a figure needs are read row group by row group.
pub(super) struct ParquetTable {
    source: Arc<Source>,
    footer: ParquetMetaData,
    /// Where the data end.
    end: u64,
    schema: Schema,
    /// Of each column of the table, its place in the file and its name there.
    columns: Vec<(usize, String)>,
    budget: Arc<Budget>,
    /// What the footer and the columns' names take.
    _room: Taken,
}

impl ParquetTable {
    /// Reads what a file declares, and checks it.
    ///
    /// # Errors
    /// Where the file is damaged, or holds what is not read.
    pub fn open(source: Source, ask: &Asking, lints: &mut Lints) -> Result<Self, InputError> {
        let (file, budget) = (ask.file, Arc::clone(ask.budget));
        let source = Arc::new(source);
        let mut room = budget.nothing();
        let (footer, end) = guarded(|| read_footer(&source, &mut room)).map_err(|f| f.at(file, ""))?;
        let mut rows = 0u64;
        for group in footer.row_groups() {
            let n = u64::try_from(group.num_rows())
                .map_err(|_| Fault::damaged("a row group of negative length").at(file, ""))?;
            rows = rows.saturating_add(n);
        }
        if u64::try_from(footer.file_metadata().num_rows()) != Ok(rows) {
            let what = format!(
                "{} rows, but its row groups have {rows}",
                footer.file_metadata().num_rows()
            );
            return Err(Fault::damaged(what).at(file, ""));
        }
        let roots = roots(footer.file_metadata().schema_descr());
        let listed: Vec<Listed> = roots.iter().map(|r| r.1.clone()).collect();
        let (needed, partial) = wanted(ask, &listed, rows, lints)?;
        let columns: Vec<(usize, String)> = needed
            .iter()
            .map(|&i| (roots[i].0, listed[i].name.clone()))
            .collect();
        let of_names: u64 = columns.iter().map(|c| COLUMN + 4 * c.1.len() as u64).sum();
        room.more(of_names)
            .map_err(|s| s.of(file, format_args!("{} columns", columns.len())))?;
        let names = columns.iter().map(|c| c.1.clone()).collect();
        if rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let mut schema = Schema::typed(file, names, &ask.figure.data, lints);
        schema.partial = partial;
        Ok(Self {
            source,
            footer,
            end,
            schema,
            columns,
            budget,
            _room: room,
        })
    }

    fn meaning(&self, column: usize) -> Result<Meaning, InputError> {
        let descriptor = self
            .footer
            .file_metadata()
            .schema_descr()
            .column(self.columns[column].0);
        meaning(&descriptor).map_err(|what| self.fault(column, Fault::Unread(what)))
    }

    fn chunk(&self, column: usize, group: &RowGroupMetaData) -> Result<Chunk, Fault> {
        open_chunk(
            &self.source,
            self.end,
            group,
            self.columns[column].0,
            &self.budget,
        )
    }

    fn fault(&self, column: usize, fault: Fault) -> InputError {
        fault.at(
            &self.schema.file,
            &format!("column {}", shown(&self.columns[column].1)),
        )
    }
}

impl TableSource for ParquetTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let mut first = 1;
        Box::new(self.footer.row_groups().iter().map(move |group| {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let part = Part {
                table: self,
                group,
                first,
                left: rows as usize,
                columns: Vec::new(),
            };
            first += rows;
            Ok(Box::new(part) as Box<dyn table::Part>)
        }))
    }

    fn threads(&self) -> usize {
        threads()
            .min(self.footer.num_row_groups())
            .min(self.budget.shares(THREAD))
    }
}

/// What a thread holds beside what is taken off the budget, while it works on a row group.
const THREAD: u64 = 4 << 20;

/// Rows of a group that are decoded at once.
const SLICE: usize = 1 << 15;

/// A row group while its rows are read, some at a time.
struct Part<'t> {
    table: &'t ParquetTable,
    group: &'t RowGroupMetaData,
    /// The number of its next row.
    first: u64,
    left: usize,
    columns: Vec<(Chunk, Gather)>,
}

impl table::Part for Part<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        let table = self.table;
        if self.left == 0 {
            return Ok(None);
        }
        if self.columns.is_empty() {
            for &column in columns {
                let chunk =
                    guarded(|| table.chunk(column, self.group)).map_err(|f| table.fault(column, f))?;
                let gather = Gather::streamed(table.meaning(column)?, self.left.min(SLICE), &table.budget);
                self.columns
                    .push((chunk, gather.map_err(|f| table.fault(column, f))?));
            }
        }
        let (rows, first) = (self.left.min(SLICE), self.first);
        for ((chunk, gather), column) in self.columns.iter_mut().zip(columns) {
            gather.forget();
            guarded(|| chunk.read(rows, gather)).map_err(|f| table.fault(*column, f))?;
        }
        self.left -= rows;
        self.first += rows as u64;
        let cells = self.columns.iter().map(|(_, gather)| {
            let (cells, valid) = gather.cells();
            Cells::Typed {
                cells,
                valid,
                from: 0,
            }
        });
        Ok(Some(Batch {
            rows,
            columns: cells.collect(),
            places: Places {
                schema: &table.schema,
                first,
                each: None,
            },
        }))
    }
}

/// The columns of the schema that are not inside others, with the place of their values.
fn roots(schema: &SchemaDescriptor) -> Vec<(usize, Listed)> {
    let mut out: Vec<(usize, Listed)> = Vec::new();
    let mut last = None;
    for (leaf, column) in schema.columns().iter().enumerate() {
        let root = schema.get_column_root_idx(leaf);
        if last.replace(root) == Some(root) {
            continue;
        }
        let name = column.path().parts().first().cloned().unwrap_or_default();
        let nested = column.path().parts().len() > 1 || column.max_rep_level() > 0;
        let left_out = if nested {
            Some(nested_type(schema.get_column_root(leaf)))
        } else {
            meaning(column).err()
        };
        out.push((leaf, Listed { name, left_out }));
    }
    out
}

/// The type of a column that holds several values a row, in words.
fn nested_type(root: &parquet::schema::types::Type) -> String {
    use parquet::basic::ConvertedType;
    let word = match root.get_basic_info().converted_type() {
        ConvertedType::LIST => "a list",
        ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => "a map",
        _ if root.is_group() => "a struct",
        _ => "repeated values",
    };
    word.to_owned()
}
