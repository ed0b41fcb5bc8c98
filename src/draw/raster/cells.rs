//! Cells and colour bars: stored bits to colours, byte for byte.

use crate::scene::Cells;
use gridscope_core::color::Color;
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{BACKGROUND, Grid, State, Summaries};
use gridscope_core::image::Image;
use gridscope_core::scale::ColorScale;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A body of this many pixels is worth a second thread.
const LARGE: usize = 1 << 17;

/// From this many rows of pixels on, each core folds its own rows.
const ROWS: usize = 64;

/// Draws a body; returns whether there are patterns of states in it.
pub(super) fn cells(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
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
pub(super) fn ramp(image: &mut Image, rect: &PxRect, scale: &ColorScale, horizontal: bool) {
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
