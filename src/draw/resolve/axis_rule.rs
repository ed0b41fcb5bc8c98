//! How the cells of regular axes are placed, and why: coordinates are drawn to scale, keys as equal cells; and axes that measure
//!  the same.

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
    let is_latitude = globe[1] == Some(Geographic::Latitude);
    let upward = asked && is_number || binned || is_latitude || grid.rows().fell;
    // Whole numbers in one unit are coordinates too.
    let are_places = globe == [None, None] && same_unit(axes);
    let x = rule(&figure.x, axes[0], globe[0], 'x', false, are_places);
    let y = rule(&figure.y, axes[1], globe[1], 'y', upward, are_places);
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
    upward: bool,
    is_place: bool,
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

/// A place on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Geographic {
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
}

/// Units that end a name after an underscore: `x_mm`.
const UNITS: [&str; 11] = ["m", "cm", "mm", "um", "µm", "nm", "km", "px", "deg", "rad", "ft"];

/// Longitude or latitude of x and y, by their names and ranges.
fn geographic([x, y]: [&Axis; 2]) -> [Option<Geographic>; 2] {
    let found = [named(x), named(y)];
    let is_pair = found[0].zip(found[1]).is_some_and(|(a, b)| a.0 != b.0);
    // `lat` may be a latency, unless the other axis is a longitude or a number is negative.
    let of = |own: Option<(Geographic, bool)>, axis| {
        let (what, is_full) = own?;
        (is_full || is_pair || ends(axis)?.0 < 0.0).then_some(what)
    };
    [of(found[0], x), of(found[1], y)]
}

/// Coordinate that the name of an axis denotes, and whether it is spelled in full, where its numbers allow it.
fn named(axis: &Axis) -> Option<(Geographic, bool)> {
    let name = axis.name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let is_count = |w: &&str| matches!(*w, "id" | "idx" | "index");
    if words.iter().any(is_count) {
        return None;
    }
    let (what, is_full) = words.iter().find_map(|word| match *word {
        "latitude" | "latitudes" => Some((Geographic::Latitude, true)),
        "lat" | "lats" => Some((Geographic::Latitude, false)),
        "longitude" | "longitudes" => Some((Geographic::Longitude, true)),
        "lon" | "lons" | "long" | "lng" => Some((Geographic::Longitude, false)),
        _ => None,
    })?;
    let (low, high) = ends(axis)?;
    let fits = match what {
        Geographic::Latitude => low >= -90.0 && high <= 90.0,
        Geographic::Longitude => low >= -180.0 && high <= 360.0,
    };
    fits.then_some((what, is_full))
}

/// The least and the greatest centre of an axis of numbers.
fn ends(axis: &Axis) -> Option<(f64, f64)> {
    let (a, b) = (axis.center(0)?, axis.center(axis.len().checked_sub(1)?)?);
    (axis.kind == AxisKind::Number).then(|| (a.min(b), a.max(b)))
}

/// Whether the names of both axes give the same unit, or are of x, y and z.
fn same_unit([x, y]: [&Axis; 2]) -> bool {
    unit(&x.name).zip(unit(&y.name)).is_some_and(|(a, b)| a == b)
}

/// The unit in a name: `x (mm)`, `x [mm]`, `x_mm`; that of a lone coordinate is its own.
fn unit(name: &str) -> Option<&str> {
    let name = name.trim();
    if matches!(name, "x" | "y" | "z" | "X" | "Y" | "Z") {
        return Some("");
    }
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((_, inside)) = name.strip_suffix(close).and_then(|n| n.rsplit_once(open)) {
            return Some(inside.trim()).filter(|u| !u.is_empty());
        }
    }
    let (_, last) = name.rsplit_once('_')?;
    UNITS.contains(&last).then_some(last)
}

#[cfg(test)]
mod geography_tests {
    use super::*;

    fn axis(name: &str, from: f64, to: f64) -> Axis {
        let centers = vec![from, f64::midpoint(from, to), to];
        Axis::number(name, centers, vec![String::new(); 3])
    }

    #[test]
    fn names_and_ranges_make_a_globe() {
        use Geographic::{Latitude, Longitude};
        let of = |x: (&str, f64, f64), y: (&str, f64, f64)| {
            geographic([&axis(x.0, x.1, x.2), &axis(y.0, y.1, y.2)])
        };
        let both = [Some(Longitude), Some(Latitude)];
        assert_eq!(of(("lon", 0.0, 355.0), ("lat", 10.0, 50.0)), both);
        assert_eq!(of(("Longitude [°]", -180.0, 175.0), ("nav_lat", -90.0, 90.0)), both);
        assert_eq!(of(("month", 1.0, 12.0), ("lat", -85.0, 85.0)), [None, Some(Latitude)]);
        assert_eq!(of(("batch", 1.0, 12.0), ("lat_ms", 1.0, 50.0)), [None, None]);
        assert_eq!(of(("lon_idx", 0.0, 71.0), ("lat_idx", 0.0, 35.0)), [None, None]);
        assert_eq!(of(("lon", 0.0, 400.0), ("latitude", 0.0, 95.0)), [None, None]);
        assert_eq!(of(("flat", 0.0, 1.0), ("latent", -1.0, 1.0)), [None, None]);
        assert_eq!(geographic([&Axis::index("lon", 3), &Axis::index("lat", 3)]), [None, None]);
    }

    #[test]
    fn names_give_units() {
        let same = |x: &str, y: &str| same_unit([&axis(x, 0.0, 1.0), &axis(y, 0.0, 1.0)]);
        assert!(same("x", "y") && same("X", "z") && same("x (mm)", "depth [mm]") && same("x_um", "y_um"));
        assert!(
            !same("x (mm)", "y (m)") && !same("x", "y_mm") && !same("lr", "dropout") && !same("a ()", "b ()")
        );
        assert!(!same("train_loss", "val_loss"));
    }
}

#[cfg(test)]
mod tests;
