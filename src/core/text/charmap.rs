//! The characters of a font, read from its table `cmap`. Damaged tables have no characters.

/// The part of a table that maps characters to glyphs.
pub(super) enum Charmap<'a> {
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
