//! The buffers of an Arrow batch as values; none is read outside the batch's body.

use super::arrow_field::{Coded, Stored};
use super::budget::Budget;
use super::codec::{Codec, believable, inflate};
use super::fault::Fault;
use super::gather::Gather;
use super::source::Source;
use crate::input::budget::Taken;
use arrow_ipc::{BodyCompressionMethod, CompressionType, RecordBatch};
use half::f16;
use std::ops::Deref;
use std::sync::Arc;

/// A batch, and where its body stands.
pub(super) struct Body<'a> {
    pub batch: RecordBatch<'a>,
    pub source: &'a Source,
    pub at: u64,
    pub len: u64,
    /// Whether the highest byte of a number comes first.
    pub big: bool,
    /// What buffers take their memory off.
    pub budget: &'a Arc<Budget>,
}

/// Where a column stands in a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub node: usize,
    pub buffer: usize,
    pub view: usize,
}

/// What adds the bytes of a value to a column.
type Push<'p> = dyn Fn(&[u8], &mut Gather) -> Result<(), Fault> + 'p;

/// The bytes of a buffer, and what they take.
struct Buffer {
    bytes: Vec<u8>,
    room: Taken,
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Whether a row has a value.
struct Valid(Option<Buffer>);

impl Valid {
    fn at(&self, row: usize) -> bool {
        self.0.as_ref().is_none_or(|b| b[row / 8] >> (row % 8) & 1 == 1)
    }
}

impl Body<'_> {
    /// Rows that it declares.
    pub fn rows(&self) -> Result<u64, Fault> {
        u64::try_from(self.batch.length()).map_err(|_| Fault::damaged("a batch of negative length"))
    }

    fn codec(&self) -> Result<Option<Codec>, Fault> {
        let Some(c) = self.batch.compression() else {
            return Ok(None);
        };
        match (c.method(), c.codec()) {
            (BodyCompressionMethod::BUFFER, CompressionType::LZ4_FRAME) => Ok(Some(Codec::Lz4Frame)),
            (BodyCompressionMethod::BUFFER, CompressionType::ZSTD) => Ok(Some(Codec::Zstd)),
            (_, other) => Err(Fault::Unread(format!(
                "compressed by codec {}, which is not read",
                other.0
            ))),
        }
    }

    /// A buffer's bytes, decompressed.
    fn buffer(&self, index: usize) -> Result<Buffer, Fault> {
        let buffers = self.batch.buffers().filter(|b| index < b.len());
        let buffer = *buffers
            .ok_or_else(|| Fault::damaged("a batch with too few buffers"))?
            .get(index);
        let (Ok(from), Ok(len)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) else {
            return Err(Fault::damaged(
                "a buffer at a negative place or of negative length",
            ));
        };
        if from.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Fault::damaged(format!(
                "a buffer of {len} bytes at {from} in a body of {}",
                self.len
            )));
        }
        let room = self.budget.hold(len)?;
        let mut stored = Buffer {
            bytes: self.source.read(self.at + from, len)?,
            room,
        };
        let codec = self.codec()?;
        let (Some(codec), false) = (codec, stored.is_empty()) else {
            return Ok(stored);
        };
        let Some((head, rest)) = stored.split_first_chunk::<8>() else {
            return Err(Fault::damaged("a compressed buffer without its length"));
        };
        match i64::from_le_bytes(*head) {
            -1 => {
                stored.bytes.drain(..8);
                Ok(stored)
            }
            n => {
                let size = u64::try_from(n).map_err(|_| Fault::damaged(format!("a buffer of {n} bytes")))?;
                let believed = believable(rest.len() as u64, size, self.budget.block())?;
                let room = self.budget.hold(size)?;
                let bytes = if size == 0 {
                    Vec::new()
                } else {
                    inflate(codec, rest, believed)?
                };
                Ok(Buffer { bytes, room })
            }
        }
    }

    /// A buffer that must hold so many values of a width; more are cut off.
    fn values(&self, index: usize, rows: usize, width: usize) -> Result<Buffer, Fault> {
        let mut buffer = self.buffer(index)?;
        let need = rows.checked_mul(width).filter(|n| *n <= buffer.len());
        let need = need
            .ok_or_else(|| Fault::damaged(format!("{} bytes for {rows} values of {width}", buffer.len())))?;
        buffer.bytes.truncate(need);
        buffer.room.shrink_to(need as u64);
        Ok(buffer)
    }

    fn valid(&self, place: Place, rows: usize) -> Result<Valid, Fault> {
        let nodes = self.batch.nodes().filter(|n| place.node < n.len());
        let node = *nodes
            .ok_or_else(|| Fault::damaged("a batch with too few nodes"))?
            .get(place.node);
        if u64::try_from(node.length()) != Ok(rows as u64) {
            return Err(Fault::damaged(format!(
                "{} values in a batch of {rows} rows",
                node.length()
            )));
        }
        let bytes = self.buffer(place.buffer)?;
        match (bytes.is_empty(), node.null_count()) {
            (_, 0) => Ok(Valid(None)),
            (false, _) if bytes.len() >= rows.div_ceil(8) => Ok(Valid(Some(bytes))),
            (true, -1) => Ok(Valid(None)),
            _ => Err(Fault::damaged("fewer marks of missing values than rows")),
        }
    }

    fn int(&self, bytes: &[u8], signed: bool) -> i64 {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        if self.big {
            wide[..bytes.len()].reverse();
        }
        // Shifted up and down, the sign fills what is above the value.
        let unused = 64 - 8 * bytes.len() as u32;
        let up = u64::from_le_bytes(wide) << unused;
        if signed {
            up as i64 >> unused
        } else {
            (up >> unused) as i64
        }
    }

    fn float(&self, bytes: &[u8]) -> f64 {
        let bits = self.int(bytes, false) as u64;
        match bytes.len() {
            2 => f16::from_bits(bits as u16).to_f64(),
            4 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    /// How many buffers of bytes a column of views has in this batch.
    fn parts(&self, view: usize) -> Result<usize, Fault> {
        let counts = self.batch.variadicBufferCounts().filter(|c| view < c.len());
        let n = counts
            .ok_or_else(|| Fault::damaged("a batch that does not count its buffers"))?
            .get(view);
        let n = usize::try_from(n)
            .ok()
            .filter(|n| *n <= self.batch.buffers().map_or(0, |b| b.len()));
        n.ok_or_else(|| Fault::damaged("a batch with too few buffers"))
    }

    /// The place behind the buffers of all views before it.
    fn placed(&self, place: Place) -> Result<Place, Fault> {
        let before = (0..place.view).try_fold(0usize, |sum, i| {
            Ok::<_, Fault>(sum.saturating_add(self.parts(i)?))
        })?;
        Ok(Place {
            buffer: place.buffer.saturating_add(before),
            ..place
        })
    }

    /// Adds the values of a column.
    ///
    /// # Errors
    /// Buffers that do not hold them.
    pub fn read(&self, stored: Stored, place: Place, into: &mut Gather) -> Result<(), Fault> {
        let place = self.placed(place)?;
        let rows = usize::try_from(self.rows()?).map_err(|_| Fault::damaged("a batch longer than memory"))?;
        into.reserve(rows)?;
        if stored == Stored::Nothing {
            (0..rows).for_each(|_| into.missing());
            return Ok(());
        }
        let valid = self.valid(place, rows)?;
        let fixed = |width: usize, into: &mut Gather, push: &Push| {
            let bytes = self.values(place.buffer + 1, rows, width)?;
            for row in 0..rows {
                if valid.at(row) {
                    push(&bytes[row * width..(row + 1) * width], into)?
                } else {
                    into.missing()
                }
            }
            Ok(())
        };
        match stored {
            Stored::Nothing => Ok(()),
            Stored::Bit => {
                let bits = self.values(place.buffer + 1, rows.div_ceil(8), 1)?;
                for row in 0..rows {
                    if valid.at(row) {
                        into.whole(i64::from(bits[row / 8] >> (row % 8) & 1))?
                    } else {
                        into.missing()
                    }
                }
                Ok(())
            }
            Stored::Int { width, signed, by } => fixed(width, into, &|b, into| {
                into.whole(self.int(b, signed).div_euclid(by))
            }),
            Stored::Float(width) => fixed(width, into, &|b, into| {
                into.number(self.float(b));
                Ok(())
            }),
            Stored::Decimal(width) => fixed(width, into, &|b, into| {
                let mut high_first = [0; 32];
                high_first[..width].copy_from_slice(b);
                if !self.big {
                    high_first[..width].reverse();
                }
                into.big_endian(&high_first[..width])
            }),
            Stored::Fixed(width) => fixed(width, into, &|b, into| into.bytes(b)),
            Stored::Bytes { long } => self.texts(place, long, rows, &valid, into),
            Stored::View => self.views(place, rows, &valid, into),
        }
    }

    fn texts(
        &self,
        place: Place,
        long: bool,
        rows: usize,
        valid: &Valid,
        into: &mut Gather,
    ) -> Result<(), Fault> {
        let width = if long { 8 } else { 4 };
        if rows == 0 {
            return Ok(());
        }
        let offsets = self.values(place.buffer + 1, rows + 1, width)?;
        let bytes = self.buffer(place.buffer + 2)?;
        let offset = |i: usize| usize::try_from(self.int(&offsets[i * width..(i + 1) * width], true)).ok();
        let mut from = offset(0);
        for row in 0..rows {
            let to = offset(row + 1);
            let text = from.zip(to).and_then(|(a, b)| bytes.get(a..b));
            from = to;
            match text.filter(|_| valid.at(row)) {
                Some(text) => into.bytes(text)?,
                None if valid.at(row) => return Err(Fault::damaged("a text outside its buffer")),
                None => into.missing(),
            }
        }
        Ok(())
    }

    fn views(&self, place: Place, rows: usize, valid: &Valid, into: &mut Gather) -> Result<(), Fault> {
        let views = self.values(place.buffer + 1, rows, 16)?;
        let parts = (0..self.parts(place.view)?)
            .map(|i| self.buffer(place.buffer + 2 + i))
            .collect::<Result<Vec<_>, _>>()?;
        for row in 0..rows {
            if !valid.at(row) {
                into.missing();
                continue;
            }
            let view = &views[row * 16..(row + 1) * 16];
            let [len, part, from] = [0, 8, 12].map(|i| usize::try_from(self.int(&view[i..i + 4], true)).ok());
            let text = match len {
                Some(len @ 0..=12) => Some(&view[4..4 + len]),
                Some(len) => part
                    .zip(from)
                    .and_then(|(p, from)| parts.get(p)?.get(from..from.checked_add(len)?)),
                None => None,
            };
            into.bytes(text.ok_or_else(|| Fault::damaged("a text outside its buffer"))?)?;
        }
        Ok(())
    }

    /// Adds the values that codes of a dictionary stand for.
    ///
    /// # Errors
    /// Buffers that do not hold the codes, or codes outside the dictionary.
    pub fn read_coded(
        &self,
        coded: Coded,
        place: Place,
        dictionary: &Gather,
        known: &mut Vec<u32>,
        into: &mut Gather,
    ) -> Result<(), Fault> {
        let rows = usize::try_from(self.rows()?).map_err(|_| Fault::damaged("a batch longer than memory"))?;
        into.reserve(rows)?;
        let place = self.placed(place)?;
        let valid = self.valid(place, rows)?;
        let bytes = self.values(place.buffer + 1, rows, coded.width)?;
        known.resize(dictionary.len(), u32::MAX);
        for (row, code) in bytes.chunks_exact(coded.width).enumerate() {
            if !valid.at(row) {
                into.missing();
                continue;
            }
            let code = usize::try_from(self.int(code, coded.signed))
                .ok()
                .filter(|c| *c < known.len());
            let code = code
                .ok_or_else(|| Fault::damaged(format!("a code outside its dictionary of {}", known.len())))?;
            if known[code] != u32::MAX {
                into.again(known[code]);
                continue;
            }
            into.copied(dictionary, code)?;
            if dictionary.has(code) {
                known[code] = into.last_code().unwrap_or(u32::MAX);
            }
        }
        Ok(())
    }
}
