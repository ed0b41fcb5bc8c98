//! What is done to loaded grids before they are drawn: mask, axis values, and the part that is shown, in this order.

use super::axis_values::{OwnValues, apply_axis_values, hold, parse_table, read_side_array};
use super::budget::{Budget, Taken};
use super::whole::read_side_file;
use super::{ErrorKind, InputError};
use crate::figure::{Figure, ViewSpec};
use crate::grid::{Ask, Grid, Number, State};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Cells on each side of `around` unless the view says.
const RADIUS: u64 = 20;

/// Masks the grids, gives their axes values, and cuts out the view; paths start at `base`. What needs a source's cells in
/// memory may take `limit` bytes.
///
/// `around = "max"` of grids of one size shows the same window of all, around the first extreme of any.
///
/// # Errors
/// When an option does not fit the grids, or a file it names is refused.
pub fn apply(
    grids: Vec<Grid>,
    figure: &Figure,
    base: &Path,
    file: &str,
    limit: u64,
) -> Result<Vec<Grid>, InputError> {
    apply_own(grids, &[], figure, base, file, &Budget::new(limit))
}

/// The same for grids whose own files give them axis values: of each grid, as far as they go.
pub(super) fn apply_own(
    grids: Vec<Grid>,
    own: &[Arc<OwnValues>],
    figure: &Figure,
    base: &Path,
    file: &str,
    budget: &Arc<Budget>,
) -> Result<Vec<Grid>, InputError> {
    let none = Arc::default();
    let mask = figure
        .data
        .mask
        .as_deref()
        .map(|m| Mask::read(m, base, budget))
        .transpose()?;
    let mut out = Vec::with_capacity(grids.len());
    for (i, mut grid) in grids.into_iter().enumerate() {
        if let Some(mask) = &mask {
            hold(&grid, file, budget)?;
            mask.hide(&mut grid)?;
        }
        out.push(apply_axis_values(
            grid,
            own.get(i).unwrap_or(&none),
            figure,
            base,
            file,
            budget,
        )?);
    }
    show(out, &figure.view, file)
}

/// Which cells are hidden.
enum Mask {
    /// On and above the diagonal, as `numpy.triu(ones)`.
    Upper,
    /// On and below the diagonal, as `numpy.tril(ones)`.
    Lower,
    /// A file's 1.
    File {
        file: String,
        rows: usize,
        columns: usize,
        hidden: Vec<bool>,
    },
}

impl Mask {
    fn read(spec: &str, base: &Path, budget: &Arc<Budget>) -> Result<Mask, InputError> {
        match spec {
            "upper" => return Ok(Mask::Upper),
            "lower" => return Ok(Mask::Lower),
            _ => {}
        }
        let refuse = |place: &str, what: String| InputError::refused(spec, place, what);
        let hint = |e: InputError| match e.kind {
            ErrorKind::Limit => e,
            _ => e.with_hint("mask is 'upper', 'lower', or a file of 0 and 1 in the shape of the grid"),
        };
        let (bytes, _held) = read_side_file(&base.join(spec), spec, budget).map_err(hint)?;
        let (rows, columns, values, _room): (usize, usize, Vec<f64>, Taken) =
            if bytes.starts_with(b"\x93NUMPY") {
                let (array, room) = read_side_array(&bytes, spec, budget)?;
                let values = (0..array.data.len())
                    .map(|i| array.data.get(i).as_f64())
                    .collect();
                match array.shape[..] {
                    [r, c] => (r, c, values, room),
                    [c] => (1, c, values, room),
                    _ => {
                        return Err(refuse(
                            "header",
                            format!("shape {:?}: a mask has two dimensions", array.shape),
                        ));
                    }
                }
            } else {
                let (table, room) = parse_table(&bytes, spec, budget)?;
                let columns = table.first().map_or(0, Vec::len);
                if let Some(i) = table.iter().position(|r| r.len() != columns) {
                    return Err(refuse(
                        "",
                        format!(
                            "row {} has {} numbers, row 1 has {columns}",
                            i + 1,
                            table[i].len()
                        ),
                    ));
                }
                (table.len(), columns, table.into_iter().flatten().collect(), room)
            };
        if let Some(v) = values.iter().find(|v| **v != 0.0 && **v != 1.0) {
            return Err(refuse("", format!("a mask holds 0 and 1, found {v}")));
        }
        budget
            .take(values.len() as u64)
            .map_err(|s| s.of(spec, format_args!("{rows} x {columns} cells")))?;
        Ok(Mask::File {
            file: spec.to_owned(),
            rows,
            columns,
            hidden: values.iter().map(|v| *v == 1.0).collect(),
        })
    }

    /// Marks the hidden cells that hold a value.
    fn hide(&self, grid: &mut Grid) -> Result<(), InputError> {
        let (h, w) = (grid.height(), grid.width());
        if let Mask::File {
            file, rows, columns, ..
        } = self
            && (*rows, *columns) != (h, w)
        {
            let what =
                format!("a mask of {rows} rows x {columns} columns, but the grid has {h} rows x {w} columns");
            return Err(InputError::refused(file, "", what));
        }
        for r in 0..h {
            for c in 0..w {
                let hidden = match self {
                    Mask::Upper => c >= r,
                    Mask::Lower => c <= r,
                    Mask::File { hidden, .. } => hidden[r * w + c],
                };
                // What is hidden hides a missing value too; where there is no data nothing could be hidden.
                if hidden && State::of_bits(grid.cells()[r * w + c]) != Some(State::Absent) {
                    grid.set_state(r, c, State::Masked);
                }
            }
        }
        Ok(())
    }
}

/// The grids' parts that the view names.
fn show(grids: Vec<Grid>, view: &ViewSpec, file: &str) -> Result<Vec<Grid>, InputError> {
    let Some(around) = &view.around else {
        if view.radius.is_some() {
            return Err(
                InputError::usage(file, "radius stands without around").with_hint("--around max --radius 20")
            );
        }
        return grids.into_iter().map(|g| window(g, view, file)).collect();
    };
    if view.rows.is_some() || view.cols.is_some() {
        return Err(InputError::usage(
            file,
            "around and rows or cols both choose the view: give one",
        ));
    }
    let radius = usize::try_from(view.radius.unwrap_or(RADIUS)).unwrap_or(usize::MAX);
    let alike = grids
        .windows(2)
        .all(|g| (g[0].height(), g[0].width()) == (g[1].height(), g[1].width()));
    let common = if alike {
        Some(centre(&grids, around, file)?)
    } else {
        None
    };
    let cut = |g: Grid| {
        let (r, c) = match common {
            Some(at) => at,
            None => centre(std::slice::from_ref(&g), around, file)?,
        };
        let near =
            |i: usize, n: usize| i.saturating_sub(radius)..i.saturating_add(radius).saturating_add(1).min(n);
        g.window(near(r, g.height()), near(c, g.width()))
            .map_err(|e| InputError::usage(file, e))
    };
    grids.into_iter().map(cut).collect()
}

/// The cell that `around` names: the first greatest or least finite value of any grid, or ROW,COLUMN.
fn centre(grids: &[Grid], around: &str, file: &str) -> Result<(usize, usize), InputError> {
    if matches!(around, "max" | "min") {
        let max = around == "max";
        let mut best: Option<(Number, (usize, usize))> = None;
        for g in grids {
            let stats = g
                .digest(&Ask::default())
                .map_err(|e| InputError::refused(&e.file, "", e.what))?
                .stats;
            let (value, cells) = if max {
                (stats.max, stats.max_cells)
            } else {
                (stats.min, stats.min_cells)
            };
            let (Some(v), Some(cell)) = (value, cells.first()) else {
                continue;
            };
            if best.is_none_or(|(b, _)| if max { b.is_below(v) } else { v.is_below(b) }) {
                best = Some((v, *cell));
            }
        }
        return best.map(|b| b.1).ok_or_else(|| {
            InputError::refused(file, "", format!("around {around}: no cell holds a finite value"))
        });
    }
    let place = around
        .split_once(',')
        .and_then(|(r, c)| Some((r.trim().parse::<usize>().ok()?, c.trim().parse::<usize>().ok()?)));
    let (r, c) = place
        .ok_or_else(|| InputError::usage(file, format!("around '{around}' is not max, min or ROW,COLUMN")))?;
    match grids.iter().find(|g| r >= g.height() || c >= g.width()) {
        Some(g) => {
            let what = format!(
                "around {around} lies outside the grid of {} rows x {} columns",
                g.height(),
                g.width()
            );
            Err(InputError::usage(file, what))
        }
        None => Ok((r, c)),
    }
}

fn window(g: Grid, view: &ViewSpec, file: &str) -> Result<Grid, InputError> {
    let rows = half_open("rows", view.rows.as_deref(), g.height(), file)?;
    let columns = half_open("cols", view.cols.as_deref(), g.width(), file)?;
    if rows.len() == g.height() && columns.len() == g.width() {
        return Ok(g);
    }
    g.window(rows, columns).map_err(|e| InputError::usage(file, e))
}

/// `A:B` of `n`, either side left out.
fn half_open(word: &str, text: Option<&str>, n: usize, file: &str) -> Result<Range<usize>, InputError> {
    let Some(text) = text else { return Ok(0..n) };
    let side = |t: &str, default: usize| {
        if t.trim().is_empty() {
            Some(default)
        } else {
            t.trim().parse::<usize>().ok()
        }
    };
    let ends = text
        .split_once(':')
        .and_then(|(a, b)| Some((side(a, 0)?, side(b, n)?)));
    let (a, b) = ends.ok_or_else(|| {
        InputError::usage(
            file,
            format!("{word} '{text}' is not A:B, two indices from 0 to {n}"),
        )
        .with_hint(format!("--{word} 0:{n}"))
    })?;
    if b > n || a > n {
        return Err(InputError::usage(
            file,
            format!(
                "{word} {text} goes beyond the grid: it has {n}, indices 0 to {}",
                n - 1
            ),
        ));
    }
    if a >= b {
        return Err(InputError::usage(
            file,
            format!("{word} {text} is empty; the grid has {n}, and A:B ends before B"),
        ));
    }
    Ok(a..b)
}

#[cfg(test)]
mod tests {
    use super::super::ErrorKind;
    use super::*;

    /// Cell (r, c) holds 10 r + c.
    fn grid(rows: usize, columns: usize) -> Grid {
        Grid::from_rows(
            rows,
            columns,
            (0..rows * columns)
                .map(|i| (i / columns * 10 + i % columns) as f64)
                .collect(),
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
        Ok((g.height(), g.width(), g.at(0, 0).unwrap()))
    }

    #[test]
    fn triangles_hide_the_diagonal_and_leave_states() {
        let mut g = grid(3, 3);
        g.set_state(0, 2, State::Absent);
        let g = run(vec![g], |f| f.data.mask = Some("upper".into()), Path::new(""))
            .unwrap()
            .remove(0);
        let hidden: Vec<bool> = (0..9).map(|i| g.at(i / 3, i % 3) == Err(State::Masked)).collect();
        assert_eq!(hidden, [true, true, false, false, true, true, false, false, true]);
        let g = run(
            vec![grid(2, 3)],
            |f| f.data.mask = Some("lower".into()),
            Path::new(""),
        )
        .unwrap()
        .remove(0);
        assert_eq!((0..6).filter(|i| g.at(i / 3, i % 3).is_err()).count(), 3);
    }

    #[test]
    fn a_mask_file_fits_the_grid_or_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let with = |text: &str| {
            std::fs::write(dir.path().join("m.csv"), text).unwrap();
            run(
                vec![grid(2, 2)],
                |f| f.data.mask = Some("m.csv".into()),
                dir.path(),
            )
            .map(|mut g| g.remove(0))
        };
        let g = with("0,1\n1,0\n").unwrap();
        assert_eq!(
            (g.at(0, 1), g.at(1, 1)),
            (Err(State::Masked), Ok(Number::F64(11.0)))
        );
        assert!(
            with("0,1,0\n1,0,0\n")
                .unwrap_err()
                .to_string()
                .contains("2 rows x 3 columns, but the grid has 2 rows x 2")
        );
        assert!(with("0,1\n1\n").unwrap_err().to_string().contains("row 2 has 1"));
        assert!(with("0,2\n1,0\n").unwrap_err().to_string().contains("found 2"));
        assert!(
            run(
                vec![grid(2, 2)],
                |f| f.data.mask = Some("uper".into()),
                dir.path()
            )
            .unwrap_err()
            .hint
            .is_some()
        );
    }

    #[test]
    fn windows_are_half_open_and_checked() {
        let n = Number::F64;
        assert_eq!(shown(5, 6, |v| v.rows = Some("1:3".into())), Ok((2, 6, n(10.0))));
        assert_eq!(shown(5, 6, |v| v.cols = Some("4:".into())), Ok((5, 2, n(4.0))));
        assert_eq!(shown(5, 6, |v| v.rows = Some(":".into())), Ok((5, 6, n(0.0))));
        for bad in [
            "-1:3",
            "3:1",
            "2:2",
            "0:6",
            "7:",
            "5:",
            "3",
            "a:b",
            "",
            "1:2:3",
            "0:99999999999999999999",
        ] {
            assert_eq!(
                shown(5, 6, |v| v.rows = Some(bad.into())).unwrap_err().kind,
                ErrorKind::Usage,
                "{bad}"
            );
        }
    }

    #[test]
    fn around_clamps_at_the_sides() {
        let around = |place: &str, radius: Option<u64>| {
            let place = place.to_owned();
            shown(5, 6, move |v| {
                (v.around, v.radius) = (Some(place.clone()), radius)
            })
        };
        let n = Number::F64;
        assert_eq!(around("max", Some(1)), Ok((2, 2, n(34.0))));
        assert_eq!(around("min", Some(0)), Ok((1, 1, n(0.0))));
        assert_eq!(around("2, 3", Some(1)), Ok((3, 3, n(12.0))));
        assert_eq!(around("2,3", None), Ok((5, 6, n(0.0))));
        assert_eq!(around("2,3", Some(u64::MAX)), Ok((5, 6, n(0.0))));
        assert!(
            around("5,0", None).is_err() && around("-1,0", None).is_err() && around("peak", None).is_err()
        );
        let both = run(
            vec![grid(3, 3)],
            |f| (f.view.around, f.view.rows) = (Some("max".into()), Some("0:1".into())),
            Path::new(""),
        );
        assert!(both.is_err());
        let nothing = Grid::from_rows(1, 1, vec![f64::NAN]).unwrap();
        assert!(
            run(
                vec![nothing],
                |f| f.view.around = Some("max".into()),
                Path::new("")
            )
            .is_err()
        );
    }

    #[test]
    fn panels_of_one_size_show_the_same_window() {
        let mut high = grid(5, 6);
        high = high.permuted(&[4, 3, 2, 1, 0], &[0, 1, 2, 3, 4, 5]).unwrap();
        let edit = |f: &mut Figure| (f.view.around, f.view.radius) = (Some("max".into()), Some(0));
        let g = run(vec![grid(5, 6), high], edit, Path::new("")).unwrap();
        assert_eq!(
            (g[0].at(0, 0), g[1].at(0, 0)),
            (Ok(Number::F64(45.0)), Ok(Number::F64(5.0)))
        );
    }
}
