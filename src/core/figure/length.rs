//! Lengths with their units.

use super::text::Text;
use crate::notation::{Notation, ParseError, words};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

words! {
    /// A unit of length.
    Unit {
        /// Output pixels.
        #[default] Pixel = "px",
        /// Inches.
        Inch = "in",
        /// Centimetres.
        Centimetre = "cm",
        /// Millimetres.
        Millimetre = "mm",
        /// Points, 72 per inch.
        Point = "pt",
    }
}

/// A length, 0 or more: a number with `px`, `in`, `cm`, `mm` or `pt`, or without a unit, where the key decides.
///
/// ```
/// use gridscope_core::figure::Length;
///
/// let width = Length::inches(6.5);
/// assert_eq!(width.to_string(), "6.5in");
/// assert_eq!("6.5 in".parse::<Length>().unwrap().pixels(200.0, Default::default()), 1300.0);
/// assert!("3 parsecs".parse::<Length>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    number: f64,
    unit: Option<Unit>,
    text: String,
}

/// The highest resolution of a picture, in pixels per inch.
const MOST_DPI: f64 = 10_000.0;

impl Length {
    /// A length in a unit.
    ///
    /// # Panics
    /// When `number` is negative or not finite.
    pub fn new(number: f64, unit: Unit) -> Self {
        assert!(number >= 0.0 && number.is_finite(), "a length of {number} {}", unit.word());
        Self { number, unit: Some(unit), text: format!("{number}{}", unit.word()) }
    }

    /// A length in inches.
    ///
    /// # Panics
    /// As [`Length::new`].
    pub fn inches(number: f64) -> Self {
        Self::new(number, Unit::Inch)
    }

    /// A length in points.
    ///
    /// # Panics
    /// As [`Length::new`].
    pub fn points(number: f64) -> Self {
        Self::new(number, Unit::Point)
    }

    /// A length in output pixels.
    pub fn of_pixels(number: u32) -> Self {
        Self::new(f64::from(number), Unit::Pixel)
    }

    /// The length in output pixels; `bare` is the unit of a number without one.
    pub fn pixels(&self, dpi: f64, bare: Unit) -> f64 {
        self.number
            * match self.unit.unwrap_or(bare) {
                Unit::Pixel => 1.0,
                Unit::Inch => dpi,
                Unit::Centimetre => dpi / 2.54,
                Unit::Millimetre => dpi / 25.4,
                Unit::Point => dpi / 72.0,
            }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.number == 0.0
    }
}

impl FromStr for Length {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: &str| ParseError::new(Notation::Length, text.trim(), reason);
        let t = text.trim();
        let cut = t.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(t.len());
        let (number, unit) = (t[..cut].trim(), t[cut..].trim());
        let number: f64 = number.parse().map_err(|_| wrong("give a number and px, in, cm, mm or pt"))?;
        let unit = match unit {
            "" => None,
            unit => Some(unit.parse().map_err(|_| wrong("its unit is none of px, in, cm, mm, pt"))?),
        };
        let length = Self { number, unit, text: text.to_owned() };
        // At any resolution the pixels are a number.
        if number >= 0.0 && length.pixels(MOST_DPI, Unit::Pixel).is_finite() {
            Ok(length)
        } else {
            Err(wrong("it must be 0 or more and finite"))
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Text::deserialize(d)?.0.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Length {
    fn schema_name() -> Cow<'static, str> {
        "Length".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A length: a number with `px`, `in`, `cm`, `mm` or `pt`; a bare number is pixels (points for font sizes and line widths).",
            "type": "string"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_dpi() {
        let px = |t: &str| t.parse::<Length>().map(|l| l.pixels(200.0, Unit::Pixel));
        assert_eq!(px("6.5in"), Ok(1300.0));
        assert_eq!(px("9pt"), Ok(25.0));
        assert_eq!(px("640"), Ok(640.0));
        assert_eq!(px("1e2px"), Ok(100.0));
        for bad in ["", "in", "-1in", "NaN", "infin", "3 furlongs", "1e999px", "1e308in"] {
            assert!(px(bad).is_err(), "{bad}");
        }
        assert_eq!(Length::of_pixels(300).to_string(), "300px");
        assert_eq!(Length::inches(6.5), "6.5in".parse().unwrap());
    }

    #[test]
    fn a_length_is_written_as_it_was_read() {
        for text in ["\" 6.5 in\"", "\"640\""] {
            let length: Length = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&length).unwrap(), text);
        }
        assert_eq!(serde_json::from_str::<Length>("640").unwrap().to_string(), "640");
        assert!(serde_json::from_str::<Length>("\"auto\"").is_err());
    }
}
