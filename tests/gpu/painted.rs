//! Bodies that the CPU paints for a device: the bytes of the CPU's picture, and nothing old among them.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use gridscope::Fonts;
use gridscope::figure::{Figure, Toggle};
use gridscope::gpu::{Painter, PainterOptions, Worker};
use gridscope::grid::{Axis, Grid, Summary, Values};
use gridscope_core::timing::Phases;
use gridscope_draw::raster;
use gridscope_draw::render::prepare;
use gridscope_draw::scene::{Item, Scene};
use std::sync::Arc;

fn grid(factor: usize) -> Grid {
    let data = (0..630_000).map(|i| (i * factor % 1009) as f32).collect();
    Grid::new(Axis::index("", 900), Axis::index("", 700), Values::F32 { data, integer: false }, &[]).unwrap()
}

/// The scene of a figure, with exact Summaries and as the painter folds it.
fn scenes(grids: &[Grid]) -> [Scene; 2] {
    let mut figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
    (figure.size.width, figure.size.height) =
        (Some("500px".parse().unwrap()), Some("400px".parse().unwrap()));
    figure.size.dpi = Some(96.0);
    let folded = prepare(&figure, grids, &mut Fonts::new(), &mut Phases::new()).unwrap().scene;
    let mut bare = folded.clone();
    bare.items.iter_mut().take(1).for_each(|i| {
        let Item::Cells(c) = i else { panic!("a body first") };
        c.summaries = None;
    });
    [folded, bare]
}

#[test]
fn pictures_are_those_of_the_cpu_whatever_came_before() {
    let Some(context) = context() else { return };
    let (grids, others) = ([grid(7919)], [grid(6007)]);
    let [folded, bare] = scenes(&grids);
    let mut fonts = Fonts::new();
    let sizes = PainterOptions { worker: Worker::Cpu, ..PainterOptions::default() };
    let mut painter = Painter::with_options(context, sizes).unwrap();
    let want = raster::draw(&folded, &grids, &mut fonts);
    // A level that stands in for cells while a view moves has the same tables and colours.
    let mut level = folded.clone();
    level.items.iter_mut().take(1).for_each(|i| {
        let Item::Cells(c) = i else { panic!("a body first") };
        let mut one = Summary::default();
        one.add(500f32.to_bits());
        c.summaries = Some(Arc::new(vec![one; c.body.w as usize * c.body.h as usize].into()));
    });
    let mut same = |scene: &Scene, grids: &[Grid]| {
        let (got, want) =
            (painter.draw(scene, grids, &mut fonts).unwrap(), raster::draw(scene, grids, &mut fonts));
        assert!(got.pixels.iter().zip(&want.pixels).all(|(a, b)| a.abs_diff(*b) <= 1));
        got
    };
    for scene in [&bare, &level, &folded, &level, &bare, &bare] {
        same(scene, &grids);
    }
    assert!(same(&level, &grids) != want);
    // Other data with the same tables: changed grids must be uploaded again.
    painter.upload(&[], &mut |_, _| ()).unwrap();
    let [_, bare] = scenes(&others);
    let (got, want) =
        (painter.draw(&bare, &others, &mut fonts).unwrap(), raster::draw(&bare, &others, &mut fonts));
    assert!(got.pixels.iter().zip(&want.pixels).all(|(a, b)| a.abs_diff(*b) <= 1));
}
