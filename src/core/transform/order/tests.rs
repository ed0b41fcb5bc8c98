//! Orders against those of pandas and scipy, which `tests/order/truths.py` writes, and clusterings against their definition.

use super::cluster::clustered;
use super::distance::{DistanceFault, Table};
use super::{Before, LineSide, cluster, run};
use crate::figure::{Cluster, Figure, LeafOrder, Linkage, Metric};
use crate::grid::{Axis, Grid, Tree, Values};
use crate::lint::Lints;
use gridscope_random::{Random, cases};
use serde_json::Value;

fn truths() -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/order/truths.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(of: &Value) -> Vec<f64> {
    let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
    of.as_array().unwrap().iter().map(number).collect()
}

fn places(of: &Value) -> Vec<usize> {
    numbers(of).into_iter().map(|v| v as usize).collect()
}

/// A grid of rows with values, of which the row labels are `r0`, `r1` …, the column labels `0`, `1` ….
fn grid(rows: &Value) -> Grid {
    let rows: Vec<Vec<f64>> = rows.as_array().unwrap().iter().map(numbers).collect();
    let named = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect();
    Grid::new(
        Axis::category("row", named("r", rows.len())),
        Axis::category("column", named("", rows[0].len())),
        Values::F64(rows.concat()),
        &[],
    )
    .unwrap()
}

fn table(of: &Grid) -> Table {
    let value = |i: usize| of.at(i / of.width(), i % of.width()).value();
    Table {
        values: (0..of.len()).map(|i| value(i).map_or(f64::NAN, crate::grid::Number::as_f64)).collect(),
        width: of.width(),
    }
}

fn labels(axis: &Axis) -> Vec<String> {
    (0..axis.len()).map(|i| axis.label(i)).collect()
}

/// Whether the leaves of each cluster of a tree are together in an order; `leaves` are its own order.
fn is_of_tree(order: &[usize], leaves: &[usize], tree: &Tree) -> bool {
    let mut made: Vec<(f64, f64, Vec<usize>)> =
        (0..leaves.len()).map(|i| (i as f64 + 0.5, 0.0, vec![leaves[i]])).collect();
    tree.joins().iter().all(|join| {
        let cluster = |end: (f64, f64)| made.iter().find(|m| (m.0, m.1) == end).unwrap().2.clone();
        let of = [cluster(join.ends[0]), cluster(join.ends[1])].concat();
        let middle = f64::midpoint(join.ends[0].0, join.ends[1].0);
        let mut at: Vec<usize> =
            of.iter().map(|leaf| order.iter().position(|o| o == leaf).unwrap()).collect();
        at.sort_unstable();
        made.push((middle, join.height, of));
        at.windows(2).all(|w| w[0] + 1 == w[1])
    })
}

#[test]
fn clusterings_are_those_of_scipy() {
    let truths = truths();
    let cases = truths["clusterings"].as_array().unwrap();
    assert!(cases.len() > 60);
    for case in cases {
        let name = format!("{} {} {}", case["table"], case["metric"], case["linkage"]);
        let word = |key: &str| case[key].as_str().unwrap().to_owned();
        let grid = grid(&truths["tables"][word("table")]);
        let cluster = |leaf_order| Cluster {
            metric: Some(word("metric").parse::<Metric>().unwrap()),
            linkage: Some(word("linkage").parse::<Linkage>().unwrap()),
            leaf_order: Some(leaf_order),
            ..Cluster::default()
        };
        let all: Vec<usize> = (0..grid.height()).collect();
        let of = |leaf_order| {
            let grids = [grid.clone()];
            clustered(&grids, &[0], LineSide::Rows, std::slice::from_ref(&all), &cluster(leaf_order)).unwrap()
        };
        let (order, tree) = of(LeafOrder::Merged);
        assert_eq!(order, places(&case["leaves"]), "{name}");
        let wanted = numbers(&case["heights"]);
        let most = wanted.iter().copied().fold(0.0, f64::max);
        for (join, wanted) in tree.joins().iter().zip(&wanted) {
            // A distance of angles is 1 minus a number near 1.
            assert!((join.height - wanted).abs() <= 1e-9 * wanted + 1e-15 * most.max(1.0), "{name}");
        }
        assert_eq!(tree.joins().len(), wanted.len(), "{name}");
        let (best, _) = of(LeafOrder::Optimal);
        let distances = table(&grid).distances(word("metric").parse().unwrap(), 2).unwrap();
        let n = grid.height();
        let between = |a: usize, b: usize| {
            let (i, j) = (a.min(b), a.max(b));
            distances.condensed[n * i - i * (i + 1) / 2 + j - i - 1] * 2f64.powi(distances.scale)
        };
        let sum: f64 = best.windows(2).map(|w| between(w[0], w[1])).sum();
        let wanted = case["sum"].as_f64().unwrap();
        assert!((sum - wanted).abs() <= 1e-9 * wanted.max(1e-6), "{name}: {sum} {wanted}");
        assert!(is_of_tree(&best, &order, &tree), "{name}: {best:?} {order:?}");
    }
}

#[test]
fn sorted_rows_are_those_of_pandas() {
    let truths = truths();
    let grid = grid(&truths["sorted"]);
    for (sort, wanted) in truths["sorts"].as_object().unwrap() {
        let mut figure = Figure::default();
        figure.y.sort = Some(sort.parse().unwrap());
        let out = run(vec![grid.clone()], &figure, &Before::default(), &mut Lints::default()).unwrap();
        let wanted: Vec<String> = places(wanted).iter().map(|i| format!("r{i}")).collect();
        assert_eq!(labels(out[0].rows()), wanted, "{sort}");
        // Columns are sorted as rows of the swapped grid.
        let mut figure = Figure::default();
        figure.x.sort = Some(if sort == "2:desc" { "label:2:desc" } else { sort }.parse().unwrap());
        let out = run(vec![grid.transposed()], &figure, &Before::default(), &mut Lints::default()).unwrap();
        assert_eq!(labels(out[0].columns()), wanted, "{sort}");
    }
}

#[test]
fn clusters_hold_at_the_ends_of_numbers() {
    for factor in [1e300, 1e-300, -1e306] {
        let values: Vec<f64> = [0.0, 1.0, 5.0, 11.0, 30.0].iter().map(|v| v * factor).collect();
        let of = |linkage| {
            let grids = [Grid::from_rows(5, 1, values.clone()).unwrap()];
            let cluster = Cluster { linkage: Some(linkage), ..Cluster::default() };
            clustered(&grids, &[0], LineSide::Rows, &[vec![0, 1, 2, 3, 4]], &cluster).unwrap()
        };
        for linkage in [Linkage::Average, Linkage::Ward, Linkage::Single] {
            let (order, tree) = of(linkage);
            assert_eq!(order[0], 4, "{linkage:?}");
            let first = tree.joins()[0].height / factor.abs();
            assert!((first - 1.0).abs() < 1e-12 && tree.height().is_finite(), "{linkage:?} {first}");
        }
    }
}

#[test]
fn rows_without_a_distance_are_named() {
    let of = |rows: &[&[f64]], metric| {
        let table = Table { values: rows.concat(), width: rows[0].len() };
        table.distances(metric, 1).map(|_| ()).unwrap_err()
    };
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let euclidean = Metric::Euclidean;
    assert_eq!(of(&[&[1.0, 2.0], &[nan, nan]], euclidean), DistanceFault::Empty(1));
    assert_eq!(of(&[&[1.0, 2.0], &[inf, nan]], euclidean), DistanceFault::Infinite(1));
    assert_eq!(of(&[&[1.0, nan], &[2.0, 3.0], &[nan, 2.0]], euclidean), DistanceFault::Apart(0, 2));
    assert_eq!(of(&[&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]], Metric::Correlation), DistanceFault::Constant(0));
    assert_eq!(of(&[&[1.0, 2.0], &[0.0, -0.0]], Metric::Cosine), DistanceFault::Constant(1));
    assert_eq!(
        of(&[&[1.0, 1.0, 3.0], &[1.0, 2.0, nan]], Metric::Correlation),
        DistanceFault::ConstantTogether(0, 1)
    );
}

#[test]
fn heights_are_the_mean_distances_of_the_two_clusters() {
    // The definition of average linkage, on seeded tables with ties.
    let mut random = Random(7);
    for _ in 0..cases(40) {
        let n = 2 + random.below(7_usize) * 3;
        let rows: Vec<f64> = (0..n * 3).map(|_| random.below(7) as f64).collect();
        let table = Table { values: rows.clone(), width: 3 };
        let distances = table.distances(Metric::Euclidean, 2).unwrap();
        let merges = cluster::merges(&distances.condensed, n, Linkage::Average);
        let mut members: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
        let distance = |a: usize, b: usize| -> f64 {
            let squares = (0..3).map(|k| (rows[a * 3 + k] - rows[b * 3 + k]).powi(2));
            squares.sum::<f64>().sqrt()
        };
        for merge in &merges {
            let [a, b] = merge.of.map(|of| members[of].clone());
            let pairs = a.iter().flat_map(|&i| b.iter().map(move |&j| (i, j)));
            let mean = pairs.map(|(i, j)| distance(i, j)).sum::<f64>() / (a.len() * b.len()) as f64;
            let height = merge.height * 2f64.powi(distances.scale);
            assert!((height - mean).abs() <= 1e-9 * mean.max(1e-9), "{height} {mean}");
            members.push([a, b].concat());
        }
        let mut order = cluster::leaves(&merges);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..n));
    }
}

#[test]
fn panels_with_one_axis_have_one_order() {
    let named = |v: Vec<f64>| {
        let rows = Axis::category("k", ["a", "b", "c"].map(str::to_owned).to_vec());
        Grid::new(rows, Axis::index("", 1), Values::F64(v), &[]).unwrap()
    };
    let grids = || vec![named(vec![1.0, 2.0, 3.0]), named(vec![9.0, 2.0, f64::NAN])];
    let mut figure = Figure::default();
    figure.y.sort = Some("mean:desc".parse().unwrap());
    let orders = |figure: &Figure| -> Vec<String> {
        let out = run(grids(), figure, &Before::default(), &mut Lints::default()).unwrap();
        out.iter().map(|g| labels(g.rows()).concat()).collect()
    };
    assert_eq!(orders(&figure), ["acb", "acb"]);
    figure.share_y = Some(false);
    assert_eq!(orders(&figure), ["cba", "abc"]);
    figure.y.keep = std::num::NonZeroU32::new(1);
    assert_eq!(orders(&figure), ["c", "a"]);
    let mut lints = Lints::default();
    let out = run(grids(), &figure, &Before::default(), &mut lints).unwrap();
    assert_eq!((lints.0.len(), lints.0[0].count, out[0].rows().kept_of), (2, 2, Some(3)));
}

#[test]
fn sorting_by_an_unknown_label_names_those_that_are() {
    let grid = grid(&serde_json::json!([[1.0, 2.0], [3.0, 4.0]]));
    let mut figure = Figure::default();
    figure.y.sort = Some("accuracy".parse().unwrap());
    let e = run(vec![grid], &figure, &Before::default(), &mut Lints::default()).unwrap_err();
    assert_eq!(e.to_string(), "sort: no column is labelled 'accuracy'");
}
