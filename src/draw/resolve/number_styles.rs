//! How numbers are written in the cells and on the bar of each scale: both in one style.

use super::bars::{BarFrame, PERCENT, in_units};
use super::cell_text::{automatic_format, numbers};
use super::overrides::ScaleChoice;
use super::panel_frame::PanelFrame;
use gridscope_core::figure::{Annotate, BarPlace, Figure, Reduce};
use gridscope_core::grid::{Change, Grid, Number};
use gridscope_core::scale::{BarNumbers, NumberFormat};

/// Up to this many cells one automatic format holds for whole grids, whatever part is shown.
const ONE_FORMAT: usize = 250_000;
/// Limits that lie this many powers of ten from the unit of the values have no short labels in it.
const REACH: (f64, f64) = (0.1, 1e3);

/// Gives the panels and the bar of each scale the format of all its cells, where these are few enough to read. Large and small
/// numbers are multiples of a power of ten that the title of the bar names.
pub(super) fn number_styles(
    figure: &Figure,
    reduce: Reduce,
    grids: &[Grid],
    annotate: &Annotate,
    bars: &mut [BarFrame],
    panels: &mut [PanelFrame],
) {
    if grids.iter().map(Grid::len).sum::<usize>() > ONE_FORMAT || !grids.iter().all(Grid::is_loaded) {
        return;
    }
    for bar in bars {
        let automatic = bar.panels.iter().all(|&i| panels[i].fmt.is_none());
        let has_units = automatic
            && bar.format.is_none()
            && bar.place != BarPlace::None
            && reduce != Reduce::Count
            && !matches!(annotate, Annotate::Template(_));
        let members = || bar.panels.iter().map(|&i| &grids[i]);
        let cells = || members().flat_map(numbers);
        let first = bar.panels.first().and_then(|&i| grids[i].changes().last());
        if let (Some(Change::Share(_)), true) = (first, has_units) {
            bar.numbers = BarNumbers {
                power: PERCENT,
                whole: false,
            };
            bar.label = in_units(std::mem::take(&mut bar.label), PERCENT, grids, &bar.panels);
            for &i in &bar.panels {
                panels[i].fmt = Some(NumberFormat::of_shares(cells()));
            }
            continue;
        }
        let mut format = automatic_format(members(), has_units);
        if format.power() != 0 && !suits(figure, grids, bar, format.power()) {
            format = automatic_format(members(), false);
        }
        bar.numbers = BarNumbers {
            power: format.power(),
            whole: format.power() == 0
                && cells()
                    .map(Number::as_f64)
                    .all(|v| v.is_infinite() || v.fract() == 0.0),
        };
        bar.label = in_units(
            std::mem::take(&mut bar.label),
            bar.numbers.power,
            grids,
            &bar.panels,
        );
        for &i in &bar.panels {
            panels[i].fmt = panels[i].fmt.or(Some(format));
        }
    }
}

/// Whether the ticks of a bar are short multiples of a power of ten: at round values, between limits of that size.
fn suits(figure: &Figure, grids: &[Grid], bar: &BarFrame, power: i32) -> bool {
    let Some(first) = bar.panels.first() else {
        return false;
    };
    let choice = ScaleChoice::new(figure, &grids[*first], &bar.overrides);
    let is_round = choice.norm().is_ok_and(|n| n.is_none_or(|n| n.has_round_ticks()));
    let unit = 10f64.powi(power);
    let limits = [choice.vmin(), choice.vmax(), choice.center()];
    let near = |v: f64| v == 0.0 || (unit * REACH.0..unit * REACH.1).contains(&v.abs());
    is_round && limits.into_iter().flatten().all(near)
}
