//! The exact reduction of a part of a grid to pixels, as numbers.

use gridscope_core::figure::{Figure, Reduce};
use gridscope_core::grid::{Exact, Grid, Number, PartialScan, ScanPlan, ScanRequest, State, Stats};
use gridscope_core::view::EdgeTable;
use gridscope_draw::error::Error;
use gridscope_draw::resolve::centres;
use gridscope_read::{Budget, OverBudget};
use std::sync::Arc;

/// Request for a reduction to pixels.
#[derive(Clone, Copy, Debug)]
pub struct FoldRequest {
    /// Rows and columns of pixels.
    pub shape: (u32, u32),
    /// How several cells become a pixel.
    pub by: Reduce,
    /// The first row, the end of the rows, the first column and the end of the columns: in cells, fractions allowed, beyond the grid
    /// too. Without it the whole grid.
    pub view: Option<[f64; 4]>,
    /// Centre of `extreme`; without it the middle between the least and the greatest finite value of the grid.
    pub center: Option<f64>,
}

/// Content of each pixel, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// The value of each pixel that has one: the grid's own for the least, the greatest and `extreme`, else the mean as f64 or a
    /// count.
    pub values: Vec<Option<Number>>,
    /// The state of each pixel that has no value; a pixel beyond the grid is absent.
    pub states: Vec<Option<State>>,
}

/// The reduction of a grid, whose pixels are taken off a budget while it works.
///
/// # Errors
/// Sides of no or too many pixels, too little memory, a view that is empty, cells that cannot be read.
pub fn fold(grid: &Grid, request: FoldRequest, budget: &Arc<Budget>) -> Result<Folded, Error> {
    // What a pixel takes as a summary, twice where windows meet, as a reduction and as a result.
    const BYTES: u64 = 256;
    let (height, width) = request.shape;
    check_pixels(request.shape)?;
    let pixels = u64::from(height) * u64::from(width);
    let _held = budget
        .reserve(pixels * BYTES)
        .map_err(|e| Error::limit(format!("{height} x {width} pixels: {e}")).with_hint(OverBudget::HINT))?;
    let side = |cells: usize, part: Option<(f64, f64)>, pixels: u32| match part {
        None => Ok(EdgeTable::fit(cells as u32, pixels)),
        Some((from, to)) if from < to && (to - from).is_finite() => {
            Ok(EdgeTable::part(cells as u32, from, to, pixels))
        }
        Some((from, to)) => Err(Error::unavailable(format!("the view {from}:{to} has no cells"))),
    };
    let rows = side(grid.height(), request.view.map(|v| (v[0], v[1])), height)?;
    let columns = side(grid.width(), request.view.map(|v| (v[2], v[3])), width)?;
    let center = match (request.by, request.center) {
        (Reduce::Extreme, None) => {
            let centres = centres(&Figure::default(), std::slice::from_ref(grid))?;
            centres.first().copied().unwrap_or_default()
        }
        (_, center) => center.unwrap_or(0.0),
    };
    Ok(reduced(&grid.exact(columns.spans(), rows.spans())?, request.by, center))
}

/// The pass that folds a grid of `shape` cells, of which no place holds all, to `pixels`.
///
/// # Errors
/// Sides of no or too many cells or pixels.
pub fn fold_plan(shape: (usize, usize), pixels: (u32, u32)) -> Result<ScanPlan, Error> {
    check_pixels(pixels)?;
    let side = |cells: usize, pixels: u32| EdgeTable::fit(u32::try_from(cells).unwrap_or(u32::MAX), pixels);
    let (rows, columns) = (side(shape.0, pixels.0), side(shape.1, pixels.1));
    let ask = ScanRequest { body: Some((columns.spans(), rows.spans())), ..ScanRequest::default() };
    ScanPlan::new(shape, &ask, None).map_err(|e| Error::unavailable(e.to_string()))
}

/// Pixels and statistics of a pass whose parts are joined. `extreme` measures from `center`, or from the middle between the least and
/// the greatest finite value.
///
/// # Errors
/// Parts that are not all cells.
pub fn fold_parts(parts: PartialScan, by: Reduce, center: Option<f64>) -> Result<(Folded, Stats), Error> {
    let found = parts.finish().map_err(|e| Error::unavailable(e.to_string()))?;
    let middle = || found.stats.range().map_or(0.0, |(low, high)| low / 2.0 + high / 2.0);
    let center = center.unwrap_or_else(middle);
    Ok((reduced(&Exact::all(&found.summaries, false), by, center), found.stats))
}

fn check_pixels((height, width): (u32, u32)) -> Result<(), Error> {
    const MOST: u32 = 65_535;
    if !(1..=MOST).contains(&height) || !(1..=MOST).contains(&width) {
        return Err(Error::limit(format!("{height} x {width} pixels: sides are 1 to {MOST} pixels")));
    }
    Ok(())
}

/// Content of pixels by a reduction.
fn reduced(pixels: &[Exact], by: Reduce, center: f64) -> Folded {
    let value = |pixel: &Exact| -> Option<Number> {
        match by {
            Reduce::Count => (pixel.count > 0 || pixel.states != 0).then_some(Number::U64(pixel.count)),
            _ if pixel.count == 0 => None,
            Reduce::Mean => Some(Number::F64(pixel.mean())),
            Reduce::Min => pixel.min,
            Reduce::Max => pixel.max,
            Reduce::Extreme => pixel.min.zip(pixel.max).map(|(low, high)| {
                let is_low_farther = center - low.as_f64() > high.as_f64() - center;
                if is_low_farther { low } else { high }
            }),
        }
    };
    let values: Vec<Option<Number>> = pixels.iter().map(value).collect();
    let state = |(pixel, value): (&Exact, &Option<Number>)| match value {
        // Infinities of both signs have no mean.
        Some(Number::F64(v)) if v.is_nan() => Some(State::Nan),
        Some(_) => None,
        None => pixel.state().or(Some(State::Absent)),
    };
    let states = pixels.iter().zip(&values).map(state).collect();
    Folded { values, states }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Axis, Values};

    fn folded(view: Option<[f64; 4]>, by: Reduce, shape: (u32, u32)) -> Folded {
        let axis = |n| Axis::index("", n);
        let values = Values::I64((0..16).collect());
        let mut states = vec![None; 16];
        states[0] = Some(State::Masked);
        let grid = Grid::new(axis(4), axis(4), values, &states).unwrap();
        let center = None;
        fold(&grid, FoldRequest { shape, by, view, center }, &Budget::usual()).unwrap()
    }

    #[test]
    fn pixels_hold_what_lies_under_them() {
        let of = |by| folded(None, by, (2, 2)).values;
        let integers = |v: [i64; 4]| v.map(|v| Some(Number::I64(v))).to_vec();
        assert_eq!(of(Reduce::Min), integers([1, 2, 8, 10]));
        assert_eq!(of(Reduce::Max), integers([5, 7, 13, 15]));
        // From 8, the middle of 1 and 15.
        assert_eq!(of(Reduce::Extreme), integers([1, 2, 13, 15]));
        assert_eq!(of(Reduce::Mean)[0], Some(Number::F64(10.0 / 3.0)));
        assert_eq!(of(Reduce::Count)[0], Some(Number::U64(3)));
    }

    #[test]
    fn views_may_leave_the_grid_and_repeat_cells() {
        let out = folded(Some([-2.0, 2.0, 0.0, 1.0]), Reduce::Max, (4, 2));
        let four = Some(Number::I64(4));
        assert_eq!(out.values, [None, None, None, None, None, None, four, four]);
        let [absent, masked] = [Some(State::Absent), Some(State::Masked)];
        assert_eq!(out.states, [absent, absent, absent, absent, masked, masked, None, None]);
    }

    #[test]
    fn empty_views_and_sizes_are_refused() {
        let grid = Grid::from_rows(1, 2, vec![f64::INFINITY, f64::NEG_INFINITY]).unwrap();
        let by = |shape, view| {
            let request = FoldRequest { shape, by: Reduce::Mean, view, center: None };
            fold(&grid, request, &Budget::new(10_000)).map(|out| out.states)
        };
        assert_eq!(by((1, 1), None).unwrap(), [Some(State::Nan)]);
        for (shape, view) in [
            ((0, 1), None),
            ((1, 70_000), None),
            ((10, 10), None),
            ((1, 1), Some([0.0, 0.0, 0.0, 1.0])),
            ((1, 1), Some([0.0, f64::INFINITY, 0.0, 1.0])),
            ((1, 1), Some([f64::NAN, 1.0, 0.0, 1.0])),
        ] {
            assert!(by(shape, view).is_err(), "{shape:?} {view:?}");
        }
    }
}
