//! A page during its layout, and the placing of lines of text.

use super::body_range::BodyRange;
use super::page::Page;
use super::{Label, Layout, measure::LEADING};
use crate::resolve::Frame;
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::Measure;

/// A page during its layout.
pub(super) struct Sheet<'a> {
    pub frame: &'a Frame,
    pub page: &'a Page,
    /// The bodies that each panel may have.
    pub ranges: &'a [BodyRange],
    /// Size of tick labels in pixels.
    pub f: f64,
    /// Thickness of ticks in pixels.
    pub line: f64,
    pub m: &'a mut dyn Measure,
    pub layout: Layout,
}

impl Sheet<'_> {
    /// Places a text, unless it is empty.
    pub(super) fn text(&mut self, text: &str, font_size: f64, x: f64, y: f64, degrees: i32) {
        if !text.is_empty() {
            self.layout.texts.push(Label { text: text.to_owned(), font_size, at: Point { x, y }, degrees });
        }
    }

    /// Places lines of text centred at `cx` but within `from..to`; the first baseline is at `y`.
    pub(super) fn centered(&mut self, lines: &[String], font: f64, cx: f64, y: f64, (from, to): (f64, f64)) {
        for (i, line) in lines.iter().enumerate() {
            let w = self.m.size(line, font).width;
            let x = (cx - w / 2.0).min(to - w).max(from);
            self.text(line, font, x, y + i as f64 * LEADING * font, 0);
        }
    }

    /// The left and the right end of the canvas between its margins.
    pub(super) fn inner(&self) -> (f64, f64) {
        (self.page.margin, self.page.width - self.page.margin)
    }

    /// The start of an upright line that is centred at `cy` but within `along`.
    pub(super) fn upright(&mut self, line: &str, font: f64, cy: f64, along: &Rect) -> f64 {
        let w = self.m.size(line, font).width;
        (cy + w / 2.0).min(along.bottom()).max(along.y + w)
    }
}
