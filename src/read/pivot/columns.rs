//! The columns of a table: which kind of table they make, and which are named beside it.

use super::explain::explained;
use super::first_column::{FirstColumn, Numbers, first_column, unnamed_first_column};
use super::numerals::{in_one_unit, numerals, unclear, verdicts};
use super::profile::{
    all_differ, are_headers, are_ids, counts_rows, first_repeats, is_id, is_row_number, numbers_rows,
    numbers_things, numeric, report_units,
};
use super::runs::{COORDINATES, RUNS, is_log, report_sweep, sweep};
use super::suggest::{ask_for_columns, axes, flag, name, suggest_tidy};
use super::wide::WideColumns;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::shown;
use crate::numeral::{Numeral, TextAt, Verdict};
use crate::shell_word::is_match;
use crate::table::{Schema, TableSource, count, listed};
use crate::value::no_number;
use gridscope_core::figure::{Annotate, Data, Figure, List, StripAxis, TableKind};
use gridscope_core::grid::{Axis, AxisKind};
use gridscope_core::lint::{LintName, Lints};
use std::sync::Arc;

/// The columns that names and patterns such as `acc*` say, in the order of the names; a pattern is all columns that it
/// matches but those of `keys`. What patterns match is in the order of the file.
///
/// # Errors
/// A name of no column, and a pattern that none matches.
pub(super) fn named(List(names): &List, keys: &[usize], schema: &Schema) -> Result<Vec<usize>, InputError> {
    // A header may hold the comma that a list is cut at.
    if names.len() > 1
        && let Some(column) = schema.headers.iter().position(|header| *header == names.join(","))
    {
        return Ok(vec![column]);
    }
    // Each column, and whether a pattern matched it.
    let mut columns: Vec<(usize, bool)> = Vec::new();
    let mut taken = vec![false; schema.width()];
    keys.iter().for_each(|&key| taken[key] = true);
    for name in names {
        let one = schema.column(name);
        if one.is_ok() || !name.contains(['*', '?']) {
            let column = one?;
            taken[column] = true;
            columns.push((column, false));
            continue;
        }
        let mut matched = false;
        for (column, header) in schema.headers.iter().enumerate() {
            if is_match(name, header, None) {
                matched = true;
                if !std::mem::replace(&mut taken[column], true) {
                    columns.push((column, true));
                }
            }
        }
        if !matched {
            let what = format!("no column matches {}", shown(name));
            return Err(InputError::usage(&schema.file, what)
                .with_hint(format!("columns: {}", listed(&schema.headers))));
        }
    }
    let mut matched: Vec<usize> = columns.iter().filter(|c| c.1).map(|c| c.0).collect();
    matched.sort_unstable();
    let mut matched = matched.into_iter();
    let in_place = |(column, by_pattern)| {
        if by_pattern { matched.next().unwrap_or(column) } else { column }
    };
    Ok(columns.into_iter().map(in_place).collect())
}

/// Content of a column, as far as it matters to a wide table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    Empty,
    /// Numbers, written by this rule if not as plain ones.
    Numbers(Option<Numeral>),
    Texts,
    /// Numbers, and this text among them.
    Stray(TextAt),
    /// Numbers by no one rule: why, and what to do.
    Unclear(String, String),
}

impl Content {
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Content::Numbers(_))
    }

    fn is_stray(&self) -> bool {
        matches!(self, Content::Stray(_))
    }

    /// Whether it is numbers but for a few texts, or by no one rule; `None` where it holds nothing.
    fn nearly_numeric(&self) -> Option<bool> {
        self.numeric().map(|is| is || matches!(self, Content::Stray(_) | Content::Unclear(..)))
    }

    /// Whether it is numbers; `None` where it holds nothing.
    pub(super) fn numeric(&self) -> Option<bool> {
        (*self != Content::Empty).then(|| self.is_number())
    }
}

/// Content of each column, as far as `numeric` gives it: plain numbers, or texts of any kind.
fn plain_contents(numeric: &[Option<bool>]) -> Vec<Content> {
    let content = |numeric: &Option<bool>| match numeric {
        None => Content::Empty,
        Some(true) => Content::Numbers(None),
        Some(false) => Content::Texts,
    };
    numeric.iter().map(content).collect()
}

/// Content of each column; `numeric` says which hold plain numbers.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn contents(
    table: &dyn TableSource,
    numeric: &[Option<bool>],
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Content>, InputError> {
    let is_open = |&c: &usize| numeric[c].is_some_and(|n| !n || table.schema().is_suspect(c));
    let texts: Vec<usize> = (0..numeric.len()).filter(is_open).collect();
    let looked = verdicts(&[table], &texts, data, budget)?;
    let mut contents = plain_contents(numeric);
    for (column, verdict) in texts.into_iter().zip(looked) {
        contents[column] = match verdict {
            Verdict::Written(numeral) => Content::Numbers(Some(numeral)),
            Verdict::Plain => Content::Numbers(None),
            Verdict::Stray(found) => Content::Stray(found),
            Verdict::Unclear(what, hint) => Content::Unclear(what, hint),
            Verdict::Empty | Verdict::Texts => Content::Texts,
        };
    }
    Ok(contents)
}

/// A wide table, with the columns of its labels and its numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub columns: WideColumns,
    /// How numbers are written, of columns where they are not plain.
    pub numerals: Vec<(usize, Numeral)>,
    /// Warnings about columns that are left out.
    pub lints: Lints,
}

impl Choice {
    /// A matrix of these columns.
    fn of(contents: &[Content], values: Vec<usize>) -> Self {
        let numerals = numerals_of(contents, &values);
        Self { numerals, columns: WideColumns { values, ..WideColumns::default() }, lints: Lints::default() }
    }

    /// All columns; the first are the labels if it is `labelled`.
    pub(super) fn all(contents: &[Content], labelled: bool) -> Self {
        let columns = WideColumns::all(contents.len(), labelled);
        Self { numerals: numerals_of(contents, &columns.values), columns, lints: Lints::default() }
    }
}

/// How numbers are written: units of one dimension become that of the first column.
fn numerals_of(contents: &[Content], columns: &[usize]) -> Vec<(usize, Numeral)> {
    let of = |&c: &usize| match contents[c] {
        Content::Numbers(Some(numeral)) => Some((c, numeral)),
        _ => None,
    };
    in_one_unit(columns.iter().filter_map(of).collect())
}

/// The columns of a wide table by what they hold: the labels, unless given, are the first texts that all differ, and the
/// values all columns of numbers but those before the labels that only number the rows. Others are left out and reported.
/// `None` where no column labels the rows or fewer than `least` hold numbers.
///
/// # Errors
/// A column with a text among its numbers, whatever is wrong with the rows, too little memory.
pub(super) fn choose(
    table: &dyn TableSource,
    (contents, figure): (&[Content], &Figure),
    (label, mut least): (Option<usize>, usize),
    budget: &Arc<Budget>,
) -> Result<Option<Choice>, InputError> {
    let schema = table.schema();
    let texts = passed_over(figure, schema);
    let found = match (label, schema.label_columns) {
        (Some(label), _) => Some(label),
        // The rows have no labels.
        (None, Some(0)) => None,
        (None, _) => match first_labels(table, contents, |c| !texts.contains(&c), budget)? {
            None => return Ok(None),
            found => found,
        },
    };
    // What the data themselves say of their labels leaves nothing to be guessed of the other columns.
    let guessed = found.filter(|_| schema.label_columns.is_none());
    let (mut values, mut left_out, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let (x, y) = axes(figure);
    let named: Vec<usize> =
        [x, y].into_iter().flatten().filter_map(|names| named(names, &[], schema).ok()).flatten().collect();
    let is_label = |column: usize| {
        Some(column) == found
            || named.contains(&column)
            || schema.label_columns.is_some_and(|labels| column < labels)
    };
    for (column, content) in contents.iter().enumerate() {
        if is_label(column) || texts.contains(&column) {
            continue;
        }
        let why = match content {
            Content::Stray(_) => {
                if faults.is_empty() {
                    faults.push(stray_texts(table, contents, &figure.data, budget));
                }
                least = least.saturating_sub(1);
                continue;
            }
            Content::Unclear(what, hint) => {
                faults.push(unclear(table, column, what, hint.clone()));
                least = least.saturating_sub(1);
                continue;
            }
            Content::Texts => "text",
            Content::Empty if schema.blank().contains(&column) => continue,
            Content::Empty => "empty",
            Content::Numbers(_) if guessed.is_some_and(|f| column < f) && counts_rows(table, column)? => {
                "row numbers"
            }
            Content::Numbers(None)
                if guessed.map_or(Ok(false), |f| numbers_things(table, (column, f), budget))? =>
            {
                "ids"
            }
            Content::Numbers(_) => {
                values.push(column);
                continue;
            }
        };
        let name = match schema.headers[column].as_str() {
            "" => format!("column {}", column + 1),
            name => name.to_owned(),
        };
        left_out.push(format!("{name} ({why})"));
    }
    if values.len() < least {
        return Ok(None);
    }
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault);
    }
    let mut lints = Lints::default();
    let numerals = numerals_of(contents, &values);
    report_units(schema, &numerals, found, &values, &mut lints);
    if !left_out.is_empty() {
        let n = left_out.len();
        let are = if n == 1 { "is" } else { "are" };
        let what = format!(
            "{} {are} left out: {}; --table wide --value takes names and patterns of columns",
            count(n, "column"),
            listed(&left_out)
        );
        lints.add(LintName::ColumnsLeftOut, n as u64, what);
    }
    Ok(Some(Choice {
        numerals,
        columns: WideColumns { labels: found.into_iter().collect(), values, is_square: false },
        lints,
    }))
}

/// The refusal of the texts among numbers, by the first of them.
fn stray_texts(
    table: &dyn TableSource,
    contents: &[Content],
    data: &Data,
    budget: &Arc<Budget>,
) -> InputError {
    let schema = table.schema();
    let mut fault = InputError::refused(&schema.file, "", "texts among numbers");
    let columns: Vec<usize> = (0..contents.len()).filter(|&c| contents[c].is_stray()).collect();
    if let Some((&column, Content::Stray(found))) = columns.first().map(|c| (c, &contents[*c])) {
        let refused = |what| InputError::refused(&schema.file, schema.place(found.row), what);
        fault = no_number(&schema.headers[column], &found.text, refused);
    }
    explained(fault, &[table], &columns, data, budget)
}

/// The first column of texts that all differ, of those that `may` be it. One that only numbers the rows, as `run-01`, `run-02`,
/// is passed over for a later one.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
fn first_labels(
    table: &dyn TableSource,
    contents: &[Content],
    may: impl Fn(usize) -> bool,
    budget: &Arc<Budget>,
) -> Result<Option<usize>, InputError> {
    let texts = (0..contents.len()).filter(|&c| contents[c] == Content::Texts && may(c));
    labels_of(table, texts, budget)
}

/// Columns that are looked at for labels.
const MOST_LABELS: usize = 32;

/// The labels among these columns of texts, as [`first_labels`] finds them.
///
/// # Errors
/// Whatever is wrong with the rows, and too little memory.
pub(super) fn labels_of(
    table: &dyn TableSource,
    texts: impl Iterator<Item = usize>,
    budget: &Arc<Budget>,
) -> Result<Option<usize>, InputError> {
    let mut numbering: Option<usize> = None;
    let mut before = None;
    // Each column is a pass over the rows: those whose first rows repeat a text are not looked at, nor more than these.
    let texts: Vec<usize> = texts.collect();
    let repeats = first_repeats(table, &texts)?;
    let may_differ = texts.into_iter().zip(repeats).filter(|c| !c.1).map(|c| c.0);
    for column in may_differ.take(MOST_LABELS) {
        // Names follow at once: behind numbers there are remarks.
        if numbering.is_some() && before.is_some_and(|before: usize| before + 1 < column) {
            break;
        }
        before = Some(column);
        if !all_differ(table, column, budget)? {
            continue;
        }
        if !numbers_rows(table, column)? {
            return Ok(Some(column));
        }
        numbering = numbering.or(Some(column));
    }
    Ok(numbering)
}

/// Content of all columns, by a look at the rows.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn look(
    table: &dyn TableSource,
    data: &Data,
    budget: &Arc<Budget>,
) -> Result<Vec<Content>, InputError> {
    let all: Vec<usize> = table.schema().own().collect();
    let (numeric, _) = numeric(&[table], &all, false, budget)?;
    contents(table, &numeric, data, budget)
}

/// A column along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideColumn<'f> {
    pub axis: StripAxis,
    pub column: &'f str,
    /// It makes groups; otherwise it is a strip.
    pub splits: bool,
}

/// Those of a figure: strips in their order, then splits, the outer first.
pub(crate) fn side_columns(figure: &Figure) -> Vec<SideColumn<'_>> {
    let strips = figure.strip.iter().flat_map(|strips| &strips.0);
    let strips = strips.map(|strip| SideColumn { axis: strip.axis, column: &strip.column, splits: false });
    let sides = [(StripAxis::X, &figure.x.split), (StripAxis::Y, &figure.y.split)];
    let splits = sides.into_iter().flat_map(|(axis, split)| {
        let columns = split.iter().flat_map(|List(columns)| columns);
        columns.map(move |column| SideColumn { axis, column, splits: true })
    });
    strips.chain(splits).collect()
}

/// Puts texts along an axis: strips, and splits (true) as the outer levels of its labels.
pub(super) fn put_along(axis: &mut Axis, texts: impl Iterator<Item = (bool, Vec<String>)>) {
    let mut splits = Vec::new();
    for (is_split, texts) in texts {
        let to = if is_split { &mut splits } else { &mut axis.strips };
        to.push(texts);
    }
    if !splits.is_empty() {
        // Groups have no coordinates: their cells are apart.
        (axis.kind, axis.coords) = (AxisKind::Category, None);
        axis.levels.splice(0..0, splits);
    }
}

/// The columns that are neither labels nor values: those whose texts are shown along the rows or in cells, and those that are left
/// out.
fn passed_over(figure: &Figure, schema: &Schema) -> Vec<usize> {
    let template = match figure.annotations.show.as_deref() {
        Some(Annotate::Template(template)) => template.columns(),
        _ => Vec::new(),
    };
    let along = side_columns(figure).into_iter().map(|side| side.column.to_owned());
    let out = figure.data.value.as_ref().and_then(|names| Some(split_exclusions(names, schema).ok()?.1));
    let shown = along.chain(template).filter_map(|name| schema.column(&name).ok());
    shown.chain(out.unwrap_or_default()).collect()
}

/// Columns of numbers that make a wide table of one with texts beside them.
pub(super) const LEAST: usize = 2;

/// Whether only the rows of a table without x and y can say what it is, so that they are read more than once.
pub(super) fn is_open(figure: &Figure) -> bool {
    match figure.data.table {
        None => !is_named(figure),
        Some(kind) => {
            let (x, y) = axes(figure);
            let all_named = figure.data.value.is_some() && (x.is_some() || y.is_some());
            kind == TableKind::Wide && is_named(figure) && !all_named
        }
    }
}

/// Whether the figure names columns, as for a tidy table.
fn is_named(figure: &Figure) -> bool {
    let (x, y) = axes(figure);
    x.is_some() || y.is_some() || figure.data.value.is_some() || figure.data.panel_names().next().is_some()
}

/// The columns of a table without x: of a wide table, or else of a matrix. The rows are read, more than once, if [`is_open`]
/// says so.
///
/// # Errors
/// A table that is neither, options that do not fit, whatever is wrong with the rows, too little memory.
pub(super) fn chosen(
    table: &dyn TableSource,
    figure: &Figure,
    budget: &Arc<Budget>,
) -> Result<Choice, InputError> {
    let schema = table.schema();
    let all =
        |labelled| Choice { columns: WideColumns::all(schema.own().count(), labelled), ..Choice::default() };
    match figure.data.table {
        Some(TableKind::Wide) if is_named(figure) => by_name(table, figure, budget),
        Some(TableKind::Wide) => Ok(all(true)),
        Some(TableKind::Matrix) if is_named(figure) => {
            let what = "--x, --y, --value and --panel are not for --table matrix";
            Err(InputError::usage(&schema.file, what))
        }
        Some(TableKind::Matrix) => Ok(all(false)),
        None if !is_named(figure) => by_content(table, figure, budget),
        None if is_wide_by_labels(figure) => by_name(table, figure, budget),
        _ => Err(ask_for_columns(table, "a tidy table needs --x and --y", figure, budget)),
    }
}

/// Takes the columns without a name and without any value off a choice.
///
/// # Errors
/// Whatever is wrong with the rows.
pub(super) fn drop_blank(
    table: &dyn TableSource,
    choice: &mut Choice,
    budget: &Arc<Budget>,
) -> Result<(), InputError> {
    let blank: Vec<usize> = table.schema().blank().to_vec();
    let blank: Vec<usize> = blank.into_iter().filter(|c| choice.columns.values.contains(c)).collect();
    if blank.is_empty() {
        return Ok(());
    }
    let (numeric, _) = numeric(&[table], &blank, false, budget)?;
    let empty: Vec<usize> = blank.into_iter().zip(numeric).filter(|c| c.1.is_none()).map(|c| c.0).collect();
    choice.columns.values.retain(|c| !empty.contains(c));
    Ok(())
}

/// The columns of a wide table that could not be read as [`chosen`] said, `first`, with what a look at all rows says;
/// `columns` are those that are read. `None` where nothing is other.
///
/// # Errors
/// As [`chosen`].
pub(super) fn looked_at(
    table: &dyn TableSource,
    figure: &Figure,
    first: &Choice,
    columns: &[usize],
    budget: &Arc<Budget>,
) -> Result<Option<Choice>, InputError> {
    let contents = look(table, &figure.data, budget)?;
    let (is_wide, values) = (!first.columns.labels.is_empty(), &first.columns.values);
    if is_wide && !is_named(figure) && values.iter().any(|&c| !contents[c].is_number()) {
        return choose(table, (&contents, figure), (None, 1), budget);
    }
    let numerals = in_one_unit(numerals(&[table], columns, &figure.data, budget)?);
    Ok((!numerals.is_empty()).then(|| Choice { numerals, ..first.clone() }))
}

/// The columns of a wide table by the names that the figure gives.
fn by_name(table: &dyn TableSource, figure: &Figure, budget: &Arc<Budget>) -> Result<Choice, InputError> {
    let schema = table.schema();
    let (x, y) = axes(figure);
    // A transposed table has its labels along x.
    let (label, other) = match (x, y) {
        (Some(x), None) if figure.data.transpose == Some(true) => (Some(x), None),
        _ => (y, x),
    };
    if other.is_some() || figure.data.panel_names().next().is_some() {
        let what = "--x and --panel are not for --table wide, whose columns are those of --value";
        return Err(InputError::usage(&schema.file, what).with_hint("--y names the labels of the rows"));
    }
    let labels = label.map(|names| named(names, &[], schema)).transpose()?.unwrap_or_default();
    let look = || look(table, &figure.data, budget);
    let (names, left_out) = match &figure.data.value {
        Some(names) => split_exclusions(names, schema)?,
        None => (List::default(), Vec::new()),
    };
    if names.0.is_empty() {
        let contents = look()?;
        let mut found = choose(table, (&contents, figure), (labels.first().copied(), 1), budget)?;
        if found.is_none() && labels.is_empty() {
            // Without texts, the first column labels the rows, unless it is left out.
            let numbers = (0..contents.len()).filter(|c| contents[*c].is_number() && !left_out.contains(c));
            found = match left_out.contains(&0) {
                false => choose(table, (&contents, figure), (Some(0), 1), budget)?,
                true => {
                    Some(Choice::of(&contents, numbers.collect())).filter(|c| !c.columns.values.is_empty())
                }
            };
        }
        let what = "no column of numbers is left for the columns of the wide table";
        let mut choice = found.ok_or_else(|| ask_for_columns(table, what, figure, budget))?;
        if !labels.is_empty() {
            choice.columns.labels.clone_from(&labels);
        }
        return Ok(choice);
    }
    let mut values = named(&names, &labels, schema)?;
    let mut met = vec![false; schema.width()];
    values.retain(|&c| !std::mem::replace(&mut met[c], true) && !left_out.contains(&c));
    let labels = if labels.is_empty() {
        let found = first_labels(table, &look()?, |c| !met[c], budget)?;
        // Without texts to label the rows, the first column that is not one of the values.
        found.or(met.iter().position(|met| !met)).into_iter().collect()
    } else {
        labels
    };
    values.retain(|c| !labels.contains(c));
    Ok(Choice { columns: WideColumns { labels, values, is_square: false }, ..Choice::default() })
}

/// The names of columns without those that begin with `!`, and the columns that these name, which are left out.
///
/// # Errors
/// As [`named`].
pub(super) fn split_exclusions(
    List(names): &List,
    schema: &Schema,
) -> Result<(List, Vec<usize>), InputError> {
    let is_out = |name: &&String| name.starts_with('!') && schema.column(name).is_err();
    let (out, rest): (Vec<&String>, Vec<&String>) = names.iter().partition(is_out);
    let out = List(out.into_iter().map(|name| name[1..].to_owned()).collect());
    Ok((List(rest.into_iter().cloned().collect()), named(&out, &[], schema)?))
}

/// Whether a figure names the labels of a wide table alone, or with its columns, or columns that it leaves out: no other kind of table
/// has such names.
pub(super) fn is_wide_by_labels(figure: &Figure) -> bool {
    let (x, y) = axes(figure);
    // A transposed table has its labels along x.
    let (labels, other) = if figure.data.transpose == Some(true) { (x.or(y), x.and(y)) } else { (y, x) };
    let is_tidy = other.is_some() || figure.data.panel_names().next().is_some();
    let leaves_out = |List(names): &List| names.iter().all(|name| name.starts_with('!'));
    let is_wide = labels.is_some() || figure.data.value.as_ref().is_some_and(leaves_out);
    figure.data.table.is_none() && is_wide && !is_tidy
}

/// The columns of a wide table, or else of a matrix, by their content.
fn by_content(table: &dyn TableSource, figure: &Figure, budget: &Arc<Budget>) -> Result<Choice, InputError> {
    let schema = table.schema();
    let columns: Vec<usize> = schema.own().collect();
    let width = columns.len();
    // Without a header, too, the first column may label the rows.
    let labelled = width > 1;
    let (numeric, labels_differ) = numeric(&[table], &columns, labelled, budget)?;
    // Texts are looked at where they stand in the way of a plain table.
    let is_plain = !numeric.iter().skip(usize::from(labelled)).any(|c| *c == Some(false))
        && !columns.iter().any(|&c| schema.is_suspect(c));
    let contents =
        if is_plain { plain_contents(&numeric) } else { contents(table, &numeric, &figure.data, budget)? };
    if let Some(labels) = schema.label_columns.filter(|n| *n < width) {
        let first = (labels > 0).then_some(0);
        let found = choose(table, (&contents, figure), (first, 1), budget)?;
        if let Some(mut choice) = found {
            choice.columns.labels = (0..labels).collect();
            return Ok(choice);
        }
    }
    let numeric: Vec<Option<bool>> = contents.iter().map(Content::numeric).collect();
    let numbers = |c: &[Option<bool>]| c.contains(&Some(true)) && !c.contains(&Some(false));
    let all = numbers(&numeric);
    let matrix = || Ok(Choice::all(&contents, false));
    let columns_of_numbers = Numbers { table, contents: &contents };
    match (width, schema.has_types) {
        _ if !schema.has_header && all => {
            let has_unit = |c: &Content| matches!(c, Content::Numbers(Some(n)) if n.unit.is_some());
            let without_unit = width > 2 && !has_unit(&contents[0]) && contents[1..].iter().all(has_unit);
            let first = unnamed_first_column(&columns_of_numbers, width)?;
            let mut choice = Choice::all(&contents, without_unit || first == FirstColumn::Labels);
            let Choice { numerals, columns: WideColumns { values, .. }, lints } = &mut choice;
            report_units(schema, numerals, None, values, lints);
            if first == FirstColumn::Open && !without_unit {
                let name = name(0, schema);
                let what = format!("{name} grows from row to row, as labels do, and no other column does");
                choice.lints.add(LintName::UnlikeColumns, 1, what).hint(flag("--y", &name));
            }
            if width <= COORDINATES {
                report_sweep(table, figure, &mut choice, budget);
            }
            return Ok(choice);
        }
        (1, true) if all => return matrix(),
        (1, true) => {
            let why = "one column, which is not a matrix";
            return Err(ask_for_columns(table, why, figure, budget));
        }
        (1, false) => {
            return Err(InputError::refused(&schema.file, "", "one column")
                .with_hint("did you mean --delimiter? --table matrix takes one column as it is"));
        }
        _ => {}
    }
    // A name under a blank corner is that of the labels.
    let has_name = |level: &Vec<String>| !level[0].is_empty();
    let unlabelled = schema.levels.last().is_some_and(has_name)
        && schema.levels.first().is_some_and(has_name)
        && schema.label_columns.is_none();
    // Names in a comment stand over a matrix, unless its first column counts rows.
    let named = schema.named_by_numbers || schema.named_in_comment && !columns_of_numbers.grow(0)?;
    if all && (are_numbered(&schema.headers) || named || unlabelled) {
        let whole = Choice::all(&contents, false);
        let is_swept = named && width <= COORDINATES && sweep(table, figure, &whole, budget).is_some();
        return if is_swept { Err(ask_for_columns(table, RUNS, figure, budget)) } else { Ok(whole) };
    }
    // Numbers label rows where nothing speaks against it.
    let first = if all { first_column(&columns_of_numbers)? } else { FirstColumn::Labels };
    match first {
        FirstColumn::Values if labels_differ || all_differ(table, 0, budget)? => {
            let whole = Choice::all(&contents, false);
            if sweep(table, figure, &whole, budget).is_some() {
                return Err(ask_for_columns(table, RUNS, figure, budget));
            }
            for (column, header) in schema.headers.iter().enumerate().take(width).skip(1) {
                if is_id(header) && all_differ(table, column, budget)? {
                    let labelled = choose(table, (&contents, figure), (Some(column), 1), budget)?;
                    return Ok(labelled.unwrap_or(whole));
                }
            }
            return Ok(whole);
        }
        FirstColumn::Square => {
            let mut choice = Choice::all(&contents, false);
            choice.columns.is_square = true;
            return Ok(choice);
        }
        FirstColumn::Counter => {
            return Ok(choose(table, (&contents, figure), (Some(1), 1), budget)?.unwrap_or_default());
        }
        FirstColumn::Values | FirstColumn::Labels | FirstColumn::Open => {}
    }
    if labelled
        && numbers(&numeric[1..])
        && (labels_differ || all_differ(table, 0, budget)? || are_headers(table, 0)?)
    {
        let ids = schema.headers[1..].iter().any(|header| is_id(header) || is_row_number(header));
        let units = contents.iter().any(|c| matches!(c, Content::Numbers(Some(n)) if n.unit.is_some()));
        let least = (Some(0), 1);
        let fewer = (ids || units).then(|| choose(table, (&contents, figure), least, budget));
        let fewer = fewer.transpose()?.flatten();
        let mut choice = fewer.unwrap_or_else(|| Choice::all(&contents, true));
        let texts = passed_over(figure, schema);
        choice.columns.values.retain(|column| !texts.contains(column));
        if all && counts_rows(table, 0)? && sweep(table, figure, &choice, budget).is_some() {
            return Err(ask_for_columns(table, RUNS, figure, budget));
        }
        report_sweep(table, figure, &mut choice, budget);
        return Ok(choice);
    }
    if labelled && let Some(mut choice) = choose(table, (&contents, figure), (None, LEAST), budget)? {
        let texts = contents.iter().filter(|c| **c == Content::Texts).count();
        let label = choice.columns.labels.first().filter(|_| texts > 2).copied();
        let are_runs = label.map_or(Ok(false), |label| are_ids(table, label))?;
        let is_log = |label: Option<&usize>| label.map_or(Ok(false), |l| is_log(table, *l, figure, budget));
        if are_runs
            || is_log(choice.columns.labels.first())?
            || sweep(table, figure, &choice, budget).is_some()
        {
            return Err(ask_for_columns(table, RUNS, figure, budget));
        }
        // A table with more columns of numbers is hardly a tidy one, and the profile of a long table takes longer than drawing it.
        let short = table.threads() == 1 && choice.columns.values.len() == LEAST;
        let tidy = short.then(|| suggest_tidy(table, figure, budget)).flatten();
        if let Some(tidy) = tidy {
            choice.lints.0.iter_mut().for_each(|lint| lint.hint(&tidy));
        }
        return Ok(choice);
    }
    let nearly: Vec<Option<bool>> = contents.iter().map(Content::nearly_numeric).collect();
    if labelled && numbers(&nearly[1..]) {
        if contents.iter().any(Content::is_stray) {
            return Err(stray_texts(table, &contents, &figure.data, budget));
        }
        for (column, content) in contents.iter().enumerate() {
            if let Content::Unclear(what, hint) = content {
                return Err(unclear(table, column, what, hint.clone()));
            }
        }
    }
    let why = if all {
        "a table of numbers with a header is tidy, wide or a matrix (--table)"
    } else {
        "neither a wide table nor a matrix"
    };
    Err(ask_for_columns(table, why, figure, budget))
}

/// Whether headers count on from one to the next: `V1,V2,V3`.
fn are_numbered(headers: &[String]) -> bool {
    let split = |h: &String| -> Option<(String, u64)> {
        let head = h.trim_end_matches(|c: char| c.is_ascii_digit());
        Some((head.to_owned(), h[head.len()..].parse().ok()?))
    };
    let parts: Option<Vec<_>> = headers.iter().map(split).collect();
    let follows = |w: &[(String, u64)]| w[0].0 == w[1].0 && w[0].1.checked_add(1) == Some(w[1].1);
    parts.is_some_and(|p| p.windows(2).all(follows))
}
