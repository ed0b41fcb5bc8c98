//! The sizes of a page: its grid of panels, and the room around them.

use super::measure::{BAR, BarTexts, Entry, Fonts, LEADING, Level, bar_width, block};
use super::sharing::Sharing;
use super::tick_set::TickSet;
use crate::resolve::Frame;
use crate::view::EdgeTable;
use std::sync::Arc;

/// The grid of panels of a page and the room around each, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub fonts: Fonts,
    pub columns: usize,
    pub width: f64,
    pub height: f64,
    pub margin: f64,
    /// Lines of the figure's title.
    pub title: Vec<String>,
    /// Lines of the user's note, and empty ones that are reserved.
    pub notes: Vec<String>,
    pub legend: Vec<Vec<Entry>>,
    /// Width and height of the largest body.
    pub slot: (u32, u32),
    pub panels: Vec<PanelPage>,
    /// Which of them have equal axes.
    pub sharing: Arc<Sharing>,
    /// Room left of each body: labels, group headers, strip.
    pub left: f64,
    /// Room right of each body: its own bar, overhanging labels.
    pub right: f64,
    /// Room over each body: its title.
    pub above: f64,
    /// Room under each body of the last row: labels, headers, strip, its own bar.
    pub below: f64,
    /// The same under bodies with another panel below.
    pub below_inner: f64,
    pub gap: (f64, f64),
    /// Lines of the axis titles.
    pub y_title: Vec<String>,
    pub x_title: Vec<String>,
    /// Lines of each panel's title.
    pub panel_titles: Vec<Vec<String>>,
    /// Texts of each scale's bar.
    pub bars: Vec<BarTexts>,
    /// Extra height of each row of panels, for long upright titles.
    pub pad: f64,
    pub bars_right: f64,
    pub bars_below: f64,
    /// Height of the bar under each body, if each has one.
    pub own_bar: f64,
    /// Whether there are bars at the right, of all bodies or of each.
    pub right_bars: bool,
    /// The part of the gap between bodies that tick labels need.
    pub overhang: f64,
}

/// The tables and labels of a panel.
#[derive(Clone, Debug)]
pub(super) struct PanelPage {
    pub columns: EdgeTable,
    pub rows: EdgeTable,
    pub x: TickSet,
    pub y: TickSet,
    /// The outer levels, from the outermost.
    pub x_headers: Vec<Level>,
    pub y_headers: Vec<Level>,
    pub shows_x: bool,
    pub shows_y: bool,
}

impl Page {
    pub(super) fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns)
    }

    /// Height of the title's block.
    pub(super) fn title_height(&self) -> f64 {
        if self.title.is_empty() {
            0.0
        } else {
            self.title.len() as f64 * LEADING * self.fonts.title + 0.5 * self.fonts.tick
        }
    }

    pub(super) fn legend_height(&self) -> f64 {
        if self.legend.is_empty() {
            0.0
        } else {
            (self.legend.len() as f64 * 1.5 + 0.1) * self.fonts.tick
        }
    }

    pub(super) fn notes_height(&self) -> f64 {
        if self.notes.is_empty() {
            0.0
        } else {
            self.notes.len() as f64 * LEADING * self.fonts.note + 0.5 * self.fonts.tick
        }
    }

    /// Width of everything but bodies.
    pub(super) fn around_x(&self) -> f64 {
        let c = self.columns as f64;
        let each = if self.shows_left_each() { c } else { 1.0 };
        let margins = self.margin + self.right_margin();
        margins
            + self.y_depth()
            + self.left * each
            + self.right * c
            + self.gap.0 * (c - 1.0)
            + self.bars_right
    }

    /// Height of everything but bodies.
    pub(super) fn around_y(&self) -> f64 {
        let r = self.rows() as f64;
        2.0 * self.margin
            + self.title_height()
            + (self.above + self.pad) * r
            + self.below
            + self.below_inner * (r - 1.0)
            + self.gap.1 * (r - 1.0)
            + self.x_depth()
            + self.bars_below
            + self.legend_height()
            + self.notes_height()
    }

    /// Whether every column of panels has labels at its left.
    pub(super) fn shows_left_each(&self) -> bool {
        self.panels
            .iter()
            .enumerate()
            .any(|(i, p)| p.shows_y && i % self.columns > 0)
    }

    /// All sizes that rounds of fitting change; equal sizes end the rounds.
    pub(super) fn room(&self) -> [f64; 16] {
        let slot = (f64::from(self.slot.0), f64::from(self.slot.1));
        let lines = (self.y_depth(), self.x_depth(), self.notes.len() as f64);
        [
            self.left,
            self.right,
            self.above,
            self.below,
            self.below_inner,
            self.gap.0,
            self.gap.1,
            self.pad,
            self.bars_right,
            self.bars_below,
            self.own_bar,
            slot.0,
            slot.1,
            lines.0,
            lines.1,
            lines.2,
        ]
    }

    /// Grows each room to at least its size in the round before.
    pub(super) fn grow_to(&mut self, before: &Page) {
        for (now, then) in [
            (&mut self.left, before.left),
            (&mut self.right, before.right),
            (&mut self.above, before.above),
            (&mut self.below, before.below),
            (&mut self.below_inner, before.below_inner),
            (&mut self.gap.0, before.gap.0),
            (&mut self.pad, before.pad),
            (&mut self.bars_right, before.bars_right),
            (&mut self.bars_below, before.bars_below),
        ] {
            *now = now.max(then);
        }
    }

    /// Height of one row of panels without its gap.
    pub(super) fn row_height(&self, row: usize) -> f64 {
        let below = if row + 1 == self.rows() {
            self.below
        } else {
            self.below_inner
        };
        self.above + self.pad + f64::from(self.slot.1) + below
    }

    /// Width of the y axis' title.
    pub(super) fn y_depth(&self) -> f64 {
        block(self.y_title.len(), 0.45, self.fonts.axis)
    }

    /// Height of the x axis' title.
    pub(super) fn x_depth(&self) -> f64 {
        block(self.x_title.len(), 0.35, self.fonts.axis)
    }

    /// The right margin. It is narrow beside bars, whose room for labels is seldom used up.
    pub(super) fn right_margin(&self) -> f64 {
        if self.right_bars {
            0.4 * self.margin
        } else {
            self.margin
        }
    }

    /// How far titles over and under a body may extend beyond its sides.
    pub(super) fn reach(&self) -> f64 {
        // Less than the distance from a body to its tick labels.
        (0.45 * (self.gap.0 - self.overhang)).clamp(0.0, 0.45 * self.fonts.tick)
    }

    /// The width of the widest bar beside a body.
    pub(super) fn widest_bar(&self, frame: &Frame) -> f64 {
        (0..frame.bars.len())
            .map(|b| bar_width(frame, &self.fonts, b, &self.bars[b]))
            .fold(0.0, f64::max)
    }

    /// Height of all rows of panels, without the x axis' title.
    pub(super) fn rows_height(&self) -> f64 {
        let r = self.rows();
        (0..r).map(|row| self.row_height(row)).sum::<f64>() + self.gap.1 * (r - 1) as f64
    }

    /// The most pixels of the titles of the y axis and of shared bars.
    pub(super) fn upright_room(&self) -> f64 {
        self.rows_height() + self.x_depth() + self.bars_below
    }

    /// The most pixels of the title of the x axis: from the title of the y axis to those of bars.
    pub(super) fn x_title_room(&self) -> f64 {
        self.content_width() - self.margin - self.right_margin() - self.y_depth() - self.bars_right
            + self.beside_bars()
    }

    /// The part of the bars at the right that the title of the x axis may run under: gap and ramp.
    pub(super) fn beside_bars(&self) -> f64 {
        if self.right_bars && self.bars_right > 0.0 {
            (0.9 + BAR) * self.fonts.tick
        } else {
            0.0
        }
    }

    /// The height of the whole content.
    pub(super) fn content_height(&self) -> f64 {
        self.around_y() + f64::from(self.slot.1) * self.rows() as f64
    }

    /// The width of the whole content.
    pub(super) fn content_width(&self) -> f64 {
        self.around_x() + f64::from(self.slot.0) * self.columns as f64
    }
}
