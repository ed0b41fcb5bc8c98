//! How numbers are written in the cells and on the bar of each scale: both in one style.

use super::bars::{BarFrame, KnownLabels, PERCENT, in_percent};
use super::cell_text::{automatic_format, numbers};
use super::overrides::ScaleChoice;
use super::panel_frame::PanelFrame;
use gridscope_core::figure::{Annotate, BarPlace, Figure, Reduce};
use gridscope_core::grid::{Change, Grid, Number};
use gridscope_core::scale::{AutoLimits, BarNumbers, Norm, NumberFormat, Tick, minus, typeset};

/// Up to this many cells one automatic format holds for whole grids, whatever part is shown.
const ONE_FORMAT: usize = 250_000;
/// Limits that lie this many powers of ten from the unit of the values have no short labels in it.
const REACH: (f64, f64) = (0.1, 1e3);
/// A number that has all digits of a given format.
const EXAMPLE: f64 = 0.888_888_888;

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
        bar.known = known_labels(&choice, reduce, bar);
        if is_share || !is_read {
            continue;
        }
        let mut format = automatic_format(members(), has_units);
        if format.power() != 0 && !(bar.may_have_unit && suits(&choice, format.power())) {
            format = automatic_format(members(), false);
        }
        bar.numbers = BarNumbers {
            power: format.power(),
            whole: format.power() == 0
                && cells()
                    .map(Number::as_f64)
                    .all(|v| v.is_infinite() || v.fract() == 0.0),
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
    let limits = [choice.vmin(), choice.vmax(), choice.center()];
    let near = |v: f64| v == 0.0 || (unit * REACH.0..unit * REACH.1).contains(&v.abs());
    limits.into_iter().flatten().all(near)
}

/// The labels of all ticks that a bar may have, where its limits do not depend on values; otherwise those that a given format
/// writes at least.
fn known_labels(choice: &ScaleChoice<'_>, reduce: Reduce, bar: &BarFrame) -> KnownLabels {
    let known = limits(choice).filter(|_| reduce != Reduce::Count);
    let complete = known.is_some();
    let mut texts: Vec<String> = match (known, bar.format) {
        (Some((norm, limits)), format) => {
            let text = |t: Tick| match format {
                Some(format) => minus(&format.format(Number::F64(t.value))),
                None => typeset(&t.label),
            };
            let ticks = bar.numbers.candidates(&norm, limits, bar.limited);
            ticks.into_iter().map(text).collect()
        }
        (None, Some(format)) => vec![minus(&format.format(Number::F64(EXAMPLE)))],
        (None, None) => Vec::new(),
    };
    texts.sort_unstable();
    texts.dedup();
    KnownLabels { texts, complete }
}

/// Norm and limits of a scale, where they do not depend on values.
fn limits(choice: &ScaleChoice<'_>) -> Option<(Norm, (f64, f64))> {
    if choice.shows_ratios() {
        return None;
    }
    let about = choice.center().map(|center| Norm::CenterLinear { center });
    let norm = choice.norm().ok()?.or(about).unwrap_or(Norm::Linear);
    let own = match norm.traits().limits {
        AutoLimits::Given(low, high) => Some((low, high)),
        AutoLimits::Around {
            center,
            half: Some(half),
        } => Some((center - half, center + half)),
        // Its ticks are values.
        AutoLimits::Quantiles => return None,
        _ => None,
    };
    let low = choice.vmin().or(own.map(|o| o.0))?;
    let high = choice.vmax().or(own.map(|o| o.1))?;
    (low < high && norm.check(low, high).is_ok()).then_some((norm, (low, high)))
}
