//! The CPU back end: a Scene to an Image. It is the truth that the GPU is compared with.

mod cells;
pub(crate) mod shapes;

use crate::color::Color;
use crate::geom::PxRect;
use crate::grid::Grid;
use crate::image::Image;
use crate::scene::{Cells, Item, Scene};
use crate::text::{Fonts, GlyphAt};

/// Draws a scene; `grids` are those that its cells name.
///
/// # Panics
/// When a grid that the scene names is missing, or does not give the cells that the scene shows: cells that stay in a source are
/// folded before, by [`crate::tiling::fold_missing`], which reports what cannot be read.
pub fn draw(scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Image {
    let mut image = Image::filled(
        scene.size.w,
        scene.size.h,
        scene.background.unwrap_or(Color::CLEAR),
    );
    let mut glyphs: Vec<GlyphAt> = Vec::new();
    for item in scene.all() {
        match item {
            Item::Rect { rect, color } => shapes::rect(&mut image, rect, *color),
            Item::Line {
                from,
                to,
                width,
                color,
            } => shapes::polygon(&mut image, &shapes::line(*from, *to, *width), *color),
            Item::Polygon { points, color } => shapes::polygon(&mut image, points, *color),
            Item::Text {
                text,
                font_size,
                at,
                degrees,
                color,
            } => {
                glyphs.clear();
                fonts.place(text, *font_size, at.x, at.y, *degrees, &mut glyphs);
                for g in &glyphs {
                    mask(
                        &mut image,
                        fonts.mask(g.mask).width,
                        &fonts.mask(g.mask).data,
                        (g.x, g.y),
                        *color,
                    );
                }
            }
            Item::Cells(c) => cells::cells(&mut image, c, &grids[c.grid]),
            Item::Ramp {
                rect,
                scale,
                horizontal,
            } => cells::ramp(&mut image, rect, scale, *horizontal),
        }
    }
    image
}

/// Draws a body alone, on an image of its size.
///
/// # Panics
/// As [`draw`].
pub fn body(image: &mut Image, c: &Cells, grid: &Grid) {
    let alone = Cells {
        body: PxRect { x: 0, y: 0, ..c.body },
        ..c.clone()
    };
    cells::cells(image, &alone, grid);
}

/// Lays `color` over a pixel with a coverage of 0 to 255.
fn blend(pixel: &mut [u8], color: [u8; 4], coverage: u8) {
    let a = (u32::from(color[3]) * u32::from(coverage) + 127) / 255;
    if a == 0 {
        return;
    }
    for k in 0..3 {
        pixel[k] = ((u32::from(color[k]) * a + u32::from(pixel[k]) * (255 - a) + 127) / 255) as u8;
    }
    pixel[3] = (a + (u32::from(pixel[3]) * (255 - a) + 127) / 255) as u8;
}

fn mask(image: &mut Image, width: u32, data: &[u8], at: (i32, i32), color: Color) {
    let rgba = color.rgba();
    let (w, h) = (i64::from(image.width), i64::from(image.height));
    for (row, line) in data.chunks_exact(width.max(1) as usize).enumerate() {
        let y = i64::from(at.1) + row as i64;
        if y < 0 || y >= h {
            continue;
        }
        for (column, &coverage) in line.iter().enumerate() {
            let x = i64::from(at.0) + column as i64;
            if coverage > 0 && x >= 0 && x < w {
                let i = (y * w + x) as usize * 4;
                blend(&mut image.pixels[i..i + 4], rgba, coverage);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_meets_both_ends() {
        let mut p = [10, 20, 30, 255];
        blend(&mut p, [200, 100, 0, 255], 0);
        assert_eq!(p, [10, 20, 30, 255]);
        blend(&mut p, [200, 100, 0, 255], 128);
        assert_eq!(p, [105, 60, 15, 255]);
        blend(&mut p, [200, 100, 0, 255], 255);
        assert_eq!(p, [200, 100, 0, 255]);
    }
}
