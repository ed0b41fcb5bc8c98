//! The texts of a column, looked at together: which rules read them as numbers.

use super::Rules;
use super::measure::Unit;
use super::rule::{Bare, Numeral, Written};
use crate::field::{Field, is_beyond, parse_number, read_field};

/// So many numbers with a sign before three digits are hardly decimal ones by chance.
const SEVERAL: u64 = 3;
/// Texts that are kept of those that are not numbers.
const KEPT: usize = 6;

/// A text of a column, and the number of its row in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextAt {
    pub row: u64,
    pub text: String,
}

/// Survey of the texts of a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// Numbers by any rule, and texts that are none, with the first of them.
    pub(super) numbers: u64,
    pub(super) texts: u64,
    pub(super) text: Option<TextAt>,
    /// The texts that are not numbers, as long as they are few.
    pub(super) kept: Vec<String>,
    pub(super) many: bool,
    /// The first number with a unit, the first with another one, and the first without; 0 needs none.
    pub(super) unit: Option<(Unit, TextAt)>,
    pub(super) other_unit: Option<TextAt>,
    pub(super) bare: Option<TextAt>,
    /// The first number that only one of the rules reads, and the number of those with a comma.
    pub(super) point_only: Option<TextAt>,
    pub(super) comma_only: Option<TextAt>,
    pub(super) commas: u64,
    /// The first numbers that the rules read as different ones: `1,234` and `1.234`.
    pub(super) either_comma: Option<TextAt>,
    pub(super) either_point: Option<TextAt>,
    /// A number without a unit with the other decimal sign.
    pub(super) other_sign: Option<TextAt>,
    /// The number of those with a comma, or with a point, before their only three digits behind it.
    pub(super) eithers: [u64; 2],
    /// A number shows that commas, or points, part its thousands.
    pub(super) grouped: [bool; 2],
    /// A number has neither sign, and fewer than four digits.
    pub(super) narrow: bool,
    /// A text whose digits are parted by blanks or apostrophes.
    pub(super) spaced: Option<TextAt>,
    /// A number shows what its decimal sign is.
    pub(super) sure: bool,
    /// A whole number of four digits or more has no sign that parts its thousands.
    pub(super) wide: bool,
    /// A number is not as a plain one is written.
    pub(super) written: bool,
    /// A second number stands behind one.
    pub(super) spread: bool,
    /// A number is surely one, and no `(1)` that counts something.
    pub(super) open: bool,
}

impl Survey {
    /// Takes the text of a row.
    pub(crate) fn take(&mut self, text: &str, row: u64, missing: &[String], rules: Rules) {
        let found = || TextAt { row, text: text.chars().take(60).collect() };
        let set = |place: &mut Option<TextAt>| *place = place.take().or_else(|| Some(found()));
        if read_field(text, missing) == Field::Missing {
            return;
        }
        let Bare { number, unit, enclosed, spread } = Bare::of(text);
        let number = number.as_ref();
        let plain = parse_number(number);
        if is_beyond(number) || plain.is_some_and(|n| !n.as_f64().is_finite()) {
            // It is a number by every rule, or by none.
            if unit.is_some() {
                self.keep(text, found);
            } else {
                self.numbers += 1;
            }
            return;
        }
        let (point, comma) = (rules.point, rules.comma);
        let read = (point.and_then(|r| r.number(number)), comma.and_then(|r| r.number(number)));
        match &read {
            (None, None) => {
                if is_spaced(number) {
                    set(&mut self.spaced);
                }
                if unit.is_some() || read_field(text, missing) == Field::Text {
                    self.keep(text, found);
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
                self.grouped[0] |= one.is_grouped();
                self.sure |= one.is_sure();
                self.written |= one.plain != number;
            }
            (None, Some(one)) => {
                set(&mut self.comma_only);
                self.commas += 1;
                self.grouped[1] |= one.is_grouped();
                self.sure |= one.is_sure();
                self.written |= one.plain != number;
            }
            (Some(point), Some(comma)) if point.plain != comma.plain => {
                let by_comma = point.separators > 0;
                self.eithers[usize::from(!by_comma)] += 1;
                set(if by_comma { &mut self.either_comma } else { &mut self.either_point });
            }
            (Some(one), Some(_)) => {
                self.wide |= one.is_wide;
                self.narrow |= !one.is_wide && plain.is_some_and(|n| n.as_f64() != 0.0);
            }
        }
        self.numbers += 1;
        self.spread |= spread;
        self.written |= parse_number(text).is_none();
        let grouped = |one: &Option<Written>| one.as_ref().is_some_and(|w| w.separators > 0);
        self.open |= !enclosed || unit.is_some() || grouped(&read.0) || grouped(&read.1);
        let is_zero = plain.is_some_and(|n| n.as_f64() == 0.0);
        match (unit, &self.unit) {
            (Some(unit), None) => self.unit = Some((unit, found())),
            (Some(unit), Some((first, _))) if !unit.is_alike(*first) => set(&mut self.other_unit),
            (None, _) if !is_zero => set(&mut self.bare),
            _ => {}
        }
    }

    /// Counts a text that is not a number.
    fn keep(&mut self, text: &str, found: impl Fn() -> TextAt) {
        self.texts += 1;
        self.text = self.text.take().or_else(|| Some(found()));
        let text = text.trim();
        self.keep_text(text, text.len() <= 40);
    }

    fn keep_text(&mut self, text: &str, is_short: bool) {
        if self.many || self.kept.iter().any(|kept| kept == text) {
            return;
        }
        if is_short && self.kept.len() < KEPT {
            self.kept.push(text.to_owned());
        } else {
            self.many = true;
        }
    }

    /// Takes the kinds of further rows.
    pub(crate) fn append(&mut self, more: Self) {
        self.numbers += more.numbers;
        self.texts += more.texts;
        self.commas += more.commas;
        self.sure |= more.sure;
        self.narrow |= more.narrow;
        for side in [0, 1] {
            self.eithers[side] += more.eithers[side];
            self.grouped[side] |= more.grouped[side];
        }
        self.wide |= more.wide;
        self.written |= more.written;
        self.spread |= more.spread;
        self.open |= more.open;
        self.many |= more.many;
        more.kept.iter().for_each(|text| self.keep_text(text, true));
        match (&self.unit, more.unit) {
            (None, unit) => self.unit = unit,
            (Some((first, _)), Some((unit, found))) if !unit.is_alike(*first) => {
                self.other_unit = self.other_unit.take().or(Some(found));
            }
            _ => {}
        }
        let places = [
            (&mut self.other_sign, more.other_sign),
            (&mut self.text, more.text),
            (&mut self.other_unit, more.other_unit),
            (&mut self.bare, more.bare),
            (&mut self.point_only, more.point_only),
            (&mut self.comma_only, more.comma_only),
            (&mut self.either_comma, more.either_comma),
            (&mut self.either_point, more.either_point),
            (&mut self.spaced, more.spaced),
        ];
        for (place, more) in places {
            *place = place.take().or(more);
        }
    }

    /// Whether this many texts were met, and no number.
    pub(crate) fn holds_texts(&self, many: u64) -> bool {
        self.numbers == 0 && self.texts >= many
    }

    /// The different texts that are not numbers, if they are few.
    pub(crate) fn few_texts(&self) -> Option<&[String]> {
        (!self.many && !self.kept.is_empty()).then_some(&self.kept)
    }

    /// The first text that is not a number.
    pub(crate) fn first_text(&self) -> Option<&TextAt> {
        self.text.as_ref()
    }

    /// The numbers, and the texts that are none.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.numbers, self.texts)
    }

    /// Whether only other columns can say for sure which sign is the decimal one.
    pub(crate) fn is_open(&self) -> bool {
        let either = self.either_comma.is_some() || self.either_point.is_some();
        either
            && (self.point_only.is_none() && self.comma_only.is_none() || self.written && !self.sure_groups())
    }

    /// Whether signs before three digits surely part thousands.
    pub(super) fn sure_groups(&self) -> bool {
        // Decimals of one number may be three, and hardly those of several beside one that has none.
        let many = self.eithers.iter().any(|n| *n >= SEVERAL) && self.narrow;
        self.grouped[0] || self.grouped[1] || many
    }
}

/// Whether blanks or apostrophes part the thousands of a number.
fn is_spaced(number: &str) -> bool {
    let by = |thousands: char| {
        [Numeral { thousands, ..Numeral::POINT }, Numeral { thousands, ..Numeral::COMMA }]
            .into_iter()
            .any(|rule| rule.number(number).is_some_and(|n| n.separators > 0))
    };
    number.as_bytes().first().is_some_and(|b| b.is_ascii_digit() || *b == b'-') && (by(' ') || by('\''))
}
