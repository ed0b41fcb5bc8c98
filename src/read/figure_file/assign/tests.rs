//! Tests of single keys.

use super::*;
use crate::figure_file::read::{Format, read_figure};

fn set(settings: &[&str]) -> Result<Figure, String> {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    assign(&Figure::default(), &settings).map_err(|e| e.to_string())
}

fn toml(text: &str) -> Figure {
    read_figure(text.as_bytes(), "f", Format::Toml).unwrap()
}

#[test]
fn a_setting_is_a_key_of_a_figure_file() {
    for (setting, text) in [
        ("title=Accuracy = 1", "title = 'Accuracy = 1'"),
        ("title=5", "title = '5'"),
        ("title=", "title = ''"),
        ("title='a '", "title = 'a '"),
        ("columns=3", "columns = 3"),
        ("share_x = false", "share_x = false"),
        ("color.vmin=-1e-3", "color.vmin = -1e-3"),
        ("color.cmap=Purples_r", "color.cmap = 'Purples_r'"),
        ("panels.ECE.cmap=Purples_r", "panels.ECE.cmap = 'Purples_r'"),
        ("panels.\"a.b\".vmax=2", "panels.'a.b'.vmax = 2"),
        ("panels.'a=b'.robust=true", "panels.'a=b'.robust = true"),
        ("x.labels.old=new", "x.labels.old = 'new'"),
        ("x.labels.\"1.5\"=3.0", "x.labels.'1.5' = '3.0'"),
        ("x.labels={a = 'b', c = 'd'}", "x.labels = {a = 'b', c = 'd'}"),
        ("x.domain=5:19", "x.domain = '5:19'"),
        ("x.domain=1,2.50,3", "x.domain = ['1', '2.50', '3']"),
        ("x.domain=[1, 2.5]", "x.domain = [1, 2.5]"),
        ("data.where=topic in a, b", "data.where = 'topic in a, b'"),
        ("data.where=['a = 1', 'b = 2']", "data.where = ['a = 1', 'b = 2']"),
        ("data.x=model,method", "data.x = ['model', 'method']"),
        ("lints.deny=nan,absent", "lints.deny = ['nan', 'absent']"),
        ("lints.deny=nan", "lints.deny = ['nan']"),
        ("size.width=400", "size.width = 400"),
        ("x.ticks=7", "x.ticks = 7"),
        ("y.order=alpha", "y.order = 'alpha'"),
    ] {
        assert_eq!(set(&[setting]), Ok(toml(text)), "{setting}");
    }
    let strip = ["strip.column=family", "strip.axis=y"];
    assert_eq!(set(&strip), Ok(toml("strip = {axis = 'y', column = 'family'}")));
    assert_eq!(set(&["columns=2", "columns=3"]), Ok(toml("columns = 3")));
}

#[test]
fn wrong_settings_are_named() {
    for (setting, wanted) in [
        ("color.cmap=nope", "color.cmap: 'nope' is not a colormap"),
        ("color.vmni=1", "unknown key 'vmni'; did you mean 'vmin'?"),
        ("annot=on", "unknown key 'annot'; here that is 'show' in [annotations]"),
        ("z=loss", "unknown key 'z'; here that is 'value' in [data]"),
        ("vmax=1", "unknown key 'vmax'; it belongs in [color]"),
        ("color.vmin=low", "invalid type"),
        ("color.vmin=inf", "'color.vmin' must be finite"),
        ("x.rotate=30", "labels turn by 0, 45 or 90 degrees, not 30"),
        ("columns=0", "columns must be 1 or more"),
        ("title.a=1", "invalid type"),
        ("color=red", "'color' must be a table, not a text"),
        ("strip.column=family", "key 'axis' is missing"),
        ("title", "no '='"),
        ("=1", "a key is empty"),
        ("x..label=1", "a key is empty"),
        ("panels.\"a.cmap=1", "no closing \""),
        ("panels.\"a\"b.cmap=1", "'b' after a quoted name"),
        ("", "no '='"),
    ] {
        let found = set(&[setting]).unwrap_err();
        assert!(found.starts_with(&format!("--set {setting}")) && found.contains(wanted), "{found}");
    }
    let dotted = assign(&Figure::default(), &["panels.a.b.cmap=viridis".to_owned()]).unwrap_err();
    assert!(dotted.hint.unwrap().contains("quoted"));
}

#[test]
fn what_is_not_set_stays() {
    let text = "title = 'T'\npanel_order = ['a', 'b']\n[x]\norder = ['k', 'l']\nlabels = {a = 'b'}\n[color]\nvmin = 0.1\nnorm = 'symlog:1'\n[panels.A]\nview_x = '1:2'\n[data]\nnodata = -9999\nwhere = ['a = 1']\n[lints]\nallow = ['nan']\n[size]\nheight = 'auto'";
    let figure = toml(text);
    let set = assign(&figure, &["columns=2".to_owned()]).unwrap();
    assert_eq!(set, Figure { columns: Some(2), ..figure });
}

#[test]
fn flags_are_plain_texts_and_hold_for_all_panels() {
    let given = |flag: &str, texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        (Word::named(flag).unwrap(), texts)
    };
    let figure = toml(
        "title = 'old'\n[color]\nvmin = 1\nfmt = '.1f'\n[panels.A]\nvmin = 2\nvmax = 3\nfmt = '.2f'\nview_x = '0:1'",
    );
    let flags = [
        given("vmin", &["-0.5"]),
        given("cbar-fmt", &["d"]),
        given("view-x", &["0:2"]),
        given("title", &["'a'\\nb "]),
        given("x", &["\"a,b\",c"]),
        given("y", &["\"a\""]),
        given("x-order", &["natural"]),
        given("y-order", &["\"natural\""]),
        given("where", &["a in b, c", "d = 1"]),
        given("transpose", &["true"]),
        given("raw", &["f32le", "4x5"]),
    ];
    let wanted = toml(
        "title = \"'a'\\nb \"
[data]
x = ['a,b', 'c']
y = 'a'
where = ['a in b, c', 'd = 1']
transpose = true
raw = 'f32le 4x5'
[x]
order = 'natural'
[y]
order = ['natural']
[view]
x = '0:2'
[color]
vmin = -0.5
fmt = 'd'
[panels.A]
vmax = 3
fmt = '.2f'",
    );
    assert_eq!(assign_flags(&figure, &flags), Ok(wanted));
    let (key, what) = assign_flags(&figure, &[given("view-x", &["5:1"])]).unwrap_err();
    assert!(key == "view.x" && what.starts_with("'5:1' is not a part"), "{key}: {what}");
}
