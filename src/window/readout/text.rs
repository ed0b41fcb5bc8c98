//! Texts for numbers, positions and statistics of cells.

use gridscope_core::figure::Reduce;
use gridscope_core::grid::{Axis, Grid, Number, SourceError, State, Stats};
use gridscope_core::scale::grouped;
use gridscope_core::text::{clean, shorten};
use std::ops::Range;

/// Characters of a label in a message.
const SHOWN: usize = 40;

/// Rows and columns of a grid, neither empty.
pub(super) type Block = (Range<usize>, Range<usize>);

/// A number as its source would write it: the shortest text that reads back the same in the source's own type.
pub(super) fn number(grid: &Grid, v: Number) -> String {
    match v {
        // An f32 has at most nine significant digits; the f64 that it was widened to has more.
        Number::F64(f) if grid.is_f32() == Some(false) => {
            Number::F64((f as f32).to_string().parse().unwrap_or(f)).to_string()
        }
        v => v.to_string(),
    }
}

/// A count with its thousands set apart: `4,096`.
pub(crate) fn count(n: usize) -> String {
    grouped(&n.to_string())
}

/// A number to `digits` significant digits, without trailing zeros.
pub(super) fn rounded(v: f64, digits: usize) -> String {
    let digits = digits.clamp(1, 17);
    // Rounding up may leave f64.
    let rounded = format!("{v:.*e}", digits - 1).parse().ok().filter(|r: &f64| r.is_finite());
    Number::F64(rounded.unwrap_or(v)).to_string()
}

/// The panel's name with a separator, where there are several panels.
pub(super) fn panel(grid: &Grid, panels: usize) -> String {
    if panels > 1 && !grid.name().is_empty() { format!("{} · ", clean(grid.name())) } else { String::new() }
}

/// A block by labels and by indices: `ratio 0.3, window 2000 · row 12, column 4`.
pub(super) fn place(grid: &Grid, (rows, columns): &Block) -> String {
    let labels: Vec<String> =
        [labels(grid.columns(), columns), labels(grid.rows(), rows)].into_iter().flatten().collect();
    let indices =
        format!("{}, {}", indices(grid.rows(), "row", rows), indices(grid.columns(), "column", columns));
    if labels.is_empty() { indices } else { format!("{} · {indices}", labels.join(", ")) }
}

/// A row or column in a message: by its name and label, else by its index: `row 'type 1'`, `row 0`.
pub(crate) fn line_name(axis: &Axis, word: &str, line: usize) -> String {
    match labels(axis, &(line..line + 1)) {
        Some(label) => format!("{word} '{}'", shorten(&label, SHOWN)),
        None => indices(axis, word, &(line..line + 1)),
    }
}

/// Name and labels along an axis; `None` if it has only indices.
pub(super) fn labels(axis: &Axis, cells: &Range<usize>) -> Option<String> {
    let name = clean(&axis.name);
    if axis.levels.is_empty() && name.is_empty() {
        return None;
    }
    let (first, last) = (clean(&axis.label(cells.start)), clean(&axis.label(cells.end - 1)));
    let text = if cells.len() == 1 { first } else { format!("{first} to {last}") };
    Some(if name.is_empty() { text } else { format!("{name} {text}") })
}

/// `row 12` or `rows 120–123`, numbered as in the source.
pub(super) fn indices(axis: &Axis, word: &str, cells: &Range<usize>) -> String {
    let (first, last) = (axis.start + cells.start, axis.start + cells.end - 1);
    if first == last { format!("{word} {first}") } else { format!("{word}s {first}–{last}") }
}

/// The value or the state of a single cell: `pass1 41.25`, `no data`.
pub(super) fn cell(grid: &Grid, stats: &Result<Stats, SourceError>) -> String {
    match stats {
        Err(e) => e.to_string(),
        Ok(s) => match ends(s) {
            Some((v, _)) => {
                let name =
                    if grid.value_name().is_empty() { "value".to_owned() } else { clean(grid.value_name()) };
                format!("{name} {}", number(grid, v))
            }
            None => states(s).1.to_owned(),
        },
    }
}

/// `mean 0.531, min 0.1, max 0.93, 3 no data`; for cells without any value, their states.
pub(super) fn figures(grid: &Grid, stats: &Result<Stats, SourceError>) -> String {
    let s = match stats {
        Ok(s) => s,
        Err(e) => return e.to_string(),
    };
    let (counted, lone) = states(s);
    match ends(s) {
        Some((min, max)) => {
            let counted = if counted.is_empty() { counted } else { format!(", {counted}") };
            let digits = digits(min.as_f64(), max.as_f64());
            let end = |v: Number| {
                if min == max { number(grid, v) } else { brief(v, digits) }
            };
            let mean = if min == max { number(grid, min) } else { brief(Number::F64(mean(s)), digits) };
            format!("mean {mean}, min {}, max {}{counted}", end(min), end(max))
        }
        None if lone.is_empty() => counted,
        None => format!("all {lone}"),
    }
}

/// Cells of a panel in few words: the value of one, the reduction of several, else their state.
pub(super) fn shown(grid: &Grid, stats: &Result<Stats, SourceError>, reduce: Reduce) -> String {
    let Ok(s) = stats else {
        return String::new();
    };
    let Some((min, max)) = ends(s) else {
        return states(s).1.to_owned();
    };
    if s.cells() == 1 {
        return number(grid, min);
    }
    let brief = |v: Number| brief(v, digits(min.as_f64(), max.as_f64()));
    match reduce {
        Reduce::Mean => format!("mean {}", brief(Number::F64(mean(s)))),
        Reduce::Min => format!("min {}", brief(min)),
        Reduce::Max => format!("max {}", brief(max)),
        Reduce::Extreme => format!("{} to {}", brief(min), brief(max)),
        Reduce::Count => format!("{} values", count(s.values as usize)),
    }
}

/// The states with their counts, `12 no value, 8 masked`; and the words of the state, if there is only one.
fn states(s: &Stats) -> (String, &'static str) {
    let held: Vec<State> = State::ALL.into_iter().filter(|k| s.states[k.index()] > 0).collect();
    let counted: Vec<String> =
        held.iter().map(|k| format!("{} {}", count(s.states[k.index()] as usize), k.key_text())).collect();
    (counted.join(", "), if let [one] = held[..] { one.key_text() } else { "" })
}

/// Least and greatest value, infinities included.
pub(super) fn ends(s: &Stats) -> Option<(Number, Number)> {
    let (below, above) = (Number::F64(f64::NEG_INFINITY), Number::F64(f64::INFINITY));
    let low = if s.neg_inf > 0 { Some(below) } else { s.min.or((s.pos_inf > 0).then_some(above)) };
    let high = if s.pos_inf > 0 { Some(above) } else { s.max.or((s.neg_inf > 0).then_some(below)) };
    low.zip(high)
}

/// The mean of all values: infinite with infinities of one sign, NaN with both.
fn mean(s: &Stats) -> f64 {
    match (s.neg_inf > 0, s.pos_inf > 0) {
        (true, true) => f64::NAN,
        (true, false) => f64::NEG_INFINITY,
        (false, true) => f64::INFINITY,
        (false, false) => s.mean,
    }
}

/// As many digits as distinguish the mean from the extremes, at least six. Only single cells show all digits.
pub(super) fn digits(low: f64, high: f64) -> usize {
    let apart = low.abs().max(high.abs()) / (high - low);
    if apart.is_nan() { 6 } else { (4.0 + apart.log10().ceil()).clamp(6.0, 17.0) as usize }
}

/// A float to this many digits; an integer with all of its digits.
pub(super) fn brief(v: Number, digits: usize) -> String {
    match v {
        Number::F64(f) if f.is_nan() => "NaN".to_owned(),
        Number::F64(f) if f.is_finite() => rounded(f, digits),
        v => v.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::grid::Values;

    fn grid(values: Vec<f64>) -> Grid {
        Grid::from_rows(1, values.len(), values).unwrap()
    }

    fn all(g: &Grid) -> String {
        figures(g, &g.stats_of(0..1, 0..g.width()))
    }

    #[test]
    fn counts_and_digits() {
        assert_eq!(
            [0, 999, 4096, 1_234_567, 100_000].map(count),
            ["0", "999", "4,096", "1,234,567", "100,000"]
        );
        assert_eq!(
            [rounded(41.2837, 3), rounded(0.0, 3), rounded(12345.0, 3), rounded(-1e-9, 1)],
            ["41.3", "0", "12300", "-1e-9"]
        );
        assert_eq!([rounded(f64::MAX, 2), rounded(-1.75e308, 1)], ["1.7976931348623157e308", "-1.75e308"]);
    }

    #[test]
    fn figures_name_infinities_states_and_offsets() {
        assert_eq!(all(&grid(vec![1.0, 2.0, f64::NAN])), "mean 1.5, min 1, max 2, 1 no value");
        assert_eq!(all(&grid(vec![f64::NAN, f64::NAN])), "all no value");
        assert_eq!(all(&grid(vec![f64::INFINITY, 2.0])), "mean inf, min 2, max inf");
        assert_eq!(all(&grid(vec![f64::INFINITY, f64::NEG_INFINITY])), "mean NaN, min -inf, max inf");
        assert_eq!(all(&grid(vec![f64::NEG_INFINITY; 2])), "mean -inf, min -inf, max -inf");
        assert_eq!(
            all(&grid(vec![1e9, 1e9 + 0.25, 1e9 + 0.5])),
            "mean 1000000000.25, min 1000000000, max 1000000000.5"
        );
        assert_eq!(all(&grid(vec![0.1; 3])), "mean 0.1, min 0.1, max 0.1");
        assert_eq!(all(&grid(vec![0.1 + 0.2, 1.0 / 3.0])), "mean 0.316667, min 0.3, max 0.333333");
        let big = 1i64 << 60;
        let wide =
            Grid::new(Axis::index("", 1), Axis::index("", 2), Values::I64(vec![big + 1, big + 3]), &[])
                .unwrap();
        assert_eq!(all(&wide), "mean 1.152921504606847e18, min 1152921504606846977, max 1152921504606846979");
        assert_eq!(all(&grid(vec![1.7e308, -1.7e308])), "mean 0, min -1.7e308, max 1.7e308");
        let mut g = grid(vec![1.0; State::ALL.len()]);
        for (c, s) in State::ALL.into_iter().enumerate() {
            g.set_state(0, c, s);
        }
        assert_eq!(
            all(&g),
            "1 no value, 1 masked, 1 pending, 1 not in baseline, 1 only in baseline, 1 no data"
        );
    }

    #[test]
    fn numbers_are_written_in_their_own_type() {
        let of = |values: Values| {
            Grid::new(Axis::index("", 1), Axis::index("", values.len()), values, &[]).unwrap()
        };
        let one = |g: &Grid| cell(g, &g.stats_of(0..1, 0..1));
        assert_eq!(one(&of(Values::F32 { data: vec![0.1], integer: false })), "value 0.1");
        assert_eq!(one(&of(Values::F32 { data: vec![255.0], integer: true })), "value 255");
        assert_eq!(one(&of(Values::F64(vec![0.1 + 0.2]))), "value 0.30000000000000004");
        assert_eq!(one(&of(Values::I64(vec![(1 << 53) + 1]))), "value 9007199254740993");
        assert_eq!(one(&of(Values::U64(vec![u64::MAX]))), "value 18446744073709551615");
        assert_eq!(one(&of(Values::F64(vec![f64::NEG_INFINITY]))), "value -inf");
    }

    #[test]
    fn indices_count_as_the_source_does() {
        let axis = Axis::index("", 200).slice(100..150);
        assert_eq!(
            (indices(&axis, "row", &(3..4)), indices(&axis, "row", &(3..6))),
            ("row 103".to_owned(), "rows 103–105".to_owned())
        );
        assert_eq!(
            [line_name(&axis, "row", 3), line_name(&Axis::index("step", 9), "column", 3)],
            ["row 103", "column 'step 3'"]
        );
        assert_eq!(
            (labels(&axis, &(3..4)), labels(&Axis::index("step", 9), &(3..5))),
            (None, Some("step 3 to 4".to_owned()))
        );
    }
}
