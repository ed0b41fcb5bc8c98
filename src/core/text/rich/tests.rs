//! The user's texts: formulas, line breaks, templates, and texts that are too odd.

use super::super::{Fonts, Measure};
use super::{END, LOWER, RAISE, has_formula, units, *};
use gridscope_random::{Random, cases};

fn shown(text: &str) -> String {
    unmarked(&rich(text))
}

#[test]
fn formulas_are_read_and_money_is_text() {
    for (source, drawn) in [
        (r"$\alpha_2$ and $10^{-3}$", "α2 and 10−3"),
        ("cost in $", "cost in $"),
        ("$ per token", "$ per token"),
        ("$5 to $10", "$5 to $10"),
        ("a $ b $ c", "a $ b $ c"),
        (r"\$x\$ $y$", "$x$ y"),
        ("$x$5", "$x$5"),
        (r"$ \mu $m", "μm"),
        ("Cost ($) and gain ($)", "Cost ($) and gain ($)"),
        ("from $5k to 10k$", "from $5k to 10k$"),
        (r"$\foo$ $\nu$", r"$\foo$ ν"),
        ("a$x\ny$b", "a$x\ny$b"),
        ("$$", "$$"),
        ("$$x$$", "$x$"),
        ("", ""),
    ] {
        assert_eq!(shown(source), drawn, "{source}");
    }
    let unread = |t: &str| unread_formulas(t);
    assert_eq!(unread(r"$\foo$ $\nu$ $x^$"), [r"$\foo$", "$x^$"]);
    assert_eq!(unread("Cost ($) and gain ($)"), ["$) and gain ($"]);
    assert!(unread("$5 to $10, $ a $").is_empty());
}

#[test]
fn line_breaks_stay_and_commands_do_not() {
    assert_eq!(rich("a\nb\r\nc\td"), "a\nb\nc d");
    assert_eq!(rich_line("a\nb"), "a b");
    assert_eq!(rich("a\u{1b}[31m\u{fdd0}\u{fdd6}"), "a\\u{1b}[31m\\u{fdd0}\u{fffd}");
    assert_eq!(readable("$x^2$\nof"), "x2 of");
}

#[test]
fn a_backslash_and_n_is_a_line_break_outside_of_formulas() {
    for (flag, text) in
        [(r"a\nb", "a\nb"), (r"$\nu$\nb", "$\\nu$\nb"), (r"a\\nb", r"a\nb"), (r"\n", "\n"), ("ab", "ab")]
    {
        assert_eq!(with_breaks(flag), text, "{flag}");
    }
}

#[test]
fn data_in_a_template_is_drawn_as_it_is() {
    let pieces = rich_pieces(["$n = ", r"$: \$", ""]);
    let text = filled(&pieces, ["$x$\n", "\u{fdd0}$"]);
    assert_eq!(unmarked(&text.replace('\u{205f}', " ")), "n = $x$ : $\\u{fdd0}$");
    assert!(has_formula(&text));
    assert_eq!(filled(&pieces, ["1"]).matches('…').count(), 0);
    let long = "x".repeat(1 << 20);
    assert!(filled(&pieces, [long.as_str(), &long]).chars().count() < 320);
}

#[test]
fn an_endless_text_is_short() {
    for text in ["$x$".repeat(10_000_000), "$".repeat(50_000_000), "\n".repeat(50_000_000)] {
        assert!(rich(&text).chars().count() <= 1_000);
    }
    let many = rich(&"$x^2$ ".repeat(1_000));
    assert!((LONGEST - 4..=LONGEST).contains(&unmarked(&many).chars().count()));
}

#[test]
fn a_formula_is_shortened_whole() {
    let text = rich(r"learning rate of $\alpha_{12}$ and then");
    for most in 2..30 {
        let short = shorten(&text, most);
        let opened = short.matches(OPEN).count();
        assert_eq!((opened, opened), (short.matches(CLOSE).count(), short.matches(LOWER).count()));
        assert!(unmarked(&short).chars().count() <= most, "{most}: {short:?}");
    }
}

/// Random texts of the parts of formulas.
#[test]
fn no_text_is_too_odd() {
    let words = [
        "$",
        "$",
        "$",
        "\\",
        "{",
        "}",
        "^",
        "_",
        "x",
        "10",
        " ",
        "-",
        "\n",
        "\\alpha",
        "\\frac",
        "\\text{a b}",
        "é",
        "\\$",
        "\\,",
        "\\hat",
        "(",
        ")",
        ",",
        "\u{fdd0}",
        "\u{fdd4}",
        "\u{1}",
        "中",
    ];
    let mut fonts = Fonts::new();
    let mut random = Random(7);
    for _ in 0..cases(2_000) {
        let text: String = (0..random.below(24)).map(|_| random.pick(&words)).collect();
        let drawn = rich(&text);
        let unread = unread_formulas(&text);
        // What is not understood is drawn as it is written.
        let plain = unmarked(&drawn);
        for source in &unread {
            assert!(plain.contains(source), "{text:?}: {source:?} is not in {plain:?}");
        }
        if !text.contains('$') {
            let mut whole = String::new();
            super::plain(&text, &mut whole);
            assert_eq!(plain, whole, "{text:?}");
        }
        // Marks are balanced within each formula, and only there.
        for (unit, _) in units(&drawn) {
            let scripts = unit.matches([RAISE, LOWER]).count();
            assert_eq!(scripts, unit.matches(END).count(), "{text:?}");
            assert!(unit.starts_with(OPEN) || !unit.contains(is_mark), "{text:?}");
        }
        for line in drawn.split('\n') {
            let set = fonts.line(line);
            let right = set.glyphs.iter().map(|g| g.x).fold(0.0, f64::max);
            assert!(set.width + 1e-6 >= right, "{text:?}");
            assert!((fonts.size(line, 10.0).width - 10.0 * set.width).abs() < 1e-9);
            assert!(set.glyphs.iter().all(|g| line.get(g.text.clone()).is_some()), "{text:?}");
        }
    }
}
