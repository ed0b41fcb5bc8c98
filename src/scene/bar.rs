//! A colour bar: its ramp, pointed ends with their counts, tick labels and title.

use super::Item;
use crate::color::Color;
use crate::geom::{Point, PxRect, Rect};
use crate::layout::BarLayout;
use crate::resolve::{Bar, Frame};
use crate::scale::{Tick, norm_ticks, short};
use crate::text::{CAP_HEIGHT, Measure};

/// Length of a pointed end as a share of the font size.
const TIP: f64 = 1.1;

/// A tick on the ramp: 0 to 1 from the low end, its label and that label's width.
type Placed = (f64, String, f64);

/// Paints one bar; `limits` asks for ticks at its limits.
pub(super) fn bar(frame: &Frame, at: &BarLayout, bar: &Bar, limits: bool, line: f64, m: &mut dyn Measure, items: &mut Vec<Item>) {
    let mut p = Painter { f: frame.font_size, least: frame.least_font, ink: frame.palette.ink, at: at.clone(), line, m, items };
    if bar.empty {
        p.empty();
        return;
    }
    let tip = (TIP * p.f).round().min((0.3 * f64::from(if at.horizontal { at.rect.w } else { at.rect.h })).floor());
    let (low, high) = (if bar.below > 0 { tip } else { 0.0 }, if bar.above > 0 { tip } else { 0.0 });
    let ticks = p.choose(&p.ramp(low, high).rect(), bar, limits);
    let widest = ticks.iter().map(|t| t.2).fold(0.0, f64::max);
    if !at.horizontal {
        // Room that short labels leave is shared between both sides of the bar.
        let counted = p.count(bar.below, false).1.max(p.count(bar.above, true).1);
        p.shift(((at.room - widest.max(counted)) / 2.0).clamp(0.0, 0.8 * p.f).round());
    }
    let ramp = p.ramp(low, high);
    p.items.push(Item::Ramp { rect: ramp, scale: bar.scale.clone(), horizontal: at.horizontal });
    let lut = bar.scale.lut();
    let counted = p.pointed(&ramp, low, false, lut[0], bar.below).max(p.pointed(&ramp, high, true, lut[lut.len() - 1], bar.above));
    p.outline(&ramp.rect());
    p.ticks(&ramp.rect(), ticks);
    p.title(widest, counted);
}

struct Painter<'a> {
    f: f64,
    least: f64,
    ink: Color,
    at: BarLayout,
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

    /// Moves a vertical bar away from its body.
    fn shift(&mut self, by: f64) {
        self.at.rect.x += by as i32;
        self.at.room -= by;
        for l in &mut self.at.label {
            l.at.x += by;
        }
    }

    /// What stands beside a pointed end: text and width; nothing where no cell is counted.
    fn count(&mut self, count: u64, high: bool) -> (String, f64) {
        if count == 0 {
            return (String::new(), 0.0);
        }
        let text = format!("{} {}", amount(count), if high { "above" } else { "below" });
        let w = self.m.size(&text, self.small()).width;
        (text, w)
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

    fn empty(&mut self) {
        let r = self.at.rect.rect();
        let w = self.m.size("no data", self.f).width;
        let (x, y) = if self.at.horizontal {
            (r.center().x - w / 2.0, r.bottom() + 1.3 * self.f)
        } else {
            (self.beside(), r.center().y + CAP_HEIGHT * self.f / 2.0)
        };
        self.outline(&r);
        self.text("no data".to_owned(), self.f, x, y);
        self.title(w, 0.0);
    }

    /// The title of a vertical bar, beyond its tick labels, and beyond a count that it would meet.
    fn title(&mut self, widest: f64, counted: f64) {
        let lines = std::mem::take(&mut self.at.label);
        let (r, margin) = (self.at.rect.rect(), 2.0 * self.f);
        let ends = lines.iter().map(|l| (l.at.y - self.m.size(&l.text, l.font_size).width, l.at.y));
        let (top, low) = ends.fold((f64::MAX, f64::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let meets = low > r.bottom() - margin || top < r.y + margin;
        let beyond = if meets { widest.max(counted) } else { widest }.min(self.at.room);
        for label in lines {
            let at = Point { x: label.at.x + beyond, y: label.at.y };
            self.items.push(Item::Text { text: label.text, font_size: label.font_size, at, degrees: 90, color: self.ink });
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
            (true, true) => vec![p(r.right(), r.y), p(r.right() + tip, r.center().y), p(r.right(), r.bottom())],
            (true, false) => vec![p(r.x, r.y), p(r.x - tip, r.center().y), p(r.x, r.bottom())],
            (false, true) => vec![p(r.x, r.y), p(r.center().x, r.y - tip), p(r.right(), r.y)],
            (false, false) => vec![p(r.x, r.bottom()), p(r.center().x, r.bottom() + tip), p(r.right(), r.bottom())],
        };
        // The same triangle a little larger in ink is its outline.
        let c = Point { x: points.iter().map(|q| q.x).sum::<f64>() / 3.0, y: points.iter().map(|q| q.y).sum::<f64>() / 3.0 };
        let grow = 1.0 + 3.0 * (self.line / 2.0).round().max(1.0) / tip;
        let larger = points.iter().map(|q| p(c.x + (q.x - c.x) * grow, c.y + (q.y - c.y) * grow)).collect();
        self.items.push(Item::Polygon { points: larger, color: self.ink });
        self.items.push(Item::Polygon { points, color });
        let (text, w) = self.count(count, high);
        let font = self.small();
        let half = CAP_HEIGHT * font / 2.0;
        let (x, y) = match (self.at.horizontal, high) {
            (true, true) => (r.right() + tip + 0.4 * self.f, r.center().y + half),
            (true, false) => (r.x - tip - 0.4 * self.f - w, r.center().y + half),
            // A line away from the tick at the limit.
            (false, true) => (self.beside(), r.y - tip + half),
            (false, false) => (self.beside(), r.bottom() + tip + half),
        };
        // A bar as short as its labels leaves no place for counts; the lint has them.
        let fits = if self.at.horizontal { w + 0.4 * self.f <= self.at.room } else { high || self.at.rect.h as f64 >= 2.4 * self.f };
        if fits {
            self.text(text, font, x, y);
        }
        w
    }

    /// As many ticks as keep apart.
    fn choose(&mut self, r: &Rect, bar: &Bar, limits: bool) -> Vec<Placed> {
        let spec = bar.scale.spec();
        let length = if self.at.horizontal { r.w } else { r.h };
        let most = ((length / (1.9 * self.f)) as usize).clamp(2, 9);
        let (t0, t1) = bar.scale.span();
        let mut best = Vec::new();
        for count in (1..=most).rev() {
            let mut ticks = norm_ticks(&spec.norm, spec.vmin, spec.vmax, count);
            if limits && spec.vmin < spec.vmax {
                ticks.retain(|t| t.value != spec.vmin && t.value != spec.vmax);
                let limit = |value: f64| Tick { value, label: short(value) };
                ticks.insert(0, limit(spec.vmin));
                ticks.push(limit(spec.vmax));
            }
            let widest = if self.at.horizontal { length / 3.0 } else { self.at.room };
            if ticks.iter().any(|t| self.m.size(&t.label, self.f).width > widest) {
                ticks = self.briefer(ticks, widest);
            }
            let mut placed: Vec<Placed> = ticks
                .into_iter()
                .map(|t| {
                    let at =
                        if t1 > t0 { (spec.norm.t(t.value, spec.vmin, spec.vmax, spec.map.entries.len()) - t0) / (t1 - t0) } else { 0.5 };
                    let w = self.m.size(&t.label, self.f).width;
                    (at.clamp(0.0, 1.0), t.label, w)
                })
                .collect();
            if let crate::scale::Norm::Bounds(b) = &spec.norm {
                // Bins are equally long, so boundaries stand by their place in the list.
                for p in &mut placed {
                    let k = b.iter().position(|v| short(*v) == p.1).unwrap_or(0);
                    p.0 = k as f64 / (b.len() - 1) as f64;
                }
            }
            let horizontal = self.at.horizontal;
            // Counts of clipped cells stand a line away from the limits, so their labels need more room.
            let lines = if limits { 1.6 } else { 1.2 };
            let reach = |p: &Placed| {
                let left = self.within(r, p.0 * length, p.2);
                (left, left + p.2)
            };
            let near = |a: &Placed, b: &Placed| {
                if horizontal { reach(b).0 - reach(a).1 < 0.6 * self.f } else { (b.0 - a.0).abs() * length < lines * self.f }
            };
            // A label wider than the bar and the room beside it would leave the canvas.
            placed.retain(|p| !horizontal || p.2 <= self.at.rect.rect().w + 2.0 * self.at.room);
            if !horizontal {
                // Counts stand at the very ends of the bar.
                let need = 0.515 * (self.f + self.small());
                placed.retain(|p| {
                    let y = r.bottom() - p.0 * length;
                    (bar.above == 0 || y - self.at.rect.rect().y >= need) && (bar.below == 0 || self.at.rect.rect().bottom() - y >= need)
                });
            }
            if limits && placed.len() > 2 {
                // Limits stay; what meets them goes.
                let (first, last) = (placed[0].clone(), placed[placed.len() - 1].clone());
                let n = placed.len();
                let mut k = 0;
                placed.retain(|p| {
                    k += 1;
                    k == 1 || k == n || !(near(&first, p) || near(p, &last))
                });
            }
            let apart = placed.windows(2).all(|p| !near(&p[0], &p[1]));
            best = placed;
            if apart {
                return best;
            }
        }
        best.truncate(1);
        best
    }

    /// The same ticks with fewer digits; where those would be alike, the first and the steps from it.
    fn briefer(&mut self, mut ticks: Vec<Tick>, widest: f64) -> Vec<Tick> {
        for digits in (0..5).rev() {
            for t in &mut ticks {
                t.label = brief(t.value, digits);
            }
            let alike = ticks.windows(2).any(|p| p[0].label == p[1].label);
            if alike {
                break;
            }
            if ticks.iter().all(|t| self.m.size(&t.label, self.f).width <= widest) {
                return ticks;
            }
        }
        let base = ticks.first().map_or(0.0, |t| t.value);
        for digits in [1, 0] {
            for (i, t) in ticks.iter_mut().enumerate() {
                t.label = if i == 0 { brief(base, digits) } else { format!("+{}", brief(t.value - base, digits)) };
            }
            if ticks.iter().all(|t| self.m.size(&t.label, self.f).width <= widest) {
                break;
            }
        }
        ticks.dedup_by(|a, b| a.label == b.label);
        ticks
    }

    /// Left end of a label that is centred about a tick, kept on the room beyond the bar's ends.
    fn within(&self, r: &Rect, at: f64, w: f64) -> f64 {
        let bar = self.at.rect.rect();
        (r.x + at - w / 2.0).min(bar.right() + self.at.room - w).max(bar.x - self.at.room)
    }

    fn ticks(&mut self, r: &Rect, ticks: Vec<Placed>) {
        let long = (0.2 * self.f).round();
        for (t, label, w) in ticks {
            if self.at.horizontal {
                let x = r.x + t * r.w;
                let left = (x - self.line / 2.0).round().clamp(r.x, r.right() - self.line);
                self.rect(Rect::new(left, r.bottom(), self.line, long));
                let at = self.within(r, t * r.w, w);
                self.text(label, self.f, at, r.bottom() + (0.45 + 0.8) * self.f);
            } else {
                let y = r.bottom() - t * r.h;
                let top = (y - self.line / 2.0).round().clamp(r.y, r.bottom() - self.line);
                self.rect(Rect::new(r.right(), top, long, self.line));
                self.text(label, self.f, self.beside(), y + CAP_HEIGHT * self.f / 2.0);
            }
        }
    }
}

/// So many digits behind the first, with an exponent where that is shorter.
fn brief(v: f64, digits: usize) -> String {
    let text = format!("{v:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let plain = short(text.parse().unwrap_or(v));
    let scientific = format!("{mantissa}e{exponent}");
    if plain.len() <= scientific.len() { plain } else { scientific }
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
