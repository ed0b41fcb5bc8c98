//! The other side of a large panel, in the same body: painted as that panel is when it is large.

use super::Session;
use crate::device_folds::DeviceFolds;
use crate::geometry::SwipeAt;
use crate::state::panel_name;
use gridscope_core::figure::{Annotate, Figure};
use gridscope_core::grid::State;
use gridscope_core::scale::grouped;
use gridscope_draw::error::Error;
use gridscope_draw::layout::Layout;
use gridscope_draw::resolve::{Colours, frame};
use gridscope_draw::scene::Inset;
use std::sync::Arc;

/// The keys that compare.
const KEYS: [&str; 4] = ["Tab: other side", "Shift+B: blink", "Shift+W: swipe", "Shift+D: difference"];

impl Session {
    /// Paints the other side, where the state shows one left of a divider.
    pub(super) fn paint_other(
        &mut self,
        figure: &Figure,
        layout: &Layout,
        colours: &Colours,
        moves: bool,
        device: &mut Option<&mut (dyn DeviceFolds + '_)>,
    ) -> Result<(), Error> {
        self.other = Arc::default();
        let (Some(large), Some((other, _))) = (self.geometry.large, self.state.swiped(&self.geometry)) else {
            return Ok(());
        };
        let mut overrides = self.overrides();
        overrides.only = Some(Some(other));
        let mut frame = frame(figure, &overrides, &self.geometry.grids)?;
        if self.geometry.coarse {
            // Values would be written over colours of other cells.
            frame.annotate = Annotate::Off;
        }
        // The body has the same pixels whichever side it shows.
        if let Some(view) = self.state.views.get(large) {
            (frame.panels[other].part_x, frame.panels[other].part_y) = (Some(view.x), Some(view.y));
        }
        let painted = self.paint_panels(figure, &frame, layout, Some(colours.clone()), moves, device)?;
        self.other = self.hung(&Arc::new(painted.scene.items));
        if !moves {
            self.readings.know(other, painted.known.get(other).cloned().flatten());
        }
        let tables = self.geometry.panels.get(large).map(|p| (p.columns.clone(), p.rows.clone()));
        if let (Some(at), Some(tables)) = (self.geometry.panels.get_mut(other), tables) {
            (at.columns, at.rows) = tables;
        }
        Ok(())
    }

    /// Puts the divider where the state has it.
    pub(super) fn place_divider(&mut self) {
        let shown = self.geometry.large.filter(|_| self.trouble.is_none() && !self.other.is_empty());
        let swipe = shown.and_then(|large| {
            let (other, share) = self.state.swiped(&self.geometry)?;
            Some(SwipeAt::new(other, self.geometry.panels.get(large)?.body, share))
        });
        if std::mem::replace(&mut self.geometry.swipe, swipe) != swipe {
            // The pointer may be over the other side now.
            self.readings.forget_pointer();
        }
    }

    /// The part of the window that shows the other side.
    pub(super) fn inset(&self) -> Option<Inset> {
        let rect = self.geometry.swipe.as_ref()?.rect();
        (rect.w > 0).then(|| Inset { rect, items: Arc::clone(&self.other) })
    }

    /// Shows the other of two sides that are shown in turn.
    pub(crate) fn blink_on(&mut self) {
        let damage = self.state.blink_on(&self.geometry);
        // The view has not moved: what is seen is exact at once.
        self.rests |= damage.layout;
        self.damage |= damage;
    }

    /// Message when a comparison opens: cells that one side alone has, and the keys that compare.
    pub(super) fn sides_text(&self) -> String {
        let alone = |state: State| -> u64 {
            let counts = self.geometry.stats.iter().map(|s| s.states[state.index()]);
            counts.sum()
        };
        let known = [
            (alone(State::Appeared), "not in the baseline"),
            (alone(State::Vanished), "only in the baseline"),
        ];
        let known = known.iter().filter(|(n, _)| *n > 0 && !self.geometry.coarse);
        let mut parts: Vec<String> = known
            .map(|(n, what)| {
                let cells = if *n == 1 { "cell" } else { "cells" };
                format!("{} {cells} {what}", grouped(&n.to_string()))
            })
            .collect();
        parts.extend(KEYS.map(str::to_owned));
        parts.join(" · ")
    }

    /// Parts of the window that a saved picture leaves out; empty where there are none.
    pub(crate) fn left_out(&self) -> String {
        let large = panel_name(&self.geometry, self.geometry.large.unwrap_or_default());
        if self.geometry.swipe.is_some() {
            format!(": {large} alone, without the other side and the divider")
        } else if self.state.is_blinking() {
            format!(": {large}, which was seen")
        } else {
            String::new()
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
