//! Derived columns by the program: signs at the beginning, columns in which rows of a bin differ.

use crate::support::place::Place;

const TABLE: &str = "a,b,c,s\n1,2,5,0\n1,2,6,1\n2,3,7,0\n2,3,8,1\n";

/// The program's export of the axes and values that `flags` name.
fn exported(p: &Place, flags: &[&str]) -> String {
    p.ends(0, &[&["export"], flags, &["-o", "out.csv"]].concat()[..]);
    String::from_utf8_lossy(&p.read("out.csv")).into_owned()
}

#[test]
fn an_expression_may_begin_with_a_minus() {
    let p = Place::new(&[("t.csv", TABLE)]);
    let flags = ["t.csv", "-x", "-a", "-y", "b", "-z", "-a - -c", "--agg", "mean"];
    assert_eq!(exported(&p, &flags), "b,-2,-1\n2,,4.5\n3,5.5,\n");
    p.ends(0, "render t.csv -x a -y b -z c --panel -s --agg mean -o out.png");
}

#[test]
fn titles_say_parts_of_times_in_words_and_everything_else_names_the_expression() {
    let rows = (0..96)
        .map(|i| format!("2024-03-{:02} {:02}:00,{},{i}\n", i / 12 % 4 + 1, i % 12, ["a", "b"][i % 2]));
    let p = Place::new(&[("t.csv", "time,m,v\n".to_owned() + &rows.collect::<String>())]);
    let drawn = |args: &[&str]| {
        p.ends(0, &[&["render", "t.csv", "--agg", "mean", "-o", "o.svg"][..], args].concat()[..]);
        let svg = String::from_utf8(p.read("o.svg")).unwrap();
        let body = svg.split_once("</metadata>").unwrap().1.to_owned();
        body.replace('\u{a0}', " ")
    };
    let svg = drawn(&["-x", "hour(time)", "-y", "m,weekday(time)", "-z", "day(time)"]);
    for title in [">hour of time<", ">m, weekday of time<", ">mean of day of time<"] {
        assert!(svg.contains(title), "{title}: {svg}");
    }
    let svg =
        drawn(&["-x", "m", "-y", "date(time)", "-z", "log10(v)", "--panel", "hour(time)", "--columns", "3"]);
    for title in [">hour of time = 3<", ">date of time (2024)<", ">mean of log10(v)<"] {
        assert!(svg.contains(title), "{title}: {svg}");
    }
    let json = p.ends(0, "info t.csv -x hour(time) -y weekday(time) -z day(time) --agg mean --json").out;
    let json = String::from_utf8(json).unwrap();
    for name in [r#""x": "hour(time)""#, r#""y": "weekday(time)""#, r#""value": "day(time)""#] {
        assert!(json.contains(name), "{json}");
    }
    assert!(exported(&p, &["t.csv", "-x", "hour(time)", "-y", "m", "-z", "v"]).starts_with("m,0,1,"));
}

#[test]
fn rows_of_a_bin_differ_in_other_columns_than_its_own() {
    let warned = |table: &str| {
        let p = Place::new(&[("t.csv", table)]);
        let args = ["render", "t.csv", "-x", "bin(a, 1)", "-y", "b", "-z", "c", "-o", "out.png"];
        p.ends(0, &args[..]).err
    };
    let of_seeds = warned("a,b,c,s\n1,2,5,0\n2,2,6,1\n");
    assert!(of_seeds.contains("differ in s; shown"), "{of_seeds}");
    let alone = warned("a,b,c\n1,2,5\n2,2,6\n");
    assert!(alone.contains("share their keys; shown"), "{alone}");
}

#[test]
fn decimal_commas_are_numbers_in_expressions() {
    let p = Place::new(&[
        ("comma.csv", "a;b;c\n1;0,25;1.234,5\n2;0,75;10\n3;2,5;1\n"),
        ("point.csv", "a,b,c\n1,0.25,1234.5\n2,0.75,10\n3,2.5,1\n"),
    ]);
    for value in ["2 * c", "a"] {
        let of = |file| exported(&p, &[file, "-x", "bin(b, 3)", "-y", "a", "-z", value, "--agg", "mean"]);
        assert_eq!(of("comma.csv"), of("point.csv"), "{value}");
        let signs = ["--decimal", ",", "--where", "b * 2 > 0,6"];
        let of = |file, flags: &[&str]| {
            exported(&p, &[&[file, "-x", "b + 1", "-y", "a", "-z", value, "--agg", "mean"], flags].concat())
        };
        assert_eq!(of("comma.csv", &signs), of("point.csv", &["--where", "b * 2 > 0.6"]), "{value}");
    }
}

#[test]
fn the_name_of_the_file_is_a_column_of_expressions() {
    let p = Place::new(&[("A.csv", "a,b,c\n1,1,3\n9,1,4\n"), ("B.csv", "a,b,c\n2,1,5\n90,1,6\n")]);
    let flags = ["A.csv", "B.csv", "-x", "lower(file)", "-y", "b", "-z", "c", "--agg", "sum"];
    assert_eq!(exported(&p, &flags), "b,a,b\n1,7,11\n");
    // Edges are made of the rows that a condition on the file leaves.
    let flags = ["A.csv", "B.csv", "-x", "bin(a, 2)", "-y", "b", "-z", "c", "--agg", "sum"];
    let found = exported(&p, &[&flags[..], &["--where", "file = A"]].concat());
    assert_eq!(found, "b,1–5,5–9\n1,3,4\n");
    let found = exported(&p, &[&flags[..], &["--where", "upper(file) = B", "--panel", "file"]].concat());
    assert!(found.contains("2–46,46–90"), "{found}");
    // Files whose columns differ are refused by the columns that they have.
    p.write("C.csv", "a,b\n1,2\n");
    let refused = p.run("export A.csv C.csv -x a -y b -z c -o out.csv").err;
    assert!(refused.contains("its columns (a, b) are not those of A.csv (a, b, c)"), "{refused}");
}

#[test]
fn bins_of_data_and_baseline_are_the_same_or_refused() {
    let p = Place::empty();
    let rows = |by: f64| (0..40).map(|i| format!("{},r,{}\n", f64::from(i) + by, i % 7)).collect::<String>();
    p.write("a.csv", "x,y,v\n".to_owned() + &rows(0.0));
    p.write("b.csv", "x,y,v\n".to_owned() + &rows(0.3));
    let err = p
        .ends(
            2,
            &[
                "render",
                "b.csv",
                "-x",
                "bin(x, 4)",
                "-y",
                "y",
                "-z",
                "v",
                "--agg",
                "mean",
                "--minus",
                "a.csv",
                "-o",
                "o.png",
            ][..],
        )
        .err;
    assert!(err.contains("bins of their own numbers") && err.contains("hint: bin(COLUMN, edges="), "{err}");
    for bins in ["bin(x, edges=0,20,50)", "bin(x, width=10)"] {
        p.ends(
            0,
            &[
                "render", "b.csv", "-x", bins, "-y", "y", "-z", "v", "--agg", "mean", "--minus", "a.csv",
                "-o", "o.png",
            ][..],
        );
    }
    let err = p
        .ends(
            2,
            &["render", "b.csv", "-x", "x", "-y", "y", "-z", "v", "--annot", "{p:.3f}", "-o", "o.png"][..],
        )
        .err;
    assert!(err.contains("hint: --paired"), "{err}");
}
