//! Round values along a range, and their labels.

use super::format::short;
use super::norm::Norm;

/// A value and its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it lies.
    pub value: f64,
    /// Its text, like no other of the same axis.
    pub label: String,
}

/// Steps of round ticks, as in matplotlib's MaxNLocator.
const STEPS: [f64; 5] = [1.0, 2.0, 2.5, 5.0, 10.0];

/// More powers than base 2 has in all of f64.
const MOST_POWERS: i64 = 5_000;

/// At most `most` round values from `low` to `high` with the same decimals; one for an empty range.
pub fn nice_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) || most < 2 {
        return vec![Tick { value: low, label: short(low) }];
    }
    let raw = span / (most - 1).max(1) as f64;
    let decade = 10f64.powf(raw.log10().floor());
    for k in 0..3 {
        for s in STEPS {
            let step = s * decade * 10f64.powi(k);
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            let n = last - first + 1.0;
            if n >= 1.0 && n <= most as f64 && step > 0.0 {
                let values: Vec<f64> = (0..n as usize).map(|i| (first + i as f64) * step).map(|v| v.clamp(low, high)).collect();
                return labelled(values, step);
            }
        }
    }
    vec![Tick { value: low, label: short(low) }]
}

/// Labels with common decimals, or with exponents where numbers are very large or small.
fn labelled(values: Vec<f64>, step: f64) -> Vec<Tick> {
    let most = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let decimals = (0..=12).find(|d| {
        let whole = step * 10f64.powi(*d);
        whole.round() >= 1.0 && (whole - whole.round()).abs() < 1e-6 * whole
    });
    let fixed = |d: i32| values.iter().map(|v| plain_zero(format!("{v:.*}", d as usize))).collect::<Vec<_>>();
    let labels = match decimals {
        Some(d) if most < 1e6 && (d <= 4 || most >= 1e-3 && d <= 6) => fixed(d),
        _ => exponents(&values, most, step),
    };
    values.into_iter().zip(labels).map(|(value, label)| Tick { value, label }).collect()
}

fn exponents(values: &[f64], most: f64, step: f64) -> Vec<String> {
    let e = most.log10().floor();
    let digits = (e - step.log10().floor()).max(0.0) as usize + 1;
    // Enough digits that neighbours differ, also on a large offset.
    (digits..=17)
        .map(|d| {
            values
                .iter()
                .map(|v| {
                    if *v == 0.0 {
                        return "0".to_owned();
                    }
                    let t = format!("{v:.*e}", d.saturating_sub(1));
                    match t.split_once('e') {
                        Some((m, e)) if m.contains('.') => format!("{}e{e}", m.trim_end_matches('0').trim_end_matches('.')),
                        _ => t,
                    }
                })
                .collect::<Vec<_>>()
        })
        .find(|l| l.windows(2).all(|p| p[0] != p[1]))
        .unwrap_or_else(|| values.iter().map(f64::to_string).collect())
}

fn plain_zero(text: String) -> String {
    if text.starts_with('-') && text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.')) { text[1..].to_owned() } else { text }
}

/// At most `most` ticks of a colour bar, ascending, all between the limits.
pub fn norm_ticks(norm: &Norm, vmin: f64, vmax: f64, most: usize) -> Vec<Tick> {
    if vmin >= vmax {
        return vec![Tick { value: vmin, label: short(vmin) }];
    }
    let plain = |values: Vec<f64>| distinct(values.into_iter().map(|value| Tick { value, label: short(value) }).collect());
    match norm {
        Norm::Linear | Norm::Power { .. } | Norm::CenterLinear { .. } | Norm::Centered { .. } => nice_ticks(vmin, vmax, most),
        Norm::Log => log_ticks(vmin, vmax, most),
        Norm::SymLog { linthresh, base, .. } => plain(symlog_ticks(vmin, vmax, *linthresh, *base, most)),
        Norm::TwoSlope { center } => {
            let side = (most / 2 + 1).max(2);
            let mut v: Vec<f64> = nice_ticks(vmin, *center, side).into_iter().map(|t| t.value).filter(|v| v < center).collect();
            v.push(*center);
            v.extend(nice_ticks(*center, vmax, side).into_iter().map(|t| t.value).filter(|v| v > center));
            plain(thinned(v, most))
        }
        Norm::Bounds(b) => plain(thinned(b.clone(), most)),
        Norm::Quantile(_) => plain((0..most.max(2)).map(|i| norm.inverse(i as f64 / (most.max(2) - 1) as f64, vmin, vmax)).collect()),
    }
}

/// Evenly chosen, both ends kept.
fn thinned(values: Vec<f64>, most: usize) -> Vec<f64> {
    let n = values.len();
    if n <= most.max(1) {
        return values;
    }
    if most < 2 {
        return vec![values[0]];
    }
    (0..most).map(|i| values[(i * (n - 1) + (most - 1) / 2) / (most - 1)]).collect()
}

fn distinct(ticks: Vec<Tick>) -> Vec<Tick> {
    let mut out: Vec<Tick> = Vec::new();
    for t in ticks {
        if out.iter().all(|o| o.label != t.label) {
            out.push(t);
        }
    }
    out
}

fn log_ticks(vmin: f64, vmax: f64, most: usize) -> Vec<Tick> {
    let (low, high) = (vmin.log10().floor() as i32, vmax.log10().ceil() as i32);
    let within = |v: f64| v >= vmin * (1.0 - 1e-12) && v <= vmax * (1.0 + 1e-12);
    let values = |factors: &[f64], stride: usize| -> Vec<f64> {
        (low..=high).step_by(stride).flat_map(|e| factors.iter().map(move |f| power(*f, e))).filter(|v| within(*v)).collect()
    };
    let dense = [[1.0, 2.0, 5.0].as_slice(), &[1.0, 3.0], &[1.0]];
    let tick = |v: Vec<f64>| distinct(v.into_iter().map(|value| Tick { value, label: short(value) }).collect());
    for f in dense {
        let v = values(f, 1);
        if (2..=most).contains(&v.len()) {
            return tick(v);
        }
    }
    for stride in 2..=((high - low).max(2) as usize) {
        let v = values(&[1.0], stride);
        if (2..=most).contains(&v.len()) {
            return tick(v);
        }
    }
    nice_ticks(vmin, vmax, most)
}

fn power(factor: f64, e: i32) -> f64 {
    // The text route gives the f64 nearest to the decimal number.
    format!("{factor}e{e}").parse().unwrap_or(factor * 10f64.powi(e))
}

fn symlog_ticks(vmin: f64, vmax: f64, linthresh: f64, base: f64, most: usize) -> Vec<f64> {
    let top = vmax.abs().max(vmin.abs());
    let first = (linthresh.ln() / base.ln()).ceil() as i32;
    let last = (top.ln() / base.ln() + 1e-9).floor() as i32;
    // A base next to 1 has more powers than any bar has room for.
    if i64::from(last) - i64::from(first) > MOST_POWERS {
        return nice_ticks(vmin, vmax, most).into_iter().map(|t| t.value).collect();
    }
    let sides = usize::from(vmin < 0.0) + usize::from(vmax > 0.0);
    for stride in 1..=((last - first).max(0) as usize + 1) {
        let decades: Vec<f64> =
            (first..=last).rev().step_by(stride).map(|e| if base == 10.0 { power(1.0, e) } else { base.powi(e) }).collect();
        let mut v: Vec<f64> = decades.iter().map(|d| -d).chain([0.0]).chain(decades.iter().rev().copied()).collect();
        v.retain(|x| *x >= vmin && *x <= vmax);
        if v.len() <= most.max(sides + 1) && v.len() > 1 {
            return v;
        }
    }
    nice_ticks(vmin, vmax, most).into_iter().map(|t| t.value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(t: Vec<Tick>) -> Vec<String> {
        t.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(nice_ticks(0.0, 100.0, 6)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(nice_ticks(24.0, 48.0, 6)), ["25", "30", "35", "40", "45"]);
        assert_eq!(labels(nice_ticks(0.0, 1.0, 6)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(nice_ticks(-1.0, 1.0, 5)), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(nice_ticks(0.0, 3e-7, 4)), ["0", "1e-7", "2e-7", "3e-7"]);
        let big = labels(nice_ticks(1e9, 1e9 + 1.0, 3));
        assert!(big.windows(2).all(|p| p[0] != p[1]), "{big:?}");
        assert_eq!(labels(nice_ticks(5.0, 5.0, 6)), ["5"]);
    }

    #[test]
    fn bars_have_ticks_of_their_norm() {
        assert_eq!(labels(norm_ticks(&Norm::Log, 0.001, 10.0, 6)), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(norm_ticks(&Norm::Bounds(vec![0.0, 10.0, 50.0]), 0.0, 50.0, 9)), ["0", "10", "50"]);
        let s = Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 10.0 };
        assert_eq!(labels(norm_ticks(&s, -100.0, 100.0, 9)), ["-100", "-10", "-1", "0", "1", "10", "100"]);
        assert_eq!(labels(norm_ticks(&Norm::TwoSlope { center: 0.0 }, -2.0, 10.0, 6)), ["-2", "-1", "0", "5", "10"]);
    }

    #[test]
    fn no_range_breaks_them() {
        for (a, b) in [(0.0, 5e-324), (-1.7e308, 1.7e308), (1e-300, 1e300), (1e15, 1e15 + 2.0), (-5.0, 3.0)] {
            for n in [
                Norm::Linear,
                Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 2.0 },
                Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 1.0 + 1e-10 },
                Norm::TwoSlope { center: (a + b) / 2.0 },
            ] {
                for most in 1..9 {
                    let t = norm_ticks(&n, a, b, most);
                    assert!(!t.is_empty() && t.iter().all(|t| t.value >= a && t.value <= b), "{n:?} {a} {b} {t:?}");
                }
            }
        }
    }
}
