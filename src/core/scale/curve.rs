//! The curves of norms: shares of a span, logarithms on both sides of zero, steps and breakpoints.

use super::unfit::BoundsError;

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
pub(super) fn bounds_index(b: &[f64], v: f64, entries: usize) -> f64 {
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

/// The share of values below `v`, by breakpoints at equal shares; beyond them less than 0 or more than 1.
pub(super) fn quantile_share(q: &[f64], v: f64) -> f64 {
    let n = q.len().saturating_sub(1);
    let (Some(first), Some(last)) = (q.first(), q.last()) else {
        return 0.0;
    };
    if v < *first {
        return -1.0;
    }
    if v > *last {
        return 2.0;
    }
    if n == 0 {
        return 0.0;
    }
    let k = q.partition_point(|x| *x <= v);
    if k > n {
        return 1.0;
    }
    ((k - 1) as f64 + share(v, q[k - 1], q[k])) / n as f64
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
