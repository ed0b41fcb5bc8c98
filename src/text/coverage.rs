//! Which characters a font has, found from a few of its tables.

use std::io::{self, Read, Seek, SeekFrom};
use swash::{FontRef, StringId, Style};

/// The most bytes of tables of a font that are read to know its characters.
const MOST: u64 = 8 << 20;

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
        out.extend(font_at(file, start)?.and_then(|bytes| of_font(&bytes, index, wanted)));
    }
    Ok(out)
}

fn of_font(bytes: &[u8], index: u32, wanted: &[char]) -> Option<Coverage> {
    let font = FontRef::from_index(bytes, 0)?;
    let map = font.charmap();
    let chars: Vec<char> = wanted.iter().copied().filter(|c| map.map(*c) != 0).collect();
    if chars.is_empty() {
        return None;
    }
    let name = font.localized_strings().find_by_id(StringId::Family, None);
    let attributes = font.attributes();
    let slanted = u32::from(attributes.style() != Style::Normal);
    let stretched = u32::from(attributes.stretch() != swash::Stretch::NORMAL);
    Some(Coverage {
        index,
        family: name.map_or_else(String::new, |n| n.chars().collect()),
        chars,
        oddity: u32::from(attributes.weight().0).abs_diff(400) + 1000 * (slanted + stretched),
    })
}

/// The tables of a font that name its characters and itself, as a font of their own; `None` without outlines.
fn font_at(file: &mut (impl Read + Seek), start: u64) -> io::Result<Option<Vec<u8>>> {
    let head: [u8; 12] = read_at(file, start)?;
    let count = u16::from_be_bytes([head[4], head[5]]).min(256);
    let (mut kept, mut outlines) = (Vec::new(), false);
    for i in 0..u64::from(count) {
        let record: [u8; 16] = read_at(file, start + 12 + 16 * i)?;
        match &record[..4] {
            b"glyf" | b"CFF " | b"CFF2" => outlines = true,
            // Fonts of coloured pictures; text is drawn from outlines.
            b"CBDT" | b"sbix" | b"COLR" => return Ok(None),
            b"cmap" | b"name" | b"OS/2" | b"head" | b"maxp" => kept.push(record),
            _ => {}
        }
    }
    let total: u64 = kept.iter().map(|r| u64::from(u32_of(&r[12..]))).sum();
    if !outlines || total > MOST {
        return Ok(None);
    }
    let mut bytes = head.to_vec();
    bytes[4..6].copy_from_slice(&(kept.len() as u16).to_be_bytes());
    let mut at = 12 + 16 * kept.len() as u32;
    for record in &kept {
        bytes.extend(&record[..8]);
        bytes.extend(at.to_be_bytes());
        bytes.extend(&record[12..]);
        at += u32_of(&record[12..]);
    }
    for record in &kept {
        file.seek(SeekFrom::Start(u64::from(u32_of(&record[8..]))))?;
        let length = u64::from(u32_of(&record[12..]));
        let read = file.take(length).read_to_end(&mut bytes)?;
        if read as u64 != length {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

    #[test]
    fn a_font_is_asked_for_its_characters() {
        let found = coverage(&mut Cursor::new(FONT), &['α', '中', 'x']).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(
            (
                found[0].family.as_str(),
                &found[0].chars[..],
                found[0].oddity,
                found[0].index
            ),
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
