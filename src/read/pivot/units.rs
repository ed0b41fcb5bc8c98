//! Columns of different units in one wide table.

use super::shell::{flag, name};
use crate::pattern::is_match;
use crate::table::{Schema, listed};
use gridscope_core::lint::{LintName, Lints};

/// Reports columns of different units, which one colour bar cannot tell apart.
pub(super) fn report_units(
    schema: &Schema,
    unit: impl Fn(usize) -> Option<char>,
    (label, values): (usize, &[usize]),
    lints: &mut Lints,
) {
    let mut units: Vec<(Option<char>, Vec<usize>)> = Vec::new();
    for &column in values {
        match units.iter_mut().find(|u| u.0 == unit(column)) {
            Some(of_unit) => of_unit.1.push(column),
            None => units.push((unit(column), vec![column])),
        }
    }
    let Some(most) = units.iter().max_by_key(|u| u.1.len()).filter(|_| units.len() > 1) else {
        return;
    };
    let word = |unit: Option<char>| unit.map_or_else(|| "no unit".to_owned(), String::from);
    let one = |(unit, columns): &(Option<char>, Vec<usize>)| {
        let names: Vec<String> = columns.iter().map(|&c| schema.headers[c].clone()).collect();
        format!("{} ({})", word(*unit), listed(&names))
    };
    let list: Vec<String> = units.iter().map(one).collect();
    let what = format!("one colour bar for {} units: {}", units.len(), list.join(", "));
    let hint = format!(
        "--table wide {} {}",
        flag("--y", &name(label, schema)),
        flag("--value", &listed_or_pattern(&most.1, schema))
    );
    lints.add(LintName::MixedUnits, values.len() as u64, what).hint(hint);
}

/// The columns as `--value` takes them: by a pattern that matches no others, or by their names.
fn listed_or_pattern(columns: &[usize], schema: &Schema) -> String {
    let first = schema.headers[columns[0]].as_str();
    let shared = |end: &usize| columns.iter().all(|&c| schema.headers[c].starts_with(&first[..*end]));
    let ends = first.char_indices().map(|c| c.0).rev();
    let prefix = ends.into_iter().find(shared).map_or("", |end| &first[..end]);
    let pattern = format!("{prefix}*");
    let is_plain = |p: &str| !p.is_empty() && !p.contains(['*', '?', ',', '"', '\\', '[']);
    let matched = schema.own().filter(|&c| is_match(&pattern, &schema.headers[c], None));
    if columns.len() > 2 && is_plain(prefix) && matched.eq(columns.iter().copied()) {
        return pattern;
    }
    let names: Vec<String> = columns.iter().map(|&c| name(c, schema)).collect();
    names.join(",")
}
