//! Draws bodies and colour bars: stored bits to colours, one draw call per band.

use super::body_placement::{CellsIn, Stores, placed};
use super::context::Context;
use super::error::GpuError;
use super::layer::Layer;
use super::pipeline::{
    Binding, COLORS_A_ROW, Fragment, Program, Records, buffer, colors, group, layout, pipeline,
};
use super::tables::Tables;
use super::wire::{Body, CELLS_WGSL, Canvas};
use gridscope_core::figure::Reduce;
use gridscope_core::grid::Grid;
use gridscope_draw::scene::Item;
use std::cell::OnceCell;
use std::ops::Range;

/// The pipelines of bodies.
pub(super) struct CellsPipeline {
    frame: wgpu::BindGroupLayout,
    program: Program,
    format: wgpu::TextureFormat,
    /// In the order of [`Shown::index`]; each is made when first needed.
    pipelines: [OnceCell<wgpu::RenderPipeline>; 7],
}

/// The layout of one buffer of cells or Summaries.
pub(super) fn band_layout(context: &Context) -> wgpu::BindGroupLayout {
    layout(context, "cells", &[Binding::Array])
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
    shown: Shown,
}

/// Content of the pixels of a body.
#[derive(Clone, Copy)]
enum Shown {
    /// Cells of stored bits.
    Bits,
    /// Cells of two words.
    Keys,
    /// Summaries.
    Folded(Reduce),
}

impl Shown {
    fn of(cells: &CellsIn<'_>) -> Self {
        match cells {
            CellsIn::Folded(_, _, c) => Shown::Folded(c.reduce),
            cells if cells.keys().is_some() => Shown::Keys,
            _ => Shown::Bits,
        }
    }

    /// Index of the pipeline.
    fn index(self) -> usize {
        match self {
            Shown::Bits => 0,
            Shown::Keys => 1,
            Shown::Folded(reduce) => 2 + word_of(reduce),
        }
    }
}

impl CellsPipeline {
    pub(super) fn new(context: &Context, bands: &wgpu::BindGroupLayout, format: wgpu::TextureFormat) -> Self {
        let record = size_of::<Body>() as u64;
        let frame = layout(
            context,
            "bodies",
            &[Binding::Uniform, Binding::Array, Binding::Record(record), Binding::Colors],
        );
        let program = Program::new(context, "bodies", CELLS_WGSL, &[&frame, bands]);
        Self { frame, program, format, pipelines: Default::default() }
    }

    fn pipeline(&self, context: &Context, shown: Shown) -> &wgpu::RenderPipeline {
        let mut constants = Vec::new();
        let entry = match shown {
            Shown::Bits => "paint",
            Shown::Keys => "paint_keys",
            Shown::Folded(reduce) => {
                constants.push(("REDUCE", word_of(reduce) as f64));
                "paint_folded"
            }
        };
        let fragment = Fragment { entry, overrides: &constants };
        // No blending: a cell has the colour of the map, alpha included.
        self.pipelines[shown.index()]
            .get_or_init(|| pipeline(context, "bodies", &self.program, fragment, self.format, None))
    }

    /// Uploads what bodies need.
    pub(super) fn prepare(
        &self,
        context: &Context,
        stores: Stores<'_>,
        bodies: &[&Item],
        grids: &[Grid],
        canvas: Canvas,
    ) -> Result<Bodies, GpuError> {
        let mut tables = Tables::default();
        let (bodies, sources) = placed(bodies, grids, stores, &mut tables)?;
        let uploaded = Layer::upload(context, stores.layout, &sources, stores.band_bytes)?;
        let limits = context.device().limits();
        let (mut records, mut calls) = (Records::of::<Body>(context), Vec::new());
        for body in &bodies {
            let mut list = Vec::new();
            for (record, group) in body.bodies(&uploaded, &mut tables) {
                let shown = Shown::of(&body.cells);
                // Made here, where errors are caught, instead of in the middle of a pass.
                self.pipeline(context, shown);
                list.push(Call { record: records.push(&record), group, shown });
            }
            calls.push(list);
        }
        let bytes = tables.words.len() as u64 * 4;
        Context::within("bytes of edge tables", bytes, limits.max_storage_buffer_binding_size)?;
        let uniform = |label: &str, bytes: &[u8]| buffer(context, label, bytes, wgpu::BufferUsages::UNIFORM);
        let canvas = uniform("canvas", bytemuck::bytes_of(&canvas));
        let records = uniform("bodies", &records.bytes);
        let words =
            buffer(context, "tables", bytemuck::cast_slice(&tables.words), wgpu::BufferUsages::STORAGE);
        let rows = tables.colors.len().div_ceil(COLORS_A_ROW as usize) as u64;
        Context::within("rows of colours", rows, u64::from(limits.max_texture_dimension_2d))?;
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
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        bodies: &Bodies,
        range: Range<usize>,
    ) {
        for call in bodies.calls[range].iter().flatten() {
            pass.set_pipeline(self.pipeline(context, call.shown));
            pass.set_bind_group(0, &bodies.group, &[call.record]);
            pass.set_bind_group(1, &call.group, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

/// The number of a reduction in reduce.wgsl.
fn word_of(reduce: Reduce) -> usize {
    match reduce {
        Reduce::Mean => 0,
        Reduce::Min => 1,
        Reduce::Max => 2,
        Reduce::Extreme => 3,
        Reduce::Count => 4,
    }
}
