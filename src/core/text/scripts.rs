//! Lines with formulas: runs of text, each with its size and its distance from the baseline.

use super::rich::{CLOSE, END, LOWER, OPEN, RAISE, STACK, is_mark};
use super::shape::{Fonts, Glyph, Line};
use std::ops::Range;

/// The size of a script as a share of that of its base, and the least size of a script of a script.
const SMALLER: f64 = 0.7;
const SMALLEST: f64 = 0.5;

/// How far scripts are raised and lowered, in the size of their base.
const RAISED: f64 = 0.38;
const LOWERED: f64 = 0.22;

/// Size and height of a run of text.
#[derive(Clone, Copy)]
struct Style {
    size: f64,
    /// From the baseline down.
    y: f64,
}

impl Fonts {
    /// A text with marks. Marks out of place have no effect.
    pub(super) fn scripted(&mut self, text: &str) -> Line {
        let mut pen =
            Pen { style: Style { size: 1.0, y: 0.0 }, open: Vec::new(), last: None, out: Line::default() };
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| is_mark(*c)) {
            self.run(text, from..at, &mut pen);
            pen.mark(c);
            from = at + c.len_utf8();
        }
        self.run(text, from..text.len(), &mut pen);
        pen.out.width = pen.out.width.max(pen.last.map_or(0.0, |l| l.end));
        pen.out
    }

    fn run(&mut self, text: &str, at: Range<usize>, pen: &mut Pen) {
        if at.is_empty() {
            return;
        }
        let line = self.line(&text[at.clone()]);
        let Style { size, y } = pen.style;
        let left = pen.out.width;
        pen.out.glyphs.extend(line.glyphs.iter().map(|g| Glyph {
            x: left + g.x * size,
            y: y + g.y * size,
            advance: g.advance * size,
            size: size * g.size,
            drop: y,
            text: g.text.start + at.start..g.text.end + at.start,
            ..g.clone()
        }));
        pen.out.width += line.width * size;
        pen.out.missing += line.missing;
    }
}

/// The last script: where it began and ended.
#[derive(Clone, Copy)]
struct Script {
    start: f64,
    end: f64,
}

/// A line while it is set; its width is where the next run begins.
struct Pen {
    style: Style,
    /// The scripts that have not ended: the style before each, and where it began.
    open: Vec<(Style, f64)>,
    last: Option<Script>,
    out: Line,
}

impl Pen {
    fn mark(&mut self, mark: char) {
        match mark {
            RAISE | LOWER => {
                let base = self.style;
                self.open.push((base, self.out.width));
                let shift = if mark == RAISE { -RAISED } else { LOWERED };
                self.style =
                    Style { size: (base.size * SMALLER).max(SMALLEST), y: base.y + shift * base.size };
            }
            END => {
                let Some((before, start)) = self.open.pop() else {
                    return;
                };
                let beside = self.last.take().filter(|l| l.start == start);
                self.out.width = self.out.width.max(beside.map_or(0.0, |l| l.end));
                self.style = before;
                self.last = Some(Script { start, end: self.out.width });
            }
            STACK => {
                if let Some(last) = self.last {
                    self.out.width = last.start;
                }
            }
            OPEN | CLOSE => self.last = None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rich;
    use super::*;

    /// Glyphs as (character, x, y, size).
    fn set(source: &str) -> (Vec<(char, f64, f64, f64)>, f64) {
        let text = rich(source);
        let line = Fonts::new().line(&text);
        let glyph = |g: &Glyph| (text[g.text.clone()].chars().next().unwrap(), g.x, g.y, g.size);
        (line.glyphs.iter().map(glyph).collect(), line.width)
    }

    #[test]
    fn scripts_are_smaller_and_off_the_baseline() {
        let (glyphs, width) = set("a $x^{2}_i$ b");
        let at = |c| *glyphs.iter().find(|g| g.0 == c).unwrap();
        let (x, two, i, b) = (at('x'), at('2'), at('i'), at('b'));
        assert_eq!((x.2, x.3, b.2, b.3), (0.0, 1.0, 0.0, 1.0));
        assert!(two.2 < -0.3 && i.2 > 0.1 && two.3 == 0.7 && i.3 == 0.7);
        // Both scripts begin where the base ends; what follows begins after the wider one.
        assert_eq!(two.1, i.1);
        assert!(two.1 > x.1 && b.1 > two.1 + 0.7 * 0.6 && width > b.1);
    }

    #[test]
    fn a_line_is_as_wide_as_its_parts() {
        let mut fonts = Fonts::new();
        let mut width = |t: &str| fonts.line(t).width;
        let parts = width("loss ") + width("α") + 0.7 * width("12") + width(" at ") + width("β");
        let whole = width(&rich(r"loss $\alpha_{12}$ at $\beta$"));
        assert!((whole - parts).abs() < 1e-6, "{whole} {parts}");
    }

    #[test]
    fn scripts_of_scripts_stay_readable() {
        let (glyphs, _) = set("$a^{b^{c^{d^e}}}$");
        assert!(glyphs.iter().all(|g| g.3 >= SMALLEST), "{glyphs:?}");
        assert!(glyphs.windows(2).all(|w| w[1].2 < w[0].2 && w[1].1 > w[0].1));
    }
}
