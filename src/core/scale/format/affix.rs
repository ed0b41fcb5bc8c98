//! Texts before and behind numbers, such as a currency or a unit.

/// Texts around numbers; a format that has them can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Affixes {
    bytes: [u8; MOST],
    /// Bytes of the text before, and of both.
    ends: (u8, u8),
}

/// The most bytes of both texts.
pub(super) const MOST: usize = 30;

impl Affixes {
    pub(super) const NONE: Self = Self { bytes: [0; MOST], ends: (0, 0) };

    /// Those of these texts; `None` where they are too long.
    pub(super) fn new(before: &str, behind: &str) -> Option<Self> {
        let mut out = Self::NONE;
        let text = [before.as_bytes(), behind.as_bytes()].concat();
        out.bytes.get_mut(..text.len())?.copy_from_slice(&text);
        out.ends = (before.len() as u8, text.len() as u8);
        Some(out)
    }

    pub(super) fn before(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.ends.0)]).unwrap_or_default()
    }

    pub(super) fn behind(&self) -> &str {
        std::str::from_utf8(&self.bytes[usize::from(self.ends.0)..usize::from(self.ends.1)])
            .unwrap_or_default()
    }

    /// Texts around a number: the sign stands before a currency, as in `-$5`, and behind other texts.
    pub(super) fn around(&self, sign: &str, digits: String) -> String {
        if self.ends.1 == 0 {
            return if sign.is_empty() { digits } else { format!("{sign}{digits}") };
        }
        let (before, behind) = (self.before(), self.behind());
        match before.ends_with(is_currency) {
            true => format!("{sign}{before}{digits}{behind}"),
            false => format!("{before}{sign}{digits}{behind}"),
        }
    }
}

/// Whether it is a sign of a currency, by Unicode.
fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20a0}'..='\u{20cf}' | '\u{58f}' | '\u{60b}' | '\u{e3f}')
}
