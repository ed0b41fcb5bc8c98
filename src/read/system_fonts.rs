//! The fonts of this machine, for characters that the chosen fonts lack.

use gridscope_core::text::{Coverage, coverage};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where to stop looking.
const MOST_FILES: usize = 4_000;
const DEEPEST: usize = 8;
const LONGEST: Duration = Duration::from_secs(3);

/// The most fonts that are found.
const MOST_FONTS: usize = 8;

/// Font of this machine with characters that others lack.
#[derive(Debug)]
pub struct SystemFont {
    /// Font file.
    pub path: PathBuf,
    /// Characters of the font within the file.
    pub font: Coverage,
}

/// Fonts of this machine that have the characters, as few as possible: first the one with most of them.
pub fn system_fonts(mut wanted: Vec<char>) -> Vec<SystemFont> {
    let mut out = Vec::new();
    if wanted.is_empty() {
        return out;
    }
    let end = Instant::now() + LONGEST;
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    folders().iter().for_each(|f| walk(f, DEEPEST, end, &mut seen, &mut files));
    files.sort();
    let mut all: Vec<SystemFont> = Vec::new();
    for path in files.into_iter().take_while(|_| Instant::now() < end) {
        let fonts = File::open(&path).and_then(|mut f| coverage(&mut f, &wanted));
        all.extend(fonts.into_iter().flatten().map(|font| SystemFont { path: path.clone(), font }));
    }
    while out.len() < MOST_FONTS && !wanted.is_empty() {
        // Of equal fonts, the first by its path.
        let rank = |f: &SystemFont| (Reverse(f.font.chars.len()), f.font.oddity);
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
