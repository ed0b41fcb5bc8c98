//! Profiles: the values along the row and the column under the pointer, pixel by pixel.

use super::geometry::{Hit, WindowGeometry};
use gridscope_core::figure::Reduce;
use gridscope_core::geom::Point;
use gridscope_core::grid::{Grid, Reduced, Summaries};
use gridscope_core::view::EdgeTable;

/// The cells that one frame reads, where what its pixels cover is not known already.
const MOST_CELLS: usize = 1 << 21;

/// Cells under a pixel of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Covered {
    /// The least value.
    pub least: f64,
    /// The mean, or where counts are shown the number of values; NaN with infinities of both signs.
    pub middle: f64,
    /// The greatest value.
    pub greatest: f64,
}

/// The profiles of a point on a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profiles {
    /// The panel.
    pub panel: usize,
    /// The pixel column and the pixel row of the body under the point.
    pub at: (usize, usize),
    /// Along the row, from left to right; `None` where no cell has a value.
    pub row: Vec<Option<Covered>>,
    /// Along the column, from top to bottom.
    pub column: Vec<Option<Covered>>,
    /// They are those of an earlier view.
    pub is_outdated: bool,
}

impl Profiles {
    /// These profiles of an earlier view, where the point is over the same body, of as many pixels.
    pub(super) fn outdated(self, geometry: &WindowGeometry, at: Point) -> Option<Self> {
        let panel = geometry.panels.get(self.panel)?;
        let fits =
            panel.columns.spans().len() == self.row.len() && panel.rows.spans().len() == self.column.len();
        (fits && geometry.hit(at) == Hit::Body(self.panel)).then_some(Self { is_outdated: true, ..self })
    }
}

/// The profiles of a point of the window. `folded` is what each pixel of each body covers, where that is known; other cells are
/// read from memory, and none where these are too many for a frame or in a file.
pub(super) fn profiles(
    geometry: &WindowGeometry,
    folded: &[Option<std::sync::Arc<Summaries>>],
    reduce: Reduce,
    at: Point,
) -> Option<Profiles> {
    let Hit::Body(i) = geometry.hit(at) else {
        return None;
    };
    let (panel, grid) = (geometry.panels.get(i)?, geometry.grids.get(i)?);
    let (columns, rows) = (&panel.columns, &panel.rows);
    let (w, h) = (columns.spans().len(), rows.spans().len());
    let pixel = |v: f64, start: i32, n: usize| {
        let place = (v - f64::from(start)).max(0.0) as usize;
        n.checked_sub(1).map(|last| place.min(last))
    };
    let (x, y) = (pixel(at.x, panel.body.x, w)?, pixel(at.y, panel.body.y, h)?);
    let counts = reduce == Reduce::Count && (columns.reduces() || rows.reduces());
    let known = folded.get(i).and_then(Option::as_deref).filter(|all| all.len() == w * h);
    let (row, column) = match known {
        Some(all) => {
            (covered(all, (0..w).map(|x| y * w + x), counts), covered(all, (0..h).map(|y| y * w + x), counts))
        }
        None => read(grid, (columns, rows), (x, y), counts)?,
    };
    Some(Profiles { panel: i, at: (x, y), row, column, is_outdated: false })
}

type Line = Vec<Option<Covered>>;

/// Both lines from the cells in memory.
fn read(
    grid: &Grid,
    (columns, rows): (&EdgeTable, &EdgeTable),
    (x, y): (usize, usize),
    counts: bool,
) -> Option<(Line, Line)> {
    let (of_x, of_y) = ([columns.spans()[x]], [rows.spans()[y]]);
    let long = |[from, end]: [u32; 2]| end.saturating_sub(from) as usize;
    let cells = long(of_y[0]) * columns.shown().len() + long(of_x[0]) * rows.shown().len();
    if !grid.is_loaded() || cells > MOST_CELLS {
        return None;
    }
    let row = grid.fold(columns.spans(), &of_y).ok()?;
    let column = grid.fold(&of_x, rows.spans()).ok()?;
    Some((covered(&row, 0..row.len(), counts), covered(&column, 0..column.len(), counts)))
}

/// Cells under some pixels.
fn covered(all: &Summaries, pixels: impl Iterator<Item = usize>, counts: bool) -> Line {
    fn of<T: Reduced>(list: &[T], pixels: impl Iterator<Item = usize>, counts: bool) -> Line {
        let of = |s: &T| {
            let n = s.count();
            (n > 0).then(|| match counts {
                true => Covered { least: n as f64, middle: n as f64, greatest: n as f64 },
                false => Covered { least: s.least(), middle: s.shown_mean(), greatest: s.greatest() },
            })
        };
        pixels.map(|i| of(&list[i])).collect()
    }
    match all {
        Summaries::Stored(list) => of(list, pixels, counts),
        Summaries::Wide(list) => of(list, pixels, counts),
    }
}

#[cfg(test)]
mod tests {
    use super::super::dice::Dice;
    use super::super::test_grids::geometry;
    use super::*;
    use gridscope_core::geom::PxSize;
    use std::sync::Arc;

    /// Values, some of which are missing or infinite.
    fn values(d: &mut Dice, n: usize) -> Vec<f64> {
        (0..n)
            .map(|_| match d.below(40) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                _ => d.below(1000) as f64 / 8.0,
            })
            .collect()
    }

    /// Reduction under a pixel by plain code.
    fn plain(values: &[f64], width: usize, rows: [u32; 2], columns: [u32; 2]) -> Option<Covered> {
        let cells =
            (rows[0]..rows[1]).flat_map(|r| (columns[0]..columns[1]).map(move |c| (r as usize, c as usize)));
        let list: Vec<f64> = cells.map(|(r, c)| values[r * width + c]).filter(|v| !v.is_nan()).collect();
        (!list.is_empty()).then(|| Covered {
            least: list.iter().copied().fold(f64::INFINITY, f64::min),
            middle: list.iter().sum::<f64>() / list.len() as f64,
            greatest: list.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    fn same(got: &[Option<Covered>], want: &[Option<Covered>]) {
        assert_eq!(got.len(), want.len());
        for (a, b) in got.iter().zip(want) {
            let (Some(a), Some(b)) = (a, b) else {
                assert_eq!(a, b);
                continue;
            };
            assert_eq!((a.least, a.greatest), (b.least, b.greatest));
            let near = a.middle == b.middle || (a.middle - b.middle).abs() <= 1e-12 * b.middle.abs();
            assert!(near, "{a:?} {b:?}");
        }
    }

    #[test]
    fn each_pixel_has_what_all_its_cells_hold() {
        let d = &mut Dice(11);
        for _ in 0..30 {
            let (h, w) = (1 + d.below(90) as usize, 1 + d.below(90) as usize);
            let list = values(d, h * w);
            let body = PxSize { w: 1 + d.below(60) as u32, h: 1 + d.below(60) as u32 };
            let geometry = geometry(vec![Grid::from_rows(h, w, list.clone()).unwrap()], body);
            let (x, y) = (d.below(body.w) as usize, d.below(body.h) as usize);
            let at = Point { x: 100.5 + x as f64, y: 50.5 + y as f64 };
            let panel = &geometry.panels[0];
            let (columns, rows) = (panel.columns.spans(), panel.rows.spans());
            let row: Line = columns.iter().map(|c| plain(&list, w, rows[y], *c)).collect();
            let column: Line = rows.iter().map(|r| plain(&list, w, *r, columns[x])).collect();
            let folded = [Some(Arc::new(geometry.grids[0].fold(columns, rows).unwrap()))];
            for folded in [&folded[..], &[]] {
                let got = profiles(&geometry, folded, Reduce::Mean, at).unwrap();
                assert_eq!((got.panel, got.at), (0, (x, y)));
                same(&got.row, &row);
                same(&got.column, &column);
            }
        }
    }

    #[test]
    fn beside_bodies_and_of_too_many_cells_there_are_none() {
        let of = |h, w, at| {
            let grid = Grid::from_rows(h, w, vec![1.0; h * w]).unwrap();
            profiles(&geometry(vec![grid], PxSize { w: 2, h: 2 }), &[], Reduce::Mean, at)
        };
        let inside = Point { x: 100.5, y: 50.5 };
        assert!(of(4, 4, inside).is_some() && of(4, 4, Point { x: 5.0, y: 5.0 }).is_none());
        assert!(of(2_000, 2_000, inside).is_none(), "half of all cells twice");
        let counts = |reduce| {
            let grid =
                Grid::from_rows(2, 4, vec![1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0, f64::NAN, f64::NAN]).unwrap();
            let w = geometry(vec![grid], PxSize { w: 2, h: 2 });
            profiles(&w, &[], reduce, inside)
                .unwrap()
                .row
                .iter()
                .map(|c| c.map(|c| c.middle))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(Reduce::Count), [Some(1.0), Some(2.0)]);
        assert_eq!(counts(Reduce::Max), [Some(1.0), Some(3.5)]);
    }
}
