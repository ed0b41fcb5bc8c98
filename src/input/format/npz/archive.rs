//! The arrays of a zip archive, as numpy writes it: listed by their headers, read under limits.

use crate::grid::CELL_BYTES;
use crate::input::array::{Array, Layout};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::format::foreign::refuse;
use crate::input::format::npy::{MAGIC, check_length, head_len, is_type_refusal, parse_header};
use crate::input::place::Place;
use memchr::memmem;
use std::io::{Read, Seek, SeekFrom, copy, sink};
use std::sync::Arc;
use zip::ZipArchive;

/// The most members an archive may have.
const MOST_MEMBERS: u64 = 10_000;
/// A member is at most this many times as long as it is in the archive, plus a mebibyte.
const MOST_RATIO: u64 = 1000;
/// The most bytes of a damaged name that are shown.
const LONGEST_NAME: usize = 256;
/// The record at the end of an archive, and the longest comment after it.
const LONGEST_END: u64 = 22 + 65_535;

/// Bytes that the directory of an archive takes, for each of its own.
const LISTED: u64 = 5;

/// An array of an archive, not read.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Its name, without `.npy`.
    pub name: String,
    /// The name before its data, where that is another: one of the two is damaged.
    pub other_name: Option<String>,
    /// What its header declares, or why it cannot be read.
    pub header: Result<Layout, InputError>,
    /// The header is spelled as numpy spells it and declares all that the member holds: one that is damaged does not.
    exact: bool,
    index: usize,
    size: u64,
    packed: u64,
}

/// An archive that holds arrays.
pub(super) struct Archive<R> {
    zip: ZipArchive<R>,
    /// Of each member the name before its data, where that is not the directory's.
    other_names: Vec<Option<String>>,
    file: String,
    /// Bytes of the file.
    len: u64,
    budget: Arc<Budget>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// When it is damaged, has too many members, one twice, one whose name leads out of it, or no array.
    pub fn open(mut from: R, file: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let damaged = |e: &dyn std::fmt::Display| {
            InputError::refused(file, "", format!("a zip archive that cannot be read: {e}"))
        };
        let len = from.seek(SeekFrom::End(0)).map_err(|e| damaged(&e))?;
        let (entries, directory) = entries(&mut from, len).map_err(|e| damaged(&e))?.unzip();
        let listed = budget.take(LISTED.saturating_mul(directory.unwrap_or(0).min(len)));
        listed.map_err(|s| s.of(file, "the directory of its members"))?;
        let too_many = |n: u64| {
            InputError::limit(
                file,
                format!("a zip archive of {n} members; at most {MOST_MEMBERS} are read"),
            )
        };
        if let Some(n) = entries.filter(|n| *n > MOST_MEMBERS) {
            return Err(too_many(n));
        }
        let mut listed = Vec::new();
        {
            let zip = ZipArchive::new(&mut from).map_err(|e| damaged(&e))?;
            if zip.len() as u64 > MOST_MEMBERS {
                return Err(too_many(zip.len() as u64));
            }
            for index in 0..zip.len() {
                let entry = zip.by_index_data(index).map_err(|e| damaged(&e))?;
                listed.push((entry.header_start(), entry.name_raw().to_vec()));
            }
        }
        // A member without such a header is found to be damaged when it is read.
        let other_names: Vec<_> = listed
            .iter()
            .map(|(at, name)| other_name(&mut from, *at, name).unwrap_or_default())
            .collect();
        let zip = ZipArchive::new(from).map_err(|e| damaged(&e))?;
        let is_array = |n: &Option<String>| n.as_ref().is_some_and(|n| n.ends_with(".npy"));
        if !zip.file_names_raw().any(|n| n.ends_with(b".npy")) && !other_names.iter().any(is_array) {
            return Err(refuse(file, "zip archive"));
        }
        if zip.has_duplicate_names() {
            return Err(InputError::refused(
                file,
                "",
                "a zip archive with two members of one name",
            ));
        }
        let outside = |n: &str| {
            n.starts_with(['/', '\\']) || n.split(['/', '\\']).any(|p| p == ".." || p.ends_with(':'))
        };
        let names = zip
            .file_names_raw()
            .map(|n| String::from_utf8_lossy(n).into_owned());
        if let Some(name) = names.into_iter().find(|n| outside(n)) {
            return Err(InputError::refused(
                file,
                "",
                format!("a zip archive whose member '{name}' would lie outside it"),
            ));
        }
        Ok(Self {
            zip,
            other_names,
            file: file.to_owned(),
            len,
            budget: Arc::clone(budget),
        })
    }

    /// The arrays in the file's order, of each only its header read; and how many other members there are. An array is what is
    /// called `.npy` in the directory or before its data, or begins as one.
    ///
    /// # Errors
    /// When the directory contradicts itself.
    pub fn members(&mut self) -> Result<(Vec<Member>, usize), InputError> {
        let (mut out, mut others) = (Vec::new(), 0);
        for index in 0..self.zip.len() {
            let entry = self
                .zip
                .by_index_data(index)
                .map_err(|e| InputError::refused(&self.file, "", e.to_string()))?;
            let name = entry.name().map_or_else(
                |_| String::from_utf8_lossy(entry.name_raw()).into_owned(),
                |n| n.into_owned(),
            );
            let (size, packed, encrypted, is_dir) = (
                entry.size(),
                entry.compressed_size(),
                entry.encrypted(),
                entry.is_dir(),
            );
            let other_name = self.other_names.get(index).cloned().flatten();
            let is_called = |name: &str| name.ends_with(".npy");
            if !is_called(&name)
                && !other_name.as_deref().is_some_and(is_called)
                && !self.begins_as_array(index)
            {
                others += usize::from(!is_dir);
                continue;
            }
            let name = without_suffix(&name);
            let read = if encrypted {
                Err(self.fault(&name, "is encrypted"))
            } else if let Some(other) = &other_name {
                Err(self.fault(
                    &name,
                    format!("is called '{other}' before its data, so one of its names is damaged"),
                ))
            } else {
                self.header(index, &name, size)
            };
            let exact = read.as_ref().is_ok_and(|r| r.1);
            let header = read.map(|r| r.0);
            out.push(Member {
                name,
                other_name: other_name.as_deref().map(without_suffix),
                header,
                exact,
                index,
                size,
                packed,
            });
        }
        Ok((out, others))
    }

    fn fault(&self, name: &str, what: impl Into<String>) -> InputError {
        InputError::refused(&self.file, format!("array '{name}'"), what)
    }

    /// Whether a member begins as an NPY file does.
    fn begins_as_array(&mut self, index: usize) -> bool {
        let mut start = [0; MAGIC.len()];
        self.zip
            .by_index(index)
            .is_ok_and(|mut from| from.read_exact(&mut start).is_ok())
            && start == *MAGIC
    }

    /// A member's header, and whether it is exact.
    fn header(&mut self, index: usize, name: &str, size: u64) -> Result<(Layout, bool), InputError> {
        let mut head = Vec::new();
        let read = || -> Result<(), String> {
            let mut from = self.zip.by_index(index).map_err(|e| e.to_string())?;
            from.by_ref()
                .take(size.min(12))
                .read_to_end(&mut head)
                .map_err(|e| e.to_string())?;
            let rest = head_len(&head).saturating_sub(head.len()) as u64;
            from.take(rest.min(size.saturating_sub(12)))
                .read_to_end(&mut head)
                .map_err(|e| e.to_string())?;
            Ok(())
        };
        let mut read = read;
        read().map_err(|e| self.fault(name, format!("cannot be read: {e}")))?;
        let placed = |mut e: InputError| {
            e.place = e.place.within(&format!("array '{name}'"));
            e
        };
        let header = parse_header(&head, &self.file).map_err(placed)?;
        let held = size.saturating_sub(header.start as u64);
        check_length(&header, held, &self.file).map_err(placed)?;
        let exact =
            held == header.bytes as u64 && memmem::find(&head, spelled(&header.shape).as_bytes()).is_some();
        Ok((header, exact))
    }

    /// Why a member cannot be read, where it is damaged; an array of another element type is not. Where the header leaves a doubt,
    /// the member is read up to its checksum.
    pub fn damage(&mut self, member: &Member) -> Option<InputError> {
        match &member.header {
            Ok(_) if member.exact => return None,
            Err(e) if !is_type_refusal(&e.what) => return Some(e.clone()),
            _ => {}
        }
        let whole = self.within_limits(member).and_then(|()| {
            let read = self.zip.by_index(member.index).map_err(|e| e.to_string());
            let read = read.and_then(|mut from| copy(&mut from, &mut sink()).map_err(|e| e.to_string()));
            read.map_err(|e| self.fault(&member.name, format!("cannot be read: {e}")))
        });
        whole.err()
    }

    /// Refuses what a member declares where the archive could not hold it.
    fn within_limits(&self, member: &Member) -> Result<(), InputError> {
        let (size, packed) = (member.size, member.packed);
        if packed > self.len {
            return Err(self.fault(
                &member.name,
                format!("declares {packed} compressed bytes, the file has {}", self.len),
            ));
        }
        if size > packed.saturating_mul(MOST_RATIO).saturating_add(1 << 20) && !self.budget.is_raised() {
            return Err(self.over(
                member,
                format!(
                    "declares {size} bytes, over {MOST_RATIO} times the {packed} it takes in the archive"
                ),
            ));
        }
        Ok(())
    }

    fn over(&self, member: &Member, what: String) -> InputError {
        let mut e = InputError::limit(&self.file, what).with_hint("--max-memory raises the limit");
        e.place = Place::part(format!("array '{}'", member.name));
        e
    }

    /// Reads an array whole, its checksum included; takes what it needs off the budget.
    ///
    /// # Errors
    /// What its header is refused for; more than the budget holds or the archive could; a wrong checksum.
    pub fn read(&mut self, member: &Member) -> Result<Array, InputError> {
        let header = member.header.clone()?;
        self.within_limits(member)?;
        let cells = (header.count as u64).saturating_mul(CELL_BYTES);
        let need = cells.saturating_add(header.bytes as u64);
        // Address space for all of it is requested once, so that a lack of it is an error and not fatal.
        let space = usize::try_from(need).is_ok_and(|n| Vec::<u8>::new().try_reserve_exact(n).is_ok());
        let mut room = self
            .budget
            .hold(need)
            .map_err(|s| self.over(member, format!("{} elements: {s}", header.count)))?;
        if !space {
            let what = format!(
                "{} elements take {} MiB, more than the system gives",
                header.count,
                need >> 20
            );
            return Err(self.over(member, what));
        }
        let mut data = Vec::with_capacity(header.bytes);
        let mut read = || -> Result<(), String> {
            let mut from = self.zip.by_index(member.index).map_err(|e| e.to_string())?;
            copy(&mut from.by_ref().take(header.start as u64), &mut sink()).map_err(|e| e.to_string())?;
            from.by_ref()
                .take(header.bytes as u64)
                .read_to_end(&mut data)
                .map_err(|e| e.to_string())?;
            // The checksum is compared at the end of the member.
            copy(&mut from, &mut sink()).map_err(|e| e.to_string())?;
            Ok(())
        };
        read().map_err(|e| self.fault(&member.name, format!("cannot be read: {e}")))?;
        check_length(&header, data.len() as u64, &self.file).map_err(|mut e| {
            e.place = e.place.within(&format!("array '{}'", member.name));
            e
        })?;
        let array = header.decode(&data);
        drop(data);
        room.shrink_to(cells);
        room.keep();
        Ok(array)
    }
}

/// A shape as numpy spells it.
fn spelled(shape: &[usize]) -> String {
    let list = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    format!("({list}{})", if shape.len() == 1 { "," } else { "" })
}

/// A member's name without `.npy`.
fn without_suffix(name: &str) -> String {
    name.strip_suffix(".npy").unwrap_or(name).to_owned()
}

/// The name in the header before a member's data, where it is not the one that the directory lists.
fn other_name(from: &mut (impl Read + Seek), at: u64, listed: &[u8]) -> std::io::Result<Option<String>> {
    let mut fixed = [0; 30];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut fixed)?;
    if !fixed.starts_with(b"PK\x03\x04") {
        return Ok(None);
    }
    let mut name = Vec::new();
    from.by_ref()
        .take(u64::from(u16::from_le_bytes([fixed[26], fixed[27]])))
        .read_to_end(&mut name)?;
    // A damaged length makes a name of whatever comes behind it.
    Ok((name != listed).then(|| name[..name.len().min(LONGEST_NAME)].escape_ascii().to_string()))
}

/// How many members the record at the end of an archive declares, and how long its directory is; `None` where there is none.
fn entries(from: &mut (impl Read + Seek), len: u64) -> std::io::Result<Option<(u64, u64)>> {
    let start = len.saturating_sub(LONGEST_END);
    let mut tail = Vec::new();
    from.seek(SeekFrom::Start(start))?;
    from.by_ref().take(LONGEST_END).read_to_end(&mut tail)?;
    let Some(at) = tail.windows(4).rposition(|w| w == b"PK\x05\x06") else {
        return Ok(None);
    };
    let count = tail
        .get(at + 10..at + 12)
        .map(|b| u64::from(u16::from_le_bytes([b[0], b[1]])));
    let bytes = tail
        .get(at + 12..at + 16)
        .and_then(|b| b.try_into().ok())
        .map(|b| u64::from(u32::from_le_bytes(b)));
    let short = count.zip(bytes);
    if count != Some(0xffff) && bytes != Some(0xffff_ffff) {
        return Ok(short);
    }
    // The locator before it says where the record of 64 bits is.
    let word = |b: &[u8]| b.try_into().map(u64::from_le_bytes).ok();
    let locator = at
        .checked_sub(20)
        .and_then(|l| tail[l..at].strip_prefix(b"PK\x06\x07"));
    let Some(place) = locator.and_then(|l| word(&l[4..12])).filter(|p| *p < len) else {
        return Ok(short);
    };
    let mut record = Vec::new();
    from.seek(SeekFrom::Start(place))?;
    from.by_ref().take(48).read_to_end(&mut record)?;
    let long = record
        .strip_prefix(b"PK\x06\x06")
        .and_then(|r| word(r.get(28..36)?).zip(word(r.get(36..44)?)));
    Ok(long.or(short))
}
