//! The ways in which files break: flipped bits, lengths made huge, parts gone or twice, words changed. The same in every run.

use crate::support::random::Random;

/// Replacements for numbers and words of a text.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "2147483648",
    "4294967295",
    "1099511627776",
    "18446744073709551616",
    "99999999999999999999999999999999999999999999",
    "1e999",
    "-1e-999",
    "1e18",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"..\"",
    "\"NaN\"",
    "inf",
    "2024-01-01",
    "\u{feff}",
    "\u{1b}[31m",
    "\u{202e}",
    "\r",
    "\0",
];
/// Replacements for lengths and offsets of a binary file, little-endian.
const LENGTHS: [u64; 12] = [
    0,
    1,
    1 << 20,
    1 << 31,
    (1 << 31) - 1,
    (1 << 32) - 1,
    (1 << 32) - 2,
    1 << 40,
    1 << 62,
    1 << 63,
    (1 << 63) - 1,
    u64::MAX,
];

/// Random damage.
pub trait Damage {
    fn place(&mut self, len: usize) -> usize;
    fn damaged(&mut self, good: &[u8], other: &[u8]) -> Vec<u8>;
    fn damage(&mut self, bytes: &mut Vec<u8>, other: &[u8], text: bool);
    fn reword(&mut self, bytes: &mut Vec<u8>);
}

impl Damage for Random {
    /// A place in this many bytes; headers and footers are at the ends, where half of the changes go.
    fn place(&mut self, len: usize) -> usize {
        match self.below(4) {
            0 => self.below(len.min(400)),
            1 => len - 1 - self.below(len.min(400)),
            _ => self.below(len),
        }
    }

    /// Bytes with one to three kinds of damage; `other` is a file to glue to them.
    fn damaged(&mut self, good: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = good.to_vec();
        let text =
            good.iter().take(400).filter(|b| **b >= 0x7f || **b < 9).count() * 20 <= good.len().min(400);
        for _ in 0..[1, 1, 2, 3][self.below(4)] {
            if bytes.is_empty() {
                break;
            }
            self.damage(&mut bytes, other, text);
        }
        if bytes == good && !bytes.is_empty() {
            let at = self.place(bytes.len());
            bytes[at] ^= 1 << self.below(8);
        }
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>, other: &[u8], text: bool) {
        let at = self.place(bytes.len());
        let run = 1 + self.below(64.min(bytes.len() - at));
        match self.below(12) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, self.below(256) as u8][self.below(6)],
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + run)),
            4 => {
                let part = bytes[at..at + run].repeat([1, 2, 50][self.below(3)]);
                drop(bytes.splice(at..at, part));
            }
            5 => {
                let from = self.below(other.len());
                bytes.truncate(if self.below(2) == 0 { at } else { bytes.len() });
                bytes.extend(&other[from..]);
            }
            6 => {
                let from = self.below(bytes.len() - run + 1);
                let part = bytes[from..from + run].to_vec();
                bytes[at..at + run].copy_from_slice(&part);
            }
            _ if text => self.reword(bytes),
            _ => {
                let length = LENGTHS[self.below(LENGTHS.len())].to_le_bytes();
                let width = [4, 8][self.below(2)].min(bytes.len() - at);
                bytes[at..at + width].copy_from_slice(&length[..width]);
            }
        }
    }

    /// A word, a number or a sign of a text becomes another one of it, one of the wrong ones, nothing, or many of itself.
    fn reword(&mut self, bytes: &mut Vec<u8>) {
        let tokens = tokens(bytes);
        if tokens.is_empty() {
            return;
        }
        let (start, end) = tokens[self.below(tokens.len())];
        let other = tokens[self.below(tokens.len())];
        let word = match self.below(5) {
            0 => bytes[other.0..other.1].to_vec(),
            1 => Vec::new(),
            2 => bytes[start..end].repeat([2, 1000][self.below(2)]),
            _ => WORDS[self.below(WORDS.len())].as_bytes().to_vec(),
        };
        bytes.splice(start..end, word);
    }
}

/// Where the words, numbers and signs of a text stand.
fn tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let kind = |b: u8| match b {
        b'0'..=b'9' | b'.' | b'-' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 2,
        b' ' | b'\t' => 0,
        _ => 3,
    };
    let (mut out, mut start) = (Vec::new(), 0);
    for i in 1..=bytes.len().min(20_000) {
        let same = i < bytes.len() && kind(bytes[i]) == kind(bytes[i - 1]) && kind(bytes[i]) != 3;
        if !same {
            if kind(bytes[start]) > 0 {
                out.push((start, i));
            }
            start = i;
        }
    }
    out
}

#[test]
fn damage_differs_from_copy_to_copy_and_not_from_run_to_run() {
    let good = b"model,1,2\na,0.5,-0.25\n";
    let copies = |seed: u64| (0..50u64).map(|i| Random(seed + i).damaged(good, good)).collect::<Vec<_>>();
    assert_eq!(copies(1), copies(1));
    let mut all = copies(1);
    all.sort();
    all.dedup();
    assert!(all.len() > 40 && all.iter().all(|b| b != good), "{} differ", all.len());
    let words: Vec<&[u8]> = tokens(good).into_iter().map(|(s, e)| &good[s..e]).collect();
    assert_eq!(words[..6], [&b"model"[..], b",", b"1", b",", b"2", b"\n"]);
}
