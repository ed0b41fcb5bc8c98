//! The CPU back end: a Scene to an Image, byte for byte what the GPU's pictures are compared with.

use crate::scene::{Cells, Inset, Item, Scene};
use gridscope_core::color::{Color, blend};
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::{BACKGROUND, Grid, State, Summaries};
use gridscope_core::image::Image;
use gridscope_core::scale::ColorScale;
use gridscope_core::text::{Fonts, GlyphAt};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Draws a scene on the CPU; `grids` are those that its cells name, `fonts` those that measured its texts.
///
/// # Panics
/// When a grid that the scene names is missing, or the cells that the scene shows cannot be read: cells that stay in a source
/// are folded before, by [`scene()`](crate::rendered::scene()) or a session, which report what cannot be read.
pub fn draw(scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Image {
    let mut image = Image::filled(scene.size.w, scene.size.h, scene.background.unwrap_or(Color::CLEAR));
    paint(&mut image, &scene.base, grids, fonts);
    if let Some(Inset { rect, items }) = &scene.inset {
        let mut other = image.clone();
        paint(&mut other, items, grids, fonts);
        copy(&mut image, &other, rect);
    }
    paint(&mut image, &scene.items, grids, fonts);
    image
}

/// Copies a rectangle of an image onto another one of the same size, as far as it lies within.
fn copy(to: &mut Image, from: &Image, rect: &PxRect) {
    let side = |start: i32, length: u32, most: u32| {
        let end = i64::from(start) + i64::from(length);
        start.max(0) as usize..end.clamp(0, i64::from(most)) as usize
    };
    let columns = side(rect.x, rect.w, to.width);
    if columns.is_empty() {
        return;
    }
    for row in side(rect.y, rect.h, to.height) {
        let at = |column: usize| (row * from.width as usize + column) * 4;
        let bytes = at(columns.start)..at(columns.end);
        to.pixels[bytes.clone()].copy_from_slice(&from.pixels[bytes]);
    }
}

/// Paints items in their order.
fn paint(image: &mut Image, items: &[Item], grids: &[Grid], fonts: &mut Fonts) {
    let mut glyphs: Vec<GlyphAt> = Vec::new();
    for item in items {
        match item {
            Item::Rect { rect, color } => fill_rect(image, rect, *color),
            Item::Line { from, to, width, color } => {
                polygon(image, &line(*from, *to, *width), *color);
            }
            Item::Polygon { points, color } => polygon(image, points, *color),
            Item::Text { text, font_size, at, degrees, color } => {
                glyphs.clear();
                fonts.place(text, *font_size, at.x, at.y, *degrees, &mut glyphs);
                for g in &glyphs {
                    mask(image, fonts.mask(g.mask).width, &fonts.mask(g.mask).data, (g.x, g.y), *color);
                }
            }
            Item::Cells(c) => _ = cells(image, c, &grids[c.grid]),
            Item::Ramp { rect, scale, horizontal } => ramp(image, rect, scale, *horizontal),
        }
    }
}

/// Draws a body where it lies on an image; returns whether there are patterns of states in it.
///
/// # Panics
/// As [`draw`].
pub fn body_in_place(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
    cells(image, c, grid)
}

/// Draws a body alone, on an image of its size; returns whether there are patterns of states in it.
///
/// # Panics
/// As [`draw`].
pub fn body(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
    let alone = Cells { body: PxRect { x: 0, y: 0, ..c.body }, ..c.clone() };
    cells(image, &alone, grid)
}

/// Lays `color` over an image through a mask of coverages, whose first pixel lies at `at`.
fn mask(image: &mut Image, width: u32, data: &[u8], at: (i32, i32), color: Color) {
    let rgba = color.rgba();
    let (w, h) = (i64::from(image.width), i64::from(image.height));
    for (row, line) in data.chunks_exact(width.max(1) as usize).enumerate() {
        let y = i64::from(at.1) + row as i64;
        if y < 0 || y >= h {
            continue;
        }
        for (column, &coverage) in line.iter().enumerate() {
            let x = i64::from(at.0) + column as i64;
            if coverage > 0 && x >= 0 && x < w {
                let i = (y * w + x) as usize * 4;
                blend(&mut image.pixels[i..i + 4], rgba, coverage);
            }
        }
    }
}

/// The four corners of a line with butt ends.
pub fn line(from: Point, to: Point, width: f64) -> [Point; 4] {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let len = dx.hypot(dy).max(1e-9);
    let (nx, ny) = (-dy / len * width / 2.0, dx / len * width / 2.0);
    let at = |p: Point, s: f64| Point { x: p.x + s * nx, y: p.y + s * ny };
    [at(from, 1.0), at(to, 1.0), at(to, -1.0), at(from, -1.0)]
}

/// Fills a rectangle; edges between pixels are blended.
fn fill_rect(image: &mut Image, r: &Rect, color: Color) {
    let whole = [r.x, r.y, r.w, r.h].iter().all(|v| v.fract() == 0.0);
    if !whole || color.alpha() != 255 {
        let points = [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())]
            .map(|(x, y)| Point { x, y });
        return polygon(image, &points, color);
    }
    let clamp = |v: f64, most: u32| v.clamp(0.0, f64::from(most)) as usize;
    let (x0, x1) = (clamp(r.x, image.width), clamp(r.right(), image.width));
    let (y0, y1) = (clamp(r.y, image.height), clamp(r.bottom(), image.height));
    let stride = image.width as usize * 4;
    for y in y0..y1 {
        for p in image.pixels[y * stride + x0 * 4..y * stride + x1 * 4].chunks_exact_mut(4) {
            p.copy_from_slice(&color.rgba());
        }
    }
}

/// Fills a convex polygon. A pixel's coverage is how deep its centre lies behind the nearest edge, plus a half:
/// the same rule as in shapes.wgsl.
fn polygon(image: &mut Image, points: &[Point], color: Color) {
    let edges = edges(points);
    let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for p in points {
        (x0, y0, x1, y1) = (x0.min(p.x), y0.min(p.y), x1.max(p.x), y1.max(p.y));
    }
    let clamp = |v: f64, most: u32| v.clamp(0.0, f64::from(most)) as u32;
    let (x0, x1) = (clamp((x0 - 0.5).floor(), image.width), clamp((x1 + 0.5).ceil(), image.width));
    let (y0, y1) = (clamp((y0 - 0.5).floor(), image.height), clamp((y1 + 0.5).ceil(), image.height));
    for y in y0..y1 {
        for x in x0..x1 {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let depth = edges.iter().map(|e| e[0] * px + e[1] * py + e[2]).fold(f32::MAX, f32::min);
            let coverage = (depth + 0.5).clamp(0.0, 1.0);
            let i = (y as usize * image.width as usize + x as usize) * 4;
            blend(&mut image.pixels[i..i + 4], color.rgba(), (coverage * 255.0).round() as u8);
        }
    }
}

/// Unit normal and offset of each edge, positive inside, whichever way the corners turn.
pub fn edges(points: &[Point]) -> Vec<[f32; 3]> {
    let n = points.len();
    let area: f64 =
        (0..n).map(|i| points[i].x * points[(i + 1) % n].y - points[(i + 1) % n].x * points[i].y).sum();
    let turn = if area < 0.0 { -1.0 } else { 1.0 };
    (0..n)
        .filter_map(|i| {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let len = dx.hypot(dy);
            (len > 1e-9).then(|| {
                let (nx, ny) = (-dy / len * turn, dx / len * turn);
                [nx as f32, ny as f32, (-nx * a.x - ny * a.y) as f32]
            })
        })
        .collect()
}

/// A body of this many pixels is worth a second thread.
const LARGE: usize = 1 << 17;

/// From this many rows of pixels on, each core folds its own rows.
const ROWS: usize = 64;

/// Draws a body; returns whether there are patterns of states in it.
fn cells(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
    let Some(clip) = Clip::of(image, &c.body) else {
        return false;
    };
    let rows = clip.y1 - clip.y0;
    let threads = if rows * clip.bytes() / 4 < LARGE { 1 } else { gridscope_core::grid::cores() };
    // A few rows of pixels that cover much are better shared by their columns.
    let by_row = c.unfolded() && grid.is_loaded() && rows >= ROWS;
    let summaries = if by_row { None } else { c.summaries_of(grid) };
    let summaries = summaries.as_deref();
    let stride = image.width as usize * 4;
    let from = clip.row(image, &c.body, clip.y0);
    let lines = &mut image.pixels[from..from + (rows - 1) * stride + clip.bytes()];
    let share = rows.div_ceil(threads.min(rows));
    if threads == 1 {
        return part(lines, stride, &clip, clip.y0..clip.y1, c, summaries, grid);
    }
    let (clip, patterned) = (&clip, AtomicBool::new(false));
    let shares = lines.chunks_mut(share * stride).zip((clip.y0..clip.y1).step_by(share));
    gridscope_core::workers::share(threads, shares, |(lines, top)| {
        let rows = top..(top + share).min(clip.y1);
        if part(lines, stride, clip, rows, c, summaries, grid) {
            patterned.store(true, Ordering::Relaxed);
        }
    });
    patterned.into_inner()
}

/// Draws rows of a body; `lines` begins with the first pixel of the first one. Returns whether there are patterns in them.
fn part(
    lines: &mut [u8],
    stride: usize,
    clip: &Clip,
    rows: Range<usize>,
    c: &Cells,
    folded: Option<&Summaries>,
    grid: &Grid,
) -> bool {
    let bytes = clip.bytes();
    let columns = &c.columns.spans()[clip.x0..clip.x1];
    let wide = grid.kind().is_wide();
    let folds = folded.is_none() && c.unfolded();
    let mut row_fold = (folds && !wide).then(|| grid.row_fold(columns));
    let mut wide_rows = (folds && wide).then(|| grid.wide_rows(columns));
    let mut shown = Vec::new();
    let colors: Vec<[u8; 4]> = c.scale.lut().iter().map(Color::rgba).collect();
    let across = c.columns.shown();
    let mut before: Option<([u32; 2], usize)> = None;
    let mut any_pattern = false;
    for (at, y) in rows.enumerate().map(|(i, y)| (i * stride, y)) {
        let span = c.rows.spans()[y];
        // Rows of one span are alike, unless a pattern runs through them.
        if let (None, Some((_, source))) = (folded, before.filter(|(s, _)| *s == span)) {
            lines.copy_within(source..source + bytes, at);
            continue;
        }
        let line = y * c.body.w as usize;
        let summaries = folded.map(|s| c.shown(s, line + clip.x0..line + clip.x1));
        if let Some(fold) = &mut row_fold {
            fold.row(span, c.reduce, c.centre, &mut shown);
        } else if let Some(fold) = &mut wide_rows {
            fold.row(span, c.reduce, c.centre, |s| c.scale.shown_bits(s), &mut shown);
        }
        let mut patterned = false;
        let mut last = (BACKGROUND, c.background.rgba());
        let mut paint = |i: usize, bits: u32, to: &mut [u8]| {
            if State::of_bits(bits).is_none() {
                if bits != last.0 {
                    last = (bits, colors[c.scale.index(bits)]);
                }
                to.copy_from_slice(&last.1);
            } else if bits == BACKGROUND {
                to.copy_from_slice(&c.background.rgba());
            } else {
                patterned |= c.scale.is_patterned(bits);
                to.copy_from_slice(&c.scale.shade(bits, (clip.x0 + i) as u32, y as u32, c.unit).rgba());
            }
        };
        let pixels = lines[at..at + bytes].chunks_exact_mut(4).enumerate();
        if let Some(s) = summaries {
            pixels.zip(s).for_each(|((i, to), bits)| paint(i, bits, to));
        } else if folds {
            pixels.zip(&shown).for_each(|((i, to), bits)| paint(i, *bits, to));
        } else {
            let row = span[0] as usize;
            let row = if span[0] == span[1] {
                Cow::Borrowed(&[][..])
            } else {
                c.cell_bits(grid, row..row + 1, across.clone())
            };
            pixels.zip(columns).for_each(|((i, to), s)| {
                let at = s[0] as usize - across.start.min(s[0] as usize);
                let bits = if s[0] == s[1] { BACKGROUND } else { row.get(at).copied().unwrap_or(BACKGROUND) };
                paint(i, bits, to);
            });
        }
        before = (!patterned).then_some((span, at));
        any_pattern |= patterned;
    }
    any_pattern
}

/// Draws the inside of a colour bar.
fn ramp(image: &mut Image, rect: &PxRect, scale: &ColorScale, horizontal: bool) {
    let Some(clip) = Clip::of(image, rect) else { return };
    let length = if horizontal { rect.w } else { rect.h };
    for y in clip.y0..clip.y1 {
        let at = clip.row(image, rect, y);
        for x in clip.x0..clip.x1 {
            let step = if horizontal { x as u32 } else { rect.h - 1 - y as u32 };
            let i = at + (x - clip.x0) * 4;
            image.pixels[i..i + 4].copy_from_slice(&scale.ramp(step, length).rgba());
        }
    }
}

/// The part of a body that lies on the canvas, in pixels of the body.
struct Clip {
    x0: usize,
    x1: usize,
    y0: usize,
    y1: usize,
}

impl Clip {
    fn of(image: &Image, r: &PxRect) -> Option<Clip> {
        let range = |start: i32, length: u32, most: u32| {
            let from = (-i64::from(start)).max(0);
            let to = i64::from(length).min(i64::from(most) - i64::from(start));
            (from < to).then_some((from as usize, to as usize))
        };
        let (x0, x1) = range(r.x, r.w, image.width)?;
        let (y0, y1) = range(r.y, r.h, image.height)?;
        Some(Clip { x0, x1, y0, y1 })
    }

    fn bytes(&self) -> usize {
        (self.x1 - self.x0) * 4
    }

    /// Where the clipped row `y` of a body starts among the picture's bytes.
    fn row(&self, image: &Image, r: &PxRect, y: usize) -> usize {
        let line = (i64::from(r.y) + y as i64) as usize * image.width as usize;
        (line + (i64::from(r.x) + self.x0 as i64) as usize) * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_meets_both_ends() {
        let mut p = [10, 20, 30, 255];
        blend(&mut p, [200, 100, 0, 255], 0);
        assert_eq!(p, [10, 20, 30, 255]);
        blend(&mut p, [200, 100, 0, 255], 128);
        assert_eq!(p, [105, 60, 15, 255]);
        blend(&mut p, [200, 100, 0, 255], 255);
        assert_eq!(p, [200, 100, 0, 255]);
    }

    #[test]
    fn whole_rectangles_are_crisp_either_way() {
        let mut a = Image::filled(6, 5, Color::WHITE);
        let mut b = a.clone();
        let r = Rect::new(1.0, 1.0, 3.0, 2.0);
        fill_rect(&mut a, &r, Color::BLACK);
        polygon(&mut b, &line(Point { x: 1.0, y: 2.0 }, Point { x: 4.0, y: 2.0 }, 2.0), Color::BLACK);
        assert_eq!(a, b);
        assert_eq!((a.at(1, 1), a.at(4, 1), a.at(1, 3)), (Color::BLACK, Color::WHITE, Color::WHITE));
    }

    #[test]
    fn a_triangle_covers_about_its_area_and_stays_on_the_canvas() {
        let mut a = Image::filled(40, 40, Color::WHITE);
        let corners = [(2.0, 2.0), (38.0, 2.0), (20.0, 60.0)].map(|(x, y)| Point { x, y });
        polygon(&mut a, &corners, Color::BLACK);
        assert_eq!((a.at(20, 39), a.at(0, 39)), (Color::BLACK, Color::WHITE));
    }
}
