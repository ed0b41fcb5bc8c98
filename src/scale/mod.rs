//! Values to colours: norms, colormaps, thresholds, number formats, ticks.

mod colormap;
mod norm;
mod parse;
mod percentile;
mod format;
mod ticks;
mod fill;
mod thresholds;
mod color_scale;

pub use color_scale::{ColorScale, ScaleSpec, even_guess, ordered_key};
pub use colormap::Colormap;
pub use fill::{Fill, Pattern, default_fills};
pub use format::{NumberFormat, grouped, short};
pub use norm::Norm;
pub use percentile::{between, percentiles, place};
pub use ticks::{Tick, nice_ticks, norm_ticks};
