//! An Arrow file, stream or Feather file: its needed columns, and its record batches until they are decoded.

use super::body::{Body, Dictionary};
use super::message::{RawMessage, messages};
use super::record_batch::reserve_cells;
use super::schema::{ColumnBuffers, DictionaryId, SchemaColumn, columns};
use crate::budget::{Budget, Reservation};
use crate::bytes::Content;
use crate::error::InputError;
use crate::field::shown;
use crate::format::decoding::{DecodeFault, Frame, Listed, ValueType, guarded, project, set_durations};
use crate::format::reader::Request;
use crate::table::Schema;
use arrow_array::ArrayRef;
use arrow_ipc::{Message, MessageHeader, MetadataVersion, RecordBatch};
use arrow_schema::DataType;
use gridscope_core::lint::Lints;
use std::sync::Arc;

/// The key by which writers of an early version of Feather say that they compress.
const OLD_COMPRESSION: &str = "ARROW:experimental_compression";

/// The columns of an Arrow file that a figure needs.
pub(super) struct ArrowFile {
    pub schema: Schema,
    source: Content,
    pub columns: Vec<FileColumn>,
    batches: Vec<RawMessage>,
    big_endian: bool,
    pub rows: u64,
    /// Rows of the largest record batch.
    pub largest: usize,
    pub budget: Arc<Budget>,
    /// Reserved bytes of the metadata and the columns' names.
    _room: Reservation,
}

/// A column that is needed.
pub(super) struct FileColumn {
    pub name: String,
    pub value_type: ValueType,
    data_type: DataType,
    place: ColumnBuffers,
    dictionary_id: Option<DictionaryId>,
    dictionary: Dictionary,
}

impl FileColumn {
    fn new(column: &SchemaColumn) -> Option<Self> {
        let (data_type, value_type) = column.holds.clone().ok()?;
        Some(Self {
            name: column.name.clone(),
            data_type,
            value_type,
            place: column.place,
            dictionary_id: column.dictionary,
            dictionary: Dictionary::default(),
        })
    }
}

impl ArrowFile {
    /// Reads the declarations of a file, and its dictionaries.
    ///
    /// # Errors
    /// Where the file is damaged, needs more memory than allowed, or uses a feature that is not read.
    pub(super) fn open(source: Content, request: &Request, lints: &mut Lints) -> Result<Self, InputError> {
        let (file, budget) = (request.file, Arc::clone(request.budget));
        let mut room = budget.nothing();
        let (head, raws) = guarded(|| messages(&source, &mut room)).map_err(|f| f.at(file, ""))?;
        let read = guarded(|| {
            let (schema, version) = head.schema()?;
            // Some footers do not say their version.
            let version = match raws.first() {
                Some(raw) => raw.message()?.version(),
                None => version.max(MetadataVersion::V4),
            };
            let of_file = columns(schema, version, &mut room)?;
            let each = raws.iter().map(|raw| check(&raw.message()?));
            Ok((of_file, each.collect::<Result<Vec<u64>, DecodeFault>>()?))
        });
        let (of_file, rows_of_messages) = read.map_err(|f| f.at(file, ""))?;
        let rows = rows_of_messages.iter().fold(0, |sum: u64, rows| sum.saturating_add(*rows));
        let largest = rows_of_messages.iter().max().map_or(0, |rows| *rows as usize);
        let names: Vec<String> = of_file.columns.iter().map(|c| c.name.clone()).collect();
        let frame = of_file.pandas.as_deref().and_then(Frame::parse).unwrap_or_default();
        let order = frame.order(&names);
        let listed = |&i: &usize| Listed {
            name: frame.name(&names[i]),
            left_out: of_file.columns[i].holds.as_ref().err().cloned(),
        };
        let listed: Vec<Listed> = order.iter().map(listed).collect();
        let (needed, mut schema) = project(request, &listed, rows, &mut room, lints)?;
        let needed: Vec<usize> = needed.into_iter().map(|i| order[i]).collect();
        let columns: Vec<FileColumn> =
            needed.iter().filter_map(|&i| FileColumn::new(&of_file.columns[i])).collect();
        let fields: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
        frame.describe(&fields, &mut schema);
        set_durations(columns.iter().map(|column| column.value_type), &mut schema);
        if columns.iter().all(|c| c.value_type == ValueType::Null) {
            // The file has no bytes for its rows, which could be any number.
            let room = reserve_cells(&budget, rows, columns.len() as u64);
            room.map_err(|f| f.at(file, ""))?.keep();
        }
        let mut opened = Self {
            schema,
            source,
            columns,
            batches: Vec::new(),
            big_endian: of_file.big_endian,
            rows,
            largest,
            budget,
            _room: room,
        };
        for raw in raws {
            opened.add(raw)?;
        }
        opened.end_dictionaries()?;
        Ok(opened)
    }

    /// Adds a record batch, or the values of a dictionary.
    fn add(&mut self, raw: RawMessage) -> Result<(), InputError> {
        let here = |f: DecodeFault| f.at(&self.schema.file, "");
        let message = guarded(|| raw.message()).map_err(here)?;
        let Some(batch) = message.header_as_dictionary_batch() else {
            self.batches.push(raw);
            return Ok(());
        };
        for i in 0..self.columns.len() {
            let column = &self.columns[i];
            let (DataType::Dictionary(_, of), true) =
                (&column.data_type, column.dictionary_id.is_some_and(|d| d.id == batch.id()))
            else {
                continue;
            };
            let values = guarded(|| {
                let data = batch.data();
                let data = data.ok_or_else(|| DecodeFault::damaged("a dictionary without values"))?;
                self.body(&raw, data).array(of, ColumnBuffers::default(), None)
            });
            let values = values.map_err(|f| self.refused(i, f))?;
            let from = self.batches.len();
            self.columns[i].dictionary.add(from, batch.isDelta(), values);
        }
        Ok(())
    }

    /// Ends the dictionaries; those that are ordered give their columns an order.
    fn end_dictionaries(&mut self) -> Result<(), InputError> {
        for i in 0..self.columns.len() {
            let budget = &self.budget;
            let column = &mut self.columns[i];
            let ordered = column.dictionary_id.is_some_and(|d| d.ordered);
            let ended = guarded(|| {
                column.dictionary.join(budget)?;
                let texts = ordered.then(|| column.dictionary.texts(column.value_type, budget));
                texts.transpose()
            });
            if let Some(texts) = ended.map_err(|f| self.refused(i, f))? {
                self.schema.set_order(i, texts);
            }
        }
        Ok(())
    }

    fn body<'a>(&'a self, raw: &RawMessage, batch: RecordBatch<'a>) -> Body<'a> {
        Body {
            batch,
            source: &self.source,
            at: raw.body,
            len: raw.body_len,
            big_endian: self.big_endian,
            budget: &self.budget,
        }
    }

    /// Record batches.
    pub(super) fn batches(&self) -> usize {
        self.batches.len()
    }

    /// A column of a record batch, and its reservation.
    ///
    /// # Errors
    /// Damage, or too little memory.
    pub(super) fn decode(&self, batch: usize, column: usize) -> Result<(ArrayRef, Reservation), DecodeFault> {
        let (raw, column) = (&self.batches[batch], &self.columns[column]);
        let message = raw.message()?;
        let header = message.header_as_record_batch();
        let header = header.ok_or_else(|| DecodeFault::damaged("a batch without its header"))?;
        let values = column.dictionary.values(batch);
        self.body(raw, header).array(&column.data_type, column.place, values)
    }

    /// Rows of a record batch.
    pub(super) fn rows_of(&self, batch: usize) -> usize {
        let message = self.batches[batch].message().ok();
        let header = message.as_ref().and_then(Message::header_as_record_batch);
        header.map_or(0, |b| usize::try_from(b.length()).unwrap_or(0))
    }

    /// The refusal of a column.
    pub(super) fn refused(&self, column: usize, fault: DecodeFault) -> InputError {
        let name = shown(&self.columns[column].name);
        fault.at(&self.schema.file, &format!("column {name}"))
    }
}

/// Looks at a message behind the schema, and returns its rows.
fn check(m: &Message) -> Result<u64, DecodeFault> {
    let keys = m.custom_metadata().into_iter().flatten();
    if keys.into_iter().any(|kv| kv.key() == Some(OLD_COMPRESSION)) {
        return Err(DecodeFault::Unread("Feather as Arrow 0.17 compressed it, which is not read".to_owned()));
    }
    match m.header_type() {
        MessageHeader::RecordBatch => {
            let batch = m
                .header_as_record_batch()
                .ok_or_else(|| DecodeFault::damaged("a batch without its header"))?;
            u64::try_from(batch.length()).map_err(|_| DecodeFault::damaged("a batch of negative length"))
        }
        MessageHeader::DictionaryBatch => Ok(0),
        MessageHeader::Schema => Err(DecodeFault::damaged("a second schema")),
        other => Err(DecodeFault::Unread(format!("a message of type {}, which is not read", other.0))),
    }
}
