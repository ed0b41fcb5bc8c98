//! How large a text is; layout knows no more of text than this.

/// The size of a line of text in pixels, measured from its baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextSize {
    /// Advance width.
    pub width: f64,
    /// Height above the baseline.
    pub ascent: f64,
    /// Depth below the baseline.
    pub descent: f64,
}

impl TextSize {
    /// Ascent and descent together.
    pub fn height(&self) -> f64 {
        self.ascent + self.descent
    }

    /// The line box of a font size: shares of the em that hold Latin text with its accents' usual reach.
    pub fn of_line(width: f64, font_size: f64) -> Self {
        Self { width, ascent: 0.8 * font_size, descent: 0.22 * font_size }
    }
}

/// Height of digits and capitals as a share of the em: what centring goes by.
pub const CAP_HEIGHT: f64 = 0.729;

/// Measures text.
pub trait Measure {
    /// The size of `text` in a font of `font_size` pixels.
    fn size(&mut self, text: &str, font_size: f64) -> TextSize;
}

/// Every character is 0.6 em wide: for tests of layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fake;

impl Measure for Fake {
    fn size(&mut self, text: &str, font_size: f64) -> TextSize {
        TextSize::of_line(text.chars().count() as f64 * 0.6 * font_size, font_size)
    }
}
