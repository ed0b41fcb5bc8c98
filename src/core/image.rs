//! A picture in memory: RGBA, 8 bits per channel, straight alpha, rows from the top.

use crate::color::Color;

/// The longest side of a picture in pixels: PNG readers and GPUs allow no more.
pub const MOST_SIDE: u32 = 65_535;
/// Pixels of a strip: larger pictures are folded, painted and submitted at most this many at a time (16 MiB).
pub const STRIP_PIXELS: u32 = 1 << 22;
/// The most pixels of a picture that is in memory at once (64 MiB); larger ones are encoded strip by strip.
pub const WHOLE_PIXELS: u64 = 1 << 24;

/// A picture; `pixels.len() == width * height * 4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
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
        Self { width, height, pixels }
    }

    /// The colour at column `x` of row `y`.
    ///
    /// # Panics
    /// When `x` or `y` is outside the picture.
    pub fn at(&self, x: u32, y: u32) -> Color {
        let i = (y as usize * self.width as usize + x as usize) * 4;
        let p = &self.pixels[i..i + 4];
        Color::rgba_of(p[0], p[1], p[2], p[3])
    }
}
