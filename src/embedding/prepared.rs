//! A figure of held data up to what is painted.

use super::held::{Held, policy};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::fonts::{advise, fonts};
use gridscope_draw::render::{Bare, Capacity, PrepareOptions, Prepared, bare, bare_size, prepare_with};
use gridscope_read::InputError;

/// May refuse the size of a picture.
pub(super) type CheckSize<'a> = &'a dyn Fn(PxSize) -> Result<(), Error>;

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
