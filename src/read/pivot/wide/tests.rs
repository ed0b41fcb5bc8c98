//! Wide tables and matrices, from their text to their grids.

use super::*;
use crate::format::csv::CsvTable;
use gridscope_core::figure::{AxisSpec, AxisType, Data, List, Order, OrderWord};
use gridscope_core::grid::{AxisKind, Cell, Grid};

fn read(text: &str, labelled: bool, figure: &Figure) -> Result<Grid, InputError> {
    let budget = Budget::new(1 << 20);
    let mut lints = Lints::default();
    let table = CsvTable::read(text.into(), "t.csv", &figure.data, &mut lints, &budget)?;
    let chosen = WideColumns::all(table.schema().width(), labelled);
    read_wide(&table, &chosen, figure, &ReadOptions::default(), &budget).map(|mut l| l.grids.remove(0))
}

fn row(g: &Grid, r: usize) -> Vec<String> {
    (0..g.width())
        .map(|c| match g.at(r, c) {
            Cell::Value(n) => n.to_string(),
            Cell::Empty(s) => format!("{s:?}"),
        })
        .collect()
}

#[test]
fn a_wide_table_keeps_its_order() {
    let g = read("window,0.3,0.1\n20,1,2\n10,,inf\n", true, &Figure::default()).unwrap();
    assert_eq!((row(&g, 0), row(&g, 1)), (vec!["1".into(), "2".into()], vec!["Nan".into(), "inf".into()]));
    assert_eq!(
        (g.rows().kind, g.columns().kind, g.rows().name.as_str()),
        (AxisKind::Category, AxisKind::Category, "window")
    );
    let g = read(",1,2\n5,1,2\n7,3,4\n", true, &Figure::default()).unwrap();
    assert_eq!(
        (g.rows().kind, g.columns().kind, g.rows().center(1)),
        (AxisKind::Number, AxisKind::Number, Some(7.0))
    );
}

#[test]
fn a_pivoted_calendar_is_put_in_order_and_another_order_stays() {
    let columns = |header: &str, figure: &Figure| {
        let g = read(&format!("y,{header}\na,1,2,3\n"), true, figure).unwrap();
        (g.columns().levels[0].join(" "), row(&g, 0).join(" "))
    };
    let of = |header: &str| columns(header, &Figure::default());
    assert_eq!(of("Apr,Feb,Jan"), ("Jan Feb Apr".into(), "3 2 1".into()));
    assert_eq!(of("Sat,Sun,Mon"), ("Sat Sun Mon".into(), "1 2 3".into()));
    assert_eq!(of("Apr,Feb,Sum"), ("Apr Feb Sum".into(), "1 2 3".into()));
    let mut f = Figure::default();
    f.x.order = Some(Order::Word(OrderWord::Data));
    assert_eq!(columns("Apr,Feb,Jan", &f), ("Apr Feb Jan".into(), "1 2 3".into()));
}

#[test]
fn a_matrix_has_indices_and_the_header_as_names() {
    let g = read("1,2\n3,4\n5,6\n", false, &Figure::default()).unwrap();
    assert_eq!((g.height(), g.width(), g.rows().kind), (3, 2, AxisKind::Index));
    let g = read("f1,f2\n3,4\n", false, &Figure::default()).unwrap();
    assert_eq!((g.height(), g.columns().levels[0].join(" ")), (1, "f1 f2".into()));
}

#[test]
fn transposing_swaps_rows_and_columns() {
    let mut f = Figure { data: Data { transpose: Some(true), ..Data::default() }, ..Figure::default() };
    let g = read("w,a,b,c\nk,1,2,3\nm,4,5,6\n", true, &f).unwrap();
    assert_eq!(
        (row(&g, 2), g.columns().name.as_str(), g.rows().levels[0].join("")),
        (vec!["3".into(), "6".into()], "w", "abc".into())
    );
    f.y.order = Some(Order::Keys(List(vec!["c".into()])));
    assert_eq!(row(&read("w,a,b,c\nk,1,2,3\nm,4,5,6\n", true, &f).unwrap(), 0), ["3", "6"]);
}

#[test]
fn orders_and_domains_rearrange_rows() {
    let text = "k,v,w\nb,1,2\na,5,6\nc,3,4\n";
    let mut f = Figure::default();
    f.y.order = Some(Order::Word(OrderWord::Value));
    assert_eq!(read(text, true, &f).unwrap().rows().levels[0].join(""), "acb");
    f.y.order = None;
    f.y.domain = Some(List(vec!["a".into(), "z".into()]));
    let g = read(text, true, &f).unwrap();
    assert_eq!(
        (row(&g, 0), row(&g, 1)),
        (vec!["5".into(), "6".into()], vec!["Absent".into(), "Absent".into()])
    );
    assert!(read("k,v\na,1\na,2\n", true, &f).unwrap_err().what.contains("twice"));
    f.y.domain = Some(List(vec!["1:3".into()]));
    let e = read("k,v\n1,1\n1.0,2\n", true, &f).unwrap_err();
    assert_eq!(e.what, "labels '1' and '1.0' are one key, so labels give no order");
    f.y = AxisSpec { kind: Some(AxisType::Number), ..AxisSpec::default() };
    assert!(read(text, true, &f).unwrap_err().what.contains("'b' is not a number"));
}

#[test]
fn what_needs_a_tidy_table_is_refused() {
    let f = Figure { data: Data { pending: Some("a = 1".into()), ..Data::default() }, ..Figure::default() };
    assert!(read("1,2\n", false, &f).unwrap_err().what.contains("--pending"));
    assert!(read("a,b\n1,x\n", false, &Figure::default()).unwrap_err().what.contains("'x' is not a number"));
}

#[test]
fn rows_of_equal_labels_are_merged_by_the_aggregate_that_is_given() {
    let text = "region,a,b\nN,1,2\nS,3,\nN,5,\nS,7,\n";
    let figure = |agg: Option<Agg>| {
        let mut figure = Figure::default();
        figure.data.agg = agg;
        figure
    };
    let of = |agg| {
        let g = read(text, true, &figure(agg)).unwrap();
        let rows: Vec<String> = (0..g.height()).map(|r| row(&g, r).join(" ")).collect();
        (rows.join("|"), g.merged().map(|m| (m.by.clone(), m.values)))
    };
    assert_eq!(of(None).0, "1 2|3 Nan|5 Nan|7 Nan");
    assert_eq!(of(Some(Agg::Sum)), ("6 2|10 Nan".into(), Some(("sum".into(), (1, 2)))));
    assert_eq!(of(Some(Agg::Count)).0, "2 1|2 0");
    assert_eq!(of(Some(Agg::Std)).1.map(|m| m.0), Some("std".into()));
    let g = read("r,a\nx,1\ny,2\n", true, &figure(Some(Agg::Mean))).unwrap();
    assert_eq!((g.height(), g.merged()), (2, None));
}
