//! Images to PNG bytes: deterministic, no dates, resolution written in.

use crate::image::Image;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter, PixelDimensions, Unit};
use std::io::Write;

/// Up to so many pixels a third of the bytes is worth two milliseconds; beyond, speed wins.
const SMALL: u64 = 4 << 20;
/// A picture is noisy, and hardly gets smaller by effort, where more than one pixel in so many differs from the one above.
const NOISY: usize = 5;
/// Pairs of rows looked at to tell.
const PROBES: usize = 64;

/// The PNG of a picture; `dpi` is written as pixels a metre.
///
/// # Errors
/// When the picture has no pixels or more than PNG can name.
pub fn encode(image: &Image, dpi: f64) -> Result<Vec<u8>, png::EncodingError> {
    // Without a way out of the loop it runs on whole vectors.
    let opaque = image.pixels.chunks_exact(4).fold(255, |a, p| a & p[3]) == 255;
    let mut out = Vec::with_capacity(image.pixels.len() / 16 + 4096);
    let mut encoder = Encoder::new(&mut out, image.width, image.height);
    encoder.set_depth(BitDepth::Eight);
    let pixels = u64::from(image.width) * u64::from(image.height);
    encoder.set_deflate_compression(if pixels > SMALL || noisy(image) {
        DeflateCompression::FdeflateUltraFast
    } else {
        DeflateCompression::Level(1)
    });
    // Rows of a heatmap repeat the row above; trying the other filters on each row costs more than all the rest.
    encoder.set_filter(Filter::Up);
    encoder.set_color(if opaque { ColorType::Rgb } else { ColorType::Rgba });
    let per_metre = (dpi / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer_with_size(1 << 16)?;
    if opaque {
        let mut row = vec![0u8; image.width as usize * 3];
        for line in image.pixels.chunks_exact(image.width as usize * 4) {
            for (to, from) in row.chunks_exact_mut(3).zip(line.chunks_exact(4)) {
                to.copy_from_slice(&from[..3]);
            }
            stream.write_all(&row)?;
        }
    } else {
        stream.write_all(&image.pixels)?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(out)
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
    use crate::color::Color;

    fn decode(bytes: &[u8]) -> (png::Info<'static>, Vec<u8>) {
        let mut r = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buf = vec![0; r.output_buffer_size().unwrap()];
        r.next_frame(&mut buf).unwrap();
        (r.info().clone(), buf)
    }

    #[test]
    fn pixels_and_resolution_come_back() {
        let mut image = Image::filled(3, 2, Color::rgb(1, 2, 3));
        let (info, rgb) = decode(&encode(&image, 200.0).unwrap());
        assert_eq!((info.color_type, rgb), (ColorType::Rgb, [1, 2, 3].repeat(6)));
        assert_eq!(info.pixel_dims.unwrap().xppu, 7874);
        image.pixels[3] = 0;
        let (info, rgba) = decode(&encode(&image, 96.0).unwrap());
        assert_eq!((info.color_type, rgba), (ColorType::Rgba, image.pixels));
    }
}
