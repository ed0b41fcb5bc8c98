//! Pixels that two pictures of an axis have in common: after a pan, most of them.

use std::ops::Range;

/// The pixels about the middle whose cells are those of pixels of the picture before, and where those were: first the pixels
/// now. `None` if that is at most half of them.
pub fn shared_pixels(before: &[[u32; 2]], now: &[[u32; 2]]) -> Option<(Range<usize>, Range<usize>)> {
    let middle = now.len() / 2;
    let span = now.get(middle).filter(|s| s[0] < s[1])?;
    let alike = |(a, b): &(&[u32; 2], &[u32; 2])| a == b;
    // Several pixels may show one cell: each of them may be the one that is now in the middle.
    let reach = |was: usize| {
        let left = now[..middle].iter().rev().zip(before[..was].iter().rev()).take_while(alike).count();
        let right = now[middle..].iter().zip(&before[was..]).take_while(alike).count();
        (left, right, was)
    };
    let (left, right, was) = (0..before.len())
        .filter(|was| before[*was] == *span)
        .map(reach)
        .max_by_key(|(left, right, _)| left + right)?;
    (2 * (left + right) > now.len()).then(|| (middle - left..middle + right, was - left..was + right))
}

#[cfg(test)]
mod tests {
    use super::super::EdgeTable;
    use super::*;

    #[test]
    fn only_what_is_the_same_stays() {
        let spans = |from: u32, n: u32| (from..from + n).map(|i| [2 * i, 2 * i + 2]).collect::<Vec<_>>();
        assert_eq!(shared_pixels(&spans(0, 10), &spans(3, 10)), Some((0..7, 3..10)));
        assert_eq!(shared_pixels(&spans(3, 10), &spans(0, 10)), Some((3..10, 0..7)));
        assert_eq!(shared_pixels(&spans(0, 10), &spans(5, 10)), None);
        assert_eq!(shared_pixels(&spans(0, 10), &[]), None);
        assert_eq!(shared_pixels(&[], &spans(0, 10)), None);
        assert_eq!(shared_pixels(&[[0, 0]; 5], &[[0, 0]; 5]), None, "there is nothing to keep");
    }

    #[test]
    fn cells_of_many_pixels_stay_where_they_are_now() {
        let part = |pixels: f64| {
            let step = 1.0 / 12.5;
            EdgeTable::part(1000, 400.0 + pixels * step, 400.0 + (pixels + 300.0) * step, 300)
        };
        for by in [1, 3, 7, 40] {
            let (before, now) = (part(0.0), part(f64::from(by)));
            let by = by as usize;
            assert_eq!(shared_pixels(before.spans(), now.spans()), Some((0..300 - by, by..300)));
            assert_eq!(shared_pixels(now.spans(), before.spans()), Some((by..300, 0..300 - by)));
        }
    }
}
