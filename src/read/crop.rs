//! The part of a grid that is shown: rows and columns, or the surroundings of a cell.

use super::InputError;
use gridscope_core::figure::{Around, CellRange, ViewSpec};
use gridscope_core::grid::{Grid, Number, ScanRequest};
use gridscope_core::notation::Literal;
use std::ops::Range;

/// Cells on each side of `around` unless the view says.
const RADIUS: u64 = 20;

/// The grids' parts that the view names.
pub(super) fn crop(grids: Vec<Grid>, view: &ViewSpec, file: &str) -> Result<Vec<Grid>, InputError> {
    let Some(around) = &view.around else {
        if view.radius.is_some() {
            return Err(
                InputError::usage(file, "'radius' requires 'around'").with_hint("--around max --radius 20")
            );
        }
        return grids.into_iter().map(|g| window(g, view, file)).collect();
    };
    if view.rows.is_some() || view.cols.is_some() {
        return Err(InputError::usage(file, "around and rows or cols both choose the view: give one"));
    }
    let radius = usize::try_from(view.radius.unwrap_or(RADIUS)).unwrap_or(usize::MAX);
    let alike = grids.windows(2).all(|g| (g[0].height(), g[0].width()) == (g[1].height(), g[1].width()));
    let common = if alike { Some(centre(&grids, around, file)?) } else { None };
    let cut = |g: Grid| {
        let (r, c) = match common {
            Some(at) => at,
            None => centre(std::slice::from_ref(&g), around, file)?,
        };
        let near =
            |i: usize, n: usize| i.saturating_sub(radius)..i.saturating_add(radius).saturating_add(1).min(n);
        g.window(near(r, g.height()), near(c, g.width())).map_err(|e| InputError::usage(file, e))
    };
    grids.into_iter().map(cut).collect()
}

/// The cell that `around` names: the first greatest or least finite value of any grid, or ROW,COLUMN.
fn centre(grids: &[Grid], around: &Literal<Around>, file: &str) -> Result<(usize, usize), InputError> {
    let Around::Cell { row, column } = **around else {
        let max = **around == Around::Max;
        let mut best: Option<(Number, (usize, usize))> = None;
        for g in grids {
            let stats =
                g.scan(&ScanRequest::default()).map_err(|e| InputError::refused(&e.file, "", e.what))?.stats;
            let (value, cells) =
                if max { (stats.max, stats.max_cells) } else { (stats.min, stats.min_cells) };
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
    };
    match grids.iter().find(|g| row >= g.height() || column >= g.width()) {
        Some(g) => {
            let what = format!(
                "around {around} lies outside the grid of {} rows x {} columns",
                g.height(),
                g.width()
            );
            Err(InputError::usage(file, what))
        }
        None => Ok((row, column)),
    }
}

fn window(g: Grid, view: &ViewSpec, file: &str) -> Result<Grid, InputError> {
    let rows = half_open("rows", view.rows.as_ref(), g.height(), file)?;
    let columns = half_open("cols", view.cols.as_ref(), g.width(), file)?;
    if rows.len() == g.height() && columns.len() == g.width() {
        return Ok(g);
    }
    g.window(rows, columns).map_err(|e| InputError::usage(file, e))
}

/// A range of `n` cells.
fn half_open(
    word: &str,
    range: Option<&Literal<CellRange>>,
    n: usize,
    file: &str,
) -> Result<Range<usize>, InputError> {
    let Some(range) = range else { return Ok(0..n) };
    let (a, b) = (range.start.unwrap_or(0), range.end.unwrap_or(n));
    if b > n || a > n {
        return Err(InputError::usage(
            file,
            format!("{word} {range} goes beyond the grid: it has {n}, indices 0 to {}", n - 1),
        ));
    }
    if a >= b {
        return Err(InputError::usage(
            file,
            format!("{word} {range} is empty; the grid has {n}, and A:B ends before B"),
        ));
    }
    Ok(a..b)
}
