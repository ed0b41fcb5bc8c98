//! Rows to cells: which rows fall on a cell, and the grid they give.

use super::aggregate::{Numbers, aggregate, sum};
use super::columns::Column;
use super::csv::Records;
use super::error::InputError;
use super::loaded::Needs;
use crate::figure::Agg;
use crate::grid::{Axis, Grid, Number, State};
use std::collections::BTreeMap;

/// Items put into bins, in their order within a bin.
#[derive(Clone, Debug)]
pub struct Bins {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Bins {
    /// Puts each item into its bin.
    pub fn new(bins: usize, items: &[u32], bin_of: impl Fn(u32) -> usize) -> Self {
        let mut starts = vec![0u32; bins + 1];
        for &i in items {
            starts[bin_of(i) + 1] += 1;
        }
        for b in 0..bins {
            starts[b + 1] += starts[b];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; items.len()];
        for &i in items {
            let at = &mut next[bin_of(i)];
            sorted[*at as usize] = i;
            *at += 1;
        }
        Self { starts, items: sorted }
    }

    /// The items of a bin.
    pub fn get(&self, bin: usize) -> &[u32] {
        &self.items[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }

    /// How many bins.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// The rows of one panel by cell: cell (y, x) is `y * width + x` in key ids.
pub struct Pivot<'a> {
    /// The rows of each cell, as places in the columns.
    pub bins: Bins,
    /// Keys along x.
    pub width: usize,
    /// The values.
    pub column: &'a Column,
}

impl Pivot<'_> {
    /// Takes the values of a cell's rows, and says why there is none.
    fn values(&self, cell: usize, into: &mut Vec<Number>) -> State {
        into.clear();
        let rows = self.bins.get(cell);
        let mut why = if rows.is_empty() { State::Absent } else { State::Nan };
        for &i in rows {
            match self.column.at(i as usize) {
                Ok(n) => into.push(n),
                // A pending run says more than a masked number, and that more than a missing one.
                Err(State::Pending) => why = State::Pending,
                Err(State::Masked) if why != State::Pending => why = State::Masked,
                Err(_) => {}
            }
        }
        why
    }

    fn cell(&self, agg: Agg, values: &[Number], why: State) -> Result<Number, State> {
        match aggregate(agg, values) {
            Some(Number::I64(0)) if agg == Agg::Count && why != State::Nan => Err(why),
            Some(n) => Ok(n),
            None if values.is_empty() => Err(why),
            None => Err(State::Nan),
        }
    }

    /// Adds each cell's value to the sums of its keys, for the order by value.
    pub fn add_sums(&self, agg: Agg, xs: &mut [(f64, u64)], ys: &mut [(f64, u64)]) {
        let mut values = Vec::new();
        for cell in 0..self.bins.len() {
            let why = self.values(cell, &mut values);
            if let Ok(v) = self.cell(agg, &values, why) {
                for key in [&mut xs[cell % self.width], &mut ys[cell / self.width]] {
                    *key = (sum([key.0, v.as_f64()].into_iter()), key.1 + 1);
                }
            }
        }
    }

    /// The grid of these keys in order.
    ///
    /// # Errors
    /// When there is no cell.
    pub fn grid(
        &self,
        agg: Agg,
        (ys, rows): (&[u32], Axis),
        (xs, columns): (&[u32], Axis),
        needs: &Needs,
        file: &str,
    ) -> Result<Grid, InputError> {
        let n = ys.len() * xs.len();
        let mut numbers = Numbers::with_capacity(n);
        let mut states = Vec::with_capacity(n);
        let mut fields: Vec<Vec<f64>> = needs.aggregates.iter().map(|_| Vec::with_capacity(n)).collect();
        let mut values = Vec::new();
        for cell in cells(ys, xs, self.width) {
            let why = self.values(cell, &mut values);
            let shown = self.cell(agg, &values, why);
            match shown {
                Ok(v) => numbers.push(v),
                Err(_) => numbers.push_empty(),
            }
            states.push(shown.err());
            for (field, &agg) in fields.iter_mut().zip(&needs.aggregates) {
                field.push(self.cell(agg, &values, why).map_or(f64::NAN, Number::as_f64));
            }
        }
        let mut grid = Grid::new(rows, columns, numbers.into_values(), &states).map_err(|e| InputError::refused(file, "", e))?;
        grid.fields = named(&needs.aggregates, fields);
        grid.value_name.clone_from(&self.column.name);
        Ok(grid)
    }

    /// The distinct texts of a column in each cell, joined; `rows` are the table's rows at the places in the bins.
    pub fn texts(&self, records: &Records, column: usize, rows: &[u32], ys: &[u32], xs: &[u32]) -> Vec<String> {
        let mut out = Vec::with_capacity(ys.len() * xs.len());
        for cell in cells(ys, xs, self.width) {
            let mut seen: Vec<&str> = Vec::new();
            for &i in self.bins.get(cell) {
                let t = records.get(rows[i as usize] as usize, column);
                if !seen.contains(&t) {
                    seen.push(t);
                }
            }
            out.push(seen.join(", "));
        }
        out
    }
}

fn cells(ys: &[u32], xs: &[u32], width: usize) -> impl Iterator<Item = usize> {
    ys.iter().flat_map(move |&y| xs.iter().map(move |&x| y as usize * width + x as usize))
}

/// Fields under the names that templates use.
pub fn named(aggregates: &[Agg], fields: Vec<Vec<f64>>) -> BTreeMap<String, Vec<f64>> {
    let mut out = BTreeMap::new();
    for (agg, field) in aggregates.iter().zip(fields) {
        if *agg == Agg::Count {
            out.insert("n".to_owned(), field.clone());
        }
        out.insert(agg.word().to_owned(), field);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_keep_the_order_of_their_items() {
        let b = Bins::new(3, &[4, 1, 3, 7], |i| (i % 2) as usize * 2);
        assert_eq!((b.get(0), b.get(1), b.get(2)), (&[4][..], &[][..], &[1, 3, 7][..]));
        assert_eq!(b.len(), 3);
    }
}
