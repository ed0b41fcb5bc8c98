//! Draws one picture on the device: prepares what its steps need, then submits them in strips.

use super::body_placement::Stores;
use super::cells::{Bodies, CellsPipeline};
use super::context::Context;
use super::cpu_bodies::PaintedBodies;
use super::error::GpuError;
use super::fault::Moment;
use super::pace::Pace;
use super::plan::{Plan, Step};
use super::shapes::ShapesPipeline;
use super::stopwatch::{DRAW, Stopwatch};
use super::text::Texts;
use super::wire;
use gridscope_core::color::Color;
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::grid::Grid;
use gridscope_core::text::Fonts;
use std::ops::Range;

/// The pipelines for one target format, each made when first needed.
pub(super) struct Pipelines {
    pub format: wgpu::TextureFormat,
    cells: Option<CellsPipeline>,
    shapes: Option<ShapesPipeline>,
    texts: Option<Texts>,
    painted: PaintedBodies,
    pace: Pace,
}

/// The pixels of the first strip that is painted: through lavapipe about 40 ms of the most expensive ones.
const FIRST_STRIP: u64 = 1 << 19;

/// The prepared data of a picture's steps.
pub(super) struct Prepared {
    bodies: Option<Bodies>,
    shapes: Option<wgpu::BindGroup>,
    /// For each step, the text renderers.
    texts: Vec<Range<usize>>,
}

/// The target of a picture.
pub(super) struct Onto<'a> {
    pub view: &'a wgpu::TextureView,
    pub size: PxSize,
    pub background: Option<Color>,
}

impl Onto<'_> {
    /// The target as the only attachment of a pass.
    fn attachment(&self, load: wgpu::LoadOp<wgpu::Color>) -> wgpu::RenderPassColorAttachment<'_> {
        wgpu::RenderPassColorAttachment {
            view: self.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        }
    }
}

impl Pipelines {
    pub(super) fn new(format: wgpu::TextureFormat, software: bool) -> Self {
        Self {
            format,
            cells: None,
            shapes: None,
            texts: None,
            painted: PaintedBodies::default(),
            pace: Pace::of_pixels(if software { FIRST_STRIP } else { u64::MAX }),
        }
    }

    /// Forgets bodies that were painted from earlier grids.
    pub(super) fn forget(&mut self) {
        self.painted.forget();
    }

    /// Makes the pipelines that a plan needs.
    pub(super) fn ready(
        &mut self,
        context: &Context,
        bands: &wgpu::BindGroupLayout,
        sheet_masks: usize,
        plan: &Plan<'_>,
    ) {
        if !plan.bodies.is_empty() && self.cells.is_none() {
            self.cells = Some(CellsPipeline::new(context, bands, self.format));
        }
        if !plan.shapes.is_empty() && self.shapes.is_none() {
            self.shapes = Some(ShapesPipeline::new(context, self.format));
        }
        if !plan.glyphs.is_empty() && self.texts.is_none() {
            self.texts = Some(Texts::new(context, self.format, sheet_masks));
        }
    }

    /// Uploads what a plan's steps need.
    pub(super) fn prepare(
        &mut self,
        context: &Context,
        stores: Stores<'_>,
        plan: &Plan<'_>,
        grids: &[Grid],
        fonts: &Fonts,
        size: PxSize,
    ) -> Result<Prepared, GpuError> {
        let canvas = wire::Canvas { size: [size.w as f32, size.h as f32] };
        let mut out = Prepared { bodies: None, shapes: None, texts: vec![0..0; plan.steps.len()] };
        if let Some(cells) = self.cells.as_ref().filter(|_| !plan.bodies.is_empty()) {
            out.bodies = Some(cells.prepare(context, stores, &plan.bodies, grids, canvas)?);
        }
        self.painted.prepare(&plan.painted, grids, self.format)?;
        if let Some(shapes) = self.shapes.as_ref().filter(|_| !plan.shapes.is_empty()) {
            out.shapes = Some(shapes.prepare(context, plan, canvas)?);
        }
        if let Some(texts) = &mut self.texts {
            texts.begin(context, size);
            for (step, range) in plan.steps.iter().zip(&mut out.texts) {
                if let Step::Glyphs(glyphs) = step {
                    *range = texts.prepare(context, fonts, &plan.glyphs[glyphs.clone()])?;
                }
            }
        }
        Ok(out)
    }

    /// Submits a picture, strip by strip.
    pub(super) fn submit(
        &self,
        context: &Context,
        plan: &Plan<'_>,
        prepared: &Prepared,
        onto: &Onto<'_>,
        watch: &mut Option<Stopwatch>,
    ) -> Result<(), GpuError> {
        let [r, g, b, a] = onto.background.map_or([0; 4], |c| c.rgba()).map(|v| f64::from(v) / 255.0);
        let size = onto.size;
        if !plan.painted.is_empty() {
            self.begin(context, onto, wgpu::Color { r, g, b, a })?;
        }
        let mut top = 0;
        while top < size.h {
            // Strips prevent a slow device from being busy with one submission for long.
            let rows = (self.pace.budget() as u32 / size.w).clamp(1, size.h - top);
            let load = if top == 0 && plan.painted.is_empty() {
                wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a })
            } else {
                wgpu::LoadOp::Load
            };
            let mut encoder = context.encoder("picture");
            let marks = watch.as_mut().map(|w| w.marks(DRAW));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("picture"),
                color_attachments: &[Some(onto.attachment(load))],
                timestamp_writes: marks.map(|m| wgpu::RenderPassTimestampWrites {
                    query_set: m.queries,
                    beginning_of_pass_write_index: m.begin,
                    end_of_pass_write_index: m.end,
                }),
                ..Default::default()
            });
            let strip = PxRect { x: 0, y: top as i32, w: size.w, h: rows };
            self.paint(context, (&mut pass, strip), plan, prepared)?;
            drop(pass);
            let start = context.submit(Moment::Paint, encoder)?;
            top += rows;
            // A software device paints on the cores that would wait; a GPU is never so slow that a strip takes long.
            if top < size.h && context.adapter_info().software {
                let cost = u64::from(rows) * u64::from(size.w);
                self.pace.observe(cost, context.done(start)?);
            }
        }
        Ok(())
    }

    /// Clears a picture and copies the bodies that the CPU has painted.
    fn begin(&self, context: &Context, onto: &Onto<'_>, color: wgpu::Color) -> Result<(), GpuError> {
        let mut encoder = context.encoder("background");
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("background"),
            color_attachments: &[Some(onto.attachment(wgpu::LoadOp::Clear(color)))],
            ..Default::default()
        }));
        context.submit(Moment::Paint, encoder)?;
        self.painted.copy(context, onto.view.texture());
        Ok(())
    }

    fn paint(
        &self,
        context: &Context,
        (pass, strip): (&mut wgpu::RenderPass<'_>, PxRect),
        plan: &Plan<'_>,
        prepared: &Prepared,
    ) -> Result<(), GpuError> {
        let limit = |pass: &mut wgpu::RenderPass<'_>, to: PxRect| {
            pass.set_scissor_rect(to.x as u32, to.y as u32, to.w, to.h);
        };
        limit(pass, strip);
        for (step, texts) in plan.steps.iter().zip(&prepared.texts) {
            match step {
                Step::Within(part) => {
                    limit(pass, part.map_or(strip, |part| common(part, strip)));
                }
                Step::Bodies(range) => {
                    if let (Some(cells), Some(bodies)) = (&self.cells, &prepared.bodies) {
                        cells.draw(context, pass, bodies, range.clone());
                    }
                }
                Step::Shapes(range) => {
                    if let (Some(shapes), Some(group)) = (&self.shapes, &prepared.shapes) {
                        shapes.draw(pass, group, range.clone());
                    }
                }
                Step::Glyphs(_) => {
                    if let Some(painter) = &self.texts {
                        painter.draw(pass, texts.clone())?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Intersection of two rectangles; without pixels, within the second one, where they do not meet.
fn common(a: PxRect, b: PxRect) -> PxRect {
    let end = |start: i32, length: u32| i64::from(start) + i64::from(length);
    let side = |(a, w): (i32, u32), (b, v): (i32, u32)| {
        let start = a.clamp(b, end(b, v) as i32);
        let length = end(a, w).min(end(b, v)) - i64::from(start);
        (start, length.max(0) as u32)
    };
    let ((x, w), (y, h)) = (side((a.x, a.w), (b.x, b.w)), side((a.y, a.h), (b.y, b.h)));
    PxRect { x, y, w, h }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_strip_stays_within_it() {
        let px = |x, y, w, h| PxRect { x, y, w, h };
        let strip = px(0, 100, 640, 50);
        assert_eq!(common(px(20, 90, 100, 500), strip), px(20, 100, 100, 50));
        assert_eq!(common(px(-20, 120, 100, 10), strip), px(0, 120, 80, 10));
        assert_eq!(common(px(20, 300, 100, 5), strip), px(20, 150, 100, 0));
        assert_eq!(common(px(900, 110, 10, 5), strip), px(640, 110, 0, 5));
    }
}
