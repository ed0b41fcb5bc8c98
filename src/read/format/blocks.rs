//! The tables of a sheet: blank rows part them, and blank columns where a table with labels of its own stands beside another.

use crate::field::{Field, read_field};
use std::ops::Range;

/// Tables of a sheet that are told apart.
const MOST: usize = 1_000;

/// Rows and columns of a sheet that are a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// Its title, or nothing.
    pub title: String,
    /// The rows of its names: above its own, or those of a table above it.
    pub header: Range<usize>,
    /// Its rows, without those.
    pub rows: Vec<usize>,
    pub columns: Range<usize>,
}

/// The cells of a sheet, row by row.
type Cells<'c> = [Vec<&'c str>];

fn cell<'c>(cells: &Cells<'c>, row: usize, column: usize) -> &'c str {
    cells[row].get(column).copied().unwrap_or_default()
}

fn is_value(text: &str) -> bool {
    !text.is_empty() && matches!(read_field(text, &[]), Field::Number(_))
}

/// The cells of a row in some columns that are not blank.
fn written<'c>(cells: &Cells<'c>, row: usize, columns: &Range<usize>) -> Vec<&'c str> {
    let end = columns.end.min(cells[row].len());
    (columns.start..end).map(|c| cells[row][c]).filter(|text| !text.is_empty()).collect()
}

/// How many cells of a row are values; a row of a label and of words for missing values alone counts them.
fn values(cells: &Cells, row: usize, columns: &Range<usize>) -> usize {
    let texts = written(cells, row, columns);
    let is_missing = |text: &&str| matches!(read_field(text, &[]), Field::Missing);
    match texts.get(1..) {
        Some(rest) if !rest.is_empty() && rest.iter().all(is_missing) => rest.len(),
        _ => texts.iter().filter(|text| is_value(text)).count(),
    }
}

/// The tables of a sheet; `None` where rows of numbers would be in none of them.
pub(super) fn blocks(cells: &Cells) -> Option<Vec<Block>> {
    let (mut found, mut above): (Vec<Block>, Above) = (Vec::new(), Above::default());
    let is_written = |row: &usize| cells[*row].iter().any(|text| !text.is_empty());
    let mut at = 0;
    while at < cells.len() {
        let len = (at..cells.len()).take_while(is_written).count();
        for columns in pieces(cells, at..at + len) {
            if found.len() > MOST || !add(cells, at..at + len, columns, &mut above, &mut found) {
                return None;
            }
        }
        at += len.max(1);
    }
    Some(found)
}

/// The columns of the tables that stand side by side in some rows.
fn pieces(cells: &Cells, rows: Range<usize>) -> Vec<Range<usize>> {
    let width = rows.clone().map(|row| cells[row].len()).max().unwrap_or_default();
    let mut has_text = vec![false; width];
    for row in rows.clone() {
        has_text.iter_mut().zip(&cells[row]).for_each(|(has, text)| *has |= !text.is_empty());
    }
    let is_written = |c: &usize| has_text[*c];
    let (mut pieces, mut at): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    while at < width {
        let len = (at..width).take_while(is_written).count();
        if len > 0 {
            let piece = at..at + len;
            match pieces.last_mut() {
                Some(last) if !begins(cells, rows.clone(), last, &piece) => last.end = piece.end,
                _ => pieces.push(piece),
            }
        }
        at += len.max(1);
    }
    pieces
}

/// Whether some columns are a table beside others: they have labels of their own, or names that the others have too.
fn begins(cells: &Cells, rows: Range<usize>, before: &Range<usize>, columns: &Range<usize>) -> bool {
    if columns.len() < 2 {
        return false;
    }
    let holds_values = |columns: &Range<usize>| rows.clone().any(|row| values(cells, row, columns) > 0);
    let is_named = |row: &usize| written(cells, *row, columns).len() > 1;
    let Some(first) = rows.clone().find(is_named) else { return false };
    let names = written(cells, first, before);
    let repeats = written(cells, first, columns).iter().any(|name| !is_value(name) && names.contains(name));
    let labels = (first + 1..rows.end).map(|row| cell(cells, row, columns.start));
    let labels: Vec<&str> = labels.filter(|text| !text.is_empty()).collect();
    let texts = labels.iter().filter(|label| !is_value(label)).count();
    // Whole numbers in equal steps label rows too, and rows beside nothing are not those of the table before.
    let numbers: Vec<i64> = labels.iter().filter_map(|label| label.parse().ok()).collect();
    let step = |w: &[i64]| w[1].saturating_sub(w[0]);
    let counts = numbers.len() == labels.len()
        && numbers.len() > 2
        && numbers.windows(2).all(|w| step(w) > 0 && step(w) == step(&numbers));
    let end =
        |columns: &Range<usize>| rows.clone().rev().find(|row| !written(cells, *row, columns).is_empty());
    let own = repeats || texts * 2 > labels.len() || counts || end(before) < end(columns);
    holds_values(before) && holds_values(columns) && own
}

/// What stands alone above blank rows: a title, and rows of names.
#[derive(Default)]
struct Above {
    title: Option<String>,
    names: Option<Range<usize>>,
}

/// Adds the table in some rows and columns, or the rows to that above; false where they are neither.
fn add(
    cells: &Cells,
    rows: Range<usize>,
    columns: Range<usize>,
    over: &mut Above,
    found: &mut Vec<Block>,
) -> bool {
    let is_title = |row: &usize| {
        let texts = written(cells, *row, &columns);
        texts.len() < 2 && !texts.iter().any(|text| is_value(text))
    };
    let mut titles = rows.clone().take_while(is_title).count();
    // Right above values, a lone text behind a blank corner is a name.
    let is_name =
        |row: usize| cell(cells, row, columns.start).is_empty() && !written(cells, row, &columns).is_empty();
    let below = rows.start + titles;
    if titles > 0 && below < rows.end && values(cells, below, &columns) > 0 && is_name(below - 1) {
        titles -= 1;
    }
    let mut rest = rows.start + titles..rows.end;
    let title =
        (rows.start..rest.start).filter_map(|row| written(cells, row, &columns).first().copied()).next_back();
    let title = title.map(str::to_owned).or_else(|| over.title.take());
    // Numbers above the names count the columns.
    let counts = |row: usize| {
        let texts = written(cells, row, &columns);
        let numbers: Vec<i64> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        let first = numbers.first().copied().unwrap_or(-1);
        numbers.len() == texts.len()
            && (0..=1).contains(&first)
            && numbers.iter().copied().eq(first..first + numbers.len() as i64)
    };
    if rest.len() > 2 && counts(rest.start) && values(cells, rest.start + 1, &columns) == 0 {
        rest.start += 1;
    }
    let names = rest.clone().take_while(|row| values(cells, *row, &columns) == 0).count();
    if names == rest.len() {
        // A title, names of what is below, or remarks.
        *over = Above { title, names: (names > 0).then_some(rest) };
        return true;
    }
    let named = over.names.take();
    let above = found
        .iter()
        .rposition(|block| block.columns == columns || block.columns.start == columns.start && names == 0);
    let own = match (names, above, named) {
        (0, _, Some(named)) => Some(named),
        (0, Some(_), None) => None,
        (0, None, None) => Some(rest.start..rest.start + 1),
        _ => Some(rest.start..rest.start + names),
    };
    match (own, above) {
        (Some(header), _) => {
            let rows: Vec<usize> = (header.end.max(rest.start)..rest.end).collect();
            found.push(Block { title: title.unwrap_or_default(), header, rows, columns });
        }
        // Rows below a blank one go on, unless they have a title of their own.
        (None, Some(place)) if title.is_none() => {
            let block = &mut found[place];
            block.columns.end = block.columns.end.max(columns.end);
            block.rows.extend(rest);
        }
        (None, Some(place)) => {
            let (header, end) = (found[place].header.clone(), found[place].columns.end.max(columns.end));
            let columns = columns.start..end;
            found.push(Block { title: title.unwrap_or_default(), header, rows: rest.collect(), columns });
        }
        (None, None) => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of a sheet that is written as CSV.
    fn of(sheet: &str) -> Vec<Block> {
        let cells: Vec<Vec<&str>> = sheet.lines().map(|line| line.split(',').collect()).collect();
        blocks(&cells).unwrap()
    }

    fn block(title: &str, header: usize, rows: &[usize], columns: Range<usize>) -> Block {
        Block { title: title.to_owned(), header: header..header + 1, rows: rows.to_vec(), columns }
    }

    #[test]
    fn blank_rows_part_tables_with_names_or_titles() {
        assert_eq!(of("n,a,b\nx,1,2\n\ny,3,4\n"), [block("", 0, &[1, 3], 0..3)], "a blank row is none");
        assert_eq!(
            of("One\nn,a,b\nx,1,2\n\nTwo\nn,c\ny,3\n\nnotes\nand more\n"),
            [block("One", 1, &[2], 0..3), block("Two", 5, &[6], 0..2)]
        );
        let inherits = of("k,9,10\nc,1,2\n\nfirst\nx,1,2\ny,3,4\n\nsecond\nx,5,6\n");
        let wanted =
            [block("", 0, &[1], 0..3), block("first", 0, &[4, 5], 0..3), block("second", 0, &[8], 0..3)];
        assert_eq!(inherits, wanted);
        assert_eq!(
            of("May\n\nn,a\n\nx,1\ny,2\n"),
            [block("May", 2, &[4, 5], 0..2)],
            "names apart from their rows"
        );
        let named = of("One\n,a\nx,1\n\n,b\ny,2\n");
        assert_eq!(named, [block("One", 1, &[2], 0..2), block("", 4, &[5], 0..2)], "a blank corner");
        assert_eq!(of("n,a,b\nx,1,2\n\ny,NA,-\n"), [block("", 0, &[1, 3], 0..3)], "a row of nothing");
        assert_eq!(of(",2019,2020\n,t,t\nx,1,2\n")[0].header, 0..1, "years are names");
        assert_eq!(of(",,m,\n,a,b,c\nx,1,2,3\n"), [block("m", 1, &[2], 0..4)]);
        assert_eq!(of("0,1,2\n,a,b\nx,1,2\n"), [block("", 1, &[2], 0..3)], "numbers of the columns");
    }

    #[test]
    fn blank_columns_part_tables_with_labels_of_their_own() {
        let two = of("a,v,,b,w\nx,1,,p,3\ny,2,,q,4\n");
        assert_eq!(two, [block("", 0, &[1, 2], 0..2), block("", 0, &[1, 2], 3..5)]);
        assert_eq!(of("a,v,,w,u\nx,1,,3,5\ny,2,,4,6\n"), [block("", 0, &[1, 2], 0..5)], "a gap");
        let again = of("a,v,,a,w\n1,1,,1,3\n1,2,,2,4\n");
        assert_eq!(again.len(), 2);
    }
}
