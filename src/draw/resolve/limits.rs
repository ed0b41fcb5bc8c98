//! Norm, limits and map of one colour scale, from the grids that share it: the rule for each limit, and outliers that take most
//!  of them.

use super::bars::{ScaleGroup, scale_groups};
use super::colour::{Folded, Palette};
use super::error::ResolveError;
use super::notes::place_of;
use super::overrides::{Overrides, ScaleChoice, ScaleOverrides};
use gridscope_core::color::Color;
use gridscope_core::figure::{Figure, PanelSpec};
use gridscope_core::grid::{BeyondLimits, Grid, Number, ScanRequest, ScanResult, State, Stats, ranks};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{
    AutoLimits, Colormap, Fill, Hide, Norm, Pattern, ScaleSpec, ValueRule, between, default_fills,
    hidden_color, place, short,
};

/// Passes over grids of this many cells take longer than a frame of a window.
pub const LARGE: usize = 1 << 20;
/// A count of cells beyond a limit that nobody knows yet, which is not 0.
pub const NOT_COUNTED: u64 = u64::MAX;

/// Questions about all cells of a grid, by their first word.
const BEYOND: u64 = 1;
const PERCENTILES: u64 = 2;

/// How many breakpoints a quantile norm has.
const QUANTILES: u64 = 1_024;

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

/// The percentiles that a scale is made of; `None`: of none. The first two are those of robust limits.
fn ranks_of(is_ranked: bool, rule: AutoLimits, members: &[usize], stats: &[&Stats]) -> Option<Vec<f64>> {
    if !is_ranked && rule != AutoLimits::Quantiles {
        return None;
    }
    // Of few values each has its own.
    let values: u64 = members.iter().map(|&i| stats[i].values - stats[i].pos_inf - stats[i].neg_inf).sum();
    let steps = values.saturating_sub(1).clamp(1, QUANTILES);
    let quantiles = (0..=steps).map(|i| i as f64 * 100.0 / steps as f64);
    Some(ROBUST.into_iter().chain(quantiles.filter(|_| rule == AutoLimits::Quantiles)).collect())
}

/// Percentiles of the values of some panels together.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedPercentiles {
    /// The panels, by number.
    pub panels: Vec<usize>,
    /// The percentiles, 0 to 100.
    pub at: Vec<f64>,
}

/// The percentiles of large grids that the scales of a figure are made of and that are not known yet, by scale.
///
/// # Errors
/// A `scale` of the figure that does not exist.
pub fn unknown_percentiles(
    figure: &Figure,
    overrides: &Overrides,
    grids: &[Grid],
    stats: &[&Stats],
) -> Result<Vec<SharedPercentiles>, ResolveError> {
    let mut out = Vec::new();
    for (index, ScaleGroup { among, .. }) in scale_groups(figure, grids)?.into_iter().enumerate() {
        let changes = overrides.scale(index);
        let choice = ScaleChoice::new(figure, &grids[among[0]], &changes);
        let ratios = choice.shows_ratios();
        let norm = choice.norm_of(ratios).unwrap_or(Norm::Linear);
        let is_ranked = choice.is_robust() && choice.limits(&norm, ratios).iter().any(|l| l.spans_values());
        let at = ranks_of(is_ranked, norm.traits().limits, &among, stats);
        out.extend(
            at.filter(|at| !knows_percentiles(grids, &among, at))
                .map(|at| SharedPercentiles { panels: among, at }),
        );
    }
    Ok(out)
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
    if let Some(at) = ranks_of(is_ranked, rule, members, stats)
        && let Some((ends, points)) = percentiles_of(grids, members, stats, &at)?.split_at_checked(2)
    {
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
    let [vmin, vmax] = within_reach(limits, values_of(limits, range), &norm);
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

/// The limits with automatic ones where a given one, or the centre of the norm, leaves them no room: at the given one, and as far on the
/// other side of the centre, as matplotlib's `TwoSlopeNorm` has them.
fn within_reach(limits: [Limit; 2], [low, high]: [f64; 2], norm: &Norm) -> [f64; 2] {
    let is_free = limits.map(|limit| limit.number().is_none());
    if let ValueRule::BothSides(center) = norm.traits().values {
        let reach = |limit: f64| if limit == center { 1.0 } else { (limit - center).abs() };
        let low = if is_free[0] && low >= center && high >= center { center - reach(high) } else { low };
        let high = if is_free[1] && high <= center && low < center { center + reach(low) } else { high };
        return [low, high];
    }
    match is_free {
        [true, false] if low > high => [high; 2],
        [false, true] if low > high => [low; 2],
        _ => [low, high],
    }
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
    let question = percentiles_question(grids, members, at);
    let remember = |answer: Vec<u64>| {
        if let Some(question) = &question {
            grids[members[0]].remember(question.clone(), answer);
        }
    };
    if n == 0 || at.is_empty() {
        remember(Vec::new());
        return Ok(Vec::new());
    }
    if let Some(known) = question.as_ref().and_then(|question| grids[members[0]].recall(question)) {
        let of = |words: &[u64]| Percentile {
            value: f64::from_bits(words[0]),
            beyond: words[1..].chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        };
        return Ok(known.chunks_exact((known.len() / at.len()).max(1)).map(of).collect());
    }
    let places: Vec<(usize, usize, f64)> = at.iter().map(|p| place(n as usize, *p)).collect();
    let mut wanted: Vec<u64> = places.iter().flat_map(|p| [p.0 as u64, p.1 as u64]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = ranks(&list, n, &wanted)?;
    if found.len() < wanted.len() {
        // The cells were changed by their owner since they were counted.
        remember(Vec::new());
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
    let all: Vec<Percentile> = places.iter().map(percentile).collect();
    let words = |p: &Percentile| {
        std::iter::once(p.value.to_bits()).chain(p.beyond.iter().flatten().copied()).collect::<Vec<_>>()
    };
    remember(all.iter().flat_map(words).collect());
    Ok(all)
}

/// The question for percentiles of large grids, whose answer the first of them remembers.
fn percentiles_question(grids: &[Grid], members: &[usize], at: &[f64]) -> Option<Vec<u64>> {
    let cells: usize = members.iter().map(|&i| grids[i].len()).sum();
    let ids = || members.iter().map(|&i| grids[i].cells_id());
    (cells >= LARGE).then(|| {
        let words = [PERCENTILES, members.len() as u64].into_iter().chain(ids());
        words.chain(at.iter().map(|p| p.to_bits())).collect()
    })
}

/// Whether percentiles of these panels are known, or are found within a frame of a window.
pub fn knows_percentiles(grids: &[Grid], members: &[usize], at: &[f64]) -> bool {
    let question = percentiles_question(grids, members, at);
    question.is_none_or(|question| grids[members[0]].recall(&question).is_some())
}

/// The finite values of a grid in memory.
pub(super) fn finite(g: &Grid) -> impl Iterator<Item = f64> + '_ {
    let w = g.width();
    (0..g.len())
        .filter_map(move |i| g.at(i / w, i % w).value())
        .map(gridscope_core::grid::Number::as_f64)
        .filter(|v| v.is_finite())
}

/// Rule for one limit of a colour scale. What is found in the values is no narrower than [`ScaleOverrides::seen`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A number of the figure, or of a change over it.
    Given(f64),
    /// A number of earlier data or of all slices of an array, where none is given.
    Earlier(f64),
    /// A number that follows from the norm, or from the other limit.
    Derived(f64),
    /// The least or the greatest value.
    Data,
    /// The least value above zero.
    Positive,
    /// A percentile of the values.
    Robust,
    /// As far from this centre as the farthest value.
    Around(f64),
    /// As many times below 1 as above it.
    AroundOne,
}

/// The least number above zero: values below it are not positive.
const LEAST_POSITIVE: f64 = f64::from_bits(1);

impl Limit {
    /// The limit, where it does not depend on the values.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Given(v) | Self::Earlier(v) | Self::Derived(v) => Some(v),
            Self::Data | Self::Positive | Self::Robust | Self::Around(_) | Self::AroundOne => None,
        }
    }

    /// Whether the limit depends on the span of the values, of all or between percentiles.
    fn spans_values(self) -> bool {
        self.number().is_none() && self != Self::Positive
    }

    /// The number beyond which a pass counts the values for this limit.
    fn counted_at(self) -> Option<f64> {
        // No value is between zero and the least one above it.
        let positive = (self == Self::Positive).then_some(LEAST_POSITIVE);
        self.number().or(positive)
    }
}

impl ScaleChoice<'_> {
    /// The rules for both limits under a norm; of `ratios`, 1 is at the middle of the map.
    pub(super) fn limits(&self, norm: &Norm, ratios: bool) -> [Limit; 2] {
        let rule = norm.traits().limits;
        let automatic = match rule {
            AutoLimits::Given(low, high) => [Limit::Derived(low), Limit::Derived(high)],
            AutoLimits::Around { center, half: Some(half) } => {
                [Limit::Derived(center - half), Limit::Derived(center + half)]
            }
            AutoLimits::Around { center, half: None } => [Limit::Around(center); 2],
            AutoLimits::Data | AutoLimits::Positive | AutoLimits::Quantiles => {
                let found = if self.is_robust() { Limit::Robust } else { Limit::Data };
                let is_positive = rule == AutoLimits::Positive;
                [if is_positive { Limit::Positive } else { found }, found]
            }
        };
        let given = self.given();
        let automatic = match given.map(|limit| limit.and_then(Limit::number)) {
            [None, None] if ratios => [Limit::AroundOne; 2],
            [None, Some(vmax)] if ratios && vmax > 1.0 => [Limit::Derived(1.0 / vmax), automatic[1]],
            [Some(vmin), None] if ratios && 0.0 < vmin && vmin < 1.0 => {
                [automatic[0], Limit::Derived(1.0 / vmin)]
            }
            _ => automatic,
        };
        [0, 1].map(|side| given[side].unwrap_or(automatic[side]))
    }
}

/// Request to one pass over each grid, for its colour scale: counts beyond all limits that do not depend on the values, and
/// the least value above zero where a limit may be that.
///
/// # Errors
/// A `scale` of the figure that does not exist.
pub fn scan_requests(figure: &Figure, grids: &[Grid]) -> Result<Vec<ScanRequest<'static>>, ResolveError> {
    let mut out = vec![ScanRequest::default(); grids.len()];
    for ScaleGroup { panels, among } in scale_groups(figure, grids)? {
        let changes = ScaleOverrides::default();
        let choice = ScaleChoice::new(figure, &grids[among[0]], &changes);
        let ratios = choice.shows_ratios();
        // A norm without its centre is refused when the colours are decided.
        let norm = choice.norm_of(ratios).unwrap_or(Norm::Linear);
        let limits = choice.limits(&norm, ratios).map(Limit::counted_at);
        panels.iter().for_each(|&i| out[i].limits = limits);
        let is_positive = norm.traits().limits == AutoLimits::Positive;
        among.iter().for_each(|&i| out[i].positive |= is_positive);
    }
    Ok(out)
}

/// Cells below and above the limits, infinities among them. `ranked` are counts that came with percentiles. Another pass
/// counts what neither they nor the scan have; in a large grid `later` leaves it [`NOT_COUNTED`].
///
/// # Errors
/// When the source does not give its cells.
pub(super) fn beyond(
    grid: &Grid,
    scan: &ScanResult,
    ranked: BeyondLimits,
    limits: [f64; 2],
    later: bool,
) -> Result<[u64; 2], ResolveError> {
    let stats = &scan.stats;
    let counted = [0, 1].map(|side| {
        let limit = limits[side];
        let is_within =
            stats.range().is_none_or(|(min, max)| if side == 0 { limit <= min } else { max <= limit });
        if is_within {
            return Some([stats.neg_inf, stats.pos_inf][side]);
        }
        // Without values from zero to the limit, those below it are those that are not positive.
        let is_least = side == 0 && stats.least_positive.is_none_or(|least| limit <= least);
        let is_same = |at: f64| at == limit || (is_least && at == LEAST_POSITIVE && limit > 0.0);
        let known = [scan.beyond[side], ranked[side]].into_iter().flatten();
        known.filter(|(at, _)| is_same(*at)).map(|(_, count)| count).next()
    });
    if let [Some(below), Some(above)] = counted {
        return Ok([below, above]);
    }
    if later && grid.len() >= LARGE && grid.recall(&beyond_question(limits)).is_none() {
        return Ok(counted.map(|count| count.unwrap_or(NOT_COUNTED)));
    }
    count_beyond(grid, limits)
}

fn beyond_question(limits: [f64; 2]) -> Vec<u64> {
    vec![BEYOND, limits[0].to_bits(), limits[1].to_bits()]
}

/// Counts the cells below and above two limits, infinities among them, in a pass over the grid. Large grids remember it.
///
/// # Errors
/// When the source does not give its cells.
pub fn count_beyond(grid: &Grid, limits: [f64; 2]) -> Result<[u64; 2], ResolveError> {
    let question = beyond_question(limits);
    if let Some([below, above]) = grid.recall(&question).as_deref() {
        return Ok([*below, *above]);
    }
    let again = grid.scan(&ScanRequest { limits: limits.map(Some), ..ScanRequest::default() })?;
    let counts = again.beyond.map(|counted| counted.map_or(0, |(_, count)| count));
    if grid.len() >= LARGE {
        grid.remember(question, counts.to_vec());
    }
    Ok(counts)
}

/// In fewer cells than this one of them is not an exception.
const FEWEST: usize = 10;
/// Values whose median is taken for that of all.
const SAMPLE: usize = 4096;

/// The share of the limits of a hint that nine tenths of the values span at least.
const USED: f64 = 0.2;

/// Whether a number is one that programs write in place of none: nines alone, or far beyond all others.
fn stands_for_none(v: f64) -> bool {
    let digits: String = v.abs().to_string().chars().filter(char::is_ascii_digit).collect();
    let nines = digits.trim_end_matches('0');
    digits.len() > 2 && nines.len() > 2 && nines.bytes().all(|b| b == b'9')
        || v.abs() >= 1e20
        || v == -32768.0
}

/// Warns where without the most extreme of all panels that share limits the rest would span under half of them.
pub(super) fn outliers(
    grids: &[Grid],
    folded: &[Folded<'_>],
    members: &[usize],
    (vmin, vmax): (f64, f64),
    out: &mut Lints,
) {
    let quarter = (vmax - vmin) / 4.0;
    let (mut n, mut bottom, mut top) = (0usize, 0usize, 0usize);
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    let mut ends = (0usize, 0usize);
    each(grids, folded, members, |low, high| {
        n += 1;
        ends.0 = usize::from(low <= range.0) + if low < range.0 { 0 } else { ends.0 };
        ends.1 = usize::from(high >= range.1) + if high > range.1 { 0 } else { ends.1 };
        range = (range.0.min(low), range.1.max(high));
        bottom += usize::from(low < vmin + quarter);
        top += usize::from(high > vmax - quarter);
    });
    // Numbers that stand for none are one exception, however many they are.
    let none = [(range.0, ends.0), (range.1, ends.1)].into_iter().find(|(v, _)| stands_for_none(*v));
    let few = (n / 1000).max(1).max(none.map_or(0, |(_, count)| count));
    // What spans under half of the limits leaves out the top quarter or the bottom one.
    if n < FEWEST || range.0 >= range.1 || (bottom > few && top > few) {
        return;
    }
    let (mut lows, mut highs) = (Lowest::new(few + 1), Lowest::new(few + 1));
    let (mut sample, mut i) = (Vec::new(), 0usize);
    let step = n.div_ceil(SAMPLE);
    each(grids, folded, members, |low, high| {
        lows.push(low);
        highs.push(-high);
        if i.is_multiple_of(step) {
            sample.push(low / 2.0 + high / 2.0);
        }
        i += 1;
    });
    sample.sort_unstable_by(f64::total_cmp);
    let middle = sample[sample.len() / 2];
    let (lows, highs) = (lows.sorted(), highs.sorted());
    let (mut low, mut high) = (0, 0);
    for _ in 0..few {
        if middle - lows[low] > -highs[high] - middle {
            low += 1;
        } else {
            high += 1;
        }
    }
    let (rest_min, rest_max) = (lows[low], -highs[high]);
    if rest_max - rest_min >= (vmax - vmin) / 2.0 {
        return;
    }
    let cut = if low > 0 { range.0 } else { range.1 };
    // Of limits that are obeyed, most values use the colours.
    let at = |share: f64| sample[(share * (sample.len() - 1) as f64).round() as usize];
    let most = at(0.95) - at(0.05);
    let hint = if let Some((v, _)) = none.filter(|(v, _)| *v == cut) {
        format!("--nodata={v} where it means no value")
    } else if rest_min > 0.0 && lows[0] > 0.0 && vmax > 100.0 * rest_max {
        "--norm log".to_owned()
    } else if most >= USED * (rest_max - rest_min) {
        let flag = |given: bool, word: &str, v: f64, is_within: fn(f64, f64) -> bool| {
            let text = Some(short(v)).filter(|t| t.parse().is_ok_and(|t| is_within(v, t)));
            given.then(|| format!("--{word}={}", text.unwrap_or_else(|| v.to_string())))
        };
        let low = flag(low > 0, "vmin", rest_min, |v, limit| limit <= v);
        [low, flag(high > 0, "vmax", rest_max, |v, limit| limit >= v)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    } else if at(0.98) > at(0.02) {
        "--robust".to_owned()
    } else {
        "--norm quantile".to_owned()
    };
    let stats = |i: usize| &folded[i].scan.stats;
    let far = |i: &&usize| stats(**i).range().map_or(f64::NAN, |(a, b)| if high > 0 { b } else { -a });
    let Some(&i) = members.iter().filter(|i| !far(i).is_nan()).max_by(|a, b| far(a).total_cmp(&far(b)))
    else {
        return;
    };
    let (g, s) = (&grids[i], stats(i));
    let (at, what) = if high > 0 { (s.max_cells.first(), s.max) } else { (s.min_cells.first(), s.min) };
    let place = at.map_or(String::new(), |&(r, c)| {
        format!(" ({} at {})", what.map_or(String::new(), |v| v.to_string()), place_of(g, r, c))
    });
    let word = if folded[i].body.is_some() { "pixel" } else { "cell" };
    let cells =
        if few == 1 { format!("the most extreme {word}") } else { format!("the {few} most extreme {word}s") };
    let text = format!("without {cells}{place} the rest spans under half of the limits");
    out.add_panel(LintName::OutlierLimits, g.name(), few as u64, text).hint(hint);
}

/// Least and greatest finite value of each pixel, or of each cell where a pixel shows one.
fn each(grids: &[Grid], folded: &[Folded<'_>], members: &[usize], mut take: impl FnMut(f64, f64)) {
    for &i in members {
        match folded[i].summaries {
            None => finite(&grids[i]).for_each(|v| take(v, v)),
            Some(pixels) => pixels.ranges(&mut take),
        }
    }
}

/// The least values of many.
struct Lowest {
    keep: usize,
    list: Vec<f64>,
    limit: f64,
}

impl Lowest {
    fn new(keep: usize) -> Self {
        Self { keep, list: Vec::new(), limit: f64::INFINITY }
    }

    fn push(&mut self, v: f64) {
        if v >= self.limit {
            return;
        }
        self.list.push(v);
        // Seldom enough that each value costs a comparison or two.
        if self.list.len() >= 4 * self.keep + 64 {
            self.list.select_nth_unstable_by(self.keep, f64::total_cmp);
            self.limit = self.list[self.keep];
            self.list.truncate(self.keep + 1);
        }
    }

    fn sorted(mut self) -> Vec<f64> {
        self.list.sort_unstable_by(f64::total_cmp);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_that_are_remembered_are_those_that_were_found() {
        let grid = |from: f64| {
            let values = (0..LARGE).map(|i| from + ((i * 7919) % LARGE) as f64).collect();
            Grid::from_rows(1024, LARGE / 1024, values).unwrap()
        };
        let grids =
            [grid(0.0), grid(0.5), Grid::from_rows(1024, LARGE / 1024, vec![f64::NAN; LARGE]).unwrap()];
        let stats: Vec<Stats> = grids.iter().map(Grid::stats).collect();
        let stats: Vec<&Stats> = stats.iter().collect();
        for members in [&[0][..], &[0, 1], &[2]] {
            for n in [0, 1, 2, 1026] {
                let at: Vec<f64> = (0..n).map(|i| f64::from(i) * 100.0 / 1025.0).collect();
                let found = percentiles_of(&grids, members, &stats, &at).unwrap();
                assert!(knows_percentiles(&grids, members, &at), "{members:?} {n}");
                assert_eq!(percentiles_of(&grids, members, &stats, &at).unwrap(), found, "{members:?} {n}");
                assert_eq!(found.len(), if members == [2] { 0 } else { at.len() });
            }
        }
    }

    #[test]
    fn the_lowest_are_those_of_a_sort() {
        let values: Vec<f64> =
            (0..5000u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) % 3001)).collect();
        let mut lowest = Lowest::new(7);
        values.iter().for_each(|v| lowest.push(*v));
        let mut want = values;
        want.sort_unstable_by(f64::total_cmp);
        assert_eq!(lowest.sorted()[..7], want[..7]);
    }
}
