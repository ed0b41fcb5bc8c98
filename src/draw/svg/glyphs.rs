//! Text as the outlines of its glyphs, each of which is in the file once.

use super::escape::number;
use gridscope_core::text::{Fonts, Segment, outline};
use std::collections::HashMap;
use std::fmt::Write;

/// The glyphs met so far: their elements' numbers, and their outlines.
#[derive(Default)]
pub(super) struct Glyphs {
    known: HashMap<(usize, u16), Option<usize>>,
    defined: usize,
    definitions: String,
    /// Of each font met, its em in the units of its outlines.
    ems: HashMap<usize, f64>,
}

impl Glyphs {
    /// A line of text as uses of outlines, in output pixels about its start.
    pub(super) fn line(&mut self, text: &str, font_size: f64, fonts: &mut Fonts) -> String {
        let line = fonts.line(text);
        let mut out = String::new();
        for g in &line.glyphs {
            let em = *self.ems.entry(g.font).or_insert_with(|| fonts.face(g.font).units_per_em());
            let place = match self.known.get(&(g.font, g.id)) {
                Some(place) => *place,
                None => self.define(g.font, g.id, fonts),
            };
            let Some(place) = place else { continue };
            let scale = font_size * g.size / em;
            let (x, y) = (number(g.x * font_size), number(g.y * font_size));
            let _ = write!(
                out,
                "<use xlink:href=\"#g{place}\" transform=\"translate({x} {y}) scale({scale:.6} -{scale:.6})\"/>"
            );
        }
        out
    }

    /// Keeps a glyph's outline; a space has none.
    fn define(&mut self, font: usize, id: u16, fonts: &Fonts) -> Option<usize> {
        let path = path(&outline(&fonts.face(font), id));
        let place = (!path.is_empty()).then_some(self.defined);
        if let Some(place) = place {
            self.defined += 1;
            let _ = write!(self.definitions, "<path id=\"g{place}\" d=\"{path}\"/>");
        }
        self.known.insert((font, id), place);
        place
    }

    /// The outlines, for the file's definitions.
    pub(super) fn definitions(&self) -> &str {
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
