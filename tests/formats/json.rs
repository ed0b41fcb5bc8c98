//! JSON data through the whole program: records, lines, matrices; and what stays a figure file.

use crate::support::corpus::{corpus, files};
use crate::support::limited::run;
use std::fs;
use std::path::Path;

fn exported(folder: &Path, args: &str, input: &[u8]) -> String {
    let (code, out, err) = run(folder, &format!("export {args} -o - --quiet"), input);
    assert_eq!(code, 0, "{args}: {err}");
    out
}

/// Two learning rates and two models, one run of which is missing.
const RUNS: [&str; 4] = [
    r#"{"config":{"lr":0.1,"model":"10m"},"acc":0.5,"tags":["a"]}"#,
    r#"{"config":{"lr":0.01,"model":"10m"},"acc":0.25}"#,
    r#"{"config":{"lr":0.1,"model":"9m"},"acc":1}"#,
    r#"{"config":{"lr":0.01,"model":"9m"},"acc":null}"#,
];

#[test]
fn records_and_lines_are_the_same_table() {
    let dir = tempfile::tempdir().unwrap();
    let (list, lines) = (format!("[{}]", RUNS.join(",\n")), RUNS.join("\n"));
    for (name, text) in
        [("a.json", &list), ("b.json", &lines), ("c.jsonl", &lines), ("d.txt", &lines), ("e.ndjson", &lines)]
    {
        fs::write(dir.path().join(name), text).unwrap();
        let want = "config.model,0.01,0.1\n9m,NaN,1\n10m,0.25,0.5\n";
        let columns = "-x config.lr -y config.model -z acc";
        assert_eq!(exported(dir.path(), &format!("{name} {columns}"), b""), want, "{name}");
        assert_eq!(exported(dir.path(), &format!("- {columns}"), text.as_bytes()), want, "{name}");
    }
    let (code, _, err) = run(dir.path(), "render a.json -o a.png", b"");
    assert!(code == 2 && err.contains("config.lr"), "{err}");
    let (code, _, err) = run(dir.path(), "render a.json -x config.lr -y config.model -z tags -o a.png", b"");
    assert!(code == 3 && err.contains("column 'tags': 'a' is not a number"), "{err}");
    fs::write(dir.path().join("fig.json"), r#"{"data":{"x":"config.lr","y":"config.model","value":"acc"}}"#)
        .unwrap();
    assert!(exported(dir.path(), "fig.json a.json", b"").starts_with("config.model,0.01,0.1\n"));
}

#[test]
fn lists_of_numbers_are_drawn_as_they_stand() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.json", "[[1,2,9007199254740993],[4,5,6]]"),
        ("b.json", "{\"width\":3,\"height\":2,\"values\":[1,2,9007199254740993,4,5,6]}"),
        ("c.json", "{\"columns\":[0,1,2],\"index\":[0,1],\"data\":[[1,2,9007199254740993],[4,5,6]]}"),
        (
            "d.json",
            "{\"0\":{\"0\":1,\"1\":4},\"1\":{\"0\":2,\"1\":5},\"2\":{\"0\":9007199254740993,\"1\":6}}",
        ),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
        assert_eq!(exported(dir.path(), name, b""), ",0,1,2\n0,1,2,9007199254740993\n1,4,5,6\n", "{name}");
    }
    fs::write(dir.path().join("n.json"), "[[1,NaN],\n [-Infinity,4]]").unwrap();
    let (code, _, err) = run(dir.path(), "render n.json -o a.png", b"");
    assert!(
        code == 3
            && err.starts_with("error: n.json: line 1, column 5: NaN is not valid JSON")
            && err.contains("hint: --json-nan"),
        "{err}"
    );
    assert_eq!(exported(dir.path(), "n.json --json-nan", b""), ",0,1\n0,1,NaN\n1,-inf,4\n");
    fs::write(dir.path().join("f.toml"), "[data]\nfile = \"n.json\"\njson_nan = true\n").unwrap();
    assert_eq!(exported(dir.path(), "f.toml", b""), ",0,1\n0,1,NaN\n1,-inf,4\n");
    assert!(!dir.path().join("a.png").exists());
}

/// Two runs of each of two models at two sizes, in lists.
#[test]
fn lists_that_are_asked_for_are_rows() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"[{"m":"a","s":1,"t":{"all":[2, 3]}},
        {"m":"a","s":2,"t":{"all":[5]}},{"m":"b","s":1,"t":{"all":[]}},{"m":"b","s":2,"t":{"all":[7,null]}}]"#;
    fs::write(dir.path().join("a.json"), text).unwrap();
    let (code, _, err) = run(dir.path(), "export a.json -o -", b"");
    assert!(code == 2 && err.contains("hint: --x s --y m --value t.all --agg mean"), "{err}");
    let mean = exported(dir.path(), "a.json -x s -y m -z t.all --agg mean", b"");
    assert_eq!(mean, "m,1,2\na,2.5,5\nb,NaN,7\n");
}

#[test]
fn lists_neither_grow_beyond_the_memory_nor_hide_what_is_no_object() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!(r#"[{{"m":"{}","s":1,"t":[{}1]}}]"#, "x".repeat(1 << 20), "1,".repeat(20_000));
    fs::write(dir.path().join("a.json"), long).unwrap();
    let (code, _, err) = run(dir.path(), "export a.json -x s -y m -z t --agg mean -o -", b"");
    assert!(code == 7 && err.contains("its lists make more than"), "{err}");
    // One list by two names.
    fs::write(dir.path().join("a.json"), r#"[{"x":{"y":[1,2]},"k":1},{"x/y":[3],"k":2}]"#).unwrap();
    run(dir.path(), "export a.json -x k -y k -z x.y,x/y --agg mean -o -", b"");
    let mixed = format!(r#"{{"k":{{"A":[{}5],"B":[{{"v":2}}]}}}}"#, r#"{"v":1},"#.repeat(70));
    fs::write(dir.path().join("a.json"), mixed).unwrap();
    let (code, _, err) = run(dir.path(), "export a.json --key k -o -", b"");
    assert!(code == 3 && err.contains("no objects among its rows"), "{err}");
}

#[test]
fn outer_keys_are_rows() {
    let dir = tempfile::tempdir().unwrap();
    for (text, want) in [
        (r#"{"a":{"b":1,"a":0},"b":{"b":0,"a":2}}"#, "key,b,a\na,1,0\nb,0,2\n"),
        (r#"{"7":{"7":0.5,"3":1.5},"3":{"7":2,"3":0}}"#, "key,7,3\n7,0.5,1.5\n3,2,0\n"),
        (r#"{"a":{"d":{"x":1,"y":2}},"b":{"d":{"x":3,"y":4}}}"#, "key,x,y\na,1,2\nb,3,4\n"),
        // As pandas writes columns.
        (r#"{"a":{"0":2,"1":1},"b":{"0":3,"1":4}}"#, ",a,b\n0,2,3\n1,1,4\n"),
        (r#"{"n":{"p":"x","q":"y"},"v":{"p":3,"q":4},"w":{"p":5,"q":6}}"#, ",v,w\np,3,5\nq,4,6\n"),
    ] {
        fs::write(dir.path().join("a.json"), text).unwrap();
        assert_eq!(exported(dir.path(), "a.json", b""), want, "{text}");
    }
    // Lists of objects under keys are one table, and values beside rows are named.
    let lists = r#"{"n.1":{"a.b":[{"q":"x","t":1},{"q":"y","t":2}],"c":[{"q":"x","t":3}]},"n.2":{"c":[{"q":"x","t":3}],"d":[]}}"#;
    fs::write(dir.path().join("a.json"), lists).unwrap();
    let table = exported(dir.path(), "a.json --key n.1 -x q -y key -z t", b"");
    assert_eq!(table, "key,x,y\na.b,1,2\nc,3,\n");
    let (_, _, err) = run(dir.path(), "export a.json -o -", b"");
    assert!(err.contains("other keys: n.1"), "{err}");
    fs::write(dir.path().join("a.json"), r#"{"k 2":{"acc":1},"k 4":{"acc":2},"when":"now","peak":7}"#)
        .unwrap();
    let (code, out, err) = run(dir.path(), "export a.json -o -", b"");
    assert!(
        code == 0 && out == "key,acc\nk 2,1\nk 4,2\n" && err.contains("left out: when, peak"),
        "{out}{err}"
    );
    let deep = r#"{"a":{"s":{"t":1,"m":2},"l":{"t":3,"m":4}},"b":{"s":{"t":5,"m":6},"l":{"t":7,"m":8}}}"#;
    fs::write(dir.path().join("a.json"), deep).unwrap();
    fs::write(dir.path().join("fig.json"), r#"{"data":{"x":"key 2","y":"key","value":"t"}}"#).unwrap();
    let table = exported(dir.path(), "fig.json a.json", b"");
    assert_eq!(table, "key,s,l\na,1,3\nb,5,7\n");
}

#[test]
fn objects_of_other_keys_stay_figure_files() {
    let dir = tempfile::tempdir().unwrap();
    for (text, word) in [
        ("{\"dta\":{\"file\":\"a.csv\"}}", "no table is found, and no figure file"),
        ("{\"title\":5}", "line 1, column"),
        (
            "{\"results\":{\"arc\":{\"acc\":0.5}},\"versions\":{\"arc\":0}}",
            "hint: --key results; or --key versions",
        ),
        ("{\"color\":{\"cmap\":\"magma\"},\"colour\":{}}", "unknown key 'colour'"),
        ("{\"title\":\"a\"}", "data: names no file"),
    ] {
        fs::write(dir.path().join("a.json"), text).unwrap();
        let (code, _, err) = run(dir.path(), "render a.json -o a.png", b"");
        assert!(code == 3 && err.contains(word), "{text}: {err}");
    }
    fs::write(dir.path().join("a.json"), "{\"results\":{\"arc\":{\"acc\":0.5}}}").unwrap();
    assert!(run(dir.path(), "render a.json -o a.png", b"").2.contains("hint: --key results\n"));
    assert_eq!(exported(dir.path(), "a.json --key results", b""), "key,acc\narc,0.5\n");
}

#[test]
fn hostile_texts_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let deep = [
        ("[".repeat(100_000), 3),
        ("[{\"a\":".repeat(50_000), 3),
        (format!("{{\"a\":{}", "[".repeat(100_000)), 3),
    ];
    let wide: String = (0..200_000).map(|i| format!("{{\"k{i}\":1}}\n")).collect();
    let long = format!(
        "{{\"{}\":{{{}}}}}",
        "k".repeat(1 << 20),
        (0..1000).map(|i| format!("\"{i}\":1")).collect::<Vec<_>>().join(",")
    );
    for (text, want) in deep.into_iter().chain([(wide, 7), (format!("{long}\n{long}"), 7)]) {
        for name in ["a.json", "a.jsonl"] {
            fs::write(dir.path().join(name), &text).unwrap();
            let (code, _, err) = run(dir.path(), &format!("render {name} -o a.png"), b"");
            assert!(code == want && err.contains("line ") && err.len() < 1000, "{name}: {code} {err}");
        }
    }
}

#[test]
fn a_growing_log_waits_for_the_end_of_its_last_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    fs::write(&path, format!("{}\n{}\n{{\"config\":{{\"l", RUNS[0], RUNS[1])).unwrap();
    let figure = gridscope::Figure {
        data: gridscope::figure::Data {
            x: Some(gridscope::figure::List::from_flag("config.lr")),
            y: Some(gridscope::figure::List::from_flag("config.model")),
            value: Some(gridscope::figure::List::from_flag("acc")),
            ..Default::default()
        },
        ..Default::default()
    };
    let files = [path.to_str().unwrap().to_owned()];
    let open = |growing| {
        let needs = gridscope::input::ReadOptions { growing, ..Default::default() };
        gridscope::input::open(&files, &figure, &needs, 1 << 30)
    };
    assert!(open(false).unwrap_err().place.to_string().starts_with("line 3, column"));
    let loaded = open(true).unwrap();
    assert!(loaded.waits && loaded.grids[0].len() == 2);
}

#[test]
#[ignore = "needs the files that GRIDSCOPE_CORPUS names"]
fn outside_files_are_drawn() {
    let corpus = corpus();
    let dir = tempfile::tempdir().unwrap();
    let volcano = corpus.join("grids/vega/volcano.json");
    let out = exported(dir.path(), volcano.to_str().unwrap(), b"");
    assert_eq!((out.lines().count(), out.lines().nth(1).unwrap().split(',').count()), (62, 88));
    assert!(out.lines().nth(1).unwrap().starts_with("0,103,104,104,105,105,106,"));
    for path in files(&corpus.join("sweeps/pythia")) {
        if path.extension().is_some_and(|e| e == "json") {
            let (code, _, err) = run(dir.path(), &format!("render {} -o a.png", path.display()), b"");
            assert!(code == 3 && err.contains("hint: data as JSON"), "{}: {err}", path.display());
        }
    }
}
