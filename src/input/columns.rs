//! A column of values: numbers, and rows without one.

use super::aggregate::Numbers;
use super::csv::Records;
use super::error::InputError;
use super::field::{Field, is_decimal_comma, shown};
use crate::grid::{Number, State};

/// The values of some rows of a column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name; empty where rows are counted.
    pub name: String,
    numbers: Numbers,
    /// `None` for a value.
    states: Vec<Option<State>>,
}

impl Column {
    /// Reads the column in these rows; `nodata` is a number that stands for a masked cell.
    ///
    /// # Errors
    /// A text that is no number.
    pub fn read(records: &Records, column: usize, rows: &[u32], nodata: Option<f64>) -> Result<Self, InputError> {
        let mut read = Self::with_capacity(&records.headers[column], rows.len());
        for &row in rows {
            let row = row as usize;
            read.push(value(records, row, column, nodata)?);
        }
        Ok(read)
    }

    /// A value 1 in each of so many rows: what a count without a column counts.
    pub fn of_rows(rows: usize) -> Self {
        let mut ones = Self::with_capacity("", rows);
        (0..rows).for_each(|_| ones.push(Ok(Number::I64(1))));
        ones
    }

    fn with_capacity(name: &str, rows: usize) -> Self {
        Self { name: name.to_owned(), numbers: Numbers::with_capacity(rows), states: Vec::with_capacity(rows) }
    }

    fn push(&mut self, value: Result<Number, State>) {
        match value {
            Ok(n) => self.numbers.push(n),
            Err(_) => self.numbers.push_empty(),
        }
        self.states.push(value.err());
    }

    /// Takes the value from a row of a run that has not ended.
    pub fn set_pending(&mut self, at: usize) {
        self.states[at] = Some(State::Pending);
    }

    /// The value at a place, or why there is none.
    pub fn at(&self, i: usize) -> Result<Number, State> {
        match self.states[i] {
            None => Ok(self.numbers.get(i)),
            Some(s) => Err(s),
        }
    }
}

/// The value of one field.
///
/// # Errors
/// A text that is no number.
pub fn value(records: &Records, row: usize, column: usize, nodata: Option<f64>) -> Result<Result<Number, State>, InputError> {
    match records.field(row, column) {
        Field::Number(n) if nodata == Some(n.as_f64()) => Ok(Err(State::Masked)),
        Field::Number(n) => Ok(Ok(n)),
        Field::Missing => Ok(Err(State::Nan)),
        Field::Text => Err(no_number(records, row, column)),
    }
}

fn no_number(records: &Records, row: usize, column: usize) -> InputError {
    let text = records.get(row, column);
    let what = format!("column {}: {} is no number", shown(&records.headers[column]), shown(text));
    let hint = if is_decimal_comma(text) {
        "decimal commas are not read: write a point, or --missing TEXT if the text stands for no value"
    } else {
        "--missing TEXT reads a text as no value"
    };
    records.refused(row, what).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Data;
    use crate::lint::Lints;

    fn column(text: &str) -> Result<Column, InputError> {
        let r = Records::read(text, "t.csv", &Data::default(), &mut Lints::default()).unwrap();
        let rows: Vec<u32> = (0..r.len() as u32).collect();
        Column::read(&r, 0, &rows, Some(-9.0))
    }

    #[test]
    fn values_missing_fields_and_nodata_are_told_apart() {
        let c = column("v,k\n3,a\n,b\n-9.0,c\ntrue,d\n").unwrap();
        let at: Vec<_> = (0..4).map(|i| c.at(i)).collect();
        assert_eq!(
            at,
            [Ok(Number::F64(3.0)), Err(State::Nan), Err(State::Masked), Ok(Number::F64(1.0))]
                .map(|v| v.map(|n| Number::I64(n.as_f64() as i64)))
        );
    }

    #[test]
    fn a_text_is_refused_with_its_line_column_and_text() {
        let e = column("score;k\n\"1\";a\n1,5;b\n").unwrap_err();
        assert_eq!(e.to_string(), "t.csv: line 3: column 'score': '1,5' is no number");
        assert!(e.hint.unwrap().starts_with("decimal commas are not read"));
        assert!(column("v,k\nlow,a\n").unwrap_err().hint.unwrap().starts_with("--missing"));
    }
}
