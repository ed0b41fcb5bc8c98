//! The trait that an array format implements.

use super::window::Window;
use gridscope_core::grid::{Buffer, Part, SourceError, Values};
use std::fmt;
use std::sync::Arc;

/// An array of numbers that is read by windows, from several threads at once.
///
/// [`ArraySource::shape`], [`ArraySource::buffer`] and [`ArraySource::read`] are all that a format needs;
/// [`grids_of_source`](super::grids_of_source) makes grids of it.
pub trait ArraySource: Send + Sync + fmt::Debug {
    /// Elements along each axis.
    fn shape(&self) -> &[usize];

    /// An empty buffer of the kind that holds the elements exactly; [`Dtype::buffer`](super::Dtype::buffer) gives it for a type.
    fn buffer(&self) -> Buffer;

    /// Reads a window that lies within the shape, row after row; `into` is a buffer of [`ArraySource::buffer`]'s kind, and what it
    /// held before is replaced.
    ///
    /// # Errors
    /// When the source cannot be read.
    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError>;

    /// The name of an axis; empty if it has none.
    fn axis_name(&self, _axis: usize) -> &str {
        ""
    }

    /// The coordinates of an axis, a finite number for each index, where the format has them. They may rise or fall; cells follow
    /// them. Others are left out, and the axis is labelled by its indexes.
    fn coordinates(&self, _axis: usize) -> Option<Vec<f64>> {
        None
    }

    /// The names of an axis's indexes, in levels from the outer to the inner, each with a text for every index; none where it has
    /// none. Coordinates come before them, unless these neither rise nor fall.
    fn levels(&self, _axis: usize) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// The unit of an axis's coordinates, as `degrees_north` or `days since 1990-01-01`, where the format has one.
    fn unit(&self, _axis: usize) -> String {
        String::new()
    }

    /// Whether there may be elements without data.
    fn has_absent(&self) -> bool {
        false
    }

    /// Reads a window as [`ArraySource::read`] does, and gives the parts of it without data, in rows and columns counted from its
    /// first; the numbers there mean nothing.
    ///
    /// # Errors
    /// As [`ArraySource::read`].
    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        absent.clear();
        self.read(window, into)
    }

    /// Whether a plane of these axes is cheaper to read column by column: its grid is then read as the transpose.
    fn reads_by_columns(&self, _row_axis: usize, _column_axis: usize) -> bool {
        false
    }

    /// The elements in C order, where all of them are in memory. Grids then get numbers of their own and let go of the source; the
    /// grid of a whole array takes these without a copy.
    fn values(&mut self) -> Option<&mut Values> {
        None
    }
}

/// An array that several share; its elements stay in it.
impl<T: ArraySource + ?Sized> ArraySource for Arc<T> {
    fn shape(&self) -> &[usize] {
        (**self).shape()
    }

    fn buffer(&self) -> Buffer {
        (**self).buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        (**self).read(window, into)
    }

    fn axis_name(&self, axis: usize) -> &str {
        (**self).axis_name(axis)
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        (**self).coordinates(axis)
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        (**self).levels(axis)
    }

    fn unit(&self, axis: usize) -> String {
        (**self).unit(axis)
    }

    fn has_absent(&self) -> bool {
        (**self).has_absent()
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        (**self).read_absent(window, into, absent)
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        (**self).reads_by_columns(row_axis, column_axis)
    }
}
