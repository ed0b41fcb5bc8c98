//! Two states of the same grids, cell by cell: what became worse, what is gone, what is new.

use crate::grid::{Axis, Grid, Number};
use crate::input::unique_names;
use crate::lint::{LintName, Lints};
use crate::resolve::place_of;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::str::FromStr;

/// Which of two values is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The greater.
    Higher,
    /// The lesser.
    Lower,
}

impl FromStr for Better {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "higher" => Ok(Better::Higher),
            "lower" => Ok(Better::Lower),
            _ => Err(format!("'{text}' is neither higher nor lower")),
        }
    }
}

/// By how much a value may be worse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    amount: f64,
    /// A share of the value before.
    relative: bool,
}

impl FromStr for Tolerance {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, relative) = text.strip_suffix('%').map_or((text, false), |n| (n, true));
        let amount: f64 = number.trim().parse().map_err(|_| format!("'{text}' is no tolerance: 0.5, or 2%"))?;
        if !(amount.is_finite() && amount >= 0.0) {
            return Err(format!("'{text}' is no tolerance: it must be 0 or more"));
        }
        Ok(Self { amount: if relative { amount / 100.0 } else { amount }, relative })
    }
}

impl Tolerance {
    fn of(self, before: f64) -> f64 {
        if self.relative { self.amount * before.abs() } else { self.amount }
    }
}

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// `regressed`, `vanished` and `appeared`, each with its worst or first cell.
    pub lints: Lints,
    /// One object a panel: counts of cells, and the worst.
    pub panels: Value,
}

/// Compares grids with what they were `before`. Panels belong together by their names (lone ones in any case), those of one name
/// in their order, and are reported as `NAME (2)`, `NAME (3)`; rows and columns by their labels, of numbers by their values. Cells
/// without a value count as not there. A panel that only one side has is reported even if none of its cells has a value.
///
/// # Panics
/// When a grid's cells are not in memory.
pub fn compare(now: &[Grid], before: &[Grid], better: Better, tolerance: Tolerance) -> Comparison {
    let mut out = Comparison { lints: Lints::default(), panels: json!([]) };
    let lone = now.len() == 1 && before.len() == 1;
    let names = |grids: &[Grid]| unique_names(grids.iter().map(|g| g.name.clone()).collect());
    let (new_names, old_names) = (names(now), names(before));
    let mut left: HashMap<&str, &Grid> = old_names.iter().map(String::as_str).zip(before).collect();
    let mut panels = Vec::new();
    for (new, name) in now.iter().zip(&new_names) {
        let old = if lone { before.first() } else { left.remove(name.as_str()) };
        panels.push(Panel::of(Some(new), old, better, tolerance).tell(name, &mut out.lints));
    }
    for (old, name) in before.iter().zip(&old_names).filter(|(_, name)| !lone && left.contains_key(name.as_str())) {
        panels.push(Panel::of(None, Some(old), better, tolerance).tell(name, &mut out.lints));
    }
    out.panels = Value::Array(panels);
    out
}

/// What became of one panel's cells.
#[derive(Default)]
struct Panel {
    compared: u64,
    improved: u64,
    regressed: u64,
    vanished: u64,
    appeared: u64,
    /// By how much the worst cell became worse, and what happened to it where.
    worst: Option<(f64, String, Value)>,
    /// What was at the first cell that is gone, and where.
    first_gone: Option<String>,
    first_new: Option<String>,
    /// The panel is there on one side alone.
    alone: Option<LintName>,
}

impl Panel {
    fn of(new: Option<&Grid>, old: Option<&Grid>, better: Better, tolerance: Tolerance) -> Self {
        let alone = match (new, old) {
            (None, _) => Some(LintName::Vanished),
            (_, None) => Some(LintName::Appeared),
            _ => None,
        };
        let mut out = Self { alone, ..Self::default() };
        let rows = places(new.map(|g| &g.rows), old.map(|g| &g.rows));
        let columns = places(new.map(|g| &g.columns), old.map(|g| &g.columns));
        let value = |g: Option<&Grid>, r: Option<usize>, c: Option<usize>| g?.at(r?, c?).ok();
        for &(row, old_row) in &rows {
            for &(column, old_column) in &columns {
                match (value(new, row, column), value(old, old_row, old_column)) {
                    (Some(a), Some(b)) => {
                        let place = || place_of_either(new, row.zip(column), old, old_row.zip(old_column));
                        out.look(a, b, better, tolerance, place);
                    }
                    (None, Some(b)) => {
                        out.vanished += 1;
                        let place = || place_of_either(None, None, old, old_row.zip(old_column));
                        out.first_gone.get_or_insert_with(|| format!("{b} at {}", place()));
                    }
                    (Some(a), None) => {
                        out.appeared += 1;
                        let place = || place_of_either(new, row.zip(column), None, None);
                        out.first_new.get_or_insert_with(|| format!("{a} at {}", place()));
                    }
                    (None, None) => {}
                }
            }
        }
        out
    }

    fn look(&mut self, now: Number, before: Number, better: Better, tolerance: Tolerance, place: impl Fn() -> String) {
        self.compared += 1;
        let (a, b) = (now.as_f64(), before.as_f64());
        // Equal infinities differ by nothing; integers beyond f64 still differ.
        if now == before || a == b {
            return;
        }
        let worse = if better == Better::Higher { b - a } else { a - b };
        if worse < 0.0 {
            self.improved += 1;
        }
        if worse <= tolerance.of(b) {
            return;
        }
        self.regressed += 1;
        if self.worst.as_ref().is_none_or(|w| worse > w.0) {
            let (text, place) = (format!("{before} to {now}"), place());
            let cell = json!({"before": b, "now": a, "at": place});
            self.worst = Some((worse, format!("{text} at {place}"), cell));
        }
    }

    /// Adds the lints; gives what a report says.
    fn tell(self, name: &str, lints: &mut Lints) -> Value {
        let cells = |n: u64| if n == 1 { "1 cell".to_owned() } else { format!("{n} cells") };
        let mut add = |lint: LintName, n: u64, what: String| {
            if n > 0 {
                lints.add_panel(lint, name, n, what);
            }
        };
        let worst = self.worst.as_ref().map_or("", |w| w.1.as_str());
        add(
            LintName::Regressed,
            self.regressed,
            format!("{} of {} became worse; the worst: {worst}", self.regressed, cells(self.compared)),
        );
        let gone = self.first_gone.unwrap_or_default();
        add(LintName::Vanished, self.vanished, format!("{} no longer there, first {gone}", verb(self.vanished, "is", "are")));
        let new = self.first_new.unwrap_or_default();
        add(LintName::Appeared, self.appeared, format!("{} not there before, first {new}", verb(self.appeared, "was", "were")));
        if let Some(lint) = self.alone.filter(|_| self.vanished + self.appeared == 0) {
            let which = if lint == LintName::Vanished { "is no longer there" } else { "was not there before" };
            lints.add_panel(lint, name, 0, format!("the panel {which}; none of its cells has a value"));
        }
        json!({
            "name": name, "compared": self.compared, "improved": self.improved, "regressed": self.regressed,
            "vanished": self.vanished, "appeared": self.appeared, "worst": self.worst.map(|w| w.2),
        })
    }
}

fn verb(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("1 cell {one}") } else { format!("{n} cells {many}") }
}

/// Places along an axis now and before that belong together; what only one has stands alone.
fn places(now: Option<&Axis>, before: Option<&Axis>) -> Vec<(Option<usize>, Option<usize>)> {
    let keys = |axis: Option<&Axis>| axis.map_or_else(Vec::new, |a| (0..a.len()).map(|i| key(a, i)).collect::<Vec<_>>());
    let (now, before) = (keys(now), keys(before));
    // Labels that repeat belong together in their order.
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    before.iter().enumerate().rev().for_each(|(i, k)| at.entry(k).or_default().push(i));
    let mut out: Vec<_> = now.iter().enumerate().map(|(i, k)| (Some(i), at.get_mut(k.as_str()).and_then(Vec::pop))).collect();
    let mut left: Vec<usize> = at.into_values().flatten().collect();
    left.sort_unstable();
    out.extend(left.into_iter().map(|i| (None, Some(i))));
    out
}

/// What tells a place: its number to twelve digits, else its label.
fn key(axis: &Axis, i: usize) -> String {
    axis.center(i).map_or_else(|| axis.label(i), |c| format!("{:.11e}", c + 0.0))
}

fn place_of_either(new: Option<&Grid>, at: Option<(usize, usize)>, old: Option<&Grid>, was: Option<(usize, usize)>) -> String {
    let of = |g: Option<&Grid>, at: Option<(usize, usize)>| g.zip(at).map(|(g, (r, c))| place_of(g, r, c));
    of(new, at).or_else(|| of(old, was)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{State, Values};

    fn grid(rows: &[&str], columns: &[f64], values: &[f64]) -> Grid {
        let labels = columns.iter().map(f64::to_string).collect();
        let axis = |l: &[&str]| Axis::category("row", l.iter().map(|t| (*t).to_owned()).collect());
        Grid::new(axis(rows), Axis::number("x", columns.to_vec(), labels), Values::F64(values.to_vec()), &[]).unwrap()
    }

    fn told(now: &[Grid], before: &[Grid], better: Better, tolerance: &str) -> Vec<String> {
        let found = compare(now, before, better, tolerance.parse().unwrap());
        found.lints.0.iter().map(|l| l.to_string()).collect()
    }

    #[test]
    fn cells_are_found_again_by_their_labels() {
        let before = grid(&["a", "b"], &[1.0, 2.0], &[10.0, 20.0, 30.0, 40.0]);
        let mut now = grid(&["b", "c", "a"], &[2.0, 1.0], &[39.0, 33.0, 5.0, 6.0, 19.5, 10.0]);
        now.set_state(2, 1, State::Nan);
        let found = compare(std::slice::from_ref(&now), std::slice::from_ref(&before), Better::Higher, "0.6".parse().unwrap());
        let lines: Vec<String> = found.lints.0.iter().map(|l| l.to_string()).collect();
        assert_eq!(
            lines,
            [
                "warning[regressed]: 1 of 3 cells became worse; the worst: 40 to 39 at x 2, row b",
                "warning[vanished]: 1 cell is no longer there, first 10 at x 1, row a",
                "warning[appeared]: 2 cells were not there before, first 5 at x 2, row c",
            ]
        );
        let panel = &found.panels[0];
        assert_eq!((&panel["compared"], &panel["improved"], &panel["worst"]["now"]), (&json!(3), &json!(1), &json!(39.0)));
        assert!(told(&[now], &[before], Better::Lower, "10%").iter().all(|l| !l.contains("regressed")));
    }

    #[test]
    fn tolerances_are_amounts_or_shares() {
        let (a, b) = ([grid(&["a"], &[1.0, 2.0], &[95.0, 1.0])], [grid(&["a"], &[1.0, 2.0], &[100.0, 1.04])]);
        let count = |t: &str| told(&a, &b, Better::Higher, t).len();
        assert_eq!((count("0"), count("5"), count("0.05"), count("5%"), count("4%")), (1, 0, 1, 0, 1));
        assert_eq!(told(&a, &b, Better::Lower, "0").len(), 0);
        for wrong in ["", "x", "-1", "NaN", "1%%", "inf"] {
            assert!(wrong.parse::<Tolerance>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn infinities_and_missing_panels() {
        let inf = f64::INFINITY;
        let (a, b) = (grid(&["a"], &[1.0, 2.0], &[inf, 1.0]), grid(&["a"], &[1.0, 2.0], &[inf, inf]));
        assert_eq!(told(std::slice::from_ref(&a), &[b], Better::Higher, "5%").len(), 0);
        let mut named = a.clone();
        named.name = "p".into();
        let mut other = a;
        other.name = "q".into();
        let lines = told(std::slice::from_ref(&named.clone()), &[named.clone(), other], Better::Higher, "0");
        assert_eq!(lines, ["warning[vanished]: q: 2 cells are no longer there, first inf at x 1, row a"]);
        let mut blank = grid(&["a"], &[1.0], &[f64::NAN]);
        blank.name = "r".into();
        let (both, one) = ([named.clone(), blank], [named]);
        assert_eq!(
            told(&one, &both, Better::Higher, "0"),
            ["warning[vanished]: r: the panel is no longer there; none of its cells has a value"]
        );
        assert_eq!(
            told(&both, &one, Better::Higher, "0"),
            ["warning[appeared]: r: the panel was not there before; none of its cells has a value"]
        );
    }

    #[test]
    fn panels_of_one_name_are_compared_each_with_its_own() {
        let named = |value: f64| {
            let mut g = grid(&["a"], &[1.0], &[value]);
            g.name = "p".into();
            g
        };
        let (before, now) = ([named(1.0), named(5.0)], [named(1.0), named(4.0)]);
        let found = compare(&now, &before, Better::Higher, Tolerance::default());
        assert_eq!((&found.panels[1]["name"], &found.panels[1]["worst"]["before"]), (&json!("p (2)"), &json!(5.0)));
        let lines: Vec<String> = found.lints.0.iter().map(|l| l.to_string()).collect();
        assert_eq!(lines, ["warning[regressed]: p (2): 1 of 1 cell became worse; the worst: 5 to 4 at x 1, row a"]);
        let lines = told(&now[..1], &before, Better::Higher, "0");
        assert_eq!(lines, ["warning[vanished]: p (2): 1 cell is no longer there, first 5 at x 1, row a"]);
    }
}
