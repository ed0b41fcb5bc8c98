//! The GPU back end: draws a scene into an image or into a caller's texture, with the same bytes as the CPU back end.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

mod error;
#[doc(hidden)]
pub mod wire;
mod adapter;
mod context;
mod submission;
mod bandwidth;
mod pipeline;
mod bands;
mod spans;
mod folder;
mod upload;
mod resident_grid;
mod fold_cache;
mod body_placement;
mod cells;
mod cpu_bodies;
mod text;
mod target;
mod picture;
mod painter;

pub use adapter::{AdapterKind, AdapterPreference, AdapterSummary, devices, hardware_present, instance};
pub use context::{Context, is_guarded, panic_text};
pub use cpu_bodies::{DeviceWork, OPENING_PAYS_FROM, Worker};
pub use error::GpuError;
#[doc(hidden)]
pub use error::{FaultPlan, InjectedFault, Moment};
pub use fold_cache::ComingFold;
pub use folder::FoldBy;
pub use painter::{Painter, PainterOptions};
pub use submission::Counts;
