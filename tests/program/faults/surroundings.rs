//! Without fonts, home, locale or terminal, outputs are the same bytes.

use super::TIDY;
use super::mount::unshare;
use crate::support::place::{MATRIX, Place};
use crate::support::program::ended;
use std::process::Command;

const NUMBERS: (&str, &str) =
    ("n.csv", "x,y,v\n0.5,1.25,1234567.5\n1.5,1.25,-0.001\n0.5,2.25,1e-9\n1.5,2.25,2.5\n");
const FLAGS: &str = "n.csv --x x --y y --value v";

/// A change of the environment of a run.
type Change<'a> = &'a dyn Fn(&mut Command);

/// The messages, picture and export of a run.
fn results(change: Change) -> Vec<Vec<u8>> {
    let p = Place::new(&[NUMBERS]);
    let lines = [
        "info IN",
        "info IN --json",
        "export IN -o -",
        "render IN -o - --annot on --backend cpu",
        "render IN -o - --format svg",
    ];
    let run = |line: &&str| {
        let line = line.replace("IN", FLAGS);
        let mut command = p.command(&line.split(' ').collect::<Vec<_>>());
        change(&mut command);
        let ran = ended(&mut command);
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{line}: {}", ran.err);
        ran.out
    };
    let mut out: Vec<Vec<u8>> = lines.iter().map(run).collect();
    // What could not be drawn is reported on standard error, in the same words.
    let mut command = p.command(&["render", "none.csv", "-o", "a.png"]);
    change(&mut command);
    out.push(ended(&mut command).err.into_bytes());
    out
}

#[test]
fn no_home_locale_or_terminal_changes_a_byte() {
    let plain = results(&|_| ());
    let text = String::from_utf8(plain[0].clone()).unwrap();
    assert!(text.contains("1234567.5") && text.contains("0.5, 1.5"), "{text}");
    assert!(String::from_utf8_lossy(&plain[2]).contains("1234567.5"));
    let german: Change = &|c| {
        for name in ["LANG", "LC_ALL", "LC_NUMERIC", "LC_CTYPE", "LANGUAGE"] {
            c.env(name, "de_DE.UTF-8");
        }
    };
    let cases: [(&str, Change); 7] = [
        ("nothing", &|c| _ = c.env_clear()),
        ("German", german),
        ("C", &|c| _ = c.env("LC_ALL", "C").env("LANG", "C")),
        ("no home", &|c| {
            _ = c
                .env_remove("HOME")
                .env_remove("XDG_CONFIG_HOME")
                .env_remove("XDG_CACHE_HOME")
                .env_remove("XDG_DATA_HOME");
        }),
        ("a home that is not there", &|c| {
            _ = c.env("HOME", "/nonexistent/home").env("XDG_CONFIG_HOME", "/nonexistent/config");
        }),
        ("a dumb terminal", &|c| {
            _ = c.env("TERM", "dumb").env("NO_COLOR", "1").env_remove("COLORTERM");
        }),
        ("much colour", &|c| {
            _ = c.env("TERM", "xterm-256color").env("CLICOLOR_FORCE", "1").env("COLORTERM", "truecolor");
        }),
    ];
    for (name, change) in cases {
        assert!(results(change) == plain, "{name}");
    }
}

#[test]
fn no_font_of_the_system_is_needed() {
    let hide = |c: &mut Command| {
        for name in ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_DATA_HOME", "XDG_DATA_DIRS"] {
            c.env(name, "/nonexistent");
        }
    };
    let plain = results(&|_| ());
    assert!(results(&hide) == plain);
    // If fonts can be hidden, also without any.
    let Some(flags) = unshare() else { return };
    let p = Place::new(&[MATRIX]);
    p.ends(0, "render m.csv -o wanted.png -q --title Fonts");
    let script = "for d in /usr/share/fonts /usr/local/share/fonts /etc/fonts; do [ ! -d $d ] || mount -t tmpfs tmpfs $d || exit 99; done
        exec \"$0\" render m.csv -o a.png -q --title Fonts";
    let mut command = Command::new("unshare");
    command.args(flags).args(["sh", "-c", script, env!("CARGO_BIN_EXE_gridscope")]).current_dir(p.folder());
    assert_eq!(ended(&mut command).code, Some(0));
    assert!(p.read("a.png") == p.read("wanted.png"));
}

#[test]
fn a_file_that_is_not_a_font_is_refused_by_name() {
    let p = Place::new(&[MATRIX, ("junk.ttf", "no font at all"), ("empty.otf", "")]);
    let font = include_bytes_of_a_font();
    std::fs::write(p.path("cut.ttf"), &font[..font.len().min(3000)]).unwrap();
    for name in ["junk.ttf", "empty.otf", "none.ttf", ".", "Helvetica", "cut.ttf"] {
        let err = p.ends(3, &format!("render m.csv -o a.png --font {name}")).err;
        assert!(err.starts_with(&format!("error: {name}: ")), "{err}");
    }
    assert!(p.names().iter().all(|n| n.ends_with('f') || n == "m.csv"), "{:?}", p.names());
}

/// The embedded font.
fn include_bytes_of_a_font() -> Vec<u8> {
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    let mut folders = vec![std::path::PathBuf::from(assets)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|e| e == "ttf" || e == "otf") => {
                    return std::fs::read(path).unwrap();
                }
                _ => {}
            }
        }
    }
    panic!("no font among the assets");
}

#[test]
fn warnings_are_the_same_without_a_terminal() {
    let p = Place::new(&[TIDY]);
    let say = |change: Change| {
        let mut command =
            p.command(&["render", "t.csv", "--x", "x", "--y", "y", "--value", "v", "-o", "a.png"]);
        change(&mut command);
        ended(&mut command).err
    };
    let plain = say(&|_| ());
    assert!(plain.contains("warning[absent]") && !plain.contains('\u{1b}'), "{plain}");
    assert_eq!(say(&|c| _ = c.env_clear()), plain);
    assert_eq!(say(&|c| _ = c.env("TERM", "dumb").env("NO_COLOR", "1").env("LC_ALL", "de_DE.UTF-8")), plain);
}
