//! Projection: the columns of a file that a figure needs. Only these are decoded.

use super::DecodeFault;
use crate::budget::Reservation;
use crate::dataset::partitions;
use crate::error::InputError;
use crate::expression::{parse, parse_prefix};
use crate::field::shown;
use crate::format::reader::Request;
use crate::loaded::ReadOptions;
use crate::pivot::{are_open, axes, names_of, statistics_of};
use crate::shell_word::is_match;
use crate::table::{COLUMN, Schema};
use gridscope_core::figure::{CellCondition, Figure, Quantity};
use gridscope_core::lint::{LintName, Lints};

/// Cells of a table that is read whole where no aggregate is given.
const SMALL: u64 = 1 << 20;

/// A column as a file's schema has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub name: String,
    /// Why it is not read: its type in words.
    pub left_out: Option<String>,
}

/// The indices of the columns to decode, in the order of the file, and the schema of their table. What their names take is added
/// to `room`.
///
/// # Errors
/// A named column whose type is not read, no column that is, no rows, or too little memory.
pub(crate) fn project(
    request: &Request,
    listed: &[Listed],
    rows: u64,
    room: &mut Reservation,
    lints: &mut Lints,
) -> Result<(Vec<usize>, Schema), InputError> {
    let (needed, partial) = needed(request, listed, rows, lints)?;
    let name = |&i: &usize| &listed[i].name;
    let bytes = needed.iter().map(name).map(|n| COLUMN + 4 * n.len() as u64).sum();
    room.more(bytes).map_err(|s| s.of(request.file, format_args!("{} columns", needed.len())))?;
    if rows == 0 {
        return Err(InputError::refused(request.file, "", "no data rows"));
    }
    let names = needed.iter().map(name).cloned().collect();
    let mut schema = Schema::typed(request.file, names, &request.figure.data, lints);
    schema.partial = partial;
    Ok((needed, schema))
}

/// The indices of the columns to decode, and whether readable ones are left out.
fn needed(
    request: &Request,
    listed: &[Listed],
    rows: u64,
    lints: &mut Lints,
) -> Result<(Vec<usize>, bool), InputError> {
    let Request { file, figure, needs, .. } = *request;
    // A lint names the columns in which merged rows differ; for a small table that is worth reading all columns.
    let small =
        figure.data.agg.is_none() && !needs.together && rows.saturating_mul(listed.len() as u64) <= SMALL;
    let named = Named::new(file, figure, needs);
    for name in &named.names {
        let found = |l: &&Listed| l.name == *name || l.name.trim() == name.trim();
        if let Some(Listed { name, left_out: Some(what) }) = listed.iter().find(found) {
            let all_out = listed.iter().filter(|l| l.name == *name).all(|l| l.left_out.is_some());
            if all_out {
                return Err(InputError::refused(
                    file,
                    format!("column {}", shown(name)),
                    format!("{what}, which is not read"),
                ));
            }
        }
    }
    let readable: Vec<usize> = (0..listed.len()).filter(|&i| listed[i].left_out.is_none()).collect();
    let left_out: Vec<&Listed> = listed.iter().filter(|l| l.left_out.is_some()).collect();
    let names_of_left_out = || {
        left_out
            .iter()
            .take(5)
            .map(|l| format!("{} ({})", l.name, l.left_out.as_deref().unwrap_or("")))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if readable.is_empty() {
        let what = if listed.is_empty() {
            "no columns".to_owned()
        } else {
            format!("no column that is read: {}", names_of_left_out())
        };
        return Err(DecodeFault::Unread(what).at(file, ""));
    }
    let only = named.only(listed);
    let all_named = only.is_some();
    if let Some(some) = only.filter(|_| !small) {
        let all = readable.len();
        let needed: Vec<usize> = readable.into_iter().filter(|i| some[*i]).collect();
        let partial = needed.len() < all;
        return Ok((needed, partial));
    }
    if !left_out.is_empty() && !all_named {
        let n = left_out.len();
        let (columns, are) = if n == 1 { ("column", "is") } else { ("columns", "are") };
        let more = if n > 5 { ", …" } else { "" };
        lints.add(
            LintName::Headers,
            n as u64,
            format!("{n} {columns} that {are} not read: {}{more}", names_of_left_out()),
        );
    }
    Ok((readable, false))
}

/// The columns that a figure names.
struct Named<'a> {
    names: Vec<&'a str>,
    /// Conditions, which begin with a column's name.
    conditions: Vec<&'a str>,
    /// Columns, or axes by their names, that conditions on cells compare.
    compared: Vec<String>,
    /// Whether the figure names all of its columns.
    all: bool,
    /// Keys of all rows, which the names of folders give.
    partitions: Vec<String>,
}

impl<'a> Named<'a> {
    fn new(file: &str, figure: &'a Figure, needs: &'a ReadOptions) -> Self {
        let data = &figure.data;
        let (x, y) = axes(figure);
        let lists = [x, y, data.value.as_ref()];
        let mut names: Vec<&str> =
            lists.into_iter().flatten().flat_map(|l| &l.0).map(String::as_str).collect();
        names.extend(data.panel_names());
        names.extend(figure.strip.iter().flat_map(|s| &s.0).map(|s| s.column.as_str()));
        let splits = [&figure.x.split, &figure.y.split].into_iter().flatten();
        names.extend(splits.flat_map(|l| &l.0).map(String::as_str));
        names.extend(needs.columns.iter().map(String::as_str));
        names.extend(needs.picks.iter().map(|pick| pick.column.as_str()));
        names.extend(needs.statistics.iter().filter_map(|s| s.column.as_deref()));
        let conditions =
            data.filter.iter().flat_map(|f| &f.0).chain(&data.pending).map(|c| c.trim()).collect();
        let compared = |condition: CellCondition| match condition.quantity {
            Quantity::Column { name, .. } => Some(name),
            _ => None,
        };
        let compared = figure.cell_conditions().into_iter().filter_map(compared);
        // Columns that are named like an aggregate may be meant in its place.
        let statistics = statistics_of(figure, needs).into_iter().filter(|s| s.column.is_none());
        let namesakes = statistics.flat_map(|s| names_of(&s));
        Self {
            names,
            conditions,
            compared: compared.chain(data.pair_by.clone()).chain(namesakes).collect(),
            all: x.is_some() && y.is_some() && !are_open(figure),
            partitions: partitions(file).into_iter().map(|(key, _)| key).collect(),
        }
    }

    /// Whether each column is needed; `None` where all are, or where names do not tell columns apart.
    fn only(&self, listed: &[Listed]) -> Option<Vec<bool>> {
        let trimmed: Vec<&str> = listed.iter().map(|l| l.name.trim()).collect();
        let mut sorted = trimmed.clone();
        sorted.sort_unstable();
        if !self.all || sorted.windows(2).any(|w| w[0] == w[1]) || sorted.first() == Some(&"") {
            return None;
        }
        let mut headers: Vec<String> = trimmed.iter().map(|t| (*t).to_owned()).collect();
        headers.extend_from_slice(&self.partitions);
        let trimmed: Vec<&str> = headers.iter().map(String::as_str).collect();
        let mut needed = vec![false; headers.len()];
        let mut inputs = Vec::new();
        for name in &self.names {
            if let Some(at) = trimmed.iter().position(|t| *t == name.trim()) {
                needed[at] = true;
                continue;
            }
            if name.contains(['*', '?']) && trimmed.iter().any(|t| is_match(name, t, None)) {
                return None;
            }
            // One that is not an expression may be a position, as 'column 3', which counts all columns.
            parse(name, &headers).ok()?.columns(&mut inputs);
        }
        for name in &self.compared {
            let at = trimmed.iter().position(|t| *t == name.trim());
            at.into_iter().for_each(|at| needed[at] = true);
        }
        for condition in &self.conditions {
            let text = condition.strip_prefix('"').unwrap_or(condition);
            let mut any = false;
            for (need, name) in needed.iter_mut().zip(&trimmed) {
                let begins = text.starts_with(name);
                *need |= begins;
                any |= begins;
            }
            // A short header may also begin the name of a function: `h` and `hour(t)`.
            match parse_prefix(condition, &headers) {
                Ok((expression, _)) => expression.columns(&mut inputs),
                Err(_) if any => {}
                Err(_) => return None,
            }
        }
        inputs.into_iter().for_each(|column| needed[column] = true);
        needed.truncate(listed.len());
        Some(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use gridscope_core::figure::{Agg, Data, List};

    fn columns(names: &[&str]) -> Vec<Listed> {
        names
            .iter()
            .map(|n| Listed {
                name: (*n).to_owned(),
                left_out: n.starts_with('<').then(|| "a list".to_owned()),
            })
            .collect()
    }

    fn figure(x: &str, y: &str, value: &str) -> Figure {
        let list = |t: &str| (!t.is_empty()).then(|| List::from_flag(t));
        let data =
            Data { x: list(x), y: list(y), value: list(value), agg: Some(Agg::Mean), ..Data::default() };
        Figure { data, ..Figure::default() }
    }

    fn of_rows(
        names: &[&str],
        figure: &Figure,
        rows: u64,
        lints: &mut Lints,
    ) -> Result<Vec<usize>, InputError> {
        let request =
            Request { file: "f", figure, needs: &ReadOptions::default(), budget: &Budget::new(1 << 20) };
        let mut room = request.budget.nothing();
        let (needed, schema) = project(&request, &columns(names), rows, &mut room, lints)?;
        assert_eq!(schema.width(), needed.len());
        assert_eq!(schema.partial, needed.len() < names.iter().filter(|n| !n.starts_with('<')).count());
        Ok(needed)
    }

    fn of(names: &[&str], figure: &Figure) -> Result<Vec<usize>, InputError> {
        of_rows(names, figure, 100, &mut Lints::default())
    }

    #[test]
    fn only_named_columns_are_decoded() {
        let mut f = figure("b", "c", "d");
        assert_eq!(of(&["a", "b", "c", "d", "e"], &f), Ok(vec![1, 2, 3]));
        f.data.filter = Some(List(vec!["e2 > 5".into()]));
        assert_eq!(of(&["a", "b", "c", "d", "e", "e2"], &f), Ok(vec![1, 2, 3, 4, 5]));
        f.data.panel = Some("column 1".into());
        assert_eq!(of(&["a", "b", "c", "d", "e"], &f).unwrap().len(), 5);
        f = figure("b", "c", "");
        assert_eq!(of(&["a", "b", "c"], &f).unwrap().len(), 3);
        f = figure("b", "c", "d");
        assert_eq!(of(&["d", "b", "c", "d"], &f).unwrap().len(), 4);
        // Without an aggregate, the lint on merged rows names other columns of a small table.
        f.data.agg = None;
        assert_eq!(of(&["a", "b", "c", "d"], &f).unwrap().len(), 4);
        let large = of_rows(&["a", "b", "c", "d"], &f, 1 << 20, &mut Lints::default());
        assert_eq!(large, Ok(vec![1, 2, 3]));
    }

    #[test]
    fn conditions_on_cells_need_what_they_compare() {
        let names = ["a", "b", "c", "d", "p", "q", "s"];
        let mut f = figure("b", "c", "d");
        f.annotations.mark = "p < 0.05".parse().ok();
        f.data.mask = "mean(q) > 2".parse().ok();
        assert_eq!(of(&names, &f), Ok(vec![1, 2, 3, 4, 5]));
        f.data.mask = "row > 2".parse().ok();
        f.data.pair_by = Some("s".to_owned());
        assert_eq!(of(&names, &f), Ok(vec![1, 2, 3, 4, 6]));
    }

    #[test]
    fn an_expression_needs_its_columns_only() {
        let names = ["a", "h", "t", "loss", "acc", "a - h"];
        let mut f = figure("hour(t)", "bin(loss, 4)", "100 * acc");
        assert_eq!(of(&names, &f), Ok(vec![2, 3, 4]));
        // 'h' begins the condition, and so does the function of another column.
        f.data.filter = Some(List(vec!["hour(t) > 5".into()]));
        assert_eq!(of(&names, &f), Ok(vec![1, 2, 3, 4]));
        assert_eq!(of(&names, &figure("t", "loss", "log10(acc / loss)")), Ok(vec![2, 3, 4]));
        assert_eq!(of(&names, &figure("t", "loss", "a - h")), Ok(vec![2, 3, 5]));
        assert_eq!(of(&names, &figure("t", "loss", "a -h")), Ok(vec![0, 1, 2, 3]));
        assert_eq!(of(&names, &figure("t", "loss", "log10(nothing)")).unwrap().len(), 6);
        assert_eq!(of(&names, &figure("t", "loss", "a*")).unwrap().len(), 6);
    }

    #[test]
    fn what_is_not_read_is_refused_when_named() {
        let e = of(&["a", "<t>"], &figure("a", "<t>", "a")).unwrap_err();
        assert_eq!(e.to_string(), "f: column '<t>': a list, which is not read");
        assert_eq!(of(&["a", "<t>"], &Figure::default()), Ok(vec![0]));
        let mut lints = Lints::default();
        of_rows(&["a", "<t>"], &Figure::default(), 1, &mut lints).unwrap();
        assert_eq!(lints.0[0].text, "1 column that is not read: <t> (a list)");
        assert!(
            of(&["<t>"], &Figure::default())
                .unwrap_err()
                .to_string()
                .ends_with("no column that is read: <t> (a list)")
        );
        assert!(of(&[], &Figure::default()).is_err());
    }
}
