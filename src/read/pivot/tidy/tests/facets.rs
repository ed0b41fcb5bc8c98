//! Panels of several columns, and panels in rows and columns.

use super::*;
use gridscope_core::grid::Facet;

/// Three pairs of `m` and `s`: `lo` has 0 and 1, `hi` has 10.
const TEXT: &str = "x,y,v,w,m,s\n1,1,1,9,lo,0\n1,1,2,8,lo,1\n2,1,3,7,hi,10\n2,1,3,7,,0\n";

fn sides(row: Option<&str>, column: Option<&str>) -> Figure {
    let mut f = figure("x", "y", "v");
    f.data.panel_row = row.map(str::to_owned);
    f.data.panel_column = column.map(str::to_owned);
    f.data.blank_key = Some("drop".to_owned());
    f
}

/// The panels: name, row, column, cells.
fn panels(l: &Loaded) -> Vec<String> {
    let value = |f: &Option<gridscope_core::grid::FacetValue>| {
        f.as_ref().map_or("-".to_owned(), |v| format!("{}@{}", v.value, v.place))
    };
    let of = |g: &Grid| {
        let Facet { row, column } = g.facet().cloned().unwrap_or_default();
        format!("{} [{} {}] {}", g.name(), value(&row), value(&column), drawn(g))
    };
    l.grids.iter().map(of).collect()
}

#[test]
fn pairs_without_a_row_are_empty_panels() {
    let mut f = sides(Some("m"), Some("s"));
    let l = read(TEXT, &f);
    assert_eq!(
        panels(&l),
        [
            "m = lo, s = 0 [lo@0 0@0] 1 .",
            "m = lo, s = 1 [lo@0 1@1] 2 .",
            "m = lo, s = 10 [lo@0 10@2] . .",
            "m = hi, s = 0 [hi@1 0@0] . .",
            "m = hi, s = 1 [hi@1 1@1] . .",
            "m = hi, s = 10 [hi@1 10@2] . 3",
        ]
    );
    let (count, text) = lint(&l, LintName::EmptyPanel).unwrap();
    assert!(count == 3 && text.starts_with("3 of 6 panels have no row: 'm = lo, s = 10',"), "{text}");
    assert_eq!(lint(&l, LintName::EmptyKey).map(|l| l.0), Some(1));
    f.data.drop_empty = Some(true);
    f.panel_row_order = list("hi,lo");
    let l = read(TEXT, &f);
    assert_eq!(
        panels(&l),
        ["m = hi, s = 10 [hi@0 10@2] . 3", "m = lo, s = 0 [lo@1 0@0] 1 .", "m = lo, s = 1 [lo@1 1@1] 2 .",]
    );
    f.panel_row_order = list("hi");
    f.panel_column_order = list("10.0");
    let l = read(TEXT, &f);
    assert_eq!(panels(&l), ["m = hi, s = 10 [hi@0 10@0] . 3"]);
    assert!(
        lint(&l, LintName::PanelsLeftOut)
            .unwrap()
            .1
            .starts_with("panel_row_order names 1 of 2 values; left out: 'lo'")
    );
    // Rows and columns of the data are those of all panels, also where panels do not share them.
    f.panel_row_order = list("lo,hi");
    f.panel_column_order = list("10,0");
    (f.data.drop_empty, f.share_x) = (None, Some(false));
    assert_eq!(
        panels(&read(TEXT, &f)),
        [
            "m = lo, s = 10 [lo@0 10@0] . .",
            "m = lo, s = 0 [lo@0 0@1] 1",
            "m = hi, s = 10 [hi@1 10@0] 3",
            "m = hi, s = 0 [hi@1 0@1] . .",
        ]
    );
}

#[test]
fn one_side_may_be_value_columns_or_missing() {
    assert_eq!(
        panels(&read(TEXT, &sides(None, Some("m")))),
        ["m = lo [- lo@0] 1.5 .", "m = hi [- hi@1] . 3"]
    );
    let mut f = sides(Some("m"), None);
    f.data.value = list("w,v");
    assert_eq!(
        panels(&read(TEXT, &f)),
        [
            "m = lo, w [lo@0 w@0] 8.5 .",
            "m = lo, v [lo@0 v@1] 1.5 .",
            "m = hi, w [hi@1 w@0] . 7",
            "m = hi, v [hi@1 v@1] . 3",
        ]
    );
    f.panel_column_order = list("v");
    assert_eq!(read(TEXT, &f).grids.len(), 2);
    // Wrapped columns are panels as any others.
    let mut f = sides(None, Some("s"));
    f.columns = Some(2);
    assert_eq!(panels(&read(TEXT, &f)), ["0 [- -] 1 3", "1 [- -] 2 .", "10 [- -] . 3"]);
}

#[test]
fn several_columns_are_panels_of_their_combinations() {
    let mut f = figure("x", "y", "v");
    f.data.panel = list("s,m");
    f.data.blank_key = Some("drop".to_owned());
    let l = read(TEXT, &f);
    assert_eq!(
        panels(&l),
        ["s = 0, m = lo [- -] 1 .", "s = 1, m = lo [- -] 2 .", "s = 10, m = hi [- -] . 3"]
    );
    let captions: Vec<_> = l.grids.iter().map(|g| g.caption().unwrap()).collect();
    assert_eq!(captions, ["s = 0, lo", "s = 1, lo", "s = 10, hi"]);
    f.panel_order = Some(List(vec!["s = 1, m = lo".to_owned()]));
    assert_eq!(read(TEXT, &f).grids.len(), 1);
    // The order of each column is that of the whole file.
    f.panel_order = None;
    f.data.panel = list("m,s");
    f.data.filter = Some(List(vec!["v > 1".to_owned()]));
    assert_eq!(panels(&read(TEXT, &f)), ["m = lo, s = 1 [- -] 2 .", "m = hi, s = 10 [- -] . 3"]);
}

#[test]
fn sides_that_do_not_go_together_are_refused() {
    let refused = |f: &Figure| read_with(TEXT, f, &ReadOptions::default()).unwrap_err();
    let mut both = sides(Some("m"), Some("s"));
    both.data.value = list("v,w");
    assert!(refused(&both).what.contains("several value columns"));
    let mut twice = sides(Some("m"), None);
    twice.data.panel = list("s");
    assert!(refused(&twice).what.contains("both make panels"));
    let mut wrapped = sides(Some("m"), None);
    wrapped.columns = Some(2);
    assert!(refused(&wrapped).what.contains("columns wraps"));
    let mut order = sides(Some("m"), None);
    order.panel_row_order = list("lo,no");
    assert_eq!(refused(&order).what, "panel_row_order: no value 'no'");
    order.panel_row_order = None;
    order.panel_column_order = list("a");
    assert!(refused(&order).what.contains("needs panel_column"));
    let mut lone = figure("x", "y", "v");
    lone.data.drop_empty = Some(true);
    assert!(refused(&lone).what.contains("drop_empty needs"));
}

#[test]
fn too_many_panels_are_refused_while_rows_come_in() {
    let rows: String = (0..80_000).map(|i| format!("1,1,1,1,{},{}\n", i % 300, i / 300)).collect();
    let text = format!("x,y,v,w,m,s\n{rows}");
    let refused = |f: &Figure| read_with(&text, f, &ReadOptions::default()).unwrap_err();
    let what = refused(&sides(Some("m"), Some("s"))).what;
    assert!(what.starts_with("--panel-row 'm' and --panel-column 's' make"), "{what}");
    let mut combined = figure("x", "y", "v");
    combined.data.panel = list("m,s");
    let what = refused(&combined).what;
    assert!(what.starts_with("--panel 'm','s' makes"), "{what}");
    // Pairs that no row is in count only where they are drawn.
    let rows: String = (0..300).map(|i| format!("1,1,1,1,{i},{i}\n")).collect();
    let diagonal = format!("x,y,v,w,m,s\n{rows}");
    let mut f = sides(Some("m"), Some("s"));
    let e = read_with(&diagonal, &f, &ReadOptions::default()).unwrap_err();
    assert!(e.hint.unwrap().starts_with("--drop-empty leaves out all but the "));
    f.data.drop_empty = Some(true);
    assert_eq!(read(&diagonal, &f).grids.len(), 300);
    // Orders choose a few of many.
    let mut few = sides(Some("m"), Some("s"));
    (few.panel_row_order, few.panel_column_order) = (list("7,5"), list("3"));
    let l = read(&text, &few);
    assert_eq!(panels(&l), ["m = 7, s = 3 [7@0 3@0] 1", "m = 5, s = 3 [5@1 3@0] 1"]);
}
