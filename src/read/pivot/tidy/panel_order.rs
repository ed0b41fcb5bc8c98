//! The order of the keys of panels: that of all rows of the file, so that a condition leaves panels out and moves none.

use super::dictionary::Dictionary;
use super::plan::TidyPlan;
use crate::error::InputError;
use crate::pivot::keys::{KeyOptions, Keys};

/// Texts of the panel column that are remembered. Where rows that count have their panels among more, they alone give the order.
const MOST: usize = 1 << 16;

/// Whether these are more texts than are remembered.
pub(super) fn is_many(texts: usize) -> bool {
    texts > MOST
}

/// The texts of a panel column in all rows, also those that do not count, in the order of their first appearance.
#[derive(Debug, Default)]
pub(super) struct PanelTexts {
    texts: Dictionary,
}

impl PanelTexts {
    /// Whether there are more than are remembered.
    fn is_full(&self) -> bool {
        is_many(self.texts.count())
    }

    /// Takes texts in the order of the rows; what those that are new cost together.
    pub(super) fn take(&mut self, texts: &[String], cost: impl Fn(&str) -> u64) -> u64 {
        let mut bytes = 0;
        for text in texts {
            if !self.is_full() && self.texts.code(text).1 {
                bytes += cost(text);
            }
        }
        bytes
    }

    /// The ids of the keys of a column in the order that they have among all of the file.
    ///
    /// # Errors
    /// As [`Keys::read`].
    pub(super) fn order(&self, keys: &Keys, column: usize, plan: &TidyPlan) -> Result<Vec<u32>, InputError> {
        let mut ids = keys.order(None, None);
        if self.texts.count() == 0 || self.is_full() {
            return Ok(ids);
        }
        let options = KeyOptions {
            missing: &plan.schema.missing,
            order: plan.schema.order(column),
            ..KeyOptions::default()
        };
        let texts = self.texts.texts();
        let all = Keys::read(&keys.name, texts.into_iter(), options, &plan.schema.file)?;
        let mut places = vec![usize::MAX; all.labels.len()];
        for (place, id) in all.order(None, None).into_iter().enumerate() {
            places[id as usize] = place;
        }
        let finder = all.finder();
        let place =
            |id: &u32| finder.find(&keys.labels[*id as usize]).map_or(usize::MAX, |id| places[id as usize]);
        ids.sort_by_cached_key(place);
        Ok(ids)
    }
}
