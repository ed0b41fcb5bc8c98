//! The source of a body's pixels: cells, a Summary of each pixel, or Summaries that are folded strip by strip.

use crate::error::Error;
use crate::resolve::Strips;
use gridscope_core::grid::{Grid, ScanRequest, ScanResult, Summaries};
use gridscope_core::image::STRIP_PIXELS;
use gridscope_core::view::EdgeTable;
use std::sync::Arc;

/// The source of a body's pixels.
#[derive(Clone, Debug)]
pub enum Body {
    /// The cells, in memory or on a device that folds them while it paints.
    Cells,
    /// A Summary of each pixel, row after row.
    Summaries(Arc<Summaries>),
    /// Summaries that are folded when their strip is painted; the number is the pixel rows of a strip.
    Strips(u32),
}

impl Body {
    /// The Summaries of all pixels, if they are in memory.
    pub fn summaries(&self) -> Option<&Arc<Summaries>> {
        if let Self::Summaries(all) = self { Some(all) } else { None }
    }

    /// Whether the picture must be drawn in strips (see [`crate::tiling`]).
    pub(crate) fn is_in_strips(&self) -> bool {
        matches!(self, Self::Strips(_))
    }

    /// An iteration over the Summaries of all pixels, some rows at a time; `None` if cells are painted directly.
    pub(crate) fn strips<'a>(
        &'a self,
        grid: &'a Grid,
        columns: &'a EdgeTable,
        rows: &'a EdgeTable,
    ) -> Option<Box<Strips<'a>>> {
        Some(match self {
            Self::Cells => return None,
            Self::Summaries(all) => Box::new(move |take| {
                take(0, all);
                Ok(())
            }),
            Self::Strips(step) => Box::new(move |take| {
                for (top, lines) in (0..).step_by(*step as usize).zip(rows.spans().chunks(*step as usize)) {
                    take(top, &grid.fold(columns.spans(), lines)?);
                }
                Ok(())
            }),
        })
    }
}

/// A function that folds one grid over pixel columns and rows in place of the CPU.
pub(crate) type FoldOne<'a> = dyn FnMut(&EdgeTable, &EdgeTable) -> Result<Summaries, Error> + 'a;

/// A body to be scanned.
#[derive(Clone, Copy)]
pub(crate) struct BodyRequest<'a> {
    pub grid: &'a Grid,
    pub columns: &'a EdgeTable,
    pub rows: &'a EdgeTable,
    /// Whether the body shows only a part of its grid.
    pub is_part: bool,
    /// Blocks per side that represent the whole grid, if the Summaries of the body do not.
    pub blocks: u32,
    /// Further requests to the pass over the grid; `body` is ignored.
    pub ask: ScanRequest<'a>,
}

/// A body, and the result of one pass over all cells of its grid.
pub(crate) struct ScannedBody {
    pub body: Body,
    /// The statistics of the grid. Its Summaries are those of blocks of cells, if those of the body do not cover the grid.
    pub scan: ScanResult,
}

impl ScannedBody {
    /// A grid whose body is not drawn: one pass over its cells, with Summaries of blocks, this many a side, where they are not in
    /// memory.
    ///
    /// # Errors
    /// When the cells of a source cannot be read.
    pub(crate) fn hidden(grid: &Grid, blocks: u32, ask: ScanRequest<'_>) -> Result<Self, Error> {
        if grid.is_loaded() {
            return Ok(Self { body: Body::Cells, scan: grid.scan(&ask)? });
        }
        let [columns, rows] = [grid.width(), grid.height()]
            .map(|cells| EdgeTable::fit(cells as u32, (cells as u32).min(blocks)));
        let scan = grid.scan(&ScanRequest { body: Some((columns.spans(), rows.spans())), ..ask })?;
        Ok(Self { body: Body::Summaries(Arc::default()), scan })
    }

    /// Summaries of pixels or blocks that cover all cells of the grid; `None` if the cells are in memory.
    pub(crate) fn cover(&self) -> Option<&Summaries> {
        match &self.body {
            Body::Cells => None,
            Body::Summaries(all) if self.scan.summaries.is_empty() => Some(all),
            Body::Summaries(_) | Body::Strips(_) => Some(&self.scan.summaries),
        }
    }
}

impl BodyRequest<'_> {
    /// Chooses the source of the body, takes its size from `capacity`, and passes once over the grid. `fold`, if given, makes
    /// the Summaries of pixels.
    ///
    /// # Errors
    /// When the cells of a source cannot be read, or `fold` fails.
    pub(crate) fn scan(
        self,
        capacity: &mut Capacity,
        fold: Option<&mut FoldOne<'_>>,
    ) -> Result<ScannedBody, Error> {
        let Self { grid, columns, rows, .. } = self;
        let blocks = [grid.width(), grid.height()]
            .map(|cells| EdgeTable::fit(cells as u32, (cells as u32).min(self.blocks)));
        let pass = |body: Option<[&EdgeTable; 2]>| {
            grid.scan(&ScanRequest {
                body: body.map(|[columns, rows]| (columns.spans(), rows.spans())),
                ..self.ask
            })
        };
        let reduces = columns.reduces() || rows.reduces();
        let need = if reduces {
            columns.pixels() as usize * rows.pixels() as usize * weight(grid)
        } else if grid.is_loaded() {
            0
        } else {
            grid.len()
        };
        let (body, scan) = if !capacity.take(need) {
            (Body::Strips(capacity.strip_rows(columns, grid)), pass(Some([&blocks[0], &blocks[1]]))?)
        } else if !reduces {
            grid.load()?;
            (Body::Cells, pass(None)?)
        } else if self.is_part || fold.is_some() {
            let scan = pass(self.is_part.then_some([&blocks[0], &blocks[1]]))?;
            let pixels = match fold {
                Some(fold) => fold(columns, rows)?,
                None => grid.fold(columns.spans(), rows.spans())?,
            };
            (Body::Summaries(Arc::new(pixels)), scan)
        } else {
            let mut scan = pass(Some([columns, rows]))?;
            let pixels = std::mem::take(&mut scan.summaries);
            (Body::Summaries(Arc::new(pixels)), scan)
        };
        Ok(ScannedBody { body, scan })
    }
}

/// How many cells and pixels of all bodies of a picture may be in memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    all: usize,
    left: usize,
    /// The most pixels of a strip.
    strip: u32,
}

impl Default for Capacity {
    /// The largest capacity, 2^24, however much memory there is.
    fn default() -> Self {
        Self::new(Self::MOST)
    }
}

impl Capacity {
    const MOST: usize = 1 << 24;
    /// The pixels of a strip that is not painted.
    const LOOKED_AT: u32 = 1 << 16;
    const LEAST: usize = 1 << 20;
    /// Bytes of one cell or pixel.
    const BYTES: u64 = 32;
    /// The most and the fewest blocks per side that represent a grid.
    const BLOCKS: u32 = 2048;
    const LEAST_BLOCKS: u32 = 64;

    const fn new(all: usize) -> Self {
        Self { all, left: all, strip: STRIP_PIXELS }
    }

    /// The cells or pixels that fit this many bytes, from 2^20 to 2^24.
    pub fn within(bytes: u64) -> Self {
        let n = usize::try_from(bytes / Self::BYTES).unwrap_or(usize::MAX);
        Self::new(n.clamp(Self::LEAST, Self::MOST))
    }

    /// For warnings alone: a strip is looked at and not painted, so that few pixels of it are in memory at once.
    pub fn of_warnings() -> Self {
        Self { strip: Self::LOOKED_AT, ..Self::new(Self::LEAST) }
    }

    /// Takes this many cells or pixels, and returns whether as many were left.
    fn take(&mut self, n: usize) -> bool {
        let left = self.left.checked_sub(n);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// The pixel rows of a strip.
    fn strip_rows(&self, columns: &EdgeTable, grid: &Grid) -> u32 {
        (self.strip.min((self.all / weight(grid)) as u32) / columns.pixels().max(1)).max(1)
    }

    /// Blocks per side that represent each grid, from 64 to 2048: as many as fit for all grids.
    pub fn blocks(&self, grids: &[Grid]) -> u32 {
        let weights: usize = grids.iter().map(weight).sum();
        u32::try_from((self.all / weights.max(1)).isqrt())
            .unwrap_or(Self::BLOCKS)
            .clamp(Self::LEAST_BLOCKS, Self::BLOCKS)
    }
}

/// The size of a pixel of this grid: 1, or 2 if its numbers are wide, because their Summaries take twice as much.
fn weight(grid: &Grid) -> usize {
    1 + usize::from(grid.kind().is_wide())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(grid: &Grid, size: (u32, u32), capacity: &mut Capacity, is_part: bool) -> ScannedBody {
        let (columns, rows) =
            (EdgeTable::fit(grid.width() as u32, size.0), EdgeTable::fit(grid.height() as u32, size.1));
        let request = BodyRequest {
            grid,
            columns: &columns,
            rows: &rows,
            is_part,
            blocks: 4,
            ask: ScanRequest::default(),
        };
        request.scan(capacity, None).unwrap()
    }

    #[test]
    fn a_body_is_painted_from_the_least_that_shows_it_and_fits() {
        let grid = Grid::from_rows(60, 80, (0..4800).map(f64::from).collect()).unwrap();
        let mut capacity = Capacity::new(2 * 20 * 15 + 10);
        let cells = scanned(&grid, (160, 120), &mut capacity, false);
        assert!(matches!(cells.body, Body::Cells) && cells.cover().is_none());
        let whole = scanned(&grid, (20, 15), &mut capacity, false);
        assert_eq!((whole.body.summaries().unwrap().len(), capacity.left), (300, 10));
        assert_eq!(whole.cover().unwrap().len(), 300);
        // The capacity is used up: a few blocks represent the grid, and its pixels are folded strip by strip.
        let strips = scanned(&grid, (20, 15), &mut capacity, false);
        let Body::Strips(step) = strips.body else { panic!("only 10 pixels are left") };
        assert_eq!((step, strips.cover().unwrap().len()), (610 / 2 / 20, 16));
        let (columns, rows) = (EdgeTable::fit(80, 20), EdgeTable::fit(60, 15));
        let (mut list, mut tops) = (0, Vec::new());
        strips.body.strips(&grid, &columns, &rows).unwrap()(&mut |top, part| {
            tops.push(top);
            list += part.len();
        })
        .unwrap();
        assert_eq!((list, tops), (300, vec![0]));
    }

    #[test]
    fn warnings_are_those_of_the_least_capacity_in_lower_strips() {
        let grid = Grid::from_rows(2, 2, vec![0.0f64; 4]).unwrap();
        let columns = EdgeTable::fit(2, 1 << 10);
        let (least, warnings) = (Capacity::within(0), Capacity::of_warnings());
        let blocks = |c: Capacity| c.blocks(std::slice::from_ref(&grid));
        assert_eq!((blocks(warnings), warnings.left), (blocks(least), least.left));
        assert_eq!((least.strip_rows(&columns, &grid), warnings.strip_rows(&columns, &grid)), (512, 64));
    }

    #[test]
    fn strips_are_the_whole_body() {
        let grid = Grid::from_rows(64, 32, (0..2048).map(f64::from).collect()).unwrap();
        let (columns, rows) = (EdgeTable::fit(32, 8), EdgeTable::fit(64, 31));
        let whole = grid.fold(columns.spans(), rows.spans()).unwrap();
        let Summaries::Wide(whole) = whole else { panic!("f64 is wider than f32") };
        for step in [1, 4, 31, 100] {
            let mut got = Vec::new();
            Body::Strips(step).strips(&grid, &columns, &rows).unwrap()(&mut |top, part| {
                assert_eq!(top as usize * 8, got.len());
                part.map(|_| (), |list| got.extend_from_slice(list));
            })
            .unwrap();
            assert_eq!(got, whole, "{step}");
        }
    }

    #[test]
    fn a_part_has_blocks_of_the_whole_grid() {
        let grid = Grid::from_rows(64, 64, (0..4096).map(f64::from).collect()).unwrap();
        let part = scanned(&grid, (16, 16), &mut Capacity::default(), true);
        assert_eq!((part.body.summaries().unwrap().len(), part.cover().unwrap().len()), (256, 16));
    }

    #[test]
    fn capacity_has_bounds() {
        let narrow = Grid::from_rows(1, 1, vec![0.0]).unwrap();
        assert_eq!(Capacity::within(0), Capacity::new(1 << 20));
        assert_eq!(Capacity::within(u64::MAX), Capacity::default());
        assert_eq!(Capacity::within(32 * (1 << 21)), Capacity::new(1 << 21));
        assert_eq!(Capacity::default().blocks(std::slice::from_ref(&narrow)), 2048);
        assert_eq!(Capacity::within(0).blocks(&vec![narrow; 1 << 10]), 64);
    }
}
