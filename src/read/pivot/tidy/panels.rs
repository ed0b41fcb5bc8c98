//! The panels of a tidy table in their order, how many there may be, and their rows and columns.

use super::facets::facet_panels;
use super::groups::{Dictionary, Groups};
use super::placement::{NOWHERE, Placement, panel_keys};
use super::plan::{Operand, TidyPlan};
use crate::budget::{Budget, OverBudget};
use crate::error::InputError;
use crate::field::shown;
use crate::panel_files::{check_count, unique_names};
use crate::pivot::axes::AxisKeys;
use crate::pivot::keys::{KeyOptions, Keys};
use crate::table::Schema;
use crate::table::{count, listed};
use gridscope_core::figure::{Figure, List};
use gridscope_core::grid::{Facet, FacetValue};
use gridscope_core::lint::{LintName, Lints};
use std::collections::HashMap;

/// The panels in order, each with a name of its own.
///
/// # Errors
/// When `panel_order` names no panel, or they are more than a figure has.
pub(super) fn panels(
    placement: &Placement,
    plan: &TidyPlan,
    figure: &Figure,
    lints: &mut Lints,
    budget: &Budget,
) -> Result<Vec<Panel>, InputError> {
    if let Some(sides) = plan.facets {
        return facet_panels(sides, placement, plan, figure, lints, budget);
    }
    let keys = placement.panel.as_ref();
    let names: Vec<&str> = plan.roles.values.iter().map(|&c| plan.schema.headers[c].as_str()).collect();
    // A count without a column has no name.
    let columns: &[&str] = if names.is_empty() { &[""] } else { &names };
    let present = |id: &u32| placement.of_panel(*id as usize).iter().any(|c| *c != NOWHERE);
    let of_keys = keys.map(|keys| in_order(keys, &placement.orders).into_iter().filter(present).map(Some));
    let ids: Vec<Option<u32>> = of_keys.map_or_else(|| vec![None], Iterator::collect);
    let mut list = Vec::new();
    for (value, column) in columns.iter().enumerate() {
        for &key in &ids {
            let label = key.and_then(|id| Some(label(keys?, id)));
            let of_value = |label: String| match columns.len() {
                1 => label,
                _ => format!("{column} | {label}"),
            };
            let name = match label {
                Some(label) => of_value(label),
                None if columns.len() > 1 => (*column).to_owned(),
                None => String::new(),
            };
            let caption = key.and_then(|id| caption(keys?, id, plan.schema));
            list.push(Panel { name, key, value, caption: caption.map(of_value), facet: None });
        }
    }
    // A column may be named twice, and values of two columns may read alike.
    let unique = unique_names(list.iter().map(|panel| panel.name.clone()).collect());
    list.iter_mut().zip(unique).for_each(|(panel, name)| panel.name = name);
    let file = plan.schema.file.as_str();
    // Columns of panels that are wrapped are panels as any others.
    if let Some(List(wanted)) = figure.panel_order.as_ref().or(figure.panel_column_order.as_ref()) {
        let places = chosen(wanted, &list, keys, &names, file)?;
        report_left_out(&list, &places, lints);
        list = places.into_iter().map(|at| list[at].clone()).collect();
    }
    check_count(list.len(), file, || format!("{} panels", list.len()))?;
    Ok(list)
}

/// The text over a panel of several columns: numbers with the names of their columns, and texts, which say what they are.
fn caption(keys: &AxisKeys, id: u32, schema: &Schema) -> Option<String> {
    let labels = keys.labels_of(id);
    let title = |(label, keys): (&&str, &Keys)| {
        let said = schema.said().iter().find(|one| one.name == keys.name);
        let name = said.map_or(&keys.name, |one| &one.said);
        let value = FacetValue { name: name.clone(), value: (*label).to_owned(), place: 0 };
        value.title(name, label)
    };
    let titles: Vec<String> = labels.iter().zip(&keys.columns).map(title).collect();
    (titles.len() > 1).then(|| titles.join(", "))
}

/// The name of a panel: its key, or those of several columns with their names.
fn label(keys: &AxisKeys, id: u32) -> String {
    let labels = keys.labels_of(id);
    match labels.as_slice() {
        [one] => (*one).to_owned(),
        several => {
            let named = several.iter().zip(&keys.columns);
            let parts: Vec<String> = named.map(|(label, keys)| format!("{} = {label}", keys.name)).collect();
            parts.join(", ")
        }
    }
}

/// The ids of all panels, in the orders of their columns, the outer first.
fn in_order(keys: &AxisKeys, orders: &[Vec<u32>]) -> Vec<u32> {
    let place = |order: &Vec<u32>| {
        let mut places = vec![u32::MAX; order.iter().max().map_or(0, |id| *id as usize + 1)];
        for (&id, place) in order.iter().zip(0..) {
            places[id as usize] = place;
        }
        places
    };
    let places: Vec<Vec<u32>> = orders.iter().map(place).collect();
    let mut ids: Vec<u32> = (0..keys.len() as u32).collect();
    ids.sort_by_cached_key(|id| {
        let levels = keys.ids_of(id).iter().zip(&places);
        levels.map(|(&id, places)| places[id as usize]).collect::<Vec<_>>()
    });
    ids
}

/// Reports the panels that an order does not name; `places` are those of the others.
fn report_left_out(list: &[Panel], places: &[usize], lints: &mut Lints) {
    let mut is_named = vec![false; list.len()];
    places.iter().for_each(|&at| is_named[at] = true);
    let others = list.iter().zip(is_named).filter(|panel| !panel.1);
    let others: Vec<String> = others.map(|panel| shown(&panel.0.name)).collect();
    if !others.is_empty() {
        let (named, all) = (places.len(), count(list.len(), "panel"));
        let text = format!("panel_order names {named} of {all}; left out: {}", listed(&others));
        lints.add(LintName::PanelsLeftOut, others.len() as u64, text);
    }
}

/// The places of the panels that an order names, each once.
fn chosen(
    wanted: &[String],
    list: &[Panel],
    keys: Option<&AxisKeys>,
    columns: &[&str],
    file: &str,
) -> Result<Vec<usize>, InputError> {
    // Of several columns, names alone say which panel is meant.
    let lone = keys.and_then(|keys| keys.columns.first().filter(|_| keys.columns.len() == 1));
    let finder = lone.map(Keys::finder);
    let mut places: HashMap<PanelName, Vec<usize>> = HashMap::new();
    for (at, panel) in list.iter().enumerate() {
        let column = columns.get(panel.value).map(|c| PanelName::Text(c));
        for name in
            [Some(PanelName::Text(&panel.name)), column, panel.key.map(PanelName::Key)].into_iter().flatten()
        {
            places.entry(name).or_default().push(at);
        }
    }
    let mut taken = vec![false; list.len()];
    let mut out: Vec<usize> = Vec::new();
    for w in wanted {
        let key = finder.as_ref().and_then(|f| f.find(w)).map(PanelName::Key);
        let named = [Some(PanelName::Text(w)), key];
        let mut found: Vec<usize> =
            named.iter().flatten().filter_map(|n| places.get(n)).flatten().copied().collect();
        if found.is_empty() {
            let names: Vec<String> = list.iter().map(|l| List::to_flag(&[&l.name])).collect();
            let e = InputError::usage(file, format!("panel_order: no panel {}", shown(w)));
            return Err(e.with_hint(format!("panels: {}", listed(&names))));
        }
        found.sort_unstable();
        out.extend(found.into_iter().filter(|&at| !std::mem::replace(&mut taken[at], true)));
    }
    Ok(out)
}

/// Name of a panel: its name or its value column, or the id of its key.
#[derive(PartialEq, Eq, Hash)]
enum PanelName<'a> {
    Text(&'a str),
    Key(u32),
}

/// A panel that is shown.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub name: String,
    /// The id of its key; none where no column makes panels, or no row has the keys of its row and column of panels.
    pub key: Option<u32>,
    /// Its value column, by its place among them.
    pub value: usize,
    /// The text over it, where that is not its name.
    pub caption: Option<String>,
    /// Its row and column of panels.
    pub facet: Option<Facet>,
}

impl Panel {
    /// Its place among the panels' keys.
    pub(super) fn id(&self) -> usize {
        self.key.map_or(0, |id| id as usize)
    }

    /// Whether no row has its keys.
    pub(super) fn is_empty(&self) -> bool {
        self.facet.is_some() && self.key.is_none()
    }

    /// Its cells, as [`Placement::of_panel`] has them; nothing where no row has its keys.
    pub(super) fn cells<'p>(&self, placement: &'p Placement) -> &'p [u32] {
        if self.is_empty() { &[] } else { placement.of_panel(self.id()) }
    }
}

/// Texts of the panel column that are remembered. Where rows that count have their panels among more, they alone give the order.
const MOST: usize = 1 << 16;

/// Whether these are more texts than are remembered.
pub(super) fn is_many(texts: usize) -> bool {
    texts > MOST
}

/// The texts of a panel column in all rows, also those that do not count, in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct PanelTexts {
    texts: Dictionary,
}

impl PanelTexts {
    /// Whether there are more than are remembered.
    fn is_full(&self) -> bool {
        is_many(self.texts.count())
    }

    /// Takes texts in the order of the rows; what those that are new cost together.
    pub(super) fn take(&mut self, texts: &[String], cost: impl Fn(&str) -> u64) -> u64 {
        let mut bytes = 0;
        for text in texts {
            if !self.is_full() && self.texts.code(text).1 {
                bytes += cost(text);
            }
        }
        bytes
    }

    /// The ids of the keys of a column in the order that they have among all of the file.
    ///
    /// # Errors
    /// As [`Keys::read`].
    pub(super) fn order(&self, keys: &Keys, column: usize, plan: &TidyPlan) -> Result<Vec<u32>, InputError> {
        let mut ids = keys.order(None, None);
        if self.texts.count() == 0 || self.is_full() {
            return Ok(ids);
        }
        let options = KeyOptions {
            missing: &plan.schema.missing,
            order: plan.schema.order(column),
            month_first: plan.schema.month_first(column),
            blank: plan.schema.blank_key.as_deref(),
            ..KeyOptions::default()
        };
        let texts = self.texts.texts();
        let all = Keys::read(&keys.name, texts.into_iter(), options, &plan.schema.file)?;
        let mut places = vec![usize::MAX; all.labels.len()];
        for (place, id) in all.order(None, None).into_iter().enumerate() {
            places[id as usize] = place;
        }
        let finder = all.finder();
        let place =
            |id: &u32| finder.find(&keys.labels[*id as usize]).map_or(usize::MAX, |id| places[id as usize]);
        ids.sort_by_cached_key(place);
        Ok(ids)
    }
}

/// Counts the keys of the panel columns while rows come in.
pub(super) struct PanelCount {
    /// Combinations of texts that made no panel of their own when they were last counted.
    no_keys: usize,
}

impl PanelCount {
    /// Before the first row.
    ///
    /// # Errors
    /// When the value columns alone make too many panels.
    pub(super) fn new(plan: &TidyPlan) -> Result<Self, InputError> {
        let values = plan.roles.values.len();
        check_count(values, &plan.schema.file, || format!("--value names {values} columns, a panel each"))?;
        Ok(Self { no_keys: 0 })
    }

    /// Looks at the panels of all rows so far. Where `panel_order` chooses some of them, they are counted once all are known.
    ///
    /// # Errors
    /// When they are more than a figure has.
    pub(super) fn check(&mut self, plan: &TidyPlan, groups: &Groups) -> Result<(), InputError> {
        if plan.roles.panel.is_empty() || plan.some_panels {
            return Ok(());
        }
        let values = plan.roles.values.len().max(1);
        let texts = combinations(plan, groups);
        if check_count(texts.saturating_sub(self.no_keys).saturating_mul(values), "", String::new).is_ok() {
            return Ok(());
        }
        // Texts may be empty, or one number in other words. Further rows never make fewer keys.
        let keys = panel_keys(groups, plan, None)?;
        let occurring = keys.as_ref().map_or(1, AxisKeys::len);
        let found = keys.map_or(1, |keys| match plan.facets {
            // Each pair has a place, unless those without rows are left out.
            Some(_) if !plan.drops_empty => {
                keys.columns.iter().fold(1usize, |n, k| n.saturating_mul(k.labels.len()))
            }
            _ => keys.len(),
        });
        self.no_keys = texts.saturating_sub(found);
        let all = found.saturating_mul(values);
        let each =
            if values > 1 { format!(", {found} for each of {values} value columns") } else { String::new() };
        let names: Vec<String> = plan.roles.panel.iter().map(|&c| shown(&plan.schema.headers[c])).collect();
        let (flags, hint) = match (plan.facets, names.as_slice()) {
            (Some([FacetSide::Key(_), FacetSide::Key(_)]), [row, column]) => (
                format!("--panel-row {row} and --panel-column {column} make"),
                if occurring < found && check_count(occurring.saturating_mul(values), "", String::new).is_ok()
                {
                    format!(
                        "--drop-empty leaves out all but the {occurring} pairs of values that have rows so far"
                    )
                } else {
                    format!(
                        "columns {row} and {column} have {found} pairs of values so far: --where chooses rows, or --panel-row and --panel-column columns with fewer values"
                    )
                },
            ),
            (Some(sides), [name]) => {
                let side = if sides[0] == FacetSide::Key(0) { "row" } else { "column" };
                (format!("--panel-{side} {name} makes"), few(name, &format!("--panel-{side}"), found))
            }
            (_, [name]) => (format!("--panel {name} makes"), few(name, "--panel", found)),
            (_, names) => (
                format!("--panel {} makes", names.join(",")),
                format!(
                    "columns {} have {found} combinations of values so far: --where chooses rows, or --panel fewer columns",
                    listed(names)
                ),
            ),
        };
        let what = || format!("{flags} {all} panels so far{each}");
        check_count(all, &plan.schema.file, what).map_err(|e| e.with_hint(hint))
    }
}

/// Advice about a column of many values.
fn few(name: &str, flag: &str, found: usize) -> String {
    format!(
        "column {name} has {found} values so far: --where chooses rows, or {flag} a column with fewer values"
    )
}

/// The most panels that the texts so far may make.
fn combinations(plan: &TidyPlan, groups: &Groups) -> usize {
    let first = plan.roles.x.len() + plan.roles.y.len();
    match (plan.panel, plan.facets) {
        (Some(Operand::Step(step)), facets) if facets.is_none() || plan.drops_empty => {
            groups.pairs[step].list.len()
        }
        _ => groups.texts[first..first + plan.roles.panel.len()]
            .iter()
            .fold(1, |n, texts| n.saturating_mul(texts.count())),
    }
}

/// Takes off the budget what the labels of panels need, since each panel has labels of its own: `sides` are the keys along x and y
/// that a panel shows, and `each` the bytes of a label there.
///
/// # Errors
/// Too little memory.
pub(super) fn take_labels(
    panels: usize,
    sides: [usize; 2],
    each: [u64; 2],
    file: &str,
    budget: &Budget,
) -> Result<(), InputError> {
    let [x, y] = sides;
    let of_panel = each[0].saturating_mul(x as u64).saturating_add(each[1].saturating_mul(y as u64));
    let short = |s: OverBudget| {
        let e = s.of(file, format_args!("the labels of {x} x {y} keys in {}", count(panels, "panel")));
        e.with_hint("--panel a column with fewer values, or --max-memory")
    };
    budget.take(of_panel.saturating_mul(panels as u64)).map_err(short)
}

/// Common value of the panels of one row, or of one column of panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FacetSide {
    /// A key of this column, by its place among those of panels.
    Key(usize),
    /// A value column.
    Value,
    /// There is one row, or one column.
    One,
}

/// Rows of panels, and columns of panels.
pub(super) type Sides = [FacetSide; 2];

/// The sides that a figure asks for. Columns of panels alone may be wrapped by `columns`: they are panels without sides.
///
/// # Errors
/// Options that do not go together; `values` is the number of value columns.
pub(super) fn sides(figure: &Figure, values: usize, schema: &Schema) -> Result<Option<Sides>, InputError> {
    let (data, file) = (&figure.data, schema.file.as_str());
    let usage = |what: &str, hint: &str| Err(InputError::usage(file, what).with_hint(hint));
    let (row, column) = (data.panel_row.is_some(), data.panel_column.is_some());
    if !row && !column {
        let orders = [&figure.panel_row_order, &figure.panel_column_order];
        if orders.into_iter().any(Option::is_some) {
            return usage(
                "panel_row_order and panel_column_order need panel_row or panel_column",
                "--panel-order orders the panels of --panel and --value",
            );
        }
        if data.drop_empty == Some(true) && !schema.has_orders() {
            return usage(
                "drop_empty needs panel_row or panel_column",
                "--panel draws no empty panel: leave --drop-empty out",
            );
        }
        return Ok(None);
    }
    if data.panel.is_some() {
        return usage(
            "panel and panel_row or panel_column both make panels",
            "give one of them: --panel-row and --panel-column take a column each, --panel several",
        );
    }
    if figure.panel_order.is_some() {
        return usage(
            "panel_order does not say whether it orders rows or columns of panels",
            "--panel-row-order, --panel-column-order",
        );
    }
    if row && figure.columns.is_some() {
        return usage(
            "columns wraps the panels of one row, and panel_row makes several rows",
            "leave --columns out, or --panel-row",
        );
    }
    // The panels of one row that is wrapped have no columns of their own.
    if figure.columns.is_some() {
        return Ok(None);
    }
    let sides = match (row, column, values > 1) {
        (true, true, false) => [FacetSide::Key(0), FacetSide::Key(1)],
        (true, true, true) => {
            return usage(
                "panel_row and panel_column are both given, and several value columns need one of the two sides",
                "leave out --panel-row or --panel-column: the value columns take its place; or name one --value",
            );
        }
        (true, false, false) => [FacetSide::Key(0), FacetSide::One],
        (true, false, true) => [FacetSide::Key(0), FacetSide::Value],
        (false, _, true) => [FacetSide::Value, FacetSide::Key(0)],
        (false, _, false) => [FacetSide::One, FacetSide::Key(0)],
    };
    let orders = [&figure.panel_row_order, &figure.panel_column_order];
    for (side, order, word) in [(sides[0], orders[0], "row"), (sides[1], orders[1], "column")] {
        if side == FacetSide::One && order.is_some() {
            let what = format!("panel_{word}_order needs panel_{word}");
            return Err(InputError::usage(file, what));
        }
    }
    Ok(Some(sides))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn labels_count_for_each_panel() {
        let of = |panels, sides, limit| take_labels(panels, sides, [100, 130], "f", &Budget::new(limit));
        assert!(
            of(1, [80_000, 1], 8_000_130).is_ok()
                && of(1, [80_000, 1], 8_000_129).is_err()
                && of(2, [80_000, 1], 8_000_130).is_err()
        );
        let e = of(4096, [80_000, 1], 4 << 30).unwrap_err();
        assert_eq!((e.kind, e.what.contains("80000 x 1 keys in 4096 panels")), (ErrorKind::Limit, true));
        assert!(of(usize::MAX, [1 << 30, 1 << 30], u64::MAX - 1).is_err());
    }
}
