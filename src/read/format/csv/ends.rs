//! Where lines and fields end in the bytes of a text.

use memchr::{memchr_iter, memrchr2};

/// Line ends: CRLF counts once.
pub(super) fn lines(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let alone = memchr_iter(b'\r', bytes).filter(|&i| bytes.get(i + 1) != Some(&b'\n')).count();
    (feeds + alone) as u64
}

/// Bytes of which it is known whether they hold line ends: a carriage return at the very end may be half of one.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Where the last line ends, in bytes that more bytes follow.
pub(super) fn last_break(bytes: &[u8]) -> Option<usize> {
    memrchr2(b'\n', b'\r', whole_lines(bytes)).map(|i| i + 1)
}

/// Calls `hit` with the place of each of some bytes, eight bytes at a time.
///
/// # Errors
/// The first of `hit`, which ends the work.
pub(super) fn hits<const N: usize, E>(
    bytes: &[u8],
    of: [u8; N],
    hit: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let patterns = of.map(|b| u64::from(b) * 0x0101_0101_0101_0101);
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that equals the pattern's: no carry reaches a neighbour.
        let equal = |pattern: u64| {
            let x = word ^ pattern;
            !(((x & LOW) + LOW) | x | LOW)
        };
        let mut found = patterns.iter().fold(0, |found, p| found | equal(*p));
        while found != 0 {
            hit(i * 8 + (found.trailing_zeros() / 8) as usize)?;
            found &= found - 1;
        }
    }
    let before = words.len() * 8;
    (0..rest.len()).filter(|i| of.contains(&rest[*i])).try_for_each(|i| hit(before + i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_of_two_bytes_is_one() {
        assert_eq!((lines(b"a\r\nb\rc\nd"), lines(b"\n\r")), (3, 2));
        assert_eq!((last_break(b"a\nb\r"), last_break(b"a\r")), (Some(2), None));
    }

    #[test]
    fn every_hit_is_found_in_its_order() {
        let text: Vec<u8> = (0..999u32).map(|i| b"a,;\n\r\xff"[(i * 7919 % 13 % 6) as usize]).collect();
        let mut found = Vec::new();
        hits(&text, *b",\n\r", &mut |at| {
            found.push(at);
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(found, (0..text.len()).filter(|i| b",\n\r".contains(&text[*i])).collect::<Vec<_>>());
    }
}
