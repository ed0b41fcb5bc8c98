//! The parts of an expression, one after the other.

/// A place in the text of an expression.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Bytes before the place.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The rest, without the blanks before it.
    pub(super) fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let begin = rest.trim_start();
        self.at += rest.len() - begin.len();
        begin
    }

    /// Passes over this many bytes.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Passes over a sign, if it is next.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// A number without a sign, if one is next, and passes over it.
    pub(super) fn number(&mut self) -> Option<f64> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        let whole = end;
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if whole == 0 && end < 2 {
            return None;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let number = rest[..end].parse().ok()?;
        self.at += end;
        Some(number)
    }

    /// The word that is next: letters, digits and underscores.
    pub(super) fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())]
    }
}
