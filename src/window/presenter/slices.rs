//! Slices of arrays in the window: asked for, shown, and played.

use super::Presenter;
use crate::session::Session;
use crate::slices::SliceNews;
use crate::state::{Action, Command, Slicing};
use gridscope_core::text::one_line;

impl Presenter {
    /// Asks for the slices that the figure wants.
    pub(crate) fn ask_slices(&mut self) {
        let wish = self.session.as_ref().and_then(Session::slices_to_read);
        self.slices.ask(wish);
    }

    /// Whether another slice is wanted than the one that is shown.
    pub(crate) fn awaits_slice(&self) -> bool {
        self.session.as_ref().is_some_and(Session::awaits_slice)
    }

    /// Says that the slice that is wanted is being read.
    pub(crate) fn say_slice_is_late(&mut self) {
        self.session.iter_mut().for_each(Session::say_slice_is_late);
    }

    /// Whether slices follow each other by themselves.
    pub(crate) fn is_playing(&self) -> bool {
        self.session.as_ref().is_some_and(|s| s.state().is_playing())
    }

    /// Goes to the next slice.
    pub(crate) fn play_on(&mut self) {
        self.apply(&Command::Slice(Slicing::By(1)));
    }

    /// Whether two sides are shown in turn.
    pub(crate) fn is_blinking(&self) -> bool {
        self.session.as_ref().is_some_and(|s| s.state().is_blinking())
    }

    /// Shows the other of two sides that are shown in turn.
    pub(crate) fn blink_on(&mut self) {
        self.session.iter_mut().for_each(Session::blink_on);
    }

    /// Shows a slice that was read.
    pub(crate) fn show_slice(&mut self, news: SliceNews) {
        let Some(session) = &mut self.session else { return };
        let failed = match news {
            SliceNews::Read(read) => session.show_slice(read.0, read.1).err().map(|e| e.to_string()),
            SliceNews::Failed(why) => {
                session.keep_slice();
                Some(why)
            }
            SliceNews::Limits(ranges) => {
                session.take_limits(ranges);
                return;
            }
            SliceNews::Trace(part) => {
                session.take_trace(part);
                return;
            }
            SliceNews::NoLimits(why) => {
                session.apply(&Command::Do(Action::SliceLimits));
                session.show_message(one_line(&format!("limits of this slice: {why}")));
                return;
            }
        };
        if let Some(why) = failed {
            session.show_outcome(Err(one_line(&why)));
            self.slices.forget();
            return;
        }
        self.surface.release();
        (self.shown, self.uploading) = (false, false);
        self.name_window();
        self.perform_deferred();
    }

    /// Names the file and the slice in the title of the window.
    pub(crate) fn name_window(&self) {
        let slice = self.session.as_ref().map_or_else(String::new, Session::slice_text);
        let name = match slice.as_str() {
            "" => self.reading.clone(),
            slice => format!("{}, {}", self.reading, one_line(slice)),
        };
        self.window.set_title(&format!("{name} - gridscope"));
    }
}
