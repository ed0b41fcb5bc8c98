//! Rectangles, lines and convex polygons with anti-aliased edges.

use super::blend::blend;
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::image::Image;

/// The four corners of a line with butt ends.
pub fn line(from: Point, to: Point, width: f64) -> [Point; 4] {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let len = dx.hypot(dy).max(1e-9);
    let (nx, ny) = (-dy / len * width / 2.0, dx / len * width / 2.0);
    let at = |p: Point, s: f64| Point { x: p.x + s * nx, y: p.y + s * ny };
    [at(from, 1.0), at(to, 1.0), at(to, -1.0), at(from, -1.0)]
}

/// Fills a rectangle; edges between pixels are blended.
pub(super) fn rect(image: &mut Image, r: &Rect, color: Color) {
    let whole = [r.x, r.y, r.w, r.h].iter().all(|v| v.fract() == 0.0);
    if !whole || color.alpha() != 255 {
        let points = [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())]
            .map(|(x, y)| Point { x, y });
        return polygon(image, &points, color);
    }
    let clamp = |v: f64, most: u32| v.clamp(0.0, f64::from(most)) as usize;
    let (x0, x1) = (clamp(r.x, image.width), clamp(r.right(), image.width));
    let (y0, y1) = (clamp(r.y, image.height), clamp(r.bottom(), image.height));
    let stride = image.width as usize * 4;
    for y in y0..y1 {
        for p in image.pixels[y * stride + x0 * 4..y * stride + x1 * 4].chunks_exact_mut(4) {
            p.copy_from_slice(&color.rgba());
        }
    }
}

/// Fills a convex polygon. A pixel's coverage is how deep its centre lies behind the nearest edge, plus a half:
/// the same rule as in shapes.wgsl.
pub(super) fn polygon(image: &mut Image, points: &[Point], color: Color) {
    let edges = edges(points);
    let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for p in points {
        (x0, y0, x1, y1) = (x0.min(p.x), y0.min(p.y), x1.max(p.x), y1.max(p.y));
    }
    let clamp = |v: f64, most: u32| v.clamp(0.0, f64::from(most)) as u32;
    let (x0, x1) = (clamp((x0 - 0.5).floor(), image.width), clamp((x1 + 0.5).ceil(), image.width));
    let (y0, y1) = (clamp((y0 - 0.5).floor(), image.height), clamp((y1 + 0.5).ceil(), image.height));
    for y in y0..y1 {
        for x in x0..x1 {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let depth = edges.iter().map(|e| e[0] * px + e[1] * py + e[2]).fold(f32::MAX, f32::min);
            let coverage = (depth + 0.5).clamp(0.0, 1.0);
            let i = (y as usize * image.width as usize + x as usize) * 4;
            blend(&mut image.pixels[i..i + 4], color.rgba(), (coverage * 255.0).round() as u8);
        }
    }
}

/// Unit normal and offset of each edge, positive inside, whichever way the corners turn.
pub fn edges(points: &[Point]) -> Vec<[f32; 3]> {
    let n = points.len();
    let area: f64 =
        (0..n).map(|i| points[i].x * points[(i + 1) % n].y - points[(i + 1) % n].x * points[i].y).sum();
    let turn = if area < 0.0 { -1.0 } else { 1.0 };
    (0..n)
        .filter_map(|i| {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let len = dx.hypot(dy);
            (len > 1e-9).then(|| {
                let (nx, ny) = (-dy / len * turn, dx / len * turn);
                [nx as f32, ny as f32, (-nx * a.x - ny * a.y) as f32]
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_rectangles_are_crisp_either_way() {
        let mut a = Image::filled(6, 5, Color::WHITE);
        let mut b = a.clone();
        let r = Rect::new(1.0, 1.0, 3.0, 2.0);
        rect(&mut a, &r, Color::BLACK);
        polygon(&mut b, &line(Point { x: 1.0, y: 2.0 }, Point { x: 4.0, y: 2.0 }, 2.0), Color::BLACK);
        assert_eq!(a, b);
        assert_eq!((a.at(1, 1), a.at(4, 1), a.at(1, 3)), (Color::BLACK, Color::WHITE, Color::WHITE));
    }

    #[test]
    fn a_triangle_covers_about_its_area_and_stays_on_the_canvas() {
        let mut a = Image::filled(40, 40, Color::WHITE);
        let corners = [(2.0, 2.0), (38.0, 2.0), (20.0, 60.0)].map(|(x, y)| Point { x, y });
        polygon(&mut a, &corners, Color::BLACK);
        assert_eq!((a.at(20, 39), a.at(0, 39)), (Color::BLACK, Color::WHITE));
    }
}
