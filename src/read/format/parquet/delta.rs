//! The headers of delta encodings, whose decoders take memory for as many values as these declare.

use super::thrift::varint_of;
use crate::format::decoding::Fault;

/// Checks that a delta-encoded run holds at most `most` lengths, and returns where it ends and their sum.
///
/// # Errors
/// More values, a negative one, or a run that ends early.
pub(super) fn lengths(bytes: &[u8], most: u64) -> Result<(usize, u64), Fault> {
    let (mut sum, mut negative) = (0u64, false);
    let end = run(bytes, most, |length| {
        negative |= length < 0;
        sum = sum.saturating_add(length.unsigned_abs());
    })?;
    if negative { Err(Fault::damaged("a text of negative length")) } else { Ok((end, sum)) }
}

/// Checks that a delta-encoded run declares at most `most` values.
///
/// # Errors
/// More than `most`.
pub(super) fn declared(bytes: &[u8], most: u64) -> Result<(), Fault> {
    let mut at = 0;
    for _ in 0..2 {
        varint_of(bytes, &mut at)?;
    }
    let values = varint_of(bytes, &mut at)?;
    if values > most {
        Err(Fault::damaged(format!("a delta run of {values} values, {most} expected at most")))
    } else {
        Ok(())
    }
}

/// Reads a run of 32-bit integers, and returns where it ends.
fn run(bytes: &[u8], most: u64, mut found: impl FnMut(i64)) -> Result<usize, Fault> {
    let mut at = 0;
    let block = varint_of(bytes, &mut at)?;
    let minis = varint_of(bytes, &mut at)?;
    let values = varint_of(bytes, &mut at)?;
    let zigzag = |v: u64| (v >> 1) as i64 ^ -((v & 1) as i64);
    let mut last = zigzag(varint_of(bytes, &mut at)?);
    let even = minis > 0 && block % 128 == 0 && block % minis == 0 && (block / minis) % 32 == 0 && block > 0;
    if values > most || !even || block > 1 << 30 {
        return Err(Fault::damaged(format!(
            "a delta run of {values} values in blocks of {block}, {most} expected at most"
        )));
    }
    let of_mini = block / minis;
    if values > 0 {
        found(last);
    }
    let mut left = values.saturating_sub(1);
    while left > 0 {
        let least = zigzag(varint_of(bytes, &mut at)?);
        let widths = bytes.get(at..).and_then(|b| b.get(..usize::try_from(minis).ok()?));
        let widths = widths.ok_or_else(|| Fault::damaged("a delta run ends early"))?;
        at += widths.len();
        for &width in widths {
            if left == 0 {
                break;
            }
            let size = u64::from(width) * of_mini / 8;
            // The last block may be cut after its last value.
            let needed = u64::from(width).saturating_mul(left.min(of_mini)).div_ceil(8);
            let rest = (bytes.len() - at) as u64;
            if width > 64 || needed > rest {
                return Err(Fault::damaged("a delta run ends early"));
            }
            let mini = &bytes[at..at + size.min(rest) as usize];
            for i in 0..left.min(of_mini) {
                // Decoders wrap at 32 bits.
                last =
                    i64::from(
                        last.wrapping_add(least).wrapping_add(bits(mini, i * u64::from(width), width)) as i32
                    );
                found(last);
            }
            at += mini.len();
            left -= left.min(of_mini);
        }
    }
    Ok(at)
}

/// An integer of `width` bits from a bit on, the lowest bit first.
fn bits(bytes: &[u8], from: u64, width: u8) -> i64 {
    let bit = |i: u64| bytes.get((i / 8) as usize).map_or(0, |b| u64::from(b >> (i % 8) & 1));
    (0..u64::from(width)).fold(0, |v, i| v | bit(from + i) << i) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_measured() {
        // 128 a block, 4 minis of 32; 3 values; first 7; least delta 1; widths 2, 0, 0, 0; one mini of 32 x 2 bits.
        let mut bytes = vec![0x80, 0x01, 4, 3, 14, 2, 2, 0, 0, 0];
        // Deltas 1 + 2 and 1 + 1: 7, 10, 12.
        bytes.extend([0b0110, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"rest");
        assert_eq!(lengths(&bytes, 3), Ok((18, 29)));
        assert!(lengths(&bytes, 2).is_err() && declared(&bytes, 2).is_err() && declared(&bytes, 3).is_ok());
        for end in 0..11 {
            assert!(lengths(&bytes[..end], 3).is_err(), "{end}");
        }
        assert!(lengths(&[0x80, 0x01, 4, 0xff, 0xff, 0xff, 0xff, 0x0f, 0], 1000).is_err());
        assert!(lengths(&[0x80, 0x01, 0, 1, 0], 1000).is_err());
        assert_eq!(lengths(&[0x80, 0x01, 4, 0, 0], 0), Ok((5, 0)));
        assert!(lengths(&[0x80, 0x01, 4, 1, 1], 1).is_err(), "a length of -1");
    }
}
