//! Bytes and bits of elements that were sorted by their place within an element, put back together.

/// Undoes the byte shuffle: plane k holds byte k of every element. What is left over after the last whole element stays.
pub(super) fn unshuffle(from: &[u8], size: usize) -> Vec<u8> {
    let count = from.len() / size.max(1);
    let mut out = from.to_vec();
    if size < 2 {
        return out;
    }
    for (k, plane) in from[..count * size].chunks_exact(count.max(1)).enumerate() {
        out[k..].iter_mut().step_by(size).zip(plane).for_each(|(to, b)| *to = *b);
    }
    out
}

/// Undoes the bit shuffle: row 8 k + j holds bit j of byte k of every element, eight elements a byte, the first in the lowest
/// bit. Elements that make no whole rows were left as they are, as c-blosc 1 does.
pub(super) fn unshuffle_bits(from: &[u8], size: usize) -> Vec<u8> {
    let count = from.len() / size.max(1);
    if size == 0 || count == 0 || !count.is_multiple_of(8) {
        return from.to_vec();
    }
    let mut out = from.to_vec();
    let width = count / 8;
    for (k, rows) in from[..count * size].chunks_exact(count).enumerate() {
        for group in 0..width {
            let mut bits = 0u64;
            for (j, row) in rows.chunks_exact(width).enumerate() {
                bits |= u64::from(row[group]) << (8 * j);
            }
            let elements = transposed(bits).to_le_bytes();
            let at = group * 8 * size + k;
            out[at..].iter_mut().step_by(size).zip(elements).for_each(|(to, b)| *to = b);
        }
    }
    out
}

/// The 8 x 8 bits of a word with rows and columns swapped.
fn transposed(mut x: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ (x >> shift)) & mask;
        x ^= t ^ (t << shift);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_in_their_places() {
        assert_eq!(unshuffle(&[1, 4, 2, 5, 3, 6, 9], 3), [1, 2, 3, 4, 5, 6, 9]);
        assert_eq!(unshuffle(&[1, 2], 1), [1, 2]);
        assert_eq!(unshuffle(&[1, 2], 4), [1, 2]);
        assert!(unshuffle(&[], 4).is_empty());
    }

    #[test]
    fn bits_come_back_in_their_places() {
        let elements: Vec<u8> = (0..48u32).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        let mut shuffled = vec![0u8; elements.len()];
        for i in 0..48 {
            for bit in 0..32 {
                let set = elements[i * 4 + bit / 8] >> (bit % 8) & 1;
                shuffled[bit * 6 + i / 8] |= set << (i % 8);
            }
        }
        assert_eq!(unshuffle_bits(&shuffled, 4), elements);
        // Nine elements make no rows of eight.
        assert_eq!(unshuffle_bits(&elements[..36], 4), &elements[..36]);
    }
}
