//! Regular axes, in equal steps or ratios; the room of each cell of an axis in data coordinates.

use super::{Axis, AxisKind, Coords};

/// How far a step or a ratio may be from the others, relative to it.
const TOLERANCE: f64 = 1e-9;
/// The fewest numbers that can be regular.
const FEWEST: usize = 3;

/// The distance of neighbours on a regular axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// Each number is the one before it plus this.
    Equal(f64),
    /// Each number is the one before it times this.
    Ratio(f64),
}

impl Steps {
    /// The steps of numbers, where all are equal within 1e-9 of them or within the rounding of the numbers themselves, which are
    /// often sums of steps, or have been 32-bit floats and are them or their shortest digits. `None` for fewer than three numbers.
    pub fn of(values: &[f64]) -> Option<Steps> {
        let [first, .., last] = *values else { return None };
        if values.len() < FEWEST || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let parts = (values.len() - 1) as f64;
        let is_single = values.iter().all(|v| f64::from(*v as f32) == *v || is_short(*v));
        let rounding = 4.0 * if is_single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let largest = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let step = (last - first) / parts;
        // Numbers that are hardly more than their rounding apart have no steps.
        let slack = (rounding * largest).min(0.01 * step.abs());
        let is_step = |w: &[f64]| (w[1] - w[0] - step).abs() <= TOLERANCE * step.abs() + slack;
        if step.is_finite() && step != 0.0 && values.windows(2).all(is_step) {
            return Some(Steps::Equal(step));
        }
        let ratio = (last / first).powf(1.0 / parts);
        let is_ratio = |w: &[f64]| (w[1] / w[0] / ratio - 1.0).abs() <= TOLERANCE + rounding;
        let is_positive = values.iter().all(|v| v.is_normal() && *v > 0.0);
        let differ = (ratio - 1.0).abs() > 100.0 * rounding;
        (is_positive && differ && values.windows(2).all(is_ratio)).then_some(Steps::Ratio(ratio))
    }
}

/// Whether a number has no more digits than 32-bit floats are written with: nine.
fn is_short(number: f64) -> bool {
    let exponent = number.abs().log10().floor();
    let digits = number * 10f64.powf(8.0 - exponent);
    number == 0.0 || (digits - digits.round()).abs() < 1e-6
}

impl Axis {
    /// The steps between its centres, where it has coordinates and is regular.
    pub fn steps(&self) -> Option<Steps> {
        let centers = (0..self.len()).map(|i| self.center(i));
        Steps::of(&centers.collect::<Option<Vec<f64>>>()?)
    }

    /// Whether its labels are whole numbers, and its coordinates too.
    pub fn is_whole(&self) -> bool {
        self.kind == AxisKind::Number
            && (0..self.len()).all(|i| self.center(i).is_some_and(|c| c.fract() == 0.0))
    }
}

/// Seconds of the shortest month, and of the longest.
const MONTH: [f64; 2] = [28.0 * 86_400.0, 31.0 * 86_400.0];
/// How far a step may be from a multiple of another, as a share of that.
const SAME_GAP: f64 = 1e-6;

impl Axis {
    /// From where to where each cell reaches: from edge to edge, but for times and numbers that leave out steps, of which each keeps
    /// the length of the commonest step.
    pub fn extents(&self) -> Option<Vec<[f64; 2]>> {
        let edges = self.edges()?;
        let mut extents: Vec<[f64; 2]> = edges.windows(2).map(|e| [e[0], e[1]]).collect();
        let has_gaps = matches!(self.kind, AxisKind::Time | AxisKind::Number);
        let Some(common) = self.common_step().filter(|_| has_gaps) else {
            return Some(extents);
        };
        let last = extents.len() - 1;
        for i in 1..=last {
            let (Some(a), Some(b)) = (self.center(i - 1), self.center(i)) else {
                continue;
            };
            // A leap of a day between months is not a gap.
            if b - a > 1.5 * common {
                extents[i - 1][1] = a + common / 2.0;
                extents[i][0] = b - common / 2.0;
                // The first and the last cell mirror the step beside them.
                if i == 1 {
                    extents[0][0] = a - common / 2.0;
                }
                if i == last {
                    extents[last][1] = b + common / 2.0;
                }
            }
        }
        Some(extents)
    }

    /// Whether times are in equal steps, or in equal numbers of months.
    pub fn times_are_regular(&self) -> bool {
        let (Some(steps), Some(common)) = (self.time_steps(), self.common_step()) else {
            return self.len() < 3;
        };
        steps.iter().all(|step| *step <= 1.5 * common)
    }

    fn time_steps(&self) -> Option<Vec<f64>> {
        if matches!(self.coords, Some(Coords::Edges(_))) {
            return None;
        }
        let centers: Vec<f64> = (0..self.len()).map(|i| self.center(i)).collect::<Option<_>>()?;
        let steps: Vec<f64> = centers.windows(2).map(|w| w[1] - w[0]).collect();
        steps.iter().all(|s| s.is_finite() && *s > 0.0).then_some(steps)
    }

    /// The step that more than half of the steps have, and of which all others are multiples; of months that of most of them.
    fn common_step(&self) -> Option<f64> {
        let mut steps = self.time_steps().filter(|s| s.len() > 1)?;
        steps.sort_by(f64::total_cmp);
        let middle = steps[steps.len() / 2];
        let is_multiple = |step: &f64, of: f64, slack: f64| {
            let times = (step / of).round();
            times >= 1.0 && (step - times * of).abs() <= slack * of
        };
        if steps.iter().all(|step| is_multiple(step, middle, SAME_GAP)) {
            let equal = steps.iter().filter(|s| (*s / middle - 1.0).abs() <= SAME_GAP).count();
            return (2 * equal > steps.len()).then_some(middle);
        }
        // Months, quarters and years differ by days.
        let months = (middle / (MONTH[0] + 2.0 * 86_400.0)).round();
        let is_month = self.kind == AxisKind::Time
            && middle >= MONTH[0]
            && (MONTH[0] * months..=MONTH[1] * months).contains(&middle);
        let fits = |step: &f64| is_multiple(step, middle, 0.12) && *step >= 0.88 * middle;
        (is_month && steps.iter().all(fits)).then_some(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_random::{Random, cases};

    #[test]
    fn sums_of_steps_and_powers_are_regular() {
        let sums: Vec<f64> = std::iter::successors(Some(0.1), |v| Some(v + 0.1)).take(100).collect();
        assert!(matches!(Steps::of(&sums), Some(Steps::Equal(s)) if (s - 0.1).abs() < 1e-12));
        let singles: Vec<f64> = (0..900).map(|i| f64::from(-45.0f32 + 0.1 * i as f32)).collect();
        assert!(matches!(Steps::of(&singles), Some(Steps::Equal(s)) if (s - 0.1).abs() < 1e-6));
        // The shortest digits of singles.
        let thirds: Vec<f64> = (0..9).map(|i| format!("{}", i as f32 / 3.0).parse().unwrap()).collect();
        assert!(matches!(Steps::of(&thirds), Some(Steps::Equal(_))), "{thirds:?}");
        let powers: Vec<f64> = (-5..15).map(|i| 2f64.powi(i)).collect();
        assert_eq!(Steps::of(&powers), Some(Steps::Ratio(2.0)));
        assert_eq!(Steps::of(&[3.0, 1.0, -1.0]), Some(Steps::Equal(-2.0)));
        for irregular in [
            &[1.0, 2.0][..],
            &[],
            &[1.0, 1.0, 1.0],
            &[1.0, 2.0, 4.0, 9.0],
            &[1.0, 2.0, f64::NAN],
            &[-1.7e308, 0.0, 1.7e308],
            &[0.0, 1.0, 10.0],
            &[-1.0, -10.0, -100.0],
            &[1e16, 1e16 + 2.0, 1e16 + 6.0],
        ] {
            assert_eq!(Steps::of(irregular), None, "{irregular:?}");
        }
    }

    #[test]
    fn the_tolerance_is_that_of_the_steps() {
        let mut random = Random(5);
        for _ in 0..cases(300) {
            let (n, step) = (random.within(3, 42_usize), 10f64.powf(random.unit() * 12.0 - 6.0));
            let start = (random.unit() - 0.5) * 100.0 * step;
            let by_ratio = random.chance(0.5);
            let ratio = 1.1 + 3.0 * random.unit();
            // As numpy.arange and numpy.geomspace, each number on its own.
            let of = |i: usize| {
                if by_ratio { step * ratio.powi(i as i32) } else { start + step * i as f64 }
            };
            let at = random.below(n);
            let jittered = |by: f64| -> Vec<f64> {
                let unit = if by_ratio { of(at) } else { step };
                (0..n).map(|i| of(i) + if i == at { by * unit } else { 0.0 }).collect()
            };
            for by in [0.0, 2e-10, -2e-10] {
                let found = Steps::of(&jittered(by));
                let is_found = match found {
                    Some(Steps::Equal(s)) => !by_ratio && (s / step - 1.0).abs() < 1e-8,
                    Some(Steps::Ratio(r)) => by_ratio && (r / ratio - 1.0).abs() < 1e-8,
                    None => false,
                };
                assert!(is_found, "{by} {found:?} {:?}", jittered(by));
            }
            for by in [1e-8, -1e-8, 1e-3] {
                assert_eq!(Steps::of(&jittered(by)), None, "{by} {:?}", jittered(by));
            }
        }
    }

    const DAY: f64 = 86_400.0;

    fn days(of: &[f64]) -> Axis {
        let labels = of.iter().map(f64::to_string).collect();
        let mut axis = Axis::number("t", of.iter().map(|d| d * DAY).collect(), labels);
        axis.kind = AxisKind::Time;
        axis
    }

    fn extents(of: &[f64]) -> Vec<[f64; 2]> {
        let extents = days(of).extents().unwrap();
        extents.iter().map(|e| e.map(|v| v / DAY)).collect()
    }

    #[test]
    fn days_that_are_left_out_stay_blank() {
        assert_eq!(
            extents(&[0.0, 1.0, 2.0, 9.0, 10.0]),
            [[-0.5, 0.5], [0.5, 1.5], [1.5, 2.5], [8.5, 9.5], [9.5, 10.5]]
        );
        let keys =
            |of: &[f64]| Axis::number("k", of.to_vec(), of.iter().map(f64::to_string).collect()).extents();
        assert_eq!(keys(&[1.0, 2.0, 4.0, 5.0]).unwrap(), [[0.5, 1.5], [1.5, 2.5], [3.5, 4.5], [4.5, 5.5]]);
        assert_eq!(keys(&[0.0, 1.0, 3.0]).unwrap(), [[-0.5, 0.5], [0.5, 2.0], [2.0, 4.0]]);
        assert_eq!(extents(&[0.0, 7.0, 8.0, 9.0]), [[-0.5, 0.5], [6.5, 7.5], [7.5, 8.5], [8.5, 9.5]]);
        assert!(!days(&[0.0, 1.0, 2.0, 9.0]).times_are_regular());
        assert!(days(&[0.0, 1.0, 2.0, 3.0]).times_are_regular());
        // Without a common step, cells meet halfway.
        assert_eq!(extents(&[0.0, 1.0, 3.5, 9.0]), [[-0.5, 0.5], [0.5, 2.25], [2.25, 6.25], [6.25, 11.75]]);
        assert!(!days(&[0.0, 1.0, 3.5, 9.0]).times_are_regular());
        assert_eq!(extents(&[4.0]).len(), 1);
        assert_eq!(extents(&[4.0, 9.0]), [[1.5, 6.5], [6.5, 11.5]]);
    }

    #[test]
    fn months_of_other_lengths_are_no_gaps() {
        let months = [0.0, 31.0, 59.0, 90.0, 120.0, 151.0, 181.0, 212.0];
        assert!(days(&months).times_are_regular());
        let meet = |of: &[f64]| extents(of).windows(2).all(|w| w[0][1] == w[1][0]);
        assert!(meet(&months));
        let gap = [0.0, 31.0, 59.0, 90.0, 181.0, 212.0, 243.0];
        assert!(!meet(&gap) && !days(&gap).times_are_regular());
        let quarters = [0.0, 90.0, 181.0, 273.0, 365.0];
        assert!(days(&quarters).times_are_regular());
        let years = [0.0, 365.0, 731.0, 1096.0, 1461.0];
        assert!(days(&years).times_are_regular() && meet(&years));
    }

    #[test]
    fn cells_never_overlap_or_lose_their_time() {
        let mut random = Random(9);
        for _ in 0..300 {
            let mut at = 0.0;
            let of: Vec<f64> = (0..12)
                .map(|_| {
                    at += random.pick(&[1.0, 1.0, 1.0, 2.0, 5.0, 31.0]);
                    at
                })
                .collect();
            let extents = extents(&of);
            assert!(extents.windows(2).all(|w| w[0][1] <= w[1][0] + 1e-9), "{of:?}");
            assert!(extents.iter().zip(&of).all(|(e, v)| e[0] < *v && *v < e[1]), "{of:?}");
        }
    }
}
