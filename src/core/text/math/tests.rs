//! Formulas: those that are understood, and their drawing.

use super::super::rich::unmarked;
use super::*;

/// Scripts in braces, for reading.
fn shown(source: &str) -> Option<String> {
    let text = formula(source)?;
    Some(
        text.replace(RAISE, "^{")
            .replace(LOWER, "_{")
            .replace(END, "}")
            .replace(STACK, "&")
            .replace([MEDIUM, THIN], "·")
            .replace(FIXED, " "),
    )
}

#[test]
fn formulas_of_papers_are_understood() {
    for (source, drawn) in [
        (r"\alpha_2", "α_{2}"),
        ("10^{-3}", "10^{−3}"),
        ("10^{-3", ""),
        ("x_i^2", "x_{i}&^{2}"),
        ("x^2_i", "x^{2}&_{i}"),
        (r"\mu\mathrm{m}", "μm"),
        (r"a \leq b", "a·≤·b"),
        ("a=-1", "a·=·−1"),
        ("-1+x", "−1·+·x"),
        (r"90^\circ", "90°"),
        (r"37\,^{\circ}\text{C}", "37·°C"),
        (r"\log_{10} p", "log_{10}·p"),
        (r"\log(p)", "log(p)"),
        (r"2\log p", "2·log·p"),
        (r"f(x, y)", "f(x,·y)"),
        ("1,000", "1,000"),
        (r"95\%", "95%"),
        (r"\$5", "$5"),
        (r"\text{per token} \times 2", "per token·×·2"),
        (r"\hat{y}", "y\u{302}"),
        (r"\frac{1}{2}", "1/2"),
        (r"\frac{a+b}{\sqrt{n}}", "(a+b)/(√n)"),
        (r"\mathbb{R}^d", "ℝ^{d}"),
        (r"x^{a^b}", "x^{a^{b}}"),
        (r"\mathcal{L}", "ℒ"),
        (r"\sum_i x", "∑_{i}·x"),
        (r"W'", "W′"),
        (r"\left(\frac{x}{2}\right)", "(x/2)"),
        ("^{13}", "^{13}"),
    ] {
        assert_eq!(shown(source).unwrap_or_default(), drawn, "{source}");
    }
}

#[test]
fn what_is_not_understood_is_refused_whole() {
    for source in [
        "",
        " ",
        r"\foo",
        "x^",
        "x^2^3",
        "x_",
        "{x",
        "x}",
        "\\",
        r"\frac{1}",
        r"\sqrt[3]{x}",
        r"\mathbf{w}",
        ") and gain (",
        r"\hat{xy}",
        r"\text{a{b}}",
        "a\u{fdd2}b",
    ] {
        assert_eq!(formula(source), None, "{source}");
    }
    assert_eq!(formula(&format!("{}x{}", "{".repeat(100_000), "}".repeat(100_000))), None);
    assert_eq!(formula(&"x^".repeat(100_000)), None);
}

#[test]
fn every_character_is_there() {
    assert_eq!(unmarked(&formula("aβ1.5|é中/2!").unwrap()), "aβ1.5|é中/2!");
}
