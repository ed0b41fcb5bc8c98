//! Two-sided tests whether paired differences are about 0, as `scipy.stats.wilcoxon` and `scipy.stats.ttest_rel` have them.

use crate::figure::PairedTest;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Up to this many differences without ties or zeros the distribution of ranks is exact.
const EXACT: usize = 50;
/// The same with ties or zeros.
const EXACT_TIES: usize = 13;

/// The p value; `None` where there are too few differences, or none that is a number.
pub(super) fn p_value(test: PairedTest, differences: &[f64]) -> Option<f64> {
    match test {
        PairedTest::Wilcoxon => wilcoxon(differences),
        PairedTest::T => t_test(differences),
    }
}

fn t_test(d: &[f64]) -> Option<f64> {
    let n = d.len() as f64;
    if d.len() < 2 {
        return None;
    }
    let mean = d.iter().sum::<f64>() / n;
    let variance = d.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = mean / (variance / n).sqrt();
    if t.is_nan() {
        return None;
    }
    let of = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
    Some((2.0 * of.sf(t.abs())).clamp(0.0, 1.0))
}

fn wilcoxon(d: &[f64]) -> Option<f64> {
    if d.is_empty() {
        return None;
    }
    // Zeros are dropped.
    let mut sizes: Vec<(f64, bool)> = d.iter().filter(|v| **v != 0.0).map(|v| (v.abs(), *v > 0.0)).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = sizes.len();
    // Twice the mean ranks, which are whole numbers.
    let mut ranks = Vec::with_capacity(n);
    let mut ties = 0.0;
    for run in sizes.chunk_by(|a, b| a.0 == b.0) {
        let (first, len) = (ranks.len() as u64 + 1, run.len() as u64);
        ranks.extend(std::iter::repeat_n(2 * first + len - 1, run.len()));
        let t = len as f64;
        ties += t * t * t - t;
    }
    let plus: u64 = ranks.iter().zip(&sizes).filter(|(_, s)| s.1).map(|(r, _)| r).sum();
    let is_plain = ties == 0.0 && n == d.len();
    if is_plain && n <= EXACT || d.len() <= EXACT_TIES {
        return Some(exact(&ranks, plus));
    }
    let count = n as f64;
    let mean = count * (count + 1.0) / 4.0;
    let variance = (count * (count + 1.0) * (2.0 * count + 1.0) - ties / 2.0) / 24.0;
    let z = (plus as f64 / 2.0 - mean) / variance.sqrt();
    let p = 2.0 * Normal::standard().sf(z.abs());
    (!p.is_nan()).then(|| p.clamp(0.0, 1.0))
}

/// The two-sided p value of a sum of doubled ranks when each has either sign with the same chance.
fn exact(ranks: &[u64], plus: u64) -> f64 {
    let all: u64 = ranks.iter().sum();
    let mut ways = vec![0.0f64; all as usize + 1];
    ways[0] = 1.0;
    for (i, rank) in ranks.iter().enumerate() {
        let reached: u64 = ranks[..i].iter().sum();
        for sum in (0..=reached as usize).rev() {
            ways[sum + *rank as usize] += ways[sum];
        }
    }
    let total = 2f64.powi(ranks.len() as i32);
    let below: f64 = ways[..=plus as usize].iter().sum();
    let above: f64 = ways[plus as usize..].iter().sum();
    (2.0 * below.min(above) / total).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences, and the p values of `scipy.stats.wilcoxon(d).pvalue` and `scipy.stats.ttest_1samp(d, 0).pvalue`.
    const TRUTHS: &str = include_str!("paired_test/truth.json");

    #[test]
    fn ranks_of_many_pairs_are_summed_whole() {
        let d: Vec<f64> = (1..=150_000i32).map(|i| f64::from(if i % 2 == 0 { i } else { -i })).collect();
        // Half of the pairs on either side, evenly: nothing that chance does not do.
        let p = p_value(PairedTest::Wilcoxon, &d).unwrap();
        assert!(p > 0.9, "{p}");
    }

    #[test]
    fn p_values_are_those_of_scipy() {
        let cases: Vec<(Vec<f64>, Option<f64>, Option<f64>)> = serde_json::from_str(TRUTHS).unwrap();
        assert!(cases.len() > 20);
        for (d, wilcoxon, t) in cases {
            for (test, wanted) in [(PairedTest::Wilcoxon, wilcoxon), (PairedTest::T, t)] {
                match (p_value(test, &d), wanted) {
                    (None, None) => {}
                    (Some(p), Some(q)) => {
                        assert!((p - q).abs() < 1e-9 * q.max(1e-3), "{test:?}: {d:?}: {p}, not {q}");
                    }
                    (p, q) => panic!("{test:?}: {d:?}: {p:?}, not {q:?}"),
                }
            }
        }
    }
}
