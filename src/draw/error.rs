//! Errors of all stages, and their exit codes on the command line.
//!
//! | exit code | event |
//! | --- | --- |
//! | 0 | done; warnings may have been printed |
//! | 1 | a fault of gridscope itself ("internal error") |
//! | 2 | the command line cannot be followed: unknown flags, a table that is not clear without more of them |
//! | 3 | an input is refused: a file, a figure or its limits are wrong |
//! | 4 | an output cannot be written |
//! | 5 | no device or display that can be used |
//! | 6 | a denied warning, a regression, or a slower benchmark; all outputs are written |
//! | 7 | over a limit of memory, picture size or time; a named pipe that nobody writes to |
//! | 129, 130, 131, 143, 152 | ended by SIGHUP, SIGINT (Ctrl-C), SIGQUIT, SIGTERM, SIGXCPU: 128 + the signal's number |
//!
//! Every failure is one line, `error: FILE: where: what`, and where something helps, a second one, `hint: …`. Existing outputs
//! stay as they were.

use crate::resolve::ResolveError;
use crate::vector::{VectorError, VectorErrorKind};
use gridscope_core::grid::{GridError, SourceError};
use gridscope_read::{ErrorKind, InputError};
use std::fmt;
use std::path::PathBuf;

/// An error of a library that this crate calls.
type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// Any failure on the way from a file to a picture.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An input was refused.
    Input(InputError),
    /// The figure cannot be drawn as it is described.
    Figure(ResolveError),
    /// Values that do not make a grid.
    Grid(GridError),
    /// An SVG or a PDF cannot be made of the picture.
    Vector(VectorError),
    /// A picture or a text could not be encoded.
    Encode {
        /// Reason of the failure.
        what: String,
        /// The encoder's error.
        source: Option<BoxedError>,
    },
    /// An output could not be written.
    Output {
        /// The output, `-` for standard output.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// No device or display can be used.
    Device {
        /// Reason of the failure.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
    /// A limit of memory, size or time.
    Limit {
        /// The excess, and the limit.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
    /// There is nothing to draw: no grid, or cells that are not read.
    Unavailable {
        /// The missing thing.
        what: String,
    },
    /// Any of these that names no file, and the file that it is about.
    File {
        /// The file as the user named it.
        file: String,
        /// Error about the file.
        source: Box<Error>,
    },
}

impl Error {
    /// [`Error::Encode`] without an encoder's error.
    pub fn encode(what: impl Into<String>) -> Self {
        Error::Encode { what: what.into(), source: None }
    }

    /// [`Error::Output`].
    pub fn output(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Error::Output { path: path.into(), source }
    }

    /// [`Error::Device`] without a hint.
    pub fn device(what: impl Into<String>) -> Self {
        Error::Device { what: what.into(), hint: None }
    }

    /// [`Error::Limit`] without a hint.
    pub fn limit(what: impl Into<String>) -> Self {
        Error::Limit { what: what.into(), hint: None }
    }

    /// [`Error::Unavailable`].
    pub fn unavailable(what: impl Into<String>) -> Self {
        Error::Unavailable { what: what.into() }
    }

    /// The same error with a hint, where it is of an input, a vector file, a device or a limit; others have none.
    #[must_use]
    pub fn with_hint(mut self, text: impl Into<String>) -> Self {
        match &mut self {
            Error::Input(e) => e.hint = Some(text.into()),
            Error::Vector(e) => e.hint = Some(text.into()),
            Error::Device { hint, .. } | Error::Limit { hint, .. } => *hint = Some(text.into()),
            _ => {}
        }
        self
    }

    /// The exit code: 2 usage, 3 input refused, 4 output not written, 5 no usable device, 7 over a limit.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(e) => match e.kind {
                ErrorKind::Refused => 3,
                ErrorKind::Usage => 2,
                ErrorKind::Limit => 7,
                ErrorKind::Unavailable => 5,
            },
            Error::Figure(
                ResolveError::Size(_)
                | ResolveError::Small { .. }
                | ResolveError::Dpi(_)
                | ResolveError::Limit { .. },
            )
            | Error::Limit { .. } => 7,
            Error::Vector(e) if e.kind == VectorErrorKind::Size => 7,
            Error::Figure(_) | Error::Grid(_) | Error::Unavailable { .. } => 3,
            Error::File { source, .. } => source.exit_code(),
            Error::Vector(_) | Error::Encode { .. } | Error::Output { .. } => 4,
            Error::Device { .. } => 5,
        }
    }

    /// Advice for the user.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Error::Input(e) => e.hint.as_deref(),
            Error::Figure(e) => e.hint(),
            Error::Vector(e) => e.hint.as_deref(),
            Error::Device { hint, .. } | Error::Limit { hint, .. } => hint.as_deref(),
            Error::File { source, .. } => source.hint(),
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
            | Error::Output { .. }
            | Error::Device { .. }
            | Error::File { .. }) => named,
            other => Error::File { file: file.to_owned(), source: Box::new(other) },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(e) => e.fmt(f),
            Error::Figure(e) => e.fmt(f),
            Error::Grid(e) => e.fmt(f),
            Error::Vector(e) => e.fmt(f),
            Error::Output { path, source } => write!(f, "{}: {source}", path.display()),
            Error::File { file, source } => write!(f, "{file}: {source}"),
            Error::Encode { what, .. }
            | Error::Device { what, .. }
            | Error::Limit { what, .. }
            | Error::Unavailable { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Input(e) => Some(e),
            Error::Figure(e) => Some(e),
            Error::Grid(e) => Some(e),
            Error::Vector(e) => Some(e),
            Error::Encode { source, .. } => source.as_deref().map(|e| e as _),
            Error::Output { source, .. } => Some(source),
            Error::File { source, .. } => Some(source),
            Error::Device { .. } | Error::Limit { .. } | Error::Unavailable { .. } => None,
        }
    }
}

impl From<GridError> for Error {
    fn from(e: GridError) -> Self {
        Error::Grid(e)
    }
}

impl From<SourceError> for Error {
    fn from(e: SourceError) -> Self {
        Error::Figure(e.into())
    }
}

impl From<VectorError> for Error {
    fn from(e: VectorError) -> Self {
        Error::Vector(e)
    }
}

impl From<png::EncodingError> for Error {
    fn from(e: png::EncodingError) -> Self {
        Error::Encode { what: e.to_string(), source: Some(Box::new(e)) }
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
        assert_eq!(about(InputError::refused("", "raw", "no").into()), (3, "f: raw: no".to_owned()));
        assert_eq!(about(InputError::usage("g", "no").into()), (2, "g: no".to_owned()));
        assert_eq!(about(Error::limit("no").of_file("g")), (7, "g: no".to_owned()));
        assert_eq!(
            about(SourceError { file: "g".to_owned(), what: "no".to_owned() }.into()),
            (3, "g: no".to_owned())
        );
        assert_eq!(about(Error::device("no")), (5, "no".to_owned()));
        let hinted = Error::from(InputError::limit("", "no").with_hint("yes"));
        assert_eq!(hinted.of_file("f").hint(), Some("yes"));
        let hinted = Error::limit("no").with_hint("yes").of_file("f");
        assert_eq!((hinted.hint(), hinted.to_string().as_str()), (Some("yes"), "f: no"));
    }

    #[test]
    fn an_error_returns_what_caused_it() {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let output = Error::output("p.png", missing());
        let source = std::error::Error::source(&output).expect("the system's error");
        assert_eq!(
            source.downcast_ref::<std::io::Error>().map(std::io::Error::kind),
            Some(std::io::ErrorKind::NotFound)
        );
        let grid = Error::from(GridError::Empty { rows: 0, columns: 2 }).of_file("f");
        let inner = std::error::Error::source(&grid).and_then(std::error::Error::source);
        assert_eq!(inner.and_then(|e| e.downcast_ref()), Some(&GridError::Empty { rows: 0, columns: 2 }));
        assert_eq!(grid.exit_code(), 3);
        let input = InputError::refused("f", "", "gone").with_source(missing());
        let input = Error::from(input);
        let inner = std::error::Error::source(&input).and_then(std::error::Error::source);
        assert!(inner.is_some_and(<dyn std::error::Error + 'static>::is::<std::io::Error>));
    }
}
