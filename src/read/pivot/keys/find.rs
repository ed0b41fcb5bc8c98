//! Keys by the texts that a figure names them by.

use super::Keys;
use super::key_text::{KeyKind, KeyText};
use super::number::KeyNumber;
use gridscope_core::calendar::Instant;
use std::collections::HashMap;

/// The keys of a column, ready to be looked up.
#[derive(Default)]
pub(crate) struct Finder<'k> {
    texts: HashMap<&'k str, u32>,
    /// All numbers and their keys, ascending.
    numbers: Vec<(KeyNumber, u32)>,
    /// The keys' whole numbers.
    wholes: HashMap<u32, i128>,
    times: HashMap<Instant, u32>,
}

impl Keys {
    /// Finder of these keys.
    pub(crate) fn finder(&self) -> Finder<'_> {
        let labels = self.labels.iter().map(String::as_str).zip(0..);
        let others = self.others.iter().map(|(text, id)| (text.as_str(), *id));
        let mut finder = Finder::default();
        for (text, id) in labels.chain(others) {
            finder.texts.entry(text).or_insert(id);
            if self.kind == KeyKind::Texts {
                continue;
            }
            let KeyText { number, moment, .. } = KeyText::new(text);
            if let Some(n) = number {
                finder.numbers.push((n, id));
                finder.wholes.extend(n.whole().map(|w| (id, w)));
            }
            if let Some(m) = moment {
                finder.times.entry(m.instant).or_insert(id);
            }
        }
        finder.numbers.sort_unstable();
        finder
    }
}

impl Finder<'_> {
    /// The id of a key: that of the text, of the same number, or of the same time.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        if let Some(id) = self.texts.get(text) {
            return Some(*id);
        }
        let KeyText { number, moment, .. } = KeyText::new(text);
        let of_time = || self.times.get(&moment?.instant).copied();
        number.and_then(|n| self.of_number(n)).or_else(of_time)
    }

    /// The key of the nearest number that is the same; a whole number is never found under another one's key.
    fn of_number(&self, wanted: KeyNumber) -> Option<u32> {
        let near = |n: KeyNumber| n.is_near(wanted);
        let first = self.numbers.partition_point(|(n, _)| !near(*n) && n.value() < wanted.value());
        let fits = |(n, id): &&(KeyNumber, u32)| {
            let other = wanted.whole().zip(self.wholes.get(id)).is_some_and(|(a, b)| a != *b);
            wanted.is_same(*n) && !other
        };
        let found = self.numbers[first..].iter().take_while(|(n, _)| near(*n)).filter(fits);
        found.min_by_key(|(n, _)| (n.steps(wanted), n.whole() != wanted.whole())).map(|(_, id)| *id)
    }
}
