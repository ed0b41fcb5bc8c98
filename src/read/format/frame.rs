//! Frames as pandas prints them with a name of their index on a line of its own, below the names of the columns:
//!
//! ```text
//! pred  cat  dog
//! true
//! cat    48    2
//! dog     3   41
//! ```
//!
//! They are rewritten as CSV.

use super::csv;
use super::reader::{Contents, Input};
use super::rewritten::{Rewritten, quoted};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::numeral::quantity;
use gridscope_core::figure::Header;

/// A frame in parts.
struct Frame<'t> {
    /// The name of its columns, if they have one, and of its index.
    name: Option<&'t str>,
    index: &'t str,
    columns: Vec<&'t str>,
    /// The label of each row and its cells.
    rows: Vec<(String, Vec<&'t str>)>,
}

/// The frame of a text; `None` of any other text. The last line of a text that is not whole may be cut.
fn frame(text: &str, is_whole: bool) -> Option<Frame<'_>> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (lines.next()?, lines.next()?);
    let mut columns: Vec<&str> = first.split_whitespace().collect();
    let index = second.trim_end();
    // The index is left of all columns.
    let name = (!first.starts_with(' ')).then(|| columns.remove(0));
    let begin = first.find(columns.first()?)?;
    let is_name = !second.starts_with(' ') && !index.contains("  ") && quantity(index).is_none();
    if !is_name || index.len() >= begin || first.contains([',', ';', '|', '\t', '"']) {
        return None;
    }
    let mut body: Vec<&str> = lines.collect();
    if !is_whole {
        body.pop();
    }
    // The shape of a frame that is cut stands below it.
    body.retain(|line| !(line.starts_with('[') && line.contains(" rows x ")));
    let rows: Vec<(String, Vec<&str>)> =
        body.into_iter().map(|line| row(line, columns.len())).collect::<Option<_>>()?;
    (!rows.is_empty()).then_some(Frame { name, index, columns, rows })
}

/// The label and the cells of a line, of which the last ones are numbers.
fn row(line: &str, cells: usize) -> Option<(String, Vec<&str>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.len().checked_sub(cells).filter(|at| *at > 0)?;
    let is_cell =
        |cell: &&str| quantity(cell).is_some() || ["NaN", "<NA>", "None", "inf", "-inf"].contains(cell);
    words[at..].iter().all(is_cell).then(|| (words[..at].join(" "), words[at..].to_vec()))
}

/// Whether a file is such a frame.
pub(super) fn is_frame(head: &Head) -> bool {
    let cut = head.bytes.len() - head.bytes.iter().rev().take(4).take_while(|b| !b.is_ascii()).count();
    std::str::from_utf8(&head.bytes[..cut]).is_ok_and(|text| frame(text, head.is_whole()).is_some())
}

/// The table of a frame; a delimiter that the options name parts it as any other text.
///
/// # Errors
/// No UTF-8, and as for other tables of text.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let data = &input.request.figure.data;
    if data.delimiter.is_some() || data.header.is_some() || data.skip_rows.is_some() {
        return csv::open(input);
    }
    let (bytes, held) = input.bytes()?;
    let text = text_from(&bytes, 0, input.request.file)?;
    let Some(Frame { name, index, columns, rows }) = frame(text, true) else {
        return csv::open(&mut Input::whole(input.request, (bytes, held)));
    };
    let line = |label: &str, cells: &[&str]| {
        let fields: Vec<String> = std::iter::once(label).chain(cells.iter().copied()).map(quoted).collect();
        fields.join(",") + "\n"
    };
    let body: String = rows.iter().map(|(label, cells)| line(label, cells)).collect();
    let rewritten = Rewritten {
        csv: line(index, &columns) + &body,
        header: Some(Header::Yes),
        columns_name: name.map(str::to_owned),
        ..Rewritten::default()
    };
    let table = rewritten.open(input)?;
    held.keep();
    Ok(Contents::Tables(vec![table]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(text: &str) -> bool {
        is_frame(&Head { bytes: text.as_bytes(), file: "a.txt" })
    }

    #[test]
    fn frames_have_the_name_of_their_index_below_the_columns() {
        let text = "pred   cat  dog\ntrue           \ncat     48    2\nbig dog  3  NaN\n";
        let read = frame(text, true).unwrap();
        assert_eq!((read.name, read.index, read.columns.join(" ")), (Some("pred"), "true", "cat dog".into()));
        assert_eq!(read.rows[1], ("big dog".to_owned(), vec!["3", "NaN"]));
        let unnamed = "          a    b\nmodel          \nm0     0.637  0.27\n";
        assert_eq!(frame(unnamed, true).map(|f| (f.name, f.index)), Some((None, "model")));
        assert!(is("month  Jan  Feb\nyear\n1949   112  118\n1950   115  126\n"));
        for text in [
            "a b\n1 2\n3 4\n",
            "x,y\ntrue\n1,2\n",
            "pred cat dog\ntrue 1 2\ncat 48 2\n",
            "one two\nthree\n",
            "Latency of nodes [ns]\nnode a b c\nx 1.5 2 3\ny 4 5 6\n",
            "Title of the table\nsub\nx 1 2\n",
            "",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
