//! The program on small files: exit codes, outputs, files left behind, and pixels.

use crate::support::image::decode;
use crate::support::npy::npy;
use crate::support::place::{MATRIX, Place};
use gridscope::Colormap;
use gridscope::Image;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Two by two keys, one missing, one twice.
const TIDY: (&str, &str) = ("t.csv", "x,y,v\n1,1,5\n2,1,6\n1,2,7\n1,2,9\n");
const KEYS: &str = "--x x --y y --value v";

impl Place {
    /// Width, height and pixels of a picture.
    fn pixels(&self, name: &str) -> (u32, u32, Vec<[u8; 4]>) {
        let image = decode(&self.read(name));
        let pixels = image.pixels.chunks_exact(4).map(|p| p.try_into().unwrap());
        (image.width, image.height, pixels.collect())
    }
}

#[test]
fn every_exit_code_is_reached() {
    let p = Place::new(&[MATRIX, TIDY]);
    p.ends(0, "render m.csv -o a.png");
    for usage in [
        "render",
        "render m.csv",
        "render m.csv -o a.jpg",
        "render m.csv -o a.png --nonsense",
        "info m.csv --x x --y nope",
    ] {
        p.ends(2, usage);
    }
    for word in [
        "--cmap nope",
        "--cmap ,,",
        "--norm bounds:2,1",
        "--norm lgo",
        "--fmt x",
        "--dpi NaN",
        "--dpi 0",
        "--vmin NaN",
        "--deny nope",
        "--norm log --center 1",
    ] {
        p.ends(2, &format!("render m.csv -o b.png {word}"));
    }
    assert!(p.ends(3, "render none.csv -o b.png").err.starts_with("error: none.csv: no such file"));
    p.ends(0, "render m.csv --annot -o a.png");
    std::fs::create_dir(p.path("empty")).unwrap();
    p.ends(3, "render empty -o b.png");
    std::fs::remove_dir(p.path("empty")).unwrap();
    p.ends(3, "render m.csv -o b.png --vmin 3 --vmax 1");
    p.ends(4, "render m.csv -o no/such/folder/a.png");
    p.ends(4, "render m.csv -o . --format png");
    if !cfg!(feature = "gpu") {
        p.ends(5, "render m.csv -o b.png --backend gpu");
    }
    p.ends(6, &format!("check t.csv {KEYS} --strict"));
    for size in [
        "--width 70000px",
        "--width 0",
        "--dpi 1e9",
        "--height 1e9in",
        "--bare --cell 65535",
        "--font-size 500pt",
        "--max-memory 1",
    ] {
        p.ends(7, &format!("render m.csv -o b.png {size}"));
    }
    assert_eq!(p.names(), ["a.png", "m.csv", "t.csv"]);
}

#[test]
fn wrong_values_are_named_by_their_flags() {
    let p = Place::new(&[MATRIX]);
    for (flag, value, code) in [
        ("--cmap", "nope", 2),
        ("--norm", "lgo", 2),
        ("--under", "blakc", 2),
        ("--width", "3parsecs", 2),
        ("--height", "automatic", 2),
        ("--fmt", "x", 2),
        ("--cbar-fmt", "x", 2),
        ("--xfmt", "x", 2),
        ("--yfmt", "%Q", 2),
        ("--annot", "maybe", 2),
        ("--mark", "maximum", 2),
        ("--mark", "p<x", 2),
        ("--mask", "p<x", 2),
        ("--contours", "0.5,x", 2),
        ("--annot", "{ci100}", 2),
        ("--agg", "q101", 2),
        ("--agg", "medain", 2),
        ("--rows", "5:1", 2),
        ("--around", "peak", 2),
        ("--deny", "nope", 2),
        ("--margin", "rows:median", 2),
        ("--view-x", "5:1", 3),
    ] {
        let err = p.ends(code, &format!("render m.csv -o b.png {flag} {value}")).err;
        assert!(err.contains(flag) && err.contains(&format!("'{value}' is not ")), "{err}");
    }
    for (flag, value) in [
        ("--vmin", "NaN"),
        ("--dpi", "0"),
        ("--font-size", "0pt"),
        ("--reverse", "z"),
        ("--better", "more"),
        ("--min-count", "0"),
    ] {
        let err = p.ends(2, &format!("render m.csv -o b.png {flag} {value}")).err;
        assert!(err.contains(flag), "{err}");
    }
    assert_eq!(p.names(), ["m.csv"]);
}

#[test]
fn lists_and_help_need_no_file() {
    let p = Place::empty();
    let maps = p.run(&["colormaps", "--json"]);
    let maps: Vec<serde_json::Value> = serde_json::from_slice(&maps.out).unwrap();
    let of = |name: &str| maps.iter().find(|map| map["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(
        (&of("viridis")["kind"], &of("viridis")["colour_blind_safe"]),
        (&"sequential".into(), &true.into())
    );
    assert_eq!((&of("RdBu")["kind"], &of("jet")["grey"]), (&"diverging".into(), &false.into()));
    let schema: serde_json::Value = serde_json::from_slice(&p.run(&["schema"]).out).unwrap();
    assert!(schema["properties"]["data"].is_object());
    for (part, key) in
        [("ViewSpec", "x"), ("ViewSpec", "y"), ("PanelSpec", "view_x"), ("PanelSpec", "view_y")]
    {
        assert!(schema["$defs"][part]["properties"][key].is_object(), "{part} {key}");
    }
    for line in ["--help", "render --help", "view --help", "--version", "completions bash"] {
        p.ends(0, line);
    }
}

#[test]
fn stdout_carries_only_the_picture_or_the_report() {
    let p = Place::new(&[MATRIX, TIDY]);
    let line: Vec<&str> = "render t.csv --x x --y y --value v -o".split(' ').collect();
    let ran = p.run(&[&line[..], &["-"]].concat());
    assert!(ran.code == Some(0) && ran.err.contains("warning[absent]"), "{}", ran.err);
    assert_eq!(decode(&ran.out).width, 1300);
    let ran = p.run(&[&line[..], &["a.png", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&ran.out).unwrap();
    assert_eq!(
        (&report["panels"][0]["counts"]["absent"], &report["output"]["path"]),
        (&1.into(), &"a.png".into())
    );
    assert_eq!(report["output"]["bytes"], fs::metadata(p.path("a.png")).unwrap().len());
    assert!(p.run(&[&line[..], &["a.png"]].concat()).out.is_empty());
    assert!(p.ends(2, "render m.csv -o - --json").err.contains("hint: --json=FILE"));
    p.ends(2, "render m.csv -o a.png --json=a.png");
    let ran = p.run(&["render", "m.csv", "-o", "-", "--json=r.json"]);
    assert_eq!((ran.code, decode(&ran.out).width), (Some(0), 1300));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(p.path("r.json")).unwrap()).unwrap();
    assert_eq!(report["scales"][0]["vmax"], 3.0);
    assert!(p.run(&["render", "m.csv", "-o", "a.png", "--quiet"]).err.is_empty());
}

#[test]
fn standard_input_is_a_file() {
    let p = Place::empty();
    let mut child = p
        .command(&["render", "-", "--bare", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1,2,3\n4,5,6\n").unwrap();
    let o = child.wait_with_output().unwrap();
    assert!(o.status.success());
    let Image { width: w, height: h, .. } = decode(&o.stdout);
    assert_eq!((w, h), (3, 2));
}

#[test]
fn an_older_picture_outlives_a_refusal() {
    let p = Place::new(&[("bad.csv", "1,2\n3,4\n5,6,7\n"), ("old.png", "old"), MATRIX]);
    for line in [
        "render bad.csv -o old.png",
        "render m.csv -o old.png --vmin 9 --vmax 1",
        "render m.csv -o old.png --width 70000px",
    ] {
        assert!(p.run(&line.split(' ').collect::<Vec<_>>()).code != Some(0), "{line}");
    }
    assert_eq!(fs::read_to_string(p.path("old.png")).unwrap(), "old");
    assert_eq!(p.names(), ["bad.csv", "m.csv", "old.png"]);
    p.ends(0, "render m.csv -o old.png");
    assert_eq!((p.pixels("old.png").0, p.names().len()), (1300, 3));
}

#[test]
fn a_folder_or_a_read_only_file_is_not_an_output() {
    let p = Place::new(&[MATRIX]);
    fs::create_dir(p.path("folder.png")).unwrap();
    assert!(p.ends(4, "render m.csv -o folder.png").err.contains("is a directory"));
    fs::write(p.path("locked.png"), "old").unwrap();
    let lock = |name: &str| {
        let mut rights = fs::metadata(p.path(name)).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(p.path(name), rights).unwrap();
    };
    lock("locked.png");
    p.ends(4, "render m.csv -o locked.png");
    assert_eq!(fs::read_to_string(p.path("locked.png")).unwrap(), "old");
    fs::create_dir(p.path("sealed")).unwrap();
    lock("sealed");
    // This cannot fail for a user who may write anywhere.
    if fs::write(p.path("sealed/probe"), "").is_err() {
        p.ends(4, "render m.csv -o sealed/a.png");
    }
    assert_eq!(p.names(), ["folder.png", "locked.png", "m.csv", "sealed"]);
}

#[test]
fn a_closed_reader_is_exit_4() {
    let p = Place::new(&[MATRIX]);
    for args in [
        ["render", "m.csv", "-o", "-"].as_slice(),
        &["info", "m.csv"],
        &["export", "m.csv", "-o", "-"],
        &["colormaps"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = p.command(args).stdout(writer).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(4), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_or_a_time_limit_leaves_nothing() {
    let p = Place::empty();
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let line = ["render", "-", "-o", "a.png", "--json=r.json"];
        let mut child = p.command(&line).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Waiting would close the input, which would end the run without a signal.
        let pipe = child.stdin.take();
        // The program waits for signals before it creates temporary files, and then waits for its input.
        let start = Instant::now();
        while p.names().len() < 2 && start.elapsed() < Duration::from_mins(2) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(p.names().len(), 2);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        drop(pipe);
        assert!(p.names().is_empty(), "{:?}", p.names());
    }
    let mut child = p
        .command(&["render", "-", "-o", "a.png", "--timeout", "0.2"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pipe = child.stdin.take();
    assert_eq!((child.wait().unwrap().code(), p.names().len()), (Some(7), 0));
    drop(pipe);
}

#[test]
fn a_denied_lint_still_writes_the_picture() {
    let p = Place::new(&[TIDY]);
    assert!(p.ends(0, &format!("render t.csv {KEYS} -o plain.png")).err.contains("warning[duplicate-keys]"));
    let err = p.ends(6, &format!("render t.csv {KEYS} -o denied.png --deny absent")).err;
    assert!(err.contains("denied[absent]") && err.contains("warning[duplicate-keys]"), "{err}");
    assert_eq!(fs::read(p.path("plain.png")).unwrap(), fs::read(p.path("denied.png")).unwrap());
    let err = p.ends(0, &format!("render t.csv {KEYS} -o a.png --allow absent,duplicate-keys")).err;
    assert!(!err.contains("warning["), "{err}");
    p.ends(0, &format!("check t.csv {KEYS}"));
    let err = p.ends(6, &format!("check t.csv {KEYS} --strict --allow absent --quiet")).err;
    assert!(err.contains("denied[duplicate-keys]") && !err.contains("absent"), "{err}");
    p.ends(0, &format!("check t.csv {KEYS} --strict --allow absent,duplicate-keys"));
    assert!(p.ends(2, "check t.csv --deny absnt").err.contains("'absent'"));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let p = Place::new(&[TIDY]);
    let shot = || {
        p.run(&format!("render t.csv {KEYS} -o - --annot on --title T").split(' ').collect::<Vec<_>>()).out
    };
    assert_eq!(shot(), shot());
}

#[test]
fn a_bare_picture_is_its_cells() {
    let p = Place::new(&[MATRIX, TIDY]);
    p.ends(0, "render m.csv --bare --cell 3 -o a.png");
    let map = Colormap::named("viridis").unwrap();
    let at = |i: usize| map.entries[i].rgba();
    let (w, h, pixels) = p.pixels("a.png");
    assert_eq!((w, h), (6, 6));
    let want = [[at(0), at(85)], [at(170), at(255)]];
    for (i, pixel) in pixels.iter().enumerate() {
        assert_eq!(*pixel, want[i / 6 / 3][i % 6 / 3], "pixel {i}");
    }
    p.ends(0, "render m.csv --bare -o b.png --origin lower");
    assert_eq!(p.pixels("b.png").2, [want[1], want[0]].concat());
    p.ends(0, "render m.csv --bare -o e.png --reverse x --reverse y");
    assert_eq!(p.pixels("e.png").2, [at(255), at(170), at(85), at(0)]);
    p.ends(0, "render m.csv --bare --width 1 --height 2 -o c.png --reduce max --vmin 0 --vmax 3");
    assert_eq!(p.pixels("c.png"), (1, 2, vec![at(85), at(255)]));
    // Absent cells are transparent, cells without a value grey.
    fs::write(p.path("nan.csv"), "1,\n3,inf\n").unwrap();
    p.ends(0, "render nan.csv --bare --over red -o d.png");
    assert_eq!(p.pixels("d.png").2, [at(0), [0x9e, 0x9e, 0x9e, 255], at(255), [255, 0, 0, 255]]);
    p.ends(0, &format!("render t.csv {KEYS} --bare -o e.png"));
    assert_eq!(p.pixels("e.png").2[3][3], 0);
    p.ends(2, &format!("render t.csv {KEYS} --panel y --bare -o f.png"));
}

#[test]
fn an_unclear_table_is_refused_with_a_line_to_copy() {
    let rows: String = (0..8)
        .map(|i| format!("{},{},0.{},{}.5\n", ["a", "b"][i / 4], [500, 1000][i / 2 % 2], 1 + i % 2, i))
        .collect();
    let p = Place::new(&[("s.csv", &format!("dataset,window,ratio,pass1\n{rows}"))]);
    let err = p.ends(2, "render s.csv -o a.png").err;
    let line = "--x ratio --y window --value pass1 --panel dataset";
    assert!(err.contains(&format!("hint: {line}")), "{err}");
    p.ends(0, &format!("render s.csv -o a.png {line}"));
    let err = p.ends(2, "render s.csv -o a.png --x ratoi --y window").err;
    assert!(err.contains("did you mean 'ratio'?"), "{err}");
}

#[test]
fn wide_tables_and_arrays_draw_without_an_option() {
    let rows: String = (0..5)
        .map(|r| format!("{r},{}\n", [1, 2, 3, 4, 5].map(|c: usize| (c * (r + 1)).to_string()).join(",")))
        .collect();
    let p = Place::new(&[("confusion.csv", &format!(",0,1,2,3,4\n{rows}"))]);
    p.write("a.npy", npy("(2, 3)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    for (file, rows, columns, max) in [("confusion.csv", 5, 5, 25), ("a.npy", 2, 3, 5)] {
        p.ends(0, &format!("render {file} -o a.png"));
        let report: serde_json::Value =
            serde_json::from_slice(&p.run(&["info", file, "--json"]).out).unwrap();
        let panel = &report["panels"][0];
        assert_eq!(
            (panel["rows"].as_u64(), panel["columns"].as_u64()),
            (Some(rows), Some(columns)),
            "{file}"
        );
        assert_eq!(panel["max"]["value"].as_f64(), Some(f64::from(max)), "{file}");
    }
    for option in [
        "--agg max",
        "--x-order alpha",
        "--y-domain 1:2",
        "--pending a=1",
        "--table tidy",
        "--x a",
        "--slice 0=9",
    ] {
        assert!(p.ends(2, &format!("render a.npy -o b.png {option}")).err.contains("a.npy"), "{option}");
    }
}

#[test]
fn a_figure_file_is_drawn_and_its_errors_have_a_place() {
    let p = Place::new(&[MATRIX, ("f.toml", "[data]\nfile = \"m.csv\"\n[color]\ncmap = \"magma\"\n")]);
    p.ends(0, "render f.toml -o a.png");
    p.ends(0, "render m.csv -o b.png --cmap magma");
    assert_eq!(fs::read(p.path("a.png")).unwrap(), fs::read(p.path("b.png")).unwrap());
    for (table, key) in [
        ("color]\ncmap", "line 4, column 8: color.cmap"),
        ("annotations]\nfmt", "line 4, column 7: annotations.fmt"),
        ("annotations]\nshow", "line 4, column 8: annotations.show"),
    ] {
        fs::write(p.path("f.toml"), format!("[data]\nfile = \"m.csv\"\n[{table} = \"every\"\n")).unwrap();
        let err = p.ends(3, "render f.toml -o c.png").err;
        assert!(err.starts_with(&format!("error: f.toml: {key}: 'every' ")), "{err}");
    }
    let long = "x".repeat(100_000);
    fs::write(p.path("f.toml"), format!("[data]\nfile = \"m.csv\"\n[color]\ncmap = \"{long}\"\n")).unwrap();
    let err = p.ends(3, "render f.toml -o c.png").err;
    assert!(
        err.starts_with("error: f.toml: line 4, column 8: color.cmap: 'xxx") && err.len() < 5_000,
        "{} bytes",
        err.len()
    );
    fs::write(p.path("f.toml"), "[data]\nfile = \"m.csv\"\n[color]\ncmpa = \"magma\"\n").unwrap();
    let err = p.ends(3, "render f.toml -o c.png").err;
    assert!(
        err.starts_with("error: f.toml: line 4, column 1: ")
            && err.contains("'cmpa'")
            && err.contains("'cmap'"),
        "{err}"
    );
    for (text, word) in [
        ("[color]\ncmap = \"nope\"\n", "nope"),
        ("[color]\nnorm = \"lgo\"\n", "log"),
        ("[data]\n", "names no file"),
    ] {
        fs::write(p.path("f.toml"), text.replace("[color]", "[data]\nfile = \"m.csv\"\n[color]")).unwrap();
        assert!(p.ends(3, "render f.toml -o c.png").err.contains(word), "{text}");
    }
    assert!(!p.path("c.png").exists());
}

#[test]
fn hostile_texts_stay_texts() {
    let long = "z".repeat(100_000);
    let names = [
        "\u{1b}[31mred",
        "\u{202e}abc",
        "\u{1f600}",
        "e\u{301}",
        "<&>\"\"'",
        "../../up",
        "{mean}%s",
        "a\nb",
        &long,
    ];
    let rows: String = names.iter().enumerate().map(|(i, n)| format!("\"{n}\",{},{i}\n", i % 2)).collect();
    let p = Place::new(&[("h.csv", &format!("x,y,v\n{rows}"))]);
    for line in ["", "--annot on", "--panel x", "--title \u{1b}[2J --xlabel \u{7}"] {
        let err = p.ends(0, format!("render h.csv {KEYS} -o a.png {line}").trim_end()).err;
        assert!(!err.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{err:?}");
        assert!(err.lines().all(|l| l.len() < 5_000), "{line}");
    }
    p.ends(0, &format!("export h.csv {KEYS} --panel x -o g.csv"));
    assert_eq!(p.names().iter().filter(|n| n.starts_with("g-")).count(), names.len());
}

#[cfg(feature = "gpu")]
#[test]
fn a_missing_device_is_exit_5_and_the_cpu_needs_none() {
    let p = Place::new(&[("m.csv", "1,2\n3,4\n")]);
    let gpu = ["render", "m.csv", "-o", "o.png", "--backend", "gpu"];
    for (device, backend) in [("no such device", "vulkan"), ("0", "nonsense")] {
        // Without that folder, Mesa prints lines on standard error.
        let mut command = p.command(&[&gpu[..], &["--device", device]].concat());
        let command = command.env("WGPU_BACKEND", backend).env("XDG_RUNTIME_DIR", p.path("."));
        let ran = crate::support::program::ended(command);
        assert_eq!(ran.code, Some(5), "{}", ran.err);
        assert_eq!(p.names(), ["m.csv"]);
    }
    assert_eq!(p.run(&["render", "m.csv", "-o", "o.png", "--backend", "auto"]).code, Some(0));
}
