//! Statistics by a counter, and profiles of cells that are not read yet.

use super::super::test_grids::geometry;
use super::*;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Buffer, CellCounter, CellSource, Grid, Moments, Number, Stats};
use std::ops::Range;

/// Finds 7 at every rank, or fails.
#[derive(Debug)]
struct Sevens(bool);

impl CellCounter for Sevens {
    fn bin_counts(&self, _: &[f64], _: &(dyn Fn() -> bool + Sync)) -> Option<BinCounts> {
        None
    }

    fn ranks(
        &self,
        _: Range<usize>,
        _: Range<usize>,
        wanted: &[u64],
        _: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Number>> {
        self.0.then(|| vec![Number::F64(7.0); wanted.len()])
    }

    fn statistics(
        &self,
        _: Range<usize>,
        _: Range<usize>,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Stats, Moments)> {
        None
    }
}

/// A file of 60 columns.
#[derive(Debug)]
struct Stored;

impl CellSource for Stored {
    fn rows(&self) -> usize {
        40
    }

    fn columns(&self) -> usize {
        60
    }

    fn buffer(&self) -> Buffer {
        Buffer::I64(Vec::new())
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        let value = |r: usize, c: usize| (r * 60 + c) as i64;
        let all = rows.flat_map(|r| columns.clone().map(move |c| value(r, c)));
        *into = Buffer::I64(all.collect());
        Ok(())
    }
}

#[test]
fn profiles_of_cells_in_a_file_are_the_last_ones_until_the_view_is_read() {
    let held = Grid::from_rows(40, 60, (0..2400).map(f64::from).collect()).unwrap();
    let mut w = geometry(vec![held], PxSize { w: 30, h: 20 });
    w.grids = Arc::new(vec![Grid::stored(Arc::new(Stored), None).unwrap()]);
    let centre = w.panels[0].body.rect().center();
    let mut state = ViewState::new(&w);
    (state.profiles, state.pointer) = (true, Some(centre));
    let spans = (w.panels[0].columns.spans(), w.panels[0].rows.spans());
    let folded = Arc::new(w.grids[0].fold(spans.0, spans.1).unwrap());
    let mut readings = Readings::default();
    assert!(readings.profiles(&w, &state).is_none(), "nothing is read yet");
    readings.forget_pointer();
    readings.folded = vec![Some(folded.clone())];
    let known = readings.profiles(&w, &state).unwrap().clone();
    assert!(!known.is_outdated);
    // The view moves.
    readings.move_on();
    readings.forget_pointer();
    let last = readings.profiles(&w, &state).unwrap().clone();
    assert_eq!(
        (&last.row, &last.column, last.is_outdated),
        (&known.row, &known.column, true)
    );
    // It is read.
    readings.forget_pointer();
    readings.folded = vec![Some(folded)];
    assert_eq!(readings.profiles(&w, &state), Some(&known));
    // Bodies of other pixels, and points beside them, have none.
    readings.move_on();
    readings.forget_pointer();
    w.panels[0].rows = gridscope_core::view::EdgeTable::fit(40, 10);
    assert!(readings.profiles(&w, &state).is_none());
    state.pointer = Some(Point { x: 1.0, y: 1.0 });
    assert!(readings.profiles(&w, &state).is_none());
}

#[test]
fn quartiles_of_many_cells_come_from_the_counter_unless_it_fails() {
    let median = |side: usize, counters: Counters| {
        let grid = Grid::from_rows(side, side, (0..side * side).map(|i| (i % 3) as f64).collect()).unwrap();
        let w = geometry(vec![grid], PxSize { w: 400, h: 300 });
        let mut state = ViewState::new(&w);
        state.statistics = true;
        let mut readings = Readings {
            counters,
            ..Readings::default()
        };
        let table = readings.statistics(&w, &state, None).unwrap();
        let line = table.lines.into_iter().find(|l| l.0 == "median");
        line.unwrap().1
    };
    let by = |works: bool| -> Counters { Arc::new(vec![Some(Arc::new(Sevens(works)))]) };
    assert_eq!(median(400, by(true)), "7");
    assert_eq!(median(400, by(false)), "1");
    assert_eq!(median(400, Counters::default()), "1");
    assert_eq!(median(100, by(true)), "1", "few cells are the CPU's");
}
