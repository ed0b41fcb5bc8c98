//! Page geometry: f64 output pixels, y down.

/// A rectangle: its top left corner and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width, never negative.
    pub w: f64,
    /// Height, never negative.
    pub h: f64,
}

impl Rect {
    /// A rectangle; negative sizes become 0.
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w: w.max(0.0), h: h.max(0.0) }
    }

    /// The right edge.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The bottom edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The centre.
    pub fn center(&self) -> Point {
        Point { x: self.x + self.w / 2.0, y: self.y + self.h / 2.0 }
    }

    /// Whether the interiors of two rectangles intersect.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether this contains `other`, with `slack` pixels of tolerance.
    pub fn contains(&self, other: &Rect, slack: f64) -> bool {
        other.x >= self.x - slack
            && other.y >= self.y - slack
            && other.right() <= self.right() + slack
            && other.bottom() <= self.bottom() + slack
    }

    /// Its four sides as rectangles of this width within it.
    pub fn edges(&self, width: f64) -> [Rect; 4] {
        [
            Rect::new(self.x, self.y, self.w, width),
            Rect::new(self.x, self.bottom() - width, self.w, width),
            Rect::new(self.x, self.y, width, self.h),
            Rect::new(self.right() - width, self.y, width, self.h),
        ]
    }

    /// The rectangle moved by (`dx`, `dy`).
    pub fn moved(&self, dx: f64, dy: f64) -> Rect {
        Rect { x: self.x + dx, y: self.y + dy, ..*self }
    }

    /// The rectangle grown by `d` on every side, or shrunk if `d` is negative.
    pub fn grown(&self, d: f64) -> Rect {
        Rect::new(self.x - d, self.y - d, self.w + 2.0 * d, self.h + 2.0 * d)
    }

    /// The smallest rectangle that contains both.
    pub fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
}

impl Point {
    /// Whether both coordinates are finite.
    pub fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// A rectangle of whole pixels: the body of a panel, the inside of a colour bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PxRect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: u32,
    /// Height.
    pub h: u32,
}

impl PxRect {
    /// The rectangle moved by (`right`, `down`).
    pub fn moved(&self, right: i32, down: i32) -> PxRect {
        PxRect { x: self.x + right, y: self.y + down, ..*self }
    }

    /// The same rectangle in f64.
    pub fn rect(&self) -> Rect {
        Rect::new(f64::from(self.x), f64::from(self.y), f64::from(self.w), f64::from(self.h))
    }
}

/// A width and a height in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PxSize {
    /// Width.
    pub w: u32,
    /// Height.
    pub h: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_rectangles_do_not_overlap() {
        let a = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(!a.overlaps(&a.moved(10.0, 0.0)));
        assert!(a.overlaps(&a.moved(9.9, 0.0)));
        assert_eq!(a.union(&a.moved(5.0, 7.0)), Rect::new(0.0, 0.0, 15.0, 17.0));
    }
}
