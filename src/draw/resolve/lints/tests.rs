//! Tests of the warnings about data.

use super::super::{Overrides, colours, frame};
use super::*;
use gridscope_core::grid::ScanRequest;

fn reported(figure: &Figure, panels: &[(&str, Vec<f64>)]) -> Vec<(LintName, Option<String>, u64)> {
    let grids: Vec<Grid> = panels
        .iter()
        .map(|(name, v)| {
            let mut g = Grid::from_rows(v.len() / 4, 4, v.clone()).unwrap();
            g.set_name(*name);
            g
        })
        .collect();
    let scans: Vec<ScanResult> = grids.iter().map(|g| g.scan(&ScanRequest::default()).unwrap()).collect();
    let folded: Vec<Folded<'_>> = scans
        .iter()
        .map(|scan| Folded { scan, summaries: None, body: None, strips: None, later: false })
        .collect();
    let out =
        colours(figure, &frame(figure, &Overrides::default(), &grids).unwrap(), &grids, &folded).unwrap();
    out.lints.0.into_iter().map(|l| (l.name, l.panel, l.count)).collect()
}

fn steps(from: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| from + i as f64).collect()
}

#[test]
fn one_far_cell_is_an_outlier_of_all_panels_that_share_the_limits() {
    let mut far = steps(0.0, 16);
    far[3] = 500.0;
    let found = |p: &[(&str, Vec<f64>)]| {
        reported(&Figure::default(), p).iter().any(|l| l.0 == LintName::OutlierLimits)
    };
    assert!(found(&[("a", far.clone()), ("b", steps(0.0, 16))]));
    assert!(!found(&[("a", far), ("b", steps(480.0, 16))]));
    assert!(!found(&[("a", steps(0.0, 16))]));
    // Many numbers that stand for none are one exception; as many others are not.
    let with = |v: f64| [steps(0.0, 16), vec![v; 8]].concat();
    assert!(found(&[("a", with(-9999.0))]) && found(&[("a", with(99.9))]) && found(&[("a", with(1e30))]));
    assert!(!found(&[("a", with(-9000.0))]));
}

#[test]
fn clipped_flat_and_unused_panels_are_named() {
    let mut figure = Figure::default();
    (figure.color.vmin, figure.color.vmax) = (Some(0.0), Some(20.0));
    let list = reported(
        &figure,
        &[("in", steps(2.0, 16)), ("out", steps(90.0, 8)), ("narrow", [1.0, 2.0].repeat(4))],
    );
    let has =
        |name, panel: Option<&str>| list.iter().find(|l| l.0 == name && l.1.as_deref() == panel).map(|l| l.2);
    assert_eq!(
        (
            has(LintName::Clipped, None),
            has(LintName::Clipped, Some("out")),
            has(LintName::Clipped, Some("in"))
        ),
        (Some(8), Some(8), None)
    );
    assert!(
        has(LintName::FlatPanel, Some("out")).is_some()
            && has(LintName::UnusedRange, Some("narrow")).is_some()
    );
}

#[test]
fn a_font_size_under_the_smallest_is_reported() {
    let found = |text: &str, dpi: f64| {
        let mut figure = Figure::default();
        (figure.size.font_size, figure.size.dpi) = (Some(text.parse().unwrap()), Some(dpi));
        let grids = [Grid::from_rows(1, 2, vec![1.0, 2.0]).unwrap()];
        let frame = frame(&figure, &Overrides::default(), &grids).unwrap();
        let clamped = frame.font_size < frame.least_font * 1.001;
        let listed = reported(&figure, &[("p", steps(0.0, 4))])
            .iter()
            .any(|l| (l.0, l.2) == (LintName::FontSizeClamped, 1));
        (clamped, listed)
    };
    for dpi in [1.0, 72.0, 96.0, 200.0, 300.7, 1234.5, 10_000.0] {
        for under in ["4.99pt", "4.99", "0.06in", "1.7mm", "0.01px"] {
            assert_eq!(found(under, dpi), (true, true), "{under} at {dpi}");
        }
        for least in ["5pt", "5"] {
            assert_eq!(found(least, dpi), (true, false), "{least} at {dpi}");
        }
        for over in ["5.01pt", "9", "0.1in", "2mm"] {
            assert_eq!(found(over, dpi), (false, false), "{over} at {dpi}");
        }
    }
    assert_eq!((found("14px", 200.0), found("13px", 200.0)), ((false, false), (true, true)));
}

#[test]
fn states_and_empty_rows_are_counted() {
    let mut v = steps(0.0, 12);
    v[4..8].fill(f64::NAN);
    v[8] = f64::INFINITY;
    let list = reported(&Figure::default(), &[("p", v)]);
    for (name, count) in [(LintName::Nan, 4), (LintName::Infinite, 1), (LintName::EmptyRow, 1)] {
        assert!(list.contains(&(name, Some("p".to_owned()), count)), "{name}: {list:?}");
    }
}
