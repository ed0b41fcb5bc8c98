//! Message of a window that is too small for its figure.

use super::Session;
use gridscope_draw::layout::Plan;
use gridscope_draw::resolve::{Overrides, ResolveError, ShortSide, frame};

impl Session {
    /// Whether the figure fits the window once its tick labels are hidden.
    pub(super) fn fits_without_labels(&mut self) -> bool {
        let hidden = Overrides { labels: Some(false), ..self.overrides() };
        let frame = frame(&self.figure, &hidden, &self.geometry.grids);
        frame.is_ok_and(|frame| Plan::new(&frame, &mut self.fonts).is_ok())
    }
}

/// Which side is short, by how many logical pixels, and what helps; `labels`: hiding tick labels does. `unit`: pixels of a
/// logical pixel.
pub(super) fn too_small(e: &ResolveError, labels: bool, unit: f64) -> String {
    let ResolveError::Small { side, lacks, .. } = e else {
        return e.to_string();
    };
    let (what, longer) = match side {
        ShortSide::Width => ("narrow", "wider"),
        ShortSide::Height => ("low", "higher"),
    };
    let lacks = (lacks / unit).ceil().max(1.0);
    let hide = if labels { ", or hide the tick labels: t" } else { "" };
    format!("The window is too {what}: make it about {lacks:.0} pixels {longer}{hide}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_side_and_what_helps_are_named() {
        let small =
            |side| ResolveError::Small { side, lacks: 119.2, what: String::new(), hint: String::new() };
        assert_eq!(
            too_small(&small(ShortSide::Width), true, 2.0),
            "The window is too narrow: make it about 60 pixels wider, or hide the tick labels: t"
        );
        assert_eq!(
            too_small(&small(ShortSide::Height), false, 1.0),
            "The window is too low: make it about 120 pixels higher"
        );
        let other = ResolveError::Size("no panel".to_owned());
        assert_eq!(too_small(&other, true, 1.0), "no panel");
    }
}
