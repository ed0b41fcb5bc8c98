//! A tidy table: one row a cell, columns that say where it stands.

mod dictionary;
mod plan;
mod tally;
mod sorter;
mod gathered;
mod placed;
mod panel_count;
mod grids;
mod merged;

pub use grids::named;
pub use plan::Roles;
pub use tally::aggregate;

use super::batch::Table;
use super::budget::{Budget, Short};
use super::error::InputError;
use super::keys::check_order;
use super::loaded::{Loaded, Needs};
use super::ordered::{in_order, waiting};
use super::schema::{Schema, count};
use crate::figure::{Agg, Figure, StripAxis};
use crate::lint::Lints;
use foldhash::fast::RandomState;
use gathered::Gathered;
use grids::{Shown, axis, panels};
use merged::tell_merged;
use panel_count::{PanelCount, take_labels};
use placed::{Placed, bytes_of_label};
use plan::Plan;
use sorter::{Sorter, bytes_of_slice};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of a strip's text beside its own.
const STRIP: u64 = 56;

/// Reads the rows of tidy tables with the same columns, one table after the other. `schema` is theirs; `names` are those of
/// the files where it has a last column for them, and else empty. Memory grows with cells and keys, as the budget allows.
///
/// # Errors
/// Unknown columns, texts among the values, no rows left, too many cells, too little memory.
pub fn read_tidy(
    tables: &[&dyn Table],
    names: &[String],
    schema: &Schema,
    roles: &Roles,
    figure: &Figure,
    needs: &Needs,
    budget: &Arc<Budget>,
) -> Result<Loaded, InputError> {
    let mut lints = Lints::default();
    let file = schema.file.as_str();
    let agg = figure.data.agg.unwrap_or_default();
    let plan = Plan::new(
        roles,
        schema,
        figure,
        needs,
        (!names.is_empty()).then(|| schema.width() - 1),
    )?;
    let mut gathered = gather(tables, names, &plan, budget)?;
    let placed = Placed::new(&mut gathered, &plan, figure, &mut lints, budget)?;
    check_order(&placed.x.columns, figure.x.order.as_ref(), file)?;
    check_order(&placed.y.columns, figure.y.order.as_ref(), file)?;

    let list = panels(&placed, &plan, figure)?;
    let texts: Vec<Vec<&str>> = gathered.texts[roles.keys().len()..]
        .iter()
        .map(dictionary::Dictionary::texts)
        .collect();
    let strip = plan
        .strip
        .map(|(axis, _)| (axis, placed.first_texts(&gathered, &texts[0], axis)));
    let texts = &texts[usize::from(strip.is_some())..];
    let all = Shown::new(&gathered, &placed, agg);
    let shared = all.sides(figure, 0..placed.size[2], 0);
    let apart = [figure.share_x, figure.share_y].map(|s| s == Some(false));
    // Each panel has axes of its own, and with them all texts of a strip.
    let of_strip: u64 = strip
        .iter()
        .flat_map(|s| &s.1)
        .map(|t| t.len() as u64 + STRIP)
        .sum();
    let strips = budget.take(of_strip.saturating_mul(list.len() as u64));
    strips.map_err(|s: Short| s.of(file, format_args!("the strips of {}", count(list.len(), "panel"))))?;
    let each = [bytes_of_label(&placed.x), bytes_of_label(&placed.y)];
    if !apart.contains(&true) {
        take_labels(list.len(), [shared.x.len(), shared.y.len()], each, file, budget)?;
    }
    let mut grids = Vec::with_capacity(list.len());
    for panel in &list {
        // Finding a panel's own keys takes a pass over all of them, which thousands of panels would feel.
        let own = apart
            .contains(&true)
            .then(|| all.sides(figure, panel.id..panel.id + 1, panel.value));
        let own = own.as_ref().unwrap_or(&shared);
        let xs = if apart[0] { &own.x } else { &shared.x };
        let ys = if apart[1] { &own.y } else { &shared.y };
        if apart.contains(&true) {
            take_labels(1, [xs.len(), ys.len()], each, file, budget)?;
        }
        let rows = axis(&placed.y, ys, &figure.y, StripAxis::Y, strip.as_ref(), file)?;
        let columns = axis(&placed.x, xs, &figure.x, StripAxis::X, strip.as_ref(), file)?;
        let mut grid = all.grid(panel, (ys, rows), (xs, columns), needs, file)?;
        grid.name.clone_from(&panel.name);
        if let Some(&value) = roles.values.get(panel.value) {
            grid.value_name.clone_from(&schema.headers[value]);
        }
        for (i, &c) in plan.texts.iter().enumerate() {
            grid.texts.insert(
                schema.headers[c].clone(),
                all.texts(panel.id, &texts[i], i, ys, xs),
            );
        }
        grids.push(grid);
    }
    if figure.data.agg.is_none() {
        tell_merged(&gathered, &placed, &list, &plan, &mut lints);
    }
    let columns = || placed.x.columns.iter().chain(&placed.y.columns);
    columns().for_each(|keys| keys.report_numbers(&mut lints));
    for keys in columns().chain(&placed.panel) {
        keys.report_merged(&mut lints);
        keys.report_alike(&mut lints);
        keys.report_times(&mut lints);
    }
    Ok(Loaded {
        grids,
        lints,
        told: told(schema, gathered.rows, roles, agg),
        ..Loaded::default()
    })
}

/// The cells of all rows.
fn gather(
    tables: &[&dyn Table],
    names: &[String],
    plan: &Plan,
    budget: &Arc<Budget>,
) -> Result<Gathered, InputError> {
    let mut gathered = Gathered::new(plan, budget);
    let slice = bytes_of_slice(plan);
    let differ: Vec<AtomicBool> = plan.others.iter().map(|_| AtomicBool::new(false)).collect();
    let hasher = RandomState::default();
    let mut panels = PanelCount::new(plan)?;
    for (i, table) in tables.iter().enumerate() {
        let threads = table.threads().min(budget.shares(2 * slice));
        let most = waiting(threads).min(budget.shares(slice) / threads);
        gathered.begin(plan, threads);
        let mut parts = table.parts();
        let name = names.get(i).map_or("", String::as_str);
        let read = in_order(
            (threads, most),
            || parts.next().transpose(),
            || Sorter::new(plan, &differ, hasher.clone()),
            |sorter, part, give| sorter.sort(part, name, give),
            |thread, sorted| {
                gathered.take(plan, thread, sorted, &differ)?;
                panels.check(plan, &gathered)
            },
        );
        if gathered.failed {
            break;
        }
        read?;
    }
    Ok(gathered)
}

fn told(schema: &Schema, rows: u64, roles: &Roles, agg: Agg) -> String {
    let names = |c: &[usize]| {
        c.iter()
            .map(|&c| schema.headers[c].as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let value = if roles.values.is_empty() {
        "count of rows".to_owned()
    } else {
        names(&roles.values)
    };
    let panel = roles
        .panel
        .map_or_else(String::new, |p| format!(", panel = {}", schema.headers[p]));
    let agg = if agg == Agg::Mean || roles.values.is_empty() {
        String::new()
    } else {
        format!(" ({})", agg.word())
    };
    let rows = count(rows as usize, "row");
    format!(
        "{}: tidy table, {rows}: x = {}, y = {}, value = {value}{agg}{panel}",
        schema.file,
        names(&roles.x),
        names(&roles.y)
    )
}

#[cfg(test)]
mod tests {
    use super::super::csv::Records;
    use super::*;
    use crate::figure::{Data, List, Order, OrderWord, Strip};
    use crate::grid::{AxisKind, Grid, Number, State};
    use crate::lint::LintName;
    use std::collections::BTreeMap;

    fn list(text: &str) -> Option<List> {
        Some(List::from_flag(text))
    }

    fn figure(x: &str, y: &str, value: &str) -> Figure {
        Figure {
            data: Data {
                x: list(x),
                y: list(y),
                value: list(value),
                ..Data::default()
            },
            ..Figure::default()
        }
    }

    fn read_with(text: &str, figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
        let records = Records::read(text, "t.csv", &figure.data, &mut Lints::default())?;
        let schema = &records.schema;
        let columns = |l: &Option<List>| {
            l.iter()
                .flat_map(|l| &l.0)
                .map(|c| schema.column(c))
                .collect::<Result<Vec<_>, _>>()
        };
        let panel = figure.data.panel.as_ref().map(|p| schema.column(p)).transpose()?;
        let roles = Roles {
            x: columns(&figure.data.x)?,
            y: columns(&figure.data.y)?,
            values: columns(&figure.data.value)?,
            panel,
        };
        read_tidy(
            &[&records],
            &[],
            schema,
            &roles,
            figure,
            needs,
            &Budget::new(1 << 30),
        )
    }

    fn read(text: &str, figure: &Figure) -> Loaded {
        read_with(text, figure, &Needs::default()).unwrap()
    }

    /// The grid as text: `.` absent, `nan`, `m` masked, `p` pending.
    fn drawn(g: &Grid) -> String {
        let cell = |r, c| match g.at(r, c) {
            Ok(n) => n.to_string(),
            Err(State::Absent) => ".".into(),
            Err(State::Nan) => "nan".into(),
            Err(State::Masked) => "m".into(),
            Err(State::Pending) => "p".into(),
        };
        (0..g.height())
            .map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn lint(l: &Loaded, name: LintName) -> Option<(u64, String)> {
        l.lints
            .0
            .iter()
            .find(|l| l.name == name)
            .map(|l| (l.count, l.text.clone()))
    }

    #[test]
    fn rows_become_cells_in_the_order_of_their_keys() {
        let l = read("x,y,v\n10,b,1\n9,a,2\n10,a,\n8,c,inf\n", &figure("x", "y", "v"));
        let g = &l.grids[0];
        assert_eq!(drawn(g), ". . 1; . 2 nan; inf . .");
        assert_eq!(
            (g.columns.kind, g.rows.kind, g.value_name.as_str()),
            (AxisKind::Number, AxisKind::Category, "v")
        );
        assert_eq!(
            (g.rows.levels[0].join(""), g.rows.name.as_str()),
            ("bac".into(), "y")
        );
        assert_eq!(l.told, "t.csv: tidy table, 4 rows: x = x, y = y, value = v");
    }

    #[test]
    fn whole_numbers_stay_exact_and_means_do_not_truncate() {
        let big = "x,y,v\n1,1,9007199254740993\n2,1,18446744073709551615\n";
        assert_eq!(
            read(big, &figure("x", "y", "v")).grids[0].at(0, 1),
            Ok(Number::U64(u64::MAX))
        );
        assert_eq!(
            drawn(&read("x,y,v\n1,1,1\n1,1,2\n2,1,4\n", &figure("x", "y", "v")).grids[0]),
            "1.5 4"
        );
    }

    #[test]
    fn merged_rows_are_told_unless_asked_for() {
        let text = "x,y,seed,v,bs\n1,1,0,1,4\n1,1,1,2,4\n2,1,0,3,4\n2,1,1,3,8\n2,1,2,3,8\n";
        let mut f = figure("x", "y", "v");
        let l = read(text, &f);
        let want = "5 rows on 2 cells (2-3 each) differ in seed, bs; shown: mean";
        assert_eq!(lint(&l, LintName::DuplicateKeys), Some((5, want.into())));
        f.data.agg = Some(Agg::Max);
        let l = read(text, &f);
        assert_eq!(
            (lint(&l, LintName::DuplicateKeys), drawn(&l.grids[0])),
            (None, "2 3".into())
        );
        let l = read("x,y,v\n1,1,1\n1,1,1\n", &figure("x", "y", "v"));
        assert_eq!(
            lint(&l, LintName::DuplicateKeys).unwrap().1,
            "2 rows on 1 cell (2 each) are repeated; shown: mean"
        );
    }

    #[test]
    fn count_tells_no_value_from_no_row() {
        let mut f = figure("x", "y", "v");
        f.data.agg = Some(Agg::Count);
        assert_eq!(
            drawn(&read("x,y,v\n1,1,5\n1,1,\n2,1,\n2,2,1\n", &f).grids[0]),
            "1 0; . 1"
        );
        f.data.value = None;
        assert_eq!(drawn(&read("x,y\n1,1\n1,1\n2,2\n", &f).grids[0]), "2 .; . 1");
    }

    #[test]
    fn whole_numbers_and_others_compare_by_value() {
        let text = "x,y,v\n1,a,3\n1,a,7.5\n2,a,-998\n2,a,-4.5\n2,a,true\n3,a,18446744073709551615\n3,a,-1\n";
        for (agg, want) in [(Agg::Max, "7.5 1 1.8446744073709552e19"), (Agg::Min, "3 -998 -1")] {
            let mut f = figure("x", "y", "v");
            f.data.agg = Some(agg);
            assert_eq!(drawn(&read(text, &f).grids[0]), want);
        }
    }

    #[test]
    fn equal_keys_in_other_words_are_one_cell() {
        let mut f = figure("x", "y", "v");
        let needs = Needs {
            columns: vec!["note".into()],
            ..Needs::default()
        };
        let text = "x,y,v,note\n0.1,a,1,p\n0.10,a,2,q\n0.1,a,3,r\n1e-1,a,6,p\n";
        for (agg, want) in [
            (Agg::Mean, "3"),
            (Agg::Median, "2.5"),
            (Agg::Sum, "12"),
            (Agg::First, "1"),
            (Agg::Last, "6"),
            (Agg::Min, "1"),
            (Agg::Max, "6"),
            (Agg::Count, "4"),
            (Agg::Std, "2.160246899469287"),
        ] {
            f.data.agg = Some(agg);
            let l = read_with(text, &f, &needs).unwrap();
            assert_eq!(
                (drawn(&l.grids[0]), l.grids[0].texts["note"].join("")),
                (want.into(), "p, q, r".into()),
                "{agg:?}"
            );
        }
        f.data.agg = Some(Agg::Std);
        assert_eq!(
            drawn(&read("x,y,v\n1,a,\n1.0,a,1e160\n1.0,a,2e160\n", &f).grids[0]),
            "inf"
        );
    }

    #[test]
    fn keys_of_another_spelling_are_reported_and_others_stay_apart() {
        let mut f = figure("x", "y", "v");
        let l = read("x,y,v\n1700000000.123,a,1\n1700000000.124,a,3\n", &f);
        assert_eq!(
            (drawn(&l.grids[0]), lint(&l, LintName::DuplicateKeys)),
            ("1 3".into(), None)
        );
        let text = "x,y,v\n0.3,a,1\n0.30000000000000004,a,3\n0.5,a ,3\n";
        let l = read(text, &f);
        assert_eq!(drawn(&l.grids[0]), "2 .; . 3");
        let want = "2 rows on 1 cell (2 each) are repeated, some under keys of another spelling; shown: mean";
        assert_eq!(lint(&l, LintName::DuplicateKeys), Some((2, want.into())));
        let want = "column 'x': 1 key is written in several ways, first '0.3' and '0.30000000000000004'";
        assert_eq!(lint(&l, LintName::MergedSpellings), Some((1, want.into())));
        assert!(
            lint(&l, LintName::SimilarKeys)
                .unwrap()
                .1
                .contains("'a' and 'a '")
        );
        f.data.agg = Some(Agg::Max);
        let l = read(text, &f);
        assert!(lint(&l, LintName::MergedSpellings).is_some() && lint(&l, LintName::DuplicateKeys).is_none());
    }

    #[test]
    fn renamed_keys_go_by_the_rule_of_keys() {
        let mut f = figure("x", "y", "v");
        f.x.labels = BTreeMap::from([
            ("1.0".to_owned(), "one".to_owned()),
            ("2".to_owned(), "two".to_owned()),
        ]);
        let l = read("x,y,v\n1,a,1\n2.0,a,3\n3,a,5\n", &f);
        assert_eq!(l.grids[0].columns.levels[0].join(" "), "one two 3");
        f.x.labels = BTreeMap::from([
            ("1".to_owned(), "exact".to_owned()),
            ("1.0".to_owned(), "other".to_owned()),
        ]);
        assert_eq!(read("x,y,v\n1,a,1\n", &f).grids[0].columns.levels[0], ["exact"]);
    }

    #[test]
    fn many_panels_and_a_long_order_of_them() {
        let n = 4_000;
        let rows: String = (0..n).map(|i| format!("1,1,{i},p{i}\n")).collect();
        let mut f = figure("x", "y", "v");
        f.data.panel = Some("p".into());
        f.panel_order = Some(List((0..n).rev().map(|i| format!("p{i}")).collect()));
        let l = read(&format!("x,y,v,p\n{rows}"), &f);
        assert_eq!(
            (l.grids.len(), l.grids[0].name.as_str(), drawn(&l.grids[0])),
            (n, "p3999", "3999".into())
        );
        f.panel_order = list("p1,v,p1");
        assert_eq!(
            read("x,y,v,p\n1,1,1,p0\n1,1,2,p1\n", &f)
                .grids
                .iter()
                .map(|g| g.name.as_str())
                .collect::<Vec<_>>(),
            ["p1", "p0"]
        );
    }

    #[test]
    fn faults_count_where_their_rows_do() {
        let mut f = figure("x", "y", "v");
        let place = |text: &str, f: &Figure| {
            read_with(text, f, &Needs::default())
                .map(|l| drawn(&l.grids[0]))
                .map_err(|e| e.place)
        };
        assert_eq!(place("x,y,v\nNA,a,oops\nb,a,bad\n", &f), Err("line 2".into()));
        assert_eq!(place("x,y,v\nNA,a,oops\n1,a,5\n", &f), Ok("5".into()));
        assert_eq!(place("x,y,v\n,a,oops\n1,a,5\n", &f), Ok("5".into()));
        f.x.domain = list("1,2");
        assert_eq!(place("x,y,v\n7,a,oops\n1,a,5\n", &f), Ok("5 .".into()));
        f.data.pending = Some("s > 6".into());
        assert_eq!(
            place("x,y,v,s\n1,a,1,5\n,a,2,high\n7,a,2,low\n2,a,3,7\n", &f),
            Ok("1 p".into())
        );
        assert!(place("x,y,v,s\n1,a,1,5\n2,a,2,high\n", &f).is_err());
    }

    #[test]
    fn nodata_masks_and_pending_runs_wait() {
        let mut f = figure("x", "y", "v");
        f.data.nodata = Some(-1.0);
        f.data.pending = Some("s = running".into());
        let text =
            "x,y,v,s\n1,1,-1,done\n2,1,,running\n3,1,5,done\n3,1,9,running\n4,1,-1.0,done\n4,1,2,done\n";
        assert_eq!(drawn(&read(text, &f).grids[0]), "m p 5 2");
    }

    #[test]
    fn rows_are_left_out_by_where_key_and_domain() {
        let mut f = figure("x", "y", "v");
        f.x.domain = list("5:8");
        f.data.filter = Some(List(vec!["v < 100".into()]));
        let l = read("x,y,v\n5,a,1\n7,a,2\n9,a,3\n,a,4\n6,a,100\n", &f);
        assert_eq!(
            (drawn(&l.grids[0]), l.grids[0].columns.levels[0].join(" ")),
            ("1 . 2 .".into(), "5 6 7 8".into())
        );
        assert_eq!(
            lint(&l, LintName::OutsideDomain),
            Some((1, "1 row has a key outside the domain and is left out".into()))
        );
        assert_eq!(
            lint(&l, LintName::EmptyKey),
            Some((1, "1 row has no key in x or y and is left out".into()))
        );
        f.data.filter = Some(List(vec!["v > 1000".into()]));
        assert_eq!(
            read_with("x,y,v\n5,a,1\n", &f, &Needs::default())
                .unwrap_err()
                .what,
            "no row meets --where"
        );
    }

    #[test]
    fn panels_share_their_axes_unless_told() {
        let text = "x,y,v,p\n1,a,1,s10\n2,a,2,s9\n3,b,3,s9\n";
        let mut f = figure("x", "y", "v");
        f.data.panel = Some("p".into());
        let l = read(text, &f);
        let of = |l: &Loaded| {
            l.grids
                .iter()
                .map(|g| format!("{}: {}", g.name, drawn(g)))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&l), ["s9: . 2 .; . . 3", "s10: 1 . .; . . ."]);
        f.share_x = Some(false);
        f.share_y = Some(false);
        f.panel_order = list("s10,s9");
        assert_eq!(of(&read(text, &f)), ["s10: 1", "s9: 2 .; . 3"]);
        f.panel_order = list("s10");
        assert_eq!(of(&read(text, &f)), ["s10: 1"]);
        f.panel_order = list("s11");
        assert_eq!(
            read_with(text, &f, &Needs::default()).unwrap_err().hint.unwrap(),
            "panels: s9, s10"
        );
    }

    #[test]
    fn several_values_make_panels() {
        let mut f = figure("x", "y", "v,w");
        let text = "x,y,v,w,p\n1,1,1,2,k\n2,1,3,4,m\n";
        let names = |f: &Figure| {
            read(text, f)
                .grids
                .iter()
                .map(|g| format!("{}={}", g.name, g.value_name))
                .collect::<Vec<_>>()
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
        f.y.labels = BTreeMap::from([("c".to_owned(), "C".to_owned())]);
        f.strip = Some(Strip {
            axis: StripAxis::Y,
            column: "g".into(),
            cmap: None,
        });
        let l = read("x,y,v,g\n1,a,1,one\n1,b,5,two\n1,c,3,one\n2,c,9,six\n", &f);
        let g = &l.grids[0];
        assert_eq!(
            (drawn(g), g.rows.levels[0].join("")),
            ("3 9; 5 .; 1 .".into(), "Cba".into())
        );
        assert_eq!(g.rows.strip.clone().unwrap().join(" "), "one two one");
    }

    #[test]
    fn templates_get_their_aggregates_and_texts() {
        let needs = Needs {
            aggregates: vec![Agg::Count, Agg::Std],
            columns: vec!["note".into()],
            ..Needs::default()
        };
        let l = read_with(
            "x,y,v,note\n1,1,1,p\n1,1,3,q\n1,1,,p\n2,2,4,r\n",
            &figure("x", "y", "v"),
            &needs,
        )
        .unwrap();
        let g = &l.grids[0];
        assert_eq!(
            (g.fields["n"][0], g.fields["count"][3], g.fields["n"][1].is_nan()),
            (2.0, 1.0, true)
        );
        assert!((g.fields["std"][0] - 2f64.sqrt()).abs() < 1e-15 && g.fields["std"][3].is_nan());
        assert_eq!(g.texts["note"], ["p, q", "", "", "r"]);
    }

    #[test]
    fn a_sparse_giant_is_refused() {
        let rows: String = (0..20_000).map(|i| format!("{i},{},1\n", i + 7)).collect();
        let e = read_with(
            &format!("x,y,v\n{rows}"),
            &figure("x", "y", "v"),
            &Needs::default(),
        )
        .unwrap_err();
        assert_eq!(e.kind, crate::input::ErrorKind::Limit);
        assert!(e.what.contains("20000 x 20000"), "{}", e.what);
    }

    #[test]
    fn numbers_among_texts_are_told() {
        let l = read("x,y,v\n1,a,1\n01,a,2\nhigh,a,3\n", &figure("x", "y", "v"));
        assert_eq!(lint(&l, LintName::NumberLikeCategories).unwrap().0, 2);
        assert_eq!(drawn(&l.grids[0]), "1 2 3");
    }
}
