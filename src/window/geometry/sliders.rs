//! The sliders of an array's slices: a strip between figure and status line, one row an axis.

use super::{STATUS, WindowGeometry};
use gridscope_core::geom::{Point, Rect};

/// Height of a row in logical pixels.
const ROW: f64 = 22.0;
/// The strip takes no more than this share of a window.
const MOST: f64 = 0.4;
/// Logical pixels between the parts of a row.
const GAP: f64 = 10.0;
/// The share of a row that its text may take, and the most logical pixels of it.
const TEXT: (f64, f64) = (0.45, 320.0);

/// A slider in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SliderAt {
    /// The place of its axis in [`WindowGeometry::slices`].
    pub place: usize,
    /// The whole row.
    pub row: Rect,
    /// Button that plays and stops.
    pub button: Rect,
    /// Where its text is.
    pub text: Rect,
    /// Where it is dragged: index 0 at the left, each index equally long.
    pub track: Rect,
}

impl SliderAt {
    /// The index under a point, of `len` on the track; the nearest one beside it.
    pub fn index(&self, at: Point, len: usize) -> usize {
        let share = (at.x - self.track.x) / self.track.w.max(1.0);
        // A float that is too large, small or NaN becomes the end or 0.
        ((share * len as f64).floor() as usize).min(len.saturating_sub(1))
    }

    /// The middle of an index of `len` on the track, in pixels of the window.
    pub fn middle(&self, index: usize, len: usize) -> f64 {
        self.track.x + self.track.w * (index as f64 + 0.5) / len.max(1) as f64
    }
}

/// How many of `axes` have a slider in a window of this height, in pixels, and the height of their strip.
pub(crate) fn strip_height(axes: usize, height: u32, unit: f64) -> (usize, u32) {
    let unit = unit.max(0.25);
    let row = (ROW * unit).round();
    let room = f64::from(height) - (STATUS * unit).round();
    let rows = axes.min((MOST * room / row).max(0.0) as usize);
    (rows, rows as u32 * row as u32)
}

impl WindowGeometry {
    /// The sliders of a window, that of the axis at the place `chosen` among them, where not all fit.
    pub(crate) fn place_sliders(&self, chosen: usize) -> Vec<SliderAt> {
        let (unit, axes) = (self.logical_pixel(), self.slices.len());
        let (rows, height) = strip_height(axes, self.size.h, unit);
        let (w, status) = (f64::from(self.size.w), (STATUS * unit).round());
        let (top, gap) = (f64::from(self.size.h) - status - f64::from(height), (GAP * unit).round());
        let tall = (ROW * unit).round();
        let first = (chosen + 1).saturating_sub(rows);
        let at = |i: usize| {
            let row = Rect::new(0.0, top + i as f64 * tall, w, tall);
            let button = Rect::new(gap, row.y, tall.min(w), tall);
            let x = button.right() + gap / 2.0;
            let wide = (TEXT.0 * w).min(TEXT.1 * unit).round();
            let text = Rect::new(x, row.y, (wide - x).max(0.0), tall);
            let start = text.right() + gap;
            let track = Rect::new(start, row.y, (w - gap - start).max(0.0), tall);
            SliderAt { place: first + i, row, button, text, track }
        };
        (0..rows).map(at).collect()
    }

    /// The slider under a point, by its place in [`WindowGeometry::sliders`].
    pub(super) fn slider_at(&self, at: Point) -> Option<usize> {
        let inside = |r: &Rect| at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom();
        self.sliders.iter().position(|slider| inside(&slider.row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::geom::PxSize;
    use gridscope_core::grid::{Axis, SlicedAxis};

    fn window(axes: usize, w: u32, h: u32, unit: f64) -> WindowGeometry {
        let axis = |axis| SlicedAxis::new(axis, 0, Axis::index("", 50), false);
        WindowGeometry {
            size: PxSize { w, h },
            unit,
            slices: (0..axes).map(axis).collect(),
            ..WindowGeometry::default()
        }
    }

    #[test]
    fn sliders_leave_most_of_any_window_to_the_figure() {
        for (axes, w, h, unit) in [
            (1, 1280, 800, 1.0),
            (3, 500, 500, 1.0),
            (3, 500, 500, 2.0),
            (4, 100, 90, 1.5),
            (9, 1, 1, 1.0),
            (0, 500, 500, 1.0),
        ] {
            for chosen in 0..axes.max(1) {
                let geometry = window(axes, w, h, unit);
                let sliders = geometry.place_sliders(chosen);
                let (rows, height) = strip_height(axes, h, unit);
                assert_eq!(sliders.len(), rows);
                assert!(f64::from(height) <= 0.4 * f64::from(h), "{height} of {h}");
                assert!(rows == 0 || sliders.iter().any(|s| s.place == chosen), "{axes}, {chosen}");
                for s in &sliders {
                    let inside = [s.button, s.text, s.track]
                        .iter()
                        .all(|r| r.w >= 0.0 && r.x >= 0.0 && (r.w == 0.0 || r.right() <= f64::from(w)));
                    assert!(inside, "{w} x {h}: {s:?}");
                    assert!(s.row.bottom() <= f64::from(h) - (STATUS * unit).round());
                }
            }
        }
        let three = window(3, 500, 500, 1.0).place_sliders(0);
        assert_eq!((three.len(), three[0].track.w > 200.0), (3, true));
    }

    #[test]
    fn each_index_is_under_its_own_middle() {
        let slider = window(1, 640, 480, 1.0).place_sliders(0)[0];
        for len in [1, 2, 7, 50, 300] {
            for index in 0..len {
                let at = Point { x: slider.middle(index, len), y: 0.0 };
                assert_eq!(slider.index(at, len), index, "of {len}");
            }
        }
        let index = |x: f64| slider.index(Point { x, y: 0.0 }, 50);
        assert_eq!([index(-1e9), index(1e9), index(f64::NAN), index(f64::INFINITY)], [0, 49, 0, 49]);
    }
}
