//! Text to records, one at a time: csv-core, with the line on which each record begins.

use super::quotes::{Role, follow};
use crate::input::error::InputError;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::memchr;

/// A pass over the records of a text.
pub struct Scan<'t> {
    reader: Reader,
    input: &'t [u8],
    at: usize,
    /// Where the last record begins.
    began: usize,
    delimiter: u8,
    line: u32,
    /// Lines before the text, for messages.
    before: u64,
    after_cr: bool,
    /// The most fields that a record may have, and whether one had more.
    most: usize,
    over: bool,
}

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line on which it begins, from 1.
    pub line: u32,
    /// Bytes it took in the output.
    pub bytes: usize,
    /// Fields it has.
    pub fields: usize,
    /// Line of the quote that is still open at the end of the text.
    pub open: Option<u32>,
}

/// What the quotes of a record say.
struct Quotes {
    /// Line of the quote that is still open at the end.
    open: Option<u32>,
    /// Each quote opens or closes a field, or is one of two inside it.
    strict: bool,
}

impl<'t> Scan<'t> {
    /// A pass from the start.
    pub fn new(text: &'t str, delimiter: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(delimiter).build();
        Self {
            reader,
            input: text.as_bytes(),
            at: 0,
            began: 0,
            delimiter,
            line: 1,
            before: 0,
            after_cr: false,
            most: usize::MAX,
            over: false,
        }
    }

    /// A pass over records within a longer text, of at most `most` fields each, with `before` lines before them. What
    /// looks like a byte order mark is not one there.
    pub fn within(text: &'t str, delimiter: u8, before: u64, most: usize) -> Self {
        let mut scan = Self {
            before,
            most,
            ..Self::new(text, delimiter)
        };
        // The reader takes a mark off what it is given first.
        scan.reader.read_record(b"\n", &mut [0], &mut [0]);
        scan
    }

    /// Writes the next record's bytes at `out[from..]` and its fields' ends (from the record's start) into `ends`; both grow as needed.
    ///
    /// # Errors
    /// When a quote is still open at the end of the text, or a record has too many fields.
    pub fn next(
        &mut self,
        out: &mut Vec<u8>,
        from: usize,
        ends: &mut Vec<usize>,
        file: &str,
    ) -> Result<Option<Place>, InputError> {
        match self.record(out, from, ends) {
            Some(Place { line, .. }) if self.over => {
                Err(self.refused(file, line, &format!("over {} fields", self.most)))
            }
            Some(Place { open: Some(line), .. }) => {
                Err(self.refused(file, line, "a quote opens here and is never closed"))
            }
            place => Ok(place),
        }
    }

    fn refused(&self, file: &str, line: u32, what: &str) -> InputError {
        InputError::refused(
            file,
            crate::input::place::Place::line(self.before + u64::from(line)),
            what,
        )
    }

    /// As [`Scan::next`], but a record whose quote is still open at the end of the text is a record, too.
    pub fn record(&mut self, out: &mut Vec<u8>, from: usize, ends: &mut Vec<usize>) -> Option<Place> {
        while let Some(b'\n' | b'\r') = self.input.get(self.at) {
            self.count_lines(self.at, self.at + 1);
            self.at += 1;
        }
        let line = self.line;
        self.began = self.at;
        let (mut bytes, mut fields) = (0, 0);
        loop {
            let (result, read, written, ended) = self.reader.read_record(
                &self.input[self.at..],
                &mut out[from + bytes..],
                &mut ends[fields..],
            );
            let at_end = self.at == self.input.len();
            self.at += read;
            bytes += written;
            fields += ended;
            match result {
                ReadRecordResult::OutputFull => out.resize(from + bytes.max(512) * 2, 0),
                ReadRecordResult::OutputEndsFull if fields > self.most => {
                    self.over = true;
                    return Some(Place {
                        line,
                        bytes,
                        fields,
                        open: None,
                    });
                }
                ReadRecordResult::OutputEndsFull => ends.resize(ends.len().max(32) * 2, 0),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::End => return None,
                ReadRecordResult::Record => {
                    // Only the text's end closes a record whose quote is open.
                    let open = if at_end { self.quotes(line).open } else { None };
                    self.count_lines(self.began, self.at);
                    return Some(Place {
                        line,
                        bytes,
                        fields,
                        open,
                    });
                }
            }
        }
    }

    /// Whether the quotes of the last record are those of RFC 4180, so that its delimiter and its writer's may be the same.
    pub fn is_strict(&self) -> bool {
        memchr(b'"', &self.input[self.began..self.at]).is_none() || self.quotes(0).strict
    }

    fn count_lines(&mut self, from: usize, to: usize) {
        for &b in &self.input[from..to] {
            // CRLF counts once.
            if b == b'\r' || (b == b'\n' && !self.after_cr) {
                self.line += 1;
            }
            self.after_cr = b == b'\r';
        }
    }

    /// Follows the quotes of the last record, which begins on `line`.
    fn quotes(&self, line: u32) -> Quotes {
        let (mut open, mut strict) = (None, true);
        let (mut here, mut closed) = (line, false);
        let raw = &self.input[self.began..self.at];
        follow(raw, self.delimiter, |i, role| {
            let (b, was_closed) = (raw[i], std::mem::replace(&mut closed, role == Role::Closes));
            match role {
                Role::Opens => open = Some(here),
                Role::Closes => open = None,
                Role::Quoted => {}
                Role::Plain => {
                    strict &= b != b'"' && (!was_closed || b == self.delimiter || b == b'\n' || b == b'\r')
                }
            }
            if b == b'\r' || (b == b'\n' && (i == 0 || raw[i - 1] != b'\r')) {
                here += 1;
            }
        });
        Quotes { open, strict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<(u32, Vec<String>)>, InputError> {
        let (mut out, mut ends) = (Vec::new(), Vec::new());
        let mut scan = Scan::new(text, b',');
        let mut records = Vec::new();
        while let Some(p) = scan.next(&mut out, 0, &mut ends, "f")? {
            let mut start = 0;
            let fields = ends[..p.fields].iter().map(|&e| {
                let t = String::from_utf8(out[start..e].to_vec()).unwrap();
                start = e;
                t
            });
            records.push((p.line, fields.collect()));
        }
        Ok(records)
    }

    fn lines(text: &str) -> Vec<u32> {
        all(text).unwrap().into_iter().map(|r| r.0).collect()
    }

    #[test]
    fn every_line_end_ends_a_record() {
        for text in [
            "a,b\n1,2\n3,4",
            "a,b\r\n1,2\r\n3,4\r\n",
            "a,b\r1,2\r3,4\r",
            "a,b\r\n1,2\n3,4\n",
        ] {
            let r = all(text).unwrap();
            assert_eq!(r.iter().map(|r| r.0).collect::<Vec<_>>(), [1, 2, 3], "{text:?}");
            assert_eq!(r[2].1, ["3", "4"]);
        }
    }

    #[test]
    fn lines_count_blank_lines_and_quoted_breaks() {
        assert_eq!(lines("\n\na\n\nb\n"), [3, 5]);
        assert_eq!(lines("a\r\n\r\nb"), [1, 3]);
        assert_eq!(lines("\"x\ny\",1\nb,2\n"), [1, 3]);
        assert_eq!(lines("\"x\r\ny\",1\r\nb,2\r\n"), [1, 3]);
        assert_eq!(lines("\r\r"), [0u32; 0]);
    }

    #[test]
    fn quotes_follow_rfc_4180() {
        let r = all("a,\"b \"\"c\"\", d\",\"\"\n,\"\",x\n").unwrap();
        assert_eq!(r[0].1, ["a", "b \"c\", d", ""]);
        assert_eq!(r[1].1, ["", "", "x"]);
    }

    #[test]
    fn an_open_quote_is_refused_where_it_opened() {
        assert_eq!(
            all("a,\"").unwrap_err().place,
            crate::input::place::Place::line(1)
        );
        assert_eq!(
            all("a,b\n1,\"2\n3,4\n5,6\n").unwrap_err().place,
            crate::input::place::Place::line(2)
        );
        assert_eq!(
            all("a,b\n\"x\ny\",\"z\nw").unwrap_err().place,
            crate::input::place::Place::line(3)
        );
        assert!(all("a,\"b\"\"\"").is_ok() && all("a,x\"").is_ok() && all("a,\"b\"x").is_ok());
    }

    #[test]
    fn quotes_at_other_places_than_the_rfcs_are_seen() {
        let strict = |text: &str| {
            let (mut out, mut ends) = (Vec::new(), Vec::new());
            let mut scan = Scan::new(text, b',');
            scan.record(&mut out, 0, &mut ends).unwrap();
            scan.is_strict()
        };
        for text in [
            "a,b",
            "\"a\"",
            "a,\"b\"\r\n",
            "\"a \"\"b\"\"\",\"\"\n",
            "\"\",\"\",\"x\n,y\"",
            "a,\"b\nc",
        ] {
            assert!(strict(text), "{text:?}");
        }
        for text in [
            "a\"b",
            "a,b\"",
            "\"a\" ,b",
            "\"a\"b\"",
            "\"a\";\"b\"",
            "x;\"a\"",
            "x\",\"b\nc",
        ] {
            assert!(!strict(text), "{text:?}");
        }
    }

    #[test]
    fn long_fields_and_many_fields_fit() {
        let long = "x".repeat(100_000);
        assert_eq!(all(&format!("{long},1")).unwrap()[0].1[0].len(), 100_000);
        assert_eq!(all(&",".repeat(5_000)).unwrap()[0].1.len(), 5_001);
        let (text, mut ends) = (",".repeat(5_000), vec![0; 8]);
        let e = Scan::within(&text, b',', 0, 500)
            .next(&mut Vec::new(), 0, &mut ends, "f")
            .unwrap_err();
        assert_eq!(
            (e.to_string().as_str(), ends.len() < 2_000),
            ("f: line 1: over 500 fields", true)
        );
    }
}
