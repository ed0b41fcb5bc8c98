//! Axes that measure the same: latitude and longitude, and others whose names give one unit.

use gridscope_core::grid::{Axis, AxisKind};

/// A place on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Geographic {
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
}

/// Units that end a name after an underscore: `x_mm`.
const UNITS: [&str; 11] = ["m", "cm", "mm", "um", "µm", "nm", "km", "px", "deg", "rad", "ft"];

/// Longitude or latitude of x and y, by their names and ranges.
pub(super) fn geographic([x, y]: [&Axis; 2]) -> [Option<Geographic>; 2] {
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
pub(super) fn same_unit([x, y]: [&Axis; 2]) -> bool {
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
mod tests {
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
