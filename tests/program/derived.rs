//! Derived columns by the program: signs at the beginning, columns in which rows of a bin differ.

use crate::support::place::Place;

const TABLE: &str = "a,b,c,s\n1,2,5,0\n1,2,6,1\n2,3,7,0\n2,3,8,1\n";

/// What the program exports of the axes and values that `flags` name.
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
fn rows_of_a_bin_differ_in_other_columns_than_its_own() {
    let warned = |table: &str| {
        let p = Place::new(&[("t.csv", table)]);
        let args = [
            "render",
            "t.csv",
            "-x",
            "bin(a, 1)",
            "-y",
            "b",
            "-z",
            "c",
            "-o",
            "out.png",
        ];
        p.ends(0, &args[..]).err
    };
    let of_seeds = warned("a,b,c,s\n1,2,5,0\n2,2,6,1\n");
    assert!(of_seeds.contains("differ in s; shown"), "{of_seeds}");
    let alone = warned("a,b,c\n1,2,5\n2,2,6\n");
    assert!(alone.contains("share their keys; shown"), "{alone}");
}
