//! Random figures: no two texts overlap, all are on the canvas, and the panels of a figure are equal.

use crate::support::blocks::Block;
use crate::support::random::{Random, cases};
use gridscope::LintName;
use gridscope::figure::{
    BarPlace, Figure, Origin, Strip, StripAxis, Theme, TickLabels, Ticks, TicksWord, Toggle,
};
use gridscope::grid::{Axis, AxisKind, Grid, State, Values};
use gridscope_core::geom::Rect;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::scene::Item;
use std::collections::HashSet;

const WORDS: [&str; 12] = [
    "AIME24",
    "high_school_statistics",
    "a",
    "R1-Qwen 14B",
    "科学",
    "数学的な推論",
    "Ω–~>",
    "llama",
    "0.5b",
    "MMLU",
    "öß",
    "long name of a thing",
];

fn words(r: &mut Random, most: u64) -> String {
    (0..r.within(1, most)).map(|_| r.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

fn axis(r: &mut Random, n: usize, name: &str) -> Axis {
    let style = r.within(0, 3);
    let category = |r: &mut Random, n: usize| {
        (0..n)
            .map(|i| match style {
                0 => format!("{i}"),
                1 => format!("{} {i}", r.pick(&WORDS)),
                2 => format!("科{i}"),
                _ if i == 0 => format!("{}-{i}", "very_long_label_".repeat(6)),
                _ => format!("label_{i}"),
            })
            .collect::<Vec<_>>()
    };
    let numbers = |n: usize, f: &dyn Fn(usize) -> f64| {
        let centers: Vec<f64> = (0..n).map(f).collect();
        let labels = centers.iter().map(|c| format!("{}", (c * 1e6).round() / 1e6)).collect();
        Axis::number(name, centers, labels)
    };
    match r.within(0, 5) {
        0 => Axis::index(if r.chance(0.5) { "" } else { name }, n),
        1 | 2 => Axis::category(name, category(r, n)),
        3 => {
            let step = r.pick(&[1.0, 0.05, 500.0]);
            let uneven = r.chance(0.3);
            numbers(n, &|i| {
                if uneven { ((i * i) as f64 + 1.0) * step } else { (i as f64 + 1.0) * step }
            })
        }
        4 if n < 40 => {
            let mut a = numbers(n, &|i| 2f64.powi(i as i32));
            a.kind = AxisKind::Log;
            a
        }
        _ => {
            let (group, wide) = (r.within(1, 6) as usize, r.pick(&["g", "LLaMA-2 13B Chat", "科学"]));
            let inner = category(r, n);
            let outer = (0..n).map(|i| format!("{wide}{}", i / group)).collect();
            let mut levels = vec![outer, inner];
            if r.chance(0.3) {
                levels.insert(0, (0..n).map(|i| format!("top {}", i / (2 * group))).collect());
            }
            Axis::nested(name, levels)
        }
    }
}

/// A random figure; an `ordinary` one must fit a canvas of 4 in or more.
fn figure(r: &mut Random) -> (Figure, Vec<Grid>, bool) {
    let (rows, columns) = match r.within(0, 9) {
        0 => (1000, 3),
        1 => (3, 1000),
        2 => (1, r.within(1, 60) as usize),
        _ => {
            let side = |r: &mut Random| {
                let most = r.pick(&[60, 12]);
                r.within(1, most) as usize
            };
            (side(r), side(r))
        }
    };
    let panels = if r.chance(0.4) { 1 } else { r.within(2, 12) as usize };
    let (mut y, mut x) = (axis(r, rows, "window size"), axis(r, columns, "ratio"));
    let mut f = Figure::default();
    if r.chance(0.2) {
        let along_x = r.chance(0.5);
        let side = if along_x { &mut x } else { &mut y };
        side.strips = vec![(0..side.len()).map(|i| WORDS[i % 5].to_owned()).collect()];
        let strip = Strip {
            axis: if along_x { StripAxis::X } else { StripAxis::Y },
            column: "kind".to_owned(),
            ..Strip::default()
        };
        f.strip = Some(strip.into());
    }
    let factor = r.pick(&[1.0, 100.0, 1e-7, 1e6, -3000.0]);
    let offset = r.pick(&[0.0, 0.0, 0.0, 1e9]);
    let states = r.chance(0.3);
    let grids = (0..panels)
        .map(|k| {
            let values = (0..rows * columns).map(|_| offset + factor * r.unit()).collect();
            let state: Vec<_> = if states {
                (0..rows * columns).map(|_| r.chance(0.2).then(|| r.pick(&State::ALL))).collect()
            } else {
                Vec::new()
            };
            let mut g = Grid::new(y.clone(), x.clone(), Values::F64(values), &state).unwrap();
            if panels > 1 {
                g.set_name(format!("{} {k}", words(r, 2)));
            }
            if r.chance(0.8) {
                g.set_value_name("accuracy");
            }
            g.set_texts("family", vec![format!("f{}", k % 2); rows * columns]).unwrap();
            g
        })
        .collect();
    f.title = r.chance(0.5).then(|| words(r, 12));
    f.note = r.chance(0.3).then(|| words(r, 20));
    f.columns = r.chance(0.3).then(|| r.within(1, 4) as u32);
    f.tick_labels = r.chance(0.3).then_some(TickLabels::Each);
    f.color.bar = Some(r.pick(&[BarPlace::Right, BarPlace::Right, BarPlace::Bottom, BarPlace::None]));
    f.color.scale = r.pick(&[None, Some("panel"), Some("family")]).map(str::to_owned);
    f.color.label = r.chance(0.3).then(|| words(r, 6));
    if r.chance(0.3) {
        let (a, b) = (offset + factor * 0.3, offset + factor * 0.6);
        f.color.vmin = r.chance(0.6).then_some(a.min(b));
        f.color.vmax = r.chance(0.6).then_some(a.max(b));
    }
    f.x.label = r.chance(0.2).then(|| words(r, 8));
    f.y.label = r.chance(0.2).then(|| words(r, 8));
    f.x.rotate = r.pick(&[None, None, Some(0), Some(45), Some(90)]);
    f.x.ticks = match r.within(0, 5) {
        0 => Some(Ticks::Count(5)),
        1 => Some(Ticks::Word(TicksWord::None)),
        2 => Some(r.pick(&["all", "every:3"]).parse().unwrap()),
        _ => None,
    };
    f.annotations.show =
        r.pick(&[None, Some("on"), Some("off"), Some("{column:family}")]).map(|show| show.parse().unwrap());
    f.square = r.pick(&[None, None, Some(Toggle::On), Some(Toggle::Off)]);
    f.origin = r.chance(0.2).then_some(Origin::Lower);
    f.theme = r.chance(0.2).then_some(Theme::Dark);
    let inches = 2.0 + 10.0 * r.unit();
    let points = r.within(5, 14);
    f.size.dpi = Some(r.pick(&[72.0, 100.0, 200.0, 300.0]));
    f.size.width = Some(format!("{inches:.2}in").parse().unwrap());
    f.size.height = r.chance(0.3).then(|| format!("{:.2}in", 2.0 + 8.0 * r.unit()).parse().unwrap());
    f.size.font_size = Some(format!("{points}pt").parse().unwrap());
    // Many panels forced side by side, low canvases and giant letters may be refused.
    let ordinary = inches >= 4.0 && f.size.height.is_none() && f.columns.is_none() && points <= 10;
    (f, grids, ordinary)
}

/// Faults of a figure.
fn faults(p: &Prepared, fonts: &mut Fonts) -> Vec<String> {
    let mut wrong = Vec::new();
    let bodies: Vec<Rect> = p.layout.panels.iter().map(|b| b.body.rect()).collect();
    let canvas = Rect::new(0.0, 0.0, f64::from(p.scene.size.w), f64::from(p.scene.size.h));
    // Texts entirely inside a body are annotations.
    let mut blocks = Vec::new();
    for item in &p.scene.items {
        let Item::Text { text, font_size, at, degrees, .. } = item else {
            continue;
        };
        let block = Block::new(text, *font_size, *at, *degrees, fonts);
        if *font_size < p.frame.least_font - 1e-6 {
            wrong.push(format!("'{text}' is {font_size} px, least {}", p.frame.least_font));
        }
        if block
            .corners
            .iter()
            .any(|c| c.x < -1.0 || c.y < -1.0 || c.x > canvas.w + 1.0 || c.y > canvas.h + 1.0)
        {
            wrong.push(format!("'{text}' leaves the canvas {canvas:?}: {:?}", block.corners));
        }
        blocks.push(block);
    }
    let slack = 0.6;
    // Digits have no descent, so their line boxes may extend slightly beyond the lowest row.
    let loose = 1.0 + 0.1 * p.frame.font_size;
    let inside = |b: &Block| {
        bodies
            .iter()
            .any(|r| b.corners.iter().all(|c| r.grown(loose).contains(&Rect::new(c.x, c.y, 0.0, 0.0), 0.0)))
    };
    let annotation: Vec<bool> = blocks.iter().map(inside).collect();
    // From left to right, so that each text is only compared with those that begin before it ends.
    let mut order: Vec<(f64, f64, &Block)> = blocks.iter().map(|b| (b.left(), b.right(), b)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (i, (_, right, a)) in order.iter().enumerate() {
        for (_, _, b) in order[i + 1..].iter().take_while(|b| b.0 < *right) {
            if a.overlap(b) > slack {
                wrong.push(format!(
                    "'{}' meets '{}' by {:.1} ({:?} {:?})",
                    a.text,
                    b.text,
                    a.overlap(b),
                    a.corners[0],
                    b.corners[0]
                ));
            }
        }
    }
    let rects = |rs: &[Rect], what: &str| {
        rs.iter().enumerate().map(|(i, r)| Block::of(*r, &format!("{what} {i}"))).collect::<Vec<_>>()
    };
    let mut solid = rects(&bodies, "body");
    let bars: Vec<Rect> = p.layout.bars.iter().flatten().map(|b| b.rect.rect()).collect();
    solid.extend(rects(&bars, "bar"));
    for (i, a) in solid.iter().enumerate() {
        for b in &solid[i + 1..] {
            if a.overlap(b) > slack {
                wrong.push(format!("{} meets {}", a.text, b.text));
            }
        }
        for (b, _) in blocks.iter().zip(&annotation).filter(|(_, inside)| !**inside) {
            if a.overlap(b) > slack {
                wrong.push(format!("'{}' meets {}", b.text, a.text));
            }
        }
        if a.corners.iter().any(|c| c.x < 0.0 || c.y < 0.0 || c.x > canvas.w || c.y > canvas.h) {
            wrong.push(format!("{} leaves the canvas {:?}", a.text, canvas));
        }
    }
    if bodies.iter().any(|b| (b.w, b.h) != (bodies[0].w, bodies[0].h)) {
        wrong.push(format!("bodies differ: {bodies:?}"));
    }
    wrong
}

/// Labels of a category axis that are left out are reported.
fn thinned_in_silence(p: &Prepared, figure: &Figure) -> bool {
    let x = &p.frame.panels[0].columns;
    let counted = matches!(
        figure.x.ticks,
        Some(Ticks::Word(TicksWord::None) | Ticks::Count(_) | Ticks::Every(_) | Ticks::Keys(_))
    );
    if x.kind != AxisKind::Category
        || counted
        || p.lints.0.iter().any(|l| l.name == LintName::TicksThinned || l.name == LintName::LabelsShortened)
    {
        return false;
    }
    // A label may have several lines.
    let plain = |text: &str| text.replace(' ', "");
    let texts: Vec<String> = p.layout.texts.iter().map(|t| plain(&t.text)).collect();
    let drawn: HashSet<String> =
        (1..=3).flat_map(|lines| texts.windows(lines).map(<[String]>::concat)).collect();
    let last = x.levels.last().unwrap();
    last.iter().any(|label| !drawn.contains(&plain(label)))
}

#[test]
fn texts_of_random_figures_do_not_overlap() {
    let (from, to) = match std::env::var("LAYOUT_SEED").ok().and_then(|s| s.parse::<u64>().ok()) {
        Some(seed) => (seed, seed + 1),
        None => (0, cases(400)),
    };
    let mut fonts = Fonts::new();
    let (mut drawn, mut failed) = (0, Vec::new());
    for seed in from..to {
        let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (figure, grids, ordinary) = figure(&mut r);
        match prepare(&figure, &grids, &mut fonts, &mut Phases::new()) {
            Ok(p) => {
                drawn += 1;
                let mut wrong = faults(&p, &mut fonts);
                if thinned_in_silence(&p, &figure) {
                    wrong.push("labels are left out in silence".to_owned());
                }
                if let Some(first) = wrong.first() {
                    failed.push(format!("seed {seed}: {} faults: {first}", wrong.len()));
                    if to - from == 1 {
                        println!(
                            "{figure:#?}\n{} panels {} x {}\n{}",
                            grids.len(),
                            grids[0].height(),
                            grids[0].width(),
                            wrong.join("\n")
                        );
                    }
                }
            }
            Err(e) if ordinary => failed.push(format!("seed {seed}: refused: {e}")),
            Err(_) => {}
        }
    }
    println!("{drawn} of {} figures drawn", to - from);
    assert!(failed.is_empty(), "{} figures\n{}", failed.len(), failed.join("\n"));
    assert!(to - from == 1 || drawn * 3 > (to - from) * 2, "only {drawn} figures were drawn");
}

#[test]
fn views_move_no_body_and_their_texts_do_not_overlap() {
    let (from, to) = match std::env::var("LAYOUT_SEED").ok().and_then(|s| s.parse::<u64>().ok()) {
        Some(seed) => (seed, seed + 1),
        None => (0, std::env::var("LAYOUT_FIGURES").ok().and_then(|s| s.parse().ok()).unwrap_or(200)),
    };
    let mut fonts = Fonts::new();
    let (mut views, mut failed) = (0, Vec::new());
    for seed in from..to {
        let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (mut figure, grids, _) = figure(&mut r);
        let mut bodies = None;
        for k in 0..5 {
            // Almost the whole grid, then smaller and smaller parts.
            let mut part = |cells: usize| {
                let n = cells as f64;
                let length = n * if k == 0 { 0.99 } else { 0.5f64.powf(f64::from(k) * 2.0 * r.unit()) };
                let from = r.unit() * (n - length);
                format!("{from}:{}", from + length).parse().ok()
            };
            (figure.view.x, figure.view.y) = (part(grids[0].width()), part(grids[0].height()));
            let Ok(p) = prepare(&figure, &grids, &mut fonts, &mut Phases::new()) else {
                break;
            };
            views += 1;
            let mut wrong = faults(&p, &mut fonts);
            let now: Vec<_> = p.layout.panels.iter().map(|b| b.body).collect();
            // Bodies of square cells have the shape of the view.
            if !p.frame.square && bodies.get_or_insert_with(|| now.clone()) != &now {
                wrong.push(format!("bodies moved to {now:?}"));
            }
            if let Some(first) = wrong.first() {
                failed.push(format!("seed {seed}, view {k}: {} faults: {first}", wrong.len()));
                if to - from == 1 {
                    println!(
                        "{figure:#?}\n{} panels {} x {}\n{}",
                        grids.len(),
                        grids[0].height(),
                        grids[0].width(),
                        wrong.join("\n")
                    );
                }
            }
        }
    }
    println!("{views} views of {} figures", to - from);
    assert!(failed.is_empty(), "{} views\n{}", failed.len(), failed.join("\n"));
    assert!(to - from == 1 || views > 3 * (to - from), "only {views} views were drawn");
}

#[test]
fn a_view_of_everything_changes_nothing() {
    let mut fonts = Fonts::new();
    let mut drawn = 0;
    for seed in 0..cases(100) {
        let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (mut figure, grids, _) = figure(&mut r);
        let Ok(plain) = prepare(&figure, &grids, &mut fonts, &mut Phases::new()) else { continue };
        let all = |cells: usize| format!("0:{cells}").parse().ok();
        (figure.view.x, figure.view.y) = (all(grids[0].width()), all(grids[0].height()));
        let viewed = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap();
        assert!(format!("{:?}", plain.scene) == format!("{:?}", viewed.scene), "seed {seed}");
        assert_eq!(plain.lints.0.len(), viewed.lints.0.len(), "seed {seed}");
        drawn += 1;
    }
    assert!(drawn > cases(100) / 2, "only {drawn} figures were drawn");
}

#[test]
fn bars_side_by_side_are_nearer_than_the_room_of_a_lone_bar() {
    let panel = |name: &str, scale: f64| {
        let values = (0..12).map(|i| f64::from(i) * scale).collect();
        let mut grid = Grid::from_rows(6, 2, values).unwrap();
        grid.set_name(name.to_owned());
        grid
    };
    let grids: Vec<Grid> = [("a", 1.0), ("b", 1.0), ("c", 0.5), ("d", 0.5)].map(|(n, s)| panel(n, s)).into();
    let mut figure = Figure { columns: Some(4), ..Figure::default() };
    for (name, group) in [("a", "one"), ("b", "one"), ("c", "two"), ("d", "two")] {
        figure.panels.entry(name.to_owned()).or_default().scale = Some(group.to_owned());
    }
    let mut fonts = Fonts::new();
    let p = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap();
    let bars: Vec<Rect> = p.layout.bars.iter().flatten().map(|b| b.rect.rect()).collect();
    assert_eq!(bars.len(), 2);
    // A gap, a tick and four digits; six digits are what a lone bar reserves.
    let gap = bars[1].x - bars[0].right();
    assert!(gap < 4.3 * p.frame.font_size, "{gap} px, {} px a letter", p.frame.font_size);
}

/// Values of some size and kind, one for each cell.
fn values(r: &mut Random, cells: usize) -> Values {
    let size = 10f64.powi(r.within(-12, 14));
    let low = r.pick(&[0.0, 0.0, -0.5, 1.0, 1e3, -1.0]) * size;
    let share = r.pick(&[1.0, 1.0, 1e-3, 1e-6, 0.0]);
    let whole = r.chance(0.3);
    let value = |r: &mut Random| {
        let v = low + share * size * r.unit();
        if whole { v.round() } else { v }
    };
    Values::F64((0..cells).map(|_| value(r)).collect())
}

/// A grid with the axes, names and states of another one, and other values.
fn revalued(grid: &Grid, r: &mut Random) -> Grid {
    let states: Vec<_> = grid.cells().iter().map(|bits| State::of_bits(*bits)).collect();
    let (rows, columns) = (grid.rows().clone(), grid.columns().clone());
    let mut out = Grid::new(rows, columns, values(r, grid.len()), &states).unwrap();
    out.set_name(grid.name().to_owned());
    out.set_value_name(grid.value_name().to_owned());
    out.set_texts("family", grid.texts()["family"].clone()).unwrap();
    out
}

/// The canvas, and the rectangles of all bodies and bars.
fn places(p: &Prepared) -> (Rect, Vec<Rect>, Vec<Option<Rect>>) {
    let size = p.layout.size;
    let canvas = Rect::new(0.0, 0.0, f64::from(size.w), f64::from(size.h));
    let bodies = p.layout.panels.iter().map(|panel| panel.body.rect());
    let bars = p.layout.bars.iter().map(|bar| Some(bar.as_ref()?.rect.rect()));
    (canvas, bodies.collect(), bars.collect())
}

#[test]
fn no_value_moves_a_body() {
    let mut fonts = Fonts::new();
    let mut compared = 0;
    for seed in 0..cases(120) {
        let mut r = Random(seed + 70_000);
        let (mut figure, grids, _) = figure(&mut r);
        if r.chance(0.2) {
            let margin = r.pick(&["rows:mean", "columns:mean", "rows:std"]);
            figure.margin = Some(serde_json::from_value(margin.into()).unwrap());
        }
        if r.chance(0.2) {
            figure.color.fmt = Some(r.pick(&[".2f", ".1e", "d"]).parse().unwrap());
        }
        let mut first = None;
        for _ in 0..4 {
            let grids: Vec<Grid> = grids.iter().map(|g| revalued(g, &mut r)).collect();
            // Limits that these values contradict, and canvases that are too small for the labels, are refused.
            let Ok(p) = prepare(&figure, &grids, &mut fonts, &mut Phases::new()) else {
                continue;
            };
            let found = places(&p);
            match &first {
                None => first = Some(found),
                Some(first) => {
                    assert_eq!(*first, found, "seed {seed}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > cases(120), "{compared} figures were compared");
}

#[test]
fn a_figure_of_many_cells_is_laid_out_as_one_of_fewer() {
    let mut fonts = Fonts::new();
    let mut figure = Figure::default();
    figure.color.scale = Some("panel".to_owned());
    // Axes of different lengths have different labels.
    (figure.x.ticks, figure.y.ticks) =
        (Some(Ticks::Word(TicksWord::None)), Some(Ticks::Word(TicksWord::None)));
    let mut of = |cells: usize, scale: f64| {
        let panel = |k: usize| {
            let columns = if k == 0 { cells - 200_000 } else { 50_000 };
            let values = (0..columns).map(|i| scale * (1.0 + (i % 997) as f64)).collect();
            let mut grid =
                Grid::new(Axis::index("", 1), Axis::index("", columns), Values::F64(values), &[]).unwrap();
            grid.set_name(format!("panel {k}"));
            grid.set_value_name("loss");
            grid
        };
        let grids: Vec<Grid> = (0..5).map(panel).collect();
        places(&prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap())
    };
    for scale in [1.0, 1e-7, 1e9] {
        assert_eq!(of(249_999, scale), of(250_001, scale), "{scale}");
    }
}
