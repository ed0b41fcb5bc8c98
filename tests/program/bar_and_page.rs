//! The colour bar, the page, margins of numbers, best cells, ranks and correlations, through the program.

use crate::support::image::decode;
use crate::support::place::Place;
use gridscope_core::color::Color;

const TABLE: &str = "model,task,score\na,x,0.25\na,y,1\nb,x,0\nb,y,0.5\nc,x,0.25\nc,y,0.75\n";
const KEYS: &str = "t.csv -x task -y model -z score";

fn place() -> Place {
    Place::new(&[("t.csv", TABLE)])
}

/// The texts of an SVG, in their order.
fn texts(place: &Place, flags: &str) -> Vec<String> {
    place.ends(0, &format!("render {KEYS} {flags} -o f.svg"));
    drawn_texts(&String::from_utf8(place.read("f.svg")).unwrap())
}

fn drawn_texts(svg: &str) -> Vec<String> {
    let inside =
        |part: &str| part.split_once('>').and_then(|(_, rest)| Some(rest.split_once("</text")?.0.to_owned()));
    svg.split("<text").skip(1).filter_map(inside).collect()
}

fn pixel(place: &Place, flags: &str, at: (u32, u32)) -> (Color, (u32, u32)) {
    place.ends(0, &format!("render {KEYS} {flags} -o f.png"));
    let image = decode(&place.read("f.png"));
    (image.at(at.0, at.1), (image.width, image.height))
}

#[test]
fn a_bar_has_the_ticks_and_texts_that_are_given() {
    let place = place();
    let all = texts(&place, "--annot off --cbar-ticks 0:Fail,1:Pass");
    assert!(all.starts_with(&["Fail".into(), "Pass".into(), "score".into()]), "{all:?}");
    let all = texts(&place, "--annot off --cbar-ticks 1,0,0.25,7");
    assert!(all.starts_with(&["0.00".into(), "0.25".into(), "1.00".into(), "score".into()]), "{all:?}");
    let said = place.ends(0, &format!("render {KEYS} --cbar-ticks 0,7 -o f.png")).err;
    assert!(said.contains("ticks-thinned") && said.contains("1 of 2 ticks"), "{said}");
    assert!(!texts(&place, "--annot off --cbar-ticks none").contains(&"0.5".to_owned()));
    for (wrong, code) in [("--cbar-ticks a", 2), ("--cbar-shrink 2", 3), ("--cbar-shrink 0", 3)] {
        place.ends(code, &format!("render {KEYS} {wrong} -o f.png"));
    }
}

#[test]
fn a_bar_may_be_alone_shorter_or_leave_its_room() {
    let place = place();
    assert_eq!(texts(&place, "--cbar only --cbar-ticks 0,1"), ["0", "1", "score"]);
    let (_, upright) = pixel(&place, "--cbar only", (0, 0));
    let (_, level) = pixel(&place, "--cbar only --width 3in", (0, 0));
    assert!(upright.0 < upright.1 && level == (600, level.1) && level.1 < 300, "{upright:?} {level:?}");
    let body = |flags: &str| {
        place.ends(0, &format!("render {KEYS} --annot off --width 3in --height 2in {flags} -o f.svg"));
        let svg = String::from_utf8(place.read("f.svg")).unwrap();
        let cells = svg.split("crispEdges\">").nth(1).unwrap_or_else(|| panic!("{flags}: no cells"));
        cells.split_once("</g>").unwrap().0.to_owned()
    };
    assert_eq!(body("--cbar blank"), body(""));
    assert_ne!(body("--cbar none"), body(""));
    assert_eq!(body("--cbar-shrink 0.5"), body(""));
}

#[test]
fn pages_have_a_colour_or_none() {
    let place = place();
    assert_eq!(pixel(&place, "--background transparent", (1, 1)).0.alpha(), 0);
    assert_eq!(pixel(&place, "--background #204060", (1, 1)).0, Color::rgb(0x20, 0x40, 0x60));
    assert_eq!(pixel(&place, "--background #20406080", (1, 1)).0.alpha(), 0x80);
    assert_eq!(pixel(&place, "", (1, 1)).0, Color::WHITE);
    let svg = |flags: &str| {
        place.ends(0, &format!("render {KEYS} {flags} -o f.svg"));
        String::from_utf8(place.read("f.svg")).unwrap()
    };
    let page = "<path fill=\"#ffffff\" d=\"M0 0h";
    assert!(!svg("--background transparent").contains(page) && svg("").contains(page));
    // Text is seen on it.
    assert!(
        svg("--background #102030").contains("#e8e8e8") && svg("--background #eeeeee").contains("#141414")
    );
    let gap = Place::new(&[("g.csv", ",x,y\na,1,\nb,2,3\n")]);
    gap.ends(0, "render g.csv --background transparent --nan transparent --bare --cell 8 -o f.png");
    assert_eq!(decode(&gap.read("f.png")).at(12, 4).alpha(), 0);
}

#[test]
fn colours_are_those_that_readers_without_some_cones_see() {
    let place = Place::new(&[("t.csv", ",x\na,0\nb,1\n")]);
    let first = |flags: &str| {
        place.ends(
            0,
            &format!("render t.csv --cmap #ff0000,#00ff00 --annot off --cells rects {flags} -o f.svg"),
        );
        let svg = String::from_utf8(place.read("f.svg")).unwrap();
        svg.split("crispEdges\">").nth(1).unwrap().split("fill=\"").nth(1).unwrap()[..7].to_owned()
    };
    assert_eq!(first(""), "#ff0000");
    assert_eq!(
        (first("--simulate protan").as_str(), first("--simulate deutan").as_str()),
        ("#6d5f00", "#a39000")
    );
    place.ends(2, "render t.csv --simulate none -o f.png");
}

#[test]
fn margins_may_be_numbers() {
    let place = place();
    let all = texts(&place, "--annot off --margin rows:mean:text --margin columns:max:text");
    for number in ["0.625", "0.250", "0.500"] {
        assert!(all.iter().any(|t| t == number), "{number}: {all:?}");
    }
    assert!(all.contains(&"0.25".to_owned()) && all.contains(&"1.00".to_owned()), "{all:?}");
    place.ends(2, &format!("render {KEYS} --margin rows:minmax:text -o f.png"));
}

#[test]
fn the_best_of_each_row_or_column_is_marked() {
    let place = place();
    let cells = |flags: &str| {
        place.ends(0, &format!("render {KEYS} {flags} --json=r.json -o f.png"));
        let report = place.json("r.json");
        let marks = &report["panels"][0]["marks"][0];
        let list = marks["cells"].as_array().unwrap_or_else(|| panic!("{report:#}"));
        list.iter().map(|c| (c["row"].as_u64().unwrap(), c["column"].as_u64().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(cells("--mark best:row"), [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(cells("--mark best:column"), [(0, 0), (2, 0), (0, 1)]);
    assert_eq!(cells("--mark best:column --better lower"), [(1, 0), (1, 1)]);
    assert_eq!(cells("--mark worst:row"), [(0, 0), (1, 0), (2, 0)]);
    let bold =
        texts(&place, "--annot on --mark best:row --set annotations.mark=[{cells='best:row',style='bold'}]");
    let count = |text: &str| bold.iter().filter(|t| *t == text).count();
    // Bold glyphs are drawn twice.
    assert_eq!(["1.00", "0.50", "0.75", "0.00"].map(count), [2, 2, 2, 1], "{bold:?}");
    assert!(texts(&place, "--mark best:row").contains(&"best of each row".to_owned()));
}

#[test]
fn values_may_be_ranks_or_places_between_the_least_and_the_greatest() {
    let place = place();
    let exported = |flags: &str| place.ends(0, &format!("export {KEYS} {flags} -o -")).text();
    assert_eq!(exported("--rank column"), "model,x,y\na,1.5,1\nb,3,3\nc,1.5,2\n");
    assert_eq!(exported("--rank all --better lower"), "model,x,y\na,2.5,6\nb,1,4\nc,2.5,5\n");
    assert_eq!(exported("--normalize minmax:column"), "model,x,y\na,1,1\nb,0,0\nc,1,0.5\n");
    let constant = Place::new(&[("c.csv", "k,x\na,2\nb,2\n")]);
    let ran = constant.ends(0, "export c.csv --normalize minmax:column -o -");
    assert!(
        ran.text() == "k,x\na,NaN\nb,NaN\n"
            && ran.err.contains("undefined")
            && ran.err.contains("is constant"),
        "{}",
        ran.err
    );
}

#[test]
fn correlations_have_a_diverging_map_and_two_decimals() {
    let place = Place::new(&[("c.csv", ",a,b,c\na,1,0.534,-0.21\nb,0.534,1,0.1\nc,-0.21,0.1,1\n")]);
    let scale = |flags: &str| {
        place.ends(0, &format!("render c.csv {flags} --json=r.json -o f.png"));
        place.json("r.json")["scales"][0].clone()
    };
    let own = scale("");
    assert_eq!((&own["cmap"], &own["norm"]), (&"RdBu_r".into(), &"center".into()));
    assert_eq!(scale("--cmap magma")["norm"], "linear");
    place.ends(0, "render c.csv -o f.svg");
    let svg = String::from_utf8(place.read("f.svg")).unwrap();
    assert!(svg.contains(">0.53<") && svg.contains(">−0.21<") && svg.contains(">1.00<"));
    // The diagonal stays, and the rest is as above it.
    let rest = place.ends(0, "export c.csv --mask upper:1 -o -").text();
    assert_eq!(rest, ",a,b,c\na,1,,\nb,0.534,1,\nc,-0.21,0.1,1\n");
}

#[test]
fn pictures_say_what_they_show() {
    let place = place();
    place.ends(0, &format!("render {KEYS} -o f.svg"));
    let svg = String::from_utf8(place.read("f.svg")).unwrap();
    let text = svg.split_once("<desc>").unwrap().1.split_once("</desc>").unwrap().0.to_owned();
    let wanted = "Heatmap of score: 3 rows of model (a to c) by 2 columns of task (x to y). Values range from 0 at model b, task x \
                  to 1 at model a, task y.";
    assert_eq!(text, wanted);
    assert!(svg.contains("role=\"img\""));
    place.ends(0, &format!("render {KEYS} -o f.png"));
    let png = place.read("f.png");
    assert!(png.windows(wanted.len()).any(|w| w == wanted.as_bytes()));
    place.ends(0, &format!("render {KEYS} --no-metadata -o f.svg"));
    assert!(!String::from_utf8(place.read("f.svg")).unwrap().contains("<desc>"));
}

#[test]
fn the_bar_says_as_cells_do_what_its_numbers_are() {
    let place = Place::new(&[
        ("money.csv", "who,a,b\nm,23700,-10894.5\nk,51300,-39700\n"),
        ("share.csv", "who,a,b\nm,0.125,0.5\nk,0.25,0.375\n"),
    ]);
    for (flags, wanted) in [
        ("money.csv --fmt $,.0f", ["$23,700", "−$10,894", "$50,000", "−$30,000", "$0"].as_slice()),
        ("money.csv --fmt .2s", &["24k", "50k", "−30k"]),
        ("share.csv --fmt .0%", &["12%", "50%", "20%"]),
        // Digits alone are those of cells.
        ("share.csv --fmt .3f", &["0.375", "0.20"]),
        ("money.csv --fmt $,.0f --cbar-fmt .1f", &["$23,700", "50000.0"]),
    ] {
        place.ends(0, &format!("render {flags} -o f.svg"));
        let svg = String::from_utf8(place.read("f.svg")).unwrap();
        let all = drawn_texts(&svg);
        for text in wanted {
            assert!(all.iter().any(|t| t == text), "{flags}: {text}: {all:?}");
        }
    }
}

#[test]
fn cells_have_the_texts_of_a_file() {
    let place = place();
    place.write("own.csv", "task,model,text\nx,a,worst\ny,a,best\nx,b,0.5\n");
    place.write("bad.csv", "task,model,text\nx,q,worst\n");
    let all = texts(&place, "--annot own.csv --fmt .2f");
    for text in ["worst", "best", "0.50"] {
        assert!(all.contains(&text.to_owned()), "{text}: {all:?}");
    }
    assert!(!all.contains(&"0.75".to_owned()), "{all:?}");
    // A figure file finds it beside itself, and an output does not replace it.
    place.write("f.toml", "[data]\nfile = \"t.csv\"\nx = \"task\"\ny = \"model\"\nvalue = \"score\"\n[annotations]\nshow = \"own.csv\"\n");
    place.ends(0, "render f.toml -o g.svg");
    assert!(drawn_texts(&String::from_utf8(place.read("g.svg")).unwrap()).contains(&"worst".to_owned()));
    let said = place.ends(2, &format!("render {KEYS} --annot own.csv -o own.csv")).err;
    assert!(said.contains("own.csv"), "{said}");
    let said = place.ends(3, &format!("render {KEYS} --annot bad.csv -o f.svg")).err;
    assert!(said.contains("bad.csv: line 2: no cell has model q"), "{said}");
}
