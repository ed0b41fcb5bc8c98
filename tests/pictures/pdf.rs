//! Whole figures as PDF, as other programs read them: poppler's and qpdf. Tests whose program is missing say so and pass,
//! unless `GRIDSCOPE_REQUIRE_TOOLS` is set.
#![cfg(feature = "pdf")]

use crate::support::required;
use gridscope::Fonts;
use gridscope::figure::Figure;
use gridscope::grid::{Axis, Grid, State, Values};
use gridscope::input::{ReadOptions, open, open_figure};
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::timing::Phases;
use gridscope_draw::raster;
use gridscope_draw::render::prepare;
use gridscope_draw::scene::{Cells, Item, Scene};
use gridscope_draw::vector::{CellsAs, Page, TextAs};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const FIGURES: [&str; 5] =
    ["core_generalization", "short_to_long", "training_progress", "topics", "r1_llama"];

/// A figure's scene, its grids, and the PDF of it.
struct Made {
    scene: Scene,
    grids: Vec<Grid>,
    dpi: f64,
    dir: tempfile::TempDir,
}

impl Made {
    fn of(figure: &Figure, grids: Vec<Grid>, page: &Page) -> Self {
        let mut fonts = Fonts::new();
        let prepared = prepare(figure, &grids, &mut fonts, &mut Phases::new()).unwrap();
        let dpi = prepared.frame.dpi;
        let bytes =
            gridscope_draw::pdf::pdf(&prepared.scene, &grids, &mut fonts, &Page { dpi, ..page.clone() })
                .unwrap();
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.pdf"), bytes).unwrap();
        Self { scene: prepared.scene, grids, dpi, dir }
    }

    /// One of the repository's figures.
    fn example(name: &str, page: &Page, change: impl FnOnce(&mut Figure)) -> Self {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/figures").join(format!("{name}.toml"));
        let mut figure = open_figure(path.to_str().unwrap()).unwrap().unwrap();
        change(&mut figure);
        let files = figure.data.file.clone().unwrap().0;
        let grids = open(&files, &figure, &ReadOptions::default(), 1 << 30).unwrap().grids;
        Self::of(&figure, grids, page)
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("a.pdf")
    }

    fn points(&self, pixels: f64) -> f64 {
        pixels * 72.0 / self.dpi
    }

    fn texts(&self) -> impl Iterator<Item = (&str, f64, Point, i32)> {
        self.scene.items.iter().filter_map(|i| match i {
            Item::Text { text, font_size, at, degrees, .. } => {
                Some((text.as_str(), *font_size, *at, *degrees))
            }
            _ => None,
        })
    }

    fn bodies(&self) -> impl Iterator<Item = PxRect> {
        self.scene.items.iter().filter_map(|i| if let Item::Cells(c) = i { Some(c.body) } else { None })
    }

    /// The output of a program on the file; `None` where it is not installed.
    fn asked(&self, tool: &str, before: &[&str], after: &[&str]) -> Option<Vec<u8>> {
        match Command::new(tool).args(before).arg(self.path()).args(after).output() {
            Ok(out) => {
                let (said, wrong) =
                    (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
                assert!(out.status.success() && wrong.is_empty(), "{tool}: {}\n{said}{wrong}", out.status);
                Some(out.stdout)
            }
            Err(e) if required::tools() => panic!("{tool}: {e}"),
            Err(e) => {
                println!("skipped: {tool}: {e}");
                None
            }
        }
    }

    fn said(&self, tool: &str, before: &[&str], after: &[&str]) -> Option<String> {
        self.asked(tool, before, after).map(|s| String::from_utf8(s).unwrap())
    }

    /// The page as poppler draws it, a pixel for each of the scene: R, G, B.
    fn drawn(&self) -> Option<Vec<u8>> {
        let [w, h] = [self.scene.size.w, self.scene.size.h].map(|n| n.to_string());
        let ppm = self.asked(
            "pdftoppm",
            &["-r", &self.dpi.to_string(), "-x", "0", "-y", "0", "-W", &w, "-H", &h],
            &[],
        )?;
        let head = format!("P6\n{} {}\n255\n", self.scene.size.w, self.scene.size.h);
        Some(
            ppm.strip_prefix(head.as_bytes())
                .unwrap_or_else(|| panic!("not {head:?}: {:?}", &ppm[..30]))
                .to_vec(),
        )
    }
}

fn paper(figure: &mut Figure) {
    figure.size.width = Some("3.3in".parse().unwrap());
    figure.size.font_size = Some("8pt".parse().unwrap());
}

fn square(n: usize, value: impl Fn(usize) -> f64) -> Grid {
    Grid::from_rows(n, n, (0..n * n).map(value).collect()).unwrap()
}

/// A word of a page and its box: left, top, right, bottom.
type Word = (String, [f64; 4]);

/// The words that `pdftotext -bbox` lists.
fn words(xml: &str) -> Vec<Word> {
    let number =
        |l: &str, key: &str| l.split(&format!("{key}=\"")).nth(1)?.split('"').next()?.parse::<f64>().ok();
    let word = |l: &str| {
        let sides = ["xMin", "yMin", "xMax", "yMax"].map(|k| number(l, k));
        let text = l.split('>').nth(1)?.strip_suffix("</word")?;
        let text =
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        Some((text, [sides[0]?, sides[1]?, sides[2]?, sides[3]?]))
    };
    xml.lines().filter(|l| l.trim_start().starts_with("<word")).filter_map(word).collect()
}

#[test]
fn pages_for_papers_are_clean_and_their_text_is_text() {
    let page = Page {
        title: Some("A <&> title".to_owned()),
        metadata: Some("{\"gridscope\":1}".to_owned()),
        ..Page::default()
    };
    for name in FIGURES {
        let made = Made::example(name, &page, paper);
        if let Some(info) = made.said("pdfinfo", &[], &[]) {
            let line =
                |key: &str| info.lines().find_map(|l| l.strip_prefix(key)).map(|l| l.trim().to_owned());
            assert!(line("Page size:").unwrap().starts_with("237.6 x "), "{info}");
            assert_eq!(
                (line("Pages:").unwrap(), line("Title:").unwrap()),
                ("1".to_owned(), "A <&> title".to_owned())
            );
            assert_eq!(line("Keywords:").unwrap(), "gridscope:{\"gridscope\":1}");
            assert!(line("CreationDate:").is_none() && line("ModDate:").is_none());
        }
        made.said("qpdf", &["--check"], &[]);
        if let Some(fonts) = made.said("pdffonts", &[], &[]) {
            let rows: Vec<&str> = fonts.lines().skip(2).collect();
            assert!(!rows.is_empty());
            for row in rows {
                assert!(row.contains("CID TrueType") && row.contains("yes yes yes"), "{fonts}");
            }
        }
        // Sizes of fonts as the page gives them: nothing scales them.
        if let Some(plain) = made.asked("qpdf", &["--qdf", "--object-streams=disable"], &["-"]) {
            let plain = String::from_utf8_lossy(&plain).into_owned();
            let before = |word: &str| {
                plain
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .windows(2)
                    .filter(|w| w[1] == word)
                    .map(|w| w[0].parse().unwrap())
                    .collect::<Vec<f64>>()
            };
            let sizes = before("Tf");
            assert!(
                sizes.len() > 10 && sizes.iter().all(|s| (5.0 - 1e-4..20.0).contains(s)),
                "{name}: {sizes:?}"
            );
            let least = made.texts().map(|t| made.points(t.1)).fold(f64::MAX, f64::min);
            assert!((sizes.iter().copied().fold(f64::MAX, f64::min) - least).abs() < 1e-3);
        }
    }
}

#[test]
fn words_stand_where_they_were_measured() {
    let mut fonts = Fonts::new();
    for name in FIGURES {
        let made = Made::example(name, &Page::default(), |_| {});
        let Some(xml) = made.said("pdftotext", &["-bbox"], &["-"]) else {
            return;
        };
        let found = words(&xml);
        for (text, size, at, degrees) in made.texts() {
            let width = made.points(fonts.line(text).width * size);
            let (x, y) = (made.points(at.x), made.points(at.y));
            // Half a point, or a hundredth of what was measured.
            let slack = (width * 0.01).max(0.5);
            let mut parts = text.split_whitespace();
            let (Some(first), last) = (parts.next(), parts.next_back()) else {
                continue;
            };
            let near = |word: &str, starts: bool| {
                found.iter().any(|(w, b)| {
                    let (along, across) = match (degrees, starts) {
                        (0, true) => (b[0] - x, b[1] < y && y < b[3]),
                        (0, false) => (b[2] - x - width, b[1] < y && y < b[3]),
                        (_, true) => (b[3] - y, b[0] < x && x < b[2]),
                        (_, false) => (b[1] - y + width, b[0] < x && x < b[2]),
                    };
                    w == word && across && along.abs() <= slack
                })
            };
            if matches!(degrees, 0 | 90) {
                assert!(
                    near(first, true) && near(last.unwrap_or(first), false),
                    "{name}: {text:?} at {x}, {y}, {width} wide: {found:?}"
                );
            }
        }
    }
}

#[test]
fn labels_of_any_script_can_be_copied() {
    let hostile = "a<&>\"'\u{1}b \u{0} \u{202e}c";
    let labels = [
        "office ffi",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{627}\u{644}\u{639}\u{631}\u{628}",
        "\u{4e2d}\u{6587}",
        "\u{3a9}\u{e4}\u{df}",
        hostile,
    ];
    let rows = Axis::category("y", labels.iter().map(|l| (*l).to_owned()).collect());
    let grid =
        Grid::new(rows, Axis::index("x", 3), Values::F64((0..18).map(f64::from).collect()), &[None; 18])
            .unwrap();
    let figure = Figure { title: Some("\u{5d0}\u{5d1} abc \u{5d2}\u{5d3}".to_owned()), ..Figure::default() };
    for text in [TextAs::Text, TextAs::Paths] {
        let made = Made::of(&figure, vec![grid.clone()], &Page { text, ..Page::default() });
        made.said("qpdf", &["--check"], &[]);
        let Some(said) = made.said("pdftotext", &[], &["-"]) else {
            return;
        };
        if text == TextAs::Paths {
            assert_eq!(said.trim(), "");
            continue;
        }
        let shown: String = said
            .chars()
            .filter(|c| !matches!(c, '\u{202a}'..='\u{202e}' | '\u{200e}' | '\u{200f}'))
            .collect();
        for label in &labels[..5] {
            assert!(shown.contains(label), "{label:?}: {shown:?}");
        }
        for part in ["a<&>\"'\\u{1}b", "\u{5d0}\u{5d1}", "abc", "\u{5d2}\u{5d3}"] {
            assert!(shown.contains(part), "{part:?}: {shown:?}");
        }
    }
}

/// The pixels of bodies, and two around them.
fn covered(made: &Made, fonts: &mut Fonts) -> Vec<Rect> {
    let text = |t: (&str, f64, Point, i32)| {
        let (w, h) = (fonts.line(t.0).width * t.1, t.1 * 1.3);
        if t.3 == 0 { Rect::new(t.2.x, t.2.y - t.1, w, h) } else { Rect::new(t.2.x - t.1, t.2.y - w, h, w) }
    };
    let texts: Vec<Rect> = made.texts().map(text).collect();
    let marks = made.scene.items.iter().filter_map(|i| match i {
        Item::Rect { rect, .. } => Some(*rect),
        Item::Line { from, to, width, .. } => {
            let (x, y) = (from.x.min(to.x), from.y.min(to.y));
            Some(Rect::new(x, y, (from.x - to.x).abs(), (from.y - to.y).abs()).grown(*width))
        }
        Item::Polygon { points, .. } => {
            let corner = |p: &Point| Rect::new(p.x, p.y, 0.0, 0.0);
            points.iter().map(corner).reduce(|a, b| a.union(&b))
        }
        _ => None,
    });
    texts.into_iter().chain(marks).map(|r| r.grown(2.0)).collect()
}

/// The pixels of a figure's cells that hold a state: their patterns lie across pixels, which theirs smooths and ours does not.
fn patterned(made: &Made) -> HashSet<(i32, i32)> {
    let cells =
        made.scene.items.iter().filter_map(|i| if let Item::Cells(c) = i { Some(&**c) } else { None });
    let of = |c: &Cells| {
        let grid = &made.grids[c.grid];
        let bits = |i: u32, j: u32| match &c.summaries {
            Some(s) => c.shown(s, (j * c.body.w + i) as usize..(j * c.body.w + i) as usize + 1)[0],
            None => grid.cells()[c.rows.spans()[j as usize][0] as usize * grid.width()
                + c.columns.spans()[i as usize][0] as usize],
        };
        let pixels = (0..c.body.h).flat_map(|j| (0..c.body.w).map(move |i| (i, j)));
        let held = pixels.filter(|(i, j)| State::of_bits(bits(*i, *j)).is_some());
        held.map(|(i, j)| (c.body.x + i as i32, c.body.y + j as i32)).collect::<Vec<_>>()
    };
    cells.flat_map(of).collect()
}

#[test]
fn poppler_draws_the_picture() {
    let noise = |i: usize| (i * 7919 % 10_007) as f64;
    let mut cases: Vec<(String, Made)> = Vec::new();
    for cells in [CellsAs::Auto, CellsAs::Image] {
        let page = Page { cells, ..Page::default() };
        for name in FIGURES {
            cases.push((format!("{name}, {cells:?}"), Made::example(name, &page, |_| {})));
        }
        for (n, dpi) in [(37, 200.0), (150, 96.0), (900, 300.0)] {
            let mut figure = Figure::default();
            figure.size.dpi = Some(dpi);
            cases.push((
                format!("{n} x {n} at {dpi}, {cells:?}"),
                Made::of(&figure, vec![square(n, noise)], &page),
            ));
        }
    }
    for (name, made) in cases {
        let Some(theirs) = made.drawn() else { return };
        let mut fonts = Fonts::new();
        let ours = raster::draw(&made.scene, &made.grids, &mut fonts);
        let covered = covered(&made, &mut fonts);
        let as_rects = name.starts_with("short_to_long, Auto");
        let patterned = if as_rects { patterned(&made) } else { HashSet::new() };
        let (mut wrong, mut seen, mut sum) = (0u32, 0u32, 0u64);
        let bodies: Vec<Rect> = made.bodies().map(|b| b.rect().grown(-2.0)).collect();
        for (i, (a, b)) in ours.pixels.chunks_exact(4).zip(theirs.chunks_exact(3)).enumerate() {
            let off = (0..3).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0);
            sum += u64::from(off);
            let pixel = Rect::new(
                (i % made.scene.size.w as usize) as f64,
                (i / made.scene.size.w as usize) as f64,
                1.0,
                1.0,
            );
            let pattern = patterned.contains(&(pixel.x as i32, pixel.y as i32));
            if !pattern
                && bodies.iter().any(|r| r.contains(&pixel, 0.0))
                && !covered.iter().any(|r| r.overlaps(&pixel))
            {
                seen += 1;
                wrong += u32::from(off > 2);
            }
        }
        let mean = sum as f64 / (theirs.len() / 3) as f64;
        println!("{name}: {wrong} of {seen} pixels of bodies differ, mean {mean:.3}");
        assert!(seen > 15_000, "{name}: {seen}");
        // Two steps of 255 for colours that are rounded once more.
        assert!(wrong == 0, "{name}: {wrong} of {seen}");
        // Edges of letters, which both smooth and only ours fits to pixels, are a few percent of a page.
        assert!(mean < 4.0, "{name}: {mean}");
    }
}

#[test]
fn another_process_writes_the_same_bytes() {
    const TOLD: &str = "GRIDSCOPE_TEST_PDF";
    let page = Page { metadata: Some("{}".to_owned()), cells: CellsAs::Image, ..Page::default() };
    let made = Made::example("topics", &page, |_| {});
    let bytes = std::fs::read(made.path()).unwrap();
    if let Some(path) = std::env::var_os(TOLD) {
        std::fs::write(path, bytes).unwrap();
        return;
    }
    let other = made.dir.path().join("other.pdf");
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "pdf::another_process_writes_the_same_bytes"])
        .env(TOLD, &other)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    assert!(std::fs::read(other).unwrap() == bytes);
}
