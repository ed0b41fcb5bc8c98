//! Cases measured on the CPU.

use super::super::renderer::Cpu;
use super::super::views::standard;
use super::*;
use gridscope_core::text::Fonts;
use gridscope_draw::render::{Capacity, bare};

const SIZE: PxSize = PxSize { w: 30, h: 20 };

fn grid() -> Grid {
    let value = |i: i32| {
        if i % 17 == 0 { f64::NAN } else { f64::from(i * 7919 % 1000) }
    };
    Grid::from_rows(80, 90, (0..7200).map(value).collect()).unwrap()
}

#[test]
fn a_whole_view_is_the_bare_picture() {
    let mut renderer = Cpu::new(4096);
    for reduce in [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Extreme, Reduce::Count] {
        for origin in [None, Some(Origin::Lower)] {
            let mut figure = Figure { origin, ..Figure::default() };
            figure.reduce.by = Some(reduce);
            let subject = Subject::new(grid(), &figure, Some(1 << 30), &mut renderer).ok().unwrap();
            let settings =
                CaseSettings { size: SIZE, reduce, rounds: 2, warmup: 1, labels: None, check: true };
            let views = &standard(90, 80, SIZE, 3)[0].1;
            let m = subject.measure(views, settings, &figure, &mut renderer).ok().unwrap();
            assert_eq!(m.check.map(|c| c.pixels), Some(0));
            let picture = gridscope_draw::raster::draw(
                &bare(&figure, &grid(), SIZE, Capacity::default(), None).unwrap().scene,
                &[grid()],
                &mut Fonts::new(),
            );
            // A pixel covers 3 x 4 values without a NaN, so that both scales of counts end at 12.
            let expected = hex(&Sha256::digest(&picture.pixels));
            assert_eq!(m.sha256, expected, "{reduce:?} {origin:?}");
            assert_eq!((m.frames, m.cells, m.frame_ms.len()), (2, 7200.0, 1));
        }
    }
}

#[test]
fn every_view_has_a_median_and_every_frame_its_phases() {
    let mut renderer = Cpu::new(4096);
    let figure = Figure::default();
    let subject = Subject::new(grid(), &figure, Some(1 << 30), &mut renderer).ok().unwrap();
    let settings =
        CaseSettings { size: SIZE, reduce: Reduce::Mean, rounds: 3, warmup: 0, labels: None, check: false };
    let pan = &standard(90, 80, SIZE, 5)[3].1;
    let m = subject.measure(pan, settings, &figure, &mut renderer).ok().unwrap();
    assert_eq!((m.frames, m.frame_ms.len()), (15, 5));
    assert!(m.times.min <= m.times.median && m.times.median <= m.times.p95 && m.times.p95 <= m.times.p99);
    assert_eq!(m.phases.iter().map(|(n, _)| *n).collect::<Vec<_>>(), ["tables", "draw"]);
    assert!(m.cells > 22.0 * 20.0 && m.cells < 24.0 * 21.0 + 1.0, "{}", m.cells);
}

#[test]
fn only_shown_cells_count() {
    let figure = Figure::default();
    let mut renderer = Cpu::new(4096);
    let subject = Subject::new(grid(), &figure, Some(1 << 30), &mut renderer).ok().unwrap();
    let settings =
        CaseSettings { size: SIZE, reduce: Reduce::Mean, rounds: 1, warmup: 0, labels: None, check: false };
    let cells = |x0: f64, x1: f64, y0: f64, y1: f64| {
        subject
            .measure(&[View { x0, x1, y0, y1 }], settings, &figure, &mut Cpu::new(4096))
            .ok()
            .unwrap()
            .cells
    };
    assert_eq!([cells(-50.0, 40.0, 0.0, 80.0), cells(2.5, 4.5, 79.0, 85.0)], [3200.0, 3.0]);
}

#[test]
fn a_missing_phase_counts_as_zero() {
    let (mut a, b) = (Phases::new(), Phases::new());
    a.done("fold");
    let medians = phase_medians(&[a, b.clone(), b]);
    assert_eq!(medians, [("fold", 0.0)]);
}

#[test]
fn quantiles_are_numpys() {
    // numpy.quantile(numpy.arange(1, 21) ** 2, [0, .5, .95, .99])
    let squares: Vec<f64> = (1..=20).rev().map(|i| f64::from(i * i)).collect();
    let s = Spread::of(&squares);
    assert_eq!((s.min, s.median), (1.0, 110.5));
    assert!((s.p95 - 362.95).abs() < 1e-9 && (s.p99 - 392.59).abs() < 1e-9, "{s:?}");
}

#[test]
fn few_samples_have_a_spread_too() {
    assert_eq!(Spread::of(&[2.5]), Spread { median: 2.5, p95: 2.5, p99: 2.5, min: 2.5 });
    assert_eq!((median(&[4.0, 1.0]), median(&[3.0, 9.0, 1.0])), (2.5, 3.0));
    assert!(Spread::of(&[]).median.is_nan());
}
