//! Counts on the device are those of the CPU, of hostile grids of every kind.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use crate::support::random::{Random, cases};
use crate::wide::number;
use gridscope::gpu::{Context, GpuError, GridCounter, Painter, PainterOptions};
use gridscope::grid::{Axis, CellCounter, Grid, Kind, Number, State, Values};
use std::cmp::Ordering;
use std::ops::Range;

const KINDS: [Kind; 4] = [Kind::F32, Kind::F64, Kind::I64, Kind::U64];

/// A grid of hostile numbers; of some, many are alike, and some have no value at all.
fn grid(kind: Kind, (rows, columns): (usize, usize), r: &mut Random) -> Grid {
    let n = rows * columns;
    let few: Vec<Number> = (0..3).map(|_| number(kind, r, 9)).collect();
    let (alike, empty) = (r.chance(0.3), [0.0, 0.1, 0.9, 1.0][r.below(4usize)]);
    let values: Vec<Option<Number>> = (0..n)
        .map(|_| {
            Some(if alike {
                few[r.below(3usize)]
            } else {
                number(kind, r, 14)
            })
        })
        .collect();
    let states: Vec<Option<State>> = (0..n)
        .map(|_| r.chance(empty).then(|| State::ALL[r.below(State::ALL.len())]))
        .collect();
    let values = Values::of(kind, values.into_iter());
    Grid::new(Axis::index("", rows), Axis::index("", columns), values, &states).unwrap()
}

/// Sizes at the edges of workgroups, bands and rows.
fn size(r: &mut Random) -> (usize, usize) {
    let side = |r: &mut Random| [1, 2, 7, 63, 64, 65, 127, 130][r.below(8usize)];
    match r.below(6) {
        0 => (1, 1 + r.below(5000usize)),
        1 => (1 + r.below(5000usize), 1),
        _ => (side(r), side(r)),
    }
}

/// Some of so many rows or columns.
fn part(n: usize, r: &mut Random) -> Range<usize> {
    let from = r.below(n);
    from..from + 1 + r.below(n - from)
}

fn counter(context: &Context, g: &Grid, band_bytes: Option<u64>) -> GridCounter {
    let mut sizes = PainterOptions::default();
    sizes.band_bytes = band_bytes.unwrap_or(sizes.band_bytes);
    let mut painter = Painter::with_options(context, sizes).unwrap();
    painter.upload(std::slice::from_ref(g), &mut |_, _| ()).unwrap();
    painter.counter(0).unwrap()
}

/// Ascending edges: even, uneven, those of the data, and beyond it.
fn edges(g: &Grid, r: &mut Random) -> Vec<f64> {
    let bins = 1 + r.below(300usize);
    let (low, high) = g.stats().range().unwrap_or((0.0, 1.0));
    let (low, high) = match r.below(4) {
        0 => (0.0, 1.0),
        1 => (low / 2.0, high / 2.0 + 1.0),
        _ => (low, high),
    };
    let even = |k: usize| {
        let share = k as f64 / bins as f64;
        low * (1.0 - share) + high * share
    };
    let mut out: Vec<f64> = match r.below(3) {
        0 => {
            let cell = |r: &mut Random| g.at(r.below(g.height()), r.below(g.width())).as_f64();
            (0..=bins).map(|_| cell(r)).filter(|v| v.is_finite()).collect()
        }
        1 => (0..=bins)
            .map(|k| even(k).abs().sqrt().copysign(even(k)))
            .collect(),
        _ => (0..=bins).map(even).collect(),
    };
    out.sort_by(f64::total_cmp);
    out
}

#[test]
fn bins_hold_what_the_cpu_counts() {
    let Some(context) = context() else { return };
    for case in 0..cases(120) {
        let mut r = Random(case);
        let kind = KINDS[case as usize % 4];
        let at = size(&mut r);
        let g = grid(kind, at, &mut r);
        let small = r.chance(0.5).then(|| 8 * (1 + r.below(200u64)));
        let counter = counter(context, &g, small);
        for _ in 0..3 {
            let edges = edges(&g, &mut r);
            let cpu = g.bin_counts(&edges, 1, &|| true).unwrap().unwrap();
            let gpu = counter.bin_counts(&edges, &mut || true).unwrap().unwrap();
            assert_eq!(gpu, cpu, "case {case}, {kind:?} {at:?}, {edges:?}");
        }
    }
}

#[test]
fn ranks_are_those_of_a_sort() {
    let Some(context) = context() else { return };
    for case in 0..cases(80) {
        let mut r = Random(case + 1000);
        let kind = KINDS[case as usize % 4];
        let at = size(&mut r);
        let g = grid(kind, at, &mut r);
        let small = r.chance(0.5).then(|| 8 * (1 + r.below(200u64)));
        let counter = counter(context, &g, small);
        let (rows, columns) = if r.chance(0.5) {
            (0..at.0, 0..at.1)
        } else {
            (part(at.0, &mut r), part(at.1, &mut r))
        };
        let places = rows.clone().flat_map(|y| columns.clone().map(move |x| (y, x)));
        let mut sorted: Vec<Number> = places.filter_map(|(y, x)| g.at(y, x).value()).collect();
        sorted.sort_by(|a, b| a.compare(*b).unwrap_or(Ordering::Equal));
        let n = sorted.len() as u64;
        let mut wanted: Vec<u64> = (0..if n == 0 { 0 } else { 8 }).map(|_| r.below(n)).collect();
        wanted.sort_unstable();
        let found = counter
            .ranks(rows.clone(), columns.clone(), &wanted, &mut || true)
            .unwrap()
            .unwrap();
        let want: Vec<Number> = wanted.iter().map(|k| sorted[*k as usize]).collect();
        assert_eq!(found, want, "case {case}, {kind:?} {at:?}, {rows:?} {columns:?}");
        let beyond = counter.ranks(rows.clone(), columns.clone(), &[n], &mut || true);
        assert!(matches!(beyond, Err(GpuError::Misuse(_))), "{beyond:?}");
    }
}

/// What the CPU and a counter say of a block; NaN equals itself.
fn statistics(g: &Grid, block: (&Range<usize>, &Range<usize>), counter: Option<&GridCounter>) -> String {
    let (rows, columns) = (block.0.clone(), block.1.clone());
    let counter = counter.map(|c| c as &dyn CellCounter);
    let found = g.block_statistics_with(rows, columns, 1, &|| true, counter);
    let mut found = found.unwrap().unwrap();
    // A zero may have a sign on the CPU, by the order of its cells.
    let unsigned = |v: Number| match v {
        Number::F64(0.0) => Number::F64(0.0),
        v => v,
    };
    (found.stats.min, found.stats.max) = (found.stats.min.map(unsigned), found.stats.max.map(unsigned));
    found.quartiles = found.quartiles.map(|q| q.map(unsigned));
    format!("{found:?}")
}

#[test]
fn statistics_are_those_of_the_cpu() {
    let Some(context) = context() else { return };
    for case in 0..cases(48) {
        let mut r = Random(case + 2000);
        let kind = KINDS[case as usize % 4];
        let at = size(&mut r);
        let g = grid(kind, at, &mut r);
        let small = r.chance(0.5).then(|| 8 * (1 + r.below(200u64)));
        let counter = counter(context, &g, small);
        for _ in 0..2 {
            let (rows, columns) = if r.chance(0.4) {
                (0..at.0, 0..at.1)
            } else {
                (part(at.0, &mut r), part(at.1, &mut r))
            };
            let what = format!("case {case}, {kind:?} {at:?}, {rows:?} {columns:?}");
            let found = counter.statistics(rows.clone(), columns.clone(), &mut || true);
            assert!(found.unwrap().is_some(), "{what}");
            let block = (&rows, &columns);
            assert_eq!(
                statistics(&g, block, Some(&counter)),
                statistics(&g, block, None),
                "{what}"
            );
        }
        let beyond = counter.statistics(0..at.0 + 1, 0..1, &mut || true);
        assert!(matches!(beyond, Err(GpuError::Limit { .. })), "{beyond:?}");
    }
}

/// The number of a row and a column.
type Value = fn(usize, usize) -> f64;

/// More ties than are listed at once, in several places of the grid; and numbers whose sums fill the digits of a counter.
#[test]
fn the_first_of_many_ties_are_found() {
    let Some(context) = context() else { return };
    let (h, w) = (700usize, 611usize);
    let grids: [(Value, u64); 5] = [
        (|_, _| 3.5, 700 * 611),
        // A few at the start, and most of them far behind.
        (
            |r, c| {
                if r > 500 || (r == 3 && c % 60 == 7) {
                    -1.0
                } else {
                    2.0
                }
            },
            199 * 611 + 11,
        ),
        (|r, _| f64::from(u8::from(r < 600)), 100 * 611),
        (|r, c| ((r * 611 + c) % 3) as f64, 0),
        (|_, _| -f64::from(f32::MAX), 700 * 611),
    ];
    for (i, (value, ties)) in grids.into_iter().enumerate() {
        for kind in [KINDS[i % 4], KINDS[(i + 1) % 4]] {
            let values = (0..h * w).map(|i| {
                let v = value(i / w, i % w);
                Some(match kind {
                    Kind::I64 => Number::I64(v as i64),
                    Kind::U64 => Number::U64(u64::MAX - (9 - v.clamp(-9.0, 9.0) as i64) as u64),
                    _ => Number::F64(v),
                })
            });
            let g = Grid::new(
                Axis::index("", h),
                Axis::index("", w),
                Values::of(kind, values),
                &[],
            )
            .unwrap();
            let counter = counter(context, &g, Some(1 << 19));
            let (stats, _) = counter.statistics(0..h, 0..w, &mut || true).unwrap().unwrap();
            assert!(ties == 0 || stats.min_ties == ties, "{kind:?} {}", stats.min_ties);
            let all = (&(0..h), &(0..w));
            assert_eq!(
                statistics(&g, all, Some(&counter)),
                statistics(&g, all, None),
                "{kind:?}"
            );
        }
    }
}

/// Several submissions, between which a count may be stopped; and what a counter refuses.
#[test]
fn a_count_may_be_stopped_and_refuses_what_it_cannot_hold() {
    let Some(context) = context() else { return };
    let values = (0..3i64 << 20).map(|i| ((i * 7919) % 1009) as f32).collect();
    let values = Values::F32 {
        data: values,
        integer: true,
    };
    let g = Grid::new(Axis::index("", 3 << 10), Axis::index("", 1 << 10), values, &[]).unwrap();
    let counter = counter(context, &g, Some(4 << 20));
    let edges: Vec<f64> = (0..=100).map(|k| f64::from(k) * 10.0).collect();
    let cpu = g.bin_counts(&edges, 2, &|| true).unwrap().unwrap();
    for most in 0..9 {
        let mut asked = 0;
        let mut goes_on = || {
            asked += 1;
            asked <= most
        };
        match counter.bin_counts(&edges, &mut goes_on).unwrap() {
            Some(found) => assert_eq!(found, cpu),
            None => assert_eq!(asked, most + 1, "it was told to stop"),
        }
    }
    for most in 0..5 {
        let mut asked = 0;
        let mut goes_on = || {
            asked += 1;
            asked <= most
        };
        let found = counter.statistics(0..3 << 10, 0..1 << 10, &mut goes_on).unwrap();
        assert!(found.is_some() || asked == most + 1, "it was told to stop");
        assert!(most > 0 || found.is_none(), "there is more than one submission");
    }
    let narrow = counter
        .ranks(5..3000, 17..82, &[0, 100_000], &mut || true)
        .unwrap()
        .unwrap();
    let mut sorted: Vec<i64> = (5..3000)
        .flat_map(|y| (17..82).map(move |x| (y * 1024 + x) * 7919 % 1009))
        .collect();
    sorted.sort_unstable();
    assert_eq!(
        narrow.iter().map(|v| v.as_f64() as i64).collect::<Vec<_>>(),
        [sorted[0], sorted[100_000]]
    );
    let many: Vec<f64> = (0..3000).map(f64::from).collect();
    assert!(matches!(
        counter.bin_counts(&many, &mut || true),
        Err(GpuError::Limit { .. })
    ));
    assert!(matches!(
        counter.ranks(0..1, 0..1025, &[0], &mut || true),
        Err(GpuError::Limit { .. })
    ));
    assert!(matches!(
        counter.ranks(0..1, 0..9, &[0; 9], &mut || true),
        Err(GpuError::Limit { .. })
    ));
}
