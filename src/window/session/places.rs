//! Maps panels and bars into the window. `room`: the rectangle of the window that the figure fills.

use crate::geometry::{BarAt, PanelAt};
use gridscope_core::geom::{PxRect, Rect};
use gridscope_core::view::EdgeTable;
use gridscope_draw::layout::{BodyRange, Layout, PanelLayout, track};
use gridscope_draw::resolve::{Colours, Frame};
use gridscope_draw::scene::{Item, Scene};

/// The panels; those that are not drawn are as large as the one that is, without pixels, so that views move alike on all.
pub(super) fn panels(frame: &Frame, layout: &Layout, room: PxRect) -> Vec<PanelAt> {
    let drawn = frame.drawn_panels();
    let none = || EdgeTable::placed(Vec::new(), 0);
    let at = |(i, panel)| {
        let panel: &gridscope_draw::resolve::PanelFrame = panel;
        let at: Option<&PanelLayout> = drawn.contains(&i).then(|| &layout.panels[i - drawn.start]);
        let (x, y) = (track(&panel.columns, frame.x.true_spacing), track(&panel.rows, frame.y.true_spacing));
        let cells = (x.length(), y.length());
        let shown = at.or(layout.panels.first());
        let range = shown.map(|p| BodyRange { cells, ..p.range });
        PanelAt {
            body: shown.map_or(PxRect::default(), |p| p.body.moved(room.x, room.y)),
            columns: at.map_or_else(none, |at| at.columns.clone()),
            rows: at.map_or_else(none, |at| at.rows.clone()),
            x,
            y,
            lower: frame.lower,
            leftward: frame.leftward,
            range: range.filter(|range| range.base != range.most),
        }
    };
    frame.panels.iter().enumerate().map(at).collect()
}

/// Where the titles of panels are; none in a figure of one panel.
pub(super) fn titles(frame: &Frame, layout: &Layout, room: PxRect) -> Vec<Option<Rect>> {
    let (right, down) = (f64::from(room.x), f64::from(room.y));
    let mut out = vec![None; frame.panels.len()];
    if out.len() > 1 {
        let drawn = frame.drawn_panels();
        out[drawn]
            .iter_mut()
            .zip(&layout.panels)
            .for_each(|(out, at)| *out = at.title.map(|r| r.moved(right, down)));
    }
    out
}

/// The bars, where their ramps are painted; `colours` and `scene` are those of the panels that are drawn.
pub(super) fn bars(
    frame: &Frame,
    layout: &Layout,
    colours: &Colours,
    scene: &Scene,
    room: PxRect,
) -> Vec<Option<BarAt>> {
    let mut ramps = scene.items.iter().filter_map(|i| match i {
        Item::Ramp { rect, horizontal, .. } => {
            Some(BarAt { ramp: rect.moved(room.x, room.y), horizontal: *horizontal })
        }
        _ => None,
    });
    let mut out = vec![None; frame.bars.len()];
    // A bar without any value has no ramp.
    let drawn = layout.bars.iter().zip(&colours.bars);
    out[frame.drawn_bars()].iter_mut().zip(drawn).for_each(|(out, (at, bar))| {
        *out = at.as_ref().filter(|_| !bar.empty).and_then(|_| ramps.next());
    });
    out
}
