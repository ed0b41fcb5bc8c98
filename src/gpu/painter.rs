//! The painter: what stays on the device between pictures, and the way of a picture through it.

use super::cells::band_layout;
use super::context::Context;
use super::error::GpuError;
use super::fold::{FoldBy, Folder};
use super::folds::{Folding, Folds, fold};
use super::layer::BAND_BYTES;
use super::painted::takes_bytes;
use super::picture::{Onto, Pipelines};
use super::placed_bodies::Stores;
use super::plan::Plan;
use super::resident::{Resident, Room};
use super::stopwatch::Stopwatch;
use super::target::{FORMAT, Target};
use super::text::SHEET_MASKS;
use crate::geom::PxSize;
use crate::grid::{Grid, Summary};
use crate::image::Image;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use crate::view::EdgeTable;

/// How much goes into one buffer or atlas; tests make both small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of one band of cells or Summaries.
    pub band_bytes: u64,
    /// Glyph masks on one atlas.
    pub sheet_masks: usize,
    /// Bytes that the grids of [`Painter::hold`] may take with their pyramids; `None` leaves it to the device.
    pub memory: Option<u64>,
    /// Whether held grids get pyramids, which take 0.4 of their own memory.
    pub pyramid: bool,
    /// How the pixels of a fold are shared among threads.
    pub fold_by: FoldBy,
    /// The CPU folds and paints large bodies, and the device puts the rest over them: faster on a software device.
    pub cpu_paints: bool,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            band_bytes: BAND_BYTES,
            sheet_masks: SHEET_MASKS,
            memory: None,
            pyramid: true,
            fold_by: FoldBy::Size,
            cpu_paints: false,
        }
    }
}

/// Draws scenes on one device.
pub struct Painter {
    context: Context,
    sizes: Sizes,
    bands: wgpu::BindGroupLayout,
    pipelines: Vec<Pipelines>,
    target: Option<Target>,
    folder: Option<Folder>,
    held: Option<Vec<Option<Resident>>>,
    folds: Folds,
    watch: Option<Stopwatch>,
    phases: Phases,
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
        let (context, folds, phases) = (context.clone(), Folds::default(), Phases::new());
        Ok(Self {
            context,
            sizes,
            bands,
            pipelines: Vec::new(),
            target: None,
            folder: None,
            held: None,
            folds,
            watch: None,
            phases,
        })
    }

    /// Keeps grids whose numbers are f32 on the device for all following pictures, until called again; no grids: keeps none.
    /// Grids of wider numbers are folded and classed on the CPU.
    ///
    /// Without it each picture uploads the rows it shows. A changed grid must be held anew. `progress` is told how many cells
    /// were sent, and of how many.
    ///
    /// # Errors
    /// When a grid cannot be read, [`Sizes::memory`] or the device's memory or limits do not suffice, or cells do not arrive.
    pub fn hold(&mut self, grids: &[Grid], progress: &mut dyn FnMut(u64, u64)) -> Result<(), GpuError> {
        self.held = None;
        self.folds = Folds::default();
        self.pipelines.iter_mut().for_each(Pipelines::forget);
        if grids.is_empty() {
            return Ok(());
        }
        let (context, sizes) = (self.context.clone(), self.sizes);
        self.folder()?;
        let Some(folder) = &self.folder else { return Ok(()) };
        let room = Room {
            layout: &self.bands,
            band_bytes: sizes.band_bytes,
            memory: sizes.memory,
            pyramid: sizes.pyramid,
        };
        self.held = Some(Resident::hold(&context, folder, room, grids, progress)?);
        Ok(())
    }

    /// Another painter of the same device, for [`Painter::hold`] in a thread of its own while this one draws.
    pub fn beside(&self) -> Self {
        let (context, sizes, bands) = (self.context.clone(), self.sizes, self.bands.clone());
        let (folds, phases) = (Folds::default(), Phases::new());
        Self {
            context,
            sizes,
            bands,
            pipelines: Vec::new(),
            target: None,
            folder: None,
            held: None,
            folds,
            watch: None,
            phases,
        }
    }

    /// Takes over the grids that `other`, made by [`Painter::beside`], holds.
    pub fn adopt(&mut self, other: Self) {
        (self.folder, self.held, self.folds) = (other.folder, other.held, Folds::default());
    }

    /// The Summary of what each pixel covers of a held grid, row after row.
    ///
    /// # Errors
    /// When the grid is not held or smaller than a table, or a pixel covers 2^32 cells or more; as [`Painter::draw`].
    pub fn fold(
        &mut self,
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Vec<Summary>, GpuError> {
        let context = self.context.clone();
        self.watch.iter_mut().for_each(Stopwatch::restart);
        self.folder()?;
        let held = self.held.as_ref().and_then(|h| h.get(grid)?.as_ref());
        let (Some(held), Some(folder)) = (held, &self.folder) else {
            return Err(GpuError::Misuse(format!("grid {grid} is not held")));
        };
        let (layout, band_bytes) = (&self.bands, self.sizes.band_bytes);
        let with = Folding {
            context: &self.context,
            folder,
            layout,
            band_bytes,
            watch: self.watch.as_mut(),
        };
        let folded = context.guarded(|| fold(with, held, columns, rows));
        folded.inspect_err(|e| self.renew(e))
    }

    /// Whether the device's own times are taken from now on; where it takes none, they never are.
    pub fn time_gpu(&mut self, on: bool) {
        self.watch = if on { Stopwatch::new(&self.context) } else { None };
    }

    /// Milliseconds that the device spent on the last picture: `fold` (unless it was kept) and `draw`; `None` where none are taken.
    pub fn gpu_times(&self) -> Option<Vec<(&'static str, f64)>> {
        let watch = self.watch.as_ref()?;
        self.context.guarded(|| watch.read(&self.context)).ok()
    }

    fn folder(&mut self) -> Result<(), GpuError> {
        if self.folder.is_none() {
            let (context, layout, by) = (&self.context, &self.bands, self.sizes.fold_by);
            self.folder = Some(context.guarded(|| Ok(Folder::new(context, layout, by)))?);
        }
        Ok(())
    }

    /// What a failing device has made may be unfit, or half done: the next picture makes it anew. Held grids were inspected and stay.
    fn renew(&mut self, e: &GpuError) {
        if matches!(
            e,
            GpuError::Device(_) | GpuError::OutOfMemory(_) | GpuError::Lost(_) | GpuError::Text(_)
        ) {
            self.pipelines.clear();
            (self.folder, self.folds) = (None, Folds::default());
        }
    }

    /// Draws a scene offscreen; `grids` are those that its cells name.
    ///
    /// # Errors
    /// [`GpuError::Lost`] may pass with a new [`Context`]; the others stay.
    ///
    /// # Panics
    /// When a grid that is neither held on the device nor in memory does not give the cells that the scene shows: see
    /// [`crate::tiling::fold_missing`].
    pub fn draw(&mut self, scene: &Scene, grids: &[Grid], fonts: &mut Fonts) -> Result<Image, GpuError> {
        self.phases = Phases::new();
        let side = self.context.device().limits().max_texture_dimension_2d;
        Context::within(
            "pixels a side",
            u64::from(scene.size.w.max(scene.size.h)),
            u64::from(side),
        )?;
        if scene.size.w == 0 || scene.size.h == 0 {
            return Ok(Image {
                width: scene.size.w,
                height: scene.size.h,
                pixels: Vec::new(),
            });
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
    ///
    /// # Panics
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
        let cpu_paints = self.sizes.cpu_paints && takes_bytes(view.texture(), format);
        let plan = Plan::of(scene, fonts, cpu_paints);
        self.phases.done("plan");
        self.watch.iter_mut().for_each(Stopwatch::restart);
        if self.held.is_some() {
            self.folder()?;
        }
        let drawn = context.guarded(|| {
            let at = self.pipelines(format, &plan);
            self.phases.done("pipelines");
            self.fold_bodies(&plan)?;
            self.phases.done("fold");
            let stores = Stores {
                layout: &self.bands,
                band_bytes: self.sizes.band_bytes,
                held: self.held.as_deref(),
                folds: &self.folds,
            };
            let prepared = self.pipelines[at].prepare(&context, stores, &plan, grids, fonts, size)?;
            self.phases.done("upload");
            let onto = Onto {
                view,
                size,
                background: scene.background,
            };
            self.pipelines[at].submit(&context, &plan, &prepared, &onto, &mut self.watch)?;
            self.phases.done("draw");
            Ok(())
        });
        drawn.inspect_err(|e| self.renew(e))
    }

    /// How long the phases of the last [`Painter::draw`] took.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The place of the pipelines of a format, with all that the plan needs.
    fn pipelines(&mut self, format: wgpu::TextureFormat, plan: &Plan<'_>) -> usize {
        let at = self
            .pipelines
            .iter()
            .position(|p| p.format == format)
            .unwrap_or_else(|| {
                self.pipelines.push(Pipelines::new(format));
                self.pipelines.len() - 1
            });
        self.pipelines[at].ready(&self.context, &self.bands, self.sizes.sheet_masks, plan);
        at
    }

    /// Folds the bodies that come without Summaries.
    fn fold_bodies(&mut self, plan: &Plan<'_>) -> Result<(), GpuError> {
        let (Some(folder), Some(held)) = (&self.folder, &self.held) else {
            return Ok(());
        };
        let (layout, band_bytes) = (&self.bands, self.sizes.band_bytes);
        let with = Folding {
            context: &self.context,
            folder,
            layout,
            band_bytes,
            watch: self.watch.as_mut(),
        };
        self.folds.update(with, &plan.bodies, held)
    }
}
