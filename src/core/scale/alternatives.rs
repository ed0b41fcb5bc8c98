//! Norms to choose from in place of another one.

use super::norm::Norm;

/// Makes a norm for values of a range (least and greatest), where that is possible.
type Make = fn(Option<(f64, f64)>) -> Option<Norm>;

/// The norms that follow each other, and after the last one the first.
const CYCLE: [(&str, Make); 4] = [
    ("linear", |_| Some(Norm::Linear)),
    ("log", |_| Some(Norm::Log)),
    ("symlog", symlog),
    ("quantile", |_| Some(Norm::Quantile(Vec::new()))),
];

/// The norms to offer in place of `own`, in the order of [`CYCLE`] from `own` on; of a norm with a centre, those that have the
/// same one. Whether they can show the values is left to the caller.
pub fn alternatives(own: &Norm, range: Option<(f64, f64)>) -> Vec<Norm> {
    if let Some(center) = own.traits().center {
        return vec![match own {
            Norm::TwoSlope { .. } => Norm::CenterLinear { center },
            _ => Norm::TwoSlope { center },
        }];
    }
    let at = CYCLE.iter().position(|(word, _)| *word == own.word());
    let (before, after) = match at {
        Some(i) => (&CYCLE[..i], &CYCLE[i + 1..]),
        None => (&CYCLE[..0], &CYCLE[..]),
    };
    after.iter().chain(before).filter_map(|(_, make)| make(range)).collect()
}

/// Linear up to a hundredth of the power of ten of the greatest magnitude.
fn symlog(range: Option<(f64, f64)>) -> Option<Norm> {
    let (least, most) = range?;
    let magnitude = least.abs().max(most.abs());
    let linthresh = 10f64.powf(magnitude.log10().floor() - 2.0);
    (magnitude > 0.0 && linthresh > 0.0 && linthresh.is_finite()).then_some(Norm::SymLog {
        linthresh,
        linscale: 1.0,
        base: 10.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_norm_of_the_cycle_has_its_word() {
        for (word, make) in CYCLE {
            assert_eq!(make(Some((1.0, 100.0))).map(|norm| norm.word()), Some(word));
        }
    }

    #[test]
    fn alternatives_follow_the_norm_and_keep_its_centre() {
        let words = |own: &Norm, range| -> Vec<String> {
            alternatives(own, range).iter().map(Norm::to_string).collect()
        };
        assert_eq!(words(&Norm::Log, Some((0.0, 50.0))), ["symlog:0.1", "quantile", "linear"]);
        assert_eq!(words(&Norm::Power { gamma: 2.0 }, None), ["linear", "log", "quantile"]);
        assert_eq!(alternatives(&Norm::TwoSlope { center: 3.0 }, None), [Norm::CenterLinear { center: 3.0 }]);
    }
}
