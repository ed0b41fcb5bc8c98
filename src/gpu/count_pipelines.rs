//! The pipelines that count cells, and the records of their dispatches.

use super::bands::pieces;
use super::context::Context;
use super::encoding::Encoding;
use super::layer::Layer;
use super::pace::Pace;
use super::pipeline::{Binding, Program, Records, layout};
use super::wire::{COUNT_WGSL, Count, STATISTICS_WGSL};
use gridscope_core::grid::Kind;
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

/// Lanes of a workgroup, as in count.wgsl.
const LANES: u32 = 64;
/// The most workgroups of a dispatch, a power of two; each has counters of its own to add up.
const MOST_GROUPS: u32 = 1024;
/// Cells that a lane counts before another workgroup is worth its counters.
const EACH: u64 = 1024;
/// The most cells of a dispatch. Mesa's CPU driver silently ends a shader's loops after 65,535 iterations; here a lane has at
/// most 2^12.
const HARDWARE_CELLS: u64 = 64 << 20;
const SOFTWARE_CELLS: u64 = 1 << 18;
/// What the first submission may hold, in cells: about 40 ms at 80 ns through lavapipe.
const SOFTWARE_START: u64 = 1 << 19;
/// Statistics take several times longer; and the lanes of a group that has the most cells have four times their share, whose
/// digits of 16 bits a counter of the group must hold.
const EACH_SUMMED: u64 = 256;
const MOST_SUMMED: u64 = EACH_SUMMED * LANES as u64 * MOST_GROUPS as u64;
const SOFTWARE_SUMMED: u64 = 1 << 16;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountKind {
    /// Cells by the thresholds that their keys have reached.
    Classes,
    /// Keys by their next `digit` bits, among those whose first `known` bits the table has.
    Digits { known: u32, digit: u32 },
    /// All that statistics need.
    Sums,
    /// The cells that hold the value of one key.
    Places,
}

impl CountKind {
    /// Index of its pipelines.
    fn index(self) -> usize {
        match self {
            CountKind::Classes => 0,
            CountKind::Digits { .. } => 1,
            CountKind::Sums => 2,
            CountKind::Places => 3,
        }
    }
}

/// The pipelines of counts on one device.
#[derive(Debug)]
pub(super) struct CountPipelines {
    pub tables: wgpu::BindGroupLayout,
    pub counters: wgpu::BindGroupLayout,
    counting: Program,
    summing: Program,
    /// By words of a cell, then by what is counted; each is made when first needed.
    pipelines: [OnceLock<wgpu::ComputePipeline>; 8],
    /// How much a submission may hold that counts, or sums.
    paces: [Mutex<Pace>; 2],
    software: bool,
}

/// One dispatch.
pub(super) struct Dispatch {
    pub record: u32,
    pub buffer: usize,
    pub groups: u32,
    pub cells: u64,
    /// Its rows and columns.
    pub block: (Range<u32>, Range<u32>),
}

impl CountPipelines {
    pub(super) fn new(context: &Context, bands: &wgpu::BindGroupLayout) -> Self {
        let record = Binding::Record(size_of::<Count>() as u64);
        let tables = layout(context, "counts", &[record, Binding::Array]);
        let counters = layout(context, "counters", &[Binding::Target]);
        let layouts = [&tables, bands, &counters];
        let counting = Program::new(context, "count", COUNT_WGSL, &layouts);
        let summing = Program::new(context, "statistics", STATISTICS_WGSL, &layouts);
        let software = context.adapter_info().software;
        let starts = if software {
            [SOFTWARE_START, SOFTWARE_SUMMED]
        } else {
            [HARDWARE_CELLS, MOST_SUMMED]
        };
        Self {
            tables,
            counters,
            counting,
            summing,
            pipelines: Default::default(),
            paces: starts.map(|start| Mutex::new(Pace::of_cells(start))),
            software,
        }
    }

    pub(super) fn pipeline(
        &self,
        context: &Context,
        encoding: Encoding,
        of: CountKind,
    ) -> &wgpu::ComputePipeline {
        let keys = encoding != Encoding::Bits;
        let mut constants = vec![("KEYS", f64::from(u8::from(keys)))];
        let (program, entry) = match of {
            CountKind::Sums => (&self.summing, "sum_cells"),
            CountKind::Places => (&self.summing, "find_cells"),
            CountKind::Classes | CountKind::Digits { .. } => {
                constants.push(("DIGITS", f64::from(u8::from(of != CountKind::Classes))));
                (&self.counting, "count_cells")
            }
        };
        self.pipelines[4 * usize::from(keys) + of.index()]
            .get_or_init(|| program.compute(context, entry, &constants))
    }

    /// How much a submission may hold.
    pub(super) fn pace(&self, of: CountKind) -> &Mutex<Pace> {
        &self.paces[usize::from(of == CountKind::Sums)]
    }

    /// Cells that a lane is worth, and the most of a dispatch.
    fn sizes(&self, of: CountKind) -> (u64, u64) {
        match (of, self.software) {
            (CountKind::Sums, true) => (EACH_SUMMED, SOFTWARE_SUMMED),
            (CountKind::Sums, false) => (EACH_SUMMED, MOST_SUMMED),
            (_, true) => (EACH, SOFTWARE_CELLS),
            (_, false) => (EACH, HARDWARE_CELLS),
        }
    }

    /// The dispatches that count some rows and columns of a layer by a table of so many entries.
    pub(super) fn dispatches(
        &self,
        records: &mut Records,
        (cells, encoding): (&Layer, Encoding),
        (rows, columns): (&Range<u32>, &Range<u32>),
        (of, entries): (CountKind, u32),
    ) -> Vec<Dispatch> {
        let mut out = Vec::new();
        let (each, most) = self.sizes(of);
        let mut slot = 0;
        for band in cells.placement.bands() {
            let within = |a: &Range<u32>, b: &Range<u32>| a.start.max(b.start)..a.end.min(b.end);
            let (r, c) = (within(rows, &band.rows), within(columns, &band.columns));
            if r.is_empty() || c.is_empty() {
                continue;
            }
            for (r, c) in pieces(r, c, most) {
                let first = band
                    .base()
                    .wrapping_add(r.start.wrapping_mul(band.stride()))
                    .wrapping_add(c.start);
                let (mut width, mut height) = (c.len() as u32, r.len() as u32);
                if width == band.stride() {
                    // Whole rows are one long row.
                    (width, height) = (width * height, 1);
                }
                let all = u64::from(width) * u64::from(height);
                let groups = all.div_ceil(each * u64::from(LANES)).next_power_of_two();
                let groups = groups.min(u64::from(MOST_GROUPS)) as u32;
                let lanes = (groups * LANES).ilog2();
                let record = Count {
                    first,
                    stride: band.stride(),
                    width,
                    height,
                    bits: width.next_power_of_two().ilog2().min(lanes),
                    lanes,
                    entries,
                    mark: encoding.keys().map_or(0, |(_, mark)| mark),
                    kind: encoding.keys().map_or(0, |(kind, _)| word_of(kind)),
                    slot,
                    ..digits(of, encoding)
                };
                out.push(Dispatch {
                    record: records.push(&record),
                    buffer: band.buffer,
                    groups,
                    cells: all,
                    block: (r, c),
                });
                slot += if of == CountKind::Sums { groups } else { 1 };
            }
        }
        out
    }
}

/// The number of a kind in statistics.wgsl.
fn word_of(kind: Kind) -> u32 {
    match kind {
        Kind::F32 | Kind::F64 => 0,
        Kind::I64 => 1,
        Kind::U64 => 2,
    }
}

/// The mask, shift and digit of what is counted.
fn digits(of: CountKind, encoding: Encoding) -> Count {
    let CountKind::Digits { known, digit } = of else {
        return Count::default();
    };
    let mask = if known == 0 { 0 } else { u64::MAX << (64 - known) };
    debug_assert!(
        known + digit <= encoding.key_bits(),
        "no digit behind the last one"
    );
    Count {
        mask: [mask as u32, (mask >> 32) as u32],
        shift: 64 - known - digit,
        digit,
        ..Count::default()
    }
}
