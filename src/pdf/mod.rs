//! PDF: a scene on one page, through krilla; texts are text in embedded parts of fonts, everything else is paths and images.

mod bitmap;
mod embed;
mod sheet;

use crate::geom::PxSize;
use crate::grid::Grid;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::vector::{Page, VectorError, draw};
use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use sheet::Sheet;

/// A side of a PDF's page ends here, in points.
const LONGEST_SIDE: f64 = 14_400.0;

/// Points an inch.
const POINTS: f64 = 72.0;

/// A scene as a PDF of one page, `72 / dpi` points for each pixel; `grids` are those that its cells name. The same scene
/// gives the same bytes.
///
/// # Errors
/// When the page is larger than a PDF's may be, cells cannot be what `page` asks for, or a font cannot be embedded.
pub fn pdf(scene: &Scene, grids: &[Grid], fonts: &mut Fonts, page: &Page) -> Result<Vec<u8>, VectorError> {
    let scale = POINTS / page.dpi;
    let sides = sides(scene.size, scale)?;
    // LaTeX takes files up to this version without a warning.
    let version = ConfigurationBuilder::new().with_version(PdfVersion::Pdf15).finish();
    let settings = SerializeSettings {
        configuration: version.map_err(|e| VectorError::Encode(format!("{e:?}")))?,
        // What it says stands in the information dictionary already.
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
    document.finish().map_err(|e| VectorError::Encode(format!("no PDF of this figure: {e}")))
}

fn sides(size: PxSize, scale: f64) -> Result<PageSettings, VectorError> {
    let (w, h) = (f64::from(size.w) * scale, f64::from(size.h) * scale);
    let fits = |side: f64| side > 0.0 && side <= LONGEST_SIDE;
    let settings = if fits(w) && fits(h) { PageSettings::from_wh(w as f32, h as f32) } else { None };
    settings.ok_or_else(|| {
        let what = format!("a page of {w:.0} x {h:.0} points; a PDF's sides end at {LONGEST_SIDE}: a higher --dpi or a smaller --width");
        VectorError::Size(what)
    })
}

/// Nothing is said of a figure that nothing is to be said of.
fn described(page: &Page) -> Option<Metadata> {
    if page.title.is_none() && page.metadata.is_none() {
        return None;
    }
    let mut out = Metadata::new();
    if let Some(title) = &page.title {
        out = out.title(title.clone());
    }
    if let Some(json) = &page.metadata {
        let maker = concat!("gridscope ", env!("CARGO_PKG_VERSION")).to_owned();
        out = out.creator(maker.clone()).producer(maker).keywords(vec![format!("gridscope:{}", printable(json))]);
    }
    Some(out)
}

/// JSON in the characters that a PDF keeps readable.
fn printable(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            ' '..='~' => out.push(c),
            // They stand between JSON's tokens only.
            '\n' | '\r' | '\t' => out.push(' '),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}
