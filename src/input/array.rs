//! Arrays to grids: slices, panels along an axis, and the rule for one dimension (1 row) and three (say which).

use super::InputError;
use super::budget::{Budget, Short, Taken};
use super::npy::Array;
use super::npy_header::Header;
use super::panels::check_count;
use super::plane::{Laid, Plane};
use crate::figure::{Figure, List, TableKind};
use crate::grid::{Axis, CELL_BYTES, Grid, State, Values};
use std::fs::File;
use std::sync::Arc;

/// Planes of an array: which elements each grid takes.
#[derive(Debug)]
pub(super) struct Planes {
    pub rows: usize,
    pub columns: usize,
    /// Elements from row to row and from column to column.
    pub step: (usize, usize),
    /// The first element of each, and the panel's name.
    pub first: Vec<(usize, String)>,
}

/// What the options make of an array's axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub rows: usize,
    pub columns: usize,
    /// The axis of the rows; `None` where the array is one row.
    pub row: Option<usize>,
    /// The axis of the columns.
    pub column: usize,
    /// The axis whose indexes are panels, and how many there are.
    pub panel: Option<(usize, usize)>,
    /// The index that is taken of each other axis.
    pub fixed: Vec<Option<usize>>,
}

/// The rows, columns and panels of an array of this shape.
///
/// A 1-D array of n is a grid of 1 x n. More than two dimensions need `slice` or `panel = "axis:N"`; axes of length 1
/// drop out by themselves, the first ones first.
///
/// # Errors
/// When the options do not leave two dimensions, name no axis of the array, or the array has no element.
pub(super) fn choose(shape: &[usize], file: &str, figure: &Figure) -> Result<Chosen, InputError> {
    no_columns(file, figure)?;
    if shape.is_empty() {
        let e = InputError::refused(file, "shape ()", "a 0-d array holds one number, not a grid");
        return Err(e.with_hint("save it with two dimensions: array.reshape(1, 1)"));
    }
    let panel = panel_axis(file, figure, shape)?;
    let mut fixed = slices(file, figure.data.slice.as_ref(), shape)?;
    if let Some(p) = panel.filter(|&p| fixed[p].is_some()) {
        return Err(InputError::usage(
            file,
            format!("axis {p} is both sliced and made into panels"),
        ));
    }
    let mut rest: Vec<usize> = (0..shape.len())
        .filter(|&a| fixed[a].is_none() && Some(a) != panel)
        .collect();
    while rest.len() > 2 {
        let Some(i) = rest.iter().position(|&a| shape[a] == 1) else {
            break;
        };
        fixed[rest.remove(i)] = Some(0);
    }
    let (row, column) = match rest[..] {
        [r, c] => (Some(r), c),
        [c] => (None, c),
        [] => {
            return Err(InputError::usage(
                file,
                format!("the slices of shape {} leave one number, not a grid", text(shape)),
            ));
        }
        _ => return Err(too_many(file, shape, &rest, panel)),
    };
    let (rows, columns) = (row.map_or(1, |a| shape[a]), shape[column]);
    let panels = panel.map_or(1, |p| shape[p]);
    if let Some(p) = panel {
        check_count(panels, file, || format!("axis {p} makes {panels} panels")).map_err(|e| {
            e.with_hint(format!(
                "--slice {p}=0 in place of --panel draws one of them; --panel axis:N takes another axis"
            ))
        })?;
    }
    if rows == 0 || columns == 0 || panels == 0 {
        let of = panel.map(|_| format!(" in {panels} panels")).unwrap_or_default();
        return Err(InputError::refused(
            file,
            "",
            format!("no cells: {rows} rows x {columns} columns{of}"),
        ));
    }
    if let Some(side) = [rows, columns].into_iter().find(|n| *n > u32::MAX as usize) {
        return Err(InputError::limit(
            file,
            format!("{side} cells in a row or column: sides end at {}", u32::MAX),
        ));
    }
    Ok(Chosen {
        rows,
        columns,
        row,
        column,
        panel: panel.map(|p| (p, panels)),
        fixed,
    })
}

/// The planes of an array of this shape, as [`choose`] leaves them: one, or one an index of the panel axis. `fortran` arrays
/// run fastest along their first axis.
///
/// # Errors
/// As [`choose`].
pub(super) fn planes(
    shape: &[usize],
    fortran: bool,
    file: &str,
    figure: &Figure,
) -> Result<Planes, InputError> {
    if figure.data.key.is_some() {
        return Err(InputError::usage(
            file,
            "'key' names one of several arrays; this file holds one",
        ));
    }
    let Chosen {
        rows,
        columns,
        row,
        column,
        panel,
        fixed,
    } = choose(shape, file, figure)?;
    let strides = strides(shape, fortran);
    let base: usize = fixed.iter().zip(&strides).map(|(i, s)| i.unwrap_or(0) * s).sum();
    let first = match panel {
        Some((p, panels)) => (0..panels)
            .map(|i| (base + i * strides[p], format!("axis {p} = {i}")))
            .collect(),
        None => vec![(base, String::new())],
    };
    // A lone row may lie anywhere: it counts as rows of its own length.
    let row_step = row.map_or(columns * strides[column], |a| strides[a]);
    Ok(Planes {
        rows,
        columns,
        step: (row_step, strides[column]),
        first,
    })
}

/// Bytes of an element that is copied into a grid, and of its place while that is done.
const COPIED: u64 = CELL_BYTES;
const PLACE: u64 = 8;

/// What the grids of an array in memory take where its elements are copied into them; held until they are. The copies are
/// taken to the end of the run.
///
/// # Errors
/// Too little memory.
pub(super) fn copied(
    shape: &[usize],
    figure: &Figure,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Taken, InputError> {
    if shape.len() < 3 && figure.data.slice.is_none() && figure.data.panel.is_none() {
        return Ok(budget.nothing());
    }
    let count = shape.iter().fold(1u64, |n, s| n.saturating_mul(*s as u64));
    let short = |s: Short| s.of(file, format_args!("planes of {count} elements"));
    budget.take(COPIED.saturating_mul(count)).map_err(short)?;
    budget.hold(PLACE.saturating_mul(count)).map_err(short)
}

/// The grids of an array in memory.
///
/// # Errors
/// As for its shape: when the options do not leave two dimensions, or it has no element.
pub fn array_grids(array: Array, file: &str, figure: &Figure) -> Result<Vec<Grid>, InputError> {
    let p = planes(&array.shape, false, file, figure)?;
    if let ([(0, name)], true) = (&p.first[..], p.rows * p.columns == array.data.len()) {
        return Ok(vec![grid(array.data, p.rows, p.columns, name, file, figure)?]);
    }
    let mut out = Vec::with_capacity(p.first.len());
    for (first, name) in &p.first {
        let order: Vec<usize> = (0..p.rows)
            .flat_map(|r| (0..p.columns).map(move |c| first + r * p.step.0 + c * p.step.1))
            .collect();
        out.push(grid(
            array.data.gathered(&order),
            p.rows,
            p.columns,
            name,
            file,
            figure,
        )?);
    }
    Ok(out)
}

/// The grids of an array that stays in its file.
///
/// # Errors
/// As [`array_grids`].
pub(super) fn stored_grids(
    file: &Arc<File>,
    name: &str,
    header: &Header,
    figure: &Figure,
) -> Result<Vec<Grid>, InputError> {
    let p = planes(&header.shape, header.fortran, name, figure)?;
    // A lone column is read as the row that it is; else rows are what lies closer together.
    let turned = if p.columns == 1 {
        p.step.0 <= p.step.1
    } else {
        p.step.0 < p.step.1
    };
    let shape = if turned {
        (p.columns, p.rows)
    } else {
        (p.rows, p.columns)
    };
    let (down, across) = if turned { (p.step.1, p.step.0) } else { p.step };
    // A lone row may end anywhere: it counts as rows of its own length.
    let step = if shape.0 == 1 {
        (shape.1 * across, across)
    } else {
        (down, across)
    };
    let laid = Laid {
        dtype: header.dtype,
        big_endian: header.big_endian,
        start: header.start as u64,
    };
    let mut out = Vec::with_capacity(p.first.len());
    for (first, panel) in p.first {
        let plane = Plane::new(file, name, laid, first as u64, step, shape);
        let mut grid = Grid::stored(Arc::new(plane), figure.data.nodata)
            .map_err(|e| InputError::refused(name, "", e))?;
        grid.name = panel;
        out.push(if turned != (figure.data.transpose == Some(true)) {
            grid.transposed()
        } else {
            grid
        });
    }
    Ok(out)
}

/// An array has no columns to name: options of tables are not dropped in silence.
fn no_columns(file: &str, figure: &Figure) -> Result<(), InputError> {
    let d = &figure.data;
    for (given, word) in [
        (&d.x, "x"),
        (&d.y, "y"),
        (&d.value, "value"),
        (&d.filter, "where"),
    ] {
        if given.is_some() {
            return Err(InputError::usage(
                file,
                format!("'{word}' names columns of a table; this is an array"),
            ));
        }
    }
    let axes = [&figure.x, &figure.y];
    let of_tables = [
        (d.agg.is_some(), "agg"),
        (d.pending.is_some(), "pending"),
        (d.table.is_some_and(|t| t != TableKind::Matrix), "table"),
        (d.header.is_some(), "header"),
        (d.delimiter.is_some(), "delimiter"),
        (d.missing.is_some(), "missing"),
        (axes.iter().any(|a| a.order.is_some()), "order"),
        (
            axes.iter().any(|a| a.kind.is_some() && a.values.is_none()),
            "type",
        ),
        (axes.iter().any(|a| a.domain.is_some()), "domain"),
    ];
    if let Some((_, word)) = of_tables.iter().find(|o| o.0) {
        return Err(InputError::usage(
            file,
            format!("'{word}' is for tables; this is an array"),
        ));
    }
    Ok(())
}

fn panel_axis(file: &str, figure: &Figure, shape: &[usize]) -> Result<Option<usize>, InputError> {
    let Some(p) = &figure.data.panel else {
        return Ok(None);
    };
    let axis = p
        .strip_prefix("axis:")
        .and_then(|n| n.trim().parse::<usize>().ok());
    match axis {
        Some(a) if a < shape.len() => Ok(Some(a)),
        Some(a) => Err(no_axis(file, a, shape)),
        None => Err(
            InputError::usage(file, format!("panel '{p}' names a column; an array has axes"))
                .with_hint("--panel axis:0"),
        ),
    }
}

fn slices(file: &str, given: Option<&List>, shape: &[usize]) -> Result<Vec<Option<usize>>, InputError> {
    let mut fixed = vec![None; shape.len()];
    for s in given.iter().flat_map(|l| &l.0) {
        let parts = s
            .split_once('=')
            .and_then(|(a, i)| Some((a.trim().parse::<usize>().ok()?, i.trim().parse::<usize>().ok()?)));
        let (axis, index) = parts.ok_or_else(|| {
            InputError::usage(file, format!("slice '{s}' is not AXIS=INDEX, two numbers from 0"))
                .with_hint("--slice 0=0")
        })?;
        let slot = fixed.get_mut(axis).ok_or_else(|| no_axis(file, axis, shape))?;
        if index >= shape[axis] {
            return Err(InputError::usage(
                file,
                format!(
                    "slice {s}: axis {axis} has {} elements, 0 to {}",
                    shape[axis],
                    shape[axis].max(1) - 1
                ),
            ));
        }
        if slot.replace(index).is_some() {
            return Err(InputError::usage(file, format!("axis {axis} is sliced twice")));
        }
    }
    Ok(fixed)
}

fn no_axis(file: &str, axis: usize, shape: &[usize]) -> InputError {
    InputError::usage(
        file,
        format!(
            "there is no axis {axis}: the shape is {}, axes 0 to {}",
            text(shape),
            shape.len() - 1
        ),
    )
}

fn too_many(file: &str, shape: &[usize], rest: &[usize], panel: Option<usize>) -> InputError {
    let surplus = &rest[..rest.len() - 2];
    let sliced: Vec<String> = surplus.iter().map(|a| format!("--slice {a}=0")).collect();
    let hint = match panel {
        Some(p) => format!("--panel axis:{p} {}", sliced.join(" ")),
        None => format!(
            "{}, or --panel axis:{}",
            sliced.join(" "),
            [&[surplus[0].to_string()], &sliced[1..]].concat().join(" ")
        ),
    };
    let what = format!(
        "a {}-D array of shape {} is no grid yet: choose two axes",
        shape.len(),
        text(shape)
    );
    InputError::usage(file, what).with_hint(hint)
}

/// `3 x 4`.
pub(super) fn text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

/// Elements from one index to the next along each axis.
fn strides(shape: &[usize], fortran: bool) -> Vec<usize> {
    let mut out = vec![1; shape.len()];
    for i in 1..shape.len() {
        let (here, before) = if fortran {
            (i, i - 1)
        } else {
            (shape.len() - 1 - i, shape.len() - i)
        };
        out[here] = out[before] * shape[before];
    }
    out
}

fn grid(
    values: Values,
    rows: usize,
    columns: usize,
    name: &str,
    file: &str,
    figure: &Figure,
) -> Result<Grid, InputError> {
    let states = figure
        .data
        .nodata
        .map(|v| nodata_states(&values, v))
        .unwrap_or_default();
    let axes = (Axis::index("", rows), Axis::index("", columns));
    let mut g = Grid::new(axes.0, axes.1, values, &states).map_err(|e| InputError::refused(file, "", e))?;
    g.name = name.to_owned();
    Ok(if figure.data.transpose == Some(true) {
        g.transposed()
    } else {
        g
    })
}

/// Masked where the value is the nodata number, compared in the source's own type; empty where none is.
fn nodata_states(values: &Values, nodata: f64) -> Vec<Option<State>> {
    let hit = |i| values.is_nodata(i, nodata);
    if (0..values.len()).any(hit) {
        (0..values.len())
            .map(|i| hit(i).then_some(State::Masked))
            .collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ErrorKind;
    use super::*;
    use crate::grid::Number;

    fn array(shape: &[usize]) -> Array {
        let n = shape.iter().product::<usize>();
        Array {
            shape: shape.to_vec(),
            data: Values::I64((0..n as i64).collect()),
        }
    }

    fn with(panel: Option<&str>, slice: &[&str]) -> Figure {
        let mut f = Figure::default();
        f.data.panel = panel.map(str::to_owned);
        f.data.slice = (!slice.is_empty()).then(|| List(slice.iter().map(|s| (*s).to_owned()).collect()));
        f
    }

    fn one(shape: &[usize], f: &Figure) -> Grid {
        let mut g = array_grids(array(shape), "a.npy", f).unwrap();
        assert_eq!(g.len(), 1);
        g.remove(0)
    }

    fn corner(g: &Grid) -> (usize, usize, Number, Number) {
        (
            g.height(),
            g.width(),
            g.at(0, 0).unwrap(),
            g.at(g.height() - 1, g.width() - 1).unwrap(),
        )
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
        assert_eq!(
            corner(&one(&[2, 3, 4], &with(None, &["0=1"]))),
            (3, 4, n(12), n(23))
        );
        assert_eq!(
            corner(&one(&[2, 3, 4], &with(None, &["2=3"]))),
            (2, 3, n(3), n(23))
        );
        assert_eq!(corner(&one(&[3, 4], &with(None, &["0=2"]))), (1, 4, n(8), n(11)));
        let transpose = Figure {
            data: crate::figure::Data {
                transpose: Some(true),
                ..Default::default()
            },
            ..Default::default()
        };
        assert_eq!(one(&[3, 4], &transpose).at(0, 2), Ok(n(8)));
    }

    #[test]
    fn a_panel_axis_makes_a_grid_an_index() {
        let g = array_grids(array(&[2, 3, 4]), "a.npy", &with(Some("axis:1"), &[])).unwrap();
        assert_eq!(
            g.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(),
            ["axis 1 = 0", "axis 1 = 1", "axis 1 = 2"]
        );
        assert_eq!(corner(&g[2]), (2, 4, Number::I64(8), Number::I64(23)));
        let g = array_grids(array(&[2, 2, 3, 4]), "a.npy", &with(Some("axis:0"), &["1=1"])).unwrap();
        assert_eq!(corner(&g[1]), (3, 4, Number::I64(36), Number::I64(47)));
    }

    #[test]
    fn what_does_not_fit_is_a_usage_error_with_a_line_to_copy() {
        let e = array_grids(array(&[2, 2, 3, 4]), "a.npy", &Figure::default()).unwrap_err();
        assert_eq!(
            (e.kind, e.hint.as_deref()),
            (
                ErrorKind::Usage,
                Some("--slice 0=0 --slice 1=0, or --panel axis:0 --slice 1=0")
            )
        );
        for (panel, slice) in [
            (None, vec!["3=0"]),
            (None, vec!["0=2"]),
            (None, vec!["0=-1"]),
            (None, vec!["0"]),
            (None, vec!["0=0", "0=1"]),
            (None, vec!["0=0", "1=1", "2=1"]),
            (Some("axis:0"), vec!["0=0"]),
            (Some("axis:9"), vec![]),
            (Some("seed"), vec![]),
        ] {
            let e = array_grids(array(&[2, 3, 4]), "a.npy", &with(panel, &slice)).unwrap_err();
            assert_eq!(e.kind, ErrorKind::Usage, "{e}");
        }
    }

    #[test]
    fn nothing_to_draw_is_refused() {
        let refused =
            |shape: &[usize], f: &Figure| array_grids(array(shape), "a.npy", f).unwrap_err().to_string();
        assert_eq!(
            refused(&[0, 5], &Figure::default()),
            "a.npy: no cells: 0 rows x 5 columns"
        );
        assert!(refused(&[], &Figure::default()).contains("0-d"));
        assert!(refused(&[0, 3, 4], &with(Some("axis:0"), &[])).contains("no cells"));
        assert!(refused(&[20_000, 1, 1], &with(Some("axis:0"), &[])).contains("20000 panels"));
    }

    #[test]
    fn nodata_is_masked_exactly() {
        let nodata = |data, v| {
            let f = Figure {
                data: crate::figure::Data {
                    nodata: Some(v),
                    ..Default::default()
                },
                ..Default::default()
            };
            let g = array_grids(
                Array {
                    shape: vec![1, 2],
                    data,
                },
                "a",
                &f,
            )
            .unwrap()
            .remove(0);
            [g.at(0, 0).is_err(), g.at(0, 1).is_err()]
        };
        assert_eq!(
            nodata(
                Values::F32 {
                    data: vec![0.1, 0.2],
                    integer: false
                },
                0.1
            ),
            [true, false]
        );
        assert_eq!(
            nodata(Values::I64(vec![(1 << 53) + 1, 1 << 53]), (1u64 << 53) as f64),
            [false, true]
        );
        assert_eq!(
            nodata(Values::I64(vec![i64::MAX, i64::MIN]), i64::MIN as f64),
            [false, true]
        );
        assert_eq!(nodata(Values::U64(vec![0, u64::MAX]), -1.0), [false, false]);
        assert_eq!(nodata(Values::I64(vec![0, 1]), f64::NAN), [false, false]);
    }
}
