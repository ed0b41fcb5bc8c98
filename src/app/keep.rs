//! What leaves the window: pictures and figure files with names of their own, and the clipboard.

use super::session::Session;
use super::state::Effect;
use crate::error::Error;
use crate::grid::Grid;
use crate::image::Image;
use crate::output::Output;
use crate::png::{Effort, Texts, encode};
use crate::raster;
use crate::scene::Scene;
use crate::text::{Fonts, one_line};
use crate::tiling::fold_missing;
use arboard::{Clipboard, ImageData};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Names are tried up to this number.
const MOST: u32 = 100_000;

/// Does what leaves the window; gives what to say of it, nothing where nothing leaves it.
pub fn keep(session: &mut Session, board: &mut Board, stem: &str, effect: &Effect) -> String {
    let here = Path::new(".");
    let saved = |path: PathBuf| format!("saved {}", path.strip_prefix(".").unwrap_or(&path).display());
    let save = |session: &mut Session, (scene, dpi): (Scene, f64)| {
        let (grids, fonts) = session.materials();
        picture(here, stem, &drawn(scene, grids, fonts)?, dpi)
    };
    let done = match effect {
        Effect::Copy => session
            .copied()
            .and_then(|text| board.text(text))
            .map(|()| "copied".to_owned()),
        Effect::CopyPicture => copy_picture(session, board).map(|()| "picture copied".to_owned()),
        Effect::Save => session
            .picture()
            .and_then(|p| save(session, p))
            .map(saved)
            .map_err(|e| e.to_string()),
        Effect::SaveFigure => session
            .whole()
            .and_then(|p| save(session, p))
            .map(saved)
            .map_err(|e| e.to_string()),
        Effect::Write => {
            let written = session
                .written()
                .and_then(|text| numbered(here, stem, "toml", text.as_bytes()));
            written.map(saved).map_err(|e| e.to_string())
        }
        Effect::FullScreen | Effect::Quit => return String::new(),
    };
    done.unwrap_or_else(|e| one_line(&e))
}

fn copy_picture(session: &mut Session, board: &mut Board) -> Result<(), String> {
    let (scene, _) = session.picture().map_err(|e| e.to_string())?;
    let (grids, fonts) = session.materials();
    board.image(drawn(scene, grids, fonts).map_err(|e| e.to_string())?)
}

/// A scene drawn on the CPU, the same bytes as `render` gives.
///
/// # Errors
/// When a source does not give its cells.
fn drawn(mut scene: Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, Error> {
    fold_missing(&mut scene, grids)?;
    Ok(raster::draw(&scene, grids, fonts))
}

/// Writes a picture as STEM-1.png, or under the next free number, and gives its path.
///
/// # Errors
/// When it cannot be encoded or written.
fn picture(folder: &Path, stem: &str, image: &Image, dpi: f64) -> Result<PathBuf, Error> {
    let bytes =
        encode(image, dpi, Effort::Auto, Texts::default()).map_err(|e| Error::Encode(e.to_string()))?;
    numbered(folder, stem, "png", &bytes)
}

/// Writes a file as STEM-1.EXTENSION, or under the next free number, never over another, and gives its path.
///
/// # Errors
/// When it cannot be written.
fn numbered(folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    for number in 1..MOST {
        let path = folder.join(format!("{stem}-{number}.{extension}"));
        // A dangling link is a name that is taken, too.
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match Output::open(&path).and_then(|output| output.put_new(bytes)) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path.clone()).map_err(|e| Error::Output(path, e)),
        }
    }
    Err(Error::Output(
        folder.join(format!("{stem}-{MOST}.{extension}")),
        io::ErrorKind::AlreadyExists.into(),
    ))
}

/// The first part of the names of what is kept from a file.
pub fn stem(file: &str) -> String {
    let stem = Path::new(file)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    stem.filter(|s| !s.is_empty() && s != "-")
        .unwrap_or_else(|| "gridscope".to_owned())
}

/// The clipboard, opened when first used. On some systems what was copied goes with it.
#[derive(Default)]
pub struct Board(Option<Clipboard>);

impl Board {
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

    fn open(&mut self) -> Result<&mut Clipboard, String> {
        if self.0.is_none() {
            self.0 = Some(Clipboard::new().map_err(|e| format!("no clipboard: {e}"))?);
        }
        self.0.as_mut().ok_or_else(|| "no clipboard".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;

    #[test]
    fn names_count_on_and_nothing_is_written_over() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a-2.png"), "mine").unwrap();
        let image = Image::filled(4, 3, Color::WHITE);
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let names = [0, 1, 2].map(|_| name(picture(dir.path(), "a", &image, 96.0).unwrap()));
        assert_eq!(names, ["a-1.png", "a-3.png", "a-4.png"]);
        assert_eq!(std::fs::read(dir.path().join("a-2.png")).unwrap(), b"mine");
        assert!(matches!(
            numbered(&dir.path().join("none"), "a", "png", b""),
            Err(Error::Output(..))
        ));
    }

    #[test]
    fn stems_are_names_of_files() {
        assert_eq!(
            ["runs/r1.csv", "-", "fig.toml", ".hidden", ""].map(stem),
            ["r1", "gridscope", "fig", ".hidden", "gridscope"]
        );
    }
}
