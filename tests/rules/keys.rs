//! Keys of tables: which texts are equal, their order, their labels, and the warnings about them.

use crate::support::random::{Random, cases};
use gridscope::LintName;
use gridscope::figure::{Data, Figure, Header, List, Order};
use gridscope::grid::{AxisKind, Cell, Grid, State};
use gridscope::input::{InputError, Loaded, ReadOptions, open_bytes};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU8;

fn list(texts: &[&str]) -> Option<List> {
    Some(List(texts.iter().map(|t| (*t).to_owned()).collect()))
}

fn tidy() -> Figure {
    let data = Data {
        x: list(&["x"]),
        y: list(&["y"]),
        value: list(&["v"]),
        delimiter: Some(",".into()),
        ..Data::default()
    };
    Figure { data, ..Figure::default() }
}

fn open(text: &str, name: &str, figure: &Figure) -> Result<Loaded, InputError> {
    open_bytes(text.as_bytes().to_vec(), name, figure, &ReadOptions::default(), 1 << 30)
}

/// A table with one row for each key.
fn read(keys: &[String], figure: &Figure) -> Result<Loaded, InputError> {
    let rows: String = keys.iter().enumerate().map(|(i, k)| format!("{k},r{i},{i}\n")).collect();
    open(&format!("x,y,v\n{rows}"), "t.csv", figure)
}

fn keyed(keys: &[&str], figure: &Figure) -> Loaded {
    read(&keys.iter().map(|k| (*k).to_owned()).collect::<Vec<_>>(), figure).unwrap()
}

fn labels(loaded: &Loaded) -> Vec<String> {
    let columns = loaded.grids[0].columns();
    (0..columns.len()).map(|c| columns.label(c)).collect()
}

fn lint(loaded: &Loaded, name: LintName) -> Option<&str> {
    loaded.lints.0.iter().find(|l| l.name == name).map(|l| l.text.as_str())
}

/// The column of each row, by the number in its name.
fn columns(grid: &Grid) -> BTreeMap<usize, usize> {
    let mut of = BTreeMap::new();
    for r in 0..grid.height() {
        let row: usize = grid.rows().label(r)[1..].parse().unwrap();
        let present: Vec<usize> =
            (0..grid.width()).filter(|&c| grid.at(r, c) != Cell::Empty(State::Absent)).collect();
        assert_eq!(present.len(), 1, "row {row}");
        of.insert(row, present[0]);
    }
    of
}

/// The value of a key: a whole number, or else the nearest f64.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Whole(i128),
    Part(f64),
}

impl Value {
    /// The value of an f64; whole numbers below 2^53 are exact.
    fn of(v: f64) -> Self {
        if v.fract() == 0.0 && v.abs() < 9_007_199_254_740_992.0 {
            Value::Whole(v as i128)
        } else {
            Value::Part(v)
        }
    }

    fn nearest(self) -> f64 {
        match self {
            Value::Whole(w) => w as f64,
            Value::Part(v) => v,
        }
    }

    /// Whether two values are within four steps of f64 of each other, by taking the steps.
    fn is_near(self, other: Value) -> bool {
        let (a, b) = (self.nearest().min(other.nearest()), self.nearest().max(other.nearest()));
        a == b || a.is_finite() && b.is_finite() && b <= (0..4).fold(a, |v, _| v.next_up())
    }

    fn is_same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Whole(a), Value::Whole(b)) => a == b,
            _ => self.is_near(other),
        }
    }
}

/// The key of each value in ascending order, by comparing all pairs.
fn reference(values: &[Value]) -> Vec<usize> {
    let n = values.len();
    let mut run: Vec<usize> = (0..n).collect();
    loop {
        let mut changed = false;
        for i in 0..n {
            for k in 0..n {
                if values[i].is_near(values[k]) && run[k] < run[i] {
                    run[i] = run[k];
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let key = |i: usize| -> (f64, i128) {
        let members = || (0..n).filter(|&k| run[k] == run[i]);
        let least = members().map(|k| values[k].nearest()).fold(f64::INFINITY, f64::min);
        let wholes: BTreeSet<i128> =
            members().filter_map(|k| if let Value::Whole(w) = values[k] { Some(w) } else { None }).collect();
        let whole = match values[i] {
            _ if wholes.len() < 2 => 0,
            Value::Whole(w) => w,
            Value::Part(v) => wholes.into_iter().min_by_key(|w| ((8.0 * v) as i128 - 8 * w).abs()).unwrap(),
        };
        (least + 0.0, whole)
    };
    let keys: Vec<(f64, i128)> = (0..n).map(key).collect();
    let mut order = keys.clone();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.dedup();
    keys.iter().map(|k| order.iter().position(|o| o == k).unwrap()).collect()
}

/// A way to write a value.
fn spelled(value: Value, random: &mut Random) -> String {
    match value {
        Value::Whole(w) => {
            let digits = match w.to_string() {
                d if w < 0 => d,
                d => format!("{}{d}", random.pick(&["", "", "+", "0", "00"])),
            };
            match random.below(6) {
                0 => format!("{digits}.0"),
                1 => format!("{digits}."),
                2 => format!(" {digits} "),
                3 if w.unsigned_abs() < 1 << 53 => format!("{:e}", w as f64),
                _ => digits,
            }
        }
        Value::Part(v) => {
            let plain = format!("{v:?}");
            // Above 2^53, a text with a point and without an exponent is an exact whole number.
            match random.below(4) {
                0 if !plain.contains('e') && v.abs() < 1e15 => format!("{plain}00"),
                1 if !plain.contains('e') && v.abs() < 1e15 => format!(" {plain}"),
                2 => format!("{v:E}"),
                _ => format!("{v:e}"),
            }
        }
    }
}

/// Values, many of which are close to each other.
fn clusters(random: &mut Random) -> Vec<Value> {
    let bases = [
        0.3,
        1.0,
        0.0,
        -0.1,
        1_700_000_000.123,
        2f64.powi(50),
        2f64.powi(53),
        -(2f64.powi(53)),
        2f64.powi(63),
        1.8e19,
        1e30,
        5e-324,
        f64::MAX,
    ];
    let wholes = [
        i128::from(i64::MIN),
        i128::from(i64::MAX),
        i128::from(u64::MAX),
        1 << 53,
        1 << 60,
        -(1 << 53),
        0,
        123_456_789_012_345_678_901_234_567_890,
    ];
    let mut values = Vec::new();
    for _ in 0..=random.below(3) {
        let base = random.pick(&bases);
        for _ in 0..random.below(8) {
            let up = random.below(2) == 0;
            let v = (0..random.below(11)).fold(base, |v, _| if up { v.next_up() } else { v.next_down() });
            values.push(Value::of(if v.is_finite() { v } else { f64::INFINITY }));
        }
        let whole = random.pick(&wholes);
        values.extend((0..random.below(6)).map(|_| Value::Whole(whole + i128::from(random.below(7)) - 3)));
    }
    values.push(Value::of(2.5));
    values
}

/// The shorter of two texts, or the first by character.
fn shorter<'t>(a: &'t str, b: &'t str) -> &'t str {
    if (b.len(), b) < (a.len(), a) { b } else { a }
}

#[test]
fn numbers_fall_into_the_keys_of_a_plain_reference() {
    for case in 0..cases(400) {
        let mut random = Random(case);
        let mut values = clusters(&mut random);
        values.extend(values.clone().iter().filter(|_| random.below(2) == 0).copied().collect::<Vec<_>>());
        random.shuffle(&mut values);
        let texts: Vec<String> = values.iter().map(|v| spelled(*v, &mut random)).collect();
        let want = reference(&values);
        let found = read(&texts, &tidy()).unwrap_or_else(|e| panic!("case {case}: {texts:?}: {e}"));
        assert_eq!(
            columns(&found.grids[0]).into_values().collect::<Vec<_>>(),
            want,
            "case {case}: {texts:?}"
        );
        let mut label: BTreeMap<usize, &str> = BTreeMap::new();
        for (key, text) in want.iter().zip(&texts) {
            let best = label.entry(*key).or_insert(text.trim());
            *best = shorter(best, text.trim());
        }
        assert_eq!(
            labels(&found),
            label.values().map(|l| (*l).to_owned()).collect::<Vec<_>>(),
            "case {case}"
        );
        let several = |k: usize| {
            want.iter().zip(&texts).filter(|w| *w.0 == k).map(|w| w.1.trim()).collect::<BTreeSet<_>>().len()
                > 1
        };
        let merged = label.keys().filter(|k| several(**k)).count() as u64;
        let reported =
            found.lints.0.iter().find(|l| l.name == LintName::MergedSpellings).map_or(0, |l| l.count);
        assert_eq!(reported, merged, "case {case}: {texts:?}");

        // Domains, orders and conditions find keys by the same rule.
        let named: Vec<usize> = (0..=random.below(4)).map(|_| random.below(texts.len())).collect();
        let some: Vec<&str> = named.iter().map(|&i| texts[i].as_str()).collect();
        let mut figure = tidy();
        figure.x.order = list(&some).map(Order::Keys);
        let ordered = columns(&read(&texts, &figure).unwrap().grids[0]);
        let mut order: Vec<usize> = named.iter().map(|&i| want[i]).chain(label.keys().copied()).collect();
        let mut seen = BTreeSet::new();
        order.retain(|k| seen.insert(*k));
        let place = |k: usize| order.iter().position(|o| *o == k).unwrap();
        assert!(
            ordered.iter().all(|(row, column)| *column == place(want[*row])),
            "case {case}: {texts:?} by {some:?}"
        );

        let mut figure = tidy();
        figure.x.domain = list(&some);
        let inside: BTreeSet<usize> = named.iter().map(|&i| want[i]).collect();
        let found = columns(&read(&texts, &figure).unwrap().grids[0]);
        let rows: Vec<usize> = (0..texts.len()).filter(|&i| inside.contains(&want[i])).collect();
        assert_eq!(found.into_keys().collect::<Vec<_>>(), rows, "case {case}: {texts:?} of {some:?}");

        let mut figure = tidy();
        figure.data.filter = list(&[&format!("x = {}", some[0])]);
        let found = columns(&read(&texts, &figure).unwrap().grids[0]);
        let rows: Vec<usize> = (0..texts.len()).filter(|&i| values[i].is_same(values[named[0]])).collect();
        assert_eq!(found.into_keys().collect::<Vec<_>>(), rows, "case {case}: {texts:?} where {}", some[0]);
    }
}

#[test]
fn texts_stay_apart_and_look_alikes_are_reported() {
    let letters = ["a", "A", "é", "e\u{301}", "É", " ", "\u{a0}", "b"];
    for case in 0..cases(400) {
        let mut random = Random(1 << 40 | case);
        let texts: Vec<String> = (0..2 + random.below(12))
            .map(|_| {
                format!(
                    "{}{}",
                    random.pick(&["x", "X", "y"]),
                    (0..random.below(4)).map(|_| random.pick(&letters)).collect::<String>()
                )
            })
            .collect();
        let found = read(&texts, &tidy()).unwrap();
        let mut keys: Vec<&String> = Vec::new();
        texts.iter().for_each(|t| {
            if !keys.contains(&t) {
                keys.push(t);
            }
        });
        let got: Vec<usize> = columns(&found.grids[0]).into_values().collect();
        let want: Vec<usize> = texts.iter().map(|t| keys.iter().position(|k| *k == t).unwrap()).collect();
        assert_eq!(got, want, "case {case}: {texts:?}");
        let folded = |t: &str| {
            t.replace("e\u{301}", "é")
                .replace('\u{a0}', " ")
                .to_lowercase()
                .split(' ')
                .filter(|w| !w.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let alike =
            keys.iter().filter(|k| keys.iter().filter(|o| folded(o) == folded(k)).count() > 1).count() as u64;
        let reported = found.lints.0.iter().find(|l| l.name == LintName::SimilarKeys).map_or(0, |l| l.count);
        assert_eq!(reported, alike, "case {case}: {texts:?}");
    }
}

#[test]
fn seconds_of_a_logger_are_different_keys() {
    let found = keyed(&["1700000000.123", "1700000000.124"], &tidy());
    assert_eq!((labels(&found).len(), lint(&found, LintName::DuplicateKeys)), (2, None));
    let ids = keyed(
        &["9007199254740993", "9007199254740992", "18446744073709551615", "-9223372036854775808"],
        &tidy(),
    );
    assert_eq!(
        labels(&ids),
        ["-9223372036854775808", "9007199254740992", "9007199254740993", "18446744073709551615"]
    );
    assert_eq!(labels(&keyed(&["0.30000000000000004", "0.3", "1", "1.0", "1e0"], &tidy())), ["0.3", "1"]);
}

#[test]
fn typed_columns_have_the_same_keys() {
    let rows = |keys: &[&str]| {
        keys.iter()
            .enumerate()
            .map(|(i, k)| format!("{{\"x\": {k}, \"y\": \"r{i}\", \"v\": {i}}}\n"))
            .collect::<String>()
    };
    let mut figure = tidy();
    figure.data.delimiter = None;
    let of = |keys: &[&str]| labels(&open(&rows(keys), "t.jsonl", &figure).unwrap());
    assert_eq!(
        of(&["9007199254740993", "-9223372036854775808", "9007199254740992"]),
        ["-9223372036854775808", "9007199254740992", "9007199254740993"]
    );
    assert_eq!(
        of(&["18446744073709551615", "0", "18446744073709551614"]),
        ["0", "18446744073709551614", "18446744073709551615"]
    );
    assert_eq!(
        of(&["0.30000000000000004", "0.3", "-0.0", "0.0", "1700000000.123", "1700000000.124"]).len(),
        4
    );
}

#[test]
fn values_that_f64_cannot_hold_are_reported() {
    let found = keyed(&["1e400", "2"], &tidy());
    assert_eq!(
        (labels(&found), found.grids[0].columns().kind),
        (vec!["1e400".to_owned(), "2".to_owned()], AxisKind::Category)
    );
    assert!(lint(&found, LintName::NumberLikeCategories).unwrap().contains("as '1e400'"));
    for value in [Some("v"), None] {
        let mut figure = tidy();
        figure.data.value = value.and_then(|v| list(&[v]));
        let e = open("x,y,v\n1,1,5\n2,1,-1e400\n", "t.csv", &figure).unwrap_err();
        assert_eq!(
            e.to_string(),
            "t.csv: line 3: column 'v': '-1e400' lies beyond 1.8e308, the largest number"
        );
    }
    let e = open("1,2\n3,1e400\n", "m.csv", &Figure::default()).unwrap_err();
    assert!(e.place.line == Some(2) && e.what.contains("beyond"), "{e}");
    assert_eq!(labels(&keyed(&["inf", "2", "-inf"], &tidy())), ["-inf", "2", "inf"]);
}

#[test]
fn times_are_keys_by_their_instant_and_mixtures_are_reported() {
    let found = keyed(&["2024-01-01T00:00+02:00", "2023-12-31T22:00Z", "2023-12-31T21:00Z"], &tidy());
    assert_eq!(
        (labels(&found), found.grids[0].columns().kind),
        (vec!["2023-12-31T21:00Z".to_owned(), "2023-12-31T22:00Z".to_owned()], AxisKind::Time)
    );
    assert!(lint(&found, LintName::MixedTimes).unwrap().contains("(Z, +02:00)"));
    let found = keyed(&["2024-01-01", "2024-01-02", "later"], &tidy());
    assert!(lint(&found, LintName::MixedTimes).unwrap().contains("2 dates among other texts, as 'later'"));
    assert_eq!(
        labels(&keyed(&["2024-01-04", "2024-01-02", "03.01.2024"], &tidy())),
        ["2024-01-02", "2024-01-03", "2024-01-04"]
    );
    assert_eq!(
        labels(&keyed(&["2024-01-02", "2024-01-01", "2024-01-01T00:00"], &tidy())),
        ["2024-01-01", "2024-01-02"]
    );
    assert!(keyed(&["2024-01-02", "2024-01-01"], &tidy()).lints.0.is_empty());
}

#[test]
fn a_repeated_header_is_not_a_number() {
    let mut figure = Figure::default();
    figure.data.header = Some(Header::Lines(NonZeroU8::MIN));
    let found = open("year,2020,2021,2020\na,1,2,3\nb,4,5,6\n", "w.csv", &figure).unwrap();
    assert_eq!(
        (labels(&found), found.grids[0].columns().kind),
        (vec!["2020".to_owned(), "2021".into(), "2020 (2)".into()], AxisKind::Category)
    );
    assert!(lint(&found, LintName::Headers).unwrap().contains("'2020 (2)'"));
    let alike = open("k,acc,Acc\na,1,2\nb,4,5\n", "w.csv", &Figure::default()).unwrap();
    assert!(lint(&alike, LintName::SimilarKeys).unwrap().contains("differ in case"));
}

#[test]
fn long_orders_and_domains_are_read_in_proportion() {
    let n = 20_000;
    let mut keys: Vec<String> = (0..n).map(|i| format!("{i}.5")).collect();
    Random(7).shuffle(&mut keys);
    let rows: String = keys.iter().map(|k| format!("{k},a,1\n")).collect();
    let others: Vec<String> = (0..n).rev().map(|i| format!("{i}.50")).collect();
    let named = Some(List(others.clone()));
    let mut figure = tidy();
    figure.x.order = named.clone().map(Order::Keys);
    figure.x.domain = named;
    figure.data.filter = list(&[&format!("x in {}", others[1..].join(","))]);
    let found = open(&format!("x,y,v\n{rows}"), "t.csv", &figure).unwrap();
    assert_eq!((labels(&found).len(), found.grids[0].columns().label(0)), (n, format!("{}.50", n - 1)));
    assert_eq!(
        (0..n).filter(|&c| found.grids[0].at(0, c) == Cell::Empty(State::Absent)).collect::<Vec<_>>(),
        [0]
    );
}
