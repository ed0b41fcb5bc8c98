//! The memory of a run: one count for everything that its files make the program hold.
//!
//! Readers take bytes off the [`Budget`] before they take memory, and give them back when it goes. All files of a
//! run, their side files and their grids share one, so that ten files do not take ten times the limit.

use super::available::usual_limit;
use super::error::InputError;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are owed before they are taken: a counter that all threads share is not touched for each value.
const PORTION: u64 = 1 << 16;

/// The bytes that everything read in a run may take, together.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    left: AtomicU64,
    raised: bool,
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(limit: u64) -> Arc<Self> {
        Self::with(limit, false)
    }

    /// A budget of as many bytes as the default allows.
    pub fn usual() -> Arc<Self> {
        Self::new(usual_limit())
    }

    /// A budget that the user gave. Where it is more than the default, an archive may hold any multiple of its size.
    pub fn given(limit: u64) -> Arc<Self> {
        Self::with(limit, limit > usual_limit())
    }

    /// A budget, `raised` above the default or not.
    pub(super) fn with(limit: u64, raised: bool) -> Arc<Self> {
        let left = AtomicU64::new(limit);
        Arc::new(Self { limit, left, raised })
    }

    /// Bytes in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Whether the user gave more than the default.
    pub fn is_raised(&self) -> bool {
        self.raised
    }

    /// How many times `bytes` go into an eighth of the limit: threads, or results that wait. Once at least.
    pub fn shares(&self, bytes: u64) -> usize {
        usize::try_from(self.limit / 8 / bytes.max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// Takes bytes until the end of the run.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn take(&self, bytes: u64) -> Result<(), OverBudget> {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|left| OverBudget { need: bytes, left, limit: self.limit })
    }

    /// Takes bytes until the result goes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn reserve(self: &Arc<Self>, bytes: u64) -> Result<Reservation, OverBudget> {
        let mut taken = self.nothing();
        taken.more(bytes)?;
        Ok(taken)
    }

    /// Takes nothing yet.
    pub fn nothing(self: &Arc<Self>) -> Reservation {
        Reservation { budget: Arc::clone(self), bytes: 0, owed: 0 }
    }
}

/// Bytes that were taken off a budget; dropped, it gives them back.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: u64,
    owed: u64,
}

impl Reservation {
    /// The budget that they were taken off.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Takes more.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn more(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Takes more in portions; what is less than one is owed.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn owe(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.owed = self.owed.saturating_add(bytes);
        if self.owed < PORTION { Ok(()) } else { self.settle() }
    }

    /// Takes what is owed.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn settle(&mut self) -> Result<(), OverBudget> {
        let owed = std::mem::take(&mut self.owed);
        self.more(owed)
    }

    /// Takes what is missing to `bytes` in all.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn reach(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.more(bytes.saturating_sub(self.bytes))
    }

    /// Gives back all but `bytes`.
    pub fn shrink_to(&mut self, bytes: u64) {
        let back = self.bytes.saturating_sub(bytes);
        self.bytes -= back;
        self.owed = 0;
        self.budget.left.fetch_add(back, Ordering::Relaxed);
    }

    /// Holds them to the end of the run.
    pub fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// Fewer bytes are left than are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBudget {
    need: u64,
    left: u64,
    limit: u64,
}

impl OverBudget {
    /// Advice.
    pub const HINT: &str = "--max-memory raises the limit";

    /// The refusal of a file of which `what` needs the bytes.
    pub fn of(self, file: &str, what: impl fmt::Display) -> InputError {
        InputError::limit(file, format!("{what}: {self}")).with_hint(Self::HINT)
    }
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [need, left, limit] = [self.need, self.left, self.limit].map(size);
        write!(f, "{need} more would be needed, {left} of the memory limit of {limit} are left")
    }
}

/// The bytes of a size in words: `512M`, `4G`, `1.5 GiB`, a number; units are powers of 1,024. `None` for other texts and less
/// than a byte.
pub fn parse_size(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let scale = match text[end..].trim_start().trim_end_matches(['B', 'b', 'i']) {
        "" => 1.0,
        "k" | "K" => 1024.0,
        "m" | "M" => 1024.0 * 1024.0,
        "g" | "G" => 1024.0 * 1024.0 * 1024.0,
        "t" | "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = text[..end].parse::<f64>().ok()? * scale;
    (bytes >= 1.0 && bytes.is_finite()).then_some(bytes as u64)
}

/// A number of bytes in words, rounded down.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x1_0000 => format!("{bytes} bytes"),
        0x1_0000..0x400_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

#[cfg(test)]
mod tests;
