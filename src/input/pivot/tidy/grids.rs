//! Cells under their keys to grids, one per panel.

use super::groups::Groups;
use super::placement::{NOWHERE, Placement};
use super::plan::Plan;
use crate::figure::{Agg, AxisSpec, Figure, List, Order, OrderWord, StripAxis};
use crate::grid::{Axis, Grid, Number, State};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::loaded::Needs;
use crate::input::panels::{check_count, unique_names};
use crate::input::pivot::aggregate::sum;
use crate::input::pivot::axes::AxisKeys;
use crate::input::pivot::cells::CellValues;
use crate::input::pivot::keys::Keys;
use crate::input::table::listed;
use std::collections::{BTreeMap, HashMap};

/// A panel that is shown.
#[derive(Clone, Debug)]
pub struct Panel {
    pub name: String,
    /// The id of its key; none where no column makes panels.
    key: Option<u32>,
    /// Its value column, by its place among them.
    pub value: usize,
}

impl Panel {
    /// Its place among the panels' keys.
    pub fn id(&self) -> usize {
        self.key.map_or(0, |id| id as usize)
    }
}

/// The panels in order, each with a name of its own.
///
/// # Errors
/// When `panel_order` names no panel, or they are more than a figure has.
pub fn panels(placement: &Placement, plan: &Plan, figure: &Figure) -> Result<Vec<Panel>, InputError> {
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
    let of_keys = keys.map(|k| k.order(None, None).into_iter().filter(present).map(Some));
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
        list = places.into_iter().map(|at| list[at].clone()).collect();
    }
    check_count(list.len(), file, || format!("{} panels", list.len()))?;
    Ok(list)
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
            let names: Vec<String> = list.iter().map(|l| l.name.clone()).collect();
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

/// What is shown of a value column.
pub struct Shown<'a> {
    groups: &'a Groups,
    placement: &'a Placement,
    agg: Agg,
    /// The medians, by value column and cell.
    medians: Vec<Vec<Option<Number>>>,
}

/// The keys in order along both axes.
pub struct Sides {
    pub x: Vec<u32>,
    pub y: Vec<u32>,
}

impl<'a> Shown<'a> {
    /// All value columns.
    pub fn new(groups: &'a Groups, placement: &'a Placement, agg: Agg) -> Self {
        Self {
            groups,
            placement,
            agg,
            medians: groups
                .accumulators
                .iter()
                .map(super::accumulator::Accumulator::medians)
                .collect(),
        }
    }

    fn at(&self, cell: u32, value: usize, agg: Agg) -> Result<Number, State> {
        if cell == NOWHERE {
            Err(State::Absent)
        } else {
            self.groups.accumulators[value].value(cell, agg, &self.medians[value])
        }
    }

    /// The keys that some panels show; orders by value go by a value column.
    pub fn sides(&self, figure: &Figure, panels: std::ops::Range<usize>, value: usize) -> Sides {
        let [width, height, _] = self.placement.size;
        let by_value = |s: &AxisSpec| s.order == Some(Order::Word(OrderWord::Value));
        let sums = by_value(&figure.x) || by_value(&figure.y);
        let (mut of_x, mut of_y) = (vec![(0.0, 0u64); width], vec![(0.0, 0u64); height]);
        let (mut in_x, mut in_y) = (vec![false; width], vec![false; height]);
        for panel in panels {
            for (i, &cell) in self
                .placement
                .of_panel(panel)
                .iter()
                .enumerate()
                .filter(|c| *c.1 != NOWHERE)
            {
                (in_x[i % width], in_y[i / width]) = (true, true);
                if let Some(v) = sums.then(|| self.at(cell, value, self.agg)).and_then(Result::ok) {
                    for key in [&mut of_x[i % width], &mut of_y[i / width]] {
                        *key = (sum([key.0, v.as_f64()].into_iter()), key.1 + 1);
                    }
                }
            }
        }
        let order = |keys: &AxisKeys, spec: &AxisSpec, present: &[bool], of: &[(f64, u64)]| {
            keys.order(spec, present, sums.then_some(of))
        };
        Sides {
            x: order(&self.placement.x, &figure.x, &in_x, &of_x),
            y: order(&self.placement.y, &figure.y, &in_y, &of_y),
        }
    }

    /// The grid of a panel, its rows and columns in this order.
    ///
    /// # Errors
    /// When there is no cell.
    pub fn grid(
        &self,
        panel: &Panel,
        (ys, rows): (&[u32], Axis),
        (xs, columns): (&[u32], Axis),
        needs: &Needs,
        file: &str,
    ) -> Result<Grid, InputError> {
        let cells = || self.cells(panel.id(), ys, xs);
        let shown = cells().map(|cell| self.at(cell, panel.value, self.agg));
        let mut grid = CellValues::of(ys.len() * xs.len(), shown).into_grid(rows, columns, file)?;
        let field = |agg: &Agg| {
            let of = |cell| self.at(cell, panel.value, *agg).map_or(f64::NAN, Number::as_f64);
            cells().map(of).collect()
        };
        grid.fields = named(&needs.aggregates, needs.aggregates.iter().map(field).collect());
        Ok(grid)
    }

    /// The distinct texts of a column that cells show, joined; `texts` are the column's, `of` their codes by cell.
    pub fn texts(&self, panel: usize, texts: &[&str], of: usize, ys: &[u32], xs: &[u32]) -> Vec<String> {
        let joined = |cell: u32| {
            let codes = self.groups.shown[of].get(&cell).map_or(&[][..], Vec::as_slice);
            codes
                .iter()
                .map(|c| texts[c.1 as usize])
                .collect::<Vec<_>>()
                .join(", ")
        };
        self.cells(panel, ys, xs).map(joined).collect()
    }

    fn cells(&self, panel: usize, ys: &[u32], xs: &[u32]) -> impl Iterator<Item = u32> {
        let (of, width) = (self.placement.of_panel(panel), self.placement.size[0]);
        ys.iter()
            .flat_map(move |&y| xs.iter().map(move |&x| of[y as usize * width + x as usize]))
    }
}

/// An axis with the texts of its strip.
///
/// # Errors
/// When it is to be a number axis and cannot.
pub fn axis(
    keys: &AxisKeys,
    ids: &[u32],
    spec: &AxisSpec,
    which: StripAxis,
    strip: Option<&(StripAxis, Vec<String>)>,
    file: &str,
) -> Result<Axis, InputError> {
    let mut axis = keys.axis(ids, spec, file)?;
    axis.strip = strip
        .filter(|s| s.0 == which)
        .map(|s| ids.iter().map(|&id| s.1[id as usize].clone()).collect());
    Ok(axis)
}

/// Fields under the names that templates use.
pub fn named(aggregates: &[Agg], fields: Vec<Vec<f64>>) -> BTreeMap<String, Vec<f64>> {
    let mut out = BTreeMap::new();
    for (agg, field) in aggregates.iter().zip(fields) {
        if *agg == Agg::Count {
            out.insert("n".to_owned(), field.clone());
        }
        out.insert(agg.word().to_owned(), field);
    }
    out
}
