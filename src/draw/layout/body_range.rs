//! The bodies that a panel of square cells may have: that of all data, and larger ones that show a part.

use gridscope_core::geom::PxSize;
use gridscope_core::view::{Part, View};

/// The least and the largest body of a panel, in pixels. A part of the data with larger cells takes what the page leaves free
/// beside the body of all data; the size of a cell decides how much of it, and with it the part that the body shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRange {
    /// The body of all data.
    pub base: PxSize,
    /// The largest body. It exceeds `base` along one side at most, so that any larger cells show a part.
    pub most: PxSize,
    /// The cells of all data along x and along y.
    pub cells: (f64, f64),
}

/// One side of a body: pixels of all data, the most pixels, cells.
#[derive(Clone, Copy)]
struct Side {
    base: f64,
    most: f64,
    cells: f64,
}

impl BodyRange {
    /// A body that does not grow.
    pub fn fixed(size: PxSize, cells: (f64, f64)) -> Self {
        Self { base: size, most: size, cells }
    }

    /// A body that may grow up to `free`, along the side where that is relatively more.
    pub(super) fn growing(base: PxSize, free: PxSize, cells: (f64, f64)) -> Self {
        let fixed = Self::fixed(base, cells);
        let (w, h) = (free.w.max(base.w), free.h.max(base.h));
        if base.w == 0 || base.h == 0 || fixed.whole_scale().is_none() {
            return fixed;
        }
        let is_wider = u64::from(w) * u64::from(base.h) > u64::from(h) * u64::from(base.w);
        let most = if is_wider { PxSize { w, h: base.h } } else { PxSize { w: base.w, h } };
        Self { most, ..fixed }
    }

    fn sides(&self) -> [Side; 2] {
        let side =
            |base: u32, most: u32, cells: f64| Side { base: f64::from(base), most: f64::from(most), cells };
        [side(self.base.w, self.most.w, self.cells.0), side(self.base.h, self.most.h, self.cells.1)]
    }

    /// Pixels of a cell where all data are shown; `None` where their cells are not square, whole pixels allowed for.
    pub fn whole_scale(&self) -> Option<f64> {
        let [x, y] = self.sides();
        // The sizes of a cell at which a side has these pixels.
        let least = |side: Side| (side.base - 1.0) / side.cells;
        let most = |side: Side| (side.base + 1.0) / side.cells;
        let is_square = x.base >= 1.0 && y.base >= 1.0 && least(x) <= most(y) && least(y) <= most(x);
        is_square.then_some((x.base / x.cells).max(y.base / y.cells))
    }

    /// The most pixels of a cell at which all data are shown, with room beyond them where their cells are not square.
    pub fn least_scale(&self) -> f64 {
        let [x, y] = self.sides().map(|side| side.base / side.cells);
        self.whole_scale().unwrap_or(x.min(y))
    }

    /// The body where a cell has this many pixels.
    pub fn body(&self, scale: f64) -> PxSize {
        let [w, h] = self.sides().map(|side| side.pixels(scale) as u32);
        PxSize { w, h }
    }

    /// How many cells the body shows along each axis where a cell has this many pixels; `None`: all of them.
    pub fn lengths(&self, scale: f64) -> [Option<f64>; 2] {
        self.sides().map(|side| side.length(scale))
    }

    /// Pixels of a cell in a view, if the body has square cells then.
    pub fn scale(&self, view: &View) -> Option<f64> {
        let sides = self.sides();
        let parts = [view.x, view.y];
        if sides.iter().any(|side| side.base < 1.0) {
            return None;
        }
        let found = sides.iter().zip(&parts).find_map(|(side, part)| side.scale(part));
        let Some(scale) = found else {
            return self.whole_scale();
        };
        let holds = sides.iter().zip(&parts).all(|(side, part)| side.holds(scale, part));
        holds.then_some(scale)
    }

    /// The body for a view: that of all data, unless the view has square cells in a larger one.
    pub fn body_of(&self, view: &View) -> PxSize {
        let is_whole = self.sides()[0].is_whole(&view.x) && self.sides()[1].is_whole(&view.y);
        let scale = self.scale(view).filter(|_| !is_whole);
        scale.map_or(self.base, |scale| self.body(scale))
    }
}

impl Side {
    fn is_whole(&self, part: &Part) -> bool {
        (part.len() - self.cells).abs() <= 1e-9 * self.cells
    }

    fn pixels(&self, scale: f64) -> f64 {
        (self.cells * scale).round().clamp(self.base, self.most)
    }

    /// `None` where all cells fill the side.
    fn length(&self, scale: f64) -> Option<f64> {
        let wanted = self.cells * scale;
        let side = if wanted >= self.most {
            self.most
        } else if wanted <= self.base {
            self.base
        } else {
            return None;
        };
        ((side - wanted).abs() > 1e-9 * side).then(|| side / scale)
    }

    /// Pixels of a cell of a part; `None` for the whole side, which does not tell.
    fn scale(&self, part: &Part) -> Option<f64> {
        let side = if part.len() < self.cells { self.most } else { self.base };
        (!self.is_whole(part)).then(|| side / part.len())
    }

    /// Whether a part has cells of this many pixels along this side, whole pixels allowed for.
    fn holds(&self, scale: f64, part: &Part) -> bool {
        if self.is_whole(part) {
            return (self.cells * scale - self.pixels(scale)).abs() <= 1.0;
        }
        let length = self.length(scale).unwrap_or(self.cells);
        (length - part.len()).abs() <= 1e-6 * length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(base: (u32, u32), free: (u32, u32), cells: (f64, f64)) -> BodyRange {
        let size = |s: (u32, u32)| PxSize { w: s.0, h: s.1 };
        BodyRange::growing(size(base), size(free), cells)
    }

    fn view(x: f64, y: f64) -> View {
        View::whole(x, y)
    }

    #[test]
    fn larger_cells_take_the_free_room() {
        let range = range((300, 600), (1000, 610), (50.0, 100.0));
        assert_eq!((range.most.w, range.most.h), (1000, 600), "along one side alone");
        let of = |scale: f64| (range.body(scale).w, range.body(scale).h, range.lengths(scale));
        assert_eq!(range.whole_scale(), Some(6.0));
        assert_eq!(of(12.0), (600, 600, [None, Some(50.0)]));
        assert_eq!(of(20.0), (1000, 600, [None, Some(30.0)]));
        assert_eq!(of(25.0), (1000, 600, [Some(40.0), Some(24.0)]));
        // Smaller ones leave room around the data.
        assert_eq!(of(3.0), (300, 600, [Some(100.0), Some(200.0)]));
        assert_eq!(range.body_of(&view(50.0, 50.0)), range.body(12.0));
        assert_eq!(range.body_of(&view(40.0, 24.0)), range.body(25.0));
        assert_eq!(range.body_of(&view(100.0, 200.0)), range.base);
        assert_eq!(range.body_of(&view(50.0, 100.0)), range.base);
        // Cells that are not square in any of the bodies stay in that of all data.
        assert_eq!((range.scale(&view(10.0, 90.0)), range.body_of(&view(10.0, 90.0))), (None, range.base));
    }

    #[test]
    fn a_body_that_is_not_of_all_data_does_not_grow() {
        let thick = range((600, 20), (600, 400), (600.0, 1.0));
        assert_eq!((thick.most, thick.whole_scale()), (thick.base, None));
        assert_eq!(range((0, 20), (600, 400), (60.0, 10.0)).most.w, 0);
    }

    #[test]
    fn the_view_at_any_size_of_cells_has_that_body() {
        let mut seed = 7u64;
        let mut random = |from: f64, to: f64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from + (seed >> 11) as f64 / (1u64 << 53) as f64 * (to - from)
        };
        for _ in 0..20_000 {
            let cells = (random(1.0, 3000.0).floor(), random(1.0, 3000.0).floor());
            let (w, h) = (random(30.0, 1500.0), random(30.0, 1500.0));
            let cell = (w / cells.0).min(h / cells.1);
            let cell = if cell >= 4.0 { cell.floor() } else { cell };
            let base = ((cells.0 * cell).floor().max(1.0), (cells.1 * cell).floor().max(1.0));
            let range = range((base.0 as u32, base.1 as u32), (w as u32, h as u32), cells);
            let Some(whole) = range.whole_scale() else {
                continue;
            };
            let scale = whole * random(0.0, 12.0).exp2();
            let lengths = range.lengths(scale);
            let shown = view(lengths[0].unwrap_or(cells.0), lengths[1].unwrap_or(cells.1));
            if range.sides()[0].is_whole(&shown.x) && range.sides()[1].is_whole(&shown.y) {
                continue;
            }
            assert_eq!(range.body_of(&shown), range.body(scale), "{range:?} at {scale}");
            let again = range.scale(&shown).unwrap();
            assert!((again - scale).abs() <= 1e-9 * scale, "{range:?} at {scale}, not {again}");
        }
    }
}
