//! A figure of held data up to what is painted.

use super::held::{Held, policy};
use gridscope_cli::{advise, fonts, known_panels};
use gridscope_core::figure::Figure;
use gridscope_core::geom::PxSize;
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use gridscope_core::text::Fonts;
use gridscope_core::timing::Phases;
use gridscope_draw::error::Error;
use gridscope_draw::render::{Bare, Capacity, PrepareOptions, Prepared, bare, bare_size, prepare_with};
use gridscope_draw::scene::Item;
use gridscope_draw::{layout::PanelLayout, report};
use gridscope_read::InputError;
use serde_json::{Map, Value};

/// May refuse the size of a picture.
pub(super) type CheckSize<'a> = &'a dyn Fn(PxSize) -> Result<(), Error>;

/// Prepares a whole figure; with it come its fonts and its warnings, those of reading left out.
pub(super) fn whole(
    figure: &Figure,
    held: &Held,
    check_size: CheckSize<'_>,
) -> Result<(Prepared, Fonts, Lints), Error> {
    known_panels(figure, &held.loaded)?;
    let (grids, left) = (&held.loaded.grids, held.budget.left());
    let mut fonts = fonts(figure, grids, left)?;
    let options = PrepareOptions {
        capacity: Capacity::within(left),
        check_size,
        ..PrepareOptions::default()
    };
    let prepared = prepare_with(figure, grids, &mut fonts, &mut Phases::new(), options)?;
    let mut lints = prepared.lints.clone();
    advise(&fonts, figure, &policy(figure), &mut lints);
    Ok((prepared, fonts, lints))
}

/// The word of the reduction where a body shows one.
pub(super) fn reduction(prepared: &Prepared) -> Option<&'static str> {
    let reduces = prepared.layout.panels.iter().any(PanelLayout::reduces);
    reduces.then(|| prepared.colours.reduce.word())
}

/// Prepares the cells of the only panel.
pub(super) fn lone<'h>(
    figure: &Figure,
    held: &'h Held,
    check_size: CheckSize<'_>,
) -> Result<(Bare, &'h Grid, PxSize), Error> {
    let [grid] = held.loaded.grids.as_slice() else {
        let names: Vec<&str> = held.loaded.grids.iter().map(Grid::name).collect();
        let what = format!(
            "bare is the cells of one panel, but the data have {}: {}",
            names.len(),
            names.join(", ")
        );
        return Err(InputError::usage("", what)
            .with_hint("where = [\"COLUMN = VALUE\"] chooses one")
            .into());
    };
    let size = bare_size(figure, grid, None);
    check_size(size)?;
    let bare = bare(figure, grid, size, Capacity::within(held.budget.left()), None)?;
    Ok((bare, grid, size))
}

/// The scale of a lone body, and the word of its reduction where it shows one.
pub(super) fn lone_scale(bare: &Bare, grid: &Grid) -> (Vec<Map<String, Value>>, Option<&'static str>) {
    match bare.scene.items.as_slice() {
        [Item::Cells(cells)] => {
            let scale = report::scale("", &[grid.name()], cells.scale.spec());
            let reduces = cells.columns.reduces() || cells.rows.reduces();
            (vec![scale], reduces.then(|| cells.reduce.word()))
        }
        _ => (Vec::new(), None),
    }
}
