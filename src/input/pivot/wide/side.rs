//! The sides of a wide table or a matrix: their labels, put in order.

use crate::figure::{AxisSpec, Order, OrderWord};
use crate::grid::{Axis, Number};
use crate::input::budget::Budget;
use crate::input::error::InputError;
use crate::input::field::{parse_number, shown};
use crate::input::pivot::axes::of_labels;
use crate::input::pivot::keys::{Domain, EMPTY, Keys, OUTSIDE, Reading, check_order};
use crate::lint::{LintName, Lints};

/// One side of the grid before it is put in order.
pub struct Side {
    pub name: String,
    pub labels: Option<Vec<String>>,
    pub len: usize,
}

/// The axis of a side, and where each of its cells is in the file; `mean` is that of the cells at a place of the side.
///
/// # Errors
/// An order or a domain that the labels do not allow.
pub fn arrange(
    side: &Side,
    spec: &AxisSpec,
    mean: impl Fn(usize) -> f64,
    (file, budget): (&str, &Budget),
    lints: &mut Lints,
) -> Result<(Axis, Vec<Option<usize>>), InputError> {
    let in_place = || (0..side.len).map(Some).collect();
    let asked = spec.order.is_some() || spec.domain.is_some();
    let Some(labels) = &side.labels else {
        if asked {
            return Err(InputError::usage(
                file,
                "an order or a domain needs labels, and this axis has none",
            ));
        }
        return Ok((Axis::index(&side.name, side.len), in_place()));
    };
    let of = |labels: &[String], shown: Vec<String>| {
        let numbers = labels
            .iter()
            .map(|l| parse_number(l).map(Number::as_f64))
            .collect();
        let first_text = labels
            .iter()
            .find(|l| parse_number(l).is_none())
            .map(|l| format!("'{l}'"));
        of_labels(&side.name, shown, numbers, spec.kind, first_text, file)
    };
    let renamed = |l: &String| spec.labels.get(l).unwrap_or(l).clone();
    let domain = spec.domain.as_ref().map(Domain::new);
    let reading = Reading {
        domain: domain.as_ref(),
        budget: Some(budget),
        ..Reading::default()
    };
    let keys = Keys::read(&side.name, labels.iter().map(String::as_str), reading, file)?;
    keys.report_alike(lints);
    keys.report_times(lints);
    if !asked {
        return Ok((of(labels, labels.iter().map(renamed).collect())?, in_place()));
    }
    let mut places: Vec<Option<usize>> = vec![None; keys.labels.len()];
    let mut outside = 0u64;
    for (i, &code) in keys.codes.iter().enumerate() {
        match code {
            OUTSIDE => outside += 1,
            EMPTY => {
                return Err(InputError::usage(
                    file,
                    "an order or a domain needs a label in each row and column",
                ));
            }
            _ => {
                if let Some(first) = places[code as usize].replace(i) {
                    let what = match (shown(&labels[first]), shown(&labels[i])) {
                        (a, b) if a == b => format!("label {a} appears twice"),
                        (a, b) => format!("labels {a} and {b} are one key"),
                    };
                    return Err(InputError::usage(
                        file,
                        format!("{what}, so labels give no order"),
                    ));
                }
            }
        }
    }
    if outside > 0 {
        lints.add(
            LintName::OutsideDomain,
            outside,
            format!("{outside} rows or columns are outside the domain and are left out"),
        );
    }
    check_order(std::slice::from_ref(&keys), spec.order.as_ref(), file)?;
    let means: Vec<f64> = places.iter().map(|p| p.map_or(f64::NAN, &mean)).collect();
    // A wide table keeps its file's order unless another is asked for.
    let order = spec.order.clone().unwrap_or(Order::Word(OrderWord::Data));
    let ids = keys.order(Some(&order), Some(&means));
    let labels: Vec<String> = ids.iter().map(|&id| keys.labels[id as usize].clone()).collect();
    let axis = of(&labels, labels.iter().map(renamed).collect())?;
    Ok((axis, ids.into_iter().map(|id| places[id as usize]).collect()))
}
