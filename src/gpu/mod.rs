//! The GPU back end: a Scene to an Image, or into a caller's texture, with the bytes of the CPU back end.

mod error;
pub mod wire;
mod adapter;
mod context;
mod pipeline;
mod resident;
mod plan;
mod tables;
mod cells;
mod shapes;
mod text;
mod target;

pub use adapter::{AdapterSummary, Wish, devices, hardware_present};
pub use context::Context;
pub use error::GpuError;
pub use resident::BAND_BYTES;
pub use text::SHEET_MASKS;

use crate::geom::PxSize;
use crate::grid::Grid;
use crate::image::Image;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use cells::{Bodies, CellsPipeline, band_layout};
use plan::{Plan, Step};
use resident::{Bands, Resident, Source};
use shapes::ShapesPipeline;
use std::ops::Range;
use target::{FORMAT, Target};
use text::Texts;

/// One submit paints at most so many pixels, so that a slow device is never busy for long.
const STRIP_PIXELS: u32 = 4 << 20;

/// How much goes into one buffer or atlas; tests make both small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of one band of cells; a longer row is a band of its own.
    pub band_bytes: u64,
    /// Glyph masks on one atlas.
    pub sheet_masks: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { band_bytes: BAND_BYTES, sheet_masks: SHEET_MASKS }
    }
}

/// Pipelines for one target format, each made when first needed.
struct Pipelines {
    format: wgpu::TextureFormat,
    cells: Option<CellsPipeline>,
    shapes: Option<ShapesPipeline>,
    texts: Option<Texts>,
}

/// Draws scenes on one device.
pub struct Painter {
    context: Context,
    sizes: Sizes,
    bands: wgpu::BindGroupLayout,
    pipelines: Vec<Pipelines>,
    target: Option<Target>,
    held: Option<Resident>,
    phases: Phases,
}

/// What a picture's steps draw with.
struct Prepared {
    bodies: Option<Bodies>,
    shapes: Option<wgpu::BindGroup>,
    /// For each step, the text renderers.
    texts: Vec<Range<usize>>,
}

impl Painter {
    /// A painter on a device.
    ///
    /// # Errors
    /// When the device is lost or refuses.
    pub fn new(context: &Context) -> Result<Self, GpuError> {
        Self::with_sizes(context, Sizes::default())
    }

    /// As [`Painter::new`], with other sizes of bands and atlases.
    ///
    /// # Errors
    /// When the device is lost or refuses.
    pub fn with_sizes(context: &Context, sizes: Sizes) -> Result<Self, GpuError> {
        let bands = context.guarded(|| Ok(band_layout(context)))?;
        let context = context.clone();
        Ok(Self { context, sizes, bands, pipelines: Vec::new(), target: None, held: None, phases: Phases::new() })
    }

    /// Keeps grids on the device for all following pictures, until called again; no grids: keeps none.
    ///
    /// Without it each picture uploads the rows it shows. A changed grid must be held anew.
    ///
    /// # Errors
    /// When the device's memory or limits do not suffice.
    pub fn hold(&mut self, grids: &[Grid]) -> Result<(), GpuError> {
        self.held = None;
        if grids.is_empty() {
            return Ok(());
        }
        let sources: Vec<Source<'_>> =
            grids.iter().map(|g| Source { cells: g.cells().into(), width: g.width() as u32, first_row: 0 }).collect();
        let held = self.context.guarded(|| Resident::upload(&self.context, &self.bands, &sources, self.sizes.band_bytes))?;
        self.held = Some(held);
        Ok(())
    }

    /// Draws a scene offscreen; `grids` are those that its cells name.
    ///
    /// # Errors
    /// [`GpuError::Lost`] may pass with a new [`Context`]; the others stay.
    pub fn draw(&mut self, scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, GpuError> {
        self.phases = Phases::new();
        let side = self.context.device().limits().max_texture_dimension_2d;
        Context::within("pixels a side", u64::from(scene.size.w.max(scene.size.h)), u64::from(side))?;
        if scene.size.w == 0 || scene.size.h == 0 {
            return Ok(Image { width: scene.size.w, height: scene.size.h, pixels: Vec::new() });
        }
        let target = match self.target.take().filter(|t| t.size == scene.size) {
            Some(target) => target,
            None => self.context.guarded(|| Target::new(&self.context, scene.size))?,
        };
        self.draw_into(scene, grids, fonts, &target.view, FORMAT, scene.size)?;
        let context = self.context.clone();
        context.guarded(|| context.wait())?;
        self.phases.done("draw");
        let image = context.guarded(|| target.read(&context))?;
        self.phases.done("readback");
        self.target = Some(target);
        Ok(image)
    }

    /// Draws a scene into a view of `size` pixels whose format stores sRGB bytes as they are; submits, and does not wait.
    ///
    /// # Errors
    /// As [`Painter::draw`].
    pub fn draw_into(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        view: &wgpu::TextureView,
        format: wgpu::TextureFormat,
        size: PxSize,
    ) -> Result<(), GpuError> {
        if size.w == 0 || size.h == 0 {
            return Ok(());
        }
        let context = self.context.clone();
        let plan = Plan::of(scene, fonts);
        self.phases.done("plan");
        context.guarded(|| {
            let at = self.pipelines(format, &plan);
            self.phases.done("pipelines");
            let prepared = self.prepare(at, &plan, grids, fonts, size)?;
            self.phases.done("upload");
            self.submit(at, scene, &plan, &prepared, view, size)?;
            self.phases.done("draw");
            Ok(())
        })
    }

    /// How long the phases of the last [`Painter::draw`] took.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The place of the pipelines of a format, with all that the plan needs.
    fn pipelines(&mut self, format: wgpu::TextureFormat, plan: &Plan<'_>) -> usize {
        let at = self.pipelines.iter().position(|p| p.format == format).unwrap_or_else(|| {
            self.pipelines.push(Pipelines { format, cells: None, shapes: None, texts: None });
            self.pipelines.len() - 1
        });
        let p = &mut self.pipelines[at];
        if !plan.bodies.is_empty() && p.cells.is_none() {
            p.cells = Some(CellsPipeline::new(&self.context, &self.bands, format));
        }
        if !plan.shapes.is_empty() && p.shapes.is_none() {
            p.shapes = Some(ShapesPipeline::new(&self.context, format));
        }
        if !plan.glyphs.is_empty() && p.texts.is_none() {
            p.texts = Some(Texts::new(&self.context, format, self.sizes.sheet_masks));
        }
        at
    }

    fn prepare(&mut self, at: usize, plan: &Plan<'_>, grids: &[Grid], fonts: &Fonts, size: PxSize) -> Result<Prepared, GpuError> {
        let context = &self.context;
        let bands = Bands { layout: &self.bands, bytes: self.sizes.band_bytes, held: self.held.as_ref() };
        let canvas = wire::Canvas { size: [size.w as f32, size.h as f32] };
        let p = &mut self.pipelines[at];
        let mut out = Prepared { bodies: None, shapes: None, texts: vec![0..0; plan.steps.len()] };
        if let Some(cells) = p.cells.as_ref().filter(|_| !plan.bodies.is_empty()) {
            out.bodies = Some(cells.prepare(context, bands, &plan.bodies, grids, canvas)?);
        }
        if let Some(shapes) = p.shapes.as_ref().filter(|_| !plan.shapes.is_empty()) {
            out.shapes = Some(shapes.prepare(context, plan, canvas)?);
        }
        if let Some(texts) = &mut p.texts {
            texts.begin(context, size);
            for (step, range) in plan.steps.iter().zip(&mut out.texts) {
                if let Step::Glyphs(glyphs) = step {
                    *range = texts.prepare(context, fonts, &plan.glyphs[glyphs.clone()])?;
                }
            }
        }
        Ok(out)
    }

    fn submit(
        &self,
        at: usize,
        scene: &Scene,
        plan: &Plan<'_>,
        prepared: &Prepared,
        view: &wgpu::TextureView,
        size: PxSize,
    ) -> Result<(), GpuError> {
        let [r, g, b, a] = scene.background.map_or([0; 4], |c| c.rgba()).map(|v| f64::from(v) / 255.0);
        let rows = (STRIP_PIXELS / size.w).max(1);
        for top in (0..size.h).step_by(rows as usize) {
            let load = if top == 0 { wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }) } else { wgpu::LoadOp::Load };
            let mut encoder = self.context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") });
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("picture"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            pass.set_scissor_rect(0, top, size.w, rows.min(size.h - top));
            self.paint(&mut pass, at, plan, prepared)?;
            drop(pass);
            self.context.queue().submit([encoder.finish()]);
        }
        Ok(())
    }

    fn paint(&self, pass: &mut wgpu::RenderPass<'_>, at: usize, plan: &Plan<'_>, prepared: &Prepared) -> Result<(), GpuError> {
        let p = &self.pipelines[at];
        for (step, texts) in plan.steps.iter().zip(&prepared.texts) {
            match step {
                Step::Bodies(range) => {
                    if let (Some(cells), Some(bodies)) = (&p.cells, &prepared.bodies) {
                        cells.draw(pass, bodies, self.held.as_ref(), range.clone());
                    }
                }
                Step::Shapes(range) => {
                    if let (Some(shapes), Some(group)) = (&p.shapes, &prepared.shapes) {
                        shapes.draw(pass, group, range.clone());
                    }
                }
                Step::Glyphs(_) => {
                    if let Some(painter) = &p.texts {
                        painter.draw(pass, texts.clone())?;
                    }
                }
            }
        }
        Ok(())
    }
}
