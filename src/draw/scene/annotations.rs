//! Values in cells, outlines of extremes, rings on pixels that hide one.

use super::Item;
use crate::layout::PanelLayout;
use crate::resolve::{CellText, Colours, Frame};
use gridscope_core::color::Color;
use gridscope_core::figure::Annotate;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::grid::{Grid, Number, Stats};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::ColorScale;
use gridscope_core::text::{CAP_HEIGHT, Measure};
use gridscope_core::view::EdgeTable;
use std::borrow::Cow;
use std::f64::consts::{FRAC_PI_4, FRAC_PI_8};

/// The distance between the baselines of a cell's lines as a share of the font size.
const LEADING: f64 = 1.2;

/// Beyond this many cells no annotation is even formatted.
const MOST_CELLS: usize = 250_000;
/// More cells along a side of a panel are a picture, not a table to read: automatic annotation ends there.
const MOST_A_SIDE: usize = 20;
/// The smallest automatic annotation, in points.
const LEAST_POINTS: f64 = 6.0;
/// The smallest with raised exponents, which are smaller than other text.
const LEAST_RAISED: f64 = 7.0;
/// Space beside an automatic annotation and from baseline to baseline, in em; the smallest one leaves less.
const AIR: (f64, f64) = (0.8, 1.5);
const LEAST_AIR: (f64, f64) = (0.45, 1.3);

/// Writes values into the cells of all panels in one font size.
pub(super) fn annotations(
    frame: &Frame,
    panels: &[PanelLayout],
    colours: &Colours,
    grids: &[Grid],
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
    lints: &mut Lints,
) {
    let asked = match frame.annotate {
        Annotate::Off => return,
        Annotate::Auto => false,
        Annotate::On | Annotate::Template(_) | Annotate::File(_) => true,
    };
    let longest = |p: &PanelLayout| p.columns.shown().len().max(p.rows.shown().len());
    if !asked && panels.iter().any(|p| longest(p) > MOST_A_SIDE) {
        return;
    }
    let cells: usize = panels.iter().map(|p| p.columns.shown().len() * p.rows.shown().len()).sum();
    let smallest =
        panels.iter().map(smallest_cell).fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let hidden = |lints: &mut Lints| {
        if asked {
            let text = format!("the values of {cells} cells do not fit");
            lints
                .add(LintName::AnnotationsHidden, cells as u64, text)
                .hint("a larger --width, or --annot off");
        }
    };
    if cells > MOST_CELLS
        || smallest.1 < 0.95 * frame.least_value_font
        || smallest.0 < 0.6 * frame.least_value_font
    {
        hidden(lints);
        return;
    }
    let Some(seen) = panels.iter().zip(grids).map(|(p, g)| seen(p, g)).collect::<Option<Vec<_>>>() else {
        // A source that cannot be read is reported where it is folded.
        return;
    };
    let all: Vec<&Grid> = seen.iter().map(|s| &*s.grid).collect();
    let mut texts: Vec<Vec<Option<String>>> = Vec::with_capacity(grids.len());
    // Width and height of the largest at a font size of 1 px.
    let mut widest = 0.0f64;
    let mut most_lines = 1;
    let mut is_raised = false;
    let formats = frame.panels.iter().map(|p| (p.scale, p.fmt));
    for (text, g) in CellText::of_all(&all, &frame.annotate, formats).iter().zip(&all) {
        let list: Vec<Option<String>> = (0..g.len()).map(|k| text.at(k / g.width(), k % g.width())).collect();
        for t in list.iter().flatten() {
            is_raised |= !t.is_ascii() && (t.contains("10⁻") || t.contains("×10"));
            if !t.as_bytes().contains(&b'\n') {
                widest = widest.max(m.size(t, 1.0).width);
                continue;
            }
            for line in t.split('\n') {
                widest = widest.max(m.size(line, 1.0).width);
            }
            most_lines = most_lines.max(t.split('\n').count());
        }
        texts.push(list);
    }
    let more_lines = (most_lines - 1) as f64 * LEADING;
    let tallest = 1.05 + more_lines;
    let (wide, high) = if asked { (widest / 0.86, tallest) } else { (widest + AIR.0, AIR.1 + more_lines) };
    let mut font = frame.value_font.min(smallest.0 / wide.max(1e-9)).min(smallest.1 / high);
    if frame.viewed {
        // Zooms pass few sizes, so few masks of each digit are cached.
        font = (font * 4.0).floor() / 4.0;
    }
    // Rather close together at the least size than not at all.
    let least = if asked {
        frame.least_value_font
    } else {
        let points = if is_raised { LEAST_RAISED } else { LEAST_POINTS };
        let readable = (points * frame.dpi / 72.0).min(frame.value_font);
        frame.least_value_font.max(readable)
    };
    let fits = if asked {
        least * widest <= 0.95 * smallest.0 && least <= smallest.1 / tallest
    } else {
        least * (widest + LEAST_AIR.0) <= smallest.0 && least * (LEAST_AIR.1 + more_lines) <= smallest.1
    };
    if font < least && fits {
        font = least;
    }
    if font < least {
        hidden(lints);
        return;
    }
    for (i, s) in seen.iter().enumerate() {
        let (p, g) = (&panels[i], &*s.grid);
        for (k, t) in texts[i].iter().enumerate().filter_map(|(k, t)| t.as_ref().map(|t| (k, t))) {
            let (row, column) = (k / g.width(), k % g.width());
            let r = cell(p, s.row + row, s.column + column);
            let shown = g.at(row, column).value();
            let Some(v) = shown.filter(|v| !colours.panels[i].scale.hides(v.as_f64())) else {
                continue;
            };
            let color = ink(&colours.panels[i].scale, v);
            let (body, mut c) = (p.body.rect(), r.center());
            if frame.viewed {
                c.x = body.x + p.columns.label_at(s.column + column, c.x - body.x);
                c.y = body.y + p.rows.label_at(s.row + row, c.y - body.y);
            }
            let lines: Vec<(&str, f64)> = t.split('\n').map(|l| (l, m.size(l, font).width)).collect();
            let w = lines.iter().map(|l| l.1).fold(0.0, f64::max);
            let further = (lines.len() - 1) as f64 * LEADING * font;
            let first = c.y + CAP_HEIGHT * font / 2.0 - further / 2.0;
            // A cell that the body cuts has no value where the widest would leave the body: all of a column have theirs, or none.
            let (wide, slack) =
                if body.contains(&r, 0.5) { (w, 0.1 * font) } else { ((widest + 0.3) * font, 0.0) };
            let room = Rect::new(c.x - wide / 2.0, first - 0.8 * font, wide, 1.02 * font + further);
            if frame.viewed && !body.contains(&room, slack) {
                continue;
            }
            for (k, (line, w)) in lines.into_iter().enumerate().filter(|(_, l)| !l.0.is_empty()) {
                items.push(Item::Text {
                    text: line.to_owned(),
                    font_size: font,
                    at: Point { x: c.x - w / 2.0, y: first + k as f64 * LEADING * font },
                    degrees: 0,
                    color,
                });
            }
        }
    }
}

/// The cells of a panel that are seen, in memory.
struct Seen<'a> {
    grid: Cow<'a, Grid>,
    row: usize,
    column: usize,
}

fn seen<'a>(p: &PanelLayout, grid: &'a Grid) -> Option<Seen<'a>> {
    let (rows, columns) = (p.rows.shown(), p.columns.shown());
    let (row, column) = (rows.start, columns.start);
    if rows.len() == grid.height() && columns.len() == grid.width() {
        grid.load().ok()?;
        return Some(Seen { grid: Cow::Borrowed(grid), row, column });
    }
    // Where nothing is seen there is no window.
    let part = grid.window(rows, columns).ok()?;
    part.load().ok()?;
    Some(Seen { grid: Cow::Owned(part), row, column })
}

pub(super) fn ink(scale: &ColorScale, v: Number) -> Color {
    scale.lut()[scale.index_of(v)].ink()
}

/// Where a cell lies on the canvas.
pub(super) fn cell(p: &PanelLayout, row: usize, column: usize) -> Rect {
    let ((x0, x1), (y0, y1)) = (p.columns.extent(column), p.rows.extent(row));
    Rect::new(f64::from(p.body.x) + x0, f64::from(p.body.y) + y0, x1 - x0, y1 - y0)
}

pub(super) fn smallest_cell(p: &PanelLayout) -> (f64, f64) {
    let least = |t: &EdgeTable| {
        let shown = t.shown();
        if shown.len() as u64 > u64::from(t.pixels()) {
            return 0.0;
        }
        shown.map(|i| t.extent(i)).map(|(a, b)| b - a).fold(f64::MAX, f64::min)
    };
    (least(&p.columns), least(&p.rows))
}

/// Lines between cells of a pixel or more that leave at least as much of each cell.
pub(super) fn cell_lines(p: &PanelLayout, width: f64, color: Color, items: &mut Vec<Item>) {
    let (w, h) = smallest_cell(p);
    if w < 2.0 * width || h < 2.0 * width {
        return;
    }
    let body = p.body.rect();
    let starts = |t: &EdgeTable| {
        t.shown()
            .map(|i| t.extent(i).0)
            .filter(|a| *a > 0.0 && *a < f64::from(t.pixels()))
            .collect::<Vec<_>>()
    };
    for x in starts(&p.columns) {
        items.push(Item::Rect {
            rect: Rect::new((body.x + x - width / 2.0).round(), body.y, width, body.h),
            color,
        });
    }
    for y in starts(&p.rows) {
        items.push(Item::Rect {
            rect: Rect::new(body.x, (body.y + y - width / 2.0).round(), body.w, width),
            color,
        });
    }
}

/// Outlines the greatest or the least cells of a panel, ties included.
pub(super) fn outlined(
    p: &PanelLayout,
    stats: &Stats,
    greatest: bool,
    scale: &ColorScale,
    line: f64,
    items: &mut Vec<Item>,
) {
    let (cells, v) = match greatest {
        true => (&stats.max_cells, stats.max),
        false => (&stats.min_cells, stats.min),
    };
    let Some(v) = v else {
        return;
    };
    for &(row, column) in cells {
        let r = cell(p, row, column);
        if !r.overlaps(&p.body.rect()) {
            continue;
        }
        let whole = p.body.rect().contains(&r, 0.5);
        let color = ink(scale, v);
        // A cell smaller than its outline is framed from outside, in the canvas' own contrast.
        let t = (1.6 * line).round().max(1.0);
        let r = if r.w < 5.0 * t || r.h < 5.0 * t {
            let c = r.center();
            Rect::new((c.x - 3.0 * t).round(), (c.y - 3.0 * t).round(), 6.0 * t, 6.0 * t)
        } else {
            let inset = t;
            Rect::new(
                r.x.round() + inset,
                r.y.round() + inset,
                r.w.round() - 2.0 * inset,
                r.h.round() - 2.0 * inset,
            )
        };
        for rect in [
            Rect::new(r.x, r.y, r.w, t),
            Rect::new(r.x, r.bottom() - t, r.w, t),
            Rect::new(r.x, r.y + t, t, r.h - 2.0 * t),
            Rect::new(r.right() - t, r.y + t, t, r.h - 2.0 * t),
        ] {
            // Only a cell that the body cuts has its outline cut.
            let rect = if whole { Some(rect) } else { within(&rect, &p.body.rect()) };
            items.extend(rect.map(|rect| Item::Rect { rect, color }));
        }
    }
}

/// Part of a rectangle within another.
fn within(r: &Rect, body: &Rect) -> Option<Rect> {
    let (x, y) = (r.x.max(body.x), r.y.max(body.y));
    let (w, h) = (r.right().min(body.right()) - x, r.bottom().min(body.bottom()) - y);
    (w > 0.0 && h > 0.0).then_some(Rect { x, y, w, h })
}

/// Small rings, dark over light, on pixels that hide an extreme.
pub(super) fn rings(p: &PanelLayout, pixels: &[(u32, u32)], line: f64, items: &mut Vec<Item>) {
    let radius = 3.5 * line.max(1.0);
    for &(x, y) in pixels {
        let c = Point {
            x: f64::from(p.body.x) + f64::from(x) + 0.5,
            y: f64::from(p.body.y) + f64::from(y) + 0.5,
        };
        for (width, color) in [(2.4 * line, Color::WHITE), (1.1 * line, Color::BLACK)] {
            let corner = |k: i32| {
                let a = f64::from(k) * FRAC_PI_4 + FRAC_PI_8;
                Point { x: c.x + radius * a.cos(), y: c.y + radius * a.sin() }
            };
            // Sides reach as far beyond their corners as closes the notch between two of them outside.
            let more = width / 2.0 * FRAC_PI_8.tan() / (2.0 * radius * FRAC_PI_8.sin());
            let beyond =
                |a: Point, b: Point| Point { x: b.x + more * (b.x - a.x), y: b.y + more * (b.y - a.y) };
            let sides = (0..8).map(|k| (corner(k), corner(k + 1)));
            items.extend(sides.map(|(a, b)| Item::Line {
                from: beyond(b, a),
                to: beyond(a, b),
                width,
                color,
            }));
        }
    }
}
