//! Common part of a moved picture and the one before: when the view is panned, only the strips that came into view are folded.

use super::levels::Level;
use gridscope_core::grid::{Grid, SourceError, Spans, Summaries, cores};
use gridscope_core::view::{EdgeTable, shared_pixels};
use std::sync::{Arc, Weak};

/// The Summaries of a body, and of the picture from which those of pixels that it showed already were taken.
pub(super) struct Scrolled {
    pub summaries: Arc<Summaries>,
    pub before: Option<Weak<Summaries>>,
}

/// Pixel columns beside a body that are folded together with a strip of it: a file is read row by row, and a read costs the
/// same for a few cells as for many.
const AHEAD: u32 = 96;

/// Summaries of pixel columns at one side of a body, and beyond it.
#[derive(Debug)]
struct Ahead {
    columns: Vec<[u32; 2]>,
    rows: Vec<[u32; 2]>,
    summaries: Summaries,
}

impl Ahead {
    /// The Summaries of a strip of pixel columns, taken from those that were folded ahead; else they are folded together with
    /// those of the columns before or after it.
    fn strip(
        last: &mut Option<Ahead>,
        grid: &Grid,
        (columns, rows): (Spans<'_>, Spans<'_>),
        [before, after]: [Spans<'_>; 2],
    ) -> Result<Summaries, SourceError> {
        let n = columns.len();
        let found = last.as_ref().and_then(|a| {
            let x = a.columns.windows(n).position(|w| w == columns)?;
            Some((a, x, shared_pixels(&a.rows, rows)?))
        });
        if let Some((ahead, x, (now, was))) = found {
            let mut all = Summaries::nothing(grid.kind().is_wide(), n * rows.len());
            let from = (&ahead.summaries, ahead.columns.len(), (was.start, x));
            all.copy((n, now.clone(), 0..n), from, 1);
            for rest in [0..now.start, now.end..rows.len()] {
                if !rest.is_empty() {
                    all.put(n, rest.clone(), 0..n, &grid.fold(columns, &rows[rest])?, false);
                }
            }
            return Ok(all);
        }
        let wider = [before, columns, after].concat();
        let summaries = grid.fold(&wider, rows)?;
        let strip = summaries.cut(wider.len(), 0..rows.len(), before.len()..before.len() + n);
        *last = Some(Ahead { columns: wider, rows: rows.to_vec(), summaries });
        Ok(strip)
    }
}

/// The Summaries of a body as folded last.
#[derive(Debug)]
pub(super) struct Scroll {
    /// Cells along a side of the blocks that were joined; 1 for cells.
    step: u32,
    columns: Vec<[u32; 2]>,
    rows: Vec<[u32; 2]>,
    summaries: Arc<Summaries>,
    /// Those of the picture before, whose memory the next one takes.
    spare: Option<Arc<Summaries>>,
    ahead: Option<Ahead>,
}

impl Scroll {
    /// The Summaries of a body, as [`Grid::fold`] makes them of its cells, or a level of its blocks; those of pixels that were
    /// in the picture before are taken from there.
    ///
    /// # Errors
    /// As [`Grid::fold`].
    pub(super) fn fold(
        last: &mut Option<Scroll>,
        grid: &Grid,
        level: Option<&Level>,
        tables: (&EdgeTable, &EdgeTable),
    ) -> Result<Scrolled, SourceError> {
        let (columns, rows) = (tables.0.spans(), tables.1.spans());
        let beside = match grid.is_loaded() || level.is_some() {
            true => None,
            false => tables.0.beside(AHEAD),
        };
        let step = level.map_or(1, |l| l.step);
        let fold = |columns: Spans<'_>, rows: Spans<'_>| match level {
            Some(level) => Ok(level.fold(columns, rows)),
            None => grid.fold(columns, rows),
        };
        let shared = last
            .take()
            .filter(|l| l.step == step)
            .and_then(|l| Some((shared_pixels(&l.columns, columns)?, shared_pixels(&l.rows, rows)?, l)));
        let (mut spare, mut ahead) = (None, None);
        let summaries = Arc::new(match shared {
            None => fold(columns, rows)?,
            Some(((x, was_x), (y, was_y), last)) => {
                let (width, height) = (columns.len(), rows.len());
                let (wide, n) = (grid.kind().is_wide(), width * height);
                let mut all = last
                    .spare
                    .and_then(Arc::into_inner)
                    .filter(|all| all.len() == n)
                    .unwrap_or_else(|| Summaries::nothing(wide, n));
                let from = (&*last.summaries, last.columns.len(), (was_y.start, was_x.start));
                all.copy((width, y.clone(), x.clone()), from, cores());
                (spare, ahead) = (Some(last.summaries), last.ahead);
                let none: Spans<'_> = &[];
                let [left, right] = beside.as_ref().map_or([none; 2], |[left, right]| [left, right]);
                // Above, below, to the left and to the right of what stays.
                for (across, down, more) in [
                    (0..width, 0..y.start, None),
                    (0..width, y.end..height, None),
                    (0..x.start, y.clone(), beside.as_ref().map(|_| [left, none])),
                    (x.end..width, y, beside.as_ref().map(|_| [none, right])),
                ] {
                    if !across.is_empty() && !down.is_empty() {
                        let part = (&columns[across.clone()], &rows[down.clone()]);
                        let strip = match more {
                            Some(more) => Ahead::strip(&mut ahead, grid, part, more)?,
                            None => fold(part.0, part.1)?,
                        };
                        all.put(width, down, across, &strip, false);
                    }
                }
                all
            }
        });
        let before = spare.as_ref().map(Arc::downgrade);
        *last = Some(Scroll {
            step,
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            summaries: summaries.clone(),
            spare,
            ahead,
        });
        Ok(Scrolled { summaries, before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::levels::Levels;
    use gridscope_core::grid::{Buffer, CellSource};
    use std::ops::Range;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn what_scrolls_is_what_a_whole_fold_makes() {
        let mut d = Dice(5);
        let value = |i: usize| {
            if i.is_multiple_of(77) { f64::NAN } else { (i * 7919 % 1009) as f64 }
        };
        let (h, w) = (300, 400);
        let grid = Grid::from_rows(h, w, (0..h * w).map(value).collect()).unwrap();
        let levels = Levels::of_small(&grid, 2);
        let (mut last, mut by_level) = (None, 0);
        let (mut x, mut y, mut s, mut scrolled) = (10.0, 20.0, 3.0, 0);
        for _ in 0..300 {
            match d.below(12) {
                // Another scale, and a jump.
                0 => s = 1.5 + d.below(40) as f64 / 8.0,
                1 => (x, y) = (d.below(400) as f64 - 90.0, d.below(300) as f64 - 90.0),
                _ => {
                    x += (d.below(9) as f64 - 4.0) * s;
                    y += (d.below(9) as f64 - 4.0) * s;
                }
            }
            let columns = EdgeTable::part(w as u32, x, x + 60.0 * s, 60);
            let rows = EdgeTable::part(h as u32, y, y + 40.0 * s, 40);
            let rows = if d.below(40) == 0 { rows.reversed() } else { rows };
            let shared = last.as_ref().is_some_and(|l: &Scroll| {
                shared_pixels(&l.columns, columns.spans()).is_some()
                    && shared_pixels(&l.rows, rows.spans()).is_some()
            });
            scrolled += usize::from(shared);
            let spans = (columns.spans(), rows.spans());
            let level = levels.of(&columns, &rows).filter(|_| d.below(8) > 0);
            by_level += usize::from(level.is_some());
            let got = Scroll::fold(&mut last, &grid, level, (&columns, &rows)).unwrap();
            let wanted = match level {
                Some(level) => level.fold(spans.0, spans.1),
                None => grid.fold(spans.0, spans.1).unwrap(),
            };
            assert_eq!(*got.summaries, wanted);
        }
        assert!(scrolled > 100, "{scrolled} pictures were scrolled");
        assert!((50..250).contains(&by_level), "{by_level} pictures came from a level");
    }

    /// Numbers that are read as those of a file are, and how often.
    #[derive(Debug)]
    struct InFile(Vec<f64>, AtomicUsize);

    const FILE: (usize, usize) = (400, 3000);

    impl CellSource for InFile {
        fn rows(&self) -> usize {
            FILE.0
        }

        fn columns(&self) -> usize {
            FILE.1
        }

        fn buffer(&self) -> Buffer {
            Buffer::F64(Vec::new())
        }

        fn read(
            &self,
            rows: Range<usize>,
            columns: Range<usize>,
            into: &mut Buffer,
        ) -> Result<(), SourceError> {
            self.1.fetch_add(rows.len(), Ordering::Relaxed);
            let row = |r: usize| self.0[r * FILE.1..][columns.clone()].to_vec();
            *into = Buffer::F64(rows.flat_map(row).collect());
            Ok(())
        }
    }

    #[test]
    fn a_file_is_read_ahead_of_a_pan() {
        let mut d = Dice(11);
        let values = (0..FILE.0 * FILE.1).map(|i| (i * 7919 % 1009) as f64).collect();
        let source = Arc::new(InFile(values, AtomicUsize::new(0)));
        let grid = Grid::stored(source.clone(), None).unwrap();
        let (mut last, mut strips) = (None, 0);
        let (mut x, mut y, step, mut right) = (900.0, 100.0, 2.5, 1.0);
        for frame in 0..240 {
            if d.below(40) == 0 {
                right = -right;
            }
            (x, y) = (x + 3.0 * step * right, y + (d.below(3) as f64 - 1.0) * step);
            let columns = EdgeTable::part(FILE.1 as u32, x, x + 80.0 * step, 80);
            let rows = EdgeTable::part(FILE.0 as u32, y, y + 60.0 * step, 60);
            let rows = if frame < 120 { rows } else { rows.reversed() };
            let before = source.1.load(Ordering::Relaxed);
            let got = Scroll::fold(&mut last, &grid, None, (&columns, &rows)).unwrap();
            let read = source.1.load(Ordering::Relaxed) - before;
            strips += usize::from(read >= 100);
            assert_eq!(*got.summaries, grid.fold(columns.spans(), rows.spans()).unwrap());
        }
        assert!(strips < 40, "{strips} of 240 frames have read a strip");
    }
}
