//! The patterns of states as polygons.

use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::scale::Pattern;

/// A pattern as shapes of which only what lies in all of `bands` too is seen; without a band all is.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub polygons: Vec<Vec<Point>>,
    pub bands: Vec<Rect>,
}

/// The shapes of a pattern, in steps of `unit` pixels from the body's corner, about the rectangles `within`. They reach
/// beyond them.
pub(super) fn shapes(pattern: Pattern, unit: u32, body: &PxRect, within: &[Rect]) -> Shapes {
    let Some(all) = within.iter().copied().reduce(|a, b| a.union(&b)) else {
        return Shapes::default();
    };
    let (left, top, unit) = (f64::from(body.x), f64::from(body.y), f64::from(unit.max(1)));
    let (x0, y0) = (all.x - left, all.y - top);
    let (x1, y1) = (x0 + all.w, y0 + all.h);
    match pattern {
        Pattern::Solid => Shapes::default(),
        Pattern::Hatch => {
            // Pixels (x, y) with (x + y) mod 6 units below one unit: their middles lie half a pixel further along both sides.
            let stripes =
                ((x0 + y0) / (6.0 * unit)).floor() as i64 - 1..=((x1 + y1) / (6.0 * unit)).ceil() as i64;
            let stripe = |k: i64| {
                let from = 6.0 * unit * k as f64 + 0.5;
                let to = from + unit;
                [(from - y0, y0), (to - y0, y0), (to - y1, y1), (from - y1, y1)]
            };
            let met = stripes.map(stripe).filter(|s| s[1].0 > x0 && s[3].0 < x1);
            let polygons = met.map(|s| s.map(|(x, y)| Point { x: x + left, y: y + top }).to_vec()).collect();
            Shapes { polygons, bands: Vec::new() }
        }
        Pattern::Dots => {
            // As columns seen through rows: as many shapes as there are pixels along the sides, not in the area.
            let step = 4.0 * unit;
            let places = |from: f64, to: f64| {
                ((from / step).floor() as i64..(to / step).ceil() as i64).map(move |k| k as f64 * step)
            };
            let columns = places(x0, x1).map(|x| Rect::new(left + x, all.y, unit, all.h));
            let rows = places(y0, y1).map(|y| Rect::new(all.x, top + y, all.w, unit));
            let corners =
                |r: Rect| [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())];
            let polygons = columns.map(|r| corners(r).map(|(x, y)| Point { x, y }).to_vec()).collect();
            Shapes { polygons, bands: rows.collect() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::shapes::edges;
    use gridscope_core::color::Color;
    use gridscope_core::scale::Fill;

    /// Whether polygons cover the middles of the very pixels that the pattern inks.
    fn agrees(pattern: Pattern, unit: u32) {
        let body = PxRect { x: 13, y: 7, w: 60, h: 40 };
        let fill = Fill { color: Color::WHITE, pattern, ink: Color::BLACK };
        let Shapes { polygons, bands } = shapes(pattern, unit, &body, &[body.rect()]);
        let in_band = |y: f64| bands.is_empty() || bands.iter().any(|b| b.y < y && y < b.bottom());
        let inside = |p: &Vec<Point>, x: f64, y: f64| {
            edges(p).iter().all(|e| f64::from(e[0]) * x + f64::from(e[1]) * y + f64::from(e[2]) > 0.0)
        };
        for y in 0..body.h {
            for x in 0..body.w {
                let (px, py) =
                    (f64::from(body.x) + f64::from(x) + 0.5, f64::from(body.y) + f64::from(y) + 0.5);
                let inked = fill.color_at(x, y, unit) == Color::BLACK;
                assert_eq!(
                    in_band(py) && polygons.iter().any(|p| inside(p, px, py)),
                    inked,
                    "{pattern:?} {unit}: {x}, {y}"
                );
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
    fn shapes_grow_with_the_sides_of_a_body() {
        let body = PxRect { x: 0, y: 0, w: 4000, h: 2000 };
        let Shapes { polygons, bands } = shapes(Pattern::Dots, 1, &body, &[body.rect()]);
        assert_eq!((polygons.len(), bands.len()), (1000, 500));
        assert!(shapes(Pattern::Dots, 1, &body, &[]).polygons.is_empty());
    }
}
