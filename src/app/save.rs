//! Pictures and figure files saved from the window, each under a new name.

use super::clipboard::Clipboard;
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
use std::io;
use std::path::{Path, PathBuf};

/// Names are tried up to this number.
const MOST: u32 = 100_000;

/// Saves or copies what an effect asks for, and returns the message about it; empty for effects that save and copy nothing.
pub fn perform(session: &mut Session, clipboard: &mut Clipboard, stem: &str, effect: Effect) -> String {
    let here = Path::new(".");
    let saved = |path: PathBuf| format!("saved {}", path.strip_prefix(".").unwrap_or(&path).display());
    let save = |session: &mut Session, (scene, dpi): (Scene, f64)| {
        let (grids, fonts) = session.materials();
        picture(here, stem, &drawn(scene, grids, fonts)?, dpi)
    };
    let done = match effect {
        Effect::Copy => session
            .copied()
            .and_then(|text| clipboard.text(text))
            .map(|()| "copied".to_owned()),
        Effect::CopyPicture => copy_picture(session, clipboard).map(|()| "picture copied".to_owned()),
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

fn copy_picture(session: &mut Session, clipboard: &mut Clipboard) -> Result<(), String> {
    let (scene, _) = session.picture().map_err(|e| e.to_string())?;
    let (grids, fonts) = session.materials();
    clipboard.image(drawn(scene, grids, fonts).map_err(|e| e.to_string())?)
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
    let bytes = encode(image, dpi, Effort::Auto, Texts::default())?;
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
            written => return written.map(|()| path.clone()).map_err(|e| Error::output(path, e)),
        }
    }
    Err(Error::output(
        folder.join(format!("{stem}-{MOST}.{extension}")),
        io::ErrorKind::AlreadyExists.into(),
    ))
}

/// The first part of the names under which pictures of a file are saved.
pub fn stem(file: &str) -> String {
    let stem = Path::new(file)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    stem.filter(|s| !s.is_empty() && s != "-")
        .unwrap_or_else(|| "gridscope".to_owned())
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
            Err(Error::Output { .. })
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
