//! Prefixes of units: `1 nM`, `3 µM`, `500 kHz`.

/// Units that take prefixes, by their symbols.
const UNITS: [&str; 36] = [
    "m", "s", "g", "M", "L", "l", "A", "V", "W", "J", "N", "K", "T", "F", "H", "S", "C", "U", "Hz", "Pa",
    "eV", "mol", "bar", "Bq", "Gy", "Sv", "Wh", "Wb", "VA", "cal", "rad", "lx", "lm", "cd", "Ω", "Ohm",
];

/// The power of ten of a prefix.
fn power(prefix: &str) -> Option<i32> {
    Some(match prefix {
        "" => 0,
        "f" => -15,
        "p" => -12,
        "n" => -9,
        "u" | "µ" | "μ" => -6,
        "m" => -3,
        "c" => -2,
        "d" => -1,
        "h" => 2,
        "k" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        "P" => 15,
        _ => return None,
    })
}

/// The powers of ten of what follows the numbers of all labels, counted from the least, where these are one unit with prefixes
/// that differ: `nM`, `µM`. `None` for anything else.
pub(super) fn prefix_powers(tails: &[&str]) -> Option<Vec<u32>> {
    let first = tails.first()?;
    // The unit goes on to the end, as `g/mL`; its symbol is what a prefix comes before.
    let of_unit = |unit: &str| -> Option<Vec<i32>> {
        let symbol = unit.split(|c: char| !c.is_alphabetic()).next().unwrap_or(unit);
        if !UNITS.contains(&symbol) {
            return None;
        }
        tails.iter().map(|tail| power(tail.trim_end().strip_suffix(unit)?)).collect()
    };
    let first = first.trim_end();
    let starts = first.char_indices().map(|(at, _)| at).take(2);
    let powers =
        starts.filter_map(|at| of_unit(&first[at..])).find(|p| p.windows(2).any(|w| w[0] != w[1]))?;
    let least = *powers.iter().min()?;
    Some(powers.iter().map(|p| p.abs_diff(least)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unit_with_prefixes_has_powers() {
        for (tails, want) in [
            (&["nM", "µM", "mM", "M"][..], Some(vec![0, 3, 6, 9])),
            (&["mm", "m", "km"], Some(vec![0, 3, 6])),
            (&["m", "mm"], Some(vec![3, 0])),
            (&["µg/mL", "ng/mL"], Some(vec![3, 0])),
            (&["kHz", "Hz", "MHz"], Some(vec![3, 0, 6])),
            (&["hPa", "Pa"], Some(vec![2, 0])),
            (&["us", "ms", "s"], Some(vec![0, 3, 6])),
            (&["m", "b"], None),
            (&["m", "m"], None),
            (&["m", "k"], None),
            (&["MB", "KB"], None),
            (&["", "m"], None),
            (&["nM", "µL"], None),
            (&["pm", "am"], None),
            (&["分", "秒"], None),
            (&[], None),
        ] {
            assert_eq!(prefix_powers(tails), want, "{tails:?}");
        }
    }
}
