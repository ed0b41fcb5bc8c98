//! The marked tiles and the contours of each panel.

use super::borders::{Between, Borders, Class, Piece};
use super::census::Census;
use super::density::is_too_dense;
use super::pen::{edge, level_width, outline_width};
use super::selection::Selection;
use super::tiles::{Tile, tiles};
use super::walk::{TileRow, walk};
use crate::layout::Layout;
use crate::resolve::{Colours, Folded, Frame, PanelMark};
use gridscope_core::figure::{Contours, MarkStyle};
use gridscope_core::grid::{Grid, Number, SourceError, Stats};
use gridscope_core::scale::{norm_ticks, short, typeset};
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

/// A marked tile: its row, its column, and what it shows.
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

/// Finds what is marked on each panel.
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
                inner.map(|tick| (tick.value, typeset(&tick.label))).collect()
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
        marks.iter().map(|_| (Marked::default(), Borders::new(Between::Region, n, MOST_PIECES))).collect();
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
