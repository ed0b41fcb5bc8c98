//! Axes with numbers for their cells: centres or edges, in ascending order, and a label for each.

use super::fault::Fault;
use gridscope_core::grid::{Axis, AxisKind, Coords, Number};

/// Coordinates that a file gives for the grids in it.
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
}

/// An axis whose cells lie at these values, ascending, and the order of the cells that makes them so unless they did.
///
/// # Errors
/// When two values are equal.
pub(crate) fn sorted(values: Vec<f64>, kind: AxisKind) -> Result<(Axis, Option<Vec<usize>>), Fault> {
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
    Ok((axis, moved.then_some(order)))
}

/// An axis whose cells lie between these edges, ascending, and the order of the cells that makes them so unless they did.
///
/// # Errors
/// When the edges neither rise nor fall throughout.
pub(crate) fn edged(mut edges: Vec<f64>) -> Result<(Axis, Option<Vec<usize>>), Fault> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
