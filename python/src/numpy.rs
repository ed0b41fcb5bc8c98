//! Arrays of numpy where they lie: any type, stride and order of bytes, without a copy.

use crate::errors::Failure;
use crate::link::Link;
use crate::stoppable::Stoppable;
use gridscope::Error;
use gridscope::figure::Figure;
use gridscope::input::{ArraySource, Budget, StridedArray, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt;

/// The memory of an array, and the array, which keeps it.
pub(crate) struct ArrayMemory {
    /// The lowest byte of any element.
    address: usize,
    len: usize,
    /// The array: numpy frees no memory of an array that is referenced.
    array: Option<Py<PyAny>>,
}

impl fmt::Debug for ArrayMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of an array", self.len)
    }
}

impl AsRef<[u8]> for ArrayMemory {
    fn as_ref(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // What numpy says of its own arrays is true, and the array keeps the memory as long as it is referenced from here. Code that
        // writes into it at the same time changes which numbers are read, as it does for numpy without the lock.
        #[expect(
            unsafe_code,
            reason = "the memory belongs to an array of numpy, which is read without a copy"
        )]
        unsafe {
            std::slice::from_raw_parts(self.address as *const u8, self.len)
        }
    }
}

impl Drop for ArrayMemory {
    fn drop(&mut self) {
        // At once where the interpreter still runs, not when it next has a chance.
        let array = self.array.take();
        let _ = Python::try_attach(|_| drop(array));
    }
}

/// An array that stays where it is.
pub(crate) type Array = StridedArray<ArrayMemory>;

/// Facts about an array by numpy.
struct Interface {
    address: usize,
    shape: Vec<usize>,
    strides: Option<Vec<isize>>,
    typestr: String,
}

/// An array of numpy, or what numpy makes of an object: of one with a buffer or an array interface it makes no copy. What a subclass
/// says of itself need not be true.
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    if object.get_type().is(&numpy.getattr("ndarray")?) {
        Ok(object.clone())
    } else {
        numpy.call_method1("asarray", (object,))
    }
}

/// The interface that numpy itself gives, whatever a subclass says.
fn interface(array: &Bound<'_, PyAny>) -> PyResult<Interface> {
    let class = array.py().import("numpy")?.getattr("ndarray")?;
    let attribute = class.getattr("__array_interface__")?;
    let said = attribute.call_method1("__get__", (array,))?.cast_into::<PyDict>()?;
    let of = |key: &str| {
        said.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("an array without {key}")))
    };
    let (address, _): (usize, bool) = of("data")?.extract()?;
    let strides = said.get_item("strides")?.filter(|strides| !strides.is_none());
    Ok(Interface {
        address,
        shape: of("shape")?.extract()?,
        strides: strides.map(|strides| strides.extract()).transpose()?,
        typestr: of("typestr")?.extract()?,
    })
}

/// The array of an object; messages call it `file`.
pub(crate) fn array(object: &Bound<'_, PyAny>, file: &str) -> PyResult<Array> {
    let array = as_array(object)?;
    let Interface { address, shape, strides, typestr } = interface(&array)?;
    let size: usize = array.getattr("itemsize")?.extract()?;
    let strides = strides.unwrap_or_else(|| {
        let mut strides = vec![size as isize; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis].saturating_mul(shape[axis] as isize);
        }
        strides
    });
    let (mut low, mut high) = (0isize, 0isize);
    if !shape.contains(&0) {
        for (side, stride) in shape.iter().zip(&strides) {
            let reach = (*side as isize - 1).saturating_mul(*stride);
            (low, high) = (low.saturating_add(reach.min(0)), high.saturating_add(reach.max(0)));
        }
        high = high.saturating_add_unsigned(size);
    }
    let memory = ArrayMemory {
        address: address.wrapping_add_signed(low),
        len: high.abs_diff(low),
        array: Some(array.unbind()),
    };
    let first = low.unsigned_abs();
    StridedArray::new(memory, &typestr, shape, strides, first, file)
        .map_err(|e| Failure::from(e).raise(object.py()))
}

/// The type of an object's elements, as numpy writes it.
pub(crate) fn typestr(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(interface(&as_array(object)?)?.typestr)
}

/// The numbers of an object of one dimension, as f64.
pub(crate) fn numbers(object: &Bound<'_, PyAny>, file: &str) -> PyResult<Vec<f64>> {
    let array = array(object, file)?;
    let fail = |e: Error| Failure::from(e).raise(object.py());
    let len = match array.shape() {
        [0] => return Ok(Vec::new()),
        [len] => *len,
        shape => {
            let what = format!("a list of numbers is expected, not an array of shape {shape:?}");
            return Err(fail(gridscope::input::InputError::usage(file, what).into()));
        }
    };
    let window = Window { first: vec![0], row_axis: None, column_axis: 0, rows: 1, columns: len };
    let mut buffer = array.buffer();
    array.read(&window, &mut buffer).map_err(|e| fail(e.into()))?;
    let values = gridscope::input::Array { shape: vec![len], data: buffer.into() };
    Ok(values.to_f64())
}

/// The grids of a lone array that nobody described, for [`crate::fold`].
pub(crate) fn plain(
    object: &Bound<'_, PyAny>,
    states: Option<&Bound<'_, PyAny>>,
    link: &Link,
) -> PyResult<impl FnOnce() -> Result<gridscope::Grid, Error> + Send + use<>> {
    let source = Stoppable { source: array(object, "array")?, link: link.clone(), counts: false };
    let states = states.map(|states| array(states, "mask")).transpose()?;
    Ok(move || {
        let named = gridscope::input::NamedArray {
            name: "array".to_owned(),
            value_name: String::new(),
            source: Box::new(source),
            states: states.map(|states| Box::new(states) as Box<dyn ArraySource>),
            texts: None,
        };
        let loaded = gridscope::input::load_arrays(vec![named], &Figure::default(), &Budget::usual())?;
        let grid = loaded.grids.into_iter().next();
        grid.ok_or_else(|| Error::unavailable("the array has no grid"))
    })
}
