//! What lies over the figure: selection, crosshair, histograms, status line, the overlay of all keys.

mod lettering;
mod marks;
mod status;
mod boxes;
mod keys;

pub use keys::KeyGroup;
pub use status::status_height;

use super::geometry::WindowGeometry;
use super::histogram::{Histogram, paint};
use super::state::ViewState;
use crate::resolve::Palette;
use crate::scene::Item;
use crate::text::Measure;

/// What to show, beside what the geometry and the state say themselves.
#[derive(Clone, Copy, Debug)]
pub struct OverlayInput<'a> {
    /// Where everything is.
    pub geometry: &'a WindowGeometry,
    /// Pointer, selection, rubber box, search, message; whether keys and frame times are shown.
    pub state: &'a ViewState,
    /// The figure's background and ink.
    pub palette: Palette,
    /// The figure's font size in pixels.
    pub em: f64,
    /// What lies under the pointer; may be empty.
    pub pointer: &'a str,
    /// What is selected; may be empty.
    pub selection: &'a str,
    /// How much of the data is in view; may be empty.
    pub view: &'a str,
    /// A file that is being read.
    pub progress: Option<Progress<'a>>,
    /// The times of the frames before; shown when the state asks for them.
    pub times: Option<FrameTimes>,
    /// The values in view, one a scale.
    pub histograms: &'a [Option<Histogram>],
    /// Why there is no figure in the window; its lines appear in the middle.
    pub notice: Option<&'a str>,
    /// All keys; shown when the state asks for them.
    pub keys: &'a [KeyGroup],
}

/// How far a file is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Its name.
    pub file: &'a str,
    /// 0 to 1; `None` where nobody knows.
    pub share: Option<f64>,
}

/// Times from a change of the state to its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    /// Half of the frames took no longer, in milliseconds.
    pub median: f64,
    /// 95 of 100 took no longer, in milliseconds.
    pub p95: f64,
    /// How many there were.
    pub frames: usize,
}

/// The items over the figure, in the order of painting; none leaves the window.
pub fn overlay(view: &OverlayInput<'_>, m: &mut dyn Measure) -> Vec<Item> {
    let mut items = Vec::new();
    let (geometry, state) = (view.geometry, view.state);
    if view.notice.is_none() {
        marks::selection(geometry, state, &mut items);
        marks::rubber(geometry, state, &mut items);
        if state.rubber.is_none() && !state.keys {
            marks::crosshair(geometry, state, view.palette, &mut items);
        }
        for (bar, h) in geometry
            .bars
            .iter()
            .zip(view.histograms)
            .filter_map(|(bar, h)| bar.as_ref().zip(h.as_ref()))
        {
            paint(h, bar, geometry, view.em, view.palette, &mut items);
        }
    }
    if let Some(notice) = view.notice {
        boxes::notice(view, notice, m, &mut items);
    }
    status::status(view, m, &mut items);
    if let (true, None, Some(times)) = (state.frames, view.notice, view.times) {
        boxes::times(view, times, m, &mut items);
    }
    if state.keys {
        keys::keys(view, m, &mut items);
    }
    items
}

#[cfg(test)]
mod tests;
