//! The size of the largest body, and the bodies that a panel of square cells may have: that of all data, and larger ones that
//!  show a part.

use super::measure::LABEL_SHARE;
use super::page::{Page, PanelPage};
use super::places::{CellSize, whole};
use super::track::{table, track};
use crate::resolve::{Frame, ResolveError, ShortSide};
use gridscope_core::geom::PxSize;
use gridscope_core::image::MOST_SIDE;
use gridscope_core::view::{Part, View};
use std::borrow::Cow;

/// The distance of row labels in em at which they do not meet.
const LINE_OF_LABELS: f64 = 1.06;
/// Up to this many rows keep this distance whatever the height of the page becomes.
const FEW_ROWS: f64 = 12.0;
/// The least width of a body in pixels.
const NARROWEST: f64 = 8.0;

/// The most that a body of automatic height is wider than high. Twenty columns of six square cells are not a strip.
const FLATTEST: f64 = 3.5;
/// The most that its cells are higher than wide for that.
const STEEPEST: f64 = 6.0;
/// The least em of such a body with a bar at the right, which has room for a few labels.
const THINNEST: f64 = 11.0;
/// The most em of a row for that, and the most as a share of the body's width: a single row is not a strip either.
const HIGHEST_ROW: (f64, f64) = (10.0, 0.24);

/// The share of a slot's width or height that a body takes where it can.
const SLOT_SHARE: f64 = 0.63;

/// The width and height of the largest body in whole pixels.
pub(super) fn slots(frame: &Frame, page: &Page, f: f64) -> Result<(u32, u32), ResolveError> {
    let (c, r) = page.shapes.bodies(&page.places);
    let free = (page.width - page.around_x()) / c;
    let (wide, high) = (page.shapes.wide, page.shapes.high);
    if free < NARROWEST {
        return Err(small(frame, ShortSide::Width, page.width, (NARROWEST - free) * c));
    }
    let cell = whole(free / wide);
    let labelled = frame.panels.iter().any(|p| !p.rows.levels.is_empty());
    // Bodies of an automatic height end at a page.
    let room = (frame.height.unwrap_or(page.tallest) - page.around_y()) / r;
    let mut height = match frame.height {
        Some(_) => room,
        None if page.shapes.size == CellSize::OwnSquare => {
            let most = (1.3 * page.width / r).min(room).max(2.0 * f);
            let tall = |c: &(f64, f64)| (free / c.0 * c.1).min(most);
            page.shapes.cells.iter().map(tall).fold(1.0, f64::max)
        }
        None if frame.square => cell.min((1.3 * page.width / r).min(room).max(1e-6) / high) * high,
        None => {
            // Labels need rows as high as a line. Rows are lower if the table would exceed three quarters of the width.
            let least = if labelled { 1.25 * f } else { 1.0 };
            let cap = 0.75 * page.width / r;
            let tallest = (1.3 * page.width / r).min(room);
            // A few labels are not left out for the sake of a page where the figure says how panels are arranged.
            let labels = if frame.columns.is_some() && labelled && high <= FEW_ROWS {
                (LINE_OF_LABELS * f).ceil() * high
            } else {
                0.0
            };
            // A body is not a strip unless cells would be much higher than wide.
            let highest = (HIGHEST_ROW.0 * f).max(HIGHEST_ROW.1 * free);
            let thick = (free / FLATTEST / high).min((STEEPEST * cell).max(highest));
            // Its bar has room for a few labels unless rows would be much higher than their own.
            let barred = if page.right_bars { (THINNEST * f / high).min(highest) } else { 0.0 };
            // Between long labels, a body that is narrow in its slot takes the larger part of the height.
            let is_narrow = cell * wide * c < SLOT_SHARE * page.width;
            let filled = if is_narrow {
                (SLOT_SHARE / (1.0 - SLOT_SHARE) * page.around_y() / r / high).min(highest)
            } else {
                0.0
            };
            let row = cell
                .min((cap / high).max(least))
                .max(least)
                .max(thick.max(barred).max(filled))
                .min(tallest.max(2.0 * f).max(labels) / high);
            whole(row) * high
        }
    };
    // The height that the end of this function returns at least.
    let least = if frame.square { 8.0 } else { 2.0 * f };
    if height < least
        && let Some(given) = frame.height
    {
        return Err(small(frame, ShortSide::Height, given, (least - height) * r));
    }
    let mut width = free;
    if frame.square && page.shapes.size == CellSize::Shared {
        let cell = whole((free / wide).min(height / high));
        (width, height) = (cell * wide, cell * high);
        // A single row or column of square cells would be very thin, so it gets a readable thickness; on a page of given height
        // that of its label, so that square cells fit a low window.
        let thick = if frame.height.is_some() { f } else { 2.0 * f };
        let most = if frame.height.is_some() { room } else { f64::MAX };
        (width, height) = (width.max(thick).min(free), height.max(thick).min(most));
    }
    Ok((
        width.floor().max(1.0) as u32,
        height.max(if frame.square { 1.0 } else { 2.0 * f }).min(MOST_SIDE.into()).floor() as u32,
    ))
}

/// A canvas that lacks `need` pixels of its `given` ones along a side.
fn small(frame: &Frame, side: ShortSide, given: f64, need: f64) -> ResolveError {
    // Labels take their share of what is added, and more of them have room in a larger canvas.
    let lacks = need / (1.0 - LABEL_SHARE);
    let would_do = ((given + lacks) * 1.1 / frame.dpi * 10.0).ceil() / 10.0;
    let (key, what) = match side {
        ShortSide::Width => ("width", "narrow"),
        ShortSide::Height => ("height", "low"),
    };
    ResolveError::Small {
        side,
        lacks,
        what: format!("{given:.0} px is too {what} for these labels: about {lacks:.0} px more are needed"),
        hint: format!("--{key} {would_do:.1}in"),
    }
}

/// Computes the edge tables of all panels.
pub(super) fn tables(frame: &Frame, page: &mut Page) {
    for (i, (p, panel)) in page.panels.iter_mut().zip(&frame.panels).enumerate() {
        let (w, h) = page.shapes.room(i, page.slot);
        p.columns = table(&panel.columns, w, frame.x.true_spacing);
        p.rows = table(&panel.rows, h, frame.y.true_spacing);
        if frame.leftward {
            p.columns = p.columns.clone().reversed();
        }
        if frame.lower {
            p.rows = p.rows.clone().reversed();
        }
    }
    // The slot shrinks to the largest body, which whole cells have made smaller.
    let most = |size: fn(&PanelPage) -> u32| page.panels.iter().map(size).max().unwrap_or(1);
    page.slot = (most(|p| p.columns.pixels()), most(|p| p.rows.pixels()));
}

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
struct BodySide {
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

    fn sides(&self) -> [BodySide; 2] {
        let side = |base: u32, most: u32, cells: f64| BodySide {
            base: f64::from(base),
            most: f64::from(most),
            cells,
        };
        [side(self.base.w, self.most.w, self.cells.0), side(self.base.h, self.most.h, self.cells.1)]
    }

    /// Pixels of a cell where all data are shown; `None` where their cells are not square, whole pixels allowed for.
    pub fn whole_scale(&self) -> Option<f64> {
        let [x, y] = self.sides();
        // The sizes of a cell at which a side has these pixels.
        let least = |side: BodySide| (side.base - 1.0) / side.cells;
        let most = |side: BodySide| (side.base + 1.0) / side.cells;
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

impl BodySide {
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

/// The bodies that a panel may have on a page.
pub(super) fn range(frame: &Frame, page: &Page, panel: usize) -> BodyRange {
    let (spec, at) = (&frame.panels[panel], &page.panels[panel]);
    let base = PxSize { w: at.columns.pixels(), h: at.rows.pixels() };
    let spaced = (frame.x.true_spacing, frame.y.true_spacing);
    let cells = (track(&spec.columns, spaced.0).length(), track(&spec.rows, spaced.1).length());
    if !frame.square || frame.aspect != 1.0 || spaced != (false, false) {
        return BodyRange::fixed(base, cells);
    }
    // What centring would leave beside the content, shared by all columns and rows of panels.
    let share = |page: f64, content: f64, by: usize| ((page - content) / by as f64).max(0.0);
    let (row, column) = (page.places.row(panel), page.places.column(panel));
    let free = PxSize {
        w: (page.widest_body(column) + share(page.width, page.content_width(), page.columns)) as u32,
        h: (page.tallest_body(row) + share(page.height, page.content_height(), page.rows())) as u32,
    };
    BodyRange::growing(base, free, cells)
}

/// The page with the bodies of the parts that its panels show.
pub(super) fn grown<'a>(frame: &Frame, page: &'a Page, ranges: &[BodyRange]) -> Cow<'a, Page> {
    let mut page = Cow::Borrowed(page);
    for (i, (range, panel)) in ranges.iter().zip(&frame.panels).enumerate() {
        let whole = |part: Option<Part>, length: f64| part.unwrap_or(Part::whole(length));
        let view = View { x: whole(panel.part_x, range.cells.0), y: whole(panel.part_y, range.cells.1) };
        let body = range.body_of(&view);
        if body == range.base {
            continue;
        }
        let at = &mut page.to_mut().panels[i];
        at.resized = [body.w != range.base.w, body.h != range.base.h];
        if at.resized[0] {
            let track = track(&panel.columns, false);
            at.columns = track.table(track.whole(), body.w);
            if frame.leftward {
                at.columns = at.columns.clone().reversed();
            }
        }
        if at.resized[1] {
            let track = track(&panel.rows, false);
            at.rows = track.table(track.whole(), body.h);
            if frame.lower {
                at.rows = at.rows.clone().reversed();
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

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
        let mut r = Random(7);
        let mut random = |from: f64, to: f64| from + r.unit() * (to - from);
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
