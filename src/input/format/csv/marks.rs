//! The fields that a record of a text may have: their ends are looked for before anything is known of the table.

use super::delimiter::parse_delimiter;
use crate::figure::Data;
use crate::input::budget::{Budget, Taken};
use crate::input::error::InputError;
use memchr::{memchr, memchr_iter};
use std::sync::Arc;

/// Bytes that a field takes while its record is looked for.
const MARK: u64 = 16;

/// The possible delimiters of a table.
pub fn delimiters(data: &Data) -> Vec<u8> {
    let given = data
        .delimiter
        .as_deref()
        .and_then(|d| parse_delimiter(d, "").ok());
    given.map_or_else(|| b",\t;|".to_vec(), |d| vec![d])
}

/// The most fields that any of some delimiters makes of a text.
pub fn most_fields(text: &[u8], delimiters: &[u8]) -> u64 {
    delimiters
        .iter()
        .map(|d| memchr_iter(*d, text).count() as u64 + 1)
        .max()
        .unwrap_or(1)
}

/// As [`most_fields`], but of what no quotes hold.
pub fn most_fields_outside(text: &[u8], delimiters: &[u8]) -> u64 {
    let of = |d: u8| {
        text.split(|b| *b == b'"')
            .step_by(2)
            .map(|part| memchr_iter(d, part).count() as u64)
            .sum::<u64>()
            + 1
    };
    delimiters.iter().map(|d| of(*d)).max().unwrap_or(1)
}

/// Room for the ends of the fields of a text's longest record, whichever of some delimiters it is.
///
/// # Errors
/// Too little memory.
pub fn marks(text: &str, of: &[u8], file: &str, budget: &Arc<Budget>) -> Result<Taken, InputError> {
    let hold = |fields: u64| {
        budget
            .hold(fields.saturating_mul(MARK))
            .map_err(|s| s.of(file, format_args!("a record of {fields} fields")))
    };
    // That all are in one record costs least to find out, and matters only where memory is short.
    let all = hold(most_fields(text.as_bytes(), of));
    if all.is_ok() || memchr(b'"', text.as_bytes()).is_some() {
        return all;
    }
    hold(
        text.as_bytes()
            .split(|b| matches!(b, b'\n' | b'\r'))
            .map(|line| most_fields(line, of))
            .max()
            .unwrap_or(1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_record_decides_where_memory_is_short() {
        let data = Data::default();
        let rows = "1,2,3\n".repeat(1000);
        assert_eq!(
            (
                most_fields(rows.as_bytes(), &delimiters(&data)),
                most_fields(b"a;b;c", b",;")
            ),
            (2001, 3)
        );
        let room = |text: &str, bytes| marks(text, &delimiters(&data), "t.csv", &Budget::new(bytes)).is_ok();
        assert!(room(&rows, 3 * MARK) && !room(&rows, 2 * MARK));
        // With quotes any line may go on.
        let quoted = format!("\"a\",2,3\n{rows}");
        assert!(!room(&quoted, 2000 * MARK) && room(&quoted, 2003 * MARK));
        let fields = most_fields_outside(b"a,\"b,\"\",;;;\",c,\"d,,", b",;");
        assert_eq!((fields, most_fields_outside(b"", b",")), (4, 1));
        let one = Data {
            delimiter: Some("semicolon".into()),
            ..Data::default()
        };
        assert_eq!(delimiters(&one), b";");
    }
}
