//! Titles and labels of any text to an SVG: it is one XML document, and holds nothing but text where text was given.
#![no_main]

use gridscope::Fonts;
use gridscope::figure::Figure;
use gridscope::grid::{Axis, Grid, Values};
use gridscope_draw::render::prepare;
use gridscope_core::timing::Phases;
use gridscope_draw::vector::{Page, TextAs};
use gridscope_fuzz::abort_on_panic;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local!(static FONTS: RefCell<Fonts> = RefCell::new(Fonts::new()));

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // A unit separator parts the texts: the title, the note, the names of the axes and up to eight labels.
    let texts: Vec<&str> = text.split('\u{1f}').take(12).collect();
    let part = |i: usize| texts.get(i).map(|t| (*t).to_owned());
    let labels: Vec<String> = (4..texts.len().max(5)).map(|i| part(i).unwrap_or_default()).collect();
    let n = labels.len();
    let (rows, columns) = (Axis::category("rows", labels.clone()), Axis::category("columns", labels));
    let values = (0..n * n).map(|i| i as f64).collect();
    let mut grid = Grid::new(rows, columns, Values::F64(values), &vec![None; n * n]).unwrap();
    grid.set_name(part(1).unwrap_or_default());
    let mut figure = Figure { title: part(0), note: part(1), ..Figure::default() };
    (figure.x.label, figure.y.label) = (part(2), part(3));
    FONTS.with_borrow_mut(|fonts| {
        let grids = [grid];
        let Ok(prepared) = prepare(&figure, &grids, fonts, &mut Phases::new()) else { return };
        let text = if data.len() % 4 == 0 { TextAs::Paths } else { TextAs::Text };
        let page = Page { dpi: 200.0, title: figure.title.clone(), text, ..Page::default() };
        let svg = gridscope_draw::svg::svg(&prepared.scene, &grids, fonts, &page).expect("a small scene is an SVG");
        let document = roxmltree::Document::parse(&svg).expect("an SVG is XML");
        let known = ["svg", "title", "desc", "metadata", "style", "defs", "g", "rect", "path", "text", "tspan", "image", "use", "clipPath"];
        let known = |n: roxmltree::Node| !n.is_element() || known.contains(&n.tag_name().name());
        assert!(document.descendants().all(known), "{svg}");
    });
});
