//! Two panels compared: the other side of the large panel, both in turn, and both in one body beside a divider.

use super::super::geometry::WindowGeometry;
use super::command::Swiping;
use super::drags::Gesture;
use super::enlarging::{ONE_PANEL, panel_name};
use super::{Damage, ViewState};
use gridscope_core::geom::Point;

/// Where the divider is at first, as a share of the body.
const MIDDLE: f64 = 0.5;

/// The other side of the large panel, and how both are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Comparing {
    /// The panel that was large before.
    before: Option<usize>,
    /// The panel that was large before the difference; `None` where that was not asked for.
    left: Option<Option<usize>>,
    /// Both sides follow each other by a clock.
    pub blinks: bool,
    /// The other side is left of a divider, at this share of the body.
    pub swipe: Option<f64>,
    /// Where the divider was last.
    last: Option<f64>,
}

impl ViewState {
    /// The other side of a panel: the baseline of values, and the values of everything else of a comparison; in other figures
    /// the panel that was large before, else the next one.
    fn other_side(&self, panel: usize, geometry: &WindowGeometry) -> Option<usize> {
        let panels = geometry.grids.len();
        if panels < 2 || panel >= panels {
            return None;
        }
        if let Some([baseline, values, _]) = geometry.comparison(panel) {
            return Some(if panel == values { baseline } else { values });
        }
        let before = self.comparing.before.filter(|p| *p < panels && *p != panel);
        Some(before.unwrap_or((panel + 1) % panels))
    }

    /// The panel that is compared: the large one, else the current one, of a comparison its values.
    fn compared(&self, geometry: &WindowGeometry) -> usize {
        let current = self.current_panel(geometry);
        let values = geometry.comparison(current).map(|of| of[1]);
        self.large.or(values).unwrap_or(current)
    }

    /// Another panel, or all of them, will be large: the sides are no longer shown in turn or together.
    pub(super) fn leave_panel(&mut self, next: Option<usize>) {
        let swipe = self.comparing.swipe.take();
        self.comparing.last = swipe.or(self.comparing.last);
        self.comparing.blinks = false;
        self.comparing.left = None;
        self.comparing.before = self.large.filter(|_| next.is_some()).or(self.comparing.before);
    }

    /// Shows the other side large; a divider stays, with the sides exchanged.
    pub(super) fn show_other(&mut self, geometry: &WindowGeometry) -> Damage {
        let Some(other) = self.other_side(self.compared(geometry), geometry) else {
            return self.say(ONE_PANEL.to_owned());
        };
        let swipe = self.comparing.swipe;
        let damage = self.show_panel(Some(other), geometry);
        self.comparing.swipe = swipe;
        damage
    }

    /// Shows the sides in turn from now on, or no longer.
    pub(super) fn blink(&mut self, geometry: &WindowGeometry) -> Damage {
        if std::mem::take(&mut self.comparing.blinks) {
            return Damage::OVERLAY;
        }
        let panel = self.compared(geometry);
        let Some(other) = self.other_side(panel, geometry) else {
            return self.say(ONE_PANEL.to_owned());
        };
        let mut damage = self.show_panel(Some(panel), geometry);
        damage |= self.end_swipe();
        self.comparing.blinks = true;
        let names = [panel, other].map(|p| panel_name(geometry, p));
        damage | Damage::OVERLAY | self.say(format!("{} and {} in turn, Esc ends it", names[0], names[1]))
    }

    /// Shows the other of two sides that are shown in turn; not while something is dragged.
    pub(crate) fn blink_on(&mut self, geometry: &WindowGeometry) -> Damage {
        let turns = self.comparing.blinks && self.is_still();
        let (Some(large), true) = (self.large, turns) else {
            return Damage::NONE;
        };
        let Some(other) = self.other_side(large, geometry) else {
            self.comparing.blinks = false;
            return Damage::OVERLAY;
        };
        (self.large, self.comparing.before) = (Some(other), Some(large));
        Damage::LAYOUT
    }

    /// Whether a panel is one of two sides that are shown in turn.
    pub(super) fn blinks_between(&self, panel: Option<usize>) -> bool {
        self.comparing.blinks && (panel == self.large || panel.is_some() && panel == self.comparing.before)
    }

    /// Whether the sides are shown in turn.
    pub(crate) fn is_blinking(&self) -> bool {
        self.comparing.blinks
    }

    /// The other side that is shown left of the divider, and the share of the body that it has.
    pub(crate) fn swiped(&self, geometry: &WindowGeometry) -> Option<(usize, f64)> {
        let share = self.comparing.swipe?;
        let large = self.large?;
        let other = self.other_side(large, geometry)?;
        geometry.apart(large, other).is_none().then_some((other, share))
    }

    /// Shows a divider, moves it, or takes it away.
    pub(super) fn swipe(&mut self, swiping: Swiping, geometry: &WindowGeometry) -> Damage {
        let now = self.comparing.swipe;
        let share = match (swiping, now) {
            (Swiping::To(share) | Swiping::By(share), _) if !share.is_finite() => return Damage::NONE,
            (Swiping::Toggle, Some(_)) => return self.end_swipe(),
            (Swiping::Toggle, None) => self.comparing.last.unwrap_or(MIDDLE),
            (Swiping::To(share), _) => share,
            (Swiping::By(by), Some(share)) => share + by,
            (Swiping::By(_), None) => {
                return self.say("no divider: Shift+W shows one".to_owned());
            }
        };
        if now.is_some() {
            return self.divide(share);
        }
        let panel = self.compared(geometry);
        let Some(other) = self.other_side(panel, geometry) else {
            return self.say(ONE_PANEL.to_owned());
        };
        if let Some(why) = geometry.apart(panel, other) {
            return self.say(format!("no divider: {why}"));
        }
        let mut damage = self.show_panel(Some(panel), geometry);
        self.comparing.blinks = false;
        // Both sides show the same part.
        if let Some(view) = self.views.get(panel).copied()
            && let Some(own) = self.views.get_mut(other)
        {
            *own = view;
        }
        damage |= Damage::VIEW | self.divide(share);
        let names = [other, panel].map(|p| panel_name(geometry, p));
        damage | self.say(format!("left {}, right {}: drag the divider", names[0], names[1]))
    }

    /// Puts the divider at a share of the body.
    pub(super) fn divide(&mut self, share: f64) -> Damage {
        let share = Some(share.clamp(0.0, 1.0));
        Damage::OVERLAY.when(std::mem::replace(&mut self.comparing.swipe, share) != share)
    }

    /// Puts the divider under a point.
    pub(super) fn divide_at(&mut self, at: Point, geometry: &WindowGeometry) -> Damage {
        match &geometry.swipe {
            Some(swipe) if swipe.body.w > 0 => {
                self.divide((at.x - f64::from(swipe.body.x)) / f64::from(swipe.body.w))
            }
            _ => Damage::NONE,
        }
    }

    fn end_swipe(&mut self) -> Damage {
        self.gesture.take_if(|g| matches!(g, Gesture::Divider { .. }));
        let swipe = self.comparing.swipe.take();
        self.comparing.last = swipe.or(self.comparing.last);
        Damage::VIEW.when(swipe.is_some())
    }

    /// Shows one side, as it is seen now; `None` where that is so.
    pub(super) fn end_comparing(&mut self) -> Option<Damage> {
        if std::mem::take(&mut self.comparing.blinks) {
            self.message = None;
            return Some(Damage::OVERLAY);
        }
        let swipes = self.comparing.swipe.is_some();
        swipes.then(|| {
            self.message = None;
            self.end_swipe()
        })
    }

    /// Shows the difference large, or the panel shown before it.
    pub(super) fn show_difference(&mut self, geometry: &WindowGeometry) -> Damage {
        let current = self.current_panel(geometry);
        let Some([_, values, difference]) = geometry.comparison(current) else {
            return self.say("no difference here: --against FILE compares with another file".to_owned());
        };
        if self.large == Some(difference) {
            let left = self.comparing.left.unwrap_or(Some(values));
            return self.show_panel(left, geometry);
        }
        let left = self.large;
        let damage = self.show_panel(Some(difference), geometry);
        self.comparing.left = Some(left);
        damage
    }

    /// Follows the panels to data that were read again; `panels` has the earlier place of each.
    pub(super) fn follow_sides(&mut self, panels: &[Option<usize>], now: &WindowGeometry) {
        let place = |panel: usize| panels.iter().position(|old| *old == Some(panel));
        self.comparing.before = self.comparing.before.and_then(place);
        self.comparing.left = self.comparing.left.map(|left| left.and_then(place));
        let other = self.large.and_then(|large| self.other_side(large, now));
        if other.is_none() {
            (self.comparing.blinks, self.comparing.swipe) = (false, None);
        }
        if self.swiped(now).is_none() {
            self.comparing.swipe = None;
        }
    }
}

#[cfg(test)]
mod tests;
