//! The groups of rows that make the cells of a tidy table, while its rows are read: memory grows with the cells.

use super::accumulator::Accumulator;
use super::finished::{BYTES_A_VALUE, Picks};
use super::panels::PanelTexts;
use super::plan::{Operand, TidyPlan};
use super::row_grouper::GroupedRows;
use crate::budget::{Budget, OverBudget, Reservation};
use crate::error::InputError;
use crate::field::MISSING;
use crate::pivot::filter::add_met;
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of a text that a cell shows, beside its own.
const SHOWN: u64 = 104;
/// Bytes of a text beside its own: here, as a key of an axis with its label, and in a thread. In the end there are
/// [`COPIES`] of its bytes, and one in each thread.
const TEXT: u64 = 96;
const KEY: u64 = 300;
const COPIES: u64 = 3;
/// Bytes of a cell beside its accumulators, until it is in a grid.
const CELL: u64 = 48;
/// Bytes of a cell for each row of which it shows a text.
const PICK: u64 = 40;
/// Bytes of a cell for each further column of an axis.
const LEVEL: u64 = 100;
/// Bytes of a pair, here or in a thread.
const PAIR: u64 = 48;

/// Everything that the rows have given.
pub(super) struct Groups {
    /// The texts of each coded column.
    pub texts: Vec<Dictionary>,
    /// The texts of each panel column, where rows that do not count take part in the order of panels.
    pub panels: Vec<PanelTexts>,
    /// The pairs of each step; the last are the cells.
    pub pairs: Vec<Pairs>,
    /// Rows of the table.
    pub rows: u64,
    /// By condition: the rows that meet it and those before it.
    pub met: Vec<u64>,
    /// The rows of each cell.
    pub counts: Vec<u64>,
    /// The values, by value column, then those of further columns.
    pub accumulators: Vec<Accumulator>,
    /// By value column the rows of which a text is shown.
    pub picks: Vec<Vec<Picks>>,
    /// Of each cell its texts, each by its first row and its code, by column of `plan.texts`.
    pub shown: Vec<Vec<Vec<(u64, u32)>>>,
    /// By column in which rows may differ: the hash of each cell's text, 0 where its rows differ.
    pub hashes: Vec<Vec<u64>>,
    /// Rows whose value is a text, should their cell count.
    pub faults: HashMap<u32, (u64, InputError)>,
    /// One of them counts.
    pub failed: bool,
    /// By column in which rows may differ: whether some cell that counts has rows that do.
    pub differ: Vec<bool>,
    /// Whether every cell counts, as far as is known.
    sure: bool,
    /// Codes here of each thread's codes: of texts, of pairs.
    known: Vec<[Vec<Vec<u32>>; 2]>,
    /// The bytes of each text, by column that is not a key.
    lengths: Vec<Vec<u32>>,
    /// Bytes of texts and pairs.
    bytes: u64,
    /// Reserved bytes.
    room: Reservation,
}

impl Groups {
    /// Nothing yet.
    pub(super) fn new(plan: &TidyPlan, budget: &Arc<Budget>) -> Self {
        let coded = plan.coded().len();
        Self {
            texts: (0..coded).map(|_| Dictionary::default()).collect(),
            panels: plan.roles.panel.iter().map(|_| PanelTexts::default()).collect(),
            pairs: plan.steps.iter().map(|_| Pairs::default()).collect(),
            rows: 0,
            met: Vec::new(),
            counts: Vec::new(),
            accumulators: (0..plan.values())
                .map(|_| Accumulator::new(&plan.aggregates))
                .chain(plan.further.iter().map(|f| Accumulator::new(&f.aggregates)))
                .collect(),
            picks: (0..plan.values())
                .map(|_| plan.picks.iter().map(|p| Picks::new(p.greatest)).collect())
                .collect(),
            shown: vec![Vec::new(); plan.texts.len()],
            hashes: plan.others.iter().map(|_| Vec::new()).collect(),
            faults: HashMap::new(),
            failed: false,
            differ: vec![false; plan.others.len()],
            sure: plan.domains.iter().all(Option::is_none) && !plan.some_panels,
            known: Vec::new(),
            lengths: vec![Vec::new(); coded - plan.roles.keys().len()],
            bytes: 0,
            room: budget.nothing(),
        }
    }

    /// Begins another table, with threads that know nothing.
    pub(super) fn begin(&mut self, plan: &TidyPlan, threads: usize) {
        let none = || [vec![Vec::new(); plan.coded().len()], vec![Vec::new(); plan.steps.len()]];
        self.known = (0..threads.max(1)).map(|_| none()).collect();
    }

    /// Takes a thread's groups of a run of rows. `differ` says to the threads which columns need not be compared any more.
    ///
    /// # Errors
    /// When there is too little memory.
    pub(super) fn take(
        &mut self,
        plan: &TidyPlan,
        thread: usize,
        grouped: GroupedRows,
        differ: &[AtomicBool],
    ) -> Result<(), InputError> {
        self.learn(plan, thread, &grouped);
        // Before room is made for the cells.
        self.fits(plan)?;
        self.add_cells();
        let code_of: &[u32] = self.known[thread][1].last().map_or(&[], Vec::as_slice);
        let cells: Vec<u32> = grouped.cells.iter().map(|c| code_of[*c as usize]).collect();
        let weight = |i: usize| grouped.weights.get(i).copied().unwrap_or(1);
        cells.iter().enumerate().for_each(|(i, cell)| self.counts[*cell as usize] += weight(i));
        let first = self.rows;
        for (c, (accumulator, values)) in self.accumulators.iter_mut().zip(&grouped.values).enumerate() {
            let parts = grouped.parts.get(c);
            for (i, (cell, value)) in cells.iter().zip(values).enumerate() {
                let row = first + i as u64;
                match parts {
                    None => accumulator.push(*cell, row, *value),
                    Some(parts) => accumulator.push_group(*cell, (row, weight(i)), *value, &parts[i]),
                }
            }
        }
        self.take_picks(plan, thread, &cells, &grouped);
        self.take_texts(plan, thread, &cells, &grouped.texts);
        self.compare(&cells, &grouped.hashes, differ);
        for (i, fault) in grouped.faults {
            let at = first + i as u64;
            let earliest = self.faults.entry(cells[i]).or_insert_with(|| (at, fault.clone()));
            if at < earliest.0 {
                *earliest = (at, fault);
            }
        }
        self.rows += grouped.rows;
        add_met(&mut self.met, &grouped.met);
        self.failed |= grouped.failed;
        if grouped.failed {
            // This ends the work; which fault is reported depends on the rows that count.
            return Err(InputError::refused(&plan.schema.file, "", "a row has no value"));
        }
        self.fits(plan)
    }

    /// Takes the rows of which cells show a text.
    fn take_picks(&mut self, plan: &TidyPlan, thread: usize, cells: &[u32], grouped: &GroupedRows) {
        let known = &self.known[thread][0][plan.roles.keys().len()..];
        for (picks, values) in self.picks.iter_mut().zip(&grouped.values) {
            for (pick, by) in picks.iter_mut().zip(&plan.picks) {
                let codes = grouped.texts[by.text].iter().map(|code| known[by.text][*code as usize]);
                for (row, ((cell, value), code)) in (self.rows..).zip(cells.iter().zip(values).zip(codes)) {
                    pick.push(*cell, row, *value, code);
                }
            }
        }
    }

    /// Takes the texts of some rows' cells.
    fn take_texts(&mut self, plan: &TidyPlan, thread: usize, cells: &[u32], texts: &[Vec<u32>]) {
        let known = &self.known[thread][0][plan.roles.keys().len()..];
        for (i, ((codes, known), lengths)) in texts.iter().zip(known).zip(&self.lengths).enumerate() {
            if i >= plan.shown.end {
                break;
            }
            // A strip shows the first text; two are enough to know that rows of a cell are split.
            let most = plan.along.get(i).map_or(usize::MAX, |side| 1 + usize::from(side.splits));
            for (row, (cell, code)) in (self.rows..).zip(cells.iter().zip(codes)) {
                let (of, code) = (&mut self.shown[i][*cell as usize], known[*code as usize]);
                if of.len() < most && of.iter().all(|o| o.1 != code) {
                    of.push((row, code));
                    self.bytes += SHOWN + u64::from(lengths[code as usize]);
                }
            }
        }
    }

    /// Finds out which columns differ within a cell, by the hashes of some rows' texts.
    fn compare(&mut self, cells: &[u32], hashes: &[Vec<u64>], differ: &[AtomicBool]) {
        for (i, hashes) in hashes.iter().enumerate() {
            if self.differ[i] {
                continue;
            }
            let mut differs = false;
            for (cell, hash) in cells.iter().zip(hashes) {
                let place = &mut self.hashes[i][*cell as usize];
                let same = *place == u64::MAX || *place == *hash;
                *place = if same { *hash } else { 0 };
                differs |= *place == 0 && self.sure;
            }
            if differs {
                self.hashes[i] = Vec::new();
                differ[i].store(true, Ordering::Relaxed);
            }
            self.differ[i] = differs;
        }
    }

    /// Takes the memory of all cells and texts so far off the budget.
    fn fits(&mut self, plan: &TidyPlan) -> Result<(), InputError> {
        let cells = self.pairs.last().map_or(0, |p| p.list.len());
        let held = self.accumulators.iter().map(Accumulator::held).sum::<u64>() * BYTES_A_VALUE;
        let others = self.hashes.iter().filter(|h| !h.is_empty()).count() as u64;
        let levels = (plan.roles.x.len() + plan.roles.y.len()).saturating_sub(2) as u64;
        let a_cell = self.accumulators.iter().map(Accumulator::bytes_a_cell).sum::<u64>()
            + CELL
            + PICK * self.picks.iter().map(|p| p.len() as u64).sum::<u64>()
            + LEVEL * levels
            + 8 * others;
        let short = |s: OverBudget| {
            let e = s.of(&plan.schema.file, format_args!("{cells} cells of {} rows so far", self.rows));
            e.with_hint(format!(
                "choose columns with fewer keys; a median or a quantile holds every value in memory; {}",
                OverBudget::HINT
            ))
        };
        self.room.reach(self.bytes + held + a_cell * cells as u64).map_err(short)
    }

    /// Learns the keys that a thread met for the first time.
    fn learn(&mut self, plan: &TidyPlan, thread: usize, grouped: &GroupedRows) {
        let [texts, pairs] = &mut self.known[thread];
        let keys = plan.roles.keys().len();
        let in_thread = |t: &String| TEXT + t.len() as u64;
        let as_key = |t: &str| TEXT + KEY + COPIES * t.len() as u64;
        for (panels, news) in self.panels.iter_mut().zip(&grouped.new_panels) {
            self.bytes += news.iter().map(in_thread).sum::<u64>();
            self.bytes += panels.take(news, as_key);
        }
        for (i, ((dictionary, known), news)) in
            self.texts.iter_mut().zip(texts.iter_mut()).zip(&grouped.new_texts).enumerate()
        {
            for text in news {
                self.sure &= i >= keys || is_surely_key(text, &plan.schema.missing);
                let (code, new) = dictionary.code(text);
                known.push(code);
                let len = text.len() as u64;
                self.bytes += TEXT + len;
                if !new {
                    continue;
                }
                self.bytes += if i < keys { KEY + COPIES * len } else { TEXT + len };
                if let Some(lengths) = i.checked_sub(keys).and_then(|i| self.lengths.get_mut(i)) {
                    lengths.push(u32::try_from(len).unwrap_or(u32::MAX));
                }
            }
        }
        for (step, news) in grouped.new_pairs.iter().enumerate() {
            let (before, own) = pairs.split_at_mut(step);
            let of = |o: &Operand, code: u32| match o {
                Operand::Key(k) => texts[*k][code as usize],
                Operand::Step(s) => before[*s][code as usize],
            };
            let [a, b] = &plan.steps[step];
            let met = self.pairs[step].list.len();
            own[0].extend(news.iter().map(|pair| self.pairs[step].code(of(a, pair[0]), of(b, pair[1]))));
            self.bytes += PAIR * (news.len() + self.pairs[step].list.len() - met) as u64;
        }
    }

    /// Makes room for the cells that are known.
    fn add_cells(&mut self) {
        let cells = self.pairs.last().map_or(0, |p| p.list.len());
        self.accumulators.iter_mut().for_each(|a| a.resize(cells));
        self.picks.iter_mut().flatten().for_each(|p| p.resize(cells));
        self.counts.resize(cells, 0);
        self.shown.iter_mut().for_each(|s| s.resize(cells, Vec::new()));
        self.hashes
            .iter_mut()
            .zip(&self.differ)
            .filter(|h| !h.1)
            .for_each(|(h, _)| h.resize(cells, u64::MAX));
    }

    /// Moves the content of a cell into another one that has the same keys in other words.
    pub(super) fn merge(&mut self, into: u32, from: u32) {
        let (to, at) = (into as usize, from as usize);
        self.accumulators.iter_mut().for_each(|t| t.merge(into, from));
        self.picks.iter_mut().flatten().for_each(|p| p.merge(into, from));
        self.counts[to] += self.counts[at];
        for shown in &mut self.shown {
            let more = std::mem::take(&mut shown[at]);
            shown[to].extend(more);
            shown[to].sort_unstable();
            let mut met = HashSet::new();
            shown[to].retain(|(_, code)| met.insert(*code));
        }
        for hashes in &mut self.hashes {
            if !hashes.is_empty() && hashes[to] != hashes[at] {
                hashes[to] = 0;
            }
        }
    }
}

/// Texts and their codes.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    codes: HashMap<Box<str>, u32, RandomState>,
}

impl Dictionary {
    /// The code of a text, and whether it is new.
    pub(super) fn code(&mut self, text: &str) -> (u32, bool) {
        if let Some(code) = self.codes.get(text) {
            return (*code, false);
        }
        let next = self.codes.len() as u32;
        self.codes.insert(text.into(), next);
        (next, true)
    }

    /// How many texts.
    pub(super) fn count(&self) -> usize {
        self.codes.len()
    }

    /// The texts by their codes.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.codes.len()];
        self.codes.iter().for_each(|(t, c)| texts[*c as usize] = t);
        texts
    }
}

/// Pairs of two numbers below this are found by their place.
const SIDE: u32 = 1024;

/// A pair that was not met.
const UNKNOWN: u32 = u32::MAX;

/// Pairs of codes and theirs.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The codes of pairs of small numbers, by `a * SIDE + b`.
    small: Vec<u32>,
    codes: HashMap<u64, u32, RandomState>,
    /// The pairs by their codes.
    pub list: Vec<[u32; 2]>,
}

impl Pairs {
    /// The code of a pair.
    pub(super) fn code(&mut self, a: u32, b: u32) -> u32 {
        let next = self.list.len() as u32;
        let place = if a < SIDE && b < SIDE {
            let at = (a * SIDE + b) as usize;
            if at >= self.small.len() {
                self.small.resize(((a + 1) * SIDE) as usize, UNKNOWN);
            }
            &mut self.small[at]
        } else {
            self.codes.entry(u64::from(a) << 32 | u64::from(b)).or_insert(UNKNOWN)
        };
        if *place == UNKNOWN {
            *place = next;
        }
        let code = *place;
        if code == next {
            self.list.push([a, b]);
        }
        code
    }
}

/// Whether a text is a key whatever the other keys of its column are: `NaN` or `NA` is one only among texts.
pub(super) fn is_surely_key(text: &str, missing: &[String]) -> bool {
    let t = text.trim();
    !t.is_empty() && !MISSING.contains(&t) && !missing.iter().any(|m| m == t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_from_the_first_text() {
        let mut d = Dictionary::default();
        assert_eq!(["b", "a", "b", ""].map(|t| d.code(t)), [(0, true), (1, true), (0, false), (2, true)]);
        assert_eq!((d.texts(), d.count()), (vec!["b", "a", ""], 3));
        let mut p = Pairs::default();
        assert_eq!([p.code(1, 2), p.code(2, 1), p.code(1, 2)], [0, 1, 0]);
        assert_eq!(
            [p.code(0, SIDE), p.code(SIDE - 1, SIDE - 1), p.code(0, SIDE), p.code(1, 0)],
            [2, 3, 2, 4]
        );
        assert_eq!(p.list, [[1, 2], [2, 1], [0, SIDE], [SIDE - 1, SIDE - 1], [1, 0]]);
    }

    #[test]
    fn some_texts_are_keys_only_among_texts() {
        assert!(is_surely_key("a", &[]) && is_surely_key("0.5", &[]));
        assert!(!is_surely_key("NaN", &[]) && !is_surely_key(" ", &[]) && !is_surely_key("x", &["x".into()]));
    }
}
