//! Records, their lines and their quotes.

use super::*;

/// The records of a text: line, fields, whether it is strict, and the line of an open quote.
fn records(text: &str) -> Vec<(u32, Vec<String>, bool, Option<u32>)> {
    struct All<'t>(&'t str, Vec<String>, Vec<(u32, Vec<String>, bool, Option<u32>)>);
    impl Sink for All<'_> {
        type Stop = ();

        fn field(&mut self, field: Field) {
            assert_eq!(field.index, self.1.len());
            self.1.push(field.text(self.0).into_owned());
        }

        fn record(&mut self, record: Record) -> Result<(), ()> {
            assert_eq!(record.fields, self.1.len());
            assert_eq!(record.empty, self.1.iter().all(String::is_empty), "{:?}", self.0);
            let fields = std::mem::take(&mut self.1);
            self.2.push((record.line, fields, record.strict, record.open));
            Ok(())
        }
    }
    let mut all = All(text, Vec::new(), Vec::new());
    cut(text.as_bytes(), &Cut::at(Delimiter::Byte(b',')), &mut all).unwrap();
    all.2
}

fn lines(text: &str) -> Vec<u32> {
    records(text).into_iter().map(|r| r.0).collect()
}

#[test]
fn every_line_end_ends_a_record() {
    for text in ["a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\r\n1,2\n3,4\n"] {
        for text in [text.to_owned(), text.replace('b', "\"b\"")] {
            let r = records(&text);
            assert_eq!(r.iter().map(|r| r.0).collect::<Vec<_>>(), [0, 1, 2], "{text:?}");
            assert_eq!(r[2].1, ["3", "4"]);
        }
    }
}

#[test]
fn lines_count_blank_lines_and_quoted_breaks() {
    assert_eq!(lines("\n\na\n\nb\n"), [2, 4]);
    assert_eq!(lines("a\r\n\r\nb"), [0, 2]);
    assert_eq!(lines("\"x\ny\",1\nb,2\n"), [0, 2]);
    assert_eq!(lines("\"x\r\ny\",1\r\nb,2\r\n"), [0, 2]);
    assert_eq!(lines("\"x\r\r\n\",\"\n\"\r\nb"), [0, 4]);
    assert_eq!(lines("\r\r"), [0u32; 0]);
}

#[test]
fn quotes_follow_rfc_4180() {
    let r = records("a,\"b \"\"c\"\", d\",\"\"\n,\"\",x\n\"\",\"\"\n");
    assert_eq!(r[0].1, ["a", "b \"c\", d", ""]);
    assert_eq!(r[1].1, ["", "", "x"]);
    assert_eq!(r[2].1, ["", ""]);
    // A quote opens a field at its start only, and what follows the closing one belongs to the field.
    let r = records("a\"b\",\"c\"d\"\"e,\"\"\"\",\"\"x,\"f\n,\"\"\"\r\n");
    assert_eq!(r[0].1, ["a\"b\"", "cd\"\"e", "\"", "x", "f\n,\""]);
}

#[test]
fn an_open_quote_is_seen_where_it_opened() {
    let open = |text: &str| records(text).last().unwrap().3;
    assert_eq!(open("a,\""), Some(0));
    assert_eq!(open("a,b\n1,\"2\n3,4\n5,6\n"), Some(1));
    assert_eq!(open("a,b\n\"x\ny\",\"z\nw"), Some(2));
    assert_eq!([open("a,\"b\"\"\""), open("a,x\""), open("a,\"b\"x")], [None; 3]);
}

#[test]
fn quotes_at_other_places_than_the_rfcs_are_seen() {
    for text in ["a,b", "\"a\"", "a,\"b\"\r\n", "\"a \"\"b\"\"\",\"\"\n", "\"\",\"\",\"x\n,y\"", "a,\"b\nc"] {
        assert!(records(text)[0].2, "{text:?}");
    }
    for text in ["a\"b", "a,b\"", "\"a\" ,b", "\"a\"b\"", "\"a\";\"b\"", "x;\"a\"", "x\",\"b\nc"] {
        assert!(!records(text)[0].2, "{text:?}");
        let two = format!("{text}\"\n1,2\n");
        assert!(!records(&two)[0].2 && records(&two).last().unwrap().2, "{two:?}");
    }
}

#[test]
fn records_end_outside_quotes() {
    assert_eq!(last_end(b"a,b\n1,2\n3", &Cut::at(Delimiter::Byte(b','))), Some(8));
    assert_eq!(last_end(b"a,\"b\n1,2\n3", &Cut::at(Delimiter::Byte(b','))), None);
    assert_eq!(last_end(b"a,b\n\"1\n", &Cut::at(Delimiter::Byte(b','))), Some(4));
    assert_eq!(last_end(b"\"a\",b\r\n\n\"1\"\r", &Cut::at(Delimiter::Byte(b','))), Some(8));
    assert_eq!(
        (last_end(b"a\r", &Cut::at(Delimiter::Byte(b','))), last_end(b"", &Cut::at(Delimiter::Byte(b',')))),
        (None, None)
    );
}

#[test]
fn long_fields_and_many_fields_fit() {
    let long = "x".repeat(100_000);
    assert_eq!(records(&format!("{long},1"))[0].1[0].len(), 100_000);
    assert_eq!(records(&",".repeat(5_000))[0].1.len(), 5_001);
    assert_eq!(records(&"\"\",".repeat(5_000))[0].1.len(), 5_001);
}
