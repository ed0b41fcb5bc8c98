//! The rule by which the numbers of a column are read, from the column and its file.

use super::Rules;
use super::measure::Unit;
use super::rule::{Assumed, Numeral};
use super::survey::{Survey, TextAt};
use crate::field::{parse_number, shown};

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
    Stray(TextAt),
    /// Numbers by no one rule: why, and what to do.
    Unclear(String, String),
}

/// Which decimal signs the columns of a file show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    point: bool,
    comma: bool,
    /// Commas, or points, surely part thousands.
    grouped: [bool; 2],
    /// Blanks or apostrophes do.
    spaced: bool,
}

impl Signs {
    /// Those of one more column.
    pub(crate) fn take(&mut self, column: &Survey) {
        self.spaced |= column.spaced.is_some();
        if column.numbers > column.texts {
            self.point |= column.point_only.is_some() && column.comma_only.is_none();
            self.comma |= column.comma_only.is_some() && column.point_only.is_none();
            self.grouped[0] |= column.grouped[0];
            self.grouped[1] |= column.grouped[1];
        }
    }
}

const COMMA: &str = "--decimal , reads 1.234,5 and 1,234 as 1234.5 and 1.234";
const POINT: &str = "--thousands , reads 1,234.5 and 1,234 as 1234.5 and 1234";
const ALIKE: &str = "write the numbers of a column alike";

impl Survey {
    /// By which rule all are numbers; `file` is what the columns of the file show, and `place` says where a row is.
    pub(crate) fn verdict(&self, rules: Rules, file: Signs, place: impl Fn(u64) -> String) -> Verdict {
        let at = |found: &TextAt| format!("{} ({})", shown(&found.text), place(found.row));
        let unclear = |a: &TextAt, b: Option<&TextAt>| {
            let also = b.map_or_else(String::new, |b| format!(" beside {}", at(b)));
            let what = format!("it is unclear which sign of {}{also} is the decimal one", at(a));
            Verdict::Unclear(what, self.options(rules, file))
        };
        match (&self.text, self.numbers, self.texts) {
            (_, 0, 0) if self.other_sign.is_none() => return Verdict::Empty,
            (Some(text), numbers, texts) if numbers > texts || numbers > 0 && self.are_bounds() => {
                return Verdict::Stray(text.clone());
            }
            (_, _, 1..) => return Verdict::Texts,
            _ if self.numbers > 0 && !self.open && self.written => return Verdict::Texts,
            _ => {}
        }
        if let Some((unit, with)) = &self.unit {
            let open = matches!(unit, Unit::Sign('%') | Unit::Measure(_));
            let without = self.bare.as_ref().filter(|_| open);
            if let Some(other) = self.other_unit.as_ref().or(without) {
                let what = format!("{} and {} are in one column", at(with), at(other));
                let hint = if self.other_unit.is_some() {
                    "the numbers of a column have one unit".to_owned()
                } else if matches!(unit, Unit::Measure(_)) {
                    "write the unit behind all numbers of a column or behind none".to_owned()
                } else {
                    "write % behind all numbers of a column or behind none: 0.95 may be 0.95 % or 95 %"
                        .to_owned()
                };
                return Verdict::Unclear(what, hint);
            }
        }
        if let Some(other) = &self.other_sign {
            return match self.point_only.as_ref().or(self.comma_only.as_ref()) {
                Some(first) if self.written => unclear(other, Some(first)),
                _ => Verdict::Plain,
            };
        }
        // In a file that commas separate, one between two numbers may part a list.
        let lists = rules.delimiter.is_none_or(|d| d == b',');
        let mut by_comma = false;
        // What nothing in the column shows is taken from the file: refused where the file shows another sign, and else reported.
        let doubt = rules.point.is_some() && rules.comma.is_some() && !self.sure_groups();
        let mut assumed = None;
        let rule = match (&self.point_only, &self.comma_only) {
            (Some(point), Some(comma)) => return unclear(comma, Some(point)),
            (Some(point), None) => {
                if let Some(either) = self.either_comma.as_ref().filter(|_| doubt && !file.grouped[0]) {
                    if file.comma || file.spaced || file.grouped[1] {
                        return unclear(either, Some(point));
                    }
                    assumed = Some(either);
                }
                rules.point
            }
            (None, Some(comma)) => {
                let few = self.commas < 3;
                let other = file.point || file.grouped[0];
                if let Some(either) = self.either_comma.as_ref().filter(|_| few && rules.point.is_some()) {
                    if !self.sure || doubt && other {
                        return unclear(either, Some(comma));
                    }
                    assumed = Some(either).filter(|_| doubt);
                }
                if let Some(either) = self.either_point.as_ref().filter(|_| doubt && !file.grouped[1]) {
                    if other || file.spaced {
                        return unclear(either, Some(comma));
                    }
                    assumed = Some(either);
                }
                rules.comma
            }
            (None, None) => match (&self.either_comma, &self.either_point) {
                (Some(comma), Some(point)) => return unclear(comma, Some(point)),
                (Some(either), None) | (None, Some(either)) if file.comma && !file.point => {
                    if lists || self.wide && self.either_point.is_some() {
                        return unclear(either, None);
                    }
                    by_comma = self.either_point.is_some();
                    rules.comma
                }
                (Some(comma), None) if rules.delimiter == Some(b';') && !file.point => {
                    return unclear(comma, None);
                }
                (None, Some(point)) if rules.delimiter == Some(b';') && !file.point && !self.wide => {
                    return unclear(point, None);
                }
                (Some(either), None) if doubt && !file.point && !file.grouped[0] => {
                    if file.spaced {
                        return unclear(either, None);
                    }
                    assumed = Some(either);
                    rules.point
                }
                // Prices have two decimals or thousands.
                (None, Some(either)) if doubt && !file.point && self.is_money() => {
                    if !self.wide || file.spaced {
                        return unclear(either, None);
                    }
                    assumed = Some(either);
                    rules.point
                }
                _ => rules.point.or(rules.comma),
            },
        };
        match rule.filter(|_| self.unit.is_some() || self.written || by_comma) {
            Some(rule) => {
                let unit = self.unit.as_ref().map(|u| u.0);
                let comma = |text: &TextAt| self.either_comma.as_ref() == Some(text);
                let assumed = assumed.map(|t| Assumed::new(t.row, &t.text, comma(t)));
                Verdict::Written(Numeral { unit, spread: self.spread, assumed, ..rule })
            }
            None => Verdict::Plain,
        }
    }

    /// Whether the sign of a currency is beside numbers.
    fn is_money(&self) -> bool {
        self.unit.as_ref().is_some_and(|(unit, _)| matches!(unit, Unit::Sign(c) if !matches!(c, '%' | '×')))
    }

    /// Whether the texts are bounds of numbers, as `<0.001`.
    fn are_bounds(&self) -> bool {
        let is_bound = |text: &String| {
            let number = text.trim_start_matches(['<', '>', '≤', '≥', '=', '~', ' ']);
            number.len() < text.len() && parse_number(number).is_some()
        };
        !self.many && !self.kept.is_empty() && self.kept.iter().all(is_bound)
    }

    /// The options by which all numbers are read.
    fn options(&self, rules: Rules, file: Signs) -> String {
        let point = self.either_comma.is_none() && self.either_point.is_some();
        let signs = if point {
            ["--decimal . reads 1.234 as it is written", "--thousands . reads 1.234 as 1234"]
        } else {
            [POINT, COMMA]
        };
        let by_point = rules.point.is_some() && self.comma_only.is_none() && !file.comma;
        let by_comma = rules.comma.is_some() && self.point_only.is_none();
        let fit: Vec<&str> = [by_comma.then_some(signs[1]), by_point.then_some(signs[0])]
            .into_iter()
            .flatten()
            .filter(|_| self.other_sign.is_none())
            .collect();
        if fit.is_empty() { ALIKE.to_owned() } else { fit.join("; ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::Data;

    fn verdict(texts: &str, data: &Data, delimiter: u8) -> Verdict {
        let rules = Rules::new(data, Some(delimiter), "t.csv").unwrap();
        let mut survey = Survey::default();
        for (text, row) in texts.split('|').zip(2..) {
            let mut more = Survey::default();
            more.take(text, row, &[], rules);
            survey.append(more);
        }
        let mut file = Signs::default();
        file.take(&survey);
        survey.verdict(rules, file, |row| format!("line {row}"))
    }

    fn of(texts: &str) -> String {
        match verdict(texts, &Data::default(), b',') {
            Verdict::Written(n) => {
                format!("{}{}{}", n.thousands, n.decimal, n.unit.map_or_else(String::new, |u| u.to_string()))
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
        assert_eq!((of("a|b|1"), of("2024-03-01|x")), ("Texts".into(), "Texts".into()));
        assert!(of("1|2|x").starts_with("Stray"));
    }

    #[test]
    fn what_two_rules_read_is_refused() {
        assert_eq!(of("95%|0.95"), "'95%' (line 2) and '0.95' (line 3) are in one column");
        for texts in ["1,5|1.5", "1,234|1.234", "12,5|1,234", "1.234,5|1,234.5", "0,123|1.23"] {
            assert!(of(texts).starts_with("it is unclear"), "{texts}: {}", of(texts));
        }
        assert!(matches!(verdict("1,234|2,345", &Data::default(), b';'), Verdict::Unclear(..)));
    }

    #[test]
    fn money_and_minus_signs_are_numbers() {
        assert_eq!(of("$1,234|-$9,430|500"), ",.$");
        assert_eq!(of("1.200,50 €|500 €"), ".,€");
        assert_eq!(of("(1,200)|300"), ",.");
        assert_eq!(of("($5)|($6)"), ",.$");
        assert_eq!(of("(1)|(2)"), "Texts");
        assert_eq!(of("−2.5|3"), "Plain");
        assert_eq!(of("1,5|−2,5"), ".,");
        assert_eq!(of("$5|€6"), "'$5' (line 2) and '€6' (line 3) are in one column");
        assert!(of("$5|6%").contains("are in one column"));
    }

    #[test]
    fn a_column_is_settled_by_what_one_reading_is_left() {
        for (texts, wanted) in [
            ("3,022|0,648|0,5", ".,"),
            ("1,234|3,25", ".,"),
            ("1,234|1,5|2,5|3,5", ".,"),
            ("1,234|1234,5", ".,"),
        ] {
            assert_eq!(of(texts), wanted, "{texts}");
        }
        let of = |texts: &str| match verdict(texts, &Data::default(), b';') {
            Verdict::Unclear(_, hint) => hint,
            other => format!("{other:?}"),
        };
        assert!(of("1.234|950").starts_with("--thousands . reads"));
        for plain in ["0.125|1.234", "1.5|1.234", "1.234|12345", "1234.567|1.234", "1.234e5|1.234"] {
            assert_eq!(of(plain), "Plain", "{plain}");
        }
        assert!(of("1,234|12,5").starts_with("--decimal ,") && !of("1,234|12,5").contains("--thousands"));
    }

    /// A column of these texts, parted by `|`.
    fn surveyed(texts: &str, rules: Rules) -> Survey {
        let mut survey = Survey::default();
        texts.split('|').for_each(|t| survey.take(t, 2, &[], rules));
        survey
    }

    #[test]
    fn other_columns_say_which_sign_is_decimal() {
        let of = |texts: &str, other: &str, delimiter: u8| {
            let rules = Rules::new(&Data::default(), Some(delimiter), "t.csv").unwrap();
            let column = |texts: &str| surveyed(texts, rules);
            let mut file = Signs::default();
            file.take(&column(texts));
            file.take(&column(other));
            match column(texts).verdict(rules, file, |_| String::new()) {
                Verdict::Written(n) => n.plain(texts.split('|').next().unwrap()).unwrap(),
                Verdict::Plain => "plain".to_owned(),
                other => format!("{other:?}").chars().take(7).collect(),
            }
        };
        assert_eq!(of("1.234|2.345", "5,6|9,8", b';'), "1234");
        assert_eq!(of("1,234|2,345", "5,6|9,8", b';'), "1.234");
        assert_eq!(of("1,234|2,345", "5.6|9.8", b';'), "1234");
        assert_eq!(of("1.234|2.345", "5.6|9.8", b';'), "plain");
        assert_eq!(of("1.234|2.345", "a,5|b", b';'), "Unclear");
        assert_eq!(of("1,234|2,345", "5,6|9,8", b','), "Unclear");
        assert_eq!(of("1.234|2.345", "5,6|9,8", b','), "Unclear");
        assert_eq!(of("1,234|2,345", "x|y", b','), "1234");
        assert_eq!(of("1.234|2.345", "5,6|9.8", b','), "plain");
    }

    #[test]
    fn one_of_two_readings_is_reported_or_refused_by_the_file() {
        let of = |texts: &str, other: &str, delimiter: u8| {
            let rules = Rules::new(&Data::default(), Some(delimiter), "t.csv").unwrap();
            let column = |texts: &str| surveyed(texts, rules);
            let mut file = Signs::default();
            [texts, other].map(column).iter().for_each(|c| file.take(c));
            match column(texts).verdict(rules, file, |_| String::new()) {
                Verdict::Written(n) => n.assumed.map_or("sure".to_owned(), |a| {
                    a.readings(n.thousands == if a.comma { ',' } else { '.' }).join(" ")
                }),
                Verdict::Unclear(..) => "unclear".to_owned(),
                other => format!("{other:?}"),
            }
        };
        for (texts, other, wanted) in [
            ("604,408|587.7", "x", "604,408 604408 604.408"),
            ("604,408|587.7", "2 647|3 100", "unclear"),
            ("604,408|587.7", "2'647|3'100", "unclear"),
            ("604,408|587.7", "1,5|2", "unclear"),
            ("604,408|587.7", "1,234.5|2", "sure"),
            ("604,408|1,234,567|587.7", "x", "sure"),
            ("6,852|1,20E+03", "x", "6,852 6.852 6852"),
            ("6,852|1,20E+03", "1.5|2.25", "unclear"),
            ("2.664|5,1", "x", "2.664 2664 2.664"),
            ("2.664|5,1", "1.5|2.25", "unclear"),
            ("2.664|1.234,5", "x", "sure"),
            ("758.001 €|-717446", "x", "758.001 758.001 758001"),
            ("758.001 €|5 €", "x", "unclear"),
            ("758.001 €|5 €", "1.5|2.25", "sure"),
            ("758.001 €|5,50 €", "x", "758.001 758001 758.001"),
            ("1,234", "x", "1,234 1234 1.234"),
            ("1,234|2,345|12,345|950", "x", "sure"),
            ("1,234", "1.5|2.5", "sure"),
            ("0.125|12.345", "2 647|3 100", "Plain"),
            ("95.123 %|5 %", "x", "sure"),
        ] {
            assert_eq!(of(texts, other, b'\t'), wanted, "{texts} beside {other}");
        }
    }

    #[test]
    fn options_settle_the_rule() {
        let of = |texts: &str, decimal: &str, thousands: &str| {
            let option = |t: &str| (!t.is_empty()).then(|| t.to_owned());
            let data = Data { decimal: option(decimal), thousands: option(thousands), ..Data::default() };
            match verdict(texts, &data, b';') {
                Verdict::Written(n) => format!("{}{}", n.thousands, n.decimal),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(of("1,234|2,345", ",", ""), ".,");
        assert_eq!(of("1,234|2,345", "", ","), ",.");
        assert_eq!(of("12,5|1,234", ",", ""), ".,");
        assert_eq!(of("1.234", ",", ""), ".,");
        for (sign, text) in [("_", "1_234|12_500"), ("'", "1'234|7"), ("space", "1 234|1 234 567")] {
            assert!(of(text, "", sign).ends_with('.'), "{text}");
        }
        assert_eq!(of("1 234,5|2,5", "", " "), " ,");
        assert_eq!(of("1 234.5|2.5", "", "space"), " .");
        assert_eq!(of("1.5|2.5", ",", ""), "Plain");
        assert_eq!(of("5|7", ",", ""), "Plain");
        assert!(of("1.5|2,5", ",", "").starts_with("Unclear"));
        for (decimal, thousands) in [(",", ","), ("x", ""), ("", "x")] {
            let option = |t: &str| (!t.is_empty()).then(|| t.to_owned());
            let data = Data { decimal: option(decimal), thousands: option(thousands), ..Data::default() };
            assert!(Rules::new(&data, None, "t").is_err());
        }
    }
}
