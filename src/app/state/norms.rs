//! Norms of a scale: the next one that its values allow, or one by name.

use super::super::world::World;
use super::{Damage, State};
use crate::scale::Norm;

/// The order in which norms follow each other.
const CYCLE: [&str; 4] = ["linear", "log", "symlog", "quantile"];

/// The centre that the figure gives, as far as its norm shows it.
fn center(own: &Norm) -> Option<f64> {
    match own {
        Norm::TwoSlope { center } | Norm::CenterLinear { center } | Norm::Centered { center, .. } => Some(*center),
        _ => None,
    }
}

/// The word of a norm's text.
fn word(text: &str) -> &str {
    text.split(':').next().unwrap_or(text).trim()
}

impl State {
    /// The norm of a scale as it stands, the breakpoints of a quantile norm as painted.
    pub(super) fn norm(&self, scale: usize, world: &World) -> Option<Norm> {
        let own = &self.own.get(scale)?.norm;
        let Some(text) = &self.look.scales.get(scale)?.norm else { return Some(own.clone()) };
        let painted = || world.scales.get(scale).map(|s| s.spec().norm.clone());
        Norm::parse(text, center(own)).ok().or_else(painted)
    }

    /// Least and greatest finite value of the panels of a scale, and the least that is known to lie above zero.
    fn range(scale: usize, world: &World) -> (Option<(f64, f64)>, Option<f64>) {
        let members = world.scale_of.iter().zip(world.stats.iter()).filter(|(s, _)| **s == scale).map(|(_, s)| s);
        members.fold((None, None), |(range, positive): (Option<(f64, f64)>, Option<f64>), s| {
            let range = match (range, s.range()) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (a, b) => a.or(b),
            };
            (range, [positive, s.least_positive].into_iter().flatten().reduce(f64::min))
        })
    }

    /// Why a norm cannot show the values of a scale, if it cannot.
    fn unfit(&self, scale: usize, norm: &Norm, world: &World) -> Option<String> {
        let (range, positive) = Self::range(scale, world);
        let limits = self.limits(scale, world)?;
        match norm {
            Norm::Log => {
                let (_, most) = range?;
                let low = if limits.0 > 0.0 { limits.0 } else { positive.unwrap_or(f64::MIN_POSITIVE) };
                let high = if limits.1 > 0.0 { limits.1 } else { most };
                (most <= 0.0 || low > high).then(|| "nothing is positive, so a log norm has nothing to show".to_owned())
            }
            Norm::TwoSlope { center } => {
                let (least, most) = range.unwrap_or(limits);
                // Limits by hand that do not suit it will go.
                let limits = if norm.check(limits.0, limits.1).is_ok() { limits } else { (least, most) };
                norm.check(limits.0.max(least), limits.1.min(most))
                    .err()
                    .map(|_| format!("a twoslope norm wants values on both sides of its centre {center}"))
            }
            _ => None,
        }
    }

    /// A hundredth of the greatest magnitude's power of ten, as a text.
    fn symlog(scale: usize, world: &World) -> Option<String> {
        let (least, most) = Self::range(scale, world).0?;
        let magnitude = least.abs().max(most.abs());
        let text = format!("symlog:1e{}", magnitude.log10().floor() - 2.0);
        (magnitude > 0.0 && Norm::parse(&text, None).is_ok()).then_some(text)
    }

    /// The norms that follow each other, the figure's own (`None`) first.
    fn norms(&self, scale: usize, world: &World) -> Vec<Option<String>> {
        let Some(own) = self.own.get(scale).map(|o| &o.norm) else { return Vec::new() };
        if let Some(center) = center(own) {
            let other = if matches!(own, Norm::TwoSlope { .. }) { "linear" } else { "twoslope" };
            let fits = Norm::parse(other, Some(center)).is_ok_and(|n| self.unfit(scale, &n, world).is_none());
            return [None].into_iter().chain(fits.then(|| Some(other.to_owned()))).collect();
        }
        let at = CYCLE.iter().position(|w| *w == own.word());
        let (after, before) = (&CYCLE[at.map_or(0, |i| i + 1)..], &CYCLE[..at.unwrap_or(0)]);
        let offered = |w: &&str| match *w {
            "log" => self.unfit(scale, &Norm::Log, world).is_none().then(|| "log".to_owned()),
            "symlog" => Self::symlog(scale, world),
            word => Some(word.to_owned()),
        };
        [None].into_iter().chain(after.iter().chain(before).filter_map(offered).map(Some)).collect()
    }

    /// The next norm that the values allow.
    pub(super) fn next_norm(&mut self, scale: usize, world: &World) -> Damage {
        let list = self.norms(scale, world);
        let Some(look) = self.look.scales.get(scale) else { return Damage::NONE };
        let now = look.norm.as_deref().map(word);
        let at = list.iter().position(|n| n.as_deref().map(word) == now).unwrap_or(0);
        match list.get((at + 1) % list.len().max(1)) {
            Some(next) => self.set_norm(scale, next.clone(), world),
            None => Damage::NONE,
        }
    }

    /// A norm by its text.
    pub(super) fn name_norm(&mut self, scale: usize, text: &str, world: &World) -> Damage {
        let Some(own) = self.own.get(scale) else { return Damage::NONE };
        let refused = match Norm::parse(text, center(&own.norm)) {
            Ok(norm) => self.unfit(scale, &norm, world),
            Err(why) => Some(why),
        };
        match refused {
            Some(why) => self.say(why),
            None => self.set_norm(scale, Some(text.trim().to_owned()), world),
        }
    }

    /// A norm, or the figure's own; limits by hand that do not suit it go.
    fn set_norm(&mut self, scale: usize, text: Option<String>, world: &World) -> Damage {
        let look = &mut self.look.scales[scale];
        if look.norm == text {
            return Damage::NONE;
        }
        look.norm = text;
        // A drag of limits counts along the norm that it began with.
        self.release_bar();
        let Some(norm) = self.norm(scale, world) else { return Damage::COLORS };
        let look = &mut self.look.scales[scale];
        // Boundaries are limits themselves.
        let suits = |l: &(f64, f64)| !matches!(norm, Norm::Bounds(_)) && norm.check(l.0, l.1).is_ok();
        look.limits = look.limits.filter(suits);
        let name = look.norm.clone().unwrap_or_else(|| norm.word().to_owned());
        let name = if name == "center" { "linear".to_owned() } else { name };
        Damage::COLORS | self.say(format!("norm: {name}"))
    }
}
