//! Injected faults: a test makes the device fail at a moment of its work.

use std::sync::{Arc, Mutex, PoisonError};

/// A moment at which a device may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The device is opened.
    Open,
    /// Layouts and bind groups are made.
    Layout,
    /// Shaders and pipelines are made.
    Pipeline,
    /// A buffer is made.
    Buffer,
    /// A texture is made.
    Texture,
    /// Cells are sent.
    Upload,
    /// Uploaded cells are checked.
    Check,
    /// Cells are folded.
    Fold,
    /// Glyphs are prepared.
    Text,
    /// A strip is painted.
    Paint,
    /// A result is copied to a readable buffer.
    Copy,
    /// The device is waited for.
    Wait,
    /// A readable buffer is mapped.
    Map,
}

impl Moment {
    /// All moments, in the order of a picture.
    pub const ALL: [Moment; 13] = [
        Moment::Open,
        Moment::Layout,
        Moment::Pipeline,
        Moment::Buffer,
        Moment::Texture,
        Moment::Upload,
        Moment::Check,
        Moment::Fold,
        Moment::Text,
        Moment::Paint,
        Moment::Copy,
        Moment::Wait,
        Moment::Map,
    ];
}

/// How a device fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The device is destroyed.
    Lost,
    /// The device has too little memory.
    OutOfMemory,
    /// The device refuses a command.
    Refused,
}

#[derive(Debug, Default)]
struct ArmedFault {
    fault: Option<(Moment, Fault)>,
    /// How often the moment passes first, and how often the fault then occurs.
    skip: u32,
    times: u32,
    /// How often the moment was reached.
    reached: u32,
}

/// Which fault occurs when; none by default. Clones share the plan, so that it outlives a device.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan(Arc<Mutex<ArmedFault>>);

impl FaultPlan {
    /// Makes the device fail at a moment, `times` times after it has passed `skip` times. This replaces an
    /// earlier fault.
    pub fn arm(&self, moment: Moment, fault: Fault, skip: u32, times: u32) {
        *self.armed() = ArmedFault { fault: Some((moment, fault)), skip, times, reached: 0 };
    }

    /// How often the moment was reached since then.
    pub fn reached(&self) -> u32 {
        self.armed().reached
    }

    /// The fault that occurs at a moment now.
    pub(super) fn strikes(&self, moment: Moment) -> Option<Fault> {
        let mut armed = self.armed();
        let fault = armed.fault.filter(|(at, _)| *at == moment)?.1;
        armed.reached += 1;
        if armed.reached <= armed.skip || armed.reached - armed.skip > armed.times {
            None
        } else {
            Some(fault)
        }
    }

    fn armed(&self) -> std::sync::MutexGuard<'_, ArmedFault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_comes_at_its_moment_as_often_as_asked() {
        let plan = FaultPlan::default();
        assert_eq!(plan.strikes(Moment::Paint), None);
        plan.arm(Moment::Paint, Fault::Lost, 1, 2);
        let other = plan.clone();
        let seen: Vec<_> =
            (0..5).map(|_| (other.strikes(Moment::Text), other.strikes(Moment::Paint))).collect();
        assert!(seen.iter().all(|s| s.0.is_none()));
        assert_eq!(seen.iter().map(|s| s.1.is_some()).collect::<Vec<_>>(), [false, true, true, false, false]);
        assert_eq!(plan.reached(), 5);
    }
}
