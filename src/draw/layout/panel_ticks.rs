//! The tick labels and group headers of each panel, chosen once for panels with equal axes.

use super::measure::{LABEL_SHARE, Level, headers};
use super::page::Page;
use super::part_room::reserved_room;
use super::tick_set::{SMALLER, TickRequest, TickSet};
use super::ticks::choose;
use crate::resolve::Frame;
use gridscope_core::figure::{Ticks, TicksWord};
use gridscope_core::lint::{Lint, LintName};
use gridscope_core::text::{Measure, clean};
use std::ops::Range;
use std::sync::Arc;

/// The most of the canvas that a group header takes, as a share.
const HEADER_SHARE: f64 = 0.2;

/// Chooses the labels of all panels.
pub(super) fn labels(frame: &Frame, page: &mut Page, m: &mut dyn Measure) {
    let sharing = Arc::clone(&page.sharing);
    for i in 0..page.panels.len() {
        for side in [false, true] {
            // Equal axes have equal labels where their cells are equally large.
            let first = if side { sharing.y[i] } else { sharing.x[i] };
            let (p, earlier) = (&page.panels[i], &page.panels[first]);
            let has_same_places = if side {
                p.rows.pixels() == earlier.rows.pixels()
            } else {
                p.columns.pixels() == earlier.columns.pixels()
            };
            let is_shown = if side { p.shows_y } else { p.shows_x };
            // Copies for thousands of panels that show none would take long.
            let (ticks, levels) = if first < i && !is_shown {
                Default::default()
            } else if first < i && has_same_places {
                let p = earlier;
                if side { (p.y.clone(), p.y_headers.clone()) } else { (p.x.clone(), p.x_headers.clone()) }
            } else {
                choose_side(frame, page, i, side, m)
            };
            let p = &mut page.panels[i];
            if side {
                (p.y, p.y_headers) = (ticks, levels);
            } else {
                (p.x, p.x_headers) = (ticks, levels);
            }
        }
    }
}

/// The largest side of a figure that a hint names, in inches.
const LARGEST_SIDE: f64 = 60.0;

/// Hint that shows all labels that were asked for: smaller labels, or a larger figure.
fn hint(frame: &Frame, page: &Page, ask: &TickRequest<'_>, ticks: &TickSet) -> Option<String> {
    let length = f64::from(ask.table.pixels());
    let (flag, whole, bodies) = if ask.side {
        let height = frame.height.unwrap_or_else(|| page.content_height());
        ("height", height, page.rows())
    } else {
        ("width", page.width, page.columns)
    };
    // Of automatic labels, names are smaller only by a quarter, and numbers are not.
    if ask.frame.ticks == Ticks::Word(TicksWord::Auto) {
        let smallest = if ticks.wanted > 0.0 {
            ticks.wanted * frame.least_font / (SMALLER * ask.font).max(frame.least_font)
        } else {
            1.06 * ask.axis.len() as f64 * frame.least_font
        };
        if smallest <= length {
            return Some(format!("--{}ticks all", ask.name));
        }
    }
    let inches = (whole + bodies as f64 * (ticks.wanted - length)) / frame.dpi;
    (ticks.wanted > 0.0 && inches <= LARGEST_SIDE)
        .then(|| format!("--{flag} {:.1}in", (inches * 10.0).ceil() / 10.0))
}

/// Chooses the labels of one axis of a panel, and the headers of their groups.
fn choose_side(
    frame: &Frame,
    page: &Page,
    i: usize,
    side: bool,
    m: &mut dyn Measure,
) -> (TickSet, Vec<Level>) {
    let (panel, p, f) = (&frame.panels[i], &page.panels[i], page.fonts.tick);
    let canvas = (page.width, frame.height.unwrap_or(page.width).min(page.width));
    // Labels beside several columns or rows of panels share what one would take.
    let [columns, rows] = [page.labelled_columns(), page.labelled_rows()].map(|n| n as f64);
    let (axis, table, spec, name) = if side {
        (&panel.rows, &p.rows, &frame.y, "y")
    } else {
        (&panel.columns, &p.columns, &frame.x, "x")
    };
    let most = if side {
        // Room that other columns of panels do not need is free.
        let share = LABEL_SHARE * canvas.0 / columns;
        let others = page.left.iter().enumerate().filter(|(c, _)| *c != page.places.column(i));
        let taken: f64 = others.map(|(_, left)| left.min(share)).sum();
        (LABEL_SHARE * canvas.0 - taken).max(share)
    } else {
        LABEL_SHARE * canvas.1 / rows
    };
    let ask = TickRequest {
        axis,
        table,
        frame: spec,
        font: f,
        least: frame.least_font,
        keys: spec.key_ticks.get(i).map_or(&[], Vec::as_slice),
        most,
        side,
        name,
        steep: page.steep,
        part: None,
    };
    let mut ticks = choose(&ask, m);
    let is_thinned = |l: &Lint| l.name == LintName::TicksThinned;
    if ticks.lints.0.iter().any(is_thinned)
        && let Some(hint) = hint(frame, page, &ask, &ticks)
    {
        let lints = ticks.lints.0.iter_mut();
        lints.filter(|l| is_thinned(l)).for_each(|l| l.hint(&hint));
    }
    if frame.viewed {
        ticks.reserved = reserved_room(&ask, &ticks, m);
    }
    let length = |cells: &Range<usize>| {
        let (a, b) = (table.extent(cells.start), table.extent(cells.end - 1));
        b.1.max(a.1) - a.0.min(b.0)
    };
    let header = HEADER_SHARE * canvas.0 / if side { columns } else { rows };
    let outer = 0..axis.levels.len().saturating_sub(1);
    let mut levels: Vec<Level> = outer.map(|l| headers(axis, l, f, header, length, m)).collect();
    if spec.titles_of_panels {
        let title =
            Level::title(&clean(&axis.name), axis.len(), page.fonts.axis, f64::from(table.pixels()), m);
        levels.splice(0..0, title);
    }
    let (hidden, all) = levels.iter().fold((0, 0), |a, l| (a.0 + l.thinned, a.1 + l.headers.len()));
    if hidden > 0 {
        let text = format!("{name} axis: {} of {all} group headers are shown", all - hidden);
        ticks.lints.add(LintName::TicksThinned, hidden as u64, text);
    }
    (ticks, levels)
}
