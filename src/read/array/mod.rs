//! Arrays of numbers: the trait that every array format implements, and the grids that the planes of an array make.
//!
//! A format is an [`ArraySource`]: a shape, the kind of its numbers, and a way to read a window. Everything else happens here, once
//! for all formats: slices, panels along an axis, transposition, coordinates, and the memory of the run.

mod fault;
mod dtype;
mod decode;
mod time_unit;
mod window;
mod source;
mod memory;
mod layout;
mod stored;
mod strided;
mod labelled;
mod sparse;
mod places;
mod range;
mod coordinates;
mod axis_type;
mod load;
mod options;
mod choice;
mod plane;
mod grids;

pub(crate) use axis_type::{by_ratio, timed, typed};
#[cfg(any(feature = "npz", feature = "zarr"))]
pub(crate) use choice::choose;
pub(crate) use coordinates::{AxisValues, edged, sorted};
pub(crate) use decode::Encoding;
#[cfg(feature = "zarr")]
pub(crate) use decode::{Decode, Fill};
pub use dtype::Dtype;
#[cfg(any(test, feature = "npz"))]
pub(crate) use fault::Cause;
pub(crate) use fault::Fault;
pub(crate) use grids::grids_of_lone_source;
pub use grids::{STORED_FROM, grids_of_array, grids_of_source};
#[cfg(any(feature = "npz", feature = "zarr"))]
pub(crate) use grids::{name_by_array, name_values};
pub use labelled::{ArrayAxis, LabelledArray};
pub(crate) use layout::Layout;
pub use load::load;
pub(crate) use load::moved;
pub use memory::Array;
pub(crate) use options::{SurplusAxes, shape_text};
pub(crate) use places::Places;
pub(crate) use range::{range, spread};
pub use source::ArraySource;
pub use sparse::SparseArray;
pub(crate) use stored::StoredArray;
pub use strided::StridedArray;
pub(crate) use time_unit::TimeUnit;
pub use window::Window;
