//! The menu that is open: a box of entries, each with its keys, beside the place that it is about.

use super::super::geometry::{MenuAt, WindowGeometry};
use super::super::input::bound;
use super::super::shades::grey;
use super::super::state::{Command, Effect, Menu, SET_LIMITS, SET_THRESHOLD, Typing};
use super::OverlayInput;
use super::lettering::{FONT, fit, frame, write};
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::text::{Measure, clean, shorten};
use gridscope_draw::scene::Item;

/// Height of an entry, the gap between two groups, the space beside texts and above the first entry, in logical pixels.
const ENTRY: f64 = 22.0;
const GAP: f64 = 9.0;
const PAD: f64 = 12.0;
const EDGE: f64 = 4.0;
/// The most characters of a file's name.
const NAME: usize = 60;

/// The text of a command in a menu, and its keys.
fn label(command: &Command) -> (String, String) {
    if let Some((text, keys)) = bound(command) {
        return (text.to_owned(), keys);
    }
    let (text, keys) = match command {
        Command::Click { .. } => ("Select the cell".to_owned(), "Click"),
        Command::Select { rows, .. } if rows.len() == 1 => ("Select its row".to_owned(), ""),
        Command::Select { .. } => ("Select its column".to_owned(), ""),
        Command::Fit { .. } => ("Show all of this panel".to_owned(), "Double click"),
        Command::Effect(Effect::OwnColumnOrder) => ("Columns in their own order".to_owned(), ""),
        Command::Effect(Effect::OwnRowOrder) => ("Rows in their own order".to_owned(), ""),
        Command::Type(Typing::Prompt(text)) if text == SET_LIMITS => ("Set limits…".to_owned(), ""),
        Command::Type(Typing::Prompt(text)) if text == SET_THRESHOLD => ("Set a threshold…".to_owned(), ""),
        Command::Open(file) => (shorten(&clean(file), NAME), ""),
        other => (other.to_string(), ""),
    };
    (text, keys.to_owned())
}

/// Where a menu is in its window: beside its place if there is room, with as many entries as the window has room for.
pub(crate) fn menu_at(menu: &Menu, geometry: &WindowGeometry, m: &mut dyn Measure) -> Option<MenuAt> {
    let unit = geometry.logical_pixel();
    let (w, h) = (f64::from(geometry.size.w), f64::from(geometry.size.h));
    let font = FONT * unit;
    let [entry, gap, pad, edge] = [ENTRY, GAP, PAD, EDGE].map(|v| (v * unit).round());
    let mut width: f64 = 0.0;
    for (text, keys) in menu.entries().map(label) {
        let between = if keys.is_empty() { 0.0 } else { 2.0 * pad };
        width = width.max(m.size(&text, font).width + between + m.size(&keys, font).width);
    }
    let width = (width.ceil() + 2.0 * pad).min(w);
    let (mut places, mut y) = (Vec::new(), edge);
    'groups: for group in menu.groups.iter().filter(|g| !g.is_empty()) {
        y += if places.is_empty() { 0.0 } else { gap };
        for _ in group {
            if y + entry + edge > h {
                break 'groups;
            }
            places.push(y);
            y += entry;
        }
    }
    let bottom = places.last()? + entry + edge;
    if width < 4.0 * pad {
        return None;
    }
    let left = menu.at.x.min(w - width).max(0.0).round();
    let top = menu.at.y.min(h - bottom).max(0.0).round();
    let place = |y: f64, height: f64| PxRect {
        x: left as i32,
        y: (top + y) as i32,
        w: width as u32,
        h: height as u32,
    };
    Some(MenuAt { frame: place(0.0, bottom), entries: places.into_iter().map(|y| place(y, entry)).collect() })
}

/// Paints the menu.
pub(super) fn menu(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (Some(menu), Some(at)) = (&view.state.menu, &view.geometry.menu) else {
        return;
    };
    let (unit, palette) = (view.geometry.logical_pixel(), view.palette);
    let (font, line, pad) = (FONT * unit, unit.round().max(1.0), (PAD * unit).round());
    let r = at.frame.rect();
    items.push(Item::Rect { rect: r, color: palette.background });
    items.push(Item::Rect { rect: r, color: grey(palette, 0.03) });
    frame(&r, line, grey(palette, 0.4), items);
    for (i, (command, place)) in menu.entries().zip(&at.entries).enumerate() {
        let r = place.rect();
        if menu.chosen == Some(i) {
            let rect = Rect::new(r.x + line, r.y, r.w - 2.0 * line, r.h);
            items.push(Item::Rect { rect, color: grey(palette, 0.16) });
        }
        let (text, keys) = label(command);
        let room = r.w - 2.0 * pad;
        let text = fit(&text, font, room, m);
        let taken = m.size(&text, font).width;
        let wide = m.size(&keys, font).width;
        write(&text, font, r.x + pad, r.center().y, grey(palette, 0.92), items);
        if taken + pad + wide <= room {
            write(&keys, font, r.right() - pad - wide, r.center().y, grey(palette, 0.55), items);
        }
    }
    // A line in the gap between two groups.
    for pair in at.entries.windows(2).map(|p| [p[0].rect(), p[1].rect()]) {
        if pair[1].y > pair[0].bottom() {
            let y = f64::midpoint(pair[0].bottom(), pair[1].y).round();
            items.push(Item::Rect {
                rect: Rect::new(r.x + pad / 2.0, y, r.w - pad, line),
                color: grey(palette, 0.2),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::state::{Menuing, ViewState};
    use super::super::super::test_grids::{geometry, sweep};
    use super::*;
    use crate::dice::Dice;
    use crate::geometry::Hit;
    use gridscope_core::geom::{Point, PxSize};
    use gridscope_core::text::Fonts;

    #[test]
    fn menus_stay_in_their_windows_and_every_entry_can_be_hit() {
        let (mut dice, mut fonts) = (Dice(5), Fonts::new());
        for unit in [1.0, 1.5, 2.0] {
            for _ in 0..60 {
                let size = PxSize { w: 100 + dice.below(3900) as u32, h: 60 + dice.below(2000) as u32 };
                let mut w = geometry(vec![sweep()], PxSize { w: 50, h: 40 });
                (w.size, w.unit) = (size, unit);
                let mut state = ViewState::new(&w);
                state.recent = (0..20).map(|i| format!("/data/runs/{}.npy", "long ".repeat(i))).collect();
                let at = Point {
                    x: dice.below(u64::from(size.w)) as f64,
                    y: dice.below(u64::from(size.h)) as f64,
                };
                state.apply(&Command::Menu(Menuing::At(at)), &w);
                let menu = state.menu.clone().unwrap();
                w.menu = menu_at(&menu, &w, &mut fonts);
                let Some(placed) = &w.menu else { panic!("{size:?} at {unit}") };
                let window = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
                assert!(window.contains(&placed.frame.rect(), 0.0), "{placed:?} in {size:?}");
                for (i, r) in placed.entries.iter().enumerate() {
                    assert_eq!(w.hit(r.rect().center()), Hit::Entry(i));
                }
                let all = menu.entries().count();
                assert!(placed.entries.len() == all || f64::from(size.h) < 22.0 * unit * (all + 5) as f64);
            }
        }
    }

    #[test]
    fn every_entry_has_a_text_that_is_no_line_of_a_script() {
        let w = geometry(vec![sweep()], PxSize { w: 600, h: 400 });
        let mut state = ViewState::new(&w);
        state.recent = vec!["/data/a.csv".to_owned()];
        let body = w.panels[0].body.rect().center();
        for at in [body, Point { x: 1.0, y: 1.0 }] {
            state.apply(&Command::Menu(Menuing::At(at)), &w);
            for command in state.menu.as_ref().unwrap().entries() {
                assert!(label(command).0 != command.to_string(), "{command}");
            }
        }
    }
}
