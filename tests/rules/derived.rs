//! Derived columns: against what pandas and numpy make of the same columns, and against plain rules.

use crate::support::random::{Random, cases};
use gridscope::figure::{Agg, Data, Figure, List};
use gridscope::grid::{Coords, Grid};
use gridscope::input::{InputError, ReadOptions, open_bytes};
use std::collections::BTreeMap;

/// Written by `truths/derived.py`.
const TABLE: &str = include_str!("truths/derived.csv");
const TRUTHS: &str = include_str!("truths/derived.tsv");

fn open(
    text: &str,
    x: &str,
    y: &str,
    value: Option<&str>,
    agg: Agg,
    filter: &[&str],
) -> Result<Grid, InputError> {
    let list = |t: &str| Some(List::from_flag(t));
    let data = Data {
        x: list(x),
        y: list(y),
        value: value.and_then(list),
        agg: Some(agg),
        blank_key: Some("drop".into()),
        filter: (!filter.is_empty()).then(|| List(filter.iter().map(|f| (*f).to_owned()).collect())),
        ..Data::default()
    };
    let figure = Figure { data, ..Figure::default() };
    let read = open_bytes(text.as_bytes().to_vec(), "t.csv", &figure, &ReadOptions::default(), 1 << 30);
    read.map(|mut loaded| loaded.grids.remove(0))
}

fn number(grid: &Grid, row: usize, column: usize) -> f64 {
    grid.at(row, column).value().map_or(0.0, gridscope::grid::Number::as_f64)
}

/// The rows of each key along x.
fn counts(grid: &Grid) -> Vec<u64> {
    let of = |column| (0..grid.height()).map(|row| number(grid, row, column)).sum::<f64>() as u64;
    (0..grid.width()).map(of).collect()
}

#[test]
fn derived_columns_are_those_of_pandas_and_numpy() {
    // A column that is the same in all rows.
    let (head, rows) = TABLE.split_once('\n').unwrap();
    let rows: String = rows.lines().map(|row| format!("{row},1\n")).collect();
    let table = format!("{head},one\n{rows}");
    let mut keys: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    let mut seen = 0;
    for line in TRUTHS.lines() {
        let [text, kind, what, truth] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        match kind {
            "key" => {
                keys.entry(text).or_default().insert(what.to_owned(), truth.parse().unwrap());
            }
            "mean" => {
                let grid = open(&table, "one", "one", Some(text), Agg::Mean, &[]).unwrap();
                let (found, truth) = (number(&grid, 0, 0), truth.parse::<f64>().unwrap());
                assert!((found - truth).abs() <= 1e-12 * truth.abs(), "{text}: {found} for {truth}");
            }
            _ => {
                let grid = open(&table, text, "one", None, Agg::Count, &[]).unwrap();
                let edges: Vec<f64> = what.split(' ').map(|e| e.parse().unwrap()).collect();
                let truths: Vec<u64> = truth.split(' ').map(|c| c.parse().unwrap()).collect();
                assert_eq!(counts(&grid), truths, "{text}");
                if let Some(Coords::Edges(found)) = &grid.columns().coords {
                    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs().max(1e-9);
                    assert!(
                        found.len() == edges.len() && found.iter().zip(&edges).all(close),
                        "{text}: {found:?}"
                    );
                } else {
                    assert!(text.contains("quantile"), "{text} has no edges");
                }
            }
        }
        seen += 1;
    }
    for (text, truths) in keys {
        let grid = open(&table, text, "one", None, Agg::Count, &[]).unwrap();
        let labels = (0..grid.width()).map(|i| grid.columns().label(i));
        let found: BTreeMap<String, u64> = labels.zip(counts(&grid)).collect();
        assert_eq!(found, truths, "{text}");
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn bins_are_made_of_the_rows_that_conditions_leave() {
    let table = "v,w,one\n0,1,1\n4,1,1\n100,2,1\n";
    let edges = |filter: &[&str]| match open(table, "bin(v, 2)", "one", None, Agg::Count, filter)
        .unwrap()
        .columns()
        .coords
        .clone()
    {
        Some(Coords::Edges(edges)) => edges,
        other => panic!("{other:?}"),
    };
    assert_eq!(edges(&[]), [0.0, 50.0, 100.0]);
    assert_eq!(edges(&["w = 1"]), [0.0, 2.0, 4.0]);
    assert_eq!(edges(&["w * 10 < 15"]), [0.0, 2.0, 4.0]);
    // A condition on bins sees those of all rows.
    assert_eq!(edges(&["bin(v, 2) = 0–50"]), [0.0, 50.0, 100.0]);
}

#[test]
fn columns_that_read_like_expressions_are_columns() {
    let table = "a,b,a - b,log10(a),\"bin(a, 20)\",100 * a\n1,2,30,40,50,60\n";
    for (value, truth) in
        [("a - b", 30.0), ("log10(a)", 40.0), ("100 * a", 60.0), ("b - a", 1.0), ("\"\"\"a\"\" - b\"", -1.0)]
    {
        let grid = open(table, "a", "b", Some(value), Agg::Mean, &[]).unwrap();
        assert_eq!(number(&grid, 0, 0), truth, "{value}");
    }
    let grid = open(table, "\"bin(a, 20)\"", "b", Some("a"), Agg::Mean, &[]).unwrap();
    assert_eq!(grid.columns().label(0), "50");
}

#[test]
fn refusals_name_the_place() {
    let table = "lr,t,name,v\n0.1,2024-01-01,x,1\n";
    for (x, part) in [
        ("log10(lrr)", "character 7: no column 'lrr'"),
        ("hour(name)", "line 2: hour(name): 'x' is not a date or time"),
        ("name + 1", "line 2: name + 1: 'x' is not a number"),
        ("bin(lr, 0)", "from 1 to"),
        ("bin(name, 3)", "'x' is not a number"),
        ("bin(log10(-lr), 3)", "holds no finite number"),
    ] {
        let refused = open(table, x, "name", Some("v"), Agg::Mean, &[]).unwrap_err();
        assert!(refused.to_string().contains(part), "{x}: {refused}");
    }
}

/// Bins of random numbers hold what a plain rule puts into them.
#[test]
fn bins_hold_what_lies_between_their_edges() {
    let mut r = Random(11);
    let hostile = [0.0, -0.0, 1.0, 1e300, -1e300, 1e-300, 0.1, 0.3, 5.0, -7.5];
    for case in 0..cases(60) {
        let n = 1 + r.below(40);
        let values: Vec<f64> = (0..n)
            .map(|_| match r.below(4) {
                0 => hostile[r.below(hostile.len())],
                1 => r.below(6) as f64,
                _ => (r.below(2000) as f64 - 1000.0) / 64.0,
            })
            .collect();
        let rows: String = values.iter().map(|v| format!("{v:?},1\n")).collect();
        let (table, bins) = (format!("v,one\n{rows}"), 1 + r.below(9));
        let grid = open(&table, &format!("bin(v, {bins})"), "one", None, Agg::Count, &[]).unwrap();
        let Some(Coords::Edges(edges)) = grid.columns().coords.clone() else {
            panic!("case {case}: no edges");
        };
        let found = counts(&grid);
        for (i, found) in found.iter().enumerate() {
            let (low, high, last) = (edges[i], edges[i + 1], i + 2 == edges.len());
            let held = values.iter().filter(|v| **v >= low && (**v < high || last && **v == high)).count();
            assert_eq!(*found, held as u64, "case {case}: {values:?} in {edges:?}");
        }
        assert_eq!(found.iter().sum::<u64>(), n as u64, "case {case}: {values:?} in {edges:?}");
    }
}
