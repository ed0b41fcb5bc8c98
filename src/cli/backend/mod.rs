//! The choice of the back end that draws pictures and folds bodies.

mod choice;
#[cfg(not(feature = "gpu"))]
mod cpu_only;
#[cfg(feature = "gpu")]
mod selector;

pub(super) use choice::BackendChoice;
#[cfg(not(feature = "gpu"))]
pub(super) use cpu_only::BackendSelector;
#[cfg(feature = "gpu")]
pub(super) use selector::BackendSelector;
