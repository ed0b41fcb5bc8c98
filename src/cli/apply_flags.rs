//! Effects of flags beyond setting their keys: keys of a figure file that give way to them, and flags that are not one key.

use super::args::renaming;
use super::diagnostics::Failure;
use super::figure_flags::FigureFlags;
use gridscope_core::figure::{AxisLabels, Figure, List, Strip, StripAxis, Strips};
use gridscope_core::lint::hinted;
use gridscope_core::notation::ParseError;
use gridscope_core::text::with_breaks;
use gridscope_read::assign;
use std::collections::BTreeMap;

/// Sets every key whose flag is given.
///
/// # Errors
/// A part of an axis that is not one and a wrong `--set`: they are refused as in a figure file.
pub(super) fn apply_flags(flags: &FigureFlags, figure: &mut Figure) -> Result<(), Failure> {
    let alone = flags.over(&Figure::default())?;
    give_way(&alone, figure);
    *figure = flags.over(figure)?;
    figure.override_panels(&alone.data);
    for (key, labels) in [("x.labels", &mut figure.x.labels), ("y.labels", &mut figure.y.labels)] {
        take_labels(labels, flags.given(key)).map_err(|what| {
            let flag = key.replace('.', "-");
            Failure::usage(hinted(
                &format!("--{flag}: {what}"),
                &format!("--{flag} OLD=NEW, or one list or file"),
            ))
        })?;
    }
    strip(flags, figure)?;
    *figure = assign(figure, &flags.set)?;
    Ok(())
}

/// Adds labels of keys to those of a figure file, or puts a list or a file in their place.
///
/// # Errors
/// Several lists or files, or one of them beside labels of keys.
fn take_labels(labels: &mut AxisLabels, given: &[String]) -> Result<(), &'static str> {
    // Several pairs may be in one list.
    let in_list = |text: &String| {
        let items = List::from_flag(text).0;
        let are_pairs = items.len() > 1 && items.iter().all(|item| renaming(item).is_some());
        if are_pairs { items } else { vec![text.clone()] }
    };
    let given: Vec<String> = given.iter().flat_map(in_list).collect();
    let pairs: Vec<_> = given.iter().filter_map(|text| renaming(text)).collect();
    match &given[..] {
        [] => {}
        [one] if pairs.is_empty() && one.contains(',') => *labels = AxisLabels::Each(List::from_flag(one).0),
        [one] if pairs.is_empty() => *labels = AxisLabels::File(one.clone()),
        _ if pairs.len() < given.len() => return Err("a list or a file has the labels of all cells"),
        _ => {
            let mut of = if let AxisLabels::Of(of) = std::mem::take(labels) { of } else { BTreeMap::new() };
            of.extend(pairs.into_iter().map(|(old, new)| (old, with_breaks(&new))));
            *labels = AxisLabels::Of(of);
        }
    }
    Ok(())
}

/// Checks that a norm and a centre that are both given go together.
///
/// # Errors
/// A norm that would ignore the centre.
pub(super) fn check_center(flags: &FigureFlags) -> Result<(), Failure> {
    let color = flags.over(&Figure::default())?.color;
    let norm = color.norm.as_deref().and_then(|norm| norm.about(color.center));
    match norm.filter(|norm| color.center.is_some() && norm.traits().center.is_none()) {
        Some(norm) => Err(Failure::usage(hinted(
            &format!("--center: a {norm} norm has no centre"),
            "leave out one of the two, or --norm twoslope",
        ))),
        None => Ok(()),
    }
}

/// Removes the keys of a figure file that a flag says in another way.
fn give_way(flags: &Figure, figure: &mut Figure) {
    let (given, data) = (&flags.data, &mut figure.data);
    // `column` in the tables [x] and [y] would override the flags.
    if given.x.is_some() {
        figure.x.column = None;
    }
    if given.y.is_some() {
        figure.y.column = None;
    }
    // Panels are named in one of two ways.
    if given.panel.is_some() {
        (data.panel_row, data.panel_column, data.drop_empty) = (None, None, None);
        (figure.panel_row_order, figure.panel_column_order) = (None, None);
    } else if given.panel_row.is_some() || given.panel_column.is_some() {
        data.panel = None;
        figure.panel_order = None;
    }
    if given.comparisons().next().is_some() {
        data.baselines_mut().into_iter().for_each(|base| *base = None);
    }
}

/// Sets the strips: each `--strip` is one, and `--strip-cmap` has one map for all or one for each.
fn strip(flags: &FigureFlags, figure: &mut Figure) -> Result<(), Failure> {
    let given: Vec<Strip> = flags
        .given("strip.axis")
        .iter()
        .map(|text| {
            let (axis, column) = match text.split_once(':') {
                Some(("x", column)) => (StripAxis::X, column),
                Some(("y", column)) => (StripAxis::Y, column),
                _ => (StripAxis::Y, text.as_str()),
            };
            Strip { axis, column: column.to_owned(), ..Strip::default() }
        })
        .collect();
    match (given.as_slice(), figure.strip.as_mut().map(|own| own.0.as_mut_slice())) {
        ([], _) => {}
        // One strip over one keeps its colours.
        ([one], Some([own])) => {
            own.axis = one.axis;
            own.column.clone_from(&one.column);
            own.side = None;
        }
        _ => figure.strip = Some(Strips(given)),
    }
    let strips = figure.strip.as_mut().map_or(&mut [][..], |strips| &mut strips.0);
    let maps = flags.given("strip.cmap");
    if maps.len() > strips.len() {
        let wrong = Failure::usage("--strip-cmap colours a strip, and there is none");
        return Err(wrong.with_hint("--strip COL"));
    }
    for (i, strip) in strips.iter_mut().enumerate() {
        if let Some(map) = maps.get(if maps.len() == 1 { 0 } else { i }) {
            strip.cmap = Some(map.parse().map_err(|e: ParseError| Failure::usage(e.to_string()))?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
