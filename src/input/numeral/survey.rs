//! The texts of a column, looked at together: by which rule they are numbers.

use super::rule::{Numeral, Written, without_percent};
use crate::figure::Data;
use crate::input::error::InputError;
use crate::input::field::{Field, is_beyond, parse_number, read_field, shown};

const SIGNS: &str = "--decimal , reads 1.234,5 and 1,234 as 1234.5 and 1.234; --thousands , reads 1,234.5 and 1,234 as 1234.5 and 1234";

/// The rules that the numbers of a table may follow: one or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    point: Option<Numeral>,
    comma: Option<Numeral>,
    /// Whether a lone `1,234` is 1234: not where commas are likely to be decimal.
    groups: bool,
}

impl Rules {
    /// Those that `decimal` and `thousands` leave; `delimiter` is that of the file.
    ///
    /// # Errors
    /// Signs that are none, or one sign for both.
    pub(crate) fn new(data: &Data, delimiter: Option<u8>, file: &str) -> Result<Self, InputError> {
        let decimal = match data.decimal.as_deref() {
            None => None,
            Some("." | "point") => Some('.'),
            Some("," | "comma") => Some(','),
            Some(other) => {
                let what = format!("--decimal {} is neither , nor .", shown(other));
                return Err(InputError::usage(file, what));
            }
        };
        let thousands = match data.thousands.as_deref() {
            None => None,
            Some("," | "comma") => Some(','),
            Some("." | "point") => Some('.'),
            Some(" " | "space") => Some(' '),
            Some("'") => Some('\''),
            Some("_") => Some('_'),
            Some(other) => {
                let what = format!("--thousands {} is none of , . ' _ and space", shown(other));
                return Err(InputError::usage(file, what));
            }
        };
        if thousands.is_some() && decimal == thousands {
            let what = "--decimal and --thousands are the same sign";
            return Err(InputError::usage(file, what));
        }
        let rule = |usual: Numeral| {
            let thousands = thousands.unwrap_or(usual.thousands);
            let fits = decimal.is_none_or(|d| d == usual.decimal) && thousands != usual.decimal;
            fits.then_some(Numeral { thousands, ..usual })
        };
        Ok(Self {
            point: rule(Numeral::POINT),
            comma: rule(Numeral::COMMA),
            groups: delimiter != Some(b';'),
        })
    }
}

/// A text of a column, and the number of its row in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub row: u64,
    pub text: String,
}

/// What the texts of a column are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// Numbers by any rule, and texts that are none, with the first of them.
    numbers: u64,
    texts: u64,
    text: Option<Found>,
    /// The first number with and the first without `%`; 0 needs none.
    percent: Option<Found>,
    bare: Option<Found>,
    /// The first number that only one of the rules reads.
    point_only: Option<Found>,
    comma_only: Option<Found>,
    /// The first numbers that the rules read as different ones: `1,234` and `1.234`.
    either_comma: Option<Found>,
    either_point: Option<Found>,
    /// A number without `%` with the other decimal sign.
    other_sign: Option<Found>,
    /// A number shows how thousands are parted.
    proof: bool,
    /// A number is not as a plain one is written.
    written: bool,
}

/// By which rule the numbers of a column are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No number and no text.
    Empty,
    /// Plain numbers.
    Plain,
    /// Numbers by this rule.
    Written(Numeral),
    /// Texts.
    Texts,
    /// More numbers than texts, of which this is the first.
    Stray(Found),
    /// Numbers by no one rule: why, and what to do.
    Unclear(String, String),
}

impl Survey {
    /// Takes the text of a row.
    pub(crate) fn take(&mut self, text: &str, row: u64, missing: &[String], rules: Rules) {
        let set = |place: &mut Option<Found>| {
            let found = || Found {
                row,
                text: text.chars().take(60).collect(),
            };
            *place = place.take().or_else(|| Some(found()));
        };
        if read_field(text, missing) == Field::Missing {
            return;
        }
        let (number, percent) = without_percent(text);
        let plain = parse_number(number);
        if is_beyond(number) || plain.is_some_and(|n| !n.as_f64().is_finite()) {
            // It is a number by every rule, or by none.
            self.numbers += u64::from(!percent);
            self.texts += u64::from(percent);
            return;
        }
        let read = |rule: Option<Numeral>| rule.and_then(|r| r.number(number));
        match (read(rules.point), read(rules.comma)) {
            (None, None) => {
                if percent || read_field(text, missing) == Field::Text {
                    self.texts += 1;
                    set(&mut self.text);
                } else if plain.is_some() {
                    set(&mut self.other_sign);
                } else {
                    // A truth value.
                    self.numbers += 1;
                }
                return;
            }
            (Some(one), None) => {
                set(&mut self.point_only);
                self.meet(&one, number);
            }
            (None, Some(one)) => {
                set(&mut self.comma_only);
                self.meet(&one, number);
            }
            (Some(point), Some(comma)) if point.plain != comma.plain => {
                self.written |= point.plain != number;
                set(if point.parted > 0 {
                    &mut self.either_comma
                } else {
                    &mut self.either_point
                });
            }
            (Some(_), Some(_)) => {}
        }
        self.numbers += 1;
        let is_zero = plain.is_some_and(|n| n.as_f64() == 0.0);
        if percent {
            set(&mut self.percent);
        } else if !is_zero {
            set(&mut self.bare);
        }
    }

    fn meet(&mut self, one: &Written, text: &str) {
        self.proof |= one.parted > 1 || one.parted == 1 && one.fraction;
        self.written |= one.plain != text;
    }

    /// Takes what further rows are.
    pub(crate) fn append(&mut self, more: Self) {
        self.numbers += more.numbers;
        self.texts += more.texts;
        self.proof |= more.proof;
        self.written |= more.written;
        let places = [
            (&mut self.other_sign, more.other_sign),
            (&mut self.text, more.text),
            (&mut self.percent, more.percent),
            (&mut self.bare, more.bare),
            (&mut self.point_only, more.point_only),
            (&mut self.comma_only, more.comma_only),
            (&mut self.either_comma, more.either_comma),
            (&mut self.either_point, more.either_point),
        ];
        for (place, more) in places {
            *place = place.take().or(more);
        }
    }

    /// Whether this many texts were met, and no number.
    pub(crate) fn holds_texts(&self, many: u64) -> bool {
        self.numbers == 0 && self.texts >= many
    }

    /// By which rule all are numbers; `place` says where a row is.
    pub(crate) fn verdict(&self, rules: Rules, place: impl Fn(u64) -> String) -> Verdict {
        let at = |found: &Found| format!("{} ({})", shown(&found.text), place(found.row));
        let unclear = |a: &Found, b: Option<&Found>| {
            let also = b.map_or_else(String::new, |b| format!(" beside {}", at(b)));
            let what = format!("it is unclear which sign of {}{also} is the decimal one", at(a));
            Verdict::Unclear(what, SIGNS.to_owned())
        };
        match (&self.text, self.numbers, self.texts) {
            (_, 0, 0) if self.other_sign.is_none() => return Verdict::Empty,
            (Some(text), numbers, texts) if numbers > texts => return Verdict::Stray(text.clone()),
            (_, _, 1..) => return Verdict::Texts,
            _ => {}
        }
        if let (Some(with), Some(without)) = (&self.percent, &self.bare) {
            let what = format!("{} and {} are in one column", at(with), at(without));
            let hint = "write % behind all numbers of a column or behind none: 0.95 may be 0.95 % or 95 %";
            return Verdict::Unclear(what, hint.to_owned());
        }
        if let Some(other) = &self.other_sign {
            return match self.point_only.as_ref().or(self.comma_only.as_ref()) {
                Some(first) if self.written => unclear(other, Some(first)),
                _ => Verdict::Plain,
            };
        }
        let rule = match (&self.point_only, &self.comma_only) {
            (Some(point), Some(comma)) => return unclear(comma, Some(point)),
            (Some(_), None) => rules.point,
            (None, Some(comma)) => match &self.either_comma {
                Some(either) if !self.proof && rules.point.is_some() => return unclear(either, Some(comma)),
                _ => rules.comma,
            },
            (None, None) => match (&self.either_comma, &self.either_point) {
                (Some(comma), Some(point)) => return unclear(comma, Some(point)),
                (Some(comma), None) if !rules.groups => return unclear(comma, None),
                _ => rules.point.or(rules.comma),
            },
        };
        let percent = self.percent.is_some();
        match rule.filter(|_| percent || self.written) {
            Some(rule) => Verdict::Written(Numeral { percent, ..rule }),
            None => Verdict::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(texts: &str, data: &Data, delimiter: u8) -> Verdict {
        let rules = Rules::new(data, Some(delimiter), "t.csv").unwrap();
        let mut survey = Survey::default();
        for (text, row) in texts.split('|').zip(2..) {
            let mut more = Survey::default();
            more.take(text, row, &[], rules);
            survey.append(more);
        }
        survey.verdict(rules, |row| format!("line {row}"))
    }

    fn of(texts: &str) -> String {
        match verdict(texts, &Data::default(), b',') {
            Verdict::Written(n) => {
                format!("{}{}{}", n.thousands, n.decimal, if n.percent { "%" } else { "" })
            }
            Verdict::Unclear(what, _) => what,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_column_has_one_rule() {
        assert_eq!(of("95%|-|93.5%|0|NaN"), ",.%");
        assert_eq!(of("1,234|950|12,345"), ",.");
        assert_eq!(of("1,234|1.5"), ",.");
        assert_eq!(of("1.5|1,234.5"), ",.");
        assert_eq!(of("1.234,5|7|1,234|1.234"), ".,");
        assert_eq!(of("12,5|3,25|1.234"), ".,");
        assert_eq!(of("1.234.567|1.234"), ".,");
        assert_eq!(of("1,5%|2,25 %"), ".,%");
        assert_eq!(of("1.5|2|1.234|true|inf"), "Plain");
        assert_eq!((of(""), of("-|NA")), ("Empty".into(), "Empty".into()));
        assert_eq!(
            (of("a|b|1"), of("2024-03-01|x")),
            ("Texts".into(), "Texts".into())
        );
        assert!(of("1|2|x").starts_with("Stray"));
    }

    #[test]
    fn what_two_rules_read_is_refused() {
        assert_eq!(
            of("95%|0.95"),
            "'95%' (line 2) and '0.95' (line 3) are in one column"
        );
        for texts in [
            "1,5|1.5",
            "1,234|1.234",
            "12,5|1,234",
            "1.234,5|1,234.5",
            "0,123|1.23",
        ] {
            assert!(of(texts).starts_with("it is unclear"), "{texts}: {}", of(texts));
        }
        assert!(matches!(
            verdict("1,234|2,345", &Data::default(), b';'),
            Verdict::Unclear(..)
        ));
    }

    #[test]
    fn options_settle_the_rule() {
        let of = |texts: &str, decimal: &str, thousands: &str| {
            let option = |t: &str| (!t.is_empty()).then(|| t.to_owned());
            let data = Data {
                decimal: option(decimal),
                thousands: option(thousands),
                ..Data::default()
            };
            match verdict(texts, &data, b';') {
                Verdict::Written(n) => format!("{}{}", n.thousands, n.decimal),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(of("1,234|2,345", ",", ""), ".,");
        assert_eq!(of("1,234|2,345", "", ","), ",.");
        assert_eq!(of("12,5|1,234", ",", ""), ".,");
        assert_eq!(of("1.234", ",", ""), ".,");
        assert_eq!(of("1 234,5|2,5", "", " "), " ,");
        assert_eq!(of("1 234.5|2.5", "", "space"), " .");
        assert_eq!(of("1.5|2.5", ",", ""), "Plain");
        assert_eq!(of("5|7", ",", ""), "Plain");
        assert!(of("1.5|2,5", ",", "").starts_with("Unclear"));
        for (decimal, thousands) in [(",", ","), ("x", ""), ("", "x")] {
            let option = |t: &str| (!t.is_empty()).then(|| t.to_owned());
            let data = Data {
                decimal: option(decimal),
                thousands: option(thousands),
                ..Data::default()
            };
            assert!(Rules::new(&data, None, "t").is_err());
        }
    }
}
