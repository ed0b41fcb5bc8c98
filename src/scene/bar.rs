//! A colour bar: its ramp, pointed ends with their counts, and tick labels.

use super::Item;
use crate::color::Color;
use crate::geom::{Point, PxRect, Rect};
use crate::layout::BarLayout;
use crate::resolve::{Bar, Frame};
use crate::scale::norm_ticks;
use crate::text::{CAP_HEIGHT, Measure};

/// Length of a pointed end as a share of the font size.
const TIP: f64 = 1.1;

/// Paints one bar.
pub(super) fn bar(frame: &Frame, at: &BarLayout, bar: &Bar, line: f64, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let mut p = Painter { f: frame.font_size, least: frame.least_font, ink: frame.palette.ink, at, line, m, items };
    if bar.empty {
        p.empty();
        return;
    }
    let tip = (TIP * p.f).round();
    let (low, high) = (if bar.below > 0 { tip } else { 0.0 }, if bar.above > 0 { tip } else { 0.0 });
    let ramp = p.ramp(low, high);
    p.items.push(Item::Ramp { rect: ramp, scale: bar.scale.clone(), horizontal: at.horizontal });
    let lut = bar.scale.lut();
    p.pointed(&ramp, low, false, lut[0], bar.below);
    p.pointed(&ramp, high, true, lut[lut.len() - 1], bar.above);
    p.ticks(&ramp.rect(), bar);
}

struct Painter<'a> {
    f: f64,
    least: f64,
    ink: Color,
    at: &'a BarLayout,
    line: f64,
    m: &'a mut dyn Measure,
    items: &'a mut Vec<Item>,
}

impl Painter<'_> {
    fn text(&mut self, text: String, font_size: f64, x: f64, y: f64) {
        self.items.push(Item::Text { text, font_size, at: Point { x, y }, degrees: 0, color: self.ink });
    }

    fn rect(&mut self, rect: Rect) {
        self.items.push(Item::Rect { rect, color: self.ink });
    }

    /// Where tick labels of a vertical bar begin.
    fn beside(&self) -> f64 {
        self.at.rect.rect().right() + 0.5 * self.f
    }

    fn empty(&mut self) {
        let r = self.at.rect.rect();
        let w = self.m.size("no data", self.f).width;
        let (x, y) = if self.at.horizontal {
            (r.center().x - w / 2.0, r.bottom() + 1.3 * self.f)
        } else {
            (self.beside(), r.center().y + CAP_HEIGHT * self.f / 2.0)
        };
        for (dx, dy, w, h) in [(0.0, 0.0, r.w, self.line), (0.0, r.h - self.line, r.w, self.line), (0.0, 0.0, self.line, r.h), (r.w - self.line, 0.0, self.line, r.h)] {
            self.rect(Rect::new(r.x + dx, r.y + dy, w, h));
        }
        self.text("no data".to_owned(), self.f, x, y);
    }

    fn ramp(&self, low: f64, high: f64) -> PxRect {
        let r = self.at.rect;
        let (low, high) = (low as u32, high as u32);
        if self.at.horizontal {
            PxRect { x: r.x + low as i32, w: r.w.saturating_sub(low + high).max(1), ..r }
        } else {
            PxRect { y: r.y + high as i32, h: r.h.saturating_sub(low + high).max(1), ..r }
        }
    }

    fn pointed(&mut self, ramp: &PxRect, tip: f64, high: bool, color: Color, count: u64) {
        if count == 0 {
            return;
        }
        let r = ramp.rect();
        let p = |x: f64, y: f64| Point { x, y };
        let points = match (self.at.horizontal, high) {
            (true, true) => vec![p(r.right(), r.y), p(r.right() + tip, r.center().y), p(r.right(), r.bottom())],
            (true, false) => vec![p(r.x, r.y), p(r.x - tip, r.center().y), p(r.x, r.bottom())],
            (false, true) => vec![p(r.x, r.y), p(r.center().x, r.y - tip), p(r.right(), r.y)],
            (false, false) => vec![p(r.x, r.bottom()), p(r.center().x, r.bottom() + tip), p(r.right(), r.bottom())],
        };
        self.items.push(Item::Polygon { points, color });
        let text = format!("{} {}", amount(count), if high { "above" } else { "below" });
        let font = (0.85 * self.f).max(self.least);
        let w = self.m.size(&text, font).width;
        let half = CAP_HEIGHT * font / 2.0;
        let (x, y) = match (self.at.horizontal, high) {
            (true, true) => (r.right() + tip + 0.4 * self.f, r.center().y + half),
            (true, false) => (r.x - tip - 0.4 * self.f - w, r.center().y + half),
            // A line away from the tick at the limit.
            (false, true) => (self.beside(), r.y - self.f.max(tip - 0.1 * self.f) + half),
            (false, false) => (self.beside(), r.bottom() + self.f.max(tip - 0.1 * self.f) + half),
        };
        self.text(text, font, x, y);
    }

    fn ticks(&mut self, r: &Rect, bar: &Bar) {
        let spec = bar.scale.spec();
        let length = if self.at.horizontal { r.w } else { r.h };
        let most = ((length / (1.9 * self.f)) as usize).clamp(2, 9);
        let (t0, t1) = bar.scale.span();
        let long = (0.2 * self.f).round();
        for count in (1..=most).rev() {
            let ticks: Vec<(f64, String, f64)> = norm_ticks(&spec.norm, spec.vmin, spec.vmax, count)
                .into_iter()
                .map(|t| {
                    let at = if t1 > t0 { (spec.norm.t(t.value, spec.vmin, spec.vmax, spec.map.entries.len()) - t0) / (t1 - t0) } else { 0.5 };
                    let w = self.m.size(&t.label, self.f).width;
                    (at.clamp(0.0, 1.0), t.label, w)
                })
                .collect();
            let apart = ticks.windows(2).all(|p| {
                let need = if self.at.horizontal { (p[0].2 + p[1].2) / 2.0 + 0.6 * self.f } else { 1.2 * self.f };
                (p[1].0 - p[0].0).abs() * length >= need
            });
            if !apart && count > 1 {
                continue;
            }
            for (t, label, w) in ticks {
                if self.at.horizontal {
                    let x = r.x + t * r.w;
                    self.rect(Rect::new((x - self.line / 2.0).round(), r.bottom(), self.line, long));
                    self.text(label, self.f, x - w / 2.0, r.bottom() + (0.45 + 0.8) * self.f);
                } else {
                    let y = r.bottom() - t * r.h;
                    self.rect(Rect::new(r.right(), (y - self.line / 2.0).round(), long, self.line));
                    self.text(label, self.f, self.beside(), y + CAP_HEIGHT * self.f / 2.0);
                }
            }
            return;
        }
    }
}

/// A count in at most five characters.
fn amount(n: u64) -> String {
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_999 => format!("{}k", n / 1_000),
        1_000_000..=999_999_999 => format!("{}M", n / 1_000_000),
        _ => format!("{}G", n / 1_000_000_000),
    }
}
