//! Which characters a font has, found from a few of its tables. Damaged tables have no characters.

use cosmic_text::fontdb;
use std::io;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// The most bytes of a table that are read.
const MOST: u64 = 4 << 20;

/// The most fonts of a file that are looked at.
const MOST_FONTS: u32 = 64;

/// A font of a file, and which of the requested characters it has.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Its number within the file.
    pub index: u32,
    /// Its family's name.
    pub family: String,
    /// The requested characters that it has.
    pub chars: Vec<char>,
    /// How far it is from a plain upright font: its weight's distance from 400, and more where it is slanted or not of
    /// normal width.
    pub oddity: u32,
}

/// The fonts of a file that have outlines and some of the characters.
///
/// # Errors
/// When the file cannot be read. A file that is not a font has none.
pub fn coverage(file: &mut (impl Read + Seek), wanted: &[char]) -> io::Result<Vec<Coverage>> {
    let mut out = Vec::new();
    let head: [u8; 12] = read_at(file, 0)?;
    let starts: Vec<u64> = if head.starts_with(b"ttcf") {
        let count = u32_of(&head[8..]).min(MOST_FONTS);
        let place = |i: u32| read_at::<4>(file, 12 + 4 * u64::from(i)).map(|b| u64::from(u32_of(&b)));
        (0..count).map(place).collect::<io::Result<_>>()?
    } else {
        vec![0]
    };
    for (index, start) in (0..).zip(starts) {
        out.extend(coverage_at(file, start, index, wanted)?);
    }
    Ok(out)
}

fn coverage_at(
    file: &mut (impl Read + Seek),
    start: u64,
    index: u32,
    wanted: &[char],
) -> io::Result<Option<Coverage>> {
    let head: [u8; 12] = read_at(file, start)?;
    let count = u64::from(u16::from_be_bytes([head[4], head[5]]).min(256));
    let mut records = Vec::new();
    file.take(16 * count).read_to_end(&mut records)?;
    let (mut cmap, mut kept, mut outlines) = (None, Vec::new(), false);
    for record in records.chunks_exact(16) {
        match &record[..4] {
            b"glyf" | b"CFF " | b"CFF2" => outlines = true,
            // Fonts of coloured pictures; text is drawn from outlines.
            b"CBDT" | b"sbix" | b"COLR" => return Ok(None),
            b"cmap" => cmap = Some(record),
            b"name" | b"OS/2" | b"head" | b"hhea" | b"maxp" | b"post" => kept.push(record),
            _ => {}
        }
    }
    let Some(cmap) = cmap.filter(|_| outlines) else {
        return Ok(None);
    };
    let cmap = table(file, cmap)?;
    let has = |map: Charmap<'_>| wanted.iter().copied().filter(|c| map.has(*c)).collect();
    let chars: Vec<char> = Charmap::new(&cmap).map(has).unwrap_or_default();
    if chars.is_empty() {
        return Ok(None);
    }
    Ok(named(&without_glyphs(file, head, &kept)?).map(|(family, oddity)| Coverage {
        index,
        family,
        chars,
        oddity,
    }))
}

/// The family's name of a font, and how far it is from a plain upright one.
fn named(font: &[u8]) -> Option<(String, u32)> {
    let mut db = fontdb::Database::new();
    db.load_font_source(fontdb::Source::Binary(Arc::new(font.to_vec())));
    let info = db.faces().next()?;
    let slanted = u32::from(info.style != fontdb::Style::Normal);
    let stretched = u32::from(info.stretch != fontdb::Stretch::Normal);
    let oddity = u32::from(info.weight.0).abs_diff(400) + 1000 * (slanted + stretched);
    Some((info.families.first()?.0.clone(), oddity))
}

/// A font of these tables alone.
fn without_glyphs(file: &mut (impl Read + Seek), head: [u8; 12], tables: &[&[u8]]) -> io::Result<Vec<u8>> {
    let mut out = head.to_vec();
    out[4..6].copy_from_slice(&(tables.len() as u16).to_be_bytes());
    let contents: Vec<Vec<u8>> = tables.iter().map(|r| table(file, r)).collect::<io::Result<_>>()?;
    let mut at = 12 + 16 * tables.len();
    for (record, content) in tables.iter().zip(&contents) {
        out.extend(&record[..8]);
        out.extend((at as u32).to_be_bytes());
        out.extend((content.len() as u32).to_be_bytes());
        at += content.len();
    }
    out.extend(contents.concat());
    Ok(out)
}

/// The bytes of a table, as far as they are there.
fn table(file: &mut (impl Read + Seek), record: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    file.seek(SeekFrom::Start(u64::from(u32_of(&record[8..]))))?;
    let length = u64::from(u32_of(&record[12..])).min(MOST);
    file.take(length).read_to_end(&mut out)?;
    Ok(out)
}

fn u32_of(bytes: &[u8]) -> u32 {
    bytes[..4].iter().fold(0, |all, b| all << 8 | u32::from(*b))
}

fn read_at<const N: usize>(file: &mut (impl Read + Seek), at: u64) -> io::Result<[u8; N]> {
    let mut out = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut out)?;
    Ok(out)
}

/// The part of a table that maps characters to glyphs.
enum Charmap<'a> {
    /// Format 4: segments of the first 65,536 characters.
    Segments(&'a [u8]),
    /// Format 12: groups of any characters.
    Groups(&'a [u8]),
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16_at(bytes, at)?) << 16 | u32::from(u16_at(bytes, at.checked_add(2)?)?))
}

impl<'a> Charmap<'a> {
    /// The map of Unicode's characters with the most of them.
    pub(super) fn new(cmap: &'a [u8]) -> Option<Self> {
        let mut segments = None;
        for i in 0..usize::from(u16_at(cmap, 2)?) {
            let record = 4 + 8 * i;
            let (platform, encoding) = (u16_at(cmap, record)?, u16_at(cmap, record + 2)?);
            let table = cmap.get(u32_at(cmap, record + 4)? as usize..)?;
            match (platform, encoding, u16_at(table, 0)?) {
                (0, _, 12) | (3, 10, 12) => return Some(Self::Groups(table)),
                (0, _, 4) | (3, 1, 4) => segments = Some(Self::Segments(table)),
                _ => {}
            }
        }
        segments
    }

    /// Whether a character has a glyph.
    pub(super) fn has(&self, c: char) -> bool {
        match self {
            Self::Segments(table) => in_segments(table, c).is_some_and(|glyph| glyph != 0),
            Self::Groups(table) => in_groups(table, c).is_some_and(|glyph| glyph != 0),
        }
    }
}

fn in_segments(table: &[u8], c: char) -> Option<u16> {
    let code = u16::try_from(u32::from(c)).ok()?;
    let count = usize::from(u16_at(table, 6)? / 2);
    let segment = (0..count).find(|i| u16_at(table, 14 + 2 * i).is_none_or(|end| end >= code))?;
    let field = |of: usize| 16 + 2 * (of * count + segment);
    let (start, delta) = (u16_at(table, field(1))?, u16_at(table, field(2))?);
    let offset = usize::from(u16_at(table, field(3))?);
    let within = code.checked_sub(start)?;
    if offset == 0 {
        return Some(code.wrapping_add(delta));
    }
    match u16_at(table, field(3) + offset + 2 * usize::from(within))? {
        0 => None,
        glyph => Some(glyph.wrapping_add(delta)),
    }
}

fn in_groups(table: &[u8], c: char) -> Option<u32> {
    let code = u32::from(c);
    let (mut low, mut high) = (0, u32_at(table, 12)? as usize);
    while low < high {
        let middle = usize::midpoint(low, high);
        let group = middle.checked_mul(12)?.checked_add(16)?;
        let (start, end) = (u32_at(table, group)?, u32_at(table, group + 4)?);
        if code < start {
            high = middle;
        } else if code > end {
            low = middle + 1;
        } else {
            return u32_at(table, group + 8)?.checked_add(code - start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

    #[test]
    fn a_font_is_asked_for_its_characters() {
        let found = coverage(&mut Cursor::new(FONT), &['α', '中', 'x']).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].family.as_str(), &found[0].chars[..], found[0].oddity, found[0].index),
            ("DejaVu Sans", &['α', 'x'][..], 0, 0)
        );
        assert!(coverage(&mut Cursor::new(FONT), &['中']).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_font_has_no_characters() {
        for end in (0..2_000).step_by(37) {
            let _ = coverage(&mut Cursor::new(&FONT[..end]), &['x']);
        }
        for at in 0..400 {
            let mut bytes = FONT.to_vec();
            bytes[at] = !bytes[at];
            let _ = coverage(&mut Cursor::new(bytes), &['x']);
        }
        let mut many = b"ttcf\0\x01\0\0\xff\xff\xff\xff".to_vec();
        many.extend([0; 1000]);
        assert!(!coverage(&mut Cursor::new(many), &['x']).is_ok_and(|f| !f.is_empty()));
    }
}

#[cfg(test)]
mod charmap_tests {
    use super::super::Fonts;
    use super::*;

    const FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

    fn table() -> &'static [u8] {
        let at = (12..).step_by(16).find(|at| &FONT[*at..at + 4] == b"cmap").unwrap();
        &FONT[u32_at(FONT, at + 8).unwrap() as usize..][..u32_at(FONT, at + 12).unwrap() as usize]
    }

    #[test]
    fn both_formats_have_the_characters_that_are_drawn() {
        let (mut groups, mut segments) = (None, None);
        for i in 0..usize::from(u16_at(table(), 2).unwrap()) {
            let at = &table()[u32_at(table(), 8 + 8 * i).unwrap() as usize..];
            match u16_at(at, 0).unwrap() {
                12 => groups = Some(Charmap::Groups(at)),
                4 => segments = Some(Charmap::Segments(at)),
                _ => {}
            }
        }
        let (groups, segments) = (groups.unwrap(), segments.unwrap());
        let mut fonts = Fonts::new();
        let chars = (0x21..0x600).step_by(9).chain([0x2264, 0x221e, 0x1d538, 0x4e2d, 0x1f600, 0x20000]);
        for c in chars.filter_map(char::from_u32).filter(|c| !c.is_control()) {
            let known = fonts.missing(c.encode_utf8(&mut [0; 4])) == 0;
            assert_eq!(groups.has(c), known, "{c:?}");
            assert!(u32::from(c) > 0xffff || segments.has(c) == groups.has(c), "{c:?}");
        }
    }

    #[test]
    fn a_damaged_table_has_no_characters() {
        let table = table();
        for end in 0..600 {
            if let Some(map) = Charmap::new(&table[..end]) {
                let _ = map.has('x');
            }
        }
        for at in 0..600 {
            let mut bytes = table.to_vec();
            bytes[at] = !bytes[at];
            if let Some(map) = Charmap::new(&bytes) {
                let _ = (map.has('x'), map.has('\u{10ffff}'));
            }
        }
    }
}
