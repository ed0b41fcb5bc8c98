//! Colour bars, placed beside or under bodies.

use super::measure::{BAR, LEADING, LINE, bar_each, bar_height, bar_width};
use super::page::BAR_TITLE_GAP;
use super::plan::Sheet;
use super::{BarLayout, Label};
use crate::resolve::with_unit;
use gridscope_core::figure::BarPlace;
use gridscope_core::geom::{Point, PxRect, Rect};

impl Sheet<'_> {
    /// Places a bar beside `body`; its title may be as long as `along`.
    pub(super) fn vertical_bar(&mut self, b: usize, x: f64, body: &Rect, along: &Rect) {
        let (f, texts, font) = (self.f, &self.page.bars[b], self.page.fonts.axis);
        let (lines, unit) = self.titled(b, along);
        let length = (body.h * self.frame.bars[b].shrink).max((4.0 * f).min(body.h));
        let rect = PxRect {
            x: (x + 0.9 * f).round() as i32,
            y: (body.center().y - length / 2.0).round() as i32,
            w: (BAR * f).round().max(2.0) as u32,
            h: length.round().max(1.0) as u32,
        };
        let label = lines
            .into_iter()
            .enumerate()
            .map(|(i, line)| {
                let y = self.upright(&line, font, body.center().y, along);
                let x = rect.rect().right() + 0.5 * f + (0.4 + 0.8 + i as f64 * LEADING) * font;
                Label { text: line, font_size: font, at: Point { x, y }, degrees: 90 }
            })
            .collect();
        self.layout.bars[b] = Some(BarLayout {
            rect,
            horizontal: false,
            room: texts.room,
            label,
            unit,
            aligned: bar_each(self.frame),
            held: None,
        });
    }

    /// The lines of the title of a vertical bar with the unit of its numbers, which stays apart where there is no title or it
    /// would be longer than `along`: no unit takes room from bodies.
    fn titled(&mut self, b: usize, along: &Rect) -> (Vec<String>, String) {
        let (unit, mut lines) = (self.frame.bars[b].unit.clone(), self.page.bars[b].label.clone());
        if let Some(last) = lines.last_mut() {
            let whole = with_unit(last, &unit);
            if self.m.size(&whole, self.page.fonts.axis).width <= along.h {
                *last = whole;
                return (lines, String::new());
            }
        }
        (lines, unit)
    }

    /// Places a bar under `body`; its labels and counts stay between the two pixels of `within`.
    pub(super) fn horizontal_bar(&mut self, b: usize, top: f64, body: &Rect, within: (f64, f64)) {
        let (f, bar, texts) = (self.f, &self.frame.bars[b], &self.page.bars[b]);
        let free = 2.0 * (body.center().x - within.0).min(within.1 - body.center().x);
        // Counts of clipped cells are beside the pointed ends.
        let sides = if bar.clips { 2.0 * (texts.room + 0.4 * f) } else { 0.0 };
        let length = (body.w * 0.8).max((12.0 * f).min(body.w)) * bar.shrink;
        let length = length.min((free - sides).max(4.0 * f)).round();
        let rect = PxRect {
            x: (body.center().x - length / 2.0).round() as i32,
            y: (top + 0.9 * f).round() as i32,
            w: length.max(1.0) as u32,
            h: (0.9 * f).round().max(2.0) as u32,
        };
        let font = self.page.fonts.axis;
        self.centered(
            &texts.label,
            font,
            body.center().x,
            rect.rect().bottom() + (0.5 + LINE) * f + font,
            within,
        );
        self.layout.bars[b] = Some(BarLayout {
            rect,
            horizontal: true,
            room: ((free - length) / 2.0).max(0.0),
            label: Vec::new(),
            unit: String::new(),
            aligned: true,
            held: None,
        });
    }

    /// Places the title that the bars of all panels have in common, beyond the last bar.
    fn common_title(&mut self, all: &Rect, along: &Rect) {
        let (p, font) = (self.page, self.page.fonts.axis);
        if !self.frame.bars[0].place.is_drawn() {
            return;
        }
        let start = all.right() + p.right[p.columns - 1];
        for (i, line) in p.bar_title.iter().enumerate() {
            let y = self.upright(line, font, all.center().y, along);
            self.text(line, font, start + (BAR_TITLE_GAP + 0.8 + i as f64 * LEADING) * font, y, 90);
        }
    }

    /// Places the bars of all panels, beside or under the bodies `all`; where each panel has its own, their common title.
    pub(super) fn shared_bars(&mut self, all: &Rect, along: &Rect, below: f64) {
        if bar_each(self.frame) {
            self.common_title(all, along);
            return;
        }
        let (mut x, mut y) = (all.right() + self.page.right[self.page.columns - 1], below);
        for b in 0..self.frame.bars.len() {
            match self.frame.bars[b].place {
                place if place.is_right() => {
                    if place.is_drawn() {
                        self.vertical_bar(b, x, all, along);
                    }
                    x += bar_width(self.frame, &self.page.fonts, b, &self.page.bars[b]);
                }
                BarPlace::Bottom => {
                    let inner = self.inner();
                    self.horizontal_bar(b, y, all, inner);
                    y += bar_height(self.frame, &self.page.fonts, b, &self.page.bars[b]);
                }
                _ => {}
            }
        }
    }
}
