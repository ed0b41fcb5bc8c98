//! What the shader of bodies looks up: thresholds, colours, fills, and the cell of each pixel.

use super::wire::GAP;
use crate::color::Color;
use crate::scale::{ColorScale, Pattern, ordered_key};
use std::collections::HashMap;

/// Where a scale stands among the words, and how to guess a level.
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

/// All words of a picture.
#[derive(Default)]
pub(super) struct Tables {
    pub words: Vec<u32>,
    /// The colours of all maps and bars, one after the other, with colour and ink of a panel's states behind its own.
    pub colors: Vec<[u8; 4]>,
    /// By address: the scenes' scales stay where they are while a picture is made.
    scales: HashMap<*const ColorScale, Shading>,
}

impl Tables {
    /// A panel's scale; panels that share one share its words.
    pub fn scale(&mut self, scale: &ColorScale) -> Shading {
        if let Some(known) = self.scales.get(&std::ptr::from_ref(scale)) {
            return *known;
        }
        let mut shading = self.shading(scale.thresholds(), scale.lut().iter().copied());
        shading.fills = self.colors.len() as u32;
        for (i, fill) in scale.fills().iter().enumerate() {
            let pattern: u32 = match fill.pattern {
                Pattern::Solid => 0,
                Pattern::Hatch => 1,
                Pattern::Dots => 2,
            };
            self.colors.extend([fill.color.rgba(), fill.ink.rgba()]);
            shading.patterns |= pattern << (8 * i);
        }
        self.scales.insert(std::ptr::from_ref(scale), shading);
        shading
    }

    /// The colours of a bar of `length` pixels: pixel i holds the value i, and that is its level.
    pub fn ramp(&mut self, scale: &ColorScale, length: u32) -> Shading {
        let keys: Vec<i32> = (1..length).map(|i| ordered_key((i as f32).to_bits())).collect();
        self.shading(&keys, (0..length).map(|i| scale.ramp(i, length)))
    }

    /// The cell under each pixel along a side.
    pub fn axis(&mut self, cells: &[u32]) -> u32 {
        let at = self.words.len() as u32;
        self.words.extend_from_slice(cells);
        at
    }

    fn shading(&mut self, keys: &[i32], colors: impl Iterator<Item = Color>) -> Shading {
        let thresholds = self.words.len() as u32;
        self.words.extend(keys.iter().map(|k| *k as u32));
        let lut = self.colors.len() as u32;
        self.colors.extend(colors.map(|c| c.rgba()));
        let (low, per) = guess(keys);
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

/// `low` and `per` such that the whole part of `(value - low) * per` is the level or one beside it, or (0, 0) where the
/// steps are too uneven for that.
fn guess(keys: &[i32]) -> (f32, f32) {
    let [first, .., last] = keys else { return (0.0, 0.0) };
    let (first, last) = (f64::from(value_of(*first)), f64::from(value_of(*last)));
    let step = (last - first) / (keys.len() - 1) as f64;
    let (low, per) = ((first - step) as f32, (1.0 / step) as f32);
    // Threshold k belongs at k + 1; half a level of play leaves the other half to the device's rounding.
    let at = |key: i32| (f64::from(value_of(key)) - f64::from(low)) * f64::from(per);
    let even = keys.iter().enumerate().all(|(k, key)| (at(*key) - (k + 1) as f64).abs() <= 0.5);
    // A device may read subnormal numbers as 0, which must stay far below a step.
    let coarse = step > f64::from(f32::MIN_POSITIVE) * 1e6 && per.is_normal();
    if even && coarse { (low, per) } else { (0.0, 0.0) }
}

/// The value of an ordered key.
fn value_of(key: i32) -> f32 {
    let sign = if key < 0 { 1 << 31 } else { 0 };
    f32::from_bits(sign | key.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_turn_back_into_values() {
        for v in [0.0f32, 1.5, -1.5, f32::MIN_POSITIVE, -1e-40, f32::MAX, f32::NEG_INFINITY] {
            assert_eq!(value_of(ordered_key(v.to_bits())), v);
        }
    }

    #[test]
    fn only_even_steps_are_guessed() {
        let keys = |v: &[f32]| v.iter().map(|v| ordered_key(v.to_bits())).collect::<Vec<_>>();
        let (low, per) = guess(&keys(&[-1.0, 0.0, 1.0, 2.0]));
        assert_eq!([-1.0f32, 0.5, 2.0].map(|v| ((v - low) * per) as u32), [1, 2, 4]);
        assert_eq!(guess(&keys(&[1.0, 10.0, 100.0, 1000.0, 10000.0])), (0.0, 0.0));
        assert_eq!(guess(&keys(&[3.0, 3.0])), (0.0, 0.0));
        assert_eq!(guess(&keys(&[1e-42, 2e-42, 3e-42])), (0.0, 0.0));
        assert_eq!(guess(&[]), (0.0, 0.0));
    }

    #[test]
    fn equal_spans_are_gaps() {
        assert_eq!(firsts(&[[3, 4], [0, 0], [5, 9]]), [3, GAP, 5]);
    }
}
