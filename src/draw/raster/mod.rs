//! The CPU back end: a Scene to an Image. The GPU's pictures are compared with its own.

mod blend;
mod cells;
pub mod shapes;

use crate::scene::{Cells, Inset, Item, Scene};
use blend::mask;
use gridscope_core::color::Color;
use gridscope_core::geom::PxRect;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::text::{Fonts, GlyphAt};

/// Draws a scene on the CPU; `grids` are those that its cells name, `fonts` those that measured its texts.
///
/// # Panics
/// When a grid that the scene names is missing, or the cells that the scene shows cannot be read: cells that stay in a source
/// are folded before, by [`scene()`](crate::rendered::scene()) or a session, which report what cannot be read.
pub fn draw(scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Image {
    let mut image = Image::filled(scene.size.w, scene.size.h, scene.background.unwrap_or(Color::CLEAR));
    paint(&mut image, &scene.base, grids, fonts);
    if let Some(Inset { rect, items }) = &scene.inset {
        let mut other = image.clone();
        paint(&mut other, items, grids, fonts);
        copy(&mut image, &other, rect);
    }
    paint(&mut image, &scene.items, grids, fonts);
    image
}

/// Copies a rectangle of an image onto another one of the same size, as far as it lies within.
fn copy(to: &mut Image, from: &Image, rect: &PxRect) {
    let side = |start: i32, length: u32, most: u32| {
        let end = i64::from(start) + i64::from(length);
        start.max(0) as usize..end.clamp(0, i64::from(most)) as usize
    };
    let columns = side(rect.x, rect.w, to.width);
    if columns.is_empty() {
        return;
    }
    for row in side(rect.y, rect.h, to.height) {
        let at = |column: usize| (row * from.width as usize + column) * 4;
        let bytes = at(columns.start)..at(columns.end);
        to.pixels[bytes.clone()].copy_from_slice(&from.pixels[bytes]);
    }
}

/// Paints items in their order.
fn paint(image: &mut Image, items: &[Item], grids: &[Grid], fonts: &mut Fonts) {
    let mut glyphs: Vec<GlyphAt> = Vec::new();
    for item in items {
        match item {
            Item::Rect { rect, color } => shapes::rect(image, rect, *color),
            Item::Line { from, to, width, color } => {
                shapes::polygon(image, &shapes::line(*from, *to, *width), *color);
            }
            Item::Polygon { points, color } => shapes::polygon(image, points, *color),
            Item::Text { text, font_size, at, degrees, color } => {
                glyphs.clear();
                fonts.place(text, *font_size, at.x, at.y, *degrees, &mut glyphs);
                for g in &glyphs {
                    mask(image, fonts.mask(g.mask).width, &fonts.mask(g.mask).data, (g.x, g.y), *color);
                }
            }
            Item::Cells(c) => _ = cells::cells(image, c, &grids[c.grid]),
            Item::Ramp { rect, scale, horizontal } => cells::ramp(image, rect, scale, *horizontal),
        }
    }
}

/// Draws a body where it lies on an image; returns whether there are patterns of states in it.
///
/// # Panics
/// As [`draw`].
pub fn body_in_place(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
    cells::cells(image, c, grid)
}

/// Draws a body alone, on an image of its size; returns whether there are patterns of states in it.
///
/// # Panics
/// As [`draw`].
pub fn body(image: &mut Image, c: &Cells, grid: &Grid) -> bool {
    let alone = Cells { body: PxRect { x: 0, y: 0, ..c.body }, ..c.clone() };
    cells::cells(image, &alone, grid)
}
