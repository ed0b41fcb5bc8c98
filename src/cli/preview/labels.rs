//! The labels beside and below the cells of a preview, and its scale.

use super::{Depth, half_blocks};
use console::measure_text_width;
use gridscope_core::grid::Axis;
use gridscope_core::image::Image;
use gridscope_core::scale::{ColorScale, short};
use gridscope_core::text::{clean, one_line, spoken};

/// The most columns of a label.
const LONGEST: usize = 16;
/// The most columns of a scale.
const SCALE: usize = 32;
/// The most cells of an axis whose labels say how wide labels are.
const MEASURED: usize = 256;

/// The columns that labels of rows take, with a blank.
pub(super) fn room(rows: &Axis) -> usize {
    let step = rows.len().div_ceil(MEASURED).max(1);
    let widths = (0..rows.len()).step_by(step).map(|i| measure_text_width(&label(rows, i)));
    widths.max().unwrap_or(0) + 1
}

/// The lines of half blocks with the label of the first cell whose middle a line shows, right-aligned in `room` columns.
pub(super) fn beside(blocks: &str, rows: &Axis, spans: &[[u32; 2]], room: usize) -> String {
    let mut marks = marks(spans).into_iter().peekable();
    let mut out = String::new();
    for (i, line) in blocks.lines().enumerate() {
        let mut text = String::new();
        while let Some((_, cell)) = marks.next_if(|(at, _)| at / 2 <= i) {
            if text.is_empty() {
                text = label(rows, cell);
            }
        }
        let text = cut(&text, room - 1);
        out.push_str(&" ".repeat(room - 1 - measure_text_width(&text)));
        out.push_str(&format!("{text} {line}\n"));
    }
    out
}

/// The line of the labels of the columns, each below the middle of its cell: of every cell, or of every second, third … as they have
/// room. `room` columns stand before it.
pub(super) fn below(columns: &Axis, spans: &[[u32; 2]], room: usize) -> String {
    let width = spans.len();
    let all: Vec<(usize, String, usize)> = marks(spans)
        .into_iter()
        .map(|(at, cell)| {
            let text = cut(&label(columns, cell), width);
            let length = measure_text_width(&text);
            (at.saturating_sub((length.max(1) - 1) / 2).min(width - length), text, length)
        })
        .collect();
    let fits = |step: &usize| {
        let mut end = 0;
        all.iter().step_by(*step).all(|(from, _, length)| {
            let fits = *from >= end;
            end = from + length + 1;
            fits
        })
    };
    let step = (1..=all.len()).find(fits).unwrap_or(1);
    let mut line = " ".repeat(room);
    let mut at = 0;
    for (from, text, length) in all.iter().step_by(step) {
        line.push_str(&" ".repeat(from - at));
        line.push_str(text);
        at = from + length;
    }
    format!("{}\n", line.trim_end())
}

/// A scale on one line: its least value, its colours, its greatest value, and what it is of.
pub(super) fn scale(of: &ColorScale, title: &str, width: usize, depth: Depth) -> String {
    let n = (width / 2).clamp(1, SCALE);
    let colours: Vec<u8> = (0..n).flat_map(|i| of.ramp(i as u32, n as u32).rgba()).collect();
    let image = Image { width: n as u32, height: 2, pixels: colours.repeat(2) };
    let spec = of.spec();
    let line = half_blocks(&image, depth);
    let text = format!("{} {} {} {}", short(spec.vmin), line.trim_end(), short(spec.vmax), spoken(title));
    format!("{}\n", text.trim_end())
}

/// The middle pixel of each cell along a side, and the cell; of several cells under a pixel, the first.
fn marks(spans: &[[u32; 2]]) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for i in 1..=spans.len() {
        if i < spans.len() && spans[i] == spans[from] {
            continue;
        }
        if spans[from][0] < spans[from][1] {
            out.push(((from + i - 1) / 2, spans[from][0] as usize));
        }
        from = i;
    }
    out
}

fn label(axis: &Axis, i: usize) -> String {
    cut(&spoken(&clean(&axis.label(i))), LONGEST)
}

/// A text in at most this many columns.
fn cut(text: &str, columns: usize) -> String {
    let text = one_line(text);
    console::truncate_str(&text, columns, if columns > 0 { "…" } else { "" }).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(cells: &[u32]) -> Vec<[u32; 2]> {
        cells.iter().map(|c| [*c, c + 1]).collect()
    }

    #[test]
    fn labels_of_rows_stand_at_the_middle_of_their_cells() {
        let rows = Axis::category("r", vec!["a".to_owned(), "bb".to_owned()]);
        assert_eq!(room(&rows), 3);
        let blocks = "1\n2\n3\n4\n";
        assert_eq!(beside(blocks, &rows, &spans(&[0, 0, 0, 0, 1, 1, 1, 1]), 3), " a 1\n   2\nbb 3\n   4\n");
        // A line that shows several cells has the label of the first.
        assert_eq!(beside("1\n", &rows, &spans(&[1, 0]), 3), "bb 1\n");
    }

    #[test]
    fn labels_of_columns_that_meet_are_thinned_regularly() {
        let columns = Axis::category("c", ["ab", "cd", "ef", "gh"].map(str::to_owned).to_vec());
        assert_eq!(below(&columns, &spans(&[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]), 2), "   ab cd ef gh\n");
        assert_eq!(below(&columns, &spans(&[0, 0, 1, 1, 2, 2, 3, 3]), 0), "ab  ef\n");
        assert_eq!(below(&columns, &spans(&[3]), 0), "…\n");
        assert_eq!(below(&columns, &[[0, 0], [1, 1]], 1), "\n");
    }
}
