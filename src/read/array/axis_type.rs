//! Axes with coordinates: their type, their numbers in ascending order, and values given by their ends.

use super::source::ArrayFault;
use gridscope_core::calendar::{iso_texts, unit_since};
use gridscope_core::figure::{AxisSpec, AxisType, Spacing};
use gridscope_core::grid::{Axis, AxisKind, Coords, Number, Steps};

/// An axis of numbers as the type of the figure has it. Without one, numbers in equal ratios are logarithmic, unless they are whole, as
/// sizes often are, or true spacing was asked for.
///
/// # Errors
/// Numbers that the type does not allow.
pub(crate) fn typed(mut axis: Axis, spec: &AxisSpec) -> Result<Axis, ArrayFault> {
    match spec.kind {
        None => Ok(by_ratio(axis, spec)),
        Some(AxisType::Number) => {
            axis.kind = AxisKind::Number;
            Ok(axis)
        }
        Some(AxisType::Log) => {
            let numbers = match &axis.coords {
                Some(Coords::Centers(of) | Coords::Edges(of)) => of.as_slice(),
                None => &[],
            };
            if let Some(low) = numbers.iter().find(|v| **v <= 0.0) {
                return Err(format!("a log axis needs numbers above 0, not {}", Number::F64(*low)).into());
            }
            axis.kind = AxisKind::Log;
            Ok(middles(axis))
        }
        Some(AxisType::Time) => timed(axis),
        Some(AxisType::Category) => {
            let labels = (0..axis.len()).map(|i| axis.label(i)).collect();
            Ok(Axis::category(&axis.name, labels))
        }
    }
}

/// The axis with seconds since 1970 as its numbers, and dates and times as its labels.
///
/// # Errors
/// A number that is not a time.
pub(crate) fn timed(mut axis: Axis) -> Result<Axis, ArrayFault> {
    let seconds: Vec<f64> = (0..axis.len()).filter_map(|i| axis.center(i)).collect();
    let texts = iso_texts(&seconds).map_err(|v| {
        let what = format!("{} is not a time in seconds since 1970", Number::F64(v));
        ArrayFault::from(what)
    })?;
    (axis.kind, axis.levels) = (AxisKind::Time, vec![texts]);
    Ok(axis)
}

/// The same axis, logarithmic if its numbers are in equal ratios and the figure does not say what it measures.
pub(crate) fn by_ratio(mut axis: Axis, spec: &AxisSpec) -> Axis {
    let is_open = axis.kind == AxisKind::Number && spec.kind.is_none() && spec.spacing != Some(Spacing::True);
    if is_open && !axis.is_whole() && matches!(axis.steps(), Some(Steps::Ratio(_))) {
        axis.kind = AxisKind::Log;
        return middles(axis);
    }
    axis
}

/// The axis with the middles of its cells as labels, which its type moves where it has edges.
fn middles(mut axis: Axis) -> Axis {
    if let Some(Coords::Edges(_)) = &axis.coords {
        let centers: Vec<f64> = (0..axis.len()).filter_map(|i| axis.center(i)).collect();
        // Means of two edges have all digits of f64, of which six tell them apart.
        let mut texts: Vec<String> = centers.iter().map(|v| six_digits(*v).to_string()).collect();
        if texts.windows(2).any(|w| w[0] == w[1]) {
            texts = labels(&centers);
        }
        axis.levels = vec![texts];
    }
    axis
}

fn six_digits(v: f64) -> Number {
    Number::F64(format!("{v:.5e}").parse().unwrap_or(v))
}

/// The seconds since 1970 of numbers in a unit such as `days since 1990-01-01`; `None` for any other unit.
pub(crate) fn since_1970(values: &[f64], unit: &str) -> Option<Vec<f64>> {
    let (seconds, start) = unit_since(unit)?;
    Some(values.iter().map(|v| start + v * seconds).collect())
}

/// Coordinates and labels that a file gives for the grids in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AxisValues {
    /// Of the columns.
    pub x: Option<Vec<f64>>,
    /// Of the rows.
    pub y: Option<Vec<f64>>,
    /// Whether they are seconds since 1970, of the columns and of the rows.
    pub times: [bool; 2],
    /// The names of the arrays that they are, of the columns and of the rows.
    pub names: [String; 2],
    /// Labels in the same file, of the columns and of the rows.
    pub labels: [Option<Vec<String>>; 2],
}

/// An axis whose cells lie at these values, ascending, and the order of the cells that makes them so unless they did.
///
/// # Errors
/// When two values are equal.
pub(crate) fn sorted(values: Vec<f64>, kind: AxisKind) -> Result<(Axis, Option<Vec<usize>>), ArrayFault> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    if let Some(w) = order.windows(2).find(|w| values[w[0]] >= values[w[1]]) {
        return Err(format!(
            "values {} and {} are both {}: cells need different places",
            w[0] + 1,
            w[1] + 1,
            values[w[0]]
        )
        .into());
    }
    let moved = !order.is_sorted();
    let centers: Vec<f64> = order.iter().map(|&i| values[i]).collect();
    let labels = labels(&centers);
    let mut axis = Axis::number("", centers, labels);
    axis.kind = kind;
    axis.fell = moved && order.iter().rev().is_sorted();
    Ok((axis, moved.then_some(order)))
}

/// An axis whose cells lie between these edges, ascending, and the order of the cells that makes them so unless they did.
///
/// # Errors
/// When the edges neither rise nor fall throughout.
pub(crate) fn edged(mut edges: Vec<f64>) -> Result<(Axis, Option<Vec<usize>>), ArrayFault> {
    let falls = edges.first() > edges.last();
    if falls {
        edges.reverse();
    }
    if let Some(i) = edges.windows(2).position(|w| w[0] >= w[1]) {
        return Err(format!(
            "{} edges must rise or fall throughout; {} and {} do not",
            edges.len(),
            edges[i],
            edges[i + 1]
        )
        .into());
    }
    let n = edges.len() - 1;
    let centers: Vec<f64> = edges.windows(2).map(|w| w[0] + (w[1] - w[0]) / 2.0).collect();
    let labels = labels(&centers);
    let mut axis = Axis::number("", centers, labels);
    axis.coords = Some(Coords::Edges(edges));
    axis.fell = falls;
    Ok((axis, falls.then(|| (0..n).rev().collect())))
}

/// The text of each value: six digits, and more where two would read the same. Axes draw fewer.
pub(super) fn labels(values: &[f64]) -> Vec<String> {
    let gap = |i: usize, j: Option<usize>| {
        j.and_then(|j| values.get(j)).map_or(f64::INFINITY, |v| (v - values[i]).abs())
    };
    let text = |i: usize| {
        let v = values[i];
        let near = gap(i, i.checked_sub(1)).min(gap(i, Some(i + 1)));
        let rounded = |digits: usize| format!("{v:.*e}", digits - 1).parse::<f64>().unwrap_or(v);
        // A value that 6 digits give but for rounding of f64 keeps all of them.
        let short = rounded(6);
        if (short - v).abs() <= v.abs() * 1e-13 {
            return Number::F64(short).to_string();
        }
        let good = |digits: &usize| (rounded(*digits) - v).abs() < near / 20.0;
        Number::F64((6..=17).find(good).map_or(v, rounded)).to_string()
    };
    (0..values.len()).map(text).collect()
}

/// The ends of `A:B` or `A:B:log`, and whether the values between are logarithmic; anything else is a file's name.
pub(crate) fn range(spec: &str) -> Option<(f64, f64, bool)> {
    let parts: Vec<&str> = spec.split(':').map(str::trim).collect();
    let (a, b, log) = match parts[..] {
        [a, b] => (a, b, false),
        [a, b, "log"] => (a, b, true),
        _ => return None,
    };
    Some((a.parse().ok()?, b.parse().ok()?, log))
}

/// `n` values from `a` to `b`, both included; `a` alone where there is one cell.
///
/// # Errors
/// When an end is not finite, an end of a logarithmic range is not positive, or several cells would lie at one place.
pub(crate) fn spread(a: f64, b: f64, n: usize, log: bool) -> Result<Vec<f64>, ArrayFault> {
    if !a.is_finite() || !b.is_finite() || !(b - a).is_finite() {
        return Err("both ends must be finite".into());
    }
    if log && (a <= 0.0 || b <= 0.0) {
        return Err("a logarithmic axis needs both ends above 0".into());
    }
    if a == b && n > 1 {
        return Err(format!("{n} cells cannot all lie at {a}").into());
    }
    let steps = n.saturating_sub(1).max(1) as f64;
    let at = |i: usize| match i {
        0 => a,
        _ if i == n - 1 => b,
        _ if log => (a.ln() + (b.ln() - a.ln()) / steps * i as f64).exp(),
        _ => a + (b - a) / steps * i as f64,
    };
    Ok((0..n).map(at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64]) -> Axis {
        let labels = values.iter().map(f64::to_string).collect();
        Axis::number("v", values.to_vec(), labels)
    }

    fn of(kind: Option<AxisType>, values: &[f64]) -> Result<Axis, String> {
        let spec = AxisSpec { kind, ..AxisSpec::default() };
        typed(axis(values), &spec).map_err(|f| f.what)
    }

    #[test]
    fn types_are_those_of_columns() {
        let kind = |k, v: &[f64]| of(k, v).unwrap().kind;
        assert_eq!(kind(None, &[0.01, 0.1, 1.0]), AxisKind::Log);
        assert_eq!(kind(None, &[1.0, 2.0, 4.0]), AxisKind::Number);
        assert_eq!(kind(None, &[0.1, 0.2, 0.3]), AxisKind::Number);
        assert_eq!(kind(Some(AxisType::Number), &[0.01, 0.1, 1.0]), AxisKind::Number);
        assert_eq!(kind(Some(AxisType::Log), &[1.0, 2.0, 3.0]), AxisKind::Log);
        assert_eq!(kind(Some(AxisType::Category), &[1.0, 2.0]), AxisKind::Category);
        assert_eq!(
            of(Some(AxisType::Log), &[0.0, 2.0]).unwrap_err(),
            "a log axis needs numbers above 0, not 0"
        );
        let days = of(Some(AxisType::Time), &[0.0, 86_400.0]).unwrap();
        assert_eq!(
            (days.kind, days.levels[0].join(" ")),
            (AxisKind::Time, "1970-01-01 1970-01-02".to_owned())
        );
        assert_eq!(
            of(Some(AxisType::Time), &[0.0, 1e300]).unwrap_err(),
            "1e300 is not a time in seconds since 1970"
        );
        let spec = AxisSpec { spacing: Some(Spacing::True), ..AxisSpec::default() };
        assert_eq!(typed(axis(&[0.01, 0.1, 1.0]), &spec).map(|a| a.kind).ok(), Some(AxisKind::Number));
    }

    #[test]
    fn units_of_stores_give_times() {
        assert_eq!(since_1970(&[0.0, 1.5], "days since 1970-01-02"), Some(vec![86_400.0, 216_000.0]));
        assert_eq!(since_1970(&[2.0], "hours since 1970-1-1 12:00:00.0"), Some(vec![50_400.0]));
        assert_eq!(since_1970(&[1.0], "degrees_north"), None);
        assert_eq!(since_1970(&[1.0], "months since 1970-01-01"), None);
        assert_eq!(since_1970(&[1.0], "days since x"), None);
    }

    #[test]
    fn cells_of_a_logarithmic_axis_are_labelled_by_its_middle() {
        let (axis, _) = edged(vec![1.0, 100.0, 10_000.0]).unwrap();
        assert_eq!(axis.levels[0], ["50.5", "5050"]);
        let log = AxisSpec { kind: Some(AxisType::Log), ..AxisSpec::default() };
        let axis = typed(axis, &log).unwrap();
        assert_eq!((axis.levels[0].join(" "), axis.center(1)), ("10 1000".to_owned(), Some(1000.0)));
        let huge = typed(edged(vec![1e300, 1e306, 1e308]).unwrap().0, &log).unwrap();
        assert!(huge.center(1).is_some_and(|c| c > 1e306 && c < 1e308));
    }

    #[test]
    fn labels_are_short_and_tell_neighbours_apart() {
        assert_eq!(labels(&[0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5]), ["0", "0.166667", "0.333333", "0.5"]);
        assert_eq!(labels(&[0.123456, 7.0]), ["0.123456", "7"]);
        assert_eq!(labels(&[1e9 + 1.0, 1e9 + 2.0]), ["1000000001", "1000000002"]);
        assert_eq!(labels(&[std::f64::consts::PI]), ["3.14159"]);
        let many: Vec<f64> = (0..200).map(|i| f64::from(i) / 199.0).collect();
        let mut texts = labels(&many);
        assert!(texts.iter().all(|t| t.len() <= 10), "{texts:?}");
        texts.dedup();
        assert_eq!(texts.len(), 200);
    }
}
