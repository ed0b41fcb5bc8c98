//! Distances of all pairs of rows, as scipy's `pdist` has them; over the common part where values are missing.

use crate::figure::Metric;
use crate::workers;
use std::sync::Mutex;

/// Rows of values, NaN where there is none.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub values: Vec<f64>,
    pub width: usize,
}

/// Why there is no distance; rows by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DistanceFault {
    /// An infinite value.
    Infinite(usize),
    /// No value at all.
    Empty(usize),
    /// All values are equal, or 0, and have no direction.
    Constant(usize),
    /// No column has a value in both.
    Apart(usize, usize),
    /// The columns that have a value in both are constant in one.
    ConstantTogether(usize, usize),
}

/// The distances of all pairs: (0, 1), (0, 2) … (1, 2) …
pub(super) struct Distances {
    /// Each times a power of two, so that neither they nor their squares are beyond f64.
    pub condensed: Vec<f64>,
    /// The power of two that gives their size, as `2^scale`.
    pub scale: i32,
}

impl Table {
    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.width..][..self.width]
    }

    fn height(&self) -> usize {
        self.values.len() / self.width
    }

    /// The distances of all rows.
    ///
    /// # Errors
    /// A row, or a pair of rows, that has none.
    pub(super) fn distances(mut self, metric: Metric, threads: usize) -> Result<Distances, DistanceFault> {
        let angular = matches!(metric, Metric::Correlation | Metric::Cosine);
        for i in 0..self.height() {
            self.check(i, metric)?;
        }
        let is_complete = self.values.iter().all(|v| !v.is_nan());
        let mut scale = 0;
        if angular {
            for i in 0..self.height() {
                direct(&mut self.values[i * self.width..][..self.width], metric, is_complete);
            }
        } else {
            let most = self.values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
            scale = exponent(most);
            self.values.iter_mut().for_each(|v| *v = times_power(*v, -scale));
        }
        let n = self.height();
        let mut condensed = vec![0.0; n * n.saturating_sub(1) / 2];
        let fault: Mutex<Option<(usize, usize)>> = Mutex::new(None);
        let mut rest = condensed.as_mut_slice();
        let lines = (0..n).map(|i| {
            let (line, after) = std::mem::take(&mut rest).split_at_mut(n - 1 - i);
            rest = after;
            (i, line)
        });
        workers::share(threads, lines, |(i, line)| {
            let a = self.row(i);
            for (j, out) in (i + 1..).zip(line) {
                *out = if is_complete {
                    complete(a, self.row(j), metric)
                } else {
                    pairwise(a, self.row(j), metric)
                };
                if out.is_nan() {
                    let mut first = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *first = Some(first.map_or((i, j), |f| f.min((i, j))));
                    return;
                }
            }
        });
        match fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            None => Ok(Distances { condensed, scale }),
            Some((i, j)) => {
                let mut both = self.row(i).iter().zip(self.row(j));
                let meet = both.any(|(a, b)| !a.is_nan() && !b.is_nan());
                Err(if meet { DistanceFault::ConstantTogether(i, j) } else { DistanceFault::Apart(i, j) })
            }
        }
    }

    /// Refuses a row that has no distance from any other.
    fn check(&self, i: usize, metric: Metric) -> Result<(), DistanceFault> {
        let mut known = self.row(i).iter().copied().filter(|v| !v.is_nan());
        let Some(first) = known.next() else {
            return Err(DistanceFault::Empty(i));
        };
        if self.row(i).iter().any(|v| v.is_infinite()) {
            return Err(DistanceFault::Infinite(i));
        }
        let constant = match metric {
            Metric::Correlation => known.all(|v| v == first),
            Metric::Cosine => first == 0.0 && known.all(|v| v == 0.0),
            _ => false,
        };
        if constant { Err(DistanceFault::Constant(i)) } else { Ok(()) }
    }
}

/// The power of two above a number; 0 of 0.
pub(super) fn exponent(v: f64) -> i32 {
    if v == 0.0 { 0 } else { (v.log2().floor() + 1.0).clamp(-1074.0, 1024.0) as i32 }
}

/// A number times a power of two, in steps that are numbers.
pub(super) fn times_power(v: f64, power: i32) -> f64 {
    let half = power / 2;
    v * 2f64.powi(half) * 2f64.powi(power - half)
}

/// A row made smaller or larger; if it has all its values, as a direction: of length 1, about its mean if correlations are asked for.
fn direct(row: &mut [f64], metric: Metric, is_complete: bool) {
    let most = row.iter().filter(|v| !v.is_nan()).fold(0.0f64, |m, v| m.max(v.abs()));
    let power = -exponent(most);
    row.iter_mut().for_each(|v| *v = times_power(*v, power));
    if !is_complete {
        return;
    }
    if metric == Metric::Correlation {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        row.iter_mut().for_each(|v| *v -= mean);
    }
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    row.iter_mut().for_each(|v| *v /= length);
}

/// A sum over two rows in eight lanes, which run side by side.
fn lanes(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0f64; 8];
    let (chunks_a, chunks_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(a, b)| of(*a, *b)).sum();
    for (a, b) in chunks_a.zip(chunks_b) {
        for k in 0..8 {
            sums[k] += of(a[k], b[k]);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// The distance of two rows with all their values; those of angles are directions.
fn complete(a: &[f64], b: &[f64], metric: Metric) -> f64 {
    match metric {
        Metric::Euclidean => lanes(a, b, |x, y| (x - y) * (x - y)).sqrt(),
        Metric::Cityblock => lanes(a, b, |x, y| (x - y).abs()),
        // Rounding may take the cosine of equal directions beyond 1.
        Metric::Correlation | Metric::Cosine => (1.0 - lanes(a, b, |x, y| x * y)).max(0.0),
    }
}

/// The distance of two rows over the columns where both have a value; NaN without one. Sums are scaled to all columns, as
/// scikit-learn's `nan_euclidean_distances` does it.
fn pairwise(a: &[f64], b: &[f64], metric: Metric) -> f64 {
    let both = || {
        let pairs = a.iter().zip(b);
        pairs.filter(|(x, y)| !x.is_nan() && !y.is_nan()).map(|(x, y)| (*x, *y))
    };
    let n = both().count() as f64;
    if n == 0.0 {
        return f64::NAN;
    }
    let share = a.len() as f64 / n;
    match metric {
        Metric::Euclidean => (share * both().map(|(x, y)| (x - y) * (x - y)).sum::<f64>()).sqrt(),
        Metric::Cityblock => share * both().map(|(x, y)| (x - y).abs()).sum::<f64>(),
        Metric::Correlation | Metric::Cosine => {
            let mut means = (0.0, 0.0);
            if metric == Metric::Correlation {
                let constant = |of: &dyn Fn((f64, f64)) -> f64| {
                    let mut all = both().map(of);
                    let first = all.next();
                    all.all(|v| Some(v) == first)
                };
                if constant(&|p| p.0) || constant(&|p| p.1) {
                    return f64::NAN;
                }
                let sums = both().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
                means = (sums.0 / n, sums.1 / n);
            }
            let (xy, xx, yy) = both().fold((0.0, 0.0, 0.0), |s, (x, y)| {
                let (x, y) = (x - means.0, y - means.1);
                (s.0 + x * y, s.1 + x * x, s.2 + y * y)
            });
            // 0 over 0 is not a direction.
            let cosine: f64 = xy / (xx.sqrt() * yy.sqrt());
            if cosine.is_nan() { cosine } else { (1.0 - cosine).max(0.0) }
        }
    }
}
