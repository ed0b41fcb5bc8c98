//! Text: measured, shaped, and turned into glyph masks that every back end draws.

mod marks;
mod label;
mod symbols;
mod math;
mod rich;
mod distinct;
mod nearest;
mod magnitude;
mod natural;
mod measure;
mod mask;
mod line;
mod outline;
mod shape;
mod scripts;
mod charmap;
mod coverage;

pub use coverage::{Coverage, coverage};
pub use distinct::{clean_labels, distinct, numbered, without_middle};
pub use label::{clean, one_line, shorten, steers};
pub use line::{Face, Glyph, Line};
pub use magnitude::powers;
pub use marks::{formulas, has_formula, unmarked};
pub use mask::{GlyphAt, Mask};
pub use measure::{CAP_HEIGHT, Fake, Measure, TextSize};
pub use natural::NaturalOrder;
pub use nearest::{did_you_mean, nearest};
pub use outline::{Segment, outline};
pub use rich::{filled, readable, rich, rich_line, rich_pieces, spoken, unread_formulas, with_breaks};
pub use shape::{FontError, Fonts};
