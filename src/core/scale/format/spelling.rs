//! How number formats are written: words of Python's `format`, of D3's, and of `printf`.

use super::affix::{Affixes, MOST};
use super::{Kind, NumberFormat};
use crate::notation::{Notation, ParseError};
use std::fmt;
use std::str::FromStr;

const FORMS: &str = "give one of d, .1f, .3g, .2e, .1%, .2s, with +, $ or , before the point, or with text around it: '{:.1f} ms'";

/// Reads `.1f`, `.3g`, `.2e`, `d`, `%`, `.1%`, and `.2s` with prefixes of the SI; with `+`, `$` and `,` before the point, and `~` before
/// the letter to leave out zeros at the end, as D3 does; `{:.1f} ms` and `{x:.1f} ms` with text around it, and `%.1f ms`.
impl FromStr for NumberFormat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |reason: &str| ParseError::new(Notation::NumberFormat, text, reason);
        let Some((before, word, behind)) = braced(text).or_else(|| printed(text)) else {
            return of_word(text).ok_or_else(|| wrong(FORMS));
        };
        let mut format = of_word(&word).ok_or_else(|| wrong(FORMS))?;
        if !before.is_empty() || !behind.is_empty() {
            let (before, behind) = (before + format.affixes.before(), behind);
            format.affixes = Affixes::new(&before, &behind)
                .ok_or_else(|| wrong(&format!("the text around a number has at most {MOST} bytes")))?;
        }
        Ok(format)
    }
}

/// The word of a format without text around it.
fn of_word(text: &str) -> Option<NumberFormat> {
    let (sign, rest) = text.strip_prefix('+').map_or((false, text), |t| (true, t));
    let (dollar, rest) = rest.strip_prefix('$').map_or((false, rest), |t| (true, t));
    let (thousands, rest) = rest.strip_prefix(',').map_or((false, rest), |t| (true, t));
    if rest.is_empty() && thousands {
        // Python's own digits.
        let affixes = Affixes::new(if dollar { "$" } else { "" }, "")?;
        return Some(NumberFormat {
            sign,
            thousands,
            trims: true,
            affixes,
            ..NumberFormat::plain(Kind::Fixed, 10)
        });
    }
    let kind = match rest.chars().last()? {
        'f' => Kind::Fixed,
        'e' => Kind::Exponent,
        'g' => Kind::General,
        '%' => Kind::Percent,
        'd' => Kind::Whole,
        's' => Kind::Prefixed,
        _ => return None,
    };
    let rest = &rest[..rest.len() - 1];
    let (trims, rest) = rest.strip_suffix('~').map_or((false, rest), |t| (true, t));
    let precision = match rest.strip_prefix('.') {
        Some(n) => Some(n.parse::<usize>().ok().filter(|n| *n <= 30)?),
        None if rest.is_empty() => None,
        None => return None,
    };
    let affixes = Affixes::new(if dollar { "$" } else { "" }, "")?;
    let trims = trims || kind == Kind::Prefixed && precision.is_none();
    let precision = precision.unwrap_or(if kind == Kind::Whole { 0 } else { 6 });
    Some(NumberFormat { sign, thousands, trims, affixes, ..NumberFormat::plain(kind, precision) })
}

/// The texts around `{:WORD}`, and the word; doubled braces are braces.
fn braced(text: &str) -> Option<(String, String, String)> {
    let open = |t: &str| {
        let mut from = 0;
        while let Some(at) = t[from..].find('{').map(|i| i + from) {
            if !t[at + 1..].starts_with('{') {
                return Some(at);
            }
            from = at + 2;
        }
        None
    };
    let at = open(text)?;
    let (inner, behind) = text[at + 1..].split_once('}')?;
    let (name, word) = inner.split_once(':').unwrap_or((inner, "g"));
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let single = |t: &str| t.replace("{{", "{").replace("}}", "}");
    (is_name && open(behind).is_none()).then(|| (single(&text[..at]), word.to_owned(), single(behind)))
}

/// The texts around `%.1f`, and the word; `%%` is a per cent sign.
fn printed(text: &str) -> Option<(String, String, String)> {
    let at = text.find('%')?;
    let inner = &text[at + 1..];
    let end = inner.find(|c: char| !(c.is_ascii_digit() || ['+', ',', '.'].contains(&c)))?;
    let letter = inner[end..].chars().next().filter(|c| ['f', 'e', 'g', 'd'].contains(c))?;
    let behind = &inner[end + letter.len_utf8()..];
    let whole = |t: &str| t.replace("%%", "%");
    (!behind.replace("%%", "").contains('%'))
        .then(|| (whole(&text[..at]), inner[..=end].to_owned(), whole(behind)))
}

/// Writes it as [`FromStr`] reads it.
impl fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, behind) = (self.affixes.before(), self.affixes.behind());
        let is_braced = self.has_text();
        let double = |t: &str| t.replace('{', "{{").replace('}', "}}");
        if is_braced {
            write!(f, "{}{{:", double(before))?;
        }
        f.write_str(if self.sign { "+" } else { "" })?;
        f.write_str(if is_braced { "" } else { before })?;
        f.write_str(if self.thousands { "," } else { "" })?;
        let trims = if self.trims { "~" } else { "" };
        match self.kind {
            Kind::Whole => write!(f, "{trims}d"),
            Kind::Fixed | Kind::Fitted => write!(f, ".{}{trims}f", self.precision),
            Kind::Exponent | Kind::Large => write!(f, ".{}{trims}e", self.precision),
            Kind::General | Kind::Digits => write!(f, ".{}{trims}g", self.precision),
            Kind::Percent | Kind::Points => write!(f, ".{}{trims}%", self.precision),
            Kind::Prefixed => write!(f, ".{}{trims}s", self.precision),
        }?;
        if is_braced { write!(f, "}}{}", double(behind)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Number;
    use gridscope_random::{Random, cases};

    fn text(spec: &str, v: f64) -> String {
        spec.parse::<NumberFormat>().unwrap().format(Number::F64(v))
    }

    #[test]
    fn money_units_and_prefixes_stand_around_numbers() {
        assert_eq!(
            [text("$,.0f", -10894.3), text("${x:,.2f}", 1234.5), text("+$.1f", 2.0), text("{:,.0f} €", -1e4)],
            ["-$10,894", "$1,234.50", "+$2.0", "-10,000 €"]
        );
        assert_eq!(
            [text("{:.1f} ms", 3.06), text("n = {:d}", -5.0), text("%.1f%%", 12.34), text("%d px", 3.0)],
            ["3.1 ms", "n = -5", "12.3%", "3 px"]
        );
        assert_eq!(
            [text("${:,}", 1234567.5), text(",", 1e6), text("$,", 12.0)],
            ["$1,234,567.5", "1,000,000", "$12"]
        );
        assert_eq!([text("{x:.0f}", 2.0), text("{} K", 0.5), text("{{{:.0f}}}", 1.0)], ["2", "0.5 K", "{1}"]);
    }

    #[test]
    fn digits_have_the_prefixes_of_d3() {
        // The results of d3-format 3.1.
        let wanted = [
            (".2s", 42e6, "42M"),
            (".2s", 1500.0, "1.5k"),
            (".2s", 999.9, "1.0k"),
            (".3s", 0.00042, "420µ"),
            ("~s", 1500.0, "1.5k"),
            ("s", 1500.0, "1.5k"),
            (".1s", -123456.0, "-100k"),
            (".2s", 0.0, "0.0"),
            ("$.3s", 1234567.0, "$1.23M"),
            (".3s", 1e-27, "0.00100y"),
            (".2s", 1e30, "1000000Y"),
            (".2~f", 1.5, "1.5"),
            (".3~e", 1200.0, "1.2e+03"),
            (".2~%", 0.5, "50%"),
        ];
        for (spec, v, expected) in wanted {
            assert_eq!(text(spec, v), expected, "{spec} {v}");
        }
    }

    #[test]
    fn formats_are_read_as_they_are_written() {
        for text in [
            "d",
            ".1f",
            "+,.3g",
            ".0e",
            ",.2%",
            "$,.0f",
            ".3s",
            ".6~s",
            "+$.2~f",
            "{:.1f} ms",
            "{{x}} {:,.0f}€",
        ] {
            assert_eq!(text.parse::<NumberFormat>().map(|f| f.to_string()), Ok(text.to_owned()));
        }
        for bad in [
            "",
            "x",
            ".f",
            ".1",
            ".99f",
            "5.1f",
            "{:.1f",
            "{:x} m",
            "{a b:.1f}",
            "{:.1f}{:.1f}",
            "%",
            "%.1f%.2f",
        ] {
            let read = bad.parse::<NumberFormat>();
            assert!(read.is_err() || bad == "%", "{bad}: {read:?}");
        }
        assert!("{:.1f} a text that is longer than thirty bytes".parse::<NumberFormat>().is_err());
    }

    #[test]
    fn any_text_is_a_format_that_prints_itself_or_is_none() {
        const PARTS: [&str; 18] = [
            "{", "}", "{:", "{x:", ".1f", ".2s", "%", "%%", "$", "+", ",", "~", "é", " ms", "-", ".3g", "d",
            "€",
        ];
        let mut random = Random(11);
        let mut read = 0;
        for _ in 0..cases(2000) {
            let parts = random.within(1, 6);
            let text: String = (0..parts).map(|_| random.pick(&PARTS)).collect();
            let Ok(format) = text.parse::<NumberFormat>() else { continue };
            read += 1;
            let again = format.to_string().parse::<NumberFormat>();
            assert_eq!(again, Ok(format), "{text}: {format}");
            for v in [0.0, -1.5, 1e300, f64::NAN, f64::NEG_INFINITY] {
                assert!(!format.format(Number::F64(v)).is_empty());
            }
        }
        assert!(read > 50, "{read}");
    }
}
