//! A colour bar: its ramp, pointed ends with their counts, tick labels and title.

mod held;

use super::Item;
use super::bar_labels::{Labels, Room, UPRIGHT};
use crate::layout::BarLayout;
use crate::marking::edge;
use crate::resolve::{Bar, BarFrame, Frame, NOT_COUNTED};
use gridscope_core::color::Color;
use gridscope_core::geom::{Point, PxRect, Rect};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::scale::{BarNumbers, Tick, TickRule};
use gridscope_core::text::{CAP_HEIGHT, Measure};

/// Length of a pointed end as a share of the font size.
const TIP: f64 = 1.1;

/// Where a bar is painted.
pub(super) struct BarPlacement<'a> {
    pub at: &'a BarLayout,
    /// Thickness of ticks in pixels.
    pub line: f64,
    /// The widest labels of the bars over and under it, as [`label_width`] has them: the titles of all are beyond these.
    pub column: Option<f64>,
}

/// Paints one bar, and reports boundaries without a label.
pub(super) fn bar(
    frame: &Frame,
    spec: &BarFrame,
    place: BarPlacement<'_>,
    bar: &Bar,
    levels: &[(f64, f64)],
    m: &mut dyn Measure,
    items: &mut Vec<Item>,
) -> Lints {
    let (horizontal, mut lints) = (place.at.horizontal, Lints::default());
    let mut p = Painter::new(frame, place, m, items);
    if bar.empty {
        p.empty(instead(bar));
        return lints;
    }
    let (low, high) = p.tips(bar);
    p.hold(low, high);
    let labels = p.labels(bar, spec);
    let widest = labels.width;
    p.upright = labels.upright.as_ref().map(|u| (widest - UPRIGHT * u.font, u.width));
    if let Some(given) = &spec.ticks {
        if let Some(missing) = given.0.len().checked_sub(labels.ticks.len()).filter(|n| *n > 0) {
            let text = format!(
                "colour bar: {} of {} ticks are drawn; others lie beyond its limits or meet their neighbours",
                labels.ticks.len(),
                given.0.len()
            );
            lints.add(LintName::TicksThinned, missing as u64, text);
        }
    } else if let TickRule::At(boundaries) = bar.scale.spec().norm.traits().ticks
        && let Some(missing) = boundaries.len().checked_sub(labels.ticks.len()).filter(|n| *n > 0)
    {
        let text =
            format!("colour bar: {} of {} boundaries are labelled", labels.ticks.len(), boundaries.len());
        lints
            .add(LintName::TicksThinned, missing as u64, text)
            .hint("a larger --height, or a smaller --font-size");
    }
    if !p.at.aligned {
        // Room that short labels leave is shared between both sides of the bar.
        let taken = widest.max(p.counts(bar));
        p.shift(((p.at.room - taken) / 2.0).clamp(0.0, 0.8 * p.f).round());
    }
    let ramp = p.ramp(low, high);
    p.items.push(Item::Ramp { rect: ramp, scale: bar.scale.clone(), horizontal });
    let lut = bar.scale.lut();
    let counted = p.pointed(&ramp, low, false, lut[0], bar.below).max(p.pointed(
        &ramp,
        high,
        true,
        lut[lut.len() - 1],
        bar.above,
    ));
    p.levels(&ramp.rect(), bar, levels);
    p.outline(&ramp.rect());
    p.ticks(&ramp.rect(), labels);
    p.title(widest, counted);
    lints
}

/// The pixels that the tick labels and counts of a vertical bar take.
pub(super) fn label_width(
    frame: &Frame,
    spec: &BarFrame,
    at: &BarLayout,
    bar: &Bar,
    m: &mut dyn Measure,
) -> f64 {
    let place = BarPlacement { at, line: 1.0, column: None };
    let items = &mut Vec::new();
    let mut p = Painter::new(frame, place, m, items);
    if bar.empty { p.no_data(instead(bar)).1 } else { p.labels(bar, spec).width.max(p.counts(bar)) }
}

/// The height of a line in em.
const LINE: f64 = 1.02;
/// Text beside the bar of a panel without a finite value.
fn instead(bar: &Bar) -> &'static str {
    if bar.below + bar.above > 0 { "only ±∞" } else { "no data" }
}

struct Painter<'a> {
    f: f64,
    least: f64,
    ink: Color,
    at: BarLayout,
    line: f64,
    column: Option<f64>,
    /// Where upright text beside the tick labels begins, from them, and its length.
    upright: Option<(f64, f64)>,
    m: &'a mut dyn Measure,
    items: &'a mut Vec<Item>,
}

impl<'a> Painter<'a> {
    fn new(frame: &Frame, place: BarPlacement<'_>, m: &'a mut dyn Measure, items: &'a mut Vec<Item>) -> Self {
        Self {
            f: frame.font_size,
            least: frame.least_font,
            ink: frame.palette.ink,
            at: place.at.clone(),
            line: place.line,
            column: place.column,
            upright: None,
            m,
            items,
        }
    }
}

impl Painter<'_> {
    fn text(&mut self, text: String, font_size: f64, x: f64, y: f64) {
        self.items.push(Item::Text { text, font_size, at: Point { x, y }, degrees: 0, color: self.ink });
    }

    fn rect(&mut self, rect: Rect) {
        self.items.push(Item::Rect { rect, color: self.ink });
    }

    /// The labels in the room that the bar has.
    fn labels(&mut self, bar: &Bar, spec: &BarFrame) -> Labels {
        let (low, high) = self.tips(bar);
        let mut room = Room {
            font: self.f,
            least: self.least,
            small: self.small(),
            horizontal: self.at.horizontal,
            bar: self.at.rect.rect(),
            ramp: self.ramp(low, high).rect(),
            beside: self.at.room,
            unit: self.at.unit.clone(),
            limits: spec.is_limited(),
            format: spec.format,
            follows: spec.follows,
            given: spec.tick_texts(),
            numbers: BarNumbers { whole: bar.whole, ..spec.numbers },
            compact: false,
            counted: (bar.below > 0, bar.above > 0),
            m: &mut *self.m,
        };
        room.labels(bar)
    }

    /// Moves a vertical bar away from its body.
    fn shift(&mut self, by: f64) {
        self.at.rect.x += by as i32;
        self.at.room -= by;
        for l in &mut self.at.label {
            l.at.x += by;
        }
    }

    /// The label beside a pointed end: text, font size and width; nothing where no cell is counted. Beside a vertical bar it is
    /// smaller, then rounded, where it would be wider than the room.
    fn count(&mut self, count: u64, high: bool) -> (String, f64, f64) {
        let small = self.small();
        if count == 0 {
            return (String::new(), small, 0.0);
        }
        let word = if high { "above" } else { "below" };
        let mut fitted = |text: String, font: f64| {
            let width = self.m.size(&text, font).width;
            (text, font, width)
        };
        if count == NOT_COUNTED {
            return fitted(format!("… {word}"), small);
        }
        let whole = fitted(format!("{} {word}", amount(count, 9_999)), small);
        if self.at.horizontal || whole.2 <= self.at.room {
            return whole;
        }
        // Slightly smaller, because widths are not exactly proportional to sizes.
        let font = (0.99 * small * self.at.room / whole.2).max(self.least);
        let smaller = fitted(whole.0, font);
        if smaller.2 <= self.at.room {
            return smaller;
        }
        fitted(format!("{} {word}", amount(count, 999)), font)
    }

    /// The widest of both counts.
    fn counts(&mut self, bar: &Bar) -> f64 {
        self.count(bar.below, false).2.max(self.count(bar.above, true).2)
    }

    /// The font size of counts.
    fn small(&self) -> f64 {
        (0.85 * self.f).max(self.least)
    }

    /// Where tick labels of a vertical bar begin.
    fn beside(&self) -> f64 {
        self.at.rect.rect().right() + 0.5 * self.f
    }

    fn outline(&mut self, r: &Rect) {
        // Half as thick as a tick: pale ends must be seen, dark ones need no frame.
        let t = (self.line / 2.0).round().max(1.0);
        for edge in [
            Rect::new(r.x, r.y, r.w, t),
            Rect::new(r.x, r.bottom() - t, r.w, t),
            Rect::new(r.x, r.y, t, r.h),
            Rect::new(r.right() - t, r.y, t, r.h),
        ] {
            self.rect(edge);
        }
    }

    /// Room of the text beside the bar of an empty panel: it is upright where it is wider than the room.
    fn no_data(&mut self, text: &str) -> (bool, f64) {
        let width = self.m.size(text, self.f).width;
        let upright = !self.at.horizontal && width > self.at.room;
        (upright, if upright { LINE * self.f } else { width })
    }

    fn empty(&mut self, text: &str) {
        let (upright, w) = self.no_data(text);
        let (r, width) = (self.at.rect.rect(), self.m.size(text, self.f).width);
        let (x, y, degrees) = if self.at.horizontal {
            (r.center().x - w / 2.0, r.bottom() + 1.3 * self.f, 0)
        } else if upright {
            let x = self.beside() + 0.8 * self.f;
            (x, r.center().y + width / 2.0, 90)
        } else {
            (self.beside(), r.center().y + CAP_HEIGHT * self.f / 2.0, 0)
        };
        self.outline(&r);
        self.items.push(Item::Text {
            text: text.to_owned(),
            font_size: self.f,
            at: Point { x, y },
            degrees,
            color: self.ink,
        });
        self.title(w, 0.0);
    }

    /// The title of a vertical bar, beyond its tick labels, and beyond a count that it would meet.
    fn title(&mut self, widest: f64, counted: f64) {
        let lines = std::mem::take(&mut self.at.label);
        let (r, margin) = (self.at.rect.rect(), 2.0 * self.f);
        let ends = lines.iter().map(|l| (l.at.y - self.m.size(&l.text, l.font_size).width, l.at.y));
        let (top, low) = ends.fold((f64::MAX, f64::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let meets = low > r.bottom() - margin || top < r.y + margin;
        let beyond = match self.at.aligned {
            true => self.column.map_or(self.at.room, |widest| widest.min(self.at.room)),
            false if meets => widest.max(counted).min(self.at.room),
            false => widest.min(self.at.room),
        };
        for label in lines {
            let at = Point { x: label.at.x + beyond, y: label.at.y };
            self.items.push(Item::Text {
                text: label.text,
                font_size: label.font_size,
                at,
                degrees: 90,
                color: self.ink,
            });
        }
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

    /// A pointed end and its count; gives the width of the count.
    fn pointed(&mut self, ramp: &PxRect, tip: f64, high: bool, color: Color, count: u64) -> f64 {
        if count == 0 {
            return 0.0;
        }
        let r = ramp.rect();
        let p = |x: f64, y: f64| Point { x, y };
        let points = match (self.at.horizontal, high) {
            (true, true) => {
                vec![p(r.right(), r.y), p(r.right() + tip, r.center().y), p(r.right(), r.bottom())]
            }
            (true, false) => vec![p(r.x, r.y), p(r.x - tip, r.center().y), p(r.x, r.bottom())],
            (false, true) => vec![p(r.x, r.y), p(r.center().x, r.y - tip), p(r.right(), r.y)],
            (false, false) => {
                vec![p(r.x, r.bottom()), p(r.center().x, r.bottom() + tip), p(r.right(), r.bottom())]
            }
        };
        // The same triangle a little larger in ink is its outline.
        let c = Point {
            x: points.iter().map(|q| q.x).sum::<f64>() / 3.0,
            y: points.iter().map(|q| q.y).sum::<f64>() / 3.0,
        };
        let grow = 1.0 + 3.0 * (self.line / 2.0).round().max(1.0) / tip;
        let larger = points.iter().map(|q| p(c.x + (q.x - c.x) * grow, c.y + (q.y - c.y) * grow)).collect();
        self.items.push(Item::Polygon { points: larger, color: self.ink });
        self.items.push(Item::Polygon { points, color });
        let (text, font, w) = self.count(count, high);
        let half = CAP_HEIGHT * font / 2.0;
        let (x, y) = match (self.at.horizontal, high) {
            (true, true) => (r.right() + tip + 0.4 * self.f, r.center().y + half),
            (true, false) => (r.x - tip - 0.4 * self.f - w, r.center().y + half),
            // A line away from the tick at the limit.
            (false, true) => (self.beside(), r.y - tip + half),
            (false, false) => (self.beside(), r.bottom() + tip + half),
        };
        // A bar as short as its labels leaves no place for counts; the lint has them.
        let fits = if self.at.horizontal {
            w + 0.4 * self.f <= self.at.room
        } else {
            let meets = |(from, length)| w > from && length > r.h + 2.0 * (tip - half);
            let is_apart = !self.upright.is_some_and(meets);
            w <= self.at.room && is_apart && (high || f64::from(self.at.rect.h) >= 2.4 * self.f)
        };
        if fits {
            self.text(text, font, x, y);
        }
        w
    }

    /// Lines across the ramp at the levels of contours, each as wide as its own.
    fn levels(&mut self, r: &Rect, bar: &Bar, levels: &[(f64, f64)]) {
        let spec = bar.scale.spec();
        for (level, width) in levels {
            if *level <= spec.vmin || *level >= spec.vmax {
                continue;
            }
            let at = bar.scale.place(&Tick::exactly(*level), BarNumbers::default());
            let edge = edge(self.line);
            for (width, color) in [(width + 2.0 * edge, Color::WHITE), (*width, Color::BLACK)] {
                let before = (width / 2.0).floor();
                let rect = if self.at.horizontal {
                    Rect::new((r.x + at * r.w).round() - before, r.y, width, r.h)
                } else {
                    Rect::new(r.x, (r.bottom() - at * r.h).round() - before, r.w, width)
                };
                self.items.push(Item::Rect { rect, color });
            }
        }
    }

    fn ticks(&mut self, r: &Rect, labels: Labels) {
        let long = (0.2 * self.f).round();
        if let Some(upright) = labels.upright {
            let x = self.beside() + labels.width - 0.22 * upright.font;
            let at = Point { x, y: r.center().y + upright.width / 2.0 };
            self.items.push(Item::Text {
                text: upright.text,
                font_size: upright.font,
                at,
                degrees: 90,
                color: self.ink,
            });
        }
        for label in labels.ticks {
            if self.at.horizontal {
                let x = r.x + label.at * r.w;
                let left = (x - self.line / 2.0).round().clamp(r.x, r.right() - self.line);
                self.rect(Rect::new(left, r.bottom(), self.line, long));
                self.text(label.text, label.font, label.left, r.bottom() + (0.45 + 0.8) * self.f);
            } else {
                let y = r.bottom() - label.at * r.h;
                let top = (y - self.line / 2.0).round().clamp(r.y, r.bottom() - self.line);
                self.rect(Rect::new(r.right(), top, long, self.line));
                self.text(label.text, label.font, self.beside(), y + CAP_HEIGHT * label.font / 2.0);
            }
        }
    }
}

/// A count in at most five characters, or four where only hundreds are written out.
fn amount(n: u64, written_out: u64) -> String {
    match n {
        n if n <= written_out => n.to_string(),
        0..=999_999 => format!("{}k", n / 1_000),
        1_000_000..=999_999_999 => format!("{}M", n / 1_000_000),
        _ => format!("{}G", n / 1_000_000_000),
    }
}
