//! Panels compared with a baseline, cell by cell.

use super::TransformError;
use super::baseline::NamedBaseline;
use super::matching::{Pair, is_same, union};
use super::paired::{Line, Replicates, with_p_values};
use crate::figure::Compare;
use crate::grid::{Axis, Cell, Change, Grid, Kind, Number, State, Values};
use crate::lint::{LintName, Lints};

/// A comparison of panels with a baseline.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Operation.
    pub how: Compare,
    /// Baseline.
    pub found: NamedBaseline,
    /// The panels of its file.
    pub grids: Vec<Grid>,
    /// Names of the baseline and of the data: their files.
    pub names: (String, String),
    /// The replicates of both sides, where differences are tested.
    pub replicates: Option<Replicates>,
    /// The rows or columns of the baseline, which are without a difference, are left out.
    pub drops_baseline: bool,
}

impl Comparison {
    /// The grids compared.
    ///
    /// # Errors
    /// A baseline that does not fit them.
    pub(super) fn run(&self, grids: Vec<Grid>, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
        if self.drops_baseline && matches!(self.found, NamedBaseline::File(_) | NamedBaseline::Panel(_)) {
            let what =
                "drop_baseline: the baseline is no row or column of the data, so none of them is left out";
            return Err(TransformError::usage(what.to_owned()));
        }
        match &self.found {
            NamedBaseline::File(_) => self.with_file(&grids, lints),
            NamedBaseline::Panel(at) => self.with_panel(&grids, *at, lints),
            NamedBaseline::Rows { level, label } | NamedBaseline::Columns { level, label } => {
                if self.how == Compare::Against {
                    return Err(TransformError::Usage {
                        what: format!(
                            "against: '{label}' is a row or a column, and three panels show two files or panels"
                        ),
                        hint: Some("--minus shows the difference from a row or a column".to_owned()),
                    });
                }
                let rows = matches!(self.found, NamedBaseline::Rows { .. });
                let mut out = Vec::with_capacity(grids.len());
                for grid in &grids {
                    out.extend(self.with_line(grid, rows, *level, label, lints)?);
                }
                Ok(out)
            }
        }
    }

    /// Panels and those of a file, by their names; a lone panel of the file serves all.
    fn with_file(&self, grids: &[Grid], lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
        let bases = &self.grids;
        let of = |grid: &Grid| match bases.as_slice() {
            [one] => Some(one),
            _ => bases.iter().find(|b| b.name() == grid.name()),
        };
        if grids.iter().all(|grid| of(grid).is_none()) {
            let names = |grids: &[Grid]| grids.iter().map(Grid::name).collect::<Vec<_>>().join(", ");
            return Err(TransformError::usage(format!(
                "no panel of the baseline is a panel of the data: the baseline has {}; the data {}",
                names(bases),
                if grids.len() == 1 { "one panel".to_owned() } else { names(grids) }
            )));
        }
        if bases.len() > 1 {
            for base in bases.iter().filter(|b| grids.iter().all(|g| g.name() != b.name())) {
                lints.add_panel(
                    LintName::OnlyInBaseline,
                    base.name(),
                    base.len() as u64,
                    format!("the panel is only in baseline {}, and is not drawn", self.names.0),
                );
            }
        }
        let mut out = Vec::new();
        let lone = grids.len() == 1;
        for grid in grids {
            let name = |side: &str| match lone {
                true => side.to_owned(),
                false => format!("{}: {side}", grid.name()),
            };
            let (base, now) = &self.names;
            let titles = [name(base), name(now), name(&format!("{now} − {base}"))];
            let made = self.pair(grid, of(grid), base, titles, lints)?;
            out.extend(self.tested(made, grid, of(grid).map(Grid::name), &Line::Same)?);
        }
        Ok(out)
    }

    /// Panels with the p values of the last of them, the difference of these two.
    fn tested(
        &self,
        mut made: Vec<Grid>,
        grid: &Grid,
        base: Option<&str>,
        line: &Line<'_>,
    ) -> Result<Vec<Grid>, TransformError> {
        let Some(replicates) = &self.replicates else {
            return Ok(made);
        };
        let Some(difference) = made.pop() else {
            return Ok(made);
        };
        let named = |grids: &'_ [Grid], name: &str| match grids {
            [_] => Some(0),
            _ => grids.iter().position(|g| g.name() == name),
        };
        let bases =
            if matches!(self.found, NamedBaseline::File(_)) { &replicates.base } else { &replicates.now };
        let now = named(&replicates.now, grid.name()).map(|i| &replicates.now[i]);
        let base = base.and_then(|name| named(bases, name)).map(|i| &bases[i]);
        made.push(with_p_values(replicates, difference, now, base, line)?);
        Ok(made)
    }

    /// All other panels and this one.
    fn with_panel(&self, grids: &[Grid], at: usize, lints: &mut Lints) -> Result<Vec<Grid>, TransformError> {
        let base = &grids[at];
        if grids.len() == 1 {
            return Err(TransformError::usage(format!(
                "panel '{}' is the only one: there is nothing to compare with it",
                base.name()
            )));
        }
        let others = grids.iter().enumerate().filter(|(i, _)| *i != at);
        let mut out = Vec::new();
        for (_, grid) in others {
            let (b, n) = (base.name(), grid.name());
            let titles = [b.to_owned(), n.to_owned(), format!("{n} − {b}")];
            let made = self.pair(grid, Some(base), b, titles, lints)?;
            out.extend(self.tested(made, grid, Some(b), &Line::Same)?);
        }
        Ok(out)
    }

    /// One panel and one of its own rows or columns, which stays as a line of zeros unless baselines are dropped.
    fn with_line(
        &self,
        grid: &Grid,
        rows: bool,
        level: usize,
        label: &str,
        lints: &mut Lints,
    ) -> Result<Vec<Grid>, TransformError> {
        let axis = if rows { grid.rows() } else { grid.columns() };
        let text =
            |i: usize, l: usize| axis.levels.get(l).map_or_else(|| axis.label(i), |level| level[i].clone());
        let is_base = |i: &usize| is_same(&text(*i, level), label);
        let bases: Vec<usize> = (0..axis.len()).filter(is_base).collect();
        // On an axis of several levels each group has a baseline of its own; a lone one serves all.
        let others = |i: usize| -> Vec<String> {
            (0..axis.levels.len()).filter(|l| *l != level).map(|l| text(i, l)).collect()
        };
        let mut of_group = std::collections::HashMap::new();
        for base in bases {
            of_group.entry(others(base)).or_insert(base);
        }
        let lone = of_group.values().next().copied().filter(|_| of_group.len() == 1);
        let places: Vec<Option<usize>> =
            (0..axis.len()).map(|i| lone.or_else(|| of_group.get(&others(i)).copied())).collect();
        let all = |n: usize| (0..n).map(Some).collect::<Vec<_>>();
        let base = if rows {
            grid.placed((axis, &places), (grid.columns(), &all(grid.width())))?
        } else {
            grid.placed((grid.rows(), &all(grid.height())), (axis, &places))?
        };
        let names: Vec<&str> = axis.name.split(", ").collect();
        let name = match names.get(level).unwrap_or(&axis.name.as_str()) {
            _ if label.trim().parse::<f64>().is_err() => label.to_owned(),
            &"" => format!("{} {label}", if rows { "row" } else { "column" }),
            column => format!("{column} = {label}"),
        };
        let made = vec![difference(self.how, grid, &base, &name, lints)?];
        let line = if rows { Line::Rows(&places) } else { Line::Columns(&places) };
        let mut made = self.tested(made, grid, Some(grid.name()), &line)?;
        if self.drops_baseline {
            let kept: Vec<usize> = (0..places.len()).filter(|i| places[*i] != Some(*i)).collect();
            if kept.is_empty() {
                let what = format!("drop_baseline: nothing but baseline '{label}' is drawn");
                return Err(TransformError::usage(what));
            }
            for grid in &mut made {
                let (all_rows, all_columns) =
                    (Vec::from_iter(0..grid.height()), Vec::from_iter(0..grid.width()));
                *grid =
                    if rows { grid.permuted(&kept, &all_columns) } else { grid.permuted(&all_rows, &kept) }?;
            }
        }
        Ok(made)
    }

    /// One panel and its baseline in the union of both: the difference alone, or after both of its sides.
    fn pair(
        &self,
        grid: &Grid,
        base: Option<&Grid>,
        base_name: &str,
        titles: [String; 3],
        lints: &mut Lints,
    ) -> Result<Vec<Grid>, TransformError> {
        let (base, now) = match base {
            Some(base) => aligned(grid, base, base_name)?,
            None => {
                let none = |n: usize| vec![None; n];
                let empty =
                    grid.placed((grid.rows(), &none(grid.height())), (grid.columns(), &none(grid.width())))?;
                (empty, grid.clone())
            }
        };
        let change = difference(self.how, &now, &base, base_name, lints)?;
        if self.how != Compare::Against {
            return Ok(vec![change]);
        }
        let mut sides = [base, now, change];
        if sides[0].slices().is_empty() {
            // A baseline of rows and columns is that of every slice.
            let slices = sides[1].slices().into();
            sides[0].set_slices(slices);
        }
        Ok(sides.into_iter().zip(titles).map(|(grid, title)| grid.with_name(title)).collect())
    }
}

/// The first bin of an axis that shares numbers with a bin of another axis, and is not the same.
pub(super) fn bins_across(axis: &Axis, of: &Axis) -> Option<(usize, usize)> {
    if !(axis.binned && of.binned) {
        return None;
    }
    let (edges, others) = (axis.edges()?, of.edges()?);
    edges.windows(2).enumerate().find_map(|(i, bin)| {
        // Both lists ascend: the first bin that ends after this one begins.
        let other = others.partition_point(|edge| *edge <= bin[0]).saturating_sub(1);
        let reaches = |j: usize| others.get(j + 1).is_some_and(|end| others[j] < bin[1] && bin[0] < *end);
        let differs = |j: usize| [others[j], others[j + 1]] != [bin[0], bin[1]];
        (other..=other + 1).find(|j| reaches(*j) && differs(*j)).map(|j| (i, j))
    })
}

/// The baseline and a panel, both with the rows and columns of both.
fn aligned(grid: &Grid, base: &Grid, name: &str) -> Result<(Grid, Grid), TransformError> {
    let (rows, row_pairs) = union(grid.rows(), base.rows(), "rows")?;
    let (columns, column_pairs) = union(grid.columns(), base.columns(), "columns")?;
    for (axis, of, word) in [(grid.rows(), base.rows(), "row"), (grid.columns(), base.columns(), "column")] {
        if let Some((bin, other)) = bins_across(axis, of) {
            let (bin, other) = (axis.label(bin), of.label(other));
            return Err(TransformError::Usage {
                what: format!(
                    "the {word}s are bins of their own numbers, and baseline {name} has others: '{bin}' and '{other}'"
                ),
                hint: Some(
                    "bin(COLUMN, edges=…) or bin(COLUMN, width=…) makes the same bins of both".to_owned(),
                ),
            });
        }
    }
    for (axis, pairs, of, word) in [
        (grid.rows(), &row_pairs, base.rows(), "row"),
        (grid.columns(), &column_pairs, base.columns(), "column"),
    ] {
        if pairs.iter().all(|(now, before)| now.is_none() || before.is_none()) {
            let what = format!(
                "no {word} of the data is a {word} of baseline {name}: the first are '{}' and '{}'",
                axis.label(0),
                of.label(0)
            );
            return Err(TransformError::usage(what));
        }
    }
    let side = |grid: &Grid, of: fn(&Pair) -> Option<usize>| {
        let places = |pairs: &[Pair]| pairs.iter().map(of).collect::<Vec<_>>();
        grid.placed((&rows, &places(&row_pairs)), (&columns, &places(&column_pairs)))
    };
    Ok((side(base, |p| p.1)?, side(grid, |p| p.0)?))
}

/// Cells of a state, and the first of them with its value.
#[derive(Default)]
struct Lost {
    count: u64,
    first: Option<(usize, usize, Option<Number>)>,
}

impl Lost {
    fn add(&mut self, row: usize, column: usize, value: Option<Number>) {
        self.count += 1;
        self.first.get_or_insert((row, column, value));
    }

    /// `3 of 12 cells`, and where the first is.
    fn texts(&self, grid: &Grid) -> Option<(String, String)> {
        let (row, column, value) = self.first?;
        let cells = if grid.len() == 1 { "cell" } else { "cells" };
        let value = value.map_or_else(String::new, |v| format!("{v} "));
        let at = format!(
            "first {value}at row {}, column {}",
            grid.rows().label(row),
            grid.columns().label(column)
        );
        Some((format!("{} of {} {cells}", self.count, grid.len()), at))
    }
}

/// A panel compared with a baseline of the same axes.
fn difference(
    how: Compare,
    grid: &Grid,
    base: &Grid,
    name: &str,
    lints: &mut Lints,
) -> Result<Grid, TransformError> {
    // Computed for each use: a list of cells would take more memory than both grids.
    let width = grid.width();
    let at = |i: usize| compared(how, grid.at(i / width, i % width), base.at(i / width, i % width));
    let (mut some, mut whole) = (false, true);
    let (mut undefined, mut appeared, mut vanished) = (Lost::default(), Lost::default(), Lost::default());
    for row in 0..grid.height() {
        for column in 0..grid.width() {
            let (value, before) = (grid.at(row, column), base.at(row, column));
            let cell = compared(how, value, before);
            if let Some(number) = cell.value() {
                (some, whole) = (true, whole && matches!(number, Number::I64(_)));
            }
            match (cell, value.value(), before.value()) {
                (Cell::Empty(State::Nan), Some(_), Some(_)) => undefined.add(row, column, None),
                (Cell::Empty(State::Appeared), v, _) => appeared.add(row, column, v),
                (Cell::Empty(State::Vanished), _, b) => vanished.add(row, column, b),
                _ => {}
            }
        }
    }
    let mut report = |lint: LintName, lost: &Lost, what: &str| {
        if let Some((cells, first)) = lost.texts(grid) {
            lints.add_panel(lint, grid.name(), lost.count, format!("{cells} {what}; {first}"));
        }
    };
    report(LintName::NotInBaseline, &appeared, &format!("are not in baseline {name}"));
    report(LintName::OnlyInBaseline, &vanished, &format!("are only in baseline {name}"));
    let why = match how {
        Compare::Minus | Compare::Against => "have no difference: both sides are infinite",
        Compare::Ratio | Compare::Percent => "have no ratio: both sides are 0 or infinite",
    };
    report(LintName::Undefined, &undefined, why);
    let kind = if some && whole { Kind::I64 } else { Kind::F64 };
    let states: Vec<Option<State>> = (0..grid.len()).map(|i| at(i).state()).collect();
    let values = Values::of(kind, (0..grid.len()).map(|i| at(i).value()));
    let change = match how {
        Compare::Minus | Compare::Against => Change::Difference(name.to_owned()),
        Compare::Ratio => Change::Ratio(name.to_owned()),
        Compare::Percent => Change::Percent(name.to_owned()),
    };
    Ok(grid.changed(values, &states, change)?)
}

/// A value beside its baseline. A value that one side alone has is a state of its own; what a side masks or awaits stays so.
pub(super) fn compared(how: Compare, value: Cell, base: Cell) -> Cell {
    match (value, base) {
        (Cell::Value(v), Cell::Value(b)) => number(how, v, b),
        (Cell::Empty(State::Masked), _) | (_, Cell::Empty(State::Masked)) => Cell::Empty(State::Masked),
        (Cell::Empty(State::Pending), _) | (_, Cell::Empty(State::Pending)) => Cell::Empty(State::Pending),
        (Cell::Value(_), Cell::Empty(_)) => Cell::Empty(State::Appeared),
        (Cell::Empty(_), Cell::Value(_)) => Cell::Empty(State::Vanished),
        (Cell::Empty(State::Absent), Cell::Empty(other)) => Cell::Empty(other),
        (Cell::Empty(state), Cell::Empty(_)) => Cell::Empty(state),
    }
}

/// The comparison of two numbers; NaN where it is not defined, as of 0 / 0 and of two equal infinities.
fn number(how: Compare, v: Number, b: Number) -> Cell {
    let out = match how {
        Compare::Minus | Compare::Against => match (v.whole(), b.whole()) {
            (Some(v), Some(b)) => return Cell::Value(Number::of_whole(v - b)),
            _ => v.as_f64() - b.as_f64(),
        },
        Compare::Ratio => v.as_f64() / b.as_f64(),
        Compare::Percent => (v.as_f64() / b.as_f64() - 1.0) * 100.0,
    };
    if out.is_nan() { Cell::Empty(State::Nan) } else { Cell::Value(Number::F64(out)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(how: Compare, v: f64, b: f64) -> f64 {
        compared(how, Cell::Value(Number::F64(v)), Cell::Value(Number::F64(b))).as_f64()
    }

    #[test]
    fn numbers_compare_as_ieee_says_and_integers_exactly() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for (how, v, b, wanted) in [
            (Compare::Minus, 1e300, -1e300, 2e300),
            (Compare::Minus, 1e308, -1e308, inf),
            (Compare::Minus, inf, inf, nan),
            (Compare::Minus, inf, 1.0, inf),
            (Compare::Ratio, 1.0, 0.0, inf),
            (Compare::Ratio, -1.0, 0.0, -inf),
            (Compare::Ratio, 0.0, 0.0, nan),
            (Compare::Ratio, 3.0, inf, 0.0),
            (Compare::Percent, 3.0, 2.0, 50.0),
            (Compare::Percent, 0.0, 2.0, -100.0),
            (Compare::Percent, inf, inf, nan),
        ] {
            let got = of(how, v, b);
            assert!(got == wanted || got.is_nan() && wanted.is_nan(), "{how:?} {v} {b}: {got}");
        }
        let minus = |v, b| compared(Compare::Minus, Cell::Value(v), Cell::Value(b));
        let two53 = 1i64 << 53;
        assert_eq!(minus(Number::I64(two53 + 1), Number::I64(two53)), Cell::Value(Number::I64(1)));
        assert_eq!(
            minus(Number::U64(u64::MAX), Number::I64(-1)),
            Cell::Value(Number::F64(u64::MAX as f64 + 1.0))
        );
        assert_eq!(minus(Number::U64(u64::MAX), Number::U64(u64::MAX - 1)), Cell::Value(Number::I64(1)));
    }

    #[test]
    fn cells_without_a_partner_are_states() {
        let value = Cell::Value(Number::F64(1.0));
        let state = |a: Cell, b: Cell| match compared(Compare::Minus, a, b) {
            Cell::Empty(state) => state,
            Cell::Value(v) => panic!("{v}"),
        };
        let [nan, masked, pending, absent] =
            [State::Nan, State::Masked, State::Pending, State::Absent].map(Cell::Empty);
        for (a, b, wanted) in [
            (value, absent, State::Appeared),
            (value, nan, State::Appeared),
            (absent, value, State::Vanished),
            (nan, value, State::Vanished),
            (value, masked, State::Masked),
            (masked, absent, State::Masked),
            (pending, value, State::Pending),
            (absent, nan, State::Nan),
            (nan, absent, State::Nan),
            (absent, absent, State::Absent),
        ] {
            assert_eq!(state(a, b), wanted, "{a:?} {b:?}");
        }
    }

    /// A grid of one column, whose rows are nested.
    fn nested(rows: &[(&str, &str, f64)]) -> Grid {
        let level = |of: fn(&(&str, &str, f64)) -> String| rows.iter().map(of).collect::<Vec<_>>();
        let rows_axis =
            Axis::nested("model, method", vec![level(|r| r.0.to_owned()), level(|r| r.1.to_owned())]);
        let values = Values::F64(rows.iter().map(|r| r.2).collect());
        Grid::new(rows_axis, Axis::index("", 1), values, &[]).unwrap()
    }

    fn minus_base(
        rows: &[(&str, &str, f64)],
        drops_baseline: bool,
    ) -> Result<Vec<(String, f64)>, TransformError> {
        let comparison = Comparison {
            how: Compare::Minus,
            found: NamedBaseline::Rows { level: 1, label: "base".to_owned() },
            grids: Vec::new(),
            names: Default::default(),
            replicates: None,
            drops_baseline,
        };
        let made = comparison.run(vec![nested(rows)], &mut Lints::default())?;
        Ok((0..made[0].height()).map(|r| (made[0].rows().label(r), made[0].at(r, 0).as_f64())).collect())
    }

    #[test]
    fn a_lone_baseline_serves_all_groups_and_several_their_own() {
        let values = |made: Vec<(String, f64)>| made.into_iter().map(|m| m.1).collect::<Vec<_>>();
        let lone = [("a", "base", 1.0), ("a", "ours", 4.0), ("b", "ours", 9.0)];
        assert_eq!(minus_base(&lone, false).map(values), Ok(vec![0.0, 3.0, 8.0]));
        let own = [("a", "base", 1.0), ("a", "ours", 4.0), ("b", "base", 7.0), ("b", "ours", 9.0)];
        assert_eq!(minus_base(&own, false).map(values), Ok(vec![0.0, 3.0, 0.0, 2.0]));
        let some = [("a", "base", 1.0), ("b", "base", 7.0), ("c", "ours", 9.0)];
        assert!(minus_base(&some, false).unwrap()[2].1.is_nan(), "neither of two is that of a third group");
        let dropped = [("a, ours".to_owned(), 3.0), ("b, ours".to_owned(), 8.0)];
        assert_eq!(minus_base(&lone, true), Ok(dropped.to_vec()));
        assert!(minus_base(&[("a", "base", 1.0)], true).is_err());
    }
}
