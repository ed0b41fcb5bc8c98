//! Slanted lines over a rectangle.

use super::Item;
use crate::color::Color;
use crate::geom::{Point, Rect};

/// The distance between lines in widths of a tick.
const STEP: f64 = 6.0;

/// Hatches a rectangle with rising lines, dark over light; lines of neighbouring rectangles join.
pub(super) fn hatch(rect: &Rect, line: f64, items: &mut Vec<Item>) {
    let step = (STEP * line).round().max(4.0);
    let dark = (0.6 * line).max(0.8);
    // A line is where x + y is a multiple of the step.
    let (first, last) = (rect.x + rect.y, rect.right() + rect.bottom());
    let from = (first / step).ceil() as i64;
    let to = (last / step).floor() as i64;
    for (width, color) in [(dark + 2.0 * dark.max(1.0), Color::WHITE), (dark, Color::BLACK)] {
        for k in from..=to {
            let sum = k as f64 * step;
            let left = (sum - rect.bottom()).max(rect.x);
            let right = (sum - rect.y).min(rect.right());
            if right - left > 0.5 {
                items.push(Item::Line {
                    from: Point {
                        x: left,
                        y: sum - left,
                    },
                    to: Point {
                        x: right,
                        y: sum - right,
                    },
                    width,
                    color,
                });
            }
        }
    }
}
