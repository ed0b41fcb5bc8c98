//! Pictures and figure files saved from the window, each under a new name.

use super::clipboard::Clipboard;
use super::file_request::at_home;
use super::session::Session;
use super::state::Effect;
use gridscope_core::figure::Figure;
use gridscope_core::output::Output;
use gridscope_core::text::{clean, one_line, shorten};
use gridscope_draw::error::Error;
use gridscope_draw::picture::{Picture, PictureFormat};
use std::io;
use std::path::{Path, PathBuf};

/// Characters of a value in a message.
const SHOWN: usize = 40;
/// The last number to try.
const MOST: u32 = 100_000;
/// Characters of a folder in a message.
const FOLDER: usize = 60;

/// Saves or copies what an effect asks for, and returns the message about it; empty for effects that save and copy nothing.
///
/// # Errors
/// The message about what failed.
pub(super) fn perform(
    session: &mut Session,
    clipboard: &mut Clipboard,
    stem: &str,
    effect: Effect,
) -> Result<String, String> {
    save_or_copy(session, clipboard, stem, effect).map_err(|e| one_line(&e.to_string()))
}

fn save_or_copy(
    session: &mut Session,
    clipboard: &mut Clipboard,
    stem: &str,
    effect: Effect,
) -> Result<String, Box<dyn std::error::Error>> {
    let here = Path::new(".");
    let path = match effect {
        Effect::Copy => {
            let text = session.cells_as_tsv()?;
            let said = copied(&text);
            clipboard.text(text)?;
            return Ok(said);
        }
        Effect::CopyPicture => {
            let (scene, _) = session.picture()?;
            let (grids, fonts) = session.grids_and_fonts();
            clipboard.image(Picture::new(&scene, grids, 96.0).image(fonts)?)?;
            return Ok(format!("picture copied{}", session.left_out()));
        }
        Effect::Save => numbered(here, stem, "png", &view(session, PictureFormat::Png)?)?,
        Effect::SaveFigure => {
            let (figure, prepared) = session.whole_figure()?;
            let files = files(&figure);
            let (grids, fonts) = session.grids_and_fonts();
            let picture = prepared.picture(grids).described(&prepared.description(&figure, &files, &[]));
            numbered(here, stem, "png", &picture.bytes(PictureFormat::Png, fonts)?)?
        }
        Effect::Write => numbered(here, stem, "toml", session.figure_file()?.as_bytes())?,
        Effect::Paste
        | Effect::Sort
        | Effect::OwnColumnOrder
        | Effect::OwnRowOrder
        | Effect::OpenDialog
        | Effect::CompareDialog
        | Effect::FullScreen
        | Effect::LeaveFullScreen
        | Effect::Quit => {
            return Ok(String::new());
        }
    };
    let path = path.strip_prefix(".").unwrap_or(&path);
    let folder = std::env::current_dir()
        .map_or_else(|_| String::new(), |f| spoken(&f, std::env::home_dir().as_deref()));
    let left_out = match effect {
        Effect::Save => session.left_out(),
        _ => String::new(),
    };
    let name = clean(&path.to_string_lossy());
    Ok(match folder.is_empty() {
        true => format!("saved {name}{left_out}"),
        false => format!("saved {name} in {folder}{left_out}"),
    })
}

/// Saves the view under a new name, whose end is the format, and returns the message about it.
///
/// # Errors
/// The message about what failed.
pub(super) fn save_as(session: &mut Session, file: &str) -> Result<String, String> {
    if session.waits_for_cells() || session.awaits_slice() {
        return Err(format!("{} can be saved once all cells are read", clean(file)));
    }
    let file = at_home(file.to_owned(), std::env::home_dir().as_deref());
    let is_figure = Path::new(&file).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    let bytes = |session: &mut Session| -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        if is_figure {
            return Ok(session.figure_file()?.into_bytes());
        }
        Ok(view(session, PictureFormat::of_path(Path::new(&file))?)?)
    };
    let bytes = bytes(session).map_err(|e| one_line(&e.to_string()))?;
    let written = Output::open(Path::new(&file)).and_then(|output| output.put_new(&bytes));
    match written {
        Ok(()) if is_figure => Ok(format!("saved {}", clean(&file))),
        Ok(()) => Ok(format!("saved {}{}", clean(&file), session.left_out())),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            Err(format!("{}: exists; the file needs a new name", clean(&file)))
        }
        Err(e) => Err(one_line(&Error::output(&file, e).to_string())),
    }
}

/// The bytes of the view as a picture.
fn view(session: &mut Session, format: PictureFormat) -> Result<Vec<u8>, Error> {
    let (scene, dpi) = session.picture()?;
    let figure = session.figure();
    let files = files(&figure);
    let description = session.description(&figure, &files, scene.size);
    let (grids, fonts) = session.grids_and_fonts();
    let picture = Picture::new(&scene, grids, dpi).described(&description);
    picture.bytes(format, fonts)
}

/// A folder as a message names it: `~` for that of the user, and shortened in the middle where it is long.
fn spoken(folder: &Path, home: Option<&Path>) -> String {
    // Where `/` is home, `~` would say nothing.
    let home = home.filter(|home| home.parent().is_some());
    let below = home.and_then(|home| folder.strip_prefix(home).ok());
    let text = match below {
        Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Some(below) => Path::new("~").join(below).to_string_lossy().into_owned(),
        None => folder.to_string_lossy().into_owned(),
    };
    shorten(&clean(&text), FOLDER)
}

/// Report of a copy: a value alone, or the number of cells, which have their labels above and in front.
fn copied(text: &str) -> String {
    let (rows, columns) = (text.lines().count(), text.lines().next().map_or(0, |l| l.split('\t').count()));
    if rows <= 1 && columns <= 1 {
        return format!("copied: {}", shorten(&one_line(text), SHOWN));
    }
    format!("copied: {} × {} cells with their labels", rows - 1, columns.saturating_sub(1))
}

/// The files of a figure's data.
fn files(figure: &Figure) -> Vec<String> {
    figure.data.file.as_ref().map_or_else(Vec::new, |list| list.0.clone())
}

/// Writes a file as STEM-1.EXTENSION, or under the next free number, and returns its path. Existing files are not overwritten.
///
/// # Errors
/// When it cannot be written.
fn numbered(folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    for number in 1..MOST {
        let path = folder.join(format!("{stem}-{number}.{extension}"));
        // The name of a dangling link is taken too.
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match Output::open(&path).and_then(|output| output.put_new(bytes)) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path.clone()).map_err(|e| Error::output(path, e)),
        }
    }
    Err(Error::output(folder.join(format!("{stem}-{MOST}.{extension}")), io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_is_said() {
        assert_eq!(
            ["0.1", "a", "w\t0.1\t0.2\n500\t1\t2\n", "\tA\nx\t\n"].map(copied),
            [
                "copied: 0.1",
                "copied: a",
                "copied: 1 × 2 cells with their labels",
                "copied: 1 × 1 cells with their labels"
            ]
        );
    }

    #[test]
    fn a_folder_is_named_from_home_and_not_at_length() {
        let home = Path::new("/home/ada");
        let said = |folder: &str| spoken(Path::new(folder), Some(home));
        assert_eq!(said("/home/ada"), "~");
        assert_eq!(said("/home/ada/runs/7"), Path::new("~").join("runs/7").to_string_lossy());
        assert_eq!(said("/home/adam/runs"), "/home/adam/runs");
        assert_eq!(spoken(home, None), "/home/ada");
        assert_eq!(spoken(home, Some(Path::new("/"))), "/home/ada");
        let long = said(&format!("/data/{}/end", "folder/".repeat(40)));
        assert!(long.chars().count() <= FOLDER && long.starts_with("/data/") && long.ends_with("/end"));
    }

    #[test]
    fn names_count_on_and_nothing_is_written_over() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a-2.png"), "mine").unwrap();
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let names = [0, 1, 2].map(|_| name(numbered(dir.path(), "a", "png", b"new").unwrap()));
        assert_eq!(names, ["a-1.png", "a-3.png", "a-4.png"]);
        assert_eq!(std::fs::read(dir.path().join("a-2.png")).unwrap(), b"mine");
        assert!(matches!(numbered(&dir.path().join("none"), "a", "png", b""), Err(Error::Output { .. })));
    }
}
