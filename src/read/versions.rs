//! Versions that look like decimals: `1.9`, `1.10`, `2.0`.

use std::collections::{HashMap, HashSet};

/// The two numbers of a version, as `1.10` has them; a second number has no zeros before it.
fn parts(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().split_once('.')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let is_code = digits.len() > 1 && digits.starts_with('0');
        digits.parse::<u32>().ok().filter(|_| plain && !is_code && digits.len() < 6)
    };
    Some((number(major)?, number(minor)?))
}

/// Whether the texts of a column, in the order of the file, are versions and no decimals: `1.10` follows `1.9`, is beside
/// `1.9` and `1.11`, or beside `1.1` with all that lie between.
///
/// Decimals of two sources may be `0.1`, `0.5`, `0.9` and `0.10`, `0.50`, `0.90`: such pairs are not versions.
pub fn are_versions(texts: &[&str]) -> bool {
    let Some(all) = all_parts(texts) else {
        return false;
    };
    let known: HashSet<(u32, u32)> = all.iter().copied().collect();
    let has = |major: u32, minor: u32| known.contains(&(major, minor));
    if all.iter().any(|(major, minor)| is_turn(*minor) && has(*major, minor + 1) && has(*major, minor + 2)) {
        return true;
    }
    // Of each number that another one reads like, all between are there or none of the column is a version.
    let mut pairs = all.iter().filter(|(major, minor)| *minor > 0 && has(*major, minor * 10)).peekable();
    if pairs.peek().is_some() {
        return pairs.all(|(major, minor)| (*minor..=minor * 10).all(|between| has(*major, between)));
    }
    let follows = |w: &[(u32, u32)]| w[0].0 == w[1].0 && is_turn(w[0].1) && w[1].1 == w[0].1 + 1;
    all.windows(2).any(follows)
}

/// Whether texts may be versions, for an axis of names: some `1.9` has its `1.10`.
pub(super) fn may_be_versions(texts: &[&str]) -> bool {
    all_parts(texts).is_some_and(|all| {
        let mut largest: HashMap<u32, HashSet<u32>> = HashMap::new();
        all.iter().for_each(|(major, minor)| {
            largest.entry(*major).or_default().insert(*minor);
        });
        largest.values().any(|minors| minors.iter().any(|m| is_turn(*m) && minors.contains(&(m + 1))))
    })
}

fn all_parts(texts: &[&str]) -> Option<Vec<(u32, u32)>> {
    texts.iter().map(|text| parts(text)).collect()
}

/// Whether the number after this one has more digits.
fn is_turn(minor: u32) -> bool {
    matches!(minor, 9 | 99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_from_decimals() {
        for versions in [
            &["1.8", "1.9", "1.10", "1.11", "2.0"][..],
            &["1.9", "1.10"],
            &["1.99", "1.100"],
            &["1.10", "1.1", "1.3", "1.2", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9"],
        ] {
            assert!(are_versions(versions), "{versions:?}");
        }
        for decimals in [
            &["0.1", "0.10"][..],
            &["0.10", "0.25", "0.5", "0.75", "0.9"],
            &["0.8", "0.9", "1.0", "1.1"],
            &["0.90", "0.10"],
            &["1.9", "1.10", "x"],
            &["0.1", "0.5", "0.9", "0.10", "0.50", "0.90"],
            &["0.05", "0.9", "0.10"],
            &["1.9", "2.10"],
            &["1e300", "NaN"],
            &["9", "10"],
            &[],
            &["-1.9", "-1.10"],
        ] {
            assert!(!are_versions(decimals), "{decimals:?}");
        }
        assert!(may_be_versions(&["1.10", "2.0", "1.9"]) && !may_be_versions(&["0.1", "0.25", "0.10"]));
    }
}
