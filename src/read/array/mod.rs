//! Arrays of numbers: the trait that every array format implements, and the grids that the planes of an array make.
//!
//! A format is an [`ArraySource`]: a shape, the kind of its numbers, and a way to read a window. Everything else happens here, once
//! for all formats: slices, panels along an axis, transposition, coordinates, and the memory of the run.

mod dtype;
mod source;
mod stored;
mod strided;
mod labelled;
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) mod conventions;
#[cfg(any(feature = "zarr", feature = "netcdf"))]
mod packed;
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) mod pick;
mod sparse;
mod axis_type;
mod options;
mod projection;
mod grids;

#[cfg(feature = "netcdf")]
pub(crate) use axis_type::since_1970;
pub(crate) use axis_type::{AxisValues, by_ratio, edged, range, sorted, spread, timed, typed};
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) use conventions::Conventions;
#[cfg(feature = "netcdf")]
pub(crate) use conventions::unpacked;
pub use dtype::Dtype;
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) use dtype::{Decode, Fill};
pub(crate) use dtype::{Encoding, TimeUnit};
pub(crate) use grids::grids_of_lone_source;
pub(crate) use grids::name_by_array;
pub use grids::{STORED_FROM, grids_of_array, grids_of_source};
#[cfg(any(feature = "npz", feature = "zarr", feature = "netcdf"))]
pub(crate) use grids::{choose, name_values};
pub use labelled::{ArrayAxis, LabelledArray};
pub(crate) use options::{SurplusAxes, shape_text};
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) use packed::{PackedArray, Packing};
#[cfg(any(feature = "zarr", feature = "netcdf"))]
pub(crate) use pick::{Candidate, lone, matching};
#[cfg(any(test, feature = "npz"))]
pub(crate) use source::Cause;
pub use source::{ApartPlane, ArraySource, Window};
pub(crate) use source::{ArrayFault, Layout, Places};
pub use sparse::SparseArray;
pub use stored::load;
pub(crate) use stored::{StoredArray, moved};
pub use strided::{Array, StridedArray};
