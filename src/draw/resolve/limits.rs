//! Norm, limits and map of one colour scale, from the grids that share it.

use super::error::ResolveError;
use super::limit_rule::Limit;
use super::overrides::{ScaleChoice, ScaleOverrides};
use super::palette::Palette;
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, PanelSpec};
use gridscope_core::grid::{BeyondLimits, Grid, Number, ScanRequest, State, Stats, ranks};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{
    AutoLimits, Colormap, Fill, Hide, Norm, Pattern, ScaleSpec, between, default_fills, hidden_color, place,
};

/// How many breakpoints a quantile norm has.
const QUANTILES: usize = 256;

/// The percentiles of robust limits.
const ROBUST: [f64; 2] = [2.0, 98.0];

/// A colour scale as decided from the values.
pub(super) struct DecidedScale {
    pub spec: ScaleSpec,
    /// No cell has a value.
    pub empty: bool,
    /// Of each panel that shares the limits: cells beyond percentiles, if limits are percentiles.
    pub ranked: Vec<BeyondLimits>,
}

/// The scale of the panels `members`, whose stats are `stats`, with `overrides` over what the figure says. `counts` is
/// the greatest cell count under a pixel where the picture shows counts.
///
/// # Errors
/// Limits the wrong way round, a norm that the values do not allow or that needs a centre.
pub(super) fn scale_spec(
    figure: &Figure,
    overrides: &ScaleOverrides,
    grids: &[Grid],
    members: &[usize],
    stats: &[&Stats],
    palette: &Palette,
    counts: Option<f64>,
) -> Result<DecidedScale, ResolveError> {
    let none = PanelSpec::default();
    let choice = ScaleChoice::new(figure, &grids[members[0]], overrides);
    let own = choice.panel().unwrap_or(&none);
    let c = &figure.color;
    let is_positive = |s: &&Stats| s.range().is_none_or(|(least, greatest)| least >= 0.0 && greatest > 0.0);
    let ratios = choice.shows_ratios()
        && members.iter().any(|&i| stats[i].range().is_some())
        && members.iter().all(|&i| is_positive(&stats[i]));
    let mut norm = if counts.is_some() { Norm::Linear } else { choice.norm_of(ratios)? };
    let rule = norm.traits().limits;
    let limits = match counts {
        Some(most) => [Limit::Derived(0.0), Limit::Derived(most)],
        None => choice.limits(&norm, ratios),
    };
    let diverging = norm.traits().center.is_some() || ratios;
    let map = match choice.colormap() {
        Some(map) => map.clone(),
        None => Colormap::named(if diverging { "RdBu_r" } else { "viridis" })
            .map_err(|e| ResolveError::key("cmap", e.to_string()))?,
    };
    let mut range: Option<(f64, f64)> = None;
    let mut positive: Option<f64> = None;
    for s in members.iter().map(|&i| stats[i]) {
        if let Some((a, b)) = s.range() {
            range = Some(range.map_or((a, b), |(x, y)| (x.min(a), y.max(b))));
        }
        positive = [positive, s.least_positive].into_iter().flatten().reduce(f64::min);
    }
    let robust = choice.is_robust() && counts.is_none();
    let is_ranked = robust && limits.iter().any(|limit| limit.spans_values());
    let mut ranked = vec![BeyondLimits::default(); members.len()];
    if is_ranked || rule == AutoLimits::Quantiles {
        let quantiles = (0..=QUANTILES).map(|i| i as f64 * 100.0 / QUANTILES as f64);
        let quantiles = quantiles.filter(|_| rule == AutoLimits::Quantiles);
        let at: Vec<f64> = ROBUST.into_iter().chain(quantiles).collect();
        if let Some((ends, points)) = percentiles_of(grids, members, stats, &at)?.split_at_checked(2) {
            if is_ranked {
                range = Some((ends[0].value, ends[1].value));
                for (i, ranked) in ranked.iter_mut().enumerate() {
                    *ranked = [0, 1].map(|side| Some((ends[side].value, ends[side].beyond.get(i)?[side])));
                }
            }
            if let Norm::Quantile(all) = &mut norm {
                *all = points.iter().map(|p| p.value).collect();
            }
        }
    }
    let seen = overrides.seen.filter(|_| overrides.earlier.is_none());
    // Bounds and quantiles have limits of their own.
    if let (Some(r), Some(seen), None, false) =
        (range.as_mut(), seen, counts, matches!(rule, AutoLimits::Given(..) | AutoLimits::Quantiles))
    {
        *r = (r.0.min(seen.0), r.1.max(seen.1));
        positive = [positive, Some(seen.0).filter(|v| *v > 0.0)].into_iter().flatten().reduce(f64::min);
    }
    if rule == AutoLimits::Positive && positive.is_none() && range.is_some_and(|r| r.1 > 0.0) {
        for &i in members {
            let found = grids[i]
                .scan(&ScanRequest { positive: true, ..ScanRequest::default() })?
                .stats
                .least_positive;
            positive = [positive, found].into_iter().flatten().reduce(f64::min);
        }
    }
    if let (AutoLimits::Positive, Some(r)) = (rule, range.as_mut()) {
        r.0 = positive.unwrap_or(r.0);
    }
    // One value has the colour of its side, and no difference that of the middle.
    if let (Norm::CenterLinear { center }, Some((low, high)), true) = (&norm, range, choice.is_centered())
        && low == high
    {
        range = Some(if low == *center {
            (center - 1.0, center + 1.0)
        } else {
            (low.min(*center), high.max(*center))
        });
    }
    let is_found = matches!(rule, AutoLimits::Data | AutoLimits::Positive | AutoLimits::Quantiles);
    let empty = range.is_none() && is_found && counts.is_none();
    if empty {
        // Nothing to spread: the norm only chooses the map.
        norm = Norm::Linear;
    }
    let plain = matches!(norm, Norm::Linear) && !robust && counts.is_none();
    let exact = if plain && choice.given() == [None; 2] { beyond_f64(members, stats) } else { None };
    let [vmin, vmax] = values_of(limits, range);
    if rule == AutoLimits::Positive && positive.is_none() && !empty {
        let what = format!("nothing is positive, so a {} norm has nothing to show", norm.word());
        return Err(ResolveError::Data(what));
    }
    norm.check(vmin, vmax).map_err(ResolveError::Limits)?;
    let color = |own: &Option<Literal<Color>>, all: &Option<Literal<Color>>| {
        own.as_ref().or(all.as_ref()).map(|c| **c)
    };
    let under = color(&own.under, &c.under);
    let over = color(&own.over, &c.over);
    let mut fills = default_fills(palette.background, &map);
    let masked = || members.iter().filter(|&&i| stats[i].states[State::Masked.index()] > 0);
    if masked().count() > 0 && masked().all(|&i| grids[i].hides_all(State::Masked)) {
        fills[State::Masked.index()] =
            Fill { color: palette.background, pattern: Pattern::Solid, ink: palette.background };
    }
    let chosen = [
        (State::Nan, &c.nan),
        (State::Absent, &c.absent),
        (State::Masked, &c.masked),
        (State::Pending, &c.pending),
    ];
    for (state, color) in chosen {
        if let Some(color) = color {
            fills[state.index()] = Fill { color: **color, pattern: Pattern::Solid, ink: **color };
        }
    }
    let [below, above] = choice.hides();
    let hide = below.or(above).filter(|_| counts.is_none()).map(|_| Hide {
        below,
        above,
        color: c.masked.as_deref().copied().unwrap_or_else(|| {
            let values: Vec<Color> = map.entries.iter().copied().chain(under).chain(over).collect();
            hidden_color(palette.background, &values)
        }),
    });
    let spec = ScaleSpec { norm, vmin, vmax, map, under, over, fills, hide, exact };
    Ok(DecidedScale { spec, empty, ranked })
}

/// The limits by their rules, where automatic ones span `range`; `None`: no cell has a value.
fn values_of(limits: [Limit; 2], range: Option<(f64, f64)>) -> [f64; 2] {
    let (low, high) = range.unwrap_or_else(|| {
        let low = limits[0].number().unwrap_or(0.0);
        (low, low + 1.0)
    });
    [0, 1].map(|side| match limits[side] {
        Limit::Given(v) | Limit::Earlier(v) | Limit::Derived(v) => v,
        Limit::Data | Limit::Positive | Limit::Robust => [low, high][side],
        Limit::Around(center) => {
            let reach = range.map_or(1.0, |(a, b)| (b - center).abs().max((center - a).abs()));
            [center - reach, center + reach][side]
        }
        Limit::AroundOne => around_one((low, high))[side],
    })
}

/// Limits of ratios, as far below 1 as above it.
fn around_one((low, high): (f64, f64)) -> [f64; 2] {
    let most = high.max(1.0 / low);
    // Ratios that are all 1 have the middle colour.
    let most = if most > 1.0 { most } else { 2.0 };
    // A reciprocal is rounded: no value may be beyond.
    let least = 1.0 / most;
    [if low > 0.0 { least.min(low) } else { least }, most]
}

/// Least and greatest value where they are integers that f64 would round.
fn beyond_f64(members: &[usize], stats: &[&Stats]) -> Option<(Number, Number)> {
    let least =
        members.iter().filter_map(|&i| stats[i].min).reduce(|a, b| if b.is_below(a) { b } else { a })?;
    let greatest =
        members.iter().filter_map(|&i| stats[i].max).reduce(|a, b| if a.is_below(b) { b } else { a })?;
    let whole = |n: Number| !matches!(n, Number::F64(_));
    (whole(least) && whole(greatest) && least.as_f64().abs().max(greatest.as_f64().abs()) > 9e15)
        .then_some((least, greatest))
}

/// A percentile of the finite values of some panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Percentile {
    /// The value, by numpy's linear rule.
    pub value: f64,
    /// Of each panel, the values below and above it, infinities included; empty if many percentiles were requested.
    pub beyond: Vec<[u64; 2]>,
}

/// The percentiles (0 to 100) of all finite values of the panels `members`, whose stats are `stats`; none without a value.
///
/// # Errors
/// When a source does not give its cells.
pub fn percentiles_of(
    grids: &[Grid],
    members: &[usize],
    stats: &[&Stats],
    at: &[f64],
) -> Result<Vec<Percentile>, ResolveError> {
    let list: Vec<&Grid> = members.iter().map(|&i| &grids[i]).collect();
    let finite = |s: &Stats| s.values - s.pos_inf - s.neg_inf;
    let n: u64 = members.iter().map(|&i| finite(stats[i])).sum();
    if n == 0 {
        return Ok(Vec::new());
    }
    let places: Vec<(usize, usize, f64)> = at.iter().map(|p| place(n as usize, *p)).collect();
    let mut wanted: Vec<u64> = places.iter().flat_map(|p| [p.0 as u64, p.1 as u64]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = ranks(&list, n, &wanted)?;
    if found.len() < wanted.len() {
        // The cells were changed by their owner since they were counted.
        return Ok(Vec::new());
    }
    let ranked = |rank: usize| &found[wanted.partition_point(|w| *w < rank as u64)];
    let percentile = |(low, high, t): &(usize, usize, f64)| {
        let (low, high) = (ranked(*low), ranked(*high));
        let value = between(low.value, high.value, *t);
        // No value is between the two.
        let below = if value <= low.value { low } else { high };
        let beyond = members.iter().zip(below.of_grids.iter().zip(&high.of_grids));
        let is_high = value >= high.value;
        let beyond = beyond.map(|(&i, (below, [less, equal]))| {
            let up_to = less + if is_high { *equal } else { 0 };
            [stats[i].neg_inf + below[0], stats[i].pos_inf + finite(stats[i]).saturating_sub(up_to)]
        });
        Percentile { value, beyond: beyond.collect() }
    };
    Ok(places.iter().map(percentile).collect())
}

/// The finite values of a grid in memory.
pub(super) fn finite(g: &Grid) -> impl Iterator<Item = f64> + '_ {
    let w = g.width();
    (0..g.len())
        .filter_map(move |i| g.at(i / w, i % w).value())
        .map(gridscope_core::grid::Number::as_f64)
        .filter(|v| v.is_finite())
}
