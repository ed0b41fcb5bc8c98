//! Numbers on axes and colour bars: each label is parsed by separate arithmetic and compared with the place of its tick.

use crate::support::random::{Random, cases};
use gridscope::Figure;
use gridscope::figure::{BarPlace, OnOff, Spacing, Ticks, TicksWord, Toggle};
use gridscope::grid::{Axis, Grid, Values};
use gridscope_core::scale::{Norm, ScaleSpec, nice_ticks, norm_ticks};
use gridscope_core::text::{Fonts, Measure};
use gridscope_core::timing::Phases;
use gridscope_draw::render::{Prepared, prepare};
use gridscope_draw::scene::Item;

/// Any numbers and limits.
trait Draw {
    fn real(&mut self, a: f64, b: f64) -> f64;
    fn sign(&mut self) -> f64;
    fn number(&mut self) -> f64;
    fn range(&mut self) -> (f64, f64);
}

impl Draw for Random {
    fn real(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.bits().is_multiple_of(2) { 1.0 } else { -1.0 }
    }

    /// A number of any magnitude, sometimes with few digits.
    fn number(&mut self) -> f64 {
        let (m, e) = (self.real(1.0, 10.0), self.within(-323, 307));
        let digits = self.within(0, 16) as usize;
        self.sign() * format!("{m:.digits$}e{e}").parse::<f64>().unwrap().min(f64::MAX)
    }

    /// Two ascending limits.
    fn range(&mut self) -> (f64, f64) {
        let (a, b) = match self.within(0, 6) {
            0 => (self.number(), self.number()),
            1 => (0.0, self.number()),
            2 => {
                let (a, e) = (self.sign() * 10f64.powf(self.real(-5.0, 15.0)), self.within(-12, 6));
                (a, a + self.real(0.1, 10.0) * 10f64.powi(e))
            }
            3 => {
                let a = self.within(-30_000_000, 30_000_000);
                let most = 10i64.pow(self.within(1, 7) as u32);
                (a as f64, (a + self.within(1, most)) as f64)
            }
            4 => {
                let (m, e) = (self.within(-40, 40), self.within(-9, 9));
                let at = |m: i64| format!("{m}e{e}").parse::<f64>().unwrap();
                (at(m), at(m + self.within(1, 80)))
            }
            5 => {
                let a = self.number().abs().min(1e308);
                (a, f64::from_bits(a.to_bits() + self.within(1, 2000) as u64))
            }
            _ => (f64::from_bits(self.within(0, 50) as u64), f64::from_bits(self.within(51, 5000) as u64)),
        };
        if a == b { (a - 1.0, a + 1.0 + a.abs() / 8.0) } else { (a.min(b), a.max(b)) }
    }
}

/// A text as `mantissa * 10^exponent`.
type Exact = (i128, i32);

/// A drawn number as [`str::parse`] reads it: `−1.5×10⁻⁷` as `-1.5e-7`.
fn written(text: &str) -> String {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let digit = |c: char| raised.chars().position(|r| r == c);
    let plain = text.replace('−', "-");
    let power = plain
        .rsplit_once("10")
        .filter(|(_, e)| e.starts_with('⁻') || e.chars().next().and_then(digit).is_some());
    let Some((number, e)) = power else { return plain };
    let e: String = e.chars().map(|c| digit(c).map_or("-".to_owned(), |d| d.to_string())).collect();
    match number.strip_suffix('×') {
        Some(number) => format!("{number}e{e}"),
        None => format!("{number}1e{e}"),
    }
}

fn exact(text: &str) -> Exact {
    let text = written(text);
    let (number, e) = text.split_once('e').map_or((text.as_str(), 0), |(n, e)| (n, e.parse().unwrap()));
    let fraction = number.split_once('.').map_or(0, |(_, f)| f.len() as i32);
    (number.replace('.', "").parse().unwrap_or_else(|_| panic!("'{text}' is not a number")), e - fraction)
}

fn nearest((m, e): Exact) -> f64 {
    format!("{m}e{e}").parse().unwrap()
}

/// Both numbers with one exponent, if they fit i128.
fn aligned(a: Exact, b: Exact) -> Option<(i128, i128, i32)> {
    // Zero may have any exponent.
    let e = if a.0 == 0 {
        b.1
    } else if b.0 == 0 {
        a.1
    } else {
        a.1.min(b.1)
    };
    let at = |(m, from): Exact| {
        if m == 0 { Some(0) } else { m.checked_mul(10i128.checked_pow((from - e) as u32)?) }
    };
    Some((at(a)?, at(b)?, e))
}

fn sum(a: Exact, b: Exact) -> Exact {
    let (a, b, e) =
        aligned(a, b).unwrap_or_else(|| panic!("a base and a label lie near each other: {a:?} {b:?}"));
    (a + b, e)
}

fn less(a: Exact, b: Exact) -> bool {
    aligned(a, b).map_or_else(|| nearest(a) < nearest(b), |(a, b, _)| a < b)
}

/// Whether a text is the value, or the value correctly rounded to the digits that the text shows.
fn says(text: &str, v: f64) -> bool {
    let digits = written(text)
        .split('e')
        .next()
        .unwrap_or("")
        .trim_start_matches(['-', '0', '.'])
        .replace('.', "")
        .len()
        .max(1);
    let rounded = exact(&format!("{v:.*e}", digits - 1));
    nearest(exact(text)) == v || aligned(rounded, exact(text)).is_some_and(|(a, b, _)| a == b)
}

/// Checks what holds for every set of ticks, given limits.
fn check_ticks(ticks: &[(f64, String)], low: f64, high: f64, what: &str) {
    for (value, label) in ticks {
        assert_eq!(nearest(exact(label)), *value, "{what}: '{label}' at {value}");
        assert!((low..=high).contains(value), "{what}: {value} is outside");
    }
    assert!(ticks.windows(2).all(|p| less(exact(&p[0].1), exact(&p[1].1))), "{what}: {ticks:?}");
}

#[test]
fn automatic_ticks_are_exactly_where_their_labels_say() {
    for seed in 0..5 * cases(400) {
        let mut r = Random(seed);
        let (low, high) = r.range();
        let most = r.within(1, 14) as usize;
        let ticks: Vec<_> = nice_ticks(low, high, most).into_iter().map(|t| (t.value, t.label)).collect();
        assert!(!ticks.is_empty() && ticks.len() <= most, "{low} {high} {most}: {ticks:?}");
        check_ticks(&ticks, low, high, &format!("{low} to {high}, {most}"));
        let mut norms = vec![Norm::Power { gamma: 0.5 }, Norm::CenterLinear { center: low }];
        norms.push(Norm::SymLog {
            linthresh: r.number().abs(),
            linscale: 1.0,
            base: [10.0, 2.0, 1.5][r.within(0, 2) as usize],
        });
        if low > 0.0 {
            norms.push(Norm::Log);
        }
        let center = ((low / 2.0 + high / 2.0) * 8.0).round() / 8.0;
        if low < center && center < high && center.abs() < 1e4 {
            norms.push(Norm::TwoSlope { center });
        }
        for norm in norms {
            let ticks: Vec<_> = norm_ticks(&norm, low, high, most)
                .into_iter()
                .filter(|t| t.exact)
                .map(|t| (t.value, t.label))
                .collect();
            check_ticks(&ticks, low, high, &format!("{norm:?} {low} to {high}, {most}"));
        }
    }
}

/// A figure of only a body and what `change` adds.
fn bare(change: impl FnOnce(&mut Figure)) -> Figure {
    let mut f = Figure::default();
    (f.x.ticks, f.y.ticks) = (Some(Ticks::Word(TicksWord::None)), Some(Ticks::Word(TicksWord::None)));
    (f.notes, f.annotations.show) = (Some(OnOff::Off), Some("off".parse().unwrap()));
    f.square = Some(Toggle::Off);
    change(&mut f);
    f
}

/// The labels of a bar with the middles of their ticks (0 to 1 along the ramp), the length of the ramp in pixels, the base, and
/// the power of ten of its numbers.
struct Labels {
    list: Vec<(String, f64)>,
    length: f64,
    beside: Option<String>,
    power: i32,
}

fn labels(p: &Prepared) -> Labels {
    let ramp = p.scene.items.iter().find_map(|i| {
        if let Item::Ramp { rect, horizontal, .. } = i { Some((rect.rect(), *horizontal)) } else { None }
    });
    let (ramp, horizontal) = ramp.expect("a figure with values has a bar");
    let mut out = Labels {
        list: Vec::new(),
        length: if horizontal { ramp.w } else { ramp.h },
        beside: None,
        power: p.frame.bars[0].numbers.power,
    };
    let title = &p.frame.bars[0].title();
    let mut tick = ramp.center();
    for item in &p.scene.items {
        match item {
            Item::Rect { rect, .. } => tick = rect.center(),
            Item::Text { text, .. } if text == title => {}
            Item::Text { text, degrees: 90, .. } => out.beside = text.split(" (×").next().map(str::to_owned),
            Item::Text { text, .. } => {
                let at =
                    if horizontal { (tick.x - ramp.x) / ramp.w } else { (ramp.bottom() - tick.y) / ramp.h };
                out.list.push((text.clone(), at));
            }
            _ => {}
        }
    }
    out
}

impl Labels {
    /// The power of ten and the base of labels that are multiples added to a base: `×10⁻³ + 7.25`, `×10⁻³ − 7.25`.
    fn multiples(&self) -> Option<(i32, Exact)> {
        let beside = self.beside.as_deref()?;
        let (unit, base) = beside.split_once(" + ").or_else(|| beside.split_once(" − "))?;
        let (m, e) = exact(base);
        let sign = if beside.contains(" − ") { -1 } else { 1 };
        Some((exact(unit.trim_start_matches('×')).1, (sign * m, e)))
    }

    /// The base to which labels with a sign are added.
    fn base(&self) -> Option<&str> {
        let first = self
            .list
            .first()
            .map(|l| l.0.as_str())
            .filter(|_| self.list.get(1).is_some_and(|l| l.0.starts_with('+')));
        let beside = self.beside.as_deref();
        beside.filter(|_| self.multiples().is_none()).or(first)
    }

    /// The number of each label.
    fn said(&self) -> Vec<Exact> {
        if let Some((power, base)) = self.multiples() {
            let one = |(m, e): Exact| self.unit(sum(base, (m, e + power)));
            return self.list.iter().map(|(text, _)| one(exact(text))).collect();
        }
        let base = self.base().map(exact);
        let one = |text: &str| match text.strip_prefix('+') {
            Some(more) => sum(base.expect("a label with a sign has a base"), exact(more)),
            None => exact(text),
        };
        self.list.iter().map(|(text, _)| self.unit(one(text))).collect()
    }

    /// A number of units.
    fn unit(&self, (m, e): Exact) -> Exact {
        (m, e + self.power)
    }

    /// Whether a label is a value in the units of the bar, as [`says`].
    fn says(&self, text: &str, v: f64) -> bool {
        let text = written(text);
        let (number, e) = text.split_once('e').unwrap_or((&text, "0"));
        match self.power {
            0 => says(&text, v),
            power => says(&format!("{number}e{}", e.parse::<i32>().unwrap() + power), v),
        }
    }

    /// Whether a place along the ramp is that of label `i`, apart from rounding to pixels.
    fn is_at(&self, i: usize, place: f64) -> bool {
        (self.list[i].1 - place).abs() * self.length <= 3.0
    }
}

fn place(s: &ScaleSpec, v: f64) -> f64 {
    let t = |v: f64| s.norm.t(v, s.vmin, s.vmax, 256);
    (t(v) - t(s.vmin)) / (t(s.vmax) - t(s.vmin))
}

fn drawn(figure: &Figure, values: Values, fonts: &mut Fonts) -> Prepared {
    let n = values.len();
    let grid = Grid::new(Axis::index("", 1), Axis::index("", n), values, &[]).unwrap();
    prepare(figure, &[grid], fonts, &mut Phases::new()).unwrap()
}

/// A bar of random place, size and font.
fn bar(r: &mut Random, f: &mut Figure) {
    f.color.bar = Some(if r.within(0, 3) == 0 { BarPlace::Bottom } else { BarPlace::Right });
    f.size.width = Some(format!("{}in", r.within(3, 8)).parse().unwrap());
    f.size.height = Some(format!("{}in", r.within(2, 6)).parse().unwrap());
    f.size.font_size = Some(format!("{}pt", r.within(5, 11)).parse().unwrap());
}

#[test]
fn every_label_of_a_bar_is_where_its_tick_is() {
    let mut fonts = Fonts::new();
    let plain = [(0.0, 2e6), (0.0, 2e5), (0.0, 2e7), (0.0, 2e-4), (1e6, 3e6), (0.99999, 1.00001)];
    let hard =
        [(20240101.0, 20240120.0), (1e9, 1e9 + 1.0), (0.0, 1.7e308), (-1.7e308, 1.7e308), (5e-324, 2e-323)];
    let known = [&plain[..], &hard[..]].concat();
    for seed in 0..cases(400) {
        let mut r = Random(seed);
        let (low, high) = known.get(seed as usize).copied().unwrap_or_else(|| r.range());
        let norms = ["linear", "power:0.5", "log", "symlog:0.01"];
        let norm = norms[if seed < known.len() as u64 { 0 } else { r.within(0, 3) as usize }];
        // Logarithms have no more digits than their values.
        let narrow = high / 2.0 - low / 2.0 < 1e-6 * low.abs().max(high.abs());
        if (norm == "log" && low <= 0.0) || (narrow && norm != "linear") {
            continue;
        }
        let limited = r.within(0, 4) == 0;
        let figure = bare(|f| {
            bar(&mut r, f);
            f.color.norm = (norm != "linear").then(|| norm.parse().unwrap());
            f.color.vmin = limited.then_some(low);
        });
        let p = drawn(&figure, Values::F64(vec![low, high]), &mut fonts);
        let (labels, s) = (labels(&p), p.colours.bars[0].scale.spec());
        let what = format!("seed {seed}: {norm} {low} to {high}: {:?} {:?}", labels.list, labels.beside);
        let said = labels.said();
        assert!(!said.is_empty() || figure.size.font_size == Some("5pt".parse().unwrap()), "{what}");
        assert!(said.windows(2).all(|p| less(p[0], p[1])), "{what}");
        let base = labels.multiples().map(|m| m.1);
        if let Some(base) = base.or_else(|| labels.base().map(exact)) {
            assert!((low..=high).contains(&nearest(labels.unit(base))), "{what}");
        }
        for (i, (d, (text, _))) in said.iter().zip(&labels.list).enumerate() {
            let v = nearest(*d);
            let own = (low..=high).contains(&v) && labels.is_at(i, place(s, v));
            // Limits are given, not chosen; so is the end of a bar without room for another number.
            let given = |v: f64| labels.says(text, v) && labels.is_at(i, place(s, v));
            // A short bar has both its ends.
            let is_end = said.len() == 2 && (given(low) || given(high));
            let is_limit = is_end
                || given(low) && (limited || said.len() == 1)
                || limited && (given(high) || labels.is_at(i, 1.0) && text.starts_with('+'));
            assert!(own || is_limit, "{what}: {text}");
        }
    }
}

#[test]
fn boundaries_and_quantiles_are_rounded_and_read_differently() {
    let mut fonts = Fonts::new();
    for seed in 0..cases(400) / 4 {
        let mut r = Random(seed ^ 0xb0);
        let (low, high) = r.range();
        let mut all: Vec<f64> =
            (0..r.within(2, 12)).map(|i| low + (high / 2.0 - low / 2.0) / 6.0 * f64::from(i)).collect();
        all.dedup();
        all.retain(|v| v.is_finite());
        if all.len() < 2 {
            continue;
        }
        // Numbers a few ulps apart have repeated shares, and a repeated number is at its last one.
        let far = low.abs().max(high.abs());
        let narrow = high / 2.0 - low / 2.0 < 1e-6 * far || far < 1e-300;
        let quantile = seed.is_multiple_of(2) && !narrow;
        let list = all.iter().map(|v| format!("{v:e}")).collect::<Vec<_>>().join(",");
        let figure = bare(|f| {
            bar(&mut r, f);
            f.color.norm = Some(if quantile {
                "quantile".parse().unwrap()
            } else {
                format!("bounds:{list}").parse().unwrap()
            });
        });
        let p = drawn(&figure, Values::F64(all.clone()), &mut fonts);
        let (labels, s) = (labels(&p), p.colours.bars[0].scale.spec());
        let what = format!("seed {seed}: {all:?}: {:?} {:?}", labels.list, labels.beside);
        assert!(labels.said().windows(2).all(|p| less(p[0], p[1])), "{what}");
        let (based, said) = (labels.base().is_some(), labels.said());
        let is_multiple = labels.multiples().is_some();
        let says = |i: usize, text: &str, v: f64| match is_multiple {
            true => nearest(said[i]) == v,
            false => says(text, v),
        };
        for (i, (text, _)) in labels.list.iter().enumerate().filter(|(_, l)| !(based && l.0.starts_with('+')))
        {
            let found = match &s.norm {
                Norm::Bounds(b) => b
                    .iter()
                    .enumerate()
                    .any(|(k, v)| says(i, text, *v) && labels.is_at(i, k as f64 / (b.len() - 1) as f64)),
                // Round values where they lie, and the ends, which are rounded.
                _ => {
                    let ends = [(s.vmin, 0.0), (s.vmax, 1.0)];
                    labels.is_at(i, place(s, nearest(said[i])))
                        || ends.iter().any(|(v, at)| says(i, text, *v) && labels.is_at(i, *at))
                }
            };
            assert!(found, "{what}: {text}");
        }
    }
}

#[test]
fn integers_beyond_f64_are_labelled_by_their_own_digits() {
    let mut fonts = Fonts::new();
    for seed in 0..cases(400) / 4 {
        let mut r = Random(seed ^ 0x1e9);
        let low = u64::MAX / 2 + r.bits() / 4;
        let high = low + r.within(1, 2000) as u64;
        let figure = bare(|f| {
            f.size.height = Some("4in".parse().unwrap());
            f.size.font_size = Some(format!("{}pt", r.within(7, 9)).parse().unwrap());
        });
        let labels = labels(&drawn(&figure, Values::U64(vec![low, high]), &mut fonts));
        let what = format!("{low} to {high}: {:?} {:?}", labels.list, labels.beside);
        assert!(labels.list.len() > 1, "{what}");
        for (i, (m, e)) in labels.said().into_iter().enumerate() {
            // Between few integers, ticks are at halves and quarters.
            let (k, v) =
                if e < 0 { (10i128.pow(e.unsigned_abs()), m) } else { (1, m * 10i128.pow(e as u32)) };
            let (low, high) = (i128::from(low) * k, i128::from(high) * k);
            assert!((low..=high).contains(&v), "{what}");
            assert!(labels.is_at(i, (v - low) as f64 / (high - low) as f64), "{what}");
        }
    }
}

#[test]
fn a_constant_grid_is_labelled_by_its_value() {
    let mut fonts = Fonts::new();
    for (v, want) in [
        (5.0, "5"),
        (1.7e308, "1.7×10³⁰⁸"),
        (-1.75e308, "−1.75×10³⁰⁸"),
        (5e-324, "5×10⁻³²⁴"),
        (0.1 + 0.2, "0.3"),
    ] {
        let labels = labels(&drawn(&bare(|_| {}), Values::F64(vec![v; 3]), &mut fonts));
        assert_eq!(labels.list.iter().map(|l| l.0.as_str()).collect::<Vec<_>>(), [want]);
    }
}

#[test]
fn a_million_boundaries_have_a_bar() {
    let list = (0..1_000_000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let figure = bare(|f| f.color.norm = Some(format!("bounds:{list}").parse().unwrap()));
    let labels = labels(&drawn(&figure, Values::F64(vec![0.0, 5e5, 9e5]), &mut Fonts::new()));
    assert!(labels.list.len() > 2);
    for (i, d) in labels.said().into_iter().enumerate() {
        assert!(labels.is_at(i, nearest(d) / 999_999.0), "{:?}", labels.list);
    }
}

#[test]
fn labels_of_an_axis_are_at_their_values() {
    let mut fonts = Fonts::new();
    let mut read = 0;
    for seed in 0..cases(400) {
        let mut r = Random(seed ^ 0xa41);
        let (low, high) = r.range();
        let n = r.within(3, 200) as usize;
        let share = |i: usize| i as f64 / (n - 1) as f64;
        let at = |i: usize| {
            if i + 1 == n { high } else { low * (1.0 - share(i)) + high * share(i) }
        };
        let centers: Vec<f64> = (0..n).map(at).collect();
        if centers.windows(2).any(|p| p[0] >= p[1]) {
            continue;
        }
        // Half a cell is still a number.
        let coarse = centers
            .windows(2)
            .all(|p| p[1] / 2.0 - p[0] / 2.0 > 1e-10 * p[0].abs().max(p[1].abs()).max(1e-290));
        let figure = bare(|f| {
            f.color.bar = Some(BarPlace::None);
            f.x.ticks = (r.within(0, 1) == 0).then(|| Ticks::Count(r.within(1, 30) as u32));
            f.x.spacing = (coarse && r.within(0, 3) == 0).then_some(Spacing::True);
            f.size.width = Some(format!("{}in", r.within(3, 9)).parse().unwrap());
        });
        let axis = Axis::number("", centers.clone(), centers.iter().map(|c| format!("{c:e}")).collect());
        let grid = Grid::new(Axis::index("", 2), axis, Values::F64(vec![1.0; 2 * n]), &[]).unwrap();
        let p = prepare(&figure, &[grid], &mut fonts, &mut Phases::new()).unwrap();
        let body = p.layout.panels[0].body.rect();
        let mut said = Vec::new();
        for item in &p.scene.items {
            let Item::Text { text, font_size, at, degrees: 0, .. } = item else {
                continue;
            };
            if text.contains('…') {
                continue;
            }
            let v = nearest(exact(text));
            said.push(exact(text));
            // A label of a cell may be rounded, as long as it is nearer to its own key than to others.
            let half = (high / 2.0 - low / 2.0) / (n - 1) as f64;
            let slack = half + low.abs().max(high.abs()) * 1e-15;
            assert!(v >= low - slack && v <= high + slack, "seed {seed}: {low} to {high}: {text}");
            let k = if high.abs().max(low.abs()) < 1e-200 { 2f64.powi(200) } else { 0.25 };
            let t = (v * k - low * k) / (high * k - low * k);
            let want = body.x + (t * (n - 1) as f64 + 0.5) / n as f64 * body.w;
            let x = at.x + fonts.size(text, *font_size).width / 2.0;
            // The widths of cells of a few units in the last place are not exactly equal.
            assert!(
                (x - want).abs() <= 2.0 + body.w / n as f64,
                "seed {seed}: {low} to {high}, {n} cells: '{text}' at {x}, not {want}"
            );
        }
        read += said.len();
        assert!(said.windows(2).all(|p| less(p[0], p[1])), "seed {seed}: {low} to {high}: {said:?}");
    }
    assert!(read as u64 > cases(400), "only {read} labels were read");
}
