//! Counts of the cells of a resident grid by compute passes: bins of a histogram, and order statistics by counting the digits of
//! keys. Every number is the one that the CPU finds.

use super::context::Context;
use super::count_pipelines::CountKind;
use super::error::GpuError;
use super::readback::Staging;
use super::sweep::{Counted, Sweep};
use gridscope_core::grid::{BinCounts, CellCounter, Moments, Number, Stats};
use std::ops::Range;

/// Counters of keys, then of states, as in count.wgsl.
const STATES: usize = 2048;
const COUNTERS: usize = 2056;
/// The bits of 2048 counters.
const MOST_DIGIT: u32 = 11;
/// The most ranks that are looked for at once.
const MOST_RANKS: usize = 8;

/// A grid on a device, whose cells are counted there.
///
/// It shares the grid's memory with the [`Painter`](super::Painter) that made it, and can be used in another thread.
#[derive(Clone, Debug)]
pub struct GridCounter {
    pub(super) grid: Counted,
    pub(super) size: [u32; 2],
}

/// Keys that share their high bits.
struct Bin {
    /// Those bits, as high bits of 64.
    prefix: u64,
    /// How many keys lie before them.
    before: u64,
    /// The ranks that fall among them.
    ranks: Vec<u64>,
}

impl GridCounter {
    /// How many values lie in each of the bins between ascending edges. `goes_on` is asked between two submissions, of which none
    /// takes long; `None` once it says no.
    ///
    /// # Errors
    /// When there are more than 2046 bins, or the device fails.
    pub fn bin_counts(
        &self,
        edges: &[f64],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<BinCounts>, GpuError> {
        let bins = edges.len().saturating_sub(1);
        Context::within("bins", bins as u64, STATES as u64 - 2)?;
        // The last bin has its end, too.
        let reaches = |(k, edge): (usize, &f64)| {
            self.grid
                .encoding
                .first_key(|v| if k == bins { v > *edge } else { v >= *edge })
        };
        let table: Vec<u64> = match bins {
            0 => Vec::new(),
            _ => edges.iter().enumerate().map_while(reaches).collect(),
        };
        let [w, h] = self.size;
        let Some(counts) = self.count((&(0..h), &(0..w)), CountKind::Classes, &table, goes_on)? else {
            return Ok(None);
        };
        Ok(Some(BinCounts {
            below: counts[0],
            bins: counts[1..=bins].to_vec(),
            above: if bins == 0 { 0 } else { counts[bins + 1] },
            without: counts[STATES..].iter().sum(),
        }))
    }

    /// The values of these ranks (ascending, counted from 0) among all values of some rows and columns, infinities among them,
    /// in the grid's own type; zeros have no sign. `goes_on` and `None`: as of [`GridCounter::bin_counts`].
    ///
    /// # Errors
    /// When rows or columns leave the grid, there are more than 8 ranks, or fewer values than one of them says; when the device
    /// fails.
    pub fn ranks(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        wanted: &[u64],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Number>>, GpuError> {
        Context::within("ranks", wanted.len() as u64, MOST_RANKS as u64)?;
        let (rows, columns) = self.block(rows, columns)?;
        let mut bins = vec![Bin {
            prefix: 0,
            before: 0,
            ranks: wanted.to_vec(),
        }];
        let (mut known, all) = (0, self.grid.encoding.key_bits());
        while known < all {
            let shared = bins.len().next_power_of_two().ilog2();
            let digit = (MOST_DIGIT - shared).min(all - known);
            let table: Vec<u64> = bins.iter().map(|b| b.prefix).collect();
            let of = CountKind::Digits { known, digit };
            let Some(counts) = self.count((&rows, &columns), of, &table, goes_on)? else {
                return Ok(None);
            };
            known += digit;
            let of_bin = bins.iter().zip(counts.chunks_exact(1 << digit));
            bins = of_bin
                .flat_map(|(bin, counts)| split(bin, counts, 64 - known))
                .collect();
        }
        let found: Vec<Number> = bins
            .iter()
            .flat_map(|b| b.ranks.iter().map(|_| self.grid.encoding.number(b.prefix)))
            .collect();
        if found.len() < wanted.len() {
            return Err(GpuError::Misuse(format!(
                "of {} ranks {} are beyond all values",
                wanted.len(),
                wanted.len() - found.len()
            )));
        }
        Ok(Some(found))
    }

    /// Rows and columns of the grid.
    pub(super) fn block(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<(Range<u32>, Range<u32>), GpuError> {
        Context::within("rows", rows.end as u64, u64::from(self.size[1]))?;
        Context::within("columns", columns.end as u64, u64::from(self.size[0]))?;
        let side = |r: Range<usize>| r.start as u32..r.end as u32;
        Ok((side(rows), side(columns)))
    }

    /// Counts some rows and columns by a table of keys: the counters of keys, then those of states.
    fn count(
        &self,
        block: (&Range<u32>, &Range<u32>),
        of: CountKind,
        table: &[u64],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<u64>>, GpuError> {
        self.grid.context.guarded(|| {
            let mut all = vec![0; COUNTERS];
            let sweep = Sweep::new(&self.grid, block, of, table, |_| COUNTERS as u64);
            let staging = Staging::new(&self.grid.context, COUNTERS as u64 * 4);
            let done = sweep.run(goes_on, &mut || {
                let counts = sweep.read(&staging, 0..COUNTERS as u64)?;
                let counts = counts.into_iter().map(u64::from);
                all.iter_mut().zip(counts).for_each(|(all, n)| *all += n);
                Ok(())
            })?;
            Ok(done.then_some(all))
        })
    }
}

/// The bins of the next digit into which ranks fall; `left` bits of keys lie behind it.
fn split(bin: &Bin, counts: &[u64], left: u32) -> Vec<Bin> {
    let (mut out, mut before) = (Vec::new(), bin.before);
    let mut ranks = bin.ranks.iter().copied().peekable();
    for (digit, n) in (0u64..).zip(counts).filter(|(_, n)| **n > 0) {
        let mut here = Vec::new();
        while let Some(rank) = ranks.next_if(|r| *r < before + n) {
            here.push(rank);
        }
        if !here.is_empty() {
            out.push(Bin {
                prefix: bin.prefix | digit << left,
                before,
                ranks: here,
            });
        }
        before += n;
    }
    out
}

impl CellCounter for GridCounter {
    fn bin_counts(&self, edges: &[f64], goes_on: &(dyn Fn() -> bool + Sync)) -> Option<BinCounts> {
        GridCounter::bin_counts(self, edges, &mut || goes_on())
            .ok()
            .flatten()
    }

    fn ranks(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        wanted: &[u64],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Number>> {
        GridCounter::ranks(self, rows, columns, wanted, &mut || goes_on())
            .ok()
            .flatten()
    }

    fn statistics(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Stats, Moments)> {
        GridCounter::statistics(self, rows, columns, &mut || goes_on())
            .ok()
            .flatten()
    }
}
