//! Pictures drawn in strips and tiles: bodies of any size are folded and painted a few rows at a time.

use crate::error::Error;
use crate::scene::{Cells, Item, Scene};
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{Grid, SourceError};
use gridscope_core::image::Image;
use std::sync::Arc;

/// Folds what the pixels of a scene cover and no back end can read: cells that are not in memory. Call it before a scene goes
/// to a back end; [`strips`] does.
///
/// # Errors
/// When a source does not give its cells.
pub fn fold_missing(scene: &mut Scene, grids: &[Grid]) -> Result<(), SourceError> {
    let missing = |c: &Cells| c.unfolded() || c.summaries.is_none() && !grids[c.grid].is_loaded();
    if scene.base.iter().any(|i| matches!(i, Item::Cells(c) if missing(c))) {
        fold_cells(Arc::make_mut(&mut scene.base).as_mut_slice(), grids)?;
    }
    fold_cells(&mut scene.items, grids)
}

fn fold_cells(items: &mut [Item], grids: &[Grid]) -> Result<(), SourceError> {
    for item in items {
        let Item::Cells(c) = item else { continue };
        let apart = c.summaries.is_none() && !grids[c.grid].is_loaded();
        if c.unfolded() || apart {
            c.summaries = Some(Arc::new(grids[c.grid].fold(c.columns.spans(), c.rows.spans())?));
        }
    }
    Ok(())
}

/// Draws a scene from the top in strips of at most `pixels` pixels, each in tiles of at most `side` pixels a side, and
/// hands each strip to `emit`.
///
/// # Errors
/// Errors of `draw` and `emit`, and of a source that does not give its cells.
pub fn strips<E: From<Error>>(
    scene: &Scene,
    grids: &[Grid],
    (pixels, side): (u32, u32),
    draw: &mut dyn FnMut(&Scene) -> Result<Image, E>,
    emit: &mut dyn FnMut(&Image) -> Result<(), E>,
) -> Result<(), E> {
    let (width, height) = (scene.size.w, scene.size.h);
    let rows = (pixels / width.max(1)).clamp(1, side);
    for top in (0..height).step_by(rows as usize) {
        let h = rows.min(height - top);
        let mut tile = |left: u32, w: u32| -> Result<Image, E> {
            let mut part = scene.part(PxRect { x: left as i32, y: top as i32, w, h });
            fold_missing(&mut part, grids).map_err(Error::from)?;
            draw(&part)
        };
        if width <= side {
            emit(&tile(0, width)?)?;
            continue;
        }
        let mut strip = Image { width, height: h, pixels: vec![0; width as usize * h as usize * 4] };
        for left in (0..width).step_by(side as usize) {
            let w = side.min(width - left);
            let image = tile(left, w)?;
            for (y, line) in image.pixels.chunks_exact(w as usize * 4).enumerate() {
                let at = (y * width as usize + left as usize) * 4;
                strip.pixels[at..at + line.len()].copy_from_slice(line);
            }
        }
        emit(&strip)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster;
    use crate::render::prepare;
    use gridscope_core::figure::Figure;
    use gridscope_core::text::Fonts;
    use gridscope_core::timing::Phases;

    #[test]
    fn tiles_are_the_whole_picture() {
        let value = |i: i32| {
            if i % 97 == 5 || (2000..2200).contains(&i) { f64::NAN } else { f64::from(i * 7919 % 1000) }
        };
        for (rows, columns) in [(60usize, 70usize), (700, 30), (30, 900)] {
            let mut grid =
                Grid::from_rows(rows, columns, (0..(rows * columns) as i32).map(value).collect()).unwrap();
            (0..columns).for_each(|c| grid.set_state(3, c, gridscope_core::grid::State::Absent));
            let mut figure =
                Figure { title: Some("Tiles".to_owned()), linewidths: None, ..Figure::default() };
            (figure.size.width, figure.size.height) =
                (Some("600px".parse().unwrap()), Some("450px".parse().unwrap()));
            let (grids, mut fonts) = ([grid], Fonts::new());
            let scene = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap().scene;
            let whole = raster::draw(&scene, &grids, &mut fonts);
            for (pixels, side) in [(600 * 37, 1000), (600 * 50, 170), (1, 600)] {
                let mut bytes = Vec::new();
                let mut draw = |part: &Scene| Ok::<_, Error>(raster::draw(part, &grids, &mut fonts));
                let mut emit = |image: &Image| {
                    bytes.extend_from_slice(&image.pixels);
                    Ok(())
                };
                strips(&scene, &grids, (pixels, side), &mut draw, &mut emit).unwrap();
                assert!(bytes == whole.pixels, "{rows} x {columns} in {pixels}, {side}");
            }
        }
    }
}
