//! Folds on the GPU equal those of the CPU: extremes, counts and states bit by bit, means within their tolerance. What is
//! resident, refused and timed as well.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use crate::support::corpus::corpus;
use crate::support::random::Random;
use gridscope::gpu::{AdapterPreference, Context, FoldBy, GpuError, Painter, PainterOptions};
use gridscope::grid::{Axis, Grid, State, Summary, Values, fold};
use gridscope::input::read_npy;
use gridscope_core::view::EdgeTable;

fn sizes(band_cells: Option<u64>, pyramid: bool, fold_by: FoldBy) -> PainterOptions {
    let mut sizes = PainterOptions::default();
    sizes.band_bytes = band_cells.map_or(sizes.band_bytes, |n| n * 4);
    (sizes.pyramid, sizes.fold_by) = (pyramid, fold_by);
    sizes
}

/// Bits that look random and are not.
fn noise() -> impl FnMut() -> u32 {
    let mut random = Random(1);
    move || (random.bits() >> 32) as u32
}

/// From -1 to 1.
fn unit(bits: u32) -> f32 {
    (f64::from(bits) / f64::from(1u32 << 31) - 1.0) as f32
}

fn grid(rows: usize, columns: usize, mut value: impl FnMut(usize) -> f32) -> Grid {
    let values = Values::F32 { data: (0..rows * columns).map(&mut value).collect(), integer: false };
    Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap()
}

/// Noise with each state and, in a few cells, infinities.
fn mixed(rows: usize, columns: usize) -> Grid {
    let mut random = noise();
    let mut g = grid(rows, columns, |_| match random() {
        n if n % 97 == 0 => f32::INFINITY,
        n if n % 101 == 0 => f32::NEG_INFINITY,
        n if n % 89 == 0 => f32::NAN,
        n => unit(n) * 1e3,
    });
    for row in 0..rows {
        for column in 0..columns {
            match random() % 40 {
                k @ 0..6 => g.set_state(row, column, State::ALL[k as usize]),
                // Whole pixels of states alone.
                _ if row % 31 < 9 && column % 29 < 8 => {
                    g.set_state(row, column, State::ALL[row / 31 % State::ALL.len()]);
                }
                _ => {}
            }
        }
    }
    g
}

fn same(what: &str, gpu: &[Summary], cpu: &[Summary]) {
    assert_eq!(gpu.len(), cpu.len(), "{what}");
    for (i, (g, c)) in gpu.iter().zip(cpu).enumerate() {
        let text = || format!("{what}, pixel {i}: {g:?} should be {c:?}");
        assert!(g.min == c.min && g.max == c.max, "{}", text());
        assert_eq!((g.count(), g.states()), (c.count(), c.states()), "{}", text());
        let (got, want) = (g.mean(), c.mean());
        let most = f64::from(c.min.abs().max(c.max.abs()));
        let close = (got - want).abs() <= 1e-6 * want.abs() + 1e-12 * most;
        assert!(
            close || got == want || (got.is_nan() && want.is_nan()),
            "{}: mean {got}, not {want}",
            text()
        );
    }
}

/// Every way to fold agrees with the CPU.
fn check(what: &str, g: &Grid, bands: &[Option<u64>], tables: &[(EdgeTable, EdgeTable)]) {
    let ways = [false, true]
        .into_iter()
        .flat_map(|p| [FoldBy::Size, FoldBy::Thread, FoldBy::Group].map(|by| (p, by)));
    let all: Vec<PainterOptions> =
        ways.flat_map(|(p, by)| bands.iter().map(move |b| sizes(*b, p, by))).collect();
    check_by(what, g, &all, tables);
}

fn check_by(what: &str, g: &Grid, ways: &[PainterOptions], tables: &[(EdgeTable, EdgeTable)]) {
    let Some(context) = context() else { return };
    let cpu: Vec<Vec<Summary>> =
        tables.iter().map(|(x, y)| fold(g.cells(), g.width(), x.spans(), y.spans())).collect();
    for sizes in ways {
        let mut painter = Painter::with_options(context, *sizes).unwrap();
        painter.upload(std::slice::from_ref(g), &mut |_, _| ()).unwrap();
        for ((x, y), cpu) in tables.iter().zip(&cpu) {
            let gpu = painter.fold(0, x, y).unwrap();
            same(&format!("{what} on {} x {}, {sizes:?}", x.pixels(), y.pixels()), &gpu, cpu);
        }
    }
}

/// A sum is rounded on the way, so its bits tell the order in which lanes are joined.
#[test]
fn subgroups_join_lanes_to_the_same_bits() {
    let Some(context) = context() else { return };
    if !context.adapter_info().subgroups {
        println!("no subgroups");
        return;
    }
    for g in [mixed(131, 70), mixed(1, 5000), mixed(300, 301)] {
        let tables = fits(&g, &[(1, 1), (7, 1), (3, 5)]);
        let tables = tables.iter().filter(|(_, y)| y.pixels() as usize <= g.height());
        let mut painters = [false, true].map(|subgroups| {
            let mut sizes = sizes(Some(9000), false, FoldBy::Group);
            sizes.subgroups = subgroups;
            let mut painter = Painter::with_options(context, sizes).unwrap();
            painter.upload(std::slice::from_ref(&g), &mut |_, _| ()).unwrap();
            painter
        });
        for (x, y) in tables {
            let [plain, subgroups] = painters.each_mut().map(|p| p.fold(0, x, y).unwrap());
            same("subgroups", &subgroups, &fold(g.cells(), g.width(), x.spans(), y.spans()));
            let bits = |all: &[Summary]| -> Vec<String> { all.iter().map(|s| format!("{s:?}")).collect() };
            assert_eq!(bits(&subgroups), bits(&plain));
        }
    }
}

fn fits(g: &Grid, pixels: &[(u32, u32)]) -> Vec<(EdgeTable, EdgeTable)> {
    let (w, h) = (g.width() as u32, g.height() as u32);
    pixels.iter().map(|(x, y)| (EdgeTable::fit(w, *x), EdgeTable::fit(h, *y))).collect()
}

#[test]
fn ragged_grids_with_states_and_infinities() {
    for (rows, columns) in [(1, 1), (1, 1000), (1000, 1), (5, 1000), (37, 53), (131, 70)] {
        let g = mixed(rows, columns);
        let mut tables = fits(&g, &[(1, 1), (7, 5), (16, 3), (60, 40)]);
        tables.retain(|(x, y)| x.pixels() <= 16 || y.pixels() <= 3 || rows > 5);
        tables.push((
            EdgeTable::part(columns as u32, -3.5, columns as f64 * 0.8, 6),
            EdgeTable::part(rows as u32, 0.25, rows as f64 + 9.0, 4).reversed(),
        ));
        check(&format!("{rows} x {columns}"), &g, &[None, Some(64)], &tables);
    }
}

#[test]
fn gaps_and_unequal_cells() {
    let g = mixed(40, 30);
    let x = EdgeTable::placed(
        (0..30).map(|i| [f64::from(i * i) / 30.0, f64::from(i * i) / 30.0 + 0.1]).collect(),
        40,
    );
    check(
        "gaps",
        &g,
        &[None, Some(64)],
        &[(x.clone(), EdgeTable::fit(40, 3)), (x.reversed(), EdgeTable::fit(40, 11).reversed())],
    );
}

#[test]
fn many_cells_a_pixel() {
    let g = mixed(700, 900);
    check("700 x 900", &g, &[None, Some(50_000)], &fits(&g, &[(1, 1), (9, 7), (33, 700), (200, 150)]));
}

/// Reads past 2^23 once lost their last cells to f32 indices elsewhere.
#[test]
fn long_rows_and_long_columns() {
    let n = (1 << 23) + 1;
    for (rows, columns) in [(1, n), (n, 1)] {
        let mut random = noise();
        let mut g = grid(rows, columns, |i| if i + 1 == n { 7.5 } else { unit(random()) });
        g.set_state(rows / 3, columns / 3, State::Pending);
        let turned = |p: (u32, u32)| if rows == 1 { p } else { (p.1, p.0) };
        let ways = [
            sizes(None, false, FoldBy::Thread),
            sizes(None, false, FoldBy::Group),
            sizes(None, true, FoldBy::Size),
            sizes(Some(1 << 21), false, FoldBy::Size),
        ];
        check_by(
            &format!("{rows} x {columns}"),
            &g,
            &ways,
            &fits(&g, &[(1, 1), turned((11, 1)), turned((1000, 1))]),
        );
    }
}

#[test]
fn hard_numbers() {
    type Value = Box<dyn FnMut(usize) -> f32>;
    let mut random = noise();

    let lists: [(&str, Value); 7] = [
        ("near the largest", Box::new(|i| if i % 7 == 0 { -3e38 } else { 3e38 - (i as f32) * 1e32 })),
        ("all the largest", Box::new(|_| f32::MAX)),
        ("subnormal", Box::new(|i| f32::from_bits(i as u32 * 37 + 1) * if i % 3 == 0 { -1.0 } else { 1.0 })),
        ("zeros", Box::new(|i| if i % 2 == 0 { 0.0 } else { -0.0 })),
        ("an offset", Box::new(|i| 1e9 + (i % 64) as f32 * 64.0)),
        ("cancelling", Box::new(|i| if i % 5000 < 2500 { 1.234_567_9 } else { -1.234_567_9 })),
        (
            "of every size",
            Box::new(move |_| f32::from_bits((random() & 0x807f_ffff) | (random() % 60 + 90) << 23)),
        ),
    ];
    for (what, value) in lists {
        let g = grid(100, 120, value);
        check(what, &g, &[None, Some(64 * 100)], &fits(&g, &[(1, 1), (5, 3), (40, 100)]));
    }
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn blocks_are_numpys() {
    let corpus = corpus();
    let read =
        |name: &str| read_npy(&std::fs::read(corpus.join("reduce").join(name)).unwrap(), name).unwrap();
    let source = read("reduce_src.npy");
    let g = grid(source.shape[0], source.shape[1], |i| source.data.get(i).as_f64() as f32);
    // Blocks of 10 cells, the last ones smaller: equal cells of a tenth of a pixel.
    let tenths =
        |n: usize| EdgeTable::part(n as u32, 0.0, n.div_ceil(10) as f64 * 10.0, n.div_ceil(10) as u32);
    let (x, y) = (tenths(g.width()), tenths(g.height()));
    check("numpy's source", &g, &[None, Some(512)], &[(x.clone(), y.clone())]);
    let Some(context) = context() else { return };
    let mut painter = Painter::new(context).unwrap();
    painter.upload(&[g], &mut |_, _| ()).unwrap();
    let blocks = painter.fold(0, &x, &y).unwrap();
    let [min, max, mean, count] =
        ["min", "max", "mean", "count"].map(|w| read(&format!("reduce_10x10_{w}.npy")).data);
    assert_eq!(blocks.len(), min.len());
    for (i, b) in blocks.iter().enumerate() {
        assert_eq!(b.count() as f64, count.get(i).as_f64(), "block {i}");
        if b.count() > 0 {
            assert_eq!(
                (f64::from(b.min), f64::from(b.max)),
                (min.get(i).as_f64(), max.get(i).as_f64()),
                "block {i}"
            );
            let (got, want) = (b.mean(), mean.get(i).as_f64());
            let most = f64::from(b.min.abs().max(b.max.abs()));
            let close = (got - want).abs() <= 1e-6 * want.abs() + 1e-12 * most;
            assert!(close || got == want || (got.is_nan() && want.is_nan()), "block {i}: {got}, not {want}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_need_and_limit() {
    let Some(context) = context() else { return };
    let g = mixed(40, 50);
    let upload = |memory, pyramid| {
        let mut sizes = PainterOptions::default();
        (sizes.memory, sizes.pyramid) = (Some(memory), pyramid);
        Painter::with_options(context, sizes).unwrap().upload(&[g.clone(), g.clone()], &mut |_, _| ())
    };
    let refused = |need, limit| Err(GpuError::Limit { what: "bytes of grids", need, limit });
    assert_eq!((upload(15_999, false), upload(16_000, false)), (refused(16_000, 15_999), Ok(())));
    // 13 x 10, 4 x 3 and 1 x 1 blocks of 24 bytes.
    let need = 16_000 + 2 * 24 * (130 + 12 + 1);
    assert_eq!((upload(need - 1, true), upload(need, true)), (refused(need, need - 1), Ok(())));
    let mut painter = Painter::new(context).unwrap();
    let t = EdgeTable::fit(50, 5);
    assert!(matches!(painter.fold(0, &t, &t), Err(GpuError::Misuse(_))));
    painter.upload(&[g], &mut |_, _| ()).unwrap();
    let Err(GpuError::Misuse(what)) = painter.fold(0, &t, &t) else {
        panic!("folded rows that are not there")
    };
    assert_eq!(what, "an edge table of 50 cells for a side of 40");
    assert!(matches!(painter.fold(1, &t, &EdgeTable::fit(40, 5)), Err(GpuError::Misuse(_))));
    assert!(painter.fold(0, &t, &EdgeTable::fit(40, 5)).is_ok());
}

#[test]
fn an_upload_reports_its_progress() {
    let Some(context) = context() else { return };
    let grids = [mixed(30, 20), mixed(7, 11)];
    let mut reported = Vec::new();
    let mut painter = Painter::with_options(context, sizes(Some(100), true, FoldBy::Size)).unwrap();
    painter.upload(&grids, &mut |done, all| reported.push((done, all))).unwrap();
    assert!(
        reported.len() >= 7
            && reported.windows(2).all(|t| t[0].0 < t[1].0)
            && reported.iter().all(|t| t.1 == 677)
    );
    assert_eq!(reported.last(), Some(&(677, 677)));
    let tables = (EdgeTable::fit(11, 2), EdgeTable::fit(7, 2));
    let cpu = fold(grids[1].cells(), 11, tables.0.spans(), tables.1.spans());
    same("the second grid", &painter.fold(1, &tables.0, &tables.1).unwrap(), &cpu);
}

#[test]
fn copies_are_timed() {
    let Some(context) = context() else { return };
    let rate = context.copy_bandwidth(1 << 20).unwrap();
    assert!(rate > 1e6 && rate < 1e15, "{rate}");
    let most = context.device().limits().max_buffer_size;
    assert!(matches!(context.copy_bandwidth(most + 4), Err(GpuError::Limit { what: "bytes to copy", .. })));
}

#[test]
fn an_unknown_device_is_refused_with_what_is_there() {
    let Some(context) = context() else { return };
    let preference = AdapterPreference::named("no such device");
    let Err(GpuError::NoAdapter { found, .. }) = Context::open(&preference) else {
        panic!("opened a device of that name")
    };
    assert!(found.contains(&context.adapter_info().name));
}
