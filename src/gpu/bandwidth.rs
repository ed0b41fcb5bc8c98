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
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Ok(2.0 * self.copies(bytes, usage, false)?)
    }

    /// The bytes per second that arrive on the device from memory which it reads itself: what no upload exceeds. The best of 8
    /// runs.
    ///
    /// # Errors
    /// As [`Context::copy_bandwidth`].
    pub fn pinned_bandwidth(&self, bytes: u64) -> Result<f64, GpuError> {
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::MAP_WRITE;
        self.copies(bytes, usage, true)
    }

    /// The bytes per second that are copied from a buffer of this usage; `filled` by the CPU or never touched.
    fn copies(&self, bytes: u64, from: wgpu::BufferUsages, filled: bool) -> Result<f64, GpuError> {
        let size = bytes
            .next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT)
            .max(wgpu::COPY_BUFFER_ALIGNMENT);
        Self::within("bytes to copy", size, self.device().limits().max_buffer_size)?;
        // Small copies are repeated, so that the time to wait for the device matters little.
        let times = (COPY_AT_LEAST / size).max(1);
        let buffer = |usage, filled| {
            self.buffer(&wgpu::BufferDescriptor {
                label: Some("copy"),
                size,
                usage,
                mapped_at_creation: filled,
            })
        };
        let (a, b) = self.guarded(|| {
            let a = buffer(from, filled);
            if filled {
                // A lost device maps nothing; the guard reports it.
                if let Ok(mut mapped) = a.get_mapped_range_mut(..) {
                    mapped.slice(..).fill(1);
                }
                a.unmap();
            }
            Ok((a, buffer(wgpu::BufferUsages::COPY_DST, false)))
        })?;
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
