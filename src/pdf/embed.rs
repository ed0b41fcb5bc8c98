//! Font files as they are embedded: only outlines, so that no glyph becomes a drawing of its own (Type 3).

use crate::text::Face;
use krilla::Data;
use krilla::text::Font;
use std::sync::Arc;

/// Tables that hold pictures of glyphs. gridscope draws outlines alone, and a PDF's fonts hold nothing else.
const PICTURES: [[u8; 4]; 4] = [*b"COLR", *b"SVG ", *b"sbix", *b"CBDT"];

/// Tables that hold outlines.
const OUTLINES: [[u8; 4]; 3] = [*b"glyf", *b"CFF ", *b"CFF2"];

/// How a font stands in a PDF.
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
    let records = records(face.data(), face.index);
    let tag = |at: &usize| &face.data()[*at..at + 4];
    if !records.iter().any(|at| OUTLINES.iter().any(|t| t == tag(at))) {
        return Embedded::Empty;
    }
    let pictures: Vec<usize> = records.iter().copied().filter(|at| PICTURES.iter().any(|t| t == tag(at))).collect();
    let index = face.index;
    let data = if pictures.is_empty() {
        Data::from(Arc::new(Bytes(face)) as Arc<dyn AsRef<[u8]> + Send + Sync>)
    } else {
        let mut data = face.data().to_vec();
        // The name before it in the alphabet, which is no table's, so the directory stays sorted.
        pictures.iter().for_each(|at| data[at + 3] -= 1);
        Data::from(data)
    };
    Font::new(data, index).map_or(Embedded::Refused, Embedded::Outlines)
}

/// Where the records of a font's table directory begin.
fn records(data: &[u8], index: u32) -> Vec<usize> {
    let whole = |at: usize, n: usize| {
        let bytes = data.get(at..at.checked_add(n)?)?;
        Some(bytes.iter().fold(0usize, |all, b| all << 8 | usize::from(*b)))
    };
    let start = if data.starts_with(b"ttcf") { whole(12 + 4 * index as usize, 4) } else { Some(0) };
    let Some((start, count)) = start.and_then(|s| Some((s, whole(s.checked_add(4)?, 2)?))) else { return Vec::new() };
    (0..count).map(|i| start + 12 + 16 * i).take_while(|at| at + 16 <= data.len()).collect()
}

/// A font's bytes, shared with the fonts that texts are measured by.
struct Bytes(Face);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.0.data()
    }
}
