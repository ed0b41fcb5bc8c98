//! The text of each cell, and how numbers are written in cells and on bars: both in one style.

use super::bars::{BarFrame, PERCENT, in_percent};
use super::frame::PanelFrame;
use super::limits::Limit;
use super::overrides::ScaleChoice;
use gridscope_core::figure::{Annotate, Figure, Reduce, TemplatePart};
use gridscope_core::grid::{Change, Grid, Number, P_VALUES, State};
use gridscope_core::scale::{BarNumbers, NumberFormat, minus, typeset};
use gridscope_core::text::{filled, rich_pieces};
use std::borrow::Cow;
use std::collections::HashMap;

/// The pieces of a template of one place.
const WHOLE: [String; 2] = [String::new(), String::new()];
/// The text in place of a number that a cell does not have.
const NONE: &str = "–";

/// The texts of the cells of one panel.
#[derive(Debug)]
pub struct CellText<'a> {
    grid: &'a Grid,
    template: Option<Filler<'a>>,
    /// The texts of a file, and the format of those that are numbers.
    own: Option<(&'a [String], Option<NumberFormat>)>,
    format: NumberFormat,
}

impl<'a> CellText<'a> {
    /// The texts of each grid, of its scale and in its format of `formats`; automatic is the same decimals in all cells of a scale,
    /// found once.
    pub fn of_all(
        grids: &[&'a Grid],
        annotate: &'a Annotate,
        formats: impl Iterator<Item = (usize, Option<NumberFormat>)>,
    ) -> Vec<Self> {
        let formats: Vec<(usize, Option<NumberFormat>)> = formats.collect();
        let mut auto: HashMap<usize, NumberFormat> = HashMap::new();
        let template = match annotate {
            Annotate::Template(template) => Some(Filler::of(template.parts())),
            _ => None,
        };
        let mut of_scale = |scale: usize| {
            *auto.entry(scale).or_insert_with(|| {
                let of_it = grids.iter().zip(&formats).filter(|(_, f)| f.0 == scale);
                automatic_format(of_it.map(|(g, _)| *g), false)
            })
        };
        let text = |(&grid, &(scale, format)): (&&'a Grid, &(usize, Option<NumberFormat>))| Self {
            grid,
            template: template.clone(),
            own: match annotate {
                Annotate::File(file) => {
                    let texts = grid.texts().get(file).map_or(&[][..], Vec::as_slice);
                    Some((texts, format.filter(|f| !f.is_automatic())))
                }
                _ => None,
            },
            format: format.unwrap_or_else(|| of_scale(scale)),
        };
        grids.iter().zip(&formats).map(text).collect()
    }

    /// The text of a cell, `None` where it has no value.
    pub fn at(&self, row: usize, column: usize) -> Option<String> {
        let value = self.grid.at(row, column).value();
        if let Some((texts, format)) = self.own {
            let i = row * self.grid.width() + column;
            let text = texts.get(i).filter(|_| State::of_bits(self.grid.cells()[i]).is_none())?;
            return Some(match (format, text.parse()) {
                (Some(f), Ok(v)) => minus(&f.format(Number::F64(v))),
                _ => text.lines().map(|line| filled(&WHOLE, [line])).collect::<Vec<_>>().join("\n"),
            });
        }
        let Some(filler) = &self.template else {
            return value.map(|v| self.number(v) + self.grid.stars(row * self.grid.width() + column));
        };
        let i = row * self.grid.width() + column;
        if State::of_bits(self.grid.cells()[i]).is_some() {
            return None;
        }
        let values = filler.places.iter().map(|p| self.part(p, value, i));
        let values = values.collect::<Option<Vec<Cow<'_, str>>>>()?;
        Some(filled(&filler.pieces, values.iter().map(AsRef::as_ref)))
    }

    /// Text of a part of the template in a cell, `None` where it is the value and there is none.
    fn part(&self, part: &TemplatePart, value: Option<Number>, cell: usize) -> Option<Cow<'_, str>> {
        Some(match part {
            TemplatePart::Text(_) => Cow::Borrowed(""),
            TemplatePart::Value(Some(f)) => minus(&f.format(value?)).into(),
            TemplatePart::Value(None) => self.number(value?).into(),
            TemplatePart::Column(c, f) => {
                let text = self.grid.texts().get(c).map_or("", |t| t[cell].as_str());
                match (f, text.parse()) {
                    (Some(f), Ok(v)) => minus(&f.format(Number::F64(v))).into(),
                    _ => text.into(),
                }
            }
            TemplatePart::Pick(pick, f) => {
                let text = self.grid.texts().get(&pick.to_string()).map_or("", |t| t[cell].as_str());
                match (f, text.parse()) {
                    (_, _) if text.is_empty() => NONE.into(),
                    (Some(f), Ok(v)) => minus(&f.format(Number::F64(v))).into(),
                    _ => text.into(),
                }
            }
            TemplatePart::Field(..) | TemplatePart::Probability(_) => {
                let (name, f) = match part {
                    TemplatePart::Field(name, _, f) => (name.as_str(), f),
                    TemplatePart::Probability(f) => (P_VALUES, f),
                    _ => return Some("".into()),
                };
                let v = self.grid.fields().get(name).map_or(f64::NAN, |v| v[cell]);
                match f {
                    _ if v.is_nan() => NONE.into(),
                    Some(f) => minus(&f.format(Number::F64(v))).into(),
                    None if v.fract() == 0.0 && v.abs() < 1e15 => minus(&format!("{v}")).into(),
                    None => self.number(Number::F64(v)).into(),
                }
            }
        })
    }
}

/// A template as it is filled in: its texts as drawn, and the fields between them.
#[derive(Clone, Debug)]
struct Filler<'a> {
    pieces: Vec<String>,
    places: Vec<&'a TemplatePart>,
}

impl<'a> Filler<'a> {
    fn of(parts: &'a [TemplatePart]) -> Self {
        let (mut texts, mut places) = (vec![String::new()], Vec::new());
        for part in parts {
            match part {
                TemplatePart::Text(text) => texts.last_mut().expect("one at least").push_str(text),
                part => {
                    places.push(part);
                    texts.push(String::new());
                }
            }
        }
        Self { pieces: rich_pieces(texts.iter().map(String::as_str)), places }
    }
}

impl CellText<'_> {
    /// A number in the format of the cells, with a real minus sign; an automatic format has raised exponents.
    fn number(&self, v: Number) -> String {
        let text = self.format.format(v);
        if self.format.is_automatic() { typeset(&text) } else { minus(&text) }
    }
}

/// The format of all cells of these grids, which share a scale; `units` as for [`NumberFormat::auto`].
fn automatic_format<'a>(grids: impl Iterator<Item = &'a Grid> + Clone, units: bool) -> NumberFormat {
    let cells = || grids.clone().flat_map(numbers);
    let last = grids.clone().next().and_then(|g| g.changes().last());
    if grids
        .clone()
        .all(|g| g.are_correlations() || matches!(g.changes().last(), Some(Change::Correlation(_))))
    {
        return NumberFormat::of_correlations();
    }
    match last {
        Some(Change::Difference(_) | Change::Percent(_)) => NumberFormat::of_differences(cells(), units),
        _ => NumberFormat::auto(cells(), units),
    }
}

pub(super) fn numbers(grid: &Grid) -> impl Iterator<Item = Number> + Clone + '_ {
    let w = grid.width();
    (0..grid.height() * w).filter_map(move |i| grid.at(i / w, i % w).value())
}

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
        let of_cells = panels[first].fmt.filter(NumberFormat::says_what);
        if bar.format.is_none() && bar.panels.iter().all(|&i| panels[i].fmt == of_cells) {
            (bar.format, bar.follows) = (of_cells, of_cells.is_some());
            // The sign that numbers have is no title.
            if bar.follows && !bar.is_named && ["$", "€", "£", "%"].contains(&bar.label.trim()) {
                bar.label.clear();
            }
        }
        let has_units = automatic
            && bar.format.is_none()
            && bar.place.is_drawn()
            && reduce != Reduce::Count
            && !annotate.is_own();
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
            let is_placed = bar.place.is_right() || !bar.label.is_empty();
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

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::{Statistic, Template};
    use gridscope_core::text::{has_formula, unmarked};

    #[test]
    fn a_template_fills_in_values_fields_and_columns() {
        let mut g = Grid::from_rows(1, 2, vec![41.25, f64::NAN]).unwrap();
        g.set_field("std", vec![0.5, 0.0]).unwrap();
        g.set_field("n", vec![3.0, 0.0]).unwrap();
        g.set_texts("note", vec!["ok".into(), String::new()]).unwrap();
        let t: Template = "{value:.1f}±{std:.2f} (n={n}) {column:note}{{}}".parse().unwrap();
        assert_eq!(
            (t.statistics(), t.columns()),
            (
                ["std", "count"].map(|agg| Statistic::of_value(agg.parse().unwrap())).to_vec(),
                vec!["note".to_owned()]
            )
        );
        let a = Annotate::Template(t);
        let text = CellText::of_all(&[&g], &a, [(0, None)].into_iter()).remove(0);
        assert_eq!(text.at(0, 0).unwrap(), "41.2±0.50 (n=3) ok{}");
        assert_eq!(text.at(0, 1), None);
    }

    #[test]
    fn the_template_has_formulas_and_line_breaks_and_columns_have_none() {
        let mut g = Grid::from_rows(1, 1, vec![0.5]).unwrap();
        g.set_texts("note", vec!["$x$\n2".into()]).unwrap();
        let t: Template = "$10^{{{value:.1f}}}$\n{column:note}".parse().unwrap();
        let a = Annotate::Template(t);
        let text = CellText::of_all(&[&g], &a, [(0, None)].into_iter()).remove(0);
        let drawn = text.at(0, 0).unwrap();
        assert_eq!(unmarked(&drawn), "100.5\n$x$ 2");
        assert!(has_formula(&drawn));
    }

    #[test]
    fn numbers_have_a_minus_sign_and_raised_exponents() {
        let g = Grid::from_rows(1, 2, vec![-2.5e-7, 1e-6]).unwrap();
        let texts = |format: Option<&str>| {
            let formats = [(0, format.map(|f| f.parse().unwrap()))].into_iter();
            let text = CellText::of_all(&[&g], &Annotate::On, formats).remove(0);
            [0, 1].map(|i| text.at(0, i).unwrap())
        };
        assert_eq!(texts(None), ["−2.50×10⁻⁷", "1.00×10⁻⁶"]);
        assert_eq!(texts(Some(".1e")), ["−2.5e−07", "1.0e−06"]);
    }
}
