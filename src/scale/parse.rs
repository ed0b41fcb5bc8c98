//! Norms as users write them: `symlog:1`, `bounds:0,10,50`.

use super::norm::Norm;
use crate::text::{did_you_mean, nearest};

const WORDS: &[&str] = &["linear", "log", "symlog", "power", "twoslope", "centered", "bounds", "quantile"];

impl Norm {
    /// Reads `linear`, `log`, `symlog:T[,LINSCALE[,BASE]]`, `power:G`, `twoslope`, `centered[:HALF]`, `bounds:A,B,…`,
    /// `quantile` (its breakpoints are the caller's to fill in).
    ///
    /// # Errors
    /// An unknown word, with the nearest if one is near; numbers that are missing or do not fit.
    pub fn parse(text: &str, center: Option<f64>) -> Result<Norm, String> {
        let (word, rest) = text.trim().split_once(':').map_or((text.trim(), None), |(w, r)| (w, Some(r)));
        let numbers: Vec<f64> = match rest {
            None => Vec::new(),
            Some(r) => r.split(',').map(|p| number(p, text)).collect::<Result<_, _>>()?,
        };
        let takes = |most: usize| match numbers.len() > most {
            true => Err(format!("norm '{text}': {word} takes at most {most} numbers")),
            false => Ok(()),
        };
        match word {
            "linear" => takes(0).map(|()| center.map_or(Norm::Linear, |center| Norm::CenterLinear { center })),
            "log" => takes(0).map(|()| Norm::Log),
            "quantile" => takes(0).map(|()| Norm::Quantile(Vec::new())),
            "symlog" => {
                takes(3)?;
                let at = |i: usize, or: f64| numbers.get(i).copied().unwrap_or(or);
                let (linthresh, linscale, base) = (at(0, f64::NAN), at(1, 1.0), at(2, 10.0));
                if !(linthresh > 0.0 && linscale > 0.0 && base > 1.0) {
                    return Err(format!("norm '{text}': give symlog:T with T > 0 (and LINSCALE > 0, BASE > 1)"));
                }
                Ok(Norm::SymLog { linthresh, linscale, base })
            }
            "power" => match numbers[..] {
                [gamma] if gamma > 0.0 => Ok(Norm::Power { gamma }),
                _ => Err(format!("norm '{text}': give power:G with one G > 0")),
            },
            "twoslope" => {
                takes(0)?;
                let center = center.ok_or_else(|| format!("norm '{text}' wants a centre; hint: --center 0"))?;
                Ok(Norm::TwoSlope { center })
            }
            "centered" => {
                takes(1)?;
                match numbers.first() {
                    Some(half) if *half <= 0.0 => Err(format!("norm '{text}': half the range must be above 0")),
                    half => Ok(Norm::Centered { center: center.unwrap_or(0.0), half: half.copied() }),
                }
            }
            "bounds" if numbers.len() >= 2 && numbers.windows(2).all(|p| p[0] < p[1]) => Ok(Norm::Bounds(numbers)),
            "bounds" => Err(format!("norm '{text}': give at least two ascending numbers, as bounds:0,10,50")),
            other => {
                let near = did_you_mean(nearest(other, WORDS.iter().copied()));
                Err(format!("'{other}' is none of {}{near}", WORDS.join(", ")))
            }
        }
    }
}

fn number(text: &str, whole: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        _ => Err(format!("norm '{whole}': '{text}' is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_norms() {
        assert_eq!(Norm::parse("symlog:0.5,2", None), Ok(Norm::SymLog { linthresh: 0.5, linscale: 2.0, base: 10.0 }));
        assert_eq!(Norm::parse("bounds:0,10,50", None), Ok(Norm::Bounds(vec![0.0, 10.0, 50.0])));
        assert_eq!(Norm::parse("twoslope", Some(1.0)), Ok(Norm::TwoSlope { center: 1.0 }));
        for bad in
            ["lin", "symlog", "symlog:-1", "power:0", "power", "twoslope", "bounds:1", "bounds:2,1", "bounds:a,b", "log:3", "power:NaN"]
        {
            assert!(Norm::parse(bad, None).is_err(), "{bad}");
        }
        let slip = Norm::parse("lgo", None).unwrap_err();
        assert!(slip.starts_with("'lgo' is none of linear, log, ") && slip.ends_with("quantile; did you mean 'log'?"), "{slip}");
        assert!(Norm::parse("lin", None).unwrap_err().ends_with("quantile"));
    }
}
