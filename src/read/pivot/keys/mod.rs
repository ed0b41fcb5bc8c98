//! The distinct keys of one column: which texts are one key, its label, and the rows it belongs to.
//!
//! A column whose texts are all numbers, or all dates and times, has a key for each number or instant, however it is written; any
//! other column has a key for each text. Among numbers and times `NaN` and `NA` are empty keys; among texts they are texts. Digits that
//! neither 36 places nor f64 hold (`1e400`) are texts.

mod number;
mod key_text;
mod set;
mod order;
mod report;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod meaning_tests;

pub(crate) use number::KeyNumber;
pub(crate) use order::{check_order, one_number_each, renamed};
pub(crate) use set::{Domain, KeySet};

use crate::budget::Budget;
use crate::error::InputError;
use crate::field::{MISSING, parse_number, shown};
use crate::pivot::dates::Dates;
use crate::table::BinAxis;
use crate::value::are_versions;
use gridscope_core::calendar::duration_text;
use key_text::{KeyKind, KeyText};
use report::Findings;
use std::collections::HashMap;
use std::sync::Arc;

/// The code of a row whose key is empty.
pub(super) const EMPTY: u32 = u32::MAX;
/// The code of a row outside the domain.
pub(super) const OUTSIDE: u32 = u32::MAX - 1;
/// A text whose key has no id yet.
const INSIDE: u32 = u32::MAX - 2;

/// How a column's texts become keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyOptions<'a> {
    /// Every text is its own key, numbers too.
    pub as_text: bool,
    /// Numbers are numbers, even where they look like versions.
    pub as_number: bool,
    /// Texts that count as empty.
    pub missing: &'a [String],
    /// Whether the month is first in dates that may be read in two ways.
    pub month_first: Option<bool>,
    /// The label of what is no key, empty where it is as written; without one, such rows are left out.
    pub blank: Option<&'a str>,
    /// Keys that are shown even where empty; others are outside.
    pub domain: Option<&'a Domain>,
    /// The order that the file gives its keys.
    pub order: Option<&'a [String]>,
    /// The numbers are lengths of time, in seconds.
    pub duration: bool,
    /// Texts are declared as such: two of them are two keys, also where they say the same number.
    pub typed: bool,
    /// The bins that the keys are.
    pub bins: Option<&'a Arc<BinAxis>>,
    /// Budget of the keys of a domain; those of the texts were taken off before.
    pub budget: Option<&'a Budget>,
}

/// Whether two texts say the same number.
fn has_equal_numbers(distinct: &[&str]) -> bool {
    let mut numbers: Vec<u64> =
        distinct.iter().filter_map(|text| Some(parse_number(text)?.as_f64().to_bits())).collect();
    numbers.sort_unstable();
    numbers.windows(2).any(|w| w[0] == w[1])
}

/// The keys of a column, by id in the order of their first appearance (those of the domain first).
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// The column's name.
    pub name: String,
    /// The text of each key: the shortest of those seen, of several the first by character.
    pub labels: Vec<String>,
    /// The number of each key's label, when all are numbers.
    pub numbers: Option<Vec<f64>>,
    /// The key's id of each row, or [`EMPTY`], or [`OUTSIDE`].
    pub codes: Vec<u32>,
    /// The bins that the keys are.
    pub bins: Option<Arc<BinAxis>>,
    /// Ids below this belong to the domain.
    pub seeded: usize,
    /// The id of what is no key, where it is one: the last.
    pub blank: Option<u32>,
    kind: KeyKind,
    /// Whether texts of one number or instant are one key.
    merges: bool,
    /// The keys are versions, as `1.10`, and no decimals.
    are_versions: bool,
    /// The place of each key in ascending order, where the keys are numbers or times.
    ranks: Option<Vec<u32>>,
    /// Texts of keys beside their labels.
    others: Vec<(String, u32)>,
    /// The place of each key in the order of the file, where it gives one; those it does not name come last.
    given: Option<Vec<u32>>,
    findings: Findings,
}

impl Keys {
    /// Reads a column's texts.
    ///
    /// # Errors
    /// When a domain spans too many steps, or more than the memory holds.
    pub(super) fn read<'t>(
        name: &str,
        texts: impl Iterator<Item = &'t str>,
        options: KeyOptions,
        file: &str,
    ) -> Result<Self, InputError> {
        let (distinct, mut codes) = distinct(texts);
        let are_versions = !options.as_text
            && !options.as_number
            && options.domain.is_none()
            && are_versions(&surely_keys(&distinct, options.missing));
        let are_texts = options.typed && has_equal_numbers(&distinct);
        let options = KeyOptions { as_text: options.as_text || are_versions || are_texts, ..options };
        let dates = if options.as_text {
            Dates::AsWritten
        } else {
            Dates::of(distinct.iter().copied(), options.missing, options.month_first)
        };
        // Dates in another spelling are keys by what ISO 8601 writes for them.
        let rewritten = |t: &str| dates.reading()?.iso(t);
        let isos: Vec<Option<String>> = match dates.reading() {
            Some(_) => distinct.iter().map(|t| rewritten(t)).collect(),
            None => Vec::new(),
        };
        let written_as = |i: usize| isos.get(i).and_then(Option::as_deref).unwrap_or(distinct[i]);
        let texts: Vec<KeyText> = (0..distinct.len()).map(|i| KeyText::new(written_as(i))).collect();
        let (mut places, named) = choose((&texts, &distinct), &rewritten, options, file)?;
        let named: Vec<KeyText> = named.iter().map(|t| KeyText::new(t)).collect();
        let seeds = named.len();
        let mut at: Vec<usize> = (0..texts.len()).filter(|&i| places[i] == INSIDE).collect();
        let mut all: Vec<&KeyText> = named.iter().chain(at.iter().map(|&i| &texts[i])).collect();
        let kind = match are_versions {
            true => KeyKind::Texts,
            false => KeyKind::of(all.iter().copied()),
        };
        let merges = kind != KeyKind::Texts && !options.as_text;
        if merges && kind == KeyKind::Numbers && options.domain.is_some() {
            // A number outside the domain belongs to it all the same as a link of a run that reaches into it.
            let links = (0..texts.len()).filter(|&i| places[i] == OUTSIDE && texts[i].number.is_some());
            at.extend(links);
            all.extend(at[all.len() - seeds..].iter().map(|&i| &texts[i]));
        }
        let ranks = kind.ranks(&all);
        let groups = match &ranks {
            Some(ranks) if merges => ranks.clone(),
            _ => by_text(&all),
        };
        // A list holds the keys that it names, and not another one that lies as near to a number of theirs.
        let listed = merges && matches!(options.domain, Some(Domain::List(..)));
        let mut held = vec![false; all.len()];
        for (i, &group) in groups.iter().enumerate() {
            held[group as usize] |= i < seeds || !listed && places[at[i - seeds]] == INSIDE;
        }

        let text = |i: usize| if merges { all[i].text.trim() } else { all[i].text };
        let mut ids = vec![EMPTY; all.len()];
        // Of each key: the text that is its label, and the first that the file has.
        let mut labels: Vec<usize> = Vec::new();
        let mut written: Vec<Option<usize>> = Vec::new();
        let mut findings = Findings::default();
        for (i, &group) in groups.iter().enumerate() {
            if !held[group as usize] {
                places[at[i - seeds]] = OUTSIDE;
                continue;
            }
            if ids[group as usize] == EMPTY {
                ids[group as usize] = labels.len() as u32;
                labels.push(i);
                written.push(None);
            }
            let id = ids[group as usize];
            let label = &mut labels[id as usize];
            if (text(i).len(), text(i)) < (text(*label).len(), text(*label)) {
                *label = i;
            }
            if i >= seeds {
                places[at[i - seeds]] = id;
                let first = *written[id as usize].get_or_insert(i);
                let written = |i: usize| {
                    if isos.is_empty() { text(i) } else { distinct[at[i - seeds]].trim() }
                };
                findings.meet(id, written(first), written(i));
            }
        }
        if are_versions {
            let texts: Vec<&str> = all.iter().map(|s| s.text).collect();
            findings.look_at_versions(&texts);
        }
        if !options.as_text {
            findings.look(kind, &all[seeds..], &labels.iter().map(|&i| all[i]).collect::<Vec<_>>());
            let rewritten = isos.iter().zip(&distinct).filter(|t| t.0.is_some());
            findings.look_at_dates(&dates, options.month_first.is_some(), rewritten.map(|t| *t.1));
        }
        let key = |i: usize| ids[groups[i] as usize];
        let others = (0..all.len()).filter(|&i| key(i) != EMPTY && text(i) != text(labels[key(i) as usize]));
        let spelt = isos.iter().zip(0..).filter(|(iso, i)| iso.is_some() && places[*i] < INSIDE);
        let spelt = spelt.map(|(_, i)| (distinct[i].to_owned(), places[i]));
        let others = others.map(|i| (text(i).to_owned(), key(i))).chain(spelt).collect();
        let unkeyed = options.blank.filter(|_| options.domain.is_none() && options.bins.is_none());
        let unkeyed = unkeyed.zip(places.iter().position(|place| *place == EMPTY));
        let unkeyed = unkeyed.map(|(label, first)| {
            let written = [label, distinct[first].trim()].into_iter().find(|text| !text.is_empty());
            places.iter_mut().filter(|place| **place == EMPTY).for_each(|place| *place = labels.len() as u32);
            written.unwrap_or("(blank)").to_owned()
        });
        codes.iter_mut().for_each(|c| *c = places[*c as usize]);
        let mut keys = Self {
            name: name.to_owned(),
            numbers: (kind == KeyKind::Numbers)
                .then(|| labels.iter().filter_map(|&i| Some(all[i].number?.value())).collect()),
            codes,
            seeded: groups[..seeds].iter().map(|g| ids[*g as usize] as usize + 1).max().unwrap_or(0),
            kind,
            merges,
            are_versions,
            ranks: ranks.map(|r| labels.iter().map(|&i| r[i]).collect()),
            others,
            given: None,
            blank: None,
            bins: options.bins.cloned(),
            findings,
            labels: labels.iter().map(|&i| text(i).to_owned()).collect(),
        };
        keys.given = options.order.map(|order| keys.places_in(order));
        if let Some(seconds) = keys.numbers.as_ref().filter(|_| options.duration) {
            keys.labels = seconds.iter().map(|seconds| duration_text(*seconds)).collect();
        }
        if let Some(label) = unkeyed {
            keys.add_blank(label);
        }
        Ok(keys)
    }

    /// Adds the key of rows without one, which comes last and is no number.
    fn add_blank(&mut self, label: String) {
        self.blank = Some(self.labels.len() as u32);
        self.labels.push(label);
        self.numbers = None;
        for places in self.ranks.iter_mut().chain(&mut self.given) {
            places.push(u32::MAX);
        }
    }

    /// The place of each key in an order of texts.
    fn places_in(&self, order: &[String]) -> Vec<u32> {
        let finder = self.finder();
        let mut places = vec![u32::MAX; self.labels.len()];
        for (text, place) in order.iter().zip(0..) {
            if let Some(id) = finder.find(text) {
                let first = &mut places[id as usize];
                *first = (*first).min(place);
            }
        }
        places
    }

    /// The labels of some ids.
    pub(super) fn texts(&self, ids: &[u32]) -> Vec<&str> {
        ids.iter().map(|&id| self.labels[id as usize].as_str()).collect()
    }

    /// Whether the keys are numbers or times, which have an order of their own.
    pub(super) fn is_ranked(&self) -> bool {
        self.ranks.is_some()
    }

    /// Whether the file gives the keys an order.
    pub(super) fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// The text that keeps these keys from being numbers.
    pub(super) fn first_text(&self) -> Option<String> {
        self.labels.iter().find(|l| KeyNumber::parse(l).is_none()).map(|l| shown(l))
    }
}

/// The texts that are keys whatever the others are.
fn surely_keys<'t>(texts: &[&'t str], missing: &[String]) -> Vec<&'t str> {
    let is_key = |t: &&str| {
        let t = t.trim();
        !t.is_empty() && !MISSING.contains(&t) && !missing.iter().any(|m| m == t)
    };
    texts.iter().copied().filter(is_key).collect()
}

/// The texts that differ, and of each row which it is.
fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> (Vec<&'t str>, Vec<u32>) {
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    let mut last = ("", u32::MAX);
    let mut codes: Vec<u32> = Vec::with_capacity(texts.size_hint().0);
    for t in texts {
        // Neighbouring rows often share a key.
        if last.1 == u32::MAX || last.0 != t {
            let next = distinct.len() as u32;
            let id = *ids.entry(t).or_insert(next);
            if id == next {
                distinct.push(t);
            }
            last = (t, id);
        }
        codes.push(last.1);
    }
    (distinct, codes)
}

/// Whether each text is empty, inside the domain or outside, and the texts that the domain has without them.
fn choose(
    (texts, written): (&[KeyText], &[&str]),
    rewritten: &dyn Fn(&str) -> Option<String>,
    options: KeyOptions,
    file: &str,
) -> Result<(Vec<u32>, Vec<String>), InputError> {
    let is_empty = |t: &str| t.trim().is_empty() || options.missing.iter().any(|m| m == t.trim());
    let place = |(s, written): (&KeyText, &&str)| match options.domain {
        _ if is_empty(s.text) => EMPTY,
        Some(domain) if !domain.holds(s) && !domain.names(written) => OUTSIDE,
        _ => INSIDE,
    };
    let mut places: Vec<u32> = texts.iter().zip(written).map(place).collect();
    let inside: Vec<&KeyText> = texts.iter().zip(&places).filter(|t| *t.1 == INSIDE).map(|t| t.0).collect();
    let whole = !options.as_text && inside.iter().all(|s| s.number.is_some_and(|n| n.value().fract() == 0.0));
    let mut seeds =
        options.domain.map_or_else(|| Ok(Vec::new()), |d| d.seeds(whole, file, options.budget))?;
    for seed in &mut seeds {
        if let Some(iso) = rewritten(seed) {
            *seed = iso;
        }
    }
    // Among numbers and times a `NaN` or `NA` is an empty key; among texts it is a text.
    let is_missing = |s: &KeyText| !options.as_text && MISSING.contains(&s.text.trim());
    let kind = {
        let of_domain: Vec<KeyText> = seeds.iter().map(|s| KeyText::new(s)).collect();
        KeyKind::of(of_domain.iter().chain(inside.into_iter().filter(|s| !is_missing(s))))
    };
    let named = |domain: &Domain, s: &KeyText, written: &str| domain.names(s.text) || domain.names(written);
    for ((s, written), place) in texts.iter().zip(written).zip(&mut places).filter(|t| *t.1 == INSIDE) {
        if kind != KeyKind::Texts && is_missing(s) {
            *place = EMPTY;
        } else if (kind == KeyKind::Texts || options.as_text)
            && options.domain.is_some_and(|d| !named(d, s, written))
        {
            // Where numbers are texts, so are those of the domain.
            *place = OUTSIDE;
        }
    }
    Ok((places, seeds))
}

/// A number for each text that differs.
fn by_text(all: &[&KeyText]) -> Vec<u32> {
    let mut known: HashMap<&str, u32> = HashMap::with_capacity(all.len());
    let mut codes = Vec::with_capacity(all.len());
    for s in all {
        let next = known.len() as u32;
        codes.push(*known.entry(s.text).or_insert(next));
    }
    codes
}
