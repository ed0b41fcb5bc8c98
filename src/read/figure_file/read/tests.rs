//! Tests of reading figure files.

use super::*;
use gridscope_core::figure::BarPlace;
use gridscope_random::Random;

fn toml(text: &str) -> Result<Figure, String> {
    read_figure(text.as_bytes(), "f", Format::Toml).map_err(|e| e.to_string())
}

fn json(text: &str) -> Result<Figure, String> {
    read_figure(text.as_bytes(), "f", Format::Json).map_err(|e| e.to_string())
}

#[test]
fn both_formats_read_the_same_figure() {
    let t = "title = \"T\"\n[data]\nfile = 'a.csv'\nx = ['m', 'k']\nwhere = \"a = 1\"\n[color]\nbar = 'bottom'\n[panels.ECE]\nmark = 'min'\n";
    let j = "\u{feff}{\"title\": \"T\", \"data\": {\"file\": \"a.csv\", \"x\": [\"m\", \"k\"], \"where\": \"a = 1\"},
        \"color\": {\"bar\": \"bottom\"}, \"panels\": {\"ECE\": {\"mark\": \"min\"}}}";
    let f = toml(t).unwrap();
    assert_eq!(f, json(j).unwrap());
    assert_eq!((f.color.bar, f.panels["ECE"].mark.clone()), (Some(BarPlace::Bottom), "min".parse().ok()));
    assert_eq!(toml("").unwrap(), Figure::default());
}

#[test]
fn faults_have_line_column_and_the_nearest_word() {
    for (text, want) in [
        ("title = 'a'\ncolums = 2\n", "f: line 2, column 1: unknown key 'colums'; did you mean 'columns'?"),
        ("[color]\nvmni = 2\n", "f: line 2, column 1: unknown key 'vmni'; did you mean 'vmin'?"),
        ("vmax = 2\n", "f: line 1, column 1: unknown key 'vmax'; it belongs in [color]"),
        (
            "[size]\ntitle = 'a'\n",
            "f: line 2, column 1: unknown key 'title'; it belongs at the top, before any table",
        ),
        ("qqq = 1", "f: line 1, column 1: unknown key 'qqq'"),
        (
            "[color]\nbar = 'botom'\n",
            "f: line 2, column 7: 'botom' is none of right, bottom, none, blank, only; did you mean 'bottom'?",
        ),
        ("[color]\nunder = 'blakc'\n", "f: line 2, column 9: color.under: 'blakc' is not a colour"),
        ("[panels.\"a.b\"]\nover = '#12'\n", "f: line 2, column 8: panels.a.b.over: '#12' is not a colour"),
        ("columns = 'two'", "f: line 1, column 11: invalid type"),
        ("x = 1", "f: line 1, column 5: 'x' must be a table, not a number"),
        (
            "margin = ['rows:mean', 'rows:avg']",
            "f: line 1, column 10: margin: 'rows:avg' is not a margin: 'avg' is none of mean, min, max, sum, count, std, minmax",
        ),
        ("reverse = ['x', 'z']", "f: line 1, column 11: reverse: 'z' is none of x, y"),
        ("columns = -1", "f: line 1, column 11: columns: invalid value"),
        (
            "[data]\nmin_count = 0",
            "f: line 2, column 13: data.min_count: invalid value: integer `0`, expected a whole number from 1",
        ),
        ("[data]\nbetter = 'up'", "f: line 2, column 10: 'up' is none of higher, lower"),
        ("[color]\nvmin = 1e999", "f: line 2, column 8: "),
        ("[color]\nvmin = inf", "f: line 2, column 8: 'color.vmin' must be finite"),
        ("[x]\ndomain = [1, nan]", "f: line 2, column 10: 'x.domain' must be finite"),
        ("data = ['a.csv']", "f: line 1, column 8: 'data' must be a table, not a list"),
        ("[panels]\nA = []", "f: line 2, column 5: 'panels.A' must be a table, not a list"),
        ("[strip]\naxis = 'x'", "f: line 1, column 1: key 'column' is missing"),
        ("title = 'a'\ntitle = 'b'", "f: line 2, column 1: duplicate key 'title'"),
        ("[[data]]\n", "f: line 1, column 1: "),
        ("[x]\norder = { a = 1 }", "f: line 2, column 9: x.order: wrong type: expected a text or a list"),
        ("[lints]\ndeny = ['clip']", "f: line 2, column 8: lints.deny: 'clip' is not the name of a lint"),
    ] {
        let e = toml(text).expect_err(text);
        assert!(e.starts_with(want), "{e}\n{want}");
    }
}

#[test]
fn every_written_value_is_refused_at_its_place() {
    for (table, key, value, reason) in [
        ("color", "cmap", "nope", "'nope' is not a colormap"),
        ("color", "norm", "symlog", "'symlog' is not a norm"),
        ("color", "masked", "blakc", "'blakc' is not a colour"),
        ("size", "width", "3parsecs", "'3parsecs' is not a length"),
        ("view", "rows", "5:1", "'5:1' is not a range A:B of cells"),
        ("view", "around", "peak", "'peak' is not a place in the grid"),
        ("view", "x", "5:1", "'5:1' is not a part A:B of an axis"),
        ("annotations", "fmt", "zz", "'zz' is not a number format"),
        ("data", "agg", "q101", "'q101' is not an aggregate"),
        ("annotations", "show", "{std(a}", "'{std(a}' is not an annotation: character 1"),
        ("color", "fmt", "zz", "'zz' is not a number format"),
        ("x", "fmt", "zz", "'zz' is not a format of labels"),
        ("y", "fmt", "%Q", "'%Q' is not a time format"),
        ("annotations", "show", "maybe", "'maybe' is not an annotation"),
    ] {
        let text = format!("[{table}]\n{key} = '{value}'");
        let e = read_figure(text.as_bytes(), "f", Format::Toml).unwrap_err();
        let want = format!("f: line 2, column {}: {table}.{key}: {reason}", key.len() + 4);
        assert!(e.to_string().starts_with(&want), "{e}\n{want}");
        let usage = matches!(key, "rows" | "around");
        assert_eq!(e.kind == ErrorKind::Usage, usage, "{e}");
    }
}

#[test]
fn json_faults_too() {
    for (text, want) in [
        (
            "{\"title\": \"a\",\n \"colums\": 2}",
            "f: line 2, column 2: unknown key 'colums'; did you mean 'columns'?",
        ),
        ("{\"title\": \"a\", \"title\": \"b\"}", "f: line 1, column 16: duplicate key 'title'"),
        ("{\"x\": {\"labels\": {\"a\": \"b\", \"a\": \"c\"}}}", "f: line 1, column 29: duplicate key 'a'"),
        ("{\"panels\": {\"A\": {}, \"A\": {}}}", "f: line 1, column 22: duplicate key 'A'"),
        ("{\"color\": {\"vmin\": 1e999}}", "f: line 1, column 20: 'color.vmin' must be finite"),
        ("{\"size\": [1, 2]}", "f: line 1, column 10: 'size' must be a table, not a list"),
        (
            "{\"color\": {\n\"nan\": \"#gg0000\"}}",
            "f: line 2, column 8: color.nan: '#gg0000' is not a colour",
        ),
        ("[]", "f: line 1, column 1: expected '{'"),
        (" ", "f: line 1, column 2: empty"),
        ("{} x", "f: line 1, column 4: expected the end of the text, found 'x'"),
        ("{\"x\": {", "f: line 1, column 8: the text ends where a key in double quotes is expected"),
    ] {
        let e = json(text).expect_err(text);
        assert!(e.starts_with(want), "{e}\n{want}");
    }
    let title = json("{\"title\": null}").unwrap().title;
    assert_eq!(title, None);
}

#[test]
fn hostile_texts_are_refused_without_a_deep_stack() {
    for open in ["[", "{\"a\":", "{a=", "[{", "a=["] {
        let text = open.repeat(100_000);
        assert!(toml(&text).unwrap_err().contains("column"), "{open}");
        assert!(json(&text).unwrap_err().contains("column"), "{open}");
    }
    assert!(toml(&format!("x{} = 1", ".x".repeat(100_000))).is_err());
    assert!(toml(&format!("[x{}]\n", ".x".repeat(100_000))).is_err());
    assert!(json(&format!("{{\"{}\": 1}}", "k".repeat(100_000))).unwrap_err().len() < 200);
    let e = read_figure(b"title = '\xff'", "f", Format::Toml).unwrap_err().to_string();
    assert_eq!(e, "f: line 1, column 10: not UTF-8 at byte 9");
    let e = read_figure(b"\xff\xfet\0", "f", Format::Toml).unwrap_err().to_string();
    assert!(e.ends_with("this is UTF-16"), "{e}");
}

#[test]
fn damaged_texts_never_panic() {
    let good = "title = \"é\"\n[x]\nlabels = { a = 'β' }\n[color]\nvmin = 1.5 # c\n[[panels.A]]\n".as_bytes();
    let object =
        "{\"title\": \"é\\n\", \"x\": {\"labels\": {\"a\": \"β\"}}, \"color\": {\"vmin\": 1.5}, \"lints\": {\"deny\": []}}".as_bytes();
    let mut random = Random(7);
    for _ in 0..5_000 {
        for (text, format) in [(good, Format::Toml), (object, Format::Json)] {
            let mut text = text.to_vec();
            for _ in 0..2 {
                let at = random.below(text.len());
                text[at] = random.pick(b"[]{}\"'=:,.#\\\n 0e\x80\xc3");
            }
            let _ = read_figure(&text, "f", format);
        }
    }
}

#[test]
fn paths_start_at_the_file() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.txt"), "1").unwrap();
    let mut f =
        toml("font = 'f.ttf'\n[data]\nfile = ['a.csv', '-']\nmask = 'upper'\n[x]\nvalues = '0:1'\n[y]\nvalues = 'v.txt'").unwrap();
    resolve_paths(&mut f, dir.path());
    let at = |n: &str| dir.path().join(n).to_string_lossy().into_owned();
    assert_eq!(f.data.file.unwrap().0, [at("a.csv"), "-".to_owned()]);
    assert_eq!((f.font, f.y.values), (Some(at("f.ttf")), Some(at("v.txt"))));
    assert_eq!((f.data.mask, f.x.values.as_deref()), ("upper".parse().ok(), Some("0:1")));
}
