//! The room that tracks beside bodies take.

use super::flow::wrap;
use super::measure::{Fonts, LEADING, LINE, tick_gap};
use crate::resolve::{Frame, TrackFrame, TrackSide};
use gridscope_core::text::Measure;

/// The most that the tracks that shrink take of a body's width or height, all together.
const MOST_SHARE: f64 = 1.0 / 3.0;
/// The em of small text that the numbers of a track's axis take along the body's rows: four digits and a point.
pub(super) const NUMBERS: f64 = 2.7;
/// The em that a title left of a body takes before it is broken into lines.
const TITLE: f64 = 3.6;
/// The em between the numbers of an axis and its title.
pub(super) const TITLE_GAP: f64 = 0.35;

/// The room of all tracks, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tracks {
    /// From the body to what follows the tracks, by [`TrackSide::index`]. That over the body is also for the titles and
    /// numbers of the tracks at its sides.
    pub room: [f64; 4],
    /// Left of the bodies: titles and numbers of the tracks over and under them.
    pub names: f64,
    /// The factors for the tracks that shrink: those beside the body, those over and under it.
    scale: (f64, f64),
    /// The lines of each track's title, and whether they are upright.
    pub titles: Vec<(Vec<String>, bool)>,
}

impl Tracks {
    /// The pixels of em of a track.
    pub(super) fn pixels(&self, track: &TrackFrame, em: f64, f: f64) -> f64 {
        let scale = if track.side.is_along_x() { self.scale.1 } else { self.scale.0 };
        if track.shrinks { em * f * scale } else { em * f }
    }
}

/// Computes the room of tracks beside bodies of the size of the slot.
pub(super) fn track_room(frame: &Frame, fonts: &Fonts, slot: (u32, u32), m: &mut dyn Measure) -> Tracks {
    let (f, small) = (fonts.tick, fonts.note);
    let share = |along_x: bool, length: u32| {
        let shrinking = frame.tracks.iter();
        let shrinking = shrinking.filter(|t| t.shrinks && t.side.is_along_x() == along_x);
        let em: f64 = shrinking.map(|t| t.room).sum();
        (MOST_SHARE * f64::from(length) / (em * f).max(1e-9)).min(1.0)
    };
    let mut out = Tracks { scale: (share(false, slot.0), share(true, slot.1)), ..Tracks::default() };
    let mut header = 0.0f64;
    for track in &frame.tracks {
        let numbers = if track.has_axis { NUMBERS * small } else { 0.0 };
        let mut upright = false;
        let mut lines = Vec::new();
        let widest = |lines: &[String], m: &mut dyn Measure| {
            lines.iter().map(|l| m.size(l, f).width).fold(0.0, f64::max)
        };
        if !track.title.is_empty() && !track.side.is_along_x() {
            let room = out.pixels(track, track.room, f);
            upright = track.title.split(' ').any(|w| m.size(w, f).width > room);
            lines = if upright { vec![track.title.clone()] } else { wrap(&track.title, f, room, m) };
            let title =
                if upright { widest(&lines, m) } else { (LINE + LEADING * (lines.len() as f64 - 1.0)) * f };
            let numbers = if track.has_axis { LINE * small } else { 0.0 };
            header = header.max(tick_gap(f) + numbers + TITLE_GAP * f + title);
        } else if !track.title.is_empty() {
            let most = track.title.split(' ').map(|w| m.size(w, f).width).fold(0.0, f64::max);
            lines = wrap(&track.title, f, most.max(TITLE * f), m);
            out.names = out.names.max(tick_gap(f) + numbers + TITLE_GAP * f + widest(&lines, m));
        }
        out.titles.push((lines, upright));
        out.room[track.side.index()] += out.pixels(track, track.room, f);
    }
    let top = &mut out.room[TrackSide::Top.index()];
    *top = top.max(header);
    out
}
