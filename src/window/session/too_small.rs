//! What helps where the window is too small for its figure.

use super::Session;
use gridscope_core::geom::PxSize;
use gridscope_draw::layout::Plan;
use gridscope_draw::resolve::{Canvas, Overrides, ResolveError, ShortSide};

/// Larger sizes that are tried, at most.
const TRIES: usize = 12;

impl Session {
    /// Why the figure has no room, and what gives it some: a larger window, or keys that show less. Each was tried.
    pub(super) fn too_small(&mut self, e: &ResolveError) -> String {
        if !matches!(e, ResolveError::Small { .. }) {
            return e.to_string();
        }
        let lacks = self.lacks();
        let own = self.overrides();
        let (canvas, toolbar) = (self.canvas(), self.geometry.toolbar);
        let whole = PxSize { h: canvas.h + toolbar, ..canvas };
        let whole = own.canvas.map(|c| Canvas { size: whole, ..c });
        let ways = [
            (true, Overrides { labels: Some(false), ..own.clone() }, "t hides tick labels"),
            (toolbar > 0, Overrides { canvas: whole, ..own.clone() }, "F10 hides the toolbar"),
            (
                self.geometry.grids.len() > 1,
                Overrides { only: Some(Some(0)), ..own },
                "Enter shows one panel",
            ),
        ];
        let helps = |way: &&(bool, Overrides, &str)| way.0 && self.fits(&way.1).is_ok();
        let keys: Vec<&str> = ways.iter().filter(helps).map(|way| way.2).collect();
        advice(lacks, &keys, self.geometry.unit)
    }

    /// How many pixels the window lacks across and down: with a larger window come a toolbar and more labels. None where no size was
    /// found.
    fn lacks(&mut self) -> [u32; 2] {
        let (before, mut fits) = (self.geometry.size, false);
        for _ in 0..TRIES {
            let tried = self.fits(&self.overrides());
            fits = tried.is_ok();
            let Err(ResolveError::Small { side, lacks, .. }) = tried else { break };
            let lacks = lacks.ceil().max(1.0) as u32;
            let PxSize { w, h } = &mut self.geometry.size;
            let short = if side == ShortSide::Width { w } else { h };
            *short = short.saturating_add(lacks);
        }
        let size = std::mem::replace(&mut self.geometry.size, before);
        [size.w - before.w, size.h - before.h].map(|more| if fits { more } else { 0 })
    }

    /// Whether the figure fits the window with these changes.
    fn fits(&mut self, changes: &Overrides) -> Result<(), ResolveError> {
        let frame = self.frame_with(changes)?;
        Plan::new(&frame, &mut self.fonts).map(drop)
    }
}

/// By how many pixels the window is too narrow and too low, and which keys help; `unit`: pixels of a logical pixel.
fn advice(lacks: [u32; 2], keys: &[&str], unit: f64) -> String {
    let [wider, higher] = lacks.map(|pixels| (f64::from(pixels) / unit).ceil());
    let what = match (wider > 0.0, higher > 0.0) {
        (true, true) => format!("small: make it {wider:.0} pixels wider and {higher:.0} higher"),
        (true, false) => format!("narrow: make it {wider:.0} pixels wider"),
        (false, true) => format!("low: make it {higher:.0} pixels higher"),
        (false, false) => "small: make it larger".to_owned(),
    };
    let keys = if keys.is_empty() { String::new() } else { format!("; {}", keys.join(", ")) };
    format!("The window is too {what}{keys}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_sides_and_what_helps_are_named() {
        assert_eq!(
            advice([119, 0], &["t hides tick labels"], 2.0),
            "The window is too narrow: make it 60 pixels wider; t hides tick labels"
        );
        assert_eq!(advice([0, 120], &[], 1.0), "The window is too low: make it 120 pixels higher");
        assert_eq!(
            advice([7, 120], &["F10 hides the toolbar", "Enter shows one panel"], 1.0),
            "The window is too small: make it 7 pixels wider and 120 higher; F10 hides the toolbar, Enter shows one panel"
        );
    }
}
