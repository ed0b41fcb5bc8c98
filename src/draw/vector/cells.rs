//! Bodies and colour bars as rectangles on whole pixels, and the patterns of states as polygons.

use crate::scene::Cells;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::{BACKGROUND, Grid, State};
use gridscope_core::scale::{ColorScale, Fill, Pattern};
use std::borrow::Cow;

/// How far a rectangle reaches below its neighbours, in pixels; at most to their middle. Viewers that smooth edges by a grid of
/// samples, as Ghostscript does by 4 x 4 to a pixel, show the page between rectangles that overlap by less than a sample.
const UNDER: f64 = 2.0;

/// Pixels that show one cell, along one side of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellRun {
    from: u32,
    to: u32,
    cell: usize,
}

/// The cells along one side, in the order of their pixels; gaps are left out.
fn runs(spans: &[[u32; 2]]) -> Vec<CellRun> {
    let mut out: Vec<CellRun> = Vec::new();
    for (i, span) in (0..).zip(spans) {
        let cell = span[0] as usize;
        match out.last_mut() {
            _ if span[0] == span[1] => {}
            Some(run) if run.to == i && run.cell == cell => run.to += 1,
            _ => out.push(CellRun { from: i, to: i + 1, cell }),
        }
    }
    out
}

/// How many rectangles a body has.
pub(super) fn count(c: &Cells) -> usize {
    runs(c.columns.spans()).len() * runs(c.rows.spans()).len()
}

/// A body's cells.
#[derive(Debug)]
pub(super) struct Rectangles {
    /// Their colours, row after row; of a cell with a pattern what lies under it.
    pub grounds: Vec<(Rect, Color)>,
    /// Patterns over them, and where.
    pub patterns: Vec<(Fill, Vec<Rect>)>,
}

/// The rectangles of a body whose pixels cover one cell or less.
pub(super) fn rectangles(c: &Cells, grid: &Grid) -> Rectangles {
    let (columns, rows) = (runs(c.columns.spans()), runs(c.rows.spans()));
    let (across, down) = (c.columns.shown(), c.rows.shown());
    let (all, width) = match &c.summaries {
        Some(s) => (Cow::Owned(c.shown(s, 0..s.len())), c.body.w as usize),
        None => (c.cell_bits(grid, down.clone(), across.clone()), across.len()),
    };
    let bits = |x: &CellRun, y: &CellRun| match &c.summaries {
        Some(_) => all[y.from as usize * width + x.from as usize],
        None => all[(y.cell - down.start) * width + x.cell - across.start],
    };
    let fill = |bits: u32| State::of_bits(bits).map(|s| c.scale.fills()[s.index()]);
    let color = |bits: u32| match fill(bits) {
        _ if bits == BACKGROUND => Color::CLEAR,
        Some(fill) => fill.color,
        None => c.scale.lut()[c.scale.index(bits)],
    };
    // Only what is painted over it hides where a rectangle reaches.
    let hides = |x: Option<&CellRun>, y: Option<&CellRun>| {
        x.zip(y).is_some_and(|(x, y)| color(bits(x, y)).alpha() == 255)
    };
    let mut out = Rectangles { grounds: Vec::new(), patterns: Vec::new() };
    for (j, y) in rows.iter().enumerate() {
        let under = rows.get(j + 1).filter(|n| n.from == y.to);
        for (i, x) in columns.iter().enumerate() {
            let next = columns.get(i + 1).filter(|n| n.from == x.to);
            let bits = bits(x, y);
            if bits == BACKGROUND {
                continue;
            }
            let rect = PxRect {
                x: c.body.x + x.from as i32,
                y: c.body.y + y.from as i32,
                w: x.to - x.from,
                h: y.to - y.from,
            }
            .rect();
            let color = color(bits);
            if color.alpha() > 0 {
                let (beside, below) = (hides(next, Some(y)), hides(Some(x), under));
                // The corner lies under a third one, and must not show where that one paints nothing.
                let below = below && (!beside || hides(next, under));
                let length = |of: Option<&CellRun>, is_under: bool| {
                    of.filter(|_| is_under).map_or(0, |r| r.to - r.from)
                };
                out.grounds.push((reaching(rect, color, length(next, beside), length(under, below)), color));
            }
            if let Some(fill) = fill(bits).filter(|f| f.pattern != Pattern::Solid) {
                match out.patterns.iter_mut().find(|p| p.0 == fill) {
                    Some(p) => p.1.push(rect),
                    None => out.patterns.push((fill, vec![rect])),
                }
            }
        }
    }
    out
}

/// A rectangle that reaches below its neighbours, which have these lengths.
fn reaching(rect: Rect, color: Color, beside: u32, below: u32) -> Rect {
    // Translucent colours would show where they overlap.
    let by = |length: u32| if color.alpha() == 255 { UNDER.min(f64::from(length) / 2.0) } else { 0.0 };
    Rect { w: rect.w + by(beside), h: rect.h + by(below), ..rect }
}

/// The inside of a colour bar: a rectangle for each colour.
pub(super) fn ramp(rect: &PxRect, scale: &ColorScale, horizontal: bool) -> Vec<(Rect, Color)> {
    let length = if horizontal { rect.w } else { rect.h };
    let color = |i: u32| scale.ramp(if horizontal { i } else { length - 1 - i }, length);
    let ends = (1..=length).filter(|&i| i == length || color(i) != color(i - 1));
    let (mut out, mut from) = (Vec::new(), 0);
    let mut ends = ends.peekable();
    while let Some(end) = ends.next() {
        let (at, n) = (from as i32, end - from);
        let part = if horizontal {
            PxRect { x: rect.x + at, w: n, ..*rect }
        } else {
            PxRect { y: rect.y + at, h: n, ..*rect }
        };
        let next = ends.peek().map_or(0, |after| after - end);
        let [beside, below] = if horizontal { [next, 0] } else { [0, next] };
        out.push((reaching(part.rect(), color(from), beside, below), color(from)));
        from = end;
    }
    out
}

/// A pattern as shapes of which only what lies in all of `bands` too is seen; without a band all is.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub polygons: Vec<Vec<Point>>,
    pub bands: Vec<Rect>,
}

/// The shapes of a pattern, in steps of `unit` pixels from the body's corner, about the rectangles `within`. They reach
/// beyond them.
pub(super) fn shapes(pattern: Pattern, unit: u32, body: &PxRect, within: &[Rect]) -> Shapes {
    let Some(all) = within.iter().copied().reduce(|a, b| a.union(&b)) else {
        return Shapes::default();
    };
    let (left, top, unit) = (f64::from(body.x), f64::from(body.y), f64::from(unit.max(1)));
    let (x0, y0) = (all.x - left, all.y - top);
    let (x1, y1) = (x0 + all.w, y0 + all.h);
    match pattern {
        Pattern::Solid => Shapes::default(),
        Pattern::Hatch => {
            // Pixels (x, y) with (x + y) mod 6 units below one unit: their middles lie half a pixel further along both sides.
            let stripes =
                ((x0 + y0) / (6.0 * unit)).floor() as i64 - 1..=((x1 + y1) / (6.0 * unit)).ceil() as i64;
            let stripe = |k: i64| {
                let from = 6.0 * unit * k as f64 + 0.5;
                let to = from + unit;
                [(from - y0, y0), (to - y0, y0), (to - y1, y1), (from - y1, y1)]
            };
            let met = stripes.map(stripe).filter(|s| s[1].0 > x0 && s[3].0 < x1);
            let polygons = met.map(|s| s.map(|(x, y)| Point { x: x + left, y: y + top }).to_vec()).collect();
            Shapes { polygons, bands: Vec::new() }
        }
        Pattern::Dots => {
            // As columns seen through rows: as many shapes as there are pixels along the sides, not in the area.
            let step = 4.0 * unit;
            let places = |from: f64, to: f64| {
                ((from / step).floor() as i64..(to / step).ceil() as i64).map(move |k| k as f64 * step)
            };
            let columns = places(x0, x1).map(|x| Rect::new(left + x, all.y, unit, all.h));
            let rows = places(y0, y1).map(|y| Rect::new(all.x, top + y, all.w, unit));
            let corners =
                |r: Rect| [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())];
            let polygons = columns.map(|r| corners(r).map(|(x, y)| Point { x, y }).to_vec()).collect();
            Shapes { polygons, bands: rows.collect() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::edges;
    use crate::render::{Capacity, bare};
    use gridscope_core::geom::PxSize;

    #[test]
    fn rectangles_reach_only_below_what_hides_them() {
        let mut grid = Grid::from_rows(2, 3, (0..6).map(f64::from).collect()).unwrap();
        grid.set_state(1, 2, State::Absent);
        let mut figure = gridscope_core::figure::Figure::default();
        figure.color.absent = Some("#00000000".parse().unwrap());
        let bare = bare(&figure, &grid, PxSize { w: 30, h: 20 }, Capacity::default(), None).unwrap();
        let [crate::scene::Item::Cells(c)] = bare.scene.items.as_slice() else { panic!("a body") };
        let sizes: Vec<(f64, f64)> = rectangles(c, &grid).grounds.iter().map(|g| (g.0.w, g.0.h)).collect();
        let (whole, more) = (10.0, 12.0);
        assert_eq!(sizes, [(more, more), (more, whole), (whole, whole), (more, whole), (whole, whole)]);
    }

    #[test]
    fn runs_are_cells_and_gaps_are_none() {
        let run = |from, to, cell| CellRun { from, to, cell };
        assert_eq!(
            runs(&[[0, 1], [0, 1], [0, 0], [1, 2], [2, 3]]),
            [run(0, 2, 0), run(3, 4, 1), run(4, 5, 2)]
        );
        assert_eq!(runs(&[[1, 2], [0, 1], [0, 1]]), [run(0, 1, 1), run(1, 3, 0)]);
    }

    /// Whether polygons cover the middles of the very pixels that the pattern inks.
    fn agrees(pattern: Pattern, unit: u32) {
        let body = PxRect { x: 13, y: 7, w: 60, h: 40 };
        let fill = Fill { color: Color::WHITE, pattern, ink: Color::BLACK };
        let Shapes { polygons, bands } = shapes(pattern, unit, &body, &[body.rect()]);
        let in_band = |y: f64| bands.is_empty() || bands.iter().any(|b| b.y < y && y < b.bottom());
        let inside = |p: &Vec<Point>, x: f64, y: f64| {
            edges(p).iter().all(|e| f64::from(e[0]) * x + f64::from(e[1]) * y + f64::from(e[2]) > 0.0)
        };
        for y in 0..body.h {
            for x in 0..body.w {
                let (px, py) =
                    (f64::from(body.x) + f64::from(x) + 0.5, f64::from(body.y) + f64::from(y) + 0.5);
                let inked = fill.color_at(x, y, unit) == Color::BLACK;
                assert_eq!(
                    in_band(py) && polygons.iter().any(|p| inside(p, px, py)),
                    inked,
                    "{pattern:?} {unit}: {x}, {y}"
                );
            }
        }
    }

    #[test]
    fn polygons_ink_the_pixels_of_the_pattern() {
        for unit in [1, 2, 3, 5] {
            agrees(Pattern::Hatch, unit);
            agrees(Pattern::Dots, unit);
        }
    }

    #[test]
    fn shapes_grow_with_the_sides_of_a_body() {
        let body = PxRect { x: 0, y: 0, w: 4000, h: 2000 };
        let Shapes { polygons, bands } = shapes(Pattern::Dots, 1, &body, &[body.rect()]);
        assert_eq!((polygons.len(), bands.len()), (1000, 500));
        assert!(shapes(Pattern::Dots, 1, &body, &[]).polygons.is_empty());
    }
}
