//! Natural order, `head_2` before `head_10`, `70m` before `1.4b`; and the known word nearest to a wrong one.

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

/// The power of ten of a letter, unless it is none. `m` is one too: whether it is read as a million depends on its company, see
/// [`is_company`].
pub(super) fn power(letter: char) -> Option<u32> {
    match letter {
        'k' | 'K' => Some(3),
        'm' | 'M' => Some(6),
        'b' | 'B' | 'G' => Some(9),
        't' | 'T' => Some(12),
        _ => None,
    }
}

/// Whether an `m` elsewhere is a million beside this letter. Otherwise it is a unit, as in `5m`, `10m`.
fn is_company(letter: char) -> bool {
    matches!(letter, 'k' | 'K' | 'b' | 'B' | 't' | 'T')
}

/// The letter at the start of a text, where it is a magnitude and the word ends after it.
pub(super) fn leading(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters.next().filter(|c| power(*c).is_some())?;
    letters.next().is_none_or(|c| !c.is_alphanumeric()).then_some(letter)
}

/// The powers of ten of what follows the numbers of all labels, where these differ in a magnitude only: `m`, `b` of `70m`,
/// `1.4b`; `KB`, `MB`. `None` where they do not, or where a letter may be a unit.
pub fn powers(tails: &[&str]) -> Option<Vec<u32>> {
    let (first, rest) = tails.split_first()?;
    let shared = rest.iter().fold(*first, |end, tail| &end[end.len() - shared_end(end, tail)..]);
    let letter = |tail: &&str| {
        let mut letters = tail[..tail.len() - shared.len()].chars();
        let found = letters.next();
        (letters.next().is_none() && found.is_none_or(|c| power(c).is_some())).then_some(found)
    };
    let letters: Vec<Option<char>> = tails.iter().map(letter).collect::<Option<_>>()?;
    let met = |is: fn(char) -> bool| letters.iter().flatten().any(|c| is(*c));
    // Where a bare number is beside a `b`, the letter may also count: 1, 1b, 2.
    let differ = letters.windows(2).any(|w| w[0] != w[1]);
    let bare = differ && letters.contains(&None) && !met(|c| matches!(c, 'k' | 'K' | 'M' | 'G'));
    if bare || met(|c| c == 'm') && !met(is_company) {
        return None;
    }
    Some(letters.into_iter().map(|l| l.and_then(power).unwrap_or(0)).collect())
}

/// Bytes of the text that two texts end with.
fn shared_end(a: &str, b: &str) -> usize {
    let pairs = a.chars().rev().zip(b.chars().rev());
    pairs.take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}

/// The known word nearest to a wrong one, if any is near: at most a third of its characters differ.
pub fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Long texts are not misspelt words, and comparing them is slow.
    if wrong.chars().count() > 60 {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace('-', "_");
    let wrong = plain(wrong);
    let score = |k: &str| {
        let k = plain(k);
        let edits = strsim::damerau_levenshtein(&wrong, &k);
        let length = k.chars().count();
        (edits <= length.div_ceil(3) && edits < length)
            .then_some(strsim::jaro_winkler(&wrong, &k) - edits as f64)
    };
    known.filter_map(|k| Some((score(k)?, k))).max_by(|a, b| a.0.total_cmp(&b.0)).map(|s| s.1)
}

/// `; did you mean 'columns'?`
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map(|n| format!("; did you mean '{n}'?")).unwrap_or_default()
}

#[cfg(test)]
mod magnitude_tests {
    use super::*;

    #[test]
    fn letters_are_powers_where_nothing_else_differs() {
        assert_eq!(powers(&["m", "b", "b"]), Some(vec![6, 9, 9]));
        assert_eq!(powers(&["KB", "B", "GB"]), Some(vec![3, 0, 9]));
        assert_eq!(powers(&["M-chat", "B-chat"]), Some(vec![6, 9]));
        assert_eq!(powers(&["", "k", "M"]), Some(vec![0, 3, 6]));
        // Metres, also beside kilometres.
        assert_eq!(powers(&["m", "m"]), Some(vec![0, 0]));
        assert_eq!(powers(&["m", "km"]), Some(vec![0, 3]));
        for unread in [
            &["m", ""][..],
            &["m", "M"],
            &["m", "h"],
            &["", "b", "b"],
            &["b", "x"],
            &["ms", "s", "ns"],
            &["é", "b"],
            &[],
        ] {
            assert_eq!(powers(unread), None, "{unread:?}");
        }
    }

    #[test]
    fn a_magnitude_ends_its_word() {
        assert_eq!(
            ["b", "b-chat", "B", "km", "bn", "g", ""].map(leading),
            [Some('b'), Some('b'), Some('B'), None, None, None, None]
        );
    }

    #[test]
    fn only_near_words_are_offered() {
        let words = ["columns", "color", "title", "panel_title"];
        let near = |w: &str| nearest(w, words.into_iter());
        assert_eq!(
            (near("colums"), near("colour"), near("panel-title"), near("TITLE")),
            (Some("columns"), Some("color"), Some("panel_title"), Some("title"))
        );
        assert_eq!((near("zzz"), near(&"c".repeat(100_000))), (None, None));
    }
}

#[cfg(test)]
mod tests;
