//! An order that is a list of keys: which of them there are, and which keys it leaves to the end.

use super::Keys;
use crate::figure::{List, Order};
use crate::input::error::InputError;
use crate::input::field::shown;
use crate::input::table::{count, listed};
use crate::lint::{LintName, Lints};

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
            let what = format!(
                "order of {}: no key is {}",
                shown(&names.join(", ")),
                shown(&named[first])
            );
            Err(InputError::usage(file, what).with_hint("data, natural, alpha, value, or a list of keys"))
        }
        _ => Ok(()),
    }
}
