//! Outside CSV files: read as they should be, or refused with the reason. The folder is named by `GRIDSCOPE_CORPUS`.

use crate::support::corpus::{corpus, files};
use crate::support::table::tidy;
use gridscope::figure::{Data, Figure, Header, List, TableKind};
use gridscope::grid::{Cell, Grid, State};
use gridscope::input::{
    Budget, CsvTable, ErrorKind, InputError, Loaded, ReadOptions, Schema, TableSource, open_bytes, read_file,
    usual_limit,
};
use gridscope::{LintName, Lints};
use std::path::Path;

/// The bytes of a file, and its name.
fn bytes(path: &Path) -> Result<(Vec<u8>, String), InputError> {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    Ok((read_file(path, 1 << 28)?, file))
}

fn load(path: &Path, figure: &Figure) -> Result<Loaded, InputError> {
    let (bytes, file) = bytes(path)?;
    open_bytes(bytes, &file, figure, &ReadOptions::default(), usual_limit())
}

/// A table as texts.
#[derive(Debug)]
struct Records {
    schema: Schema,
    rows: Vec<Vec<String>>,
}

fn records(path: &Path) -> Result<Records, InputError> {
    let (bytes, file) = bytes(path)?;
    let mut lints = Lints::default();
    let table = CsvTable::read(bytes, &file, &Data::default(), &mut lints, &Budget::usual())?;
    let columns: Vec<usize> = (0..table.schema().width()).collect();
    let mut rows = Vec::new();
    for part in table.parts() {
        let mut part = part?;
        while let Some(batch) = part.next(&columns)? {
            let row = |row| batch.columns.iter().map(|c| c.text(row).into_owned()).collect();
            rows.extend((0..batch.rows).map(row));
        }
    }
    let schema = table.schema().clone();
    Ok(Records { schema, rows })
}

fn number(grid: &Grid, row: usize, column: usize) -> f64 {
    grid.at(row, column).as_f64()
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn spectrum_cells_equal_their_json() {
    let corpus = corpus();
    let mut checked = 0;
    for entry in std::fs::read_dir(corpus.join("csv/spectrum/csvs")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let read = records(&path);
        let json = std::fs::read(corpus.join(format!("csv/spectrum/json/{stem}.json"))).unwrap();
        let Ok(json) = String::from_utf8(json) else {
            assert!(read.unwrap_err().what.contains("not UTF-8"), "{stem}");
            continue;
        };
        // This copy of the corpus has LF where the originals have CRLF inside quotes.
        // The phone number of location_coordinates.json is not that of its CSV.
        let json = json.replace("\\r\\n", "\\n").replace("1234567890", "2095257564");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let rows = json.as_array().cloned().unwrap_or_else(|| vec![json]);
        let read = read.unwrap();
        assert_eq!(read.rows.len(), rows.len(), "{stem}");
        for (r, row) in rows.iter().enumerate() {
            let row = row.as_object().unwrap();
            assert_eq!(read.schema.headers, row.keys().cloned().collect::<Vec<_>>(), "{stem}");
            let cells: Vec<String> = read.rows[r].iter().map(|t| t.replace("\r\n", "\n")).collect();
            assert_eq!(
                cells,
                row.values().map(|v| v.as_str().unwrap().to_owned()).collect::<Vec<_>>(),
                "{stem}"
            );
        }
        checked += 1;
    }
    assert!(checked >= 11, "{checked} files");
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn needle_means_equal_those_of_pandas() {
    let corpus = corpus();
    let mut figure = tidy("context_length", "depth_percent", "score");
    figure.data.blank_key = Some("drop".to_owned());
    let loaded = load(&corpus.join("sweeps/needle/needle_tidy.csv"), &figure).unwrap();
    let expected =
        load(&corpus.join("sweeps/expected/needle_depth_x_length_mean.csv"), &Figure::default()).unwrap();
    let (got, want) = (&loaded.grids[0], &expected.grids[0]);
    assert!(expected.summary.contains("wide table"), "{}", expected.summary);
    assert_eq!((got.height(), got.width()), (want.height(), want.width()));
    assert_eq!(got.columns().coords, want.columns().coords);
    for r in 0..got.height() {
        assert!((got.rows().center(r).unwrap() - want.rows().center(r).unwrap()).abs() < 1e-9);
        for c in 0..got.width() {
            let (a, b) = (number(got, r, c), number(want, r, c));
            assert!((a - b).abs() <= 1e-12 * b.abs() || (a.is_nan() && b.is_nan()), "{r} {c}: {a}, not {b}");
        }
    }
    let duplicates = loaded.lints.0.iter().find(|l| l.name == LintName::DuplicateKeys).unwrap();
    assert!(duplicates.text.contains("differ in version"), "{}", duplicates.text);
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn cases_with_one_right_answer() {
    let corpus = corpus();
    let csv = corpus.join("csv");
    let at = |name: &str| csv.join(name);
    let plain = Figure::default();
    let of = |name: &str| load(&at(name), &plain);
    let refused = |name: &str| of(name).map(|l| l.summary).unwrap_err();

    assert_eq!(records(&at("frictionless/bom.csv")).unwrap().schema.headers[0], "id");
    let matrix = of("frictionless/matrix.csv").unwrap();
    assert_eq!(
        (matrix.grids[0].height(), matrix.grids[0].width(), number(&matrix.grids[0], 3, 3)),
        (4, 4, 44.0)
    );
    let volcano = load(&corpus.join("grids/plotly/volcano.csv"), &plain).unwrap();
    assert_eq!((volcano.grids[0].height(), volcano.grids[0].width()), (87, 61));
    // Names in a comment.
    let commented = of("frictionless/matrix-with-comment.csv").unwrap();
    assert_eq!((commented.grids[0].height(), commented.dialects[0].comments), (4, 1));
    for name in ["frictionless/latin1.csv", "rust-csv/uspop-latin1.csv"] {
        let e = refused(name);
        assert!(e.place.byte.is_some() && e.what.contains("UTF-8"), "{name}: {e}");
    }
    for (name, line) in
        [("frictionless/defective-rows.csv", "line 3"), ("frictionless/invalid.csv", "line 5")]
    {
        let e = refused(name);
        assert!(e.place.to_string() == line && e.what.contains("expected"), "{name}: {e}");
    }
    assert!(
        records(&at("frictionless/duplicate-headers.csv"))
            .unwrap()
            .schema
            .column("id")
            .unwrap_err()
            .what
            .contains("3 columns are named")
    );
    assert_eq!(records(&at("frictionless/blank-headers.csv")).unwrap().schema.headers[1], "column 2");
    assert_eq!(records(&at("frictionless/blank-rows-multiple.csv")).unwrap().rows.len(), 2);
    assert_eq!(records(&at("frictionless/blank-rows-no-fields.csv")).unwrap().rows.len(), 2);
    for name in ["frictionless/issue-1009-semicolon.csv", "frictionless/delimiter.csv"] {
        assert_eq!(records(&at(name)).unwrap().schema.width(), 2, "{name}");
    }
    assert_eq!(refused("rust-csv/smallpop-colon.csv").hint.unwrap(), "did you mean --delimiter :?");
    assert!(refused("frictionless/empty.csv").what.contains("no data rows"));
    assert!(refused("frictionless/chunk1.csv.zip").what.contains("zip archive"));
    let truth = of("frictionless/numeric-labels.csv").unwrap();
    assert_eq!((number(&truth.grids[0], 0, 0), number(&truth.grids[0], 0, 2)), (1.0, 0.0));
    let missing = Some(List(vec!["95%".into(), "$4.00".into()]));
    let forced = Figure {
        data: Data { table: Some(TableKind::Matrix), missing, ..Data::default() },
        ..Figure::default()
    };
    let numbers = load(&at("frictionless/number_number-test.csv"), &forced).unwrap();
    let g = &numbers.grids[0];
    assert_eq!(
        (g.at(0, 0), number(g, 1, 0), number(g, 2, 0)),
        (Cell::Empty(State::Nan), f64::INFINITY, f64::NEG_INFINITY)
    );
    assert_eq!((number(g, 10, 0), g.at(8, 0)), (-0.02, Cell::Empty(State::Nan)));
    let cities = load(&at("rust-csv/uspop-null.csv"), &tidy("State", "City", "Population")).unwrap();
    assert!(cities.grids[0].stats().states[State::Nan.index()] > 0);
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn every_file_is_read_or_refused() {
    let corpus = corpus();
    let mut files = files(&corpus);
    files.retain(|p| p.extension().is_some_and(|e| e == "csv" || e == "tsv"));
    assert!(files.len() > 40, "{} files", files.len());
    let data = |d: Data| Figure { data: d, ..Figure::default() };
    let mut figures = vec![Figure::default(), data(Data { header: Some(Header::None), ..Data::default() })];
    for kind in [TableKind::Matrix, TableKind::Wide, TableKind::Tidy] {
        figures.push(data(Data { table: Some(kind), ..Data::default() }));
    }
    for d in [",", ";", "tab", "space"] {
        figures.push(data(Data { delimiter: Some(d.into()), ..Data::default() }));
    }
    for path in &files {
        let mut tried = figures.clone();
        if let Ok(r) = records(path) {
            let n = r.schema.width();
            let name = |i: usize| Some(List(vec![format!("column {}", i + 1)]));
            for i in 0..n.min(4) {
                let d =
                    Data { x: name(i), y: name((i + 1) % n), value: name((i + 2) % n), ..Data::default() };
                tried.push(data(d.clone()));
                tried.push(data(Data { agg: Some(gridscope::figure::Agg::Count), value: None, ..d }));
            }
        }
        for figure in tried {
            if let Err(e) = load(path, &figure) {
                assert!(!e.to_string().contains('\n') && !e.what.is_empty(), "{e}");
                assert!(e.kind != ErrorKind::Limit, "{e}");
            }
        }
    }
}
