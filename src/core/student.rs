//! Student's t distribution, for intervals of means.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

/// From this many degrees of freedom on the value is a series in their reciprocal.
const MANY: f64 = 1000.0;
/// Steps of Newton's rule, of which values far out in the tail need some.
const STEPS: usize = 200;

/// How many standard errors a mean's two-sided interval of a level between 0 and 1 reaches to each side. NaN where there is no
/// degree of freedom.
pub fn critical(level: f64, degrees: f64) -> f64 {
    let tail = (1.0 - level) / 2.0;
    if !(degrees > 0.0 && tail > 0.0 && tail < 0.5) {
        return f64::NAN;
    }
    let Some(normal) = Normal::new(0.0, 1.0).ok().map(|normal| root(&normal, tail, 0.0)) else {
        return f64::NAN;
    };
    if degrees >= MANY {
        return of_many(normal, degrees);
    }
    StudentsT::new(0.0, 1.0, degrees).map_or(f64::NAN, |t| root(&t, tail, normal))
}

/// Where the part of a distribution above is `tail`. Right of its middle that part is convex, so that Newton's rule comes to it from
/// the left without passing it.
fn root<D: ContinuousCDF<f64, f64> + Continuous<f64, f64>>(of: &D, tail: f64, from: f64) -> f64 {
    let mut at = from;
    for _ in 0..STEPS {
        let next = at + (of.sf(at) - tail) / of.pdf(at);
        if !next.is_finite() || (next - at).abs() <= 1e-15 * next.abs() {
            break;
        }
        at = next;
    }
    at
}

/// The expansion of Cornish and Fisher about the normal distribution's value.
fn of_many(z: f64, degrees: f64) -> f64 {
    let s = z * z;
    let terms = [
        (s + 1.0) / 4.0,
        ((5.0 * s + 16.0) * s + 3.0) / 96.0,
        (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
        ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0,
    ];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees);
    z * (1.0 + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_are_those_of_scipy() {
        // scipy.stats.t.isf((1 - level) / 2, degrees)
        for (level, degrees, wanted) in [
            (0.1, 1.0, 0.15838444032453633),
            (0.1, 2.0, 0.14213381090374025),
            (0.1, 3.0, 0.1365981993536989),
            (0.1, 4.0, 0.13383036711194346),
            (0.1, 7.3, 0.1301001329293079),
            (0.1, 30.0, 0.12672961313207354),
            (0.1, 999.0, 0.12569329447058575),
            (0.1, 1000.0, 0.1256932625187162),
            (0.1, 1000000.0, 0.1256613787664875),
            (0.1, 1000000000.0, 0.12566134688698538),
            (0.5, 1.0, 1.0000000000000002),
            (0.5, 2.0, 0.8164965809277261),
            (0.5, 3.0, 0.7648923284043444),
            (0.5, 4.0, 0.7406970841126829),
            (0.5, 7.3, 0.709573020456991),
            (0.5, 30.0, 0.6827556933212927),
            (0.5, 999.0, 0.6747354103467192),
            (0.5, 1000.0, 0.6747351646070093),
            (0.5, 1000000.0, 0.6744899955310875),
            (0.5, 1000000000.0, 0.6744897504414163),
            (0.95, 1.0, 12.706204736174694),
            (0.95, 2.0, 4.302652729749462),
            (0.95, 3.0, 3.1824463052837078),
            (0.95, 4.0, 2.7764451051977934),
            (0.95, 7.3, 2.345066736547703),
            (0.95, 30.0, 2.0422724563012378),
            (0.95, 999.0, 1.9623414611334493),
            (0.95, 1000.0, 1.9623390808264083),
            (0.95, 1000000.0, 1.959966356814107),
            (0.95, 1000000000.0, 1.959963986912325),
            (0.99, 1.0, 63.656741162871526),
            (0.99, 2.0, 9.924843200918287),
            (0.99, 3.0, 5.840909309733355),
            (0.99, 4.0, 4.604094871349992),
            (0.99, 7.3, 3.451031655622185),
            (0.99, 30.0, 2.7499956535672254),
            (0.99, 999.0, 2.5807596372676365),
            (0.99, 1000.0, 2.580754698065951),
            (0.99, 1000000.0, 2.5758342201053344),
            (0.99, 1000000000.0, 2.5758293084654484),
            (0.9999999, 1.0, 6366197.727026646),
            (0.9999999, 2.0, 3162.2774238297916),
            (0.9999999, 3.0, 280.4251462021698),
            (0.9999999, 4.0, 87.99223527518036),
            (0.9999999, 7.3, 20.542122738524853),
            (0.9999999, 30.0, 6.955747584459741),
            (0.9999999, 999.0, 5.366130211109191),
            (0.9999999, 1000.0, 5.366090553467672),
            (0.9999999, 1000000.0, 5.326763003508891),
            (0.9999999, 1000000000.0, 5.326723925596924),
        ] {
            let got = critical(level, degrees);
            assert!((got / wanted - 1.0).abs() < 1e-9, "{level} {degrees}: {got} {wanted}");
        }
        assert!(critical(0.95, 0.0).is_nan() && critical(0.95, f64::NAN).is_nan());
    }
}
