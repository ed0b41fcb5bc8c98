//! The system's clipboard.

use crate::image::Image;
use arboard::ImageData;
use std::borrow::Cow;

/// The clipboard, opened when first used. On some systems what was copied goes with it.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies text.
    ///
    /// # Errors
    /// Why there is no clipboard.
    pub fn text(&mut self, text: String) -> Result<(), String> {
        self.open()?
            .set_text(text)
            .map_err(|e| format!("no clipboard: {e}"))
    }

    /// Copies a picture.
    ///
    /// # Errors
    /// Why there is no clipboard.
    pub fn image(&mut self, image: Image) -> Result<(), String> {
        let (width, height) = (image.width as usize, image.height as usize);
        let data = ImageData {
            width,
            height,
            bytes: Cow::Owned(image.pixels),
        };
        self.open()?
            .set_image(data)
            .map_err(|e| format!("no clipboard: {e}"))
    }

    fn open(&mut self) -> Result<&mut arboard::Clipboard, String> {
        if self.0.is_none() {
            self.0 = Some(arboard::Clipboard::new().map_err(|e| format!("no clipboard: {e}"))?);
        }
        self.0.as_mut().ok_or_else(|| "no clipboard".to_owned())
    }
}
