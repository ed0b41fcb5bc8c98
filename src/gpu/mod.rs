//! The GPU back end: draws a scene into an image or into a caller's texture, with the same bytes as the CPU back end.

mod error;
mod fault;
#[doc(hidden)]
pub mod wire;
mod adapter;
mod context;
mod pipeline;
mod readback;
mod stopwatch;
mod bands;
mod layer;
mod summed;
mod spans;
mod fold;
mod pyramid;
mod check;
mod resident;
mod folds;
mod plan;
mod tables;
mod placed_bodies;
mod cells;
mod painted;
mod shapes;
mod text;
mod target;
mod picture;
mod painter;

pub(crate) use adapter::hardware_present;
#[cfg(feature = "window")]
pub(crate) use adapter::instance;
pub use adapter::{AdapterPreference, AdapterSummary, devices};
pub use context::{Context, is_guarded};
pub use error::GpuError;
#[doc(hidden)]
pub use fault::{Fault, FaultPlan, Moment};
pub use fold::FoldBy;
pub use painter::{Painter, Sizes};
