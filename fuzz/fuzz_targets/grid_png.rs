//! A grid of any values and a figure of many options to a PNG: it is drawn whole, or refused.
#![no_main]

use gridscope::Fonts;
use gridscope::Image;
use gridscope::figure::Figure;
use gridscope::grid::{Grid, State};
use gridscope_draw::png::{Effort, Texts, encode};
use gridscope_draw::raster::draw;
use gridscope_draw::render::prepare;
use gridscope_core::timing::Phases;
use gridscope_fuzz::abort_on_panic;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local!(static FONTS: RefCell<Fonts> = RefCell::new(Fonts::new()));

/// The figure that some bytes choose.
fn figure(bytes: &[u8; 12]) -> Figure {
    let pick = |i: usize, of: &[&str]| of[usize::from(bytes[i]) % of.len()].to_owned();
    let number = |i: usize| (bytes[i] & 1 != 0).then(|| f64::from(i8::from_ne_bytes([bytes[i]])) / 7.0);
    let mut f = Figure::default();
    let maps = ["viridis", "RdBu_r", "#000,#fff", "tab10", "twilight", "no map"];
    f.color.cmap = pick(0, &maps).parse().ok();
    let norms = [
        "linear",
        "log",
        "symlog:1",
        "power:0.5",
        "twoslope",
        "centered",
        "bounds:0,1,2",
        "quantile",
    ];
    f.color.norm = pick(1, &norms).parse().ok();
    (f.color.vmin, f.color.vmax, f.color.center) = (number(2), number(3), number(4));
    f.color.robust = Some(bytes[5] & 1 != 0);
    let shows = ["auto", "on", "off", "{value:.2f}", "{row}/{col}", "{"];
    f.annotations.show = pick(6, &shows).parse().ok();
    let formats = [".1f", ".3g", "d", "%", "+08.2e"];
    f.annotations.fmt = pick(6, &formats).parse().ok().filter(|_| bytes[6] & 64 != 0);
    f.reduce.by = serde_json::from_str(&pick(7, &["null", "\"mean\"", "\"min\"", "\"max\"", "\"count\""]))
        .unwrap_or_default();
    f.size.width = serde_json::from_str(&pick(8, &["null", "\"120px\"", "\"60px\"", "\"9cm\"", "\"1px\""]))
        .unwrap_or_default();
    f.size.height =
        serde_json::from_str(&pick(9, &["null", "\"90px\"", "\"2in\"", "\"40px\""])).unwrap_or_default();
    f.size.dpi = Some(60.0);
    f.x.spacing = serde_json::from_str(&pick(10, &["null", "\"true\"", "\"equal\""])).unwrap_or_default();
    let parts = ["0:1", "0.5:2.25", "1:0", "-1:9", ":"];
    f.view.x = pick(11, &parts).parse().ok().filter(|_| bytes[11] & 1 != 0);
    let places = ["max", "min", "0,0", "9,9"];
    f.view.around = pick(11, &places).parse().ok().filter(|_| bytes[11] & 2 != 0);
    f
}

fuzz_target!(init: abort_on_panic(), |data: &[u8]| {
    let Some((choices, rest)) = data.split_first_chunk::<12>() else { return };
    let Some((&[width, form], rest)) = rest.split_first_chunk::<2>() else { return };
    let values: Vec<f64> = if form & 1 == 0 {
        rest.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
    } else {
        rest.iter().map(|b| f64::from(*b) - 100.0).collect()
    };
    let width = usize::from(width).clamp(1, 200);
    let height = (values.len() / width).min(200);
    let Ok(mut grid) = Grid::from_rows(height, width, values[..width * height].to_vec()) else { return };
    for (i, state) in [State::Absent, State::Masked, State::Pending].into_iter().enumerate() {
        if form >> (i + 1) & 1 != 0 && i < height {
            grid.set_state(i, i % width, state);
        }
    }
    let (figure, grids) = (figure(choices), [grid]);
    FONTS.with_borrow_mut(|fonts| {
        let Ok(prepared) = prepare(&figure, &grids, fonts, &mut Phases::new()) else { return };
        let image: Image = draw(&prepared.scene, &grids, fonts);
        assert_eq!((image.width, image.height), (prepared.scene.size.w, prepared.scene.size.h));
        let png = encode(&image, 60.0, Effort::Auto, Texts::default()).expect("an image can be encoded");
        assert!(png.starts_with(b"\x89PNG"));
    });
});
