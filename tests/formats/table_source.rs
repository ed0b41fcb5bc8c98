//! Tables of the caller's own: a source that can be read once gives what a CSV file of the same rows gives.

use gridscope::Lints;
use gridscope::figure::{Agg, Data, Figure, List, TableKind};
use gridscope::input::{
    Batch, Budget, Cells, ColumnValues, ErrorKind, InputError, Loaded, Part, Parts, Places, ReadOptions,
    Reads, Schema, TableSource, load_tables, open_bytes,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of a part, so that each table has several.
const PART: usize = 3;

/// A table that can be read once, as a pipe can: a second read is an error.
struct Once {
    schema: Schema,
    parts: Mutex<Option<Vec<Rows>>>,
    reads: &'static AtomicUsize,
}

/// Some rows of it.
struct Rows {
    schema: Schema,
    first: u64,
    columns: Vec<(ColumnValues, Vec<bool>)>,
    given: bool,
}

impl TableSource for Once {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        match self.parts.lock().unwrap().take() {
            Some(parts) => Box::new(parts.into_iter().map(|p| Ok(Box::new(p) as Box<dyn Part>))),
            None => Box::new(std::iter::once(Err(InputError::refused("once", "", "read twice")))),
        }
    }

    fn reads(&self) -> Reads {
        Reads::Once
    }
}

impl Part for Rows {
    fn next(&mut self, columns: &[usize]) -> Result<Option<Batch<'_>>, InputError> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let cells = |c: &usize| Cells::Typed {
            cells: &self.columns[*c].0,
            valid: Some(&self.columns[*c].1),
            from: 0,
        };
        Ok(Some(Batch {
            rows: self.columns[0].1.len(),
            columns: columns.iter().map(cells).collect(),
            places: Places { schema: &self.schema, first: self.first, each: None },
        }))
    }
}

/// The rows of a CSV text as a source that can be read once: a column of numbers is one of f64, any other one of texts.
fn once(text: &str, data: &Data, reads: &'static AtomicUsize) -> Box<dyn TableSource> {
    let mut lines = text.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let headers: Vec<String> = lines.next().unwrap().into_iter().map(str::to_owned).collect();
    let rows: Vec<Vec<&str>> = lines.collect();
    let number = |t: &str| t.is_empty() || t.parse::<f64>().is_ok();
    let numbers: Vec<bool> = (0..headers.len()).map(|c| rows.iter().all(|r| number(r[c]))).collect();
    let schema = Schema::typed("once", headers, data, &mut Lints::default());
    let column = |rows: &[Vec<&str>], c: usize| {
        let valid: Vec<bool> = rows.iter().map(|r| !r[c].is_empty()).collect();
        let cells = if numbers[c] {
            ColumnValues::F64(rows.iter().map(|r| r[c].parse().unwrap_or(-1e9)).collect())
        } else {
            ColumnValues::Texts {
                codes: (0..rows.len() as u32).collect(),
                texts: rows.iter().map(|r| r[c].to_owned()).collect(),
            }
        };
        (cells, valid)
    };
    let part = |(i, rows): (usize, &[Vec<&str>])| Rows {
        schema: schema.clone(),
        first: (1 + i * PART) as u64,
        columns: (0..schema.width()).map(|c| column(rows, c)).collect(),
        given: false,
    };
    let parts = rows.chunks(PART).enumerate().map(part).collect();
    Box::new(Once { parts: Mutex::new(Some(parts)), schema, reads })
}

fn counter() -> &'static AtomicUsize {
    Box::leak(Box::new(AtomicUsize::new(0)))
}

/// The grids of a text by way of a source that is read once, and how often it was read.
fn by_once(text: &str, figure: &Figure, budget: u64) -> (Result<Loaded, InputError>, usize) {
    let reads = counter();
    let source = once(text, &figure.data, reads);
    let loaded = load_tables(vec![source], figure, &ReadOptions::default(), &Budget::new(budget));
    (loaded, reads.load(Ordering::Relaxed))
}

fn by_text(text: &str, figure: &Figure) -> Result<Loaded, InputError> {
    open_bytes(text.into(), "once", figure, &ReadOptions::default(), 1 << 30)
}

/// Names, axes and cells of all grids.
fn shown(loaded: &Loaded) -> Vec<String> {
    let grid = |g: &gridscope::grid::Grid| {
        let cells = (0..g.height()).flat_map(|r| (0..g.width()).map(move |c| (r, c)));
        let cells: Vec<String> = cells
            .map(|(r, c)| {
                let cell = g.at(r, c);
                cell.state().map_or_else(|| cell.as_f64().to_string(), |s| format!("{s:?}"))
            })
            .collect();
        format!("{} {} {:?} {:?} {cells:?}", g.name(), g.value_name(), g.rows().levels, g.columns().levels)
    };
    loaded.grids.iter().map(grid).collect()
}

fn figure(edit: impl Fn(&mut Data)) -> Figure {
    let mut figure = Figure::default();
    edit(&mut figure.data);
    figure
}

fn list(text: &str) -> Option<List> {
    Some(List::from_flag(text))
}

const TIDY: &str =
    "model,size,seed,score\na,1.5,1,0.25\na,1.5,2,0.75\nb,1.5,1,\nb,3.5,1,2\na,3.5,1,4\nc,3.5,7,8\n";
const NOTED: &str = "model,size,note,score\na,1.5,p,0.25\na,1.5,q,0.75\nb,1.5,p,\nb,3.5,r,2\nc,3.5,p,8\n";
const WIDE: &str = "model,r1,r2,r3\na,1,2.5,3\nb,4,,6\nc,7,8,-9.5\nd,0,1,2\n";
const MATRIX: &str = "v1,v2\n1,2\n3,4.5\n5,\n7,8\n";

/// A figure of size against model, further edited.
fn tidy(edit: impl Fn(&mut Data)) -> Figure {
    let mut figure = figure(edit);
    (figure.data.x, figure.data.y) = (list("size"), list("model"));
    figure
}

#[test]
fn a_source_that_is_read_once_gives_the_grids_of_its_text() {
    let scored = |edit: &dyn Fn(&mut Data)| {
        tidy(|d| {
            d.value = list("score");
            edit(d);
        })
    };
    let of = |kind| move |d: &mut Data| d.table = Some(kind);
    let figures = [
        (TIDY, scored(&|_| ())),
        (TIDY, scored(&|d| d.value = list("score,seed"))),
        (TIDY, scored(&|d| d.filter = list("seed < 5"))),
        (TIDY, scored(&|d| d.filter = Some(List(vec!["model in a,b".into()])))),
        (TIDY, scored(&|d| d.panel = Some("model".into()))),
        (TIDY, tidy(|d| d.agg = Some(Agg::Count))),
        (NOTED, tidy(|_| ())),
        (NOTED, tidy(|d| d.filter = list("note != q"))),
        (WIDE, figure(|_| ())),
        (WIDE, figure(of(TableKind::Wide))),
        (WIDE, figure(|d| d.transpose = Some(true))),
        (WIDE, figure(|d| d.filter = list("r1 > 0"))),
        (MATRIX, figure(|_| ())),
        (MATRIX, figure(of(TableKind::Matrix))),
        (MATRIX, figure(|d| d.nodata = Some(8.0))),
    ];
    for (text, figure) in figures {
        let (once, reads) = by_once(text, &figure, 1 << 30);
        let once = once.unwrap_or_else(|e| panic!("{:?}: {e}", figure.data));
        let read = by_text(text, &figure).unwrap();
        assert_eq!(shown(&once), shown(&read), "{:?}", figure.data);
        assert_eq!(reads, 1, "{:?}", figure.data);
    }
}

#[test]
fn refusals_are_those_of_the_text() {
    for (text, figure, what) in [
        (TIDY, tidy(|_| ()), "which column is --value? seed, score"),
        (TIDY, Figure::default(), "neither a wide table nor a matrix"),
        ("k\na\nb\n", figure(|d| d.x = list("k")), "a tidy table needs --x and --y"),
    ] {
        let (once, reads) = by_once(text, &figure, 1 << 30);
        let (once, read) = (once.unwrap_err(), by_text(text, &figure).unwrap_err());
        assert!(once.what.contains(what), "{once}");
        assert_eq!((reads, once.kind, &once.hint), (1, read.kind, &read.hint), "{once}");
    }
    let wide = figure(|d| d.table = Some(TableKind::Wide));
    let text = "k,v\na,1\nb,2\nc,3\nd,x\n";
    let e = by_once(text, &wide, 1 << 30).0.unwrap_err();
    assert_eq!(e.place.row, Some(4), "{e}");
}

#[test]
fn rows_that_do_not_fit_are_refused_by_the_budget() {
    let rows: String = (0..20_000).map(|i| format!("{i},{},{}\n", i % 7, i % 11)).collect();
    let text = format!("x,y,v\n{rows}");
    let e = by_once(&text, &Figure::default(), 100_000).0.unwrap_err();
    assert_eq!(e.kind, ErrorKind::Limit, "{e}");
    assert!(e.what.contains("read once"), "{e}");
    // What needs one pass holds no rows.
    let count = figure(|d| (d.x, d.y, d.agg) = (list("y"), list("v"), Some(Agg::Count)));
    assert_eq!(by_once(&text, &count, 1 << 21).0.unwrap().grids[0].width(), 7);
}
