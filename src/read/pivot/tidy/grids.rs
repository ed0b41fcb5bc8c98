//! Cells under their keys to grids, one per panel.

use super::accumulator::Accumulator;
use super::finished::Finished;
use super::groups::{Dictionary, Groups};
use super::panels::Panel;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::pivot::aggregate::sum;
use crate::pivot::axes::{CellValues, share_order};
use crate::pivot::columns::put_along;
use crate::table::count;
use gridscope_core::figure::{Agg, AxisSpec, Figure, List, Order, OrderWord, StripAxis};
use gridscope_core::grid::{Axis, Cell, Grid, GridError, Number, State};
use std::ops::Range;

/// Bytes of a strip's text beside its own.
const STRIP: u64 = 56;

/// Values of the cells of all panels.
pub(super) struct PanelValues<'a> {
    groups: &'a Groups,
    placement: &'a Placement,
    plan: &'a TidyPlan<'a>,
    figure: &'a Figure,
    /// The part of aggregates that needs all values of a cell, by column.
    finished: Vec<Finished>,
    /// The texts of each column of `plan.texts`, by their codes.
    texts: Vec<Vec<&'a str>>,
    /// The texts of each key along an axis, by column of `plan.along`.
    along: Vec<Vec<String>>,
    /// Where rows are counted: the keys along x and along y that a row has.
    observed: Option<[Vec<bool>; 2]>,
    /// Whether no cell has several rows, as in a table of aggregates.
    is_of_aggregates: bool,
}

impl<'a> PanelValues<'a> {
    /// The values of all value columns.
    pub(super) fn new(
        groups: &'a Groups,
        placement: &'a Placement,
        plan: &'a TidyPlan<'a>,
        figure: &'a Figure,
    ) -> Self {
        let texts = &groups.texts[plan.roles.keys().len()..];
        let texts: Vec<_> = texts.iter().map(Dictionary::texts).collect();
        let sides = plan.along.iter().enumerate();
        let along =
            sides.map(|(i, side)| placement.first_texts(&groups.shown[i], &texts[i], side.axis)).collect();
        Self {
            groups,
            placement,
            plan,
            figure,
            finished: groups.accumulators.iter().map(Accumulator::finished).collect(),
            along,
            texts,
            is_of_aggregates: groups.counts.iter().all(|rows| *rows < 2),
            observed: (plan.aggregates[0] == Agg::Count).then(|| placement.observed()),
        }
    }

    /// Takes off the budget the texts of a strip: each panel has axes of its own, and with them all texts.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn take_strips(&self, panels: usize, budget: &Budget) -> Result<(), InputError> {
        let texts = self.along.iter().flatten();
        let of_panel: u64 = texts.map(|t| t.len() as u64 + STRIP).sum();
        let taken = budget.take(of_panel.saturating_mul(panels as u64));
        let what = || format!("the strips of {}", count(panels, "panel"));
        taken.map_err(|s| s.of(&self.plan.schema.file, what()))
    }

    /// Refuses a split by a column, or a strip of one, that has two texts for one row or column. A strip leaves rows without a text
    /// out.
    ///
    /// # Errors
    /// The first such key.
    pub(super) fn check_sides(&self) -> Result<(), InputError> {
        for (i, side) in self.plan.along.iter().enumerate() {
            let of = &self.groups.shown[i];
            let counts = |code: u32| side.splits || !self.texts[i][code as usize].is_empty();
            let Some((key, codes)) = self.placement.two_texts(of, side.axis, counts) else {
                continue;
            };
            let (x, at) = (side.axis == StripAxis::X, usize::from(side.axis == StripAxis::Y));
            let other = if x { StripAxis::Y } else { StripAxis::X };
            let word = if x { "column" } else { "row" };
            let name = if side.splits { "split" } else { "strip" };
            let [a, b] = codes.map(|code| shown(self.texts[i][code as usize]));
            let spec = [&self.figure.x, &self.figure.y][at];
            let own = self.placement.axes[at].axis(&[key as u32], spec, &self.plan.schema.file)?;
            let what = format!(
                "{name}: '{}' has two values in {word} {}: {a} and {b}; a {name} needs one for each {word}",
                side.column,
                shown(&own.label(0))
            );
            let e = InputError::usage(&self.plan.schema.file, what);
            let fits = self.placement.two_texts(of, other, counts).is_none();
            let column = List::to_flag(&[side.column]);
            return Err(e.with_hint(match (fits, side.splits, x) {
                (true, true, true) => format!("--split-rows {column}"),
                (true, true, false) => format!("--split-columns {column}"),
                (true, false, true) => format!("--strip y:{column}"),
                (true, false, false) => format!("--strip x:{column}"),
                (false, ..) => format!("--panel {}", side.column),
            }));
        }
        Ok(())
    }

    fn at(&self, cell: u32, value: usize, agg: Agg) -> Cell {
        if cell == NOWHERE {
            Cell::Empty(State::Absent)
        } else {
            self.groups.accumulators[value].value(cell, agg, &self.finished[value])
        }
    }

    /// Content of the cell at two keys: rows of keys that both occur, though not together, are counted as 0.
    fn shown(&self, (x, y, cell): (u32, u32, u32), value: usize, agg: Agg) -> Cell {
        let zero = |[xs, ys]: &[Vec<bool>; 2]| xs[x as usize] && ys[y as usize];
        if cell == NOWHERE && agg == Agg::Count && self.observed.as_ref().is_some_and(zero) {
            Cell::Value(Number::I64(0))
        } else {
            self.at(cell, value, agg)
        }
    }

    /// The keys along x and y, in order, that some panels show; orders by value go by a value column.
    pub(super) fn sides(&self, panels: Range<usize>, value: usize) -> [Vec<u32>; 2] {
        let [width, height, _] = self.placement.size;
        let specs = [&self.figure.x, &self.figure.y];
        let is_by_value = |s: &&AxisSpec| s.order == Some(Order::Word(OrderWord::Value));
        let by_value = specs.iter().any(is_by_value);
        let counts = self.observed.is_some();
        let mut sums = [width, height].map(|n| vec![(0.0, 0u64); n]);
        let mut present = [width, height].map(|n| vec![false; n]);
        for panel in panels {
            let cells = self.placement.of_panel(panel).iter().enumerate();
            for (i, &cell) in cells.filter(|c| *c.1 != NOWHERE) {
                let shown = by_value.then(|| self.at(cell, value, self.plan.aggregates[0]));
                for (side, at) in [i % width, i / width].into_iter().enumerate() {
                    present[side][at] = true;
                    if let Some(Cell::Value(v)) = shown {
                        let key = &mut sums[side][at];
                        // Every row has the same number of counts, those of 0 among them.
                        let n = if counts { 1 } else { key.1 + 1 };
                        *key = (sum([key.0, v.as_f64()].into_iter()), n);
                    }
                }
            }
        }
        let mut sides = [0, 1].map(|side| {
            let sums = by_value.then_some(sums[side].as_slice());
            self.placement.axes[side].order(specs[side], &present[side], sums)
        });
        share_order(&self.placement.axes, specs, &mut sides);
        sides
    }

    /// The grid of a panel with these keys along x and y.
    ///
    /// # Errors
    /// When there is no cell, or an axis is to be a number axis and cannot.
    pub(super) fn grid(&self, panel: &Panel, [xs, ys]: [&Vec<u32>; 2]) -> Result<Grid, InputError> {
        let (plan, schema) = (self.plan, self.plan.schema);
        let rows = self.axis(StripAxis::Y, ys)?;
        let columns = self.axis(StripAxis::X, xs)?;
        let (of, width) = (panel.cells(self.placement), self.placement.size[0]);
        let places = || {
            let of_row = |&y: &u32| {
                xs.iter().map(move |&x| {
                    (x, y, of.get(y as usize * width + x as usize).map_or(NOWHERE, |cell| *cell))
                })
            };
            ys.iter().flat_map(of_row)
        };
        let shown = places().map(|place| self.shown(place, panel.value, plan.aggregates[0]));
        let mut grid = CellValues::of(ys.len() * xs.len(), shown).into_grid(rows, columns, &schema.file)?;
        let refused = |e: GridError| InputError::refused(&schema.file, "", e.to_string());
        for field in &plan.fields {
            let of_column = field.namesake.filter(|_| self.is_of_aggregates);
            let column = of_column.or(field.further).map_or(panel.value, |at| plan.values() + at);
            let agg = if of_column.is_some() { Agg::Mean } else { field.agg };
            let numbers: Vec<f64> = places().map(|place| self.shown(place, column, agg).as_f64()).collect();
            for name in &field.names {
                grid.set_field(name, numbers.clone()).map_err(refused)?;
            }
        }
        grid.set_min_count(self.figure.data.min_count);
        grid.set_name(&panel.name);
        grid.set_facet(panel.facet.clone());
        grid.set_caption(panel.caption.clone());
        grid.set_said(schema.said().into());
        if let Some(&value) = plan.roles.values.get(panel.value) {
            grid.set_value_name(schema.value_name(value));
        }
        for i in plan.shown.clone() {
            // The distinct texts of a cell.
            let joined = |(_, _, cell): (u32, u32, u32)| {
                let of_cell = self.groups.shown[i].get(cell as usize).into_iter().flatten();
                let texts: Vec<&str> = of_cell.map(|t| self.texts[i][t.1 as usize]).collect();
                texts.join(", ")
            };
            let texts = places().map(joined).collect();
            grid.set_texts(&schema.headers[plan.texts[i]], texts).map_err(refused)?;
        }
        for (pick, rows) in plan.picks.iter().zip(&self.groups.picks[panel.value]) {
            let text = |(_, _, cell): (u32, u32, u32)| {
                let code = rows.code(cell).filter(|_| cell != NOWHERE);
                code.map_or_else(String::new, |code| self.texts[pick.text][code as usize].to_owned())
            };
            let texts = places().map(text).collect();
            grid.set_texts(&pick.name, texts).map_err(refused)?;
        }
        Ok(grid)
    }

    /// An axis of these keys, with the texts of its strip.
    fn axis(&self, side: StripAxis, ids: &[u32]) -> Result<Axis, InputError> {
        let [x, y] = &self.placement.axes;
        let (keys, spec) = match side {
            StripAxis::X => (x, &self.figure.x),
            StripAxis::Y => (y, &self.figure.y),
        };
        let mut axis = keys.axis(ids, spec, &self.plan.schema.file)?;
        let pick =
            |of: &Vec<String>| -> Vec<String> { ids.iter().map(|&id| of[id as usize].clone()).collect() };
        let along = self.plan.along.iter().zip(&self.along).filter(|(column, _)| column.axis == side);
        put_along(&mut axis, along.map(|(column, of)| (column.splits, pick(of))));
        Ok(axis)
    }
}
