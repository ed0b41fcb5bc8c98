//! The texture that a picture is drawn to, and reading textures and buffers back.

use super::context::Context;
use super::error::{GpuError, Moment};
use gridscope_core::geom::PxSize;
use gridscope_core::image::Image;

/// The format of pictures: sRGB bytes, unchanged.
pub(super) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// An offscreen picture.
pub(super) struct Target {
    pub size: PxSize,
    pub view: wgpu::TextureView,
    texture: wgpu::Texture,
    staging: Staging,
    /// Rows in one piece.
    rows: u32,
}

impl Target {
    pub(super) fn new(context: &Context, size: PxSize) -> Result<Self, GpuError> {
        let device = context.device();
        context.at(Moment::Texture);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: size.w, height: size.h, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let stride = u64::from(stride(size.w));
        let most = PIECE_BYTES.min(device.limits().max_buffer_size);
        let rows = (most / stride).clamp(1, u64::from(size.h)) as u32;
        let staging = Staging::new(context, stride * u64::from(rows));
        Ok(Self { size, view, texture, staging, rows })
    }

    /// Reads the picture into memory.
    pub(super) fn read(&self, context: &Context) -> Result<Image, GpuError> {
        let row = self.size.w as usize * 4;
        let mut pixels = Vec::with_capacity(row * self.size.h as usize);
        for top in (0..self.size.h).step_by(self.rows as usize) {
            let rows = self.rows.min(self.size.h - top);
            self.copy(context, top, rows)?;
            let stride = stride(self.size.w) as usize;
            self.staging.take(context, |bytes| {
                let bytes = &bytes[..stride * rows as usize];
                if stride == row {
                    pixels.extend_from_slice(bytes);
                } else {
                    bytes.chunks_exact(stride).for_each(|line| pixels.extend_from_slice(&line[..row]));
                }
            })?;
        }
        Ok(Image { width: self.size.w, height: self.size.h, pixels })
    }

    fn copy(&self, context: &Context, top: u32, rows: u32) -> Result<(), GpuError> {
        let mut encoder = context.encoder("readback");
        let mut source = self.texture.as_image_copy();
        source.origin.y = top;
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(stride(self.size.w)),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            source,
            wgpu::TexelCopyBufferInfo { buffer: &self.staging.buffer, layout },
            wgpu::Extent3d { width: self.size.w, height: rows, depth_or_array_layers: 1 },
        );
        context.submit(Moment::Copy, encoder)?;
        let bytes = u64::from(stride(self.size.w)) * u64::from(rows);
        context.counter().read_back(bytes);
        Ok(())
    }
}

/// Bytes from row to row in a buffer: a multiple of 256.
fn stride(width: u32) -> u32 {
    (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

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

    /// Waits for all submitted work, and passes on the copied bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_to_256_bytes() {
        assert_eq!([1, 63, 64, 65, 16_384].map(stride), [256, 256, 256, 512, 65_536]);
    }
}
