//! A wide table or a bare matrix: one row of the file is one row of the grid.

use super::aggregate::Numbers;
use super::axes::of_labels;
use super::budget::Budget;
use super::csv::Records;
use super::error::InputError;
use super::field::{parse_number, shown};
use super::filter::Condition;
use super::keys::{Domain, EMPTY, Keys, OUTSIDE, Reading, check_order};
use super::loaded::{Loaded, Needs};
use super::schema::count;
use super::tidy::{aggregate, named};
use super::value::{no_number, value};
use crate::figure::{AxisSpec, Figure, Order, OrderWord};
use crate::grid::{Axis, Grid, Number, State};
use crate::lint::{LintName, Lints};
use std::sync::Arc;

/// Bytes of a cell: its number, its state, and its stored bits; and of its place when the order changes.
const CELL: u64 = 14;
const MOVED: u64 = 16;
/// Bytes of a row's label beside its text, of which there are several copies; and what finding its key needs.
const LABEL: u64 = 200;
const KEY: u64 = 300;

/// The numbers of the file as they stand.
struct Block {
    numbers: Numbers,
    states: Vec<Option<State>>,
    width: usize,
    /// Whether the grid's rows are the block's columns.
    transposed: bool,
}

impl Block {
    fn at(&self, row: usize, column: usize) -> Result<Number, State> {
        let i = if self.transposed {
            column * self.width + row
        } else {
            row * self.width + column
        };
        self.states[i].map_or_else(|| Ok(self.numbers.get(i)), Err)
    }
}

/// One side of the grid before it is put in order.
struct Side {
    name: String,
    labels: Option<Vec<String>>,
    len: usize,
}

/// Reads all columns as numbers; `labelled` takes the first as the names of the rows.
///
/// # Errors
/// Texts among the numbers, options that need a tidy table, no rows, too little memory.
pub fn read_wide(
    records: &Records,
    labelled: bool,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let schema = &records.schema;
    let file = schema.file.as_str();
    let tidy_only = [
        (!needs.columns.is_empty(), "{column:…}"),
        (figure.strip.is_some(), "[strip]"),
        (figure.data.pending.is_some(), "--pending"),
    ];
    if let Some((_, option)) = tidy_only.iter().find(|o| o.0) {
        return Err(InputError::usage(
            file,
            format!("{option} needs a tidy table, with --x, --y and --value"),
        ));
    }
    let first = usize::from(labelled);
    if records.width() == first {
        return Err(InputError::refused(file, "", "no columns beside the labels"));
    }
    let filter = figure.data.filter.as_ref().map_or(&[][..], |f| &f.0);
    let conditions = filter
        .iter()
        .map(|c| Condition::parse(c, schema))
        .collect::<Result<Vec<_>, _>>()?;
    let transposed = figure.data.transpose == Some(true);
    let width = records.width() - first;
    let n = records.len() * width;
    let asked = [&figure.x, &figure.y]
        .iter()
        .any(|a| a.order.is_some() || a.domain.is_some());
    let a_cell = CELL + 16 * needs.aggregates.len() as u64;
    let what = || format!("{} x {width} cells", records.len());
    let mut room = budget
        .hold(a_cell.saturating_mul(n as u64))
        .map_err(|s| s.of(file, what()))?;
    // Labels are looked at as keys, whether or not an order is asked for.
    let mut keys = budget
        .hold(if schema.has_header { KEY * width as u64 } else { 0 })
        .map_err(|s| s.of(file, what()))?;
    let moved = if asked || transposed {
        MOVED.saturating_mul(n as u64)
    } else {
        0
    };
    let _moved = budget.hold(moved).map_err(|s| s.of(file, what()))?;
    let mut block = Block {
        numbers: Numbers::with_capacity(n),
        states: Vec::with_capacity(n),
        width,
        transposed,
    };
    let mut labels = Vec::new();
    'rows: for row in 0..records.len() {
        for c in &conditions {
            if !c.meets(records.get(row, c.column()), schema)? {
                continue 'rows;
            }
        }
        let label = if labelled { records.get(row, 0) } else { "" };
        room.owe(LABEL + 4 * label.len() as u64)
            .map_err(|s| s.of(file, what()))?;
        keys.owe(if labelled { KEY } else { 0 })
            .map_err(|s| s.of(file, what()))?;
        labels.push(label.to_owned());
        for column in first..records.width() {
            let text = |what| records.refused(row, what);
            let v = value(records.field(row, column), figure.data.nodata);
            let v = v.ok_or_else(|| no_number(&schema.headers[column], records.get(row, column), text))?;
            match v {
                Ok(n) => block.numbers.push(n),
                Err(_) => block.numbers.push_empty(),
            }
            block.states.push(v.err());
        }
    }
    if labels.is_empty() {
        return Err(InputError::refused(file, "", "no row meets --where"));
    }
    let corner = if labelled && schema.has_header {
        schema.headers[0].clone()
    } else {
        String::new()
    };
    let mut rows = Side {
        name: corner,
        len: labels.len(),
        labels: labelled.then_some(labels),
    };
    let names = schema.has_header.then(|| schema.headers[first..].to_vec());
    let mut columns = Side {
        name: String::new(),
        labels: names,
        len: width,
    };
    let what = if labelled { "wide table" } else { "matrix" };
    let header = if !labelled && schema.has_header {
        ", with a header"
    } else {
        ""
    };
    let told = format!(
        "{file}: {what}, {} x {}{header}",
        count(rows.len, "row"),
        count(columns.len, "column")
    );
    if transposed {
        std::mem::swap(&mut rows, &mut columns);
    }

    let mut lints = Lints::default();
    let row_means = |r: usize| mean((0..columns.len).filter_map(|c| block.at(r, c).ok()));
    let column_means = |c: usize| mean((0..rows.len).filter_map(|r| block.at(r, c).ok()));
    let (row_axis, row_places) = arrange(&rows, &figure.y, row_means, (file, budget), &mut lints)?;
    let (column_axis, column_places) =
        arrange(&columns, &figure.x, column_means, (file, budget), &mut lints)?;
    let cells = || {
        row_places
            .iter()
            .flat_map(|&r| column_places.iter().map(move |&c| (r, c)))
    };
    let at =
        |(r, c): (Option<usize>, Option<usize>)| r.zip(c).map_or(Err(State::Absent), |(r, c)| block.at(r, c));
    let fields = needs
        .aggregates
        .iter()
        .map(|&agg| {
            let one = |v: Result<Number, State>| match v {
                Ok(n) => aggregate(agg, &[n]),
                Err(State::Nan) => aggregate(agg, &[]),
                Err(_) => None,
            };
            cells()
                .map(|c| one(at(c)).map_or(f64::NAN, Number::as_f64))
                .collect()
        })
        .collect();
    let fields = named(&needs.aggregates, fields);
    let as_is = !transposed
        && row_places.iter().enumerate().all(|(i, p)| *p == Some(i))
        && row_places.len() == rows.len;
    let as_is = as_is
        && column_places.iter().enumerate().all(|(i, p)| *p == Some(i))
        && column_places.len() == columns.len;
    let (numbers, states) = if as_is {
        (block.numbers, block.states)
    } else {
        let (mut numbers, mut states) = (Numbers::with_capacity(n), Vec::with_capacity(n));
        for v in cells().map(at) {
            match v {
                Ok(n) => numbers.push(n),
                Err(_) => numbers.push_empty(),
            }
            states.push(v.err());
        }
        (numbers, states)
    };
    let mut grid = Grid::new(row_axis, column_axis, numbers.into_values(), &states)
        .map_err(|e| InputError::refused(file, "", e))?;
    grid.fields = fields;
    room.keep();
    Ok(Loaded {
        grids: vec![grid],
        lints,
        told,
        ..Loaded::default()
    })
}

/// The axis of a side, and where each of its cells stands in the file.
fn arrange(
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
    // A wide table keeps its file's order unless told.
    let order = spec.order.clone().unwrap_or(Order::Word(OrderWord::Data));
    let ids = keys.order(Some(&order), Some(&means));
    let labels: Vec<String> = ids.iter().map(|&id| keys.labels[id as usize].clone()).collect();
    let axis = of(&labels, labels.iter().map(renamed).collect())?;
    Ok((axis, ids.into_iter().map(|id| places[id as usize]).collect()))
}

fn mean(values: impl Iterator<Item = Number>) -> f64 {
    let values: Vec<Number> = values.collect();
    aggregate(crate::figure::Agg::Mean, &values).map_or(f64::NAN, Number::as_f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{AxisType, Data, List};
    use crate::grid::AxisKind;

    fn read(text: &str, labelled: bool, figure: &Figure) -> Result<Grid, InputError> {
        let records = Records::read(text, "t.csv", &figure.data, &mut Lints::default())?;
        read_wide(
            &records,
            labelled,
            figure,
            &Needs::default(),
            &Budget::new(1 << 20),
        )
        .map(|mut l| l.grids.remove(0))
    }

    fn row(g: &Grid, r: usize) -> Vec<String> {
        (0..g.width())
            .map(|c| g.at(r, c).map_or_else(|s| format!("{s:?}"), |n| n.to_string()))
            .collect()
    }

    #[test]
    fn a_wide_table_keeps_its_order() {
        let g = read("window,0.3,0.1\n20,1,2\n10,,inf\n", true, &Figure::default()).unwrap();
        assert_eq!(
            (row(&g, 0), row(&g, 1)),
            (vec!["1".into(), "2".into()], vec!["Nan".into(), "inf".into()])
        );
        assert_eq!(
            (g.rows.kind, g.columns.kind, g.rows.name.as_str()),
            (AxisKind::Category, AxisKind::Category, "window")
        );
        let g = read(",1,2\n5,1,2\n7,3,4\n", true, &Figure::default()).unwrap();
        assert_eq!(
            (g.rows.kind, g.columns.kind, g.rows.center(1)),
            (AxisKind::Number, AxisKind::Number, Some(7.0))
        );
    }

    #[test]
    fn a_matrix_has_indices_and_the_header_as_names() {
        let g = read("1,2\n3,4\n5,6\n", false, &Figure::default()).unwrap();
        assert_eq!((g.height(), g.width(), g.rows.kind), (3, 2, AxisKind::Index));
        let g = read("f1,f2\n3,4\n", false, &Figure::default()).unwrap();
        assert_eq!((g.height(), g.columns.levels[0].join(" ")), (1, "f1 f2".into()));
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut f = Figure {
            data: Data {
                transpose: Some(true),
                ..Data::default()
            },
            ..Figure::default()
        };
        let g = read("w,a,b,c\nk,1,2,3\nm,4,5,6\n", true, &f).unwrap();
        assert_eq!(
            (row(&g, 2), g.columns.name.as_str(), g.rows.levels[0].join("")),
            (vec!["3".into(), "6".into()], "w", "abc".into())
        );
        f.y.order = Some(Order::Keys(List(vec!["c".into()])));
        assert_eq!(
            row(&read("w,a,b,c\nk,1,2,3\nm,4,5,6\n", true, &f).unwrap(), 0),
            ["3", "6"]
        );
    }

    #[test]
    fn orders_and_domains_rearrange_rows() {
        let text = "k,v,w\nb,1,2\na,5,6\nc,3,4\n";
        let mut f = Figure::default();
        f.y.order = Some(Order::Word(OrderWord::Value));
        assert_eq!(read(text, true, &f).unwrap().rows.levels[0].join(""), "acb");
        f.y.order = None;
        f.y.domain = Some(List(vec!["a".into(), "z".into()]));
        let g = read(text, true, &f).unwrap();
        assert_eq!(
            (row(&g, 0), row(&g, 1)),
            (
                vec!["5".into(), "6".into()],
                vec!["Absent".into(), "Absent".into()]
            )
        );
        assert!(
            read("k,v\na,1\na,2\n", true, &f)
                .unwrap_err()
                .what
                .contains("twice")
        );
        f.y.domain = Some(List(vec!["1:3".into()]));
        let e = read("k,v\n1,1\n1.0,2\n", true, &f).unwrap_err();
        assert_eq!(
            e.what,
            "labels '1' and '1.0' are one key, so labels give no order"
        );
        f.y = AxisSpec {
            kind: Some(AxisType::Number),
            ..AxisSpec::default()
        };
        assert!(
            read(text, true, &f)
                .unwrap_err()
                .what
                .contains("'b' is no number")
        );
    }

    #[test]
    fn what_needs_a_tidy_table_is_refused() {
        let f = Figure {
            data: Data {
                pending: Some("a = 1".into()),
                ..Data::default()
            },
            ..Figure::default()
        };
        assert!(read("1,2\n", false, &f).unwrap_err().what.contains("--pending"));
        assert!(
            read("a,b\n1,x\n", false, &Figure::default())
                .unwrap_err()
                .what
                .contains("'x' is no number")
        );
    }
}
