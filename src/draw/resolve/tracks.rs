//! Tracks: narrow rectangles beside every body, aligned with its cells, such as side strips.

use super::bars::{BarFrame, PERCENT, in_percent};
use super::error::ResolveError;
use super::strip::StripFrame;
use super::track_side::TrackSide;
use gridscope_core::figure::{Figure, MarginForm, MarginStat, OnOff};
use gridscope_core::grid::{Grid, MarginRequest};

/// Kind of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// The categories or numbers of a strip, by its place among those of the figure.
    Strip(usize),
    /// The tree of clustered rows or columns.
    Tree {
        /// It is beside the rows.
        of_rows: bool,
    },
    /// Numbers of whole rows or columns.
    Margin(MarginTrack),
}

/// A margin beside the rows, or over the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginTrack {
    /// It is beside the rows.
    pub of_rows: bool,
    /// Statistic of each row or column.
    pub stat: MarginStat,
    /// How it looks.
    pub form: MarginForm,
    /// The numbers of its axis are multiples of this power of ten.
    pub power: i32,
}

/// A track beside every body. Axes and texts alone decide which there are, so that no value of a cell moves a body.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackFrame {
    /// Where it lies. The tracks of a side are listed from the body outwards.
    pub side: TrackSide,
    /// Kind.
    pub kind: TrackKind,
    /// Em between it and the body, or the track before it.
    pub gap: f64,
    /// Its own em across the side.
    pub depth: f64,
    /// The em that it takes with all distances to what surrounds it.
    pub room: f64,
    /// Where the tracks of a direction would take more than their share of the body, this one is narrower.
    pub shrinks: bool,
    /// Its name: left of a track over the body, over a track beside it.
    pub title: String,
    /// It has an axis of its own, whose numbers are between it and its title.
    pub has_axis: bool,
}

/// The tracks of a figure, those of one side from the body outwards.
///
/// # Errors
/// A margin of more rows or columns than are summed up one by one.
pub(super) fn tracks(
    figure: &Figure,
    grids: &[Grid],
    bars: &[BarFrame],
    strips: &[StripFrame],
) -> Result<Vec<TrackFrame>, ResolveError> {
    let mut out: Vec<TrackFrame> = strips.iter().enumerate().map(of_strip).collect();
    for of_rows in [true, false] {
        let axis = |grid: &Grid| {
            let axis = if of_rows { grid.rows() } else { grid.columns() };
            axis.tree.is_some()
        };
        if figure.cluster.dendrogram != Some(OnOff::Off) && grids.iter().any(axis) {
            out.push(of_tree(of_rows));
        }
    }
    // A power of ten that values give has no room in a margin's title.
    let are_shares = !bars.is_empty() && bars.iter().all(|bar| bar.numbers.power == PERCENT);
    for margin in figure.margin.iter().flat_map(|list| &list.0) {
        for of_rows in [true, false].into_iter().filter(|rows| margin.covers(*rows)) {
            let lines = |g: &Grid| if of_rows { g.height() } else { g.width() };
            let most = grids.iter().map(lines).max().unwrap_or(0);
            if most > MarginRequest::MOST_LINES {
                let (what, flag) = if of_rows { ("rows", "rows") } else { ("columns", "cols") };
                let limit = MarginRequest::MOST_LINES;
                return Err(ResolveError::Limit {
                    key: "margin",
                    what: format!("'{margin}': {most} {what} are more than {limit}"),
                    hint: format!("--{flag} 0:{limit}"),
                });
            }
            let of = MarginTrack {
                of_rows,
                stat: margin.stat,
                form: margin.shape(),
                power: if are_shares && margin.stat != MarginStat::Count { PERCENT } else { 0 },
            };
            out.push(of_margin(of));
        }
    }
    Ok(out)
}

/// Request of these tracks to a pass.
pub fn margin_request(tracks: &[TrackFrame]) -> MarginRequest {
    let mut out = MarginRequest::default();
    for track in tracks {
        if let TrackKind::Margin(margin) = track.kind {
            out.rows |= margin.of_rows;
            out.columns |= !margin.of_rows;
            out.spread |= margin.stat == MarginStat::Std;
        }
    }
    out
}

fn of_margin(margin: MarginTrack) -> TrackFrame {
    let is_strip = margin.form == MarginForm::Strip;
    let title = match (margin.stat, margin.form) {
        (MarginStat::Std, MarginForm::Line) => "mean ±\u{a0}std".to_owned(),
        (MarginStat::MinMax, _) => "min to max".to_owned(),
        (stat, _) => stat.word().to_owned(),
    };
    let (gap, depth, room) = if is_strip { (0.3, 0.95, 1.35) } else { (0.6, 3.6, 4.8) };
    TrackFrame {
        side: if margin.of_rows { TrackSide::Right } else { TrackSide::Top },
        kind: TrackKind::Margin(margin),
        gap,
        depth,
        room,
        shrinks: !is_strip,
        title: if !is_strip && margin.power == PERCENT { in_percent(title) } else { title },
        has_axis: !is_strip,
    }
}

fn of_strip((place, strip): (usize, &StripFrame)) -> TrackFrame {
    TrackFrame {
        side: strip.side,
        kind: TrackKind::Strip(place),
        gap: 0.2,
        depth: 0.65,
        room: 0.95,
        shrinks: false,
        title: String::new(),
        has_axis: false,
    }
}

/// Trees are on the sides without labels.
fn of_tree(of_rows: bool) -> TrackFrame {
    TrackFrame {
        side: if of_rows { TrackSide::Right } else { TrackSide::Top },
        kind: TrackKind::Tree { of_rows },
        gap: 0.2,
        depth: 3.6,
        room: 4.2,
        shrinks: true,
        title: String::new(),
        has_axis: false,
    }
}
