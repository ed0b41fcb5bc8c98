//! Lists in records: where a figure asks for them, each of their elements is a row, with what else its record holds.

use super::outline::{Kind, Node};
use super::table::Source;
use super::tokenizer::{JsonFault, Tokenizer};
use crate::bytes::Content;
use crate::error::InputError;
use std::ops::Range;
use std::sync::Arc;

/// What a text becomes at most, in its own lengths, before it is refused.
const MOST_TIMES: u64 = 64;

/// The records of a source with a row for each element of the lists of these names; lists of one record go side by side. `None` where
/// no record has one.
///
/// # Errors
/// When it cannot be read, and too little memory.
pub(super) fn rows_of_lists(source: &Source, names: &[String]) -> Result<Option<Source>, InputError> {
    let len = source.content.len().saturating_sub(source.from);
    let most = source.budget.left().min(MOST_TIMES.saturating_mul(len).max(1 << 20)) / 2;
    let bytes = source.bytes(source.from, len)?;
    let text = source.text(source.from, &bytes)?;
    let (mut out, mut found) = (String::new(), false);
    let mut record = |r: &mut Tokenizer<'_>| {
        let range = r.passed()?;
        let from = range.start;
        let added = add_rows(&text[range], (names, source.not_finite), most, &mut out);
        found |= added.map_err(|fault| JsonFault { at: from, ..fault })?;
        Ok(())
    };
    let mut tokens = source.tokens(text);
    let read = if source.list {
        tokens.list(&mut record)
    } else {
        let mut read = Ok(());
        while read.is_ok() && tokens.peek().is_some() {
            read = record(&mut tokens);
        }
        read
    };
    read.map_err(|fault| source.fault(source.from, text, fault))?;
    if !found {
        return Ok(None);
    }
    let room = source.budget.reserve(out.len() as u64).map_err(|short| short.of(&source.file, "its rows"))?;
    room.keep();
    let content = Content::Memory(out.into_bytes());
    Source::new(content, &source.file, source.not_finite, &Arc::clone(&source.budget)).map(Some)
}

/// Keys of a record that are looked through.
const MOST_KEYS: usize = 1 << 20;

/// Adds the rows of a record, up to so many bytes of all; whether it has such a list.
fn add_rows(
    record: &str,
    (names, not_finite): (&[String], bool),
    most: u64,
    out: &mut String,
) -> Result<bool, JsonFault> {
    let outline = Node::read(&mut Tokenizer::new(record, not_finite), &mut { MOST_KEYS })?;
    let mut lists: Vec<(Range<usize>, Vec<&str>)> = Vec::new();
    for node in names.iter().filter_map(|name| outline.find(name)) {
        if !matches!(node.kind, Kind::List(..)) {
            continue;
        }
        let list = &record[node.range.clone()];
        let mut elements = Vec::new();
        Tokenizer::new(list, not_finite).list(&mut |r| {
            elements.push(&list[r.passed()?]);
            Ok(())
        })?;
        lists.push((node.range.clone(), elements));
    }
    // Two names may be those of one list.
    lists.sort_by_key(|(range, _)| range.start);
    lists.dedup_by_key(|(range, _)| range.start);
    let rows = lists.iter().map(|(_, elements)| elements.len()).max();
    if let Some((range, elements)) = lists.iter().find(|(_, elements)| Some(elements.len()) != rows) {
        let what = format!(
            "lists that are asked for together have {} and {} elements in one record",
            elements.len(),
            rows.unwrap_or(0)
        );
        return Err(JsonFault::new(range.start, what));
    }
    // A record without an element is a row without a value.
    for row in 0..rows.unwrap_or(1).max(1) {
        if out.len() as u64 + record.len() as u64 > most {
            return Err(JsonFault::limit(0, format!("its lists make more than {most} bytes of rows")));
        }
        let mut at = 0;
        for (range, elements) in &lists {
            out.push_str(&record[at..range.start]);
            out.push_str(elements.get(row).unwrap_or(&"null"));
            at = range.end;
        }
        out.push_str(&record[at..]);
        out.push('\n');
    }
    Ok(!lists.is_empty())
}
