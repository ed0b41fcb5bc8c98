//! Tracks: narrow rectangles beside every body, aligned with its cells, such as side strips.

use super::strip::StripFrame;

/// A side of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackSide {
    /// Aligned with the rows, before the row labels.
    Left,
    /// Aligned with the rows, before the colour bar.
    Right,
    /// Aligned with the columns, under the panel's title.
    Top,
    /// Aligned with the columns, before the column labels.
    Bottom,
}

impl TrackSide {
    /// Its place among all.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether tracks of this side run along the columns.
    pub fn is_along_x(self) -> bool {
        matches!(self, Self::Top | Self::Bottom)
    }
}

/// What a track shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// The categories of the strip.
    Strip,
}

/// A track beside every body. Axes and texts alone decide which there are, so that no value of a cell moves a body.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackFrame {
    /// Where it lies. The tracks of a side are listed from the body outwards.
    pub side: TrackSide,
    /// What it shows.
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
pub(super) fn tracks(strip: Option<&StripFrame>) -> Vec<TrackFrame> {
    strip.map(of_strip).into_iter().collect()
}

fn of_strip(strip: &StripFrame) -> TrackFrame {
    TrackFrame {
        side: if strip.along_x {
            TrackSide::Bottom
        } else {
            TrackSide::Left
        },
        kind: TrackKind::Strip,
        gap: 0.2,
        depth: 0.65,
        room: 0.95,
        shrinks: false,
        title: String::new(),
        has_axis: false,
    }
}
