//! The preview in pixels: what is asked of a terminal, what its answers lead to, and that the picture is that of `render`.

use crate::support::image::decode;
use crate::support::place::{MATRIX, Place};
use crate::support::required;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gridscope::{Color, Image};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const KITTY: &str = "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\";
const FILES: &str = "\u{1b}]1337;Capabilities\u{1b}\\";
const POINTS: &str = "\u{1b}]1337;ReportCellSize\u{1b}\\";
const CELL: &str = "\u{1b}[16t";
const COLOURS: &str = "\u{1b}[?1;1;0S";
const LAST: &str = "\u{1b}[c";
/// The answer of a terminal without sixels.
const PLAIN: &str = "\u{1b}[?62;22c";
/// A figure whose size the terminal does not change: of 512 x 256 pixels at 128 per inch, where a character has 20 lines.
const FIGURE: &str = "m.csv --width 4in --height 2in";

/// A terminal of 80 x 24 characters, in a folder.
struct Fake<'a> {
    answers: &'a [(&'a str, &'a str)],
    before: &'a str,
    signal: &'a str,
    background: bool,
    term: &'a str,
}

impl Default for Fake<'_> {
    fn default() -> Self {
        Self { answers: &[(LAST, PLAIN)], before: "", signal: "", background: false, term: "xterm-256color" }
    }
}

/// What became of the program in a terminal.
struct Shown {
    printed: String,
    code: i64,
    rest: String,
}

impl Shown {
    fn has_blocks(&self) -> bool {
        self.printed.contains('▀')
    }

    /// The PNG of kitty's protocol.
    fn kitty(&self) -> Option<Image> {
        let (_, after) = self.printed.split_once("\u{1b}_Gf=100,a=T,q=2,C=1,c=52,r=13,")?;
        let mut text = String::new();
        for part in after.split("\u{1b}_G") {
            let (keys, data) = part.split_once("\u{1b}\\")?.0.split_once(';')?;
            text.push_str(data);
            if keys.ends_with("m=0") {
                break;
            }
        }
        Some(png(&text))
    }

    /// The PNG of an inline image of iTerm2, and its arguments.
    fn iterm2(&self) -> Option<(&str, Image)> {
        let (_, after) = self.printed.split_once("\u{1b}]1337;File=")?;
        let (arguments, text) = after.split_once('\u{7}')?.0.split_once(':')?;
        Some((arguments, png(text)))
    }

    /// The sixels without their frame.
    fn sixels(&self) -> Option<&str> {
        let (_, after) = self.printed.split_once("\u{1b}P0;1;0q")?;
        Some(after.split_once("\u{1b}\\")?.0)
    }
}

fn png(base64: &str) -> Image {
    decode(&STANDARD.decode(base64).unwrap())
}

/// Runs a line in a terminal, which must have its mode afterwards; `None` without Python.
fn shown(p: &Place, line: &str, fake: &Fake<'_>) -> Option<Shown> {
    let program = p.command(line);
    let words: Vec<_> = std::iter::once(program.get_program()).chain(program.get_args()).collect();
    let told = json!({
        "command": words.iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>(),
        "size": [80, 24, 10, 20],
        "answers": fake.answers,
        "before": fake.before,
        "signal": fake.signal,
        "background": fake.background,
    });
    let mut python = Command::new("python3");
    python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/terminal.py")).current_dir(p.folder());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    for name in ["NO_COLOR", "COLUMNS", "LINES"] {
        python.env_remove(name);
    }
    python.env("TERM", fake.term).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match python.spawn() {
        Ok(child) => child,
        Err(e) if required::tools() => panic!("python3: {e}"),
        Err(_) => return None,
    };
    child.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
    let ran = child.wait_with_output().unwrap();
    let report = String::from_utf8(ran.stderr).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap_or_else(|_| panic!("{report}"));
    assert_eq!(report["restored"], true, "{report}");
    Some(Shown {
        printed: String::from_utf8(ran.stdout).unwrap(),
        code: report["code"].as_i64().unwrap(),
        rest: report["rest"].as_str().unwrap().to_owned(),
    })
}

/// Whether the picture is that of `render` on a white ground of 520 x 260 pixels.
fn is_rendered(p: &Place, picture: &Image) -> bool {
    p.ends(0, &format!("render {FIGURE} --dpi 128 -o want.png"));
    let want = decode(&p.read("want.png"));
    assert_eq!((want.width, want.height, picture.width, picture.height), (512, 256, 520, 260));
    (0..260).all(|y| {
        (0..520).all(|x| {
            let wanted = if x < 512 && y < 256 { want.at(x, y) } else { Color::WHITE };
            picture.at(x, y) == wanted
        })
    })
}

#[test]
fn a_terminal_that_shows_pixels_gets_the_rendered_figure() {
    let p = Place::new(&[MATRIX]);
    let kitty = [(KITTY, "\u{1b}_Gi=31;OK\u{1b}\\"), (CELL, "\u{1b}[6;20;10t"), (LAST, PLAIN)];
    let Some(shown_by_kitty) = shown(&p, FIGURE, &Fake { answers: &kitty, ..Fake::default() }) else {
        return;
    };
    assert!(is_rendered(&p, &shown_by_kitty.kitty().unwrap()));
    // The lines of the picture are made before it, and the cursor ends below them.
    let (info, _) = shown_by_kitty.printed.split_once("\u{1b}[13A\u{1b}7").unwrap();
    assert!(info.ends_with(&"\r\n".repeat(13)) && shown_by_kitty.printed.ends_with("\u{1b}8\u{1b}[13B"));
    assert!(!shown_by_kitty.has_blocks() && shown_by_kitty.rest.is_empty());

    let features = "\u{1b}]1337;Capabilities=T3CwSxF\u{1b}\\";
    let points = "\u{1b}]1337;ReportCellSize=10.0;5.0;2.0\u{1b}\\";
    let iterm2 = [(FILES, features), (POINTS, points), (LAST, "\u{1b}[?62;4c")];
    let ran = shown(&p, FIGURE, &Fake { answers: &iterm2, ..Fake::default() }).unwrap();
    let (arguments, picture) = ran.iterm2().unwrap();
    assert!(is_rendered(&p, &picture) && arguments.ends_with(";width=52;height=13"), "{arguments}");

    let sixel = [(COLOURS, "\u{1b}[?1;0;16S"), (LAST, "\u{1b}[?62;4;22c")];
    let ran = shown(&p, FIGURE, &Fake { answers: &sixel, ..Fake::default() }).unwrap();
    let sixels = ran.sixels().unwrap();
    assert!(
        sixels.starts_with("\"1;1;520;260#0;2;") && sixels.contains("#15;2;") && !sixels.contains("#16;")
    );
    assert!(ran.rest.is_empty() && ran.code == 0);
}

#[test]
fn a_terminal_that_shows_none_gets_blocks() {
    let p = Place::new(&[MATRIX]);
    let error = [(KITTY, "\u{1b}_Gi=31;EINVAL:no\u{1b}\\"), (LAST, "\u{1b}[?1;2c")];
    let silent = [(LAST, "")];
    for answers in [&error[..], &silent] {
        let Some(ran) = shown(&p, "m.csv", &Fake { answers, ..Fake::default() }) else { return };
        assert!(ran.has_blocks() && ran.printed.contains(KITTY) && ran.code == 0);
        assert!(!ran.printed.contains(COLOURS) && ran.rest.is_empty());
    }
    // tmux would take kitty's question for a title.
    for term in ["tmux-256color", "screen.xterm"] {
        let ran = shown(&p, "m.csv", &Fake { term, ..Fake::default() }).unwrap();
        assert!(ran.has_blocks() && ran.printed.contains(LAST) && !ran.printed.contains(KITTY));
    }
    // A figure that does not fit the terminal.
    let sixel = Fake { answers: &[(LAST, "\u{1b}[?62;4c")], ..Fake::default() };
    let labels: String = (0..4).map(|i| format!(",{}{i}", "column".repeat(40))).collect();
    p.write("wide.csv", format!("r{labels}\na,1,2,3,4\nb,2,3,4,5\n"));
    let ran = shown(&p, "wide.csv --font-size 60pt --width 3in", &sixel).unwrap();
    assert!(ran.has_blocks() && ran.code == 0, "{}", ran.printed);
}

#[test]
fn a_terminal_is_asked_only_where_its_answer_can_be_read() {
    let p = Place::new(&[MATRIX]);
    let sixel = [(LAST, "\u{1b}[?62;4c")];
    // Keys that wait are for the next program.
    let Some(ran) = shown(&p, "m.csv", &Fake { before: "ls", answers: &sixel, ..Fake::default() }) else {
        return;
    };
    assert!(ran.has_blocks() && !ran.printed.contains(LAST) && ran.rest == "ls");
    let ran = shown(&p, "m.csv", &Fake { background: true, answers: &sixel, ..Fake::default() }).unwrap();
    assert!(ran.has_blocks() && !ran.printed.contains(LAST));
    for (line, blocks) in [("--preview never", false), ("--preview blocks", true)] {
        let ran = shown(&p, &format!("m.csv {line}"), &Fake { answers: &sixel, ..Fake::default() }).unwrap();
        assert!(ran.has_blocks() == blocks && !ran.printed.contains(LAST), "{line}");
    }
    let ran = shown(&p, &format!("{FIGURE} --preview kitty"), &Fake { answers: &sixel, ..Fake::default() })
        .unwrap();
    assert!(is_rendered(&p, &ran.kitty().unwrap()) && !ran.printed.contains(LAST));
}

#[test]
fn a_run_that_is_ended_meanwhile_leaves_the_terminal_as_it_was() {
    let p = Place::new(&[MATRIX]);
    let Some(ran) = shown(&p, "m.csv", &Fake { signal: "SIGTERM", ..Fake::default() }) else { return };
    assert!(ran.code == 143 && !ran.has_blocks() && ran.rest.is_empty());
    let key = format!("\u{3}{PLAIN}");
    let ran = shown(&p, "m.csv", &Fake { answers: &[(LAST, &key)], ..Fake::default() }).unwrap();
    assert!(ran.code == 130 && !ran.has_blocks() && ran.rest.is_empty());
}

#[test]
fn a_chosen_way_needs_no_terminal() {
    let p = Place::new(&[MATRIX]);
    let printed = |way: &str| {
        let mut command = p.command(&format!("{FIGURE} --preview {way}"));
        command.env_remove("NO_COLOR").env("TERM", "xterm").stdout(Stdio::piped());
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        Shown { printed: out, code: 0, rest: String::new() }
    };
    assert!(is_rendered(&p, &printed("kitty").kitty().unwrap()));
    assert!(is_rendered(&p, &printed("iterm2").iterm2().unwrap().1));
    assert!(printed("sixel").sixels().unwrap().starts_with("\"1;1;520;260#"));
    assert!(printed("blocks").has_blocks() && printed("always").has_blocks());
    let none = printed("auto");
    assert!(!none.has_blocks() && !none.printed.contains('\u{1b}'));
    for way in ["always", "blocks", "kitty"] {
        p.ends(2, &format!("m.csv --json --preview {way}"));
    }
    p.ends(0, "m.csv --json --preview never");
}

#[test]
fn a_picture_fills_its_part_of_the_terminal() {
    let p = Place::new(&[MATRIX]);
    let rows: String = (0..150).map(|i| format!("task {i},{i},1\n")).collect();
    p.write("long.csv", format!("name,a,b\n{rows}"));
    p.write("flat.csv", format!("{}\n", (0..40).map(|i| i.to_string()).collect::<Vec<_>>().join(",")));
    let size = |file: &str, columns: &str, lines: &str| {
        let mut command = p.command(&format!("{file} --preview sixel"));
        command.env_remove("NO_COLOR").envs([("TERM", "xterm"), ("COLUMNS", columns), ("LINES", lines)]);
        let out = String::from_utf8(command.stdout(Stdio::piped()).output().unwrap().stdout).unwrap();
        let ran = Shown { printed: out, code: 0, rest: String::new() };
        let numbers: Vec<u32> =
            ran.sixels()?.split(['"', ';', '#']).skip(1).take(4).map(|n| n.parse().unwrap()).collect();
        Some([numbers[2] / 10, numbers[3] / 20])
    };
    for (columns, lines, high) in [(80, 24, 22), (60, 24, 22), (200, 50, 33), (200, 30, 22), (80, 100, 66)] {
        for file in ["m.csv", "long.csv", "flat.csv"] {
            let [w, h] = size(file, &columns.to_string(), &lines.to_string()).unwrap();
            let place = format!("{file}: {w} x {h} of {columns} x {high}");
            assert!(w <= columns && h <= high, "{place}");
            assert!(w * 10 >= columns * 9 || h * 10 >= high * 9, "{place}");
        }
    }
    // No room for a figure.
    assert_eq!(size("m.csv", "2", "3"), None);
}
