//! Texts that the user wrote, and the lines under a figure: the user's note, what explains the texts of cells, what a
//!  reduction did.

use super::colour::{Colours, Folded};
use super::frame::{Frame, PanelFrame};
use gridscope_core::figure::{Annotate, Figure, OnOff, TemplatePart};
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::{minus, short, typeset};
use gridscope_core::text::{clean, rich, unread_formulas};
use std::cmp::Ordering;

/// Where a cell lies in the words of its axes: `ratio 0.3, window 2000`.
pub fn place_of(grid: &Grid, row: usize, column: usize) -> String {
    let (columns, rows) = (grid.columns(), grid.rows());
    place((columns, columns.label(column)), (rows, rows.label(row)))
}

/// A label in a note: a number has at most six digits, and a real minus sign.
fn noted(label: &str) -> String {
    match label.parse::<f64>() {
        Ok(v) if v.is_finite() && label.contains(['.', 'e', 'E']) => typeset(&short(v)),
        Ok(v) if v.is_finite() => minus(label),
        _ => label.to_owned(),
    }
}

/// A place by the labels of its column and row.
fn place(columns: (&Axis, String), rows: (&Axis, String)) -> String {
    let part = |(axis, label): (&Axis, String), plain: &str| {
        let name = if axis.name.is_empty() { plain } else { axis.name.as_str() };
        format!("{name} {label}")
    };
    format!("{}, {}", part(columns, "column"), part(rows, "row"))
}

/// A note as long as that of a reduction may become, before any cell is read.
pub fn longest_note(frame: &Frame) -> String {
    let longest = |axis: &Axis| {
        let level = |labels: &Vec<String>| {
            let most = labels.iter().max_by_key(|l| l.len());
            most.map_or(String::new(), |l| noted(l))
        };
        match axis.levels.is_empty() {
            true => (axis.start + axis.len()).to_string(),
            false => axis.levels.iter().map(level).collect::<Vec<_>>().join(", "),
        }
    };
    let of_panel = |p: &PanelFrame| {
        let panel = if frame.panels.len() > 1 { p.name.as_str() } else { "" };
        let cell = place((&p.columns, longest(&p.columns)), (&p.rows, longest(&p.rows)));
        format!("{panel} {cell}")
    };
    let places = frame.panels.iter().map(of_panel);
    let longest = places.max_by_key(String::len).unwrap_or_default();
    format!("each pixel = {} of 9.9 × 9.9 cells; max 0.9999 in {longest}", frame.reduce.word())
}

/// The lines under a figure: the user's own note first, then the effect of the reduction.
pub fn notes(frame: &Frame, grids: &[Grid], folded: &[Folded<'_>], colours: &Colours) -> Vec<String> {
    let mut out = Vec::new();
    if !frame.note.is_empty() {
        out.push(frame.note.clone());
    }
    if !frame.notes {
        return out;
    }
    let reduced: Vec<usize> = (0..grids.len()).filter(|&i| folded[i].body.is_some()).collect();
    let Some(&first) = reduced.first() else { return out };
    let Some((columns, rows)) = folded[first].body else {
        return out;
    };
    let per = |cells: usize, pixels: f64| short(((cells as f64 / pixels).max(1.0) * 10.0).round() / 10.0);
    let (across, down) = (
        per(columns.shown().len(), f64::from(columns.pixels())),
        per(rows.shown().len(), f64::from(rows.pixels())),
    );
    // A few pixels of cells of different widths may cover two of them.
    if (across.as_str(), down.as_str()) == ("1", "1") {
        return out;
    }
    let mut line = format!("each pixel = {} of {across} × {down} cells", colours.reduce.word());
    let best = reduced
        .iter()
        .map(|&i| (i, &folded[i].scan.stats))
        .filter_map(|(i, s)| Some((i, s.max?, *s.max_cells.first()?)));
    if let Some((i, max, (r, c))) = best.max_by(|a, b| a.1.compare(b.1).unwrap_or(Ordering::Equal)) {
        let panel =
            if frame.drawn_panels().len() > 1 { format!(" in {}", grids[i].name()) } else { String::new() };
        line.push_str(&format!(
            "; max {}{panel} at {}",
            typeset(&short(max.as_f64())),
            place(
                (grids[i].columns(), noted(&grids[i].columns().label(c))),
                (grids[i].rows(), noted(&grids[i].rows().label(r)))
            )
        ));
    }
    out.push(clean(&line));
    out
}

/// The user's note, what explains the texts of cells, and how many rows and columns of all are shown, where some are left out.
pub(super) fn note(figure: &Figure, grids: &[Grid]) -> String {
    let mut lines: Vec<String> =
        figure.note.iter().map(|own| rich(own)).filter(|own| !own.is_empty()).collect();
    for line in grids.iter().filter_map(Grid::note).map(clean) {
        if figure.notes != Some(OnOff::Off) && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let kept = |axis: &Axis, word: &str| {
        let of = axis.kept_of?;
        Some(format!("{} of {of} {word}", axis.len()))
    };
    let mut parts: Vec<String> = Vec::new();
    for grid in grids {
        let own = [kept(grid.rows(), "rows"), kept(grid.columns(), "columns")];
        for part in own.into_iter().flatten() {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    // Panels of many sizes have no common numbers.
    if figure.notes != Some(OnOff::Off) && !parts.is_empty() && parts.len() <= 2 {
        lines.push(parts.join(", "));
    }
    lines.join("\n")
}

/// Every text of a figure that may have formulas.
pub fn user_texts(figure: &Figure) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let single = [
        &figure.title,
        &figure.note,
        &figure.panel_title,
        &figure.x.label,
        &figure.y.label,
        &figure.color.label,
    ];
    out.extend(single.into_iter().flatten().cloned());
    out.extend(figure.panel_titles.iter().flat_map(|list| list.0.iter().cloned()));
    for panel in figure.panels.values() {
        out.extend([&panel.title, &panel.label].into_iter().flatten().cloned());
    }
    out.extend(figure.all_marks().filter_map(|mark| mark.label.clone()));
    out.extend(figure.x.labels.texts().chain(figure.y.labels.texts()).cloned());
    if let Some(Annotate::Template(template)) = figure.annotations.show.as_deref() {
        let text = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            _ => "…".to_owned(),
        };
        out.push(template.parts().iter().map(text).collect());
    }
    out
}

/// Reports formulas that are not understood.
pub fn unread(figure: &Figure, lints: &mut Lints) {
    let mut found: Vec<String> = user_texts(figure).iter().flat_map(|t| unread_formulas(t)).collect();
    found.dedup();
    let Some(first) = found.first() else { return };
    let more = match found.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let text = format!("{first} is not understood as a formula and is drawn as written{more}");
    lints.add(LintName::Mathtext, found.len() as u64, text).hint("\\$ is a dollar sign");
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::AxisLabels;

    #[test]
    fn numbers_in_notes_are_short_and_have_a_minus_sign() {
        let labels = ["-1", "91.63195338108993", "-1.5e-7", "20240101", "2024-01-05", "x-1", "nan"];
        assert_eq!(labels.map(noted), ["−1", "91.632", "−1.5×10⁻⁷", "20240101", "2024-01-05", "x-1", "nan"]);
    }

    #[test]
    fn formulas_that_are_not_understood_are_reported_once() {
        let mut figure = Figure { title: Some(r"$\alpha$ of $\foo{x}$".to_owned()), ..Figure::default() };
        figure.annotations.show = Some("$10^{{{mean}}}$ $\\bar$".parse().unwrap());
        figure.x.labels = AxisLabels::Each(vec!["$x^2$".to_owned()]);
        let mut lints = Lints::default();
        unread(&figure, &mut lints);
        assert_eq!(lints.0.len(), 1);
        assert_eq!(
            lints.0[0].to_string(),
            r"warning[mathtext]: $\foo{x}$ is not understood as a formula and is drawn as written (and 1 more); hint: \$ is a dollar sign"
        );
        figure.title = Some("cost in $".to_owned());
        figure.annotations.show = None;
        let mut lints = Lints::default();
        unread(&figure, &mut lints);
        assert!(lints.0.is_empty());
    }
}
