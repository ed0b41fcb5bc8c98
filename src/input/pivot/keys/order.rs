//! The order of keys.

use super::Keys;
use super::number::KeyNumber;
use crate::figure::{List, Order, OrderWord};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::natural::natural;

impl Keys {
    /// All ids in order; `means` are the values that [`OrderWord::Value`] goes by.
    pub(crate) fn order(&self, order: Option<&Order>, means: Option<&[f64]>) -> Vec<u32> {
        let mut ids: Vec<u32> = (0..self.labels.len() as u32).collect();
        let label = |id: u32| self.labels[id as usize].as_str();
        match order {
            None => self.automatic(),
            Some(Order::Word(OrderWord::Data)) => ids,
            Some(Order::Word(OrderWord::Alpha)) => {
                ids.sort_by_key(|&id| label(id));
                ids
            }
            Some(Order::Word(OrderWord::Natural)) if self.ranks.is_some() && self.given.is_none() => {
                self.automatic()
            }
            Some(Order::Word(OrderWord::Natural)) => {
                ids.sort_by(|&a, &b| natural(label(a), label(b)));
                ids
            }
            Some(Order::Word(OrderWord::Value)) => {
                let mut ids = self.automatic();
                let mean = |id: u32| means.map(|m| m[id as usize]).filter(|m| !m.is_nan());
                ids.sort_by(|&a, &b| match (mean(a), mean(b)) {
                    (Some(a), Some(b)) => b.total_cmp(&a),
                    // Keys without a value come last.
                    (a, b) => b.is_some().cmp(&a.is_some()),
                });
                ids
            }
            Some(Order::Keys(List(named))) => {
                let mut out: Vec<u32> = Vec::with_capacity(ids.len());
                let mut taken = vec![false; ids.len()];
                let finder = self.finder();
                let first = named.iter().filter_map(|n| finder.find(n));
                for id in first.chain(self.automatic()) {
                    if !std::mem::replace(&mut taken[id as usize], true) {
                        out.push(id);
                    }
                }
                out
            }
        }
    }

    fn automatic(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = (0..self.labels.len() as u32).collect();
        if let Some(places) = self.given.as_ref().or(self.ranks.as_ref()) {
            ids.sort_by_key(|&id| places[id as usize]);
        } else if let Some(units) = one_number_each(&self.labels) {
            ids.sort_by_key(|&id| units[id as usize]);
        }
        ids
    }
}

/// Refuses an order of which no name is a key: a misspelt `natural` reads as a list of one.
///
/// # Errors
/// When the list names no key of these columns.
pub(crate) fn check_order(columns: &[Keys], order: Option<&Order>, file: &str) -> Result<(), InputError> {
    let Some(Order::Keys(List(named))) = order else {
        return Ok(());
    };
    let finders: Vec<_> = columns.iter().map(Keys::finder).collect();
    if named.is_empty() || named.iter().any(|n| finders.iter().any(|f| f.find(n).is_some())) {
        return Ok(());
    }
    let names: Vec<&str> = columns.iter().map(|k| k.name.as_str()).collect();
    let what = format!(
        "order of {}: no key is {}",
        shown(&names.join(", ")),
        shown(&named[0])
    );
    Err(InputError::usage(file, what).with_hint("data, natural, alpha, value, or a list of keys"))
}

/// The number in each label, when all share the text before and after it: `0.5b`, `1.5b`, `14b`.
pub(crate) fn one_number_each(labels: &[String]) -> Option<Vec<KeyNumber>> {
    let (first, rest) = labels.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let numeric = |c: char| c.is_ascii_digit() || c == '.';
    let shared = |a: &str, b: &str| {
        a.char_indices()
            .zip(b.chars())
            .take_while(|((_, x), y)| x == y)
            .map(|((i, x), _)| i + x.len_utf8())
            .last()
    };
    let head = rest
        .iter()
        .fold(first.as_str(), |p, l| &p[..shared(p, l).unwrap_or(0)])
        .trim_end_matches(numeric);
    // A sign belongs to the number where no word is before it.
    let head = head
        .strip_suffix('-')
        .filter(|h| h.is_empty() || h.ends_with(' '))
        .unwrap_or(head);
    let tail = |l: &str| {
        l.trim_start_matches(|c| !numeric(c))
            .trim_start_matches(numeric)
            .to_owned()
    };
    let tail = tail(first[head.len()..].trim_start_matches('-'));
    labels
        .iter()
        .map(|l| KeyNumber::parse(l.strip_prefix(head)?.strip_suffix(tail.as_str())?))
        .collect()
}
