//! The time that each phase of a run took.

use std::time::Instant;

/// Milliseconds by phase, in the order they first ran.
#[derive(Clone, Debug)]
pub struct Phases {
    /// The end of the last phase; `None` without a clock, as in WebAssembly.
    last: Option<Instant>,
    list: Vec<(&'static str, f64)>,
}

impl Default for Phases {
    fn default() -> Self {
        Self::new()
    }
}

impl Phases {
    /// Starts the clock.
    pub fn new() -> Self {
        Self { last: now(), list: Vec::new() }
    }

    /// Adds the time since the last call, or since the start, to phase `name`.
    pub fn done(&mut self, name: &'static str) {
        let now = now();
        let since = |(now, last): (Instant, Instant)| now.duration_since(last).as_secs_f64() * 1e3;
        self.record(name, now.zip(self.last).map_or(0.0, since));
        self.last = now;
    }

    /// Adds a time that was measured elsewhere to phase `name`.
    pub fn record(&mut self, name: &'static str, ms: f64) {
        match self.list.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum += ms,
            None => self.list.push((name, ms)),
        }
    }

    /// Replaces phase `name` by the phases that a part of it has measured.
    pub fn adopt(&mut self, name: &str, part: &Phases) {
        self.list.retain(|(n, _)| *n != name);
        self.list.extend(part.list.iter().copied());
    }

    /// The phases and their milliseconds.
    pub fn list(&self) -> &[(&'static str, f64)] {
        &self.list
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn now() -> Option<Instant> {
    Some(Instant::now())
}

/// `Instant::now` panics on this target.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn now() -> Option<Instant> {
    None
}
