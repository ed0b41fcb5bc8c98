//! Fill of cells without a value: a colour, perhaps with a pattern.

use super::colormap::Colormap;
use crate::color::Color;
use crate::grid::State;

/// How a fill is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    let line = if dark { Color::rgb(0x6a, 0x6e, 0x76) } else { Color::rgb(0xb0, 0xb0, 0xb0) };
    let grey = |v: u8| {
        let color = Color::rgb(v, v, v);
        let near = map.entries.iter().any(|e| e.difference(color) < TOO_NEAR);
        Fill {
            color,
            pattern: if near { Pattern::Hatch } else { Pattern::Solid },
            ink: Color::rgb(0x40, 0x40, 0x40),
        }
    };
    let mut out = [Fill { color: background, pattern: Pattern::Hatch, ink: line }; State::ALL.len()];
    out[State::Nan.index()] = grey(0x9e);
    out[State::Masked.index()] = grey(0xcf);
    out[State::Pending.index()].pattern = Pattern::Dots;
    let tint = |color: Color, ink: Color, hatched: bool| {
        let near = map.entries.iter().any(|e| e.difference(color) < TOO_NEAR);
        let pattern = if near || hatched { Pattern::Hatch } else { Pattern::Solid };
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

/// Nearer than this (CIE76) to the canvas, light or dark colours of a map look like it beside each other.
const LIKE_CANVAS: f64 = 25.0;

/// Grounds for hidden cells where the canvas is like a colour of the map: the grey of masked cells, then tints.
const GROUNDS: [Color; 5] = [
    Color::rgb(0xcf, 0xcf, 0xcf),
    Color::rgb(0xe8, 0xd6, 0xb0),
    Color::rgb(0xc9, 0xb4, 0xd9),
    Color::rgb(0xb5, 0xd6, 0xc0),
    Color::rgb(0x6d, 0x5a, 0x46),
];

/// The colour of cells whose values are hidden: the canvas, as for cells that a mask hides, unless it is like one of the
/// colours that values have; then the first ground that is like none of them, else the least like one.
pub fn hidden_color(background: Color, values: &[Color]) -> Color {
    if background.alpha() == 0 {
        return background;
    }
    let apart = |c: Color| {
        let far = values.iter().map(|v| v.over(background).difference(c));
        far.fold(f64::INFINITY, f64::min)
    };
    if apart(background) >= LIKE_CANVAS {
        return background;
    }
    if let Some(ground) = GROUNDS.into_iter().find(|g| apart(*g) >= TOO_NEAR) {
        return ground;
    }
    let farthest = GROUNDS.into_iter().max_by(|a, b| apart(*a).total_cmp(&apart(*b)));
    farthest.unwrap_or(background)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_cells_look_like_no_value_of_any_map() {
        let dark = Color::rgb(0x16, 0x18, 0x1d);
        for name in Colormap::names() {
            let map = Colormap::named(name).unwrap();
            for background in [Color::WHITE, dark] {
                let c = hidden_color(background, &map.entries);
                let near = map.entries.iter().map(|e| e.difference(c)).fold(f64::MAX, f64::min);
                assert!(near >= TOO_NEAR, "{name} on {background:?}: {c:?} is {near} away");
            }
        }
        let of = |name, on| hidden_color(on, &Colormap::named(name).unwrap().entries);
        // Where the canvas is unlike all colours, hidden cells are empty.
        assert_eq!(of("viridis", Color::WHITE), Color::WHITE);
        assert_eq!(of("Blues", Color::WHITE), GROUNDS[0]);
        assert_eq!(of("YlGnBu", Color::WHITE), GROUNDS[0]);
        assert_eq!(of("Blues", dark), dark);
        assert_ne!(of("magma", dark), dark);
        assert_eq!(of("Blues", Color::CLEAR), Color::CLEAR);
    }

    #[test]
    fn patterns_repeat_and_greys_hide_in_no_map() {
        let f = Fill { color: Color::WHITE, pattern: Pattern::Hatch, ink: Color::BLACK };
        let row: Vec<bool> = (0..12).map(|x| f.color_at(x, 0, 2) == Color::BLACK).collect();
        assert_eq!(row.iter().filter(|b| **b).count(), 2);
        let fills = |name| default_fills(Color::WHITE, &Colormap::named(name).unwrap());
        assert_eq!(fills("gray")[State::Nan.index()].pattern, Pattern::Hatch);
        assert_eq!(fills("viridis")[State::Nan.index()].pattern, Pattern::Solid);
    }
}
