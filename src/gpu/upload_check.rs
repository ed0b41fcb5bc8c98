//! Checks that the cells on the device are those that were uploaded.

use super::bands::parts;
use super::context::Context;
use super::device_summary::Sent;
use super::error::GpuError;
use super::fault::Moment;
use super::layer::Layer;
use super::pace::Pace;
use super::pipeline::{Binding, Program, Records, buffer, group, layout};
use super::readback::Staging;
use super::wire::{CHECK_WGSL, Check, Found};

/// The most cells checked by one dispatch, and by the first submission.
const PART: u64 = 4 << 20;

/// The most workgroups of a dispatch; each takes several runs of 64 cells.
const MOST_GROUPS: u32 = 1024;

/// The pipeline that checks cells.
pub(super) struct Checker {
    records: wgpu::BindGroupLayout,
    results: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
    pace: Pace,
}

impl Checker {
    pub(super) fn new(context: &Context, bands: &wgpu::BindGroupLayout) -> Self {
        let records = layout(context, "checks", &[Binding::Record(size_of::<Check>() as u64)]);
        let results = layout(context, "found", &[Binding::Target]);
        let program = Program::new(context, "check", CHECK_WGSL, &[&records, bands, &results]);
        Self {
            records,
            results,
            pipeline: program.compute(context, "inspect", &[]),
            pace: Pace::of_cells(PART),
        }
    }

    /// Compares each band of a layer of cells of `words` words with what was sent; `name`: the grid's.
    pub(super) fn compare(
        &self,
        context: &Context,
        (layer, words): (&Layer, u32),
        sent: &[Sent],
        name: &str,
    ) -> Result<(), GpuError> {
        let (mut records, mut calls) = (Records::of::<Check>(context), Vec::new());
        for (result, band) in (0u32..).zip(layer.placement.bands()) {
            let end = band.start + band.len() as u32;
            for part in parts(band.start * words..end * words, PART) {
                let check = Check { first: part.start, count: part.len() as u32, result, pad: 0 };
                calls.push((records.push(&check), band.buffer, check.count));
            }
        }
        let records = buffer(context, "checks", &records.bytes, wgpu::BufferUsages::UNIFORM);
        let records = group(context, &self.records, &[&records], Some((0, size_of::<Check>() as u64)), None);
        let results = vec![Found::default(); sent.len()];
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let found = buffer(context, "found", bytemuck::cast_slice(&results), usage);
        let results = group(context, &self.results, &[&found], None, None);
        let mut at = 0;
        while at < calls.len() {
            let mut encoder = context.encoder("check");
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(2, &results, &[]);
            let (first, mut cost) = (at, 0);
            while let Some((record, band, cells)) =
                calls.get(at).filter(|c| at == first || cost + u64::from(c.2) <= self.pace.budget())
            {
                pass.set_bind_group(0, &records, &[*record]);
                pass.set_bind_group(1, &layer.groups[*band], &[]);
                pass.dispatch_workgroups(cells.div_ceil(64).min(MOST_GROUPS), 1, 1);
                (cost, at) = (cost + u64::from(*cells), at + 1);
            }
            drop(pass);
            let start = context.submit(Moment::Check, encoder)?;
            if at < calls.len() {
                self.pace.observe(cost, context.done(start)?);
            }
        }
        let size = size_of_val(sent) as u64 / size_of::<Sent>() as u64 * size_of::<Found>() as u64;
        let mut bytes: Vec<u8> = Vec::with_capacity(size as usize);
        Staging::new(context, size).read(context, &found, 0, size, |piece| bytes.extend_from_slice(piece))?;
        for ((i, sent), found) in sent
            .iter()
            .enumerate()
            .zip(bytes.chunks_exact(size_of::<Found>()).map(bytemuck::pod_read_unaligned))
        {
            same(name, i, &sent.found, &found)?;
        }
        Ok(())
    }
}

/// An error if a band differs from what was sent.
fn same(name: &str, band: usize, sent: &Found, found: &Found) -> Result<(), GpuError> {
    if sent == found {
        return Ok(());
    }
    let text = |f: &Found| format!("min {:e}, max {:e}, sum of bits {:08x}", f.min(), f.max(), f.sum);
    let what = format!(
        "band {band} of grid '{name}' was corrupted during the upload: sent {}; found {}",
        text(sent),
        text(found)
    );
    Err(GpuError::Device(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_with_its_numbers() {
        let of = |values: &[f32]| {
            let mut sent = Sent::default();
            sent.add(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
            sent.found
        };
        assert_eq!(same("a", 0, &of(&[1.0, -2.5]), &of(&[-2.5, 1.0])), Ok(()));
        // Zeros amid the values leave the extremes, but not the bits.
        let Err(GpuError::Device(text)) = same("b", 7, &of(&[1.0, -2.5, 0.5]), &of(&[1.0, -2.5, 0.0])) else {
            panic!("taken for the same")
        };
        assert!(text.contains("band 7 of grid 'b'") && text.contains("min -2.5e0, max 1e0"), "{text}");
        assert!(same("c", 0, &of(&[1.0]), &of(&[])).is_err());
    }
}
