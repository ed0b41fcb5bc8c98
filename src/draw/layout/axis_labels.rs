//! The labels beside a body: side strip, tick labels and group headers.

use super::measure::{LEADING, tick_gap};
use super::page::PanelPage;
use super::panel_view::group_extent;
use super::sheet::Sheet;
use super::tick_set::{LEADING as LABEL_LEADING, Tick};
use crate::resolve::{StripFrame, TrackSide};
use gridscope_core::geom::{Point, Rect};
use gridscope_core::text::CAP_HEIGHT;
use gridscope_core::view::EdgeTable;
use std::f64::consts::FRAC_1_SQRT_2;

/// The part of a stretch of an axis that is on the body.
fn on_body((a, b): (f64, f64), table: &EdgeTable) -> (f64, f64) {
    (a.max(0.0), b.min(f64::from(table.pixels())))
}

impl Sheet<'_> {
    /// Fills the track of a strip.
    pub(super) fn strip(&mut self, i: usize, panel: &PanelPage, strip: &StripFrame, at: &Rect) {
        let (axis, table) = if strip.along_x {
            (&self.frame.panels[i].columns, &panel.columns)
        } else {
            (&self.frame.panels[i].rows, &panel.rows)
        };
        for (k, category) in axis.strips.get(strip.place).into_iter().flatten().enumerate() {
            let Some(color) = strip.color(category) else {
                continue;
            };
            let (a, b) = on_body(table.extent(k), table);
            if a >= b {
                continue;
            }
            let rect = if strip.along_x {
                Rect::new((at.x + a).round(), at.y, (b - a).round(), at.h)
            } else {
                Rect::new(at.x, (at.y + a).round(), at.w, (b - a).round())
            };
            self.layout.rects.push((rect, color));
        }
    }

    /// Places the lines of a label under an axis: `cx` is the pixel of its tick, and its room begins at `top`.
    fn x_label(&mut self, t: &Tick, font: f64, degrees: i32, cx: f64, top: f64) {
        let half_cap = CAP_HEIGHT * font / 2.0;
        for (k, line) in t.text.split('\n').enumerate() {
            let w = self.m.size(line, font).width;
            let down = k as f64 * LABEL_LEADING * font;
            match degrees {
                0 => self.text(line, font, cx - w / 2.0, top + 0.8 * font + down, 0),
                90 => {
                    let x = cx + half_cap - t.leading() * font / 2.0 + down;
                    self.text(line, font, x, top + w, 90);
                }
                d => {
                    let c = FRAC_1_SQRT_2;
                    let end = Point { x: cx + (half_cap + down) * c, y: top + (2.0 * half_cap + down) * c };
                    self.text(line, font, end.x - w * c, end.y + w * c, d);
                }
            }
        }
    }

    pub(super) fn x_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let top = r.bottom() + self.track_room(TrackSide::Bottom);
        let ink = self.frame.palette.ink;
        for t in &panel.x.ticks {
            let cx = r.x + t.at;
            let mark = Rect::new((cx - self.line / 2.0).round(), top, self.line, (0.25 * f).round());
            self.layout.rects.push((mark, ink));
            self.x_label(t, panel.x.font, panel.x.degrees, cx, top + tick_gap(f));
        }
        let mut y = top + if panel.x.ticks.is_empty() { 0.0 } else { panel.x.depth() + tick_gap(f) };
        for level in panel.x_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(group_extent(&panel.columns, &h.cells), &panel.columns);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 && !level.is_title {
                    let bracket =
                        Rect::new((r.x + a + self.line).round(), (y + 0.3 * f).round(), long, self.line);
                    self.layout.rects.push((bracket, ink));
                }
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.x + f64::midpoint(a, b);
                    if level.across {
                        self.text(line, f, middle + CAP_HEIGHT * f / 2.0, y + 0.6 * f + w, 90);
                    } else {
                        self.text(line, f, middle - w / 2.0, y + (0.45 + 0.85 + k as f64 * LEADING) * f, 0);
                    }
                }
            }
            y += level.depth;
        }
    }

    pub(super) fn y_labels(&mut self, panel: &PanelPage, r: &Rect) {
        let f = self.f;
        let right = r.x - self.track_room(TrackSide::Left);
        let ink = self.frame.palette.ink;
        for t in &panel.y.ticks {
            let cy = r.y + t.at;
            let long = (0.25 * f).round();
            let mark = Rect::new(right - long, (cy - self.line / 2.0).round(), long, self.line);
            self.layout.rects.push((mark, ink));
            let (font, lines) = (panel.y.font, t.text.split('\n'));
            let first = cy + CAP_HEIGHT * font / 2.0 - t.leading() * font / 2.0;
            for (k, line) in lines.enumerate() {
                let w = self.m.size(line, font).width;
                let y = first + k as f64 * LABEL_LEADING * font;
                self.text(line, font, right - tick_gap(f) - w, y, 0);
            }
        }
        let mut x = right - if panel.y.ticks.is_empty() { 0.0 } else { panel.y.width() + tick_gap(f) };
        for level in panel.y_headers.iter().rev() {
            for h in &level.headers {
                let (a, b) = on_body(group_extent(&panel.rows, &h.cells), &panel.rows);
                let long = (b - a - 2.0 * self.line).round();
                if long >= 1.0 && !level.is_title {
                    let bracket =
                        Rect::new((x - 0.3 * f).round(), (r.y + a + self.line).round(), self.line, long);
                    self.layout.rects.push((bracket, ink));
                }
                let lines = h.lines.len() as f64;
                for (k, line) in h.lines.iter().enumerate() {
                    let w = self.m.size(line, f).width;
                    let middle = r.y + f64::midpoint(a, b);
                    if level.across {
                        self.text(line, f, x - 0.6 * f - w, middle + CAP_HEIGHT * f / 2.0, 0);
                    } else {
                        let baseline = x - (0.45 + 0.3 + (lines - 1.0 - k as f64) * LEADING) * f;
                        self.text(line, f, baseline, middle + w / 2.0, 90);
                    }
                }
            }
            x -= level.depth;
        }
    }
}
