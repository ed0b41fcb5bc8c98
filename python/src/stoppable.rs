//! An array that is no longer read once nobody waits for it.

use crate::link::Link;
use gridscope::grid::{Buffer, Part, SourceError};
use gridscope::input::{ArraySource, Window};

/// An array, and what links it to the call that reads it.
#[derive(Debug)]
pub(crate) struct Stoppable<S> {
    pub source: S,
    pub link: Link,
}

impl<S> Stoppable<S> {
    fn goes_on(&self) -> Result<(), SourceError> {
        if self.link.is_stopped() {
            return Err(SourceError { file: String::new(), what: "reading was interrupted".to_owned() });
        }
        Ok(())
    }
}

impl<S: ArraySource> ArraySource for Stoppable<S> {
    fn shape(&self) -> &[usize] {
        self.source.shape()
    }

    fn buffer(&self) -> Buffer {
        self.source.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.goes_on()?;
        self.source.read(window, into)
    }

    fn has_absent(&self) -> bool {
        self.source.has_absent()
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<Part>,
    ) -> Result<(), SourceError> {
        self.goes_on()?;
        self.source.read_absent(window, into, absent)
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        self.source.reads_by_columns(row_axis, column_axis)
    }
}
