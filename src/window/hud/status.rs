//! The status line: read-outs, the part in view, progress, a typed line, and the box above it.

use super::super::geometry::{Hit, STATUS, TOOLBAR};
use super::super::prompt::PromptHelp;
use super::super::script::Candidate;
use super::super::shades::grey;
use super::super::state::Entry;
use super::{FONT, OverlayInput, Progress, fit, fit_head, fit_tail, frame, write};
use crate::state::TypedLine;
use gridscope_core::geom::Rect;
use gridscope_core::text::{Measure, clean};
use gridscope_draw::layout::wrap;
use gridscope_draw::resolve::Palette;
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
    let taken = badge(view, middle, m, items);
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
            x += paint(typed, &at, view.palette, m, items);
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

/// A read-out no wider than `width`. Indices are dropped before labels are cut, since the crosshair shows them; labels are cut
/// before values.
fn fit_parts(text: &str, font: f64, width: f64, m: &mut dyn Measure) -> String {
    if m.size(text, font).width <= width {
        return text.to_owned();
    }
    let mut parts: Vec<&str> = text.split(BETWEEN).collect();
    let last = parts.len() - 1;
    let places = parts[..last].iter().rposition(|part| is_indices(part));
    let named = match places {
        Some(at) => {
            parts.remove(at);
            at
        }
        None => last.min(1),
    };
    let what = parts.split_off(named).join(BETWEEN);
    let names = parts.join(BETWEEN);
    let rest = width - m.size(&format!("{BETWEEN}{what}"), font).width;
    if names.is_empty() || rest < (LEAST * font).min(m.size(&names, font).width) {
        return fit_head(&what, font, width, m);
    }
    format!("{}{BETWEEN}{what}", fit(&names, font, rest, m))
}

/// Between the parts of a read-out.
const BETWEEN: &str = " · ";

/// Whether a part of a read-out is the indices of cells.
fn is_indices(part: &str) -> bool {
    ["row ", "rows ", "column ", "columns "].into_iter().any(|word| {
        part.strip_prefix(word).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// The width of the first of two texts that share `room`: half of it, or what the second leaves.
fn share(full: &[f64], room: f64) -> f64 {
    if let [_, second] = *full { (room / 2.0).max(room - second) } else { room }
}

/// The message of the last command, or a lasting one.
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
        return [(whole(line), 1.0)].into_iter().chain(waits).collect();
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

/// Texts of the badge; in a narrow window a shorter one.
const TEXTS: [&str; 3] = ["one panel only", "one panel", "1"];
/// The badge takes at most this share of the line.
const MOST_WIDTH: f64 = 0.2;

/// Paints the badge in a line whose middle is at `middle`, and returns the width that it takes from the right
/// side of the window; 0 without a badge.
fn badge(view: &OverlayInput<'_>, middle: f64, m: &mut dyn Measure, items: &mut Vec<Item>) -> f64 {
    if !view.state.alone {
        return 0.0;
    }
    let (unit, w) = (view.geometry.logical_pixel(), f64::from(view.geometry.size.w));
    let (font, pad, edge) = (FONT * unit, (6.0 * unit).round(), (4.0 * unit).round());
    let fits = TEXTS.into_iter().find_map(|text| {
        let wide = m.size(text, font).width.ceil() + 2.0 * pad;
        (wide + edge <= MOST_WIDTH * w).then_some((text, wide))
    });
    let Some((text, wide)) = fits else { return 0.0 };
    let tall = (1.5 * font).round();
    let rect = Rect::new(w - wide - edge, (middle - tall / 2.0).round(), wide, tall);
    items.push(Item::Rect { rect, color: grey(view.palette, 0.75) });
    write(text, font, rect.x + pad, middle, view.palette.background, items);
    wide + edge
}

/// Before the cursor, at least this share of the room, where the text is longer than the room.
const BEFORE: f64 = 0.8;

/// Where a line is painted: its left end, its middle and its width, in pixels.
pub(super) struct FieldAt {
    pub x: f64,
    pub middle: f64,
    pub width: f64,
    pub font: f64,
    /// Thickness of the cursor.
    pub line: f64,
}

/// The whole line: its sign and its text.
pub(super) fn whole(line: &TypedLine) -> String {
    format!("{}{}", sign(line), line.field.text())
}

fn sign(line: &TypedLine) -> &'static str {
    match line.entry {
        Entry::Search => "/ ",
        Entry::Prompt => ": ",
        Entry::Map => "map: ",
    }
}

/// Paints a line; a text longer than the room is cut so that the cursor is in view. Returns the width of the text.
pub(super) fn paint(
    line: &TypedLine,
    at: &FieldAt,
    palette: Palette,
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) -> f64 {
    let (font, room) = (at.font, at.width - 3.0 * at.line);
    let (before, after) = line.field.halves();
    let head = format!("{}{before}", sign(line));
    let text = whole(line);
    let wide = m.size(&text, font).width;
    let (head, cursor, wide) = if wide <= room {
        write(&text, font, at.x, at.middle, palette.ink, items);
        let cursor = m.size(&head, font).width;
        (head, cursor, wide)
    } else {
        let most = if after.is_empty() { room } else { BEFORE * room };
        let head = fit_tail(&head, font, most, m);
        let cursor = m.size(&head, font).width;
        let tail = fit_head(after, font, room - cursor - 2.0 * at.line, m);
        write(&head, font, at.x, at.middle, palette.ink, items);
        let x = at.x + cursor + 2.0 * at.line;
        write(&tail, font, x, at.middle, palette.ink, items);
        (head, cursor, cursor + m.size(&tail, font).width)
    };
    if !head.is_empty() {
        let tall = (1.15 * font).round();
        items.push(Item::Rect {
            rect: Rect::new(
                (at.x + cursor + at.line).round(),
                (at.middle - tall / 2.0).round(),
                at.line,
                tall,
            ),
            color: palette.ink,
        });
    }
    wide
}

/// The most lines of the box.
const MOST_ENTRIES: usize = 14;
/// The box ends this many logical pixels below the top of the window: frame times are there.
const TOP: f64 = 40.0 + TOOLBAR;
/// The greatest width of the box, in ems.
const WIDEST: f64 = 70.0;

/// A line of the box.
enum HelpLine {
    /// A sentence, and how dark it is.
    Text(String, f64),
    /// A candidate with its meaning; whether it is in the prompt now.
    Word(String, String, bool),
    /// Candidates side by side.
    Row(Vec<(String, bool)>),
}

/// Paints the box.
pub(super) fn prompt(view: &OverlayInput<'_>, help: &PromptHelp, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let (size, unit, palette) = (view.geometry.size, view.geometry.logical_pixel(), view.palette);
    let font = FONT * unit;
    let (pad, step) = ((8.0 * unit).round(), (1.55 * font).round());
    let bottom = f64::from(size.h) - f64::from(status_height(unit));
    let wide = f64::from(size.w).min((WIDEST * font).round());
    let inner = wide - 2.0 * pad;
    let room = ((bottom - TOP * unit - pad) / step).floor();
    if inner < 4.0 * font || room < 1.0 {
        return;
    }
    let (lines, column) = lines(help, font, inner, (room as usize).min(MOST_ENTRIES), m);
    if lines.is_empty() {
        return;
    }
    let tall = lines.len() as f64 * step + pad;
    let r = Rect::new(0.0, bottom - tall, wide, tall);
    items.push(Item::Rect { rect: r, color: palette.background });
    frame(&r, unit.round().max(1.0), grey(palette, 0.25), items);
    let gap = 1.5 * font;
    for (i, line) in lines.iter().enumerate() {
        let top = r.y + pad / 2.0 + i as f64 * step;
        let middle = top + step / 2.0;
        let mark = |x: f64, wide: f64, items: &mut Vec<Item>| {
            let around = Rect::new((x - pad / 2.0).round(), top, (wide + pad).round(), step);
            items.push(Item::Rect { rect: around, color: grey(palette, 0.14) });
        };
        match line {
            HelpLine::Text(text, dark) => write(text, font, pad, middle, grey(palette, *dark), items),
            HelpLine::Word(word, meaning, chosen) => {
                if *chosen {
                    mark(pad, inner, items);
                }
                write(word, font, pad, middle, palette.ink, items);
                write(meaning, font, pad + column + gap, middle, grey(palette, 0.7), items);
            }
            HelpLine::Row(cells) => {
                for (k, (text, chosen)) in cells.iter().enumerate() {
                    let x = pad + k as f64 * column;
                    if *chosen {
                        mark(x, m.size(text, font).width, items);
                    }
                    write(text, font, x, middle, palette.ink, items);
                }
            }
        }
    }
}

/// The lines of the box, at most `most`, and the width of its first column or of all columns.
fn lines(help: &PromptHelp, font: f64, width: f64, most: usize, m: &mut dyn Measure) -> (Vec<HelpLine>, f64) {
    let mut out: Vec<HelpLine> = Vec::new();
    for refusal in &help.refusal {
        let lines = wrap(&clean(refusal), font, width, m);
        out.extend(lines.into_iter().map(|l| HelpLine::Text(fit(&l, font, width, m), 1.0)));
    }
    if let Some((usage, meaning)) = help.line
        && help.chosen.is_none()
    {
        // The hint of a refusal has the usage already.
        if help.refusal.is_empty() {
            out.push(HelpLine::Text(fit_head(usage, font, width, m), 1.0));
        }
        let lines = wrap(meaning, font, width, m);
        out.extend(lines.into_iter().map(|l| HelpLine::Text(fit(&l, font, width, m), 0.7)));
    }
    out.truncate(most);
    let left = most - out.len();
    let offered: Vec<&Candidate> = help.candidates.iter().collect();
    // The only candidate is the word that is there already.
    let same = |c: &&Candidate| help.line.is_some_and(|l| l == c.about);
    if left == 0 || offered.is_empty() || (offered.len() == 1 && offered.iter().all(same)) {
        return (out, 0.0);
    }
    let column = if offered.iter().any(|c| !c.about.0.is_empty()) {
        words(&offered, help.chosen, font, width, left, m, &mut out)
    } else {
        rows(&offered, help.chosen, font, width, left, m, &mut out)
    };
    (out, column)
}

/// The first index to show of `n` things when `chosen` has to be among `most`.
fn first_shown(n: usize, most: usize, chosen: Option<usize>) -> usize {
    let last = n.saturating_sub(most);
    chosen.map_or(0, |c| (c + 1).saturating_sub(most)).min(last)
}

/// Candidates with their meanings, one a line; returns the width of the first column.
fn words(
    offered: &[&Candidate],
    chosen: Option<usize>,
    font: f64,
    width: f64,
    most: usize,
    m: &mut dyn Measure,
    out: &mut Vec<HelpLine>,
) -> f64 {
    let shown = if offered.len() > most { most - 1 } else { most };
    let from = first_shown(offered.len(), shown, chosen);
    let list = offered.iter().enumerate().skip(from).take(shown);
    let usage = |c: &Candidate| {
        if c.about.0.is_empty() { c.text.clone() } else { c.about.0.to_owned() }
    };
    let widest = list.clone().map(|(_, c)| m.size(&usage(c), font).width).fold(0.0, f64::max);
    let column = widest.min(0.45 * width).ceil();
    let rest = width - column - 1.5 * font;
    for (i, c) in list {
        out.push(HelpLine::Word(
            fit_head(&usage(c), font, column, m),
            fit_head(c.about.1, font, rest, m),
            chosen == Some(i),
        ));
    }
    more(offered.len(), shown.min(offered.len()), chosen, font, width, m, out);
    column
}

/// Candidates side by side; returns the width of a column.
fn rows(
    offered: &[&Candidate],
    chosen: Option<usize>,
    font: f64,
    width: f64,
    most: usize,
    m: &mut dyn Measure,
    out: &mut Vec<HelpLine>,
) -> f64 {
    let text = |c: &Candidate| clean(&c.text);
    let widest = offered.iter().map(|c| m.size(&text(c), font).width).fold(0.0, f64::max);
    let column = (widest + 1.5 * font).min(width).ceil();
    let across = ((width / column) as usize).max(1);
    let lines = if offered.len() > across * most { (most - 1).max(1) } else { most };
    let fit_in = across * lines;
    // Whole rows move, so that a candidate stays in its column.
    let from = first_shown(offered.len(), fit_in, chosen).div_ceil(across) * across;
    let list: Vec<_> = offered.iter().enumerate().skip(from).take(fit_in).collect();
    for row in list.chunks(across) {
        let cells = row.iter().map(|(i, c)| {
            let text = fit(&text(c), font, column - 0.75 * font, m);
            (text, chosen == Some(*i))
        });
        out.push(HelpLine::Row(cells.collect()));
    }
    if lines < most && most > 1 {
        more(offered.len(), list.len(), chosen, font, width, m, out);
    }
    column
}

/// Where one is in a list of `n` candidates, of which this many are seen.
fn more(
    n: usize,
    seen: usize,
    chosen: Option<usize>,
    font: f64,
    width: f64,
    m: &mut dyn Measure,
    out: &mut Vec<HelpLine>,
) {
    let text = match chosen {
        _ if seen >= n => return,
        Some(i) => format!("{} of {n} · Up and Down go through them", i + 1),
        None => format!("{} more · Down goes through them", n - seen),
    };
    out.push(HelpLine::Text(fit(&text, font, width, m), 0.55));
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
            [
                fit(text, 55.0),
                fit(text, 54.0),
                fit(text, 36.0),
                fit(text, 35.0),
                fit(text, 24.0),
                fit(text, 21.0)
            ],
            [
                text,
                "ratio 0.3, window 2000 · pass1 41.25",
                "ratio 0.3, window 2000 · pass1 41.25",
                "ratio 0.3,…indow 2000 · pass1 41.25",
                "pass1 41.25",
                "pass1 41.25",
            ]
        );
        let long = |n: usize| {
            format!("seed 3 · model {}, task x · row 12, column 4 · before 1 · after 2", "l".repeat(n))
        };
        assert_eq!(fit(&long(400), 60.0), "seed 3 · model llll…lllllllllll, task x · before 1 · after 2");
        let axis = fit(&format!("model {} · column 3", "l".repeat(400)), 40.0);
        assert!(axis.starts_with("model lll") && axis.ends_with("lll · column 3"), "{axis}");
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
                pointer,
                selection: "rows 1–9, columns 2–5 · 36 cells: mean 71.25, min 60, max 85",
                view: "12 × 30 · 48 px per cell",
                ..OverlayInput::bare(
                    &geometry,
                    &state,
                    Palette { background: Color::WHITE, ink: Color::BLACK },
                    12.0,
                )
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
