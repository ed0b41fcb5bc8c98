//! Labels of known lists, and properties of the labels of any list.

use super::*;
use crate::scale::number_labels::typeset;
use gridscope_random::{Random, cases};

fn drawn(texts: &[&str], log: bool) -> Vec<String> {
    key_labels(texts, log).unwrap().iter().map(|t| typeset(t)).collect()
}

fn keys(texts: &[&str]) -> Vec<String> {
    drawn(texts, false)
}

fn floats(values: &[f64]) -> Vec<String> {
    let texts: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
    keys(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn keys_of_searches_are_short() {
    assert_eq!(
        floats(&[0.0001, 0.000_316_227_766_016_837_94, 0.001, 0.003_162_277_660_168_379_4, 0.01]),
        ["0.0001", "0.000316", "0.001", "0.00316", "0.01"]
    );
    assert_eq!(floats(&[0.1, 0.2, 0.1 + 0.2, 0.4]), ["0.1", "0.2", "0.3", "0.4"]);
    assert_eq!(keys(&["0.1", "0.25", "0.5"]), ["0.10", "0.25", "0.50"]);
    assert_eq!(keys(&["1e-3", "0.01", "0.1", "1", "10"]), ["0.001", "0.01", "0.1", "1", "10"]);
    assert_eq!(
        keys(&["1e-05", "0.0001", "0.001", "0.01", "0.1", "1.0"]),
        ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"]
    );
    assert_eq!(keys(&["1e-5", "3e-5", "1e-4", "3e-4"]), ["10⁻⁵", "3×10⁻⁵", "10⁻⁴", "3×10⁻⁴"]);
    assert_eq!(
        floats(&[1e-5, 0.000_316_227_766_016_837_94, 0.01, 1.0]),
        ["10⁻⁵", "3.16×10⁻⁴", "10⁻²", "10⁰"]
    );
    assert_eq!(keys(&["-1e-300", "0.30000000000000004", "1e300"]), ["−10⁻³⁰⁰", "3×10⁻¹", "10³⁰⁰"]);
    let log = |texts: &[&str]| drawn(texts, true);
    assert_eq!(log(&["0.001", "0.01", "0.1"]), ["10⁻³", "10⁻²", "10⁻¹"]);
    assert_eq!(log(&["0.1", "1", "10"]), ["0.1", "1", "10"]);
}

#[test]
fn integers_stay_integers() {
    assert_eq!(keys(&["1.0", "2.0", "10.0"]), ["1", "2", "10"]);
    assert_eq!(keys(&["-5", "0", "1000000"]), ["−5", "0", "1000000"]);
    assert_eq!(keys(&["20240101", "20240102"]), ["20240101", "20240102"]);
    assert_eq!(keys(&["9007199254740992", "9007199254740993"]), ["9007199254740992", "9007199254740993"]);
    assert_eq!(keys(&["150000000", "200000000"]), ["1.5×10⁸", "2.0×10⁸"]);
    assert_eq!(keys(&["1000000", "1000000000"]), ["10⁶", "10⁹"]);
    assert_eq!(keys(&["1000", "31600", "1000000", "10000000"]), ["10³", "3.16×10⁴", "10⁶", "10⁷"]);
    assert_eq!(
        drawn(&["100", "158489", "1584893.19", "10000000"], true),
        ["10²", "1.58×10⁵", "1.58×10⁶", "10⁷"]
    );
    assert_eq!(drawn(&["124439808", "1557611200"], false), ["124439808", "1557611200"]);
    assert_eq!(keys(&["10000000", "20000000"]), ["10⁷", "2×10⁷"]);
    assert_eq!(key_labels(&["007", "010"], false), None);
    assert_eq!(key_labels(&["a", "1"], false), None);
    assert_eq!(key_labels(&["1", "inf"], false), None);
    assert_eq!(key_labels(&[], false), Some(Vec::new()));
}

#[test]
fn decimals_are_aligned_and_rounding_errors_are_gone() {
    let steps: Vec<f64> = (0..21).map(|i| -1.0 + 0.1 * f64::from(i)).collect();
    let tenths = floats(&steps);
    assert_eq!((tenths[0].as_str(), tenths[10].as_str(), tenths[20].as_str()), ("−1.0", "0.0", "1.0"));
    assert_eq!(floats(&[-2.220_446_049_250_313e-16, 0.5, 1.0]), ["0.0", "0.5", "1.0"]);
    let sevenths: Vec<f64> = (0..8).map(|i| f64::from(i) / 7.0).collect();
    assert_eq!(floats(&sevenths), ["0.000", "0.143", "0.286", "0.429", "0.571", "0.714", "0.857", "1.000"]);
    assert_eq!(floats(&[2020.25, 2020.5, 2020.75]), ["2020.25", "2020.50", "2020.75"]);
    assert_eq!(floats(&[34.052_235, 40.712_776]), ["34.05", "40.71"]);
    assert_eq!(floats(&[1.000_001, 1.000_002]), ["1.000001", "1.000002"]);
    assert_eq!(floats(&[0.300_000_011_920_928_96, 0.5]), ["0.3", "0.5"]);
    assert_eq!(floats(&[1.0 / 3.0]), ["0.333"]);
}

/// Keys as sweeps, sensors and hostile files have them.
fn random_list(r: &mut Random) -> Vec<f64> {
    let n = r.within(1, 24_u64);
    let (a, e) = (r.unit() * 10.0, r.within(-8, 8));
    let kind = r.within(0, 8);
    (0..n)
        .map(|i| match kind {
            0 => a + i as f64 * 10f64.powi(e),
            1 => 10f64.powf(a - 5.0 + i as f64 / 3.0),
            2 => r.within(-50, 50) as f64,
            3 => r.unit() * 10f64.powi(e),
            4 => f64::from_bits(r.bits()),
            5 => f64::from_bits(a.to_bits() + 5 * i),
            6 => format!("{:.2e}", r.unit() * 10f64.powi(e)).parse().unwrap(),
            7 => 10f64.powi(r.within(-9, 9)),
            _ => r.bits() as f64,
        })
        .filter(|v| v.is_finite())
        .collect()
}

/// The number that a label says.
fn said(label: &str) -> f64 {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let plain = |t: &str| t.replace('−', "-");
    let Some((number, e)) = label
        .rsplit_once("10")
        .filter(|(_, e)| !e.is_empty() && e.chars().all(|c| c == '⁻' || raised.contains(c)))
    else {
        return plain(label).parse().unwrap_or_else(|_| panic!("'{label}'"));
    };
    let digit = |c: char| raised.chars().position(|r| r == c).map_or("-".to_owned(), |d| d.to_string());
    let e: String = e.chars().map(digit).collect();
    let number = match plain(number.trim_end_matches('×')).as_str() {
        "" => "1".to_owned(),
        "-" => "-1".to_owned(),
        n => n.to_owned(),
    };
    format!("{number}e{e}").parse().unwrap()
}

#[test]
fn labels_of_any_list_differ_and_say_their_own_key() {
    for seed in 0..cases(400) {
        let mut list = random_list(&mut Random(seed));
        list.sort_by(f64::total_cmp);
        list.dedup_by(|b, a| a == b);
        let labels = floats(&list);
        let what = format!("seed {seed}: {list:?} {labels:?}");
        assert_eq!(labels.iter().collect::<HashSet<_>>().len(), list.len(), "{what}");
        for (i, label) in labels.iter().enumerate() {
            let v = said(label);
            let off = |k: usize| (list[k] / 2.0 - v / 2.0).abs();
            let near = |k: Option<usize>| k.is_none_or(|k| off(i) <= off(k) || off(k) == off(i));
            assert!(
                near(i.checked_sub(1)) && near(Some(i + 1).filter(|k| *k < list.len())),
                "{what}: {label}"
            );
            let scale = list.iter().fold(0.0f64, |a, v| a.max(v.abs()));
            assert!((v - list[i]).abs() <= 0.006 * scale, "{what}: {label}");
        }
        // Decimals are the same, unless numbers of many sizes have their own.
        let decimals =
            |l: &String| l.split('×').next().unwrap_or(l).split_once('.').map_or(0, |(_, f)| f.len());
        let sizes: Vec<f64> = list.iter().map(|v| v.abs()).filter(|v| *v > 0.0).collect();
        let spread =
            sizes.iter().fold(0.0f64, |a, v| a.max(*v)) / sizes.iter().fold(f64::MAX, |a, v| a.min(*v));
        if spread < 10.0 && !labels.iter().all(|l| l.trim_matches(['0', '.', '1', '−']).is_empty()) {
            let first = labels.iter().find(|l| *l != "0").map(decimals);
            assert!(labels.iter().filter(|l| *l != "0").all(|l| Some(decimals(l)) == first), "{what}");
        }
    }
}
