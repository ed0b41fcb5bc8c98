//! A Parquet file as columns with types.

use super::chunk::{meaning, read_chunk};
use super::fault::Fault;
use super::footer::read_footer;
use super::gather::{Budget, Gather};
use super::guard::{enter, guarded};
use super::source::Source;
use super::wanted::{Asking, Found, Listed, wanted};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::typed::TypedColumn;
use crate::lint::Lints;
use parquet::file::metadata::ParquetMetaData;
use parquet::schema::types::SchemaDescriptor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The columns of a file that a figure needs.
///
/// # Errors
/// Where the file is damaged, needs more memory than allowed, or holds what is not read.
pub(super) fn read_parquet(source: Source, ask: &Asking, lints: &mut Lints) -> Result<Found, InputError> {
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
    let columns: Vec<(usize, &str)> = needed.iter().map(|&i| (roots[i].0, listed[i].name.as_str())).collect();
    let budget = Budget::new(limit);
    budget.table(rows, columns.len() as u64).map_err(|f| f.at(file, ""))?;
    let read = |(leaf, name): &(usize, &str)| {
        let column = guarded(|| read_column(&footer, *leaf, name, &source, end, &budget));
        column.map_err(|f| f.at(file, &format!("column {}", shown(name))))
    };
    // Columns are read at the same time; each goes through the row groups in their order.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(columns.len());
    let next = AtomicUsize::new(0);
    let mut found: Vec<Option<Result<TypedColumn, InputError>>> = columns.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let work = || {
            enter();
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(column) = columns.get(at) else { return done };
                let result = read(column);
                if result.is_err() {
                    next.store(columns.len(), Ordering::Relaxed);
                }
                done.push((at, result));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for handle in handles {
            for (at, result) in handle.join().unwrap_or_default() {
                found[at] = Some(result);
            }
        }
    });
    // The first column that failed is told, so that a file always gets the same message.
    if let Some(at) = found.iter().position(|f| matches!(f, Some(Err(_)))) {
        found.truncate(at + 1);
    }
    let lost = || Fault::damaged("a column was not decoded").at(file, "");
    let columns = found.into_iter().map(|f| f.unwrap_or_else(|| Err(lost())).map(|c| (c, None))).collect::<Result<_, _>>()?;
    Ok(Found { columns, partial })
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

fn read_column(
    footer: &ParquetMetaData,
    leaf: usize,
    name: &str,
    source: &Arc<Source>,
    end: u64,
    budget: &Budget,
) -> Result<TypedColumn, Fault> {
    let descriptor = footer.file_metadata().schema_descr().column(leaf);
    let meaning = meaning(&descriptor).map_err(Fault::Unread)?;
    let mut gather = Gather::new(meaning, budget);
    for group in footer.row_groups() {
        read_chunk(source, end, group, leaf, budget.block(), &mut gather)?;
    }
    gather.finish(name)
}
