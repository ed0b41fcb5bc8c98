//! An opened device, whose errors and losses become values.

use super::adapter::{AdapterPreference, AdapterSummary, adapters, candidates, instance};
use super::error::{FaultPlan, GpuError, InjectedFault, Moment};
use super::pipeline::CompiledPipelines;
use super::submission::Counter;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// After this time a submission counts as hung.
const PATIENCE: Duration = Duration::from_mins(2);

/// Waits until all submitted work is done.
const WHEN_DONE: wgpu::PollType = wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) };

/// A size that no buffer can have.
const IMPOSSIBLE: u64 = !3;

thread_local! {
    static GUARDED: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread works on a device: a panic is then caught and reported as a failure of the device, so
/// a panic hook may stay silent.
pub fn is_guarded() -> bool {
    GUARDED.get() > 0
}

/// Runs code that may panic if the device fails.
fn caught<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    GUARDED.set(GUARDED.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(GUARDED.get() - 1);
    done
}

/// Reports of the device outside any error scope; the first is stored.
#[derive(Debug, Default)]
struct Reports(Mutex<Option<GpuError>>);

impl Reports {
    fn store(&self, error: GpuError) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A loss explains everything that follows it.
        if kept.is_none() || matches!(error, GpuError::Lost(_)) {
            *kept = Some(error);
        }
    }

    fn take(&self) -> Option<GpuError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            // A lost device stays lost.
            Some(GpuError::Lost(_)) => kept.clone(),
            _ => kept.take(),
        }
    }
}

/// An opened device; clones share it.
#[derive(Clone, Debug)]
pub struct Context {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: AdapterSummary,
    reports: Arc<Reports>,
    plan: FaultPlan,
    compiled: Option<Arc<CompiledPipelines>>,
    counter: Arc<Counter>,
}

impl Context {
    /// Opens the best adapter that fits the preference; hardware is preferred over software.
    ///
    /// # Errors
    /// When none fits or none opens.
    pub fn open(preference: &AdapterPreference) -> Result<Self, GpuError> {
        Self::open_by(preference, &FaultPlan::default())
    }

    /// As [`Context::open`], with faults injected by a test.
    ///
    /// # Errors
    /// As [`Context::open`].
    #[doc(hidden)]
    pub fn open_by(preference: &AdapterPreference, plan: &FaultPlan) -> Result<Self, GpuError> {
        let made = "made by a test".to_owned();
        match plan.strikes(Moment::Open) {
            Some(InjectedFault::Lost) => return Err(GpuError::Lost(made)),
            Some(InjectedFault::OutOfMemory) => return Err(GpuError::OutOfMemory(made)),
            Some(InjectedFault::Refused) => return Err(GpuError::Device(made)),
            None => {}
        }
        let (context, _) = Self::first(&adapters(&instance(None)?)?, preference, |_| true)?;
        Ok(Self { plan: plan.clone(), ..context })
    }

    /// As [`Context::open`], among the adapters of `instance` that can draw to a surface; also returns the
    /// surface's capabilities.
    ///
    /// # Errors
    /// As [`Context::open`].
    pub fn open_for(
        instance: &wgpu::Instance,
        surface: &wgpu::Surface<'_>,
        preference: &AdapterPreference,
    ) -> Result<(Self, wgpu::SurfaceCapabilities), GpuError> {
        let list = adapters(instance)?;
        let (context, adapter) = Self::first(&list, preference, |a| a.is_surface_supported(surface))?;
        Ok((context, surface.get_capabilities(adapter)))
    }

    /// Opens the best adapter that fits and can be opened.
    fn first<'a>(
        list: &'a [wgpu::Adapter],
        preference: &AdapterPreference,
        fits: impl Fn(&wgpu::Adapter) -> bool,
    ) -> Result<(Self, &'a wgpu::Adapter), GpuError> {
        let found: Vec<AdapterSummary> =
            list.iter().map(|a| AdapterSummary::of(&a.get_info(), a.features())).collect();
        let mut last = None;
        for i in candidates(&found, preference)?.into_iter().filter(|i| fits(&list[*i])) {
            match Self::of_adapter(&list[i], found[i].clone()) {
                Ok(context) => return Ok((context, &list[i])),
                Err(e) => last = Some(e),
            }
        }
        let hint =
            "install a driver that draws to windows (mesa-vulkan-drivers contains a software one)".to_owned();
        Err(last.unwrap_or_else(|| GpuError::NoAdapter {
            found: found.iter().map(|s| s.name.clone()).collect(),
            hint,
        }))
    }

    fn of_adapter(adapter: &wgpu::Adapter, summary: AdapterSummary) -> Result<Self, GpuError> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("gridscope"),
            required_features: adapter.features()
                & (wgpu::Features::TIMESTAMP_QUERY
                    | wgpu::Features::PIPELINE_CACHE
                    | wgpu::Features::SUBGROUP),
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let opened = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|e| GpuError::Device(format!("{}: {e}", summary.name)))?;
        let reports = Arc::new(Reports::default());
        let sink = reports.clone();
        device.on_uncaptured_error(Arc::new(move |e| sink.store(value_of(&e))));
        let sink = reports.clone();
        device.set_device_lost_callback(move |reason, text| {
            sink.store(GpuError::Lost(format!("{reason:?} {text}").trim().to_owned()));
        });
        Ok(Self {
            device,
            queue,
            adapter: summary,
            reports,
            plan: FaultPlan::default(),
            compiled: None,
            counter: Arc::default(),
        })
    }

    /// Wraps the device of a program that draws more than heatmaps; its handlers of errors and losses are not
    /// replaced.
    pub fn from_parts(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let adapter = AdapterSummary::of(&device.adapter_info(), device.features());
        Self {
            device,
            queue,
            adapter,
            reports: Arc::default(),
            plan: FaultPlan::default(),
            compiled: None,
            counter: Arc::default(),
        }
    }

    /// Takes compiled pipelines from a file of this adapter in a folder, where the driver offers them, and writes those that
    /// are new when the last clone is dropped. A file that is missing, damaged or cannot be written costs only time.
    pub fn with_compiled(mut self, folder: &Path) -> Self {
        let opened = self.guarded(|| Ok(CompiledPipelines::open(&self.device, folder)));
        self.compiled = opened.ok().flatten().map(Arc::new);
        self
    }

    /// Where the driver looks for compiled pipelines.
    pub(super) fn compiled(&self) -> Option<&wgpu::PipelineCache> {
        self.compiled.as_ref().map(|c| &c.cache)
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The adapter.
    pub fn adapter_info(&self) -> &AdapterSummary {
        &self.adapter
    }

    /// Runs `work`, and turns reports of the device meanwhile into an error.
    ///
    /// # Errors
    /// Runs `work`; a report of the device comes before its error.
    ///
    /// # Panics
    /// When `work` panics and the device is not at fault.
    pub fn guarded<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        let filters =
            [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
        let mut scopes: Vec<_> = filters.into_iter().map(|f| self.device.push_error_scope(f)).collect();
        // glyphon panics when a lost device does not map its buffers.
        let done = caught(work);
        let mut found = None;
        while let Some(scope) = scopes.pop() {
            found = found.or(pollster::block_on(scope.pop()));
        }
        if found.is_some() || !matches!(done, Ok(Ok(_) | Err(GpuError::Lost(_)))) {
            // A destroyed device reports its loss only when it is polled.
            let _ = self.poll(WHEN_DONE);
        }
        match (self.reports.take(), found) {
            // A lost device, or one without memory, explains whatever else failed.
            (Some(e @ (GpuError::Lost(_) | GpuError::OutOfMemory(_))), _) => Err(e),
            (_, Some(e)) => Err(value_of(&e)),
            (Some(e), None) => Err(e),
            // The device is not at fault: panic again, since a hook may have been silent before.
            (None, None) => {
                done.unwrap_or_else(|panic| panic!("{}", panic_text(&*panic).unwrap_or("unknown")))
            }
        }
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// When the device is lost, or does not answer for two minutes.
    pub fn wait(&self) -> Result<(), GpuError> {
        self.at(Moment::Wait);
        self.poll(WHEN_DONE)
    }

    /// Where the device's work is counted.
    pub(super) fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Lets the device report finished work, without waiting.
    pub(super) fn look(&self) -> Result<(), GpuError> {
        self.poll(wgpu::PollType::Poll)
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), GpuError> {
        // wgpu panics where the wait itself finds the device lost.
        match caught(|| self.device.poll(how)) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(e)) => Err(GpuError::Lost(e.to_string())),
            Err(_) => Err(GpuError::Lost("while waiting for it".to_owned())),
        }
    }

    /// A buffer; with a fault of a test, one that the device has no room for.
    pub(super) fn buffer(&self, descriptor: &wgpu::BufferDescriptor<'_>) -> wgpu::Buffer {
        let size = if self.at(Moment::Buffer) { IMPOSSIBLE } else { descriptor.size };
        self.device.create_buffer(&wgpu::BufferDescriptor { size, ..descriptor.clone() })
    }

    /// An encoder of commands.
    pub(super) fn encoder(&self, label: &str) -> wgpu::CommandEncoder {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some(label) };
        self.device.create_command_encoder(&descriptor)
    }

    /// A moment at which a test may make the device fail; returns whether it does.
    pub(super) fn at(&self, moment: Moment) -> bool {
        let fault = self.plan.strikes(moment);
        match fault {
            None => {}
            Some(InjectedFault::Lost) => self.device.destroy(),
            Some(InjectedFault::OutOfMemory) => {
                self.reports.store(GpuError::OutOfMemory("made by a test".to_owned()));
            }
            Some(InjectedFault::Refused) => {
                let (usage, label) = (wgpu::BufferUsages::STORAGE, Some("made by a test"));
                drop(self.device.create_buffer(&wgpu::BufferDescriptor {
                    label,
                    size: IMPOSSIBLE,
                    usage,
                    mapped_at_creation: false,
                }));
            }
        }
        fault.is_some()
    }

    /// An error if something is larger than a limit.
    pub(super) fn within(what: &'static str, need: u64, limit: u64) -> Result<(), GpuError> {
        if need > limit { Err(GpuError::Limit { what, need, limit }) } else { Ok(()) }
    }
}

/// The message of a panic, if it is a text.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> Option<&str> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
}

fn value_of(error: &wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            GpuError::Device(description.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_outlives_other_faults() {
        let reports = Reports::default();
        reports.store(GpuError::Device("first".to_owned()));
        reports.store(GpuError::Device("second".to_owned()));
        assert_eq!(reports.take(), Some(GpuError::Device("first".to_owned())));
        assert_eq!(reports.take(), None);
        reports.store(GpuError::Lost("gone".to_owned()));
        reports.store(GpuError::Device("after".to_owned()));
        assert_eq!(
            (reports.take(), reports.take()),
            (Some(GpuError::Lost("gone".to_owned())), Some(GpuError::Lost("gone".to_owned())))
        );
    }
}
