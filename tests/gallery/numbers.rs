//! Numbers as labels write them, and what can be read back.

/// The number that a label states, and half a unit of its last digit.
pub fn stated(text: &str) -> Option<(f64, f64)> {
    let plain = ascii(text);
    let plain = plain.strip_suffix('%').unwrap_or(&plain);
    let (mantissa, exponent) = match plain.split_once('e') {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (plain, 0),
    };
    let value: f64 = format!("{mantissa}e{exponent}").parse().ok()?;
    let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len()) as i32;
    // Trailing zeros of a whole number may be rounded, too.
    let whole = mantissa.trim_start_matches('-');
    let zeros = if decimals == 0 && whole.len() > 3 {
        (whole.len() - whole.trim_end_matches('0').len()) as i32
    } else {
        0
    };
    let half = 0.5 * 10f64.powi(exponent - decimals + zeros);
    Some((value, half))
}

/// The significant digits of a label that states a number; zeros at the end of whole numbers do not count.
pub fn digits(text: &str) -> usize {
    let plain = ascii(text);
    let mantissa = plain.split('e').next().unwrap_or_default();
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let all = all.trim_start_matches('0');
    if mantissa.contains('.') { all.len() } else { all.trim_end_matches('0').len() }
}

/// A label with an ASCII minus, `e` for powers of ten, and nothing between thousands.
fn ascii(text: &str) -> String {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut out = String::new();
    let mut is_raised = false;
    for c in text.trim().chars() {
        let superscript = raised.chars().position(|r| r == c);
        if (superscript.is_some() || c == '⁻') && !is_raised {
            is_raised = true;
            // `10⁻³` and `2×10⁻³`: the ten before the exponent becomes `e`.
            match out.strip_suffix("10").map(str::to_owned) {
                Some(rest) => {
                    let rest = rest.trim_end_matches(['×', '·', '*']);
                    out = match rest {
                        "" | "-" => format!("{rest}1e"),
                        _ => format!("{rest}e"),
                    };
                }
                None => out.push('?'),
            }
        }
        match (c, superscript) {
            (_, Some(digit)) => out.push_str(&digit.to_string()),
            ('−' | '⁻', _) => out.push('-'),
            (' ' | '\u{202f}' | '\u{2009}' | ',', _) => {}
            _ => out.push(c),
        }
    }
    out
}

#[test]
fn labels_state_their_numbers() {
    for (text, value, half) in [
        ("0.25", 0.25, 0.005),
        ("−3", -3.0, 0.5),
        ("1.2e-05", 1.2e-5, 0.5e-6),
        ("10⁻³", 1e-3, 0.5e-3),
        ("2×10⁴", 2e4, 0.5e4),
        ("16000", 16000.0, 500.0),
        ("95.1%", 95.1, 0.05),
    ] {
        let (v, h) = stated(text).unwrap_or_else(|| panic!("{text} is not read"));
        assert!((v - value).abs() < 1e-12 * value.abs(), "{text}: {v}");
        assert!((h - half).abs() < 1e-9 * half, "{text}: {h}");
    }
    assert_eq!(stated("web-3"), None);
    assert_eq!(["0.0012", "143000", "3.50e9", "10⁻³"].map(digits), [2, 3, 3, 1]);
}
