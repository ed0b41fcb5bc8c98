//! A table with derived columns, and the pass over its rows that edges of bins are made of.

use super::Opened;
use super::bins::Spread;
use super::made::{Derived, Made, Row};
use super::said::said;
use crate::budget::Budget;
use crate::error::InputError;
use crate::expression::{Cut, Expression};
use crate::numeral::Numeral;
use crate::ordered::{Give, in_order, waiting};
use crate::pivot::filter::{Condition, selected};
use crate::table::{Batch, Cells, Part, Parts, Reads, Schema, TableSource, rereadable};
use gridscope_core::figure::Figure;
use std::collections::BTreeSet;
use std::sync::Arc;

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
            // Conditions on it write numbers as those on its columns do.
            let numeral = inputs.iter().find_map(|c| schema.numeral(*c));
            let said = said(column, &schema.headers).filter(|_| bins.is_none());
            schema.add_derived(&column.text, inputs, bins);
            if let Some(said) = said {
                schema.say(&column.text, said);
            }
            if let Some(numeral) = numeral {
                schema.set_numerals(&[(schema.width() - 1, Numeral { unit: None, ..numeral })]);
            }
        }
        Self { width: source.schema().width(), source, schema, columns }
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
        Box::new(self.source.parts().map(move |inner| Ok(Box::new(part(inner?)) as Box<dyn Part>)))
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
            self.table.columns[column - width].expression.columns(&mut self.read);
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
        let Batch { rows, columns: cells, places } = batch;
        for &asked in columns.iter().filter(|c| **c >= width) {
            let (column, made) = (&table.columns[asked - width], &mut self.made[asked - width]);
            let first = Row { schema: table.source.schema(), columns: &self.read, cells: &cells, row: 0 };
            made.fill(column, first, rows)
                .map_err(|(row, what)| places.refused(row, format!("{}: {what}", column.text)))?;
        }
        let mut cells: Vec<Option<Cells>> = cells.into_iter().map(Some).collect();
        let made = &self.made;
        let of = |&column: &usize| match column.checked_sub(width) {
            Some(derived) => {
                Cells::Typed { cells: made[derived].cells(), valid: Some(made[derived].valid()), from: 0 }
            }
            None => {
                let at = self.read.iter().position(|c| *c == column);
                at.and_then(|at| cells[at].take()).unwrap_or(Cells::One(""))
            }
        };
        Ok(Some(Batch { rows, columns: columns.iter().map(of).collect(), places }))
    }
}

/// A column of bins or of ranks.
pub(super) struct Asked<'w> {
    pub text: &'w str,
    pub of: &'w Expression,
    pub cut: &'w Cut,
    /// It is a key or a text, not a value.
    pub is_key: bool,
}

/// Bytes that what a batch gives may take while it waits, for each column whose numbers are held.
const LOOK: u64 = 1 << 18;

/// Spreads of the numbers of the rows, by column; columns whose edges are given read no row. All tables together, which
/// can be read again. Rows are those that conditions leave, or all.
///
/// # Errors
/// A text among the numbers, whatever is wrong with the rows, too little memory.
pub(super) fn spreads_of(
    tables: Vec<Opened>,
    asked: &[Asked],
    figure: &Figure,
    all_rows: bool,
    budget: &Arc<Budget>,
) -> Result<(Vec<Opened>, Vec<Spread>), InputError> {
    let mut spreads: Vec<Spread> = asked.iter().map(|_| Spread::default()).collect();
    if !asked.iter().any(|a| a.cut.needs_rows()) {
        return Ok((tables, spreads));
    }
    let again = |e: InputError| {
        if e.hint.is_none() { e.with_hint("bin(COLUMN, edges=0,1,2) needs the rows only once") } else { e }
    };
    let mut held = Vec::with_capacity(tables.len());
    for (table, lints) in tables {
        held.push((rereadable(table, budget).map_err(again)?, lints));
    }
    let schema = held[0].0.schema();
    let all = figure.data.filter.iter().flat_map(|f| &f.0).filter(|_| !all_rows);
    let conditions: Vec<Condition> = all.map(|c| Condition::parse(c, schema)).collect::<Result<_, _>>()?;
    let mut inputs = Vec::new();
    let of_rows = asked.iter().filter(|a| a.cut.needs_rows());
    of_rows.for_each(|a| a.of.columns(&mut inputs));
    let columns: BTreeSet<usize> = conditions.iter().map(Condition::column).chain(inputs).collect();
    let columns: Vec<usize> = columns.into_iter().collect();
    let mut room = budget.nothing();
    for (table, _) in &held {
        let table = table.as_ref();
        let mut parts = table.parts();
        let look = |(): &mut (), part: Box<dyn Part + '_>, give: &mut Give<Vec<Spread>>| {
            part_spreads(part, table, asked, &columns, &conditions, give)
        };
        let take = |_, of_batch: Vec<Spread>| {
            let bytes = of_batch.iter().map(Spread::bytes).sum();
            spreads.iter_mut().zip(of_batch).for_each(|(all, more)| all.append(more));
            room.owe(bytes)
                .map_err(|s| s.of(&table.schema().file, "the numbers of a column for its quantiles"))
        };
        let threads = table.threads();
        let held = asked.iter().filter(|a| a.is_held()).count() as u64;
        let most = match held * LOOK * threads as u64 {
            0 => waiting(threads),
            bytes => waiting(threads).min(budget.shares(bytes)),
        };
        in_order((threads, most), || parts.next().transpose(), || (), look, take)?;
    }
    Ok((held, spreads))
}

impl Asked<'_> {
    /// Whether its edges take all numbers in memory.
    fn is_held(&self) -> bool {
        matches!(self.cut, Cut::Quantile(_) | Cut::Rank)
    }
}

/// Spreads of the rows of a part, a batch at a time.
fn part_spreads(
    mut part: Box<dyn Part + '_>,
    table: &dyn TableSource,
    asked: &[Asked],
    columns: &[usize],
    conditions: &[Condition],
    give: &mut Give<Vec<Spread>>,
) -> Result<(), InputError> {
    let schema = table.schema();
    let place = |column: usize| columns.partition_point(|c| *c < column);
    while let Some(batch) = part.next(columns)? {
        let rows = selected(&batch, 0..batch.rows as u32, conditions, schema, place);
        if let Some(fault) = rows.fault {
            return Err(fault);
        }
        let mut spreads: Vec<Spread> = asked.iter().map(|_| Spread::default()).collect();
        for (asked, spread) in asked.iter().zip(&mut spreads).filter(|a| a.0.cut.needs_rows()) {
            for &row in &rows.rows {
                let at = Row { schema, columns, cells: &batch.columns, row: row as usize };
                let number = at.number(asked.of);
                let refused = |what| {
                    let what = format!("{}: {what}", asked.text);
                    batch.places.refused(row as usize, what)
                };
                if let Some(n) = number.map_err(refused)? {
                    spread.take(n.as_f64(), asked.is_held());
                }
            }
        }
        give(spreads)?;
    }
    Ok(())
}
