//! The values of a derived column in a batch of rows.

use super::bins::{Place, place};
use super::value::{Row, Value, no_number, written};
use crate::expression::Expression;
use crate::table::{BinAxis, Cells, ColumnValues};
use foldhash::fast::RandomState;
use gridscope_core::grid::Number;
use std::collections::HashMap;
use std::sync::Arc;

/// A column that is computed.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// Text of the user, which is its name.
    pub text: String,
    pub expression: Expression,
    /// Its values are keys, which are texts; else they are numbers.
    pub is_key: bool,
    /// The bins of the expression's numbers, and what is written for numbers below and above them.
    pub bins: Option<(Arc<BinAxis>, [String; 2])>,
}

/// Texts that are kept from batch to batch.
const MOST_TEXTS: usize = 1 << 16;

/// The values of a derived column in a batch.
pub(super) struct Made {
    cells: ColumnValues,
    valid: Vec<bool>,
    known: Known,
}

/// Codes of keys that were met: a key is written once, and not for each row.
#[derive(Default)]
struct Known {
    texts: HashMap<Box<str>, u32, RandomState>,
    /// By the type of a number and its bits.
    numbers: HashMap<(u8, u64), u32, RandomState>,
}

/// The row of a batch that is at fault, and what is wrong with it.
type Fault = (usize, String);

impl Made {
    pub(super) fn new(column: &Derived) -> Self {
        let cells = match (&column.bins, column.is_key) {
            (Some((bins, outside)), _) => ColumnValues::Texts {
                codes: Vec::new(),
                texts: bins.labels.iter().chain(outside).cloned().collect(),
            },
            (None, true) => ColumnValues::Texts { codes: Vec::new(), texts: Vec::new() },
            (None, false) => ColumnValues::F64(Vec::new()),
        };
        Self { cells, valid: Vec::new(), known: Known::default() }
    }

    /// The values, of which only the valid ones are any.
    pub(super) fn cells(&self) -> &ColumnValues {
        &self.cells
    }

    /// Which rows have a value.
    pub(super) fn valid(&self) -> &[bool] {
        &self.valid
    }

    /// Takes the values of all rows of a batch, whose first is `row`, in place of those of the batch before.
    ///
    /// # Errors
    /// A text where a number or a time is needed.
    pub(super) fn fill(&mut self, column: &Derived, row: Row, rows: usize) -> Result<(), Fault> {
        let Self { cells, valid, known } = self;
        valid.clear();
        match (cells, &column.bins) {
            (ColumnValues::Texts { codes, .. }, Some((bins, _))) => {
                codes.clear();
                let n = bins.labels.len();
                for at in 0..rows {
                    let row = Row { row: at, ..row };
                    let number = row.number(&column.expression).map_err(|what| (at, what))?;
                    let code = number.map(|v| match place(&bins.edges, v.as_f64()) {
                        Place::In(bin) => bin,
                        Place::Below => n,
                        Place::Above => n + 1,
                    });
                    codes.push(code.unwrap_or(0) as u32);
                    valid.push(code.is_some());
                }
            }
            (ColumnValues::Texts { codes, texts }, None) => {
                codes.clear();
                if texts.len() > MOST_TEXTS {
                    texts.clear();
                    (known.texts, known.numbers) = Default::default();
                }
                let mut memo = Memo::of(&column.expression, &row);
                for at in 0..rows {
                    let (code, has_value) = match memo.get(at) {
                        Some(found) => found,
                        None => {
                            let row = Row { row: at, ..row };
                            let value = row.value(&column.expression).map_err(|what| (at, what))?;
                            let found = known.code(value, texts);
                            memo.set(at, found);
                            found
                        }
                    };
                    codes.push(code);
                    valid.push(has_value);
                }
            }
            (ColumnValues::F64(values), _) => {
                values.clear();
                for at in 0..rows {
                    let row = Row { row: at, ..row };
                    let number = match row.value(&column.expression).map_err(|what| (at, what))? {
                        Value::Text(text) => return Err((at, no_number(&text))),
                        Value::Number(n) => Some(n.as_f64()),
                        Value::Missing => None,
                    };
                    values.push(number.unwrap_or(0.0));
                    valid.push(number.is_some());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Known {
    /// The code of a key, and whether it is a value.
    fn code(&mut self, value: Value, texts: &mut Vec<String>) -> (u32, bool) {
        let number = match value {
            Value::Missing => return (self.of_text("", texts), false),
            Value::Text(text) => return (self.of_text(&text, texts), true),
            Value::Number(number) => number,
        };
        let bits = match number {
            Number::F64(v) => (0, v.to_bits()),
            Number::I64(v) => (1, v as u64),
            Number::U64(v) => (2, v),
        };
        if let Some(code) = self.numbers.get(&bits) {
            return (*code, true);
        }
        let code = self.of_text(&written(number), texts);
        self.numbers.insert(bits, code);
        (code, true)
    }

    fn of_text(&mut self, text: &str, texts: &mut Vec<String>) -> u32 {
        if let Some(code) = self.texts.get(text) {
            return *code;
        }
        let code = texts.len() as u32;
        texts.push(text.to_owned());
        self.texts.insert(text.into(), code);
        code
    }
}

/// The code of a key, and whether it is a value.
type Code = (u32, bool);

/// Results for the texts of a batch, where a key follows from one column alone.
enum Memo<'c> {
    Nothing,
    /// By the code of the text.
    Codes {
        codes: &'c [u32],
        valid: Option<&'c [bool]>,
        of: Vec<Option<Code>>,
    },
    /// Of the text of the row before.
    Last {
        texts: &'c [&'c str],
        last: Option<(&'c str, Code)>,
    },
}

impl<'c> Memo<'c> {
    fn of(expression: &Expression, row: &Row<'c, 'c>) -> Self {
        let mut columns = Vec::new();
        expression.columns(&mut columns);
        let only = match columns.as_slice() {
            [one] => row.cells(*one),
            _ => None,
        };
        match only {
            Some(Cells::Texts(texts)) => Memo::Last { texts, last: None },
            Some(Cells::Typed { cells: ColumnValues::Texts { codes, texts }, valid, from }) => Memo::Codes {
                codes: &codes[*from..],
                valid: valid.map(|v| &v[*from..]),
                of: vec![None; texts.len()],
            },
            _ => Memo::Nothing,
        }
    }

    fn get(&self, row: usize) -> Option<Code> {
        match self {
            Memo::Codes { codes, valid, of } if valid.is_none_or(|v| v[row]) => of[codes[row] as usize],
            Memo::Last { texts, last } => last.filter(|l| l.0 == texts[row]).map(|l| l.1),
            _ => None,
        }
    }

    fn set(&mut self, row: usize, code: Code) {
        match self {
            Memo::Codes { codes, valid, of } if valid.is_none_or(|v| v[row]) => {
                of[codes[row] as usize] = Some(code);
            }
            Memo::Last { texts, last } => *last = Some((texts[row], code)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::parse;
    use crate::table::Schema;
    use gridscope_core::figure::Data;
    use gridscope_core::lint::Lints;

    /// The values of a key in rows of texts, by their codes.
    fn keys(made: &mut Made, column: &Derived, texts: &[&str]) -> Vec<String> {
        let schema = Schema::named("f", vec!["v".into()], &Data::default(), &mut Lints::default());
        let cells = [Cells::Texts(texts.to_vec())];
        let row = Row { schema: &schema, columns: &[0], cells: &cells, row: 0 };
        made.fill(column, row, texts.len()).unwrap();
        let ColumnValues::Texts { codes, texts } = made.cells() else {
            panic!("no texts");
        };
        let text = |(code, valid): (&u32, &bool)| {
            if *valid { texts[*code as usize].clone() } else { "–".into() }
        };
        codes.iter().zip(made.valid()).map(text).collect()
    }

    #[test]
    fn a_key_is_written_once() {
        let column = |text: &str| Derived {
            text: text.to_owned(),
            expression: parse(text, &["v".to_owned()]).unwrap(),
            is_key: true,
            bins: None,
        };
        let half = column("v / 2");
        let mut made = Made::new(&half);
        assert_eq!(keys(&mut made, &half, &["2", "2.0", "", "3", "3"]), ["1", "1", "–", "1.5", "1.5"]);
        assert_eq!(keys(&mut made, &half, &["3", "-0.0", "0"]), ["1.5", "0", "0"]);
        // Texts of ever new keys are not kept.
        let many: Vec<String> = (0..MOST_TEXTS + 5).map(|i| i.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(keys(&mut made, &half, &many)[7], "3.5");
        assert_eq!(keys(&mut made, &half, &["7", "8"]), ["3.5", "4"]);
        assert_eq!(made.cells().len(), 2);
        assert!(matches!(made.cells(), ColumnValues::Texts { texts, .. } if texts.len() == 2));
    }
}
