//! Contours along the borders of tiles, and the numbers of their levels.

use super::Item;
use super::strokes::Tiles;
use crate::layout::{Layout, PanelLayout};
use crate::marking::{Contour, PanelMarking, Piece, edge, level_width};
use crate::resolve::{Frame, PanelFrame};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::{CAP_HEIGHT, Measure};

/// The share of a label's length that a line runs straight under it at least.
const STRAIGHT: f64 = 0.5;
/// A line as long as this many labels has one: of a shorter one nothing would be left.
const LEAST_LENGTH: f64 = 4.0;
/// The longest pieces of a line that are tried for its label.
const TRIED: usize = 24;

/// Paints the contours of a panel.
pub(super) fn contours(panel: &PanelLayout, marking: &PanelMarking, layout: &Layout, items: &mut Vec<Item>) {
    let tiles = tiles(panel, marking);
    let n = marking.contours.len();
    for (i, contour) in marking.contours.iter().enumerate() {
        let width = level_width(i, n, layout);
        tiles.paint(&contour.pieces, (width, edge(layout.line)), (Color::BLACK, Color::WHITE), items);
    }
}

fn tiles<'a>(panel: &PanelLayout, marking: &'a PanelMarking) -> Tiles<'a> {
    Tiles { body: panel.body, columns: &marking.columns, rows: &marking.rows }
}

/// Writes the level of each contour on a straight part of it, where there is room.
pub(super) fn labels(
    frame: &Frame,
    panel: &PanelLayout,
    marking: &PanelMarking,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    let font = (0.8 * frame.font_size).max(frame.least_font);
    let (tiles, body) = (tiles(panel, marking), panel.body.rect());
    let mut taken: Vec<Rect> = Vec::new();
    for contour in &marking.contours {
        let text = m.size(&contour.label, font).width;
        let (long, high) = (text + 0.5 * font, 1.1 * font);
        let mut longest: Vec<(Rect, &Piece)> =
            contour.pieces.iter().map(|p| (tiles.stroke(p, 1.0), p)).collect();
        let length: f64 = longest.iter().map(|(r, _)| r.w.max(r.h)).sum();
        if length < LEAST_LENGTH * long {
            continue;
        }
        longest.sort_by(|a, b| b.0.w.max(b.0.h).total_cmp(&a.0.w.max(a.0.h)));
        let plate = longest.iter().take(TRIED).find_map(|(r, piece)| {
            if r.w.max(r.h) < STRAIGHT * long {
                return None;
            }
            let c = r.center();
            let plate = match piece.is_horizontal {
                true => Rect::new(c.x - long / 2.0, c.y - high / 2.0, long, high),
                false => Rect::new(c.x - high / 2.0, c.y - long / 2.0, high, long),
            };
            let free = body.contains(&plate, 0.0) && !taken.iter().any(|t| t.grown(2.0).overlaps(&plate));
            free.then_some((plate, piece.is_horizontal))
        });
        let Some((plate, is_horizontal)) = plate else {
            continue;
        };
        taken.push(plate);
        items.push(Item::Rect {
            rect: Rect::new(plate.x.round(), plate.y.round(), plate.w.round(), plate.h.round()),
            color: frame.palette.background,
        });
        let (c, cap) = (plate.center(), CAP_HEIGHT * font / 2.0);
        let (at, degrees) = match is_horizontal {
            true => (Point { x: c.x - text / 2.0, y: c.y + cap }, 0),
            false => (Point { x: c.x + cap, y: c.y + text / 2.0 }, 90),
        };
        items.push(Item::Text {
            text: contour.label.clone(),
            font_size: font,
            at,
            degrees,
            color: frame.palette.ink,
        });
    }
}

/// Reports levels without a line.
pub(super) fn report(frame: &PanelFrame, marking: &PanelMarking, has_values: bool, lints: &mut Lints) {
    if !(marking.contours.is_empty() || has_values) {
        let text = "contours have no values to run between: no cell has one".to_owned();
        lints.add_panel(LintName::ContoursHidden, &frame.name, 0, text);
        return;
    }
    let hidden = |c: &&Contour| c.pieces.is_empty();
    for contour in marking.contours.iter().filter(hidden) {
        let (label, n) = (&contour.label, contour.count);
        let text = match n {
            0 => format!("no values lie on both sides of {label} side by side"),
            n => format!("the contour of {label} has {n} straight pieces, too many to tell apart"),
        };
        let lint = lints.add_panel(LintName::ContoursHidden, &frame.name, n, text);
        if n > 0 {
            lint.hint("a level that fewer neighbours cross, or a part of the grid");
        }
    }
}

/// The levels that some panel has a line of, each with the width of its line.
pub(super) fn drawn_levels<'a>(
    panels: impl Iterator<Item = &'a PanelMarking>,
    layout: &Layout,
) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for marking in panels {
        let n = marking.contours.len();
        for (i, contour) in marking.contours.iter().enumerate() {
            if !contour.pieces.is_empty() && out.iter().all(|(level, _)| *level != contour.level) {
                out.push((contour.level, level_width(i, n, layout)));
            }
        }
    }
    out
}

/// The key of the levels that some panel has a line of.
pub(super) fn key(layout: &Layout, marking: &[PanelMarking], ink: Color, items: &mut Vec<Item>) {
    // Levels with a key are those of all panels.
    let levels = marking.iter().map(|m| m.contours.len()).max().unwrap_or(0);
    let has_line = |m: &PanelMarking, i: usize| m.contours.get(i).is_some_and(|c| !c.pieces.is_empty());
    for line in &layout.contours {
        for entry in line.drawn(|i| marking.iter().any(|m| has_line(m, i))) {
            if let Some(i) = entry.level {
                let (rect, width) = (entry.rect.rect(), level_width(i, levels, layout));
                items.push(Item::Rect {
                    rect: Rect::new(rect.x, (rect.center().y - width / 2.0).round(), rect.w, width),
                    color: ink,
                });
            }
            items.push(Item::Text {
                text: entry.label.text,
                font_size: entry.label.font_size,
                at: entry.label.at,
                degrees: 0,
                color: ink,
            });
        }
    }
}
