//! Where the sliders of an array's slices are, and the strip of thumbnails over the status line.

use super::{STATUS, WindowGeometry};
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};

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

/// Height of the strip in logical pixels.
const STRIP: f64 = 78.0;
/// Width of a thumbnail with the space around it.
const TILE: f64 = 108.0;
/// The picture of a thumbnail.
const PICTURE: (f64, f64) = (96.0, 50.0);
/// A window of fewer strips in its height has none.
const LEAST_STRIPS: f64 = 4.5;

/// The strip, and the thumbnails in it that are at least partly in the window.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StripAt {
    /// All of it.
    pub rect: Rect,
    /// Thumbnails in the window, from left to right.
    pub thumbs: Vec<ThumbAt>,
    /// How many thumbnails are left of the window.
    pub(crate) offset: f64,
    /// The width of a thumbnail with the space around it.
    pub(crate) tile: f64,
    /// The share of all thumbnails that is left of the window, and the one up to its right end.
    pub(crate) seen: (f64, f64),
}

/// A thumbnail.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ThumbAt {
    /// Which panel it is of.
    pub panel: usize,
    /// All of it: a click here shows the panel.
    pub rect: Rect,
    /// The room for its picture.
    pub picture: PxRect,
}

/// The height of the strip in a window, in pixels; 0 where it would leave too little to the figure. `room` is the window
/// without its status line, `unit` the pixels of a logical pixel.
pub(crate) fn thumbnails_height(room: PxSize, unit: f64) -> u32 {
    let height = (STRIP * unit).round();
    if f64::from(room.h) < LEAST_STRIPS * height || f64::from(room.w) < 2.0 * TILE * unit {
        0
    } else {
        height as u32
    }
}

impl StripAt {
    /// The strip at the lower end of `room`, of this many panels. `offset`: how many thumbnails are left of the window; without it the thumbnail
    /// of `large` is in the middle. `None` where there is no room.
    pub(crate) fn new(
        room: PxSize,
        unit: f64,
        panels: usize,
        large: usize,
        offset: Option<f64>,
    ) -> Option<Self> {
        let height = f64::from(thumbnails_height(room, unit));
        if height == 0.0 || panels < 2 {
            return None;
        }
        let (w, tile) = (f64::from(room.w), (TILE * unit).round());
        let top = f64::from(room.h) - height;
        let (all, fit) = (panels as f64, w / tile);
        let middle = large as f64 + 0.5 - fit / 2.0;
        let offset = offset.filter(|o| o.is_finite()).unwrap_or(middle).clamp(0.0, (all - fit).max(0.0));
        // Few thumbnails are in the middle of the window.
        let left = ((w - all * tile) / 2.0).max(0.0);
        let first = offset.floor() as usize;
        let end = ((offset + fit).ceil() as usize).min(panels);
        let thumb = |panel: usize| {
            let x = (left + (panel as f64 - offset) * tile).round();
            let (wide, high) = ((PICTURE.0 * unit).round(), (PICTURE.1 * unit).round());
            ThumbAt {
                panel,
                rect: Rect::new(x, top, tile, height),
                picture: PxRect {
                    x: (x + ((tile - wide) / 2.0).round()) as i32,
                    y: (top + (7.0 * unit).round()) as i32,
                    w: wide as u32,
                    h: high as u32,
                },
            }
        };
        Some(Self {
            rect: Rect::new(0.0, top, w, height),
            thumbs: (first..end).map(thumb).collect(),
            offset,
            tile,
            seen: (offset / all, ((offset + fit) / all).min(1.0)),
        })
    }

    /// Whether a point is in it.
    pub(crate) fn holds(&self, at: Point) -> bool {
        let r = &self.rect;
        at.x >= r.x && at.x < r.right() && at.y >= r.y && at.y < r.bottom()
    }

    /// The panel whose thumbnail is under a point.
    pub(crate) fn panel_at(&self, at: Point) -> Option<usize> {
        let under = |t: &&ThumbAt| self.holds(at) && at.x >= t.rect.x && at.x < t.rect.right();
        self.thumbs.iter().find(under).map(|t| t.panel)
    }

    /// Whether the whole thumbnail of a panel is in the window.
    pub(crate) fn shows(&self, panel: usize) -> bool {
        let whole = |t: &ThumbAt| t.panel == panel && t.rect.x >= 0.0 && t.rect.right() <= self.rect.right();
        self.thumbs.iter().any(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn strip(w: u32, panels: usize, large: usize, offset: Option<f64>) -> StripAt {
        StripAt::new(PxSize { w, h: 800 }, 1.0, panels, large, offset).unwrap()
    }

    fn panels(strip: &StripAt) -> Vec<usize> {
        strip.thumbs.iter().map(|t| t.panel).collect()
    }

    #[test]
    fn few_thumbnails_are_in_the_middle_and_many_follow_the_large_one() {
        let few = strip(1000, 3, 2, None);
        assert_eq!((panels(&few), few.thumbs[0].rect.x, few.seen), (vec![0, 1, 2], 338.0, (0.0, 1.0)));
        for large in [0, 1, 30, 63, 64] {
            let many = strip(1000, 65, large, None);
            assert!(many.shows(large) && many.thumbs.len() <= 11, "{large}");
        }
        assert_eq!(panels(&strip(1000, 65, 0, None))[0], 0);
        assert_eq!(panels(&strip(1000, 65, 64, None)).last(), Some(&64));
        // Only what is seen is placed, however many there are.
        assert!(strip(1000, 80_000, 40_000, None).thumbs.len() <= 11);
    }

    #[test]
    fn it_scrolls_to_its_ends_and_no_farther() {
        assert_eq!(panels(&strip(540, 65, 0, Some(30.0))), [30, 31, 32, 33, 34]);
        assert_eq!(panels(&strip(540, 65, 0, Some(1e300))), [60, 61, 62, 63, 64]);
        assert_eq!(panels(&strip(540, 65, 9, Some(f64::NAN))), panels(&strip(540, 65, 9, None)));
        assert_eq!(panels(&strip(540, 65, 0, Some(-7.0)))[0], 0);
    }

    #[test]
    fn a_point_is_over_one_thumbnail() {
        let s = strip(1000, 65, 30, None);
        for t in &s.thumbs {
            let middle = t.rect.center();
            let inside = middle.x >= 0.0 && middle.x < 1000.0;
            assert_eq!(s.panel_at(middle), inside.then_some(t.panel));
            assert!(t.rect.contains(&t.picture.rect(), 0.0));
        }
        assert_eq!(s.panel_at(Point { x: 500.0, y: s.rect.y - 1.0 }), None);
        assert_eq!(s.panel_at(Point { x: 500.0, y: s.rect.bottom() }), None);
    }

    #[test]
    fn small_windows_have_none() {
        let of = |w, h, unit| StripAt::new(PxSize { w, h }, unit, 65, 0, None).is_some();
        assert!(of(800, 600, 1.0) && of(1600, 1200, 2.0));
        assert!(!of(800, 300, 1.0) && !of(100, 600, 1.0) && !of(800, 600, 2.0) && !of(0, 0, 1.0));
    }
}
