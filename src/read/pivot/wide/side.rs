//! The sides of a wide table or a matrix: their labels, put in order.

use crate::array::by_ratio;
use crate::budget::Budget;
use crate::error::InputError;
use crate::field::{parse_number, shown};
use crate::pivot::axes::{AxisKeys, following, of_labels};
use crate::pivot::dates::Dates;
use crate::pivot::keys::{Domain, EMPTY, KeyOptions, Keys, OUTSIDE, check_order};
use gridscope_core::calendar::{parse_times, places_in_time};
use gridscope_core::figure::{AxisSpec, AxisType, Figure, Order, OrderWord};
use gridscope_core::grid::{Axis, Number};
use gridscope_core::lint::{LintName, Lints};

/// One side of the grid before it is put in order.
#[derive(Default)]
pub(super) struct TableSide {
    pub name: String,
    pub labels: Option<Vec<String>>,
    /// The texts of each level of nested labels, the outer first; empty for others.
    pub levels: Vec<Vec<String>>,
    pub len: usize,
    /// Whether the month is first in dates that may be read in two ways.
    pub month_first: Option<bool>,
}

impl TableSide {
    /// One with nested labels.
    pub(super) fn nested(name: String, levels: Vec<Vec<String>>) -> Self {
        Self { name, len: levels[0].len(), levels, ..Self::default() }
    }

    /// Puts the labels in another order, of their places.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        for labels in self.labels.iter_mut().chain(&mut self.levels) {
            *labels = order.iter().map(|&at| std::mem::take(&mut labels[at])).collect();
        }
    }
}

/// The order of the columns, by their places, where they have the labels of the rows in another order and none is given:
/// that of the rows. Columns in the opposite order of the rows are meant to be so.
pub(super) fn column_order(
    rows: &TableSide,
    row_places: &[Option<usize>],
    columns: &TableSide,
    figure: &Figure,
) -> Option<Vec<usize>> {
    let is_scale = matches!(figure.x.kind, Some(AxisType::Number | AxisType::Log | AxisType::Time));
    let by_value = figure.y.order == Some(Order::Word(OrderWord::Value));
    if is_scale || by_value || figure.x.order.is_some() || figure.x.domain.is_some() {
        return None;
    }
    let (rows, columns) = (rows.labels.as_ref()?, columns.labels.as_ref()?);
    let leader: Vec<&str> = row_places.iter().flatten().map(|&r| rows[r].as_str()).collect();
    let mut labels: Vec<&str> = columns.iter().map(String::as_str).collect();
    let order = following(&leader, &labels)?;
    labels.reverse();
    following(&leader, &labels).map(|_| order)
}

/// The axis of a side, and where each of its cells is in the file; `mean` is that of the cells at a place of the side.
///
/// # Errors
/// An order or a domain that the labels do not allow.
pub(super) fn arrange(
    side: &TableSide,
    spec: &AxisSpec,
    mean: impl Fn(usize) -> f64,
    file: &str,
    budget: &Budget,
    lints: &mut Lints,
) -> Result<(Axis, Vec<Option<usize>>), InputError> {
    if !side.levels.is_empty() {
        return arrange_nested(side, spec, mean, file, budget, lints);
    }
    let in_place = || (0..side.len).map(Some).collect();
    let mut order = spec.order.clone();
    if order.is_none()
        && spec.domain.is_none()
        && side.labels.as_deref().is_some_and(|labels| is_pivoted_calendar(labels, side.month_first))
    {
        order = Some(Order::Word(OrderWord::Natural));
    }
    let asked = order.is_some() || spec.domain.is_some();
    let Some(labels) = &side.labels else {
        if asked {
            let what = "an order or a domain needs labels, and this axis has none";
            return Err(InputError::usage(file, what));
        }
        return Ok((Axis::index(&side.name, side.len), in_place()));
    };
    let of = |labels: &[String]| {
        // Dates are what the options say.
        let own = side.month_first.and_then(|_| Dates::rewritten(labels, side.month_first));
        let own = own.as_deref().unwrap_or(labels);
        let number = |l: &String| parse_number(l).map(Number::as_f64);
        let first_text = labels.iter().find(|l| number(l).is_none());
        let first_text = first_text.map(|l| format!("'{l}'"));
        let numbers = labels.iter().map(number).collect();
        of_labels(&side.name, own.to_vec(), numbers, spec.kind, first_text, file)
            .map(|axis| by_ratio(axis, spec))
    };
    let domain = spec.domain.as_ref().map(Domain::new);
    let options = KeyOptions {
        domain: domain.as_ref(),
        month_first: side.month_first,
        budget: Some(budget),
        ..KeyOptions::default()
    };
    let keys = Keys::read(&side.name, labels.iter().map(String::as_str), options, file)?;
    keys.report_alike(lints);
    keys.report_times(lints);
    if !asked {
        return Ok((of(labels)?, in_place()));
    }
    let places = places(&keys, labels, file, lints)?;
    check_order(std::slice::from_ref(&keys), order.as_ref(), file, lints)?;
    let means: Vec<f64> = places.iter().map(|p| p.map_or(f64::NAN, &mean)).collect();
    // A wide table is in its file's order unless another is asked for.
    let order = order.unwrap_or(Order::Word(OrderWord::Data));
    let ids = keys.order(Some(&order), Some(&means));
    let labels: Vec<String> = ids.iter().map(|&id| keys.labels[id as usize].clone()).collect();
    Ok((of(&labels)?, ids.into_iter().map(|id| places[id as usize]).collect()))
}

/// As [`arrange`], of nested labels.
fn arrange_nested(
    side: &TableSide,
    spec: &AxisSpec,
    mean: impl Fn(usize) -> f64,
    file: &str,
    budget: &Budget,
    lints: &mut Lints,
) -> Result<(Axis, Vec<Option<usize>>), InputError> {
    let names: Vec<&str> = side.name.split(", ").collect();
    let name = |level: usize| match names.len() == side.levels.len() {
        true => names[level],
        false => "",
    };
    let month_first = side.month_first;
    let options = || KeyOptions { month_first, budget: Some(budget), ..KeyOptions::default() };
    let read = |(i, texts): (usize, &Vec<String>)| {
        Keys::read(name(i), texts.iter().map(String::as_str), options(), file)
    };
    if spec.domain.is_some() {
        return Err(InputError::usage(file, "a domain needs labels of one level"));
    }
    let asked = spec.order.is_some();
    if !asked && spec.kind.is_none_or(|kind| kind == AxisType::Category) {
        return Ok((Axis::nested(&side.name, side.levels.clone()), (0..side.len).map(Some).collect()));
    }
    let columns = side.levels.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    check_order(&columns, spec.order.as_ref(), file, lints)?;
    let keys = AxisKeys::new(columns);
    let mut places = vec![None; keys.len()];
    for (i, &code) in keys.codes.iter().enumerate() {
        let place = places.get_mut(code as usize).filter(|place| place.is_none());
        let what = "an order needs a label in each level, and each combination once";
        *place.ok_or_else(|| InputError::usage(file, what))? = Some(i);
    }
    let sums: Vec<(f64, u64)> = places.iter().map(|p| (p.map_or(f64::NAN, &mean), 1)).collect();
    let ids = keys.order(spec, &vec![true; places.len()], Some(&sums));
    let axis = keys.axis(&ids, spec, file)?;
    Ok((axis, ids.into_iter().map(|id| places[id as usize]).collect()))
}

/// Whether labels are months, weekdays or dates in alphabetical order: that is how pandas' `pivot` sorts them, and no one's
/// choice. Any other order of a file may be meant, as weeks that begin on Sunday.
fn is_pivoted_calendar(labels: &[String], month_first: Option<bool>) -> bool {
    let dates = || {
        let times = parse_times(Dates::rewritten(labels, month_first)?.iter().map(String::as_str), false)?;
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = |t: &f64| sorted.partition_point(|other| other < t) as u32;
        Some(times.iter().map(rank).collect())
    };
    labels.is_sorted()
        && places_in_time(labels)
            .or_else(dates)
            .is_some_and(|places: Vec<u32>| places.windows(2).any(|w| w[0] > w[1]) && are_unique(&places))
}

/// Whether no place appears twice.
fn are_unique(places: &[u32]) -> bool {
    let mut sorted = places.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|w| w[0] < w[1])
}

/// Where each key is in the file, if it is there.
fn places(
    keys: &Keys,
    labels: &[String],
    file: &str,
    lints: &mut Lints,
) -> Result<Vec<Option<usize>>, InputError> {
    let mut places: Vec<Option<usize>> = vec![None; keys.labels.len()];
    let mut outside = 0u64;
    for (i, &code) in keys.codes.iter().enumerate() {
        let what = match code {
            OUTSIDE => {
                outside += 1;
                continue;
            }
            EMPTY => "an order or a domain needs a label in each row and column".to_owned(),
            _ => match places[code as usize].replace(i) {
                None => continue,
                Some(first) if labels[first] == labels[i] => {
                    format!("label {} appears twice, so labels give no order", shown(&labels[i]))
                }
                Some(first) => {
                    let [a, b] = [first, i].map(|i| shown(&labels[i]));
                    format!("labels {a} and {b} are one key, so labels give no order")
                }
            },
        };
        return Err(InputError::usage(file, what));
    }
    if outside > 0 {
        let what = format!("{outside} rows or columns are outside the domain and are left out");
        lints.add(LintName::OutsideDomain, outside, what);
    }
    Ok(places)
}
