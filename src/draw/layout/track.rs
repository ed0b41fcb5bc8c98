//! The cells of an axis along one side of a body, in pixels.

use crate::resolve::{GAP, cells_wide, gaps};
use gridscope_core::grid::{Axis, AxisKind};
use gridscope_core::view::{EdgeTable, Track};
use std::ops::Range;

/// The least width of cells that are all made equal; for narrower ones, the loss at the edge would be too large.
const EQUAL_FROM: u32 = 4;

/// The edge table of an axis on at most `room` pixels. The body has the length of the table.
pub(super) fn table(axis: &Axis, room: u32, true_spacing: bool) -> EdgeTable {
    let n = axis.len() as u32;
    let room = room.max(1);
    if let (true, Some(cells)) = (true_spacing, axis.extents())
        && let Some(t) = spaced(&cells, axis.kind == AxisKind::Log, room)
    {
        return t;
    }
    let cell = (f64::from(room) / cells_wide(axis)).floor() as u32;
    if gaps(axis) > 0 && cell >= 2 {
        let gap = ((f64::from(cell) * GAP).round() as u32).max(1);
        // Rounding may make the gaps too wide for these cells.
        let cell = if n * cell + gaps(axis) * gap > room { (room - gaps(axis) * gap) / n } else { cell };
        return grouped(axis, cell, gap);
    }
    let cell = room / n;
    EdgeTable::fit(n, if cell >= EQUAL_FROM { cell * n } else { room })
}

/// The places of the cells of an axis in cells, whatever their size in pixels. Views are parts of it.
pub fn track(axis: &Axis, true_spacing: bool) -> Track {
    let n = axis.len();
    if let (true, Some(cells)) = (true_spacing, axis.extents())
        && let Some(shares) = shares(&cells, axis.kind == AxisKind::Log)
    {
        return Track::placed(shares.iter().map(|e| e.map(|share| share * n as f64)).collect());
    }
    if gaps(axis) == 0 {
        return Track::even(n);
    }
    let mut places = Vec::with_capacity(n);
    for (k, group) in axis.groups(0).into_iter().enumerate() {
        let gap = k as f64 * GAP;
        places.extend(group.map(|i| [i as f64 + gap, i as f64 + gap + 1.0]));
    }
    Track::placed(places)
}

fn grouped(axis: &Axis, cell: u32, gap: u32) -> EdgeTable {
    let mut extents = Vec::with_capacity(axis.len());
    let mut at = 0;
    for (k, group) in axis.groups(0).into_iter().enumerate() {
        at += if k > 0 { gap } else { 0 };
        for _ in group {
            extents.push([f64::from(at), f64::from(at + cell)]);
            at += cell;
        }
    }
    EdgeTable::placed(extents, at)
}

fn spaced(cells: &[[f64; 2]], log: bool, room: u32) -> Option<EdgeTable> {
    let at = shares(cells, log)?;
    let pixels = at.iter().map(|e| e.map(|share| (share * f64::from(room)).round()));
    Some(EdgeTable::placed(pixels.collect(), room))
}

/// The places of cells along their axis, from 0 for the begin of the first to 1 for the end of the last.
fn shares(cells: &[[f64; 2]], log: bool) -> Option<Vec<[f64; 2]>> {
    let f = |v: f64| if log { v.ln() } else { v };
    let (a, b) = (f(cells.first()?[0]), f(cells.last()?[1]));
    (a.is_finite() && b.is_finite() && a < b)
        .then(|| cells.iter().map(|e| e.map(|v| (f(v) - a) / (b - a))).collect())
}

/// The pixel of each cell's coordinate on the body, for an axis with true spacing.
pub(super) fn marks(axis: &Axis, table: &EdgeTable) -> Vec<f64> {
    let n = axis.len();
    let cells = axis.extents();
    let f = |v: f64| if axis.kind == AxisKind::Log { v.ln() } else { v };
    let down = n > 1 && table.extent(0).0 > table.extent(n - 1).0;
    let share = |i: usize| {
        let ([from, to], c) = (*cells.as_ref()?.get(i)?, axis.center(i)?);
        let t = (f(c) - f(from)) / (f(to) - f(from));
        t.is_finite().then_some(if down { 1.0 - t } else { t })
    };
    (0..n)
        .map(|i| {
            let (a, b) = table.extent(i);
            a + (b - a) * share(i).unwrap_or(0.5)
        })
        .collect()
}

/// The pixel of a data coordinate on the body; `None` if it is not between the cells of `shown`. `mark` is the pixel of a
/// cell's label.
pub(super) fn position(
    axis: &Axis,
    shown: &Range<usize>,
    mark: &dyn Fn(usize) -> f64,
    value: f64,
) -> Option<f64> {
    let f = |v: f64| if axis.kind == AxisKind::Log { v.ln() } else { v };
    if axis.kind == AxisKind::Index {
        let i = value - axis.start as f64;
        return (i >= shown.start as f64 && i < shown.end as f64).then(|| mark(i as usize));
    }
    let centers: Vec<f64> = shown.clone().map(|i| axis.center(i)).collect::<Option<_>>()?;
    let lies_between = |p: &[f64]| (p[0].min(p[1])..=p[0].max(p[1])).contains(&value);
    let k = centers.windows(2).position(lies_between);
    // Beyond the first and last coordinate, the scale goes on to the edge of the cell.
    let beyond = || {
        let edges = axis.edges().filter(|_| centers.len() > 1)?;
        let within = |i: usize| lies_between(&edges[shown.start + i..=shown.start + i + 1]);
        let last = centers.len() - 1;
        within(0).then_some(0).or_else(|| within(last).then_some(last - 1))
    };
    match k.or_else(beyond) {
        Some(k) => {
            let (from, to, v) = (f(centers[k]), f(centers[k + 1]), f(value));
            // Halved, because the span exceeds f64.
            let share = if (to - from).is_finite() {
                (v - from) / (to - from)
            } else {
                (v / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0)
            };
            let (a, b) = (mark(shown.start + k), mark(shown.start + k + 1));
            Some(a + share * (b - a))
        }
        None if centers.len() == 1 && value == centers[0] => Some(mark(shown.start)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(w: &[&str]) -> Vec<String> {
        w.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn cells_are_equal_and_groups_apart() {
        let a = Axis::nested("m,k", vec![words(&["a", "a", "b", "b"]), words(&["1", "2", "1", "2"])]);
        let t = table(&a, 45, false);
        assert_eq!(
            (0..4).map(|i| t.extent(i)).collect::<Vec<_>>(),
            [(0.0, 10.0), (10.0, 20.0), (24.0, 34.0), (34.0, 44.0)]
        );
        assert_eq!(t.pixels(), 44);
        assert_eq!(table(&Axis::index("", 7), 100, false).pixels(), 98);
        assert_eq!(table(&Axis::index("", 70), 100, false).pixels(), 100);
    }

    #[test]
    fn a_gap_between_days_is_a_gap_between_cells() {
        let mut a = Axis::number(
            "t",
            [0.0, 1.0, 2.0, 7.0].map(|d| d * 86_400.0).into(),
            words(&["0", "1", "2", "7"]),
        );
        a.kind = AxisKind::Time;
        let t = table(&a, 80, true);
        assert_eq!(
            (0..4).map(|i| t.extent(i)).collect::<Vec<_>>(),
            [(0.0, 10.0), (10.0, 20.0), (20.0, 30.0), (70.0, 80.0)]
        );
        assert_eq!(marks(&a, &t), [5.0, 15.0, 25.0, 75.0]);
        assert_eq!(t.pixels(), 80);
    }

    #[test]
    fn values_between_centres_are_interpolated() {
        let a = Axis::number("x", vec![0.0, 1.0, 3.0], words(&["0", "1", "3"]));
        let t = table(&a, 30, false);
        let even = |i: usize| f64::midpoint(t.extent(i).0, t.extent(i).1);
        assert_eq!(
            (position(&a, &(0..3), &even, 2.0), position(&a, &(0..3), &even, 3.5)),
            (Some(20.0), Some(27.5))
        );
        assert_eq!(
            (position(&a, &(1..3), &even, 2.0), position(&a, &(0..3), &even, 4.5)),
            (Some(20.0), None)
        );
        let t = table(&a, 45, true);
        assert_eq!(t.extent(2), (25.0, 45.0));
        // Edges at -0.5, 0.5, 2 and 4: ten pixels per unit.
        let at = marks(&a, &t);
        assert_eq!(at, [5.0, 15.0, 35.0]);
        assert_eq!(marks(&a, &t.clone().reversed()), [40.0, 30.0, 10.0]);
        assert_eq!(position(&a, &(0..3), &|i| at[i], 2.0), Some(25.0));
    }
}
