//! The automatic format of a set of numbers: digits that tell them apart, the same in all of them.

use super::{GIANT, Kind, NumberFormat};
use crate::grid::Number;
use crate::scale::decimal::in_units;

/// Numbers from this order on, and below the other one, are written in units of a power of ten, or with exponents.
const POWERS: (i32, i32) = (-3, 6);
/// The smallest number in units of a power of ten is at least the largest one divided by this.
const SPREAD: f64 = 1e3;
/// Numbers of which the range is a smaller share are alike: their late digits differ.
const ALIKE: f64 = 1e-3;
/// Orders of numbers that are alike and written out.
const WRITTEN_OUT: std::ops::Range<i32> = -4..10;
/// Numbers are distinguishable to at least this share of their range.
const STEPS: f64 = 20.0;
/// Numbers of which the range is a smaller share differ in their last digits alone.
const FINE: f64 = 1e-11;
/// The order of the least number, rounded down.
const LEAST_ORDER: i32 = -324;
/// More decimals than these are too long for a bar.
const LONG_DECIMALS: i32 = 7;
/// Numbers below this are written out, as on axes.
const LONG_WHOLE: f64 = 1e7;
/// The most decimals, and those of numbers that differ in their last digits alone.
const MOST_DECIMALS: i32 = 12;
const ALL_DECIMALS: i32 = 17;

/// Properties of numbers that their format depends on.
struct Survey {
    /// The greatest magnitude, and that of numbers below a million.
    most: f64,
    below: f64,
    /// The least magnitude but 0.
    least: f64,
    /// The least and the greatest number.
    ends: (f64, f64),
    /// How many numbers but 0 have their first digit at each order from [`LEAST_ORDER`] on.
    orders: Vec<usize>,
    /// Decimals that write each as its shortest text does, 5 for more than 4.
    needed: usize,
    whole: bool,
}

impl Survey {
    fn of(values: impl Iterator<Item = Number>) -> Self {
        let mut out = Self {
            most: 0.0,
            below: 0.0,
            least: f64::MAX,
            ends: (f64::MAX, f64::MIN),
            orders: Vec::new(),
            needed: 0,
            whole: true,
        };
        for f in values.map(Number::as_f64).filter(|f| f.is_finite()) {
            out.most = out.most.max(f.abs());
            out.ends = (out.ends.0.min(f), out.ends.1.max(f));
            if f.abs() < GIANT {
                out.below = out.below.max(f.abs());
            }
            if f != 0.0 {
                out.least = out.least.min(f.abs());
                let at = (order_of(f.abs()) - LEAST_ORDER) as usize;
                if out.orders.len() <= at {
                    out.orders.resize(at + 1, 0);
                }
                out.orders[at] += 1;
            }
            if f.fract() != 0.0 {
                out.whole = false;
                if out.needed < 5 {
                    out.needed = out.needed.max(decimals(f));
                }
            }
        }
        out
    }

    /// The distance from the least to the greatest number; 0 without numbers.
    fn range(&self) -> f64 {
        (self.ends.1 - self.ends.0).max(0.0)
    }

    /// Whether the numbers differ in their last digits alone.
    fn is_fine(&self) -> bool {
        self.range() > 0.0 && self.range() <= self.most * FINE
    }

    fn most_decimals(&self) -> i32 {
        if self.is_fine() { ALL_DECIMALS } else { MOST_DECIMALS }
    }

    /// The first digit's order of the largest number.
    fn order(&self) -> i32 {
        if self.most > 0.0 { order_of(self.most) } else { 0 }
    }

    /// The decimals of three digits of the largest number, and of at least [`STEPS`] steps in the range.
    fn decimals(&self) -> i32 {
        let of_largest = 2 - self.order();
        let range = self.range();
        if range > 0.0 { of_largest.max((STEPS / range).log10().ceil() as i32) } else { of_largest }
    }

    /// The order below which half of the numbers but 0 lie; that of the larger of two.
    fn typical_order(&self) -> i32 {
        let half = self.orders.iter().sum::<usize>() / 2;
        let mut below = 0;
        let reached = |n: &usize| {
            below += n;
            below > half
        };
        self.orders.iter().position(reached).map_or(0, |at| at as i32 + LEAST_ORDER)
    }

    /// Whether at least half of the numbers have less than two digits with so many decimals, because few are much larger.
    fn is_coarse(&self, decimals: usize) -> bool {
        self.typical_order() + (decimals as i32) < 1 && self.typical_order() < self.order()
    }

    fn is_alike(&self) -> bool {
        self.range() > 0.0 && self.range() <= self.most * ALIKE
    }

    /// Decimals of the first digit's unit of which the range has three digits.
    fn decimals_of_units(&self) -> usize {
        (self.decimals() + self.order()).clamp(2, self.most_decimals()) as usize
    }

    /// The power of ten of which all numbers are short multiples.
    fn power(&self) -> Option<i32> {
        let order = self.order();
        let is_far = if self.is_alike() {
            !WRITTEN_OUT.contains(&order) || order < 0 && self.decimals() > LONG_DECIMALS
        } else {
            order >= POWERS.1 || order < POWERS.0
        };
        let is_even = self.least * SPREAD >= self.most && self.range() > 0.0;
        (self.most > 0.0 && is_far && is_even).then_some(order)
    }

    /// Two decimals of numbers in units of a power of ten, more where they are alike or the least would be 0.
    fn in_units(&self, power: i32, values: impl Iterator<Item = Number>) -> NumberFormat {
        let digits = self.decimals_of_units();
        let precision = if self.is_fine() {
            digits
        } else if digits == 2 {
            2 + usize::from(self.least < 0.01 * 10f64.powi(power))
        } else {
            let units = values.map(|v| decimals(in_units(v, power).as_f64()));
            let needed = units.max().filter(|n| *n < 5).unwrap_or(digits);
            digits.min(needed.max(2))
        };
        NumberFormat { power, ..NumberFormat::plain(Kind::Fixed, precision) }
    }

    fn format(&self) -> NumberFormat {
        let (most, least) = (self.most, self.least);
        let decimals = self.decimals();
        if self.is_alike() && WRITTEN_OUT.contains(&self.order()) {
            let decimals = decimals.clamp(0, self.most_decimals()) as usize;
            let needed = if self.needed < 5 && !self.is_fine() { self.needed } else { decimals };
            return NumberFormat::plain(Kind::Fixed, decimals.min(needed));
        }
        if self.whole && most < LONG_WHOLE {
            return NumberFormat::plain(Kind::Whole, 0);
        }
        // Of small numbers over several powers of ten two digits say enough.
        let decimals_of_powers =
            if least * SPREAD < most && most < 1.0 { 1 } else { self.decimals_of_units() };
        if self.whole && least < GIANT {
            return NumberFormat::plain(Kind::Large, decimals_of_powers);
        }
        // A few giants leave other cells their decimals.
        if most >= GIANT && self.needed <= 2 && least >= 0.01 && (1.0..1e4).contains(&self.below) {
            return NumberFormat::plain(Kind::Fitted, self.needed);
        }
        // Numbers that are short as they are need no exponent because others do.
        let is_short = least >= 1e-3 && self.typical_order() < POWERS.1;
        if most >= LONG_WHOLE && is_short {
            return NumberFormat::plain(Kind::Digits, 3);
        }
        if !(1e-4..LONG_WHOLE).contains(&most) {
            return NumberFormat::plain(Kind::Exponent, decimals_of_powers);
        }
        if least < 1e-4 && (SPREAD * least..10.0).contains(&most) {
            return NumberFormat::plain(Kind::Digits, 2);
        }
        if self.needed <= 2 {
            return NumberFormat::plain(Kind::Fixed, self.needed);
        }
        let digits = decimals.clamp(0, 6) as usize;
        // Decimals that suit the largest may write most values with one digit, or small ones as 0: three digits of each, or one
        // decimal more.
        if self.is_coarse(digits.min(self.needed)) {
            return NumberFormat::plain(Kind::Digits, 3);
        }
        let is_seen = |d: &usize| least >= 0.5 * 10f64.powi(-(*d as i32));
        let decimals = [digits.min(self.needed), (digits + 1).min(self.needed)];
        decimals
            .into_iter()
            .find(is_seen)
            .map_or(NumberFormat::plain(Kind::Digits, 3), |d| NumberFormat::plain(Kind::Fixed, d))
    }
}

impl NumberFormat {
    /// One format for all of these values: decimals of which their range has about three digits, no more than show each exactly,
    /// or as many significant digits of each where they lie orders apart. Whole numbers stay whole. With `units`, large and
    /// small numbers of about one size are multiples of a power of ten, which the colour bar names.
    pub fn auto(values: impl Iterator<Item = Number> + Clone, units: bool) -> Self {
        let survey = Survey::of(values.clone());
        let power = survey.power().filter(|_| units);
        Self {
            automatic: true,
            ..power.map_or_else(|| survey.format(), |power| survey.in_units(power, values))
        }
    }
}

impl NumberFormat {
    /// One format for all of these differences, with a sign: as [`NumberFormat::auto`], but those near 0 have no digits of their
    /// own, for they are noise beside the others.
    pub fn of_differences(values: impl Iterator<Item = Number> + Clone, units: bool) -> Self {
        let auto = Self::auto(values.clone(), units);
        let survey = Survey::of(values);
        let format = if auto.kind == Kind::Digits && survey.most >= LONG_WHOLE {
            Self { automatic: true, ..Self::plain(Kind::Exponent, 2) }
        } else if auto.kind == Kind::Digits {
            let decimals = (2 - survey.order()).clamp(0, MOST_DECIMALS) as usize;
            Self {
                automatic: true,
                ..Self::plain(
                    Kind::Fixed,
                    decimals.min(if survey.needed < 5 { survey.needed } else { decimals }),
                )
            }
        } else {
            auto
        };
        Self { sign: true, ..format }
    }

    /// Two decimals.
    pub fn of_correlations() -> Self {
        Self { automatic: true, ..Self::plain(Kind::Fixed, 2) }
    }

    /// One format for all of these shares: per cents of three digits of the largest, one decimal at least, no more than show each
    /// exactly.
    pub fn of_shares(values: impl Iterator<Item = Number>) -> Self {
        let (mut most, mut needed) = (0.0, 0);
        for f in values.map(|v| v.as_f64() * 100.0).filter(|f| f.is_finite()) {
            most = f64::max(most, f.abs());
            needed = needed.max(if f.fract() == 0.0 { 0 } else { decimals(f) });
        }
        let order = if most > 0.0 { order_of(most) } else { 0 };
        Self {
            automatic: true,
            ..Self::plain(Kind::Percent, needed.min((2 - order).clamp(1, MOST_DECIMALS) as usize))
        }
    }
}

fn order_of(v: f64) -> i32 {
    v.log10().floor() as i32
}

/// Decimals that write a float exactly as its shortest text does, 5 for more than 4.
fn decimals(v: f64) -> usize {
    (1..=4)
        .find(|d| format!("{v:.d$}").parse::<f64>().is_ok_and(|p| (p - v).abs() <= v.abs() * 1e-12))
        .unwrap_or(5)
}

#[cfg(test)]
mod tests;
