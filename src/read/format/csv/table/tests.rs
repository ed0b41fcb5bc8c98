//! Texts in blocks of any size give the table that their writer wrote.

use super::*;
use crate::field::Field;
use crate::table::texts;
use gridscope_core::figure::List;
use gridscope_core::grid::Number;
use gridscope_random::{Random, cases};

fn open(text: &str, block: u64, data: &Data) -> Result<CsvTable, InputError> {
    let content = Content::Memory(text.as_bytes().to_vec());
    CsvTable::open_by(content, "t.csv", data, &mut Lints::default(), &Budget::new(64 << 20), (block, block))
}

/// All rows of a text in blocks of this many bytes: each row's line and texts.
fn rows(text: &str, block: u64, data: &Data) -> Result<Vec<(String, Vec<String>)>, InputError> {
    let table = open(text, block, data)?;
    let columns: Vec<usize> = (0..table.schema().width()).collect();
    let mut out = Vec::new();
    for part in table.parts() {
        let mut part = part?;
        let batch = part.next(&columns)?.unwrap();
        for row in 0..batch.rows {
            let texts = batch.columns.iter().map(|c| c.text(row).into_owned()).collect();
            out.push((batch.places.refused(row, "").place.to_string(), texts));
        }
    }
    Ok(out)
}

/// A table of texts, its header first, its delimiter, and its text as a writer of RFC 4180 writes it that quotes whatever
/// another delimiter might split.
fn written(random: &mut Random) -> (Vec<Vec<String>>, u8, String) {
    const PIECES: [&str; 13] = [",", ";", "\t", "|", "\"", "\n", "\r\n", "\r", " ", ":", "a", "é", "1"];
    let (columns, rows) = (random.within(1, 5_usize), random.within(1, 90));
    let (delimiter, end) = (random.pick(b",;\t|"), random.pick(&["\n", "\r\n", "\r"]));
    let mut table: Vec<Vec<String>> = Vec::new();
    for row in 0..=rows {
        let mut cells: Vec<String> = Vec::new();
        for column in 0..columns {
            let mut cell = if row == 0 { format!("h{column}") } else { String::new() };
            match random.below(7) {
                0 => {}
                1 | 2 => cell += &random.below(1000).to_string(),
                3 => cell += &format!("{}.5", random.below(100)),
                4 => cell += "k",
                _ => {
                    let most = if random.below(60) == 0 { 3000 } else { 12 };
                    (0..random.below(most)).for_each(|_| cell += random.pick(&PIECES));
                }
            }
            cells.push(cell);
        }
        // A row of empty fields is not a row.
        if cells.iter().all(String::is_empty) {
            cells[0] = "z".to_owned();
        }
        table.push(cells);
    }
    let mut text = if random.below(8) == 0 { "\u{feff}".to_owned() } else { String::new() };
    for cells in &table {
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                text.push(char::from(delimiter));
            }
            if cell.contains([',', ';', '\t', '|', '"', '\n', '\r', ' ', ':']) || random.below(5) == 0 {
                text += &format!("\"{}\"", cell.replace('"', "\"\""));
            } else {
                text += cell;
            }
        }
        text += end;
    }
    if random.below(2) == 0 {
        text.truncate(text.len() - end.len());
    }
    (table, delimiter, text)
}

#[test]
fn tables_are_read_back_as_they_were_written() {
    let mut random = Random(1);
    let (data, mut streamed) = (Data::default(), 0);
    for case in 0..cases(400) {
        let (table, delimiter, text) = written(&mut random);
        let wanted = if table[0].len() > 1 { delimiter } else { b',' };
        for block in [1 << 30, 16, 300, 5000] {
            let opened = open(&text, block, &data)
                .unwrap_or_else(|e| panic!("case {case}, blocks of {block}: {e} in {text:?}"));
            assert_eq!(
                (&opened.schema().headers, opened.schema().delimiter),
                (&table[0], Some(Delimiter::Byte(wanted))),
                "{text:?}"
            );
            let cells: Vec<Vec<String>> =
                rows(&text, block, &data).unwrap().into_iter().map(|r| r.1).collect();
            assert_eq!(cells, table[1..], "case {case}, blocks of {block}: {text:?}");
            streamed += usize::from(opened.parts().count() > 1);
        }
    }
    assert!(streamed > 0);
}

#[test]
fn a_quoted_field_may_be_longer_than_what_is_looked_at() {
    let long = "; \t|\r\n;".repeat(400);
    let plain = (0..90).map(|i| format!("{i},k,{}\r\n", i * 7)).collect::<String>();
    for text in [
        format!("x,\"{long}\",v\r\n{plain}"),
        format!("x,y,v\r\n1,\"{long}\",2\r\n{plain}"),
        format!("x,y,v\r\n{plain}1,\"{long}\",2"),
    ] {
        let whole = rows(&text, 1 << 30, &Data::default()).unwrap();
        assert!(whole.len() >= 90 && whole.iter().all(|r| r.1.len() == 3));
        for block in [16, 64, 1000] {
            assert_eq!(rows(&text, block, &Data::default()).unwrap(), whole, "{block}");
        }
    }
}

#[test]
fn blocks_of_any_size_give_the_rows_of_the_whole() {
    let data = Data::default();
    let long = (0..300).map(|i| format!("{i},\"a \"\"{i}\"\"\n,\",{}\r\n", i * 7)).collect::<String>();
    let plain = (0..300).map(|i| format!("{i},k{},{}\n", i % 7, i * 7)).collect::<String>();
    let texts = [
        format!("x,y,v\r\n{long}"),
        format!("x,y,v\n{plain}"),
        format!("\u{feff}x,y,v\n\n{}", plain.replace('\n', "\r\n")),
        format!("x;y;v\n;;\n{}\n;;\n", plain.replace(',', ";")),
        format!("x\ty\tv\r{}", plain.replace('\n', "\r").replace(',', "\t")),
        plain.trim_end().to_owned(),
        format!("x,y,v\n{plain}\"é\n\",ü,5\n"),
        format!("x,y,v\n{}", "\u{feff}k,\"a\",11\n".repeat(299)),
        format!("x\n{},,\n{}", "k1\nk2\n".repeat(150), "k3\n".repeat(20)),
    ];
    for text in &texts {
        let whole = rows(text, 1 << 30, &data).unwrap();
        assert!(whole.len() >= 299, "{}", whole.len());
        for block in [16, 17, 64, 1000, 4096] {
            assert_eq!(rows(text, block, &data).unwrap(), whole, "{block} {:?}", &text[..30]);
        }
    }
}

#[test]
fn faults_have_their_line_in_any_block() {
    let data = Data::default();
    let plain = (0..300).map(|i| format!("{i},k,{}\n", i * 7)).collect::<String>();
    for (bad, what) in [
        ("1,2,3,4\n", "4 fields, 3 expected"),
        ("5,\"k,3\n4,5,6\n", "never closed"),
        ("1,\0,2\n", "NUL byte"),
    ] {
        let text = format!("x,y,v\n{plain}{bad}{}", if bad.contains('"') { "" } else { &plain });
        let whole = rows(&text, 1 << 30, &data).unwrap_err();
        assert!(whole.what.contains(what), "{whole}");
        for block in [64, 1000] {
            assert_eq!(rows(&text, block, &data).unwrap_err(), whole);
        }
    }
    let e = rows(&format!("x,y\n{}", "1".repeat(12 << 20)), 64, &data).unwrap_err();
    assert_eq!((e.kind, e.what.as_str()), (ErrorKind::Limit, "no row ends within 8388608 bytes"));
}

fn cells(text: &str) -> Vec<Vec<String>> {
    texts(&open(text, 1 << 30, &Data::default()).unwrap()).unwrap()
}

#[test]
fn blank_lines_and_blank_rows_are_skipped() {
    let want = [["1", "2"], ["3", "4"]];
    for text in [
        "a,b\n\n1,2\n\n3,4\n\n",
        "a,b\n1,2\n,\n3,4\n,",
        "a,b\r\n1,2\r\n \r\n3,4".replace(" \r\n", "\r\n").as_str(),
    ] {
        assert_eq!(cells(text), want, "{text:?}");
    }
    assert_eq!(cells("a\n\"\"\n1\n"), [[""], ["1"]]);
}

#[test]
fn the_delimiter_and_missing_texts_can_be_given() {
    let data =
        Data { delimiter: Some("space".into()), missing: Some(List(vec!["?".into()])), ..Data::default() };
    let table = open("a b\n1 ?\n", 1 << 20, &data).unwrap();
    let missing = &table.schema().missing;
    let mut part = table.parts().next().unwrap().unwrap();
    let batch = part.next(&[0, 1]).unwrap().unwrap();
    assert_eq!(
        [0, 1].map(|c| batch.columns[c].field(0, missing)),
        [Field::Number(Number::I64(1)), Field::Missing]
    );
}

/// A table of labels and numbers as people write it: with comments, blanks, R's header, delimiters at the ends of lines, and rows that
/// end early. Its header, its rows, and its text.
fn as_people_write(random: &mut Random) -> (Vec<String>, Vec<Vec<String>>, String, u64) {
    let (columns, rows) = (2 + random.below(4usize), 2 + random.below(60usize));
    let blanks = random.below(3) == 0;
    let delimiter = if blanks { " " } else { [",", ";", "\t"][random.below(3usize)] };
    let without_corner = random.below(4) == 0;
    let trailing = !blanks && random.below(4) == 0;
    let corner = if without_corner { String::new() } else { "id".to_owned() };
    let mut header = vec![corner];
    header.extend((0..columns).map(|c| format!("h{c}")));
    let mut text = String::new();
    let comment = |random: &mut Random, text: &mut String| {
        (0..random.below(3)).for_each(|i| text.push_str(&format!("# it's note {i}, a \"b; 1\t2\n")));
    };
    comment(random, &mut text);
    let join = |cells: &[String], random: &mut Random| {
        let mut line = if blanks && random.below(2) == 0 { "  ".to_owned() } else { String::new() };
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                line.push_str(&if blanks {
                    " ".repeat(1 + random.below(4usize))
                } else {
                    delimiter.to_owned()
                });
            }
            line.push_str(cell);
        }
        if trailing {
            line.push_str(delimiter);
        }
        line + "\n"
    };
    text += &join(if without_corner { &header[1..] } else { &header }, random);
    let (mut body, mut short) = (Vec::new(), 0);
    for row in 0..rows {
        let mut cells = vec![format!("r{row}")];
        cells.extend((0..columns).map(|_| format!("{}.{}", random.below(900), random.below(90))));
        let mut line = cells.clone();
        // The first rows show the columns.
        if row > 3 && !trailing && random.below(8) == 0 {
            let left = 2 + random.below(columns - 1);
            line.truncate(left);
            cells[left..].iter_mut().for_each(String::clear);
            short += u64::from(left < cells.len());
        }
        text += &join(&line, random);
        body.push(cells);
        if random.below(5) == 0 {
            comment(random, &mut text);
        }
        if random.below(9) == 0 {
            text.push('\n');
        }
    }
    (header, body, text, short)
}

#[test]
fn tables_are_read_as_people_write_them() {
    let mut random = Random(32);
    for case in 0..cases(300) {
        let (header, body, text, short) = as_people_write(&mut random);
        for block in [1 << 30, 64, 700] {
            let table =
                open(&text, block, &Data::default()).unwrap_or_else(|e| panic!("case {case}: {e} in {text}"));
            let read: Vec<Vec<String>> =
                rows(&text, block, &Data::default()).unwrap().into_iter().map(|r| r.1).collect();
            let width = table.schema().width();
            assert!((header.len()..=header.len() + 1).contains(&width), "case {case}: {text}");
            let headers = &table.schema().headers[..header.len()];
            assert_eq!((headers, read.len()), (&header[..], body.len()), "case {case}, {block}: {text}");
            for (own, wanted) in read.iter().zip(&body) {
                assert_eq!(own[..header.len()], wanted[..], "case {case}, {block}: {text}");
            }
            let columns: Vec<usize> = (0..table.schema().width()).collect();
            for part in table.parts() {
                part.unwrap().next(&columns).unwrap();
            }
            let odd = table.schema().noticed.all();
            assert_eq!(
                (odd.short, odd.comments),
                (short, text.matches("# it").count() as u64),
                "case {case}: {text}"
            );
        }
    }
}

#[test]
fn headers_of_several_lines_nest() {
    let of = |text: &str, header: Option<&str>| {
        let data = Data { header: header.map(|h| h.parse().unwrap()), ..Data::default() };
        let table = open(text, 1 << 20, &data).unwrap();
        let schema = table.schema().clone();
        let levels: Vec<String> = schema.levels.iter().map(|level| level.join("|")).collect();
        (levels, schema.level_names, schema.headers[0].clone(), rows(text, 1 << 20, &data).unwrap().len())
    };
    let pandas = "lr,0.1,0.1,0.2\nseed,1,2,1\nbatch,,,\n16,1.5,2,3\n32,4,5,6\n";
    assert_eq!(
        of(pandas, None),
        (
            vec!["lr|0.1|0.1|0.2".into(), "seed|1|2|1".into()],
            vec!["lr".into(), "seed".into()],
            "batch".into(),
            2
        )
    );
    let plain = of(",a,a,b\n,f1,f2,f1\nx,1,2,3\n", None);
    assert_eq!((plain.0[1].as_str(), plain.3), ("|f1|f2|f1", 1));
    let merged = of("p,Up,,Low,\n,d,w,d,w\nn,1,2,3,4\n", Some("2"));
    assert_eq!((merged.0[0].as_str(), merged.2.as_str()), ("p|Up|Up|Low|Low", "p"));
    let units = of("t,temp,flow\nh,K,m/s\n1,2.5,3\n2,3.5,4\n", None);
    assert!(units.0.is_empty() && units.3 == 2);
    // A row of few values is no line of names.
    assert_eq!(of("crop,a,b\nrye,3,4\noat,,\nwheat,1,2\n", None).3, 3);
}
