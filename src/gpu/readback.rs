//! Reads buffers of the device back into memory.

use super::context::Context;
use super::error::GpuError;
use super::fault::Moment;

/// The most bytes that are read back at once.
pub(super) const PIECE_BYTES: u64 = 64 << 20;

/// The longest time until a finished copy is reported.
const ANSWER: std::time::Duration = std::time::Duration::from_secs(10);

/// A buffer that memory can be read from.
pub(super) struct Staging {
    pub buffer: wgpu::Buffer,
    pub size: u64,
}

impl Staging {
    /// A buffer for `size` bytes, or for as many as are read at once.
    pub(super) fn new(context: &Context, size: u64) -> Self {
        let size = size.min(PIECE_BYTES).min(context.device().limits().max_buffer_size & !3);
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let descriptor =
            wgpu::BufferDescriptor { label: Some("readback"), size, usage, mapped_at_creation: false };
        Self { buffer: context.buffer(&descriptor), size }
    }

    /// Waits for all submitted work, and passes on what was copied here.
    pub(super) fn take(&self, context: &Context, with: impl FnOnce(&[u8])) -> Result<(), GpuError> {
        context.at(Moment::Map);
        let (sender, answer) = std::sync::mpsc::channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |r| drop(sender.send(r)));
        context.wait()?;
        // Another thread that waits for this device may deliver the answer, a moment later.
        if !matches!(answer.recv_timeout(ANSWER), Ok(Ok(()))) {
            return Err(GpuError::Lost("while a result was read back".to_owned()));
        }
        let mapped = self.buffer.get_mapped_range(..).map_err(|e| GpuError::Lost(e.to_string()))?;
        with(&mapped);
        drop(mapped);
        self.buffer.unmap();
        Ok(())
    }

    /// Reads `length` bytes of another buffer; `with` gets them piece by piece, in order.
    pub(super) fn read(
        &self,
        context: &Context,
        from: &wgpu::Buffer,
        start: u64,
        length: u64,
        mut with: impl FnMut(&[u8]),
    ) -> Result<(), GpuError> {
        let mut done = 0;
        while done < length {
            let n = self.size.min(length - done);
            let mut encoder = context.encoder("readback");
            encoder.copy_buffer_to_buffer(from, start + done, &self.buffer, 0, n);
            context.submit(Moment::Copy, encoder)?;
            context.counter().read_back(n);
            self.take(context, |bytes| with(&bytes[..n as usize]))?;
            done += n;
        }
        Ok(())
    }
}
