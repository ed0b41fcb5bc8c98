//! Pictures of held data, against those of the program's functions.

use super::*;
use gridscope_core::grid::Grid;
use gridscope_draw::metadata;
use gridscope_draw::rendered::{render, render_png, render_svg};
use gridscope_read::{Budget, Loaded};

fn held() -> Held {
    let values = (0..96).map(|i| f64::from(i / 12) * (f64::from(i % 12) * 0.5).sin()).collect();
    let loaded = Loaded { grids: vec![Grid::from_rows(8, 12, values).unwrap()], ..Loaded::default() };
    Held { loaded, files: Vec::new(), budget: Budget::usual() }
}

fn figure() -> Figure {
    Figure { title: Some("Waves".to_owned()), ..Figure::default() }
}

#[test]
fn pictures_are_those_of_the_library() {
    let (held, figure) = (held(), figure());
    let plain = DrawOptions { metadata: false, ..DrawOptions::default() };
    let of = |format, options| draw(&figure, &held, format, options).unwrap();
    let grids = &held.loaded.grids;
    assert_eq!(
        of(PictureAs::File(PictureFormat::Png), plain).bytes,
        render_png(&figure, grids).unwrap().picture
    );
    let pixels = of(PictureAs::Rgba, plain);
    let image = render(&figure, grids).unwrap().picture;
    assert_eq!((pixels.size.w, pixels.bytes), (image.width, image.pixels));
    let svg =
        String::from_utf8(of(PictureAs::File(PictureFormat::Svg), DrawOptions::default()).bytes).unwrap();
    assert!(
        svg.contains("<title>Waves</title>") && svg.len() > render_svg(&figure, grids).unwrap().picture.len()
    );
    let png = of(PictureAs::File(PictureFormat::Png), DrawOptions::default()).bytes;
    let said = metadata::read(&png).unwrap();
    assert!(format!("{said:?}").contains("Waves"));
    #[cfg(feature = "pdf")]
    assert!(of(PictureAs::File(PictureFormat::Pdf), plain).bytes.starts_with(b"%PDF"));
}

#[test]
fn cells_alone_are_drawn_of_one_panel() {
    let mut held = held();
    let options = DrawOptions { bare: true, ..DrawOptions::default() };
    let of = |held: &Held| draw(&figure(), held, PictureAs::Rgba, options);
    let picture = of(&held).unwrap();
    assert_eq!((picture.size.w, picture.size.h, picture.bytes.len()), (12, 8, 12 * 8 * 4));
    held.loaded.grids.push(held.loaded.grids[0].clone());
    assert_eq!(of(&held).unwrap_err().exit_code(), 2);
}

#[test]
fn pixels_that_do_not_fit_are_refused_before_they_are_drawn() {
    let mut figure = figure();
    figure.size.width = "60000px".parse().ok();
    figure.size.height = "60000px".parse().ok();
    let e = draw(&figure, &held(), PictureAs::Rgba, DrawOptions::default()).unwrap_err();
    assert_eq!(e.exit_code(), 7);
    figure = Figure::default();
    figure.panels.insert("other".to_owned(), gridscope_core::figure::PanelSpec::default());
    let e = draw(&figure, &held(), PictureAs::File(PictureFormat::Png), DrawOptions::default()).unwrap_err();
    assert_eq!(e.keys(), ["panels.other"]);
}
