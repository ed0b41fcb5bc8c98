//! PDF: a scene on one page, through krilla; texts are text in embedded parts of fonts, everything else is paths and images.

mod embed;
mod sheet;

use crate::scene::Scene;
use crate::vector::{Page, VectorError, draw};
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::text::Fonts;
use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use sheet::Sheet;

/// A side of a PDF's page ends here, in points.
const LONGEST_SIDE: f64 = 14_400.0;

/// And begins here: viewers refuse less.
const SHORTEST_SIDE: f64 = 3.0;

/// Points an inch.
const POINTS: f64 = 72.0;

/// A scene as a PDF of one page, `72 / dpi` points for each pixel; `grids` are those that its cells name. The same scene
/// gives the same bytes.
///
/// # Errors
/// When the page is larger than a PDF's may be, cells cannot be what `page` asks for, or a font cannot be embedded.
///
/// # Panics
/// As [`crate::raster::draw`].
pub fn pdf(scene: &Scene, grids: &[Grid], fonts: &mut Fonts, page: &Page) -> Result<Vec<u8>, VectorError> {
    let scale = POINTS / page.dpi;
    let sides = sides(scene.size, scale)?;
    // LaTeX takes files up to this version without a warning.
    let version = ConfigurationBuilder::new().with_version(PdfVersion::Pdf15).finish();
    let settings = SerializeSettings {
        configuration: version.map_err(|e| VectorError::encode(format!("{e:?}")))?,
        // The information dictionary has the same entries.
        xmp_metadata: false,
        enable_tagging: false,
        ..SerializeSettings::default()
    };
    let mut document = Document::new_with(settings);
    if let Some(metadata) = described(page) {
        document.set_metadata(metadata);
    }
    let mut leaf = document.start_page_with(sides);
    let mut surface = leaf.surface();
    let mut sheet = Sheet::new(&mut surface, fonts, scale, page.text);
    let drawn = draw(scene, grids, page.cells, &mut sheet).and_then(|()| sheet.refused());
    surface.finish();
    leaf.finish();
    drawn?;
    document.finish().map_err(|e| VectorError::encode(format!("no PDF of this figure: {e}")))
}

fn sides(size: PxSize, scale: f64) -> Result<PageSettings, VectorError> {
    let (w, h) = (f64::from(size.w) * scale, f64::from(size.h) * scale);
    let fits = |side: f64| (SHORTEST_SIDE..=LONGEST_SIDE).contains(&side);
    let settings = if fits(w) && fits(h) { PageSettings::from_wh(w as f32, h as f32) } else { None };
    settings.ok_or_else(|| {
        let what =
            format!("a page of {w:.0} x {h:.0} points; a PDF's sides are {SHORTEST_SIDE} to {LONGEST_SIDE}");
        VectorError::size(what).with_hint("another --dpi or --width")
    })
}

/// The document's metadata; none for a page without a title and a description.
fn described(page: &Page) -> Option<Metadata> {
    if page.title.is_none() && page.alt.is_none() && page.metadata.is_none() {
        return None;
    }
    let mut out = Metadata::new();
    if let Some(title) = &page.title {
        out = out.title(title.clone());
    }
    if let Some(alt) = &page.alt {
        out = out.description(alt.clone());
    }
    if let Some(json) = &page.metadata {
        let maker = concat!("gridscope ", env!("CARGO_PKG_VERSION")).to_owned();
        out = out
            .creator(maker.clone())
            .producer(maker)
            .keywords(vec![format!("gridscope:{}", printable(json))]);
    }
    Some(out)
}

/// JSON in the characters that a PDF keeps readable.
fn printable(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            ' '..='~' => out.push(c),
            // They are between JSON's tokens only.
            '\n' | '\r' | '\t' => out.push(' '),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::prepare;
    use crate::scene::Item;
    use crate::vector::{Canvas, CellsAs, TextAs, VectorErrorKind};
    use gridscope_core::color::Color;
    use gridscope_core::figure::Figure;
    use gridscope_core::geom::{Point, PxRect, Rect};
    use gridscope_core::image::Image;
    use gridscope_core::timing::Phases;

    fn page() -> Page {
        Page {
            dpi: 200.0,
            title: Some("T\u{e4}".to_owned()),
            metadata: Some("{\"a\":\"(\\\\\u{e9}\u{7f}\"}".to_owned()),
            ..Page::default()
        }
    }

    fn scene(items: Vec<Item>) -> Scene {
        Scene::new(PxSize { w: 660, h: 300 }, Some(Color::WHITE), items)
    }

    fn text(text: &str, font_size: f64) -> Item {
        Item::Text {
            text: text.to_owned(),
            font_size,
            at: Point { x: 9.0, y: 40.0 },
            degrees: 0,
            color: Color::BLACK,
        }
    }

    fn has(bytes: &[u8], what: &str) -> bool {
        bytes.windows(what.len()).any(|w| w == what.as_bytes())
    }

    fn made(items: Vec<Item>, page: &Page) -> Vec<u8> {
        pdf(&scene(items), &[], &mut Fonts::new(), page).unwrap()
    }

    /// A figure of 30 x 20 cells, one of them with a state; drawn with an image for its body.
    fn imaged() -> (Vec<PxRect>, Vec<u8>) {
        let mut grid = Grid::from_rows(20, 30, (0..600).map(f64::from).collect()).unwrap();
        grid.set_state(3, 4, gridscope_core::grid::State::Absent);
        let mut figure = Figure::default();
        figure.size.width = Some("660px".parse().unwrap());
        figure.size.height = Some("500px".parse().unwrap());
        let (grids, mut fonts) = ([grid], Fonts::new());
        let scene = prepare(&figure, &grids, &mut fonts, &mut Phases::new()).unwrap().scene;
        let bodies = scene
            .items
            .iter()
            .filter_map(|i| if let Item::Cells(c) = i { Some(c.body) } else { None })
            .collect();
        (bodies, pdf(&scene, &grids, &mut fonts, &Page { cells: CellsAs::Image, ..page() }).unwrap())
    }

    #[test]
    fn a_page_is_as_large_as_the_figure() {
        let bytes = made(Vec::new(), &page());
        assert!(bytes.starts_with(b"%PDF-1.5") && has(&bytes, "/MediaBox[0 0 237.6 108]"));
        for (w, h, dpi) in [
            (0, 5, 200.0),
            (5, 0, 200.0),
            (40_100, 5, 200.0),
            (5, 40_100, 200.0),
            (5, 5, f64::NAN),
            (5, 5, 0.0),
            (5, 5, -1.0),
        ] {
            let scene = Scene { size: PxSize { w, h }, ..scene(Vec::new()) };
            let said = pdf(&scene, &[], &mut Fonts::new(), &Page { dpi, ..page() });
            assert!(
                matches!(&said, Err(e) if e.kind == VectorErrorKind::Size && e.hint.is_some()),
                "{w} x {h} at {dpi}: {said:?}"
            );
        }
    }

    #[test]
    fn fonts_are_embedded_and_words_of_a_reader_stand_open() {
        let bytes = made(vec![text("Window", 22.0)], &page());
        assert!(
            has(&bytes, "/FontFile2")
                && has(&bytes, "/CIDFontType2")
                && has(&bytes, "+DejaVuSans")
                && !has(&bytes, "/Type3")
        );
        assert!(bytes.len() < 20_000, "{}", bytes.len());
        assert!(
            has(&bytes, r#"/Keywords(gridscope:{"a":"\(\\\\\\u00e9\\u007f"})"#),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
        assert!(
            has(&bytes, concat!("/Producer(gridscope ", env!("CARGO_PKG_VERSION"), ")"))
                && !has(&bytes, "Date")
        );
        assert_eq!(bytes, made(vec![text("Window", 22.0)], &page()));
    }

    #[test]
    fn nothing_is_said_unless_asked_for() {
        let bytes = made(vec![text("Window", 22.0)], &Page { dpi: 200.0, ..Page::default() });
        assert!(
            !has(&bytes, "/Producer")
                && !has(&bytes, "/Creator")
                && !has(&bytes, "/Info")
                && !has(&bytes, "gridscope")
        );
    }

    #[test]
    fn paths_need_no_font() {
        let bytes = made(vec![text("Window \u{4e2d}", 22.0)], &Page { text: TextAs::Paths, ..page() });
        assert!(!has(&bytes, "/Font"), "{}", String::from_utf8_lossy(&bytes));
        assert!(bytes.len() > made(Vec::new(), &page()).len() + 500);
    }

    #[test]
    fn a_body_is_an_image_of_its_own_pixels() {
        let (bodies, bytes) = imaged();
        assert!(bodies.iter().all(|b| has(&bytes, &format!("/Width {}/Height {}", b.w, b.h))));
        assert!(!has(&bytes, "/SMask") && !has(&bytes, "/Interpolate"));
        // The panel's, and the sample in the key of states.
        assert_eq!((bodies.len(), bytes.windows(14).filter(|w| w == b"/Subtype/Image").count()), (2, 2));
    }

    #[test]
    fn what_shines_through_an_image_is_kept() {
        let drawn = |color: Color| {
            let mut document = Document::new();
            let mut leaf = document.start_page();
            let mut surface = leaf.surface();
            let mut fonts = Fonts::new();
            let mut sheet = Sheet::new(&mut surface, &mut fonts, 0.36, TextAs::Text);
            sheet.image(&PxRect { x: 3, y: 4, w: 5, h: 6 }, &Image::filled(5, 6, color)).unwrap();
            surface.finish();
            leaf.finish();
            document.finish().unwrap()
        };
        assert!(
            has(&drawn(Color::rgba_of(9, 8, 7, 6)), "/SMask") && !has(&drawn(Color::rgb(9, 8, 7)), "/SMask")
        );
    }

    #[test]
    fn no_scene_is_too_odd() {
        let rect = |x: f64, y: f64, w: f64, h: f64| Item::Rect {
            rect: Rect { x, y, w, h },
            color: Color::rgba_of(1, 2, 3, 128),
        };
        let far = Point { x: f64::MAX, y: -f64::MAX };
        let mut items = vec![
            rect(1.0, 1.0, 0.0, 5.0),
            rect(0.0, 0.0, 0.0, 0.0),
            rect(-1e300, 2.0, 1e300, 1e300),
            rect(1e300, 1e300, 1.0, 1.0),
        ];
        items.push(Item::Line { from: far, to: Point::default(), width: 2.0, color: Color::BLACK });
        items.push(Item::Line { from: far, to: far, width: 0.0, color: Color::CLEAR });
        items.push(Item::Polygon { points: Vec::new(), color: Color::BLACK });
        items.push(Item::Polygon { points: vec![far], color: Color::BLACK });
        items.push(Item::Text {
            text: "far".to_owned(),
            font_size: 1e300,
            at: far,
            degrees: 45,
            color: Color::BLACK,
        });
        for size in [0.0, -1.0, f64::NAN] {
            items.push(text("x", size));
        }
        let long = "a long label ".repeat(8_000);
        let odd = [
            "",
            " ",
            "\0a\0",
            "\u{1}\n\r\t\u{85}",
            "\u{202e}abc\u{2066}",
            "\u{1f600}\u{1f468}\u{200d}\u{1f469}",
            "e\u{301}\u{302}\u{303}",
            &long,
        ];
        items.extend(odd.iter().map(|t| text(t, 20.0)));
        for text in [TextAs::Text, TextAs::Paths] {
            let bytes = made(items.clone(), &Page { text, ..page() });
            assert!(bytes.starts_with(b"%PDF") && !has(&bytes, "NaN") && !has(&bytes, "inf"));
        }
    }
}
