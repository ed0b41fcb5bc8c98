//! Thin diagonal lines over places of a body, in an ink for each: one pattern that runs on from place to place.

use super::Item;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// A place that is hatched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Where.
    pub rect: Rect,
    /// The colour of its lines.
    pub ink: Color,
    /// Hole for a text, where the lines beside it are enough to be seen.
    pub hole: Option<Rect>,
}

/// How lines are drawn, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    /// From line to line, square to them.
    pub step: f64,
    /// Thickness of a line.
    pub width: f64,
    /// From left to right; otherwise lines fall.
    pub rises: bool,
}

/// The least share of a patch's lines that is left beside a hole.
const LEAST_LEFT: f64 = 0.35;

/// Stretches of lines by line and ink: from and to along x.
type Stretches = BTreeMap<(i64, [u8; 4]), Vec<(f64, f64)>>;

/// Hatches places.
pub(super) fn hatch(patches: &[Patch], pen: Pen, items: &mut Vec<Item>) {
    let mut all = Stretches::new();
    // Rising lines are falling ones in a mirror.
    let sign = if pen.rises { -1.0 } else { 1.0 };
    let mirrored = |r: Rect| match pen.rises {
        true => Rect::new(r.x, -r.bottom(), r.w, r.h),
        false => r,
    };
    for patch in patches {
        let patch = Patch { rect: mirrored(patch.rect), ink: patch.ink, hole: patch.hole.map(mirrored) };
        lines(&patch, pen, &mut all);
    }
    for ((line, [r, g, b, a]), mut stretches) in all {
        stretches.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let offset = line as f64 * pen.step * SQRT_2;
        let mut put = |(from, to): (f64, f64)| {
            // Square ends stay within the places.
            let inset = pen.width / 2.0 * FRAC_1_SQRT_2;
            let at = |x: f64| Point { x, y: sign * (x - offset) };
            if to - from > 2.0 * inset + 0.5 {
                items.push(Item::Line {
                    from: at(from + inset),
                    to: at(to - inset),
                    width: pen.width,
                    color: Color::rgba_of(r, g, b, a),
                });
            }
        };
        // What meets is one line: two ends would show.
        let last = stretches.into_iter().reduce(|one, next| {
            if next.0 - one.1 < 0.01 {
                (one.0, one.1.max(next.1))
            } else {
                put(one);
                next
            }
        });
        if let Some(last) = last {
            put(last);
        }
    }
}

/// Adds the stretches of one place. Line `k` is where x - y = k * step * sqrt(2).
fn lines(patch: &Patch, pen: Pen, all: &mut Stretches) {
    let r = &patch.rect;
    let apart = pen.step * SQRT_2;
    let within = |rect: &Rect, offset: f64| {
        let (from, to) = (rect.x.max(rect.y + offset), rect.right().min(rect.bottom() + offset));
        (from < to).then_some((from, to))
    };
    let first = ((r.x - r.bottom()) / apart).ceil() as i64;
    let end = ((r.right() - r.y) / apart).floor() as i64;
    let whole = (first..=end).filter_map(|k| Some((k, within(r, k as f64 * apart)?)));
    let whole: Vec<(i64, (f64, f64))> = whole.collect();
    let length = |list: &[(i64, (f64, f64))]| list.iter().map(|(_, (from, to))| to - from).sum::<f64>();
    let beside = patch.hole.map(|hole| {
        let cut = |&(k, (from, to)): &(i64, (f64, f64))| match within(&hole, k as f64 * apart) {
            Some((a, b)) => [(k, (from, a.min(to))), (k, (b.max(from), to))],
            None => [(k, (from, to)), (k, (to, to))],
        };
        whole.iter().flat_map(cut).filter(|(_, (from, to))| from < to).collect::<Vec<_>>()
    });
    let drawn = beside.filter(|left| length(left) >= LEAST_LEFT * length(&whole)).unwrap_or(whole);
    for (k, stretch) in drawn {
        all.entry((k, patch.ink.rgba())).or_default().push(stretch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEN: Pen = Pen { step: 5.0, width: 1.0, rises: false };

    fn drawn(patches: &[Patch]) -> Vec<(Point, Point)> {
        let mut items = Vec::new();
        hatch(patches, PEN, &mut items);
        let ends = |item: &Item| match item {
            Item::Line { from, to, .. } => (*from, *to),
            other => panic!("{other:?}"),
        };
        items.iter().map(ends).collect()
    }

    fn patch(x: f64, y: f64, ink: Color) -> Patch {
        Patch { rect: Rect::new(x, y, 20.0, 10.0), ink, hole: None }
    }

    #[test]
    fn lines_fall_and_stay_within_their_places() {
        for (x, y) in [(0.0, 0.0), (13.0, 7.0), (-40.5, 11.25)] {
            let place = patch(x, y, Color::BLACK);
            let lines = drawn(&[place]);
            assert!(lines.len() >= 3, "{lines:?}");
            for (from, to) in lines {
                assert!(from.x < to.x && (to.y - from.y - (to.x - from.x)).abs() < 1e-9);
                for p in [from, to] {
                    let half = PEN.width / 2.0 * FRAC_1_SQRT_2;
                    let around = Rect::new(p.x - half, p.y - half, 2.0 * half, 2.0 * half);
                    assert!(place.rect.contains(&around, 1e-9), "{p:?}");
                }
            }
        }
    }

    #[test]
    fn neighbours_of_one_ink_share_their_lines() {
        let (a, b) = (patch(0.0, 0.0, Color::BLACK), patch(20.0, 0.0, Color::BLACK));
        let wide = Patch { rect: Rect::new(0.0, 0.0, 40.0, 10.0), ..a };
        assert_eq!(drawn(&[b, a]), drawn(&[wide]));
        let other = patch(20.0, 0.0, Color::WHITE);
        assert!(drawn(&[a, other]).len() > drawn(&[wide]).len());
    }

    #[test]
    fn texts_are_left_free_where_lines_remain_beside_them() {
        let place = patch(0.0, 0.0, Color::BLACK);
        let hole = Rect::new(8.0, 3.0, 4.0, 4.0);
        let free = Patch { hole: Some(hole), ..place };
        for (from, to) in drawn(&[free]) {
            let middle = Point { x: f64::midpoint(from.x, to.x), y: f64::midpoint(from.y, to.y) };
            assert!(!hole.contains(&Rect::new(middle.x, middle.y, 0.0, 0.0), 0.0), "{middle:?}");
        }
        let full = Patch { hole: Some(place.rect), ..place };
        assert_eq!(drawn(&[full]), drawn(&[place]));
        assert!(drawn(&[]).is_empty());
    }
}
