//! The clock of slices: when the next one is due while they play, and when one that is awaited is late.

use crate::presenter::Presenter;
use std::time::{Duration, Instant};

/// A slice that takes longer to come is said to be read.
const LATE: Duration = Duration::from_millis(150);

/// When something happens to slices.
#[derive(Debug, Default)]
pub(super) struct SliceClock {
    /// The next slice is due, if slices play.
    due: Option<Instant>,
    /// The awaited slice is late then.
    late: Option<Instant>,
}

impl SliceClock {
    /// Takes the steps that are due.
    pub(super) fn tick(&mut self, presenter: &mut Presenter, now: Instant) {
        let awaits = presenter.awaits_slice();
        let every = Duration::from_secs_f64(1.0 / presenter.seen().1.slices.speed());
        self.due = match self.due.filter(|_| presenter.is_playing()) {
            // The slice before is shown first, however long it takes.
            Some(due) if due <= now && !awaits => {
                presenter.play_on();
                Some((due + every).max(now))
            }
            None => presenter.is_playing().then(|| now + every),
            due => due,
        };
        self.late = match self.late.filter(|_| awaits) {
            Some(late) if late <= now => {
                presenter.say_slice_is_late();
                Some(late)
            }
            None => awaits.then(|| now + LATE),
            late => late,
        };
        if !awaits {
            self.late = None;
        }
    }

    /// When the next thing is due; what is overdue waits for a slice to come.
    pub(super) fn next(&self) -> Option<Instant> {
        let now = Instant::now();
        [self.due, self.late].into_iter().flatten().filter(|at| *at > now).min()
    }
}
