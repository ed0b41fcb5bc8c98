//! Bodies as images: three channels, and a fourth only where something shines through.

use gridscope_core::image::Image;
use krilla::image::{BitsPerComponent, CustomImage, ImageColorspace};
use std::sync::Arc;

/// The pixels of an image.
#[derive(Clone, Hash)]
pub(super) struct Bitmap(Arc<Channels>);

#[derive(Hash)]
struct Channels {
    size: (u32, u32),
    /// R, G, B of each pixel.
    colors: Vec<u8>,
    /// Of each pixel; none where all are opaque.
    alphas: Option<Vec<u8>>,
}

impl Bitmap {
    /// The same pixels; `None` when they are more than an image of a PDF can have.
    pub(super) fn of(image: &Image) -> Option<Self> {
        let bytes = u64::from(image.width) * u64::from(image.height) * 3;
        u32::try_from(bytes).ok()?;
        let pixels = || image.pixels.chunks_exact(4);
        let colors = pixels().flat_map(|p| [p[0], p[1], p[2]]).collect();
        let alphas = pixels().any(|p| p[3] != 255).then(|| pixels().map(|p| p[3]).collect());
        Some(Self(Arc::new(Channels { size: (image.width, image.height), colors, alphas })))
    }
}

impl CustomImage for Bitmap {
    fn color_channel(&self) -> &[u8] {
        &self.0.colors
    }

    fn alpha_channel(&self) -> Option<&[u8]> {
        self.0.alphas.as_deref()
    }

    fn bits_per_component(&self) -> BitsPerComponent {
        BitsPerComponent::Eight
    }

    fn size(&self) -> (u32, u32) {
        self.0.size
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        ImageColorspace::Rgb
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::color::Color;

    #[test]
    fn alpha_is_kept_where_there_is_any() {
        let opaque = Bitmap::of(&Image::filled(3, 2, Color::rgb(1, 2, 3))).unwrap();
        assert_eq!(
            (opaque.color_channel(), opaque.alpha_channel()),
            ([1u8, 2, 3].repeat(6).as_slice(), None)
        );
        let clear = Bitmap::of(&Image::filled(2, 1, Color::rgba_of(4, 5, 6, 7))).unwrap();
        assert_eq!(
            (clear.color_channel(), clear.alpha_channel()),
            (&[4u8, 5, 6, 4, 5, 6][..], Some(&[7u8, 7][..]))
        );
    }

    #[test]
    fn more_pixels_than_a_pdf_counts_are_refused() {
        let endless = Image { width: 70_000, height: 70_000, pixels: Vec::new() };
        assert!(Bitmap::of(&endless).is_none());
    }
}
