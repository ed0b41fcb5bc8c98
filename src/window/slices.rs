//! Messages between a window and the reader of its slices.

use super::session::{Data, SliceRange, SliceWish, TracePart};
use gridscope_core::figure::Figure;
use std::sync::mpsc::Sender;

/// A slice that was read, or why it was not.
#[derive(Debug)]
#[non_exhaustive]
pub enum SliceNews {
    /// The figure of the slice, whose key `slice` names it, and its data.
    Read(Box<(Figure, Data)>),
    /// The slice cannot be read; the message says why.
    Failed(String),
    /// The ranges of all slices.
    Limits(Vec<SliceRange>),
    /// Not all slices can be read; the message says why.
    NoLimits(String),
    /// Values of a cell in some slices.
    Trace(TracePart),
}

/// Asks the reader for slices, each wish once.
#[derive(Debug, Default)]
pub(super) struct SliceAsker {
    reader: Option<Sender<SliceWish>>,
    asked: Option<SliceWish>,
}

impl SliceAsker {
    /// Asks this reader.
    pub(super) fn new(reader: Option<Sender<SliceWish>>) -> Self {
        Self { reader, asked: None }
    }

    /// Whether slices are read at all.
    pub(super) fn is_answered(&self) -> bool {
        self.reader.is_some()
    }

    /// Asks for what is wanted, unless that was the last wish.
    pub(super) fn ask(&mut self, wish: Option<SliceWish>) {
        if let (Some(reader), Some(wish)) = (&self.reader, wish)
            && self.asked.as_ref() != Some(&wish)
        {
            // Without a reader nothing comes, and the slice stays.
            let _ = reader.send(wish.clone());
            self.asked = Some(wish);
        }
    }

    /// The last wish came to nothing: the next one is sent, whatever it is.
    pub(super) fn forget(&mut self) {
        self.asked = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_wish_is_sent_once() {
        let (send, asked) = channel();
        let mut asker = SliceAsker::new(Some(send));
        let wish = |index: usize| Some(SliceWish { at: vec![index], ..SliceWish::default() });
        asker.ask(wish(1));
        asker.ask(wish(1));
        asker.ask(None);
        asker.ask(wish(2));
        asker.forget();
        asker.ask(wish(2));
        let all: Vec<usize> = asked.try_iter().map(|w| w.at[0]).collect();
        assert_eq!(all, [1, 2, 2]);
        assert!(asker.is_answered() && !SliceAsker::default().is_answered());
    }
}
