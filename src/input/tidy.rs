//! A tidy table: one row a cell, columns that say where it stands.

use super::axes::AxisKeys;
use super::columns::Column;
use super::csv::{Records, count, listed};
use super::error::InputError;
use super::field::shown;
use super::filter::Condition;
use super::keys::{Keys, check_order};
use super::loaded::{Loaded, Needs};
use super::merged::Merged;
use super::pivot::{Bins, Pivot};
use super::rows::{Roles, Rows, first_texts, keyed_rows};
use crate::figure::{Agg, AxisSpec, Figure, List, Order, OrderWord, StripAxis};
use crate::grid::{Axis, Grid};
use crate::lint::{LintName, Lints};

/// Cells that a table may give whatever its length.
const FREE_CELLS: usize = 100_000_000;

/// Reads a tidy table.
///
/// # Errors
/// Unknown columns, texts among the values, no rows left, too many cells.
pub fn read_tidy(records: &Records, roles: &Roles, figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
    let mut lints = Lints::default();
    let file = records.file.as_str();
    let agg = figure.data.agg.unwrap_or_default();
    let text_columns = needs.columns.iter().map(|c| records.column(c)).collect::<Result<Vec<_>, _>>()?;
    let strip = figure.strip.as_ref().map(|s| Ok((s.axis, records.column(&s.column)?))).transpose()?;
    let keyed = keyed_rows(records, roles, figure, &mut lints)?;
    check_order(&keyed.x.columns, figure.x.order.as_ref(), file)?;
    check_order(&keyed.y.columns, figure.y.order.as_ref(), file)?;
    let all: Vec<u32> = (0..keyed.rows.len() as u32).collect();
    let pending = match &figure.data.pending {
        Some(condition) => {
            let condition = Condition::parse(condition, records)?;
            keyed.rows.iter().map(|&r| condition.matches(records, r as usize)).collect::<Result<Vec<_>, _>>()?
        }
        None => Vec::new(),
    };
    let mut columns = Vec::new();
    for &v in &roles.values {
        columns.push(Column::read(records, v, &keyed.rows, figure.data.nodata)?);
    }
    if columns.is_empty() {
        columns.push(Column::of_rows(keyed.rows.len()));
    }
    for column in &mut columns {
        (0..pending.len()).filter(|&i| pending[i]).for_each(|i| column.set_pending(i));
    }

    let panels = keyed.panel.as_ref().map_or(1, |k| k.labels.len());
    let (width, height) = (keyed.x.len(), keyed.y.len());
    check_size(file, width, height, panels * columns.len(), keyed.rows.len())?;
    let by_panel = match &keyed.panel {
        Some(k) => Bins::new(panels, &all, |i| k.codes[i as usize] as usize),
        None => Bins::new(1, &all, |_| 0),
    };
    let cell_of = |i: u32| keyed.y.codes[i as usize] as usize * width + keyed.x.codes[i as usize] as usize;
    let shown = panel_list(&keyed.panel, &columns, figure, file)?;
    let strips = strip.map(|(axis, column)| (axis, first_texts(records, column, &keyed, axis)));
    let shared = Shared::new(&keyed, figure, &all, || {
        let first = &columns[0];
        (0..panels).map(|p| Pivot { bins: Bins::new(width * height, by_panel.get(p), cell_of), width, column: first }).collect()
    });

    let mut grids = Vec::with_capacity(shown.len());
    let mut merged = Merged::default();
    for (name, panel, value) in shown {
        let pivot = Pivot { bins: Bins::new(width * height, by_panel.get(panel), cell_of), width, column: &columns[value] };
        if value == 0 {
            merged.look(&pivot.bins, records, roles, &keyed.rows);
        }
        let alone = || {
            Shared::new(&keyed, figure, by_panel.get(panel), || vec![Pivot { bins: pivot.bins.clone(), width, column: &columns[value] }])
        };
        let apart = [figure.share_x, figure.share_y].map(|s| s == Some(false));
        // Finding a panel's own keys takes a pass over all of them, which thousands of panels would feel.
        let own = apart.contains(&true).then(alone);
        let own = own.as_ref().unwrap_or(&shared);
        let xs = if apart[0] { &own.x } else { &shared.x };
        let ys = if apart[1] { &own.y } else { &shared.y };
        let side = |keys: &AxisKeys, ids: &[u32], spec: &AxisSpec, which: StripAxis| -> Result<Axis, InputError> {
            let mut axis = keys.axis(ids, spec, file)?;
            axis.strip = strips.as_ref().filter(|s| s.0 == which).map(|s| ids.iter().map(|&id| s.1[id as usize].clone()).collect());
            Ok(axis)
        };
        let rows = side(&keyed.y, ys, &figure.y, StripAxis::Y)?;
        let cols = side(&keyed.x, xs, &figure.x, StripAxis::X)?;
        let mut grid: Grid = pivot.grid(agg, (ys, rows), (xs, cols), needs, file)?;
        grid.name = name;
        for &c in &text_columns {
            grid.texts.insert(records.headers[c].clone(), pivot.texts(records, c, &keyed.rows, ys, xs));
        }
        grids.push(grid);
    }
    if figure.data.agg.is_none() {
        merged.tell(records, &mut lints);
    }
    for keys in keyed.x.columns.iter().chain(&keyed.y.columns).filter(|k| k.number_like > 0) {
        let what =
            format!("column {} holds {} among other texts: its keys are texts", self::shown(&keys.name), count(keys.number_like, "number"));
        lints.add(LintName::NumberLikeCategories, keys.number_like as u64, what);
    }
    Ok(Loaded { grids, lints, told: told(records, roles, agg), ..Loaded::default() })
}

fn check_size(file: &str, width: usize, height: usize, panels: usize, rows: usize) -> Result<(), InputError> {
    let cells = width.checked_mul(height).and_then(|c| c.checked_mul(panels));
    match cells {
        Some(c) if c <= FREE_CELLS || c <= rows.saturating_mul(64).saturating_add(1_000_000) => Ok(()),
        _ => {
            let what = format!(
                "{width} x {height} keys in {} would need {:.1} GB",
                count(panels, "panel"),
                width as f64 * height as f64 * panels as f64 * 14e-9
            );
            Err(InputError::limit(file, what).with_hint("choose columns with fewer keys, or --x-domain and --y-domain"))
        }
    }
}

/// The panels in order: name, panel's id, value column.
fn panel_list(keys: &Option<Keys>, columns: &[Column], figure: &Figure, file: &str) -> Result<Vec<(String, usize, usize)>, InputError> {
    let ids: Vec<Option<u32>> = match keys {
        Some(k) => {
            let mut present = vec![false; k.labels.len()];
            k.codes.iter().for_each(|&c| present[c as usize] = true);
            k.order(None, None).into_iter().filter(|&id| present[id as usize]).map(Some).collect()
        }
        None => vec![None],
    };
    let mut list = Vec::new();
    for (v, column) in columns.iter().enumerate() {
        for id in &ids {
            let label = id.and_then(|id| Some(keys.as_ref()?.labels[id as usize].as_str()));
            let name = match label {
                Some(l) if columns.len() > 1 => format!("{} | {l}", column.name),
                Some(l) => l.to_owned(),
                None if columns.len() > 1 => column.name.clone(),
                None => String::new(),
            };
            list.push((name, *id, v));
        }
    }
    let Some(List(wanted)) = &figure.panel_order else {
        return Ok(list.into_iter().map(|(name, id, v)| (name, id.unwrap_or(0) as usize, v)).collect());
    };
    let mut out: Vec<(String, usize, usize)> = Vec::new();
    for w in wanted {
        let id = keys.as_ref().and_then(|k| k.find(w));
        let fits = |(name, of, v): &&(String, Option<u32>, usize)| name == w || (id.is_some() && *of == id) || columns[*v].name == *w;
        let before = out.len();
        for (name, id, v) in list.iter().filter(fits) {
            if !out.iter().any(|o| o.0 == *name) {
                out.push((name.clone(), id.unwrap_or(0) as usize, *v));
            }
        }
        if out.len() == before && !list.iter().any(|l| fits(&l)) {
            let names: Vec<String> = list.into_iter().map(|l| l.0).collect();
            return Err(
                InputError::usage(file, format!("panel_order: no panel {}", shown(w))).with_hint(format!("panels: {}", listed(&names)))
            );
        }
    }
    Ok(out)
}

/// The keys in order along both axes.
struct Shared {
    x: Vec<u32>,
    y: Vec<u32>,
}

impl Shared {
    /// Of these places in the rows; `pivots` are made only for an order by value.
    fn new<'a>(keyed: &Rows, figure: &Figure, places: &[u32], pivots: impl FnOnce() -> Vec<Pivot<'a>>) -> Self {
        let (mut xs, mut ys) = (vec![(0.0, 0); keyed.x.len()], vec![(0.0, 0); keyed.y.len()]);
        let by_value = |s: &AxisSpec| s.order == Some(Order::Word(OrderWord::Value));
        let sums = by_value(&figure.x) || by_value(&figure.y);
        if sums {
            pivots().iter().for_each(|p| p.add_sums(figure.data.agg.unwrap_or_default(), &mut xs, &mut ys));
        }
        let order = |keys: &AxisKeys, spec: &AxisSpec, sums: Option<&[(f64, u64)]>| {
            let mut present = vec![false; keys.len()];
            places.iter().for_each(|&i| present[keys.codes[i as usize] as usize] = true);
            keys.order(spec, &present, sums)
        };
        Self { x: order(&keyed.x, &figure.x, sums.then_some(&xs[..])), y: order(&keyed.y, &figure.y, sums.then_some(&ys[..])) }
    }
}

fn told(records: &Records, roles: &Roles, agg: Agg) -> String {
    let names = |c: &[usize]| c.iter().map(|&c| records.headers[c].as_str()).collect::<Vec<_>>().join(", ");
    let value = if roles.values.is_empty() { "count of rows".to_owned() } else { names(&roles.values) };
    let panel = roles.panel.map_or_else(String::new, |p| format!(", panel = {}", records.headers[p]));
    let agg = if agg == Agg::Mean || roles.values.is_empty() { String::new() } else { format!(" ({})", agg.word()) };
    let rows = count(records.len(), "row");
    format!("{}: tidy table, {rows}: x = {}, y = {}, value = {value}{agg}{panel}", records.file, names(&roles.x), names(&roles.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Data, Strip};
    use crate::grid::{AxisKind, Number, State};
    use std::collections::BTreeMap;

    fn list(text: &str) -> Option<List> {
        Some(List::from_flag(text))
    }

    fn figure(x: &str, y: &str, value: &str) -> Figure {
        Figure { data: Data { x: list(x), y: list(y), value: list(value), ..Data::default() }, ..Figure::default() }
    }

    fn read_with(text: &str, figure: &Figure, needs: &Needs) -> Result<Loaded, InputError> {
        let records = Records::read(text, "t.csv", &figure.data, &mut Lints::default())?;
        let columns = |l: &Option<List>| l.iter().flat_map(|l| &l.0).map(|c| records.column(c)).collect::<Result<Vec<_>, _>>();
        let panel = figure.data.panel.as_ref().map(|p| records.column(p)).transpose()?;
        let roles = Roles { x: columns(&figure.data.x)?, y: columns(&figure.data.y)?, values: columns(&figure.data.value)?, panel };
        read_tidy(&records, &roles, figure, needs)
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
        (0..g.height()).map(|r| (0..g.width()).map(|c| cell(r, c)).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("; ")
    }

    fn lint(l: &Loaded, name: LintName) -> Option<(u64, String)> {
        l.lints.0.iter().find(|l| l.name == name).map(|l| (l.count, l.text.clone()))
    }

    #[test]
    fn rows_become_cells_in_the_order_of_their_keys() {
        let l = read("x,y,v\n10,b,1\n9,a,2\n10,a,\n8,c,inf\n", &figure("x", "y", "v"));
        let g = &l.grids[0];
        assert_eq!(drawn(g), ". . 1; . 2 nan; inf . .");
        assert_eq!((g.columns.kind, g.rows.kind, g.value_name.as_str()), (AxisKind::Number, AxisKind::Category, "v"));
        assert_eq!((g.rows.levels[0].join(""), g.rows.name.as_str()), ("bac".into(), "y"));
        assert_eq!(l.told, "t.csv: tidy table, 4 rows: x = x, y = y, value = v");
    }

    #[test]
    fn whole_numbers_stay_exact_and_means_do_not_truncate() {
        let big = "x,y,v\n1,1,9007199254740993\n2,1,18446744073709551615\n";
        assert_eq!(read(big, &figure("x", "y", "v")).grids[0].at(0, 1), Ok(Number::U64(u64::MAX)));
        assert_eq!(drawn(&read("x,y,v\n1,1,1\n1,1,2\n2,1,4\n", &figure("x", "y", "v")).grids[0]), "1.5 4");
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
        assert_eq!((lint(&l, LintName::DuplicateKeys), drawn(&l.grids[0])), (None, "2 3".into()));
        let l = read("x,y,v\n1,1,1\n1,1,1\n", &figure("x", "y", "v"));
        assert_eq!(lint(&l, LintName::DuplicateKeys).unwrap().1, "2 rows on 1 cell (2 each) are repeated; shown: mean");
    }

    #[test]
    fn count_tells_no_value_from_no_row() {
        let mut f = figure("x", "y", "v");
        f.data.agg = Some(Agg::Count);
        assert_eq!(drawn(&read("x,y,v\n1,1,5\n1,1,\n2,1,\n2,2,1\n", &f).grids[0]), "1 0; . 1");
        f.data.value = None;
        assert_eq!(drawn(&read("x,y\n1,1\n1,1\n2,2\n", &f).grids[0]), "2 .; . 1");
    }

    #[test]
    fn nodata_masks_and_pending_runs_wait() {
        let mut f = figure("x", "y", "v");
        f.data.nodata = Some(-1.0);
        f.data.pending = Some("s = running".into());
        let text = "x,y,v,s\n1,1,-1,done\n2,1,,running\n3,1,5,done\n3,1,9,running\n4,1,-1.0,done\n4,1,2,done\n";
        assert_eq!(drawn(&read(text, &f).grids[0]), "m p 5 2");
    }

    #[test]
    fn rows_are_left_out_by_where_key_and_domain() {
        let mut f = figure("x", "y", "v");
        f.x.domain = list("5:8");
        f.data.filter = Some(List(vec!["v < 100".into()]));
        let l = read("x,y,v\n5,a,1\n7,a,2\n9,a,3\n,a,4\n6,a,100\n", &f);
        assert_eq!((drawn(&l.grids[0]), l.grids[0].columns.levels[0].join(" ")), ("1 . 2 .".into(), "5 6 7 8".into()));
        assert_eq!(lint(&l, LintName::OutsideDomain), Some((1, "1 row has a key outside the domain and is left out".into())));
        assert_eq!(lint(&l, LintName::EmptyKey), Some((1, "1 row has no key in x or y and is left out".into())));
        f.data.filter = Some(List(vec!["v > 1000".into()]));
        assert_eq!(read_with("x,y,v\n5,a,1\n", &f, &Needs::default()).unwrap_err().what, "no row meets --where");
    }

    #[test]
    fn panels_share_their_axes_unless_told() {
        let text = "x,y,v,p\n1,a,1,s10\n2,a,2,s9\n3,b,3,s9\n";
        let mut f = figure("x", "y", "v");
        f.data.panel = Some("p".into());
        let l = read(text, &f);
        let of = |l: &Loaded| l.grids.iter().map(|g| format!("{}: {}", g.name, drawn(g))).collect::<Vec<_>>();
        assert_eq!(of(&l), ["s9: . 2 .; . . 3", "s10: 1 . .; . . ."]);
        f.share_x = Some(false);
        f.share_y = Some(false);
        f.panel_order = list("s10,s9");
        assert_eq!(of(&read(text, &f)), ["s10: 1", "s9: 2 .; . 3"]);
        f.panel_order = list("s10");
        assert_eq!(of(&read(text, &f)), ["s10: 1"]);
        f.panel_order = list("s11");
        assert_eq!(read_with(text, &f, &Needs::default()).unwrap_err().hint.unwrap(), "panels: s9, s10");
    }

    #[test]
    fn several_values_make_panels() {
        let mut f = figure("x", "y", "v,w");
        let text = "x,y,v,w,p\n1,1,1,2,k\n2,1,3,4,m\n";
        let names = |f: &Figure| read(text, f).grids.iter().map(|g| format!("{}={}", g.name, g.value_name)).collect::<Vec<_>>();
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
        f.strip = Some(Strip { axis: StripAxis::Y, column: "g".into(), cmap: None });
        let l = read("x,y,v,g\n1,a,1,one\n1,b,5,two\n1,c,3,one\n2,c,9,six\n", &f);
        let g = &l.grids[0];
        assert_eq!((drawn(g), g.rows.levels[0].join("")), ("3 9; 5 .; 1 .".into(), "Cba".into()));
        assert_eq!(g.rows.strip.clone().unwrap().join(" "), "one two one");
    }

    #[test]
    fn templates_get_their_aggregates_and_texts() {
        let needs = Needs { aggregates: vec![Agg::Count, Agg::Std], columns: vec!["note".into()], ..Needs::default() };
        let l = read_with("x,y,v,note\n1,1,1,p\n1,1,3,q\n1,1,,p\n2,2,4,r\n", &figure("x", "y", "v"), &needs).unwrap();
        let g = &l.grids[0];
        assert_eq!((g.fields["n"][0], g.fields["count"][3], g.fields["n"][1].is_nan()), (2.0, 1.0, true));
        assert!((g.fields["std"][0] - 2f64.sqrt()).abs() < 1e-15 && g.fields["std"][3].is_nan());
        assert_eq!(g.texts["note"], ["p, q", "", "", "r"]);
    }

    #[test]
    fn a_sparse_giant_is_refused() {
        let rows: String = (0..20_000).map(|i| format!("{i},{},1\n", i + 7)).collect();
        let e = read_with(&format!("x,y,v\n{rows}"), &figure("x", "y", "v"), &Needs::default()).unwrap_err();
        assert_eq!(e.kind, super::super::error::ErrorKind::Limit);
        assert!(e.what.contains("20000 x 20000"), "{}", e.what);
    }

    #[test]
    fn numbers_among_texts_are_told() {
        let l = read("x,y,v\n1,a,1\n01,a,2\nhigh,a,3\n", &figure("x", "y", "v"));
        assert_eq!(lint(&l, LintName::NumberLikeCategories).unwrap().0, 2);
        assert_eq!(drawn(&l.grids[0]), "1 2 3");
    }
}
