//! A picture in memory: RGBA, 8 bits a channel, straight alpha, rows from the top.

use crate::color::Color;

/// Pixels of a strip: larger pictures are folded, painted and submitted at most this many at a time (16 MiB).
pub const STRIP_PIXELS: u32 = 1 << 22;
/// Pictures of more pixels are never whole in memory: they are encoded strip by strip (64 MiB).
pub const WHOLE_PIXELS: u64 = 1 << 24;

/// A picture; `pixels.len() == width * height * 4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// R, G, B, A of each pixel, row after row.
    pub pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: Color) -> Self {
        let n = width as usize * height as usize;
        let mut pixels = vec![255u8; n * 4];
        if color.rgba() != [255; 4] {
            for p in pixels.chunks_exact_mut(4) {
                p.copy_from_slice(&color.rgba());
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// The colour at column `x` of row `y`.
    pub fn at(&self, x: u32, y: u32) -> Color {
        let i = (y as usize * self.width as usize + x as usize) * 4;
        let p = &self.pixels[i..i + 4];
        Color::rgba_of(p[0], p[1], p[2], p[3])
    }
}
