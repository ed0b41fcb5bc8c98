//! Pictures of the GPU back end equal those of the CPU back end, on whatever adapter there is.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use crate::support::random::Random;
use gridscope::Color;
use gridscope::Fonts;
use gridscope::Image;
use gridscope::figure::Reduce;
use gridscope::gpu::{AdapterPreference, Context, GpuError, Painter, PainterOptions};
use gridscope::grid::{Axis, Grid, Kind, State, Values, fold};
use gridscope_core::geom::{Point, PxRect, PxSize, Rect};
use gridscope_core::scale::{ColorScale, Colormap, Hide, Norm, ScaleSpec, default_fills};
use gridscope_core::view::EdgeTable;
use gridscope_draw::raster;
use gridscope_draw::scene::{Cells, Item, Scene};
use std::sync::Arc;

/// Bands and atlases so small that every picture needs several.
fn small() -> PainterOptions {
    let mut sizes = PainterOptions::default();
    (sizes.band_bytes, sizes.sheet_masks) = (64 * 4, 5);
    sizes
}

/// The greatest difference of a channel, and where.
fn difference(a: &Image, b: &Image) -> (u8, usize) {
    assert_eq!((a.width, a.height, a.pixels.len()), (b.width, b.height, b.pixels.len()));
    a.pixels
        .iter()
        .zip(&b.pixels)
        .enumerate()
        .map(|(i, (a, b))| (a.abs_diff(*b), i / 4))
        .max_by_key(|d| d.0)
        .unwrap_or((0, 0))
}

/// Draws on both back ends, in large and in small bands; at most `tolerance` apart in any channel.
fn check(what: &str, scene: &Scene, grids: &[Grid], tolerance: u8) {
    let Some(context) = context() else { return };
    let mut fonts = Fonts::new();
    let cpu = raster::draw(scene, grids, &mut fonts);
    for sizes in [PainterOptions::default(), small()] {
        let mut painter = Painter::with_options(context, sizes).unwrap();
        for held in [false, true] {
            if held {
                painter.upload(grids, &mut |_, _| ()).unwrap();
            }
            let gpu = painter.draw(scene, grids, &mut fonts).unwrap();
            let (most, at) = difference(&cpu, &gpu);
            let (x, y) = (at as u32 % cpu.width, at as u32 / cpu.width);
            let text = format!(
                "{what}, {sizes:?}, held {held}: pixel ({x}, {y}) is {} and should be {}",
                gpu.at(x, y),
                cpu.at(x, y)
            );
            assert!(most <= tolerance, "{text}");
        }
    }
}

fn scene(w: u32, h: u32, items: Vec<Item>) -> Scene {
    Scene::new(PxSize { w, h }, Some(Color::rgb(250, 251, 252)), items)
}

fn spec(norm: Norm, vmin: f64, vmax: f64, map: &str) -> ScaleSpec {
    let map = Colormap::named(map).unwrap();
    let fills = default_fills(Color::WHITE, &map);
    ScaleSpec {
        norm,
        vmin,
        vmax,
        map,
        under: Some(Color::rgb(1, 2, 3)),
        over: Some(Color::rgb(254, 0, 254)),
        fills,
        hide: None,
        exact: None,
    }
}

fn plain(vmin: f64, vmax: f64) -> ScaleSpec {
    spec(Norm::Linear, vmin, vmax, "viridis")
}

/// A body that shows a grid wholly.
fn body(grid: &Grid, at: PxRect, spec: &ScaleSpec) -> Cells {
    Cells {
        grid: 0,
        body: at,
        columns: EdgeTable::fit(grid.width() as u32, at.w),
        rows: EdgeTable::fit(grid.height() as u32, at.h),
        summaries: None,
        before: None,
        scale: Arc::new(ColorScale::new(spec, grid.kind())),
        reduce: Reduce::Mean,
        centre: 0.0,
        background: Color::rgb(9, 99, 199),
        unit: 2,
    }
}

/// Numbers from -1 to 1 that look random and are not.
fn noise(n: usize) -> impl Iterator<Item = f64> {
    let mut random = Random(1);
    (0..n).map(move |_| 2.0 * random.unit() - 1.0)
}

fn grid(rows: usize, columns: usize, values: Vec<f64>) -> Grid {
    let values = Values::F32 { data: values.into_iter().map(|v| v as f32).collect(), integer: false };
    Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap()
}

const AT: PxRect = PxRect { x: 3, y: 2, w: 60, h: 40 };

#[test]
fn every_norm_picks_the_same_entries() {
    let norms = [
        (Norm::Linear, -40.0, 60.0),
        (Norm::Log, 0.01, 80.0),
        (Norm::SymLog { linthresh: 0.5, linscale: 1.0, base: 10.0 }, -90.0, 90.0),
        (Norm::Power { gamma: 0.4 }, 0.0, 90.0),
        (Norm::TwoSlope { center: 5.0 }, -90.0, 10.0),
        (Norm::Bounds(vec![-50.0, -1.0, 0.0, 2.0, 70.0]), -50.0, 70.0),
    ];
    for (norm, vmin, vmax) in norms {
        for map in ["viridis", "tab10", "twilight", "RdBu_r"] {
            let mut s = spec(norm.clone(), vmin, vmax, map);
            let at = |share: f64| vmin + share * (vmax - vmin);
            s.hide = match map {
                "tab10" => Some((Some(at(0.3)), Some(at(0.8)))),
                "twilight" => Some((Some(at(0.45)), None)),
                "RdBu_r" => Some((None, Some(at(0.55)))),
                _ => None,
            }
            .map(|(below, above)| Hide { below, above, color: Color::rgb(7, 77, 7) });
            // Numbers all over, and the very edges of the entries.
            let mut values: Vec<f64> = noise(1400).map(|v| v * v.abs() * 100.0).collect();
            let scale = ColorScale::new(&s, Kind::F32);
            let edges = scale
                .thresholds()
                .iter()
                .flat_map(|k| [*k - 1, *k])
                .map(|k| f64::from(f32::from_bits(bits_of(k))));
            values.extend(edges.filter(|v| !v.is_nan()));
            values.extend([0.0, -0.0, 1e-42, -1e-42, f64::INFINITY, f64::NEG_INFINITY]);
            values.resize(values.len().next_multiple_of(50), 1.0);
            let (rows, data) = (
                values.len() / 50,
                Values::F32 { data: values.iter().map(|v| *v as f32).collect(), integer: false },
            );
            let axis = |n| gridscope::grid::Axis::index("", n);
            let g = Grid::new(axis(rows), axis(50), data, &[]).unwrap();
            let at = PxRect { x: 3, y: 2, w: 50, h: rows as u32 };
            check(
                &format!("{:?} {map}, hidden {:?}", s.norm, s.hide),
                &scene(60, rows as u32 + 5, vec![Item::Cells(Box::new(body(&g, at, &s)))]),
                &[g],
                0,
            );
        }
    }
}

fn bits_of(key: i32) -> u32 {
    if key < 0 { 1 << 31 | key.unsigned_abs() } else { key as u32 }
}

#[test]
fn states_are_filled_alike() {
    let mut g = grid(6, 12, noise(72).collect());
    for (i, state) in State::ALL.into_iter().enumerate() {
        for k in 0..6 {
            g.set_state(k, i * 2, state);
        }
    }
    for map in ["viridis", "gray"] {
        for unit in [0, 1, 2, 3, 7] {
            let mut s = spec(Norm::Linear, -1.0, 1.0, map);
            // Alpha is preserved: a bare picture's absent cells are transparent.
            s.fills[State::Absent.index()].color = Color::CLEAR;
            let shown = Cells { unit, ..body(&g, AT, &s) };
            check(
                &format!("states on {map}, unit {unit}"),
                &scene(70, 50, vec![Item::Cells(Box::new(shown))]),
                std::slice::from_ref(&g),
                0,
            );
        }
    }
}

#[test]
fn sizes_views_and_gaps_agree() {
    for (rows, columns) in [(1, 1), (1, 9), (9, 1), (13, 7), (5, 64)] {
        let g = grid(rows, columns, noise(rows * columns).collect());
        for (w, h) in [(1, 1), (1, 31), (31, 1), (57, 33), (128, 64)] {
            let at = PxRect { w, h, ..AT };
            let cells = body(&g, at, &plain(-1.0, 1.0));
            let turned = Cells {
                rows: cells.rows.clone().reversed(),
                columns: cells.columns.clone().reversed(),
                ..cells.clone()
            };
            for (what, cells) in [("as it is", cells), ("reversed", turned)] {
                let s = scene(133, 67, vec![Item::Cells(Box::new(cells))]);
                check(&format!("{rows} x {columns} on {w} x {h}, {what}"), &s, std::slice::from_ref(&g), 0);
            }
        }
    }
    let g = grid(4, 3, noise(12).collect());
    let gaps = Cells {
        columns: EdgeTable::placed(vec![[2.0, 20.0], [22.0, 40.0], [41.0, 55.0]], AT.w),
        rows: EdgeTable::placed(vec![[3.0, 10.0], [11.0, 20.0], [20.0, 20.4], [30.0, 38.0]], AT.h).reversed(),
        ..body(&g, AT, &plain(-1.0, 1.0))
    };
    check("gaps", &scene(70, 50, vec![Item::Cells(Box::new(gaps))]), std::slice::from_ref(&g), 0);
    let off = body(&g, PxRect { x: -20, y: -7, w: 90, h: 90 }, &plain(-1.0, 1.0));
    check("partly off the canvas", &scene(50, 40, vec![Item::Cells(Box::new(off))]), &[g], 0);
}

#[test]
fn every_reduction_is_shown_alike() {
    let mut g = grid(90, 130, noise(90 * 130).map(|v| v * 9.0).collect());
    for i in 0..20 {
        g.set_state(i, i, State::Masked);
    }
    for reduce in [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Count, Reduce::Extreme] {
        let mut cells = body(&g, AT, &plain(-4.0, 4.0));
        cells.columns = EdgeTable::placed(
            (0..130).map(|i| [f64::from(i) * 0.4 + 5.0, f64::from(i) * 0.4 + 5.4]).collect(),
            AT.w,
        );
        cells.summaries =
            Some(Arc::new(fold(g.cells(), g.width(), cells.columns.spans(), cells.rows.spans()).into()));
        cells.reduce = reduce;
        check(
            &format!("{reduce:?}"),
            &scene(70, 50, vec![Item::Cells(Box::new(cells))]),
            std::slice::from_ref(&g),
            0,
        );
    }
}

#[test]
fn numbers_wider_than_f32_are_shaded_alike() {
    let (rows, columns) = (40, 64);
    let n = rows * columns;
    let floats =
        |far: f64| Values::F64(noise(n).map(|v| v * 9.0).map(|v| if v > 8.9 { far } else { v }).collect());
    let kinds = [
        (floats(1e300), -9.0, 9.0),
        (floats(f64::NEG_INFINITY), -0.5, 4.0),
        (
            Values::I64((0..n as i64).map(|i| (1 << 53) + i * 7919 % 1009).collect()),
            9_007_199_254_740_992.0,
            9_007_199_254_742_001.0,
        ),
        (
            Values::U64((0..n as u64).map(|i| u64::MAX - i * 7919 % 100_003).collect()),
            1.844_674_407_370_945e19,
            1.844_674_407_370_955_2e19,
        ),
    ];
    for (values, vmin, vmax) in kinds {
        let axis = |n| Axis::index("", n);
        let mut g = Grid::new(axis(rows), axis(columns), values, &[]).unwrap();
        g.set_state(3, 5, State::Masked);
        for (at, reduce) in [
            (AT, Reduce::Mean),
            (PxRect { w: 130, h: 50, ..AT }, Reduce::Mean),
            (PxRect { w: 31, h: 17, ..AT }, Reduce::Mean),
            (PxRect { w: 31, h: 17, ..AT }, Reduce::Extreme),
            (PxRect { w: 31, h: 17, ..AT }, Reduce::Min),
        ] {
            let mut cells =
                Cells { reduce, centre: vmin / 2.0 + vmax / 2.0, ..body(&g, at, &plain(vmin, vmax)) };
            let what = format!("{:?} on {} x {}, {reduce:?}", g.kind(), at.w, at.h);
            check(
                &what,
                &scene(140, 60, vec![Item::Cells(Box::new(cells.clone()))]),
                std::slice::from_ref(&g),
                0,
            );
            cells.columns = EdgeTable::part(columns as u32, 20.0, 51.5, at.w);
            cells.rows = EdgeTable::part(rows as u32, -3.0, 22.0, at.h).reversed();
            check(
                &format!("a part, {what}"),
                &scene(140, 60, vec![Item::Cells(Box::new(cells))]),
                std::slice::from_ref(&g),
                0,
            );
        }
    }
}

/// As [`check`], but with pixels that may be one map entry off: a mean summed in another order.
fn check_means(what: &str, scene: &Scene, grid: &Grid) {
    let Some(context) = context() else { return };
    let mut fonts = Fonts::new();
    let cpu = raster::draw(scene, std::slice::from_ref(grid), &mut fonts);
    for sizes in [PainterOptions::default(), small(), {
        let mut sizes = small();
        sizes.pyramid = false;
        sizes
    }] {
        let mut painter = Painter::with_options(context, sizes).unwrap();
        painter.upload(std::slice::from_ref(grid), &mut |_, _| ()).unwrap();
        let gpu = painter.draw(scene, std::slice::from_ref(grid), &mut fonts).unwrap();
        let pixels = cpu.pixels.chunks_exact(4).zip(gpu.pixels.chunks_exact(4));
        let wrong = pixels.filter(|(a, b)| a != b).count();
        // A neighbour among viridis' entries is at most this far in any channel.
        let (most, _) = difference(&cpu, &gpu);
        assert!(
            wrong * 1000 <= cpu.pixels.len() / 4 && (wrong == 0 || most <= 8),
            "{what}, {sizes:?}: {wrong} pixels, by {most}"
        );
    }
}

#[test]
fn bodies_are_folded_where_they_are_drawn() {
    let mut noisy = grid(97, 133, noise(97 * 133).map(|v| v * 9.0).collect());
    for i in 0..97 {
        noisy.set_state(i, i, State::ALL[i % 4]);
        (0..9).for_each(|k| noisy.set_state(i, 60 + k, State::ALL[i / 25]));
    }
    let of = |value: fn(usize) -> f64| grid(97, 133, (0..97 * 133).map(value).collect());
    let infinite = of(|i| match i % 50 {
        0 => f64::INFINITY,
        25 if i % 3 == 0 => f64::NEG_INFINITY,
        k => k as f64 / 9.0 - 2.0,
    });
    let grids = [
        ("noise", noisy),
        ("infinities", infinite),
        // Means that lie on thresholds: the very values of the limits, and halves between whole numbers.
        ("constant", of(|_| 4.0)),
        ("whole numbers", of(|i| (i % 9) as f64 - 4.0)),
        ("thirds", of(|_| 0.1)),
        ("signs", of(|i| if i % 2 == 0 { -1.0 } else { 1.0 })),
        ("tiny", of(|i| (i % 9) as f64 * 1e-42)),
        ("huge", of(|i| (i % 9) as f64 * 3e37)),
    ];
    for (what, g) in &grids {
        let most = g.stats().range().map_or(1.0, |(low, high)| low.abs().max(high.abs()));
        for reduce in [Reduce::Mean, Reduce::Min, Reduce::Max, Reduce::Count, Reduce::Extreme] {
            let limits = if reduce == Reduce::Count { (0.0, 30.0) } else { (-most, most) };
            let mut cells = body(g, AT, &plain(limits.0, limits.1));
            cells.columns = EdgeTable::part(133, -9.0, 133.0, AT.w);
            cells.reduce = reduce;
            // With this centre, the distances of both ends differ by less than f32 can resolve.
            cells.centre = 1e-30;
            let columns = EdgeTable::fit(133, 4);
            let coarse = Cells {
                body: PxRect { x: 1, y: 44, w: 4, h: 3 },
                rows: EdgeTable::fit(97, 3).reversed(),
                columns,
                ..cells.clone()
            };
            let s = scene(70, 50, vec![Item::Cells(Box::new(cells)), Item::Cells(Box::new(coarse))]);
            match reduce {
                Reduce::Mean => check_means(&format!("{what}, {reduce:?}"), &s, g),
                _ => check(&format!("{what}, {reduce:?}"), &s, std::slice::from_ref(g), 0),
            }
        }
    }
}

#[test]
fn a_fold_is_reused_until_grid_or_tables_change() {
    let Some(context) = context() else { return };
    let mut painter = Painter::new(context).unwrap();
    let mut fonts = Fonts::new();
    let grids = [grid(90, 90, noise(8100).collect()), grid(90, 90, noise(8100).map(|v| -v).collect())];
    painter.time_gpu(true);
    painter.upload(&grids, &mut |_, _| ()).unwrap();
    let first = body(&grids[0], PxRect { x: 0, y: 0, w: 30, h: 30 }, &plain(-1.0, 1.0));
    let cases = [
        (first.clone(), true),
        (first.clone(), false),
        (Cells { reduce: Reduce::Max, ..first.clone() }, false),
        (Cells { scale: Arc::new(ColorScale::new(&plain(-0.1, 0.1), Kind::F32)), ..first.clone() }, false),
        (Cells { columns: EdgeTable::part(90, 5.0, 80.0, 30), ..first.clone() }, true),
        (first.clone(), true),
        (Cells { grid: 1, ..first.clone() }, true),
    ];
    for (i, (cells, folds)) in cases.into_iter().enumerate() {
        let s = scene(30, 30, vec![Item::Cells(Box::new(cells))]);
        let gpu = painter.draw(&s, &grids, &mut fonts).unwrap();
        assert_eq!(difference(&raster::draw(&s, &grids, &mut fonts), &gpu).0, 0, "picture {i}");
        // Where the device takes no times there is nothing to compare.
        let Some(times) = painter.gpu_times() else {
            continue;
        };
        let names: Vec<&str> = times.iter().map(|t| t.0).collect();
        assert_eq!(names, if folds { vec!["fold", "draw"] } else { vec!["draw"] }, "picture {i}");
        assert!(times.iter().all(|t| t.1 >= 0.0 && t.1 < 60_000.0), "{times:?}");
    }
    painter.time_gpu(false);
    assert_eq!(painter.gpu_times(), None);
}

#[test]
fn rows_beyond_a_band_are_drawn_cell_by_cell() {
    for (rows, columns) in [(1, 1000), (5, 1000), (1000, 1)] {
        let g = grid(rows, columns, noise(rows * columns).collect());
        let mut cells = body(&g, PxRect { x: 0, y: 0, w: 200, h: 90 }, &plain(-1.0, 1.0));
        let part = |n: usize, pixels: u32, from: f64| {
            EdgeTable::part(n as u32, from, (from + f64::from(pixels)).min(n as f64 + 30.0), pixels)
        };
        (cells.columns, cells.rows) =
            (part(columns, 200, 130.0_f64.min(columns as f64 - 1.0)), part(rows, 90, -20.0));
        let turned = Cells {
            columns: cells.columns.clone().reversed(),
            rows: cells.rows.clone().reversed(),
            ..cells.clone()
        };
        for cells in [cells, turned] {
            check(
                &format!("{rows} x {columns}"),
                &scene(200, 90, vec![Item::Cells(Box::new(cells))]),
                std::slice::from_ref(&g),
                0,
            );
        }
    }
}

#[test]
fn hard_values_agree() {
    let lists: [(&str, Vec<f64>); 6] =
        [
            ("an offset", (0..48).map(|i| 1e9 + f64::from(i) / 64.0).collect()),
            ("huge", noise(48).map(|v| v * 1e300).collect()),
            ("beyond the least f32", noise(48).map(|v| v * 1e-310).collect()),
            (
                "infinities",
                (0..48)
                    .map(|i| {
                        if i % 3 == 0 { f64::INFINITY } else { -f64::from(i) / 0.0f64.max(f64::from(i % 2)) }
                    })
                    .collect(),
            ),
            ("constant", vec![7.25; 48]),
            ("zeros", (0..48).map(|i| if i % 2 == 0 { 0.0 } else { -0.0 }).collect()),
        ];
    for (what, values) in lists {
        let g = grid(6, 8, values);
        let (vmin, vmax) = g.stats().range().unwrap_or((0.0, 1.0));
        let s = scene(70, 50, vec![Item::Cells(Box::new(body(&g, AT, &plain(vmin, vmax))))]);
        check(what, &s, &[g], 0);
    }
    let data = Values::F32 { data: (0..48).map(|i| f32::from_bits(i * 7 + 1)).collect(), integer: false };
    let axis = |n| gridscope::grid::Axis::index("", n);
    let g = Grid::new(axis(6), axis(8), data, &[]).unwrap();
    let s =
        scene(70, 50, vec![Item::Cells(Box::new(body(&g, AT, &plain(0.0, f64::from(f32::from_bits(330))))))]);
    check("denormals", &s, &[g], 0);
}

#[test]
fn bars_and_whole_rectangles_are_byte_equal() {
    let linear = Arc::new(ColorScale::new(&plain(-3.0, 8.0), Kind::F32));
    let bounds = Arc::new(ColorScale::new(
        &spec(Norm::Bounds(vec![0.0, 1.0, 4.0, 5.0]), 0.0, 5.0, "tab10"),
        Kind::F32,
    ));
    let ramp = |x, y, w, h, scale: &Arc<ColorScale>, horizontal| Item::Ramp {
        rect: PxRect { x, y, w, h },
        scale: scale.clone(),
        horizontal,
    };
    let rect = |x, y, w, h, color| Item::Rect { rect: Rect::new(x, y, w, h), color };
    let items = vec![
        ramp(5, 5, 301, 9, &linear, true),
        ramp(5, 20, 11, 300, &linear, false),
        ramp(30, 20, 1, 1, &bounds, true),
        ramp(40, 20, 7, 90, &bounds, false),
        rect(60.0, 30.0, 33.0, 17.0, Color::rgb(200, 10, 10)),
        rect(70.0, 35.0, 1.0, 100.0, Color::BLACK),
        rect(-10.0, 300.0, 900.0, 3.0, Color::rgb(0, 128, 255)),
        rect(10.0, 10.0, 0.0, 50.0, Color::BLACK),
    ];
    check("bars and rectangles", &scene(321, 333, items), &[], 0);
}

/// Rounding of a blend to bytes: 1 a layer, and at most 2 layers lie over each other here.
#[test]
fn lines_and_polygons_agree_within_two_steps_of_255() {
    let p = |x, y| Point { x, y };
    let line = |a, b, width, color| Item::Line { from: a, to: b, width, color };
    let ink = Color::rgb(20, 60, 90);
    let mut items = vec![
        line(p(10.0, 10.0), p(150.0, 37.0), 3.0, ink),
        line(p(150.0, 10.5), p(10.0, 90.0), 0.7, Color::BLACK),
        line(p(-50.0, 60.0), p(400.0, 60.5), 2.5, Color::rgba_of(255, 0, 0, 100)),
        Item::Polygon { points: vec![p(20.0, 20.0), p(60.3, 25.0), p(33.0, 70.0)], color: ink },
        Item::Polygon {
            points: vec![p(120.0, 70.0), p(140.0, 60.0), p(150.0, 90.0), p(110.0, 95.0)],
            color: ink,
        },
        Item::Rect { rect: Rect::new(80.25, 20.5, 13.5, 30.125), color: ink },
        Item::Rect { rect: Rect::new(90.0, 70.0, 10.0, 10.0), color: Color::rgba_of(0, 0, 255, 128) },
    ];
    items.extend((0..8).map(|k| {
        let at =
            |k: i32| p(40.0 + 9.0 * (f64::from(k) * 0.785).cos(), 80.0 + 9.0 * (f64::from(k) * 0.785).sin());
        line(at(k), at(k + 1), 2.0, Color::WHITE)
    }));
    check("lines and polygons", &scene(160, 100, items), &[], 2);
}

fn text(text: &str, x: f64, y: f64, font_size: f64, degrees: i32, color: Color) -> Item {
    Item::Text { text: text.to_owned(), font_size, at: Point { x, y }, degrees, color }
}

/// glyphon blends masks in floating point, the CPU in whole numbers: 2 steps of 255 where glyphs overlap.
#[test]
fn text_agrees_within_two_steps_of_255() {
    let ink = Color::rgb(30, 0, 80);
    let g = grid(2, 3, noise(6).collect());
    let items = vec![
        Item::Cells(Box::new(body(&g, PxRect { x: 100, y: 100, w: 150, h: 80 }, &plain(-1.0, 1.0)))),
        text("Window size (tokens)", 12.3, 20.7, 14.0, 0, ink),
        text("high_school_psychology", 30.0, 190.0, 12.0, 90, ink),
        text("Ratio 0.25 – Λύσις", 60.0, 150.0, 13.5, 45, Color::BLACK),
        text("41.3", 120.0, 130.0, 16.0, 0, Color::WHITE),
        text("half clear", 110.0, 170.0, 20.0, 0, Color::rgba_of(255, 255, 0, 120)),
        text("clipped at the edges", -20.0, 4.0, 18.0, 0, ink),
        text("and there", 240.0, 215.0, 30.0, 0, ink),
        text("off", 4000.0, -4000.0, 30.0, 0, ink),
        // Between the texts in painting order, over some and under others.
        Item::Rect { rect: Rect::new(110.0, 120.0, 30.0, 9.0), color: Color::rgb(255, 200, 0) },
        text("over", 115.0, 132.0, 15.0, 0, Color::BLACK),
        text("", 10.0, 10.0, 12.0, 0, ink),
    ];
    check("text", &scene(280, 220, items), &[g], 2);
}

#[test]
fn atlases_grow_without_losing_a_glyph() {
    let items = (0..24).map(|i| {
        text(
            "Sphinx of black quartz, judge my vow",
            5.0,
            20.0 + 24.0 * f64::from(i),
            9.0 + f64::from(i),
            0,
            Color::BLACK,
        )
    });
    check("many sizes", &scene(700, 620, items.collect()), &[], 2);
}

#[test]
fn a_painter_serves_many_scenes_and_stores_of_fonts() {
    let Some(context) = context() else { return };
    let mut painter = Painter::new(context).unwrap();
    let g = grid(3, 3, noise(9).collect());
    for (i, word) in ["first", "second", "another", "first"].into_iter().enumerate() {
        // New `Fonts` number their masks from 0 again.
        let mut fonts = Fonts::new();
        let side = 90 + i as u32;
        let cells = Item::Cells(Box::new(body(&g, PxRect { x: 5, y: 30, w: 31, h: 30 }, &plain(-1.0, 1.0))));
        let s = scene(side, side, vec![cells, text(word, 5.0, 20.0, 14.0, 0, Color::BLACK)]);
        let cpu = raster::draw(&s, std::slice::from_ref(&g), &mut fonts);
        let gpu = painter.draw(&s, std::slice::from_ref(&g), &mut fonts).unwrap();
        assert!(difference(&cpu, &gpu).0 <= 2, "{word}");
        assert_eq!(
            gpu,
            painter.draw(&s, std::slice::from_ref(&g), &mut fonts).unwrap(),
            "the same bytes each time"
        );
        assert!(gpu.pixels.chunks_exact(4).all(|p| p[3] == 255));
    }
}

#[test]
fn resident_cells_stay_until_uploaded_again() {
    let Some(context) = context() else { return };
    let mut painter = Painter::new(context).unwrap();
    let mut fonts = Fonts::new();
    let (a, b) = (grid(3, 3, noise(9).collect()), grid(3, 3, vec![0.5; 9]));
    let s = scene(
        40,
        40,
        vec![Item::Cells(Box::new(body(&a, PxRect { x: 0, y: 0, w: 40, h: 40 }, &plain(-1.0, 1.0))))],
    );
    let mut draw =
        |painter: &mut Painter, g: &Grid| painter.draw(&s, std::slice::from_ref(g), &mut fonts).unwrap();
    painter.upload(std::slice::from_ref(&a), &mut |_, _| ()).unwrap();
    let held = draw(&mut painter, &b);
    painter.upload(&[], &mut |_, _| ()).unwrap();
    assert_ne!(held, draw(&mut painter, &b));
    assert_eq!(held, draw(&mut painter, &a));
}

#[test]
fn a_canvas_beyond_the_limit_is_refused_by_name() {
    let Some(context) = context() else { return };
    let most = context.device().limits().max_texture_dimension_2d;
    let s = scene(most + 1, 1, Vec::new());
    let refused = Painter::new(context).unwrap().draw(&s, &[], &mut Fonts::new());
    assert_eq!(
        refused,
        Err(GpuError::Limit { what: "pixels a side", need: u64::from(most) + 1, limit: u64::from(most) })
    );
}

#[test]
fn a_lost_device_is_an_error_of_its_own() {
    if context().is_none() {
        return;
    }
    let own = Context::open(&AdapterPreference::default()).unwrap();
    let mut painter = Painter::new(&own).unwrap();
    let g = grid(5, 4, noise(20).collect());
    let words = scene(20, 20, vec![text("x", 5.0, 15.0, 12.0, 0, Color::BLACK)]);
    let cells = scene(
        20,
        20,
        vec![Item::Cells(Box::new(body(&g, PxRect { x: 0, y: 0, w: 20, h: 20 }, &plain(-1.0, 1.0))))],
    );
    let frame = scene(20, 20, vec![Item::Rect { rect: Rect::new(2.0, 3.0, 9.0, 4.0), color: Color::BLACK }]);
    let long = scene(900, 20, vec![text(&"many letters ".repeat(20), 5.0, 15.0, 12.0, 0, Color::BLACK)]);
    painter.draw(&long, &[], &mut Fonts::new()).unwrap();
    painter.draw(&frame, &[], &mut Fonts::new()).unwrap();
    painter.draw(&words, &[], &mut Fonts::new()).unwrap();
    own.device().destroy();
    for s in [&cells, &frame, &words, &scene(900, 40, vec![long.items[0].clone(); 4]), &cells] {
        let drawn = painter.draw(s, std::slice::from_ref(&g), &mut Fonts::new());
        assert!(matches!(drawn, Err(GpuError::Lost(_))), "{drawn:?}");
    }
}

#[test]
fn a_callers_texture_of_another_format_and_size_is_painted() {
    let Some(context) = context() else { return };
    let embedded = Context::from_parts(context.device().clone(), context.queue().clone());
    let texture = context.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 64, height: 70, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Bgra8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let g = grid(5, 4, noise(20).collect());
    let s = scene(
        64,
        70,
        vec![Item::Cells(Box::new(body(&g, PxRect { x: 2, y: 3, w: 50, h: 60 }, &plain(-1.0, 1.0))))],
    );
    let mut fonts = Fonts::new();
    let cpu = raster::draw(&s, std::slice::from_ref(&g), &mut fonts);
    let mut painter = Painter::new(&embedded).unwrap();
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    painter.draw_into(&s, &[g], &mut fonts, &view, wgpu::TextureFormat::Bgra8Unorm, s.size).unwrap();
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 64 * 70 * 4,
        usage,
        mapped_at_creation: false,
    });
    let mut encoder = context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    context.queue().submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |r| r.unwrap());
    context.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = buffer.get_mapped_range(..).unwrap();
    let swapped: Vec<u8> = bytes.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], p[3]]).collect();
    assert_eq!(swapped, cpu.pixels);
}
