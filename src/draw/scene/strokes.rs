//! Lines along the borders of tiles, dark over light, so that they are seen on every colour.

use super::Item;
use crate::marking::{Piece, Tile, border};
use gridscope_core::color::Color;
use gridscope_core::geom::{PxRect, Rect};

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
