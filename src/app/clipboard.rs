//! The system's clipboard.

use crate::image::Image;
use arboard::{Error, ImageData};
use std::borrow::Cow;

/// The clipboard, opened when first used. On some systems it loses what was copied when it is closed.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies text.
    ///
    /// # Errors
    /// When there is no clipboard.
    pub fn text(&mut self, text: String) -> Result<(), Error> {
        self.open()?.set_text(text)
    }

    /// Copies a picture.
    ///
    /// # Errors
    /// When there is no clipboard.
    pub fn image(&mut self, image: Image) -> Result<(), Error> {
        self.open()?.set_image(ImageData {
            width: image.width as usize,
            height: image.height as usize,
            bytes: Cow::Owned(image.pixels),
        })
    }

    fn open(&mut self) -> Result<&mut arboard::Clipboard, Error> {
        let opened = match self.0.take() {
            Some(clipboard) => clipboard,
            None => arboard::Clipboard::new()?,
        };
        Ok(self.0.insert(opened))
    }
}
