//! Panels of a comparison, and the two sides of a large panel.

use super::{Hit, WindowGeometry};
use gridscope_core::geom::{Point, PxRect};
use gridscope_core::grid::{Change, Grid};

/// Panels of a comparison: baseline, values, difference.
const SIDES: usize = 3;

/// A press this many logical pixels beside the divider is on it.
const NEAR: f64 = 5.0;

/// The other panel, left of a divider in the body of the large one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SwipeAt {
    /// The other panel.
    pub other: usize,
    /// The body of both.
    pub body: PxRect,
    /// Pixels of its width that the other panel has.
    pub left: u32,
}

impl SwipeAt {
    /// A divider at a share of a body, from the left.
    pub(crate) fn new(other: usize, body: PxRect, share: f64) -> Self {
        let left = (share.clamp(0.0, 1.0) * f64::from(body.w)).round() as u32;
        Self { other, body, left }
    }

    /// Where the divider is, in pixels of the window.
    pub fn x(&self) -> f64 {
        f64::from(self.body.x) + f64::from(self.left)
    }

    /// The part of the body that shows the other panel.
    pub fn rect(&self) -> PxRect {
        PxRect { w: self.left, ..self.body }
    }

    /// Whether a point is on the divider.
    fn holds(&self, at: Point, unit: f64) -> bool {
        let body = self.body.rect();
        (at.x - self.x()).abs() <= NEAR * unit && at.y >= body.y && at.y < body.bottom()
    }
}

impl WindowGeometry {
    /// The comparison that a panel belongs to: its baseline, its values, their difference.
    pub(crate) fn comparison(&self, panel: usize) -> Option<[usize; 3]> {
        let first = panel / SIDES * SIDES;
        let of = [first, first + 1, first + 2];
        (self.compares && panel < self.grids.len()).then_some(of)
    }

    /// Hit within the body of a panel that the window shows: the other panel left of a divider.
    pub(super) fn side_at(&self, panel: usize, at: Point) -> Hit {
        match &self.swipe {
            Some(swipe) if self.large == Some(panel) => {
                if swipe.holds(at, self.logical_pixel()) {
                    Hit::Divider(panel)
                } else if at.x < swipe.x() {
                    Hit::Body(swipe.other)
                } else {
                    Hit::Body(panel)
                }
            }
            _ => Hit::Body(panel),
        }
    }

    /// Why two panels cannot be shown in one body; `None` where they have the same rows and columns.
    pub(crate) fn apart(&self, a: usize, b: usize) -> Option<String> {
        let (Some(first), Some(second)) = (self.grids.get(a), self.grids.get(b)) else {
            return Some("there is one panel".to_owned());
        };
        let sides = [("row", first.rows(), second.rows()), ("column", first.columns(), second.columns())];
        sides.into_iter().find_map(|(word, x, y)| {
            let names = (first.name(), second.name());
            if x.len() != y.len() {
                let (n, m) = (x.len(), y.len());
                let s = if n == 1 { "" } else { "s" };
                return Some(format!("'{}' has {n} {word}{s} and '{}' has {m}", names.0, names.1));
            }
            let same = (&x.levels, &x.coords, x.start) == (&y.levels, &y.coords, y.start);
            (!same).then(|| format!("the {word}s of '{}' and '{}' are not the same", names.0, names.1))
        })
    }
}

/// Whether grids are those of comparisons, three of each.
pub(crate) fn compares(grids: &[Grid]) -> bool {
    let differs = |g: &Grid| g.changes().iter().any(Change::is_comparison);
    let sides = |three: &[Grid]| three.iter().map(differs).eq([false, false, true]);
    !grids.is_empty() && grids.len().is_multiple_of(SIDES) && grids.chunks(SIDES).all(sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_grids::{geometry, sweep};
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::Axis;

    fn at(x: f64) -> Point {
        Point { x, y: 100.0 }
    }

    #[test]
    fn a_divider_has_a_side_and_a_hold() {
        // Bodies begin at 100, 50.
        let mut w = geometry(vec![sweep(), sweep()], PxSize { w: 400, h: 300 });
        let body = w.panels[0].body;
        assert_eq!(w.hit(at(150.0)), Hit::Body(0));
        w.large = Some(0);
        w.swipe = Some(SwipeAt::new(1, body, 0.25));
        let hits = [150.0, 194.0, 195.0, 200.0, 205.0, 206.0, 99.0].map(|x| w.hit(at(x)));
        let (left, right) = (Hit::Body(1), Hit::Body(0));
        assert_eq!(hits[..6], [left, left, Hit::Divider(0), Hit::Divider(0), Hit::Divider(0), right]);
        assert_eq!(hits[6], Hit::YAxis(0));
        let ends = [-1.0, 0.0, 0.5, 1.0, 7.0].map(|share| SwipeAt::new(1, body, share).left);
        assert_eq!(ends, [0, 0, 200, 400, 400]);
    }

    #[test]
    fn panels_with_other_rows_are_apart() {
        let mut other = sweep();
        let labels = (0..3).map(|i| format!("r{i}")).collect();
        other.set_rows(Axis::category("window", labels)).unwrap();
        let flat = Grid::from_rows(1, 4, vec![0.0; 4]).unwrap().with_name("flat");
        let grids = vec![sweep().with_name("a"), sweep().with_name("b"), other.with_name("c"), flat];
        let w = geometry(grids, PxSize { w: 40, h: 30 });
        assert_eq!(w.apart(0, 1), None);
        assert_eq!(w.apart(0, 2).unwrap(), "the rows of 'a' and 'c' are not the same");
        assert_eq!(w.apart(0, 3).unwrap(), "'a' has 3 rows and 'flat' has 1");
        assert_eq!((w.comparison(0), compares(&w.grids)), (None, false));
    }
}
