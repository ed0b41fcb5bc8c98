//! Tracks beside bodies: their rectangles and titles.

use super::measure::{LEADING, LINE, tick_gap};
use super::sheet::Sheet;
use super::track_room::{NUMBERS, TITLE_GAP};
use super::{AxisRoom, Label, TrackLayout};
use crate::resolve::{TrackFrame, TrackSide};
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::text::CAP_HEIGHT;

impl Sheet<'_> {
    /// The pixels between a body and what follows its tracks on a side.
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
