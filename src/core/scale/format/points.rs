//! Per cent signs, behind fractions and behind values that are percentages.

use super::super::decimal::fixed;
use super::{Kind, NumberFormat};
use crate::grid::Number;

impl NumberFormat {
    /// The format for values of this name: `%` does not multiply where they are percentages, as the name says.
    #[must_use]
    pub fn of_values(self, name: &str) -> Self {
        match self.kind {
            Kind::Percent if name.contains('%') => Self { kind: Kind::Points, ..self },
            _ => self,
        }
    }
}

/// A hundred times the value, as Python writes it: the product of floats, rounded; digit by digit where that is beyond f64.
pub(super) fn percent(v: Number, decimals: usize) -> String {
    if let Number::F64(value) = v
        && (value * 100.0).is_finite()
    {
        return format!("{}%", fixed(Number::F64(value * 100.0), decimals));
    }
    let text = fixed(v, decimals + 2);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (more, rest) = fraction.split_at(2.min(fraction.len()));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |w| ("-", w));
    let digits = format!("{whole}{more}");
    let least = digits.trim_start_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{rest}%", if least.is_empty() { "0" } else { least })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_not_multiplied_again() {
        let of = |spec: &str, name: &str| {
            let format = spec.parse::<NumberFormat>().unwrap().of_values(name);
            format.format(Number::F64(8.25))
        };
        assert_eq!(of(".1%", "rate (%)"), "8.2%");
        assert_eq!(of("+.0%", "%"), "+8%");
        assert_eq!(of(".1%", "rate"), "825.0%");
        assert_eq!(of(".1f", "rate (%)"), "8.2");
        for (value, text) in
            [(0.005, "0%"), (0.015, "2%"), (0.025, "2%"), (0.145, "14%"), (0.285, "28%"), (0.295, "30%")]
        {
            assert_eq!(percent(Number::F64(value), 0), text);
        }
        assert_eq!(percent(Number::I64(3), 0), "300%");
    }
}
