//! Geometry and colours put together: the figure as items.

use super::annotations::{annotations, cell_lines, outlined, rings};
use super::bar::{BarPlacement, bar, label_width};
use super::hatching::{cover, pen, swatch, thin_cells};
use super::margins::margins;
use super::marks::{MarkPainter, inks_beside_contours, is_outlined_extreme, stars};
use super::{Cells, Item, Scene, contours, marks};
use crate::layout::{BarLayout, Layout};
use crate::marking::PanelMarking;
use crate::resolve::{Colours, Frame, PanelCells};
use gridscope_core::color::Color;
use gridscope_core::figure::MarkStyle;
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::grid::{Grid, State, Stats, Summaries, Summary};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::ColorScale;
use gridscope_core::text::{Measure, shorten};
use gridscope_core::vision::Vision;
use std::sync::Arc;

/// Content of the bodies; one of each a panel.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// The place of the first grid among those that the scene is painted from.
    pub first: usize,
    /// The cells.
    pub grids: &'a [Grid],
    /// Figures over all of a grid's cells.
    pub stats: &'a [Stats],
    /// The folds of panels whose pixels cover several cells.
    pub summaries: &'a [Option<Arc<Summaries>>],
    /// Marks.
    pub marking: &'a [PanelMarking],
}

/// The scene of a figure, and the marks left out of it.
pub fn compose(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    content: &Content<'_>,
    m: &mut dyn Measure,
) -> (Scene, Lints) {
    let Content { first, grids, stats, summaries, marking } = *content;
    let (inks, rises) = (inks_beside_contours(frame), frame.min_count.is_some());
    let painter = |i: usize, annotated: bool| MarkPainter {
        panel: &layout.panels[i],
        marking: &marking[i],
        frame: &frame.panels[i],
        scale: &colours.panels[i].scale,
        line: layout.line,
        font: frame.font_size,
        annotated,
        outlines: inks.unwrap_or((Color::BLACK, Color::WHITE)),
        rises,
    };
    let mut items = Vec::new();
    let mut lints = Lints::default();
    let mut bodies = Vec::with_capacity(grids.len());
    for (i, p) in layout.panels.iter().enumerate() {
        let cells = Cells {
            grid: first + i,
            body: p.body,
            columns: p.columns.clone(),
            rows: p.rows.clone(),
            summaries: summaries[i].clone(),
            before: None,
            scale: colours.panels[i].scale.clone(),
            reduce: colours.panels[i].reduce,
            centre: colours.panels[i].centre,
            background: frame.page,
            unit: layout.unit,
        };
        if frame.min_count.is_some() {
            bodies.push(cells.clone());
        }
        items.push(Item::Cells(Box::new(cells)));
        if frame.hides {
            let (scale, background) = (&colours.panels[i].scale, frame.page);
            cover(p, &grids[i], scale, background, &mut items);
        }
        if let Some((width, color)) = frame.cell_lines {
            cell_lines(p, width, color, &mut items);
        }
        contours::contours(p, &marking[i], layout, &mut items);
    }
    let columns = bar_columns(frame, layout, colours, m);
    for (i, made) in colours.bars.iter().enumerate() {
        if let Some(at) = &layout.bars[i] {
            let spec = &frame.bars[i];
            let levels = contours::drawn_levels(spec.panels.iter().filter_map(|&i| marking.get(i)), layout);
            let place = BarPlacement { at, line: layout.line, column: columns[i] };
            lints.append(bar(frame, spec, place, made, &levels, m, &mut items));
        }
    }
    items.extend(layout.rects.iter().map(|(rect, color)| Item::Rect { rect: *rect, color: *color }));
    margins(frame, layout, colours, m, &mut items, &mut lints);
    for (rect, state) in &layout.keys {
        key(rect, first, *state, frame, layout, colours, &mut items);
    }
    for (rect, symbol) in &layout.symbols {
        let (ink, around) = match (symbol, inks) {
            (MarkStyle::Outline, Some(inks)) => inks,
            _ => (frame.palette.ink, frame.palette.ink),
        };
        marks::swatch(*symbol, rect, layout.line, rises, ink, around, &mut items);
    }
    contours::key(layout, marking, frame.palette.ink, &mut items);
    if let (Some(rect), Some(panel)) = (&layout.thin_key, colours.panels.first()) {
        swatch(rect, &panel.scale, pen(frame.dpi), &mut items);
        outline(rect, layout.line, frame.palette.ink, &mut items);
    }
    if let Some(rect) = &layout.hidden_key {
        hidden_key(rect, colours, &mut items);
        outline(rect, layout.line, frame.palette.ink, &mut items);
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
    let mut values = Vec::new();
    annotations(frame, &layout.panels, colours, grids, m, &mut values, &mut lints);
    if values.is_empty() {
        stars(frame, &layout.panels, colours, grids, m, &mut values, &mut lints);
    }
    let annotated = !values.is_empty();
    for ((p, cells), grid) in layout.panels.iter().zip(&bodies).zip(grids) {
        thin_cells(p, cells, grid, pen(frame.dpi), &values, m, &mut items);
    }
    for i in 0..grids.len() {
        painter(i, annotated).under(&values, m, &mut items);
    }
    for i in 0..layout.panels.len() {
        let mut bold = Vec::new();
        painter(i, annotated).bold(&values, &mut bold);
        items.append(&mut bold);
    }
    items.append(&mut values);
    for (i, p) in layout.panels.iter().enumerate() {
        if !annotated {
            contours::labels(frame, p, &marking[i], m, &mut items);
        }
        for mark in frame.panels[i].marks.iter().filter(|m| is_outlined_extreme(m)) {
            let greatest = matches!(mark.cells, PanelCells::Max);
            let scale = &colours.panels[i].scale;
            outlined(p, &stats[i], greatest, scale, layout.line, &mut items);
            let ties = if greatest { stats[i].max_ties } else { stats[i].min_ties };
            if ties > Stats::MAX_CELLS as u64 {
                let text = format!("{ties} cells tie; the first {} are outlined", Stats::MAX_CELLS);
                lints.add_panel(LintName::AnnotationsHidden, &frame.panels[i].name, ties, text);
            }
        }
        rings(p, &colours.panels[i].rings, layout.line, &mut items);
        painter(i, annotated).over(&mut items);
        painter(i, annotated).report(&mut lints);
        contours::report(&frame.panels[i], &marking[i], stats[i].min.is_some(), &mut lints);
    }
    notes(frame, layout, colours, m, &mut items);
    let mut page = Some(frame.page).filter(|page| page.alpha() > 0);
    if let Some(vision) = frame.simulate {
        page = page.map(|page| vision.seen(page));
        simulate(vision, &mut items);
    }
    (Scene::new(layout.size, page, items), lints)
}

/// For each bar beside a panel, the widest labels of those over and under it. In a window bars keep their places while limits
/// change.
fn bar_columns(frame: &Frame, layout: &Layout, colours: &Colours, m: &mut dyn Measure) -> Vec<Option<f64>> {
    let bars = layout.bars.iter().zip(&colours.bars).zip(&frame.bars);
    let width = |((at, bar), spec)| {
        let at: &BarLayout = Option::as_ref(at)?;
        let is_shared = at.aligned && !at.horizontal && !frame.viewed;
        is_shared.then(|| (at.rect.x, label_width(frame, spec, at, bar, m)))
    };
    let widths: Vec<Option<(i32, f64)>> = bars.map(width).collect();
    let widest = |x: i32| {
        let of_column = widths.iter().flatten().filter(|w| w.0 == x);
        of_column.map(|w| w.1).fold(0.0, f64::max)
    };
    widths.iter().map(|w| w.map(|(x, _)| widest(x))).collect()
}

/// A swatch filled as the cells of its state are, with a thin outline.
fn key(
    rect: &PxRect,
    grid: usize,
    state: State,
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    items: &mut Vec<Item>,
) {
    let Some(panel) = colours.panels.first() else {
        return;
    };
    let one = |pixels: u32| gridscope_core::view::EdgeTable::fit(1, pixels);
    let mut summary = Summary::default();
    summary.add(state.bits());
    items.push(Item::Cells(Box::new(Cells {
        grid,
        body: *rect,
        columns: one(rect.w),
        rows: one(rect.h),
        summaries: Some(Arc::new(vec![summary; (rect.w * rect.h) as usize].into())),
        before: None,
        scale: panel.scale.clone(),
        reduce: gridscope_core::figure::Reduce::Mean,
        centre: 0.0,
        background: frame.palette.background,
        unit: layout.unit,
    })));
    outline(rect, layout.line, frame.palette.ink, items);
}

/// The colours that hidden values have, side by side where scales have different ones.
fn hidden_key(rect: &PxRect, colours: &Colours, items: &mut Vec<Item>) {
    let mut shown: Vec<Color> = Vec::new();
    for hide in colours.panels.iter().filter_map(|p| p.scale.spec().hide) {
        if !shown.contains(&hide.color) {
            shown.push(hide.color);
        }
    }
    let (r, n) = (rect.rect(), shown.len() as f64);
    let x = |i: usize| (r.x + r.w * i as f64 / n).round();
    items.extend(
        shown
            .iter()
            .enumerate()
            .map(|(i, color)| Item::Rect { rect: Rect::new(x(i), r.y, x(i + 1) - x(i), r.h), color: *color }),
    );
}

/// A thin outline within a swatch.
fn outline(rect: &PxRect, t: f64, color: Color, items: &mut Vec<Item>) {
    let edges = rect.rect().edges(t);
    items.extend(edges.map(|rect| Item::Rect { rect, color }));
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
        lines.push(shorten(&last, (last.chars().count() as f64 * share * 0.95) as usize));
    }
    for (text, at) in lines.into_iter().zip(&layout.notes) {
        items.push(Item::Text { text, font_size: font, at: *at, degrees: 0, color: frame.palette.ink });
    }
}

/// Items in the colours that readers see who lack a kind of cones.
fn simulate(vision: Vision, items: &mut [Item]) {
    let mut known: Vec<(Arc<ColorScale>, Arc<ColorScale>)> = Vec::new();
    let mut of_scale = |scale: &mut Arc<ColorScale>| {
        let found = known.iter().find(|(own, _)| Arc::ptr_eq(own, scale)).map(|(_, seen)| seen.clone());
        let seen = found.unwrap_or_else(|| Arc::new(scale.recoloured(|c| vision.seen(c))));
        known.push((scale.clone(), seen.clone()));
        *scale = seen;
    };
    for item in items {
        match item {
            Item::Rect { color, .. }
            | Item::Line { color, .. }
            | Item::Polygon { color, .. }
            | Item::Text { color, .. } => *color = vision.seen(*color),
            Item::Cells(cells) => {
                of_scale(&mut cells.scale);
                cells.background = vision.seen(cells.background);
            }
            Item::Ramp { scale, .. } => of_scale(scale),
        }
    }
}
