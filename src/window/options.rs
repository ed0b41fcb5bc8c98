//! How a window is opened.

use super::geometry::TOOLBAR;
use super::hud::{status_height, toolbar_height};
use super::script::ScriptLine;
use super::session::SliceWish;
use gridscope_core::figure::{Figure, Length, Side, Unit};
use gridscope_core::geom::PxSize;
use gridscope_gpu::{AdapterPreference, Worker};
use gridscope_read::usual_limit;
use std::path::Path;
use std::sync::mpsc::Sender;

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
    /// The file to remember among those opened last; `None`: none.
    pub path: Option<String>,
    /// The window's size in logical pixels.
    pub size: [f64; 2],
    /// Which device draws.
    pub preference: AdapterPreference,
    /// Who folds and paints bodies; `None`: whoever is faster on the device, by the size of window and grids.
    pub worker: Option<Worker>,
    /// Bytes that grids may take on the device.
    pub memory: u64,
    /// A script to run, one frame per step, once the figure is shown.
    pub script: Vec<ScriptLine>,
    /// Whether the window closes when the script ends.
    pub closes: bool,
    /// Whether frame times are shown.
    pub frames: bool,
    /// Who reads other slices of the arrays; [`News::Slice`](super::News::Slice) brings them.
    pub slices: Option<Sender<SliceWish>>,
}

impl Options {
    /// A window for a figure of a file, with the figure's size, on the best device. `file` is its path or any name.
    pub fn new(file: &str, figure: &Figure) -> Self {
        Self {
            file: file.to_owned(),
            stem: stem(file),
            path: None,
            size: size_of(figure),
            preference: AdapterPreference::default(),
            worker: None,
            memory: usual_limit(),
            script: Vec::new(),
            closes: false,
            frames: false,
            slices: None,
        }
    }
}

/// The window's size for a figure, in logical pixels, status line included.
fn size_of(figure: &Figure) -> [f64; 2] {
    // A figure with a resolution of its own is shown as on a display of that resolution.
    let dpi = figure.size.dpi.filter(|d| (1.0..=10_000.0).contains(d)).unwrap_or(96.0);
    let side = |given: Option<&Length>, usual: f64, more: f64| {
        let pixels = given.map(|l| l.pixels(dpi, Unit::Pixel) * 96.0 / dpi + more);
        pixels.map_or(usual, |p| p.clamp(SIDES[0], SIDES[1]))
    };
    let width = side(figure.size.width.as_ref().and_then(Side::length), SIZE[0], 0.0);
    let height = |more: u32| {
        let own = figure.size.height.as_ref().and_then(Side::length);
        side(own, SIZE[1], f64::from(status_height(1.0) + more))
    };
    // A window that has room for the toolbar has one.
    let with_bar = PxSize { w: width as u32, h: height(TOOLBAR as u32) as u32 };
    [width, height(toolbar_height(with_bar, 1.0))]
}

/// Room of a panel bar and the decorations of a window on a monitor, in logical pixels: winit reports no work area.
const BESIDE: [f64; 2] = [32.0, 96.0];

/// The size of a new window on a monitor, both in logical pixels: as asked for, where that leaves room for a panel bar.
pub(super) fn fitted(asked: [f64; 2], monitor: Option<[f64; 2]>) -> [f64; 2] {
    let Some(monitor) = monitor else { return asked };
    [0, 1].map(|side| asked[side].min((monitor[side] - BESIDE[side]).max(SIDES[0])))
}

/// The first part of the names under which pictures of a file are saved.
pub(super) fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
    stem.filter(|s| !s.is_empty() && s != "-").unwrap_or_else(|| "gridscope".to_owned())
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
        assert_eq!((of("900", "576"), of("900", "145")), ([900.0, 630.0], [900.0, 169.0]));
        assert_eq!(size_of(&Figure::default()), SIZE);
    }

    #[test]
    fn a_new_window_fits_its_monitor_with_room_for_a_bar() {
        // Monitors in device pixels, at scale factors.
        let on = |asked, [w, h]: [f64; 2], scale: f64| fitted(asked, Some([w / scale, h / scale]));
        assert_eq!(on(SIZE, [1920.0, 1080.0], 1.0), SIZE);
        assert_eq!(on(SIZE, [1920.0, 1080.0], 1.5), [1248.0, 624.0]);
        assert_eq!(on(SIZE, [1920.0, 1080.0], 2.0), [928.0, 444.0]);
        assert_eq!(on(SIZE, [1024.0, 700.0], 1.0), [992.0, 604.0]);
        assert_eq!(on([300.0, 8192.0], [1024.0, 700.0], 1.0), [300.0, 604.0]);
        assert_eq!((fitted(SIZE, None), on(SIZE, [1.0, 1.0], 1.0)), (SIZE, [64.0, 64.0]));
    }

    #[test]
    fn stems_are_names_of_files() {
        assert_eq!(
            ["runs/r1.csv", "-", "fig.toml", ".hidden", ""].map(stem),
            ["r1", "gridscope", "fig", ".hidden", "gridscope"]
        );
    }
}
