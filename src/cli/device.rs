//! An open wgpu device that draws pictures and folds bodies.

use gridscope_core::geom::PxSize;
use gridscope_core::grid::{Grid, Summary};
use gridscope_core::image::Image;
use gridscope_core::output::cache_folder;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_core::view::EdgeTable;
use gridscope_draw::scene::Scene;
use gridscope_gpu::{
    AdapterPreference, Context, FaultPlan, GpuError, OPENING_PAYS_FROM, Painter, PainterOptions,
    hardware_present,
};

/// Why the CPU draws a picture of this size; `None` if a device should.
pub(super) fn why_cpu(size: PxSize) -> Option<&'static str> {
    if !hardware_present() {
        return Some("no hardware device");
    }
    let small = u64::from(size.w) * u64::from(size.h) < OPENING_PAYS_FROM;
    small.then_some("a picture of this size is done before a driver is open")
}

/// The context with the compiled pipelines of earlier runs.
pub(super) fn compiled(context: Context) -> Context {
    match cache_folder() {
        Some(folder) => context.with_compiled(&folder),
        None => context,
    }
}

/// A device, and whether the grids are on it.
pub(super) struct Device {
    context: Context,
    painter: Painter,
    /// The grids have been uploaded.
    held: bool,
}

impl Device {
    /// Opens the device whose name contains `name`, a second time if it is lost while opening. Grids may take
    /// `memory` bytes on it. `plan` injects faults in tests.
    pub(super) fn open(name: Option<&str>, memory: u64, plan: &FaultPlan) -> Result<Self, GpuError> {
        let preference = name.map_or_else(AdapterPreference::default, AdapterPreference::named);
        // A pyramid pays off for many pictures of one grid, not for a single one; so do cells that are not folded.
        let options =
            PainterOptions { memory: Some(memory), pyramid: false, wide: false, ..PainterOptions::default() };
        let once = || {
            let context = compiled(Context::open_by(&preference, plan)?);
            Ok(Self { painter: Painter::with_options(&context, options)?, context, held: false })
        };
        once().or_else(|e| if matches!(e, GpuError::Lost(_)) { once() } else { Err(e) })
    }

    /// Its name, its driver, and whether it is a software device.
    pub(super) fn info(&self) -> (String, String, bool) {
        let info = self.context.adapter_info();
        (info.name.clone(), info.driver.clone(), info.software)
    }

    /// The longest side in pixels that is drawn at once.
    pub(super) fn side(&self) -> u32 {
        self.context.device().limits().max_texture_dimension_2d
    }

    /// Folds one of the grids, after uploading all of them if that has not been done.
    pub(super) fn fold(
        &mut self,
        grids: &[Grid],
        grid: usize,
        (columns, rows): (&EdgeTable, &EdgeTable),
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Vec<Summary>, GpuError> {
        if !self.held {
            self.painter.upload(grids, progress)?;
            self.held = true;
        }
        self.painter.fold(grid, columns, rows)
    }

    /// Draws a scene.
    pub(super) fn draw(
        &mut self,
        scene: &Scene,
        grids: &[Grid],
        fonts: &mut Fonts,
        phases: &mut Phases,
    ) -> Result<Image, GpuError> {
        let image = self.painter.draw(scene, grids, fonts)?;
        phases.done("draw");
        phases.adopt("draw", self.painter.phases());
        Ok(image)
    }
}
