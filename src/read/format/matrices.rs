//! Matrices in formats of their own: GCT, PHYLIP, ASCII grids of maps, and triangles of CSV. They are rewritten as CSV and read as
//! that.

use super::reader::{Contents, Input};
use super::rewritten::{of_named_csv, quoted};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::position::Place;

/// Whether a file is in GCT 1.2 or 1.3.
pub(super) fn is_gct(head: &Head) -> bool {
    head.starts_with(&[b"#1.2\n", b"#1.2\r", b"#1.3\n", b"#1.3\r", b"#1.2\t", b"#1.3\t"])
}

/// The table of a file in GCT: rows of metadata above the values, and columns of it left of them, are left out.
///
/// # Errors
/// A line of sizes that are none, and as for other tables of text.
pub(super) fn open_gct(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let file = input.request.file;
    let text = text_from(&bytes, 0, file)?;
    let mut lines = text.lines();
    let version = lines.next().unwrap_or_default();
    let sizes: Vec<Option<usize>> =
        lines.next().unwrap_or_default().trim().split('\t').map(|n| n.trim().parse().ok()).collect();
    let (row_metadata, column_metadata) = match (version.trim_end().contains("1.3"), sizes.as_slice()) {
        (false, [Some(_), Some(_), ..]) => (1, 0),
        (true, [Some(_), Some(_), Some(rows), Some(columns), ..]) => (*rows, *columns),
        _ => {
            let what = "the line of sizes is not that of GCT";
            return Err(InputError::refused(file, Place::line(2), what));
        }
    };
    let mut csv = "\n\n".to_owned();
    let named = lines.clone().next().unwrap_or_default().split('\t').count();
    let found = lines.clone().skip(1 + column_metadata).filter(|line| !line.trim().is_empty()).count();
    let said = [sizes[0].unwrap_or_default(), sizes[1].unwrap_or_default() + 1 + row_metadata];
    if [found, named] != said {
        let [rows, columns] = said;
        let what = format!("{found} rows of {named} fields, and its second line says {rows} of {columns}");
        return Err(InputError::refused(file, Place::line(2), what));
    }
    for (i, line) in lines.enumerate() {
        if (1..=column_metadata).contains(&i) {
            csv.push('\n');
            continue;
        }
        let cells = line.split('\t').enumerate().filter(|(c, _)| !(1..=row_metadata).contains(c));
        let cells: Vec<String> = cells.map(|(_, cell)| quoted(cell.trim())).collect();
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    let notice =
        format!("{file}: GCT: columns of metadata left out: {row_metadata}, rows: {column_metadata}");
    held.keep();
    of_named_csv(csv, notice, input)
}

/// Whether a text is a matrix of distances in PHYLIP: a number of names alone, then a name and numbers for each.
pub(super) fn is_phylip(head: &Head) -> bool {
    let text = String::from_utf8_lossy(head.text());
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(count) = lines.next().and_then(count) else { return false };
    let rows = lines.map(|line| line.split_whitespace().collect()).collect();
    parted(rows, count, head.is_whole()).is_some()
}

/// The words of each row, and the shape of all; of a text that is cut without its last row, or with this alone.
fn parted<'t>(lines: Vec<Vec<&'t str>>, count: usize, is_whole: bool) -> Option<(Vec<Vec<&'t str>>, Shape)> {
    let of = |mut rows: Vec<Vec<&'t str>>| {
        if !is_whole {
            let last = rows.pop()?;
            if rows.is_empty() {
                let begins = last.len() > 2 && last[1..last.len() - 1].iter().all(|word| is_number(word));
                return begins.then_some((rows, Shape::Square));
            }
        }
        let fits = if is_whole { rows.len() == count } else { rows.len() <= count };
        let shape = fits.then(|| shape(&rows, count))??;
        Some((rows, shape))
    };
    of(lines.clone()).or_else(|| of(joined(lines)))
}

/// Lines of numbers alone go on with the row above.
fn joined(lines: Vec<Vec<&str>>) -> Vec<Vec<&str>> {
    let mut joined: Vec<Vec<&str>> = Vec::new();
    for row in lines {
        match joined.last_mut().filter(|_| row.iter().all(|word| is_number(word))) {
            Some(above) => above.extend(row),
            None => joined.push(row),
        }
    }
    joined
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

fn count(line: &str) -> Option<usize> {
    let mut words = line.split_whitespace();
    let count = words.next()?.parse().ok().filter(|n| (2..=100_000).contains(n))?;
    words.next().is_none().then_some(count)
}

/// Words of a name.
const MOST_WORDS: usize = 4;

/// How many numbers the rows of a matrix have, behind their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Square,
    /// Those before the diagonal, or up to it.
    Lower(usize),
}

impl Shape {
    /// The numbers of a row.
    fn len(self, row: usize, count: usize) -> usize {
        match self {
            Shape::Square => count,
            Shape::Lower(more) => row + more,
        }
    }
}

fn shape(rows: &[Vec<&str>], count: usize) -> Option<Shape> {
    [Shape::Square, Shape::Lower(0), Shape::Lower(1)].into_iter().find(|shape| {
        let fits = |(i, row): (usize, &Vec<&str>)| {
            let len = shape.len(i, count);
            let name = row.len().saturating_sub(len);
            // A name may be a number, but does not begin with one.
            (1..=MOST_WORDS).contains(&name)
                && (name == 1 || !is_number(row[0]))
                && row[name..].iter().all(|word| is_number(word))
        };
        rows.iter().enumerate().all(fits)
    })
}

/// The matrix of a file in PHYLIP; a triangle becomes the symmetric matrix, with 0 on a diagonal that is not there.
///
/// # Errors
/// Rows that do not fit, too little memory.
pub(super) fn open_phylip(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let (file, budget) = (input.request.file, input.request.budget);
    let text = text_from(&bytes, 0, file)?;
    let above = text.lines().take_while(|line| line.trim().is_empty()).count();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let count = lines.next().and_then(count).unwrap_or_default();
    let rows = lines.map(|line| line.split_whitespace().collect()).collect();
    let Some((rows, shape)) = parted(rows, count, true) else {
        let what = format!(
            "is a matrix in PHYLIP of {count} rows by its first line, and its lines have neither all numbers nor those of a triangle"
        );
        return Err(InputError::refused(file, "", what));
    };
    let n = rows.len();
    let cells =
        budget.reserve(8 * (n * n) as u64).map_err(|s| s.of(file, format_args!("{n} x {n} cells")))?;
    let parted: Vec<(&[&str], &[&str])> =
        rows.iter().enumerate().map(|(i, row)| row.split_at(row.len() - shape.len(i, n))).collect();
    let names: Vec<String> = parted.iter().map(|row| quoted(&row.0.join(" "))).collect();
    let mut csv = "\n".repeat(above) + "," + &names.join(",") + "\n";
    for (i, name) in names.iter().enumerate() {
        csv.push_str(name);
        for j in 0..n {
            let (row, column) = if shape == Shape::Square { (i, j) } else { (i.max(j), i.min(j)) };
            csv.push(',');
            csv.push_str(parted[row].1.get(column).copied().unwrap_or("0"));
        }
        csv.push('\n');
    }
    drop(cells);
    let notice = match shape {
        Shape::Square => String::new(),
        Shape::Lower(_) => format!("{file}: a triangle, drawn as the symmetric matrix"),
    };
    held.keep();
    of_named_csv(csv, notice, input)
}

/// The words that an ASCII grid begins its lines with, before its rows.
const GRID: [&str; 8] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value"];

/// What the first lines of an ASCII grid say, by the places of [`GRID`], and how many they are.
fn grid_header(text: &str) -> ([Option<f64>; 8], usize) {
    let mut said = [None; 8];
    let mut lines = 0;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let place = GRID.iter().position(|word| name.eq_ignore_ascii_case(word));
        match (place, words.next().and_then(|value| value.parse().ok()), words.next()) {
            (Some(place), Some(value), None) => said[place] = Some(value),
            _ => break,
        }
        lines += 1;
    }
    (said, lines)
}

/// Whether a text is a grid as ESRI writes it: its size, its corner and the size of a cell before the rows.
pub(super) fn is_ascii_grid(head: &Head) -> bool {
    let text = String::from_utf8_lossy(&head.text()[..head.text().len().min(1 << 12)]).into_owned();
    let (said, _) = grid_header(&text);
    said[0].is_some() && said[1].is_some() && said[6].is_some()
}

/// The matrix of an ASCII grid, with the coordinates of its cells' centres; its word for no data is a blank.
///
/// # Errors
/// Rows that are not as many as the grid says, too little memory, and as for other tables of text.
pub(super) fn open_ascii_grid(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let file = input.request.file;
    let text = text_from(&bytes, 0, file)?;
    let (said, header) = grid_header(text);
    let size = |place: usize| {
        said[place].filter(|n| n.fract() == 0.0 && (1.0..=1e9).contains(n)).map(|n| n as usize)
    };
    let (Some(columns), Some(rows), Some(cell)) = (size(0), size(1), said[6]) else {
        return Err(InputError::refused(file, Place::line(1), "the size is not that of a grid"));
    };
    let corner = |corner: usize, centre: usize| {
        said[centre].or(said[corner].map(|at| at + cell / 2.0)).unwrap_or(cell / 2.0)
    };
    let (x, y) = (corner(2, 4), corner(3, 5));
    // Each number takes a byte at the least.
    if columns as u64 * rows as u64 > text.len() as u64 {
        let what = format!("ends before the {rows} rows of {columns} numbers that it says");
        return Err(InputError::refused(file, "", what));
    }
    // The numbers may be on any lines.
    let mut numbers = text.lines().skip(header).flat_map(str::split_whitespace);
    let room = input.request.budget.reserve(24 * (columns as u64 + rows as u64));
    room.map_err(|s| s.of(file, "the coordinates of its cells"))?.keep();
    let mut csv = "\n".repeat(header.saturating_sub(1)) + "y";
    for column in 0..columns {
        csv.push_str(&format!(",{}", x + column as f64 * cell));
    }
    csv.push('\n');
    let missing = |word: &str| said[7].is_some_and(|none| word.parse() == Ok(none));
    for row in 0..rows {
        csv.push_str(&(y + (rows - 1 - row) as f64 * cell).to_string());
        for _ in 0..columns {
            let Some(word) = numbers.next() else {
                let what = format!("ends in row {} of the {rows} that it says", row + 1);
                return Err(InputError::refused(file, "", what));
            };
            csv.push(',');
            csv.push_str(if missing(word) { "" } else { word });
        }
        csv.push('\n');
    }
    if numbers.next().is_some() {
        return Err(InputError::refused(
            file,
            "",
            format!("holds more than {rows} rows of {columns} numbers"),
        ));
    }
    held.keep();
    of_named_csv(csv, String::new(), input)
}

/// The months of the years of a text as NOAA's laboratories write series: the first and the last year, a line of each with its twelve
/// numbers, and the number that means none. `None` for another text.
fn months(text: &str) -> Option<(Vec<Vec<&str>>, &str)> {
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let years = |line: &[&str]| -> Option<[u16; 2]> {
        let [first, last] = line else { return None };
        Some([first.parse().ok()?, last.parse().ok()?])
    };
    let [first, last] = years(&lines.next()?)?;
    let is_year = |line: &[&str], year: u16| {
        line.len() == 13 && line[0].parse() == Ok(year) && line[1..].iter().all(|n| is_number(n))
    };
    let of_years: Vec<Vec<&str>> =
        (first..=last).map_while(|year| lines.next().filter(|line| is_year(line, year))).collect();
    let [none] = lines.next()?[..] else { return None };
    let is_whole = first < last && of_years.len() == usize::from(last - first) + 1;
    (is_whole && is_number(none)).then_some((of_years, none))
}

/// Whether a text holds the months of years.
pub(super) fn is_months(head: &Head) -> bool {
    // One that goes on is looked at as a whole by its reader.
    let text = String::from_utf8_lossy(&head.text()[..head.text().len().min(1 << 16)]).into_owned();
    months(&text).is_some()
}

const MONTHS: &str = "year,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec";

/// The months of years, years down the side; what stands below them is counted.
///
/// # Errors
/// As for other tables of text.
pub(super) fn open_months(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let file = input.request.file;
    let text = text_from(&bytes, 0, file)?;
    let (years, none) = months(text).unwrap_or_default();
    let mut csv = MONTHS.to_owned();
    for year in &years {
        let numbers = year.iter().map(|n| if n.parse::<f64>() == none.parse::<f64>() { "" } else { n });
        csv.push('\n');
        csv.push_str(&numbers.collect::<Vec<_>>().join(","));
    }
    let below = text.lines().skip(years.len() + 2).filter(|line| !line.trim().is_empty()).count();
    held.keep();
    of_named_csv(
        csv,
        format!("{file}: months of years, {none} is no value; {} below", crate::table::count(below, "line")),
        input,
    )
}

/// The cells of the rows of a strict lower triangle in CSV, the first of them blank.
fn triangle(text: &str) -> Option<Vec<Vec<&str>>> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').map(str::trim).collect()).collect();
    let width = rows.first()?.len();
    let holds = |(i, row): (usize, &Vec<&str>)| {
        row.len() == width
            && row.iter().enumerate().all(|(c, cell)| if c < i { is_number(cell) } else { cell.is_empty() })
    };
    (rows.len() <= width && rows.iter().enumerate().all(holds)).then_some(rows)
}

/// The numbers of a lower triangle with its diagonal, whose lines have one number more each; blank fields at their ends are none.
fn growing(text: &str) -> Option<Vec<Vec<&str>>> {
    let delimiter = [',', ';'].into_iter().find(|sign| text.contains(*sign));
    let mut rows: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut row: Vec<&str> = match delimiter {
            Some(sign) => line.split(sign).map(str::trim).collect(),
            None => line.split_whitespace().collect(),
        };
        while row.pop_if(|field| field.is_empty()).is_some() {}
        if row.len() != rows.len() + 1 || !row.iter().all(|n| is_number(n)) {
            return None;
        }
        rows.push(row);
    }
    Some(rows)
}

/// Whether a text is a triangle of numbers without names, whose first row is blank, or whose lines grow.
pub(super) fn is_triangle(head: &Head) -> bool {
    let is_blank = |line: &str| line.len() > 1 && line.chars().all(|c| matches!(c, ',' | ' ' | '\r'));
    let Some(text) = head.lines() else { return false };
    let rows = text.lines().next().filter(|first| is_blank(first)).and_then(|_| triangle(text));
    rows.is_some_and(|rows| rows.len() > 2 && (!head.is_whole() || rows.len() == rows[0].len()))
        || growing(text).is_some_and(|rows| rows.len() > 2)
}

/// The matrix of such a triangle, its rows and columns numbered from 0.
///
/// # Errors
/// As for other tables of text.
pub(super) fn open_triangle(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, input.request.file)?;
    let grown = growing(text).map(|mut rows| {
        let size = rows.len();
        // Distances are the same both ways.
        let is_distance = rows.iter().enumerate().all(|(i, row)| row[i].parse() == Ok(0.0));
        let above = |i: usize| -> Vec<&str> {
            (i + 1..size).map(|j| if is_distance { rows[j][i] } else { "" }).collect()
        };
        let above: Vec<Vec<&str>> = (0..size).map(above).collect();
        rows.iter_mut().zip(above).for_each(|(row, above)| row.extend(above));
        rows
    });
    let strict = || triangle(text).filter(|rows| rows.len() == rows[0].len());
    let rows = grown.or_else(strict).ok_or_else(|| {
        let what = "begins as a triangle of numbers, and its rows do not go on as one";
        InputError::refused(input.request.file, "", what)
    })?;
    let names: Vec<String> = (0..rows.len()).map(|n| n.to_string()).collect();
    let mut csv = format!(",{}\n", names.join(","));
    for (name, row) in names.iter().zip(&rows) {
        csv.push_str(&format!("{name},{}\n", row.join(",")));
    }
    held.keep();
    of_named_csv(csv, String::new(), input)
}
