//! The history of views, and of the shape of cells in them.

use gridscope_core::view::View;

/// The most entries.
const MOST: usize = 200;

/// Moves of the same kind in a row make one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    Zoom,
    Pan,
    Step,
    Nearer,
}

/// View that going back returns to.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub views: Vec<View>,
    /// Square cells, as in the overrides.
    pub square: Option<bool>,
    /// They gave way to a move along one axis.
    pub gave_way: bool,
}

impl PartialEq for Place {
    /// Whether they look the same.
    fn eq(&self, other: &Self) -> bool {
        (&self.views, self.square) == (&other.views, other.square)
    }
}

/// The places before and after the present one, as in a browser.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    past: Vec<Place>,
    future: Vec<Place>,
    run: Option<Run>,
}

impl History {
    /// Adds the place before a move, and drops the entries after it.
    pub(super) fn leave(&mut self, place: Place, run: Option<Run>) {
        if run.is_some() && self.run == run {
            return;
        }
        self.run = run;
        self.future.clear();
        self.past.push(place);
        if self.past.len() > MOST {
            self.past.remove(0);
        }
    }

    /// The next move makes an entry of its own.
    pub(super) fn rest(&mut self) {
        self.run = None;
    }

    /// Whether there is a place to go back to, or forward to.
    pub(super) fn leads(&self, back: bool, now: &Place) -> bool {
        let list = if back { &self.past } else { &self.future };
        list.iter().any(|place| place != now)
    }

    /// Goes back from the present place.
    pub(super) fn back(&mut self, now: &Place) -> Option<Place> {
        self.run = None;
        step(&mut self.past, &mut self.future, now)
    }

    /// Goes forward from the present place.
    pub(super) fn forward(&mut self, now: &Place) -> Option<Place> {
        self.run = None;
        step(&mut self.future, &mut self.past, now)
    }
}

/// Takes the last entry that differs from the present place, which is added to the other side.
fn step(from: &mut Vec<Place>, to: &mut Vec<Place>, now: &Place) -> Option<Place> {
    let last = from.iter().rposition(|place| place != now)?;
    from.truncate(last + 1);
    let found = from.pop()?;
    to.push(now.clone());
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(i: usize) -> Place {
        Place { views: vec![View::whole(i as f64 + 1.0, 1.0)], ..Place::default() }
    }

    #[test]
    fn back_and_forward_are_a_browsers() {
        let mut h = History::default();
        assert_eq!(h.back(&at(0)), None);
        h.leave(at(0), None);
        assert!(h.leads(true, &at(1)) && !h.leads(true, &at(0)) && !h.leads(false, &at(1)));
        h.leave(at(1), None);
        assert_eq!((h.back(&at(2)), h.back(&at(1)), h.back(&at(0))), (Some(at(1)), Some(at(0)), None));
        assert_eq!(
            (h.forward(&at(0)), h.forward(&at(1)), h.forward(&at(2))),
            (Some(at(1)), Some(at(2)), None)
        );
        h.back(&at(2));
        h.leave(at(1), None);
        assert_eq!((h.forward(&at(5)), h.back(&at(5))), (None, Some(at(1))));
    }

    #[test]
    fn a_run_is_one_entry_and_there_are_at_most_200() {
        let mut h = History::default();
        h.leave(at(0), Some(Run::Zoom));
        h.leave(at(1), Some(Run::Zoom));
        h.leave(at(2), Some(Run::Pan));
        h.rest();
        h.leave(at(3), Some(Run::Pan));
        assert_eq!(
            (h.back(&at(4)), h.back(&at(3)), h.back(&at(2)), h.back(&at(0))),
            (Some(at(3)), Some(at(2)), Some(at(0)), None)
        );
        (0..500).for_each(|i| h.leave(at(i), None));
        let mut now = at(500);
        let mut steps = 0;
        while let Some(v) = h.back(&now) {
            (now, steps) = (v, steps + 1);
        }
        assert_eq!((steps, now), (200, at(300)));
    }

    #[test]
    fn views_like_the_present_one_are_skipped() {
        let mut h = History::default();
        h.leave(at(0), None);
        h.leave(at(1), None);
        assert_eq!(h.back(&at(1)), Some(at(0)));
    }
}
