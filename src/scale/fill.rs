//! What cells without a value look like: a colour, perhaps with a pattern.

use super::colormap::Colormap;
use crate::color::Color;
use crate::grid::State;

/// How a fill is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pattern {
    /// One colour.
    Solid,
    /// Diagonal lines, one unit thick, one every six units.
    Hatch,
    /// Dots of one unit, one every four units both ways.
    Dots,
}

/// A colour and the pattern over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The ground.
    pub color: Color,
    /// The pattern.
    pub pattern: Pattern,
    /// The pattern's colour.
    pub ink: Color,
}

impl Fill {
    /// The colour of the body's pixel (`px`, `py`); `unit` is the pattern's step in pixels.
    /// Whole numbers only: the shader repeats it bit for bit.
    pub fn color_at(&self, px: u32, py: u32, unit: u32) -> Color {
        let unit = unit.max(1);
        let inked = match self.pattern {
            Pattern::Solid => false,
            Pattern::Hatch => (px + py) % (6 * unit) < unit,
            Pattern::Dots => px % (4 * unit) < unit && py % (4 * unit) < unit,
        };
        if inked { self.ink } else { self.color }
    }
}

/// Nearer than this (CIE76) a state could be taken for a value.
const TOO_NEAR: f64 = 10.0;

/// The fills of all states, by [`State::index`], on a canvas of colour `background` beside the colours of `map`.
pub fn default_fills(background: Color, map: &Colormap) -> [Fill; State::ALL.len()] {
    let dark = background.alpha() > 0 && background.luminance() < 0.2;
    let line = if dark {
        Color::rgb(0x6a, 0x6e, 0x76)
    } else {
        Color::rgb(0xb0, 0xb0, 0xb0)
    };
    let grey = |v: u8| {
        let color = Color::rgb(v, v, v);
        let near = map.entries.iter().any(|e| e.difference(color) < TOO_NEAR);
        Fill {
            color,
            pattern: if near { Pattern::Hatch } else { Pattern::Solid },
            ink: Color::rgb(0x40, 0x40, 0x40),
        }
    };
    let mut out = [Fill {
        color: background,
        pattern: Pattern::Hatch,
        ink: line,
    }; State::ALL.len()];
    out[State::Nan.index()] = grey(0x9e);
    out[State::Masked.index()] = grey(0xcf);
    out[State::Pending.index()].pattern = Pattern::Dots;
    let tint = |color: Color, ink: Color, hatched: bool| {
        let near = map.entries.iter().any(|e| e.difference(color) < TOO_NEAR);
        let pattern = if near || hatched {
            Pattern::Hatch
        } else {
            Pattern::Solid
        };
        Fill { color, pattern, ink }
    };
    let [appeared, vanished] = if dark {
        [Color::rgb(0x3f, 0x6b, 0x3a), Color::rgb(0x4a, 0x40, 0x20)]
    } else {
        [Color::rgb(0xbf, 0xe3, 0xb4), Color::rgb(0xf6, 0xec, 0xc8)]
    };
    out[State::Appeared.index()] = tint(appeared, Color::rgb(0x2f, 0x7a, 0x2c), false);
    out[State::Vanished.index()] = tint(vanished, Color::rgb(0xb0, 0x8a, 0x2a), true);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_repeat_and_greys_hide_in_no_map() {
        let f = Fill {
            color: Color::WHITE,
            pattern: Pattern::Hatch,
            ink: Color::BLACK,
        };
        let row: Vec<bool> = (0..12).map(|x| f.color_at(x, 0, 2) == Color::BLACK).collect();
        assert_eq!(row.iter().filter(|b| **b).count(), 2);
        let fills = |name| default_fills(Color::WHITE, &Colormap::named(name).unwrap());
        assert_eq!(fills("gray")[State::Nan.index()].pattern, Pattern::Hatch);
        assert_eq!(fills("viridis")[State::Nan.index()].pattern, Pattern::Solid);
    }
}
