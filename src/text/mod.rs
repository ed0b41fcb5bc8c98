//! Text: measured, shaped, and turned into glyph masks that every back end draws.

mod label;
mod distinct;
mod nearest;
mod measure;
mod mask;
mod line;
mod outline;
mod shape;

pub use distinct::{clean_labels, distinct, without_middle};
pub use label::{clean, one_line, shorten, steers};
pub use line::{Face, Glyph, Line};
pub use mask::{GlyphAt, Mask};
pub use measure::{CAP_HEIGHT, Fake, Measure, TextSize};
pub use nearest::{did_you_mean, nearest};
pub use outline::{Segment, outline};
pub use shape::{FontError, Fonts};
