//! The calendar: dates and times as texts and as numbers, and their periods. Dates are those of chrono.

mod cf;
mod clock;
mod duration;
mod moment;
mod periods;
pub mod spelling;
#[cfg(test)]
mod tests;

pub use cf::model_dates;
pub use chrono::{Datelike, Days, Timelike};
pub use clock::{ClockTime, TimeFormat};
pub use duration::{duration, duration_text, unit_seconds};
pub use moment::{
    Instant, Moment, Resolution, date_text, days_of_months, iso_texts, parse_times, unit_since,
};
pub use periods::{formatted_names, period_start, places_in_time};
