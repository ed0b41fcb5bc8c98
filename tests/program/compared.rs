//! Comparisons, shares and scores through the program: the book's commands, the names on the bar, reports and refusals.

use crate::support::npy::npy;
use crate::support::place::Place;
use std::path::Path;

/// The tables of the book, under the paths that its commands have.
fn examples() -> Place {
    let place = Place::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["before.csv", "after.csv", "errors.csv"] {
        let path = format!("examples/compare/{name}");
        place.write(&path, std::fs::read(root.join(&path)).unwrap());
    }
    place
}

#[test]
fn the_commands_of_the_book_work() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let place = examples();
    let mut seen = 0;
    for chapter in ["compare.md", "normalize.md"] {
        let text = std::fs::read_to_string(book.join(chapter)).unwrap();
        for line in text.lines().filter(|l| l.starts_with("gridscope ")) {
            let args: Vec<&str> = line.split(' ').skip(1).collect();
            let ran = place.run(&args);
            assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
            assert!(place.path(args.last().unwrap()).is_file(), "{line}");
            seen += 1;
        }
    }
    assert_eq!(seen, 8);
}

const KEYS: [&str; 7] = ["-x", "lr", "-y", "optimizer", "-z", "accuracy", "--agg=mean"];

fn report(flags: &[&str]) -> serde_json::Value {
    let place = examples();
    let args = [
        &["render", "examples/compare/after.csv", "-o", "a.png", "--json=a.json", "--backend=cpu"],
        &KEYS[..],
        flags,
    ];
    let ran = place.run(&args.concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    place.json("a.json")
}

#[test]
fn bars_name_what_they_show_and_suit_it() {
    let before = "--minus=examples/compare/before.csv";
    for (flags, label, cmap, norm) in [
        (vec![before], "mean of accuracy − before", "RdBu_r", "center"),
        (vec![before, "--cmap=magma"], "mean of accuracy − before", "magma", "center"),
        (vec!["--ratio=examples/compare/before.csv"], "mean of accuracy / before", "RdBu_r", "log"),
        (vec!["--percent=sgd"], "change of mean of accuracy from sgd (%)", "RdBu_r", "center"),
        (vec!["--minus=lr=0.001"], "mean of accuracy − (lr = 0.001)", "RdBu_r", "center"),
        (vec!["--normalize=row"], "mean of accuracy (share of row, %)", "viridis", "linear"),
        (vec!["--z-score=column"], "mean of accuracy (z-score by column)", "RdBu_r", "center"),
        (
            vec!["--z-score=column", "--norm=linear", "--vmin=0"],
            "mean of accuracy (z-score by column)",
            "RdBu_r",
            "center",
        ),
    ] {
        let found = report(&flags);
        let scale = &found["scales"][0];
        let text = scale["label"].as_str().unwrap();
        assert_eq!(text, label, "{flags:?}");
        assert_eq!((scale["cmap"].as_str(), scale["norm"].as_str()), (Some(cmap), Some(norm)), "{flags:?}");
    }
    let ratio = report(&["--ratio=examples/compare/before.csv"]);
    let [low, high] = ["vmin", "vmax"].map(|k| ratio["scales"][0][k].as_f64().unwrap());
    assert!((low * high - 1.0).abs() < 1e-12 && high > 1.0, "{low} to {high}");
    let counts = &ratio["panels"][0]["counts"];
    assert_eq!((&counts["not_in_baseline"], &counts["only_in_baseline"]), (&1.into(), &2.into()));
}

#[test]
fn no_difference_is_the_middle_of_the_map() {
    for (flag, limits) in [
        ("--minus=file:examples/compare/after.csv", (-1.0, 1.0)),
        ("--percent=examples/compare/after.csv", (-1.0, 1.0)),
        ("--ratio=examples/compare/after.csv", (0.5, 2.0)),
    ] {
        let scale = &report(&[flag])["scales"][0];
        assert_eq!(
            (scale["vmin"].as_f64(), scale["vmax"].as_f64()),
            (Some(limits.0), Some(limits.1)),
            "{flag}"
        );
    }
}

#[test]
fn three_panels_have_one_scale_and_one_of_their_difference() {
    let found = report(&["--against=examples/compare/before.csv"]);
    let panels: Vec<&str> =
        found["panels"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(panels, ["before", "after", "after − before"]);
    let scales = found["scales"].as_array().unwrap();
    assert_eq!(scales.len(), 2);
    let limited =
        report(&["--against=examples/compare/before.csv", "--vmin=0.7", "--vmax=0.9", "--cmap=magma"]);
    let [a, b] = [0, 1].map(|i| &limited["scales"][i]);
    assert_eq!((&a["vmin"], &a["vmax"], &a["cmap"]), (&0.7.into(), &0.9.into(), &"magma".into()));
    assert_eq!((&b["vmin"], &b["cmap"]), (&scales[1]["vmin"], &"RdBu_r".into()));
    assert_eq!((scales[0]["cmap"].as_str(), scales[1]["cmap"].as_str()), (Some("viridis"), Some("RdBu_r")));
}

#[test]
fn pairs_are_tested_cell_by_cell() {
    let before = "--minus=examples/compare/before.csv";
    // By scipy.stats.ttest_rel and scipy.stats.wilcoxon of the five seeds of adam at 0.01.
    for (flags, p, note) in [
        (vec!["--paired=t"], 0.002_495_757_817_754_669, "paired t, 5 pairs by seed, each cell by itself"),
        (
            vec!["--paired", "--pair-by=seed"],
            0.0625,
            "Wilcoxon signed-rank, 5 pairs by seed, each cell by itself; too few for p < 0.05",
        ),
    ] {
        let found = report(&[&[before], &flags[..]].concat());
        let paired = &found["panels"][0]["paired"];
        let text = paired["note"].as_str().unwrap();
        assert_eq!(text, format!("* p < 0.05, ** p < 0.01, *** p < 0.001 ({note})"));
        assert!((paired["p"][0][4].as_f64().unwrap() - p).abs() < 1e-12);
        // Cells of one side have no pairs.
        assert!(paired["p"][1][4].is_null() && paired["p"][3][0].is_null());
    }
    // Each optimizer and one of them, in the same file; and three panels.
    let own = report(&["--minus=optimizer=sgd", "--paired=t"]);
    let p = &own["panels"][0]["paired"]["p"];
    // Pairs that are all equal have 1.
    assert!(p[0][0].as_f64().unwrap() < 0.01 && p[2][0].as_f64() == Some(1.0), "{p}");
    let three = report(&["--against=examples/compare/before.csv", "--paired=t"]);
    assert!(three["panels"][0]["paired"].is_null());
    assert!(three["panels"][2]["paired"]["p"][0][4].as_f64().unwrap() < 0.01);
}

#[test]
fn refusals_say_what_to_do() {
    let place = examples();
    for (flags, wanted) in [
        (
            vec!["--minus=nothing.csv"],
            "'nothing.csv' is neither a file, nor a panel, nor a key of 'optimizer', 'lr'",
        ),
        (vec!["--minus=file:nothing.csv"], "nothing.csv: "),
        (vec!["--minus=optimizer=sdg"], "no key of 'optimizer' is 'sdg'\nhint: did you mean 'sgd'?"),
        (vec!["--minus=sgd", "--ratio=sgd"], "cannot be used with"),
        (vec!["--minus="], "is not a baseline"),
        (vec!["--normalize=rows"], "'rows' is none of row, column, panel, all"),
        (vec!["--against=examples/compare/before.csv", "--normalize=row"], "leave out --normalize"),
        (vec!["--paired"], "paired: a test needs a baseline"),
        (vec!["--minus=sgd", "--paired=x"], "'x' is none of wilcoxon, t"),
        (vec!["--minus=sgd", "--paired", "--pair-by=sed"], "sed"),
        (vec!["--against=sgd"], "'sgd' is a row or a column"),
    ] {
        let args = [&["render", "examples/compare/after.csv", "-o", "a.png"], &KEYS[..], &flags].concat();
        let ran = place.run(&args);
        assert!(matches!(ran.code, Some(2 | 3)), "{flags:?}: {:?}", ran.code);
        assert!(ran.err.contains(wanted), "{flags:?}: {}", ran.err);
    }
    let check = ["check", "examples/compare/after.csv", "--against=examples/compare/before.csv"];
    let ran = place.run(&[&check, &KEYS[..]].concat());
    assert!(ran.code == Some(2) && ran.err.contains("--better"), "{}", ran.err);
}

#[test]
fn a_panel_of_a_side_is_named_by_its_value() {
    let p = Place::new(&[("t.csv", "x,y,v,s\na,r,1,1\nb,r,2,1\na,r,5,2\nb,r,9,2\n")]);
    for side in ["--panel-row", "--panel-column", "--panel"] {
        p.ends(0, &format!("export t.csv -x x -y y -z v {side} s --minus s=1 -o o.csv"));
    }
    p.write("m.csv", "x,y,s\na,r,2\n");
    p.ends(0, "render t.csv -x x -y y -z v --panel s --mark m.csv -o o.png");
    let err = p.ends(3, "render t.csv -x x -y y -z v --panel-row s --mark m.csv -o o.png").err;
    assert!(err.contains("column 's' is one of several that make panels"), "{err}");
}

#[test]
fn a_baseline_of_rows_and_columns_is_that_of_every_slice() {
    let place = Place::empty();
    let plane = |by: f64| -> Vec<f64> { (0..12).map(|i| f64::from(i) * by).collect() };
    let volume: Vec<f64> = [1.0, 3.0].into_iter().flat_map(plane).collect();
    place.write("volume.npy", npy("(2, 3, 4)", &volume));
    place.write("plane.npy", npy("(3, 4)", &plane(1.0)));
    place.write("half.npy", npy("(2, 3, 4)", &volume.iter().map(|v| v / 2.0).collect::<Vec<_>>()));
    let cell = |base: &str, slice: &str| {
        let minus = ["export", "volume.npy", "--minus", base, "--slice", slice, "-o", "out.csv"];
        let ran = place.run(&minus);
        assert_eq!(ran.code, Some(0), "{base} {slice}: {}", ran.err);
        let text = std::fs::read_to_string(place.path("out.csv")).unwrap();
        text.trim_end().rsplit([',', '\n']).next().unwrap().to_owned()
    };
    // The last cell of a plane is 11 times its number.
    let of_plane = ["0=0", "0=1"].map(|slice| cell("plane.npy", slice).parse::<f64>().unwrap());
    assert_eq!(of_plane, [0.0, 22.0]);
    // One of as many axes is sliced as the data are.
    let of_half = ["0=0", "0=1"].map(|slice| cell("half.npy", slice).parse::<f64>().unwrap());
    assert_eq!(of_half, [5.5, 16.5]);
}
