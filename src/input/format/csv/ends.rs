//! Where lines, records and fields end in the bytes of a text.

use super::quotes::{Role, follow};
use crate::input::error::InputError;
use memchr::{memchr, memchr_iter, memrchr2};

/// Line ends: CRLF counts once.
pub fn lines(bytes: &[u8]) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count();
    let alone = memchr_iter(b'\r', bytes)
        .filter(|&i| bytes.get(i + 1) != Some(&b'\n'))
        .count();
    (feeds + alone) as u64
}

/// Bytes of which it is known whether they hold line ends: a carriage return at the very end may be half of one.
fn whole(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Where the last line ends, in bytes that more bytes follow.
pub fn last_break(bytes: &[u8]) -> Option<usize> {
    memrchr2(b'\n', b'\r', whole(bytes)).map(|i| i + 1)
}

/// Where the last whole record ends, in bytes that more bytes follow. `quoted` says that quotes may hide line ends.
pub fn last_end(bytes: &[u8], delimiter: u8, quoted: bool) -> Option<usize> {
    if !quoted && memchr(b'"', bytes).is_none() {
        return last_break(bytes);
    }
    let (whole, mut end) = (whole(bytes), None);
    follow(whole, delimiter, |i, role| {
        if role == Role::Plain && matches!(whole[i], b'\n' | b'\r') {
            end = Some(i + 1);
        }
    });
    end
}

/// Calls `hit` with the place of each of three bytes, eight bytes at a time.
pub fn hits(
    bytes: &[u8],
    of: [u8; 3],
    hit: &mut impl FnMut(usize) -> Result<(), InputError>,
) -> Result<(), InputError> {
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
        let mut found = equal(patterns[0]) | equal(patterns[1]) | equal(patterns[2]);
        while found != 0 {
            hit(i * 8 + (found.trailing_zeros() / 8) as usize)?;
            found &= found - 1;
        }
    }
    let before = words.len() * 8;
    (0..rest.len())
        .filter(|i| of.contains(&rest[*i]))
        .try_for_each(|i| hit(before + i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_end_outside_quotes() {
        assert_eq!(
            (lines(b"a\r\nb\rc\nd"), last_end(b"a,b\n1,2\n3", b',', false)),
            (3, Some(8))
        );
        assert_eq!(
            (
                last_end(b"a,\"b\n1,2\n3", b',', false),
                last_end(b"a,b\n\"1\n", b',', false)
            ),
            (None, Some(4))
        );
        assert_eq!(
            (last_end(b"a\r", b',', false), last_end(b"", b',', true)),
            (None, None)
        );
    }

    #[test]
    fn every_hit_is_found_in_its_order() {
        let text: Vec<u8> = (0..999u32)
            .map(|i| b"a,;\n\r\xff"[(i * 7919 % 13 % 6) as usize])
            .collect();
        let mut found = Vec::new();
        hits(&text, *b",\n\r", &mut |at| {
            found.push(at);
            Ok(())
        })
        .unwrap();
        assert_eq!(
            found,
            (0..text.len())
                .filter(|i| b",\n\r".contains(&text[*i]))
                .collect::<Vec<_>>()
        );
    }
}
