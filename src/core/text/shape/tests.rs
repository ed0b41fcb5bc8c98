//! Shaping: widths, missing glyphs, order, fonts.

use super::*;

#[test]
fn numbers_joined_equal_numbers_shaped() {
    let mut f = Fonts::new();
    for t in ["41.3", "-0.0025", "100%", "+7.11", "11.17-4"] {
        let (a, b) = (f.join(t), f.shape_line(t));
        assert!((a.width - b.width).abs() < 1e-4, "{t}: {} {}", a.width, b.width);
        assert_eq!(
            a.glyphs.iter().map(|g| g.id).collect::<Vec<_>>(),
            b.glyphs.iter().map(|g| g.id).collect::<Vec<_>>()
        );
    }
}

#[test]
fn missing_glyphs_are_counted_not_dropped() {
    let mut f = Fonts::new();
    assert_eq!((f.missing("Länge"), f.missing("中文")), (0, 2));
    assert!(f.size("中文", 10.0).width > 0.0);
}

#[test]
fn glyphs_are_listed_from_left_to_right() {
    let mut f = Fonts::new();
    for (text, rtl) in [
        ("ab \u{5d1}\u{5d7}", [false, false, false, true, true]),
        ("\u{5d1}\u{5d7} ab", [false, false, true, true, true]),
    ] {
        let line = f.line(text);
        assert!(line.glyphs.windows(2).all(|w| w[0].x < w[1].x), "{:?}", line.glyphs);
        assert_eq!(line.glyphs.iter().map(|g| g.is_rtl).collect::<Vec<_>>(), rtl, "{text}");
    }
}

#[test]
fn turned_text_covers_as_much_as_upright_text() {
    let mut f = Fonts::new();
    let mut ink = |degrees| {
        let mut at = Vec::new();
        f.place("Window", 40.0, 100.0, 100.0, degrees, &mut at);
        at.iter().flat_map(|g| f.mask(g.mask).data.iter()).map(|v| f64::from(*v)).sum::<f64>()
    };
    let upright = ink(0);
    for d in [45, 90] {
        assert!((ink(d) / upright - 1.0).abs() < 0.1, "{d}");
    }
}

#[test]
fn a_bold_font_of_the_same_family_is_the_one_that_is_used() {
    // The font's own tables, but for a weight of 700 and a style of italics.
    let mut bold = EMBEDDED.to_vec();
    let table = |tag: &[u8]| {
        let at = (12..).step_by(16).find(|at| &EMBEDDED[*at..at + 4] == tag).unwrap();
        u32::from_be_bytes(EMBEDDED[at + 8..at + 12].try_into().unwrap()) as usize
    };
    let os2 = table(b"OS/2");
    bold[os2 + 4..os2 + 6].copy_from_slice(&700u16.to_be_bytes());
    bold[os2 + 62..os2 + 64].copy_from_slice(&0x21u16.to_be_bytes());
    let mut f = Fonts::with_font(bold.clone()).unwrap();
    let face = f.first_face();
    assert_eq!((face.weight, face.style, face.data() == bold), (700, "italic", true));
    assert_eq!(Fonts::new().first_face().weight, 400);
}

#[test]
fn bytes_that_are_no_font_are_refused() {
    assert!(Fonts::with_font(vec![0; 64]).is_err());
}

/// The embedded font under another name, with characters from U+4E00 on.
fn further_font() -> Vec<u8> {
    let mut bytes = EMBEDDED.to_vec();
    let group = [0, 0, 0x4d, 0xc0, 0, 0, 0x4d, 0xff];
    let at = bytes.windows(8).position(|w| w == group).unwrap();
    bytes[at + 6..at + 8].copy_from_slice(&[0x4e, 0x7f]);
    for at in 0..bytes.len() - 12 {
        if bytes[at..].starts_with(b"D\0e\0j\0a\0V\0u") {
            bytes[at] = b'T';
        }
    }
    bytes
}

#[test]
fn a_further_font_has_what_the_others_lack() {
    let mut f = Fonts::new();
    let before = f.line("a \u{4e2d}");
    assert_eq!((before.missing, f.lacking()), (1, vec!['\u{4e2d}']));
    assert_eq!(f.lacking_of(vec!['a', '\u{1}', '\u{4e01}']), ['\u{4e01}']);
    f.add_font(vec![0; 100], 0);
    assert_eq!(f.missing("\u{4e2d}"), 1);
    f.add_font(further_font(), 0);
    let line = f.line("a \u{4e2d}");
    assert_eq!((line.missing, f.lacking()), (0, vec![]));
    let family = |g: &Glyph| f.faces[g.font].1.family.clone();
    assert_eq!(family(&line.glyphs[0]), "DejaVu Sans");
    assert_eq!(family(line.glyphs.last().unwrap()), "TejaVu Sans");
    // What the first fonts have stays as it is.
    assert_eq!(Fonts::new().line("abc").width, f.line("abc").width);
}
