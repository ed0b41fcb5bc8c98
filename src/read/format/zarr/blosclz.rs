//! `BloscLZ`, Blosc's own compression: literals and matches, each behind a control byte.

use crate::array::ArrayFault;

/// The farthest match of the short form.
const FAR: usize = 8191;

/// Decompresses into `out`, which the result must fill.
pub(super) fn decompress(from: &[u8], out: &mut [u8]) -> Result<(), ArrayFault> {
    let short = "BloscLZ data ends within a match";
    let more = "BloscLZ data holds more than it declares";
    let mut bytes = from.iter();
    // The upper bits of the first byte tell the version of the compressor.
    let mut control = usize::from(*bytes.next().ok_or(short)? & 31);
    let mut at = 0;
    loop {
        if control < 32 {
            let n = control + 1;
            let literals = bytes.as_slice().get(..n).ok_or("BloscLZ data ends within its literals")?;
            out.get_mut(at..at + n).ok_or(more)?.copy_from_slice(literals);
            bytes = bytes.as_slice()[n..].iter();
            at += n;
        } else {
            let mut length = (control >> 5) - 1 + 3;
            if length == 9 {
                loop {
                    let byte = *bytes.next().ok_or(short)?;
                    length += usize::from(byte);
                    if byte != 255 {
                        break;
                    }
                }
            }
            let low = usize::from(*bytes.next().ok_or(short)?);
            let mut distance = ((control & 31) << 8) + low;
            if distance == FAR {
                let (high, low) = (bytes.next().ok_or(short)?, bytes.next().ok_or(short)?);
                distance += usize::from(u16::from_be_bytes([*high, *low]));
            }
            let first = at.checked_sub(distance + 1).ok_or("a BloscLZ match begins before the data")?;
            if length > out.len() - at {
                return Err(more.into());
            }
            // A match may reach into what it writes.
            (0..length).for_each(|i| out[at + i] = out[first + i]);
            at += length;
        }
        match bytes.next() {
            Some(next) => control = usize::from(*next),
            None if at == out.len() => return Ok(()),
            None => return Err(format!("BloscLZ data gives {at} bytes of {}", out.len()).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(from: &[u8], n: usize) -> Result<Vec<u8>, ArrayFault> {
        let mut out = vec![0; n];
        decompress(from, &mut out).map(|()| out)
    }

    #[test]
    fn literals_and_matches() {
        assert_eq!(run(&[2, 7, 8, 9], 3).unwrap(), [7, 8, 9]);
        // Two literals, a match of 4 from 2 back, which runs into itself, one literal.
        assert_eq!(run(&[1, 7, 8, 2 << 5, 1, 0, 9], 7).unwrap(), [7, 8, 7, 8, 7, 8, 9]);
        // A run of one byte, 9 + 255 + 2 long.
        assert_eq!(run(&[0, 5, 7 << 5, 255, 2, 0], 267).unwrap(), vec![5; 267]);
    }

    #[test]
    fn damaged_data_is_an_error() {
        for (bytes, n) in [
            (&[][..], 1),
            (&[5, 1], 6),
            (&[0, 1, 32, 9], 4),
            (&[0, 1], 2),
            (&[1, 7, 8, 2 << 5, 1], 4),
            (&[0, 1, 0xe0, 255], 9),
        ] {
            assert!(run(bytes, n).is_err(), "{bytes:?}");
        }
    }
}
