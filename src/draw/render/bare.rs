//! A lone body: one grid's cells without axes, bar or marks.

use crate::body::{BodyRequest, Capacity};
use crate::error::Error;
use crate::metadata::Description;
use crate::picture::Picture;
use crate::report;
use crate::resolve::{ResolveError, bare_scale, directions, scan_requests};
use crate::scene::{Cells, Item, Scene};
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, Length, Reduce, Side, Unit};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::grid::{Grid, ScanRequest, Stats};
use gridscope_core::view::EdgeTable;
use gridscope_read::Fingerprint;
use std::sync::Arc;

/// A lone body, ready to be painted.
#[derive(Debug)]
pub struct Bare {
    /// Items to paint.
    pub scene: Scene,
    /// Exact statistics of the grid.
    pub stats: Stats,
    /// The body is folded only when it is painted: the picture is drawn in strips (see [`crate::tiling`]).
    pub in_strips: bool,
}

impl Bare {
    /// The picture to paint and write; `grid` is the one that it was made of.
    pub fn picture<'a>(&'a self, figure: &Figure, grid: &'a Grid) -> Picture<'a> {
        Picture {
            in_strips: self.in_strips,
            ..Picture::new(&self.scene, std::slice::from_ref(grid), figure.size.dpi.unwrap_or(200.0))
        }
    }

    /// The description of the picture, as [`Prepared::description`](super::Prepared::description).
    pub fn description<'a>(
        &'a self,
        (figure, grid): (&'a Figure, &Grid),
        files: &'a [String],
        inputs: &'a [Fingerprint],
    ) -> Description<'a> {
        let (mut limits, mut reduction) = (Vec::new(), None);
        if let Some(cells) = self.cells() {
            limits.push(report::scale("", &[grid.name()], cells.scale.spec()));
            let reduces = cells.columns.reduces() || cells.rows.reduces();
            reduction = reduces.then(|| cells.reduce.word());
        }
        Description { figure, files, limits, reduction, inputs, bare: true, size: self.scene.size, alt: None }
    }

    /// The cells of the body; none where it has no pixel.
    pub fn cells(&self) -> Option<&Cells> {
        match self.scene.items.as_slice() {
            [Item::Cells(cells)] => Some(cells),
            _ => None,
        }
    }
}

/// One grid's cells alone, `size` pixels, straight alpha, absent cells clear: no axis, no bar, no mark. `seen` are the limits of
/// the picture before: automatic limits are no narrower.
///
/// # Errors
/// Limits or a norm that the values do not allow; an empty or too large picture.
pub fn bare(
    figure: &Figure,
    grid: &Grid,
    size: PxSize,
    mut capacity: Capacity,
    seen: Option<(f64, f64)>,
) -> Result<Bare, Error> {
    check(size)?;
    let [leftward, lower] = directions(figure, std::slice::from_ref(grid));
    let side = |cells: usize, pixels: u32, reversed: bool| {
        let table = EdgeTable::fit(cells as u32, pixels);
        if reversed { table.reversed() } else { table }
    };
    let columns = side(grid.width(), size.w, leftward);
    let rows = side(grid.height(), size.h, lower);
    // A lone body has no bar that counts cells beyond its limits, and no group of panels that share a scale.
    let requests = scan_requests(figure, std::slice::from_ref(grid)).unwrap_or_default();
    let request = BodyRequest {
        grid,
        columns: &columns,
        rows: &rows,
        is_part: false,
        blocks: capacity.blocks(std::slice::from_ref(grid)),
        ask: ScanRequest { limits: [None; 2], ..requests.first().copied().unwrap_or_default() },
    };
    let scanned = request.scan(&mut capacity, None)?;
    let reduce = match figure.reduce.by.unwrap_or_default() {
        // A pixel of one cell shows its value.
        Reduce::Count if !(columns.reduces() || rows.reduces()) => Reduce::Mean,
        reduce => reduce,
    };
    let counts = reduce == Reduce::Count;
    let mut most = None;
    if let Some(strips) = scanned.body.strips(grid, &columns, &rows).filter(|_| counts) {
        strips(&mut |_, list| most = most.max(list.most()))?;
    }
    let (scale, centre) = bare_scale(figure, grid, &scanned.scan.stats, most, seen)?;
    let cells = Cells {
        grid: 0,
        body: PxRect { x: 0, y: 0, w: size.w, h: size.h },
        columns,
        rows,
        summaries: scanned.body.summaries().cloned(),
        before: None,
        scale: Arc::new(scale),
        reduce,
        centre,
        background: Color::CLEAR,
        unit: 1,
    };
    Ok(Bare {
        scene: Scene::new(size, None, vec![Item::Cells(Box::new(cells))]),
        stats: scanned.scan.stats,
        in_strips: scanned.body.is_in_strips(),
    })
}

/// The pixels of a lone body: `cell` for each side of a cell, else the width and the height of the figure, else one for each cell.
pub fn bare_size(figure: &Figure, grid: &Grid, cell: Option<u32>) -> PxSize {
    let dpi = figure.size.dpi.unwrap_or(200.0);
    let side = |given: Option<&Length>, cells: usize| {
        let scaled = u64::from(cell.unwrap_or(1)) * cells as u64;
        let given = given.filter(|_| cell.is_none());
        let pixels = given.map_or(scaled as f64, |l| l.pixels(dpi, Unit::Pixel).round());
        pixels.min(f64::from(u32::MAX)) as u32
    };
    PxSize {
        w: side(figure.size.width.as_ref().and_then(Side::length), grid.width()),
        h: side(figure.size.height.as_ref().and_then(Side::length), grid.height()),
    }
}

fn check(size: PxSize) -> Result<(), ResolveError> {
    let area = u64::from(size.w) * u64::from(size.h);
    if area > 0 && size.w <= 65_535 && size.h <= 65_535 && u32::try_from(area).is_ok() {
        return Ok(());
    }
    Err(ResolveError::Size(format!(
        "{} x {} px: sides end at 65,535 px, areas at 2^32 px, and neither is 0",
        size.w, size.h
    )))
}
