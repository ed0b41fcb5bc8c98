//! Bins: their edges, as numpy's `histogram` has them, the bin of a number, and how bins are written.

use crate::expression::Cut;
use std::cmp::Ordering;

/// Spread of the numbers of the rows, from which edges are made.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// The least and the greatest finite number, and the least above 0.
    range: Option<(f64, f64)>,
    least_positive: Option<f64>,
    /// All finite numbers, where quantiles are asked for.
    all: Vec<f64>,
}

impl Spread {
    /// Takes a number; `all` says whether it is held.
    pub(super) fn take(&mut self, v: f64, all: bool) {
        if !v.is_finite() {
            return;
        }
        self.range = Some(self.range.map_or((v, v), |(a, b)| (a.min(v), b.max(v))));
        if v > 0.0 {
            self.least_positive = Some(self.least_positive.map_or(v, |least| least.min(v)));
        }
        if all {
            self.all.push(v);
        }
    }

    /// Takes the numbers of further rows.
    pub(super) fn append(&mut self, mut more: Self) {
        let ends = more.range.map_or([None, None], |(low, high)| [Some(low), Some(high)]);
        let ends = ends.into_iter().chain([more.least_positive]).flatten();
        ends.for_each(|v| self.take(v, false));
        self.all.append(&mut more.all);
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.all.len() as u64
    }

    /// The edges of bins.
    ///
    /// # Errors
    /// No number, or more bins than a column may have.
    pub(super) fn edges(mut self, cut: &Cut, most: usize) -> Result<Vec<f64>, String> {
        if let Cut::Edges(edges) = cut {
            return Ok(edges.clone());
        }
        let Some((low, high)) = self.range else {
            return Err("holds no finite number".to_owned());
        };
        match cut {
            Cut::Equal(bins) => Ok(equal(low, high, *bins)),
            Cut::Ratio(bins) => match self.least_positive {
                Some(least) => Ok(ratio(least, high, *bins)),
                None => Err("holds no number above 0, which bins of a logarithm need".to_owned()),
            },
            Cut::Quantile(bins) => {
                self.all.sort_unstable_by(f64::total_cmp);
                let mut edges: Vec<f64> =
                    (0..=*bins).map(|i| quantile(&self.all, i as f64 / *bins as f64)).collect();
                edges.dedup();
                if edges.len() == 1 {
                    edges = equal(low, high, 1);
                }
                Ok(edges)
            }
            Cut::Width(width) => {
                let edge = |k: f64| multiple(k, *width);
                // The quotient may be rounded across a whole number.
                let place = |v: f64| {
                    let k = (v / width).floor();
                    match () {
                        () if edge(k) > v => k - 1.0,
                        () if edge(k + 1.0) <= v => k + 1.0,
                        () => k,
                    }
                };
                let (first, last) = (place(low), place(high));
                let bins = last - first + 1.0;
                if bins > most as f64 || bins.is_nan() {
                    let count = if bins > 1e15 { "too many".to_owned() } else { format!("{bins}") };
                    return Err(format!("would have {count} bins of {width}; {most} are the most"));
                }
                let edges: Vec<f64> = (0..=bins as usize).map(|i| edge(first + i as f64)).collect();
                if edges.windows(2).any(|w| w[0] >= w[1]) {
                    return Err(format!("has numbers too large for bins of {width}"));
                }
                Ok(edges)
            }
            Cut::Edges(edges) => Ok(edges.clone()),
            Cut::Rank => Ok(vec![low, high]),
        }
    }

    /// All numbers, ascending.
    pub(super) fn sorted(mut self) -> Vec<f64> {
        self.all.sort_unstable_by(f64::total_cmp);
        self.all
    }
}

/// A multiple of a width, of numbers as they are written: 3 times 0.1 is 0.3, though its product in f64 is not.
fn multiple(k: f64, width: f64) -> f64 {
    let product = k * width;
    let text = format!("{width:e}");
    let decimals = text.split_once('e').and_then(|(digits, exponent)| {
        let after = digits.split_once('.').map_or(0, |(_, after)| after.len() as i32);
        usize::try_from(after - exponent.parse::<i32>().ok()?).ok()
    });
    let written = decimals.and_then(|decimals| format!("{product:.decimals$}").parse().ok());
    written.unwrap_or(product)
}

/// Edges in equal steps; around a lone number they are half of 1 away from it, as numpy has them.
fn equal(low: f64, high: f64, bins: usize) -> Vec<f64> {
    let (mut low, mut high) = (low, high);
    if low == high {
        let half = 0.5f64.max(low.abs() * 1e-9);
        (low, high) = (low - half, high + half);
    }
    let step = (high / bins as f64) - (low / bins as f64);
    let step = if (high - low).is_finite() { (high - low) / bins as f64 } else { step };
    let mut edges: Vec<f64> = (0..=bins).map(|i| i as f64 * step + low).collect();
    edges[bins] = high;
    thinned(edges)
}

/// Edges in equal ratios.
fn ratio(low: f64, high: f64, bins: usize) -> Vec<f64> {
    let (low, high) = if low == high {
        ((low / 2.0).max(f64::from_bits(1)), (high * 2.0).clamp(f64::from_bits(2), f64::MAX))
    } else {
        (low, high)
    };
    let logs = equal(low.log10(), high.log10(), bins);
    let mut edges: Vec<f64> = logs.iter().map(|l| 10f64.powf(*l)).collect();
    let last = edges.len() - 1;
    (edges[0], edges[last]) = (low, high);
    thinned(edges)
}

/// The edges without those that numbers so close to each other cannot tell apart.
fn thinned(mut edges: Vec<f64>) -> Vec<f64> {
    edges.dedup_by(|b, a| *b <= *a);
    edges
}

/// The quantile of ascending numbers by numpy's linear rule.
fn quantile(sorted: &[f64], at: f64) -> f64 {
    let place = at * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let (a, b) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    let step = b - a;
    match part {
        // Numbers at either end of f64.
        _ if step.is_infinite() => a * (1.0 - part) + b * part,
        part if part >= 0.5 => b - step * (1.0 - part),
        part => a + step * part,
    }
}

/// Where a number lies among edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinPlace {
    Below,
    In(usize),
    Above,
}

/// The bin of a number: from its lower edge on, up to its upper one without it; the last bin has its upper edge, too.
pub(super) fn place(edges: &[f64], v: f64) -> BinPlace {
    let last = edges.len() - 1;
    match v.partial_cmp(&edges[last]) {
        Some(Ordering::Greater) | None => return BinPlace::Above,
        Some(Ordering::Equal) => return BinPlace::In(last - 1),
        Some(Ordering::Less) => {}
    }
    match edges.partition_point(|edge| *edge <= v) {
        0 => BinPlace::Below,
        after => BinPlace::In(after - 1),
    }
}

/// How bins are written, `0.1–0.2`: each edge as it is, where that is short; else by as many digits as lie within two thousandths of a bin.
pub(super) fn labels(edges: &[f64]) -> Vec<String> {
    let texts: Vec<String> = (0..edges.len()).map(|i| text(edges, i)).collect();
    texts.windows(2).map(|w| format!("{}–{}", w[0], w[1])).collect()
}

/// Keys of numbers outside of all bins.
pub(super) fn outside(edges: &[f64]) -> [String; 2] {
    [format!("< {}", text(edges, 0)), format!("> {}", text(edges, edges.len() - 1))]
}

/// Numbers of up to this many digits are written as they are, and whole ones below the second.
const SHORT: usize = 7;
const WHOLE: f64 = 1e15;

fn text(edges: &[f64], i: usize) -> String {
    let v = edges[i];
    let gap = |j: Option<usize>| {
        let other = j.and_then(|j| edges.get(j));
        other.map_or(f64::INFINITY, |other| (other - v).abs())
    };
    let near = gap(i.checked_sub(1)).min(gap(Some(i + 1)));
    let rounded = |digits: usize| format!("{v:.*e}", digits - 1).parse::<f64>().unwrap_or(v);
    let is_exact = (v.fract() == 0.0 && v.abs() < WHOLE) || rounded(SHORT) == v;
    let is_good = |digits: &usize| (rounded(*digits) - v).abs() <= near / 500.0;
    let short = match () {
        () if is_exact => v,
        () if v.abs() < near * 1e-9 => 0.0,
        () => (1..=17).find(is_good).map_or(v, rounded),
    };
    let plain = short == 0.0 || (1e-4..1e7).contains(&short.abs());
    let text = if plain { format!("{short}") } else { format!("{short:e}") };
    text.replace('-', "−").replace("e−", "e-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[f64], all: bool) -> Spread {
        let mut spread = Spread::default();
        values.iter().for_each(|v| {
            spread.take(*v, all);
        });
        spread
    }

    #[test]
    fn edges_are_those_of_numpy() {
        let of = |values: &[f64], cut| spread(values, true).edges(&cut, 100).unwrap();
        assert_eq!(of(&[0.0, 1.0, f64::NAN, 4.0], Cut::Equal(4)), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(of(&[5.0, f64::INFINITY], Cut::Equal(2)), [4.5, 5.0, 5.5]);
        assert_eq!(of(&[-1.0, 1e-3, 10.0], Cut::Ratio(2)), [1e-3, 0.1, 10.0]);
        assert_eq!(of(&[1.0, 2.0, 3.0, 4.0], Cut::Quantile(2)), [1.0, 2.5, 4.0]);
        assert_eq!(of(&[1.0, 1.0, 1.0, 4.0], Cut::Quantile(4)), [1.0, 1.75, 4.0]);
        assert_eq!(of(&[-0.5, 1.2], Cut::Width(0.5)), [-0.5, 0.0, 0.5, 1.0, 1.5]);
        let tenths: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
        assert_eq!(of(&[0.05, 0.95], Cut::Width(0.1)), tenths);
        for (low, first) in [(0.3, 0.3), (0.7, 0.7), (0.299_999_999_999_999_93, 0.2), (-0.3, -0.3)] {
            assert_eq!(of(&[low, 0.9], Cut::Width(0.1))[0], first);
        }
        assert_eq!(of(&[0.0, 0.7], Cut::Width(0.1)).last(), Some(&0.8));
        assert_eq!(of(&[25.0, 49.0], Cut::Width(10.0)), [20.0, 30.0, 40.0, 50.0]);
        assert!(spread(&[0.0, 1e9], false).edges(&Cut::Width(1e-3), 100).is_err());
        assert!(spread(&[f64::NAN], false).edges(&Cut::Equal(3), 100).is_err());
        assert!(spread(&[-1.0], false).edges(&Cut::Ratio(3), 100).is_err());
        let far = of(&[-1.7e308, 1.7e308], Cut::Equal(2));
        assert!(far.iter().all(|v| v.is_finite()) && far.len() == 3, "{far:?}");
    }

    #[test]
    fn the_last_bin_has_both_edges() {
        use BinPlace::{Above, Below, In};
        let edges = [0.0, 1.0, 2.0];
        let places = [-1.0, 0.0, 0.5, 1.0, 2.0, 2.1, f64::NEG_INFINITY].map(|v| place(&edges, v));
        assert_eq!(places, [Below, In(0), In(0), In(1), In(1), Above, Below]);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(labels(&[0.0, 0.1, 0.2, 0.30000000000000004]), ["0–0.1", "0.1–0.2", "0.2–0.3"]);
        assert_eq!(labels(&[-2.0, -1.0, 0.0]), ["−2–−1", "−1–0"]);
        assert_eq!(labels(&[1e-5, 1e-4, 1e7]), ["1e-5–0.0001", "0.0001–1e7"]);
        assert_eq!(labels(&[1.0, 1234.0, 1_234_567.0]), ["1–1234", "1234–1234567"]);
        assert_eq!(labels(&[0.0, 18.5, 100.25]), ["0–18.5", "18.5–100.25"]);
        assert_eq!(labels(&[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]), ["0–0.333", "0.333–0.667", "0.667–1"]);
    }
}
