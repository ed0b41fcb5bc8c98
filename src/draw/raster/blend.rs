//! Colours laid over pixels: by coverage, and by the masks of glyphs.

use gridscope_core::color::Color;
use gridscope_core::image::Image;

/// Lays `color` over a pixel with a coverage of 0 to 255.
pub(super) fn blend(pixel: &mut [u8], color: [u8; 4], coverage: u8) {
    let a = (u32::from(color[3]) * u32::from(coverage) + 127) / 255;
    if a == 0 {
        return;
    }
    for k in 0..3 {
        pixel[k] = ((u32::from(color[k]) * a + u32::from(pixel[k]) * (255 - a) + 127) / 255) as u8;
    }
    pixel[3] = (a + (u32::from(pixel[3]) * (255 - a) + 127) / 255) as u8;
}

/// Lays `color` over an image through a mask of coverages, whose first pixel lies at `at`.
pub(super) fn mask(image: &mut Image, width: u32, data: &[u8], at: (i32, i32), color: Color) {
    let rgba = color.rgba();
    let (w, h) = (i64::from(image.width), i64::from(image.height));
    for (row, line) in data.chunks_exact(width.max(1) as usize).enumerate() {
        let y = i64::from(at.1) + row as i64;
        if y < 0 || y >= h {
            continue;
        }
        for (column, &coverage) in line.iter().enumerate() {
            let x = i64::from(at.0) + column as i64;
            if coverage > 0 && x >= 0 && x < w {
                let i = (y * w + x) as usize * 4;
                blend(&mut image.pixels[i..i + 4], rgba, coverage);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_meets_both_ends() {
        let mut p = [10, 20, 30, 255];
        blend(&mut p, [200, 100, 0, 255], 0);
        assert_eq!(p, [10, 20, 30, 255]);
        blend(&mut p, [200, 100, 0, 255], 128);
        assert_eq!(p, [105, 60, 15, 255]);
        blend(&mut p, [200, 100, 0, 255], 255);
        assert_eq!(p, [200, 100, 0, 255]);
    }
}
