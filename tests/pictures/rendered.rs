//! Pictures in one call of the library: what they hold, what they refuse, and what they warn of.

use gridscope::Fonts;
use gridscope::LintName;
use gridscope::figure::Toggle;
use gridscope::grid::{Buffer, CellSource, SourceError};
use gridscope::{Error, Figure, Grid, render, render_png, render_svg};
use gridscope_core::timing::Phases;
use gridscope_draw::raster::draw;
use gridscope_draw::render::prepare;
use gridscope_draw::tiling::fold_missing;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn sized(width: u32, height: u32) -> Figure {
    let mut figure = Figure { square: Some(Toggle::Off), ..Figure::default() };
    (figure.size.width, figure.size.height) =
        (Some(format!("{width}px").parse().unwrap()), Some(format!("{height}px").parse().unwrap()));
    figure
}

/// Many cells that nobody wrote anywhere.
#[derive(Debug)]
struct Zeros(usize);

impl CellSource for Zeros {
    fn rows(&self) -> usize {
        self.0
    }

    fn columns(&self) -> usize {
        self.0
    }

    fn buffer(&self) -> Buffer {
        Buffer::F32 { bits: Vec::new(), integer: false }
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        *into = Buffer::F32 { bits: vec![0; rows.len() * columns.len()], integer: false };
        Ok(())
    }
}

#[test]
fn a_picture_too_large_for_memory_is_refused_before_its_cells_are_read() {
    let read = Arc::new(AtomicU64::new(0));
    let grid = Grid::stored(Arc::new(Zeros(20_000)), None).unwrap().counted(read.clone());
    for (width, height) in [(65_535, 65_535), (16_385, 16_384), (65_535, 4_097)] {
        let failed = render(&sized(width, height), std::slice::from_ref(&grid)).unwrap_err();
        assert!(failed.hint().is_some_and(|hint| hint.contains("render_png")), "{failed}");
        assert_eq!(failed.exit_code(), 7);
    }
    // A look at what states there are is all.
    assert!(read.load(Ordering::Relaxed) < 2_000_000);
    let failed = render(&sized(65_536, 10), std::slice::from_ref(&grid)).unwrap_err();
    assert_eq!(failed.exit_code(), 7, "{failed}");
}

#[test]
fn a_picture_in_strips_is_the_whole_one_in_memory_and_as_png() {
    let value = |i: u32| {
        if i % 101 == 3 { f64::NAN } else { f64::from(i.wrapping_mul(2_654_435_761) >> 16) }
    };
    let grids = [Grid::from_rows(6000, 2, (0..12_000).map(value).collect()).unwrap()];
    let (figure, mut fonts) = (sized(5000, 4800), Fonts::new());
    let prepared = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap();
    assert!(prepared.in_strips, "a body of fewer pixels");
    let mut scene = prepared.scene;
    fold_missing(&mut scene, &grids).unwrap();
    let whole = draw(&scene, &grids, &mut fonts);

    assert!(render(&figure, &grids).unwrap().picture == whole);
    let png = render_png(&figure, &grids).unwrap().picture;
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    assert!(rgb.len() == whole.pixels.len() / 4 * 3);
    assert!(rgb.chunks_exact(3).zip(whole.pixels.chunks_exact(4)).all(|(a, b)| a == &b[..3] && b[3] == 255));

    let failed = render_svg(&figure, &grids).unwrap_err();
    assert!(matches!(failed, Error::Limit { .. }) && failed.exit_code() == 7, "{failed}");
}

#[test]
fn warnings_come_with_the_picture() {
    let grids = [Grid::from_rows(2, 3, vec![0.1, 0.4, 0.2, 0.9, f64::NAN, f64::INFINITY]).unwrap()];
    let rendered = render(&Figure::default(), &grids).unwrap();
    let found =
        |name: LintName| rendered.lints.0.iter().filter(|l| l.name == name).map(|l| l.count).sum::<u64>();
    assert_eq!((found(LintName::Nan), found(LintName::Infinite), found(LintName::Masked)), (1, 1, 0));
    assert_eq!(render_png(&Figure::default(), &grids).unwrap().lints, rendered.lints);
    assert_eq!(render_svg(&Figure::default(), &grids).unwrap().lints, rendered.lints);
    let plain = Grid::from_rows(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    assert!(render(&Figure::default(), &[plain]).unwrap().lints.0.is_empty());
}
