//! Tables among other lines of a text, as programs log them: lines of as many fields each, under a line of names. They are rewritten
//! as CSV.

use super::csv::{self, is_monotone, is_sentence};
use super::reader::{Contents, Input};
use super::rewritten::{Rewritten, quoted};
use super::several::{self, Outline, titles};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::{Field, parse_number, read_field};
use crate::table::count;
use gridscope_core::figure::Header;
use gridscope_core::lint::LintName;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroU8;
use std::ops::Range;

/// Rows under the names of a table.
const LEAST: usize = 2;
/// What may part the fields of all lines; a blank is any number of blanks and tabs.
const DELIMITERS: [char; 4] = [',', '\t', ';', ' '];

/// Whether a text has tables among lines that are no part of them.
pub(super) fn is_sections(head: &Head) -> bool {
    head.lines().is_some_and(|text| tables(&uncommented(text)).is_some())
}

fn fields(line: &str, delimiter: char) -> Vec<&str> {
    match delimiter {
        ' ' => words(line),
        _ => line.split(delimiter).map(str::trim).collect(),
    }
}

/// The lines without a delimiter that ends all lines of a block between blank ones: it makes no field.
fn without_ends<'l>(mut lines: Vec<&'l str>) -> Vec<&'l str> {
    let is_blank = |line: &&str| line.trim().is_empty();
    for block in lines.chunk_by_mut(|a, b| is_blank(a) == is_blank(b)) {
        for delimiter in [',', '\t', ';'] {
            let inner =
                |line: &&str| line.trim_matches(' ').trim_start_matches(delimiter).contains(delimiter);
            let end = |line: &'l str| line.trim_end_matches(' ').strip_suffix(delimiter);
            let mut parted = block.iter().filter(|line| inner(line)).peekable();
            // Rows without names of their own may lack their last value.
            let numbers = parted.clone().nth(1).is_some_and(|row| is_value(fields(row, delimiter)[0]));
            let names = |line: &&&'l str| {
                let line = fields(end(line).unwrap_or(line), delimiter);
                line.iter().all(|field| field.is_empty() || !is_value(field)) || numbers && is_numbered(&line)
            };
            let is_named = parted.peek().is_some_and(names);
            if is_named && parted.all(|line| end(line).is_some()) {
                block.iter_mut().for_each(|line| *line = end(line).unwrap_or(line));
            }
        }
    }
    lines
}

/// The lines of a text, where comments that name the columns of tables below them are lines of names: each behind another comment, and
/// not the same for all.
fn uncommented(text: &str) -> Vec<&str> {
    fn own(line: &str) -> Option<&str> {
        line.trim_start().strip_prefix('#').map(str::trim_start)
    }
    let mut lines = without_ends(text.lines().collect());
    let apart = |line: &str| line.trim().is_empty() || own(line).is_some();
    let is_table = |i: usize| {
        let names = own(lines[i])?;
        let row = lines.get(i + 1).filter(|row| !apart(row))?;
        let fits = |delimiter: char| {
            let (names, row) = (fields(names, delimiter), fields(row, delimiter));
            let are_names = names.iter().all(|name| !name.is_empty() && !is_value(name));
            names.len() > 1 && names.len() == row.len() && are_names && values(&row) * 2 > row.len()
        };
        // Behind a title of its own: a comment alone may be one.
        let is_first = i > 0 && own(lines[i - 1]).is_some();
        (is_first && DELIMITERS.into_iter().any(fits)).then_some((i, names))
    };
    let found: Vec<(usize, &str)> = (0..lines.len()).filter_map(is_table).collect();
    // What stands over the names, up to the row before.
    let above = |&(i, names): &(usize, &str)| {
        let from = lines[..i].iter().rposition(|line| !apart(line)).map_or(0, |row| row + 1);
        let titles = lines[from..i].iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        (names.to_owned(), titles.collect::<Vec<_>>().concat())
    };
    let headings: HashSet<(String, String)> = found.iter().map(above).collect();
    if headings.len() > 1 {
        found.into_iter().for_each(|(i, names)| lines[i] = names);
    }
    lines
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

/// Whether a line has a field alone, or is a sentence.
fn is_title(line: &[&str]) -> bool {
    let mut written = line.iter().filter(|field| !field.is_empty());
    let is_alone = written.next().is_some_and(|field| !is_value(field)) && written.next().is_none();
    is_alone || !line.iter().any(|field| is_value(field)) && is_sentence(line)
}

/// Whether a line is the name of labels and numbers that rise or fall.
fn is_numbered(line: &[&str]) -> bool {
    let [corner, rest @ ..] = line else { return false };
    let numbers: Option<Vec<f64>> = rest.iter().map(|field| Some(parse_number(field)?.as_f64())).collect();
    !is_value(corner) && numbers.is_some_and(|n| n.len() > 1 && is_monotone(&n))
}

/// Where the tables among lines of fields are, the first line of each its names.
///
/// Rows have as many fields as their names, most of them values; or they go on to a blank line, and each has a value. A table of the
/// second form begins the text, or below a blank line or a title. Under names in quotes without a corner, rows have a label in quotes,
/// and may be short. A rule may stand under the names.
fn tables_of(lines: &[Vec<&str>], delimiter: char) -> Vec<Range<usize>> {
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
        let rows = || below.iter().take_while(is_row).count();
        let begins = at == 0 || is_blank(&lines[at - 1]) || is_title(&lines[at - 1]);
        let block = ends[at + 1 + rule] - (at + 1 + rule);
        let is_labelled = |row: &&Vec<&str>| {
            (2..=width + 1).contains(&row.len())
                && is_quoted(row[0])
                && row[1..].iter().all(|field| is_value(field))
        };
        let labelled = || match line.iter().all(|field| is_quoted(field)) {
            true => below.iter().take_while(is_labelled).count(),
            false => 0,
        };
        let is_row = |row: &Vec<&str>| row.len() == width && values(row) > 0;
        let are_numbers = || below[..block].iter().all(|row| values(row) == width);
        let are_settings = begins && block > 0 && is_numbered(line) && are_numbers();
        // A sentence over names has as many words by chance.
        let may_name = |names: &Vec<&str>| are_names(names) || is_numbered(names);
        let is_over_names = is_sentence(line) && below.first().is_some_and(may_name);
        let len = match (are_names(line) || are_settings) && !is_over_names {
            true if begins && block > 0 && below[..block].iter().all(is_row) => block,
            true => Some(rows().max(labelled())).filter(|rows| *rows >= LEAST).unwrap_or(0),
            false => 0,
        };
        let end = if len > 0 { at + 1 + rule + len } else { at + 1 };
        if len > 0 {
            // Names may take two lines; words between blanks are a title.
            let before = found.last().map_or(0, |table| table.end);
            let above = at.checked_sub(1).filter(|above| *above >= before).map(|above| &lines[above]);
            let over = above.filter(|_| delimiter != ' ');
            let over = over.is_some_and(|over| over.len() == width && are_names(over) && !is_sentence(over));
            found.push(at - usize::from(over)..end);
        }
        at = end;
    }
    found
}

/// Tables among lines, and the lines apart from them that are like their rows.
type Found = (Vec<Range<usize>>, Vec<usize>);

/// The tables `found` among lines, where there are several, or others before the first. `None` where lines beside them may be rows of one.
fn tables_among(lines: &[Vec<&str>], found: Vec<Range<usize>>, delimiter: char) -> Option<Found> {
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
    let is_comment = |&l: &usize| lines[l][0].starts_with('#');
    // Blank fields at the end of a line are none.
    let filled = |l: usize| lines[l].iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
    // Lines of numbers beside a table, and lines beside it of as many fields, may be part of it.
    let is_part = |&l: &usize| {
        let widths = filled(l)..=lines[l].len();
        let beside = [above.get(&l).filter(|_| !is_title(&lines[l])), below.get(&l)];
        let is_beside = beside.iter().any(Option::is_some);
        let fits = beside.iter().flatten().any(|width| widths.contains(width));
        let goes_on = delimiter != ' ' && values(&lines[l]) > 0 && below.contains_key(&l);
        !is_comment(&l) && (fits || goes_on) || values(&lines[l]) * 2 > filled(l) && is_beside
    };
    let is_like_rows = |&l: &usize| {
        let (width, values) = (filled(l), values(&lines[l]));
        let fits = holds
            .get(&width)
            .is_some_and(|holds| holds.iter().zip(&lines[l]).all(|(all, field)| !all || is_value(field)));
        let is_wide = (width..=lines[l].len()).any(|width| holds.contains_key(&width));
        values * 2 >= width.max(2) && fits || values > 0 && delimiter != ' ' && is_wide
    };
    let goes_on =
        |w: &[Range<usize>]| w[0].end == w[1].start && lines[w[0].start].len() == lines[w[1].start].len();
    let begins = others.first().is_some_and(|&l| l < first.start) || found.len() > 1;
    let are_apart = !others.iter().any(is_part) && !found.windows(2).any(goes_on);
    let is_commented = !others.is_empty() && others.iter().all(is_comment);
    let like_rows: Vec<usize> = others.into_iter().filter(is_like_rows).collect();
    let is_sure = found.len() > 1 || like_rows.is_empty() && !is_commented;
    (begins && are_apart && is_sure).then_some((found, like_rows))
}

/// Where the tables of a text are by its lines, and what parts their fields.
fn tables(text: &[&str]) -> Option<(Found, char)> {
    let of = |delimiter: char| {
        let lines: Vec<Vec<&str>> = text.iter().map(|line| fields(line, delimiter)).collect();
        let found = tables_of(&lines, delimiter);
        (found.iter().map(ExactSizeIterator::len).sum::<usize>(), found, lines, delimiter)
    };
    // Of those that are as good, the first: blanks are in texts, too.
    let (_, found, lines, delimiter) =
        DELIMITERS.into_iter().rev().map(of).max_by_key(|(covered, ..)| *covered)?;
    tables_among(&lines, found, delimiter).map(|found| (found, delimiter))
}

/// The tables of such a text that are asked for.
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
    let written = uncommented(text);
    let Some(((found, like_rows), delimiter)) = tables(&written) else { return csv::open(input) };
    if let Some(first) = like_rows.first() {
        let what = format!(
            "{file}: {} like rows in none of {}, the first of them line {}",
            count(like_rows.len(), "line"),
            count(found.len(), "table"),
            first + 1
        );
        input.lints.add(LintName::TablesLeftOut, like_rows.len() as u64, what);
    }
    let names = |table: &Range<usize>| fields(written[table.start], delimiter);
    let outline = |(table, title): (&Range<usize>, String)| Outline {
        title,
        names: names(table).into_iter().map(str::to_owned).collect(),
        holds_numbers: true,
    };
    let outlines: Vec<Outline> = found.iter().zip(titles(&written, &found)).map(outline).collect();
    held.keep();
    let rewrite = |place: usize| Ok(rewritten(&written, found[place].clone(), delimiter, file));
    several::read(input, None, &outlines, 0, rewrite).map(Contents::Tables)
}

/// The table in some lines.
fn rewritten(text: &[&str], table: Range<usize>, delimiter: char, file: &str) -> Rewritten {
    let mut csv = "\n".repeat(table.start);
    let lines: Vec<Vec<&str>> = text[table.clone()].iter().map(|line| fields(line, delimiter)).collect();
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
    let notice = format!("{file}: lines {} to {} of {} are read", table.start + 1, table.end, text.len());
    // Names in quotes may be numbers.
    let are_names = |line: &Vec<&str>| line.iter().all(|field| !field.is_empty() && !is_value(field));
    let is_second = lines.get(1).is_some_and(|line| !is_rule(line) && are_names(line));
    let header = match is_second {
        true => NonZeroU8::new(2).map(Header::Lines),
        false => has_labels.then_some(Header::Yes),
    };
    Rewritten { csv, header, notice, ..Rewritten::default() }
}

#[cfg(test)]
mod tests {
    use super::{tables, uncommented};

    #[test]
    fn tables_are_found_among_lines_of_words() {
        let of = |text: &str| {
            let ((found, _), _) = tables(&uncommented(text))?;
            Some(found.iter().map(|table| (table.start, table.end)).collect::<Vec<_>>())
        };
        let log = "units lj\nPer MPI rank (min/avg) = 4.2 | 4.2 Mbytes\n  Step Temp\n 0 1.5\n 10 1.6\nLoop time of 0.1 on 1 procs\n";
        assert_eq!(of(log), Some(vec![(2, 5)]));
        assert_eq!(of("a,b\n1,2\n3,4\n\nc,d,e\n1,2,3\n4,5,6\n"), Some(vec![(0, 3), (4, 7)]));
        let report = "\"Writer report\"\n  \"4\" \"8\"\n\"64\" 1\n\"128\" 2 3\n\n\"Reader report\"\n  \"4\" \"8\"\n\"64\" 1 2\n\"128\" 2 3\n";
        assert_eq!(of(report), Some(vec![(1, 4), (6, 9)]));
        assert_eq!(of("log\n  T/P a b\n  -----\n  a 1 2\n  b 3 4\nsaved to disk as x\n"), Some(vec![(1, 5)]));
        assert_eq!(of("Report of May\n\nname;v;w\nx;1;2\ny;3;4\n"), Some(vec![(2, 5)]));
        assert_eq!(of("log\n\nInject\tLatency\nDelay\tns\n0\t1.5\n2\t2.5\n"), Some(vec![(2, 6)]));
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
            // Rows below a blank line, with a delimiter at the end, or with their last value left out.
            "note\n\nn v\nx 1\ny 2\n\nz 3\nw 4\n",
            "Report of May\nn;a;b\nx;1;2\ny;3;4\nz;5;6;\n",
            "note\n\na,b,c\n1,2,3\n4,5,6\n\n7,8,\n9,10,\n",
            "note\nn,a,b\nr0,1,2\nr1,3,4\n\nr2,5,\n",
            "note\nn,a,b\nr0,1,2\nr1,3,4\nr2,5,,\n",
            // Titles of two words over two columns, and labels over numbers.
            "# set one\n1 2\n3 4\n\n# set two\n5 6\n7 8\n",
            "First run\nk v\n1 2\n3 4\n\nSecond run\nk v\n5 6\n7 8\n",
            "Run A\n\nalpha 1 2 3\nbeta 4 5 6\n\nRun B\n\nalpha 1 2 3\nbeta 2 3 4\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
