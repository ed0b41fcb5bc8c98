//! The sizes that pages and bodies get.

use super::super::Plan;
use super::super::page::PanelPage;
use super::*;
use crate::resolve::{Overrides, frame};
use gridscope_core::figure::{BarPlace, Figure, Toggle};
use gridscope_core::grid::{Grid, Values};
use gridscope_core::text::{Fake, Fonts};

fn named(names: &[&str], columns: usize) -> Grid {
    let rows = Axis::category("", names.iter().map(|n| (*n).to_owned()).collect());
    let values = Values::F64(vec![1.0; names.len() * columns]);
    Grid::new(rows, Axis::index("", columns), values, &[]).unwrap()
}

fn planned(figure: &Figure, grids: &[Grid]) -> (Plan, Frame) {
    let frame = frame(figure, &Overrides::default(), grids).unwrap();
    (Plan::new(&frame, &mut Fake).unwrap(), frame)
}

#[test]
fn a_panel_leaves_its_labels_only_to_a_neighbour_with_the_same() {
    let figure = Figure { columns: Some(4), ..Figure::default() };
    let (a, b) = (named(&["a", "b"], 2), named(&["c", "d"], 2));
    let (plan, _) = planned(&figure, &[a.clone(), a.clone(), b, a]);
    let shows: Vec<bool> = plan.0.panels.iter().map(|p| p.shows_y).collect();
    assert_eq!(shows, [true, false, true, true]);
}

#[test]
fn cells_of_panels_of_other_shapes_are_equally_large() {
    let of = |rows: usize, columns: usize| {
        let values = Values::F64(vec![1.0; rows * columns]);
        Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap()
    };
    let cells = |square: Toggle, other: Grid| {
        let figure = Figure { square: Some(square), ..Figure::default() };
        let (plan, _) = planned(&figure, &[of(10, 8), other]);
        let size = |p: &PanelPage| {
            let of = |t: &EdgeTable| f64::from(t.pixels()) / t.cells() as f64;
            (of(&p.columns), of(&p.rows))
        };
        plan.0.panels.iter().map(size).collect::<Vec<_>>()
    };
    for square in [Toggle::On, Toggle::Off] {
        let sizes = cells(square, of(14, 5));
        assert_eq!(sizes[0], sizes[1], "{square:?}");
    }
    // Cells of one size would leave the slot of the smaller panel empty.
    let sizes = cells(Toggle::On, of(100, 80));
    assert!(sizes[0].0 > 2.0 * sizes[1].0 && sizes.iter().all(|s| (s.0 - s.1).abs() < 0.2), "{sizes:?}");
}

#[test]
fn automatic_sizes_are_a_page_and_given_ones_stay() {
    let size = |figure: &Figure, grid: &Grid| {
        let (plan, frame) = planned(figure, std::slice::from_ref(grid));
        (plan.0.width / frame.dpi, plan.0.height / frame.dpi)
    };
    let mut figure = Figure::default();
    let names = |n: usize| Axis::category("", (0..n).map(|i| format!("column_{i:03}")).collect());
    let wide =
        |n: usize| Grid::new(Axis::index("", 4), names(n), Values::F64(vec![1.0; 4 * n]), &[]).unwrap();
    let [few, some, many] = [5, 60, 400].map(|n| size(&figure, &wide(n)).0);
    // No width shows 400 labels.
    assert!(few == 6.5 && some > 6.5 && some < 11.0 && many == 6.5, "{few} {some} {many}");
    let tall = Grid::new(names(20_000), Axis::index("", 1), Values::F64(vec![1.0; 20_000]), &[]).unwrap();
    let (width, height) = size(&figure, &tall);
    assert!(width == 6.5 && height <= 9.0, "{width} {height}");
    figure.size.width = Some("4in".parse().unwrap());
    assert_eq!(size(&figure, &wide(60)).0, 4.0);
    figure.size.width = Some("auto".parse().unwrap());
    assert!(size(&figure, &wide(60)).0 > 6.5);
}

#[test]
fn many_panels_become_a_page() {
    let grids: Vec<Grid> = (0..65)
        .map(|i| {
            let mut grid = Grid::from_rows(12, 16, vec![1.0; 192]).unwrap();
            grid.set_name(format!("layer {i}"));
            grid
        })
        .collect();
    let (plan, frame) = planned(&Figure::default(), &grids);
    let shape = plan.0.height / plan.0.width;
    assert!(
        (0.5..1.4).contains(&shape) && plan.0.height <= 9.0 * frame.dpi,
        "{} x {}",
        plan.0.width,
        plan.0.height
    );
}

#[test]
fn titles_of_many_panels_are_whole_on_a_wider_page() {
    let grid = |i: usize| {
        let rows = Axis::category("y", (0..6).map(|k| format!("y{k}")).collect());
        let columns = Axis::category("x", (0..7).map(|k| format!("x{k}")).collect());
        let grid = Grid::new(rows, columns, Values::F64(vec![1.0; 42]), &[]).unwrap();
        grid.with_name(format!("layer {} head {}", i / 10, i % 10))
    };
    for n in [120, 200] {
        let grids: Vec<Grid> = (0..n).map(grid).collect();
        let frame = frame(&Figure::default(), &Overrides::default(), &grids).unwrap();
        let plan = Plan::new(&frame, &mut Fonts::new()).unwrap();
        let cut = cut_titles(&frame, &plan.0).len();
        assert!(cut == 0 && plan.0.columns < 25, "{n} panels in {} columns: {cut} cut", plan.0.columns);
    }
}

#[test]
fn a_canvas_that_is_too_small_names_one_that_would_do() {
    let mut figure = Figure::default();
    figure.size.width = Some("1in".parse().unwrap());
    let grid = named(&["a long name of a row", "another long name"], 3);
    let small = |figure: &Figure| {
        let frame = frame(figure, &Overrides::default(), std::slice::from_ref(&grid)).unwrap();
        Plan::new(&frame, &mut Fake).map(|_| ())
    };
    let hint = small(&figure).unwrap_err().hint().unwrap().to_owned();
    let width = hint.strip_prefix("--width ").unwrap();
    figure.size.width = Some(width.parse().unwrap());
    assert_eq!(small(&figure), Ok(()), "{width}");
}

#[test]
fn bodies_beside_bars_are_no_strips() {
    let shape = |rows: usize, columns: usize, place: BarPlace| {
        let values = Values::F64(vec![1.0; rows * columns]);
        let grid = Grid::new(Axis::index("", rows), Axis::index("", columns), values, &[]).unwrap();
        let mut figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
        figure.color.bar = Some(place);
        let (plan, frame) = planned(&figure, &[grid]);
        let (w, h) = plan.0.slot;
        (h, f64::from(w) / f64::from(h), f64::from(h) / frame.font_size)
    };
    // However many columns there are, the bar beside a few rows has room for labels.
    for (rows, columns) in [(4, 60), (6, 90), (8, 400)] {
        let (_, _, em) = shape(rows, columns, BarPlace::Right);
        assert!(em > 10.0, "{rows} x {columns}: {em} em");
    }
    // Square cells of a body that is not a strip stay square.
    let (_, wide, _) = shape(6, 20, BarPlace::Right);
    assert!((wide - 20.0 / 6.0).abs() < 0.05, "{wide}");
    // A single row is not a strip either.
    assert!((9.0..11.0).contains(&shape(1, 60, BarPlace::Right).2));
}

#[test]
fn the_title_beside_rows_stays_there_under_which_slanted_labels_reach_further() {
    let names: Vec<String> = (0..9).map(|i| format!("alongernameofcolumn{i}")).collect();
    let rows = Axis::category("row", ["a", "b", "c", "d"].map(str::to_owned).into());
    let columns = Axis::category("column", names);
    let grid = Grid::new(rows, columns, Values::F64(vec![1.0; 36]), &[]).unwrap();
    let (plan, frame) = planned(&Figure::default(), &[grid]);
    let page = &plan.0;
    let over = page.panels[0].x.overhang(f64::from(page.slot.0)).0;
    assert!(page.panels[0].x.degrees == 45 && over > page.left[0], "{over}");
    assert!(page.left[0] - page.inset < 4.0 * frame.font_size, "{:?}", page.left);
}

#[test]
fn titles_that_only_numbers_tell_apart_have_a_key() {
    // They differ at two places that are too far apart to be shown both.
    let of = |i: usize| {
        let mut grid = named(&["a", "b"], 1);
        let [x, y, z] = ["x", "y", "z"].map(|c| c.repeat(40));
        grid.set_name(format!("{x}{}{y}{}{z}", i / 3, i % 3));
        grid
    };
    let grids: Vec<Grid> = (0..6).map(of).collect();
    let mut figure = Figure { columns: Some(6), ..Figure::default() };
    figure.size.width = Some("6.5in".parse().unwrap());
    let (plan, frame) = planned(&figure, &grids);
    let layout = plan.layout(&frame, &mut Fake);
    for title in &plan.0.panel_titles {
        let shown = title.concat();
        assert!(shown.ends_with(')'), "{shown}");
        let is_its = |line: &&crate::layout::Label| line.text.starts_with(&format!("{shown}: xxx"));
        assert_eq!(layout.texts.iter().filter(is_its).count(), 1, "{shown}");
    }
    let lowest = layout.texts.iter().map(|t| t.at.y).fold(0.0, f64::max);
    assert!(lowest < f64::from(layout.size.h), "the key is on the canvas");
}

#[test]
fn row_labels_become_smaller_and_break_before_they_are_cut() {
    let width = 9.0 * 200.0;
    let words = |k: usize| format!("{}_of_000", "word".repeat(k));
    // A little longer than the most that a label may take.
    let is_long = |k: &usize| Fake.size(&words(*k), 25.0).width > 0.42 * width;
    let word = "word".repeat((1..99).find(is_long).unwrap());
    let rows = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("{word}_of_{i:03}")).collect();
        named(&names.iter().map(String::as_str).collect::<Vec<_>>(), 8)
    };
    let mut figure = Figure::default();
    figure.size.width = Some("9in".parse().unwrap());
    let (plan, frame) = planned(&figure, &[rows(40)]);
    let labels = &plan.0.panels[0].y;
    assert!(labels.font < frame.font_size, "{labels:?}");
    assert!(labels.ticks.iter().all(|t| !t.text.contains('…')), "{labels:?}");
    let (plan, _) = planned(&figure, &[rows(6)]);
    assert!(plan.0.panels[0].y.ticks.iter().all(|t| t.text.matches('\n').count() == 1));
}

/// Panels of these names with values of this name, each with a scale of its own.
fn scaled(names: impl Iterator<Item = String>, values: &[&str], place: BarPlace) -> (Figure, Vec<Grid>) {
    let of = |(i, name): (usize, String)| {
        let mut grid = named(&["a", "b", "c", "d", "e", "f"], 7);
        grid.set_name(name);
        grid.set_value_name(values[i % values.len()]);
        grid
    };
    let mut figure = Figure::default();
    figure.color.scale = Some("panel".to_owned());
    figure.color.bar = Some(place);
    (figure, names.enumerate().map(of).collect())
}

#[test]
fn bars_that_are_named_alike_have_their_name_once() {
    let layout = |values: &[&str], place: BarPlace| {
        let (figure, grids) = scaled((0..12).map(|i| format!("layer {i}")), values, place);
        let (plan, frame) = planned(&figure, &grids);
        plan.layout(&frame, &mut Fake)
    };
    let alike = layout(&["probe_acc"], BarPlace::Right);
    let titles: Vec<_> = alike.texts.iter().filter(|t| t.text == "probe_acc").collect();
    assert_eq!(titles.len(), 1);
    let bars = || alike.bars.iter().flatten();
    assert!(bars().all(|b| b.label.is_empty()));
    // It is beyond all bars, and bodies are larger than what is beside them.
    let (at, panels) = (titles[0].at, &alike.panels);
    let ends = bars().map(|b| b.rect.rect().right() + b.room);
    assert!(at.x > ends.fold(0.0, f64::max) && at.x < f64::from(alike.size.w));
    let apart = panels[1].body.rect().x - panels[0].body.rect().right();
    assert!(panels[0].body.rect().w > apart, "{apart}");
    let under = layout(&["probe_acc"], BarPlace::Bottom);
    assert_eq!(under.texts.iter().filter(|t| t.text == "probe_acc").count(), 12);
    let others = layout(&["loss", "score"], BarPlace::Right);
    assert!(others.bars.iter().flatten().all(|b| !b.label.is_empty()));
}

#[test]
fn many_titles_are_shown_whole_where_some_page_has_room_for_them() {
    for between in ["_", " "] {
        let names = (0..300).map(|i| format!("layer_{}{between}head_{}", i / 12, i % 12));
        let (mut figure, grids) = scaled(names, &["acc"], BarPlace::Right);
        figure.color.scale = None;
        let frame = frame(&figure, &Overrides::default(), &grids).unwrap();
        let plan = Plan::new(&frame, &mut Fonts::new()).unwrap();
        assert_eq!(cut_titles(&frame, &plan.0), Vec::<&str>::new());
    }
}

#[test]
fn numbered_titles_are_reported_and_have_a_key_of_several_columns() {
    let names = (0..300).map(|i| format!("{}{}{}{}", "x".repeat(30), i / 12, "y".repeat(30), i % 12));
    let (mut figure, grids) = scaled(names, &["acc"], BarPlace::None);
    figure.size.width = Some("13in".parse().unwrap());
    figure.columns = Some(25);
    let (plan, frame) = planned(&figure, &grids);
    assert!(plan.0.key.columns.len() > 1 && plan.0.key.lines() <= 16);
    let layout = plan.layout(&frame, &mut Fake);
    let lint = layout.lints.0.iter().find(|l| l.name == LintName::LabelsShortened).unwrap();
    assert_eq!((lint.count, lint.names.len()), (300, 300));
    assert!(lint.text.starts_with("300 titles are shortened: xxx"), "{}", lint.text);
    // No two entries meet.
    let entry = |t: &&crate::layout::Label| t.text.contains("): ");
    let mut entries: Vec<_> = layout.texts.iter().filter(entry).collect();
    entries.sort_by(|a, b| (a.at.y, a.at.x).partial_cmp(&(b.at.y, b.at.x)).unwrap());
    let meet = |p: &[&crate::layout::Label]| {
        p[0].at.y == p[1].at.y && p[0].at.x + Fake.size(&p[0].text, p[0].font_size).width > p[1].at.x
    };
    assert!(entries.len() > 16 && !entries.windows(2).any(meet));
}
