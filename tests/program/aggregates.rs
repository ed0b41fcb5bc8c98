//! Aggregates, templates, cells of few rows and `info --best` by the program; the commands of their chapters.

use crate::support::place::Place;
use crate::support::program::bare;

const RUNS: &str = include_str!("../../examples/aggregates/runs.csv");
const CHAPTERS: [&str; 2] =
    [include_str!("../../docs/src/aggregates.md"), include_str!("../../docs/src/best.md")];

fn runs() -> Place {
    Place::new(&[("runs.csv", RUNS)])
}

/// The commands of a chapter, through a shell.
fn commands(chapter: &str) -> Vec<&str> {
    chapter.lines().filter(|l| l.starts_with("gridscope ")).collect()
}

#[test]
fn the_commands_of_the_book_run() {
    let p = runs();
    let program = bare().get_program().to_string_lossy().into_owned();
    let all: Vec<&str> = CHAPTERS.iter().flat_map(|c| commands(c)).collect();
    assert!(all.len() >= 5, "{all:?}");
    for command in all {
        let line = command.replacen("gridscope", &format!("'{program}'"), 1);
        let run =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(p.folder()).output().unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        if command.contains(" info ") {
            let printed = String::from_utf8(run.stdout).unwrap();
            assert!(CHAPTERS[1].contains(printed.trim_end()), "best.md has another answer than\n{printed}");
        }
    }
}

const TIDY: &str = "-x lr -y dropout -z acc";

#[test]
fn cells_of_few_rows_are_hatched_and_counted() {
    let p = runs();
    let render = |options: &str, name: &str| {
        p.ends(0, &format!("render runs.csv {TIDY} --agg mean --annot off {options} -o {name}"));
        let svg = String::from_utf8_lossy(&p.read(name)).into_owned();
        // What is before describes the figure.
        svg.split_once("</metadata>").unwrap().1.to_owned()
    };
    let (plain, few) = (render("", "plain.svg"), render("--min-count 3", "few.svg"));
    assert!(few.contains("fewer than 3 rows") && !plain.contains("fewer"), "{few}");
    assert!(few.len() > plain.len() + 2000, "{} {}", few.len(), plain.len());
    // Every cell has as many rows as it should.
    assert!(render("--min-count 1", "all.svg") == plain);
    let json = |options: &str| {
        p.ends(0, &format!("render runs.csv {TIDY} --agg mean {options} --json=r.json -o r.png"));
        p.json("r.json")["panels"][0]["below_min_count"].clone()
    };
    assert_eq!((json(""), json("--min-count 3")), (serde_json::Value::Null, 7.into()));
    let info = p.ends(0, &format!("info runs.csv {TIDY} --agg mean --min-count 3")).text();
    assert!(info.contains("7 of fewer than 3 rows"), "{info}");
    p.write("f.toml", "[data]\nfile = 'runs.csv'\nx = 'lr'\ny = 'dropout'\nvalue = 'acc'\nagg = 'mean'\nmin_count = 3\n[annotations]\nshow = 'off'\n");
    p.ends(0, "render f.toml -o few2.png");
    p.ends(0, &format!("render runs.csv {TIDY} --agg mean --annot off --min-count 3 -o few.png"));
    assert_eq!(p.read("few2.png").len(), p.read("few.png").len());
    p.write("m.csv", "1,2\n3,4\n");
    let err = p.ends(2, "render m.csv --table matrix --agg best -o m.png").err;
    assert!(err.contains("which values are better"), "{err}");
}

#[test]
fn the_best_is_told_in_words_and_in_json() {
    let p = runs();
    let err = p.ends(2, &format!("info runs.csv {TIDY} --best")).err;
    assert!(
        err.contains("--best needs to know which values are better") && err.contains("hint: --better higher"),
        "{err}"
    );
    p.ends(0, &format!("info runs.csv {TIDY} --best --better higher --json=b.json"));
    let best = p.json("b.json")["best"].clone();
    assert_eq!((&best["better"], &best["overall"]), (&"higher".into(), &serde_json::Value::Null));
    let panel = &best["panels"][0];
    assert_eq!((&panel["best"]["x"], &panel["best"]["n"]), (&"1e-4".into(), &5.into()));
    assert_eq!(panel["runner_up"]["within_noise"], true);
    p.write("f.toml", "[data]\nfile = 'runs.csv'\nx = 'lr'\ny = 'dropout'\nvalue = 'minutes'\npanel = 'optimizer'\nbetter = 'lower'\n");
    let text = p.ends(0, "info f.toml --best").text();
    assert!(text.contains("of 2 panels (lower is better)") && text.contains("\npanel lion: best"), "{text}");
    p.write("a.csv", "a,b\n");
    let text = p.ends(0, "info runs.csv -x lr -y dropout --agg count --best --better higher").text();
    assert!(
        text.contains("best count (higher is better): 5 at") && text.contains("cells have this value"),
        "{text}"
    );
}

#[test]
fn a_baseline_beside_the_values_has_their_statistics_and_differences_are_no_best_values() {
    let p = Place::empty();
    let rows = |by: f64| -> String {
        let cell = |i: usize| {
            let (x, seed) = (["p", "q"][i / 3 % 2], i % 3);
            format!("{x},r,{seed},{}\n", 10.0 + by + i as f64)
        };
        "x,y,seed,v\n".to_owned() + &(0..6).map(cell).collect::<String>()
    };
    p.write("a.csv", rows(0.0));
    p.write("b.csv", rows(0.5));
    let figure = "b.csv --against a.csv -x x -y y -z v --agg mean";
    p.ends(0, &format!("render {figure} --annot {{mean:.1f}}±{{std:.1f}}(n={{n}}) --width 12in -o o.svg"));
    let svg = String::from_utf8(p.read("o.svg")).unwrap();
    let drawn = svg.split_once("</metadata>").unwrap().1;
    for text in ["11.0±1.0(n=3)", "14.0±1.0(n=3)", "11.5±1.0(n=3)", "14.5±1.0(n=3)"] {
        assert!(drawn.contains(text), "{text}");
    }
    let best = p.ends(0, &format!("info {figure} --best --better lower")).text();
    assert!(
        best.contains("best mean of v of 2 panels (lower is better): 11.0") && best.contains("panel a"),
        "{best}"
    );
}
