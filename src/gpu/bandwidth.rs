//! How fast a device copies: the bounds that folds and uploads are measured against.

use super::context::Context;
use super::error::GpuError;
use std::time::Instant;

/// The fewest bytes that a run of copies moves.
const COPY_AT_LEAST: u64 = 64 << 20;

/// The runs of a measurement; the first is not counted, since it touches fresh memory.
const RUNS: usize = 9;

impl Context {
    /// The bytes per second that the device reads and writes while it copies `bytes` from buffer to buffer: the best of 8 runs.
    ///
    /// # Errors
    /// When two buffers of that size do not fit the device, or it is lost.
    pub fn copy_bandwidth(&self, bytes: u64) -> Result<f64, GpuError> {
        let to = wgpu::BufferUsages::COPY_DST;
        Ok(2.0 * self.copies(bytes, to)?)
    }

    /// The bytes per second that the device copies between its memory and memory of the host: what no upload exceeds. It is
    /// measured on the way out, since a buffer that the host writes may lie in the device's own memory. The best of 8 runs.
    ///
    /// # Errors
    /// As [`Context::copy_bandwidth`].
    pub fn pinned_bandwidth(&self, bytes: u64) -> Result<f64, GpuError> {
        self.copies(bytes, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ)
    }

    /// The bytes per second that are copied to a buffer of this usage.
    fn copies(&self, bytes: u64, to: wgpu::BufferUsages) -> Result<f64, GpuError> {
        let size = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(wgpu::COPY_BUFFER_ALIGNMENT);
        Self::within("bytes to copy", size, self.device().limits().max_buffer_size)?;
        // Small copies are repeated, so that the time to wait for the device matters little.
        let times = (COPY_AT_LEAST / size).max(1);
        let buffer = |usage| {
            self.buffer(&wgpu::BufferDescriptor {
                label: Some("copy"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let from = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let (a, b) = self.guarded(|| Ok((buffer(from), buffer(to))))?;
        let mut best = f64::MAX;
        for run in 0..RUNS {
            let mut encoder = self.encoder("copy");
            (0..times).for_each(|_| encoder.copy_buffer_to_buffer(&a, 0, &b, 0, size));
            let commands = encoder.finish();
            let start = Instant::now();
            self.guarded(|| {
                self.queue().submit([commands]);
                self.wait()
            })?;
            if run > 0 {
                best = best.min(start.elapsed().as_secs_f64());
            }
        }
        Ok((size * times) as f64 / best)
    }
}
