//! Font files as they are embedded: only outlines, so that no glyph becomes a drawing of its own (Type 3).

use gridscope_core::text::Face;
use krilla::Data;
use krilla::text::Font;
use std::sync::Arc;

/// Tables that hold pictures of glyphs. gridscope draws outlines alone, and a PDF's fonts hold nothing else.
const PICTURES: [[u8; 4]; 4] = [*b"COLR", *b"SVG ", *b"sbix", *b"CBDT"];

/// Tables that hold outlines.
const OUTLINES: [[u8; 4]; 3] = [*b"glyf", *b"CFF ", *b"CFF2"];

/// How a font is embedded in a PDF.
pub(super) enum Embedded {
    /// Its outlines are embedded.
    Outlines(Font),
    /// It has none, so that pictures show nothing of it either.
    Empty,
    /// It cannot be read.
    Refused,
}

/// A font for a PDF.
pub(super) fn embed(face: Face) -> Embedded {
    if named(face.data(), face.index, &OUTLINES).is_empty() {
        return Embedded::Empty;
    }
    let index = face.index;
    let data = match outlines_only(face.data(), index) {
        Some(data) => Data::from(data),
        None => Data::from(Arc::new(Bytes(face)) as Arc<dyn AsRef<[u8]> + Send + Sync>),
    };
    Font::new(data, index).map_or(Embedded::Refused, Embedded::Outlines)
}

/// The font without its tables of pictures; `None` when it has none.
fn outlines_only(data: &[u8], index: u32) -> Option<Vec<u8>> {
    let pictures = named(data, index, &PICTURES);
    let mut out = (!pictures.is_empty()).then(|| data.to_vec())?;
    // Under the name before it in the alphabet, which no table has: readers search the names by halves.
    pictures.iter().for_each(|at| out[at + 3] -= 1);
    Some(out)
}

/// Where a font's directory names these tables.
fn named(data: &[u8], index: u32, names: &[[u8; 4]]) -> Vec<usize> {
    let whole = |at: usize, n: usize| {
        let bytes = data.get(at..at.checked_add(n)?)?;
        Some(bytes.iter().fold(0usize, |all, b| all << 8 | usize::from(*b)))
    };
    let start = if data.starts_with(b"ttcf") { whole(12 + 4 * index as usize, 4) } else { Some(0) };
    let Some((start, count)) = start.and_then(|s| Some((s, whole(s.checked_add(4)?, 2)?))) else {
        return Vec::new();
    };
    let records = (0..count).map(|i| start + 12 + 16 * i).take_while(|at| at + 16 <= data.len());
    records.filter(|at| names.iter().any(|n| n == &data[*at..at + 4])).collect()
}

/// A font's bytes, shared with the fonts that texts are measured by.
struct Bytes(Face);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.0.data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

    #[test]
    fn pictures_are_no_longer_named() {
        assert!(outlines_only(FONT, 0).is_none());
        assert_eq!(named(FONT, 0, &OUTLINES).len(), 1);
        let at = named(FONT, 0, &[*b"GDEF"])[0];
        let mut colored = FONT.to_vec();
        colored[at..at + 4].copy_from_slice(b"COLR");
        let plain = outlines_only(&colored, 0).unwrap();
        assert_eq!(&plain[at..at + 4], b"COLQ");
        assert!(plain.len() == FONT.len() && plain[at + 4..] == FONT[at + 4..]);
        assert!(Font::new(plain.into(), 0).is_some());
    }

    #[test]
    fn a_font_of_a_collection_is_found_by_its_number() {
        let mut both = b"ttcf\0\x01\0\0\0\0\0\x02\0\0\0\0\0\0\0\x14".to_vec();
        both.extend_from_slice(FONT);
        assert_eq!(named(&both, 1, &OUTLINES)[0], named(FONT, 0, &OUTLINES)[0] + 20);
        assert!(named(&both[..15], 1, &OUTLINES).is_empty());
    }
}
