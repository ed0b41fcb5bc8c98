//! How labels are turned, wrapped and made smaller so that all of them fit.

use super::flow::label_lines;
use super::tick_set::{SMALLER, Tick, TickRequest, TickSet, crowding, fits, numeric};
use gridscope_core::grid::AxisKind;
use gridscope_core::text::Measure;

/// Lines of names side by side; more are harder to read than turned ones.
const UPRIGHT_LINES: usize = 2;

/// Up to this many numbers in uneven steps are turned before some are left out.
const FEW_NUMBERS: usize = 24;

/// Ways to make labels fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    /// All labels were asked for, whatever they look like.
    pub all: bool,
    /// The axis is a scale of numbers, of which a few are enough.
    pub scale: bool,
    /// Labels that are too wide may be turned.
    pub turns: bool,
}

impl Means {
    /// Rotations to try in this order.
    pub(super) fn degrees(self, ask: &TickRequest<'_>) -> &'static [i32] {
        match (ask.side, ask.frame.rotate) {
            (true, _) | (_, Some(0)) => &[0],
            (_, None) if !self.turns => &[0],
            (_, Some(45)) => &[45],
            (_, Some(_)) => &[90],
            (_, None) if !numeric(ask.axis) && !ask.steep => &[0, 45, 90],
            (_, None) if !numeric(ask.axis) => &[0, 90],
            // A few numbers that are not a scale are read one by one.
            (_, None) if self.all || !self.scale && ask.axis.len() <= FEW_NUMBERS => &[0, 90],
            (_, None) => &[0],
        }
    }

    /// The smallest font size in pixels.
    pub(super) fn least(self, ask: &TickRequest<'_>) -> f64 {
        let soft = (SMALLER * ask.font).max(ask.least).min(ask.font);
        match self {
            // The labels of a part have the size of those of the whole axis.
            _ if ask.part.is_some() => ask.font,
            Means { all: true, .. } => ask.least.min(ask.font),
            Means { scale: true, .. } => ask.font,
            _ => soft,
        }
    }

    /// The labels so that all of them fit; `None` if they do not.
    pub(super) fn arranged(
        self,
        set: &TickSet,
        ask: &TickRequest<'_>,
        m: &mut dyn Measure,
    ) -> Option<TickSet> {
        let turned = |degrees: i32| TickSet { degrees, ..set.clone() };
        let degrees = self.degrees(ask);
        let last = turned(*degrees.last()?);
        for &d in degrees {
            let set = turned(d);
            if fits(&set, ask) {
                return Some(set);
            }
            if d == 0 && degrees.len() > 1 {
                let other = if numeric(ask.axis) {
                    smaller(&set, ask, (SMALLER * ask.font).max(self.least(ask)))
                } else {
                    upright_lines(&set, ask, m)
                };
                if other.is_some() {
                    return other;
                }
            }
        }
        smaller(&last, ask, self.least(ask))
    }

    /// The length of a body in pixels on which all labels fit.
    pub(super) fn wanted(self, set: &TickSet, ask: &TickRequest<'_>) -> f64 {
        let turned = |degrees: &i32| TickSet { degrees: *degrees, ..set.resized(self.least(ask)) };
        let share = self.degrees(ask).iter().map(|d| crowding(&turned(d), ask)).fold(f64::MAX, f64::min);
        // Cells are whole pixels wide.
        let cells = ask.axis.len() as f64;
        (share * f64::from(ask.table.pixels()) / cells).ceil() * cells
    }
}

/// The labels in the largest font of at least `least` pixels in which they fit.
fn smaller(set: &TickSet, ask: &TickRequest<'_>, least: f64) -> Option<TickSet> {
    let font = 0.999 * set.font / crowding(set, ask);
    // Only the distance of neighbours makes labels smaller.
    (font < set.font && font >= least).then(|| set.resized(font)).filter(|s| fits(s, ask))
}

/// Names beside each other in several lines.
fn upright_lines(set: &TickSet, ask: &TickRequest<'_>, m: &mut dyn Measure) -> Option<TickSet> {
    if ask.axis.kind != AxisKind::Category || ask.part.is_some() {
        return None;
    }
    let pitch = set.ticks.windows(2).map(|p| (p[1].at - p[0].at).abs()).fold(f64::MAX, f64::min);
    let room = pitch - 0.5 * set.font;
    let mut out = set.clone();
    for t in out.ticks.iter_mut().filter(|t| t.width > room) {
        let text = label_lines(&t.text, set.font, room, UPRIGHT_LINES, m)?;
        *t = Tick::new(t.at, text, set.font, m);
    }
    fits(&out, ask).then_some(out)
}
