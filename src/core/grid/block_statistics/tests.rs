//! Statistics of blocks against plain code over the same numbers.

use super::super::plane::Plane;
use super::super::{Axis, Grid, State, Values};
use super::*;
use gridscope_random::{Random, cases};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A part of a side of `n` cells.
fn range(d: &mut Random, n: usize) -> Range<usize> {
    let from = d.below(n);
    from..from + 1 + d.below(n - from)
}

fn all_of(g: &Grid) -> BlockStatistics {
    block(g, 0..g.height(), 0..g.width())
}

fn block(g: &Grid, rows: Range<usize>, columns: Range<usize>) -> BlockStatistics {
    g.block_statistics(rows, columns, 2, &|| true).unwrap().unwrap()
}

/// Numbers of one of several kinds and spreads.
fn values(d: &mut Random, n: usize) -> Values {
    match d.below(8) {
        0 => Values::F32 { data: (0..n).map(|_| d.unit() as f32 * 100.0 - 20.0).collect(), integer: false },
        1 => Values::F32 { data: (0..n).map(|_| d.below(256) as f32).collect(), integer: true },
        2 => Values::F64((0..n).map(|_| 1e9 + d.unit()).collect()),
        3 => Values::F64((0..n).map(|_| (d.unit() - 0.5) * 2.0 * 1.7e308).collect()),
        4 => Values::F64((0..n).map(|_| 10f64.powf(d.unit() * 20.0 - 300.0)).collect()),
        5 => Values::I64((0..n).map(|_| (1 << 60) + d.below(9_i64)).collect()),
        6 => Values::I64((0..n).map(|_| d.bits() as i64).collect()),
        _ => Values::U64((0..n).map(|_| u64::MAX - d.below(1 << 20)).collect()),
    }
}

/// Mean and sample standard deviation, from distances to the first number: no digits of numbers close together are lost.
fn plain(numbers: &[Number]) -> (f64, f64) {
    let whole: Option<Vec<i128>> = numbers.iter().map(|v| super::whole(*v)).collect();
    let most = numbers.iter().map(|v| v.as_f64().abs()).fold(0.0, f64::max);
    // Powers of two, so that no square leaves f64.
    let unit = match most {
        m if m > 1e150 => 2f64.powi(600),
        m if m < 1e-150 => 2f64.powi(-600),
        _ => 1.0,
    };
    let first = numbers[0].as_f64();
    let list: Vec<f64> = match &whole {
        Some(v) => v.iter().map(|w| (w - v[0]) as f64 / unit).collect(),
        None => numbers.iter().map(|v| v.as_f64() / unit - first / unit).collect(),
    };
    let n = list.len() as f64;
    let mean = list.iter().sum::<f64>() / n;
    let squares: f64 = list.iter().map(|v| (v - mean) * (v - mean)).sum();
    ((mean + first / unit) * unit, (squares / (n - 1.0)).sqrt() * unit)
}

/// numpy's `linear` rule over sorted numbers.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (low, t) = (at.floor() as usize, at.fract());
    let (a, b) = (sorted[low], sorted[(low + 1).min(sorted.len() - 1)]);
    if t == 0.0 || a == b {
        a
    } else if (b - a).is_infinite() {
        a * (1.0 - t) + b * t
    } else if t < 0.5 {
        a + (b - a) * t
    } else {
        b - (b - a) * (1.0 - t)
    }
}

fn near(got: f64, want: f64, scale: f64, what: &str) {
    let same = got == want || got.is_nan() && want.is_nan();
    assert!(same || (got - want).abs() <= 1e-11 * scale, "{what}: {got} is not {want}");
}

#[test]
fn statistics_are_those_of_plain_code() {
    for case in 0..cases(120) {
        let d = &mut Random(case);
        let (h, w) = (d.within(1, 40_usize), d.within(1, 40_usize));
        let mut values = values(d, h * w);
        let spoils = d.below(3);
        if let Values::F64(v) = &mut values {
            for v in v.iter_mut() {
                match d.below(20) {
                    0 if spoils > 0 => *v = f64::NAN,
                    1 if spoils > 1 => *v = f64::INFINITY,
                    2 if spoils > 1 && case % 2 == 0 => *v = f64::NEG_INFINITY,
                    _ => {}
                }
            }
        }
        let states: Vec<Option<State>> =
            (0..h * w).map(|_| (d.below(9) == 0).then(|| d.pick(&State::ALL))).collect();
        let grid = Grid::new(Axis::index("", h), Axis::index("", w), values, &states).unwrap();
        let (rows, columns) = (range(d, h), range(d, w));
        let got = block(&grid, rows.clone(), columns.clone());
        let places = rows.clone().flat_map(|r| columns.clone().map(move |c| (r, c)));
        let cells: Vec<_> = places.map(|(r, c)| grid.at(r, c)).collect();
        let numbers: Vec<Number> = cells.iter().filter_map(|c| c.value()).collect();
        let finite: Vec<Number> = numbers.iter().copied().filter(|v| v.as_f64().is_finite()).collect();
        let what = format!("case {case}: {rows:?} x {columns:?} of {:?}", grid.kind());
        assert_eq!(got.stats.values, numbers.len() as u64, "{what}");
        for s in State::ALL {
            let n = cells.iter().filter(|c| c.state() == Some(s)).count() as u64;
            assert_eq!(got.stats.states[s.index()], n, "{what} {s:?}");
        }
        // As texts, since NaN is not equal to itself.
        let mut stats = grid.stats_of(rows, columns).unwrap();
        // The mean of a scan is a sum of f64 by n.
        near(got.stats.mean, stats.mean, stats.mean.abs(), &what);
        stats.mean = got.stats.mean;
        assert_eq!(format!("{:?}", got.stats), format!("{stats:?}"), "{what}");
        let mut sorted: Vec<f64> = numbers.iter().map(|v| v.as_f64()).collect();
        sorted.sort_by(f64::total_cmp);
        match got.quartiles {
            None => assert!(numbers.is_empty(), "{what}"),
            Some(all) => {
                for (q, got) in QUARTERS.into_iter().zip(all) {
                    let want = quantile(&sorted, q);
                    near(got.as_f64(), want, want.abs(), &what);
                }
            }
        }
        if finite.len() < numbers.len() {
            let sum: f64 = sorted.iter().filter(|v| v.is_infinite()).sum();
            near(got.mean, sum, 0.0, &what);
            near(got.sum.as_f64(), sum, 0.0, &what);
            assert!(got.std.is_nan(), "{what}");
        } else if numbers.is_empty() {
            assert!(got.mean.is_nan() && got.std.is_nan(), "{what}");
        } else {
            let (mean, std) = plain(&finite);
            near(got.mean, mean, sorted.iter().map(|v| v.abs()).fold(0.0, f64::max), &what);
            near(got.std, if numbers.len() < 2 { f64::NAN } else { std }, std, &what);
            if let Sum::Whole(sum) = got.sum {
                assert_eq!(sum, finite.iter().filter_map(|v| super::whole(*v)).sum::<i128>(), "{what}");
            }
        }
    }
}

#[test]
fn integers_beyond_f64_are_told_apart() {
    let big = (1i64 << 60) + 1;
    let of = |v: Vec<i64>| {
        let n = v.len();
        all_of(&Grid::new(Axis::index("", 1), Axis::index("", n), Values::I64(v), &[]).unwrap())
    };
    let s = of(vec![big, big + 1, big + 2, big + 3, big + 4]);
    assert_eq!(
        (s.sum, s.quartiles, s.std),
        (Sum::Whole(5 * i128::from(big) + 10), Some([1, 2, 3].map(|k| Number::I64(big + k))), 2.5f64.sqrt())
    );
    // The middle of an even number of neighbours.
    let s = of(vec![2, 1, 4, 3]);
    assert_eq!((s.quartiles, s.mean), (Some([1.75, 2.5, 3.25].map(Number::F64)), 2.5));
    assert_eq!(of(vec![i64::MAX; 7]).sum, Sum::Whole(7 * i128::from(i64::MAX)));
    assert_eq!(of(vec![i64::MAX; 7]).std, 0.0);
    assert!(of(vec![5]).std.is_nan());
}

#[test]
fn sources_that_are_turned_have_the_statistics_of_their_grid() {
    let d = &mut Random(5);
    let values: Vec<f64> = (0..300).map(|_| d.below(1000) as f64 / 7.0).collect();
    let turned: Vec<f64> = (0..300).map(|i| values[i % 20 * 15 + i / 20]).collect();
    let held = Grid::from_rows(20, 15, values.clone()).unwrap();
    let plane = |v: Vec<f64>, width: usize| Plane { width, values: Values::F64(v) };
    let stored = Grid::stored(Arc::new(plane(values, 15)), None).unwrap();
    let other = Grid::stored(Arc::new(plane(turned, 20)), None).unwrap().transposed();
    for (rows, columns) in [(0..20, 0..15), (3..9, 14..15), (19..20, 2..11)] {
        let want = block(&held, rows.clone(), columns.clone());
        for g in [&stored, &other] {
            let got = block(g, rows.clone(), columns.clone());
            assert_eq!(
                (&got.stats.min, &got.stats.max, got.stats.values),
                (&want.stats.min, &want.stats.max, want.stats.values)
            );
            assert_eq!(got.stats.max_cells, want.stats.max_cells);
            assert_eq!(got.quartiles, want.quartiles);
            assert_eq!((got.std, got.sum, got.mean), (want.std, want.sum, want.mean));
        }
    }
}

#[test]
fn a_pass_that_nobody_wants_any_more_ends() {
    let grid = Grid::from_rows(100, 100, (0..10_000).map(f64::from).collect()).unwrap();
    let asked = AtomicUsize::new(0);
    for left in 0..2 {
        asked.store(0, Ordering::Relaxed);
        let goes_on = || asked.fetch_add(1, Ordering::Relaxed) < left;
        assert_eq!(grid.block_statistics(0..100, 0..100, 1, &goes_on), Ok(None));
        assert_eq!(asked.load(Ordering::Relaxed), left + 1, "nothing is read after the answer");
    }
}
