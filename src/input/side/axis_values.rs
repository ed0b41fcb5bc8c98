//! Coordinates for the axes of a matrix: `A:B`, `A:B:log`, or a file of centres or edges.

use super::numbers::read_numbers;
use crate::figure::{AxisSpec, Figure};
use crate::grid::{Axis, AxisKind, Grid};
use crate::input::InputError;
use crate::input::array::{AxisValues, Fault, edged, moved, range, sorted, spread};
use crate::input::budget::Budget;
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
            (spec, own.x.as_deref()),
            base,
            (file, budget),
        )?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&Vec::from_iter(0..grid.height()), &order)
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        (axis.name, axis.strip) = (
            name(&grid.columns().name, &figure.x),
            grid.columns().strip.clone(),
        );
        grid.set_columns(axis)
            .map_err(|e| InputError::refused(file, "", e))?;
    }
    if let Some(spec) = &figure.y.values {
        let (mut axis, order) = valued("y", grid.rows(), (spec, own.y.as_deref()), base, (file, budget))?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&order, &Vec::from_iter(0..grid.width()))
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        (axis.name, axis.strip) = (name(&grid.rows().name, &figure.y), grid.rows().strip.clone());
        grid.set_rows(axis)
            .map_err(|e| InputError::refused(file, "", e))?;
    }
    Ok(grid)
}

/// An axis with values that has no name goes by its label, so that places read as `Ratio 0.31`, not `column 0.31`.
fn name(own: &str, spec: &AxisSpec) -> String {
    if own.is_empty() {
        spec.label.clone().unwrap_or_default()
    } else {
        own.to_owned()
    }
}

/// The axis with its values ascending, and the order that makes them so unless they did.
fn valued(
    side: &str,
    old: &Axis,
    (spec, own): (&str, Option<&[f64]>),
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
    let refuse = |f: Fault| InputError::usage(file, format!("{side}-values {spec}: {}", f.what));
    if let Some((a, b, log)) = range(spec).filter(|_| own.is_none()) {
        let values = spread(a, b, n, log).map_err(refuse)?;
        return sorted(values, if log { AxisKind::Log } else { AxisKind::Number }).map_err(refuse);
    }
    let values = own.map_or_else(
        || read_numbers(&base.join(spec), spec, budget),
        |v| Ok(v.to_vec()),
    )?;
    let refuse = |what: String| InputError::refused(spec, "", what);
    if let Some(i) = values.iter().position(|v| !v.is_finite()) {
        return Err(refuse(format!(
            "value {} of {} is {}: an axis needs finite values",
            i + 1,
            values.len(),
            values[i]
        )));
    }
    match values.len() {
        len if len == n => sorted(values, AxisKind::Number).map_err(|f| f.of(spec)),
        len if len == n + 1 => edged(values).map_err(|f| f.of(spec)),
        len => Err(refuse(format!(
            "{len} values, but the {side} axis has {n} cells: give {n} centres or {} edges",
            n + 1
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Number};

    fn grid(columns: usize) -> Grid {
        Grid::from_rows(1, columns, (0..columns).map(|v| v as f64).collect()).unwrap()
    }

    fn valued_x(columns: usize, spec: &str, base: &Path) -> Result<Grid, String> {
        let mut f = Figure::default();
        f.x.values = Some(spec.to_owned());
        apply_axis_values(
            grid(columns),
            &AxisValues::default(),
            &f,
            base,
            "a.npy",
            &Budget::new(1 << 20),
        )
        .map_err(|e| e.to_string())
    }

    fn texts(g: &Grid) -> Vec<String> {
        (0..g.width()).map(|i| g.columns().label(i)).collect()
    }

    #[test]
    fn ranges_include_both_ends() {
        let here = Path::new("");
        let g = valued_x(11, "0:1", here).unwrap();
        assert_eq!(
            texts(&g),
            [
                "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"
            ]
        );
        let g = valued_x(4, "1:1000:log", here).unwrap();
        assert_eq!(
            (texts(&g), g.columns().kind),
            (
                ["1", "10", "100", "1000"].map(String::from).to_vec(),
                AxisKind::Log
            )
        );
        let g = valued_x(3, "5:1", here).unwrap();
        assert_eq!(
            (texts(&g), g.at(0, 0)),
            (
                ["1", "3", "5"].map(String::from).to_vec(),
                Cell::Value(Number::F64(2.0))
            )
        );
        assert_eq!(texts(&valued_x(1, "5:9", here).unwrap()), ["5"]);
        for bad in [
            "0:inf",
            "NaN:1",
            "-1:5:log",
            "0:5:log",
            "2:2",
            "-1.7e308:1.7e308",
            "nonsense",
            "1:2:3",
        ] {
            assert!(valued_x(3, bad, here).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_nameless_axis_with_values_goes_by_its_label() {
        let mut f = Figure::default();
        (f.x.values, f.x.label, f.y.label) = (
            Some("0:1".to_owned()),
            Some("Ratio".to_owned()),
            Some("Window".to_owned()),
        );
        let budget = Budget::new(1 << 20);
        let g = apply_axis_values(
            grid(3),
            &AxisValues::default(),
            &f,
            Path::new(""),
            "a.npy",
            &budget,
        )
        .unwrap();
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
        assert_eq!(
            [0, 1, 2].map(|c| g.at(0, c).value().unwrap()),
            [1.0, 2.0, 0.0].map(Number::F64)
        );
        let g = with("10, 5, 2, 0").unwrap();
        assert_eq!(g.columns().edges().unwrap(), [0.0, 2.0, 5.0, 10.0]);
        assert_eq!(
            (texts(&g)[0].as_str(), g.at(0, 0)),
            ("1", Cell::Value(Number::F64(2.0)))
        );
        assert_eq!(
            with("1\n2\n").err().unwrap(),
            "v.txt: 2 values, but the x axis has 3 cells: give 3 centres or 4 edges"
        );
        assert_eq!(
            with("1\nx\n3").err().unwrap(),
            "v.txt: line 2: 'x' is not a number"
        );
        assert!(with("1,1,2").err().unwrap().contains("both 1"));
        assert!(with("1,NaN,2").err().unwrap().contains("value 2 of 3"));
        assert!(with("1,2,2,3").err().unwrap().contains("edges must"));
        assert!(
            valued_x(3, ".", dir.path())
                .err()
                .unwrap()
                .contains("not a plain file")
        );
        assert!(
            with(&"1\n".repeat(20_000))
                .err()
                .unwrap()
                .contains("memory limit")
        );
    }
}
