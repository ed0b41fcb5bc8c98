//! Places, ranges and spans that may be outside of a grid: the result is the right cells or a refusal, never another cell.

mod model;

use crate::support::random::{Random, cases};
use gridscope::Grid;
use gridscope::figure::Reduce;
use gridscope::grid::{
    Axis, BACKGROUND, Cell, GridError, Number, ScanRequest, SourceError, State, Stats, Values, fold,
};
use model::{Counted, Dice, Model, Plane, counted};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

thread_local! {
    /// Whether panics are caught on this thread, so that they print nothing.
    static ANSWERING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The result of `work`, or the message of its panic.
fn answer<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |info| {
            if !ANSWERING.get() {
                hook(info);
            }
        }));
    });
    ANSWERING.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    ANSWERING.set(false);
    done.map_err(|p| {
        let text = p.downcast_ref::<String>().cloned();
        text.or_else(|| p.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default()
    })
}

fn is_slice(r: &Range<usize>, n: usize) -> bool {
    r.start <= r.end && r.end <= n
}

fn same(got: &[f64], want: &[f64]) -> bool {
    got.iter().map(|v| v.to_bits()).eq(want.iter().map(|v| v.to_bits()))
}

#[test]
fn ranges_give_their_own_cells_or_are_refused() {
    let mut dice = Dice(Random(1));
    for case in 0..cases(400) {
        let model = Model::random(&mut dice);
        let (h, w) = (model.height, model.width);
        for (kind, grid) in model.grids().into_iter().enumerate() {
            let (r, c) = (dice.range(h), dice.range(w));
            let of = format!("case {case}, grid {kind}: {r:?} x {c:?} of {h} x {w}");
            let slices = is_slice(&r, h) && is_slice(&c, w);
            let want = if slices { model.part(r.clone(), c.clone()) } else { Vec::new() };

            match grid.window(r.clone(), c.clone()) {
                Ok(part) => {
                    assert!(
                        slices && !want.is_empty() && (part.height(), part.width()) == (r.len(), c.len()),
                        "{of}"
                    );
                    part.load().unwrap();
                    assert!(same(&all(&part), &want), "{of}");
                }
                Err(e) => assert!(
                    want.is_empty() && matches!(e, GridError::EmptyRange { .. } | GridError::Range { .. }),
                    "{of}: {e}"
                ),
            }

            match answer(|| grid.stats_of(r.clone(), c.clone()).unwrap()) {
                Ok(s) => assert!(slices && figures(&s) == counted(&want), "{of}: {s:?}"),
                Err(e) => assert!(!slices && e.contains("of a grid whose"), "{of}: {e}"),
            }

            let mut bits = vec![7; want.len()];
            match answer(|| grid.read(r.clone(), c.clone(), &mut bits).unwrap()) {
                Ok(()) => {
                    let read: Vec<f64> = bits
                        .iter()
                        .map(|b| State::of_bits(*b).map_or_else(|| number(*b).as_f64(), |_| f64::NAN))
                        .collect();
                    assert!(slices && same(&read, &want), "{of}: {read:?}");
                }
                Err(e) => assert!(!slices && e.contains("of a grid whose"), "{of}: {e}"),
            }
        }
    }
}

fn number(bits: u32) -> Number {
    Number::F64(f64::from(f32::from_bits(bits)))
}

fn all(g: &Grid) -> Vec<f64> {
    (0..g.len()).map(|i| g.at(i / g.width(), i % g.width()).as_f64()).collect()
}

/// The number of values and of NaN cells, the least and the greatest value.
fn figures(s: &Stats) -> Counted {
    (s.values, s.states[State::Nan.index()], s.min.map(Number::as_f64), s.max.map(Number::as_f64))
}

#[test]
fn places_give_their_own_cell_or_panic_with_it() {
    let mut dice = Dice(Random(2));
    for case in 0..cases(400) {
        let model = Model::random(&mut dice);
        let (h, w) = (model.height, model.width);
        for (kind, mut grid) in model.grids().into_iter().enumerate() {
            grid.load().unwrap();
            let (r, c) = (dice.index(h), dice.index(w));
            let of = format!("case {case}, grid {kind}: {r}, {c} of {h} x {w}");
            let inside = r < h && c < w;
            let refused = |e: &str| {
                !inside && e.contains(&format!("row {r}, column {c} of a grid of {h} rows x {w} columns"))
            };
            match answer(|| grid.at(r, c)) {
                Ok(v) => assert!(inside && same(&[v.as_f64()], &[model.at(r, c)]), "{of}: {v:?}"),
                Err(e) => assert!(refused(&e), "{of}: {e}"),
            }
            let before = grid.cells().to_vec();
            match answer(|| grid.set_state(r, c, State::Pending)) {
                Ok(()) => assert!(inside && grid.cells()[r * w + c] == State::Pending.bits(), "{of}"),
                Err(e) => assert!(refused(&e), "{of}: {e}"),
            }
            let changed = before.iter().zip(grid.cells()).filter(|(a, b)| a != b).count();
            assert!(changed == usize::from(inside), "{of}: {changed} cells changed");
        }
    }
}

#[test]
fn orders_give_their_own_cells_or_are_refused() {
    let mut dice = Dice(Random(3));
    for case in 0..cases(400) {
        let model = Model::random(&mut dice);
        let (h, w) = (model.height, model.width);
        for (kind, grid) in model.grids().into_iter().enumerate() {
            grid.load().unwrap();
            let mut order = |n: usize| (0..dice.below(4)).map(|_| dice.index(n)).collect::<Vec<_>>();
            let (rows, columns) = (order(h), order(w));
            let of = format!("case {case}, grid {kind}: {rows:?} x {columns:?} of {h} x {w}");
            let inside = rows.iter().all(|r| *r < h)
                && columns.iter().all(|c| *c < w)
                && !rows.is_empty()
                && !columns.is_empty();
            match grid.permuted(&rows, &columns) {
                Ok(g) => {
                    let want: Vec<f64> = rows
                        .iter()
                        .flat_map(|r| columns.iter().map(move |c| (*r, *c)))
                        .map(|(r, c)| model.at(r, c))
                        .collect();
                    assert!(inside && same(&all(&g), &want), "{of}");
                }
                Err(e) => assert!(
                    !inside && matches!(e, GridError::Index { .. } | GridError::Empty { .. }),
                    "{of}: {e}"
                ),
            }
        }
    }
}

#[test]
fn spans_fold_their_own_cells_or_are_refused() {
    let mut dice = Dice(Random(4));
    for case in 0..cases(400) {
        let model = Model::random(&mut dice);
        let (h, w) = (model.height, model.width);
        for (kind, grid) in model.grids().into_iter().enumerate() {
            let (columns, rows) = (dice.spans(w), dice.spans(h));
            let of = format!("case {case}, grid {kind}: {columns:?} x {rows:?} of {h} x {w}");
            let leaves = |list: &[[u32; 2]], n: usize| list.iter().any(|s| s[0] < s[1] && s[1] as usize > n);
            let inside = !leaves(&columns, w) && !leaves(&rows, h);
            let cells = |s: &[u32; 2]| {
                if s[0] < s[1] { s[0] as usize..s[1] as usize } else { 0..0 }
            };
            let pixels = || rows.iter().flat_map(|r| columns.iter().map(move |c| (r, c)));
            let want: Vec<_> = if inside {
                pixels().map(|(r, c)| counted(&model.part(cells(r), cells(c)))).collect()
            } else {
                Vec::new()
            };

            let body =
                ScanRequest { body: Some((columns.as_slice(), rows.as_slice())), ..ScanRequest::default() };
            for summaries in [grid.fold(&columns, &rows), grid.scan(&body).map(|d| d.summaries)] {
                let got = summaries.map(|list| {
                    let finite = |n: u64, v: f32| (n > 0).then(|| f64::from(v));
                    let number = |v: Option<Number>| v.map(Number::as_f64);
                    list.map(
                        |l| {
                            l.iter()
                                .map(|s| {
                                    (
                                        s.count(),
                                        s.states(),
                                        finite(s.count(), s.min),
                                        finite(s.count(), s.max),
                                    )
                                })
                                .collect()
                        },
                        |l| {
                            l.iter()
                                .map(|s| (s.count(), s.states(), number(s.min()), number(s.max())))
                                .collect::<Vec<_>>()
                        },
                    )
                });
                check(&of, inside, got, &want);
            }
            let exact = grid.exact(&columns, &rows);
            let number = |v: Option<Number>| v.map(Number::as_f64);
            check(
                &of,
                inside,
                exact.map(|l| l.iter().map(|e| (e.count, e.states, number(e.min), number(e.max))).collect()),
                &want,
            );

            grid.load().unwrap();
            let drawn = answer(|| {
                let (mut row_fold, mut line, mut out) = (grid.row_fold(&columns), Vec::new(), Vec::new());
                for r in &rows {
                    row_fold.row(*r, Reduce::Max, 0.0, &mut line);
                    out.extend_from_slice(&line);
                }
                out
            });
            let bits = |p: &Counted| match p {
                (0, 0, ..) => BACKGROUND,
                (0, ..) => State::Nan.bits(),
                (.., max) => max.map_or(0, |v| (v as f32).to_bits()),
            };
            match drawn {
                Ok(drawn) => {
                    assert!(inside && drawn == want.iter().map(bits).collect::<Vec<_>>(), "{of}: {drawn:?}");
                }
                Err(e) => assert!(!inside && e.contains("leaves the grid"), "{of}: {e}"),
            }
            if inside {
                let plain = fold(grid.cells(), w, &columns, &rows);
                assert!(plain.iter().map(|s| s.reduce(Reduce::Max, 0.0)).eq(want.iter().map(bits)), "{of}");
            }
        }
    }
}

/// The number of values, the bits of states, the least and the greatest value.
type Pixel = (u64, u8, Option<f64>, Option<f64>);

/// Compares the tally of each pixel with its values and NaN cells.
fn check(of: &str, inside: bool, got: Result<Vec<Pixel>, SourceError>, want: &[Counted]) {
    match got {
        Ok(list) => {
            let states = |nan: u64| if nan > 0 { 1u8 << State::Nan.index() } else { 0 };
            let want: Vec<_> = want.iter().map(|p| (p.0, states(p.1), p.2, p.3)).collect();
            assert!(inside && list == want, "{of}: {list:?}");
        }
        Err(e) => {
            assert!(!inside && e.file.is_empty() && e.to_string().contains("leaves the grid"), "{of}: {e}");
        }
    }
}

#[test]
fn any_number_of_extremes_may_be_requested() {
    let grid = Grid::from_rows(2, 3, vec![4.0, f64::NAN, 1.0, 9.0, f64::INFINITY, 5.0]).unwrap();
    for (n, want) in [(0, 0), (1, 1), (4, 4), (usize::MAX, 4)] {
        let found = grid.extremes(n, true).unwrap();
        assert_eq!(
            found,
            [((1, 0), 9.0), ((1, 2), 5.0), ((0, 0), 4.0), ((0, 2), 1.0)].map(|(at, v)| (at, Number::F64(v)))
                [..want]
        );
    }
}

#[test]
fn labels_states_and_texts_move_with_their_cells() {
    let mut held = Grid::from_rows(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    held.set_rows(Axis::category("y", vec!["a".into(), "b".into()])).unwrap();
    held.set_state(0, 1, State::Absent);
    assert_eq!(held.permuted(&[1, 0], &[0, 1]).unwrap().columns(), held.columns());
    let p = held.permuted(&[1, 0], &[1, 0]).unwrap();
    assert_eq!(
        (p.at(0, 0), p.at(1, 0), p.at(1, 1)),
        (Cell::Value(Number::F64(4.0)), Cell::Empty(State::Absent), Cell::Value(Number::F64(1.0)))
    );
    assert_eq!((p.rows().label(0), p.columns().label(0)), ("b".to_owned(), "1".to_owned()));

    let stored = Grid::stored(Arc::new(Plane { width: 2, numbers: vec![1.0, 2.0, 3.0, 4.0] }), None).unwrap();
    let whole =
        Grid::new(Axis::index("", 2), Axis::index("", 2), Values::I64(vec![1, 2, 3, 4]), &[]).unwrap();
    for mut grid in [stored, whole] {
        grid.set_field("n", vec![10.0, 20.0, 30.0, 40.0]).unwrap();
        grid.set_texts("note", ["p", "q", "r", "s"].map(str::to_owned).to_vec()).unwrap();
        let part = grid.window(1..2, 0..2).unwrap();
        assert_eq!(
            (&part.fields()["n"], &part.texts()["note"]),
            (&vec![30.0, 40.0], &vec!["r".to_owned(), "s".to_owned()])
        );
        assert_eq!(grid.transposed().fields()["n"], [10.0, 30.0, 20.0, 40.0]);
    }
}
