//! SVG as other programs draw it: the same picture as the PNG, texts as wide as measured, valid whatever a label holds.

use gridscope::Color;
use gridscope::Figure;
use gridscope::Image;
use gridscope::grid::{Axis, Grid, State, Values};
use gridscope::input::{ReadOptions, open, open_figure};
use gridscope_core::geom::Rect;
use gridscope_core::text::{Fonts, Measure, clean};
use gridscope_core::timing::Phases;
use gridscope_draw::raster;
use gridscope_draw::render::prepare;
use gridscope_draw::scene::{Item, Scene};
use gridscope_draw::svg::svg;
use gridscope_draw::tiling::fold_missing;
use gridscope_draw::vector::{CellsAs, MOST_RECTS, Page, TextAs, VectorErrorKind};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Node, Tree, fontdb, roxmltree};
use std::path::PathBuf;
use std::sync::Arc;

const FIGURES: [&str; 6] =
    ["core_generalization", "short_to_long", "training_progress", "topics", "r1_llama", "r1_llama_panels"];
const PAGE: Page =
    Page { dpi: 200.0, cells: CellsAs::Auto, text: TextAs::Text, title: None, alt: None, metadata: None };

fn scene_of(figure: &Figure, grids: &[Grid]) -> Scene {
    let mut scene = prepare(figure, grids, &mut Fonts::new(), &mut Phases::new()).unwrap().scene;
    fold_missing(&mut scene, grids).unwrap();
    scene
}

fn figure(name: &str) -> (Scene, Vec<Grid>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("examples/figures/{name}.toml"));
    let figure = open_figure(path.to_str().unwrap()).unwrap().unwrap();
    let files = figure.data.file.clone().unwrap().0;
    let grids = open(&files, &figure, &ReadOptions::default(), 1 << 30).unwrap().grids;
    (scene_of(&figure, &grids), grids)
}

fn grid(rows: usize, columns: usize) -> Grid {
    let value = |i: usize| ((i * 7919) % 1000) as f64 / 10.0;
    Grid::from_rows(rows, columns, (0..rows * columns).map(value).collect()).unwrap()
}

fn tree(svg: &str) -> Tree {
    let mut db = fontdb::Database::new();
    db.load_font_data(include_bytes!("../../assets/DejaVuSans.ttf").to_vec());
    let options = usvg::Options { fontdb: Arc::new(db), dpi: 200.0, ..usvg::Options::default() };
    Tree::from_str(svg, &options).unwrap()
}

/// The SVG as resvg draws it at the scene's own pixels.
fn drawn(svg: &str) -> Image {
    let tree = tree(svg);
    let (w, h) = (tree.size().width().round() as u32, tree.size().height().round() as u32);
    let mut pixels = Pixmap::new(w, h).unwrap();
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Image { width: w, height: h, pixels: pixels.take() }
}

/// Boxes of all that is drawn over bodies, a little larger.
fn covered(scene: &Scene, fonts: &mut Fonts) -> Vec<Rect> {
    let bound = |points: &[(f64, f64)]| {
        let fold =
            |f: fn(f64, f64) -> f64, k: fn(&(f64, f64)) -> f64| points.iter().map(k).reduce(f).unwrap();
        let (x0, y0) = (fold(f64::min, |p| p.0), fold(f64::min, |p| p.1));
        Rect::new(x0, y0, fold(f64::max, |p| p.0) - x0, fold(f64::max, |p| p.1) - y0).grown(3.0)
    };
    let of = |item: &Item| match item {
        Item::Text { text, font_size, at, .. } => {
            let w = fonts.size(text, *font_size).width;
            Some(bound(&[
                (at.x - 0.3 * font_size, at.y - 1.1 * font_size),
                (at.x + w, at.y + 0.3 * font_size),
            ]))
        }
        Item::Polygon { points, .. } => Some(bound(&points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>())),
        Item::Line { from, to, .. } => Some(bound(&[(from.x, from.y), (to.x, to.y)])),
        Item::Rect { rect, .. } => Some(rect.grown(1.0)),
        Item::Cells(_) | Item::Ramp { .. } => None,
    };
    scene.items.iter().filter_map(of).collect()
}

/// Cells are alike to the byte where nothing lies over them, hatches but for their edges, and the rest but for anti-aliasing.
fn alike(name: &str, scene: &Scene, grids: &[Grid], svg: &str) {
    let mut fonts = Fonts::new();
    let (ours, theirs) = (raster::draw(scene, grids, &mut fonts), drawn(svg));
    assert_eq!((ours.width, ours.height), (theirs.width, theirs.height), "{name}");
    let covers = covered(scene, &mut fonts);
    let hidden = |x: f64, y: f64| covers.iter().any(|r| r.contains(&Rect::new(x, y, 0.0, 0.0), 0.0));
    let mut compared = 0;
    for c in scene.items.iter().filter_map(|i| if let Item::Cells(c) = i { Some(c) } else { None }) {
        for y in 0..c.body.h {
            for x in 0..c.body.w {
                let (px, py) = (c.body.x as u32 + x, c.body.y as u32 + y);
                let span = (c.rows.spans()[y as usize], c.columns.spans()[x as usize]);
                let value = c.summaries.is_none() && span.0[0] < span.0[1] && span.1[0] < span.1[1];
                let plain = value
                    && State::of_bits(
                        grids[c.grid].cells()
                            [span.0[0] as usize * grids[c.grid].width() + span.1[0] as usize],
                    )
                    .is_none();
                if plain && !hidden(f64::from(px) + 0.5, f64::from(py) + 0.5) {
                    assert_eq!(ours.at(px, py), theirs.at(px, py), "{name}: pixel {px}, {py}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{name}: {compared} pixels compared");
    let far = |a: &[u8], b: &[u8]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 96);
    let differ = ours.pixels.chunks(4).zip(theirs.pixels.chunks(4)).filter(|(a, b)| far(a, b)).count();
    // Glyphs that are hinted here and not there differ along their stems.
    assert!(differ * 50 < ours.pixels.len() / 4, "{name}: {differ} pixels differ much");
    for y in (0..ours.height / 16 * 16).step_by(16) {
        for x in (0..ours.width / 16 * 16).step_by(16) {
            let mean = |image: &Image| {
                let sum: u64 = (0..256)
                    .map(|i| image.at(x + i % 16, y + i / 16).rgba())
                    .map(|c| c[..3].iter().map(|v| u64::from(*v)).sum::<u64>())
                    .sum();
                sum as f64 / 768.0
            };
            let (a, b) = (mean(&ours), mean(&theirs));
            assert!((a - b).abs() < 24.0, "{name}: about {x}, {y}: {a} and {b}");
        }
    }
}

#[test]
fn resvg_draws_the_figures_as_we_do() {
    for name in FIGURES {
        let (scene, grids) = figure(name);
        for cells in [CellsAs::Auto, CellsAs::Image] {
            let text = svg(&scene, &grids, &mut Fonts::new(), &Page { cells, ..PAGE }).unwrap();
            alike(name, &scene, &grids, &text);
        }
    }
}

#[test]
fn outlines_look_like_text() {
    let (scene, grids) = figure("short_to_long");
    let text = svg(&scene, &grids, &mut Fonts::new(), &Page { text: TextAs::Paths, ..PAGE }).unwrap();
    assert!(!text.contains("<text") && text.contains("<use"));
    alike("outlines", &scene, &grids, &text);
}

#[test]
fn formulas_look_as_in_pictures() {
    let grids = [grid(8, 12)];
    let mut figure = Figure {
        title: Some(
            "$\\sum_i x_i^2 \\leq 10^{-3}$ of $\\hat{y}$\n$\\alpha_{12}^{34}$ and $a^{b^c}$".to_owned(),
        ),
        note: Some("$\\log_{10}\\,p$\n$90^\\circ$".to_owned()),
        ..Figure::default()
    };
    figure.x.label = Some("$\\lambda_{max}$".to_owned());
    figure.y.label = Some("$x_i^2$ and\n$\\mu_1$".to_owned());
    figure.color.label = Some("$10^{6}$".to_owned());
    figure.annotations.show = Some("$n_1$\n{value:.0f}".parse().unwrap());
    let scene = scene_of(&figure, &grids);
    for text in [TextAs::Text, TextAs::Embedded, TextAs::Paths] {
        let file = svg(&scene, &grids, &mut Fonts::new(), &Page { text, ..PAGE }).unwrap();
        alike("formulas", &scene, &grids, &file);
    }
}

fn texts<'a>(group: &'a usvg::Group, out: &mut Vec<&'a usvg::Text>) {
    for node in group.children() {
        match node {
            Node::Group(g) => texts(g, out),
            Node::Text(t) => out.push(t),
            _ => {}
        }
    }
}

#[test]
fn texts_are_as_wide_and_stand_where_they_were_measured() {
    for name in FIGURES {
        let (scene, grids) = figure(name);
        let file = svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
        // Without the lengths that other fonts are held to.
        let file = file
            .lines()
            .map(|l| {
                l.split(" textLength=").next().unwrap().to_owned()
                    + l.split_once("Glyphs\"").map_or("", |p| p.1)
            })
            .collect::<Vec<_>>();
        let (tree, mut fonts, mut found) = (tree(&file.join("\n")), Fonts::new(), Vec::new());
        texts(tree.root(), &mut found);
        let wanted: Vec<_> = scene
            .items
            .iter()
            .filter_map(|i| {
                if let Item::Text { text, font_size, at, degrees, .. } = i {
                    Some((text, *font_size, *at, *degrees))
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (theirs, (text, font_size, at, degrees)) in found.iter().zip(&wanted) {
            assert_eq!(theirs.chunks().iter().map(resvg::usvg::TextChunk::text).collect::<String>(), **text);
            let (line, size) = (fonts.line(text), fonts.size(text, *font_size));
            let glyphs = theirs.layouted().iter().flat_map(|s| &s.positioned_glyphs);
            let glyphs: Vec<_> = glyphs.collect();
            assert_eq!(glyphs.len(), line.glyphs.len(), "{name}: {text}");
            let ends = theirs.bounding_box();
            assert!(
                (f64::from(ends.width()) - size.width).abs() < 0.02 * size.width + 0.15 * font_size,
                "{name}: {text}: {} {}",
                ends.width(),
                size.width
            );
            let place = theirs.abs_bounding_box();
            let start = match degrees {
                90 => (f64::from(place.bottom()) - at.y).abs(),
                0 => (f64::from(place.left()) - at.x).abs(),
                _ => 0.0,
            };
            assert!(start < 0.2 * font_size, "{name}: {text} begins {start} px away");
        }
    }
}

#[test]
fn rectangles_and_images_are_one_picture() {
    let mut g = grid(12, 17);
    (0..17).for_each(|c| g.set_state(3, c, State::Absent));
    for (c, state) in [(2, State::Nan), (5, State::Masked), (6, State::Pending), (7, State::Pending)] {
        g.set_state(5, c, state);
    }
    let scene =
        scene_of(&Figure { title: Some("States".to_owned()), ..Figure::default() }, std::slice::from_ref(&g));
    let grids = [g];
    let file = |cells| svg(&scene, &grids, &mut Fonts::new(), &Page { cells, ..PAGE }).unwrap();
    let (rects, image) = (file(CellsAs::Auto), file(CellsAs::Image));
    assert!(!rects.contains("<image") && rects.contains("clipPath") && image.contains("<image"));
    alike("rectangles", &scene, &grids, &rects);
    let (a, b) = (drawn(&rects), drawn(&image));
    // Stripes have smooth edges as shapes.
    let far = a.pixels.iter().zip(&b.pixels).filter(|(a, b)| a.abs_diff(**b) > 60).count();
    assert!(far < 400, "{far}");
}

#[test]
fn many_cells_are_an_image_of_their_very_pixels() {
    let small = grid(60, 60);
    let large = grid(900, 1100);
    assert!(small.len() > MOST_RECTS);
    for g in [small, large] {
        let scene = scene_of(&Figure::default(), std::slice::from_ref(&g));
        let grids = [g];
        let file = svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
        assert_eq!(file.matches("<image").count(), 1);
        let (ours, theirs) = (raster::draw(&scene, &grids, &mut Fonts::new()), drawn(&file));
        let Some(Item::Cells(c)) = scene.items.first() else { panic!("no body") };
        let covers = covered(&scene, &mut Fonts::new());
        for (x, y) in (0..c.body.h).flat_map(|y| (0..c.body.w).map(move |x| (x, y))) {
            let (x, y) = (x + c.body.x as u32, y + c.body.y as u32);
            let at = Rect::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0, 0.0);
            if covers.iter().all(|r| !r.contains(&at, 0.0)) {
                assert_eq!(ours.at(x, y), theirs.at(x, y), "{x}, {y}");
            }
        }
    }
}

#[test]
fn patterns_take_as_many_shapes_as_the_sides_have_steps() {
    let mut g = grid(8, 10);
    (0..60).for_each(|i| g.set_state(i / 10, i % 10, State::Pending));
    let mut figure = Figure::default();
    figure.size.width = Some("3000px".parse().unwrap());
    let scene = scene_of(&figure, std::slice::from_ref(&g));
    let grids = [g];
    let file = svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
    assert!(file.len() < 120_000, "{}", file.len());
    alike("dots", &scene, &grids, &file);
}

#[test]
fn the_chosen_font_stands_first_whatever_is_set_first() {
    let chosen = {
        let mut bytes = include_bytes!("../../assets/DejaVuSans.ttf").to_vec();
        let at = (12..).step_by(16).find(|at| &bytes[*at..at + 4] == b"OS/2").unwrap();
        let table = u32::from_be_bytes(bytes[at + 8..at + 12].try_into().unwrap()) as usize;
        bytes[table + 4..table + 6].copy_from_slice(&700u16.to_be_bytes());
        bytes[table + 62..table + 64].copy_from_slice(&0x21u16.to_be_bytes());
        bytes
    };
    let mut fonts = Fonts::with_font(chosen).unwrap();
    let text = |text: &str| Item::Text {
        text: text.to_owned(),
        font_size: 20.0,
        at: gridscope::Point { x: 5.0, y: 30.0 },
        degrees: 0,
        color: Color::BLACK,
    };
    let size = gridscope::PxSize { w: 200, h: 60 };
    let scene = Scene::new(size, Some(Color::WHITE), vec![text("\u{10ffff}"), text("Label")]);
    let file = svg(&scene, &[], &mut fonts, &PAGE).unwrap();
    assert!(
        file.contains("font-family=\"'DejaVu Sans',")
            && file.contains(" font-weight=\"700\" font-style=\"italic\" "),
        "{file}"
    );
}

#[test]
fn rectangles_smaller_than_pixels_are_refused() {
    let g = grid(900, 1100);
    let scene = scene_of(&Figure::default(), std::slice::from_ref(&g));
    let refused = svg(&scene, &[g], &mut Fonts::new(), &Page { cells: CellsAs::Rects, ..PAGE });
    assert_eq!(refused.unwrap_err().kind, VectorErrorKind::Cells);
}

/// Labels that break files: markup, controls, both directions, no glyph, no end.
fn hostile() -> Vec<String> {
    let mut labels: Vec<String> = [
        "<&>\"'",
        "]]><script>alert(1)</script>",
        "&#0;",
        "\u{0}\u{1}\u{8}\u{b}\u{1f}",
        "a\nb\tc\rd",
        "\u{7f}\u{85}\u{9f}",
        "\u{fffe}\u{ffff}",
        "שלום עולם",
        "مرحبا بالعالم 12",
        "abc שלום def",
        "\u{202e}txt",
        "\u{2066}x",
        "👩‍👩‍👧‍👦 🏳️‍🌈",
        "e\u{301}\u{301}\u{301}",
        "中文字符",
        "",
        " ",
        "  two  spaces  ",
        "\u{feff}bom",
        "--><!--",
        "<![CDATA[",
        "%n{}\\",
        "\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    labels.push("x".repeat(100_000));
    labels.push("&".repeat(5_000));
    labels
}

#[test]
fn hostile_labels_make_valid_files() {
    let labels = hostile();
    let n = labels.len();
    let values = Values::F64((0..n * 2).map(|i| i as f64).collect());
    let mut g = Grid::new(
        Axis::category("<rows>", labels.clone()),
        Axis::category("a&b", vec!["<".into(), "&".into()]),
        values,
        &[],
    )
    .unwrap();
    g.set_name("<panel>");
    for label in ["plain".to_owned(), "<&>\"\u{1}שלום".to_owned(), "y".repeat(100_000)] {
        let mut figure =
            Figure { title: Some(label.clone()), note: Some(label.clone()), ..Figure::default() };
        figure.color.label = Some(label.clone());
        let scene = scene_of(&figure, std::slice::from_ref(&g));
        for text in [TextAs::Text, TextAs::Paths] {
            let page = Page {
                text,
                title: Some(label.clone()),
                metadata: Some(format!("{{\"a\":{label:?}}}")),
                ..PAGE
            };
            let file = svg(&scene, std::slice::from_ref(&g), &mut Fonts::new(), &page).unwrap();
            let parsed = roxmltree::Document::parse(&file).unwrap_or_else(|e| panic!("{e}"));
            drawn(&file);
            if text == TextAs::Paths {
                continue;
            }
            let found: Vec<&str> =
                parsed.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect();
            for wanted in
                ["<&>\"'", "]]><script>alert(1)</script>", "שלום עולם", "中文字符", "  two  spaces  "]
            {
                assert!(found.contains(&wanted), "{wanted}");
            }
            assert!(found.iter().all(|t| !t.chars().any(char::is_control)));
            assert!(found.contains(&clean("\u{0}\u{1}\u{8}\u{b}\u{1f}").as_str()));
        }
    }
}

#[test]
fn right_to_left_labels_begin_at_their_left() {
    let label = "שלום abc";
    let items = vec![Item::Text {
        text: label.to_owned(),
        font_size: 40.0,
        at: gridscope::Point { x: 50.0, y: 60.0 },
        degrees: 0,
        color: Color::BLACK,
    }];
    let scene = Scene::new(gridscope::PxSize { w: 400, h: 100 }, Some(Color::WHITE), items);
    let file = svg(&scene, &[], &mut Fonts::new(), &PAGE).unwrap();
    let ink = |image: &Image| {
        let dark: Vec<u32> =
            (0..image.width).filter(|x| (0..image.height).any(|y| image.at(*x, y).rgba()[0] < 128)).collect();
        (dark[0], dark[dark.len() - 1], dark.len())
    };
    let (a, b) = (ink(&raster::draw(&scene, &[], &mut Fonts::new())), ink(&drawn(&file)));
    assert!(a.0.abs_diff(b.0) < 3 && a.1.abs_diff(b.1) < 3 && a.2.abs_diff(b.2) < 8, "{a:?} {b:?}");
}

#[test]
fn files_are_small_and_the_same_each_time() {
    let (scene, grids) = figure("r1_llama");
    let file = || svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
    let first = file();
    assert!(first.len() < 60_000, "{}", first.len());
    assert_eq!(first, file());
    let g = grid(3000, 3000);
    let scene = scene_of(&Figure::default(), std::slice::from_ref(&g));
    let grids = [g];
    let png = gridscope_draw::png::encode(
        &raster::draw(&scene, &grids, &mut Fonts::new()),
        200.0,
        gridscope_draw::png::Effort::Auto,
        gridscope_draw::png::Texts::default(),
    )
    .unwrap();
    let file = svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
    assert!(file.len() < png.len() + 100_000, "{} and {}", file.len(), png.len());
}

#[cfg(feature = "pdf")]
#[test]
fn an_embedded_font_is_a_small_part_that_brings_all_its_letters() {
    let (scene, grids) = figure("core_generalization");
    let file = svg(&scene, &grids, &mut Fonts::new(), &Page { text: TextAs::Embedded, ..PAGE }).unwrap();
    let plain = svg(&scene, &grids, &mut Fonts::new(), &PAGE).unwrap();
    assert!(
        file.contains("@font-face") && !file.contains("textLength") && file.len() < plain.len() + 40_000,
        "{}",
        file.len()
    );
    roxmltree::Document::parse(&file).unwrap();
}
