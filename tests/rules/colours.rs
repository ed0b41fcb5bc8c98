//! Every cell has the colour of its value by the rule of the norm in f64: for every type of numbers, beside any other cells,
//! under every norm and all limits, as a single cell and reduced.

use crate::support::random::{Random, cases};
use gridscope::Color;
use gridscope::Fonts;
use gridscope::Image;
use gridscope::PxSize;
use gridscope::figure::{Figure, Reduce};
use gridscope::grid::{Axis, Grid, Number, Values};
use gridscope_core::scale::{Norm, between, place};
use gridscope_core::view::EdgeTable;
use gridscope_draw::raster;
use gridscope_draw::render::{Capacity, bare};

const UNDER: &str = "#010203";
const OVER: &str = "#fe00fe";

/// Any numbers and grids of them.
trait Draw {
    fn float(&mut self, shape: u64) -> f64;
    fn values(&mut self, n: usize) -> Values;
}

impl Draw for Random {
    fn float(&mut self, shape: u64) -> f64 {
        match shape {
            0 => f64::from_bits(self.bits()),
            1 => self.unit() * 10.0,
            2 => f64::from(self.below(11)),
            3 => 1e9 + f64::from(self.below(12)),
            4 => 10f64.powf(self.unit() * 600.0 - 300.0),
            5 => -(self.unit() * 99.0).floor(),
            6 => f64::from_bits(self.below(2000)),
            7 => 10f64.powi(-self.below(100)),
            8 => 0.1 + f64::from(self.below(9)) * f64::EPSILON / 8.0,
            _ => (0.5 - self.unit()) * 1.7e308 * 1.9,
        }
    }

    /// Clustered numbers of one type with a few outliers.
    fn values(&mut self, n: usize) -> Values {
        let (kind, shape) = (self.below(6), self.below(10));
        let outlier = self.below(3) == 0;
        let mut floats: Vec<f64> = (0..n).map(|_| self.float(shape)).collect();
        if outlier {
            floats[0] =
                self.pick(&[1e300, -1e300, 0.0, 1e46, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324]);
        }
        let base = self.pick(&[0, 1 << 53, 1_700_000_000, 1 << 62]);
        let mut whole: Vec<u64> = (0..n).map(|_| base + self.below(100)).collect();
        if outlier {
            whole[0] = self.pick(&[0, 1, 1 << 62, i64::MAX as u64]);
        }
        match kind {
            0 => Values::I64(
                whole.into_iter().map(|v| v as i64 * if shape.is_multiple_of(2) { 1 } else { -1 }).collect(),
            ),
            1 => Values::U64(if shape.is_multiple_of(2) {
                whole
            } else {
                whole.into_iter().map(|v| u64::MAX - v).collect()
            }),
            2 => Values::F32 { data: floats.into_iter().map(|v| v as f32).collect(), integer: false },
            _ => Values::F64(floats),
        }
    }
}

/// Values as f64; NaN for cells without a value.
fn f64s(g: &Grid) -> Vec<f64> {
    (0..g.len()).map(|i| g.at(i / g.width(), i % g.width()).as_f64()).collect()
}

/// A figure with a norm and limits, and the norm and limits that are expected.
fn figure(r: &mut Random, values: &[f64]) -> (Figure, Norm, Option<(f64, f64)>) {
    let mut finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let percentile = |p: f64| {
        let (a, b, t) = place(finite.len(), p);
        between(finite[a], finite[b], t)
    };
    let mut f = Figure::default();
    (f.color.under, f.color.over) = (Some(UNDER.parse().unwrap()), Some(OVER.parse().unwrap()));
    f.color.cmap = Some(r.pick(&["viridis", "tab10", "RdBu_r", "twilight"]).parse().unwrap());
    let (Some(min), Some(max)) = (finite.first().copied(), finite.last().copied()) else {
        return (f, Norm::Linear, None);
    };
    let inside = finite[r.below(finite.len() as u64) as usize];
    let positive = finite.iter().copied().find(|v| *v > 0.0);
    let mut limits = (min, max);
    let norm = match r.below(9) {
        0 if positive.is_some() => {
            limits.0 = positive.unwrap();
            f.color.norm = Some("log".parse().unwrap());
            Norm::Log
        }
        1 => {
            f.color.norm = Some("symlog:0.5".parse().unwrap());
            Norm::SymLog { linthresh: 0.5, linscale: 1.0, base: 10.0 }
        }
        2 => {
            f.color.norm = Some("power:0.5".parse().unwrap());
            Norm::Power { gamma: 0.5 }
        }
        3 if min < inside && inside < max => {
            (f.color.norm, f.color.center) = (Some("twoslope".parse().unwrap()), Some(inside));
            Norm::TwoSlope { center: inside }
        }
        4 => {
            f.color.center = Some(inside);
            Norm::CenterLinear { center: inside }
        }
        5 => {
            f.color.norm = Some("quantile".parse().unwrap());
            // A breakpoint for each of few values.
            let steps = (finite.len() as u32 - 1).clamp(1, 1_024);
            Norm::Quantile((0..=steps).map(|i| percentile(f64::from(i) * 100.0 / f64::from(steps))).collect())
        }
        6 => {
            f.color.robust = Some(true);
            limits = (percentile(2.0), percentile(98.0));
            Norm::Linear
        }
        _ => Norm::Linear,
    };
    if !matches!(norm, Norm::Log | Norm::TwoSlope { .. }) && r.below(3) == 0 {
        let (a, b) = (inside, finite[r.below(finite.len() as u64) as usize]);
        limits = (a.min(b), a.max(b));
        (f.color.vmin, f.color.vmax) = (Some(limits.0), Some(limits.1));
    }
    (f, norm, Some(limits))
}

/// The colours by the rule.
struct Rule {
    norm: Norm,
    limits: (f64, f64),
    map: Vec<Color>,
    /// The limits of integers beyond f64, if they are automatic.
    whole: Option<(i128, i128)>,
}

impl Rule {
    fn index(&self, v: f64) -> Option<usize> {
        let n = self.map.len();
        if v < self.limits.0 {
            return Some(0);
        }
        if v > self.limits.1 {
            return Some(n + 1);
        }
        (!v.is_nan())
            .then(|| 1 + ((self.norm.t(v, self.limits.0, self.limits.1, n) * n as f64) as usize).min(n - 1))
    }

    fn of_number(&self, v: Number) -> Option<usize> {
        let whole = match v {
            Number::I64(v) => i128::from(v),
            Number::U64(v) => i128::from(v),
            Number::F64(v) => return self.index(v),
        };
        let Some((min, max)) = self.whole else {
            return self.index(v.as_f64());
        };
        let t = if min == max { 0.0 } else { (whole - min) as f64 / (max - min) as f64 };
        Some(1 + ((t * self.map.len() as f64) as usize).min(self.map.len() - 1))
    }

    fn color(&self, index: usize) -> [u8; 4] {
        match index {
            0 => [1, 2, 3, 255],
            i if i > self.map.len() => [0xfe, 0, 0xfe, 255],
            i => self.map[i - 1].rgba(),
        }
    }
}

fn rule(f: &Figure, g: &Grid, norm: Norm, limits: (f64, f64)) -> Rule {
    let map = f.color.cmap.as_deref().unwrap().entries.clone();
    let stats = g.stats();
    let far = limits.0.abs().max(limits.1.abs());
    let own = f.color.vmin.is_none() && f.color.robust.is_none() && norm == Norm::Linear && far > 9e15;
    let whole = match (stats.min, stats.max) {
        (Some(Number::I64(a)), Some(Number::I64(b))) if own => Some((i128::from(a), i128::from(b))),
        (Some(Number::U64(a)), Some(Number::U64(b))) if own => Some((i128::from(a), i128::from(b))),
        _ => None,
    };
    Rule { norm, limits, map, whole }
}

fn drawn(f: &Figure, g: &Grid, size: PxSize) -> Option<Image> {
    // Limits that a norm does not allow are refused by name.
    let scene = bare(f, g, size, Capacity::default(), None).ok()?.scene;
    Some(raster::draw(&scene, std::slice::from_ref(g), &mut Fonts::new()))
}

#[test]
fn every_cell_has_the_colour_of_the_rule_in_f64() {
    let mut compared = 0u64;
    for seed in 0..cases(3000) {
        let mut r = Random(seed);
        let (rows, columns) = (1 + r.below(6) as usize, 1 + r.below(12) as usize);
        let values = r.values(rows * columns);
        let g = Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap();
        let list = f64s(&g);
        let (f, norm, limits) = figure(&mut r, &list);
        let Some(limits) = limits else { continue };
        let rule = rule(&f, &g, norm, limits);
        let Some(image) = drawn(&f, &g, PxSize { w: columns as u32, h: rows as u32 }) else {
            continue;
        };
        for (i, pixel) in image.pixels.chunks_exact(4).enumerate() {
            let Some(v) = g.at(i / columns, i % columns).value() else {
                continue;
            };
            let Some(index) = rule.of_number(v) else { continue };
            let (row, column) = (i / columns, i % columns);
            assert_eq!(
                pixel,
                rule.color(index),
                "seed {seed}: {v:?} at {row}, {column} under {:?} {limits:?}: entry {index}",
                rule.norm
            );
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared} cells compared");
}

#[test]
fn reductions_have_the_colour_of_the_rule_in_f64() {
    let (mut compared, mut off) = (0u64, 0u64);
    for seed in 0..cases(1500) {
        let mut r = Random(seed ^ 0x5eed);
        let (rows, columns) = (1 + r.below(9) as usize, 2 + r.below(20) as usize);
        let values = r.values(rows * columns);
        let g = Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap();
        let list = f64s(&g);
        let (mut f, norm, limits) = figure(&mut r, &list);
        let Some(limits) = limits else { continue };
        let rule = rule(&f, &g, norm, limits);
        let by = r.pick(&[Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Mean]);
        f.reduce.by = Some(by);
        let (w, h) = (1 + r.below(columns as u64 - 1) as u32, 1 + r.below(rows as u64) as u32);
        let Some(image) = drawn(&f, &g, PxSize { w, h }) else {
            continue;
        };
        let (across, down) = (EdgeTable::fit(columns as u32, w), EdgeTable::fit(rows as u32, h));
        let centre = f.color.center.unwrap_or(limits.0 / 2.0 + limits.1 / 2.0);
        for (i, pixel) in image.pixels.chunks_exact(4).enumerate() {
            let (x, y) = (across.spans()[i % w as usize], down.spans()[i / w as usize]);
            let cells = (y[0]..y[1]).flat_map(|r| (x[0]..x[1]).map(move |c| (r as usize, c as usize)));
            let held: Vec<Number> = cells.filter_map(|(r, c)| g.at(r, c).value()).collect();
            let by_value = |a: &&Number, b: &&Number| a.compare(**b).unwrap();
            let (Some(min), Some(max)) = (held.iter().min_by(by_value), held.iter().max_by(by_value)) else {
                continue;
            };
            let (low, high) = (min.as_f64(), max.as_f64());
            // A power of two, so that no difference overflows.
            let k = if low.abs().max(high.abs()) > 1e300 { 0.25 } else { 1.0 };
            let (down, up) = (centre * k - low * k, high * k - centre * k);
            let shown = match by {
                Reduce::Min => *min,
                Reduce::Max => *max,
                Reduce::Extreme if down > up => *min,
                Reduce::Extreme => *max,
                _ if low == high => *max,
                _ => Number::F64(held.iter().map(|v| v.as_f64() / held.len() as f64).sum()),
            };
            let Some(index) = rule.of_number(shown) else {
                continue;
            };
            compared += 1;
            if by != Reduce::Mean && !(by == Reduce::Extreme && low.is_infinite() && high.is_infinite()) {
                // Rounded differences cannot decide between equal distances, so either end is right.
                let tie = by == Reduce::Extreme && down == up;
                let other = rule.of_number(*min).map(|i| rule.color(i));
                let right = pixel == rule.color(index) || (tie && other.is_some_and(|o| pixel == o));
                assert!(
                    right,
                    "seed {seed}: {by:?} of {held:?} under {:?} {limits:?}: entry {index}, {pixel:?}",
                    rule.norm
                );
            } else if pixel != rule.color(index) {
                off += 1;
            }
        }
    }
    assert!(compared > 3_000, "{compared} pixels compared");
    // A mean at a threshold may be one entry off. For numbers that cancel, the sum in this test is the less exact one.
    assert!(off * 100 <= compared, "{off} of {compared} pixels differ");
}

/// The colours of a figure with one cell per pixel.
fn colours(values: Values, limits: Option<(f64, f64)>, norm: Option<&str>, robust: bool) -> Vec<[u8; 4]> {
    let n = values.len();
    let g = Grid::new(Axis::index("", 1), Axis::index("", n), values, &[]).unwrap();
    let mut f = Figure::default();
    (f.color.vmin, f.color.vmax) = (limits.map(|l| l.0), limits.map(|l| l.1));
    (f.color.norm, f.color.robust) = (norm.map(|n| n.parse().unwrap()), robust.then_some(true));
    let image = drawn(&f, &g, PxSize { w: n as u32, h: 1 }).unwrap();
    image.pixels.chunks_exact(4).map(|p| p.try_into().unwrap()).collect()
}

fn different(colors: &[[u8; 4]]) -> usize {
    let mut list = colors.to_vec();
    list.sort_unstable();
    list.dedup();
    list.len()
}

#[test]
fn an_outlier_flattens_nothing() {
    let small = [0.0, 1.0, 2.0, 5.0, 8.0, 10.0];
    let with = |v: f64| Values::F64(small.iter().copied().chain([v]).collect());
    let alone = colours(Values::F64(small.to_vec()), Some((0.0, 10.0)), None, false);
    for far in [1e300, 1e46, -1e300] {
        assert_eq!(colours(with(far), Some((0.0, 10.0)), None, false)[..6], alone, "{far}");
    }
    let raised = small.iter().map(|v| 1e9 + v).chain([0.0]).collect();
    assert_eq!(colours(Values::F64(raised), Some((1e9, 1e9 + 10.0)), None, false)[..6], alone);
    let times = || Values::I64((0..98).map(|i| 1_700_000_000 + i).chain([0]).collect());
    // Three values at each end have its colour: two beyond the percentiles, and the next one.
    assert_eq!(different(&colours(times(), None, None, true)), 95);
    assert_eq!(different(&colours(times(), None, Some("quantile"), false)), 99);
    let p = Values::F64((0..100).map(|i| 10f64.powi(-i)).collect());
    assert_eq!(different(&colours(p, None, Some("log"), false)), 100);
    for norm in ["log", "quantile"] {
        let wide = Values::F64((0..100).map(|i| 10f64.powf(f64::from(i) * 6.0 - 300.0)).collect());
        assert_eq!(different(&colours(wide, None, Some(norm), false)), 100, "{norm}");
    }
}
