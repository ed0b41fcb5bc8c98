//! A figure of which one panel alone is drawn: limits, labels, names and order stay those of all panels.

use super::error::ResolveError;
use super::overrides::Overrides;
use gridscope_core::figure::Figure;
use gridscope_core::grid::Grid;
use gridscope_core::text::{did_you_mean, nearest};

/// Names that a message lists.
const LISTED: usize = 12;

/// Which panel alone is drawn; `None`: all of them. A figure of one panel draws all.
///
/// # Errors
/// A name that no panel has.
pub(super) fn only_panel(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
) -> Result<Option<usize>, ResolveError> {
    let several = |panel: &usize| grids.len() > 1 && *panel < grids.len();
    if let Some(only) = overrides.only {
        return Ok(only.filter(several));
    }
    let Some(name) = &figure.only_panel else {
        return Ok(None);
    };
    let at = grids.iter().position(|g| g.name() == name);
    match at {
        Some(at) => Ok(Some(at).filter(several)),
        None => Err(ResolveError::key("only_panel", unknown(name, grids))),
    }
}

/// The message that no panel has a name, with the names that there are.
fn unknown(name: &str, grids: &[Grid]) -> String {
    let names = || grids.iter().map(Grid::name).filter(|n| !n.is_empty());
    let near = did_you_mean(nearest(name, names()));
    let mut listed: Vec<&str> = names().take(LISTED).collect();
    if listed.is_empty() {
        return format!("no panel '{name}': the data have one panel without a name");
    }
    if names().count() > LISTED {
        listed.push("…");
    }
    format!("no panel '{name}'{near}; the panels are: {}", listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids(names: &[&str]) -> Vec<Grid> {
        let grid = |name: &&str| {
            let mut grid = Grid::from_rows(1, 2, vec![0.0, 1.0]).unwrap();
            grid.set_name(*name);
            grid
        };
        names.iter().map(grid).collect()
    }

    fn named(name: &str) -> Figure {
        Figure { only_panel: Some(name.to_owned()), ..Figure::default() }
    }

    #[test]
    fn a_panel_is_named_and_the_window_goes_before_the_figure() {
        let (all, figure) = (grids(&["a", "b", "c"]), named("b"));
        let of = |only| {
            let overrides = Overrides { only, ..Overrides::default() };
            only_panel(&figure, &overrides, &all).unwrap()
        };
        assert_eq!(
            [of(None), of(Some(None)), of(Some(Some(2))), of(Some(Some(3)))],
            [Some(1), None, Some(2), None]
        );
        assert_eq!(only_panel(&named("a"), &Overrides::default(), &all[..1]), Ok(None));
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let message = |name: &str, all: &[Grid]| {
            let e = only_panel(&named(name), &Overrides::default(), all).unwrap_err();
            (e.keys().join(" "), e.to_string())
        };
        let (key, text) = message("layer4", &grids(&["layer3", "base"]));
        assert_eq!(key, "only_panel");
        assert_eq!(
            text,
            "only_panel: no panel 'layer4'; did you mean 'layer3'?; the panels are: layer3, base"
        );
        let (_, text) = message("x", &grids(&[""]));
        assert_eq!(text, "only_panel: no panel 'x': the data have one panel without a name");
        let many: Vec<String> = (0..20).map(|i| format!("p{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(message("zzz", &grids(&many)).1.ends_with("p10, p11, …"));
    }
}
