//! Statements of zip archives about their members, in places that the crate `zip` does not read, or reads too late.

use std::io::{Read, Result, Seek, SeekFrom};

/// The most bytes of a damaged name that are shown.
const LONGEST_NAME: usize = 256;
/// The record at the end of an archive, and the longest comment after it.
const LONGEST_END: u64 = 22 + 65_535;

/// The name in the header before a member's data, where it is not the one that the directory lists.
pub(super) fn other_name(from: &mut (impl Read + Seek), at: u64, listed: &[u8]) -> Result<Option<String>> {
    let mut fixed = [0; 30];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut fixed)?;
    if !fixed.starts_with(b"PK\x03\x04") {
        return Ok(None);
    }
    let mut name = Vec::new();
    from.by_ref().take(u64::from(u16::from_le_bytes([fixed[26], fixed[27]]))).read_to_end(&mut name)?;
    // A damaged length makes a name of whatever comes behind it.
    Ok((name != listed).then(|| name[..name.len().min(LONGEST_NAME)].escape_ascii().to_string()))
}

/// How many members the record at the end of an archive declares, and how long its directory is; `None` where there is none.
pub(super) fn entries(from: &mut (impl Read + Seek), len: u64) -> Result<Option<(u64, u64)>> {
    let start = len.saturating_sub(LONGEST_END);
    let mut tail = Vec::new();
    from.seek(SeekFrom::Start(start))?;
    from.by_ref().take(LONGEST_END).read_to_end(&mut tail)?;
    let Some(at) = tail.windows(4).rposition(|w| w == b"PK\x05\x06") else {
        return Ok(None);
    };
    let end = &tail[at..];
    let count = end.get(10..).and_then(|b| b.first_chunk()).map(|b| u64::from(u16::from_le_bytes(*b)));
    let bytes = end.get(12..).and_then(|b| b.first_chunk()).map(|b| u64::from(u32::from_le_bytes(*b)));
    let short = count.zip(bytes);
    if count != Some(0xffff) && bytes != Some(0xffff_ffff) {
        return Ok(short);
    }
    // The locator before it says where the record of 64 bits is.
    let word = |b: &[u8]| b.try_into().map(u64::from_le_bytes).ok();
    let locator = at.checked_sub(20).and_then(|l| tail[l..at].strip_prefix(b"PK\x06\x07"));
    let Some(place) = locator.and_then(|l| word(&l[4..12])).filter(|p| *p < len) else {
        return Ok(short);
    };
    let mut record = Vec::new();
    from.seek(SeekFrom::Start(place))?;
    from.by_ref().take(48).read_to_end(&mut record)?;
    let long =
        record.strip_prefix(b"PK\x06\x06").and_then(|r| word(r.get(28..36)?).zip(word(r.get(36..44)?)));
    Ok(long.or(short))
}
