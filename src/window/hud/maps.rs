//! The table of all colormaps: a ramp and the name of each, in groups.

use super::super::map_table::{map_table, maps};
use super::super::shades::{clear, grey};
use super::{FONT, OverlayInput, fit, frame, write};
use gridscope_core::geom::Rect;
use gridscope_core::scale::Colormap;
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

/// Width of a ramp, as a share of its entry.
const RAMP: f64 = 0.45;
/// A ramp is painted in this many steps, fewer for maps of fewer colours.
const STEPS: usize = 48;

/// Paints the page of the table that has the chosen map.
pub(super) fn table(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let Some(picker) = &view.state.picker else { return };
    let (unit, palette) = (view.geometry.logical_pixel(), view.palette);
    let table = map_table(view.geometry, picker.chosen);
    let window = Rect::new(0.0, 0.0, f64::from(view.geometry.size.w), f64::from(view.geometry.size.h));
    if !window.contains(&table.frame, 0.5) {
        return;
    }
    let (font, line) = (FONT * unit, unit.round().max(1.0));
    items.push(Item::Rect { rect: table.frame, color: clear(palette.background, 0.97) });
    frame(&table.frame, line, grey(palette, 0.3), items);
    for (i, (title, place)) in table.titles.iter().enumerate() {
        let pages = match (i, table.pages) {
            (0, (page, pages)) if pages > 1 => format!(" · page {page} of {pages}"),
            _ => String::new(),
        };
        let title = fit(&format!("{title}{pages}"), font, place.w, m);
        write(&title, font, place.x, place.center().y, grey(palette, 0.6), items);
    }
    let typed = view.state.line.as_ref().map_or(String::new(), |l| l.field.text().to_lowercase());
    for (map, place) in &table.entries {
        let name = maps().nth(*map).unwrap_or_default();
        let inner = place.grown(-2.0 * line);
        if *map == picker.chosen {
            items.push(Item::Rect { rect: *place, color: grey(palette, 0.16) });
        }
        let width = (RAMP * inner.w).round();
        ramp(name, &Rect::new(inner.x, inner.y, width, inner.h), items);
        let dark = if name.to_lowercase().contains(&typed) { 1.0 } else { 0.4 };
        let x = inner.x + width + 0.5 * font;
        let name = fit(name, font, inner.right() - x, m);
        write(&name, font, x, place.center().y, grey(palette, dark), items);
    }
}

/// The colours of a map from left to right.
fn ramp(name: &str, at: &Rect, items: &mut Vec<Item>) {
    let Ok(map) = Colormap::named(name) else { return };
    let n = map.entries.len().min(STEPS);
    let edge = |k: usize| at.x + (k as f64 / n as f64 * at.w).round();
    for k in 0..n {
        let color = map.entries[(2 * k + 1) * map.entries.len() / (2 * n)];
        let rect = Rect::new(edge(k), at.y, edge(k + 1) - edge(k), at.h);
        if rect.w > 0.0 {
            items.push(Item::Rect { rect, color });
        }
    }
}
