//! Numbers in words: with as many decimals as their uncertainty has, and as many as tell neighbours apart.

use gridscope_core::scale::{apart, short};

/// Decimals beyond which numbers have an exponent.
const MOST: f64 = 9.0;

/// Decimals of an uncertainty of two significant digits; `None` where numbers are better written with an exponent.
pub(super) fn decimals(half: f64) -> Option<usize> {
    if half <= 0.0 || !half.is_finite() {
        return None;
    }
    let decimals = 1.0 - half.log10().floor();
    (decimals <= MOST).then_some(decimals.max(0.0) as usize)
}

/// A number of two significant digits.
pub(super) fn two(v: f64) -> String {
    decimals(v).map_or_else(|| short(v), |decimals| format!("{v:.decimals$}"))
}

/// A mean and half its interval, to two significant digits of the latter.
pub(super) fn interval(mean: f64, half: f64) -> String {
    together(&[(mean, Some(half))]).remove(0)
}

/// Numbers that are compared, with half their intervals where they have one: with the same decimals, those of the least
/// uncertainty, and as many more as different numbers need to read differently.
pub(super) fn together(numbers: &[(f64, Option<f64>)]) -> Vec<String> {
    let is_large = numbers.iter().any(|n| n.0.abs() >= 1e9);
    let halves = numbers.iter().filter_map(|n| n.1);
    let least = halves.filter_map(decimals).max().filter(|_| !is_large);
    let at = |decimals: usize| numbers.iter().map(move |n| format!("{:.decimals$}", n.0));
    let differ = |texts: &[String]| {
        let mut pairs = texts.windows(2).zip(numbers.windows(2));
        pairs.all(|(t, n)| t[0] != t[1] || n[0].0 == n[1].0)
    };
    let found = least.and_then(|least| {
        (least..=least.max(MOST as usize)).find(|decimals| differ(&at(*decimals).collect::<Vec<_>>()))
    });
    let values: Vec<f64> = numbers.iter().map(|n| n.0).collect();
    let means = found.map_or_else(|| apart(&values), |decimals| at(decimals).collect());
    let text = |(mean, number): (String, &(f64, Option<f64>))| match (number.1, found) {
        (None, _) => mean,
        (Some(half), Some(decimals)) if half > 0.0 => format!("{mean} ± {half:.decimals$}"),
        (Some(half), _) => format!("{mean} ± {}", short(half)),
    };
    means.into_iter().zip(numbers).map(text).collect()
}

/// A share in percent: never 0 of some, nor all of fewer.
pub(super) fn share(some: u64, all: u64) -> String {
    let percent = some as f64 / all as f64 * 100.0;
    let rounded = |to: f64| (percent * to).round() / to;
    match (rounded(10.0), rounded(100.0)) {
        (_, v) if v == 0.0 && some > 0 => "under 0.01 %".to_owned(),
        (0.0, fine) => format!("{} %", short(fine)),
        (v, _) if v >= 100.0 && some < all => "over 99.9 %".to_owned(),
        (v, _) => format!("{} %", short(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_their_uncertainty_begins() {
        for (mean, half, wanted) in [
            (84.6372, 0.8813, "84.64 ± 0.88"),
            (84.6372, 12.3, "85 ± 12"),
            (1820.4, 345.6, "1820 ± 346"),
            (0.00123456, 0.0000321, "0.001235 ± 0.000032"),
            (1e300, 1e299, "1e300 ± 1e299"),
            (2.5, 0.0, "2.5 ± 0"),
            (1e-12, 2e-13, "1e-12 ± 2e-13"),
        ] {
            assert_eq!(interval(mean, half), wanted);
        }
        assert_eq!([two(0.8813), two(0.0437), two(25.3)], ["0.88", "0.044", "25"]);
    }

    #[test]
    fn compared_numbers_have_the_same_decimals_and_differ() {
        let texts = |numbers: &[(f64, Option<f64>)]| together(numbers).join(" | ");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.56, Some(1.0))]), "77.60 ± 1.50 | 77.56 ± 1.00");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.5999, Some(1.4))]), "77.6000 ± 1.5000 | 77.5999 ± 1.4000");
        assert_eq!(texts(&[(77.6, Some(1.5)), (70.0, None)]), "77.6 ± 1.5 | 70.0");
        assert_eq!(texts(&[(77.6, Some(1.5)), (77.6, Some(1.5))]), "77.6 ± 1.5 | 77.6 ± 1.5");
        assert_eq!(texts(&[(1.0, None), (1.000_000_01, None)]), "1 | 1.00000001");
        assert_eq!(
            texts(&[(1e-300, Some(2e-301)), (3e-300, Some(2e-301))]),
            "1e-300 ± 2e-301 | 3e-300 ± 2e-301"
        );
        assert_eq!(texts(&[(5.0, Some(0.0)), (4.0, Some(0.0))]), "5 ± 0 | 4 ± 0");
    }

    #[test]
    fn a_share_is_never_rounded_to_none_or_all() {
        let texts = [(1, 630_000), (3, 10_000), (1, 24), (24, 24), (9999, 10_000), (0, 5)];
        let texts: Vec<String> = texts.into_iter().map(|(some, all)| share(some, all)).collect();
        assert_eq!(texts, ["under 0.01 %", "0.03 %", "4.2 %", "100 %", "over 99.9 %", "0 %"]);
    }
}
