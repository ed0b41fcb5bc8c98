//! Norms as users write them: `symlog:1`, `bounds:0,10,50`.

use super::curve::ascending;
use super::norm::Norm;
use crate::grid::Number;
use crate::text::{did_you_mean, nearest, shorten};
use std::fmt;

/// The word of each norm, and what is written behind it.
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

impl Norm {
    /// How each norm is written, in a list: `linear, log, symlog:T[,LINSCALE[,BASE]], …`.
    #[cfg(feature = "cli")]
    pub(crate) fn forms() -> String {
        FORMS.map(|(word, rest)| format!("{word}{rest}")).join(", ")
    }

    /// Reads a norm as users write it: `log`, `symlog:0.5`, `bounds:0,10,50`. The breakpoints of `quantile` are the caller's to
    /// fill in.
    ///
    /// # Errors
    /// An unknown word, with the nearest if one is near; numbers that are missing or do not fit.
    pub fn parse(text: &str, center: Option<f64>) -> Result<Norm, String> {
        let (word, rest) = text
            .trim()
            .split_once(':')
            .map_or((text.trim(), None), |(w, r)| (w, Some(r)));
        let wrong = |what: String| format!("norm '{}': {what}", shorten(text, SHOWN));
        let numbers: Vec<f64> = match rest {
            None => Vec::new(),
            Some(r) => r
                .split(',')
                .enumerate()
                .map(|(i, p)| number(p, i))
                .collect::<Result<Vec<f64>, String>>()
                .map_err(wrong)?,
        };
        let takes = |most: usize| match numbers.len() > most {
            true => Err(wrong(format!(
                "{} takes at most {most} numbers",
                shorten(word, SHOWN)
            ))),
            false => Ok(()),
        };
        match word {
            "linear" => {
                takes(0).map(|()| center.map_or(Norm::Linear, |center| Norm::CenterLinear { center }))
            }
            "log" => takes(0).map(|()| Norm::Log),
            "quantile" => takes(0).map(|()| Norm::Quantile(Vec::new())),
            "symlog" => {
                takes(3)?;
                let at = |i: usize, or: f64| numbers.get(i).copied().unwrap_or(or);
                let (linthresh, linscale, base) = (at(0, f64::NAN), at(1, 1.0), at(2, 10.0));
                if !(linthresh > 0.0 && linscale > 0.0 && base > 1.0) {
                    return Err(wrong(
                        "give symlog:T with T > 0 (and LINSCALE > 0, BASE > 1)".to_owned(),
                    ));
                }
                Ok(Norm::SymLog {
                    linthresh,
                    linscale,
                    base,
                })
            }
            "power" => match numbers[..] {
                [gamma] if gamma > 0.0 => Ok(Norm::Power { gamma }),
                _ => Err(wrong("give power:G with one G > 0".to_owned())),
            },
            "twoslope" => {
                takes(0)?;
                let center =
                    center.ok_or_else(|| format!("norm '{text}' wants a centre; hint: --center 0"))?;
                Ok(Norm::TwoSlope { center })
            }
            "centered" => {
                takes(1)?;
                match numbers.first() {
                    Some(half) if *half <= 0.0 => Err(wrong("half the range must be above 0".to_owned())),
                    half => Ok(Norm::Centered {
                        center: center.unwrap_or(0.0),
                        half: half.copied(),
                    }),
                }
            }
            "bounds" => match ascending(&numbers) {
                Ok(()) => Ok(Norm::Bounds(numbers)),
                Err(e) => Err(wrong(format!(
                    "give at least two ascending numbers, as bounds:0,10,50; {e}"
                ))),
            },
            other => {
                let near = did_you_mean(nearest(other, FORMS.iter().map(|f| f.0)));
                Err(format!(
                    "'{}' is none of {}{near}",
                    shorten(other, SHOWN),
                    FORMS.map(|f| f.0).join(", ")
                ))
            }
        }
    }
}

impl Norm {
    /// The same norm about another centre: what [`Norm::parse`] would read with it. `None` where the norm needs a centre and
    /// there is none.
    pub fn about(&self, center: Option<f64>) -> Option<Norm> {
        Some(match self {
            Norm::Linear | Norm::CenterLinear { .. } => {
                center.map_or(Norm::Linear, |center| Norm::CenterLinear { center })
            }
            Norm::TwoSlope { .. } => Norm::TwoSlope { center: center? },
            Norm::Centered { half, .. } => Norm::Centered {
                center: center.unwrap_or(0.0),
                half: *half,
            },
            Norm::Log | Norm::SymLog { .. } | Norm::Power { .. } | Norm::Bounds(_) | Norm::Quantile(_) => {
                self.clone()
            }
        })
    }
}

impl fmt::Display for Norm {
    /// The text that [`Norm::parse`] reads; the centre and the breakpoints of a quantile norm are not part of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Norm::Linear | Norm::CenterLinear { .. } => f.write_str("linear"),
            Norm::SymLog {
                linthresh,
                linscale,
                base,
            } => {
                write!(f, "symlog:{}", Number::F64(*linthresh))?;
                if (*linscale, *base) != (1.0, 10.0) {
                    write!(f, ",{}", Number::F64(*linscale))?;
                }
                if *base != 10.0 {
                    write!(f, ",{}", Number::F64(*base))?;
                }
                Ok(())
            }
            Norm::Power { gamma } => write!(f, "power:{}", Number::F64(*gamma)),
            Norm::Centered { half: Some(half), .. } => write!(f, "centered:{}", Number::F64(*half)),
            Norm::Bounds(bounds) => {
                let list: Vec<String> = bounds.iter().map(|b| Number::F64(*b).to_string()).collect();
                write!(f, "bounds:{}", list.join(","))
            }
            Norm::Log | Norm::TwoSlope { .. } | Norm::Centered { half: None, .. } | Norm::Quantile(_) => {
                f.write_str(self.word())
            }
        }
    }
}

/// Characters of a norm's text that a message repeats.
const SHOWN: usize = 60;

fn number(text: &str, i: usize) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        _ => Err(format!(
            "number {}, '{}', is not a finite number",
            i + 1,
            shorten(text, SHOWN)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_norms() {
        assert_eq!(
            Norm::parse("symlog:0.5,2", None),
            Ok(Norm::SymLog {
                linthresh: 0.5,
                linscale: 2.0,
                base: 10.0
            })
        );
        assert_eq!(
            Norm::parse("bounds:0,10,50", None),
            Ok(Norm::Bounds(vec![0.0, 10.0, 50.0]))
        );
        assert_eq!(
            Norm::parse("twoslope", Some(1.0)),
            Ok(Norm::TwoSlope { center: 1.0 })
        );
        for bad in [
            "lin",
            "symlog",
            "symlog:-1",
            "power:0",
            "power",
            "twoslope",
            "bounds:1",
            "bounds:2,1",
            "bounds:a,b",
            "log:3",
            "power:NaN",
        ] {
            assert!(Norm::parse(bad, None).is_err(), "{bad}");
        }
        let slip = Norm::parse("lgo", None).unwrap_err();
        assert!(
            slip.starts_with("'lgo' is none of linear, log, ")
                && slip.ends_with("quantile; did you mean 'log'?"),
            "{slip}"
        );
        assert!(Norm::parse("lin", None).unwrap_err().ends_with("quantile"));
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
                let norm = Norm::parse(text, center).unwrap();
                assert_eq!(norm.to_string(), text);
                assert_eq!(norm.about(center), Some(norm.clone()), "{text}");
                assert_eq!(norm.about(Some(7.0)), Norm::parse(text, Some(7.0)).ok());
                assert_eq!(norm.about(None), Norm::parse(text, None).ok(), "{text}");
            }
        }
    }

    #[test]
    fn a_million_boundaries_are_read_and_a_wrong_one_is_named_by_its_place() {
        let list = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        let many = list(1_000_000);
        assert!(
            matches!(Norm::parse(&format!("bounds:{many}"), None), Ok(Norm::Bounds(b)) if b.len() == 1_000_000)
        );
        for (end, place) in [
            ("7", "number 1000001 (7) is not above the one before it (999999)"),
            ("NaN", "number 1000001, 'NaN',"),
            ("1e999", "'1e999'"),
        ] {
            let e = Norm::parse(&format!("bounds:{many},{end}"), None).unwrap_err();
            assert!(
                e.contains(place) && e.len() < 400,
                "{} characters: {}",
                e.len(),
                &e[..e.len().min(500)]
            );
        }
        for (bounds, what) in [
            (vec![1.0], "1 given"),
            (vec![0.0, f64::INFINITY], "number 2 is inf"),
            (vec![0.0, f64::NAN, 1.0], "number 2 is NaN"),
        ] {
            assert!(
                Norm::Bounds(bounds).check(0.0, 1.0).unwrap_err().contains(what),
                "{what}"
            );
        }
    }
}
