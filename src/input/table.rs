//! Which table it is: tidy, wide or a matrix.

use super::batch::Table;
use super::budget::Budget;
use super::csv::{AsRecords, Records};
use super::error::InputError;
use super::loaded::{Dialect, Loaded, Needs};
use super::names::panel_names;
use super::panels::check_count;
use super::schema::{Schema, listed};
use super::suggest::{all_differ, ask_for_columns, is_numeric, numeric_columns};
use super::tidy::{Roles, read_tidy};
use super::wide::read_wide;
use crate::figure::{Agg, Figure, List, TableKind};
use crate::lint::Lints;
use std::sync::Arc;

/// A table, and what was noticed when it was opened.
pub(super) type Opened = (Box<dyn AsRecords>, Lints);

/// Bytes that a row takes while its texts are compared with those of the others.
const COMPARED: u64 = 64;

/// Reads a table of text; it may take as much memory as the default of `--max-memory` allows.
///
/// # Errors
/// What the file or the options are at fault with, and too little memory.
pub fn read_table(text: &str, file: &str, figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
    read_tables(&[(file, text)], figure, needs)
}

/// Reads several tables of text: the rows of tidy ones together, with a column `file`; others make a panel each.
///
/// # Errors
/// What a file or the options are at fault with, too little memory, and when the headers of tidy tables differ.
pub fn read_tables(tables: &[(&str, &str)], figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
    let budget = Budget::usual();
    let read = |(file, text): &(&str, &str)| {
        let mut lints = Lints::default();
        let records = Records::read_within(text, file, &figure.data, &mut lints, &budget)?;
        Ok((Box::new(records) as Box<dyn AsRecords>, lints))
    };
    read_all(
        tables.iter().map(read).collect::<Result<_, InputError>>()?,
        figure,
        needs,
        &budget,
    )
}

/// As [`read_tables`], of any tables; what they give is taken off the budget.
///
/// # Errors
/// As [`read_tables`].
pub(super) fn read_all(
    tables: Vec<Opened>,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let files: Vec<String> = tables.iter().map(|t| t.0.schema().file.clone()).collect();
    let dialects: Vec<Dialect> = tables.iter().filter_map(|t| dialect(t.0.schema())).collect();
    let (x, y) = axes(figure);
    let keyed = x.is_some() || y.is_some();
    // Options that a table cannot follow are not dropped in silence.
    let of_arrays = [
        (
            figure.data.slice.is_some(),
            "'slice' takes an index of an array; this is a table",
        ),
        (
            figure.data.key.is_some(),
            "'key' names one of several arrays; this is a table",
        ),
        (
            keyed && figure.x.values.is_some(),
            "'x-values' gives a matrix its coordinates; this table has columns for its axes",
        ),
        (
            keyed && figure.y.values.is_some(),
            "'y-values' gives a matrix its coordinates; this table has columns for its axes",
        ),
    ];
    if let Some((_, what)) = of_arrays.iter().find(|o| o.0) {
        return Err(InputError::usage(files.first().map_or("", String::as_str), *what));
    }
    let names = panel_names(&files);
    let Some((first, _)) = tables.first() else {
        return Err(InputError::usage("", "no file"));
    };
    let several = tables.len() > 1;
    let mut schema = first.schema().clone();
    let told_apart = |schema: &mut Schema| -> Result<(), InputError> {
        tables[1..].iter().try_for_each(|t| schema.join(t.0.schema()))?;
        if several {
            schema.file = listed(&files);
            schema.add_column("file");
        }
        Ok(())
    };
    if keyed && !matches!(figure.data.table, Some(TableKind::Wide | TableKind::Matrix))
        || several && figure.data.table == Some(TableKind::Tidy)
    {
        told_apart(&mut schema)?;
        let (Some(x), Some(y)) = (x, y) else {
            return Err(ask_for_columns(
                first.records()?.as_ref(),
                "a tidy table needs --x and --y",
            ));
        };
        let roles = roles(&tables, &schema, figure, (x, y), budget)?;
        let all: Vec<&dyn Table> = tables.iter().map(|t| t.0.as_ref() as &dyn Table).collect();
        let names = if several { names } else { Vec::new() };
        let mut loaded = read_tidy(&all, &names, &schema, &roles, figure, needs, budget)?;
        loaded.lints = together(tables.into_iter().map(|t| t.1), loaded.lints);
        loaded.dialects = dialects;
        return Ok(loaded);
    }
    check_count(tables.len(), &listed(&files), || {
        format!("{} tables, a panel each", tables.len())
    })?;
    let (mut out, mut told) = (
        Loaded {
            dialects,
            ..Loaded::default()
        },
        Vec::new(),
    );
    for (i, (table, lints)) in tables.into_iter().enumerate() {
        let records = table.records()?;
        let mut one = read_wide(&records, is_wide(&records, figure)?, figure, needs, budget)?;
        one.lints = together([lints].into_iter(), one.lints);
        if several {
            one.lints
                .0
                .iter_mut()
                .for_each(|lint| lint.panel = Some(names[i].clone()));
            one.grids.iter_mut().for_each(|g| g.name.clone_from(&names[i]));
        }
        out.grids.append(&mut one.grids);
        out.lints.append(one.lints);
        told.push(one.told);
    }
    out.told = told.join("; ");
    Ok(out)
}

/// How a table of text is written; tables with types have no delimiter.
fn dialect(schema: &Schema) -> Option<Dialect> {
    Some(Dialect {
        file: schema.file.clone(),
        delimiter: char::from(schema.delimiter?),
        header: schema.has_header,
    })
}

fn together(before: impl Iterator<Item = Lints>, after: Lints) -> Lints {
    let mut all = Lints::default();
    before.chain([after]).for_each(|l| all.append(l));
    all
}

/// The columns given for x and y, those of a transposed table swapped.
fn axes(figure: &Figure) -> (Option<&List>, Option<&List>) {
    let x = figure.data.x.as_ref().or(figure.x.column.as_ref());
    let y = figure.data.y.as_ref().or(figure.y.column.as_ref());
    if figure.data.transpose == Some(true) {
        (y, x)
    } else {
        (x, y)
    }
}

/// Whether a table without x and y is wide, or else a matrix.
fn is_wide(records: &Records, figure: &Figure) -> Result<bool, InputError> {
    let data = &figure.data;
    let (x, y) = axes(figure);
    let named = x.is_some() || y.is_some() || data.value.is_some() || data.panel.is_some();
    match data.table {
        Some(kind @ (TableKind::Wide | TableKind::Matrix)) if named => {
            let what = format!(
                "--x, --y, --value and --panel are for a tidy table, not --table {}",
                kind.word()
            );
            Err(InputError::usage(&records.schema.file, what))
        }
        Some(kind @ (TableKind::Wide | TableKind::Matrix)) => Ok(kind == TableKind::Wide),
        Some(TableKind::Tidy) => Err(ask_for_columns(records, "a tidy table needs --x and --y")),
        None if named => Err(ask_for_columns(records, "a tidy table needs --x and --y")),
        None => by_content(records),
    }
}

/// The columns that make the grids; `schema` is that of all tables together.
fn roles(
    tables: &[Opened],
    schema: &Schema,
    figure: &Figure,
    (x, y): (&List, &List),
    budget: &Budget,
) -> Result<Roles, InputError> {
    let columns = |l: &List| {
        l.0.iter()
            .map(|n| schema.column(n))
            .collect::<Result<Vec<_>, _>>()
    };
    let mut roles = Roles {
        x: columns(x)?,
        y: columns(y)?,
        values: Vec::new(),
        panel: None,
    };
    let ask = |why| Err(ask_for_columns(tables[0].0.records()?.as_ref(), why));
    if roles.x.is_empty() || roles.y.is_empty() {
        return ask("a tidy table needs --x and --y");
    }
    roles.panel = figure.data.panel.as_ref().map(|p| schema.column(p)).transpose()?;
    if let Some(value) = &figure.data.value {
        roles.values = columns(value)?;
        return Ok(roles);
    }
    if figure.data.agg == Some(Agg::Count) {
        return Ok(roles);
    }
    let strip = figure.strip.as_ref().and_then(|s| schema.column(&s.column).ok());
    let taken = |c: &usize| roles.keys().contains(c) || strip == Some(*c);
    let left: Vec<usize> = (0..tables[0].0.schema().width()).filter(|c| !taken(c)).collect();
    let all: Vec<&dyn Table> = tables.iter().map(|t| t.0.as_ref() as &dyn Table).collect();
    let left = numeric_columns(&all, &left, budget)?;
    match left.as_slice() {
        [one] => {
            roles.values = vec![*one];
            Ok(roles)
        }
        [] => ask("no column of numbers is left for --value"),
        many => {
            let names: Vec<String> = many.iter().map(|&c| schema.headers[c].clone()).collect();
            Err(InputError::usage(
                &schema.file,
                format!("which column is --value? {}", listed(&names)),
            ))
        }
    }
}

/// Whether a table is wide, or else a matrix, by what it holds.
fn by_content(records: &Records) -> Result<bool, InputError> {
    let compared = records
        .budget()
        .hold(COMPARED.saturating_mul(records.len() as u64));
    let _compared = compared.map_err(|s| s.of(&records.schema.file, "its texts compared"))?;
    let numeric: Vec<Option<bool>> = (0..records.width()).map(|c| is_numeric(records, c)).collect();
    let numbers = |c: &[Option<bool>]| c.contains(&Some(true)) && !c.contains(&Some(false));
    let all = numbers(&numeric);
    if !records.schema.has_header && all {
        return Ok(false);
    }
    if records.width() == 1 && records.schema.has_types && all {
        return Ok(false);
    }
    if records.width() == 1 && records.schema.has_types {
        return Err(ask_for_columns(records, "one column, which is no matrix"));
    }
    if records.width() == 1 {
        return Err(InputError::refused(&records.schema.file, "", "one column")
            .with_hint("did you mean --delimiter? --table matrix takes one column as it is"));
    }
    if all && are_numbered(&records.schema.headers) {
        return Ok(false);
    }
    if records.schema.has_header && numbers(&numeric[1..]) && all_differ(records, 0) {
        return Ok(true);
    }
    let why = if all {
        "a table of numbers with a header is tidy, wide or a matrix (--table)"
    } else {
        "neither a wide table nor a matrix"
    };
    Err(ask_for_columns(records, why))
}

/// Whether headers count on from one to the next: `V1,V2,V3`.
fn are_numbered(headers: &[String]) -> bool {
    let split = |h: &str| -> Option<(String, u64)> {
        let head = h.trim_end_matches(|c: char| c.is_ascii_digit());
        Some((head.to_owned(), h[head.len()..].parse().ok()?))
    };
    let parts: Option<Vec<_>> = headers.iter().map(|h| split(h)).collect();
    parts.is_some_and(|p| {
        p.windows(2)
            .all(|w| w[0].0 == w[1].0 && w[0].1.checked_add(1) == Some(w[1].1))
    })
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorKind;
    use super::*;
    use crate::figure::Data;

    fn read(text: &str) -> Result<Loaded, InputError> {
        read_table(text, "t.csv", &Figure::default(), &Needs::default())
    }

    fn told(text: &str) -> String {
        read(text).unwrap().told
    }

    fn tidy(x: &str, y: &str) -> Figure {
        Figure {
            data: Data {
                x: Some(List::from_flag(x)),
                y: Some(List::from_flag(y)),
                ..Data::default()
            },
            ..Figure::default()
        }
    }

    #[test]
    fn tables_are_told_apart_by_their_content() {
        assert_eq!(told("1,2\n3,4\n"), "t.csv: matrix, 2 rows x 2 columns");
        assert_eq!(
            told("f1,f2,f3\n1,2,3\n1,5,6\n"),
            "t.csv: matrix, 2 rows x 3 columns, with a header"
        );
        assert_eq!(
            told("model,a,b\nx,1,2\ny,3,\n"),
            "t.csv: wide table, 2 rows x 2 columns"
        );
        assert_eq!(
            told(",0,1\n0,5,6\n1,7,8\n"),
            "t.csv: wide table, 2 rows x 2 columns"
        );
        assert_eq!(
            told(",cat,dog\ncat,5,6\ndog,7,8\n"),
            "t.csv: wide table, 2 rows x 2 columns"
        );
        assert_eq!(
            told("window,0.1,0.2\n500,5,6\n1000,7,8\n"),
            "t.csv: wide table, 2 rows x 2 columns"
        );
    }

    #[test]
    fn what_is_unclear_is_refused_with_a_line_to_copy() {
        let e = read("type,length,acc\n1,5,0.1\n1,6,0.2\n2,5,0.3\n2,6,0.5\n").unwrap_err();
        assert_eq!(
            (e.kind, e.hint.as_deref()),
            (ErrorKind::Usage, Some("--x length --y type --value acc"))
        );
        assert!(
            e.what.ends_with(
                "columns: type (integer, 2 distinct), length (integer, 2 distinct), acc (number, 4 distinct)"
            ),
            "{}",
            e.what
        );
        assert_eq!(read("model,a\nx,1\nx,2\n").unwrap_err().kind, ErrorKind::Usage);
        assert_eq!(read("name,age\nx,old\ny,1\n").unwrap_err().kind, ErrorKind::Usage);
        assert_eq!(read("number\n1.5\n").unwrap_err().what, "one column");
    }

    #[test]
    fn the_value_is_taken_when_only_one_is_left() {
        let text = "x,y,v,name\n1,1,5,a\n2,1,6,b\n";
        assert_eq!(
            read_table(text, "t", &tidy("x", "y"), &Needs::default())
                .unwrap()
                .grids[0]
                .value_name,
            "v"
        );
        let e = read_table("x,y,v,w\n1,1,5,6\n", "t", &tidy("x", "y"), &Needs::default()).unwrap_err();
        assert_eq!(
            (e.kind, e.what.as_str()),
            (ErrorKind::Usage, "which column is --value? v, w")
        );
        let mut f = tidy("x", "y");
        f.data.agg = Some(Agg::Count);
        assert_eq!(
            read_table(text, "t", &f, &Needs::default()).unwrap().grids[0].value_name,
            ""
        );
        f.data.y = None;
        assert!(
            read_table(text, "t", &f, &Needs::default())
                .unwrap_err()
                .what
                .starts_with("a tidy table needs --x and --y")
        );
    }

    #[test]
    fn the_kind_can_be_forced() {
        let of = |text: &str, kind| {
            let f = Figure {
                data: Data {
                    table: Some(kind),
                    ..Data::default()
                },
                ..Figure::default()
            };
            read_table(text, "t", &f, &Needs::default()).map(|l| (l.grids[0].height(), l.grids[0].width()))
        };
        assert_eq!(of("a,b\n1,2\n1,4\n", TableKind::Matrix), Ok((2, 2)));
        assert_eq!(of("a,b\n1,2\n1,4\n", TableKind::Wide), Ok((2, 1)));
        assert!(of("a,b\n1,2\n", TableKind::Tidy).is_err());
        assert_eq!(of("v\n5\n6\n", TableKind::Matrix), Ok((2, 1)));
    }

    #[test]
    fn several_files_are_rows_or_panels() {
        let needs = Needs::default();
        let mut f = tidy("x", "y");
        f.data.panel = Some("file".into());
        let l = read_tables(
            &[("a/s1.csv", "x,y,v\n1,1,5\n"), ("b/s2.csv", "x,y,v\n2,1,6\n")],
            &f,
            &needs,
        )
        .unwrap();
        assert_eq!(
            l.grids.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(),
            ["s1", "s2"]
        );
        let e = read_tables(&[("a", "x,y,v\n1,1,5\n"), ("b", "x,y,w\n2,1,6\n")], &f, &needs).unwrap_err();
        assert_eq!((e.file.as_str(), e.place.as_str()), ("b", "header"));
        f.data.value = Some(List::from_flag("v"));
        let e = read_tables(
            &[("a", "x,y,v\n1,1,5\n"), ("b", "x,y,v\n1,1,5\n2,1,no\n")],
            &f,
            &needs,
        )
        .unwrap_err();
        assert_eq!(e.to_string(), "b: line 3: column 'v': 'no' is no number");
        let l = read_tables(
            &[("a/m.csv", "1,2\n"), ("b/m.csv", "3,4\n")],
            &Figure::default(),
            &needs,
        )
        .unwrap();
        assert_eq!(
            l.grids.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(),
            ["a/m.csv", "b/m.csv"]
        );
    }

    #[test]
    fn files_together_are_one_table() {
        let needs = Needs::default();
        let mut f = tidy("file", "k");
        f.data.value = Some(List::from_flag("v"));
        f.data.filter = Some(List::from_flag("run = ok"));
        let files = [
            ("10.csv", "k,v,run\na,1,ok\n"),
            ("9.csv", "k,v,run\na,2,ok\n"),
            ("notes.csv", "k,v,run\na,3,bad\n"),
        ];
        let l = read_tables(&files, &f, &needs).unwrap();
        assert_eq!(
            (l.grids[0].columns.levels[0].join(" "), l.lints.0.len()),
            ("9 10".into(), 0)
        );
        // A column that is empty in one file is a column of numbers all the same.
        for order in [[0, 1], [1, 0]] {
            let files = [
                ("e1.csv", "x,y,v,n\n1,a,,k\n2,a,,k\n"),
                ("e2.csv", "x,y,v,n\n1,b,3,k\n2,b,4,k\n"),
            ];
            let l = read_tables(&order.map(|i| files[i]), &tidy("x", "y"), &needs).unwrap();
            assert_eq!(l.grids[0].value_name, "v");
        }
    }

    #[test]
    fn damaged_tables_never_panic() {
        let seeds = [
            "x,y,v,p\n1,a,0.5,k\n2,b,\"1\n,5\",m\n3,a,,k\r\n",
            "w,0.1,0.2\n5,1,2\n7,inf,-\n",
            "1;2\n3;4\n",
        ];
        let figures = [
            Figure::default(),
            tidy("x", "y"),
            tidy("x,p", "y"),
            tidy("w", "0.1"),
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % n as u64) as usize
        };
        let alphabet: Vec<char> = "\",;\t|\n\r #:0195eE.-+aNx  é\u{1}<>=".chars().collect();
        for round in 0..6000 {
            let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
            for _ in 0..=random(6) {
                let at = random(text.len().max(1)).min(text.len());
                match random(3) {
                    0 if at < text.len() => drop(text.remove(at)),
                    1 => text.insert(at, alphabet[random(alphabet.len())]),
                    _ if at < text.len() => text[at] = alphabet[random(alphabet.len())],
                    _ => {}
                }
            }
            let text: String = text.into_iter().collect();
            for f in &figures {
                if let Ok(l) = read_table(&text, "t", f, &Needs::default()) {
                    assert!(
                        l.grids.iter().all(|g| g.width() * g.height() == g.cells().len()),
                        "{text:?}"
                    );
                }
            }
        }
    }
}
