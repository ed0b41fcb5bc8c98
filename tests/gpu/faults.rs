//! A device that fails at any moment of its work: an error that says what it is, no panic on the way out, and the right picture next.
#![cfg(feature = "gpu")]

use gridscope::Color;
use gridscope::Fonts;
use gridscope::Image;
use gridscope::figure::Reduce;
use gridscope::gpu::{
    AdapterPreference, Context, FaultPlan, GpuError, InjectedFault, Moment, Painter, PainterOptions,
    is_guarded,
};
use gridscope::grid::{Axis, Grid, Summary, Values, fold};
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
use gridscope_core::view::EdgeTable;
use gridscope_draw::raster;
use gridscope_draw::scene::{Cells, Item, Scene};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Panics that no guard took for a device's failure.
static ESCAPED: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// Panics of this thread that were taken for one: other tests of this binary lose devices too.
    static GUARDED: Cell<u32> = const { Cell::new(0) };
}

/// One test at a time: the hook is that of the whole program.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if is_guarded() {
            GUARDED.set(GUARDED.get() + 1);
        } else {
            ESCAPED.fetch_add(1, Ordering::Relaxed);
            plain(info);
        }
    }));
    turn
}

/// A figure in small: a folded body, one cell by cell, shapes and text.
struct Figure {
    scene: Scene,
    grids: Vec<Grid>,
    fonts: Fonts,
}

const SIZE: PxSize = PxSize { w: 120, h: 90 };

impl Figure {
    fn new() -> Self {
        let wave = |n: usize| {
            let data = (0..n * n).map(|i| ((i * 7919) % 1009) as f32).collect();
            Grid::new(Axis::index("", n), Axis::index("", n), Values::F32 { data, integer: false }, &[])
                .unwrap()
        };
        let grids = vec![wave(200), wave(5)];
        let map = Colormap::named("viridis").unwrap();
        let fills = default_fills(Color::WHITE, &map);
        let spec = ScaleSpec {
            norm: Norm::Linear,
            vmin: 0.0,
            vmax: 1009.0,
            map,
            under: None,
            over: None,
            fills,
            hide: None,
            exact: None,
        };
        let body = |grid: usize, at: PxRect| {
            let side = |n: usize, pixels: u32| EdgeTable::fit(n as u32, pixels);
            let (columns, rows) = (side(grids[grid].width(), at.w), side(grids[grid].height(), at.h));
            let scale = Arc::new(ColorScale::new(&spec, grids[grid].kind()));
            let background = Color::WHITE;
            Item::Cells(Box::new(Cells {
                grid,
                body: at,
                columns,
                rows,
                summaries: None,
                before: None,
                scale,
                reduce: Reduce::Max,
                centre: 0.0,
                background,
                unit: 1,
            }))
        };
        let text = Item::Text {
            text: "faults".to_owned(),
            font_size: 12.0,
            at: Point { x: 5.0, y: 85.0 },
            degrees: 0,
            color: Color::BLACK,
        };
        let frame = Item::Rect { rect: Rect::new(60.0, 70.0, 33.5, 10.0), color: Color::rgb(200, 0, 0) };
        let items = vec![
            body(0, PxRect { x: 2, y: 2, w: 50, h: 50 }),
            body(1, PxRect { x: 60, y: 2, w: 50, h: 50 }),
            frame,
            text,
        ];
        Self { scene: Scene::new(SIZE, Some(Color::WHITE), items), grids, fonts: Fonts::new() }
    }

    fn wanted(&mut self) -> Image {
        raster::draw(&self.scene, &self.grids, &mut self.fonts)
    }

    /// Draws as the program does: grids held, one folded and read back, then the picture.
    fn drawn(&mut self, painter: &mut Painter, held: bool) -> Result<(Image, Vec<Summary>), GpuError> {
        let mut folded = Vec::new();
        if held {
            painter.upload(&self.grids, &mut |_, _| ())?;
            let Item::Cells(c) = &self.scene.items[0] else { unreachable!() };
            folded = painter.fold(0, &c.columns, &c.rows)?;
        }
        Ok((painter.draw(&self.scene, &self.grids, &mut self.fonts)?, folded))
    }
}

/// All of it on a device that fails by the plan.
fn run(figure: &mut Figure, plan: &FaultPlan, held: bool) -> Result<(Image, Vec<Summary>), GpuError> {
    let context = Context::open_by(&AdapterPreference::default(), plan)?;
    let mut painter = Painter::with_options(&context, without_pyramid())?;
    figure.drawn(&mut painter, held)
}

fn without_pyramid() -> PainterOptions {
    PainterOptions { pyramid: false, ..PainterOptions::default() }
}

fn is(fault: InjectedFault, error: &GpuError) -> bool {
    match fault {
        InjectedFault::Lost => matches!(error, GpuError::Lost(_)),
        InjectedFault::OutOfMemory => matches!(error, GpuError::OutOfMemory(_)),
        InjectedFault::Refused => matches!(error, GpuError::Device(_)),
    }
}

const FAULTS: [InjectedFault; 3] = [InjectedFault::Lost, InjectedFault::OutOfMemory, InjectedFault::Refused];

#[test]
fn every_moment_may_fail_and_says_how() {
    if crate::support::adapter::context().is_none() {
        return;
    }
    let _turn = alone();
    let mut figure = Figure::new();
    let wanted = figure.wanted();
    let of_held = |m: Moment| matches!(m, Moment::Check | Moment::Fold);
    for held in [true, false] {
        for moment in Moment::ALL.into_iter().filter(|m| held || !of_held(*m)) {
            // First how often it comes at all.
            let plan = FaultPlan::default();
            plan.arm(moment, InjectedFault::Lost, u32::MAX, 0);
            let (image, folded) = run(&mut figure, &plan, held).unwrap();
            assert!(image == wanted, "{moment:?}");
            if held {
                let Item::Cells(c) = &figure.scene.items[0] else { unreachable!() };
                let ours = fold(figure.grids[0].cells(), 200, c.columns.spans(), c.rows.spans());
                assert!(
                    ours.iter()
                        .zip(&folded)
                        .all(|(a, b)| (a.min, a.max, a.count()) == (b.min, b.max, b.count()))
                );
            }
            let reached = plan.reached();
            assert!(reached > 0, "{moment:?} never comes");
            for fault in FAULTS {
                // The first time, one amid the work, and the last.
                let mut times = vec![0, reached / 2, reached - 1];
                times.dedup();
                for skip in times {
                    let plan = FaultPlan::default();
                    plan.arm(moment, fault, skip, 1);
                    let failed = run(&mut figure, &plan, held).map(|_| ());
                    let at = format!("{fault:?} at {moment:?} after {skip} of {reached}, held {held}");
                    assert!(matches!(&failed, Err(e) if is(fault, e)), "{at}: {failed:?}");
                }
            }
        }
    }
    assert!(run(&mut figure, &FaultPlan::default(), true).unwrap().0 == wanted);
    assert_eq!(ESCAPED.load(Ordering::Relaxed), 0);
}

/// Memory may come back: nothing that was made without it stays, and no half done fold passes for a picture.
#[test]
fn the_same_painter_draws_again_after_a_want_of_memory() {
    if crate::support::adapter::context().is_none() {
        return;
    }
    let _turn = alone();
    let mut figure = Figure::new();
    let wanted = figure.wanted();
    for held in [true, false] {
        for moment in Moment::ALL.into_iter().filter(|m| *m != Moment::Open) {
            for fault in [InjectedFault::OutOfMemory, InjectedFault::Refused] {
                for skip in 0..4 {
                    let plan = FaultPlan::default();
                    let context = Context::open_by(&AdapterPreference::default(), &plan).unwrap();
                    let mut painter = Painter::with_options(&context, without_pyramid()).unwrap();
                    if held {
                        painter.upload(&figure.grids, &mut |_, _| ()).unwrap();
                    }
                    plan.arm(moment, fault, skip, 1);
                    let first = painter.draw(&figure.scene, &figure.grids, &mut figure.fonts);
                    let at = format!("{fault:?} at {moment:?} after {skip}, held {held}");
                    match first {
                        Err(e) => assert!(is(fault, &e), "{at}: {e}"),
                        Ok(image) => assert!(
                            image == wanted && plan.reached() <= skip,
                            "{at}: a fault that nobody saw"
                        ),
                    }
                    plan.arm(moment, fault, u32::MAX, 0);
                    let again = painter.draw(&figure.scene, &figure.grids, &mut figure.fonts);
                    assert!(again.as_ref() == Ok(&wanted), "{at}: {:?}", again.map(|_| "another picture"));
                }
            }
        }
    }
    assert_eq!(ESCAPED.load(Ordering::Relaxed), 0);
}

/// A device that goes while another thread works on it.
#[test]
fn a_device_destroyed_at_any_time_is_lost() {
    if crate::support::adapter::context().is_none() {
        return;
    }
    let _turn = alone();
    let mut figure = Figure::new();
    let wanted = figure.wanted();
    let mut lost = 0;
    for moment in 0..24 {
        let context = Context::open(&AdapterPreference::default()).unwrap();
        let mut painter = Painter::new(&context).unwrap();
        let device = context.device().clone();
        // It goes at some moment of a frame, later from time to time.
        let begun = Arc::new(AtomicUsize::new(0));
        let seen = begun.clone();
        let killer = std::thread::spawn(move || {
            while seen.load(Ordering::Relaxed) <= moment / 4 {
                std::thread::yield_now();
            }
            (0..moment % 4 * 50_000).for_each(|_| std::hint::spin_loop());
            device.destroy();
        });
        let mut frames = 0;
        let end = loop {
            begun.fetch_add(1, Ordering::Relaxed);
            match figure.drawn(&mut painter, frames % 2 == 0) {
                Ok((image, _)) => assert!(image == wanted, "frame {frames} before the loss"),
                Err(e) => break e,
            }
            frames += 1;
            assert!(frames < 10_000, "never lost");
        };
        killer.join().unwrap();
        assert!(matches!(end, GpuError::Lost(_)), "after {frames} frames: {end:?}");
        lost += 1;
        let held_again = painter.upload(&figure.grids, &mut |_, _| ());
        assert!(matches!(held_again, Err(GpuError::Lost(_))), "{held_again:?}");
    }
    assert_eq!((lost, ESCAPED.load(Ordering::Relaxed)), (24, 0));
    assert!(run(&mut figure, &FaultPlan::default(), true).unwrap().0 == wanted);
}

/// glyphon panics where it needs a larger buffer and the device is gone.
#[test]
fn a_library_that_panics_on_a_lost_device_is_reported_as_the_loss() {
    if crate::support::adapter::context().is_none() {
        return;
    }
    let _turn = alone();
    let mut figure = Figure::new();
    let context = Context::open(&AdapterPreference::default()).unwrap();
    let mut painter = Painter::new(&context).unwrap();
    figure.scene.size = PxSize { w: 4000, h: 300 };
    painter.draw(&figure.scene, &figure.grids, &mut figure.fonts).unwrap();
    context.device().destroy();
    let before = GUARDED.get();
    let text = "many letters ".repeat(40);
    let line = |y: f64| Item::Text {
        text: text.clone(),
        font_size: 12.0,
        at: Point { x: 2.0, y },
        degrees: 0,
        color: Color::BLACK,
    };
    figure.scene.items = (1..20).map(|i| line(f64::from(i) * 14.0)).collect();
    let drawn = painter.draw(&figure.scene, &[], &mut figure.fonts);
    assert!(matches!(drawn, Err(GpuError::Lost(_))), "{drawn:?}");
    let caught = GUARDED.get() - before;
    assert_eq!((caught, ESCAPED.load(Ordering::Relaxed)), (1, 0));
}
