//! An array that is no longer read once nobody waits for it, and that counts what was read.

use crate::link::Link;
use gridscope::grid::{ApartScans, Buffer, Part, ScanPlan, SourceError};
use gridscope::input::{ApartPlane, ArraySource, Window};

/// An array, and what links it to the call that reads it.
#[derive(Debug)]
pub(crate) struct Stoppable<S> {
    pub source: S,
    pub link: Link,
    /// Whether its elements are counted: those of masks come with the values.
    pub counts: bool,
}

impl<S> Stoppable<S> {
    fn count(&self, window: &Window) {
        if self.counts {
            self.link.count(window.len());
        }
    }

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
        self.source.read(window, into)?;
        self.count(window);
        Ok(())
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
        self.source.read_absent(window, into, absent)?;
        self.count(window);
        Ok(())
    }

    fn is_apart(&self) -> bool {
        self.source.is_apart()
    }

    fn scan_apart(&self, plane: &ApartPlane, plans: &[ScanPlan]) -> Option<ApartScans> {
        if let Err(e) = self.goes_on() {
            return Some(Err(e));
        }
        let found = self.source.scan_apart(plane, plans);
        self.count(&plane.window);
        found
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        self.source.reads_by_columns(row_axis, column_axis)
    }
}
