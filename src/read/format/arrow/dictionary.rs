//! Dictionary of an Arrow column: its values, which a stream may extend or replace between record batches.

use super::record_batch::{ColumnReader, reserve_cells};
use crate::budget::Budget;
use crate::budget::Reservation;
use crate::format::decoding::{Fault, ValueType};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use std::collections::HashSet;
use std::sync::Arc;

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

    /// Joins what was added one by one. Only then may values be looked up.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn join(&mut self, budget: &Arc<Budget>) -> Result<(), Fault> {
        for version in self.versions.iter_mut().filter(|v| v.values.len() > 1) {
            let pieces: Vec<ArrayData> = version.values.iter().map(arrow_array::Array::to_data).collect();
            let bytes: usize = pieces.iter().map(ArrayData::get_buffer_memory_size).sum();
            self.rooms.push(budget.reserve(bytes as u64)?);
            let rows = pieces.iter().map(ArrayData::len).sum();
            let mut all = MutableArrayData::new(pieces.iter().collect(), false, rows);
            for (i, piece) in pieces.iter().enumerate() {
                let extended = all.try_extend(i, 0, piece.len());
                extended.map_err(|e| Fault::damaged(format!("its dictionary: {e}")))?;
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
    pub(super) fn texts(&self, value_type: ValueType, budget: &Arc<Budget>) -> Result<Vec<String>, Fault> {
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
