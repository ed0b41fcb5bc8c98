//! An Arrow file, stream or Feather file as columns with types.

use super::arrow_body::{Body, Place};
use super::arrow_field::{Column, Table, table};
use super::arrow_message::{Raw, messages};
use super::budget::Budget;
use super::fault::Fault;
use super::gather::Gather;
use super::guard::guarded;
use super::source::Source;
use super::wanted::{Asking, Listed, wanted};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::ordered::{in_order, threads, waiting};
use crate::input::table::{COLUMN, TypedColumn, TypedTable};
use crate::lint::Lints;
use arrow_ipc::{Message, MessageHeader, MetadataVersion};
use std::collections::HashSet;
use std::sync::Arc;

/// Where the writers of one version of Feather told that they compress.
const OLD_COMPRESSION: &str = "ARROW:experimental_compression";

/// Copies of a column's name that a table has.
const COPIES: u64 = 4;
/// Bytes of a key in the order of a file beside its own, of which there are two.
const KEY: u64 = 160;

/// A column, and the order of its keys where the file has one.
pub(super) type Ordered = (TypedColumn, Option<Vec<String>>);

/// The columns of a file that a figure needs.
///
/// # Errors
/// Where the file is damaged, needs more memory than allowed, or holds what is not read.
pub(super) fn read_arrow(source: &Source, ask: &Asking, lints: &mut Lints) -> Result<TypedTable, InputError> {
    let (file, budget) = (ask.file, ask.budget);
    let mut room = budget.nothing();
    let (head, raws) = guarded(|| messages(source, &mut room)).map_err(|f| f.at(file, ""))?;
    let read = guarded(|| {
        let (schema, version) = head.schema()?;
        // Some footers do not say their version.
        let version = match raws.first() {
            Some(raw) => raw.message()?.version(),
            None => version.max(MetadataVersion::V4),
        };
        let table = table(schema, version, &mut room)?;
        let mut rows = 0u64;
        for raw in &raws {
            rows = rows.saturating_add(check(&raw.message()?)?);
        }
        Ok((table, rows))
    });
    let (table, rows) = read.map_err(|f| f.at(file, ""))?;
    let listed: Vec<Listed> = table
        .columns
        .iter()
        .map(|c| Listed {
            name: c.name.clone(),
            left_out: c.holds.as_ref().err().cloned(),
        })
        .collect();
    let (needed, partial) = wanted(ask, &listed, rows, lints)?;
    budget
        .table(rows, needed.len() as u64)
        .map_err(|f| f.at(file, ""))?
        .keep();
    let of_names: u64 = needed
        .iter()
        .map(|&i| COLUMN + COPIES * listed[i].name.len() as u64)
        .sum();
    budget
        .take(of_names)
        .map_err(|s| s.of(file, format_args!("{} columns", needed.len())))?;
    let one = |i: usize| {
        let column = &table.columns[i];
        let read = guarded(|| read_column(&raws, column, &table, source, budget));
        read.map_err(|f| f.at(file, &format!("column {}", shown(&column.name))))
    };
    let (mut columns, mut orders) = (Vec::new(), Vec::new());
    let mut next = needed.into_iter();
    let done = |_, (column, order): Ordered| {
        columns.push(column);
        orders.push(order);
        Ok(())
    };
    let threads = threads().min(next.len());
    in_order(
        (threads, waiting(threads)),
        || Ok(next.next()),
        || (),
        |(), i, give| give(one(i)?),
        done,
    )?;
    let mut table = TypedTable::new(file, columns, &ask.figure.data, lints)?;
    for (column, order) in orders.into_iter().enumerate() {
        if let Some(texts) = order {
            table.schema.set_order(column, texts);
        }
    }
    table.schema.partial = partial;
    Ok(table)
}

/// Looks at a message behind the schema; gives its rows.
fn check(m: &Message) -> Result<u64, Fault> {
    let keys = m.custom_metadata().into_iter().flatten();
    if keys.into_iter().any(|kv| kv.key() == Some(OLD_COMPRESSION)) {
        return Err(Fault::Unread(
            "Feather as Arrow 0.17 compressed it, which is not read".to_owned(),
        ));
    }
    match m.header_type() {
        MessageHeader::RecordBatch => {
            let batch = m
                .header_as_record_batch()
                .ok_or_else(|| Fault::damaged("a batch without its header"))?;
            u64::try_from(batch.length()).map_err(|_| Fault::damaged("a batch of negative length"))
        }
        MessageHeader::DictionaryBatch => Ok(0),
        MessageHeader::Schema => Err(Fault::damaged("a second schema")),
        other => Err(Fault::Unread(format!(
            "a message of type {}, which is not read",
            other.0
        ))),
    }
}

/// Reads one column through all batches.
fn read_column(
    raws: &[Raw],
    column: &Column,
    table: &Table,
    source: &Source,
    budget: &Arc<Budget>,
) -> Result<Ordered, Fault> {
    let (stored, meaning) = column.holds.clone().map_err(Fault::Unread)?;
    let place = Place {
        node: column.node,
        buffer: column.buffer,
        view: column.view,
    };
    let mut gather = Gather::new(meaning, budget);
    // Its codes' type, its values, what they are in the column, and what its cells take.
    let mut dictionary = column
        .coded
        .map(|coded| (coded, Gather::new(meaning, budget), Vec::new(), budget.nothing()));
    let ordered = column.coded.is_some_and(|c| c.ordered);
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    let mut orders = budget.nothing();
    for raw in raws {
        let m = raw.message()?;
        let body = |batch| Body {
            batch,
            source,
            at: raw.body,
            len: raw.body_len,
            big: table.big,
            budget,
        };
        match (m.header_as_dictionary_batch(), m.header_as_record_batch()) {
            (Some(batch), _) => {
                let Some((_, values, known, cells)) = dictionary.as_mut().filter(|d| d.0.id == batch.id())
                else {
                    continue;
                };
                let body = body(
                    batch
                        .data()
                        .ok_or_else(|| Fault::damaged("a dictionary without values"))?,
                );
                if !batch.isDelta() {
                    // It replaces the one before.
                    *values = Gather::new(meaning, budget);
                    known.clear();
                }
                *cells = budget.table(body.rows()?.saturating_add(values.len() as u64), 1)?;
                body.read(
                    stored,
                    Place {
                        node: 0,
                        buffer: 0,
                        view: 0,
                    },
                    values,
                )?;
                for text in values.texts().filter(|_| ordered) {
                    if seen.insert(text.clone()) {
                        orders.owe(KEY + 2 * text.len() as u64)?;
                        order.push(text);
                    }
                }
            }
            (_, Some(batch)) => match &mut dictionary {
                Some((coded, values, known, _)) => {
                    body(batch).read_coded(*coded, place, values, known, &mut gather)?
                }
                None => body(batch).read(stored, place, &mut gather)?,
            },
            _ => return Err(Fault::damaged("a message without its header")),
        }
    }
    let (read, taken) = gather.finish(&column.name)?;
    // The table has them to the end of the run.
    taken.keep();
    orders.keep();
    Ok((read, ordered.then_some(order)))
}
