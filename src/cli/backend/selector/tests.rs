//! Devices that fail at every moment of their work.

use super::*;
use crate::args::When;
use gridscope_core::color::Color;
use gridscope_core::geom::PxRect;
use gridscope_core::scale::{ColorScale, Colormap, Norm, ScaleSpec, default_fills};
use gridscope_draw::scene::{Cells, Item};
use gridscope_gpu::{AdapterPreference, Context, InjectedFault, Moment};
use std::sync::Arc;

const ASKED: BackendArgs = BackendArgs { backend: RequestedBackend::Gpu, device: None };

/// Whether a device opens. If the environment requires one, it must.
fn has_device() -> bool {
    let opens = Context::open(&AdapterPreference::default()).is_ok();
    assert!(
        opens || std::env::var_os("GRIDSCOPE_REQUIRE_ADAPTER").is_none_or(|v| v != "1"),
        "GRIDSCOPE_REQUIRE_ADAPTER is set and no device opens"
    );
    opens
}

fn figure() -> (Scene, Vec<Grid>) {
    let data = (0..1600).map(|i| (i * 7919 % 1009) as f32).collect();
    let axis = || gridscope_core::grid::Axis::index("", 40);
    let values = gridscope_core::grid::Values::F32 { data, integer: false };
    let grids = vec![Grid::new(axis(), axis(), values, &[]).unwrap()];
    let map = Colormap::named("magma").unwrap();
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
    let cells = Cells {
        grid: 0,
        body: PxRect { x: 1, y: 1, w: 20, h: 20 },
        columns: EdgeTable::fit(40, 20),
        rows: EdgeTable::fit(40, 20),
        summaries: None,
        before: None,
        scale: Arc::new(ColorScale::new(&spec, grids[0].kind())),
        reduce: gridscope_core::figure::Reduce::Max,
        centre: 0.0,
        background: Color::WHITE,
        unit: 1,
    };
    let size = PxSize { w: 30, h: 24 };
    (Scene::new(size, Some(Color::WHITE), vec![Item::Cells(Box::new(cells))]), grids)
}

/// Folds and draws with a fault, and returns the choice, or the exit code of the failure.
fn choice(moment: Moment, fault: InjectedFault, skip: u32, times: u32) -> Result<(&'static str, String), u8> {
    let plan = FaultPlan::default();
    plan.arm(moment, fault, skip, times);
    let phases = &mut Phases::new();
    let mut backend = BackendSelector::with_faults(&ASKED, 1 << 30, phases, plan).map_err(|e| match e {
        Failure::Run(e) => e.exit_code(),
        Failure::Usage(..) => 2,
    })?;
    let ((scene, grids), mut fonts, mut lints) = (figure(), Fonts::new(), Lints::default());
    let Item::Cells(c) = &scene.items[0] else { unreachable!() };
    let folded = backend.fold(&grids, 0, &c.columns, &c.rows, &Progress::start(When::Never, true)).unwrap();
    let summaries = grids[0].fold(c.columns.spans(), c.rows.spans()).unwrap();
    let (folded, summaries) = (folded.stored().unwrap(), summaries.stored().unwrap());
    assert!(
        folded.iter().zip(summaries).all(|(a, b)| (a.min, a.max, a.count()) == (b.min, b.max, b.count()))
    );
    let drawn =
        backend.draw(&scene, &grids, &mut fonts, phases, &mut lints).unwrap_or_else(|_| panic!("no picture"));
    assert!(drawn == gridscope_draw::raster::draw(&scene, &grids, &mut fonts), "{fault:?} at {moment:?}");
    Ok((backend.choice.name, backend.choice.why))
}

#[test]
fn a_device_that_fails_is_opened_a_second_time_and_then_the_cpu_draws() {
    if !has_device() {
        return;
    }
    for moment in [Moment::Buffer, Moment::Check, Moment::Fold, Moment::Paint, Moment::Copy, Moment::Map] {
        for fault in [InjectedFault::Lost, InjectedFault::OutOfMemory] {
            let one = choice(moment, fault, 0, 1).unwrap();
            assert_eq!(one, ("gpu", "requested".to_owned()), "{fault:?} at {moment:?}");
            let (name, why) = choice(moment, fault, 0, u32::MAX).unwrap();
            let word = if fault == InjectedFault::Lost { "lost" } else { "memory" };
            assert!(name == "cpu" && why.contains(word), "{fault:?} at {moment:?}: {name}, {why}");
        }
        // A request that a device refused is not repeated.
        let (name, why) = choice(moment, InjectedFault::Refused, 0, 1).unwrap();
        assert!(name == "cpu" && why.starts_with("graphics device: "), "{moment:?}: {name}, {why}");
    }
}

#[test]
fn a_requested_device_that_does_not_open_ends_in_exit_code_5() {
    if !has_device() {
        return;
    }
    for fault in [InjectedFault::Lost, InjectedFault::OutOfMemory, InjectedFault::Refused] {
        assert_eq!(choice(Moment::Open, fault, 0, u32::MAX), Err(5), "{fault:?}");
    }
    // A device that is lost while it opens is opened a second time; if that fails too, the CPU draws.
    assert_eq!(choice(Moment::Open, InjectedFault::Lost, 0, 1).unwrap().0, "gpu");
    let plan = FaultPlan::default();
    let mut backend = BackendSelector::with_faults(&ASKED, 1 << 30, &mut Phases::new(), plan.clone())
        .unwrap_or_else(|_| panic!("no device"));
    plan.arm(Moment::Open, InjectedFault::Refused, 0, u32::MAX);
    backend.recover(&GpuError::Lost("gone".to_owned()));
    assert_eq!((backend.choice.name, backend.folds(), plan.reached()), ("cpu", false, 1));
    // If no device was requested, the CPU draws without a message.
    let auto = BackendArgs { backend: RequestedBackend::Auto, device: None };
    let mut backend = BackendSelector::with_faults(&auto, 1 << 30, &mut Phases::new(), plan)
        .unwrap_or_else(|_| panic!("refused"));
    backend.open(&mut Phases::new()).unwrap_or_else(|_| panic!("refused"));
    assert_eq!(
        (backend.choice.name, backend.choice.why.as_str()),
        ("cpu", "graphics device: made by a test")
    );
}
