//! One or several key columns as an axis, and the cells between two of them while they are collected.

use super::dates::{no_times, times};
use super::keys::{EMPTY, Keys, OUTSIDE};
use crate::array::by_ratio;
use crate::error::InputError;
use gridscope_core::figure::{AxisSpec, AxisType, Order, OrderWord};
use gridscope_core::grid::{Axis, AxisKind, Cell, Grid, Number, State, Values};
use std::collections::HashMap;

/// The keys of an axis: one column's, or the combinations of several that occur.
#[derive(Clone, Debug)]
pub(super) struct AxisKeys {
    /// The columns, the outer first.
    pub columns: Vec<Keys>,
    /// The id of each row, or [`EMPTY`], or [`OUTSIDE`].
    pub codes: Vec<u32>,
    /// The columns' ids of each combination; empty for one column.
    tuples: Vec<Vec<u32>>,
}

impl AxisKeys {
    /// Joins columns.
    pub(super) fn new(mut columns: Vec<Keys>) -> Self {
        if columns.len() == 1 {
            let codes = std::mem::take(&mut columns[0].codes);
            return Self { columns, codes, tuples: Vec::new() };
        }
        let rows = columns.first().map_or(0, |k| k.codes.len());
        let mut ids: HashMap<Vec<u32>, u32> = HashMap::new();
        let (mut codes, mut tuples) = (Vec::with_capacity(rows), Vec::new());
        let mut tuple = Vec::new();
        for row in 0..rows {
            tuple.clear();
            tuple.extend(columns.iter().map(|k| k.codes[row]));
            let left_out = if tuple.contains(&EMPTY) {
                Some(EMPTY)
            } else {
                tuple.contains(&OUTSIDE).then_some(OUTSIDE)
            };
            codes.push(left_out.unwrap_or_else(|| {
                ids.get(&tuple).copied().unwrap_or_else(|| {
                    let next = tuples.len() as u32;
                    ids.insert(tuple.clone(), next);
                    tuples.push(tuple.clone());
                    next
                })
            }));
        }
        Self { columns, codes, tuples }
    }

    /// How many keys or combinations.
    pub(super) fn len(&self) -> usize {
        if self.columns.len() == 1 { self.columns[0].labels.len() } else { self.tuples.len() }
    }

    /// Whether a key, or one of a combination, is that of rows without one.
    pub(super) fn is_blank(&self, id: u32) -> bool {
        let blank = |(id, keys): (&u32, &Keys)| keys.blank == Some(*id);
        self.ids_of(&id).iter().zip(&self.columns).any(blank)
    }

    /// The ids of a combination in its columns.
    pub(super) fn ids_of<'a>(&'a self, id: &'a u32) -> &'a [u32] {
        match self.tuples.get(*id as usize) {
            Some(tuple) => tuple,
            None => std::slice::from_ref(id),
        }
    }

    /// The label of a combination in each of its columns.
    pub(super) fn labels_of(&self, id: u32) -> Vec<&str> {
        let levels = self.ids_of(&id).iter().zip(&self.columns);
        levels.map(|(&id, keys)| keys.labels[id as usize].as_str()).collect()
    }

    /// The columns' names.
    pub(super) fn name(&self) -> String {
        self.columns.iter().map(|k| k.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Ids in order: those present, and those of the domain; `sums` (sum and count of each id's cells) serve the order by value.
    pub(super) fn order(&self, spec: &AxisSpec, present: &[bool], sums: Option<&[(f64, u64)]>) -> Vec<u32> {
        let order = spec.order.as_ref();
        let mean = |(s, n): &(f64, u64)| if *n == 0 { f64::NAN } else { s / *n as f64 };
        if let [keys] = self.columns.as_slice() {
            let means: Option<Vec<f64>> = sums.map(|s| s.iter().map(mean).collect());
            let mut ids = keys.order(order, means.as_deref());
            ids.retain(|&id| present[id as usize] || (id as usize) < keys.seeded);
            return ids;
        }
        let ranks: Vec<Vec<u32>> = (0..self.columns.len())
            .map(|level| {
                let keys = &self.columns[level];
                let means: Option<Vec<f64>> = sums.map(|sums| {
                    let mut of_key = vec![(0.0, 0); keys.labels.len()];
                    for (tuple, (s, n)) in self.tuples.iter().zip(sums) {
                        let k: &mut (f64, u64) = &mut of_key[tuple[level] as usize];
                        *k = (k.0 + s, k.1 + n);
                    }
                    of_key.iter().map(mean).collect()
                });
                let mut rank = vec![0; keys.labels.len()];
                for (at, id) in keys.order(order, means.as_deref()).into_iter().enumerate() {
                    rank[id as usize] = at as u32;
                }
                rank
            })
            .collect();
        let mut ids: Vec<u32> = (0..self.tuples.len() as u32).filter(|&id| present[id as usize]).collect();
        ids.sort_by_cached_key(|&id| {
            self.tuples[id as usize].iter().zip(&ranks).map(|(&k, r)| r[k as usize]).collect::<Vec<_>>()
        });
        ids
    }

    /// Whether the figure or the file gives the keys an order.
    fn is_ordered(&self, spec: &AxisSpec) -> bool {
        spec.order.is_some() || spec.domain.is_some() || self.columns.iter().any(Keys::is_given)
    }

    /// Puts `ids` in the order that the other axis has, `leader` with its ids, where both have the same labels. Keys that
    /// are numbers or times on both axes have one order already.
    fn follow(&self, ids: &mut Vec<u32>, spec: &AxisSpec, leader: &Self, of_leader: &[u32]) {
        let ([keys], [others]) = (self.columns.as_slice(), leader.columns.as_slice()) else {
            return;
        };
        let is_scale = matches!(spec.kind, Some(AxisType::Number | AxisType::Log | AxisType::Time));
        if is_scale || keys.is_ranked() && others.is_ranked() {
            return;
        }
        if let Some(order) = following(&others.texts(of_leader), &keys.texts(ids)) {
            *ids = order.into_iter().map(|at| ids[at]).collect();
        }
    }

    /// The axis of these ids.
    ///
    /// # Errors
    /// When it is to be a number axis and cannot.
    pub(super) fn axis(&self, ids: &[u32], spec: &AxisSpec, file: &str) -> Result<Axis, InputError> {
        let [keys] = self.columns.as_slice() else {
            let level = |c: usize| {
                let labels = &self.columns[c].labels;
                ids.iter().map(|&id| labels[self.tuples[id as usize][c] as usize].clone()).collect()
            };
            if matches!(spec.kind, Some(AxisType::Number | AxisType::Log | AxisType::Time)) {
                return Err(InputError::usage(
                    file,
                    format!("an axis of several columns ({}) cannot be a number or time axis", self.name()),
                ));
            }
            return Ok(Axis::nested(&self.name(), (0..self.columns.len()).map(level).collect()));
        };
        let numbers: Option<Vec<f64>> =
            keys.numbers.as_ref().map(|n| ids.iter().map(|&id| n[id as usize]).collect());
        let labels: Vec<String> = ids.iter().map(|&id| keys.labels[id as usize].clone()).collect();
        if let Some(bins) = &keys.bins
            && spec.kind != Some(AxisType::Category)
            && let Some(axis) = bins.axis(&labels)
        {
            return Ok(axis);
        }
        of_labels(&keys.name, labels, numbers, spec.kind, keys.first_text(), file)
            .map(|axis| by_ratio(axis, spec))
    }
}

/// Gives the axes x and y one order where they have the same labels: that of y, unless only x has an order of its own. An
/// axis whose order is given stays as it is, and an order by value is for its own axis alone.
pub(super) fn share_order([x, y]: &[AxisKeys; 2], specs: [&AxisSpec; 2], ids: &mut [Vec<u32>; 2]) {
    let by_value = |spec: &AxisSpec| spec.order == Some(Order::Word(OrderWord::Value));
    let [of_x, of_y] = ids;
    match (x.is_ordered(specs[0]), y.is_ordered(specs[1])) {
        (true, true) => {}
        (true, false) if by_value(specs[0]) => {}
        (true, false) => y.follow(of_y, specs[1], x, of_x),
        (false, _) if by_value(specs[1]) => {}
        (false, _) => x.follow(of_x, specs[0], y, of_y),
    }
}

/// The axis of labels in their order: a number axis where all are numbers that grow, unless
/// `kind` says otherwise; else names.
///
/// # Errors
/// When it is to be a number axis and cannot.
pub(super) fn of_labels(
    name: &str,
    labels: Vec<String>,
    numbers: Option<Vec<f64>>,
    kind: Option<AxisType>,
    first_text: Option<String>,
    file: &str,
) -> Result<Axis, InputError> {
    let grows = |n: &[f64]| n.iter().all(|v| v.is_finite()) && n.windows(2).all(|w| w[0] < w[1]);
    let usage = |what: String| Err(InputError::usage(file, format!("axis '{name}': {what}")));
    let asked = kind == Some(AxisType::Time);
    let found = if asked || kind.is_none() && numbers.is_none() && labels.len() > 1 {
        times(&labels, numbers.as_deref(), asked).filter(|t| grows(&t.0))
    } else {
        None
    };
    if let Some((seconds, texts)) = found {
        let mut axis = Axis::number(name, seconds, texts.unwrap_or(labels));
        axis.kind = AxisKind::Time;
        return Ok(axis);
    }
    match (kind, numbers) {
        (Some(AxisType::Time), numbers) => usage(no_times(&labels, numbers.as_deref())),
        (None, Some(n)) if grows(&n) => Ok(Axis::number(name, n, labels)),
        (None | Some(AxisType::Category), _) => Ok(Axis::category(name, labels)),
        (Some(_), None) => usage(format!("{} is not a number", first_text.unwrap_or_default())),
        (Some(_), Some(n)) if !grows(&n) => {
            usage("a number axis needs finite numbers in growing order".into())
        }
        (Some(AxisType::Log), Some(n)) if n[0] <= 0.0 => {
            usage(format!("a log axis needs numbers above 0, not {}", Number::F64(n[0])))
        }
        (Some(kind), Some(n)) => {
            let mut axis = Axis::number(name, n, labels);
            axis.kind = if kind == AxisType::Log { AxisKind::Log } else { AxisKind::Number };
            Ok(axis)
        }
    }
}

/// The order of an axis, as places in `labels`, that follows the one of the other axis, `leader`: labels of both are in its
/// order, and each of the others stays before the label that it precedes. `None` where the labels are not the same set, or
/// are in one order already.
///
/// They are the same set where one axis lacks labels of the other, or where at least half of all labels are on both. Fewer
/// than two common labels have no order.
pub(super) fn following(leader: &[&str], labels: &[&str]) -> Option<Vec<usize>> {
    let places: HashMap<&str, usize> = leader.iter().copied().zip(0..).collect();
    let own: HashMap<&str, usize> = labels.iter().copied().zip(0..).collect();
    if places.len() < leader.len() || own.len() < labels.len() {
        return None;
    }
    let common: Vec<Option<usize>> = labels.iter().map(|l| places.get(l).copied()).collect();
    let shared = common.iter().flatten().count();
    let is_part = shared == leader.len().min(labels.len());
    let all = leader.len() + labels.len() - shared;
    let is_same_set = shared > 1 && (is_part || 2 * shared >= all);
    if !is_same_set || common.iter().flatten().is_sorted() {
        return None;
    }
    // A label of one axis only takes the place just before the next label of both.
    let mut next = usize::MAX;
    let mut keys: Vec<(usize, bool, usize)> = Vec::with_capacity(labels.len());
    for (at, place) in common.iter().enumerate().rev() {
        next = place.unwrap_or(next);
        keys.push((next, place.is_some(), at));
    }
    keys.sort_unstable();
    Some(keys.into_iter().map(|key| key.2).collect())
}

/// Numbers put one after another in the narrowest type that holds them all: i64, u64, f64.
#[derive(Clone, Debug)]
pub(super) struct Numbers(Values);

impl Default for Numbers {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Numbers {
    /// None yet, room for this many.
    pub(super) fn with_capacity(n: usize) -> Self {
        Self(Values::I64(Vec::with_capacity(n)))
    }

    /// Adds one.
    pub(super) fn push(&mut self, n: Number) {
        match (&mut self.0, n) {
            (Values::I64(v), Number::I64(n)) => v.push(n),
            (Values::F64(v), n) => v.push(n.as_f64()),
            (Values::U64(v), Number::U64(n)) => v.push(n),
            (Values::U64(v), Number::I64(n)) if n >= 0 => v.push(n as u64),
            (Values::I64(v), Number::U64(n)) if v.iter().all(|v| *v >= 0) => {
                let mut wide: Vec<u64> = v.iter().map(|v| *v as u64).collect();
                wide.push(n);
                self.0 = Values::U64(wide);
            }
            (any, n) => {
                let mut wide: Vec<f64> = (0..any.len()).map(|i| any.get(i).as_f64()).collect();
                wide.push(n.as_f64());
                self.0 = Values::F64(wide);
            }
        }
    }

    /// Adds a place that a state takes.
    fn push_empty(&mut self) {
        match &mut self.0 {
            Values::I64(v) => v.push(0),
            Values::U64(v) => v.push(0),
            Values::F64(v) => v.push(f64::NAN),
            Values::F32 { data, .. } => data.push(f32::NAN),
        }
    }

    /// The one at a place.
    pub(super) fn get(&self, i: usize) -> Number {
        self.0.get(i)
    }
}

/// Cells one after another: their numbers, and why others hold none.
#[derive(Debug, Default)]
pub(super) struct CellValues {
    numbers: Numbers,
    states: Vec<Option<State>>,
}

impl CellValues {
    /// These cells, of which there are `n`.
    pub(super) fn of(n: usize, cells: impl Iterator<Item = Cell>) -> Self {
        let mut values = Self { numbers: Numbers::with_capacity(n), states: Vec::with_capacity(n) };
        cells.for_each(|cell| values.push(cell));
        values
    }

    /// Adds a cell.
    pub(super) fn push(&mut self, cell: Cell) {
        match cell {
            Cell::Value(number) => self.numbers.push(number),
            Cell::Empty(_) => self.numbers.push_empty(),
        }
        self.states.push(cell.state());
    }

    /// The cell at a place.
    pub(super) fn at(&self, i: usize) -> Cell {
        self.states[i].map_or_else(|| Cell::Value(self.numbers.get(i)), Cell::Empty)
    }

    /// The grid of these cells, row after row.
    ///
    /// # Errors
    /// When the axes have no cell, or other numbers of them.
    pub(super) fn into_grid(self, rows: Axis, columns: Axis, file: &str) -> Result<Grid, InputError> {
        Grid::new(rows, columns, self.numbers.0, &self.states).map_err(|e| InputError::refused(file, "", e))
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::KeyOptions;
    use super::*;

    fn column(name: &str, texts: &[&str]) -> Keys {
        Keys::read(name, texts.iter().copied(), KeyOptions::default(), "f").unwrap()
    }

    #[test]
    fn nested_axes_keep_the_combinations_that_occur() {
        let a = AxisKeys::new(vec![
            column("model", &["m", "k", "m", "m", ""]),
            column("n", &["10", "9", "9", "10", "9"]),
        ]);
        assert_eq!((a.codes.clone(), a.len()), (vec![0, 1, 2, 0, EMPTY], 3));
        let spec = AxisSpec::default();
        let axis = a.axis(&a.order(&spec, &[true; 3], None), &spec, "f").unwrap();
        assert_eq!(axis.levels, [["m", "m", "k"], ["9", "10", "9"]]);
        assert_eq!(axis.name, "model, n");
        let spec = AxisSpec { order: Some(Order::Word(OrderWord::Value)), ..AxisSpec::default() };
        assert_eq!(a.order(&spec, &[true; 3], Some(&[(1.0, 1), (5.0, 1), (0.0, 1)])), [1, 2, 0]);
    }

    #[test]
    fn keys_get_other_kinds() {
        let a = AxisKeys::new(vec![column("n", &["10", "1", "100"])]);
        let spec = AxisSpec { kind: Some(AxisType::Log), ..AxisSpec::default() };
        let ids = a.order(&spec, &[true; 3], None);
        let axis = a.axis(&ids, &spec, "f").unwrap();
        assert_eq!((axis.kind, axis.levels[0].join(" ")), (AxisKind::Log, "1 10 100".into()));
        assert_eq!(a.axis(&[0, 1], &AxisSpec::default(), "f").unwrap().kind, AxisKind::Category);
        assert!(a.axis(&[0, 1], &spec, "f").is_err());
        let texts = AxisKeys::new(vec![column("n", &["a", "1"])]);
        assert!(texts.axis(&[0, 1], &spec, "f").unwrap_err().what.contains("'a' is not a number"));
    }

    fn follow(leader: &str, labels: &str) -> Option<String> {
        let [leader, labels] = [leader, labels].map(|t| t.split(' ').collect::<Vec<_>>());
        let order = following(&leader, &labels)?;
        Some(order.into_iter().map(|i| labels[i]).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn labels_of_both_axes_are_in_the_order_of_the_first() {
        assert_eq!(follow("cat dog owl", "owl cat dog").unwrap(), "cat dog owl");
        assert_eq!(follow("cat dog owl", "dog cat").unwrap(), "cat dog");
        assert_eq!(follow("dog cat", "cat owl dog").unwrap(), "owl dog cat");
        assert_eq!(follow("a b c d", "d x b a c y").unwrap(), "a x b c d y");
    }

    #[test]
    fn other_labels_stay_as_they_are() {
        for (leader, labels) in [
            ("a b c", "a b c"),
            ("a b c", "b c d"),
            ("a b c d e", "b a f g h"),
            ("a b", "c d"),
            ("a", "a"),
            ("a b a", "b a"),
        ] {
            assert_eq!(follow(leader, labels), None, "{leader}: {labels}");
        }
    }

    #[test]
    fn numbers_take_the_narrowest_type() {
        let of = |v: &[Number]| {
            let mut n = Numbers::with_capacity(0);
            v.iter().for_each(|v| n.push(*v));
            n.0
        };
        assert_eq!(of(&[Number::I64(1), Number::I64(-2)]), Values::I64(vec![1, -2]));
        assert_eq!(
            of(&[Number::I64(1), Number::U64(u64::MAX), Number::I64(2)]),
            Values::U64(vec![1, u64::MAX, 2])
        );
        assert_eq!(of(&[Number::I64(-1), Number::U64(u64::MAX)]), Values::F64(vec![-1.0, u64::MAX as f64]));
        assert_eq!(of(&[Number::I64(1), Number::F64(0.5)]), Values::F64(vec![1.0, 0.5]));
    }

    #[test]
    fn cells_without_a_number_have_a_place() {
        let cells = [Cell::Empty(State::Nan), Cell::Value(Number::I64(3)), Cell::Empty(State::Masked)];
        let values = CellValues::of(3, cells.into_iter());
        assert_eq!([0, 1, 2].map(|i| values.at(i)), cells);
        let grid = values.into_grid(Axis::index("", 1), Axis::index("", 3), "f").unwrap();
        assert_eq!([0, 1, 2].map(|c| grid.at(0, c)), cells);
        assert!(CellValues::default().into_grid(Axis::index("", 1), Axis::index("", 1), "f").is_err());
    }
}
