//! The marked tiles and the contours of each panel: the widths of their lines, and how much of a body they hide.

use super::selection::{Census, Selection};
use super::tiles::{Between, Borders, Class, Piece, Tile, TileRow, border, tiles, walk};
use crate::layout::Layout;
use crate::resolve::{Colours, Folded, Frame, PanelCells, PanelMark};
use gridscope_core::figure::{Contours, MarkStyle};
use gridscope_core::grid::{Grid, Number, SourceError, Stats};
use gridscope_core::scale::{Norm, Tick, norm_ticks, short, typeset};
use std::cmp::Ordering;

/// The most straight pieces of one line, outlines and levels alike; more are not drawn.
const MOST_PIECES: usize = 20_000;
/// The most tiles with a symbol or a hatch of one mark.
const MOST_TILES: usize = 20_000;

/// Marks of one panel.
#[derive(Clone, Debug, Default)]
pub struct PanelMarking {
    /// The tiles of its columns and rows, on which everything lies.
    pub columns: Vec<Tile>,
    /// As `columns`.
    pub rows: Vec<Tile>,
    /// One a mark of the panel.
    pub marks: Vec<Marked>,
    /// Contours, by ascending level.
    pub contours: Vec<Contour>,
}

/// A marked tile: its row, its column, and its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkedTile {
    /// Row of tiles.
    pub row: u32,
    /// Column of tiles.
    pub column: u32,
    /// The value that it shows.
    pub value: Option<Number>,
}

/// The tiles of one mark.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// Marked tiles that are seen.
    pub count: u64,
    /// The first of them; of outlines none.
    pub tiles: Vec<MarkedTile>,
    /// The outline of all; none where its pieces are too many or too dense.
    pub outline: Vec<Piece>,
    /// How many pieces it has.
    pub pieces: u64,
    /// All marked cells of the grid, where they are known.
    pub census: Option<Census>,
}

/// A contour.
#[derive(Clone, Debug, Default)]
pub struct Contour {
    /// Its level.
    pub level: f64,
    /// The level as a text.
    pub label: String,
    /// Its pieces; none where they are too many or too dense.
    pub pieces: Vec<Piece>,
    /// How many pieces it has.
    pub count: u64,
}

/// Inputs of marks and contours.
pub struct MarkingRequest<'a> {
    /// The figure.
    pub frame: &'a Frame,
    /// Where its bodies are.
    pub layout: &'a Layout,
    /// Colours of its pixels.
    pub colours: &'a Colours,
    /// The grids of its panels.
    pub grids: &'a [Grid],
    /// Their statistics.
    pub stats: &'a [&'a Stats],
    /// Reductions under the pixels of their bodies.
    pub folded: &'a [Folded<'a>],
    /// Whether the marked cells of whole grids are counted.
    pub counts: bool,
}

impl std::fmt::Debug for MarkingRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MarkingRequest").finish_non_exhaustive()
    }
}

/// Finds the marks of each panel.
///
/// # Errors
/// When a source does not give its cells.
pub fn marking(ask: &MarkingRequest<'_>) -> Result<Vec<PanelMarking>, SourceError> {
    (0..ask.grids.len()).map(|i| panel(ask, i)).collect()
}

/// The levels of a panel's contours, ascending, with their texts.
fn levels(ask: &MarkingRequest<'_>, i: usize) -> Vec<(f64, String)> {
    match &ask.frame.contours {
        None => Vec::new(),
        Some(Contours::Levels(levels)) => levels.iter().map(|v| (*v, typeset(&short(*v)))).collect(),
        Some(Contours::Count(most)) => {
            let spec = ask.colours.panels[i].scale.spec();
            let (low, high, most) = (spec.vmin, spec.vmax, *most as usize);
            let between = |n: usize| -> Vec<(f64, String)> {
                let ticks = norm_ticks(&spec.norm, low, high, n).into_iter();
                let inner = ticks.filter(|tick| tick.value > low && tick.value < high);
                // Few ticks are powers of ten, which the bar, with more of them, writes out.
                let is_plain = |v: f64| spec.norm == Norm::Log && (1e-3..1e5).contains(&v);
                let text = |tick: Tick| if is_plain(tick.value) { short(tick.value) } else { tick.label };
                inner.map(|tick| (tick.value, typeset(&text(tick)))).collect()
            };
            // Nothing crosses the limits themselves, so that these do not count.
            let mut tries = (most..=most + 2).rev().map(between);
            tries.find(|list| list.len() <= most).unwrap_or_default()
        }
    }
}

fn panel(ask: &MarkingRequest<'_>, i: usize) -> Result<PanelMarking, SourceError> {
    let (grid, at, own) = (&ask.grids[i], &ask.layout.panels[i], &ask.colours.panels[i]);
    let marks: Vec<&PanelMark> = ask.frame.panels[i].marks.iter().collect();
    let levels = levels(ask, i);
    if marks.is_empty() && levels.is_empty() {
        return Ok(PanelMarking::default());
    }
    let (columns, rows) = (tiles(&at.columns), tiles(&at.rows));
    let sides = (columns.as_slice(), rows.as_slice());
    let selected = marks.iter().map(|mark| Selection::of(mark, grid, ask.stats[i], sides));
    let selected: Vec<Selection<'_>> = selected.collect();
    let n = columns.len();
    let mut found: Vec<(Marked, Borders)> =
        marks.iter().map(|mark| (Marked::default(), Borders::new(between(mark), n, MOST_PIECES))).collect();
    let mut lines: Vec<Borders> =
        levels.iter().map(|_| Borders::new(Between::Values, n, MOST_PIECES)).collect();
    let (mut is_on, mut classes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut failed = Ok(());
    walk(grid, &ask.folded[i], sides, &mut |at, row: TileRow<'_>| {
        values.clear();
        values.extend(columns.iter().map(|tile| row.shown(tile, ask.colours.reduce, own.centre)));
        for ((mark, selection), (found, borders)) in marks.iter().zip(&selected).zip(&mut found) {
            if failed.is_ok() {
                failed = selection.row(at, &row, grid, sides, &mut is_on);
            }
            found.count += is_on.iter().filter(|on| **on).count() as u64;
            if mark.style == MarkStyle::Outline {
                classes.clear();
                classes.extend(is_on.iter().map(|on| if *on { Class::Upper } else { Class::None }));
                borders.row(&classes);
                continue;
            }
            let room = MOST_TILES.saturating_sub(found.tiles.len());
            let on = is_on.iter().enumerate().filter(|(_, on)| **on);
            found.tiles.extend(on.take(room).map(|(column, _)| MarkedTile {
                row: at as u32,
                column: column as u32,
                value: values[column],
            }));
        }
        for ((level, _), line) in levels.iter().zip(&mut lines) {
            classes.clear();
            classes.extend(values.iter().map(|v| class(*v, *level)));
            line.row(&classes);
        }
    })?;
    failed?;
    let (line, n) = (ask.layout.line, levels.len());
    // Lines of noise would hide the cells that they part.
    let seen = |(pieces, count): (Vec<Piece>, u64), width: f64| {
        let is_dense = is_too_dense(&pieces, &columns, &rows, width + 2.0 * edge(line));
        (if is_dense { Vec::new() } else { pieces }, count)
    };
    let marks = marks.iter().zip(found).map(|(mark, (found, borders))| {
        let (outline, pieces) = seen(borders.finish(), outline_width(line));
        Marked {
            outline,
            pieces,
            census: ask.counts.then(|| Census::of(mark, grid, ask.stats[i])).flatten(),
            ..found
        }
    });
    let marks = marks.collect();
    let contours = levels.into_iter().zip(lines).enumerate();
    let contours = contours.map(|(k, ((level, label), line))| {
        let (pieces, count) = seen(line.finish(), level_width(k, n, ask.layout));
        Contour { level, label, pieces, count }
    });
    let contours = contours.collect();
    Ok(PanelMarking { columns, rows, marks, contours })
}

/// What outlines part: extremes are cells by themselves, however near to each other.
fn between(mark: &PanelMark) -> Between {
    if matches!(mark.cells, PanelCells::OfEach { .. }) { Between::Each } else { Between::Region }
}

/// Class of a value at a level: at the level is above it.
fn class(value: Option<Number>, level: f64) -> Class {
    let order = match value {
        // By far the most values, for which there is a quicker way.
        Some(Number::F64(v)) => v.partial_cmp(&level),
        value => value.and_then(|v| v.compare(Number::F64(level))),
    };
    match order {
        None => Class::None,
        Some(Ordering::Less) => Class::Lower,
        Some(_) => Class::Upper,
    }
}

/// The widest line of a level in widths of a tick; the lowest level has one.
const WIDEST: f64 = 2.2;
/// Cells of fewer pixels are seen as a field, not one by one.
const SEEN: f64 = 4.0;
/// The most of a cell that a line and its edges take, as a share.
const SHARE: f64 = 0.5;

/// The width of the light edge of lines and symbols; `line` is that of ticks.
pub fn edge(line: f64) -> f64 {
    (0.5 * line).round().max(1.0)
}

/// The width of the outline of marked cells; `line` is that of ticks.
pub fn outline_width(line: f64) -> f64 {
    (1.4 * line).round().max(1.0)
}

/// The width of the contour of a level, the lowest of this many first, without its light edges.
pub fn level_width(level: usize, levels: usize, layout: &Layout) -> f64 {
    let share = level as f64 / (levels.max(2) - 1) as f64;
    let wide = (layout.line * (1.0 + (WIDEST - 1.0) * share)).round();
    let sides = layout.panels.iter().flat_map(|p| [&p.columns, &p.rows]);
    let side = |table: &gridscope_core::view::EdgeTable| {
        f64::from(table.pixels()) / table.shown().len().max(1) as f64
    };
    let seen = sides.map(side).filter(|side| *side >= SEEN);
    let least = seen.fold(f64::MAX, f64::min);
    wide.min((SHARE * least - 2.0 * edge(layout.line)).floor()).max(1.0)
}

/// Places that are looked at along the width of a line, and across a window.
const PER_LINE: f64 = 2.0;
const PER_WINDOW: usize = 24;
/// The most places of a body, so that the work does not grow with the picture.
const MOST_PLACES: f64 = 4e6;
/// A window of which lines hide this share is crowded.
const CROWDED: f64 = 0.6;
/// Lines are too dense where this share of all windows is crowded.
const MOST_OF_BODY: f64 = 0.01;
/// Or this share of those that they pass.
const MOST_OF_LINE: f64 = 1.0 / 3.0;

/// Whether lines of this width in pixels, light edges included, hide more of the cells than they part.
fn is_too_dense(pieces: &[Piece], columns: &[Tile], rows: &[Tile], width: f64) -> bool {
    let (w, h) = (border(columns, u32::MAX), border(rows, u32::MAX));
    let step = (width / PER_LINE).max((w * h / MOST_PLACES).sqrt());
    let (nx, ny) = ((w / step).ceil() as usize, (h / step).ceil() as usize);
    if pieces.is_empty() || nx == 0 || ny == 0 {
        return false;
    }
    let mut hidden = vec![false; nx * ny];
    // The places whose middles lie between two pixels.
    let places = |from: f64, to: f64, n: usize| {
        let at = |x: f64| ((x / step - 0.5).ceil().max(0.0) as usize).min(n);
        at(from)..at(to)
    };
    let half = width / 2.0;
    for piece in pieces {
        let (across, along) = match piece.is_horizontal {
            true => (rows, columns),
            false => (columns, rows),
        };
        let at = border(across, piece.at);
        let (from, to) = (border(along, piece.along[0]), border(along, piece.along[1]));
        let (of_line, of_ends) = ((at - half, at + half), (from - half, to + half));
        let (x, y) = match piece.is_horizontal {
            true => (of_ends, of_line),
            false => (of_line, of_ends),
        };
        let columns = places(x.0, x.1, nx);
        for row in places(y.0, y.1, ny) {
            hidden[row * nx..][columns.clone()].fill(true);
        }
    }
    let (mut windows, mut passed, mut crowded) = (0u64, 0u64, 0u64);
    // Windows of about one size: a line fills the sliver that would be left at an end.
    let windows_of = |n: usize| {
        let most = ((n + PER_WINDOW / 2) / PER_WINDOW).max(1);
        (0..most).map(move |i| (i * n / most, (i + 1) * n / most))
    };
    for (top, bottom) in windows_of(ny) {
        for (left, right) in windows_of(nx) {
            let row = |y: usize| hidden[y * nx..][left..right].iter().filter(|on| **on).count();
            let found: usize = (top..bottom).map(row).sum();
            let all = (bottom - top) * (right - left);
            windows += 1;
            passed += u64::from(found > 0);
            crowded += u64::from(found as f64 >= CROWDED * all as f64);
        }
    }
    let crowded = crowded as f64;
    crowded > MOST_OF_BODY * windows as f64 || crowded > MOST_OF_LINE * passed as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marking::tiles::{Between, Borders, Class, tiles};
    use gridscope_core::view::EdgeTable;

    /// Whether the line around the cells that are on is too dense, each of this many pixels.
    fn dense(n: usize, cell: u32, width: f64, is_on: impl Fn(usize, usize) -> bool) -> bool {
        let side = tiles(&EdgeTable::fit(n as u32, n as u32 * cell));
        let mut borders = Borders::new(Between::Values, n, usize::MAX);
        for y in 0..n {
            let class = |x: usize| if is_on(x, y) { Class::Upper } else { Class::Lower };
            borders.row(&(0..n).map(class).collect::<Vec<_>>());
        }
        is_too_dense(&borders.finish().0, &side, &side, width)
    }

    #[test]
    fn noise_is_dense_and_smooth_lines_are_not() {
        let noise = |x: usize, y: usize| (x * 7919 + y * 104_729 + x * y * 31) % 7 < 3;
        for n in [40, 400, 900] {
            let middle = n as f64 / 2.0;
            let far = |x: usize, y: usize| (x as f64 - middle).hypot(y as f64 - middle);
            assert!(dense(n, 1, 4.0, noise), "{n}");
            // A circle on pixels is a staircase.
            assert!(!dense(n, 1, 4.0, |x, y| far(x, y) < 0.4 * middle), "{n}");
            // Noise along a circle.
            let is_ring = |x: usize, y: usize| (far(x, y) - 0.5 * middle).abs() < 0.15 * middle;
            assert!(n == 40 || dense(n, 1, 4.0, |x, y| is_ring(x, y) && noise(x, y)), "{n}");
        }
        assert!(!dense(10, 40, 4.0, noise));
        // A straight line at the end of a body that is not a multiple of windows.
        assert!(!dense(50, 1, 4.0, |x, _| x < 49));
        assert!(!dense(10, 40, 4.0, |x, y| (x + y) % 2 == 0));
        assert!(dense(100, 4, 4.0, |x, y| (x + y) % 2 == 0));
        assert!(!dense(100, 4, 4.0, |_, _| true));
        // A single cell of a few pixels.
        assert!(!dense(300, 2, 4.0, |x, y| (x, y) == (100, 100)));
    }
}
