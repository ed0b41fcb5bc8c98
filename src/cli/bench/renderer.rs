//! Renderers whose frames are timed: a device, and the CPU.

use super::super::bench_args::{BenchArgs, BenchBackend};
use super::super::diagnostics::Failure;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_core::workers::share;
use gridscope_draw::error::Error;
use gridscope_draw::raster;
use gridscope_draw::scene::Scene;
use gridscope_draw::tiling::fold_missing;
use std::hint::black_box;
use std::time::Instant;
#[cfg(feature = "gpu")]
use {
    super::super::bench_args::{BenchFold, BenchWork},
    super::super::device::compiled,
    gridscope_core::geom::PxSize,
    gridscope_gpu::{
        AdapterKind, AdapterPreference, Context, DeviceWork, FoldBy, GpuError, Painter, PainterOptions,
        Worker,
    },
};

/// The back end that draws, for the report.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// `gpu` or `cpu`.
    pub backend: &'static str,
    /// The name of the device or the processor.
    pub adapter: String,
    /// The driver of the device; empty on the CPU.
    pub driver: String,
    /// `vulkan`, `metal`, `dx12`; empty without a device.
    pub api: String,
    /// Whether the CPU's cores do the work.
    pub software: bool,
    /// Who folds and paints, as requested: `auto`, `device` or `cpu`.
    pub work: &'static str,
    /// Bytes that a copy in the memory of the cells reads and writes per second, if known.
    pub copy_bytes_per_s: Option<f64>,
    /// Bytes that a device reads from the machine's memory per second, if known.
    pub pinned_bytes_per_s: Option<f64>,
}

/// Work of a device for some frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeviceCounts {
    /// Folds of whole bodies.
    pub folds: u64,
    /// Bytes that were read back into memory, the pictures among them.
    pub read_back: u64,
    /// Milliseconds of the longest submission, where each was waited for.
    pub longest_ms: f64,
}

/// Draws the frames of one grid after another.
pub(super) trait Renderer {
    /// The back end.
    fn system(&self) -> &System;

    /// Prepares a grid for all following frames; returns whether it was copied to a device.
    fn hold(&mut self, grids: &[Grid]) -> Result<bool, Failure>;

    /// Folds and draws a scene, and adds the time of each phase to `phases`.
    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure>;

    /// Who folded and painted the last frame: `device` or `cpu`.
    fn worker(&self) -> &'static str;

    /// Work of the device since this was called last; `None` on the CPU.
    fn take_counts(&mut self) -> Option<DeviceCounts> {
        None
    }

    /// Whether each submission is waited for from now on, to time it.
    fn time_submissions(&mut self, _: bool) {}

    /// Parts of the last frame in milliseconds by the device's clock; none if it has no clock.
    fn device_times(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Folds bodies of cells that are not in memory.
fn fold_streamed(scene: &mut Scene, grids: &[Grid]) -> Result<(), Failure> {
    if grids.iter().all(Grid::is_loaded) {
        return Ok(());
    }
    Ok(fold_missing(scene, grids).map_err(Error::from)?)
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
            work: "cpu",
            copy_bytes_per_s: Some(host_copy(copy_bytes)),
            pinned_bytes_per_s: None,
        };
        Self { system, fonts: Fonts::new() }
    }
}

impl Renderer for Cpu {
    fn system(&self) -> &System {
        &self.system
    }

    fn hold(&mut self, _: &[Grid]) -> Result<bool, Failure> {
        Ok(false)
    }

    fn worker(&self) -> &'static str {
        "cpu"
    }

    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure> {
        fold_streamed(scene, grids)?;
        // The CPU folds bodies while it paints them.
        let image = raster::draw(scene, grids, &mut self.fonts);
        phases.done("draw");
        Ok(image)
    }
}

/// The name of the processor if the system reports it, otherwise its architecture.
pub(super) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'));
    name.map_or(std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// The number of copies, of which the fastest counts: other work slowed the rest.
const COPIES: usize = 5;
/// The largest buffer: two of them are larger than caches, and smaller than what frames of large grids take, whose memory is
/// reported.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// Bytes read and written per second when all cores copy between two buffers of up to `bytes`.
fn host_copy(bytes: u64) -> f64 {
    let bytes = usize::try_from(bytes).unwrap_or(MOST_BYTES).clamp(4096, MOST_BYTES);
    let from = vec![1u8; bytes];
    let mut to = vec![2u8; bytes];
    let threads = gridscope_core::grid::cores();
    let mut best = f64::INFINITY;
    for _ in 0..COPIES {
        let start = Instant::now();
        copy(&from, &mut to, threads);
        best = best.min(start.elapsed().as_secs_f64());
    }
    2.0 * bytes as f64 / best.max(1e-9)
}

/// Copies a buffer to one of the same length, a part on each thread.
fn copy(from: &[u8], to: &mut [u8], threads: usize) {
    let part = from.len().div_ceil(threads).max(1);
    share(threads, to.chunks_mut(part).zip(from.chunks(part)), |(to, from)| {
        black_box(to).copy_from_slice(from);
    });
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
    return gridscope_gpu::hardware_present();
    #[cfg(not(feature = "gpu"))]
    false
}

#[cfg(not(feature = "gpu"))]
fn device(_: &BenchArgs, _: u64) -> Result<Box<dyn Renderer>, Failure> {
    let what = "this build has no GPU back end (cargo feature gpu)";
    Err(Error::device(what).with_hint("--backend cpu measures without one").into())
}

#[cfg(feature = "gpu")]
fn device(args: &BenchArgs, limit: u64) -> Result<Box<dyn Renderer>, Failure> {
    let preference = AdapterPreference { name: args.device.clone() };
    let context = compiled(Context::open(&preference).map_err(of_device)?);
    let info = context.adapter_info();
    let pinned = if info.software { MOST_BYTES as u64 } else { PINNED_COPY };
    let system = System {
        backend: "gpu",
        adapter: info.name.clone(),
        driver: info.driver.clone(),
        api: info.backend.clone(),
        software: info.software,
        work: match args.work {
            BenchWork::Auto => "auto",
            BenchWork::Device => Worker::Device.word(),
            BenchWork::Cpu => Worker::Cpu.word(),
        },
        // A software device reads the machine's memory.
        copy_bytes_per_s: if info.software {
            Some(host_copy(limit / 8))
        } else {
            context.copy_bandwidth(DEVICE_COPY).ok()
        },
        pinned_bytes_per_s: context.pinned_bandwidth(pinned.min(limit / 8)).ok(),
    };
    let kind = info.kind;
    let wanted = match args.work {
        BenchWork::Auto => None,
        BenchWork::Device => Some(Worker::Device),
        BenchWork::Cpu => Some(Worker::Cpu),
    };
    let options = PainterOptions {
        // Streamed grids take no memory of the machine; the device knows what it has.
        memory: Some(limit).filter(|_| !args.stream),
        pyramid: !args.no_pyramid,
        fold_by: match args.fold_by {
            BenchFold::Size => FoldBy::Size,
            BenchFold::Thread => FoldBy::Thread,
            BenchFold::Group => FoldBy::Group,
        },
        subgroups: !args.no_subgroups,
        ..PainterOptions::default()
    };
    let mut painter = Painter::with_options(&context, options).map_err(of_device)?;
    // The clock of a software device costs time of the same cores.
    painter.time_gpu(!system.software || wanted == Some(Worker::Device));
    Ok(Box::new(Device { system, context, painter, kind, wanted, fonts: Fonts::new() }))
}

/// Bytes of the buffers whose copy measures the bandwidth of a device.
#[cfg(feature = "gpu")]
const DEVICE_COPY: u64 = 1 << 30;
/// Bytes that are copied to a device to measure the bound of uploads.
#[cfg(feature = "gpu")]
const PINNED_COPY: u64 = 256 << 20;

/// A wgpu device.
#[cfg(feature = "gpu")]
struct Device {
    system: System,
    context: Context,
    painter: Painter,
    kind: AdapterKind,
    /// Who folds and paints; `None`: whoever is faster.
    wanted: Option<Worker>,
    fonts: Fonts,
}

#[cfg(feature = "gpu")]
impl Renderer for Device {
    fn system(&self) -> &System {
        &self.system
    }

    fn hold(&mut self, grids: &[Grid]) -> Result<bool, Failure> {
        let may_work = match self.wanted {
            Some(worker) => worker == Worker::Device,
            None => DeviceWork::of(self.kind).is_some(),
        };
        let sent = if may_work { grids } else { &[] };
        self.painter.upload(sent, &mut |_, _| ()).map_err(of_device)?;
        Ok(may_work)
    }

    fn draw(&mut self, scene: &mut Scene, grids: &[Grid], phases: &mut Phases) -> Result<Image, Failure> {
        let PxSize { w, h } = scene.size;
        let cells = grids.iter().map(|g| g.len() as u64).sum();
        let faster = || Worker::faster(self.kind, u64::from(w) * u64::from(h), cells);
        self.painter.set_worker(self.wanted.unwrap_or_else(faster));
        if self.painter.worker() == Worker::Cpu {
            fold_streamed(scene, grids)?;
        }
        // Each frame has a changed view.
        self.painter.forget_bodies();
        let image = self.painter.draw(scene, grids, &mut self.fonts).map_err(of_device)?;
        phases.done("draw");
        phases.adopt("draw", self.painter.phases());
        Ok(image)
    }

    fn worker(&self) -> &'static str {
        self.painter.worker().word()
    }

    fn take_counts(&mut self) -> Option<DeviceCounts> {
        let counts = self.context.take_counts();
        Some(DeviceCounts {
            folds: counts.folds,
            read_back: counts.read_back,
            longest_ms: counts.longest.as_secs_f64() * 1e3,
        })
    }

    fn time_submissions(&mut self, on: bool) {
        self.context.time_submissions(on);
    }

    fn device_times(&self) -> Vec<(&'static str, f64)> {
        let clock = |name| {
            if name == "fold" { "fold by device clock" } else { "draw by device clock" }
        };
        self.painter.gpu_times().unwrap_or_default().into_iter().map(|(name, ms)| (clock(name), ms)).collect()
    }
}

/// The failure of a device, with a hint.
#[cfg(feature = "gpu")]
fn of_device(e: GpuError) -> Failure {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_copied_by_any_number_of_threads() {
        let from: Vec<u8> = (0..=250).collect();
        for threads in [1, 2, 3, 16, 300] {
            let mut to = vec![255; from.len()];
            copy(&from, &mut to, threads);
            assert_eq!(to, from, "{threads}");
        }
    }

    #[test]
    fn small_buffers_have_a_rate_too() {
        assert!([0, 1, 10_000].map(host_copy).iter().all(|r| r.is_finite() && *r > 0.0));
    }
}
