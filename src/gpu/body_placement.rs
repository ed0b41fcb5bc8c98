//! Bodies and colour bars on the canvas, and where the cells of each are: on the device, folded there, or uploaded.

use super::bands::{Band, Layer, Source, runs};
use super::cells::{Shading, Tables, firsts, packed};
use super::error::GpuError;
use super::fold_cache::FoldCache;
use super::folder::scales;
use super::resident_grid::ResidentGrid;
use super::wire::{Body, GAP};
use gridscope_core::geom::PxRect;
use gridscope_core::grid::{BACKGROUND, Grid, Kind};
use gridscope_draw::scene::{Cells, Item};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The largest step of a pattern that has an effect, as in [`gridscope_core::scale::Fill`].
const LARGEST_UNIT: u32 = 1 << 16;

/// Stores of the device: resident grids and cached folds.
#[derive(Clone, Copy)]
pub(super) struct Stores<'a> {
    pub layout: &'a wgpu::BindGroupLayout,
    pub band_bytes: u64,
    /// Grids on the device; `None`: each picture uploads the rows it shows.
    pub resident: Option<&'a [Option<ResidentGrid>]>,
    pub folds: &'a FoldCache,
}

/// A body on the canvas, and where its cells are.
pub(crate) struct PlacedBody<'a> {
    pub at: PxRect,
    pub columns: Vec<u32>,
    pub rows: Vec<u32>,
    pub cells: CellsIn<'a>,
    pub shading: Shading,
    pub background: u32,
    pub unit: u32,
}

/// Where the cells of a body are.
pub(super) enum CellsIn<'a> {
    /// Cells on the device.
    Resident(&'a ResidentGrid),
    /// One of the sources that this picture uploads.
    Uploaded(usize),
    /// One Summary per pixel, and the exponent of its sums.
    Folded(&'a Layer, i32, &'a Cells),
}

impl CellsIn<'_> {
    /// The kind of numbers and the high word of states, where cells have two words.
    pub(super) fn keys(&self) -> Option<(Kind, u32)> {
        match self {
            CellsIn::Resident(grid) => grid.encoding.keys(),
            CellsIn::Uploaded(_) | CellsIn::Folded(..) => None,
        }
    }
}

impl PlacedBody<'_> {
    /// The record and the cells of each draw call.
    pub(super) fn bodies(&self, uploaded: &[Layer], tables: &mut Tables) -> Vec<(Body, wgpu::BindGroup)> {
        let layer = match self.cells {
            CellsIn::Resident(grid) => &grid.cells,
            CellsIn::Uploaded(i) => &uploaded[i],
            CellsIn::Folded(layer, exponent, cells) => {
                let (scale, tiny) = scales(exponent);
                let record = |b: Band| {
                    let pixels = (b.columns.clone(), b.rows.clone());
                    let centre = cells.centre as f32;
                    let rest = (cells.centre - f64::from(centre)) as f32;
                    let folded = Body {
                        centre: centre.to_bits(),
                        rest,
                        exponent,
                        scale,
                        tiny,
                        ..self.record(pixels, &b)
                    };
                    (folded, layer.groups[b.buffer].clone())
                };
                return layer.placement.bands().map(record).collect();
            }
        };
        let (columns, rows) = (tables.axis(&self.columns), tables.axis(&self.rows));
        let (across, down) = (
            runs(&self.columns, GAP, &layer.placement.columns),
            runs(&self.rows, GAP, &layer.placement.rows),
        );
        let mut out = Vec::with_capacity(across.len() * down.len());
        for (row, py) in &down {
            for (column, px) in &across {
                let band = layer.placement.band(*row, *column);
                let body = Body { columns, rows, ..self.record((px.clone(), py.clone()), &band) };
                out.push((body, layer.groups[band.buffer].clone()));
            }
        }
        out
    }

    fn record(&self, (px, py): (Range<u32>, Range<u32>), band: &Band) -> Body {
        let s = &self.shading;
        Body {
            origin: [self.at.x, self.at.y],
            left: px.start,
            top: py.start,
            right: px.end,
            bottom: py.end,
            base: band.base(),
            stride: band.stride(),
            thresholds: s.thresholds,
            count: s.count,
            lut: s.lut,
            fills: s.fills,
            patterns: s.patterns,
            background: self.background,
            unit: self.unit,
            low: s.low,
            per: s.per,
            mark: self.cells.keys().map_or(0, |(_, mark)| mark),
            ..Body::default()
        }
    }
}

/// The bodies of a picture with their tables, and the cells to upload for them.
pub(super) fn placed<'a>(
    bodies: &[&'a Item],
    grids: &'a [Grid],
    stores: Stores<'a>,
    tables: &mut Tables,
) -> Result<(Vec<PlacedBody<'a>>, Vec<Source<'a>>), GpuError> {
    let mut sources: Vec<Source<'a>> = Vec::new();
    let shown = if stores.resident.is_some() { HashMap::new() } else { shown_rows(bodies, grids) };
    let mut of_grid: HashMap<usize, usize> = HashMap::new();
    let own = |cells: Vec<u32>, width: u32, sources: &mut Vec<Source<'a>>| {
        let rows = 0..cells.len() as u32 / width;
        sources.push(Source { cells: Cow::Owned(cells), width, rows });
        CellsIn::Uploaded(sources.len() - 1)
    };
    let mut out = Vec::with_capacity(bodies.len());
    for item in bodies {
        match item {
            Item::Ramp { rect, scale, horizontal } => {
                let n = if *horizontal { rect.w } else { rect.h };
                let cells = (0..n).map(|i| (i as f32).to_bits()).collect();
                let (columns, rows, width) = if *horizontal {
                    ((0..n).collect(), vec![0; rect.h as usize], n)
                } else {
                    (vec![0; rect.w as usize], (0..n).rev().collect(), 1)
                };
                let cells = own(cells, width, &mut sources);
                out.push(PlacedBody {
                    at: *rect,
                    columns,
                    rows,
                    cells,
                    shading: tables.ramp(scale, n),
                    background: 0,
                    unit: 1,
                });
            }
            Item::Cells(c) => {
                let resident = match stores.resident {
                    Some(list) => list
                        .get(c.grid)
                        .ok_or_else(|| GpuError::Misuse(format!("grid {} is not on the device", c.grid)))?
                        .as_ref(),
                    None => None,
                };
                let missing = || GpuError::Misuse(format!("there is no grid {}", c.grid));
                let identity = || ((0..c.body.w).collect(), (0..c.body.h).collect());
                let ((columns, rows), cells) = match (resident, stores.folds.of(c).filter(|_| c.unfolded())) {
                    (Some(grid), Some(layer)) => {
                        ((Vec::new(), Vec::new()), CellsIn::Folded(layer, grid.exponent, c))
                    }
                    (Some(grid), None) if c.summaries.is_none() && !c.unfolded() => {
                        ((firsts(c.columns.spans()), firsts(c.rows.spans())), CellsIn::Resident(grid))
                    }
                    _ => match c.summaries_of(grids.get(c.grid).ok_or_else(missing)?) {
                        Some(s) => (identity(), own(c.shown(&s, 0..s.len()), c.body.w, &mut sources)),
                        // Numbers wider than f32 are classed by this body's scale, so only the cells it shows are uploaded.
                        None if grids[c.grid].kind().is_wide() => {
                            let (rows, columns) = (c.rows.shown(), c.columns.shown());
                            let (top, left, width) =
                                (rows.start as u32, columns.start as u32, columns.len() as u32);
                            let cells = c.cell_bits(&grids[c.grid], rows, columns).into_owned();
                            let moved = |cells: Vec<u32>, by: u32| {
                                cells.into_iter().map(|c| if c == GAP { GAP } else { c - by }).collect()
                            };
                            let tables =
                                (moved(firsts(c.columns.spans()), left), moved(firsts(c.rows.spans()), top));
                            let nothing = cells.is_empty();
                            (
                                tables,
                                own(
                                    if nothing { vec![BACKGROUND] } else { cells },
                                    width.max(1),
                                    &mut sources,
                                ),
                            )
                        }
                        None => {
                            let source = of_grid.entry(c.grid).or_insert_with(|| {
                                let (grid, rows) =
                                    (&grids[c.grid], shown.get(&c.grid).cloned().unwrap_or(0..1));
                                let width = grid.width();
                                let cells = Cow::Borrowed(
                                    &grid.cells()[rows.start as usize * width..rows.end as usize * width],
                                );
                                sources.push(Source { cells, width: width as u32, rows });
                                sources.len() - 1
                            });
                            ((firsts(c.columns.spans()), firsts(c.rows.spans())), CellsIn::Uploaded(*source))
                        }
                    },
                };
                let keys = cells.keys().map(|(kind, _)| kind);
                let (shading, unit) = (tables.scale(&c.scale, keys), c.unit.clamp(1, LARGEST_UNIT));
                out.push(PlacedBody {
                    at: c.body,
                    columns,
                    rows,
                    cells,
                    shading,
                    background: packed(c.background),
                    unit,
                });
            }
            _ => {}
        }
    }
    Ok((out, sources))
}

/// The rows of each f32 grid that some body shows cell by cell.
fn shown_rows(bodies: &[&Item], grids: &[Grid]) -> HashMap<usize, Range<u32>> {
    let mut out: HashMap<usize, Range<u32>> = HashMap::new();
    for item in bodies {
        let Item::Cells(c) = item else { continue };
        if c.summaries.is_none() && !c.unfolded() && !grids[c.grid].kind().is_wide() {
            for row in firsts(c.rows.spans()).into_iter().filter(|r| *r != GAP) {
                let rows = out.entry(c.grid).or_insert(row..row + 1);
                *rows = rows.start.min(row)..rows.end.max(row + 1);
            }
        }
    }
    out
}
