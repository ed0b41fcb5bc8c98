//! Images to PNG bytes: deterministic, no dates, resolution written in; and the texts that a PNG holds.

use gridscope_core::image::Image;
use png::{
    BitDepth, ColorType, Decoder, DecodingError, DeflateCompression, Encoder, EncodingError, Filter, Limits,
    PixelDimensions, Unit,
};
use std::io::{Cursor, Write};

/// How much work goes into few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Some for small pictures that repeat themselves, little for others.
    #[default]
    Auto,
    /// As little as possible.
    Fast,
    /// Much: several times slower, a fifth to a third fewer bytes.
    Small,
}

/// Up to this many pixels, a third of the bytes is worth two milliseconds; beyond, speed wins.
const SMALL: u64 = 4 << 20;
/// A picture is noisy, and hardly gets smaller by effort, where more than one pixel in this many differs from the one above.
const NOISY: usize = 5;
/// Pairs of rows compared to find out.
const PROBES: usize = 64;
/// Bytes that the compressor takes at once.
const CHUNK: usize = 1 << 16;

/// The texts of a picture; none unless given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texts<'a> {
    /// Its title.
    pub title: Option<&'a str>,
    /// What it shows.
    pub alt: Option<&'a str>,
    /// Its description, read back by [`description`]; the program's version is written beside it.
    pub description: Option<&'a str>,
}

/// The keyword of the description.
const KEYWORD: &str = "gridscope";
/// Bytes that reading a head may allocate; the texts of a picture of ours take a small part of it.
const MOST_HEAD: usize = 24 << 20;

/// A picture's size, its resolution, whether it has alpha, and its texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head<'a> {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Written as pixels a metre.
    pub dpi: f64,
    /// Every pixel covers the canvas: alpha is left out.
    pub opaque: bool,
    /// Its texts.
    pub texts: Texts<'a>,
}

/// The PNG of a picture with its texts; `dpi` is written as pixels a metre.
///
/// # Errors
/// When the picture has no pixels or more than PNG can name.
pub fn encode(image: &Image, dpi: f64, effort: Effort, texts: Texts<'_>) -> Result<Vec<u8>, EncodingError> {
    // Without a way out of the loop it runs on whole vectors.
    let opaque = image.pixels.chunks_exact(4).fold(255, |a, p| a & p[3]) == 255;
    let head = Head { width: image.width, height: image.height, dpi, opaque, texts };
    let pixels = u64::from(image.width) * u64::from(image.height);
    let effort =
        if effort == Effort::Auto && (pixels > SMALL || noisy(image)) { Effort::Fast } else { effort };
    let mut out = Vec::with_capacity(image.pixels.len() / 16 + 4096);
    encode_rows::<EncodingError>(&mut out, head, effort, |push| push(&image.pixels))?;
    Ok(out)
}

/// Takes whole rows of R, G, B, A.
pub type Push<'a, E> = dyn FnMut(&[u8]) -> Result<(), E> + 'a;

/// A PNG whose `rows` come from the top, some at a time. [`Effort::Auto`] is some effort here.
///
/// # Errors
/// When the picture has no pixels or more than PNG can name, when rows are missing or the bytes cannot be written, and
/// the error of `rows`.
pub fn encode_rows<E: From<EncodingError>>(
    out: &mut dyn Write,
    head: Head<'_>,
    effort: Effort,
    rows: impl FnOnce(&mut Push<'_, E>) -> Result<(), E>,
) -> Result<(), E> {
    let mut encoder = Encoder::new(out, head.width, head.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(match effort {
        Effort::Fast => DeflateCompression::FdeflateUltraFast,
        Effort::Auto => DeflateCompression::Level(1),
        Effort::Small => DeflateCompression::Level(6),
    });
    // Rows of a heatmap repeat the row above; trying the other filters on each row costs more than all the rest.
    encoder.set_filter(if effort == Effort::Small { Filter::Adaptive } else { Filter::Up });
    encoder.set_color(if head.opaque { ColorType::Rgb } else { ColorType::Rgba });
    let per_metre = (head.dpi / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    if let Some(description) = head.texts.description {
        encoder.add_text_chunk("Software".to_owned(), format!("gridscope {}", env!("CARGO_PKG_VERSION")))?;
        encoder.add_itxt_chunk(KEYWORD.to_owned(), description.to_owned())?;
    }
    if let Some(title) = head.texts.title {
        encoder.add_itxt_chunk("Title".to_owned(), title.to_owned())?;
    }
    if let Some(alt) = head.texts.alt {
        encoder.add_itxt_chunk("Description".to_owned(), alt.to_owned())?;
    }
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer_with_size(CHUNK)?;
    let mut row = vec![0; head.width as usize * 3];
    rows(&mut |pixels: &[u8]| {
        if !head.opaque {
            return Ok(stream.write_all(pixels).map_err(EncodingError::from)?);
        }
        for line in pixels.chunks_exact(head.width as usize * 4) {
            for (to, from) in row.chunks_exact_mut(3).zip(line.chunks_exact(4)) {
                to.copy_from_slice(&from[..3]);
            }
            stream.write_all(&row).map_err(EncodingError::from)?;
        }
        Ok(())
    })?;
    stream.finish()?;
    writer.finish()?;
    Ok(())
}

/// The description in the head of a PNG, whose pixels may be missing; at most `most` bytes of text.
///
/// # Errors
/// Faults of the head.
pub fn description(bytes: &[u8], most: usize) -> Result<Option<String>, DecodingError> {
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_HEAD });
    let reader = decoder.read_info()?;
    let Some(text) = reader.info().utf8_text.iter().find(|t| t.keyword == KEYWORD) else {
        return Ok(None);
    };
    let mut text = text.clone();
    text.decompress_text_with_limit(most)?;
    let text = text.get_text()?;
    if text.len() > most { Err(DecodingError::LimitsExceeded) } else { Ok(Some(text)) }
}

fn noisy(image: &Image) -> bool {
    let stride = image.width as usize * 4;
    let rows = image.height as usize;
    if rows < 2 {
        return false;
    }
    let probes = PROBES.min(rows - 1);
    let differs = |k: usize| {
        let at = k * (rows - 1) / probes * stride;
        let (above, below) = (&image.pixels[at..at + stride], &image.pixels[at + stride..at + 2 * stride]);
        above.chunks_exact(4).zip(below.chunks_exact(4)).filter(|(a, b)| a != b).count()
    };
    (0..probes).map(differs).sum::<usize>() * NOISY > probes * image.width as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::color::Color;

    fn decode(bytes: &[u8]) -> (png::Info<'static>, Vec<u8>) {
        let mut r = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buf = vec![0; r.output_buffer_size().unwrap()];
        r.next_frame(&mut buf).unwrap();
        (r.info().clone(), buf)
    }

    #[test]
    fn pixels_and_resolution_come_back() {
        let mut image = Image::filled(3, 2, Color::rgb(1, 2, 3));
        let (info, rgb) = decode(&encode(&image, 200.0, Effort::Auto, Texts::default()).unwrap());
        assert_eq!((info.color_type, rgb), (ColorType::Rgb, [1, 2, 3].repeat(6)));
        assert_eq!(info.pixel_dims.unwrap().xppu, 7874);
        image.pixels[3] = 0;
        let (info, rgba) = decode(&encode(&image, 96.0, Effort::Auto, Texts::default()).unwrap());
        assert_eq!((info.color_type, rgba), (ColorType::Rgba, image.pixels));
    }

    #[test]
    fn efforts_change_bytes_alone_and_noise_is_told() {
        let mut image = Image::filled(200, 100, Color::WHITE);
        assert!(!noisy(&image));
        for (i, p) in image.pixels.chunks_exact_mut(4).enumerate() {
            p[0] = (i.wrapping_mul(2_654_435_761) >> 13) as u8;
        }
        assert!(noisy(&image));
        let all = [Effort::Auto, Effort::Fast, Effort::Small]
            .map(|e| encode(&image, 96.0, e, Texts::default()).unwrap());
        assert!(all[0] == all[1] && all[1].len() > all[2].len());
        assert_eq!(decode(&all[1]).1, decode(&all[2]).1);
    }

    #[test]
    fn a_picture_in_strips_has_the_same_bytes() {
        let image = Image::filled(30, 20, Color::rgb(9, 8, 7));
        let texts = Texts { title: Some("T"), alt: None, description: Some("{}") };
        let whole = encode(&image, 96.0, Effort::Auto, texts).unwrap();
        let mut out = Vec::new();
        let head = Head { width: 30, height: 20, dpi: 96.0, opaque: true, texts };
        let strips =
            |push: &mut Push<'_, EncodingError>| image.pixels.chunks(30 * 4 * 7).try_for_each(&mut *push);
        encode_rows(&mut out, head, Effort::Auto, strips).unwrap();
        assert!(out == whole);
        assert!(encode_rows::<EncodingError>(&mut Vec::new(), head, Effort::Fast, |_| Ok(())).is_err());
    }

    #[test]
    fn texts_come_back_and_change_no_pixel() {
        let image = Image::filled(3, 2, Color::rgb(1, 2, 3));
        let plain = encode(&image, 200.0, Effort::Auto, Texts::default()).unwrap();
        let texts =
            Texts {
                title: Some("Größe ≥ 1"), alt: Some("Zwölf Zeilen"), description: Some("{\"a\":1}")
            };
        let described = encode(&image, 200.0, Effort::Auto, texts).unwrap();
        let (info, pixels) = decode(&described);
        assert_eq!(pixels, decode(&plain).1);
        assert_eq!(info.uncompressed_latin1_text[0].text, format!("gridscope {}", env!("CARGO_PKG_VERSION")));
        assert_eq!(
            info.utf8_text.iter().map(|t| t.get_text().unwrap()).collect::<Vec<_>>(),
            ["{\"a\":1}", "Größe ≥ 1", "Zwölf Zeilen"]
        );
        assert_eq!(description(&described, 7).unwrap().as_deref(), Some("{\"a\":1}"));
        assert!(description(&described, 6).is_err());
        assert_eq!(description(&plain, 7).unwrap(), None);
        assert!(!plain.windows(4).any(|w| [b"tEXt", b"iTXt", b"zTXt"].iter().any(|t| *t == w)));
    }

    #[test]
    fn every_cut_of_a_head_is_an_error_or_its_description() {
        let texts = Texts { title: None, alt: None, description: Some("{}") };
        let described = encode(&Image::filled(3, 2, Color::WHITE), 96.0, Effort::Auto, texts).unwrap();
        let data = described.windows(4).position(|w| w == b"IDAT").unwrap();
        for end in 0..described.len() {
            let read = description(&described[..end], 100);
            assert_eq!(read.is_ok(), end >= data + 4, "{end}");
        }
        for i in 0..described.len() {
            let mut damaged = described.clone();
            damaged[i] ^= 0x55;
            if let Ok(Some(text)) = description(&damaged, 100) {
                assert_eq!(text, "{}", "{i}");
            }
        }
    }

    #[test]
    fn a_compressed_text_is_read_within_its_limit() {
        let mut info = png::Info::with_size(1, 1);
        let mut text = png::text_metadata::ITXtChunk::new(KEYWORD, "a".repeat(1000));
        text.compress_text().unwrap();
        text.compressed = true;
        info.utf8_text.push(text);
        let mut bytes = Vec::new();
        let mut writer = Encoder::with_info(&mut bytes, info).unwrap().write_header().unwrap();
        writer.write_image_data(&[0]).unwrap();
        drop(writer);
        assert_eq!(description(&bytes, 1000).unwrap().map(|t| t.len()), Some(1000));
        assert!(description(&bytes, 999).is_err());
    }
}
