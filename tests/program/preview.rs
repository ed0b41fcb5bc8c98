//! The preview below the output of `info`: when it appears, and that it has the colours of the picture.

use crate::support::place::{MATRIX, Place};
use gridscope::Colormap;
use std::process::{Output, Stdio};

impl Place {
    /// Runs a line as in a wide terminal with 24-bit colours.
    fn shown(&self, line: &str, vars: &[(&str, &str)]) -> Output {
        let mut command = self.command(line);
        command.env_remove("NO_COLOR").envs([
            ("COLORTERM", "truecolor"),
            ("TERM", "xterm"),
            ("COLUMNS", "16"),
            ("LINES", "24"),
        ]);
        command.envs(vars.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
    }

    /// The lines that the preview adds to those of `info`.
    fn preview(&self, line: &str, vars: &[(&str, &str)]) -> Vec<String> {
        let (info, shown) = (
            self.shown(&format!("info {line}"), vars),
            self.shown(&format!("{line} --preview always"), vars),
        );
        assert!(
            info.status.success() && shown.status.success(),
            "{}",
            String::from_utf8_lossy(&shown.stderr)
        );
        assert_eq!(info.stderr, shown.stderr);
        let added = shown.stdout.strip_prefix(info.stdout.as_slice()).unwrap();
        String::from_utf8_lossy(added).lines().map(str::to_owned).collect()
    }
}

const TIDY: (&str, &str) = ("t.csv", "x,y,v,p\n1,1,0,a\n2,2,1,a\n1,1,3,b\n2,1,3,b\n");
const KEYS: &str = "--x x --y y --value v --panel p --allow absent";

/// The code `38;2;…` or `48;2;…` for an entry of viridis.
fn code(ground: u8, entry: usize) -> String {
    let [r, g, b, _] = Colormap::named("viridis").unwrap().entries[entry].rgba();
    format!("{ground};2;{r};{g};{b}")
}

/// A line of blocks of eight characters, each with one entry above and one below.
fn line(entries: [usize; 2]) -> String {
    let block = |e: usize| format!("\u{1b}[{};{}m{}", code(38, e), code(48, e), "▀".repeat(8));
    format!("{}\u{1b}[0m", entries.map(block).concat())
}

#[test]
fn colours_are_those_of_the_picture() {
    let p = Place::new(&[MATRIX]);
    let (upper, lower) = (line([0, 85]), line([170, 255]));
    let want: Vec<String> = (0..8).map(|i| if i < 4 { upper.clone() } else { lower.clone() }).collect();
    assert_eq!(p.preview("m.csv", &[]), want);
    assert_eq!(p.preview("m.csv --origin lower", &[])[0], lower);
    assert_eq!(p.preview("m.csv --vmin -3 --vmax 0", &[])[7], uniform(255));
    let low = p.preview("m.csv", &[("COLORTERM", "")]);
    assert!(low.len() == 8 && low[0].starts_with("\u{1b}[38;5;53;48;5;53m▀"), "{:?}", low[0]);
}

/// A line of 16 characters of one entry.
fn uniform(entry: usize) -> String {
    format!("\u{1b}[{};{}m{}\u{1b}[0m", code(38, entry), code(48, entry), "▀".repeat(16))
}

#[test]
fn many_cells_are_reduced_as_asked() {
    let rows: Vec<String> = (0..64)
        .map(|r| {
            (0..64).map(|c| (usize::from((r, c) == (9, 5)) * 255).to_string()).collect::<Vec<_>>().join(",")
        })
        .collect();
    let p = Place::new(&[("big.csv", &rows.join("\n"))]);
    // A pixel covers 4 x 4 cells, and the cell of 255 is in row 2, column 1 of the pixels: the mean is 15.9, entry 16.
    let mean = format!("\u{1b}[{}m▀", code(38, 16));
    let max = p.preview("big.csv --reduce max", &[]);
    assert_eq!(
        max[1],
        format!(
            "\u{1b}[{0};{1}m▀\u{1b}[{2}m▀\u{1b}[{0}m{3}\u{1b}[0m",
            code(38, 0),
            code(48, 0),
            code(38, 255),
            "▀".repeat(14)
        )
    );
    assert!(p.preview("big.csv", &[])[1].contains(&mean));
}

#[test]
fn panels_share_limits_and_have_their_names() {
    let p = Place::new(&[TIDY]);
    let lines = p.preview(&format!("t.csv {KEYS}"), &[]);
    assert_eq!((lines.len(), lines[0].as_str(), lines[9].as_str()), (18, "a", "b"));
    // Absent cells show the terminal's background; 0 and 1 of 0..3 are in panel a, 3 in panel b.
    assert_eq!(
        lines[1],
        format!("\u{1b}[{};{}m▀▀▀▀▀▀▀▀\u{1b}[49m        \u{1b}[0m", code(38, 0), code(48, 0))
    );
    assert_eq!(lines[8], format!("        \u{1b}[{};{}m▀▀▀▀▀▀▀▀\u{1b}[0m", code(38, 85), code(48, 85)));
    assert_eq!(lines[10], uniform(255));
    assert_eq!(p.preview(&format!("t.csv {KEYS} --scale panel"), &[])[10], uniform(0));
    let rows: String = (0..5).map(|i| format!("1,1,{i},p{i}\n")).collect();
    p.write("t.csv", format!("x,y,v,p\n{rows}"));
    let lines = p.preview(&format!("t.csv {KEYS}"), &[]);
    assert_eq!((lines.len(), lines[36].as_str()), (4 * 9 + 1, "… 4 of 5 panels"));
}

#[test]
fn it_appears_only_where_it_should_and_reports_why_not() {
    let p = Place::new(&[MATRIX]);
    let info = p.shown("info m.csv", &[]).stdout;
    for line in ["m.csv", "m.csv --preview auto", "m.csv --preview never"] {
        assert_eq!(p.shown(line, &[]).stdout, info, "{line}");
    }
    for (line, vars, why) in [
        ("m.csv", ("NO_COLOR", "1"), "NO_COLOR is set"),
        ("m.csv", ("TERM", "dumb"), "TERM is dumb"),
        ("m.csv --vmin 5 --vmax 1", ("TERM", "xterm"), "vmin"),
    ] {
        let ran = p.shown(&format!("{line} --preview always"), &[vars]);
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success() && ran.stdout == info, "{line}");
        assert!(
            err.starts_with("note: no preview: ") && err.contains(why) && err.lines().count() == 1,
            "{err}"
        );
        assert!(p.shown(&format!("{line} --preview always --quiet"), &[vars]).stderr.is_empty());
    }
    assert_eq!(p.shown("m.csv --json --preview always", &[]).status.code(), Some(2));
    let report = p.shown("m.csv --json", &[]).stdout;
    assert!(report == p.shown("info m.csv --json", &[]).stdout && report.starts_with(b"{"));
    assert_eq!(p.shown("info m.csv --preview always", &[]).status.code(), Some(2));
}
