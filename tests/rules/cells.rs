//! Content of cells: values with space around them, and nothing where a mask hides.

use crate::support::random::{Random, cases};
use gridscope::figure::Reduce;
use gridscope::figure::{ColorSpec, Figure, Theme};
use gridscope::grid::{Axis, Grid, HiddenCells, Merged, State, Values};
use gridscope::{Color, render};
use gridscope_core::geom::PxRect;
use gridscope_core::text::{Fonts, Measure};
use gridscope_core::timing::Phases;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::scene::Item;

fn table(rows: usize, columns: usize, value: impl FnMut(usize) -> f64) -> Grid {
    let axis = |name: &str, n: usize| Axis::category(name, (0..n).map(|i| format!("k{i}")).collect());
    let values = Values::F64((0..rows * columns).map(value).collect());
    Grid::new(axis("y", rows), axis("x", columns), values, &[]).unwrap()
}

fn drawn(figure: &Figure, grids: &[Grid]) -> Prepared {
    prepare(figure, grids, &mut Fonts::new(), &mut Phases::new()).unwrap()
}

/// The texts inside a body, with font size and place.
fn inside(p: &Prepared, body: &PxRect) -> Vec<(String, f64, f64, f64)> {
    let r = body.rect();
    let texts = p.scene.all().filter_map(|i| match i {
        Item::Text { text, font_size, at, .. } => Some((text.clone(), *font_size, at.x, at.y)),
        _ => None,
    });
    texts.filter(|t| t.2 > r.x && t.2 < r.right() && t.3 > r.y && t.3 < r.bottom()).collect()
}

#[test]
fn automatic_values_have_space_around_them_or_are_left_out() {
    let mut fonts = Fonts::new();
    for case in 0..cases(12) {
        let mut r = Random(case);
        let (h, w): (usize, usize) = match case {
            0 => (5, 5),
            1 => (12, 12),
            2 => (20, 20),
            3 => (21, 21),
            4 => (3, 21),
            _ => (r.within(1, 24), r.within(1, 24)),
        };
        let digits = r.pick(&[1.0, 100.0, 1e6]);
        let grid = table(h, w, |_| (r.unit() - 0.3) * digits);
        let p = drawn(&Figure::default(), std::slice::from_ref(&grid));
        let body = p.layout.panels[0].body;
        let texts = inside(&p, &body);
        if h.max(w) > 20 {
            assert_eq!(texts.len(), 0, "{h} x {w}");
        }
        if h.max(w) <= 5 && digits < 1e6 {
            assert_eq!(texts.len(), h * w, "{h} x {w}");
        }
        for (text, font, ..) in &texts {
            assert!(*font >= 6.0 * 200.0 / 72.0 - 1e-6, "{h} x {w}: {font} px");
            let room = f64::from(body.w) / w as f64 - fonts.size(text, *font).width;
            let above = f64::from(body.h) / h as f64 - font;
            assert!(room > 0.3 * font && above > 0.2 * font, "{h} x {w}: {text} at {font} px");
        }
    }
}

#[test]
fn hidden_cells_are_background_without_a_key() {
    for (theme, nodata, absent) in [
        (Theme::Light, false, false),
        (Theme::Dark, false, false),
        (Theme::Light, true, false),
        (Theme::Dark, true, true),
        (Theme::Light, false, true),
    ] {
        let mut grid = table(6, 6, |i| i as f64);
        if absent {
            grid.set_state(0, 3, State::Absent);
        }
        if nodata {
            grid.set_state(4, 1, State::Masked);
        }
        grid.hide(HiddenCells::Upper(0));
        let figure = Figure { theme: Some(theme), ..Figure::default() };
        let grids = [grid];
        let p = drawn(&figure, &grids);
        let states: Vec<State> = p.layout.keys.iter().map(|k| k.1).collect();
        assert_eq!(states, if nodata { vec![State::Masked] } else { vec![] });
        let picture = render(&figure, &grids).unwrap().picture;
        let panel = &p.layout.panels[0];
        let color = |row: usize, column: usize| {
            let middle = |(a, b): (f64, f64)| f64::midpoint(a, b) + 4.0;
            let x = panel.body.x + middle(panel.columns.extent(column)) as i32;
            let y = panel.body.y + panel.rows.extent(row).0 as i32 + 2;
            let at = 4 * (y as usize * picture.width as usize + x as usize);
            let [red, green, blue] = [0, 1, 2].map(|i| picture.pixels[at + i]);
            Color::rgb(red, green, blue)
        };
        let background = p.frame.palette.background;
        for (row, column) in (0..6).flat_map(|r| (0..6).map(move |c| (r, c))) {
            let is_background = color(row, column) == background;
            assert_eq!(is_background, column >= row, "{theme:?}: row {row}, column {column}");
        }
        if !nodata && !absent {
            let asked = Figure {
                color: ColorSpec { masked: Some(Color::rgb(1, 2, 3).into()), ..ColorSpec::default() },
                ..figure.clone()
            };
            let (own, wanted) = (render(&asked, &grids).unwrap().picture, Color::rgb(1, 2, 3).rgba());
            let count = own.pixels.chunks(4).filter(|c| **c == wanted).count();
            assert!(count > (panel.body.w * panel.body.h / 2) as usize, "{count} pixels");
            assert_eq!(drawn(&asked, &grids).layout.keys.len(), 1);
        }
        let names: Vec<&str> = p.lints.0.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, if nodata { vec!["masked"] } else { vec![] });
    }
}

#[test]
fn the_bar_names_the_value_and_how_it_was_merged() {
    let title =
        |figure: &Figure, grid: &Grid| drawn(figure, std::slice::from_ref(grid)).frame.bars[0].label.clone();
    let mut grid = table(4, 3000, |i| i as f64);
    grid.set_value_name("signal");
    let mut figure = Figure::default();
    assert_eq!(title(&figure, &grid), "mean of signal");
    figure.reduce.by = Some(Reduce::Max);
    assert_eq!(title(&figure, &grid), "max of signal");
    figure.reduce.by = Some(Reduce::Count);
    assert_eq!(title(&figure, &grid), "count of cells");
    figure.color.label = Some("mine".to_owned());
    assert_eq!(title(&figure, &grid), "mine");
    let mut few = table(4, 5, |i| i as f64);
    few.set_value_name("signal");
    figure = Figure::default();
    figure.reduce.by = Some(Reduce::Max);
    assert_eq!(title(&figure, &few), "signal");
    few.set_merged(Some(Merged { by: "mean".to_owned(), values: (3, 3), column: Some("seed".to_owned()) }));
    assert_eq!(title(&figure, &few), "signal (mean of 3 seeds)");
}
