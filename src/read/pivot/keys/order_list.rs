//! An order that is a list of keys: which of them there are, and which keys it leaves to the end.

use super::Keys;
use super::find::Finder;
use crate::error::InputError;
use crate::field::shown;
use crate::table::{count, listed, nearest};
use gridscope_core::figure::{List, Order};
use gridscope_core::lint::{LintName, Lints};
use std::collections::BTreeMap;

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

/// Reports texts in place of labels whose keys none of these columns has.
pub(crate) fn check_labels(columns: &[Keys], texts: &BTreeMap<String, String>, lints: &mut Lints) {
    if texts.is_empty() {
        return;
    }
    let finders: Vec<Finder> = columns.iter().map(Keys::finder).collect();
    let is_unknown = |key: &&str| finders.iter().all(|f| f.find(key).is_none());
    let unknown = texts.keys().map(String::as_str).filter(is_unknown);
    report_unknown("labels", columns, unknown, lints);
}

/// Keys that a text is compared with.
const COMPARED: usize = 10_000;

/// Reports what a list names and no column has.
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
        check_labels(&[keys], &BTreeMap::from(texts), &mut lints);
        let found: Vec<&str> = lints.0.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(
            found,
            ["order of 'size': no key is '71m'; did you mean '70m'?", "labels of 'size': no key is 'zz'"]
        );
    }
}
