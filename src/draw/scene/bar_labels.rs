//! Which labels a colour bar gets, and how they are written: as many as keep apart, each exactly its tick's value.

use crate::resolve::Bar;
use gridscope_core::geom::Rect;
use gridscope_core::grid::Number;
use gridscope_core::scale::{
    BarNumbers, ColorScale, FromBase, NumberFormat, Tick, TickRule, brief_labels, cut_labels,
    labels_from_base, minus, short, typeset,
};
use gridscope_core::text::Measure;

/// A label and where its tick lies on the ramp, 0 to 1 from the low end.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub at: f64,
    pub text: String,
    pub font: f64,
    pub width: f64,
    /// Where it begins under a horizontal bar.
    pub left: f64,
}

/// The labels of a bar.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// In the order of their ticks.
    pub ticks: Vec<Label>,
    /// Upright text beside them: the base that all labels are added to, and their unit.
    pub upright: Option<Label>,
    /// The widest, or the room of labels and upright text together.
    pub width: f64,
}

/// Sizes of labels that are a little too wide, as shares of the font size; below them a base is preferred.
const SMALLER: [f64; 3] = [1.0, 0.9, 0.8];
/// Sizes down to the least font, where even a base does not help.
const SMALLEST: [f64; 4] = [0.7, 0.6, 0.5, 0.0];
/// Width of an upright text beside labels, in em.
pub(super) const UPRIGHT: f64 = 0.35 + 1.02;

/// The labels for which a bar is long enough to have more than two.
const LONG: usize = 6;

/// Room of the labels.
pub(super) struct Room<'a> {
    /// The font size of labels.
    pub font: f64,
    /// No text is smaller.
    pub least: f64,
    /// The font size of counts at the ends.
    pub small: f64,
    pub horizontal: bool,
    /// The bar with its pointed ends, and its ramp.
    pub bar: Rect,
    pub ramp: Rect,
    /// Beside a vertical bar, or beyond each end of a horizontal one.
    pub beside: f64,
    /// The unit of numbers that is upright beside a vertical bar; empty where there is none, or the title has it.
    pub unit: String,
    /// Both limits are among the ticks.
    pub limits: bool,
    /// The format of labels that the user gave, and whether it is that of cells.
    pub format: Option<NumberFormat>,
    pub follows: bool,
    /// Ticks that somebody gave: their values, ascending, and texts.
    pub given: Option<Vec<(f64, String)>>,
    /// How its numbers are written.
    pub numbers: BarNumbers,
    /// Powers of ten are written `1e-7`, where `10⁻⁷` is too wide for any label.
    pub compact: bool,
    /// Cells are counted below and above.
    pub counted: (bool, bool),
    pub m: &'a mut dyn Measure,
}

impl Room<'_> {
    /// As many ticks as keep apart.
    pub(super) fn labels(&mut self, bar: &Bar) -> Labels {
        let mut labels = self.kept_apart(bar);
        if labels.upright.is_none() && !self.unit.is_empty() {
            // As large as the labels.
            let font = labels.ticks.first().map_or(self.font, |l| l.font);
            let none = Label { font, ..self.label(0.0, "", 1.0) };
            let unit = self.unit.clone();
            labels.upright = Some(self.with_text(none, |_| unit));
            labels.width += UPRIGHT * font;
        }
        labels
    }

    fn kept_apart(&mut self, bar: &Bar) -> Labels {
        let scale = &*bar.scale;
        if let Some(given) = self.given.take() {
            return self.chosen(scale, given);
        }
        let boundaries = match scale.spec().norm.traits().ticks {
            TickRule::At(list) => list.len(),
            _ => 0,
        };
        // Boundaries are no choice: each that has room is labelled.
        let most = match boundaries {
            0 => ((self.length() / (1.9 * self.font)) as usize).clamp(2, 9),
            n => ((self.length() / (1.2 * self.font)) as usize + 1).min(n).max(2),
        };
        for compact in [false, true] {
            self.compact = compact;
            let mut lone = None;
            for small in [false, true] {
                for count in (1..=most).rev() {
                    match self.written(scale, count, small) {
                        // Two ticks are few where more, a little closer, are round.
                        Some(labels) if labels.ticks.len() == 2 => {
                            let is_more = |labels: &Labels| labels.ticks.len() > 2;
                            let more = (most + 1..=most + 3).map(|n| self.written(scale, n, small));
                            let more = more.flatten().find(is_more);
                            // So they are on a long bar where more have other forms.
                            let is_long = !self.horizontal && most >= LONG;
                            let others = (3..=most).rev().filter(|_| is_long);
                            return more
                                .or_else(|| others.filter_map(|n| self.written(scale, n, true)).find(is_more))
                                .unwrap_or(labels);
                        }
                        Some(labels) if labels.ticks.len() > 1 => return labels,
                        found => lone = lone.or(found),
                    }
                }
            }
            let ends = self.ends(scale);
            if let Some(labels) = ends.or(lone).or_else(|| self.lowest(scale)) {
                return labels;
            }
        }
        Labels::default()
    }

    /// Given ticks within the limits: in the largest size in which all keep apart, else as many as do.
    fn chosen(&mut self, scale: &ColorScale, given: Vec<(f64, String)>) -> Labels {
        // Their texts are as they are to be drawn.
        (self.limits, self.compact) = (false, true);
        let (low, high) = (scale.spec().vmin, scale.spec().vmax);
        let within = given.into_iter().filter(|(value, _)| (low..=high).contains(value));
        let (at, texts): (Vec<f64>, Vec<String>) = within
            .map(|(value, text)| {
                let value = self.numbers.in_units(value);
                let tick = Tick { value, label: short(value), exact: false };
                (scale.place(&tick, self.numbers), text)
            })
            .unzip();
        let n = at.len();
        let mut sizes = SMALLER.iter().chain(&SMALLEST);
        let whole = sizes.find_map(|s| self.fitted(&at, &texts, *s).flatten().filter(|l| l.ticks.len() == n));
        if let Some(labels) = whole {
            return labels;
        }
        let mut ticks: Vec<Label> = Vec::new();
        for size in [1.0, 0.8, 0.0] {
            let mut apart: Vec<Label> = Vec::new();
            for (at, text) in at.iter().zip(&texts) {
                let label = self.label(*at, text, size);
                if apart.last().is_none_or(|last| !self.meet(last, &label)) {
                    apart.push(label);
                }
            }
            if apart.len() > ticks.len() {
                ticks = apart;
            }
        }
        let width = ticks.iter().map(|l| l.width).fold(0.0, f64::max);
        Labels { ticks, upright: None, width }
    }

    fn length(&self) -> f64 {
        if self.horizontal { self.ramp.w } else { self.ramp.h }
    }

    /// The labels of about `count` ticks in the first form that is narrow enough; none where they do not keep apart. `small`
    /// asks for the forms that are hard to read.
    fn written(&mut self, scale: &ColorScale, count: usize, small: bool) -> Option<Labels> {
        let (ticks, at) = self.placed(scale, scale.ticks(count, self.limits, self.numbers))?;
        if let Some(format) = self.format {
            let format = if self.follows { format.of_ticks(ticks.iter().map(|t| t.value)) } else { format };
            let texts: Vec<String> = ticks.iter().map(|t| format.format(Number::F64(t.value))).collect();
            let sizes = SMALLER.iter().chain(SMALLEST.iter().filter(|_| small));
            return sizes.into_iter().find_map(|s| self.fitted(&at, &texts, *s))?;
        }
        let plain: Vec<String> = ticks.iter().map(|t| t.label.clone()).collect();
        let brief = brief_labels(&ticks);
        // A power of ten is no narrower than six digits that are a little smaller.
        let sizes = [(&plain, SMALLER[0]), (&plain, SMALLER[1])].into_iter();
        let rest = SMALLER.iter().flat_map(|s| [(&plain, *s), (&brief, *s)]);
        for (texts, size) in sizes.chain(rest) {
            let wide = self.horizontal && texts == &plain && self.widest(&plain, size) > self.length() / 3.0;
            if !wide && let Some(done) = self.fitted(&at, texts, size) {
                return done;
            }
        }
        if let Some(done) = self.cut(&ticks, &at, 1.0, 3) {
            return done;
        }
        // A base of few digits where the ticks may be chosen, else the first tick.
        let own = if self.limits || self.numbers.power != 0 { None } else { scale.ticks_from_base(count) };
        let based = match own {
            // One upright text is enough.
            _ if !self.unit.is_empty() => None,
            Some(ticks) => {
                self.placed(scale, ticks).and_then(|(ticks, at)| Some((at, labels_from_base(&ticks)?)))
            }
            None => labels_from_base(&ticks).map(|labels| (at.clone(), labels)),
        };
        if let Some((at, from)) = &based
            && self.horizontal
            && let Some(done) = self.with_base(at, &from.base, &from.labels)
        {
            return Some(done);
        }
        if !small {
            return None;
        }
        if let Some((at, from)) = &based {
            // Some distances with powers of ten and some without are hard to compare.
            let is_plain = !from.labels.iter().any(|l| l.contains('e'));
            let mut sizes = SMALLER.iter().filter(|_| is_plain);
            let distances = sizes.find_map(|s| self.distances(at, from, *s));
            let done = distances.or_else(|| SMALLER.iter().find_map(|s| self.multiples(at, from, *s)));
            if done.is_some() {
                return done;
            }
        }
        if let Some(done) = SMALLEST.iter().find_map(|s| self.fitted(&at, &brief, *s)) {
            return done;
        }
        if let Some(done) = [1.0, 0.0].into_iter().find_map(|s| self.cut(&ticks, &at, s, 1)) {
            return done;
        }
        let (at, from) = based.as_ref()?;
        let mut sizes = SMALLER.iter().chain(&SMALLEST);
        sizes.find_map(|s| self.distances(at, from, *s))
    }

    /// Where two ticks do not fit: both ends of the bar, in a size in which they keep apart.
    fn ends(&mut self, scale: &ColorScale) -> Option<Labels> {
        let (ticks, at) = self.placed(scale, scale.ends(self.numbers)?)?;
        let text = |t: &Tick| match self.format {
            Some(format) => format.format(Number::F64(t.value)),
            None => t.label.clone(),
        };
        let texts: Vec<String> = ticks.iter().map(text).collect();
        if at.len() < 2 {
            return None;
        }
        let mut sizes = SMALLER.iter().chain(&SMALLEST);
        sizes.find_map(|s| self.fitted(&at, &texts, *s).flatten())
    }

    /// Where nothing else fits: the low end of the scale, with as many digits as there is room for.
    fn lowest(&mut self, scale: &ColorScale) -> Option<Labels> {
        let low = self.numbers.in_units(scale.spec().vmin);
        let (tick, at) = self.placed(scale, vec![Tick { value: low, label: short(low), exact: false }])?;
        let text = self.format.map_or_else(|| short(low), |f| f.format(Number::F64(low)));
        if let Some(done) = self.fitted(&at, &[text], 1.0) {
            return done;
        }
        [1.0, 0.0].into_iter().find_map(|size| self.cut(&tick, &at, size, 1))?
    }

    /// Labels that are not exact, with as many of six digits as there is room for, `least` at least.
    fn cut(&mut self, ticks: &[Tick], at: &[f64], size: f64, least: usize) -> Option<Option<Labels>> {
        (least..=6)
            .rev()
            .map_while(|digits| cut_labels(ticks, digits))
            .find_map(|texts| self.fitted(at, &texts, size))
    }

    /// Ticks and their places without those that counts or limits would meet; none without a tick.
    fn placed(&self, scale: &ColorScale, ticks: Vec<Tick>) -> Option<(Vec<Tick>, Vec<f64>)> {
        let mut list: Vec<(Tick, f64)> =
            ticks.into_iter().map(|t| (scale.place(&t, self.numbers), t)).map(|(at, t)| (t, at)).collect();
        if !self.horizontal {
            // Counts are at the very ends of the bar.
            let need = 0.515 * (self.font + self.small);
            list.retain(|(_, at)| {
                let y = self.ramp.bottom() - at * self.ramp.h;
                (!self.counted.1 || y - self.bar.y >= need)
                    && (!self.counted.0 || self.bar.bottom() - y >= need)
            });
            if self.limits && list.len() > 2 {
                let (first, last) = (list[0].1, list[list.len() - 1].1);
                list.retain(|(_, at)| {
                    *at == first || *at == last || !(self.near(first, *at) || self.near(*at, last))
                });
            }
        }
        if list.is_empty() { None } else { Some(list.into_iter().unzip()) }
    }

    /// Whether two labels beside a vertical bar would meet.
    fn near(&self, a: f64, b: f64) -> bool {
        // Counts of clipped cells are a line away from the limits, so their labels need more room.
        let lines = if self.limits { 1.6 } else { 1.2 };
        (b - a).abs() * self.length() < lines * self.font
    }

    fn widest(&mut self, texts: &[String], size: f64) -> f64 {
        texts.iter().map(|text| self.label(0.0, text, size).width).fold(0.0, f64::max)
    }

    /// A share of the font size.
    fn sized(&self, share: f64) -> f64 {
        (share * self.font).max(self.least).min(self.font)
    }

    fn label(&mut self, at: f64, text: &str, size: f64) -> Label {
        let text = match self.format {
            // The narrowest form: a minus sign is as wide as a digit.
            _ if self.compact => text.to_owned(),
            Some(_) => minus(text),
            None => typeset(text),
        };
        let font = self.sized(size);
        let width = self.m.size(&text, font).width;
        // Centred about its tick, within the room beyond the bar's ends.
        let x = self.ramp.x + at * self.ramp.w - width / 2.0;
        let left = x.min(self.bar.right() + self.beside - width).max(self.bar.x - self.beside);
        Label { at, text, font, width, left }
    }

    /// The labels in a share of the font size: none where one is too wide, and none of these where they meet.
    fn fitted(&mut self, at: &[f64], texts: &[String], size: f64) -> Option<Option<Labels>> {
        let widest = match texts.len() {
            _ if !self.horizontal && self.unit.is_empty() => self.beside,
            _ if !self.horizontal => self.beside - UPRIGHT * self.sized(size),
            1 => self.bar.w + 2.0 * self.beside,
            2 => self.length() / 2.0,
            _ => self.length() / 3.0,
        };
        let list: Vec<Label> = at.iter().zip(texts).map(|(at, text)| self.label(*at, text, size)).collect();
        if list.iter().any(|l| l.width > widest) { None } else { Some(self.apart(list)) }
    }

    /// Labels that are added to the first, which is written smaller where it is too wide.
    fn with_base(&mut self, at: &[f64], base: &str, labels: &[String]) -> Option<Labels> {
        let rest: Vec<Label> =
            at.iter().zip(labels).skip(1).map(|(at, text)| self.label(*at, text, 1.0)).collect();
        let widest = if self.horizontal { self.length() / 2.0 } else { self.beside };
        let first = *at.first()?;
        let sizes: Vec<Label> =
            SMALLER.iter().chain(&SMALLEST).map(|s| self.label(first, base, *s)).collect();
        let base = sizes.into_iter().find(|l| l.width <= widest)?;
        if rest.iter().any(|l| l.width > widest) {
            return None;
        }
        let all: Vec<Label> = std::iter::once(base).chain(rest).collect();
        let n = all.len();
        // Without the base the others would say nothing.
        self.apart(all).filter(|l| l.ticks.len() == n)
    }

    /// Labels that are added to an upright base beside them.
    fn distances(&mut self, at: &[f64], from: &FromBase, size: f64) -> Option<Labels> {
        let base = self.label(0.0, &from.base, size);
        self.beside_upright(at, base, &from.labels, size)
    }

    /// Labels beside which a power of ten that they are multiples of, and a base that these are added to, are upright:
    /// `×10⁻³ + 7.25`, `×10⁻³ − 7.25`.
    fn multiples(&mut self, at: &[f64], from: &FromBase, size: f64) -> Option<Labels> {
        let (power, texts) = from.multiples.as_ref()?;
        let base = self.label(0.0, &from.base, size);
        let unit = self.label(0.0, &format!("1e{power}"), size).text;
        let sign = if from.base.starts_with('-') { '−' } else { '+' };
        let upright =
            self.with_text(base, |base| format!("×{unit} {sign} {}", base.trim_start_matches(['-', '−'])));
        self.beside_upright(at, upright, texts, size)
    }

    /// Labels beside an upright text that explains them.
    fn beside_upright(&mut self, at: &[f64], base: Label, labels: &[String], size: f64) -> Option<Labels> {
        if self.horizontal {
            return None;
        }
        let list: Vec<Label> = at.iter().zip(labels).map(|(at, text)| self.label(*at, text, size)).collect();
        let width = list.iter().map(|l| l.width).fold(0.0, f64::max) + UPRIGHT * base.font;
        if width > self.beside || base.width > self.length() {
            return None;
        }
        self.apart(list).map(|l| Labels { upright: Some(base), width, ..l })
    }

    /// A label with another text.
    fn with_text(&mut self, label: Label, text: impl FnOnce(&str) -> String) -> Label {
        let text = text(&label.text);
        let width = self.m.size(&text, label.font).width;
        Label { text, width, ..label }
    }

    /// The labels, if they keep apart; beside limits those that do.
    fn apart(&self, mut list: Vec<Label>) -> Option<Labels> {
        if self.horizontal {
            // A label wider than the bar and the room beside it would leave the canvas.
            list.retain(|l| l.width <= self.bar.w + 2.0 * self.beside);
            if self.limits && list.len() > 2 {
                // Limits stay; what meets them goes.
                let (first, last, n) = (list[0].clone(), list[list.len() - 1].clone(), list.len());
                let mut k = 0;
                list.retain(|l| {
                    k += 1;
                    k == 1 || k == n || !(self.meet(&first, l) || self.meet(l, &last))
                });
            }
        }
        if list.is_empty() || list.windows(2).any(|p| self.meet(&p[0], &p[1])) {
            return None;
        }
        let width = list.iter().map(|l| l.width).fold(0.0, f64::max);
        Some(Labels { ticks: list, upright: None, width })
    }

    fn meet(&self, a: &Label, b: &Label) -> bool {
        if !self.horizontal {
            let between = (b.at - a.at).abs() * self.length();
            // Both ends of a short bar may be as close as their text is high.
            let is_short = a.at == 0.0 && b.at == 1.0;
            return if is_short { between < 1.2 * a.font.max(b.font) } else { self.near(a.at, b.at) };
        }
        b.left - (a.left + a.width) < 0.6 * self.font
    }
}
