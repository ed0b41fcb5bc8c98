//! Tables among other lines of a text, as programs log them: lines of as many fields each, under a line of names. They are rewritten
//! as CSV.

use super::csv;
use super::markup::{of_csv_under, quoted};
use super::reader::{Contents, Input};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::{Field, read_field};
use gridscope_core::figure::{Data, Header};
use std::collections::HashMap;
use std::ops::Range;

/// Rows under the names of a table.
const LEAST: usize = 2;
/// What may part the fields of all lines; a blank is any number of blanks and tabs.
const DELIMITERS: [char; 4] = [',', '\t', ';', ' '];

/// Whether a text has tables among lines that are no part of them.
pub(super) fn is_sections(head: &Head) -> bool {
    head.lines().is_some_and(|text| tables(text).is_some())
}

fn fields(line: &str, delimiter: char) -> Vec<&str> {
    match delimiter {
        ' ' => words(line),
        _ => line.split(delimiter).map(str::trim).collect(),
    }
}

/// The words of a line, those in quotes with the blanks between them.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while !rest.is_empty() {
        let closed = rest.strip_prefix('"').and_then(|inside| Some(inside.find('"')? + 2));
        let quoted = closed.filter(|end| rest[*end..].chars().next().is_none_or(char::is_whitespace));
        let end = quoted.or_else(|| rest.find(char::is_whitespace)).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

fn is_quoted(field: &str) -> bool {
    field.len() > 2 && field.starts_with('"') && field.ends_with('"')
}

/// Whether a line is a rule, as under names.
fn is_rule(line: &[&str]) -> bool {
    let is_line =
        |field: &&str| field.len() > 2 && field.bytes().all(|b| matches!(b, b'-' | b'=' | b'_' | b'+'));
    !line.is_empty() && line.iter().all(is_line)
}

fn is_value(text: &str) -> bool {
    read_field(text, &[]) != Field::Text
}

/// How many fields of a row are values.
fn values(row: &[&str]) -> usize {
    row.iter().filter(|field| !field.is_empty() && is_value(field)).count()
}

fn is_blank(line: &[&str]) -> bool {
    line.iter().all(|field| field.is_empty())
}

/// Whether a line has a field alone.
fn is_title(line: &[&str]) -> bool {
    let mut written = line.iter().filter(|field| !field.is_empty());
    written.next().is_some_and(|field| !is_value(field)) && written.next().is_none()
}

/// Where the tables among lines of fields are, the first line of each its names.
///
/// Rows have as many fields as their names, most of them values; or they go on to a blank line, and each has a value. A table of the
/// second form begins the text, or below a blank line or a title. Under names in quotes without a corner, rows have a label in quotes,
/// and may be short. A rule may stand under the names.
fn tables_of(lines: &[Vec<&str>]) -> Vec<Range<usize>> {
    let is_name = |field: &str| !is_value(field) && (field.contains(char::is_alphabetic) || is_quoted(field));
    let are_names = |line: &[&str]| match line {
        // The corner may be blank.
        [corner, rest @ ..] => {
            !rest.is_empty()
                && (is_name(corner) || corner.is_empty() && rest.len() > 1)
                && rest.iter().all(|field| is_name(field))
        }
        [] => false,
    };
    // Where the block of each line ends: at a blank one, or a rule.
    let mut ends = vec![lines.len(); lines.len() + 1];
    for (l, line) in lines.iter().enumerate().rev() {
        ends[l] = if is_blank(line) || is_rule(line) { l } else { ends[l + 1] };
    }
    let (mut found, mut at): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    while at < lines.len() {
        let (line, below) = (&lines[at], &lines[at + 1..]);
        let rule = usize::from(below.first().is_some_and(|line| is_rule(line)));
        let (width, below) = (line.len(), &below[rule..]);
        let is_row = |row: &&Vec<&str>| {
            row.len() == width && row.iter().filter(|field| is_value(field)).count() * 2 > width
        };
        let rows = below.iter().take_while(is_row).count();
        let begins = at == 0 || is_blank(&lines[at - 1]) || is_title(&lines[at - 1]);
        let block = ends[at + 1 + rule] - (at + 1 + rule);
        let is_labelled = |row: &&Vec<&str>| {
            (2..=width + 1).contains(&row.len())
                && is_quoted(row[0])
                && row[1..].iter().all(|field| is_value(field))
        };
        let labelled = match line.iter().all(|field| is_quoted(field)) {
            true => below.iter().take_while(is_labelled).count(),
            false => 0,
        };
        let is_row = |row: &Vec<&str>| row.len() == width && values(row) > 0;
        let len = match are_names(line) {
            true if begins && block > 0 && below[..block].iter().all(is_row) => block,
            true if rows.max(labelled) >= LEAST => rows.max(labelled),
            _ => 0,
        };
        let end = if len > 0 { at + 1 + rule + len } else { at + 1 };
        if len > 0 {
            found.push(at..end);
        }
        at = end;
    }
    found
}

/// The tables among lines, where there are several, or others before the first. `None` where lines beside them may be rows of one.
fn tables_among(lines: &[Vec<&str>], delimiter: char) -> Option<Vec<Range<usize>>> {
    let found = tables_of(lines);
    let first = found.first()?;
    let mut is_inside = vec![false; lines.len()];
    found.iter().for_each(|table| is_inside[table.clone()].fill(true));
    let others: Vec<usize> = (0..lines.len()).filter(|&l| !is_blank(&lines[l]) && !is_inside[l]).collect();
    // Widths of tables beside a line, and by width the columns that hold values alone.
    let above: HashMap<usize, usize> = found
        .iter()
        .filter_map(|table| Some((table.start.checked_sub(1)?, lines[table.start].len())))
        .collect();
    let below: HashMap<usize, usize> =
        found.iter().map(|table| (table.end, lines[table.start].len())).collect();
    let mut holds: HashMap<usize, Vec<bool>> = HashMap::new();
    for row in found.iter().flat_map(|table| &lines[table.start + 1..table.end]) {
        let of = holds.entry(row.len()).or_insert_with(|| vec![true; row.len()]);
        of.iter_mut().zip(row).for_each(|(all, field)| *all &= is_value(field));
    }
    // Lines of numbers beside a table, or like its rows, and lines beside it of as many fields may be part of it.
    let may_be_row = |&l: &usize| {
        let (width, values) = (lines[l].len(), values(&lines[l]));
        let are_values = values * 2 > width;
        let beside = [above.get(&l).filter(|_| !is_title(&lines[l])), below.get(&l)];
        let is_beside = beside.iter().any(Option::is_some);
        let fits = holds
            .get(&width)
            .is_some_and(|holds| holds.iter().zip(&lines[l]).all(|(all, field)| !all || is_value(field)));
        beside.contains(&Some(&width))
            || are_values && (is_beside || fits)
            || values > 0 && delimiter != ' ' && holds.contains_key(&width)
    };
    let goes_on =
        |w: &[Range<usize>]| w[0].end == w[1].start && lines[w[0].start].len() == lines[w[1].start].len();
    let begins = others.first().is_some_and(|&l| l < first.start) || found.len() > 1;
    let is_comment = |&l: &usize| lines[l][0].starts_with('#');
    let are_words = !others.iter().any(may_be_row) && (others.is_empty() || !others.iter().all(is_comment));
    (begins && are_words && !found.windows(2).any(goes_on)).then_some(found)
}

/// Where the tables of a text are by their lines, and what parts their fields.
fn tables(text: &str) -> Option<(Vec<Range<usize>>, char)> {
    let of = |delimiter: char| {
        let lines: Vec<Vec<&str>> = text.lines().map(|line| fields(line, delimiter)).collect();
        let covered = tables_of(&lines).iter().map(ExactSizeIterator::len).sum::<usize>();
        (covered, lines, delimiter)
    };
    let (_, lines, delimiter) = DELIMITERS.into_iter().map(of).max_by_key(|(covered, ..)| *covered)?;
    tables_among(&lines, delimiter).map(|found| (found, delimiter))
}

/// The place of the table that is asked for, or of the first.
///
/// # Errors
/// When there are not so many.
pub(super) fn numbered(data: &Data, all: usize, file: &str) -> Result<usize, InputError> {
    let asked = data.table_number.map_or(1, |n| n.get() as usize);
    if asked <= all {
        return Ok(asked - 1);
    }
    let what = format!("has {all} tables, and --table-number {asked} is none of them");
    Err(InputError::usage(file, what))
}

/// One table of such a text.
///
/// # Errors
/// No UTF-8, no such table, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let data = &input.request.figure.data;
    if data.delimiter.is_some() || data.skip_rows.is_some() || data.comment.is_some() || data.header.is_some()
    {
        return csv::open(input);
    }
    let file = input.request.file;
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, file)?;
    let Some((found, delimiter)) = tables(text) else { return csv::open(input) };
    let place = numbered(data, found.len(), file)?;
    let table = &found[place];
    let mut csv = "\n".repeat(table.start);
    let lines: Vec<Vec<&str>> =
        text.lines().skip(table.start).take(table.len()).map(|line| fields(line, delimiter)).collect();
    // Labels under names in quotes have no name.
    let has_labels = lines[0].iter().all(|field| is_quoted(field));
    let width = lines.iter().map(Vec::len).max().unwrap_or_default();
    let width = width.max(lines[0].len() + usize::from(has_labels));
    for (row, line) in lines.iter().enumerate().map(|(row, line)| (row, line.as_slice())) {
        if !is_rule(line) {
            let cell = |field: &&str| if is_quoted(field) { (*field).to_owned() } else { quoted(field) };
            let mut cells: Vec<String> = line.iter().map(cell).collect();
            // The corner of names may be left out.
            if row == 0 && has_labels {
                cells.insert(0, String::new());
            }
            cells.resize(width, String::new());
            csv.push_str(&cells.join(","));
        }
        csv.push('\n');
    }
    let (from, to, all) = (table.start + 1, table.end, text.lines().count());
    let notice = format!("{file}: lines {from} to {to} of {all} are read");
    held.keep();
    // Names in quotes may be numbers.
    let header = has_labels.then_some(Header::Yes);
    let contents = of_csv_under(csv, header, notice, input)?;
    if data.table_number.is_none() {
        input.tables_left_out("table 1", found.len(), "--table-number 2".to_owned());
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::tables;

    #[test]
    fn tables_are_found_among_lines_of_words() {
        let of = |text: &str| {
            let (found, _) = tables(text)?;
            Some(found.iter().map(|table| (table.start, table.end)).collect::<Vec<_>>())
        };
        let log = "units lj\nPer MPI rank (min/avg) = 4.2 | 4.2 Mbytes\n  Step Temp\n 0 1.5\n 10 1.6\nLoop time of 0.1 on 1 procs\n";
        assert_eq!(of(log), Some(vec![(2, 5)]));
        assert_eq!(of("a,b\n1,2\n3,4\n\nc,d,e\n1,2,3\n4,5,6\n"), Some(vec![(0, 3), (4, 7)]));
        let report = "\"Writer report\"\n  \"4\" \"8\"\n\"64\" 1\n\"128\" 2 3\n\n\"Reader report\"\n  \"4\" \"8\"\n\"64\" 1 2\n\"128\" 2 3\n";
        assert_eq!(of(report), Some(vec![(1, 4), (6, 9)]));
        assert_eq!(of("log\n  T/P a b\n  -----\n  a 1 2\n  b 3 4\nsaved to disk as x\n"), Some(vec![(1, 5)]));
        assert_eq!(of("Report of May\n\nname;v;w\nx;1;2\ny;3;4\n"), Some(vec![(2, 5)]));
        // Rows that are too long, tables without other lines, comments, and rows that go on are left to the reader of tables.
        for text in [
            "a,b\n1,2\n3,4\n1,2,3\n",
            "a,b\n1,2\n3,4\n",
            "# note\na,b\n1,2\n3,4\n",
            "note\na,b\n1,2\n3,4\n5,6,7\n1,2\n",
            "a,b\nx,1\ny,2\n",
            "a,b\n1,2\n3,4\n95%,4$\n5,6\n7,8\n",
            "a,b\n1,2\n3,4\nlost,lost\n5,6\n7,8\n",
            "note\na,b\n1,2\n3,4\nlost,lost\n5,6\n7,8\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
