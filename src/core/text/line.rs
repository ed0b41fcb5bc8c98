//! A shaped line: glyphs, their fonts and places.

use cosmic_text::Font;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A line of text in ems: multiply by the font size.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The glyphs from left to right.
    pub glyphs: Vec<Glyph>,
    /// Advance width.
    pub width: f64,
    /// It begins with text that runs from right to left.
    pub is_rtl: bool,
    /// Characters without a glyph.
    pub missing: usize,
}

/// A glyph at its place on the line.
#[derive(Clone, Debug)]
pub struct Glyph {
    /// Its font, for [`Fonts::face`](super::Fonts::face).
    pub font: usize,
    /// Its number in the font.
    pub id: u16,
    /// From the line's start to the right.
    pub x: f64,
    /// From the baseline down.
    pub y: f64,
    /// Width from its place to that of the next one.
    pub advance: f64,
    /// Its size as a share of the line's: scripts of formulas are smaller.
    pub size: f64,
    /// The part of `y` that a script of a formula is lowered by.
    pub drop: f64,
    /// The bytes of the text that it shows.
    pub text: Range<usize>,
    /// Its text runs from right to left.
    pub is_rtl: bool,
}

/// A font that lines are set in.
#[derive(Clone)]
pub struct Face {
    /// Its family's name.
    pub family: String,
    /// 400 regular, 700 bold.
    pub weight: u16,
    /// `normal`, `italic` or `oblique`.
    pub style: &'static str,
    /// Its number within its file.
    pub index: u32,
    pub(super) font: Arc<Font>,
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Face")
            .field("family", &self.family)
            .field("weight", &self.weight)
            .field("style", &self.style)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

impl Face {
    /// The font file's bytes.
    pub fn data(&self) -> &[u8] {
        self.font.data()
    }

    /// The em in the units of the glyphs' outlines.
    pub fn units_per_em(&self) -> f64 {
        f64::from(self.font.as_swash().metrics(&[]).units_per_em)
    }
}
