//! Text of an SVG: as XML takes it, lines with formulas, and the outlines of glyphs.

use gridscope_core::geom::Point;
use gridscope_core::text::{Fonts, Line, Segment, outline, unmarked};
use std::collections::HashMap;
use std::fmt::Write;

/// The text within an element or an attribute. XML 1.0 does not allow most control characters: each becomes a
/// replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // As itself a parser would read a space.
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", c as u32);
            }
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A font family's name as style sheets quote it.
pub(super) fn family(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '\'' | '"' | '\\')).collect();
    format!("'{plain}'")
}

/// A number with two decimals at most, a hundredth of a pixel.
pub(super) fn number(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // -0 is 0.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// The content of a text element whose baseline starts at `at`. With `measured`, each run carries its length.
pub(super) fn spans(text: &str, line: &Line, font_size: f64, at: Point, measured: bool) -> String {
    let mut out = String::new();
    let runs = line.glyphs.chunk_by(|a, b| (a.size, a.drop, a.is_rtl) == (b.size, b.drop, b.is_rtl));
    for run in runs {
        let start = run.iter().map(|g| g.text.start).min().unwrap_or(0);
        let end = run.iter().map(|g| g.text.end).max().unwrap_or(start);
        let first = &run[0];
        let Some(shown) = text.get(start..end) else {
            continue;
        };
        let mut more = String::new();
        if first.size != 1.0 {
            let _ = write!(more, " font-size=\"{}\"", number(font_size * first.size));
        }
        if measured {
            let length: f64 = run.iter().map(|g| g.advance).sum();
            let _ = write!(
                more,
                " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                number(length * font_size)
            );
        }
        let _ = write!(
            out,
            "<tspan x=\"{}\" y=\"{}\"{more}>{}</tspan>",
            number(at.x + first.x * font_size),
            number(at.y + first.drop * font_size),
            escape(&unmarked(shown))
        );
    }
    out
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_replaced() {
        assert_eq!(
            escape("a<b> & \"c\"\t\u{1}\u{fffe}é"),
            "a&lt;b&gt; &amp; &quot;c&quot;&#9;\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [1300.0, 0.5, -0.001, 1.005, 12.345678, -7.1].map(number),
            ["1300", "0.5", "0", "1", "12.35", "-7.1"]
        );
    }
}
