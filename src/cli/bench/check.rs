//! The comparison of a frame with the CPU's picture of the same scene.

use super::super::diagnostics::Failure;
use gridscope_core::color::Color;
use gridscope_core::figure::Reduce;
use gridscope_core::grid::Grid;
use gridscope_core::image::Image;
use gridscope_core::text::Fonts;
use gridscope_draw::error::Error;
use gridscope_draw::raster;
use gridscope_draw::scene::{Item, Scene};
use gridscope_draw::tiling::fold_missing;

/// How a frame differs from the CPU's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Check {
    /// Pixels of another colour.
    pub pixels: u64,
    /// The most entries of the colormap between two colours of a pixel; `None` if a colour is not an entry.
    pub apart: Option<u32>,
}

impl Check {
    /// Compares an image with the CPU's of the same scene without Summaries.
    ///
    /// # Errors
    /// When a source does not give its cells.
    pub(super) fn of(mut scene: Scene, grids: &[Grid], image: &Image) -> Result<Self, Failure> {
        fold_missing(&mut scene, grids).map_err(Error::from)?;
        let wanted = raster::draw(&scene, grids, &mut Fonts::new());
        let entries = scene.all().find_map(|item| match item {
            Item::Cells(c) => Some(c.scale.spec().map.entries.as_slice()),
            _ => None,
        });
        Ok(Self::between(&wanted, image, entries.unwrap_or_default()))
    }

    fn between(wanted: &Image, image: &Image, entries: &[Color]) -> Self {
        let mut check = Self { pixels: 0, apart: Some(0) };
        let at = |pixel: &[u8]| entries.iter().position(|e| e.rgba() == pixel);
        let pixels = wanted.pixels.chunks_exact(4).zip(image.pixels.chunks_exact(4));
        for (a, b) in pixels.filter(|(a, b)| a != b) {
            check.pixels += 1;
            let apart = at(a).zip(at(b)).map(|(a, b)| a.abs_diff(b) as u32);
            check.apart = check.apart.zip(apart).map(|(most, this)| most.max(this));
        }
        check
    }

    /// Whether the frame is right: a mean may be one colour off, everything else is exact.
    pub(super) fn passes(&self, reduce: Reduce) -> bool {
        self.pixels == 0 || reduce == Reduce::Mean && self.apart.is_some_and(|n| n <= 1)
    }

    /// Description of the fault.
    pub(super) fn text(&self) -> String {
        let apart = match self.apart {
            Some(n) => format!("up to {n} colours apart"),
            None => "some in colours that are not in the colormap".to_owned(),
        };
        format!("{} pixels are not the CPU's, {apart}", self.pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mean_may_be_one_colour_off() {
        let entries: Vec<Color> = (0..4).map(|i| Color::rgb(i * 10, 0, 0)).collect();
        let image = |indices: &[usize]| Image {
            width: indices.len() as u32,
            height: 1,
            pixels: indices
                .iter()
                .flat_map(|i| entries.get(*i).map_or([9; 4], gridscope_core::color::Color::rgba))
                .collect(),
        };
        let of = |a: &[usize], b: &[usize]| Check::between(&image(a), &image(b), &entries);
        let check = |pixels, apart| Check { pixels, apart };
        assert_eq!(of(&[0, 1, 2], &[0, 1, 2]), check(0, Some(0)));
        assert_eq!(of(&[0, 1, 2], &[1, 3, 2]), check(2, Some(2)));
        assert_eq!(of(&[0, 1], &[1, 99]), check(2, None));
        let passes = |c: Check| [Reduce::Mean, Reduce::Max].map(|r| c.passes(r));
        assert_eq!(passes(check(0, Some(0))), [true, true]);
        assert_eq!(passes(check(5, Some(1))), [true, false]);
        assert_eq!(passes(check(1, Some(2))), [false, false]);
        assert_eq!(passes(check(1, None)), [false, false]);
    }
}
