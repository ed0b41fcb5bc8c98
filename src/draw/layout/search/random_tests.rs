//! Random figures on canvases of automatic size: nothing meets, bodies take most of their slots, sizes stay in their limits.

use super::super::places::CellSize;
use super::super::{Layout, Plan};
use super::*;
use crate::resolve::{Overrides, frame};
use gridscope_core::figure::{BarPlace, Figure, TickLabels, Toggle};
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::grid::{Grid, Values};
use gridscope_core::text::Fake;

/// The most cells of a random figure: their number decides nothing here.
const MOST_CELLS: usize = 100_000;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn within(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn text(&mut self, most: usize) -> String {
        let n = self.within(1, most);
        (0..n).map(|i| if i % 9 == 8 && self.0.is_multiple_of(2) { ' ' } else { 'x' }).collect()
    }

    fn axis(&mut self, n: usize) -> Axis {
        if self.chance(30) {
            return Axis::index("axis", n);
        }
        let most = self.within(1, 36);
        let labels = (0..n).map(|i| format!("{}{i}", self.text(most))).collect();
        let title = self.text(30);
        Axis::category(&title, labels)
    }

    fn side(&mut self) -> usize {
        let most = [4, 12, 40, 400][self.below(4)];
        self.within(1, most)
    }

    fn figure(&mut self) -> (Figure, Vec<Grid>) {
        let most = [1, 4, 12, 80][self.below(4)];
        let panels = self.within(1, most);
        let (mut rows, mut columns) = (self.side(), self.side());
        while rows * columns * panels > MOST_CELLS {
            (rows, columns) = (rows.div_ceil(2), columns.div_ceil(2));
        }
        let own = panels > 1 && self.chance(25);
        let (mut y, mut x) = (self.axis(rows), self.axis(columns));
        let grids = (0..panels)
            .map(|_| {
                if own && self.chance(50) {
                    let (fewer_rows, fewer_columns) = (self.within(1, rows), self.within(1, columns));
                    (y, x) = (self.axis(fewer_rows), self.axis(fewer_columns));
                }
                let values = Values::F64(vec![1.0; y.len() * x.len()]);
                let mut grid = Grid::new(y.clone(), x.clone(), values, &[]).unwrap();
                grid.set_name(self.text(if panels > 12 { 12 } else { 40 }));
                grid.set_value_name(self.text(12));
                grid
            })
            .collect();
        let mut f = Figure {
            title: self.chance(50).then(|| self.text(80)),
            note: self.chance(20).then(|| self.text(80)),
            ..Figure::default()
        };
        f.color.bar =
            Some([BarPlace::Right, BarPlace::Right, BarPlace::Bottom, BarPlace::None][self.below(4)]);
        f.color.scale = self.chance(30).then(|| "panel".to_owned());
        f.square = [None, Some(Toggle::On), Some(Toggle::Off)][self.below(3)];
        f.tick_labels = self.chance(10).then_some(TickLabels::Each);
        f.size.dpi = Some([100.0, 200.0][self.below(2)]);
        if self.chance(15) {
            f.size.width = Some(format!("{}in", self.within(3, 15)).parse().unwrap());
        }
        if self.chance(15) {
            f.size.height = Some(format!("{}in", self.within(2, 12)).parse().unwrap());
        }
        (f, grids)
    }
}

/// A rectangle that may be turned, with its name: four corners.
struct Block(String, [Point; 4]);

impl Block {
    fn upright(name: String, r: Rect) -> Self {
        let p = |x: f64, y: f64| Point { x, y };
        let (right, bottom) = (r.right(), r.bottom());
        Self(name, [p(r.x, r.y), p(right, r.y), p(right, bottom), p(r.x, bottom)])
    }

    fn of_text(text: &str, font: f64, at: Point, degrees: i32) -> Self {
        let (w, (s, c)) = (Fake.size(text, font).width, f64::from(degrees).to_radians().sin_cos());
        let corner = |u: f64, v: f64| Point { x: at.x + u * c + v * s, y: at.y - u * s + v * c };
        let (up, down) = (-0.8 * font, 0.22 * font);
        let corners = [corner(0.0, up), corner(w, up), corner(w, down), corner(0.0, down)];
        Self(format!("'{text}'"), corners)
    }

    /// How deep two blocks overlap: the least over the directions of their sides.
    fn overlap(&self, other: &Self) -> f64 {
        let mut least = f64::MAX;
        for (a, b) in [self, other].into_iter().flat_map(|q| [(q.1[0], q.1[1]), (q.1[1], q.1[2])]) {
            let length = (b.x - a.x).hypot(b.y - a.y).max(1e-9);
            let (dx, dy) = ((b.x - a.x) / length, (b.y - a.y) / length);
            let span = |q: &Self| {
                let t = q.1.map(|p| p.x * dx + p.y * dy);
                (t.into_iter().fold(f64::MAX, f64::min), t.into_iter().fold(f64::MIN, f64::max))
            };
            let (p, q) = (span(self), span(other));
            least = least.min(p.1.min(q.1) - p.0.max(q.0));
        }
        least
    }

    fn leaves(&self, size: gridscope_core::geom::PxSize) -> bool {
        let (w, h) = (f64::from(size.w) + 1.0, f64::from(size.h) + 1.0);
        self.1.iter().any(|p| p.x < -1.0 || p.y < -1.0 || p.x > w || p.y > h)
    }
}

/// All texts, bodies and bars; bars beside bodies with the room for their labels.
fn blocks(layout: &Layout, f: f64) -> Vec<Block> {
    let texts = layout.texts.iter();
    let mut all: Vec<Block> = texts.map(|t| Block::of_text(&t.text, t.font_size, t.at, t.degrees)).collect();
    let bodies = layout.panels.iter().enumerate();
    all.extend(bodies.map(|(i, p)| Block::upright(format!("body {i}"), p.body.rect())));
    for (b, bar) in layout.bars.iter().enumerate() {
        let Some(bar) = bar else { continue };
        let mut r = bar.rect.rect();
        if bar.horizontal {
            r.h += 1.4 * f;
        } else {
            r.w += 0.5 * f + bar.room;
        }
        all.push(Block::upright(format!("bar {b}"), r));
        let lines = bar.label.iter();
        all.extend(lines.map(|l| {
            let at = Point { x: l.at.x + bar.room, y: l.at.y };
            Block::of_text(&l.text, l.font_size, at, l.degrees)
        }));
    }
    all
}

/// Faults of a figure.
fn faults(figure: &Figure, frame: &Frame, plan: &Plan) -> Vec<String> {
    let page = &plan.0;
    let layout = plan.layout(frame, &mut Fake);
    let mut wrong = Vec::new();
    // Overlaps of less than half a point are not seen.
    let slack = (0.006 * frame.dpi).max(0.6);
    let all = blocks(&layout, frame.font_size);
    for (i, a) in all.iter().enumerate() {
        if a.leaves(layout.size) {
            wrong.push(format!("{} leaves the canvas: {:?}", a.0, a.1));
        }
        for b in &all[i + 1..] {
            if a.overlap(b) > slack {
                wrong.push(format!("{} meets {} by {:.1}", a.0, b.0, a.overlap(b)));
            }
        }
    }
    let size = [layout.size.w, layout.size.h].map(f64::from);
    let dpi = frame.dpi;
    let given = |side: &Option<gridscope_core::figure::Side>| {
        let length = side.as_ref().and_then(gridscope_core::figure::Side::length);
        length.map(|l| l.pixels(dpi, Default::default()).round())
    };
    let (width, height) = (given(&figure.size.width), given(&figure.size.height));
    if width.is_some_and(|w| w != size[0]) || height.is_some_and(|h| h != size[1]) {
        wrong.push(format!("a given size became {size:?}"));
    }
    if width.is_none() && !(6.5 * dpi..=13.0 * dpi).contains(&size[0]) {
        wrong.push(format!("the width is {} in", size[0] / dpi));
    }
    // Where each of many panels has its own labels or bar, or square cells, no page holds all of it in readable text.
    let own = page.labelled_columns() > 1
        || page.labelled_rows() > 1
        || figure.color.scale.is_some()
        || frame.square;
    let is_crowded = layout.panels.len() >= 10 && own;
    // Smaller panels take less of their slots.
    let first = page.shapes.cells[0];
    let least = match page.shapes.size {
        CellSize::OwnSquare => 0.0,
        _ if page.shapes.cells.iter().any(|c| *c != first) => 0.5,
        _ => 0.6,
    };
    if width.or(height).is_none() && !is_crowded {
        if size[1] > 9.0 * dpi + 1.0 {
            wrong.push(format!("the height is {} in", size[1] / dpi));
        }
        let most = |of: fn(&PxRect) -> u32| layout.panels.iter().map(|p| of(&p.body)).max();
        let share = |side: Option<u32>, count: usize, all: f64| f64::from(side.unwrap()) * count as f64 / all;
        let wide = share(most(|b| b.w), page.columns, size[0]);
        let high = share(most(|b| b.h), page.rows(), size[1]);
        if wide.max(high) < least - 0.01 {
            wrong.push(format!("bodies take {wide:.2} and {high:.2} of their slots"));
        }
    }
    let upright = |i: usize| layout.bars.get(i).and_then(Option::as_ref).filter(|b| !b.horizontal);
    if layout.bars.len() == layout.panels.len() {
        for i in page.columns..layout.panels.len() {
            let pair = upright(i).zip(upright(i - page.columns));
            if pair.is_some_and(|(a, b)| (a.rect.x, a.rect.w, a.room) != (b.rect.x, b.rect.w, b.room)) {
                wrong.push(format!("bar {i} is not aligned"));
            }
        }
    }
    wrong
}

#[test]
fn random_figures_fit_their_canvas_and_fill_it() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let seeds = match number("LAYOUT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GRIDSCOPE_CASES").unwrap_or(240),
    };
    let lone = seeds.end - seeds.start == 1;
    let mut failed = Vec::new();
    for seed in seeds {
        let (figure, grids) = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)).figure();
        let frame = frame(&figure, &Overrides::default(), &grids).unwrap();
        let is_automatic = figure.size.width.is_none() && figure.size.height.is_none();
        let wrong = match Plan::new(&frame, &mut Fake) {
            Ok(plan) => faults(&figure, &frame, &plan),
            Err(e) if is_automatic => vec![format!("refused: {e}")],
            Err(_) => Vec::new(),
        };
        if let Some(first) = wrong.first() {
            let (n, g) = (grids.len(), &grids[0]);
            failed.push(format!(
                "seed {seed}: {n} panels of {} x {}: {} faults: {first}",
                g.height(),
                g.width(),
                wrong.len()
            ));
            if lone {
                println!("{figure:#?}\n{}", wrong.join("\n"));
            }
        }
    }
    assert!(failed.is_empty(), "{} figures\n{}", failed.len(), failed.join("\n"));
}
