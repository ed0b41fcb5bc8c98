//! Greys between a figure's background and its ink.

use gridscope_core::color::Color;
use gridscope_draw::resolve::Palette;

/// A mix of background and ink: 0 is the background, 1 the ink.
pub(super) fn grey(palette: Palette, thick: f64) -> Color {
    let [r, g, b, _] = palette.ink.rgba();
    Color::rgba_of(r, g, b, byte(thick)).over(palette.background)
}

/// The greatest opacity that is less than full.
pub(super) const NOT_QUITE: f64 = 254.0 / 255.0;

/// The same colour with another opacity, 0 to 1.
pub(super) fn clear(color: Color, alpha: f64) -> Color {
    let [r, g, b, _] = color.rgba();
    Color::rgba_of(r, g, b, byte(alpha))
}

fn byte(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_run_from_background_to_ink() {
        let p = Palette { background: Color::rgb(0x16, 0x18, 0x1d), ink: Color::WHITE };
        assert_eq!((grey(p, 0.0), grey(p, 1.0), grey(p, 7.0)), (p.background, p.ink, p.ink));
        assert_eq!(
            grey(Palette { background: Color::WHITE, ink: Color::BLACK }, 0.4),
            Color::rgb(153, 153, 153)
        );
        assert_eq!(clear(Color::WHITE, 0.5), Color::rgba_of(255, 255, 255, 128));
    }
}
