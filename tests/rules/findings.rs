//! The output of `info --best`, against numpy and scipy.

use gridscope::figure::{Agg, Better, Data, Figure, List, Statistic};
use gridscope::grid::{Axis, Cell, Grid, ScanRequest, State};
use gridscope::input::{ReadOptions, open_bytes};
use gridscope_draw::findings::{Findings, find, overall, report};
use serde_json::Value;

/// Written by `truths/findings.py`.
const TABLE: &str = include_str!("truths/findings.csv");
const TRUTHS: &str = include_str!("truths/findings.json");

fn grid(table: &str, agg: Option<Agg>) -> Grid {
    let list = |t: &str| Some(List(vec![t.to_owned()]));
    let data = Data {
        x: list("lr"),
        y: list("dropout"),
        value: list("acc"),
        filter: list(&format!("table = {table}")),
        agg,
        ..Data::default()
    };
    let figure = Figure { data, ..Figure::default() };
    let needs = ReadOptions {
        statistics: [Agg::Mean, Agg::Count, Agg::Std].map(Statistic::of_value).to_vec(),
        ..ReadOptions::default()
    };
    let read = open_bytes(TABLE.as_bytes().to_vec(), "t.csv", &figure, &needs, 1 << 30);
    read.unwrap().grids.remove(0)
}

fn found(grid: &Grid, better: Better) -> Findings {
    let stats = grid.scan(&ScanRequest::default()).unwrap().stats;
    find(grid, &stats, better).unwrap()
}

fn near(got: Option<f64>, wanted: &Value, what: &str) {
    match (got, wanted.as_f64()) {
        (Some(got), Some(wanted)) => {
            assert!((got - wanted).abs() <= 1e-9 * wanted.abs(), "{what}: {got} {wanted}");
        }
        (got, wanted) => assert_eq!(got.is_some(), wanted.is_some(), "{what}: {got:?} {wanted:?}"),
    }
}

#[test]
fn findings_are_those_of_numpy_and_scipy() {
    let truths: Value = serde_json::from_str(TRUTHS).unwrap();
    for (name, truth) in truths.as_object().unwrap() {
        let (table, better) = name.split_once(' ').unwrap();
        let g = grid(table, None);
        let f = found(&g, better.parse().unwrap());
        let at =
            |row: usize, column: usize| Value::from(vec![g.rows().label(row), g.columns().label(column)]);
        let number = |v: &Value| {
            v.as_array().map(|l| {
                Value::from(l.iter().map(|v| v.as_str().unwrap().parse::<f64>().unwrap()).collect::<Vec<_>>())
            })
        };
        let (best, next) = (f.best.unwrap(), f.runner_up.unwrap());
        assert_eq!(number(&at(best.row, best.column)), number(&truth["best"]["at"]), "{name}");
        assert_eq!(number(&at(next.place.row, next.place.column)), number(&truth["runner_up"]), "{name}");
        near(Some(best.value.as_f64()), &truth["best"]["value"], name);
        near(best.replicates.map(|r| r.interval()), &truth["best"]["ci95"], name);
        near(Some(next.gap), &truth["gap"], name);
        near(next.noise, &truth["noise"], name);
        assert_eq!(Value::from(f.near), truth["near"], "{name}");
        for (i, (side, axis)) in [("rows", g.rows()), ("columns", g.columns())].into_iter().enumerate() {
            let label = |at: usize| axis.label(at).parse::<f64>().unwrap();
            let truth = &truth[side];
            let line = f.lines[i].unwrap();
            assert_eq!(label(line.index), truth["best"].as_str().unwrap().parse::<f64>().unwrap(), "{name}");
            near(Some(line.mean), &truth["mean"], name);
            near(line.half, &truth["ci95"], name);
            assert_eq!(line.ties, 1, "{name}");
            near(f.flat[i].map(|flat| flat.range), &truth["range"], name);
            near(f.flat[i].map(|flat| flat.noise), &truth["noise"], name);
            let missing = f.missing[i].map(|m| (label(m.index), m.cells.0));
            let wanted = truth["missing"].as_array();
            let wanted =
                wanted.map(|m| (m[0].as_str().unwrap().parse().unwrap(), m[1].as_u64().unwrap() as usize));
            assert_eq!(missing, wanted, "{name} {side}");
        }
    }
    let flat = found(&grid("flat", None), Better::Higher);
    assert_eq!(flat.flat.map(|f| f.unwrap().is_flat()), [true, false]);
}

#[test]
fn nothing_is_said_that_the_values_do_not_bear() {
    // The greatest of several rows has no uncertainty that their spread gives.
    let greatest = found(&grid("flat", Some(Agg::Max)), Better::Higher);
    assert!(greatest.best.unwrap().replicates.is_none() && greatest.runner_up.unwrap().noise.is_none());
    assert_eq!(greatest.flat, [None, None]);
    // Values that are no longer the means of their rows have none either.
    let mut changed = grid("flat", None);
    let doubled: Vec<f64> = changed.fields()["mean"].iter().map(|v| 2.0 * v).collect();
    changed.set_field("mean", doubled).unwrap();
    assert!(found(&changed, Better::Higher).best.unwrap().replicates.is_none());

    let of = |rows: usize, columns: usize, values: &[f64]| {
        Grid::from_rows(rows, columns, values.to_vec()).unwrap()
    };
    let nothing = found(&of(1, 2, &[f64::NAN, f64::INFINITY]), Better::Higher);
    assert!(nothing.best.is_none() && nothing.runner_up.is_none() && nothing.lines == [None, None]);
    assert_eq!((nothing.states.0[State::Nan.index()], nothing.states.1, nothing.values.0), (1, 1, 0));
    let one = found(&of(1, 1, &[3.0]), Better::Lower);
    assert!(one.best.is_some() && one.runner_up.is_none() && one.near == 1);
    let large = found(&of(2, 2, &[1.5e308, -1.5e308, 1.4e308, f64::NEG_INFINITY]), Better::Higher);
    assert_eq!(
        (large.best.unwrap().value.as_f64(), large.near, large.lines[0].unwrap().mean),
        (1.5e308, 1, 1.4e308)
    );
    let ties = found(&of(2, 2, &[1.0, 1.0, 1.0, 0.0]), Better::Higher);
    assert_eq!((ties.ties, ties.runner_up.unwrap().gap, ties.near), (3, 0.0, 3));
    let lines = |values: &[f64]| found(&of(2, values.len() / 2, values), Better::Higher).lines;
    // Sums in another order: 0.1 + 0.2 + 0.3.
    let equal = lines(&[0.1, 0.2, 0.3, 0.3, 0.2, 0.1])[0].unwrap();
    assert_eq!((equal.index, equal.ties, equal.half), (0, 2, None));
    assert_eq!(lines(&[0.1, 0.2, 0.2, 0.1])[1].unwrap().ties, 2);
    assert_eq!(lines(&[1.0, 1.0, 1.0, 1.0 + 1e-9])[0].unwrap().ties, 1);
}

#[test]
fn panels_of_one_value_have_a_best_one() {
    let mut grids: Vec<Grid> =
        [1.0, 5.0, 3.0].iter().map(|v| Grid::from_rows(1, 2, vec![*v, 0.0]).unwrap()).collect();
    let all = |grids: &[Grid], better| {
        let found: Vec<Findings> = grids.iter().map(|g| found(g, better)).collect();
        (
            overall(grids, &found, better),
            report(grids, &found, None, better)["panels"][1]["best"]["value"].clone(),
        )
    };
    assert_eq!(all(&grids, Better::Higher), (Some((1, grids.len())), 5.0.into()));
    assert_eq!(all(&grids, Better::Lower).0, Some((0, grids.len())));
    grids[2].set_value_name("loss");
    assert_eq!(all(&grids, Better::Higher).0, None);
    let mut masked = Grid::new(
        Axis::category("", vec!["a".into()]),
        Axis::category("", vec!["b".into(), "c".into()]),
        gridscope::grid::Values::F64(vec![1.0, 2.0]),
        &[],
    )
    .unwrap();
    masked.set_state(0, 1, State::Masked);
    assert_eq!(masked.at(0, 1), Cell::Empty(State::Masked));
    let best = found(&masked, Better::Higher).best.unwrap();
    assert_eq!((best.column, best.value.as_f64()), (0, 1.0));
}
