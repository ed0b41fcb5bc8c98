//! The trait that an array format implements: windows of elements, where they lie in a file, and faults.

use super::dtype::{Decode, Encoding, Fill};
use super::strided::Array;
use crate::budget::OverBudget;
use crate::error::InputError;
use crate::position::Place;
use bytemuck::Pod;
use gridscope_core::grid::{ApartScans, Buffer, Part, ScanPlan, SourceError, Values};
use std::fmt;
use std::ops::Range;
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

    /// The side strips of an axis, each with a text for every index: a category, a number or a colour; none where it has none.
    fn strips(&self, _axis: usize) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// The unit of an axis's coordinates, as `degrees_north` or `days since 1990-01-01`, where the format has one.
    fn unit(&self, _axis: usize) -> String {
        String::new()
    }

    /// The title of an axis, as `longitude (degrees_east)`, where the format has other words than its name.
    fn axis_title(&self, _axis: usize) -> String {
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

    /// Whether the elements lie elsewhere, where each is to be read once: [`ArraySource::scan_apart`] then passes over them.
    fn is_apart(&self) -> bool {
        false
    }

    /// Passes over a plane where its elements lie, if that is not here, for all plans at once, and gives the result of each; `None`
    /// where they are read window by window. Rows and columns of the plans are those of the plane, in its order.
    fn scan_apart(&self, _plane: &ApartPlane, _plans: &[ScanPlan]) -> Option<ApartScans> {
        None
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

    fn strips(&self, axis: usize) -> Vec<Vec<String>> {
        (**self).strips(axis)
    }

    fn unit(&self, axis: usize) -> String {
        (**self).unit(axis)
    }

    fn axis_title(&self, axis: usize) -> String {
        (**self).axis_title(axis)
    }

    fn is_apart(&self) -> bool {
        (**self).is_apart()
    }

    fn scan_apart(&self, plane: &ApartPlane, plans: &[ScanPlan]) -> Option<ApartScans> {
        (**self).scan_apart(plane, plans)
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

/// Kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(any(feature = "npz", feature = "zarr")), allow(dead_code))]
pub(crate) enum Cause {
    /// The bytes contradict the format or each other.
    Damaged,
    /// They use an element type or a codec that is not supported.
    Unsupported,
    /// A limit is exceeded.
    Limit,
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayFault {
    /// The kind.
    pub cause: Cause,
    /// The place in the file.
    pub place: Place,
    /// Reason, on one line.
    pub what: String,
    /// The same in a few words, for a list that says the rest.
    pub brief: Option<String>,
    /// Advice for the user.
    pub hint: Option<&'static str>,
}

impl ArrayFault {
    fn new(cause: Cause, what: impl Into<String>) -> Self {
        Self { cause, place: Place::whole(), what: what.into(), brief: None, hint: None }
    }

    /// An element type or a codec that is not supported.
    pub(crate) fn unsupported(what: impl Into<String>) -> Self {
        Self::new(Cause::Unsupported, what)
    }

    /// Too little memory for what is there.
    #[cfg_attr(not(any(feature = "npz", feature = "zarr")), allow(dead_code))]
    pub(crate) fn limit(what: impl Into<String>) -> Self {
        Self { hint: Some(OverBudget::HINT), ..Self::new(Cause::Limit, what) }
    }

    /// An element type that is not a plain number, for an addition to the message.
    pub(crate) fn no_numbers(element: String, addition: &str) -> Self {
        Self {
            brief: Some(element.clone()),
            ..Self::unsupported(format!("{element} holds no plain numbers{addition}"))
        }
    }

    /// Bytes that a reader or a decoder refuses.
    pub(crate) fn unreadable(error: &impl std::fmt::Display) -> Self {
        Self { brief: Some(error.to_string()), ..format!("cannot be read: {error}").into() }
    }

    /// The same inside a named part.
    #[must_use]
    pub(crate) fn within(mut self, part: &str) -> Self {
        self.place = self.place.within(part);
        self
    }

    /// The error of a file.
    pub(crate) fn of(self, file: &str) -> InputError {
        let e = match self.cause {
            Cause::Limit => InputError::limit(file, self.what),
            _ => InputError::refused(file, "", self.what),
        };
        InputError { place: self.place, hint: self.hint.map(str::to_owned), ..e }
    }
}

/// Damage.
impl From<String> for ArrayFault {
    fn from(what: String) -> Self {
        Self::new(Cause::Damaged, what)
    }
}

/// Damage.
impl From<&str> for ArrayFault {
    fn from(what: &str) -> Self {
        Self::new(Cause::Damaged, what)
    }
}

impl From<std::io::Error> for ArrayFault {
    fn from(e: std::io::Error) -> Self {
        Self::unreadable(&e)
    }
}

/// A plane of an array whose elements lie elsewhere, and the order of its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApartPlane {
    /// Its elements.
    pub window: Window,
    /// Whether the last row of the window, and the last column, comes first.
    pub reversed: (bool, bool),
    /// Whether the rows that are asked for are then its columns.
    pub transposed: bool,
}

/// A window of an array: rows along one axis and columns along another, at one index of every other axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The indexes of the first element, one for each axis of the array.
    pub first: Vec<usize>,
    /// The axis of the rows; `None` where there is one row.
    pub row_axis: Option<usize>,
    /// The axis of the columns.
    pub column_axis: usize,
    /// Rows, each one index along [`Window::row_axis`].
    pub rows: usize,
    /// Columns, each one index along [`Window::column_axis`].
    pub columns: usize,
}

impl Window {
    /// Elements.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether the window holds no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The part of these rows and columns, counted from the window's first.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        let mut part = Self { rows: rows.len(), columns: columns.len(), ..self.clone() };
        if let Some(axis) = self.row_axis {
            part.first[axis] += rows.start;
        }
        part.first[self.column_axis] += columns.start;
        part
    }

    /// The indexes of each element, row after row.
    pub fn indexes(&self) -> impl Iterator<Item = Vec<usize>> {
        let element = |row: usize, column: usize| self.part(row..row + 1, column..column + 1).first;
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| element(row, column)))
    }

    /// The place of the first element, and the steps from row to row and from column to column, where `strides` are the steps from
    /// one index to the next along each axis.
    pub fn steps(&self, strides: &[usize]) -> (usize, usize, usize) {
        let first = self.first.iter().zip(strides).map(|(i, s)| i * s).sum();
        // A lone row counts as rows of its own length.
        let across = strides[self.column_axis];
        let down = self.row_axis.map_or(self.columns * across, |axis| strides[axis]);
        (first, down, across)
    }
}

/// Elements from one index to the next along each axis.
pub(super) fn strides(shape: &[usize], fortran: bool) -> Vec<usize> {
    let mut out = vec![1usize; shape.len()];
    for i in 1..shape.len() {
        let (here, before) = if fortran { (i, i - 1) } else { (shape.len() - 1 - i, shape.len() - i) };
        // Sides beside a side of 0 may have any product.
        out[here] = out[before].saturating_mul(shape[before]);
    }
    out
}

/// An array of the shape and with the axes of another one, whose elements count from 0 in C order.
#[derive(Debug)]
pub(crate) struct Places(pub Arc<dyn ArraySource>);

impl ArraySource for Places {
    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn buffer(&self) -> Buffer {
        Buffer::I64(Vec::new())
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        let (first, down, across) = window.steps(&strides(self.shape(), false));
        let row =
            |row: usize| (0..window.columns).map(move |column| (first + row * down + column * across) as i64);
        *into = Buffer::I64((0..window.rows).flat_map(row).collect());
        Ok(())
    }

    fn axis_name(&self, axis: usize) -> &str {
        self.0.axis_name(axis)
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        self.0.coordinates(axis)
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        self.0.levels(axis)
    }

    fn unit(&self, axis: usize) -> String {
        self.0.unit(axis)
    }
}

/// An array in a file; `count` and `bytes` are checked products of `shape`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Element type and byte order.
    pub encoding: Encoding,
    /// Whether the first axis runs fastest.
    pub fortran: bool,
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// Elements.
    pub count: usize,
    /// Bytes of the elements.
    pub bytes: usize,
    /// The byte of the file where the elements begin.
    pub start: usize,
}

impl Layout {
    /// An array of this shape whose elements begin at a byte of the file.
    ///
    /// # Errors
    /// When the elements or their bytes cannot be counted.
    pub(crate) fn new(
        encoding: Encoding,
        fortran: bool,
        shape: Vec<usize>,
        start: usize,
    ) -> Result<Self, ArrayFault> {
        let count = if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
        };
        let bytes = count.and_then(|n| n.checked_mul(encoding.dtype.size()));
        let bytes = bytes.filter(|b| isize::try_from(*b).is_ok());
        let Some((count, bytes)) = count.zip(bytes) else {
            return Err(format!("shape {shape:?} overflows: no file holds this many elements").into());
        };
        Ok(Self { encoding, fortran, shape, count, bytes, start })
    }

    /// Refuses a file that holds fewer bytes of elements than there must be.
    ///
    /// # Errors
    /// When `held` is less than that.
    pub(crate) fn check_length(&self, held: u64) -> Result<(), ArrayFault> {
        let (shape, bytes) = (&self.shape, self.bytes);
        if held >= bytes as u64 {
            Ok(())
        } else {
            Err(ArrayFault::from(format!("shape {shape:?} declares {bytes} bytes, file holds {held}"))
                .within("data"))
        }
    }

    /// Elements from one index to the next along each axis.
    pub(crate) fn strides(&self) -> Vec<usize> {
        strides(&self.shape, self.fortran)
    }

    /// The array whose elements are the first of `data`.
    ///
    /// # Panics
    /// When `data` is shorter than the elements.
    pub(crate) fn decode(self, data: &[u8]) -> Array {
        let mut buffer = self.encoding.dtype.buffer();
        let whole = Whole { data: &data[..self.bytes], layout: &self, strides: &self.strides() };
        self.encoding.fill(&mut buffer, whole);
        Array { data: buffer.into(), shape: self.shape }
    }
}

/// Decodes a whole array in C order.
struct Whole<'a> {
    data: &'a [u8],
    layout: &'a Layout,
    strides: &'a [usize],
}

impl Fill for Whole<'_> {
    type Out = ();

    fn fill<T: Pod + Send + Sync>(self, out: &mut Vec<T>, decode: Decode<T>, _: T) {
        *out = vec![T::zeroed(); self.layout.count];
        let shape = &self.layout.shape;
        if !self.layout.fortran || shape.len() < 2 || out.is_empty() {
            return decode(self.data, 1, out);
        }
        // Runs along the last axis, for each index of the others.
        let last = shape.len() - 1;
        let (mut index, mut at) = (vec![0; last], 0);
        for run in out.chunks_exact_mut(shape[last]) {
            let data = &self.data[at * self.layout.encoding.dtype.size()..];
            decode(data, self.strides[last], run);
            for axis in (0..last).rev() {
                index[axis] += 1;
                at += self.strides[axis];
                if index[axis] < shape[axis] {
                    break;
                }
                at -= index[axis] * self.strides[axis];
                index[axis] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn faults_become_errors_of_their_kind_and_place() {
        let e = ArrayFault::from("ends early").within("header").within("array 'x'").of("a.npz");
        assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Refused, None));
        assert_eq!(e.to_string(), "a.npz: array 'x', header: ends early");
        let e = ArrayFault::limit("6 elements").of("a.npz");
        assert_eq!((e.kind, e.hint.as_deref()), (ErrorKind::Limit, Some(OverBudget::HINT)));
    }
}
