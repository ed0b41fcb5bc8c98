//! Tracks beside bodies: their room, their rectangles and titles, and the trees of clustered rows and columns.

use super::flow::wrap;
use super::measure::{Fonts, LEADING, LINE, tick_gap};
use super::page::PanelPage;
use super::plan::Sheet;
use super::{AxisRoom, Label, TrackLayout};
use crate::resolve::{Frame, TrackFrame, TrackSide};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::text::{CAP_HEIGHT, Measure};
use gridscope_core::view::EdgeTable;
use std::collections::HashSet;

impl Sheet<'_> {
    /// The pixels between a body and the next thing beyond its tracks on a side.
    pub(super) fn track_room(&self, side: TrackSide) -> f64 {
        self.page.tracks.room[side.index()]
    }

    /// Places the tracks beside a body, and their titles.
    pub(super) fn tracks(&mut self, r: &Rect) -> Vec<TrackLayout> {
        let (f, page) = (self.f, self.page);
        let mut from = [0.0f64; 4];
        let mut out = Vec::with_capacity(self.frame.tracks.len());
        for (track, (lines, upright)) in self.frame.tracks.iter().zip(&page.tracks.titles) {
            let at = &mut from[track.side.index()];
            let px = |em: f64| page.tracks.pixels(track, em, f);
            let begin = (*at + px(track.gap)).round();
            let deep = px(track.depth).round().max(1.0);
            *at += px(track.room);
            let rect = match track.side {
                TrackSide::Left => Rect::new(r.x - begin - deep, r.y, deep, r.h),
                TrackSide::Right => Rect::new(r.right() + begin, r.y, deep, r.h),
                TrackSide::Top => Rect::new(r.x, r.y - begin - deep, r.w, deep),
                TrackSide::Bottom => Rect::new(r.x, r.bottom() + begin, r.w, deep),
            };
            let small = page.fonts.note;
            let title = self.track_title(track, &rect, lines, *upright);
            let mut axis = None;
            if track.has_axis {
                axis = Some(AxisRoom {
                    font_size: small,
                    gap: tick_gap(f),
                    room: if track.side.is_along_x() { NUMBERS * small } else { px(track.room) },
                    title,
                });
            } else {
                self.layout.texts.extend(title);
            }
            out.push(TrackLayout {
                rect: PxRect { x: rect.x as i32, y: rect.y as i32, w: rect.w as u32, h: rect.h as u32 },
                axis,
            });
        }
        out
    }

    /// The title of a track, beyond the numbers of its axis.
    fn track_title(
        &mut self,
        track: &TrackFrame,
        rect: &Rect,
        lines: &[String],
        upright: bool,
    ) -> Vec<Label> {
        let (f, small) = (self.f, self.page.fonts.note);
        let n = lines.len() as f64;
        let mut out = Vec::with_capacity(lines.len());
        for (k, line) in lines.iter().enumerate() {
            let (k, w) = (k as f64, self.m.size(line, f).width);
            let at = if track.side.is_along_x() {
                let numbers = if track.has_axis { NUMBERS * small + TITLE_GAP * f } else { 0.0 };
                let first = rect.center().y + (CAP_HEIGHT - LEADING * (n - 1.0)) * f / 2.0;
                Point { x: rect.x - tick_gap(f) - numbers - w, y: first + k * LEADING * f }
            } else {
                let numbers = if track.has_axis { LINE * small } else { 0.0 };
                let bottom = rect.y - tick_gap(f) - numbers - TITLE_GAP * f;
                if upright {
                    Point { x: rect.center().x + CAP_HEIGHT * f / 2.0, y: bottom }
                } else {
                    Point { x: rect.center().x - w / 2.0, y: bottom - 0.22 * f - (n - 1.0 - k) * LEADING * f }
                }
            };
            out.push(Label { text: line.clone(), font_size: f, at, degrees: if upright { 90 } else { 0 } });
        }
        out
    }
}

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
    /// The room between body and surroundings, by [`TrackSide::index`]. That over the body is also for the titles and
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

/// The distance, in widths of their lines, from which on the two lines of a merge have the full ink.
const CLEAR: f64 = 24.0;
/// The least share of the ink.
const FAINTEST: f64 = 0.14;

/// The pixel of a place in cells: between the middles of two cells, as far as it is between them.
fn pixel(place: f64, cells: usize, table: &EdgeTable) -> f64 {
    let middle = |cell: usize| {
        let (a, b) = table.extent(cell);
        f64::midpoint(a, b)
    };
    let last = cells - 1;
    let from = (place - 0.5).floor().clamp(0.0, last.saturating_sub(1) as f64) as usize;
    if last == 0 {
        return middle(0);
    }
    let (a, b) = (middle(from), middle(from + 1));
    a + (place - 0.5 - from as f64) * (b - a)
}

impl Sheet<'_> {
    /// Draws the tree of a panel's rows or columns: leaves at the body, heights to scale.
    pub(super) fn dendrogram(&mut self, i: usize, panel: &PanelPage, of_rows: bool, at: &Rect) {
        let frame = &self.frame.panels[i];
        let (axis, table) =
            if of_rows { (&frame.rows, &panel.rows) } else { (&frame.columns, &panel.columns) };
        let Some(tree) = &axis.tree else { return };
        let ink = self.frame.palette.ink;
        let length = f64::from(table.pixels());
        // Lines of leaves that are near each other are thin.
        let is_dense = length / (axis.len() as f64) < 3.0 * self.line;
        let line = if is_dense { self.line.min(1.0) } else { self.line };
        let deep = (if of_rows { at.w } else { at.h } - line).max(0.0);
        let depth = |height: f64| {
            if tree.height() > 0.0 { (height / tree.height() * deep).round() } else { 0.0 }
        };
        let (background, [red, green, blue, _]) = (self.frame.palette.background, ink.rgba());
        // Side by side the lines of near leaves are one area; the fainter the nearer, wide merges are seen over it.
        let faded = |apart: f64| {
            let share = (apart / CLEAR).clamp(FAINTEST, 1.0);
            Color::rgba_of(red, green, blue, (255.0 * share).round() as u8)
        };
        // Lines of merges in one pixel are drawn once.
        let mut drawn: HashSet<[i64; 4]> = HashSet::new();
        let mut rect = |along: (f64, f64), across: (f64, f64), color: Color| {
            let (a, b) = (along.0.max(0.0), along.1.min(length));
            if a >= b || across.0 >= across.1 {
                return;
            }
            let rect = if of_rows {
                Rect::new(at.x + across.0, at.y + a, across.1 - across.0, b - a)
            } else {
                Rect::new(at.x + a, at.bottom() - across.1, b - a, across.1 - across.0)
            };
            if drawn.insert([rect.x, rect.y, rect.w, rect.h].map(|v| v as i64)) {
                self.layout.rects.push((rect, color));
            }
        };
        for join in tree.joins() {
            let top = depth(join.height);
            let places = join.ends.map(|(place, _)| pixel(place, axis.len(), table));
            let color = match is_dense {
                true => faded((places[0] - places[1]).abs() / line).over(background),
                false => ink,
            };
            let starts = places.map(|place| (place - line / 2.0).round());
            for (start, (_, height)) in starts.into_iter().zip(join.ends) {
                rect((start, start + line), (depth(height), top + line), color);
            }
            let (first, last) = (starts[0].min(starts[1]), starts[0].max(starts[1]));
            rect((first, last + line), (top, top + line), color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, layout};
    use super::*;
    use crate::resolve::{Overrides, TrackKind, frame};
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::Grid;
    use gridscope_core::text::Fake;

    fn track(side: TrackSide, title: &str) -> TrackFrame {
        TrackFrame {
            side,
            kind: TrackKind::Tree { of_rows: true },
            gap: 0.4,
            depth: 3.0,
            room: 3.6,
            shrinks: true,
            title: title.to_owned(),
            has_axis: !title.is_empty(),
        }
    }

    /// The layout of some grids with these tracks, and its size of text.
    fn laid_out(shapes: &[(usize, usize)], tracks: Vec<TrackFrame>) -> (Layout, f64) {
        let grid = |(h, w): &(usize, usize)| Grid::from_rows(*h, *w, vec![1.0; h * w]).unwrap();
        let grids: Vec<Grid> = shapes.iter().map(grid).collect();
        let mut frame = frame(&Figure::default(), &Overrides::default(), &grids).unwrap();
        frame.tracks = tracks;
        (layout(&frame, &mut Fake).unwrap(), frame.font_size)
    }

    #[test]
    fn tracks_are_aligned_with_their_bodies_and_follow_each_other_outwards() {
        use TrackSide::{Bottom, Left, Right, Top};
        let sides = [Left, Right, Right, Top, Top, Bottom];
        let tracks = || sides.iter().map(|s| track(*s, "mean")).collect();
        for shapes in [&[(5, 9)][..], &[(40, 30); 5], &[(1, 300), (300, 1)]] {
            let (layout, f) = laid_out(shapes, tracks());
            for p in &layout.panels {
                let body = p.body.rect();
                let rects: Vec<Rect> = p.tracks.iter().map(|t| t.rect.rect()).collect();
                for (side, r) in sides.iter().zip(&rects) {
                    let along = if side.is_along_x() {
                        (r.x, r.w) == (body.x, body.w)
                    } else {
                        (r.y, r.h) == (body.y, body.h)
                    };
                    assert!(along, "{side:?} {r:?} {body:?}");
                    assert!(r.x >= 0.0 && r.right() <= f64::from(layout.size.w));
                    assert!(r.y >= 0.0 && r.bottom() <= f64::from(layout.size.h));
                }
                assert!(rects[0].right() < body.x && rects[1].x > body.right());
                assert!(rects[2].x > rects[1].right() && rects[4].bottom() < rects[3].y);
                assert!(rects[5].y > body.bottom());
                // A third of the body, and what rounding adds.
                let wide = rects[0].w + rects[1].w + rects[2].w;
                assert!(wide <= body.w / 3.0 + 3.0 || body.w < 3.0 * f, "{wide} {body:?}");
            }
        }
    }

    #[test]
    fn titles_and_numbers_of_tracks_are_apart_from_all_other_texts() {
        use TrackSide::{Right, Top};
        for shapes in [&[(5, 9)][..], &[(7, 3); 4]] {
            let tracks = vec![track(Right, "mean ± std"), track(Top, "largest value")];
            let (layout, f) = laid_out(shapes, tracks);
            let titles = layout.panels.iter().flat_map(|p| &p.tracks).filter_map(|t| t.axis.as_ref());
            let boxes: Vec<Rect> = layout
                .texts
                .iter()
                .chain(titles.flat_map(|axis| &axis.title))
                .filter(|t| t.degrees == 0)
                .map(|t| {
                    let w = gridscope_core::text::Measure::size(&mut Fake, &t.text, t.font_size).width;
                    Rect::new(t.at.x, t.at.y - 0.7 * t.font_size, w, 0.8 * t.font_size)
                })
                .collect();
            let meet = |a: &Rect, b: &Rect| {
                a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
            };
            for (i, a) in boxes.iter().enumerate() {
                assert!(boxes[i + 1..].iter().all(|b| !meet(a, b)), "{i} {a:?} {f}");
                let rects = layout.panels.iter().flat_map(|p| &p.tracks);
                assert!(rects.into_iter().all(|t| !meet(a, &t.rect.rect())), "{i} {a:?}");
            }
        }
    }
}
