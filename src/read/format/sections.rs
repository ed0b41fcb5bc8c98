//! Tables among other lines of a text, as programs log them: lines of as many fields each, under a line of names. They are rewritten
//! as CSV.

use super::csv;
use super::markup::{of_csv, quoted, tables_left_out};
use super::reader::{Contents, Input};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::{Field, read_field};
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
        ' ' => line.split_whitespace().collect(),
        _ => line.split(delimiter).map(str::trim).collect(),
    }
}

fn is_value(text: &str) -> bool {
    read_field(text, &[]) != Field::Text
}

/// Where the tables are by their lines, the first of each its names, and what parts their fields. `None` for a text that is one
/// table, and where lines beside them may be rows of one.
fn tables(text: &str) -> Option<(Vec<Range<usize>>, char)> {
    let lines: Vec<&str> = text.lines().collect();
    let of = |delimiter: char| {
        let cut: Vec<Vec<&str>> = lines.iter().map(|line| fields(line, delimiter)).collect();
        let is_row = |row: &[&str], width: usize| {
            row.len() == width && row.iter().filter(|field| is_value(field)).count() * 2 > width
        };
        let is_name = |field: &&str| !is_value(field) && field.contains(char::is_alphabetic);
        let is_names = |row: &[&str]| row.len() > 1 && row.iter().all(is_name);
        let (mut found, mut at): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
        while at < lines.len() {
            let width = cut[at].len();
            let rows = cut[at + 1..].iter().take_while(|row| is_row(row, width)).count();
            if is_names(&cut[at]) && rows >= LEAST {
                found.push(at..at + 1 + rows);
                at += rows;
            }
            at += 1;
        }
        (found, delimiter, cut)
    };
    let (found, delimiter, cut) = DELIMITERS
        .into_iter()
        .map(of)
        .max_by_key(|(found, ..)| found.iter().map(ExactSizeIterator::len).sum::<usize>())?;
    let first = found.first()?;
    let is_inside = |line: usize| found.iter().any(|table| table.contains(&line));
    let others: Vec<usize> =
        (0..lines.len()).filter(|&l| !lines[l].trim().is_empty() && !is_inside(l)).collect();
    // Lines of numbers beside a table, or as many as its rows have, and lines beside it of as many fields may be part of it.
    let may_be_row = |&l: &usize| {
        let are_values = cut[l].iter().filter(|field| is_value(field)).count() * 2 > cut[l].len();
        found.iter().any(|table| {
            let is_beside = l + 1 == table.start || l == table.end;
            let is_as_long = cut[l].len() == cut[table.start].len();
            is_beside && is_as_long || are_values && (is_beside || is_as_long)
        })
    };
    let goes_on =
        |w: &[Range<usize>]| w[0].end == w[1].start && cut[w[0].start].len() == cut[w[1].start].len();
    if found.windows(2).any(goes_on) {
        return None;
    }
    let begins = others.first().is_some_and(|&l| l < first.start) || found.len() > 1;
    let is_comment = |&l: &usize| lines[l].trim_start().starts_with('#');
    let are_words = !others.iter().any(may_be_row) && (others.is_empty() || !others.iter().all(is_comment));
    (begins && are_words).then_some((found, delimiter))
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
    let (file, asked) = (input.request.file, data.table_number.map_or(1, |n| n.get() as usize));
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, file)?;
    let Some((found, delimiter)) = tables(text) else { return csv::open(input) };
    let Some(table) = asked.checked_sub(1).and_then(|n| found.get(n)) else {
        let what = format!("has {} tables, and --table-number {asked} is none of them", found.len());
        return Err(InputError::usage(file, what));
    };
    let mut csv = "\n".repeat(table.start);
    for line in text.lines().skip(table.start).take(table.len()) {
        let cells: Vec<String> = fields(line, delimiter).into_iter().map(quoted).collect();
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    let (from, to, all) = (table.start + 1, table.end, text.lines().count());
    let notice = format!("{file}: lines {from} to {to} of {all} are read");
    held.keep();
    let mut contents = of_csv(csv, notice, input)?;
    if data.table_number.is_none() {
        tables_left_out(&mut contents, asked, found.len(), file);
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
