//! Contours along the borders of tiles and the numbers of their levels; lines that are seen on every colour.

use super::Item;
use crate::layout::{Layout, PanelLayout};
use crate::marking::{Contour, PanelMarking, Piece, Tile, border, edge, level_width};
use crate::resolve::{Frame, PanelFrame};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
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

/// The tiles of a body, on the canvas.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles<'a> {
    pub body: PxRect,
    pub columns: &'a [Tile],
    pub rows: &'a [Tile],
}

impl Tiles<'_> {
    /// The tiles from a row and a column on, as many as given, as a rectangle.
    pub(super) fn rect(&self, row: u32, [from, to]: [u32; 2]) -> Rect {
        let (x0, x1) = (border(self.columns, from), border(self.columns, to));
        let (y0, y1) = (border(self.rows, row), border(self.rows, row + 1));
        Rect::new(f64::from(self.body.x) + x0, f64::from(self.body.y) + y0, x1 - x0, y1 - y0)
    }

    /// A piece as a rectangle of this width, and of half of it beyond both ends, within the body.
    pub(super) fn stroke(&self, piece: &Piece, width: f64) -> Rect {
        let (across, along) = match piece.is_horizontal {
            true => (self.rows, self.columns),
            false => (self.columns, self.rows),
        };
        let before = (width / 2.0).floor();
        let at = border(across, piece.at) - before;
        let (from, to) =
            (border(along, piece.along[0]) - before, border(along, piece.along[1]) - before + width);
        let (w, h) = (f64::from(self.body.w), f64::from(self.body.h));
        let (rect, most) = match piece.is_horizontal {
            true => (Rect::new(from, at.clamp(0.0, (h - width).max(0.0)), to - from, width), w),
            false => (Rect::new(at.clamp(0.0, (w - width).max(0.0)), from, width, to - from), h),
        };
        let cut = |start: f64, length: f64| {
            let start = start.max(0.0);
            (start, (length.min(most - start)).max(0.0))
        };
        let mut rect = rect;
        match piece.is_horizontal {
            true => (rect.x, rect.w) = cut(rect.x, rect.right() - rect.x.max(0.0)),
            false => (rect.y, rect.h) = cut(rect.y, rect.bottom() - rect.y.max(0.0)),
        }
        rect.moved(f64::from(self.body.x), f64::from(self.body.y))
    }

    /// Paints pieces in the first colour with an edge in the second one on both sides.
    pub(super) fn paint(
        &self,
        pieces: &[Piece],
        (width, edge): (f64, f64),
        (ink, around): (Color, Color),
        items: &mut Vec<Item>,
    ) {
        for (width, color) in [(width + 2.0 * edge, around), (width, ink)] {
            items.extend(pieces.iter().map(|piece| Item::Rect { rect: self.stroke(piece, width), color }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_lie_on_borders_and_stay_in_the_body() {
        let tile = |a: u32, b: u32, c: u32| Tile { pixels: [a, b], cells: [c, c + 1] };
        let all = [tile(0, 10, 0), tile(10, 20, 1)];
        let body = PxRect { x: 100, y: 200, w: 20, h: 20 };
        let tiles = Tiles { body, columns: &all, rows: &all };
        let piece = |is_horizontal, at, along| Piece { is_horizontal, at, along };
        assert_eq!(tiles.stroke(&piece(true, 1, [0, 1]), 3.0), Rect::new(100.0, 209.0, 12.0, 3.0));
        assert_eq!(tiles.stroke(&piece(false, 2, [0, 2]), 3.0), Rect::new(117.0, 200.0, 3.0, 20.0));
        assert_eq!(tiles.rect(1, [0, 2]), Rect::new(100.0, 210.0, 20.0, 10.0));
    }
}
