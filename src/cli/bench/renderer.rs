//! The renderers that frames are timed on: a device, or the CPU.

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

/// The back end that draws, for the report.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// `gpu` or `cpu`.
    pub backend: &'static str,
    /// The name of the device or the processor.
    pub adapter: String,
    /// The driver of the device; empty on the CPU.
    pub driver: String,
    /// `vulkan`, `metal`, `dx12`, `gl`; empty without a device.
    pub api: String,
    /// Whether the CPU's cores do the work.
    pub software: bool,
    /// Where pixels of several cells are folded: `cpu` or `device`.
    pub fold: &'static str,
    /// Bytes that a copy in the memory of the cells reads and writes per second, if known.
    pub copy_bytes_per_s: Option<f64>,
}

/// A back end and its adapter, as reports are compared by.
pub(super) fn system_name(backend: &str, adapter: &str) -> String {
    format!("{backend}: {adapter}")
}

impl System {
    /// As [`system_name`].
    pub(super) fn name(&self) -> String {
        system_name(self.backend, &self.adapter)
    }
}

/// Draws the frames of one grid after another.
pub(super) trait Renderer {
    /// The back end.
    fn system(&self) -> &System;

    /// Prepares a grid for all following frames.
    fn hold(&mut self, grids: &[Grid]) -> Result<(), Failure>;

    /// Folds and draws a scene, and adds the time of each phase to `phases`.
    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure>;

    /// Parts of the last frame in milliseconds by the device's clock; none if it has no clock.
    fn device_times(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// The renderer that the flags request; grids may take `limit` bytes.
///
/// # Errors
/// When a requested device cannot be opened.
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

/// Whether the system may have a hardware device.
fn hardware() -> bool {
    #[cfg(feature = "gpu")]
    return crate::gpu::hardware_present();
    #[cfg(not(feature = "gpu"))]
    false
}

/// Folds on the CPU all bodies whose pixels cover several cells.
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
    pub(super) fn new(copy_bytes: u64) -> Self {
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
        // The CPU folds bodies while it paints them.
        let image = raster::draw(scene, grids, &mut self.fonts);
        phases.done("draw");
        Ok(image)
    }
}

/// The name of the processor if the system reports it, otherwise its architecture.
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
    Err(Error::device(what)
        .with_hint("--backend cpu measures without one")
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
        // A software device reads the machine's memory.
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

/// Bytes of the buffers whose copy measures the bandwidth of a device.
#[cfg(feature = "gpu")]
const DEVICE_COPY: u64 = 1 << 30;

/// A wgpu device.
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
        // The cores of a software device fold faster without a shader.
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

/// The failure of a device, with a hint.
#[cfg(feature = "gpu")]
fn of_device(e: crate::gpu::GpuError) -> Failure {
    use crate::gpu::GpuError;
    match e {
        GpuError::Limit { .. } | GpuError::OutOfMemory(_) => {
            Error::limit(e.to_string()).with_hint("--backend cpu").into()
        }
        e => {
            let hint = e.hint().unwrap_or("--backend cpu measures without one");
            Error::device(e.to_string()).with_hint(hint).into()
        }
    }
}
