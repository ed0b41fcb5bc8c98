//! The colours of text and canvas, by theme.

use gridscope_core::color::Color;
use gridscope_core::figure::Theme;

/// The colours of everything but cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// The canvas.
    pub background: Color,
    /// Text and ticks.
    pub ink: Color,
}

impl Palette {
    /// The palette of a theme.
    pub fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self { background: Color::WHITE, ink: Color::rgb(0x14, 0x14, 0x14) },
            Theme::Dark => {
                Self { background: Color::rgb(0x16, 0x18, 0x1d), ink: Color::rgb(0xe8, 0xe8, 0xe8) }
            }
        }
    }
}
