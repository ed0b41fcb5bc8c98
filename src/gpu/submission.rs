//! Submissions of commands: counted, and waited for one by one where their times are asked for.

use super::context::Context;
use super::counts::Counts;
use super::error::GpuError;
use super::fault::Moment;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl Context {
    /// Submits commands, and returns when.
    ///
    /// # Errors
    /// As [`Context::wait`], where submissions are timed: only then is it waited for.
    pub(super) fn submit(&self, moment: Moment, encoder: wgpu::CommandEncoder) -> Result<Instant, GpuError> {
        self.at(moment);
        let (commands, start) = (encoder.finish(), Instant::now());
        self.queue().submit([commands]);
        if self.counter().one_by_one.load(Ordering::Relaxed) {
            self.done(start)?;
        }
        Ok(start)
    }

    /// Waits for a submission that began on an idle device, and returns how long it took.
    ///
    /// # Errors
    /// As [`Context::wait`].
    pub(super) fn done(&self, start: Instant) -> Result<Duration, GpuError> {
        self.wait()?;
        let took = start.elapsed();
        self.counter().submission(took);
        Ok(took)
    }

    /// Whether the device waits for each submission from now on, to learn how long the longest one takes.
    pub fn time_submissions(&self, on: bool) {
        self.counter().one_by_one.store(on, Ordering::Relaxed);
    }

    /// Work of the device since this was called last, by all clones of the context.
    pub fn take_counts(&self) -> Counts {
        self.counter().take()
    }
}
