//! Errors of the GPU back end, and faults that a test injects.

use gridscope_core::grid::SourceError;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a GPU could not draw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter fits the preference, or none was found.
    NoAdapter {
        /// The names of the adapters found.
        found: Vec<String>,
        /// Advice.
        hint: String,
    },
    /// The device could not be opened, or refused a command.
    Device(String),
    /// The device has too little memory.
    OutOfMemory(String),
    /// The device was lost or did not respond; a new one may draw the same picture.
    Lost(String),
    /// Something exceeds a limit of the device.
    Limit {
        /// Limited quantity, with its unit.
        what: &'static str,
        /// How much is needed.
        need: u64,
        /// How much there is.
        limit: u64,
    },
    /// Text could not be drawn, for example a glyph larger than any texture.
    Text(String),
    /// A grid's cells could not be read for the device.
    Source(SourceError),
    /// A call that does not match the grids on the device.
    Misuse(String),
}

impl GpuError {
    /// Advice.
    pub fn hint(&self) -> Option<&str> {
        match self {
            GpuError::NoAdapter { hint, .. } => Some(hint),
            GpuError::OutOfMemory(_) | GpuError::Limit { .. } => {
                Some("--backend cpu draws without a graphics device")
            }
            _ => None,
        }
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoAdapter { found, .. } if found.is_empty() => f.write_str("no graphics device found"),
            GpuError::NoAdapter { found, .. } => {
                write!(f, "no graphics device fits; found: {}", found.join(", "))
            }
            GpuError::Device(text) => write!(f, "graphics device: {text}"),
            GpuError::OutOfMemory(text) => write!(f, "out of graphics memory: {text}"),
            GpuError::Lost(text) => write!(f, "graphics device lost: {text}"),
            GpuError::Limit { what, need, limit } => {
                write!(f, "{what}: {need} needed, the graphics device allows {limit}")
            }
            GpuError::Source(e) => write!(f, "{e}"),
            GpuError::Misuse(text) => f.write_str(text),
            GpuError::Text(text) => write!(f, "text on the graphics device: {text}"),
        }
    }
}

impl std::error::Error for GpuError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GpuError::Source(e) => Some(e),
            _ => None,
        }
    }
}

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
pub enum InjectedFault {
    /// The device is destroyed.
    Lost,
    /// The device has too little memory.
    OutOfMemory,
    /// The device refuses a command.
    Refused,
}

#[derive(Debug, Default)]
struct ArmedFault {
    fault: Option<(Moment, InjectedFault)>,
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
    pub fn arm(&self, moment: Moment, fault: InjectedFault, skip: u32, times: u32) {
        *self.armed() = ArmedFault { fault: Some((moment, fault)), skip, times, reached: 0 };
    }

    /// How often the moment was reached since then.
    pub fn reached(&self) -> u32 {
        self.armed().reached
    }

    /// The fault that occurs at a moment now.
    pub(super) fn strikes(&self, moment: Moment) -> Option<InjectedFault> {
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
    fn errors_name_need_and_limit_and_what_was_found() {
        let limit = GpuError::Limit { what: "pixels a side", need: 70_000, limit: 16_384 };
        assert_eq!(limit.to_string(), "pixels a side: 70000 needed, the graphics device allows 16384");
        let none =
            GpuError::NoAdapter { found: vec!["llvmpipe".to_owned()], hint: "leave --device out".to_owned() };
        assert_eq!((none.to_string().contains("llvmpipe"), none.hint()), (true, Some("leave --device out")));
    }

    #[test]
    fn a_fault_comes_at_its_moment_as_often_as_asked() {
        let plan = FaultPlan::default();
        assert_eq!(plan.strikes(Moment::Paint), None);
        plan.arm(Moment::Paint, InjectedFault::Lost, 1, 2);
        let other = plan.clone();
        let seen: Vec<_> =
            (0..5).map(|_| (other.strikes(Moment::Text), other.strikes(Moment::Paint))).collect();
        assert!(seen.iter().all(|s| s.0.is_none()));
        assert_eq!(seen.iter().map(|s| s.1.is_some()).collect::<Vec<_>>(), [false, true, true, false, false]);
        assert_eq!(plan.reached(), 5);
    }
}
