//! Lines with formulas: a `tspan` for each run of one size and height.

use super::escape::{escape, number};
use gridscope_core::geom::Point;
use gridscope_core::text::{Line, unmarked};
use std::fmt::Write;

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
