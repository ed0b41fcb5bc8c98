//! The overlay over the figure: selection, crosshair, histograms, status line, list of keys.

mod marks;
mod linked;
mod strip;
mod status;
mod profiles;
mod trace;
mod distribution;
mod toolbar;
mod keys;
mod maps;
mod menu;

pub(crate) use keys::KeyGroup;
pub(crate) use menu::menu_at;
pub(crate) use status::status_height;
pub(crate) use toolbar::toolbar_height;

pub(super) use distribution::Counted;
pub(super) use keys::key_lines;

use super::geometry::WindowGeometry;
use super::histogram::{Histogram, paint};
use super::profile::Profiles;
use super::prompt::PromptHelp;
use super::readout::{LinkedCells, Table};
use super::session::Trace;
use super::state::ViewState;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::{CAP_HEIGHT, Measure, shorten};
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
    /// The values of a cell in all slices.
    pub trace: Option<Trace<'a>>,
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

impl<'a> OverlayInput<'a> {
    /// Of a state, with nothing read yet and nothing else to show; `em` is the figure's font size in pixels.
    pub(super) fn bare(
        geometry: &'a WindowGeometry,
        state: &'a ViewState,
        palette: Palette,
        em: f64,
    ) -> Self {
        Self {
            geometry,
            state,
            palette,
            em,
            pointer: "",
            selection: "",
            linked: &[],
            thumbs: &[],
            view: "",
            progress: None,
            standing: None,
            times: None,
            statistics: None,
            profiles: None,
            trace: None,
            counted: &Counted::Counting,
            obstacles: &[],
            histograms: &[],
            minimap: None,
            notice: None,
            prompt: None,
            keys: &[],
        }
    }
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
        marks::matches(geometry, state, &mut items);
        marks::selection(geometry, state, &mut items);
        strip::minimap(view, &mut items);
        strip::axis_part(view, &mut items);
        marks::rubber(geometry, state, &mut items);
        linked::comparing(view, m, &mut items);
        if state.rubber.is_none() && !state.keys {
            marks::crosshair(geometry, state, view.palette, &mut items);
            linked::linked(view, m, &mut items);
        }
        if let Some(p) = view.profiles.filter(|_| !state.keys) {
            profiles::profiles(view, p, m, &mut items);
        }
        if let Some(t) = view.trace.filter(|_| !state.keys) {
            trace::trace(view, &t, m, &mut items);
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
        menu::notice(view, notice, m, &mut items);
    }
    strip::strip(view, m, &mut items);
    strip::sliders(view, m, &mut items);
    status::status(view, m, &mut items);
    if let (None, false, Some(statistics)) = (view.notice, state.keys, view.statistics) {
        menu::table(view, statistics, m, &mut items);
    }
    toolbar::toolbar(view, m, &mut items);
    if let (true, None, Some(times)) = (state.frames, view.notice, view.times) {
        menu::frame_times(view, times, m, &mut items);
    }
    menu::menu(view, m, &mut items);
    if let Some(help) = view.prompt {
        status::prompt(view, help, m, &mut items);
    }
    maps::table(view, m, &mut items);
    if state.keys {
        keys::keys(view, m, &mut items);
    }
    items
}

/// Font size of plain text, in logical pixels.
const FONT: f64 = 12.0;

/// A line of text that begins at `x`, its capitals centred on `middle`, at whole pixels so that it is crisp.
fn write(text: &str, font_size: f64, x: f64, middle: f64, color: Color, items: &mut Vec<Item>) {
    if !text.is_empty() {
        let at = Point { x: x.round(), y: (middle + CAP_HEIGHT * font_size / 2.0).round() };
        items.push(Item::Text { text: text.to_owned(), font_size, at, degrees: 0, color });
    }
}

/// The text, shortened in the middle until it is no wider than `width`; empty where not even an ellipsis
/// fits.
fn fit(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    fit_by(text, font_size, width, m, shorten)
}

/// As [`fit`], but shortened at the end.
fn fit_head(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    let head = |text: &str, most: usize| {
        let kept: String = text.chars().take(most - 1).collect();
        format!("{}…", kept.trim_end_matches([' ', ',', ':']))
    };
    fit_by(text, font_size, width, m, head)
}

/// As [`fit`], but shortened at the beginning.
fn fit_tail(text: &str, font_size: f64, width: f64, m: &mut dyn Measure) -> String {
    let tail = |text: &str, most: usize| {
        let over = text.chars().count() + 1 - most;
        format!("…{}", text.chars().skip(over).collect::<String>())
    };
    fit_by(text, font_size, width, m, tail)
}

fn fit_by(
    text: &str,
    font_size: f64,
    width: f64,
    m: &mut dyn Measure,
    cut: impl Fn(&str, usize) -> String,
) -> String {
    let full = m.size(text, font_size).width;
    if full <= width {
        return text.to_owned();
    }
    let mut keep = (text.chars().count() as f64 * width.max(0.0) / full) as usize;
    while keep >= 2 {
        let t = cut(text, keep);
        if m.size(&t, font_size).width <= width {
            return t;
        }
        keep -= 1;
    }
    if m.size("…", font_size).width <= width { "…".to_owned() } else { String::new() }
}

/// A frame of this thickness along the inside of a rectangle.
fn frame(r: &Rect, thick: f64, color: Color, items: &mut Vec<Item>) {
    for rect in edges(r, thick) {
        items.push(Item::Rect { rect, color });
    }
}

/// The four sides of a frame along the inside of a rectangle, without overlap.
fn edges(r: &Rect, t: f64) -> [Rect; 4] {
    let inner = (r.h - 2.0 * t).max(0.0);
    [
        Rect::new(r.x, r.y, r.w, t.min(r.h)),
        Rect::new(r.x, r.bottom() - t, r.w, if r.h > t { t } else { 0.0 }),
        Rect::new(r.x, r.y + t, t.min(r.w), inner),
        Rect::new(r.right() - t, r.y + t, if r.w > t { t } else { 0.0 }, inner),
    ]
}

#[cfg(test)]
mod lettering_tests {
    use super::*;
    use gridscope_core::text::Fake;

    #[test]
    fn texts_keep_their_width() {
        let fit = |w| fit("row 12, column 4 · 41.25", 10.0, w, &mut Fake);
        let head = |w| fit_head("mean 0.25, min 0.1", 10.0, w, &mut Fake);
        assert_eq!(
            [head(108.0), head(72.0), head(66.0), head(7.0)],
            ["mean 0.25, min 0.1", "mean 0.25…", "mean 0.25…", "…"]
        );
        let tail = |w| fit_tail("limits 2% 98%", 10.0, w, &mut Fake);
        assert_eq!([tail(78.0), tail(77.0), tail(24.0)], ["limits 2% 98%", "…mits 2% 98%", "…98%"]);
        assert_eq!(
            [fit(144.0), fit(143.0), fit(60.0), fit(6.0), fit(5.0), fit(-3.0)],
            ["row 12, column 4 · 41.25", "row 12, col…n 4 · 41.25", "row 1…1.25", "…", "", ""]
        );
    }
}

#[cfg(test)]
mod tests;
