//! The order of keys, by their meaning or by a list.

use super::key_text::KeyKind;
use super::number::KeyNumber;
use super::set::Finder;
use super::{KeyOptions, Keys};
use crate::error::InputError;
use crate::field::shown;
use crate::table::{count, listed, nearest};
use crate::value::{may_be_versions, prefix_powers};
use gridscope_core::calendar::places_in_time;
use gridscope_core::figure::{List, Order, OrderWord};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::{NaturalOrder, powers};
use std::collections::{BTreeMap, HashMap, HashSet};

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
        // Among texts, too, what is no key comes last.
        if let Some(blank) = self.blank {
            ids.retain(|id| *id != blank);
            ids.push(blank);
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
        } else {
            let labels = &self.labels[..self.blank.map_or(self.labels.len(), |blank| blank as usize)];
            let last = |id: u32| Some(id) == self.blank;
            // Two digits behind an apostrophe are a year, and no number.
            let are_years = labels.iter().all(|label| label.starts_with(['\'', '’']));
            if let Some(units) = one_number_each(labels).filter(|_| !are_years) {
                ids.sort_by_key(|&id| (last(id), units.get(id as usize).copied()));
            } else if let Some(places) = places_in_time(labels) {
                ids.sort_by_key(|&id| (last(id), places.get(id as usize).copied()));
            } else {
                return false;
            }
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

/// Refuses an order of which no name is a key, for a misspelt `natural` reads as a list of one; reports keys that it does not name,
/// which come last.
///
/// # Errors
/// When the list names no key of these columns.
pub(crate) fn check_order(
    columns: &[Keys],
    order: Option<&Order>,
    file: &str,
    lints: &mut Lints,
) -> Result<(), InputError> {
    let Some(Order::Keys(List(named))) = order else {
        return Ok(());
    };
    let mut met = vec![false; named.len()];
    for keys in columns {
        let finder = keys.finder();
        let mut is_named = vec![false; keys.labels.len()];
        for (text, met) in named.iter().zip(&mut met) {
            if let Some(id) = finder.find(text) {
                (is_named[id as usize], *met) = (true, true);
            }
        }
        let others = keys.labels.iter().zip(&is_named).filter(|k| !k.1);
        let others: Vec<String> = others.map(|k| shown(k.0)).collect();
        // Of several columns, an order may be that of one.
        if others.is_empty() || others.len() == keys.labels.len() {
            continue;
        }
        let all = count(keys.labels.len(), "key");
        let text = format!(
            "order of {}: {} of {all} {} not in the list and {} last: {}",
            shown(&keys.name),
            others.len(),
            if others.len() == 1 { "is" } else { "are" },
            if others.len() == 1 { "comes" } else { "come" },
            listed(&others)
        );
        lints.add(LintName::PartialOrder, others.len() as u64, text);
    }
    let names: Vec<&str> = columns.iter().map(|k| k.name.as_str()).collect();
    match met.iter().position(|met| !met) {
        Some(first) if !met.contains(&true) => {
            let what = format!("order of {}: no key is {}", shown(&names.join(", ")), shown(&named[first]));
            Err(InputError::usage(file, what).with_hint("data, natural, alpha, value, or a list of keys"))
        }
        _ => {
            let unmet = named.iter().zip(&met).filter(|k| !k.1).map(|k| k.0.as_str());
            report_unknown("order", columns, unmet, lints);
            Ok(())
        }
    }
}

/// The labels that a figure names, each with the figure's text in its place; `levels` are the labels of each level of an axis.
/// Names of no label are reported.
///
/// # Errors
/// Those of [`Keys::read`].
pub(crate) fn renamed(
    name: &str,
    levels: &[Vec<&str>],
    of: &BTreeMap<String, String>,
    file: &str,
    lints: &mut Lints,
) -> Result<HashMap<String, String>, InputError> {
    let read = |level: &Vec<&str>| Keys::read(name, level.iter().copied(), KeyOptions::default(), file);
    let keys = levels.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let labels: HashSet<&str> = levels.iter().flatten().copied().collect();
    let finders: Vec<Finder> = keys.iter().map(Keys::finder).collect();
    let (mut out, mut unknown) = (HashMap::new(), Vec::new());
    // The label itself wins over the same number in other words.
    let (own, others): (Vec<_>, Vec<_>) = of.iter().partition(|(key, _)| labels.contains(key.as_str()));
    out.extend(own.into_iter().map(|(key, text)| (key.clone(), text.clone())));
    for (key, text) in others {
        // Edges of bins are written with either dash.
        let bin = || Some(key.replacen('-', "–", 1)).filter(|bin| labels.contains(bin.as_str()));
        let found = finders.iter().zip(&keys).find_map(|(f, k)| Some(&k.labels[f.find(key)? as usize]));
        match found.cloned().or_else(bin) {
            Some(label) => _ = out.entry(label).or_insert_with(|| text.clone()),
            None => unknown.push(key.as_str()),
        }
    }
    report_unknown("labels", &keys, unknown.into_iter(), lints);
    Ok(out)
}

/// Keys that a text is compared with.
const COMPARED: usize = 10_000;

/// Reports keys that a list names and no column has.
fn report_unknown<'t>(
    what: &str,
    columns: &[Keys],
    unknown: impl Iterator<Item = &'t str>,
    lints: &mut Lints,
) {
    let unknown: Vec<&str> = unknown.collect();
    let Some(first) = unknown.first() else { return };
    let names: Vec<&str> = columns.iter().map(|k| k.name.as_str()).collect();
    let keys = columns.iter().flat_map(|k| &k.labels).take(COMPARED);
    let known: Vec<String> = keys.cloned().collect();
    let near = nearest(first, &known).map_or_else(String::new, |n| format!("; did you mean {}?", shown(n)));
    let list: Vec<String> = unknown.iter().map(|text| shown(text)).collect();
    let text = format!("{what} of {}: no key is {}{near}", shown(&names.join(", ")), listed(&list));
    lints.add(LintName::UnknownKey, unknown.len() as u64, text);
}

#[cfg(test)]
mod tests {
    use super::super::KeyOptions;
    use super::*;

    #[test]
    fn names_of_no_key_are_reported_with_the_nearest() {
        let keys = Keys::read("size", ["1b", "70m", "13b"].into_iter(), KeyOptions::default(), "f").unwrap();
        let mut lints = Lints::default();
        let order = Order::Keys(List::from_flag("13b,71m,1b,70m"));
        check_order(std::slice::from_ref(&keys), Some(&order), "f", &mut lints).unwrap();
        let texts = [("zz", "low"), ("70m", "small")].map(|(k, t)| (k.to_owned(), t.to_owned()));
        let levels = [vec!["1b", "70m", "13b"]];
        let renamed = renamed("size", &levels, &BTreeMap::from(texts), "f", &mut lints).unwrap();
        assert_eq!(renamed, HashMap::from([("70m".to_owned(), "small".to_owned())]));
        let found: Vec<&str> = lints.0.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(
            found,
            ["order of 'size': no key is '71m'; did you mean '70m'?", "labels of 'size': no key is 'zz'"]
        );
    }
}
