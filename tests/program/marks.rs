//! The commands of the chapter about marks.

use crate::support::place::Place;
use std::path::Path;

#[test]
fn the_commands_of_the_chapter_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let p = Place::empty();
    p.write("runs.csv", std::fs::read(root.join("examples/marks/runs.csv")).unwrap());
    let text = std::fs::read_to_string(root.join("docs/src/marks.md")).unwrap();
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("gridscope ")) {
        // Words in quotes stay together.
        let parts = line.split('\'').enumerate();
        let words: Vec<&str> = parts
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().collect::<Vec<_>>(),
                _ => vec![part],
            })
            .collect();
        let ran = p.run(&words);
        assert!(ran.code == Some(0) && !ran.err.contains("warning"), "{line}: {}", ran.err);
        count += 1;
    }
    assert!(count > 0);
    let figure = text.split("```toml\n").nth(1).and_then(|t| t.split("```").next()).unwrap();
    let data =
        "[data]\nfile = \"runs.csv\"\nx = \"lr\"\ny = \"dropout\"\nvalue = \"accuracy\"\nagg = \"mean\"\n";
    p.write("f.toml", format!("{data}{figure}"));
    p.ends(0, "render f.toml -o f.png");
}

/// The texts of a picture as SVG.
fn texts(p: &Place, command: &str, more: &[&str]) -> (Vec<String>, String) {
    let all: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
    let ran = p.run(&all);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let svg = String::from_utf8(std::fs::read(p.path("t.svg")).unwrap()).unwrap();
    let texts = svg.split("</text>").filter_map(|t| t.rsplit('>').next());
    (texts.map(str::to_owned).collect(), ran.err)
}

#[test]
fn contours_that_leave_no_room_between_them_are_not_drawn() {
    let cell = |i: usize| i.wrapping_mul(2_654_435_761) >> 7 & 1023;
    let rows = (0..300).map(|y| {
        // Noise on the left, a smooth slope on the right.
        let row = (0..300).map(|x| match x {
            0..150 => cell(y * 300 + x),
            _ => 2000 + 10 * x + y,
        });
        row.map(|v| v.to_string()).collect::<Vec<_>>().join(",") + "\n"
    });
    let p = Place::new(&[("t.csv", &rows.collect::<String>())]);
    let command = "render t.csv --table matrix -o t.svg --contours";
    let (seen, said) = texts(&p, command, &["500,4000"]);
    assert!(said.contains("warning[contours-hidden]: the contour of 500 has"), "{said}");
    assert!(said.contains("too many to tell apart; hint:"), "{said}");
    // Its level is neither in the key nor on the bar.
    let count = |text: &str| seen.iter().filter(|t| *t == text).count();
    assert!(count("contours:") == 1 && count("500") == 0 && count("4000") >= 1, "{seen:?}");
    let (seen, _) = texts(&p, command, &["500,"]);
    assert!(!seen.iter().any(|t| t == "contours:"), "{seen:?}");
}

#[test]
fn cells_that_a_condition_masks_have_a_key() {
    let p = Place::new(&[("t.csv", "x,y,v\n1,a,1\n2,a,2\n1,b,3\n2,b,4\n")]);
    let command = "render t.csv -x x -y y -z v -o t.svg";
    let key = |more: &[&str]| {
        let seen = texts(&p, command, more).0;
        seen.into_iter().filter(|t| t.starts_with("masked")).collect::<Vec<_>>()
    };
    assert_eq!(key(&["--mask", "v > 3"]), ["masked: v &gt; 3"]);
    let both = ["--mask", "v > 3", "--mask", "v < 2"];
    assert_eq!(key(&both), ["masked: v &gt; 3 or v &lt; 2"]);
    assert_eq!(key(&["--mask", "v > 3", "--masked", "red"]), ["masked: v &gt; 3"]);
    assert!(key(&["--mask", "v > 7"]).is_empty());
    assert!(key(&["--mask", "upper"]).is_empty());
}

#[test]
fn the_key_of_a_condition_names_what_the_bar_names() {
    let p = Place::new(&[("t.csv", "x,y,v\na,r,1\nb,r,2\na,s,5\nb,s,9\n")]);
    for (change, name) in [("--minus y=r", "v − r"), ("--z-score row", "v (z-score by row)")] {
        p.ends(0, &format!("render t.csv -x x -y y -z v {change} --mark value>0.5 -o o.svg"));
        let svg = String::from_utf8(p.read("o.svg")).unwrap();
        let drawn = svg.split_once("</metadata>").unwrap().1;
        assert!(
            drawn.contains(&format!("{name} &gt; 0.5")) || drawn.contains(&format!("{name} > 0.5")),
            "{drawn}"
        );
    }
}
