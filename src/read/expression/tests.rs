//! Texts of expressions: their meaning, and their faults.

use super::*;
use gridscope_random::Random;

fn headers(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn pair(operator: Operator, a: Expression, b: Expression) -> Expression {
    Expression::Pair(operator, Box::new(a), Box::new(b))
}

#[test]
fn the_longest_header_wins() {
    use Expression::Column;
    let names = headers(&["a", "b", "a - b", "log10(x)", "bin(x, 20)", "acc/top-1", "x", "2020", "acc"]);
    for (text, column) in
        [("a - b", 2), ("log10(x)", 3), ("bin(x, 20)", 4), ("acc/top-1", 5), ("2020", 7), ("\"a - b\"", 2)]
    {
        assert_eq!(parse(text, &names), Ok(Column(column)), "{text}");
    }
    assert_eq!(parse("acc/top-1 / acc", &names), Ok(pair(Operator::Over, Column(5), Column(8))));
    assert_eq!(parse("b - a", &names), Ok(pair(Operator::Minus, Column(1), Column(0))));
    assert_eq!(parse("a-b", &names), Ok(pair(Operator::Minus, Column(0), Column(1))));
}

#[test]
fn arithmetic_has_the_usual_order() {
    use Expression::{Column, Negative};
    use gridscope_core::grid::Number;
    let whole = |v: i64| Expression::Number(Number::I64(v));
    let names = headers(&["a", "b"]);
    let read = |text: &str| parse(text, &names).unwrap();
    assert_eq!(read("1 + 2 * a"), pair(Operator::Plus, whole(1), pair(Operator::Times, whole(2), Column(0))));
    assert_eq!(
        read("a - b - 1"),
        pair(Operator::Minus, pair(Operator::Minus, Column(0), Column(1)), whole(1))
    );
    assert_eq!(read("-a ** 2"), Negative(Box::new(pair(Operator::Power, Column(0), whole(2)))));
    assert_eq!(
        read("(a + b) / 1.5e-3"),
        pair(
            Operator::Over,
            pair(Operator::Plus, Column(0), Column(1)),
            Expression::Number(Number::F64(1.5e-3))
        )
    );
}

#[test]
fn bins_have_a_number_or_edges() {
    let names = headers(&["lr"]);
    let cut = |text: &str| match parse(text, &names) {
        Ok(Expression::Bin(_, cut)) => cut,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(cut("bin(lr, 20)"), Cut::Equal(20));
    assert_eq!(cut("bin( lr ,12,log )"), Cut::Ratio(12));
    assert_eq!(cut("bin(log10(lr), 4, quantile)"), Cut::Quantile(4));
    assert_eq!(cut("bin(lr, edges=-1e-4,0,1)"), Cut::Edges(vec![-1e-4, 0.0, 1.0]));
    assert_eq!(cut("bin(lr, width=0.5)"), Cut::Width(0.5));
}

#[test]
fn faults_have_their_place() {
    let names = headers(&["lr", "t"]);
    for (text, at, what) in [
        ("log10(lrr)", 6, "no column 'lrr'"),
        ("log10(lr", 8, "')' is missing"),
        ("lr + ", 5, "the end where"),
        ("lr ) 2", 3, "')' where an operator"),
        ("hourr(t)", 0, "did you mean 'hour'"),
        ("log(lr)", 0, "log10 and ln"),
        ("bin(lr)", 6, "number of bins"),
        ("bin(lr, 0)", 8, "from 1 to"),
        ("bin(lr, 1000000)", 8, "from 1 to"),
        ("bin(lr, edges=2,1)", 16, "must rise"),
        ("1 + bin(lr, 3)", 4, "a column of its own"),
        ("hour(t, 2)", 9, "more than 1"),
    ] {
        let fault = parse(text, &names).unwrap_err();
        assert!(fault.what.contains(what), "{text}: {fault:?}");
        assert_eq!(fault.at, at, "{text}: {fault:?}");
    }
    assert!(parse(&format!("{}lr", "(".repeat(100_000)), &names).is_err());
    assert!(parse(&format!("{}lr", "-".repeat(100_000)), &names).is_err());
    assert!(!parse("lrr", &names).unwrap_err().is_expression);
    assert!(parse("lr - x", &names).unwrap_err().is_expression);
    let open = parse("\"lr", &names).unwrap_err();
    assert!(open.is_expression && open.what.contains("quote"), "{open:?}");
}

#[test]
fn any_text_is_read_or_refused() {
    let names = headers(&["a", "b c", "(", "ä"]);
    let parts = [
        "a", "b c", "(", ")", "+", "-", "*", "**", "/", ",", "bin(", "edges=", "hour(", "1e", "2.5", ".",
        "\"", "ä", " ", "é", "log10",
    ];
    let mut random = Random(1);
    for _ in 0..20_000 {
        let text: String = (0..random.below(16)).map(|_| random.pick(&parts)).collect();
        if let Err(fault) = parse(&text, &names) {
            assert!(fault.at <= text.len() && text.is_char_boundary(fault.at), "{text}: {fault:?}");
        }
    }
}

#[test]
fn long_chains_are_refused_before_they_are_deep() {
    let names = headers(&["v"]);
    let chain = |operators: usize| parse(&vec!["v"; operators + 1].join("+"), &names);
    assert!(chain(1_000).is_ok());
    for operators in [1_001, 200_000] {
        assert!(chain(operators).unwrap_err().what.contains("more than 1000 operators"));
    }
}
