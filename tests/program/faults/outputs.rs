//! Outputs that cannot be written: no space, no permission, a limit, odd targets. The old file stays, and no other file does.

use super::TIDY;
use super::mount::Mount;
use crate::support::place::{MATRIX, Place, names};
use crate::support::program::{Ran, ended, program};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;

/// Commands that write `TO`, from a table with more cells than fit.
const WRITERS: [&str; 9] = [
    "render IN -o TO.png",
    "render IN -o TO.png --compression small --dpi 300",
    "render IN -o TO.png --bare --width 5000px --height 5000px",
    "render IN -o TO.svg",
    "export IN -o TO.csv",
    "export IN -o TO.npy",
    "info IN --json=TO.json",
    "render IN -o OUT.png --json=TO.json",
    "render IN -o OUT.png -o TO.png",
];

/// Runs a writer whose table is in another folder, and returns its end and the name of its output.
fn written(line: &str, folder: &Path, elsewhere: &Place) -> (Ran, String) {
    let (table, out) = (elsewhere.path("wide.csv"), elsewhere.path("out"));
    let line = line
        .replace("IN", table.to_str().unwrap())
        .replace("OUT", out.to_str().unwrap())
        .replace("TO", "old");
    let args: Vec<&str> = line.split(' ').collect();
    let name =
        args.iter().filter_map(|a| a.rsplit('=').next()).find(|a| a.starts_with("old.")).unwrap().to_owned();
    let _ = fs::write(folder.join(&name), "old");
    (ended(&mut program(folder, &args)), name)
}

fn wide() -> Place {
    let row =
        |r: usize| (0..90).map(|c| ((r * 31 + c * c) % 101).to_string()).collect::<Vec<_>>().join(",") + "\n";
    Place::new(&[("wide.csv", &(0..90).map(row).collect::<String>())])
}

fn with_pdf() -> impl Iterator<Item = &'static str> {
    WRITERS.into_iter().chain(cfg!(feature = "pdf").then_some("render IN -o TO.pdf"))
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let elsewhere = wide();
    for line in with_pdf() {
        let Some(mount) = Mount::new() else { return };
        // The old file is written before the disk is full.
        let name = line.split(['=', ' ']).find(|w| w.starts_with("TO.")).unwrap().replace("TO", "old");
        fs::write(mount.folder().join(&name), "old").unwrap();
        mount.fill();
        let args = line.replace("IN", elsewhere.path("wide.csv").to_str().unwrap()).replace("TO", "old");
        let args = args.replace("OUT", elsewhere.path("out").to_str().unwrap());
        let ran = ended(&mut program(mount.folder(), &args.split(' ').collect::<Vec<_>>()));
        assert!(
            ran.code == Some(4) && ran.err.contains(&format!("error: {name}: ")),
            "{line}: {:?} {}",
            ran.code,
            ran.err
        );
        let mut left = vec!["filler".to_owned(), name.clone()];
        left.sort();
        assert_eq!(
            (names(mount.folder()), fs::read(mount.folder().join(&name)).unwrap()),
            (left, b"old".to_vec()),
            "{line}"
        );
        // All pictures are written or none is; the report is written after them.
        let beside = elsewhere.names();
        assert_eq!(
            beside.contains(&"out.png".to_owned()),
            line.contains("--json=TO.json") && line.starts_with("render"),
            "{beside:?}"
        );
        assert!(beside.iter().all(|n| matches!(n.as_str(), "wide.csv" | "out.png")), "{beside:?}");
        let _ = fs::remove_file(elsewhere.path("out.png"));
    }
}

#[test]
fn a_read_only_folder_leaves_the_old_file() {
    let elsewhere = wide();
    let Some(mut mount) = Mount::new() else { return };
    for ending in ["png", "svg", "pdf", "csv", "npy", "json"] {
        fs::write(mount.folder().join(format!("old.{ending}")), "old").unwrap();
    }
    let before = names(mount.folder());
    mount.seal();
    for line in with_pdf() {
        let (ran, name) = written(line, mount.folder(), &elsewhere);
        assert!(ran.code == Some(4) && ran.err.contains("Read-only"), "{line}: {:?} {}", ran.code, ran.err);
        assert_eq!(fs::read(mount.folder().join(name)).unwrap(), b"old", "{line}");
        assert_eq!(
            (names(mount.folder()), elsewhere.names()),
            (before.clone(), vec!["wide.csv".to_owned()]),
            "{line}"
        );
    }
}

#[test]
fn a_save_from_the_window_leaves_nothing_on_a_full_disk() {
    let Some(mount) = Mount::new() else { return };
    mount.fill();
    let path = mount.folder().join("saved-1.png");
    let saved = gridscope_core::output::Output::open(&path).and_then(|o| o.put_new(&[1; 9000]));
    assert_eq!(saved.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(names(mount.folder()), ["filler"]);
}

#[test]
fn several_exports_are_written_together_or_not_at_all() {
    let rows: String = (0..2000)
        .map(|i| format!("{},{},{i},{}\n", i % 10, i / 10 % 20, if i % 200 < 100 { "b" } else { "a" }))
        .collect();
    let table = Place::new(&[("t.csv", &format!("x,y,v,p\n{rows}"))]);
    let Some(mount) = Mount::new() else { return };
    let input = table.path("t.csv");
    let args = [
        "export",
        input.to_str().unwrap(),
        "--x",
        "x",
        "--y",
        "y",
        "--value",
        "v",
        "--panel",
        "p",
        "-o",
        "g.csv",
    ];
    let filler = mount.folder().join("filler");
    // One page holds one of them, two pages hold both.
    for (pages, code, left) in [(1, 4, vec!["filler"]), (2, 0, vec!["filler", "g-a.csv", "g-b.csv"])] {
        fs::write(&filler, vec![1; (64 << 10) - pages * 4096]).unwrap();
        let ran = ended(&mut program(mount.folder(), &args));
        assert_eq!(
            (ran.code, names(mount.folder())),
            (Some(code), left.into_iter().map(str::to_owned).collect()),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_limit_of_file_sizes_is_like_a_full_disk() {
    let p = wide();
    fs::write(p.path("old.png"), "old").unwrap();
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        "ulimit -f 4; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_gridscope"),
        "render",
        "wide.csv",
        "-o",
        "old.png",
    ]);
    let ran = ended(shell.current_dir(p.folder()));
    assert!(ran.code == Some(4) && ran.err.contains("too large"), "{:?} {}", ran.code, ran.err);
    assert_eq!(
        (p.names(), p.read("old.png")),
        (vec!["old.png".to_owned(), "wide.csv".to_owned()], b"old".to_vec())
    );
}

#[test]
fn an_output_is_never_its_own_input() {
    let figure = ("f.toml", "[data]\nfile = \"m.csv\"\n");
    let p = Place::new(&[MATRIX, figure]);
    symlink("m.csv", p.path("link.csv")).unwrap();
    fs::create_dir(p.path("sub")).unwrap();
    for line in [
        "render m.csv -o m.csv --format png",
        "render m.csv -o sub/../m.csv --format svg",
        "render m.csv -o link.csv --format png",
        "render link.csv -o m.csv --format png",
        "render f.toml -o m.csv --format png",
        "render f.toml -o f.toml --format png",
        "render m.csv -o a.png --json=m.csv",
        "render f.toml -o a.png --json=f.toml",
        "export m.csv -o m.csv",
        "export f.toml -o ./m.csv",
        "info m.csv --json=m.csv",
        "check m.csv --json=m.csv",
    ] {
        let ran = p.ends(2, line);
        assert!(ran.err.contains("is an input"), "{line}: {}", ran.err);
        let inputs = (p.read("m.csv"), p.read("f.toml"), p.names());
        let names = ["f.toml", "link.csv", "m.csv", "sub"].map(str::to_owned).to_vec();
        assert_eq!(inputs, (MATRIX.1.into(), figure.1.into(), names), "{line}");
    }
    // Files beside the data, also by a link.
    fs::write(p.path("side.csv"), "0,1\n").unwrap();
    symlink("side.csv", p.path("other.csv")).unwrap();
    for option in ["--mask", "--x-values", "--x-labels", "--mark", "--font", "--minus"] {
        for output in ["-o side.csv --format png", "-o other.csv --format svg", "-o a.png --json=other.csv"] {
            let line = format!("render m.csv {option} side.csv {output}");
            let ran = p.ends(2, &line);
            assert!(ran.err.contains("is an input"), "{line}: {}", ran.err);
            assert_eq!(p.read("side.csv"), b"0,1\n", "{line}");
        }
    }
    // `-` is never a file.
    fs::write(p.path("-"), "x").unwrap();
    let ran =
        ended(p.command(&["render", "-", "-o", "-", "-q"]).stdin(fs::File::open(p.path("m.csv")).unwrap()));
    assert!(ran.code == Some(0) && ran.out.starts_with(b"\x89PNG"), "{}", ran.err);
}

#[test]
fn odd_targets_are_written_or_refused_whole() {
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv -o plain.png -q");
    let wanted = p.read("plain.png");
    fs::create_dir(p.path("folder.png")).unwrap();
    for (line, word) in
        [("folder.png", "directory"), ("no/such/a.png", "No such file"), ("m.csv/a.png", "Not a directory")]
    {
        let ran = p.ends(4, &format!("render m.csv -o {line}"));
        assert!(ran.err.starts_with(&format!("error: {line}: ")) && ran.err.contains(word), "{}", ran.err);
    }
    // A link stays a link, and its target is replaced or created.
    symlink("plain.png", p.path("link.png")).unwrap();
    symlink("folder.png/new.png", p.path("dangling.png")).unwrap();
    for (link, to) in [("link.png", "plain.png"), ("dangling.png", "folder.png/new.png")] {
        p.ends(0, &format!("render m.csv -o {link} -q"));
        assert!(
            p.path(link).is_symlink()
                && p.path(to).symlink_metadata().unwrap().is_file()
                && p.read(to) == wanted,
            "{link}"
        );
    }
    symlink("round.png", p.path("round.png")).unwrap();
    p.ends(4, "render m.csv -o round.png");
    assert!(Command::new("mkfifo").arg(p.path("pipe.png")).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = p.path("pipe.png");
        move || fs::read(pipe).unwrap()
    });
    p.ends(0, "render m.csv -o pipe.png -q");
    assert!(
        reader.join().unwrap() == wanted && fs::metadata(p.path("pipe.png")).unwrap().file_type().is_fifo()
    );
    assert!(p.ends(0, "render m.csv -o /dev/stdout --format png -q").out == wanted);
    p.ends(4, "render m.csv -o /dev/full --format png");
    let before = p.names();
    assert!(before.iter().all(|n| !n.ends_with(".tmp")), "{before:?}");
    // A name that is only an extension has no format.
    p.ends(2, "render m.csv -o .png");
    p.ends(0, "render m.csv -o .png --format png -q");
    assert!(p.read(".png") == wanted);
}

#[test]
fn a_pipe_is_an_input() {
    let p = Place::new(&[TIDY]);
    assert!(Command::new("mkfifo").arg(p.path("in.csv")).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = p.path("in.csv");
        move || fs::write(pipe, TIDY.1).unwrap()
    });
    let piped = p.ends(0, "export in.csv --x x --y y --value v -o - -q").out;
    writer.join().unwrap();
    assert_eq!(String::from_utf8_lossy(&piped), "y,1,2\n1,5.5,6\n2,8,\n");
    // Without a writer, the time limit ends the wait.
    assert!(p.ends(7, "render in.csv -o a.png --timeout 0.3").err.contains("--timeout"));
    assert_eq!(p.names(), ["in.csv", "t.csv"]);
}
