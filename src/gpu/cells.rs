//! Bodies and colour bars: stored bits to colours, a draw call a band.

use super::bands::{Band, runs};
use super::context::Context;
use super::error::GpuError;
use super::folds::Folds;
use super::layer::{Layer, Source};
use super::pipeline::{Binding, COLORS_A_ROW, Fragment, Program, buffer, colors, group, layout, pipeline};
use super::resident::Resident;
use super::summed::scales;
use super::tables::{Shading, Tables, firsts, packed};
use super::wire::{Body, CELLS_WGSL, Canvas, GAP};
use crate::figure::Reduce;
use crate::geom::PxRect;
use crate::grid::{BACKGROUND, Grid};
use crate::scene::{Cells, Item};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// The largest step of a pattern that counts, as in [`crate::scale::Fill`].
const LARGEST_UNIT: u32 = 1 << 16;

/// The pipelines of bodies.
pub(super) struct CellsPipeline {
    frame: wgpu::BindGroupLayout,
    program: Program,
    format: wgpu::TextureFormat,
    /// For cells, and for Summaries by each reduction; each made when first needed.
    pipelines: [OnceCell<wgpu::RenderPipeline>; 6],
}

/// The layout of one buffer of cells or Summaries.
pub(super) fn band_layout(context: &Context) -> wgpu::BindGroupLayout {
    layout(context, "cells", &[Binding::Array])
}

/// Where the cells of bodies are.
#[derive(Clone, Copy)]
pub(super) struct Stores<'a> {
    pub layout: &'a wgpu::BindGroupLayout,
    pub band_bytes: u64,
    /// Grids on the device; without any each picture uploads what it shows.
    pub held: Option<&'a [Option<Resident>]>,
    pub folds: &'a Folds,
}

/// Bodies ready to be drawn.
pub(super) struct Bodies {
    group: wgpu::BindGroup,
    /// The draw calls of each body.
    calls: Vec<Vec<Call>>,
}

struct Call {
    record: u32,
    group: wgpu::BindGroup,
    folded: Option<Reduce>,
}

/// A body whose cells are known to lie in a layer.
struct Part<'a> {
    at: PxRect,
    columns: Vec<u32>,
    rows: Vec<u32>,
    lies: Lies<'a>,
    shading: Shading,
    background: u32,
    unit: u32,
}

enum Lies<'a> {
    /// A layer of cells on the device.
    Held(&'a Layer),
    /// Among the sources of this picture.
    Own(usize),
    /// A Summary a pixel, and the exponent of its sums.
    Folded(&'a Layer, i32, &'a Cells),
}

impl CellsPipeline {
    pub fn new(context: &Context, bands: &wgpu::BindGroupLayout, format: wgpu::TextureFormat) -> Self {
        let record = size_of::<Body>() as u64;
        let frame = layout(
            context,
            "bodies",
            &[
                Binding::Uniform,
                Binding::Array,
                Binding::Record(record),
                Binding::Colors,
            ],
        );
        let program = Program::new(context, "bodies", CELLS_WGSL, &[&frame, bands]);
        Self {
            frame,
            program,
            format,
            pipelines: Default::default(),
        }
    }

    fn pipeline(&self, context: &Context, folded: Option<Reduce>) -> &wgpu::RenderPipeline {
        let word = folded.map_or(0, word_of);
        let (at, paint) = folded.map_or((0, "paint"), |_| (1 + word, "paint_folded"));
        let constants = [("REDUCE", word as f64)];
        let fragment = Fragment {
            entry: paint,
            overrides: &constants[..usize::from(folded.is_some())],
        };
        // No blending: a cell's colour is what the map says, alpha included.
        self.pipelines[at]
            .get_or_init(|| pipeline(context, "bodies", &self.program, fragment, self.format, None))
    }

    /// Uploads what bodies need.
    pub fn prepare(
        &self,
        context: &Context,
        stores: Stores<'_>,
        bodies: &[&Item],
        grids: &[Grid],
        canvas: Canvas,
    ) -> Result<Bodies, GpuError> {
        let mut tables = Tables::default();
        let (parts, sources) = parts(bodies, grids, stores, &mut tables)?;
        let uploaded = Layer::upload(context, stores.layout, &sources, stores.band_bytes)?;
        let limits = context.device().limits();
        let stride = size_of::<Body>().next_multiple_of(limits.min_uniform_buffer_offset_alignment as usize);
        let (mut records, mut calls): (Vec<u8>, Vec<Vec<Call>>) = (Vec::new(), Vec::new());
        for part in &parts {
            let mut list = Vec::new();
            for (body, group) in part.bodies(&uploaded, &mut tables) {
                let folded = if let Lies::Folded(_, _, cells) = part.lies {
                    Some(cells.reduce)
                } else {
                    None
                };
                // Made here, where errors are caught, not in the middle of a pass.
                self.pipeline(context, folded);
                list.push(Call {
                    record: records.len() as u32,
                    group,
                    folded,
                });
                records.extend_from_slice(bytemuck::bytes_of(&body));
                records.resize(records.len().next_multiple_of(stride), 0);
            }
            calls.push(list);
        }
        let bytes = tables.words.len() as u64 * 4;
        Context::within(
            "bytes of edge tables",
            bytes,
            limits.max_storage_buffer_binding_size,
        )?;
        let uniform = |label: &str, bytes: &[u8]| buffer(context, label, bytes, wgpu::BufferUsages::UNIFORM);
        let canvas = uniform("canvas", bytemuck::bytes_of(&canvas));
        let records = uniform("bodies", &records);
        let words = buffer(
            context,
            "tables",
            bytemuck::cast_slice(&tables.words),
            wgpu::BufferUsages::STORAGE,
        );
        let rows = tables.colors.len().div_ceil(COLORS_A_ROW as usize) as u64;
        Context::within(
            "rows of colours",
            rows,
            u64::from(limits.max_texture_dimension_2d),
        )?;
        let maps = colors(context, &tables.colors);
        let group = group(
            context,
            &self.frame,
            &[&canvas, &words, &records],
            Some((2, size_of::<Body>() as u64)),
            Some(&maps),
        );
        Ok(Bodies { group, calls })
    }

    /// Draws some bodies.
    pub fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        bodies: &Bodies,
        range: Range<usize>,
    ) {
        for call in bodies.calls[range].iter().flatten() {
            pass.set_pipeline(self.pipeline(context, call.folded));
            pass.set_bind_group(0, &bodies.group, &[call.record]);
            pass.set_bind_group(1, &call.group, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

impl Part<'_> {
    /// A record and the cells for each draw call.
    fn bodies(&self, uploaded: &[Layer], tables: &mut Tables) -> Vec<(Body, wgpu::BindGroup)> {
        let layer = match self.lies {
            Lies::Held(layer) => layer,
            Lies::Own(i) => &uploaded[i],
            Lies::Folded(layer, exponent, cells) => {
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
                let body = Body {
                    columns,
                    rows,
                    ..self.record((px.clone(), py.clone()), &band)
                };
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
            ..Body::default()
        }
    }
}

/// A reduction as reduce.wgsl knows it.
fn word_of(reduce: Reduce) -> usize {
    match reduce {
        Reduce::Mean => 0,
        Reduce::Min => 1,
        Reduce::Max => 2,
        Reduce::Extreme => 3,
        Reduce::Count => 4,
    }
}

/// Bodies with their tables, and the cells that must be uploaded for them.
fn parts<'a>(
    bodies: &[&'a Item],
    grids: &'a [Grid],
    stores: Stores<'a>,
    tables: &mut Tables,
) -> Result<(Vec<Part<'a>>, Vec<Source<'a>>), GpuError> {
    let mut sources: Vec<Source<'a>> = Vec::new();
    let shown = if stores.held.is_some() {
        HashMap::new()
    } else {
        shown_rows(bodies, grids)
    };
    let mut of_grid: HashMap<usize, usize> = HashMap::new();
    let own = |cells: Vec<u32>, width: u32, sources: &mut Vec<Source<'a>>| {
        let rows = 0..cells.len() as u32 / width;
        sources.push(Source {
            cells: Cow::Owned(cells),
            width,
            rows,
        });
        Lies::Own(sources.len() - 1)
    };
    let mut out = Vec::with_capacity(bodies.len());
    for item in bodies {
        match item {
            Item::Ramp {
                rect,
                scale,
                horizontal,
            } => {
                let n = if *horizontal { rect.w } else { rect.h };
                let cells = (0..n).map(|i| (i as f32).to_bits()).collect();
                let (columns, rows, width) = if *horizontal {
                    ((0..n).collect(), vec![0; rect.h as usize], n)
                } else {
                    (vec![0; rect.w as usize], (0..n).rev().collect(), 1)
                };
                let lies = own(cells, width, &mut sources);
                out.push(Part {
                    at: *rect,
                    columns,
                    rows,
                    lies,
                    shading: tables.ramp(scale, n),
                    background: 0,
                    unit: 1,
                });
            }
            Item::Cells(c) => {
                let held = match stores.held {
                    Some(list) => list
                        .get(c.grid)
                        .ok_or_else(|| GpuError::Misuse(format!("grid {} is not held", c.grid)))?
                        .as_ref(),
                    None => None,
                };
                let missing = || GpuError::Misuse(format!("there is no grid {}", c.grid));
                let identity = || ((0..c.body.w).collect(), (0..c.body.h).collect());
                let ((columns, rows), lies) = match (held, stores.folds.of(c).filter(|_| c.unfolded())) {
                    (Some(grid), Some(layer)) => {
                        ((Vec::new(), Vec::new()), Lies::Folded(layer, grid.exponent, c))
                    }
                    (Some(grid), None) if c.summaries.is_none() => (
                        (firsts(c.columns.spans()), firsts(c.rows.spans())),
                        Lies::Held(&grid.cells),
                    ),
                    _ => match c.summaries_of(grids.get(c.grid).ok_or_else(missing)?) {
                        Some(s) => (identity(), own(c.shown(&s, 0..s.len()), c.body.w, &mut sources)),
                        // Wider numbers than f32 are classed by the scale of this body: only those it shows.
                        None if grids[c.grid].kind().is_wide() => {
                            let (rows, columns) = (c.rows.shown(), c.columns.shown());
                            let (top, left, width) =
                                (rows.start as u32, columns.start as u32, columns.len() as u32);
                            let cells = c.cell_bits(&grids[c.grid], rows, columns).into_owned();
                            let moved = |cells: Vec<u32>, by: u32| {
                                cells
                                    .into_iter()
                                    .map(|c| if c == GAP { GAP } else { c - by })
                                    .collect()
                            };
                            let tables = (
                                moved(firsts(c.columns.spans()), left),
                                moved(firsts(c.rows.spans()), top),
                            );
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
                                sources.push(Source {
                                    cells,
                                    width: width as u32,
                                    rows,
                                });
                                sources.len() - 1
                            });
                            (
                                (firsts(c.columns.spans()), firsts(c.rows.spans())),
                                Lies::Own(*source),
                            )
                        }
                    },
                };
                let (shading, unit) = (tables.scale(&c.scale), c.unit.clamp(1, LARGEST_UNIT));
                out.push(Part {
                    at: c.body,
                    columns,
                    rows,
                    lies,
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

/// The rows of each grid of f32 that some body shows cell by cell.
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
