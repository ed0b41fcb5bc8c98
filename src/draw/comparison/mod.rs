//! Two states of the same grids, cell by cell: worse, better, gone and new ones.

mod change;
mod panel;

pub use change::{RuleError, Tolerance};

use gridscope_core::figure::Better;
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use gridscope_read::unique_names;
use panel::Panel;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// `regressed`, `vanished` and `appeared`, each with its worst or first cell.
    pub lints: Lints,
    /// One object a panel: counts of cells, and the worst.
    pub panels: Value,
}

/// Compares grids with what they were `before`. Panels belong together by their names (lone ones in any case), those of one name
/// in their order, and are reported as `NAME (2)`, `NAME (3)`; rows and columns by their labels, of numbers by their values. A panel
/// that only one side has is reported even if none of its cells has a value. Where the higher value is the better one:
///
/// | before | now a number | now `inf` | now `-inf` | now no value |
/// | --- | --- | --- | --- | --- |
/// | a number | by the tolerance | improved | regressed | vanished |
/// | `inf` | regressed | the same | regressed | vanished |
/// | `-inf` | improved | improved | the same | vanished |
/// | no value | appeared | appeared | appeared | not compared |
///
/// With [`Better::Lower`] improved and regressed change places. No value is NaN, absent, masked or pending, or a row, column or
/// panel that is not there. A number has improved when it is better by any amount, and regressed when it is worse by more than the
/// tolerance; no tolerance allows for an infinity. Whole numbers compare exactly, 64-bit ones too.
///
/// # Panics
/// When a grid's cells are not in memory.
pub fn compare(now: &[Grid], before: &[Grid], better: Better, tolerance: Tolerance) -> Comparison {
    let mut out = Comparison { lints: Lints::default(), panels: json!([]) };
    let lone = now.len() == 1 && before.len() == 1;
    let names = |grids: &[Grid]| unique_names(grids.iter().map(|g| g.name().to_owned()).collect());
    let (new_names, old_names) = (names(now), names(before));
    let mut left: HashMap<&str, &Grid> = old_names.iter().map(String::as_str).zip(before).collect();
    let mut panels = Vec::new();
    for (new, name) in now.iter().zip(&new_names) {
        let old = if lone { before.first() } else { left.remove(name.as_str()) };
        panels.push(Panel::of(Some(new), old, better, tolerance).report(name, &mut out.lints));
    }
    for (old, name) in
        before.iter().zip(&old_names).filter(|(_, name)| !lone && left.contains_key(name.as_str()))
    {
        panels.push(Panel::of(None, Some(old), better, tolerance).report(name, &mut out.lints));
    }
    out.panels = Value::Array(panels);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::{Axis, State, Values};

    fn grid(rows: &[&str], columns: &[f64], values: &[f64]) -> Grid {
        let labels = columns.iter().map(f64::to_string).collect();
        let axis = |l: &[&str]| Axis::category("row", l.iter().map(|t| (*t).to_owned()).collect());
        Grid::new(axis(rows), Axis::number("x", columns.to_vec(), labels), Values::F64(values.to_vec()), &[])
            .unwrap()
    }

    fn warnings(now: &[Grid], before: &[Grid], better: Better, tolerance: &str) -> Vec<String> {
        let found = compare(now, before, better, tolerance.parse().unwrap());
        found.lints.0.iter().map(std::string::ToString::to_string).collect()
    }

    #[test]
    fn cells_are_found_again_by_their_labels() {
        let before = grid(&["a", "b"], &[1.0, 2.0], &[10.0, 20.0, 30.0, 40.0]);
        let mut now = grid(&["b", "c", "a"], &[2.0, 1.0], &[39.0, 33.0, 5.0, 6.0, 19.5, 10.0]);
        now.set_state(2, 1, State::Nan);
        let found = compare(
            std::slice::from_ref(&now),
            std::slice::from_ref(&before),
            Better::Higher,
            "0.6".parse().unwrap(),
        );
        let lines: Vec<String> = found.lints.0.iter().map(std::string::ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "warning[regressed]: 1 of 3 cells became worse; the worst: 40 to 39 at x 2, row b",
                "warning[vanished]: 1 cell is no longer there, first 10 at x 1, row a",
                "warning[appeared]: 2 cells were not there before, first 5 at x 2, row c",
            ]
        );
        let panel = &found.panels[0];
        assert_eq!(
            (&panel["compared"], &panel["improved"], &panel["worst"]["now"]),
            (&json!(3), &json!(1), &json!(39.0))
        );
        assert!(warnings(&[now], &[before], Better::Lower, "10%").iter().all(|l| !l.contains("regressed")));
    }

    #[test]
    fn tolerances_are_amounts_or_shares() {
        let (a, b) = ([grid(&["a"], &[1.0, 2.0], &[95.0, 1.0])], [grid(&["a"], &[1.0, 2.0], &[100.0, 1.04])]);
        let count = |t: &str| warnings(&a, &b, Better::Higher, t).len();
        assert_eq!((count("0"), count("5"), count("0.05"), count("5%"), count("4%")), (1, 0, 1, 0, 1));
        assert_eq!(warnings(&a, &b, Better::Lower, "0").len(), 0);
    }

    /// A cell of each kind.
    #[derive(Clone, Copy, Debug)]
    enum Cell {
        Value(f64),
        Without(State),
    }

    fn cell(of: Cell) -> Grid {
        let mut grid = grid(&["a"], &[1.0], &[if let Cell::Value(v) = of { v } else { 0.0 }]);
        if let Cell::Without(state) = of {
            grid.set_state(0, 0, state);
        }
        grid
    }

    #[test]
    fn every_change_is_as_the_table_says() {
        let inf = f64::INFINITY;
        let values = [1.0, 2.0, inf, -inf].map(Cell::Value);
        let cells: Vec<Cell> = values.into_iter().chain(State::ALL.map(Cell::Without)).collect();
        // Before down, now across, where higher is better: Same, Improved, Worse (by the tolerance), Regressed, Vanished,
        // Appeared, or not compared.
        let table =
            ["SIIRVVVV", "WSIRVVVV", "RRSRVVVV", "IIISVVVV", "AAAA----", "AAAA----", "AAAA----", "AAAA----"];
        // Lower is better: another number is the worse one.
        let lower =
            ["SWRIVVVV", "ISRIVVVV", "IISIVVVV", "RRRSVVVV", "AAAA----", "AAAA----", "AAAA----", "AAAA----"];
        for (better, table) in [(Better::Higher, table), (Better::Lower, lower)] {
            for (tolerance, allows) in
                [("0", false), ("5%", false), ("0.5", false), ("1", true), ("100%", true), ("1e300", true)]
            {
                for (before, row) in cells.iter().zip(table) {
                    for (now, word) in cells.iter().zip(row.chars()) {
                        let found =
                            compare(&[cell(*now)], &[cell(*before)], better, tolerance.parse().unwrap());
                        let word = if word == 'W' { if allows { 'S' } else { 'R' } } else { word };
                        let of = |key: &str| found.panels[0][key].as_u64().unwrap();
                        let counts = ["compared", "improved", "regressed", "vanished", "appeared"].map(of);
                        let wanted = [
                            u64::from("SIR".contains(word)),
                            u64::from(word == 'I'),
                            u64::from(word == 'R'),
                            u64::from(word == 'V'),
                            u64::from(word == 'A'),
                        ];
                        assert_eq!(
                            counts, wanted,
                            "{before:?} to {now:?}, {better:?}, tolerance {tolerance}"
                        );
                        assert_eq!(
                            found.lints.0.len(),
                            usize::from("RVA".contains(word)),
                            "{before:?} to {now:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_book_has_the_table_above() {
        let own = include_str!("mod.rs")
            .lines()
            .filter_map(|l| l.strip_prefix("/// ").filter(|l| l.starts_with('|')));
        let own: Vec<&str> = own.collect();
        assert_eq!(own.len(), 6);
        assert!(include_str!("../../../docs/src/ci.md").contains(&own.join("\n")), "{own:#?}");
    }

    #[test]
    fn reports_hold_infinities_and_long_integers() {
        let worst = |before: Values, now: Values| {
            let of = |v: Values| Grid::new(Axis::index("", 1), Axis::index("", 1), v, &[]).unwrap();
            compare(&[of(now)], &[of(before)], Better::Higher, Tolerance::default()).panels[0]["worst"]
                .clone()
        };
        let found = worst(Values::F64(vec![f64::INFINITY]), Values::F64(vec![1.5]));
        assert_eq!((&found["before"], &found["now"]), (&json!("inf"), &json!(1.5)));
        let found = worst(Values::U64(vec![u64::MAX]), Values::U64(vec![u64::MAX - 1]));
        assert_eq!((&found["before"], &found["now"]), (&json!(u64::MAX), &json!(u64::MAX - 1)));
    }

    #[test]
    fn infinities_and_missing_panels() {
        let inf = f64::INFINITY;
        let (a, b) = (grid(&["a"], &[1.0, 2.0], &[inf, 1.0]), grid(&["a"], &[1.0, 2.0], &[inf, inf]));
        let lines = warnings(std::slice::from_ref(&a), &[b], Better::Higher, "5%");
        assert!(matches!(&lines[..], [line] if line.starts_with("warning[regressed]")), "{lines:?}");
        let mut named = a.clone();
        named.set_name("p");
        let mut other = a;
        other.set_name("q");
        let lines =
            warnings(std::slice::from_ref(&named.clone()), &[named.clone(), other], Better::Higher, "0");
        assert_eq!(lines, ["warning[vanished]: q: 2 cells are no longer there, first inf at x 1, row a"]);
        let mut blank = grid(&["a"], &[1.0], &[f64::NAN]);
        blank.set_name("r");
        let (both, one) = ([named.clone(), blank], [named]);
        assert_eq!(
            warnings(&one, &both, Better::Higher, "0"),
            ["warning[vanished]: r: the panel is no longer there; none of its cells has a value"]
        );
        assert_eq!(
            warnings(&both, &one, Better::Higher, "0"),
            ["warning[appeared]: r: the panel was not there before; none of its cells has a value"]
        );
    }

    #[test]
    fn panels_of_one_name_are_compared_each_with_its_own() {
        let named = |value: f64| {
            let mut g = grid(&["a"], &[1.0], &[value]);
            g.set_name("p");
            g
        };
        let (before, now) = ([named(1.0), named(5.0)], [named(1.0), named(4.0)]);
        let found = compare(&now, &before, Better::Higher, Tolerance::default());
        assert_eq!(
            (&found.panels[1]["name"], &found.panels[1]["worst"]["before"]),
            (&json!("p (2)"), &json!(5.0))
        );
        let lines: Vec<String> = found.lints.0.iter().map(std::string::ToString::to_string).collect();
        assert_eq!(
            lines,
            ["warning[regressed]: p (2): 1 of 1 cell became worse; the worst: 5 to 4 at x 1, row a"]
        );
        let lines = warnings(&now[..1], &before, Better::Higher, "0");
        assert_eq!(lines, ["warning[vanished]: p (2): 1 cell is no longer there, first 5 at x 1, row a"]);
    }
}
