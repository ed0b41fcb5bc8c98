//! Cells and colour bars: stored bits to colours, byte for byte.

use crate::geom::PxRect;
use crate::grid::{BACKGROUND, Grid, State};
use crate::image::Image;
use crate::scale::ColorScale;
use crate::scene::Cells;

/// Draws a body.
pub(super) fn cells(image: &mut Image, c: &Cells, grid: &Grid) {
    let Some(clip) = Clip::of(image, &c.body) else { return };
    let folded = c.folded_from(grid);
    let width = grid.width();
    let columns: Vec<[u32; 2]> = c.columns.spans()[clip.x0..clip.x1].to_vec();
    let mut before: Option<([u32; 2], usize)> = None;
    for y in clip.y0..clip.y1 {
        let span = c.rows.spans()[y];
        let at = clip.row(image, &c.body, y);
        // Rows of one span are alike, unless a pattern runs through them.
        if let (None, Some((_, source))) = (&folded, before.filter(|(s, _)| *s == span)) {
            image.pixels.copy_within(source..source + clip.bytes(), at);
            continue;
        }
        let mut patterned = false;
        let mut last = (BACKGROUND, c.background);
        for (i, column) in columns.iter().enumerate() {
            let x = clip.x0 + i;
            let bits = match &folded {
                Some(f) => f[y * c.body.w as usize + x],
                None if column[0] == column[1] || span[0] == span[1] => BACKGROUND,
                None => grid.cells()[span[0] as usize * width + column[0] as usize],
            };
            if bits != last.0 || (bits != BACKGROUND && State::of_bits(bits).is_some()) {
                let color = if bits == BACKGROUND {
                    c.background
                } else {
                    patterned |= State::of_bits(bits).is_some();
                    c.scale.shade(bits, x as u32, y as u32, c.unit)
                };
                last = (bits, color);
            }
            image.pixels[at + i * 4..at + i * 4 + 4].copy_from_slice(&last.1.rgba());
        }
        before = (!patterned).then_some((span, at));
    }
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
