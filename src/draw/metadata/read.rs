//! The description back out of a picture's bytes, which anybody may have written.

use super::escapes::{literal, unescaped};
use super::{LONGEST, MetadataError};
use crate::png;
use serde_json::Value;

/// The formats that hold a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// A text chunk before the pixels.
    Png,
    /// A `metadata` element near the top.
    Svg,
    /// `Keywords` of the document's information, near the end.
    Pdf,
}

/// How far into a file its `<svg` may begin.
const SVG_WITHIN: usize = 64 << 10;
/// How far behind that its `metadata` may begin.
const METADATA_WITHIN: usize = 1 << 20;
/// Before the description in a PDF's keywords.
const PREFIX: &[u8] = b"(gridscope:";
/// A title may contain keywords, too: this many places are looked at.
const MOST_PLACES: usize = 16;

impl PictureFormat {
    /// The format of a picture by its first bytes, of which 64 KiB are enough; `None` for anything else.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Some(Self::Png);
        }
        if bytes.starts_with(b"%PDF-") {
            return Some(Self::Pdf);
        }
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let xml = start.starts_with(b"<?xml") || start.starts_with(b"<svg");
        (xml && svg_start(bytes).is_some()).then_some(Self::Svg)
    }

    /// Name of such a file, with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "a PNG image",
            Self::Svg => "an SVG image",
            Self::Pdf => "a PDF document",
        }
    }
}

/// The description that a PNG, SVG or PDF holds; `None` where it holds none, or where the bytes are something else.
///
/// # Errors
/// Faults of the picture or its description.
pub fn read(bytes: &[u8]) -> Result<Option<Value>, MetadataError> {
    PictureFormat::of(bytes).map_or(Ok(None), |format| read_as(format, bytes))
}

/// As [`read`], of a part of a picture: the first bytes of a PNG or SVG, the last ones of a PDF.
///
/// # Errors
/// As [`read`].
pub fn read_as(format: PictureFormat, bytes: &[u8]) -> Result<Option<Value>, MetadataError> {
    match format {
        PictureFormat::Png => png::description(bytes, LONGEST)
            .map_err(|e| MetadataError::Picture(e.to_string()))?
            .map(|t| checked(&t))
            .transpose(),
        PictureFormat::Svg => svg_text(bytes)?.map(|t| checked(&t)).transpose(),
        PictureFormat::Pdf => pdf(bytes),
    }
}

/// A description has a version and a figure.
fn checked(text: &str) -> Result<Value, MetadataError> {
    let value: Value = serde_json::from_str(text).map_err(|e| MetadataError::NotJson(e.to_string()))?;
    if value["gridscope"].is_string() && value["figure"].is_object() {
        return Ok(value);
    }
    Err(MetadataError::NoFigure)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what)
}

fn svg_start(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(SVG_WITHIN)];
    let mut from = 0;
    while let Some(at) = find(&head[from..], b"<svg") {
        from += at + 4;
        if head.get(from).is_none_or(|c| c.is_ascii_whitespace() || matches!(c, b'>' | b'/')) {
            return Some(from);
        }
    }
    None
}

fn svg_text(bytes: &[u8]) -> Result<Option<String>, MetadataError> {
    let (open, close) = (&b"<metadata id=\"gridscope\">"[..], &b"</metadata>"[..]);
    let Some(start) = svg_start(bytes) else {
        return Ok(None);
    };
    let near = &bytes[start..bytes.len().min(start + METADATA_WITHIN)];
    let Some(at) = find(near, open) else {
        return Ok(None);
    };
    let rest = &bytes[start + at + open.len()..];
    let end = find(rest, close).ok_or(MetadataError::NoEnd)?;
    let text = std::str::from_utf8(&rest[..end]).map_err(|_| MetadataError::NotUtf8)?;
    unescaped(text.trim()).map(Some)
}

/// The last of the keywords that is a description: what an editor appends comes after what was there.
fn pdf(bytes: &[u8]) -> Result<Option<Value>, MetadataError> {
    let (mut end, mut fault) = (bytes.len(), None);
    for _ in 0..MOST_PLACES {
        let Some(at) = bytes[..end].windows(PREFIX.len()).rposition(|w| w == PREFIX) else {
            break;
        };
        end = at;
        if !bytes[..at].trim_ascii_end().ends_with(b"/Keywords") {
            continue;
        }
        match literal(&bytes[at + PREFIX.len()..]).and_then(|t| checked(&t)) {
            Ok(value) => return Ok(Some(value)),
            Err(e) => fault = fault.or(Some(e)),
        }
    }
    fault.map_or(Ok(None), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::color::Color;
    use gridscope_core::image::Image;
    use serde_json::json;

    const TEXT: &str = r#"{"gridscope":"0.1.0","figure":{"title":"a<b>&\"c\" (d) \\ \u00e4"}}"#;

    fn value() -> Value {
        serde_json::from_str(TEXT).unwrap()
    }

    fn svg(text: &str) -> Vec<u8> {
        format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- <svgx> -->\n<svg xmlns=\"x\">\n<title>t</title><metadata id=\"gridscope\">{text}</metadata></svg>")
            .into_bytes()
    }

    fn pdf_of(keywords: &str) -> Vec<u8> {
        format!("%PDF-1.7\n1 0 obj\n<</Title (x)/Keywords {keywords}/Producer (y)>>\nendobj\n").into_bytes()
    }

    fn png_of(text: &str) -> Vec<u8> {
        let texts = png::Texts { title: None, alt: None, description: Some(text) };
        png::encode(&Image::filled(2, 2, Color::WHITE), 96.0, png::Effort::Auto, texts).unwrap()
    }

    #[test]
    fn formats_are_recognised_by_content() {
        assert_eq!(PictureFormat::of(&png_of("")), Some(PictureFormat::Png));
        assert_eq!(
            (PictureFormat::of(&svg("")), PictureFormat::of(b" <svg/>")),
            (Some(PictureFormat::Svg), Some(PictureFormat::Svg))
        );
        assert_eq!(PictureFormat::of(&pdf_of("")), Some(PictureFormat::Pdf));
        for other in [
            &b""[..],
            b"x,y\n<svg>,1\n",
            b"<?xml version=\"1.0\"?><html/>",
            b"<svgx>",
            b"\xff\xd8\xff",
            b"\x89PNG",
        ] {
            assert_eq!((PictureFormat::of(other), read(other)), (None, Ok(None)));
        }
    }

    #[test]
    fn every_format_gives_it_back() {
        assert_eq!(read(&png_of(TEXT)), Ok(Some(value())));
        let escaped =
            TEXT.replace('&', "&amp;").replace('<', "&#60;").replace('>', "&#x3E;").replace('"', "&quot;");
        assert_eq!(read(&svg(&escaped)), Ok(Some(value())));
        let plain = TEXT.replace('\\', "\\\\");
        let octal = TEXT.replace('\\', "\\134").replace('(', "\\(").replace(')', "\\51");
        let folded = plain.replace("title", "ti\\\r\ntl\\\ne");
        for text in [&plain, &octal, &folded] {
            assert_eq!(read(&pdf_of(&format!("(gridscope:{text})"))), Ok(Some(value())), "{text}");
            assert_eq!(
                read(&[&pdf_of(&format!("\n(gridscope:{text})"))[..], b"/Keywords (mine)"].concat()),
                Ok(Some(value()))
            );
        }
    }

    #[test]
    fn pictures_of_others_have_none() {
        let bare =
            png::encode(&Image::filled(2, 2, Color::WHITE), 96.0, png::Effort::Auto, png::Texts::default())
                .unwrap();
        let far = [b"<svg>", &vec![b' '; METADATA_WITHIN][..], &svg(TEXT)[..]].concat();
        let subject = pdf_of("").iter().chain(b"/Subject (gridscope:{})").copied().collect::<Vec<u8>>();
        for none in [bare, b"<svg></svg>".to_vec(), far, pdf_of("(other)"), subject] {
            assert_eq!(read(&none), Ok(None));
        }
    }

    #[test]
    fn the_last_whole_one_of_a_pdf_counts() {
        let later = TEXT.replace("0.1.0", "0.2.0").replace('\\', "\\\\");
        let two = [pdf_of(&format!("(gridscope:{later})")), pdf_of("(gridscope:{})")].concat();
        assert_eq!(read(&two).unwrap().unwrap()["gridscope"], "0.2.0");
        // A title may hold what looks like one.
        let title = json!({"gridscope": "0.1.0", "figure": {"title": "/Keywords (gridscope:{})"}});
        assert_eq!(read(&pdf_of(&format!("(gridscope:{title})"))), Ok(Some(title)));
        let many = pdf_of(&"/Keywords (gridscope:{}) ".repeat(100_000));
        assert!(read(&many).is_err());
    }

    #[test]
    fn garbage_is_an_error() {
        let deep = format!(
            "{{\"gridscope\":\"0\",\"figure\":{{\"a\":{}{}}}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        let long = format!("{{\"gridscope\":\"{}\",\"figure\":{{}}}}", "x".repeat(LONGEST));
        for text in [
            "",
            "{",
            "{}",
            "[]",
            "{\"gridscope\":1,\"figure\":{}}",
            "{\"gridscope\":\"0\",\"figure\":[]}",
            &deep,
            &long,
        ] {
            assert!(read(&png_of(text)).is_err(), "{text:.40}");
            assert!(read(&svg(text)).is_err(), "{text:.40}");
            assert!(read(&pdf_of(&format!("(gridscope:{text})"))).is_err(), "{text:.40}");
        }
        let whole = svg(TEXT);
        assert!(read(&whole[..whole.len() - 10]).is_err() && read(&svg("&lone")).is_err());
        assert!(read(b"%PDF-1.7 <</Keywords (gridscope:{").is_err());
    }
}
