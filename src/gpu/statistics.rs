//! Statistics of cells of a resident grid by compute passes: counts, extremes with their places, exact sums.

use super::count_pipelines::{CountKind, Dispatch};
use super::counter::GridCounter;
use super::error::GpuError;
use super::readback::Staging;
use super::sweep::Sweep;
use gridscope_core::grid::{Kind, Moments, Number, State, Stats};
use std::ops::Range;

/// Counters, as in statistics.wgsl: digits of positive values, of negative ones, of squares; states; infinities.
const STATES: usize = 3 * Moments::PLACES;
const COUNTERS: usize = STATES + 8;
/// Low halves, then high ones; then records.
const RECORDS: u64 = 2 * COUNTERS as u64;
const WORDS: u64 = 6;
/// As many places are listed at once; of more only the number is known.
const MOST_PLACES: u64 = 1 << 16;

/// Rows and columns of cells.
type Places = Vec<(usize, usize)>;
/// Counts, sums, and the least and the greatest value.
type Summed = (Stats, Moments, [Option<Extreme>; 2]);

/// A least or a greatest value: its key, how many cells hold it, and the rows among which these are.
#[derive(Clone, Debug)]
struct Extreme {
    key: u64,
    ties: u64,
    rows: Range<u32>,
}

impl Extreme {
    /// Takes in what a workgroup has found; `beats`: whether the first key is the one to keep.
    fn join(all: &mut Option<Self>, other: Self, beats: impl Fn(u64, u64) -> bool) {
        match all {
            _ if other.ties == 0 => {}
            Some(best) if best.key == other.key => {
                best.ties += other.ties;
                best.rows = best.rows.start.min(other.rows.start)..best.rows.end.max(other.rows.end);
            }
            Some(best) if beats(best.key, other.key) => {}
            _ => *all = Some(other),
        }
    }
}

impl GridCounter {
    /// Counts, the least and the greatest finite value with the first of their places in the order of the grid, and exact sums of
    /// some rows and columns. Values are in the grid's own type, zeros have no sign; the mean is not found. `goes_on` and `None`: as
    /// of [`GridCounter::bin_counts`].
    ///
    /// # Errors
    /// When rows or columns leave the grid, or the device fails.
    pub fn statistics(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Stats, Moments)>, GpuError> {
        let (rows, columns) = self.block(rows, columns)?;
        let Some((mut stats, moments, extremes)) = self.sums((&rows, &columns), goes_on)? else {
            return Ok(None);
        };
        let mut found = [None, None];
        for (found, extreme) in found.iter_mut().zip(&extremes) {
            let Some(e) = extreme else { continue };
            let mut cells = Vec::new();
            if !self.places((&e.rows, &columns), e.key, goes_on, &mut cells)? {
                return Ok(None);
            }
            *found = Some((self.grid.encoding.number(e.key), e.ties, cells));
        }
        let [least, greatest] = found;
        let parts = |found: Option<(Number, u64, Places)>| {
            found.map_or((None, 0, Vec::new()), |(v, n, cells)| (Some(v), n, cells))
        };
        (stats.min, stats.min_ties, stats.min_cells) = parts(least);
        (stats.max, stats.max_ties, stats.max_cells) = parts(greatest);
        Ok(Some((stats, moments)))
    }

    /// Counts, sums, and the least and the greatest value.
    fn sums(
        &self,
        block: (&Range<u32>, &Range<u32>),
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Summed>, GpuError> {
        self.grid.context.guarded(|| {
            let sweep = Sweep::new(&self.grid, block, CountKind::Sums, &[], |groups| {
                RECORDS + WORDS * groups
            });
            let groups: u64 = sweep.dispatches.iter().map(|d| u64::from(d.groups)).sum();
            let staging = Staging::new(&self.grid.context, (RECORDS * 4).max(groups * WORDS * 4));
            let mut counts = vec![0u64; COUNTERS];
            let done = sweep.run(goes_on, &mut || {
                let halves = sweep.read(&staging, 0..RECORDS)?;
                let (low, high) = halves.split_at(COUNTERS);
                for (n, (low, high)) in counts.iter_mut().zip(low.iter().zip(high)) {
                    *n += u64::from(*low) + (u64::from(*high) << 16);
                }
                Ok(())
            })?;
            if !done {
                return Ok(None);
            }
            let records = if groups > 0 {
                sweep.read(&staging, RECORDS..RECORDS + WORDS * groups)?
            } else {
                Vec::new()
            };
            let cells = sweep.dispatches.iter().map(|d| d.cells).sum();
            let (stats, moments) = self.counted(&counts, cells);
            Ok(Some((stats, moments, extremes(&sweep.dispatches, &records))))
        })
    }

    /// What counters of so many cells say.
    fn counted(&self, counts: &[u64], cells: u64) -> (Stats, Moments) {
        let mut moments = Moments::of(self.grid.encoding.keys().map_or(Kind::F32, |(kind, _)| kind));
        for place in 0..Moments::PLACES {
            let digits = |of: usize| counts[of * Moments::PLACES + place];
            moments.add_sum(place, i128::from(digits(0)) - i128::from(digits(1)));
            moments.add_squares(place, digits(2).into());
        }
        let mut stats = Stats::default();
        let others = &counts[STATES..];
        stats.states.copy_from_slice(&others[..State::ALL.len()]);
        (stats.neg_inf, stats.pos_inf) = (others[6], others[7]);
        stats.values = cells - stats.states.iter().sum::<u64>();
        (stats, moments)
    }

    /// Adds the first places of a key among some rows and columns to those before them; returns whether they were found.
    fn places(
        &self,
        (rows, columns): (&Range<u32>, &Range<u32>),
        key: u64,
        goes_on: &mut dyn FnMut() -> bool,
        out: &mut Places,
    ) -> Result<bool, GpuError> {
        let Some((n, mut cells)) = self.listed((rows, columns), key, goes_on)? else {
            return Ok(false);
        };
        if n <= MOST_PLACES {
            cells.sort_unstable();
            cells.truncate(Stats::MAX_CELLS - out.len());
            out.extend(cells);
            return Ok(true);
        }
        // Too many at once: the first half, then what is missing of the other one.
        let half = |r: &Range<u32>| {
            let middle = r.start + r.len() as u32 / 2;
            [r.start..middle, middle..r.end]
        };
        let halves = if rows.len() > 1 {
            half(rows).map(|r| (r, columns.clone()))
        } else {
            half(columns).map(|c| (rows.clone(), c))
        };
        for (r, c) in &halves {
            if out.len() < Stats::MAX_CELLS && !self.places((r, c), key, goes_on, out)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many cells hold the value of a key, and, in any order, as many of them as fit.
    fn listed(
        &self,
        block: (&Range<u32>, &Range<u32>),
        key: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(u64, Places)>, GpuError> {
        self.grid.context.guarded(|| {
            let words = 1 + 2 * MOST_PLACES;
            let sweep = Sweep::new(&self.grid, block, CountKind::Places, &[key], |_| words);
            let staging = Staging::new(&self.grid.context, words * 4);
            let (mut n, mut cells) = (0, Vec::new());
            let done = sweep.run(goes_on, &mut || {
                let found = u64::from(sweep.read(&staging, 0..1)?[0]);
                n += found;
                let listed = found.min(MOST_PLACES);
                if listed > 0 {
                    let pairs = sweep.read(&staging, 1..1 + 2 * listed)?;
                    cells.extend(
                        pairs
                            .chunks_exact(2)
                            .map(|p| place(&sweep.dispatches[p[0] as usize], p[1])),
                    );
                }
                Ok(())
            })?;
            Ok(done.then_some((n, cells)))
        })
    }
}

/// The row and column of a cell by its number in a dispatch.
fn place(of: &Dispatch, cell: u32) -> (usize, usize) {
    let (rows, columns) = &of.block;
    let width = columns.len() as u32;
    let (row, column) = (rows.start + cell / width, columns.start + cell % width);
    (row as usize, column as usize)
}

/// The least and the greatest of what the workgroups of dispatches have found.
fn extremes(dispatches: &[Dispatch], records: &[u32]) -> [Option<Extreme>; 2] {
    let (mut least, mut greatest) = (None, None);
    let rows = dispatches
        .iter()
        .flat_map(|d| (0..d.groups).map(|_| d.block.0.clone()));
    for (rows, r) in rows.zip(records.chunks_exact(WORDS as usize)) {
        let found = |low: u32, high: u32, ties: u32| Extreme {
            key: u64::from(high) << 32 | u64::from(low),
            ties: ties.into(),
            rows: rows.clone(),
        };
        Extreme::join(&mut least, found(r[0], r[1], r[2]), |best, key| best < key);
        Extreme::join(&mut greatest, found(r[4], r[5], r[3]), |best, key| best > key);
    }
    [least, greatest]
}
