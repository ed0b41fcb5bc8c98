//! Cells without a value, and what is refused.

use crate::support::place::Place;
use gridscope::figure::{Data, Figure, List};
use gridscope::grid::{Cell, Grid, State};
use gridscope::input::{InputError, ReadOptions, open};
use gridscope::{LintName, Lints};

/// The panels of `now.csv`, whose keys are k and x, and what is reported.
fn read(place: &Place, edit: impl Fn(&mut Data)) -> Result<(Vec<Grid>, Lints), InputError> {
    let list = |text: &str| Some(List(vec![text.to_owned()]));
    let mut data = Data { x: list("x"), y: list("k"), value: list("v"), ..Data::default() };
    edit(&mut data);
    let figure = Figure { data, ..Figure::default() };
    let file = place.path("now.csv").to_string_lossy().into_owned();
    let read = open(&[file], &figure, &ReadOptions::default(), 1 << 30)?;
    Ok((read.grids, read.lints))
}

fn file(place: &Place, name: &str) -> String {
    format!("file:{}", place.path(name).display())
}

fn count(lints: &Lints, name: LintName) -> u64 {
    lints.0.iter().filter(|l| l.name == name).map(|l| l.count).sum()
}

const NOW: &str = "k,x,v\na,1,5\na,2,7\nb,1,0\nc,1,inf\nc,2,2\n";
const BASE: &str = "k,x,v\na,1,3\na,3,1\nb,1,0\nc,1,inf\nd,1,4\n";

#[test]
fn cells_of_one_side_are_states_and_are_reported() {
    let place = Place::new(&[("now.csv", NOW), ("base.csv", BASE)]);
    let (grids, lints) = read(&place, |d| {
        d.minus = Some(file(&place, "base.csv").parse().unwrap());
    })
    .unwrap();
    let g = &grids[0];
    assert_eq!((g.height(), g.width()), (4, 3));
    let state = |r, c| match g.at(r, c) {
        Cell::Empty(state) => state,
        Cell::Value(v) => panic!("{v} at {r}, {c}"),
    };
    assert_eq!(g.at(0, 0).as_f64(), 2.0);
    assert_eq!(state(0, 1), State::Appeared);
    assert_eq!(state(0, 2), State::Vanished);
    assert_eq!(g.at(1, 0).as_f64(), 0.0);
    assert_eq!(state(1, 1), State::Absent);
    // inf - inf
    assert_eq!(state(2, 0), State::Nan);
    assert_eq!(state(3, 0), State::Vanished);
    assert_eq!(count(&lints, LintName::NotInBaseline), 2);
    assert_eq!(count(&lints, LintName::OnlyInBaseline), 2);
    assert_eq!(count(&lints, LintName::Undefined), 1);
    // 0 / 0
    let (grids, lints) = read(&place, |d| {
        d.ratio = Some(file(&place, "base.csv").parse().unwrap());
    })
    .unwrap();
    assert_eq!(grids[0].at(1, 0), Cell::Empty(State::Nan));
    assert_eq!(count(&lints, LintName::Undefined), 2);
}

#[test]
fn three_panels_have_the_rows_of_both() {
    let place = Place::new(&[("now.csv", NOW), ("base.csv", BASE)]);
    let (grids, _) = read(&place, |d| {
        d.against = Some(file(&place, "base.csv").parse().unwrap());
    })
    .unwrap();
    let names: Vec<&str> = grids.iter().map(Grid::name).collect();
    assert_eq!(names, ["base", "now", "now − base"]);
    assert!(grids.iter().all(|g| (g.height(), g.width()) == (4, 3)));
    assert_eq!([0, 1, 2].map(|i| grids[i].at(0, 0).as_f64()), [3.0, 5.0, 2.0]);
    assert!(grids[0].changes().is_empty() && grids[2].changes().len() == 1);
}

#[test]
fn panels_are_compared_by_their_names_or_with_one_of_them() {
    let rows = |of: &[(&str, f64)]| {
        let lines = of.iter().map(|(p, v)| format!("{p},a,1,{v}\n"));
        format!("p,k,x,v\n{}", lines.collect::<String>())
    };
    let place = Place::new(&[
        ("now.csv", rows(&[("s", 5.0), ("t", 7.0)])),
        ("base.csv", rows(&[("t", 1.0), ("s", 2.0), ("u", 9.0)])),
    ]);
    let (grids, lints) = read(&place, |d| {
        d.panel = Some("p".into());
        d.minus = Some(file(&place, "base.csv").parse().unwrap());
    })
    .unwrap();
    let values: Vec<f64> = grids.iter().map(|g| g.at(0, 0).as_f64()).collect();
    assert_eq!(values, [3.0, 6.0]);
    assert_eq!(count(&lints, LintName::OnlyInBaseline), 1);
    for base in ["panel:s", "p=s", "s"] {
        let (grids, _) = read(&place, |d| {
            d.panel = Some("p".into());
            d.minus = Some(base.parse().unwrap());
        })
        .unwrap();
        assert_eq!((grids.len(), grids[0].name(), grids[0].at(0, 0).as_f64()), (1, "t", 2.0));
    }
}

#[test]
fn a_level_of_a_nested_axis_is_a_baseline_in_each_group() {
    let table = "m,k,x,v\np,base,1,1\np,new,1,4\nq,base,1,10\nq,new,1,11\nr,new,1,5\n";
    let place = Place::new(&[("now.csv", table)]);
    let (grids, _) = read(&place, |d| {
        d.y = Some(List(vec!["m".to_owned(), "k".to_owned()]));
        d.minus = Some("k=base".parse().unwrap());
    })
    .unwrap();
    let cells: Vec<Cell> = (0..5).map(|r| grids[0].at(r, 0)).collect();
    let values: Vec<f64> = cells[..4].iter().map(|c| c.as_f64()).collect();
    assert_eq!(values, [0.0, 3.0, 0.0, 1.0]);
    assert_eq!(cells[4], Cell::Empty(State::Appeared));
}

#[test]
fn baselines_that_are_nothing_or_several_things_are_refused() {
    let place = Place::new(&[
        ("now.csv", "k,x,v\na,a,1\nb,a,2\n"),
        ("base.csv", BASE),
        ("far.csv", "k,x,v\nz,1,1\n"),
    ]);
    let refused = |base: &str| {
        let e = read(&place, |d| d.minus = Some(base.parse().unwrap())).unwrap_err();
        format!("{}; {}", e.what, e.hint.unwrap_or_default())
    };
    assert!(refused("a").contains("'a' may be any of: k=a, x=a"), "{}", refused("a"));
    assert!(refused("k=bb").contains("no key of 'k' is 'bb'"), "{}", refused("k=bb"));
    assert!(refused("panel:q").contains("no panel has the name 'q'"));
    assert!(refused("nothing").contains("neither a file, nor a panel, nor a key of 'k', 'x'"));
    assert!(refused(&file(&place, "far.csv")).contains("no row of the data is a row of baseline far"));
    let both = read(&place, |d| {
        d.minus = Some("k=a".parse().unwrap());
        d.ratio = Some("k=b".parse().unwrap());
    });
    assert!(both.unwrap_err().what.contains("minus and ratio: a figure has one comparison"));
}

#[test]
fn lines_without_a_sum_or_a_spread_have_no_value() {
    let table = "k,x,v\na,1,0\na,2,0\nb,1,inf\nb,2,1\nc,1,0.1\nc,2,0.1\nd,1,-1\nd,2,3\ne,1,2\n";
    let place = Place::new(&[("now.csv", table)]);
    let (grids, lints) = read(&place, |d| d.normalize = serde_json::from_str("\"row\"").unwrap()).unwrap();
    let at = |grids: &[Grid], r, c| grids[0].at(r, c);
    assert_eq!(at(&grids, 0, 0), Cell::Empty(State::Nan));
    assert_eq!(at(&grids, 1, 1), Cell::Empty(State::Nan));
    assert_eq!(at(&grids, 2, 0).as_f64(), 0.5);
    assert_eq!(at(&grids, 3, 1).as_f64(), 1.5);
    assert_eq!(at(&grids, 4, 0).as_f64(), 1.0);
    assert_eq!(at(&grids, 4, 1), Cell::Empty(State::Absent));
    assert_eq!((count(&lints, LintName::Undefined), count(&lints, LintName::MixedSigns)), (4, 1));
    let (grids, lints) = read(&place, |d| d.z_score = serde_json::from_str("\"row\"").unwrap()).unwrap();
    // The row of one value, the constant ones, and the one with an infinity.
    assert!((0..5).filter(|r| *r != 3).all(|r| at(&grids, r, 0) == Cell::Empty(State::Nan)));
    assert!((at(&grids, 3, 0).as_f64() + 0.5f64.sqrt()).abs() < 1e-15);
    assert_eq!(count(&lints, LintName::Undefined), 7);
}
