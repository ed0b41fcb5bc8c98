//! Flags and texts as a shell takes them, for hints that can be copied.

/// A flag with its value, as a shell takes them.
pub(crate) fn flag(flag: &str, value: &str) -> String {
    let between = if value.starts_with('-') { "=" } else { " " };
    format!("{flag}{between}{}", quoted(value))
}

/// A text as a shell takes it.
fn quoted(text: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '%' | '@' | '+');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(
            (quoted("a b"), quoted("it's"), quoted("")),
            ("'a b'".into(), "'it'\\''s'".into(), "''".into())
        );
    }
}
