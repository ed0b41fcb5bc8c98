//! The checksums that chunks end with: CRC-32C, and Fletcher's sum of 16-bit words as HDF5 and numcodecs compute it.

use crate::array::Fault;

/// Remainders of each byte for the reflected Castagnoli polynomial.
const TABLE: [u32; 256] = {
    let mut table = [0u32; 256];
    let mut i = 0;
    while i < 256 {
        let (mut c, mut bit) = (i as u32, 0);
        while bit < 8 {
            c = if c & 1 == 1 { (c >> 1) ^ 0x82f6_3b78 } else { c >> 1 };
            bit += 1;
        }
        table[i] = c;
        i += 1;
    }
    table
};

/// CRC-32C.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |c, &b| (c >> 8) ^ TABLE[usize::from(c as u8 ^ b)])
}

/// Fletcher-32 over big-endian words; a last odd byte is the high half of a word.
pub(super) fn fletcher32(bytes: &[u8]) -> u32 {
    let fold = |s: u32| (s & 0xffff) + (s >> 16);
    let (mut a, mut b) = (0u32, 0u32);
    // 360 words are the most that 32 bits can sum before they are folded.
    for block in bytes.chunks(720) {
        for word in block.chunks(2) {
            a += (u32::from(word[0]) << 8) | u32::from(*word.get(1).unwrap_or(&0));
            b += a;
        }
        (a, b) = (fold(a), fold(b));
    }
    (fold(b) << 16) | fold(a)
}

/// The bytes before a checksum of 4 little-endian bytes, which must be right.
pub(super) fn checked(mut bytes: Vec<u8>, name: &str, sum: fn(&[u8]) -> u32) -> Result<Vec<u8>, Fault> {
    let Some((data, found)) = bytes.split_last_chunk() else {
        return Err(format!("{} bytes are too few for a {name} checksum", bytes.len()).into());
    };
    let (found, made, len) = (u32::from_le_bytes(*found), sum(data), data.len());
    if found != made {
        return Err(format!("the {name} checksum is {found:08x}, the bytes give {made:08x}").into());
    }
    bytes.truncate(len);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        // Sums of big-endian words: 0x6162 + 0x6364 + 0x6500, and their running sums, folded.
        assert_eq!(fletcher32(b"abcde"), 0x4ff0_29c7);
        assert_eq!(fletcher32(&[0xff; 4096]), 0xffff_ffff);
    }

    #[test]
    fn a_wrong_or_short_sum_is_an_error() {
        let mut good = b"cells".to_vec();
        good.extend(crc32c(b"cells").to_le_bytes());
        assert_eq!(checked(good.clone(), "crc32c", crc32c).unwrap(), b"cells");
        good[0] ^= 1;
        assert!(checked(good, "crc32c", crc32c).unwrap_err().what.contains("the bytes give"));
        assert!(checked(vec![1, 2, 3], "crc32c", crc32c).unwrap_err().what.contains("too few"));
    }
}
