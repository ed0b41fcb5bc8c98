//! Footer of a Parquet file. What the decoder trusts in it is checked first.

use super::thrift::{STRUCT, Thrift};
use crate::budget::Reservation;
use crate::bytes::Content;
use crate::format::decoding::Fault;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

/// Groups inside each other.
const DEPTH: u64 = 128;
/// Bytes that a decoded footer may take for each of its own.
const GROWTH: u64 = 64;

/// Metadata of a file, and where its footer begins.
///
/// # Errors
/// No footer, an encrypted one, one that contradicts itself, or too little memory.
pub(super) fn read_footer(source: &Content, room: &mut Reservation) -> Result<(ParquetMetaData, u64), Fault> {
    let len = source.len();
    if len < 12 {
        return Err(Fault::damaged(format!("{len} bytes are too few for a Parquet file")));
    }
    let tail = source.read(len - 8, 8)?;
    let size = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    match &tail[4..] {
        b"PAR1" => {}
        b"PARE" => {
            return Err(Fault::Unread("Parquet with an encrypted footer, which is not read".to_owned()));
        }
        _ => return Err(Fault::damaged("it does not end as a Parquet file: cut short?")),
    }
    if size > len - 12 {
        return Err(Fault::damaged(format!("a footer of {size} bytes in a file of {len}")));
    }
    room.more(size.saturating_mul(GROWTH))
        .map_err(|s| Fault::Limit(format!("a footer of {size} bytes: {s}")))?;
    let start = len - 8 - size;
    let bytes = source.read(start, size)?;
    look_through(&bytes)?;
    let footer = ParquetMetaDataReader::decode_metadata(&bytes)
        .map_err(|e| Fault::damaged(format!("footer: {}", first_line(&e))))?;
    Ok((footer, start))
}

/// The first line of the decoder's message, without its name.
pub(super) fn first_line(error: &ParquetError) -> String {
    let text = match error {
        ParquetError::General(message) => message.clone(),
        other => other.to_string(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Checks what the decoder does not: how many children a group reserves memory for, and how deep groups are nested, which the
/// decoder follows by recursion. Encrypted columns are refused by name.
fn look_through(bytes: &[u8]) -> Result<(), Fault> {
    let mut t = Thrift::new(bytes);
    let mut id = 0;
    while let Some(kind) = t.field(&mut id)? {
        match (id, kind) {
            (2, 9) => schema(&mut t)?,
            (8, _) => {
                return Err(Fault::Unread("Parquet with encrypted columns, which is not read".to_owned()));
            }
            _ => t.skip(kind, 0)?,
        }
    }
    Ok(())
}

/// The schema is a list in which each group says how many of those after it are inside.
fn schema(t: &mut Thrift) -> Result<(), Fault> {
    let (kind, n) = t.list()?;
    if kind != STRUCT {
        return Err(Fault::damaged("a schema of another type"));
    }
    // Of each open group, the elements still to come.
    let mut open: Vec<u64> = Vec::new();
    for i in 0..n {
        let (mut id, mut children) = (0, 0);
        while let Some(kind) = t.field(&mut id)? {
            match (id, kind) {
                (5, 5) => children = t.int()?,
                _ => t.skip(kind, 1)?,
            }
        }
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        } else if i > 0 {
            return Err(Fault::damaged("a schema with more than one root"));
        }
        let children = u64::try_from(children).ok().filter(|c| *c < n - i);
        let children =
            children.ok_or_else(|| Fault::damaged("a schema whose groups hold more than it has"))?;
        if children > 0 {
            open.push(children);
        }
        if open.len() as u64 > DEPTH {
            return Err(Fault::damaged(format!("a schema of more than {DEPTH} groups inside each other")));
        }
    }
    if open.iter().any(|left| *left > 0) {
        return Err(Fault::damaged("a schema whose groups hold more than it has"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    /// A footer with a schema of elements that have these numbers of children.
    fn footer(children: &[i64]) -> Vec<u8> {
        let varint = |mut v: u64| {
            let mut out = Vec::new();
            while v >= 0x80 {
                out.push(v as u8 | 0x80);
                v >>= 7;
            }
            out.push(v as u8);
            out
        };
        let mut out = vec![0x29, 0xfc];
        out.extend(varint(children.len() as u64));
        for &c in children {
            out.push(0x55);
            out.extend(varint(((c << 1) ^ (c >> 63)) as u64));
            out.push(0);
        }
        out.push(0);
        out
    }

    #[test]
    fn groups_hold_what_follows_them() {
        assert_eq!(look_through(&footer(&[2, 0, 1, 0])), Ok(()));
        for wrong in [&[1 << 30][..], &[1, 0, 0], &[-1], &[2, 0], &[3, 1, 0]] {
            assert!(matches!(look_through(&footer(wrong)), Err(Fault::Damaged(_))), "{wrong:?}");
        }
        let mut deep = vec![1; 100_000];
        deep.push(0);
        assert!(look_through(&footer(&deep)).is_err());
    }

    #[test]
    fn the_end_of_a_file_is_checked_against_its_length() {
        let of = |bytes: &[u8]| {
            read_footer(&Content::Memory(bytes.to_vec()), &mut Budget::new(1 << 20).nothing()).unwrap_err()
        };
        assert!(matches!(of(b"PAR1\0\0\0\0PARE"), Fault::Unread(_)));
        for bytes in [
            &b"PAR1"[..],
            b"PAR1\0\0\0\0PAR1",
            b"PAR1\xff\xff\xff\xffPAR1",
            b"PAR1\x01\0\0\0PAR1",
            b"PAR1 and then text",
        ] {
            assert!(matches!(of(bytes), Fault::Damaged(_)), "{bytes:?}");
        }
        let mut long = b"PAR1".to_vec();
        long.resize(100_000, 0);
        long.extend(b"\0\x80\0\0PAR1");
        assert!(matches!(of(&long), Fault::Limit(_)));
    }
}
