//! Matrices with names in the formats of biology: GCT and PHYLIP. They are rewritten as CSV and read as that.

use super::markup::{of_csv, quoted};
use super::reader::{Contents, Input};
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
    of_csv(csv, notice, input)
}

/// Whether a text is a matrix of distances in PHYLIP: a number of names alone, then a name and numbers on each line.
pub(super) fn is_phylip(head: &Head) -> bool {
    let text = String::from_utf8_lossy(head.text());
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(count) = lines.next().and_then(count) else { return false };
    let whole = head.bytes.len() < 1 << 16;
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    let rows = &rows[..rows.len() - usize::from(!whole && !rows.is_empty())];
    !rows.is_empty() && rows.len() <= count && (!whole || rows.len() == count) && shape(rows, count).is_some()
}

fn count(line: &str) -> Option<usize> {
    let mut words = line.split_whitespace();
    let count = words.next()?.parse().ok().filter(|n| (2..=100_000).contains(n))?;
    words.next().is_none().then_some(count)
}

/// How many numbers the lines of a matrix have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Square,
    /// Those before the diagonal, or up to it.
    Lower(usize),
}

fn shape(rows: &[Vec<&str>], count: usize) -> Option<Shape> {
    let named = rows.iter().all(|row| row[0].parse::<f64>().is_err());
    let numeric = rows.iter().flat_map(|row| &row[1..]).all(|t| t.parse::<f64>().is_ok());
    let all = |len: &dyn Fn(usize) -> usize| rows.iter().enumerate().all(|(i, row)| row.len() == 1 + len(i));
    match () {
        () if !named || !numeric => None,
        () if all(&|_| count) => Some(Shape::Square),
        () if all(&|i| i) => Some(Shape::Lower(0)),
        () if all(&|i| i + 1) => Some(Shape::Lower(1)),
        () => None,
    }
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
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|l| !l.trim().is_empty())
        .skip(1)
        .map(|l| l.split_whitespace().collect())
        .collect();
    let Some(shape) = shape(&rows, rows.len()) else {
        let what = "is a matrix in PHYLIP whose lines have neither all numbers nor those of a triangle";
        return Err(InputError::refused(file, "", what));
    };
    let n = rows.len();
    let cells =
        budget.reserve(8 * (n * n) as u64).map_err(|s| s.of(file, format_args!("{n} x {n} cells")))?;
    let names: Vec<String> = rows.iter().map(|row| quoted(row[0])).collect();
    let mut csv = "\n".repeat(above) + "," + &names.join(",") + "\n";
    for (i, name) in names.iter().enumerate() {
        csv.push_str(name);
        for j in 0..n {
            let (row, column) = if shape == Shape::Square { (i, j) } else { (i.max(j), i.min(j)) };
            csv.push(',');
            csv.push_str(rows[row].get(1 + column).copied().unwrap_or("0"));
        }
        csv.push('\n');
    }
    drop(cells);
    let notice = match shape {
        Shape::Square => String::new(),
        Shape::Lower(_) => format!("{file}: a triangle, drawn as the symmetric matrix"),
    };
    held.keep();
    of_csv(csv, notice, input)
}
