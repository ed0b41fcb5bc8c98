//! Hatches over places of a body, lines over cells of few rows, and the background over cells that a mask hides.

use super::annotations::cell;
use super::{Cells, Item};
use crate::layout::PanelLayout;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::{Grid, State};
use gridscope_core::scale::{ColorScale, Fill, Pattern};
use gridscope_core::text::Measure;
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// A place that is hatched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Where.
    pub rect: Rect,
    /// The colour of its lines.
    pub ink: Color,
    /// Hole for a text, where the lines beside it are enough to be seen.
    pub hole: Option<Rect>,
}

/// How lines are drawn, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    /// From line to line, square to them.
    pub step: f64,
    /// Thickness of a line.
    pub width: f64,
    /// From left to right; otherwise lines fall.
    pub rises: bool,
}

/// The least share of a patch's lines that is left beside a hole.
const LEAST_LEFT: f64 = 0.35;

/// Stretches of lines by line and ink: from and to along x.
type Stretches = BTreeMap<(i64, [u8; 4]), Vec<(f64, f64)>>;

/// Hatches places.
pub(super) fn hatch(patches: &[Patch], pen: Pen, items: &mut Vec<Item>) {
    let mut all = Stretches::new();
    // Rising lines are falling ones in a mirror.
    let sign = if pen.rises { -1.0 } else { 1.0 };
    let mirrored = |r: Rect| match pen.rises {
        true => Rect::new(r.x, -r.bottom(), r.w, r.h),
        false => r,
    };
    for patch in patches {
        let patch = Patch { rect: mirrored(patch.rect), ink: patch.ink, hole: patch.hole.map(mirrored) };
        lines(&patch, pen, &mut all);
    }
    for ((line, [r, g, b, a]), mut stretches) in all {
        stretches.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let offset = line as f64 * pen.step * SQRT_2;
        let mut put = |(from, to): (f64, f64)| {
            // Square ends stay within the places.
            let inset = pen.width / 2.0 * FRAC_1_SQRT_2;
            let at = |x: f64| Point { x, y: sign * (x - offset) };
            if to - from > 2.0 * inset + 0.5 {
                items.push(Item::Line {
                    from: at(from + inset),
                    to: at(to - inset),
                    width: pen.width,
                    color: Color::rgba_of(r, g, b, a),
                });
            }
        };
        // What meets is one line: two ends would show.
        let last = stretches.into_iter().reduce(|one, next| {
            if next.0 - one.1 < 0.01 {
                (one.0, one.1.max(next.1))
            } else {
                put(one);
                next
            }
        });
        if let Some(last) = last {
            put(last);
        }
    }
}

/// Adds the stretches of one place. Line `k` is where x - y = k * step * sqrt(2).
fn lines(patch: &Patch, pen: Pen, all: &mut Stretches) {
    let r = &patch.rect;
    let apart = pen.step * SQRT_2;
    let within = |rect: &Rect, offset: f64| {
        let (from, to) = (rect.x.max(rect.y + offset), rect.right().min(rect.bottom() + offset));
        (from < to).then_some((from, to))
    };
    let first = ((r.x - r.bottom()) / apart).ceil() as i64;
    let end = ((r.right() - r.y) / apart).floor() as i64;
    let whole = (first..=end).filter_map(|k| Some((k, within(r, k as f64 * apart)?)));
    let whole: Vec<(i64, (f64, f64))> = whole.collect();
    let length = |list: &[(i64, (f64, f64))]| list.iter().map(|(_, (from, to))| to - from).sum::<f64>();
    let beside = patch.hole.map(|hole| {
        let cut = |&(k, (from, to)): &(i64, (f64, f64))| match within(&hole, k as f64 * apart) {
            Some((a, b)) => [(k, (from, a.min(to))), (k, (b.max(from), to))],
            None => [(k, (from, to)), (k, (to, to))],
        };
        whole.iter().flat_map(cut).filter(|(_, (from, to))| from < to).collect::<Vec<_>>()
    });
    let drawn = beside.filter(|left| length(left) >= LEAST_LEFT * length(&whole)).unwrap_or(whole);
    for (k, stretch) in drawn {
        all.entry((k, patch.ink.rgba())).or_default().push(stretch);
    }
}

/// Covers the hidden cells of a panel, a rectangle for each run in a row. Where pixels cover several cells nothing is covered.
pub(super) fn cover(
    p: &PanelLayout,
    grid: &Grid,
    scale: &ColorScale,
    background: Color,
    items: &mut Vec<Item>,
) {
    let plain = Fill { color: background, pattern: Pattern::Solid, ink: background };
    let differs = |s: &State| grid.hidden_cells(*s) > 0 && scale.spec().fills[s.index()] != plain;
    if p.reduces() || !State::ALL.iter().any(differs) {
        return;
    }
    let body = p.body.rect();
    for row in p.rows.shown() {
        let (top, bottom) = p.rows.extent(row);
        let mut run: Option<(f64, f64)> = None;
        let mut end = |run: &mut Option<(f64, f64)>| {
            if let Some((from, to)) = run.take() {
                items.push(Item::Rect {
                    rect: Rect::new(body.x + from, body.y + top, to - from, bottom - top),
                    color: background,
                });
            }
        };
        for column in p.columns.shown() {
            let (from, to) = p.columns.extent(column);
            let is_next = run.is_some_and(|(_, last)| (last - from).abs() < 0.5);
            if !grid.is_hidden(row, column) {
                end(&mut run);
            } else if is_next {
                run = run.map(|(first, _)| (first, to));
            } else {
                end(&mut run);
                run = Some((from, to));
            }
        }
        end(&mut run);
    }
}

/// The lines of a canvas of `dpi` pixels per inch: thin, and far enough apart for the colour between them.
pub(super) fn pen(dpi: f64) -> Pen {
    let point = dpi / 72.0;
    Pen { step: (4.2 * point).max(4.0), width: (0.55 * point).max(0.7), rises: false }
}

/// Hatches the cells of a panel that have few rows, and leaves their `texts` free. Of pixels that cover several cells those are
/// hatched whose cells with a value are all of few rows.
pub(super) fn thin_cells(
    p: &PanelLayout,
    cells: &Cells,
    grid: &Grid,
    pen: Pen,
    texts: &[Item],
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    if grid.thin_cells().is_none_or(|n| n == 0) {
        return;
    }
    let patches = if p.reduces() {
        thin_pixels(p, cells, grid)
    } else {
        let texts = by_cell(p, texts, m);
        patches(p, &cells.scale, grid, &texts)
    };
    hatch(&patches, pen, items);
}

/// A swatch as a thin cell in the upper half of a scale, whose middle may be as pale as the canvas.
pub(super) fn swatch(rect: &PxRect, scale: &ColorScale, pen: Pen, items: &mut Vec<Item>) {
    let ground = scale.lut()[scale.lut().len() * 3 / 4];
    items.push(Item::Rect { rect: rect.rect(), color: ground });
    let patch = Patch { rect: rect.rect(), ink: ground.ink(), hole: None };
    hatch(&[patch], pen, items);
}

/// The thin cells of a body whose cells are at least a pixel.
fn patches(
    p: &PanelLayout,
    scale: &ColorScale,
    grid: &Grid,
    texts: &HashMap<(usize, usize), Rect>,
) -> Vec<Patch> {
    let body = p.body.rect();
    let places = p.rows.shown().flat_map(|row| p.columns.shown().map(move |column| (row, column)));
    let patch = |(row, column): (usize, usize)| {
        let value = grid.at(row, column).value()?;
        let rect = grid.is_thin(row * grid.width() + column).then(|| cell(p, row, column))?;
        let (x, y) = (rect.x.max(body.x), rect.y.max(body.y));
        let (right, bottom) = (rect.right().min(body.right()), rect.bottom().min(body.bottom()));
        let seen = x < right && y < bottom;
        seen.then(|| Patch {
            rect: Rect::new(x, y, right - x, bottom - y),
            ink: ink(scale, scale.index_of(value)),
            hole: texts.get(&(row, column)).copied(),
        })
    };
    places.filter_map(patch).collect()
}

fn ink(scale: &ColorScale, index: usize) -> Color {
    scale.lut()[index].ink()
}

/// Rectangles of the texts of cells, by row and column.
pub(super) fn by_cell(p: &PanelLayout, texts: &[Item], m: &mut dyn Measure) -> HashMap<(usize, usize), Rect> {
    let mut out: HashMap<(usize, usize), Rect> = HashMap::new();
    for item in texts {
        let Item::Text { text, font_size, at, .. } = item else {
            continue;
        };
        let width = m.size(text, *font_size).width;
        let rect =
            Rect::new(at.x, at.y - 0.78 * font_size, width, font_size.to_owned()).grown(0.2 * font_size);
        let c = rect.center();
        let place = |table: &gridscope_core::view::EdgeTable, at: f64| {
            let span = (at >= 0.0).then(|| table.spans().get(at as usize)).flatten()?;
            (span[0] < span[1]).then_some(span[0] as usize)
        };
        let row = place(&p.rows, c.y - f64::from(p.body.y));
        let column = place(&p.columns, c.x - f64::from(p.body.x));
        if let Some(place) = row.zip(column) {
            out.entry(place).and_modify(|all| *all = all.union(&rect)).or_insert(rect);
        }
    }
    out
}

/// The thin pixels of a body whose pixels cover several cells, neighbours in a row of pixels together.
fn thin_pixels(p: &PanelLayout, cells: &Cells, grid: &Grid) -> Vec<Patch> {
    let Some(summaries) = cells.summaries_of(grid) else {
        return Vec::new();
    };
    let width = p.body.w as usize;
    let is_thin = |rows: &[u32; 2], columns: &[u32; 2]| {
        let mut any = false;
        for row in rows[0]..rows[1] {
            for column in columns[0]..columns[1] {
                let at = row as usize * grid.width() + column as usize;
                if State::of_bits(grid.cells()[at]).is_some() {
                    continue;
                }
                if !grid.is_thin(at) {
                    return false;
                }
                any = true;
            }
        }
        any
    };
    let mut out: Vec<Patch> = Vec::new();
    for (y, rows) in p.rows.spans().iter().enumerate() {
        let bits = cells.shown(&summaries, y * width..(y + 1) * width);
        for (x, columns) in p.columns.spans().iter().enumerate() {
            if State::of_bits(bits[x]).is_some() || !is_thin(rows, columns) {
                continue;
            }
            let ink = ink(&cells.scale, cells.scale.index(bits[x]));
            let rect = Rect::new(f64::from(p.body.x) + x as f64, f64::from(p.body.y) + y as f64, 1.0, 1.0);
            match out.last_mut() {
                Some(last) if last.ink == ink && last.rect.y == rect.y && last.rect.right() == rect.x => {
                    last.rect.w += 1.0;
                }
                _ => out.push(Patch { rect, ink, hole: None }),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEN: Pen = Pen { step: 5.0, width: 1.0, rises: false };

    fn drawn(patches: &[Patch]) -> Vec<(Point, Point)> {
        let mut items = Vec::new();
        hatch(patches, PEN, &mut items);
        let ends = |item: &Item| match item {
            Item::Line { from, to, .. } => (*from, *to),
            other => panic!("{other:?}"),
        };
        items.iter().map(ends).collect()
    }

    fn patch(x: f64, y: f64, ink: Color) -> Patch {
        Patch { rect: Rect::new(x, y, 20.0, 10.0), ink, hole: None }
    }

    #[test]
    fn lines_fall_and_stay_within_their_places() {
        for (x, y) in [(0.0, 0.0), (13.0, 7.0), (-40.5, 11.25)] {
            let place = patch(x, y, Color::BLACK);
            let lines = drawn(&[place]);
            assert!(lines.len() >= 3, "{lines:?}");
            for (from, to) in lines {
                assert!(from.x < to.x && (to.y - from.y - (to.x - from.x)).abs() < 1e-9);
                for p in [from, to] {
                    let half = PEN.width / 2.0 * FRAC_1_SQRT_2;
                    let around = Rect::new(p.x - half, p.y - half, 2.0 * half, 2.0 * half);
                    assert!(place.rect.contains(&around, 1e-9), "{p:?}");
                }
            }
        }
    }

    #[test]
    fn neighbours_of_one_ink_share_their_lines() {
        let (a, b) = (patch(0.0, 0.0, Color::BLACK), patch(20.0, 0.0, Color::BLACK));
        let wide = Patch { rect: Rect::new(0.0, 0.0, 40.0, 10.0), ..a };
        assert_eq!(drawn(&[b, a]), drawn(&[wide]));
        let other = patch(20.0, 0.0, Color::WHITE);
        assert!(drawn(&[a, other]).len() > drawn(&[wide]).len());
    }

    #[test]
    fn texts_are_left_free_where_lines_remain_beside_them() {
        let place = patch(0.0, 0.0, Color::BLACK);
        let hole = Rect::new(8.0, 3.0, 4.0, 4.0);
        let free = Patch { hole: Some(hole), ..place };
        for (from, to) in drawn(&[free]) {
            let middle = Point { x: f64::midpoint(from.x, to.x), y: f64::midpoint(from.y, to.y) };
            assert!(!hole.contains(&Rect::new(middle.x, middle.y, 0.0, 0.0), 0.0), "{middle:?}");
        }
        let full = Patch { hole: Some(place.rect), ..place };
        assert_eq!(drawn(&[full]), drawn(&[place]));
        assert!(drawn(&[]).is_empty());
    }
}
