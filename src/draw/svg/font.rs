//! The parts of fonts that a file's texts need, within the file.

use super::text::family;
use crate::vector::VectorError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gridscope_core::text::{Face, Fonts};
use skera::{DEFAULT_DROP_TABLES, DEFAULT_LAYOUT_FEATURES, Plan, SubsetFlags, subset_font};
use skrifa::raw::collections::IntSet;
use skrifa::raw::types::{NameId, Tag};
use skrifa::raw::{FontRef, TableProvider};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Fonts of this tongue have names for the English.
const ENGLISH: u16 = 0x0409;

/// Style rules that bring the characters of `texts` in the fonts that they are set in.
pub(super) fn rules<'a>(
    texts: impl Iterator<Item = &'a str>,
    fonts: &mut Fonts,
) -> Result<String, VectorError> {
    let mut used: BTreeMap<usize, BTreeSet<char>> = BTreeMap::new();
    for text in texts {
        for g in &fonts.line(text).glyphs {
            used.entry(g.font).or_default().extend(text[g.text.clone()].chars());
        }
    }
    let mut out = String::new();
    for (font, chars) in used {
        let face = fonts.face(font);
        let data = STANDARD.encode(subset(&face, &chars)?);
        let _ = write!(
            out,
            "@font-face{{font-family:{};font-weight:{};font-style:{};src:url(data:font/ttf;base64,{data})}}",
            family(&face.family),
            face.weight,
            face.style
        );
    }
    Ok(out)
}

/// The font with these characters alone, and the rules that join, kern and place them.
fn subset(face: &Face, chars: &BTreeSet<char>) -> Result<Vec<u8>, VectorError> {
    let failed = |what: String| {
        VectorError::encode(format!("no part of the font {} can be taken: {what}", face.family))
    };
    let font = FontRef::from_index(face.data(), face.index).map_err(|e| failed(e.to_string()))?;
    if font.glyf().is_err() {
        // Fonts with PostScript outlines are taken whole; of several in one file a browser would take the first.
        let one = !face.data().starts_with(b"ttcf");
        return one.then(|| face.data().to_vec()).ok_or_else(|| {
            failed("it lies in a collection".to_owned()).with_hint("--text-as-paths needs no font")
        });
    }
    let mut names: IntSet<NameId> = IntSet::empty();
    names.insert_range(NameId::from(0)..=NameId::from(6));
    let every_script: IntSet<Tag> = IntSet::all();
    let plan = Plan::new(
        &IntSet::empty(),
        &chars.iter().map(|c| u32::from(*c)).collect(),
        &font,
        SubsetFlags::SUBSET_FLAGS_NO_HINTING | SubsetFlags::SUBSET_FLAGS_NOTDEF_OUTLINE,
        &DEFAULT_DROP_TABLES.iter().copied().collect(),
        &every_script,
        &DEFAULT_LAYOUT_FEATURES.iter().copied().collect(),
        &names,
        &[ENGLISH].into_iter().collect(),
    );
    subset_font(&font, &plan).map_err(|e| failed(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_font_sets_its_text_alike() {
        let text = "AVA fi Größe ±12.5";
        let mut whole = Fonts::new();
        let line = whole.line(text);
        let face = whole.face(line.glyphs[0].font);
        let bytes = subset(&face, &text.chars().collect()).unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
        let mut part = Fonts::with_font(bytes).unwrap();
        let again = part.line(text);
        assert_eq!(again.glyphs.len(), line.glyphs.len());
        assert!((again.width - line.width).abs() < 1e-6, "{} {}", again.width, line.width);
        assert!(again.glyphs.iter().all(|g| g.font == again.glyphs[0].font));
    }
}
