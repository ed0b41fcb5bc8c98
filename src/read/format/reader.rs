//! Input of the reader of a format, the bytes of a file, and its result: grids or a table.

use crate::array::{ArraySource, AxisValues, grids_of_lone_source, shape_text};
use crate::budget::{Budget, Whole, read_whole, read_whole_opened, read_whole_pipe};
use crate::bytes::{Content, open_file, read_exact_at, unreadable};
use crate::error::InputError;
use crate::fingerprint::Fingerprint;
use crate::loaded::{Query, ReadOptions};
use crate::pipe::{PATIENCE, is_named_pipe};
use crate::table::TableSource;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::lint::{LintName, Lints};
use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// Bytes by which a file's format is recognised: the longest NPY header, and the bytes before it.
pub(super) const HEAD: u64 = (64 << 10) + 12;
/// Texts of up to this many bytes are read at once.
pub(super) const SHORT_TEXT: u64 = 1 << 20;

/// Whether a file's beginning shows nothing of its format, and more than that is to be seen.
fn is_blank(head: &[u8]) -> bool {
    head.len() as u64 == HEAD && head.trim_ascii_start().is_empty()
}

/// A file, and the request for its content.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    pub figure: &'a Figure,
    pub needs: &'a ReadOptions,
    /// Budget of the reading.
    pub budget: &'a Arc<Budget>,
}

/// A file that is to be read.
pub(crate) struct Input<'a> {
    pub request: Request<'a>,
    bytes: Bytes,
    /// The fingerprint of a folder, or of bytes that were read whole.
    pub fingerprint: Option<Fingerprint>,
    /// What is not read of it.
    pub lints: Lints,
    /// The query that its database answers.
    pub query: Option<Query>,
}

/// The bytes of a file.
enum Bytes {
    /// None: a folder, or bytes that were handed on.
    None,
    Memory(Whole),
    File(Arc<File>, Metadata),
}

impl<'a> Input<'a> {
    /// A folder.
    pub(crate) fn folder(request: Request<'a>) -> Self {
        Self { request, bytes: Bytes::None, fingerprint: None, lints: Lints::default(), query: None }
    }

    /// Bytes in memory.
    pub(crate) fn whole(request: Request<'a>, whole: Whole) -> Self {
        let prints = request.needs.fingerprints;
        Self {
            request,
            fingerprint: prints.then(|| Fingerprint::of_bytes(request.file, &whole.0)),
            bytes: Bytes::Memory(whole),
            lints: Lints::default(),
            query: None,
        }
    }

    /// Opens a file; standard input (`-`) and named pipes are read to their end.
    ///
    /// # Errors
    /// When it is missing, unreadable, a directory, a device, or read to its end and empty or too large.
    pub(crate) fn open(request: Request<'a>) -> Result<Self, InputError> {
        let (path, budget) = (Path::new(request.file), request.budget);
        if request.file == "-" {
            return Ok(Self::whole(request, read_whole(path, budget)?));
        }
        if is_named_pipe(path) {
            let patience = request.needs.patience.unwrap_or(PATIENCE);
            return Ok(Self::whole(request, read_whole_pipe(path, budget, patience)?));
        }
        let (file, meta) = open_file(path)?;
        let is_file = meta.is_file();
        let mut input = Self { bytes: Bytes::File(Arc::new(file), meta), ..Self::folder(request) };
        if !is_file {
            input.load()?;
        }
        Ok(input)
    }

    /// Its first bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn head(&self) -> Result<Cow<'_, [u8]>, InputError> {
        Ok(match &self.bytes {
            Bytes::None => Cow::Borrowed(&[]),
            Bytes::Memory((bytes, _)) => {
                let most = |most: u64| &bytes[..bytes.len().min(most as usize)];
                Cow::Borrowed(if is_blank(most(HEAD)) { most(SHORT_TEXT) } else { most(HEAD) })
            }
            Bytes::File(file, _) => {
                let head = self.first(file, HEAD)?;
                Cow::Owned(if is_blank(&head) { self.first(file, SHORT_TEXT)? } else { head })
            }
        })
    }

    /// The first bytes of a text that is too long to be read at once.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn start_of_long_text(&self) -> Result<Option<Vec<u8>>, InputError> {
        match &self.bytes {
            Bytes::File(file, meta) if meta.len() > SHORT_TEXT => self.first(file, SHORT_TEXT).map(Some),
            _ => Ok(None),
        }
    }

    /// The first bytes of a file, which is then at its beginning again.
    fn first(&self, mut file: &File, most: u64) -> Result<Vec<u8>, InputError> {
        let mut head = Vec::new();
        let read = file.take(most).read_to_end(&mut head).and_then(|_| file.rewind());
        read.map_err(|e| unreadable(self.request.file, &e))?;
        Ok(head)
    }

    /// The file and its length, where its bytes can be read by position.
    pub(crate) fn file(&self) -> Option<(Arc<File>, u64)> {
        match &self.bytes {
            Bytes::File(file, meta) => Some((Arc::clone(file), meta.len())),
            _ => None,
        }
    }

    /// All bytes, and their reservation.
    ///
    /// # Errors
    /// When they cannot be read, there is none, or too little memory.
    pub(crate) fn bytes(&mut self) -> Result<Whole, InputError> {
        self.load()?;
        match std::mem::replace(&mut self.bytes, Bytes::None) {
            Bytes::Memory(whole) => Ok(whole),
            _ => Ok((Vec::new(), self.request.budget.nothing())),
        }
    }

    /// Bytes that were only looked at.
    #[cfg(feature = "npz")]
    pub(crate) fn put_back(&mut self, whole: Whole) {
        self.bytes = Bytes::Memory(whole);
    }

    /// Reads a file whole.
    fn load(&mut self) -> Result<(), InputError> {
        let Request { file: name, budget, .. } = self.request;
        if let Bytes::File(file, meta) = &self.bytes {
            let whole = Self::whole(self.request, read_whole_opened(file, meta, name, budget)?);
            *self = Self { lints: std::mem::take(&mut self.lints), ..whole };
        }
        Ok(())
    }

    /// Bytes that are read by position. What is in memory stays there to the end of the run.
    pub(crate) fn content(&mut self) -> Content {
        if let Some((file, len)) = self.file() {
            return Content::File(file, len);
        }
        match std::mem::replace(&mut self.bytes, Bytes::None) {
            Bytes::Memory((bytes, held)) => {
                held.keep();
                Content::Memory(bytes)
            }
            _ => Content::Memory(Vec::new()),
        }
    }

    /// The bytes of a text, of which a short one is read at once. Of a file that may be growing, a last row without its end
    /// is left out, and the result says so.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn rows(&mut self) -> Result<(Content, bool), InputError> {
        if self.file().is_some_and(|(_, len)| len <= SHORT_TEXT) {
            self.load()?;
        }
        match self.content() {
            content if !self.request.needs.growing => Ok((content, false)),
            Content::Memory(mut bytes) => {
                let waits = cut_open_row(&mut bytes);
                Ok((Content::Memory(bytes), waits))
            }
            Content::File(file, len) => {
                let mut tail = vec![0; SHORT_TEXT.min(len) as usize];
                let from = len - tail.len() as u64;
                read_exact_at(&file, &mut tail, from).map_err(|e| unreadable(self.request.file, &e))?;
                let waits = cut_open_row(&mut tail);
                Ok((Content::File(file, from + tail.len() as u64), waits))
            }
        }
    }

    /// Fingerprint of the file, which stays open, if that is asked for.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub(super) fn fingerprint_of_bytes(&self) -> Result<Option<Fingerprint>, InputError> {
        let Request { file: name, needs, .. } = self.request;
        match &self.bytes {
            Bytes::File(file, _) if needs.fingerprints => Fingerprint::of_file(name, file).map(Some),
            _ => Ok(self.fingerprint.clone()),
        }
    }

    /// Reports tables that are not read, beside one of so many; `hint` names another.
    pub(super) fn tables_left_out(&mut self, one: &str, all: usize, hint: String) {
        if all > 1 {
            let what = format!("{}: {one} of {all} is drawn", self.request.file);
            self.lints.add(LintName::TablesLeftOut, all as u64 - 1, what).hint(hint);
        }
    }

    /// These contents, with what is not read and, if that is asked for, the fingerprint.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub(crate) fn finish(self, contents: Contents) -> Result<ReadFile, InputError> {
        let fingerprint = self.fingerprint_of_bytes()?;
        Ok(ReadFile { contents, fingerprint, lints: self.lints, query: self.query })
    }
}

/// Cuts a last row off that has no end yet; whether there was one. A lone row stays.
pub(super) fn cut_open_row(bytes: &mut Vec<u8>) -> bool {
    let end = bytes.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |i| i + 1);
    let cut = end > 0 && end < bytes.len();
    bytes.truncate(if cut { end } else { bytes.len() });
    cut
}

/// A file that was read.
pub(crate) struct ReadFile {
    pub contents: Contents,
    /// What was not read of it.
    pub lints: Lints,
    pub fingerprint: Option<Fingerprint>,
    /// The query that a database answers.
    pub query: Option<Query>,
}

/// Contents of a file.
pub(crate) enum Contents {
    /// Arrays: their grids, their description, and the axis values beside them.
    Arrays { grids: Vec<Grid>, summary: String, axis_values: AxisValues },
    /// Records of JSON, one a line, that are a table together with those of other files; and whether the first value of each is its
    /// key.
    Rows { lines: Vec<u8>, labelled: bool },
    /// Tables: one, or those of a text that are read together.
    Tables(Vec<OneTable>),
}

/// A table of a file.
pub(crate) struct OneTable {
    pub source: Box<dyn TableSource>,
    /// The warnings of its opening.
    pub lints: Lints,
    pub notice: String,
    /// Whether its last row has no end yet.
    pub waits: bool,
}

impl Contents {
    /// The only array of a file.
    ///
    /// # Errors
    /// As [`grids_of_lone_source`].
    pub(crate) fn array(array: Box<dyn ArraySource>, request: &Request) -> Result<Self, InputError> {
        let summary = format!("array of {}", shape_text(array.shape()));
        Ok(Contents::Arrays {
            grids: grids_of_lone_source(array, request.file, request.figure, request.budget)?,
            summary,
            axis_values: AxisValues::default(),
        })
    }

    /// The array under a key, or the only one.
    ///
    /// # Errors
    /// As [`grids_of_lone_source`].
    pub(crate) fn array_of_key(array: Box<dyn ArraySource>, request: &Request) -> Result<Self, InputError> {
        let mut figure = request.figure.clone();
        (figure.data.key, figure.data.skip_rows) = (None, None);
        Self::array(array, &Request { figure: &figure, ..*request })
    }

    /// A table.
    pub(crate) fn table(
        source: impl TableSource + 'static,
        lints: Lints,
        notice: String,
        waits: bool,
    ) -> Self {
        Contents::Tables(vec![OneTable { source: Box::new(source), lints, notice, waits }])
    }
}
