//! The arrays of a zip archive, as numpy writes it: listed by their headers, read under limits.

use crate::array::{Array, ArrayFault, Cause, Dtype, Layout, TimeUnit};
use crate::budget::Budget;
use crate::error::InputError;
use crate::format::npy::{MAGIC, head_len, parse_header, parse_text_header, parse_time_header};
use crate::format::sniff::refuse;
use gridscope_core::grid::CELL_BYTES;
use memchr::memmem;
use std::fmt::Display;
use std::io::{self, Read, Seek, SeekFrom, copy, sink};
use std::sync::Arc;
use zip::ZipArchive;
use zip::result::ZipError;

/// The most members an archive may have.
const MOST_MEMBERS: u64 = 10_000;
/// A member is at most this many times as long as it is in the archive, plus a mebibyte.
const MOST_RATIO: u64 = 1000;
/// Bytes that the directory of an archive takes, for each of its own.
const LISTED: u64 = 5;

/// An array of an archive, not read.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Its name, without `.npy`.
    pub name: String,
    /// The name before its data, where that is another: one of the two is damaged.
    pub other_name: Option<String>,
    /// Layout that its header declares, or why it cannot be read.
    pub header: Result<Layout, ArrayFault>,
    /// The same of times (datetime64), and their unit.
    pub times: Option<(Layout, TimeUnit)>,
    /// The characters of a row of texts, a line for each.
    pub texts: Option<Layout>,
    /// The header is spelled as numpy spells it and declares all that the member holds: one that is damaged does not.
    exact: bool,
    index: usize,
    size: u64,
    packed: u64,
}

impl Member {
    /// Elements along each axis, where they can be read.
    pub(super) fn shape(&self) -> Option<&[usize]> {
        let layout = self.header.as_ref().ok().or(self.times.as_ref().map(|t| &t.0));
        let texts = || self.texts.as_ref().map(|texts| &texts.shape[..1]);
        layout.map(|layout| layout.shape.as_slice()).or_else(texts)
    }

    /// The error of this member.
    fn error(&self, fault: ArrayFault, file: &str) -> InputError {
        fault.within(&format!("array '{}'", self.name)).of(file)
    }
}

impl From<ZipError> for ArrayFault {
    fn from(e: ZipError) -> Self {
        Self::unreadable(&e)
    }
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
    pub(super) fn open(mut from: R, file: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let refused = |what: String| InputError::refused(file, "", format!("a zip archive {what}"));
        let damaged = |e: &dyn Display| refused(format!("that cannot be read: {e}"));
        let few = |n: u64| match n {
            0..=MOST_MEMBERS => Ok(()),
            _ => {
                let what = format!("a zip archive of {n} members; at most {MOST_MEMBERS} are read");
                Err(InputError::limit(file, what))
            }
        };
        let len = from.seek(SeekFrom::End(0)).map_err(|e| damaged(&e))?;
        let (entries, directory) = entries(&mut from, len).map_err(|e| damaged(&e))?.unwrap_or_default();
        let listed = budget.take(LISTED.saturating_mul(directory.min(len)));
        listed.map_err(|s| s.of(file, "the directory of its members"))?;
        few(entries)?;
        let mut listed = Vec::new();
        {
            let zip = ZipArchive::new(&mut from).map_err(|e| damaged(&e))?;
            few(zip.len() as u64)?;
            for index in 0..zip.len() {
                let entry = zip.by_index_data(index).map_err(|e| damaged(&e))?;
                listed.push((entry.header_start(), entry.name_raw().to_vec()));
            }
        }
        let mut other_names = Vec::with_capacity(listed.len());
        for (at, name) in &listed {
            other_names.push(other_name(&mut from, *at, name).map_err(|_| {
                let name = String::from_utf8_lossy(name);
                refused(format!(
                    "whose directory is damaged: no member begins where it lists '{}'",
                    name.escape_debug()
                ))
            })?);
        }
        let names = listed.iter().map(|l| String::from_utf8_lossy(&l.1));
        if !names.clone().any(|n| is_array(&n)) && !other_names.iter().flatten().any(|n| is_array(n)) {
            return Err(refuse(file, "zip archive"));
        }
        let zip = ZipArchive::new(from).map_err(|e| damaged(&e))?;
        if zip.has_duplicate_names() {
            return Err(refused("with two members of one name".to_owned()));
        }
        if zip.len() as u64 != entries {
            let what =
                format!("whose directory is damaged: it lists {entries} members and holds {}", zip.len());
            return Err(refused(what));
        }
        let leads_out = |n: &str| {
            n.starts_with(['/', '\\']) || n.split(['/', '\\']).any(|p| p == ".." || p.ends_with(':'))
        };
        if let Some(name) = names.into_iter().find(|n| leads_out(n)) {
            return Err(refused(format!("whose member '{name}' would lie outside it")));
        }
        Ok(Self { zip, other_names, file: file.to_owned(), len, budget: Arc::clone(budget) })
    }

    /// The arrays in the file's order, of each only its header read; and how many other members there are. An array is what is
    /// called `.npy` in the directory or before its data, or begins as one.
    ///
    /// # Errors
    /// When the directory contradicts itself.
    pub(super) fn members(&mut self) -> Result<(Vec<Member>, usize), InputError> {
        let (mut out, mut others) = (Vec::new(), 0);
        for index in 0..self.zip.len() {
            let entry = self
                .zip
                .by_index_data(index)
                .map_err(|e| InputError::refused(&self.file, "", e.to_string()))?;
            let name = entry.name().map_or_else(
                |_| String::from_utf8_lossy(entry.name_raw()).into_owned(),
                std::borrow::Cow::into_owned,
            );
            let (size, packed) = (entry.size(), entry.compressed_size());
            let (is_encrypted, is_dir) = (entry.encrypted(), entry.is_dir());
            let other_name = self.other_names.get(index).cloned().flatten();
            let is_called = is_array(&name) || other_name.as_deref().is_some_and(is_array);
            if !is_called && !self.begins_as_array(index) {
                others += usize::from(!is_dir);
                continue;
            }
            let (mut times, mut texts) = (None, None);
            let read = match &other_name {
                _ if is_encrypted => Err("is encrypted".into()),
                Some(other) => {
                    Err(format!("is called '{other}' before its data, so one of its names is damaged").into())
                }
                None => match self.head(index, size) {
                    Ok(head) => {
                        times = parse_time_header(&head, size).ok();
                        texts = parse_text_header(&head, size).ok();
                        numbers(&head, size)
                    }
                    Err(fault) => Err(fault),
                },
            };
            out.push(Member {
                name: without_suffix(&name),
                other_name: other_name.as_deref().map(without_suffix),
                exact: read.as_ref().is_ok_and(|r| r.1),
                header: read.map(|r| r.0),
                times,
                texts,
                index,
                size,
                packed,
            });
        }
        Ok((out, others))
    }

    /// Whether a member begins as an NPY file does.
    fn begins_as_array(&mut self, index: usize) -> bool {
        let mut start = [0; MAGIC.len()];
        self.zip.by_index(index).is_ok_and(|mut from| from.read_exact(&mut start).is_ok()) && start == *MAGIC
    }

    /// The bytes of a member's header.
    fn head(&mut self, index: usize, size: u64) -> Result<Vec<u8>, ArrayFault> {
        let mut head = Vec::new();
        let mut from = self.zip.by_index(index)?.take(size);
        from.by_ref().take(12).read_to_end(&mut head)?;
        let rest = head_len(&head).saturating_sub(head.len());
        from.take(rest as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Why a member cannot be read, where it is damaged; an array of another element type is not. Where the header leaves a doubt,
    /// the member is read up to its checksum.
    pub(super) fn damage(&mut self, member: &Member) -> Option<InputError> {
        let mut read = || -> Result<(), ArrayFault> {
            match &member.header {
                Ok(_) if member.exact => {}
                Err(f) if f.cause != Cause::Unsupported => return Err(f.clone()),
                _ => {
                    self.check_sizes(member)?;
                    copy(&mut self.zip.by_index(member.index)?, &mut sink())?;
                }
            }
            Ok(())
        };
        read().err().map(|f| member.error(f, &self.file))
    }

    /// Refuses what a member declares where the archive could not hold it.
    fn check_sizes(&self, member: &Member) -> Result<(), ArrayFault> {
        let (size, packed, len) = (member.size, member.packed, self.len);
        if packed > len {
            return Err(format!("declares {packed} compressed bytes, the file has {len}").into());
        }
        let most = packed.saturating_mul(MOST_RATIO).saturating_add(1 << 20);
        if size > most && !self.budget.is_raised() {
            let what = format!(
                "declares {size} bytes, over {MOST_RATIO} times the {packed} it takes in the archive"
            );
            return Err(ArrayFault::limit(what));
        }
        Ok(())
    }

    /// Reads an array whole, its checksum included; takes what it needs off the budget.
    ///
    /// # Errors
    /// Faults of its header; more than the budget holds or the archive could; a wrong checksum.
    pub(super) fn read(&mut self, member: &Member) -> Result<Array, InputError> {
        let array = member.header.clone().and_then(|header| self.read_member(member, header));
        array.map_err(|f| member.error(f, &self.file))
    }

    /// Reads one row of numbers, or of times as seconds since 1970 and that they are; what `what` says is refused otherwise.
    ///
    /// # Errors
    /// As [`Archive::read`], and for any other shape.
    pub(super) fn read_row(&mut self, member: &Member, what: &str) -> Result<(Vec<f64>, bool), InputError> {
        let (array, unit) = match &member.times {
            Some((layout, unit)) => {
                let array = self.read_member(member, layout.clone());
                (array.map_err(|f| member.error(f, &self.file))?, Some(*unit))
            }
            None => (self.read(member)?, None),
        };
        if !array.is_one_row() {
            let (name, shape) = (&member.name, &array.shape);
            let what = format!("{what} {name}: shape {shape:?}, but axis values are one row of numbers");
            return Err(InputError::usage(&self.file, what));
        }
        Ok((array.numbers(unit), unit.is_some()))
    }

    /// Reads a row of texts.
    ///
    /// # Errors
    /// As [`Archive::read`], and when the member holds no row of texts or one that is no Unicode.
    pub(super) fn read_texts(&mut self, member: &Member) -> Result<Vec<String>, InputError> {
        let Some(layout) = member.texts.clone() else {
            let what = format!("labels {}: not one row of texts", member.name);
            return Err(InputError::usage(&self.file, what));
        };
        let is_bytes = layout.encoding.dtype == Dtype::U8;
        let (texts, width) = (layout.shape[0], layout.shape[1]);
        let array = self.read_member(member, layout).map_err(|f| member.error(f, &self.file))?;
        let text = |i: usize| {
            let codes = (i * width..(i + 1) * width).map(|at| array.data.get(at).as_f64() as u32);
            let codes: Vec<u32> = codes.collect();
            // What is shorter than the longest ends in zeros.
            let end = codes.iter().rposition(|code| *code != 0).map_or(0, |last| last + 1);
            if is_bytes {
                String::from_utf8(codes[..end].iter().map(|code| *code as u8).collect()).ok()
            } else {
                codes[..end].iter().map(|code| char::from_u32(*code)).collect()
            }
        };
        let wrong = |i: usize| ArrayFault::from(format!("text {i} is not Unicode"));
        (0..texts).map(|i| text(i).ok_or_else(|| member.error(wrong(i), &self.file))).collect()
    }

    fn read_member(&mut self, member: &Member, header: Layout) -> Result<Array, ArrayFault> {
        self.check_sizes(member)?;
        let cells = (header.count as u64).saturating_mul(CELL_BYTES);
        let need = cells.saturating_add(header.bytes as u64);
        // Address space for all of it is requested once, so that a lack of it is an error and not fatal.
        let space = usize::try_from(need).is_ok_and(|n| Vec::<u8>::new().try_reserve_exact(n).is_ok());
        let mut room = self
            .budget
            .reserve(need)
            .map_err(|s| ArrayFault::limit(format!("{} elements: {s}", header.count)))?;
        if !space {
            let (count, need) = (header.count, need >> 20);
            let what = format!("{count} elements take {need} MiB, more than the system gives");
            return Err(ArrayFault::limit(what));
        }
        let mut data = Vec::with_capacity(header.bytes);
        let mut from = self.zip.by_index(member.index)?;
        copy(&mut from.by_ref().take(header.start as u64), &mut sink())?;
        from.by_ref().take(header.bytes as u64).read_to_end(&mut data)?;
        // The checksum is compared at the end of the member.
        copy(&mut from, &mut sink())?;
        header.check_length(data.len() as u64)?;
        let array = header.decode(&data);
        drop(data);
        room.shrink_to(cells);
        room.keep();
        Ok(array)
    }
}

/// Layout of an array of numbers by its header, in a member of this size, and whether it is exact.
fn numbers(head: &[u8], size: u64) -> Result<(Layout, bool), ArrayFault> {
    let header = parse_header(head, size)?;
    let exact = size == (header.start + header.bytes) as u64
        && memmem::find(head, spelled(&header.shape).as_bytes()).is_some();
    Ok((header, exact))
}

/// Whether a member is an array by its name.
fn is_array(name: &str) -> bool {
    name.ends_with(".npy")
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

/// The most bytes of a damaged name that are shown.
const LONGEST_NAME: usize = 256;
/// The record at the end of an archive, and the longest comment after it.
const LONGEST_END: u64 = 22 + 65_535;

/// The name in the header before a member's data, where it is not the one that the directory lists.
pub(super) fn other_name(
    from: &mut (impl Read + Seek),
    at: u64,
    listed: &[u8],
) -> io::Result<Option<String>> {
    let mut fixed = [0; 30];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut fixed)?;
    if !fixed.starts_with(b"PK\x03\x04") {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut name = Vec::new();
    from.by_ref().take(u64::from(u16::from_le_bytes([fixed[26], fixed[27]]))).read_to_end(&mut name)?;
    // A damaged length makes a name of whatever comes behind it.
    Ok((name != listed).then(|| name[..name.len().min(LONGEST_NAME)].escape_ascii().to_string()))
}

/// How many members the record at the end of an archive declares, and how long its directory is; `None` where there is none.
pub(super) fn entries(from: &mut (impl Read + Seek), len: u64) -> io::Result<Option<(u64, u64)>> {
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
