//! The fold on the device: a Summary for each pixel of a target, from cells and from blocks of higher levels.

use super::context::Context;
use super::error::GpuError;
use super::layer::Layer;
use super::pipeline::{Binding, Program, buffer, group, layout};
use super::spans::{MOST_SIDE, Most, Spans, chunks};
use super::stopwatch::{FOLD, Stopwatch};
use super::summed::scales;
use super::wire::{FOLD_WGSL, Job};
use std::cell::OnceCell;

/// Elements that one submit reads, so that no device is busy for long: some 10 ms of a slow GPU, 50 ms of a CPU.
const HARDWARE_WORK: u64 = 256 << 20;
const SOFTWARE_WORK: u64 = 4 << 20;

/// From so many elements a pixel on a GPU's workgroup shares them: below, most of its lanes would wait for few.
const GROUP_PAYS_FROM: u64 = 1024;

/// On a CPU a workgroup costs 9 us (lavapipe) and pays only where there are fewer pixels than SIMD lanes.
const SOFTWARE_GROUP_PIXELS: u64 = 8;

/// A thread reads at most so many elements of a dispatch: Mesa's CPU driver ends a shader's loops after 65,535 rounds, without
/// a word, and threads of a workgroup may read twice their share.
const THREAD_WORK: u64 = 1 << 14;

/// Threads of a workgroup, as in fold.wgsl.
const LANES: u64 = 64;

/// How the pixels of a fold are shared among threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoldBy {
    /// Whichever is faster.
    #[default]
    Size,
    /// A thread folds a pixel.
    Thread,
    /// The threads of a workgroup fold a pixel together.
    Group,
}

/// The pipelines of folds.
pub(super) struct Folder {
    jobs: wgpu::BindGroupLayout,
    targets: wgpu::BindGroupLayout,
    program: Program,
    /// Cells and blocks by thread, then by group; each made when first needed.
    pipelines: [OnceCell<wgpu::ComputePipeline>; 4],
    by: FoldBy,
    software: bool,
    work: u64,
}

/// One level of a fold.
pub(super) struct Pass<'a> {
    pub source: &'a Layer,
    /// The source holds Summaries.
    pub blocks: bool,
    pub columns: Spans<'a>,
    pub rows: Spans<'a>,
}

/// One dispatch.
struct Dispatch {
    pipeline: usize,
    source: usize,
    target: usize,
    groups: [u32; 2],
    work: u64,
}

impl Folder {
    pub fn new(context: &Context, bands: &wgpu::BindGroupLayout, by: FoldBy) -> Self {
        let jobs = layout(context, "jobs", &[Binding::Record(size_of::<Job>() as u64), Binding::Array]);
        let targets = layout(context, "targets", &[Binding::Target]);
        let program = Program::new(context, "fold", FOLD_WGSL, &[&jobs, bands, &targets]);
        let software = context.adapter_info().software;
        let work = if software { SOFTWARE_WORK } else { HARDWARE_WORK };
        Self { jobs, targets, program, pipelines: Default::default(), by, software, work }
    }

    fn pipeline(&self, context: &Context, i: usize) -> &wgpu::ComputePipeline {
        let entry = if i < 2 { "by_thread" } else { "by_group" };
        self.pipelines[i].get_or_init(|| self.program.compute(context, entry, &[("BLOCKS", (i % 2) as f64)]))
    }

    /// Folds into a target, which keeps what it holds already.
    pub fn run(
        &self,
        context: &Context,
        passes: &[Pass<'_>],
        exponent: i32,
        target: &Layer,
        watch: Option<&mut Stopwatch>,
    ) -> Result<(), GpuError> {
        let mut tables: Vec<[u32; 4]> = Vec::new();
        let mut table = |spans: &Spans<'_>| match spans {
            Spans::Regular { step } => (0, *step),
            Spans::Table(list) => {
                tables.extend_from_slice(list);
                ((tables.len() - list.len()) as u32, 0)
            }
        };
        let limits = context.device().limits();
        let stride = size_of::<Job>().next_multiple_of(limits.min_uniform_buffer_offset_alignment as usize);
        let (scale, tiny) = scales(exponent);
        let (mut records, mut dispatches): (Vec<u8>, Vec<(usize, Dispatch)>) = (Vec::new(), Vec::new());
        for (i, pass) in passes.iter().enumerate() {
            let ((columns, step_x), (rows, step_y)) = (table(&pass.columns), table(&pass.rows));
            let grouped = self.grouped(pass, target);
            let most = Most { work: self.work, pixel: THREAD_WORK * if grouped { LANES } else { 1 } };
            for (t, s) in target.placement.bands().flat_map(|t| pass.source.placement.bands().map(move |s| (t.clone(), s))) {
                for c in chunks(&pass.columns, &pass.rows, &t, &s, most) {
                    let (width, height) = (c.px.len() as u32, c.py.len() as u32);
                    let job = Job {
                        left: c.px.start,
                        top: c.py.start,
                        width,
                        height,
                        columns,
                        rows,
                        step: [step_x, step_y],
                        x: [c.columns.start, c.columns.end],
                        y: [c.rows.start, c.rows.end],
                        base: s.base(),
                        stride: s.stride(),
                        target_base: t.base(),
                        target_stride: t.stride(),
                        scale,
                        tiny,
                        ..Job::default()
                    };
                    records.extend_from_slice(bytemuck::bytes_of(&job));
                    records.resize(records.len().next_multiple_of(stride), 0);
                    let groups = if grouped { [width, height] } else { square((u64::from(width) * u64::from(height)).div_ceil(LANES)) };
                    let pipeline = usize::from(pass.blocks) + 2 * usize::from(grouped);
                    dispatches.push((i, Dispatch { pipeline, source: s.buffer, target: t.buffer, groups, work: c.work }));
                }
            }
        }
        let bytes = size_of_val(tables.as_slice()) as u64;
        Context::within("bytes of edge tables", bytes, limits.max_storage_buffer_binding_size)?;
        let records = buffer(context, "jobs", &records, wgpu::BufferUsages::UNIFORM);
        let tables = buffer(context, "spans", bytemuck::cast_slice(&tables), wgpu::BufferUsages::STORAGE);
        let jobs = group(context, &self.jobs, &[&records, &tables], Some((0, size_of::<Job>() as u64)), None);
        self.submit(context, passes, &dispatches, &jobs, stride as u32, target, watch);
        Ok(())
    }

    /// Whether workgroups share the pixels of a pass.
    fn grouped(&self, pass: &Pass<'_>, target: &Layer) -> bool {
        let [w, h] = target.size();
        let pixels = (u64::from(w) * u64::from(h)).max(1);
        match (self.by, pass.columns) {
            // Blocks of a level are 16 elements each.
            (FoldBy::Thread, _) | (_, Spans::Regular { .. }) => false,
            (FoldBy::Group, _) => true,
            (FoldBy::Size, _) if self.software && pixels > SOFTWARE_GROUP_PIXELS => false,
            (FoldBy::Size, _) => Spans::work(&pass.columns, &pass.rows, [w, h], pass.source.size()) / pixels >= GROUP_PAYS_FROM,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn submit(
        &self,
        context: &Context,
        passes: &[Pass<'_>],
        dispatches: &[(usize, Dispatch)],
        jobs: &wgpu::BindGroup,
        stride: u32,
        target: &Layer,
        mut watch: Option<&mut Stopwatch>,
    ) {
        let targets = super::layer::groups(context, &self.targets, &target.buffers);
        let mut at = 0;
        while at < dispatches.len() {
            let mut encoder = context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("fold") });
            let marks = watch.as_mut().map(|w| w.marks(FOLD));
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("fold"),
                timestamp_writes: marks.map(|m| wgpu::ComputePassTimestampWrites {
                    query_set: m.queries,
                    beginning_of_pass_write_index: m.begin,
                    end_of_pass_write_index: m.end,
                }),
            });
            let first = at;
            let mut work = 0;
            while let Some((i, d)) = dispatches.get(at).filter(|(_, d)| at == first || work + d.work <= self.work) {
                pass.set_pipeline(self.pipeline(context, d.pipeline));
                pass.set_bind_group(0, jobs, &[at as u32 * stride]);
                pass.set_bind_group(1, &passes[*i].source.groups[d.source], &[]);
                pass.set_bind_group(2, &targets[d.target], &[]);
                pass.dispatch_workgroups(d.groups[0], d.groups[1], 1);
                (work, at) = (work + d.work, at + 1);
            }
            drop(pass);
            context.queue().submit([encoder.finish()]);
        }
    }
}

/// So many workgroups in at most two dimensions.
fn square(groups: u64) -> [u32; 2] {
    let across = groups.clamp(1, u64::from(MOST_SIDE));
    [across as u32, groups.div_ceil(across) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workgroups_fit_two_dimensions() {
        assert_eq!([square(1), square(65_535), square(65_536)], [[1, 1], [65_535, 1], [65_535, 2]]);
    }
}
