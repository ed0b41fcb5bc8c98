//! Where quotes open and close in a text.

/// What a byte is to the quotes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A quote that opens a field.
    Opens,
    /// A quote that closes a field.
    Closes,
    /// Inside a quoted field; two quotes there are one byte, at the place of the first.
    Quoted,
    /// Outside.
    Plain,
}

/// Calls `on` with the place and the role of each byte of a text that begins with a field. As RFC 4180 has it, a quote opens
/// a field at its start only, and two quotes inside a quoted field are one.
#[inline(always)]
pub(super) fn follow(bytes: &[u8], delimiter: u8, mut on: impl FnMut(usize, Role)) {
    let (mut inside, mut starts) = (false, true);
    let mut i = 0;
    while i < bytes.len() {
        let (at, b) = (i, bytes[i]);
        let role = match b {
            b'"' if inside && bytes.get(i + 1) == Some(&b'"') => {
                i += 1;
                Role::Quoted
            }
            b'"' if inside => {
                inside = false;
                Role::Closes
            }
            b'"' if starts => {
                inside = true;
                Role::Opens
            }
            _ if inside => Role::Quoted,
            _ => Role::Plain,
        };
        on(at, role);
        starts = !inside && (b == delimiter || b == b'\n' || b == b'\r');
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_role() {
        let roles = |text: &str| {
            let mut out = String::new();
            follow(text.as_bytes(), b',', |_, role| {
                out.push(match role {
                    Role::Opens => '<',
                    Role::Closes => '>',
                    Role::Quoted => 'q',
                    Role::Plain => '.',
                });
            });
            out
        };
        assert_eq!(roles("a,b\"c"), ".....");
        assert_eq!(roles("\"a,\n\",b"), "<qqq>..");
        // Two quotes inside are one byte; an open quote stays open.
        assert_eq!(roles("\"a\"\"b\"\n\"c"), "<qqq>.<q");
        // A quote after a closed field opens nothing.
        assert_eq!(roles("\"a\"b\"\"c,\"d\""), "<q>.....<q>");
    }
}
