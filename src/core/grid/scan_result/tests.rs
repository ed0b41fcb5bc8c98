//! The pass against sums cell by cell, whatever the threads and windows.

use super::super::passes::shown;
use super::super::plane::{Plane, random, transposed};
use super::super::source::Stored;
use super::super::{Grid, Summary, Values, fold};
use super::*;
use crate::view::EdgeTable;

fn small(
    cells: &Backing,
    shape: (usize, usize),
    ask: &ScanRequest<'_>,
    threads: usize,
    cut: usize,
) -> ScanResult {
    scan_backing(cells, shape, ask, Cut { threads, cells: cut }).unwrap()
}

fn agree(got: &[Summary], want: &[Summary]) {
    assert_eq!(got.len(), want.len());
    for (i, (a, b)) in got.iter().zip(want).enumerate() {
        let (x, y) = (a.mean(), b.mean());
        let bound = 1e-6 * y.abs() + 1e-12 * f64::from(b.max.abs().max(b.min.abs()));
        let close = x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= bound;
        assert!(close, "pixel {i}: {a:?} {b:?}");
        assert_eq!((a.min, a.max, a.count(), a.states()), (b.min, b.max, b.count(), b.states()), "pixel {i}");
    }
}

#[test]
fn a_pass_folds_as_cell_by_cell_whatever_the_threads_and_windows() {
    for (height, width, w, h) in
        [(57usize, 91usize, 13u32, 7u32), (1, 5000, 37, 1), (5000, 1, 1, 37), (40, 40, 80, 3), (3, 2, 9, 9)]
    {
        for spoiled in [false, true] {
            let values = random(height * width, (height + width) as u64, spoiled);
            let grid = Grid::new(
                super::super::Axis::index("", height),
                super::super::Axis::index("", width),
                Values::F32 { data: values.clone(), integer: false },
                &[],
            )
            .unwrap();
            let part = EdgeTable::part(width as u32, 0.3, width as f64 * 0.7, w);
            for columns in [EdgeTable::fit(width as u32, w), EdgeTable::fit(width as u32, w).reversed(), part]
            {
                let rows = EdgeTable::fit(height as u32, h).reversed();
                let want = fold(grid.cells(), width, columns.spans(), rows.spans());
                let ask = ScanRequest {
                    body: Some((columns.spans(), rows.spans())),
                    limits: [Some(-50.0), Some(50.0)],
                    positive: true,
                    ..ScanRequest::default()
                };
                let first = small(&grid.backing, (height, width), &ask, 1, 100);
                agree(first.summaries.stored().unwrap(), &want);
                let cut = small(&grid.backing, (height, width), &ask, 7, 100);
                let seen = shown(
                    &grid.backing,
                    width,
                    (columns.spans(), rows.spans()),
                    Cut { threads: 3, cells: 50 },
                )
                .unwrap();
                agree(seen.stored().unwrap(), &want);
                assert!(format!("{cut:?}") == format!("{first:?}"), "threads change nothing");
                let stored = Backing::stored(Stored::new(
                    Arc::new(Plane { width, values: Values::F32 { data: values.clone(), integer: false } }),
                    None,
                ));
                let from = small(&stored, (height, width), &ask, 3, 64);
                agree(from.summaries.stored().unwrap(), &want);
                assert_eq!((from.beyond, &from.empty_rows), (first.beyond, &first.empty_rows));
                let count = |f: fn(f32) -> bool| values.iter().filter(|v| f(**v)).count() as u64;
                let (below, above) = (count(|v| v < -50.0), count(|v| v > 50.0));
                assert_eq!(from.beyond, [Some((-50.0, below)), Some((50.0, above))]);
                let one_sided = ScanRequest { limits: [None, Some(50.0)], ..ScanRequest::default() };
                let one_sided = small(&stored, (height, width), &one_sided, 3, 64);
                assert_eq!(one_sided.beyond, [None, Some((50.0, above))]);
                let mut stats = from.stats.clone();
                stats.mean = first.stats.mean;
                assert!(stats == first.stats, "{stats:?} {:?}", first.stats);
                assert!(
                    (from.stats.mean - first.stats.mean).abs()
                        <= 1e-12 * first.stats.max.unwrap().as_f64().abs()
                );
                let flipped = Backing::stored(
                    Stored::new(Arc::new(Plane { width: height, values: transposed(&values, width) }), None)
                        .flipped(),
                );
                let turned = small(&flipped, (height, width), &ask, 2, 64);
                agree(turned.summaries.stored().unwrap(), &want);
                assert_eq!(
                    (&turned.stats.max_cells, &turned.empty_columns),
                    (&first.stats.max_cells, &first.empty_columns)
                );
            }
        }
    }
}

#[test]
fn stats_leave_states_and_infinities_out() {
    let g = Grid::from_rows(2, 3, vec![1.0, 5.0, f64::NAN, f64::INFINITY, 5.0, 1.0]).unwrap();
    let s = g.stats();
    assert_eq!((s.range(), s.max_ties, s.values, s.pos_inf), (Some((1.0, 5.0)), 2, 5, 1));
    assert_eq!(s.max_cells, vec![(0, 1), (1, 1)]);
    assert_eq!((s.mean, s.states[State::Nan.index()], s.least_positive), (3.0, 1, Some(1.0)));
}

#[test]
fn empty_rows_and_columns_are_found_across_windows() {
    let mut values = vec![1.0f64; 90];
    values[20..30].fill(f64::NAN);
    values.iter_mut().skip(4).step_by(10).for_each(|v| *v = f64::NAN);
    let g = Grid::from_rows(9, 10, values).unwrap();
    let d = small(&g.backing, (9, 10), &ScanRequest::default(), 2, 7);
    assert_eq!(
        (d.empty_rows, d.empty_columns),
        (Empty { count: 1, first: vec![2] }, Empty { count: 1, first: vec![4] })
    );
    assert_eq!(g.peek_states().unwrap(), 1 << State::Nan.index());
}

#[test]
fn wide_numbers_stay_exact() {
    let big = 1i64 << 60;
    let values = Values::I64((0..1000).map(|i| big + i % 500).collect());
    let stored = Backing::stored(Stored::new(Arc::new(Plane { width: 50, values }), Some((big + 3) as f64)));
    let (columns, rows) = (EdgeTable::fit(50, 5), EdgeTable::fit(20, 5));
    let ask = ScanRequest { body: Some((columns.spans(), rows.spans())), ..ScanRequest::default() };
    let d = small(&stored, (20, 50), &ask, 2, 64);
    assert_eq!((d.stats.max, d.stats.max_ties), (Some(Number::I64(big + 499)), 2));
    // (big + 3) as f64 is big: 0 and 500 are masked.
    assert_eq!((d.stats.min, d.stats.states[State::Masked.index()]), (Some(Number::I64(big + 1)), 2));
    let Summaries::Wide(list) = d.summaries else { panic!("i64 is wider than f32") };
    assert_eq!((list[0].min(), list[0].max()), (Some(Number::I64(big + 1)), Some(Number::I64(big + 159))));
}

#[test]
fn many_ties_keep_the_first_cells() {
    let grid = Grid::from_rows(100, 100, vec![2.5; 10_000]).unwrap();
    let d = small(&grid.backing, (100, 100), &ScanRequest::default(), 3, 37);
    assert_eq!((d.stats.max_ties, d.stats.max_cells.len(), d.stats.max_cells[99]), (10_000, 100, (0, 99)));
}
