//! The state written back into the figure: what `render` draws the same picture of.

use super::Session;
use crate::error::Error;
use crate::figure::{Figure, Length, Reduce, TickLabels};
use crate::scale::Norm;
use serde_json::Value;

impl Session {
    /// The figure with all that the state changes, at the window's size; `render` draws the same picture of it.
    pub fn described(&self) -> Figure {
        let mut figure = self.figure.clone();
        self.state.look.onto(&mut figure, &self.scales_of());
        let (size, px) = (self.canvas(), |v: u32| Some(Length(format!("{v}px"))));
        (figure.size.width, figure.size.height, figure.size.dpi) = (px(size.w), px(size.h), Some(96.0 * self.world.unit));
        self.views(&mut figure);
        figure
    }

    /// The state as the text of a figure file, which `render` draws the same picture of.
    ///
    /// # Errors
    /// When a word has no place in such a file.
    pub fn written(&self) -> Result<String, Error> {
        if let Some(trouble) = &self.trouble {
            return Err(Error::Grid(trouble.clone()));
        }
        let mut figure = self.described();
        self.say_limits(&mut figure);
        let value = serde_json::to_value(&figure).map_err(|e| Error::Encode(e.to_string()))?;
        toml::to_string(&pruned(value)).map_err(|e| Error::Encode(e.to_string()))
    }

    /// Limits that only this window has seen, from earlier states of the data, must be said in words.
    fn say_limits(&self, figure: &mut Figure) {
        if figure.panels.values().all(|p| p.seen.is_none()) {
            return;
        }
        for (g, scale) in self.world.grids.iter().zip(&self.world.scale_of) {
            let Some(spec) = self.world.scales.get(*scale).map(|s| s.spec()) else { continue };
            if matches!(spec.norm, Norm::Bounds(_) | Norm::Quantile(_)) || self.world.reduce == Reduce::Count {
                continue;
            }
            let members = self.world.stats.iter().zip(&self.world.scale_of).filter(|(_, of)| *of == scale);
            let range = members.filter_map(|(s, _)| s.range()).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
            // What the data as they are give needs no word; percentiles are not seen from here.
            let plain = figure.color.robust != Some(true) && figure.panels.values().all(|p| p.robust != Some(true));
            let (low, high) = range.filter(|_| plain).map_or((true, true), |r| (spec.vmin < r.0, spec.vmax > r.1));
            let own = figure.panels.get_mut(&g.name).filter(|_| self.world.scales.len() > 1);
            let (vmin, vmax) = own.map_or((&mut figure.color.vmin, &mut figure.color.vmax), |p| (&mut p.vmin, &mut p.vmax));
            *vmin = vmin.or(Some(spec.vmin).filter(|_| low));
            *vmax = vmax.or(Some(spec.vmax).filter(|_| high));
        }
    }

    /// Whether all panels show the same part.
    pub(super) fn is_linked(&self) -> bool {
        self.state.views.windows(2).all(|p| p[0] == p[1])
    }

    fn views(&self, figure: &mut Figure) {
        let text = |p: crate::view::Part| Some(format!("{}:{}", p.from, p.to));
        let Some(first) = self.state.views.first() else {
            // The parts come when the axes are known; bodies must leave their labels room.
            figure.view.x.get_or_insert_with(|| "0:1".to_owned());
            return;
        };
        (figure.view.x, figure.view.y) = (text(first.x), text(first.y));
        if !self.is_linked() {
            // Labels beside one panel would not be true of the others.
            figure.tick_labels = Some(TickLabels::Each);
        }
        for (g, v) in self.world.grids.iter().zip(&self.state.views) {
            if let Some(p) = figure.panels.get_mut(&g.name) {
                (p.view_x, p.view_y) = (None, None);
            }
            if v != first {
                let p = figure.panels.entry(g.name.clone()).or_default();
                (p.view_x, p.view_y) = (text(v.x), text(v.y));
            }
        }
    }
}

/// Leaves out what says nothing.
fn pruned(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(map) => {
            let kept: serde_json::Map<_, _> = map.into_iter().filter_map(|(k, v)| Some((k, pruned(v)?))).collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(list) if list.is_empty() => None,
        other => Some(other),
    }
}
