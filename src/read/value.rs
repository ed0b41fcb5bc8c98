//! The value of a field, or why there is none.

use super::error::InputError;
use super::field::{Field, is_beyond, is_decimal_comma, shown};
use super::shell_word::flag;
use gridscope_core::figure::List;
use gridscope_core::grid::{Cell, State};
use std::error::Error;
use std::fmt;

/// The value of a field; `nodata` is a number that means a masked cell. `None` for a text.
pub(super) fn value(field: Field, nodata: Option<f64>) -> Option<Cell> {
    match field {
        Field::Number(n) if nodata == Some(n.as_f64()) => Some(Cell::Empty(State::Masked)),
        Field::Number(n) => Some(Cell::Value(n)),
        Field::Missing => Some(Cell::Empty(State::Nan)),
        Field::Text => None,
    }
}

/// Why a text in a column of values is refused; `refused` adds its place.
pub(super) fn no_number(column: &str, text: &str, refused: impl FnOnce(String) -> InputError) -> InputError {
    if is_beyond(text) {
        let what =
            format!("column {}: {} lies beyond 1.8e308, the largest number", shown(column), shown(text));
        return refused(what).with_hint("write inf, or --missing TEXT if the text means no value");
    }
    let what = format!("column {}: {} {NotANumber}", shown(column), shown(text));
    let fault = refused(what).with_source(NotANumber);
    if is_decimal_comma(text) {
        fault.with_hint("--decimal , reads decimal commas")
    } else {
        fault.with_hint(missing(&[text]))
    }
}

/// The cause of the error of a text in a column of values.
#[derive(Debug)]
struct NotANumber;

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is not a number")
    }
}

impl Error for NotANumber {}

/// Whether an error is about a text in a column of values.
pub(super) fn is_no_number(error: &InputError) -> bool {
    error.source().is_some_and(<dyn Error>::is::<NotANumber>)
}

/// The option that reads these texts as no value.
pub(super) fn missing(texts: &[impl AsRef<str>]) -> String {
    let list = List::to_flag(texts);
    let (texts, values) =
        if texts.len() == 1 { ("the text", "no value") } else { ("these texts", "no values") };
    format!("{} reads {texts} as {values}", flag("--missing", &list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::read_field;
    use crate::place::Place;
    use gridscope_core::grid::Number;

    #[test]
    fn values_missing_fields_and_nodata_differ() {
        let of = |text: &str| value(read_field(text, &[]), Some(-9.0));
        assert_eq!(
            [of("3"), of(""), of("-9.0")],
            [
                Some(Cell::Value(Number::I64(3))),
                Some(Cell::Empty(State::Nan)),
                Some(Cell::Empty(State::Masked))
            ]
        );
        assert_eq!([of("true"), of("low")], [Some(Cell::Value(Number::I64(1))), None]);
    }

    #[test]
    fn a_text_is_refused_with_its_place_column_and_text() {
        let of =
            |text: &str| no_number("score", text, |what| InputError::refused("t.csv", Place::line(3), what));
        assert_eq!(of("1,5").to_string(), "t.csv: line 3: column 'score': '1,5' is not a number");
        assert!(of("1,5").hint.unwrap().starts_with("--decimal ,"));
        assert!(of("low").hint.unwrap().starts_with("--missing"));
        assert_eq!(
            of("-1e400").to_string(),
            "t.csv: line 3: column 'score': '-1e400' lies beyond 1.8e308, the largest number"
        );
    }
}
