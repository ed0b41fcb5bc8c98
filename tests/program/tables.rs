//! Tables as people have them: every option that a message proposes draws the table, wide tables by names and patterns,
//! files by patterns.

use crate::support::corpus;
use crate::support::place::Place;
use crate::support::program::bare;
use std::path::Path;

/// A leaderboard as it is exported: an index without a name, texts, percentages.
const LEADERBOARD: &str = ",rank,model,organisation,licence,acc_mmlu,acc_gsm8k,n\n\
    0,1,Qwen2.5-7B,Qwen,Apache 2.0,75.0%,69.9%,12\n\
    1,2,Llama-3.1-8B,Meta,Llama,54.8%,91.4%,7\n\
    2,3,Mistral-7B,Mistral,Apache 2.0,40.9%,40.2%,9\n";

/// Runs with repeated settings, a name each and times.
fn runs() -> String {
    let row = |i: usize| {
        let (lr, batch) = ([0.1, 0.01][i % 2], [16, 32, 64][i / 2 % 3]);
        format!("run-{i},finished,{lr},{batch},{},0.{}\n", i / 6, 100 + 7 * i)
    };
    let rows: String = (0..12).map(row).collect();
    format!("Name,State,lr,batch size,seed,val/acc\n{rows}")
}

fn tables() -> Vec<(&'static str, String)> {
    let repeated = |header: &str, rows: &[&str]| format!("{header}\n{}", rows.join("\n"));
    let sweep: String =
        (0..36).map(|i| format!("{},{},{},{}\n", ["AIME", "AMC"][i % 2], i / 2 % 3, i / 6, i * 3)).collect();
    let classes: String =
        (0..40).map(|i| format!("{},{}\n", ["cat", "dog", "owl"][i % 3], ["cat", "owl"][i % 2])).collect();
    let many: String = (0..9000).map(|i| format!("{},{},{}\n", i % 3000, i * 7 % 3001, i)).collect();
    vec![
        ("leaderboard.csv", LEADERBOARD.to_owned()),
        ("runs.csv", runs()),
        ("sweep.csv", format!("data set,window,ratio,pass@1\n{sweep}")),
        ("classes.csv", format!("true,pred\n{classes}")),
        ("many.csv", format!("a,b,v\n{many}")),
        ("twice.csv", repeated("x,x,y,v,v", &["1,1,a,5,1", "2,1,a,6,2", "1,2,b,7,3", "2,2,b,8,5", ""])),
        (
            "odd.csv",
            repeated("-x,\"a,b\",\"it's $HOME\",v\\", &["1,k,1,2", "2,k,1,3", "1,m,2,4", "2,m,2,7", ""]),
        ),
        ("percent.csv", repeated("x,y,v", &["1,a,95%", "2,a,93%", "1,b,91%", "2,b,85.5%", ""])),
        ("ragged.csv", "a,b\n1,2\n1,2,3\n".to_owned()),
        ("mixed.csv", repeated("name,a,b", &["k,95%,1", "l,0.95,2", "m,0.5,3", ""])),
        ("texts.csv", "name,note\na,b\nc,d\n".to_owned()),
        ("excel.csv", "Land;Anteil;Wert\nA;18,6 %;1.234,5\nB;7,25 %;2,5\n".to_owned()),
    ]
}

/// The options that messages propose, those of columns.
fn proposed(messages: &str) -> Vec<String> {
    let hints = messages.lines().filter_map(|l| l.split_once("hint: "));
    let columns = ["--x", "--y", "--value", "--table"];
    hints
        .map(|h| h.1.to_owned())
        .filter(|h| columns.iter().any(|flag| h.starts_with(flag)) && !h.contains(" COL"))
        .collect()
}

/// The program's output for a command line, as a shell reads it, and its exit code.
fn said(folder: &Path, line: &str) -> (i32, String) {
    let program = bare().get_program().to_owned();
    let script = format!("\"$0\" {line}");
    let mut shell = std::process::Command::new("sh");
    let ran = shell
        .args([std::ffi::OsStr::new("-c"), script.as_ref(), &program])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code().unwrap_or(-1), text)
}

/// Draws a table, and again with each option that is proposed; how many were.
fn follow(folder: &Path, file: &str, options: &str) -> usize {
    let first = format!("render {file} {options} -o out.png");
    let hints = proposed(&said(folder, &first).1);
    for hint in &hints {
        // A lone value is one more option; others are all that are needed.
        let before = if hint.starts_with("--value") { options } else { "" };
        let (code, text) = said(folder, &format!("render {file} {before} {hint} -o out.png"));
        assert_eq!(code, 0, "{file} {options}: {hint}: {text}");
    }
    hints.len()
}

#[cfg(unix)]
#[test]
fn every_option_that_is_proposed_draws_the_table() {
    let tables = tables();
    let place = Place::new(&tables);
    let found = tables.iter().map(|(name, _)| follow(place.folder(), name, "")).sum::<usize>();
    assert!(found >= 5, "{found} options were proposed");
    assert_eq!(follow(place.folder(), "runs.csv", "-x lr -y 'batch size'"), 1);
    // Labels and columns by names need no proposal.
    assert_eq!(said(place.folder(), "check leaderboard.csv -y model -z 'acc*'").0, 0);
    assert_eq!(follow(place.folder(), "leaderboard.csv", "-y model -z 'acc*'"), 0);
    assert_eq!(follow(place.folder(), "leaderboard.csv", "-z 'acc*'"), 1);
    let files = corpus::optional().map_or_else(Vec::new, |folder| corpus::files(&folder));
    for file in files {
        let table = |end: &&str| file.extension().is_some_and(|e| e == *end);
        if ["csv", "tsv", "jsonl", "parquet", "arrow"].iter().any(table) {
            let quoted = format!("'{}'", file.display());
            follow(place.folder(), &quoted, "");
        }
    }
}

#[test]
fn a_wide_table_is_read_by_names_and_patterns() {
    let place = Place::new(&[("t.csv", LEADERBOARD)]);
    let export = |options: &[&str]| {
        let fixed = ["export", "t.csv", "-o", "g.csv"];
        let args: Vec<&str> = fixed.into_iter().chain(options.iter().copied()).collect();
        let ran = place.run(&args);
        (ran.code, ran.err, String::from_utf8(place.read("g.csv")).unwrap_or_default())
    };
    let (code, err, text) = export(&[]);
    assert_eq!((code, text.lines().next()), (Some(0), Some("model,acc_mmlu,acc_gsm8k,n")), "{err}");
    assert!(
        err.contains("4 columns are left out: column 1 (row numbers), rank (row numbers), organisation (text), licence (text)"),
        "{err}"
    );
    let (_, err, text) = export(&["--table", "wide", "-y", "model", "--value", "acc*"]);
    assert_eq!(
        text,
        "model,acc_mmlu,acc_gsm8k\nQwen2.5-7B,75,69.9\nLlama-3.1-8B,54.8,91.4\nMistral-7B,40.9,40.2\n"
    );
    assert!(!err.contains("left-out"), "{err}");
    let (_, _, text) =
        export(&["--table", "wide", "-y", "org*", "-z", "n,acc_mm*", "--where", "licence = Llama"]);
    assert_eq!(text, "organisation,n,acc_mmlu\nMeta,7,54.8\n");
    let (_, _, text) = export(&["--table", "wide", "-y", "model", "-z", "n", "--transpose"]);
    assert_eq!(text.lines().nth(1), Some("n,12,7,9"));
    for (options, wanted) in [
        (["--table", "wide", "-z", "zz*"], "no column matches 'zz*'"),
        (["--table", "wide", "-x", "model"], "--x and --panel are not for --table wide"),
        (["--table", "wide", "-z", "licence"], "column 'licence': 'Apache 2.0' is not a number"),
    ] {
        let (code, err, _) = export(&options);
        assert!(code != Some(0) && err.contains(wanted), "{options:?}: {err}");
    }
}

#[test]
fn quoted_patterns_are_files() {
    let place = Place::new(&[
        ("runs/b.csv", "x,y,v\n1,b,5\n"),
        ("runs/a.csv", "x,y,v\n1,a,6\n"),
        ("runs/c.txt", "no table"),
        ("figure.toml", "[data]\nfile = \"runs/*.csv\"\nx = \"x\"\ny = \"file\"\nvalue = \"v\"\n"),
    ]);
    let export = |args: &[&str]| {
        let ran = place.run(args);
        (ran.code, ran.err, String::from_utf8(ran.out).unwrap())
    };
    let (_, err, text) = export(&["export", "runs/*.csv", "-x", "x", "-y", "file", "-z", "v", "-o", "-"]);
    assert_eq!(text, "file,1\na,6\nb,5\n", "{err}");
    let (_, err, text) = export(&["export", "figure.toml", "-o", "-"]);
    assert_eq!(text, "file,1\na,6\nb,5\n", "{err}");
    let (code, err, _) = export(&["export", "runs/*.tsv", "-o", "-"]);
    assert!(code == Some(2) && err.starts_with("error: runs/*.tsv: no file matches"), "{err}");
}

#[test]
fn a_matrix_whose_first_column_holds_labels_is_called_wide() {
    let p = Place::new(&[("m.csv", ",a,b\na,1,0.5\nb,0.5,1\n")]);
    let err = p.ends(3, "render m.csv --table matrix -o o.png").err;
    assert!(err.contains("hint: --table wide"), "{err}");
    p.ends(0, "render m.csv --table wide -o o.png");
}

#[test]
fn a_folder_is_one_table_with_the_keys_of_its_folders() {
    let place = Place::empty();
    for (lr, seed, loss) in [("0.1", 1, 0.5), ("0.1", 2, 0.75), ("0.01", 1, 0.25), ("0.01", 2, 0.125)] {
        let folder = format!("sweep/lr={lr}/seed={seed}");
        std::fs::create_dir_all(place.path(&folder)).unwrap();
        place.write(format!("{folder}/part.csv"), format!("step,loss\n1,{loss}\n2,{}\n", 2.0 * loss));
        // Trials of Ray have names that only begin alike.
        let trial = format!("ray/train_{seed}_{lr}_lr={lr},seed={seed}");
        std::fs::create_dir_all(place.path(&trial)).unwrap();
        let line = format!("{{\"loss\": {loss}, \"config\": {{\"lr\": {lr}, \"seed\": {seed}}}}}\n");
        place.write(format!("{trial}/result.json"), line);
        let run = format!("multirun/{lr}-{seed}");
        std::fs::create_dir_all(place.path(format!("{run}/.hydra"))).unwrap();
        place.write(format!("{run}/.hydra/overrides.yaml"), format!("- opt.lr={lr}\n- seed={seed}\n"));
        place.write(format!("{run}/log.csv"), format!("loss\n{loss}\n"));
    }
    std::fs::write(place.path("sweep/_SUCCESS"), "").unwrap();
    let exported = |args: &str| place.ends(0, &format!("export {args} -o - --quiet")).text();
    let wanted = "seed,0.01,0.1\n1,0.25,0.5\n2,0.125,0.75\n";
    assert_eq!(exported("sweep --x lr --y seed --value loss --agg min"), wanted);
    assert_eq!(exported("sweep/**/*.csv --x lr --y seed --value loss --agg min"), wanted);
    let of_ray = exported("ray --x config.lr --y config.seed --value loss");
    assert_eq!(of_ray, wanted.replace("seed", "config.seed"));
    assert_eq!(exported("multirun --x opt.lr --y seed --value loss"), wanted);
    // Criterion's files have one name, and are told apart by their paths.
    for (function, size, mean) in [("quick", 100, 1.5), ("quick", 1000, 20.0), ("heap", 100, 2.5)] {
        let folder = format!("criterion/sort/{function}/{size}/new");
        std::fs::create_dir_all(place.path(&folder)).unwrap();
        place.write(
            format!("{folder}/estimates.json"),
            format!("{{\"mean\": {{\"point_estimate\": {mean}}}}}"),
        );
    }
    let keys = ["extract(file, '/([0-9]+)/new')", "extract(file, '([a-z]+)/[0-9]+/new')"];
    let mut args = vec!["export", "criterion/*/*/*/new/estimates.json", "-x", keys[0], "-y", keys[1]];
    args.extend(["-z", "mean.point_estimate", "-o", "-", "--quiet"]);
    let means = place.run(&args[..]).text();
    assert!(means.ends_with("\nheap,2.5,\nquick,1.5,20\n"), "{means}");
    // Files that meet no condition are not opened.
    place.write("sweep/lr=0.1/seed=2/part.csv", "damaged,\"");
    let few = exported("sweep --x step --y lr --value loss --agg mean --where seed=1");
    assert_eq!(few, "lr,1,2\n0.01,0.25,0.5\n0.1,0.5,1\n");
    let drift = place.ends(3, "render sweep --x lr --y seed --value loss -o a.png").err;
    assert!(drift.contains("sweep/lr=0.1/seed=2/part.csv"), "{drift}");
    place.write("sweep/other.json", "[]");
    let both = place.ends(2, "render sweep --x lr --y seed --value loss -o a.png").err;
    assert!(both.contains("several formats: 4 .csv, 1 .json") && both.contains("sweep/**/*.csv"), "{both}");
}
