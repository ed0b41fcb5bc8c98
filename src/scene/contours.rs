//! Contours along the borders of tiles, and the numbers of their levels.

use super::Item;
use super::strokes::{Tiles, edge};
use crate::color::Color;
use crate::geom::{Point, Rect};
use crate::layout::PanelLayout;
use crate::lint::{LintName, Lints};
use crate::marking::{Contour, PanelMarking, Piece};
use crate::resolve::{Frame, PanelFrame};
use crate::text::{CAP_HEIGHT, Measure};

/// The widest line in widths of a tick; the lowest level has one.
const WIDEST: f64 = 2.2;
/// The share of a label's length that a line runs straight under it at least.
const STRAIGHT: f64 = 0.5;
/// A line as long as this many labels has one: of a shorter one nothing would be left.
const LEAST_LENGTH: f64 = 4.0;
/// The longest pieces of a line that are tried for its label.
const TRIED: usize = 24;

/// The width of the line of a level, the lowest of so many first.
pub(super) fn width(level: usize, levels: usize, line: f64) -> f64 {
    let share = level as f64 / (levels.max(2) - 1) as f64;
    (line * (1.0 + (WIDEST - 1.0) * share)).round().max(1.0)
}

/// Paints the contours of a panel.
pub(super) fn contours(panel: &PanelLayout, marking: &PanelMarking, line: f64, items: &mut Vec<Item>) {
    let tiles = tiles(panel, marking);
    let n = marking.contours.len();
    for (i, contour) in marking.contours.iter().enumerate() {
        tiles.paint(&contour.pieces, width(i, n, line), edge(line), items);
    }
}

fn tiles<'a>(panel: &PanelLayout, marking: &'a PanelMarking) -> Tiles<'a> {
    Tiles {
        body: panel.body,
        columns: &marking.columns,
        rows: &marking.rows,
    }
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
            true => (
                Point {
                    x: c.x - text / 2.0,
                    y: c.y + cap,
                },
                0,
            ),
            false => (
                Point {
                    x: c.x + cap,
                    y: c.y + text / 2.0,
                },
                90,
            ),
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
pub(super) fn report(frame: &PanelFrame, marking: &PanelMarking, lints: &mut Lints) {
    let hidden = |c: &&Contour| c.pieces.is_empty();
    for contour in marking.contours.iter().filter(hidden) {
        let text = match contour.count {
            0 => format!("no values lie on both sides of {} side by side", contour.label),
            n => format!(
                "the contour of {} has {n} straight pieces, too many to draw; hint: a level that fewer neighbours cross, or a part of the grid",
                contour.label
            ),
        };
        lints.add_panel(LintName::ContoursHidden, &frame.name, contour.count, text);
    }
}

/// The sample of a level's line in the key of the figure.
pub(super) fn swatch(rect: &Rect, width: f64, ink: Color, items: &mut Vec<Item>) {
    items.push(Item::Rect {
        rect: Rect::new(rect.x, (rect.center().y - width / 2.0).round(), rect.w, width),
        color: ink,
    });
}
