//! The columns that place the rows of a table: those whose combinations of values are in one row each, or nearly all.

use super::profile::{ColumnKind, Profile};
use crate::table::{Reads, TableSource};
use std::collections::{HashMap, HashSet};

/// The most rows of a table that are compared for a hint.
const COMPARED: usize = 1 << 20;
/// Combinations that are looked at, by pairs and by threes.
const TRIED: usize = 12;
/// Columns that are combined.
const MOST: usize = 16;
/// The part of all combinations that rows must fill.
const FILLED: f64 = 0.3;
/// A number that is in so many times more rows than another of its column is measured, not set.
const UNLIKE: usize = 10;
/// Panels a figure still holds.
pub(super) const MAX_PANELS: usize = 24;

/// The rows of a table.
pub(super) struct Rows<'t> {
    pub table: &'t dyn TableSource,
    pub count: usize,
}

impl Rows<'_> {
    fn is_long(&self) -> bool {
        self.count > COMPARED || self.table.reads() == Reads::Once
    }

    /// Gives `take` the texts of some columns, row by row, until it returns false; whether it never did.
    fn each(&self, columns: &[usize], mut take: impl FnMut(Vec<String>) -> bool) -> bool {
        for part in self.table.parts() {
            let Ok(mut part) = part else { return false };
            while let Ok(Some(batch)) = part.next(columns) {
                for row in 0..batch.rows {
                    if !take(batch.columns.iter().map(|cells| cells.text(row).into_owned()).collect()) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether no two rows have the same values in some columns.
    fn are_keys(&self, columns: &[usize]) -> bool {
        let mut met: HashSet<Vec<String>> = HashSet::new();
        self.is_long() || self.each(columns, |values| met.insert(values))
    }

    /// Whether the value of one column is always that of another, or goes with it.
    pub(super) fn go_together(&self, one: usize, other: usize) -> bool {
        let (mut ones, mut others, mut pairs) = (HashSet::new(), HashSet::new(), HashSet::new());
        let looked = !self.is_long()
            && self.each(&[one, other], |values| {
                ones.insert(values[0].clone());
                others.insert(values[1].clone());
                pairs.insert(values);
                true
            });
        looked && pairs.len() == ones.len() && pairs.len() == others.len()
    }

    /// Pairs of these columns, with so many values each, of which the first says what the second is.
    pub(super) fn determined(
        &self,
        columns: &[usize],
        distinct: impl Fn(usize) -> usize,
    ) -> Vec<(usize, usize)> {
        let pairs: Vec<(usize, usize)> =
            (0..columns.len()).flat_map(|i| (i + 1..columns.len()).map(move |j| (i, j))).collect();
        let mut met: Vec<HashSet<(String, String)>> = vec![HashSet::new(); pairs.len()];
        let most = |(i, j): &(usize, usize)| distinct(columns[*i]).max(distinct(columns[*j]));
        let is_long = self.is_long() || columns.len() > 4 && self.count > NESTED;
        let looked = !is_long
            && self.each(columns, |values| {
                for (met, pair) in met.iter_mut().zip(&pairs) {
                    // More pairs than values show that neither says the other.
                    if met.len() <= most(pair) {
                        met.insert((values[pair.0].clone(), values[pair.1].clone()));
                    }
                }
                true
            });
        let one_of = |(met, (i, j)): (&HashSet<(String, String)>, &(usize, usize))| {
            let (one, other) = (columns[*i], columns[*j]);
            let (by, is) = if distinct(one) >= distinct(other) { (one, other) } else { (other, one) };
            (looked && distinct(is) > 1 && met.len() <= distinct(by)).then_some((by, is))
        };
        met.iter().zip(&pairs).filter_map(one_of).collect()
    }

    /// Of each of some columns, whether some values are in far more rows than others.
    pub(super) fn are_uneven(&self, columns: &[usize]) -> Vec<bool> {
        let mut counts: Vec<HashMap<String, usize>> = vec![HashMap::new(); columns.len()];
        if columns.is_empty() || self.is_long() {
            return vec![false; columns.len()];
        }
        self.each(columns, |values| {
            counts.iter_mut().zip(values).for_each(|(counts, value)| *counts.entry(value).or_default() += 1);
            true
        });
        let ends = |c: &HashMap<String, usize>| (c.values().max().copied(), c.values().min().copied());
        counts.iter().map(|c| matches!(ends(c), (Some(most), Some(least)) if most > UNLIKE * least)).collect()
    }
}

/// The columns of a grid: each combination of their values is in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factors {
    pub x: usize,
    pub y: usize,
    pub panel: Option<usize>,
    /// Whether every combination has a row.
    pub full: bool,
}

/// The factors of a table of columns that may be keys; `is_repeat` says which of them tell repeated rows apart and are no axis.
/// Fewer columns come before more, texts and times before numbers.
pub(super) fn factors(
    profiles: &[Profile],
    rows: &Rows,
    may_be: impl Fn(usize) -> bool,
    is_repeat: impl Fn(usize) -> bool,
) -> Option<Factors> {
    let of = |i: usize| &profiles[i];
    let repeats = |i: usize| of(i).distinct > 1 && of(i).kind != ColumnKind::Empty;
    let is_key = |i: usize| repeats(i) && of(i).distinct <= rows.count / 2 && may_be(i);
    let (again, keys): (Vec<usize>, Vec<usize>) =
        (0..profiles.len()).filter(|&i| is_repeat(i) && repeats(i) || is_key(i)).partition(|&i| is_repeat(i));
    let numbers: Vec<usize> = keys.iter().copied().filter(|&i| of(i).kind.is_number()).collect();
    let uneven = rows.are_uneven(&numbers);
    let is_measured = |i: usize| numbers.iter().position(|n| *n == i).is_some_and(|at| uneven[at]);
    let mut keys: Vec<usize> = keys.into_iter().filter(|i| !is_measured(*i)).collect();
    let measures = |i: usize| of(i).kind == ColumnKind::Number;
    keys.sort_by_key(|&i| (measures(i), i));
    keys.truncate(MOST);
    let product = |columns: &[usize]| columns.iter().fold(1usize, |n, &i| n.saturating_mul(of(i).distinct));
    let of_repeats = product(&again).max(1);
    let fits = |columns: &[usize]| {
        let all = product(columns);
        let filled = rows.count as f64 / all as f64;
        (FILLED..=of_repeats as f64).contains(&filled)
    };
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for (at, &i) in keys.iter().enumerate() {
        for (beside, &j) in keys.iter().enumerate().skip(at + 1) {
            sets.push(vec![i, j]);
            sets.extend(keys[beside + 1..].iter().map(|&k| vec![i, j, k]));
        }
    }
    sets.retain(|set| fits(set));
    let rank = |set: &Vec<usize>| {
        let numbers = set.iter().filter(|i| measures(**i)).count();
        let whole = set.iter().filter(|i| of(**i).kind.is_number()).count();
        let full = rows.count.is_multiple_of(product(set));
        // Numbers that leave combinations out may be measured.
        let doubtful = if full { 0 } else { numbers + whole };
        (!full, doubtful, set.len(), numbers, whole, set.iter().sum::<usize>())
    };
    sets.sort_by_key(rank);
    let mut tried = [0; 2];
    let set = sets.into_iter().find(|set| {
        let n = &mut tried[usize::from(set.len() > 2)];
        *n += 1;
        let with_repeats: Vec<usize> = set.iter().chain(&again).copied().collect();
        *n <= TRIED
            && rows.are_keys(&with_repeats)
            && rows.determined(set, |column| of(column).distinct).is_empty()
    })?;
    let full = rows.count.is_multiple_of(product(&set));
    let mut axes = set;
    let panel = match axes.len() {
        2 => None,
        _ => {
            // The fewest values are panels: of texts before numbers, but for sizes, which have an order.
            let key = |i: usize| (of(i).kind == ColumnKind::Unit, of(i).distinct, of(i).kind.is_number());
            let fewest = axes.iter().copied().min_by_key(|&i| key(i))?;
            axes.retain(|&i| i != fewest);
            Some(fewest).filter(|&i| of(i).distinct <= MAX_PANELS)
        }
    };
    if panel.is_none() && axes.len() < 2 {
        return None;
    }
    // Of two numbers the later one is along x.
    let along = |c: usize| {
        let is_number = of(c).kind.is_number() || of(c).kind == ColumnKind::Unit;
        (of(c).kind == ColumnKind::Time, is_number, if is_number { 0 } else { of(c).distinct }, c)
    };
    let (i, j) = (axes[0], axes[1]);
    let is_called = |c: usize, name: &str| of(c).name.trim().eq_ignore_ascii_case(name);
    let named = is_called(i, "x") || is_called(j, "y");
    let turned = is_called(j, "x") || is_called(i, "y");
    let (x, y) = if named || !turned && along(i) > along(j) { (i, j) } else { (j, i) };
    Some(Factors { x, y, panel, full })
}

/// Rows of a table whose nested keys are looked for.
const NESTED: usize = 1 << 14;

/// The fewest columns that may be keys, two to four, whose combinations are in one row each, whatever combinations there are; texts
/// come before numbers.
pub(super) fn keys_of(
    profiles: &[Profile],
    rows: &Rows,
    may_be: impl Fn(usize) -> bool,
    is_repeat: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let of = |i: usize| &profiles[i];
    if rows.count > NESTED {
        return None;
    }
    // Texts may be nearly all different, where another column tells the others apart.
    let most = |i: usize| match of(i).kind {
        ColumnKind::Text => rows.count.saturating_sub(2),
        _ => rows.count / 2,
    };
    let is_key = |i: &usize| {
        (2..=most(*i)).contains(&of(*i).distinct) && of(*i).kind != ColumnKind::Number && may_be(*i)
    };
    let again: Vec<usize> = (0..profiles.len()).filter(|&i| is_repeat(i) && of(i).distinct > 1).collect();
    let mut keys: Vec<usize> = (0..profiles.len()).filter(is_key).collect();
    let numbers: Vec<usize> = keys.iter().copied().filter(|&i| of(i).kind.is_number()).collect();
    let uneven = rows.are_uneven(&numbers);
    let is_uneven = |i: usize| numbers.iter().position(|n| *n == i).is_some_and(|at| uneven[at]);
    keys.truncate(MOST);
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for &key in &keys {
        let with: Vec<Vec<usize>> =
            sets.iter().filter(|set| set.len() < 4).map(|set| [set.as_slice(), &[key]].concat()).collect();
        sets.extend(with);
    }
    let product = |set: &[usize]| set.iter().fold(1usize, |n, &i| n.saturating_mul(of(i).distinct));
    let repeated = product(&again).max(1);
    sets.retain(|set| set.len() > 1 && product(set).saturating_mul(repeated) >= rows.count);
    let doubt = |&i: &usize| usize::from(of(i).kind.is_number()) + usize::from(is_uneven(i));
    sets.sort_by_key(|set| (set.iter().map(doubt).sum::<usize>(), set.len(), product(set), set.clone()));
    sets.into_iter().find(|set| {
        rows.are_keys(&[set.as_slice(), &again].concat())
            && rows.determined(set, |column| of(column).distinct).is_empty()
    })
}
