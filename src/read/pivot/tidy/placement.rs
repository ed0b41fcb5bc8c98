//! Cells under their keys: texts become keys, equal numbers fall together, and rows without a key or outside a domain go.

use super::groups::Groups;
use super::plan::{Operand, TidyPlan};
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::pivot::axes::AxisKeys;
use crate::pivot::filter::no_row;
use crate::pivot::keys::{Domain, EMPTY, KeyOptions, Keys, OUTSIDE};
use crate::table::count;
use gridscope_core::figure::{AxisSpec, AxisType, Figure, List, StripAxis};
use gridscope_core::lint::{LintName, Lints};
use std::ops::Range;

/// Cells that a table may give whatever its length.
const FREE_CELLS: usize = 100_000_000;

/// Bytes that a cell takes: its place, and in a grid its number, its state and its stored bits.
const PLACE: u64 = 4;
const CELL: u64 = 14;
/// Bytes of a number that a cell's texts need, and of a text that it shows, beside the text's own.
const FIELD: u64 = 8;
const TEXT: u64 = 32;
/// Bytes of a panel, and of a label of its axes beside the text's own.
const PANEL: u64 = 2048;
const LABEL: u64 = 100;

/// There is no cell.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The keys, and where each cell is.
pub(super) struct Placement {
    /// Along x and along y; the codes are those of the places that rows gave.
    pub axes: [AxisKeys; 2],
    /// The panels.
    pub panel: Option<AxisKeys>,
    /// The ids of the keys of each panel column in order.
    pub orders: Vec<Vec<u32>>,
    /// Keys along x, along y, panels.
    pub size: [usize; 3],
    /// The cell at `(panel * height + y) * width + x`, or [`NOWHERE`].
    pub cells: Vec<u32>,
    /// Whether rows share a cell whose keys are written in several ways.
    pub respelled: bool,
}

impl Placement {
    /// Finds the keys and places the cells; those of the same keys in other words are merged in `groups`.
    ///
    /// # Errors
    /// No row left, too many cells, a text where a row that counts has its value, too little memory.
    pub(super) fn new(
        groups: &mut Groups,
        plan: &TidyPlan,
        figure: &Figure,
        lints: &mut Lints,
        budget: &Budget,
    ) -> Result<Self, InputError> {
        let file = plan.schema.file.as_str();
        if groups.counts.is_empty() {
            return Err(no_row(file, &plan.conditions, groups.rows, &groups.met));
        }
        let (nx, ny) = (plan.roles.x.len(), plan.roles.y.len());
        let axis = |keys: Range<usize>, places: Operand, spec: &AxisSpec| {
            let read = |key| keys_of(groups, plan, key, spec.kind, Some(budget));
            let columns = keys.map(read).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, InputError>(AxisKeys::new(at_places(columns, groups, places)))
        };
        let axes = [axis(0..nx, plan.axes[0], &figure.x)?, axis(nx..nx + ny, plan.axes[1], &figure.y)?];
        let panel = panel_keys(groups, plan, Some(budget))?;
        let columns = panel.iter().flat_map(|panel| &panel.columns);
        let of_columns = columns.zip(&groups.panels).zip(&plan.roles.panel);
        let orders = of_columns.map(|((keys, texts), &column)| texts.order(keys, column, plan));
        let orders = orders.collect::<Result<Vec<_>, _>>()?;

        let placed = placed_cells(groups, plan, &axes, panel.as_ref(), lints)?;
        let panels = panel.as_ref().map_or(1, AxisKeys::len);
        let size = [axes[0].len(), axes[1].len(), panels];
        let rows: u64 = placed.iter().map(|k| groups.counts[k.0 as usize]).sum();
        let fields: usize = plan.fields.iter().map(|f| f.names.len()).sum();
        let texts = plan.shown.len() + plan.picks.len();
        let of_cell = CELL + FIELD * fields as u64 + TEXT * texts as u64;
        let n = check_size(file, size, plan.values(), rows, of_cell, budget)?;
        let mut cells = vec![NOWHERE; n];
        let mut respelled = false;
        for (cell, [x, y, p]) in placed {
            let place = &mut cells[(p as usize * size[1] + y as usize) * size[0] + x as usize];
            if *place == NOWHERE {
                *place = cell;
            } else {
                groups.merge(*place, cell);
                respelled = true;
            }
        }
        Ok(Self { axes, panel, orders, size, cells, respelled })
    }

    /// The cells of a panel: cell `y * width + x` in key ids.
    pub(super) fn of_panel(&self, panel: usize) -> &[u32] {
        let n = self.size[0] * self.size[1];
        &self.cells[panel * n..(panel + 1) * n]
    }

    /// Takes the memory of panels without any row off the budget.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn take_empty(&self, panels: usize, file: &str, budget: &Budget) -> Result<(), InputError> {
        let cells = (self.size[0] * self.size[1]) as u64;
        let bytes = CELL.saturating_mul(cells).saturating_add(PANEL);
        let taken = budget.take(bytes.saturating_mul(panels as u64));
        taken.map_err(|s| {
            s.of(file, format_args!("{} without data", count(panels, "panel")))
                .with_hint("--drop-empty leaves them out")
        })
    }

    /// Of each key along x and along y whether some row has it; bins between others count as if one had.
    pub(super) fn observed(&self) -> [Vec<bool>; 2] {
        let [width, height, _] = self.size;
        let is_binned = |axis: &AxisKeys| axis.columns.iter().all(|keys| keys.bins.is_some());
        let mut keys = [0, 1].map(|side| vec![is_binned(&self.axes[side]); [width, height][side]]);
        for (place, _) in self.cells.iter().enumerate().filter(|c| *c.1 != NOWHERE) {
            keys[0][place % width] = true;
            keys[1][place / width % height] = true;
        }
        keys
    }

    /// The first text of each key of an axis, by the order of the rows; an empty one only where there is no other.
    pub(super) fn first_texts(
        &self,
        shown: &[Vec<(u64, u32)>],
        texts: &[&str],
        axis: StripAxis,
    ) -> Vec<String> {
        let [width, height, _] = self.size;
        let (keys, step) = if axis == StripAxis::X { (width, 1) } else { (height, width) };
        let is_empty = |code: u32| texts.get(code as usize).is_none_or(|t| t.is_empty());
        let mut first: Vec<Option<(bool, u64, u32)>> = vec![None; keys];
        for (place, &cell) in self.cells.iter().enumerate().filter(|c| *c.1 != NOWHERE) {
            let of_key = &mut first[place / step % keys];
            let of_cell = shown[cell as usize].iter().map(|&(row, code)| (is_empty(code), row, code));
            *of_key = of_cell.chain(*of_key).min();
        }
        let text =
            |f: &(bool, u64, u32)| texts.get(f.2 as usize).map_or_else(String::new, |t| (*t).to_owned());
        first.iter().map(|f| f.as_ref().map_or_else(String::new, text)).collect()
    }

    /// The first key of an axis whose cells have two texts that count, by their codes.
    pub(super) fn two_texts(
        &self,
        shown: &[Vec<(u64, u32)>],
        axis: StripAxis,
        counts: impl Fn(u32) -> bool,
    ) -> Option<(usize, [u32; 2])> {
        let [width, height, _] = self.size;
        let (keys, step) = if axis == StripAxis::X { (width, 1) } else { (height, width) };
        let mut one: Vec<Option<u32>> = vec![None; keys];
        for (place, &cell) in self.cells.iter().enumerate().filter(|c| *c.1 != NOWHERE) {
            let key = place / step % keys;
            for &(_, code) in &shown[cell as usize] {
                match one[key] {
                    _ if !counts(code) => {}
                    Some(known) if known != code => return Some((key, [known, code])),
                    _ => one[key] = Some(code),
                }
            }
        }
        None
    }
}

/// The cells that have a key on each axis and a panel, with the codes of these; rows of others are reported.
///
/// # Errors
/// No such cell, and a text where a row of one has its value.
fn placed_cells(
    groups: &Groups,
    plan: &TidyPlan,
    [x, y]: &[AxisKeys; 2],
    panel: Option<&AxisKeys>,
    lints: &mut Lints,
) -> Result<Vec<(u32, [u32; 3])>, InputError> {
    let (mut empty, mut outside, mut blank) = (0, 0, 0);
    let mut placed: Vec<(u32, [u32; 3])> = Vec::new();
    for (cell, at) in places(groups, plan).into_iter().enumerate() {
        let at = at.map(|place| place as usize);
        let codes = [x.codes[at[0]], y.codes[at[1]], panel.map_or(0, |p| p.codes[at[2]])];
        if codes.contains(&EMPTY) {
            empty += groups.counts[cell];
        } else if codes.contains(&OUTSIDE) {
            outside += groups.counts[cell];
        } else {
            let is_blank =
                x.is_blank(codes[0]) || y.is_blank(codes[1]) || panel.is_some_and(|p| p.is_blank(codes[2]));
            blank += if is_blank { groups.counts[cell] } else { 0 };
            placed.push((cell as u32, codes));
        }
    }
    report_left_out(empty, outside, plan, lints);
    report_blank(blank, x, y, panel, lints);
    if placed.is_empty() {
        let what = format!("no row left: {empty} without a key, {outside} outside the domain");
        return Err(InputError::refused(&plan.schema.file, "", what));
    }
    let faults = placed.iter().filter_map(|(cell, _)| groups.faults.get(cell));
    match faults.min_by_key(|f| f.0) {
        Some((_, fault)) => Err(fault.clone()),
        None => Ok(placed),
    }
}

/// The keys of a key column; their codes are those of its texts.
///
/// # Errors
/// When its domain spans too many steps, or more than the budget holds.
pub(super) fn keys_of(
    groups: &Groups,
    plan: &TidyPlan,
    key: usize,
    kind: Option<AxisType>,
    budget: Option<&Budget>,
) -> Result<Keys, InputError> {
    let (column, schema) = (plan.roles.keys()[key], plan.schema);
    // Categories of an axis stay where no row has them.
    let is_axis = key < plan.roles.x.len() + plan.roles.y.len();
    let unused = schema.order(column).filter(|order| is_axis && !plan.drops_empty && order.len() > 1);
    let unused = unused.map(|order| Domain::new(&List(order.to_vec())));
    let options = KeyOptions {
        as_text: kind == Some(AxisType::Category),
        as_number: matches!(kind, Some(AxisType::Number | AxisType::Log | AxisType::Time)),
        missing: &schema.missing,
        domain: plan.domains[key].as_ref().or(unused.as_ref()),
        order: schema.order(column),
        duration: schema.is_duration(column),
        typed: schema.has_types && !schema.keyed,
        bins: schema.bins(column),
        month_first: schema.month_first(column),
        blank: schema.blank_key.as_deref(),
        budget,
    };
    let texts = groups.texts[key].texts().into_iter();
    Keys::read(schema.title(column), texts, options, &schema.file)
}

/// The panels of the rows so far; none where no column makes panels.
///
/// # Errors
/// As [`keys_of`].
pub(super) fn panel_keys(
    groups: &Groups,
    plan: &TidyPlan,
    budget: Option<&Budget>,
) -> Result<Option<AxisKeys>, InputError> {
    let Some(operand) = plan.panel else {
        return Ok(None);
    };
    let first = plan.roles.x.len() + plan.roles.y.len();
    let read = |key| keys_of(groups, plan, key, None, budget);
    let columns = (first..first + plan.roles.panel.len()).map(read);
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(Some(AxisKeys::new(at_places(columns, groups, operand))))
}

/// The columns of an axis, their codes by the places along it: a place along an axis of several columns is a pair of the
/// places before and a key.
fn at_places(mut columns: Vec<Keys>, groups: &Groups, places: Operand) -> Vec<Keys> {
    let Operand::Step(mut step) = places else {
        return columns;
    };
    let n = columns.len();
    let mut places: Vec<Vec<u32>> = groups.pairs[step].list.iter().map(|p| vec![p[1], p[0]]).collect();
    for _ in 2..n {
        step -= 1;
        let outer = &groups.pairs[step].list;
        places.iter_mut().for_each(|p| {
            let [a, b] = outer[p.pop().unwrap_or(0) as usize];
            p.extend([b, a]);
        });
    }
    for (level, column) in columns.iter_mut().enumerate() {
        let code = |p: &Vec<u32>| column.codes[p[n - 1 - level] as usize];
        column.codes = places.iter().map(code).collect();
    }
    columns
}

/// The places of each cell along x and y, and its panel, as rows gave them.
fn places(groups: &Groups, plan: &TidyPlan) -> Vec<[u32; 3]> {
    let last = plan.steps.len() - 1;
    let pairs = groups.pairs[last].list.iter();
    if plan.panel.is_none() {
        return pairs.map(|[x, y]| [*x, *y, 0]).collect();
    }
    let of_cells = &groups.pairs[last - 1].list;
    let place = |[cell, p]: &[u32; 2]| {
        let [x, y] = of_cells[*cell as usize];
        [x, y, *p]
    };
    pairs.map(place).collect()
}

fn report_left_out(empty: u64, outside: u64, plan: &TidyPlan, lints: &mut Lints) {
    let mut report = |name: LintName, n: u64, what: &str| {
        if n > 0 {
            let (rows, are) = if n == 1 { ("row has", "is") } else { ("rows have", "are") };
            lints.add(name, n, format!("{n} {rows} {what} and {are} left out"));
        }
    };
    let keys = plan.roles.keys();
    let names: Vec<&str> = keys.iter().map(|&c| plan.schema.headers[c].as_str()).collect();
    let no_key = format!("no key in {}", names.join(" or "));
    report(LintName::EmptyKey, empty, &no_key);
    report(LintName::OutsideDomain, outside, "a key outside the domain");
}

/// Reports rows whose key is that of rows without one.
fn report_blank(rows: u64, x: &AxisKeys, y: &AxisKeys, panel: Option<&AxisKeys>, lints: &mut Lints) {
    if rows == 0 {
        return;
    }
    let columns = x.columns.iter().chain(&y.columns).chain(panel.iter().flat_map(|panel| &panel.columns));
    let blank = columns.filter_map(|keys| Some((keys.name.as_str(), &keys.labels[keys.blank? as usize])));
    let (names, labels): (Vec<&str>, Vec<&String>) = blank.unzip();
    let label = labels.first().map_or("", |label| label.as_str());
    let have = if rows == 1 { "row has" } else { "rows have" };
    let what = format!("{rows} {have} no key in {}: shown as {}, the last", names.join(" or "), shown(label));
    lints.add(LintName::EmptyKey, rows, what).hint("--blank-key drop leaves them out");
}

/// Bytes that a label of an axis takes, in each panel that shows it.
pub(super) fn bytes_of_label(keys: &AxisKeys) -> u64 {
    let levels = LABEL * keys.columns.len() as u64;
    let texts: u64 = match keys.columns.as_slice() {
        [one] => one.labels.iter().map(|l| l.len() as u64).sum(),
        // Each combination has the labels of all of its levels.
        several => {
            let label = |keys: &Keys, code: &u32| keys.labels.get(*code as usize).map(|l| l.len() as u64);
            let of = |keys: &Keys| keys.codes.iter().filter_map(|c| label(keys, c)).sum::<u64>();
            several.iter().map(of).sum()
        }
    };
    levels + texts.div_ceil(keys.len().max(1) as u64)
}

/// Cells of all panels, where they are not too many for the rows and the memory. `of_cell` bytes are those of a cell in a grid.
fn check_size(
    file: &str,
    [width, height, panels]: [usize; 3],
    values: usize,
    rows: u64,
    of_cell: u64,
    budget: &Budget,
) -> Result<usize, InputError> {
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    let cells = width.checked_mul(height).and_then(|c| c.checked_mul(panels));
    let fit = |all: usize| {
        let few = all <= FREE_CELLS || all <= rows.saturating_mul(64).saturating_add(1_000_000);
        let places = PLACE.saturating_mul((all / values.max(1)) as u64);
        let axes = PANEL.saturating_mul(panels.saturating_mul(values) as u64);
        let bytes = of_cell.saturating_mul(all as u64).saturating_add(places);
        few && budget.take(bytes.saturating_add(axes)).is_ok()
    };
    match cells.filter(|c| c.checked_mul(values).is_some_and(fit)) {
        Some(cells) => Ok(cells),
        None => {
            let all = width as f64 * height as f64 * panels as f64 * values as f64;
            let panels = count(panels * values, "panel");
            let what = format!(
                "{width} x {height} keys in {panels} would need {:.1} GB",
                all * of_cell as f64 * 1e-9
            );
            Err(InputError::limit(file, what)
                .with_hint("choose columns with fewer keys, or --x-domain and --y-domain"))
        }
    }
}
