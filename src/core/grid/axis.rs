//! A side of a grid: labels, coordinates, groups, the tree of its cells, and the cells that keys name.

use super::Grid;
use crate::text::{clean, nearest};
use std::ops::Range;
use std::sync::Arc;

/// Quantity along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// Plain positions 0, 1, 2 …
    Index,
    /// Names in an order.
    Category,
    /// Numbers.
    Number,
    /// Positive numbers, evenly spaced in their logarithm.
    Log,
    /// Dates and times; coordinates are seconds since 1970.
    Time,
}

/// Where the cells of a numeric axis lie.
#[derive(Clone, Debug, PartialEq)]
pub enum Coords {
    /// One value a cell.
    Centers(Vec<f64>),
    /// One more than the cells.
    Edges(Vec<f64>),
}

/// One side of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The columns it came from ("ratio"), empty if unknown.
    pub name: String,
    /// Quantity along it.
    pub kind: AxisKind,
    /// Label levels from the outer to the inner; each has one text a cell. Empty for an index axis.
    pub levels: Vec<Vec<String>>,
    /// Coordinates of a numeric axis.
    pub coords: Option<Coords>,
    /// Cells are bins, whose labels say both edges.
    pub binned: bool,
    /// Its coordinates fell where they were read: as rows they grow upward, so that the first of the file stays on top.
    pub fell: bool,
    /// Side strips, each with a text a cell: a category or a number.
    pub strips: Vec<Vec<String>>,
    /// The tree of its cells, where their order is that of a clustering.
    pub tree: Option<Arc<Tree>>,
    /// How many cells there were before some were left out; `None` where none was.
    pub kept_of: Option<usize>,
    /// The first index shown, when the axis is a part of a longer index axis.
    pub start: usize,
    len: usize,
}

impl Axis {
    /// Positions 0..len.
    pub fn index(name: &str, len: usize) -> Self {
        Self {
            name: name.to_owned(),
            kind: AxisKind::Index,
            levels: Vec::new(),
            coords: None,
            binned: false,
            fell: false,
            strips: Vec::new(),
            tree: None,
            kept_of: None,
            start: 0,
            len,
        }
    }

    /// Names.
    pub fn category(name: &str, labels: Vec<String>) -> Self {
        let len = labels.len();
        Self { kind: AxisKind::Category, levels: vec![labels], ..Self::index(name, len) }
    }

    /// Names in several levels, the outer first.
    ///
    /// # Panics
    /// When the levels differ in length or there is none.
    pub fn nested(name: &str, levels: Vec<Vec<String>>) -> Self {
        let len = levels[0].len();
        assert!(levels.iter().all(|l| l.len() == len), "levels of an axis are equally long");
        Self { kind: AxisKind::Category, levels, ..Self::index(name, len) }
    }

    /// Numbers, one a cell, with the text of each.
    ///
    /// # Panics
    /// When there are not as many labels as centres.
    pub fn number(name: &str, centers: Vec<f64>, labels: Vec<String>) -> Self {
        assert_eq!(centers.len(), labels.len(), "one label a centre");
        let len = labels.len();
        Self {
            kind: AxisKind::Number,
            levels: vec![labels],
            coords: Some(Coords::Centers(centers)),
            ..Self::index(name, len)
        }
    }

    /// Cells.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text of a cell, all levels joined by ", "; the index where there are no labels.
    pub fn label(&self, i: usize) -> String {
        if self.levels.is_empty() {
            return (self.start + i).to_string();
        }
        self.levels.iter().map(|l| l[i].as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The centre of a cell on a numeric axis: between edges the middle, in the logarithm on a log axis.
    pub fn center(&self, i: usize) -> Option<f64> {
        match self.coords.as_ref()? {
            Coords::Centers(c) => c.get(i).copied(),
            Coords::Edges(e) => {
                let (a, b) = (*e.get(i)?, *e.get(i + 1)?);
                let log = self.kind == AxisKind::Log && a > 0.0 && b > 0.0;
                Some(if log { a.sqrt() * b.sqrt() } else { a + (b - a) / 2.0 })
            }
        }
    }

    /// The cell boundaries in data coordinates: given, or halfway between centres (in the logarithm on a log axis).
    pub fn edges(&self) -> Option<Vec<f64>> {
        let c = match self.coords.as_ref()? {
            Coords::Edges(e) => return Some(e.clone()),
            Coords::Centers(c) => c,
        };
        let log = self.kind == AxisKind::Log && c.iter().all(|v| *v > 0.0);
        let t: Vec<f64> = if log { c.iter().map(|v| v.ln()).collect() } else { c.clone() };
        let n = t.len();
        let half = |i: usize, j: usize| (t[j] - t[i]) / 2.0;
        let mut e = Vec::with_capacity(n + 1);
        if n == 1 {
            e.extend([t[0] - 0.5, t[0] + 0.5]);
        } else {
            e.push(t[0] - half(0, 1));
            e.extend((1..n).map(|i| t[i - 1] + half(i - 1, i)));
            e.push(t[n - 1] + half(n - 2, n - 1));
        }
        Some(if log { e.into_iter().map(f64::exp).collect() } else { e })
    }

    /// The part of cells `r`.
    ///
    /// # Panics
    /// When `r` leaves the axis.
    pub fn slice(&self, r: Range<usize>) -> Axis {
        let coords = self.coords.as_ref().map(|c| match c {
            Coords::Centers(c) => Coords::Centers(c[r.clone()].to_vec()),
            Coords::Edges(e) => Coords::Edges(e[r.start..=r.end].to_vec()),
        });
        Axis {
            name: self.name.clone(),
            kind: self.kind,
            levels: self.levels.iter().map(|l| l[r.clone()].to_vec()).collect(),
            coords,
            binned: self.binned,
            fell: self.fell,
            strips: self.strips.iter().map(|s| s[r.clone()].to_vec()).collect(),
            tree: self.tree.as_ref().map(|tree| Arc::new(tree.shifted(r.start))),
            kept_of: self.kept_of,
            start: self.start + r.start,
            len: r.len(),
        }
    }

    /// Cell `order[i]` becomes cell i. Of neighbours in their order all is kept; else edges become centres and plain positions
    /// labels, for both speak of an order.
    ///
    /// # Panics
    /// When an index leaves the axis.
    pub fn permuted(&self, order: &[usize]) -> Axis {
        if order.iter().copied().eq(0..self.len) {
            return self.clone();
        }
        if let Some(first) = order.first()
            && order.iter().copied().eq(*first..first + order.len())
        {
            return Axis { tree: None, ..self.slice(*first..first + order.len()) };
        }
        let pick = |texts: &Vec<String>| order.iter().map(|&i| texts[i].clone()).collect::<Vec<_>>();
        let levels = if self.levels.is_empty() {
            vec![order.iter().map(|&i| self.label(i)).collect()]
        } else {
            self.levels.iter().map(pick).collect()
        };
        Axis {
            name: self.name.clone(),
            kind: if self.kind == AxisKind::Index { AxisKind::Category } else { self.kind },
            levels,
            coords: self
                .coords
                .as_ref()
                .map(|_| Coords::Centers(order.iter().filter_map(|&i| self.center(i)).collect())),
            binned: false,
            fell: false,
            strips: self.strips.iter().map(pick).collect(),
            tree: None,
            kept_of: self.kept_of,
            start: 0,
            len: order.len(),
        }
    }

    /// Lengths of the runs of equal labels in level `level`, the outer levels taken along.
    pub fn groups(&self, level: usize) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for i in 0..self.len {
            let same = i > 0 && self.levels[..=level].iter().all(|l| l[i] == l[i - 1]);
            match out.last_mut() {
                Some(g) if same => g.end = i + 1,
                _ => out.push(i..i + 1),
            }
        }
        out
    }
}

/// A merge of two neighbouring clusters of cells. Places are in cells: the middle of the first cell is 0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Join {
    /// The place of each cluster, and the height at which it was made: 0 for a single cell.
    pub ends: [(f64, f64); 2],
    /// The distance of the two.
    pub height: f64,
}

/// The merges of a hierarchical clustering, over cells in the order of its leaves. Groups that were clustered each by itself
/// have a tree each, here all together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    joins: Vec<Join>,
    height: f64,
}

impl Tree {
    /// A tree of these merges.
    pub fn new(joins: Vec<Join>) -> Self {
        let height = joins.iter().map(|j| j.height).fold(0.0, f64::max);
        Self { joins, height }
    }

    /// The merges.
    pub fn joins(&self) -> &[Join] {
        &self.joins
    }

    /// The greatest distance at which clusters merge.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The same tree over an axis that begins with another cell.
    pub(super) fn shifted(&self, first: usize) -> Self {
        let shift = |(place, height): (f64, f64)| (place - first as f64, height);
        let joins = self.joins.iter().map(|join| Join { ends: join.ends.map(shift), height: join.height });
        Self { joins: joins.collect(), height: self.height }
    }
}

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

    fn words(w: &[&str]) -> Vec<String> {
        w.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn edges_lie_halfway() {
        let a = Axis::number("x", vec![0.0, 1.0, 3.0], words(&["0", "1", "3"]));
        assert_eq!(a.edges().unwrap(), vec![-0.5, 0.5, 2.0, 4.0]);
        assert_eq!(a.slice(1..3).edges().unwrap(), vec![0.0, 2.0, 4.0]);
    }

    #[test]
    fn neighbours_keep_their_edges() {
        let mut bins = Axis::category("x", words(&["0–1", "1–10", "10–100", "100–1000"]));
        bins.coords = Some(Coords::Edges(vec![0.0, 1.0, 10.0, 100.0, 1000.0]));
        bins.binned = true;
        let kept = bins.permuted(&[1, 2]);
        assert_eq!((kept.edges(), kept.binned), (Some(vec![1.0, 10.0, 100.0]), true));
        let turned = bins.permuted(&[2, 1]);
        assert!(!turned.binned && matches!(turned.coords, Some(Coords::Centers(_))));
    }

    #[test]
    fn groups_follow_the_outer_level() {
        let a = Axis::nested("m,k", vec![words(&["a", "a", "b", "b"]), words(&["1", "2", "2", "2"])]);
        assert_eq!(a.groups(0), vec![0..2, 2..4]);
        assert_eq!(a.groups(1), vec![0..1, 1..2, 2..4]);
        assert_eq!(a.label(1), "a, 2");
    }

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
