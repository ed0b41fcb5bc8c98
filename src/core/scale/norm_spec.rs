//! Norms as users write them, `symlog:1`, `bounds:0,10,50`; why limits do not suit one, and which do instead.

use super::norm::{Norm, ascending};
use crate::grid::Number;
use crate::notation::{Notation, ParseError};
use crate::text::{nearest, shorten};
use std::fmt;
use std::str::FromStr;

/// The word of each norm, and the numbers behind it.
const FORMS: [(&str, &str); 8] = [
    ("linear", ""),
    ("log", ""),
    ("symlog", ":T[,LINSCALE[,BASE]]"),
    ("power", ":G"),
    ("twoslope", ""),
    ("centered", "[:HALF]"),
    ("bounds", ":A,B,…"),
    ("quantile", ""),
];

/// A norm as it is written: without its centre, which is a key of its own, and without what the data decide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NormSpec {
    /// Equal steps; with a centre [`Norm::CenterLinear`].
    Linear,
    /// Equal ratios.
    Log,
    /// Linear within +-linthresh, logarithmic beyond.
    SymLog {
        /// Where the linear part ends.
        linthresh: f64,
        /// Decades that the linear half takes.
        linscale: f64,
        /// Base of the logarithm.
        base: f64,
    },
    /// Linear to the power of gamma.
    Power {
        /// The exponent.
        gamma: f64,
    },
    /// Two linear slopes that meet at the centre.
    TwoSlope,
    /// Linear, the limits at equal distances from the centre, which is 0 unless given.
    Centered {
        /// From the centre to each limit; the farthest value if not given.
        half: Option<f64>,
    },
    /// Steps at boundaries.
    Bounds(Vec<f64>),
    /// Equal numbers of values.
    Quantile,
}

impl NormSpec {
    /// How each norm is written, in a list: `linear, log, symlog:T[,LINSCALE[,BASE]], …`.
    pub fn forms() -> String {
        FORMS.map(|(word, rest)| format!("{word}{rest}")).join(", ")
    }

    /// How each norm begins: its word, with a colon where numbers must follow.
    pub fn beginnings() -> impl Iterator<Item = String> {
        FORMS.into_iter().map(|(word, rest)| {
            let colon = if rest.starts_with(':') { ":" } else { "" };
            format!("{word}{colon}")
        })
    }

    /// The norm about a centre; `None` where it needs one and there is none. The breakpoints of a quantile norm are the
    /// caller's to fill in.
    pub fn about(&self, center: Option<f64>) -> Option<Norm> {
        Some(match *self {
            Self::Linear => center.map_or(Norm::Linear, |center| Norm::CenterLinear { center }),
            Self::Log => Norm::Log,
            Self::SymLog { linthresh, linscale, base } => Norm::SymLog { linthresh, linscale, base },
            Self::Power { gamma } => Norm::Power { gamma },
            Self::TwoSlope => Norm::TwoSlope { center: center? },
            Self::Centered { half } => Norm::Centered { center: center.unwrap_or(0.0), half },
            Self::Bounds(ref bounds) => Norm::Bounds(bounds.clone()),
            Self::Quantile => Norm::Quantile(Vec::new()),
        })
    }
}

impl From<&Norm> for NormSpec {
    fn from(norm: &Norm) -> Self {
        match *norm {
            Norm::Linear | Norm::CenterLinear { .. } => Self::Linear,
            Norm::Log => Self::Log,
            Norm::SymLog { linthresh, linscale, base } => Self::SymLog { linthresh, linscale, base },
            Norm::Power { gamma } => Self::Power { gamma },
            Norm::TwoSlope { .. } => Self::TwoSlope,
            Norm::Centered { half, .. } => Self::Centered { half },
            Norm::Bounds(ref bounds) => Self::Bounds(bounds.clone()),
            Norm::Quantile(_) => Self::Quantile,
        }
    }
}

/// Reads `log`, `symlog:0.5`, `bounds:0,10,50`.
impl FromStr for NormSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: String| ParseError::new(Notation::Norm, text, reason);
        let (word, rest) = text.trim().split_once(':').map_or((text.trim(), None), |(w, r)| (w, Some(r)));
        let numbers: Vec<f64> = match rest {
            None => Vec::new(),
            Some(r) => r
                .split(',')
                .enumerate()
                .map(|(i, p)| number(p, i))
                .collect::<Result<_, String>>()
                .map_err(wrong)?,
        };
        let takes = |most: usize| {
            if numbers.len() > most {
                Err(wrong(format!("{word} takes at most {most} numbers")))
            } else {
                Ok(())
            }
        };
        match word {
            "linear" => takes(0).map(|()| Self::Linear),
            "log" => takes(0).map(|()| Self::Log),
            "quantile" => takes(0).map(|()| Self::Quantile),
            "twoslope" => takes(0).map(|()| Self::TwoSlope),
            "symlog" => {
                takes(3)?;
                let at = |i: usize, or: f64| numbers.get(i).copied().unwrap_or(or);
                let (linthresh, linscale, base) = (at(0, f64::NAN), at(1, 1.0), at(2, 10.0));
                if !(linthresh > 0.0 && linscale > 0.0 && base > 1.0) {
                    return Err(wrong("give symlog:T with T > 0 (and LINSCALE > 0, BASE > 1)".to_owned()));
                }
                Ok(Self::SymLog { linthresh, linscale, base })
            }
            "power" => match numbers[..] {
                [gamma] if gamma > 0.0 => Ok(Self::Power { gamma }),
                _ => Err(wrong("give power:G with one G > 0".to_owned())),
            },
            "centered" => {
                takes(1)?;
                match numbers.first() {
                    Some(half) if *half <= 0.0 => Err(wrong("half the range must be above 0".to_owned())),
                    half => Ok(Self::Centered { half: half.copied() }),
                }
            }
            "bounds" => match ascending(&numbers) {
                Ok(()) => Ok(Self::Bounds(numbers)),
                Err(e) => Err(wrong(format!("give at least two ascending numbers, as bounds:0,10,50; {e}"))),
            },
            other => {
                let near = nearest(other, FORMS.iter().map(|f| f.0));
                let known = FORMS.map(|f| f.0).join(", ");
                Err(wrong(format!("give one of {known}")).near(near))
            }
        }
    }
}

/// Writes the text that [`NormSpec::from_str`] reads.
impl fmt::Display for NormSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => f.write_str("linear"),
            Self::Log => f.write_str("log"),
            Self::SymLog { linthresh, linscale, base } => {
                write!(f, "symlog:{}", Number::F64(*linthresh))?;
                if (*linscale, *base) != (1.0, 10.0) {
                    write!(f, ",{}", Number::F64(*linscale))?;
                }
                if *base != 10.0 {
                    write!(f, ",{}", Number::F64(*base))?;
                }
                Ok(())
            }
            Self::Power { gamma } => write!(f, "power:{}", Number::F64(*gamma)),
            Self::TwoSlope => f.write_str("twoslope"),
            Self::Centered { half: None } => f.write_str("centered"),
            Self::Centered { half: Some(half) } => write!(f, "centered:{}", Number::F64(*half)),
            Self::Bounds(bounds) => {
                let list: Vec<String> = bounds.iter().map(|b| Number::F64(*b).to_string()).collect();
                write!(f, "bounds:{}", list.join(","))
            }
            Self::Quantile => f.write_str("quantile"),
        }
    }
}

impl Norm {
    /// The same norm about another centre. `None` where the norm needs a centre and there is none.
    pub fn about(&self, center: Option<f64>) -> Option<Norm> {
        match self {
            Norm::Quantile(_) => Some(self.clone()),
            norm => NormSpec::from(norm).about(center),
        }
    }
}

/// Writes the norm as its [`NormSpec`] is written, without its centre and the breakpoints of a quantile norm.
impl fmt::Display for Norm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NormSpec::from(self).fmt(f)
    }
}

/// Characters of a number's text that a message repeats.
const SHOWN: usize = 60;

fn number(text: &str, i: usize) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        _ => Err(format!("number {}, '{}', is not a finite number", i + 1, shorten(text, SHOWN))),
    }
}

/// Makes a norm for values of a range (least and greatest), where that is possible.
type Make = fn(Option<(f64, f64)>) -> Option<Norm>;

/// The norms that follow each other, and after the last one the first.
const CYCLE: [(&str, Make); 4] = [
    ("linear", |_| Some(Norm::Linear)),
    ("log", |_| Some(Norm::Log)),
    ("symlog", symlog),
    ("quantile", |_| Some(Norm::Quantile(Vec::new()))),
];

/// The norms to offer in place of `own`, in the order of `CYCLE` from `own` on; of a norm with a centre, those that have the
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

/// Limits that a norm cannot have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LimitsError {
    /// A limit is infinite or NaN.
    NotFinite {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The low limit is above the high one.
    Reversed {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// A limit of a log norm is 0 or less.
    NotPositive {
        /// The low limit.
        vmin: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The centre of a twoslope norm is not between the limits.
    Center {
        /// The low limit.
        vmin: f64,
        /// The centre.
        center: f64,
        /// The high limit.
        vmax: f64,
    },
    /// The boundaries of a bounds norm are not ascending.
    Bounds(BoundsError),
}

impl LimitsError {
    /// Advice.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Reversed { .. } => Some("a colormap's name with _r reverses it"),
            _ => None,
        }
    }
}

impl fmt::Display for LimitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = Number::F64;
        match *self {
            Self::NotFinite { vmin, vmax } => write!(f, "limits must be finite: vmin {vmin}, vmax {vmax}"),
            Self::Reversed { vmin, vmax } => {
                write!(f, "limits the wrong way round: vmin {} is above vmax {}", n(vmin), n(vmax))
            }
            Self::NotPositive { vmin, vmax } => {
                write!(f, "a log norm needs positive limits: vmin {}, vmax {}", n(vmin), n(vmax))
            }
            Self::Center { vmin, center, vmax } => {
                write!(f, "a twoslope norm needs vmin {} < center {center} < vmax {}", n(vmin), n(vmax))
            }
            Self::Bounds(ref e) => write!(f, "a bounds norm needs ascending numbers: {e}"),
        }
    }
}

impl std::error::Error for LimitsError {}

/// Numbers that are not at least two finite ones, each above the one before; places are counted from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BoundsError {
    /// This many numbers are given.
    Few(usize),
    /// A number is infinite or NaN.
    NotFinite {
        /// Its place in the list.
        place: usize,
        /// The number.
        value: f64,
    },
    /// A number is not above the one before it.
    NotAbove {
        /// Its place in the list.
        place: usize,
        /// The number.
        value: f64,
        /// The one before it.
        before: f64,
    },
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Few(given) => write!(f, "at least two are needed, {given} given"),
            Self::NotFinite { place, value } => write!(f, "number {place} is {value}, not finite"),
            Self::NotAbove { place, value, before } => write!(
                f,
                "number {place} ({}) is not above the one before it ({})",
                Number::F64(value),
                Number::F64(before)
            ),
        }
    }
}

impl std::error::Error for BoundsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NormSpec, ParseError> {
        text.parse()
    }

    #[test]
    fn words_become_norms() {
        assert_eq!(read("symlog:0.5,2"), Ok(NormSpec::SymLog { linthresh: 0.5, linscale: 2.0, base: 10.0 }));
        assert_eq!(read("bounds:0,10,50"), Ok(NormSpec::Bounds(vec![0.0, 10.0, 50.0])));
        assert_eq!(read("twoslope").unwrap().about(Some(1.0)), Some(Norm::TwoSlope { center: 1.0 }));
        assert_eq!(read("twoslope").unwrap().about(None), None);
        for bad in [
            "lin",
            "symlog",
            "symlog:-1",
            "power:0",
            "power",
            "twoslope:1",
            "bounds:1",
            "bounds:2,1",
            "bounds:a,b",
            "log:3",
            "power:NaN",
        ] {
            assert_eq!(read(bad).unwrap_err().kind, Notation::Norm, "{bad}");
        }
        assert_eq!(
            read("lgo").unwrap_err().to_string(),
            "'lgo' is not a norm: give one of linear, log, symlog, power, twoslope, centered, bounds, quantile; \
             did you mean 'log'?"
        );
        assert_eq!(read("lin").unwrap_err().hint, None);
    }

    #[test]
    fn norms_print_as_they_are_read() {
        for text in [
            "linear",
            "log",
            "symlog:0.001",
            "symlog:2,0.5",
            "symlog:2,1,2",
            "power:0.5",
            "twoslope",
            "centered",
            "centered:3",
            "bounds:-1.5,0,1e300",
            "quantile",
        ] {
            for center in [Some(1.5), Some(0.0)] {
                let spec = read(text).unwrap();
                let norm = spec.about(center).unwrap();
                assert_eq!((norm.to_string(), spec.to_string()), (text.to_owned(), text.to_owned()));
                assert_eq!(norm.about(center), Some(norm.clone()), "{text}");
                assert_eq!(norm.about(Some(7.0)), spec.about(Some(7.0)));
                assert_eq!(norm.about(None), spec.about(None), "{text}");
            }
        }
    }

    #[test]
    fn a_million_boundaries_are_read_and_a_wrong_one_is_named_by_its_place() {
        let list = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        let many = list(1_000_000);
        assert!(matches!(read(&format!("bounds:{many}")), Ok(NormSpec::Bounds(b)) if b.len() == 1_000_000));
        for (end, place) in [
            ("7", "number 1000001 (7) is not above the one before it (999999)"),
            ("NaN", "number 1000001, 'NaN',"),
            ("1e999", "'1e999'"),
        ] {
            let e = read(&format!("bounds:{many},{end}")).unwrap_err().to_string();
            assert!(e.contains(place) && e.len() < 400, "{} characters: {}", e.len(), &e[..e.len().min(500)]);
        }
        for (bounds, what) in [
            (vec![1.0], "1 given"),
            (vec![0.0, f64::INFINITY], "number 2 is inf"),
            (vec![0.0, f64::NAN, 1.0], "number 2 is NaN"),
        ] {
            assert!(Norm::Bounds(bounds).check(0.0, 1.0).unwrap_err().to_string().contains(what), "{what}");
        }
    }

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
