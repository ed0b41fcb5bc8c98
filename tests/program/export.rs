//! The numbers of small tables through `gridscope export` and `gridscope info`: pivots, orders, domains, states, views.

use crate::support::place::Place;
use crate::support::required;
use std::fs;

impl Place {
    /// The exported CSV of a file, with options that are split at spaces (`_` is a space in a value).
    fn csv(&self, file: &str, options: &str) -> String {
        let options: Vec<String> =
            options.split(' ').filter(|o| !o.is_empty()).map(|o| o.replace('_', " ")).collect();
        let mut args = vec!["export", file, "-o", "-", "--quiet"];
        args.extend(options.iter().map(String::as_str));
        let (code, out, err) = self.run(&args).parts();
        assert_eq!(code, Some(0), "{file} {options:?}: {err}");
        out
    }

    fn informed(&self, args: &[&str]) -> serde_json::Value {
        let (code, out, err) = self.run(&[&["info", "--json"], args].concat()).parts();
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).unwrap()
    }
}

const KEYS: &str = "--x x --y y --value v";

fn row(csv: &str, n: usize) -> Vec<&str> {
    csv.lines().nth(n).unwrap().split(',').collect()
}

#[test]
fn every_aggregate_is_that_of_pandas() {
    // Key (1, 1) has four rows, one of them empty; (2, 1) has none with a value; (1, 2) has one; (2, 2) no row.
    let p = Place::new(&[("t.csv", "x,y,v\n1,1,3\n1,1,1\n2,1,\n1,1,\n1,1,4\n1,2,5\n")]);
    let nan = f64::NAN;
    for (agg, four, none, one) in [
        ("mean", 8.0 / 3.0, nan, 5.0),
        ("median", 3.0, nan, 5.0),
        ("min", 1.0, nan, 5.0),
        ("max", 4.0, nan, 5.0),
        ("sum", 8.0, nan, 5.0),
        ("count", 3.0, 0.0, 1.0),
        ("std", (7f64 / 3.0).sqrt(), nan, nan),
        ("first", 3.0, nan, 5.0),
        ("last", 4.0, nan, 5.0),
    ] {
        let csv = p.csv("t.csv", &format!("{KEYS} --agg {agg}"));
        assert_eq!(csv.lines().next(), Some("y,1,2"));
        let same = |text: &str, want: f64| {
            let got: f64 = text.parse().unwrap();
            assert!(
                (got - want).abs() < 1e-12 || (got.is_nan() && want.is_nan()),
                "{agg}: {got}, not {want}"
            );
        };
        same(row(&csv, 1)[1], four);
        same(row(&csv, 1)[2], none);
        same(row(&csv, 2)[1], one);
        // Keys that never meet are counted as 0, and have no value otherwise.
        let never = if agg == "count" { "0" } else { "" };
        assert_eq!(row(&csv, 2)[2], never, "{agg}");
    }
    let (_, _, err) = p.run(&["check", "t.csv", "--x", "x", "--y", "y", "--value", "v"]).parts();
    assert!(err.contains("warning[duplicate-keys]") && err.contains("mean"), "{err}");
    assert_eq!(p.csv("t.csv", "--x x --y y --agg count"), "y,1,2\n1,4,1\n2,1,0\n");
}

const TIDY: &str = "x,y,v,s\n10,b,1,done\n9,a,2,run\n10,a,3,done\n2.5,b,4,done\n";

#[test]
fn orders_and_domains_arrange_the_keys() {
    let p = Place::new(&[("t.csv", TIDY)]);
    let of = |options: &str| p.csv("t.csv", &format!("{KEYS} {options}"));
    assert_eq!(of(""), "y,2.5,9,10\nb,4,,1\na,,2,3\n");
    assert_eq!(of("--x-order data --y-order alpha"), "y,10,9,2.5\na,3,2,\nb,1,,4\n");
    assert_eq!(row(&of("--x-order 9,10"), 0), ["y", "9", "10", "2.5"]);
    // Column means: 2 (10), 2 (9), 4 (2.5); row means: 2.5 (b), 2.5 (a).
    assert_eq!(row(&of("--x-order value"), 0)[1], "2.5");
    assert_eq!(
        of("--x-domain 8:11 --y-order a"),
        "y,8,9,10,11\na,,2,3,\nb,,,1,\n".replace("8,9,10,11", &row(&of("--x-domain 8:11"), 0)[1..].join(","))
    );
    assert_eq!(of("--y-domain c,a --x-domain 10,9"), "y,9,10\nc,,\na,2,3\n");
    assert_eq!(of("--transpose"), "x,b,a\n2.5,4,\n9,,2\n10,1,3\n");
    assert_eq!(of("--where y_=_b"), "y,2.5,10\nb,4,1\n");
    assert_eq!(of("--where v_>_1 --where x_in_9,10"), "y,9,10\na,2,3\n");
    let (code, _, err) = p
        .run(&["export", "t.csv", "-o", "-", "--x", "x", "--y", "y", "--value", "v", "--x-order", "natrual"])
        .parts();
    assert!(code == Some(2) && err.contains("no key is 'natrual'"), "{err}");
    let (code, _, err) = p
        .run(&["export", "t.csv", "-o", "-", "--x", "x", "--y", "y", "--value", "v", "--where", "v > 9"])
        .parts();
    assert!(code == Some(3) && err.contains("no row"), "{err}");
}

#[test]
fn whole_numbers_of_a_domain_are_all_shown() {
    let p = Place::new(&[("t.csv", "x,y,v\n3,1,1\n5,1,2\n9,1,3\n")]);
    assert_eq!(p.csv("t.csv", &format!("{KEYS} --x-domain 2:5")), "y,2,3,4,5\n1,,1,,2\n");
    let (_, _, err) =
        p.run(&["check", "t.csv", "--x", "x", "--y", "y", "--value", "v", "--x-domain", "2:5"]).parts();
    assert!(err.contains("warning[outside-domain]") && err.contains("1 row"), "{err}");
}

#[test]
fn states_stay_apart() {
    let p = Place::new(&[
        ("t.csv", TIDY),
        ("m.csv", "1,-9,3\n4,,6\n7,8,inf\n"),
        ("mask.csv", "0,1,0\n0,0,0\n1,0,0\n"),
    ]);
    let counts = |args: &[&str]| {
        let report = p.informed(args);
        let c = &report["panels"][0]["counts"];
        ["value", "nan", "absent", "masked", "pending", "pos_inf"].map(|k| c[k].as_u64().unwrap())
    };
    let tidy = ["t.csv", "--x", "x", "--y", "y", "--value", "v"];
    assert_eq!(counts(&tidy), [4, 0, 2, 0, 0, 0]);
    assert_eq!(counts(&[&tidy[..], &["--pending", "s = run"]].concat()), [3, 0, 2, 0, 1, 0]);
    assert_eq!(p.csv("t.csv", &format!("{KEYS} --pending s_=_run")), "y,2.5,9,10\nb,4,,1\na,,,3\n");
    assert_eq!(counts(&["m.csv", "--nodata", "-9"]), [7, 1, 0, 1, 0, 1]);
    assert_eq!(counts(&["m.csv", "--mask", "mask.csv", "--missing", "-9,4"]), [5, 2, 0, 2, 0, 1]);
    assert_eq!(p.csv("m.csv", "--mask upper"), ",0,1,2\n0,,,\n1,4,,\n2,7,8,\n");
    assert_eq!(p.csv("m.csv", "--mask lower --nodata -9"), ",0,1,2\n0,,,3\n1,,,6\n2,,,\n");
    assert_eq!(p.csv("m.csv", ""), ",0,1,2\n0,1,-9,3\n1,4,NaN,6\n2,7,8,inf\n");
}

#[test]
fn views_cut_and_values_name() {
    let text: String = (0..5)
        .map(|r| (0..6).map(|c| (10 * r + c).to_string()).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    let p = Place::new(&[("m.csv", &text)]);
    assert_eq!(p.csv("m.csv", "--rows 1:3 --cols 4:"), ",4,5\n1,14,15\n2,24,25\n");
    assert_eq!(p.csv("m.csv", "--around max --radius 1"), ",4,5\n3,34,35\n4,44,45\n");
    assert_eq!(p.csv("m.csv", "--around 1,1 --radius 0"), ",1\n1,11\n");
    let valued = p.csv("m.csv", "--x-values 0:1 --y-values 16:1:log --rows 0:2");
    assert_eq!(valued.lines().next(), Some(",0,0.2,0.4,0.6,0.8,1"));
    // Descending values ascend after sorting, and the rows move with them.
    assert_eq!(
        (row(&valued, 1)[..2].to_vec(), row(&valued, 2)[..2].to_vec()),
        (vec!["1", "40"], vec!["2", "30"])
    );
    for bad in [
        ["--rows", "3:1"],
        ["--rows", "0:9"],
        ["--around", "peak"],
        ["--around", "9,9"],
        ["--x-values", "1:1"],
    ] {
        assert_eq!(p.run(&[&["info", "m.csv"], &bad[..]].concat()).parts().0, Some(2), "{bad:?}");
    }
}

#[test]
fn csv_and_npy_read_back_the_same() {
    let numbers = "0.1,1e300,-0.30000000000000004\n5e-324,NaN,inf\n-inf,9007199254740993,2\n";
    let p = Place::new(&[
        ("m.csv", numbers),
        ("i.csv", "18446744073709551615,0\n9007199254740993,1\n"),
        ("j.csv", "-9223372036854775808,1\n"),
    ]);
    for file in ["m.csv", "i.csv", "j.csv"] {
        let straight = p.csv(file, "");
        assert_eq!(p.run(&["export", file, "-o", "a.npy", "--quiet"]).parts().0, Some(0));
        assert_eq!(p.csv("a.npy", ""), straight, "{file}");
        fs::write(p.path("again.csv"), &straight).unwrap();
        let (_, again, _) = p.run(&["export", "again.csv", "--table", "wide", "-o", "-", "--quiet"]).parts();
        assert_eq!(again, straight, "{file}");
    }
    assert_eq!(p.csv("i.csv", ""), ",0,1\n0,18446744073709551615,0\n1,9007199254740993,1\n");
    for (name, code) in [("a.png", 2), ("a", 2), (".", 2), ("no/folder/a.csv", 4)] {
        assert_eq!(p.run(&["export", "m.csv", "-o", name]).parts().0, Some(code), "{name}");
    }
}

#[test]
fn labels_survive_their_quotes() {
    let text = "x,y,v\n\"a,b\",\"say \"\"x\"\"\",1\n\" c \",\"two\nlines\",2\n";
    let p = Place::new(&[("t.csv", text)]);
    let csv = p.csv("t.csv", KEYS);
    assert_eq!(csv, "y,\"a,b\",\" c \"\n\"say \"\"x\"\"\",1,\n\"two\nlines\",,2\n");
    fs::write(p.path("wide.csv"), &csv).unwrap();
    // Absent cells have become empty fields.
    assert_eq!(p.csv("wide.csv", ""), csv.replace(",1,\n", ",1,NaN\n").replace(",,2", ",NaN,2"));
}

#[test]
fn panels_go_to_files_of_their_names() {
    let p = Place::new(&[("t.csv", "x,y,v,p\n1,1,1,a/b\n1,1,2,a b\n1,1,3,R1-Llama\n")]);
    let (code, _, err) = p
        .run(&["export", "t.csv", "--x", "x", "--y", "y", "--value", "v", "--panel", "p", "-o", "g.csv"])
        .parts();
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(p.names(), ["g-R1-Llama.csv", "g-a_b-2.csv", "g-a_b.csv", "t.csv"]);
    assert_eq!(fs::read_to_string(p.path("g-a_b.csv")).unwrap(), "y,1\n1,1\n");
    assert_eq!(fs::read_to_string(p.path("g-a_b-2.csv")).unwrap(), "y,1\n1,2\n");
    let (code, _, err) = p
        .run(&["export", "t.csv", "--x", "x", "--y", "y", "--value", "v", "--panel", "p", "-o", "-"])
        .parts();
    assert!(code == Some(2) && err.contains("3 panels"), "{err}");
}

#[test]
fn info_names_every_tie() {
    let p = Place::new(&[("t.csv", "x,y,v\n1,1,9\n2,1,3\n1,2,3\n2,2,9\n")]);
    let panel = p.informed(&["t.csv", "--x", "x", "--y", "y", "--value", "v"])["panels"][0].clone();
    let cells = |side: &str| -> Vec<[f64; 4]> {
        let cells = panel[side]["cells"].as_array().unwrap();
        cells.iter().map(|c| ["row", "column", "x", "y"].map(|k| c[k].as_f64().unwrap())).collect()
    };
    assert_eq!((panel["max"]["value"].as_i64(), panel["max"]["ties"].as_u64()), (Some(9), Some(2)));
    assert_eq!(cells("max"), [[0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 2.0, 2.0]]);
    assert_eq!(cells("min"), [[0.0, 1.0, 2.0, 1.0], [1.0, 0.0, 1.0, 2.0]]);
    assert_eq!((panel["mean"].as_f64(), panel["rows"].as_u64()), (Some(6.0), Some(2)));
}

#[test]
fn options_that_cannot_be_followed_are_refused_by_name() {
    let p = Place::new(&[
        ("t.csv", TIDY),
        ("m.csv", "1,2\n3,4\n"),
        ("f.toml", "[data]\nfile = \"m.csv\"\n[panels.zzz]\ncmap = \"magma\"\n"),
    ]);
    assert_eq!(p.run(&["export", "m.csv", "-o", "m.npy"]).parts().0, Some(0));
    let keys = ["--x", "x", "--y", "y", "--value", "v"];
    for (args, code, word) in [
        ([&["info", "t.csv", "--x-values", "0:1"], &keys[..]].concat(), 2, "x-values"),
        ([&["info", "t.csv", "--slice", "0=1"], &keys[..]].concat(), 2, "slice"),
        (vec!["info", "m.csv", "--key", "a"], 2, "key"),
        (vec!["info", "m.npy", "--delimiter", ";"], 2, "delimiter"),
        (vec!["info", "m.npy", "--x-type", "log"], 2, "type"),
        (vec!["info", "f.toml"], 3, "panels.zzz"),
    ] {
        let (got, _, err) = p.run(&args).parts();
        assert!(got == Some(code) && err.contains(word), "{args:?}: {got:?} {err}");
    }
}

#[test]
fn dates_are_in_order() {
    let p = Place::new(&[
        ("d.csv", "day,run,v\n2026-11-03,a,3\n2026-02-01,a,1\n2026-10-21,b,2\n"),
        ("y.csv", "x,y,v\n2019,1,1\n2018,1,2\n"),
    ]);
    assert_eq!(
        p.csv("d.csv", "--x day --y run --value v"),
        "run,2026-02-01,2026-10-21,2026-11-03\na,1,,3\nb,,2,\n"
    );
    let (_, text, _) = p.run(&["info", "d.csv", "--x", "day", "--y", "run", "--value", "v"]).parts();
    assert!(text.contains("day (time, 3)"), "{text}");
    let (_, text, _) =
        p.run(&["info", "y.csv", "--x", "x", "--y", "y", "--value", "v", "--x-type", "time"]).parts();
    assert!(text.contains("x (time, 2): 2018, 2019"), "{text}");
    let (code, _, err) =
        p.run(&["info", "d.csv", "--x", "run", "--y", "day", "--value", "v", "--x-type", "time"]).parts();
    assert!(code == Some(2) && err.contains("time axis"), "{err}");
}

#[test]
fn reductions_are_numbers_of_the_source() {
    let p = Place::new(&[("m.csv", "1,2,3\n4,NaN,6\n7,8,-9007199254740993\n")]);
    let run = |args: &[&str]| {
        let (code, out, err) = p.run(&[&["export", "m.csv", "-o", "-"], args].concat()).parts();
        assert_eq!(code, Some(0), "{err}");
        out
    };
    assert_eq!(run(&["--width", "1", "--height", "1", "--reduce", "count"]), ",0\n0,8\n");
    assert_eq!(run(&["--width", "1", "--height", "3", "--reduce", "max"]), ",0\n0,3\n1,6\n2,8\n");
    assert_eq!(run(&["--width", "3", "--height", "1"]), ",0,1,2\n0,4,5,-3002399751580327.5\n");
    assert_eq!(
        run(&["--width", "1", "--height", "2", "--reduce", "extreme", "--center", "0"]),
        ",0\n0,3\n1,-9007199254740993\n"
    );
    for (args, code) in
        [(vec!["--reduce", "max"], 2), (vec!["--width", "3"], 2), (vec!["--width", "0", "--height", "3"], 7)]
    {
        assert_eq!(
            p.run(&[&["export", "m.csv", "-o", "-"], &args[..]].concat()).parts().0,
            Some(code),
            "{args:?}"
        );
    }
}

#[test]
fn large_arrays_are_reduced_from_their_files() {
    let p = Place::empty();
    let (rows, columns) = (700usize, 600usize);
    let value = |r: usize, c: usize| ((r * 7919 + c * 104_729) % 10_007) as i32 - 5000;
    let bytes: Vec<u8> =
        (0..rows).flat_map(|r| (0..columns).flat_map(move |c| value(r, c).to_be_bytes())).collect();
    fs::write(p.path("m.raw"), &bytes).unwrap();
    let (code, out, err) = p
        .run(&[
            "export", "m.raw", "--raw", "i32be", "600x700", "--width", "60", "--height", "70", "--reduce",
            "min", "-o", "-",
        ])
        .parts();
    assert_eq!(code, Some(0), "{err}");
    let line: Vec<&str> = out.lines().nth(8).unwrap().split(',').collect();
    let want =
        |x: usize| (70..80).flat_map(|r| (x * 10..x * 10 + 10).map(move |c| value(r, c))).min().unwrap();
    assert_eq!(line[1..], (0..60).map(|x| want(x).to_string()).collect::<Vec<_>>());
    #[cfg(feature = "gpu")]
    {
        let small: Vec<u8> = (0..rows * columns)
            .flat_map(|i| (value(i / columns, i % columns) as f32).to_le_bytes())
            .collect();
        fs::write(p.path("f.raw"), &small).unwrap();
        let by = |backend: &str, reduce: &str| {
            let args = [
                "export",
                "f.raw",
                "--raw",
                "f32le",
                "600x700",
                "--width",
                "61",
                "--height",
                "37",
                "--backend",
                backend,
            ];
            p.run(&[&args[..], &["--reduce", reduce, "-o", "-"]].concat()).parts()
        };
        if by("gpu", "min").0 == Some(0) {
            for reduce in ["min", "max", "extreme", "count"] {
                assert!(by("gpu", reduce).1 == by("cpu", reduce).1, "{reduce}");
            }
        } else {
            assert!(!required::adapter(), "no adapter");
        }
    }
    let png = ["render", "m.raw", "--raw", "i32be", "600x700", "-o", "a.png", "--reduce", "max"];
    assert_eq!(p.run(&png).parts().0, Some(0));
    fs::write(p.path("m.raw"), &bytes[..bytes.len() - 4]).unwrap();
    let (code, _, err) = p.run(&png).parts();
    assert!(code == Some(3) && err.contains("1680000 bytes, the file holds 1679996"), "{err}");
}
