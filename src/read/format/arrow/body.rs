//! Buffers of an Arrow record batch as arrays, and the dictionaries of its columns.

use super::error_text;
use super::record_batch::{ColumnReader, reserve_cells};
use super::schema::ColumnBuffers;
use crate::budget::{Budget, Reservation};
use crate::bytes::Content;
use crate::format::decoding::{Codec, DecodeFault, ValueType, believable, inflate};
use arrow_array::{Array, ArrayRef, make_array, new_empty_array, new_null_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_ipc::{BodyCompressionMethod, CompressionType, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use std::collections::HashSet;
use std::sync::Arc;

/// Bytes before a compressed buffer that declare its decompressed length.
const LENGTH: usize = 8;

/// A record batch, and where its body is.
pub(super) struct Body<'a> {
    pub batch: RecordBatch<'a>,
    pub source: &'a Content,
    pub at: u64,
    pub len: u64,
    /// Whether numbers begin with their highest byte.
    pub big_endian: bool,
    /// Budget of the buffers.
    pub budget: &'a Arc<Budget>,
}

/// How the bytes of a buffer make numbers.
#[derive(Clone, Copy)]
enum Numbers {
    /// Numbers of this many bytes; 1 for values without an order of bytes.
    Wide(usize),
    /// Views of texts: a length, and a text of up to 12 bytes or its beginning, buffer and offset.
    Views,
}

impl Body<'_> {
    /// Rows that it declares.
    ///
    /// # Errors
    /// A negative number.
    pub(super) fn rows(&self) -> Result<usize, DecodeFault> {
        usize::try_from(self.batch.length()).map_err(|_| DecodeFault::damaged("a batch of negative length"))
    }

    /// A column as an array, and its reservation; `values` are those of its dictionary.
    ///
    /// # Errors
    /// Buffers that do not hold it, or too little memory.
    pub(super) fn array(
        &self,
        data_type: &DataType,
        place: ColumnBuffers,
        values: Option<&ArrayRef>,
    ) -> Result<(ArrayRef, Reservation), DecodeFault> {
        let (rows, mut room) = (self.rows()?, self.budget.nothing());
        if rows == 0 {
            return Ok((new_empty_array(data_type), room));
        }
        if *data_type == DataType::Null {
            return Ok((new_null_array(data_type, rows), room));
        }
        let first = place.buffer.saturating_add(self.view_buffers(place.view)?);
        let mut array = ArrayData::builder(data_type.clone())
            .len(rows)
            .null_bit_buffer(self.valid(place.node, first, rows, &mut room)?)
            .align_buffers(true);
        let buffers = match data_type {
            DataType::Utf8 | DataType::Binary => vec![Numbers::Wide(4), Numbers::Wide(1)],
            DataType::LargeUtf8 | DataType::LargeBinary => vec![Numbers::Wide(8), Numbers::Wide(1)],
            DataType::Utf8View | DataType::BinaryView => {
                let mut of_views = vec![Numbers::Wide(1); self.buffers_of_view(place.view)?];
                of_views.insert(0, Numbers::Views);
                of_views
            }
            DataType::Dictionary(keys, _) => vec![Numbers::Wide(keys.primitive_width().unwrap_or(1))],
            other => vec![Numbers::Wide(other.primitive_width().unwrap_or(1))],
        };
        for (i, numbers) in buffers.into_iter().enumerate() {
            array = array.add_buffer(self.buffer(first + 1 + i, numbers, &mut room)?);
        }
        if let DataType::Dictionary(_, of) = data_type {
            array = array.add_child_data(values.map_or_else(|| new_empty_array(of), Arc::clone).to_data());
        }
        Ok((make_array(array.build().map_err(|e| invalid(&e))?), room))
    }

    /// The bits of the rows that have a value; `None` where all have.
    fn valid(
        &self,
        node: usize,
        buffer: usize,
        rows: usize,
        room: &mut Reservation,
    ) -> Result<Option<Buffer>, DecodeFault> {
        let nodes = self.batch.nodes().filter(|n| node < n.len());
        let node = *nodes.ok_or_else(|| DecodeFault::damaged("a batch with too few nodes"))?.get(node);
        if u64::try_from(node.length()) != Ok(rows as u64) {
            return Err(DecodeFault::damaged(format!("{} values in a batch of {rows} rows", node.length())));
        }
        if node.null_count() == 0 {
            return Ok(None);
        }
        let bits = self.buffer(buffer, Numbers::Wide(1), room)?;
        match (bits.is_empty(), node.null_count()) {
            (true, -1) => Ok(None),
            (false, _) if bits.len() >= rows.div_ceil(8) => Ok(Some(bits)),
            _ => Err(DecodeFault::damaged("fewer marks of missing values than rows")),
        }
    }

    /// A buffer, decompressed and in the order of bytes of this machine.
    fn buffer(&self, index: usize, numbers: Numbers, room: &mut Reservation) -> Result<Buffer, DecodeFault> {
        let buffers = self.batch.buffers().filter(|b| index < b.len());
        let buffer = *buffers.ok_or_else(|| DecodeFault::damaged("a batch with too few buffers"))?.get(index);
        let (Ok(from), Ok(len)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) else {
            return Err(DecodeFault::damaged("a buffer at a negative place or of negative length"));
        };
        if from.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(DecodeFault::damaged(format!(
                "a buffer of {len} bytes at {from} in a body of {}",
                self.len
            )));
        }
        let mut bytes = match self.codec()? {
            Some(codec) if len > 0 => self.inflated(codec, from, len, room)?,
            _ => self.read(from, len, room)?,
        };
        if self.big_endian == cfg!(target_endian = "little") {
            swap(&mut bytes, numbers);
        }
        Ok(Buffer::from_vec(bytes))
    }

    fn read(&self, from: u64, len: u64, room: &mut Reservation) -> Result<Vec<u8>, DecodeFault> {
        room.more(len)?;
        self.source.read(self.at + from, len)
    }

    fn inflated(
        &self,
        codec: Codec,
        from: u64,
        len: u64,
        room: &mut Reservation,
    ) -> Result<Vec<u8>, DecodeFault> {
        let mut of_packed = self.budget.nothing();
        let head = self.read(from, len.min(LENGTH as u64), &mut of_packed)?;
        let size = *head
            .first_chunk::<LENGTH>()
            .ok_or_else(|| DecodeFault::damaged("a compressed buffer without its length"))?;
        let (from, len) = (from + LENGTH as u64, len - LENGTH as u64);
        match i64::from_le_bytes(size) {
            // It is stored as it is.
            -1 => self.read(from, len, room),
            0 => Ok(Vec::new()),
            n => {
                let size =
                    u64::try_from(n).map_err(|_| DecodeFault::damaged(format!("a buffer of {n} bytes")))?;
                let believed = believable(len, size, self.budget)?;
                let packed = self.read(from, len, &mut of_packed)?;
                room.more(size)?;
                inflate(codec, &packed, believed)
            }
        }
    }

    fn codec(&self) -> Result<Option<Codec>, DecodeFault> {
        let Some(c) = self.batch.compression() else {
            return Ok(None);
        };
        match (c.method(), c.codec()) {
            (BodyCompressionMethod::BUFFER, CompressionType::LZ4_FRAME) => Ok(Some(Codec::Lz4Frame)),
            (BodyCompressionMethod::BUFFER, CompressionType::ZSTD) => Ok(Some(Codec::Zstd)),
            (_, other) => {
                Err(DecodeFault::Unread(format!("compressed by codec {}, which is not read", other.0)))
            }
        }
    }

    /// Buffers of texts that a column of views has.
    fn buffers_of_view(&self, view: usize) -> Result<usize, DecodeFault> {
        let counts = self.batch.variadicBufferCounts().filter(|c| view < c.len());
        let n =
            counts.ok_or_else(|| DecodeFault::damaged("a batch that does not count its buffers"))?.get(view);
        let n = usize::try_from(n).ok().filter(|n| *n <= self.batch.buffers().map_or(0, |b| b.len()));
        n.ok_or_else(|| DecodeFault::damaged("a batch with too few buffers"))
    }

    /// Buffers of texts that the first columns of views have.
    fn view_buffers(&self, views: usize) -> Result<usize, DecodeFault> {
        (0..views).try_fold(0usize, |sum, i| Ok(sum.saturating_add(self.buffers_of_view(i)?)))
    }
}

/// Turns the bytes of each number around.
fn swap(bytes: &mut [u8], numbers: Numbers) {
    match numbers {
        Numbers::Wide(1) => {}
        Numbers::Wide(width) => bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse),
        Numbers::Views => {
            for view in bytes.chunks_exact_mut(16) {
                let (len, rest) = view.split_at_mut(4);
                len.reverse();
                // A short text is in the view itself.
                if len[1..] != [0; 3] || len[0] > 12 {
                    rest[4..].chunks_exact_mut(4).for_each(<[u8]>::reverse);
                }
            }
        }
    }
}

/// The message of Arrow's validation.
fn invalid(error: &ArrowError) -> DecodeFault {
    DecodeFault::damaged(error_text(error).lines().next().unwrap_or_default())
}

/// Bytes that a text takes in the order of a column's keys beside its own, of which there are two copies.
const KEY: u64 = 160;

/// The values of a column that is stored as keys.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    versions: Vec<Version>,
    /// Their reserved bytes.
    rooms: Vec<Reservation>,
}

#[derive(Debug)]
struct Version {
    /// The number of the first record batch that it is for.
    from: usize,
    /// Its values. What is added to them later is for keys that batches before do not have.
    values: Vec<ArrayRef>,
}

impl Dictionary {
    /// Adds values for the record batches from a number on: behind the values so far where `delta` says so, else in place of
    /// them.
    pub(super) fn add(&mut self, from: usize, delta: bool, (values, room): (ArrayRef, Reservation)) {
        self.rooms.push(room);
        match self.versions.last_mut().filter(|_| delta) {
            Some(last) => last.values.push(values),
            None => self.versions.push(Version { from, values: vec![values] }),
        }
    }

    /// Joins the values that were added one by one. Only then may values be looked up.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn join(&mut self, budget: &Arc<Budget>) -> Result<(), DecodeFault> {
        for version in self.versions.iter_mut().filter(|v| v.values.len() > 1) {
            let pieces: Vec<ArrayData> = version.values.iter().map(arrow_array::Array::to_data).collect();
            let bytes: usize = pieces.iter().map(ArrayData::get_buffer_memory_size).sum();
            self.rooms.push(budget.reserve(bytes as u64)?);
            let rows = pieces.iter().map(ArrayData::len).sum();
            let mut all = MutableArrayData::new(pieces.iter().collect(), false, rows);
            for (i, piece) in pieces.iter().enumerate() {
                let extended = all.try_extend(i, 0, piece.len());
                extended.map_err(|e| DecodeFault::damaged(format!("its dictionary: {e}")))?;
            }
            version.values = vec![make_array(all.freeze())];
        }
        Ok(())
    }

    /// The values for a record batch; none where the stream has not had any yet, and all keys are null.
    pub(super) fn values(&self, batch: usize) -> Option<&ArrayRef> {
        let later = self.versions.partition_point(|v| v.from <= batch);
        self.versions[..later].last().and_then(|v| v.values.first())
    }

    /// The texts of all values, each once, in the order of the file.
    ///
    /// # Errors
    /// Values that are not read, or too little memory.
    pub(super) fn texts(
        &self,
        value_type: ValueType,
        budget: &Arc<Budget>,
    ) -> Result<Vec<String>, DecodeFault> {
        let (mut texts, mut seen, mut room) = (Vec::new(), HashSet::new(), budget.nothing());
        for values in self.versions.iter().flat_map(|v| &v.values) {
            let _cells = reserve_cells(budget, values.len() as u64, 1)?;
            let mut into = value_type.column(budget);
            ColumnReader::new(Arc::clone(values), value_type).read(0..values.len(), &mut into)?;
            let (cells, valid) = into.cells();
            for row in (0..cells.len()).filter(|row| valid.is_none_or(|v| v[*row])) {
                let text = cells.text(row);
                if seen.insert(text.clone()) {
                    room.owe(KEY + 2 * text.len() as u64)?;
                    texts.push(text);
                }
            }
        }
        // The schema has them to the end of the run.
        room.settle()?;
        room.keep();
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringArray;

    #[test]
    fn numbers_are_turned_around_and_texts_are_not() {
        let swapped = |bytes: &[u8], numbers| {
            let mut bytes = bytes.to_vec();
            swap(&mut bytes, numbers);
            bytes
        };
        assert_eq!(swapped(b"abcdef", Numbers::Wide(1)), b"abcdef");
        assert_eq!(swapped(b"abcdef", Numbers::Wide(2)), b"badcfe");
        let short = swapped(b"\0\0\0\x03abc\0\0\0\0\0\0\0\0\0", Numbers::Views);
        assert_eq!(short, b"\x03\0\0\0abc\0\0\0\0\0\0\0\0\0");
        let long = swapped(b"\0\0\x01\x02abcd\0\0\0\x05\0\0\0\x07", Numbers::Views);
        assert_eq!(long, b"\x02\x01\0\0abcd\x05\0\0\0\x07\0\0\0");
    }

    #[test]
    fn values_are_extended_and_replaced() {
        let budget = Budget::new(1 << 20);
        let mut dictionary = Dictionary::default();
        let texts = |of: &[Option<&str>]| -> (ArrayRef, Reservation) {
            (Arc::new(StringArray::from(of.to_vec())), budget.reserve(100).unwrap())
        };
        assert!(dictionary.values(0).is_none());
        dictionary.add(1, false, texts(&[Some("low"), None]));
        dictionary.add(2, true, texts(&[Some("high")]));
        dictionary.add(4, false, texts(&[Some("mid"), Some("low")]));
        dictionary.join(&budget).unwrap();
        let len = |batch| dictionary.values(batch).map(arrow_array::Array::len);
        assert_eq!([0, 1, 3, 4, 9].map(len), [None, Some(3), Some(3), Some(2), Some(2)]);
        let order = dictionary.texts(ValueType::Text, &budget).unwrap();
        assert_eq!(order, ["low", "high", "mid"]);
        assert!(dictionary.texts(ValueType::Text, &Budget::new(100)).is_err());
        assert!(budget.left() < (1 << 20) - 300);
    }
}
