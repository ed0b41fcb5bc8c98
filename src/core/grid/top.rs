//! The cells of the greatest or least values.

use super::backing::{Backing, Strip};
use super::scan::{plain_units, scan};
use super::{Number, SourceError, State};
use std::cmp::Ordering;

/// A cell's row, column and value.
pub type RankedCell = ((usize, usize), Number);

/// The first `n` cells by finite value, then by place: greatest first, or least.
pub(super) fn top(
    cells: &Backing,
    shape: (usize, usize),
    n: usize,
    greatest: bool,
    threads: usize,
    window: usize,
) -> Result<Vec<RankedCell>, SourceError> {
    // The numbers are finite here, so any two of them compare.
    let order = |a: &Number, b: &Number| {
        let by = a.compare(*b).unwrap_or(Ordering::Equal);
        if greatest { by.reverse() } else { by }
    };
    let best = |list: &mut Vec<RankedCell>| {
        list.sort_by(|a, b| order(&a.1, &b.1).then(a.0.cmp(&b.0)));
        list.truncate(n);
    };
    let pick = |strip: &Strip<'_>| {
        let (mut list, mut limit): (Vec<RankedCell>, Option<Number>) = (Vec::new(), None);
        // Rounding to f64 keeps the order, so what is behind the limit there needs no exact comparison.
        let mut nearest = if greatest { f64::NEG_INFINITY } else { f64::INFINITY };
        for (r, c) in (0..strip.unit.0.len()).flat_map(|r| (0..strip.unit.1.len()).map(move |c| (r, c))) {
            if State::of_bits(strip.lines.at(r, c)).is_some() {
                continue;
            }
            let v = strip.number(r, c);
            let rounded = v.as_f64();
            if if greatest { rounded < nearest } else { rounded > nearest } {
                continue;
            }
            if rounded.is_finite() && limit.is_none_or(|l| order(&v, &l).is_le()) {
                list.push((strip.place(r, c), v));
                if list.len() >= n.saturating_mul(4).saturating_add(64) {
                    best(&mut list);
                    limit = list.last().map(|l| l.1);
                    nearest = limit.map_or(nearest, Number::as_f64);
                }
            }
        }
        best(&mut list);
        list
    };
    let (height, width) = cells.source_shape(shape);
    let mut all: Vec<RankedCell> = Vec::new();
    scan(cells, width, &plain_units(height, width, window), threads, pick, |list| {
        all.extend(list);
        best(&mut all);
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::Grid;
    use super::*;

    #[test]
    fn greatest_and_least_come_in_order() {
        let mut v: Vec<f64> = (0..600).map(|i| f64::from(i * 7 % 599)).collect();
        (v[3], v[5]) = (f64::INFINITY, f64::NAN);
        let g = Grid::from_rows(20, 30, v.clone()).unwrap();
        let list = |greatest| top(&g.backing, (20, 30), 5, greatest, 3, 37).unwrap();
        let mut want: Vec<(f64, usize)> = v.iter().copied().zip(0..).filter(|x| x.0.is_finite()).collect();
        want.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        assert_eq!(
            list(true),
            want[..5].iter().map(|(v, i)| ((i / 30, i % 30), Number::F64(*v))).collect::<Vec<_>>()
        );
        let big = 1i64 << 60;
        let axis = |n| super::super::Axis::index("", n);
        let close =
            Grid::new(axis(1), axis(3), super::super::Values::I64(vec![big, big + 1, big - 1]), &[]).unwrap();
        assert_eq!(close.extremes(1, true).unwrap(), [((0, 1), Number::I64(big + 1))]);
        assert_eq!(list(false)[..2], [((0, 0), Number::F64(0.0)), ((19, 29), Number::F64(0.0))]);
    }
}
