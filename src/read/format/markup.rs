//! Tables in Markdown, LaTeX and the output of SQL shells: they are rewritten as CSV, line by line, and read as that.

use super::csv::CsvTable;
use super::reader::{Contents, Input};
use super::sniff::Head;
use crate::bytes::{Content, text_from};
use crate::error::InputError;
use gridscope_core::lint::Lints;

/// A table in a text: the line that it begins on, from 0, and the cells of each line from there; none for a line that is no row.
type Found = (usize, Vec<Option<Vec<String>>>);

/// Whether the beginning of a text holds a table in Markdown.
pub(super) fn is_markdown(head: &Head) -> bool {
    let Ok(text) = std::str::from_utf8(&head.bytes[..valid(head.bytes)]) else { return false };
    (text.contains("--") || text.contains("-|") || text.contains("-:")) && !markdown(text).is_empty()
}

/// Whether the beginning of a text holds a table in LaTeX.
pub(super) fn is_latex(head: &Head) -> bool {
    let text = String::from_utf8_lossy(head.bytes);
    text.contains(BEGIN) && text.contains("\\\\")
}

/// Bytes of the beginning that are UTF-8; a character at the end may be cut.
fn valid(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(e) if e.error_len().is_none() => e.valid_up_to(),
        Err(_) => 0,
    }
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
    let request = input.request;
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, request.file)?;
    let mut tables = find(text);
    let all = tables.len();
    let number = request.figure.data.table_number.map_or(1, |n| n.get() as usize);
    if number > all {
        let what = format!("has {all} tables, and --table-number {number} is none of them");
        return Err(InputError::usage(request.file, what));
    }
    let (line, rows) = tables.swap_remove(number - 1);
    // Lines keep their numbers.
    let mut csv = "\n".repeat(line);
    for row in rows {
        let cells = row.unwrap_or_default();
        let written: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        csv.push_str(&written.join(","));
        csv.push('\n');
    }
    held.keep();
    let mut notice = String::new();
    if all > 1 && request.figure.data.table_number.is_none() {
        notice = format!("{}: the first of {all} tables; --table-number N reads another", request.file);
    }
    of_csv(csv, notice, input)
}

/// The table of a text that was rewritten as CSV.
///
/// # Errors
/// As [`CsvTable::open`].
pub(super) fn of_csv(csv: String, notice: String, input: &Input) -> Result<Contents, InputError> {
    let request = input.request;
    let room = request.budget.reserve(csv.len() as u64);
    room.map_err(|s| s.of(request.file, "its rows"))?.keep();
    let mut data = request.figure.data.clone();
    (data.delimiter, data.comment, data.skip_rows) = (Some(",".to_owned()), Some("none".to_owned()), None);
    let mut lints = Lints::default();
    let content = Content::Memory(csv.into_bytes());
    let table = CsvTable::open(content, request.file, &data, &mut lints, request.budget)?;
    Ok(Contents::table(table, lints, notice, false))
}

/// A cell as CSV has it.
pub(super) fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r', '#']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// The tables of a text: a line of names over a line of dashes, and the rows below.
fn markdown(text: &str) -> Vec<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut found, mut at) = (Vec::new(), 1);
    while at < lines.len() {
        let names = pieces(lines[at - 1]);
        if !is_rule(lines[at]) || names.len() < 2 || pieces(lines[at]).len() != names.len() {
            at += 1;
            continue;
        }
        let first = at - 1;
        let mut rows = vec![Some(names.iter().map(|c| plain(c)).collect()), None];
        at += 1;
        while at < lines.len() && lines[at].contains('|') {
            rows.push((!is_rule(lines[at])).then(|| pieces(lines[at]).iter().map(|c| plain(c)).collect()));
            at += 1;
        }
        if rows.len() > 2 {
            found.push((first, rows));
        }
        at += 1;
    }
    found
}

/// Whether a line is the rule under the names: dashes, with colons where columns are aligned.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_part = |part: &str| {
        let dashes = part.trim().trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.bytes().all(|b| b == b'-')
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
    let mut text = cell.trim().replace("<br>", " ").replace("&nbsp;", " ");
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
            return text;
        }
        text = shorter.to_owned();
    }
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
    let clean: Vec<String> = body[start..].split('\n').map(uncommented).collect();
    for row in clean.join("\n").split("\\\\") {
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
            cells.push(untexed(content));
            cells.extend(std::iter::repeat_n(String::new(), width.saturating_sub(1).min(1000)));
        }
        rows.push(Some(cells));
    }
    rows
}

/// A cell without commands of LaTeX around its text.
fn untexed(cell: &str) -> String {
    let mut text = cell.trim().replace('\u{1}', "&");
    for (from, to) in [("\\%", "%"), ("\\_", "_"), ("\\#", "#"), ("~", " "), ("$-$", "-"), ("\\pm", "±")] {
        text = text.replace(from, to);
    }
    // Commands with one argument show it.
    while let Some(at) = text.find('\\') {
        let name = text[at + 1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        text.replace_range(at..at + 1 + name, "");
        if name == 0 {
            continue;
        }
    }
    text.chars().filter(|c| !matches!(c, '{' | '}' | '$')).collect::<String>().trim().to_owned()
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
    fn latex_rows_are_cells() {
        let text = "x\n\\begin{tabular}{lrr}\n\\toprule\nm & a & b\\% \\\\ % note\n\\midrule\n\
            \\textbf{p} & \\multicolumn{2}{c}{$1.5$} \\\\\nq & 2 & 3 \\\\\n\\end{tabular}\n";
        let found = latex(text);
        assert_eq!((found.len(), found[0].0), (1, 1));
        assert_eq!(rows(&found[0]), ["m;a;b%", "p;1.5;", "q;2;3"]);
    }
}
