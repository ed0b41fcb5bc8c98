//! Bodies and colour bars as rectangles on whole pixels.

use crate::scene::Cells;
use gridscope_core::color::Color;
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::grid::{BACKGROUND, Grid, State};
use gridscope_core::scale::{ColorScale, Fill, Pattern};
use std::borrow::Cow;

/// How far a rectangle reaches below its neighbours, in pixels.
const UNDER: f64 = 0.5;

/// Pixels that show one cell, along one side of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    from: u32,
    to: u32,
    cell: usize,
}

/// The cells along one side, in the order of their pixels; gaps are left out.
fn runs(spans: &[[u32; 2]]) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for (i, span) in (0..).zip(spans) {
        let cell = span[0] as usize;
        match out.last_mut() {
            _ if span[0] == span[1] => {}
            Some(run) if run.to == i && run.cell == cell => run.to += 1,
            _ => out.push(Run { from: i, to: i + 1, cell }),
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
    let bits = |x: &Run, y: &Run| match &c.summaries {
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
    let hides =
        |x: Option<&Run>, y: Option<&Run>| x.zip(y).is_some_and(|(x, y)| color(bits(x, y)).alpha() == 255);
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
                out.grounds.push((reaching(rect, color, beside, below), color));
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

fn reaching(rect: Rect, color: Color, beside: bool, below: bool) -> Rect {
    // Translucent colours would show where they overlap.
    let by = |on: bool| if on && color.alpha() == 255 { UNDER } else { 0.0 };
    Rect { w: rect.w + by(beside), h: rect.h + by(below), ..rect }
}

/// The inside of a colour bar: a rectangle for each colour.
pub(super) fn ramp(rect: &PxRect, scale: &ColorScale, horizontal: bool) -> Vec<(Rect, Color)> {
    let length = if horizontal { rect.w } else { rect.h };
    let color = |i: u32| scale.ramp(if horizontal { i } else { length - 1 - i }, length);
    let (mut out, mut from) = (Vec::new(), 0);
    for i in 1..=length {
        if i < length && color(i) == color(from) {
            continue;
        }
        let (at, n) = (from as i32, i - from);
        let part = if horizontal {
            PxRect { x: rect.x + at, w: n, ..*rect }
        } else {
            PxRect { y: rect.y + at, h: n, ..*rect }
        };
        let more = i < length;
        out.push((reaching(part.rect(), color(from), more && horizontal, more && !horizontal), color(from)));
        from = i;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let (whole, more) = (10.0, 10.5);
        assert_eq!(sizes, [(more, more), (more, whole), (whole, whole), (more, whole), (whole, whole)]);
    }

    #[test]
    fn runs_are_cells_and_gaps_are_none() {
        let run = |from, to, cell| Run { from, to, cell };
        assert_eq!(
            runs(&[[0, 1], [0, 1], [0, 0], [1, 2], [2, 3]]),
            [run(0, 2, 0), run(3, 4, 1), run(4, 5, 2)]
        );
        assert_eq!(runs(&[[1, 2], [0, 1], [0, 1]]), [run(0, 1, 1), run(1, 3, 0)]);
    }
}
