//! Readings that take long: of all slices for their limits, of slices that are too large to be held.

use super::*;

#[test]
fn limits_of_all_slices_are_written_and_drawn() {
    let dir = tempfile::tempdir().unwrap();
    for (i, dtype) in [">f4", "<f8", "<i8", ">i4"].into_iter().enumerate() {
        let (path, shape) = (dir.path().join(format!("{i}.npy")), [3, 4, 9, 8]);
        write_npy(&path, dtype, &shape, i % 2 == 1);
        let values = (0..shape.iter().product()).map(|i| element(dtype, i).1).filter(|v| v.is_finite());
        let (least, greatest) = values.clone().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let positive = values.filter(|v| *v > 0.0).fold(f64::MAX, f64::min);
        let mut front = Front::open(&path, &Figure::default(), LIMIT);
        let painted = |front: &Front| {
            let spec = front.session.geometry().scales[0].spec();
            (spec.vmin, spec.vmax)
        };
        let own = painted(&front);
        front.go(&Command::Do(Action::SliceLimits));
        let steps = [
            Command::Leave,
            to(0, 2),
            Command::Nearer(2.0),
            to(1, 1),
            Command::Colors(gridscope_window::Colors::Norm("log".to_owned())),
            to(0, 1),
        ];
        for command in &steps {
            front.go(command);
            let (shown, drawn, text) = front.both();
            assert!(shown == drawn, "{dtype}, {command:?}\n{text}");
            let is_log = text.contains("norm = \"log\"");
            let low = if is_log { positive } else { least };
            assert_eq!(painted(&front), (low, greatest), "{dtype}, {command:?}");
        }
        // Limits that a person sets go first, and those of this slice return.
        front.go(&Command::Colors(gridscope_window::Colors::Norm("linear".to_owned())));
        front.go(&Command::Colors(gridscope_window::Colors::Limits(1.5, 7.25)));
        let (shown, drawn, text) = front.both();
        assert!(shown == drawn && painted(&front) == (1.5, 7.25), "{text}");
        front.go(&Command::Colors(gridscope_window::Colors::Auto));
        front.go(&Command::Do(Action::SliceLimits));
        front.go(&to(1, 0));
        front.go(&to(0, 0));
        let (shown, drawn, text) = front.both();
        assert!(shown == drawn && !text.contains("vmin"), "{text}");
        assert_eq!(painted(&front), own);
    }
}

#[test]
fn a_stopped_reading_sends_no_limits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    write_npy(&path, "<f8", &[300, 40, 30], false);
    let mut front = Front::open(&path, &Figure::default(), LIMIT);
    let asks = |front: &mut Front| {
        front.session.apply(&Command::Do(Action::SliceLimits));
        let wish = front.session.slices_to_read().unwrap();
        front.wishes.as_ref().unwrap().send(wish).unwrap();
    };
    asks(&mut front);
    asks(&mut front);
    front.go(&to(0, 299));
    assert_eq!(front.session.slice_text(), "axis 0 = 299");
    assert!(!front.session.wants_limits());
}

#[test]
fn of_a_slice_that_is_too_large_to_be_held_all_cells_come_unless_another_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    write_npy(&path, "<f8", &[5, 200, 90], false);
    // Slices of 216,000 bytes in memory, of which an eighth of the limit holds no two.
    let mut front = Front::open(&path, &Figure::default(), 3 << 20);
    for index in [3, 1, 4] {
        front.go(&to(0, index));
        let grid = &front.session.geometry().grids[0];
        let cell = grid.read_numbers(7..8, 11..12).unwrap()[0];
        let wanted = element("<f8", (index * 200 + 7) * 90 + 11).1;
        assert_eq!(cell.as_f64(), wanted, "slice {index}");
    }
    let wish = |front: &mut Front, index: usize| {
        front.session.apply(&to(0, index));
        let wish = front.session.slices_to_read().unwrap();
        front.wishes.as_ref().unwrap().send(wish).unwrap();
    };
    for index in [0, 2, 0, 2, 0, 3] {
        wish(&mut front, index);
    }
    front.wait();
    assert_eq!(front.session.slice_text(), "axis 0 = 3");
}
