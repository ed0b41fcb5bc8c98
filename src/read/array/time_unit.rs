//! The units in which numpy counts times: `datetime64[ns]`, `datetime64[10ms]`.

use gridscope_core::calendar::days_of_months;

/// Steps from 1970-01-01 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeUnit {
    unit: Unit,
    /// Units in a step.
    count: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// This many of them are a second.
    PartsOfSecond(i64),
    /// Seconds that it has.
    Seconds(i64),
    Months,
    Years,
}

/// The text of a missing time.
const NOT_A_TIME: i64 = i64::MIN;
/// Months and years beyond this are not dates of any calendar.
const FARTHEST: i64 = 10_000_000;

impl TimeUnit {
    /// Reads the name of a type without its byte order: `M8[ns]`; `M8` alone has no unit, and no times.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("M8")?;
        if rest.is_empty() {
            return Some(Self { unit: Unit::Seconds(1), count: 1 });
        }
        let text = rest.strip_prefix('[')?.strip_suffix(']')?;
        let word = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &text[..text.len() - word.len()];
        let count = if digits.is_empty() { Some(1) } else { digits.parse().ok().filter(|n| *n > 0) };
        let unit = match word {
            "as" => Unit::PartsOfSecond(1_000_000_000_000_000_000),
            "fs" => Unit::PartsOfSecond(1_000_000_000_000_000),
            "ps" => Unit::PartsOfSecond(1_000_000_000_000),
            "ns" => Unit::PartsOfSecond(1_000_000_000),
            "us" | "μs" => Unit::PartsOfSecond(1_000_000),
            "ms" => Unit::PartsOfSecond(1_000),
            "s" => Unit::Seconds(1),
            "m" => Unit::Seconds(60),
            "h" => Unit::Seconds(3_600),
            "D" => Unit::Seconds(86_400),
            "W" => Unit::Seconds(604_800),
            "M" => Unit::Months,
            "Y" => Unit::Years,
            _ => return None,
        };
        Some(Self { unit, count: count? })
    }

    /// Seconds since 1970; NaN of `NaT`, and infinite beyond all calendars.
    pub(crate) fn seconds(self, steps: i64) -> f64 {
        if steps == NOT_A_TIME {
            return f64::NAN;
        }
        let of_date = |months: Option<i64>| match months {
            Some(months) if months.abs() <= FARTHEST => (days_of_months(months) * 86_400) as f64,
            _ => f64::INFINITY.copysign(steps as f64),
        };
        let units = steps.checked_mul(self.count);
        match self.unit {
            Unit::PartsOfSecond(parts) => match units {
                // The whole seconds are exact, whatever the fraction.
                Some(units) => units.div_euclid(parts) as f64 + units.rem_euclid(parts) as f64 / parts as f64,
                None => steps as f64 * (self.count as f64 / parts as f64),
            },
            Unit::Seconds(seconds) => steps as f64 * self.count as f64 * seconds as f64,
            Unit::Months => of_date(units),
            Unit::Years => of_date(units.and_then(|years| years.checked_mul(12))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_unit_are_seconds() {
        let of = |name: &str, steps: i64| TimeUnit::parse(name).unwrap().seconds(steps);
        for (name, steps) in [
            ("M8[ns]", 951_868_800_000_000_000),
            ("M8[us]", 951_868_800_000_000),
            ("M8[ms]", 951_868_800_000),
            ("M8[s]", 951_868_800),
            ("M8[m]", 15_864_480),
            ("M8[h]", 264_408),
            ("M8[D]", 11_017),
            ("M8[M]", 362),
            ("M8[10ms]", 95_186_880_000),
            ("M8[2D]", 5_508),
        ] {
            let wanted = if name == "M8[2D]" { 951_782_400.0 } else { 951_868_800.0 };
            assert_eq!(of(name, steps), wanted, "{name}");
        }
        assert_eq!((of("M8[Y]", -1), of("M8[Y]", 30)), (-31_536_000.0, 946_684_800.0));
        assert_eq!((of("M8[W]", 1), of("M8[ns]", -1)), (604_800.0, -1.0 + 0.999_999_999));
        assert!(of("M8[ns]", i64::MIN).is_nan() && of("M8", i64::MIN).is_nan());
        for name in ["M8[Y]", "M8[M]", "M8[W]", "M8[as]", "M8[9223372036854775807s]"] {
            for steps in [i64::MAX, i64::MIN + 1] {
                assert!(!of(name, steps).is_nan(), "{name}");
            }
        }
        for bad in ["M8[]", "M8[0s]", "M8[x]", "M8[99999999999999999999s]", "m8[s]", "M8[s"] {
            assert_eq!(TimeUnit::parse(bad), None, "{bad}");
        }
    }
}
