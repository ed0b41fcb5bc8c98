//! Keys whose texts mean dates or versions.

use super::tests::{keys, ordered};
use super::*;
use gridscope_core::figure::{Order, OrderWord};
use gridscope_core::lint::Lints;

#[test]
fn dates_in_other_spellings_are_keys_by_their_day() {
    let k = keys(&["02.02.2024", "31.01.2024", "NA", "2.2.2024"], None);
    assert_eq!(
        (k.labels.clone(), k.codes.clone()),
        (vec!["2024-02-02".to_owned(), "2024-01-31".to_owned()], vec![0, 1, EMPTY, 0])
    );
    assert_eq!(k.order(None, None), [1, 0]);
    let find = |text: &str| k.finder().find(text);
    assert_eq!(
        [find("31.01.2024"), find("2024-01-31"), find("2.2.2024"), find("1.1.2024")],
        [Some(1), Some(1), Some(0), None]
    );
    assert_eq!(ordered(&["Jan 2024", "Dec 2023"], None), ["2023-12", "2024-01"]);
    assert_eq!(ordered(&["2/13/2024", "1/2/2024"], None), ["2024-01-02", "2024-02-13"]);
    assert_eq!(ordered(&["2/1/2024", "1/2/2024"], None), ["2/1/2024", "1/2/2024"]);
    assert_eq!(ordered(&["2024Q1", "2023Q4"], None), ["2023Q4", "2024Q1"]);
    let domain = keys(&["31/01/2024", "01/02/2024", "2/2/2024"], Some(&["01/02/2024", "31/01/2024"]));
    assert_eq!(
        (domain.labels.join(" "), domain.codes),
        ("2024-02-01 2024-01-31".into(), vec![1, 0, OUTSIDE])
    );
    assert_eq!(keys(&["Jan 2024", "Feb 2024"], Some(&["all", "Jan 2024"])).codes, [1, OUTSIDE]);
}

#[test]
fn versions_are_names_in_their_order() {
    let texts = ["1.9", "1.10", "1.11", "2.0", ""];
    assert_eq!(ordered(&texts, None), ["1.9", "1.10", "1.11", "2.0"]);
    let k = keys(&["2.0", "1.9", "1.10"], None);
    assert_eq!((k.numbers.clone(), k.order(None, None)), (None, vec![1, 2, 0]));
    let mut lints = Lints::default();
    k.report_numbers(&mut lints);
    assert!(lints.0[0].text.contains("'1.10' are read as versions"), "{:?}", lints.0);
    assert!(keys(&["0.1", "0.10", "0.9"], None).numbers.is_some());
    let read = |as_text, as_number, texts: &[&str]| {
        let options = KeyOptions { as_text, as_number, ..KeyOptions::default() };
        Keys::read("v", texts.iter().copied(), options, "f").unwrap()
    };
    assert!(read(false, true, &texts).numbers.is_some());
    let natural = Order::Word(OrderWord::Natural);
    assert_eq!(read(true, false, &["1.10", "2.0", "1.9"]).order(Some(&natural), None), [2, 0, 1]);
    assert_eq!(read(true, false, &["0.5", "0.25", "0.10"]).order(Some(&natural), None), [2, 1, 0]);
    assert_eq!(ordered(&["1 µM", "3 nM", "1 mM", "10 nM"], None), ["3 nM", "10 nM", "1 µM", "1 mM"]);
    assert_eq!(ordered(&["5 mm", "1 m", "1 km", "2 cm"], None), ["5 mm", "2 cm", "1 m", "1 km"]);
}
