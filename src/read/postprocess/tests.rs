//! Masks and views of loaded grids.

use super::*;
use crate::{ErrorKind, apply};
use gridscope_core::figure::ViewSpec;
use gridscope_core::grid::{Cell, Number, State};

/// Cell (r, c) holds 10 r + c.
fn grid(rows: usize, columns: usize) -> Grid {
    Grid::from_rows(
        rows,
        columns,
        (0..rows * columns).map(|i| (i / columns * 10 + i % columns) as f64).collect(),
    )
    .unwrap()
}

fn run(grids: Vec<Grid>, edit: impl Fn(&mut Figure), base: &Path) -> Result<Vec<Grid>, InputError> {
    let mut f = Figure::default();
    edit(&mut f);
    apply(grids, &f, base, "a.csv", 1 << 30)
}

fn shown(
    rows: usize,
    columns: usize,
    edit: impl Fn(&mut ViewSpec),
) -> Result<(usize, usize, Number), InputError> {
    let g = run(vec![grid(rows, columns)], |f| edit(&mut f.view), Path::new(""))?.remove(0);
    Ok((g.height(), g.width(), g.at(0, 0).value().unwrap()))
}

#[test]
fn triangles_hide_the_diagonal_and_leave_states() {
    let mut g = grid(3, 3);
    g.set_state(0, 2, State::Absent);
    let g = run(vec![g], |f| f.data.mask = "upper".parse().ok(), Path::new("")).unwrap().remove(0);
    let hidden: Vec<bool> = (0..9).map(|i| g.at(i / 3, i % 3) == Cell::Empty(State::Masked)).collect();
    assert_eq!(hidden, [true, true, false, false, true, true, false, false, true]);
    let g = run(vec![grid(2, 3)], |f| f.data.mask = "lower".parse().ok(), Path::new("")).unwrap().remove(0);
    assert_eq!((0..6).filter(|i| g.at(i / 3, i % 3).state().is_some()).count(), 3);
}

#[test]
fn a_mask_file_fits_the_grid_or_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let with = |text: &str| {
        std::fs::write(dir.path().join("m.csv"), text).unwrap();
        run(vec![grid(2, 2)], |f| f.data.mask = "m.csv".parse().ok(), dir.path()).map(|mut g| g.remove(0))
    };
    let g = with("0,1\n1,0\n").unwrap();
    assert_eq!((g.at(0, 1), g.at(1, 1)), (Cell::Empty(State::Masked), Cell::Value(Number::F64(11.0))));
    assert!(
        with("0,1,0\n1,0,0\n")
            .unwrap_err()
            .to_string()
            .contains("2 rows x 3 columns, but the grid has 2 rows x 2")
    );
    assert!(with("0,1\n1\n").unwrap_err().to_string().contains("row 2 has 1"));
    assert!(with("0,2\n1,0\n").unwrap_err().to_string().contains("found 2"));
    assert!(
        run(vec![grid(2, 2)], |f| f.data.mask = "uper".parse().ok(), dir.path()).unwrap_err().hint.is_some()
    );
}

#[test]
fn windows_are_half_open_and_checked() {
    let n = Number::F64;
    assert_eq!(shown(5, 6, |v| v.rows = Some("1:3".parse().unwrap())), Ok((2, 6, n(10.0))));
    assert_eq!(shown(5, 6, |v| v.cols = Some("4:".parse().unwrap())), Ok((5, 2, n(4.0))));
    assert_eq!(shown(5, 6, |v| v.rows = Some(":".parse().unwrap())), Ok((5, 6, n(0.0))));
    for bad in ["0:6", "7:", "5:"] {
        assert_eq!(
            shown(5, 6, |v| v.rows = Some(bad.parse().unwrap())).unwrap_err().kind,
            ErrorKind::Usage,
            "{bad}"
        );
    }
}

#[test]
fn around_clamps_at_the_sides() {
    let around = |place: &str, radius: Option<u64>| {
        let place = Some(place.parse().unwrap());
        shown(5, 6, move |v| (v.around, v.radius) = (place.clone(), radius))
    };
    let n = Number::F64;
    assert_eq!(around("max", Some(1)), Ok((2, 2, n(34.0))));
    assert_eq!(around("min", Some(0)), Ok((1, 1, n(0.0))));
    assert_eq!(around("2, 3", Some(1)), Ok((3, 3, n(12.0))));
    assert_eq!(around("2,3", None), Ok((5, 6, n(0.0))));
    assert_eq!(around("2,3", Some(u64::MAX)), Ok((5, 6, n(0.0))));
    assert!(around("5,0", None).is_err());
    let both = run(
        vec![grid(3, 3)],
        |f| (f.view.around, f.view.rows) = (Some("max".parse().unwrap()), Some("0:1".parse().unwrap())),
        Path::new(""),
    );
    assert!(both.is_err());
    let nothing = Grid::from_rows(1, 1, vec![f64::NAN]).unwrap();
    assert!(run(vec![nothing], |f| f.view.around = Some("max".parse().unwrap()), Path::new("")).is_err());
}

#[test]
fn panels_of_one_size_show_the_same_window() {
    let mut high = grid(5, 6);
    high = high.permuted(&[4, 3, 2, 1, 0], &[0, 1, 2, 3, 4, 5]).unwrap();
    let edit = |f: &mut Figure| (f.view.around, f.view.radius) = (Some("max".parse().unwrap()), Some(0));
    let g = run(vec![grid(5, 6), high], edit, Path::new("")).unwrap();
    assert_eq!(
        (g[0].at(0, 0), g[1].at(0, 0)),
        (Cell::Value(Number::F64(45.0)), Cell::Value(Number::F64(5.0)))
    );
}
