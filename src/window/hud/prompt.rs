//! The box above the prompt: why a line was refused, how it is written, what may be written next.

use super::super::geometry::TOOLBAR;
use super::super::prompt::PromptHelp;
use super::super::script::Candidate;
use super::super::shades::{clear, grey};
use super::OverlayInput;
use super::lettering::{FONT, fit, fit_head, frame, write};
use super::status::status_height;
use gridscope_core::geom::Rect;
use gridscope_core::text::{Measure, clean};
use gridscope_draw::layout::wrap;
use gridscope_draw::scene::Item;

/// The most lines of the box.
const MOST: usize = 14;
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
    let (lines, column) = lines(help, font, inner, (room as usize).min(MOST), m);
    if lines.is_empty() {
        return;
    }
    let tall = lines.len() as f64 * step + pad;
    let r = Rect::new(0.0, bottom - tall, wide, tall);
    items.push(Item::Rect { rect: r, color: clear(palette.background, 0.96) });
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
    more((offered.len(), shown.min(offered.len()), chosen), font, width, m, out);
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
        more((offered.len(), list.len(), chosen), font, width, m, out);
    }
    column
}

/// Where one is in a list of `n` candidates, of which this many are seen.
fn more(
    (n, seen, chosen): (usize, usize, Option<usize>),
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
