//! Rotated boxes of texts, and how deep they overlap.

use gridscope::Fonts;
use gridscope::Point;
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;

/// A text's line box: its four corners, from the upper start clockwise in the direction of reading.
pub struct Block {
    pub text: String,
    pub corners: [Point; 4],
}

impl Block {
    pub fn new(text: &str, font: f64, at: Point, degrees: i32, fonts: &mut Fonts) -> Self {
        let w = fonts.size(text, font).width;
        let (s, c) = match degrees {
            0 => (0.0, 1.0),
            90 => (1.0, 0.0),
            d => f64::from(d).to_radians().sin_cos(),
        };
        let corner = |u: f64, v: f64| Point { x: at.x + u * c + v * s, y: at.y - u * s + v * c };
        let (up, down) = (-0.8 * font, 0.22 * font);
        Self {
            text: text.to_owned(),
            corners: [corner(0.0, up), corner(w, up), corner(w, down), corner(0.0, down)],
        }
    }

    pub fn of(rect: Rect, text: &str) -> Self {
        let p = |x: f64, y: f64| Point { x, y };
        let (r, b) = (rect.right(), rect.bottom());
        Self { text: text.to_owned(), corners: [p(rect.x, rect.y), p(r, rect.y), p(r, b), p(rect.x, b)] }
    }

    pub fn left(&self) -> f64 {
        self.corners.iter().map(|c| c.x).fold(f64::MAX, f64::min)
    }

    pub fn right(&self) -> f64 {
        self.corners.iter().map(|c| c.x).fold(f64::MIN, f64::max)
    }

    pub fn top(&self) -> f64 {
        self.corners.iter().map(|c| c.y).fold(f64::MAX, f64::min)
    }

    pub fn bottom(&self) -> f64 {
        self.corners.iter().map(|c| c.y).fold(f64::MIN, f64::max)
    }

    /// The depth of the overlap of two boxes: the least over the directions of the sides; negative if they are apart.
    pub fn overlap(&self, other: &Block) -> f64 {
        let mut least = f64::MAX;
        for block in [self, other] {
            for k in 0..2 {
                let (a, b) = (block.corners[k], block.corners[k + 1]);
                let length = (b.x - a.x).hypot(b.y - a.y).max(1e-9);
                let along = Point { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
                let span = |q: &Block| {
                    let t = q.corners.map(|p| p.x * along.x + p.y * along.y);
                    (t.iter().copied().fold(f64::MAX, f64::min), t.iter().copied().fold(f64::MIN, f64::max))
                };
                let ((a0, a1), (b0, b1)) = (span(self), span(other));
                least = least.min(a1.min(b1) - a0.max(b0));
            }
        }
        least
    }
}
