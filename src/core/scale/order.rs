//! Stored bits as integers that keep their order, and where even steps of them lie.

/// Stored bits as integers of the same order; -0 equals +0. NaN has no place in it.
#[inline(always)]
pub const fn ordered_key(bits: u32) -> i32 {
    let (magnitude, sign) = ((bits & 0x7fff_ffff) as i32, bits as i32 >> 31);
    (magnitude ^ sign) - sign
}

/// The value of a key, +0 for zeros.
pub(crate) fn stored_of(key: i32) -> f32 {
    f32::from_bits(if key < 0 { (-key) as u32 | 0x8000_0000 } else { key as u32 })
}

/// `low` and `per` such that the whole part of `(value - low) * per`, kept from 1 to the last key's place, is the number of
/// keys that the value has reached, or one beside it; `None` where the keys are too uneven for that.
pub fn even_guess(keys: &[i32]) -> Option<(f32, f32)> {
    let [first, .., last] = keys else { return None };
    let (first, last) = (f64::from(stored_of(*first)), f64::from(stored_of(*last)));
    let step = (last - first) / (keys.len() - 1) as f64;
    let (low, per) = ((first - step) as f32, (1.0 / step) as f32);
    // Threshold k belongs at k + 1; half a level of play leaves the other half to rounding.
    let at = |key: i32| (f64::from(stored_of(key)) - f64::from(low)) * f64::from(per);
    let even = keys.iter().enumerate().all(|(k, key)| (at(*key) - (k + 1) as f64).abs() <= 0.5);
    // A device may read subnormal numbers as 0, which must stay far below a step.
    let coarse = step > f64::from(f32::MIN_POSITIVE) * 1e6 && per.is_normal();
    // Differences beyond f32 would all look alike.
    let near = (last as f32 - low).is_finite();
    (even && coarse && near).then_some((low, per))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_floats() {
        let v = [f32::NEG_INFINITY, -1e30, -1.0, -1e-45, 0.0, 1e-45, 1.0, f32::INFINITY];
        assert!(v.windows(2).all(|p| ordered_key(p[0].to_bits()) < ordered_key(p[1].to_bits())));
        assert_eq!(ordered_key((-0.0f32).to_bits()), ordered_key(0));
        assert!(v.iter().all(|x| stored_of(ordered_key(x.to_bits())) == *x));
    }

    #[test]
    fn only_even_steps_are_guessed() {
        let keys = |v: &[f32]| v.iter().map(|v| ordered_key(v.to_bits())).collect::<Vec<_>>();
        let (low, per) = even_guess(&keys(&[-1.0, 0.0, 1.0, 2.0])).unwrap();
        assert_eq!([-1.0f32, 0.5, 2.0].map(|v| ((v - low) * per) as u32), [1, 2, 4]);
        for uneven in [
            &[1.0, 10.0, 100.0, 1000.0, 10000.0][..],
            &[3.0, 3.0],
            &[1e-42, 2e-42, 3e-42],
            &[-3e38, 0.0, 3e38],
            &[],
        ] {
            assert_eq!(even_guess(&keys(uneven)), None);
        }
    }
}
