//! One pass over a grid: its Stats, the Summary of each pixel of a body, and what the limits leave out.

use super::backing::{Backing, Strip, Unit};
use super::body::Body;
use super::empty::{Empty, Marks};
use super::figures::{Ask, Figures, Spans};
use super::kernel::{Columns, Tally};
use super::scan::{plain_units, scan};
use super::segments::Segments;
use super::values::Numbers;
use super::{Number, SourceError, State, Stats, Summaries, Summary, WideSummary, wide};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What one pass found.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Digest {
    /// Exact figures over all cells.
    pub stats: Stats,
    /// The Summary of each pixel of the body, row after row; empty without a body.
    pub summaries: Summaries,
    /// The limits asked for, and how many values lie below and above them.
    pub beyond: Option<((f64, f64), (u64, u64))>,
    /// Rows without any value.
    pub empty_rows: Empty,
    /// Columns without any value.
    pub empty_columns: Empty,
}

/// How a pass is cut and spread; tests make it small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub threads: usize,
    pub cells: usize,
}

/// The states of all cells in memory, or of a few short windows spread over a source.
pub(super) fn peek(cells: &Backing, shape: (usize, usize)) -> Result<u8, SourceError> {
    const PEEKS: usize = 32;
    const RUN: usize = 4096;
    let bits_of = |bits: &[u32]| {
        bits.iter()
            .filter_map(|b| State::of_bits(*b))
            .fold(0u8, |all, s| all | 1 << s.index())
    };
    if let Some(held) = cells.held() {
        // Without states, as most grids are, one look at the exponents does.
        let any = held.cells.iter().any(|b| b & 0x7fff_ffff > 0x7f80_0000);
        return Ok(if any { bits_of(&held.cells) } else { 0 });
    }
    let (height, width) = cells.source_shape(shape);
    let mut buffer = cells.buffer();
    let mut out = 0;
    for k in 0..PEEKS {
        let row = k * (height - 1) / (PEEKS - 1);
        let from = (k * 7919 % PEEKS) * width.saturating_sub(RUN) / PEEKS;
        let unit = (row..row + 1, from..(from + RUN).min(width));
        let strip = cells.strip(&unit, width, &mut buffer)?;
        let states = bits_of(strip.lines.bits);
        out |= if strip.lines.foreign && states != 0 {
            1 << State::Nan.index()
        } else {
            states
        };
    }
    Ok(out)
}

/// Summaries of segments.
struct Block {
    /// The segments of rows and columns that they stand for.
    rows: Range<usize>,
    columns: Range<usize>,
    summaries: Summaries,
    /// No other window holds cells of these segments.
    whole: bool,
}

impl Block {
    /// Puts them where they belong among all, of which `stride` stand in a row.
    fn put(&self, all: &mut Summaries, stride: usize) {
        all.put(
            stride,
            self.rows.clone(),
            self.columns.clone(),
            &self.summaries,
            !self.whole,
        );
    }
}

/// What one window gave.
struct Part {
    block: Block,
    figures: Figures,
    unit: Unit,
    /// Rows and columns with a value; `None` where all hold one.
    held: Option<(Vec<bool>, Vec<bool>)>,
}

/// Passes over `height` x `width` cells.
pub(super) fn digest(
    cells: &Backing,
    shape: (usize, usize),
    ask: &Ask<'_>,
    cut: Cut,
) -> Result<Digest, SourceError> {
    let transposed = cells.transposed();
    let (height, width) = cells.source_shape(shape);
    let body = ask.body.map(|spans| Body::new(spans, height, width, transposed));
    let units = body
        .as_ref()
        .map_or_else(|| plain_units(height, width, cut.cells), |b| b.units(cut.cells));
    let best: Mutex<Figures> = Mutex::default();
    let work = |strip: &Strip<'_>| {
        let hint = best.lock().unwrap_or_else(PoisonError::into_inner).range_of();
        let part = window(strip, body.as_ref(), ask, hint);
        best.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .widen(&part.figures);
        part
    };
    let mut sink = Sink::new(body.as_ref(), cells.kind().is_wide(), height, width);
    scan(cells, width, &units, cut.threads, work, |part| sink.accept(&part))?;
    let summaries = body
        .as_ref()
        .map(|b| pixels(b, sink.summaries, transposed))
        .unwrap_or_default();
    let (mut rows, mut columns) = (sink.rows.missing(), sink.columns.missing());
    if transposed {
        std::mem::swap(&mut rows, &mut columns);
    }
    let beyond = ask.limits.map(|l| (l, (sink.figures.below, sink.figures.above)));
    Ok(Digest {
        stats: sink.figures.into_stats(),
        summaries,
        beyond,
        empty_rows: rows,
        empty_columns: columns,
    })
}

/// Folds one window.
fn window(strip: &Strip<'_>, body: Option<&Body>, ask: &Ask<'_>, best: [Option<Number>; 2]) -> Part {
    let (block, tally) = fold_window(strip, body);
    let held = (tally.states != [0; 4]).then(|| held(strip));
    let figures = Figures::of(strip, &tally, total(&block.summaries), ask, best);
    Part {
        block,
        figures,
        unit: strip.unit.clone(),
        held,
    }
}

/// What all wide numbers of a window have together.
fn total(summaries: &Summaries) -> Option<WideSummary> {
    let Summaries::Wide(list) = summaries else {
        return None;
    };
    let mut all = WideSummary::default();
    list.iter().for_each(|s| all.merge(s));
    Some(all)
}

/// The Summaries of the segments that a window touches; without a body that of the window.
fn fold_window(strip: &Strip<'_>, body: Option<&Body>) -> (Block, Tally) {
    let unit = &strip.unit;
    let (rows, columns) = body.map_or((0..1, 0..1), |b| b.touched(unit));
    let within = |segments: Option<&Segments>, i: usize, unit: &Range<usize>| {
        let cells = segments.map_or(unit.clone(), |s| s.cells(i));
        cells.start.max(unit.start) - unit.start..cells.end.min(unit.end) - unit.start
    };
    let runs: Vec<Range<usize>> = columns
        .clone()
        .map(|c| within(body.map(|b| &b.columns), c, &unit.1))
        .collect();
    let mut tally = Tally::default();
    let lines = rows.clone().map(|r| within(body.map(|b| &b.rows), r, &unit.0));
    let summaries = if let Numbers::F32 { .. } = strip.numbers {
        let (mut folded, mut out) = (Columns::default(), Vec::with_capacity(rows.len() * runs.len()));
        for lines in lines {
            folded.fold::<true>(strip.lines, lines.clone(), unit.1.len());
            folded.summaries::<true>(strip.lines, &lines, &runs, &mut tally, |s| out.push(s));
        }
        Summaries::Stored(out)
    } else {
        Summaries::Wide(wide::fold(strip, lines, &runs, &mut tally))
    };
    let ends = |s: &Segments, list: &Range<usize>, unit: &Range<usize>| {
        s.cells(list.start).start == unit.start && s.cells(list.end - 1).end == unit.end
    };
    let whole = body.is_some_and(|b| ends(&b.rows, &rows, &unit.0) && ends(&b.columns, &columns, &unit.1));
    (
        Block {
            rows,
            columns,
            summaries,
            whole,
        },
        tally,
    )
}

/// What pixels hold, in the grid's order, from what segments hold.
fn pixels(body: &Body, segments: Summaries, transposed: bool) -> Summaries {
    match segments {
        Summaries::Stored(list) => Summaries::Stored(body.pixels(list, transposed, Summary::merge)),
        Summaries::Wide(list) => Summaries::Wide(body.pixels(list, transposed, WideSummary::merge)),
    }
}

/// The Summary of each pixel of a body, from the cells that it shows alone.
pub(super) fn shown(
    cells: &Backing,
    width: usize,
    spans: (Spans<'_>, Spans<'_>),
    cut: Cut,
) -> Result<Summaries, SourceError> {
    let transposed = cells.transposed();
    let body = Body::shown(spans, transposed);
    let mut all = Summaries::nothing(cells.kind().is_wide(), body.rows.len() * body.columns.len());
    let stride = body.columns.len();
    let work = |strip: &Strip<'_>| fold_window(strip, Some(&body)).0;
    scan(cells, width, &body.units(cut.cells), cut.threads, work, |block| {
        block.put(&mut all, stride)
    })?;
    Ok(pixels(&body, all, transposed))
}

/// The figures of the cells of some rows and columns of the grid alone.
pub(super) fn part(
    cells: &Backing,
    shape: (usize, usize),
    rows: Range<usize>,
    columns: Range<usize>,
    cut: Cut,
) -> Result<Stats, SourceError> {
    let (r, c) = if cells.transposed() {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let moved = |r: Range<usize>, by: usize| r.start + by..r.end + by;
    let units = plain_units(r.len(), c.len(), cut.cells);
    let units: Vec<Unit> = units
        .into_iter()
        .map(|u| (moved(u.0, r.start), moved(u.1, c.start)))
        .collect();
    let mut all = Figures::default();
    let work = |strip: &Strip<'_>| {
        let (block, tally) = fold_window(strip, None);
        Figures::of(
            strip,
            &tally,
            total(&block.summaries),
            &Ask::default(),
            [None, None],
        )
    };
    scan(
        cells,
        cells.source_shape(shape).1,
        &units,
        cut.threads,
        work,
        |figures| all.merge(&figures),
    )?;
    Ok(all.into_stats())
}

/// Which rows and columns of a window hold a value.
fn held(strip: &Strip<'_>) -> (Vec<bool>, Vec<bool>) {
    let (h, w) = (strip.unit.0.len(), strip.unit.1.len());
    let (mut rows, mut columns) = (vec![false; h], vec![false; w]);
    for (r, row) in rows.iter_mut().enumerate() {
        for (c, column) in columns.iter_mut().enumerate() {
            let value = State::of_bits(strip.lines.at(r, c)).is_none();
            *row |= value;
            *column |= value;
        }
    }
    (rows, columns)
}

/// Takes windows up in their order.
struct Sink {
    /// Segment by segment; empty without a body.
    summaries: Summaries,
    stride: usize,
    figures: Figures,
    rows: Marks,
    columns: Marks,
}

impl Sink {
    fn new(body: Option<&Body>, wide: bool, height: usize, width: usize) -> Self {
        let (n, stride) = body.map_or((0, 0), |b| (b.rows.len() * b.columns.len(), b.columns.len()));
        let summaries = Summaries::nothing(wide, n);
        Self {
            summaries,
            stride,
            figures: Figures::default(),
            rows: Marks::new(height),
            columns: Marks::new(width),
        }
    }

    fn accept(&mut self, part: &Part) {
        if self.stride > 0 {
            part.block.put(&mut self.summaries, self.stride);
        }
        self.figures.merge(&part.figures);
        let (rows, columns) = &part.unit;
        match &part.held {
            None => {
                self.rows.set(rows.clone());
                self.columns.set(columns.clone());
            }
            Some((r, c)) => {
                self.rows.set_where(rows.start, r);
                self.columns.set_where(columns.start, c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::{Buffer, CellSource, Stored};
    use super::super::{Grid, Values, fold};
    use super::*;
    use crate::view::EdgeTable;
    use std::sync::Arc;

    /// Numbers in memory that are read as a file is.
    #[derive(Debug)]
    struct Plane {
        width: usize,
        values: Values,
    }

    impl CellSource for Plane {
        fn rows(&self) -> usize {
            self.values.len() / self.width
        }

        fn columns(&self) -> usize {
            self.width
        }

        fn buffer(&self) -> Buffer {
            match &self.values {
                Values::F32 { integer, .. } => Buffer::F32 {
                    bits: Vec::new(),
                    integer: *integer,
                },
                Values::F64(_) => Buffer::F64(Vec::new()),
                Values::I64(_) => Buffer::I64(Vec::new()),
                Values::U64(_) => Buffer::U64(Vec::new()),
            }
        }

        fn read(
            &self,
            rows: Range<usize>,
            columns: Range<usize>,
            into: &mut Buffer,
        ) -> Result<(), SourceError> {
            let order: Vec<usize> = rows
                .flat_map(|r| columns.clone().map(move |c| r * self.width + c))
                .collect();
            *into = match self.values.gathered(&order) {
                Values::F32 { data, integer } => Buffer::F32 {
                    bits: data.into_iter().map(f32::to_bits).collect(),
                    integer,
                },
                Values::F64(v) => Buffer::F64(v),
                Values::I64(v) => Buffer::I64(v),
                Values::U64(v) => Buffer::U64(v),
            };
            Ok(())
        }
    }

    fn random(n: usize, seed: u64, spoiled: bool) -> Vec<f32> {
        let mut s = seed;
        (0..n)
            .map(|_| {
                s = s
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                match s >> 58 {
                    0 if spoiled => f32::NAN,
                    1 if spoiled => f32::INFINITY,
                    2 if spoiled => 3e38,
                    _ => (s >> 40) as f32 / 1e5 - 80.0,
                }
            })
            .collect()
    }

    fn small(cells: &Backing, shape: (usize, usize), ask: &Ask<'_>, threads: usize, cut: usize) -> Digest {
        digest(cells, shape, ask, Cut { threads, cells: cut }).unwrap()
    }

    fn agree(got: &[Summary], want: &[Summary]) {
        assert_eq!(got.len(), want.len());
        for (i, (a, b)) in got.iter().zip(want).enumerate() {
            let (x, y) = (a.mean(), b.mean());
            let bound = 1e-6 * y.abs() + 1e-12 * f64::from(b.max.abs().max(b.min.abs()));
            let close = x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= bound;
            assert!(close, "pixel {i}: {a:?} {b:?}");
            assert_eq!(
                (a.min, a.max, a.count(), a.states()),
                (b.min, b.max, b.count(), b.states()),
                "pixel {i}"
            );
        }
    }

    #[test]
    fn a_pass_folds_as_cell_by_cell_whatever_the_threads_and_windows() {
        for (height, width, w, h) in [
            (57usize, 91usize, 13u32, 7u32),
            (1, 5000, 37, 1),
            (5000, 1, 1, 37),
            (40, 40, 80, 3),
            (3, 2, 9, 9),
        ] {
            for spoiled in [false, true] {
                let values = random(height * width, (height + width) as u64, spoiled);
                let grid = Grid::new(
                    super::super::Axis::index("", height),
                    super::super::Axis::index("", width),
                    Values::F32 {
                        data: values.clone(),
                        integer: false,
                    },
                    &[],
                )
                .unwrap();
                let part = EdgeTable::part(width as u32, 0.3, width as f64 * 0.7, w);
                for columns in [
                    EdgeTable::fit(width as u32, w),
                    EdgeTable::fit(width as u32, w).reversed(),
                    part,
                ] {
                    let rows = EdgeTable::fit(height as u32, h).reversed();
                    let want = fold(grid.cells(), width, columns.spans(), rows.spans());
                    let ask = Ask {
                        body: Some((columns.spans(), rows.spans())),
                        limits: Some((-50.0, 50.0)),
                        positive: true,
                    };
                    let first = small(&grid.backing, (height, width), &ask, 1, 100);
                    agree(first.summaries.stored().unwrap(), &want);
                    let cut = small(&grid.backing, (height, width), &ask, 7, 100);
                    let seen = shown(
                        &grid.backing,
                        width,
                        (columns.spans(), rows.spans()),
                        Cut {
                            threads: 3,
                            cells: 50,
                        },
                    )
                    .unwrap();
                    agree(seen.stored().unwrap(), &want);
                    assert!(
                        format!("{cut:?}") == format!("{first:?}"),
                        "threads change nothing"
                    );
                    let stored = Backing::stored(Stored::new(
                        Arc::new(Plane {
                            width,
                            values: Values::F32 {
                                data: values.clone(),
                                integer: false,
                            },
                        }),
                        None,
                    ));
                    let from = small(&stored, (height, width), &ask, 3, 64);
                    agree(from.summaries.stored().unwrap(), &want);
                    assert_eq!((from.beyond, &from.empty_rows), (first.beyond, &first.empty_rows));
                    let count = |f: fn(f32) -> bool| values.iter().filter(|v| f(**v)).count() as u64;
                    assert_eq!(
                        from.beyond.unwrap().1,
                        (count(|v| v < -50.0), count(|v| v > 50.0))
                    );
                    let mut stats = from.stats.clone();
                    stats.mean = first.stats.mean;
                    assert!(stats == first.stats, "{stats:?} {:?}", first.stats);
                    assert!(
                        (from.stats.mean - first.stats.mean).abs()
                            <= 1e-12 * first.stats.max.unwrap().as_f64().abs()
                    );
                    let flipped = Backing::stored(
                        Stored::new(
                            Arc::new(Plane {
                                width: height,
                                values: transposed(&values, width),
                            }),
                            None,
                        )
                        .flipped(),
                    );
                    let turned = small(&flipped, (height, width), &ask, 2, 64);
                    agree(turned.summaries.stored().unwrap(), &want);
                    assert_eq!(
                        (&turned.stats.max_cells, &turned.empty_columns),
                        (&first.stats.max_cells, &first.empty_columns)
                    );
                }
            }
        }
    }

    fn transposed(values: &[f32], width: usize) -> Values {
        let data = (0..width)
            .flat_map(|c| values[c..].iter().step_by(width).copied())
            .collect();
        Values::F32 { data, integer: false }
    }

    #[test]
    fn stats_leave_states_and_infinities_out() {
        let g = Grid::from_rows(2, 3, vec![1.0, 5.0, f64::NAN, f64::INFINITY, 5.0, 1.0]).unwrap();
        let s = g.stats();
        assert_eq!(
            (s.range(), s.max_ties, s.values, s.pos_inf),
            (Some((1.0, 5.0)), 2, 5, 1)
        );
        assert_eq!(s.max_cells, vec![(0, 1), (1, 1)]);
        assert_eq!(
            (s.mean, s.states[State::Nan.index()], s.least_positive),
            (3.0, 1, Some(1.0))
        );
    }

    #[test]
    fn empty_rows_and_columns_are_found_across_windows() {
        let mut values = vec![1.0f64; 90];
        values[20..30].fill(f64::NAN);
        values.iter_mut().skip(4).step_by(10).for_each(|v| *v = f64::NAN);
        let g = Grid::from_rows(9, 10, values).unwrap();
        let d = small(&g.backing, (9, 10), &Ask::default(), 2, 7);
        assert_eq!(
            (d.empty_rows, d.empty_columns),
            (
                Empty {
                    count: 1,
                    first: vec![2]
                },
                Empty {
                    count: 1,
                    first: vec![4]
                }
            )
        );
        assert_eq!(g.peek_states().unwrap(), 1 << State::Nan.index());
    }

    #[test]
    fn wide_numbers_stay_exact() {
        let big = 1i64 << 60;
        let values = Values::I64((0..1000).map(|i| big + i % 500).collect());
        let stored = Backing::stored(Stored::new(
            Arc::new(Plane { width: 50, values }),
            Some((big + 3) as f64),
        ));
        let (columns, rows) = (EdgeTable::fit(50, 5), EdgeTable::fit(20, 5));
        let ask = Ask {
            body: Some((columns.spans(), rows.spans())),
            ..Ask::default()
        };
        let d = small(&stored, (20, 50), &ask, 2, 64);
        assert_eq!((d.stats.max, d.stats.max_ties), (Some(Number::I64(big + 499)), 2));
        // (big + 3) as f64 is big: 0 and 500 are masked.
        assert_eq!(
            (d.stats.min, d.stats.states[State::Masked.index()]),
            (Some(Number::I64(big + 1)), 2)
        );
        let Summaries::Wide(list) = d.summaries else {
            panic!("i64 is wider than f32")
        };
        assert_eq!(
            (list[0].min(), list[0].max()),
            (Some(Number::I64(big + 1)), Some(Number::I64(big + 159)))
        );
    }

    #[test]
    fn a_part_has_the_figures_of_its_own_cells_wherever_they_are() {
        let (height, width) = (40, 30);
        let values = random(height * width, 7, true);
        let f32s = |v: &[f32]| Values::F32 {
            data: v.to_vec(),
            integer: false,
        };
        let plane = |v: Values, width: usize| Stored::new(Arc::new(Plane { width, values: v }), None);
        let held = Backing::Held(super::super::backing::Held::new(f32s(&values), &[]));
        let stored = Backing::stored(plane(f32s(&values), width));
        let turned = Backing::stored(plane(transposed(&values, width), height).flipped());
        let wide = Backing::stored(plane(
            Values::F64(values.iter().map(|v| f64::from(*v)).collect()),
            width,
        ));
        for (rows, columns) in [(0..40, 0..30), (3..17, 8..9), (39..40, 0..30), (5..6, 29..30)] {
            let inside = rows.clone().flat_map(|r| columns.clone().map(move |c| (r, c)));
            let list: Vec<f32> = inside.map(|(r, c)| values[r * width + c]).collect();
            let finite = || list.iter().filter(|v| v.is_finite());
            let nan = list.iter().filter(|v| v.is_nan()).count() as u64;
            let max = finite()
                .copied()
                .reduce(f32::max)
                .map(|v| Number::F64(f64::from(v)));
            let at = max.map(|m| {
                values
                    .iter()
                    .enumerate()
                    .filter(move |(_, v)| f64::from(**v) == m.as_f64())
            });
            let at: Vec<_> = at
                .into_iter()
                .flatten()
                .map(|(i, _)| (i / width, i % width))
                .collect();
            let at: Vec<_> = at
                .into_iter()
                .filter(|(r, c)| rows.contains(r) && columns.contains(c))
                .collect();
            for cells in [&held, &stored, &turned, &wide] {
                let s = part(
                    cells,
                    (height, width),
                    rows.clone(),
                    columns.clone(),
                    Cut {
                        threads: 3,
                        cells: 11,
                    },
                )
                .unwrap();
                assert_eq!(
                    (s.max, s.cells(), s.states[0], &s.max_cells),
                    (max, list.len() as u64, nan, &at),
                    "{rows:?} {columns:?}"
                );
                assert_eq!(
                    s.pos_inf,
                    list.iter().filter(|v| **v == f32::INFINITY).count() as u64
                );
            }
        }
    }

    #[test]
    fn many_ties_keep_the_first_cells() {
        let grid = Grid::from_rows(100, 100, vec![2.5; 10_000]).unwrap();
        let d = small(&grid.backing, (100, 100), &Ask::default(), 3, 37);
        assert_eq!(
            (d.stats.max_ties, d.stats.max_cells.len(), d.stats.max_cells[99]),
            (10_000, 100, (0, 99))
        );
    }
}
