//! Panels with equal axes, which have the same labels and may leave them to an outer panel.

use super::tick_set::TickSet;
use crate::resolve::{Frame, PanelFrame};
use gridscope_core::grid::{Axis, Coords};
use gridscope_core::lint::Lints;
use gridscope_core::view::Part;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// For each panel, the first panel with an equal axis, which may be the panel itself.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    /// For the axis along the bottom.
    pub x: Vec<usize>,
    /// For the axis down the side.
    pub y: Vec<usize>,
}

/// An axis and the part of it that a body shows.
type Side<'f> = (&'f Axis, Option<Part>);

impl Sharing {
    /// Compares the axes of all panels.
    pub(super) fn of(frame: &Frame) -> Self {
        let x = firsts(&frame.panels, |p| (&p.columns, p.part_x));
        let y = firsts(&frame.panels, |p| (&p.rows, p.part_y));
        Self { x, y }
    }

    /// The warnings about the labels of a panel, unless an earlier panel has the same. Those of the first panel do not name
    /// it.
    pub(super) fn lints(&self, frame: &Frame, i: usize, x: &TickSet, y: &TickSet) -> Lints {
        let mut out = Lints::default();
        for (first, labels) in [(self.x[i], x), (self.y[i], y)] {
            if first == i {
                out.append(labels.lints.clone());
            }
        }
        if i > 0 {
            out.0.iter_mut().for_each(|lint| lint.panel = Some(frame.panels[i].name.clone()));
        }
        out
    }
}

/// For each panel, the first one with an equal side. Hashing makes this linear in the number of labels.
fn firsts<'f>(panels: &'f [PanelFrame], side: impl Fn(&'f PanelFrame) -> Side<'f>) -> Vec<usize> {
    let mut met: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut out = Vec::with_capacity(panels.len());
    for (i, panel) in panels.iter().enumerate() {
        let own = side(panel);
        let alike = met.entry(hash(own)).or_default();
        let first = alike.iter().copied().find(|&j| are_equal(side(&panels[j]), own));
        if first.is_none() {
            alike.push(i);
        }
        out.push(first.unwrap_or(i));
    }
    out
}

/// Whether the same cells have the same labels at the same places. Titles and strips are not compared: each panel has its
/// own strip.
fn are_equal((a, of_a): Side<'_>, (b, of_b): Side<'_>) -> bool {
    of_a == of_b
        && (a.kind, a.len(), a.start) == (b.kind, b.len(), b.start)
        && a.coords == b.coords
        && a.levels == b.levels
}

fn hash((axis, part): Side<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (axis.kind as u8, axis.len(), axis.start).hash(&mut hasher);
    axis.levels.hash(&mut hasher);
    let coords = match &axis.coords {
        Some(Coords::Centers(v) | Coords::Edges(v)) => v.as_slice(),
        None => &[],
    };
    // Adding 0 turns -0 into 0, because the two are equal.
    let mut number = |v: f64| (v + 0.0).to_bits().hash(&mut hasher);
    coords.iter().copied().for_each(&mut number);
    if let Some(part) = part {
        number(part.from);
        number(part.to);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::{Overrides, frame};
    use gridscope_core::figure::Figure;
    use gridscope_core::grid::{Grid, Values};

    fn of(rows: Vec<Axis>) -> Vec<usize> {
        let grid = |rows: Axis| {
            let values = Values::F64(vec![1.0; rows.len() * 2]);
            Grid::new(rows, Axis::index("", 2), values, &[]).unwrap()
        };
        let grids: Vec<Grid> = rows.into_iter().map(grid).collect();
        Sharing::of(&frame(&Figure::default(), &Overrides::default(), &grids).unwrap()).y
    }

    #[test]
    fn axes_are_equal_if_their_labels_are() {
        let words = |w: &[&str]| w.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let names = |w: &[&str]| Axis::category("k", words(w));
        let numbers = |c: &[f64]| Axis::number("k", c.to_vec(), words(&["1", "2"]));
        let mut titled = names(&["a", "b"]);
        titled.name = "other title".to_owned();
        let rows = vec![
            names(&["a", "b"]),
            names(&["b", "a"]),
            names(&["a", "b", "c"]),
            titled,
            numbers(&[0.0, 2.0]),
            numbers(&[-0.0, 2.0]),
            numbers(&[0.5, 2.0]),
            Axis::index("", 2),
            Axis::index("", 9).slice(0..2),
            Axis::index("", 9).slice(1..3),
        ];
        assert_eq!(of(rows), [0, 1, 2, 0, 4, 4, 6, 7, 7, 9]);
    }

    #[test]
    fn one_label_makes_axes_different() {
        let axis = |i: usize| {
            let last = if i.is_multiple_of(2) { "same".to_owned() } else { format!("own {i}") };
            Axis::category("k", (0..40).map(|k| format!("label {k}")).chain([last]).collect())
        };
        let found = of((0..300).map(axis).collect());
        let want = |i: usize| if i.is_multiple_of(2) { 0 } else { i };
        assert!(found.iter().enumerate().all(|(i, first)| *first == want(i)));
    }
}
