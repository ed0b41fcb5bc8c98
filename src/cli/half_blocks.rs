//! A picture as text in terminal colours: each character shows two pixels, one above the other.

use gridscope_core::color::Color;
use gridscope_core::image::Image;
use std::fmt::Write;

/// The colours that a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// 24 bits.
    True,
    /// The 256-colour palette: a cube of 6 x 6 x 6 and 24 greys.
    Palette,
}

/// The channel values of the palette's cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The picture as text, a line for two rows of pixels. Transparent pixels show the terminal's background, and every
/// line ends with the terminal's default colours.
pub(super) fn half_blocks(image: &Image, depth: Depth) -> String {
    let mut out = String::new();
    for y in (0..image.height).step_by(2) {
        let mut pen = (None, None);
        for x in 0..image.width {
            let pixel = |y: u32| (y < image.height).then(|| image.at(x, y)).filter(|c| c.alpha() > 0);
            let (glyph, ink, ground) = match (pixel(y), pixel(y + 1)) {
                (Some(upper), lower) => ('▀', Some(upper), lower),
                (None, Some(lower)) => ('▄', Some(lower), None),
                (None, None) => (' ', None, None),
            };
            // A blank shows no ink, so the ink need not change.
            let new = (ink.or(pen.0), ground);
            let mut codes = Vec::new();
            if let Some(c) = new.0.filter(|_| new.0 != pen.0) {
                codes.push(format!("38;{}", code(c, depth)));
            }
            if new.1 != pen.1 {
                codes.push(ground.map_or("49".to_owned(), |c| format!("48;{}", code(c, depth))));
            }
            if !codes.is_empty() {
                let _ = write!(out, "\u{1b}[{}m", codes.join(";"));
            }
            out.push(glyph);
            pen = new;
        }
        out.push_str(if pen == (None, None) { "\n" } else { "\u{1b}[0m\n" });
    }
    out
}

/// The parameters of a colour after `38;` and `48;`. Translucent colours are blended with white, as in a picture.
fn code(color: Color, depth: Depth) -> String {
    let [r, g, b, _] = color.over(Color::WHITE).rgba();
    match depth {
        Depth::True => format!("2;{r};{g};{b}"),
        Depth::Palette => format!("5;{}", nearest([r, g, b])),
    }
}

/// The nearest colour of the palette by the sum of squared differences of the channels. The first 16 colours are left
/// out, because users change them.
fn nearest(rgb: [u8; 3]) -> u8 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let level = |v: u8| (0..6u8).min_by_key(|&i| square(CUBE[usize::from(i)], v)).unwrap_or(0);
    let cube = rgb.map(level);
    let from_cube: u32 = cube.iter().zip(rgb).map(|(&i, v)| square(CUBE[usize::from(i)], v)).sum();
    let from_grey = |i: u8| rgb.iter().map(|&v| square(8 + 10 * i, v)).sum::<u32>();
    match (0..24).min_by_key(|&i| from_grey(i)) {
        Some(grey) if from_grey(grey) < from_cube => 232 + grey,
        _ => 16 + 36 * cube[0] + 6 * cube[1] + cube[2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Color = Color::rgb(255, 0, 0);
    const BLUE: Color = Color::rgb(0, 0, 254);

    fn image(width: u32, colors: &[Color]) -> Image {
        let pixels = colors.iter().flat_map(Color::rgba).collect();
        Image { width, height: colors.len() as u32 / width, pixels }
    }

    #[test]
    fn two_pixels_share_a_character() {
        let four = image(2, &[RED, Color::BLACK, BLUE, Color::WHITE]);
        let want = "\u{1b}[38;2;255;0;0;48;2;0;0;254m▀\u{1b}[38;2;0;0;0;48;2;255;255;255m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&four, Depth::True), want);
        let want = "\u{1b}[38;5;196;48;5;21m▀\u{1b}[38;5;16;48;5;231m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&four, Depth::Palette), want);
    }

    #[test]
    fn a_colour_is_written_only_when_it_changes() {
        let two_lines = image(3, &[RED, RED, RED, BLUE, BLUE, RED, RED, RED, RED]);
        let want = "\u{1b}[38;2;255;0;0;48;2;0;0;254m▀▀\u{1b}[48;2;255;0;0m▀\u{1b}[0m\n\u{1b}[38;2;255;0;0m▀▀▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&two_lines, Depth::True), want);
    }

    #[test]
    fn transparent_pixels_show_the_terminals_background() {
        let (none, half) = (Color::CLEAR, Color::rgba_of(0, 0, 0, 128));
        let mixed = image(4, &[none, RED, none, half, none, none, RED, none]);
        let want = " \u{1b}[38;2;255;0;0m▀▄\u{1b}[38;2;127;127;127m▀\u{1b}[0m\n";
        assert_eq!(half_blocks(&mixed, Depth::True), want);
        let after = image(2, &[RED, none, BLUE, none]);
        assert_eq!(half_blocks(&after, Depth::Palette), "\u{1b}[38;5;196;48;5;21m▀\u{1b}[49m \u{1b}[0m\n");
        assert_eq!(half_blocks(&image(3, &[none; 3]), Depth::True), "   \n");
    }

    #[test]
    fn the_palettes_nearest_colour_is_taken() {
        for (rgb, want) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([9, 8, 8], 232),
            ([0x9e, 0x9e, 0x9e], 247),
            ([95, 135, 175], 67),
            ([68, 1, 84], 53),
            ([253, 231, 36], 220),
        ] {
            assert_eq!(nearest(rgb), want, "{rgb:?}");
        }
    }
}
