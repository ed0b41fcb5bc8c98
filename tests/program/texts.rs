//! Texts of the user and of data in a figure: line breaks, formulas, fonts of the machine.

use crate::support::place::Place;
use resvg::usvg::roxmltree;
use serde_json::Value;

const TABLE: &str = "lr,layer,$loss$\n$a$,x_1,1\nb,x_1,2\n$a$,x_2,3\nb,x_2,4\n";

/// The texts of an SVG, the parts of a formula joined.
fn texts(place: &Place, name: &str) -> Vec<String> {
    let file = String::from_utf8(place.read(name)).unwrap();
    let parsed = roxmltree::Document::parse(&file).unwrap();
    let all = parsed.descendants().filter(|n| n.has_tag_name("text"));
    let content = |n: roxmltree::Node<'_, '_>| {
        let parts = n.descendants().filter_map(|d| d.text().filter(|_| d.is_text()));
        parts.collect::<String>().replace('\u{205f}', " ")
    };
    all.map(content).collect()
}

fn lint(place: &Place, report: &str, name: &str) -> Option<String> {
    let report = place.json(report);
    let all = report["lints"].as_array().unwrap();
    let found = all.iter().find(|l| l["name"] == name)?;
    found["text"].as_str().map(str::to_owned)
}

#[test]
fn the_users_texts_have_formulas_and_line_breaks_and_the_data_have_none() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let args = [
        "render",
        "t.csv",
        "--x",
        "lr",
        "--y",
        "layer",
        "--value",
        "$loss$",
        "--title",
        r"Loss at $10^{-3}$\nof $\nu$",
        "--xlabel",
        "first\nsecond",
        "--note",
        "one\ntwo",
        "--annot",
        r"$\pm${value:d}\n$n_1$",
        "-o",
        "o.svg",
        "--json=o.json",
    ];
    place.ends(0, &args);
    let found = texts(&place, "o.svg");
    for text in ["Loss at 10−3", "of ν", "first", "second", "one", "two", "±4", "n1", "$loss$", "$a$", "x_1"]
    {
        assert!(found.iter().any(|t| t == text), "{text}: {found:?}");
    }
    assert_eq!(lint(&place, "o.json", "mathtext"), None);
}

#[test]
fn labels_in_place_of_keys_have_formulas() {
    let figure = "title = \"a\\nb\"\n[data]\nfile = \"t.csv\"\nx = \"lr\"\ny = \"layer\"\nvalue = \"$loss$\"\n[y.labels]\nx_1 = \"$\\\\alpha_2$\"\n";
    let place = Place::new(&[("t.csv", TABLE), ("f.toml", figure)]);
    place.ends(0, "render f.toml -o o.svg");
    let found = texts(&place, "o.svg");
    for text in ["a", "b", "α2", "x_2", "$a$"] {
        assert!(found.iter().any(|t| t == text), "{text}: {found:?}");
    }
}

#[test]
fn a_formula_that_is_not_understood_is_drawn_as_written() {
    let place = Place::new(&[("t.csv", TABLE)]);
    let args = [
        "render",
        "t.csv",
        "--x",
        "lr",
        "--y",
        "layer",
        "--value",
        "$loss$",
        "--title",
        r"$\foo{x}$ in $",
        "-o",
        "o.svg",
        "--deny",
        "mathtext",
        "--json=o.json",
    ];
    place.ends(6, &args);
    assert!(texts(&place, "o.svg").iter().any(|t| t == r"$\foo{x}$ in $"));
    let text = lint(&place, "o.json", "mathtext").unwrap();
    assert!(text.starts_with(r"$\foo{x}$ is not understood"), "{text}");
}

/// The embedded font under another name, with characters from U+4E00 on.
fn further_font() -> Vec<u8> {
    let mut bytes = include_bytes!("../../assets/DejaVuSans.ttf").to_vec();
    let group = [0, 0, 0x4d, 0xc0, 0, 0, 0x4d, 0xff];
    let at = bytes.windows(8).position(|w| w == group).unwrap();
    bytes[at + 6..at + 8].copy_from_slice(&[0x4e, 0x7f]);
    for at in 0..bytes.len() - 12 {
        if bytes[at..].starts_with(b"D\0e\0j\0a\0V\0u") {
            bytes[at] = b'T';
        }
    }
    bytes
}

#[test]
fn fonts_of_the_machine_have_what_the_embedded_one_lacks() {
    let place = Place::new(&[("m.csv", "0,1\n2,3\n")]);
    place.write("share/fonts/deep/further.ttf", further_font());
    place.write("share/fonts/broken.otf", b"OTTO\xff\xff\xff\xff\xff\xff");
    let run = |more: &str| {
        let mut command = place.command(&format!("render m.csv --title 中 -o o.svg --json=o.json {more}"));
        command.env("XDG_DATA_DIRS", place.path("share"));
        assert!(command.status().unwrap().success());
        lint(&place, "o.json", "missing-glyphs")
    };
    let text = run("--system-fonts off").unwrap();
    assert!(
        text.starts_with("1 characters have no glyph and appear as boxes; hint: --system-fonts on ("),
        "{text}"
    );
    assert!(text.ends_with(" on this machine has them), or --font FILE"), "{text}");
    for asked in ["", "--system-fonts on", "--system-fonts"] {
        assert_eq!(run(asked), None);
    }
    let report: Value = place.json("o.json");
    assert!(report["lints"].as_array().is_some());
}
