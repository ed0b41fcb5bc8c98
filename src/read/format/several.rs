//! The tables of one text or sheet: which of them are read, what they are called, and what is said of the others.

use super::reader::{Input, OneTable};
use super::rewritten::Rewritten;
use crate::error::InputError;
use crate::panel_files::{MOST_PANELS, check_count, unique_names};
use crate::table::count;
use gridscope_core::figure::TableNumber;
use gridscope_core::lint::LintName;
use std::collections::HashSet;
use std::ops::Range;

/// The option that reads all tables of a text.
pub(crate) const ALL_TABLES: &str = "--table-number all";
/// Letters of a line that may be a title.
const TITLE: usize = 60;

/// A table of a text before it is read.
pub(super) struct Outline {
    /// What stands over it, or nothing.
    pub title: String,
    /// The names of its columns.
    pub names: Vec<String>,
    pub holds_numbers: bool,
}

/// Lines above a table that may be its title.
const ABOVE: usize = 20;

/// The titles of tables at some lines: the nearest of the lines above each, behind the table before, that differ from table to table;
/// else the line above, or the heading.
pub(super) fn titles(lines: &[&str], tables: &[Range<usize>]) -> Vec<String> {
    let marks = |c: char| c.is_whitespace() || "#*=:_-\"'`|,;%/".contains(c);
    let is_title = |line: &&str| line.chars().count() <= TITLE && !line.contains(['\\', '{', '<']);
    let above = |(place, table): (usize, &Range<usize>)| -> Vec<&str> {
        let end = place.checked_sub(1).map_or(0, |before| tables[before].end).min(table.start);
        let written =
            lines[end..table.start].iter().rev().filter(|line| !line.trim_matches(marks).is_empty());
        written.map(|line| line.trim_matches(marks)).filter(is_title).take(ABOVE).collect()
    };
    let above: Vec<Vec<&str>> = tables.iter().enumerate().map(above).collect();
    let differ = |level: &usize| {
        let mut met = HashSet::new();
        above.iter().all(|lines| lines.get(*level).is_some_and(|title| met.insert(*title)))
    };
    let level = (0..ABOVE).find(differ).unwrap_or(0);
    above.iter().map(|lines| lines.get(level).copied().unwrap_or_default().to_owned()).collect()
}

/// Reads the tables that the figure asks for: `first` where it names none. Each is rewritten by its place. A `group` is the name of
/// all of them among others.
///
/// # Errors
/// No such table, too many of them, and as [`Rewritten::open`].
pub(super) fn read(
    input: &mut Input,
    group: Option<&str>,
    tables: &[Outline],
    first: usize,
    mut rewrite: impl FnMut(usize) -> Result<Rewritten, InputError>,
) -> Result<Vec<OneTable>, InputError> {
    let file = input.request.file;
    let asked = input.request.figure.data.table_number;
    let all = tables.len();
    let places: Vec<usize> = match asked {
        None => vec![first],
        Some(TableNumber::One(number)) if number.get() <= all as u64 => vec![number.get() as usize - 1],
        Some(TableNumber::One(number)) => {
            let what = format!("has {}, and --table-number {number} is none of them", count(all, "table"));
            return Err(InputError::usage(file, what).with_hint(named(tables)));
        }
        Some(TableNumber::All) => (0..all).filter(|&place| tables[place].holds_numbers).collect(),
    };
    if places.is_empty() {
        return Err(InputError::usage(file, "none of its tables holds numbers"));
    }
    check_count(places.len(), file, || format!("{} tables, a panel each", places.len()))?;
    let title = |&place: &usize| match tables[place].title.as_str() {
        "" => format!("table {}", place + 1),
        title => title.to_owned(),
    };
    let titles = unique_names(places.iter().map(title).collect());
    let several = places.len() > 1;
    let mut read = Vec::with_capacity(places.len());
    for (&place, title) in places.iter().zip(titles) {
        let title = match (group, several) {
            (Some(group), true) => Some(format!("{group}: {title}")),
            (Some(group), false) => Some(group.to_owned()),
            (None, several) => several.then_some(title),
        };
        let table = Rewritten { title, ..rewrite(place)? };
        read.push(table.open(input)?);
    }
    let left = all - read.len();
    if asked.is_none() {
        let same = all <= MOST_PANELS
            && (0..all).any(|place| place != first && tables[place].names == tables[first].names);
        let hint = match same {
            true => ALL_TABLES.to_owned(),
            false => format!("--table-number {}", if first == 0 { 2 } else { 1 }),
        };
        input.tables_left_out(&format!("table {}", first + 1), all, hint);
    } else if asked == Some(TableNumber::All) && left > 0 {
        let what = format!("{file}: {} without numbers", count(left, "table"));
        input.lints.add(LintName::TablesLeftOut, left as u64, what);
    }
    Ok(read)
}

/// The titles of tables, with their numbers.
fn named(tables: &[Outline]) -> String {
    let of = |(i, table): (usize, &Outline)| format!("{} {}", i + 1, table.title).trim_end().to_owned();
    tables.iter().enumerate().map(of).take(20).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::titles;
    use crate::{ReadOptions, open_bytes};
    use gridscope_core::figure::{Figure, List, TableNumber};

    #[test]
    fn titles_are_lines_above_or_headings() {
        let of = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            titles(&lines, std::slice::from_ref(&(lines.len()..lines.len()))).concat()
        };
        assert_eq!(of("# All\n\n**Model A:**\n\n"), "Model A");
        let prose = "A long line of prose about what the table below holds, and how it was made.";
        assert_eq!(of(&format!("## Model A\n{prose}\n")), "Model A");
        assert_eq!(of("\"Writer report\"\n"), "Writer report");
        assert_eq!(of("\n----\n\n"), "");
        assert_eq!(of("\\begin{table}\n"), "");
        let lines = ["# Ping", "# processes = 2", "t", "1", "# Pong", "# processes = 2", "t", "1"];
        assert_eq!(titles(&lines, &[2..4, 6..8]), ["Ping", "Pong"]);
    }

    #[test]
    fn all_tables_of_a_text_are_a_panel_each() {
        let mut figure = Figure::default();
        figure.data.table_number = Some(TableNumber::All);
        let markdown = "## A\n|k|p|q|\n|-|-|-|\n|x|1|2|\n|y|3|4|\n\n## Words\n|k|is|\n|-|-|\n|p|one|\n\n## B\n|k|p|q|\n|-|-|-|\n|x|5|6|\n|y|7|8|\n";
        let log = "start\n\nfirst run\nk,p,q\nx,1,2\ny,3,4\n\nsecond run\nk,p,q\nx,5,6\ny,7,8\n";
        for (text, names) in [(markdown, ["A", "B"]), (log, ["first run", "second run"])] {
            let read = open_bytes(text.into(), "t.txt", &figure, &ReadOptions::default(), 1 << 30).unwrap();
            let found: Vec<(&str, Vec<f64>)> = read
                .grids
                .iter()
                .map(|g| (g.name(), (0..4).map(|i| g.at(i / 2, i % 2).as_f64()).collect()))
                .collect();
            let wanted = [(names[0], vec![1.0, 2.0, 3.0, 4.0]), (names[1], vec![5.0, 6.0, 7.0, 8.0])];
            assert_eq!(found, wanted);
        }
        // A tidy table has them as a column, or as panels.
        let column = |name: &str| Some(List::from_flag(name));
        let text = "# A\n|u|v|w|\n|-|-|-|\n|1|1|1|\n|1|2|2|\n# B\n|u|v|w|\n|-|-|-|\n|1|1|3|\n|1|2|4|\n";
        (figure.data.x, figure.data.y, figure.data.value) = (column("v"), column("u"), column("w"));
        let read = |figure: &Figure| {
            open_bytes(text.into(), "t.md", figure, &ReadOptions::default(), 1 << 30).unwrap().grids
        };
        assert_eq!(
            read(&figure).iter().map(|g| (g.name(), g.width())).collect::<Vec<_>>(),
            [("A", 2), ("B", 2)]
        );
        figure.data.y = column("table");
        let one = read(&figure);
        assert_eq!((one.len(), one[0].height(), one[0].at(1, 0).as_f64()), (1, 2, 3.0));
    }
}
