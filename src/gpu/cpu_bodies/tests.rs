//! Bodies that are moved and painted at their edges have the bytes of bodies that are painted whole.

use super::*;
use gridscope_core::color::Color;
use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Axis, Kind, State, Values};
use gridscope_core::scale::{Colormap, Norm, ScaleSpec, default_fills};
use gridscope_random::Random;

/// Grids of narrow and of wide numbers, whose states have patterns here and there.
fn grids(states: bool) -> Vec<Grid> {
    let (h, w) = (260, 340);
    let value = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as f64;
    let value = |i: u64| match i % 97 {
        0 if states => f64::NAN,
        _ => value(i),
    };
    let narrow = Values::F32 { data: (0..h * w).map(|i| value(i) as f32).collect(), integer: false };
    let axes = || (Axis::index("", h as usize), Axis::index("", w as usize));
    let mut grids = vec![
        Grid::new(axes().0, axes().1, narrow, &[]).unwrap(),
        Grid::from_rows(h as usize, w as usize, (0..h * w).map(value).collect()).unwrap(),
    ];
    for grid in grids.iter_mut().filter(|_| states) {
        (0..40).for_each(|i| grid.set_state(i, 3 * i, State::Pending));
    }
    grids
}

/// A random part of an axis that is moved by whole pixels from one picture to the next.
struct Moving {
    from: f64,
    step: f64,
}

impl Moving {
    fn go(&mut self, d: &mut Random, cells: u32, pixels: u32) -> EdgeTable {
        match d.below(10) {
            0 => self.step = d.pick(&[0.07, 0.3, 1.0, 1.5, 2.25, 4.0]),
            1 => self.from = d.below(400) as f64 - 60.0,
            _ => self.from += d.within(-6, 6) as f64 * self.step,
        }
        let to = self.from + f64::from(pixels) * self.step;
        EdgeTable::part(cells, self.from, to, pixels)
    }
}

#[test]
fn a_moved_body_is_the_whole_body() {
    let mut d = Random(7);
    for (states, format) in
        [(false, wgpu::TextureFormat::Bgra8Unorm), (true, wgpu::TextureFormat::Rgba8Unorm)]
    {
        let grids = grids(states);
        let map = Colormap::named("viridis").unwrap();
        let spec = ScaleSpec {
            norm: Norm::Linear,
            vmin: 0.0,
            vmax: 16384.0,
            fills: default_fills(Color::WHITE, &map),
            map,
            under: None,
            over: None,
            hide: None,
            exact: None,
        };
        let scales = [Kind::F32, Kind::F64].map(|kind| Arc::new(ColorScale::new(&spec, kind)));
        let (mut bodies, mut scrolled) = (PaintedBodies::default(), 0);
        let (mut x, mut y) = (Moving { from: 3.0, step: 1.5 }, Moving { from: 9.0, step: 1.5 });
        let (mut last, mut which, mut size) = (None::<Arc<Summaries>>, 0, (90, 80));
        for _ in 0..400 {
            if d.below(25) == 0 {
                (which, last) = (d.below(2) as usize, None);
                size = (d.within(40, 129), d.within(30, 119));
            }
            let (columns, rows) = (x.go(&mut d, 340, size.0), y.go(&mut d, 260, size.1));
            let rows = if d.below(30) == 0 { rows.reversed() } else { rows };
            let summaries = (d.below(4) > 0).then(|| {
                let all = grids[which].fold(columns.spans(), rows.spans()).unwrap();
                Arc::new(all)
            });
            let cells = Cells {
                grid: which,
                body: PxRect { x: 5, y: 7, w: size.0, h: size.1 },
                columns,
                rows,
                before: last.as_ref().filter(|_| d.below(8) > 0).map(Arc::downgrade),
                summaries: summaries.clone(),
                scale: scales[which].clone(),
                reduce: if d.below(16) < 15 { Reduce::Mean } else { Reduce::Max },
                centre: 50.0,
                background: Color::WHITE,
                unit: 1,
            };
            last = summaries;
            let now = Key::of(&cells, &grids[which]).unwrap();
            let kept = bodies
                .0
                .first()
                .filter(|b| !b.patterned && (b.image.width, b.image.height) == size)
                .and_then(|b| b.of.as_ref()?.kept(&now, cells.before.as_ref()));
            bodies.prepare(&[&cells], &grids, format).unwrap();
            scrolled += usize::from(kept.is_some());
            let mut whole =
                Image { width: size.0, height: size.1, pixels: vec![0; (size.0 * size.1 * 4) as usize] };
            paint(&mut whole, &cells, &grids[which]);
            swap(&mut whole, (0..size.0 as usize, 0..size.1 as usize), !states);
            assert!(bodies.0[0].image.pixels == whole.pixels);
        }
        assert!(scrolled > if states { 5 } else { 15 }, "{scrolled} were moved");
    }
}
