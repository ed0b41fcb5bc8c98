//! Slices, panels and options of arrays, and an array format of a few lines.

use super::*;
use crate::ErrorKind;
use crate::array::{Dtype, Window};
use gridscope_core::figure::{AxisType, List};
use gridscope_core::grid::{AxisKind, Buffer, Cell, Number, ScanRequest, SourceError};
use std::sync::atomic::{AtomicUsize, Ordering};

fn array(shape: &[usize]) -> Array {
    let n = shape.iter().product::<usize>();
    Array { shape: shape.to_vec(), data: Values::I64((0..n as i64).collect()) }
}

fn with(panel: Option<&str>, slice: &[&str]) -> Figure {
    let mut f = Figure::default();
    f.data.panel = panel.map(Into::into);
    f.data.slice = (!slice.is_empty()).then(|| List(slice.iter().map(|s| (*s).to_owned()).collect()));
    f
}

fn one(shape: &[usize], f: &Figure) -> Grid {
    let mut g = grids_of_array(array(shape), "a.npy", f).unwrap();
    assert_eq!(g.len(), 1);
    g.remove(0)
}

fn corner(g: &Grid) -> (usize, usize, Number, Number) {
    (g.height(), g.width(), g.at(0, 0).value().unwrap(), g.at(g.height() - 1, g.width() - 1).value().unwrap())
}

#[test]
fn dimensions_follow_the_rule() {
    let plain = Figure::default();
    let n = Number::I64;
    assert_eq!(corner(&one(&[5], &plain)), (1, 5, n(0), n(4)));
    assert_eq!(corner(&one(&[3, 4], &plain)), (3, 4, n(0), n(11)));
    assert_eq!(corner(&one(&[1, 3, 4], &plain)), (3, 4, n(0), n(11)));
    assert_eq!(corner(&one(&[3, 1, 4], &plain)), (3, 4, n(0), n(11)));
    assert_eq!(corner(&one(&[1, 5, 1], &plain)), (5, 1, n(0), n(4)));
    assert_eq!(corner(&one(&[2, 3, 4], &with(None, &["0=1"]))), (3, 4, n(12), n(23)));
    assert_eq!(corner(&one(&[2, 3, 4], &with(None, &["2=3"]))), (2, 3, n(3), n(23)));
    assert_eq!(corner(&one(&[3, 4], &with(None, &["0=2"]))), (1, 4, n(8), n(11)));
    let transpose = Figure {
        data: gridscope_core::figure::Data { transpose: Some(true), ..Default::default() },
        ..Default::default()
    };
    assert_eq!(one(&[3, 4], &transpose).at(0, 2), Cell::Value(n(8)));
}

#[test]
fn a_panel_axis_makes_a_grid_an_index() {
    let g = grids_of_array(array(&[2, 3, 4]), "a.npy", &with(Some("axis:1"), &[])).unwrap();
    assert_eq!(g.iter().map(Grid::name).collect::<Vec<_>>(), ["axis 1 = 0", "axis 1 = 1", "axis 1 = 2"]);
    assert_eq!(corner(&g[2]), (2, 4, Number::I64(8), Number::I64(23)));
    let g = grids_of_array(array(&[2, 2, 3, 4]), "a.npy", &with(Some("axis:0"), &["1=1"])).unwrap();
    assert_eq!(corner(&g[1]), (3, 4, Number::I64(36), Number::I64(47)));
}

#[test]
fn what_does_not_fit_is_a_usage_error_with_a_line_to_copy() {
    let e = grids_of_array(array(&[2, 2, 3, 4]), "a.npy", &Figure::default()).unwrap_err();
    assert_eq!(
        (e.kind, e.hint.as_deref()),
        (ErrorKind::Usage, Some("--slice 0=0 --slice 1=0, or --panel axis:0 --slice 1=0"))
    );
    for (panel, slice) in [
        (None, vec!["3=0"]),
        (None, vec!["0=2"]),
        (None, vec!["0=-3"]),
        (None, vec!["0"]),
        (None, vec!["0=0", "0=1"]),
        (None, vec!["0=0", "1=1", "2=1"]),
        (Some("axis:0"), vec!["0=0"]),
        (Some("axis:9"), vec![]),
        (Some("seed"), vec![]),
    ] {
        let e = grids_of_array(array(&[2, 3, 4]), "a.npy", &with(panel, &slice)).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Usage, "{e}");
    }
}

#[test]
fn an_index_below_0_counts_from_the_end_and_two_axes_make_rows_and_columns_of_panels() {
    let last = grids_of_array(array(&[2, 3, 4]), "a.npy", &with(None, &["0=-1"])).unwrap();
    assert_eq!(last[0].at(0, 0).value(), Some(Number::I64(12)));
    let mut figure = Figure::default();
    (figure.data.panel_row, figure.data.panel_column) =
        (Some("axis:1".to_owned()), Some("axis:0".to_owned()));
    let grids = grids_of_array(array(&[2, 3, 4, 5]), "a.npy", &figure).unwrap();
    assert_eq!(grids.len(), 6);
    for (i, grid) in grids.iter().enumerate() {
        let (row, column) = (i / 2, i % 2);
        assert_eq!(grid.facet().unwrap().place(), (row, column));
        assert_eq!(grid.name(), format!("axis 1 = {row}, axis 0 = {column}"));
        assert_eq!(grid.at(0, 0).value(), Some(Number::I64((60 * column + 20 * row) as i64)));
    }
    figure.data.panel_column = Some("axis:1".to_owned());
    assert!(grids_of_array(array(&[2, 3, 4, 5]), "a.npy", &figure).is_err());
}

#[test]
fn nothing_to_draw_is_refused() {
    let refused =
        |shape: &[usize], f: &Figure| grids_of_array(array(shape), "a.npy", f).unwrap_err().to_string();
    assert_eq!(refused(&[0, 5], &Figure::default()), "a.npy: no cells: 0 rows x 5 columns");
    assert!(refused(&[], &Figure::default()).contains("0-d"));
    assert!(refused(&[0, 3, 4], &with(Some("axis:0"), &[])).contains("no cells"));
    assert!(refused(&[20_000, 1, 1], &with(Some("axis:0"), &[])).contains("20000 panels"));
}

#[test]
fn nodata_is_masked_exactly() {
    let nodata = |data, v| {
        let f = Figure {
            data: gridscope_core::figure::Data { nodata: Some(v), ..Default::default() },
            ..Default::default()
        };
        let g = grids_of_array(Array { shape: vec![1, 2], data }, "a", &f).unwrap().remove(0);
        [0, 1].map(|c| g.at(0, c).state().is_some())
    };
    assert_eq!(nodata(Values::F32 { data: vec![0.1, 0.2], integer: false }, 0.1), [true, false]);
    assert_eq!(nodata(Values::I64(vec![(1 << 53) + 1, 1 << 53]), (1u64 << 53) as f64), [false, true]);
    assert_eq!(nodata(Values::I64(vec![i64::MAX, i64::MIN]), i64::MIN as f64), [false, true]);
    assert_eq!(nodata(Values::U64(vec![0, u64::MAX]), -1.0), [false, false]);
    assert_eq!(nodata(Values::I64(vec![0, 1]), f64::NAN), [false, false]);
}

/// The least array format: element (i, j, k) holds 100 i + 10 j + k.
#[derive(Debug)]
struct Counted([usize; 3]);

impl ArraySource for Counted {
    fn shape(&self) -> &[usize] {
        &self.0
    }

    fn buffer(&self) -> Buffer {
        Dtype::F64.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        let number = |at: Vec<usize>| (100 * at[0] + 10 * at[1] + at[2]) as f64;
        *into = Buffer::F64(window.indexes().map(number).collect());
        Ok(())
    }
}

fn counted(shape: [usize; 3], figure: &Figure) -> Result<Vec<Grid>, InputError> {
    grids_of_source(Box::new(Counted(shape)), "counted", figure, &Budget::new(1 << 20))
}

fn number(g: &Grid, row: usize, column: usize) -> f64 {
    let part = g.window(row..row + 1, column..column + 1).unwrap();
    part.load().unwrap();
    part.at(0, 0).value().unwrap().as_f64()
}

#[test]
fn a_format_of_a_few_lines_gives_grids() {
    let g = counted([2, 3, 4], &with(Some("axis:0"), &[])).unwrap();
    assert_eq!((g.len(), g[1].name(), g[1].is_loaded()), (2, "axis 0 = 1", true));
    assert_eq!((g[1].height(), g[1].width(), number(&g[1], 2, 3)), (3, 4, 123.0));
    let mut f = with(None, &["1=2"]);
    f.data.transpose = Some(true);
    let g = counted([2, 3, 4], &f).unwrap();
    assert_eq!((g[0].height(), g[0].width(), number(&g[0], 3, 1)), (4, 2, 123.0));
    // A long one stays where it is.
    let g = counted([1, 1000, 1000], &Figure::default()).unwrap();
    assert_eq!((g[0].is_loaded(), number(&g[0], 999, 998)), (false, 10_988.0));
    assert_eq!(counted([2, 3, 4], &Figure::default()).unwrap_err().kind, ErrorKind::Usage);
}

/// An array with names and coordinates, read column by column; one column is without data.
#[derive(Debug)]
struct Described(Counted);

impl ArraySource for Described {
    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn buffer(&self) -> Buffer {
        self.0.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.0.read(window, into)
    }

    fn axis_name(&self, axis: usize) -> &str {
        ["run", "day", "site"][axis]
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        (axis == 1).then(|| (0..self.0.0[1]).map(|i| 90.0 - i as f64).collect())
    }

    fn unit(&self, axis: usize) -> String {
        ["", "days since 1970-01-02", ""][axis].to_owned()
    }

    fn has_absent(&self) -> bool {
        true
    }

    fn read_absent(
        &self,
        window: &Window,
        into: &mut Buffer,
        absent: &mut Vec<gridscope_core::grid::Part>,
    ) -> Result<(), SourceError> {
        self.read(window, into)?;
        absent.clear();
        // The first index of "day" holds no data; it may be a row of the window, or a column.
        if window.first[1] == 0 {
            absent.push(match window.row_axis == Some(1) {
                true => (0..1, 0..window.columns),
                false => (0..window.rows, 0..1),
            });
        }
        Ok(())
    }

    fn reads_by_columns(&self, row_axis: usize, column_axis: usize) -> bool {
        (row_axis, column_axis) == (1, 2)
    }
}

#[test]
fn names_coordinates_and_absent_parts_reach_the_grid() {
    for (transpose, size) in [(false, 4), (true, 4), (false, 50_000), (true, 50_000)] {
        let mut f = with(None, &["0=1"]);
        f.data.transpose = Some(transpose);
        let source = Box::new(Described(Counted([2, 3, size])));
        let budget = Budget::new(1 << 20);
        let mut g = grids_of_source(source, "a", &f, &budget).unwrap().remove(0);
        if transpose {
            g = g.transposed();
        }
        let days = g.rows();
        assert_eq!((days.name.as_str(), g.columns().name.as_str()), ("day", "site"));
        assert_eq!(
            (0..3).map(|i| days.label(i)).collect::<Vec<_>>(),
            ["1970-03-31", "1970-04-01", "1970-04-02"]
        );
        assert_eq!((days.kind, days.center(0)), (AxisKind::Time, Some(89.0 * 86_400.0)));
        // The coordinates fall, so the last row comes first.
        assert_eq!((number(&g, 0, 3), number(&g, 1, 2)), (123.0, 112.0));
        g.load().unwrap();
        assert_eq!(g.at(2, 1), Cell::Empty(State::Absent));
    }
    // Axis values that the figure gives come first, and the cells stay.
    let mut f = with(None, &["0=1"]);
    f.y.values = Some("0:1".to_owned());
    let source = Box::new(Described(Counted([2, 3, 4])));
    let g = grids_of_source(source, "a", &f, &Budget::new(1 << 20)).unwrap().remove(0);
    assert_eq!((g.rows().label(0).as_str(), number(&g, 2, 3)), ("0", 123.0));
}

#[test]
fn panels_and_slices_go_by_the_names_of_axes() {
    let of =
        |f: &Figure| grids_of_source(Box::new(Described(Counted([2, 3, 4]))), "a", f, &Budget::new(1 << 20));
    let names = |panel: &str| {
        let mut f = Figure::default();
        f.data.panel = Some(panel.into());
        of(&f).map(|g| g.iter().map(|g| g.name().to_owned()).collect::<Vec<_>>().join("; "))
    };
    assert_eq!(names("axis:1").unwrap(), "day = 1970-04-02; day = 1970-04-01; day = 1970-03-31");
    assert_eq!(names("axis:day"), names("axis:1"));
    assert_eq!(names("axis:0").unwrap(), "run = 0; run = 1");
    let sliced = |slice: &str| of(&with(None, &[slice]));
    let first = |slice: &str| number(&sliced(slice).unwrap()[0], 1, 1);
    assert_eq!(first("run=1"), first("0=1"));
    let e = sliced("runs=1").unwrap_err().what;
    assert!(e.ends_with("or the name of an axis (run, day, site) and a number"), "{e}");
    assert!(sliced("run=2").unwrap_err().what.contains("axis 0 has 2 elements"));
}

#[test]
fn coordinates_are_of_the_type_that_the_figure_gives() {
    let of = |kind| {
        let mut f = with(None, &["0=1"]);
        f.y.kind = Some(kind);
        let source = Box::new(Described(Counted([2, 91, 4])));
        grids_of_source(source, "a", &f, &Budget::new(1 << 20))
    };
    let kind = |kind| of(kind).unwrap().remove(0).rows().kind;
    assert_eq!(kind(AxisType::Number), AxisKind::Number);
    assert_eq!(kind(AxisType::Category), AxisKind::Category);
    assert_eq!(of(AxisType::Log).unwrap_err().what, "axis 'day': a log axis needs numbers above 0, not 0");
}

#[test]
fn axes_become_rows_and_columns_by_name() {
    let of = |x: Option<&str>, y: Option<&str>, slice: &[&str]| {
        let mut f = with(None, slice);
        (f.data.x, f.data.y) = (x.map(Into::into), y.map(Into::into));
        f
    };
    let n = Number::I64;
    // Element (i, j, k) of shape 2 x 3 x 4 is 12 i + 4 j + k.
    let shown = |shape: &[usize], f: &Figure| corner(&one(shape, f));
    assert_eq!(shown(&[2, 3, 4], &of(Some("axis:0"), None, &["1=2"])), (4, 2, n(8), n(23)));
    assert_eq!(shown(&[2, 3, 4], &of(None, Some("axis:2"), &["0=1"])), (4, 3, n(12), n(23)));
    assert_eq!(shown(&[2, 3, 4], &of(Some("axis:0"), Some("axis:1"), &["2=3"])), (3, 2, n(3), n(23)));
    assert_eq!(shown(&[3, 4], &of(Some("axis:0"), None, &[])), (4, 3, n(0), n(11)));
    assert_eq!(shown(&[5], &of(Some("axis:0"), None, &[])), (1, 5, n(0), n(4)));
    assert_eq!(one(&[3, 4], &of(Some("axis:0"), Some("axis:1"), &[])).at(3, 1), Cell::Value(n(7)));
    for (x, y, slice) in [
        (Some("axis:0"), Some("axis:0"), vec!["1=0"]),
        (Some("axis:0"), None, vec!["0=1"]),
        (Some("axis:7"), None, vec![]),
        (Some("lr"), None, vec![]),
        (Some("axis:0,axis:1"), None, vec![]),
        (None, Some("axis:2"), vec!["0=0", "1=0"]),
    ] {
        let e = grids_of_array(array(&[2, 3, 4]), "a.npy", &of(x, y, &slice)).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Usage, "{e}");
    }
    let e = grids_of_array(array(&[2, 3, 4, 5]), "a.npy", &of(Some("axis:0"), None, &[])).unwrap_err();
    assert_eq!(e.hint.as_deref(), Some("--slice 1=0 --slice 2=0, or --panel axis:1 --slice 2=0"));
}

#[test]
fn all_indexes_of_an_axis_become_one_by_their_mean_or_extremes() {
    let n = Number::I64;
    // Element (i, j, k) of shape 2 x 3 x 4 is 12 i + 4 j + k.
    assert_eq!(corner(&one(&[2, 3, 4], &with(None, &["0=max"]))), (3, 4, n(12), n(23)));
    assert_eq!(corner(&one(&[2, 3, 4], &with(None, &["1=min"]))), (2, 4, n(0), n(15)));
    assert_eq!(
        corner(&one(&[2, 3, 4], &with(None, &["axis:2=mean"]))),
        (2, 3, Number::F64(1.5), Number::F64(21.5))
    );
    let g = one(&[2, 3, 4, 5], &with(None, &["0=max", "1=2"]));
    assert_eq!((corner(&g), g.value_name()), ((4, 5, n(100), n(119)), "max over axis 0"));
    assert_eq!(g.slices().iter().map(|s| s.axis).collect::<Vec<_>>(), [1]);
    for slice in [vec!["0=max", "1=mean"], vec!["0=max", "0=1"], vec!["0=sum"], vec!["9=max"]] {
        let e = grids_of_array(array(&[2, 3, 4]), "a.npy", &with(None, &slice)).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Usage, "{e}");
    }
}

#[test]
fn projections_agree_with_a_plain_loop_and_leave_out_what_is_no_number() {
    let mut random = gridscope_random::Random(77);
    for case in 0..gridscope_random::cases(60) {
        let shape = [random.within(1, 6), random.within(1, 5), random.within(1, 5)];
        let numbers: Vec<f64> = (0..shape.iter().product())
            .map(|_| match random.below(8) {
                0 => f64::NAN,
                1 => -9.0,
                2 => 1e6 * (random.below(3) as f64 - 1.0),
                _ => random.below(1000) as f64 / 8.0,
            })
            .collect();
        let axis = random.below(3);
        let f32s = numbers.iter().map(|v| *v as f32).collect();
        let (data, is_narrow) = match random.below(2) {
            0 => (Values::F64(numbers.clone()), false),
            _ => (Values::F32 { data: f32s, integer: false }, true),
        };
        let number = |i: usize| if is_narrow { f64::from(numbers[i] as f32) } else { numbers[i] };
        for word in ["mean", "min", "max"] {
            let mut f = with(None, &[&format!("{axis}={word}")]);
            f.data.nodata = Some(-9.0);
            let grid = grids_of_array(Array { shape: shape.to_vec(), data: data.clone() }, "a.npy", &f)
                .unwrap()
                .remove(0);
            let sides: Vec<usize> = (0..3).filter(|a| *a != axis).collect();
            for r in 0..shape[sides[0]] {
                for c in 0..shape[sides[1]] {
                    let at = |i: usize| {
                        let mut place = [0; 3];
                        (place[axis], place[sides[0]], place[sides[1]]) = (i, r, c);
                        number((place[0] * shape[1] + place[1]) * shape[2] + place[2])
                    };
                    let all: Vec<f64> =
                        (0..shape[axis]).map(at).filter(|v| !v.is_nan() && *v != -9.0).collect();
                    let wanted = match word {
                        "min" => all.iter().copied().reduce(f64::min),
                        "max" => all.iter().copied().reduce(f64::max),
                        _ => (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64),
                    };
                    let got = grid.at(r, c).value().map(Number::as_f64);
                    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-12 * a.abs().max(1e3);
                    assert!(
                        got.is_none() && wanted.is_none() || got.zip(wanted).is_some_and(|(a, b)| near(a, b)),
                        "case {case}: {word} of {all:?}: {got:?}, not {wanted:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_axis_without_elements_has_no_projection() {
    let e = grids_of_array(array(&[0, 3, 4]), "a.npy", &with(None, &["0=max"])).unwrap_err();
    assert!(e.what.contains("axis 0, which is projected, has no element"), "{e}");
}

/// An array that counts the elements read of it.
#[derive(Debug)]
struct Watched(Counted, Arc<AtomicUsize>);

impl ArraySource for Watched {
    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn buffer(&self) -> Buffer {
        self.0.buffer()
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        self.1.fetch_add(window.len(), Ordering::Relaxed);
        self.0.read(window, into)
    }
}

#[test]
fn a_projection_that_fits_the_budget_is_read_once() {
    const SHAPE: [usize; 3] = [3, 400, 300];
    let all = SHAPE.iter().product::<usize>();
    for (budget, reads) in [(64 << 20, 1), (1 << 20, 2)] {
        let read = Arc::new(AtomicUsize::new(0));
        let source = Box::new(Watched(Counted(SHAPE), read.clone()));
        let budget = Budget::new(budget);
        let g = grids_of_source(source, "a", &with(None, &["0=max"]), &budget).unwrap().remove(0);
        let passes = [(); 2].map(|()| g.scan(&ScanRequest::default()).unwrap().stats.max);
        assert_eq!(passes, [Some(Number::F64(200.0 + 3990.0 + 299.0)); 2]);
        assert_eq!((read.load(Ordering::Relaxed), g.is_loaded()), (reads * all, reads == 1));
        let held = if reads == 1 { CELL_BYTES * g.len() as u64 } else { 0 };
        assert!(budget.limit() - budget.left() > held, "what folds it is counted, too");
    }
    let short = Budget::new(1 << 12);
    let e = grids_of_source(Box::new(Counted(SHAPE)), "a", &with(None, &["0=max"]), &short).unwrap_err();
    assert!(e.kind == ErrorKind::Limit && e.what.contains("projected at once"), "{e}");
}
