//! Which columnar format a file is, and its table.

use super::source::Source;
use super::wanted::{Asking, Found};
use crate::figure::Figure;
use crate::input::bytes::{Kind, unbuilt};
use crate::input::csv::AsRecords;
use crate::input::error::InputError;
use crate::input::loaded::Needs;
use crate::input::table::Opened;
use crate::input::typed::TypedColumn;
use crate::input::typed_table::TypedTable;
use crate::lint::Lints;

/// The table of a columnar file, as far as the figure needs its columns; `limit` is the most bytes that it may take in memory.
///
/// # Errors
/// Where the file is damaged, too large, or holds what is not read.
pub(in crate::input) fn read_columnar(
    file: &str,
    kind: Kind,
    source: Source,
    figure: &Figure,
    needs: &Needs,
    limit: u64,
) -> Result<Opened, InputError> {
    let mut lints = Lints::default();
    let found: Found = match kind {
        #[cfg(feature = "parquet")]
        Kind::Parquet => super::parquet_table::read_parquet(source, &Asking { file, figure, needs, limit }, &mut lints)?,
        #[cfg(feature = "arrow")]
        Kind::Arrow => super::arrow_table::read_arrow(&source, &Asking { file, figure, needs, limit }, &mut lints)?,
        _ => return Err(unbuilt(file, kind)),
    };
    let (columns, orders): (Vec<TypedColumn>, Vec<_>) = found.columns.into_iter().unzip();
    let mut table = TypedTable::new(file, columns, &figure.data, &mut lints)?;
    for (column, order) in orders.into_iter().enumerate() {
        if let Some(texts) = order {
            table.set_order(column, texts);
        }
    }
    if found.partial {
        table.set_partial();
    }
    Ok((Box::new(table) as Box<dyn AsRecords>, lints))
}
