//! Each flag equals its key: random figures by flags, by `--set`, and by a figure file are the same.

use super::super::args::{Cli, Command};
use super::apply_flags;
use clap::Parser;
use gridscope_core::figure::{Figure, Word};
use gridscope_random::{Random, cases};
use gridscope_read::{Format, read_figure};

const TEXTS: [&str; 9] = ["a", "Läß", "x = 1", "two words", "$\\alpha_2$", "科学", "5", "true", "{panel}"];
const NAMES: [&str; 6] = ["model", "Läß", "a b", "5", "1.50", "科"];

/// The value of a key: as its flag and `--set` write it, and as TOML does.
fn value(word: &Word, r: &mut Random) -> (String, String) {
    let text = |t: &str| (t.to_owned(), format!("{t:?}").replace("\\u{", "\\u{"));
    let number = |r: &mut Random| {
        let n = r.pick(&["0", "-3", "0.5", "-1e-3", "12345678.25", "7"]);
        (n.to_owned(), n.to_owned())
    };
    let list = |r: &mut Random, of: &[&str]| {
        let items: Vec<&str> = (0..=r.below(3)).map(|_| r.pick(of)).collect();
        (items.join(","), format!("{items:?}"))
    };
    match word.key {
        "data.x" | "data.y" | "data.value" | "data.panel" | "data.missing" | "x.domain" | "y.domain"
        | "panel_order" | "panel_titles" | "panel_row_order" | "panel_column_order" | "x.column"
        | "y.column" => list(r, &NAMES),
        "x.order" | "y.order" => match r.below(2) {
            0 => text(r.pick(&["data", "natural", "alpha", "value"])),
            _ => list(r, &["b", "a b", "科"]),
        },
        "lints.deny" | "lints.allow" => list(r, &["nan", "absent", "clipped"]),
        "data.where" => {
            let condition = r.pick(&["a = 1", "topic in a, b", "x >= 2"]);
            (condition.to_owned(), format!("[{condition:?}]"))
        }
        "data.slice" => ("2=5".to_owned(), "['2=5']".to_owned()),
        "data.transpose" | "data.drop_baseline" | "data.drop_empty" | "data.json_nan" | "data.units_row"
        | "data.day_first" | "data.month_first" | "data.raw_values" | "color.robust" | "system_fonts" => {
            ("true".to_owned(), "true".to_owned())
        }
        "share_x" | "share_y" => {
            let word = r.pick(&["true", "false"]);
            (word.to_owned(), word.to_owned())
        }
        "color.vmin" | "color.vmax" | "color.center" | "color.hide_below" | "color.hide_above"
        | "data.nodata" => number(r),
        "columns" | "view.radius" | "data.skip_rows" | "data.min_count" | "data.table_number" => {
            let n = r.within(1, 9_u64);
            (n.to_string(), n.to_string())
        }
        "size.dpi" => ("72.5".to_owned(), "72.5".to_owned()),
        "x.rotate" | "y.rotate" => {
            let n = r.pick(&["0", "45", "90"]);
            (n.to_owned(), n.to_owned())
        }
        "data.agg" => text(r.pick(&["median", "count", "std", "q2.5", "ci95", "best"])),
        "data.better" => text(r.pick(&["higher", "lower"])),
        "data.table" => text(r.pick(&["tidy", "wide"])),
        "x.sort" | "y.sort" => text(r.pick(&["mean:desc", "label", "a b", "label:mean"])),
        "x.keep" | "y.keep" => {
            let n = r.within(1, 9_u64);
            (n.to_string(), n.to_string())
        }
        "x.split" | "y.split" => list(r, &["b", "a b", "科"]),
        "cluster.axes" => text(r.pick(&["rows", "columns", "both"])),
        "cluster.linkage" => text(r.pick(&["average", "ward"])),
        "cluster.metric" => text(r.pick(&["euclidean", "correlation"])),
        "cluster.leaf_order" => text(r.pick(&["merged", "optimal"])),
        "cluster.dendrogram" => text(r.pick(&["on", "off"])),
        "data.paired" => text(r.pick(&["wilcoxon", "t"])),
        "data.normalize" => text(r.pick(&["row", "column", "panel", "all", "minmax:row", "minmax:all"])),
        "data.rank" => text(r.pick(&["row", "column", "panel", "all"])),
        "data.z_score" => text(r.pick(&["row", "column"])),
        "data.minus" | "data.ratio" | "data.percent" | "data.against" => {
            text(r.pick(&["file:a b.csv", "panel:Läß", "method=base", "a"]))
        }
        "data.decimal" => text(r.pick(&[",", "."])),
        "data.thousands" => text(r.pick(&[",", ".", "'", "_"])),
        "reverse" => list(r, &["x", "y"]),
        "margin" => list(r, &["rows:mean", "columns:max:line", "both:std"]),
        "x.fmt" | "y.fmt" => text(r.pick(&[".1f", "d", ".0%", "%Y-%m", "%b %d, %H:%M"])),
        "color.fmt" => text(r.pick(&[".1f", ".3g", ".0%"])),
        "data.header" => text(r.pick(&["auto", "none", "3"])),
        "data.correlate" => text(r.pick(&["pearson", "kendall"])),
        "data.raw" => text("f32le 4x5"),
        "x.type" | "y.type" => text(r.pick(&["category", "log", "time"])),
        "x.ticks" | "y.ticks" => text(r.pick(&["auto", "all", "none", "5"])),
        "x.spacing" | "y.spacing" => text(r.pick(&["even", "true"])),
        "view.rows" | "view.cols" => text("1:5"),
        "view.around" => text(r.pick(&["max", "3,4"])),
        "view.x" | "view.y" => text("0.5:3"),
        "color.cmap" | "strip.cmap" => text(r.pick(&["magma_r", "#112233,#ffffff"])),
        "color.norm" => text(r.pick(&["log", "symlog:1", "bounds:0,1,2"])),
        "color.scale" => text(r.pick(&["shared", "panel", "family"])),
        "color.under" | "color.over" | "color.nan" | "color.absent" | "color.masked" | "color.pending"
        | "linecolor" => text(r.pick(&["red", "#abcdef"])),
        "color.bar" => text(r.pick(&["right", "bottom", "none", "blank", "only"])),
        "color.ticks" => text(r.pick(&["0,0.5,1", "0:Fail,1:Pass", "none", "-1,"])),
        "color.shrink" => ("0.5".to_owned(), "0.5".to_owned()),
        "background" => text(r.pick(&["transparent", "#204060", "white"])),
        "simulate" => text(r.pick(&["deutan", "protan", "tritan"])),
        "annotations.show" => text(r.pick(&["auto", "off", "{mean:.1f} (n={n})"])),
        "annotations.fmt" => text(r.pick(&[".1f", ".3g", "d", "%"])),
        "annotations.mark" => {
            text(r.pick(&["max", "none", "p < 0.05 as star", "a=1, b=x y as dot", "m.csv"]))
        }
        "contours" => text(r.pick(&["5", "0.5,0.8", "none", "-1,"])),
        "data.mask" => text(r.pick(&["upper", "lower:1", "p > 0.05", "m.csv"])),
        "reduce.by" => text(r.pick(&["max", "extreme", "count"])),
        "reduce.rings" | "square" => text(r.pick(&["auto", "off"])),
        "size.width" | "size.height" | "size.font_size" | "annotations.font_size" | "linewidths" => {
            text(r.pick(&["4in", "9 pt", "12"]))
        }
        "strip.axis" => text(r.pick(&["x", "y"])),
        "tick_labels" => text(r.pick(&["outer", "each"])),
        "origin" => text(r.pick(&["upper", "lower"])),
        "notes" => text(r.pick(&["on", "off"])),
        "theme" => text(r.pick(&["light", "dark"])),
        _ => text(r.pick(&TEXTS)),
    }
}

/// The flag of a key with this value; none where several keys have one flag.
fn flag(word: &Word, value: &str) -> Option<Vec<String>> {
    let name = word.flag?;
    Some(match word.key {
        "data.transpose" | "data.drop_baseline" | "data.drop_empty" | "data.json_nan" | "data.units_row"
        | "data.day_first" | "data.month_first" | "data.raw_values" | "color.robust" | "system_fonts" => {
            vec![format!("--{name}")]
        }
        "data.raw" => [format!("--{name}")].into_iter().chain(value.split(' ').map(str::to_owned)).collect(),
        _ => vec![format!("--{name}={value}")],
    })
}

fn by_flags(args: &[String]) -> Figure {
    let line = ["gridscope", "check", "d.csv"].map(str::to_owned);
    let cli = Cli::try_parse_from(line.iter().chain(args)).unwrap_or_else(|e| panic!("{args:?}: {e}"));
    let Some(Command::Check(check)) = cli.command else { panic!("another command") };
    let mut figure = Figure::default();
    apply_flags(&check.source.flags, &mut figure).unwrap_or_else(|_| panic!("{args:?}"));
    // Flags about warnings belong to the run.
    figure.lints.deny.extend(&check.source.run.deny);
    figure.lints.allow.extend(&check.source.run.allow);
    figure
}

fn of_file(toml: &str) -> Figure {
    read_figure(toml.as_bytes(), "f", Format::Toml).unwrap_or_else(|e| panic!("{toml}: {e}"))
}

#[test]
fn each_flag_equals_its_key() {
    for case in 0..cases(100) {
        let mut r = Random(case);
        let (mut flags, mut settings, mut file) = (Vec::new(), Vec::new(), String::new());
        let mut is_compared = false;
        for word in Word::all() {
            let (table, leaf) = word.key.split_once('.').unwrap_or(("", word.key));
            let is_alone = matches!(word.key, "x.column" | "y.column" | "x.labels" | "y.labels");
            if is_alone || word.flag.is_none() || table == "strip" || r.below(4) > 0 {
                continue;
            }
            if word.key == "view.radius" && !flags.iter().any(|f: &String| f.starts_with("--around")) {
                continue;
            }
            let compares = matches!(word.key, "data.minus" | "data.ratio" | "data.percent" | "data.against");
            // A figure has one comparison.
            if compares && std::mem::replace(&mut is_compared, true) {
                continue;
            }
            let (text, toml) = value(word, &mut r);
            flags.extend(flag(word, &text).unwrap());
            settings.push(format!("--set={}={text}", word.key));
            file += &format!(
                "{}{leaf} = {toml}\n",
                if table.is_empty() { String::new() } else { format!("{table}.") }
            );
        }
        if r.below(2) == 0 {
            let [old, new, side] = [r.pick(&["a", "1.5", "科 x"]), r.pick(&TEXTS), r.pick(&["x", "y"])];
            let (new, broken) = (format!("{new}\nb"), format!("{new}\\nb"));
            flags.push(format!("--{side}-labels={old}={broken}"));
            settings.push(format!("--set={side}.labels.\"{old}\"={new}"));
            file += &format!("{side}.labels.{old:?} = {new:?}\n");
        }
        if r.below(2) == 0 {
            let [axis, column, map] = [r.pick(&["x", "y"]), r.pick(&NAMES), r.pick(&["tab10", "#000,#fff"])];
            flags.extend([format!("--strip={axis}:{column}"), format!("--strip-cmap={map}")]);
            let keys = [("axis", axis), ("column", column), ("cmap", map)];
            settings.extend(keys.map(|(key, text)| format!("--set=strip.{key}={text}")));
            file += &keys.map(|(key, text)| format!("strip.{key} = {text:?}\n")).concat();
        }
        let wanted = of_file(&file);
        assert_eq!(by_flags(&flags), wanted, "{flags:?}\n{file}");
        assert_eq!(by_flags(&settings), wanted, "{settings:?}\n{file}");
    }
}

#[test]
fn a_setting_goes_over_a_flag_of_all_panels() {
    let args = ["--vmin=0", "--set=panels.A.vmin=3", "--set=x.column=k", "--set=data.file=b.csv"];
    let figure = by_flags(&args.map(str::to_owned));
    assert_eq!((figure.color.vmin, figure.panels["A"].vmin), (Some(0.0), Some(3.0)));
    assert_eq!(figure.x.column.unwrap().0, ["k"]);
    assert_eq!(figure.data.file.unwrap().0, ["b.csv"]);
}

#[test]
fn the_book_lists_all_words() {
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
    let mut table =
        "\n| flag | key | seaborn, matplotlib, pandas, plotly |\n| --- | --- | --- |\n".to_owned();
    for word in Word::all() {
        let flag = match word.flag {
            Some(flag) => code(&format!("--{flag}")),
            None if word.key == "data.file" => "FILE".to_owned(),
            None => code("--set"),
        };
        let peers: Vec<String> = word.peers.iter().map(|p| code(p)).collect();
        table += &format!("| {flag} | {} | {} |\n", code(word.key), peers.join(", "));
    }
    let wanted = format!("<!-- words -->\n{table}\n<!-- end of words -->\n");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/flags.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (from, to) = (text.find("<!-- words -->").unwrap(), "<!-- end of words -->\n");
    let end = text.find(to).unwrap() + to.len();
    if std::env::var_os("GRIDSCOPE_WRITE_TABLES").is_some() {
        std::fs::write(&path, format!("{}{wanted}{}", &text[..from], &text[end..])).unwrap();
        return;
    }
    let found = &text[from..end];
    assert!(found == wanted, "docs/src/flags.md differs; GRIDSCOPE_WRITE_TABLES=1 writes:\n{wanted}");
}
