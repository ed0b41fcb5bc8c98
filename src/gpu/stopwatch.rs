//! The device's own working time, from timestamps at the ends of passes, where it supports them.

use super::context::Context;
use super::error::GpuError;
use super::fault::Moment;
use super::readback::Staging;

/// Timed passes, in the order of the queries: a start and an end each.
const NAMES: [&str; 2] = ["fold", "draw"];

/// Index of the fold among the times.
pub(super) const FOLD: usize = 0;
/// Index of the drawing among the times.
pub(super) const DRAW: usize = 1;

/// The timestamps of one picture.
pub(super) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    begun: [bool; 2],
}

/// The queries to which a pass writes when it begins and ends.
pub(super) struct Marks<'a> {
    pub queries: &'a wgpu::QuerySet,
    pub begin: Option<u32>,
    pub end: Option<u32>,
}

impl Stopwatch {
    /// `None` if the device does not support timestamps.
    pub(super) fn new(context: &Context) -> Option<Self> {
        let device = context.device();
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let count = 2 * NAMES.len() as u32;
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("times"),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        let resolved = context.buffer(&wgpu::BufferDescriptor {
            label: Some("times"),
            size: 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Some(Self { queries, resolved, begun: [false; 2] })
    }

    /// Forgets the last picture.
    pub(super) fn restart(&mut self) {
        self.begun = [false; 2];
    }

    /// Timestamps for the next pass of a kind: the first pass starts the time, and each one moves its end.
    pub(super) fn marks(&mut self, kind: usize) -> Marks<'_> {
        let first = 2 * kind as u32;
        let begin = (!self.begun[kind]).then_some(first);
        self.begun[kind] = true;
        Marks { queries: &self.queries, begin, end: Some(first + 1) }
    }

    /// Milliseconds of each kind of pass of the last picture.
    pub(super) fn read(&self, context: &Context) -> Result<Vec<(&'static str, f64)>, GpuError> {
        let mut out = Vec::new();
        for (kind, name) in NAMES.into_iter().enumerate().filter(|(kind, _)| self.begun[*kind]) {
            let mut encoder = context.encoder("times");
            let first = 2 * kind as u32;
            encoder.resolve_query_set(&self.queries, first..first + 2, &self.resolved, 0);
            context.submit(Moment::Copy, encoder)?;
            let mut ticks = [0u64; 2];
            Staging::new(context, 16).read(context, &self.resolved, 0, 16, |bytes| {
                ticks = [0, 8].map(|i| u64::from_le_bytes(std::array::from_fn(|k| bytes[i + k])));
            })?;
            let nanoseconds =
                ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(context.queue().get_timestamp_period());
            out.push((name, nanoseconds / 1e6));
        }
        Ok(out)
    }
}
