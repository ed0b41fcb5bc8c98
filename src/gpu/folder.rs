//! Folds on the device: a Summary for each pixel of a target, from cells and from blocks of higher levels.

use super::bands::{Layer, groups};
use super::context::Context;
use super::error::{GpuError, Moment};
use super::pipeline::{Binding, Program, Records, buffer, group, layout};
use super::spans::{Most, Spans, chunks};
use super::submission::{FOLD, Pace, Stopwatch};
use super::wire::{CheckSum, FOLD_WGSL, Job, SUBGROUPS_WGSL, Summed};
use gridscope_core::grid::{Held, Summary};
use std::cell::OnceCell;

/// The most elements that one dispatch reads, so that submissions can be short on any device: 10 ms on a GPU that reads 25
/// GB/s, and 2 on a CPU, where the pixels of a dispatch cost more than what they read.
const HARDWARE_WORK: u64 = 64 << 20;
const SOFTWARE_WORK: u64 = 1 << 20;

/// Cost of the first submission, in cells read: about 40 ms at 2.3 ns through lavapipe.
const SOFTWARE_START: u64 = 16 << 20;

/// The cost of reading a block, in cells: 6 ns against 2.3 through lavapipe.
pub(super) const BLOCK_COST: u64 = 3;

/// The cost of a pixel in each level that it is folded from, in cells: 60 ns through lavapipe.
pub(super) const PIXEL_COST: u64 = 24;

/// From this many elements per pixel on, a workgroup of a GPU shares a pixel; with fewer, most of its lanes
/// would be idle.
const GROUP_PAYS_FROM: u64 = 1024;

/// On a CPU a workgroup costs 9 us (lavapipe), which pays only with fewer pixels than SIMD lanes.
const SOFTWARE_GROUP_PIXELS: u64 = 8;

/// A thread reads at most this many elements of a dispatch: Mesa's CPU driver silently ends a shader's loops
/// after 65,535 iterations. Each row adds an iteration, and some threads of a workgroup take four times their
/// share.
const THREAD_WORK: u64 = 1 << 14;

/// A workgroup has 2^6 threads, as in fold.wgsl.
const LANE_BITS: u32 = 6;

/// Cells that the threads of a workgroup read together, in multiples of a thread's share.
const GROUP_SHARE: u64 = 1 << (LANE_BITS - 1);

/// How the pixels of a fold are shared among threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoldBy {
    /// Whichever is faster for the size of the fold.
    #[default]
    Size,
    /// One thread per pixel.
    Thread,
    /// One workgroup per pixel.
    Group,
}

/// The pipelines of folds.
pub(super) struct Folder {
    jobs: wgpu::BindGroupLayout,
    targets: wgpu::BindGroupLayout,
    program: Program,
    /// The same with subgroup operations, where they are used.
    subgroups: Option<Program>,
    /// For cells and blocks by thread, then by group; each is made when first needed.
    pipelines: [OnceCell<wgpu::ComputePipeline>; 4],
    by: FoldBy,
    software: bool,
    work: u64,
    pace: Pace,
}

/// One level of a fold.
pub(super) struct Pass<'a> {
    pub source: &'a Layer,
    /// Whether the source consists of Summaries.
    pub blocks: bool,
    pub columns: Spans<'a>,
    pub rows: Spans<'a>,
}

/// One dispatch, and the pass it belongs to.
struct Dispatch {
    pass: usize,
    pipeline: usize,
    record: u32,
    source: usize,
    target: usize,
    groups: [u32; 2],
    /// In cells read.
    cost: u64,
}

/// The dispatches of a fold, with their tables and records.
struct DispatchPlan {
    tables: Vec<[u32; 4]>,
    records: Records,
    dispatches: Vec<Dispatch>,
}

impl DispatchPlan {
    /// The position of spans in the tables, and the number of elements per pixel if they are regular.
    fn table(&mut self, spans: &Spans<'_>) -> (u32, u32) {
        match spans {
            Spans::Regular { step } => (0, *step),
            Spans::Table(list) => {
                self.tables.extend_from_slice(list);
                ((self.tables.len() - list.len()) as u32, 0)
            }
        }
    }
}

impl Folder {
    pub(super) fn new(
        context: &Context,
        bands: &wgpu::BindGroupLayout,
        (by, subgroups): (FoldBy, bool),
    ) -> Self {
        let jobs = layout(context, "jobs", &[Binding::Record(size_of::<Job>() as u64), Binding::Array]);
        let targets = layout(context, "targets", &[Binding::Target]);
        let layouts = [&jobs, bands, &targets];
        let program = Program::new(context, "fold", FOLD_WGSL, &layouts);
        let subgroups = (subgroups && context.adapter_info().subgroups)
            .then(|| Program::new(context, "subgroups", SUBGROUPS_WGSL, &layouts));
        let software = context.adapter_info().software;
        let (work, start) =
            if software { (SOFTWARE_WORK, SOFTWARE_START) } else { (HARDWARE_WORK, HARDWARE_WORK) };
        Self {
            jobs,
            targets,
            program,
            subgroups,
            pipelines: Default::default(),
            by,
            software,
            work,
            pace: Pace::of_cells(start),
        }
    }

    fn pipeline(&self, context: &Context, i: usize) -> &wgpu::ComputePipeline {
        let (program, entry) = match &self.subgroups {
            _ if i < 2 => (&self.program, "by_thread"),
            Some(program) => (program, "by_subgroups"),
            None => (&self.program, "by_group"),
        };
        self.pipelines[i].get_or_init(|| program.compute(context, entry, &[("BLOCKS", (i % 2) as f64)]))
    }

    /// Folds into a target, adding to its Summaries.
    pub(super) fn run(
        &self,
        context: &Context,
        passes: &[Pass<'_>],
        exponent: i32,
        target: &Layer,
        watch: Option<&mut Stopwatch>,
    ) -> Result<(), GpuError> {
        let plan = self.plan(context, passes, exponent, target);
        let limits = context.device().limits();
        let tables = bytemuck::cast_slice(&plan.tables);
        Context::within("bytes of edge tables", tables.len() as u64, limits.max_storage_buffer_binding_size)?;
        Context::within(
            "bytes of dispatches",
            plan.records.bytes.len() as u64,
            limits.max_buffer_size.min(u64::from(u32::MAX)),
        )?;
        let records = buffer(context, "jobs", &plan.records.bytes, wgpu::BufferUsages::UNIFORM);
        let tables = buffer(context, "spans", tables, wgpu::BufferUsages::STORAGE);
        let jobs = group(context, &self.jobs, &[&records, &tables], Some((0, size_of::<Job>() as u64)), None);
        self.submit(context, passes, &plan.dispatches, &jobs, target, watch)
    }

    /// Cuts passes into dispatches.
    fn plan(&self, context: &Context, passes: &[Pass<'_>], exponent: i32, target: &Layer) -> DispatchPlan {
        let mut out =
            DispatchPlan { tables: Vec::new(), records: Records::of::<Job>(context), dispatches: Vec::new() };
        let (scale, tiny) = scales(exponent);
        for (i, pass) in passes.iter().enumerate() {
            let ((columns, step_x), (rows, step_y)) = (out.table(&pass.columns), out.table(&pass.rows));
            let grouped = self.grouped(pass, target);
            let most = Most { work: self.work, pixel: THREAD_WORK * if grouped { GROUP_SHARE } else { 1 } };
            for (t, s) in target
                .placement
                .bands()
                .flat_map(|t| pass.source.placement.bands().map(move |s| (t.clone(), s)))
            {
                for c in chunks(&pass.columns, &pass.rows, &t, &s, most) {
                    let (width, height) = (c.px.len() as u32, c.py.len() as u32);
                    // As many of a workgroup's pixels side by side as the chunk is wide.
                    let bits = width.next_power_of_two().ilog2().min(LANE_BITS);
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
                        bits,
                        zero: 0,
                    };
                    let record = out.records.push(&job);
                    let side = |n: u32, bits: u32| n.div_ceil(1 << bits);
                    let groups = if grouped {
                        [width, height]
                    } else {
                        [side(width, bits), side(height, LANE_BITS - bits)]
                    };
                    let pipeline = usize::from(pass.blocks) + 2 * usize::from(grouped);
                    let (source, target) = (s.buffer, t.buffer);
                    out.dispatches.push(Dispatch {
                        pass: i,
                        pipeline,
                        record,
                        source,
                        target,
                        groups,
                        cost: c.work * if pass.blocks { BLOCK_COST } else { 1 }
                            + u64::from(width) * u64::from(height) * PIXEL_COST,
                    });
                }
            }
        }
        out
    }

    /// Whether workgroups share the pixels of a pass.
    fn grouped(&self, pass: &Pass<'_>, target: &Layer) -> bool {
        let [w, h] = target.size();
        let pixels = (u64::from(w) * u64::from(h)).max(1);
        let each = || Spans::work(&pass.columns, &pass.rows, [w, h], pass.source.size()) / pixels;
        match (self.by, pass.columns) {
            // Blocks of a level are 16 elements each.
            (FoldBy::Thread, _) | (_, Spans::Regular { .. }) => false,
            (FoldBy::Group, _) => true,
            (FoldBy::Size, _) if self.software => pixels <= SOFTWARE_GROUP_PIXELS || each() >= THREAD_WORK,
            (FoldBy::Size, _) => each() >= GROUP_PAYS_FROM,
        }
    }

    /// Submits dispatches, as many at once as the device is known to be done with soon.
    fn submit(
        &self,
        context: &Context,
        passes: &[Pass<'_>],
        dispatches: &[Dispatch],
        jobs: &wgpu::BindGroup,
        target: &Layer,
        mut watch: Option<&mut Stopwatch>,
    ) -> Result<(), GpuError> {
        let targets = groups(context, &self.targets, &target.buffers);
        let mut at = 0;
        while at < dispatches.len() {
            let mut encoder = context.encoder("fold");
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
            let mut cost = 0;
            while let Some(d) =
                dispatches.get(at).filter(|d| at == first || cost + d.cost <= self.pace.budget())
            {
                pass.set_pipeline(self.pipeline(context, d.pipeline));
                pass.set_bind_group(0, jobs, &[d.record]);
                pass.set_bind_group(1, &passes[d.pass].source.groups[d.source], &[]);
                pass.set_bind_group(2, &targets[d.target], &[]);
                pass.dispatch_workgroups(d.groups[0], d.groups[1], 1);
                (cost, at) = (cost + d.cost, at + 1);
            }
            drop(pass);
            let start = context.submit(Moment::Fold, encoder)?;
            // Where the rest does not fit into a submission, waiting costs little, and tells how fast the device is.
            if at < dispatches.len() {
                self.pace.observe(cost, context.done(start)?);
            }
        }
        Ok(())
    }
}

/// Magnitude bits of infinity; larger magnitudes are states.
const INFINITY: u32 = 0x7f80_0000;
/// The positions of +inf and -inf in the order of all f32.
const TOP: u32 = 0xff80_0000;
const BOTTOM: u32 = 0x007f_ffff;

/// Sums of 2^32 values must stay below 2^127, so the largest value is scaled to below 2^93.
const HEADROOM: i32 = 92;

/// The position of a value in the order of all f32, -0 before +0.
fn place_of(bits: u32) -> u32 {
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

fn value_at(place: u32) -> f32 {
    f32::from_bits(place ^ if place >> 31 == 1 { 1 << 31 } else { u32::MAX })
}

impl Summed {
    /// The Summary of sums * 2^-exponent.
    pub(super) fn summary(&self, exponent: i32) -> Summary {
        let (min, max) = (value_at(TOP - self.low), value_at(BOTTOM + self.high));
        let scaled = f64::from(self.hi) + f64::from(self.lo);
        let sum = match (self.count > 0 && min == f32::NEG_INFINITY, self.count > 0 && max == f32::INFINITY) {
            (false, false) => scaled * f64::powi(2.0, exponent),
            (true, false) => f64::NEG_INFINITY,
            (false, true) => f64::INFINITY,
            (true, true) => f64::NAN,
        };
        Summary::new(min, max, sum, u64::from(self.count), self.states as u8)
    }
}

impl CheckSum {
    /// The least value; +inf without one.
    pub(super) fn min(&self) -> f32 {
        value_at(TOP - self.low)
    }

    /// The greatest value; -inf without one.
    pub(super) fn max(&self) -> f32 {
        value_at(BOTTOM + self.high)
    }
}

/// Facts about uploaded cells that the CPU knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sent {
    /// Result that the check on the device has to give.
    pub found: CheckSum,
    /// The bits of the largest finite magnitude.
    pub largest: u32,
    /// Bits of cells of two words.
    pub held: Held,
}

impl Sent {
    /// Adds cells.
    pub(super) fn add(&mut self, cells: &[u32]) {
        for &bits in cells {
            let magnitude = bits & 0x7fff_ffff;
            let (place, value) = (place_of(bits), magnitude <= INFINITY);
            self.found.low = self.found.low.max(if value { TOP.wrapping_sub(place) } else { 0 });
            self.found.high = self.found.high.max(if value { place.wrapping_sub(BOTTOM) } else { 0 });
            self.found.sum = self.found.sum.wrapping_add(bits);
            self.largest = self.largest.max(if magnitude < INFINITY { magnitude } else { 0 });
        }
    }

    /// Adds the cells of another.
    pub(super) fn merge(&mut self, other: &Self) {
        self.found.low = self.found.low.max(other.found.low);
        self.found.high = self.found.high.max(other.found.high);
        self.found.sum = self.found.sum.wrapping_add(other.found.sum);
        self.largest = self.largest.max(other.largest);
        self.held.merge(other.held);
    }
}

/// The exponent to scale values up to a magnitude by, so that sums do not overflow and subnormal values
/// count.
pub(super) fn exponent(largest: u32) -> i32 {
    let field = (largest >> 23) as i32;
    (field.max(1) - 127 - HEADROOM).max(-126)
}

/// 2^-exponent, and that * 2^-126 for subnormal values, or 0 where f32 cannot represent it.
pub(super) fn scales(exponent: i32) -> (f32, f32) {
    let tiny = if exponent <= 0 { f32::powi(2.0, -126 - exponent) } else { 0.0 };
    (f32::powi(2.0, -exponent), tiny)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::State;

    #[test]
    fn zeros_are_the_summary_of_nothing() {
        assert_eq!(Summed::default().summary(17), Summary::default());
    }

    #[test]
    fn parts_are_sent_as_the_whole() {
        let cells: Vec<u32> = (0..999u32).map(|i| i.wrapping_mul(0x9e37_79b1)).collect();
        let of = |cells: &[u32]| {
            let mut sent = Sent::default();
            sent.add(cells);
            sent
        };
        for at in [0, 1, 500, 999] {
            let (a, b) = cells.split_at(at);
            let mut both = of(b);
            both.merge(&of(a));
            assert_eq!(both, of(&cells), "{at}");
        }
    }

    #[test]
    fn extremes_keep_every_bit() {
        for v in
            [0.0f32, -0.0, 1.5, -1.5, 1e-45, -1e-45, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY]
        {
            let mut sent = Sent::default();
            sent.add(&[v.to_bits(), State::Nan.bits(), State::Pending.bits(), 0xffff_ffff]);
            let s = Summed { low: sent.found.low, high: sent.found.high, count: 1, ..Summed::default() }
                .summary(0);
            assert_eq!((s.min.to_bits(), s.max.to_bits()), (v.to_bits(), v.to_bits()), "{v}");
        }
    }

    #[test]
    fn sums_neither_overflow_nor_vanish() {
        for v in [f32::MAX, 1e30, 1.0, 1e-30, f32::MIN_POSITIVE, 1e-45] {
            let e = exponent(v.to_bits());
            let (scale, tiny) = scales(e);
            assert!(scale.is_normal() && (tiny == 0.0 || tiny.is_normal()), "{v}");
            let scaled = f64::from(v) * f64::from(scale);
            assert!(scaled < f64::powi(2.0, 93) && scaled >= f64::powi(2.0, -24), "{v}: {scaled}");
            let s = Summed { hi: scaled as f32, count: 1, ..Summed::default() };
            assert_eq!(s.summary(e).sum, f64::from(v));
        }
    }

    #[test]
    fn infinities_make_the_sum() {
        let sum = |values: &[f32]| {
            let mut sent = Sent::default();
            sent.add(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
            Summed { low: sent.found.low, high: sent.found.high, count: 2, ..Summed::default() }
                .summary(0)
                .sum
        };
        assert_eq!(
            (sum(&[1.0, f32::INFINITY]), sum(&[f32::NEG_INFINITY, 0.0])),
            (f64::INFINITY, f64::NEG_INFINITY)
        );
        assert!(sum(&[f32::NEG_INFINITY, f32::INFINITY]).is_nan());
    }
}
