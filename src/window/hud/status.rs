//! The status line: read-outs, the part in view, progress of reading a file.

use super::super::geometry::{Hit, STATUS};
use super::super::shades::grey;
use super::super::state::Entry;
use super::lettering::{FONT, fit, fit_head, write};
use super::typed::{self, FieldAt};
use super::{OverlayInput, Progress, latch};
use gridscope_core::geom::Rect;
use gridscope_core::text::Measure;
use gridscope_draw::scene::Item;

/// Shown while a search has no text.
const SEARCH: &str = "part of a label · Enter finds the next match · Esc closes";

/// Shown while the prompt has no text.
const PROMPT: &str =
    "a command, as limits LOW HIGH or limits 2% 98% · Tab completes · Enter runs · Esc closes";

/// Shown while the table of colormaps is open and nothing is typed.
const MAP: &str = "arrows, pointer or a name choose · Enter keeps · Esc restores";

/// Shown while the pointer is outside all panels.
const HINT: &str = "? keys · wheel zooms · drag pans · click selects";

/// Height of the status line in pixels; `unit` is the scale factor.
pub(crate) fn status_height(unit: f64) -> u32 {
    (STATUS * unit.max(0.25)).round() as u32
}

/// A line of at most this many ems is narrow.
const NARROW: f64 = 60.0;

/// A selection's read-out has at least this many ems, or none.
const LEAST: f64 = 8.0;

/// A text of the line, and how dark it is.
type Segment = (String, f64);

/// Paints the line, unless the window is lower than it.
pub(super) fn status(view: &OverlayInput<'_>, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit) = (view.geometry.size, view.geometry.logical_pixel());
    let (w, h) = (f64::from(size.w), f64::from(status_height(unit)));
    let top = f64::from(size.h) - h;
    if top < 0.0 {
        return;
    }
    let line = unit.round().max(1.0);
    items.push(Item::Rect { rect: Rect::new(0.0, top, w, h), color: grey(view.palette, 0.06) });
    items.push(Item::Rect { rect: Rect::new(0.0, top, w, line), color: grey(view.palette, 0.2) });
    if let Some(share) = view.progress.and_then(|p| p.share) {
        let long = (share.clamp(0.0, 1.0) * w).round();
        items.push(Item::Rect {
            rect: Rect::new(0.0, top, long, (2.0 * unit).round().max(2.0)),
            color: grey(view.palette, 0.65),
        });
    }
    let (font, pad, gap) = (FONT * unit, (10.0 * unit).round(), 24.0 * unit);
    let middle = top + f64::midpoint(h, line).round();
    let taken = latch::badge(view, middle, m, items);
    let room = w - 2.0 * pad - taken;
    let (right, dark) = right(view);
    let parts = left(view);
    let full: Vec<f64> = parts.iter().map(|p| m.size(&p.0, font).width).collect();
    let gaps = gap * (parts.len() - 1) as f64;
    // A message may take more of the line than the text that is always there.
    let most = if said(view).is_some() { room - gap - full[0].min(0.4 * room) } else { 0.45 * room };
    // The right side gives way to the read-outs; to a typed line only in a narrow window.
    let crowded = full.iter().sum::<f64>() + gaps + gap + m.size(&right, font).width > room;
    let reads = view.state.line.is_none() && view.progress.is_none() && !view.pointer.is_empty();
    let yields = said(view).is_none() && (reads || room < NARROW * font);
    let right = if crowded && yields { String::new() } else { fit(&right, font, most, m) };
    let wide = m.size(&right, font).width;
    write(&right, font, w - pad - taken - wide, middle, grey(view.palette, dark), items);
    let room = room - if wide > 0.0 { wide + gap } else { 0.0 };
    let mut x = pad;
    // The selection gives way to the labels of the pointer's cell.
    let first = if view.state.line.is_some() { share(&full, room - gaps) } else { room };
    for (i, (text, dark)) in parts.iter().enumerate() {
        // The second text gets the room that the first leaves.
        let allowed = if i == 0 { first } else { pad + room - x };
        if i > 0 && allowed < full[i].min(LEAST * font) {
            break;
        }
        if let Some(typed) = view.state.line.as_ref().filter(|_| i == 0) {
            let at = FieldAt { x, middle, width: allowed, font, line };
            x += typed::paint(typed, &at, view.palette, m, items);
        } else {
            let text = if view.state.line.is_some() {
                fit(text, font, allowed, m)
            } else {
                fit_parts(text, font, allowed, m)
            };
            write(&text, font, x, middle, grey(view.palette, *dark), items);
            x += m.size(&text, font).width;
        }
        x += gap;
    }
}

/// A read-out no wider than `width`. Indices are dropped before labels are cut, since the crosshair shows
/// them.
fn fit_parts(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> String {
    if m.size(text, font).width <= width {
        return text.to_owned();
    }
    let mut parts: Vec<&str> = text.split(" · ").collect();
    while parts.len() > 2 {
        parts.remove(parts.len() - 2);
        let shorter = parts.join(" · ");
        if m.size(&shorter, font).width <= width {
            return shorter;
        }
    }
    // The values matter more than the position.
    match parts[..] {
        [.., what] => fit_head(what, font, width, m),
        [] => String::new(),
    }
}

/// The width of the first of two texts that share `room`: half of it, or what the second leaves.
fn share(full: &[f64], room: f64) -> f64 {
    if let [_, second] = *full { (room / 2.0).max(room - second) } else { room }
}

/// The message of the last command, or what lasts.
fn said<'a>(view: &OverlayInput<'a>) -> Option<&'a str> {
    view.state.message.as_deref().or(view.standing)
}

/// The text on the right, and how dark it is: a message, else the progress of reading a file, else what lasts,
/// else the part in view.
fn right(view: &OverlayInput<'_>) -> (String, f64) {
    match (view.state.message.as_deref(), &view.progress) {
        (Some(text), _) => (gridscope_core::text::clean(text), 1.0),
        (None, Some(p)) => (reading(p), 0.62),
        (None, None) if view.standing.is_some() => {
            (view.standing.map(gridscope_core::text::clean).unwrap_or_default(), 1.0)
        }
        (None, None) => (if view.notice.is_none() { view.view.to_owned() } else { String::new() }, 0.62),
    }
}

/// The texts on the left: a typed line, else the read-outs of pointer and selection.
fn left(view: &OverlayInput<'_>) -> Vec<Segment> {
    if let Some(line) = &view.state.line {
        let hint = match line.entry {
            Entry::Search => SEARCH,
            Entry::Prompt => PROMPT,
            Entry::Map => MAP,
        };
        let waits = line.field.text().is_empty().then(|| (hint.to_owned(), 0.62));
        return [(typed::whole(line), 1.0)].into_iter().chain(waits).collect();
    }
    let said = [(view.pointer, 0.92), (view.selection, 0.75)].into_iter().filter(|p| !p.0.is_empty());
    let said: Vec<Segment> = said.map(|(text, dark)| (text.to_owned(), dark)).collect();
    if !said.is_empty() {
        return said;
    }
    // Between two cells a hint would flicker.
    let over = view.state.pointer.is_some_and(|at| matches!(view.geometry.hit(at), Hit::Body(_)));
    let hint = if over || view.notice.is_some() { "" } else { HINT };
    vec![(hint.to_owned(), 0.62)]
}

fn reading(p: &Progress<'_>) -> String {
    let file = gridscope_core::text::clean(p.file);
    match p.share {
        Some(share) => format!("reading {file} · {:.0} %", (share.clamp(0.0, 1.0) * 100.0).floor()),
        None => format!("reading {file}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_leaves_its_room_to_the_other() {
        assert_eq!(
            [share(&[90.0, 20.0], 100.0), share(&[20.0, 90.0], 100.0), share(&[500.0], 100.0)],
            [80.0, 50.0, 100.0]
        );
    }

    #[test]
    fn a_read_out_loses_its_place_before_its_value() {
        let fit = |text: &str, w: f64| fit_parts(text, 10.0, w * 6.0, &mut gridscope_core::text::Fake);
        let text = "ratio 0.3, window 2000 · row 12, column 4 · pass1 41.25";
        assert_eq!(
            [fit(text, 55.0), fit(text, 54.0), fit(text, 36.0), fit(text, 35.0)],
            [
                text,
                "ratio 0.3, window 2000 · pass1 41.25",
                "ratio 0.3, window 2000 · pass1 41.25",
                "pass1 41.25"
            ]
        );
        assert_eq!((fit(text, 9.0), fit("", 0.0)), ("pass1 41…".to_owned(), String::new()));
        let block = "rows 1–2, columns 4–5 · 4 cells: mean 0.25, min 0.1, max 0.5";
        assert_eq!(
            [fit(block, 36.0), fit(block, 24.0)],
            ["4 cells: mean 0.25, min 0.1, max 0.5", "4 cells: mean 0.25, min…"]
        );
    }

    #[test]
    fn labels_of_the_pointers_cell_outlive_the_selection_and_the_right_side() {
        use super::super::super::geometry::WindowGeometry;
        use super::super::super::state::ViewState;
        use super::super::super::test_grids::{geometry, sweep};
        use super::super::Counted;
        use gridscope_core::color::Color;
        use gridscope_core::geom::PxSize;
        use gridscope_draw::resolve::Palette;
        let pointer = "model LLaMA, task topics · row 12, column 4 · AUROC 84.99";
        let said = |w: u32| {
            let geometry = WindowGeometry {
                size: PxSize { w, h: 400 },
                ..geometry(vec![sweep()], PxSize { w: 200, h: 150 })
            };
            let state = ViewState::new(&geometry);
            let view = OverlayInput {
                geometry: &geometry,
                state: &state,
                palette: Palette { background: Color::WHITE, ink: Color::BLACK },
                em: 12.0,
                pointer,
                selection: "rows 1–9, columns 2–5 · 36 cells: mean 71.25, min 60, max 85",
                linked: &[],
                thumbs: &[],
                view: "12 × 30 · 48 px per cell",
                progress: None,
                times: None,
                statistics: None,
                profiles: None,
                counted: &Counted::Counting,
                obstacles: &[],
                histograms: &[],
                standing: None,
                minimap: None,
                notice: None,
                prompt: None,
                keys: &[],
            };
            let mut items = Vec::new();
            status(&view, &mut gridscope_core::text::Fake, &mut items);
            let text = |i: &Item| match i {
                Item::Text { text, .. } => Some(text.clone()),
                _ => None,
            };
            items.iter().filter_map(text).collect::<Vec<_>>()
        };
        let long = 7.2 * pointer.chars().count() as f64;
        for w in [450, 600, 800, 1000, 1280] {
            let list = said(w);
            assert!(f64::from(w) < long + 21.0 || list.contains(&pointer.to_owned()), "{w}: {list:?}");
        }
        assert_eq!(said(1800).len(), 3, "there is room for all");
    }

    #[test]
    fn percents_are_never_early() {
        let text = |share| reading(&Progress { file: "results.npy", share });
        assert_eq!(
            [text(Some(0.439)), text(Some(0.9999)), text(None)],
            ["reading results.npy · 43 %", "reading results.npy · 99 %", "reading results.npy"]
        );
        assert_eq!((status_height(1.0), status_height(1.25), status_height(2.0)), (24, 30, 48));
    }
}
