//! The title of a colour bar that the figure does not name: what the colours are values of.

use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Change, Grid, Merged};
use gridscope_core::text::clean;

/// Values that one title names.
const MOST_NAMES: usize = 3;

/// Change of the cells of a grid, in the words of its bar: `score − before`; `None` where they are as they were read.
pub fn changed_label(grid: &Grid) -> Option<String> {
    (!grid.changes().is_empty()).then(|| label_of(&[grid], None))
}

/// Name of the cells of these grids: `signal`, `std of signal`, `signal (mean of 3 seeds)`; with a reduction, of the
/// pixels that cover several cells.
pub(super) fn label_of(grids: &[&Grid], reduce: Option<Reduce>) -> String {
    let cells = cells(grids);
    let Some(reduce) = reduce else { return cells };
    match (reduce, cells.as_str()) {
        (Reduce::Count, _) => "count of cells".to_owned(),
        // A mean of means is one.
        (Reduce::Mean, cells) if merged(grids).is_some_and(|m| m.by == "mean") => cells.to_owned(),
        (_, "") => reduce.word().to_owned(),
        (_, cells) => format!("{} of {cells}", reduce.word()),
    }
}

/// Name of the cells.
fn cells(grids: &[&Grid]) -> String {
    let mut names: Vec<String> = Vec::new();
    for grid in grids {
        let name = clean(grid.value_name());
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES);
            names.push("…".to_owned());
            break;
        }
    }
    let name = names.join(" / ");
    let changes = grids.first().map_or(&[][..], |g| g.changes());
    let (name, unit) = if changes.is_empty() { (name.as_str(), "") } else { without_unit(&name) };
    let mut notes = Vec::new();
    let of = match merged(grids) {
        None => name.to_owned(),
        Some(m) if name.is_empty() => m.by,
        Some(Merged { by, values: (least, most), column: Some(column) }) if least == most => {
            notes.push(format!("{by} of {most} {}", plural(&clean(&column))));
            name.to_owned()
        }
        Some(m) => format!("{} of {name}", m.by),
    };
    let mut title = of;
    let mut unit = unit;
    for change in changes {
        title = after(title, change);
        // Other changes leave no unit.
        if !matches!(change, Change::Difference(_)) {
            unit = "";
        }
        notes.extend(match change {
            Change::Share("all") => Some("share of all panels".to_owned()),
            Change::Share(of) => Some(format!("share of {of}")),
            Change::ZScore(by) => Some(format!("z-score by {by}")),
            Change::Percent(_) => Some("%".to_owned()),
            _ => None,
        });
    }
    if !unit.is_empty() {
        title = format!("{title} {unit}");
    }
    match (title.as_str(), notes.join(", ")) {
        (_, notes) if notes.is_empty() => title,
        ("", notes) => notes,
        (_, notes) => format!("{title} ({notes})"),
    }
}

/// The title of values after a change, but for its notes.
fn after(title: String, change: &Change) -> String {
    // A key with its column is one term.
    let term = |base: &str| {
        let base = clean(base);
        if base.contains(" = ") { format!("({base})") } else { base }
    };
    match (change, title.as_str()) {
        (Change::Difference(base), "") => format!("difference from {}", clean(base)),
        (Change::Difference(base), _) => format!("{title} − {}", term(base)),
        (Change::Ratio(base), "") => format!("ratio to {}", clean(base)),
        (Change::Ratio(base), _) => format!("{title} / {}", term(base)),
        (Change::Percent(base), "") => format!("change from {}", clean(base)),
        (Change::Percent(base), _) => format!("change of {title} from {}", clean(base)),
        _ => title,
    }
}

/// A name and the unit behind it: `accuracy` and `(%)`.
fn without_unit(name: &str) -> (&str, &str) {
    let cut = |open: &str, close: char| name.ends_with(close).then(|| name.rfind(open)).flatten();
    match cut(" (", ')').or_else(|| cut(" [", ']')) {
        Some(at) if at > 0 => (&name[..at], &name[at + 1..]),
        _ => (name, ""),
    }
}

/// How rows became values in any of the grids, as far as it is true of all of them.
fn merged(grids: &[&Grid]) -> Option<Merged> {
    let first = grids.iter().find_map(|g| g.merged())?;
    let all = grids.iter().map(|g| match g.merged() {
        Some(merged) => merged.clone(),
        None => Merged { by: first.by.clone(), values: (1, 1), column: None },
    });
    all.reduce(|a, b| a.common(&b))
}

/// The name of a column for several of its values: `seeds`, `batches`, `repositories`. Names in other scripts have no plural.
fn plural(name: &str) -> String {
    let vowel = |c: Option<char>| c.is_some_and(|c| "aeiou".contains(c.to_ascii_lowercase()));
    match name.chars().last() {
        Some('y') if !vowel(name.chars().rev().nth(1)) && name.len() > 1 => {
            format!("{}ies", &name[..name.len() - 1])
        }
        Some('x') => format!("{name}es"),
        Some(_) if name.ends_with("ch") || name.ends_with("sh") => format!("{name}es"),
        Some(last) if last.is_ascii_alphabetic() && !last.eq_ignore_ascii_case(&'s') => format!("{name}s"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(name: &str, merged: Option<(&'static str, u64, u64, Option<&str>)>) -> Grid {
        let mut grid = Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap();
        grid.set_value_name(name);
        grid.set_merged(merged.map(|(by, least, most, column)| Merged {
            by: by.to_owned(),
            values: (least, most),
            column: column.map(str::to_owned),
        }));
        grid
    }

    #[test]
    fn a_bar_says_what_its_colours_are() {
        let plain = grid("signal", None);
        let seeds = grid("signal", Some(("mean", 3, 3, Some("seed"))));
        let runs = grid("signal", Some(("mean", 2, 3, Some("seed"))));
        let std = grid("signal", Some(("std", 3, 3, None)));
        let count = grid("", Some(("count", 1, 9, None)));
        let other = grid("loss", None);
        let array = grid("", None);
        let mean = Some(Reduce::Mean);
        for (grids, reduce, wanted) in [
            (vec![&plain], None, "signal"),
            (vec![&seeds], None, "signal (mean of 3 seeds)"),
            (vec![&runs], None, "mean of signal"),
            (vec![&seeds, &runs], None, "mean of signal"),
            (vec![&seeds, &plain], None, "mean of signal"),
            (vec![&seeds, &seeds], None, "signal (mean of 3 seeds)"),
            (vec![&std], None, "std of signal"),
            (vec![&count], None, "count"),
            (vec![&plain, &other], None, "signal / loss"),
            (vec![&array], None, ""),
            (vec![&plain], mean, "mean of signal"),
            (vec![&runs], mean, "mean of signal"),
            (vec![&seeds], mean, "signal (mean of 3 seeds)"),
            (vec![&std], mean, "mean of std of signal"),
            (vec![&array], mean, "mean"),
            (vec![&array], Some(Reduce::Max), "max"),
            (vec![&plain], Some(Reduce::Max), "max of signal"),
            (vec![&seeds], Some(Reduce::Max), "max of signal (mean of 3 seeds)"),
            (vec![&count], Some(Reduce::Min), "min of count"),
            (vec![&plain], Some(Reduce::Count), "count of cells"),
        ] {
            assert_eq!(label_of(&grids, reduce), wanted, "{reduce:?}");
        }
    }

    #[test]
    fn names_of_columns_have_a_plural() {
        for (name, wanted) in [
            ("seed", "seeds"),
            ("seeds", "seeds"),
            ("batch", "batches"),
            ("repository", "repositories"),
            ("day", "days"),
            ("index", "indexes"),
            ("y", "ys"),
            ("fold_2", "fold_2"),
            ("试次", "试次"),
        ] {
            assert_eq!(plural(name), wanted);
        }
    }
}
