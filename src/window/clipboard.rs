//! The system's clipboard.

use arboard::ImageData;
use gridscope_core::image::Image;
use std::borrow::Cow;
use std::fmt;

/// The clipboard, opened when first used. On some systems it loses what was copied when it is closed.
#[derive(Default)]
pub(super) struct Clipboard(Option<arboard::Clipboard>);

/// Why the clipboard cannot be used.
#[derive(Debug)]
pub(super) struct NoClipboard(arboard::Error);

impl fmt::Display for NoClipboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no clipboard: {}", self.0)
    }
}

impl std::error::Error for NoClipboard {}

impl From<arboard::Error> for NoClipboard {
    fn from(e: arboard::Error) -> Self {
        Self(e)
    }
}

impl Clipboard {
    /// Copies text.
    ///
    /// # Errors
    /// When there is no clipboard.
    pub(super) fn text(&mut self, text: String) -> Result<(), NoClipboard> {
        Ok(self.open()?.set_text(text)?)
    }

    /// The text that was copied last, in any program.
    ///
    /// # Errors
    /// When there is no clipboard, or it has no text.
    pub(super) fn read(&mut self) -> Result<String, NoClipboard> {
        Ok(self.open()?.get_text()?)
    }

    /// Copies a picture.
    ///
    /// # Errors
    /// When there is no clipboard.
    pub(super) fn image(&mut self, image: Image) -> Result<(), NoClipboard> {
        Ok(self.open()?.set_image(ImageData {
            width: image.width as usize,
            height: image.height as usize,
            bytes: Cow::Owned(image.pixels),
        })?)
    }

    fn open(&mut self) -> Result<&mut arboard::Clipboard, NoClipboard> {
        let opened = match self.0.take() {
            Some(clipboard) => clipboard,
            None => arboard::Clipboard::new()?,
        };
        Ok(self.0.insert(opened))
    }
}
