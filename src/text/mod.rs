//! Text: measured, shaped, and turned into glyph masks that every back end draws.

mod label;
mod measure;
mod mask;
mod shape;

pub use label::{clean, shorten};
pub use mask::{GlyphAt, Mask};
pub use measure::{CAP_HEIGHT, Fake, Measure, TextSize};
pub use shape::Fonts;
