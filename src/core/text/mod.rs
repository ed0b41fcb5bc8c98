//! Text: measured, shaped, and turned into glyph masks that every back end draws.

mod label;
mod math;
mod rich;
mod natural;
mod mask;
mod shape;
mod scripts;
mod coverage;

pub use coverage::{Coverage, coverage};
pub use label::{clean, clean_labels, distinct, numbered, one_line, shorten, steers, without_middle};
pub use mask::{GlyphAt, Mask, Segment, outline};
pub use math::sign;
pub use natural::{NaturalOrder, did_you_mean, nearest, powers};
pub use rich::{
    filled, formulas, has_formula, readable, rich, rich_line, rich_pieces, spoken, unmarked, unread_formulas,
    with_breaks,
};
pub use shape::{CAP_HEIGHT, Face, Fake, FontError, Fonts, Glyph, Line, Measure, TextSize};
