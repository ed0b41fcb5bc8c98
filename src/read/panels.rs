//! The panels of all files together: how many there may be, and a name for each that no other panel has.
//!
//! Figure files, limits that a run has shown, and comparisons find a panel by its name. The name is the value of `--panel`, the
//! index of an axis (`axis 0 = 3`) or the array's own; a file that gives one panel names it by its own name. Where several files
//! are drawn, a file that gives several panels puts its name before theirs (`a: axis 0 = 3`), whatever the other files hold. Names
//! that are equal even so are numbered: the first stays, the others are `NAME (2)`, `NAME (3)`.

use super::error::InputError;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::lint::Lints;
use std::collections::{HashMap, HashSet};

/// The most panels of a figure, those of all its files together.
pub const MOST_PANELS: usize = 4096;

/// Refuses more panels than a figure may have; `what` says what would make them.
///
/// # Errors
/// More than [`MOST_PANELS`].
pub(super) fn check_count(
    panels: usize,
    file: &str,
    what: impl FnOnce() -> String,
) -> Result<(), InputError> {
    if panels <= MOST_PANELS {
        return Ok(());
    }
    Err(InputError::limit(file, format!("{}; a figure has at most {MOST_PANELS} panels", what())))
}

/// The names, all different: of equal ones the first stays, and each other has the first free ` (2)`, ` (3)` … added.
pub fn unique_names(names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut met: HashMap<String, usize> = HashMap::new();
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        let times = met.entry(name.clone()).or_insert(0);
        *times += 1;
        if *times == 1 {
            out.push(name);
            continue;
        }
        let numbered = loop {
            let numbered = format!("{name} ({times})");
            if taken.insert(numbered.clone()) {
                break numbered;
            }
            *times += 1;
        };
        out.push(numbered);
    }
    out
}

/// The names of the panels under `[[panel]]`, all different.
pub(super) fn names_of_panels(figure: &Figure) -> Vec<String> {
    unique_names(figure.panel.iter().map(|panel| panel.name(figure)).collect())
}

/// Names the panels of one of several files: a lone one by the file, others by the file and their own names.
pub(super) fn name_by_file(grids: &mut [Grid], file: &str) {
    let lone = grids.len() == 1;
    for grid in grids {
        let name =
            if lone || grid.name().is_empty() { file.to_owned() } else { format!("{file}: {}", grid.name()) };
        grid.set_name(name);
    }
}

/// Gives each panel a name of its own. `lints` are those of the panels from `first` on, whose names differ among themselves.
pub(super) fn make_unique(grids: &mut [Grid], first: usize, lints: &mut Lints) {
    let names = unique_names(grids.iter().map(|g| g.name().to_owned()).collect());
    for (i, (grid, name)) in
        grids.iter_mut().zip(names).enumerate().filter(|(_, (grid, name))| grid.name() != name)
    {
        let old = Some(grid.name().to_owned());
        let of_old = lints.0.iter_mut().filter(|lint| i >= first && lint.panel == old);
        of_old.for_each(|lint| lint.panel = Some(name.clone()));
        grid.set_name(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::lint::LintName;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn equal_names_are_numbered_and_others_stay() {
        assert_eq!(unique_names(texts(&["a", "b", "a", "a"])), ["a", "b", "a (2)", "a (3)"]);
        assert_eq!(unique_names(texts(&["a", "a", "a (2)", "a (2)"])), ["a", "a (3)", "a (2)", "a (2) (2)"]);
        assert_eq!(unique_names(texts(&["", ""])), ["", " (2)"]);
    }

    #[test]
    fn any_names_become_different_ones() {
        let cases: usize = std::env::var("GRIDSCOPE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
        let mut state = 0x2545_f491_4f6c_dd1du64;
        for _ in 0..cases {
            let names: Vec<String> = (0..12)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    ["a", "b", "a (2)", "a (3)", "b (2)", "a (2) (2)"][(state >> 33) as usize % 6].to_owned()
                })
                .collect();
            let made = unique_names(names.clone());
            assert_eq!(made.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}: {made:?}");
            for (i, (name, new)) in names.iter().zip(&made).enumerate() {
                let is_first = !names[..i].contains(name);
                assert!(
                    if is_first { new == name } else { new.starts_with(&format!("{name} (")) },
                    "{names:?}: {made:?}"
                );
            }
        }
    }

    #[test]
    fn warnings_follow_the_names_of_their_panels() {
        let named = |name: &str| {
            let mut grid = Grid::from_rows(1, 1, vec![1.0]).unwrap();
            grid.set_name(name);
            grid
        };
        let mut grids = vec![named("a"), named("b"), named("a")];
        let mut lints = Lints::default();
        lints.add_panel(LintName::Headers, "a", 1, "x");
        lints.add_panel(LintName::Headers, "b", 1, "x");
        make_unique(&mut grids, 1, &mut lints);
        assert_eq!(grids.iter().map(Grid::name).collect::<Vec<_>>(), ["a", "b", "a (2)"]);
        assert_eq!(lints.0.iter().map(|l| l.panel.as_deref().unwrap()).collect::<Vec<_>>(), ["a (2)", "b"]);
    }

    #[test]
    fn more_panels_than_a_figure_has_are_refused() {
        assert!(check_count(MOST_PANELS, "f", || unreachable!()).is_ok());
        let e = check_count(MOST_PANELS + 1, "f", || "too much".to_owned()).unwrap_err();
        assert_eq!(e.to_string(), "f: too much; a figure has at most 4096 panels");
    }
}
