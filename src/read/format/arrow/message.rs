//! The messages of an Arrow file or stream, with every length checked against the bytes that are there.

use crate::budget::Reservation;
use crate::bytes::Content;
use crate::format::decoding::DecodeFault;
use arrow_ipc::{Footer, Message, MetadataVersion, Schema, root_as_footer, root_as_message};

const MAGIC: &[u8; 6] = b"ARROW1";
/// The mark before a message's length, since version 0.15.
const CONTINUES: [u8; 4] = [0xff; 4];
/// Bytes of checks and copies for each byte of metadata, at most.
const GROWTH: u64 = 8;
/// Bytes that a message takes beside its metadata.
const RAW: u64 = 96;

/// A message: its metadata, and where its body is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RawMessage {
    pub metadata: Vec<u8>,
    pub body: u64,
    pub body_len: u64,
}

impl RawMessage {
    /// The metadata, its offsets checked.
    pub(super) fn message(&self) -> Result<Message<'_>, DecodeFault> {
        root_as_message(&self.metadata)
            .map_err(|_| DecodeFault::damaged("a message whose metadata points outside itself"))
    }
}

/// Where the schema is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Head {
    /// In the first message of a stream.
    Message(RawMessage),
    /// In the footer of a file.
    Footer(Vec<u8>),
}

impl Head {
    /// The schema and the version of the metadata.
    pub(super) fn schema(&self) -> Result<(Schema<'_>, MetadataVersion), DecodeFault> {
        let found = match self {
            Head::Message(raw) => {
                let m = raw.message()?;
                (m.header_as_schema(), m.version())
            }
            Head::Footer(bytes) => {
                let f = footer(bytes)?;
                (f.schema(), f.version())
            }
        };
        Ok((found.0.ok_or_else(|| DecodeFault::damaged("it does not begin with a schema"))?, found.1))
    }
}

fn footer(bytes: &[u8]) -> Result<Footer<'_>, DecodeFault> {
    root_as_footer(bytes).map_err(|_| DecodeFault::damaged("a footer that points outside itself"))
}

/// The schema of a file or stream, and its other messages: in a file, dictionaries before the batches that they are for.
///
/// # Errors
/// Lengths that are not those of the file, or too little memory.
pub(super) fn messages(
    source: &Content,
    room: &mut Reservation,
) -> Result<(Head, Vec<RawMessage>), DecodeFault> {
    let head = source.read(0, source.len().min(8))?;
    if head.starts_with(MAGIC) {
        return of_file(source, room);
    }
    let mut all = of_stream(source, 0, source.len(), room)?;
    if all.is_empty() {
        return Err(DecodeFault::damaged("it does not begin with a schema"));
    }
    Ok((Head::Message(all.remove(0)), all))
}

/// The message at a place, and where the next one begins; `None` at the end of a stream.
fn at(
    source: &Content,
    at: u64,
    end: u64,
    room: &mut Reservation,
) -> Result<Option<(RawMessage, u64)>, DecodeFault> {
    if at == end {
        return Ok(None);
    }
    let mut start = at;
    let word = |start: &mut u64| -> Result<[u8; 4], DecodeFault> {
        let bytes = source.read(*start, 4.min(end - *start))?;
        *start += 4;
        bytes.try_into().map_err(|_| DecodeFault::damaged("it ends inside a message: cut short?"))
    };
    let mut len = word(&mut start)?;
    if len == CONTINUES {
        len = word(&mut start)?;
    }
    let len = u64::try_from(i32::from_le_bytes(len))
        .map_err(|_| DecodeFault::damaged("a message of negative length"))?;
    if len == 0 {
        return Ok(None);
    }
    if len > end.saturating_sub(start) {
        return Err(DecodeFault::damaged(format!("a message of {len} bytes at {at}, past the end")));
    }
    believable(len, "a message", room)?;
    room.owe(len + RAW)?;
    let mut raw = RawMessage { metadata: source.read(start, len)?, body: start + len, body_len: 0 };
    let body_len = raw.message()?.bodyLength();
    raw.body_len = u64::try_from(body_len)
        .map_err(|_| DecodeFault::damaged("a message with a body of negative length"))?;
    let next = raw.body.checked_add(raw.body_len).filter(|n| *n <= end);
    let next = next.ok_or_else(|| {
        DecodeFault::damaged(format!("a body of {body_len} bytes at {}, past the end: cut short?", raw.body))
    })?;
    Ok(Some((raw, next)))
}

/// Refuses metadata that are too long for the memory.
fn believable(len: u64, what: &str, room: &Reservation) -> Result<(), DecodeFault> {
    let limit = room.budget().limit();
    if len.saturating_mul(GROWTH) <= limit {
        return Ok(());
    }
    Err(DecodeFault::Limit(format!(
        "{what} of {len} bytes needs more than the memory limit of {} MiB",
        limit >> 20
    )))
}

fn of_stream(
    source: &Content,
    mut from: u64,
    end: u64,
    room: &mut Reservation,
) -> Result<Vec<RawMessage>, DecodeFault> {
    let mut out = Vec::new();
    while let Some((raw, next)) = at(source, from, end, room)? {
        out.push(raw);
        from = next;
    }
    Ok(out)
}

/// The footer of a file, which holds its schema again, and the messages that it lists.
fn of_file(source: &Content, room: &mut Reservation) -> Result<(Head, Vec<RawMessage>), DecodeFault> {
    let len = source.len();
    let short = || DecodeFault::damaged("it does not end as an Arrow file: cut short?");
    let tail = source.read(len.checked_sub(10).filter(|l| *l >= 8).ok_or_else(short)?, 10)?;
    if !tail.ends_with(MAGIC) {
        return Err(short());
    }
    let size = u64::try_from(i32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])).unwrap_or(u64::MAX);
    let start = (len - 10).checked_sub(size).filter(|s| *s >= 8);
    let start =
        start.ok_or_else(|| DecodeFault::damaged(format!("a footer of {size} bytes in a file of {len}")))?;
    believable(size, "a footer", room)?;
    room.more(size)?;
    let bytes = source.read(start, size)?;
    let listed = footer(&bytes)?;
    let mut out = Vec::new();
    for block in listed.dictionaries().into_iter().chain(listed.recordBatches()).flatten() {
        let from = u64::try_from(block.offset()).ok().filter(|o| (8..start).contains(o));
        let from = from.ok_or_else(|| {
            DecodeFault::damaged(format!("a block at {}, which is not inside the file", block.offset()))
        })?;
        let (raw, next) = at(source, from, start, room)?
            .ok_or_else(|| DecodeFault::damaged("a block without a message"))?;
        let lengths = i64::from(block.metaDataLength()).checked_add(block.bodyLength());
        if lengths.and_then(|l| u64::try_from(l).ok()) != Some(next - from) {
            return Err(DecodeFault::damaged(format!("a block at {from} of other lengths than its message")));
        }
        out.push(raw);
    }
    Ok((Head::Footer(bytes), out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn lengths_are_those_of_the_file() {
        let of =
            |bytes: &[u8]| messages(&Content::Memory(bytes.to_vec()), &mut Budget::new(1 << 20).nothing());
        let wrong: [&[u8]; 8] = [
            &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
            b"ARROW1",
            b"ARROW1\0\0ARROW1",
            b"ARROW1\0\0\xff\xff\xff\x7fARROW1",
            b"ARROW1\0\0\xff\xff\xff\xffARROW1",
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
            &[0xff, 0xff, 0xff, 0xff, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0xff, 0xff, 0xff, 0xff, 8],
        ];
        for bytes in wrong {
            assert!(matches!(of(bytes), Err(DecodeFault::Damaged(_))), "{bytes:?}");
        }
    }
}
