//! Which panels share a colour scale, the bar of each scale, and the title that it gets.

use super::error::ResolveError;
use super::limits::Limit;
use super::overrides::{Overrides, ScaleChoice, ScaleOverrides, shows_sides};
use gridscope_core::figure::{BarPlace, BarTick, BarTicks, Figure, Reduce, TableKind};
use gridscope_core::grid::{Change, Grid, Merged, Number};
use gridscope_core::scale::{BarNumbers, NumberFormat, minus, short, typeset};
use gridscope_core::text::{clean, rich};
use std::collections::{HashMap, HashSet};

/// A colour scale and the panels that share it.
#[derive(Clone, Debug)]
pub struct BarFrame {
    /// Its title, without the unit that values give it.
    pub label: String,
    /// The figure gives the title.
    pub is_named: bool,
    /// Where the bar is placed.
    pub place: BarPlace,
    /// The panels.
    pub panels: Vec<usize>,
    /// The panels whose values give the limits: these, and others that have equal bars of their own.
    pub among: Vec<usize>,
    /// Whether cells can lie beyond its limits.
    pub clips: bool,
    /// The low and the high limit, where they are given.
    pub given: [Option<Limit>; 2],
    /// The format of its labels, where the user gave one, for them or for cells that say what their numbers are.
    pub format: Option<NumberFormat>,
    /// Whether it is that of cells: then labels have as many digits as they need.
    pub follows: bool,
    /// The ticks that the figure gives.
    pub ticks: Option<BarTicks>,
    /// Its length as a share of the usual one.
    pub shrink: f64,
    /// How its numbers are written.
    pub numbers: BarNumbers,
    /// Values may give its numbers a unit.
    pub may_have_unit: bool,
    /// The power of ten that its numbers are multiples of, as `×10⁻³`; empty without one. It is known from values alone, so
    /// the layout has a place for every one.
    pub unit: String,
    /// Changes over the figure's scale.
    pub overrides: ScaleOverrides,
}

/// The widest unit.
const WIDEST_UNIT: &str = "×10⁻³⁰⁸";

impl BarFrame {
    /// Whether a limit is given: then both get ticks.
    pub fn is_limited(&self) -> bool {
        self.given != [None; 2]
    }

    /// Whether the figure, or a change over it, names a limit.
    pub fn names_limit(&self) -> bool {
        self.given.iter().flatten().any(|limit| matches!(limit, Limit::Given(_)))
    }

    /// The values of the ticks that the figure gives, ascending, and their texts.
    pub fn tick_texts(&self) -> Option<Vec<(f64, String)>> {
        let given = &self.ticks.as_ref()?.0;
        let plain = |tick: &BarTick| short(self.numbers.in_units(tick.value));
        // Numbers have the same decimals, unless they are of many sizes.
        let texts: Vec<String> = given.iter().filter(|t| t.text.is_none()).map(plain).collect();
        let decimals_of = |text: &String| text.split_once('.').map_or(0, |(_, after)| after.len());
        let decimals =
            texts.iter().map(decimals_of).max().filter(|n| *n <= 4 && !texts.iter().any(|t| t.contains('e')));
        let number = |tick: &BarTick| match decimals {
            Some(decimals) => format!("{:.decimals$}", self.numbers.in_units(tick.value)),
            None => plain(tick),
        };
        let text = |tick: &BarTick| match (&tick.text, self.format) {
            (Some(text), _) => rich(text),
            (None, Some(format)) => minus(&format.format(Number::F64(tick.value))),
            (None, None) => typeset(&number(tick)),
        };
        let mut all: Vec<(f64, String)> = given.iter().map(|t| (t.value, text(t))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(all)
    }

    /// The title with the unit.
    pub fn title(&self) -> String {
        with_unit(&self.label, &self.unit)
    }

    /// A label with the longest unit that values may give it.
    pub fn longest_title(&self, label: &str) -> String {
        with_unit(label, if self.may_have_unit { WIDEST_UNIT } else { "" })
    }
}

/// A title and the unit of the numbers beside it.
pub fn with_unit(label: &str, unit: &str) -> String {
    match (label, unit) {
        (label, "") => label.to_owned(),
        ("", unit) => unit.to_owned(),
        (label, unit) => format!("{label} ({unit})"),
    }
}

/// Groups the panels by their scales: all, none, or those of one group share one.
pub(super) fn bars(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
) -> Result<Vec<BarFrame>, ResolveError> {
    let groups = scale_groups(figure, grids)?;
    let shrink = figure.color.shrink.unwrap_or(1.0);
    if !(0.1..=1.0).contains(&shrink) {
        return Err(ResolveError::key("shrink", format!("{shrink} is not from 0.1 to 1")));
    }
    let bar = |(index, ScaleGroup { panels, among }): (usize, ScaleGroup)| {
        let first = &grids[panels[0]];
        let overrides = ScaleOverrides {
            seen: overrides.seen_by(|name| panels.iter().any(|i| grids[*i].name() == name)),
            ..overrides.scale(index)
        };
        let choice = ScaleChoice::new(figure, first, &overrides);
        let own = choice.panel().and_then(|p| p.label.as_ref());
        let is_apart = shows_sides(figure) && !first.changes().is_empty();
        let given = own.or(figure.color.label.as_ref().filter(|_| !is_apart));
        let shown = || {
            let shown: Vec<&Grid> = panels.iter().map(|&i| &grids[i]).collect();
            label_of(&shown, None)
        };
        BarFrame {
            label: given.map_or_else(shown, |label| rich(label)),
            is_named: given.is_some(),
            place: figure.color.bar.unwrap_or_default(),
            clips: choice.clips(),
            given: choice.given(),
            follows: false,
            format: figure.color.fmt.as_deref().map(|fmt| fmt.of_values(first.value_name())),
            ticks: figure.color.ticks.clone(),
            shrink,
            numbers: BarNumbers::default(),
            may_have_unit: false,
            unit: String::new(),
            panels,
            among,
            overrides,
        }
    };
    Ok(groups.into_iter().enumerate().map(bar).collect())
}

/// Titles the bars whose pixels cover several cells, `reduces` says of which panels; without it the cells under a pixel change,
/// and a reduction that was chosen is named whether or not pixels cover several. A title that the figure gives stays.
///
/// Whether it changed any; the layout of the figure changes with it.
pub fn name_reductions(
    bars: &mut [BarFrame],
    grids: &[Grid],
    reduce: Reduce,
    reduces: Option<&[bool]>,
) -> bool {
    // A zoom must not move the bodies.
    let always = !matches!(reduce, Reduce::Mean | Reduce::Count);
    let is_reduced = |i: &usize| reduces.map_or(always, |reduces| reduces[*i]);
    let mut changes = false;
    for bar in bars.iter_mut().filter(|bar| !bar.is_named) {
        if !bar.panels.iter().any(is_reduced) {
            continue;
        }
        let shown: Vec<&Grid> = bar.panels.iter().map(|&i| &grids[i]).collect();
        let label = label_of(&shown, Some(reduce));
        let label = if bar.numbers.power == PERCENT { in_percent(label) } else { label };
        changes |= label != bar.label;
        bar.label = label;
    }
    changes
}

/// The power of ten of per cents.
pub(super) const PERCENT: i32 = -2;

/// The title of shares with the per cent sign of the numbers beside it.
pub(super) fn in_percent(label: String) -> String {
    match label.strip_suffix(')') {
        Some(rest) => format!("{rest}, %)"),
        None => format!("{label} (%)"),
    }
}

/// Panels of one scale.
pub(super) struct ScaleGroup {
    /// Panels that share a bar.
    pub panels: Vec<usize>,
    /// Panels whose cells the limits come from; the first speaks for all.
    pub among: Vec<usize>,
}

/// Scales of a figure.
///
/// # Errors
/// A scale that does not exist.
pub(super) fn scale_groups(figure: &Figure, grids: &[Grid]) -> Result<Vec<ScaleGroup>, ResolveError> {
    Ok(apart(figure, groups(figure, grids)?))
}

/// Bars beside their panels, and the panels of their limits. Bars of some panels would be beside all of them: where the panels of
/// `[[panel]]` have several scales, each has a bar beside it, and those of one scale have the same limits.
fn apart(figure: &Figure, groups: Vec<Vec<usize>>) -> Vec<ScaleGroup> {
    let is_mixed = groups.len() > 1 && groups.iter().any(|group| group.len() > 1);
    if figure.panel.is_empty() || figure.color.scale.is_some() || !is_mixed {
        let whole = |group: Vec<usize>| ScaleGroup { panels: group.clone(), among: group };
        return groups.into_iter().map(whole).collect();
    }
    let of_group = |group: &Vec<usize>| {
        // What a panel says of its scale is its own: it comes first.
        let others = |i: usize| group.iter().copied().filter(move |&other| other != i);
        let own =
            |&i: &usize| ScaleGroup { panels: vec![i], among: std::iter::once(i).chain(others(i)).collect() };
        group.iter().map(own).collect::<Vec<_>>()
    };
    let mut bars: Vec<_> = groups.iter().flat_map(of_group).collect();
    bars.sort_by_key(|bar| bar.panels[0]);
    bars
}

fn groups(figure: &Figure, grids: &[Grid]) -> Result<Vec<Vec<usize>>, ResolveError> {
    // A pattern may name several columns; those of a wide table make no panels.
    let by_column = figure.data.value.is_some() && figure.data.table != Some(TableKind::Wide);
    // Files that are listed one by one may hold anything: values without a name are those of their file.
    let value = |(i, grid): (usize, &Grid)| match figure.panel.get(i) {
        Some(panel) if grid.value_name().is_empty() => panel.file(figure).unwrap_or_default().to_owned(),
        _ => grid.value_name().to_owned(),
    };
    let values = if by_column || !figure.panel.is_empty() {
        grids.iter().enumerate().map(value).collect::<HashSet<_>>().len()
    } else {
        1
    };
    let whole = figure
        .color
        .scale
        .clone()
        .unwrap_or_else(|| if values > 1 { "value".to_owned() } else { "shared".to_owned() });
    // Differences beside the values that they are of have a scale of their own.
    let is_changed = |g: &Grid| !g.changes().is_empty();
    let differs = grids.iter().any(is_changed) && !grids.iter().all(is_changed);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (i, g) in grids.iter().enumerate() {
        let own = figure.panels.get(g.name()).and_then(|p| p.scale.clone());
        let mut group = match own.as_deref().unwrap_or(&whole) {
            "shared" => String::new(),
            "panel" => format!("panel {i}"),
            "value" if values > 1 => value((i, g)),
            name if own.is_some() => name.to_owned(),
            column => match g.texts().get(column).and_then(|t| t.iter().find(|t| !t.is_empty())) {
                Some(t) => format!("{column} {t}"),
                None => {
                    let what = format!("'{column}' is neither shared nor panel nor a column of the table");
                    return Err(ResolveError::key("scale", what));
                }
            },
        };
        if differs && is_changed(g) && own.is_none() {
            group.push_str(" changed");
        }
        let at = *known.entry(group).or_insert(groups.len());
        groups.resize_with(groups.len().max(at + 1), Vec::new);
        groups[at].push(i);
    }
    Ok(groups)
}

/// Values that one title names.
const MOST_NAMES: usize = 3;

/// Change of the cells of a grid, in the words of its bar: `score − before`; `None` where they are as they were read.
pub fn changed_label(grid: &Grid) -> Option<String> {
    (!grid.changes().is_empty()).then(|| label_of(&[grid], None))
}

/// Name of the cells of these grids: `signal`, `std of signal`, `signal (mean of 3 seeds)`; with a reduction, of the
/// pixels that cover several cells.
fn label_of(grids: &[&Grid], reduce: Option<Reduce>) -> String {
    let cells = cells(grids);
    let Some(reduce) = reduce else { return cells };
    match (reduce, cells.as_str()) {
        (Reduce::Count, _) => "count of cells".to_owned(),
        // A mean of means is one.
        (Reduce::Mean, cells) if merged(grids).is_some_and(|m| m.by == "mean") => cells.to_owned(),
        (_, "") => reduce.word().to_owned(),
        (_, cells) => format!("{} of {cells}", reduce.word()),
    }
}

/// Name of the cells.
fn cells(grids: &[&Grid]) -> String {
    let mut names: Vec<String> = Vec::new();
    for grid in grids {
        let name = clean(&grid.said(grid.value_name()));
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES);
            names.push("…".to_owned());
            break;
        }
    }
    let name = names.join(" / ");
    let changes = grids.first().map_or(&[][..], |g| g.changes());
    let (name, unit) = if changes.is_empty() { (name.as_str(), "") } else { without_unit(&name) };
    let mut notes = Vec::new();
    let of = match merged(grids) {
        None => name.to_owned(),
        Some(m) if name.is_empty() => m.by,
        Some(Merged { by, values: (least, most), column: Some(column) }) if least == most => {
            notes.push(format!("{by} of {most} {}", plural(&clean(&column))));
            name.to_owned()
        }
        Some(m) => format!("{} of {name}", m.by),
    };
    let mut title = of;
    let mut unit = unit;
    for change in changes {
        title = after(title, change);
        // Other changes leave no unit.
        if !matches!(change, Change::Difference(_)) {
            unit = "";
        }
        notes.extend(match change {
            Change::Share("all") => Some("share of all panels".to_owned()),
            Change::Share(of) => Some(format!("share of {of}")),
            Change::ZScore(by) => Some(format!("z-score by {by}")),
            Change::MinMax("all") => Some("min to max of all panels".to_owned()),
            Change::MinMax(of) => Some(format!("min to max of {of}")),
            Change::Rank("all") => Some("rank among all panels".to_owned()),
            Change::Rank(of) => Some(format!("rank in {of}")),
            Change::Correlation("pearson") => Some("Pearson’s r".to_owned()),
            Change::Correlation("spearman") => Some("Spearman’s ρ".to_owned()),
            Change::Correlation(_) => Some("Kendall’s τ".to_owned()),
            Change::Percent(_) => Some("%".to_owned()),
            _ => None,
        });
    }
    if !unit.is_empty() {
        title = format!("{title} {unit}");
    }
    match (title.as_str(), notes.join(", ")) {
        (_, notes) if notes.is_empty() => title,
        ("", notes) => notes,
        (_, notes) => format!("{title} ({notes})"),
    }
}

/// The title of values after a change, but for its notes.
fn after(title: String, change: &Change) -> String {
    // A key with its column is one term.
    let term = |base: &str| {
        let base = clean(base);
        if base.contains(" = ") { format!("({base})") } else { base }
    };
    match (change, title.as_str()) {
        (Change::Difference(base), "") => format!("difference from {}", clean(base)),
        (Change::Difference(base), _) => format!("{title} − {}", term(base)),
        (Change::Ratio(base), "") => format!("ratio to {}", clean(base)),
        (Change::Ratio(base), _) => format!("{title} / {}", term(base)),
        (Change::Percent(base), "") => format!("change from {}", clean(base)),
        (Change::Percent(base), _) => format!("change of {title} from {}", clean(base)),
        _ => title,
    }
}

/// A name and the unit behind it: `accuracy` and `(%)`.
fn without_unit(name: &str) -> (&str, &str) {
    let cut = |open: &str, close: char| name.ends_with(close).then(|| name.rfind(open)).flatten();
    match cut(" (", ')').or_else(|| cut(" [", ']')) {
        Some(at) if at > 0 => (&name[..at], &name[at + 1..]),
        _ => (name, ""),
    }
}

/// How rows became values in any of the grids, as far as it is true of all of them.
fn merged(grids: &[&Grid]) -> Option<Merged> {
    let first = grids.iter().find_map(|g| g.merged())?;
    let all = grids.iter().map(|g| match g.merged() {
        Some(merged) => merged.clone(),
        None => Merged { by: first.by.clone(), values: (1, 1), column: None },
    });
    all.reduce(|a, b| a.common(&b))
}

/// The name of a column for several of its values: `seeds`, `batches`, `repositories`. Names in other scripts have no plural.
fn plural(name: &str) -> String {
    let vowel = |c: Option<char>| c.is_some_and(|c| "aeiou".contains(c.to_ascii_lowercase()));
    match name.chars().last() {
        Some('y') if !vowel(name.chars().rev().nth(1)) && name.len() > 1 => {
            format!("{}ies", &name[..name.len() - 1])
        }
        Some('x') => format!("{name}es"),
        Some(_) if name.ends_with("ch") || name.ends_with("sh") => format!("{name}es"),
        Some(last) if last.is_ascii_alphabetic() && !last.eq_ignore_ascii_case(&'s') => format!("{name}s"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(name: &str, merged: Option<(&'static str, u64, u64, Option<&str>)>) -> Grid {
        let mut grid = Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap();
        grid.set_value_name(name);
        grid.set_merged(merged.map(|(by, least, most, column)| Merged {
            by: by.to_owned(),
            values: (least, most),
            column: column.map(str::to_owned),
        }));
        grid
    }

    #[test]
    fn a_bar_says_what_its_colours_are() {
        let plain = grid("signal", None);
        let seeds = grid("signal", Some(("mean", 3, 3, Some("seed"))));
        let runs = grid("signal", Some(("mean", 2, 3, Some("seed"))));
        let std = grid("signal", Some(("std", 3, 3, None)));
        let count = grid("", Some(("count", 1, 9, None)));
        let other = grid("loss", None);
        let array = grid("", None);
        let mean = Some(Reduce::Mean);
        for (grids, reduce, wanted) in [
            (vec![&plain], None, "signal"),
            (vec![&seeds], None, "signal (mean of 3 seeds)"),
            (vec![&runs], None, "mean of signal"),
            (vec![&seeds, &runs], None, "mean of signal"),
            (vec![&seeds, &plain], None, "mean of signal"),
            (vec![&seeds, &seeds], None, "signal (mean of 3 seeds)"),
            (vec![&std], None, "std of signal"),
            (vec![&count], None, "count"),
            (vec![&plain, &other], None, "signal / loss"),
            (vec![&array], None, ""),
            (vec![&plain], mean, "mean of signal"),
            (vec![&runs], mean, "mean of signal"),
            (vec![&seeds], mean, "signal (mean of 3 seeds)"),
            (vec![&std], mean, "mean of std of signal"),
            (vec![&array], mean, "mean"),
            (vec![&array], Some(Reduce::Max), "max"),
            (vec![&plain], Some(Reduce::Max), "max of signal"),
            (vec![&seeds], Some(Reduce::Max), "max of signal (mean of 3 seeds)"),
            (vec![&count], Some(Reduce::Min), "min of count"),
            (vec![&plain], Some(Reduce::Count), "count of cells"),
        ] {
            assert_eq!(label_of(&grids, reduce), wanted, "{reduce:?}");
        }
    }

    #[test]
    fn names_of_columns_have_a_plural() {
        for (name, wanted) in [
            ("seed", "seeds"),
            ("seeds", "seeds"),
            ("batch", "batches"),
            ("repository", "repositories"),
            ("day", "days"),
            ("index", "indexes"),
            ("y", "ys"),
            ("fold_2", "fold_2"),
            ("试次", "试次"),
        ] {
            assert_eq!(plural(name), wanted);
        }
    }
}
