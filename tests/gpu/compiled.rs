//! Compiled pipelines in a file: the same pictures with it, without it and with a damaged one.
#![cfg(feature = "gpu")]

use crate::support::adapter::context;
use gridscope::Fonts;
use gridscope::figure::Figure;
use gridscope::gpu::{AdapterPreference, Context, Painter};
use gridscope::grid::Grid;
use gridscope_core::timing::Phases;
use gridscope_draw::raster;
use gridscope_draw::render::prepare;
use std::fs;
use std::path::{Path, PathBuf};

/// Draws a figure and a fold with the compiled pipelines of a folder.
fn draws(folder: &Path) {
    let grids =
        [Grid::from_rows(300, 400, (0..120_000).map(|i| f64::from(i * 7919 % 1009)).collect()).unwrap()];
    let scene = prepare(&Figure::default(), &grids, &mut Fonts::new(), &mut Phases::new()).unwrap().scene;
    let context = Context::open(&AdapterPreference::default()).unwrap().with_compiled(folder);
    let mut painter = Painter::new(&context).unwrap();
    painter.upload(&grids, &mut |_, _| ()).unwrap();
    let mut fonts = Fonts::new();
    let (got, want) =
        (painter.draw(&scene, &grids, &mut fonts).unwrap(), raster::draw(&scene, &grids, &mut fonts));
    let most = got.pixels.iter().zip(&want.pixels).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(most <= Some(2), "{most:?}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).map(|l| l.map(|e| e.unwrap().path()).collect());
    list.unwrap_or_default()
}

#[test]
fn pictures_are_the_same_with_any_file_of_compiled_pipelines() {
    let Some(context) = context() else { return };
    let offered = context.device().features().contains(wgpu::Features::PIPELINE_CACHE);
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    draws(&cache);
    let written = files(&cache);
    assert_eq!(written.len(), usize::from(offered), "{written:?}");
    draws(&cache);
    assert_eq!(files(&cache), written);
    let Some(file) = written.first() else { return };
    let whole = fs::read(file).unwrap();
    let damaged = [Vec::new(), whole[..whole.len() / 2].to_vec(), vec![7; whole.len()], {
        let mut one = whole.clone();
        *one.last_mut().unwrap() ^= 1;
        one
    }];
    for bytes in damaged {
        fs::write(file, bytes).unwrap();
        draws(&cache);
        // It was made again.
        assert!(fs::read(file).unwrap().starts_with(b"gridscope cache 1\n"));
    }
    // A folder that cannot be made.
    fs::write(folder.path().join("file"), "").unwrap();
    draws(&folder.path().join("file/cache"));
}
