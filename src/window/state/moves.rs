//! Moves of the views: zoom, pan, steps.

use super::super::geometry::{Hit, PanelAt, WindowGeometry};
use super::command::Reach;
use super::history::Run;
use super::pin::{Pin, carry};
use super::square::{self, Along};
use super::{Damage, ViewState};
use gridscope_core::geom::Point;
use gridscope_core::view::{Part, View};

/// A command pans by at most this many pixels, so that sums stay finite.
const FARTHEST: f64 = 1e9;

/// Whether a number is a valid zoom factor.
fn is_factor(factor: f64) -> bool {
    factor.is_finite() && factor > 0.0
}

/// The panel that was hit, and the axes that a move there concerns.
pub(super) fn axes(hit: Hit) -> Option<(usize, Along)> {
    match hit {
        Hit::Body(p) | Hit::Divider(p) => Some((p, Along::BOTH)),
        Hit::XAxis(p) => Some((p, Along { x: true, y: false })),
        Hit::YAxis(p) => Some((p, Along { x: false, y: true })),
        Hit::Bar(_)
        | Hit::Distribution(_)
        | Hit::Thumbnail(_)
        | Hit::Strip
        | Hit::Slider(_)
        | Hit::Title(_)
        | Hit::Tool(_)
        | Hit::Entry(_)
        | Hit::Minimap(_)
        | Hit::Elsewhere => None,
    }
}

/// The view within a panel's axes; a part that is longer than its axis already may stay so.
pub(super) fn clamped(panel: &PanelAt, view: &View) -> View {
    let clamp = |p: &Part, length: f64| p.clamp(length, p.len().max(length));
    View { x: clamp(&view.x, panel.x.length()), y: clamp(&view.y, panel.y.length()) }
}

/// The view of data alone: nothing beyond the ends of the axes.
pub(super) fn within_data(panel: &PanelAt, view: &View) -> View {
    let clamp = |part: &Part, length: f64| part.clamp(length, length);
    View { x: clamp(&view.x, panel.x.length()), y: clamp(&view.y, panel.y.length()) }
}

/// Whether two views look the same: no end differs by as much as a billionth of its part.
pub(super) fn alike(a: &View, b: &View) -> bool {
    let near = |a: &Part, b: &Part| (a.from - b.from).abs().max((a.to - b.to).abs()) <= 1e-9 * a.len();
    near(&a.x, &b.x) && near(&a.y, &b.y)
}

impl ViewState {
    /// The views after a move of all panels, or of one alone.
    pub(super) fn moved(
        &self,
        geometry: &WindowGeometry,
        one: Option<usize>,
        f: impl Fn(&PanelAt, &View) -> View,
    ) -> Vec<View> {
        let each = self.views.iter().zip(&geometry.panels).enumerate();
        each.map(|(i, (v, p))| if one.is_none_or(|one| one == i) { f(p, v) } else { *v }).collect()
    }

    /// Shows other views. Moves of one run add one entry to the history.
    pub(super) fn show(&mut self, mut views: Vec<View>, run: Option<Run>) -> Damage {
        for (new, old) in views.iter_mut().zip(&self.views).filter(|(a, b)| alike(a, b)) {
            *new = *old;
        }
        if views == self.views {
            return Damage::NONE;
        }
        // A drag adds its entry when it ends.
        if !self.rebase(&views) {
            self.history.leave(self.place(), run);
        }
        self.views = views;
        Damage::VIEW
    }

    /// Zooms in `factor` times about a point.
    pub(super) fn zoom(&mut self, at: Point, factor: f64, alone: bool, geometry: &WindowGeometry) -> Damage {
        if !is_factor(factor) || !at.is_finite() {
            return Damage::NONE;
        }
        let hit = geometry.hit(at);
        if let Hit::Bar(b) | Hit::Distribution(b) = hit {
            return self.zoom_limits(b, at, factor, geometry);
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let (panel, view) = (&geometry.panels[i], self.views[i]);
        // Until the next frame, the view may be one for another body than the one under the pointer.
        let held = self.pin.filter(|pin| pin.is_at(i, at, along));
        let pin = held.unwrap_or_else(|| Pin::new(i, at, along, panel, &view));
        let (x, y) = pin.place(panel);
        // Of one axis alone, the other stays: cells are square no longer.
        let gives_way = self.is_square() && along != Along::BOTH;
        let square = self.is_square() && !gives_way;
        let views = self.moved(geometry, alone.then_some(i), |p, v| {
            let v = &if gives_way { within_data(p, v) } else { *v };
            let x = along.x.then(|| carry(x, panel.x.length(), p.x.length()));
            let y = along.y.then(|| carry(y, panel.y.length(), p.y.length()));
            square::zoomed(p, v, (x, y), factor, square)
        });
        let mut damage = self.show(views, Some(Run::Zoom));
        if gives_way && damage.any() {
            damage |= self.give_way(geometry);
        }
        if damage.any() {
            self.pin = Some(pin);
        }
        damage
    }

    /// Moves the content under a point by this many pixels.
    pub(super) fn pan(&mut self, at: Point, by: Point, alone: bool, geometry: &WindowGeometry) -> Damage {
        if !at.is_finite() || !by.is_finite() {
            return Damage::NONE;
        }
        let hit = geometry.hit(at);
        match hit {
            Hit::Bar(b) => return self.shift_limits(b, by, geometry),
            Hit::Thumbnail(_) | Hit::Strip => return self.scroll_strip(by, geometry),
            _ => {}
        }
        let Some((i, along)) = axes(hit) else {
            return Damage::NONE;
        };
        let views = self.panned(&self.views, (i, along), by, alone, geometry);
        self.show(views, Some(Run::Pan))
    }

    /// These views with the content moved by this many pixels of a panel.
    pub(super) fn panned(
        &self,
        from: &[View],
        at: (usize, Along),
        by: Point,
        alone: bool,
        geometry: &WindowGeometry,
    ) -> Vec<View> {
        let (i, along) = at;
        let (Some(panel), Some(view)) = (geometry.panels.get(i), from.get(i)) else {
            return from.to_vec();
        };
        let cells = |by: f64, pixels: u32, part: &Part| {
            by.clamp(-FARTHEST, FARTHEST) / f64::from(pixels.max(1)) * part.len()
        };
        let x = if along.x { -cells(by.x, panel.body.w, &view.x) } else { 0.0 };
        let y = if along.y { cells(by.y, panel.body.h, &view.y) } else { 0.0 };
        let x = if panel.leftward { -x } else { x };
        let y = if panel.lower { y } else { -y };
        let go = |(j, (v, p)): (usize, (&View, &PanelAt))| {
            if alone && j != i {
                return *v;
            }
            let (x, y) = (carry(x, panel.x.length(), p.x.length()), carry(y, panel.y.length(), p.y.length()));
            clamped(p, &View { x: v.x.pan(x), y: v.y.pan(y) })
        };
        from.iter().zip(&geometry.panels).enumerate().map(go).collect()
    }

    /// Moves the view this many steps right and down.
    pub(super) fn step(&mut self, right: i32, down: i32, reach: Reach, geometry: &WindowGeometry) -> Damage {
        let go = |part: &Part, steps: f64, length: f64| match reach {
            Reach::Step => part.pan(0.1 * steps * part.len()),
            Reach::Page => part.pan(0.9 * steps * part.len()),
            Reach::Edge if steps > 0.0 => part.pan(length - part.to),
            Reach::Edge if steps < 0.0 => part.pan(-part.from),
            Reach::Edge => *part,
        };
        let views = self.moved(geometry, self.one_by_key(geometry), |p, v| {
            let right = if p.leftward { -f64::from(right) } else { f64::from(right) };
            let down = if p.lower { -f64::from(down) } else { f64::from(down) };
            clamped(p, &View { x: go(&v.x, right, p.x.length()), y: go(&v.y, down, p.y.length()) })
        });
        self.show(views, Some(Run::Step).filter(|_| reach != Reach::Edge))
    }

    /// Zooms in `factor` times about the middle of each panel.
    pub(super) fn nearer(&mut self, factor: f64, geometry: &WindowGeometry) -> Damage {
        if !is_factor(factor) {
            return Damage::NONE;
        }
        let square = self.is_square();
        let views = self.moved(geometry, self.one_by_key(geometry), |p, v| {
            square::zoomed(p, v, (Some(v.x.at(0.5)), Some(v.y.at(0.5))), factor, square)
        });
        self.show(views, Some(Run::Nearer))
    }
}

#[cfg(test)]
mod tests;
