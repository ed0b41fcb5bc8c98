//! Where values lie along a colour bar.

use gridscope_core::scale::{BarCurve, ColorScale};

/// The place of a value along a scale's bar: 0 at its low end, 1 at its high end, beyond them where the value is beyond the
/// limits and the norm has a place for it. NaN of NaN.
pub(super) fn share(scale: &ColorScale, v: f64) -> f64 {
    let (spec, (t0, t1)) = (scale.spec(), scale.span());
    match spec.norm.traits().bar {
        _ if v.is_nan() => f64::NAN,
        BarCurve::Steps(bounds) => among(bounds, v),
        _ if t0 < t1 => (spec.norm.t(v, spec.vmin, spec.vmax, spec.map.entries.len()) - t0) / (t1 - t0),
        _ => 0.5,
    }
}

/// As [`share`], but at an end for a value beyond the limits.
pub(super) fn share_within(scale: &ColorScale, v: f64) -> f64 {
    let spec = scale.spec();
    if v < spec.vmin {
        0.0
    } else if v > spec.vmax {
        1.0
    } else {
        share(scale, v).clamp(0.0, 1.0)
    }
}

/// The position of a value along the bins of a bounds norm, which are equally long on the bar.
fn among(bounds: &[f64], v: f64) -> f64 {
    let bins = bounds.len().saturating_sub(1).max(1);
    let k = bounds.partition_point(|b| *b <= v).clamp(1, bins);
    let within = bounds.get(k).map_or(0.0, |end| (v - bounds[k - 1]) / (end - bounds[k - 1]));
    (k as f64 - 1.0 + within.clamp(0.0, 1.0 - f64::EPSILON)) / bins as f64
}

#[cfg(test)]
mod tests {
    use super::super::test_grids::scale;
    use super::*;
    use gridscope_core::scale::Norm;

    #[test]
    fn values_lie_where_their_colours_are() {
        let linear = scale(Norm::Linear, 0.0, 10.0);
        assert_eq!([-5.0, 0.0, 2.5, 10.0, 20.0].map(|v| share(&linear, v)), [-0.5, 0.0, 0.25, 1.0, 2.0]);
        let infinite = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(infinite.map(|v| share_within(&linear, v)), [0.0, 1.0]);
        assert!(share_within(&linear, f64::NAN).is_nan());
        let log = scale(Norm::Log, 1.0, 100.0);
        assert_eq!([-1.0, 0.0, 10.0, 1e9].map(|v| share_within(&log, v)), [0.0, 0.0, 0.5, 1.0]);
        let bounds = scale(Norm::Bounds(vec![0.0, 1.0, 100.0]), 0.0, 100.0);
        assert_eq!([0.5, 1.0, 50.5].map(|v| share_within(&bounds, v)), [0.25, 0.5, 0.75]);
        assert_eq!(share_within(&scale(Norm::Linear, 4.0, 4.0), 4.0), 0.5);
    }
}
