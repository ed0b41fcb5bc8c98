//! What draws a frame: a device, or the CPU alone.

use super::super::bench_args::{BenchArgs, BenchBackend};
use super::super::diagnostics::Failure;
use super::bandwidth::host_copy;
use crate::error::Error;
use crate::grid::Grid;
use crate::image::Image;
use crate::raster;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::timing::Phases;

/// What draws, for the report.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// `gpu` or `cpu`.
    pub backend: &'static str,
    /// The device, or the processor.
    pub adapter: String,
    /// The device's driver.
    pub driver: String,
    /// `vulkan`, `metal`, `dx12`, `gl`; empty without a device.
    pub api: String,
    /// Drawn by the CPU's own cores.
    pub software: bool,
    /// Where pixels of several cells are folded: `cpu` or `device`.
    pub fold: &'static str,
    /// Bytes read and written each second by a plain copy in the memory drawn from, where it is known.
    pub copy_bytes_per_s: Option<f64>,
}

/// What drew, by which two reports tell whether it was the same.
pub(super) fn system_name(backend: &str, adapter: &str) -> String {
    format!("{backend}: {adapter}")
}

impl System {
    /// As [`system_name`].
    pub fn name(&self) -> String {
        system_name(self.backend, &self.adapter)
    }
}

/// A way to draw frames of one grid after the other.
pub(super) trait Renderer {
    /// What it is.
    fn system(&self) -> &System;

    /// Makes a grid ready for all following frames.
    fn hold(&mut self, grids: &[Grid]) -> Result<(), Failure>;

    /// Draws a scene of cells that are not folded yet, and gives its pixels; books what it does.
    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure>;

    /// Milliseconds by the device's own clock of parts of the last frame, where it has one.
    fn device_times(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// The renderer that the flags ask for; grids may take `limit` bytes.
///
/// # Errors
/// When no device fits.
pub(super) fn open(args: &BenchArgs, limit: u64) -> Result<Box<dyn Renderer>, Failure> {
    let copy_bytes = limit / 8;
    match args.backend {
        BenchBackend::Gpu => device(args, limit),
        BenchBackend::Auto if args.device.is_some() => device(args, limit),
        BenchBackend::Auto if hardware() => match device(args, limit) {
            Ok(found) if !found.system().software => Ok(found),
            _ => Ok(Box::new(Cpu::new(copy_bytes))),
        },
        BenchBackend::Auto | BenchBackend::Cpu => Ok(Box::new(Cpu::new(copy_bytes))),
    }
}

/// Whether it is worth looking for a hardware device.
fn hardware() -> bool {
    #[cfg(feature = "gpu")]
    return crate::gpu::hardware_present();
    #[cfg(not(feature = "gpu"))]
    false
}

/// Folds on the CPU what the scene's pixels cover.
#[cfg(feature = "gpu")]
fn fold_cells(scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<(), Failure> {
    for item in &mut scene.items {
        if let crate::scene::Item::Cells(c) = item
            && (c.columns.reduces() || c.rows.reduces())
        {
            let folded = grids[c.grid]
                .fold(c.columns.spans(), c.rows.spans())
                .map_err(Error::from)?;
            c.summaries = Some(std::sync::Arc::new(folded));
            phases.done("fold");
        }
    }
    Ok(())
}

/// The CPU back end.
pub(super) struct Cpu {
    system: System,
    fonts: Fonts,
}

impl Cpu {
    pub fn new(copy_bytes: u64) -> Self {
        let system = System {
            backend: "cpu",
            adapter: processor(),
            driver: String::new(),
            api: String::new(),
            software: true,
            fold: "cpu",
            copy_bytes_per_s: Some(host_copy(copy_bytes)),
        };
        Self {
            system,
            fonts: Fonts::new(),
        }
    }
}

impl Renderer for Cpu {
    fn system(&self) -> &System {
        &self.system
    }

    fn hold(&mut self, _: &[Grid]) -> Result<(), Failure> {
        Ok(())
    }

    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure> {
        // Bodies are folded where they are painted.
        let image = raster::draw(scene, grids, &mut self.fonts);
        phases.done("draw");
        Ok(image)
    }
}

/// The processor's own name where the system tells it.
pub(super) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info
        .lines()
        .find_map(|l| l.strip_prefix("model name")?.split_once(':'));
    name.map_or(std::env::consts::ARCH.to_owned(), |(_, name)| {
        name.trim().to_owned()
    })
}

#[cfg(not(feature = "gpu"))]
fn device(_: &BenchArgs, _: u64) -> Result<Box<dyn Renderer>, Failure> {
    let what = "this build has no GPU back end (cargo feature gpu)";
    Err(Error::Device(
        what.to_owned(),
        Some("--backend cpu measures without one".to_owned()),
    )
    .into())
}

#[cfg(feature = "gpu")]
fn device(args: &BenchArgs, limit: u64) -> Result<Box<dyn Renderer>, Failure> {
    use crate::gpu::{AdapterPreference, Context, Painter, PainterOptions};
    let context = Context::open(&AdapterPreference {
        name: args.device.clone(),
    })
    .map_err(of_device)?;
    let info = context.adapter_info();
    let system = System {
        backend: "gpu",
        adapter: info.name.clone(),
        driver: info.driver.clone(),
        api: info.backend.clone(),
        software: info.software,
        fold: if info.software { "cpu" } else { "device" },
        // A software device draws from the machine's own memory.
        copy_bytes_per_s: if info.software {
            Some(host_copy(limit / 8))
        } else {
            context.copy_bandwidth(DEVICE_COPY).ok()
        },
    };
    let options = PainterOptions {
        memory: Some(limit),
        ..PainterOptions::default()
    };
    let mut painter = Painter::with_options(&context, options).map_err(of_device)?;
    painter.time_gpu(!system.software);
    Ok(Box::new(Device {
        system,
        painter,
        fonts: Fonts::new(),
    }))
}

/// Bytes of the buffers that a device copies to show its bandwidth.
#[cfg(feature = "gpu")]
const DEVICE_COPY: u64 = 1 << 30;

/// A device through wgpu.
#[cfg(feature = "gpu")]
struct Device {
    system: System,
    painter: crate::gpu::Painter,
    fonts: Fonts,
}

#[cfg(feature = "gpu")]
impl Renderer for Device {
    fn system(&self) -> &System {
        &self.system
    }

    fn hold(&mut self, grids: &[Grid]) -> Result<(), Failure> {
        self.painter.upload(grids, &mut |_, _| ()).map_err(of_device)
    }

    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure> {
        // What a software device does in its shaders, the same cores do faster without one.
        if self.system.software {
            fold_cells(scene, grids, phases)?;
        }
        let image = self
            .painter
            .draw(scene, grids, &mut self.fonts)
            .map_err(of_device)?;
        phases.done("draw");
        phases.adopt("draw", self.painter.phases());
        Ok(image)
    }

    fn device_times(&self) -> Vec<(&'static str, f64)> {
        let clock = |name| {
            if name == "fold" {
                "fold by device clock"
            } else {
                "draw by device clock"
            }
        };
        self.painter
            .gpu_times()
            .unwrap_or_default()
            .into_iter()
            .map(|(name, ms)| (clock(name), ms))
            .collect()
    }
}

#[cfg(feature = "gpu")]
fn of_device(e: crate::gpu::GpuError) -> Failure {
    use crate::gpu::GpuError;
    match e {
        GpuError::Limit { .. } | GpuError::OutOfMemory(_) => {
            Error::Limit(format!("{e}; hint: --backend cpu")).into()
        }
        e => {
            let hint = e
                .hint()
                .map_or("--backend cpu measures without one".to_owned(), str::to_owned);
            Error::Device(e.to_string(), Some(hint)).into()
        }
    }
}
