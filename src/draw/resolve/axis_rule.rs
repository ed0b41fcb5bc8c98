//! How the cells of regular axes are placed, and why: coordinates are drawn to scale, keys as equal cells.

use super::geography::{Geographic, geographic, same_unit};
use gridscope_core::figure::{AxisName, AxisSpec, Figure, Origin, Spacing};
use gridscope_core::grid::{Axis, AxisKind, Grid, Number, Steps};
use std::fmt;

/// A body of coordinates in one unit is drawn to scale unless one side is longer than the other by more than this.
const LONGEST: f64 = 8.0;

/// Rule by which an axis of numbers or times is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// `--x-spacing` was given.
    Asked(Spacing),
    /// Degrees.
    Globe(Geographic),
    /// Coordinates in equal steps.
    Coordinates,
    /// Equal ratios, which equal cells show to the scale of a logarithm.
    Ratios,
    /// Positive numbers that are asked to be drawn by their logarithm.
    Logarithm,
    /// Bins between edges.
    Bins,
    /// Times in equal steps.
    Times,
    /// Whole numbers in equal steps.
    Keys,
    /// Anything else.
    Uneven,
}

/// How an axis of numbers or times is drawn, in words by [`fmt::Display`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRule {
    rule: Rule,
    steps: Option<Steps>,
    kind: AxisKind,
    /// `x` or `y`.
    side: char,
    upward: bool,
}

impl AxisRule {
    /// Whether cells are as wide as their coordinates say. In equal steps they are anyway.
    pub(super) fn true_spacing(&self) -> bool {
        match self.rule {
            Rule::Asked(spacing) => spacing == Spacing::True,
            Rule::Globe(_) => self.steps.is_none(),
            Rule::Logarithm | Rule::Bins => true,
            _ => false,
        }
    }

    /// Whether there are places for numbers between those of the cells.
    pub(super) fn has_places_between(&self) -> bool {
        match self.rule {
            Rule::Asked(spacing) => spacing == Spacing::True,
            Rule::Globe(_) | Rule::Coordinates | Rule::Ratios | Rule::Logarithm | Rule::Bins => true,
            Rule::Times | Rule::Keys | Rule::Uneven => false,
        }
    }

    /// Whether its numbers are places in space rather than keys.
    pub(super) fn is_coordinate(&self) -> bool {
        matches!(self.rule, Rule::Globe(_))
    }
}

/// Rules of both axes of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// That of the columns; `None` for names and positions.
    pub x: Option<AxisRule>,
    /// That of the rows.
    pub y: Option<AxisRule>,
    /// Height of a cell in widths of one, where both axes are in one unit and drawn to scale.
    pub(super) aspect: Option<f64>,
    /// Rows grow upward.
    pub(super) upward: bool,
}

/// The rules for these grids, which hold for all panels.
pub fn rules(figure: &Figure, grids: &[Grid]) -> Rules {
    let own = grids.iter().map(|grid| of_grid(figure, grid));
    let shared = own.reduce(|a, b| Rules {
        x: a.x.filter(|x| b.x.is_some_and(|o| o.rule == x.rule)),
        y: a.y.filter(|y| b.y.is_some_and(|o| o.rule == y.rule)),
        aspect: a.aspect.zip(b.aspect).filter(|(a, b)| (a / b - 1.0).abs() < 1e-6).map(|(a, _)| a),
        upward: a.upward && b.upward,
    });
    shared.unwrap_or(Rules { x: None, y: None, aspect: None, upward: false })
}

/// Whether columns run to the left, and rows upward.
pub fn directions(figure: &Figure, grids: &[Grid]) -> [bool; 2] {
    let is_reversed = |axis| figure.reverse.as_ref().is_some_and(|r| r.contains(axis));
    let upward = match figure.origin {
        Some(origin) => origin == Origin::Lower,
        None => rules(figure, grids).upward,
    };
    [is_reversed(AxisName::X), upward != is_reversed(AxisName::Y)]
}

fn of_grid(figure: &Figure, grid: &Grid) -> Rules {
    let axes = [grid.columns(), grid.rows()];
    let globe = geographic(axes);
    let asked = figure.y.spacing == Some(Spacing::True);
    let is_number = matches!(grid.rows().kind, AxisKind::Number | AxisKind::Log);
    let binned = grid.rows().binned && figure.y.spacing != Some(Spacing::Even);
    let upward = asked && is_number || binned || globe[1] == Some(Geographic::Latitude);
    // Whole numbers in one unit are coordinates too.
    let are_places = globe == [None, None] && same_unit(axes);
    let x = rule(&figure.x, axes[0], globe[0], 'x', (false, are_places));
    let y = rule(&figure.y, axes[1], globe[1], 'y', (upward, are_places));
    let to_scale =
        |of: &Option<AxisRule>| of.is_some_and(|of| matches!(of.rule, Rule::Globe(_) | Rule::Coordinates));
    let is_one_unit = match globe {
        [Some(a), Some(b)] => a != b,
        _ => same_unit(axes),
    };
    let aspect = (to_scale(&x) && to_scale(&y) && is_one_unit).then(|| aspect(axes)).flatten();
    Rules { x, y, aspect, upward }
}

fn rule(
    spec: &AxisSpec,
    axis: &Axis,
    globe: Option<Geographic>,
    side: char,
    (upward, is_place): (bool, bool),
) -> Option<AxisRule> {
    if !matches!(axis.kind, AxisKind::Number | AxisKind::Log | AxisKind::Time) {
        return None;
    }
    // Two numbers have any steps.
    if axis.len() < 3 && globe.is_none() && spec.spacing.is_none() && !axis.binned {
        return None;
    }
    let steps = axis.steps();
    let rule = match (steps, globe, spec.spacing) {
        (_, _, Some(spacing)) => Rule::Asked(spacing),
        _ if axis.binned => Rule::Bins,
        (_, Some(globe), _) => Rule::Globe(globe),
        (Some(Steps::Equal(_)), ..) if axis.kind == AxisKind::Time => Rule::Times,
        (Some(Steps::Equal(_)), ..) if axis.is_whole() && spec.values.is_none() && !is_place => Rule::Keys,
        (Some(Steps::Equal(_)), ..) if axis.kind == AxisKind::Number => Rule::Coordinates,
        (Some(Steps::Ratio(_)), ..) => Rule::Ratios,
        _ if axis.kind == AxisKind::Log => Rule::Logarithm,
        _ => Rule::Uneven,
    };
    Some(AxisRule { rule, steps, kind: axis.kind, side, upward })
}

/// The height of a cell in widths of one, to scale.
fn aspect(axes: [&Axis; 2]) -> Option<f64> {
    let [x, y] = axes.map(|axis| {
        let edges = axis.edges()?;
        let span = (edges.last()? - edges.first()?).abs();
        (span.is_finite() && span > 0.0).then_some(span)
    });
    let (x, y) = (x?, y?);
    let cell = (y / axes[1].len() as f64) / (x / axes[0].len() as f64);
    (cell.is_normal() && (1.0 / LONGEST..=LONGEST).contains(&(y / x))).then_some(cell)
}

impl fmt::Display for AxisRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.steps {
            Some(Steps::Equal(step)) if self.kind == AxisKind::Time => {
                write!(f, "equal steps of {}: ", period(step))?;
            }
            Some(Steps::Equal(step)) => write!(f, "equal steps of {}: ", short(step))?,
            Some(Steps::Ratio(ratio)) => write!(f, "equal ratios of {}: ", short(ratio))?,
            None => f.write_str("no equal steps: ")?,
        }
        match self.rule {
            Rule::Asked(Spacing::True) => write!(f, "true spacing, as --{}-spacing says", self.side)?,
            Rule::Asked(Spacing::Even) => write!(f, "equal cells, as --{}-spacing says", self.side)?,
            Rule::Globe(Geographic::Latitude) => f.write_str("latitude, true spacing")?,
            Rule::Globe(Geographic::Longitude) => f.write_str("longitude, true spacing")?,
            Rule::Coordinates | Rule::Times => f.write_str("true spacing")?,
            Rule::Logarithm => f.write_str("to the scale of a logarithm")?,
            Rule::Ratios => f.write_str("equal cells, to the scale of a logarithm")?,
            Rule::Bins => f.write_str("bins, true spacing")?,
            Rule::Keys => f.write_str("whole numbers, equal cells")?,
            Rule::Uneven => write!(f, "equal cells; --{}-spacing true draws them to scale", self.side)?,
        }
        match (self.rule, self.side) {
            (_, 'y') if self.upward => f.write_str(", upward"),
            (Rule::Keys | Rule::Coordinates, 'y') => {
                f.write_str(", row 0 on top; --y-spacing true draws them upward")
            }
            _ => Ok(()),
        }
    }
}

/// A step without the rounding of the numbers that it was found in.
fn short(step: f64) -> String {
    let round = format!("{step:.8e}").parse().unwrap_or(step);
    Number::F64(round).to_string()
}

/// Seconds in the largest unit that they are a multiple of.
fn period(seconds: f64) -> String {
    let units = [(86_400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second")];
    let fits = |unit: &&(f64, &str)| seconds % unit.0 == 0.0;
    let (length, name) = units.iter().find(fits).unwrap_or(&units[3]);
    let count = seconds / length;
    format!("{} {name}{}", short(count), if count == 1.0 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
