//! What a figure shows, in one paragraph for readers who do not see it.

use crate::resolve::Frame;
use gridscope_core::grid::{Axis, Grid, Number, State, Stats};
use gridscope_core::scale::short;
use gridscope_core::text::spoken;

/// Names that are listed.
const LISTED: usize = 4;

/// A value, its panel, and its cell.
type End = (Number, usize, (usize, usize));

/// The panels that a frame draws: their value, their axes with the first and the last label, the range of the values with the places
/// of the least and the greatest, and what is missing. `stats` are those of all grids.
pub fn alt_text(frame: &Frame, grids: &[Grid], stats: &[Stats]) -> String {
    let drawn = frame.drawn_panels();
    // A bar alone is about all panels.
    let drawn = if drawn.is_empty() { 0..grids.len().min(stats.len()) } else { drawn };
    let (first, n) = (drawn.start, drawn.len());
    let Some(grid) = grids.get(first) else {
        return String::new();
    };
    let value = frame.bars.get(frame.panels[first].scale).map(|bar| spoken(&bar.label)).unwrap_or_default();
    let of = if value.is_empty() { String::new() } else { format!(" of {value}") };
    let mut out = match n {
        1 => format!("Heatmap{of}"),
        n => format!("{n} heatmaps{of}"),
    };
    if n > 1 {
        let names: Vec<String> = drawn.clone().take(LISTED).map(|i| spoken(&frame.panels[i].title)).collect();
        let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        let more = if n > names.len() { format!(" and {} more", n - names.len()) } else { String::new() };
        if !names.is_empty() {
            out.push_str(&format!(" ({}{more})", names.join(", ")));
        }
    }
    let (rows, columns) =
        (side(grid.rows(), "row", &frame.y.title), side(grid.columns(), "column", &frame.x.title));
    let each = if n > 1 { "; the first has " } else { ": " };
    out.push_str(&format!("{each}{rows} by {columns}."));
    let of_drawn = || drawn.clone().filter_map(|i| Some((i, &grids[i], stats.get(i)?)));
    let less = |a: Number, b: Number| a.compare(b).is_some_and(std::cmp::Ordering::is_lt);
    let mut ends: [Option<End>; 2] = [None; 2];
    for (i, _, s) in of_drawn() {
        for (end, found, cells) in [(0, s.min, &s.min_cells), (1, s.max, &s.max_cells)] {
            let (Some(v), Some(cell)) = (found, cells.first()) else { continue };
            let is_beyond = |(known, ..): End| {
                if end == 0 { less(v, known) } else { less(known, v) }
            };
            if ends[end].is_none_or(is_beyond) {
                ends[end] = Some((v, i, *cell));
            }
        }
    }
    let at = |(v, i, (row, column)): End| {
        let grid: &Grid = &grids[i];
        let panel = if n > 1 { format!("{}, ", spoken(&frame.panels[i].title)) } else { String::new() };
        let named = |axis: &Axis, word: &str, k: usize| match axis.name.as_str() {
            "" => format!("{word} {}", axis.label(k)),
            name => format!("{} {}", spoken(name), axis.label(k)),
        };
        let (x, y) = (named(grid.columns(), "column", column), named(grid.rows(), "row", row));
        format!("{} at {panel}{y}, {x}", number(v))
    };
    match ends {
        [Some(low), Some(high)] if low.0.compare(high.0) == Some(std::cmp::Ordering::Equal) => {
            out.push_str(&format!(" All values are {}.", number(low.0)));
        }
        [Some(low), Some(high)] => {
            out.push_str(&format!(" Values range from {} to {}.", at(low), at(high)));
        }
        _ => out.push_str(" There is no finite value."),
    }
    let cells: u64 = of_drawn().map(|(_, _, s)| s.cells()).sum();
    let of_state = |state: State| of_drawn().map(|(_, _, s)| s.states[state.index()]).sum::<u64>();
    let words = [
        (of_state(State::Nan), "without a value"),
        (of_state(State::Absent), "without data"),
        (of_state(State::Masked), "masked"),
        (of_state(State::Pending), "pending"),
        (of_drawn().map(|(_, _, s)| s.pos_inf + s.neg_inf).sum(), "infinite"),
    ];
    let missing: Vec<String> =
        words.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if !missing.is_empty() {
        out.push_str(&format!(" Of {} {}.", count(cells, "cell"), missing.join(", ")));
    }
    out
}

/// A number of things.
fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A number in four digits.
fn number(v: Number) -> String {
    match v.whole() {
        Some(whole) => whole.to_string(),
        None => short(format!("{:.3e}", v.as_f64()).parse().unwrap_or(v.as_f64())),
    }
}

/// An axis in words: `5 rows of model (Gemma to Qwen 2)`.
fn side(axis: &Axis, word: &str, title: &str) -> String {
    let n = axis.len();
    let title = spoken(title);
    let named = if title.is_empty() || title == word { String::new() } else { format!(" of {title}") };
    let ends = match n {
        0 => String::new(),
        1 => format!(" ({})", axis.label(0)),
        n => format!(" ({} to {})", axis.label(0), axis.label(n - 1)),
    };
    format!("{}{named}{ends}", count(n as u64, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::prepare;
    use gridscope_core::figure::Figure;
    use gridscope_core::text::Fonts;
    use gridscope_core::timing::Phases;

    fn of(grids: &[Grid]) -> String {
        prepare(&Figure::default(), grids, &mut Fonts::new(), &mut Phases::new()).unwrap().alt
    }

    #[test]
    fn it_names_axes_range_places_and_what_is_missing() {
        let mut grid = Grid::from_rows(2, 3, vec![1.0, 2.5, f64::NAN, 0.5, 4.0, 3.0]).unwrap();
        grid.set_rows(Axis::category("model", vec!["a".into(), "b".into()])).unwrap();
        grid.set_columns(Axis::category("task", ["x", "y", "z"].map(String::from).to_vec())).unwrap();
        grid.set_value_name("score");
        let text = "Heatmap of score: 2 rows of model (a to b) by 3 columns of task (x to z). \
                    Values range from 0.5 at model b, task x to 4 at model b, task y. Of 6 cells 1 without a value.";
        assert_eq!(of(&[grid.clone()]), text);
        let two = [grid.clone().with_name("first"), grid.with_name("second")];
        let said = of(&two);
        assert!(said.starts_with("2 heatmaps of score (first, second); the first has 2 rows"), "{said}");
        assert!(said.contains("from 0.5 at first, model b"), "{said}");
        let one = Grid::from_rows(1, 1, vec![7.0]).unwrap();
        assert!(of(&[one]).ends_with("All values are 7."));
    }
}
