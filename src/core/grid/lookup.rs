//! The rows and columns that keys name, as people write them.

use super::{Axis, AxisKind, Grid};
use crate::text::{clean, nearest};

/// The part of an axis that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisPart {
    /// The whole axis.
    Whole,
    /// One level of a nested one.
    Level(usize),
    /// Its positions.
    Position,
}

impl Grid {
    /// The axis that a name means, rows if true: by its own name, that of one of its levels, `x` or `y`, or `row` or
    /// `column` for positions. None where no axis or both have the name.
    pub fn side_named(&self, name: &str) -> Option<(bool, AxisPart)> {
        let name = name.trim();
        let axes = [(false, self.columns()), (true, self.rows())];
        let own = |axis: &Axis| -> Option<AxisPart> {
            if axis.name.is_empty() {
                return None;
            }
            let levels: Vec<&str> = axis.name.split(", ").collect();
            let level = levels.iter().position(|l| *l == name);
            let level = level.filter(|_| levels.len() > 1 && levels.len() == axis.levels.len());
            level.map(AxisPart::Level).or_else(|| (axis.name == name).then_some(AxisPart::Whole))
        };
        let mut found = axes.iter().filter_map(|(rows, axis)| Some((*rows, own(axis)?)));
        match (found.next(), found.next()) {
            (Some(one), None) => Some(one),
            (Some(_), Some(_)) => None,
            _ => match name {
                "x" => Some((false, AxisPart::Whole)),
                "y" => Some((true, AxisPart::Whole)),
                "column" => Some((false, AxisPart::Position)),
                "row" => Some((true, AxisPart::Position)),
                _ => None,
            },
        }
    }
}

/// Keys that an unknown one is compared with: no more than people write.
const COMPARED: usize = 10_000;
/// The nearest keys that a message names.
const NAMED: usize = 3;

impl Axis {
    /// Whether a cell has a key in this part of the axis: its text, or its number.
    pub(crate) fn has_key(&self, i: usize, part: AxisPart, key: &str, number: Option<f64>) -> bool {
        let near = |v: f64| number.is_some_and(|n| v == n || (v - n).abs() <= 1e-12 * n.abs());
        let is_text = |text: &str| text == key || text.parse::<f64>().is_ok_and(near);
        match part {
            AxisPart::Position => near((self.start + i) as f64),
            AxisPart::Level(level) => is_text(&self.levels[level][i]),
            AxisPart::Whole if self.levels.is_empty() && self.coords.is_none() => {
                near((self.start + i) as f64)
            }
            AxisPart::Whole => {
                is_text(&self.label(i)) || self.kind != AxisKind::Time && self.center(i).is_some_and(near)
            }
        }
    }

    /// The cells that have a key in this part of the axis.
    pub fn cells_named(&self, part: AxisPart, key: &str) -> Vec<usize> {
        let (key, number) = (key.trim(), key.trim().parse::<f64>().ok());
        let of = |i: &usize| self.has_key(*i, part, key, number);
        (0..self.len()).filter(of).collect()
    }

    /// Message for a key that no cell has in this part of the axis, which is called `name`: the nearest keys.
    pub fn unknown_key(&self, part: AxisPart, name: &str, key: &str) -> String {
        let known: Vec<String> = (0..self.len().min(COMPARED)).map(|i| self.text_of(part, i)).collect();
        let mut numbers: Vec<(f64, &str)> = key.parse::<f64>().map_or(Vec::new(), |value| {
            let distance = |k: &'_ String| Some((k.parse::<f64>().ok()? - value).abs());
            known.iter().filter_map(|k| Some((distance(k)?, k.as_str()))).collect()
        });
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        numbers.dedup_by(|a, b| a.1 == b.1);
        let near: Vec<String> = match numbers.is_empty() {
            false => numbers.iter().take(NAMED).map(|n| clean(n.1)).collect(),
            true => nearest(key, known.iter().map(String::as_str)).map(clean).into_iter().collect(),
        };
        let near = match near.is_empty() {
            true => {
                let first: Vec<String> = known.iter().take(NAMED).map(|k| clean(k)).collect();
                format!("the first keys are {}", first.join(", "))
            }
            false => format!("the nearest: {}", near.join(", ")),
        };
        format!("no cell has {} {}; {near}", clean(name), clean(key))
    }

    /// The text of a cell in this part of the axis.
    pub(crate) fn text_of(&self, part: AxisPart, i: usize) -> String {
        match part {
            AxisPart::Position => (self.start + i).to_string(),
            AxisPart::Level(level) => self.levels[level][i].clone(),
            AxisPart::Whole => self.label(i),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Values;

    fn grid(rows: Axis, columns: Axis) -> Grid {
        let n = rows.len() * columns.len();
        Grid::new(rows, columns, Values::F64(vec![0.0; n]), &[]).unwrap()
    }

    #[test]
    fn axes_are_found_by_their_names() {
        let words = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let nested = Axis::nested("model, method", vec![words(&["A", "A", "B"]), words(&["1", "2", "1.0"])]);
        let ratio = Axis::number("ratio", vec![0.1 + 0.2, 0.5], words(&["0.30", "0.5"]));
        let g = grid(ratio, nested);
        assert_eq!(g.side_named("ratio"), Some((true, AxisPart::Whole)));
        assert_eq!(g.side_named("method"), Some((false, AxisPart::Level(1))));
        assert_eq!(g.side_named("x"), Some((false, AxisPart::Whole)));
        assert_eq!((g.side_named("row").map(|s| s.1), g.side_named("p")), (Some(AxisPart::Position), None));
        assert_eq!(g.rows().cells_named(AxisPart::Whole, "0.3"), [0]);
        assert_eq!(g.columns().cells_named(AxisPart::Level(0), "A"), [0, 1]);
        assert_eq!(g.columns().cells_named(AxisPart::Level(1), "1"), [0, 2]);
        assert_eq!(g.columns().cells_named(AxisPart::Whole, "A, 2"), [1]);
        let same = grid(Axis::category("m", words(&["a"])), Axis::category("m", words(&["a"])));
        assert_eq!((same.side_named("m"), same.side_named("y")), (None, Some((true, AxisPart::Whole))));
    }
}
