//! Keys of whole columns.

use super::*;
use gridscope_core::figure::{List, Order, OrderWord};
use gridscope_core::lint::{LintName, Lints};

pub(super) fn keys(texts: &[&str], domain: Option<&[&str]>) -> Keys {
    let domain = domain.map(|d| Domain::new(&List(d.iter().map(|s| (*s).to_owned()).collect())));
    Keys::read(
        "k",
        texts.iter().copied(),
        KeyOptions { domain: domain.as_ref(), ..KeyOptions::default() },
        "f",
    )
    .unwrap()
}

pub(super) fn ordered(texts: &[&str], order: Option<Order>) -> Vec<String> {
    let k = keys(texts, None);
    k.order(order.as_ref(), None).into_iter().map(|i| k.labels[i as usize].clone()).collect()
}

#[test]
fn one_number_is_one_key_with_the_shortest_text() {
    let k = keys(&["1.0e+00", "1", "1.0", "0.30000000000000004", "0.3", "01"], None);
    assert_eq!(k.labels, ["1", "0.3"]);
    assert_eq!(k.codes, [0, 0, 0, 1, 1, 0]);
    assert_eq!(keys(&["1700000000001", "1700000000002", "1700000000001.0"], None).labels.len(), 2);
    assert_eq!(keys(&["-0", "0", "0.0"], None).labels, ["0"]);
}

#[test]
fn an_order_names_a_key() {
    let order = |names: &str| Some(Order::Keys(List::from_flag(names)));
    let check =
        |names| check_order(&[keys(&["a", "b"], None)], order(names).as_ref(), "f", &mut Lints::default());
    assert!(check("b").is_ok() && check("z,a").is_ok());
    assert_eq!(check("natrual").unwrap_err().what, "order of 'k': no key is 'natrual'");
}

#[test]
fn keys_that_a_list_does_not_name_are_reported() {
    let lints = |texts: &[&str], names: &str| {
        let (mut lints, order) = (Lints::default(), Order::Keys(List::from_flag(names)));
        check_order(&[keys(texts, None)], Some(&order), "f", &mut lints).unwrap();
        lints.0.into_iter().map(|l| (l.name, l.count, l.text)).collect::<Vec<_>>()
    };
    assert_eq!(
        lints(&["a", "b", "c", "d"], "c,a"),
        [(
            LintName::PartialOrder,
            2,
            "order of 'k': 2 of 4 keys are not in the list and come last: 'b', 'd'".to_owned()
        )]
    );
    assert_eq!(lints(&["a", "b"], "b,a"), []);
    assert_eq!(ordered(&["a", "b", "c"], Some(Order::Keys(List::from_flag("c")))), ["c", "a", "b"]);
}

#[test]
fn magnitudes_and_the_calendar_order_keys_that_are_all_of_a_kind() {
    assert_eq!(ordered(&["12b", "1.4b", "70m", "1b"], None), ["70m", "1b", "1.4b", "12b"]);
    assert_eq!(
        ordered(&["pythia-1b-deduped", "pythia-70m-deduped"], None),
        ["pythia-70m-deduped", "pythia-1b-deduped"]
    );
    assert_eq!(ordered(&["10m", "1km", "5m"], None), ["5m", "10m", "1km"]);
    assert_eq!(ordered(&["2GB", "512KB", "64B"], None), ["64B", "512KB", "2GB"]);
    assert_eq!(ordered(&["2", "1b", "1"], None), ["2", "1b", "1"]);
    assert_eq!(ordered(&["Sun", "Fri", "Mon"], None), ["Mon", "Fri", "Sun"]);
    assert_eq!(ordered(&["Sun", "Fri", "total"], None), ["Sun", "Fri", "total"]);
    let natural = Some(Order::Word(OrderWord::Natural));
    assert_eq!(ordered(&["May", "april"], natural.clone()), ["april", "May"]);
    assert_eq!(ordered(&["base", "7b", "70m"], natural), ["70m", "7b", "base"]);
    assert_eq!(ordered(&["May", "april"], Some(Order::Word(OrderWord::Data))), ["May", "april"]);
}

#[test]
fn among_texts_numbers_are_texts() {
    let k = keys(&["1", "01", "a", "1.0"], None);
    assert_eq!((k.labels.len(), k.numbers), (4, None));
}

#[test]
fn empty_keys_have_no_id() {
    assert_eq!(keys(&["", "a", "  ", "None"], None).codes, [EMPTY, 0, EMPTY, 1]);
    assert_eq!(keys(&["1", "nan", "2"], None).codes, [0, EMPTY, 1]);
    assert_eq!(keys(&["", ""], None).labels.len(), 0);
}

#[test]
fn keys_stand_in_their_automatic_order() {
    assert_eq!(ordered(&["10", "9", "1e1", "2.5"], None), ["2.5", "9", "10"]);
    assert_eq!(ordered(&["14b", "0.5b", "1.5b"], None), ["0.5b", "1.5b", "14b"]);
    assert_eq!(ordered(&["layer10", "layer2", "layer1"], None), ["layer1", "layer2", "layer10"]);
    assert_eq!(ordered(&["LLaMA-2 13B", "LLaMA-2 7B"], None), ["LLaMA-2 7B", "LLaMA-2 13B"]);
    assert_eq!(ordered(&["-1b", "-2b", "3b"], None), ["-2b", "-1b", "3b"]);
    assert_eq!(ordered(&["t=10s", "t=9s", "t=1.5s"], None), ["t=1.5s", "t=9s", "t=10s"]);
    assert_eq!(ordered(&["–", "~", ">", "a"], None), ["–", "~", ">", "a"]);
    assert_eq!(ordered(&["7B", "7B Chat", "13B"], None), ["7B", "7B Chat", "13B"]);
}

#[test]
fn the_order_of_a_file_is_the_automatic_one() {
    let order = ["low", "mid", "high", "10"].map(str::to_owned);
    let options = KeyOptions { order: Some(&order), ..KeyOptions::default() };
    let k = Keys::read("k", ["high", "?", "10", "low", "high"].into_iter(), options, "f").unwrap();
    let of = |order: Option<Order>| {
        k.order(order.as_ref(), None)
            .iter()
            .map(|&i| k.labels[i as usize].as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(of(None), "low high 10 ?");
    assert_eq!(of(Some(Order::Word(OrderWord::Data))), "high ? 10 low");
    assert_eq!(of(Some(Order::Word(OrderWord::Alpha))), "10 ? high low");
    assert_eq!(of(Some(Order::Keys(List(vec!["10".into()])))), "10 low high ?");
}

#[test]
fn orders_can_be_asked_for() {
    let word = |w| Some(Order::Word(w));
    assert_eq!(ordered(&["3", "1", "2"], word(OrderWord::Data)), ["3", "1", "2"]);
    assert_eq!(ordered(&["b10", "a", "b9"], word(OrderWord::Alpha)), ["a", "b10", "b9"]);
    assert_eq!(ordered(&["b10", "a", "b9", "b09x"], word(OrderWord::Natural)), ["a", "b9", "b09x", "b10"]);
    assert_eq!(
        ordered(&["3", "1", "2"], Some(Order::Keys(List(vec!["2.0".into(), "9".into()])))),
        ["2", "1", "3"]
    );
    let k = keys(&["a", "b", "c"], None);
    assert_eq!(k.order(word(OrderWord::Value).as_ref(), Some(&[1.0, f64::NAN, 5.0])), [2, 0, 1]);
}

#[test]
fn a_domain_keeps_empty_keys_and_leaves_others_out() {
    let k = keys(&["7", "5.0", "20", "total"], Some(&["5:8"]));
    assert_eq!(k.labels, ["5", "6", "7", "8"]);
    assert_eq!((k.codes.clone(), k.seeded), (vec![2, 0, OUTSIDE, OUTSIDE], 4));
    let k = keys(&["0.5", "2.5"], Some(&["0:1"]));
    assert_eq!((k.labels.clone(), k.codes.clone()), (vec!["0.5".to_owned()], vec![0, OUTSIDE]));
    let k = keys(&["b", "x", "a"], Some(&["a", "b", "c"]));
    assert_eq!((k.labels.join(""), k.codes.clone()), ("abc".into(), vec![1, OUTSIDE, 0]));
    let far = Domain::new(&List(vec!["0:1e12".into()]));
    assert!(
        Keys::read("k", ["1"].into_iter(), KeyOptions { domain: Some(&far), ..KeyOptions::default() }, "f")
            .is_err()
    );
}

#[test]
fn texts_stay_apart_when_asked() {
    let k = Keys::read(
        "k",
        ["01", "1", "10", "9"].into_iter(),
        KeyOptions { as_text: true, ..KeyOptions::default() },
        "f",
    )
    .unwrap();
    assert_eq!(k.labels, ["01", "1", "10", "9"]);
    assert_eq!(k.order(None, None), [0, 1, 3, 2]);
}

#[test]
fn what_differs_in_the_13th_digit_is_apart_and_rounding_is_not() {
    assert_eq!(keys(&["1700000000.123", "1700000000.124", "1700000000.1230"], None).codes, [0, 1, 0]);
    assert_eq!(
        ordered(&["9007199254740993", "9007199254740992", "9007199254740991"], None).join(" "),
        "9007199254740991 9007199254740992 9007199254740993"
    );
    assert_eq!(
        ordered(&["18446744073709551615", "-9223372036854775808", "18446744073709551614"], None)[2],
        "18446744073709551615"
    );
    let long = ["123456789012345678901234567892", "123456789012345678901234567891"];
    assert_eq!(ordered(&long, None), [long[1], long[0]]);
    // A column of names that are digits is one of texts.
    let k = keys(&["1e400", "2", "1e400"], None);
    assert_eq!(
        (k.codes.clone(), k.numbers.clone(), k.first_text()),
        (vec![0, 1, 0], None, Some("'1e400'".into()))
    );
}

#[test]
fn neither_rows_nor_their_order_choose_labels_and_numbers() {
    let step = |n: u64| format!("{:?}", f64::from_bits(0.7f64.to_bits() + n));
    let texts = [step(0), step(3), step(6), "0.70".to_owned(), "7e-1".to_owned(), "9".to_owned()];
    let mut at: Vec<usize> = (0..texts.len()).collect();
    for _ in 0..texts.len() {
        at.rotate_left(1);
        for order in [at.clone(), at.iter().rev().copied().collect()] {
            let k = keys(&order.iter().map(|&i| texts[i].as_str()).collect::<Vec<_>>(), None);
            let mut found: Vec<(&str, f64)> =
                k.labels.iter().map(String::as_str).zip(k.numbers.clone().unwrap()).collect();
            found.sort_by(|a, b| a.1.total_cmp(&b.1));
            assert_eq!(found, [("0.7", 0.7), ("9", 9.0)]);
        }
    }
}

#[test]
fn times_are_keys_by_their_instant() {
    let k = keys(&["2024-01-01T00:00+02:00", "2023-12-31T22:00Z", "NA", "2023-12-31 21:59Z", ""], None);
    assert_eq!((k.codes.clone(), k.labels[0].as_str()), (vec![0, 0, EMPTY, 1, EMPTY], "2023-12-31T22:00Z"));
    assert_eq!(k.order(None, None), [1, 0]);
    assert_eq!(k.finder().find("2023-12-31T23:59+02:00"), Some(1));
    assert_eq!(
        keys(&["2024-01-01T00:00:00.000000001Z", "2024-01-01T00:00:00.000000002Z"], None).labels.len(),
        2
    );
    let domain =
        keys(&["2024-01-01T00:00Z", "2024-01-02", "2024-01-03"], Some(&["2024-01-02", "2024-01-01"]));
    assert_eq!(
        (domain.codes.clone(), domain.labels.join(" ")),
        (vec![1, 0, OUTSIDE], "2024-01-02 2024-01-01".into())
    );
}

#[test]
fn orders_and_domains_go_by_the_rule_of_keys() {
    let k = keys(&["0.30000000000000004", "9007199254740993", "9007199254740992"], None);
    let find = |t: &str| k.finder().find(t);
    assert_eq!(
        [find("0.3"), find("0.300"), find("9007199254740993.0"), find("9007199254740994")],
        [Some(0), Some(0), Some(1), None]
    );
    let order = Some(Order::Keys(List(vec!["9007199254740992.00".into(), "0.3".into()])));
    assert_eq!(k.order(order.as_ref(), None), [2, 0, 1]);
    // A run of near numbers is one key: inside the domain where one of them is.
    let step = |n: u64| format!("{:?}", f64::from_bits(0.5f64.to_bits() + n));
    let k = keys(&[&step(8), &step(4), &step(13), "2"], Some(&["0.5", "1"]));
    assert_eq!((k.codes.clone(), k.labels.join(" ")), (vec![0, 0, OUTSIDE, OUTSIDE], "0.5 1".into()));
    assert_eq!(k.finder().find(&step(8)), Some(0));
    // Where keys are texts, those of the domain are too.
    assert_eq!(keys(&["1", "1.0", "all"], Some(&["1", "all"])).codes, [0, OUTSIDE, 1]);
}

#[test]
fn long_lists_take_no_longer_than_their_keys() {
    let n = 200_000;
    let texts: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    let list = List((0..n).rev().map(|i| format!("{i}.0")).collect());
    let domain = Domain::new(&list);
    let options = KeyOptions { domain: Some(&domain), ..KeyOptions::default() };
    let k = Keys::read("k", texts.iter().map(String::as_str), options, "f").unwrap();
    assert_eq!((k.labels.len(), k.seeded, k.codes[0]), (n, n, n as u32 - 1));
    let k = Keys::read("k", texts.iter().map(String::as_str), KeyOptions::default(), "f").unwrap();
    let order = k.order(Some(&Order::Keys(list.clone())), None);
    assert!(order.iter().copied().eq((0..n as u32).rev()));
    assert!(check_order(&[k], Some(&Order::Keys(list)), "f", &mut Lints::default()).is_ok());
}
