//! Dots and stars in cells.

use super::Item;
use gridscope_core::color::Color;
use gridscope_core::geom::Point;
use std::f64::consts::PI;

/// The inner radius of a star as a share of the outer one.
const INNER: f64 = 0.4;
/// Corners of a dot, an even number.
const CORNERS: u32 = 16;

fn corner(c: Point, radius: f64, angle: f64) -> Point {
    Point { x: c.x + radius * angle.sin(), y: c.y - radius * angle.cos() }
}

/// A filled star with five points about a centre, one up.
pub(super) fn star(c: Point, radius: f64, color: Color, items: &mut Vec<Item>) {
    for k in 0..5 {
        let angle = 2.0 * PI * f64::from(k) / 5.0;
        let inner = |turn: f64| corner(c, INNER * radius, angle + turn * PI);
        // Each quarter reaches over the centre, so that no seam is seen between two.
        let points = vec![corner(c, radius, angle), inner(0.2), inner(1.0), inner(-0.2)];
        items.push(Item::Polygon { points, color });
    }
}

/// A filled dot about a centre.
pub(super) fn dot(c: Point, radius: f64, color: Color, items: &mut Vec<Item>) {
    let at = |k: u32| corner(c, radius, 2.0 * PI * f64::from(k) / f64::from(CORNERS));
    // Bands through the centre, each over half of the next.
    for k in 0..CORNERS / 2 {
        let points = vec![at(k), at(k + 2), at(k + CORNERS / 2), at(k + 2 + CORNERS / 2)];
        items.push(Item::Polygon { points, color });
    }
}
