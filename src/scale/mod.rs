//! Values to colours: norms, colormaps, thresholds, number formats, ticks.

mod decimal;
mod digits;
mod colormap;
#[cfg(feature = "window")]
mod map_groups;
mod percentile;
mod unfit;
mod curve;
mod norm;
mod norm_spec;
#[cfg(feature = "window")]
mod alternatives;
#[cfg(feature = "window")]
mod round_limits;
mod format;
mod steps;
mod typeset;
mod number_labels;
mod time_format;
mod label_format;
mod decades;
mod ticks;
mod fill;
mod order;
mod spec;
mod thresholds;
mod color_scale;
mod bar_ends;
mod bar_ticks;

#[cfg(feature = "window")]
pub(crate) use alternatives::alternatives;
pub use bar_ticks::BarNumbers;
pub(crate) use bar_ticks::{brief_labels, cut_labels, labels_from_base};
pub use color_scale::ColorScale;
pub use colormap::Colormap;
pub use digits::{apart, short, span};
pub(crate) use fill::hidden_color;
pub use fill::{Fill, Pattern, default_fills};
pub use format::{NumberFormat, grouped};
pub use label_format::LabelFormat;
#[cfg(feature = "window")]
pub(crate) use map_groups::MAP_GROUPS;
#[cfg(feature = "window")]
pub(crate) use norm::BarCurve;
pub use norm::Norm;
pub(crate) use norm::{AutoLimits, ValueRule};
pub use norm_spec::NormSpec;
pub(crate) use number_labels::key_labels;
#[cfg(feature = "gpu")]
pub(crate) use order::stored_of;
pub use order::{even_guess, ordered_key};
pub use percentile::{between, percentiles, place};
#[cfg(feature = "window")]
pub(crate) use round_limits::{roundest_near, shifted};
pub use spec::{Hide, ScaleSpec};
pub use ticks::{Tick, nice_ticks, norm_ticks};
pub(crate) use time_format::ClockTime;
pub use time_format::TimeFormat;
pub(crate) use typeset::{minus, typeset};
pub use unfit::{BoundsError, LimitsError};
