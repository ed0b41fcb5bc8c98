//! What callers get when a stage fails, and the exit code each failure has on the command line.
//!
//! | exit code | what happened |
//! | --- | --- |
//! | 0 | done; warnings may have been told |
//! | 1 | a fault of gridscope itself ("internal error") |
//! | 2 | the command line cannot be followed: unknown flags, a table that is not clear without more of them |
//! | 3 | an input is refused: what a file, a figure or its limits are at fault with |
//! | 4 | an output cannot be written |
//! | 5 | no device or display that can be used |
//! | 6 | a denied warning, a regression, or a slower benchmark; all outputs are written |
//! | 7 | over a limit of memory, picture size or time; a named pipe that nobody writes to |
//! | 129, 130, 131, 143, 152 | ended by SIGHUP, SIGINT (Ctrl-C), SIGQUIT, SIGTERM, SIGXCPU: 128 + the signal's number |
//!
//! Every failure is one line, `error: FILE: where: what`, and where something helps a second one, `hint: …`. Outputs that stood
//! there before stay as they were.

use crate::grid::SourceError;
use crate::input::{ErrorKind, InputError};
use crate::resolve::ResolveError;
use crate::vector::VectorError;
use std::fmt;
use std::path::PathBuf;

/// Any failure on the way from a file to a picture.
#[derive(Debug)]
pub enum Error {
    /// An input was refused.
    Input(InputError),
    /// The figure cannot be drawn as it is described.
    Figure(ResolveError),
    /// A picture could not be encoded.
    Encode(String),
    /// An output could not be written.
    Output(PathBuf, std::io::Error),
    /// No device draws this; and what may help.
    Device(String, Option<String>),
    /// A limit of memory, size or time.
    Limit(String),
    /// Values that do not make a grid.
    Grid(String),
    /// Any of these that names no file, and the file that it is about.
    File(String, Box<Error>),
}

impl Error {
    /// The exit code: 2 usage, 3 input refused, 4 output not written, 5 no usable device, 7 over a limit.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(e) => match e.kind {
                ErrorKind::Refused => 3,
                ErrorKind::Usage => 2,
                ErrorKind::Limit => 7,
            },
            Error::Figure(ResolveError::Size(_) | ResolveError::Dpi(_)) | Error::Limit(_) => 7,
            Error::Figure(_) | Error::Grid(_) => 3,
            Error::File(_, e) => e.exit_code(),
            Error::Encode(_) | Error::Output(..) => 4,
            Error::Device(..) => 5,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Input(e) => e.hint.as_deref(),
            Error::Figure(e) => e.hint(),
            Error::Device(_, hint) => hint.as_deref(),
            Error::File(_, e) => e.hint(),
            _ => None,
        }
    }

    /// The keys of the figure that decide on it, as `vmin` or `view.x`; none where other things do.
    pub fn keys(&self) -> Vec<&str> {
        match self {
            Error::Figure(e) => e.keys(),
            Error::Input(e) if e.file.is_empty() => e.place.part.as_deref().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The same error with the file that it is about, unless it names one: outputs and devices are no such file.
    #[must_use]
    pub fn of_file(self, file: &str) -> Self {
        match self {
            Error::Input(mut e) if e.file.is_empty() => {
                file.clone_into(&mut e.file);
                Error::Input(e)
            }
            named @ (Error::Input(_)
            | Error::Figure(ResolveError::Source(_))
            | Error::Output(..)
            | Error::Device(..)
            | Error::File(..)) => named,
            other => Error::File(file.to_owned(), Box::new(other)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(e) => e.fmt(f),
            Error::Figure(e) => e.fmt(f),
            Error::Output(path, e) => write!(f, "{}: {e}", path.display()),
            Error::File(file, e) => write!(f, "{file}: {e}"),
            Error::Encode(what) | Error::Device(what, _) | Error::Limit(what) | Error::Grid(what) => {
                f.write_str(what)
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<SourceError> for Error {
    fn from(e: SourceError) -> Self {
        Error::Figure(e.into())
    }
}

impl From<VectorError> for Error {
    fn from(e: VectorError) -> Self {
        match e {
            VectorError::Size(what) => Error::Limit(what),
            VectorError::Cells(what) | VectorError::Encode(what) => Error::Encode(what),
        }
    }
}

impl From<png::EncodingError> for Error {
    fn from(e: png::EncodingError) -> Self {
        Error::Encode(e.to_string())
    }
}

impl From<InputError> for Error {
    fn from(e: InputError) -> Self {
        Error::Input(e)
    }
}

impl From<ResolveError> for Error {
    fn from(e: ResolveError) -> Self {
        Error::Figure(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_one_file() {
        let about = |e: Error| (e.exit_code(), e.of_file("f").to_string());
        let limits = || Error::Figure(ResolveError::Data("2 is above 1".to_owned()));
        assert_eq!(about(limits()), (3, "f: 2 is above 1".to_owned()));
        assert_eq!(about(limits().of_file("g")), (3, "g: 2 is above 1".to_owned()));
        assert_eq!(
            about(Error::Figure(ResolveError::Dpi(0.5))),
            (7, "f: dpi 0.5 is outside of 1..10000".to_owned())
        );
        assert_eq!(
            about(InputError::refused("", "raw", "no").into()),
            (3, "f: raw: no".to_owned())
        );
        assert_eq!(
            about(InputError::usage("g", "no").into()),
            (2, "g: no".to_owned())
        );
        assert_eq!(
            about(Error::Limit("no".to_owned()).of_file("g")),
            (7, "g: no".to_owned())
        );
        assert_eq!(
            about(
                SourceError {
                    file: "g".to_owned(),
                    what: "no".to_owned()
                }
                .into()
            ),
            (3, "g: no".to_owned())
        );
        assert_eq!(about(Error::Device("no".to_owned(), None)), (5, "no".to_owned()));
        let hinted = Error::from(InputError::limit("", "no").with_hint("yes"));
        assert_eq!(hinted.of_file("f").hint(), Some("yes"));
    }
}
