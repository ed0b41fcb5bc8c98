//! Columns of a JSON table while their rows come in: each in the narrowest type that holds all of its values exactly.

use super::budget::{Budget, Short, Taken};
use super::field::shown;
use super::json_text::{Fault, Scalar};
use super::table::{TypedCells, TypedColumn};
use std::collections::HashMap;
use std::sync::Arc;

/// Integers up to here are f64s, each of them.
const EXACT: u64 = 1 << 53;
/// Names of columns end here, together.
const MOST_NAME_BYTES: usize = 16 << 20;
/// A table of so many cells may be empty; a larger one holds a value in one of `SPARSE` cells.
const FREE_CELLS: u64 = 4 << 20;
const SPARSE: u64 = 64;
/// Bytes that a cell takes while it is read, and a text that stands there for the first time beside its own.
const CELL: u64 = 16;
const TEXT: u64 = 128;
/// Bytes that a cell takes when the numbers of its column become texts.
const TURNED: u64 = 240;
/// Bytes that a column takes, beside its name, of which there are so many copies.
const COLUMN: u64 = 700;
const COPIES: u64 = 4;

/// The values of a column, as far as it has come.
#[derive(Debug)]
enum Cells {
    /// No value yet.
    Empty,
    I64(Vec<i64>),
    U64(Vec<u64>),
    F64(Vec<f64>),
    Texts {
        codes: Vec<u32>,
        texts: Vec<String>,
        places: HashMap<String, u32>,
    },
}

/// A column; rows past its last value are without one.
#[derive(Debug)]
pub(super) struct Column {
    pub name: String,
    cells: Cells,
    valid: Vec<bool>,
    /// The row after the last that named the column.
    named: usize,
    /// The place of the first list in it: then it is no column of values.
    pub list_at: Option<usize>,
    /// What it takes.
    room: Taken,
}

impl Column {
    /// A column without a value.
    ///
    /// # Errors
    /// Too little memory.
    pub fn new(name: &str, budget: &Arc<Budget>) -> Result<Self, Short> {
        let room = budget.hold(COLUMN + COPIES * name.len() as u64)?;
        Ok(Self {
            name: name.to_owned(),
            cells: Cells::Empty,
            valid: Vec::new(),
            named: 0,
            list_at: None,
            room,
        })
    }

    /// Rows up to the last value.
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// Whether no row has a value.
    pub fn is_empty(&self) -> bool {
        matches!(self.cells, Cells::Empty)
    }

    /// Puts a value into a row that is not above the last.
    ///
    /// # Errors
    /// A number beyond f64, or too little memory.
    pub fn set(&mut self, row: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        if *value == Scalar::Null {
            return Ok(());
        }
        let cells = (row + 1).saturating_sub(self.len()) as u64;
        let short =
            |name: &str, s: Short| Fault::short(at, format!("column {}, row {}", shown(name), row + 1), s);
        // Not in portions: there may be as many columns as values.
        self.room
            .more(CELL.saturating_mul(cells))
            .map_err(|s| short(&self.name, s))?;
        let put = match value {
            Scalar::Null => Ok(()),
            Scalar::Bool(b) => self.text(row, if *b { "true" } else { "false" }),
            Scalar::Text(t) => self.text(row, t),
            Scalar::NotFinite(v) => self.float(row, *v, if v.is_nan() { "NaN" } else { "inf" }),
            Scalar::Number(text) => self.number(row, text, at)?,
        };
        put.map_err(|s| short(&self.name, s))?;
        self.valid.resize(row, false);
        self.valid.push(true);
        Ok(())
    }

    /// Takes what the cells need that it is filled up with at the end.
    fn reach(&mut self, rows: usize) -> Result<(), Short> {
        self.room
            .more(CELL.saturating_mul(rows.saturating_sub(self.len()) as u64))
    }

    fn number(&mut self, row: usize, text: &str, at: usize) -> Result<Result<(), Short>, Fault> {
        if let Ok(v) = text.parse::<i64>() {
            return Ok(self.integer(row, v, text));
        }
        if let Ok(v) = text.parse::<u64>() {
            return Ok(self.wide(row, v, text));
        }
        let v: f64 = text.parse().map_err(|_| Fault::new(at, "is no number"))?;
        if v.is_infinite() {
            return Err(Fault::new(at, "a number beyond 1.8e308"));
        }
        Ok(self.float(row, v, text))
    }

    fn integer(&mut self, row: usize, v: i64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::I64(padded(row, v)),
            Cells::I64(cells) => put(cells, row, v),
            Cells::U64(cells) if v >= 0 => put(cells, row, v as u64),
            Cells::F64(cells) if v.unsigned_abs() <= EXACT => put(cells, row, v as f64),
            _ => return self.text(row, text),
        }
        Ok(())
    }

    fn wide(&mut self, row: usize, v: u64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::U64(padded(row, v)),
            Cells::U64(cells) => put(cells, row, v),
            Cells::I64(cells) if cells.iter().all(|c| *c >= 0) => {
                let mut wide: Vec<u64> = cells.iter().map(|c| *c as u64).collect();
                put(&mut wide, row, v);
                self.cells = Cells::U64(wide);
            }
            _ => return self.text(row, text),
        }
        Ok(())
    }

    fn float(&mut self, row: usize, v: f64, text: &str) -> Result<(), Short> {
        match &mut self.cells {
            Cells::Empty => self.cells = Cells::F64(padded(row, v)),
            Cells::F64(cells) => put(cells, row, v),
            Cells::I64(cells) if cells.iter().all(|c| c.unsigned_abs() <= EXACT) => {
                let mut floats: Vec<f64> = cells.iter().map(|c| *c as f64).collect();
                put(&mut floats, row, v);
                self.cells = Cells::F64(floats);
            }
            // Texts keep what no one type of number holds exactly; they read back as the same numbers.
            _ => return self.text(row, if v == f64::NEG_INFINITY { "-inf" } else { text }),
        }
        Ok(())
    }

    fn text(&mut self, row: usize, text: &str) -> Result<(), Short> {
        if !matches!(self.cells, Cells::Texts { .. }) {
            self.room.more(TURNED.saturating_mul(self.len() as u64))?;
            let old = std::mem::replace(
                &mut self.cells,
                Cells::Texts {
                    codes: Vec::new(),
                    texts: Vec::new(),
                    places: HashMap::new(),
                },
            );
            let written: Vec<String> = match &old {
                Cells::I64(v) => v.iter().map(i64::to_string).collect(),
                Cells::U64(v) => v.iter().map(u64::to_string).collect(),
                Cells::F64(v) => v.iter().map(|v| format!("{v:?}")).collect(),
                Cells::Empty | Cells::Texts { .. } => Vec::new(),
            };
            for (row, text) in written.iter().enumerate() {
                self.code(row, text)?;
            }
        }
        self.code(row, text)
    }

    fn code(&mut self, row: usize, text: &str) -> Result<(), Short> {
        let Cells::Texts { codes, texts, places } = &mut self.cells else {
            return Ok(());
        };
        let code = match places.get(text) {
            Some(code) => *code,
            None => {
                self.room.more(TEXT + 2 * text.len() as u64)?;
                // Rows are fewer than 4 billion, and so are their texts.
                let code = texts.len() as u32;
                texts.push(text.to_owned());
                places.insert(text.to_owned(), code);
                code
            }
        };
        put(codes, row, code);
        Ok(())
    }

    /// The column with `rows` rows; what it takes is taken to the end of the run.
    pub fn typed(self, rows: usize) -> TypedColumn {
        self.room.keep();
        fn fill<T: Default + Clone>(mut v: Vec<T>, rows: usize) -> Vec<T> {
            v.resize(rows, T::default());
            v
        }
        let cells = match self.cells {
            Cells::Empty => TypedCells::F64(vec![0.0; rows]),
            Cells::I64(v) => TypedCells::I64(fill(v, rows)),
            Cells::U64(v) => TypedCells::U64(fill(v, rows)),
            Cells::F64(v) => TypedCells::F64(fill(v, rows)),
            Cells::Texts { codes, texts, .. } => TypedCells::Texts {
                codes: fill(codes, rows),
                texts,
            },
        };
        let valid = fill(self.valid, rows);
        TypedColumn {
            name: self.name,
            cells,
            valid: valid.contains(&false).then_some(valid),
        }
    }
}

/// The first value of a column, in its row.
fn padded<T: Default + Clone>(row: usize, v: T) -> Vec<T> {
    let mut out = vec![T::default(); row];
    out.push(v);
    out
}

fn put<T: Default + Clone>(cells: &mut Vec<T>, row: usize, v: T) {
    cells.resize(row, T::default());
    cells.push(v);
}

/// The columns of a table, by their names.
#[derive(Debug)]
pub(super) struct Columns {
    pub columns: Vec<Column>,
    places: HashMap<String, usize>,
    /// Rows that have ended.
    pub rows: usize,
    /// The column that a record probably names next.
    next: usize,
    name_bytes: usize,
    values: u64,
    cells: u64,
    budget: Arc<Budget>,
}

impl Columns {
    /// No column yet; what they take is taken off the budget.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let budget = Arc::clone(budget);
        Self {
            columns: Vec::new(),
            places: HashMap::new(),
            rows: 0,
            next: 0,
            name_bytes: 0,
            values: 0,
            cells: 0,
            budget,
        }
    }

    /// Adds a column that is named by its place alone.
    ///
    /// # Errors
    /// Too little memory.
    pub fn push(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        let n = self.columns.len() + 1;
        let column =
            Column::new(name, &self.budget).map_err(|s| Fault::short(at, format!("{n} columns"), s))?;
        self.columns.push(column);
        Ok(())
    }

    /// The column of that name, named once more by the row that is read.
    ///
    /// # Errors
    /// When the row has named it before, or the names take too much.
    pub fn named(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        let i = match self.columns.get(self.next).filter(|c| c.name == name) {
            Some(_) => self.next,
            None => match self.places.get(name) {
                Some(i) => *i,
                None => self.add(name, at)?,
            },
        };
        self.next = i + 1;
        let column = &mut self.columns[i];
        if column.named == self.rows + 1 {
            let name: String = name.chars().take(60).collect();
            return Err(Fault::new(at, format!("key '{name}' stands twice in one record")));
        }
        column.named = self.rows + 1;
        Ok(i)
    }

    fn add(&mut self, name: &str, at: usize) -> Result<usize, Fault> {
        self.name_bytes += name.len();
        if self.name_bytes > MOST_NAME_BYTES {
            let what = format!("names of columns that take over {} MiB", MOST_NAME_BYTES >> 20);
            return Err(Fault {
                limit: true,
                ..Fault::new(at, what)
            });
        }
        self.push(name, at)?;
        self.places.insert(name.to_owned(), self.columns.len() - 1);
        Ok(self.columns.len() - 1)
    }

    /// Puts a value into the row that is read.
    ///
    /// # Errors
    /// A number beyond f64, a table of hardly any values, or too little memory.
    pub fn set(&mut self, i: usize, value: &Scalar<'_>, at: usize) -> Result<(), Fault> {
        let before = self.columns[i].len();
        self.columns[i].set(self.rows, value, at)?;
        self.values += 1;
        self.cells += (self.columns[i].len() - before) as u64;
        self.fits(self.cells, at)
    }

    /// Whether so many cells are in proportion to the values.
    fn fits(&self, cells: u64, at: usize) -> Result<(), Fault> {
        if cells > FREE_CELLS && cells > self.values.saturating_mul(SPARSE) {
            let what = format!(
                "{} columns x {} rows hold {} values: too few",
                self.columns.len(),
                self.rows,
                self.values
            );
            return Err(Fault {
                limit: true,
                ..Fault::new(at, what)
            });
        }
        Ok(())
    }

    /// Ends the row that is read.
    pub fn end_row(&mut self) {
        self.rows += 1;
        self.next = 0;
    }

    /// Whether all columns filled to the last row are in proportion, and have room.
    ///
    /// # Errors
    /// As [`Columns::set`].
    pub fn whole(&mut self, at: usize) -> Result<(), Fault> {
        self.fits((self.rows as u64).saturating_mul(self.columns.len() as u64), at)?;
        let (n, rows) = (self.columns.len(), self.rows);
        let reached = self.columns.iter_mut().try_for_each(|c| c.reach(rows));
        reached.map_err(|s| Fault::short(at, format!("{n} columns x {rows} rows"), s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str]) -> TypedColumn {
        let mut c = Column::new("c", &Budget::new(1 << 20)).unwrap();
        for (row, v) in values.iter().enumerate() {
            c.set(
                row,
                &super::super::json_text::Reader::new(v, true).scalar().unwrap(),
                0,
            )
            .unwrap();
        }
        c.typed(values.len())
    }

    fn texts(cells: &TypedCells) -> Vec<String> {
        let TypedCells::Texts { codes, texts } = cells else {
            panic!("{cells:?}")
        };
        codes.iter().map(|c| texts[*c as usize].clone()).collect()
    }

    #[test]
    fn types_widen_only_while_they_are_exact() {
        assert_eq!(column(&["1", "-2"]).cells, TypedCells::I64(vec![1, -2]));
        assert_eq!(
            column(&["1", "18446744073709551615", "3"]).cells,
            TypedCells::U64(vec![1, u64::MAX, 3])
        );
        assert_eq!(
            column(&["1", "0.5", "2"]).cells,
            TypedCells::F64(vec![1.0, 0.5, 2.0])
        );
        assert_eq!(
            texts(&column(&["9007199254740993", "0.5"]).cells),
            ["9007199254740993", "0.5"]
        );
        assert_eq!(
            texts(&column(&["0.5", "-9007199254740993"]).cells),
            ["0.5", "-9007199254740993"]
        );
        assert_eq!(
            texts(&column(&["-1", "18446744073709551615"]).cells),
            ["-1", "18446744073709551615"]
        );
        assert_eq!(
            texts(&column(&["1", "\"a\"", "true", "-Infinity"]).cells),
            ["1", "a", "true", "-inf"]
        );
        assert_eq!(
            column(&["123456789012345678901234567890"]).cells,
            TypedCells::F64(vec![123_456_789_012_345_678_901_234_567_890.0])
        );
        let mut c = Column::new("c", &Budget::new(1 << 20)).unwrap();
        assert_eq!(c.set(0, &Scalar::Number("1e999"), 7).unwrap_err().at, 7);
    }

    #[test]
    fn rows_without_a_value_are_told_from_those_with_one() {
        let c = column(&["null", "5", "null"]);
        assert_eq!(
            (c.cells, c.valid),
            (TypedCells::I64(vec![0, 5, 0]), Some(vec![false, true, false]))
        );
        assert_eq!(column(&["5"]).valid, None);
        assert_eq!(column(&["null"]).valid, Some(vec![false]));
        let late = column(&["null", "null", "\"x\"", "3"]);
        assert_eq!(
            (texts(&late.cells)[2..].join(" "), late.valid),
            ("x 3".into(), Some(vec![false, false, true, true]))
        );
    }

    #[test]
    fn a_key_of_every_row_its_own_is_refused_before_memory_is() {
        let mut c = Columns::new(&Budget::new(u64::MAX));
        let fault = (0..1_000_000).find_map(|row| {
            let i = c.named(&format!("k{row}"), 0).unwrap();
            let set = c.set(i, &Scalar::Number("1"), row);
            c.end_row();
            set.err()
        });
        let fault = fault.unwrap();
        assert!(fault.limit && fault.at < 4000, "{fault:?}");
        let mut c = Columns::new(&Budget::new(100_000));
        let i = c.named("a", 0).unwrap();
        assert!(c.named("a", 5).unwrap_err().what.contains("stands twice"));
        c.rows = 10_000;
        assert!(c.set(i, &Scalar::Number("1"), 0).unwrap_err().limit);
        assert!(c.whole(0).unwrap_err().limit);
    }

    #[test]
    fn texts_take_their_bytes_and_numbers_that_become_texts_more() {
        let budget = Budget::new(4 << 20);
        let mut c = Column::new("c", &budget).unwrap();
        let fault = (0..100_000)
            .find_map(|row| c.set(row, &Scalar::Text(format!("key {row}").into()), row).err())
            .unwrap();
        assert!(fault.limit && (10_000..30_000).contains(&fault.at), "{fault:?}");
        drop(c);
        let mut c = Column::new("c", &budget).unwrap();
        (0..100_000).for_each(|row| c.set(row, &Scalar::Number("1"), row).unwrap());
        assert!(c.set(100_000, &Scalar::Text("x".into()), 7).unwrap_err().limit);
    }
}
