//! The options of a figure that arrays take, and those that are for tables alone.

use super::projection::{ProjectBy, Projected};
use crate::InputError;
use crate::shell_word::flag;
use gridscope_core::figure::{Annotate, Figure, List, TableKind};
use std::fmt;

/// Refuses options that name columns or kinds of a table: they are not dropped in silence.
///
/// # Errors
/// When one of them is given.
pub(super) fn no_table_options(file: &str, figure: &Figure) -> Result<(), InputError> {
    let d = &figure.data;
    for (given, word) in [(&d.value, "value"), (&d.filter, "where")] {
        if given.is_some() {
            return Err(names_columns(file, word));
        }
    }
    let axes = [&figure.x, &figure.y];
    let of_tables = [
        (d.agg.is_some(), "agg"),
        (d.min_count.is_some(), "min-count"),
        (d.pending.is_some(), "pending"),
        (d.table.is_some_and(|t| t != TableKind::Matrix), "table"),
        (d.header.is_some(), "header"),
        (d.delimiter.is_some(), "delimiter"),
        (d.missing.is_some(), "missing"),
        (axes.iter().any(|a| a.order.is_some()), "order"),
        (axes.iter().any(|a| a.domain.is_some()), "domain"),
    ];
    if let Some((_, word)) = of_tables.iter().find(|o| o.0) {
        let what = format!("'{word}' is for tables; this is an array");
        return Err(InputError::usage(file, what));
    }
    if let Some(Annotate::Template(template)) = figure.annotations.show.as_deref()
        && !(template.statistics().is_empty() && template.picks().is_empty() && template.columns().is_empty())
    {
        let what = format!("the annotation '{template}' is about rows of a table; this is an array");
        return Err(InputError::usage(file, what).with_hint("--annot '{value}'"));
    }
    Ok(())
}

fn names_columns(file: &str, word: &str) -> InputError {
    InputError::usage(file, format!("'{word}' names columns of a table; this is an array"))
}

/// Refuses `key` for a file that holds one array.
///
/// # Errors
/// When it is given.
pub(super) fn no_key(file: &str, figure: &Figure) -> Result<(), InputError> {
    match figure.data.key {
        Some(_) => Err(InputError::usage(file, "'key' names one of several arrays; this file holds one")),
        None => Ok(()),
    }
}

/// The axis that a text names, by its number or its name.
fn axis_of(text: &str, names: &[String]) -> Option<usize> {
    let text = text.trim();
    let named = || names.iter().position(|name| !name.is_empty() && name == text);
    text.parse().ok().or_else(named)
}

/// Axes whose indexes are panels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PanelAxes {
    /// The axes, the slowest first.
    pub axes: Vec<usize>,
    /// Those of the rows and of the columns of panels, where panels are so placed.
    pub facets: [Option<usize>; 2],
}

/// The axes whose indexes are panels: `panel = "axis:N"`, or its name in place of N; `panel_row` and `panel_column` alike.
///
/// # Errors
/// When one names a column, an axis that the array does not have, or one that another has named.
pub(super) fn panel_axes(
    file: &str,
    figure: &Figure,
    shape: &[usize],
    names: &[String],
) -> Result<PanelAxes, InputError> {
    let axis = |key: &str, text: &String| match text.strip_prefix("axis:").and_then(|n| axis_of(n, names)) {
        Some(a) if a < shape.len() => Ok(a),
        Some(a) => Err(no_axis(file, a, shape)),
        None => Err(InputError::usage(file, format!("{key} '{text}' names a column; an array has axes"))
            .with_hint(format!("--{key} axis:0"))),
    };
    let d = &figure.data;
    let row = d.panel_row.as_ref().map(|text| axis("panel-row", text)).transpose()?;
    let column = d.panel_column.as_ref().map(|text| axis("panel-column", text)).transpose()?;
    let mut axes: Vec<usize> = row.into_iter().chain(column).collect();
    if d.has_facets() && d.panel.is_some() {
        let what = "--panel beside --panel-row or --panel-column: an array has panels along axes of one kind";
        return Err(InputError::usage(file, what));
    }
    for text in d.panel.iter().flat_map(|list| &list.0) {
        axes.push(axis("panel", text)?);
    }
    if let Some(twice) = axes.iter().enumerate().find(|(i, a)| axes[..*i].contains(a)) {
        return Err(InputError::usage(file, format!("axis {} makes panels twice", twice.1)));
    }
    Ok(PanelAxes { axes, facets: [row, column] })
}

/// The axes of the rows and of the columns that `y = "axis:N"` and `x = "axis:N"` name, or their names in place of N.
///
/// # Errors
/// When one names a column, an axis that the array does not have, or one that has another role.
pub(super) fn plane_axes(
    file: &str,
    figure: &Figure,
    (shape, names): (&[usize], &[String]),
    (fixed, panels): (&[Option<usize>], &[usize]),
) -> Result<[Option<usize>; 2], InputError> {
    let axis = |word: &str, given: &Option<List>| {
        let Some(List(texts)) = given else { return Ok(None) };
        let by_name = |text: &str| names.iter().position(|name| !name.is_empty() && name == text);
        let found = match &texts[..] {
            [text] => {
                text.strip_prefix("axis:").map_or_else(|| by_name(text.trim()), |text| axis_of(text, names))
            }
            _ => None,
        };
        let axis = found.ok_or_else(|| names_columns(file, word).with_hint(format!("--{word} axis:0")))?;
        let role = match fixed.get(axis) {
            None => return Err(no_axis(file, axis, shape)),
            Some(Some(_)) => "sliced",
            Some(None) if panels.contains(&axis) => "made into panels",
            Some(None) => return Ok(Some(axis)),
        };
        Err(InputError::usage(file, format!("--{word}: axis {axis} is {role}")))
    };
    let (row, column) = (axis("y", &figure.data.y)?, axis("x", &figure.data.x)?);
    if row.is_some() && row == column {
        let what = format!("axis {} cannot be both rows and columns", row.unwrap_or_default());
        return Err(InputError::usage(file, what));
    }
    Ok([row, column])
}

/// What `slice` takes of each axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slices {
    /// An index of each axis that is sliced; of the projected one the first.
    pub fixed: Vec<Option<usize>>,
    /// The axis of which all indexes become one.
    pub projected: Option<Projected>,
}

/// What `slice` takes of each axis: an index, or a projection of all of them.
///
/// # Errors
/// When a slice is neither `AXIS=INDEX` within the shape nor `AXIS=mean|min|max`, or an axis is sliced twice under one name. Of
/// its number and its name the later one counts.
pub(super) fn slices(
    file: &str,
    given: Option<&List>,
    shape: &[usize],
    names: &[String],
) -> Result<Slices, InputError> {
    let mut all: Vec<GivenSlice<'_>> = Vec::new();
    for text in given.iter().flat_map(|l| &l.0) {
        let parts = text.split_once('=').and_then(|(a, taken)| {
            let taken = Taken::read(taken.trim())?;
            let name = a.trim().trim_start_matches("axis:");
            Some(GivenSlice { text, name, axis: axis_of(name, names)?, taken })
        });
        let one = parts.ok_or_else(|| {
            let known: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
            let named = match known.len() {
                0 => String::new(),
                _ => format!(", or the name of an axis ({}) and a number", known.join(", ")),
            };
            InputError::usage(
                file,
                format!(
                    "slice '{text}' is not AXIS=mean, min or max, nor AXIS=INDEX, two numbers from 0 (-1 is the last index){named}"
                ),
            )
            .with_hint("--slice 0=0")
        })?;
        if let Some(earlier) = all.iter().position(|other| other.axis == one.axis)
            && all.remove(earlier).name == one.name
        {
            return Err(InputError::usage(file, format!("axis {} is sliced twice", one.axis)));
        }
        all.push(one);
    }
    let mut out = Slices { fixed: vec![None; shape.len()], projected: None };
    for GivenSlice { text, axis, taken, .. } in all {
        let length = *shape.get(axis).ok_or_else(|| no_axis(file, axis, shape))?;
        let index = match taken {
            Taken::Index(index) => {
                // Below 0 they count from the end.
                let from_end = if index < 0 { length as i64 } else { 0 };
                let index =
                    usize::try_from(index.saturating_add(from_end)).ok().filter(|index| *index < length);
                index.ok_or_else(|| {
                    let last = length.max(1) - 1;
                    let what = format!("slice {text}: axis {axis} has {length} elements, 0 to {last}");
                    InputError::usage(file, what)
                })?
            }
            Taken::All(by) => {
                if let Some(other) = out.projected.replace(Projected { axis, length, by }) {
                    let what = format!("axes {} and {axis} are both projected: one can be", other.axis);
                    return Err(InputError::usage(file, what));
                }
                0
            }
        };
        out.fixed[axis] = Some(index);
    }
    Ok(out)
}

/// One slice as it was given.
struct GivenSlice<'a> {
    text: &'a str,
    /// The number or the name of its axis.
    name: &'a str,
    axis: usize,
    taken: Taken,
}

/// What a slice takes of its axis.
enum Taken {
    Index(i64),
    All(ProjectBy),
}

impl Taken {
    fn read(text: &str) -> Option<Self> {
        ProjectBy::of_word(text).map(Self::All).or_else(|| text.parse().ok().map(Self::Index))
    }
}

fn no_axis(file: &str, axis: usize, shape: &[usize]) -> InputError {
    let (shape, last) = (shape_text(shape), shape.len() - 1);
    let what = format!("there is no axis {axis}: the shape is {shape}, axes 0 to {last}");
    InputError::usage(file, what)
}

/// The axes that options leave beyond two, the first ones: behind the error of [`too_many_axes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SurplusAxes(pub Vec<usize>);

impl fmt::Display for SurplusAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} axes more than rows and columns", self.0.len())
    }
}

impl std::error::Error for SurplusAxes {}

/// The error of options that leave more than two axes, `rest`; its cause is [`SurplusAxes`].
pub(super) fn too_many_axes(
    file: &str,
    (shape, names): (&[usize], &[String]),
    rest: &[usize],
    panels: &[usize],
) -> InputError {
    let surplus = &rest[..rest.len() - 2];
    // A name says more than a number, where no other axis has it.
    let name = |axis: usize| match names.get(axis).filter(|name| !name.is_empty()) {
        Some(name) if names.iter().filter(|other| *other == name).count() == 1 => name.clone(),
        _ => axis.to_string(),
    };
    let sliced = surplus.iter().map(|a| flag("--slice", &format!("{}=0", name(*a))));
    let sliced: Vec<String> = sliced.collect();
    let paneled = |axis: usize| flag("--panel", &format!("axis:{}", name(axis)));
    let (way, hint) = match panels {
        [first] => {
            let way = format!("{} {}", paneled(*first), sliced.join(" "));
            (way.clone(), way)
        }
        [_, ..] => (sliced.join(" "), sliced.join(" ")),
        [] => {
            let panels = [&[paneled(surplus[0])], &sliced[1..]].concat().join(" ");
            (sliced.join(" "), format!("{}, or {panels}", sliced.join(" ")))
        }
    };
    let (dims, shape) = (shape.len(), shape_text(shape));
    let has_names = names.iter().all(|name| !name.is_empty());
    let shape = if has_names { format!("{shape} ({})", names.join(", ")) } else { shape };
    let what = format!("a {dims}-D array of shape {shape} is not a grid yet: choose two axes");
    let surplus = SurplusAxes(surplus.to_vec());
    InputError::usage(file, what).with_way(way).with_hint(hint).with_source(surplus)
}

/// A shape as messages write it: `3 x 4`.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_number_and_the_name_of_an_axis_the_later_slice_counts() {
        let names = ["time".to_owned(), "lat".to_owned(), String::new()];
        let of = |given: &[&str]| {
            let list = List(given.iter().map(|s| (*s).to_owned()).collect());
            slices("a.nc", Some(&list), &[5, 4, 3], &names)
        };
        let fixed = |given: &[&str]| of(given).unwrap().fixed;
        assert_eq!(fixed(&["time=3", "0=1", "lat=2"]), [Some(1), Some(2), None]);
        assert_eq!(fixed(&["0=1", "axis:lat=0", "time=3"]), [Some(3), Some(0), None]);
        let index = of(&["0=max", "time=3"]).unwrap();
        assert_eq!((index.fixed[0], index.projected), (Some(3), None));
        let projected = of(&["0=max", "1=2", "time=min"]).unwrap().projected.unwrap();
        assert_eq!((projected.axis, projected.length), (0, 5));
        for twice in [["0=1", "0=2"], ["time=1", "axis:time=2"], ["0=max", "1=max"]] {
            assert!(of(&twice).is_err(), "{twice:?}");
        }
    }
}
