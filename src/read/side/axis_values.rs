//! Coordinates for the axes of a matrix: `A:B`, `A:B:log`, or a file of centres or edges.

use super::numbers::read_values;
use crate::InputError;
use crate::array::{ArrayFault, AxisValues, edged, moved, range, sorted, spread, timed, typed};
use crate::budget::Budget;
use gridscope_core::figure::{AxisSpec, AxisType, Figure};
use gridscope_core::grid::{Axis, AxisKind, Grid};
use std::path::Path;
use std::sync::Arc;

/// Each value has its number and its label in memory.
const MOST_VALUES: usize = 5_000_000;
/// Bytes of a value of an axis: its number, its label, its place while values are sorted.
const VALUE: u64 = 160;

/// Gives the grid's axes the values that `x.values` and `y.values` name: `own` ones, or those of a range or a file; paths start
/// at `base`.
///
/// Values that do not ascend are sorted, and the cells with them.
///
/// # Errors
/// When the text or file holds no such values, not as many as the axis has cells, or more than the memory does.
pub(crate) fn apply_axis_values(
    mut grid: Grid,
    own: &AxisValues,
    figure: &Figure,
    base: &Path,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Grid, InputError> {
    if let Some(spec) = &figure.x.values {
        let (mut axis, order) = valued(
            "x",
            grid.columns(),
            (spec, own.x.as_deref().map(|of| (of, own.times[0]))),
            &figure.x,
            base,
            (file, budget),
        )?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&Vec::from_iter(0..grid.height()), &order)
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        (axis.name, axis.strips) =
            (name([&grid.columns().name, &own.names[0]], &figure.x), grid.columns().strips.clone());
        grid.set_columns(axis).map_err(|e| InputError::refused(file, "", e))?;
    }
    if let Some(spec) = &figure.y.values {
        let (mut axis, order) = valued(
            "y",
            grid.rows(),
            (spec, own.y.as_deref().map(|of| (of, own.times[1]))),
            &figure.y,
            base,
            (file, budget),
        )?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&order, &Vec::from_iter(0..grid.width()))
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        let own_name = name([&grid.rows().name, &own.names[1]], &figure.y);
        (axis.name, axis.strips) = (own_name, grid.rows().strips.clone());
        grid.set_rows(axis).map_err(|e| InputError::refused(file, "", e))?;
    }
    Ok(grid)
}

/// The name of an axis with values: its own, that of the array of the values, or that of their `.npy` file, else its label, so
/// that places read as `Ratio 0.31`, not `column 0.31`.
fn name(own: [&String; 2], spec: &AxisSpec) -> String {
    let of_file = || {
        let path = Path::new(spec.values.as_deref()?);
        let is_array = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy"));
        path.file_stem().filter(|_| is_array).map(|stem| stem.to_string_lossy().into_owned())
    };
    let named = own.into_iter().find(|name| !name.is_empty()).cloned();
    named.or_else(of_file).or_else(|| spec.label.clone()).unwrap_or_default()
}

/// The axis with its values ascending, and the order that makes them so unless they did.
fn valued(
    side: &str,
    old: &Axis,
    (spec, own): (&str, Option<(&[f64], bool)>),
    axis: &AxisSpec,
    base: &Path,
    (file, budget): (&str, &Arc<Budget>),
) -> Result<(Axis, Option<Vec<usize>>), InputError> {
    let n = old.len();
    if n > MOST_VALUES {
        return Err(InputError::limit(
            file,
            format!("{side}-values: {n} cells, and an axis with values ends at {MOST_VALUES}"),
        ));
    }
    budget
        .take(VALUE.saturating_mul(n as u64))
        .map_err(|s| s.of(file, format_args!("{side}-values of {n} cells")))?;
    let refuse = |f: ArrayFault| InputError::usage(file, format!("{side}-values {spec}: {}", f.what));
    if let Some((a, b, log)) = range(spec).filter(|_| own.is_none()) {
        // An axis of that type has its cells evenly in the logarithm.
        let log = log || axis.kind == Some(AxisType::Log);
        let values = spread(a, b, n, log).map_err(refuse)?;
        let (found, order) =
            sorted(values, if log { AxisKind::Log } else { AxisKind::Number }).map_err(refuse)?;
        return Ok((typed(found, axis).map_err(refuse)?, order));
    }
    let (values, is_time) = match own {
        Some((values, is_time)) => (values.to_vec(), is_time),
        None => read_values(&base.join(spec), spec, axis.kind, budget)?,
    };
    let refuse = |what: String| InputError::refused(spec, "", what);
    if let Some(i) = values.iter().position(|v| !v.is_finite()) {
        return Err(refuse(format!(
            "value {} of {} is {}: an axis needs finite values",
            i + 1,
            values.len(),
            if is_time && values[i].is_nan() { "NaT".to_owned() } else { values[i].to_string() }
        )));
    }
    let (found, order) = match values.len() {
        len if len == n => sorted(values, AxisKind::Number).map_err(|f| f.of(spec))?,
        len if len == n + 1 => edged(values).map_err(|f| f.of(spec))?,
        len => {
            return Err(refuse(format!(
                "{len} values, but the {side} axis has {n} cells: give {n} centres or {} edges",
                n + 1
            )));
        }
    };
    // Times stay dates as names, and become numbers only where the figure says so.
    let made = match axis.kind {
        None | Some(AxisType::Time) if is_time => timed(found),
        Some(AxisType::Category) if is_time => timed(found).and_then(|times| typed(times, axis)),
        _ => typed(found, axis),
    };
    Ok((made.map_err(|f| f.of(spec))?, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Cell, Number};

    fn grid(columns: usize) -> Grid {
        Grid::from_rows(1, columns, (0..columns).map(|v| v as f64).collect()).unwrap()
    }

    fn valued_x(columns: usize, spec: &str, base: &Path) -> Result<Grid, String> {
        let mut f = Figure::default();
        f.x.values = Some(spec.to_owned());
        apply_axis_values(grid(columns), &AxisValues::default(), &f, base, "a.npy", &Budget::new(1 << 20))
            .map_err(|e| e.to_string())
    }

    fn texts(g: &Grid) -> Vec<String> {
        (0..g.width()).map(|i| g.columns().label(i)).collect()
    }

    #[test]
    fn ranges_include_both_ends() {
        let here = Path::new("");
        let g = valued_x(11, "0:1", here).unwrap();
        assert_eq!(texts(&g), ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]);
        let g = valued_x(4, "1:1000:log", here).unwrap();
        assert_eq!(
            (texts(&g), g.columns().kind),
            (["1", "10", "100", "1000"].map(String::from).to_vec(), AxisKind::Log)
        );
        let g = valued_x(3, "5:1", here).unwrap();
        assert_eq!(
            (texts(&g), g.at(0, 0)),
            (["1", "3", "5"].map(String::from).to_vec(), Cell::Value(Number::F64(2.0)))
        );
        assert_eq!(texts(&valued_x(1, "5:9", here).unwrap()), ["5"]);
        for bad in ["0:inf", "NaN:1", "-1:5:log", "0:5:log", "2:2", "-1.7e308:1.7e308", "nonsense", "1:2:3"] {
            assert!(valued_x(3, bad, here).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_are_of_the_type_that_the_figure_gives() {
        let dir = tempfile::tempdir().unwrap();
        let with = |text: &str, kind: Option<AxisType>| {
            std::fs::write(dir.path().join("v.txt"), text).unwrap();
            let mut f = Figure::default();
            (f.x.values, f.x.kind) = (Some("v.txt".to_owned()), kind);
            let budget = Budget::new(1 << 20);
            let made = apply_axis_values(grid(3), &AxisValues::default(), &f, dir.path(), "a.npy", &budget);
            made.map(|g| (g.columns().kind, texts(&g).join(" "))).map_err(|e| e.to_string())
        };
        let time = |texts: &str| Ok((AxisKind::Time, texts.to_owned()));
        assert_eq!(
            with("2024-03-01\n2024-01-01 # first\n2024-02-01\n", None),
            time("2024-01-01 2024-02-01 2024-03-01")
        );
        assert_eq!(
            with("2024-01-01 10:00, 2024-01-01T11:30, 2024-01-01T13:00", None),
            time("2024-01-01T10:00 2024-01-01T11:30 2024-01-01T13:00")
        );
        assert_eq!(with("2020,2021,2022", Some(AxisType::Time)), time("2020-01-01 2021-01-01 2022-01-01"));
        assert_eq!(
            with("0,60,120", Some(AxisType::Time)),
            time("1970-01-01T00:00 1970-01-01T00:01 1970-01-01T00:02")
        );
        assert_eq!(with("2020,2021,2022", None), Ok((AxisKind::Number, "2020 2021 2022".to_owned())));
        assert_eq!(with("1,2,3", Some(AxisType::Log)), Ok((AxisKind::Log, "1 2 3".to_owned())));
        assert_eq!(
            with("0,2,3", Some(AxisType::Log)),
            Err("v.txt: a log axis needs numbers above 0, not 0".to_owned())
        );
        assert_eq!(
            with("2024-01-01\n7\n8\n", None),
            Err("v.txt: line 1: '2024-01-01' is not a number".to_owned())
        );
        let mut f = Figure::default();
        (f.x.values, f.x.kind) = (Some("1:100".to_owned()), Some(AxisType::Log));
        let own = AxisValues::default();
        let g = apply_axis_values(grid(3), &own, &f, dir.path(), "a.npy", &Budget::new(1 << 20)).unwrap();
        assert_eq!((g.columns().kind, texts(&g).join(" ")), (AxisKind::Log, "1 10 100".to_owned()));
    }

    #[test]
    fn times_of_arrays_are_dates() {
        let apply = |values: &[f64], kind: Option<AxisType>| {
            let (mut own, mut f) = (AxisValues::default(), Figure::default());
            (own.x, own.times) = (Some(values.to_vec()), [true, false]);
            (f.x.values, f.x.kind) = (Some("t".to_owned()), kind);
            apply_axis_values(grid(2), &own, &f, Path::new(""), "a.npz", &Budget::new(1 << 20))
                .map(|g| (g.columns().kind, texts(&g).join(" ")))
                .map_err(|e| e.to_string())
        };
        let (days, text) = ([0.0, 86_400.0], "1970-01-01 1970-01-02".to_owned());
        assert_eq!(apply(&days, None), Ok((AxisKind::Time, text.clone())));
        assert_eq!(apply(&days, Some(AxisType::Category)), Ok((AxisKind::Category, text)));
        let number = apply(&days, Some(AxisType::Number));
        assert_eq!(number, Ok((AxisKind::Number, "0 86400".to_owned())));
        let wrong = apply(&[0.0, f64::NAN], None).unwrap_err();
        assert!(wrong.contains("2 of 2 is NaT"));
    }

    #[test]
    fn arrays_of_values_name_their_axis() {
        let own = AxisValues {
            x: Some(vec![0.0, 1.0, 2.0]),
            names: ["lon".to_owned(), String::new()],
            ..AxisValues::default()
        };
        let mut f = Figure::default();
        (f.x.values, f.x.label) = (Some("lon".to_owned()), Some("Longitude".to_owned()));
        let apply = |grid| apply_axis_values(grid, &own, &f, Path::new(""), "a.npz", &Budget::new(1 << 20));
        assert_eq!(apply(grid(3)).unwrap().columns().name, "lon");
        let spec = AxisSpec { values: Some("runs/freq.npy".to_owned()), ..AxisSpec::default() };
        assert_eq!(name([&String::new(), &String::new()], &spec), "freq");
    }

    #[test]
    fn a_nameless_axis_with_values_goes_by_its_label() {
        let mut f = Figure::default();
        (f.x.values, f.x.label, f.y.label) =
            (Some("0:1".to_owned()), Some("Ratio".to_owned()), Some("Window".to_owned()));
        let budget = Budget::new(1 << 20);
        let g =
            apply_axis_values(grid(3), &AxisValues::default(), &f, Path::new(""), "a.npy", &budget).unwrap();
        assert_eq!((g.columns().name.as_str(), g.rows().name.as_str()), ("Ratio", ""));
        let mut named = grid(3);
        named.set_columns(Axis::index("r", 3)).unwrap();
        assert_eq!(
            apply_axis_values(named, &AxisValues::default(), &f, Path::new(""), "a.npy", &budget)
                .unwrap()
                .columns()
                .name,
            "r"
        );
    }

    #[test]
    fn files_hold_centres_or_edges_and_are_sorted_with_the_cells() {
        let dir = tempfile::tempdir().unwrap();
        let with = |text: &str| {
            std::fs::write(dir.path().join("v.txt"), text).unwrap();
            valued_x(3, "v.txt", dir.path())
        };
        let g = with("\u{feff}# scale\n3\r\n1\n\n2\n").unwrap();
        assert_eq!(texts(&g), ["1", "2", "3"]);
        assert_eq!([0, 1, 2].map(|c| g.at(0, c).value().unwrap()), [1.0, 2.0, 0.0].map(Number::F64));
        let g = with("10, 5, 2, 0").unwrap();
        assert_eq!(g.columns().edges().unwrap(), [0.0, 2.0, 5.0, 10.0]);
        assert_eq!((texts(&g)[0].as_str(), g.at(0, 0)), ("1", Cell::Value(Number::F64(2.0))));
        assert_eq!(
            with("1\n2\n").err().unwrap(),
            "v.txt: 2 values, but the x axis has 3 cells: give 3 centres or 4 edges"
        );
        assert_eq!(with("1\nx\n3").err().unwrap(), "v.txt: line 2: 'x' is not a number");
        assert!(with("1,1,2").err().unwrap().contains("both 1"));
        assert!(with("1,NaN,2").err().unwrap().contains("value 2 of 3"));
        assert!(with("1,2,2,3").err().unwrap().contains("edges must"));
        assert!(valued_x(3, ".", dir.path()).err().unwrap().contains("not a plain file"));
        assert!(with(&"1\n".repeat(20_000)).err().unwrap().contains("memory limit"));
    }
}
