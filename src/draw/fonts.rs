//! Fonts of a figure: the embedded ones, its own, and those of the machine for characters that these lack.

use crate::resolve::user_texts;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::lint::{LintName, Lints, Policy};
use gridscope_core::text::{Fonts, rich};
use gridscope_read::{InputError, read_file, system_fonts};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The most bytes of a font file.
const MOST_FONT: u64 = 256 << 20;
/// The most characters that fonts are asked for.
const MOST_CHARS: usize = 10_000;

/// Fonts of a figure and its grids. A font file may take `left` bytes.
///
/// # Errors
/// A font file that cannot be read, or has no font.
pub fn fonts(figure: &Figure, grids: &[Grid], left: u64) -> Result<Fonts, InputError> {
    let most = MOST_FONT.min(left);
    let mut fonts = match &figure.font {
        None => Fonts::new(),
        Some(path) => {
            let bytes = read_file(Path::new(path), most)?;
            Fonts::with_font(bytes)
                .map_err(|e| InputError::refused(path, "", e.to_string()).with_source(e))?
        }
    };
    if figure.system_fonts != Some(false) {
        add(&mut fonts, figure, grids, most);
    }
    Ok(fonts)
}

/// Adds fonts of this machine for the characters of a figure that `fonts` lack, each of up to `most` bytes.
fn add(fonts: &mut Fonts, figure: &Figure, grids: &[Grid], most: u64) {
    let lacking = fonts.lacking_of(characters(figure, grids));
    for found in system_fonts(lacking) {
        // A font that cannot be read is as one that is not there: its characters are reported as missing.
        if let Ok(bytes) = read_file(&found.path, most) {
            fonts.add_font(bytes, found.font.index);
            fonts.borrow_from(found.font.family);
        }
    }
}

/// Adds to the warning about missing glyphs whether a font of this machine has them.
pub fn advise(fonts: &Fonts, figure: &Figure, policy: &Policy, lints: &mut Lints) {
    let missing = lints.0.iter_mut().find(|l| l.name == LintName::MissingGlyphs);
    let Some(lint) = missing.filter(|_| policy.shows(LintName::MissingGlyphs)) else {
        return;
    };
    let lacking = fonts.lacking();
    let wanted = lacking.len();
    let found = system_fonts(lacking);
    let families: BTreeSet<&str> = found.iter().map(|f| f.font.family.as_str()).collect();
    let families = families.into_iter().collect::<Vec<_>>().join(", ");
    let hint = if found.is_empty() || figure.system_fonts != Some(false) {
        lint.text.push_str("; no font of this machine has them");
        "--font FILE".to_owned()
    } else {
        let has: usize = found.iter().map(|f| f.font.chars.len()).sum();
        let some = if has < wanted { "some of them" } else { "them" };
        format!("--system-fonts on ({families} on this machine has {some}), or --font FILE")
    };
    lint.hints = vec![hint];
}

/// The characters beyond ASCII of all texts of a figure.
fn characters(figure: &Figure, grids: &[Grid]) -> Vec<char> {
    let mut out: HashSet<char> = HashSet::new();
    let mut add = |text: &str| {
        if !text.is_ascii() && out.len() < MOST_CHARS {
            out.extend(text.chars().filter(|c| !c.is_ascii()));
        }
    };
    user_texts(figure).iter().for_each(|t| add(&rich(t)));
    for grid in grids {
        add(grid.name());
        add(grid.value_name());
        for axis in [grid.columns(), grid.rows()] {
            let Axis { name, levels, strips, .. } = axis;
            add(name);
            levels.iter().flatten().chain(strips.iter().flatten()).for_each(|t| add(t));
        }
        grid.texts().values().flatten().for_each(|t| add(t));
    }
    let mut out: Vec<char> = out.into_iter().collect();
    out.sort_unstable();
    out
}
