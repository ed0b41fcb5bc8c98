//! Cells under their keys to grids, one per panel.

use super::accumulator::Accumulator;
use super::dictionary::Dictionary;
use super::groups::Groups;
use super::placement::{NOWHERE, Placement};
use super::plan::TidyPlan;
use crate::figure::{Agg, AxisSpec, Figure, List, Order, OrderWord, StripAxis};
use crate::grid::{Axis, AxisKind, Cell, Grid, GridError, Number, State};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::panels::{check_count, unique_names};
use crate::input::pivot::aggregate::sum;
use crate::input::pivot::axes::share_order;
use crate::input::pivot::cells::CellValues;
use crate::input::pivot::keys::Keys;
use crate::input::table::{count, listed};
use crate::lint::{LintName, Lints};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Bytes of a strip's text beside its own.
const STRIP: u64 = 56;

/// A panel that is shown.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub name: String,
    /// The id of its key; none where no column makes panels.
    key: Option<u32>,
    /// Its value column, by its place among them.
    pub value: usize,
}

impl Panel {
    /// Its place among the panels' keys.
    pub(super) fn id(&self) -> usize {
        self.key.map_or(0, |id| id as usize)
    }
}

/// The panels in order, each with a name of its own.
///
/// # Errors
/// When `panel_order` names no panel, or they are more than a figure has.
pub(super) fn panels(
    placement: &Placement,
    plan: &TidyPlan,
    figure: &Figure,
    lints: &mut Lints,
) -> Result<Vec<Panel>, InputError> {
    let keys = placement.panel.as_ref();
    let names: Vec<&str> = plan
        .roles
        .values
        .iter()
        .map(|&c| plan.schema.headers[c].as_str())
        .collect();
    // A count without a column has no name.
    let columns: &[&str] = if names.is_empty() { &[""] } else { &names };
    let present = |id: &u32| placement.of_panel(*id as usize).iter().any(|c| *c != NOWHERE);
    let of_keys = keys.map(|_| placement.panels.iter().copied().filter(present).map(Some));
    let ids: Vec<Option<u32>> = of_keys.map_or_else(|| vec![None], Iterator::collect);
    let mut list = Vec::new();
    for (value, column) in columns.iter().enumerate() {
        for &key in &ids {
            let label = key.and_then(|id| Some(keys?.labels[id as usize].as_str()));
            let name = match label {
                Some(l) if columns.len() > 1 => format!("{column} | {l}"),
                Some(l) => l.to_owned(),
                None if columns.len() > 1 => (*column).to_owned(),
                None => String::new(),
            };
            list.push(Panel { name, key, value });
        }
    }
    // A column may be named twice, and values of two columns may read alike.
    let unique = unique_names(list.iter().map(|panel| panel.name.clone()).collect());
    list.iter_mut()
        .zip(unique)
        .for_each(|(panel, name)| panel.name = name);
    let file = plan.schema.file.as_str();
    if let Some(List(wanted)) = &figure.panel_order {
        let places = chosen(wanted, &list, keys, &names, file)?;
        report_left_out(&list, &places, lints);
        list = places.into_iter().map(|at| list[at].clone()).collect();
    }
    check_count(list.len(), file, || format!("{} panels", list.len()))?;
    Ok(list)
}

/// Reports the panels that an order does not name; `places` are those of the others.
fn report_left_out(list: &[Panel], places: &[usize], lints: &mut Lints) {
    let mut is_named = vec![false; list.len()];
    places.iter().for_each(|&at| is_named[at] = true);
    let others = list.iter().zip(is_named).filter(|panel| !panel.1);
    let others: Vec<String> = others.map(|panel| shown(&panel.0.name)).collect();
    if !others.is_empty() {
        let (named, all) = (places.len(), count(list.len(), "panel"));
        let text = format!(
            "panel_order names {named} of {all}; left out: {}",
            listed(&others)
        );
        lints.add(LintName::PanelsLeftOut, others.len() as u64, text);
    }
}

/// The places of the panels that an order names, each once.
fn chosen(
    wanted: &[String],
    list: &[Panel],
    keys: Option<&Keys>,
    columns: &[&str],
    file: &str,
) -> Result<Vec<usize>, InputError> {
    let finder = keys.map(Keys::finder);
    let mut places: HashMap<PanelName, Vec<usize>> = HashMap::new();
    for (at, panel) in list.iter().enumerate() {
        let column = columns.get(panel.value).map(|c| PanelName::Text(c));
        for name in [
            Some(PanelName::Text(&panel.name)),
            column,
            panel.key.map(PanelName::Key),
        ]
        .into_iter()
        .flatten()
        {
            places.entry(name).or_default().push(at);
        }
    }
    let mut taken = vec![false; list.len()];
    let mut out: Vec<usize> = Vec::new();
    for w in wanted {
        let key = finder.as_ref().and_then(|f| f.find(w)).map(PanelName::Key);
        let named = [Some(PanelName::Text(w)), key];
        let mut found: Vec<usize> = named
            .iter()
            .flatten()
            .filter_map(|n| places.get(n))
            .flatten()
            .copied()
            .collect();
        if found.is_empty() {
            let names: Vec<String> = list.iter().map(|l| List::to_flag(&[&l.name])).collect();
            let e = InputError::usage(file, format!("panel_order: no panel {}", shown(w)));
            return Err(e.with_hint(format!("panels: {}", listed(&names))));
        }
        found.sort_unstable();
        out.extend(
            found
                .into_iter()
                .filter(|&at| !std::mem::replace(&mut taken[at], true)),
        );
    }
    Ok(out)
}

/// What a panel is named by: its name or its value column, or the id of its key.
#[derive(PartialEq, Eq, Hash)]
enum PanelName<'a> {
    Text(&'a str),
    Key(u32),
}

/// What the cells of all panels show.
pub(super) struct PanelValues<'a> {
    groups: &'a Groups,
    placement: &'a Placement,
    plan: &'a TidyPlan<'a>,
    figure: &'a Figure,
    /// The medians, by value column and cell.
    medians: Vec<Vec<Option<Number>>>,
    /// The texts of each column of `plan.texts`, by their codes.
    texts: Vec<Vec<&'a str>>,
    /// The texts of each key along an axis, by column of `plan.sides`.
    along: Vec<Vec<String>>,
    /// Where rows are counted: the keys along x and along y that a row has.
    observed: Option<[Vec<bool>; 2]>,
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
        let sides = plan.sides.iter().enumerate();
        let along = sides
            .map(|(i, side)| placement.first_texts(&groups.shown[i], &texts[i], side.axis))
            .collect();
        Self {
            groups,
            placement,
            plan,
            figure,
            medians: groups.accumulators.iter().map(Accumulator::medians).collect(),
            along,
            texts,
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

    /// Refuses a split by a column that has two texts for one row or column.
    ///
    /// # Errors
    /// The first such key.
    pub(super) fn check_splits(&self) -> Result<(), InputError> {
        let splits = self.plan.sides.iter().enumerate().filter(|side| side.1.splits);
        for (i, side) in splits {
            let of = &self.groups.shown[i];
            let Some((key, codes)) = self.placement.two_texts(of, side.axis) else {
                continue;
            };
            let (x, at) = (side.axis == StripAxis::X, usize::from(side.axis == StripAxis::Y));
            let other = if x { StripAxis::Y } else { StripAxis::X };
            let word = if x { "column" } else { "row" };
            let [a, b] = codes.map(|code| shown(self.texts[i][code as usize]));
            let spec = [&self.figure.x, &self.figure.y][at];
            let own = self.placement.axes[at].axis(&[key as u32], spec, &self.plan.schema.file)?;
            let what = format!(
                "split: '{}' has two values in {word} {}: {a} and {b}; a split needs one for each {word}",
                side.column,
                shown(&own.label(0))
            );
            let e = InputError::usage(&self.plan.schema.file, what);
            let fits = self.placement.two_texts(of, other).is_none();
            return Err(match (fits, x) {
                (true, true) => e.with_hint(format!("--split-rows {}", List::to_flag(&[side.column]))),
                (true, false) => e.with_hint(format!("--split-columns {}", List::to_flag(&[side.column]))),
                (false, _) => e.with_hint(format!("--panel {}", side.column)),
            });
        }
        Ok(())
    }

    fn at(&self, cell: u32, value: usize, agg: Agg) -> Cell {
        if cell == NOWHERE {
            Cell::Empty(State::Absent)
        } else {
            self.groups.accumulators[value].value(cell, agg, &self.medians[value])
        }
    }

    /// What the cell at two keys shows: rows of keys that both occur, though not together, are counted as 0.
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
        let (of, width) = (self.placement.of_panel(panel.id()), self.placement.size[0]);
        let places = || {
            let of_row = |&y: &u32| {
                xs.iter()
                    .map(move |&x| (x, y, of[y as usize * width + x as usize]))
            };
            ys.iter().flat_map(of_row)
        };
        let shown = places().map(|place| self.shown(place, panel.value, plan.aggregates[0]));
        let mut grid = CellValues::of(ys.len() * xs.len(), shown).into_grid(rows, columns, &schema.file)?;
        let field = |agg: &Agg| {
            let of = |place| self.shown(place, panel.value, *agg).as_f64();
            places().map(of).collect()
        };
        let needed = &plan.aggregates[1..];
        let refused = |e: GridError| InputError::refused(&schema.file, "", e.to_string());
        for (name, numbers) in named(needed, needed.iter().map(field).collect()) {
            grid.set_field(name, numbers).map_err(refused)?;
        }
        grid.set_name(&panel.name);
        if let Some(&value) = plan.roles.values.get(panel.value) {
            grid.set_value_name(schema.value_name(value));
        }
        for i in plan.shown() {
            // The distinct texts of a cell.
            let joined = |(_, _, cell): (u32, u32, u32)| {
                let of_cell = self.groups.shown[i].get(cell as usize).into_iter().flatten();
                let texts: Vec<&str> = of_cell.map(|t| self.texts[i][t.1 as usize]).collect();
                texts.join(", ")
            };
            let texts = places().map(joined).collect();
            grid.set_texts(&schema.headers[plan.texts[i]], texts)
                .map_err(refused)?;
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
        let mut splits = Vec::new();
        for (column, of) in self.plan.sides.iter().zip(&self.along) {
            match (column.axis == side, column.splits) {
                (false, _) => {}
                (true, true) => splits.push(pick(of)),
                (true, false) => axis.strips.push(pick(of)),
            }
        }
        if !splits.is_empty() {
            // Groups have no coordinates: their cells are apart.
            (axis.kind, axis.coords) = (AxisKind::Category, None);
            axis.levels.splice(0..0, splits);
        }
        Ok(axis)
    }
}

/// Fields under the names that templates use.
pub(crate) fn named(aggregates: &[Agg], fields: Vec<Vec<f64>>) -> BTreeMap<String, Vec<f64>> {
    let mut out = BTreeMap::new();
    for (agg, field) in aggregates.iter().zip(fields) {
        if *agg == Agg::Count {
            out.insert("n".to_owned(), field.clone());
        }
        out.insert(agg.word().to_owned(), field);
    }
    out
}
