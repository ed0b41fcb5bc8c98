//! The tables of `truth.json`, which `make_truth.py` writes with pandas.

use crate::support::place::Place;
use gridscope::figure::{Data, Figure, List};
use gridscope::grid::Cell;
use gridscope::input::{ReadOptions, open};
use serde_json::Value;

/// Values that pandas computes in another order differ in their last digits.
const NEAR: f64 = 1e-11;

fn figure(place: &Place, keys: &Value) -> Figure {
    let list = |text: &str| Some(List(vec![text.to_owned()]));
    let mut data = Data { x: list("x"), y: list("y"), value: list("v"), ..Data::default() };
    for (key, word) in keys.as_object().unwrap() {
        let word = word.as_str().unwrap();
        let word = match word.strip_prefix("file:") {
            Some(file) => format!("file:{}", place.path(file).display()),
            None => word.to_owned(),
        };
        let baseline = || Some(word.parse().unwrap());
        let quoted = Value::String(word.clone());
        match key.as_str() {
            "minus" => data.minus = baseline(),
            "ratio" => data.ratio = baseline(),
            "percent" => data.percent = baseline(),
            "normalize" => data.normalize = serde_json::from_value(quoted).unwrap(),
            "z_score" => data.z_score = serde_json::from_value(quoted).unwrap(),
            other => panic!("{other}"),
        }
    }
    Figure { data, ..Figure::default() }
}

#[test]
fn values_are_those_of_pandas() {
    let cases: Value = serde_json::from_str(include_str!("truth.json")).unwrap();
    for (n, case) in cases.as_array().unwrap().iter().enumerate() {
        let place = Place::new(&[("data.csv", case["data"].as_str().unwrap())]);
        if let Some(base) = case["base"].as_str() {
            place.write("base.csv", base);
        }
        let figure = figure(&place, &case["keys"]);
        let file = place.path("data.csv").to_string_lossy().into_owned();
        let loaded = open(&[file], &figure, &ReadOptions::default(), 1 << 30)
            .unwrap_or_else(|e| panic!("case {n}: {e}: {case}"));
        let [grid] = loaded.grids.as_slice() else { panic!("case {n}: {} panels", loaded.grids.len()) };
        let mut met = 0;
        for cell in case["cells"].as_array().unwrap() {
            let [row, column, wanted] = [0, 1, 2].map(|i| cell[i].as_str().unwrap());
            let rows = (0..grid.height()).find(|i| grid.rows().label(*i) == row);
            let columns = (0..grid.width()).find(|i| grid.columns().label(*i) == column);
            // A row or column without any value is not in a tidy table.
            let found = rows.zip(columns).map(|(r, c)| grid.at(r, c));
            let wanted: f64 = wanted.parse().unwrap();
            match found {
                Some(Cell::Value(v)) => {
                    met += 1;
                    let v = v.as_f64();
                    let near =
                        (v - wanted).abs() <= NEAR * wanted.abs().max(f64::MIN_POSITIVE) || v == wanted;
                    // Differences of near numbers keep the error of their scale.
                    let is_small = wanted.abs() < 1e-12 && v.abs() < 1e-12;
                    assert!(
                        near || is_small,
                        "case {n} {}: {row}, {column}: {v}, not {wanted}",
                        case["keys"]
                    );
                }
                _ => assert!(
                    wanted.is_nan(),
                    "case {n} {}: {row}, {column}: no value, not {wanted}",
                    case["keys"]
                ),
            }
        }
        let wanted = case["cells"].as_array().unwrap();
        assert_eq!(met, wanted.iter().filter(|c| c[2] != "nan").count(), "case {n}");
    }
}
