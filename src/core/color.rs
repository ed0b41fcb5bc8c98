//! sRGB colours: names, hex, contrast (WCAG 2.1), difference (CIE76).

use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

/// An sRGB colour with straight alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color {
    r: u8,
    g: u8,
    b: u8,
    a: u8,
}

/// matplotlib's one-letter names, the CSS basic names and a few that papers use.
const NAMES: &[(&str, u32)] = &[
    ("black", 0x000000),
    ("k", 0x000000),
    ("white", 0xffffff),
    ("w", 0xffffff),
    ("red", 0xff0000),
    ("r", 0xff0000),
    ("green", 0x008000),
    ("g", 0x008000),
    ("blue", 0x0000ff),
    ("b", 0x0000ff),
    ("cyan", 0x00ffff),
    ("c", 0x00bfbf),
    ("magenta", 0xff00ff),
    ("m", 0xbf00bf),
    ("yellow", 0xffff00),
    ("y", 0xbfbf00),
    ("gray", 0x808080),
    ("grey", 0x808080),
    ("silver", 0xc0c0c0),
    ("lightgray", 0xd3d3d3),
    ("lightgrey", 0xd3d3d3),
    ("darkgray", 0xa9a9a9),
    ("darkgrey", 0xa9a9a9),
    ("dimgray", 0x696969),
    ("orange", 0xffa500),
    ("darkred", 0x8b0000),
    ("darkblue", 0x00008b),
    ("darkgreen", 0x006400),
    ("navy", 0x000080),
    ("teal", 0x008080),
    ("purple", 0x800080),
    ("maroon", 0x800000),
    ("olive", 0x808000),
    ("lime", 0x00ff00),
    ("brown", 0xa52a2a),
    ("pink", 0xffc0cb),
    ("gold", 0xffd700),
    ("salmon", 0xfa8072),
    ("coral", 0xff7f50),
    ("crimson", 0xdc143c),
    ("indigo", 0x4b0082),
    ("violet", 0xee82ee),
    ("tan", 0xd2b48c),
    ("khaki", 0xf0e68c),
    ("turquoise", 0x40e0d0),
    ("skyblue", 0x87ceeb),
    ("steelblue", 0x4682b4),
    ("slategray", 0x708090),
    ("ivory", 0xfffff0),
    ("beige", 0xf5f5dc),
];

/// Lays a colour over a pixel of four channels, as far as `coverage` says (255: all of it). Channels are not multiplied by alpha.
///
/// # Panics
/// If the pixel has fewer channels.
pub fn blend(pixel: &mut [u8], color: [u8; 4], coverage: u8) {
    let a = (u32::from(color[3]) * u32::from(coverage) + 127) / 255;
    if a == 0 {
        return;
    }
    if pixel[3] == 255 {
        for k in 0..3 {
            pixel[k] = ((u32::from(color[k]) * a + u32::from(pixel[k]) * (255 - a) + 127) / 255) as u8;
        }
        return;
    }
    let below = u32::from(pixel[3]) * (255 - a);
    let all = 255 * a + below;
    for k in 0..3 {
        pixel[k] = ((u32::from(color[k]) * a * 255 + u32::from(pixel[k]) * below + all / 2) / all) as u8;
    }
    pixel[3] = ((all + 127) / 255) as u8;
}

impl Color {
    /// Black.
    pub const BLACK: Color = Color::rgb(0, 0, 0);
    /// White.
    pub const WHITE: Color = Color::rgb(255, 255, 255);
    /// Nothing: alpha 0.
    pub const CLEAR: Color = Color::rgba_of(0, 0, 0, 0);

    /// An opaque colour.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// A colour with alpha.
    pub const fn rgba_of(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }

    /// The four channels.
    pub const fn rgba(&self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Alpha, 255 = opaque.
    pub const fn alpha(&self) -> u8 {
        self.a
    }

    fn from_hex(hex: &str) -> Option<Self> {
        if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let wide: String = match hex.len() {
            3 | 4 => hex.chars().flat_map(|c| [c, c]).collect(),
            6 | 8 => hex.to_owned(),
            _ => return None,
        };
        let byte = |i: usize| u8::from_str_radix(&wide[i..i + 2], 16).ok();
        let a = if wide.len() == 8 { byte(6)? } else { 255 };
        Some(Self::rgba_of(byte(0)?, byte(2)?, byte(4)?, a))
    }

    /// The three channels in linear light, 0 to 1.
    pub(crate) fn linear(self) -> [f64; 3] {
        [self.r, self.g, self.b].map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The nearest colour of three channels in linear light.
    pub(crate) fn of_linear(channels: [f64; 3], alpha: u8) -> Self {
        let [r, g, b] = channels.map(|c| {
            let c = c.clamp(0.0, 1.0);
            let coded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (coded * 255.0).round() as u8
        });
        Self::rgba_of(r, g, b, alpha)
    }

    /// Lightness L* of CIELAB, 0 black to 100 white.
    pub fn lightness(self) -> f64 {
        self.lab()[0]
    }

    /// Relative luminance, 0 black to 1 white (WCAG 2.1).
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Contrast ratio with another colour, 1 to 21 (WCAG 2.1).
    pub fn contrast(self, other: Color) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white, whichever contrasts more with this colour.
    pub fn ink(self) -> Color {
        if self.contrast(Color::BLACK) >= self.contrast(Color::WHITE) { Color::BLACK } else { Color::WHITE }
    }

    /// This colour laid over another one.
    pub fn over(self, back: Color) -> Color {
        if back.a < 255 {
            let mut pixel = back.rgba();
            blend(&mut pixel, self.rgba(), 255);
            let [r, g, b, a] = pixel;
            return Self::rgba_of(r, g, b, a);
        }
        let mix = |f: u8, b: u8| {
            let a = u32::from(self.a);
            ((u32::from(f) * a + u32::from(b) * (255 - a) + 127) / 255) as u8
        };
        Color::rgb(mix(self.r, back.r), mix(self.g, back.g), mix(self.b, back.b))
    }

    fn lab(self) -> [f64; 3] {
        let [r, g, b] = self.linear();
        let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047;
        let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b;
        let z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883;
        let f = |t: f64| {
            if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
        };
        let (fx, fy, fz) = (f(x), f(y), f(z));
        [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
    }

    /// Colour difference, CIE76 dE of the opaque colours.
    pub fn difference(self, other: Color) -> f64 {
        let (a, b) = (self.lab(), other.lab());
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }
}

/// Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, a CSS or matplotlib name, `none`, or a grey level `0.0`..`1.0`.
impl FromStr for Color {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: &str| ParseError::new(Notation::Color, text, reason);
        let t = text.trim();
        if let Some(hex) = t.strip_prefix('#') {
            return Self::from_hex(hex).ok_or_else(|| wrong("'#' takes 3, 4, 6 or 8 hex digits"));
        }
        let lower = t.to_ascii_lowercase();
        if lower == "none" || lower == "transparent" {
            return Ok(Self::CLEAR);
        }
        if let Some((_, v)) = NAMES.iter().find(|(n, _)| *n == lower) {
            return Ok(Self::rgb((v >> 16) as u8, (v >> 8) as u8, *v as u8));
        }
        match t.parse::<f64>() {
            Ok(v) if (0.0..=1.0).contains(&v) => {
                let g = (v * 255.0).round() as u8;
                Ok(Self::rgb(g, g, g))
            }
            _ => Err(wrong("give #rrggbb, a CSS name, or a grey level 0..1")),
        }
    }
}

/// Writes `#rrggbb`, or `#rrggbbaa` where it is not opaque.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)?;
        if self.a != 255 {
            write!(f, "{:02x}", self.a)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hex_names_and_greys() {
        for (text, color) in [
            ("#f00", Color::rgb(255, 0, 0)),
            ("#00000000", Color::CLEAR),
            ("White", Color::WHITE),
            ("0.5", Color::rgb(128, 128, 128)),
        ] {
            assert_eq!(text.parse(), Ok(color));
            assert_eq!(color.to_string().parse(), Ok(color));
        }
        for bad in ["#12", "#gg0000", "nocolour", "1.5", "", "#é12345"] {
            assert!(bad.parse::<Color>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ink_follows_wcag() {
        assert!((Color::WHITE.contrast(Color::BLACK) - 21.0).abs() < 1e-9);
        assert_eq!(Color::rgb(253, 231, 37).ink(), Color::BLACK);
        assert_eq!(Color::rgb(68, 1, 84).ink(), Color::WHITE);
    }
}
