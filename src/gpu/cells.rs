//! Bodies and colour bars: stored bits to colours, a draw call a band.

use super::context::Context;
use super::error::GpuError;
use super::pipeline::{Binding, COLORS_A_ROW, buffer, colors, group, layout, pipeline};
use super::resident::{Bands, Resident, Source, runs};
use super::tables::{Shading, Tables, firsts, packed};
use super::wire::{Body, CELLS_WGSL, Canvas, GAP};
use crate::geom::PxRect;
use crate::grid::Grid;
use crate::scene::Item;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The largest step of a pattern that counts, as in [`crate::scale::Fill`].
const LARGEST_UNIT: u32 = 1 << 16;

/// The pipeline of bodies.
pub(super) struct CellsPipeline {
    frame: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

/// The layout of one buffer of cells.
pub(super) fn band_layout(context: &Context) -> wgpu::BindGroupLayout {
    layout(context, "cells", &[Binding::Array])
}

/// Bodies ready to be drawn.
pub(super) struct Bodies {
    group: wgpu::BindGroup,
    uploaded: Resident,
    /// The draw calls of each body.
    calls: Vec<Vec<Call>>,
}

struct Call {
    record: u32,
    held: bool,
    buffer: usize,
}

/// A body whose cells are known to lie in a source.
struct Part {
    at: PxRect,
    columns: Vec<u32>,
    rows: Vec<u32>,
    /// Among the held grids, or among the sources of this picture.
    held: bool,
    source: usize,
    stride: u32,
    shading: Shading,
    background: u32,
    unit: u32,
}

impl CellsPipeline {
    pub fn new(context: &Context, bands: &wgpu::BindGroupLayout, format: wgpu::TextureFormat) -> Self {
        let record = size_of::<Body>() as u64;
        let frame = layout(context, "bodies", &[Binding::Uniform, Binding::Array, Binding::Record(record), Binding::Colors]);
        // No blending: a cell's colour is what the map says, alpha included.
        let pipeline = pipeline(context, "bodies", CELLS_WGSL, &[&frame, bands], format, None);
        Self { frame, pipeline }
    }

    /// Uploads what bodies need; grids in `held` are on the device already.
    pub fn prepare(
        &self,
        context: &Context,
        bands: Bands<'_>,
        bodies: &[&Item],
        grids: &[Grid],
        canvas: Canvas,
    ) -> Result<Bodies, GpuError> {
        let mut tables = Tables::default();
        let (parts, sources) = parts(bodies, grids, bands.held.is_some(), &mut tables);
        let uploaded = Resident::upload(context, bands.layout, &sources, bands.bytes)?;
        let limits = context.device().limits();
        let stride = size_of::<Body>().next_multiple_of(limits.min_uniform_buffer_offset_alignment as usize);
        let (mut records, mut calls): (Vec<u8>, Vec<Vec<Call>>) = (Vec::new(), Vec::new());
        for part in &parts {
            let resident = bands.held.filter(|_| part.held).unwrap_or(&uploaded);
            let lie = resident.bands(part.source);
            let (columns, rows) = (tables.axis(&part.columns), tables.axis(&part.rows));
            let mut list = Vec::new();
            for (band, pixels) in runs(&part.rows, GAP, lie) {
                let band = &lie[band];
                list.push(Call { record: records.len() as u32, held: part.held, buffer: band.buffer });
                let body = part.record(columns, rows, band.start, band.rows.start, pixels);
                records.extend_from_slice(bytemuck::bytes_of(&body));
                records.resize(records.len().next_multiple_of(stride), 0);
            }
            calls.push(list);
        }
        let bytes = tables.words.len() as u64 * 4;
        Context::within("bytes of edge tables", bytes, limits.max_storage_buffer_binding_size)?;
        let uniform = |label: &str, bytes: &[u8]| buffer(context, label, bytes, wgpu::BufferUsages::UNIFORM);
        let canvas = uniform("canvas", bytemuck::bytes_of(&canvas));
        let records = uniform("bodies", &records);
        let words = buffer(context, "tables", bytemuck::cast_slice(&tables.words), wgpu::BufferUsages::STORAGE);
        let rows = tables.colors.len().div_ceil(COLORS_A_ROW as usize) as u64;
        Context::within("rows of colours", rows, u64::from(limits.max_texture_dimension_2d))?;
        let maps = colors(context, &tables.colors);
        let group = group(context, &self.frame, &[&canvas, &words, &records], Some((2, size_of::<Body>() as u64)), Some(&maps));
        Ok(Bodies { group, uploaded, calls })
    }

    /// Draws some bodies.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, bodies: &Bodies, held: Option<&Resident>, range: Range<usize>) {
        pass.set_pipeline(&self.pipeline);
        for call in bodies.calls[range].iter().flatten() {
            let resident = held.filter(|_| call.held).unwrap_or(&bodies.uploaded);
            pass.set_bind_group(0, &bodies.group, &[call.record]);
            pass.set_bind_group(1, resident.group(call.buffer), &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

impl Part {
    fn record(&self, columns: u32, rows: u32, start: u32, first_row: u32, pixels: Range<u32>) -> Body {
        let s = &self.shading;
        Body {
            origin: [self.at.x, self.at.y],
            width: self.at.w,
            top: pixels.start,
            bottom: pixels.end,
            columns,
            rows,
            start,
            first_row,
            stride: self.stride,
            thresholds: s.thresholds,
            count: s.count,
            lut: s.lut,
            fills: s.fills,
            background: self.background,
            unit: self.unit,
            low: s.low,
            per: s.per,
        }
    }
}

/// Bodies with their tables, and the cells that must be uploaded for them.
fn parts<'a>(bodies: &[&Item], grids: &'a [Grid], held: bool, tables: &mut Tables) -> (Vec<Part>, Vec<Source<'a>>) {
    let mut sources: Vec<Source<'a>> = Vec::new();
    let shown = if held { HashMap::new() } else { shown_rows(bodies) };
    let mut of_grid: HashMap<usize, usize> = HashMap::new();
    let own = |cells: Vec<u32>, width: u32, sources: &mut Vec<Source<'a>>| {
        sources.push(Source { cells: Cow::Owned(cells), width, first_row: 0 });
        sources.len() - 1
    };
    let mut out = Vec::with_capacity(bodies.len());
    for item in bodies {
        let (shading, background, unit) = match item {
            Item::Cells(c) => (tables.scale(&c.scale), packed(c.background), c.unit.clamp(1, LARGEST_UNIT)),
            Item::Ramp { rect, scale, horizontal } => {
                let n = if *horizontal { rect.w } else { rect.h };
                let cells = (0..n).map(|i| (i as f32).to_bits()).collect();
                let stride = if *horizontal { n } else { 1 };
                let (columns, rows) = if *horizontal {
                    ((0..n).collect(), vec![0; rect.h as usize])
                } else {
                    (vec![0; rect.w as usize], (0..n).rev().collect())
                };
                let source = own(cells, stride, &mut sources);
                let shading = tables.ramp(scale, n);
                out.push(Part { at: *rect, columns, rows, held: false, source, stride, shading, background: 0, unit: 1 });
                continue;
            }
            _ => continue,
        };
        let Item::Cells(c) = item else { continue };
        let part = match c.folded() {
            Some(bits) => {
                let (columns, rows) = ((0..c.body.w).collect(), (0..c.body.h).collect());
                let source = own(bits, c.body.w, &mut sources);
                Part { at: c.body, columns, rows, held: false, source, stride: c.body.w, shading, background, unit }
            }
            None => {
                let grid = &grids[c.grid];
                let width = grid.width();
                let source = if held {
                    c.grid
                } else {
                    *of_grid.entry(c.grid).or_insert_with(|| {
                        let rows = shown.get(&c.grid).cloned().unwrap_or(0..1);
                        let cells = &grid.cells()[rows.start as usize * width..rows.end as usize * width];
                        sources.push(Source { cells: Cow::Borrowed(cells), width: width as u32, first_row: rows.start });
                        sources.len() - 1
                    })
                };
                let (columns, rows) = (firsts(c.columns.spans()), firsts(c.rows.spans()));
                Part { at: c.body, columns, rows, held, source, stride: width as u32, shading, background, unit }
            }
        };
        out.push(part);
    }
    (out, sources)
}

/// The rows of each grid that some body shows.
fn shown_rows(bodies: &[&Item]) -> HashMap<usize, Range<u32>> {
    let mut out: HashMap<usize, Range<u32>> = HashMap::new();
    for item in bodies {
        let Item::Cells(c) = item else { continue };
        if c.summaries.is_none() {
            for row in firsts(c.rows.spans()).into_iter().filter(|r| *r != GAP) {
                let rows = out.entry(c.grid).or_insert(row..row + 1);
                *rows = rows.start.min(row)..rows.end.max(row + 1);
            }
        }
    }
    out
}
