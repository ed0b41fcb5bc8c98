//! Exceptions: one class for each kind of failure, with the file, the place and a hint as attributes.

use gridscope::Error;
use gridscope::input::{ErrorKind, InputError};
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

/// Kinds of failures, each with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Input,
    Usage,
    Limit,
    Device,
    Output,
    Internal,
}

/// A failure, with all that its exception says.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    exit_code: u8,
    file: String,
    place: String,
    what: String,
    hint: Option<String>,
}

static CLASSES: PyOnceLock<[Py<PyType>; 7]> = PyOnceLock::new();

/// A class with attributes that its instances set.
fn class<'py>(
    py: Python<'py>,
    name: &str,
    bases: &[&Bound<'py, PyType>],
    doc: &str,
) -> PyResult<Bound<'py, PyType>> {
    let names = PyDict::new(py);
    names.set_item("__module__", "gridscope")?;
    names.set_item("__doc__", doc)?;
    for attribute in ["file", "place", "what"] {
        names.set_item(attribute, "")?;
    }
    names.set_item("hint", py.None())?;
    names.set_item("exit_code", 1)?;
    let made = py.get_type::<PyType>().call1((name, PyTuple::new(py, bases)?, names))?;
    Ok(made.cast_into::<PyType>()?)
}

/// The classes, in the order of [`Kind`]; the last is the base of all.
fn classes<'py>(py: Python<'py>) -> PyResult<&'py [Py<PyType>; 7]> {
    CLASSES.get_or_try_init(py, || {
        let base = class(
            py,
            "GridscopeError",
            &[&py.get_type::<PyException>()],
            "Why gridscope did not do what it was asked: base of all its exceptions.\n\n\
             Attributes\n----------\nfile : str\n    The file or the object that it is about, or nothing.\nplace : str\n    \
             Where in it, or which keyword.\nwhat : str\n    What is wrong.\nhint : str or None\n    What may help.\n\
             exit_code : int\n    The exit code of the program for it.",
        )?;
        let with = |name: &str, other: Bound<'py, PyType>, doc: &str| class(py, name, &[&base, &other], doc);
        let input = with(
            "InputError",
            py.get_type::<PyValueError>(),
            "Data or a value of the figure are refused.",
        )?;
        let usage = class(py, "UsageError", &[&input], "Options that do not fit together or the data.")?;
        let limit = with(
            "LimitError",
            py.get_type::<PyMemoryError>(),
            "A limit of memory, picture size or time.",
        )?;
        let device = with(
            "DeviceError",
            py.get_type::<PyRuntimeError>(),
            "No device or display that can be used.",
        )?;
        let output = with("OutputError", py.get_type::<PyOSError>(), "An output cannot be written.")?;
        let internal = with(
            "InternalError",
            py.get_type::<PyRuntimeError>(),
            "A fault of gridscope itself: please report it.",
        )?;
        Ok([input, usage, limit, device, output, internal, base].map(Bound::unbind))
    })
}

/// Adds the classes to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for class in classes(module.py())? {
        let class = class.bind(module.py());
        module.add(class.name()?, class)?;
    }
    Ok(())
}

impl Failure {
    /// A fault of this crate or of the library.
    pub(crate) fn internal(what: &str) -> Self {
        Self {
            kind: Kind::Internal,
            exit_code: 1,
            file: String::new(),
            place: String::new(),
            what: format!("internal error: {}; please report it", what.replace('\n', " ")),
            hint: None,
        }
    }

    /// Its exception.
    pub(crate) fn raise(&self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|e| e)
    }

    fn exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        let parts = [&self.file, &self.place, &self.what];
        let given = parts.into_iter().filter(|part| !part.is_empty());
        let mut text = given.map(String::as_str).collect::<Vec<_>>().join(": ");
        if let Some(hint) = &self.hint {
            text.push_str("\nhint: ");
            text.push_str(hint);
        }
        let class = classes(py)?[self.kind as usize].bind(py);
        let exception = class.call1((text,))?;
        exception.setattr("file", &self.file)?;
        exception.setattr("place", &self.place)?;
        exception.setattr("what", &self.what)?;
        exception.setattr("hint", &self.hint)?;
        exception.setattr("exit_code", self.exit_code)?;
        Ok(PyErr::from_value(exception))
    }
}

impl From<InputError> for Failure {
    fn from(e: InputError) -> Self {
        Self {
            kind: match e.kind {
                ErrorKind::Refused => Kind::Input,
                ErrorKind::Usage => Kind::Usage,
                ErrorKind::Limit => Kind::Limit,
                ErrorKind::Unavailable => Kind::Device,
            },
            exit_code: Error::from(e.clone()).exit_code(),
            place: e.place.to_string(),
            file: e.file,
            what: e.what,
            hint: e.hint,
        }
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        let (exit_code, hint) = (e.exit_code(), e.hint().map(str::to_owned));
        // The message of some begins with the key.
        let key = match &e {
            Error::Figure(e) if e.names_key() => None,
            e => e.keys().first().map(|key| (*key).to_owned()),
        };
        let (file, what) = match e {
            Error::Input(e) => return e.into(),
            Error::File { file, source } => (file, source.to_string()),
            Error::Output { path, source } => (path.display().to_string(), source.to_string()),
            other => (String::new(), other.to_string()),
        };
        Self {
            kind: match exit_code {
                2 => Kind::Usage,
                4 => Kind::Output,
                5 => Kind::Device,
                7 => Kind::Limit,
                _ => Kind::Input,
            },
            exit_code,
            place: key.unwrap_or_default(),
            file,
            what,
            hint,
        }
    }
}
