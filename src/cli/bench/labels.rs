//! A scene of labels, as those of an annotated grid.

use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxSize};
use gridscope_draw::scene::{Item, Scene};

/// The share of a cell's height that its label takes.
const SHARE: f64 = 0.4;
/// The smallest and the largest font size in pixels.
const SIZES: [f64; 2] = [6.0, 16.0];

/// Numbers of two decimals in rows and columns over the whole picture.
pub(super) fn scene(count: u32, size: PxSize) -> Scene {
    let columns = f64::from(count).sqrt().ceil() as u32;
    let rows = count.div_ceil(columns);
    let (w, h) = (f64::from(size.w) / f64::from(columns), f64::from(size.h) / f64::from(rows));
    let font_size = (h * SHARE).clamp(SIZES[0], SIZES[1]);
    let label = |i: u32| Item::Text {
        text: format!("{:.2}", f64::from(i.wrapping_mul(7919) % 1000) / 100.0),
        font_size,
        at: Point { x: f64::from(i % columns) * w + w * 0.2, y: f64::from(i / columns) * h + h * 0.6 },
        degrees: 0,
        color: Color::BLACK,
    };
    Scene::new(size, Some(Color::WHITE), (0..count).map(label).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lie_on_the_picture() {
        for count in [1, 2, 7, 3600] {
            let scene = scene(count, PxSize { w: 800, h: 600 });
            assert_eq!(scene.items.len(), count as usize);
            for item in &scene.items {
                let Item::Text { text, at, .. } = item else { panic!("a text") };
                assert_eq!(text.len(), 4);
                assert!(at.x < 800.0 && at.y < 600.0 && at.y > 0.0);
            }
        }
    }
}
