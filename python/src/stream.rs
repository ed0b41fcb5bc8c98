//! Tables by the Arrow C interface: streams and arrays in capsules, whose memory is shared.

use crate::errors::Failure;
use crate::link::Link;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use gridscope::Lints;
use gridscope::figure::Figure;
use gridscope::input::{
    BatchOptions, Budget, InputError, ReadOptions, RecordBatchStream, RecordBatches, TableSource,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Arc;

/// Packages whose tables are in memory, so that their record batches may be held and read again; `gridscope` has the columns of
/// data frames and lists.
const HOLDERS: [&str; 4] = ["gridscope", "pandas", "polars", "pyarrow"];

/// A table of Python before its rows are read.
pub(crate) struct Table {
    name: String,
    stream: RecordBatchStream,
    options: BatchOptions,
}

impl Table {
    /// The table that an object exports.
    pub(crate) fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let py = object.py();
        let refused = |e: ArrowError| {
            let what = match e {
                ArrowError::CDataInterface(what)
                | ArrowError::InvalidArgumentError(what)
                | ArrowError::IoError(what, _)
                | ArrowError::MemoryError(what)
                | ArrowError::SchemaError(what) => what,
                other => other.to_string(),
            };
            Failure::from(InputError::refused(name, "", format!("not a table: {what}"))).raise(py)
        };
        let class = object.get_type();
        let module: String = class.getattr("__module__")?.extract().unwrap_or_default();
        let package = module.split('.').next().unwrap_or_default();
        let held = HOLDERS.contains(&package) && object.len().is_ok();
        let mut options = BatchOptions::default();
        // Categories of pandas have an order even where they are not said to be ordered.
        (options.held, options.ordered) = (held, ["gridscope", "pandas"].contains(&package));
        options.label_columns = object.getattr("label_columns").ok().and_then(|n| n.extract().ok());
        let stream: RecordBatchStream = if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
            let stream = taken(&capsule, c"arrow_array_stream", |at| import_stream(at.cast()))?;
            Box::new(RecordBatchStreamReader::try_new(stream).map_err(refused)?)
        } else if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
            let [schema, array] =
                [0, 1].map(|i| pair.get_item(i).and_then(|c| Ok(c.cast_into::<PyCapsule>()?)));
            let schema = taken(&schema?, c"arrow_schema", |at| import_schema(at.cast()))?;
            let array = taken(&array?, c"arrow_array", |at| import_array(at.cast()))?;
            options.held = true;
            one_batch(array, &schema).map_err(refused)?
        } else {
            let what = format!("{} has neither __arrow_c_stream__ nor __arrow_c_array__", class.name()?);
            return Err(PyTypeError::new_err(what));
        };
        // A column is labels only if it is no number.
        let first = stream.schema().fields().first().map(|field| field.data_type().clone());
        let is_number = first.is_some_and(|t| t.is_numeric() || t == DataType::Boolean);
        options.label_columns = options.label_columns.or(is_number.then_some(0));
        Ok(Self { name: name.to_owned(), stream, options })
    }

    /// The rows of the columns that a figure needs.
    pub(crate) fn open(
        self,
        figure: &Figure,
        needs: &ReadOptions,
        (budget, lints, link): (&Arc<Budget>, &mut Lints, &Link),
    ) -> Result<Box<dyn TableSource>, InputError> {
        let stream = Box::new(Watched { inner: self.stream, link: link.clone() });
        let table = RecordBatches::new(&self.name, stream, self.options, (figure, needs), budget, lints)?;
        Ok(Box::new(table))
    }
}

/// A stream that ends with an error once nobody waits for it.
struct Watched {
    inner: RecordBatchStream,
    link: Link,
}

impl Iterator for Watched {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.link.is_stopped() {
            return Some(Err(ArrowError::ExternalError("reading was interrupted".into())));
        }
        self.inner.next()
    }
}

impl RecordBatchReader for Watched {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }
}

/// Pointer in a capsule of this name.
fn taken<T>(
    capsule: &Bound<'_, PyCapsule>,
    name: &CStr,
    import: impl FnOnce(NonNull<std::ffi::c_void>) -> T,
) -> PyResult<T> {
    Ok(import(capsule.pointer_checked(Some(name))?))
}

/// The reason of the three functions below.
const _: &str = "a capsule of the Arrow C interface that has its name points to what the interface says, and what is moved out of it \
                 is released once: the capsule's own destructor finds that it was moved";

#[expect(
    unsafe_code,
    reason = "a capsule named arrow_array_stream points to a stream, which is moved out of it"
)]
fn import_stream(at: NonNull<FFI_ArrowArrayStream>) -> FFI_ArrowArrayStream {
    unsafe { FFI_ArrowArrayStream::from_raw(at.as_ptr()) }
}

#[expect(unsafe_code, reason = "a capsule named arrow_schema points to a schema, which is moved out of it")]
fn import_schema(at: NonNull<FFI_ArrowSchema>) -> FFI_ArrowSchema {
    unsafe { FFI_ArrowSchema::from_raw(at.as_ptr()) }
}

#[expect(unsafe_code, reason = "a capsule named arrow_array points to an array, which is moved out of it")]
fn import_array(at: NonNull<FFI_ArrowArray>) -> FFI_ArrowArray {
    unsafe { FFI_ArrowArray::from_raw(at.as_ptr()) }
}

/// A stream of one record batch.
fn one_batch(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<RecordBatchStream, ArrowError> {
    #[expect(
        unsafe_code,
        reason = "whoever exports an array says that its buffers are as its schema has them"
    )]
    let data = unsafe { from_ffi(array, schema) }?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        let what = format!("an array of {}, not of the columns of a table", data.data_type());
        return Err(ArrowError::SchemaError(what));
    }
    let columns = StructArray::from(data);
    if columns.null_count() > 0 {
        return Err(ArrowError::SchemaError("rows that are missing as a whole".to_owned()));
    }
    let batch = RecordBatch::from(columns);
    let schema = batch.schema();
    Ok(Box::new(RecordBatchIterator::new(vec![Ok(batch)], schema)))
}
