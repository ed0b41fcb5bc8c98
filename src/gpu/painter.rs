//! The painter: its options, its state on the device between pictures, and the drawing of a picture.

use super::bands::BAND_BYTES;
use super::body_placement::Stores;
use super::cells::band_layout;
use super::context::Context;
use super::cpu_bodies::{Worker, takes_bytes};
use super::error::GpuError;
use super::fold_cache::{ComingFold, FoldCache, Folding, fold};
use super::folder::{FoldBy, Folder};
use super::picture::{Onto, Pipelines, Plan};
use super::resident_grid::{ResidentGrid, Room};
use super::submission::Stopwatch;
use super::target::{FORMAT, Target};
use super::text::SHEET_MASKS;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summary};
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::Scene;
use std::fmt;

/// Draws scenes on one device.
pub struct Painter {
    context: Context,
    options: PainterOptions,
    bands: wgpu::BindGroupLayout,
    pipelines: Vec<Pipelines>,
    target: Option<Target>,
    folder: Option<Folder>,
    /// Grids on the device; `None` for those that stay on the CPU.
    resident: Option<Vec<Option<ResidentGrid>>>,
    folds: FoldCache,
    watch: Option<Stopwatch>,
    phases: Phases,
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Painter")
            .field("context", &self.context)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Painter {
    /// A painter on a device.
    ///
    /// # Errors
    /// When the device is lost or refuses.
    pub fn new(context: &Context) -> Result<Self, GpuError> {
        Self::with_options(context, PainterOptions::default())
    }

    /// As [`Painter::new`], with other options.
    ///
    /// # Errors
    /// When the device is lost or refuses.
    pub fn with_options(context: &Context, options: PainterOptions) -> Result<Self, GpuError> {
        let bands = context.guarded(|| Ok(band_layout(context)))?;
        Ok(Self::with_bands(context.clone(), options, bands))
    }

    /// A painter that has made nothing on its device yet.
    fn with_bands(context: Context, options: PainterOptions, bands: wgpu::BindGroupLayout) -> Self {
        Self {
            context,
            options,
            bands,
            pipelines: Vec::new(),
            target: None,
            folder: None,
            resident: None,
            folds: FoldCache::default(),
            watch: None,
            phases: Phases::new(),
        }
    }

    /// Makes grids resident: they stay on the device for all following pictures, until the next call, which replaces them.
    /// Cells of wider numbers than f32 are compared there as keys of 64 bits; their pixels of several cells are folded on the
    /// CPU, and so is all of a grid for which there is no room, or whose cells are not in memory. No grids: nothing stays resident.
    ///
    /// Without it each picture uploads the rows it shows. A changed grid must be uploaded again. `progress` is called with the
    /// number of cells sent so far and the number of all cells.
    ///
    /// # Errors
    /// When a grid cannot be read, [`PainterOptions::memory`] or the device's memory or limits do not suffice, or cells do not arrive.
    pub fn upload(&mut self, grids: &[Grid], progress: &mut dyn FnMut(u64, u64)) -> Result<(), GpuError> {
        self.resident = None;
        self.folds = FoldCache::default();
        self.pipelines.iter_mut().for_each(Pipelines::forget);
        if grids.is_empty() {
            return Ok(());
        }
        let (context, options) = (self.context.clone(), self.options);
        self.folder()?;
        let Some(folder) = &self.folder else { return Ok(()) };
        let room = Room {
            layout: &self.bands,
            band_bytes: options.band_bytes,
            memory: options.memory,
            pyramid: options.pyramid,
            wide: options.wide,
        };
        self.resident = Some(ResidentGrid::upload(&context, folder, room, grids, progress)?);
        Ok(())
    }

    /// Who folds and paints the bodies of the following pictures.
    pub fn set_worker(&mut self, worker: Worker) {
        self.options.worker = worker;
    }

    /// Who folds and paints bodies.
    pub fn worker(&self) -> Worker {
        self.options.worker
    }

    /// Folds and paints all bodies of the next picture anew, even those that it shares with the last one: to measure what a
    /// changed view costs.
    pub fn forget_bodies(&mut self) {
        self.folds.expire();
        self.pipelines.iter_mut().for_each(Pipelines::forget);
    }

    /// Another painter of the same device: it can [`upload`](Painter::upload) in a thread of its own while this one draws, and
    /// [`Painter::adopt`] then takes its grids over.
    pub fn fork(&self) -> Self {
        Self::with_bands(self.context.clone(), self.options, self.bands.clone())
    }

    /// Takes over the resident grids of `other`, which [`Painter::fork`] made.
    pub fn adopt(&mut self, other: Self) {
        (self.folder, self.resident, self.folds) = (other.folder, other.resident, FoldCache::default());
    }

    /// The [`Summary`] of the cells of a resident grid under each pixel, row after row.
    ///
    /// # Errors
    /// When the grid is not resident or smaller than a table, or a pixel covers 2^32 cells or more; as [`Painter::draw`].
    pub fn fold(
        &mut self,
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Vec<Summary>, GpuError> {
        self.with_grid(grid, |with, cache, resident| fold(with, cache, grid, resident, columns, rows))
    }

    /// Folds what the next picture shows of a resident grid, unless the last picture shows it: to read it back before.
    ///
    /// # Errors
    /// As [`Painter::fold`].
    pub fn fold_ahead(&mut self, grid: usize, columns: &EdgeTable, rows: &EdgeTable) -> Result<(), GpuError> {
        self.with_grid(grid, |with, cache, resident| cache.fold_ahead(with, grid, resident, columns, rows))
    }

    /// Works with a resident grid and the folds.
    fn with_grid<T>(
        &mut self,
        grid: usize,
        work: impl FnOnce(Folding<'_>, &mut FoldCache, &ResidentGrid) -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let context = self.context.clone();
        self.watch.iter_mut().for_each(Stopwatch::restart);
        self.folder()?;
        let resident = self.resident.as_ref().and_then(|list| list.get(grid)?.as_ref());
        let resident = resident.filter(|g| g.folds());
        let (Some(resident), Some(folder)) = (resident, &self.folder) else {
            return Err(GpuError::Misuse(format!("grid {grid} is not on the device")));
        };
        let with = Folding {
            context: &self.context,
            folder,
            layout: &self.bands,
            band_bytes: self.options.band_bytes,
            watch: self.watch.as_mut(),
        };
        let folds = &mut self.folds;
        let done = context.guarded(|| work(with, folds, resident));
        done.inspect_err(|e| self.renew(e))
    }

    /// Starts to read back what the last picture has folded of a grid for the pixels of two tables; `None` where it has not. The
    /// call does not wait.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read_fold(
        &self,
        grid: usize,
        columns: &EdgeTable,
        rows: &EdgeTable,
    ) -> Result<Option<ComingFold>, GpuError> {
        let resident = self.resident.as_ref().and_then(|list| list.get(grid)?.as_ref());
        let (Some(resident), Some(layer)) = (resident, self.folds.find(grid, columns, rows)) else {
            return Ok(None);
        };
        let context = &self.context;
        context.guarded(|| ComingFold::of(context, layer, resident.exponent).map(Some))
    }

    /// Whether the device measures its own time from now on; a device without timestamps never does.
    pub fn time_gpu(&mut self, on: bool) {
        self.watch = if on { Stopwatch::new(&self.context) } else { None };
    }

    /// Milliseconds that the device spent on the last picture: `fold` (unless the fold was reused) and `draw`; `None` where they
    /// are not measured.
    pub fn gpu_times(&self) -> Option<Vec<(&'static str, f64)>> {
        let watch = self.watch.as_ref()?;
        self.context.guarded(|| watch.read(&self.context)).ok()
    }

    fn folder(&mut self) -> Result<(), GpuError> {
        if self.folder.is_none() {
            let (context, layout) = (&self.context, &self.bands);
            let by = (self.options.fold_by, self.options.subgroups);
            self.folder = Some(context.guarded(|| Ok(Folder::new(context, layout, by)))?);
        }
        Ok(())
    }

    /// Drops what a failing device may have left unusable or half done; the next picture makes it again. Resident grids were
    /// checked after the upload and stay.
    fn renew(&mut self, e: &GpuError) {
        if matches!(e, GpuError::Device(_) | GpuError::OutOfMemory(_) | GpuError::Lost(_) | GpuError::Text(_))
        {
            self.pipelines.clear();
            (self.folder, self.folds) = (None, FoldCache::default());
        }
    }

    /// Draws a scene offscreen; `grids` are those that its cells name.
    ///
    /// # Errors
    /// After [`GpuError::Lost`] a new [`Context`] may draw the same picture; other errors will return.
    ///
    /// # Panics
    /// When a grid that is neither resident nor in memory cannot be read any more for the cells that the
    /// scene shows: see [`gridscope_draw::tiling::fold_missing`].
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

    /// Draws a scene into a view of `size` pixels whose format stores sRGB bytes unchanged. The work is submitted; the call does
    /// not wait for it.
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
        let cpu_paints = self.options.worker == Worker::Cpu && takes_bytes(view.texture(), format);
        let plan = Plan::of(scene, fonts, cpu_paints);
        self.phases.done("plan");
        self.watch.iter_mut().for_each(Stopwatch::restart);
        if self.resident.is_some() {
            self.folder()?;
        }
        let drawn = context.guarded(|| {
            let at = self.pipelines(format, &plan);
            self.phases.done("pipelines");
            self.fold_bodies(&plan)?;
            self.phases.done("fold");
            let stores = Stores {
                layout: &self.bands,
                band_bytes: self.options.band_bytes,
                resident: self.resident.as_deref(),
                folds: &self.folds,
            };
            let prepared = self.pipelines[at].prepare(&context, stores, &plan, grids, fonts, size)?;
            self.phases.done("upload");
            let onto = Onto { view, size, background: scene.background };
            self.pipelines[at].submit(&context, &plan, &prepared, &onto, &mut self.watch)?;
            self.phases.done("draw");
            Ok(())
        });
        drawn.inspect_err(|e| self.renew(e))
    }

    /// How long each phase of the last [`Painter::draw`] took.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// Index of the pipelines of a format, ready for everything that the plan needs.
    fn pipelines(&mut self, format: wgpu::TextureFormat, plan: &Plan<'_>) -> usize {
        let at = self.pipelines.iter().position(|p| p.format == format).unwrap_or_else(|| {
            self.pipelines.push(Pipelines::new(format, self.context.adapter_info().software));
            self.pipelines.len() - 1
        });
        self.pipelines[at].ready(&self.context, &self.bands, self.options.sheet_masks, plan);
        at
    }

    /// Folds the bodies of the plan that have no Summaries yet.
    fn fold_bodies(&mut self, plan: &Plan<'_>) -> Result<(), GpuError> {
        let (Some(folder), Some(resident)) = (&self.folder, &self.resident) else {
            return Ok(());
        };
        let with = Folding {
            context: &self.context,
            folder,
            layout: &self.bands,
            band_bytes: self.options.band_bytes,
            watch: self.watch.as_mut(),
        };
        self.folds.update(with, &plan.bodies, resident)
    }
}

/// How a painter uses its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PainterOptions {
    /// Bytes of one band of cells or Summaries.
    pub band_bytes: u64,
    /// Glyph masks on one atlas.
    pub sheet_masks: usize,
    /// Bytes that resident grids may take with their pyramids; `None` leaves it to the device.
    pub memory: Option<u64>,
    /// Whether resident grids get pyramids, which take 0.4 of their own memory.
    pub pyramid: bool,
    /// Whether grids of wider numbers than f32 become resident, too: their cells are drawn from there, but never folded.
    pub wide: bool,
    /// How the pixels of a fold are shared among threads.
    pub fold_by: FoldBy,
    /// Whether the threads of a workgroup that share a pixel join their sums by subgroup operations, where the adapter has them,
    /// instead of through memory; the bits are the same.
    pub subgroups: bool,
    /// Who folds and paints large bodies; [`Worker::faster`] knows who should.
    pub worker: Worker,
}

impl Default for PainterOptions {
    fn default() -> Self {
        Self {
            band_bytes: BAND_BYTES,
            sheet_masks: SHEET_MASKS,
            memory: None,
            pyramid: true,
            wide: true,
            fold_by: FoldBy::Size,
            subgroups: true,
            worker: Worker::Device,
        }
    }
}
