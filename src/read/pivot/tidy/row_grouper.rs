//! Rows grouped by their cells: the work on a table that its threads share.

use super::groups::{Dictionary, Pairs, is_surely_key};
use super::panels::is_many;
use super::plan::{Operand, TidyPlan};
use crate::error::InputError;
use crate::ordered::Give;
use crate::pivot::filter::{Selected, selected};
use crate::pivot::keys::Domain;
use crate::table::{Batch, Cells, ColumnValues, GroupValues, Grouping, Part};
use crate::value::{no_number, value};
use foldhash::fast::RandomState;
use gridscope_core::figure::Agg;
use gridscope_core::grid::{Cell, Number, State};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows that are grouped at once.
const SLICE: usize = 1 << 15;

/// Bytes that what a slice gives takes while it waits, where each text is new.
pub(super) fn bytes_of_slice(plan: &TidyPlan) -> u64 {
    let a_row = 8
        + 16 * (plan.values() + plan.further.len())
        + 8 * plan.others.len()
        + 72 * (plan.coded().len() + plan.ordering.len())
        + 8 * plan.steps.len();
    (SLICE * a_row) as u64
}

/// Result of a run of rows. Codes are those of the thread that gave it.
#[derive(Debug, Default)]
pub(super) struct GroupedRows {
    /// Rows of the table.
    pub rows: u64,
    /// By condition: the rows that meet it and those before it.
    pub met: Vec<u64>,
    /// The texts of each coded column that were not met before, by their codes.
    pub new_texts: Vec<Vec<String>>,
    /// Texts of each panel column that were not met before, of all rows, where they give an order.
    pub new_panels: Vec<Vec<String>>,
    /// The pairs of each step that were not met before.
    pub new_pairs: Vec<Vec<[u32; 2]>>,
    /// Of each row that counts, its cell.
    pub cells: Vec<u32>,
    /// Its values, by value column.
    pub values: Vec<Vec<Cell>>,
    /// Where an engine has grouped the rows: how many each is, and by value column what is known of their values. Else nothing.
    pub weights: Vec<u64>,
    pub parts: Vec<Vec<GroupValues>>,
    /// Its texts, by coded column that is not a key.
    pub texts: Vec<Vec<u32>>,
    /// Hashes of its texts, by column in which rows may differ.
    pub hashes: Vec<Vec<u64>>,
    /// Rows whose value is a text; whether they count is known once all keys are.
    pub faults: Vec<(usize, InputError)>,
    /// Whether one of them surely counts, so that no further row matters.
    pub failed: bool,
}

/// Memory of a thread.
pub(super) struct RowGrouper<'p> {
    plan: &'p TidyPlan<'p>,
    /// Columns of `plan.others` that are known to differ.
    differ: &'p [AtomicBool],
    hasher: RandomState,
    coders: Vec<Coder>,
    /// The texts of the panel columns in all rows.
    panels: Vec<Coder>,
    pairs: Vec<Pairs>,
    /// Rows of the batches before.
    seen: usize,
}

impl<'p> RowGrouper<'p> {
    /// One for a thread; all threads share the hasher.
    pub(super) fn new(plan: &'p TidyPlan<'p>, differ: &'p [AtomicBool], hasher: RandomState) -> Self {
        let coders = plan.coded().iter().map(|_| Coder::default()).collect();
        Self {
            plan,
            differ,
            hasher,
            coders,
            panels: plan.ordering.iter().map(|_| Coder::default()).collect(),
            pairs: plan.steps.iter().map(|_| Pairs::default()).collect(),
            seen: 0,
        }
    }

    /// Groups a run of rows by their cells and gives them some at a time.
    ///
    /// # Errors
    /// Faults of the rows.
    pub(super) fn group(
        &mut self,
        mut part: Box<dyn Part + '_>,
        give: &mut Give<GroupedRows>,
    ) -> Result<(), InputError> {
        let plan = self.plan;
        while let Some(batch) = part.next(&plan.columns)? {
            let rows = batch.rows as u32;
            // Rows are grouped in slices, so that what is made of them stays near the processor.
            for from in (0..rows).step_by(SLICE) {
                give(self.slice(&batch, from..rows.min(from + SLICE as u32))?)?;
            }
            self.seen += batch.rows;
        }
        Ok(())
    }

    /// Groups some rows of a run.
    fn slice(&mut self, batch: &Batch, all: Range<u32>) -> Result<GroupedRows, InputError> {
        let plan = self.plan;
        let place = |column| plan.place(column);
        let Selected { rows, met, fault } =
            selected(batch, all.clone(), &plan.conditions, plan.schema, place);
        if let Some(fault) = fault {
            return Err(fault);
        }
        let new_panels = self.new_panels(batch, &all);
        let missing = &plan.schema.missing;
        let keys = plan.roles.keys().len();
        let mut new_texts = Vec::new();
        let mut codes = Vec::new();
        for (i, column) in plan.coded().into_iter().enumerate() {
            let domain = plan.domains.get(i).and_then(Option::as_ref);
            let sure =
                |t: &str| i < keys && is_surely_key(t, missing) && domain.is_none_or(|d: &Domain| d.names(t));
            let (of_rows, news) = self.coders[i].code(&batch.columns[plan.place(column)], &rows, &sure);
            codes.push(of_rows);
            new_texts.push(news);
        }
        let texts = codes.split_off(keys);
        let (mut steps, mut new_pairs): (Vec<Vec<u32>>, _) = (Vec::new(), Vec::new());
        for (pairs, [a, b]) in self.pairs.iter_mut().zip(&plan.steps) {
            let of = |o: &Operand| match o {
                Operand::Key(k) => &codes[*k],
                Operand::Step(s) => &steps[*s],
            };
            let met = pairs.list.len();
            let step = paired(pairs, of(a), of(b));
            steps.push(step);
            new_pairs.push(pairs.list[met..].to_vec());
        }
        let mut grouped = GroupedRows {
            rows: all.len() as u64,
            met,
            cells: steps.pop().unwrap_or_default(),
            new_texts,
            new_panels,
            new_pairs,
            texts,
            ..GroupedRows::default()
        };
        let coded = || codes.iter().zip(&self.coders);
        let surely = |i: usize| coded().all(|(codes, coder)| coder.sure[codes[i] as usize]);
        for &column in &plan.roles.values {
            let values = self.values(batch, column, &plan.aggregates, &rows, &surely, &mut grouped);
            grouped.values.push(values);
        }
        if plan.roles.values.is_empty() {
            // A count without a column counts rows.
            grouped.values.push(vec![Cell::Value(Number::I64(1)); rows.len()]);
        }
        for further in &plan.further {
            let values =
                self.values(batch, further.column, &further.aggregates, &rows, &surely, &mut grouped);
            grouped.values.push(values);
        }
        if let Some(grouping) = &plan.schema.grouping {
            self.add_parts(grouping, &all, &rows, &mut grouped);
        }
        if let Some(condition) = &plan.pending {
            let cells = &batch.columns[plan.place(condition.column())];
            for (i, &row) in rows.iter().enumerate() {
                match condition.matches(cells, row as usize, plan.schema) {
                    Ok(true) => grouped.values.iter_mut().for_each(|v| v[i] = Cell::Empty(State::Pending)),
                    Ok(false) => {}
                    Err(fault) => grouped.failed |= fails(&mut grouped.faults, i, fault, &surely),
                }
            }
        }
        grouped.hashes = plan
            .others
            .iter()
            .zip(self.differ)
            .map(|(&c, differs)| self.hashes(batch, c, &rows, differs))
            .collect();
        Ok(grouped)
    }

    /// Adds what an engine knows of the rows that it has grouped.
    fn add_parts(&self, grouping: &Grouping, all: &Range<u32>, rows: &[u32], grouped: &mut GroupedRows) {
        let plan = self.plan;
        let at = |row: u32| self.seen + row as usize;
        grouped.rows = all.clone().map(|row| grouping.rows[at(row)]).sum();
        grouped.weights = rows.iter().map(|row| grouping.rows[at(*row)]).collect();
        let counted = |row: &u32| {
            let count = grouping.rows[at(*row)];
            GroupValues { count, greatest: Number::I64(1), sum: Number::I64(count as i64), squares: 0.0 }
        };
        let columns = plan.roles.values.iter().copied().chain(plan.further.iter().map(|f| f.column));
        if plan.roles.values.is_empty() {
            grouped.parts.push(rows.iter().map(counted).collect());
        }
        for column in columns {
            let parts = grouping.of(&plan.schema.headers[column]).expect("values of groups have parts");
            grouped.parts.push(rows.iter().map(|row| parts[at(*row)]).collect());
        }
    }

    /// The texts of each panel column that are new in these rows, where they give an order.
    fn new_panels(&mut self, batch: &Batch, rows: &Range<u32>) -> Vec<Vec<String>> {
        let plan = self.plan;
        let of = |(&column, coder): (&usize, &mut Coder)| {
            if is_many(coder.texts.count()) {
                return Vec::new();
            }
            let rows: Vec<u32> = rows.clone().collect();
            let cells = &batch.columns[plan.place(column)];
            coder.code(cells, &rows, &|_| false).1
        };
        plan.ordering.iter().zip(&mut self.panels).map(of).collect()
    }

    /// The values of a column in some rows, for these aggregates.
    fn values(
        &self,
        batch: &Batch,
        column: usize,
        aggregates: &[Agg],
        rows: &[u32],
        surely: &dyn Fn(usize) -> bool,
        grouped: &mut GroupedRows,
    ) -> Vec<Cell> {
        let plan = self.plan;
        let cells = &batch.columns[plan.place(column)];
        let as_is = plan.schema.missing.is_empty() && plan.nodata.is_none();
        if let Cells::Typed { cells, valid: None, from } = cells
            && let ColumnValues::F64(of) = cells
            && as_is
        {
            let one = |row: &u32| match of[from + *row as usize] {
                v if v.is_nan() => Cell::Empty(State::Nan),
                v => Cell::Value(Number::F64(v)),
            };
            return rows.iter().map(one).collect();
        }
        let mut values = Vec::with_capacity(rows.len());
        for (i, &row) in rows.iter().enumerate() {
            let row = row as usize;
            let read = value(cells.field(row, &plan.schema.missing), plan.nodata);
            values.push(match read {
                Some(v) => v,
                // A count needs values, not numbers.
                None if aggregates.iter().all(|a| *a == Agg::Count) => Cell::Value(Number::I64(1)),
                None => {
                    let fault = no_number(&plan.schema.headers[column], &cells.text(row), |what| {
                        batch.places.refused(row, what)
                    });
                    grouped.failed |= fails(&mut grouped.faults, i, fault, surely);
                    Cell::Empty(State::Nan)
                }
            });
        }
        values
    }

    fn hashes(&self, batch: &Batch, column: usize, rows: &[u32], differs: &AtomicBool) -> Vec<u64> {
        if differs.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let cells = &batch.columns[self.plan.place(column)];
        // 0 means texts that differ.
        rows.iter().map(|&row| self.hasher.hash_one(cells.text(row as usize)).max(1)).collect()
    }
}

/// Adds a row's fault unless one that surely counts is before it; whether this one does.
fn fails(
    faults: &mut Vec<(usize, InputError)>,
    row: usize,
    fault: InputError,
    surely: &dyn Fn(usize) -> bool,
) -> bool {
    /// Doubtful rows of a run whose faults are remembered.
    const MOST: usize = 1000;
    let sure = surely(row);
    if sure && !faults.iter().any(|f| f.0 <= row && surely(f.0)) || !sure && faults.len() < MOST {
        faults.push((row, fault));
    }
    sure
}

/// The codes of pairs.
fn paired(pairs: &mut Pairs, a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut last = None;
    let code = |(&a, &b): (&u32, &u32)| match last {
        // Neighbouring rows often share a cell.
        Some((x, y, code)) if (x, y) == (a, b) => code,
        _ => {
            let code = pairs.code(a, b);
            last = Some((a, b, code));
            code
        }
    };
    a.iter().zip(b).map(code).collect()
}

/// The codes of a column's texts.
#[derive(Debug, Default)]
struct Coder {
    texts: Dictionary,
    /// By code: whether it is a key whatever else the column holds.
    sure: Vec<bool>,
    /// The codes of numbers, by their bits.
    numbers: HashMap<u64, u32, RandomState>,
}

impl Coder {
    /// The codes of some rows, and the texts that are new.
    fn code(
        &mut self,
        cells: &Cells,
        rows: &[u32],
        surely: &dyn Fn(&str) -> bool,
    ) -> (Vec<u32>, Vec<String>) {
        let mut news = Vec::new();
        let mut coder = |text: &str, sure: &mut Vec<bool>| {
            let (code, new) = self.texts.code(text);
            if new {
                news.push(text.to_owned());
                sure.push(surely(text));
            }
            code
        };
        let sure = &mut self.sure;
        let codes = match cells {
            _ if rows.is_empty() => Vec::new(),
            Cells::One(text) => vec![coder(text, sure); rows.len()],
            Cells::Texts(texts) => {
                let mut last: Option<(&str, u32)> = None;
                let of = |&row: &u32| {
                    let text = texts[row as usize];
                    match last {
                        Some((t, code)) if t == text => code,
                        _ => {
                            let code = coder(text, sure);
                            last = Some((text, code));
                            code
                        }
                    }
                };
                rows.iter().map(of).collect()
            }
            Cells::Typed { cells: ColumnValues::Texts { codes, texts }, valid, from } => {
                let mut known: Vec<Option<u32>> = vec![None; texts.len()];
                let of = |&row: &u32| match valid {
                    Some(v) if !v[from + row as usize] => coder("", sure),
                    _ => {
                        let at = codes[from + row as usize] as usize;
                        *known[at].get_or_insert_with(|| coder(&texts[at], sure))
                    }
                };
                rows.iter().map(of).collect()
            }
            Cells::Typed { cells: typed, valid, from } => {
                let numbers = &mut self.numbers;
                let of = |&row: &u32| match valid {
                    Some(v) if !v[from + row as usize] => coder("", sure),
                    _ => *numbers
                        .entry(typed.bits(from + row as usize))
                        .or_insert_with(|| coder(&typed.text(from + row as usize), sure)),
                };
                rows.iter().map(of).collect()
            }
        };
        (codes, news)
    }
}
