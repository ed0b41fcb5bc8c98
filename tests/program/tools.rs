//! Results of common tools and forms of tables, by the commands of the book.

use crate::support::place::Place;

const HYPERFINE: &str = r#"{"results": [
 {"command": "quick 100", "mean": 0.5, "stddev": 0.1, "times": [0.5, 0.5], "exit_codes": [0, 0], "parameters": {"algo": "quick", "n": "100"}},
 {"command": "quick 1000", "mean": 1.5, "stddev": 0.1, "times": [1.5, 1.5], "exit_codes": [0, 0], "parameters": {"algo": "quick", "n": "1000"}},
 {"command": "heap 100", "mean": 0.75, "stddev": 0.1, "times": [0.75], "exit_codes": [0], "parameters": {"algo": "heap", "n": "100"}}]}"#;
const GOOGLE: &str = r#"{"context": {"host_name": "h", "num_cpus": 8, "caches": [{"type": "Data", "level": 1, "size": 32768}]}, "benchmarks": [
 {"name": "BM_sort/8", "run_type": "iteration", "iterations": 100, "real_time": 1.5, "cpu_time": 1.4, "time_unit": "ns"},
 {"name": "BM_sort/64", "run_type": "iteration", "iterations": 100, "real_time": 9.5, "cpu_time": 9.4, "time_unit": "ns"},
 {"name": "BM_find/64", "run_type": "iteration", "iterations": 100, "real_time": 2.5, "cpu_time": 2.4, "time_unit": "ns"},
 {"name": "BM_find/64_cv", "run_type": "aggregate", "aggregate_name": "cv", "iterations": 3, "real_time": 0.01, "cpu_time": 0.01, "time_unit": "ns"}]}"#;
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
        ("gbench.json", GOOGLE, "\"extract(name, 'BM_([A-Za-z]+)')\",8,64\nsort,1.5,9.5\nfind,,2.5\n"),
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
    hold(include_str!("../../docs/src/tools.md"), &files);
    let place = Place::new(&[("asv.json", ASV)]);
    // A benchmark that failed has its rows.
    let args =
        ["export", "asv.json", "-x", "param 1", "-y", "benchmark", "--agg", "count", "-o", "-", "--quiet"];
    assert_eq!(
        place.run(&args).text(),
        "benchmark,quick,heap,1,2,(blank)\ntime_sort,2,2,0,0,0\ntime_one,0,0,0,0,1\ntime_lost,0,0,1,1,0\n"
    );
}

/// The options that a chapter of the book gives for a file, as a shell cuts them: at blanks outside quotes.
fn options<'b>(book: &'b str, name: &str) -> Vec<&'b str> {
    let start = format!("`gridscope render {name} ");
    let after = book.lines().find_map(|line| Some(line.split_once(&start)?.1.split_once("-o a.png`")?.0));
    let options = after.unwrap_or_else(|| panic!("the book has no command for {name}"));
    let words = |(i, part): (usize, &'b str)| match i % 2 {
        0 => part.split_whitespace().collect::<Vec<_>>(),
        _ => vec![part],
    };
    options.split('"').enumerate().flat_map(words).collect()
}

/// Exports each file by the command of a chapter, and compares with what it must give.
fn hold(book: &str, files: &[(&str, &str, &str)]) {
    let place = Place::new(&files.iter().map(|(name, text, _)| (*name, *text)).collect::<Vec<_>>());
    for (name, _, wanted) in files {
        let options = options(book, name);
        let mut args = vec!["export", name];
        args.extend(&options);
        args.extend(["-o", "-", "--quiet"]);
        let ran = place.run(&args[..]);
        assert_eq!((ran.code, ran.text().as_str()), (Some(0), *wanted), "{name} {options:?}: {}", ran.err);
    }
}

#[test]
fn the_commands_of_the_book_draw_each_form_of_table() {
    let rows = "m,p,q\nu,1,2\nv,3,4\n";
    let files = [
        (
            "aligned.txt",
            "Function  MB/s (max)  Min\nCopy add  263042.5  0.25\nMul all   262972    0.5\n",
            "Function,MB/s (max),Min\nCopy add,263042.5,0.25\nMul all,262972,0.5\n",
        ),
        (
            "report.txt",
            "           f1-score   support\n\n     cat       0.98        52\n\naccuracy       0.99       100\n\
             macro avg      0.97       100\n",
            ",f1-score\ncat,0.98\naccuracy,0.99\nmacro avg,0.97\n",
        ),
        (
            "log.lammps",
            "units lj of it\n Step Temp\n 0 1.5\n 10 1.6\nLoop time of 0.1\n Step Temp\n 20 1.7\n 30 1.8\nend\n",
            "Step,Temp\n20,1.7\n30,1.8\n",
        ),
        (
            "height.asc",
            "ncols 2\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -9999\n1 2\n-9999 4\n",
            "y,12.5,17.5\n27.5,1,2\n22.5,NaN,4\n",
        ),
        (
            "jmh.txt",
            "# JMH version: 1.36\nResult: 0.95\n\nBenchmark  (size)  Mode  Cnt  Score   Error  Units\nSort.sum  100  avgt  5  0.950 ± 0.060  us/op\n\
             Sort.sum  1000  avgt  5  1.5 ± 0.25  us/op\nSort.max  100  avgt     ≈ 10⁻²          us/op\nSort.max  1000  avgt  5  NaN ± NaN  us/op\n",
            "Benchmark,100,1000\nSort.sum,0.95,1.5\nSort.max,0.01,NaN\n",
        ),
        (
            "net.txt",
            "# Latency\n# size  us\n1  1.5\n2  1.75\n\n# Bandwidth\n# size  MB/s\n1  10.5\n2  20.5\n",
            "size,MB/s\n1,10.5\n2,20.5\n",
        ),
        ("triangle.txt", "0\n0.25 0\n0.5 0.75 0\n", ",0,1,2\n0,0,0.25,0.5\n1,0.25,0,0.75\n2,0.5,0.75,0\n"),
        ("plain.txt", "  1.5   2.5\n 10.25  3\n", ",0,1\n0,1.5,2.5\n1,10.25,3\n"),
        (
            "header.dat",
            "# step  loss  acc\n1  0.5  0.25\n2  0.4  0.5\n",
            "step,loss,acc\n1,0.5,0.25\n2,0.4,0.5\n",
        ),
        ("r.txt", "\"a\" \"b\"\n\"x 1\" 1.5 2\n\"y\" 3 4\n", ",a,b\nx 1,1.5,2\ny,3,4\n"),
        ("blocks.dat", "0 0 1.5\n0 1 2\n\n1 0 3\n1 1 4\n", "column 2,0,1\n0,1.5,3\n1,2,4\n"),
        (
            "dist.phy",
            "3\nape\nbee one 0.5\ncat 0.25 0.75\n",
            ",ape,bee one,cat\nape,0,0.5,0.25\nbee one,0.5,0,0.75\ncat,0.25,0.75,0\n",
        ),
        (
            "expression.gct",
            "#1.2\n2\t2\nName\tDescription\ts1\ts2\ng1\tx\t1\t2\ng2\ty\t3\t4\n",
            "Name,s1,s2\ng1,1,2\ng2,3,4\n",
        ),
        (
            "otu.txt",
            "# Constructed from biom file\n#OTU ID\ts1\ts2\ttaxonomy\no1\t1\t2\tk__A; p__B\no2\t3\t4\tk__A\n",
            "OTU ID,s1,s2\no1,1,2\no2,3,4\n",
        ),
        (
            "levels.csv",
            "lr,0.1,0.1,0.2\nseed,1,2,1\nbatch,,,\n16,1.5,2,3\n32,4,5,6\n",
            "batch,\"0.1, 1\",\"0.1, 2\",\"0.2, 1\"\n16,1.5,2,3\n32,4,5,6\n",
        ),
        (
            "groups.csv",
            "model,code,,math,\n,a,b,c,d\nx,1,2,3,4\ny,5,6,7,8\n",
            "model,\"code, a\",\"code, b\",\"math, c\",\"math, d\"\nx,1,2,3,4\ny,5,6,7,8\n",
        ),
        ("bare.csv", "x,1.5,2\ny,3,4\n", ",0,1\nx,1.5,2\ny,3,4\n"),
        ("units.csv", "t,p,q\ns,bar,bar\n1,2,3\n2,4,5\n", "t,p,q\n1,2,3\n2,4,5\n"),
        (
            "ice.csv",
            "Month,Day,Year,a,b\nJan,1,2020,7.5,1\nJan,2,2020,8.5,2\nFeb,1,2020,9.5,3\n",
            "\"Month, Day\",a,b\n\"Jan, 1\",7.5,1\n\"Jan, 2\",8.5,2\n\"Feb, 1\",9.5,3\n",
        ),
        (
            "times.csv",
            "bench,small,large\nsort,18.5 ns,120 ns\nfind,5 ns,1.2 us\n",
            "bench,small,large\nsort,18.5,120\nfind,5,1200\n",
        ),
        ("acc.csv", "net,x,y\na,0.5 ± 0.1,0.25 ± 0.2\nb,1 ± 0.1,2 ± 0.2\n", "net,x,y\na,0.5,0.25\nb,1,2\n"),
        (
            "laps.csv",
            "run,lap,time\na,1,0:01:30\na,2,0:02:00\nb,1,1:00:05\nb,2,0:00:59.5\n",
            "run,1,2\na,90,120\nb,3605,59.5\n",
        ),
        (
            "days.csv",
            "day,host,load\n01/02/2026,a,1\n02/02/2026,a,2\n01/02/2026,b,3\n02/02/2026,b,4\n",
            "host,2026-02-01,2026-02-02\na,1,2\nb,3,4\n",
        ),
        (
            "months.csv",
            "month,city,rain\n202512,a,1\n202601,a,2\n202512,b,3\n202601,b,4\n",
            "city,2025-12,2026-01\na,1,2\nb,3,4\n",
        ),
        (
            "depth.csv",
            "max_depth,lr,acc\n2,0.1,1\n,0.1,2\n2,0.2,3\n,0.2,4\n",
            "lr,2,(blank)\n0.1,1,2\n0.2,3,4\n",
        ),
        (
            "log.csv",
            "level,service\nwarn,api\nerror,api\nwarn,web\n",
            "service,warn,error\napi,1,1\nweb,1,0\n",
        ),
        ("cor.csv", "name,a,b\nx,1,2\ny,2,4\nz,3,6\n", ",a,b\na,1,1\nb,1,1\n"),
        (
            "two.md",
            "| a | b |\n|---|---|\n| x | 1 |\n\n| m | p | q |\n|---|---|---|\n| u | 1 | 2 |\n| v | 3 | 4 |\n",
            rows,
        ),
        (
            "grid.rst",
            "+---+---+---+\n| m | p | q |\n+===+===+===+\n| u | 1 | 2 |\n+---+---+---+\n| v | 3 | 4 |\n+---+---+---+\n",
            rows,
        ),
        (
            "t.tex",
            "\\begin{tabular}{lrr}\nm & p & q \\\\\n\\hline\nu & \\textbf{1} & 2 \\\\\nv & 3 & 4 \\\\\n\\end{tabular}\n",
            rows,
        ),
        (
            "report.md",
            "| Method | N | Mean | Allocated |\n|------- |--- |----:|------:|\n| Sort | 10 | 900.5 ns | 72 B |\n| Sort | 100 | 1.5 μs | 1 KB |\n| Find | 10 | 100 ns | - |\n| Find | 100 | 200 ns | - |\n",
            "Method,10,100\nSort,900.5,1500\nFind,100,200\n",
        ),
        (
            "iozone.txt",
            "\"Writer report\"\n   \"4\"  \"8\"\n\"64\"   1.5\n\"128\"  2  3\n\n\"Reader report\"\n   \"4\"  \"8\"\n\"64\"   5\n\"128\"  6  7\n",
            ",4,8\n64,5,NaN\n128,6,7\n",
        ),
        (
            "plate.csv",
            "Well,Raw,Raw,Raw\n,0,10,20\nA01,0.5,0.25,0.75\nA02,1,2,1.5\n",
            "Well,\"Raw, 0\",\"Raw, 10\",\"Raw, 20\"\nA01,0.5,0.25,0.75\nA02,1,2,1.5\n",
        ),
        (
            "bench.txt",
            "goos: linux\npkg: a/b\nBenchmarkSort/n=10-8 \t 100\t 900.5 ns/op\t 72 B/op\nBenchmarkSort/n=100-8 \t 10\t 9000 ns/op\t 720 B/op\nBenchmarkFind/n=10-8 \t 100\t 5 ns/op\nPASS\nok  \ta/b\t1.5s\n",
            "\"extract(name,'([A-Z][a-z]+)/')\",10,100\nSort,900.5,9000\nFind,5,\n",
        ),
        (
            "fes.dat",
            "#! FIELDS phi psi free\n#! SET min_phi -pi\n 0.5 0.5 -1\n 1 0.5 -2\n\n 0.5 1 -3\n 1 1 -4\n",
            "psi,0.5,1\n0.5,-1,-2\n1,-3,-4\n",
        ),
        (
            "times.json",
            r#"[{"algo": "a", "size": 1, "times": [2, 3]}, {"algo": "a", "size": 2, "times": [4]},
             {"algo": "b", "size": 1, "times": [5]}, {"algo": "b", "size": 2, "times": []}]"#,
            "algo,1,2\na,2.5,4\nb,5,NaN\n",
        ),
    ];
    hold(include_str!("../../docs/src/formats.md"), &files);
}

/// Lines that begin as benchmarks, units that are twice on a line, and units that are far more than lines.
#[test]
fn benchmarks_of_go_are_rows_or_named() {
    let twice = "BenchmarkA-8 1 5 ns/op 6 ns/op\nBenchmarkB-8 10 7 ns/op 1 B/op\nBenchmarkC-8 10 8 ns/op\n";
    let many: String = (0..3_000).map(|i| format!("BenchmarkA 1 1 u{i}\n")).collect();
    let place = Place::new(&[("a.txt", format!("{twice}BenchmarkD-8 log\n")), ("many.txt", many)]);
    let ran = place.ends(0, "export a.txt -z ns/op,B/op --table wide -o -");
    assert_eq!(ran.text(), "name,ns/op,B/op\nBenchmarkB,7,1\nBenchmarkC,8,NaN\n");
    assert!(ran.err.contains("2 lines begin as benchmarks"), "{}", ran.err);
    assert!(place.ends(7, "export many.txt -o -").err.contains("3000 units"));
}
