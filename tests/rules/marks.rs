//! Marks and contours: conditions against what pandas finds, contours and outlines against a plain rule of f64.

use crate::support::random::{Random, cases};
use gridscope::Fonts;
use gridscope::figure::{Data, Figure, List};
use gridscope::grid::{Grid, Number, Reduce, State};
use gridscope::input::{ReadOptions, open_bytes};
use gridscope_core::timing::Phases;
use gridscope_draw::marking::Piece;
use gridscope_draw::render::{Prepared, prepare};
use std::collections::BTreeSet;

/// Written by `truths/marks.py`.
const TABLE: &str = include_str!("truths/marks.csv");
const TRUTHS: &str = include_str!("truths/marks.tsv");

fn prepared(figure: &Figure, grid: &Grid) -> Prepared {
    prepare(figure, std::slice::from_ref(grid), &mut Fonts::new(), &mut Phases::new()).unwrap()
}

fn table(edit: impl FnOnce(&mut Figure)) -> (Figure, Grid) {
    let list = |t: &str| Some(List(vec![t.to_owned()]));
    let mut figure = Figure {
        data: Data {
            x: list("x"),
            y: list("y"),
            value: list("value"),
            agg: "mean".parse().ok(),
            ..Data::default()
        },
        ..Figure::default()
    };
    edit(&mut figure);
    let (bytes, needs) = (TABLE.as_bytes().to_vec(), ReadOptions::default());
    let mut loaded = open_bytes(bytes, "t.csv", &figure, &needs, 1 << 30).unwrap();
    (figure, loaded.grids.remove(0))
}

fn name(grid: &Grid, row: usize, column: usize) -> String {
    format!("{}/{}", grid.rows().label(row), grid.columns().label(column))
}

#[test]
fn conditions_name_the_cells_that_pandas_finds() {
    let mut count = 0;
    for line in TRUTHS.lines() {
        let (condition, cells) = line.split_once('\t').unwrap();
        let wanted: BTreeSet<String> =
            cells.split(';').filter(|c| !c.is_empty()).map(str::to_owned).collect();
        let (figure, grid) = table(|f| f.annotations.mark = condition.parse().ok());
        let drawn = prepared(&figure, &grid);
        let census = drawn.marking[0].marks[0].census.clone().unwrap();
        let found: BTreeSet<String> = census.first.iter().map(|&(r, c)| name(&grid, r, c)).collect();
        assert_eq!((found, census.count), (wanted.clone(), wanted.len() as u64), "{condition}");
        // A mask hides the same cells.
        let (_, masked) = table(|f| f.data.mask = condition.parse().ok());
        let places = (0..masked.height()).flat_map(|r| (0..masked.width()).map(move |c| (r, c)));
        let is_masked = |&(r, c): &(usize, usize)| masked.at(r, c).state() == Some(State::Masked);
        let hidden: BTreeSet<String> = places.filter(is_masked).map(|(r, c)| name(&masked, r, c)).collect();
        assert_eq!(hidden, wanted, "{condition}");
        count += 1;
    }
    assert!(count > 60, "{count}");
}

/// A value with ties, infinities and missing ones among many.
fn value(r: &mut Random) -> f64 {
    match r.below(12u32) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::NEG_INFINITY,
        3 => 0.5,
        4 => 1e300,
        _ => (r.unit() * 8.0).floor() / 8.0,
    }
}

/// The unit borders that pieces run along: whether across, the border, the tile.
fn units(pieces: &[Piece]) -> BTreeSet<(bool, u32, u32)> {
    let all = pieces.iter();
    all.flat_map(|p| (p.along[0]..p.along[1]).map(|along| (p.is_horizontal, p.at, along))).collect()
}

/// The borders between tiles that a rule parts; outside of them it is given `None`.
fn borders<T: Copy>(
    rows: usize,
    columns: usize,
    of: impl Fn(usize, usize) -> T,
    parts: impl Fn(Option<T>, Option<T>) -> bool,
) -> BTreeSet<(bool, u32, u32)> {
    let at = |r: i64, c: i64| {
        let inside = r >= 0 && c >= 0 && (r as usize) < rows && (c as usize) < columns;
        inside.then(|| of(r as usize, c as usize))
    };
    let mut out = BTreeSet::new();
    for r in 0..=rows as i64 {
        for c in 0..=columns as i64 {
            if parts(at(r - 1, c), at(r, c)) {
                out.insert((true, r as u32, c as u32));
            }
            if parts(at(r, c - 1), at(r, c)) {
                out.insert((false, c as u32, r as u32));
            }
        }
    }
    out
}

#[test]
fn contours_and_outlines_are_those_of_the_plain_rule() {
    let mut lines = 0;
    for case in 0..cases(60) {
        let mut r = Random(case);
        let (height, width) = (r.within(1usize, 40), r.within(1usize, 40));
        let values: Vec<f64> = (0..height * width).map(|_| value(&mut r)).collect();
        let mut grid = Grid::from_rows(height, width, values).unwrap();
        for _ in 0..r.below(4u32) {
            let (row, column) = (r.below(height), r.below(width));
            grid.set_state(row, column, [State::Absent, State::Masked][r.below(2usize)]);
        }
        let reduce = [Reduce::Mean, Reduce::Min, Reduce::Max][r.below(3usize)];
        // Small pictures have several cells a pixel.
        let pixels = [60, 140, 400][r.below(3usize)];
        let mut figure = Figure::default();
        figure.reduce.by = Some(reduce);
        figure.contours = "0.25,0.5,2".parse().ok();
        figure.annotations.mark = "value >= 0.5".parse().ok();
        figure.size.dpi = Some(40.0);
        (figure.size.width, figure.size.height) =
            (format!("{pixels}px").parse().ok(), format!("{pixels}px").parse().ok());
        figure.origin = ["upper", "lower"][r.below(2usize)].parse().ok();
        figure.square = ["off", "auto"][r.below(2usize)].parse().ok();
        let Ok(drawn) = prepare(&figure, std::slice::from_ref(&grid), &mut Fonts::new(), &mut Phases::new())
        else {
            continue;
        };
        let marking = &drawn.marking[0];
        let (rows, columns) = (&marking.rows, &marking.columns);
        let cells = |row: usize, column: usize| -> Vec<f64> {
            let of_row = |r: u32| (columns[column].cells[0]..columns[column].cells[1]).map(move |c| (r, c));
            let all = (rows[row].cells[0]..rows[row].cells[1]).flat_map(of_row);
            all.filter_map(|(r, c)| grid.at(r as usize, c as usize).value().map(Number::as_f64)).collect()
        };
        let shown = |row: usize, column: usize| -> Option<f64> {
            let list = cells(row, column);
            let found = match reduce {
                _ if list.is_empty() => return None,
                // One value stays as it is.
                _ if list.len() == 1 => list[0],
                Reduce::Min => list.iter().copied().fold(f64::INFINITY, f64::min),
                Reduce::Max => list.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                _ => list.iter().map(|v| v / list.len() as f64).sum(),
            };
            Some(found).filter(|v| !v.is_nan())
        };
        // The mean of eighths is exact but near the level only by rounding; those cases are left to minima and maxima.
        let is_exact = reduce != Reduce::Mean || !drawn.layout.panels[0].reduces();
        // Lines of noise are left out where they hide small cells, never where cells are large.
        let body = drawn.layout.panels[0].body;
        let side = (body.w as usize / width).min(body.h as usize / height);
        let is_hidden = |pieces: &[Piece], count: u64| {
            let is_hidden = pieces.is_empty() && count > 0;
            assert!(!is_hidden || side < 16, "case {case}: cells of {side} px");
            is_hidden
        };
        for contour in marking.contours.iter().filter(|_| is_exact) {
            if is_hidden(&contour.pieces, contour.count) {
                continue;
            }
            let level = contour.level;
            let side = |r: usize, c: usize| shown(r, c).map(|v| v >= level);
            let wanted = borders(
                rows.len(),
                columns.len(),
                side,
                |a, b| matches!((a.flatten(), b.flatten()), (Some(a), Some(b)) if a != b),
            );
            assert_eq!(units(&contour.pieces), wanted, "case {case}, level {level}");
            lines += wanted.len();
        }
        let is_on = |r: usize, c: usize| cells(r, c).iter().any(|v| *v >= 0.5);
        let wanted =
            borders(rows.len(), columns.len(), is_on, |a, b| a.unwrap_or(false) != b.unwrap_or(false));
        let mark = &marking.marks[0];
        if !is_hidden(&mark.outline, mark.pieces) {
            assert_eq!(units(&mark.outline), wanted, "case {case}");
        }
        let all = (0..height * width).filter_map(|i| grid.at(i / width, i % width).value());
        let count = all.filter(|v| v.as_f64() >= 0.5).count() as u64;
        assert_eq!(mark.census.as_ref().unwrap().count, count, "case {case}");
    }
    assert!(lines > 1000, "{lines}");
}

#[test]
fn one_row_and_one_cell_have_their_lines() {
    let line = |values: &[f64], level: &str| {
        let grid = Grid::from_rows(1, values.len(), values.to_vec()).unwrap();
        let figure = Figure { contours: level.parse().ok(), ..Figure::default() };
        let drawn = prepared(&figure, &grid);
        units(&drawn.marking[0].contours[0].pieces)
    };
    // What equals the level is above it.
    assert_eq!(line(&[0.0, 1.0, 2.0], "1,"), BTreeSet::from([(false, 1, 0)]));
    assert_eq!(line(&[1e300, -1e300], "0"), BTreeSet::from([(false, 1, 0)]));
    assert!(line(&[0.0, f64::NAN, 2.0], "1,").is_empty());
    assert!(line(&[3.0], "3,").is_empty());
}
