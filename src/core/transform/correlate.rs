//! How far columns of numbers vary together: the coefficients of pandas' `corr`, of the rows in which both have a value.

use crate::figure::Correlation;

/// The coefficient of each two columns, row after row of a square, and the number of rows that it is of; NaN where a column does not
/// vary.
pub fn correlate(columns: &[Vec<f64>], method: Correlation) -> (Vec<f64>, Vec<f64>) {
    let n = columns.len();
    let (mut coefficients, mut counts) = (vec![f64::NAN; n * n], vec![0.0; n * n]);
    for (i, a) in columns.iter().enumerate() {
        for (j, b) in columns.iter().enumerate().take(i + 1) {
            let (x, y): (Vec<f64>, Vec<f64>) =
                a.iter().zip(b).filter(|(x, y)| !x.is_nan() && !y.is_nan()).map(|(x, y)| (*x, *y)).unzip();
            let found = match method {
                Correlation::Pearson => pearson(&x, &y),
                Correlation::Spearman => pearson(&ranks(&x), &ranks(&y)),
                Correlation::Kendall => kendall(&x, &y),
            };
            for at in [i * n + j, j * n + i] {
                (coefficients[at], counts[at]) = (found, x.len() as f64);
            }
        }
    }
    (coefficients, counts)
}

/// Pearson's coefficient.
fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (mx, my) = (mean(x), mean(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - mx, y - my);
        (xx, yy, xy) = (xx + dx * dx, yy + dy * dy, xy + dx * dy);
    }
    // One root gives exactly 1 for a column and itself.
    let divisor = if (xx * yy).is_normal() { (xx * yy).sqrt() } else { xx.sqrt() * yy.sqrt() };
    if xx > 0.0 && yy > 0.0 { (xy / divisor).clamp(-1.0, 1.0) } else { f64::NAN }
}

/// Ranks from 1; equal numbers have the mean of theirs.
fn ranks(v: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..v.len()).collect();
    order.sort_by(|a, b| v[*a].total_cmp(&v[*b]));
    let mut ranks = vec![0.0; v.len()];
    let mut first = 0;
    for run in order.chunk_by(|a, b| v[*a] == v[*b]) {
        let rank = (2 * first + run.len() + 1) as f64 / 2.0;
        run.iter().for_each(|i| ranks[*i] = rank);
        first += run.len();
    }
    ranks
}

/// Kendall's tau-b, by Knight's algorithm: pairs in the opposite order are the steps of a sort.
fn kendall(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as u64;
    let pairs = |n: u64| n * n.saturating_sub(1) / 2;
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]).then(y[*a].total_cmp(&y[*b])));
    let ties_x: u64 = order.chunk_by(|a, b| x[*a] == x[*b]).map(|run| pairs(run.len() as u64)).sum();
    let both: u64 =
        order.chunk_by(|a, b| x[*a] == x[*b] && y[*a] == y[*b]).map(|run| pairs(run.len() as u64)).sum();
    let mut sorted: Vec<f64> = order.iter().map(|i| y[*i]).collect();
    let swaps = sort_counting(&mut sorted);
    let ties_y: u64 = sorted.chunk_by(|a, b| a == b).map(|run| pairs(run.len() as u64)).sum();
    let all = pairs(n);
    let concordant = all as f64 - ties_x as f64 - ties_y as f64 + both as f64 - 2.0 * swaps as f64;
    let of = ((all - ties_x) as f64).sqrt() * ((all - ties_y) as f64).sqrt();
    if of > 0.0 { (concordant / of).clamp(-1.0, 1.0) } else { f64::NAN }
}

/// Sorts numbers, and counts the pairs that were in the opposite order.
fn sort_counting(v: &mut [f64]) -> u64 {
    if v.len() < 2 {
        return 0;
    }
    let middle = v.len() / 2;
    let (left, right) = v.split_at_mut(middle);
    let mut swaps = sort_counting(left) + sort_counting(right);
    let (mut merged, mut i, mut j) = (Vec::with_capacity(left.len() + right.len()), 0, 0);
    while i < left.len() || j < right.len() {
        if j == right.len() || i < left.len() && left[i] <= right[j] {
            merged.push(left[i]);
            i += 1;
        } else {
            swaps += (left.len() - i) as u64;
            merged.push(right[j]);
            j += 1;
        }
    }
    v.copy_from_slice(&merged);
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::Random;

    /// The rule of tau-b, pair by pair.
    fn tau(x: &[f64], y: &[f64]) -> f64 {
        let (mut sum, mut of_x, mut of_y) = (0.0, 0.0, 0.0);
        for i in 0..x.len() {
            for j in 0..i {
                let sign = |v: &[f64]| (v[i] - v[j]).partial_cmp(&0.0).map_or(0.0, |o| f64::from(o as i8));
                let (a, b) = (sign(x), sign(y));
                (sum, of_x, of_y) = (sum + a * b, of_x + a * a, of_y + b * b);
            }
        }
        sum / f64::sqrt(of_x * of_y)
    }

    #[test]
    fn coefficients_are_those_of_their_rules() {
        let mut random = Random(7);
        let mut column = || (0..12).map(|_| random.below(16) as f64).collect::<Vec<f64>>();
        for _ in 0..200 {
            let (x, y) = (column(), column());
            let (found, wanted) = (kendall(&x, &y), tau(&x, &y));
            assert!((found - wanted).abs() < 1e-12 || found.is_nan() && wanted.is_nan(), "{x:?} {y:?}");
        }
    }

    #[test]
    fn rows_count_where_both_have_a_value() {
        let nan = f64::NAN;
        let columns = [vec![1.0, 2.0, nan, 4.0], vec![2.0, 4.0, 5.0, 8.0], vec![3.0; 4]];
        let (found, counts) = correlate(&columns, Correlation::Pearson);
        assert!((found[1] - 1.0).abs() < 1e-15 && found[8].is_nan() && found[2].is_nan());
        assert_eq!((counts[1], counts[4], counts[0]), (3.0, 4.0, 3.0));
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        // scipy.stats.spearmanr([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])
        let (found, _) =
            correlate(&[vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![5.0, 6.0, 7.0, 8.0, 7.0]], Correlation::Spearman);
        assert!((found[1] - 0.820_782_681_668_123_3).abs() < 1e-12);
    }
}
