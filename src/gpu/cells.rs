//! Draws bodies and colour bars by look-up tables, and rectangles, lines and polygons as instances.

use super::bands::Layer;
use super::body_placement::{CellsIn, Stores, placed};
use super::context::Context;
use super::error::GpuError;
use super::picture::Plan;
use super::pipeline::{
    Binding, COLORS_A_ROW, Fragment, Program, Records, buffer, colors, group, layout, pipeline,
};
use super::wire::{Body, CELLS_WGSL, Canvas, GAP, SHAPES_WGSL};
use gridscope_core::color::Color;
use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Grid, Kind};
use gridscope_core::scale::{ColorScale, Pattern, even_guess, ordered_key};
use gridscope_draw::scene::Item;
use std::cell::OnceCell;
use std::collections::HashMap;
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

    /// Uploads the buffers of bodies.
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

/// The position of a scale in the tables, and how to guess a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shading {
    pub thresholds: u32,
    pub count: u32,
    pub lut: u32,
    pub fills: u32,
    pub patterns: u32,
    pub low: f32,
    pub per: f32,
}

/// All look-up tables of a picture.
#[derive(Default)]
pub(super) struct Tables {
    pub words: Vec<u32>,
    /// The colours of all maps and bars, one after the other; those of a panel are followed by colour and ink
    /// of its states.
    pub colors: Vec<[u8; 4]>,
    /// By address: the scenes' scales stay where they are while a picture is made.
    scales: HashMap<(*const ColorScale, Option<Kind>), Shading>,
}

impl Tables {
    /// A panel's scale; panels that share one share its words. `keys`: cells are keys of this kind.
    pub(super) fn scale(&mut self, scale: &ColorScale, keys: Option<Kind>) -> Shading {
        let at = (std::ptr::from_ref(scale), keys);
        if let Some(known) = self.scales.get(&at) {
            return *known;
        }
        let colors = scale.lut().iter().copied();
        let mut shading = match keys {
            None => self.shading(scale.thresholds(), colors),
            Some(kind) => self.shading_of_keys(&scale.keys_of(kind), colors),
        };
        shading.fills = self.colors.len() as u32;
        for (i, fill) in scale.fills().iter().enumerate() {
            let pattern: u32 = match fill.pattern {
                Pattern::Solid => 0,
                Pattern::Hatch => 1,
                Pattern::Dots => 2,
            };
            self.colors.extend([fill.color.rgba(), fill.ink.rgba()]);
            shading.patterns |= pattern << (4 * i);
        }
        self.scales.insert(at, shading);
        shading
    }

    /// The colours of a bar of `length` pixels: pixel i has the value i, which is also its level.
    pub(super) fn ramp(&mut self, scale: &ColorScale, length: u32) -> Shading {
        let keys: Vec<i32> = (1..length).map(|i| ordered_key((i as f32).to_bits())).collect();
        self.shading(&keys, (0..length).map(|i| scale.ramp(i, length)))
    }

    /// The cell under each pixel along a side.
    pub(super) fn axis(&mut self, cells: &[u32]) -> u32 {
        let at = self.words.len() as u32;
        self.words.extend_from_slice(cells);
        at
    }

    /// As [`Tables::shading`], of thresholds of two words, the low one first.
    fn shading_of_keys(&mut self, keys: &[i64], colors: impl Iterator<Item = Color>) -> Shading {
        let thresholds = self.words.len() as u32;
        self.words.extend(keys.iter().flat_map(|k| [*k as u32, (*k >> 32) as u32]));
        let count = keys.len() as u32;
        Shading { thresholds, count, ..self.shading(&[], colors) }
    }

    fn shading(&mut self, keys: &[i32], colors: impl Iterator<Item = Color>) -> Shading {
        let thresholds = self.words.len() as u32;
        self.words.extend(keys.iter().map(|k| *k as u32));
        let lut = self.colors.len() as u32;
        self.colors.extend(colors.map(|c| c.rgba()));
        let (low, per) = even_guess(keys).unwrap_or((0.0, 0.0));
        Shading { thresholds, count: keys.len() as u32, lut, fills: lut, patterns: 0, low, per }
    }
}

/// A colour as shaders unpack it.
pub(super) fn packed(color: Color) -> u32 {
    u32::from_le_bytes(color.rgba())
}

/// The cell of each pixel from its span.
pub(super) fn firsts(spans: &[[u32; 2]]) -> Vec<u32> {
    spans.iter().map(|s| if s[0] == s[1] { GAP } else { s[0] }).collect()
}

/// The pipeline of shapes.
pub(super) struct ShapesPipeline {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl ShapesPipeline {
    pub(super) fn new(context: &Context, format: wgpu::TextureFormat) -> Self {
        let layout = layout(context, "shapes", &[Binding::Uniform, Binding::Array, Binding::Array]);
        let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
        let program = Program::new(context, "shapes", SHAPES_WGSL, &[&layout]);
        let pipeline =
            pipeline(context, "shapes", &program, Fragment { entry: "paint", overrides: &[] }, format, blend);
        Self { layout, pipeline }
    }

    /// Uploads all shapes of a picture.
    pub(super) fn prepare(
        &self,
        context: &Context,
        plan: &Plan<'_>,
        canvas: Canvas,
    ) -> Result<wgpu::BindGroup, GpuError> {
        let limit = context.device().limits().max_storage_buffer_binding_size;
        let array = |label: &str, bytes: &[u8]| {
            Context::within("bytes of shapes", bytes.len() as u64, limit)?;
            Ok::<_, GpuError>(buffer(context, label, bytes, wgpu::BufferUsages::STORAGE))
        };
        let shapes = array("shapes", bytemuck::cast_slice(&plan.shapes))?;
        let edges = array("edges", bytemuck::cast_slice(&plan.edges))?;
        let canvas = buffer(context, "canvas", bytemuck::bytes_of(&canvas), wgpu::BufferUsages::UNIFORM);
        Ok(group(context, &self.layout, &[&canvas, &shapes, &edges], None, None))
    }

    /// Draws some shapes.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shapes: &wgpu::BindGroup, range: Range<u32>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, shapes, &[]);
        pass.draw(0..4, range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spans_are_gaps() {
        assert_eq!(firsts(&[[3, 4], [0, 0], [5, 9]]), [3, GAP, 5]);
    }
}
