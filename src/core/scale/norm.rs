//! Norms: where a value lies between the limits, 0 to 1. The rules are matplotlib's, `CenterLinear` is seaborn's.

use super::norm_spec::{BoundsError, LimitsError};

/// How values spread over a colormap.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Norm {
    /// Equal steps.
    Linear,
    /// Equal ratios; values of 0 and less lie below.
    Log,
    /// Linear within +-linthresh, logarithmic beyond (matplotlib's `SymLogNorm`).
    SymLog {
        /// Where the linear part ends.
        linthresh: f64,
        /// Decades that the linear half takes.
        linscale: f64,
        /// Base of the logarithm.
        base: f64,
    },
    /// Linear to the power of gamma.
    Power {
        /// The exponent.
        gamma: f64,
    },
    /// Two linear slopes that meet at the centre in the middle of the map.
    TwoSlope {
        /// The value at the middle.
        center: f64,
    },
    /// Linear, the limits at equal distances from the centre.
    Centered {
        /// The value at the middle.
        center: f64,
        /// From the centre to each limit; the farthest value if not given.
        half: Option<f64>,
    },
    /// Linear with the centre in the middle of the map: the nearer limit does not reach the map's end.
    CenterLinear {
        /// The value at the middle.
        center: f64,
    },
    /// Steps at boundaries (matplotlib's `BoundaryNorm`).
    Bounds(Vec<f64>),
    /// Equal numbers of values: sorted breakpoints at equal shares.
    Quantile(Vec<f64>),
}

/// Properties of a norm that the rest of the program needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormTraits<'a> {
    /// The word that a user writes.
    pub word: &'static str,
    /// Equal steps of the value are equal steps along the whole map.
    pub straight: bool,
    /// The value at the middle of the map, which then is a diverging one unless another is chosen.
    pub center: Option<f64>,
    /// The limits where none are set.
    pub limits: AutoLimits,
    /// The ticks of a colour bar.
    pub ticks: TickRule<'a>,
    /// The values that a norm can show.
    pub values: ValueRule,
    /// How values run along a colour bar.
    pub bar: BarCurve<'a>,
}

/// The values that a norm can show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRule {
    /// All.
    Any,
    /// Those above 0.
    Positive,
    /// Values of which some lie on each side of a centre.
    BothSides(f64),
}

/// How values run along a colour bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BarCurve<'a> {
    /// In equal steps, beyond the ends too.
    Straight,
    /// By the norm's inverse, beyond the ends too.
    Inverse,
    /// By the norm's inverse, but in equal steps below the low end.
    StraightBelow,
    /// In steps of equal length between these boundaries. The limits cannot be moved.
    Steps(&'a [f64]),
    /// By equal shares of all values. The limits cannot be moved.
    Shares,
}

/// The limits of a scale where none are set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AutoLimits {
    /// The least and the greatest value.
    Data,
    /// The least positive and the greatest value.
    Positive,
    /// At equal distances from the centre: `half`, or that of the farthest value.
    Around {
        /// The centre.
        center: f64,
        /// The distance of both limits from it.
        half: Option<f64>,
    },
    /// The norm's own.
    Given(f64, f64),
    /// The least and the greatest value, and breakpoints between them that are found from all values.
    Quantiles,
}

/// Where the ticks of a colour bar are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TickRule<'a> {
    /// At round values.
    Round,
    /// At powers of ten.
    Powers,
    /// At powers of the base on both sides of zero.
    SignedPowers {
        /// Where the linear part ends.
        linthresh: f64,
        /// The base of the powers.
        base: f64,
    },
    /// At round values on both sides of a centre, which has one.
    TwoSides(f64),
    /// At these values.
    At(&'a [f64]),
    /// At equal shares of the map.
    EqualShares,
}

impl Norm {
    /// The word that a user writes.
    pub fn word(&self) -> &'static str {
        self.traits().word
    }

    /// Whether the ticks of its colour bar are at round values.
    pub fn has_round_ticks(&self) -> bool {
        self.traits().ticks == TickRule::Round
    }

    /// Properties of this norm beside its curve: the one place that names every norm.
    pub fn traits(&self) -> NormTraits<'_> {
        let plain = NormTraits {
            word: "linear",
            straight: false,
            center: None,
            limits: AutoLimits::Data,
            ticks: TickRule::Round,
            values: ValueRule::Any,
            bar: BarCurve::Inverse,
        };
        match self {
            Norm::Linear => NormTraits { straight: true, bar: BarCurve::Straight, ..plain },
            Norm::Log => NormTraits {
                word: "log",
                limits: AutoLimits::Positive,
                ticks: TickRule::Powers,
                values: ValueRule::Positive,
                ..plain
            },
            Norm::SymLog { linthresh, base, .. } => NormTraits {
                word: "symlog",
                ticks: TickRule::SignedPowers { linthresh: *linthresh, base: *base },
                ..plain
            },
            Norm::Power { .. } => NormTraits { word: "power", bar: BarCurve::StraightBelow, ..plain },
            Norm::TwoSlope { center } => NormTraits {
                word: "twoslope",
                center: Some(*center),
                ticks: TickRule::TwoSides(*center),
                values: ValueRule::BothSides(*center),
                ..plain
            },
            Norm::Centered { center, half } => NormTraits {
                word: "centered",
                straight: true,
                bar: BarCurve::Straight,
                center: Some(*center),
                limits: AutoLimits::Around { center: *center, half: *half },
                ..plain
            },
            Norm::CenterLinear { center } => NormTraits {
                word: "center",
                center: Some(*center),
                // The bar ends at the limits, so it is straight although it shows only part of the map.
                bar: BarCurve::Straight,
                ..plain
            },
            Norm::Bounds(b) => NormTraits {
                word: "bounds",
                limits: match b[..] {
                    [low, .., high] => AutoLimits::Given(low, high),
                    _ => AutoLimits::Data,
                },
                ticks: TickRule::At(b),
                bar: BarCurve::Steps(b),
                ..plain
            },
            Norm::Quantile(_) => NormTraits {
                word: "quantile",
                limits: AutoLimits::Quantiles,
                ticks: TickRule::EqualShares,
                bar: BarCurve::Shares,
                ..plain
            },
        }
    }

    /// Where `v` lies: 0 at the low end of the map, 1 at its high end; beyond the limits less than 0 or more than 1.
    /// `entries` is the size of the map, which steps spread over. Equal limits give 0.
    pub fn t(&self, v: f64, vmin: f64, vmax: f64, entries: usize) -> f64 {
        if vmin == vmax && !matches!(self, Norm::Bounds(_)) {
            return 0.0;
        }
        match self {
            Norm::Linear | Norm::Centered { .. } => share(v, vmin, vmax),
            Norm::Log => share(v.ln(), vmin.ln(), vmax.ln()),
            Norm::SymLog { linthresh, linscale, base } => {
                let f = |v: f64| symlog(v, *linthresh, *linscale, *base);
                share(f(v), f(vmin), f(vmax))
            }
            Norm::Power { gamma } => {
                let t = share(v, vmin, vmax);
                // Values below vmin stay linear, as in matplotlib.
                if t < 0.0 { t } else { t.powf(*gamma) }
            }
            Norm::TwoSlope { center } => {
                if v < *center {
                    0.5 * share(v, vmin, *center)
                } else {
                    0.5 + 0.5 * share(v, *center, vmax)
                }
            }
            Norm::CenterLinear { center } => {
                let reach = (vmax - center).max(center - vmin);
                if (center + reach).is_finite() {
                    return 0.5 + 0.5 * share(v, *center, center + reach);
                }
                let half = (vmax / 2.0 - center / 2.0).max(center / 2.0 - vmin / 2.0);
                0.5 + 0.5 * ((v / 2.0 - center / 2.0) / half)
            }
            Norm::Bounds(b) => bounds_index(b, v, entries),
            Norm::Quantile(q) => quantile_share(q, v),
        }
    }

    /// The value at `t` of 0 to 1 between the limits.
    pub fn inverse(&self, t: f64, vmin: f64, vmax: f64) -> f64 {
        let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
        match self {
            Norm::Linear | Norm::Centered { .. } => mix(vmin, vmax, t),
            Norm::Log => mix(vmin.ln(), vmax.ln(), t).exp(),
            Norm::SymLog { linthresh, linscale, base } => {
                let f = |v: f64| symlog(v, *linthresh, *linscale, *base);
                let s = mix(f(vmin), f(vmax), t);
                let knee = linscale / (1.0 - 1.0 / base);
                if s.abs() <= linthresh * knee {
                    s / knee
                } else {
                    s.signum() * linthresh * base.powf(s.abs() / linthresh - knee)
                }
            }
            Norm::Power { gamma } => mix(vmin, vmax, t.powf(1.0 / gamma)),
            Norm::TwoSlope { center } => {
                if t < 0.5 {
                    mix(vmin, *center, 2.0 * t)
                } else {
                    mix(*center, vmax, 2.0 * t - 1.0)
                }
            }
            Norm::CenterLinear { center } => {
                let half = (vmax / 2.0 - center / 2.0).max(center / 2.0 - vmin / 2.0);
                let reach = (vmax - center).max(center - vmin);
                let at = (2.0 * t - 1.0) * reach;
                if at.is_finite() { center + at } else { (center / 2.0 + (2.0 * t - 1.0) * half) * 2.0 }
            }
            Norm::Bounds(b) => along(b, t),
            Norm::Quantile(q) => {
                let ((low, high), steps) = (end_ranks(q), q.len().saturating_sub(1).max(1) as f64);
                along(q, mix(low / steps, high / steps, t))
            }
        }
    }

    /// Whether the limits suit the norm.
    ///
    /// # Errors
    /// The reason why the limits do not fit, with the numbers.
    pub fn check(&self, vmin: f64, vmax: f64) -> Result<(), LimitsError> {
        if !(vmin.is_finite() && vmax.is_finite()) {
            return Err(LimitsError::NotFinite { vmin, vmax });
        }
        if vmin > vmax {
            return Err(LimitsError::Reversed { vmin, vmax });
        }
        match *self {
            Norm::Log if vmin <= 0.0 => Err(LimitsError::NotPositive { vmin, vmax }),
            Norm::Bounds(ref b) => ascending(b).map_err(LimitsError::Bounds),
            Norm::TwoSlope { center } if !(vmin < center && center < vmax) => {
                Err(LimitsError::Center { vmin, center, vmax })
            }
            _ => Ok(()),
        }
    }
}

/// `(v - a) / (b - a)` without overflow or loss at either end of f64.
pub(super) fn share(v: f64, a: f64, b: f64) -> f64 {
    let span = b - a;
    if span == 0.0 {
        return 0.0;
    }
    if span.is_finite() && span.abs() >= f64::MIN_POSITIVE {
        return (v - a) / span;
    }
    // Scaled by a power of two: down for spans beyond f64, up for denormal ones.
    let k = if span.is_finite() { f64::powi(2.0, 200) } else { 0.25 };
    (v * k - a * k) / (b * k - a * k)
}

/// matplotlib's `SymLogNorm` before it is scaled to the limits.
pub(super) fn symlog(v: f64, linthresh: f64, linscale: f64, base: f64) -> f64 {
    let knee = linscale / (1.0 - 1.0 / base);
    let a = v.abs();
    if a <= linthresh {
        return v * knee;
    }
    let ratio = a / linthresh;
    // A ratio beyond f64 still has a logarithm.
    let ln = if ratio.is_finite() { ratio.ln() } else { a.ln() - linthresh.ln() };
    v.signum() * linthresh * (knee + ln / base.ln())
}

/// Whether boundaries are at least two finite numbers, each above the one before.
///
/// # Errors
/// Which one is not, by its place and value.
pub(super) fn ascending(bounds: &[f64]) -> Result<(), BoundsError> {
    if bounds.len() < 2 {
        return Err(BoundsError::Few(bounds.len()));
    }
    if let Some(i) = bounds.iter().position(|b| !b.is_finite()) {
        return Err(BoundsError::NotFinite { place: i + 1, value: bounds[i] });
    }
    match bounds.windows(2).position(|p| p[0] >= p[1]) {
        Some(i) => Err(BoundsError::NotAbove { place: i + 2, value: bounds[i + 1], before: bounds[i] }),
        None => Ok(()),
    }
}

/// matplotlib's `BoundaryNorm`: the bin, spread over the map's entries, at the middle of its entry.
fn bounds_index(b: &[f64], v: f64, entries: usize) -> f64 {
    let bins = b.len().saturating_sub(1);
    if bins == 0 {
        return 0.0;
    }
    let k = b.partition_point(|x| *x <= v);
    if k == 0 {
        return -0.5 / entries as f64;
    }
    // The last boundary itself belongs to what lies above, as in matplotlib.
    if k > bins {
        return if v == b[bins] { 1.0 } else { 1.0 + 0.5 / entries as f64 };
    }
    let bin = k - 1;
    let index = if bins == 1 {
        (entries - 1) / 2
    } else if entries > bins {
        ((entries - 1) as f64 / (bins - 1) as f64 * bin as f64) as usize
    } else {
        bin.min(entries - 1)
    };
    (index as f64 + 0.5) / entries as f64
}

/// The mid-rank of `v`, from 0 for the least value to 1 for the greatest, by breakpoints at equal shares: where several values are
/// equal, the middle of their places, `scipy.stats.rankdata(x)` moved and scaled. So values with the opposite sign have the opposite
/// places. Beyond the breakpoints it is less than 0 or more than 1.
fn quantile_share(q: &[f64], v: f64) -> f64 {
    let (Some(first), Some(last)) = (q.first(), q.last()) else {
        return 0.0;
    };
    if v < *first {
        return -1.0;
    }
    if v > *last {
        return 2.0;
    }
    let (low, high) = end_ranks(q);
    share(mid_rank(q, v), low, high)
}

/// The mid-ranks of the least and the greatest breakpoint, in steps between breakpoints.
fn end_ranks(q: &[f64]) -> (f64, f64) {
    let rank = |end: Option<&f64>| end.map_or(0.0, |v| mid_rank(q, *v));
    (rank(q.first()), rank(q.last()))
}

/// The place of `v` among breakpoints that it is not beyond.
fn mid_rank(q: &[f64], v: f64) -> f64 {
    let (first, k) = (q.partition_point(|x| *x < v), q.partition_point(|x| *x <= v));
    if k > first { (first + k - 1) as f64 / 2.0 } else { (k - 1) as f64 + share(v, q[k - 1], q[k]) }
}

/// The value at `t` of 0 to 1 along evenly spaced points.
pub(super) fn along(points: &[f64], t: f64) -> f64 {
    let n = points.len().saturating_sub(1);
    if n == 0 {
        return points.first().copied().unwrap_or(0.0);
    }
    let x = t.clamp(0.0, 1.0) * n as f64;
    let k = (x as usize).min(n - 1);
    let (a, b, t) = (points[k], points[k + 1], x - k as f64);
    // A span beyond f64 is weighed instead.
    if (b - a).is_finite() { a + (b - a) * t } else { a * (1.0 - t) + b * t }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::{Random, cases};

    fn all() -> Vec<Norm> {
        vec![
            Norm::Linear,
            Norm::Log,
            Norm::SymLog { linthresh: 1.0, linscale: 1.0, base: 10.0 },
            Norm::Power { gamma: 0.5 },
            Norm::TwoSlope { center: 3.0 },
            Norm::CenterLinear { center: 3.0 },
            Norm::Quantile(vec![0.5, 2.0, 3.0, 100.0]),
        ]
    }

    #[test]
    fn inverse_undoes_t() {
        for n in all() {
            for v in [0.5, 0.7, 1.0, 2.9, 3.0, 50.0, 100.0] {
                let t = n.t(v, 0.5, 100.0, 256);
                assert!((n.inverse(t, 0.5, 100.0) / v - 1.0).abs() < 1e-9, "{n:?} {v} {t}");
            }
        }
    }

    #[test]
    fn limits_at_the_ends_of_f64_stay_finite() {
        assert_eq!(Norm::Linear.t(0.0, -1.7e308, 1.7e308, 256), 0.5);
        assert_eq!(Norm::Linear.t(2e-323, 1e-323, 3e-323, 256), 0.5);
        assert_eq!(Norm::Linear.t(5.0, 5.0, 5.0, 256), 0.0);
    }

    /// Mid-ranks by counting, from 0 to 1.
    #[test]
    fn quantiles_are_mid_ranks_and_symmetric() {
        let mut r = Random(11);
        for _ in 0..cases(300) {
            let (n, kinds) = (2 + r.below(60usize), 1 + r.below(40u64));
            let mut x: Vec<f64> = (0..n).map(|_| r.below(kinds) as f64 * 0.37 - 3.0).collect();
            x.sort_by(f64::total_cmp);
            // A breakpoint for each value is the rule itself; fewer of them are as near as they are dense.
            let at = |share: f64| along(&x, share);
            let few: Vec<f64> = (0..=100u8).map(|k| at(f64::from(k) / 100.0)).collect();
            let (all, few) = (Norm::Quantile(x.clone()), Norm::Quantile(few));
            let Norm::Quantile(points) = &few else { unreachable!() };
            let mirrored = Norm::Quantile(points.iter().rev().map(|v| -v).collect());
            let (low, high) = (x[0], x[n - 1]);
            let mut before = -1.0;
            for v in &x {
                let rank =
                    |v: f64| x.iter().filter(|o| **o < v).count() + x.iter().filter(|o| **o <= v).count();
                let [least, own, most] = [low, *v, high].map(|v| rank(v) as f64);
                let wanted = if low == high { 0.0 } else { (own - least) / (most - least) };
                let (t, near) = (all.t(*v, low, high, 9), few.t(*v, low, high, 9));
                assert!((t - wanted).abs() < 1e-12, "{v} of {x:?}: {t}, not {wanted}");
                assert!((near - wanted).abs() <= 0.03, "{v} of {x:?}: {near}, not {wanted}");
                assert!(near >= before, "{x:?}");
                before = near;
                let other = mirrored.t(-v, -high, -low, 9);
                assert!(
                    low == high || (near + other - 1.0).abs() < 1e-12,
                    "{v} of {x:?}: {near} and {other}"
                );
            }
        }
    }

    #[test]
    fn seaborns_centre_keeps_steps_equal() {
        let n = Norm::CenterLinear { center: 0.0 };
        assert_eq!([-10.0, 0.0, 20.0].map(|v| n.t(v, -10.0, 20.0, 256)), [0.25, 0.5, 1.0]);
    }

    #[test]
    fn limits_that_do_not_fit_are_named() {
        let wrong = |norm: Norm, vmin, vmax| norm.check(vmin, vmax).unwrap_err().to_string();
        assert!(wrong(Norm::Linear, 2.0, 1.0).contains("vmin 2"));
        assert!(wrong(Norm::Linear, 1e300, 1.0).contains("vmin 1e300"));
        assert!(wrong(Norm::Linear, 0.0, f64::INFINITY).contains("finite"));
        assert!(Norm::Log.check(0.0, 1.0).is_err());
        assert!(Norm::TwoSlope { center: 5.0 }.check(0.0, 1.0).is_err());
    }
}
