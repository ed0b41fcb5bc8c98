//! The order of keys.

use super::Keys;
use super::key_text::KeyKind;
use super::number::KeyNumber;
use crate::prefixes::prefix_powers;
use crate::versions::may_be_versions;
use gridscope_core::calendar::places_in_time;
use gridscope_core::figure::{List, Order, OrderWord};
use gridscope_core::text::{NaturalOrder, powers};

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
            Some(Order::Word(OrderWord::Natural)) => {
                let texts = || self.texts(&ids);
                let as_versions = self.kind == KeyKind::Numbers && !self.merges && may_be_versions(&texts());
                if as_versions || !self.sort_by_meaning(&mut ids) {
                    let natural = NaturalOrder::of(self.labels.iter().map(String::as_str));
                    ids.sort_by(|&a, &b| natural.compare(label(a), label(b)));
                }
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
        if let Some(places) = &self.given {
            ids.sort_by_key(|&id| places[id as usize]);
        } else {
            self.sort_by_meaning(&mut ids);
        }
        ids
    }

    /// Sorts numbers and times, versions, numbers with a unit, months, weekdays and quarters; whether all keys are of one of these kinds.
    fn sort_by_meaning(&self, ids: &mut [u32]) -> bool {
        let label = |id: u32| self.labels[id as usize].as_str();
        if self.are_versions {
            let natural = NaturalOrder::default();
            ids.sort_by(|&a, &b| natural.compare(label(a), label(b)));
        } else if let Some(ranks) = &self.ranks {
            ids.sort_by_key(|&id| ranks[id as usize]);
        } else if let Some(units) = one_number_each(&self.labels) {
            ids.sort_by_key(|&id| units[id as usize]);
        } else if let Some(places) = places_in_time(&self.labels) {
            ids.sort_by_key(|&id| places[id as usize]);
        } else {
            return false;
        }
        true
    }
}

/// The number in each label, when all share the text before and after it: `0.5b`, `1.5b`, `14b`. Magnitudes after the numbers
/// may differ: `70m`, `1.4b`.
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
    let head =
        rest.iter().fold(first.as_str(), |p, l| &p[..shared(p, l).unwrap_or(0)]).trim_end_matches(numeric);
    // A sign belongs to the number where no word is before it.
    let head = head.strip_suffix('-').filter(|h| h.is_empty() || h.ends_with(' ')).unwrap_or(head);
    let mut parts: Vec<(&str, &str)> = Vec::with_capacity(labels.len());
    for label in labels {
        let text = label.strip_prefix(head)?;
        let digits = text.trim_start().trim_start_matches('-');
        parts.push(text.split_at(text.len() - digits.trim_start_matches(numeric).len()));
    }
    let tails: Vec<&str> = parts.iter().map(|p| p.1.trim_start()).collect();
    let number = |(text, power): (&str, u32)| match power {
        0 => KeyNumber::parse(text),
        _ => KeyNumber::parse(&format!("{}e{power}", text.trim())),
    };
    let powers = prefix_powers(&tails).or_else(|| powers(&tails))?;
    let numbers = parts.iter().map(|p| p.0).zip(powers);
    numbers.map(number).collect()
}
