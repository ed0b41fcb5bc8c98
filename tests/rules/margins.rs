//! Margins are aligned with the cells of their body, whatever the order and the spacing of its axes.

use gridscope::figure::{Figure, Spacing};
use gridscope::grid::{Axis, Grid, Values};
use gridscope::{Fonts, render};
use gridscope_core::timing::Phases;
use gridscope_draw::layout::PanelLayout;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::scene::Item;

fn words(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("w{i}")).collect()
}

fn grid(rows: usize, columns: usize, values: impl Fn(usize, usize) -> f64) -> Grid {
    let all = (0..rows * columns).map(|i| values(i / columns, i % columns));
    let nested =
        Axis::nested("a,b", vec![(0..columns).map(|c| format!("g{}", c / 2)).collect(), words(columns)]);
    let centers: Vec<f64> = (0..rows).map(|r| (r * r + 1) as f64).collect();
    let names = centers.iter().map(f64::to_string).collect();
    Grid::new(Axis::number("y", centers, names), nested, Values::F64(all.collect()), &[]).unwrap()
}

fn prepared(figure: &Figure, grid: &Grid) -> Prepared {
    let mut fonts = Fonts::new();
    prepare(figure, std::slice::from_ref(grid), &mut fonts, &mut Phases::new()).unwrap()
}

/// The rectangles of one colour within a track, as their begins and ends along the body and their depth.
fn bars(made: &Prepared, track: usize, of_rows: bool) -> Vec<(f64, f64, f64)> {
    let PanelLayout { body, tracks, .. } = &made.layout.panels[0];
    let (body, at) = (body.rect(), tracks[track].rect.rect());
    let fill = gridscope::Color::rgba_of(0x14, 0x14, 0x14, 0x78).over(gridscope::Color::WHITE);
    let mut out = Vec::new();
    for item in made.scene.all() {
        let Item::Rect { rect: r, color } = item else {
            continue;
        };
        let inside = r.x >= at.x && r.right() <= at.right() && r.y >= at.y && r.bottom() <= at.bottom();
        if inside && *color == fill {
            out.push(if of_rows {
                (r.y - body.y, r.bottom() - body.y, r.w)
            } else {
                (r.x - body.x, r.right() - body.x, r.h)
            });
        }
    }
    out
}

#[test]
fn bars_have_the_places_of_their_cells_and_lengths_in_proportion() {
    for (spacing, origin, reverse) in
        [("even", "upper", ""), ("true", "lower", ""), ("even", "lower", "x"), ("true", "upper", "x,y")]
    {
        let g = grid(6, 8, |r, c| (r + 1) as f64 + 0.0 * c as f64);
        let mut text =
            format!("margin = ['both:mean']\norigin = '{origin}'\n[size]\nwidth = '8in'\nheight = '7in'\n");
        if !reverse.is_empty() {
            text = format!("reverse = '{reverse}'\n{text}");
        }
        let mut figure: Figure = toml::from_str(&text).unwrap();
        figure.y.spacing = Some(if spacing == "true" { Spacing::True } else { Spacing::Even });
        let made = prepared(&figure, &g);
        let panel = &made.layout.panels[0];
        for (track, of_rows, table) in [(0, true, &panel.rows), (1, false, &panel.columns)] {
            let got = bars(&made, track, of_rows);
            let mut cells: Vec<usize> = (0..table.cells()).collect();
            cells.sort_by(|a, b| table.extent(*a).0.total_cmp(&table.extent(*b).0));
            assert_eq!(got.len(), cells.len(), "{text}");
            let longest = got.iter().map(|b| b.2).fold(0.0, f64::max);
            for (bar, cell) in got.iter().zip(&cells) {
                let (a, b) = table.extent(*cell);
                let free = if b - a >= 5.0 { (0.1 * (b - a)).round() } else { 0.0 };
                assert_eq!((bar.0, bar.1), (a + free, b - free), "{text} {cell}");
                if of_rows {
                    let want = longest * (cell + 1) as f64 / 6.0;
                    assert!((bar.2 - want).abs() <= 0.5, "{} {want}", bar.2);
                }
            }
        }
    }
}

#[test]
fn a_pixel_of_several_rows_has_the_number_of_all_their_cells() {
    let g = grid(4000, 4, |r, _| if r % 1000 == 777 { 50.0 } else { 1.0 });
    let mut figure: Figure = toml::from_str("margin = ['rows:max', 'rows:mean']").unwrap();
    figure.size.height = Some("400".parse().unwrap());
    let made = prepared(&figure, &g);
    let track = made.layout.panels[0].tracks[0].rect;
    let full = |b: &&(f64, f64, f64)| (b.2 - f64::from(track.w)).abs() < 0.5;
    let rows = &made.layout.panels[0].rows;
    let peaks: Vec<f64> = bars(&made, 0, true).iter().filter(full).map(|b| b.0).collect();
    let want: Vec<f64> = (0..4)
        .map(|k| {
            let row = k * 1000 + 777;
            let mut spans = rows.spans().iter();
            spans.position(|s| (s[0]..s[1]).contains(&row)).unwrap() as f64
        })
        .collect();
    assert_eq!(peaks, want);
}

#[test]
fn a_margin_moves_no_cell_when_values_change_and_none_without_margins() {
    let mut figure: Figure = toml::from_str("margin = ['both:mean', 'rows:minmax']").unwrap();
    figure.size.height = Some("500".parse().unwrap());
    let [a, b] = [1.0, -30.0].map(|by| {
        let g = grid(6, 8, |r, c| by * (r * c) as f64);
        let at = &prepared(&figure, &g).layout.panels[0];
        (at.body, at.tracks.iter().map(|t| t.rect).collect::<Vec<_>>())
    });
    assert_eq!(a.1.len(), 3);
    assert_eq!((a.0.y, a.0.h), (b.0.y, b.0.h));
    let g = grid(6, 8, |r, c| (r * c) as f64);
    let plain = render(&Figure::default(), std::slice::from_ref(&g)).unwrap();
    let empty: Figure = toml::from_str("margin = []").unwrap();
    assert!(plain.picture == render(&empty, &[g]).unwrap().picture);
}

#[test]
fn the_axis_of_bars_has_0_and_a_number_near_the_longest() {
    let mut fonts = Fonts::new();
    for largest in [76.0, 0.77, 8.0, 1e300, 3.2e-7, 12_345.0, 0.1501, 99.9] {
        let grid = grid(6, 6, |r, c| largest * (1.0 - (r + c) as f64 / 20.0));
        for list in ["rows:max", "columns:max"] {
            let figure = Figure { margin: list.parse().ok(), ..Figure::default() };
            let made = prepare(&figure, std::slice::from_ref(&grid), &mut fonts, &mut Phases::new()).unwrap();
            let at = made.layout.panels[0].tracks[0].rect.rect();
            // Fine lines over the track.
            let fine = made.scene.all().filter_map(|item| match item {
                Item::Rect { rect: r, .. } if list == "rows:max" => {
                    (r.h == at.h && r.w < 3.0).then_some((r.x - at.x) / at.w)
                }
                Item::Rect { rect: r, .. } => {
                    (r.w == at.w && r.h < 3.0).then_some((at.bottom() - r.bottom()) / at.h)
                }
                _ => None,
            });
            let mut fine: Vec<f64> = fine.collect();
            fine.sort_by(f64::total_cmp);
            let is_near = fine.last().is_some_and(|last| *last > 0.78);
            assert!(fine.len() > 1 && fine[0].abs() < 0.02 && is_near, "{largest} {list}: {fine:?}");
        }
    }
}
