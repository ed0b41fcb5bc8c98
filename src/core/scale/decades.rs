//! Ticks of logarithmic scales: powers of the base, and round numbers between them.

use super::decimal::Decimal;

/// More powers than base 2 has in all of f64.
const MOST_POWERS: i64 = 5_000;

/// Factors of ticks in each decade, the most ticks first.
const DENSE: [&[i128]; 3] = [&[1, 2, 5], &[1, 3], &[1]];

/// Two to `most` ticks of a log norm; `None` where no choice of powers gives that many.
pub(super) fn log_ticks(vmin: f64, vmax: f64, most: usize) -> Option<Vec<Decimal>> {
    let (low, high) = (vmin.log10().floor() as i32, vmax.log10().ceil() as i32);
    let within = |d: &Decimal| (vmin..=vmax).contains(&d.value()) && d.is_shortest();
    let ticks = |factors: &[i128], stride: usize| -> Vec<Decimal> {
        let decades = (low..=high).step_by(stride);
        decades.flat_map(|e| factors.iter().map(move |f| Decimal::new(*f, e))).filter(&within).collect()
    };
    let some = |v: &Vec<Decimal>| (2..=most).contains(&v.len());
    // Decades that surely lie within the limits: where there are too many, counting their ticks would be wasted.
    let sure = usize::try_from(high - low).unwrap_or(0).saturating_sub(4);
    let dense = DENSE.into_iter().filter(|_| sure <= most).map(|f| ticks(f, 1)).find(some);
    let least = (sure / (most + 1)).max(2);
    dense.or_else(|| (least..=((high - low).max(2) as usize)).map(|stride| ticks(&[1], stride)).find(some))
}

/// Ticks of a symlog norm on both sides of 0; `None` where no choice of powers gives few enough.
pub(super) fn symlog_ticks(
    vmin: f64,
    vmax: f64,
    (linthresh, base): (f64, f64),
    most: usize,
) -> Option<Vec<Decimal>> {
    let top = vmax.abs().max(vmin.abs());
    let first = (linthresh.ln() / base.ln()).ceil() as i32;
    let last = (top.ln() / base.ln() + 1e-9).floor() as i32;
    // A base next to 1 has more powers than any bar has room for.
    if i64::from(last) - i64::from(first) > MOST_POWERS {
        return None;
    }
    let mut powers: Vec<(Decimal, f64)> =
        (first..=last).rev().filter_map(|e| power(base, e)).map(|d| (d, d.value())).collect();
    powers.dedup();
    let sides = usize::from(vmin < 0.0) + usize::from(vmax > 0.0);
    (1..=powers.len().max(1)).find_map(|stride| {
        let decades: Vec<(Decimal, f64)> = powers.iter().copied().step_by(stride).collect();
        let below = decades.iter().filter_map(|(d, v)| Some((d.times(-1)?, -v)));
        let all = below.chain([(Decimal::new(0, 0), 0.0)]).chain(decades.iter().rev().copied());
        let ticks: Vec<Decimal> = all.filter(|(_, v)| (vmin..=vmax).contains(v)).map(|(d, _)| d).collect();
        (ticks.len() <= most.max(sides + 1) && ticks.len() > 1).then_some(ticks)
    })
}

/// A power of the base as a label can say it: itself up to six digits, else the number of three digits beside it.
fn power(base: f64, e: i32) -> Option<Decimal> {
    if base == 10.0 {
        return Some(Decimal::new(1, e)).filter(|d| d.is_shortest());
    }
    let by_steps = base.powi(e);
    // Steps towards the least numbers pass by the greatest, which overflow.
    let value = if by_steps.is_normal() { by_steps } else { base.powf(f64::from(e)) };
    let exact = Decimal::shortest(value).filter(|_| value > 0.0)?;
    if exact.parts().0.unsigned_abs() < 1_000_000 {
        return Some(exact);
    }
    Decimal::parse(&format!("{:.2e}", exact.value())).filter(|d| d.is_shortest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: Option<Vec<Decimal>>) -> Vec<String> {
        ticks.unwrap_or_default().into_iter().map(Decimal::text).collect()
    }

    #[test]
    fn decades_reach_both_ends_of_f64() {
        assert_eq!(texts(log_ticks(0.001, 10.0, 6)), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(texts(log_ticks(1e-323, 1.7e308, 3)), ["1e-165", "1e-6", "1e153"]);
        assert_eq!(log_ticks(3.1, 3.2, 5), None);
    }

    #[test]
    fn powers_that_are_no_short_numbers_are_replaced_by_short_ones() {
        assert_eq!(
            texts(symlog_ticks(-8.0, 8.0, (1.0, 2.0), 9)),
            ["-8", "-4", "-2", "-1", "0", "1", "2", "4", "8"]
        );
        assert_eq!(power(2.0, 20).map(Decimal::text), Some("1050000".to_owned()));
        assert_eq!(power(2.0, 10).map(Decimal::text), Some("1024".to_owned()));
        assert_eq!(
            texts(symlog_ticks(0.0, 30.0, (1.0, std::f64::consts::E), 9)),
            ["0", "1", "2.72", "7.39", "20.1"]
        );
        assert_eq!(symlog_ticks(-1e300, 1e300, (1.0, 1.0 + 1e-10), 9), None);
        assert_eq!(texts(symlog_ticks(0.0, 1e-322, (3.5e-323, 2.0), 9)), ["0", "4e-323", "8e-323"]);
    }
}
