//! Numbers as JSON writes them.

use super::fault::Fault;
use gridscope_core::grid::Number;

/// An integer: exactly where 64 bits hold it, else the nearest f64. `-0` is 0, for integers have one zero.
///
/// # Errors
/// A number beyond the largest f64.
pub(super) fn integer(text: &str, at: usize) -> Result<Number, Fault> {
    let exact = text.parse().map(Number::I64);
    match exact.or_else(|_| text.parse().map(Number::U64)) {
        Ok(exact) => Ok(exact),
        Err(_) => float(text, at).map(Number::F64),
    }
}

/// The f64 nearest to a number.
///
/// # Errors
/// A number beyond the largest f64.
pub(super) fn float(text: &str, at: usize) -> Result<f64, Fault> {
    match text.parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        Ok(_) => Err(Fault::new(at, "a number beyond 1.8e308")),
        Err(_) => Err(Fault::new(at, "is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_one_zero_and_floats_two() {
        assert_eq!(integer("-0", 0), Ok(Number::I64(0)));
        assert_eq!(float("-0.0", 0).unwrap().to_bits(), (-0.0f64).to_bits());
        assert_eq!(integer("-9223372036854775808", 0), Ok(Number::I64(i64::MIN)));
        assert_eq!(integer("18446744073709551615", 0), Ok(Number::U64(u64::MAX)));
        assert_eq!(integer("18446744073709551616", 0), Ok(Number::F64(18_446_744_073_709_551_616.0)));
        assert_eq!(integer(&"9".repeat(400), 5).unwrap_err().at, 5);
        assert_eq!(float("1e999", 3).unwrap_err().at, 3);
    }
}
