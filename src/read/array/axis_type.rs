//! Type of an axis with coordinates: as the figure gives it, else by its numbers.

use super::coordinates::labels;
use super::fault::Fault;
use gridscope_core::calendar::{iso_texts, unit_since};
use gridscope_core::figure::{AxisSpec, AxisType, Spacing};
use gridscope_core::grid::{Axis, AxisKind, Coords, Number, Steps};

/// An axis of numbers as the type of the figure has it. Without one, numbers in equal ratios are logarithmic, unless they are whole, as
/// sizes often are, or true spacing was asked for.
///
/// # Errors
/// Numbers that the type does not allow.
pub(crate) fn typed(mut axis: Axis, spec: &AxisSpec) -> Result<Axis, Fault> {
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
pub(crate) fn timed(mut axis: Axis) -> Result<Axis, Fault> {
    let seconds: Vec<f64> = (0..axis.len()).filter_map(|i| axis.center(i)).collect();
    let texts = iso_texts(&seconds).map_err(|v| {
        let what = format!("{} is not a time in seconds since 1970", Number::F64(v));
        Fault::from(what)
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

#[cfg(test)]
mod tests {
    use super::super::coordinates::edged;
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
}
