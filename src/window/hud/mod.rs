//! The overlay over the figure: selection, crosshair, histograms, status line, list of keys.

mod lettering;
mod marks;
mod matches;
mod minimap;
mod linked;
mod comparing;
mod strip;
mod typed;
mod latch;
mod status;
mod sliders;
mod boxes;
mod table;
mod profiles;
mod distribution;
mod prompt;
mod icons;
mod toolbar;
mod columns;
mod keys;
mod maps;
mod menu;

pub(crate) use columns::KeyGroup;
pub(super) use distribution::Counted;
pub(super) use keys::key_lines;
pub(crate) use menu::menu_at;
pub(crate) use status::status_height;
pub(crate) use toolbar::toolbar_height;

use super::geometry::WindowGeometry;
use super::histogram::{Histogram, paint};
use super::profile::Profiles;
use super::prompt::PromptHelp;
use super::readout::{LinkedCells, Table};
use super::state::ViewState;
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::resolve::Palette;
use gridscope_draw::scene::{Cells, Item};

/// Inputs of the overlay.
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
    /// The cells of all panels that belong to the one under the pointer; none unless the cursor is linked.
    pub linked: &'a [LinkedCells],
    /// The pictures of the thumbnails, as far as they are known.
    pub thumbs: &'a [Option<Cells>],
    /// The part of the data in view; may be empty.
    pub view: &'a str,
    /// The file that is being read.
    pub progress: Option<Progress<'a>>,
    /// Lasting message, such as that a watched file is gone; shown where there is no other.
    pub standing: Option<&'a str>,
    /// Times of the previous frames; shown when the state asks for them.
    pub times: Option<FrameTimes>,
    /// Statistics of the selection or of a panel.
    pub statistics: Option<&'a Table>,
    /// Profiles along the row and the column under the pointer.
    pub profiles: Option<&'a Profiles>,
    /// Counts of the cells of the distribution, as far as they are known.
    pub counted: &'a Counted,
    /// Rectangles that the figure has painted beside its bodies and bars.
    pub obstacles: &'a [Rect],
    /// Histograms of the values in view, one per scale.
    pub histograms: &'a [Option<Histogram>],
    /// The cells of the minimap.
    pub minimap: Option<&'a Cells>,
    /// Why the window has no figure; shown in its middle.
    pub notice: Option<&'a str>,
    /// Help above the prompt, while it is open.
    pub prompt: Option<&'a PromptHelp>,
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
        matches::matches(geometry, state, &mut items);
        marks::selection(geometry, state, &mut items);
        minimap::minimap(view, &mut items);
        marks::rubber(geometry, state, &mut items);
        comparing::comparing(view, m, &mut items);
        if state.rubber.is_none() && !state.keys {
            marks::crosshair(geometry, state, view.palette, &mut items);
            linked::linked(view, m, &mut items);
        }
        if let Some(p) = view.profiles.filter(|_| !state.keys) {
            profiles::profiles(view, p, m, &mut items);
        }
        for (bar, h) in
            geometry.bars.iter().zip(view.histograms).filter_map(|(bar, h)| bar.as_ref().zip(h.as_ref()))
        {
            paint(h, bar, geometry, view.em, view.palette, &mut items);
        }
        if let Some(d) = geometry.distribution.as_ref().filter(|_| !state.keys) {
            distribution::distribution(view, d, view.counted, m, &mut items);
        }
    }
    if let Some(notice) = view.notice {
        boxes::notice(view, notice, m, &mut items);
    }
    strip::strip(view, m, &mut items);
    sliders::sliders(view, m, &mut items);
    status::status(view, m, &mut items);
    if let (None, false, Some(statistics)) = (view.notice, state.keys, view.statistics) {
        table::table(view, statistics, m, &mut items);
    }
    toolbar::toolbar(view, m, &mut items);
    if let (true, None, Some(times)) = (state.frames, view.notice, view.times) {
        boxes::times(view, times, m, &mut items);
    }
    menu::menu(view, m, &mut items);
    if let Some(help) = view.prompt {
        prompt::prompt(view, help, m, &mut items);
    }
    maps::table(view, m, &mut items);
    if state.keys {
        keys::keys(view, m, &mut items);
    }
    items
}

#[cfg(test)]
mod tests;
