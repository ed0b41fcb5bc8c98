//! Hints are fields of warnings and errors: no text has one inside.

use gridscope::input::{ReadOptions, open_bytes};
use gridscope::{Error, Figure, Grid, Lint, LintName, Lints, render};
use gridscope_draw::resolve::ResolveError;
use serde_json::{Value, json};

const HINT: &str = "hint:";

fn figure(keys: Value) -> Figure {
    serde_json::from_value(keys).unwrap()
}

/// The warnings of reading and drawing a table.
fn lints(csv: &str, keys: Value) -> Lints {
    let figure = figure(keys);
    let needs = ReadOptions::default();
    let read = open_bytes(csv.as_bytes().to_vec(), "t.csv", &figure, &needs, 1 << 30).unwrap();
    let mut lints = read.lints;
    lints.append(render(&figure, &read.grids).unwrap().lints);
    lints
}

/// A tidy table of these rows.
fn tidy(rows: impl IntoIterator<Item = (String, String, String)>) -> String {
    let rows = rows.into_iter().map(|(x, y, v)| format!("{x},{y},{v}\n"));
    "x,y,v\n".to_owned() + &rows.collect::<String>()
}

/// A square of cells with these values.
fn square(side: usize, value: impl Fn(usize, usize) -> f64) -> String {
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    tidy(cells.map(|(x, y)| (x.to_string(), y.to_string(), value(x, y).to_string())))
}

/// Two panels, whose values lie in these ranges.
fn panels(ranges: [(f64, f64); 2]) -> String {
    let mut csv = "p,x,y,v\n".to_owned();
    for (p, (low, high)) in ranges.into_iter().enumerate() {
        for i in 0..16 {
            let v = low + (high - low) * f64::from(i) / 15.0;
            csv += &format!("{p},{},{},{v}\n", i % 4, i / 4);
        }
    }
    csv
}

fn keyed(more: Value) -> Value {
    let mut keys = json!({"data": {"x": "x", "y": "y", "value": "v"}});
    for (key, value) in more.as_object().unwrap() {
        match (keys.get_mut(key).and_then(Value::as_object_mut), value) {
            (Some(table), Value::Object(more)) => table.extend(more.clone()),
            _ => keys[key] = value.clone(),
        }
    }
    keys
}

#[test]
fn warnings_have_their_hints_beside_the_text() {
    let of_panels = || keyed(json!({"data": {"panel": "p"}}));
    let noise = |x: usize, y: usize| ((x * 7919 + y * 104_729) % 97) as f64;
    let dates = |x: &str| (x.to_owned(), "1".to_owned(), "2".to_owned());
    let sweep = (0..60).map(|i| (format!("{}", i * i * i), "1".to_owned(), i.to_string()));
    let scattered =
        (0..60).map(|i| (format!("0.{}", 1009 * i % 997), format!("1.{}", 613 * i % 991), i.to_string()));
    let facets = "r,c,x,y,v\na,a,1,1,1\nb,b,1,1,2\n";
    let of_facets = json!({"data": {"panel_row": "r", "panel_column": "c"}});
    let cases = [
        (LintName::Mathtext, square(3, noise), keyed(json!({"title": "$\\foo{x}$"}))),
        (
            LintName::OutlierLimits,
            square(9, |x, y| if x + y == 0 { 1e4 } else { noise(x, y) }),
            keyed(json!({})),
        ),
        (
            LintName::HiddenExtremes,
            square(170, |x, y| if (x, y) == (9, 9) { 1e3 } else { 1.0 }),
            keyed(json!({"size": {"width": "2in"}})),
        ),
        (LintName::UnusedRange, panels([(0.0, 1.0), (0.0, 90.0)]), of_panels()),
        (LintName::FlatPanel, panels([(0.0, 0.01), (0.0, 900.0)]), of_panels()),
        (LintName::FontSizeClamped, square(3, noise), keyed(json!({"size": {"font_size": "3pt"}}))),
        (LintName::Sparse, tidy(scattered), keyed(json!({"x": {"type": "number"}, "y": {"type": "number"}}))),
        (LintName::AnnotationsHidden, square(90, noise), keyed(json!({"annotations": {"show": "on"}}))),
        (
            LintName::MarksHidden,
            square(170, noise),
            keyed(json!({"annotations": {"mark": ["v > 2 as hatch"]}})),
        ),
        (LintName::ContoursHidden, square(170, noise), keyed(json!({"contours": [40]}))),
        (
            LintName::MixedSigns,
            square(3, |x, y| noise(x, y) - 40.0),
            keyed(json!({"data": {"normalize": "row"}})),
        ),
        (LintName::MissingGlyphs, square(3, noise), keyed(json!({"title": "\u{13000}"}))),
        (LintName::UnevenAxis, tidy(sweep), keyed(json!({"size": {"width": "3in"}}))),
        (
            LintName::TicksThinned,
            square(70, noise),
            keyed(json!({"size": {"width": "3in"}, "x": {"ticks": "all"}})),
        ),
        // Two hints.
        (
            LintName::MixedUnits,
            "id,m,n,a,b\nu,p,x,1%,2\nv,p,y,2%,3\nw,q,x,3%,4\nz,q,y,4%,5\n".to_owned(),
            json!({}),
        ),
        (LintName::NumberLikeCategories, tidy(["1.9", "1.10", "1.11"].map(dates)), keyed(json!({}))),
        (LintName::MixedTimes, tidy(["03/04/2024", "05/06/2024"].map(dates)), keyed(json!({}))),
        (LintName::EmptyPanel, facets.to_owned(), keyed(of_facets)),
    ];
    for (name, csv, keys) in cases {
        let found = lints(&csv, keys);
        let inside: Vec<&Lint> = found.0.iter().filter(|l| l.text.contains(HINT)).collect();
        assert!(inside.is_empty(), "{name}: {inside:?}");
        let hinted = found.0.iter().find(|l| l.name == name && !l.hints.is_empty());
        let lint = hinted.unwrap_or_else(|| panic!("{name}: {found:?}"));
        let hints: Vec<String> = lint.hints.iter().map(|hint| format!(" {HINT} {hint}")).collect();
        assert!(lint.to_string().ends_with(&hints.join(";")), "{lint}");
    }
}

#[test]
fn errors_have_their_hints_beside_the_text() {
    let grid = || Grid::from_rows(2, 3, (0..6).map(f64::from).collect()).unwrap();
    let drawn = |keys: Value, grid: Grid| render(&figure(keys), &[grid]).unwrap_err();
    let read = |csv: &str, keys: Value| {
        let bytes = csv.as_bytes().to_vec();
        Error::from(open_bytes(bytes, "t.csv", &figure(keys), &ReadOptions::default(), 1 << 30).unwrap_err())
    };
    let size = json!({"size": {"width": "300px", "height": "20px"}});
    let errors = [
        drawn(size, grid()),
        drawn(json!({"color": {"vmin": 3, "vmax": 1}}), grid()),
        read("k,a,b\nx,1,2\ny,3,low\nz,3,4\n", keyed(json!({"data": {"x": "k", "y": "a", "value": "b"}}))),
        read("k,l,v\nx,y,1\nx,z,2\n", json!({})),
        read("x,y,v\n1,1,1\n", keyed(json!({"data": {"value": "w"}}))),
    ];
    for error in errors {
        let hint = error.hint().unwrap_or_else(|| panic!("{error}"));
        assert!(!hint.contains(HINT) && !error.to_string().contains(HINT), "{error:?}");
    }
    // The message of a wrong key has one line, with its hint.
    let error = drawn(json!({"x": {"fmt": "%Y"}}), grid());
    let Error::Figure(ResolveError::Key { what, hint, .. }) = &error else { panic!("{error:?}") };
    assert_eq!(hint.as_deref(), Some("--x-type time"));
    assert_eq!(what, "'%Y' formats times, and the axis has none");
    assert_eq!(error.to_string(), format!("x.fmt: {what}; {HINT} --x-type time"));
}
