//! Strings to glyphs: the embedded font first, then any the user gave; shaped lines and their sizes.

use super::label::steers;
use super::mask::{GlyphAt, Mask, Masks, Pen};
use super::rich::has_formula;
use cosmic_text::{Attrs, AttrsList, Family, Font, FontSystem, Hinting, ShapeLine, Shaping, Wrap, fontdb};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// `DejaVu` Sans 2.37, licence in assets/DejaVuSans-LICENSE.txt.
const EMBEDDED: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");
const EMBEDDED_FAMILY: &str = "DejaVu Sans";

/// The most glyphs of shaped texts in the cache, and the glyphs as which the text of each counts.
const MOST_GLYPHS: usize = 1 << 19;
const ENTRY: usize = 8;

/// The most characters that are known to have no glyph.
const MOST_LACKING: usize = 1 << 12;

/// The fonts, their shaped lines and their masks: the one cache of text.
pub struct Fonts {
    system: FontSystem,
    attrs: AttrsList,
    shaped: HashMap<String, Arc<Line>>,
    shaped_glyphs: usize,
    /// Families of the machine that characters are taken from.
    borrowed: Vec<String>,
    masks: Masks,
    /// The fonts met so far: glyphs name them by their place here.
    faces: Vec<(fontdb::ID, Face)>,
    /// The characters met so far that no font has.
    lacking: BTreeSet<char>,
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fonts")
            .field("shaped", &self.shaped.len())
            .field("faces", &self.faces)
            .finish_non_exhaustive()
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::new()
    }
}

/// Bytes in which there is no TrueType or OpenType font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FontError;

impl fmt::Display for FontError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no font (TrueType or OpenType) in this file")
    }
}

impl std::error::Error for FontError {}

impl Fonts {
    /// The embedded font alone; no font of the system is looked for.
    pub fn new() -> Self {
        let mut db = fontdb::Database::new();
        db.load_font_source(fontdb::Source::Binary(Arc::new(EMBEDDED)));
        Self::with(db, EMBEDDED_FAMILY, AttrsList::new(&Attrs::new().family(Family::Name(EMBEDDED_FAMILY))))
    }

    /// A font file's bytes before the embedded font.
    ///
    /// # Errors
    /// When the bytes are not a font.
    pub fn with_font(bytes: Vec<u8>) -> Result<Self, FontError> {
        let mut db = fontdb::Database::new();
        let ids = db.load_font_source(fontdb::Source::Binary(Arc::new(bytes)));
        // Faces of one family differ in weight, style and width; a file's first face is what it is given for.
        let chosen = ids
            .first()
            .and_then(|id| db.face(*id))
            .and_then(|f| Some((f.families.first()?.0.clone(), f.weight, f.style, f.stretch)));
        let (family, weight, style, stretch) = chosen.ok_or(FontError)?;
        db.load_font_source(fontdb::Source::Binary(Arc::new(EMBEDDED)));
        let attrs = Attrs::new().weight(weight).style(style).stretch(stretch);
        let attrs = AttrsList::new(&attrs.family(Family::Name(&family)));
        Ok(Self::with(db, &family, attrs))
    }

    fn with(mut db: fontdb::Database, family: &str, attrs: AttrsList) -> Self {
        db.set_sans_serif_family(family);
        let system = FontSystem::new_with_locale_and_db("en-US".to_owned(), db);
        Self {
            system,
            attrs,
            shaped: HashMap::new(),
            shaped_glyphs: 0,
            borrowed: Vec::new(),
            masks: Masks::new(),
            faces: Vec::new(),
            lacking: BTreeSet::new(),
        }
    }

    /// Adds a font of a file's bytes after the others; bytes that are not a font add nothing.
    pub fn add_font(&mut self, bytes: Vec<u8>, index: u32) {
        let db = self.system.db_mut();
        let ids = db.load_font_source(fontdb::Source::Binary(Arc::new(bytes)));
        for id in ids {
            if db.face(id).is_some_and(|f| f.index != index) {
                db.remove_face(id);
            }
        }
        self.shaped.clear();
        self.shaped_glyphs = 0;
        self.lacking.clear();
    }

    /// Records a family of this machine that was added for characters that the other fonts lack.
    pub fn borrow_from(&mut self, family: String) {
        if !self.borrowed.contains(&family) {
            self.borrowed.push(family);
        }
    }

    /// The families of this machine that characters are taken from.
    pub fn borrowed(&self) -> &[String] {
        &self.borrowed
    }

    /// The characters of texts met so far that no font has.
    pub fn lacking(&self) -> Vec<char> {
        self.lacking.iter().copied().collect()
    }

    /// Those of the characters that no font has.
    pub fn lacking_of(&mut self, chars: Vec<char>) -> Vec<char> {
        let is_lacking = |c: &char| !steers(*c) && self.missing(c.encode_utf8(&mut [0; 4])) > 0;
        chars.into_iter().filter(is_lacking).collect()
    }

    /// How many characters of `text` have no glyph and show as a box.
    pub fn missing(&mut self, text: &str) -> usize {
        self.line(text).missing
    }

    /// The masks of a text whose baseline starts at (`x`, `y`), turned counter-clockwise by `degrees`.
    pub fn place(
        &mut self,
        text: &str,
        font_size: f64,
        x: f64,
        y: f64,
        degrees: i32,
        out: &mut Vec<GlyphAt>,
    ) {
        let shaped = self.line(text);
        let (sin, cos) = match degrees {
            0 => (0.0, 1.0),
            90 => (1.0, 0.0),
            d => f64::from(d).to_radians().sin_cos(),
        };
        for g in &shaped.glyphs {
            let (gx, gy) = (g.x * font_size, g.y * font_size);
            let pen = Pen {
                x: x + gx * cos + gy * sin,
                y: y - gx * sin + gy * cos,
                size: (font_size * g.size) as f32,
                degrees,
            };
            let at = self.masks.place(g.font, self.faces[g.font].1.font.as_swash(), g.id, pen);
            if self.masks.get(at.mask).width > 0 {
                out.push(at);
            }
        }
    }

    /// The font that all texts are set in, as far as it has their characters.
    pub fn first_face(&mut self) -> Face {
        // Every font that can be chosen has a box for what it lacks.
        let line = self.line("0");
        self.face(line.glyphs.first().map_or(0, |g| g.font))
    }

    /// The font that glyphs of a [`Line`] name.
    ///
    /// # Panics
    /// When no line of these fonts has named it.
    pub fn face(&self, font: usize) -> Face {
        self.faces[font].1.clone()
    }

    /// A font's place among those met so far.
    fn known(&mut self, id: fontdb::ID, weight: fontdb::Weight) -> Option<usize> {
        if let Some(place) = self.faces.iter().position(|f| f.0 == id) {
            return Some(place);
        }
        let font = self.system.get_font(id, weight)?;
        let info = self.system.db().face(id)?;
        let family = info.families.first().map_or_else(String::new, |f| f.0.clone());
        let style = match info.style {
            fontdb::Style::Normal => "normal",
            fontdb::Style::Italic => "italic",
            fontdb::Style::Oblique => "oblique",
        };
        let face = Face { family, weight: info.weight.0, style, index: info.index, font };
        self.faces.push((id, face));
        Some(self.faces.len() - 1)
    }

    /// A mask that [`Fonts::place`] named.
    pub fn mask(&self, id: u32) -> &Mask {
        self.masks.get(id)
    }

    /// The text shaped.
    pub fn line(&mut self, text: &str) -> Arc<Line> {
        if let Some(s) = self.shaped.get(text) {
            return s.clone();
        }
        let shaped = Arc::new(if plain(text) {
            self.join(text)
        } else if has_formula(text) {
            self.scripted(text)
        } else {
            self.shape_line(text)
        });
        if self.shaped_glyphs >= MOST_GLYPHS {
            // Read-outs of a long session must not fill the memory.
            self.shaped.clear();
            self.shaped_glyphs = 0;
        }
        self.shaped_glyphs += shaped.glyphs.len() + ENTRY;
        self.shaped.insert(text.to_owned(), shaped.clone());
        shaped
    }

    /// Digits, points and signs do not kern, so a number is its characters set side by side.
    fn join(&mut self, text: &str) -> Line {
        let mut out = Line::default();
        let mut buf = [0u8; 4];
        for (at, c) in text.char_indices() {
            let one: &str = c.encode_utf8(&mut buf);
            let s = match self.shaped.get(one) {
                Some(s) => s.clone(),
                None => {
                    let s = Arc::new(self.shape_line(one));
                    self.shaped.insert(one.to_owned(), s.clone());
                    s
                }
            };
            let moved = |r: &Range<usize>| r.start + at..r.end + at;
            out.glyphs.extend(s.glyphs.iter().map(|g| Glyph {
                x: g.x + out.width,
                text: moved(&g.text),
                ..g.clone()
            }));
            out.width += s.width;
            out.missing += s.missing;
        }
        out
    }

    fn shape_line(&mut self, text: &str) -> Line {
        let line = ShapeLine::new(&mut self.system, text, &self.attrs, Shaping::Advanced, 4);
        let laid = line.layout(1.0, None, Wrap::None, None, None, Hinting::Disabled);
        let mut out = Line { is_rtl: line.rtl, ..Line::default() };
        for l in &laid {
            let first = out.glyphs.len();
            for g in &l.glyphs {
                let Some(font) = self.known(g.font_id, g.font_weight) else {
                    continue;
                };
                let (x, y) = (f64::from(g.x + g.x_offset), f64::from(g.y - g.y_offset));
                if g.glyph_id == 0 {
                    out.missing += 1;
                    let room = MOST_LACKING.saturating_sub(self.lacking.len());
                    self.lacking.extend(text[g.start..g.end].chars().take(room));
                }
                out.glyphs.push(Glyph {
                    font,
                    id: g.glyph_id,
                    x: x + out.width,
                    y,
                    advance: f64::from(g.w),
                    size: 1.0,
                    drop: 0.0,
                    text: g.start..g.end,
                    is_rtl: g.level.is_rtl(),
                });
            }
            if line.rtl {
                // Such lines are listed from their right end.
                out.glyphs[first..].reverse();
            }
            out.width += f64::from(l.w);
        }
        out
    }
}

fn plain(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'%'))
}

impl Measure for Fonts {
    fn size(&mut self, text: &str, font_size: f64) -> TextSize {
        TextSize::of_line(self.line(text).width * font_size, font_size)
    }
}

/// A line of text in ems: multiply by the font size.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The glyphs from left to right.
    pub glyphs: Vec<Glyph>,
    /// Advance width.
    pub width: f64,
    /// It begins with text that runs from right to left.
    pub is_rtl: bool,
    /// Characters without a glyph.
    pub missing: usize,
}

/// A glyph at its place on the line.
#[derive(Clone, Debug)]
pub struct Glyph {
    /// Its font, for [`Fonts::face`](super::Fonts::face).
    pub font: usize,
    /// Its number in the font.
    pub id: u16,
    /// From the line's start to the right.
    pub x: f64,
    /// From the baseline down.
    pub y: f64,
    /// Width from its place to that of the next one.
    pub advance: f64,
    /// Its size as a share of the line's: scripts of formulas are smaller.
    pub size: f64,
    /// The part of `y` that a script of a formula is lowered by.
    pub drop: f64,
    /// The bytes of the text that it shows.
    pub text: Range<usize>,
    /// Its text runs from right to left.
    pub is_rtl: bool,
}

/// A font that lines are set in.
#[derive(Clone)]
pub struct Face {
    /// Its family's name.
    pub family: String,
    /// 400 regular, 700 bold.
    pub weight: u16,
    /// `normal`, `italic` or `oblique`.
    pub style: &'static str,
    /// Its number within its file.
    pub index: u32,
    pub(super) font: Arc<Font>,
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Face")
            .field("family", &self.family)
            .field("weight", &self.weight)
            .field("style", &self.style)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

impl Face {
    /// The font file's bytes.
    pub fn data(&self) -> &[u8] {
        self.font.data()
    }

    /// The em in the units of the glyphs' outlines.
    pub fn units_per_em(&self) -> f64 {
        f64::from(self.font.as_swash().metrics(&[]).units_per_em)
    }
}

/// The size of a line of text in pixels, measured from its baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextSize {
    /// Advance width.
    pub width: f64,
    /// Height above the baseline.
    pub ascent: f64,
    /// Depth below the baseline.
    pub descent: f64,
}

impl TextSize {
    /// Ascent and descent together.
    pub fn height(&self) -> f64 {
        self.ascent + self.descent
    }

    /// The line box of a font size: shares of the em that hold Latin text with its accents' usual reach.
    pub fn of_line(width: f64, font_size: f64) -> Self {
        Self { width, ascent: 0.8 * font_size, descent: 0.22 * font_size }
    }
}

/// Height of digits and capitals as a share of the em, by which text is centred.
pub const CAP_HEIGHT: f64 = 0.729;

/// Measures text.
pub trait Measure {
    /// The size of `text` in a font of `font_size` pixels.
    fn size(&mut self, text: &str, font_size: f64) -> TextSize;
}

/// Every character is 0.6 em wide: for tests of layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fake;

impl Measure for Fake {
    fn size(&mut self, text: &str, font_size: f64) -> TextSize {
        TextSize::of_line(text.chars().count() as f64 * 0.6 * font_size, font_size)
    }
}

#[cfg(test)]
mod tests;
