//! Draws rectangles, lines and polygons, one instance each.

use super::context::Context;
use super::error::GpuError;
use super::pipeline::{Binding, Fragment, Program, buffer, group, layout, pipeline};
use super::plan::Plan;
use super::wire::{Canvas, SHAPES_WGSL};
use std::ops::Range;

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
