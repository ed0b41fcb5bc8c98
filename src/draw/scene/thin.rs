//! Lines over cells whose values are those of few rows.

use super::annotations::cell;
use super::hatching::{Patch, Pen, hatch};
use super::{Cells, Item};
use crate::layout::PanelLayout;
use gridscope_core::color::Color;
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::grid::{Grid, State};
use gridscope_core::scale::ColorScale;
use gridscope_core::text::Measure;
use std::collections::HashMap;

/// The lines of a canvas of `dpi` pixels per inch: thin, and far enough apart for the colour between them.
pub(super) fn pen(dpi: f64) -> Pen {
    let point = dpi / 72.0;
    Pen { step: (4.2 * point).max(4.0), width: (0.55 * point).max(0.7), rises: false }
}

/// Hatches the cells of a panel that have few rows, and leaves their `texts` free. Of pixels that cover several cells those are
/// hatched whose cells with a value are all of few rows.
pub(super) fn thin_cells(
    p: &PanelLayout,
    cells: &Cells,
    grid: &Grid,
    (pen, texts): (Pen, &[Item]),
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) {
    if grid.thin_cells().is_none_or(|n| n == 0) {
        return;
    }
    let patches = if p.reduces() {
        thin_pixels(p, cells, grid)
    } else {
        let texts = by_cell(p, texts, m);
        patches(p, &cells.scale, grid, &texts)
    };
    hatch(&patches, pen, items);
}

/// A swatch as a thin cell in the upper half of a scale, whose middle may be as pale as the canvas.
pub(super) fn swatch(rect: &PxRect, scale: &ColorScale, pen: Pen, items: &mut Vec<Item>) {
    let ground = scale.lut()[scale.lut().len() * 3 / 4];
    items.push(Item::Rect { rect: rect.rect(), color: ground });
    let patch = Patch { rect: rect.rect(), ink: ground.ink(), hole: None };
    hatch(&[patch], pen, items);
}

/// The thin cells of a body whose cells are at least a pixel.
fn patches(
    p: &PanelLayout,
    scale: &ColorScale,
    grid: &Grid,
    texts: &HashMap<(usize, usize), Rect>,
) -> Vec<Patch> {
    let body = p.body.rect();
    let places = p.rows.shown().flat_map(|row| p.columns.shown().map(move |column| (row, column)));
    let patch = |(row, column): (usize, usize)| {
        let value = grid.at(row, column).value()?;
        let rect = grid.is_thin(row * grid.width() + column).then(|| cell(p, row, column))?;
        let (x, y) = (rect.x.max(body.x), rect.y.max(body.y));
        let (right, bottom) = (rect.right().min(body.right()), rect.bottom().min(body.bottom()));
        let seen = x < right && y < bottom;
        seen.then(|| Patch {
            rect: Rect::new(x, y, right - x, bottom - y),
            ink: ink(scale, scale.index_of(value)),
            hole: texts.get(&(row, column)).copied(),
        })
    };
    places.filter_map(patch).collect()
}

fn ink(scale: &ColorScale, index: usize) -> Color {
    scale.lut()[index].ink()
}

/// Rectangles of the texts of cells, by row and column.
pub(super) fn by_cell(p: &PanelLayout, texts: &[Item], m: &mut dyn Measure) -> HashMap<(usize, usize), Rect> {
    let mut out: HashMap<(usize, usize), Rect> = HashMap::new();
    for item in texts {
        let Item::Text { text, font_size, at, .. } = item else {
            continue;
        };
        let width = m.size(text, *font_size).width;
        let rect =
            Rect::new(at.x, at.y - 0.78 * font_size, width, font_size.to_owned()).grown(0.2 * font_size);
        let c = rect.center();
        let place = |table: &gridscope_core::view::EdgeTable, at: f64| {
            let span = (at >= 0.0).then(|| table.spans().get(at as usize)).flatten()?;
            (span[0] < span[1]).then_some(span[0] as usize)
        };
        let row = place(&p.rows, c.y - f64::from(p.body.y));
        let column = place(&p.columns, c.x - f64::from(p.body.x));
        if let Some(place) = row.zip(column) {
            out.entry(place).and_modify(|all| *all = all.union(&rect)).or_insert(rect);
        }
    }
    out
}

/// The thin pixels of a body whose pixels cover several cells, neighbours in a row of pixels together.
fn thin_pixels(p: &PanelLayout, cells: &Cells, grid: &Grid) -> Vec<Patch> {
    let Some(summaries) = cells.summaries_of(grid) else {
        return Vec::new();
    };
    let width = p.body.w as usize;
    let is_thin = |rows: &[u32; 2], columns: &[u32; 2]| {
        let mut any = false;
        for row in rows[0]..rows[1] {
            for column in columns[0]..columns[1] {
                let at = row as usize * grid.width() + column as usize;
                if State::of_bits(grid.cells()[at]).is_some() {
                    continue;
                }
                if !grid.is_thin(at) {
                    return false;
                }
                any = true;
            }
        }
        any
    };
    let mut out: Vec<Patch> = Vec::new();
    for (y, rows) in p.rows.spans().iter().enumerate() {
        let bits = cells.shown(&summaries, y * width..(y + 1) * width);
        for (x, columns) in p.columns.spans().iter().enumerate() {
            if State::of_bits(bits[x]).is_some() || !is_thin(rows, columns) {
                continue;
            }
            let ink = ink(&cells.scale, cells.scale.index(bits[x]));
            let rect = Rect::new(f64::from(p.body.x) + x as f64, f64::from(p.body.y) + y as f64, 1.0, 1.0);
            match out.last_mut() {
                Some(last) if last.ink == ink && last.rect.y == rect.y && last.rect.right() == rect.x => {
                    last.rect.w += 1.0;
                }
                _ => out.push(Patch { rect, ink, hole: None }),
            }
        }
    }
    out
}
