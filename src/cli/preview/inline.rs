//! PNG files within the text of a terminal: kitty's graphics protocol and iTerm2's inline images.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The most bytes of a part of kitty's protocol.
const PART: usize = 4096;

/// A PNG by kitty's protocol, over `cells` columns and lines, without an answer and without a move of the cursor.
pub(super) fn kitty(png: &[u8], cells: [u32; 2]) -> String {
    let text = STANDARD.encode(png);
    let parts = text.as_bytes().chunks(PART).map(|part| String::from_utf8_lossy(part));
    let last = text.len().div_ceil(PART).saturating_sub(1);
    let mut out = String::new();
    for (i, part) in parts.enumerate() {
        let keys = if i == 0 {
            format!("f=100,a=T,q=2,C=1,c={},r={},", cells[0], cells[1])
        } else {
            "q=2,".to_owned()
        };
        out.push_str(&format!("\u{1b}_G{keys}m={};{part}\u{1b}\\", u8::from(i < last)));
    }
    out
}

/// A PNG as an inline image of iTerm2, over `cells` columns and lines.
pub(super) fn iterm2(png: &[u8], cells: [u32; 2]) -> String {
    let [width, height] = cells;
    let (size, text) = (png.len(), STANDARD.encode(png));
    format!("\u{1b}]1337;File=inline=1;size={size};width={width};height={height}:{text}\u{7}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_marked_and_join_to_the_file() {
        for length in [1, 3071, 3072, 3073, 6144, 10_000] {
            let png: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            let text = kitty(&png, [80, 22]);
            let parts: Vec<(&str, &str)> = text
                .split_terminator("\u{1b}\\")
                .map(|p| p.strip_prefix("\u{1b}_G").unwrap().split_once(';').unwrap())
                .collect();
            assert_eq!(parts.len(), (length as usize).div_ceil(3072));
            for (i, (keys, part)) in parts.iter().enumerate() {
                let more = u8::from(i + 1 < parts.len());
                assert!(part.len() <= 4096 && keys.ends_with(&format!("m={more}")), "{keys}");
                assert_eq!(keys.contains("a=T"), i == 0);
            }
            assert!(parts[0].0.starts_with("f=100,a=T,q=2,C=1,c=80,r=22,"));
            let all: String = parts.iter().map(|p| p.1).collect();
            assert_eq!(STANDARD.decode(all).unwrap(), png);
        }
    }

    #[test]
    fn an_inline_image_names_its_bytes_and_cells() {
        assert_eq!(iterm2(b"png", [8, 2]), "\u{1b}]1337;File=inline=1;size=3;width=8;height=2:cG5n\u{7}");
    }
}
