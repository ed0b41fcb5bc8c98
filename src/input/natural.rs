//! Natural order: `head_2` before `head_10`.

use std::cmp::Ordering;

/// Compares texts with the whole numbers inside them as numbers.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let digits = |t: &str| t.len() - t.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (da, db) = (digits(a), digits(b));
        let order = if da > 0 && db > 0 {
            let (x, y) = (a[..da].trim_start_matches('0'), b[..db].trim_start_matches('0'));
            (a, b) = (&a[da..], &b[db..]);
            x.len().cmp(&y.len()).then(x.cmp(y))
        } else {
            let (x, y) = (a.chars().next(), b.chars().next());
            if x.is_none() && y.is_none() {
                return Ordering::Equal;
            }
            (a, b) = (
                &a[x.map_or(0, char::len_utf8)..],
                &b[y.map_or(0, char::len_utf8)..],
            );
            x.cmp(&y)
        };
        if order.is_ne() {
            return order;
        }
    }
}
