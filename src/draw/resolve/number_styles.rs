//! How numbers are written in the cells and on the bar of each scale: both in one style.

use super::bars::{BarFrame, PERCENT, in_percent};
use super::cell_text::{automatic_format, numbers};
use super::limit_rule::Limit;
use super::overrides::ScaleChoice;
use super::panel_frame::PanelFrame;
use gridscope_core::figure::{Annotate, BarPlace, Figure, Reduce};
use gridscope_core::grid::{Change, Grid, Number};
use gridscope_core::scale::{BarNumbers, NumberFormat, typeset};

/// Up to this many cells one automatic format holds for whole grids, whatever part is shown.
const ONE_FORMAT: usize = 250_000;
/// Limits that lie this many powers of ten from the unit of the values have no short labels in it.
const REACH: (f64, f64) = (0.1, 1e3);
/// The most decimals of numbers for which a unit beside them leaves room.
const SHORT: usize = 3;

/// Gives the panels and the bar of each scale the format of all its cells, where these are few enough to read. Large and small
/// numbers are multiples of a power of ten that the bar names beside its title. Nothing of this moves a body.
pub(super) fn number_styles(
    figure: &Figure,
    reduce: Reduce,
    grids: &[Grid],
    annotate: &Annotate,
    bars: &mut [BarFrame],
    panels: &mut [PanelFrame],
) {
    let is_read =
        grids.iter().map(Grid::len).sum::<usize>() <= ONE_FORMAT && grids.iter().all(Grid::is_loaded);
    for bar in bars {
        let Some(&first) = bar.panels.first() else {
            continue;
        };
        let choice = ScaleChoice::new(figure, &grids[first], &bar.overrides);
        let automatic = bar.panels.iter().all(|&i| panels[i].fmt.is_none());
        let has_units = automatic
            && bar.format.is_none()
            && bar.place != BarPlace::None
            && reduce != Reduce::Count
            && !matches!(annotate, Annotate::Template(_));
        let members = || bar.panels.iter().map(|&i| &grids[i]);
        let cells = || members().flat_map(numbers);
        let is_share = has_units && matches!(grids[first].changes().last(), Some(Change::Share(_)));
        if is_share {
            bar.numbers.power = PERCENT;
            if is_read {
                for &i in &bar.panels {
                    panels[i].fmt = Some(NumberFormat::of_shares(cells()));
                }
            }
            bar.label = in_percent(std::mem::take(&mut bar.label));
        } else {
            let is_round = choice.norm().is_ok_and(|n| n.is_none_or(|n| n.has_round_ticks()));
            // A unit alone has no line under a bar.
            let is_placed = bar.place == BarPlace::Right || !bar.label.is_empty();
            bar.may_have_unit = has_units && is_round && is_placed;
        }
        if is_share || !is_read {
            continue;
        }
        let mut format = automatic_format(members(), has_units);
        // Beside a bar without a title, late digits of numbers that are alike leave no room for a unit.
        let is_short = !bar.label.is_empty() || format.digits() <= SHORT;
        if format.power() != 0 && !(bar.may_have_unit && is_short && suits(&choice, format.power())) {
            format = automatic_format(members(), false);
        }
        bar.numbers = BarNumbers {
            power: format.power(),
            whole: format.power() == 0
                && cells().map(Number::as_f64).all(|v| v.is_infinite() || v.fract() == 0.0),
        };
        if format.power() != 0 {
            bar.unit = format!("×{}", typeset(&format!("1e{}", format.power())));
        }
        for &i in &bar.panels {
            panels[i].fmt = panels[i].fmt.or(Some(format));
        }
    }
}

/// Whether the limits of a scale are short multiples of a power of ten.
fn suits(choice: &ScaleChoice<'_>, power: i32) -> bool {
    let unit = 10f64.powi(power);
    let given = choice.given().into_iter().flatten().filter_map(Limit::number);
    let mut limits = given.chain(choice.center());
    let near = |v: f64| v == 0.0 || (unit * REACH.0..unit * REACH.1).contains(&v.abs());
    limits.all(near)
}
