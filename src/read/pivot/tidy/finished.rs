//! Aggregates that need all values of a cell, the rows picked from cells, and rows that share one.

use super::groups::Groups;
use super::panels::Panel;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::pivot::aggregate::{median, quantile, sort};
use crate::pivot::axes::Numbers;
use crate::table::{count, listed};
use gridscope_core::figure::{Agg, Percent};
use gridscope_core::grid::{Cell, Merged, Number};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::student::critical;
use std::collections::{BTreeMap, HashMap};

/// All values of a column.
#[derive(Debug, Default)]
pub(super) struct AllValues {
    /// The cell of each value.
    cells: Vec<u32>,
    numbers: Numbers,
    /// Cells whose values belong to others.
    moved: HashMap<u32, u32>,
}

/// Bytes of a value where all are held: number and cell, room to grow, and its place while they are sorted.
pub(super) const BYTES_A_VALUE: u64 = 28;

impl AllValues {
    /// Takes a value of a cell.
    pub(super) fn push(&mut self, cell: u32, n: Number) {
        self.cells.push(cell);
        self.numbers.push(n);
    }

    /// The values of a cell belong to another one from now on.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        self.moved.insert(from, into);
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Calls `each` with the values of each of `cells` cells, in the order of the rows.
    fn by_cell(&self, cells: usize, mut each: impl FnMut(&mut [Number])) {
        let at = |c: &u32| *self.moved.get(c).unwrap_or(c) as usize;
        let mut starts = vec![0usize; cells + 1];
        self.cells.iter().for_each(|c| starts[at(c) + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut next = starts.clone();
        let mut sorted = vec![0u32; self.cells.len()];
        for (i, cell) in self.cells.iter().enumerate() {
            sorted[next[at(cell)]] = i as u32;
            next[at(cell)] += 1;
        }
        let mut values = Vec::new();
        for cell in 0..cells {
            values.clear();
            let own = &sorted[starts[cell]..starts[cell + 1]];
            values.extend(own.iter().map(|&i| self.numbers.get(i as usize)));
            each(&mut values);
        }
    }
}

/// Facts about the cells of a column once it is read.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// The median of each cell; nothing where no aggregate needs them.
    medians: Vec<Option<Number>>,
    /// The quantiles of each cell.
    quantiles: Vec<(Percent, Vec<Option<Number>>)>,
    /// By level of an interval: how many standard errors it reaches, by the number of values.
    factors: Vec<(Percent, HashMap<u64, f64>)>,
}

impl Finished {
    /// Of cells with these numbers of values, for these aggregates; `all` are the values where one of them needs these.
    pub(super) fn of(aggregates: &[Agg], counts: &[u64], all: Option<&AllValues>) -> Self {
        let mut out = Self::default();
        let mut medians = false;
        for agg in aggregates {
            match *agg {
                Agg::Median => medians = true,
                Agg::Quantile(p) if out.quantiles.iter().all(|q| q.0 != p) => {
                    out.quantiles.push((p, Vec::new()));
                }
                Agg::Ci(p) if out.factors.iter().all(|f| f.0 != p) => out.factors.push((p, HashMap::new())),
                _ => {}
            }
        }
        for (level, factors) in &mut out.factors {
            for n in counts.iter().copied().filter(|n| *n > 1) {
                let factor = || critical(level.share(), (n - 1) as f64);
                factors.entry(n).or_insert_with(factor);
            }
        }
        if let Some(all) = all {
            all.by_cell(counts.len(), |values| {
                if medians {
                    out.medians.push(median(values));
                }
                if !out.quantiles.is_empty() {
                    sort(values);
                }
                for (p, of_cells) in &mut out.quantiles {
                    of_cells.push(quantile(values, p.share()));
                }
            });
        }
        out
    }

    /// The median of a cell.
    pub(super) fn median(&self, cell: usize) -> Option<Number> {
        *self.medians.get(cell)?
    }

    /// A quantile of a cell.
    pub(super) fn quantile(&self, cell: usize, p: Percent) -> Option<Number> {
        let (_, of_cells) = self.quantiles.iter().find(|q| q.0 == p)?;
        *of_cells.get(cell)?
    }

    /// How many standard errors an interval of this level reaches around the mean of `n` values.
    pub(super) fn factor(&self, level: Percent, n: u64) -> Option<f64> {
        let (_, factors) = self.factors.iter().find(|f| f.0 == level)?;
        factors.get(&n).copied()
    }
}

/// The rows of all cells.
#[derive(Debug)]
pub(super) struct Picks {
    /// Whether the greatest value is looked for; else the least.
    greatest: bool,
    /// The value of each cell's row, the row, and the code of its text.
    rows: Vec<Option<(Number, u64, u32)>>,
}

impl Picks {
    pub(super) fn new(greatest: bool) -> Self {
        Self { greatest, rows: Vec::new() }
    }

    /// Makes room for this many cells in all.
    pub(super) fn resize(&mut self, cells: usize) {
        self.rows.resize(cells, None);
    }

    /// Takes a row of a cell and the code of its text.
    pub(super) fn push(&mut self, cell: u32, row: u64, value: Cell, code: u32) {
        if let Cell::Value(n) = value {
            self.take(cell as usize, (n, row, code));
        }
    }

    /// Moves the content of a cell into another one that has the same keys in other words.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        if let Some(row) = self.rows[from as usize] {
            self.take(into as usize, row);
        }
    }

    /// Of equal values the first row counts.
    fn take(&mut self, cell: usize, new: (Number, u64, u32)) {
        let place = &mut self.rows[cell];
        let wins = match place {
            None => true,
            Some((n, row, _)) => {
                let (low, high) = if self.greatest { (*n, new.0) } else { (new.0, *n) };
                low.is_below(high) || (!high.is_below(low) && new.1 < *row)
            }
        };
        if wins {
            *place = Some(new);
        }
    }

    /// The code of a cell's text; `None` of a cell without a value.
    pub(super) fn code(&self, cell: u32) -> Option<u32> {
        self.rows.get(cell as usize)?.map(|row| row.2)
    }
}

/// How the rows of a panel became values; `None` where each value is that of one row.
pub(super) fn merged(
    groups: &Groups,
    placement: &Placement,
    panel: &Panel,
    plan: &TidyPlan,
) -> Option<Merged> {
    let by = plan.aggregates[0];
    let cells = || panel.cells(placement).iter().filter(|c| **c != NOWHERE);
    let values = &groups.accumulators[panel.value];
    let counts = || cells().map(|&cell| values.count(cell)).filter(|n| *n > 0);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    // One value is its own mean, but it is neither its count nor its spread.
    if most < 2 && by != Agg::Count && !by.is_spread() {
        return None;
    }
    let differs = |i: usize| {
        let hashes = &groups.hashes[i];
        groups.differ[i] || cells().any(|&cell| hashes.get(cell as usize) == Some(&0))
    };
    let mut columns = (0..plan.others.len()).filter(|&i| differs(i));
    let column = match (columns.next(), columns.next()) {
        // What was not read may differ too.
        (Some(i), None) if !plan.schema.partial => Some(plan.schema.headers[plan.others[i]].clone()),
        _ => None,
    };
    Some(Merged { by: by.noun(), values: (least, most), column })
}

/// Reports cells of fewer rows than nearly all others have, as where a run has failed.
pub(super) fn report_uneven(groups: &Groups, placement: &Placement, shown: &[Panel], lints: &mut Lints) {
    let panels = shown.iter().filter(|p| p.value == 0);
    let cells = panels.flat_map(|panel| panel.cells(placement)).filter(|cell| **cell != NOWHERE);
    // Cells by their number of rows.
    let mut tally: BTreeMap<u64, usize> = BTreeMap::new();
    for n in cells.map(|cell| groups.counts[*cell as usize]).filter(|n| *n > 0) {
        *tally.entry(n).or_default() += 1;
    }
    let Some((&usual, &most)) = tally.iter().max_by_key(|(_, cells)| **cells) else { return };
    let (least, all) = (tally.keys().next().copied().unwrap_or(usual), tally.values().sum::<usize>());
    let fewer: usize = tally.range(..usual).map(|(_, cells)| cells).sum();
    // Where counts differ everywhere, as in bins of a random search, no number of rows is expected.
    if fewer == 0 || 4 * most < 3 * all {
        return;
    }
    let all = count(all, "cell");
    let text = format!("{fewer} of {all} have fewer rows than the {usual} of most (least: {least})");
    let hints = "--min-count hides them, --annot '{mean} ({n})' shows the number of rows";
    lints.add(LintName::UnevenCounts, fewer as u64, text).hint(hints);
}

/// Reports the rows that share a cell of the shown panels, and the columns in which they differ.
pub(super) fn report_duplicates(
    groups: &Groups,
    placement: &Placement,
    shown: &[Panel],
    plan: &TidyPlan,
    lints: &mut Lints,
) {
    let (mut rows, mut cells, mut least, mut most) = (0, 0usize, u64::MAX, 0);
    let mut differ = groups.differ.clone();
    for panel in shown.iter().filter(|p| p.value == 0) {
        for &cell in panel.cells(placement).iter().filter(|c| **c != NOWHERE) {
            let n = groups.counts[cell as usize];
            if n < 2 {
                continue;
            }
            (rows, cells, least, most) = (rows + n, cells + 1, least.min(n), most.max(n));
            differ
                .iter_mut()
                .zip(&groups.hashes)
                .for_each(|(d, hashes)| *d |= hashes.get(cell as usize) == Some(&0));
        }
    }
    if cells == 0 {
        return;
    }
    // What a key is computed from is part of the key.
    let keys = plan.roles.keys();
    let is_of_key = |column: &usize| keys.iter().any(|k| plan.schema.inputs(*k).contains(column));
    let derived = plan.others.iter().any(is_of_key);
    let names: Vec<String> = plan
        .others
        .iter()
        .zip(&differ)
        .filter(|d| *d.1 && !is_of_key(d.0))
        .map(|(&c, _)| plan.schema.headers[c].clone())
        .collect();
    let how = match (names.is_empty(), plan.schema.partial || derived) {
        // What was not read may differ.
        (true, true) => "share their keys".to_owned(),
        (true, false) => "are repeated".to_owned(),
        _ => format!("differ in {}", listed(&names)),
    };
    let spelled = if placement.respelled { ", some under keys of another spelling" } else { "" };
    let each = if least == most { least.to_string() } else { format!("{least}-{most}") };
    let text = format!("{rows} rows on {} ({each} each) {how}{spelled}; shown: mean", count(cells, "cell"));
    let lint = lints.add(LintName::DuplicateKeys, rows, text);
    // The first days of January may be of the last week of the year before.
    let argument = |function: &str| {
        let mut headers = keys.iter().map(|k| plan.schema.headers[*k].as_str());
        headers.find_map(|h| h.strip_prefix(function)?.strip_suffix(')').map(str::to_owned))
    };
    if let (Some(week), Some(year)) = (argument("week("), argument("year("))
        && week == year
    {
        lint.hint(format!(
            "calendarweek({week}) in place of week({week}): weeks of ISO 8601 begin in the year before"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_rows_is_picked() {
        let value = |v: f64| Cell::Value(Number::F64(v));
        let mut greatest = Picks::new(true);
        greatest.resize(3);
        for (row, v) in [1.0, 3.0, f64::NEG_INFINITY, 3.0].into_iter().enumerate() {
            greatest.push(0, row as u64, value(v), row as u32);
        }
        greatest.push(1, 0, value(3.0), 7);
        greatest.push(2, 9, Cell::Empty(gridscope_core::grid::State::Nan), 8);
        assert_eq!((greatest.code(0), greatest.code(2)), (Some(1), None));
        greatest.merge(0, 1);
        assert_eq!(greatest.code(0), Some(7));
        let mut least = Picks::new(false);
        least.resize(1);
        [2.0, -1.0, -1.0].iter().zip(0..).for_each(|(v, row)| least.push(0, row, value(*v), row as u32));
        assert_eq!(least.code(0), Some(1));
    }
}
