//! The cells of a wide table or a matrix, filled batch by batch; rows with equal labels are merged.

use super::WideColumns;
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use crate::field::shown;
use crate::ordered::{Give, in_order, waiting};
use crate::pivot::axes::CellValues;
use crate::pivot::filter::{Condition, Selected, add_met, no_row, selected};
use crate::pivot::keys::{KeyOptions, Keys};
use crate::pivot::tidy::aggregate;
use crate::table::{Batch, Cells, Part, TableSource};
use crate::value::{no_number, value};
use gridscope_core::figure::{Agg, Figure};
use gridscope_core::grid::{Cell, Merged, Number, State};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a cell: its number, its state, and its stored bits; of a field beside its number; of its place when the order
/// changes.
const CELL: u64 = 14;
const FIELD: u64 = 16;
pub(super) const MOVED: u64 = 16;
/// Bytes of a row's label beside its text, of which there are several copies; and what finding its key needs.
const LABEL: u64 = 200;
const KEY: u64 = 300;

/// Separator of a row's labels where it has several; it is in no text.
pub(super) const BETWEEN: char = '\u{1f}';

/// Cells that a thread gives at once, and the bytes of one of them.
const PIECE: usize = 1 << 16;
const GIVEN: u64 = 16;

/// The cells of the rows that count, as the file has them.
pub(super) struct Body {
    pub cells: CellValues,
    /// One label per row, empty ones in a matrix; several are parted by [`BETWEEN`].
    pub labels: Vec<String>,
    /// Columns of numbers.
    pub width: usize,
    /// The texts of each row in further columns, by column.
    pub texts: Vec<Vec<String>>,
    /// Rows without a label.
    pub unlabelled: u64,
    /// Bytes that the cells take for good, and those that only putting them in order takes.
    room: Reservation,
    order: Reservation,
}

impl Body {
    /// Reads all rows of a table; `texts` are further columns, `fields` those of each cell beside its number.
    ///
    /// # Errors
    /// Texts among the numbers, no rows that count, whatever is wrong with the rows, too little memory.
    pub(super) fn read(
        table: &dyn TableSource,
        chosen: &WideColumns,
        texts: &[usize],
        figure: &Figure,
        fields: usize,
        budget: &Arc<Budget>,
    ) -> Result<Self, InputError> {
        let schema = table.schema();
        let file = schema.file.as_str();
        let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
        let conditions: Result<Vec<_>, _> = filter.iter().map(|c| Condition::parse(c, schema)).collect();
        let mut columns: Vec<usize> = chosen.labels.iter().chain(&chosen.values).copied().collect();
        let (first, width) = (chosen.labels.len(), chosen.values.len());
        let mut places = vec![None; schema.width()];
        for (place, &column) in columns.iter().enumerate() {
            places[column] = Some(place);
        }
        let mut place = |column: usize| {
            *places[column].get_or_insert_with(|| {
                columns.push(column);
                columns.len() - 1
            })
        };
        let texts: Vec<usize> = texts.iter().map(|&column| place(column)).collect();
        // Conditions may look at columns that are not drawn.
        for condition in conditions.iter().flatten() {
            place(condition.column());
        }
        let reader = RowReader {
            first,
            columns: &columns,
            places,
            width,
            texts: &texts,
            conditions: conditions?,
            nodata: figure.data.nodata,
        };
        let (mut seen, mut met) = (0, Vec::new());
        let step = (PIECE / width).max(1);
        let piece = GIVEN * (step * width) as u64;
        let threads = table.threads().min(budget.shares(2 * piece));
        let most = waiting(threads).min(budget.shares(piece) / threads);
        // Labels are looked at as keys, whether or not an order is asked for.
        let keys = if schema.has_header { KEY * width as u64 } else { 0 };
        let order = budget.reserve(keys);
        let mut body = Self {
            cells: CellValues::default(),
            labels: Vec::new(),
            width,
            texts: vec![Vec::new(); texts.len()],
            unlabelled: 0,
            room: budget.nothing(),
            order: order.map_err(|s| s.of(file, format_args!("{width} columns")))?,
        };
        let [x, y] = [&figure.x, &figure.y].map(|a| a.order.is_some() || a.domain.is_some());
        let moves = x || y || figure.data.transpose == Some(true);
        let of_cell = CELL + FIELD * fields as u64;
        let of_order = (if moves { MOVED } else { 0 }, if first > 0 { KEY } else { 0 });
        let mut parts = table.parts();
        let read = |(): &mut (), mut part: Box<dyn Part + '_>, give: &mut Give<BodyRows>| {
            while let Some(batch) = part.next(&columns)? {
                let rows = batch.rows as u32;
                for from in (0..rows).step_by(step) {
                    give(reader.read(&batch, from..rows.min(from.saturating_add(step as u32)))?)?;
                }
            }
            Ok(())
        };
        let take = |_, rows: BodyRows| {
            seen += rows.seen;
            body.unlabelled += rows.unlabelled;
            add_met(&mut met, &rows.met);
            let so_far = body.labels.len() + rows.labels.len();
            body.take(rows, of_cell, of_order)
                .map_err(|s| s.of(file, format_args!("{so_far} x {width} cells so far")))
        };
        in_order((threads, most), || parts.next().transpose(), || (), read, take)?;
        let settled = body.room.settle().and_then(|()| body.order.settle());
        settled.map_err(|s| s.of(file, format_args!("{} x {width} cells", body.labels.len())))?;
        if body.labels.is_empty() {
            return Err(no_row(file, &reader.conditions, seen, &met));
        }
        Ok(body)
    }

    /// Takes further rows: `of_cell` bytes of each cell, and for putting them in order those of a cell and of a row.
    fn take(&mut self, rows: BodyRows, of_cell: u64, (moved, key): (u64, u64)) -> Result<(), OverBudget> {
        let cells = rows.cells.len() as u64;
        let texts = rows.labels.iter().chain(rows.texts.iter().flatten());
        let texts: u64 = texts.map(|l| LABEL + 4 * l.len() as u64).sum();
        self.room.owe(of_cell.saturating_mul(cells) + texts)?;
        let keys = key * rows.labels.len() as u64;
        self.order.owe(keys + moved.saturating_mul(cells))?;
        self.labels.extend(rows.labels);
        self.texts.iter_mut().zip(rows.texts).for_each(|(all, texts)| all.extend(texts));
        rows.cells.into_iter().for_each(|cell| self.cells.push(cell));
        Ok(())
    }

    /// The cell of a row and a column of the file.
    pub(super) fn at(&self, row: usize, column: usize) -> Cell {
        self.cells.at(row * self.width + column)
    }

    /// Puts cells of the same columns in place of its own, a row for each of these groups of rows.
    ///
    /// # Errors
    /// Two texts in the rows of a group.
    fn replace(&mut self, groups: &[Vec<usize>], cells: CellValues, file: &str) -> Result<(), InputError> {
        for texts in &mut self.texts {
            if let Some((group, other)) = groups.iter().find_map(|g| {
                let other = g.iter().find(|&&row| texts[row] != texts[g[0]])?;
                Some((g, *other))
            }) {
                let label = self.labels[group[0]].replace(BETWEEN, ", ");
                let (one, two) = (shown(&texts[group[0]]), shown(&texts[other]));
                let what =
                    format!("the rows of {} that are merged have the texts {one} and {two}", shown(&label));
                return Err(InputError::usage(file, what));
            }
            *texts = groups.iter().map(|group| texts[group[0]].clone()).collect();
        }
        self.labels = groups.iter().map(|group| self.labels[group[0]].clone()).collect();
        self.cells = cells;
        Ok(())
    }

    /// The cells of all rows, one row after the other; what they take is taken to the end of the run.
    pub(super) fn into_cells(self) -> CellValues {
        self.room.keep();
        self.cells
    }
}

/// How rows are read.
struct RowReader<'c> {
    /// The first column of numbers among those that are read, and how many follow; those before it are the labels of the rows.
    first: usize,
    width: usize,
    /// The places of columns of texts.
    texts: &'c [usize],
    /// The columns that are read, and by column of the file its place among them.
    columns: &'c [usize],
    places: Vec<Option<usize>>,
    /// A row counts if it meets them all.
    conditions: Vec<Condition>,
    nodata: Option<f64>,
}

/// Some rows that count.
struct BodyRows {
    /// Rows that were looked at, and by condition those that meet it and the ones before.
    seen: u64,
    met: Vec<u64>,
    labels: Vec<String>,
    texts: Vec<Vec<String>>,
    /// Rows without a label.
    unlabelled: u64,
    /// The cells of all of them, one row after the other.
    cells: Vec<Cell>,
}

impl RowReader<'_> {
    fn read(&self, batch: &Batch, range: Range<u32>) -> Result<BodyRows, InputError> {
        let (schema, first, width) = (batch.places.schema, self.first, self.width);
        let seen = u64::from(range.end - range.start);
        let place = |column: usize| self.places[column].unwrap_or(0);
        let Selected { mut rows, met, fault } = selected(batch, range, &self.conditions, schema, place);
        let is_blank = |row: u32, labels: &Cells| labels.text(row as usize).trim().is_empty();
        let labels = &batch.columns[..first];
        let unlabelled = match &schema.blank_key {
            None => {
                let before = rows.len();
                rows.retain(|&row| !labels.iter().any(|labels| is_blank(row, labels)));
                before - rows.len()
            }
            Some(_) if first == 0 => 0,
            Some(_) => rows.iter().filter(|&&row| labels.iter().all(|labels| is_blank(row, labels))).count(),
        };
        let mut cells = vec![Cell::Empty(State::Nan); rows.len() * width];
        // The first row with a text among its numbers, and the column of that.
        let mut text: Option<(usize, usize)> = None;
        for (c, column) in batch.columns[first..first + width].iter().enumerate() {
            for (i, &row) in rows.iter().enumerate().take(text.map_or(rows.len(), |t| t.0)) {
                match value(column.field(row as usize, &schema.missing), self.nodata) {
                    Some(cell) => cells[i * width + c] = cell,
                    None => {
                        text = Some((i, first + c));
                        break;
                    }
                }
            }
        }
        if let Some((i, column)) = text {
            let row = rows[i] as usize;
            let text = batch.columns[column].text(row);
            let refused = |what| batch.places.refused(row, what);
            return Err(no_number(&schema.headers[self.columns[column]], &text, refused));
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        let blank = schema.blank_key.as_deref().unwrap_or_default();
        let label = |&row: &u32| {
            let mut label = String::new();
            for (i, labels) in labels.iter().enumerate() {
                if i > 0 {
                    label.push(BETWEEN);
                }
                let text = labels.text(row as usize);
                label.push_str(if text.trim().is_empty() { blank } else { &text });
            }
            label
        };
        let text = |column: &Cells| -> Vec<String> {
            rows.iter().map(|&row| column.text(row as usize).trim().to_owned()).collect()
        };
        let texts = self.texts.iter().map(|&place| text(&batch.columns[place])).collect();
        Ok(BodyRows {
            seen,
            met,
            unlabelled: unlabelled as u64,
            labels: rows.iter().map(label).collect(),
            texts,
            cells,
        })
    }
}

/// Whether a label appears twice.
pub(super) fn repeats(labels: &[String]) -> bool {
    let mut seen = HashSet::new();
    labels.iter().any(|label| !seen.insert(label.as_str()))
}

/// Merges the rows whose labels are one key; those without a label are one, which is called as `blank` says. How the rows became values, `None` where each value
/// is that of one row; and the cells of these further aggregates, as those of the body.
///
/// # Errors
/// Labels that are not keys, too little memory.
pub(super) fn merge(
    body: &mut Body,
    agg: Agg,
    further: &[Agg],
    blank: Option<&str>,
    file: &str,
) -> Result<(Option<Merged>, Vec<Vec<f64>>), InputError> {
    let texts = body.labels.iter().map(String::as_str);
    let keys = Keys::read("", texts, KeyOptions { blank, ..KeyOptions::default() }, file)?;
    // The rows of each key, in the order of the first.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![None; keys.labels.len()];
    for (row, &code) in keys.codes.iter().enumerate() {
        match place.get_mut(code as usize) {
            Some(Some(at)) => {
                let group: &mut Vec<usize> = &mut rows[*at];
                group.push(row);
            }
            of_key => {
                if let Some(first) = of_key {
                    *first = Some(rows.len());
                }
                rows.push(vec![row]);
            }
        }
    }
    let (mut least, mut most) = (u64::MAX, 0);
    let mut fields = vec![Vec::with_capacity(rows.len() * body.width); further.len()];
    let mut cell = |group: &[usize], column: usize| {
        let cells = group.iter().map(|&row| body.at(row, column));
        let values: Vec<Number> = cells.filter_map(Cell::value).collect();
        if !values.is_empty() {
            (least, most) = (least.min(values.len() as u64), most.max(values.len() as u64));
        }
        let empty = values.is_empty().then(|| body.at(group[0], column));
        for (field, agg) in fields.iter_mut().zip(further) {
            field.push(field_of(*agg, &values, empty));
        }
        match aggregate(agg, &values) {
            Some(number) => Cell::Value(number),
            None => empty.unwrap_or(Cell::Empty(State::Nan)),
        }
    };
    let width = body.width;
    let mut cells = Vec::with_capacity(rows.len() * width);
    for group in &rows {
        cells.extend((0..width).map(|column| cell(group, column)));
    }
    body.replace(&rows, CellValues::of(cells.len(), cells.into_iter()), file)?;
    if let Some(blank) = keys.blank {
        let unnamed = body.labels.iter_mut().filter(|label| label.trim().is_empty());
        unnamed.for_each(|label| label.clone_from(&keys.labels[blank as usize]));
    }
    let same = most < 2 && agg != Agg::Count && !agg.is_spread();
    let merged = (!same).then(|| Merged { by: agg.noun(), values: (least.min(most), most), column: None });
    Ok((merged, fields))
}

/// A further number of a cell with these values; `empty` is the cell where there are none.
pub(super) fn field_of(agg: Agg, values: &[Number], empty: Option<Cell>) -> f64 {
    // A count distinguishes a missing value from a masked one.
    let is_known = matches!(empty, None | Some(Cell::Empty(State::Nan)));
    let number = is_known.then(|| aggregate(agg, values)).flatten();
    number.map_or(f64::NAN, Number::as_f64)
}
