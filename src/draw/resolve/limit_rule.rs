//! The rule for each limit of a colour scale, what a pass over a grid counts for it, and the cells beyond it.

use super::bars::{ScaleGroup, scale_groups};
use super::error::ResolveError;
use super::overrides::{ScaleChoice, ScaleOverrides};
use gridscope_core::figure::Figure;
use gridscope_core::grid::{BeyondLimits, Grid, ScanRequest, ScanResult};
use gridscope_core::scale::{AutoLimits, Norm};

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
const LEAST: f64 = f64::from_bits(1);

impl Limit {
    /// The limit, where it does not depend on the values.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Given(v) | Self::Earlier(v) | Self::Derived(v) => Some(v),
            Self::Data | Self::Positive | Self::Robust | Self::Around(_) | Self::AroundOne => None,
        }
    }

    /// Whether the limit depends on the span of the values, of all or between percentiles.
    pub(super) fn spans_values(self) -> bool {
        self.number().is_none() && self != Self::Positive
    }

    /// The number beyond which a pass counts the values for this limit.
    fn counted_at(self) -> Option<f64> {
        // No value is between zero and the least one above it.
        let positive = (self == Self::Positive).then_some(LEAST);
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
/// counts what neither they nor the scan have.
///
/// # Errors
/// When the source does not give its cells.
pub(super) fn beyond(
    grid: &Grid,
    scan: &ScanResult,
    ranked: BeyondLimits,
    limits: [f64; 2],
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
        let is_same = |at: f64| at == limit || (is_least && at == LEAST && limit > 0.0);
        let known = [scan.beyond[side], ranked[side]].into_iter().flatten();
        known.filter(|(at, _)| is_same(*at)).map(|(_, count)| count).next()
    });
    if let [Some(below), Some(above)] = counted {
        return Ok([below, above]);
    }
    let again = grid.scan(&ScanRequest { limits: limits.map(Some), ..ScanRequest::default() })?;
    Ok(again.beyond.map(|counted| counted.map_or(0, |(_, count)| count)))
}
