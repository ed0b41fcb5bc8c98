//! The overlay over the figure: selection, crosshair, histograms, status line, list of keys.

mod lettering;
mod marks;
mod status;
mod boxes;
mod keys;

pub(crate) use keys::KeyGroup;
pub(crate) use status::status_height;

use super::geometry::WindowGeometry;
use super::histogram::{Histogram, paint};
use super::state::ViewState;
use crate::resolve::Palette;
use crate::scene::Item;
use crate::text::Measure;

/// What the overlay shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverlayInput<'a> {
    /// Where everything is.
    pub geometry: &'a WindowGeometry,
    /// Pointer, selection, rubber box, search, message; whether keys and frame times are shown.
    pub state: &'a ViewState,
    /// The figure's background and ink.
    pub palette: Palette,
    /// The figure's font size in pixels.
    pub em: f64,
    /// The read-out of the pointer; may be empty.
    pub pointer: &'a str,
    /// The read-out of the selection; may be empty.
    pub selection: &'a str,
    /// The part of the data in view; may be empty.
    pub view: &'a str,
    /// The file that is being read.
    pub progress: Option<Progress<'a>>,
    /// Times of the previous frames; shown when the state asks for them.
    pub times: Option<FrameTimes>,
    /// Histograms of the values in view, one per scale.
    pub histograms: &'a [Option<Histogram>],
    /// Why the window has no figure; shown in its middle.
    pub notice: Option<&'a str>,
    /// All keys; shown when the state asks for them.
    pub keys: &'a [KeyGroup],
}

/// Progress of reading a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Progress<'a> {
    /// Its name.
    pub file: &'a str,
    /// 0 to 1; `None` if unknown.
    pub share: Option<f64>,
}

/// Times from a change of the state to its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameTimes {
    /// Half of the frames took no longer, in milliseconds.
    pub median: f64,
    /// 95 of 100 took no longer, in milliseconds.
    pub p95: f64,
    /// Number of frames.
    pub frames: usize,
}

/// The items over the figure, in painting order; none extends beyond the window.
pub(super) fn overlay(view: &OverlayInput<'_>, m: &mut dyn Measure) -> Vec<Item> {
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
