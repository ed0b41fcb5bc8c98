//! Workbooks: sheets are tables, whatever is around them.

use crate::support::place::Place;
use crate::support::random::{Random, cases};
use std::io::Write;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A workbook of two sheets by their parts; the second style is that of dates.
fn workbook(sheets: [&str; 2]) -> Vec<u8> {
    let package = "http://schemas.openxmlformats.org/package/2006";
    let relation = |id: u8, kind: &str, target: &str| {
        format!("<Relationship Id=\"r{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |all: &[String]| {
        format!("{HEAD}<Relationships xmlns=\"{package}/relationships\">{}</Relationships>", all.concat())
    };
    let sheet = |parts: &str| format!("{HEAD}<worksheet xmlns=\"{MAIN}\">{parts}</worksheet>");
    let names = ["first", "other"].iter().zip(1..);
    let names: String =
        names.map(|(name, n)| format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"r{n}\"/>")).collect();
    archive(&[
        ("[Content_Types].xml", format!("{HEAD}<Types xmlns=\"{package}/content-types\"></Types>")),
        ("_rels/.rels", relations(&[relation(1, "officeDocument", "xl/workbook.xml")])),
        (
            "xl/workbook.xml",
            format!(
                "{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{names}</sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[
                relation(1, "worksheet", "worksheets/sheet1.xml"),
                relation(2, "worksheet", "worksheets/sheet2.xml"),
                relation(3, "styles", "styles.xml"),
            ]),
        ),
        (
            "xl/styles.xml",
            format!(
                "{HEAD}<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", sheet(sheets[0])),
        ("xl/worksheets/sheet2.xml", sheet(sheets[1])),
    ])
}

/// A sheet of rows whose cells are at these places, texts or numbers.
fn cells(all: &[(&str, &str)]) -> String {
    let row = |at: &str| at.trim_start_matches(char::is_alphabetic).parse::<usize>().unwrap();
    let mut rows = String::new();
    for group in all.chunk_by(|a, b| row(a.0) == row(b.0)) {
        let of = |(at, content): &(&str, &str)| match content.parse::<f64>() {
            Ok(number) => format!("<c r=\"{at}\"><v>{number}</v></c>"),
            Err(_) => format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{content}</t></is></c>"),
        };
        rows += &format!("<row r=\"{}\">{}</row>", row(group[0].0), group.iter().map(of).collect::<String>());
    }
    format!("<sheetData>{rows}</sheetData>")
}

fn exported(place: &Place, args: &str) -> String {
    place.ends(0, &format!("export {args} -o - --quiet")).text()
}

#[test]
fn sheets_are_tables() {
    let dated = "<sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>day</t></is></c><c r=\"B1\" t=\"inlineStr\"><is><t>a</t></is></c></row>\
        <row r=\"2\"><c r=\"A2\" s=\"1\"><v>45322</v></c><c r=\"B2\"><f>1+0.5</f><v>1.5</v></c></row></sheetData>";
    let other = cells(&[("A1", "k"), ("B1", "v"), ("A2", "x"), ("B2", "2")]);
    let book = workbook([dated, &other]);
    let place = Place::new(&[("book.xlsx", &book[..]), ("cut.xlsx", &book[..400])]);
    assert_eq!(exported(&place, "book.xlsx"), "day,a\n2024-01-31,1.5\n");
    assert_eq!(exported(&place, "book.xlsx --sheet other"), "k,v\nx,2\n");
    let ran = place.ends(2, "export book.xlsx --sheet othr -o -");
    assert!(ran.err.contains("did you mean 'other'?"), "{}", ran.err);
    place.ends(3, "export cut.xlsx -o -");
}

#[test]
fn sheets_that_fit_a_pattern_are_a_panel_each() {
    let sheet = |n: u32| {
        let (a, b) = (n.to_string(), (n + 1).to_string());
        cells(&[
            ("A1", "k"),
            ("B1", "v"),
            ("C1", "w"),
            ("A2", "x"),
            ("B2", &a),
            ("C2", &b),
            ("A3", "y"),
            ("B3", &b),
            ("C3", &a),
        ])
    };
    let grouped =
        cells(&[("B1", "Rep"), ("B2", "Low"), ("C2", "High"), ("A3", "x"), ("B3", "1.5"), ("C3", "2")]);
    let (first, second) = (sheet(1), sheet(5));
    let (two, rep) = (workbook([&first, &second]), workbook([&grouped, &first]));
    let place = Place::new(&[("book.xlsx", &two[..]), ("rep.xlsx", &rep[..])]);
    let hinted = place.ends(0, "render book.xlsx -o a.png").err;
    assert!(hinted.contains("hint: --sheet '*'"), "{hinted}");
    let report = place.ends(0, "info book.xlsx --sheet * --json").json();
    let panels: Vec<&str> =
        report["panels"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(panels.len(), 2, "{panels:?}");
    assert_eq!(panels[1], "other");
    // A group of names above the names is one of them where so many lines are asked for.
    assert_eq!(exported(&place, "rep.xlsx --header 2"), ",\"Rep, Low\",\"Rep, High\"\nx,1.5,2\n");
}

#[test]
fn tables_stand_anywhere_in_a_sheet_and_cells_may_be_merged() {
    // A title, blank columns before the table, and a last column without a name.
    let moved = cells(&[
        ("A1", "Results"),
        ("B3", "lr"),
        ("C3", "a"),
        ("B4", "0.1"),
        ("C4", "1"),
        ("D4", "5"),
        ("B5", "0.2"),
        ("C5", "2"),
        ("D5", "6"),
    ]);
    let merged = cells(&[
        ("A1", "model"),
        ("B1", "2023"),
        ("D1", "2024"),
        ("B2", "acc"),
        ("C2", "f1"),
        ("D2", "acc"),
        ("E2", "f1"),
        ("A3", "a"),
        ("B3", "1"),
        ("C3", "2"),
        ("D3", "3"),
        ("E3", "4"),
        ("A4", "b"),
        ("B4", "5"),
        ("C4", "6"),
        ("D4", "7"),
        ("E4", "8"),
    ]);
    let down = cells(&[
        ("A1", "model"),
        ("B1", "task"),
        ("C1", "acc"),
        ("A2", "a"),
        ("B2", "x"),
        ("C2", "1"),
        ("B3", "y"),
        ("C3", "2"),
        ("A4", "b"),
        ("B4", "x"),
        ("C4", "3"),
        ("B5", "y"),
        ("C5", "4"),
    ]) + "<mergeCells count=\"2\"><mergeCell ref=\"A2:A3\"/><mergeCell ref=\"A4:A5\"/></mergeCells>";
    let place = Place::new(&[("a.xlsx", workbook([&moved, &merged])), ("b.xlsx", workbook([&down, &down]))]);
    assert_eq!(exported(&place, "a.xlsx"), "lr,a,column 3\n0.1,1,5\n0.2,2,6\n");
    let said = place.ends(0, "info a.xlsx").text();
    assert!(said.contains("above the table: Results"), "{said}");
    assert_eq!(
        exported(&place, "a.xlsx --sheet other"),
        "model,\"2023, acc\",\"2023, f1\",\"2024, acc\",\"2024, f1\"\na,1,2,3,4\nb,5,6,7,8\n"
    );
    assert_eq!(exported(&place, "b.xlsx -x task -y model -z acc"), "model,x,y\na,1,2\nb,3,4\n");
}

#[test]
fn blank_rows_and_columns_part_the_tables_of_a_sheet() {
    let below = cells(&[
        ("A1", "one"),
        ("A2", "n"),
        ("B2", "a"),
        ("C2", "b"),
        ("A3", "x"),
        ("B3", "1"),
        ("C3", "2"),
        ("A5", "two"),
        ("A6", "n"),
        ("B6", "c"),
        ("A7", "y"),
        ("B7", "3"),
        ("A8", "z"),
        ("B8", "-"),
        ("A10", "remarks"),
    ]);
    let beside = cells(&[
        ("A1", "k"),
        ("B1", "v"),
        ("D1", "m"),
        ("E1", "w"),
        ("A2", "x"),
        ("B2", "1"),
        ("D2", "p"),
        ("E2", "3"),
        ("A3", "y"),
        ("B3", "2"),
        ("D3", "q"),
        ("E3", "4"),
    ]);
    let place = Place::new(&[("a.xlsx", workbook([&below, &beside]))]);
    let first = place.ends(0, "export a.xlsx -o -");
    // A table of one row is seldom what is to be seen.
    assert_eq!(first.text(), "n,c\ny,3\nz,NaN\n");
    assert!(first.err.contains("table 2 of 2 is drawn; hint: --table-number 1"), "{}", first.err);
    assert!(first.err.contains("sheet 'first' of 2 is drawn; hint: --sheet other"), "{}", first.err);
    assert_eq!(exported(&place, "a.xlsx --table-number 1"), "n,a,b\nx,1,2\n");
    assert_eq!(exported(&place, "a.xlsx --sheet other"), "k,v\nx,1\ny,2\n");
    assert_eq!(exported(&place, "a.xlsx --sheet other --table-number 2"), "m,w\np,3\nq,4\n");
    let ran = place.ends(2, "export a.xlsx --table-number 3 -o -");
    assert!(ran.err.contains("has 2 tables"), "{}", ran.err);
}

/// One to three tables below each other, some with a title, anywhere in a sheet: each is read by its number as it was written.
#[test]
fn tables_are_found_wherever_they_stand() {
    let mut random = Random(11);
    for case in 0..cases(25) {
        let (mut placed, mut wanted) = (Vec::new(), Vec::new());
        let (mut row, left) = (random.within(1, 3), random.below(3));
        let at = |column: usize, row: usize| format!("{}{row}", char::from(b'A' + column as u8));
        let tables = random.within(1, 3);
        for table in 0..tables {
            let (height, width) = (random.within(2, 5), random.within(1, 4));
            if random.chance(0.5) {
                placed.push((at(left, row), format!("Table {table}")));
                row += 1 + usize::from(random.chance(0.3));
            }
            let corner = random.pick(&["", "name"]);
            let names: Vec<String> = (0..width).map(|c| format!("v{table}{c}")).collect();
            let mut text = format!("{corner},{}\n", names.join(","));
            let named = std::iter::once(corner.to_owned()).chain(names);
            placed.extend(named.enumerate().map(|(c, name)| (at(left + c, row), name)));
            for line in 0..height {
                row += 1 + usize::from(line > 0 && random.chance(0.1));
                let label = format!("r{table}{line}");
                // Each row has a value.
                let values: Vec<String> = (0..width)
                    .map(|c| {
                        if c > 0 && random.chance(0.1) {
                            String::new()
                        } else {
                            format!("{}.5", random.below(90))
                        }
                    })
                    .collect();
                text += &format!("{label},{}\n", values.join(","));
                placed.push((at(left, row), label));
                placed.extend(values.into_iter().enumerate().map(|(c, v)| (at(left + 1 + c, row), v)));
            }
            wanted.push(text);
            row += random.within(2, 4);
        }
        let written: Vec<(&str, &str)> =
            placed.iter().filter(|(_, v)| !v.is_empty()).map(|(at, v)| (at.as_str(), v.as_str())).collect();
        let sheet = cells(&written);
        let place = Place::new(&[("a.xlsx", workbook([&sheet, &sheet]))]);
        for (number, text) in wanted.iter().enumerate() {
            let found = exported(&place, &format!("a.xlsx --table-number {}", number + 1));
            assert_eq!(found.replace("NaN", ""), *text, "case {case}");
        }
    }
}

#[test]
fn small_workbooks_do_not_take_the_memory() {
    let repeated = "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\"><table:table table:name=\"s\">\
        <table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell table:number-columns-repeated=\"16384\" \
        office:value=\"1\"/></table:table-row></table:table></office:document-content>";
    let deep = "<a>".repeat(100_000);
    // Signs of tags in attributes and texts are none.
    let hidden = "<a x=\"/>\"><![CDATA[</a>]]><!--</a>-->".repeat(100_000);
    let wide: Vec<String> = (1..8_000).map(|row| format!("XFD{row}")).collect();
    let wide = cells(&wide.iter().map(|at| (at.as_str(), "1")).collect::<Vec<_>>());
    let place = Place::new(&[
        ("repeated.ods", archive(&[("content.xml", repeated.to_owned())])),
        ("deep.xlsx", workbook([&deep, &deep])),
        ("hidden.xlsx", workbook([&hidden, &hidden])),
        ("deep.ods", archive(&[("content.xml", deep.clone())])),
        ("wide.xlsx", workbook([&wide, &wide])),
    ]);
    assert!(place.ends(7, "info repeated.ods").err.contains("its sheet becomes more than"));
    assert!(place.ends(3, "info deep.xlsx").err.contains("levels deep"));
    assert!(place.ends(3, "info hidden.xlsx").err.contains("levels deep"));
    place.ends(3, "info deep.ods");
    assert!(place.ends(7, "info wide.xlsx").err.contains("its sheet becomes more than"));
}
