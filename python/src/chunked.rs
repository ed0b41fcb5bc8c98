//! Arrays in chunks that Python code reads: each chunk is asked for once while it is needed.

use crate::link::Link;
use crate::numpy::{Array, array, typestr};
use gridscope::grid::{ApartScans, Buffer, PartialScan, ScanPlan, SourceError};
use gridscope::input::{ApartPlane, ArraySource, Dtype, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of chunks that are kept for the windows after them.
const KEPT: usize = 256 << 20;
/// Elements that are asked for at once where nobody says how the array is cut.
const PLAIN: usize = 1 << 20;

/// Results of folds that are kept: pictures of one figure in several sizes.
const KEPT_SCANS: usize = 4;

/// Tells Python code whether anybody waits for what it does.
#[pyclass(frozen)]
struct Stopped(Link);

#[pymethods]
impl Stopped {
    fn __call__(&self) -> bool {
        self.0.is_stopped()
    }
}

/// A chunk, once somebody has read it.
type Slot = Arc<Mutex<Option<Arc<Array>>>>;

/// An array whose chunks come from calls of a Python function.
pub(crate) struct Chunked {
    name: String,
    shape: Vec<usize>,
    dtype: Dtype,
    /// Elements of a chunk along each axis.
    chunks: Vec<usize>,
    read: Py<PyAny>,
    /// Folds all chunks of a plane where they lie.
    fold: Option<Py<PyAny>>,
    /// The last results of it, with what was asked.
    folded: Mutex<Vec<(ApartPlane, PartialScan)>>,
    link: Link,
    /// Chunks by their numbers along each axis, the last used last.
    kept: Mutex<Vec<(Vec<usize>, Slot)>>,
}

impl fmt::Debug for Chunked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunked")
            .field("name", &self.name)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl Chunked {
    /// An array of this shape; `read` gives the elements of a list of slices, one for each axis.
    pub(crate) fn new(
        name: &str,
        shape: Vec<usize>,
        (dtype, chunks): (&str, Option<Vec<usize>>),
        read: Bound<'_, PyAny>,
        link: Link,
    ) -> PyResult<Self> {
        let descr = dtype.trim_start_matches(['<', '>', '|', '=']);
        let known = Dtype::from_descr(descr)
            .ok_or_else(|| PyValueError::new_err(format!("elements of type {dtype} are not read")))?;
        let chunks = chunks.unwrap_or_else(|| plain_chunks(&shape));
        if chunks.len() != shape.len() || chunks.contains(&0) {
            return Err(PyValueError::new_err(format!("chunks {chunks:?} of shape {shape:?}")));
        }
        Ok(Self {
            name: name.to_owned(),
            shape,
            dtype: known,
            chunks,
            read: read.unbind(),
            fold: None,
            folded: Mutex::default(),
            link,
            kept: Mutex::default(),
        })
    }

    /// The same array, whose chunks this function folds.
    pub(crate) fn folded_by(self, fold: Option<Bound<'_, PyAny>>) -> Self {
        Self { fold: fold.map(Bound::unbind), ..self }
    }

    /// Results of these plans over a plane; those that are not known yet are made at once.
    fn scans(&self, fold: &Py<PyAny>, plane: &ApartPlane, plans: &[ScanPlan]) -> ApartScans {
        let mut folded = self.folded.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |folded: &[(ApartPlane, PartialScan)], plan: &ScanPlan| {
            let found = folded.iter().find(|(at, scan)| at == plane && scan.plan() == plan);
            found.map(|(_, scan)| scan.clone())
        };
        let mut missing: Vec<&ScanPlan> = Vec::new();
        for plan in plans {
            if of(&folded, plan).is_none() && !missing.contains(&plan) {
                missing.push(plan);
            }
        }
        if !missing.is_empty() {
            let made = Python::try_attach(|py| {
                let call = || -> PyResult<Vec<Vec<u8>>> {
                    let bytes: Vec<_> =
                        missing.iter().map(|plan| PyBytes::new(py, &plan.to_bytes())).collect();
                    let ApartPlane { window, reversed, transposed } = plane;
                    let axes = (window.row_axis, window.column_axis);
                    let stopped = Stopped(self.link.clone());
                    let given = (window.first.clone(), axes, *reversed, *transposed, bytes, stopped);
                    fold.bind(py).call1(given)?.extract()
                };
                call().map_err(|e| {
                    let text = format!("its chunks cannot be folded: {e}");
                    self.link.raise(e);
                    text
                })
            });
            let made = made.unwrap_or_else(|| Err("the interpreter has ended".to_owned()));
            for bytes in made.map_err(|what| self.failed(what))? {
                let scan = PartialScan::from_bytes(&bytes).map_err(|e| self.failed(e.to_string()))?;
                folded.push((plane.clone(), scan));
            }
            let surplus = folded.len().saturating_sub(KEPT_SCANS.max(plans.len()));
            folded.drain(..surplus);
        }
        let all: Option<Vec<PartialScan>> = plans.iter().map(|plan| of(&folded, plan)).collect();
        all.ok_or_else(|| self.failed("its chunks were folded by another plan".to_owned()))
    }

    fn failed(&self, what: String) -> SourceError {
        SourceError { file: self.name.clone(), what }
    }

    /// The chunk of these numbers.
    fn chunk(&self, numbers: &[usize]) -> Result<Arc<Array>, SourceError> {
        let slot = self.slot(numbers);
        // Whoever comes second waits here, without the interpreter's lock.
        let mut held = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = &*held {
            return Ok(Arc::clone(chunk));
        }
        if self.link.is_stopped() {
            return Err(self.failed("reading was interrupted".to_owned()));
        }
        let ranges: Vec<Range<usize>> = (0..self.shape.len())
            .map(|axis| {
                let from = numbers[axis] * self.chunks[axis];
                from..(from + self.chunks[axis]).min(self.shape[axis])
            })
            .collect();
        let read = Python::try_attach(|py| {
            self.call(py, &ranges).map_err(|e| {
                let text = format!("its elements {} cannot be read: {e}", slices(&ranges));
                self.link.raise(e);
                text
            })
        });
        let read = read.unwrap_or_else(|| Err("the interpreter has ended".to_owned()));
        let chunk = Arc::new(read.map_err(|what| self.failed(what))?);
        *held = Some(Arc::clone(&chunk));
        Ok(chunk)
    }

    /// The place of a chunk; with it, others go that were not used for long.
    fn slot(&self, numbers: &[usize]) -> Slot {
        let bytes = self.chunks.iter().product::<usize>().saturating_mul(self.dtype.size());
        let across = self.shape.last().map_or(1, |side| side.div_ceil(self.chunks[self.chunks.len() - 1]));
        // Two rows of chunks, as several threads may be at the end of one and at the beginning of the next.
        let most = (KEPT / bytes.max(1)).max(2 * across);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(own, _)| own == numbers);
        let entry = match found {
            Some(at) => kept.remove(at),
            None => (numbers.to_vec(), Slot::default()),
        };
        let slot = Arc::clone(&entry.1);
        kept.push(entry);
        let surplus = kept.len().saturating_sub(most);
        kept.drain(..surplus);
        slot
    }

    fn call(&self, py: Python<'_>, ranges: &[Range<usize>]) -> PyResult<Array> {
        let slice = |range: &Range<usize>| PySlice::new(py, range.start as isize, range.end as isize, 1);
        let given = self.read.bind(py).call1((PyList::new(py, ranges.iter().map(slice))?,))?;
        let found = array(&given, &self.name)?;
        let wanted: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
        let kind = typestr(&given)?;
        let is_kind = Dtype::from_descr(kind.trim_start_matches(['<', '>', '|', '='])) == Some(self.dtype);
        if found.shape() == wanted && is_kind {
            return Ok(found);
        }
        Err(PyValueError::new_err(format!(
            "the window {} has shape {:?} and type {kind}, not shape {wanted:?} and the array's own type",
            slices(ranges),
            found.shape()
        )))
    }
}

/// Ranges as Python writes them.
fn slices(ranges: &[Range<usize>]) -> String {
    let texts: Vec<String> = ranges.iter().map(|r| format!("{}:{}", r.start, r.end)).collect();
    format!("[{}]", texts.join(", "))
}

/// Whole rows, as many as make a good piece.
fn plain_chunks(shape: &[usize]) -> Vec<usize> {
    let mut left = PLAIN;
    let mut chunks: Vec<usize> = shape
        .iter()
        .rev()
        .map(|side| {
            let own = (*side).clamp(1, left.max(1));
            left /= own;
            own
        })
        .collect();
    chunks.reverse();
    chunks
}

impl ArraySource for Chunked {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn buffer(&self) -> Buffer {
        self.dtype.buffer()
    }

    fn is_apart(&self) -> bool {
        self.fold.is_some()
    }

    fn scan_apart(&self, plane: &ApartPlane, plans: &[ScanPlan]) -> Option<ApartScans> {
        Some(self.scans(self.fold.as_ref()?, plane, plans))
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        resize(into, &self.dtype.buffer(), window.len());
        let mut part = self.buffer();
        let rows = window.row_axis.map_or(0..1, |axis| self.pieces(axis, window.first[axis], window.rows));
        let columns = self.pieces(window.column_axis, window.first[window.column_axis], window.columns);
        for row in rows {
            for column in columns.clone() {
                let mut numbers: Vec<usize> =
                    window.first.iter().zip(&self.chunks).map(|(first, chunk)| first / chunk).collect();
                let mut inner = window.clone();
                for axis in 0..self.shape.len() {
                    inner.first[axis] = window.first[axis] % self.chunks[axis];
                }
                let mut put = [0, 0];
                if let Some(axis) = window.row_axis {
                    numbers[axis] = row;
                    (put[0], inner.first[axis], inner.rows) =
                        self.within(axis, row, window.first[axis], window.rows);
                }
                let axis = window.column_axis;
                numbers[axis] = column;
                (put[1], inner.first[axis], inner.columns) =
                    self.within(axis, column, window.first[axis], window.columns);
                self.chunk(&numbers)?.read(&inner, &mut part)?;
                copy(&part, inner.columns, into, (window.columns, put));
            }
        }
        Ok(())
    }
}

impl Chunked {
    /// The numbers of the chunks under some indexes of an axis.
    fn pieces(&self, axis: usize, first: usize, len: usize) -> Range<usize> {
        let chunk = self.chunks[axis];
        first / chunk..(first + len).div_ceil(chunk)
    }

    /// The part of some indexes of an axis in a chunk: where it begins among them, where in the chunk, and how long it is.
    fn within(&self, axis: usize, number: usize, first: usize, len: usize) -> (usize, usize, usize) {
        let begin = number * self.chunks[axis];
        let from = begin.max(first);
        let to = (begin + self.chunks[axis]).min(first + len);
        (from - first, from - begin, to - from)
    }
}

/// Makes a buffer of a kind as long as a window.
fn resize(into: &mut Buffer, like: &Buffer, len: usize) {
    if std::mem::discriminant(into) != std::mem::discriminant(like) {
        *into = like.clone();
    }
    match into {
        Buffer::F32 { bits, .. } => bits.resize(len, 0),
        Buffer::F64(v) => v.resize(len, 0.0),
        Buffer::I64(v) => v.resize(len, 0),
        Buffer::U64(v) => v.resize(len, 0),
    }
}

/// Copies rows of numbers to a row and a column of a wider window.
fn copy(from: &Buffer, width: usize, into: &mut Buffer, (whole, [row, column]): (usize, [usize; 2])) {
    fn lines<T: Copy>(from: &[T], width: usize, into: &mut [T], whole: usize, at: [usize; 2]) {
        for (i, line) in from.chunks_exact(width.max(1)).enumerate() {
            into[(at[0] + i) * whole + at[1]..][..width].copy_from_slice(line);
        }
    }
    let at = [row, column];
    match (from, into) {
        (Buffer::F32 { bits: from, .. }, Buffer::F32 { bits: into, .. }) => {
            lines(from, width, into, whole, at);
        }
        (Buffer::F64(from), Buffer::F64(into)) => lines(from, width, into, whole, at),
        (Buffer::I64(from), Buffer::I64(into)) => lines(from, width, into, whole, at),
        (Buffer::U64(from), Buffer::U64(into)) => lines(from, width, into, whole, at),
        _ => {}
    }
}
