//! Labels of random axes: none overlaps or equals another, all are shown if they fit, and thinning is regular.

use super::super::tick_set::crowding;
use super::*;
use crate::resolve::AxisFrame;
use gridscope_core::grid::Axis;
use gridscope_core::text::{Fake, Fonts};
use gridscope_core::view::EdgeTable;
use gridscope_random::{Random, cases};
use std::collections::HashMap;

const FONT: f64 = 20.0;
const LEAST: f64 = 11.0;

/// The labels of an axis on a body of this length.
fn drawn(axis: &Axis, pixels: u32, side: bool, ticks: Ticks, m: &mut dyn Measure) -> TickSet {
    let frame = AxisFrame {
        titles_of_panels: false,
        title: String::new(),
        ticks,
        key_ticks: Vec::new(),
        rotate: side.then_some(0),
        true_spacing: false,
        coordinates: false,
        format: None,
    };
    let table = EdgeTable::fit(axis.len() as u32, pixels);
    let ask = TickRequest {
        axis,
        table: &table,
        frame: &frame,
        font: FONT,
        least: LEAST,
        keys: &[],
        most: 400.0,
        side,
        name: "x",
        steep: false,
        part: None,
    };
    let set = choose(&ask, m);
    assert!(crowding(&set, &ask) <= 1.0 + 1e-9, "labels overlap: {set:?}");
    set
}

fn set(axis: &Axis, pixels: u32, side: bool) -> TickSet {
    drawn(axis, pixels, side, Ticks::Word(TicksWord::Auto), &mut Fake)
}

fn asked(axis: &Axis, pixels: u32, ticks: &str) -> TickSet {
    drawn(axis, pixels, false, ticks.parse().unwrap(), &mut Fake)
}

fn texts(set: &TickSet) -> Vec<&str> {
    set.ticks.iter().map(|t| t.text.as_str()).collect()
}

fn numbers(values: impl Iterator<Item = f64>) -> Axis {
    let values: Vec<f64> = values.collect();
    let labels = values.iter().map(|v| format!("{}", (v * 1e6).round() / 1e6)).collect();
    Axis::number("x", values, labels)
}

fn is_thinned(set: &TickSet) -> bool {
    set.lints.0.iter().any(|l| l.name == LintName::TicksThinned)
}

#[test]
fn positions_are_whole_numbers_at_round_steps() {
    let s = set(&Axis::index("", 300).slice(235..260), 410, false);
    assert!(s.ticks.len() >= 3 && s.lints.0.is_empty(), "{s:?}");
    assert!(s.ticks.iter().all(|t| t.text.parse::<u32>().is_ok_and(|v| v % 5 == 0)), "{s:?}");
}

#[test]
fn more_ticks_than_there_is_room_for_are_no_more_work() {
    let axis = Axis::index("", 3000);
    let most = |count: u32| asked(&axis, 410, &count.to_string());
    assert!(most(4).ticks.len() >= 3 && most(4).ticks.len() <= 4);
    assert!(most(100).ticks.len() > 4);
    assert_eq!(most(u32::MAX), most(100));
}

#[test]
fn names_are_rotated_before_they_are_thinned() {
    let names = |n: usize| Axis::category("m", (0..n).map(|i| format!("method{i:02}number")).collect());
    assert_eq!((set(&names(3), 1000, false).degrees, set(&names(10), 1000, false).degrees), (0, 45));
    assert_eq!(set(&names(40), 1000, false).degrees, 90);
    let thin = set(&names(100), 1000, false);
    assert!(thin.ticks.len() < 100 && is_thinned(&thin));
    assert_eq!(set(&names(40), 1000, true).degrees, 0);
}

#[test]
fn names_break_at_their_separators_before_they_are_turned() {
    let names = |names: &[&str]| Axis::category("m", names.iter().map(|n| (*n).to_owned()).collect());
    let tasks =
        names(&["high_school_statistics", "us_foreign_policy", "model.layers.attention", "RandomForest"]);
    let lines = |set: &TickSet| set.ticks.iter().map(|t| t.text.split('\n').count()).max();
    let upright = set(&tasks, 560, false);
    assert_eq!((upright.degrees, upright.font, lines(&upright)), (0, FONT, Some(3)), "{upright:?}");
    // A little smaller before they are turned, but no more.
    let smaller = set(&tasks, 500, false);
    assert!(smaller.degrees == 0 && smaller.font < FONT && smaller.font > 0.85 * FONT, "{smaller:?}");
    assert_eq!(set(&tasks, 400, false).degrees, 45);
}

#[test]
fn names_beside_rows_break_where_that_saves_much_width() {
    let set = |names: [&str; 3]| set(&Axis::category("m", names.map(str::to_owned).into()), 300, true);
    let long = set(["professional_medicine", "college_computer_science", "abstract_algebra"]);
    assert!(long.width() < 0.75 * Fake.size("college_computer_science", FONT).width, "{long:?}");
    // One line is easier to read where the longest other label cannot be broken.
    let whole = set(["qwen/qwen1.5-14b", "abcdefghijklmno", "x"]);
    assert!(whole.ticks.iter().all(|t| !t.text.contains('\n')), "{whole:?}");
}

#[test]
fn all_years_that_fit_are_shown_and_others_are_round_keys() {
    let years = |n: usize| numbers((0..n).map(|i| 2010.0 + i as f64));
    let twelve = set(&years(12), 800, false);
    assert_eq!((twelve.ticks.len(), twelve.degrees, twelve.font), (12, 0, FONT));
    assert!(twelve.lints.0.is_empty());
    let thin = set(&years(32), 800, false);
    assert!(texts(&thin).iter().all(|t| t.parse::<u32>().unwrap() % 5 == 0), "{thin:?}");
    assert!(is_thinned(&thin));
    // There is no cell between 1 and 2, however much room there is.
    assert_eq!(texts(&set(&years(2), 4000, false)), ["2010", "2011"]);
    assert_eq!(
        texts(&asked(&numbers((0..9).map(|i| f64::from(i) * 0.05)), 300, "5")),
        ["0", "0.1", "0.2", "0.3", "0.4"]
    );
    // No multiple of 14 is round, so every second key from the first is shown.
    let sevens = numbers((1..9).map(|i| f64::from(i) * 7.0));
    assert_eq!(texts(&set(&sevens, 200, false))[0], "7");
}

#[test]
fn all_labels_are_turned_and_made_smaller_before_any_is_left_out() {
    let years = numbers((0..40).map(|i| 1980.0 + f64::from(i)));
    let all = asked(&years, 1000, "all");
    assert_eq!((all.ticks.len(), all.degrees, all.wanted), (40, 90, 0.0));
    let small = asked(&years, 500, "all");
    assert!(small.ticks.len() == 40 && small.font < FONT && small.font >= LEAST, "{small:?}");
    let thin = asked(&years, 300, "all");
    assert!(is_thinned(&thin) && thin.font == FONT, "{thin:?}");
    assert!(thin.wanted > 300.0 && asked(&years, thin.wanted as u32 + 40, "all").ticks.len() == 40);
    let rows = drawn(&years, 600, true, Ticks::Word(TicksWord::All), &mut Fake);
    assert!(rows.ticks.len() == 40 && rows.font < FONT);
    // Names are not numbers that equal each other, so they are made slightly smaller at once.
    let names = Axis::category("m", (0..40).map(|i| format!("method{i:02}number")).collect());
    let small = set(&names, 700, true);
    assert!(small.ticks.len() == 40 && small.font >= 0.75 * FONT && small.font < FONT, "{small:?}");
}

#[test]
fn every_nth_cell_is_counted_from_the_first() {
    let letters = Axis::category("m", ('a'..='z').map(String::from).collect());
    let fifth = asked(&letters, 1000, "every:5");
    assert_eq!(texts(&fifth), ["a", "f", "k", "p", "u", "z"]);
    assert!(fifth.lints.0.is_empty());
    let narrow = asked(&letters, 60, "every:5");
    assert_eq!(texts(&narrow), ["a", "k", "u"]);
    assert!(is_thinned(&narrow));
    assert_eq!(texts(&asked(&letters, 1000, "every:99")), ["a"]);
}

#[test]
fn long_labels_differ_after_they_are_shortened() {
    let name = |i: usize| format!("{}_seed_{i}_{}", "resnet".repeat(9), "imagenet".repeat(9));
    let rows = Axis::category("m", (0..12).map(name).collect());
    let s = set(&rows, 300, true);
    assert_eq!(s.ticks.len(), 12);
    assert!((0..12).all(|i| s.ticks[i].text.contains(&format!("seed_{i}_"))), "{:?}", texts(&s));
    assert!(s.lints.0.iter().any(|l| l.name == LintName::LabelsShortened && l.count == 12));
    // With room for several lines nothing is lost.
    let words =
        Axis::category("m", (0..3).map(|i| format!("{}of seed {i}", "a few words ".repeat(5))).collect());
    let s = set(&words, 400, true);
    assert!(
        s.lints.0.is_empty() && s.ticks.iter().all(|t| t.text.contains('\n') && t.width <= 400.0),
        "{s:?}"
    );
}

/// Labels as tables have them, and worse.
fn names(r: &mut Random, n: usize) -> Vec<String> {
    let style = r.below(7);
    let common = "learning_rate_".repeat(1 + r.below(6));
    (0..n)
        .map(|i| match style {
            0 => format!("{i}"),
            1 => format!("{}snake_case_label_of_40_characters_{i}", ["a", "bc"][i % 2]),
            2 => format!("数学的な推論の科学{}", "系".repeat(i % 40)),
            3 => format!("{common}{i}"),
            4 => format!("{common}{}_{common}{}_{common}", i % 7, i / 7),
            5 if i == n / 2 => "x".repeat(10_000),
            5 if i % 9 == 4 => String::new(),
            5 => format!("label {i}"),
            _ => format!("{common}{}", r.below(5)),
        })
        .collect()
}

#[test]
fn labels_of_random_axes_are_apart_and_differ() {
    let mut fonts = Fonts::new();
    for seed in 0..cases(150) {
        let mut r = Random(seed);
        let kinds = if seed % 2 == 0 { 8 } else { 6 };
        let n = r.pick(&[1, 2, 5, 12, 40, 150, 700, 2_000][..kinds]);
        let whole = names(&mut r, n);
        let axis = Axis::category("m", gridscope_core::text::clean_labels(&whole));
        let pixels = r.pick(&[40, 300, 1000, 2500]);
        let side = r.below(2) == 0;
        let ticks: Ticks = r.pick(&["auto", "auto", "all", "7", "every:3"]).parse().unwrap();
        let m: &mut dyn Measure = if seed % 2 == 0 { &mut Fake } else { &mut fonts };
        let s = drawn(&axis, pixels, side, ticks.clone(), m);
        let what = format!("seed {seed}: {n} labels, {pixels} px, {ticks:?}");
        assert!(!s.ticks.is_empty() && s.font >= LEAST && s.font <= FONT, "{what}");
        // The cell of each tick, and from it the label before all shortening.
        let table = EdgeTable::fit(n as u32, pixels);
        let cell = |at: f64| {
            let far = |i: &usize| (f64::midpoint(table.extent(*i).0, table.extent(*i).1) - at).abs();
            (0..n).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
        };
        if n as u32 <= pixels {
            let cells: Vec<usize> = s.ticks.iter().map(|t| cell(t.at)).collect();
            assert!(cells.windows(3).all(|c| c[1] - c[0] == c[2] - c[1]), "{what}: {cells:?}");
            let mut met: HashMap<&str, &str> = HashMap::new();
            for (t, i) in s.ticks.iter().zip(&cells) {
                let other = *met.entry(&t.text).or_insert(&whole[*i]);
                assert_eq!(other, whole[*i], "{what}: '{}'", t.text);
            }
        }
        let all = s.ticks.len() == n;
        assert!(all || is_thinned(&s) || !matches!(ticks, Ticks::Word(_)), "{what}: in silence");
        assert!(all || s.wanted > f64::from(pixels) || !matches!(ticks, Ticks::Word(_)), "{what}");
    }
}

#[test]
fn an_endless_axis_is_fast() {
    let names =
        Axis::category("m", (0..80_000).map(|i| format!("{i}_{}", "long name ".repeat(20))).collect());
    for side in [false, true] {
        let s = set(&names, 1000, side);
        assert!(s.ticks.len() > 20 && is_thinned(&s));
        assert!(set(&numbers((0..80_000).map(f64::from)), 1000, side).ticks.len() > 4);
    }
}

#[test]
fn a_few_numbers_in_uneven_steps_are_turned_before_some_are_left_out() {
    let doubled = |n: i32| numbers((0..n).map(|i| 1000.0 * 2f64.powi(i)));
    let turned = set(&doubled(9), 300, false);
    assert_eq!((turned.ticks.len(), turned.degrees), (9, 90));
    let upright = set(&doubled(9), 2_000, false);
    assert_eq!((upright.ticks.len(), upright.degrees), (9, 0));
    // Numbers in even steps are a scale: more than a few are thinned.
    let scale = set(&numbers((0..60).map(|i| 1000.0 * f64::from(i))), 1_500, false);
    assert!(scale.degrees == 0 && scale.ticks.len() < 60);
}

#[test]
fn logarithmic_axes_of_many_cells_have_ticks_at_decades() {
    let log = |n: usize, low: f64, high: f64| {
        let value = |i: usize| low * (high / low).powf(i as f64 / (n - 1) as f64);
        let mut axis = numbers((0..n).map(value));
        axis.kind = AxisKind::Log;
        axis
    };
    let s = set(&log(50, 10.0, 1e5), 1000, false);
    assert_eq!(texts(&s), ["10", "30", "100", "300", "1000", "3000", "10000", "30000", "100000"]);
    assert!(s.lints.0.is_empty());
    let s = set(&log(60, 20.0, 20_000.0), 2000, true);
    assert!(
        texts(&s).contains(&"100") && texts(&s).contains(&"10000") && !texts(&s).contains(&"20000.1"),
        "{s:?}"
    );
    // Few cells have their own numbers.
    assert_eq!(texts(&set(&log(5, 1.0, 81.0), 1000, false)), ["1", "3", "9", "27", "81"]);
    for n in [25, 40, 300] {
        for high in [1.001, 3.0, 1e300] {
            let s = set(&log(n, 1.0, high), 1000, false);
            assert!(s.ticks.len() > 1, "{n} {high}: {s:?}");
        }
    }
}

#[test]
fn times_with_a_gap_are_reported_where_some_have_no_labels() {
    let axis = |gap: i64| {
        let days: Vec<i64> = (0..40).map(|d| 19_700 + d + if d > 20 { gap } else { 0 }).collect();
        let labels = days
            .iter()
            .map(|d| format!("{:?}", gridscope_core::calendar::ClockTime::new(d * 86_400, "").date()))
            .collect();
        let mut axis = Axis::number("t", days.iter().map(|d| (d * 86_400) as f64).collect(), labels);
        axis.kind = AxisKind::Time;
        axis
    };
    let lints =
        |gap| set(&axis(gap), 500, false).lints.0.iter().filter(|l| l.name == LintName::UnevenAxis).count();
    assert_eq!([lints(0), lints(14)], [0, 1]);
}

#[test]
fn labels_that_a_format_makes_equal_are_reported() {
    let axis = Axis::category("x", ["00:00", "00:00", "06:00"].map(str::to_owned).into());
    let with = |format: Option<&str>| {
        let frame = AxisFrame {
            titles_of_panels: false,
            title: String::new(),
            ticks: Ticks::Word(TicksWord::Auto),
            key_ticks: Vec::new(),
            rotate: None,
            true_spacing: false,
            coordinates: false,
            format: format.map(|f| f.parse().unwrap()),
        };
        let ask = TickRequest {
            axis: &axis,
            table: &EdgeTable::fit(3, 900),
            frame: &frame,
            font: FONT,
            least: LEAST,
            keys: &[],
            most: 400.0,
            side: false,
            name: "x",
            steep: false,
            part: None,
        };
        choose(&ask, &mut Fake).lints.0
    };
    assert!(with(None).is_empty());
    let lints = with(Some("%H:%M"));
    assert_eq!(lints.len(), 1);
    let text = "x axis: 1 of 3 labels are equal to their neighbour in the format of --xfmt";
    assert_eq!(lints[0].text, text);
}
