//! The same without a keyboard: scripts.

use super::display::Display;
use super::seen::Seen;
use super::sweep::sweep;
use crate::support::image::decode;
use crate::support::program::bare;
use gridscope::Literal;

#[test]
fn a_script_does_what_a_person_does() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = sweep(folder.path());
    let lines = [
        "zoom 300 200 1.15",
        "repeat 20 pan 300 200 -2 1",
        "drag box 200 150 400 300 5 steps",
        "drag limits 655 60 655 120 8 steps",
        "map magma",
        "key i",
        "norm power:0.5",
        "annotations",
        "search method 12",
        "cancel",
        "cancel",
        "back",
        "size 640 420",
        "reduce max",
        "click 200 200",
        "zoom 250 250 2",
        "lose-device",
    ];
    // After each line the state is written and the view saved.
    let script: String = lines.iter().map(|l| format!("{l}\nwrite\nsave\n")).collect();
    std::fs::write(folder.path().join("script.txt"), script).unwrap();
    let run = display
        .program()
        .args(["view", path.to_str().unwrap(), "--script", "script.txt", "--json"])
        .current_dir(folder.path())
        .output();
    let run = run.unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(report["size"], serde_json::json!({"width": 640, "height": 420}));
    for (i, line) in (1..).zip(lines) {
        let (words, saved) =
            (folder.path().join(format!("sweep-{i}.toml")), folder.path().join(format!("sweep-{i}.png")));
        let drawn = folder.path().join("drawn.png");
        let run = bare().arg("render").arg(&words).arg("-o").arg(&drawn).output().unwrap();
        assert!(run.status.success(), "{line}");
        let [drawn, bytes] = [&drawn, &saved].map(|p| std::fs::read(p).unwrap());
        assert!(decode(&drawn) == decode(&bytes), "after '{line}': {}", words.display());
        let dpi = |png: &[u8]| png.windows(4).position(|w| w == b"pHYs").map(|at| png[at..at + 13].to_vec());
        assert!(dpi(&drawn).is_some() && dpi(&drawn) == dpi(&bytes), "after '{line}'");
        // The view says how it was made.
        let info = bare().arg("info").arg(&saved).output().unwrap();
        let text = String::from_utf8(info.stdout).unwrap();
        let said = format!("# picture written by gridscope {}, ", env!("CARGO_PKG_VERSION"));
        assert!(text.starts_with(&said) && text.contains("\nfile = \"scores.csv\"\n"), "{text}");
    }
    let last = Seen::read(&folder.path().join("sweep-17.toml"));
    assert_eq!(
        (
            last.figure.color.cmap.as_ref().map(Literal::text),
            last.figure.color.norm.as_ref().map(Literal::text)
        ),
        (Some("magma_r"), Some("power:0.5"))
    );
}

#[test]
fn files_are_read_again_with_other_flags_and_compared() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let rows = |f: fn(i32, i32) -> i32| -> String {
        let cells =
            (0..3).flat_map(|a| (0..4).map(move |b| format!("r{a}{b},{a},{b},{},{}\n", f(a, b), a - b)));
        format!("run,a,b,good,bad\n{}", cells.collect::<String>())
    };
    put("one.csv", &rows(|a, b| a * b));
    put("two.csv", &rows(|a, b| a + b));
    let steps = "read --x a --y b --value good\nwrite\ncompare two.csv\nwrite\nread --value bad\nwrite\nread --nosuch 1\nwrite\n\
                 open two.csv --x b --y a --value bad\nwrite\nsave-as my view.pdf\nsave-as my view.pdf\nsave-as two.csv\n\
                 prompt\ntype save-as typed.svg\nenter\nread --vmin 1\nread --vmin 2\nwrite\n";
    put("script.txt", steps);
    let run = display
        .program()
        .args(["view", "one.csv", "--script", "script.txt", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let data = |name: &str| Seen::read(&folder.path().join(name)).figure.data;
    let list = |text: &str| Some(text.into());
    let [columns, compared, again, refused] =
        ["one-1.toml", "one-2.toml", "one-3.toml", "one-4.toml"].map(data);
    assert_eq!((&columns.x, &columns.y, &columns.value), (&list("a"), &list("b"), &list("good")));
    assert!(columns.against.is_none() && compared.against.is_some() && compared.x == columns.x);
    assert_eq!((&again.value, &again.against), (&list("bad"), &compared.against));
    assert_eq!(refused, again, "a flag that does not exist changes nothing");
    let other = data("two-1.toml");
    assert_eq!((&other.x, &other.value, other.against), (&list("b"), &list("bad"), None));
    // A line of the prompt does the same, and a later flag takes the place of an earlier one.
    assert!(folder.path().join("typed.svg").is_file());
    let last = Seen::read(&folder.path().join("two-2.toml")).figure;
    assert_eq!((last.color.vmin, last.data.x), (Some(2.0), list("b")));
    let pdf = std::fs::read(folder.path().join("my view.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    assert!(
        std::fs::read_to_string(folder.path().join("two.csv")).unwrap().starts_with("run,a,b,good,bad\n")
    );
}
