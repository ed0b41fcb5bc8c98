//! Pictures read from PNG files, and their differences.

use gridscope::Image;

/// The picture of a PNG file.
pub fn decode(bytes: &[u8]) -> Image {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(
        png::Transformations::EXPAND | png::Transformations::STRIP_16 | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    if info.color_type == png::ColorType::GrayscaleAlpha {
        pixels = pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect();
    }
    Image { width: info.width, height: info.height, pixels }
}

/// The pixels, column and row, at which any channel of two pictures of one size differs by more than `most`.
pub fn differing(a: &Image, b: &Image, most: u8) -> Vec<(u32, u32)> {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pairs = a.pixels.chunks_exact(4).zip(b.pixels.chunks_exact(4));
    let other = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > most);
    pairs
        .enumerate()
        .filter(|(_, pair)| other(*pair))
        .map(|(i, _)| (i as u32 % a.width, i as u32 / a.width))
        .collect()
}
