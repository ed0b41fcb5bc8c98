//! Every error about a file begins with its name: the figure file if it gives the wrong value, otherwise the data.

use crate::support::place::Place;
use crate::support::program::{ended, program};
use std::path::Path;

const MATRIX: &str = "1,2,3\n4,5,6\n7,8,9\n";
const NEGATIVE: &str = "-1,-2\n-3,-4\n";
const TIDY: &str = "x,y,v,p\n1,1,2,a\n2,1,3,a\n1,2,4,b\n2,2,5,b\n";
const KEYS: &str = "-x x -y y -z v";

/// Exit code and line of error of a run in a folder.
fn run(folder: &Path, line: &str) -> (i32, String) {
    let ran = ended(&mut program(folder, line));
    let error = ran.err.lines().find(|l| l.starts_with("error:"));
    (ran.code.unwrap(), error.unwrap_or_default().to_owned())
}

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("m.csv", MATRIX), ("neg.csv", NEGATIVE), ("t.csv", TIDY)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let numbers = (0..600 * 600u32).flat_map(|i| f64::from(i).to_le_bytes());
    std::fs::write(dir.path().join("m.raw"), numbers.collect::<Vec<u8>>()).unwrap();
    dir
}

/// Options that are wrong for any data, with their exit codes.
const OPTIONS: [(&str, i32); 14] = [
    ("--vmin 9 --vmax 1", 3),
    ("--norm log --vmax -1", 3),
    ("--norm log --vmin -1", 3),
    ("--norm twoslope --center 0 --vmin 5", 3),
    ("--dpi 0.5", 7),
    ("--dpi 10001", 7),
    ("--dpi 1e9", 7),
    ("--width 70000px", 7),
    ("--width 65535px --height 65536px", 7),
    ("--height 1e9in", 7),
    ("--font-size 500pt", 7),
    ("--width 20px", 7),
    ("--scale nope", 2),
    ("--bare --width 70000px --height 9px", 7),
];

#[test]
fn flags_that_do_not_fit_the_data_begin_with_the_data() {
    let dir = folder();
    std::fs::write(dir.path().join("f.toml"), "title = 'T'\n[data]\nfile = 'm.csv'\n").unwrap();
    for (inputs, first) in [
        ("m.csv".to_owned(), "m.csv"),
        ("m.raw --raw f64le 600x600".to_owned(), "m.raw"),
        (format!("t.csv {KEYS}"), "t.csv"),
        ("f.toml".to_owned(), "m.csv"),
        ("./m.csv".to_owned(), "./m.csv"),
    ] {
        for (options, code) in OPTIONS {
            // A table is checked when it is read, an array only when the figure is resolved.
            let code = if options == "--scale nope" && first == "m.raw" { 3 } else { code };
            for to in ["-o a.png", "-o a.svg"] {
                let line = format!("render {inputs} {to} {options}");
                let (got, error) = run(dir.path(), &line);
                assert!(
                    got == code && error.starts_with(&format!("error: {first}: ")),
                    "{line}: {got} {error}"
                );
            }
        }
        let (got, error) = run(dir.path(), &format!("check {inputs} --vmin 9 --vmax 1"));
        assert!(
            got == 3 && error.starts_with(&format!("error: {first}: limits the wrong way round")),
            "{inputs}: {got} {error}"
        );
    }
    assert!(!dir.path().join("a.png").exists() && !dir.path().join("a.svg").exists());
}

#[test]
fn data_that_do_not_fit_begin_with_their_own_name() {
    let dir = folder();
    let pair = format!("t.csv {KEYS} --panel p");
    let cases = [
        ("render neg.csv -o a.png --norm log".to_owned(), 3, "neg.csv: nothing is positive"),
        ("check neg.csv --norm log".to_owned(), 3, "neg.csv: nothing is positive"),
        (
            "render neg.csv m.csv -o a.png --norm log --scale panel".to_owned(),
            3,
            "neg.csv: nothing is positive",
        ),
        (format!("render {pair} -o a.png --bare"), 2, "t.csv: --bare draws one panel"),
        (format!("export {pair} -o -"), 2, "t.csv: 2 panels"),
        ("bench t.csv".to_owned(), 2, "t.csv: "),
        ("export m.csv -o a.csv --width 70000px --height 9px".to_owned(), 7, "m.csv: "),
        ("export m.csv -o a.csv --width 9000px --height 9000px --max-memory 1M".to_owned(), 7, "m.csv: "),
        ("export m.raw -o a.csv --raw f64le 600x600 --max-memory 1M".to_owned(), 7, "m.raw: "),
        (
            "render m.csv -o a.svg --bare --width 2px --height 2px --cells rects".to_owned(),
            2,
            "m.csv: cells smaller",
        ),
        ("render m.raw -o a.png --raw nope 600x600".to_owned(), 2, "m.raw: raw: "),
        ("check m.csv --against neg.csv --better higher --rows 2:3".to_owned(), 2, "neg.csv: "),
        ("bench m.csv --size 70000x10".to_owned(), 7, "m.csv: "),
        (
            "bench m.csv --size 40x30 --runs 1000000 --warmup 0 --backend cpu --timeout 1e-9".to_owned(),
            7,
            "m.csv: not done",
        ),
    ];
    for (line, code, begins) in cases {
        let (got, error) = run(dir.path(), &line);
        assert!(got == code && error.starts_with(&format!("error: {begins}")), "{line}: {got} {error}");
    }
}

#[test]
fn values_of_a_figure_file_begin_with_its_name() {
    let dir = folder();
    let data = "[data]\nfile = 'm.csv'\n";
    for (words, flags, code, first) in [
        ("[color]\nvmin = 9\nvmax = 1", "", 3, "f.toml"),
        ("[color]\nnorm = 'log'\nvmax = -100", "", 3, "f.toml"),
        ("[color]\nvmax = -100", "--vmax 1 --vmin 9", 3, "m.csv"),
        ("[color]\nvmin = 9", "--vmax 1", 3, "f.toml"),
        ("[color]\nnorm = 'log'\nvmin = 0", "", 3, "f.toml"),
        ("[size]\ndpi = 0.5", "", 7, "f.toml"),
        ("[size]\ndpi = 72\nwidth = '3in'", "--dpi 0.5", 7, "m.csv"),
        ("[size]\nwidth = '70000px'", "", 7, "f.toml"),
        ("[size]\nwidth = '20px'", "", 7, "f.toml"),
        ("[size]\nfont_size = '500pt'", "", 7, "f.toml"),
        ("[size]\nwidth = '20px'", "--width 21px", 7, "m.csv"),
        ("[view]\nx = '3:1'", "", 3, "f.toml"),
        // A name that is not in the data is about both files.
        ("[strip]\naxis = 'x'\ncolumn = 'nope'", "", 2, "m.csv"),
        ("[panels.nope]\ntitle = 'T'", "", 3, "f.toml"),
        ("[lints]\ndeny = ['nope']", "", 3, "f.toml"),
        ("[color]\ncmap = 'nope'", "", 3, "f.toml"),
    ] {
        std::fs::write(dir.path().join("f.toml"), format!("{data}{words}\n")).unwrap();
        // A check draws nothing, so a picture of a wrong size is not an error.
        let check = (!words.contains("width") || words.contains("dpi")) && !words.contains("font_size");
        let lines =
            [Some(format!("render f.toml -o a.png {flags}")), check.then(|| format!("check f.toml {flags}"))];
        for line in lines.into_iter().flatten() {
            let (got, error) = run(dir.path(), &line);
            assert!(
                got == code && error.starts_with(&format!("error: {first}: ")),
                "{words:?}, {line}: {got} {error}"
            );
        }
    }
    std::fs::write(dir.path().join("r.toml"), "[data]\nfile = 'm.raw'\nraw = 'f64le 600 x'\n").unwrap();
    let (got, error) = run(dir.path(), "info r.toml");
    assert!(got == 2 && error.starts_with("error: r.toml: raw: "), "{got} {error}");
    // A comparison names the figure of BASE.
    std::fs::write(dir.path().join("f.toml"), data).unwrap();
    std::fs::write(dir.path().join("old.toml"), format!("{data}[panels.nope]\ntitle = 'T'\n")).unwrap();
    let (got, error) = run(dir.path(), "check f.toml --against old.toml --better higher");
    assert!(got == 3 && error.starts_with("error: old.toml: panels.nope: "), "{got} {error}");
}

#[test]
fn a_font_size_under_5_pt_is_a_warning() {
    let dir = folder();
    for (size, said) in [("3pt", true), ("5pt", false), ("9pt", false)] {
        let line = format!("render m.csv -o a.png --font-size {size}");
        let (code, _, err) = ended(&mut program(dir.path(), &line)).parts();
        assert!(
            code == Some(0) && err.contains("warning[font-size-clamped]: text of 3 pt") == said,
            "{size}: {err}"
        );
    }
    let at = |size: &str| {
        assert_eq!(
            run(dir.path(), &format!("render m.csv -o a.png --no-metadata -q --font-size {size}")).0,
            0
        );
        std::fs::read(dir.path().join("a.png")).unwrap()
    };
    assert!(at("3pt") == at("5pt"));
    assert_eq!(run(dir.path(), "check m.csv --font-size 3pt --deny font-size-clamped").0, 6);
    assert_eq!(run(dir.path(), "check m.csv --font-size 3pt --strict --allow font-size-clamped").0, 0);
}

#[test]
fn conditions_and_tests_that_are_written_otherwise_have_a_hint_that_works() {
    let table =
        "x,y,o,s,v\n1,a,p,0,1\n2,a,p,0,2\n1,b,q,0,3\n2,b,q,0,4\n1,a,p,1,2\n2,a,p,1,2\n1,b,q,1,5\n2,b,q,1,3\n";
    let p = Place::new(&[("t.csv", table), ("u.csv", table)]);
    let run = |more: &[&str]| {
        let flags = "render t.csv -x x -y y -z v --agg mean -o t.png".split(' ');
        p.run(&flags.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    for (flags, said, hint, instead) in [
        (
            &["--mask", "o = p"][..],
            "no condition on cells: after the comparison is a number",
            "--where 'o != p'",
            &["--where", "o != p"][..],
        ),
        (&["--mask", ""], "'' is not a mask: give upper", "", &["--mask", "upper"]),
        (
            &["--minus", "u.csv", "--paired", "wilcoxon"],
            "wilcoxon: no such file; a test is written with =",
            "--paired=wilcoxon",
            &["--minus", "u.csv", "--paired=wilcoxon"],
        ),
        (
            &["--minus", "u.csv", "--pair-by", "s"],
            "pair_by: s pairs the rows of a test, and none is asked for",
            "--paired",
            &["--minus", "u.csv", "--pair-by", "s", "--paired"],
        ),
        (
            &["--sort-rows", "mean", "--y-spacing", "true"],
            "rows in another order have no true spacing",
            "--y-spacing even",
            &["--sort-rows", "mean", "--y-spacing", "even"],
        ),
    ] {
        let ran = run(flags);
        assert_eq!(ran.code, Some(2), "{flags:?}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.err.contains(hint), "{}", ran.err);
        let ran = run(instead);
        assert_eq!(ran.code, Some(0), "{instead:?}: {}", ran.err);
    }
    let ran = run(&["--mask", "v > 0", "--contours", "5"]);
    assert!(ran.err.contains("contours have no values to run between: no cell has one"), "{}", ran.err);
    // A row of one side of a comparison is reported once.
    p.write("w.csv", format!("{table}1,c,p,0,1\n2,c,p,0,2\n"));
    let ran = run(&["--minus", "w.csv", "--verbose"]);
    assert!(ran.err.contains("only-in-baseline") && !ran.err.contains("empty-row"), "{}", ran.err);
}
