//! Panels, axes and domains of tidy tables.

use super::*;
use gridscope_core::figure::Statistic;
use gridscope_random::{Random, cases};

#[test]
fn many_panels_and_a_long_order_of_them() {
    let n = 4_000;
    let rows: String = (0..n).map(|i| format!("1,1,{i},p{i}\n")).collect();
    let mut f = figure("x", "y", "v");
    f.data.panel = Some("p".into());
    f.panel_order = Some(List((0..n).rev().map(|i| format!("p{i}")).collect()));
    let l = read(&format!("x,y,v,p\n{rows}"), &f);
    assert_eq!((l.grids.len(), l.grids[0].name(), drawn(&l.grids[0])), (n, "p3999", "3999".into()));
    f.panel_order = list("p1,v,p1");
    assert_eq!(
        read("x,y,v,p\n1,1,1,p0\n1,1,2,p1\n", &f)
            .grids
            .iter()
            .map(gridscope_core::grid::Grid::name)
            .collect::<Vec<_>>(),
        ["p1", "p0"]
    );
}

#[test]
fn panels_that_an_order_leaves_out_are_reported() {
    let mut f = figure("x", "y", "v");
    f.data.panel = Some("p".into());
    f.panel_order = list("b");
    let l = read("x,y,v,p\n1,1,1,a\n1,1,2,b\n1,1,2,c\n", &f);
    assert_eq!(
        lint(&l, LintName::PanelsLeftOut),
        Some((2, "panel_order names 1 of 3 panels; left out: 'a', 'c'".into()))
    );
}

#[test]
fn where_leaves_panels_in_the_order_of_the_file() {
    let mut f = figure("x", "y", "v");
    f.data.panel = Some("p".into());
    let mut order = |text: &str, condition: &str| {
        f.data.filter = (!condition.is_empty()).then(|| List(vec![condition.to_owned()]));
        let grids = read(&format!("x,y,v,p\n{text}"), &f).grids;
        grids.iter().map(|g| g.name().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let text = "1,1,1,b\n1,1,2,a\n2,1,3,a\n2,1,4,b\n1,1,5,10\n2,1,6,2\n";
    assert_eq!(order(text, ""), "b a 10 2");
    assert_eq!(order(text, "x = 2"), "b a 2");
    assert_eq!(order(text, "p in 2,10"), "10 2");
    assert_eq!(order("1,1,1,10\n1,1,1,2\n2,1,1,1.0\n", "v > 0"), "1.0 2 10");
}

#[test]
fn any_condition_leaves_the_order_of_panels_as_it_is() {
    let names = ["7b", "70m", "1.4b", "10", "2", "Jan", "Feb", "x", "NA", "2024-01-01", "2023-01-01"];
    let mut random = Random(3);
    for case in 0..cases(60) {
        let (first, some) = (random.below(names.len()), random.within(1, 4_usize));
        let rows: String = (0..12)
            .map(|i| {
                let name = names[(first + random.below(some)) % names.len()];
                format!("{},1,{i},{name}\n", random.below(3))
            })
            .collect();
        let mut f = figure("x", "y", "v");
        f.data.panel = Some("p".into());
        let order = |f: &Figure| {
            let read = read_with(&format!("x,y,v,p\n{rows}"), f, &ReadOptions::default());
            read.map_or_else(|_| Vec::new(), |l| l.grids.iter().map(|g| g.name().to_owned()).collect())
        };
        let all = order(&f);
        f.data.filter = Some(List(vec![format!("x != {}", case % 3)]));
        let some = order(&f);
        let mut left = all.iter();
        assert!(some.iter().all(|name| left.any(|n| n == name)), "{rows}{all:?} {some:?}");
    }
}

#[test]
fn rows_are_left_out_by_where_key_and_domain() {
    let mut f = figure("x", "y", "v");
    f.x.domain = list("5:8");
    f.data.filter = Some(List(vec!["v < 100".into()]));
    let l = read("x,y,v\n5,a,1\n7,a,2\n9,a,3\n,a,4\n6,a,100\n", &f);
    assert_eq!(
        (drawn(&l.grids[0]), l.grids[0].columns().levels[0].join(" ")),
        ("1 . 2 .".into(), "5 6 7 8".into())
    );
    assert_eq!(
        lint(&l, LintName::OutsideDomain),
        Some((1, "1 row has a key outside the domain and is left out".into()))
    );
    assert_eq!(lint(&l, LintName::EmptyKey), Some((1, "1 row has no key in x or y and is left out".into())));
    f.data.filter = Some(List(vec!["v > 1000".into()]));
    assert_eq!(
        read_with("x,y,v\n5,a,1\n", &f, &ReadOptions::default()).unwrap_err().what,
        "no row meets --where: v > 1000 left 0 of 1 row"
    );
}

#[test]
fn panels_share_their_axes_unless_told() {
    let text = "x,y,v,p\n1,a,1,s10\n2,a,2,s9\n3,b,3,s9\n";
    let mut f = figure("x", "y", "v");
    f.data.panel = Some("p".into());
    let l = read(text, &f);
    let of = |l: &Loaded| l.grids.iter().map(|g| format!("{}: {}", g.name(), drawn(g))).collect::<Vec<_>>();
    assert_eq!(of(&l), ["s9: . 2 .; . . 3", "s10: 1 . .; . . ."]);
    f.share_x = Some(false);
    f.share_y = Some(false);
    f.panel_order = list("s10,s9");
    assert_eq!(of(&read(text, &f)), ["s10: 1", "s9: 2 .; . 3"]);
    f.panel_order = list("s10");
    assert_eq!(of(&read(text, &f)), ["s10: 1"]);
    f.panel_order = list("s11");
    assert_eq!(read_with(text, &f, &ReadOptions::default()).unwrap_err().hint.unwrap(), "panels: s9, s10");
}

#[test]
fn several_values_make_panels() {
    let mut f = figure("x", "y", "v,w");
    let text = "x,y,v,w,p\n1,1,1,2,k\n2,1,3,4,m\n";
    let names = |f: &Figure| {
        read(text, f).grids.iter().map(|g| format!("{}={}", g.name(), g.value_name())).collect::<Vec<_>>()
    };
    assert_eq!(names(&f), ["v=v", "w=w"]);
    f.data.panel = Some("p".into());
    assert_eq!(names(&f), ["v | k=v", "v | m=v", "w | k=w", "w | m=w"]);
    f.panel_order = list("m,v | k");
    assert_eq!(names(&f), ["v | m=v", "w | m=w", "v | k=v"]);
}

#[test]
fn axes_go_by_value_and_carry_strips() {
    let mut f = figure("x", "y", "v");
    f.y.order = Some(Order::Word(OrderWord::Value));
    let strip = Strip { axis: StripAxis::Y, column: "g".into(), ..Strip::default() };
    f.strip = Some(strip.into());
    let l = read("x,y,v,g\n1,a,1,one\n1,b,5,two\n1,c,3,one\n2,c,9,one\n", &f);
    let g = &l.grids[0];
    assert_eq!((drawn(g), g.rows().levels[0].join("")), ("3 9; 5 .; 1 .".into(), "cba".into()));
    assert_eq!(g.rows().strips[0].join(" "), "one two one");
}

#[test]
fn templates_get_their_aggregates_and_texts() {
    let needs = ReadOptions {
        statistics: [Agg::Count, Agg::Std].map(Statistic::of_value).to_vec(),
        columns: vec!["note".into()],
        ..ReadOptions::default()
    };
    let l =
        read_with("x,y,v,note\n1,1,1,p\n1,1,3,q\n1,1,,p\n2,2,4,r\n", &figure("x", "y", "v"), &needs).unwrap();
    let g = &l.grids[0];
    assert_eq!((g.fields()["n"][0], g.fields()["count"][3], g.fields()["n"][1].is_nan()), (2.0, 1.0, true));
    assert!((g.fields()["std"][0] - 2f64.sqrt()).abs() < 1e-15 && g.fields()["std"][3].is_nan());
    assert_eq!(g.texts()["note"], ["p, q", "", "", "r"]);
}

#[test]
fn columns_that_are_named_like_aggregates_are_meant_where_cells_have_one_row() {
    let needs = ReadOptions {
        statistics: [Agg::Count, Agg::Std].map(Statistic::of_value).to_vec(),
        ..ReadOptions::default()
    };
    let of = |text: &str| {
        let l = read_with(text, &figure("x", "y", "v"), &needs).unwrap();
        ["n", "std"].map(|name| l.grids[0].fields()[name].clone())
    };
    // A table of aggregates.
    assert_eq!(of("x,y,v,std,n\n1,1,1,0.5,7\n2,1,3,0.25,9\n"), [vec![7.0, 9.0], vec![0.5, 0.25]]);
    // One of measurements, with columns of these names.
    let [n, std] = of("x,y,v,std,n\n1,1,1,0.5,7\n1,1,3,0.25,9\n");
    assert_eq!((n[0], std[0]), (2.0, 2f64.sqrt()));
}

#[test]
fn a_sparse_giant_is_refused() {
    let rows: String = (0..20_000).map(|i| format!("{i},{},1\n", i + 7)).collect();
    let e =
        read_with(&format!("x,y,v\n{rows}"), &figure("x", "y", "v"), &ReadOptions::default()).unwrap_err();
    assert_eq!(e.kind, crate::ErrorKind::Limit);
    assert!(e.what.contains("20000 x 20000"), "{}", e.what);
}

#[test]
fn grids_say_how_rows_became_values() {
    let merged = |rows: &[&str], agg: Option<Agg>| {
        let mut figure = figure("x", "y", "v");
        figure.data.agg = agg;
        let grid = read(&format!("x,y,seed,note,v\n{}\n", rows.join("\n")), &figure).grids.remove(0);
        grid.merged().map(|m| (m.by.clone(), m.values, m.column.clone()))
    };
    let seed = Some("seed".to_owned());
    let even = ["1,1,0,a,1", "1,1,1,a,2", "2,1,0,b,3", "2,1,1,b,4"];
    assert_eq!(merged(&even, None), Some(("mean".into(), (2, 2), seed.clone())));
    assert_eq!(merged(&even, Some(Agg::Std)), Some(("std".into(), (2, 2), None)));
    assert_eq!(merged(&even[..3], None), Some(("mean".into(), (1, 2), seed.clone())));
    let missing = ["1,1,0,a,1", "1,1,1,a,", "1,1,2,a,5", "2,1,0,b,3", "2,1,1,b,4", "2,1,2,b,4"];
    assert_eq!(merged(&missing, None), Some(("mean".into(), (2, 3), seed)));
    let both = ["1,1,0,a,1", "1,1,1,b,2"];
    assert_eq!(merged(&both, None), Some(("mean".into(), (2, 2), None)));
    let alone = ["1,1,0,a,1", "2,1,1,b,2"];
    assert_eq!((merged(&alone, None), merged(&alone, Some(Agg::Max))), (None, None));
    assert_eq!(merged(&alone, Some(Agg::Count)), Some(("count".into(), (1, 1), None)));
}
