//! A table with further columns, each computed from those of the table row by row.

use super::bins::{Place, place};
use super::value::{Row, Value, written};
use crate::input::error::InputError;
use crate::input::expression::Expression;
use crate::input::field::shown;
use crate::input::table::{Batch, BinAxis, Cells, ColumnValues, Part, Parts, Reads, Schema, TableSource};
use std::collections::HashMap;
use std::sync::Arc;

/// A column that is computed.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// What the user wrote, which is its name.
    pub text: String,
    pub expression: Expression,
    /// Its values are keys, which are texts; else they are numbers.
    pub is_key: bool,
    /// The bins of the expression's numbers, and what is written for numbers below and above them.
    pub bins: Option<(Arc<BinAxis>, [String; 2])>,
}

/// A source with derived columns behind its own.
pub(super) struct DerivedTable {
    source: Box<dyn TableSource>,
    schema: Schema,
    /// The columns of the source.
    width: usize,
    columns: Vec<Derived>,
}

impl DerivedTable {
    pub(super) fn new(source: Box<dyn TableSource>, columns: Vec<Derived>) -> Self {
        let mut schema = source.schema().clone();
        for column in &columns {
            let mut inputs = Vec::new();
            column.expression.columns(&mut inputs);
            let bins = column.bins.as_ref().map(|b| Arc::clone(&b.0));
            schema.add_derived(&column.text, inputs, bins);
        }
        Self {
            width: source.schema().width(),
            source,
            schema,
            columns,
        }
    }
}

impl TableSource for DerivedTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        let part = |inner| DerivedPart {
            inner,
            table: self,
            asked: Vec::new(),
            read: Vec::new(),
            made: self.columns.iter().map(Made::new).collect(),
        };
        Box::new(
            self.source
                .parts()
                .map(move |inner| Ok(Box::new(part(inner?)) as Box<dyn Part>)),
        )
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }

    fn reads(&self) -> Reads {
        self.source.reads()
    }
}

struct DerivedPart<'t> {
    inner: Box<dyn Part + 't>,
    table: &'t DerivedTable,
    /// The columns that were asked for, and those of the source that they take.
    asked: Vec<usize>,
    read: Vec<usize>,
    /// The values of the derived columns in the batch.
    made: Vec<Made>,
}

/// The values of a derived column in a batch.
struct Made {
    cells: ColumnValues,
    valid: Vec<bool>,
    codes: HashMap<String, u32>,
}

impl Made {
    fn new(column: &Derived) -> Self {
        let cells = match (&column.bins, column.is_key) {
            (Some((bins, outside)), _) => ColumnValues::Texts {
                codes: Vec::new(),
                texts: bins.labels.iter().chain(outside).cloned().collect(),
            },
            (None, true) => ColumnValues::Texts {
                codes: Vec::new(),
                texts: Vec::new(),
            },
            (None, false) => ColumnValues::F64(Vec::new()),
        };
        Self {
            cells,
            valid: Vec::new(),
            codes: HashMap::new(),
        }
    }

    fn clear(&mut self) {
        self.valid.clear();
        match &mut self.cells {
            ColumnValues::Texts { codes, .. } => codes.clear(),
            ColumnValues::F64(v) => v.clear(),
            _ => {}
        }
    }

    /// Adds the value of a row.
    fn push(&mut self, column: &Derived, row: &Row) -> Result<(), String> {
        let has_value = match (&mut self.cells, &column.bins) {
            (ColumnValues::Texts { codes, .. }, Some((bins, _))) => {
                let number = row.number(&column.expression)?;
                let n = bins.labels.len();
                let code = number.map(|v| match place(&bins.edges, v.as_f64()) {
                    Place::In(bin) => bin,
                    Place::Below => n,
                    Place::Above => n + 1,
                });
                codes.push(code.unwrap_or(0) as u32);
                code.is_some()
            }
            (ColumnValues::Texts { codes, texts }, None) => {
                let text = match row.value(&column.expression)? {
                    Value::Missing => None,
                    Value::Number(n) => Some(written(n)),
                    Value::Text(text) => Some(text),
                };
                let has_value = text.is_some();
                let text = text.unwrap_or_default();
                let code = match self.codes.get(&text) {
                    Some(code) => *code,
                    None => {
                        let code = texts.len() as u32;
                        texts.push(text.clone());
                        self.codes.insert(text, code);
                        code
                    }
                };
                codes.push(code);
                has_value
            }
            (ColumnValues::F64(values), _) => {
                let number = match row.value(&column.expression)? {
                    Value::Text(text) => return Err(format!("{} is not a number", shown(&text))),
                    Value::Number(n) => Some(n.as_f64()),
                    Value::Missing => None,
                };
                values.push(number.unwrap_or(0.0));
                number.is_some()
            }
            _ => false,
        };
        self.valid.push(has_value);
        Ok(())
    }
}

impl DerivedPart<'_> {
    /// Notes which columns of the source the asked ones take.
    fn ask(&mut self, columns: &[usize]) {
        if self.asked == columns && !self.read.is_empty() {
            return;
        }
        let width = self.table.width;
        self.asked = columns.to_vec();
        self.read = columns.iter().copied().filter(|c| *c < width).collect();
        for column in columns.iter().filter(|c| **c >= width) {
            self.table.columns[column - width]
                .expression
                .columns(&mut self.read);
        }
    }
}

impl Part for DerivedPart<'_> {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        self.ask(columns);
        let (width, table) = (self.table.width, self.table);
        let Some(batch) = self.inner.next(&self.read)? else {
            return Ok(None);
        };
        let Batch {
            rows,
            columns: cells,
            places,
        } = batch;
        for &asked in columns.iter().filter(|c| **c >= width) {
            let (column, made) = (&table.columns[asked - width], &mut self.made[asked - width]);
            made.clear();
            for row in 0..rows {
                let at = Row {
                    schema: table.source.schema(),
                    columns: &self.read,
                    cells: &cells,
                    row,
                };
                made.push(column, &at)
                    .map_err(|what| places.refused(row, format!("{}: {what}", column.text)))?;
            }
        }
        let mut cells: Vec<Option<Cells>> = cells.into_iter().map(Some).collect();
        let made = &self.made;
        let of = |&column: &usize| match column.checked_sub(width) {
            Some(derived) => Cells::Typed {
                cells: &made[derived].cells,
                valid: Some(&made[derived].valid),
                from: 0,
            },
            None => {
                let at = self.read.iter().position(|c| *c == column);
                at.and_then(|at| cells[at].take()).unwrap_or(Cells::One(""))
            }
        };
        Ok(Some(Batch {
            rows,
            columns: columns.iter().map(of).collect(),
            places,
        }))
    }
}
