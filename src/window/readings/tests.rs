//! Profiles of cells that are not read yet.

use super::super::test_grids::geometry;
use super::*;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Buffer, CellSource, Grid};
use std::ops::Range;

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
    assert_eq!((&last.row, &last.column, last.is_outdated), (&known.row, &known.column, true));
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
