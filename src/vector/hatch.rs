//! The patterns of states as polygons.

use crate::geom::{Point, PxRect, Rect};
use crate::scale::Pattern;

/// The polygons of a pattern, in steps of `unit` pixels from the body's corner, that meet the rectangles `within`. They may
/// reach beyond them.
pub(super) fn shapes(pattern: Pattern, unit: u32, body: &PxRect, within: &[Rect]) -> Vec<Vec<Point>> {
    let (left, top, unit) = (f64::from(body.x), f64::from(body.y), f64::from(unit.max(1)));
    match pattern {
        Pattern::Solid => Vec::new(),
        Pattern::Hatch => {
            let Some(all) = within.iter().copied().reduce(|a, b| a.union(&b)) else { return Vec::new() };
            let (x0, y0) = (all.x - left, all.y - top);
            let (x1, y1) = (x0 + all.w, y0 + all.h);
            // Pixels (x, y) with (x + y) mod 6 units below one unit: their middles lie half a pixel further along both sides.
            let stripes = ((x0 + y0) / (6.0 * unit)).floor() as i64 - 1..=((x1 + y1) / (6.0 * unit)).ceil() as i64;
            let stripe = |k: i64| {
                let from = 6.0 * unit * k as f64 + 0.5;
                let to = from + unit;
                [(from - y0, y0), (to - y0, y0), (to - y1, y1), (from - y1, y1)]
            };
            stripes.map(stripe).filter(|s| s[1].0 > x0 && s[3].0 < x1).map(|s| s.map(|(x, y)| point(x + left, y + top)).to_vec()).collect()
        }
        Pattern::Dots => {
            let step = 4.0 * unit;
            let squares = |r: &Rect| {
                let places = |from: f64, length: f64| (from / step).floor() as i64..((from + length) / step).ceil() as i64;
                let columns = places(r.x - left, r.w);
                places(r.y - top, r.h).flat_map(move |j| columns.clone().map(move |i| (i, j)))
            };
            let mut at: Vec<(i64, i64)> = within.iter().flat_map(squares).collect();
            at.sort_unstable();
            at.dedup();
            let square = |(i, j): (i64, i64)| {
                let (x, y) = (left + step * i as f64, top + step * j as f64);
                vec![point(x, y), point(x + unit, y), point(x + unit, y + unit), point(x, y + unit)]
            };
            at.into_iter().map(square).collect()
        }
    }
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::raster::shapes::edges;
    use crate::scale::Fill;

    /// Whether polygons cover the middles of the very pixels that the pattern inks.
    fn agrees(pattern: Pattern, unit: u32) {
        let body = PxRect { x: 13, y: 7, w: 60, h: 40 };
        let fill = Fill { color: Color::WHITE, pattern, ink: Color::BLACK };
        let polygons = shapes(pattern, unit, &body, &[body.rect()]);
        let inside =
            |p: &Vec<Point>, x: f64, y: f64| edges(p).iter().all(|e| f64::from(e[0]) * x + f64::from(e[1]) * y + f64::from(e[2]) > 0.0);
        for y in 0..body.h {
            for x in 0..body.w {
                let (px, py) = (f64::from(body.x) + f64::from(x) + 0.5, f64::from(body.y) + f64::from(y) + 0.5);
                let inked = fill.color_at(x, y, unit) == Color::BLACK;
                assert_eq!(polygons.iter().any(|p| inside(p, px, py)), inked, "{pattern:?} {unit}: {x}, {y}");
            }
        }
    }

    #[test]
    fn polygons_ink_the_pixels_of_the_pattern() {
        for unit in [1, 2, 3, 5] {
            agrees(Pattern::Hatch, unit);
            agrees(Pattern::Dots, unit);
        }
    }

    #[test]
    fn dots_of_neighbours_are_not_doubled() {
        let body = PxRect { x: 0, y: 0, w: 20, h: 10 };
        let halves = [Rect::new(0.0, 0.0, 10.0, 10.0), Rect::new(10.0, 0.0, 10.0, 10.0)];
        assert_eq!(shapes(Pattern::Dots, 1, &body, &halves).len(), 5 * 3);
    }
}
