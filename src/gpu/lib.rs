//! The GPU back end: draws a scene into an image or into a caller's texture, with the same bytes as the CPU back end.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may open files and start threads"))]

mod error;
mod fault;
#[doc(hidden)]
pub mod wire;
mod adapter;
mod work;
mod compiled;
mod counts;
mod context;
mod submission;
mod bandwidth;
mod pipeline;
mod readback;
mod stopwatch;
mod bands;
mod layer;
mod device_summary;
mod spans;
mod pace;
mod folder;
mod pyramid;
mod encoding;
mod upload_check;
mod upload;
mod resident_grid;
mod coming_fold;
mod fold_cache;
mod plan;
mod tables;
mod body_placement;
mod cells;
mod cpu_bodies;
mod shapes;
mod text;
mod target;
mod picture;
mod painter_options;
mod painter;

pub use adapter::hardware_present;
pub use adapter::instance;
pub use adapter::{AdapterKind, AdapterPreference, AdapterSummary, devices};
pub use coming_fold::ComingFold;
pub use context::panic_text;
pub use context::{Context, is_guarded};
pub use counts::Counts;
pub use error::GpuError;
#[doc(hidden)]
pub use fault::{Fault, FaultPlan, Moment};
pub use folder::FoldBy;
pub use painter::Painter;
pub use painter_options::PainterOptions;
pub use work::OPENING_PAYS_FROM;
pub use work::{DeviceWork, Worker};
