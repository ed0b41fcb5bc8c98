//! Passes over parts of a grid that lie in several places: each part is folded where it lies, as a chunk on a worker of a cluster,
//! and what comes of it is joined. Results travel as bytes.

use super::body::{Body, Cut, pixels};
use super::line_summary::{LineSummary, Margins};
use super::scan_result::{MarginRequest, ScanRequest, ScanResult, Sink, pass};
use super::statistics::{Marks, Statistics};
use super::{Grid, SourceError, State, Summaries};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

impl Grid {
    /// Whether the cells lie elsewhere, where each is to be read once.
    pub fn is_apart(&self) -> bool {
        self.backing.is_apart()
    }

    /// Passes over cells that lie elsewhere for all of these requests at once: the source remembers the results, so that a
    /// [`Grid::scan`] with one of them reads nothing. Other grids are not read.
    ///
    /// # Errors
    /// When the source does not give its cells.
    pub fn scan_ahead(&self, asks: &[ScanRequest<'_>]) -> Result<(), SourceError> {
        self.backing.scan_apart((self.height(), self.width()), asks).map_or(Ok(()), |found| found.map(drop))
    }
}

/// A result of a part that does not fit: another plan, cells beyond the grid, cells counted twice or never, damaged bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartError(String);

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PartError {}

impl From<PartError> for SourceError {
    fn from(e: PartError) -> Self {
        Self { file: String::new(), what: e.0 }
    }
}

impl From<SourceError> for PartError {
    fn from(e: SourceError) -> Self {
        Self(e.to_string())
    }
}

/// First bytes of what travels, and the version of the form.
const MAGIC: &[u8; 4] = b"GSp1";
/// The most cells of a grid whose parts are folded apart: their counts do not overflow.
const MOST_CELLS: u64 = 1 << 50;

/// First and end cell of each pixel along a side of a body.
type OwnedSpans = Vec<[u32; 2]>;

/// A pass over a grid of which no place holds all cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanPlan {
    rows: u32,
    columns: u32,
    /// The cells of each pixel column and of each pixel row.
    body: Option<(OwnedSpans, OwnedSpans)>,
    limits: [Option<f64>; 2],
    positive: bool,
    margins: MarginRequest,
    nodata: Option<f64>,
}

impl ScanPlan {
    /// A pass over `rows` x `columns` cells; `nodata` is a number that marks masked cells.
    ///
    /// # Errors
    /// A grid without cells or of too many, spans that leave it.
    pub fn new(
        (rows, columns): (usize, usize),
        ask: &ScanRequest<'_>,
        nodata: Option<f64>,
    ) -> Result<Self, PartError> {
        let side = |cells: usize| {
            u32::try_from(cells).ok().filter(|n| *n > 0).ok_or(PartError(format!("a side of {cells} cells")))
        };
        let body = ask.body.map(|(columns, rows)| (columns.to_vec(), rows.to_vec()));
        let (rows, columns) = (side(rows)?, side(columns)?);
        let (limits, positive, margins) = (ask.limits, ask.positive, ask.margins);
        let plan = Self { rows, columns, body, limits, positive, margins, nodata };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PartError> {
        let leaves = |spans: &[[u32; 2]], cells: u32| spans.iter().any(|s| s[0] < s[1] && s[1] > cells);
        let (columns, rows) = self.body.as_ref().map_or((&[][..], &[][..]), |(c, r)| (&c[..], &r[..]));
        if self.cells() > MOST_CELLS || self.cells() == 0 {
            return Err(PartError(format!(
                "{} x {} cells: at most {MOST_CELLS} are folded",
                self.rows, self.columns
            )));
        }
        if leaves(rows, self.rows) || leaves(columns, self.columns) {
            return Err(PartError("a pixel shows cells beyond the grid".to_owned()));
        }
        Ok(())
    }

    /// Rows and columns of the grid.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows as usize, self.columns as usize)
    }

    fn cells(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.columns)
    }

    fn body(&self) -> Option<Body> {
        let (height, width) = self.shape();
        self.body.as_ref().map(|(columns, rows)| Body::new((columns, rows), height, width, false))
    }

    /// Folds a part of the grid, whose first cell lies at (row, column) `at`, on the thread of the caller.
    ///
    /// # Errors
    /// A part that leaves the grid, or whose cells cannot be read.
    pub fn fold(&self, part: &Grid, at: (usize, usize)) -> Result<PartialScan, PartError> {
        let (rows, columns) = (at.0..at.0 + part.height(), at.1..at.1 + part.width());
        if rows.end > self.rows as usize || columns.end > self.columns as usize {
            return Err(PartError(format!(
                "cells {}:{} x {}:{} of a grid of {} x {}",
                rows.start, rows.end, columns.start, columns.end, self.rows, self.columns
            )));
        }
        if part.backing.transposed() || self.nodata.is_some() {
            part.load()?;
        }
        let masked = self.nodata.map(|nodata| masked(part, nodata));
        let part = masked.as_ref().unwrap_or(part);
        let body = self.body();
        let own = body.as_ref().map(|body| body.clipped(&rows, &columns));
        let ask =
            ScanRequest { limits: self.limits, positive: self.positive, margins: self.margins, body: None };
        let cut = Cut { threads: 1, ..Cut::of_cores() };
        let mut sink = pass(&part.backing, (part.height(), part.width()), own.as_ref(), &ask, cut)?;
        sink.finish_margins();
        let Sink { summaries, mut statistics, rows: held_rows, columns: held_columns, margins, .. } = sink;
        statistics.shift(at);
        let (pixel_rows, pixel_columns) =
            body.map_or((0..0, 0..0), |body| body.touched(&(rows.clone(), columns.clone())));
        Ok(PartialScan {
            plan: self.clone(),
            pixel_rows,
            pixel_columns,
            summaries,
            statistics,
            rows: Lines { held: held_rows.runs(rows.start), first: rows.start, summaries: margins.rows },
            columns: Lines {
                held: held_columns.runs(columns.start),
                first: columns.start,
                summaries: margins.columns,
            },
        })
    }

    /// The plan as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// The plan of these bytes.
    ///
    /// # Errors
    /// Bytes that [`ScanPlan::to_bytes`] did not make.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let plan: Self = from_bytes(bytes)?;
        plan.check()?;
        Ok(plan)
    }
}

/// Rows or columns of a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Lines {
    /// Those that hold a value, in runs.
    held: Vec<Range<usize>>,
    /// The first of which there is a Summary.
    first: usize,
    summaries: Vec<LineSummary>,
}

impl Lines {
    /// Joins the lines of two parts.
    fn merge(&mut self, other: &Self, spread: bool) {
        self.held.extend(other.held.iter().cloned());
        self.held.sort_unstable_by_key(|run| run.start);
        self.held.dedup_by(|next, run| {
            let joins = next.start <= run.end;
            if joins {
                run.end = run.end.max(next.end);
            }
            joins
        });
        if other.summaries.is_empty() {
            return;
        }
        if self.summaries.is_empty() {
            (self.first, self.summaries) = (other.first, other.summaries.clone());
            return;
        }
        let first = self.first.min(other.first);
        let end = (self.first + self.summaries.len()).max(other.first + other.summaries.len());
        let mut all = vec![LineSummary::default(); end - first];
        all[self.first - first..][..self.summaries.len()].copy_from_slice(&self.summaries);
        let own = all[other.first - first..].iter_mut().zip(&other.summaries);
        own.for_each(|(a, b)| a.merge(b, spread));
        (self.first, self.summaries) = (first, all);
    }

    /// Whether they lie within so many lines, and have a Summary each where these are asked for.
    fn fit(&self, lines: usize, asked: bool) -> bool {
        let within = |run: &Range<usize>| run.start < run.end && run.end <= lines;
        let end = self.first.checked_add(self.summaries.len());
        self.held.iter().all(within)
            && end.is_some_and(|end| end <= lines)
            && (asked || self.summaries.is_empty())
            && self.summaries.iter().all(|line| line.count() <= MOST_CELLS)
    }

    fn marks(&self, lines: usize) -> Marks {
        let mut marks = Marks::new(lines);
        self.held.iter().for_each(|run| marks.set(run.clone()));
        marks
    }
}

/// Result of a [`ScanPlan`] over some parts of its grid.
///
/// Joining is associative, and in any order: least and greatest values, counts and states are those of one pass over all cells
/// bit for bit; sums of wide numbers carry their rounding errors with them (Neumaier's rule), so that means differ by at most a few
/// units in the last place, and those of f32 are sums in f64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartialScan {
    plan: ScanPlan,
    /// The pixels that the cells touch, as segments of rows and of columns.
    pixel_rows: Range<usize>,
    pixel_columns: Range<usize>,
    summaries: Summaries,
    statistics: Statistics,
    rows: Lines,
    columns: Lines,
}

impl PartialScan {
    /// The plan that it is of.
    pub fn plan(&self) -> &ScanPlan {
        &self.plan
    }

    /// Takes in the results of other parts.
    ///
    /// # Errors
    /// Results of another plan or of numbers of another kind, and more cells than the grid has: some were folded twice.
    pub fn merge(&mut self, others: &[PartialScan]) -> Result<(), PartError> {
        let wide = |s: &Self| matches!(s.summaries, Summaries::Wide(_));
        if others.iter().any(|other| other.plan != self.plan) {
            return Err(PartError("the parts are of different passes".to_owned()));
        }
        if others.iter().any(|other| wide(other) != wide(self)) {
            return Err(PartError("the parts have numbers of different kinds".to_owned()));
        }
        let all = |side: fn(&Self) -> &Range<usize>| {
            let sides = || others.iter().chain([&*self]).map(side).filter(|s| !s.is_empty());
            let (start, end) = (sides().map(|s| s.start).min(), sides().map(|s| s.end).max());
            start.unwrap_or(0)..end.unwrap_or(0)
        };
        let (rows, columns) = (all(|s| &s.pixel_rows), all(|s| &s.pixel_columns));
        let mut summaries = Summaries::nothing(wide(self), rows.len() * columns.len());
        for part in [&*self].into_iter().chain(others).filter(|part| !part.summaries.is_empty()) {
            let at = |s: &Range<usize>, from: usize| s.start - from..s.end - from;
            let (r, c) = (at(&part.pixel_rows, rows.start), at(&part.pixel_columns, columns.start));
            summaries.put(columns.len(), r, c, &part.summaries, true);
        }
        (self.pixel_rows, self.pixel_columns, self.summaries) = (rows, columns, summaries);
        let spread = self.plan.margins.spread;
        for other in others {
            self.statistics.merge(&other.statistics);
            self.rows.merge(&other.rows, spread);
            self.columns.merge(&other.columns, spread);
            self.check_count()?;
        }
        Ok(())
    }

    fn check_count(&self) -> Result<(), PartError> {
        match (self.statistics.cells(), self.plan.cells()) {
            (Some(found), all) if found <= all => Ok(()),
            (_, all) => {
                Err(PartError(format!("more than the {all} cells of the grid: parts were folded twice")))
            }
        }
    }

    /// The result of the whole pass.
    ///
    /// # Errors
    /// Parts that are not all cells.
    pub fn finish(self) -> Result<ScanResult, PartError> {
        let plan = self.plan;
        if self.statistics.cells() != Some(plan.cells()) {
            let found = self.statistics.cells().unwrap_or_default();
            return Err(PartError(format!("the parts hold {found} of {} cells", plan.cells())));
        }
        let (height, width) = plan.shape();
        let summaries = match plan.body() {
            None => Summaries::default(),
            Some(body) => {
                let mut all = Summaries::nothing(
                    matches!(self.summaries, Summaries::Wide(_)),
                    body.rows.len() * body.columns.len(),
                );
                all.put(body.columns.len(), self.pixel_rows, self.pixel_columns, &self.summaries, false);
                pixels(&body, all, false)
            }
        };
        let whole = |lines: Lines, n: usize| match lines.summaries.len() {
            0 => Ok(Vec::new()),
            found if found == n => Ok(lines.summaries),
            found => Err(PartError(format!("the parts hold {found} of {n} rows or columns"))),
        };
        let (empty_rows, empty_columns) =
            (self.rows.marks(height).missing(), self.columns.marks(width).missing());
        let margins = Margins { rows: whole(self.rows, height)?, columns: whole(self.columns, width)? };
        let beyond = self.statistics.beyond(plan.limits);
        let stats = self.statistics.into_stats();
        Ok(ScanResult { stats, summaries, beyond, empty_rows, empty_columns, margins: Arc::new(margins) })
    }

    /// The result as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// The result of these bytes.
    ///
    /// # Errors
    /// Bytes that [`PartialScan::to_bytes`] did not make.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let found: Self = from_bytes(bytes)?;
        found.plan.check()?;
        let (height, width) = found.plan.shape();
        let (rows, columns) = found.plan.body().map_or((0, 0), |body| (body.rows.len(), body.columns.len()));
        let within = |s: &Range<usize>, n: usize| s.start <= s.end && s.end <= n;
        let fits = within(&found.pixel_rows, rows)
            && within(&found.pixel_columns, columns)
            && found.pixel_rows.len() * found.pixel_columns.len() == found.summaries.len()
            && found.summaries.most().unwrap_or(0) <= found.plan.cells()
            && found.rows.fit(height, found.plan.margins.rows)
            && found.columns.fit(width, found.plan.margins.columns)
            && found.statistics.is_sound(found.plan.cells());
        if fits { Ok(found) } else { Err(damaged()) }
    }
}

/// A grid in memory whose cells of this number are masked.
fn masked(part: &Grid, nodata: f64) -> Grid {
    let mut out = part.clone();
    let values = part.loaded().values();
    for i in (0..part.len()).filter(|i| values.is_nodata(*i, nodata)) {
        out.set_state(i / part.width(), i % part.width(), State::Masked);
    }
    out
}

fn damaged() -> PartError {
    PartError("damaged bytes of a partial result, or those of another version".to_owned())
}

fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    // Vectors of numbers and structs of them are always written.
    postcard::to_extend(value, MAGIC.to_vec()).unwrap_or_default()
}

fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, PartError> {
    let body = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        _ => Err(damaged()),
    }
}

#[cfg(test)]
mod tests;
