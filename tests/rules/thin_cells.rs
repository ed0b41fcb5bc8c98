//! Cells of few rows: every one of them is hatched, and nothing else.

use crate::support::random::{Random, cases};
use gridscope::figure::{Figure, Length, Origin};
use gridscope::grid::{Grid, State};
use gridscope::{Fonts, scene};
use gridscope_draw::scene::Item;
use std::num::NonZeroU64;

/// A grid whose cells are of 0 to 3 rows.
fn random_grid(random: &mut Random, height: usize, width: usize) -> Grid {
    let n = height * width;
    let values = (0..n).map(|_| random.below(100) as f64).collect();
    let mut grid = Grid::from_rows(height, width, values).unwrap();
    // Neighbours are alike, so that pixels of several thin cells occur.
    let counts: Vec<f64> = (0..n).map(|i| ((i / width / 4 + i % width / 4) % 4) as f64).collect();
    for i in (0..n).filter(|i| counts[*i] == 0.0) {
        grid.set_state(i / width, i % width, State::Absent);
    }
    for _ in 0..n / 20 {
        let at = random.below(n);
        grid.set_state(at / width, at % width, State::Masked);
    }
    grid.set_field("n", counts).unwrap();
    grid.set_min_count(NonZeroU64::new(1 + random.below(3) as u64));
    grid
}

#[test]
fn cells_of_few_rows_are_hatched_and_no_others() {
    let mut random = Random(5);
    let (mut seen, mut reduced) = (0, 0);
    for case in 0..cases(30) {
        let side = |r: &mut Random| [1 + r.below(12), 40 + r.below(300)][r.below(2)];
        let (height, width) = (side(&mut random), side(&mut random));
        let grid = random_grid(&mut random, height, width);
        let mut figure = Figure::default();
        figure.size.dpi = Some(72.0);
        figure.size.width = Some(Length::inches(3.0).into());
        figure.origin = random.chance(0.5).then_some(Origin::Lower);
        figure.annotations.show = Some("off".parse().unwrap());
        figure.reduce.rings = Some("off".parse().unwrap());
        let mut fonts = Fonts::new();
        let picture = scene(&figure, std::slice::from_ref(&grid), &mut fonts).unwrap().picture;
        let body = picture.all().find_map(|item| match item {
            Item::Cells(cells) => Some(cells),
            _ => None,
        });
        let body = body.unwrap();
        let (columns, rows) = (body.columns.spans(), body.rows.spans());
        let is_thin = |x: usize, y: usize| {
            let cells = (rows[y][0]..rows[y][1])
                .flat_map(|r| (columns[x][0]..columns[x][1]).map(move |c| (r as usize, c as usize)));
            let mut values = cells.filter(|(r, c)| grid.at(*r, *c).value().is_some()).peekable();
            values.peek().is_some() && values.all(|(r, c)| grid.is_thin(r * width + c))
        };
        reduced += u32::from(body.columns.reduces() || body.rows.reduces());
        let mut hatched = vec![false; columns.len() * rows.len()];
        for item in picture.all() {
            let Item::Line { from, to, .. } = item else {
                continue;
            };
            let inside = |x: f64, y: f64| {
                let (x, y) = (x - f64::from(body.body.x), y - f64::from(body.body.y));
                let is_in = x >= 0.0 && y >= 0.0 && x < columns.len() as f64 && y < rows.len() as f64;
                is_in.then_some((x as usize, y as usize))
            };
            // Lines of the key under the figure are outside.
            let Some(_) = inside(from.x, from.y) else { continue };
            for k in 0..=200 {
                let t = f64::from(k) / 200.0;
                let (x, y) = inside(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y))
                    .expect("a line leaves the body");
                assert!(is_thin(x, y), "{case}: {height} x {width} at pixel {x}, {y}");
                hatched[y * columns.len() + x] = true;
                seen += 1;
            }
        }
        // Far within thin cells there is a line nearby.
        let reach = 8;
        for y in (reach..rows.len().saturating_sub(reach)).step_by(7) {
            for x in (reach..columns.len().saturating_sub(reach)).step_by(7) {
                let around =
                    || (y - reach..=y + reach).flat_map(|v| (x - reach..=x + reach).map(move |u| (u, v)));
                if around().all(|(u, v)| is_thin(u, v)) {
                    assert!(around().any(|(u, v)| hatched[v * columns.len() + u]), "{case}: {x}, {y}");
                }
            }
        }
    }
    assert!(seen > 1000 && reduced > 2, "{seen} {reduced}");
}
