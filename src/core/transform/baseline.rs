//! Which file, panel, row or column a baseline is.

use super::TransformError;
use super::matching::is_same;
use crate::calendar::Instant;
use crate::calendar::spelling::begin;
use crate::figure::{Baseline, Figure};
use crate::grid::{Axis, Grid};
use crate::text::nearest;

/// Baseline that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedBaseline {
    /// The panels of a file.
    File(String),
    /// A panel.
    Panel(usize),
    /// The rows whose label in this level is this one.
    Rows {
        /// Level of the axis, from outermost.
        level: usize,
        /// Label within that level.
        label: String,
    },
    /// The columns whose label in this level is this one.
    Columns {
        /// Level of the axis, from outermost.
        level: usize,
        /// Label within that level.
        label: String,
    },
}

/// Keys that a message lists.
const LISTED: usize = 8;

/// Finds a baseline among these grids; `is_file`: whether a file has this path.
///
/// # Errors
/// The baseline is unknown or ambiguous.
pub fn find(
    baseline: &Baseline,
    grids: &[Grid],
    figure: &Figure,
    is_file: impl Fn(&str) -> bool,
) -> Result<NamedBaseline, TransformError> {
    let panel_of = |name: &str| grids.iter().position(|g| g.name() == name && !name.is_empty());
    match baseline {
        Baseline::File(path) => Ok(NamedBaseline::File(path.clone())),
        Baseline::Panel(name) => panel_of(name).map(NamedBaseline::Panel).ok_or_else(|| {
            let names: Vec<&str> = grids.iter().map(Grid::name).filter(|n| !n.is_empty()).collect();
            TransformError::Usage {
                what: format!("no panel has the name '{name}'"),
                hint: Some(if names.is_empty() {
                    "--panel COLUMN makes a panel of each value of a column".to_owned()
                } else {
                    format!("the panels are: {}", listed(&names))
                }),
            }
        }),
        Baseline::Named(text) => {
            let mut found = Candidates(by_column(text, grids, figure));
            if is_file(text) {
                found.add(format!("file:{text}"), NamedBaseline::File(text.clone()));
            }
            if let Some(at) = panel_of(text) {
                found.add(format!("panel:{text}"), NamedBaseline::Panel(at));
            }
            for (axis, word) in axes(grids) {
                for (level, name) in names_of(axis, word).into_iter().enumerate() {
                    if let Some(label) =
                        label_in(axis, level, text).or_else(|| renamed(axis, level, word, text, figure))
                    {
                        // Both axes may have one name.
                        let is_shared = grids[0].rows().name == grids[0].columns().name;
                        let column = if is_shared { word } else { &name };
                        found.add(format!("{column}={text}"), of_axis(word, level, label));
                    }
                }
            }
            match found.0.len() {
                0 => Err(unknown(text, grids, figure)),
                1 => Ok(found.0.remove(0).1),
                _ => {
                    let forms: Vec<&str> = found.0.iter().map(|f| f.0.as_str()).collect();
                    Err(TransformError::Usage {
                        what: format!("'{text}' may be any of: {}", forms.join(", ")),
                        hint: Some("give one of them in full".to_owned()),
                    })
                }
            }
        }
    }
}

/// Interpretations of a text, each once and with an unambiguous spelling.
struct Candidates(Vec<(String, NamedBaseline)>);

impl Candidates {
    fn add(&mut self, form: String, found: NamedBaseline) {
        if self.0.iter().all(|known| known.1 != found) {
            self.0.push((form, found));
        }
    }
}

/// Interpretations of a text of the form `COLUMN=VALUE`.
fn by_column(text: &str, grids: &[Grid], figure: &Figure) -> Vec<(String, NamedBaseline)> {
    let mut found = Candidates(Vec::new());
    for (at, _) in text.match_indices('=') {
        let (column, value) = (text[..at].trim(), text[at + 1..].trim());
        for (axis, word) in axes(grids) {
            for (level, name) in names_of(axis, word).into_iter().enumerate() {
                let is_axis = name == column || column == word;
                let label =
                    || label_in(axis, level, value).or_else(|| renamed(axis, level, word, value, figure));
                if let Some(label) = is_axis.then(label).flatten() {
                    found.add(format!("{word}={value}"), of_axis(word, level, label));
                }
            }
        }
        let is_lone = figure.data.panel_names().count() == 1;
        if figure.data.panel_names().any(|name| name == column) {
            // A panel of several columns is named by all of them.
            let panel = grids.iter().position(|g| is_lone && is_same(g.name(), value) || g.name() == text);
            let of_side = |grid: &Grid| {
                let sides = grid.facet().map(|facet| [&facet.row, &facet.column]);
                let mut sides = sides.into_iter().flatten().flatten();
                sides.any(|side| side.name == column && is_same(&side.value, value))
            };
            // A row or a column of panels is one where it has one panel.
            let mut in_side = (0..grids.len()).filter(|i| of_side(&grids[*i]));
            let lone = in_side.next().filter(|_| in_side.next().is_none());
            if let Some(at) = panel.or(lone) {
                found.add(format!("panel:{}", grids[at].name()), NamedBaseline::Panel(at));
            }
        }
    }
    found.0
}

fn of_axis(word: &str, level: usize, label: String) -> NamedBaseline {
    if word == "y" { NamedBaseline::Rows { level, label } } else { NamedBaseline::Columns { level, label } }
}

/// The axes of all panels, with their words.
fn axes(grids: &[Grid]) -> impl Iterator<Item = (&Axis, &'static str)> {
    let of = |g| [(Grid::rows(g), "y"), (Grid::columns(g), "x")];
    grids.iter().flat_map(of)
}

/// The names of an axis's levels, its word where it has none.
fn names_of(axis: &Axis, word: &str) -> Vec<String> {
    let levels = axis.levels.len().max(1);
    if levels > 1 {
        let names: Vec<String> = axis.name.split(", ").map(str::to_owned).collect();
        if names.len() == levels {
            return names;
        }
    }
    let name = if axis.name.is_empty() { word } else { &axis.name };
    vec![name.to_owned(); levels]
}

/// The label of a level that the figure has in place of this key.
fn renamed(axis: &Axis, level: usize, word: &str, key: &str, figure: &Figure) -> Option<String> {
    let spec = if word == "y" { &figure.y } else { &figure.x };
    label_in(axis, level, spec.labels.of(key)?)
}

/// The label of a level that this value is.
fn label_in(axis: &Axis, level: usize, value: &str) -> Option<String> {
    match axis.levels.get(level) {
        Some(labels) => {
            let time = time_of(value);
            let is_then = |label: &&String| time.is_some() && time_of(label) == time;
            labels.iter().find(|l| is_same(l, value)).or_else(|| labels.iter().find(is_then)).cloned()
        }
        None => (0..axis.len()).map(|i| axis.label(i)).find(|l| l == value),
    }
}

/// The time that a text says which is no number.
fn time_of(text: &str) -> Option<Instant> {
    begin(text).filter(|_| text.trim().parse::<f64>().is_err())
}

/// Error for an unknown baseline.
fn unknown(text: &str, grids: &[Grid], figure: &Figure) -> TransformError {
    let mut names: Vec<String> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for (axis, word) in axes(grids) {
        for (level, name) in names_of(axis, word).into_iter().enumerate() {
            let of_level = axis.levels.get(level).map_or(&[][..], Vec::as_slice);
            let column = text.split_once('=').map(|(column, _)| column.trim());
            if column.is_none_or(|column| column == name) {
                labels.extend(of_level.iter().filter(|l| !labels.contains(l)).cloned().collect::<Vec<_>>());
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let panels: Vec<String> = figure.data.panel_names().map(str::to_owned).collect();
    for panel in panels.into_iter().filter(|p| !names.contains(p)).collect::<Vec<_>>() {
        if text.split_once('=').is_some_and(|(column, _)| column.trim() == panel) {
            labels.extend(grids.iter().map(|g| g.name().to_owned()));
        }
        names.push(panel);
    }
    let value = text.split_once('=').map_or(text, |(_, value)| value.trim());
    let hint = match nearest(value, labels.iter().map(String::as_str)) {
        Some(near) => format!("did you mean '{near}'?"),
        None if labels.is_empty() || !text.contains('=') => {
            "file:PATH, panel:NAME or COLUMN=VALUE".to_owned()
        }
        None => {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            format!("the keys are: {}", listed(&labels))
        }
    };
    // A column of dates has keys as it writes them once one of its texts is no date.
    let is_date = |label: &&String| time_of(label).is_some();
    let stray = labels
        .iter()
        .find(|l| !is_date(l))
        .filter(|_| time_of(value).is_some() && labels.iter().any(|l| is_date(&l)));
    let hint = match stray {
        Some(stray) => format!("'{stray}' is no date, so that the keys are texts; {hint}"),
        None => hint,
    };
    let what = match text.split_once('=') {
        Some((column, value)) if names.iter().any(|n| n == column.trim()) => {
            format!("no key of '{}' is '{}'", column.trim(), value.trim())
        }
        _ => format!(
            "'{text}' is neither a file, nor a panel, nor a key of {}",
            names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ")
        ),
    };
    TransformError::Usage { what, hint: Some(hint) }
}

fn listed(names: &[&str]) -> String {
    let mut text = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        text.push_str(", …");
    }
    text
}
