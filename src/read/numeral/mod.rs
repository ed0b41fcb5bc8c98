//! Numbers as people write them, `95%`, `$1,234`, `1.234,5`, and by which rule a column is read.

mod measure;
mod rule;
mod survey;
mod verdict;

pub(super) use measure::Unit;
use rule::Bare;
pub(super) use rule::Numeral;
pub(super) use survey::{Survey, TextAt};
pub(super) use verdict::{Signs, Verdict};

use crate::error::InputError;
use crate::field::shown;
use gridscope_core::figure::Data;

/// The number of a text with a unit, or with its digits in groups; of two readings that with a decimal point.
pub(crate) fn quantity(text: &str) -> Option<f64> {
    let bare = Bare::of(text);
    let read = Numeral::POINT.number(&bare.number).or_else(|| Numeral::COMMA.number(&bare.number));
    read.and_then(|written| written.plain.parse().ok())
}

/// The rules that the numbers of a table may follow: one or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    point: Option<Numeral>,
    comma: Option<Numeral>,
    /// Field delimiter of the file, if it is a text.
    delimiter: Option<u8>,
}

impl Rules {
    /// Those that `decimal` and `thousands` leave; `delimiter` is that of the file.
    ///
    /// # Errors
    /// Signs that are none, or one sign for both.
    pub(crate) fn new(data: &Data, delimiter: Option<u8>, file: &str) -> Result<Self, InputError> {
        let decimal = match data.decimal.as_deref() {
            None => None,
            Some("." | "point") => Some('.'),
            Some("," | "comma") => Some(','),
            Some(other) => {
                let what = format!("--decimal {} is neither , nor .", shown(other));
                return Err(InputError::usage(file, what));
            }
        };
        let thousands = match data.thousands.as_deref() {
            None => None,
            Some("," | "comma") => Some(','),
            Some("." | "point") => Some('.'),
            Some(" " | "space") => Some(' '),
            Some("'") => Some('\''),
            Some("_") => Some('_'),
            Some(other) => {
                let what = format!("--thousands {} is none of , . ' _ and space", shown(other));
                return Err(InputError::usage(file, what));
            }
        };
        if thousands.is_some() && decimal == thousands {
            let what = "--decimal and --thousands are the same sign";
            return Err(InputError::usage(file, what));
        }
        let rule = |usual: Numeral| {
            let thousands = thousands.unwrap_or(usual.thousands);
            let fits = decimal.is_none_or(|d| d == usual.decimal) && thousands != usual.decimal;
            fits.then_some(Numeral { thousands, ..usual })
        };
        Ok(Self { point: rule(Numeral::POINT), comma: rule(Numeral::COMMA), delimiter })
    }
}
