//! Numbers wider than f32 on the device: every cell has the colour that the CPU gives it.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use crate::support::random::{Random, cases};
use gridscope::figure::Reduce;
use gridscope::gpu::{
    AdapterPreference, Context, FaultPlan, GpuError, InjectedFault, Moment, Painter, PainterOptions,
};
use gridscope::grid::{Axis, Grid, Kind, Number, State, Values};
use gridscope::{Color, Fonts, Image};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::scale::{ColorScale, Colormap, Hide, Norm, ScaleSpec, default_fills};
use gridscope_core::view::EdgeTable;
use gridscope_draw::raster;
use gridscope_draw::scene::{Cells, Item, Scene};
use std::sync::Arc;

const KINDS: [Kind; 3] = [Kind::F64, Kind::I64, Kind::U64];

/// Floats at which some arithmetic goes wrong.
const FLOATS: [f64; 14] = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1.0,
    1.000_000_000_000_000_2,
    -1.0,
    0.1,
    16_777_217.0,
    9_007_199_254_740_993.0,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Integers at the ends of types and of what floats hold; the last ones have words that could be those of states.
const INTEGERS: [i64; 16] = [
    0,
    1,
    -1,
    16_777_217,
    (1 << 53) + 1,
    (1 << 53) + 2,
    -(1 << 53) - 1,
    1 << 62,
    i64::MAX - 9,
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
    i64::MAX - 3,
    i64::MIN + 0xffff_ffff,
    0x5a5a_5a5a_ffff_fff9,
    -0x5a5a_5a5a_0000_0005,
];

/// A number of a kind, by a whole number of 64 bits.
fn number(kind: Kind, r: &mut Random, ends: usize) -> Number {
    let (float, whole) = (FLOATS[r.below(FLOATS.len())], INTEGERS[r.below(ends)]);
    match (kind, r.below(4)) {
        (Kind::F64, 0) => Number::F64(f64::from_bits(r.bits())),
        (Kind::F64, 1) => Number::F64(1.7e9 + r.unit()),
        (Kind::F64, _) => Number::F64(float),
        (Kind::I64, 0) => Number::I64(r.bits() as i64),
        (Kind::I64, 1) => Number::I64((1 << 60) + r.below(9) as i64),
        (Kind::I64, _) => Number::I64(whole),
        (Kind::F32, 0) => Number::F64(f64::from(f32::from_bits(r.bits() as u32))),
        (Kind::F32, 1) => Number::F64(f64::from(r.below(9u32))),
        (Kind::F32, _) => Number::F64(float),
        (_, 0) => Number::U64(r.bits()),
        (_, 1) => Number::U64(u64::MAX - r.below(9) as u64),
        (_, _) => Number::U64(whole as u64 ^ 1 << 63),
    }
}

/// A grid of hostile numbers and states, and one of the same shape with other numbers: what is drawn with it can only come
/// from the device.
fn grids(kind: Kind, r: &mut Random, ends: usize) -> [Grid; 2] {
    let (rows, columns) = match r.below(5) {
        0 => (1, 1 + r.below(140) as usize),
        1 => (1 + r.below(140) as usize, 1),
        _ => (1 + r.below(20) as usize, 1 + r.below(20) as usize),
    };
    let n = rows * columns;
    let share = [0.0, 0.2][r.below(2usize)];
    let states: Vec<Option<State>> =
        (0..n).map(|_| r.chance(share).then(|| State::ALL[r.below(State::ALL.len())])).collect();
    let list: Vec<Option<Number>> = (0..n).map(|_| Some(number(kind, r, ends))).collect();
    [list, vec![None; n]].map(|list| {
        let values = Values::of(kind, list.into_iter());
        Grid::new(Axis::index("", rows), Axis::index("", columns), values, &states).unwrap()
    })
}

fn spec(g: &Grid, r: &mut Random) -> ScaleSpec {
    let stats = g.stats();
    let (low, high) = stats.range().unwrap_or((0.0, 1.0));
    let (mut vmin, mut vmax) = (low, high);
    let linear = r.chance(0.5);
    let norm = match r.below(6) {
        _ if linear => Norm::Linear,
        0 => Norm::SymLog { linthresh: 1e-3, linscale: 1.0, base: 10.0 },
        1 => Norm::Power { gamma: 0.5 },
        2 => Norm::CenterLinear { center: 0.0 },
        3 => Norm::Bounds(vec![-1e300, -1.0, 0.0, 1.0, 9_007_199_254_740_993.0, 1e300]),
        4 => {
            (vmin, vmax) = (1e-3, high.max(2e-3));
            Norm::Log
        }
        _ => Norm::Quantile(vec![-1e9, 0.0, 1.0, 16_777_217.0, 1e18]),
    };
    let exact = (g.kind() != Kind::F64 && norm == Norm::Linear && r.chance(0.6))
        .then_some(stats.min.zip(stats.max))
        .flatten();
    if exact.is_none() && norm == Norm::Linear && r.chance(0.5) {
        (vmin, vmax) =
            [(0.0, 1.0), (-1.0, 1e16), (1.7e9, 1.7e9 + 1.0), (0.0, 0.0), (-5e-324, 5e-324)][r.below(5)];
    }
    let map = Colormap::named(["viridis", "tab10", "twilight"][r.below(3)]).unwrap();
    let color = Color::rgb(70, 71, 72);
    let hide = Hide { below: Some(vmin / 2.0), above: Some(vmax / 2.0 + 1.0), color };
    ScaleSpec {
        norm,
        vmin,
        vmax,
        fills: default_fills(Color::WHITE, &map),
        map,
        under: Some(Color::rgb(1, 2, 3)),
        over: Some(Color::rgb(254, 0, 254)),
        hide: (exact.is_none() && r.chance(0.2)).then_some(hide),
        exact,
    }
}

/// A body of a grid, some cells of which are several pixels and none is less than one.
fn scene(g: &Grid, spec: &ScaleSpec, r: &mut Random) -> Scene {
    let (w, h) = (g.width() as u32, g.height() as u32);
    let at = PxRect { x: 1, y: 2, w: w + r.below(2 * w), h: h + r.below(2 * h) };
    let part = |n: u32, pixels: u32, r: &mut Random| {
        let from = -2.0 + r.unit() * f64::from(n);
        EdgeTable::part(n, from, from + f64::from(pixels) * (0.2 + 0.8 * r.unit()), pixels)
    };
    let cells = Cells {
        grid: 0,
        body: at,
        columns: if r.chance(0.5) { EdgeTable::fit(w, at.w) } else { part(w, at.w, r) },
        rows: if r.chance(0.5) { EdgeTable::fit(h, at.h).reversed() } else { part(h, at.h, r) },
        summaries: None,
        before: None,
        scale: Arc::new(ColorScale::new(spec, g.kind())),
        reduce: Reduce::Mean,
        centre: 0.0,
        background: Color::rgb(9, 99, 199),
        unit: 1 + r.below(3u32),
    };
    let size = PxSize { w: at.w + 3, h: at.h + 3 };
    Scene::new(size, Some(Color::WHITE), vec![Item::Cells(Box::new(cells))])
}

/// Bands so small that grids need several, and the usual ones.
fn sizes(r: &mut Random) -> PainterOptions {
    let mut sizes = PainterOptions::default();
    if r.chance(0.7) {
        sizes.band_bytes = 8 * (1 + r.below(64u64));
    }
    sizes
}

fn same(what: &str, gpu: &Image, cpu: &Image) {
    let wrong = (0..cpu.pixels.len()).step_by(4).find(|i| gpu.pixels[*i..][..4] != cpu.pixels[*i..][..4]);
    if let Some(i) = wrong {
        let (x, y) = ((i / 4) as u32 % cpu.width, (i / 4) as u32 / cpu.width);
        panic!("{what}: pixel ({x}, {y}) is {} and should be {}", gpu.at(x, y), cpu.at(x, y));
    }
}

#[test]
fn every_wide_number_has_its_colour() {
    let Some(context) = context() else { return };
    let mut fonts = Fonts::new();
    for case in 0..cases(120) {
        let mut r = Random(case);
        let kind = KINDS[case as usize % 3];
        // All of the integers at once leave no mark to states.
        let ends = INTEGERS.len() - 1 - r.below(4usize);
        let [grid, other] = grids(kind, &mut r, ends);
        let spec = spec(&grid, &mut r);
        let s = scene(&grid, &spec, &mut r);
        let cpu = raster::draw(&s, std::slice::from_ref(&grid), &mut fonts);
        let mut painter = Painter::with_options(context, sizes(&mut r)).unwrap();
        painter.upload(std::slice::from_ref(&grid), &mut |_, _| ()).unwrap();
        let gpu = painter.draw(&s, &[other], &mut fonts).unwrap();
        same(&format!("case {case}, {spec:?}"), &gpu, &cpu);
    }
}

/// Grids without a place on the device, and pixels of several cells, are drawn from memory.
#[test]
fn what_the_device_does_not_hold_is_drawn_from_memory() {
    let Some(context) = context() else { return };
    let (mut fonts, mut r) = (Fonts::new(), Random(7));
    let every: Vec<Number> = INTEGERS.iter().map(|v| Number::I64(*v)).collect();
    let mut states = vec![None; every.len()];
    states[0] = Some(State::Pending);
    let values = Values::of(Kind::I64, every.into_iter().map(Some));
    let marks = Grid::new(Axis::index("", 2), Axis::index("", 8), values, &states).unwrap();
    let [grid, _] = grids(Kind::U64, &mut r, 9);
    let no_room = PainterOptions { memory: Some(grid.len() as u64 * 8 - 1), ..PainterOptions::default() };
    let none_wide = PainterOptions { wide: false, ..PainterOptions::default() };
    let cases = [(&marks, PainterOptions::default()), (&grid, no_room), (&grid, none_wide)];
    for (g, sizes) in cases {
        let s = scene(g, &spec(g, &mut r), &mut r);
        let mut folded = s.clone();
        let Item::Cells(c) = &mut folded.items[0] else { unreachable!() };
        (c.columns, c.rows) = (EdgeTable::fit(g.width() as u32, 2), EdgeTable::fit(g.height() as u32, 1));
        (c.body.w, c.body.h) = (2, 1);
        let mut painter = Painter::with_options(context, sizes).unwrap();
        painter.upload(std::slice::from_ref(g), &mut |_, _| ()).unwrap();
        for s in [s, folded] {
            let cpu = raster::draw(&s, std::slice::from_ref(g), &mut fonts);
            let gpu = painter.draw(&s, std::slice::from_ref(g), &mut fonts).unwrap();
            same(&format!("{sizes:?}"), &gpu, &cpu);
        }
        let t = EdgeTable::fit(1, 1);
        assert!(painter.fold(0, &t, &t).is_err(), "the device folds f32 alone");
    }
}

/// Without memory for wide numbers, the device draws from the CPU's; a lost device is a loss.
#[test]
fn a_device_without_memory_for_wide_numbers_still_draws_them() {
    if context().is_none() {
        return;
    }
    let (mut fonts, mut r) = (Fonts::new(), Random(3));
    let [grid, _] = grids(Kind::F64, &mut r, 9);
    let s = scene(&grid, &spec(&grid, &mut r), &mut r);
    let cpu = raster::draw(&s, std::slice::from_ref(&grid), &mut fonts);
    for moment in [Moment::Buffer, Moment::Upload, Moment::Check, Moment::Map] {
        for fault in [InjectedFault::OutOfMemory, InjectedFault::Lost] {
            let plan = FaultPlan::default();
            let context = Context::open_by(&AdapterPreference::default(), &plan).unwrap();
            let mut painter = Painter::with_options(&context, PainterOptions::default()).unwrap();
            plan.arm(moment, fault, 0, 1);
            let held = painter.upload(std::slice::from_ref(&grid), &mut |_, _| ());
            assert!(plan.reached() > 0, "{moment:?} never comes");
            if fault == InjectedFault::Lost {
                assert!(matches!(held, Err(GpuError::Lost(_))), "{moment:?}: {held:?}");
                continue;
            }
            held.unwrap();
            let gpu = painter.draw(&s, std::slice::from_ref(&grid), &mut fonts).unwrap();
            same(&format!("{moment:?}"), &gpu, &cpu);
        }
    }
}
