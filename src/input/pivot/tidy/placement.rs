//! Cells under their keys: texts become keys, equal numbers fall together, and rows without a key or outside a domain go.

use super::groups::Groups;
use super::plan::{Operand, Plan};
use crate::figure::{AxisType, Figure, StripAxis};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::pivot::axes::AxisKeys;
use crate::input::pivot::keys::{EMPTY, Keys, OUTSIDE, Reading};
use crate::input::table::count;
use crate::lint::{LintName, Lints};

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

/// No cell stands there.
pub const NOWHERE: u32 = u32::MAX;

/// The keys, and where each cell stands.
pub struct Placement {
    /// Along the bottom; the codes are those of the places that rows gave.
    pub x: AxisKeys,
    /// Down the side.
    pub y: AxisKeys,
    /// The panels.
    pub panel: Option<Keys>,
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
    pub fn new(
        groups: &mut Groups,
        plan: &Plan,
        figure: &Figure,
        lints: &mut Lints,
        budget: &Budget,
    ) -> Result<Self, InputError> {
        let file = plan.schema.file.as_str();
        if groups.counts.is_empty() {
            return Err(InputError::refused(file, "", "no row meets --where"));
        }
        let (nx, ny) = (plan.roles.x.len(), plan.roles.y.len());
        let axis = |from: usize, n: usize, operand: Operand, as_text: bool| -> Result<AxisKeys, InputError> {
            let mut columns = (from..from + n)
                .map(|k| keys(groups, plan, k, as_text, Some(budget)))
                .collect::<Result<Vec<_>, _>>()?;
            if let Operand::Step(mut step) = operand {
                // A place along an axis of several columns is a pair of the places before and a key.
                let mut places: Vec<Vec<u32>> =
                    groups.pairs[step].list.iter().map(|p| vec![p[1], p[0]]).collect();
                for _ in 2..n {
                    step -= 1;
                    let outer = &groups.pairs[step].list;
                    places.iter_mut().for_each(|p| {
                        let [a, b] = outer[p.pop().unwrap_or(0) as usize];
                        p.extend([b, a]);
                    });
                }
                for (level, column) in columns.iter_mut().enumerate() {
                    column.codes = places
                        .iter()
                        .map(|p| column.codes[p[n - 1 - level] as usize])
                        .collect();
                }
            }
            Ok(AxisKeys::new(columns))
        };
        let as_text = |kind: Option<AxisType>| kind == Some(AxisType::Category);
        let x = axis(0, nx, plan.axes[0], as_text(figure.x.kind))?;
        let y = axis(nx, ny, plan.axes[1], as_text(figure.y.kind))?;
        let panel = plan
            .roles
            .panel
            .map(|_| keys(groups, plan, nx + ny, false, Some(budget)))
            .transpose()?;

        let (mut empty, mut outside) = (0, 0);
        let mut kept: Vec<(u32, [u32; 3])> = Vec::new();
        let places = places(groups, plan);
        for (cell, at) in places.iter().enumerate() {
            let codes = [
                x.codes[at[0] as usize],
                y.codes[at[1] as usize],
                panel.as_ref().map_or(0, |p| p.codes[at[2] as usize]),
            ];
            if codes.contains(&EMPTY) {
                empty += groups.counts[cell];
            } else if codes.contains(&OUTSIDE) {
                outside += groups.counts[cell];
            } else {
                kept.push((cell as u32, codes));
            }
        }
        tell_left_out(empty, outside, plan, lints);
        if kept.is_empty() {
            return Err(InputError::refused(
                file,
                "",
                format!("no row left: {empty} without a key, {outside} outside the domain"),
            ));
        }
        let faulty = kept
            .iter()
            .filter_map(|(cell, _)| groups.faults.get(cell))
            .min_by_key(|f| f.0);
        if let Some((_, fault)) = faulty {
            return Err(fault.clone());
        }
        let size = [x.len(), y.len(), panel.as_ref().map_or(1, |p| p.labels.len())];
        let rows: u64 = kept.iter().map(|k| groups.counts[k.0 as usize]).sum();
        let of_cell = CELL + FIELD * (2 * plan.aggregates.len() as u64 - 2) + TEXT * plan.texts.len() as u64;
        let n = check_size(file, size, groups.accumulators.len(), rows, of_cell, budget)?;
        let mut cells = vec![NOWHERE; n];
        let mut respelled = false;
        for (cell, [x, y, p]) in kept {
            let place = &mut cells[(p as usize * size[1] + y as usize) * size[0] + x as usize];
            if *place == NOWHERE {
                *place = cell;
            } else {
                groups.merge(*place, cell);
                respelled = true;
            }
        }
        Ok(Self {
            x,
            y,
            panel,
            size,
            cells,
            respelled,
        })
    }

    /// The cells of a panel: cell `y * width + x` in key ids.
    pub fn of_panel(&self, panel: usize) -> &[u32] {
        let n = self.size[0] * self.size[1];
        &self.cells[panel * n..(panel + 1) * n]
    }

    /// The first text of each key of an axis, by the order of the rows.
    pub fn first_texts(&self, groups: &Groups, texts: &[&str], axis: StripAxis) -> Vec<String> {
        let keys = if axis == StripAxis::X {
            self.size[0]
        } else {
            self.size[1]
        };
        let mut first: Vec<Option<(u64, u32)>> = vec![None; keys];
        for (place, &cell) in self.cells.iter().enumerate().filter(|c| *c.1 != NOWHERE) {
            let key = if axis == StripAxis::X {
                place % self.size[0]
            } else {
                place / self.size[0] % self.size[1]
            };
            let found = (groups.firsts[cell as usize], groups.strips[cell as usize]);
            first[key] = Some(first[key].map_or(found, |f| f.min(found)));
        }
        first
            .into_iter()
            .map(|f| {
                f.and_then(|f| texts.get(f.1 as usize))
                    .map_or_else(String::new, |t| (*t).to_owned())
            })
            .collect()
    }
}

/// The keys of a key column; their codes are those of its texts.
///
/// # Errors
/// When its domain spans too many steps, or more than the budget holds.
pub fn keys(
    groups: &Groups,
    plan: &Plan,
    key: usize,
    as_text: bool,
    budget: Option<&Budget>,
) -> Result<Keys, InputError> {
    let column = plan.roles.keys()[key];
    let (missing, domain, order) = (
        plan.schema.missing.as_slice(),
        plan.domains[key].as_ref(),
        plan.schema.order(column),
    );
    let reading = Reading {
        as_text,
        missing,
        domain,
        order,
        budget,
    };
    Keys::read(
        &plan.schema.headers[column],
        groups.texts[key].texts().into_iter(),
        reading,
        &plan.schema.file,
    )
}

/// The places of each cell along x and y, and its panel, as rows gave them.
fn places(groups: &Groups, plan: &Plan) -> Vec<[u32; 3]> {
    let steps = plan.steps.len();
    match plan.roles.panel {
        None => groups.pairs[steps - 1]
            .list
            .iter()
            .map(|[x, y]| [*x, *y, 0])
            .collect(),
        Some(_) => {
            let of = &groups.pairs[steps - 2].list;
            groups.pairs[steps - 1]
                .list
                .iter()
                .map(|[cell, p]| [of[*cell as usize][0], of[*cell as usize][1], *p])
                .collect()
        }
    }
}

fn tell_left_out(empty: u64, outside: u64, plan: &Plan, lints: &mut Lints) {
    let left_out = |n: u64, what: &str| {
        let (rows, are) = if n == 1 {
            ("row has", "is")
        } else {
            ("rows have", "are")
        };
        format!("{n} {rows} {what} and {are} left out")
    };
    if empty > 0 {
        let named: Vec<&str> = plan
            .roles
            .keys()
            .iter()
            .map(|&c| plan.schema.headers[c].as_str())
            .collect();
        lints.add(
            LintName::EmptyKey,
            empty,
            left_out(empty, &format!("no key in {}", named.join(" or "))),
        );
    }
    if outside > 0 {
        lints.add(
            LintName::OutsideDomain,
            outside,
            left_out(outside, "a key outside the domain"),
        );
    }
}

/// Bytes that a label of an axis takes, in each panel that shows it.
pub fn bytes_of_label(keys: &AxisKeys) -> u64 {
    let levels = LABEL * keys.columns.len() as u64;
    let texts: u64 = match keys.columns.as_slice() {
        [one] => one.labels.iter().map(|l| l.len() as u64).sum(),
        // Each combination has the labels of all of its levels.
        several => {
            let of = |k: &Keys| {
                k.codes
                    .iter()
                    .filter_map(|c| k.labels.get(*c as usize))
                    .map(|l| l.len() as u64)
                    .sum::<u64>()
            };
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
        few && budget
            .take(
                of_cell
                    .saturating_mul(all as u64)
                    .saturating_add(places)
                    .saturating_add(axes),
            )
            .is_ok()
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
