//! Faults made on purpose: a test lets the device fail at a moment of its work, and sees what follows.

use std::sync::{Arc, Mutex, PoisonError};

/// A moment at which a device may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The device is opened.
    Open,
    /// Layouts and groups of what shaders read.
    Layout,
    /// Shaders and pipelines.
    Pipeline,
    /// A buffer is made.
    Buffer,
    /// A texture is made.
    Texture,
    /// Cells are sent.
    Upload,
    /// What was sent is inspected.
    Check,
    /// Cells are folded.
    Fold,
    /// Glyphs are made ready.
    Text,
    /// A strip is painted.
    Paint,
    /// A result is copied to where memory can be read.
    Copy,
    /// The device is waited for.
    Wait,
    /// What it wrote is mapped.
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
    /// It is destroyed.
    Lost,
    /// Its memory does not suffice.
    OutOfMemory,
    /// It refuses a command.
    Refused,
}

#[derive(Debug, Default)]
struct Plan {
    armed: Option<(Moment, Fault)>,
    /// How often the moment passes, and how often the fault then comes.
    skip: u32,
    times: u32,
    /// How often the moment was reached.
    reached: u32,
}

/// Which fault comes when; none unless a test asks. Clones share it, so that it outlives a device.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan(Arc<Mutex<Plan>>);

impl FaultPlan {
    /// Lets the device fail at a moment, `times` times after it has passed `skip` times. What was asked before is forgotten.
    pub fn arm(&self, moment: Moment, fault: Fault, skip: u32, times: u32) {
        *self.plan() = Plan {
            armed: Some((moment, fault)),
            skip,
            times,
            reached: 0,
        };
    }

    /// How often the moment was reached since.
    pub fn reached(&self) -> u32 {
        self.plan().reached
    }

    /// The fault that comes at a moment now.
    pub(super) fn strikes(&self, moment: Moment) -> Option<Fault> {
        let mut plan = self.plan();
        let fault = plan.armed.filter(|(at, _)| *at == moment)?.1;
        plan.reached += 1;
        if plan.reached <= plan.skip || plan.reached - plan.skip > plan.times {
            None
        } else {
            Some(fault)
        }
    }

    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
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
        let seen: Vec<_> = (0..5)
            .map(|_| (other.strikes(Moment::Text), other.strikes(Moment::Paint)))
            .collect();
        assert!(seen.iter().all(|s| s.0.is_none()));
        assert_eq!(
            seen.iter().map(|s| s.1.is_some()).collect::<Vec<_>>(),
            [false, true, true, false, false]
        );
        assert_eq!(plan.reached(), 5);
    }
}
