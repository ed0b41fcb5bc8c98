//! Result files in the forms that people and tools write: each is read as its owner expects, or refused with the way out.

use crate::support::place::Place;
use std::io::Write;

/// What `export` writes for a file with these options.
fn exported(place: &Place, args: &str) -> String {
    place.ends(0, &format!("export {args} -o - --quiet")).text()
}

#[test]
fn comments_are_counted_and_short_rows_are_reported() {
    let text = "# pump\n# litres\nhour,p1,p2\n1,3.5,4.25\n# valve\n2,3.75\n3,4,5\n";
    let place = Place::new(&[("pump.csv", text)]);
    let ran = place.ends(0, "info pump.csv --json");
    let report = ran.json();
    assert_eq!(report["dialects"][0]["comments"], 3);
    let short = report["lints"].as_array().unwrap().iter().find(|l| l["name"] == "short-rows").unwrap();
    assert_eq!(short["count"], 1);
    assert!(short["text"].as_str().unwrap().contains("line 6"), "{short}");
    assert_eq!(exported(&place, "pump.csv"), "hour,p1,p2\n1,3.5,4.25\n2,3.75,NaN\n3,4,5\n");
    let none = place.ends(3, "export pump.csv --comment none -o -");
    assert!(none.err.contains("line"), "{}", none.err);
}

#[test]
fn headers_of_several_lines_are_nested_columns() {
    let place = Place::new(&[
        ("pandas.csv", "lr,0.1,0.1,0.2\nseed,1,2,1\nbatch,,,\n16,1.5,2,3\n32,4,5,6\n"),
        ("merged.csv", "p,Up,,Low,\n,d,w,d,w\nn,1,2,3,4\n"),
        ("r.txt", "\"a\" \"b\"\n\"x 1\" 1.5 2\n\"y\" 3 4\n"),
        ("bare.csv", "harbour,12.31,7.02,7.02\nmill,9.4,6.55,8.1\n"),
        ("open.csv", "10,20,30\n0.41,0.52,0.63\n0.71,0.18,0.95\n"),
    ]);
    let report = place.ends(0, "info pandas.csv --json").json();
    let panel = &report["panels"][0];
    assert_eq!((&panel["rows"], &panel["columns"], &panel["y"]), (&2.into(), &3.into(), &"batch".into()));
    assert!(exported(&place, "pandas.csv").contains("\"0.1, 2\""));
    assert!(
        exported(&place, "merged.csv --header 2")
            .starts_with("p,\"Up, d\",\"Up, w\",\"Low, d\",\"Low, w\"\n")
    );
    assert_eq!(exported(&place, "r.txt"), ",a,b\nx 1,1.5,2\ny,3,4\n");
    assert!(exported(&place, "bare.csv").contains("harbour,12.31,7.02,7.02"));
    let open = place.ends(0, "export open.csv -o -");
    assert!(open.err.contains("warning[header-like-data]"), "{}", open.err);
    place.ends(6, "export open.csv --strict -o -");
}

#[test]
fn several_columns_label_rows_and_others_are_left_out() {
    let place = Place::new(&[(
        "ice.csv",
        "Month,Day,Year,a,b\nJan,1,2020,7.5,1\nJan,2,2020,8.5,2\nFeb,1,2020,9.5,3\n",
    )]);
    assert_eq!(
        exported(&place, "ice.csv -y Month,Day -z !Year"),
        "\"Month, Day\",a,b\n\"Jan, 1\",7.5,1\n\"Jan, 2\",8.5,2\n\"Feb, 1\",9.5,3\n"
    );
    assert!(
        exported(&place, "ice.csv -y Month,Day -z a,b --y-order alpha")
            .contains("\"Feb, 1\",9.5,3\n\"Jan, 1\"")
    );
}

#[test]
fn columns_of_texts_serve_a_wide_table() {
    let text = "model,family,size,arc,mmlu\na,x,7,0.5,0.6\nb,y,13,0.7,0.65\nc,x,70,0.8,0.9\n";
    let place = Place::new(&[("scores.csv", text), ("twice.csv", "k,g,v\na,x,1\na,y,2\nb,x,3\n")]);
    let rows = "model,arc,mmlu\n\"x, a\",0.5,0.6\n\"x, c\",0.8,0.9\n\"y, b\",0.7,0.65\n";
    assert_eq!(exported(&place, "scores.csv -y model -z arc,mmlu --split family"), rows);
    let turned = exported(&place, "scores.csv -y model -z arc,mmlu --transpose --split-columns family");
    assert_eq!(turned.lines().next(), Some(",\"x, a\",\"x, c\",\"y, b\""));
    // A column that is shown beside the cells is none of them.
    assert_eq!(
        exported(&place, "scores.csv --strip family --strip size").lines().next(),
        Some("model,arc,mmlu")
    );
    let line = "render scores.csv -y model -z arc,mmlu --strip size --annot {column:family}:{value} -o a.svg --quiet";
    place.ends(0, line);
    let svg = String::from_utf8(place.read("a.svg")).unwrap();
    assert!(svg.contains("x:0.50") && svg.contains("y:0.65"));
    let along = place.ends(2, "check scores.csv --strip x:family");
    assert!(along.err.contains("hint: --strip y:family"), "{}", along.err);
    let two = place.ends(2, "check twice.csv -y k --agg mean --split g");
    assert!(two.err.contains("'a'") && two.err.contains("'x' and 'y'"), "{}", two.err);
}

#[test]
fn markup_and_matrices_of_biology_are_tables() {
    let markdown = "# Scores\n\n| `m` | **a** | b |\n|:--|--:|--:|\n| x\\|y | 1.5 | **2** |\n| z | 3 | 4 |\n";
    let latex = "\\begin{tabular}{lrr}\n\\toprule\nm & a & b \\\\\n\\midrule\nx & 1.5 & \\textbf{2} \\\\\n\\end{tabular}\n";
    let phylip = "   3\nWolf\nLynx 1.75\nOtter 0.25 1.5\n";
    let gct = "#1.3\n1\t2\t1\t1\nid\tsymbol\ts1\ts2\ncell\tna\tA\tB\np1\tG\t1.5\t2\n";
    let place = Place::new(&[("a.md", markdown), ("a.tex", latex), ("a.dist", phylip), ("a.gct", gct)]);
    assert_eq!(exported(&place, "a.md"), "m,a,b\nx|y,1.5,2\nz,3,4\n");
    assert_eq!(exported(&place, "a.tex"), "m,a,b\nx,1.5,2\n");
    assert_eq!(
        exported(&place, "a.dist"),
        ",Wolf,Lynx,Otter\nWolf,0,1.75,0.25\nLynx,1.75,0,1.5\nOtter,0.25,1.5,0\n"
    );
    assert_eq!(exported(&place, "a.gct"), "id,s1,s2\np1,1.5,2\n");
}

#[test]
fn json_is_read_in_the_shapes_that_tools_write() {
    let place = Place::new(&[
        (
            "results.json",
            r#"{"results": {"arc": {"alias": "a", "acc": 0.5}, "mmlu": {"alias": "m", "acc": 0.25}}, "n": {"arc": 1}}"#,
        ),
        (
            "bench.json",
            r#"{"context": {"cpus": 8}, "benchmarks": [{"name": "BM_a/8", "t": 1.5}, {"name": "BM_a/64", "t": 2.5}]}"#,
        ),
        ("two.json", r#"{"train": [{"a": 1, "b": 5}], "hosts": [{"a": 2, "name": 7}]}"#),
        ("lists.json", r#"{"epoch": [1, 2], "loss": [0.5, 0.25], "acc": [0.1, 0.2]}"#),
        ("sizes.json", r#"{"tiny": 1, "large": 30}"#),
        ("figure.json", r#"{"data": {"file": "m.csv"}, "color": {"cmap": "magma"}}"#),
        ("m.csv", "0,1\n2,3\n"),
        ("runs/a.json", r#"{"config": {"lr": 0.1}, "acc": 0.5, "losses": [1, 2]}"#),
        ("runs/b.json", r#"{"config": {"lr": 0.2}, "acc": 0.75, "host": "x"}"#),
        (
            "log.json",
            "start\n{\"jobs\": [{\"job\": \"a\", \"read\": {\"iops\": 5}}, {\"job\": \"b\", \"read\": {\"iops\": 7}}]}",
        ),
        (
            "plot.json",
            r#"{"data": [{"type": "heatmap", "z": [[1, 2], [3, 4]], "x": ["a", "b"], "y": [10, 20]}], "layout": {}}"#,
        ),
    ]);
    assert_eq!(
        exported(&place, "results.json --key results --table wide -y key -z acc"),
        "key,acc\narc,0.5\nmmlu,0.25\n"
    );
    assert_eq!(
        exported(&place, "bench.json -x extract(name,'/([0-9]+)$') -y extract(name,'_([a-z])') -z t")
            .lines()
            .last(),
        Some("a,1.5,2.5")
    );
    let two = place.ends(3, "export two.json -o -");
    assert!(two.err.contains("--key train; or --key hosts"), "{}", two.err);
    assert_eq!(exported(&place, "two.json --key train --table wide -y a"), "a,b\n1,5\n");
    assert_eq!(
        exported(&place, "lists.json --table wide -y epoch"),
        "epoch,loss,acc\n1,0.5,0.1\n2,0.25,0.2\n"
    );
    assert_eq!(exported(&place, "sizes.json"), "key,value\ntiny,1\nlarge,30\n");
    assert_eq!(exported(&place, "figure.json"), ",0,1\n0,0,1\n1,2,3\n");
    assert_eq!(exported(&place, "runs/*.json -x config.lr -y file -z acc").lines().count(), 3);
    assert_eq!(
        exported(&place, "log.json --skip-rows 1 --key jobs --table wide -y job -z read.iops"),
        "job,read.iops\na,5\nb,7\n"
    );
    assert_eq!(exported(&place, "plot.json"), ",a,b\n10,1,2\n20,3,4\n");
    let missing = place.ends(3, "export results.json --key result -o -");
    assert!(missing.err.contains("did you mean --key results?"), "{}", missing.err);
}

#[test]
fn compressed_tables_are_read_by_their_content() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"k,a,b\nx,1,2\n").unwrap();
    let place = Place::new(&[("plain.csv", encoder.finish().unwrap())]);
    assert_eq!(exported(&place, "plain.csv"), "k,a,b\nx,1,2\n");
    place.write("a.bz2", b"BZh91AY&SY");
    let ran = place.ends(3, "export a.bz2 -o -");
    assert!(ran.err.contains("bzip2 -dc FILE | gridscope"), "{}", ran.err);
}

#[test]
fn columns_are_correlated_and_unlike_ones_are_reported() {
    let rows: String = (0..20)
        .map(|i| format!("w{i},{},{},{}\n", i, 40 - 2 * i, if i % 2 == 0 { i * i } else { 3 }))
        .collect();
    let place = Place::new(&[("wine.csv", format!("name,acid,sugar,ash\n{rows}"))]);
    let square = exported(&place, "wine.csv --correlate pearson");
    assert!(square.starts_with(",acid,sugar,ash\nacid,1,-1,"), "{square}");
    assert_eq!(
        exported(&place, "wine.csv --correlate kendall -z acid,sugar"),
        ",acid,sugar\nacid,1,-1\nsugar,-1,1\n"
    );
    place.write("speed.csv", "k,recall,qps\na,0.5,4000\nb,0.75,9000\nc,0.8,7000\n");
    let ran = place.ends(0, "check speed.csv");
    assert!(ran.err.contains("warning[unlike-columns]") && ran.err.contains("qps"), "{}", ran.err);
    assert!(!place.ends(0, "check speed.csv --z-score column").err.contains("unlike-columns"));
    place.write("metrics.csv", "metric,v1,v2\ncommits,490,512\nfault,0.0006,0.0004\nrate,0.3,0.4\n");
    let ran = place.ends(0, "check metrics.csv");
    assert!(ran.err.contains("rows of unlike numbers: commits, fault"), "{}", ran.err);
    assert!(!place.ends(0, "check metrics.csv --z-score row").err.contains("unlike-columns"));
}

#[test]
fn tables_between_rules_are_read() {
    let grid = "Scores\n\n+-------+-----+------+\n| model | arc | mmlu |\n+=======+=====+======+\n| a     | 0.5 | 0.6  |\n+-------+-----+------+\n| b     | 0.7 | 0.65 |\n+-------+-----+------+\n";
    let places = "=====  ====  =====\nmodel  arc   mmlu\n=====  ====  =====\na      0.5   0.6\nb      0.7   0.65\n=====  ====  =====\n";
    let boxes = "┌───────┬─────┬──────┐\n│ model │ arc │ mmlu │\n├───────┼─────┼──────┤\n│ a     │ 0.5 │ 0.6  │\n│ b     │ 0.7 │ 0.65 │\n└───────┴─────┴──────┘\n";
    let rows = "\\begin{tabular}{llrr}\n family & model & arc & mmlu \\\\\n\\midrule\n\\multirow{2}{*}{x} & a & 0.5 & 0.6 \\\\\n & b & 0.7 & 0.65 \\\\\n\\end{tabular}\n";
    let blank = rows.replace("\\multirow{2}{*}{x}", "x");
    let files = [
        ("grid.rst", grid),
        ("places.rst", places),
        ("box.txt", boxes),
        ("t.tex", rows),
        ("blank.tex", &blank),
    ];
    let place = Place::new(&files);
    for file in ["grid.rst", "places.rst", "box.txt", "t.tex"] {
        assert_eq!(exported(&place, file), "model,arc,mmlu\na,0.5,0.6\nb,0.7,0.65\n", "{file}");
    }
    // A cell over several rows names all of them; blank cells that go on are counted.
    let place_of = |file: &str| place.ends(0, &format!("export {file} -y family,model -z arc,mmlu -o -"));
    let wanted = "\"family, model\",arc,mmlu\n\"x, a\",0.5,0.6\n\"x, b\",0.7,0.65\n";
    assert_eq!(place_of("t.tex").text(), wanted);
    let blank = place_of("blank.tex");
    assert!(blank.text() == wanted && blank.err.contains("warning[empty-key]"), "{}", blank.err);
}

#[test]
fn runs_of_settings_are_no_table_of_measures() {
    let mut text = "run,lr,batch,loss\n".to_owned();
    let mut plain = text.clone();
    for (run, (lr, batch)) in [0.1, 0.2, 0.4].iter().flat_map(|lr| [16, 32].map(|b| (lr, b))).enumerate() {
        text += &format!("run {run},{lr},{batch},{:.2}\n", 0.3 + 0.07 * run as f64);
        plain += &format!("run {run},{:.2},{},{:.2}\n", 0.1 + 0.11 * run as f64, 16 + run, 0.3);
    }
    let place = Place::new(&[("runs.csv", &text), ("plain.csv", &plain)]);
    let warned = place.ends(0, "export runs.csv -o -").err;
    assert!(warned.contains("cell: lr, batch in all combinations"), "{warned}");
    assert!(warned.contains("hint: --x batch --y lr --value loss"), "{warned}");
    // The settings of a run are its axes, whatever else was logged.
    let line = |step: u32, lr: f64, size: u32, host: &str| {
        let config = format!(r#"{{"lr":{lr},"size":{size},"seed":{step}}}"#);
        format!(
            r#"{{"step":{step},"config":{config},"acc":{},"host":"{host}"}}"#,
            lr * f64::from(size + step)
        )
    };
    let lines = [line(1, 0.1, 3, "a"), line(2, 0.1, 4, "b"), line(1, 0.2, 3, "a"), line(2, 0.2, 4, "b")];
    let logs = Place::new(&[("runs.jsonl", &lines.join("\n"))]);
    let settings = logs.ends(2, "render runs.jsonl -o a.png").err;
    assert!(settings.contains("hint: --x config.size --y config.lr --value acc"), "{settings}");
    assert!(!place.ends(0, "export plain.csv -o -").err.contains("in all combinations"));
    assert_eq!(
        exported(&place, "runs.csv --x batch --y lr --value loss"),
        "lr,16,32\n0.1,0.3,0.37\n0.2,0.44,0.51\n0.4,0.58,0.65\n"
    );
}

#[test]
fn blanks_before_quotes_and_in_names_are_no_delimiters() {
    let place = Place::new(&[
        ("quotes.csv", "k, \"x, y\", z\n\"a, b\", 1, 2\nc, 3, 4\n"),
        ("sizes.txt", "# size  avg lat (us)  min lat (us)\n1  10.5  9.25\n2  11.5  9.5\n4  12.5  9.75\n"),
        ("bare.csv", "1,a,5.5,6.5\n2,b,7.5,8.5\n"),
        ("days.csv", "date,a,b\n01/02/2024,1,2\n01/03/2024,3,4\n"),
    ]);
    assert!(exported(&place, "quotes.csv").starts_with("k,\"x, y\","));
    let sizes = "size,avg lat (us),min lat (us)\n1,10.5,9.25\n2,11.5,9.5\n4,12.5,9.75\n";
    assert_eq!(exported(&place, "sizes.txt"), sizes);
    // Columns without a header keep their places where others are left out.
    let read = place
        .ends(0, &["info", "bare.csv", "--header", "none", "-y", "column 2", "-z", "column 4"][..])
        .text();
    assert!(read.contains("): column 4"), "{read}");
    // The labels of a wide table are dates by the same option as columns.
    let first = |args: &str| {
        place.ends(0, &format!("info days.csv --y-type time {args} --json")).json()["panels"][0].clone()
    };
    assert_ne!(first("--month-first"), first("--day-first"));
}

#[test]
fn second_numbers_are_a_column_of_their_own() {
    let text = "net,task,acc\na,x,61.5 ± 0.4\na,y,70.25±1.1\nb,x,58 +/- 0.75\nb,y,71.5 ± 5e-1\n";
    let wide = "net,x,y\na,900 ± 5 us,1.5 ± 0.25 ms\nb,800 ± 4 us,2 ± 0.5 ms\n";
    let place = Place::new(&[("acc.csv", text), ("wide.csv", wide)]);
    let ran = place.ends(0, "export acc.csv -x task -y net -z acc -o -");
    assert_eq!(ran.text(), "net,x,y\na,61.5,70.25\nb,58,71.5\n");
    let said = place.ends(0, "info acc.csv -x task -y net -z acc").text();
    assert!(said.contains("'acc ±' names the second numbers"), "{said}");
    let second = ["export", "acc.csv", "-x", "task", "-y", "net", "-z", "acc ±", "-o", "-"];
    assert_eq!(place.ends(0, &second[..]).text(), "net,x,y\na,0.4,1.1\nb,0.75,0.5\n");
    let annotated = [
        "render",
        "acc.csv",
        "-x",
        "task",
        "-y",
        "net",
        "-z",
        "acc",
        "--annot",
        "{value}±{column:acc ±}",
        "-o",
        "a.svg",
    ];
    place.ends(0, &annotated[..]);
    let cells = std::fs::read_to_string(place.path("a.svg")).unwrap();
    assert!(cells.contains("61.50±0.4") && cells.contains("58.00±0.75"));
    let of_one = ["render", "wide.csv", "--annot", "{value}±{column:x ±}", "-o", "b.svg"];
    let said = place.ends(2, &of_one[..]).err;
    assert!(said.contains("has the second numbers of 'x' alone"), "{said}");
    // Columns of one dimension have the unit of the first.
    assert_eq!(exported(&place, "wide.csv"), "net,x,y\na,900,1500\nb,800,2000\n");
}

#[test]
fn what_json_holds_beside_a_table_is_named() {
    let place = Place::new(&[
        ("square.json", r#"{"labels": ["cat", "dog"], "matrix": [[5, 1], [2, 7]]}"#),
        (
            "sides.json",
            r#"{"lr": [0.1, 0.2, 0.4], "run": {"a": 1}, "z": [[1, 2, 3], [4, 5, 6]], "y": ["p", "q"]}"#,
        ),
        ("history.json", r#"{"loss": [0.9, 0.5, 0.3], "acc": [0.5, 0.7, 0.8], "val": [1, 2]}"#),
        (
            "report.json",
            r#"{"cat": {"p": 0.5, "r": 1}, "dog": {"p": 0.25, "r": 2}, "pig": {"p": 1, "r": 2}, "accuracy": 0.75}"#,
        ),
        (
            "two.json",
            r#"{"metrics": {"d": {"avg": 1, "max": 2}, "w": {"avg": 3, "max": 4}}, "checks": [{"n": "a", "ok": 1}, {"n": "b", "ok": 2}]}"#,
        ),
        ("runs.json", r#"{"main": {"ckpt": "a.pt", "loss": 1.5}, "k10": {"acc": 3.5, "hops": 2}}"#),
        (
            "tasks.json",
            r#"{"results": {"arc": {"acc": 0.5, "e": 1}, "hs": {"acc": 0.25, "e": 2}, "wiki": {"ppl": 22}}, "versions": {"arc": 0, "hs": 1}}"#,
        ),
        ("first.json", r#"[{"acc": 0.5, "f1": 0.25, "id": 7}, {"acc": 0.25, "f1": 0.5, "id": 3}]"#),
        (
            "tidy.json",
            r#"[{"lr": 0.2, "bs": 8, "loss": 1}, {"lr": 0.2, "bs": 16, "loss": 2}, {"lr": 0.1, "bs": 8, "loss": 3}, {"lr": 0.1, "bs": 16, "loss": 4}]"#,
        ),
        ("edges.json", r#"{"z": [[1, 2], [3, 4]], "x": [0, 1, 3], "y": ["a", "b"]}"#),
        ("short.json", r#"{"z": [[1, 2], [3, 4]], "x": [1], "y": ["a", "b"]}"#),
    ]);
    assert_eq!(exported(&place, "square.json"), ",cat,dog\ncat,5,1\ndog,2,7\n");
    assert_eq!(exported(&place, "sides.json"), ",0,1,2\np,1,2,3\nq,4,5,6\n");
    // A column of measurements is a value, and an id labels the rows.
    assert_eq!(exported(&place, "history.json"), ",loss,acc\n0,0.9,0.5\n1,0.5,0.7\n2,0.3,0.8\n");
    assert_eq!(exported(&place, "first.json"), "id,acc,f1\n7,0.5,0.25\n3,0.25,0.5\n");
    assert_eq!(exported(&place, "report.json"), "key,p,r\ncat,0.5,1\ndog,0.25,2\npig,1,2\n");
    assert_eq!(exported(&place, "edges.json"), ",0.5,2\na,1,2\nb,3,4\n");
    assert!(place.ends(3, "info short.json").err.contains("'x' has 1 label"));
    for (file, said) in [
        ("history.json", "lists of another length are left out: val"),
        ("report.json", "values beside the rows are left out: accuracy"),
        ("two.json", "'checks' of 2 tables is drawn, beside it are metrics; hint: --key metrics"),
        ("runs.json", "'k10' of 2 tables is drawn, beside it are main; hint: --key main"),
    ] {
        let err = place.ends(0, &format!("check {file}")).err;
        assert!(err.contains(said), "{err}");
    }
    let tidy = place.ends(2, "info tidy.json").err;
    assert!(tidy.contains("hint: --x bs --y lr --value loss"), "{tidy}");
    let tasks = place.ends(3, "info tasks.json").err;
    assert!(tasks.contains("--key results; or --key versions"), "{tasks}");
}

/// What the random tables of `python/tests/test_written.py` found, in their shortest form.
#[test]
fn headers_labels_and_delimiters_are_found_by_what_is_below_them() {
    for (what, text, wanted) in [
        (
            "R's form with numbers as names",
            "2,4,8\nx,1.5,NA,2\ny,NA,NA,3\n",
            ",2,4,8\nx,1.5,NaN,2\ny,NaN,NaN,3\n",
        ),
        (
            "the same over numbers",
            "2 4 8\n1 0.5 0.6 0.7\n3 0.8 0.9 0.1\n",
            ",2,4,8\n1,0.5,0.6,0.7\n3,0.8,0.9,0.1\n",
        ),
        (
            "a note of as many words as columns",
            "# made by hand\nkey 0.5 1\nx 1.25 2.25\ny 3.75 4.50\n",
            "key,0.5,1\nx,1.25,2.25\ny,3.75,4.5\n",
        ),
        (
            "a note above dates",
            "# made by hand\ndate 2 4\n09/21/2056 -79 68\n09/22/2056 98 79\n",
            "date,2,4\n2056-09-21,-79,68\n2056-09-22,98,79\n",
        ),
        (
            "names in a comment over a delimiter at the end",
            "# k\ta\tb\nx\t1\t2\t\ny\t3\t4\t\n",
            "k,a,b\nx,1,2\ny,3,4\n",
        ),
        ("a column that a comment names", "# k,a,b\nx,1,\ny,3,\n", "k,a,b\nx,1,NaN\ny,3,NaN\n"),
        (
            "decimal commas between blanks",
            "when iota\n2024-05-01 981,1082\n2024-05-02 -851,4873\n",
            "when,iota\n2024-05-01,981.1082\n2024-05-02,-851.4873\n",
        ),
        (
            "labels with decimal commas",
            "key|eps|theta\n8,25|625,2852|61,0722\n32,625|637,8693|348,2411\n42,5|-5,25|-3,50\n",
            "key,eps,theta\n\"8,25\",625.2852,61.0722\n\"32,625\",637.8693,348.2411\n\"42,5\",-5.25,-3.5\n",
        ),
        (
            "units of one dimension",
            "run,mean,error\na,1.5 ms,250 us\nb,2 s,1 ms\n",
            "run,mean,error\na,1.5,0.25\nb,2000,1\n",
        ),
        (
            "even steps without a header",
            "2,765.3,54.4\n4,-302.3,621.1\n8,950.7,132\n16,3,5\n",
            ",0,1\n2,765.3,54.4\n4,-302.3,621.1\n8,950.7,132\n16,3,5\n",
        ),
        (
            "days without a header",
            "20220117\t729.68\t-9\n20220118\t-227.68\t4\n",
            ",0,1\n20220117,729.68,-9\n20220118,-227.68,4\n",
        ),
        (
            "distances without a header",
            "0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n",
            ",0,1,2,3\n0,0,1,2,3\n1,1,0,1,2\n2,2,1,0,1\n3,3,2,1,0\n",
        ),
        ("an empty column amid", "x,1,,2\ny,3,,4\n", ",0,1,2\nx,1,NaN,2\ny,3,NaN,4\n"),
    ] {
        let place = Place::new(&[("t.csv", text)]);
        assert_eq!(exported(&place, "t.csv"), wanted, "{what}");
    }
    let place = Place::new(&[("t.csv", ";g0;;g1;\nkey;a;b;c;d\n4.0;-13.8;53.2;-73.5;\n6.6;;-9.1;-1.8;\n")]);
    assert!(exported(&place, "t.csv --header 2").contains("\n4.0,-13.8,53.2,-73.5"));
    let open = Place::new(&[("t.csv", "key;a;b\n91;603.536;459.021\n226;-57.017;523.979\n")]);
    let ran = open.ends(3, "info t.csv");
    assert!(ran.err.contains("which sign of '603.536'") && ran.err.contains("--decimal ."), "{}", ran.err);
    let grows = "1,765.3,54.4\n2,-302.3,621.1\n5,950.7,132\n10,3,5\n20,7,1\n50,4,6\n";
    let ran = Place::new(&[("t.csv", grows)]).ends(0, "info t.csv");
    assert!(ran.err.contains("warning[unlike-columns]") && ran.err.contains("--y 'column 1'"), "{}", ran.err);
}

/// The columns that a hint names for x, y and value are those that place the rows, and the measurement.
#[test]
fn hints_name_the_columns_that_place_the_rows() {
    let runs = "hw,profile,workers,mpps\na,p1,1,52.8\na,p1,2,59.3\na,p2,1,15.6\nb,p2,1,33.4\nb,p3,2,27.2\nb,p3,1,21.5\n\
                c,p4,2,12.5\nc,p5,1,22.5\nc,p4,1,32.5\nd,p6,2,42.5\nd,p5,2,41.5\nd,p6,1,40.5\n";
    let search = ",mean_fit_time,param_d,param_f,mean_test_score,std_test_score,rank_test_score,mean_train_score,std_train_score\n\
                  0,0.01,2,2,-507,30.1,4,-500,6.1\n1,0.03,2,4,-468,28.2,2,-460,5.2\n2,0.02,5,2,-420,25.2,3,-400,4.2\n\
                  3,0.04,5,4,-380,21.1,1,-350,3.3\n";
    let spread = "method,n,obj,obj_std,late\nA,10,210.2,40.7,0.1\nA,20,625.1,191.9,0.2\nB,10,205.2,36.5,0.3\nB,20,600.1,100.9,0.4\n";
    let ids = "task,sims,algorithm,C2ST,MMD,folder\nglm,few,NRE,0.88,0.20,09ce89a2-3a5b\nglm,many,SNRE,0.51,0.07,6d4b9630-51ae\n\
               sir,few,NRE,0.73,0.07,6b3342b4-10a4\nsir,many,SNRE,0.79,0.02,0d71ce91-5f5e\n";
    for (text, what, hint) in [
        (runs, "neither a wide table nor a matrix", "--x workers --y hw,profile --value mpps"),
        (search, "each row is a run", "--x param_f --y param_d --value mean_test_score"),
        (spread, "neither a wide table nor a matrix", "--x n --y method --value obj"),
        (ids, "each row is a run", "--value "),
    ] {
        let place = Place::new(&[("t.csv", text)]);
        let ran = place.ends(2, "info t.csv");
        assert!(ran.err.contains(what) && ran.err.contains(hint), "{}", ran.err);
    }
}

#[test]
fn tables_of_reports_and_logs_are_read() {
    let report = "              precision    recall   support\n\n         cat       0.98      1.00        52\n\
                  \x20        dog       1.00      0.98        48\n\n    accuracy                 0.99       100\n\
                  \x20  macro avg       0.99      0.99       100\n";
    let log = "LAMMPS (2021)\nunits lj\nPer MPI rank (min/avg/max) = 4.2 | 4.2 | 4.2 Mbytes\n   Step  Temp  Press\n\
               \x20 0  1.5  2.5\n  10  1.6  2.4\nLoop time of 0.1 on 1 procs\n   Step  Temp  Press\n  20  1.5  2.5\n  30  1.7  2.2\n";
    let ditto =
        "Tool | n | AUC\n---|---|---\nR | 10K | 66.7\n. | 1M | 70.3\nPython | 10K | 67.6\n. | 1M | 71.1\n";
    let two = "| ID | Idea |\n|---|---|\n| 1 | base |\n| 2 | more |\n\n| m | a | b |\n|---|---:|---:|\n| x | 5 | 0.2 |\n| y | 8 | 0.6 |\n";
    let tex = "\\begin{tabular}{lrr}\nModel & $\\eta$ & Diff \\\\\n\\hline\nA & $5 \\cdot 10^{-4}$ & \\bfseries \\color{teal} 0.6 \\\\\n\
               B & $10 \\times 10^{-4}$ & \\textcolor{red}{-4.4} \\\\\n\\end{tabular}\n";
    let place = Place::new(&[
        ("report.txt", report),
        ("log.lammps", log),
        ("ditto.md", ditto),
        ("two.md", two),
        ("t.tex", tex),
    ]);
    assert_eq!(
        exported(&place, "report.txt"),
        ",precision,recall,support\ncat,0.98,1,52\ndog,1,0.98,48\naccuracy,NaN,0.99,100\nmacro avg,0.99,0.99,100\n"
    );
    assert_eq!(exported(&place, "log.lammps"), "Step,Temp,Press\n0,1.5,2.5\n10,1.6,2.4\n");
    assert_eq!(exported(&place, "log.lammps --table-number 2"), "Step,Temp,Press\n20,1.5,2.5\n30,1.7,2.2\n");
    let said = place.ends(0, "info log.lammps").text();
    assert!(said.contains("lines 4 to 6 of 10 are read"), "{said}");
    let warned = place.ends(0, "info log.lammps").err;
    assert!(warned.contains("warning[tables-left-out]") && warned.contains("--table-number all"), "{warned}");
    assert_eq!(
        exported(&place, "ditto.md -x n -y Tool -z AUC"),
        "Tool,10K,1M\nR,66.7,70.3\nPython,67.6,71.1\n"
    );
    assert_eq!(exported(&place, "two.md"), "m,a,b\nx,5,0.2\ny,8,0.6\n");
    assert_eq!(exported(&place, "t.tex"), "Model,η,Diff\nA,0.0005,0.6\nB,0.001,-4.4\n");
}

#[test]
fn a_sign_does_not_part_thousands_in_one_column_and_decimals_in_another() {
    let place = Place::new(&[("dot.csv", "G,a,b\na,0.00508,\nb,591.207,1.069.546\nc,278.792,307.863\n")]);
    let ran = place.ends(3, "info dot.csv");
    assert!(
        ran.err.contains("'1.069.546' of the column 'b'") && ran.err.contains("'0.00508' in 'a'"),
        "{}",
        ran.err
    );
    let named = place.ends(3, "info dot.csv --thousands . --decimal ,");
    assert!(named.err.contains("column 'a'"), "{}", named.err);
}

#[test]
fn titles_settings_and_series_of_months_stand_above_tables() {
    let psl =
        "2019 2020\n2019 1 2 3 4 5 6 7 8 9 10 11 12\n2020 1.5 2 3 4 5 6 7 8 9 10 11 -9.9\n -9.9\n by hand\n";
    let place = Place::new(&[
        ("title.txt", "Idle latencies in ns\nnode 0 1 2\n0 89.5 142.5 99\n1 142.5 89 98\n2 143 88 97\n"),
        ("names.txt", "Latency of nodes [ns]\nnode a b c\nx 1.5 2 3\ny 4 5 6\nz 7 8 9\n"),
        (
            "plate.csv",
            "Block,96 wells,,\nDye,FAM,,\n,,,\nWell,Place,Sample,CT\n1,A1,s,21.5\n2,A2,s,22\n3,B1,t,23\n",
        ),
        ("psl.data", psl),
        ("unit.txt", "Test Time Rate\ncopy 5 ms 3.2\nscale 6 ms 3.4\ntriad 7 ms 3.9\n"),
        ("stars.csv", "k,a,b\nx,1.5,****\ny,***,2\n"),
        ("times.csv", "k,time,speed\nx,1.5,1.00×\ny,2.5,15.5×\n"),
    ]);
    assert_eq!(exported(&place, "title.txt"), "node,0,1,2\n0,89.5,142.5,99\n1,142.5,89,98\n2,143,88,97\n");
    assert_eq!(exported(&place, "names.txt"), "node,a,b,c\nx,1.5,2,3\ny,4,5,6\nz,7,8,9\n");
    assert!(place.ends(0, "render names.txt -o a.png").err.contains("lines 2 to 5 of 5 are read"));
    assert_eq!(exported(&place, "plate.csv -x Place -y Sample -z CT").lines().count(), 3);
    let months = exported(&place, "psl.data");
    assert!(months.starts_with("year,Jan,Feb,") && months.ends_with("2020,1.5,2,3,4,5,6,7,8,9,10,11,NaN\n"));
    // A unit in a field of its own makes no column of the names beside it.
    place.ends(3, "export unit.txt -o -");
    assert_eq!(exported(&place, "stars.csv"), "k,a,b\nx,1.5,NaN\ny,NaN,2\n");
    assert_eq!(exported(&place, "times.csv -z speed -y k"), "k,speed\nx,1\ny,15.5\n");
}

#[test]
fn all_tables_of_a_text_make_a_figure() {
    let report = "# Speed\n\n## A100\n| batch | seq | rate |\n|-|-|-|\n| 1 | 8 | 10 |\n| 1 | 16 | 12 |\n| 2 | 8 | 20 |\n| 2 | 16 | 22 |\n\n\
                  ## H100\n| batch | seq | rate |\n|-|-|-|\n| 1 | 8 | 30 |\n| 1 | 16 | 32 |\n| 2 | 8 | 40 |\n| 2 | 16 | 42 |\n";
    let log = "start\nIdle latencies in ns\nnode 0 1\n0 89.5 142.5\n1 142.5 89\n\nBandwidths in MB/s\nnode 0 1\n0 1756 556\n1 556 1759\n\nWhat it means\nk is\na text\nb more\n";
    let place = Place::new(&[("report.md", report), ("log.txt", log)]);
    let hint = "--table-number all --x seq --y batch --value rate";
    assert!(place.ends(2, "render report.md -o a.png").err.contains(hint));
    place.ends(0, &format!("export report.md {hint} -o a.csv"));
    let of = |name: &str| String::from_utf8(place.read(name)).unwrap();
    assert_eq!(of("a-A100.csv"), "batch,8,16\n1,10,12\n2,20,22\n");
    assert_eq!(of("a-H100.csv"), "batch,8,16\n1,30,32\n2,40,42\n");
    let nested = exported(&place, "report.md --table-number all -x seq -y table,batch -z rate");
    assert_eq!(nested.lines().last(), Some("\"H100, 2\",40,42"));
    assert_eq!(exported(&place, "log.txt --table-number 2"), "node,0,1\n0,1756,556\n1,556,1759\n");
    let one = place.ends(0, "render log.txt -o a.png");
    assert!(one.err.contains("hint: --table-number all"), "{}", one.err);
}

#[test]
fn comments_that_name_columns_part_tables() {
    let text =
        "# Tests of MPI\n# Size  Latency\n1 1.5\n2 1.75\n# Bandwidth\n# Size  MBps\n1 5.5\n2 10.5\n4 21\n";
    // The same names over each block are one table, as gnuplot writes it.
    let blocks = "# x y z\n0 0 1\n0 1 2\n\n# x y z\n1 0 3\n1 1 4\n";
    let place = Place::new(&[("osu.txt", text), ("blocks.dat", blocks)]);
    let first = place.ends(0, "export osu.txt -o -");
    assert_eq!(first.text(), "Size,Latency\n1,1.5\n2,1.75\n");
    assert!(first.err.contains("table 1 of 2 is drawn"), "{}", first.err);
    assert_eq!(exported(&place, "osu.txt --table-number 2"), "Size,MBps\n1,5.5\n2,10.5\n4,21\n");
    assert_eq!(exported(&place, "blocks.dat -x x -y y -z z"), "y,0,1\n0,1,3\n1,2,4\n");
}

#[test]
fn runs_at_uneven_times_are_asked_for_their_settings() {
    let mut log = "timestamp,backend,rows,seconds\n".to_owned();
    for (i, minute) in [0, 1, 3, 4, 8, 9, 15, 16].into_iter().enumerate() {
        let backend = if i % 2 == 0 { "cudf" } else { "polars" };
        log += &format!("2026-07-14T09:{minute:02}:03,{backend},{},{}.5\n", 10 * (1 + i / 2), i);
    }
    let even: String = (0..8).map(|i| format!("2026-07-14T{i:02}:00:00,{i}.5,{i}.25\n")).collect();
    let place = Place::new(&[("log.csv", log), ("even.csv", format!("time,a,b\n{even}"))]);
    let asked = place.ends(2, "render log.csv -o a.png").err;
    assert!(
        asked.contains("each row is a run") && asked.contains("--x rows --y backend --value seconds"),
        "{asked}"
    );
    place.ends(0, "render even.csv -o a.png");
}

#[test]
fn what_says_what_others_are_is_no_axis() {
    let mut runs = String::new();
    for (e, engine) in ["rs", "py"].into_iter().enumerate() {
        for (k, (work, size)) in [("p", "S"), ("p", "L"), ("q", "S"), ("q", "L")].into_iter().enumerate() {
            for again in 0..2 {
                let (sum, ns) = (101 + k, 10 * (1 + e + k) + again);
                runs += &format!(
                    "{{\"engine\":\"{engine}\",\"workload\":\"{work}\",\"size\":\"{size}\",\"result\":{sum},\"ns\":{ns}}}\n"
                );
            }
        }
    }
    let pairs = "[{\"name\":\"A\",\"dates\":[\"d1\",\"d2\"],\"values\":[1,2]},{\"name\":\"B\",\"dates\":[\"d1\",\"d2\"],\"values\":[3,4]}]";
    let groups = "{\"1000\":[{\"name\":\"A\",\"v\":1},{\"name\":\"B\",\"v\":2}],\"2000\":[{\"name\":\"A\",\"v\":3},{\"name\":\"B\",\"v\":4}]}";
    let models = "{\"a\":{\"cm\":[[1,2],[3,4]]},\"b\":{\"cm\":[[5,6],[7,8]]}}";
    let place = Place::new(&[
        ("runs.jsonl", runs.as_str()),
        ("pairs.json", pairs),
        ("groups.json", groups),
        ("models.json", models),
    ]);
    let asked = place.ends(2, "render runs.jsonl -o a.png").err;
    assert!(asked.contains("--value ns --panel engine") && !asked.contains("x result"), "{asked}");
    let asked = place.ends(2, "render pairs.json -o a.png").err;
    assert!(asked.contains("--x dates --y name --value values"), "{asked}");
    assert_eq!(exported(&place, "groups.json -x key -y name -z v"), "name,1000,2000\nA,1,3\nB,2,4\n");
    for key in ["*.cm", "a.cm,b.cm"] {
        let report = place.ends(0, &format!("info models.json --key {key} --json")).json();
        assert_eq!(report["panels"].as_array().unwrap().len(), 2, "{key}");
    }
    place.ends(3, "info models.json --key a.cm,c");
}

#[test]
fn blank_labels_of_a_wide_table_are_keys() {
    let place = Place::new(&[("blank.csv", "k,p,q\na,1,2\n,3,4\nb,5,6\n,7,8\n")]);
    let plain = place.ends(0, "export blank.csv -y k -o -");
    assert_eq!(plain.text(), "k,p,q\na,1,2\n,3,4\nb,5,6\n,7,8\n");
    assert!(plain.err.contains("warning[empty-key]: 2 rows have no label"), "{}", plain.err);
    assert_eq!(exported(&place, "blank.csv -y k --blank-key drop"), "k,p,q\na,1,2\nb,5,6\n");
    assert_eq!(
        exported(&place, "blank.csv --blank-key none -y k --agg mean"),
        "k,p,q\na,1,2\nnone,5,6\nb,5,6\n"
    );
    assert_eq!(exported(&place, "blank.csv -y k --agg mean"), "k,p,q\na,1,2\n(blank),5,6\nb,5,6\n");
}
