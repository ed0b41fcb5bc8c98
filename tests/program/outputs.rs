//! Several pictures from one read: all of them or none, each in its format, with the same description.

use crate::support::npy::array;
use crate::support::place::names;
use crate::support::program::{ended, program};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Output, Stdio};

/// A figure file and data of the repository.
const FIGURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/figures/r1_llama.toml");

fn render(dir: &Path, args: &[&str]) -> Output {
    let mut command = program(dir, &["render", FIGURE, "--backend", "cpu"]);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.output().unwrap()
}

/// The description that `info --json` reads from a picture.
fn said(picture: &Path) -> Value {
    let folder = picture.parent().unwrap();
    ended(&mut program(folder, &[OsStr::new("info"), OsStr::new("--json"), picture.as_os_str()])).json()
}

fn formats() -> Vec<&'static str> {
    if cfg!(feature = "pdf") { vec!["a.png", "b.svg", "c.pdf"] } else { vec!["a.png", "b.svg"] }
}

#[test]
fn one_read_gives_every_format_and_each_describes_the_figure() {
    let dir = tempfile::tempdir().unwrap();
    let mut args = vec!["--json"];
    formats().iter().for_each(|f| args.extend(["-o", f]));
    let run = render(dir.path(), &args);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(names(dir.path()), formats());
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let outputs = report["outputs"].as_array().unwrap();
    assert_eq!(report["output"], outputs[0]);
    let first = said(&dir.path().join("a.png"));
    assert_eq!(first["inputs"][0]["name"], "r1_llama.csv");
    for (name, output) in formats().into_iter().zip(outputs) {
        let path = dir.path().join(name);
        assert_eq!(
            (output["path"].as_str(), output["bytes"].as_u64()),
            (Some(name), Some(std::fs::metadata(&path).unwrap().len()))
        );
        assert_eq!(said(&path), first, "{name}");
        // A separate run writes the same bytes.
        let alone = tempfile::tempdir().unwrap();
        assert!(render(alone.path(), &["-o", name, "-q"]).status.success());
        assert!(std::fs::read(&path).unwrap() == std::fs::read(alone.path().join(name)).unwrap(), "{name}");
    }
}

#[test]
fn no_metadata_leaves_no_description_in_any_format() {
    let dir = tempfile::tempdir().unwrap();
    for name in formats() {
        assert!(render(dir.path(), &["-q", "--no-metadata", "-o", name]).status.success());
        let bytes = std::fs::read(dir.path().join(name)).unwrap();
        let holds = |word: &str| bytes.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes()));
        for word in ["gridscope", "r1_llama.csv", "/Creator", "<title"] {
            assert!(!holds(word), "{name} holds {word}");
        }
    }
}

#[test]
fn no_output_is_in_its_place_unless_all_can_be() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.png"), "old").unwrap();
    let cases: [(&[&str], i32); 8] = [
        (&["-o", "a.png", "-o", "no/such/b.svg"], 4),
        (&["-o", "a.png", "-o", "b.gif"], 2),
        (&["-o", "a.png", "-o", "./a.png"], 2),
        (&["-o", "-", "-o", "-"], 2),
        (&["-o", "a.png", "-o", "b.svg", "--format", "svg"], 2),
        (&["-o", "a.png", "-o", "b.svg", "--json=b.svg"], 2),
        (&["-o", "a.png", "--json=./a.png"], 2),
        (&["-o", "a.png", "--cells", "rects"], 2),
    ];
    for (args, code) in cases {
        let run = render(dir.path(), args);
        assert_eq!(run.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(
            (names(dir.path()), std::fs::read_to_string(dir.path().join("a.png")).unwrap()),
            (vec!["a.png".to_owned()], "old".to_owned())
        );
    }
}

#[test]
fn standard_output_takes_any_format_once() {
    let dir = tempfile::tempdir().unwrap();
    let run = render(dir.path(), &["-q", "-o", "-", "--format", "svg"]);
    assert!(run.status.success() && run.stdout.starts_with(b"<?xml"));
    let run = render(dir.path(), &["-q", "-o", "-", "-o", "b.svg"]);
    assert!(run.status.success() && run.stdout.starts_with(b"\x89PNG"));
    assert_eq!(names(dir.path()), ["b.svg"]);
    assert!(render(dir.path(), &["-o", "-", "--json"]).status.code() == Some(2));
}

#[test]
fn a_body_alone_is_an_image_and_cells_are_asked_for_by_word() {
    let dir = tempfile::tempdir().unwrap();
    let one = ["--where", "dataset = AIME24", "-q"];
    let with = |more: &[&str]| render(dir.path(), &[&one[..], more].concat());
    assert!(with(&["--bare", "--cell", "20", "-o", "a.svg", "--cells", "image"]).status.success());
    let text = std::fs::read_to_string(dir.path().join("a.svg")).unwrap();
    assert!(
        text.contains("viewBox=\"0 0 100 80\"")
            && text.matches("<image").count() == 1
            && !text.contains("<text")
    );
    assert!(with(&["-o", "b.svg", "--cells", "rects"]).status.success());
    assert!(!std::fs::read_to_string(dir.path().join("b.svg")).unwrap().contains("<image"));
    let refused = with(&["--bare", "--width", "3px", "--height", "3px", "-o", "c.svg", "--cells", "rects"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(!dir.path().join("c.svg").exists());
}

#[test]
fn bodies_too_large_for_a_vector_file_are_refused_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let run = render(
        dir.path(),
        &[
            "--where",
            "dataset = AIME24",
            "--bare",
            "--width",
            "5000px",
            "--height",
            "4000px",
            "-o",
            "a.svg",
            "--cells",
            "image",
        ],
    );
    // Cells larger than pixels need no Summaries, so only the picture is large.
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let run = render(
        dir.path(),
        &["--where", "dataset = AIME24", "--bare", "--cell", "3000", "-o", "c.svg", "--cells", "image"],
    );
    assert_eq!(run.status.code(), Some(7), "{}", String::from_utf8_lossy(&run.stderr));
    let sevens = array("|u1", false, &[5000, 5000], vec![7; 25_000_000]);
    std::fs::write(dir.path().join("g.npy"), sevens).unwrap();
    let ran = ended(&mut program(dir.path(), "render g.npy --bare --cell 1 -o b.svg"));
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    assert!(ran.err.contains("--dpi") && !dir.path().join("b.svg").exists());
}
