//! Axis values given by their ends: `A:B` and `A:B:log`.

use super::fault::Fault;

/// The ends of `A:B` or `A:B:log`, and whether the values between are logarithmic; anything else is a file's name.
pub(crate) fn range(spec: &str) -> Option<(f64, f64, bool)> {
    let parts: Vec<&str> = spec.split(':').map(str::trim).collect();
    let (a, b, log) = match parts[..] {
        [a, b] => (a, b, false),
        [a, b, "log"] => (a, b, true),
        _ => return None,
    };
    Some((a.parse().ok()?, b.parse().ok()?, log))
}

/// `n` values from `a` to `b`, both included; `a` alone where there is one cell.
///
/// # Errors
/// When an end is not finite, an end of a logarithmic range is not positive, or several cells would lie at one place.
pub(crate) fn spread(a: f64, b: f64, n: usize, log: bool) -> Result<Vec<f64>, Fault> {
    if !a.is_finite() || !b.is_finite() || !(b - a).is_finite() {
        return Err("both ends must be finite".into());
    }
    if log && (a <= 0.0 || b <= 0.0) {
        return Err("a logarithmic axis needs both ends above 0".into());
    }
    if a == b && n > 1 {
        return Err(format!("{n} cells cannot all lie at {a}").into());
    }
    let steps = n.saturating_sub(1).max(1) as f64;
    let at = |i: usize| match i {
        0 => a,
        _ if i == n - 1 => b,
        _ if log => (a.ln() + (b.ln() - a.ln()) / steps * i as f64).exp(),
        _ => a + (b - a) / steps * i as f64,
    };
    Ok((0..n).map(at).collect())
}
