//! The choice of the renderer, and a device that frames are timed on.

use super::super::bench_args::{BenchArgs, BenchBackend};
use super::super::diagnostics::Failure;
use super::renderer::{Cpu, Renderer};
use gridscope_draw::error::Error;
#[cfg(feature = "gpu")]
use {
    super::super::bench_args::{BenchFold, BenchWork},
    super::super::device::compiled,
    super::renderer::{DeviceCounts, MOST_BYTES, System, fold_streamed, host_copy},
    gridscope_core::geom::PxSize,
    gridscope_core::grid::Grid,
    gridscope_core::image::Image,
    gridscope_core::text::Fonts,
    gridscope_core::timing::Phases,
    gridscope_draw::scene::Scene,
    gridscope_gpu::{
        AdapterKind, AdapterPreference, Context, DeviceWork, FoldBy, GpuError, Painter, PainterOptions,
        Worker,
    },
};

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
/// Bytes that are copied to a device to measure what no upload exceeds.
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
