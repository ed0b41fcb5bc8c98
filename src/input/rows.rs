//! The rows of a tidy table that count, and their keys.

use super::axes::AxisKeys;
use super::csv::Records;
use super::error::InputError;
use super::filter::Condition;
use super::keys::{EMPTY, Keys, OUTSIDE, Reading};
use crate::figure::{AxisSpec, AxisType, Figure, List, StripAxis};
use crate::lint::{LintName, Lints};

/// The columns that make a tidy table's grids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// Along the bottom, the outer first.
    pub x: Vec<usize>,
    /// Down the side, the outer first.
    pub y: Vec<usize>,
    /// The values; none counts rows.
    pub values: Vec<usize>,
    /// The panels.
    pub panel: Option<usize>,
}

/// The rows that count, and their keys.
pub struct Rows {
    /// Rows of the table.
    pub rows: Vec<u32>,
    /// Their keys along the bottom.
    pub x: AxisKeys,
    /// Their keys down the side.
    pub y: AxisKeys,
    /// Their panels.
    pub panel: Option<Keys>,
}

/// Selects rows by `--where`, reads their keys, and leaves out those without one or outside a domain.
///
/// # Errors
/// A condition that does not fit, or no row left.
pub fn keyed_rows(records: &Records, roles: &Roles, figure: &Figure, lints: &mut Lints) -> Result<Rows, InputError> {
    let file = records.file.as_str();
    let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
    let conditions = filter.iter().map(|c| Condition::parse(c, records)).collect::<Result<Vec<_>, _>>()?;
    let mut rows: Vec<u32> = Vec::with_capacity(records.len());
    'rows: for row in 0..records.len() {
        for c in &conditions {
            if !c.matches(records, row)? {
                continue 'rows;
            }
        }
        rows.push(row as u32);
    }
    if rows.is_empty() {
        return Err(InputError::refused(file, "", "no row meets --where"));
    }
    let read = |column: usize, as_text: bool, domain: Option<&List>| {
        let texts = rows.iter().map(|&r| records.get(r as usize, column));
        Keys::read(
            &records.headers[column],
            texts,
            Reading { as_text, missing: &records.missing, domain, order: records.order(column) },
            file,
        )
    };
    let axis = |columns: &[usize], spec: &AxisSpec, word: &str| -> Result<AxisKeys, InputError> {
        if columns.len() > 1 && spec.domain.is_some() {
            return Err(InputError::usage(file, format!("a domain needs one column on {word}, not {}", columns.len())));
        }
        let as_text = spec.kind == Some(AxisType::Category);
        let keys = columns.iter().map(|&c| read(c, as_text, spec.domain.as_ref())).collect::<Result<Vec<_>, _>>()?;
        Ok(AxisKeys::new(keys))
    };
    let mut x = axis(&roles.x, &figure.x, "x")?;
    let mut y = axis(&roles.y, &figure.y, "y")?;
    let mut panel = roles.panel.map(|c| read(c, false, None)).transpose()?;

    let code = |i: usize| [x.codes[i], y.codes[i], panel.as_ref().map_or(0, |p| p.codes[i])];
    let mut kept = Vec::with_capacity(rows.len());
    let (mut empty, mut outside) = (0u64, 0u64);
    for i in 0..rows.len() {
        let codes = code(i);
        if codes.contains(&EMPTY) {
            empty += 1;
        } else if codes.contains(&OUTSIDE) {
            outside += 1;
        } else {
            kept.push(i as u32);
        }
    }
    let left_out = |n: u64, what: &str| {
        let (rows, are) = if n == 1 { ("row has", "is") } else { ("rows have", "are") };
        format!("{n} {rows} {what} and {are} left out")
    };
    if empty > 0 {
        let named: Vec<String> = roles.x.iter().chain(&roles.y).chain(&roles.panel).map(|&c| records.headers[c].clone()).collect();
        lints.add(LintName::EmptyKey, empty, left_out(empty, &format!("no key in {}", named.join(" or "))));
    }
    if outside > 0 {
        lints.add(LintName::OutsideDomain, outside, left_out(outside, "a key outside the domain"));
    }
    if kept.is_empty() {
        return Err(InputError::refused(file, "", format!("no row left: {empty} without a key, {outside} outside the domain")));
    }
    if kept.len() < rows.len() {
        let pick = |codes: &[u32]| kept.iter().map(|&i| codes[i as usize]).collect::<Vec<_>>();
        (x.codes, y.codes) = (pick(&x.codes), pick(&y.codes));
        if let Some(p) = &mut panel {
            p.codes = pick(&p.codes);
        }
        rows = pick(&rows);
    }
    Ok(Rows { rows, x, y, panel })
}

/// The first text of a column for each key of an axis.
pub fn first_texts(records: &Records, column: usize, keyed: &Rows, axis: StripAxis) -> Vec<String> {
    let keys = if axis == StripAxis::X { &keyed.x } else { &keyed.y };
    let mut out: Vec<Option<&str>> = vec![None; keys.len()];
    for (&row, &code) in keyed.rows.iter().zip(&keys.codes) {
        out[code as usize].get_or_insert_with(|| records.get(row as usize, column));
    }
    out.into_iter().map(|t| t.unwrap_or_default().to_owned()).collect()
}
