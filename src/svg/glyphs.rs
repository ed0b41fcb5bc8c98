//! Text as the outlines of its glyphs, each of which stands in the file once.

use super::escape::number;
use crate::text::{Fonts, Segment, outline};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The glyphs met so far: their elements' numbers, and their outlines.
#[derive(Default)]
pub(super) struct Glyphs {
    known: BTreeMap<(usize, u16), Option<usize>>,
    definitions: String,
}

impl Glyphs {
    /// A line of text as uses of outlines, in output pixels about its start.
    pub fn line(&mut self, text: &str, font_size: f64, fonts: &mut Fonts) -> String {
        let line = fonts.line(text);
        let mut out = String::new();
        for g in &line.glyphs {
            let face = fonts.face(g.font);
            let next = self.known.values().flatten().count();
            let definitions = &mut self.definitions;
            let place = *self.known.entry((g.font, g.id)).or_insert_with(|| {
                let path = path(&outline(&face, g.id));
                // A space has no ink.
                (!path.is_empty()).then(|| {
                    let _ = write!(definitions, "<path id=\"g{next}\" d=\"{path}\"/>");
                    next
                })
            });
            let Some(place) = place else { continue };
            let scale = font_size / face.units_per_em();
            let (x, y) = (number(g.x * font_size), number(g.y * font_size));
            let _ = write!(out, "<use xlink:href=\"#g{place}\" transform=\"translate({x} {y}) scale({scale:.6} -{scale:.6})\"/>");
        }
        out
    }

    /// The outlines, for the file's definitions.
    pub fn definitions(&self) -> &str {
        &self.definitions
    }
}

/// The data of a path.
fn path(segments: &[Segment]) -> String {
    let mut out = String::new();
    let pair = |p: [f32; 2]| format!("{} {}", number(f64::from(p[0])), number(f64::from(p[1])));
    for segment in segments {
        let _ = match *segment {
            Segment::Move(p) => write!(out, "M{}", pair(p)),
            Segment::Line(p) => write!(out, "L{}", pair(p)),
            Segment::Quad(c, p) => write!(out, "Q{} {}", pair(c), pair(p)),
            Segment::Cubic(c, d, p) => write!(out, "C{} {} {}", pair(c), pair(d), pair(p)),
            Segment::Close => write!(out, "Z"),
        };
    }
    out
}
