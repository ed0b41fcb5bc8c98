//! Panels of several files: distinct names, the limit of their number, and `check` of rows that no picture can hold.

#[cfg(feature = "npz")]
use crate::support::archive::zipped;
use crate::support::npy::npy;
use crate::support::place::Place;
use crate::support::program::{Ran, ended, program};
use crate::support::random::{Random, cases};
use gridscope::Figure;
use gridscope::input::{ReadOptions, open};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The number of random sets of files.
const CASES: u64 = 60;

/// Runs a line that is split at spaces.
fn run(dir: &Path, line: &str) -> Ran {
    ended(&mut program(dir, line))
}

/// Runs a line that must succeed, and returns its report.
fn report(dir: &Path, line: &str) -> Value {
    let ran = run(dir, line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    serde_json::from_slice(&ran.out).unwrap()
}

fn names(report: &Value) -> Vec<&str> {
    report["panels"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect()
}

/// An array whose panels have one row and two columns.
fn cube(values: &[f64]) -> Vec<u8> {
    npy(&format!("({}, 1, 2)", values.len() / 2), values)
}

#[test]
fn files_with_the_same_labels_in_another_order_are_warned_of_and_share_them_on_request() {
    let dir = Place::new(&[
        ("a.csv", b"m,x,y,z\nr,1,2,3\ns,4,5,6\n".to_vec()),
        ("b.csv", b"m,z,x\ns,60,40\nr,30,10\n".to_vec()),
        ("c.csv", b"m,x,y,z\ns,4,5,6\nr,1,2,3\n".to_vec()),
    ]);
    let warned = |line: &str| run(dir.folder(), line).err;
    let err = warned("render a.csv c.csv -o p.svg");
    assert!(err.contains("warning[other-order]: rows of 'a' and 'c' are the same in another order"), "{err}");
    assert!(!warned("render a.csv c.csv --share-y true -o p.svg").contains("other-order"));
    assert!(!warned("render a.csv b.csv -o p.svg").contains("columns of 'a'"));
    let shared = report(dir.folder(), "info a.csv b.csv --share-x true --share-y true --json");
    let place = |panel: usize, end: &str| {
        let cell = &shared["panels"][panel][end]["cells"][0];
        (cell["x"].as_str().unwrap().to_owned(), cell["y"].as_str().unwrap().to_owned())
    };
    assert_eq!(
        [place(1, "min"), place(1, "max")],
        [("x", "r"), ("z", "s")].map(|p| (p.0.into(), p.1.into()))
    );
    let counts = &shared["panels"][1];
    assert_eq!((&counts["columns"], &counts["counts"]["absent"]), (&3.into(), &2.into()));
    let cell = |panel: usize| shared["panels"][panel]["max"]["cells"][0]["row"].as_u64();
    assert_eq!((cell(0), cell(1)), (Some(1), Some(1)));
}

#[test]
#[cfg(feature = "npz")]
fn panels_of_several_files_have_the_name_of_their_file() {
    let dir = Place::new(&[
        ("a.npy", cube(&[1.0, 2.0, 3.0, 4.0])),
        ("b.npy", cube(&[5.0, 6.0, 7.0, 8.0])),
        ("one.npy", npy("(1, 2)", &[0.0, 1.0])),
        ("keys.npz", zipped(&[("u.npy", npy("(1, 2)", &[0.0, 1.0])), ("v.npy", npy("(1, 2)", &[2.0, 3.0]))])),
        ("w.csv", b"k,x,y\nr,1,2\n".to_vec()),
    ]);
    let of = |line: &str| report(dir.folder(), line);
    let both = of("info a.npy b.npy --panel axis:0 --json");
    assert_eq!(names(&both), ["a: axis 0 = 0", "a: axis 0 = 1", "b: axis 0 = 0", "b: axis 0 = 1"]);
    assert_eq!(names(&of("info a.npy --panel axis:0 --json")), ["axis 0 = 0", "axis 0 = 1"]);
    assert_eq!(
        names(&of("info keys.npz keys.npz --key u,v --json")),
        ["keys.npz: u", "keys.npz: v", "keys.npz (2): u", "keys.npz (2): v"]
    );
    assert_eq!(names(&of("info one.npy w.csv --json")), ["one", "w"]);
    assert_eq!(names(&of("info w.csv w.csv --json")), ["w.csv", "w.csv (2)"]);
    // A panel's table in the figure applies to that panel alone.
    fs::write(
        dir.path("f.toml"),
        "[data]\nfile = [\"a.npy\", \"b.npy\"]\npanel = \"axis:0\"\n[color]\nscale = \"panel\"\n[panels.\"b: axis 0 = 0\"]\nvmax = 5.5\n",
    )
    .unwrap();
    let checked = of("check f.toml --json");
    let clipped: Vec<_> = checked["lints"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|l| l["name"] == "clipped")
        .map(|l| &l["panel"])
        .collect();
    assert!(
        clipped.contains(&&Value::from("b: axis 0 = 0"))
            && clipped.iter().all(|p| p.is_null() || **p == "b: axis 0 = 0"),
        "{clipped:?}"
    );
}

#[test]
fn values_that_read_alike_are_numbered() {
    let text = "x,y,p,v,w\n1,1,a,5,6\n2,1,b,7,8\n";
    let dir = Place::new(&[("t.csv", text.as_bytes().to_vec())]);
    let of = |flags: &str| report(dir.folder(), &format!("info t.csv -x x -y y --json {flags}"));
    assert_eq!(names(&of("-z v,v")), ["v", "v (2)"]);
    assert_eq!(names(&of("-z v,v --panel p")), ["v | a", "v | b", "v | a (2)", "v | b (2)"]);
}

/// Every panel stays in its place, and its name begins with that of its file, whatever the names of the files.
#[test]
fn panels_of_any_files_have_different_names() {
    let cases = cases(CASES);
    let mut random = Random(1);
    let mut random = |n: usize| random.below(n);
    let paths = ["a.npy", "x/a.npy", "y/a.npy", "b.npy", "x/b (2).npy", "a: axis 0 = 0.npy"];
    let mut figure = Figure::default();
    figure.data.panel = Some("axis:0".into());
    for case in 0..cases {
        let panels: Vec<usize> = paths.iter().map(|_| 1 + random(3)).collect();
        let first = |file: usize, panel: usize| (file * 10 + panel) as f64;
        let bytes = |i: usize| cube(&(0..panels[i]).flat_map(|k| [first(i, k), -1.0]).collect::<Vec<_>>());
        let dir = Place::new(&paths.iter().enumerate().map(|(i, p)| (*p, bytes(i))).collect::<Vec<_>>());
        // Some files are given twice.
        let chosen: Vec<usize> = (0..2 + random(5)).map(|_| random(paths.len())).collect();
        let files: Vec<String> =
            chosen.iter().map(|&i| dir.path(paths[i]).to_string_lossy().into_owned()).collect();
        let loaded = open(&files, &figure, &ReadOptions::default(), 1 << 30).unwrap();
        let found: Vec<(&str, f64)> =
            loaded.grids.iter().map(|g| (g.name(), g.at(0, 0).value().unwrap().as_f64())).collect();
        let different: HashSet<&str> = found.iter().map(|f| f.0).collect();
        assert_eq!(different.len(), found.len(), "case {case}: {found:?}");
        let want = chosen.iter().flat_map(|&i| (0..panels[i]).map(move |k| (i, first(i, k))));
        assert_eq!(want.clone().count(), found.len(), "case {case}");
        for ((i, value), (name, got)) in want.zip(&found) {
            let stem = Path::new(paths[i]).file_stem().unwrap().to_string_lossy();
            assert!(
                value == *got && name.contains(&*stem),
                "case {case}: {value} of {}: {name} {got}",
                paths[i]
            );
        }
    }
}

#[test]
fn a_comparison_finds_each_panel_of_its_own_file() {
    let figure = b"[data]\nfile = [\"a.npy\", \"b.npy\"]\npanel = \"axis:0\"\n".to_vec();
    let a = cube(&[1.0, 2.0, 3.0, 4.0]);
    let dir = Place::new(&[
        ("old/f.toml", figure.clone()),
        ("old/a.npy", a.clone()),
        ("old/b.npy", cube(&[50.0, 60.0, 70.0, 80.0])),
        ("new/f.toml", figure),
        ("new/a.npy", a),
        ("new/b.npy", cube(&[50.0, 60.0, 70.0, 79.0])),
    ]);
    let ran = run(dir.folder(), "check new/f.toml --against old/f.toml --better higher --json");
    assert_eq!(ran.code, Some(6), "{}", ran.err);
    let denied: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("denied[")).collect();
    assert_eq!(
        denied,
        [
            "denied[regressed]: b: axis 0 = 1: 1 of 2 cells became worse; the worst: 80 to 79 at column 1, row 0"
        ]
    );
    let report: Value = serde_json::from_slice(&ran.out).unwrap();
    let compared: Vec<_> = report["against"]["panels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (&p["compared"], &p["vanished"]))
        .collect();
    assert_eq!(compared, vec![(&Value::from(2), &Value::from(0)); 4]);
    fs::remove_file(dir.path("new/b.npy")).unwrap();
    fs::write(dir.path("new/f.toml"), "[data]\nfile = [\"a.npy\", \"c.npy\"]\npanel = \"axis:0\"\n").unwrap();
    fs::write(dir.path("new/c.npy"), cube(&[50.0, 60.0])).unwrap();
    let ran = run(dir.folder(), "check new/f.toml --against old/f.toml --better higher --verbose");
    let gone: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("denied[vanished]")).collect();
    assert_eq!((ran.code, gone.len()), (Some(6), 2), "{}", ran.err);
    assert!(ran.err.contains("warning[appeared]: c: 2 cells"), "{}", ran.err);
}

/// A table of `n` rows, each with another id that begins with the name of the file.
fn ids(file: &str, n: usize) -> Vec<u8> {
    let rows = (0..n).map(|i| format!("{file}{i},{},{},{i}\n", i % 3, i % 2));
    ["id,x,y,v\n".to_owned()].into_iter().chain(rows).collect::<String>().into_bytes()
}

#[test]
fn a_column_of_ids_is_refused_while_it_is_read() {
    let dir = Place::new(&[
        ("t.csv", ids("r", 80_000)),
        ("few.csv", ids("r", 4096)),
        ("half.csv", ids("s", 2049)),
        ("more.csv", ids("t", 2049)),
    ]);
    let refused = |flags: &str| {
        let ran = run(dir.folder(), &format!("info {flags}"));
        assert_eq!((ran.code, ran.text().as_str()), (Some(7), ""), "{flags}: {}", ran.err);
        ran.err
    };
    let err = refused("t.csv -x x -y y -z v --panel id");
    assert!(
        err.contains("error: t.csv: --panel 'id' makes ") && err.contains("a figure has at most 4096 panels"),
        "{err}"
    );
    assert!(err.contains("--where"), "{err}");
    let so_far = err
        .split("hint: column 'id' has ")
        .nth(1)
        .and_then(|t| t.split(' ').next()?.parse::<usize>().ok())
        .unwrap();
    assert!((4097..80_000).contains(&so_far), "all rows were read first: {err}");
    assert!(
        refused("few.csv -x x -y y -z v,x --panel id --where v<3000")
            .contains("3000 for each of 2 value columns")
    );
    assert!(
        refused("half.csv more.csv -x x -y y -z v --panel id").contains("column 'id' has 4098 values so far")
    );
    assert_eq!(names(&report(dir.folder(), "info few.csv -x x -y y -z v --panel id --json")).len(), 4096);
    assert_eq!(
        names(&report(dir.folder(), "info t.csv -x x -y y -z v --panel id --where v<4096 --json")).len(),
        4096
    );
    // Texts of equal numbers are one panel.
    let twice: String = (0..3000).map(|i| format!("{i},1,1,5\n{i}.0,1,1,5\n")).collect();
    fs::write(dir.path("twice.csv"), format!("id,x,y,v\n{twice}")).unwrap();
    assert_eq!(names(&report(dir.folder(), "info twice.csv -x x -y y -z v --panel id --json")).len(), 3000);
    // Few panels remain after `--where`, however many values the column has.
    fs::write(
        dir.path("f.toml"),
        "panel_order = [\"r7\", \"r5\"]\n[data]\nfile = \"t.csv\"\nx = \"x\"\ny = \"y\"\nvalue = \"v\"\npanel = \"id\"\n",
    )
    .unwrap();
    assert_eq!(names(&report(dir.folder(), "info f.toml --json")), ["r7", "r5"]);
}

#[test]
#[cfg(feature = "npz")]
fn axes_keys_and_files_have_the_same_limit_of_panels() {
    let numbers = vec![1.0; 6000];
    let many: Vec<(String, Vec<u8>)> =
        (0..3).map(|i| (format!("k{i}.npy"), npy("(2000, 1, 1)", &numbers[..2000]))).collect();
    let members: Vec<(&str, Vec<u8>)> = many.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
    let dir = Place::new(&[
        ("a.npy", npy("(4097, 1, 1)", &numbers[..4097])),
        ("b.npy", npy("(3000, 1, 1)", &numbers[..3000])),
        ("c.npy", npy("(3000, 1, 1)", &numbers[..3000])),
        ("k.npz", zipped(&members)),
    ]);
    for (line, what, hint) in [
        ("info a.npy --panel axis:0", "a.npy: axis 0 makes 4097 panels", "--slice 0=0"),
        (
            "info b.npy c.npy --panel axis:0",
            "c.npy: 6000 panels with those of the files before it",
            "fewer files",
        ),
        ("info k.npz --panel axis:0 --key k0,k1,k2", "k.npz: 3 arrays make 6000 panels or more", "--key"),
    ] {
        let ran = run(dir.folder(), line);
        assert!(
            ran.code == Some(7)
                && ran.err.contains(&format!("error: {what}; a figure has at most 4096 panels")),
            "{line}: {}",
            ran.err
        );
        assert!(ran.err.lines().any(|l| l.starts_with("hint: ") && l.contains(hint)), "{line}: {}", ran.err);
    }
}

#[test]
fn labels_of_thousands_of_panels_count_before_they_are_made() {
    // 2,000 panels of 3,000 rows each: the cells take 84 MB, their labels 768 MB.
    let rows = (0..3000).map(|i| format!("{},row {i},1,{i}\n", i % 2000));
    let text: String = ["id,y,x,v\n".to_owned()].into_iter().chain(rows).collect();
    let dir = Place::new(&[("t.csv", text.into_bytes())]);
    let ran = run(dir.folder(), "info t.csv -x x -y y -z v --panel id --max-memory 200M");
    assert!(
        ran.code == Some(7) && ran.err.contains("the labels of 1 x 3000 keys in 2000 panels: "),
        "{}",
        ran.err
    );
}

#[test]
fn rows_that_no_picture_can_hold_are_checked() {
    let rows = (0..70_000)
        .map(|i| format!("row {i},{},{}\n", i, if i == 5 { String::new() } else { (2 * i).to_string() }));
    let text: String = ["k,a,b\n".to_owned()].into_iter().chain(rows).collect();
    let mut short = text.clone();
    short.truncate(short.find("row 9,").unwrap());
    let dir = Place::new(&[("long.csv", text.into_bytes()), ("short.csv", short.into_bytes())]);
    let ran = run(dir.folder(), "check long.csv --json --vmax 139000 --height 70000px");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.starts_with("note: no warnings about the picture: "), "{}", ran.err);
    assert!(ran.err.contains("warning[nan]: 1 of 140000 cells have no value\n"), "{}", ran.err);
    // 2 i is above 139,000 from row 69,501 on.
    assert!(
        ran.err.contains("warning[clipped]: 499 of 140000 cells above vmax 139000; largest 139998 at column b, k row 69999\n"),
        "{}",
        ran.err
    );
    let long: Value = serde_json::from_slice(&ran.out).unwrap();
    assert!(long["no_picture"].as_str().unwrap().contains("65,535 px"), "{long}");
    assert_eq!((&long["panels"][0]["above"], &long["scales"][0]["vmax"]), (&499.into(), &139_000.0.into()));
    assert_eq!(run(dir.folder(), "check long.csv --deny nan --quiet --height 70000px").code, Some(6));
    assert_eq!(run(dir.folder(), "render long.csv -o a.png --backend cpu --height 70000px").code, Some(7));
    // An automatic height ends at a page.
    assert!(report(dir.folder(), "check long.csv --json")["no_picture"].is_null());
    // Labels without room in the picture are not a fault of the data either.
    let tight = report(dir.folder(), "check short.csv --json --font-size 40pt --height 1in");
    assert!(tight["no_picture"].is_string() && tight["panels"][0]["rows"] == 9, "{tight}");
    // The warnings of a picture that can be laid out are reported as before.
    assert!(report(dir.folder(), "check short.csv --json")["no_picture"].is_null());
    let ran = run(dir.folder(), "check short.csv --height 1in --deny ticks-thinned");
    assert!(ran.code == Some(6) && ran.err.contains("denied[ticks-thinned]: y axis: "), "{}", ran.err);
}

#[test]
fn one_panel_alone_has_the_limits_of_all() {
    let figure = |name: &str| {
        format!("only_panel = \"{name}\"\n[data]\nfile = \"a.npy\"\npanel = \"axis:0\"\n").into_bytes()
    };
    let dir = Place::new(&[
        ("a.npy", cube(&[1.0, 2.0, 3.0, 4.0, 5.0, 60.0])),
        ("one.toml", figure("axis 0 = 1")),
        ("wrong.toml", figure("axis 0 = 7")),
    ]);
    let one = report(dir.folder(), "render one.toml --quiet --json -o one.png");
    assert_eq!(names(&one), ["axis 0 = 0", "axis 0 = 1", "axis 0 = 2"], "all are reported");
    let limits = |key: &str| one["scales"][0][key].as_f64();
    assert_eq!((limits("vmin"), limits("vmax")), (Some(1.0), Some(60.0)));
    let wrong = run(dir.folder(), "render wrong.toml -o wrong.png");
    assert_eq!(wrong.code, Some(3), "{}", wrong.err);
    assert!(wrong.err.contains("only_panel: no panel 'axis 0 = 7'"), "{}", wrong.err);
    assert!(wrong.err.contains("the panels are: axis 0 = 0, axis 0 = 1, axis 0 = 2"), "{}", wrong.err);
    assert!(!dir.path("wrong.png").exists());
}
