//! The fonts of this machine, for characters that the chosen fonts lack.

use gridscope_core::figure::Figure;
use gridscope_core::grid::{Axis, Grid};
use gridscope_core::lint::{LintName, Lints, Policy};
use gridscope_core::text::{Coverage, Fonts, coverage, rich};
use gridscope_draw::resolve::user_texts;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where to stop looking.
const MOST_FILES: usize = 4_000;
const DEEPEST: usize = 8;
const LONGEST: Duration = Duration::from_secs(3);

/// The most fonts that are added, and the most characters that fonts are asked for.
const MOST_FONTS: usize = 8;
const MOST_CHARS: usize = 10_000;

/// A font of this machine with characters that others lack.
struct Found {
    path: PathBuf,
    font: Coverage,
}

/// Adds fonts of this machine for the characters of a figure that `fonts` lack, each of up to `most` bytes.
pub(super) fn add(fonts: &mut Fonts, figure: &Figure, grids: &[Grid], most: u64) {
    let lacking = fonts.lacking_of(characters(figure, grids));
    for found in find(lacking) {
        // A font that cannot be read is as one that is not there: its characters are reported as missing.
        if let Ok(bytes) = gridscope_read::read_file(&found.path, most) {
            fonts.add_font(bytes, found.font.index);
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
    let found = find(lacking);
    let families: BTreeSet<&str> = found.iter().map(|f| f.font.family.as_str()).collect();
    let families = families.into_iter().collect::<Vec<_>>().join(", ");
    let hint = if found.is_empty() || figure.system_fonts == Some(true) {
        lint.text.push_str("; no font of this machine has them");
        "--font FILE".to_owned()
    } else {
        let has: usize = found.iter().map(|f| f.font.chars.len()).sum();
        let some = if has < wanted { "some of them" } else { "them" };
        format!("--system-fonts ({families} on this machine has {some}), or --font FILE")
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

/// The fonts of this machine that have the characters, as few as possible: first the one with most of them.
fn find(mut wanted: Vec<char>) -> Vec<Found> {
    let mut out = Vec::new();
    if wanted.is_empty() {
        return out;
    }
    let end = Instant::now() + LONGEST;
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    folders().iter().for_each(|f| walk(f, DEEPEST, end, &mut seen, &mut files));
    files.sort();
    let mut all: Vec<Found> = Vec::new();
    for path in files.into_iter().take_while(|_| Instant::now() < end) {
        let fonts = File::open(&path).and_then(|mut f| coverage(&mut f, &wanted));
        all.extend(fonts.into_iter().flatten().map(|font| Found { path: path.clone(), font }));
    }
    while out.len() < MOST_FONTS && !wanted.is_empty() {
        // Of equal fonts, the first by its path.
        let rank = |f: &Found| (Reverse(f.font.chars.len()), f.font.oddity);
        let Some(best) = (0..all.len()).min_by_key(|i| rank(&all[*i])) else {
            break;
        };
        let best = all.swap_remove(best);
        wanted.retain(|c| !best.font.chars.contains(c));
        for f in &mut all {
            f.font.chars.retain(|c| wanted.contains(c));
        }
        all.retain(|f| !f.font.chars.is_empty());
        all.sort_by(|a, b| (&a.path, a.font.index).cmp(&(&b.path, b.font.index)));
        out.push(best);
    }
    out
}

/// Where systems have their fonts. A folder that does not exist has none.
fn folders() -> Vec<PathBuf> {
    let of = |name: &str, rest: &str| env::var_os(name).map(|p| Path::new(&p).join(rest));
    let shared = env::var_os("XDG_DATA_DIRS").unwrap_or_default();
    let mut out: Vec<PathBuf> = env::split_paths(&shared).map(|p| p.join("fonts")).collect();
    out.extend(
        ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"]
            .map(PathBuf::from),
    );
    let own = [
        of("XDG_DATA_HOME", "fonts"),
        of("HOME", ".local/share/fonts"),
        of("HOME", ".fonts"),
        of("HOME", "Library/Fonts"),
        of("SystemRoot", "Fonts"),
        of("LOCALAPPDATA", "Microsoft/Windows/Fonts"),
    ];
    out.extend(own.into_iter().flatten());
    out.retain(|p| p.is_absolute());
    out
}

fn walk(folder: &Path, deep: usize, end: Instant, seen: &mut HashSet<PathBuf>, out: &mut Vec<PathBuf>) {
    let Ok(real) = folder.canonicalize() else { return };
    if deep == 0 || !seen.insert(real.clone()) {
        return;
    }
    for entry in fs::read_dir(real).into_iter().flatten().flatten() {
        if out.len() >= MOST_FILES || Instant::now() > end {
            return;
        }
        let path = entry.path();
        let Ok(meta) = fs::metadata(&path) else { continue };
        if meta.is_dir() {
            walk(&path, deep - 1, end, seen, out);
        } else if meta.is_file() && is_font(&path) {
            out.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|e| ending.eq_ignore_ascii_case(e))
}
