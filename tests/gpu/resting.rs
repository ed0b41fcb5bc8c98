//! A view that rests stays on the device: its bodies are folded once, shaded from the device's own Summaries as often as colours
//! change, and read back only where that is asked for.

use crate::support::adapter::context;
use crate::support::random::Random;
use gridscope::Color;
use gridscope::Fonts;
use gridscope::figure::Reduce;
use gridscope::gpu::{
    AdapterPreference, Context, FaultPlan, GpuError, InjectedFault, Moment, Painter, PainterOptions,
};
use gridscope::grid::{Axis, Grid, State, Summary, Values, fold};
use gridscope_core::geom::{PxRect, PxSize};
use gridscope_core::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
use gridscope_core::view::EdgeTable;
use gridscope_draw::raster;
use gridscope_draw::scene::{Cells, Item, Scene};
use std::sync::Arc;

const SIZE: PxSize = PxSize { w: 160, h: 120 };

const REDUCTIONS: [Reduce; 5] = [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Count];

/// Noise with states and infinities.
fn grid(rows: usize, columns: usize) -> Grid {
    let mut random = Random(7);
    let data = (0..rows * columns).map(|i| match i % 1013 {
        5 => f32::INFINITY,
        9 => f32::NEG_INFINITY,
        _ => (random.unit() * 200.0 - 100.0) as f32,
    });
    let values = Values::F32 { data: data.collect(), integer: false };
    let mut grid = Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap();
    for i in 0..rows.min(columns) {
        grid.set_state(i, i, State::ALL[i % State::ALL.len()]);
    }
    grid
}

fn scale(norm: Norm, (vmin, vmax): (f64, f64), map: &str, grid: &Grid) -> Arc<ColorScale> {
    let map = Colormap::named(map).unwrap();
    let fills = default_fills(Color::WHITE, &map);
    let spec = ScaleSpec { norm, vmin, vmax, map, under: None, over: None, fills, hide: None, exact: None };
    Arc::new(ColorScale::new(&spec, grid.kind()))
}

/// A body of a part of a grid.
fn body(grid: &Grid, from: f64, reduce: Reduce, scale: &Arc<ColorScale>) -> Cells {
    let at = PxRect { x: 5, y: 5, w: 130, h: 100 };
    let side = |n: usize, pixels: u32| EdgeTable::part(n as u32, from, n as f64, pixels);
    Cells {
        grid: 0,
        body: at,
        columns: side(grid.width(), at.w),
        rows: side(grid.height(), at.h),
        summaries: None,
        before: None,
        scale: scale.clone(),
        reduce,
        centre: 3.0,
        background: Color::WHITE,
        unit: 1,
    }
}

fn scene(cells: Cells) -> Scene {
    Scene::new(SIZE, Some(Color::WHITE), vec![Item::Cells(Box::new(cells))])
}

/// Each Summary as its bits, but for the sum.
fn bits(list: &[Summary]) -> Vec<(u32, u32, u64, u8)> {
    list.iter().map(|s| (s.min.to_bits(), s.max.to_bits(), s.count(), s.states())).collect()
}

fn on_cpu(grid: &Grid, cells: &Cells) -> Vec<Summary> {
    fold(grid.cells(), grid.width(), cells.columns.spans(), cells.rows.spans())
}

#[test]
fn other_colours_of_the_same_view_fold_nothing() {
    let Some(context) = context() else { return };
    let mut fonts = Fonts::new();
    let grids = [grid(700, 900)];
    // The context of the whole program counts what other tests do, too.
    let context = Context::open(&AdapterPreference::named(context.adapter_info().name.clone())).unwrap();
    let mut painter = Painter::new(&context).unwrap();
    painter.upload(&grids, &mut |_, _| ()).unwrap();
    let draw = |painter: &mut Painter, cells: Cells, fonts: &mut Fonts| {
        let scene = scene(cells);
        context.take_counts();
        let image = painter.draw(&scene, &grids, fonts).unwrap();
        let wanted = raster::draw(&scene, &grids, fonts);
        (image, wanted, context.take_counts())
    };
    let first = scale(Norm::Linear, (-100.0, 100.0), "viridis", &grids[0]);
    let (image, wanted, counts) = draw(&mut painter, body(&grids[0], 0.0, Reduce::Max, &first), &mut fonts);
    assert!(image == wanted);
    assert_eq!(counts.folds, 1);
    // 120 rows of 160 pixels, padded to 256 bytes: the picture, and nothing else.
    let picture = 120 * (160u64 * 4).next_multiple_of(256);
    assert_eq!(counts.read_back, picture);
    let symlog = Norm::SymLog { linthresh: 2.0, linscale: 1.0, base: 10.0 };
    for (norm, limits, map) in [
        (Norm::Linear, (-50.0, 80.0), "viridis"),
        (Norm::Linear, (-50.0, 80.0), "RdBu_r"),
        (symlog, (-100.0, 100.0), "tab10"),
        (Norm::TwoSlope { center: 9.0 }, (-1.0, 90.0), "magma"),
    ] {
        for reduce in REDUCTIONS {
            let colours = scale(norm.clone(), limits, map, &grids[0]);
            let (image, wanted, counts) =
                draw(&mut painter, body(&grids[0], 0.0, reduce, &colours), &mut fonts);
            assert_eq!((counts.folds, counts.read_back), (0, picture), "{map}, {reduce:?}");
            if reduce == Reduce::Mean {
                let apart = image.pixels.iter().zip(&wanted.pixels).filter(|(a, b)| a != b);
                assert!(apart.count() * 1000 <= wanted.pixels.len(), "{map}, {reduce:?}");
            } else {
                assert!(image == wanted, "{map}, {reduce:?}");
            }
        }
    }
    // Another view is folded again, once.
    let (_, _, counts) = draw(&mut painter, body(&grids[0], 40.0, Reduce::Max, &first), &mut fonts);
    assert_eq!(counts.folds, 1);
}

#[test]
fn what_is_read_back_is_the_view_that_was_asked_for() {
    let Some(context) = context() else { return };
    let mut fonts = Fonts::new();
    let grids = [grid(500, 640)];
    let colours = scale(Norm::Linear, (-100.0, 100.0), "viridis", &grids[0]);
    for band_bytes in [PainterOptions::default().band_bytes, 24 * 777] {
        let sizes = PainterOptions { band_bytes, ..PainterOptions::default() };
        let mut painter = Painter::with_options(context, sizes).unwrap();
        painter.upload(&grids, &mut |_, _| ()).unwrap();
        let [first, second] = [0.0, 60.0].map(|from| body(&grids[0], from, Reduce::Mean, &colours));
        let ask = |painter: &Painter, c: &Cells| painter.read_fold(0, &c.columns, &c.rows).unwrap();
        assert!(ask(&painter, &first).is_none(), "nothing is folded yet");
        painter.draw(&scene(first.clone()), &grids, &mut fonts).unwrap();
        assert!(ask(&painter, &second).is_none(), "another view");
        let coming = ask(&painter, &first).unwrap();
        // The next view takes the buffers of the first one.
        painter.draw(&scene(second.clone()), &grids, &mut fonts).unwrap();
        assert!(ask(&painter, &first).is_none(), "the view before");
        let later = ask(&painter, &second).unwrap();
        for (what, coming, cells) in [("first", coming, &first), ("second", later, &second)] {
            let taken = std::thread::spawn(move || coming.take()).join().unwrap().unwrap();
            let wanted = on_cpu(&grids[0], cells);
            assert!(bits(&taken) == bits(&wanted), "{what} in bands of {band_bytes}");
            for (a, b) in taken.iter().zip(&wanted) {
                let (a, b, most) = (a.mean(), b.mean(), f64::from(b.min.abs().max(b.max.abs())));
                let close = (a - b).abs() <= 1e-6 * b.abs() + 1e-12 * most;
                assert!(close || a == b || (a.is_nan() && b.is_nan()), "{what}: {a}, not {b}");
            }
        }
    }
}

#[test]
fn a_device_that_fails_meanwhile_says_so() {
    if context().is_none() {
        return;
    }
    let mut fonts = Fonts::new();
    let grids = [grid(300, 400)];
    let colours = scale(Norm::Linear, (-100.0, 100.0), "viridis", &grids[0]);
    let cells = body(&grids[0], 0.0, Reduce::Min, &colours);
    let wanted = raster::draw(&scene(cells.clone()), &grids, &mut fonts);
    for moment in [Moment::Buffer, Moment::Copy, Moment::Map] {
        for fault in [InjectedFault::Lost, InjectedFault::OutOfMemory, InjectedFault::Refused] {
            let plan = FaultPlan::default();
            let context = Context::open_by(&AdapterPreference::default(), &plan).unwrap();
            let mut painter = Painter::new(&context).unwrap();
            painter.upload(&grids, &mut |_, _| ()).unwrap();
            painter.draw(&scene(cells.clone()), &grids, &mut fonts).unwrap();
            plan.arm(moment, fault, 0, 1);
            let at = format!("{fault:?} at {moment:?}");
            let read =
                painter.read_fold(0, &cells.columns, &cells.rows).and_then(|coming| coming.unwrap().take());
            let is = matches!(
                (&read, fault),
                (Err(GpuError::Lost(_)), InjectedFault::Lost)
                    | (Err(GpuError::OutOfMemory(_)), InjectedFault::OutOfMemory)
                    | (Err(GpuError::Device(_)), InjectedFault::Refused)
            );
            assert!(is, "{at}: {:?}", read.map(|_| ()));
            // The picture does not depend on it.
            if fault != InjectedFault::Lost {
                let again = painter.draw(&scene(cells.clone()), &grids, &mut fonts);
                assert!(again.as_ref() == Ok(&wanted), "{at}");
            }
        }
    }
    // A device that goes after the copies were submitted.
    let context = Context::open(&AdapterPreference::default()).unwrap();
    let mut painter = Painter::new(&context).unwrap();
    painter.upload(&grids, &mut |_, _| ()).unwrap();
    painter.draw(&scene(cells.clone()), &grids, &mut fonts).unwrap();
    let coming = painter.read_fold(0, &cells.columns, &cells.rows).unwrap().unwrap();
    context.device().destroy();
    match coming.take() {
        Err(GpuError::Lost(_)) => {}
        // What had arrived is right.
        Ok(list) => assert!(bits(&list) == bits(&on_cpu(&grids[0], &cells))),
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn submissions_are_timed_where_that_is_asked() {
    let Some(context) = context() else { return };
    let context = Context::open(&AdapterPreference::named(context.adapter_info().name.clone())).unwrap();
    let mut fonts = Fonts::new();
    let grids = [grid(300, 400)];
    let colours = scale(Norm::Linear, (-100.0, 100.0), "viridis", &grids[0]);
    let mut painter = Painter::new(&context).unwrap();
    painter.upload(&grids, &mut |_, _| ()).unwrap();
    context.take_counts();
    context.time_submissions(true);
    let cells = body(&grids[0], 0.0, Reduce::Mean, &colours);
    painter.draw(&scene(cells), &grids, &mut fonts).unwrap();
    context.time_submissions(false);
    let longest = context.take_counts().longest.as_secs_f64();
    assert!(longest > 0.0 && longest < 60.0, "{longest}");
}
