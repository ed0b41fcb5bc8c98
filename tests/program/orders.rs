//! Orders, groups and clusters through the program: the book's commands, exported rows, refusals.

use crate::support::place::Place;
use std::path::Path;

/// The table of the book, under the path that its commands have.
fn example() -> Place {
    let place = Place::empty();
    let path = "examples/order/topics.csv";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    place.write(path, std::fs::read(file).unwrap());
    place
}

#[test]
fn the_commands_of_the_book_work() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/order.md");
    let place = example();
    let mut seen = 0;
    for line in std::fs::read_to_string(page).unwrap().lines() {
        let Some(args) = line.strip_prefix("gridscope ") else {
            continue;
        };
        let args: Vec<&str> = args.split(' ').collect();
        let ran = place.run(&args);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
        seen += 1;
    }
    assert_eq!(seen, 7);
}

/// The first fields of the exported rows.
fn exported(place: &Place, flags: &[&str]) -> Vec<String> {
    let args = [&["export", "t.csv", "-x", "x", "-y", "y", "-z", "v", "-o", "g.csv"], flags].concat();
    let ran = place.run(&args);
    assert_eq!(ran.code, Some(0), "{flags:?}: {}", ran.err);
    let text = String::from_utf8(std::fs::read(place.path("g.csv")).unwrap()).unwrap();
    let first = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
    text.lines().skip(1).map(first).collect()
}

#[test]
fn lines_that_normalising_makes_alike_are_sorted_by_their_values_before() {
    let place = Place::empty();
    place.write("t.csv", "x,y,v\n1,a,5\n2,a,6\n3,a,7.5\n1,b,1\n2,b,9\n3,b,2\n1,c,70\n2,c,70\n3,c,71\n");
    let by = |flags: &str| exported(&place, &flags.split(' ').collect::<Vec<_>>());
    for (flags, wanted) in [
        ("--sort-rows std:desc", ["b", "a", "c"]),
        ("--z-score row --sort-rows std:desc", ["b", "a", "c"]),
        ("--z-score row --sort-rows std", ["c", "a", "b"]),
        ("--z-score row --sort-rows mean:desc", ["c", "a", "b"]),
        ("--normalize row --sort-rows sum", ["b", "a", "c"]),
        // What stays different is compared as it is drawn.
        ("--z-score row --sort-rows max:desc", ["c", "b", "a"]),
        ("--z-score column --sort-rows std:desc", ["a", "b", "c"]),
        ("--normalize row --sort-rows std:desc", ["b", "a", "c"]),
    ] {
        assert_eq!(by(flags), wanted, "{flags}");
    }
    assert_eq!(by("--z-score row --sort-rows std:desc --keep 2"), ["b", "a"]);
    let args =
        "render t.csv -x x -y y -z v --z-score row --sort-rows std:desc --keep 2 -o a.png --backend cpu";
    let said = place.ends(0, args).err;
    assert!(said.contains("2 of 3 rows are shown: the first by std before normalising"), "{said}");
}

const TABLE: &str =
    "x,y,v,g,s\n1,a,5,u,p\n2,a,5,u,q\n1,b,1,w,p\n2,b,2,w,q\n1,c,9,u,p\n2,c,8,u,q\n1,d,2,w,p\n2,d,1,w,q\n";

#[test]
fn exported_rows_are_in_the_new_order() {
    let place = Place::empty();
    place.write("t.csv", TABLE);
    assert_eq!(exported(&place, &["--sort-rows", "mean:desc"]), ["c", "a", "b", "d"]);
    assert_eq!(exported(&place, &["--sort-rows", "2"]), ["d", "b", "a", "c"]);
    assert_eq!(exported(&place, &["--sort-rows", "label:desc", "--keep", "2"]), ["d", "c"]);
    assert_eq!(exported(&place, &["--cluster", "rows"]), ["b", "d", "a", "c"]);
    let split = exported(&place, &["--split", "g", "--sort-rows", "max"]);
    assert_eq!(split.len(), 4);
    assert_eq!(split, ["\"u", "\"u", "\"w", "\"w"]);
}

#[test]
fn orders_that_are_none_are_refused_with_what_to_do() {
    let place = Place::empty();
    place.write("t.csv", TABLE);
    place.write("many.bin", vec![0u8; 50_000 * 2 * 4]);
    let tidy = "t.csv -x x -y y -z v";
    for (input, flags, code, said) in [
        (tidy, "--sort-rows 3", 2, "no column is labelled '3'"),
        (tidy, "--sort-rows MEAN", 2, "did you mean 'mean'?"),
        (tidy, "--split s", 2, "hint: --split-columns s"),
        (tidy, "--split v", 2, "hint: --panel v"),
        (tidy, "--cluster rows --metric correlation", 2, "row 'a' is constant"),
        (tidy, "--cluster rows --linkage ward --metric cosine", 2, "--metric euclidean"),
        (tidy, "--linkage ward", 2, "hint: --cluster rows"),
        (tidy, "--cluster rows --sort-rows mean", 2, "two orders"),
        (tidy, "--keep 0", 2, "a whole number from 1"),
        ("many.bin --raw f32le 2x50000", "--split g", 2, "a split needs a tidy table"),
        ("many.bin --raw f32le 2x50000", "--cluster rows", 7, "--sort-rows std:desc --keep 2000"),
    ] {
        let line = format!("render {input} -o a.png --backend cpu {flags}");
        let args: Vec<&str> = line.split(' ').collect();
        let ran = place.run(&args);
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.err);
        assert!(ran.err.contains(said), "{line}: {}", ran.err);
    }
}

#[test]
fn a_strip_has_one_value_a_row() {
    let rows = "gene,sample,v,kind,batch\ng1,s1,1,tumour,0\ng1,s2,2,normal,1\ng2,s1,3,tumour,1\ng2,s2,4,,1\n";
    let p = Place::new(&[("t.csv", rows)]);
    let draw = |strip: &str| format!("render t.csv -x sample -y gene -z v --strip {strip} -o o.png");
    let err = p.ends(2, &draw("kind")).err;
    assert!(
        err.contains("'kind' has two values in row 'g1': 'tumour' and 'normal'")
            && err.contains("hint: --strip x:kind"),
        "{err}"
    );
    p.ends(0, &draw("x:kind"));
    // A row without a text is none that says otherwise.
    p.write("t.csv", rows.replace("g1,s1,1,tumour", "g1,s1,1,"));
    p.ends(0, &draw("x:kind").replace(".png", ".svg"));
    let svg = String::from_utf8(p.read("o.svg")).unwrap();
    assert!(svg.split_once("</metadata>").unwrap().1.contains("tumour"));
    p.write("t.csv", rows);
    let err = p.ends(2, &draw("batch")).err;
    assert!(err.contains("hint: --panel batch"), "{err}");
}
