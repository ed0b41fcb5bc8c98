//! Random tables keep the same rules. A failure names a command that draws its table again.

use super::drawn::{DPI, Drawn};
use super::rules::faults;
use crate::support::random::Random;
use gridscope::Fonts;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The number of tables of a usual run.
const CASES: u64 = 40;

/// A table and how it is drawn.
struct Case {
    csv: String,
    options: String,
}

/// Keys of one axis, all different: as many as asked for, or fewer.
fn keys(r: &mut Random, n: usize) -> (&'static str, Vec<String>) {
    let numbers = |of: &dyn Fn(usize) -> f64, n: usize| (0..n).map(|i| of(i).to_string()).collect::<Vec<_>>();
    let names = |list: &[&str]| list.iter().take(n.max(1)).map(|t| (*t).to_owned()).collect::<Vec<_>>();
    let step = r.pick(&[1.0, 5.0, 100.0, 0.25, 0.1]);
    let first = r.pick(&[0.0, 1.0, 3.0, 10.0]);
    match r.below(14) {
        0 => ("layer", numbers(&|i| i as f64, n)),
        1 => ("year", numbers(&|i| 1990.0 + i as f64, n)),
        2 => (
            "ratio",
            (0..n).map(|i| format!("{}", ((first + i as f64 * step) * 1e6).round() / 1e6)).collect(),
        ),
        3 => ("C", numbers(&|i| 10f64.powf(-4.0 + 7.0 * i as f64 / n.max(2) as f64), n.min(20))),
        4 => ("batch size", numbers(&|i| 2f64.powi(i as i32), n.min(18))),
        5 => (
            "learning_rate",
            names(&["1e-06", "3e-06", "1e-05", "3e-05", "0.0001", "0.0003", "0.001", "0.003", "0.01"]),
        ),
        6 => ("date", (0..n).map(|i| format!("2024-{:02}-{:02}", 1 + i / 28 % 12, 1 + i % 28)).collect()),
        7 => (
            "month",
            names(&["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]),
        ),
        8 => ("size", names(&["70m", "160m", "410m", "1b", "1.4b", "2.8b", "6.9b", "12b"])),
        9 => ("run", (0..n).map(|i| format!("run-{i:03}")).collect()),
        10 => {
            let common = r.pick(&["supervised_finetuning_on_", "retrieval_augmented_", "w/o "]);
            let end = r.pick(&["_examples", "_with_reranking", ""]);
            (
                "training_method",
                (0..n)
                    .map(|i| format!("{common}{}{end}", WORDS[i % WORDS.len()].repeat(1 + i / WORDS.len())))
                    .collect(),
            )
        }
        11 => ("任务", (0..n).map(|i| format!("数学推理{i}")).collect()),
        12 => {
            ("topic", (0..n).map(|i| format!("{} {}", WORDS[i % WORDS.len()], 1 + i / WORDS.len())).collect())
        }
        _ => (
            "model",
            (0..n).map(|i| format!("{}-{}B", ["Aspen", "Birch", "Cedar", "Fir"][i % 4], 1 + i / 4)).collect(),
        ),
    }
}

const WORDS: [&str; 10] =
    ["algebra", "law", "human", "synthetic", "geography", "x", "model", "history", "commonsense", "vision"];

/// Writes a value.
type Rule = Box<dyn Fn(&mut Random) -> String>;

/// A name and a rule for the values of a table.
fn values(r: &mut Random) -> (&'static str, Rule) {
    match r.below(9) {
        0 => ("accuracy", Box::new(|r| format!("{:.4}", r.unit()))),
        1 => ("accuracy_percent", Box::new(|r| format!("{:.1}", 40.0 + 60.0 * r.unit()))),
        2 => ("count", Box::new(|r| r.below(1000u64).to_string())),
        3 => ("mean_update", Box::new(|r| format!("{:e}", (r.unit() - 0.5) * 1e-9))),
        4 => ("bytes_sent", Box::new(|r| (1_200_000_000 + r.below(3_000_000_000u64)).to_string())),
        5 => ("score", Box::new(|r| format!("{:.3}", 4.0 * (r.unit() - 0.5)))),
        6 => {
            (
                "milliseconds",
                Box::new(|r| {
                    if r.chance(0.02) { "1000000".to_owned() } else { format!("{:.1}", 90.0 * r.unit()) }
                }),
            )
        }
        7 => ("share_of_answers_judged_acceptable", Box::new(|r| r.unit().to_string())),
        _ => ("loss", Box::new(|_| "0.5".to_owned())),
    }
}

/// The table of a seed: tidy, or wide with labels.
fn case(seed: u64) -> Case {
    let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let side = |r: &mut Random| {
        let most = r.pick(&[4, 12, 12, 40, 120]);
        r.within(1, most)
    };
    let (rows, columns) = (side(&mut r), side(&mut r));
    let ((y, ys), (mut x, xs)) = (keys(&mut r, rows), keys(&mut r, columns));
    if x == y {
        x = "other";
    }
    let (z, value) = values(&mut r);
    let states = r.pick(&[0.0, 0.0, 0.2]);
    let mut csv = String::new();
    let cell = |r: &mut Random| {
        if r.chance(states / 2.0) { String::new() } else { value(r) }
    };
    if r.chance(0.15) {
        let _ = writeln!(csv, "{y},{}", xs.join(","));
        for key in &ys {
            let cells: Vec<String> = xs.iter().map(|_| cell(&mut r)).collect();
            let _ = writeln!(csv, "{key},{}", cells.join(","));
        }
        return Case { csv, options: "--table wide".to_owned() };
    }
    let panels: Vec<String> = match r.below(8) {
        0..=3 => Vec::new(),
        4 => (0..r.within(2, 12)).map(|i| i.to_string()).collect(),
        5 => (0..r.within(2, 30)).map(|i| format!("sub-{i:02}")).collect(),
        6 => {
            (0..r.within(2, 6)).map(|i| format!("Does the answer cite a source that {}?", WORDS[i])).collect()
        }
        _ => WORDS[..r.within(2, 10)].iter().map(|w| (*w).to_owned()).collect(),
    };
    let _ = writeln!(csv, "panel,{y},{x},{z}");
    let several = if panels.is_empty() { vec![String::new()] } else { panels.clone() };
    let (mut lines, few) = (Vec::new(), 40_000 / several.len());
    for panel in &several {
        for key in ys.iter().take(few / xs.len().max(1)) {
            for other in &xs {
                if !r.chance(states) {
                    lines.push(format!("{panel},{key},{other},{}\n", cell(&mut r)));
                }
            }
        }
    }
    if lines.is_empty() {
        lines.push(format!("{},{},{},{}\n", several[0], ys[0], xs[0], value(&mut r)));
    }
    if r.chance(0.3) {
        r.shuffle(&mut lines);
    }
    csv.extend(lines);
    let panel = if panels.is_empty() { "" } else { " --panel panel" };
    Case { csv, options: format!("-x '{x}' -y '{y}' -z '{z}'{panel}") }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery")
}

/// Faults of the figure of a seed, whose table is left in the folder if there are any.
fn failed(seed: u64, fonts: &mut Fonts) -> Option<String> {
    let (case, name) = (case(seed), format!("case_{seed}.csv"));
    std::fs::create_dir_all(folder()).unwrap();
    let path = folder().join(&name);
    std::fs::write(&path, &case.csv).unwrap();
    let lines = match Drawn::new(&folder(), &[name], &case.options, fonts) {
        Ok(drawn) => faults(&drawn).lines(),
        Err(refused) => vec![refused],
    };
    if lines.is_empty() {
        std::fs::remove_file(path).unwrap();
        return None;
    }
    let command = format!("gridscope render {} {} --dpi {DPI} -o case.png", path.display(), case.options);
    Some(format!("seed {seed}: {command}\n    {}", lines.join("\n    ")))
}

/// `GRIDSCOPE_GALLERY_CASES` is the number of tables, `GRIDSCOPE_GALLERY_SEED` the only one.
#[test]
fn figures_of_random_tables_keep_the_rules() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let seeds = match number("GRIDSCOPE_GALLERY_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GRIDSCOPE_GALLERY_CASES").unwrap_or(CASES),
    };
    let (count, mut fonts) = (seeds.end - seeds.start, Fonts::new());
    let failures: Vec<String> = seeds.filter_map(|seed| failed(seed, &mut fonts)).collect();
    assert!(failures.is_empty(), "{} of {count} tables\n{}", failures.len(), failures.join("\n"));
}
