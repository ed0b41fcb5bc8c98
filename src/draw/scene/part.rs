//! A part of a canvas as a scene of its own, for pictures that are drawn in tiles.

use super::{Cells, Item, Scene};
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use std::ops::Range;
use std::sync::Arc;

/// Patterns of states repeat after this many steps, hatch and dots together.
const PATTERN_STEPS: u32 = 12;

impl Item {
    /// The same, moved by whole pixels.
    pub fn moved(&self, right: i32, down: i32) -> Item {
        let (dx, dy) = (f64::from(right), f64::from(down));
        let point = |p: &Point| Point { x: p.x + dx, y: p.y + dy };
        match self {
            Item::Rect { rect, color } => Item::Rect { rect: rect.moved(dx, dy), color: *color },
            Item::Line { from, to, width, color } => {
                Item::Line { from: point(from), to: point(to), width: *width, color: *color }
            }
            Item::Polygon { points, color } => {
                Item::Polygon { points: points.iter().map(point).collect(), color: *color }
            }
            Item::Text { text, font_size, at, degrees, color } => Item::Text {
                text: text.clone(),
                font_size: *font_size,
                at: point(at),
                degrees: *degrees,
                color: *color,
            },
            Item::Cells(cells) => {
                Item::Cells(Box::new(Cells { body: cells.body.moved(right, down), ..Cells::clone(cells) }))
            }
            Item::Ramp { rect, scale, horizontal } => {
                Item::Ramp { rect: rect.moved(right, down), scale: scale.clone(), horizontal: *horizontal }
            }
        }
    }
}

impl Scene {
    /// Part of the scene within `rect` of the canvas, on a canvas of that size; the pixels are those of the whole.
    #[must_use]
    pub fn part(&self, rect: PxRect) -> Scene {
        let view = rect.rect();
        let items = self.all().filter(|i| touches(i, &view)).filter_map(|item| {
            Some(match item {
                Item::Cells(c) => Item::Cells(Box::new(cells(c, &rect)?)),
                other => other.moved(-rect.x, -rect.y),
            })
        });
        Scene::new(PxSize { w: rect.w, h: rect.h }, self.background, items.collect())
    }
}

/// Whether an item may reach into a rectangle.
fn touches(item: &Item, view: &Rect) -> bool {
    let around = |points: &[Point], margin: f64| {
        let (mut low, mut high) = (Point { x: f64::MAX, y: f64::MAX }, Point { x: f64::MIN, y: f64::MIN });
        for p in points {
            (low.x, low.y, high.x, high.y) =
                (low.x.min(p.x), low.y.min(p.y), high.x.max(p.x), high.y.max(p.y));
        }
        Rect::new(
            low.x - margin,
            low.y - margin,
            high.x - low.x + 2.0 * margin,
            high.y - low.y + 2.0 * margin,
        )
    };
    let bounds = match item {
        Item::Rect { rect, .. } => Rect::new(rect.x - 1.0, rect.y - 1.0, rect.w + 2.0, rect.h + 2.0),
        Item::Line { from, to, width, .. } => around(&[*from, *to], width + 1.0),
        Item::Polygon { points, .. } => around(points, 1.0),
        // No glyph is wider than two ems, whichever way the text runs.
        Item::Text { text, font_size, at, .. } => {
            around(&[*at], 2.0 * font_size * (text.chars().count() + 1) as f64)
        }
        Item::Ramp { rect, .. } => rect.rect(),
        Item::Cells(c) => c.body.rect(),
    };
    bounds.overlaps(view)
}

/// The pixels of a body that lie in `rect`, and a few before them.
fn cells(c: &Cells, rect: &PxRect) -> Option<Cells> {
    let range = |start: i32, length: u32, from: i32, size: u32| -> Option<Range<usize>> {
        let first = (i64::from(from) - i64::from(start)).max(0);
        let end = (i64::from(from) + i64::from(size) - i64::from(start)).min(i64::from(length));
        (first < end).then_some(first as usize..end as usize)
    };
    let columns = range(c.body.x, c.body.w, rect.x, rect.w)?;
    let rows = range(c.body.y, c.body.h, rect.y, rect.h)?;
    let mut cells = c.cut(columns, rows);
    (cells.body.x, cells.body.y) = (cells.body.x - rect.x, cells.body.y - rect.y);
    Some(cells)
}

impl Cells {
    /// Some columns and rows of a body's pixels, and a few before them, so that patterns go on as they began.
    pub fn cut(&self, columns: Range<usize>, rows: Range<usize>) -> Self {
        let period = (PATTERN_STEPS * self.unit.max(1)) as usize;
        let begun = |r: Range<usize>| r.start - r.start % period..r.end;
        let (columns, rows) = (begun(columns), begun(rows));
        let summaries = self
            .summaries
            .as_ref()
            .map(|all| Arc::new(all.cut(self.body.w as usize, rows.clone(), columns.clone())));
        let body = PxRect {
            x: self.body.x + columns.start as i32,
            y: self.body.y + rows.start as i32,
            w: columns.len() as u32,
            h: rows.len() as u32,
        };
        Self {
            body,
            columns: self.columns.cut(columns),
            rows: self.rows.cut(rows),
            summaries,
            before: None,
            scale: self.scale.clone(),
            ..*self
        }
    }
}
