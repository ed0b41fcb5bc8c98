//! Pictures of data that are held: read once, prepared, and drawn in every format.

use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::lint::{Lint, Lints, Policy};
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::fonts::{advise, fonts};
use gridscope_draw::picture as drawn;
use gridscope_draw::picture::{PictureFormat, fits_in_memory};
use gridscope_draw::render::{Bare, Capacity, PrepareOptions, Prepared, bare, bare_size, prepare_with};
use gridscope_read::{Budget, InputError, Loaded};
use std::sync::Arc;

/// Form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureAs {
    /// The bytes of a file.
    File(PictureFormat),
    /// R, G, B and A of each pixel, one byte each, row after row.
    Rgba,
}

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DrawOptions {
    /// The cells of the only panel alone, with clear absent cells.
    pub bare: bool,
    /// The picture's file says how it was made.
    pub metadata: bool,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self { bare: false, metadata: true }
    }
}

/// A picture and the facts about it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The bytes of its file, or its pixels.
    pub bytes: Vec<u8>,
    /// Its pixels; of a vector file those of its page.
    pub size: PxSize,
    /// The warnings about the figure, those of reading left out.
    pub lints: Lints,
}

/// Draws held data as a figure describes them.
///
/// # Errors
/// A figure that does not fit its data, or a canvas that does not fit its labels; pixels of more than
/// [`MOST_PIXELS`](gridscope_draw::picture::MOST_PIXELS); cells that cannot be read; a picture that cannot be encoded.
pub fn draw(figure: &Figure, held: &Held, result: PictureAs, options: DrawOptions) -> Result<Picture, Error> {
    let fits: CheckSize<'_> = match result {
        PictureAs::Rgba => &fits_in_memory,
        PictureAs::File(_) => &|_| Ok(()),
    };
    let (files, inputs) = (&held.files, &held.loaded.inputs);
    if options.bare {
        let (bare, grid) = lone(figure, held, fits)?;
        let mut picture = bare.picture(figure, grid);
        if options.metadata {
            picture = picture.described(&bare.description((figure, grid), files, inputs));
        }
        return encoded(&picture, result, &mut Fonts::new(), Lints::default());
    }
    let (prepared, mut fonts, lints) = whole(figure, held, fits)?;
    let mut picture = prepared.picture(&held.loaded.grids);
    if options.metadata {
        picture = picture.described(&prepared.description(figure, files, inputs));
    }
    encoded(&picture, result, &mut fonts, lints)
}

fn encoded(
    picture: &drawn::Picture<'_>,
    result: PictureAs,
    fonts: &mut Fonts,
    lints: Lints,
) -> Result<Picture, Error> {
    let bytes = match result {
        PictureAs::Rgba => picture.image(fonts)?.pixels,
        PictureAs::File(format) => picture.bytes(format, fonts)?,
    };
    Ok(Picture { bytes, size: picture.scene.size, lints })
}

/// Data and the facts about them.
#[derive(Clone, Debug)]
pub struct Held {
    /// Grids and the warnings of their reading.
    pub loaded: Loaded,
    /// Their files, if they came from files.
    pub files: Vec<String>,
    /// The memory of the run, of which the grids have taken their part.
    pub budget: Arc<Budget>,
}

/// Which lints a figure denies and silences.
pub(super) fn policy(figure: &Figure) -> Policy {
    Policy { deny: figure.lints.deny.clone(), allow: figure.lints.allow.clone(), ..Policy::default() }
}

/// The lints of a list that the figure shows, each with whether it is denied.
pub fn shown<'a>(lints: &'a [Lint], figure: &Figure) -> Vec<(&'a Lint, bool)> {
    let policy = policy(figure);
    let shown = lints.iter().filter(|lint| policy.shows(lint.name));
    shown.map(|lint| (lint, policy.denies(lint.name))).collect()
}

/// May refuse the size of a picture.
type CheckSize<'a> = &'a dyn Fn(PxSize) -> Result<(), Error>;

/// Prepares a whole figure; with it come its fonts and its warnings, those of reading left out.
pub(super) fn whole(
    figure: &Figure,
    held: &Held,
    check_size: CheckSize<'_>,
) -> Result<(Prepared, Fonts, Lints), Error> {
    held.loaded.known_panels(figure)?;
    let (grids, left) = (&held.loaded.grids, held.budget.left());
    let mut fonts = fonts(figure, grids, left)?;
    let options =
        PrepareOptions { capacity: Capacity::within(left), check_size, ..PrepareOptions::default() };
    let prepared = prepare_with(figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let mut lints = prepared.lints.clone();
    advise(&fonts, figure, &policy(figure), &mut lints);
    Ok((prepared, fonts, lints))
}

/// Prepares the cells of the only panel.
pub(super) fn lone<'h>(
    figure: &Figure,
    held: &'h Held,
    check_size: CheckSize<'_>,
) -> Result<(Bare, &'h Grid), Error> {
    let [grid] = held.loaded.grids.as_slice() else {
        let names: Vec<&str> = held.loaded.grids.iter().map(Grid::name).collect();
        let what = format!(
            "bare is the cells of one panel, but the data have {}: {}",
            names.len(),
            names.join(", ")
        );
        return Err(InputError::usage("", what).with_hint("where = [\"COLUMN = VALUE\"] chooses one").into());
    };
    let size = bare_size(figure, grid, None);
    check_size(size)?;
    let bare = bare(figure, grid, size, Capacity::within(held.budget.left()), None)?;
    Ok((bare, grid))
}

#[cfg(test)]
mod tests;
