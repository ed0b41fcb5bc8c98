//! A body as a small lossless image within the file.

use crate::png::{Effort, Texts, encode};
use crate::vector::VectorError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gridscope_core::image::Image;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};
use std::collections::HashMap;

/// An image that an `href` can hold.
pub(super) fn data_uri(image: &Image) -> Result<String, VectorError> {
    let bytes = match palette(image) {
        Some((colors, places)) => indexed(image, &colors, &places),
        None => encode(image, 96.0, Effort::Small, Texts::default()),
    };
    let bytes = bytes.map_err(|e| VectorError::encode(e.to_string()))?;
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(bytes)))
}

/// The colours of an image, and of each pixel its colour's place; `None` for more than 256 colours. A heatmap has as many
/// colours as its map, so a byte a pixel nearly always does.
fn palette(image: &Image) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
    let (mut colors, mut known) = (Vec::new(), HashMap::new());
    let mut last = None;
    let mut places = Vec::with_capacity(image.pixels.len() / 4);
    for p in image.pixels.chunks_exact(4) {
        let color = [p[0], p[1], p[2], p[3]];
        if let Some((_, place)) = last.filter(|(c, _)| *c == color) {
            places.push(place);
            continue;
        }
        let place = match known.get(&color) {
            Some(&place) => place,
            None => {
                let place = u8::try_from(colors.len()).ok()?;
                colors.push(color);
                known.insert(color, place);
                place
            }
        };
        last = Some((color, place));
        places.push(place);
    }
    Some((colors, places))
}

fn indexed(image: &Image, colors: &[[u8; 4]], places: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(colors.iter().flat_map(|c| [c[0], c[1], c[2]]).collect::<Vec<u8>>());
    if colors.iter().any(|c| c[3] != 255) {
        encoder.set_trns(colors.iter().map(|c| c[3]).collect::<Vec<u8>>());
    }
    encoder.set_deflate_compression(DeflateCompression::Level(6));
    // Differences of places in a palette mean nothing, but rows repeat.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(places)?;
    writer.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::color::Color;

    fn decoded(image: &Image) -> (ColorType, Vec<u8>) {
        let uri = data_uri(image).unwrap();
        let bytes = STANDARD.decode(uri.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let kind = decoder.read_header_info().unwrap().color_type;
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        (kind, pixels)
    }

    #[test]
    fn few_colours_take_a_byte_and_many_come_back_too() {
        let mut image = Image::filled(40, 30, Color::rgb(1, 2, 3));
        image.pixels[4..8].copy_from_slice(&[9, 8, 7, 0]);
        assert_eq!(decoded(&image), (ColorType::Indexed, image.pixels.clone()));
        for (i, p) in image.pixels.chunks_exact_mut(4).enumerate() {
            p.copy_from_slice(&[(i / 4) as u8, (i % 7) as u8, 5, 255]);
        }
        assert_eq!(decoded(&image), (ColorType::Rgb, image.pixels.clone()));
    }
}
