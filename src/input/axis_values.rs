//! Coordinates for the axes of a matrix: `A:B`, `A:B:log`, or a file of centres or edges.

use super::InputError;
use super::budget::{Budget, Short, Taken};
use super::npy::{Array, read_npy};
use super::npy_header::Header;
use super::whole::read_side_file;
use crate::figure::{AxisSpec, Figure};
use crate::grid::{Axis, AxisKind, CELL_BYTES, Coords, Grid, Number};
use std::path::Path;
use std::sync::Arc;

/// Each value has its number and its label in memory.
const MOST_VALUES: usize = 5_000_000;
/// Bytes of a value of an axis: its number, its label, its place while values are sorted.
const VALUE: u64 = 160;
/// Bytes of a number of a side file, and of a row of them.
const NUMBER: u64 = 24;
const ROW: u64 = 72;
/// Bytes of a cell that moves to another place, until its old one goes.
const MOVED: u64 = 20;

/// Reads all cells of a grid into memory, if the budget holds them.
///
/// # Errors
/// When they take more, or the source does not give them.
pub fn hold(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<(), InputError> {
    if grid.is_held() {
        return Ok(());
    }
    let short = |s: Short| s.of(file, format_args!("{} cells in memory", grid.len()));
    let cells = CELL_BYTES.saturating_mul(grid.len() as u64);
    // Rows and columns are swapped by a copy.
    let _copy = budget
        .hold(if grid.is_transposed() {
            cells.saturating_mul(2)
        } else {
            0
        })
        .map_err(short)?;
    budget.take(cells).map_err(short)?;
    grid.load().map_err(|e| InputError::refused(&e.file, "", e.what))
}

/// Holds a grid whose rows or columns change places, and what that takes until it is done.
fn moved(grid: &Grid, file: &str, budget: &Arc<Budget>) -> Result<Taken, InputError> {
    hold(grid, file, budget)?;
    let copy = budget.hold(MOVED.saturating_mul(grid.len() as u64));
    copy.map_err(|s| s.of(file, format_args!("{} cells in another order", grid.len())))
}

/// Coordinates that stand beside the grids in their own file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OwnValues {
    /// Of the columns.
    pub x: Option<Vec<f64>>,
    /// Of the rows.
    pub y: Option<Vec<f64>>,
}

/// Gives the grid's axes the values that `x.values` and `y.values` name: `own` ones, or those of a range or a file; paths start
/// at `base`.
///
/// Values that do not ascend are sorted, and the cells with them.
///
/// # Errors
/// When the text or file holds no such values, not as many as the axis has cells, or more than the memory does.
pub fn apply_axis_values(
    mut grid: Grid,
    own: &OwnValues,
    figure: &Figure,
    base: &Path,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Grid, InputError> {
    if let Some(spec) = &figure.x.values {
        let (mut axis, order) = valued("x", &grid.columns, (spec, own.x.as_deref()), base, (file, budget))?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&Vec::from_iter(0..grid.height()), &order)
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        (axis.name, axis.strip) = (name(grid.columns.name, &figure.x), grid.columns.strip);
        grid.columns = axis;
    }
    if let Some(spec) = &figure.y.values {
        let (mut axis, order) = valued("y", &grid.rows, (spec, own.y.as_deref()), base, (file, budget))?;
        if let Some(order) = order {
            let _moved = moved(&grid, file, budget)?;
            grid = grid
                .permuted(&order, &Vec::from_iter(0..grid.width()))
                .map_err(|e| InputError::refused(file, "", e))?;
        }
        (axis.name, axis.strip) = (name(grid.rows.name, &figure.y), grid.rows.strip);
        grid.rows = axis;
    }
    Ok(grid)
}

/// An axis with values that has no name goes by its label, so that places read as `Ratio 0.31`, not `column 0.31`.
fn name(own: String, spec: &AxisSpec) -> String {
    if own.is_empty() {
        spec.label.clone().unwrap_or_default()
    } else {
        own
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
    let refuse = |what: String| InputError::usage(file, format!("{side}-values {spec}: {what}"));
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
        len if len == n => sorted(values, AxisKind::Number).map_err(refuse),
        len if len == n + 1 => edged(values).map_err(refuse),
        len => Err(refuse(format!(
            "{len} values, but the {side} axis has {n} cells: give {n} centres or {} edges",
            n + 1
        ))),
    }
}

/// `A:B` or `A:B:log`; anything else is a file's name.
pub(super) fn range(spec: &str) -> Option<(f64, f64, bool)> {
    let parts: Vec<&str> = spec.split(':').map(str::trim).collect();
    let (a, b, log) = match parts[..] {
        [a, b] => (a, b, false),
        [a, b, "log"] => (a, b, true),
        _ => return None,
    };
    Some((a.parse().ok()?, b.parse().ok()?, log))
}

/// `n` values from `a` to `b`, both included; `a` alone where there is one cell.
fn spread(a: f64, b: f64, n: usize, log: bool) -> Result<Vec<f64>, String> {
    if !a.is_finite() || !b.is_finite() || !(b - a).is_finite() {
        return Err("both ends must be finite".to_owned());
    }
    if log && (a <= 0.0 || b <= 0.0) {
        return Err("a logarithmic axis needs both ends above 0".to_owned());
    }
    if a == b && n > 1 {
        return Err(format!("{n} cells cannot all lie at {a}"));
    }
    let steps = n.saturating_sub(1).max(1) as f64;
    let at = |i: usize| match i {
        0 => a,
        _ if i == n - 1 => b,
        _ if log => (a.ln() + (b.ln() - a.ln()) / steps * i as f64).exp(),
        _ => a + (b - a) / steps * i as f64,
    };
    Ok((0..n).map(at).collect())
}

/// An axis of these values, ascending, and the order that makes them so unless they did.
pub(super) fn sorted(values: Vec<f64>, kind: AxisKind) -> Result<(Axis, Option<Vec<usize>>), String> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    if let Some(w) = order.windows(2).find(|w| values[w[0]] >= values[w[1]]) {
        return Err(format!(
            "values {} and {} are both {}: cells need different places",
            w[0] + 1,
            w[1] + 1,
            values[w[0]]
        ));
    }
    let moved = !order.is_sorted();
    let centers: Vec<f64> = order.iter().map(|&i| values[i]).collect();
    let labels = labels(&centers);
    let mut axis = Axis::number("", centers, labels);
    axis.kind = kind;
    Ok((axis, moved.then_some(order)))
}

fn edged(mut edges: Vec<f64>) -> Result<(Axis, Option<Vec<usize>>), String> {
    let falls = edges.first() > edges.last();
    if falls {
        edges.reverse();
    }
    if let Some(i) = edges.windows(2).position(|w| w[0] >= w[1]) {
        return Err(format!(
            "{} edges must rise or fall throughout; {} and {} do not",
            edges.len(),
            edges[i],
            edges[i + 1]
        ));
    }
    let n = edges.len() - 1;
    let centers: Vec<f64> = edges.windows(2).map(|w| w[0] + (w[1] - w[0]) / 2.0).collect();
    let labels = labels(&centers);
    let mut axis = Axis::number("", centers, labels);
    axis.coords = Some(Coords::Edges(edges));
    Ok((axis, falls.then(|| (0..n).rev().collect())))
}

/// The text of each value: rounded to a twentieth of the way to its neighbour, at most 6 digits unless two would read the same.
fn labels(values: &[f64]) -> Vec<String> {
    let gap = |i: usize, j: Option<usize>| {
        j.and_then(|j| values.get(j))
            .map_or(f64::INFINITY, |v| (v - values[i]).abs())
    };
    let text = |i: usize| {
        let v = values[i];
        let near = gap(i, i.checked_sub(1)).min(gap(i, Some(i + 1)));
        let rounded = |digits: usize| format!("{v:.*e}", digits - 1).parse::<f64>().unwrap_or(v);
        // A value that 6 digits give but for rounding of f64 keeps all of them.
        let short = rounded(6);
        if (short - v).abs() <= v.abs() * 1e-13 {
            return Number::F64(short).to_string();
        }
        let good = |digits: &usize| {
            let error = (rounded(*digits) - v).abs();
            error <= near / 20.0 && near.is_finite() || *digits >= 6 && error < near / 2.0
        };
        Number::F64((1..=17).find(good).map_or(v, rounded)).to_string()
    };
    (0..values.len()).map(text).collect()
}

/// The numbers of an `.npy` file of one dimension, or of a text with one a line or commas between.
fn read_numbers(path: &Path, file: &str, budget: &Arc<Budget>) -> Result<Vec<f64>, InputError> {
    let (bytes, _held) = read_side_file(path, file, budget)?;
    if bytes.starts_with(b"\x93NUMPY") {
        let (array, _room) = read_side_array(&bytes, file, budget)?;
        if array.shape.iter().filter(|&&d| d != 1).count() > 1 {
            return Err(InputError::refused(
                file,
                "header",
                format!("shape {:?}: axis values are one row of numbers", array.shape),
            ));
        }
        return Ok((0..array.data.len())
            .map(|i| array.data.get(i).as_f64())
            .collect());
    }
    let (rows, _room) = parse_table(&bytes, file, budget)?;
    Ok(rows.into_iter().flatten().collect())
}

/// The array of an `.npy` file, and what its numbers take until they are where they belong.
pub(super) fn read_side_array(
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Array, Taken), InputError> {
    let count = Header::parse(bytes, file)?.count as u64;
    let room = budget
        .hold(NUMBER.saturating_mul(count))
        .map_err(|s| s.of(file, format_args!("{count} numbers")))?;
    Ok((read_npy(bytes, file)?, room))
}

/// The numbers of a text, line by line, and what they take; commas, semicolons and white space divide, blank lines and `#`
/// comments are skipped.
pub(super) fn parse_table(
    bytes: &[u8],
    file: &str,
    budget: &Arc<Budget>,
) -> Result<(Vec<Vec<f64>>, Taken), InputError> {
    let mut room = budget.nothing();
    let text = std::str::from_utf8(bytes).map_err(|e| {
        InputError::refused(
            file,
            format!("byte {}", e.valid_up_to()),
            "not UTF-8 text, nor an NPY file",
        )
    })?;
    let mut rows = Vec::new();
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let fields = line
            .split([',', ';', ' ', '\t', '\r'])
            .map(str::trim)
            .filter(|f| !f.is_empty());
        // No line has more numbers than half of its bytes.
        room.owe(ROW + NUMBER * (line.len() as u64 / 2 + 1))
            .map_err(|s| s.of(file, format_args!("line {}: its numbers", i + 1)))?;
        let row: Result<Vec<f64>, _> = fields.map(|f| f.parse::<f64>().map_err(|_| f)).collect();
        match row {
            Ok(row) if row.is_empty() => {}
            Ok(row) => rows.push(row),
            Err(f) => {
                let f: String = f.chars().take(40).collect();
                return Err(InputError::refused(
                    file,
                    format!("line {}", i + 1),
                    format!("'{f}' is no number"),
                ));
            }
        }
    }
    Ok((rows, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: usize) -> Grid {
        Grid::from_rows(1, columns, (0..columns).map(|v| v as f64).collect()).unwrap()
    }

    fn valued_x(columns: usize, spec: &str, base: &Path) -> Result<Grid, String> {
        let mut f = Figure::default();
        f.x.values = Some(spec.to_owned());
        apply_axis_values(
            grid(columns),
            &OwnValues::default(),
            &f,
            base,
            "a.npy",
            &Budget::new(1 << 20),
        )
        .map_err(|e| e.to_string())
    }

    fn texts(g: &Grid) -> Vec<String> {
        (0..g.width()).map(|i| g.columns.label(i)).collect()
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
            (texts(&g), g.columns.kind),
            (
                ["1", "10", "100", "1000"].map(String::from).to_vec(),
                AxisKind::Log
            )
        );
        let g = valued_x(3, "5:1", here).unwrap();
        assert_eq!(
            (texts(&g), g.at(0, 0)),
            (["1", "3", "5"].map(String::from).to_vec(), Ok(Number::F64(2.0)))
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
            &OwnValues::default(),
            &f,
            Path::new(""),
            "a.npy",
            &budget,
        )
        .unwrap();
        assert_eq!((g.columns.name.as_str(), g.rows.name.as_str()), ("Ratio", ""));
        let mut named = grid(3);
        named.columns.name = "r".to_owned();
        assert_eq!(
            apply_axis_values(named, &OwnValues::default(), &f, Path::new(""), "a.npy", &budget)
                .unwrap()
                .columns
                .name,
            "r"
        );
    }

    #[test]
    fn labels_are_short_and_tell_neighbours_apart() {
        assert_eq!(
            labels(&[0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5]),
            ["0", "0.17", "0.33", "0.5"]
        );
        assert_eq!(labels(&[0.123456, 7.0]), ["0.123456", "7"]);
        assert_eq!(labels(&[1e9 + 1.0, 1e9 + 2.0]), ["1000000001", "1000000002"]);
        assert_eq!(labels(&[std::f64::consts::PI]), ["3.14159"]);
        let many: Vec<f64> = (0..200).map(|i| f64::from(i) / 199.0).collect();
        let mut texts = labels(&many);
        assert!(texts.iter().all(|t| t.len() <= 8), "{texts:?}");
        texts.dedup();
        assert_eq!(texts.len(), 200);
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
            [0, 1, 2].map(|c| g.at(0, c).unwrap()),
            [1.0, 2.0, 0.0].map(Number::F64)
        );
        let g = with("10, 5, 2, 0").unwrap();
        assert_eq!(g.columns.edges().unwrap(), [0.0, 2.0, 5.0, 10.0]);
        assert_eq!((texts(&g)[0].as_str(), g.at(0, 0)), ("1", Ok(Number::F64(2.0))));
        assert_eq!(
            with("1\n2\n").err().unwrap(),
            "v.txt: 2 values, but the x axis has 3 cells: give 3 centres or 4 edges"
        );
        assert_eq!(with("1\nx\n3").err().unwrap(), "v.txt: line 2: 'x' is no number");
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
