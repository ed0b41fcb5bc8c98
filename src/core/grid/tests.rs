//! Grids: parts, and axes and texts that do not fit their cells.

mod margins;

use super::*;

#[test]
fn transposing_twice_is_the_same_grid() {
    let g = Grid::from_rows(2, 3, vec![1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let t = g.transposed();
    assert_eq!((t.height(), t.width()), (3, 2));
    assert_eq!(t.at(1, 0), Cell::Empty(State::Nan));
    assert_eq!(t.transposed().cells(), g.cells());
    assert_eq!(g.window(1..2, 1..3).unwrap().at(0, 1), Cell::Value(Number::F64(6.0)));
}

#[test]
fn an_empty_grid_is_refused() {
    assert!(Grid::from_rows(0, 5, vec![]).is_err());
    assert!(Grid::from_rows(2, 2, vec![1.0]).is_err());
}

#[test]
fn what_does_not_fit_the_cells_is_refused_and_changes_nothing() {
    let words = |n: usize| vec!["w".to_owned(); n];
    let mut g = Grid::from_rows(2, 3, vec![1.0; 6]).unwrap();
    for n in [1, 4, 70] {
        let length = |what: &str, wanted| Err(GridError::Length { what: what.to_owned(), len: n, wanted });
        let axis = || Axis::category("y", words(n));
        assert_eq!(g.set_rows(axis()), length("axis of rows 'y'", 2));
        assert_eq!(g.set_columns(axis()), length("axis of columns 'y'", 3));
        assert_eq!(g.set_field("std", vec![0.5; n]), length("field 'std'", 6));
        assert_eq!(g.set_texts("note", words(n)), length("texts 'note'", 6));
    }
    let mut short = Axis::category("x", words(3));
    short.coords = Some(Coords::Edges(vec![0.0; 3]));
    assert_eq!(
        g.set_columns(short).unwrap_err().to_string(),
        "coordinates of axis 'x': 3 entries, expected 4"
    );
    assert_eq!((g.rows(), g.columns()), (&Axis::index("", 2), &Axis::index("", 3)));
    assert!(g.fields().is_empty() && g.texts().is_empty());
    g.set_rows(Axis::category("y", words(2))).unwrap();
    assert_eq!(g.rows().label(1), "w");
}
