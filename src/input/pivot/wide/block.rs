//! The cells of a wide table or a matrix, filled batch by batch.

use crate::figure::Figure;
use crate::grid::{Number, State};
use crate::input::budget::{Budget, Short, Taken};
use crate::input::error::InputError;
use crate::input::ordered::{Give, in_order, waiting};
use crate::input::pivot::aggregate::Numbers;
use crate::input::pivot::filter::Condition;
use crate::input::table::{Batch, Part, TableSource};
use crate::input::value::{no_number, value};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a cell: its number, its state, and its stored bits; and of its place when the order changes.
const CELL: u64 = 14;
const MOVED: u64 = 16;
/// Bytes of a row's label beside its text, of which there are several copies; and what finding its key needs.
const LABEL: u64 = 200;
const KEY: u64 = 300;

/// Cells that a thread gives at once, and the bytes of one of them.
const PIECE: usize = 1 << 16;
const GIVEN: u64 = 16;

/// What is read of each row.
pub struct Wanted<'f> {
    /// Whether the first column is the labels of the rows.
    pub labelled: bool,
    /// A row counts if it meets them all.
    pub conditions: Vec<Condition>,
    pub nodata: Option<f64>,
    /// Whether the cells may come into another order.
    pub moves: bool,
    /// Fields of each cell beside its number.
    pub fields: usize,
    pub budget: &'f Arc<Budget>,
}

impl<'f> Wanted<'f> {
    /// What a figure wants of a table.
    ///
    /// # Errors
    /// A condition that does not fit the table.
    pub fn new(
        table: &dyn TableSource,
        labelled: bool,
        figure: &Figure,
        fields: usize,
        budget: &'f Arc<Budget>,
    ) -> Result<Self, InputError> {
        let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
        let conditions = filter
            .iter()
            .map(|c| Condition::parse(c, table.schema()))
            .collect::<Result<Vec<_>, _>>()?;
        let ordered = [&figure.x, &figure.y]
            .iter()
            .any(|a| a.order.is_some() || a.domain.is_some());
        Ok(Self {
            labelled,
            conditions,
            nodata: figure.data.nodata,
            moves: ordered || figure.data.transpose == Some(true),
            fields,
            budget,
        })
    }

    /// The first column of numbers.
    fn first(&self) -> usize {
        usize::from(self.labelled)
    }
}

/// The cells of the rows that count, as the file has them.
pub struct Block {
    pub numbers: Numbers,
    pub states: Vec<Option<State>>,
    /// One label per row, empty ones in a matrix.
    pub labels: Vec<String>,
    /// Columns of numbers.
    pub width: usize,
    /// Whether the grid's rows are the block's columns.
    pub transposed: bool,
    /// What the cells take for good, and what only putting them in order takes.
    room: Taken,
    order: Taken,
}

impl Block {
    /// Reads all rows of a table.
    ///
    /// # Errors
    /// Texts among the numbers, no rows that count, whatever is wrong with the rows, too little memory.
    pub fn read(table: &dyn TableSource, wanted: &Wanted) -> Result<Self, InputError> {
        let schema = table.schema();
        let file = schema.file.as_str();
        let width = schema.width() - wanted.first();
        let columns: Vec<usize> = (0..schema.width()).collect();
        let step = (PIECE / width).max(1);
        let piece = GIVEN * (step * width) as u64;
        let threads = table.threads().min(wanted.budget.shares(2 * piece));
        let most = waiting(threads).min(wanted.budget.shares(piece) / threads);
        // Labels are looked at as keys, whether or not an order is asked for.
        let keys = if schema.has_header { KEY * width as u64 } else { 0 };
        let mut block = Self {
            numbers: Numbers::default(),
            states: Vec::new(),
            labels: Vec::new(),
            width,
            transposed: false,
            room: wanted.budget.nothing(),
            order: wanted
                .budget
                .hold(keys)
                .map_err(|s| s.of(file, format_args!("{width} columns")))?,
        };
        let mut parts = table.parts();
        let read = |(): &mut (), mut part: Box<dyn Part + '_>, give: &mut Give<Rows>| {
            while let Some(batch) = part.next(&columns)? {
                for from in (0..batch.rows).step_by(step) {
                    give(Rows::read(&batch, from..batch.rows.min(from + step), wanted)?)?;
                }
            }
            Ok(())
        };
        let take = |_, rows: Rows| {
            let so_far = block.labels.len() + rows.labels.len();
            block
                .take(rows, wanted)
                .map_err(|s| s.of(file, format_args!("{so_far} x {width} cells so far")))
        };
        in_order((threads, most), || parts.next().transpose(), || (), read, take)?;
        let settled = block.room.settle().and_then(|()| block.order.settle());
        settled.map_err(|s| s.of(file, format_args!("{} x {width} cells", block.labels.len())))?;
        if block.labels.is_empty() {
            return Err(InputError::refused(file, "", "no row meets --where"));
        }
        Ok(block)
    }

    fn take(&mut self, rows: Rows, wanted: &Wanted) -> Result<(), Short> {
        let cells = rows.cells.len() as u64;
        let each = CELL + 16 * wanted.fields as u64;
        let texts: u64 = rows.labels.iter().map(|l| LABEL + 4 * l.len() as u64).sum();
        self.room.owe(each.saturating_mul(cells) + texts)?;
        let keys = if wanted.labelled {
            KEY * rows.labels.len() as u64
        } else {
            0
        };
        let moved = if wanted.moves {
            MOVED.saturating_mul(cells)
        } else {
            0
        };
        self.order.owe(keys + moved)?;
        self.labels.extend(rows.labels);
        for cell in rows.cells {
            match cell {
                Ok(number) => self.numbers.push(number),
                Err(_) => self.numbers.push_empty(),
            }
            self.states.push(cell.err());
        }
        Ok(())
    }

    /// The cell at a place of the grid before it is put in order.
    pub fn at(&self, row: usize, column: usize) -> Result<Number, State> {
        let i = if self.transposed {
            column * self.width + row
        } else {
            row * self.width + column
        };
        self.states[i].map_or_else(|| Ok(self.numbers.get(i)), Err)
    }

    /// The cells of all rows, one row after the other; what they take is taken to the end of the run.
    pub fn into_cells(self) -> (Numbers, Vec<Option<State>>) {
        self.room.keep();
        (self.numbers, self.states)
    }
}

/// Some rows that count.
struct Rows {
    labels: Vec<String>,
    /// The cells of all of them, one row after the other.
    cells: Vec<Result<Number, State>>,
}

impl Rows {
    fn read(batch: &Batch, all: Range<usize>, wanted: &Wanted) -> Result<Self, InputError> {
        let schema = batch.places.schema;
        let (rows, unmet) = selected(batch, all, &wanted.conditions);
        let first = wanted.first();
        let width = batch.columns.len() - first;
        let mut cells = vec![Err(State::Nan); rows.len() * width];
        // The first row with a text among its numbers, and the column of that.
        let mut text: Option<(usize, usize)> = None;
        for (c, column) in batch.columns[first..].iter().enumerate() {
            for (i, &row) in rows.iter().enumerate().take(text.map_or(rows.len(), |t| t.0)) {
                match value(column.field(row, &schema.missing), wanted.nodata) {
                    Some(cell) => cells[i * width + c] = cell,
                    None => {
                        text = Some((i, first + c));
                        break;
                    }
                }
            }
        }
        if let Some((i, column)) = text {
            let refused = |what| batch.places.refused(rows[i], what);
            let text = batch.columns[column].text(rows[i]);
            return Err(no_number(&schema.headers[column], &text, refused));
        }
        if let Some(fault) = unmet {
            return Err(fault);
        }
        let label = |&row: &usize| match batch.columns.first() {
            Some(labels) if wanted.labelled => labels.text(row).into_owned(),
            _ => String::new(),
        };
        Ok(Self {
            labels: rows.iter().map(label).collect(),
            cells,
        })
    }
}

/// The rows that meet all conditions, up to the first that cannot be compared, and why it cannot.
fn selected(batch: &Batch, all: Range<usize>, conditions: &[Condition]) -> (Vec<usize>, Option<InputError>) {
    let schema = batch.places.schema;
    let mut rows = Vec::with_capacity(all.len());
    'rows: for row in all {
        for c in conditions {
            match c.matches(&batch.columns[c.column()], row, schema) {
                Ok(true) => {}
                Ok(false) => continue 'rows,
                Err(fault) => return (rows, Some(fault)),
            }
        }
        rows.push(row);
    }
    (rows, None)
}
