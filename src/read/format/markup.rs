//! Tables in Markdown, LaTeX and the output of SQL shells: they are rewritten as CSV, line by line, and read as that.

use super::reader::{Contents, Input};
use super::rewritten::{Rewritten, quoted};
use super::several::{self, Outline, titles};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::numeral::quantity;
use crate::table::count;
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::sign;
use std::borrow::Cow;
use std::ops::Range;

/// A table in a text: the line that it begins on, from 0, and the cells of each line from there; none for a line that is no row.
type Found = (usize, Vec<Option<Vec<String>>>);

/// Whether the beginning of a text holds a table in Markdown.
pub(super) fn is_markdown(head: &Head) -> bool {
    let Some(text) = head.lines() else { return false };
    let may_be = ["--", "==", "-|", "-:", "\u{2500}"].iter().any(|rule| text.contains(rule));
    may_be && !markdown(text).is_empty()
}

/// Whether the beginning of a text holds a table in LaTeX.
pub(super) fn is_latex(head: &Head) -> bool {
    let text = String::from_utf8_lossy(head.bytes);
    text.contains(BEGIN) && text.contains("\\\\")
}

/// The table of a text in Markdown.
///
/// # Errors
/// No UTF-8, no such table, and as [`CsvTable::open`].
pub(super) fn open_markdown(input: &mut Input) -> Result<Contents, InputError> {
    open(input, markdown)
}

/// The table of a text in LaTeX.
///
/// # Errors
/// As [`open_markdown`].
pub(super) fn open_latex(input: &mut Input) -> Result<Contents, InputError> {
    open(input, latex)
}

fn open(input: &mut Input, find: fn(&str) -> Vec<Found>) -> Result<Contents, InputError> {
    let file = input.request.file;
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, file)?;
    let found = find(text);
    let lines: Vec<&str> = text.lines().collect();
    let places: Vec<Range<usize>> = found.iter().map(|(start, rows)| *start..start + rows.len()).collect();
    let outline = |((_, rows), title): (&Found, String)| {
        let names = rows.iter().flatten().next().cloned().unwrap_or_default();
        Outline { title, names, holds_numbers: holds_numbers(rows) }
    };
    let outlines: Vec<Outline> = found.iter().zip(titles(&lines, &places)).map(outline).collect();
    let first = outlines.iter().position(|table| table.holds_numbers).unwrap_or_default();
    held.keep();
    several::read(input, None, &outlines, first, |place| {
        let (line, rows) = &found[place];
        let mut rows = rows.clone();
        let (filled, mut lints) = (fill_down(&mut rows), Lints::default());
        if filled > 0 {
            let what = format!(
                "{file}: {} at the beginning of rows: the text above goes on",
                count(filled, "blank cell")
            );
            lints.add(LintName::EmptyKey, filled as u64, what);
        }
        // Lines keep their numbers.
        let mut csv = "\n".repeat(*line);
        for row in rows {
            let cells = row.unwrap_or_default();
            let written: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            csv.push_str(&written.join(","));
            csv.push('\n');
        }
        Ok(Rewritten { csv, lints, ..Rewritten::default() })
    })
    .map(Contents::Tables)
}

/// Whether a column of a table but the first is numbers, in most rows under its name.
fn holds_numbers(rows: &[Option<Vec<String>>]) -> bool {
    let rows: Vec<&Vec<String>> = rows.iter().flatten().skip(1).collect();
    let is_number = |row: &&&Vec<String>, c: usize| row.get(c).is_some_and(|cell| quantity(cell).is_some());
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    (1..width).any(|c| rows.iter().filter(|row| is_number(row, c)).count() * 2 > rows.len())
}

/// Signs that the text above holds on.
const DITTO: [&str; 5] = [".", "\"", "''", "\u{3003}", "\u{2033}"];

/// Gives blank cells at the beginning of rows the text above them, as it stands for all of these rows; how many there were.
fn fill_down(rows: &mut [Option<Vec<String>>]) -> usize {
    let mut filled = 0;
    let mut above: Vec<String> = Vec::new();
    let is_number = |text: &str| text.trim_end_matches('%').parse::<f64>().is_ok();
    for row in rows.iter_mut().skip(1).flatten() {
        let dittos = row.iter().take_while(|cell| cell.is_empty() || DITTO.contains(&cell.as_str())).count();
        row[..dittos].iter_mut().for_each(String::clear);
        let blanks = row.iter().take_while(|cell| cell.is_empty()).count();
        if blanks < row.len() {
            for (cell, text) in row.iter_mut().zip(&above).take(blanks) {
                if !text.is_empty() && !is_number(text) {
                    cell.clone_from(text);
                    filled += 1;
                }
            }
            above.clone_from(row);
        }
    }
    filled
}

/// The tables of a text: names over a rule, and the rows below, between bars or at the places that the rule shows.
fn markdown(text: &str) -> Vec<Found> {
    let text = without_boxes(text);
    let lines: Vec<&str> = text.lines().collect();
    let (mut found, mut at) = (Vec::new(), 1);
    while at < lines.len() {
        let table = between_bars(&lines, at).or_else(|| by_places(&lines, at));
        match table {
            Some((table, end)) => {
                found.push(table);
                at = end + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// A text with bars and dashes in place of the lines of boxes.
fn without_boxes(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{2502}', '\u{2503}', '\u{2551}', '\u{2500}', '\u{2501}', '\u{2550}']) {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '\u{2502}' | '\u{2503}' | '\u{2551}' => '|',
        '\u{2500}' | '\u{2501}' | '\u{2550}' => '-',
        '\u{250c}'..='\u{254b}' | '\u{2552}'..='\u{2570}' => '+',
        other => other,
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// A table between bars, whose rule under the names is the line `at`, and the first line behind it.
fn between_bars(lines: &[&str], at: usize) -> Option<(Found, usize)> {
    let names = pieces(lines[at - 1]);
    let is_table =
        is_rule(lines[at]) && !is_rule(lines[at - 1]) && lines[at - 1].contains('|') && names.len() > 1;
    if !is_table || pieces(lines[at]).len() != names.len() {
        return None;
    }
    let mut first = at - 1;
    let cells = |line: &str| -> Vec<String> { pieces(line).iter().map(|c| plain(c)).collect() };
    let mut header = cells(lines[first]);
    // Under a rule, names may take several lines.
    let above = lines[..first].iter().rposition(|line| !line.contains('|') || is_rule(line));
    if let Some(above) = above.filter(|above| is_rule(lines[*above])) {
        while first - 1 > above {
            first -= 1;
            header = joined(cells(lines[first]), header);
        }
    }
    let mut rows = vec![Some(header)];
    rows.extend(std::iter::repeat_n(None, at - first));
    let mut end = at + 1;
    while end < lines.len() && (lines[end].contains('|') || is_rule(lines[end])) {
        // A rule under some cells parts rows under the others.
        if is_part_of_rule(lines[end]) {
            rows.push(None);
            end += 1;
            continue;
        }
        let mut row = cells(lines[end]);
        // Marks behind the last bar are no cell.
        let is_marked = lines[at - 1].trim_end().ends_with('|') && !lines[end].trim_end().ends_with('|');
        if is_marked && row.len() == names.len() + 1 {
            row.pop();
        }
        rows.push((!is_rule(lines[end])).then_some(row));
        end += 1;
    }
    // Where rules part rows, one may take several lines.
    let is_parted = rows[at - first + 1..].iter().filter(|r| r.is_none()).count() > 1;
    let is_grid = is_parted && lines[at].contains('=');
    if is_parted {
        for row in (at - first + 2..rows.len()).rev() {
            if let [Some(_), Some(below)] = &rows[row - 1..=row] {
                let only_label = below.iter().skip(1).all(String::is_empty);
                if !is_grid && !only_label {
                    continue;
                }
                let below = rows[row].take().unwrap_or_default();
                let own = rows[row - 1].take().unwrap_or_default();
                rows[row - 1] = Some(joined(own, below));
            }
        }
    }
    (rows.iter().flatten().count() > 1).then_some(((first, rows), end))
}

/// Cells over others, as texts of two lines.
fn joined(above: Vec<String>, below: Vec<String>) -> Vec<String> {
    let mut below = below.into_iter();
    let one = |cell: String| format!("{cell} {}", below.next().unwrap_or_default()).trim().to_owned();
    above.into_iter().map(one).collect()
}

/// A table whose columns are where the line `at` has runs of dashes between blanks, and the first line behind it.
fn by_places(lines: &[&str], at: usize) -> Option<(Found, usize)> {
    let spans = spans(lines[at])?;
    let cells = |line: &str| -> Option<Vec<String>> {
        let chars: Vec<char> = line.chars().collect();
        let part = |from: usize, to: usize| &chars[from.min(chars.len())..to.min(chars.len())];
        let starts = spans.iter().skip(1).map(|s| s.start).chain([chars.len()]);
        let cell = |(span, next): (&Range<usize>, usize)| {
            let gap = part(span.end, next.max(span.end));
            // The last column goes on to the end of the line.
            let is_cut = next < chars.len() && !gap.iter().all(|c| *c == ' ');
            (!is_cut).then(|| plain(&part(span.start, next.max(span.end)).iter().collect::<String>()))
        };
        let before = part(0, spans[0].start).iter().all(|c| *c == ' ');
        spans.iter().zip(starts).map(cell).collect::<Option<Vec<_>>>().filter(|_| before)
    };
    let is_over = |line: &str| !line.trim().is_empty() && self::spans(line).is_none();
    let header = cells(lines[at - 1]).filter(|_| is_over(lines[at - 1]))?;
    let mut rows = vec![Some(header), None];
    let mut end = at + 1;
    while end < lines.len() && is_over(lines[end]) {
        rows.push(Some(cells(lines[end])?));
        end += 1;
    }
    (rows.len() > 2).then_some(((at - 1, rows), end))
}

/// Where the runs of a line of dashes are, of two or more of them between blanks.
fn spans(line: &str) -> Option<Vec<Range<usize>>> {
    let sign = line.trim().chars().next().filter(|c| ['-', '='].contains(c))?;
    if !line.chars().all(|c| c == sign || c == ' ') || line.trim().len() < 5 {
        return None;
    }
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (at, c) in line.chars().enumerate() {
        match spans.last_mut().filter(|span| span.end == at) {
            _ if c == ' ' => {}
            Some(span) => span.end = at + 1,
            None => spans.push(at..at + 1),
        }
    }
    (spans.len() > 1).then_some(spans)
}

/// Whether a line is a rule under some cells of a grid, beside others that go on.
fn is_part_of_rule(line: &str) -> bool {
    let is_part = |part: &str| part.trim().is_empty() || part.bytes().all(|b| b == b'-');
    let line = line.trim();
    line.starts_with(['|', '+'])
        && line.contains("+-")
        && !is_rule(line)
        && line.trim_matches(['|', '+']).split(['|', '+']).all(is_part)
}

/// Whether a line is a rule of a table between bars: dashes, with colons where columns are aligned.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_part = |part: &str| {
        let dashes = part.trim().trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && (dashes.bytes().all(|b| b == b'-') || dashes.bytes().all(|b| b == b'='))
    };
    line.contains(['|', '+']) && line.trim_matches(['|', '+']).split(['|', '+']).all(is_part)
}

/// The cells of a line, as they are written. A bar behind a backslash is none, nor is one in code.
fn pieces(line: &str) -> Vec<String> {
    let line = line.trim();
    let mut cells = vec![String::new()];
    let (mut chars, mut code) = (line.chars().peekable(), false);
    let rule = is_rule(line);
    while let Some(c) = chars.next() {
        let last = cells.last_mut().expect("there is a cell");
        match c {
            '\\' if chars.next_if_eq(&'|').is_some() => last.push('|'),
            '`' => {
                code = !code;
                last.push(c);
            }
            '|' if !code => cells.push(String::new()),
            '+' if rule => cells.push(String::new()),
            _ => last.push(c),
        }
    }
    // Bars around a line are no cells.
    if line.starts_with('|') || (rule && line.starts_with('+')) {
        cells.remove(0);
    }
    if line.len() > 1 && line.ends_with(['|', '+']) && !line.ends_with("\\|") {
        cells.pop();
    }
    cells
}

/// A cell without marks of Markdown around its text.
fn plain(cell: &str) -> String {
    let mut text = without_tags(cell.trim()).replace("&nbsp;", " ");
    loop {
        let mut shorter = text.trim();
        for mark in ["**", "__", "~~", "`", "*", "_"] {
            let inside = shorter.strip_prefix(mark).and_then(|t| t.strip_suffix(mark));
            if let Some(inside) = inside.filter(|t| !t.is_empty() && !t.contains(mark)) {
                shorter = inside.trim();
            }
        }
        // A link shows its text.
        if let Some((name, target)) = shorter.strip_prefix('[').and_then(|t| t.split_once("]("))
            && target.ends_with(')')
        {
            shorter = name;
        }
        if shorter.len() == text.len() {
            return unescaped(&text);
        }
        text = shorter.to_owned();
    }
}

/// A text without tags of HTML; a break is a blank.
fn without_tags(text: &str) -> String {
    const TAGS: [&str; 16] = [
        "a", "b", "big", "br", "code", "em", "font", "i", "p", "small", "span", "strong", "sub", "sup", "u",
        "img",
    ];
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let name = tag.trim_start_matches('/');
        let name = &name[..name.bytes().take_while(u8::is_ascii_alphabetic).count()];
        match tag.split_once('>').filter(|_| TAGS.contains(&name.to_ascii_lowercase().as_str())) {
            Some((_, after)) => {
                out.push(if name.eq_ignore_ascii_case("br") { ' ' } else { MARK });
                rest = after;
            }
            None => {
                out.push('<');
                rest = tag;
            }
        }
    }
    unmarked(&(out + rest))
}

/// Stands where a mark was.
const MARK: char = '\u{3}';

/// A text without the places of marks: they part digits, which are not those of one number.
fn unmarked(text: &str) -> String {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
    let mut out = String::with_capacity(text.len());
    for (i, part) in text.split(MARK).filter(|part| !part.is_empty()).enumerate() {
        if i > 0 && is_digit(out.chars().last()) && is_digit(part.chars().next()) {
            out.push(' ');
        }
        out.push_str(part);
    }
    out
}

/// A text without the backslashes before signs, and without the quotes of code in it.
fn unescaped(text: &str) -> String {
    let is_code = text.matches('`').count().is_multiple_of(2);
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next_if(char::is_ascii_punctuation).or(Some('\\'))),
            '`' if is_code => {}
            c => out.push(c),
        }
    }
    out
}

const BEGIN: &str = "\\begin{tabular";

/// The tables of a text in LaTeX.
fn latex(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(BEGIN) {
        let inside = &rest[begin..];
        let Some(end) = inside.find("\\end{tabular") else { break };
        let line = text[..text.len() - rest.len() + begin].matches('\n').count();
        let rows = latex_rows(&inside[..end]);
        if rows.iter().flatten().count() > 1 {
            found.push((line, rows));
        }
        rest = &inside[end + 1..];
    }
    found
}

fn latex_rows(body: &str) -> Vec<Option<Vec<String>>> {
    // Behind the descriptions of the columns, in braces.
    let mut depth = 0;
    let mut braces = 0;
    let start = body.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        braces += i32::from(*c == '}' && depth == 0);
        let wanted = if body.starts_with("\\begin{tabular}") { 2 } else { 3 };
        braces == wanted
    });
    let start = start.map_or(0, |(at, _)| at + 1);
    let mut rows: Vec<Option<Vec<String>>> = vec![None; body[..start].matches('\n').count()];
    let uncommented = |line: &str| {
        let comment = line.match_indices('%').find(|(at, _)| !line[..*at].ends_with('\\'));
        line[..comment.map_or(line.len(), |(at, _)| at)].to_owned()
    };
    // Cells over further rows: their column, the rows left, and their text.
    let mut over: Vec<(usize, usize, String)> = Vec::new();
    let clean: Vec<String> = body[start..].split('\n').map(uncommented).collect();
    for row in cut_rows(&clean.join("\n")) {
        let lines = row.matches('\n').count();
        let mut text = row.to_owned();
        for rule in ["\\toprule", "\\midrule", "\\bottomrule", "\\hline"] {
            text = text.replace(rule, " ");
        }
        while let Some(at) = text.find("\\cmidrule").or_else(|| text.find("\\cline")) {
            let end = text[at..].find('}').map_or(text.len(), |n| at + n + 1);
            text.replace_range(at..end, " ");
        }
        rows.extend(std::iter::repeat_n(None, lines));
        if text.trim().is_empty() {
            continue;
        }
        let mut cells = Vec::new();
        for cell in text.replace("\\&", "\u{1}").split('&') {
            let cell = cell.trim();
            let spread = cell.strip_prefix("\\multicolumn{").and_then(|t| t.split_once('}'));
            let width = spread.and_then(|(n, _)| n.parse::<usize>().ok()).unwrap_or(1);
            let content =
                spread.map_or(cell, |(_, rest)| rest.split_once('}').map_or(rest, |(_, content)| content));
            let (height, content) = multirow(content).unwrap_or((1, content));
            let content = untexed(content);
            if height > 1 {
                over.retain(|o| o.0 != cells.len());
                over.push((cells.len(), height.unsigned_abs() as usize, content.clone()));
            }
            let above = rows.iter_mut().rev().flatten().take(height.min(-1).unsigned_abs() as usize - 1);
            let column = cells.len();
            for cell in
                above.filter_map(|row: &mut Vec<String>| row.get_mut(column)).filter(|cell| cell.is_empty())
            {
                cell.clone_from(&content);
            }
            // A name is over each of its columns, a number in the first.
            let others = if quantity(&content).is_some() { String::new() } else { content.clone() };
            cells.push(content);
            cells.extend(std::iter::repeat_n(others, width.saturating_sub(1).min(1000)));
        }
        for (column, left, text) in &mut over {
            if let Some(cell) = cells.get_mut(*column).filter(|cell| cell.is_empty()) {
                cell.clone_from(text);
            }
            *left -= 1;
        }
        over.retain(|o| o.1 > 0);
        rows.push(Some(cells));
    }
    rows
}

/// The rows of a table in LaTeX, cut at `\\\\` outside braces.
fn cut_rows(text: &str) -> Vec<&str> {
    let (mut rows, mut from, mut depth) = (Vec::new(), 0, 0i32);
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\\' => match bytes.next() {
                Some((_, b'\\')) if depth <= 0 => {
                    rows.push(&text[from..at]);
                    from = at + 2;
                }
                _ => {}
            },
            _ => {}
        }
    }
    rows.push(&text[from..]);
    rows
}

/// The rows that a cell takes, those above it below 0, and what it shows: `\\multirow[t]{2}{*}{text}`.
fn multirow(cell: &str) -> Option<(i32, &str)> {
    let rest = cell.trim().strip_prefix("\\multirow")?;
    let rest = rest.strip_prefix('[').and_then(|r| r.split_once(']')).map_or(rest, |r| r.1);
    let (rows, rest) = rest.strip_prefix('{')?.split_once('}')?;
    let rest = rest.strip_prefix('[').and_then(|r| r.split_once(']')).map_or(rest, |r| r.1);
    let content = rest.split_once('}')?.1.trim();
    let content = content.strip_prefix('{').and_then(|c| c.strip_suffix('}')).unwrap_or(content);
    Some((rows.trim().parse().ok()?, content))
}

/// Commands whose argument is no part of a cell.
const HIDDEN: [&str; 17] = [
    "phantom",
    "hphantom",
    "vphantom",
    "hspace",
    "vspace",
    "label",
    "cite",
    "citep",
    "citet",
    "ref",
    "footnote",
    "tnote",
    "color",
    "textcolor",
    "cellcolor",
    "rowcolor",
    "colorbox",
];

/// Signs that refer to a note.
const NOTES: [&str; 4] = ["dagger", "ddagger", "ast", "star"];

/// A cell without commands of LaTeX around its text.
fn untexed(cell: &str) -> String {
    let mut text = cell.trim().replace('\u{1}', "&");
    // Powers of ten are numbers.
    for times in [" \\cdot 10^{", " \\times 10^{", "\\cdot 10^{", "\\times 10^{", "\\cdot10^{", "\\times10^{"]
    {
        while let Some(at) = text.find(times) {
            let Some((power, _)) = text[at + times.len()..].split_once('}') else { break };
            let (is_number, end) = (power.parse::<i32>().is_ok(), at + times.len() + power.len());
            if !is_number || !text[..at].ends_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            text = format!("{}e{power}{}", &text[..at], &text[end + 1..]);
        }
    }
    // A sign of money is none of mathematics.
    let signs =
        [("\\%", "%"), ("\\_", "_"), ("\\#", "#"), ("\\$", "\u{2}"), ("~", " "), ("$-$", "-"), ("\\pm", "±")];
    for (from, to) in signs {
        text = text.replace(from, to);
    }
    // Commands with one argument show it, but for notes and space.
    while let Some(at) = text.find('\\') {
        let len = text[at + 1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, rest) = text[at + 1..].split_at(len);
        let thin =
            rest.strip_prefix(',').map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count() == 3);
        let (end, part) = match thin {
            // A thin space parts thousands.
            Some(thousands) if name.is_empty() => (at + 2, if thousands { "" } else { " " }),
            _ if !NOTES.contains(&name) && sign(name).is_some() => {
                (at + 1 + len, sign(name).unwrap_or_default())
            }
            _ if HIDDEN.contains(&name) => (at + 1 + len + rest.find('}').map_or(0, |end| end + 1), "\u{3}"),
            _ => (at + 1 + len, "\u{3}"),
        };
        text.replace_range(at..end, part);
    }
    let shown = text.chars().map(|c| match c {
        '{' | '}' | '$' => MARK,
        '\u{2}' => '$',
        c => c,
    });
    unmarked(&shown.collect::<String>()).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(found: &Found) -> Vec<String> {
        found.1.iter().flatten().map(|cells| cells.join(";")).collect()
    }

    #[test]
    fn markdown_is_found_among_text() {
        let text =
            "# A\n\nwords | here\n\n| `m` | **a** |\n|:--|--:|\n| x\\|y | *1* |\n| [n](u) | 2 |\n\nend\n";
        let found = markdown(text);
        assert_eq!((found.len(), found[0].0), (1, 4));
        assert_eq!(rows(&found[0]), ["m;a", "x|y;1", "n;2"]);
        let bare = markdown("a | b\n--- | ---\nc_d | 3\n");
        assert_eq!(rows(&bare[0]), ["a;b", "c_d;3"]);
        let shell = markdown(" id | v \n----+---\n  1 | 2\n(1 row)\n");
        assert_eq!(rows(&shell[0]), ["id;v", "1;2"]);
        assert!(markdown("a,b\n--,--\n1,2\n").is_empty() && markdown("a|b\n1|2\n").is_empty());
    }

    #[test]
    fn rules_part_rows_and_columns() {
        let grid = "+---+-----+\n| m | acc |\n|   | (%) |\n+===+=====+\n| a | 0.9 |\n+---+-----+\n| b | 0.8 |\n| c |     |\n+---+-----+\n";
        assert_eq!(markdown(grid).iter().map(rows).collect::<Vec<_>>(), [["m;acc (%)", "a;0.9", "b c;0.8"]]);
        let divided =
            "+---+---+\n| m | a |\n+---+---+\n| x | 1 |\n+---+---+\n| y | 2 |\n| z | 3 |\n+---+---+\n";
        assert_eq!(markdown(divided).iter().map(rows).collect::<Vec<_>>(), [["m;a", "x;1", "y;2", "z;3"]]);
        let boxes = "┌───┬───┐\n│ m │ a │\n├───┼───┤\n│ x │ 1 │\n└───┴───┘\n";
        assert_eq!(rows(&markdown(boxes)[0]), ["m;a", "x;1"]);
        let simple =
            "name of it      acc\n------------  -----\na b            0.9\nc              0.85\n\nend\n";
        assert_eq!(rows(&markdown(simple)[0]), ["name of it;acc", "a b;0.9", "c;0.85"]);
        // Texts across columns are no table of places.
        assert!(markdown("a     b\n----  ----\nlong text 1\n").is_empty());
    }

    #[test]
    fn blank_cells_continue_the_text_above() {
        let mut rows = markdown(
            "| t | m | v |\n|---|---|---|\n| a | x | 1 |\n|   | y | 2 |\n| b | x | 3 |\n|   |   | 4 |\n",
        )
        .remove(0)
        .1;
        assert_eq!(fill_down(&mut rows), 3);
        let cells: Vec<String> = rows.iter().flatten().map(|cells| cells.join(";")).collect();
        assert_eq!(cells, ["t;m;v", "a;x;1", "a;y;2", "b;x;3", "b;x;4"]);
    }

    #[test]
    fn marks_are_no_part_of_cells() {
        for (cell, wanted) in [
            ("<u>**84.7%**</u>", "84.7%"),
            ("0.37<sub>±0.01</sub>", "0.37±0.01"),
            ("`a`\\*", "a*"),
            ("c\\_1", "c_1"),
            ("a<br>b", "a b"),
            ("x < 3 > y", "x < 3 > y"),
        ] {
            assert_eq!(plain(cell), wanted);
        }
    }

    #[test]
    fn cells_over_several_rows_are_in_each() {
        let text = "\\begin{tabular}{llr}\nD & M & A \\\\\n\\multirow{2}{*}{C} & a & 1 \\\\\n & b & 2 \\\\\n\\multirow[t]{2}{*}{K} & a & 3 \\\\\n & b & 4 \\\\\n\\end{tabular}\n";
        assert_eq!(rows(&latex(text)[0]), ["D;M;A", "C;a;1", "C;b;2", "K;a;3", "K;b;4"]);
    }

    #[test]
    fn latex_rows_are_cells() {
        let text = "x\n\\begin{tabular}{lrr}\n\\toprule\nm & a & b\\% \\\\ % note\n\\midrule\n\
            \\textbf{p} & \\multicolumn{2}{c}{$1.5$} \\\\\nq & 2 & 3 \\\\\n\\end{tabular}\n";
        let found = latex(text);
        assert_eq!((found.len(), found[0].0), (1, 1));
        assert_eq!(rows(&found[0]), ["m;a;b%", "p;1.5;", "q;2;3"]);
    }
}
