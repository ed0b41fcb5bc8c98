//! Values to colours: norms, colormaps, thresholds, number formats, ticks.

mod decimal;
mod colormap;
mod map_traits;
mod percentile;
mod norm;
mod norm_spec;
mod format;
mod steps;
mod number_labels;
mod ticks;
mod fill;
mod thresholds;
mod color_scale;
mod bar_ticks;

pub use bar_ticks::{BarNumbers, FromBase, brief_labels, cut_labels, labels_from_base};
pub use color_scale::{ColorScale, Hide, ScaleSpec};
pub use colormap::{Colormap, MAP_GROUPS};
pub use decimal::{apart, short, span};
pub use fill::{Fill, Pattern, default_fills, hidden_color};
pub use format::{NumberFormat, grouped};
pub use map_traits::{MapKind, MapTraits};
pub use norm::{AutoLimits, BarCurve, Norm, TickRule, ValueRule};
pub use norm_spec::{BoundsError, LimitsError, NormSpec, alternatives};
pub use number_labels::{LabelFormat, key_labels, minus, typeset};
pub use percentile::{between, percentiles, place};
pub use steps::{roundest_near, shifted};
pub use thresholds::{even_guess, ordered_key};
pub use ticks::{Tick, nice_ticks, norm_ticks};
