//! Tables as people write them: counts, common orders, numbers with `%` and parted thousands, conditions on dates.

use crate::support::random::{Random, cases};
use gridscope::figure::{Agg, Data, Figure, List};
use gridscope::grid::{Axis, Cell, Grid, State};
use gridscope::input::{InputError, Loaded, ReadOptions, open_bytes};
use std::collections::{BTreeMap, BTreeSet};

fn list(texts: &[&str]) -> Option<List> {
    Some(List(texts.iter().map(|t| (*t).to_owned()).collect()))
}

fn tidy() -> Figure {
    let data = Data { x: list(&["x"]), y: list(&["y"]), ..Data::default() };
    Figure { data, ..Figure::default() }
}

fn open(text: &str, figure: &Figure) -> Result<Loaded, InputError> {
    let needs = ReadOptions::default();
    open_bytes(text.as_bytes().to_vec(), "t.csv", figure, &needs, 1 << 30)
}

fn labels(axis: &Axis) -> Vec<String> {
    (0..axis.len()).map(|i| axis.label(i)).collect()
}

fn value(grid: &Grid, row: usize, column: usize) -> f64 {
    grid.at(row, column).as_f64()
}

/// Some of these texts, in any order.
fn some<'a>(random: &mut Random, texts: &[&'a str], least: usize) -> Vec<&'a str> {
    let mut left = texts.to_vec();
    let n = random.within(least, left.len());
    (0..n).map(|_| left.remove(random.below(left.len()))).collect()
}

#[test]
fn counts_are_those_of_a_map() {
    let mut random = Random(1);
    for case in 0..cases(200) {
        let (xs, ys) =
            (some(&mut random, &["a", "b", "c", "d"], 1), some(&mut random, &["a", "b", "k", "m", "n"], 1));
        let mut counts: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
        let mut text = "x,y,p,v\n".to_owned();
        for _ in 0..random.within(1, 30) {
            let (x, y) = (xs[random.below(xs.len())], ys[random.below(ys.len())]);
            let p = ["p", "q"][random.below(2usize)];
            let has_value = random.chance(0.8);
            let v = if has_value { "1.5" } else { "" };
            text.push_str(&format!("{x},{y},{p},{v}\n"));
            *counts.entry((x, y, p)).or_default() += u64::from(has_value);
        }
        let mut figure = tidy();
        figure.data.agg = Some(Agg::Count);
        figure.data.value = list(&["v"]);
        figure.data.panel = Some("p".into());
        figure.x.domain = random.chance(0.3).then(|| list(&["a", "b", "c", "d", "never"])).flatten();
        let observed: [BTreeSet<&str>; 2] =
            [counts.keys().map(|k| k.0).collect(), counts.keys().map(|k| k.1).collect()];
        let loaded = open(&text, &figure).unwrap();
        for grid in &loaded.grids {
            for (r, y) in labels(grid.rows()).iter().enumerate() {
                for (c, x) in labels(grid.columns()).iter().enumerate() {
                    let wanted = counts.get(&(x.as_str(), y.as_str(), grid.name())).copied();
                    let both = observed[0].contains(x.as_str()) && observed[1].contains(y.as_str());
                    match grid.at(r, c) {
                        Cell::Value(n) => {
                            assert!(both, "case {case}: {x} {y}\n{text}");
                            assert_eq!(
                                n.as_f64(),
                                wanted.unwrap_or(0) as f64,
                                "case {case}: {x} {y}\n{text}"
                            );
                        }
                        Cell::Empty(state) => {
                            assert!(!both && state == State::Absent, "case {case}: {x} {y}\n{text}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn axes_with_the_same_labels_have_one_order() {
    let mut random = Random(2);
    for case in 0..cases(300) {
        let all = ["bird", "cat", "dog", "frog", "horse"];
        let ys = some(&mut random, &all, 2);
        let xs = some(&mut random, &ys, 2);
        let mut text = "x,y,v\n".to_owned();
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for y in &ys {
            pairs.extend(xs.iter().map(|x| (*x, *y)));
        }
        while !pairs.is_empty() {
            let (x, y) = pairs.remove(random.below(pairs.len()));
            text.push_str(&format!("{x},{y},1\n"));
        }
        let mut figure = tidy();
        let given = random.chance(0.3);
        figure.y.order = given.then(|| serde_json::from_str(r#""alpha""#).unwrap());
        let grid = &open(&text, &figure).unwrap().grids[0];
        let (rows, columns) = (labels(grid.rows()), labels(grid.columns()));
        let in_rows: Vec<String> = rows.iter().filter(|r| columns.contains(r)).cloned().collect();
        assert_eq!(columns, in_rows, "case {case}\n{text}");
        let mut first: Vec<&str> = Vec::new();
        for line in text.lines().skip(1) {
            let y = line.split(',').nth(1).unwrap();
            if !first.contains(&y) {
                first.push(y);
            }
        }
        if given {
            first.sort_unstable();
        }
        assert_eq!(rows, first, "case {case}\n{text}");
    }
}

#[test]
fn an_order_that_is_given_is_kept_and_other_labels_are_left_alone() {
    let text = "x,y,v\nc,a,1\nb,b,2\na,c,3\n";
    let of = |figure: &Figure| {
        let grid = open(text, figure).unwrap().grids.remove(0);
        [grid.columns(), grid.rows()].map(|axis| labels(axis).join(""))
    };
    assert_eq!(of(&tidy()), ["abc", "abc"]);
    let mut figure = tidy();
    figure.x.order = serde_json::from_str(r#"["b", "c", "a"]"#).unwrap();
    assert_eq!(of(&figure), ["bca", "bca"]);
    figure.y.order = serde_json::from_str(r#""data""#).unwrap();
    assert_eq!(of(&figure), ["bca", "abc"]);
    let wide = |text: &str| {
        let grid = open(text, &Figure::default()).unwrap().grids.remove(0);
        let first: Vec<f64> = (0..grid.width()).map(|c| value(&grid, 0, c)).collect();
        (labels(grid.columns()).join(""), first)
    };
    assert_eq!(wide(",c,a,b\na,1,2,3\nb,4,5,6\nc,7,8,9\n"), ("abc".to_owned(), vec![2.0, 3.0, 1.0]));
    assert_eq!(wide(",c,b,a\na,1,2,3\nb,4,5,6\nc,7,8,9\n").0, "cba");
    assert_eq!(wide(",x,a\na,1,2\nb,3,4\n").0, "xa");
}

/// The number that a text says by the rule, written again from its definition.
fn reference(text: &str, decimal: char, thousands: char) -> Option<f64> {
    let text = text.trim();
    let text = text.strip_suffix('%').map_or(text, str::trim_end);
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = body.split_once(['e', 'E']).map_or((body, None), |(m, e)| (m, Some(e)));
    let mut parts = mantissa.split(decimal);
    let (whole, fraction) = (parts.next()?, parts.next());
    let digits = |t: &str| t.chars().all(|c| c.is_ascii_digit());
    if parts.next().is_some() || fraction.is_some_and(|f| !digits(f)) {
        return None;
    }
    let groups: Vec<&str> = whole.split(thousands).collect();
    if !groups.iter().all(|g| digits(g)) {
        return None;
    }
    if groups.len() > 1 {
        let first = groups[0].len();
        if groups[0].starts_with('0') || !(1..=3).contains(&first) || groups[1..].iter().any(|g| g.len() != 3)
        {
            return None;
        }
    } else if whole.is_empty() && fraction.is_none_or(str::is_empty) {
        return None;
    }
    if exponent.is_some_and(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        e.is_empty() || !digits(e)
    }) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let exponent = exponent.map_or_else(String::new, |e| format!("e{e}"));
    let number = format!("{sign}{}.{}0{exponent}", groups.concat(), fraction.unwrap_or_default());
    number.parse().ok().filter(|n: &f64| n.is_finite())
}

const HOSTILE: [&str; 36] = [
    "1,234",
    "12,34",
    "1.234",
    "1.234.567,89",
    "1,234,567.89",
    "-5 %",
    "%",
    "1e3%",
    "٣",
    " 7 ",
    "95%",
    "0,5",
    "0.5",
    "+1,000",
    ",5",
    ".5",
    "5,",
    "5.",
    "1,,234",
    "1.2.3",
    "12",
    "-",
    "NaN",
    "1,234,56",
    "0,123",
    "5%%",
    "1,5e3",
    "1e5",
    "--1",
    "1 234",
    "inf",
    "1\u{a0}%",
    "",
    "0",
    "100,000",
    "9.999",
];

#[test]
fn columns_of_any_texts_are_read_by_one_rule_or_refused() {
    let mut random = Random(3);
    let mut read = 0;
    for case in 0..cases(3000) {
        let n = random.within(1, 5);
        let texts: Vec<&str> = (0..n).map(|_| HOSTILE[random.below(HOSTILE.len())]).collect();
        let rows: String = texts.iter().enumerate().map(|(i, t)| format!("{i}\ta\t{t}\n")).collect();
        let mut figure = tidy();
        figure.data.value = list(&["v"]);
        figure.data.delimiter = Some("tab".to_owned());
        let comma = random.chance(0.3);
        figure.data.decimal = comma.then(|| ",".to_owned());
        let Ok(loaded) = open(&format!("x\ty\tv\n{rows}"), &figure) else {
            continue;
        };
        read += 1;
        let grid = &loaded.grids[0];
        let missing = |t: &&str| ["", "-", "NaN"].contains(&t.trim());
        let numbers: Vec<&str> = texts.iter().copied().filter(|t| !missing(t)).collect();
        let plain = |t: &&str| t.trim().parse::<f64>().is_ok();
        // All of one column: as plain numbers, or by one of the two rules.
        let all_plain = numbers.iter().all(plain) && !(comma && numbers.iter().any(|t| t.contains('.')));
        let percents = numbers.iter().filter(|t| t.contains('%')).count();
        let bare = numbers.iter().filter(|t| !t.contains('%') && !["0", "inf"].contains(t)).count();
        assert!(percents == 0 || bare == 0, "case {case}: {texts:?}");
        let shown: Vec<f64> = (0..grid.width()).map(|c| value(grid, 0, c)).collect();
        let by = |decimal: char, thousands: char| -> Vec<f64> {
            let one = |t: &&str| {
                if missing(t) {
                    f64::NAN
                } else if t.trim() == "inf" {
                    f64::INFINITY
                } else if let (true, Ok(n)) = (all_plain, t.trim().parse()) {
                    n
                } else {
                    reference(t, decimal, thousands).unwrap_or(f64::MIN)
                }
            };
            texts.iter().map(one).collect()
        };
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan());
        let point = !comma && same(&shown, &by('.', ','));
        assert!(
            point || same(&shown, &by(',', '.')) || comma && numbers.iter().all(plain),
            "case {case}: {texts:?} is {shown:?}"
        );
    }
    assert!(read > 100, "{read} columns were read");
}

#[test]
fn percentages_and_thousands_are_numbers_with_their_unit() {
    let of = |text: &str, figure: &Figure| open(text, figure).map(|l| l.grids[0].clone());
    let mut figure = tidy();
    let grid = of("x,y,accuracy\n1,a,95%\n2,a,93.5 %\n3,a,\n", &figure).unwrap();
    assert_eq!(grid.value_name(), "accuracy (%)");
    assert_eq!((value(&grid, 0, 0), value(&grid, 0, 1)), (95.0, 93.5));
    let grid = of("x,y,people\n1,a,\"1,234\"\n2,a,950\n3,a,\"1,000,000\"\n", &figure).unwrap();
    assert_eq!([0, 1, 2].map(|c| value(&grid, 0, c)), [1234.0, 950.0, 1e6]);
    assert_eq!(grid.value_name(), "people");
    let e = of("x,y,v\n1,a,95%\n2,a,0.95\n", &figure).unwrap_err();
    assert!(e.what.contains("--value"), "{e}");
    figure.data.value = list(&["v"]);
    let e = of("x,y,v\n1,a,95%\n2,a,0.95\n", &figure).unwrap_err();
    assert_eq!(e.what, "column 'v': '95%' (line 2) and '0.95' (line 3) are in one column");
    let european = "x;y;v\n0,1;a;12,5\n0,2;a;1,234\n";
    let e = of(european, &figure).unwrap_err();
    assert!(e.what.contains("unclear") && e.hint.unwrap().contains("--decimal ,"));
    figure.data.decimal = Some(",".to_owned());
    let grid = of(european, &figure).unwrap();
    assert_eq!([0, 1].map(|c| value(&grid, 0, c)), [12.5, 1.234]);
    assert_eq!(labels(grid.columns()), ["0.1", "0.2"]);
    figure.data.filter = list(&["x <= 0,1"]);
    assert_eq!(of(european, &figure).unwrap().width(), 1);
    figure.data.filter = list(&["v > 90"]);
    figure.data.decimal = None;
    assert_eq!(of("x,y,v\n1,a,95%\n2,a,88%\n", &figure).unwrap().width(), 1);
}

type Day = (u32, u32, u32);
type Meets = fn(&Day, &Day) -> bool;

#[test]
fn dates_compare_as_dates() {
    let mut random = Random(4);
    let days = |month: u32| [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
    for case in 0..cases(300) {
        let day = |random: &mut Random| {
            let month = random.within(1u32, 12);
            (2024, month, random.within(1u32, days(month)))
        };
        let spell = |random: &mut Random, (y, m, d): (u32, u32, u32)| match random.below(6usize) {
            0 => format!("{y}-{m:02}-{d:02}"),
            1 => format!("{y}/{m:02}/{d:02}"),
            2 => format!("{y}-{m:02}-{d:02} 00:00:00"),
            3 => format!("{d}.{m}.{y}"),
            4 => format!("{d:02}.{m:02}.{y}"),
            _ => format!("{y}-{m:02}-{d:02}T00:00"),
        };
        let limit = day(&mut random);
        let dates: Vec<(u32, u32, u32)> = (0..random.within(1, 12))
            .map(|_| if random.chance(0.3) { limit } else { day(&mut random) })
            .collect();
        let rows: String = dates
            .iter()
            .enumerate()
            .map(|(i, date)| format!("{i},a,1,{}\n", spell(&mut random, *date)))
            .collect();
        let ops: [(&str, Meets); 6] = [
            ("<", |a, b| a < b),
            ("<=", |a, b| a <= b),
            (">", |a, b| a > b),
            (">=", |a, b| a >= b),
            ("=", |a, b| a == b),
            ("!=", |a, b| a != b),
        ];
        let (op, meets) = ops[random.below(ops.len())];
        let mut figure = tidy();
        figure.data.value = list(&["v"]);
        let condition = format!("date {op} {}", spell(&mut random, limit));
        figure.data.filter = list(&[&condition]);
        let wanted: Vec<String> =
            (0..dates.len()).filter(|&i| meets(&dates[i], &limit)).map(|i| i.to_string()).collect();
        let found = open(&format!("x,y,v,date\n{rows}"), &figure);
        let found = found.map_or_else(|_| Vec::new(), |l| labels(l.grids[0].columns()));
        assert_eq!(found, wanted, "case {case}: {condition}\n{rows}");
    }
}

#[test]
fn the_condition_that_removed_the_last_row_is_named() {
    let rows: String =
        (0..360).map(|i| format!("{i},a,{},{},1\n", ["AMC23", "AIME", "MATH"][i % 3], i % 5)).collect();
    let mut figure = tidy();
    figure.data.value = list(&["v"]);
    figure.data.filter = list(&["dataset = AMC23", "seed = 9", "x > 5"]);
    let e = open(&format!("x,y,dataset,seed,v\n{rows}"), &figure).unwrap_err();
    assert_eq!(e.what, "no row meets --where: dataset = AMC23 left 120 of 360 rows; seed = 9 left 0");
    assert!(e.hint.unwrap().contains("the flag repeats"));
    figure = Figure::default();
    figure.data.filter = list(&["v > 5"]);
    let e = open("name,v,w\na,1,2\nb,2,3\n", &figure).unwrap_err();
    assert_eq!(e.what, "no row meets --where: v > 5 left 0 of 2 rows");
}
