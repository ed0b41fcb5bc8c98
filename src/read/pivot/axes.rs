//! One or several key columns as an axis.

use super::common_order::following;
use super::dates::{no_times, times};
use super::keys::{EMPTY, Keys, OUTSIDE};
use crate::array::by_ratio;
use crate::error::InputError;
use gridscope_core::figure::{AxisSpec, AxisType, Order, OrderWord};
use gridscope_core::grid::{Axis, AxisKind, Number};
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
    fn follow(&self, ids: &mut Vec<u32>, spec: &AxisSpec, (leader, of_leader): (&Self, &[u32])) {
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
                let labels = renamed(&self.columns[c], spec);
                ids.iter().map(|&id| labels[self.tuples[id as usize][c] as usize].to_owned()).collect()
            };
            if matches!(spec.kind, Some(AxisType::Number | AxisType::Log | AxisType::Time)) {
                return Err(InputError::usage(
                    file,
                    format!("an axis of several columns ({}) cannot be a number or time axis", self.name()),
                ));
            }
            return Ok(Axis::nested(&self.name(), (0..self.columns.len()).map(level).collect()));
        };
        let all = renamed(keys, spec);
        let labels: Vec<String> = ids.iter().map(|&id| all[id as usize].to_owned()).collect();
        let numbers: Option<Vec<f64>> =
            keys.numbers.as_ref().map(|n| ids.iter().map(|&id| n[id as usize]).collect());
        let own: Vec<String> = ids.iter().map(|&id| keys.labels[id as usize].clone()).collect();
        if let Some(bins) = &keys.bins
            && spec.kind != Some(AxisType::Category)
            && let Some(axis) = bins.axis(&own, &labels)
        {
            return Ok(axis);
        }
        of_labels(&keys.name, (labels, &own), numbers, spec.kind, keys.first_text(), file)
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
        (true, false) => y.follow(of_y, specs[1], (x, of_x)),
        (false, _) if by_value(specs[1]) => {}
        (false, _) => x.follow(of_x, specs[0], (y, of_y)),
    }
}

/// The text of each key: its label, or what the figure writes for it.
fn renamed<'a>(keys: &'a Keys, spec: &'a AxisSpec) -> Vec<&'a str> {
    let mut texts: Vec<&str> = keys.labels.iter().map(String::as_str).collect();
    if !spec.labels.is_empty() {
        let finder = keys.finder();
        for (label, text) in &spec.labels {
            // The label itself wins over the same number in other words.
            if let Some(id) = finder.find(label).filter(|&id| {
                keys.labels[id as usize] == *label || !spec.labels.contains_key(&keys.labels[id as usize])
            }) {
                texts[id as usize] = text;
            }
        }
    }
    texts
}

/// The axis of labels in their order, which represent their `own` keys: a number axis where all are numbers that grow, unless
/// `kind` says otherwise; else names.
///
/// # Errors
/// When it is to be a number axis and cannot.
pub(super) fn of_labels(
    name: &str,
    (labels, own): (Vec<String>, &[String]),
    numbers: Option<Vec<f64>>,
    kind: Option<AxisType>,
    first_text: Option<String>,
    file: &str,
) -> Result<Axis, InputError> {
    let grows = |n: &[f64]| n.iter().all(|v| v.is_finite()) && n.windows(2).all(|w| w[0] < w[1]);
    let usage = |what: String| Err(InputError::usage(file, format!("axis '{name}': {what}")));
    let asked = kind == Some(AxisType::Time);
    let found = if asked || kind.is_none() && numbers.is_none() && own.len() > 1 {
        times(own, numbers.as_deref(), asked).filter(|t| grows(&t.0))
    } else {
        None
    };
    if let Some((seconds, texts)) = found {
        let text = |i: usize| match &texts {
            Some(texts) if labels[i] == own[i] => texts[i].clone(),
            _ => labels[i].clone(),
        };
        let mut axis = Axis::number(name, seconds, (0..labels.len()).map(text).collect());
        axis.kind = AxisKind::Time;
        return Ok(axis);
    }
    match (kind, numbers) {
        (Some(AxisType::Time), numbers) => usage(no_times(own, numbers.as_deref())),
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

#[cfg(test)]
mod tests {
    use super::super::keys::KeyOptions;
    use super::*;
    use gridscope_core::figure::{Order, OrderWord};

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
    fn keys_get_other_texts_and_kinds() {
        let a = AxisKeys::new(vec![column("n", &["10", "1", "100"])]);
        let mut spec = AxisSpec { kind: Some(AxisType::Log), ..AxisSpec::default() };
        spec.labels.insert("10".into(), "ten".into());
        let ids = a.order(&spec, &[true; 3], None);
        let axis = a.axis(&ids, &spec, "f").unwrap();
        assert_eq!((axis.kind, axis.levels[0].join(" ")), (AxisKind::Log, "1 ten 100".into()));
        assert_eq!(a.axis(&[0, 1], &AxisSpec::default(), "f").unwrap().kind, AxisKind::Category);
        assert!(a.axis(&[0, 1], &spec, "f").is_err());
        let texts = AxisKeys::new(vec![column("n", &["a", "1"])]);
        assert!(texts.axis(&[0, 1], &spec, "f").unwrap_err().what.contains("'a' is not a number"));
    }
}
