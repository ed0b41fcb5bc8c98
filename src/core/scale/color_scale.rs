//! A scale compiled to thresholds: which values begin which entry of the map. Every back end counts them.

use super::colormap::Colormap;
use super::fill::{Fill, Pattern};
use super::norm::Norm;
use super::thresholds::{Classes, Line, even_guess, ordered_key, shown_thresholds};
use crate::color::Color;
use crate::grid::{BACKGROUND, Kind, Number, Shown, State};
use std::cmp::Ordering;

/// A scale for the numbers of one kind.
///
/// Back ends shade 32 bits a pixel. Of f32 these are the numbers themselves. Wider numbers are classed here: the bits are
/// those of the class as f32 (0 below the limits, 1 to N the entries of the map, N + 1 above), which every back end counts
/// thresholds for in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorScale {
    spec: ScaleSpec,
    thresholds: Vec<i32>,
    lut: Vec<Color>,
    /// The whole part of `(value - low) * per` is the index of a value or one beside it.
    guess: Option<(f32, f32)>,
    /// Of a wide kind: the thresholds of its numbers.
    classes: Option<Classes>,
}

impl ColorScale {
    /// The same scale in other colours.
    pub fn recoloured(&self, seen: impl Fn(Color) -> Color) -> Self {
        let mut spec = self.spec.clone();
        spec.map.entries.iter_mut().for_each(|c| *c = seen(*c));
        for color in [&mut spec.under, &mut spec.over].into_iter().flatten() {
            *color = seen(*color);
        }
        for fill in &mut spec.fills {
            (fill.color, fill.ink) = (seen(fill.color), seen(fill.ink));
        }
        if let Some(hide) = &mut spec.hide {
            hide.color = seen(hide.color);
        }
        Self { lut: self.lut.iter().map(|c| seen(*c)).collect(), spec, ..self.clone() }
    }

    /// Compiles a scale for numbers of a kind.
    pub fn new(spec: &ScaleSpec, kind: Kind) -> Self {
        let n = spec.map.entries.len();
        let classes = kind.is_wide().then(|| Classes::new(spec, kind));
        let shown = shown_thresholds(spec, Line::of(spec, kind));
        let thresholds: Vec<i32> = match classes {
            Some(_) => (1..=shown.keys.len() as u32).map(|k| ordered_key((k as f32).to_bits())).collect(),
            None => shown.keys.into_iter().map(|k| k as i32).collect(),
        };
        let under = spec.under.unwrap_or(spec.map.entries[0]);
        let over = spec.over.unwrap_or(spec.map.entries[n - 1]);
        let all: Vec<Color> =
            [under].into_iter().chain(spec.map.entries.iter().copied()).chain([over]).collect();
        let hidden = |end: fn(&Hide) -> Option<f64>| spec.hide.filter(|h| end(h).is_some()).map(|h| h.color);
        let (below, above) = (hidden(|h| h.below), hidden(|h| h.above));
        let lut = below.into_iter().chain(all[shown.colors].iter().copied()).chain(above).collect();
        let guess = even_guess(&thresholds);
        Self { spec: spec.clone(), thresholds, lut, guess, classes }
    }

    /// The bits that back ends shade for a number; [`State::Nan`]'s for NaN.
    #[inline]
    pub fn bits(&self, v: Number) -> u32 {
        match &self.classes {
            None => {
                let bits = (v.as_f64() as f32).to_bits();
                if State::of_bits(bits).is_some() { State::Nan.bits() } else { bits }
            }
            Some(_) if v.as_f64().is_nan() => State::Nan.bits(),
            Some(classes) => (classes.reached(v) as f32).to_bits(),
        }
    }

    /// The bits that back ends shade for a pixel that shows this.
    #[inline]
    pub fn shown_bits(&self, shown: Shown) -> u32 {
        match shown {
            Shown::Background => BACKGROUND,
            Shown::State(s) => s.bits(),
            Shown::Value(v) => self.bits(v),
        }
    }

    /// The thresholds of a wide kind as keys of its numbers, of which a number has reached as many as its place in
    /// [`ColorScale::lut`]; none of a scale of f32.
    pub fn keys_of(&self, kind: Kind) -> Vec<i64> {
        self.classes.as_ref().map_or_else(Vec::new, |c| c.keys_of(kind))
    }

    /// The place in [`ColorScale::lut`] of a number.
    pub fn index_of(&self, v: Number) -> usize {
        self.index(self.bits(v))
    }

    /// The description it was made of.
    pub fn spec(&self) -> &ScaleSpec {
        &self.spec
    }

    /// N + 1 ascending keys of the bits that back ends shade: where each entry begins, and where values lie above. Where values
    /// are hidden there are other ones: where these end or begin, and those of the entries that are left.
    pub fn thresholds(&self) -> &[i32] {
        &self.thresholds
    }

    /// N + 2 colours: under, the entries, over; of hidden values there is one colour.
    pub fn lut(&self) -> &[Color] {
        &self.lut
    }

    /// Fills of cells without a value, by [`State::index`].
    pub fn fills(&self) -> &[Fill; State::ALL.len()] {
        &self.spec.fills
    }

    /// The place in [`ColorScale::lut`] of the bits of a value: the number of thresholds they have reached.
    #[inline(always)]
    pub fn index(&self, bits: u32) -> usize {
        let key = ordered_key(bits);
        let Some((low, per)) = self.guess else {
            return self.thresholds.partition_point(|t| *t <= key);
        };
        let (guess, most) = ((f32::from_bits(bits) - low) * per, (self.thresholds.len() - 1) as f32);
        let guess = if guess > 1.0 { guess } else { 1.0 };
        let n = (if guess < most { guess } else { most }) as i32 as usize - 1;
        n + usize::from(self.thresholds[n] <= key) + usize::from(self.thresholds[n + 1] <= key)
    }

    /// The colour of stored bits at the body's pixel (`px`, `py`); `unit` is the step of patterns in pixels.
    #[inline(always)]
    pub fn shade(&self, bits: u32, px: u32, py: u32, unit: u32) -> Color {
        match State::of_bits(bits) {
            Some(s) => self.spec.fills[s.index()].color_at(px, py, unit),
            None => self.lut[self.index(bits)],
        }
    }

    /// Whether stored bits are those of a state that has a pattern, whose colours depend on the pixel.
    pub fn is_patterned(&self, bits: u32) -> bool {
        State::of_bits(bits).is_some_and(|s| self.spec.fills[s.index()].pattern != Pattern::Solid)
    }

    /// Where the limits lie in the map, 0 to 1: a norm with a centre may leave one end unused.
    pub fn span(&self) -> (f64, f64) {
        let (s, n) = (&self.spec, self.spec.map.entries.len());
        match s.norm {
            Norm::CenterLinear { .. } if s.vmin < s.vmax => {
                (s.norm.t(s.vmin, s.vmin, s.vmax, n), s.norm.t(s.vmax, s.vmin, s.vmax, n))
            }
            Norm::Bounds(_) => (0.0, 1.0),
            // Integers beyond f64 may differ where their nearest f64 do not.
            _ => (
                0.0,
                if s.vmin < s.vmax || s.exact.is_some_and(|(a, b)| a.compare(b) == Some(Ordering::Less)) {
                    1.0
                } else {
                    0.0
                },
            ),
        }
    }

    /// Whether cells of a value are hidden.
    pub fn hides(&self, v: f64) -> bool {
        self.spec.hide.is_some_and(|h| h.hides(v))
    }

    /// The colour of pixel `i` of a bar of `n` pixels, from its low end.
    pub fn ramp(&self, i: u32, n: u32) -> Color {
        let (t0, t1) = self.span();
        if let Some(hide) = &self.spec.hide {
            let (share, s) = ((f64::from(i) + 0.5) / f64::from(n), &self.spec);
            let t = if matches!(s.norm, Norm::Bounds(_)) { share } else { t0 + (t1 - t0) * share };
            if hide.hides(s.norm.inverse(t, s.vmin, s.vmax)) {
                return hide.color;
            }
        }
        let entries = &self.spec.map.entries;
        if let Norm::Bounds(b) = &self.spec.norm {
            // Bins are equally long, whatever their width in values.
            let bin = (u64::from(i) * (b.len().max(1) as u64 - 1) / u64::from(n)) as usize;
            let low = b.get(bin).copied().unwrap_or(self.spec.vmin);
            let t = self.spec.norm.t(low, self.spec.vmin, self.spec.vmax, entries.len());
            return entries[((t * entries.len() as f64) as usize).min(entries.len() - 1)];
        }
        let t = t0 + (t1 - t0) * (f64::from(i) + 0.5) / f64::from(n);
        entries[((t * entries.len() as f64) as usize).min(entries.len() - 1)]
    }
}

/// Values that are not shown: cells and pixels of such a value have one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hide {
    /// Values less than this.
    pub below: Option<f64>,
    /// Values greater than this.
    pub above: Option<f64>,
    /// The colour in their place.
    pub color: Color,
}

impl Hide {
    /// Whether a value is not shown.
    pub fn hides(&self, v: f64) -> bool {
        self.below.is_some_and(|below| v < below) || self.above.is_some_and(|above| v > above)
    }
}

/// A scale as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleSpec {
    /// How values spread.
    pub norm: Norm,
    /// The value at the low end.
    pub vmin: f64,
    /// The value at the high end.
    pub vmax: f64,
    /// The colours.
    pub map: Colormap,
    /// Below the limits; the first entry unless set.
    pub under: Option<Color>,
    /// Above the limits; the last entry unless set.
    pub over: Option<Color>,
    /// Cells without a value, by [`State::index`].
    pub fills: [Fill; State::ALL.len()],
    /// Values that are not shown.
    pub hide: Option<Hide>,
    /// The limits as the source holds them, where f64 cannot (integers beyond 2^53).
    pub exact: Option<(Number, Number)>,
}

#[cfg(test)]
mod tests {
    use super::super::colormap::Colormap;
    use super::super::fill::default_fills;
    use super::*;
    use gridscope_random::Random;

    fn spec(norm: Norm, vmin: f64, vmax: f64) -> ScaleSpec {
        let map = Colormap::named("viridis").unwrap();
        ScaleSpec {
            norm,
            vmin,
            vmax,
            fills: default_fills(Color::WHITE, &map),
            map,
            under: None,
            over: None,
            hide: None,
            exact: None,
        }
    }

    #[test]
    fn counting_thresholds_is_the_norm_in_f64() {
        let mut random = Random(1);
        let cases = [
            (Norm::Linear, 0.0, 10.0),
            (Norm::Linear, -3.5, 1e-3),
            (Norm::Log, 1e-4, 1e5),
            (Norm::SymLog { linthresh: 0.1, linscale: 1.0, base: 10.0 }, -100.0, 1000.0),
            (Norm::Power { gamma: 0.4 }, 0.0, 7.0),
            (Norm::TwoSlope { center: 1.0 }, -10.0, 2.0),
            (Norm::CenterLinear { center: 1.0 }, -10.0, 2.0),
            (Norm::Bounds(vec![0.0, 1.0, 4.0, 9.0]), 0.0, 9.0),
            (Norm::Quantile(vec![0.0, 1.0, 1.5, 9.0]), 0.0, 9.0),
            (Norm::Linear, 1e-42, 3e-42),
            (Norm::Linear, -3e38, 3e38),
        ];
        for (norm, vmin, vmax) in cases {
            let s = spec(norm, vmin, vmax);
            let scale = ColorScale::new(&s, Kind::F32);
            assert!(scale.thresholds().windows(2).all(|p| p[0] <= p[1]));
            for _ in 0..5000 {
                let u = random.unit();
                let v = (vmin + (vmax / 2.0 - vmin / 2.0) * 2.2 * u) as f32;
                let f = f64::from(v);
                let expected = if f < vmin {
                    0
                } else if f > vmax {
                    257
                } else {
                    1 + ((s.norm.t(f.clamp(vmin, vmax), vmin, vmax, 256) * 256.0) as usize).min(255)
                };
                assert_eq!(scale.index(v.to_bits()), expected, "{:?} {v}", s.norm);
            }
            assert_eq!(scale.index(f32::INFINITY.to_bits()), 257);
            assert_eq!(scale.index(f32::NEG_INFINITY.to_bits()), 0);
        }
    }

    #[test]
    fn hidden_values_have_one_colour_in_every_kind_and_all_others_their_own() {
        let mut random = Random(4242);
        let hidden = Color::rgb(1, 2, 3);
        let norms = [
            (Norm::Linear, -3.5, 6.5),
            (Norm::Log, 1e-3, 1e3),
            (Norm::TwoSlope { center: 1.0 }, -10.0, 2.0),
            (Norm::Bounds(vec![0.0, 1.0, 4.0, 9.0]), 0.0, 9.0),
            (Norm::Linear, 4.0, 4.0),
        ];
        for (norm, vmin, vmax) in norms {
            for case in 0..40 {
                let mut at = || {
                    let u = random.unit();
                    vmin + (vmax - vmin + 1.0) * (2.0 * u - 0.5)
                };
                let hide = Hide {
                    below: (case % 3 != 1).then(&mut at),
                    above: (case % 3 != 0).then(&mut at),
                    color: hidden,
                };
                let plain = spec(norm.clone(), vmin, vmax);
                let own = ScaleSpec { hide: Some(hide), ..plain.clone() };
                for kind in [Kind::F32, Kind::F64, Kind::I64] {
                    let (all, shown) = (ColorScale::new(&plain, kind), ColorScale::new(&own, kind));
                    assert_eq!(shown.lut().len(), shown.thresholds().len() + 1, "{hide:?}");
                    for round in 0..60 {
                        let v = match (round, kind) {
                            (0, _) => f64::from(hide.below.unwrap_or(0.0) as f32),
                            (1, _) => f64::from(hide.above.unwrap_or(0.0) as f32),
                            (2, Kind::F64) => hide.below.unwrap_or(0.0),
                            (3, Kind::F64) => hide.above.unwrap_or(0.0),
                            (4, _) => f64::INFINITY,
                            (5, _) => f64::NEG_INFINITY,
                            _ => f64::from(at() as f32),
                        };
                        let v = match kind {
                            Kind::I64 if v.is_finite() => Number::I64(v.round() as i64),
                            _ => Number::F64(v),
                        };
                        let want = if hide.hides(v.as_f64()) { hidden } else { all.lut()[all.index_of(v)] };
                        assert_eq!(shown.lut()[shown.index_of(v)], want, "{norm:?} {hide:?} {kind:?} {v:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_bar_shows_what_is_hidden() {
        let mut own = spec(Norm::Linear, 0.0, 10.0);
        let plain = ColorScale::new(&own, Kind::F32);
        let color = Color::rgb(1, 2, 3);
        own.hide = Some(Hide { below: Some(2.0), above: Some(8.0), color });
        let scale = ColorScale::new(&own, Kind::F32);
        for i in 0..100 {
            let want = if (20..80).contains(&i) { plain.ramp(i, 100) } else { color };
            assert_eq!(scale.ramp(i, 100), want, "{i}");
        }
    }

    #[test]
    fn limits_belong_to_the_ends_of_the_map_in_every_kind() {
        for v in [
            vec![1e9, 1e9 + 0.5, 1e9 + 1.0],
            vec![0.1, 0.2, 0.3],
            vec![1e300, 2e300, 5e300],
            vec![4.0, 4.0, 4.0],
        ] {
            let scale = ColorScale::new(&spec(Norm::Linear, v[0], v[2]), Kind::F64);
            let i = |v: f64| scale.index_of(Number::F64(v));
            assert_eq!(i(v[0]), 1, "{v:?}");
            assert_eq!(i(v[2]), if v[0] == v[2] { 1 } else { 256 }, "{v:?}");
        }
    }

    #[test]
    fn integers_beyond_f64_keep_their_colours() {
        let v = [u64::MAX - 2, u64::MAX - 1, u64::MAX];
        let mut s = spec(Norm::Linear, v[0] as f64, v[2] as f64);
        s.exact = Some((Number::U64(v[0]), Number::U64(v[2])));
        let scale = ColorScale::new(&s, Kind::U64);
        assert_eq!(v.map(|v| scale.index_of(Number::U64(v))), [1, 129, 256]);
        assert_eq!(scale.index_of(Number::F64(v[1] as f64)), 256);
    }

    #[test]
    fn a_constant_scale_has_a_low_colour_and_both_sides() {
        let scale = ColorScale::new(&spec(Norm::Linear, 5.0, 5.0), Kind::F32);
        assert_eq!([4.9f32, 5.0, 5.1].map(|v| scale.index(v.to_bits())), [0, 1, 257]);
        assert_eq!(scale.ramp(99, 100), scale.spec().map.entries[0]);
    }
}
