//! The natural order against magnitudes as f64, and that it is one.

use super::*;
use gridscope_random::{Random, cases};

fn sorted(mut texts: Vec<&str>) -> String {
    let order = NaturalOrder::of(texts.iter().copied());
    texts.sort_by(|a, b| order.compare(a, b));
    texts.join(" ")
}

#[test]
fn numbers_and_their_magnitudes_are_in_order() {
    assert_eq!(sorted(vec!["head_10", "head_2", "head_1"]), "head_1 head_2 head_10");
    assert_eq!(sorted(vec!["12b", "1.4b", "70m", "1b", "410m", "2.8b"]), "70m 410m 1b 1.4b 2.8b 12b");
    assert_eq!(sorted(vec!["1T", "3G", "20M", "900K", "5"]), "5 900K 20M 3G 1T");
    assert_eq!(sorted(vec!["gpt-1.5b-chat", "gpt-125m-chat"]), "gpt-125m-chat gpt-1.5b-chat");
    assert_eq!(sorted(vec!["0.05b", "70m", "0.5b", "0"]), "0 0.05b 70m 0.5b");
    // Metres; the m of a word; versions.
    assert_eq!(sorted(vec!["10m", "5m", "100", "7"]), "5m 7 10m 100");
    assert_eq!(sorted(vec!["2mm", "1b", "3mm"]), "2mm 3mm 1b");
    assert_eq!(sorted(vec!["v1.10", "v1.9", "v1.9.1"]), "v1.9 v1.9.1 v1.10");
    assert_eq!(sorted(vec!["é2", "é10", "e", ""]), " e é2 é10");
}

#[test]
fn it_is_a_total_order() {
    let mut random = Random(7);
    let parts = ["1", "01", "10", "1.5", ".", "b", "m", "k", "x", "-", "é", "0", "1b", "2.50b", ""];
    for _ in 0..cases(300) {
        let mut text = || (0..random.below(5)).map(|_| random.pick(&parts)).collect::<String>();
        let texts = [text(), text(), text()];
        let order = NaturalOrder { million: texts[0].len().is_multiple_of(2) };
        let of = |i: usize, j: usize| order.compare(&texts[i], &texts[j]);
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (1, 0, 2), (0, 2, 1)] {
            assert_eq!(of(i, j), of(j, i).reverse(), "{texts:?}");
            assert_eq!(of(i, j).is_eq(), texts[i] == texts[j], "{texts:?}");
            assert!(!(of(i, j).is_lt() && of(j, k).is_lt()) || of(i, k).is_lt(), "{texts:?}");
        }
    }
}

#[test]
fn magnitudes_are_powers_of_ten() {
    let mut random = Random(11);
    let letters =
        [("k", 3), ("K", 3), ("m", 6), ("M", 6), ("b", 9), ("B", 9), ("G", 9), ("t", 12), ("T", 12), ("", 0)];
    for _ in 0..cases(300) {
        let mut texts: Vec<(String, f64)> = vec![("1k".to_owned(), 1e3)];
        texts.extend((0..8).map(|_| {
            let (letter, power) = random.pick(&letters);
            let fraction = random.pick(&["", ".5", ".25", ".040"]);
            // Without a magnitude a point separates: it is not a decimal.
            let fraction = if power == 0 { "" } else { fraction };
            let number = format!("{}{fraction}", random.below(2000));
            let value = format!("{number}e{power}").parse().unwrap();
            (format!("{number}{letter}"), value)
        }));
        let order = NaturalOrder::of(texts.iter().map(|t| t.0.as_str()));
        for (a, v) in &texts {
            for (b, w) in &texts {
                let (got, want) = (order.compare(a, b), v.total_cmp(w));
                assert!(got == want || want.is_eq(), "{a} {b}");
            }
        }
    }
}
