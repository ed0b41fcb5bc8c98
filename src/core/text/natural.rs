//! Natural order: `head_2` before `head_10`, `70m` before `1.4b`.

use super::magnitude::{is_company, leading, power};
use std::cmp::Ordering;

/// The natural order of some texts: numbers inside them compare as numbers, with the magnitudes that follow them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NaturalOrder {
    /// `m` is a million.
    million: bool,
}

impl NaturalOrder {
    /// That of these texts: whether an `m` is a million depends on the others.
    pub fn of<'t>(mut texts: impl Iterator<Item = &'t str>) -> Self {
        let all = Self { million: true };
        let has_company = |text: &str| {
            let mut letters = Tokens::new(text, all).filter_map(|token| match token {
                Token::Number(number) => number.letter,
                Token::Char(_) => None,
            });
            letters.any(is_company)
        };
        Self { million: texts.any(has_company) }
    }

    /// Compares two texts. Only equal texts are equal.
    pub fn compare(self, a: &str, b: &str) -> Ordering {
        let by_token = Tokens::new(a, self).cmp_by_token(Tokens::new(b, self));
        by_token.then_with(|| a.cmp(b))
    }
}

/// A part of a text.
#[derive(Clone, Copy, Debug)]
enum Token<'t> {
    Number(Scaled<'t>),
    Char(char),
}

impl Token<'_> {
    fn against(&self, other: &Token<'_>) -> Ordering {
        match (self, other) {
            (Token::Number(a), Token::Number(b)) => a.against(b),
            (Token::Char(a), Token::Char(b)) => a.cmp(b),
            // A number is where its digits are among the characters.
            (Token::Number(_), Token::Char(c)) => '0'.cmp(c),
            (Token::Char(c), Token::Number(_)) => c.cmp(&'0'),
        }
    }
}

/// A number of any length, times a power of ten.
#[derive(Clone, Copy, Debug)]
struct Scaled<'t> {
    whole: &'t str,
    fraction: &'t str,
    letter: Option<char>,
}

impl Scaled<'_> {
    /// The digits from the first that is not 0, and how many of the number's are before the point; negative if it begins with
    /// zeros after it. `None` for 0.
    fn digits(&self) -> Option<(impl Iterator<Item = u8>, i64)> {
        let all = self.whole.bytes().chain(self.fraction.bytes());
        let zeros = all.clone().take_while(|d| *d == b'0').count();
        let length = self.whole.len() + self.fraction.len();
        let power = self.letter.and_then(power).unwrap_or(0);
        let before = self.whole.len() as i64 - zeros as i64 + i64::from(power);
        (zeros < length).then(|| (all.skip(zeros), before))
    }

    fn against(&self, other: &Scaled<'_>) -> Ordering {
        let ((mut a, of_a), (mut b, of_b)) = match (self.digits(), other.digits()) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.is_some().cmp(&b.is_some()),
        };
        let mut order = of_a.cmp(&of_b);
        while order.is_eq() {
            let digits = (a.next(), b.next());
            if digits == (None, None) {
                break;
            }
            order = digits.0.unwrap_or(b'0').cmp(&digits.1.unwrap_or(b'0'));
        }
        order
    }
}

/// The tokens of a text.
struct Tokens<'t> {
    rest: &'t str,
    order: NaturalOrder,
    /// The character before the rest is a point.
    point: bool,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str, order: NaturalOrder) -> Self {
        Self { rest: text, order, point: false }
    }

    fn cmp_by_token(mut self, mut other: Tokens<'_>) -> Ordering {
        loop {
            let order = match (self.next(), other.next()) {
                (Some(a), Some(b)) => a.against(&b),
                (None, None) => return Ordering::Equal,
                (a, b) => a.is_some().cmp(&b.is_some()),
            };
            if order.is_ne() {
                return order;
            }
        }
    }

    /// The magnitude that the rest begins with from a place on.
    fn letter(&self, from: usize) -> Option<char> {
        leading(&self.rest[from..]).filter(|c| *c != 'm' || self.order.million)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let text = self.rest;
        let whole = digits(text);
        if whole == 0 {
            let c = text.chars().next()?;
            (self.rest, self.point) = (&text[c.len_utf8()..], c == '.');
            return Some(Token::Char(c));
        }
        // A fraction is one only before a magnitude: 1.4b, but 1.10 is the tenth after 1.9.
        let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
        let decimal = whole + 1 + fraction;
        let of_decimal = if fraction > 0 && !self.point { self.letter(decimal) } else { None };
        let (end, number) = match of_decimal {
            Some(letter) => (
                decimal + 1,
                Scaled { whole: &text[..whole], fraction: &text[whole + 1..decimal], letter: Some(letter) },
            ),
            None => {
                let letter = self.letter(whole);
                let number = Scaled { whole: &text[..whole], fraction: "", letter };
                (whole + usize::from(letter.is_some()), number)
            }
        };
        (self.rest, self.point) = (&text[end..], false);
        Some(Token::Number(number))
    }
}

/// The digits that a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests;
