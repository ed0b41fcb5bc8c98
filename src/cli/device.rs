//! An open device: pictures and folds through wgpu.

use crate::geom::PxSize;
use crate::gpu::{
    AdapterPreference, Context, FaultPlan, GpuError, Painter, PainterOptions, hardware_present,
};
use crate::grid::{Grid, Summary};
use crate::image::Image;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;
use crate::view::EdgeTable;

/// Below so many pixels the CPU has drawn a picture before a hardware driver is even open (100 to 300 ms against about
/// 5 ns a pixel).
const DEVICE_PAYS_FROM: u64 = 40_000_000;

/// Why the CPU draws a picture of this size, where it does.
pub(super) fn why_cpu(size: PxSize) -> Option<&'static str> {
    if !hardware_present() {
        return Some("no hardware device");
    }
    let small = u64::from(size.w) * u64::from(size.h) < DEVICE_PAYS_FROM;
    small.then_some("a picture of this size is done before a driver is open")
}

/// A device and what lies on it.
pub(super) struct Device {
    context: Context,
    painter: Painter,
    /// The grids lie on the device.
    held: bool,
}

impl Device {
    /// Opens the device whose name has this part; one that is lost while it opens is opened once more. Grids may take
    /// `memory` bytes on it. `plan` makes the faults of a test.
    pub fn open(name: Option<&str>, memory: u64, plan: &FaultPlan) -> Result<Self, GpuError> {
        let preference = name.map_or_else(AdapterPreference::default, AdapterPreference::named);
        // A pyramid pays for many pictures of one grid, not for one.
        let options = PainterOptions {
            memory: Some(memory),
            pyramid: false,
            ..PainterOptions::default()
        };
        let once = || {
            let context = Context::open_by(&preference, plan)?;
            Ok(Self {
                painter: Painter::with_options(&context, options)?,
                context,
                held: false,
            })
        };
        once().or_else(|e| {
            if matches!(e, GpuError::Lost(_)) {
                once()
            } else {
                Err(e)
            }
        })
    }

    /// Its name, its driver, and whether the CPU does its work.
    pub fn info(&self) -> (String, String, bool) {
        let info = self.context.adapter_info();
        (info.name.clone(), info.driver.clone(), info.software)
    }

    /// The most pixels a side that are drawn at once.
    pub fn side(&self) -> u32 {
        self.context.device().limits().max_texture_dimension_2d
    }

    /// Uploads the grids, unless they are there, and folds one of them.
    pub fn fold(
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

    pub fn draw(
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
