//! Glyphs as paths.

use super::line::Face;
use swash::scale::ScaleContext;
use swash::zeno::{Command, PathData, Point};

/// A part of a glyph's outline, in units of its font, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// A new contour begins here.
    Move([f32; 2]),
    /// A straight line.
    Line([f32; 2]),
    /// A quadratic curve: control point and end.
    Quad([f32; 2], [f32; 2]),
    /// A cubic curve: two control points and end.
    Cubic([f32; 2], [f32; 2], [f32; 2]),
    /// The contour ends where it began.
    Close,
}

/// The outline of a glyph, not hinted; empty for a glyph without ink.
pub fn outline(face: &Face, glyph: u16) -> Vec<Segment> {
    let mut context = ScaleContext::new();
    let mut scaler =
        context.builder(face.font.as_swash()).size(face.units_per_em() as f32).hint(false).build();
    let Some(outline) = scaler.scale_outline(glyph) else {
        return Vec::new();
    };
    let at = |p: Point| [p.x, p.y];
    let segment = |c: Command| match c {
        Command::MoveTo(p) => Segment::Move(at(p)),
        Command::LineTo(p) => Segment::Line(at(p)),
        Command::QuadTo(c, p) => Segment::Quad(at(c), at(p)),
        Command::CurveTo(c, d, p) => Segment::Cubic(at(c), at(d), at(p)),
        Command::Close => Segment::Close,
    };
    outline.path().commands().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Fonts;
    use super::*;

    #[test]
    fn an_outline_is_closed_and_as_large_as_its_letter() {
        let mut fonts = Fonts::new();
        let line = fonts.line("H ");
        let face = fonts.face(line.glyphs[0].font);
        let path = outline(&face, line.glyphs[0].id);
        let ends = path.iter().filter(|s| matches!(s, Segment::Close)).count();
        assert_eq!((ends, path.iter().filter(|s| matches!(s, Segment::Move(_))).count()), (1, 1));
        let heights =
            path.iter().filter_map(|s| if let Segment::Line(p) = s { Some(f64::from(p[1])) } else { None });
        assert_eq!((heights.fold(0.0, f64::max) / face.units_per_em() * 1000.0).round(), 729.0);
        assert!(outline(&face, line.glyphs[1].id).is_empty());
    }
}
