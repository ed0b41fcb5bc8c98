//! Results of common tools, by the commands of the book.

use crate::support::place::Place;

const HYPERFINE: &str = r#"{"results": [
 {"command": "quick 100", "mean": 0.5, "stddev": 0.1, "times": [0.5, 0.5], "exit_codes": [0, 0], "parameters": {"algo": "quick", "n": "100"}},
 {"command": "quick 1000", "mean": 1.5, "stddev": 0.1, "times": [1.5, 1.5], "exit_codes": [0, 0], "parameters": {"algo": "quick", "n": "1000"}},
 {"command": "heap 100", "mean": 0.75, "stddev": 0.1, "times": [0.75], "exit_codes": [0], "parameters": {"algo": "heap", "n": "100"}}]}"#;
const GOOGLE: &str = r#"{"context": {"host_name": "h", "num_cpus": 8, "caches": [{"type": "Data", "level": 1, "size": 32768}]}, "benchmarks": [
 {"name": "BM_sort/8", "run_type": "iteration", "iterations": 100, "real_time": 1.5, "cpu_time": 1.4, "time_unit": "ns"},
 {"name": "BM_sort/64", "run_type": "iteration", "iterations": 100, "real_time": 9.5, "cpu_time": 9.4, "time_unit": "ns"},
 {"name": "BM_find/64", "run_type": "iteration", "iterations": 100, "real_time": 2.5, "cpu_time": 2.4, "time_unit": "ns"}]}"#;
const PYTEST: &str = r#"{"machine_info": {"cpu": {"count": 8}}, "commit_info": {"id": "a"}, "benchmarks": [
 {"name": "t[quick-100]", "params": {"algo": "quick", "n": 100}, "stats": {"min": 0.5, "median": 0.5, "rounds": 5}, "extra_info": {}},
 {"name": "t[quick-1000]", "params": {"algo": "quick", "n": 1000}, "stats": {"min": 1, "median": 1.5, "rounds": 5}, "extra_info": {}},
 {"name": "t[heap-100]", "params": {"algo": "heap", "n": 100}, "stats": {"min": 1, "median": 0.75, "rounds": 5}, "extra_info": {}}], "version": "4.0"}"#;
const ASV: &str = r#"{"commit_hash": "abc", "params": {"arch": "x86_64"}, "result_columns": ["result", "params", "version"], "results": {
 "time_sort": [[1.5, 2.5, null, 4.5], [["'quick'", "'heap'"], ["100", "1000"]], "v1"], "time_one": [[0.5], [], "v1"], "time_lost": [null, [["1", "2"]], "v1"]}, "version": 2}"#;
const EVALUATION: &str = r#"{"results": {"arc_easy": {"alias": "arc_easy", "acc,none": 0.5, "acc_stderr,none": 0.01, "acc_norm,none": 0.55},
 "mmlu": {"alias": "mmlu", "acc,none": 0.25, "acc_stderr,none": 0.02}}, "versions": {"arc_easy": 1, "mmlu": 2}, "n-shot": {"arc_easy": 0, "mmlu": 5}, "config": {"model": "hf"}}"#;
const RAY: &str = "{\"loss\": 1, \"training_iteration\": 1, \"config\": {\"lr\": 0.1, \"layers\": [8, 8]}, \"done\": false}\n\
{\"loss\": 0.5, \"training_iteration\": 2, \"config\": {\"lr\": 0.1, \"layers\": [8, 8]}, \"done\": true}\n";
const OPTUNA: &str = "number,value,datetime_start,duration,params_depth,params_lr,state\n\
0,0.5,2026-01-01 00:00:00.5,0 days 00:00:59.5,2,0.1,COMPLETE\n1,0.75,2026-01-01 00:01:00,0 days 00:00:59,4,0.01,COMPLETE\n";
const RUNS: &str = "\"Name\",\"State\",\"Notes\",\"Created\",\"Runtime\",\"batch\",\"lr\",\"acc\"\n\
\"run-1\",\"finished\",\"-\",\"2026-01-01T00:00:00.000Z\",\"60\",\"16\",\"0.1\",\"0.5\"\n\
\"run-2\",\"finished\",\"-\",\"2026-01-01T00:01:00.000Z\",\"61\",\"32\",\"0.1\",\"0.75\"\n";
const CHART: &str = "\"Step\",\"a - loss\",\"a - loss__MIN\",\"a - loss__MAX\",\"b - loss\",\"b - loss__MIN\",\"b - loss__MAX\"\n\
\"0\",\"1\",\"1\",\"1\",\"2\",\"2\",\"2\"\n\"1\",\"0.5\",\"0.5\",\"0.5\",\"1\",\"1\",\"1\"\n";

#[test]
fn the_commands_of_the_book_draw_what_tools_write() {
    let files = [
        ("hyperfine.json", HYPERFINE, "parameters.algo,100,1000\nquick,0.5,1.5\nheap,0.75,\n"),
        ("gbench.json", GOOGLE, "\"extract(name, 'BM_([a-z]+)')\",8,64\nsort,1.5,9.5\nfind,,2.5\n"),
        ("pytest.json", PYTEST, "params.algo,100,1000\nquick,0.5,1.5\nheap,0.75,\n"),
        ("asv.json", ASV, "param 1,100,1000\nquick,1.5,2.5\nheap,NaN,4.5\n"),
        (
            "results.json",
            EVALUATION,
            "key,\"acc,none\",\"acc_norm,none\"\narc_easy,0.5,0.55\nmmlu,0.25,NaN\n",
        ),
        ("result.json", RAY, "config.lr,1,2\n0.1,1,0.5\n"),
        ("optuna.csv", OPTUNA, "params_depth,0.01,0.1\n2,,0.5\n4,0.75,\n"),
        ("mlflow.csv", RUNS, "batch,0.1\n16,0.5\n32,0.75\n"),
        ("wandb.csv", RUNS, "batch,0.1\n16,0.5\n32,0.75\n"),
        ("history.csv", CHART, "Step,a - loss,b - loss\n0,1,2\n1,0.5,1\n"),
    ];
    let place = Place::new(&files.map(|(name, text, _)| (name, text)));
    let book = include_str!("../../docs/src/tools.md");
    for (name, _, wanted) in files {
        let start = format!("`gridscope render {name} ");
        let line = book.lines().find_map(|l| Some(l.split_once(&start)?.1.split_once(" -o a.png`")?.0));
        let options = line.unwrap_or_else(|| panic!("the book has no command for {name}"));
        let mut args = vec!["export", name];
        // As a shell cuts them: at blanks outside quotes.
        args.extend(options.split('"').enumerate().flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect::<Vec<_>>(),
            _ => vec![part],
        }));
        args.extend(["-o", "-", "--quiet"]);
        let ran = place.run(&args);
        assert_eq!((ran.code, ran.text().as_str()), (Some(0), wanted), "{name} {options}: {}", ran.err);
    }
    // A benchmark that failed has its rows.
    let args =
        ["export", "asv.json", "-x", "param 1", "-y", "benchmark", "--agg", "count", "-o", "-", "--quiet"];
    assert_eq!(
        place.run(&args).text(),
        "benchmark,quick,heap,1,2,(blank)\ntime_sort,2,2,0,0,0\ntime_one,0,0,0,0,1\ntime_lost,0,0,1,1,0\n"
    );
}
