//! Tidy tables, from their text to their grids: which rows fall into a cell, and what they give.

mod facets;
mod layout;

use super::*;
use crate::format::csv::CsvTable;
use gridscope_core::figure::{Data, List, Order, OrderWord, Strip, StripAxis};
use gridscope_core::grid::{AxisKind, Cell, Grid, Number, State};
use gridscope_core::lint::LintName;

fn list(text: &str) -> Option<List> {
    Some(List::from_flag(text))
}

fn figure(x: &str, y: &str, value: &str) -> Figure {
    Figure {
        data: Data { x: list(x), y: list(y), value: list(value), ..Data::default() },
        ..Figure::default()
    }
}

fn read_with(text: &str, figure: &Figure, needs: &ReadOptions) -> Result<Loaded, InputError> {
    let budget = Budget::new(1 << 30);
    let mut lints = Lints::default();
    let table = CsvTable::read(text.into(), "t.csv", &figure.data, &mut lints, &budget)?;
    let schema = table.schema();
    let columns = |l: &Option<List>| {
        l.iter().flat_map(|l| &l.0).map(|c| schema.column(c)).collect::<Result<Vec<_>, _>>()
    };
    let panel = figure.data.panel_names().map(|p| schema.column(p));
    let panel = panel.collect::<Result<Vec<_>, _>>()?;
    let roles = Roles {
        x: columns(&figure.data.x)?,
        y: columns(&figure.data.y)?,
        values: columns(&figure.data.value)?,
        panel,
    };
    read_tidy(&[&table], schema, &roles, figure, needs, &budget)
}

fn read(text: &str, figure: &Figure) -> Loaded {
    read_with(text, figure, &ReadOptions::default()).unwrap()
}

/// The grid as text: `.` absent, `nan`, `m` masked, `p` pending.
fn drawn(g: &Grid) -> String {
    let cell = |r, c| match g.at(r, c) {
        Cell::Value(n) => n.to_string(),
        Cell::Empty(State::Absent) => ".".into(),
        Cell::Empty(State::Nan) => "nan".into(),
        Cell::Empty(State::Masked) => "m".into(),
        Cell::Empty(State::Pending) => "p".into(),
        Cell::Empty(State::Appeared | State::Vanished) => panic!("no reader compares"),
    };
    (0..g.height())
        .map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("; ")
}

fn lint(l: &Loaded, name: LintName) -> Option<(u64, String)> {
    l.lints.0.iter().find(|l| l.name == name).map(|l| (l.count, l.text.clone()))
}

#[test]
fn rows_become_cells_in_the_order_of_their_keys() {
    let l = read("x,y,v\n10,b,1\n9,a,2\n10,a,\n8,c,inf\n", &figure("x", "y", "v"));
    let g = &l.grids[0];
    assert_eq!(drawn(g), ". . 1; . 2 nan; inf . .");
    assert_eq!(
        (g.columns().kind, g.rows().kind, g.value_name()),
        (AxisKind::Number, AxisKind::Category, "v")
    );
    assert_eq!((g.rows().levels[0].join(""), g.rows().name.as_str()), ("bac".into(), "y"));
    assert_eq!(l.summary, "t.csv: tidy table, 4 rows: x = x, y = y, value = v");
}

#[test]
fn whole_numbers_stay_exact_and_means_do_not_truncate() {
    let big = "x,y,v\n1,1,9007199254740993\n2,1,18446744073709551615\n";
    assert_eq!(read(big, &figure("x", "y", "v")).grids[0].at(0, 1), Cell::Value(Number::U64(u64::MAX)));
    assert_eq!(drawn(&read("x,y,v\n1,1,1\n1,1,2\n2,1,4\n", &figure("x", "y", "v")).grids[0]), "1.5 4");
}

#[test]
fn merged_rows_are_told_unless_asked_for() {
    let text = "x,y,seed,v,bs\n1,1,0,1,4\n1,1,1,2,4\n2,1,0,3,4\n2,1,1,3,8\n2,1,2,3,8\n";
    let mut f = figure("x", "y", "v");
    let l = read(text, &f);
    let want = "5 rows on 2 cells (2-3 each) differ in seed, bs; shown: mean";
    assert_eq!(lint(&l, LintName::DuplicateKeys), Some((5, want.into())));
    f.data.agg = Some(Agg::Max);
    let l = read(text, &f);
    assert_eq!((lint(&l, LintName::DuplicateKeys), drawn(&l.grids[0])), (None, "2 3".into()));
    let l = read("x,y,v\n1,1,1\n1,1,1\n", &figure("x", "y", "v"));
    assert_eq!(
        lint(&l, LintName::DuplicateKeys).unwrap().1,
        "2 rows on 1 cell (2 each) are repeated; shown: mean"
    );
}

#[test]
fn keys_that_never_meet_are_counted_as_0() {
    let mut f = figure("x", "y", "v");
    f.data.agg = Some(Agg::Count);
    assert_eq!(drawn(&read("x,y,v\n1,1,5\n1,1,\n2,1,\n2,2,1\n", &f).grids[0]), "1 0; 0 1");
    f.data.value = None;
    assert_eq!(drawn(&read("x,y\n1,1\n1,1\n2,2\n", &f).grids[0]), "2 0; 0 1");
    // A key of the domain that no row has stays without data.
    f.x.domain = list("1:3");
    assert_eq!(drawn(&read("x,y\n1,1\n1,1\n2,2\n", &f).grids[0]), "2 0 .; 0 1 .");
    f.x.order = Some(Order::Word(OrderWord::Value));
    f.x.domain = None;
    assert_eq!(drawn(&read("x,y\n1,1\n2,1\n2,2\n2,3\n", &f).grids[0]), "1 1; 1 0; 1 0");
}

#[test]
fn whole_numbers_and_others_compare_by_value() {
    let text = "x,y,v\n1,a,3\n1,a,7.5\n2,a,-998\n2,a,-4.5\n2,a,true\n3,a,18446744073709551615\n3,a,-1\n";
    for (agg, want) in [(Agg::Max, "7.5 1 1.8446744073709552e19"), (Agg::Min, "3 -998 -1")] {
        let mut f = figure("x", "y", "v");
        f.data.agg = Some(agg);
        assert_eq!(drawn(&read(text, &f).grids[0]), want);
    }
}

#[test]
fn equal_keys_in_other_words_are_one_cell() {
    let mut f = figure("x", "y", "v");
    let needs = ReadOptions { columns: vec!["note".into()], ..ReadOptions::default() };
    let text = "x,y,v,note\n0.1,a,1,p\n0.10,a,2,q\n0.1,a,3,r\n1e-1,a,6,p\n";
    for (agg, want) in [
        (Agg::Mean, "3"),
        (Agg::Median, "2.5"),
        (Agg::Sum, "12"),
        (Agg::First, "1"),
        (Agg::Last, "6"),
        (Agg::Min, "1"),
        (Agg::Max, "6"),
        (Agg::Count, "4"),
        (Agg::Std, "2.160246899469287"),
    ] {
        f.data.agg = Some(agg);
        let l = read_with(text, &f, &needs).unwrap();
        assert_eq!(
            (drawn(&l.grids[0]), l.grids[0].texts()["note"].join("")),
            (want.into(), "p, q, r".into()),
            "{agg:?}"
        );
    }
    f.data.agg = Some(Agg::Std);
    assert_eq!(drawn(&read("x,y,v\n1,a,\n1.0,a,1e160\n1.0,a,2e160\n", &f).grids[0]), "7.071067811865476e159");
}

#[test]
fn keys_of_another_spelling_are_reported_and_others_stay_apart() {
    let mut f = figure("x", "y", "v");
    let l = read("x,y,v\n1700000000.123,a,1\n1700000000.124,a,3\n", &f);
    assert_eq!((drawn(&l.grids[0]), lint(&l, LintName::DuplicateKeys)), ("1 3".into(), None));
    let text = "x,y,v\n0.3,a,1\n0.30000000000000004,a,3\n0.5,a ,3\n";
    let l = read(text, &f);
    assert_eq!(drawn(&l.grids[0]), "2 .; . 3");
    let want = "2 rows on 1 cell (2 each) are repeated, some under keys of another spelling; shown: mean";
    assert_eq!(lint(&l, LintName::DuplicateKeys), Some((2, want.into())));
    let want = "column 'x': 1 key is written in several ways, first '0.3' and '0.30000000000000004'";
    assert_eq!(lint(&l, LintName::MergedSpellings), Some((1, want.into())));
    assert!(lint(&l, LintName::SimilarKeys).unwrap().1.contains("'a' and 'a '"));
    f.data.agg = Some(Agg::Max);
    let l = read(text, &f);
    assert!(lint(&l, LintName::MergedSpellings).is_some() && lint(&l, LintName::DuplicateKeys).is_none());
}

#[test]
fn faults_count_where_their_rows_do() {
    let mut f = figure("x", "y", "v");
    f.data.blank_key = Some("drop".to_owned());
    let place = |text: &str, f: &Figure| {
        read_with(text, f, &ReadOptions::default())
            .map(|l| drawn(&l.grids[0]))
            .map_err(|e| e.place.to_string())
    };
    assert_eq!(place("x,y,v\nNA,a,oops\nb,a,bad\n", &f), Err("line 2".into()));
    assert_eq!(place("x,y,v\nNA,a,oops\n1,a,5\n", &f), Ok("5".into()));
    assert_eq!(place("x,y,v\n,a,oops\n1,a,5\n", &f), Ok("5".into()));
    f.x.domain = list("1,2");
    assert_eq!(place("x,y,v\n7,a,oops\n1,a,5\n", &f), Ok("5 .".into()));
    f.data.pending = Some("s > 6".into());
    assert_eq!(place("x,y,v,s\n1,a,1,5\n,a,2,high\n7,a,2,low\n2,a,3,7\n", &f), Ok("1 p".into()));
    assert!(place("x,y,v,s\n1,a,1,5\n2,a,2,high\n", &f).is_err());
}

#[test]
fn nodata_masks_and_pending_runs_wait() {
    let mut f = figure("x", "y", "v");
    f.data.nodata = Some(-1.0);
    f.data.pending = Some("s = running".into());
    let text = "x,y,v,s\n1,1,-1,done\n2,1,,running\n3,1,5,done\n3,1,9,running\n4,1,-1.0,done\n4,1,2,done\n";
    assert_eq!(drawn(&read(text, &f).grids[0]), "m p 5 2");
}

#[test]
fn numbers_among_texts_are_told() {
    let l = read("x,y,v\n1,a,1\n01,a,2\nhigh,a,3\n", &figure("x", "y", "v"));
    assert_eq!(lint(&l, LintName::NumberLikeCategories).unwrap().0, 2);
    assert_eq!(drawn(&l.grids[0]), "1 2 3");
}

#[test]
fn rows_without_a_key_have_one_of_their_own() {
    let text = "x,y,v\n3,a,1\nNone,a,2\n1,a,3\n,b,4\n";
    let of = |blank: Option<&str>| {
        let mut f = figure("x", "y", "v");
        f.data.blank_key = blank.map(str::to_owned);
        let l = read(text, &f);
        let count = lint(&l, LintName::EmptyKey).map(|l| l.0);
        (l.grids[0].columns().levels[0].join(" "), count, l.grids[0].note().map(str::to_owned))
    };
    let (labels, count, note) = of(None);
    assert_eq!((labels.as_str(), count), ("1 3 None", Some(2)));
    assert!(note.unwrap().starts_with("2 rows have no key in x"));
    assert_eq!(of(Some("none")).0, "1 3 none");
    assert_eq!((of(Some("drop")).0, of(Some("drop")).1), ("1 3".to_owned(), Some(2)));
}
