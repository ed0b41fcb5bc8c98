//! The pipelines that count cells, and the records of their dispatches.

use super::bands::pieces;
use super::context::Context;
use super::encoding::Encoding;
use super::layer::Layer;
use super::pace::Pace;
use super::pipeline::{Binding, Program, Records, layout};
use super::wire::{COUNT_WGSL, Count};
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

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountKind {
    /// Cells by the thresholds that their keys have reached.
    Classes,
    /// Keys by their next `digit` bits, among those whose first `known` bits the table has.
    Digits { known: u32, digit: u32 },
}

/// The pipelines of counts on one device.
#[derive(Debug)]
pub(super) struct CountPipelines {
    pub tables: wgpu::BindGroupLayout,
    pub counters: wgpu::BindGroupLayout,
    program: Program,
    /// By words of a cell, then by what is counted; each is made when first needed.
    pipelines: [OnceLock<wgpu::ComputePipeline>; 4],
    /// How much a submission may hold.
    pub pace: Mutex<Pace>,
    most_cells: u64,
}

/// One dispatch.
pub(super) struct Dispatch {
    pub record: u32,
    pub buffer: usize,
    pub groups: u32,
    pub cells: u64,
}

impl CountPipelines {
    pub(super) fn new(context: &Context, bands: &wgpu::BindGroupLayout) -> Self {
        let record = Binding::Record(size_of::<Count>() as u64);
        let tables = layout(context, "counts", &[record, Binding::Array]);
        let counters = layout(context, "counters", &[Binding::Target]);
        let program = Program::new(context, "count", COUNT_WGSL, &[&tables, bands, &counters]);
        let software = context.adapter_info().software;
        let (most_cells, start) = if software {
            (SOFTWARE_CELLS, SOFTWARE_START)
        } else {
            (HARDWARE_CELLS, HARDWARE_CELLS)
        };
        Self {
            tables,
            counters,
            program,
            pipelines: Default::default(),
            pace: Mutex::new(Pace::of_cells(start)),
            most_cells,
        }
    }

    pub(super) fn pipeline(
        &self,
        context: &Context,
        encoding: Encoding,
        of: CountKind,
    ) -> &wgpu::ComputePipeline {
        let (keys, digits) = (encoding != Encoding::Bits, of != CountKind::Classes);
        let constants = [
            ("KEYS", f64::from(u8::from(keys))),
            ("DIGITS", f64::from(u8::from(digits))),
        ];
        self.pipelines[2 * usize::from(keys) + usize::from(digits)]
            .get_or_init(|| self.program.compute(context, "count_cells", &constants))
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
        for band in cells.placement.bands() {
            let within = |a: &Range<u32>, b: &Range<u32>| a.start.max(b.start)..a.end.min(b.end);
            let (r, c) = (within(rows, &band.rows), within(columns, &band.columns));
            if r.is_empty() || c.is_empty() {
                continue;
            }
            for (r, c) in pieces(r, c, self.most_cells) {
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
                let groups = all.div_ceil(EACH * u64::from(LANES)).next_power_of_two();
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
                    ..digits(of, encoding)
                };
                out.push(Dispatch {
                    record: records.push(&record),
                    buffer: band.buffer,
                    groups,
                    cells: all,
                });
            }
        }
        out
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
