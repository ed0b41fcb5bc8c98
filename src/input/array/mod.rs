//! Arrays of numbers: the trait that every array format implements, and the grids that the planes of an array make.
//!
//! A format is an [`ArraySource`]: a shape, the kind of its numbers, and a way to read a window. Everything else happens here, once
//! for all formats: slices, panels along an axis, transposition, coordinates, and the memory of the run.

mod fault;
mod dtype;
mod decode;
mod window;
mod source;
mod memory;
mod layout;
mod stored;
mod range;
mod coordinates;
mod load;
mod options;
mod choice;
mod plane;
#[cfg(any(feature = "npz", feature = "zarr"))]
mod pattern;
mod grids;

#[cfg(feature = "zarr")]
pub use choice::choose;
pub use coordinates::{AxisValues, edged, sorted};
pub use decode::Encoding;
#[cfg(feature = "zarr")]
pub use decode::{Decode, Fill};
pub use dtype::Dtype;
#[cfg(any(test, feature = "npz"))]
pub use fault::Cause;
pub use fault::Fault;
#[cfg(any(feature = "npz", feature = "zarr"))]
pub use grids::name_by_array;
pub use grids::{STORED_FROM, grids_of_array, grids_of_lone_source, grids_of_source};
pub use layout::Layout;
pub use load::{load, moved};
pub use memory::Array;
#[cfg(feature = "zarr")]
pub use memory::values_of;
pub use options::shape_text;
#[cfg(any(feature = "npz", feature = "zarr"))]
pub use pattern::is_match;
pub use range::{range, spread};
pub use source::ArraySource;
pub use stored::StoredArray;
pub use window::Window;
