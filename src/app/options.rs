//! How a window is opened.

use super::hud::status_height;
use super::script::ScriptLine;
use crate::figure::{Figure, Length, Side, Unit};
use crate::gpu::AdapterPreference;
use crate::input::usual_limit;
use std::path::Path;

/// The window's size in logical pixels, where the figure has none of its own.
const SIZE: [f64; 2] = [1280.0, 800.0];
/// The shortest and the longest side of a new window, in logical pixels.
const SIDES: [f64; 2] = [64.0, 8192.0];

/// How a window is opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The file's name, for the title.
    pub file: String,
    /// The first part of the names of saved files.
    pub stem: String,
    /// The window's size in logical pixels.
    pub size: [f64; 2],
    /// Which device draws.
    pub preference: AdapterPreference,
    /// Bytes that grids may take on the device.
    pub memory: u64,
    /// A script to run, one frame per step, once the figure is shown.
    pub script: Vec<ScriptLine>,
    /// Whether the window closes when the script ends.
    pub closes: bool,
    /// Whether frame times are shown.
    pub frames: bool,
}

impl Options {
    /// A window for a figure of a file, with the figure's size, on the best device. `file` is its path or any name.
    pub fn new(file: &str, figure: &Figure) -> Self {
        Self {
            file: file.to_owned(),
            stem: stem(file),
            size: size_of(figure),
            preference: AdapterPreference::default(),
            memory: usual_limit(),
            script: Vec::new(),
            closes: false,
            frames: false,
        }
    }
}

/// The window's size for a figure, in logical pixels, status line included.
fn size_of(figure: &Figure) -> [f64; 2] {
    // A figure with a resolution of its own is shown as on a display of that resolution.
    let dpi = figure
        .size
        .dpi
        .filter(|d| (1.0..=10_000.0).contains(d))
        .unwrap_or(96.0);
    let side = |given: Option<&Length>, usual: f64, more: f64| {
        let pixels = given.map(|l| l.pixels(dpi, Unit::Pixel) * 96.0 / dpi + more);
        pixels.map_or(usual, |p| p.clamp(SIDES[0], SIDES[1]))
    };
    [
        side(figure.size.width.as_ref().and_then(Side::length), SIZE[0], 0.0),
        side(
            figure.size.height.as_ref().and_then(Side::length),
            SIZE[1],
            f64::from(status_height(1.0)),
        ),
    ]
}

/// The first part of the names under which pictures of a file are saved.
fn stem(file: &str) -> String {
    let stem = Path::new(file)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    stem.filter(|s| !s.is_empty() && s != "-")
        .unwrap_or_else(|| "gridscope".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_as_large_as_the_figure_says() {
        let of = |w: &str, h: &str| {
            let mut figure = Figure::default();
            (figure.size.width, figure.size.height) = (Some(w.parse().unwrap()), Some(h.parse().unwrap()));
            size_of(&figure)
        };
        assert_eq!(
            (of("6.5in", "auto"), of("900", "1e9"), of("1px", "72pt")),
            ([624.0, 800.0], [900.0, 8192.0], [64.0, 120.0])
        );
        assert_eq!(size_of(&Figure::default()), SIZE);
    }

    #[test]
    fn stems_are_names_of_files() {
        assert_eq!(
            ["runs/r1.csv", "-", "fig.toml", ".hidden", ""].map(stem),
            ["r1", "gridscope", "fig", ".hidden", "gridscope"]
        );
    }
}
