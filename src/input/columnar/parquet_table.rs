//! A Parquet file as a table.

use super::chunk::{meaning, read_chunk};
use super::fault::Fault;
use super::footer::read_footer;
use super::gather::{Budget, Gather};
use super::guard::guarded;
use super::source::Source;
use super::wanted::{Asking, Listed, wanted};
use crate::input::batch::{self, Batch, Cells, Parts, Places, Table};
use crate::input::csv::{AsRecords, Records};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::ordered::{in_order, threads};
use crate::input::schema::Schema;
use crate::input::typed::TypedColumn;
use crate::input::typed_table::{records_of, typed_schema};
use crate::lint::Lints;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;
use std::borrow::Cow;
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
    rows: u64,
    limit: u64,
}

impl ParquetTable {
    /// Reads what a file declares, and checks it.
    ///
    /// # Errors
    /// Where the file is damaged, or holds what is not read.
    pub fn open(source: Source, ask: &Asking, lints: &mut Lints) -> Result<Self, InputError> {
        let (file, limit) = (ask.file, ask.limit);
        let source = Arc::new(source);
        let (footer, end) = guarded(|| read_footer(&source, limit)).map_err(|f| f.at(file, ""))?;
        let mut rows = 0u64;
        for group in footer.row_groups() {
            let n = u64::try_from(group.num_rows()).map_err(|_| Fault::damaged("a row group of negative length").at(file, ""))?;
            rows = rows.saturating_add(n);
        }
        if u64::try_from(footer.file_metadata().num_rows()) != Ok(rows) {
            let what = format!("{} rows, but its row groups have {rows}", footer.file_metadata().num_rows());
            return Err(Fault::damaged(what).at(file, ""));
        }
        let roots = roots(footer.file_metadata().schema_descr());
        let listed: Vec<Listed> = roots.iter().map(|r| r.1.clone()).collect();
        let (needed, partial) = wanted(ask, &listed, rows, lints)?;
        let columns: Vec<(usize, String)> = needed.iter().map(|&i| (roots[i].0, listed[i].name.clone())).collect();
        let names = columns.iter().map(|c| c.1.clone()).collect();
        if rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let mut schema = typed_schema(file, names, &ask.figure.data, lints);
        schema.partial = partial;
        Ok(Self { source, footer, end, schema, columns, rows, limit })
    }

    /// Some columns of some row groups, which are read at the same time.
    fn read(&self, columns: &[usize], groups: &[RowGroupMetaData], threads: usize) -> Result<Vec<TypedColumn>, InputError> {
        let file = self.schema.file.as_str();
        let rows = groups.iter().fold(0u64, |n, g| n.saturating_add(u64::try_from(g.num_rows()).unwrap_or(u64::MAX)));
        let budget = Budget::new(self.limit);
        budget.table(rows, columns.len() as u64).map_err(|f| f.at(file, ""))?;
        let mut next = columns.iter();
        let mut found = Vec::new();
        let read = |_: &mut (), column: usize| {
            let (leaf, name) = &self.columns[column];
            let read = guarded(|| self.read_column(*leaf, name, groups, &budget));
            read.map_err(|f| f.at(file, &format!("column {}", shown(name))))
        };
        in_order(
            threads.min(columns.len()),
            || Ok(next.next().copied()),
            || (),
            read,
            |_, column| {
                found.push(column);
                Ok(())
            },
        )?;
        Ok(found)
    }

    fn read_column(&self, leaf: usize, name: &str, groups: &[RowGroupMetaData], budget: &Budget) -> Result<TypedColumn, Fault> {
        let descriptor = self.footer.file_metadata().schema_descr().column(leaf);
        let mut gather = Gather::new(meaning(&descriptor).map_err(Fault::Unread)?, budget);
        for group in groups {
            read_chunk(&self.source, self.end, group, leaf, budget.block(), &mut gather)?;
        }
        gather.finish(name)
    }
}

impl Table for ParquetTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let mut first = 1;
        let part = move |group| {
            let part = Part { table: self, group, first, columns: Vec::new(), rows: 0 };
            first += u64::try_from(part.group.num_rows()).unwrap_or(0);
            Ok(Box::new(part) as Box<dyn batch::Part>)
        };
        Box::new(self.footer.row_groups().iter().map(part))
    }

    fn threads(&self) -> usize {
        threads().min(self.footer.num_row_groups())
    }
}

impl AsRecords for ParquetTable {
    fn as_table(&self) -> &dyn Table {
        self
    }

    fn records(&self) -> Result<Cow<'_, Records>, InputError> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let columns = self.read(&all, self.footer.row_groups(), threads())?;
        Ok(Cow::Owned(records_of(self.schema.clone(), &columns, self.rows as usize)?))
    }
}

/// A row group.
struct Part<'t> {
    table: &'t ParquetTable,
    group: &'t RowGroupMetaData,
    /// The number of its first row.
    first: u64,
    columns: Vec<TypedColumn>,
    rows: usize,
}

impl batch::Part for Part<'_> {
    fn batch(&mut self, columns: &[usize]) -> Result<Batch<'_>, InputError> {
        // A lone row group is worth all threads; else each has one of its own.
        let threads = if self.table.footer.num_row_groups() == 1 { threads() } else { 1 };
        self.columns = self.table.read(columns, std::slice::from_ref(self.group), threads)?;
        self.rows = usize::try_from(self.group.num_rows()).unwrap_or(0);
        let cells = self.columns.iter().map(|c| Cells::Typed(&c.cells, c.valid.as_deref())).collect();
        Ok(Batch { rows: self.rows, columns: cells, places: Places { schema: &self.table.schema, first: self.first, each: None } })
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
        let left_out = if nested { Some(nested_type(schema.get_column_root(leaf))) } else { meaning(column).err() };
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
