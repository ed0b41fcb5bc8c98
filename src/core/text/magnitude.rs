//! Letters after a number that mean powers of ten: `70m`, `1.4b`, `512K`.

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
pub(super) fn is_company(letter: char) -> bool {
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

#[cfg(test)]
mod tests {
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
}
