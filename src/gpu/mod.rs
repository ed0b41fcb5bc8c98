//! The GPU back end: a Scene to an Image, or into a caller's texture, with the bytes of the CPU back end.

mod error;
mod fault;
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

pub use adapter::{AdapterPreference, AdapterSummary, devices, hardware_present, instance};
pub use context::{Context, is_guarded};
pub use error::GpuError;
#[doc(hidden)]
pub use fault::{Fault, FaultPlan, Moment};
pub use fold::FoldBy;
pub use layer::BAND_BYTES;
pub use painter::{Painter, Sizes};
pub use text::SHEET_MASKS;
