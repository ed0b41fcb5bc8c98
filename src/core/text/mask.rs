//! Glyphs as paths, and as 8-bit coverage at a size, an angle and a quarter-pixel position.

use super::shape::Face;
use std::collections::HashMap;
use swash::FontRef;
use swash::scale::{Render, ScaleContext, Source};
use swash::zeno::{Angle, Command, Format, PathData, Point, Transform, Vector};

/// Coverage of a glyph, row after row, 255 = covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Pixels a row, 0 for a glyph without ink.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` bytes.
    pub data: Vec<u8>,
    left: i32,
    top: i32,
}

/// A mask at its place: its left top corner in whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlyphAt {
    /// Index of the mask in the store that made it.
    pub mask: u32,
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    font: usize,
    glyph: u16,
    size: u32,
    degrees: i32,
    x_quarter: u8,
    y_quarter: u8,
}

/// Where a glyph's origin is on the page, and how it is set.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub x: f64,
    pub y: f64,
    pub size: f32,
    pub degrees: i32,
}

/// All masks made so far.
pub(super) struct Masks {
    context: ScaleContext,
    index: HashMap<Key, u32>,
    list: Vec<Mask>,
}

impl Masks {
    pub(super) fn new() -> Self {
        Self { context: ScaleContext::new(), index: HashMap::new(), list: Vec::new() }
    }

    pub(super) fn get(&self, id: u32) -> &Mask {
        &self.list[id as usize]
    }

    /// The mask of a glyph with its origin at `pen`; `font` distinguishes fonts.
    pub(super) fn place(&mut self, font: usize, face: FontRef<'_>, glyph: u16, pen: Pen) -> GlyphAt {
        let (x, x_quarter) = quarters(pen.x);
        // The baseline of horizontal text is on whole rows, so that hinted stems and baselines stay crisp.
        let (y, y_quarter) = if pen.degrees == 0 { (pen.y.round() as i32, 0) } else { quarters(pen.y) };
        let key = Key { font, glyph, size: pen.size.to_bits(), degrees: pen.degrees, x_quarter, y_quarter };
        let id = match self.index.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.list.len() as u32;
                let mask = self.draw(face, &key);
                self.list.push(mask);
                self.index.insert(key, id);
                id
            }
        };
        let m = &self.list[id as usize];
        GlyphAt { mask: id, x: x + m.left, y: y - m.top }
    }

    fn draw(&mut self, face: FontRef<'_>, key: &Key) -> Mask {
        let upright = key.degrees == 0;
        let mut scaler = self.context.builder(face).size(f32::from_bits(key.size)).hint(upright).build();
        // Fonts measure y upwards, so the page's fraction enters with its sign turned.
        let offset = Vector::new(f32::from(key.x_quarter) / 4.0, -f32::from(key.y_quarter) / 4.0);
        let turn = (!upright).then(|| Transform::rotation(Angle::from_degrees(key.degrees as f32)));
        let image = Render::new(&[Source::Outline])
            .format(Format::Alpha)
            .offset(offset)
            .transform(turn)
            .render(&mut scaler, key.glyph);
        match image {
            Some(i) => Mask {
                width: i.placement.width,
                height: i.placement.height,
                data: i.data,
                left: i.placement.left,
                top: i.placement.top,
            },
            None => Mask { width: 0, height: 0, data: Vec::new(), left: 0, top: 0 },
        }
    }
}

/// The whole part and the nearest quarter.
fn quarters(v: f64) -> (i32, u8) {
    let q = (v * 4.0).round() as i64;
    (q.div_euclid(4) as i32, q.rem_euclid(4) as u8)
}

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
    fn quarters_round_to_the_nearest() {
        assert_eq!(quarters(1.12), (1, 0));
        assert_eq!(quarters(1.13), (1, 1));
        assert_eq!(quarters(1.9), (2, 0));
        assert_eq!(quarters(-0.25), (-1, 3));
    }

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
