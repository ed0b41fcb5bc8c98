//! How a window is opened.

use super::hud::status_height;
use super::script::Line;
use crate::figure::{Figure, Length};
use crate::gpu::AdapterPreference;

/// The window in logical pixels, where the figure names no size.
const SIZE: [f64; 2] = [1280.0, 800.0];
/// No side begins smaller or larger than this.
const SIDES: [f64; 2] = [64.0, 8192.0];
/// How the window is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file's name, for the title.
    pub file: String,
    /// The first part of the names of saved files.
    pub stem: String,
    /// The window in logical pixels.
    pub size: [f64; 2],
    /// Which device.
    pub preference: AdapterPreference,
    /// Bytes that grids may take on the device.
    pub memory: u64,
    /// A frame each, once the figure is there.
    pub script: Vec<Line>,
    /// The window closes when the script ends.
    pub closes: bool,
    /// Frame times are shown.
    pub frames: bool,
}

/// The window that a figure asks for, in logical pixels, its status line included.
pub fn wanted(figure: &Figure) -> [f64; 2] {
    // Pixels of a figure with a resolution of its own are those of a display as fine.
    let dpi = figure
        .size
        .dpi
        .filter(|d| (1.0..=10_000.0).contains(d))
        .unwrap_or(96.0);
    let side = |given: &Option<Length>, usual: f64, more: f64| {
        let pixels = given
            .as_ref()
            .and_then(|l| l.pixels(dpi, "px").ok())
            .map(|p| p * 96.0 / dpi + more);
        pixels.map_or(usual, |p| p.clamp(SIDES[0], SIDES[1]))
    };
    [
        side(&figure.size.width, SIZE[0], 0.0),
        side(&figure.size.height, SIZE[1], f64::from(status_height(1.0))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_as_large_as_the_figure_says() {
        let of = |w: &str, h: &str| {
            let mut figure = Figure::default();
            (figure.size.width, figure.size.height) =
                (Some(Length(w.to_owned())), Some(Length(h.to_owned())));
            wanted(&figure)
        };
        assert_eq!(
            (of("6.5in", "auto"), of("900", "1e9"), of("1px", "72pt")),
            ([624.0, 800.0], [900.0, 8192.0], [64.0, 120.0])
        );
        assert_eq!(wanted(&Figure::default()), SIZE);
    }
}
