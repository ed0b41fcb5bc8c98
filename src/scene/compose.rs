//! Geometry and colours put together: the figure as items.

use super::annotations::{annotations, cell_lines, marks, rings};
use super::bar::bar;
use super::cover::cover;
use super::margins::margins;
use super::{Cells, Item, Scene};
use crate::figure::Mark;
use crate::geom::Rect;
use crate::grid::{Grid, State, Stats, Summaries, Summary};
use crate::layout::Layout;
use crate::lint::{LintName, Lints};
use crate::resolve::{Colours, Frame};
use crate::text::{Measure, shorten};
use std::sync::Arc;

/// The scene of a figure, and what had to be left out.
///
/// `summaries` holds each panel's fold where its pixels cover several cells.
pub fn compose(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    grids: &[Grid],
    stats: &[Stats],
    summaries: &[Option<Arc<Summaries>>],
    m: &mut dyn Measure,
) -> (Scene, Lints) {
    let mut items = Vec::new();
    let mut lints = Lints::default();
    for (i, p) in layout.panels.iter().enumerate() {
        items.push(Item::Cells(Cells {
            grid: i,
            body: p.body,
            columns: p.columns.clone(),
            rows: p.rows.clone(),
            summaries: summaries[i].clone(),
            scale: colours.panels[i].scale.clone(),
            reduce: colours.reduce,
            centre: colours.panels[i].centre,
            background: frame.palette.background,
            unit: layout.unit,
        }));
        if frame.hides {
            let (scale, background) = (&colours.panels[i].scale, frame.palette.background);
            cover(p, &grids[i], scale, background, &mut items);
        }
        if let Some((width, color)) = frame.cell_lines {
            cell_lines(p, width, color, &mut items);
        }
    }
    for ((at, made), spec) in layout.bars.iter().zip(&colours.bars).zip(&frame.bars) {
        if let Some(at) = at {
            bar(frame, at, made, spec, layout.line, m, &mut items);
        }
    }
    items.extend(layout.rects.iter().map(|(rect, color)| Item::Rect {
        rect: *rect,
        color: *color,
    }));
    margins(frame, layout, colours, m, &mut items);
    for (rect, state) in &layout.keys {
        key(rect, *state, frame, layout, colours, &mut items);
    }
    for t in &layout.texts {
        items.push(Item::Text {
            text: t.text.clone(),
            font_size: t.font_size,
            at: t.at,
            degrees: t.degrees,
            color: frame.palette.ink,
        });
    }
    annotations(frame, &layout.panels, colours, grids, m, &mut items, &mut lints);
    for (i, p) in layout.panels.iter().enumerate() {
        let mark = frame.panels[i].mark;
        marks(
            p,
            &stats[i],
            mark,
            &colours.panels[i].scale,
            layout.line,
            &mut items,
        );
        rings(p, &colours.panels[i].rings, layout.line, &mut items);
        let ties = if mark == Mark::Min {
            stats[i].min_ties
        } else {
            stats[i].max_ties
        };
        if mark != Mark::None && ties > Stats::MAX_CELLS as u64 {
            let text = format!("{ties} cells tie; the first {} are outlined", Stats::MAX_CELLS);
            lints.add_panel(LintName::AnnotationsHidden, &frame.panels[i].name, ties, text);
        }
    }
    notes(frame, layout, colours, m, &mut items);
    (
        Scene::new(layout.size, Some(frame.palette.background), items),
        lints,
    )
}

/// A swatch filled as the cells of its state are, with a thin outline.
fn key(
    rect: &crate::geom::PxRect,
    state: State,
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    items: &mut Vec<Item>,
) {
    let Some(panel) = colours.panels.first() else {
        return;
    };
    let one = |pixels: u32| crate::view::EdgeTable::fit(1, pixels);
    let mut summary = Summary::default();
    summary.add(state.bits());
    items.push(Item::Cells(Cells {
        grid: 0,
        body: *rect,
        columns: one(rect.w),
        rows: one(rect.h),
        summaries: Some(Arc::new(vec![summary; (rect.w * rect.h) as usize].into())),
        scale: panel.scale.clone(),
        reduce: crate::figure::Reduce::Mean,
        centre: 0.0,
        background: frame.palette.background,
        unit: layout.unit,
    }));
    let (r, t, color) = (rect.rect(), layout.line, frame.palette.ink);
    for edge in [
        Rect::new(r.x, r.y, r.w, t),
        Rect::new(r.x, r.bottom() - t, r.w, t),
        Rect::new(r.x, r.y, t, r.h),
        Rect::new(r.right() - t, r.y, t, r.h),
    ] {
        items.push(Item::Rect { rect: edge, color });
    }
}

fn notes(frame: &Frame, layout: &Layout, colours: &Colours, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let font = (0.85 * frame.font_size).max(frame.least_font);
    let mut lines: Vec<String> = Vec::new();
    for note in &colours.notes {
        // The same wrapping as when the lines were reserved.
        lines.extend(crate::layout::wrap(note, font, layout.note_width, m));
    }
    let kept = layout.notes.len();
    if lines.len() > kept && kept > 0 {
        let last = lines[kept - 1..].join(" ");
        lines.truncate(kept - 1);
        let share = layout.note_width / m.size(&last, font).width;
        lines.push(shorten(
            &last,
            (last.chars().count() as f64 * share * 0.95) as usize,
        ));
    }
    for (text, at) in lines.into_iter().zip(&layout.notes) {
        items.push(Item::Text {
            text,
            font_size: font,
            at: *at,
            degrees: 0,
            color: frame.palette.ink,
        });
    }
}
