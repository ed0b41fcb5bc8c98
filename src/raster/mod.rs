//! The CPU back end: a Scene to an Image. The GPU's pictures are compared with its own.

mod blend;
mod cells;
pub(crate) mod shapes;

use crate::color::Color;
use crate::geom::PxRect;
use crate::grid::Grid;
use crate::image::Image;
use crate::scene::{Cells, Item, Scene};
use crate::text::{Fonts, GlyphAt};
use blend::mask;

/// Draws a scene on the CPU; `grids` are those that its cells name, `fonts` those that measured its texts.
///
/// # Panics
/// When a grid that the scene names is missing, or the cells that the scene shows cannot be read: cells that stay in a source
/// are folded before, by [`scene()`](crate::scene()) or a session, which report what cannot be read.
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
