//! Workbooks of spreadsheets, .xlsx and .ods: a sheet is rewritten as CSV, row by row, and read as that.

use super::blocks::{Block, blocks};
use super::reader::{Contents, Input};
use super::rewritten::{Rewritten, quoted};
use super::several::{self, Outline};
use crate::error::InputError;
use crate::numeral::quantity;
use crate::shell_word::{flag, is_match};
use crate::table::{listed, nearest};
use gridscope_core::calendar::{Resolution, date_text};
use gridscope_core::figure::Header;
use gridscope_core::lint::LintName;
use roxmltree::{Document, Node, ParsingOptions};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read};
use std::ops::Range;
use zip::ZipArchive;

/// An archive becomes at most this many times its bytes, and a part of it at most this many times its own as a tree.
const MOST_RATIO: u64 = 1_000;
const TREE: u64 = 12;
/// Bytes that a sheet may become in any case.
const LEAST: u64 = 1 << 20;
/// Columns and rows that a sheet may have, as spreadsheets limit them.
const MOST_COLUMNS: usize = 16_384;
const MOST_ROWS: usize = 1_048_576;

/// What parts the cells of a row: no document of XML can have it in a text.
const PART: char = '\u{1f}';
/// Sheets of which the first with numbers is read.
const MOST_PROSE: usize = 8;
/// Cells of a sheet up to which it is looked for several tables.
const MOST_CELLS: usize = 2_000_000;

/// The rows of a sheet, numbered as they are there.
struct Lines<'f> {
    file: &'f str,
    text: String,
    /// Where each line ends, and its cells: up to the last one that is not blank, and how many of them are not.
    ends: Vec<(usize, [usize; 2])>,
    /// Bytes that all may take.
    most: u64,
}

impl Lines<'_> {
    /// Adds a row, as many times as it stands there: its cells, and how many columns each takes.
    fn add<'c>(
        &mut self,
        cells: impl Iterator<Item = (Cow<'c, str>, usize)>,
        times: usize,
    ) -> Result<(), InputError> {
        let (mut line, mut columns, mut end, mut size) = (String::new(), 0, 0, [0; 2]);
        for (cell, across) in cells {
            let across = across.min(MOST_COLUMNS - columns);
            self.check(line.len() as u64 + (cell.len() as u64 + 1) * across as u64)?;
            for _ in 0..across {
                if columns > 0 {
                    line.push(PART);
                }
                line.push_str(&cell);
                columns += 1;
            }
            if !cell.is_empty() {
                end = line.len();
                size = [columns, size[1] + across];
            }
        }
        line.truncate(end);
        // Blank rows below the last one are repeated to the edge of the sheet.
        let times = if end == 0 { 1 } else { times };
        if self.ends.len() + times > MOST_ROWS {
            return Err(damaged(self.file, &format!("row {}", self.ends.len() + times)));
        }
        self.check(line.len() as u64 * times as u64)?;
        for _ in 0..times {
            self.text.push_str(&line);
            self.ends.push((self.text.len(), size));
        }
        Ok(())
    }

    /// The tables of the sheet below the first `skipped` rows; one in any case.
    fn tables(&mut self, skipped: u64) -> Vec<Block> {
        let skipped = self.ends.len().min(skipped as usize);
        self.ends[..skipped].iter_mut().for_each(|(_, size)| *size = [0; 2]);
        let cells = self.ends.iter().map(|(_, size)| size[0]).sum::<usize>();
        let rows: Vec<Vec<&str>> = match cells <= MOST_CELLS {
            true => self
                .lines()
                .into_iter()
                .zip(&self.ends)
                .map(|(line, (_, size))| cells_of(line, *size))
                .collect(),
            false => Vec::new(),
        };
        let found = blocks(&rows).unwrap_or_default();
        if found.is_empty() { vec![self.whole()] } else { found }
    }

    fn lines(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(from, (end, _))| &self.text[from..*end]).collect()
    }

    /// A table as CSV, whose rows are numbered as in the sheet.
    fn csv(&self, lines: &[&str], block: &Block) -> Result<String, InputError> {
        self.check((block.columns.len() * (block.rows.len() + block.header.len())) as u64)?;
        let mut csv = String::new();
        // Names stand right above their rows, which keep their numbers.
        let mut line = 0;
        let first = block.rows.first().map_or(block.header.end, |row| row.saturating_sub(block.header.len()));
        let header = block.header.clone().zip(first..);
        for (row, at) in header.chain(block.rows.iter().map(|row| (*row, *row))) {
            csv.extend(std::iter::repeat_n('\n', at.saturating_sub(line)));
            add_row(&mut csv, lines[row], &block.columns);
            line = at.max(line) + 1;
        }
        Ok(csv)
    }

    /// All rows from the first with several cells on as one table.
    fn whole(&self) -> Block {
        let is_row = |(_, size): &(usize, [usize; 2])| size[1] > 1;
        let header = self.ends.iter().position(is_row).unwrap_or_default();
        let written = |row: &usize| self.ends[*row].1[1] > 0;
        let width = self.ends.iter().map(|(_, size)| size[0]).max().unwrap_or_default();
        let rows = (header + 1..self.ends.len()).filter(written).collect();
        Block {
            title: String::new(),
            header: header..(header + 1).min(self.ends.len()),
            rows,
            columns: 0..width,
        }
    }

    fn check(&self, more: u64) -> Result<(), InputError> {
        if self.text.len() as u64 + more <= self.most {
            return Ok(());
        }
        let what = format!("its sheet becomes more than {} bytes", self.most);
        Err(InputError::limit(self.file, what))
    }
}

/// The cells of a row; none of a blank one.
fn cells_of(line: &str, size: [usize; 2]) -> Vec<&str> {
    if size[1] == 0 { Vec::new() } else { line.split(PART).map(str::trim).collect() }
}

/// What a table of a sheet is before it is read.
fn outline(lines: &[&str], block: &Block) -> Outline {
    let cells = |row: usize| lines[row].split(PART).skip(block.columns.start).take(block.columns.len());
    let is_number = |cell: &str| quantity(cell.trim()).is_some();
    Outline {
        title: block.title.clone(),
        names: block.header.clone().flat_map(cells).map(|name| name.trim().to_owned()).collect(),
        holds_numbers: block.rows.iter().any(|row| cells(*row).any(is_number)),
    }
}

/// Adds some columns of a row as a line of CSV.
fn add_row(csv: &mut String, line: &str, columns: &Range<usize>) {
    let mut parts = line.split(PART).skip(columns.start);
    for column in columns.clone() {
        let comma = if column > columns.start { "," } else { "" };
        csv.extend([comma, &*quoted(parts.next().unwrap_or_default())]);
    }
    csv.push('\n');
}

/// Cells that go on in rows below, by their columns: their last rows, and their text.
type Merged<'t> = BTreeMap<usize, (usize, Cow<'t, str>)>;

/// The tables of a sheet: the first one, those that the figure names, or those of all sheets that fit its pattern.
///
/// # Errors
/// Damage, no such sheet, too little memory, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let request = input.request;
    let (bytes, held) = input.bytes()?;
    let file = request.file;
    let mut book = Book::open(&bytes, input)?;
    let names: Vec<String> = book.sheets.iter().map(|sheet| sheet.0.clone()).collect();
    let wanted = request.figure.data.sheet.as_deref();
    let exact = names.iter().position(|name| Some(name.as_str()) == wanted);
    let mut places: Vec<usize> = match (wanted, exact) {
        (None, _) => (0..names.len().min(1)).collect(),
        (_, Some(place)) => vec![place],
        (Some(wanted), None) => (0..names.len()).filter(|&i| is_match(wanted, &names[i], None)).collect(),
    };
    if places.is_empty() {
        let wanted = wanted.unwrap_or_default();
        let near = nearest(wanted, &names).map_or_else(String::new, |n| format!("did you mean '{n}'? "));
        let e = InputError::usage(file, format!("no sheet '{wanted}'"));
        return Err(e.with_hint(format!("{near}sheets: {}", listed(&names))));
    }
    let most = (bytes.len() as u64).saturating_mul(MOST_RATIO).max(LEAST).min(request.budget.left() / TREE);
    held.keep();
    let mut sheet = |place: usize| {
        let mut lines = Lines { file, text: String::new(), ends: Vec::new(), most };
        book.read(place, &mut lines)?;
        let mut found = lines.tables(request.figure.data.skip_rows.unwrap_or(0));
        // Rows above the names are names, too, where so many are asked for.
        if let Some(Header::Lines(asked)) = request.figure.data.header {
            let first = |header: &Range<usize>| header.end.saturating_sub(asked.get().into());
            let is_written = |row: usize| lines.ends[row].1[1] > 0;
            found.iter_mut().map(|block| &mut block.header).for_each(|header| {
                let from = first(header);
                while header.start > from && is_written(header.start - 1) {
                    header.start -= 1;
                }
            });
        }
        Ok::<_, InputError>((lines, found))
    };
    let (mut read, mut first_names) = (Vec::new(), Vec::new());
    let mut known = None;
    // Of several sheets, the first may be prose.
    if wanted.is_none() && names.len() > 1 {
        for place in 0..names.len().min(MOST_PROSE) {
            let (rows, found) = sheet(place)?;
            let lines = rows.lines();
            let holds_numbers = found.iter().any(|block| outline(&lines, block).holds_numbers);
            if holds_numbers || place == 0 {
                places = vec![place];
                known = Some((rows, found));
            }
            if holds_numbers {
                break;
            }
        }
    }
    let first_sheet = places[0];
    for &place in &places {
        let (rows, found) = match known.take() {
            Some(known) => known,
            None => sheet(place)?,
        };
        let lines = rows.lines();
        let outlines: Vec<Outline> = found.iter().map(|block| outline(&lines, block)).collect();
        if places.len() > 1 && !outlines.iter().any(|table| table.holds_numbers) {
            let what = format!("{file}: sheet '{}' holds no numbers", names[place]);
            input.lints.add(LintName::TablesLeftOut, 1, what);
            continue;
        }
        // A lone row is seldom what is to be seen.
        let first = found.iter().position(|block| block.rows.len() > 1).unwrap_or_default();
        first_names.clone_from(&outlines[first].names);
        let mut notice = notice(file, &names, wanted.is_none().then_some(place), &found);
        let group = (places.len() > 1).then(|| names[place].as_str());
        read.append(&mut several::read(input, group, &outlines, first, |place| {
            let csv = rows.csv(&lines, &found[place])?;
            Ok(Rewritten { csv, notice: std::mem::take(&mut notice), ..Rewritten::default() })
        })?);
    }
    let other =
        names.iter().enumerate().find(|(place, _)| *place > first_sheet).or(names.iter().enumerate().next());
    if let (None, [_, _, ..], Some((place, other))) = (wanted, names.as_slice(), other) {
        let first = &names[first_sheet];
        // Sheets with the same names are likely parts of one table.
        let is_same = sheet(place).is_ok_and(|(rows, found)| {
            let lines = rows.lines();
            found.iter().any(|block| outline(&lines, block).names == first_names)
        });
        let hint = if is_same { "--sheet '*'".to_owned() } else { flag("--sheet", other) };
        input.tables_left_out(&format!("sheet '{first}'"), names.len(), hint);
    }
    if read.is_empty() {
        let what = format!("no sheet of these holds numbers: {}", listed(&names));
        return Err(InputError::usage(file, what));
    }
    Ok(Contents::Tables(read))
}

/// What is said of a sheet: that it is one of several, and the titles above its tables.
fn notice(file: &str, names: &[String], unnamed: Option<usize>, found: &[Block]) -> String {
    let mut said = Vec::new();
    if let (Some(place), [_, _, ..]) = (unnamed, names) {
        let (sheet, n, all) = (&names[place], names.len(), listed(names));
        let what = if place == 0 { "the first of" } else { "the first with numbers of" };
        said.push(format!("{file}: sheet '{sheet}', {what} {n}: {all}; --sheet NAME reads another"));
    }
    let titles: Vec<String> =
        found.iter().map(|block| block.title.clone()).filter(|title| !title.is_empty()).collect();
    if !titles.is_empty() {
        let above = if said.is_empty() { format!("{file}: ") } else { String::new() };
        said.push(format!("{above}above the table: {}", listed(&titles)));
    }
    said.join("; ")
}

/// A workbook: its archive, and the names of its sheets with their parts.
struct Book<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    file: String,
    /// Bytes that its parts may still become.
    left: u64,
    sheets: Vec<(String, String)>,
    /// It is one of `OpenDocument`, whose sheets are in one part.
    open_document: bool,
}

impl<'b> Book<'b> {
    fn open(bytes: &'b [u8], input: &Input) -> Result<Self, InputError> {
        let file = input.request.file.to_owned();
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(&file, &e))?;
        let of_ratio = (bytes.len() as u64).saturating_mul(MOST_RATIO);
        let left = of_ratio.min(input.request.budget.left() / TREE);
        let mut book = Self { archive, file, left, sheets: Vec::new(), open_document: false };
        book.open_document = book.archive.index_for_name("content.xml").is_some();
        book.sheets = match book.open_document {
            true => {
                let text = book.part("content.xml")?;
                let content = tree(&text, &book.file)?;
                let name = |table: Node| {
                    table.attributes().find(|a| a.name() == "name").map(|a| a.value().to_owned())
                };
                tables(&content).map(|table| (name(table).unwrap_or_default(), String::new())).collect()
            }
            false => book.parts_of_sheets()?,
        };
        Ok(book)
    }

    /// The text of a part; empty where the archive has none.
    fn part(&mut self, name: &str) -> Result<String, InputError> {
        let Some(index) = self.archive.index_for_name(name) else {
            return Ok(String::new());
        };
        let part = self.archive.by_index(index).map_err(|e| damaged(&self.file, &e))?;
        let mut text = String::new();
        let read = part.take(self.left + 1).read_to_string(&mut text);
        read.map_err(|e| damaged(&self.file, &e))?;
        let Some(left) = self.left.checked_sub(text.len() as u64) else {
            let what = format!("its part {name} becomes more than {} bytes", self.left);
            return Err(InputError::limit(&self.file, what));
        };
        self.left = left;
        Ok(text)
    }

    fn parts_of_sheets(&mut self) -> Result<Vec<(String, String)>, InputError> {
        let (book, relations) = (self.part("xl/workbook.xml")?, self.part("xl/_rels/workbook.xml.rels")?);
        let (book, relations) = (tree(&book, &self.file)?, tree(&relations, &self.file)?);
        let target = |id: &str| {
            let found = relations.descendants().find(|node| node.attribute("Id") == Some(id))?;
            let target = found.attribute("Target")?;
            Some(target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned))
        };
        let sheets = named(book.root(), "sheet").filter_map(|sheet| {
            let id = sheet.attributes().find(|a| a.name() == "id")?.value();
            Some((sheet.attribute("name")?.to_owned(), target(id)?))
        });
        Ok(sheets.collect())
    }

    /// Adds the rows of a sheet.
    fn read(&mut self, sheet: usize, lines: &mut Lines) -> Result<(), InputError> {
        let part = self.sheets[sheet].1.clone();
        if self.open_document {
            let text = self.part("content.xml")?;
            let content = tree(&text, &self.file)?;
            let mut tables = tables(&content);
            return tables.nth(sheet).map_or(Ok(()), |table| open_document_rows(table, lines));
        }
        let texts = self.part("xl/sharedStrings.xml")?;
        let texts: Vec<String> = match texts.is_empty() {
            true => Vec::new(),
            false => named(tree(&texts, &self.file)?.root(), "si").map(written).collect(),
        };
        let styles = self.part("xl/styles.xml")?;
        let styles = if styles.is_empty() { Vec::new() } else { formats(tree(&styles, &self.file)?.root()) };
        let book = self.part("xl/workbook.xml")?;
        let book = tree(&book, &self.file)?;
        let is_1904 =
            named(book.root(), "workbookPr").any(|p| matches!(p.attribute("date1904"), Some("1" | "true")));
        let text = self.part(&part)?;
        let sheet = tree(&text, &self.file)?;
        let mut merged: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        for cells in named(sheet.root(), "mergeCell") {
            if let Some([column, first, last]) = cells.attribute("ref").and_then(downward) {
                merged.entry(first).or_default().push((column, last));
            }
        }
        let mut below = Merged::new();
        for row in named(sheet.root(), "row") {
            let at = row.attribute("r").and_then(|r| r.parse::<usize>().ok()).unwrap_or(lines.ends.len() + 1);
            if at <= lines.ends.len() || at > MOST_ROWS {
                return Err(damaged(&self.file, &format!("row {at}")));
            }
            while lines.ends.len() + 1 < at {
                lines.add(std::iter::empty(), 1)?;
            }
            let mut cells: Vec<Cow<str>> = Vec::new();
            for cell in named(row, "c") {
                let column = cell.attribute("r").and_then(column).unwrap_or(cells.len());
                if column >= MOST_COLUMNS {
                    return Err(damaged(&self.file, &format!("column {}", column + 1)));
                }
                cells.resize(cells.len().max(column + 1), Cow::Borrowed(""));
                cells[column] = cell_text(cell, &texts, &styles, is_1904);
            }
            below.retain(|_, (last, _)| *last >= at);
            for (column, (_, text)) in &below {
                cells.resize(cells.len().max(column + 1), Cow::Borrowed(""));
                cells[*column].clone_from(text);
            }
            for (column, last) in merged.get(&at).into_iter().flatten() {
                if let Some(text) = cells.get(*column).filter(|text| !text.is_empty()) {
                    below.insert(*column, (*last, text.clone()));
                }
            }
            lines.add(cells.into_iter().map(|cell| (cell, 1)), 1)?;
        }
        Ok(())
    }
}

fn damaged(file: &str, why: &dyn std::fmt::Display) -> InputError {
    InputError::refused(file, "", format!("is a damaged workbook: {why}"))
}

/// Elements within elements: parts of workbooks have few.
const DEEPEST: usize = 64;

/// The most elements within each other, as the parser of a well-formed text meets them; it stops at more than [`DEEPEST`].
fn depth(text: &str) -> usize {
    let (mut depth, mut most, mut rest) = (0usize, 0, text);
    while let Some((_, markup)) = rest.split_once('<') {
        let end = ["!--", "![CDATA[", "?"]
            .into_iter()
            .zip(["-->", "]]>", "?>"])
            .find(|end| markup.starts_with(end.0));
        if let Some((_, end)) = end {
            rest = markup.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        // The sign that ends a tag may stand in the quotes of its attributes.
        let mut quote = None;
        let closes = |c: char| {
            match quote {
                Some(open) if open == c => quote = None,
                None if matches!(c, '"' | '\'') => quote = Some(c),
                _ => {}
            }
            c == '>' && quote.is_none()
        };
        let (tag, after) = markup.split_once(closes).unwrap_or((markup, ""));
        match tag.starts_with('/') {
            true => depth = depth.saturating_sub(1),
            false => depth += usize::from(!tag.ends_with('/')),
        }
        most = most.max(depth);
        if most > DEEPEST {
            break;
        }
        rest = after;
    }
    most
}

fn tree<'t>(text: &'t str, file: &str) -> Result<Document<'t>, InputError> {
    // The parser calls itself for each.
    if depth(text) > DEEPEST {
        return Err(damaged(file, &format!("elements are more than {DEEPEST} levels deep")));
    }
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|e| damaged(file, &e))
}

fn named<'a, 't>(node: Node<'a, 't>, name: &'static str) -> impl Iterator<Item = Node<'a, 't>> {
    node.descendants().filter(move |n| n.tag_name().name() == name)
}

/// The text of a string, without readings of its signs.
fn written(node: Node) -> String {
    let texts = named(node, "t").filter(|t| !t.ancestors().any(|a| a.tag_name().name() == "rPh"));
    texts.filter_map(|t| t.text()).collect()
}

/// The column of a reference such as `AB12`, from 0.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_uppercase);
    let number = letters.fold(0usize, |n, b| n.saturating_mul(26).saturating_add(usize::from(b - b'A') + 1));
    number.checked_sub(1)
}

/// The column, and the first and the last row, of a cell that goes on below: `A2:A5`.
fn downward(reference: &str) -> Option<[usize; 3]> {
    let (first, last) = reference.split_once(':')?;
    let row = |cell: &str| cell.trim_start_matches(|c: char| c.is_ascii_uppercase()).parse::<usize>().ok();
    let (from, to) = (row(first)?, row(last)?);
    (from < to && to <= MOST_ROWS).then_some([column(first)?, from, to])
}

/// How numbers of a style are meant.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Number,
    Time,
    /// A length of time.
    Elapsed,
}

/// The style of each cell format.
fn formats(styles: Node) -> Vec<Style> {
    let own: HashMap<&str, &str> = named(styles, "numFmt")
        .filter_map(|f| Some((f.attribute("numFmtId")?, f.attribute("formatCode")?)))
        .collect();
    let style = |xf: Node| match xf.attribute("numFmtId") {
        None => Style::Number,
        Some(id) => match own.get(id) {
            Some(code) => of_code(code),
            None => match id.parse() {
                Ok(14..=22 | 27..=36 | 45 | 47 | 50..=58) => Style::Time,
                Ok(46) => Style::Elapsed,
                _ => Style::Number,
            },
        },
    };
    named(styles, "cellXfs")
        .flat_map(|list| {
            list.children().filter(|n| n.tag_name().name() == "xf").map(style).collect::<Vec<_>>()
        })
        .collect()
}

/// A format by its letters outside quotes and brackets; `[h]` counts hours.
fn of_code(code: &str) -> Style {
    let lower = code.split(';').next().unwrap_or_default().to_lowercase();
    if ["[h", "[m", "[s"].iter().any(|part| lower.contains(part)) {
        return Style::Elapsed;
    }
    let (mut quoted, mut bracket, mut time) = (false, false, false);
    let mut chars = lower.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => bracket = true,
            ']' => bracket = false,
            '\\' | '_' | '*' => drop(chars.next()),
            'y' | 'd' | 'h' | 's' | 'm' if !quoted && !bracket => time = true,
            _ => {}
        }
    }
    if time && !lower.starts_with("general") { Style::Time } else { Style::Number }
}

/// A cell as a text that reads back as it: dates as ISO 8601 writes them, formulas by their stored value.
fn cell_text<'t>(cell: Node<'t, '_>, texts: &'t [String], styles: &[Style], is_1904: bool) -> Cow<'t, str> {
    let value = || named(cell, "v").next().and_then(|v| v.text()).unwrap_or_default();
    match cell.attribute("t") {
        Some("s") => match value().parse().ok().and_then(|i: usize| texts.get(i)) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(format!("text {} of {}, which is not there", value(), texts.len())),
        },
        Some("inlineStr") => Cow::Owned(written(cell)),
        Some("b") => Cow::Owned((value() == "1").to_string()),
        Some("str" | "e" | "d") => Cow::Borrowed(value()),
        _ => {
            let style = cell.attribute("s").and_then(|s| s.parse::<usize>().ok());
            let style = style.and_then(|s| styles.get(s)).copied().unwrap_or(Style::Number);
            match value().parse::<f64>() {
                Ok(days) if style != Style::Number && days.abs() < 1e7 => {
                    Cow::Owned(time_text(days, style, is_1904))
                }
                Ok(number) if number.is_finite() => Cow::Owned(number.to_string()),
                _ => Cow::Borrowed(value()),
            }
        }
    }
}

/// Days since the beginning of spreadsheets as a date, a time of day, or both.
fn time_text(days: f64, style: Style, is_1904: bool) -> String {
    let millis = (days * 86_400_000.0).round() as i64;
    let clock = |millis: i64| Resolution::Milli.clock_text(millis);
    if style == Style::Elapsed || (0..86_400_000).contains(&millis) {
        return clock(millis);
    }
    // Spreadsheets of 1900 have a 29 February 1900, so that days before it are one off.
    let leap = i64::from(!is_1904 && millis < 60 * 86_400_000);
    let epoch = if is_1904 { 24_107 } else { 25_569 - leap };
    let date = date_text(millis.div_euclid(86_400_000) - epoch);
    match millis.rem_euclid(86_400_000) {
        0 => date,
        rest => format!("{date}T{}", clock(rest)),
    }
}

/// The tables of a document of `OpenDocument`.
fn tables<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    named(document.root(), "table")
}

fn open_document_rows(table: Node, lines: &mut Lines) -> Result<(), InputError> {
    let count = |node: Node, name: &str| {
        let repeated = node.attributes().find(|a| a.name() == name);
        repeated.and_then(|a| a.value().parse::<usize>().ok()).unwrap_or(1).max(1)
    };
    let is_cell = |n: &Node| matches!(n.tag_name().name(), "table-cell" | "covered-table-cell");
    let mut below = Merged::new();
    for row in named(table, "table-row") {
        let at = lines.ends.len() + 1;
        below.retain(|_, (last, _)| *last >= at);
        let (mut cells, mut column, mut spans) = (Vec::new(), 0, Vec::new());
        for cell in row.children().filter(is_cell) {
            let (across, down) = (count(cell, "number-columns-repeated"), count(cell, "number-rows-spanned"));
            let text = match below.get(&column) {
                Some((_, text)) if cell.tag_name().name() == "covered-table-cell" => text.clone(),
                _ => Cow::Owned(open_document_text(cell)),
            };
            if down > 1 && !text.is_empty() {
                spans.push((column, (at.saturating_add(down - 1), text.clone())));
            }
            cells.push((text, across));
            column = column.saturating_add(across);
        }
        lines.add(cells.into_iter(), count(row, "number-rows-repeated").min(MOST_ROWS + 1))?;
        below.extend(spans);
    }
    Ok(())
}

fn open_document_text(cell: Node) -> String {
    let value = |name: &str| cell.attributes().find(|a| a.name() == name).map(|a| a.value().to_owned());
    let typed = ["value", "date-value", "time-value", "boolean-value"].into_iter().find_map(value);
    // An amount keeps the name of its currency.
    let typed = typed.map(|number| match value("currency") {
        Some(currency) => format!("{number} {currency}"),
        None => number,
    });
    typed.unwrap_or_else(|| {
        // A remark at a cell is no part of it.
        let lines = cell.children().filter(|n| n.tag_name().name() == "p").map(|p| {
            let part = |n: Node| match n.tag_name().name() {
                "s" | "tab" | "line-break" => " ".to_owned(),
                _ if n.is_text() => n.text().unwrap_or_default().to_owned(),
                _ => String::new(),
            };
            p.descendants().map(part).collect::<String>()
        });
        lines.collect::<Vec<_>>().join(" ")
    })
}
