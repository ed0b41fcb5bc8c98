//! Aggregates: against what pandas, numpy and scipy make of the same groups, and against a plain rule of f64.

use crate::support::random::{Random, cases};
use gridscope::figure::{Agg, Better, Data, Figure, List, TableKind, Template};
use gridscope::grid::{Grid, State};
use gridscope::input::{InputError, Loaded, ReadOptions, open_bytes};
use std::collections::BTreeMap;

/// Written by `truths/aggregates.py`.
const TABLE: &str = include_str!("truths/aggregates.csv");
const TRUTHS: &str = include_str!("truths/aggregates.tsv");

fn figure(x: &str, y: &str, value: &str, agg: Option<Agg>) -> Figure {
    let list = |t: &str| Some(List(vec![t.to_owned()]));
    let data = Data { x: list(x), y: list(y), value: list(value), agg, ..Data::default() };
    Figure { data, ..Figure::default() }
}

fn open(text: &str, figure: &Figure, template: &str) -> Result<Loaded, InputError> {
    let template: Template = template.parse().unwrap();
    let needs =
        ReadOptions { statistics: template.statistics(), picks: template.picks(), ..ReadOptions::default() };
    open_bytes(text.as_bytes().to_vec(), "t.csv", figure, &needs, 1 << 30)
}

fn grid(text: &str, figure: &Figure, template: &str) -> Grid {
    open(text, figure, template).unwrap().grids.remove(0)
}

/// Whether two numbers are equal up to rounding.
fn agree(a: f64, b: f64, most: f64) -> bool {
    a.to_bits() == b.to_bits() || a == b || (a.is_nan() && b.is_nan()) || ((a - b) / b).abs() < most
}

#[test]
fn aggregates_are_those_of_pandas_numpy_and_scipy() {
    let mut truths: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for line in TRUTHS.lines() {
        let [group, agg, value] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        truths.entry(agg).or_default().push((group, value.parse().unwrap()));
    }
    assert!(truths.len() > 20, "{}", truths.len());
    let template: String = truths.keys().map(|agg| format!("{{{agg}}}{{{agg}(value)}}")).collect();
    let fields = grid(TABLE, &figure("group", "all", "value", None), &template);
    for (agg, wanted) in &truths {
        let one = grid(TABLE, &figure("group", "all", "value", Some(agg.parse().unwrap())), "");
        let places: BTreeMap<String, usize> = (0..one.width()).map(|i| (one.columns().label(i), i)).collect();
        for (group, wanted) in wanted {
            let at = places[*group];
            let own = one.at(0, at).as_f64();
            for got in [own, fields.fields()[*agg][at], fields.fields()[&format!("{agg}(value)")][at]] {
                assert!(agree(got, *wanted, 1e-10), "{agg} of {group}: {got}, not {wanted}");
            }
            assert_eq!(one.at(0, at).state(), wanted.is_nan().then_some(State::Nan), "{agg} of {group}");
        }
    }
}

/// The quantile by numpy's rule, where all values are finite.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() - 1) as f64 * share;
    let (low, part) = (at.floor() as usize, at.fract());
    let next = sorted[(low + 1).min(sorted.len() - 1)];
    sorted[low] * (1.0 - part) + next * part
}

#[test]
fn aggregates_follow_their_rules_for_any_values() {
    let mut random = Random(7);
    for case in 0..cases(60) {
        let groups = 1 + random.below(6);
        let scale = [1.0, 1e-9, 1e9][random.below(3)];
        let mut all: Vec<Vec<(f64, usize)>> = vec![Vec::new(); groups];
        let mut text = "g,y,method,v,w\n".to_owned();
        for row in 0..random.within(1, 60) {
            let g = random.below(groups);
            let v = (random.below(2000) as f64 / 100.0 - 10.0).round_ties_even() * scale;
            let missing = random.chance(0.2);
            text.push_str(&format!(
                "{g},a,m{row},{},{row}\n",
                if missing { "nan".to_owned() } else { v.to_string() }
            ));
            if !missing {
                all[g].push((v, row));
            }
        }
        let p = random.below(1001) as f64 / 10.0;
        let mut f = figure("g", "y", "v", Some(Agg::Best));
        f.data.better = Some(if random.chance(0.5) { Better::Higher } else { Better::Lower });
        let template = format!(
            "{{q{p}}}{{var}}{{sem}}{{n}}{{argmax(method)}}{{argmin(method)}}{{argworst(method)}}{{worst}}{{max(w)}}"
        );
        let grid = grid(&text, &f, &template);
        for column in 0..grid.width() {
            let values = &all[grid.columns().label(column).parse::<usize>().unwrap()];
            let field = |name: &str| grid.fields()[name][column];
            let pick = |name: &str| grid.texts()[&format!("{name}(method)")][column].as_str();
            let n = values.len();
            assert_eq!(field("n"), n as f64, "{case}");
            if n == 0 {
                assert!(field(&format!("q{p}")).is_nan() && pick("argmax").is_empty(), "{case}");
                continue;
            }
            let mut sorted: Vec<f64> = values.iter().map(|v| v.0).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            let wanted = quantile(&sorted, p / 100.0);
            assert!((field(&format!("q{p}")) - wanted).abs() <= 1e-12 * scale * 10.0, "{case}: q{p}");
            let mean = sorted.iter().sum::<f64>() / n as f64;
            let var = sorted.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n as f64 - 1.0);
            let near = |a: f64, b: f64| {
                (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * b.abs() + 1e-13 * scale * scale
            };
            let var = if n > 1 { var } else { f64::NAN };
            assert!(near(field("var"), var), "{case}: {} {var}", field("var"));
            assert!(near(field("sem").powi(2), var / n as f64), "{case}");
            let first = |wanted: f64| format!("m{}", values.iter().find(|v| v.0 == wanted).unwrap().1);
            let (least, most) = (sorted[0], sorted[n - 1]);
            assert_eq!(
                (pick("argmax"), pick("argmin")),
                (first(most).as_str(), first(least).as_str()),
                "{case}"
            );
            let (best, worst) =
                if f.data.better == Some(Better::Higher) { (most, least) } else { (least, most) };
            assert_eq!((grid.at(0, column).as_f64(), field("worst")), (best, worst), "{case}");
            assert_eq!(pick("argworst"), first(worst), "{case}");
            let rows = all.iter().flatten().map(|v| v.1).max();
            assert!(field("max(w)") >= values.last().unwrap().1 as f64 && rows.is_some(), "{case}");
        }
    }
}

#[test]
fn quantiles_beside_infinities_and_of_large_numbers_have_values() {
    let of = |values: &[&str], agg: &str| {
        let rows: String = values.iter().map(|v| format!("1,1,{v}\n")).collect();
        let f = figure("x", "y", "v", Some(agg.parse().unwrap()));
        grid(&format!("x,y,v\n{rows}"), &f, "").at(0, 0).as_f64()
    };
    let inf = f64::INFINITY;
    assert_eq!((of(&["1", "inf"], "q75"), of(&["1", "inf"], "q0")), (inf, 1.0));
    assert_eq!((of(&["-inf", "1"], "q25"), of(&["-inf", "1"], "q100")), (-inf, 1.0));
    assert!(of(&["-inf", "inf"], "q25").is_nan() && of(&["inf", "inf"], "q25") == inf);
    assert_eq!(of(&["-1.5e308", "1.5e308"], "q50"), 0.0);
    assert_eq!(of(&["9007199254740993", "9007199254740995"], "q100"), 9_007_199_254_740_996.0);
}

#[test]
fn the_best_is_asked_for_and_texts_need_values() {
    let text = "x,y,v,m\n1,1,2,a\n";
    let refused = |f: &Figure, template: &str| {
        let e = open(text, f, template).unwrap_err();
        (e.what.clone(), e.hint.clone().unwrap_or_default())
    };
    let plain = figure("x", "y", "v", None);
    for (f, template) in [
        (figure("x", "y", "v", Some(Agg::Worst)), ""),
        (plain.clone(), "{best}"),
        (plain.clone(), "{argbest(m)}"),
    ] {
        let (what, hint) = refused(&f, template);
        assert!(what.contains("which values are better") && hint.contains("--better lower"), "{what} {hint}");
    }
    assert!(refused(&plain, "{std(m)}").0.contains("'a' is not a number"));
    assert!(refused(&plain, "{argmax(k)}").0.contains('k'));
    let mut count = figure("x", "y", "v", Some(Agg::Count));
    count.data.value = None;
    assert!(refused(&count, "{argmax(m)}").0.contains("goes by values"));
    let mut wide = Figure::default();
    (wide.data.agg, wide.data.table) = (Some(Agg::Best), Some(TableKind::Wide));
    let e = open("r,a,b\nx,1,5\nx,2,6\n", &wide, "").unwrap_err();
    assert!(e.what.contains("better"), "{}", e.what);
    wide.data.better = Some(Better::Lower);
    let g = grid("r,a,b\nx,1,5\nx,2,6\n", &wide, "{n}{std}");
    assert_eq!((g.at(0, 0).as_f64(), g.fields()["n"][0], g.fields()["std"][0]), (1.0, 2.0, 0.5f64.sqrt()));
}

#[test]
fn numbers_of_other_columns_are_read_as_those_of_values() {
    let text = "x,y,v,share,price\n1,1,2,95%,\"$1,200.5\"\n1,1,3,85%,\"$1,300.5\"\n";
    let f = figure("x", "y", "v", None);
    let g = grid(text, &f, "{mean(share)}{max(price)}");
    assert_eq!((g.fields()["mean(share)"][0], g.fields()["max(price)"][0]), (90.0, 1300.5));
}

#[test]
fn cells_of_few_rows_are_counted() {
    let text = "x,y,v\n1,1,2\n1,1,3\n1,1,\n2,1,4\n3,1,\n";
    let mut f = figure("x", "y", "v", None);
    assert_eq!(grid(text, &f, "").thin_cells(), None);
    for (least, wanted) in [(1, 0), (2, 1), (3, 2)] {
        f.data.min_count = std::num::NonZeroU64::new(least);
        assert_eq!(grid(text, &f, "").thin_cells(), Some(wanted), "{least}");
    }
    f.data.agg = Some(Agg::Std);
    // The standard deviation of one value is none, and its cell shows that.
    assert_eq!(grid(text, &f, "").thin_cells(), Some(1));
}
