//! Views as values: every move returns a new one.

use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

/// The part of an axis that a body shows, in cells of its [`super::Track`]; fractions allowed, `from < to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// Reads `A:B`, A below B.
impl FromStr for Part {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = |t: &str| t.trim().parse::<f64>().ok().filter(|v| v.abs() < 1e15);
        let ends = text.split_once(':').and_then(|(a, b)| Some((read(a)?, read(b)?)));
        match ends {
            Some((from, to)) if from < to && (to - from) > 1e-6 => Ok(Part { from, to }),
            _ => Err(ParseError::new(Notation::Part, text, "give two places in cells, A below B")),
        }
    }
}

/// Writes `A:B`.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.from, self.to)
    }
}

/// The part of a grid that a body shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The part of the columns.
    pub x: Part,
    /// The part of the rows.
    pub y: Part,
}

impl Part {
    /// No part is shorter than this share of a cell.
    pub const LEAST: f64 = 0.5;

    /// All of an axis of this length.
    pub fn whole(length: f64) -> Self {
        Self { from: 0.0, to: length }
    }

    /// How many cells it shows.
    pub fn len(&self) -> f64 {
        self.to - self.from
    }

    /// Whether it shows nothing, which a valid part never does.
    pub fn is_empty(&self) -> bool {
        self.len() <= 0.0
    }

    /// The position at a share of the part: 0 is its start, 1 its end.
    pub fn at(&self, share: f64) -> f64 {
        self.from + share * self.len()
    }

    /// The part moved by this many cells.
    #[must_use]
    pub fn pan(&self, by: f64) -> Self {
        Self { from: self.from + by, to: self.to + by }
    }

    /// The part zoomed in `factor` times (below 1: out), so that the position `at` stays where it is on the
    /// body.
    #[must_use]
    pub fn zoom_about(&self, at: f64, factor: f64) -> Self {
        Self { from: at - (at - self.from) / factor, to: at + (self.to - at) / factor }
    }

    /// The part within an axis of `length` cells: at least half a cell long, at most `most`. A part that is
    /// longer than the axis is centred on it, so that the data stay in view.
    #[must_use]
    pub fn clamp(&self, length: f64, most: f64) -> Self {
        let (len, least) = (self.len(), Self::LEAST.min(length));
        if self.from >= 0.0 && self.to <= length && len >= least {
            // A part within the axis is returned unchanged, to the last bit.
            return *self;
        }
        let len = if len.is_finite() { len.clamp(least, most.max(length)) } else { length };
        if len >= length {
            let from = (length - len) / 2.0;
            return Self { from, to: from + len };
        }
        let middle = self.from / 2.0 + self.to / 2.0;
        let from = if middle.is_finite() { middle - len / 2.0 } else { 0.0 }.clamp(0.0, length - len);
        Self { from, to: (from + len).min(length) }
    }
}

impl View {
    /// Whether its ends are finite and each part shows something.
    pub fn is_valid(&self) -> bool {
        let valid = |p: &Part| p.from.is_finite() && p.to.is_finite() && p.from < p.to;
        valid(&self.x) && valid(&self.y)
    }

    /// All of a grid.
    pub fn whole(x: f64, y: f64) -> Self {
        Self { x: Part::whole(x), y: Part::whole(y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_under_the_pointer_stays() {
        let p = Part { from: 10.0, to: 50.0 }.zoom_about(20.0, 2.0);
        assert_eq!((p, p.at(0.25)), (Part { from: 15.0, to: 35.0 }, 20.0));
        assert_eq!(p.zoom_about(20.0, 0.5), Part { from: 10.0, to: 50.0 });
    }

    #[test]
    fn a_view_cannot_lose_its_data() {
        let clamp = |from, to| Part { from, to }.clamp(100.0, 100.0);
        assert_eq!(clamp(-30.0, 20.0), Part { from: 0.0, to: 50.0 });
        assert_eq!(clamp(90.0, 110.0), Part { from: 80.0, to: 100.0 });
        assert_eq!(clamp(-500.0, 700.0), Part::whole(100.0));
        assert_eq!(clamp(50.0, 50.0), Part { from: 49.75, to: 50.25 });
        assert_eq!(Part { from: 0.0, to: 200.0 }.clamp(100.0, 300.0), Part { from: -50.0, to: 150.0 });
        for p in [clamp(f64::NAN, 1.0), clamp(f64::NEG_INFINITY, f64::INFINITY), clamp(1e308, -1e308)] {
            assert!(p.from >= 0.0 && p.to <= 100.0 && !p.is_empty(), "{p:?}");
        }
    }
}
