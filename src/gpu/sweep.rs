//! A pass over cells of a resident grid that adds to counters, in submissions of which none takes long.

use super::context::Context;
use super::count_pipelines::{CountKind, CountPipelines, Dispatch};
use super::encoding::Encoding;
use super::error::GpuError;
use super::fault::Moment;
use super::layer::{Layer, empty};
use super::pipeline::{Records, buffer, group};
use super::readback::Staging;
use super::wire::Count;
use std::ops::Range;
use std::sync::{Arc, PoisonError};

/// Counters are read before as many cells are counted as one of them could not hold,
const MOST_COUNTED: u64 = 1 << 31;
/// or as many workgroups have added halves of 16 bits.
const MOST_GROUPS: u64 = 1 << 16;
/// Workgroups of a submission.
const GROUPS: u64 = 1 << 13;

/// Cells on a device.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub context: Context,
    pub pipelines: Arc<CountPipelines>,
    pub cells: Layer,
    pub encoding: Encoding,
}

/// A pass, with its tables and counters.
pub(super) struct Sweep<'a> {
    grid: &'a Counted,
    of: CountKind,
    pub dispatches: Vec<Dispatch>,
    tables: wgpu::BindGroup,
    counters: wgpu::Buffer,
    written: wgpu::BindGroup,
}

impl<'a> Sweep<'a> {
    /// A pass over some rows and columns by a table of keys; `words`: of counters, by the number of workgroups.
    pub(super) fn new(
        grid: &'a Counted,
        block: (&Range<u32>, &Range<u32>),
        of: CountKind,
        table: &[u64],
        words: impl FnOnce(u64) -> u64,
    ) -> Self {
        let (context, pipelines) = (&grid.context, &*grid.pipelines);
        let mut records = Records::of::<Count>(context);
        let entries = table.len() as u32;
        let cells = (&grid.cells, grid.encoding);
        let dispatches = pipelines.dispatches(&mut records, cells, block, (of, entries));
        let records = buffer(context, "counts", &records.bytes, wgpu::BufferUsages::UNIFORM);
        let table = bytemuck::cast_slice(table);
        let table = buffer(context, "keys", table, wgpu::BufferUsages::STORAGE);
        let record = Some((0, size_of::<Count>() as u64));
        let tables = group(context, &pipelines.tables, &[&records, &table], record, None);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let groups = dispatches.iter().map(|d| u64::from(d.groups)).sum();
        let counters = empty(context, words(groups) * 4, usage);
        let written = group(context, &pipelines.counters, &[&counters], None, None);
        Self {
            grid,
            of,
            dispatches,
            tables,
            counters,
            written,
        }
    }

    /// Runs all dispatches, and `drain` before counters would overflow and at the end; returns whether all were run: between two
    /// submissions `goes_on` is asked.
    pub(super) fn run(
        &self,
        goes_on: &mut dyn FnMut() -> bool,
        drain: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<bool, GpuError> {
        let context = &self.grid.context;
        let pace = self.grid.pipelines.pace(self.of);
        let pipeline = self.grid.pipelines.pipeline(context, self.grid.encoding, self.of);
        let (mut at, mut counted, mut added) = (0, 0, 0);
        while at < self.dispatches.len() {
            let budget = pace.lock().unwrap_or_else(PoisonError::into_inner).budget();
            let mut encoder = context.encoder("count");
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(pipeline);
            let (first, mut cells, mut groups) = (at, 0, 0);
            while let Some(d) = self.dispatches.get(at).filter(|d| {
                at == first || cells + d.cells <= budget && groups + u64::from(d.groups) <= GROUPS
            }) {
                pass.set_bind_group(0, &self.tables, &[d.record]);
                pass.set_bind_group(1, &self.grid.cells.groups[d.buffer], &[]);
                pass.set_bind_group(2, &self.written, &[]);
                pass.dispatch_workgroups(d.groups, 1, 1);
                (cells, groups, at) = (cells + d.cells, groups + u64::from(d.groups), at + 1);
            }
            drop(pass);
            let start = context.submit(Moment::Count, encoder)?;
            let took = context.done(start)?;
            let pace = pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.observe(cells, took);
            drop(pace);
            (counted, added) = (counted + cells, added + groups);
            let next = self.dispatches.get(at).map_or(u64::MAX, |d| d.cells.max(budget));
            if next > MOST_COUNTED.saturating_sub(counted) || added + GROUPS > MOST_GROUPS {
                drain()?;
                (counted, added) = (0, 0);
            }
            if at < self.dispatches.len() && !goes_on() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads some counters, which start again from 0.
    pub(super) fn read(&self, staging: &Staging, words: Range<u64>) -> Result<Vec<u32>, GpuError> {
        let context = &self.grid.context;
        let (start, bytes) = (words.start * 4, (words.end - words.start) * 4);
        let mut out = Vec::with_capacity((words.end - words.start) as usize);
        staging.read(context, &self.counters, start, bytes, |read| {
            out.extend(read.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>));
        })?;
        let mut encoder = context.encoder("clear");
        encoder.clear_buffer(&self.counters, start, Some(bytes));
        context.queue().submit([encoder.finish()]);
        Ok(out)
    }
}
