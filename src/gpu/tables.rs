//! The look-up tables of the shader of bodies: thresholds, colours, fills, and the cell of each pixel.

use super::wire::GAP;
use gridscope_core::color::Color;
use gridscope_core::grid::Kind;
use gridscope_core::scale::{ColorScale, Pattern, even_guess, ordered_key};
use std::collections::HashMap;

/// The position of a scale in the tables, and how to guess a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shading {
    pub thresholds: u32,
    pub count: u32,
    pub lut: u32,
    pub fills: u32,
    pub patterns: u32,
    pub low: f32,
    pub per: f32,
}

/// All look-up tables of a picture.
#[derive(Default)]
pub(super) struct Tables {
    pub words: Vec<u32>,
    /// The colours of all maps and bars, one after the other; those of a panel are followed by colour and ink
    /// of its states.
    pub colors: Vec<[u8; 4]>,
    /// By address: the scenes' scales stay where they are while a picture is made.
    scales: HashMap<(*const ColorScale, Option<Kind>), Shading>,
}

impl Tables {
    /// A panel's scale; panels that share one share its words. `keys`: cells are keys of this kind.
    pub(super) fn scale(&mut self, scale: &ColorScale, keys: Option<Kind>) -> Shading {
        let at = (std::ptr::from_ref(scale), keys);
        if let Some(known) = self.scales.get(&at) {
            return *known;
        }
        let colors = scale.lut().iter().copied();
        let mut shading = match keys {
            None => self.shading(scale.thresholds(), colors),
            Some(kind) => self.shading_of_keys(&scale.keys_of(kind), colors),
        };
        shading.fills = self.colors.len() as u32;
        for (i, fill) in scale.fills().iter().enumerate() {
            let pattern: u32 = match fill.pattern {
                Pattern::Solid => 0,
                Pattern::Hatch => 1,
                Pattern::Dots => 2,
            };
            self.colors.extend([fill.color.rgba(), fill.ink.rgba()]);
            shading.patterns |= pattern << (4 * i);
        }
        self.scales.insert(at, shading);
        shading
    }

    /// The colours of a bar of `length` pixels: pixel i has the value i, which is also its level.
    pub(super) fn ramp(&mut self, scale: &ColorScale, length: u32) -> Shading {
        let keys: Vec<i32> = (1..length).map(|i| ordered_key((i as f32).to_bits())).collect();
        self.shading(&keys, (0..length).map(|i| scale.ramp(i, length)))
    }

    /// The cell under each pixel along a side.
    pub(super) fn axis(&mut self, cells: &[u32]) -> u32 {
        let at = self.words.len() as u32;
        self.words.extend_from_slice(cells);
        at
    }

    /// As [`Tables::shading`], of thresholds of two words, the low one first.
    fn shading_of_keys(&mut self, keys: &[i64], colors: impl Iterator<Item = Color>) -> Shading {
        let thresholds = self.words.len() as u32;
        self.words.extend(keys.iter().flat_map(|k| [*k as u32, (*k >> 32) as u32]));
        let count = keys.len() as u32;
        Shading { thresholds, count, ..self.shading(&[], colors) }
    }

    fn shading(&mut self, keys: &[i32], colors: impl Iterator<Item = Color>) -> Shading {
        let thresholds = self.words.len() as u32;
        self.words.extend(keys.iter().map(|k| *k as u32));
        let lut = self.colors.len() as u32;
        self.colors.extend(colors.map(|c| c.rgba()));
        let (low, per) = even_guess(keys).unwrap_or((0.0, 0.0));
        Shading { thresholds, count: keys.len() as u32, lut, fills: lut, patterns: 0, low, per }
    }
}

/// A colour as shaders unpack it.
pub(super) fn packed(color: Color) -> u32 {
    u32::from_le_bytes(color.rgba())
}

/// The cell of each pixel from its span.
pub(super) fn firsts(spans: &[[u32; 2]]) -> Vec<u32> {
    spans.iter().map(|s| if s[0] == s[1] { GAP } else { s[0] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spans_are_gaps() {
        assert_eq!(firsts(&[[3, 4], [0, 0], [5, 9]]), [3, GAP, 5]);
    }
}
